//! When versions and kinds are served, as far as declared.

use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::release::Release;

use super::walk::Service;

/// The declared moves among versions, in the order of their releases.
pub(crate) fn declared_moves(model: &Model, versions: &[ElementId], what: EventKind) -> Vec<Declared> {
    let moves = versions.iter().filter_map(|version| model.declared(*version, what));
    let mut moves: Vec<Declared> = moves.copied().collect();
    moves.sort_by_key(|declared| (declared.release, declared.span));
    moves
}

/// When an element is served, as far as declared, and its introductions. A version is served while any of its kinds is.
pub(super) fn lives(model: &Model, element: ElementId) -> Vec<(Service, Event)> {
    let introductions = introductions(model, element).into_iter();
    introductions
        .map(|(since, begin)| {
            let removed = model.declared_release(begin.sibling(EventKind::Removed));
            let until = removed.unwrap_or(Release::NEVER);
            (Service { since, until }, begin)
        })
        .collect()
}

/// The introductions of an element's lives; of a version, those of its kinds.
pub(super) fn introductions(model: &Model, element: ElementId) -> Vec<(Release, Event)> {
    let lives = model
        .served_by(element)
        .into_iter()
        .flat_map(|part| (0..model.lives(part)).map(move |life| Event::new(part, life, EventKind::Introduced)));
    lives
        .filter_map(|begin| Some((model.declared_release(begin)?, begin)))
        .collect()
}
