//! Elements that may be removed while their version is served.

use crate::diagnostic::Severity;
use crate::model::{ElementId, ElementKind, Event, EventKind, Gate};
use crate::obligation::Scope;
use crate::policy::RuleLaw;
use crate::release::Release;
use crate::stability::{Stage, Track};

/// Whether an element that declares no removal may be removed in the first release that is open: it is exempt, or, as
/// long as it is alpha, its removal is no error.
pub(in crate::rules) fn may_leave(scope: &Scope<'_>, removed: Event) -> bool {
    let model = scope.model;
    if model.find_declared(removed).is_some() {
        return false;
    }
    let introduced = model.declared_release(removed.sibling(EventKind::Introduced));
    let served = introduced.map_or(Release(0), |introduced| introduced.plus(1));
    let first = served.max(model.calendar.next());
    let Some(law) = scope.law.at(first) else { return false };
    let track = model.track_at(removed.element, first);
    exempt(scope, law, removed.element, first) || scope.severity("removed-early", track, first) < Some(Severity::Error)
}

/// Alpha annotations, and elements behind a gate that was always alpha and off.
pub(super) fn exempt(scope: &Scope<'_>, law: &RuleLaw, element: ElementId, removed: Release) -> bool {
    let model = scope.model;
    let is_annotation = model.element(element).kind == ElementKind::Annotation;
    let is_alpha = model.element(element).track == Track::Alpha;
    let gated = model.gate_guarding(element).is_some_and(|gate| {
        let introduced = model.declared(element, EventKind::Introduced);
        let introduced = introduced.map_or(Release(0), |introduced| introduced.release);
        always_alpha(gate, introduced, removed)
    });
    (is_annotation && is_alpha && law.exempts("alpha-annotation")) || (gated && law.exempts("alpha-gated"))
}

/// Whether a gate was alpha and off from the introduction of the element that it guards to the last release before
/// `removed`.
fn always_alpha(gate: &Gate, introduced: Release, removed: Release) -> bool {
    let there = gate.specs.first().is_some_and(|spec| spec.since <= introduced);
    there
        && gate
            .specs
            .iter()
            .filter(|spec| spec.since < removed)
            .all(|spec| matches!(spec.stage, Stage::Alpha | Stage::Deprecated) && !spec.default)
}
