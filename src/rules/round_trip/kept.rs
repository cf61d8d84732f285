//! Members that might be removed before the last life of their version ends, but stay as the counterparts of others.

use std::cmp::Reverse;

use crate::diagnostic::Severity;
use crate::model::{ElementId, Event, EventKind, Kind, Member, Model, StandIns};
use crate::obligation::{Demand, Obligation, Scope, Term};
use crate::rules::Service;

use super::gaps::{Releases, services};
use super::is_converted;

/// The obligations of such members to stay for as long as another version has them: of several, the last one.
pub(in crate::rules) fn kept(
    scope: &Scope<'_>,
    releases: &Releases<'_>,
    may_leave: &dyn Fn(Event) -> bool,
) -> Vec<Obligation> {
    let mut out = Vec::new();
    for kind in scope.model.judged_groups().flat_map(|group| &group.kinds) {
        let stand_ins = kind.stand_ins();
        for member in kind.members.iter().filter(|member| is_converted(member)) {
            counterparts(scope, releases, (kind, &stand_ins, member), may_leave, &mut out);
        }
    }
    out
}

fn counterparts(
    scope: &Scope<'_>,
    releases: &Releases<'_>,
    (kind, stand_ins, member): (&Kind, &StandIns<'_>, &Member),
    may_leave: &dyn Fn(Event) -> bool,
    out: &mut Vec<Obligation>,
) {
    let model = scope.model;
    let own = member.versions.iter().enumerate();
    let own: Vec<(usize, ElementId)> = own.filter_map(|(at, element)| Some((at, (*element)?))).collect();
    let under_other_names = under_other_names(kind, stand_ins, member);
    if own.len() + under_other_names.len() < 2 {
        return;
    }
    let leaving = leaving(model, (stand_ins, member), &own, may_leave);
    if leaving.is_empty() {
        return;
    }
    let mut served: Vec<(usize, ElementId, Service)> = own
        .iter()
        .chain(&under_other_names)
        .flat_map(|(at, element)| {
            services(model, releases, *element)
                .into_iter()
                .map(|service| (*at, *element, service))
        })
        .collect();
    served.sort_by_key(|(.., service)| Reverse(service.until));
    for (at, removed) in leaving {
        let Some(owner) = kind.versions[at] else { continue };
        let open = model.calendar.next();
        let there = services(model, releases, owner).into_iter();
        let there: Vec<Service> = there.filter(|service| service.until > open).collect();
        // A declared end is found to leave the other without a counterpart, and not a second time to be too early.
        let is_declared = model.find_declared(removed).is_some();
        let mut counted = served
            .iter()
            .filter(|(_, element, _)| !is_declared || member.versions.contains(&Some(*element)));
        let last = counted.find_map(|(other, element, service)| {
            let both = there.iter().filter_map(|own| own.overlap(*service)).max();
            Some((*element, both.filter(|_| *other != at && service.until > open)?))
        });
        let Some((last, both)) = last else { continue };
        let track = model.track_at(last, open);
        if scope.severity("no-counterpart", track, open) < Some(Severity::Error) {
            continue;
        }
        let Some(end) = last_end(model, releases, last) else {
            continue;
        };
        // An earlier life of its version ends before both are served again.
        let with_owner = model.owner_removals(removed);
        let with_owner = with_owner.filter(|end| releases(*end).is_none_or(|end| end > both));
        let terms = std::iter::once(end).chain(with_owner).map(Term::at).collect();
        let because = "a field or value stays while another version that is served has it";
        let demand = Demand::not_before_any(terms);
        out.extend(demand.map(|demand| scope.obligation("no-counterpart", removed, demand, because)));
    }
}

/// The members by which other versions represent a member, and those that it represents.
fn under_other_names(kind: &Kind, stand_ins: &StandIns<'_>, member: &Member) -> Vec<(usize, ElementId)> {
    let own = member.reference();
    let mut found = Vec::new();
    for (at, name) in &member.represented {
        let named = kind.members.iter().find(|other| *other.reference() == *name.text);
        found.extend(named.and_then(|other| Some((*at, other.versions[*at]?))));
    }
    for at in (0..member.versions.len()).filter(|at| member.versions[*at].is_some()) {
        let represented = stand_ins.of(at, &own).iter().map(|(.., other)| other);
        let elements = represented.flat_map(|other| other.versions.iter().enumerate());
        found.extend(elements.filter_map(|(other, element)| Some((other, (*element)?))));
    }
    found
}

/// The ends that may come before that of the version: of a counterpart, of what may leave it, and of what has lives of
/// its own.
fn leaving(
    model: &Model,
    (stand_ins, member): (&StandIns<'_>, &Member),
    own: &[(usize, ElementId)],
    may_leave: &dyn Fn(Event) -> bool,
) -> Vec<(usize, Event)> {
    let name = member.reference();
    let ends = own
        .iter()
        .map(|(at, element)| (*at, model.last_event(*element, EventKind::Removed)));
    let leaving = ends.filter(|(at, removed)| {
        let is_counterpart = !stand_ins.of(*at, &name).is_empty();
        is_counterpart || may_leave(*removed) || model.owner_removals(*removed).nth(1).is_some()
    });
    leaving.collect()
}

/// The removal of the last life of an element that begins.
fn last_end(model: &Model, releases: &Releases<'_>, element: ElementId) -> Option<Event> {
    let lives = (0..model.lives(element)).rev();
    let mut begins = lives.map(|life| Event::new(element, life, EventKind::Introduced));
    let begun = begins.find(|begin| releases(*begin).is_some())?;
    Some(begun.sibling(EventKind::Removed))
}
