//! The elements that the answers of an evaluation are about.

use std::ops::RangeInclusive;

use crate::answer::{self, Filter, FilterError};
use crate::diagnostic::Diagnostic;
use crate::model::ElementId;
use crate::release::Release;

use super::Evaluation;

impl Evaluation {
    /// Restricts every later answer to the elements that meet a filter. If none does, returns how many meet each of its
    /// criteria.
    ///
    /// # Errors
    ///
    /// If a name of the filter matches nothing, or it asks for states and no release is current.
    pub fn select(&mut self, filter: &Filter) -> Result<Option<String>, FilterError> {
        self.selection = None;
        if filter.is_empty() {
            return Ok(None);
        }
        let releases = filter.releases.as_deref().map(|range| self.find_range(range));
        let selection = answer::select(self.material(), filter, releases.transpose()?)?;
        let nothing = selection.nothing();
        self.selection = Some(selection);
        Ok(nothing)
    }

    /// A command about what answers are about: the model, and the elements that a filter chooses.
    pub fn command_line(&self, words: &str) -> String {
        self.material().command_line(words)
    }

    /// The elements that answers are about.
    pub fn selected(&self) -> impl Iterator<Item = ElementId> {
        let ids = self.model.elements().map(|(id, _)| id);
        ids.filter(|id| self.material().has(*id))
    }

    /// Whether the events that answers are about contradict each other.
    pub fn has_contradiction(&self) -> bool {
        self.selected_findings().any(|finding| finding.rule == "contradiction")
    }

    /// The findings about the elements that answers are about.
    pub(super) fn selected_findings(&self) -> impl Iterator<Item = &Diagnostic> + Clone {
        let material = self.material();
        let found = self.findings.iter();
        found.filter(move |finding| {
            let mut elements = finding.each().filter_map(|finding| finding.element.as_deref());
            finding.element.is_none() && material.has_named(None) || elements.any(|id| material.has_named(Some(id)))
        })
    }

    /// A release, or those from one to another, which may be left out: `1.34..1.37`.
    fn find_range(&self, typed: &str) -> Result<RangeInclusive<Release>, FilterError> {
        let is_name = self.model.calendar.find(typed).is_ok();
        let Some((first, last)) = typed.split_once("..").filter(|_| !is_name) else {
            let release = self.find_end(typed, typed)?;
            return Ok(release..=release);
        };
        let first = match first {
            "" => Release(0),
            first => self.find_end(typed, first)?,
        };
        let last = match last {
            "" => Release::NEVER,
            last => self.find_end(typed, last)?,
        };
        if first > last {
            let message = format!("--in {typed}: the first release is the later one");
            return Err(FilterError::new(message, "write the earlier release first"));
        }
        Ok(first..=last)
    }

    fn find_end(&self, typed: &str, name: &str) -> Result<Release, FilterError> {
        self.find_covered(name).map_err(|problem| {
            let help = "write a release, or a range of releases: 1.34..1.37";
            FilterError::new(format!("--in {typed}: {problem}"), help)
        })
    }
}
