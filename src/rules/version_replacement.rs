//! Nothing is deprecated in favor of something less stable.
//!
#![doc = include_str!("version-replacement.md")]

use std::collections::HashMap;

use crate::model::succession::{Succession, expected_announcement, in_kind, named, replacement_named};
use crate::model::{Declared, ElementId, Event, EventKind, Model, Reference, Version};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::RuleKeys;
use crate::release::Release;

use super::{Rule, chain_words};

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "version-replacement",
    title: "What replaces a version is at least as stable, exists, and outlives it.",
    page: include_str!("version-replacement.md"),
    codes: &[
        "less-stable",
        "unknown",
        "cycle",
        "deprecated-before",
        "gone-first",
        "comes-later",
        "no-replacement",
        "before-replacement",
    ],
    keys: RuleKeys {
        until_replacement: true,
        ..RuleKeys::NONE
    },
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in &scope.model.groups {
        for succession in Succession::of(scope.model, group) {
            for (at, element) in succession.line.iter().enumerate() {
                for life in 0..scope.model.lives(*element) {
                    let deprecated = Event::new(*element, life, EventKind::Deprecated);
                    judge(scope, out, (&succession, at), deprecated);
                }
            }
        }
    }
    rings(scope, out);
}

fn judge(scope: &Scope<'_>, out: &mut Obligations, (succession, at): (&Succession, usize), deprecated: Event) {
    let model = scope.model;
    let successor = succession.first_successor(model, at);
    let declared = model.deprecation(deprecated.element, deprecated.life);
    let announced = declared
        .map(|declared| declared.release)
        .or_else(|| expected_announcement(model, deprecated, successor));
    let Some(law) = scope.law.at(announced.unwrap_or(Release::NEVER)) else {
        return;
    };
    if law.until_replacement {
        // The rule speaks of versions: a kind that its version's successor does not carry on is released by that one
        // too.
        let released = successor.or_else(|| version_released(model, deprecated.element));
        until_replacement(scope, out, released, deprecated);
    }
    let Some(declared) = declared else { return };
    let Some(reference) = named(model, deprecated.element) else {
        let there = succession.successor_at(model, at, declared.release).is_some();
        someone_serves(scope, out, there, declared);
        return;
    };
    let target = reference
        .target
        .and_then(|target| in_kind(model, deprecated.element, target));
    match target {
        None => unknown(scope, out, declared, reference),
        Some(target) if target == declared.event.element => {}
        Some(target) => judge_target(scope, out, declared, reference, target),
    }
}

/// The first life in any higher version of a kind's group that is at least as stable.
fn version_released(model: &Model, element: ElementId) -> Option<Event> {
    let version = model.element(element).parent?;
    let group = model.group_of(element)?;
    let track = model.element(element).track;
    let higher = group.versions.iter().take_while(|other| other.element != version);
    higher
        .filter(|other| model.element(other.element).track >= track)
        .flat_map(Version::bearers)
        .map(|bearer| Event::new(*bearer, 0, EventKind::Introduced))
        .filter_map(|event| Some((model.find_declared(event)?.release, event)))
        .min()
        .map(|(_, event)| event)
}

/// As the rule read until 2019: no deprecation until a version at least as stable has been released.
fn until_replacement(scope: &Scope<'_>, out: &mut Obligations, successor: Option<Event>, deprecated: Event) {
    let because = "nothing is deprecated until a version at least as stable is released";
    let obligation = match successor {
        Some(successor) => {
            let demand = Demand::NotBefore(Term::at(successor));
            scope.obligation("before-replacement", deprecated, demand, because)
        }
        None => {
            let id = scope.model.id(deprecated.element);
            scope
                .obligation("before-replacement", deprecated, Demand::Forbidden, because)
                .message(format!(
                    "{id} is deprecated, but no version at least as stable is released"
                ))
                .help("release its replacement first, and deprecate it then")
        }
    };
    out.push(obligation);
}

fn someone_serves(scope: &Scope<'_>, out: &mut Obligations, there: bool, declared: &Declared) {
    let model = scope.model;
    let because = "a deprecation names what to move to";
    let id = model.id(declared.event.element);
    let obligation = scope
        .obligation("no-replacement", declared.event, Demand::Requires(there), because)
        .message(format!("{id} is deprecated without a successor"))
        .help("if something replaces it, say so: `replacement = \"…\"`");
    out.push(obligation);
}

fn unknown(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference) {
    let model = scope.model;
    let because = "what replaces a version exists";
    let id = model.id(declared.event.element);
    let help = crate::diagnostic::did_you_mean(
        &reference.text,
        model.groups.iter().flat_map(|group| {
            let versions = group.versions.iter();
            versions.flat_map(|version| [version.name.as_str(), model.id(version.element)])
        }),
    );
    let obligation = scope
        .obligation("unknown", declared.event, Demand::Requires(false), because)
        .message(match reference.target {
            Some(target) => format!("the replacement of {id}, {}, does not have this kind", model.id(target)),
            None => format!(
                "the replacement of {id}, `{}`, is nothing this model declares",
                reference.text
            ),
        })
        .place(reference.span)
        .help(help.unwrap_or_else(|| "declare it, or write its id: \"apps/v1 Deployment\"".to_owned()));
    out.push(obligation);
}

fn judge_target(
    scope: &Scope<'_>,
    out: &mut Obligations,
    declared: &Declared,
    reference: &Reference,
    target: ElementId,
) {
    let model = scope.model;
    let event = declared.event;
    let (from, to) = (model.element(event.element).track, model.element(target).track);
    let because = "nothing is deprecated in favor of something less stable";
    let message = format!(
        "{} ({from}) is deprecated in favor of {} ({to}), which is less stable",
        model.id(event.element),
        model.id(target)
    );
    let stable = scope.obligation("less-stable", event, Demand::Requires(to >= from), because);
    let help = format!("name a replacement that is {from} or more stable");
    out.push(stable.message(message).place(reference.span).help(help));

    later(scope, out, declared, reference, target);
    let chain = chain(model, event.element, target);
    outlives(scope, out, declared, reference, &chain);
}

/// Links of a chain that are followed at most: past that nobody moves along it.
const LONGEST_CHAIN: usize = 100;

/// From a replacement along the replacements named, until one names none, or the chain goes round.
fn chain(model: &Model, element: ElementId, target: ElementId) -> Vec<ElementId> {
    let mut links = vec![target];
    while let Some(next) = links.last().and_then(|last| replacement_named(model, *last)) {
        if next == element || links.contains(&next) || links.len() >= LONGEST_CHAIN {
            break;
        }
        links.push(next);
    }
    links
}

/// Replacements that lead back to where they began, each ring told once, by the first of its links.
fn rings(scope: &Scope<'_>, out: &mut Obligations) {
    let model = scope.model;
    // Everything names at most one replacement, so each walk either ends or closes exactly one ring.
    let mut walk_of: HashMap<ElementId, ElementId> = HashMap::new();
    for (start, element) in model.elements() {
        if !(element.kind.is_version() || element.kind.is_kind()) || walk_of.contains_key(&start) {
            continue;
        }
        let mut walk = vec![start];
        walk_of.insert(start, start);
        while let Some(next) = walk.last().and_then(|last| next_link(model, *last)) {
            if let Some(owner) = walk_of.get(&next) {
                let from = walk.iter().position(|link| *link == next).filter(|_| *owner == start);
                if let Some(from) = from {
                    ring(scope, out, &walk[from..]);
                }
                break;
            }
            walk_of.insert(next, start);
            walk.push(next);
        }
    }
}

/// What an element's entry names, even if that is the element itself.
fn next_link(model: &Model, element: ElementId) -> Option<ElementId> {
    named(model, element).and_then(|reference| in_kind(model, element, reference.target?))
}

fn ring(scope: &Scope<'_>, out: &mut Obligations, links: &[ElementId]) {
    let model = scope.model;
    let begin = (0..links.len()).min_by_key(|at| links[*at]).unwrap_or(0);
    let in_order = links.iter().cycle().skip(begin).take(links.len() + 1);
    let links: Vec<ElementId> = in_order.copied().collect();
    // Of the links, the first that is deprecated: without a deprecation nobody is sent round.
    let told = links
        .iter()
        .find_map(|link| model.deprecation(*link, model.lives(*link) - 1));
    let (Some(declared), Some(reference)) = (told, told.and_then(|told| named(model, told.event.element))) else {
        return;
    };
    let obligation = scope
        .obligation(
            "cycle",
            declared.event,
            Demand::Requires(false),
            "replacements lead somewhere",
        )
        .message(format!(
            "replacements go round in a ring: {}",
            chain_words(model, &links)
        ))
        .place(reference.span)
        .help("let the chain of replacements end at what users should move to");
    out.push(obligation);
}

/// A named replacement that only comes later: others served the kind at the time, or nobody did, which is legal.
fn later(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference, target: ElementId) {
    let model = scope.model;
    let Some(begin) = model.declared(target, EventKind::Introduced) else {
        return;
    };
    let obligation = scope
        .obligation(
            "comes-later",
            declared.event,
            Demand::Requires(begin.release <= declared.release),
            "users can move when they are told to",
        )
        .message(format!(
            "{} is deprecated in {}, but its replacement {} comes only in {}",
            model.id(declared.event.element),
            model.calendar.name(declared.release),
            model.id(target),
            model.calendar.name(begin.release)
        ))
        .place(reference.span)
        .related(begin.span, "introduced here")
        .help("deprecate it when the replacement is there, or say in the notes what to use until then");
    out.push(obligation);
}

/// Somewhere along the chain is one that is neither deprecated before the element is, nor gone before it.
fn outlives(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference, chain: &[ElementId]) {
    let model = scope.model;
    let last_life = |link: &ElementId| model.lives(*link) - 1;
    let fresh = |link: &ElementId| {
        model
            .deprecation(*link, last_life(link))
            .is_none_or(|other| other.release >= declared.release)
    };
    if let (false, Some(end)) = (chain.iter().any(fresh), chain.last()) {
        let obligation = scope
            .obligation(
                "deprecated-before",
                declared.event,
                Demand::Requires(false),
                "what replaces a version is not itself on its way out",
            )
            .message(format!(
                "{} is deprecated in favor of {}, which was deprecated before it",
                model.id(declared.event.element),
                model.id(*end)
            ))
            .place(reference.span)
            .help("name what users should move to in the end");
        out.push(obligation);
    }
    let removed = |link: &ElementId| {
        let event = Event::new(*link, last_life(link), EventKind::Removed);
        model.find_declared(event)
    };
    // The chain lives on if any link is not declared to go, so only the removals decide.
    let ends: Option<Vec<&Declared>> = chain.iter().map(removed).collect();
    if let Some(last) = ends.and_then(|ends| ends.into_iter().max_by_key(|end| end.release)) {
        let term = Term::at(declared.event.sibling(EventKind::Removed));
        let because = "what replaces a version outlives it";
        let obligation = scope
            .obligation("gone-first", last.event, Demand::NotBefore(term), because)
            .related(reference.span, "named as the replacement here");
        out.push(obligation);
    }
}
