//! A new version: overlap with the old one, preferred and storage moves, deprecation, migration and removal of the old
//! one.

use std::collections::HashSet;

use crate::document::{Document, Value as FileValue};
use crate::grammar::{ElementPath, below};
use crate::import::Value;
use crate::model::succession::{is_superseded_as_a_whole, named};
use crate::model::{ElementId, Event, EventKind, Group, Kind, Version};
use crate::release::Release;
use crate::rules::declared_moves;
use crate::timeline;

use super::draft::{Declaration, Draft, Path, Step};
use super::element::{copied, of_group, says, value};
use super::removal::migration;
use super::settle::{Inputs, Trial};
use super::{Unproposable, name};

/// The version with its kinds and their members.
pub(super) fn version(inputs: &Inputs<'_>, kinds: &[String]) -> Result<Draft, Unproposable> {
    let model = inputs.base.model();
    let new = name::version(inputs.request.element)?;
    if kinds.iter().any(|kind| kind.trim().is_empty()) {
        return Err(Unproposable::new(
            "a kind has no name",
            "name the kinds with a comma between them: `--kinds Widget,Gadget`",
        ));
    }
    let id = new.to_string();
    if model.find(&id).is_some() {
        return Err(name::there_already(model, &id));
    }
    let (group_path, path) = (new.group_keys(), new.keys());
    let mut draft = Draft {
        element: id.clone(),
        ..Draft::default()
    };
    draft.push(Step::of_key(EventKind::Introduced, id, &path).from(inputs.from));
    let group = model.groups.iter().find(|group| of_group(group) == group_path);
    match group {
        Some(group) => carried(inputs, &mut draft, group, &new.version, kinds)?,
        None => {
            let new = kinds.iter().map(|kind| below(&group_path, &["kind", kind]));
            draft.bare.extend(new);
        }
    }
    Ok(draft)
}

/// The highest version of a group that is served in a release.
fn predecessor(inputs: &Inputs<'_>, group: &Group) -> Option<usize> {
    let model = inputs.base.model();
    let served = (0..group.versions.len()).filter(|at| {
        let parts = model.served_by(group.versions[*at].element);
        parts.into_iter().any(|part| is_served(inputs, part))
    });
    served.max_by(|a, b| group.versions[*a].name.rank(&group.versions[*b].name))
}

/// Whether a version or kind is served in the release of the new version.
fn is_served(inputs: &Inputs<'_>, part: ElementId) -> bool {
    let (model, reasoning) = (inputs.base.model(), inputs.base.reasoning());
    let mut lives = (0..model.lives(part)).map(|life| Event::new(part, life, EventKind::Introduced));
    lives.any(|begin| {
        let [begins, ends] = [begin, begin.sibling(EventKind::Removed)].map(|event| reasoning.release(event));
        begins.is_some_and(|begins| begins <= inputs.from) && ends.is_none_or(|ends| ends > inputs.from)
    })
}

/// Why no version is proposed of which no kind is known.
fn without_kinds(inputs: &Inputs<'_>, group: &Group) -> Unproposable {
    let release = inputs.base.model().calendar.name(inputs.from);
    Unproposable::new(
        format!("no version of {} serves a kind in {release}", group.name),
        "name the kinds of the new version: `--kinds Widget,Gadget`",
    )
}

/// Declares which kinds the new version has, with their members.
fn carried(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    group: &Group,
    version: &str,
    wanted: &[String],
) -> Result<(), Unproposable> {
    let before = predecessor(inputs, group);
    let path = of_group(group);
    if wanted.is_empty() && before.is_none() && !group.kinds.is_empty() {
        return Err(without_kinds(inputs, group));
    }
    for kind in &group.kinds {
        let own = below(&path, &["kind", &kind.name]);
        let is_carried = match wanted {
            [] => {
                let own = before.and_then(|before| kind.versions[before]);
                own.is_some_and(|own| is_served(inputs, own))
            }
            wanted => wanted.contains(&kind.name),
        };
        let listed = below(&own, &["versions"]);
        let has_list = says(&inputs.documents, &listed);
        if is_carried == has_list {
            let all = group.versions.iter().map(|version| version.name.as_str().to_owned());
            let mut versions = if has_list {
                words(&inputs.documents, &listed)
            } else {
                all.collect()
            };
            versions.extend(is_carried.then(|| version.to_owned()));
            let versions = Value::List(versions.into_iter().map(Value::Text).collect());
            draft.keys.push((own.clone(), "versions".to_owned(), versions));
        }
        if let (true, Some(before)) = (is_carried, before) {
            parts(inputs, draft, &own, (group, kind, before), version);
        }
    }
    for name in wanted {
        if group.kinds.iter().all(|kind| kind.name != *name) {
            let only = Value::List(vec![version.into()]);
            let path = below(&path, &["kind", name]);
            draft.keys.push((path, "versions".to_owned(), only));
        }
    }
    Ok(())
}

/// The strings of a list.
fn words(documents: &[Document<'_>], path: &[String]) -> Vec<String> {
    let items = value(documents, path).and_then(|found| found.as_list());
    let items = items.into_iter().flatten();
    items.filter_map(|item| Some(item.as_word()?.text.to_owned())).collect()
}

/// Members that are declared version by version are in the new one as they are in the one before it.
fn parts(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    own: &[String],
    (group, kind, before): (&Group, &Kind, usize),
    version: &str,
) {
    let old = group.versions[before].name.as_str();
    for member in &kind.members {
        let within: Path = own.iter().cloned().chain(member.parts().keys()).collect();
        let entry = below(&within, &["in", old]);
        if is_removed(inputs, member.versions[before]) || !says(&inputs.documents, &entry) {
            continue;
        }
        let path = below(&within, &["in", version]);
        for key in ["represented-as", "gated-by", "default"] {
            let found = value(&inputs.documents, &below(&entry, &[key]));
            let found =
                found.filter(|name| key != "represented-as" || !names_what_is_removed(inputs, kind, before, name));
            let keys = found.map(|found| (path.clone(), key.to_owned(), copied(found)));
            draft.keys.extend(keys);
        }
        draft.bare.push(path);
    }
}

/// Whether a member is declared to be removed by the release of the new version.
fn is_removed(inputs: &Inputs<'_>, member: Option<ElementId>) -> bool {
    let model = inputs.base.model();
    let removed = member.and_then(|member| model.declared_release(model.last_event(member, EventKind::Removed)));
    removed.is_some_and(|removed| removed <= inputs.from)
}

/// Whether a name is that of a member that is removed from a version by then: the new one does not have it.
fn names_what_is_removed(inputs: &Inputs<'_>, kind: &Kind, version: usize, name: &FileValue<'_>) -> bool {
    let name = name.as_word().map(|word| word.text);
    let named = kind.members.iter().find(|member| name == Some(&*member.reference()));
    named.is_some_and(|named| is_removed(inputs, named.versions[version]))
}

/// What the plan derives from the new version: preferred and storage moves, deprecations and removals of older
/// versions.
pub(super) fn successions(inputs: &Inputs<'_>, draft: &mut Draft, trial: &Trial) {
    let model = trial.evaluation.model();
    let Some(new) = model.find(&draft.element) else { return };
    let Some(group) = model.group_of(new) else { return };
    moves(draft, trial, (group, new));
    let new = model.element(new).path();
    let Some(new) = new.version() else { return };
    for version in &group.versions {
        let served = model.served_by(version.element);
        let replaced = replaced(inputs, draft, trial, &served);
        match because_of_it(trial, group, version, &replaced) {
            Some(deprecated) => whole(draft, trial, version.element, (deprecated, &replaced), &new.version),
            None => kinds_alone(draft, trial, &replaced, &new.version),
        }
    }
}

/// A version that the new one takes over with all its kinds.
fn whole(
    draft: &mut Draft,
    trial: &Trial,
    version: ElementId,
    (deprecated, replaced): (Release, &[ElementId]),
    new: &str,
) {
    let model = trial.evaluation.model();
    let (id, entry) = (model.id(version).to_owned(), model.element(version).path().keys());
    let step = Step::of_key(EventKind::Deprecated, &id, &entry);
    let announced = draft.push(step.from(deprecated).after(0, 0));
    draft.keys.extend(replacements(trial, version, replaced, &entry, new));
    let removed = release(trial, version, EventKind::Removed).map(|removed| {
        let step = Step::of_key(EventKind::Removed, &id, &entry);
        draft.push(step.from(removed).after(announced, 0))
    });
    let next = model.calendar.next();
    migration(draft, (trial, next), &id, &entry, removed);
}

/// The kinds of a version that the new one takes over, where it leaves others behind: those stay as they are.
fn kinds_alone(draft: &mut Draft, trial: &Trial, replaced: &[ElementId], new: &str) {
    let model = trial.evaluation.model();
    for kind in replaced.iter().copied() {
        let Some(deprecated) = planned(trial, model.last_event(kind, EventKind::Deprecated)) else {
            continue;
        };
        let (id, entry) = (model.id(kind).to_owned(), model.element(kind).path().keys());
        let step = Step::of_key(EventKind::Deprecated, &id, &entry);
        let announced = draft.push(step.from(deprecated).after(0, 0));
        if named(model, kind).is_none() {
            draft
                .keys
                .push((entry.clone(), "replacement".to_owned(), Value::from(new)));
        }
        if let Some(removed) = planned(trial, model.last_event(kind, EventKind::Removed)) {
            let step = Step::of_key(EventKind::Removed, &id, &entry);
            draft.push(step.from(removed).after(announced, 0));
        }
    }
}

/// The release of an event that is not declared.
fn planned(trial: &Trial, event: Event) -> Option<Release> {
    let planned = trial.evaluation.assignment().planned(event);
    planned.map(|planned| planned.release)
}

/// Declares the new version as the replacement of a version, or else of those of its kinds that the new one has too.
fn replacements(
    trial: &Trial,
    version: ElementId,
    replaced: &[ElementId],
    entry: &[String],
    own: &str,
) -> Vec<(Path, String, Value)> {
    let model = trial.evaluation.model();
    let served = model.served_by(version);
    let mut attributes = served.iter().chain([&version]).filter_map(|id| model.attributes(*id));
    if attributes.any(|attributes| attributes.replacement.is_some()) {
        return Vec::new();
    }
    let paths = if replaced.len() == served.len() {
        vec![entry.to_vec()]
    } else {
        replaced.iter().map(|kind| model.element(*kind).path().keys()).collect()
    };
    paths
        .into_iter()
        .map(|path| (path, "replacement".to_owned(), Value::from(own)))
        .collect()
}

/// Which of these elements the new version replaces by the plan, and no other version would replace without it as soon.
fn replaced(inputs: &Inputs<'_>, draft: &Draft, trial: &Trial, served: &[ElementId]) -> Vec<ElementId> {
    let model = trial.evaluation.model();
    let new = ElementPath::parse(&draft.element).ok();
    let before = inputs.base.elements();
    let superseded: HashSet<&str> = before
        .iter()
        .filter(|element| element.replacement.is_some())
        .map(|element| element.id)
        .collect();
    let mut replaced = Vec::new();
    for element in trial.evaluation.elements() {
        let by = element.replacement.and_then(|id| ElementPath::parse(id).ok());
        if by.zip(new.as_ref()).is_some_and(|(by, new)| by.is_within(new)) {
            replaced.extend(served.iter().copied().find(|part| model.id(*part) == element.id));
        }
    }
    replaced.retain(|part| !superseded.contains(model.id(*part)) || !is_planned_without(inputs, trial, *part));
    replaced
}

/// Whether the base plans the deprecation of an element as early as the model with the new version.
fn is_planned_without(inputs: &Inputs<'_>, trial: &Trial, part: ElementId) -> bool {
    let (model, base) = (trial.evaluation.model(), inputs.base);
    let deprecated = [
        (model, trial.evaluation.reasoning(), Some(part)),
        (base.model(), base.reasoning(), base.model().find(model.id(part))),
    ];
    let [now, before] =
        deprecated.map(|(model, reasoning, part)| reasoning.release(model.last_event(part?, EventKind::Deprecated)));
    before.is_some_and(|before| now.is_none_or(|now| before <= now))
}

/// The release in which a version is planned to be deprecated as a whole in favor of the new one: because that takes
/// over each of its kinds, or because its entry says so (P8).
fn because_of_it(trial: &Trial, group: &Group, version: &Version, replaced: &[ElementId]) -> Option<Release> {
    let model = trial.evaluation.model();
    let served = version.served();
    let mut lives = served
        .iter()
        .map(|part| model.deprecation(*part, model.last_life(*part)));
    let as_a_whole = replaced.len() == served.len() || is_superseded_as_a_whole(model, group, version);
    let is_open = lives.all(|declared| declared.is_none()) && !replaced.is_empty() && as_a_whole;
    is_open.then(|| release(trial, version.element, EventKind::Deprecated))?
}

/// The release by which an event has happened to every kind of a version; `None` if it does not happen to all.
fn release(trial: &Trial, version: ElementId, what: EventKind) -> Option<Release> {
    let (model, reasoning) = (trial.evaluation.model(), trial.evaluation.reasoning());
    let all = model.served_by(version).into_iter();
    let all: Option<Vec<Release>> = all
        .map(|part| reasoning.release(model.last_event(part, what)))
        .collect();
    all?.into_iter().max()
}

/// Declares moves of the preferred or storage version where the model declares earlier ones; otherwise they stay
/// planned.
fn moves(draft: &mut Draft, trial: &Trial, (group, new): (&Group, ElementId)) {
    let evaluation = &trial.evaluation;
    let model = evaluation.model();
    let Some(position) = group.versions.iter().position(|version| version.element == new) else {
        return;
    };
    let rows = timeline::group_with_moves(model, evaluation.law(), evaluation.assignment(), group).rows;
    let path = of_group(group);
    let own = group.versions[position].name.as_str();
    let versions: Vec<ElementId> = group.versions.iter().map(|version| version.element).collect();
    let preferred = rows.iter().find(|row| row.preferred == Some(position));
    if let (Some(row), false) = (
        preferred,
        declared_moves(model, &versions, EventKind::Preferred).is_empty(),
    ) {
        let declaration = Declaration::key(&below(&path, &["preferred"]), own);
        let id = model.id(new);
        draft.push(
            Step::new("preferred", EventKind::Preferred, id, declaration)
                .from(row.release)
                .after(0, 0),
        );
    }
    for (at, kind) in group.kinds.iter().enumerate() {
        let elements: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
        let stored = rows.iter().find(|row| row.storage.get(at) == Some(&Some(position)));
        let is_declared = !declared_moves(model, &elements, EventKind::Stored).is_empty();
        if let (Some(row), true, Some(id)) = (stored, is_declared, kind.versions[position]) {
            let declaration = Declaration::key(&below(&path, &["kind", &kind.name, "storage"]), own);
            let step = Step::new("stored", EventKind::Stored, model.id(id), declaration);
            draft.push(step.from(row.release).after(0, 0));
        }
    }
}
