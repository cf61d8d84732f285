//! What is told beside the lives.

use std::collections::BTreeMap;

use crate::release::ReleaseName;

use super::super::draft::Group;
use super::super::peers::Api;

/// What is told beside the lives, a sentence each.
#[derive(Debug, Default)]
pub struct Told {
    /// What could not be read and was left out, with places.
    pub skipped: Vec<String>,
    /// Where the source contradicts itself, with places.
    pub contradictions: Vec<String>,
    /// How markers changed from release to release.
    pub changes: Vec<String>,
    /// What the calendar does not have, and what became of it.
    pub calendar: Vec<String>,
    /// Types that were left out: registered, but without a client, a list or a marker in any release.
    pub parts: Vec<String>,
}

/// Changes of markers, of which many kinds of a version share one.
#[derive(Default)]
pub(super) struct Notes {
    /// By release, group, version, and what changed: the kinds.
    by_version: BTreeMap<(ReleaseName, String, String, String), Vec<String>>,
}

impl Notes {
    pub(super) fn add(&mut self, release: &ReleaseName, api: &Api, what: String) {
        let key = (release.clone(), api.group.clone(), api.version.clone(), what);
        self.by_version.entry(key).or_default().push(api.kind.clone());
    }

    /// Writes the changes down, in the groups too.
    pub(super) fn tell(self, groups: &mut BTreeMap<String, Group>, told: &mut Told) {
        for ((release, group, version, what), kinds) in self.by_version {
            let kinds = kinds.join(", ");
            told.changes
                .push(format!("{release}: {group}/{version} {kinds}: {what}"));
            if let Some(group) = groups.get_mut(&group) {
                group.notes.push(format!("{release}: {version} {kinds}: {what}"));
            }
        }
    }
}
