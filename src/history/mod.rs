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

use std::collections::HashMap;
use std::fmt::Write as _;

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
        shared: HashMap::new(),
    };
    comparison.calendar();
    comparison.windows();
    comparison.severities();
    comparison.elements();
    let mut findings = comparison.named();
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
    /// By their places.
    shared: HashMap<Span, Vec<Shared<'c>>>,
}

/// A finding about what one entry declares for several versions.
struct Shared<'c> {
    /// Its position.
    at: usize,
    /// The kind and its part.
    of: (&'c str, &'c str),
    /// The elements of the other versions.
    others: Vec<ElementId>,
}

impl<'c> Comparison<'c> {
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

    /// Adds a finding about an element. What one entry declares for several versions is found once.
    fn report_of(&mut self, element: ElementId, finding: Diagnostic) {
        let of = self.part_of(element);
        let (Some(place), Some(of)) = (finding.span(), of) else {
            return self.report(finding);
        };
        let known = self.shared.entry(place).or_default();
        let mut known = known.iter_mut().filter(|known| known.of == of);
        if let Some(known) = known.find(|known| is_alike(&self.findings[known.at], &finding)) {
            known.others.push(element);
            return;
        }
        let at = self.findings.len();
        self.report(finding);
        if self.findings.len() > at {
            let others = Vec::new();
            self.shared.entry(place).or_default().push(Shared { at, of, others });
        }
    }

    /// A kind, or a part of one, in whichever version.
    fn part_of(&self, element: ElementId) -> Option<(&'c str, &'c str)> {
        let model = self.head.model;
        let kind = kind_around(model, element)?;
        let member = if kind == element {
            ""
        } else {
            model.element(element).name()
        };
        Some((model.element(kind).name(), member))
    }

    /// The findings, each with the versions that it is about.
    fn named(self) -> Vec<Diagnostic> {
        let mut findings = self.findings;
        for shared in self.shared.into_values().flatten() {
            let names = shared
                .others
                .iter()
                .filter_map(|other| version_name(self.head.model, *other));
            let mut names: Vec<String> = names.collect();
            if names.is_empty() {
                continue;
            }
            let count = names.len();
            let message = &mut findings[shared.at].message;
            if count > MOST_NAMED {
                names.truncate(MOST_NAMED - 1);
                let more = count - names.len();
                let _ = write!(
                    message,
                    "; the same holds in {} and {more} more versions",
                    names.join(", ")
                );
            } else {
                let _ = write!(message, "; the same holds in {}", names.join(", "));
            }
        }
        findings
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

/// The most versions that a finding names besides its own.
const MOST_NAMED: usize = 8;

/// The kind in a version that an element is, or is a part of.
fn kind_around(model: &Model, element: ElementId) -> Option<ElementId> {
    let of = model.element(element);
    let kind = if of.kind.is_member() { of.parent? } else { element };
    model.element(kind).kind.is_kind().then_some(kind)
}

/// The version that a kind, or a part of one, is in.
fn version_name(model: &Model, element: ElementId) -> Option<String> {
    let version = model.version_of(kind_around(model, element)?);
    version.map(|version| version.name.to_string())
}

/// Whether two findings at one place differ only in the version.
fn is_alike(one: &Diagnostic, other: &Diagnostic) -> bool {
    (&one.code, &one.help, &one.event, &one.related) == (&other.code, &other.help, &other.event, &other.related)
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
