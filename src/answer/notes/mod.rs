//! Announcements about a release, or about all.

mod migrations;
mod moves;
pub(super) mod occurrence;
pub(super) mod occurrences;
mod subjects;
mod warnings;

use std::collections::BTreeMap;

use crate::grammar::{Duty, FileSection};
use crate::model::{ElementId, ElementKind, Event, EventKind, Exception, Version};
use crate::policy::Word;
use crate::release::Release;
use crate::report::{
    AnnouncementReport, ExceptionReport, NotesReport, ReleaseNotesReport, SCHEMA_VERSION, SectionName, SectionReport,
    Voice,
};
use crate::source::Sources;

use super::Material;
use occurrence::{Occurrence, What};
use subjects::Subjects;

/// Which releases the notes cover.
#[derive(Debug, Clone, Copy, Default)]
pub struct Range {
    /// The last release; `None` for all.
    pub release: Option<Release>,
    /// The release that readers upgrade from: later ones are covered. `None` for `release` only.
    pub since: Option<Release>,
    /// Whether upcoming removals are worded as "no earlier than" even if their release is declared.
    pub tentative: bool,
    /// Whether what is only planned, for releases to come, is left out.
    pub declared: bool,
}

impl Range {
    fn first(self) -> Release {
        match (self.since, self.release) {
            (Some(since), _) => since.plus(1),
            (None, Some(release)) => release,
            (None, None) => Release(0),
        }
    }

    fn covers(self, release: Release) -> bool {
        release >= self.first() && self.release.is_none_or(|last| release <= last)
    }
}

/// The announcements of a range of releases.
pub(crate) fn notes<'a>(material: Material<'a>, sources: &Sources<'_>, range: Range) -> NotesReport<'a> {
    notes_from(material, sources, range, Release(0))
}

/// The same without the releases before one.
pub(crate) fn notes_from<'a>(
    material: Material<'a>,
    sources: &Sources<'_>,
    range: Range,
    from: Release,
) -> NotesReport<'a> {
    let subjects = Subjects::of(material, range.since.and(range.release));
    let occurrences = chosen(material);
    let exceptions = super::all_exceptions(material, sources);
    let builder = Builder {
        material,
        subjects: &subjects,
        exceptions: &exceptions,
        range,
        from,
    };
    let releases = builder.releases(&occurrences);
    let last = range.release.unwrap_or(Release::NEVER);
    NotesReport {
        schema_version: SCHEMA_VERSION,
        release: range.release.and_then(|release| material.names.moment(release)),
        since: range.since.and_then(|since| material.names.moment(since)),
        current: material.current(),
        policies: material.policies(),
        tentative: range.tentative,
        nothing: releases.iter().all(|release| release.nothing),
        releases,
        removals: migrations::removals(material, &subjects, &occurrences, range),
        unscheduled: migrations::unscheduled(material, &subjects, &occurrences, (range.first(), last)),
        standing: migrations::standing(material, &subjects, &occurrences, range),
        warnings: warnings::all(material, &subjects, range.release),
        words: super::words(material),
    }
}

/// What happens to the elements that the answer is about. Of a version that is none of them, its kinds that are.
fn chosen(material: Material<'_>) -> Vec<Occurrence<'_>> {
    let all = occurrences::all(material.reasoning, material.law).into_iter();
    let chosen = all.flat_map(|found| {
        if material.has(found.element) {
            return vec![found];
        }
        found.of_kinds().filter(|own| material.has(own.element)).collect()
    });
    chosen.collect()
}

/// How many announcements a range of releases has, and how many more would be if what is planned were declared.
pub(crate) fn announcements(material: Material<'_>, range: Range) -> [usize; 2] {
    let found = chosen(material);
    let covered = found.iter().filter(|found| range.covers(found.release));
    let (declared, planned): (Vec<_>, Vec<_>) = covered.partition(|found| found.declared);
    [declared.len(), planned.len()]
}

struct Builder<'a, 'b> {
    material: Material<'a>,
    subjects: &'b Subjects<'a>,
    exceptions: &'b [ExceptionReport<'a>],
    range: Range,
    from: Release,
}

impl<'a> Builder<'a, '_> {
    /// The releases. A requested one is included even if nothing happens in it.
    fn releases(&self, occurrences: &[Occurrence<'a>]) -> Vec<ReleaseNotesReport<'a>> {
        let mut by_release: BTreeMap<Release, Vec<&Occurrence<'a>>> = BTreeMap::new();
        if let Some(last) = self.range.release {
            by_release.extend((self.range.first().0..=last.0).map(|release| (Release(release), Vec::new())));
        }
        let covered = occurrences.iter().filter(|found| self.range.covers(found.release));
        for found in covered.filter(|found| found.release >= self.from) {
            by_release.entry(found.release).or_default().push(found);
        }
        let releases = by_release.iter();
        releases
            .filter_map(|(release, found)| self.release(*release, found))
            .collect()
    }

    fn release(&self, release: Release, occurrences: &[&Occurrence<'a>]) -> Option<ReleaseNotesReport<'a>> {
        let mut sections: BTreeMap<(SectionName, Option<usize>), Vec<AnnouncementReport<'a>>> = BTreeMap::new();
        let mut urgent = Vec::new();
        for occurrence in occurrences {
            if self.range.declared && !occurrence.declared && !self.has_shipped(release) {
                continue;
            }
            let Some(item) = self.announcement(occurrence) else {
                continue;
            };
            if item.urgent {
                urgent.push(item.clone());
            }
            let kind = self.material.reasoning.model.extra(occurrence.element);
            let name = self.section(occurrence, &item);
            let kind = kind
                .filter(|_| name == SectionName::Others)
                .map(|(_, extra)| extra.kind);
            sections.entry((name, kind)).or_default().push(item);
        }
        let sections = sections.into_iter().map(|((name, kind), items)| SectionReport {
            name,
            title: self.title(name, kind),
            items,
        });
        let sections: Vec<_> = sections.collect();
        Some(ReleaseNotesReport {
            release: self.material.names.moment(release)?,
            shipped: self.has_shipped(release),
            nothing: sections.is_empty(),
            urgent,
            sections,
            exceptions: self.exceptions_in(release),
        })
    }

    fn title(&self, name: SectionName, kind: Option<usize>) -> &'a str {
        let kinds = &self.material.reasoning.model.kinds;
        kind.and_then(|kind| kinds.at(kind))
            .map_or(name.title(), |kind| &kind.title)
    }

    fn has_shipped(&self, release: Release) -> bool {
        let current = self.material.reasoning.model.calendar.current();
        current.is_some_and(|current| release <= current)
    }

    /// Whether the release that readers upgrade from has the element.
    fn is_known_to_readers(&self, occurrence: &Occurrence<'_>) -> bool {
        let lives = occurrence.lives().into_iter();
        let begins = lives.map(|(element, life)| Event::new(element, life, EventKind::Introduced));
        let first = begins.filter_map(|event| self.material.reasoning.release(event)).min();
        let since = self.range.since.unwrap_or(Release::NEVER);
        first.is_none_or(|first| first <= since)
    }

    /// The exceptions that have not expired by a release, and whose elements exist by then.
    fn exceptions_in(&self, release: Release) -> Vec<ExceptionReport<'a>> {
        let declared = &self.material.reasoning.model.exceptions;
        let pairs = declared.iter().zip(self.exceptions);
        let held = pairs.filter(|(exception, _)| self.holds(exception, release));
        held.map(|(_, report)| report.clone()).collect()
    }

    fn holds(&self, exception: &Exception, release: Release) -> bool {
        let element = exception.element.target;
        if !element.map_or(self.material.selection.is_none(), |element| self.material.has(element)) {
            return false;
        }
        let since = element.and_then(|element| self.subjects.introduced(element));
        since.is_none_or(|since| since <= release) && exception.until.is_none_or(|(until, _)| until > release)
    }

    fn announcement(&self, occurrence: &Occurrence<'a>) -> Option<AnnouncementReport<'a>> {
        let release = occurrence.release;
        let moment = self.material.names.moment(release)?;
        let graduation = self.graduation(occurrence);
        let (from, to) = match occurrence.what {
            What::Promoted { from, to, .. } | What::Moved { from, to, .. } => (Some(from), Some(to)),
            _ => (graduation.map(|(from, _)| from), graduation.map(|(_, to)| to)),
        };
        let default = match occurrence.what {
            What::DefaultChanged(default) => Some(default),
            _ => self.default_in(occurrence),
        };
        let kinds = occurrence.kinds.iter();
        let labels = self.labels(occurrence);
        Some(AnnouncementReport {
            event: occurrence.what.announced(self.material.reasoning.model),
            duty: match occurrence.what {
                What::Event(what) => self.duty(what),
                _ => None,
            },
            release: super::Moment {
                declared: Some(occurrence.declared),
                ..moment
            },
            voice: self.voice(occurrence),
            action_required: self.action_required(occurrence),
            urgent: self.action_required(occurrence) && self.is_known_to_readers(occurrence),
            again: occurrence.is_again(),
            from,
            to,
            default,
            labels: labels.map(|(_, labels)| labels),
            labels_before: labels.map(|(before, _)| before),
            show_again: self.shows_again(occurrence),
            gate_option: self.gate_option(occurrence),
            element: match occurrence.kinds.as_slice() {
                [] => self.subjects.at(occurrence.element, occurrence.life, release),
                kinds => self.subjects.together(occurrence.element, kinds, release),
            },
            kinds: kinds
                .map(|(kind, life)| self.subjects.at(*kind, *life, release))
                .collect(),
        })
    }

    fn voice(&self, occurrence: &Occurrence<'_>) -> Voice {
        match (occurrence.declared, self.has_shipped(occurrence.release)) {
            (true, true) => Voice::Announced,
            (true, false) => {
                let removed = occurrence.what == What::Event(EventKind::Removed);
                Voice::of(!(self.range.tentative && removed))
            }
            (false, false) => Voice::Tentative,
            (false, true) => Voice::Assumed,
        }
    }

    /// The labels of a metric before and after a change of them.
    fn labels(&self, occurrence: &Occurrence<'_>) -> Option<(&'a [String], &'a [String])> {
        let What::Relabelled(at) = occurrence.what else {
            return None;
        };
        let entries = &self.material.reasoning.model.metric(occurrence.element)?.specs;
        let before = entries.get(at.checked_sub(1)?)?.labels.as_deref()?;
        Some((before, entries.get(at)?.labels.as_deref()?))
    }

    fn default_in(&self, occurrence: &Occurrence<'_>) -> Option<bool> {
        let gate = self.material.reasoning.model.gate(occurrence.element)?;
        gate.at(occurrence.release).map(|spec| spec.default)
    }

    fn gate_option(&self, occurrence: &Occurrence<'_>) -> Option<&'a str> {
        self.material.reasoning.model.gate(occurrence.element)?;
        self.material.word(Word::GateOption)
    }

    /// The option that shows a metric in the release that hides it: it names the release before.
    fn shows_again(&self, occurrence: &Occurrence<'_>) -> Option<String> {
        let is_metric = self.material.reasoning.model.metric(occurrence.element).is_some();
        let hidden = is_metric && occurrence.what == What::Event(EventKind::Hidden);
        let before = occurrence.release.previous().filter(|_| hidden)?;
        warnings::shows_metrics_of(self.material, self.material.names.moment(before)?.release)
    }

    /// What a step means for users.
    fn duty(&self, what: EventKind) -> Option<Duty> {
        Some(self.material.reasoning.model.steps.of(what)?.duty)
    }

    fn action_required(&self, occurrence: &Occurrence<'_>) -> bool {
        let element = self.material.reasoning.model.element(occurrence.element);
        match occurrence.what {
            What::Event(EventKind::Deprecated) if element.kind.is_version() || element.kind.is_kind() => self
                .material
                .deprecation_asks_for_action(element.track, occurrence.release),
            What::Event(EventKind::Removed | EventKind::Dropped | EventKind::Locked) => true,
            What::Event(what @ EventKind::Step(_)) => self.duty(what) == Some(Duty::Fail),
            What::Event(EventKind::Hidden) => element.kind == ElementKind::Metric,
            _ => false,
        }
    }

    /// Of a new version: the most stable earlier one of the same major version, if that is less stable. Of a kind that
    /// enters a version: the same among the versions that serve it.
    fn graduation(&self, occurrence: &Occurrence<'_>) -> Option<(&'static str, &'static str)> {
        let model = self.material.reasoning.model;
        let element = model.element(occurrence.element);
        let group = model.group_of(occurrence.element)?;
        if occurrence.what != What::Event(EventKind::Introduced) {
            return None;
        }
        let own = group.versions.get(self.subjects.place(occurrence.element)?.version)?;
        let before = self.line(occurrence.element).into_iter().filter(|(other, line)| {
            let since = self.subjects.introduced(*line);
            own.name.major().is_some()
                && other.name.major() == own.name.major()
                && since.is_some_and(|since| since < occurrence.release)
        });
        let highest = before.map(|(other, _)| model.element(other.element).track).max()?;
        (highest < element.track).then(|| (highest.as_str(), element.track.as_str()))
    }

    /// The versions of a group, or a kind in each version that has it.
    fn line(&self, element: ElementId) -> Vec<(&'a Version, ElementId)> {
        let model = self.material.reasoning.model;
        let (Some(place), Some(group)) = (self.subjects.place(element), model.group_of(element)) else {
            return Vec::new();
        };
        let own = model.element(element).kind;
        let versions = group.versions.iter();
        match place.kind.map(|kind| &group.kinds[kind]) {
            None if own.is_version() => versions.map(|version| (version, version.element)).collect(),
            Some(kind) if own.is_kind() => versions
                .enumerate()
                .filter_map(|(at, version)| Some((version, kind.versions[at]?)))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn section(&self, occurrence: &Occurrence<'_>, item: &AnnouncementReport<'_>) -> SectionName {
        let kind = self.material.reasoning.model.element(occurrence.element).kind;
        match (occurrence.what, kind.row().section) {
            (What::Promoted { forward: true, .. }, _) => SectionName::Graduations,
            (What::Moved { .. } | What::Event(EventKind::Migrated | EventKind::Dropped), _) => SectionName::Moves,
            (_, FileSection::Gate) => SectionName::Gates,
            (_, FileSection::Metric) => SectionName::Metrics,
            (_, FileSection::Cli) => SectionName::Cli,
            (_, FileSection::Behavior) => SectionName::Behaviors,
            (_, FileSection::Extra) => SectionName::Others,
            (what, FileSection::Group | FileSection::Config) => match what {
                What::Event(EventKind::Deprecated | EventKind::Undeprecated) => SectionName::Deprecations,
                What::Event(EventKind::Removed) => SectionName::Removals,
                What::Event(EventKind::Introduced) if item.from.is_some() => SectionName::Graduations,
                _ => SectionName::ApiChanges,
            },
        }
    }
}
