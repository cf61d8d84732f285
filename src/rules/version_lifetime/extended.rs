//! How long a version stays served because its members still change.

use std::collections::BTreeMap;

use crate::model::{Declared, ElementId, Event, EventKind, Group, Kind, Member, Model};
use crate::obligation::{Demand, Obligation, Obligations, Principle, Scope, Source, Term, needs_owner};
use crate::policy::Class;
use crate::release::{Release, Window};

const EXTENDED: &str = "a version that is extended stays served";

/// A version is served while its members change, as far as these changes are declared for that version.
///
/// What an entry declares for all versions is true of those that are still served; one is, if it is the only one that
/// has the member.
pub(super) fn extended(scope: &Scope<'_>, out: &mut Obligations, group: &Group) {
    let model = scope.model;
    for kind in &group.kinds {
        for (at, owner) in kind.versions.iter().enumerate() {
            let Some(owner) = *owner else { continue };
            let removed = model.last_event(owner, EventKind::Removed);
            let members = kind
                .members
                .iter()
                .filter_map(|member| Some((member, member.versions[at]?)));
            let declared = members.flat_map(|(member, part)| {
                let own = model.declared_of(part).iter();
                own.filter(move |declared| {
                    member.needs_its_version(model, declared) && !comes_after_its_field(model, declared)
                })
            });
            scope.stays_for_parts(out, ("early", removed), declared, EXTENDED);
        }
        for (keeper, last) in kept_for_all(scope, group, kind) {
            let removed = scope.model.last_event(keeper, EventKind::Removed);
            let demand = Demand::NotBefore(Term::after(last, Window::new(0, 1)));
            out.push(Obligation {
                source: Source::Plan(Principle::P5),
                ..scope.obligation("early", removed, demand, EXTENDED)
            });
        }
    }
}

/// Whether something is declared of what is within a field that is removed by then: it never happens.
fn comes_after_its_field(model: &Model, declared: &Declared) -> bool {
    let owners = std::iter::successors(model.owner(declared.event.element), |owner| model.owner(*owner));
    let mut fields = owners.take_while(|owner| model.element(*owner).kind.is_member());
    fields.any(|field| {
        let end = model.find_declared(model.last_event(field, EventKind::Removed));
        end.is_some_and(|end| end.release <= declared.release)
    })
}

/// Finds the versions that the plan keeps, each with the last event that it is kept for: one of several without a
/// declared end, of which an entry declares the event for all. The law lets any of them be removed as long as another
/// one has the member.
fn kept_for_all(scope: &Scope<'_>, group: &Group, kind: &Kind) -> BTreeMap<ElementId, Event> {
    let model = scope.model;
    let mut kept: BTreeMap<ElementId, (Release, Event)> = BTreeMap::new();
    for member in &kind.members {
        let parts = member.versions.iter().flatten();
        let shared = parts.flat_map(|part| model.declared_of(*part));
        let shared = shared.filter(|own| needs_owner(own.event.what) && !member.is_of_one_version(own));
        let shared = shared.filter(|own| !model.is_back_with_owner(own.event));
        let open = shared.filter(|own| own.release >= model.calendar.next());
        // A version may be served again only after some of them.
        let by_release: BTreeMap<Release, &Declared> = open.map(|own| (own.release, own)).collect();
        for declared in by_release.into_values() {
            let Some((keeper, part)) = keeper(scope, group, (kind, member), declared) else {
                continue;
            };
            let last = (declared.release, own_event(model, part, declared));
            kept.entry(keeper)
                .and_modify(|known| *known = last.max(*known))
                .or_insert(last);
        }
    }
    kept.into_iter().map(|(keeper, (_, last))| (keeper, last)).collect()
}

/// The event of a part by an entry for several versions. It may be of another life than in a version that begins later,
/// or of another release than in one that is not served in that of the entry.
fn own_event(model: &Model, part: ElementId, declared: &Declared) -> Event {
    let own = model.declared_of(part).iter();
    let mut own = own.filter(|own| own.event.what == declared.event.what);
    let alike = own.clone().find(|own| own.release == declared.release);
    let same = alike.or_else(|| own.find(|own| own.span == declared.span));
    same.map_or_else(|| declared.event.of(part), |own| own.event)
}

/// The kind and the member in the version that is kept for an event: one that waits for a major release anyway, or else
/// one that is not deprecated, or else the most eligible as the preferred one. `None` if only one version can have the
/// event, or the declared end of one comes after it.
fn keeper(
    scope: &Scope<'_>,
    group: &Group,
    (kind, member): (&Kind, &Member),
    declared: &Declared,
) -> Option<(ElementId, ElementId)> {
    let model = scope.model;
    let there = (0..kind.versions.len()).filter_map(|at| Some((at, kind.versions[at]?, member.versions[at]?)));
    let there = there.filter(|(.., part)| Member::may_have(model, *part, declared));
    let there: Vec<(usize, ElementId, ElementId)> = there.collect();
    let mut ends = there
        .iter()
        .map(|(_, kind, _)| last_declared(model, *kind, EventKind::Removed));
    if there.len() < 2 || ends.any(|end| end.is_some()) {
        return None;
    }
    let best = there.into_iter().max_by(|one, other| {
        let [stays, others] = [one, other].map(|(_, kind, _)| {
            let deprecated = last_declared(model, *kind, EventKind::Deprecated);
            (waits_for_major(scope, *kind), deprecated.is_none())
        });
        let [name, others_name] = [one, other].map(|(at, ..)| &group.versions[*at].name);
        stays.cmp(&others).then_with(|| name.rank(others_name))
    });
    best.map(|(_, kind, part)| (kind, part))
}

/// Whether a kind in a version is removed in a major release only.
fn waits_for_major(scope: &Scope<'_>, kind: ElementId) -> bool {
    let class = Class::from(scope.model.track_at(kind, Release::NEVER));
    let law = scope.law.at(Release::NEVER);
    law.is_some_and(|law| law.next_major.contains(&class))
}

fn last_declared(model: &Model, kind: ElementId, what: EventKind) -> Option<&Declared> {
    model.in_force(model.last_event(kind, what))
}
