//! Changes of schemas as findings, like those of any rule: with a number, a level, a place in the schema's text.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Fact, RuleId, Severity};
use crate::lint;
use crate::policy::Law;
use crate::report::DifferenceReport;
use crate::schema::ChangeKind;
use crate::source::{FileId, SourceFile, Sources, Span};
use crate::text::Place;

/// Places of a shared schema that a finding names.
const MOST_ALSO: usize = 8;

/// The rule that a kind of change is under.
fn rule_of(kind: ChangeKind) -> RuleId {
    match kind {
        ChangeKind::LostBetween
        | ChangeKind::SetBetween
        | ChangeKind::RefusedBetween
        | ChangeKind::ConversionChanged
        | ChangeKind::ConversionSettingsChanged => "round-trip",
        ChangeKind::DefinitionAdded
        | ChangeKind::DefinitionRemoved
        | ChangeKind::VersionAdded
        | ChangeKind::VersionRemoved
        | ChangeKind::UnservedVersionRemoved
        | ChangeKind::VersionServed
        | ChangeKind::VersionUnserved
        | ChangeKind::VersionDeprecated
        | ChangeKind::VersionUndeprecated => "version-lifetime",
        ChangeKind::StoredVersionRemoved
        | ChangeKind::StoredVersionsChanged
        | ChangeKind::StorageMoved
        | ChangeKind::StorageMovedToNew => "preferred-and-storage",
        ChangeKind::DeprecatedUnwarned | ChangeKind::WarningChanged => "version-replacement",
        _ => "element-removal",
    }
}

/// Whether a kind of change is of what a version has, not of the version itself or of the ways between versions.
pub(super) fn is_within_version(kind: ChangeKind) -> bool {
    rule_of(kind) == "element-removal"
}

/// The codes of the changes that are findings of a rule.
pub fn codes_under(rule: &str) -> impl Iterator<Item = &'static str> {
    let under = move |kind: &&ChangeKind| rule_of(**kind) == rule;
    ChangeKind::ALL.iter().filter(under).map(|kind| kind.as_str())
}

/// The texts in which changes have their places, by the names that reports tell.
#[derive(Debug, Default)]
pub struct Texts<'t>(BTreeMap<&'t str, (FileId, SourceFile<'t>)>);

impl<'t> Texts<'t> {
    /// No texts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text. Of two with one name the first one counts.
    pub fn add(&mut self, name: &'t str, file: FileId, text: &'t str) {
        self.0
            .entry(name)
            .or_insert_with(|| (file, SourceFile::new(name, text)));
    }

    /// The word at a place of a text; the start of the text where the place is not known or not in it.
    pub(super) fn span(&self, name: &str, place: Option<Place>) -> Option<Span> {
        let (id, file) = self.0.get(name)?;
        let start = Span {
            file: *id,
            start: 0,
            end: 0,
        };
        Some(
            place
                .and_then(|place| lint::span(*id, file, place, ""))
                .unwrap_or(start),
        )
    }
}

/// Changes as findings, in the order of their places. How grave each is says a level of the law for its rule and code,
/// or else the report. What is off is left out. A place in a text of the base is told beside, for nothing is there any
/// more.
pub fn findings<'c>(
    changes: impl IntoIterator<Item = &'c DifferenceReport>,
    texts: &Texts<'_>,
    law: &Law,
) -> Vec<Diagnostic> {
    let found = changes.into_iter().filter_map(|change| finding(change, texts, law));
    let mut found: Vec<Diagnostic> = found.collect();
    found.sort_by(Diagnostic::listing_order);
    found
}

fn finding(change: &DifferenceReport, texts: &Texts<'_>, law: &Law) -> Option<Diagnostic> {
    let rule = rule_of(ChangeKind::parse(change.code)?);
    let level = law.level(rule, change.code).map(|level| level.severity);
    let severity = level.or_else(|| Severity::parse(change.severity))?;
    if severity == Severity::Off {
        return None;
    }
    let number = law.editions().last().and_then(|newest| {
        let said = newest.policy.rules.get(rule)?;
        said.number.clone()
    });
    let message = format!("{}: {}", change.element, change.message);
    let mut finding = Diagnostic::error(rule, change.code, message).severity(severity);
    finding.number = number;
    finding.element = Some(change.element.clone());
    finding.because = facts(change);
    finding.help.clone_from(&change.help);
    let place = change.line.zip(change.column);
    let place = place.map(|(line, column)| Place { line, column });
    let span = change.file.as_ref().and_then(|name| texts.span(name, place));
    Some(match span {
        // What is gone has no place in what is checked.
        Some(span) if span.file >= Sources::BASE => finding.seen_at(span, "it was here"),
        Some(span) => finding.at(span, ""),
        None => finding,
    })
}

/// Who loses, why, where else, and an object that shows it.
fn facts(change: &DifferenceReport) -> Vec<Fact> {
    let mut facts = Vec::new();
    facts.extend(who_loses(change).map(str::to_owned));
    facts.extend(change.reason.clone());
    if !change.also.is_empty() {
        let named = change.also.iter().take(MOST_ALSO).map(String::as_str);
        let named = named.collect::<Vec<_>>().join(", ");
        facts.push(match change.also.len().saturating_sub(MOST_ALSO) {
            0 => format!("the same holds for {named}"),
            more => format!("the same holds for {named} and {more} more"),
        });
    }
    facts.extend(change.example.as_ref().map(|object| format!("for instance: {object}")));
    let fact = |text| Fact {
        text,
        ..Fact::default()
    };
    facts.into_iter().map(fact).collect()
}

fn who_loses(change: &DifferenceReport) -> Option<&'static str> {
    match (change.requests, change.readers) {
        ("breaking", "breaking") => Some("it breaks those who write objects and those who read them"),
        ("breaking", _) => Some("it breaks those who write objects as before"),
        (_, "breaking") => Some("it breaks those who read objects as before"),
        ("risky", "risky") => Some("it is risky for those who write objects and for those who read them"),
        ("risky", _) => Some("it is risky for those who write objects as before"),
        (_, "risky") => Some("it is risky for those who read objects as before"),
        _ => None,
    }
}
