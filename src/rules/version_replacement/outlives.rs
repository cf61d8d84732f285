//! Replacements that are removed before what they replace.
//!
//! One link of the chain outlives the element. If all of them declare their removals, that is the last one to be
//! removed. Otherwise it is the last link without a removal; how long that stays depends on what is planned.

use crate::model::succession::named;
use crate::model::{Declared, ElementId, Event, EventKind, Model, Reference, Version};
use crate::obligation::{Demand, LastRemoval, Obligation, Scope, Term};
use crate::release::Release;

use super::chain::{chain, next_link};

const BECAUSE: &str = "the replacement of a version outlives it";

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
pub(in crate::rules) fn last_links(scope: &Scope<'_>, releases: &dyn Fn(Event) -> Option<Release>) -> Vec<Obligation> {
    let versions = scope.model.judged_groups().flat_map(|group| &group.versions);
    let mut out = Vec::new();
    for element in versions.flat_map(Version::served) {
        for life in 0..scope.model.lives(*element) {
            out.extend(last_link(
                scope,
                releases,
                Event::new(*element, life, EventKind::Deprecated),
            ));
        }
    }
    out
}

fn last_link(scope: &Scope<'_>, releases: &dyn Fn(Event) -> Option<Release>, deprecated: Event) -> Vec<Obligation> {
    let model = scope.model;
    let Some((reference, chain)) = chain_of(scope, deprecated) else {
        return Vec::new();
    };
    let end = releases(deprecated.sibling(EventKind::Removed)).unwrap_or(Release::NEVER);
    let (open, ended): (Vec<ElementId>, Vec<ElementId>) =
        chain.into_iter().partition(|link| declared_end(model, *link).is_none());
    let mut declared = ended.into_iter().filter_map(|link| declared_end(model, link));
    let Some((last, others)) = open.split_last() else {
        return Vec::new();
    };
    // Each of the others waits for the next one, if it is deprecated itself and ends; if not, it stays.
    let mut others = others.iter();
    let follow = others.all(|link| model.deprecated_since(*link).is_some() && ends(model, releases, *link));
    if !follow || declared.any(|declared| declared.release >= end) {
        return Vec::new();
    }
    let last = LastRemoval::of(model, *last).into_iter();
    last.flat_map(|last| last.demand(|removed| stays(scope, removed, deprecated, reference)))
        .collect()
}

/// Whether all that a link consists of ends in these releases.
fn ends(model: &Model, releases: &dyn Fn(Event) -> Option<Release>, link: ElementId) -> bool {
    let mut parts = model.served_by(link).into_iter();
    parts.all(|part| releases(model.last_event(part, EventKind::Removed)).is_some())
}

/// The replacements of a life that is deprecated, and where the first is named.
fn chain_of<'m>(scope: &Scope<'m>, deprecated: Event) -> Option<(&'m Reference, Vec<ElementId>)> {
    let model = scope.model;
    let declared = model.deprecation(deprecated.element, deprecated.life)?;
    scope.law_at(Some(declared))?;
    let target = next_link(model, deprecated.element)?;
    let chain = (target != declared.event.element).then(|| chain(model, declared.event.element, target))?;
    Some((named(model, deprecated.element)?, chain))
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
