//! How the kinds of a version are removed: announced together, or ending one after the other.

use crate::model::{ElementId, EventKind};
use crate::release::Release;

use super::Reasoning;

impl Reasoning<'_> {
    /// The release in which parts that end together would be deprecated together: the last one of theirs, but not after
    /// one of them is due, if all may be by then.
    pub(crate) fn announced_together(self, parts: &[ElementId], at: Release) -> Option<Release> {
        let ends = parts
            .iter()
            .map(|part| self.model.last_event(*part, EventKind::Removed));
        let announced = ends.filter_map(|removed| {
            let release = self.announcement_of_removal(removed, at)?;
            let deprecated = removed.sibling(EventKind::Deprecated);
            let [permitted, due] = [self.lower(deprecated), self.upper(deprecated)];
            let permitted = permitted.map_or(Release(0), |found| found.worked.release());
            let permitted = permitted.max(self.model.first_announcement(removed));
            let due = due.map_or(Release::NEVER, |found| found.worked.release());
            Some((release, due.max(release), permitted))
        });
        let all = announced.reduce(|one, other| (one.0.max(other.0), one.1.min(other.1), one.2.max(other.2)));
        all.map(|(last, due, permitted)| last.min(due.max(permitted)))
    }

    /// The kinds of a version that are planned to end while other kinds keep it, before a release.
    pub(crate) fn kinds_ending_first(self, version: ElementId, at: Release) -> Vec<(ElementId, Release)> {
        let kinds = self
            .model
            .served_by(version)
            .into_iter()
            .filter(|kind| *kind != version);
        let kept = at.min(self.soonest_end(version).release);
        let ends = kinds.filter_map(|kind| {
            let removed = self.model.last_event(kind, EventKind::Removed);
            let is_open = self.model.find_declared(removed).is_none();
            let end = self.release(removed).filter(|end| is_open && *end < kept)?;
            Some((kind, end))
        });
        ends.collect()
    }
}
