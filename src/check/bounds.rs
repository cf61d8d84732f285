//! Bounds in time: what comes too early, too late, or not at all.

use crate::derivation::{Decisive, Worked, verb};
use crate::diagnostic::{Change, Diagnostic, Fact};
use crate::document::quoted;
use crate::model::succession::Succession;
use crate::model::{Declared, Event, EventKind};
use crate::obligation::{Obligation, Reach};
use crate::release::Release;

use super::Checker;

impl Checker<'_> {
    pub(super) fn too_early(&self, obligation: &Obligation, declared: &Declared, worked: Worked) -> Option<Diagnostic> {
        let mut finding = self.finding(obligation, Some(declared), None)?;
        let calendar = &self.model().calendar;
        let sentence = self.reasoning.sentence(obligation, &worked);
        let bound = worked.release();
        let when = calendar.name(declared.release);
        let what = verb(obligation.event.what);
        let subject = finding.element.clone().unwrap_or_default();
        if bound.is_never() {
            if finding.message.is_empty() {
                finding.message = format!(
                    "{subject} {what} in {when}, which is too early: {}",
                    not_in_sight(&worked)
                );
            }
            finding.label(format!("too early: {}", not_in_sight(&worked)));
            finding.missed_by = Some(u32::MAX);
            let keep = format!("leave `{}` out until then", key_of(declared.event.what));
            finding.help.get_or_insert(keep);
        } else {
            let soonest = self.reasoning.moment(bound);
            let least = if worked.is_open() { " at least" } else { "" };
            if finding.message.is_empty() {
                let early = bound.0.saturating_sub(declared.release.0);
                let plural = if early == 1 { "" } else { "s" };
                finding.message = format!(
                    "{subject} {what} in {when}, {early} release{plural} too early; the soonest is {soonest}{least}"
                );
            }
            finding.label(format!("not before {}", calendar.name(bound)));
            finding.earliest = Some(bound);
            finding.missed_by = Some(bound.0.saturating_sub(declared.release.0));
            let (step, fix) = self.way_out(obligation, declared, &worked);
            finding.help.get_or_insert(step);
            finding.fix = fix;
        }
        finding.because[0].text = sentence;
        let origin = worked.term.event().and_then(|anchor| self.declared(anchor));
        if let Some(origin) = origin.filter(|origin| origin.span != declared.span) {
            let what = origin.event.what;
            finding = finding.seen_at(origin.span, format!("{what} here"));
        }
        Some(finding)
    }

    /// A declared event past its bound, or a bound that has passed without the event.
    pub(super) fn too_late(&self, position: usize, obligation: &Obligation, worked: Worked) -> Option<Diagnostic> {
        let event = obligation.event;
        // Where the calendar ends before the bound, nobody can tell yet.
        let bound = worked.bound.filter(|bound| !bound.open)?.release;
        let declared = self.declared(event);
        let fixed = declared.map(|declared| declared.release);
        let current = self.model().calendar.current();
        let planned = self.reasoning.assignment.planned(event).map(|planned| planned.release);
        let passed = match fixed.or(planned) {
            Some(release) => release > bound,
            None => current.is_some_and(|current| bound <= current),
        };
        let contradicted = self.contradictions.iter().any(|found| found.ring.contains(&position));
        if !passed || contradicted || (fixed.is_none() && self.ended(event, bound)) {
            return None;
        }
        let mut finding = self.finding(obligation, declared, Some(bound))?;
        let calendar = &self.model().calendar;
        let subject = finding.element.clone().unwrap_or_default();
        finding.message = self.lateness(&subject, event, bound, fixed, planned);
        finding.label(format!("due by {}", calendar.name(bound)));
        // That time goes by makes nothing worse that is not declared.
        finding.missed_by = Some(fixed.map_or(0, |release| release.0.saturating_sub(bound.0)));
        finding.because[0].text = self.reasoning.sentence(obligation, &worked);
        let late_by_law = fixed.is_none() && current.is_none_or(|current| bound > current);
        if let Some(lower) = self.reasoning.lower(event).filter(|_| late_by_law) {
            let number = lower
                .obligation
                .rule()
                .and_then(|rule| self.law.rule(rule).at(Release::NEVER));
            finding.because.push(Fact {
                rule: lower.obligation.rule(),
                number: number.and_then(|law| law.number.clone()),
                text: self.reasoning.sentence(lower.obligation, &lower.worked),
                span: None,
            });
        }
        let next = current.map_or(bound, |current| bound.max(current.plus(1)));
        let key = key_of(event.what);
        finding.help = Some(match fixed {
            Some(_) => format!(
                "move it to {} or before, or agree to an exception",
                calendar.name(bound)
            ),
            None => format!(
                "declare it: {key} = \"{}\", or agree to an exception",
                calendar.name(next)
            ),
        });
        Some(finding)
    }

    /// What comes too late, in a sentence: as declared, as of now, or as planned.
    fn lateness(
        &self,
        subject: &str,
        event: Event,
        bound: Release,
        declared: Option<Release>,
        planned: Option<Release>,
    ) -> String {
        let calendar = &self.model().calendar;
        let (what, due) = (event.what, self.reasoning.moment(bound));
        match (declared, calendar.current()) {
            (Some(release), _) => {
                let (verb, release) = (verb(what), calendar.name(release));
                format!("{subject} {verb} only in {release}, but had to be by {due}")
            }
            (None, Some(current)) if bound <= current => {
                let current = calendar.name(current);
                format!("{subject} is still not {what}, as of {current}; it was due by {due}")
            }
            (None, _) => {
                let planned = planned.map_or_else(String::new, |planned| calendar.name(planned));
                format!("{subject} cannot be {what} before {planned}, but has to be by {due}")
            }
        }
    }

    /// A declared event moved to a release: of what has not shipped yet, where the calendar knows the release.
    fn moved(&self, declared: &Declared, release: Release) -> Option<Change> {
        let calendar = &self.model().calendar;
        let movable = matches!(
            declared.event.what,
            EventKind::Deprecated
                | EventKind::Hidden
                | EventKind::Removed
                | EventKind::Dropped
                | EventKind::Preferred
                | EventKind::Stored
        );
        let open = calendar.current().is_none_or(|current| declared.release > current);
        let name = calendar.name(release);
        let known = calendar.find(&name) == Ok(release);
        (movable && open && known).then(|| Change::Set {
            place: declared.span,
            value: quoted(&name),
        })
    }

    /// The next step for what comes too early, in words and as changes.
    fn way_out(&self, obligation: &Obligation, declared: &Declared, worked: &Worked) -> (String, Vec<Change>) {
        let calendar = &self.model().calendar;
        let unannounced = worked.term.event() == Some(obligation.event);
        let (mut step, fix, bound) = if unannounced {
            let announced = self.announcement(obligation.event);
            let deprecated = announced.unwrap_or(declared.release);
            let bound = worked.term.worth(calendar, deprecated);
            let deprecation = quoted(&calendar.name(deprecated));
            let soonest = bound.release.max(declared.release);
            let step = format!(
                "declare `deprecated = {deprecation}`, and move the removal to {}",
                calendar.name(soonest)
            );
            let own = self.model().declared_of(declared.event.element);
            let introduced = declared.event.sibling(EventKind::Introduced);
            let introduced = own.iter().find(|other| other.event == introduced);
            let addition = Change::Add {
                beside: introduced.unwrap_or(declared).span,
                key: "deprecated",
                value: deprecation,
            };
            let certain = announced.is_some() && !bound.open;
            let fix = self.moved(declared, soonest).filter(|_| certain);
            (step, fix.map_or_else(Vec::new, |moved| vec![addition, moved]), soonest)
        } else {
            let bound = worked.release();
            let name = calendar.name(bound);
            let step = match declared.event.what {
                // The key of a move is the version's name.
                EventKind::Preferred | EventKind::Stored => format!("move it to {name}"),
                what => format!("move it to {name}: {} = {}", key_of(what), quoted(&name)),
            };
            let fix = self.moved(declared, bound).filter(|_| !worked.is_open());
            (step, fix.into_iter().collect(), bound)
        };
        if bound.0 >= calendar.listed() && calendar.cadence().is_none() {
            step.push_str("; list that release in [calendar.releases] first, or give a cadence");
        }
        (step, fix)
    }

    /// When a life would be announced to end: once its successor is there, and not in what has shipped.
    fn announcement(&self, event: Event) -> Option<Release> {
        let model = self.model();
        let group = model.group_of(event.element)?;
        let successor = Succession::of(model, group).into_iter().find_map(|succession| {
            let at = succession.line.iter().position(|element| *element == event.element)?;
            succession.first_successor(model, at)
        })?;
        let next = model.calendar.next();
        let own = self.reasoning.release(event.sibling(EventKind::Introduced))?;
        Some(self.reasoning.release(successor)?.max(own).max(next))
    }

    /// Whether the life was over by the time something was due.
    fn ended(&self, event: Event, due: Release) -> bool {
        self.declared(event.sibling(EventKind::Removed))
            .is_some_and(|removed| removed.release <= due)
    }

    /// P3: a beta that nothing replaces by its deadline, while that is still to come.
    pub(super) fn unreplaced(&self, event: Event) -> Option<Diagnostic> {
        let decisive: Decisive<'_> = self.reasoning.upper(event)?;
        let due = decisive.worked.release();
        if self.model().calendar.current().is_some_and(|current| due <= current) {
            return None;
        }
        let warning = Obligation {
            code: "unplanned-beta",
            detail: None,
            ..decisive.obligation.clone()
        };
        let mut finding = self.finding(&warning, None, Some(due))?;
        let subject = finding.element.clone().unwrap_or_default();
        let due = self.reasoning.moment(due);
        finding.message = format!("{subject} has no successor by {due}, when it has to be deprecated at the latest");
        finding.label("no successor in time".to_owned());
        finding.because[0].text = self.reasoning.sentence(decisive.obligation, &decisive.worked);
        finding.help = Some("introduce a successor by then, or deprecate it without one".to_owned());
        Some(finding)
    }
}

impl Diagnostic {
    /// Says what is to be seen at the finding's own place.
    fn label(&mut self, text: String) {
        if let Some(primary) = &mut self.primary {
            primary.text = text;
        }
    }
}

fn not_in_sight(worked: &Worked) -> String {
    match worked.term.reach {
        Reach::NextMajor => "not before the next major release".to_owned(),
        _ => "what it waits for has no release yet".to_owned(),
    }
}

/// The key under which the user declares it.
fn key_of(what: EventKind) -> &'static str {
    match what {
        EventKind::Promoted => "since",
        EventKind::Stored => "storage",
        other => other.as_str(),
    }
}
