//! Elements that are declared alike, as most fields of a kind are.

use crate::release::Release;
use crate::stability::{MetricStability, Stage};

use super::{Attributes, Declared, ElementId, ElementKind, Model};

impl Model {
    /// Whether the entries of two elements of one whole are the same but for texts, and name no other element. Places
    /// do not count. Versions and kinds are never alike.
    pub(crate) fn are_declared_alike(&self, one: ElementId, other: ElementId) -> bool {
        let (first, second) = (self.element(one), self.element(other));
        let is_alike = first.parent == second.parent
            && (first.kind, first.track, first.lives) == (second.kind, second.track, second.lives)
            && first.field == second.field
            && are_alike(self.declared_of(one), self.declared_of(other))
            && first.attributes().is_none_or(Attributes::is_silent)
            && second.attributes().is_none_or(Attributes::is_silent);
        is_alike
            && match first.kind {
                ElementKind::Gate => self.stages(one).eq(self.stages(other)),
                ElementKind::Metric => self.classes(one).eq(self.classes(other)),
                ElementKind::Command | ElementKind::Flag | ElementKind::Behavior => true,
                kind => kind.is_member(),
            }
    }

    fn stages(&self, gate: ElementId) -> impl Iterator<Item = (Stage, Release, bool, bool)> {
        let specs = self.gate(gate).into_iter().flat_map(|gate| &gate.specs);
        specs.map(|spec| (spec.stage, spec.since, spec.default, spec.locked))
    }

    fn classes(&self, metric: ElementId) -> impl Iterator<Item = (MetricStability, Release)> {
        let specs = self.metric(metric).into_iter().flat_map(|metric| &metric.specs);
        specs.map(|spec| (spec.stability, spec.since))
    }
}

impl Attributes {
    /// Whether they say nothing about when something happens, or who cares for it.
    fn is_silent(&self) -> bool {
        let Self {
            replacement,
            gated_by,
            owner,
            tracking,
            never_deprecated,
            tombstone,
            ..
        } = self;
        replacement.is_none()
            && gated_by.is_none()
            && owner.is_none()
            && tracking.is_none()
            && never_deprecated.is_none()
            && tombstone.is_none()
    }
}

fn are_alike(own: &[Declared], others: &[Declared]) -> bool {
    let mut pairs = own.iter().zip(others);
    own.len() == others.len()
        && pairs.all(|(own, other)| own.release == other.release && own.event.of(other.event.element) == other.event)
}
