//! Elements that may be removed while their version is served.

use crate::diagnostic::Severity;
use crate::model::{ElementId, ElementKind, Event, EventKind, Gate};
use crate::obligation::Scope;
use crate::policy::RuleLaw;
use crate::release::Release;
use crate::stability::{Stage, Track};

/// Whether an element that declares no removal may be removed in the first release that is open.
pub(in crate::rules) fn may_leave(scope: &Scope<'_>, removed: Event) -> bool {
    let model = scope.model;
    let introduced = model.declared_release(removed.sibling(EventKind::Introduced));
    let served = introduced.map_or(Release(0), |introduced| introduced.plus(1));
    model.find_declared(removed).is_none() && may_leave_in(scope, removed, served.max(model.calendar.next()))
}

/// Whether an element may be removed in a release while its version is served: it is exempt, or, as long as it is
/// alpha, its removal is no error.
pub(super) fn may_leave_in(scope: &Scope<'_>, removed: Event, release: Release) -> bool {
    let Some(law) = scope.law.at(release) else { return false };
    let track = scope.model.track_at(removed.element, release);
    exempt(scope, law, removed.element, release)
        || scope.severity("removed-early", track, release) < Some(Severity::Error)
}

/// The releases that are not open yet, and may change whether an element may be removed while its version is served:
/// those of a stage of its gate and after it, and of an edition.
pub(super) fn changes(scope: &Scope<'_>, removed: Event) -> impl Iterator<Item = Release> {
    let gates = scope.model.gates_guarding(removed.element);
    let stages = gates.flat_map(|gate| gate.specs.iter().flat_map(|spec| [spec.since, spec.since.plus(1)]));
    let next = scope.model.calendar.next();
    stages.chain(scope.editions()).filter(move |change| *change > next)
}

/// Alpha annotations, and elements behind a gate that was always alpha and off.
pub(super) fn exempt(scope: &Scope<'_>, law: &RuleLaw, element: ElementId, removed: Release) -> bool {
    let own = scope.model.element(element);
    let is_alpha_annotation = own.kind == ElementKind::Annotation && own.track == Track::Alpha;
    (is_alpha_annotation && law.exempts("alpha-annotation")) || name_stays_reserved(scope, law, element, removed)
}

/// Whether an element may be removed before its version because an alpha gate guards it: its name stays reserved.
pub(super) fn name_stays_reserved(scope: &Scope<'_>, law: &RuleLaw, element: ElementId, removed: Release) -> bool {
    let model = scope.model;
    let gated = model.gate_guarding(element).is_some_and(|gate| {
        let introduced = model.declared(element, EventKind::Introduced);
        let introduced = introduced.map_or(Release(0), |introduced| introduced.release);
        always_alpha(gate, introduced, removed)
    });
    gated && law.exempts("alpha-gated")
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
