//! Entries of lists as additions to a model that is there already.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::diagnostic::Diagnostic;
use crate::document::RULE;
use crate::grammar::{ElementPath, VersionPath};
use crate::model::succession::{in_kind, named};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::ReleaseName;
use crate::source::Span;

use super::super::draft::{Calendar, Draft, Element, Life, Value};
use super::drafted::{consistent, fill, id, replacements};
use super::{Api, Entry, Told};

/// What a list comes to beside a model.
#[derive(Debug, Default)]
pub struct Merged {
    /// The groups that the list tells of: as the model has them, with what it lacks. The calendar is empty.
    pub draft: Draft,
    /// The releases of what is new, and those between the last one that is known and them.
    pub named: BTreeSet<ReleaseName>,
    /// What was left out, with lines.
    pub told: Vec<Told>,
    /// The release in which new kinds begin of which nothing says when they were introduced, and how many they are.
    pub assumed: Option<(ReleaseName, usize)>,
    /// Where the model says something else.
    pub disagreements: Vec<Diagnostic>,
}

fn version_of(api: &Api) -> ElementPath<'_> {
    VersionPath::api(&*api.group, &*api.version).into()
}

/// Adds to what a model declares (`known`: all of it) what the entries of one product say besides.
///
/// Nothing that the model says is changed. A kind that is new begins when the list says, or else with its version, or
/// else in the first release of the calendar, which is counted. `names_kinds` is whether the list names the kinds of
/// replacements.
pub fn merge(model: &Model, known: Draft, entries: &[Entry], names_kinds: bool) -> Merged {
    let mut told = Vec::new();
    let chosen = consistent(entries, &mut told);
    let available = replacements(&chosen, |entry| entry.available.as_ref());
    let named_in = replacements(&chosen, |entry| entry.deprecated.as_ref().or(entry.removed.as_ref()));
    let Draft { calendar, groups, .. } = known;
    let mut merger = Merger {
        model,
        calendar,
        names_kinds,
        assumed: 0,
        replacing: BTreeSet::new(),
        merged: Merged {
            told,
            ..Merged::default()
        },
    };
    merger.merged.draft.groups = groups;
    for (api, entry) in &chosen {
        merger.entry(api, entry, available.get(*api).copied());
    }
    for (api, release) in named_in.into_iter().filter(|(api, _)| !chosen.contains_key(*api)) {
        if merger.replacing.contains(api) {
            merger.replacement(api, available.get(api).copied().unwrap_or(release));
        }
    }
    let Merger {
        mut merged,
        assumed,
        calendar,
        ..
    } = merger;
    // Those between the last release of the calendar and a later one count too.
    let last = calendar.releases.keys().next_back();
    let later = merged
        .named
        .iter()
        .filter(|release| last.is_some_and(|last| last < *release));
    let mut later: BTreeMap<ReleaseName, Option<NaiveDate>> =
        later.chain(last).map(|release| (release.clone(), None)).collect();
    fill(&mut later);
    merged.named.extend(later.into_keys());
    let first = calendar.releases.into_keys().next().filter(|_| assumed > 0);
    merged.assumed = first.map(|first| (first, assumed));
    let touched: BTreeSet<&String> = chosen.keys().map(|api| &api.group).collect();
    let replacing = chosen
        .values()
        .filter_map(|entry| Some(&entry.replacement.as_ref()?.group));
    let touched: BTreeSet<String> = touched.into_iter().chain(replacing).cloned().collect();
    merged.draft.groups.retain(|name, _| touched.contains(name));
    for kind in merged
        .draft
        .groups
        .values_mut()
        .flat_map(|group| group.kinds.values_mut())
    {
        kind.storage.clear();
        kind.parts.clear();
    }
    merged
}

struct Merger<'m> {
    model: &'m Model,
    calendar: Calendar,
    names_kinds: bool,
    assumed: usize,
    /// The replacements that the model names, or does now.
    replacing: BTreeSet<Api>,
    merged: Merged,
}

impl Merger<'_> {
    fn entry(&mut self, api: &Api, entry: &Entry, available: Option<&ReleaseName>) {
        let said = [&entry.introduced, &entry.deprecated, &entry.removed];
        if let Some(release) = said.into_iter().flatten().find(|release| !self.has(release)) {
            let reason = format!("{}: left out, as the model's calendar has no {release}", id(api, ""));
            return self.tell(entry.line, reason);
        }
        let mut element = match (self.find(api), self.begun(api, entry, available)) {
            (Some(_), _) => self.known(api),
            (None, Some(begun)) => Element::of(begun),
            (None, None) => {
                let reason = format!(
                    "{}: left out, as it is gone before the model's calendar begins",
                    id(api, "")
                );
                return self.tell(entry.line, reason);
            }
        };
        let found = self.find(api);
        if let Some(life) = element.lives.last_mut() {
            self.events(api, found, life, entry);
        }
        if let Some(other) = &entry.replacement {
            self.replaced(api, found, other, &mut element);
        }
        self.put(api, element);
    }

    /// Whether the calendar has a release, or can be given it.
    fn has(&self, release: &ReleaseName) -> bool {
        let last = self.calendar.releases.keys().next_back();
        self.calendar.releases.contains_key(release) || last.is_some_and(|last| last < release)
    }

    fn find(&self, api: &Api) -> Option<ElementId> {
        self.model.find(&id(api, ""))
    }

    fn known(&self, api: &Api) -> Element {
        let group = self.merged.draft.groups.get(&api.group);
        let kind = group.and_then(|group| group.kinds.get(&api.kind));
        let element = kind.and_then(|kind| kind.versions.get(&api.version));
        element.cloned().unwrap_or_default()
    }

    fn put(&mut self, api: &Api, element: Element) {
        let group = self.merged.draft.groups.entry(api.group.clone()).or_default();
        let begun = element.lives.first().and_then(|life| life.introduced.clone());
        let is_new = self.model.find_path(&version_of(api)).is_none();
        if let Some(begun) = begun.filter(|_| is_new) {
            // It begins with its first kind.
            let version = group.versions.entry(api.version.clone()).or_default();
            let known = version.lives.first().and_then(|life| life.introduced.clone());
            let first = known.filter(|known| *known < begun).unwrap_or(begun);
            version.lives = vec![Life::begun(first)];
        }
        let kind = group.kinds.entry(api.kind.clone()).or_default();
        kind.versions.insert(api.version.clone(), element);
    }

    /// The beginning of a kind that the model does not have; `None` if it would end before.
    fn begun(&mut self, api: &Api, entry: &Entry, available: Option<&ReleaseName>) -> Option<Life> {
        if self.find(api).is_some() {
            return None;
        }
        let group = self.merged.draft.groups.get(&api.group);
        let version = group.and_then(|group| group.versions.get(&api.version));
        let of_version = version.and_then(|version| version.lives.last()?.introduced.clone());
        let fits = |release: &ReleaseName| {
            entry.deprecated.as_ref().is_none_or(|end| release <= end)
                && entry.removed.as_ref().is_none_or(|end| release < end)
        };
        let said = entry.introduced.clone().or(of_version);
        let said = said.or_else(|| available.filter(|release| self.has(release)).cloned());
        if let Some(said) = said.filter(&fits) {
            return Some(Life::begun(said));
        }
        let first = self.calendar.releases.keys().next().filter(|first| fits(first));
        let first = first.cloned()?;
        self.assumed += 1;
        Some(Life::begun(first))
    }

    /// What happens in a life: what is missing is added if it can be so, what differs is told.
    fn events(&mut self, api: &Api, found: Option<ElementId>, life: &mut Life, entry: &Entry) {
        if let Some(wanted) = entry
            .introduced
            .as_ref()
            .filter(|wanted| life.introduced.as_ref() != Some(*wanted))
        {
            self.disagree(api, found, EventKind::Introduced, life.introduced.as_ref(), wanted);
        }
        if let Some(wanted) = entry
            .deprecated
            .as_ref()
            .filter(|wanted| !life.deprecated.contains(wanted))
        {
            let fits = life.introduced.as_ref().is_none_or(|begun| begun <= wanted)
                && life.removed.as_ref().is_none_or(|removed| wanted <= removed);
            if life.deprecated.is_empty() && fits {
                self.merged.named.insert(wanted.clone());
                life.deprecated.push(wanted.clone());
            } else {
                self.disagree(api, found, EventKind::Deprecated, life.deprecated.last(), wanted);
            }
        }
        if let Some(wanted) = entry
            .removed
            .as_ref()
            .filter(|wanted| life.removed.as_ref() != Some(*wanted))
        {
            let fits = life.introduced.as_ref().is_none_or(|begun| begun < wanted)
                && life.deprecated.iter().all(|deprecated| deprecated <= wanted);
            if life.removed.is_none() && fits {
                self.merged.named.insert(wanted.clone());
                life.removed = Some(wanted.clone());
            } else {
                self.disagree(api, found, EventKind::Removed, life.removed.as_ref(), wanted);
            }
        }
    }

    /// What replaces a kind: added where the model says nothing of it.
    fn replaced(&mut self, api: &Api, found: Option<ElementId>, wanted: &Api, element: &mut Element) {
        let model = self.model;
        let version = || model.find_path(&version_of(api));
        let Some((id_of, reference)) = found.or_else(version).and_then(|of| Some((of, named(model, of)?))) else {
            let text = Value::Text(id(wanted, &api.kind));
            element.said.insert("replacement".to_owned(), text);
            self.replacing.insert(wanted.clone());
            return;
        };
        let target = reference
            .target
            .map(|target| in_kind(model, id_of, target).unwrap_or(target));
        let text = target.map_or(reference.text.as_str(), |target| model.id(target));
        let path = ElementPath::parse(text);
        let path = path.as_ref().ok();
        let kind = path
            .and_then(ElementPath::kind)
            .map_or(&*api.kind, |named| &*named.kind);
        let is_version = match path.and_then(ElementPath::version) {
            Some(version) => version.group == wanted.group && version.version == wanted.version,
            None => wanted.group == api.group && wanted.version == text,
        };
        let agrees = is_version && (!self.names_kinds || kind == wanted.kind);
        if agrees {
            self.replacing.insert(wanted.clone());
        } else if found.is_none() {
            // What is new says itself what its version does not say of it.
            let text = Value::Text(id(wanted, &api.kind));
            element.said.insert("replacement".to_owned(), text);
            self.replacing.insert(wanted.clone());
        } else {
            let said = format!("replaced by {text}");
            self.tell_difference(
                api,
                Some(reference.span),
                &said,
                &format!("by {}", id(wanted, &api.kind)),
            );
        }
    }

    /// A replacement that is no entry itself: it has to be there.
    fn replacement(&mut self, api: &Api, release: &ReleaseName) {
        if self.find(api).is_some() || !self.has(release) {
            return;
        }
        let group = self.merged.draft.groups.get(&api.group);
        let version = group.and_then(|group| group.versions.get(&api.version));
        let begun = version.and_then(|version| version.lives.last()?.introduced.clone());
        let begun = begun.unwrap_or_else(|| {
            self.merged.named.insert(release.clone());
            release.clone()
        });
        self.put(api, Element::of(Life::begun(begun)));
    }

    fn disagree(
        &mut self,
        api: &Api,
        found: Option<ElementId>,
        what: EventKind,
        said: Option<&ReleaseName>,
        wanted: &ReleaseName,
    ) {
        let event = found.map(|found| Event::new(found, self.model.last_life(found), what));
        let declared = event.and_then(|event| self.model.find_declared(event));
        let own = || found.map(|found| self.model.element(found).span);
        let span = declared.map(|declared| declared.span).or_else(own);
        let said = said.map_or_else(|| format!("{what} not at all"), |said| format!("{what} in {said}"));
        self.tell_difference(api, span, &said, &format!("in {wanted}"));
    }

    fn tell_difference(&mut self, api: &Api, span: Option<Span>, said: &str, wanted: &str) {
        let id = id(api, "");
        let message = format!("{id}: the model says it is {said}, what is imported says {wanted}");
        let finding = Diagnostic::error(RULE, "imported", message).about(id);
        let finding = match span {
            Some(span) => finding.at(span, format!("imported: {wanted}")),
            None => finding,
        };
        let help = "nothing was changed here: correct the file, or leave it if you know better";
        self.merged.disagreements.push(finding.help(help));
    }

    fn tell(&mut self, line: u32, reason: String) {
        self.merged.told.push(Told { line, reason });
    }
}
