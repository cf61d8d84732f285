//! Markers that contradict one another, or what was seen.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::release::ReleaseName;

use super::super::deprecation_lists::Api;
use super::super::draft::Life;
use super::super::notice::{Notice, Topic};
use super::declarations::Markers;
use super::lives::Course;
use super::package::Seen;

impl Course<'_> {
    /// Leaves impossible events out of a life, and reports them.
    pub(super) fn keep_possible(&self, life: &mut Life, notices: &mut Vec<Notice>) {
        let Some((_, seen)) = self.newest() else { return };
        if let (Some(introduced), Some(removed)) = (&life.introduced, &life.removed)
            && removed <= introduced
        {
            let text = format!("is removed in {removed}, but introduced in {introduced}: its removal is left out");
            notices.push(self.contradiction(seen, &text));
            life.removed = None;
        }
        let (first, last) = (life.deprecated.first(), life.deprecated.last());
        let text = match (&life.introduced, first, last, &life.removed) {
            (Some(introduced), Some(first), ..) if first < introduced => {
                format!("is deprecated in {first}, but introduced in {introduced}: its deprecation is left out")
            }
            (_, _, Some(last), Some(removed)) if removed < last => {
                format!("is removed in {removed}, but deprecated in {last}: its deprecation is left out")
            }
            (_, _, Some(last), Some(removed)) if removed == last => {
                let text = format!("is deprecated in {last}, the release in which it is removed");
                return notices.push(self.contradiction(seen, &text));
            }
            _ => return,
        };
        notices.push(self.contradiction(seen, &text));
        life.deprecated.clear();
        life.undeprecated.clear();
    }

    fn contradiction(&self, seen: &Seen, text: &str) -> Notice {
        Notice::new(Topic::Contradiction, format!("{}: {} {text}", seen.place, self.api))
    }

    pub(super) fn contradictions(&self, apis: &BTreeSet<&Api>, notices: &mut Vec<Notice>) {
        let Some((markers, seen)) = self.newest() else { return };
        if let Some((introduced, was_seen)) = self.seen_otherwise(markers) {
            let which_counts = if seen.is_generated {
                let counted = self.lives().into_iter().find_map(|life| life.introduced);
                let counted = counted.as_ref().unwrap_or(introduced);
                format!(": {counted} counts; if it is wrong, correct it in the model")
            } else {
                ", which counts: no code is generated from that comment".to_owned()
            };
            let text = format!("is marked as introduced in {introduced}, but {was_seen}{which_counts}");
            notices.push(self.contradiction(seen, &text));
        }
        let replacement = markers.replacement.as_ref();
        if let Some(replacement) = replacement.filter(|replacement| !apis.contains(replacement)) {
            let text = format!("is replaced by {replacement}, which is not a kind in any of these releases");
            notices.push(self.contradiction(seen, &text));
        }
    }

    /// The introduction that a marker states, and when it was seen, where that is another release.
    fn seen_otherwise<'s>(&self, markers: &'s Markers) -> Option<(&'s ReleaseName, String)> {
        let first = self.first(0, |step| step.seen.is_some());
        let (introduced, release) = (markers.introduced.as_ref()?, self.steps.get(first)?.release);
        // What the first release has may be much older.
        let is_open = self.may_be_older(first) || self.known.is_some();
        let was = match introduced.cmp(release) {
            Ordering::Less if !is_open => format!("is first registered in {release}"),
            Ordering::Greater => format!("is already registered in {release}"),
            _ => return None,
        };
        Some((introduced, was))
    }
}
