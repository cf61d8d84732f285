#![doc = include_str!("preferred-and-storage.md")]

mod lives;
mod overlap;
mod stored;
mod walk;

use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::obligation::{Demand, LastRemoval, Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys};
use crate::release::Window;

use super::Rule;

use lives::lives;

pub(crate) use lives::declared_moves;
pub(super) use overlap::{overlapped_in, overlaps, overlaps_of};
pub(crate) use walk::{Candidate, Candidates, MoveLaw, Permission, Service};

pub(super) const RULE: Rule = Rule {
    slug: "preferred-and-storage",
    page: include_str!("preferred-and-storage.md"),
    codes: &[
        "early",
        "no-overlap",
        "two-at-once",
        "not-served",
        "still-preferred",
        "still-stored",
        "migrated-too-early",
        "dropped-early",
    ],
    keys: RuleKeys {
        exemptions: &["alpha-gone"],
        ..RuleKeys::of(&[(Class::All, &[Key::Overlap, Key::MigrateAfter])])
    },
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in scope.model.judged_groups() {
        let versions: Vec<ElementId> = group.versions.iter().map(|version| version.element).collect();
        moves(scope, out, &versions, EventKind::Preferred);
        stored::served_until_dropped(scope, out, group);
        for kind in &group.kinds {
            let versions: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
            moves(scope, out, &versions, EventKind::Stored);
            stored::migrated_and_dropped(scope, out, group, kind);
        }
    }
}

fn moves(scope: &Scope<'_>, out: &mut Obligations, versions: &[ElementId], what: EventKind) {
    let moves = declared_moves(scope.model, versions, what);
    for declared in &moves {
        served(scope, out, declared);
        stays_for(scope, out, declared);
    }
    for pair in moves.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        if from.release == to.release {
            two_at_once(scope, out, from, to);
            continue;
        }
        let served_together = advance(scope, out, from, to);
        let (code, because) = match what {
            EventKind::Preferred => ("still-preferred", "a preferred version stays served"),
            _ => ("still-stored", "a storage version stays served"),
        };
        for removed in gaps(scope.model, from, to) {
            scope.not_before(out, code, removed, Term::at(to.event), because);
        }
        let Some(last) = LastRemoval::of(scope.model, from.event.element) else {
            continue;
        };
        last.demand(|removed| scope.obligation(code, removed, Demand::NotBefore(Term::at(to.event)), because))
            .for_each(|obligation| out.push(obligation));
        if let Some(overlap) = served_together.filter(|overlap| is_open(scope, *overlap)) {
            let because = "the version that a move starts from stays served";
            last.demand(|removed| scope.obligation("no-overlap", removed, Demand::NotBefore(overlap), because))
                .for_each(|obligation| out.push(obligation));
        }
    }
}

/// The ends of earlier lives of a version that nothing serves then, although no move has taken place yet.
fn gaps(model: &Model, from: &Declared, to: &Declared) -> Vec<Event> {
    let lives = lives(model, from.event.element);
    let ends = lives.iter().filter(|(service, begin)| {
        let end = service.until;
        let mut others = lives.iter().filter(|(other, _)| other.since <= end);
        let is_last = begin.life == model.last_life(begin.element);
        !is_last && from.release < end && end < to.release && others.all(|(other, _)| other.until <= end)
    });
    ends.map(|(_, begin)| begin.sibling(EventKind::Removed)).collect()
}

/// Whether the overlap with the next version ends after the next release.
fn is_open(scope: &Scope<'_>, overlap: Term) -> bool {
    let calendar = &scope.model.calendar;
    let begin = overlap.event().and_then(|begin| scope.model.declared_release(begin));
    begin.is_some_and(|begin| overlap.worth(calendar, begin).release > calendar.next())
}

/// Only a served version is preferred or the storage version.
fn served(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared) {
    let model = scope.model;
    let because = "only a served version is preferred or the storage version";
    let begins = model.served_by(declared.event.element).into_iter();
    let begins = begins.map(|part| Term::at(Event::new(part, 0, EventKind::Introduced)));
    if let Some(demand) = Demand::not_before_any(begins.collect()) {
        out.push(scope.obligation("not-served", declared.event, demand, because));
    }
    let is_removed = lives(model, declared.event.element)
        .iter()
        .all(|(service, _)| service.until <= declared.release);
    if is_removed {
        let message = format!(
            "{} {} in {}, when it is no longer served",
            model.id(declared.event.element),
            declared.event.what.verb(),
            model.calendar.name(declared.release)
        );
        let forbidden = scope.obligation("not-served", declared.event, Demand::Forbidden, because);
        out.push(
            forbidden
                .message(message)
                .help_unless_shipped("move while both versions are served")
                .impossible(),
        );
    }
}

/// What is declared does not move: a version that a move to come names is served in the release of the move. Where a
/// kind is declared to end after that, the others may go.
fn stays_for(scope: &Scope<'_>, out: &mut Obligations, to: &Declared) {
    let (model, version) = (scope.model, to.event.element);
    if to.release < model.calendar.next() {
        return;
    }
    let removed = model.last_event(version, EventKind::Removed);
    let parts = model.served_by(version).into_iter();
    let ends = parts.map(|part| model.last_event(part, EventKind::Removed));
    let later = ends.filter(|end| model.declared_release(*end) > Some(to.release));
    let later: Vec<Event> = later.collect();
    let last = match later.as_slice() {
        // A declared end before that is reported as the move of a version that is no longer served.
        [] => LastRemoval::of(model, version).filter(|_| model.declared_end(version).is_none()),
        [only] => Some(LastRemoval::Of(*only)),
        // Each of them may go, because another one stays.
        _ => Some(LastRemoval::Of(removed)).filter(|_| model.declared_release(removed) > Some(to.release)),
    };
    if let Some(last) = last {
        let because = "a version is served in the release in which it becomes preferred or the storage version";
        let demand = Demand::NotBefore(Term::after(to.event, Window::new(0, 1)));
        last.demand(|removed| scope.obligation("not-served", removed, demand.clone(), because))
            .for_each(|obligation| out.push(obligation));
    }
}

fn two_at_once(scope: &Scope<'_>, out: &mut Obligations, first: &Declared, second: &Declared) {
    let model = scope.model;
    let message = format!(
        "{} {} in {}, and so does {}",
        model.id(first.event.element),
        second.event.what.verb(),
        model.calendar.name(second.release),
        model.id(second.event.element)
    );
    let because = "a group has one preferred version, and a kind one storage version";
    let obligation = scope.obligation("two-at-once", second.event, Demand::Forbidden, because);
    let obligation = obligation.message(message).related(first.span, "the other version");
    out.push(
        obligation
            .help_unless_shipped("keep one of the two moves in this release")
            .impossible(),
    );
}

/// A move happens in a release after one that served both versions. Returns how long the old one stays for that.
fn advance(scope: &Scope<'_>, out: &mut Obligations, from: &Declared, to: &Declared) -> Option<Term> {
    let model = scope.model;
    let law = MoveLaw::new(scope.law_at(Some(to)));
    let (old, new) = (from.event.element, to.event.element);
    let (old_lives, new_lives) = (lives(model, old), lives(model, new));
    let both = old_lives
        .iter()
        .flat_map(|(old, old_life)| {
            let new_lives = new_lives.iter();
            new_lives.filter_map(|(new, new_life)| Some((old.overlap(*new)?, *old_life, *new_life)))
        })
        .min();
    let services: Vec<Service> = old_lives.iter().map(|(service, _)| *service).collect();
    let overlapped = both.is_some_and(|(since, ..)| since < to.release);
    if !overlapped && law.needs_none(&services, model.element(old).track, to.release) {
        return None;
    }
    let because = "a move happens after a release that served both versions";
    let (lives, begin) = match both {
        Some((_, old_life, new_life)) => (vec![old_life, new_life], Some(new_life)),
        None => {
            let begin = new_lives
                .iter()
                .map(|(_, begin)| *begin)
                .find(|begin| ended_first(model, old, *begin));
            (begin.into_iter().collect(), begin)
        }
    };
    for life in lives {
        scope.not_before(out, "early", to.event, Term::after(life, law.overlap), because);
    }
    if begin.is_none() {
        let (id, verb, old) = (model.id(new), to.event.what.verb(), model.id(old));
        let message = format!("{id} {verb} after {old}, but no release serves both");
        let obligation = scope.obligation("no-overlap", to.event, Demand::Forbidden, because);
        let obligation = obligation.message(message).related(from.span, "the previous version");
        out.push(
            obligation.help_unless_shipped("serve the old version for one more release, together with the new one"),
        );
    }
    begin.map(|begin| Term::after(begin, law.overlap))
}

/// Whether the end of a version is declared, has not shipped, and is not after the begin of another one.
fn ended_first(model: &Model, version: ElementId, begin: Event) -> bool {
    let end = model.declared_end(version);
    let since = model.declared_release(begin);
    end.is_some_and(|end| end >= model.calendar.next() && since >= Some(end))
}
