//! Where the files of a model declare an element.

use crate::document::{Document, Value as FileValue};
use crate::grammar::{EntryKey, below};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::{Calendar, Release};

use super::super::draft::Value;

/// The keys that lead to an element's entry. A member that is declared version by version has one below `in`.
pub(crate) fn path(documents: &[Document<'_>], model: &Model, id: ElementId) -> Vec<String> {
    let path = model.element(id).path();
    let mut keys = path.keys();
    if let (Some(_), Some(version)) = (path.member(), path.version())
        && says(documents, &below(&keys, &["in"]))
    {
        keys = below(&keys, &["in", &version.version]);
    }
    keys
}

/// The keys that lead to an entry of an element alone. A member whose entry is for all versions gets one below `in`,
/// beside those of the other versions that have it, which are returned too, each with the element that it is for.
pub(crate) fn own_path(
    documents: &[Document<'_>],
    model: &Model,
    id: ElementId,
) -> (Vec<String>, Vec<(ElementId, Vec<String>)>) {
    let keys = path(documents, model, id);
    let element = model.element(id).path();
    let kind = model.element(id).parent.and_then(|kind| model.kind_of(kind));
    let mut members = kind.into_iter().flat_map(|kind| &kind.members);
    let member = members.find(|member| member.versions.contains(&Some(id)));
    let (Some(member), Some(version)) = (member, element.version()) else {
        return (keys, Vec::new());
    };
    let versions = member.versions.iter().flatten();
    let others: Vec<ElementId> = versions.copied().filter(|other| *other != id).collect();
    if member.listing.lists_versions() || others.is_empty() {
        return (keys, Vec::new());
    }
    let others = others.into_iter().filter_map(|other| {
        let version = model.element(other).path().version()?.version.to_string();
        Some((other, below(&keys, &["in", &version])))
    });
    (below(&keys, &["in", &version.version]), others.collect())
}

/// How many lives an element had before its last one, if the entry at `path` does not list them: a kind without an
/// entry of its own has those of its version, and a member in one version those that its entry lists for all.
pub(crate) fn earlier_lives(
    documents: &[Document<'_>],
    model: &Model,
    element: ElementId,
    path: &[String],
) -> Option<usize> {
    let lives = EntryKey::Lives.as_str();
    let own = usize::from(model.lives(element)).saturating_sub(1);
    let kind = model.element(element).kind;
    let is_listed = says(documents, &below(path, &[lives]));
    if own > 0 && kind.is_kind() && !is_listed {
        return Some(own);
    }
    // Without lives of its own, it has those of its kind, which the entry does not list.
    let begins = (1..model.element(element).lives).map(|life| Event::new(element, life, EventKind::Introduced));
    let listed = begins.filter(|begin| !model.is_back_with_owner(*begin)).count();
    let count = listed + usize::from(model.element(element).foreign_lives);
    let shared = path.len().checked_sub(2).map(|end| &path[..end])?;
    let is_of_one = kind.is_member() && path[shared.len()] == "in";
    let is_for_all = is_of_one && says(documents, &below(shared, &[lives]));
    (count > 0 && is_for_all && !is_listed).then_some(count)
}

/// Lives of which only the last one has keys of its own. The earlier ones are as other entries have them.
pub(crate) fn lives(earlier: usize, last: Vec<(String, Value)>) -> Value {
    let mut all = vec![Value::Table(Vec::new()); earlier];
    all.push(Value::Table(last));
    Value::List(all)
}

/// The earlier deprecations of an element, and when they were withdrawn, if that is to be written beside a new one: the
/// entry that declares one deprecation declares all of them.
///
/// They are as the entry has them. The model has those of a part in the lives of what it is part of, where one between
/// two lives counts from the start of the next.
pub(crate) fn before_another(
    documents: &[Document<'_>],
    model: &Model,
    element: ElementId,
) -> (Vec<Release>, Option<Value>) {
    let [before, undone] = [EventKind::Deprecated, EventKind::Undeprecated];
    let [deprecated, withdrawn] = [before, undone].map(|what| {
        let declared = model.repeated(model.last_event(element, what));
        declared.map(|declared| declared.release).collect::<Vec<Release>>()
    });
    let is_own = written(documents, model, element, undone).is_some();
    let withdrawn = one_or_more(&withdrawn, &model.calendar).filter(|_| !is_own);
    (
        written(documents, model, element, before).unwrap_or(deprecated),
        withdrawn,
    )
}

/// The releases that the entry of an element has for an event of its last life, or that for all versions.
fn written(documents: &[Document<'_>], model: &Model, element: ElementId, what: EventKind) -> Option<Vec<Release>> {
    let own = path(documents, model, element);
    let shared = own.len().checked_sub(2).filter(|end| own[*end] == "in");
    let entries = std::iter::once(&*own).chain(shared.map(|end| &own[..end]));
    let mut lists_lives = false;
    let mut values = entries.filter_map(|entry| {
        let lives = value(documents, &below(entry, &[EntryKey::Lives.as_str()]));
        lists_lives |= lives.is_some();
        let last = lives.and_then(|lives| lives.as_list()?.last()?.as_table());
        let in_life = last.and_then(|last| Some(last.get(what.as_str())?.1));
        // Beside lives, a key of all versions is about the first one.
        in_life.or_else(|| value(documents, &below(entry, &[what.as_str()])).filter(|_| !lists_lives))
    });
    let value = values.next()?;
    let items: Vec<FileValue<'_>> = value.as_list().map_or_else(|| vec![value], Iterator::collect);
    let releases = items
        .into_iter()
        .map(|item| model.calendar.find(item.as_word()?.text).ok());
    releases.collect()
}

/// A release, or a list of several in their order.
pub(crate) fn one_or_more(releases: &[Release], calendar: &Calendar) -> Option<Value> {
    let names = releases.iter().map(|release| Value::Text(calendar.name(*release)));
    let mut names: Vec<Value> = names.collect();
    if names.len() > 1 {
        Some(Value::List(names))
    } else {
        names.pop()
    }
}

/// Whether any of a model's files has a value at a path.
pub(crate) fn says(documents: &[Document<'_>], path: &[String]) -> bool {
    value(documents, path).is_some()
}

/// The value that the first file with one has at a path.
pub(crate) fn value<'d>(documents: &'d [Document<'_>], path: &[String]) -> Option<FileValue<'d>> {
    let (last, above) = path.split_last()?;
    documents.iter().find_map(|document| {
        let mut above = above.iter();
        let table = above.try_fold(document.root(), |table, key| table.get(key)?.1.as_table());
        Some(table?.get(last)?.1)
    })
}

/// A string, a boolean or a number of a file, to be written again.
pub(crate) fn copied(value: FileValue<'_>) -> Value {
    match (value.as_word(), value.as_bool()) {
        (Some(word), _) => Value::Text(word.text.to_owned()),
        (None, Some(flag)) => Value::Flag(flag),
        (None, None) => {
            let text = value.plain_text();
            text.parse().map_or(Value::Written(text), Value::Number)
        }
    }
}

/// A value of a file with all that is in it, to be written again.
pub(crate) fn whole(value: FileValue<'_>) -> Value {
    if let Some(table) = value.as_table() {
        let entries = table.entries().map(|(key, value)| (key.name.to_owned(), whole(value)));
        return Value::Table(entries.collect());
    }
    if let Some(items) = value.as_list() {
        return Value::List(items.map(whole).collect());
    }
    let is_day = value.as_word().is_none();
    match value.plain_text().parse() {
        Ok(day) if is_day => Value::Day(day),
        _ => copied(value),
    }
}
