//! Replacements that are removed before what they replace.
//!
//! One link of the chain outlives the element. If all of them declare their removals, that is the last one to be
//! removed. Otherwise it is the last link without a removal; how long that stays depends on what is planned. Where the
//! deprecation of the element is planned too, so is the last link's: not before it.

use crate::model::succession::named;
use crate::model::{Declared, ElementId, Event, EventKind, Model, Reference, Version};
use crate::obligation::{Demand, Obligation, Principle, Scope, Source, Term};
use crate::release::Release;

use super::chain::{chain, next_link};

const BECAUSE: &str = "the replacement of a version outlives it";

/// The declared or planned release of an event.
type Releases<'r> = dyn Fn(Event) -> Option<Release> + 'r;

/// The obligation of a chain whose links all declare their removals.
pub(super) fn outlives(
    scope: &Scope<'_>,
    deprecated: Event,
    reference: &Reference,
    chain: &[ElementId],
) -> Option<Obligation> {
    let ends = chain.iter().map(|link| declared_end(scope.model, *link));
    let ends: Option<Vec<&Declared>> = ends.collect();
    let last = ends?.into_iter().max_by_key(|end| end.release)?;
    Some(stays(scope, last.event, deprecated, reference))
}

/// The obligations of the last links without a removal, for a model with these releases.
pub(in crate::rules) fn last_links(scope: &Scope<'_>, releases: &Releases<'_>) -> Vec<Obligation> {
    let versions = scope.model.groups.iter().flat_map(|group| &group.versions);
    let mut out = Vec::new();
    for element in versions.flat_map(Version::served) {
        for life in 0..scope.model.lives(*element) {
            let deprecated = Event::new(*element, life, EventKind::Deprecated);
            let Some((reference, chain)) = chain_of(scope, releases, deprecated) else {
                continue;
            };
            let ends = last_link(scope, releases, deprecated, (reference, &chain));
            if scope.model.deprecation(*element, life).is_some() {
                out.extend(ends);
            } else {
                // Of what is only planned, nothing that is declared is early.
                let ends = ends.into_iter().chain(last_deprecation(scope, deprecated, &chain));
                let open = ends.filter(|end| scope.model.find_declared(end.event).is_none());
                out.extend(open.map(planned));
            }
        }
    }
    out
}

fn planned(obligation: Obligation) -> Obligation {
    Obligation {
        source: Source::Plan(Principle::P5),
        ..obligation
    }
}

/// Of the links of a chain, the last one is deprecated with what a user moves from, or after it.
fn last_deprecation(scope: &Scope<'_>, deprecated: Event, chain: &[ElementId]) -> Option<Obligation> {
    let last = scope.model.last_event(*chain.last()?, EventKind::Deprecated);
    let is_open = scope.model.deprecation(last.element, last.life).is_none();
    let because = "the replacement of a version is not deprecated before it";
    let demand = Demand::NotBefore(Term::at(deprecated));
    is_open.then(|| scope.obligation("deprecated-before", last, demand, because))
}

fn last_link(
    scope: &Scope<'_>,
    releases: &Releases<'_>,
    deprecated: Event,
    (reference, chain): (&Reference, &[ElementId]),
) -> Vec<Obligation> {
    let model = scope.model;
    let end = releases(deprecated.sibling(EventKind::Removed)).unwrap_or(Release::NEVER);
    let (open, ended): (Vec<ElementId>, Vec<ElementId>) =
        chain.iter().partition(|link| declared_end(model, **link).is_none());
    let mut declared = ended.into_iter().filter_map(|link| declared_end(model, link));
    let Some((last, others)) = open.split_last() else {
        return Vec::new();
    };
    // Each of the others waits for the next one, if it is deprecated itself; if not, it stays.
    let follow = others
        .iter()
        .all(|link| releases(model.last_event(*link, EventKind::Deprecated)).is_some());
    if !follow || declared.any(|declared| declared.release >= end) {
        return Vec::new();
    }
    let parts = model.served_by(*last);
    let open = parts.iter().map(|part| model.last_event(*part, EventKind::Removed));
    let open: Vec<Event> = open.filter(|removed| model.find_declared(*removed).is_none()).collect();
    match open.as_slice() {
        [only] => vec![stays(scope, *only, deprecated, reference)],
        // A version is served as long as any of its kinds.
        several => {
            let whole = stays(
                scope,
                model.last_event(*last, EventKind::Removed),
                deprecated,
                reference,
            );
            let last = several.last().map(|removed| Obligation {
                event: *removed,
                ..whole.clone()
            });
            last.map(planned).into_iter().chain([whole]).collect()
        }
    }
}

/// The replacements of a life that is deprecated, or planned to be, and where the first is named.
fn chain_of<'m>(
    scope: &Scope<'m>,
    releases: &Releases<'_>,
    deprecated: Event,
) -> Option<(&'m Reference, Vec<ElementId>)> {
    let model = scope.model;
    let declared = model.deprecation(deprecated.element, deprecated.life);
    let announced = declared
        .map(|declared| declared.release)
        .or_else(|| releases(deprecated))?;
    scope.law.at(announced).filter(|_| !announced.is_never())?;
    let element = declared.map_or(deprecated.element, |declared| declared.event.element);
    let target = next_link(model, deprecated.element).filter(|target| *target != element)?;
    Some((named(model, deprecated.element)?, chain(model, element, target)))
}

/// The removal of an element, if it is declared: of a version by its entry, or by those of all its kinds.
fn declared_end(model: &Model, element: ElementId) -> Option<&Declared> {
    model
        .find_declared(model.last_event(element, EventKind::Removed))
        .or_else(|| {
            let parts = model.served_by(element).into_iter();
            let ends = parts.map(|part| model.find_declared(model.last_event(part, EventKind::Removed)));
            let ends: Option<Vec<&Declared>> = ends.collect();
            ends?.into_iter().max_by_key(|end| end.release)
        })
}

fn stays(scope: &Scope<'_>, removed: Event, deprecated: Event, reference: &Reference) -> Obligation {
    let end = deprecated.sibling(EventKind::Removed);
    let end = scope.model.find_declared(end).map_or(end, |declared| declared.event);
    let first = scope.obligation("gone-first", removed, Demand::NotBefore(Term::at(end)), BECAUSE);
    first.related(reference.span, "named as the replacement here")
}
