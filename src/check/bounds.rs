//! Events that are too early or too late, and events that are due.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::derivation::{Decisive, Worked};
use crate::diagnostic::{Change, Diagnostic, Fact, Missed};
use crate::document::quoted;
use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::obligation::{Obligation, Reach};
use crate::release::Release;

use super::Checker;

impl Checker<'_> {
    pub(super) fn too_early(&self, obligation: &Obligation, declared: &Declared, worked: Worked) -> Option<Diagnostic> {
        let mut finding = self.finding(obligation, Some(declared), None)?;
        let calendar = &self.model().calendar;
        let sentence = self.reasoning.sentence(obligation, &worked);
        let bound = worked.release();
        let early = bound.0.saturating_sub(declared.release.0);
        let when = calendar.name(declared.release);
        let what = self.model().event_word(obligation.event.what).verb();
        let subject = finding.element.clone().unwrap_or_default();
        if bound.is_never() {
            if finding.message.is_empty() {
                let link = match (self.reasoning.awaited_kind(&worked), worked.term.event()) {
                    (Some(kind), _) => format!("; the earliest is the next {kind} release"),
                    (None, Some(awaited)) => {
                        let element = self.model().id(awaited.element);
                        let verb = self.model().event_word(awaited.what).verb();
                        format!(", but it has to wait until {element} {verb}, which has no release yet")
                    }
                    (None, None) => ", which is not allowed in any release of the calendar".to_owned(),
                };
                finding.message = format!("{subject} {what} in {when}{link}");
            }
            finding.label(match self.reasoning.awaited_kind(&worked) {
                Some(kind) => format!("not before the next {kind} release"),
                None => "waits for an event without a release".to_owned(),
            });
            finding.missed_by = Some(Missed::Unknown);
            let past = self.past(declared.release);
            let help =
                past.unwrap_or_else(|| format!("delete `{}` until then", key_of(self.model(), declared.event.what)));
            finding.help.get_or_insert(help);
        } else {
            let soonest = self.reasoning.moment(bound);
            let least = if worked.is_open() { " or later" } else { "" };
            if finding.message.is_empty() {
                let plural = if early == 1 { "" } else { "s" };
                finding.message = format!(
                    "{subject} {what} in {when}, {early} release{plural} too early; the earliest is {soonest}{least}"
                );
            }
            finding.label(format!("not before {}", calendar.name(bound)));
            finding.earliest = Some(bound);
            finding.missed_by = Some(Missed::By(early));
            let (step, fix) = self.way_out(obligation, declared, &worked);
            finding.help.get_or_insert(step);
            finding.fix = fix;
        }
        finding.shipped = self.shipped(declared.release);
        finding.because[0].text = sentence;
        let origin = self.counted_from(&mut finding, &worked);
        if let Some(origin) = origin.filter(|origin| origin.span != declared.span) {
            let what = origin.event.what;
            finding = finding.seen_at(origin.span, format!("{what} here"));
        }
        Some(finding)
    }

    /// A declared event after its bound, or a bound that has passed without the event.
    pub(super) fn too_late(&self, position: usize, obligation: &Obligation, worked: Worked) -> Option<Diagnostic> {
        let event = obligation.event;
        // If the calendar ends before the bound, the bound is not known yet.
        let bound = worked.bound.filter(|bound| !bound.open)?.release;
        let declared = self.declared(event);
        let fixed = declared.map(|declared| declared.release);
        let current = self.model().calendar.current();
        let planned = self.reasoning.assignment.planned(event).map(|planned| planned.release);
        let passed = match fixed.or(planned) {
            Some(release) => release > bound,
            None => current.is_some_and(|current| bound <= current),
        };
        if !passed || self.contradicted.contains(&position) {
            return None;
        }
        let mut finding = self.finding(obligation, declared, Some(bound))?;
        let calendar = &self.model().calendar;
        let subject = finding.element.clone().unwrap_or_default();
        finding.message = self.lateness(&subject, event, bound, fixed, planned);
        finding.label(format!("due by {}", calendar.name(bound)));
        // An event that is not declared misses its bound by no more as time passes, and by less once it is declared.
        let missed_by = fixed.map(|release| Missed::By(release.0.saturating_sub(bound.0)));
        finding.missed_by = Some(missed_by.unwrap_or(Missed::Unknown));
        finding.shipped = fixed.and_then(|release| self.shipped(release));
        self.counted_from(&mut finding, &worked);
        finding.because[0].text = self.reasoning.sentence(obligation, &worked);
        let late_by_law = fixed.is_none() && current.is_none_or(|current| bound > current);
        if let Some(lower) = self.reasoning.lower(event).filter(|_| late_by_law) {
            let rule = lower.obligation.rule();
            let number = rule.and_then(|rule| self.law.rule(rule).at(Release::NEVER));
            finding.because.push(Fact {
                rule,
                number: number.and_then(|law| law.number.clone()),
                text: self.reasoning.sentence(lower.obligation, &lower.worked),
                span: None,
            });
        }
        finding.help = Some(self.way_back(event, &worked, bound, declared));
        Some(finding)
    }

    /// The declared event that a bound counts from, which is noted in the finding.
    fn counted_from(&self, finding: &mut Diagnostic, worked: &Worked) -> Option<&Declared> {
        let origin = worked.term.event().and_then(|anchor| self.declared(anchor))?;
        if let Some(event) = &mut finding.event {
            event.counted_from = Some(self.model().calendar.name(origin.release));
        }
        Some(origin)
    }

    /// The next step for an event that is too late.
    fn way_back(&self, event: Event, worked: &Worked, bound: Release, declared: Option<&Declared>) -> String {
        let calendar = &self.model().calendar;
        let current = calendar.current();
        let (key, due) = (key_of(self.model(), event.what), calendar.name(bound));
        let Some(declared) = declared else {
            let planned = self.reasoning.assignment.planned(event);
            let possible = planned.map_or(bound, |planned| planned.release.max(bound));
            let next = current.map_or(possible, |current| possible.max(current.plus(1)));
            let name = calendar.name(next);
            return format!("declare it: {key} = {}, or add an exception", quoted(&name));
        };
        if current.is_some_and(|current| bound <= current) {
            return format!("{due} has shipped: record a baseline or add an exception");
        }
        let owner = declared.event.element;
        if owner != event.element && self.soonest_end(owner) > bound {
            // The entry is that of the version, of which another kind may not be removed yet.
            let kinds = self.due_together(declared, bound);
            return format!("declare {key} = {} for {kinds}, or add an exception", quoted(&due));
        }
        match worked.term.reach {
            // A removal is due in one release: earlier is too early.
            Reach::After(_) => format!("move it to {due}: {key} = {}", quoted(&due)),
            _ => format!("move it to {due} or earlier, or add an exception"),
        }
    }

    fn soonest_end(&self, version: ElementId) -> Release {
        let known = self.ends.borrow().get(&version).copied();
        known.unwrap_or_else(|| {
            let end = self.reasoning.soonest_end(version).release;
            self.ends.borrow_mut().insert(version, end);
            end
        })
    }

    /// The kinds that inherit the removal of their version and are due by a release.
    fn due_together(&self, inherited: &Declared, bound: Release) -> String {
        let key = (inherited.span, bound);
        let known = self.due.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let kinds = self.kinds_due(inherited, bound);
            self.due.borrow_mut().insert(key, kinds.clone());
            kinds
        })
    }

    fn kinds_due(&self, inherited: &Declared, bound: Release) -> String {
        let version = inherited.event.element;
        let kinds = self.model().served_by(version).into_iter();
        let kinds = kinds.filter(|kind| {
            let removed = self.model().last_event(*kind, EventKind::Removed);
            let due = self.reasoning.upper(removed);
            let is_inherited = self.declared(removed).is_some_and(|own| own.span == inherited.span);
            is_inherited && due.is_some_and(|due| due.worked.release() <= bound)
        });
        let names: Vec<&str> = kinds.map(|kind| self.model().element(kind).name()).collect();
        match names.as_slice() {
            [first, others @ ..] if others.len() > 2 => format!("{first} and {} other kinds", others.len()),
            _ => names.join(", "),
        }
    }

    /// The message for a late event: declared, not declared as of now, or planned.
    fn lateness(
        &self,
        subject: &str,
        event: Event,
        bound: Release,
        declared: Option<Release>,
        planned: Option<Release>,
    ) -> String {
        let calendar = &self.model().calendar;
        let (what, due) = (self.model().event_word(event.what), self.reasoning.moment(bound));
        match (declared, calendar.current()) {
            (Some(release), _) => {
                let (verb, release) = (what.verb(), calendar.name(release));
                format!("{subject} {verb} only in {release}; it was due by {due}")
            }
            (None, Some(current)) if bound <= current => {
                let current = calendar.name(current);
                format!("{subject} is still not {what} as of {current}; it was due by {due}")
            }
            (None, _) => {
                let planned = planned.map_or_else(String::new, |planned| calendar.name(planned));
                format!("{subject} cannot be {what} before {planned}, but is due by {due}")
            }
        }
    }

    /// The edit that moves a declared event to a release. Entries of gates and metrics, which later entries follow, do
    /// not move.
    fn moved(&self, declared: &Declared, release: Release) -> Option<Change> {
        use EventKind::{Deprecated, Dropped, Hidden, Migrated, Preferred, Removed, Step, Stored};
        let calendar = &self.model().calendar;
        let movable = matches!(
            declared.event.what,
            Deprecated | Step(_) | Hidden | Removed | Dropped | Preferred | Stored | Migrated
        );
        movable.then(|| Change::Set {
            place: declared.span,
            value: quoted(&calendar.name(release)),
        })
    }

    /// The next step for an event that is too early, in words and as edits.
    fn way_out(&self, obligation: &Obligation, declared: &Declared, worked: &Worked) -> (String, Vec<Change>) {
        if let Some(past) = self.past(declared.release) {
            return (past, Vec::new());
        }
        let calendar = &self.model().calendar;
        let unannounced = worked.term.event() == Some(obligation.event);
        if unannounced {
            return self.announced_first(obligation.event, declared, worked);
        }
        let bound = worked.release();
        let name = calendar.name(bound);
        let step = match declared.event.what {
            // The key of a move is the name of the version.
            EventKind::Preferred | EventKind::Stored | EventKind::Migrated => format!("move it to {name}"),
            what => format!("move it to {name}: {} = {}", key_of(self.model(), what), quoted(&name)),
        };
        let fix = self.moved(declared, bound).filter(|_| !worked.is_open());
        (step, fix.into_iter().collect())
    }

    /// The next step for a removal without a deprecation, in words and as edits.
    fn announced_first(&self, event: Event, declared: &Declared, worked: &Worked) -> (String, Vec<Change>) {
        let calendar = &self.model().calendar;
        let replaced = self.reasoning.replaced(event.element);
        let announced = self.reasoning.first_announcement(event).max(replaced);
        let deprecated = announced.unwrap_or(calendar.next());
        let bound = worked.term.worth(calendar, deprecated);
        let soonest = bound.release.max(declared.release);
        let (deprecation, removal) = (quoted(&calendar.name(deprecated)), calendar.name(soonest));
        let step = format!("declare `deprecated = {deprecation}`, and move the removal to {removal}");
        let own = self.model().declared_of(declared.event.element);
        let introduced = declared.event.sibling(EventKind::Introduced);
        let introduced = own.iter().find(|other| other.event == introduced);
        let addition = Change::Add {
            beside: introduced.unwrap_or(declared).span,
            key: "deprecated",
            value: deprecation,
        };
        let certain = replaced.is_some() && !bound.open;
        let fix = self.moved(declared, soonest).filter(|_| certain);
        (step, fix.map_or_else(Vec::new, |moved| vec![addition, moved]))
    }

    /// The next step for an event in a release that has shipped: what has shipped is not changed.
    pub(super) fn past(&self, release: Release) -> Option<String> {
        let shipped = self.model().calendar.name(self.shipped(release)?);
        Some(format!("{shipped} has shipped: record a baseline or add an exception"))
    }

    /// The next step for an entry that no release can have shipped with: the entry is wrong, not the release.
    pub(super) fn corrected(&self, release: Release) -> Option<String> {
        let shipped = self.model().calendar.name(self.shipped(release)?);
        Some(format!(
            "{shipped} has shipped: correct the entry; only if it shipped so, record a baseline or add an exception"
        ))
    }

    /// The release that has shipped without something, if code was dropped from it: nothing brings that back.
    pub(super) fn shipped_without(&self, declared: &Declared) -> Option<Release> {
        let dropped = Some(declared).filter(|declared| declared.event.what == EventKind::Dropped)?;
        self.shipped(dropped.release)
    }

    /// A release, if it has shipped.
    pub(super) fn shipped(&self, release: Release) -> Option<Release> {
        let current = self.model().calendar.current()?;
        (release <= current).then_some(release)
    }

    /// P3: a beta without a successor by its deadline, which is still ahead; `whole` are the versions of which no kind
    /// has one.
    pub(super) fn unreplaced(&self, event: Event, whole: &HashSet<ElementId>) -> Option<Diagnostic> {
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
        // Its version is named only if that goes for all its kinds.
        let version = self.model().version_of(event.element);
        let is_whole = version.is_none_or(|version| whole.contains(&version.element));
        let subject = match &finding.element {
            Some(version) if is_whole => version.as_str(),
            _ => self.model().id(event.element),
        };
        let due = self.reasoning.moment(due);
        finding.message = format!("{subject} has no successor by {due}, the latest release for its deprecation");
        finding.label("no successor in time".to_owned());
        finding.because[0].text = self.reasoning.sentence(decisive.obligation, &decisive.worked);
        finding.help = Some("introduce a successor by then, or deprecate it without one".to_owned());
        Some(finding)
    }
}

impl Diagnostic {
    fn label(&mut self, text: String) {
        if let Some(primary) = &mut self.primary {
            primary.text = text;
        }
    }
}

/// The key that declares an event.
fn key_of(model: &Model, what: EventKind) -> Cow<'static, str> {
    match what {
        EventKind::Promoted => "since".into(),
        EventKind::Stored => "storage".into(),
        other => model.declaring_key(other),
    }
}
