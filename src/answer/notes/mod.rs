//! What is announced of a release, or of all.

mod migrations;
mod moves;
mod occurrences;
mod subjects;
mod warnings;

use std::collections::BTreeMap;

use crate::model::{ElementKind, Event, EventKind, Exception};
use crate::release::Release;
use crate::report::{
    AnnouncementReport, ExceptionReport, NotesReport, ReleaseNotesReport, SCHEMA_VERSION, SectionReport,
};
use crate::source::Sources;

use super::Material;
use occurrences::{Occurrence, What};
use subjects::Subjects;

/// Which releases are told of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Range {
    /// The last one; `None`: all there are.
    pub release: Option<Release>,
    /// The one that readers have: later ones are told of. `None`: only `release`.
    pub since: Option<Release>,
    /// Whether removals to come are told as "no earlier than" even where their release is declared.
    pub tentative: bool,
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

/// What is announced in a range of releases.
pub fn notes<'a>(material: Material<'a>, sources: &Sources<'_>, range: Range) -> NotesReport<'a> {
    let model = material.reasoning.model;
    let subjects = Subjects::of(material, range.since.and(range.release));
    let occurrences = occurrences::all(material.reasoning, material.law);
    let exceptions = super::exceptions(material, sources);
    let builder = Builder {
        material,
        subjects: &subjects,
        exceptions: &exceptions,
        range,
    };
    let releases = builder.releases(&occurrences);
    let moment = |release| material.names.moment(release);
    NotesReport {
        schema_version: SCHEMA_VERSION,
        release: range.release.and_then(moment),
        since: range.since.and_then(moment),
        current: model.calendar.current().and_then(moment),
        policies: material.policies(),
        tentative: range.tentative,
        nothing: releases.iter().all(|release| release.nothing),
        releases,
        removals: migrations::removals(material, &subjects, &occurrences, range),
        unscheduled: migrations::unscheduled(material, &subjects, &occurrences, range),
        warnings: warnings::all(material, &subjects, range.release),
    }
}

/// Sections in their order, with their headings.
const SECTIONS: [(&str, &str); 9] = [
    ("deprecations", "Deprecations"),
    ("removals", "Removals"),
    ("api-changes", "API changes"),
    ("graduations", "Graduations"),
    ("moves", "Preferred and storage versions"),
    ("gates", "Feature gates"),
    ("metrics", "Metrics"),
    ("cli", "Command line"),
    ("behaviors", "Behaviors"),
];

struct Builder<'a, 'b> {
    material: Material<'a>,
    subjects: &'b Subjects<'a>,
    exceptions: &'b [ExceptionReport<'a>],
    range: Range,
}

impl<'a> Builder<'a, '_> {
    /// The releases told of: one that was asked for is there although nothing happens in it; of all, those in which
    /// something does.
    fn releases(&self, occurrences: &[Occurrence<'a>]) -> Vec<ReleaseNotesReport<'a>> {
        let mut by_release: BTreeMap<Release, Vec<&Occurrence<'a>>> = BTreeMap::new();
        if let Some(last) = self.range.release {
            by_release.extend((self.range.first().0..=last.0).map(|release| (Release(release), Vec::new())));
        }
        for occurrence in occurrences.iter().filter(|found| self.range.covers(found.release)) {
            by_release.entry(occurrence.release).or_default().push(occurrence);
        }
        let releases = by_release.into_iter();
        releases
            .filter_map(|(release, found)| self.release(release, &found))
            .collect()
    }

    fn release(&self, release: Release, occurrences: &[&Occurrence<'a>]) -> Option<ReleaseNotesReport<'a>> {
        let mut sections: BTreeMap<&'static str, Vec<AnnouncementReport<'a>>> = BTreeMap::new();
        let mut urgent = Vec::new();
        for occurrence in occurrences {
            let Some(item) = self.announcement(occurrence) else {
                continue;
            };
            if item.action_required && self.is_known_to_readers(occurrence) {
                urgent.push(item.clone());
            }
            sections.entry(self.section(occurrence, &item)).or_default().push(item);
        }
        let exceptions = self.exceptions_in(release);
        let sections: Vec<SectionReport<'a>> = SECTIONS
            .into_iter()
            .filter_map(|(name, title)| {
                let items = sections.remove(name)?;
                Some(SectionReport { name, title, items })
            })
            .collect();
        Some(ReleaseNotesReport {
            release: self.material.names.moment(release)?,
            shipped: self.has_shipped(release),
            nothing: sections.is_empty(),
            urgent,
            sections,
            exceptions,
        })
    }

    fn has_shipped(&self, release: Release) -> bool {
        let current = self.material.reasoning.model.calendar.current();
        current.is_some_and(|current| release <= current)
    }

    /// Whether readers have what something happens to: what came after the release that they have is new to them.
    fn is_known_to_readers(&self, occurrence: &Occurrence<'_>) -> bool {
        let begin = |(element, life)| {
            let event = Event::new(element, life, EventKind::Introduced);
            self.material.reasoning.release(event)
        };
        let own = [(occurrence.element, occurrence.life)];
        let lives = if occurrence.kinds.is_empty() {
            &own[..]
        } else {
            &occurrence.kinds[..]
        };
        let first = lives.iter().filter_map(|life| begin(*life)).min();
        self.range
            .since
            .is_none_or(|since| first.is_none_or(|first| first <= since))
    }

    /// The exceptions that have not run out by a release, and whose elements are there.
    fn exceptions_in(&self, release: Release) -> Vec<ExceptionReport<'a>> {
        let holds = |exception: &Exception| {
            let element = exception.element.target;
            let since = element.and_then(|element| self.subjects.introduced(element));
            since.is_none_or(|since| since <= release) && exception.until.is_none_or(|(until, _)| until > release)
        };
        let declared = &self.material.reasoning.model.exceptions;
        let pairs = declared.iter().zip(self.exceptions);
        pairs
            .filter(|(exception, _)| holds(exception))
            .map(|(_, report)| report.clone())
            .collect()
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
        Some(AnnouncementReport {
            event: occurrence.what.as_str(),
            release: super::Moment {
                declared: Some(occurrence.declared),
                ..moment
            },
            voice: self.voice(occurrence),
            action_required: self.action_required(occurrence),
            again: occurrence.is_again(),
            from,
            to,
            default,
            show_again: self.shows_again(occurrence),
            element: match occurrence.kinds.as_slice() {
                [] => self.subjects.at(occurrence.element, occurrence.life, release),
                kinds => self.subjects.together(occurrence.element, kinds, release),
            },
            kinds: kinds
                .map(|(kind, life)| self.subjects.at(*kind, *life, release))
                .collect(),
        })
    }

    fn voice(&self, occurrence: &Occurrence<'_>) -> &'static str {
        match (occurrence.declared, self.has_shipped(occurrence.release)) {
            (true, true) => "announced",
            (true, false) => {
                let removed = occurrence.what == What::Event(EventKind::Removed);
                voice(!(self.range.tentative && removed))
            }
            (false, false) => "tentative",
            (false, true) => "assumed",
        }
    }

    /// Whether a gate that is new or locked is on by default.
    fn default_in(&self, occurrence: &Occurrence<'_>) -> Option<bool> {
        let gate = self.material.reasoning.model.gate(occurrence.element)?;
        gate.at(occurrence.release).map(|spec| spec.default)
    }

    /// The flag that shows a metric again in the release in which it is hidden: it names the release before.
    fn shows_again(&self, occurrence: &Occurrence<'_>) -> Option<String> {
        let is_metric = self.material.reasoning.model.metric(occurrence.element).is_some();
        let hidden = is_metric && occurrence.what == What::Event(EventKind::Hidden);
        let before = self
            .material
            .names
            .moment(occurrence.release.previous().filter(|_| hidden)?)?;
        Some(warnings::shows_metrics_of(before.release))
    }

    fn action_required(&self, occurrence: &Occurrence<'_>) -> bool {
        let element = self.material.reasoning.model.element(occurrence.element);
        match occurrence.what {
            What::Event(EventKind::Deprecated) if element.kind.is_version() || element.kind.is_kind() => self
                .material
                .deprecation_asks_for_action(element.track, occurrence.release),
            What::Event(EventKind::Removed | EventKind::Dropped | EventKind::Locked) => true,
            What::Event(EventKind::Hidden) => element.kind == ElementKind::Metric,
            _ => false,
        }
    }

    /// Of a version that is new: the most stable one of the same major that was there before, if that is less stable.
    fn graduation(&self, occurrence: &Occurrence<'_>) -> Option<(&'static str, &'static str)> {
        let model = self.material.reasoning.model;
        let element = model.element(occurrence.element);
        let group = model.group_of(occurrence.element)?;
        if occurrence.what != What::Event(EventKind::Introduced) || !element.kind.is_version() {
            return None;
        }
        let own = group
            .versions
            .iter()
            .find(|known| known.element == occurrence.element)?;
        let before = group.versions.iter().filter(|other| {
            let since = self.subjects.introduced(other.element);
            own.name.major().is_some()
                && other.name.major() == own.name.major()
                && since.is_some_and(|since| since < occurrence.release)
        });
        let highest = before.map(|other| model.element(other.element).track).max()?;
        (highest < element.track).then(|| (highest.as_str(), element.track.as_str()))
    }

    fn section(&self, occurrence: &Occurrence<'_>, item: &AnnouncementReport<'_>) -> &'static str {
        let kind = self.material.reasoning.model.element(occurrence.element).kind;
        let own = match kind {
            ElementKind::Gate => Some("gates"),
            ElementKind::Metric => Some("metrics"),
            ElementKind::Command | ElementKind::Flag => Some("cli"),
            ElementKind::Behavior => Some("behaviors"),
            _ => None,
        };
        match (occurrence.what, own) {
            (What::Promoted { forward: true, .. }, _) => "graduations",
            (What::Moved { .. } | What::Event(EventKind::Migrated | EventKind::Dropped), _) => "moves",
            (_, Some(own)) => own,
            (What::Event(EventKind::Deprecated | EventKind::Undeprecated), None) => "deprecations",
            (What::Event(EventKind::Removed), None) => "removals",
            (What::Event(EventKind::Introduced), None) if item.from.is_some() => "graduations",
            _ => "api-changes",
        }
    }
}

/// How sure an announcement is.
fn voice(announced: bool) -> &'static str {
    if announced { "announced" } else { "tentative" }
}
