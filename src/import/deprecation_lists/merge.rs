//! The entries of a list as additions to a model.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::document::RULE;
use crate::grammar::{ElementPath, EventKind};
use crate::model::succession::{in_kind, named};
use crate::model::{ElementId, Event, Model};
use crate::release::ReleaseName;
use crate::source::Span;
use crate::text::at;

use super::super::draft::{Draft, DraftCalendar, Element, Life, Value};
use super::draft::{consistent, replacements, unlisted_replacements};
use super::{Api, ListedApi, Lives};

/// Adds to what a model declares (`known`: all of it) what the entries of one product state besides.
///
/// Nothing in the model is changed: contradictions are reported. A new kind begins when the list says, or else with its
/// version, or else in the first release of the calendar, which is counted. `names_kinds` is whether the list names the
/// kinds of replacements.
pub(crate) fn merge(model: &Model, known: Draft, entries: &[ListedApi], names_kinds: bool) -> Lives {
    let mut lives = Lives::default();
    let chosen = consistent(entries, &mut lives.skipped);
    let available = replacements(&chosen, |entry| entry.available.as_ref());
    let Draft { calendar, groups, .. } = known;
    lives.draft.groups = groups;
    let mut merger = Merger {
        model,
        calendar,
        names_kinds,
        assumed: 0,
        replacing: BTreeSet::new(),
        named: BTreeSet::new(),
        lives,
    };
    for (api, entry) in &chosen {
        merger.entry(api, entry, available.get(*api).copied());
    }
    for (api, release) in unlisted_replacements(&chosen) {
        if merger.replacing.contains(api) {
            merger.replacement(api, available.get(api).copied().unwrap_or(release));
        }
    }
    let mut lives = merger.finish();
    let replacing = chosen.values().filter_map(|entry| entry.replacement.as_ref());
    let touched: BTreeSet<&String> = chosen.keys().copied().chain(replacing).map(|api| &api.group).collect();
    lives.draft.groups.retain(|name, _| touched.contains(name));
    let groups = lives.draft.groups.values_mut();
    for kind in groups.flat_map(|group| group.kinds.values_mut()) {
        kind.storage.clear();
        kind.parts.clear();
    }
    lives
}

struct Merger<'m> {
    model: &'m Model,
    calendar: DraftCalendar,
    names_kinds: bool,
    assumed: usize,
    replacing: BTreeSet<Api>,
    named: BTreeSet<ReleaseName>,
    lives: Lives,
}

impl Merger<'_> {
    /// The result, with the releases that the calendar needs: those after its last one, and those between.
    fn finish(self) -> Lives {
        let (mut lives, calendar, assumed) = (self.lives, self.calendar, self.assumed);
        let last = calendar.last();
        let later = self.named.into_iter();
        let later = later.filter(|release| last.is_some_and(|last| last < release));
        let later = later.chain(last.cloned()).map(|release| (release, None));
        let mut later = DraftCalendar::of(later.collect());
        later.fill_gaps();
        let later: BTreeSet<ReleaseName> = later.releases.into_keys().collect();
        lives.draft.calendar.add_later(&calendar, &later);
        let first = calendar.releases.into_keys().next().filter(|_| assumed > 0);
        lives.assumed = first.map(|release| (release, assumed));
        lives
    }

    fn entry(&mut self, api: &Api, entry: &ListedApi, available: Option<&ReleaseName>) {
        let stated = [&entry.introduced, &entry.deprecated, &entry.removed];
        let mut stated = stated.into_iter().flatten();
        if let Some(release) = stated.find(|release| !self.calendar.can_have(release)) {
            let reason = format!("{api}: left out because the model's calendar lacks {release}");
            return self.skip(entry, reason);
        }
        let found = self.find(api);
        let mut element = match (found, self.begun(api, entry, available)) {
            (Some(_), _) => self.known(api),
            (None, Some(begun)) => Element::of(begun),
            (None, None) => {
                let reason = format!("{api}: left out because it is removed before the model's calendar begins");
                return self.skip(entry, reason);
            }
        };
        if let Some(life) = element.lives.last_mut() {
            self.events(api, found, life, entry);
        }
        if let Some(other) = &entry.replacement {
            self.replaced(api, found, other, &mut element);
        }
        self.put(api, element);
    }

    fn find(&self, api: &Api) -> Option<ElementId> {
        self.model.find(&api.to_string())
    }

    fn known(&self, api: &Api) -> Element {
        let group = self.lives.draft.groups.get(&api.group);
        let kind = group.and_then(|group| group.kinds.get(&api.kind));
        let element = kind.and_then(|kind| kind.versions.get(&api.version));
        element.cloned().unwrap_or_default()
    }

    fn put(&mut self, api: &Api, element: Element) {
        let is_new = self.model.find(&api.version_id()).is_none();
        let group = self.lives.draft.groups.entry(api.group.clone()).or_default();
        let begun = element.lives.first().and_then(|life| life.introduced.clone());
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

    fn version_begun(&self, api: &Api) -> Option<ReleaseName> {
        let version = self.lives.draft.groups.get(&api.group)?.versions.get(&api.version)?;
        version.lives.last()?.introduced.clone()
    }

    /// The beginning of a kind that the model does not have; `None` if it would end before.
    fn begun(&mut self, api: &Api, entry: &ListedApi, available: Option<&ReleaseName>) -> Option<Life> {
        if self.find(api).is_some() {
            return None;
        }
        let stated = entry.introduced.clone().or_else(|| self.version_begun(api));
        let stated = stated.or_else(|| available.filter(|release| self.calendar.can_have(release)).cloned());
        if let Some(stated) = stated.filter(|release| entry.can_begin(release)) {
            return Some(Life::begun(stated));
        }
        let first = self.calendar.releases.keys().next();
        let first = first.filter(|first| entry.can_begin(first)).cloned()?;
        self.assumed += 1;
        Some(Life::begun(first))
    }

    /// The events of a life: a missing one is added if it fits, a contradiction is reported.
    fn events(&mut self, api: &Api, found: Option<ElementId>, life: &mut Life, entry: &ListedApi) {
        let introduced = entry.introduced.as_ref();
        if let Some(wanted) = introduced.filter(|wanted| life.introduced.as_ref() != Some(*wanted)) {
            self.disagree(api, found, EventKind::Introduced, life.introduced.as_ref(), wanted);
        }
        let deprecated = entry.deprecated.as_ref();
        if let Some(wanted) = deprecated.filter(|wanted| !life.deprecated.contains(wanted)) {
            let fits = life.introduced.as_ref().is_none_or(|begun| begun <= wanted)
                && life.removed.as_ref().is_none_or(|removed| wanted <= removed);
            if life.deprecated.is_empty() && fits {
                self.named.insert(wanted.clone());
                life.deprecated.push(wanted.clone());
            } else {
                self.disagree(api, found, EventKind::Deprecated, life.deprecated.last(), wanted);
            }
        }
        let removed = entry.removed.as_ref();
        if let Some(wanted) = removed.filter(|wanted| life.removed.as_ref() != Some(*wanted)) {
            let fits = life.introduced.as_ref().is_none_or(|begun| begun < wanted)
                && life.deprecated.iter().all(|deprecated| deprecated <= wanted);
            if life.removed.is_none() && fits {
                self.named.insert(wanted.clone());
                life.removed = Some(wanted.clone());
            } else {
                self.disagree(api, found, EventKind::Removed, life.removed.as_ref(), wanted);
            }
        }
    }

    /// The replacement of a kind: added where the model names none.
    fn replaced(&mut self, api: &Api, found: Option<ElementId>, wanted: &Api, element: &mut Element) {
        let model = self.model;
        let of = found.or_else(|| model.find(&api.version_id()));
        if let Some((of, reference)) = of.and_then(|of| Some((of, named(model, of)?))) {
            let target = reference.target;
            let target = target.map(|target| in_kind(model, of, target).unwrap_or(target));
            let text = target.map_or(reference.text.as_str(), |target| model.id(target));
            if self.names(text, api, wanted) {
                self.replacing.insert(wanted.clone());
                return;
            }
            // A new kind names what its version does not.
            if found.is_some() {
                let (declared, wanted) = (format!("replaced by {text}"), format!("by {wanted}"));
                return self.report_difference(api, Some(reference.span), &declared, &wanted);
            }
        }
        let text = Value::Text(wanted.replacing(&api.kind));
        element.keys.insert("replacement".to_owned(), text);
        self.replacing.insert(wanted.clone());
    }

    /// Whether a replacement of a kind is the wanted one, as far as the list names it.
    fn names(&self, text: &str, of: &Api, wanted: &Api) -> bool {
        let path = ElementPath::parse(text).ok();
        let is_version = match path.as_ref().and_then(ElementPath::version) {
            Some(version) => *version == wanted.path().version,
            None => text == wanted.version && wanted.group == of.group,
        };
        let kind = path.as_ref().and_then(ElementPath::kind);
        is_version && (!self.names_kinds || kind.map_or(&*of.kind, |kind| &*kind.kind) == wanted.kind)
    }

    /// A replacement that is no entry itself: the model must have it.
    fn replacement(&mut self, api: &Api, release: &ReleaseName) {
        if self.find(api).is_some() || !self.calendar.can_have(release) {
            return;
        }
        let begun = self.version_begun(api).unwrap_or_else(|| {
            self.named.insert(release.clone());
            release.clone()
        });
        self.put(api, Element::of(Life::begun(begun)));
    }

    fn disagree(
        &mut self,
        api: &Api,
        found: Option<ElementId>,
        what: EventKind,
        declared: Option<&ReleaseName>,
        wanted: &ReleaseName,
    ) {
        let span = found.map(|found| {
            let event = Event::new(found, self.model.last_life(found), what);
            let declared = self.model.find_declared(event);
            declared.map_or(self.model.element(found).span, |event| event.span)
        });
        let declared = declared.map_or_else(|| format!("not {what}"), |release| format!("{what} in {release}"));
        self.report_difference(api, span, &declared, &format!("in {wanted}"));
    }

    fn report_difference(&mut self, api: &Api, span: Option<Span>, declared: &str, wanted: &str) {
        let id = api.to_string();
        let message = format!("{id}: the model declares it {declared}, the list {wanted}");
        let diagnostic = Diagnostic::error(RULE, "imported", message).about(id);
        let diagnostic = match span {
            Some(span) => diagnostic.at(span, format!("imported: {wanted}")),
            None => diagnostic,
        };
        let help = "nothing was changed here: correct the model, or keep it if the list is wrong";
        self.lives.disagreements.push(diagnostic.help(help));
    }

    fn skip(&mut self, entry: &ListedApi, reason: String) {
        self.lives.skipped.push(at(entry.line, 1, reason));
    }
}
