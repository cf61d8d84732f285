#![doc = include_str!("round-trip.md")]

mod gaps;
mod kept;
mod lacks;

use std::collections::HashSet;

use crate::model::{ElementId, ElementKind, Event, EventKind, Group, Kind, Member, Model, Text};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::RuleKeys;

use super::Rule;

pub(super) use gaps::gaps;
pub(super) use kept::kept;

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
    for group in scope.model.judged_groups() {
        for kind in &group.kinds {
            missing_resources(scope, out, group, kind);
            let known = members_named(kind);
            for member in kind.members.iter().filter(|member| is_converted(member)) {
                targets(scope, out, &known, member);
                defaults(scope, out, member);
            }
        }
    }
}

/// The names of the members, if one of them is represented by a member.
fn members_named(kind: &Kind) -> HashSet<&str> {
    let mut represented = kind.members.iter().flat_map(|member| &member.represented);
    let is_used = represented.any(|(_, name)| !name.text.starts_with('@'));
    let members = kind.members.iter().filter(|_| is_used);
    members.map(|member| &*member.name).collect()
}

/// Fields and values carry data; subresources and annotations need no counterpart.
fn is_converted(member: &Member) -> bool {
    matches!(member.kind, ElementKind::Field | ElementKind::EnumValue)
}

/// Targets of `represented-as` are members of the kind, or annotations.
fn targets(scope: &Scope<'_>, out: &mut Obligations, known: &HashSet<&str>, member: &Member) {
    for (_, name) in &member.represented {
        if !name.text.starts_with('@') && !known.contains(name.text.as_str()) {
            for element in member.versions.iter().flatten() {
                unknown_counterpart(scope, out, *element, name);
            }
        }
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
                .help_unless_shipped(
                    "serve the kind in all versions of the group, or exempt \"missing-resource\" in the policy",
                );
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
    let present = member.versions.iter().flatten();
    // The default that shipped first counts; of several in one release, that of the oldest version.
    let with_default = present.clone().rev().filter_map(|id| Some((*id, default(model, *id)?)));
    let first =
        with_default.min_by_key(|(id, _)| model.declared(*id, EventKind::Introduced).map(|begin| begin.release));
    let Some((first, value)) = first else { return };
    for id in present {
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
            out.push(zero.message(message).place(own.span).help_unless_shipped(help));
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
        out.push(differs.help_unless_shipped("set the same default in every version"));
    }
}
