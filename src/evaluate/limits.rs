//! What a search for a way to targets is confined to.

use std::collections::HashSet;

use crate::derivation::{Reasoning, Target};
use crate::model::Event;

use super::schedule::Schedule;
use super::stretches::Chosen;

#[derive(Debug, Clone, Default)]
pub(super) struct Limits {
    pub(super) chosen: Chosen,
    /// The only undeclared events that may be on the way, if not all may.
    pub(super) within: Option<HashSet<Event>>,
    /// The removals that nothing announces, with their releases.
    pub(super) unannounced: Schedule,
}

impl Limits {
    /// Those of the removals that need no deprecation in a single release, the one in which a gate makes an element
    /// more stable. `None` if there is none.
    pub(super) fn unannounced(reasoning: Reasoning<'_>, targets: &[Target]) -> Option<Self> {
        let mut limits = Self::default();
        for target in targets {
            let end = reasoning.end_before_promotion(target.event);
            if let Some(end) = end.filter(|end| *end <= target.by) {
                limits.chosen.insert(target.event, end..end.plus(1));
                limits.unannounced.push((target.event, Some(end)));
            }
        }
        (!limits.unannounced.is_empty()).then_some(limits)
    }
}
