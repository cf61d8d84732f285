//! What decides how the law judges what is announced of an element.

use crate::model::{ElementId, Model};
use crate::policy::Law;
use crate::release::Release;
use crate::stability::{MetricStability, Track};

/// By what an end is judged: an event in two releases with the same judgement has the same windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// How many editions of the law have begun.
    edition: usize,
    /// The class of a metric.
    class: Option<MetricStability>,
    track: Track,
}

impl Judgement {
    /// Of an end that is announced in a release.
    pub(crate) fn announced(law: &Law, model: &Model, element: ElementId, release: Release) -> Self {
        let metric = model.metric(element);
        Self {
            edition: law.editions().partition_point(|edition| edition.from <= release),
            class: metric.and_then(|metric| metric.at(release)).map(|spec| spec.stability),
            track: model.track_at(element, release),
        }
    }

    /// Of an end in a release that was not announced.
    pub(crate) fn unannounced(law: &Law, model: &Model, element: ElementId, release: Release) -> Self {
        Self {
            track: model.track_unannounced(element, release),
            ..Self::announced(law, model, element, release)
        }
    }
}

/// The releases from which the law judges what is announced of an element otherwise than before: a gate makes it more
/// or less stable, a metric changes its class, or an edition begins.
pub(crate) fn changes(law: &Law, model: &Model, element: ElementId) -> Vec<Release> {
    let gates = model.gates_guarding(element);
    let stages = gates.flat_map(|gate| gate.specs.iter().map(|spec| spec.since));
    let classes = model.metric(element).into_iter().flat_map(|metric| &metric.specs);
    let editions = law.editions().iter().skip(1).map(|edition| edition.from);
    let candidates = stages.chain(classes.map(|spec| spec.since)).chain(editions);
    let mut changes: Vec<Release> = candidates.collect();
    changes.sort_unstable();
    changes.dedup();
    changes.retain(|change| {
        let before = change.previous();
        before.is_some_and(|before| {
            let [before, from] = [before, *change].map(|release| Judgement::announced(law, model, element, release));
            before != from
        })
    });
    changes
}
