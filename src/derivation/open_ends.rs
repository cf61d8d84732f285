//! Ends that are neither declared nor planned, as if each came as soon as the law permits.
//!
//! Whether a life may end just when another version begins depends on the release in which it ends. Without one, it is
//! taken to stay.

use crate::model::{Event, EventKind, Group, Version};
use crate::obligation::Obligation;
use crate::policy::Law;
use crate::release::Release;
use crate::rules;

use super::Reasoning;

/// The obligations of these lives to stay until there is a version to move to.
pub(crate) fn open_ends(reasoning: Reasoning<'_>, law: &Law) -> Vec<Obligation> {
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
        let ends = Ends {
            group,
            all: &[*end],
            on: *end,
        };
        ends.stay(reasoning, law, first, out);
    }
    if version.kinds.is_empty() || open.is_empty() {
        return;
    }
    let ends = Ends {
        group,
        all: &open,
        on: model.last_event(version.element, EventKind::Removed),
    };
    ends.stay(reasoning, law, reasoning.soonest_end(version.element).release, out);
}

/// Lives that end together.
struct Ends<'e> {
    group: &'e Group,
    all: &'e [Event],
    /// The removal that is bound to stay for all of them.
    on: Event,
}

impl Ends<'_> {
    /// States how long these lives stay, from the first release in which they could end.
    fn stay(&self, reasoning: Reasoning<'_>, law: &Law, first: Release, out: &mut Vec<Obligation>) {
        let model = reasoning.model;
        let known = rules::state_supposed(model, law, self.group, first, &|event| reasoning.release(event));
        let mut at = first;
        loop {
            let stated = rules::state_supposed(model, law, self.group, at, &|event| {
                let is_supposed = self.all.contains(&event);
                is_supposed.then_some(at).or_else(|| reasoning.release(event))
            });
            let mut last = at;
            for stay in stated {
                // Where another version would leave no overlap without these, they are the ones to stay.
                let is_other = model.find_declared(stay.event).is_some() && !known.contains(&stay);
                let until = reasoning.deciding(&stay.demand).map_or(at, |worked| worked.release());
                if until > at && (is_other || self.all.contains(&stay.event)) {
                    last = last.max(until);
                    out.push(Obligation { event: self.on, ..stay });
                }
            }
            if last == at {
                return;
            }
            at = last;
        }
    }
}
