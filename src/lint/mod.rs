//! Definitions of custom resources looked at by themselves: what a server refuses or ignores, what does not mean what
//! it seems to, and what the conventions for Kubernetes APIs ask for.
//!
//! A check is a record and a function, one a file, with its page beside it. The page is its documentation, what
//! `explain` prints, and a test: the versions on it are looked at, and a mark says which line must complain.

mod borrowed;
mod conditions;
mod counter_default;
mod default_invalid;
mod float;
mod leftover;
mod list_type;
mod map;
mod nested_default;
mod node;
mod optional_parent;
mod place;
mod required_default;
mod required_zero;
mod requiredness;
mod status;
mod validation_error;

use crate::diagnostic::{Diagnostic, Fact, Page, RuleId, Severity};
use crate::grammar::KindPath;
use crate::schema::Definition;
use crate::source::{FileId, SourceFile};

use node::{Node, visit};
pub(crate) use place::span;

/// One check.
#[derive(Debug)]
pub struct Check {
    /// Its lasting name.
    pub slug: RuleId,
    /// What it finds, in one line.
    pub title: &'static str,
    /// Its page.
    pub page: &'static str,
    /// The codes of its findings, and how grave they usually are.
    pub codes: &'static [(&'static str, Severity)],
    /// Looks at a schema: of all objects of a version, or of a value within.
    look: fn(&Node<'_>, &mut Found),
}

impl Check {
    /// Its page, as one among those of findings outside the law.
    pub fn as_page(&self) -> Page {
        Page {
            slug: self.slug,
            title: self.title,
            text: self.page,
            codes: self.codes,
        }
    }

    /// Whether a finding is no advice, but what a server refuses.
    fn is_refused(&self, code: &str) -> bool {
        self.as_page().severity(code) == Severity::Error
    }
}

/// All checks: what goes wrong first, then what is unwise.
pub const CHECKS: &[Check] = &[
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
];

/// What a check finds.
struct Fault {
    code: &'static str,
    message: String,
    help: String,
}

/// What the checks found at one schema.
#[derive(Default)]
struct Found(Vec<Fault>);

impl Found {
    fn add(&mut self, code: &'static str, message: impl Into<String>, help: impl Into<String>) {
        self.0.push(Fault {
            code,
            message: message.into(),
            help: help.into(),
        });
    }
}

/// Looks at the definitions that were read from a text. The findings come in the order of their places.
///
/// `severity` says how grave a finding is, by check and code. Of versions that are deprecated, and within types that
/// are Kubernetes' own, such as the template of a pod, only what servers refuse is told: no advice can be followed
/// there.
pub fn lint(
    file: FileId,
    text: &str,
    definitions: &[Definition],
    severity: impl Fn(&Page, &str) -> Severity,
) -> Vec<Diagnostic> {
    let source = SourceFile::new("", text);
    let mut findings = Vec::new();
    for definition in definitions {
        for (name, version) in &definition.versions {
            visit(definition, name, version, &mut |node| {
                for check in CHECKS {
                    let mut found = Found::default();
                    (check.look)(node, &mut found);
                    let told = found
                        .0
                        .into_iter()
                        .filter(|fault| node.advice || check.is_refused(fault.code));
                    for fault in told {
                        let severity = severity(&check.as_page(), fault.code);
                        if severity > Severity::Off {
                            let finding = Diagnostic::error(check.slug, fault.code, fault.message).severity(severity);
                            let mut finding = finding.about(node.element()).help(fault.help);
                            finding.because.push(Fact {
                                text: format!("in {}", KindPath::api(&*definition.group, &**name, &*definition.kind)),
                                ..Fact::default()
                            });
                            findings.push(match span(file, &source, node.place, node.name()) {
                                Some(span) => finding.at(span, ""),
                                None => finding,
                            });
                        }
                    }
                }
            });
        }
    }
    findings.sort_by(Diagnostic::listing_order);
    findings
}
