//! Ends that are neither declared nor planned, as if each came as soon as the law permits.
//!
//! Whether a life may end just when another version begins depends on the release in which it ends. Without one, it is
//! taken to stay.

use crate::derivation::Reasoning;
use crate::model::{Event, EventKind, Group, Version};
use crate::obligation::Obligation;
use crate::policy::Law;
use crate::release::Release;
use crate::rules;

/// The obligations of these lives to stay until there is a version to move to.
pub(super) fn state(reasoning: Reasoning<'_>, law: &Law) -> Vec<Obligation> {
    let mut out = Vec::new();
    for group in &reasoning.model.groups {
        for version in &group.versions {
            of_version(reasoning, law, group, version, &mut out);
        }
    }
    out
}

fn of_version(reasoning: Reasoning<'_>, law: &Law, group: &Group, version: &Version, out: &mut Vec<Obligation>) {
    let model = reasoning.model;
    let ends = version.served().iter();
    let ends = ends.map(|part| model.last_event(*part, EventKind::Removed));
    let open: Vec<Event> = ends
        .filter(|end| reasoning.release(*end).is_none_or(Release::is_never))
        .collect();
    for end in &open {
        let first = reasoning.soonest_removal(*end).release;
        out.extend(stays(reasoning, law, group, &[*end], first));
    }
    if version.kinds.is_empty() || open.is_empty() {
        return;
    }
    let removed = model.last_event(version.element, EventKind::Removed);
    let first = reasoning.soonest_end(version.element).release;
    let together = stays(reasoning, law, group, &open, first).into_iter();
    out.extend(together.map(|stay| Obligation { event: removed, ..stay }));
}

/// The obligations of lives to stay, if they end together in a release.
fn stays(reasoning: Reasoning<'_>, law: &Law, group: &Group, ends: &[Event], at: Release) -> Vec<Obligation> {
    let model = reasoning.model;
    let stated = rules::state_supposed(model, law, group, at, &|event| {
        if ends.contains(&event) {
            Some(at)
        } else {
            reasoning.release(event)
        }
    });
    stated.into_iter().filter(|stay| ends.contains(&stay.event)).collect()
}
