//! Markers that change from release to release.

use std::collections::BTreeMap;

use crate::release::ReleaseName;

use super::super::deprecation_lists::Api;
use super::super::draft::Group;
use super::super::notice::{Notice, Topic};
use super::declarations::Markers;

/// Changes of markers, by release, group, version and change: several kinds of a version often share one.
#[derive(Default)]
pub(super) struct Changes(BTreeMap<(ReleaseName, String, String, String), Vec<String>>);

impl Changes {
    pub(super) fn add(&mut self, release: &ReleaseName, api: &Api, change: String) {
        let key = (release.clone(), api.group.clone(), api.version.clone(), change);
        self.0.entry(key).or_default().push(api.kind.clone());
    }

    /// Reports the changes, and writes them into the comments of their groups.
    pub(super) fn report(self, groups: &mut BTreeMap<String, Group>, notices: &mut Vec<Notice>) {
        for ((release, group, version, change), kinds) in self.0 {
            let kinds = kinds.join(", ");
            let text = format!("{release}: {group}/{version} {kinds}: {change}");
            notices.push(Notice::new(Topic::Changed, text));
            if let Some(group) = groups.get_mut(&group) {
                group.notes.push(format!("{release}: {version} {kinds}: {change}"));
            }
        }
    }
}

pub(super) fn changed(before: &Markers, now: &Markers, api: &Api) -> String {
    let pairs = values(before, api).into_iter().zip(values(now, api));
    let changes = pairs.filter(|(before, now)| before != now);
    let changes = changes.map(|((key, before), (_, now))| format!("{key} {before}, now {now}"));
    changes.collect::<Vec<String>>().join("; ")
}

fn values(markers: &Markers, api: &Api) -> [(&'static str, String); 4] {
    let replacement = markers.replacement.as_ref().map(|replacement| named(replacement, api));
    [
        ("introduced", markers.introduced.as_ref().map(ToString::to_string)),
        ("deprecated", markers.deprecated.as_ref().map(ToString::to_string)),
        ("removed", markers.removed.as_ref().map(ToString::to_string)),
        ("replacement", replacement),
    ]
    .map(|(key, value)| (key, value.unwrap_or_else(|| "none".to_owned())))
}

/// A replacement as a model names it: a version of the same kind in the same group by itself, anything else by its id.
pub(super) fn named(replacement: &Api, of: &Api) -> String {
    if replacement.group == of.group && replacement.kind == of.kind {
        replacement.version.clone()
    } else {
        replacement.to_string()
    }
}
