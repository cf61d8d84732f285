//! A baseline: the findings that an old project had when it began to check, put aside in a file.

use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Known, RuleId, Severity};
use crate::document::{Document, Faults, Table, Value, quoted};
use crate::source::Span;

use super::{Before, Identity, mark};

const RULE: RuleId = "baseline";

const KEYS: &[&str] = &["rule", "code", "about", "severity", "life", "missed-by", "message"];

/// What stands at the head of the file.
const HEAD: &str = "\
# Findings put aside: `lifecycle check` does not fail for them. Whoever mends one deletes its entry here.
# Written by `lifecycle check --write-baseline`.
";

/// The findings that a file puts aside.
#[derive(Debug)]
pub struct Baseline {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    identity: Identity,
    before: Before,
    span: Span,
}

impl Baseline {
    /// Reads a baseline file. Faults are collected.
    pub fn read(document: &Document<'_>, faults: &mut Faults) -> Self {
        for fault in document.syntax_errors() {
            faults.push(fault.clone());
        }
        for (key, _) in document.root().entries().filter(|(key, _)| key.name != "finding") {
            faults.unknown_key(&key, &["finding"]);
        }
        let items = document.root().get("finding");
        let items = items.map_or_else(Vec::new, |(_, value)| value.list(faults));
        Self {
            entries: items.into_iter().filter_map(|item| entry(item, faults)).collect(),
        }
    }

    /// Marks the findings that are put aside. Those that are mended come back as findings, to be dropped from the file;
    /// unless they are `silent`, by rule and code: then nobody knows.
    pub fn set_aside(
        &self,
        findings: &mut [Diagnostic],
        severity: Severity,
        silent: impl Fn(&str, &str) -> bool,
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
            let Identity { rule, code, subject } = &entry.identity;
            if silent(rule, code) {
                return None;
            }
            let message = format!("{rule} ({code}) about {subject} is put aside, but is not found any more");
            let finding = Diagnostic::error(RULE, "fixed", message).severity(severity);
            Some(
                finding
                    .at(entry.span, "")
                    .help("delete the entry, or write the file anew: `lifecycle check --write-baseline`"),
            )
        };
        left.iter().filter_map(fixed).collect()
    }

    /// The file that puts these findings aside: what a check could fail for, in the order of the list.
    pub fn write<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> String {
        let mut text = HEAD.to_owned();
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

fn entry(item: Value<'_>, faults: &mut Faults) -> Option<Entry> {
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
    Some(Entry {
        identity: Identity {
            rule: required(table, "rule", faults)?,
            code: required(table, "code", faults)?,
            subject: required(table, "about", faults)?,
        },
        before: Before {
            message: text(table, "message", faults).unwrap_or_default(),
            severity,
            life: u8::try_from(life).unwrap_or(u8::MAX),
            missed_by,
        },
        span: table.span(),
    })
}

fn required(table: Table<'_>, key: &str, faults: &mut Faults) -> Option<String> {
    if table.get(key).is_none() {
        let why = "delete the file, and write it anew: `lifecycle check --write-baseline`";
        faults.missing_key(table.span(), key, why);
    }
    text(table, key, faults)
}

fn text(table: Table<'_>, key: &str, faults: &mut Faults) -> Option<String> {
    let (_, value) = table.get(key)?;
    value.word(faults).map(|word| word.text.to_owned())
}
