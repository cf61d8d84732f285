//! Baseline files: they list the findings that a project had when it started to use a command.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Known, Missed, Page, Severity};
use crate::document::{Diagnostics, Document, Table, Value, quoted};
use crate::lint::CHECKS;
use crate::scan;
use crate::source::Span;

use super::{Before, Identity, Match, mark, pair};

/// The page of entries that suppress no finding, or one that they should not.
pub(crate) const PAGE: Page = Page {
    slug: "baseline",
    title: "Entries of a baseline whose findings are fixed, or new.",
    text: include_str!("baseline.md"),
    codes: &[("fixed", Severity::Warning), ("added", Severity::Error)],
};

/// By how much a bound is missed that has no release.
const UNKNOWN: &str = "unknown";

const KEYS: &[&str] = &[
    "rule",
    "code",
    "about",
    "event",
    "declared",
    "counted-from",
    "object",
    "severity",
    "life",
    "missed-by",
    "message",
];

/// The command of a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finder {
    /// `check`: findings about a model.
    Check,
    /// `lint`: findings about CRDs.
    Lint,
    /// `scan`: findings about objects.
    Scan,
    /// `diff`: findings about a change of schemas.
    Diff,
}

impl Finder {
    fn command(self) -> &'static str {
        match self {
            Self::Check => "lifecycle check",
            Self::Lint => "lifecycle lint",
            Self::Scan => "lifecycle scan",
            Self::Diff => "lifecycle diff",
        }
    }

    /// The command that records a baseline.
    pub(crate) fn record(self) -> String {
        format!("{} --write-baseline", self.command())
    }

    /// Whether the command has findings of a rule.
    fn finds(self, rule: &str) -> bool {
        let of_definitions = CHECKS.iter().any(|check| check.slug == rule);
        let of_objects = rule == scan::PAGE.slug;
        match self {
            Self::Check | Self::Diff => !of_definitions && !of_objects,
            Self::Lint => of_definitions,
            Self::Scan => of_objects,
        }
    }

    fn head(self) -> String {
        let command = self.command();
        format!(
            "# Suppressed findings: `{command}` does not fail for them. If you fix one, delete its entry.\n\
             # Written by `{command} --write-baseline`.\n"
        )
    }
}

/// The findings that a file lists.
#[derive(Debug)]
pub struct Baseline {
    entries: Vec<BaselineEntry>,
}

/// What a run suppresses.
#[derive(Debug, Clone, Copy)]
pub struct Suppressions<'b> {
    /// The name of the baseline file.
    pub file: &'b str,
    /// The findings that it lists.
    pub baseline: &'b Baseline,
    /// Those that the file of the base lists. A change does not suppress its own findings: what this does not list is
    /// not suppressed. Without it, all of the baseline counts.
    pub base: Option<&'b Baseline>,
}

/// How entries are reported: the severities of both findings, and the command that records the baseline again.
#[derive(Clone, Copy)]
pub(crate) struct Reported<'a> {
    pub(crate) fixed: Severity,
    pub(crate) added: Severity,
    pub(crate) record: &'a str,
}

#[derive(Debug)]
struct BaselineEntry {
    identity: Identity,
    before: Before,
    span: Span,
}

impl Baseline {
    /// Reads the baseline file of a command. Errors are collected; an entry of another command is one.
    pub fn read(finder: Finder, document: &Document<'_>, diagnostics: &mut Diagnostics) -> Self {
        for error in document.syntax_errors() {
            diagnostics.push(error.clone());
        }
        for (key, _) in document.root().entries().filter(|(key, _)| key.name != "finding") {
            diagnostics.unknown_key(&key, &["finding"]);
        }
        let items = document.root().get("finding");
        let items = items.map_or_else(Vec::new, |(_, value)| value.list(diagnostics));
        Self {
            entries: items
                .into_iter()
                .filter_map(|item| entry(finder, item, diagnostics))
                .collect(),
        }
    }

    /// A baseline that lists nothing.
    pub fn empty() -> Self {
        Self { entries: Vec::new() }
    }

    /// Marks the findings that the file lists, and judges none of its entries.
    pub(crate) fn mark(&self, findings: &mut [Diagnostic]) {
        let entries = self.entries.iter().map(BaselineEntry::parts);
        mark(findings, entries, Known::Baseline, Match::Same);
    }

    /// Marks the findings that the file lists. Returns a finding for each entry that is fixed, unless it `is_unknown`
    /// because nothing looked for it.
    ///
    /// With a base, by name and baseline, an entry that this baseline lacks marks nothing. It is a finding, unless it
    /// is that of a finding that the base has too, or of something that was not checked.
    pub(crate) fn suppress(
        &self,
        findings: &mut [Diagnostic],
        base: Option<(&str, &Self)>,
        reported: Reported<'_>,
        (is_unknown, is_unchecked): (impl Fn(&Identity) -> bool, impl Fn(&Identity) -> bool),
    ) -> Vec<Diagnostic> {
        let (kept, added) = self.split(base);
        let entries = kept.iter().map(|entry| entry.parts());
        let (matched, left) = mark(findings, entries, Known::Baseline, Match::Same);
        let left = left.iter().filter_map(|at| kept.get(*at));
        let fixed = left.filter(|entry| reported.fixed > Severity::Off && !is_unknown(&entry.identity));
        let mut about: Vec<Diagnostic> = fixed.map(|entry| fixed_entry(entry, reported)).collect();
        if let Some((base, _)) = base.filter(|_| reported.added > Severity::Off) {
            let new = without_known(&added, findings.iter().zip(&matched));
            let new = new.into_iter().filter(|entry| !is_unchecked(&entry.identity));
            about.extend(new.map(|entry| added_entry(entry, base, reported.added)));
        }
        about
    }

    /// The entries that count, and those that the baseline of the base lacks.
    fn split(&self, base: Option<(&str, &Self)>) -> (Vec<&BaselineEntry>, Vec<&BaselineEntry>) {
        let Some((_, base)) = base else {
            return (self.entries.iter().collect(), Vec::new());
        };
        let own: Vec<_> = self.entries.iter().map(BaselineEntry::parts).collect();
        let (pairs, _) = pair(&own, base.entries.iter().map(BaselineEntry::parts), Match::Exact);
        let (mut kept, mut added) = (Vec::new(), Vec::new());
        for (entry, pair) in self.entries.iter().zip(pairs) {
            if pair.is_some() { &mut kept } else { &mut added }.push(entry);
        }
        (kept, added)
    }

    /// The file that lists these findings, in their order.
    pub fn write<'d>(finder: Finder, findings: impl Iterator<Item = &'d Diagnostic>) -> String {
        let mut text = finder.head();
        for finding in findings {
            let Identity { rule, code, subject } = Identity::of(finding);
            let _ = writeln!(text, "\n[[finding]]\nrule = {}", quoted(&rule));
            let _ = writeln!(text, "code = {}\nabout = {}", quoted(&code), quoted(&subject));
            let event = finding.event.as_ref();
            let declared = event.and_then(|event| event.declared.as_deref());
            let counted_from = event.and_then(|event| event.counted_from.as_deref());
            let keys = [
                ("event", event.map(|event| &*event.what)),
                ("declared", declared),
                ("counted-from", counted_from),
                ("object", finding.object.as_deref()),
            ];
            for (key, value) in keys {
                if let Some(value) = value {
                    let _ = writeln!(text, "{key} = {}", quoted(value));
                }
            }
            let _ = writeln!(text, "severity = {}", quoted(finding.severity.as_str()));
            if finding.life > 0 {
                let _ = writeln!(text, "life = {}", finding.life);
            }
            match finding.missed_by {
                Some(Missed::By(releases)) => {
                    let _ = writeln!(text, "missed-by = {releases}");
                }
                Some(Missed::Unknown) => {
                    let _ = writeln!(text, "missed-by = {}", quoted(UNKNOWN));
                }
                None => {}
            }
            let _ = writeln!(text, "message = {}", quoted(&finding.message));
        }
        text
    }
}

impl BaselineEntry {
    fn parts(&self) -> (Identity, Before) {
        (self.identity.clone(), self.before.clone())
    }
}

/// The entries that do not record, one for one and exactly, a finding that the base has too and that no other entry has
/// matched. One that allows more than that would suppress what a later change makes worse.
fn without_known<'e, 'f>(
    entries: &[&'e BaselineEntry],
    findings: impl Iterator<Item = (&'f Diagnostic, &'f bool)>,
) -> Vec<&'e BaselineEntry> {
    let mut known: HashMap<Identity, Vec<Before>> = HashMap::new();
    for (finding, _) in findings.filter(|(finding, matched)| finding.known == Some(Known::Base) && !**matched) {
        let of = known.entry(Identity::of(finding)).or_default();
        // No entry says whether it has shipped.
        of.push(Before {
            is_shipped: false,
            ..Before::of(finding)
        });
    }
    let mut new = Vec::new();
    for entry in entries {
        let of = known.entry(entry.identity.clone()).or_default();
        match of.iter().position(|known| *known == entry.before) {
            Some(at) => drop(of.swap_remove(at)),
            None => new.push(*entry),
        }
    }
    new
}

fn fixed_entry(entry: &BaselineEntry, reported: Reported<'_>) -> Diagnostic {
    let Identity { rule, code, subject } = &entry.identity;
    let message = format!("the finding {rule} ({code}) about {subject} is fixed, but still listed");
    let finding = Diagnostic::error(PAGE.slug, "fixed", message).severity(reported.fixed);
    let help = format!("delete the entry, or record the baseline again: `{}`", reported.record);
    finding.at(entry.span, "").help(help)
}

fn added_entry(entry: &BaselineEntry, base: &str, severity: Severity) -> Diagnostic {
    let Identity { rule, code, subject } = &entry.identity;
    let message = format!("this change lists a finding that {base} does not have: {rule} ({code}) about {subject}");
    let help =
        "delete the entry: a baseline lists findings that were there before; fix this one, or grant an exception";
    let finding = Diagnostic::error(PAGE.slug, "added", message).severity(severity);
    finding.at(entry.span, "").help(help)
}

fn entry(finder: Finder, item: Value<'_>, diagnostics: &mut Diagnostics) -> Option<BaselineEntry> {
    let table = item.table(diagnostics)?;
    let (mut life, mut missed_by) = (0, None);
    let mut severity = Severity::Error;
    for (key, value) in table.entries() {
        match key.name {
            "life" => life = value.whole(0, u32::from(u8::MAX), diagnostics)?,
            "missed-by" => missed_by = missed(value, diagnostics),
            "severity" => severity = value.severity(diagnostics)?,
            name if KEYS.contains(&name) => {}
            _ => diagnostics.unknown_key(&key, KEYS),
        }
    }
    let identity = Identity {
        rule: required(finder, table, "rule", diagnostics)?,
        code: required(finder, table, "code", diagnostics)?,
        subject: required(finder, table, "about", diagnostics)?,
    };
    if !finder.finds(&identity.rule) {
        let (command, rule) = (finder.command(), &identity.rule);
        let message = format!("`{command}` has no findings of `{rule}`: this is the baseline of another command");
        let help = format!("name the file that `{command} --write-baseline` wrote, or delete the entry");
        diagnostics.at("foreign-entry", table.span(), message, help);
        return None;
    }
    Some(BaselineEntry {
        identity,
        before: Before {
            message: text(table, "message", diagnostics).unwrap_or_default(),
            event: text(table, "event", diagnostics),
            declared: ["declared", "counted-from"].map(|key| text(table, key, diagnostics)),
            object: text(table, "object", diagnostics),
            severity,
            life: u8::try_from(life).unwrap_or(u8::MAX),
            missed_by,
            is_shipped: false,
        },
        span: table.span(),
    })
}

/// A number of releases, or `"unknown"`; older files have the greatest number for that.
fn missed(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<Missed> {
    if value.as_word().is_some_and(|word| word.text == UNKNOWN) {
        return Some(Missed::Unknown);
    }
    let releases = value.whole(0, u32::MAX, diagnostics)?;
    Some(if releases == u32::MAX {
        Missed::Unknown
    } else {
        Missed::By(releases)
    })
}

fn required(finder: Finder, table: Table<'_>, key: &str, diagnostics: &mut Diagnostics) -> Option<String> {
    if table.get(key).is_none() {
        let command = finder.command();
        let why = format!("record the file again: `{command} --write-baseline`");
        diagnostics.missing_key(table.span(), key, &why);
    }
    text(table, key, diagnostics)
}

fn text(table: Table<'_>, key: &str, diagnostics: &mut Diagnostics) -> Option<String> {
    let (_, value) = table.get(key)?;
    value.word(diagnostics).map(|word| word.text.to_owned())
}
