//! What a change of a model moves: two evaluations, event by event.

mod events;
mod groups;
mod still;

use std::collections::{BTreeMap, BTreeSet};

use crate::baseline::{grown, resolved};
use crate::derivation::Reasoning;
use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{ElementId, EventKind, Model};
use crate::release::{DateKind, Release};
use crate::report::{
    DiagnosticReport, EventMove, MissedReport, Moment, Movement, MovingEvent, PolicyMove, ReleaseMove, SCHEMA_VERSION,
    WhatIfCounts, WhatIfReport,
};
use crate::source::Sources;

use super::decided::Reason;
use super::{Material, diagnostics};
use events::{Events, Key};
use groups::{Same, same};
use still::Still;

/// Compares a changed model with the model as it was. The findings that both have are marked in the changed one.
pub(crate) fn what_if<'a>(
    before: Material<'a>,
    after: Material<'a>,
    sources: &Sources<'_>,
    changes: Vec<String>,
) -> WhatIfReport<'a> {
    let new: Vec<Diagnostic> = after
        .findings
        .iter()
        .filter(|found| found.known.is_none())
        .cloned()
        .collect();
    let (illegal, findings): (Vec<_>, Vec<_>) = new.into_iter().partition(|found| found.severity == Severity::Error);
    let resolved: Vec<Diagnostic> = resolved(after.findings, before.findings).into_iter().cloned().collect();
    let grown: Vec<Diagnostic> = grown(after.findings, before.findings).into_iter().cloned().collect();
    let moves = Moves { before, after, sources };
    let ([releases, same_day], events) = (moves.releases(), moves.events());
    let missed = moves.missed(&releases, &events);
    let mut report = WhatIfReport {
        schema_version: SCHEMA_VERSION,
        changes,
        counts: WhatIfCounts::default(),
        event_groups: groups::alike(&events),
        illegal: moves.reported(after, &illegal),
        missed,
        findings: moves.reported(after, &findings),
        grown: moves.reported(after, &grown),
        resolved: moves.reported(before, &resolved),
        policies: moves.policies(),
        releases,
        same_day,
        events,
    };
    report.counts = WhatIfCounts {
        illegal: report.illegal.len(),
        missed: report.missed.len(),
        findings: report.findings.len(),
        grown: report.grown.len(),
        resolved: report.resolved.len(),
        releases: report.releases.len(),
        added: count(&report.events, Movement::Added),
        moved: count(&report.events, Movement::Moved),
        removed: count(&report.events, Movement::Removed),
    };
    report
}

struct Moves<'a, 's> {
    before: Material<'a>,
    after: Material<'a>,
    sources: &'s Sources<'s>,
}

impl<'a> Moves<'a, '_> {
    /// Findings about the elements that the answer is about, in either state.
    fn reported(&self, state: Material<'a>, findings: &[Diagnostic]) -> Vec<DiagnosticReport<'a>> {
        let mut all = diagnostics::all(state.names, self.sources, findings);
        all.retain(|finding| {
            let element = finding.element.as_deref();
            self.before.has_named(element) || self.after.has_named(element)
        });
        all
    }

    fn policies(&self) -> Option<PolicyMove<'a>> {
        let [from, to] = [self.before, self.after].map(|state| state.policies());
        (from != to).then_some(PolicyMove { from, to })
    }

    /// The listed releases that are on another day, or in one state only; then the projected ones on another day, up to
    /// the last in which something happens. Apart from them, those that keep their day, which is of another kind.
    fn releases(&self) -> [Vec<ReleaseMove<'a>>; 2] {
        let [was, is] = [self.before, self.after].map(|state| listed(state));
        let mut names: Vec<&'a str> = was.iter().map(|moment| moment.release).collect();
        names.extend(
            is.iter()
                .map(|moment| moment.release)
                .filter(|name| find(&was, name).is_none()),
        );
        let projected = self.projected();
        let all = names.into_iter().filter_map(|release| {
            let (from, to) = (find(&was, release), find(&is, release));
            let same =
                from.map(|moment| (moment.date, moment.date_kind)) == to.map(|moment| (moment.date, moment.date_kind));
            // What one state lists, the other may project.
            let from = from.or_else(|| named(self.before, release));
            let to = to.or_else(|| named(self.after, release));
            (!same).then_some(ReleaseMove {
                change: Movement::between(from.as_ref(), to.as_ref()),
                release,
                from,
                to,
                removals: Vec::new(),
            })
        });
        let (same_day, mut moves): (Vec<_>, Vec<_>) = all.chain(projected).partition(keeps_its_day);
        if !moves.is_empty() {
            let mut removals = removals(self.after);
            for moved in &mut moves {
                moved.removals = removals.remove(moved.release).unwrap_or_default();
            }
        }
        [moves, same_day]
    }

    /// The releases that both states project, for other days.
    fn projected(&self) -> Vec<ReleaseMove<'a>> {
        let states = [self.before, self.after];
        let listed = states.map(|state| state.reasoning.model.calendar.listed());
        let last = states.map(last_event).into_iter().max().flatten();
        let ahead = (listed.into_iter().max().unwrap_or(0)..).map(Release);
        let ahead = ahead.take_while(|release| Some(*release) <= last);
        let moves = ahead.filter_map(|release| {
            let to = self.after.names.moment(release)?;
            let from = named(self.before, to.release)?;
            (from.date != to.date).then_some(ReleaseMove {
                change: Movement::Moved,
                release: to.release,
                from: Some(from),
                to: Some(to),
                removals: Vec::new(),
            })
        });
        moves.collect()
    }

    fn events(&self) -> Vec<EventMove<'a>> {
        let [was, is] = [self.before, self.after].map(Events::of);
        let (before, after) = (self.before.reasoning.model, self.after.reasoning.model);
        let twins = after.twins_in(before);
        let still = Still::of((&was, before), (&is, after), &twins);
        let mut moves = Vec::new();
        let states = after.elements().zip(&twins).map(|((id, _), old)| (id, old));
        for (id, old) in states.filter(|(id, _)| after.judges(*id) && self.after.has(*id)) {
            if !still.has(id) {
                moves.extend(self.of_element(&was, &is, *old, Some(id)));
            }
        }
        let mut is_lost = vec![true; before.elements().len()];
        for twin in twins.iter().flatten() {
            is_lost[twin.0 as usize] = false;
        }
        let lost = before.elements().zip(is_lost).filter(|(_, is_lost)| *is_lost);
        let lost = lost.map(|((id, _), _)| id);
        for id in lost.filter(|id| before.judges(*id) && self.before.has(*id)) {
            moves.extend(self.of_element(&was, &is, Some(id), None));
        }
        with_wholes(moves, before, after)
    }

    /// The moves of an element, by its position in each state.
    fn of_element(
        &self,
        was: &Events<'a>,
        is: &Events<'a>,
        old: Option<ElementId>,
        new: Option<ElementId>,
    ) -> Vec<EventMove<'a>> {
        let from: BTreeMap<Key, Moment<'a>> = old.map(|id| was.of_element(id)).unwrap_or_default();
        let to: BTreeMap<Key, Moment<'a>> = new.map(|id| is.of_element(id)).unwrap_or_default();
        let state = if new.is_some() { self.after } else { self.before };
        let model = state.reasoning.model;
        let Some(id) = new.or(old) else { return Vec::new() };
        let gone = from.iter().filter(|(key, _)| !to.contains_key(key));
        let keys = to.keys().chain(gone.map(|(key, _)| key));
        let moves = keys.filter_map(|key| {
            let (from, to) = (from.get(key).copied(), to.get(key).copied());
            if from.zip(to).is_some_and(|(from, to)| is_same(from, to)) {
                return None;
            }
            let reason = match (new, to) {
                (None, _) => Reason::plain("the element is not declared"),
                (Some(_), None) => Reason::plain(no_longer(from)),
                (Some(id), Some(to)) => is.reason(id, *key, to),
            };
            Some(EventMove {
                change: Movement::between(from.as_ref(), to.as_ref()),
                element: model.id(id),
                event: key.event,
                life: key.life + 1,
                from,
                to,
                reason: reason.text,
                basis: reason.basis,
                with: None,
                owner: model.owned_by(id),
            })
        });
        moves.collect()
    }

    /// What was announced and no longer holds: days of releases, then events.
    fn missed(&self, releases: &[ReleaseMove<'a>], events: &[EventMove<'a>]) -> Vec<MissedReport<'a>> {
        let days = releases.iter().filter_map(|moved| {
            let from = moved
                .from
                .filter(|from| from.date_kind != DateKind::Projected && from.date.is_some())?;
            let is_later = moved
                .to
                .is_none_or(|to| to.date.is_none_or(|day| Some(day) > from.date));
            is_later.then(|| MissedReport {
                element: None,
                event: None,
                from,
                to: moved.to,
                with: self.declared_in(moved.release),
                owner: None,
            })
        });
        let alone = events.iter().filter(|moved| moved.with.is_none());
        let broken = alone.filter(|moved| self.was_announced(moved)).filter_map(|moved| {
            let from = moved.from.filter(|from| from.declared == Some(true))?;
            let calendar = &self.after.reasoning.model.calendar;
            let [was, is] = [Some(from), moved.to].map(|moment| calendar.find(moment?.release).ok());
            let is_open = was.is_some_and(|was| was >= calendar.next());
            let is_later = is_open && is.is_none_or(|is| was < Some(is));
            is_later.then_some(MissedReport {
                element: Some(moved.element),
                event: Some(moved.event),
                from,
                to: moved.to,
                with: 0,
                owner: moved.owner,
            })
        });
        days.chain(broken).collect()
    }

    /// Whether an event was announced: the end of a version is if that of each kind is.
    fn was_announced(&self, moved: &EventMove<'a>) -> bool {
        let MovingEvent::Event(word) = moved.event else {
            return true;
        };
        let model = self.before.reasoning.model;
        let Some(id) = model.find(moved.element).filter(|_| word.kind != EventKind::Introduced) else {
            return true;
        };
        let mut kinds = model.version_of(id).into_iter().flat_map(|version| &version.kinds);
        kinds.all(|kind| model.in_force(model.last_event(*kind, word.kind)).is_some())
    }

    /// How many events were declared for a release.
    fn declared_in(&self, name: &str) -> usize {
        let model = self.before.reasoning.model;
        let Ok(release) = model.calendar.find(name) else {
            return 0;
        };
        let declared = model.elements().flat_map(|(id, _)| model.declared_of(id));
        declared.filter(|declared| declared.release == release).count()
    }
}

fn keeps_its_day(moved: &ReleaseMove<'_>) -> bool {
    moved.from.zip(moved.to).is_some_and(|(from, to)| from.date == to.date)
}

fn count(events: &[EventMove<'_>], change: Movement) -> usize {
    events.iter().filter(|event| event.change == change).count()
}

fn is_same(from: Moment<'_>, to: Moment<'_>) -> bool {
    (from.release, from.declared) == (to.release, to.declared)
}

fn no_longer(from: Option<Moment<'_>>) -> String {
    let declared = from.is_some_and(|from| from.declared == Some(true));
    format!("no longer {}", if declared { "declared" } else { "planned" })
}

/// The releases that a calendar lists.
fn listed(material: Material<'_>) -> Vec<Moment<'_>> {
    let count = material.reasoning.model.calendar.listed();
    (0..count).filter_map(|at| material.names.moment(Release(at))).collect()
}

/// What is removed in each release, by its name, without parts of what is removed.
fn removals<'a>(state: Material<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let model = state.reasoning.model;
    let ends = model.elements().map(|(id, _)| end(state.reasoning, id));
    let ends: Vec<Option<Release>> = ends.collect();
    let mut removals: BTreeMap<&'a str, Vec<&'a str>> = BTreeMap::new();
    for (id, element) in model.elements().filter(|(id, _)| state.has(*id)) {
        let Some(release) = ends[id.0 as usize] else { continue };
        let whole = model.owner(id).or(element.parent);
        let is_part = whole.is_some_and(|whole| ends[whole.0 as usize] == Some(release));
        if let Some(moment) = state.names.moment(release).filter(|_| !is_part) {
            removals.entry(moment.release).or_default().push(model.id(id));
        }
    }
    removals
}

/// The release that removes an element; of a version with kinds, the last of them.
fn end(reasoning: Reasoning<'_>, id: ElementId) -> Option<Release> {
    let parts = reasoning.model.served_by(id);
    let ends = parts.iter().map(|part| {
        let removed = reasoning.model.last_event(*part, EventKind::Removed);
        reasoning.release(removed).filter(|release| !release.is_never())
    });
    let ends: Option<Vec<Release>> = ends.collect();
    ends?.into_iter().max()
}

/// The last release in which something is declared or planned.
fn last_event(state: Material<'_>) -> Option<Release> {
    let Reasoning { model, assignment, .. } = state.reasoning;
    let declared = model.elements().flat_map(|(id, _)| model.declared_of(id));
    let declared = declared.map(|declared| declared.release);
    let planned = assignment.iter().map(|planned| planned.release);
    declared.chain(planned).filter(|release| !release.is_never()).max()
}

fn find<'a>(moments: &[Moment<'a>], release: &str) -> Option<Moment<'a>> {
    moments.iter().find(|moment| moment.release == release).copied()
}

/// Adds to the moves of parts the whole to which the same happens.
fn with_wholes<'a>(mut moves: Vec<EventMove<'a>>, before: &'a Model, after: &'a Model) -> Vec<EventMove<'a>> {
    let known: BTreeSet<(&str, Same<'a>)> = moves.iter().map(|moved| (moved.element, same(moved))).collect();
    for moved in &mut moves {
        let same = same(moved);
        let model = if after.find(moved.element).is_some() {
            after
        } else {
            before
        };
        let wholes = model.find(moved.element).into_iter();
        let wholes = wholes.flat_map(|element| model.with_wholes(element).skip(1));
        let mut wholes = wholes.map(|whole| model.id(whole));
        moved.with = wholes.find(|whole| known.contains(&(*whole, same)));
    }
    moves
}

/// A release of a state, listed or projected.
fn named<'a>(state: Material<'a>, release: &str) -> Option<Moment<'a>> {
    let found = state.reasoning.model.calendar.find(release).ok()?;
    state.names.moment(found)
}
