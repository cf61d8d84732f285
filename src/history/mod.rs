//! Changes to releases that have shipped: history is append-only.
//!
//! A model is compared with an earlier state, the *base*. Everything that the base declares for shipped releases, up to
//! its `current`, stays. A change may add to the model and change plans for later releases.
//!
//! **History is not part of the law.** Its findings have a page and severities like those of a rule, but no number, and
//! exceptions do not cover them: an exception would have to stay in the model forever. To correct a wrong record, lower
//! the severity on the command line for that one change.
//!
//! **A change cannot excuse itself.** The severities are those of the base or of the command line, so that a change
//! cannot turn off the check that it fails.

mod attributes;
mod calendar;
mod elements;
mod events;
mod windows;

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::model::{ElementId, Model};
use crate::policy::Law;
use crate::release::Release;
use crate::source::{FileId, Span};

/// The page of these findings.
pub(crate) const PAGE: Page = Page {
    slug: "history",
    title: "Changes to releases that have shipped.",
    text: include_str!("history.md"),
    codes: &[
        ("rewritten", Severity::Error),
        ("backdated", Severity::Error),
        ("deleted", Severity::Error),
        ("replacement-dropped", Severity::Error),
        ("tombstone-lifted", Severity::Error),
        ("window-shortened", Severity::Error),
        ("unshipped", Severity::Error),
        ("brought-forward", Severity::Warning),
        ("backfilled", Severity::Warning),
        ("loosened", Severity::Warning),
        ("no-base", Severity::Warning),
        ("unreadable-base", Severity::Warning),
        ("deferred", Severity::Note),
        ("withdrawn", Severity::Note),
        ("undeprecated", Severity::Note),
        ("replacement-changed", Severity::Note),
    ],
};

/// A model and the law that judges it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'s> {
    pub(crate) model: &'s Model,
    pub(crate) law: &'s Law,
    /// The `current` release of the file, whatever `--as-of` says.
    pub(crate) current: Option<Release>,
}

/// The findings about a change. None if the base's calendar has no `current`.
pub(crate) fn compare(base: Side<'_>, head: Side<'_>) -> Vec<Diagnostic> {
    let Some(shipped) = base.current else {
        return Vec::new();
    };
    let mut comparison = Comparison {
        base,
        head,
        shipped,
        same_names: base.model.calendar.names_the_same(&head.model.calendar),
        findings: Vec::new(),
    };
    comparison.calendar();
    comparison.windows();
    comparison.severities();
    comparison.elements();
    let mut findings = comparison.findings;
    findings.sort_by(Diagnostic::listing_order);
    // Several elements that inherit from one entry share one finding.
    findings.dedup_by(|later, earlier| {
        let one = later.element.is_some() && later.element == earlier.element;
        let inherited = later.code == "backfilled" || one;
        inherited && (later.span(), &later.code) == (earlier.span(), &earlier.code) && later.help == earlier.help
    });
    findings
}

struct Comparison<'c> {
    base: Side<'c>,
    head: Side<'c>,
    /// The newest release that had shipped, in the base's calendar.
    shipped: Release,
    /// Whether both calendars have the same releases, so that one that has a number in both is the same.
    same_names: bool,
    findings: Vec<Diagnostic>,
}

impl Comparison<'_> {
    /// A release of the base in the head's calendar.
    fn in_head(&self, release: Release) -> Option<Release> {
        if self.same_names {
            return Some(release);
        }
        let name = self.base.model.calendar.name(release);
        self.head.model.calendar.find(&name).ok()
    }

    /// Whether a release of the head's calendar had shipped when the base was written.
    fn had_shipped(&self, release: Release) -> bool {
        match self.in_head(self.shipped) {
            // A release that was added between shipped ones counts as shipped.
            Some(shipped) => release <= shipped,
            None => self.in_base(release).is_some_and(|release| release <= self.shipped),
        }
    }

    /// A release of the head in the base's calendar.
    fn in_base(&self, release: Release) -> Option<Release> {
        if self.same_names {
            return Some(release);
        }
        let name = self.head.model.calendar.name(release);
        self.base.model.calendar.find(&name).ok()
    }

    /// The first release that had not shipped, as the head names it.
    fn next_open(&self) -> String {
        let shipped = self.in_head(self.shipped).unwrap_or(self.shipped);
        self.head.model.calendar.name(shipped.plus(1))
    }

    /// Adds a finding with its severity in the base. Nothing if it is off.
    fn report(&mut self, finding: Diagnostic) {
        let severity = self.base.law.severity_outside(&PAGE, &finding.code);
        if severity > Severity::Off {
            self.findings.push(finding.severity(severity));
        }
    }

    /// The place of a finding about a deleted element: its parent, or the start of the model.
    fn place_of_lost(&self, element: ElementId) -> Span {
        let parent = self.base.model.element(element).parent;
        match parent.and_then(|parent| self.head.model.find(self.base.model.id(parent))) {
            Some(parent) => self.head.model.element(parent).span,
            None => beginning(),
        }
    }
}

fn finding(code: &'static str, place: Span, message: String) -> Diagnostic {
    Diagnostic::error(PAGE.slug, code, message).at(place, "")
}

fn about(element: &str, code: &'static str, place: Span, message: String) -> Diagnostic {
    finding(code, place, message).about(element)
}

fn beginning() -> Span {
    Span {
        file: FileId(0),
        start: 0,
        end: 0,
    }
}
