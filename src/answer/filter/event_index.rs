//! What happens to each element, and between which releases its events may lie.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::model::ElementId;
use crate::release::Release;
use crate::report::{ElementReport, Moment, State};

use super::super::bands::{self, Band};
use super::super::notes::occurrence::What;
use super::super::notes::occurrences;
use super::super::{Material, elements};

/// An event of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::answer) struct IndexedEvent<'a> {
    pub(in crate::answer) what: What<'a>,
    pub(in crate::answer) release: Release,
    pub(in crate::answer) declared: bool,
}

/// Events, states and bounds of all elements.
pub(in crate::answer) struct EventIndex<'a> {
    reports: Vec<ElementReport<'a>>,
    bands: Vec<Vec<Band>>,
    events: Vec<Vec<IndexedEvent<'a>>>,
    releases: BTreeMap<&'a str, Release>,
}

impl<'a> EventIndex<'a> {
    pub(in crate::answer) fn of_all(material: Material<'a>) -> Self {
        let mut events = vec![Vec::new(); material.reasoning.model.elements().len()];
        for found in occurrences::all(material.reasoning, material.law) {
            let event = IndexedEvent {
                what: found.what,
                release: found.release,
                declared: found.declared,
            };
            let kinds = found.kinds.iter().map(|(kind, _)| *kind);
            for element in kinds.chain([found.element]) {
                events[element.0 as usize].push(event);
            }
        }
        let names = material.names.0.iter().map(|(name, ..)| name.as_str());
        Self {
            reports: elements::all(material),
            bands: bands::all(material),
            events,
            releases: names.zip((0..u32::MAX).map(Release)).collect(),
        }
    }

    pub(in crate::answer) fn of(&self, id: ElementId) -> &[IndexedEvent<'a>] {
        &self.events[id.0 as usize]
    }

    /// The releases of all events, those that a part shares with what it is part of too, and whether they are declared.
    pub(super) fn all_of(&self, id: ElementId) -> impl Iterator<Item = (Release, bool)> {
        let report = self.report(id);
        let shared = [report.introduced, report.deprecated, report.hidden, report.removed];
        let shared = shared.into_iter().flatten();
        let shared = shared.filter_map(|event| Some((self.release(&event)?, event.declared == Some(true))));
        let own = self.of(id).iter().map(|event| (event.release, event.declared));
        own.chain(shared)
    }

    pub(in crate::answer) fn report(&self, id: ElementId) -> &ElementReport<'a> {
        &self.reports[id.0 as usize]
    }

    /// The state in a release; none before the introduction.
    pub(in crate::answer) fn state(&self, id: ElementId, release: Release) -> Option<State> {
        let bands = self.bands[id.0 as usize].iter();
        bands
            .take_while(|band| band.from <= release)
            .last()
            .map(|band| band.state)
    }

    /// The release that a report names.
    pub(in crate::answer) fn release(&self, moment: &Moment<'_>) -> Option<Release> {
        self.named(moment.release)
    }

    /// The release with this name.
    pub(in crate::answer) fn named(&self, name: &str) -> Option<Release> {
        self.releases.get(name).copied()
    }

    /// The first release that may remove an element, if that is known, and if its removal is not set before.
    pub(in crate::answer) fn removable_from(&self, id: ElementId) -> Option<Release> {
        let report = self.report(id);
        let is_known = report.never_before_major.is_none();
        let bound = report.earliest_removal.filter(|bound| is_known && !bound.at_least)?;
        let removed = report.removed.and_then(|event| self.release(&event));
        self.release(&bound)
            .filter(|bound| removed.is_none_or(|removed| removed >= *bound))
    }

    /// Whether an event, a deadline or the first release for an event is in a range. A bound that its event has met
    /// earlier is none.
    pub(super) fn touches(&self, id: ElementId, range: &RangeInclusive<Release>) -> bool {
        let report = self.report(id);
        let bounds = [
            (report.earliest_deprecation, report.deprecated),
            (report.latest_deprecation, report.deprecated),
            (report.removal_due, report.removed),
        ];
        let bounds = bounds.into_iter().filter_map(|(bound, event)| {
            let bound = self.release(&bound.filter(|bound| !bound.at_least)?)?;
            let event = event.and_then(|event| self.release(&event));
            Some(bound).filter(|bound| event.is_none_or(|event| event >= *bound))
        });
        self.all_of(id).any(|(release, _)| range.contains(&release))
            || bounds
                .into_iter()
                .chain(self.removable_from(id))
                .any(|bound| range.contains(&bound))
    }
}
