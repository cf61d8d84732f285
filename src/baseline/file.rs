//! A baseline: the findings that an old project had when it began to check, put aside in a file.

use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Known, Page, Severity};
use crate::document::{Diagnostics, Document, Table, Value, quoted};
use crate::lint::CHECKS;
use crate::source::Span;

use super::{Before, Identity, mark};

/// The page of entries that match no finding any more.
pub const PAGE: Page = Page {
    slug: "baseline",
    title: "Entries of a baseline whose findings are fixed.",
    text: include_str!("baseline.md"),
    codes: &[("fixed", Severity::Warning)],
};

const KEYS: &[&str] = &["rule", "code", "about", "severity", "life", "missed-by", "message"];

/// The command whose findings a baseline puts aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finder {
    /// `check`: what is wrong with a model.
    Check,
    /// `lint`: what is wrong with definitions of custom resources.
    Lint,
}

impl Finder {
    /// The command as it is typed.
    fn command(self) -> &'static str {
        match self {
            Self::Check => "lifecycle check",
            Self::Lint => "lifecycle lint",
        }
    }

    /// Whether findings of a rule are its own.
    fn finds(self, rule: &str) -> bool {
        let of_definitions = CHECKS.iter().any(|check| check.slug == rule);
        of_definitions == (self == Self::Lint)
    }

    /// What stands at the head of the file.
    fn head(self) -> String {
        let command = self.command();
        format!(
            "# Findings put aside: `{command}` does not fail for them. Whoever mends one deletes its entry here.\n\
             # Written by `{command} --write-baseline`.\n"
        )
    }
}

/// The findings that a file puts aside.
#[derive(Debug)]
pub struct Baseline {
    finder: Finder,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    identity: Identity,
    before: Before,
    span: Span,
}

impl Baseline {
    /// Reads a baseline file of a command. Faults are collected; an entry for a finding of another command is one.
    pub fn read(finder: Finder, document: &Document<'_>, faults: &mut Diagnostics) -> Self {
        for fault in document.syntax_errors() {
            faults.push(fault.clone());
        }
        for (key, _) in document.root().entries().filter(|(key, _)| key.name != "finding") {
            faults.unknown_key(&key, &["finding"]);
        }
        let items = document.root().get("finding");
        let items = items.map_or_else(Vec::new, |(_, value)| value.list(faults));
        Self {
            finder,
            entries: items
                .into_iter()
                .filter_map(|item| entry(finder, item, faults))
                .collect(),
        }
    }

    /// Marks the findings that are put aside. Those that are mended come back as findings, to be dropped from the file;
    /// unless they are `silent`, because nobody looked for them: then nobody knows.
    pub fn suppress(
        &self,
        findings: &mut [Diagnostic],
        severity: Severity,
        silent: impl Fn(&Identity) -> bool,
    ) -> Vec<Diagnostic> {
        let before = self
            .entries
            .iter()
            .map(|entry| (entry.identity.clone(), entry.before.clone()));
        let left = mark(findings, before, Known::Baseline);
        if severity == Severity::Off {
            return Vec::new();
        }
        let fixed = |at: &usize| {
            let entry = self.entries.get(*at)?;
            if silent(&entry.identity) {
                return None;
            }
            let Identity { rule, code, subject } = &entry.identity;
            let message = format!("{rule} ({code}) about {subject} is put aside, but is not found any more");
            let finding = Diagnostic::error(PAGE.slug, "fixed", message).severity(severity);
            let command = self.finder.command();
            let help = format!("delete the entry, or write the file anew: `{command} --write-baseline`");
            Some(finding.at(entry.span, "").help(help))
        };
        left.iter().filter_map(fixed).collect()
    }

    /// The file of a command that puts these findings aside, in their order.
    pub fn write<'d>(finder: Finder, findings: impl Iterator<Item = &'d Diagnostic>) -> String {
        let mut text = finder.head();
        for finding in findings {
            let Identity { rule, code, subject } = Identity::of(finding);
            let _ = writeln!(text, "\n[[finding]]\nrule = {}", quoted(&rule));
            let _ = writeln!(text, "code = {}\nabout = {}", quoted(&code), quoted(&subject));
            let _ = writeln!(text, "severity = {}", quoted(finding.severity.as_str()));
            if finding.life > 0 {
                let _ = writeln!(text, "life = {}", finding.life);
            }
            if let Some(missed_by) = finding.missed_by {
                let _ = writeln!(text, "missed-by = {missed_by}");
            }
            let _ = writeln!(text, "message = {}", quoted(&finding.message));
        }
        text
    }
}

fn entry(finder: Finder, item: Value<'_>, faults: &mut Diagnostics) -> Option<Entry> {
    let table = item.table(faults)?;
    let (mut life, mut missed_by) = (0, None);
    let mut severity = Severity::Error;
    for (key, value) in table.entries() {
        match key.name {
            "life" => life = value.whole(0, u32::from(u8::MAX), faults)?,
            "missed-by" => missed_by = value.whole(0, u32::MAX, faults),
            "severity" => severity = value.severity(faults)?,
            name if KEYS.contains(&name) => {}
            _ => faults.unknown_key(&key, KEYS),
        }
    }
    let identity = Identity {
        rule: required(finder, table, "rule", faults)?,
        code: required(finder, table, "code", faults)?,
        subject: required(finder, table, "about", faults)?,
    };
    if !finder.finds(&identity.rule) {
        let (command, rule) = (finder.command(), &identity.rule);
        let message = format!("`{command}` does not find `{rule}`: this is the baseline of another command");
        let help = format!("name the file that `{command} --write-baseline` wrote, or delete the entry");
        faults.at("foreign-entry", table.span(), message, help);
        return None;
    }
    Some(Entry {
        identity,
        before: Before {
            message: text(table, "message", faults).unwrap_or_default(),
            severity,
            life: u8::try_from(life).unwrap_or(u8::MAX),
            missed_by,
        },
        span: table.span(),
    })
}

fn required(finder: Finder, table: Table<'_>, key: &str, faults: &mut Diagnostics) -> Option<String> {
    if table.get(key).is_none() {
        let command = finder.command();
        let why = format!("delete the file, and write it anew: `{command} --write-baseline`");
        faults.missing_key(table.span(), key, &why);
    }
    text(table, key, faults)
}

fn text(table: Table<'_>, key: &str, faults: &mut Diagnostics) -> Option<String> {
    let (_, value) = table.get(key)?;
    value.word(faults).map(|word| word.text.to_owned())
}
