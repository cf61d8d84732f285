//! Members that might be removed before the last life of their version ends, but stay as the counterparts of others.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

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
        let names = OtherNames::of(kind);
        for member in &kind.members {
            counterparts(scope, releases, (kind, &names, member), may_leave, &mut out);
        }
    }
    out
}

/// Which members are represented by others, and by which.
struct OtherNames<'k> {
    stand_ins: StandIns<'k>,
    /// Those by which others are represented, by their names.
    by_name: HashMap<Cow<'k, str>, &'k Member>,
    /// The elements of members that are represented, or by which others are. What is within other fields is only
    /// missed with them.
    renamed: HashSet<ElementId>,
}

impl<'k> OtherNames<'k> {
    fn of(kind: &'k Kind) -> Self {
        let represented = kind.members.iter().flat_map(|member| &member.represented);
        let names: HashSet<&str> = represented.map(|(_, name)| &*name.text).collect();
        let members = kind.members.iter().filter(|_| !names.is_empty());
        let named = members.map(|member| (member.reference(), member));
        let by_name: HashMap<_, _> = named.filter(|(name, _)| names.contains(&**name)).collect();
        let represented = kind.members.iter().filter(|member| !member.represented.is_empty());
        let renamed = represented.chain(by_name.values().copied());
        Self {
            renamed: renamed
                .flat_map(|member| member.versions.iter().copied().flatten())
                .collect(),
            by_name,
            stand_ins: kind.stand_ins(),
        }
    }

    /// The elements that represent a member in other versions, or are represented by it: the version for which one is
    /// the counterpart, its own, and the element. What is there for others alone stays by the rule of removals.
    fn of_member(&self, member: &Member) -> Vec<(usize, usize, ElementId)> {
        let own = (0..member.versions.len()).filter(|at| member.versions[*at].is_some());
        let own: Vec<usize> = own.collect();
        let mut found = Vec::new();
        for (other, name) in &member.represented {
            let named = self.by_name.get(&*name.text);
            let Some((named, element)) = named.and_then(|named| Some((named, named.versions[*other]?))) else {
                continue;
            };
            // Where a version has the other name too, that is the counterpart.
            let versions = own.iter().filter(|at| named.versions[**at].is_none());
            found.extend(versions.map(|at| (*at, *other, element)));
        }
        let name = member.reference();
        let is_for_itself = own.iter().any(|at| self.stand_ins.of(*at, &name).is_empty());
        for at in own.into_iter().filter(|_| is_for_itself) {
            for (.., represented) in self.stand_ins.of(at, &name) {
                let others = represented.versions.iter().enumerate();
                let others = others.filter(|(other, _)| *other != at);
                found.extend(others.filter_map(|(other, element)| Some((at, other, (*element)?))));
            }
        }
        found
    }
}

/// Another version that has a member.
struct Counterpart {
    at: usize,
    element: ElementId,
    service: Service,
    /// The version for which it is one, if it is so under another name.
    of: Option<usize>,
}

fn counterparts(
    scope: &Scope<'_>,
    releases: &Releases<'_>,
    (kind, names, member): (&Kind, &OtherNames<'_>, &Member),
    may_leave: &dyn Fn(Event) -> bool,
    out: &mut Vec<Obligation>,
) {
    let model = scope.model;
    let own = member.versions.iter().enumerate();
    let own: Vec<(usize, ElementId)> = own.filter_map(|(at, element)| Some((at, (*element)?))).collect();
    let leaving = leaving(model, (names, member), &own, may_leave);
    if leaving.is_empty() {
        return;
    }
    let served = served(model, releases, (names, member), &own);
    for (at, removed) in leaving {
        let Some(owner) = kind.versions[at] else { continue };
        let open = model.calendar.next();
        let there = services(model, releases, owner).into_iter();
        let there: Vec<Service> = there.filter(|service| service.until > open).collect();
        // A declared end that leaves a field without its counterpart under another name is found as that gap alone.
        let is_declared = model.find_declared(removed).is_some();
        let mut counted = served
            .iter()
            .filter(|other| other.of.is_none_or(|of| of == at && !is_declared));
        let last = counted.find_map(|other| {
            let both = there.iter().filter_map(|own| own.overlap(other.service)).max();
            Some((
                other.element,
                both.filter(|_| other.at != at && other.service.until > open)?,
            ))
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
        let with_owner = model.owner_removal(removed);
        let with_owner = with_owner.filter(|end| releases(*end).is_none_or(|end| end > both));
        let terms = std::iter::once(end).chain(with_owner).map(Term::at).collect();
        let because = "a field or value stays while another version that is served has it";
        let demand = Demand::not_before_any(terms);
        out.extend(demand.map(|demand| scope.obligation("no-counterpart", removed, demand, because)));
    }
}

/// When each version has a member, also under another name, the last to end first. An annotation is needed only where
/// it is the other name of a field.
fn served(
    model: &Model,
    releases: &Releases<'_>,
    (names, member): (&OtherNames<'_>, &Member),
    own: &[(usize, ElementId)],
) -> Vec<Counterpart> {
    let others = names.of_member(member).into_iter();
    let others = others.map(|(of, at, element)| (at, element, Some(of)));
    let own = own.iter().filter(|_| is_converted(member));
    let all = own.map(|(at, element)| (*at, *element, None)).chain(others);
    let mut served: Vec<Counterpart> = all
        .flat_map(|(at, element, of)| {
            let services = services(model, releases, element).into_iter();
            services.map(move |service| Counterpart {
                at,
                element,
                service,
                of,
            })
        })
        .collect();
    served.sort_by_key(|other| Reverse(other.service.until));
    served
}

/// The ends that may come before that of the version: of a counterpart, of what may leave it, and of the fields around
/// it that may, with which it would end.
fn leaving(
    model: &Model,
    (names, member): (&OtherNames<'_>, &Member),
    own: &[(usize, ElementId)],
    may_leave: &dyn Fn(Event) -> bool,
) -> Vec<(usize, Event)> {
    let name = member.reference();
    let ends = own.iter().flat_map(|(at, element)| {
        let removed = model.last_event(*element, EventKind::Removed);
        let is_counterpart = !names.stand_ins.of(*at, &name).is_empty();
        let itself = (is_counterpart || may_leave(removed)).then_some(removed);
        let owners = std::iter::successors(model.owner(*element), |owner| model.owner(*owner));
        let fields = owners.take_while(|owner| model.element(*owner).kind.is_member());
        let fields = fields.filter(|field| names.renamed.contains(field));
        let around = fields.map(|field| model.last_event(field, EventKind::Removed));
        let all = itself.into_iter().chain(around.filter(|end| may_leave(*end)));
        all.map(|removed| (*at, removed))
    });
    ends.collect()
}

/// The removal of the last life of an element that begins.
fn last_end(model: &Model, releases: &Releases<'_>, element: ElementId) -> Option<Event> {
    let lives = (0..model.lives(element)).rev();
    let mut begins = lives.map(|life| Event::new(element, life, EventKind::Introduced));
    let begun = begins.find(|begin| releases(*begin).is_some())?;
    Some(begun.sibling(EventKind::Removed))
}
