#![doc = include_str!("round-trip.md")]

mod partners;

use std::collections::HashSet;

use crate::model::{ElementId, ElementKind, Event, EventKind, Group, Kind, Member, Model, StandIns, Text};
use crate::obligation::{Demand, Obligation, Obligations, Scope, Term};
use crate::policy::RuleKeys;

use super::Rule;
use partners::{Partners, has_few_gaps};

pub(super) const RULE: Rule = Rule {
    slug: "round-trip",
    page: include_str!("round-trip.md"),
    codes: &["no-counterpart", "zero-default", "default-differs"],
    keys: RuleKeys {
        exemptions: &["missing-resource"],
        ..RuleKeys::NONE
    },
    state,
};

const BECAUSE: &str = "an object converts to another version and back without loss";

/// Values that a client that does not know the field cannot distinguish from unset.
const ZEROES: &[&str] = &["", "0", "0.0", "false", "[]", "{}"];

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    let few = has_few_gaps(scope.model);
    for group in &scope.model.groups {
        for kind in &group.kinds {
            missing_resources(scope, out, group, kind);
            let names = Names::of(scope.model, kind, few);
            for member in kind.members.iter().filter(|member| is_converted(member)) {
                for at in 0..kind.versions.len() {
                    counterparts(scope, out, group, kind, &names, member, at);
                }
                defaults(scope, out, member);
            }
        }
    }
}

/// Fields and values carry data; subresources and annotations need no counterpart.
fn is_converted(member: &Member) -> bool {
    matches!(member.kind, ElementKind::Field | ElementKind::EnumValue)
}

/// The names of a kind's members, which of them represent others, and which versions are compared.
struct Names<'k> {
    known: HashSet<&'k str>,
    stand_ins: StandIns<'k>,
    partners: Partners,
}

impl<'k> Names<'k> {
    fn of(model: &Model, kind: &'k Kind, few: bool) -> Self {
        Self {
            known: kind.members.iter().map(|member| &*member.name).collect(),
            stand_ins: kind.stand_ins(),
            partners: Partners::of(model, &kind.versions, few),
        }
    }
}

/// A member of one version has a counterpart in every other version of the kind while both are served.
fn counterparts(
    scope: &Scope<'_>,
    out: &mut Obligations,
    group: &Group,
    kind: &Kind,
    names: &Names<'_>,
    member: &Member,
    at: usize,
) {
    let (Some(element), Some(own)) = (member.versions[at], kind.versions[at]) else {
        return;
    };
    for other_at in names.partners.of_version(at) {
        let Some(other) = kind.versions[other_at] else {
            continue;
        };
        let represented = member.represented.iter().find(|(version, _)| *version == other_at);
        if let Some((_, name)) = represented {
            if !name.text.starts_with('@') && !names.known.contains(name.text.as_str()) {
                unknown_counterpart(scope, out, element, name);
            }
            continue;
        }
        let reference = member.reference();
        let mut owners = names.stand_ins.owners(at, &reference);
        if owners.any(|owner| owner == other_at) {
            continue;
        }
        let pair = Pair {
            element,
            own,
            other,
            counterpart: member.versions[other_at],
        };
        if let Some(obligation) = pair.lossless(scope, group.versions[other_at].name.as_str()) {
            out.push(obligation);
        }
    }
}

/// A member of one version of a kind, and another version of the kind.
struct Pair {
    element: ElementId,
    own: ElementId,
    other: ElementId,
    counterpart: Option<ElementId>,
}

impl Pair {
    /// The later of the member and the other version is introduced once there is a counterpart, or one of them is
    /// removed.
    fn lossless(&self, scope: &Scope<'_>, other_version: &str) -> Option<Obligation> {
        let model = scope.model;
        let [member, other, counterpart] = [Some(self.element), Some(self.other), self.counterpart]
            .map(|id| Some(model.declared(id?, EventKind::Introduced)?.release));
        let (member, other) = (member?, other?);
        if counterpart.is_some_and(|counterpart| counterpart <= member.max(other)) {
            return None;
        }
        let (later, mut terms) = if member >= other {
            (self.element, vec![removal(self.other)])
        } else {
            (self.other, vec![removal(self.element), removal(self.own)])
        };
        let event = Event::new(later, 0, EventKind::Introduced);
        terms.extend(self.counterpart.map(|counterpart| Term::at(event.of(counterpart))));
        let id = model.id(self.element);
        let message = format!(
            "{id} has no counterpart in {}, which is served at the same time: an object converted there and back loses it",
            model.id(self.other)
        );
        let help = format!(
            "add the field to {other_version} in the same release, or declare where it is kept: {other_version} = {{ represented-as = \"…\" }}"
        );
        let obligation = scope
            .obligation("no-counterpart", event, Demand::not_before_any(terms)?, BECAUSE)
            .message(message)
            .place(model.element(self.element).span)
            .related(model.element(self.other).span, "served at the same time")
            .help(help);
        Some(obligation)
    }
}

fn removal(element: ElementId) -> Term {
    Term::at(Event::new(element, 0, EventKind::Removed))
}

fn unknown_counterpart(scope: &Scope<'_>, out: &mut Obligations, element: ElementId, name: &Text) {
    let event = Event::new(element, 0, EventKind::Introduced);
    let message = format!(
        "{} is declared as represented by `{}`, which the kind does not have",
        scope.model.id(element),
        name.text
    );
    let unknown = scope.obligation("no-counterpart", event, Demand::Requires(false), BECAUSE);
    let help = "declare that field, or write an annotation as \"@name\"";
    out.push(unknown.message(message).place(name.span).help(help));
}

/// A kind that some versions lack, unless the policy exempts it.
fn missing_resources(scope: &Scope<'_>, out: &mut Obligations, group: &Group, kind: &Kind) {
    if scope.law_at(None).is_none_or(|law| law.exempts("missing-resource")) {
        return;
    }
    let model = scope.model;
    for element in kind.versions.iter().flatten() {
        for (at, version) in group.versions.iter().enumerate() {
            if kind.versions[at].is_some() || model.declared(version.element, EventKind::Introduced).is_none() {
                continue;
            }
            let event = Event::new(*element, 0, EventKind::Introduced);
            let removed = removal(version.element);
            let obligation = scope
                .obligation("no-counterpart", event, Demand::NotBefore(removed), BECAUSE)
                .message(format!("{} is missing from {}", model.id(*element), version.name))
                .help("serve the kind in all versions of the group, or exempt \"missing-resource\" in the policy");
            out.push(obligation);
        }
    }
}

fn default(model: &Model, element: ElementId) -> Option<&Text> {
    model.attributes(element)?.default.as_deref()
}

/// A default is the same in all versions, and not a zero value.
fn defaults(scope: &Scope<'_>, out: &mut Obligations, member: &Member) {
    let model = scope.model;
    let present: Vec<ElementId> = member.versions.iter().flatten().copied().collect();
    // The default that shipped first counts; of several in one release, that of the oldest version.
    let with_default = present.iter().rev().filter_map(|id| Some((*id, default(model, *id)?)));
    let first =
        with_default.min_by_key(|(id, _)| model.declared(*id, EventKind::Introduced).map(|begin| begin.release));
    let Some((first, value)) = first else { return };
    for id in &present {
        let event = Event::new(*id, 0, EventKind::Introduced);
        let own = default(model, *id);
        if let Some(own) = own {
            let demand = Demand::Requires(!ZEROES.contains(&own.text.as_str()));
            let message = format!("the default of {} is a zero value", model.id(*id));
            let zero = scope.obligation(
                "zero-default",
                event,
                demand,
                "a default is not a zero value, which looks like unset",
            );
            let help = "remove the default, and let unset mean what the zero value means";
            out.push(zero.message(message).place(own.span).help(help));
        }
        let demand = Demand::Requires(own.is_some_and(|own| own.text == value.text));
        let because = "an unset field means the same in every version";
        let (id, place) = (model.id(*id), own.map_or(model.element(*id).span, |own| own.span));
        let message = format!(
            "the default of {id} differs from that of {} ({})",
            model.id(first),
            value.text
        );
        let differs = scope.obligation("default-differs", event, demand, because);
        let differs = differs.message(message).place(place);
        let differs = differs.related(value.span, "the other default");
        out.push(differs.help("set the same default in every version"));
    }
}
