//! Checks of single CRDs: what a server rejects or ignores, what does not mean what it seems to mean, and what violates
//! the Kubernetes API conventions.
//!
//! A check is a record and a function in one file, with a page of the same name. The page is its documentation, what
//! `explain` prints, and a test: the versions on it are linted, and a mark says which line has a finding.
//!
//! What fails a run by default is what a server rejects. Advice that good projects often do not follow is a note, or
//! off unless asked for. In deprecated versions, and within types of Kubernetes itself, only what a server rejects is
//! reported, as the project cannot follow advice there.

mod boolean;
mod condition_fields;
mod conditions;
mod counter_default;
mod default_invalid;
mod float;
mod format;
mod leftover;
mod list_type;
mod map;
mod name;
mod nested_default;
mod node;
mod nullable;
mod optional_parent;
mod path;
mod refused;
mod required_default;
mod required_zero;
mod requiredness;
mod span;
mod status;
mod status_required;
mod unsatisfiable;

use crate::diagnostic::{Diagnostic, Fact, Page, RuleId, Severity};
use crate::schema::{Definition, WrittenDocument};
use crate::server::{self, Class};
use crate::source::{FileId, SourceFile, Span};
use crate::text::Unreadable;

use node::{Node, visit};
pub(crate) use span::span;

/// One check.
#[derive(Debug)]
pub struct Check {
    /// Its stable name.
    pub slug: RuleId,
    /// What it finds, in one line.
    pub title: &'static str,
    /// Its page.
    pub page: &'static str,
    /// The codes of its findings, with their default severities.
    pub codes: &'static [(&'static str, Severity)],
    /// Whether it is reported only if asked for: all its codes are off, and notes with `--conventions`.
    pub opt_in: bool,
    /// Checks one schema: that of the objects of a version, or of a value in them. `None` where all findings are what a
    /// server refuses.
    run: Option<fn(&Node<'_>, &mut Problems)>,
}

impl Check {
    /// Its page, in the form that findings outside the law share.
    pub(crate) fn as_page(&self) -> Page {
        Page {
            slug: self.slug,
            title: self.title,
            text: self.page,
            codes: self.codes,
        }
    }

    /// Whether a finding is about something that servers reject, not just advice.
    fn is_rejected(&self, code: &str) -> bool {
        self.as_page().severity(code) == Severity::Error
    }
}

/// All checks: errors first, then advice, then what is reported only if asked for.
pub const CHECKS: &[Check] = &[
    refused::CHECK,
    default_invalid::CHECK,
    status::CHECK,
    list_type::CHECK,
    conditions::CHECK,
    leftover::CHECK,
    optional_parent::CHECK,
    nested_default::CHECK,
    required_zero::CHECK,
    required_default::CHECK,
    requiredness::CHECK,
    counter_default::CHECK,
    float::CHECK,
    map::CHECK,
    path::CHECK,
    unsatisfiable::CHECK,
    condition_fields::CHECK,
    status_required::CHECK,
    name::CHECK,
    format::CHECK,
    nullable::CHECK,
    boolean::CHECK,
];

/// A problem that a check found.
struct Problem {
    code: &'static str,
    message: String,
    help: String,
}

/// The problems that a check found in one schema.
#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, code: &'static str, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.0.push(Problem { code, message, help });
    }
}

/// Lints the CRDs that were read from a text. The findings are ordered by place; `severity` sets their severity by
/// check and code.
///
/// # Errors
///
/// If a document cannot be read, and not because of what a server refuses too.
pub(crate) fn lint(
    file: FileId,
    text: &str,
    (definitions, written): (&[Definition], &[WrittenDocument]),
    severity: impl Fn(&Check, &str) -> Severity,
) -> Result<Vec<Diagnostic>, Unreadable> {
    let source = SourceFile::new("", text);
    let mut findings = Vec::new();
    for document in written {
        let mut is_refused = false;
        for definition in &document.definitions {
            let refusals = server::refusals(definition);
            is_refused |= refusals.iter().any(|refusal| refusal.class != Class::RuleUnjudged);
            findings.extend(refusals.into_iter().map(|refusal| {
                refused::finding(refusal, definition, |place| {
                    let place = place.map_or(document.start(), |place| place.below(document.line));
                    span(file, &source, place, "")
                })
            }));
        }
        if let Some(problem) = document.problem.clone().filter(|_| !is_refused) {
            return Err(problem);
        }
    }
    for definition in definitions {
        for (name, version) in &definition.versions {
            visit(definition, name, version, &mut |node| {
                for (check, problem) in problems(node) {
                    let place = span(file, &source, node.place, node.name());
                    findings.push(finding(check, node, problem, place));
                }
            });
        }
    }
    findings.retain_mut(|finding| {
        let check = CHECKS.iter().find(|check| check.slug == finding.rule);
        finding.severity = check.map_or(finding.severity, |check| severity(check, &finding.code));
        finding.severity > Severity::Off
    });
    findings.sort_by(Diagnostic::listing_order);
    Ok(findings)
}

fn problems(node: &Node<'_>) -> Vec<(&'static Check, Problem)> {
    let mut found = Vec::new();
    for check in CHECKS {
        let Some(run) = check.run else { continue };
        let mut problems = Problems::default();
        run(node, &mut problems);
        let reported = problems.0.into_iter();
        let reported = reported.filter(|problem| node.advice || check.is_rejected(problem.code));
        found.extend(reported.map(|problem| (check, problem)));
    }
    found
}

fn finding(check: &Check, node: &Node<'_>, problem: Problem, place: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::error(check.slug, problem.code, problem.message);
    let mut finding = finding.about(node.element()).help(problem.help);
    finding.because.push(Fact {
        text: format!("in {}", node.kind_path()),
        ..Fact::default()
    });
    match place {
        Some(place) => finding.at(place, ""),
        None => finding,
    }
}
