//! The next step after an event that is too early or too late.
//!
//! One entry may declare an event for all kinds of a version, or a part in several versions, and more than one rule may
//! bound each. The release of a next step is one that meets all of that; what is declared to follow moves with it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::derivation::Worked;
use crate::diagnostic::{Change, EXCUSE};
use crate::document::quoted;
use crate::model::{Declared, ElementId, Event, EventKind, Model, comes_before};
use crate::obligation::Reach;
use crate::release::Release;
use crate::source::Span;

use super::entries::{declared_by, entries};
use super::{Checker, NextStep};

/// Declared events with other releases, by their places.
pub(super) type Moves = BTreeMap<Span, (Declared, Release)>;

impl Checker<'_> {
    /// The next step for an event that is too early.
    pub(super) fn way_out(&self, declared: &Declared, worked: &Worked) -> NextStep {
        if let Some(past) = self.past(declared.release) {
            return (past, Vec::new());
        }
        let (words, edits) = self.next_step(declared, worked.release());
        (words, if worked.is_open() { Vec::new() } else { edits })
    }

    /// Whether an event is too early because nothing announces it: the bound counts from the event itself.
    fn lacks_announcement(&self, declared: &Declared) -> bool {
        let key = (declared.span, declared.event.what);
        let known = self.unannounced.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let mut ends = self.sharing(declared).into_iter();
            let lacking = ends.any(|event| self.reasoning.lacks_announcement(event));
            self.unannounced.borrow_mut().insert(key, lacking);
            lacking
        })
    }

    /// The next step for an event that one bound permits from a release on: it moves to a release that all of them
    /// permit, unless it has to be announced first.
    pub(super) fn next_step(&self, declared: &Declared, first: Release) -> NextStep {
        let is_announced = !self.lacks_announcement(declared);
        let bound = is_announced.then(|| self.first_legal(declared).max(first));
        let key = (declared.span, declared.event.what, bound);
        let known = self.next_steps.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let step = match bound {
                Some(bound) => self.moved_to(declared, bound),
                None => self.announced_first(declared),
            };
            self.next_steps.borrow_mut().insert(key, step.clone());
            step
        })
    }

    /// Moves an event to a release, and what is declared to follow it behind that.
    fn moved_to(&self, declared: &Declared, bound: Release) -> NextStep {
        if bound.is_never() {
            return (self.until_then(declared), Vec::new());
        }
        if self.is_withdrawn_until(declared, bound) {
            return (self.until("it is deprecated again", declared), Vec::new());
        }
        let moves = match self.moves(declared, bound) {
            Ok(moves) => moves,
            Err(joined) => return (joined, Vec::new()),
        };
        let name = self.model().calendar.name(bound);
        let others = self.in_words(declared, &moves);
        let step = match declared.event.what {
            // The key of a move is the name of the version.
            EventKind::Preferred | EventKind::Stored | EventKind::Migrated => format!("move it to {name}{others}"),
            what => format!(
                "move it to {name}: {} = {}{others}",
                key_of(self.model(), what),
                quoted(&name)
            ),
        };
        let edits = moves.values().map(|(declared, release)| self.moved(declared, *release));
        let edits: Option<Vec<Change>> = edits.collect();
        (step, edits.unwrap_or_default())
    }

    /// What moves with an event, as keys and values.
    pub(super) fn in_words(&self, first: &Declared, moves: &Moves) -> String {
        let calendar = &self.model().calendar;
        let others = moves.values().filter(|(declared, _)| declared.span != first.span);
        let others = others.map(|(declared, release)| {
            format!(
                ", and {} = {}",
                key_of(self.model(), declared.event.what),
                quoted(&calendar.name(*release))
            )
        });
        others.collect()
    }

    /// An event and what is declared to follow it, with their releases once it is moved to one; or the next step if a
    /// life would then reach into the next one.
    pub(super) fn moves(&self, declared: &Declared, release: Release) -> Result<Moves, String> {
        let mut moves = Moves::new();
        self.move_with_what_follows(declared, release, &mut moves);
        let joined = moves.values().find_map(|(moved, bound)| self.joined(moved, *bound));
        joined.map_or(Ok(moves), Err)
    }

    /// Moves an event to a release, and what is declared to follow it behind it.
    pub(super) fn move_with_what_follows(&self, declared: &Declared, release: Release, moves: &mut Moves) {
        let known = moves.get(&declared.span).map_or(Release(0), |(_, known)| *known);
        if known >= release {
            return;
        }
        moves.insert(declared.span, (*declared, release));
        let followers = comes_before().filter(|(first, ..)| *first == declared.event.what);
        for (_, then, same) in followers {
            let least = if same { release } else { release.plus(1) };
            for event in self.sharing(declared) {
                let follower = event.sibling(then);
                let Some(later) = self.declared(follower) else { continue };
                let bound = self.reasoning.lower_if(follower, event.sibling(event.what), release);
                let bound = bound.max(least);
                if bound > later.release && !bound.is_never() {
                    self.move_with_what_follows(later, bound, moves);
                }
            }
        }
    }

    /// The next step for a life that would still go on when the next one begins.
    pub(super) fn joined(&self, declared: &Declared, bound: Release) -> Option<String> {
        let lives = self.sharing(declared).into_iter().filter_map(|event| {
            let next = Event {
                life: event.life.checked_add(1)?,
                ..event
            };
            self.model().declared_release(next.sibling(EventKind::Introduced))
        });
        // What ends later than that is in both lives already.
        let again = lives
            .filter(|again| declared.release <= *again && *again < bound)
            .min()?;
        let again = self.model().calendar.name(again);
        Some(format!("make one life of this one and the next: it is back in {again}"))
    }

    /// Whether the deprecation that a removal counts from is withdrawn between the removal and a later release. A kind
    /// that is removed before its version has no part in that yet.
    fn is_withdrawn_until(&self, declared: &Declared, bound: Release) -> bool {
        let model = self.model();
        let removals = self.sharing(declared).into_iter();
        let mut removals = removals.filter(|event| event.what == EventKind::Removed);
        removals.any(|removed| {
            let kind = model.element(removed.element);
            let version = kind.parent.filter(|_| kind.kind.is_kind());
            let life = model.version_life(removed.element, removed.life);
            let of_version = version.zip(life).map(|(version, life)| Event {
                life,
                ..removed.of(version)
            });
            let lives = [Some(removed), of_version].into_iter().flatten();
            let mut withdrawn = lives.flat_map(|life| model.repeated(life.sibling(EventKind::Undeprecated)));
            withdrawn.any(|withdrawn| declared.release < withdrawn.release && withdrawn.release <= bound)
        })
    }

    /// The first release that all bounds permit for a declared event; of an end that is planned again, its first
    /// release.
    pub(super) fn first_legal(&self, declared: &Declared) -> Release {
        let key = (declared.span, declared.event.what);
        let known = self.legal.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let bounds = self.sharing(declared).into_iter().map(|event| {
                let lower = self.reasoning.lower(event).map(|found| found.worked.release());
                let replanned = self.reasoning.replanned_end(event).map(|soonest| soonest.release);
                lower.max(replanned).unwrap_or(Release(0))
            });
            let legal = bounds.fold(self.model().calendar.next(), Release::max);
            self.legal.borrow_mut().insert(key, legal);
            legal
        })
    }

    /// The events that one value declares together: of a version and the kinds that inherit it, or of a part in several
    /// versions.
    pub(super) fn sharing(&self, declared: &Declared) -> Vec<Event> {
        let entries = self.entries.get_or_init(|| entries(self.model()));
        let mut sharing = declared_by(entries, declared);
        if !sharing.contains(&declared.event) {
            sharing.push(declared.event);
        }
        sharing
    }

    /// The edit that moves a declared event to a release. Entries of gates and metrics, which later entries follow, do
    /// not move.
    pub(super) fn moved(&self, declared: &Declared, release: Release) -> Option<Change> {
        use EventKind::{Deprecated, Dropped, Hidden, Migrated, Preferred, Removed, Step, Stored};
        let calendar = &self.model().calendar;
        let movable = matches!(
            declared.event.what,
            Deprecated | Step(_) | Hidden | Removed | Dropped | Preferred | Stored | Migrated
        );
        let gate = self.model().gate(declared.event.element);
        let mut entries = gate.into_iter().flat_map(|gate| &gate.specs);
        let is_within = entries.any(|entry| entry.span > declared.span);
        (movable && !is_within).then(|| Change::Set {
            place: declared.span,
            value: quoted(&calendar.name(release)),
        })
    }

    /// The next step for an event that is too late.
    pub(super) fn way_back(
        &self,
        event: Event,
        worked: &Worked,
        bound: Release,
        declared: Option<&Declared>,
    ) -> String {
        let calendar = &self.model().calendar;
        let (key, due) = (key_of(self.model(), event.what), calendar.name(bound));
        let excuse = self.excuse(bound);
        let Some(declared) = declared else {
            return self.declared_first(event, bound, &excuse);
        };
        if self.has_passed(bound) {
            return excuse;
        }
        let owner = declared.event.element;
        let soonest = self.reasoning.replanned_end(event).map(|soonest| soonest.release);
        let is_possible = soonest.is_none_or(|soonest| soonest <= bound);
        let is_inherited = owner != event.element && event.what == EventKind::Removed;
        if is_inherited && is_possible && self.soonest_end(owner) > bound {
            // The entry is that of the version, of which another kind may not be removed yet.
            let kinds = self.due_together(declared, bound);
            return format!("declare {key} = {} for {kinds}, or add an exception", quoted(&due));
        }
        if !is_possible || self.first_legal(declared) > bound {
            let word = self.model().event_word(event.what);
            return format!("{excuse}: it cannot be {word} by {due}");
        }
        match worked.term.reach {
            // A removal is due in one release: earlier is too early.
            Reach::After(_) => format!("move it to {due}: {key} = {}", quoted(&due)),
            _ => format!("move it to {due} or earlier, or add an exception"),
        }
    }

    /// The next step for an event that is due and not declared.
    fn declared_first(&self, event: Event, bound: Release, excuse: &str) -> String {
        let calendar = &self.model().calendar;
        let planned = self.reasoning.assignment.planned(event).map(|planned| planned.release);
        let is_removal = event.what == EventKind::Removed;
        let lower = if is_removal {
            Some(self.soonest_end(self.subject(event, None)))
        } else {
            self.reasoning.lower(event).map(|found| found.worked.release())
        };
        let next = planned.max(lower).unwrap_or(bound).max(bound).max(calendar.next());
        if next.is_never() {
            return excuse.to_owned();
        }
        let announced = self.reasoning.announcement(event, next).filter(|_| is_removal);
        let announced = announced.map_or_else(String::new, |announced| {
            format!("deprecated = {}, and ", quoted(&calendar.name(announced.min(next))))
        });
        let (key, name) = (key_of(self.model(), event.what), quoted(&calendar.name(next)));
        let step = format!("declare it: {announced}{key} = {name}");
        // A bound that is missed all the same has to be excused.
        match (next > bound, self.has_passed(bound)) {
            (true, true) => format!("{step}; {excuse}"),
            (true, false) => format!("{step}, and {excuse}"),
            (false, _) => format!("{step}, or {excuse}"),
        }
    }

    /// What to do about a bound that is missed.
    fn excuse(&self, bound: Release) -> String {
        if self.has_passed(bound) {
            let due = self.model().calendar.name(bound);
            format!("{due} has shipped: {EXCUSE}")
        } else {
            "add an exception".to_owned()
        }
    }

    fn has_passed(&self, bound: Release) -> bool {
        self.model().calendar.current().is_some_and(|current| bound <= current)
    }

    /// The next step for an event that waits for another one without a release.
    pub(super) fn until_then(&self, declared: &Declared) -> String {
        self.until("then", declared)
    }

    /// The next step for an event that is not possible yet. The end of a life before another one cannot be deleted.
    pub(super) fn until(&self, when: &str, declared: &Declared) -> String {
        match self.joined(declared, Release::NEVER) {
            Some(joined) => joined,
            None => format!("delete `{}` until {when}", key_of(self.model(), declared.event.what)),
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
}

/// The key that declares an event.
pub(super) fn key_of(model: &Model, what: EventKind) -> Cow<'static, str> {
    match what {
        EventKind::Promoted => "since".into(),
        EventKind::Stored => "storage".into(),
        other => model.declaring_key(other),
    }
}
