//! What is left to do in each group: its elements, those with equal plans together.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::diagnostic::Severity;
use crate::model::{ElementId, EventKind};
use crate::release::Release;
use crate::report::{AgendaReport, ElementReport, GroupOverview, Moment, OverviewRow, State};

use super::super::Material;
use super::super::filter::{ElementState, EventIndex, States};
use super::super::groups::Groups;
use super::super::replacements::Replacements;
use super::history;

/// The errors and the warnings about each element.
fn findings(material: Material<'_>) -> BTreeMap<&str, (usize, usize)> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for finding in material.findings.iter().filter(|finding| finding.known.is_none()) {
        let count = counts
            .entry(finding.element.as_deref().unwrap_or_default())
            .or_default();
        match finding.severity {
            Severity::Error => count.0 += 1,
            Severity::Warning => count.1 += 1,
            Severity::Note | Severity::Off => {}
        }
    }
    counts
}

/// What an overview is made from.
pub(super) struct Builder<'a, 'i> {
    pub(super) material: Material<'a>,
    pub(super) index: &'i EventIndex<'a>,
    /// `None` if no release is current: then nothing is past.
    pub(super) states: Option<States<'a, 'i>>,
    findings: BTreeMap<&'a str, (usize, usize)>,
}

/// Adds the element of another row to a row, which keeps what both have.
fn join<'a>(into: &mut OverviewRow<'a>, other: OverviewRow<'a>) {
    into.names.extend(other.names);
    into.deprecated = into.deprecated.filter(|own| Some(*own) == other.deprecated);
    into.binding = into.binding.filter(|own| Some(*own) == other.binding);
}

/// What of a plan a row shows; elements that have it in common share the row.
type Shown<'a> = (
    Option<ElementId>,
    [Option<Moment<'a>>; 7],
    Option<String>,
    (Option<State>, bool, (usize, usize)),
);

impl<'a, 'i> Builder<'a, 'i> {
    pub(super) fn new(material: Material<'a>, index: &'i EventIndex<'a>) -> Self {
        Self {
            material,
            index,
            states: States::of(material, index),
            findings: findings(material),
        }
    }

    /// Whether a filter names releases.
    pub(super) fn of_releases(&self) -> bool {
        self.material
            .selection
            .is_some_and(|selection| selection.releases.is_some())
    }

    /// Whether the past is shown too: where a filter names elements, and where nothing is past.
    fn is_whole(&self) -> bool {
        self.material.selection.is_some_and(|selection| selection.named) || self.states.is_none()
    }

    /// The elements that the overview is about.
    pub(super) fn ids(&self) -> impl Iterator<Item = ElementId> {
        let ids = self.material.reasoning.model.elements().map(|(id, _)| id);
        ids.filter(|id| self.material.has(*id))
    }

    /// Whether something is left to do about an element.
    fn is_left(&self, id: ElementId) -> bool {
        let states = self.states.as_ref();
        self.material.selection.is_some() || states.is_none_or(|states| states.is(ElementState::Open, id))
    }

    /// Whether the plan of a part is that of what it is part of, or of a kind that of its version. A part that never
    /// begins has no other.
    fn follows(&self, id: ElementId, shown: &BTreeSet<ElementId>) -> bool {
        let model = self.material.reasoning.model;
        let Some(whole) = model.element(id).parent.filter(|whole| shown.contains(whole)) else {
            return false;
        };
        let [part, whole] = [id, whole].map(|id| self.index.report(id));
        if self.findings.contains_key(part.id) {
            return false;
        }
        if model.element(id).kind.is_kind() {
            return plan_of(part) == plan_of(whole);
        }
        if self.material.reasoning.ends_before_it_begins(id).is_some() {
            return true;
        }
        let own = model.declared_of(id).iter();
        let mut own = own.filter(|declared| declared.event.what != EventKind::Introduced);
        own.next().is_none() && part.removed.map(|end| end.release) == whole.removed.map(|end| end.release)
    }

    /// Whether a part of a kind is deprecated, and nothing else can happen to it as long as its version is served.
    fn stays(&self, id: ElementId) -> bool {
        let model = self.material.reasoning.model;
        let whole = model.element(id).parent;
        if self.material.selection.is_some() || !whole.is_some_and(|whole| model.element(whole).kind.is_kind()) {
            return false;
        }
        let report = self.index.report(id);
        let has_happened = report.deprecated.is_some_and(|event| event.declared == Some(true));
        let (mut moments, major) = plan_of(report);
        moments[DEPRECATED] = None;
        moments[LATEST_DEPRECATION] = None;
        let states = self.states.as_ref();
        has_happened
            && major.is_none()
            && moments.iter().all(Option::is_none)
            && !self.findings.contains_key(report.id)
            && states.is_some_and(|states| states.is(ElementState::Deprecated, id))
    }

    pub(super) fn groups(&self) -> Vec<GroupOverview<'a>> {
        let whole = self.is_whole();
        let left: BTreeSet<ElementId> = self.ids().filter(|id| self.is_left(*id)).collect();
        let mut groups: Vec<GroupOverview<'a>> = Vec::new();
        let shown = left.iter().filter(|id| !self.follows(**id, &left) && !self.stays(**id));
        // Equal plans of one version, or below one heading, share a row.
        let mut rows: BTreeMap<String, usize> = BTreeMap::new();
        for id in shown {
            let (group, name) = self.material.reasoning.model.heading(*id);
            if groups.last().is_none_or(|last| last.group != group) {
                rows.clear();
                groups.push(GroupOverview {
                    group,
                    timeline: Vec::new(),
                    whole,
                    rows: Vec::new(),
                });
            }
            let Some(last) = groups.last_mut() else { continue };
            let row = self.row(*id, name);
            let key = format!("{:?}", self.shown(*id, &row));
            match rows.get(&key) {
                Some(at) => join(&mut last.rows[*at], row),
                None => {
                    rows.insert(key, last.rows.len());
                    last.rows.push(row);
                }
            }
        }
        self.add_timelines(&mut groups);
        groups
    }

    /// What of its plan an element has in common with those in its row. Once it is deprecated, it does not matter by
    /// when that was due, and once the next release may remove it, since when.
    fn shown(&self, id: ElementId, row: &OverviewRow<'a>) -> Shown<'a> {
        let version = self.material.reasoning.model.element(id).parent;
        let (mut moments, major) = plan_of(&row.element);
        if row.deprecated.is_some_and(|event| event.declared != Some(false)) {
            moments[LATEST_DEPRECATION] = None;
        }
        let states = self.states.as_ref().filter(|_| version.is_none() && !self.is_whole());
        if states.is_some_and(|states| states.is(ElementState::Removable, id)) {
            moments[DEPRECATED] = None;
        }
        (version, moments, major, (row.state, row.overdue, row.findings))
    }

    fn row(&self, id: ElementId, name: &'a str) -> OverviewRow<'a> {
        let states = self.states.as_ref();
        let element = self.index.report(id).clone();
        OverviewRow {
            names: vec![name],
            state: states.and_then(|states| states.now(id)),
            overdue: states.is_some_and(|states| states.is_overdue(id)),
            findings: self.findings.get(element.id).copied().unwrap_or_default(),
            deprecated: element.deprecated,
            binding: element.binding,
            element,
        }
    }

    fn add_timelines(&self, groups: &mut [GroupOverview<'a>]) {
        let replacements = Rc::new(Replacements::of(self.material.reasoning));
        let first = self
            .states
            .as_ref()
            .filter(|_| !self.is_whole())
            .map(|states| states.current);
        for group in Groups::new(self.material, replacements).all() {
            let Some(own) = groups.iter_mut().find(|own| own.group == group.group) else {
                continue;
            };
            own.timeline = history::folded(group, first.and_then(|first| self.material.names.moment(first)));
        }
    }

    /// The groups and headings with elements of which none is shown.
    pub(super) fn finished(&self, groups: &[GroupOverview<'a>]) -> Vec<&'a str> {
        if self.of_releases() {
            return Vec::new();
        }
        let shown: BTreeSet<&str> = groups.iter().map(|group| group.group).collect();
        let mut finished: Vec<&'a str> = Vec::new();
        for id in self.ids() {
            let (group, _) = self.material.reasoning.model.heading(id);
            if !shown.contains(group) && finished.last() != Some(&group) {
                finished.push(group);
            }
        }
        finished
    }

    /// The dates of the releases after the current one that are named anywhere.
    pub(super) fn dates(&self, groups: &[GroupOverview<'a>], agenda: &[AgendaReport<'a>]) -> Vec<Moment<'a>> {
        let Some(states) = &self.states else { return Vec::new() };
        let rows = groups.iter().flat_map(|group| &group.rows);
        let of_rows = rows.flat_map(|row| plan_of(&row.element).0).flatten();
        let of_spans = groups.iter().flat_map(|group| &group.timeline);
        let of_spans = of_spans.filter_map(|span| self.index.named(span.first.release));
        let of_agenda = agenda.iter().filter_map(|turn| self.index.release(&turn.release?));
        let named: BTreeSet<Release> = of_rows
            .filter_map(|moment| self.index.release(&moment))
            .chain(of_spans)
            .chain(of_agenda)
            .filter(|release| *release > states.current)
            .collect();
        named
            .into_iter()
            .filter_map(|release| self.material.names.moment(release))
            .collect()
    }
}

const DEPRECATED: usize = 0;
const LATEST_DEPRECATION: usize = 1;

/// The events and bounds that decide what is left to do.
fn plan_of<'a>(element: &ElementReport<'a>) -> ([Option<Moment<'a>>; 7], Option<String>) {
    let if_deprecated = element.if_deprecated.map(|then| then.earliest_removal);
    let moments = [
        element.deprecated,
        element.latest_deprecation,
        element.hidden,
        element.removed,
        element.earliest_removal.or(if_deprecated),
        element.removal_due,
        element.custom_removal,
    ];
    (moments, element.never_before_major.clone())
}
