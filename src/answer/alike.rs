//! Findings that are alike: those with equal messages, except for the names in them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::{ElementPath, MemberName};
use crate::report::{DiagnosticReport, FindingGroup};

/// The groups, new findings and errors first.
pub(crate) fn alike(findings: &[DiagnosticReport<'_>]) -> Vec<FindingGroup> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let severity = (finding.known.is_some(), Reverse(finding.severity));
        let words = (
            common_words(finding, &finding.message),
            finding.help.as_deref().map(|help| common_words(finding, help)),
        );
        let key = (severity, finding.rule, finding.code.as_str(), words);
        groups.entry(key).or_default().push(at);
    }
    let groups = groups.into_values();
    groups.filter_map(|group| group_of(findings, group)).collect()
}

fn group_of(findings: &[DiagnosticReport<'_>], alike: Vec<usize>) -> Option<FindingGroup> {
    let members: Vec<&DiagnosticReport<'_>> = alike.iter().filter_map(|at| findings.get(*at)).collect();
    let first = *members.first()?;
    let subjects: Vec<Subject> = members.iter().map(|finding| Subject::of(finding)).collect();
    let messages: Vec<&str> = members.iter().map(|finding| finding.message.as_str()).collect();
    let helps: Vec<&str> = members.iter().filter_map(|finding| finding.help.as_deref()).collect();
    let kinds: BTreeSet<String> = subjects.iter().filter_map(|subject| subject.kind.clone()).collect();
    let message = common(&messages, &subjects);
    Some(FindingGroup {
        severity: first.severity,
        rule: first.rule,
        code: first.code.clone(),
        known: first.known,
        message: message.strip_prefix("the field: ").unwrap_or(&message).to_owned(),
        help: (!helps.is_empty()).then(|| common(&helps, &subjects)),
        kinds: kinds.into_iter().collect(),
        findings: alike,
    })
}

/// The words that findings have to share to be alike: all but the element where a message names it, else those outside
/// of code spans.
fn common_words<'t>(finding: &DiagnosticReport<'_>, text: &'t str) -> Vec<&'t str> {
    match &finding.element {
        Some(element) if finding.message.contains(element.as_str()) => text.split(element.as_str()).collect(),
        _ => without_names(text),
    }
}

/// The text outside of the code spans of a message.
fn without_names(text: &str) -> Vec<&str> {
    text.split('`').step_by(2).collect()
}

/// What a finding is about.
struct Subject {
    kind: Option<String>,
    /// The path of the field, and its last name.
    path: String,
    name: String,
}

impl Subject {
    fn of(finding: &DiagnosticReport<'_>) -> Self {
        let element = finding.element.as_deref();
        let element = element.and_then(|element| ElementPath::parse(element).ok());
        let kind = element.as_ref().and_then(ElementPath::kind);
        let path = element.as_ref().and_then(ElementPath::member);
        let path = path.map_or_else(String::new, MemberName::written);
        let name = path.rsplit('.').next().unwrap_or_default();
        Self {
            kind: kind.map(|path| format!("{} {}", path.version.group, path.kind)),
            name: name.trim_end_matches(['[', ']', '{', '}']).to_owned(),
            path,
        }
    }

    /// Whether a name in a message is that of the field.
    fn is(&self, name: &str) -> bool {
        [&self.path, &self.name].contains(&&name.trim_start_matches('.').to_owned()) && !name.is_empty()
    }
}

/// The most names that are listed in place of one that differs.
const MOST_NAMES: usize = 3;

/// What messages with equal words have in common: where their names differ, "the field" if they are that of each
/// field, or else the first of the names.
fn common(texts: &[&str], subjects: &[Subject]) -> String {
    let split: Vec<Vec<&str>> = texts.iter().map(|text| text.split('`').collect()).collect();
    let Some(first) = split.first() else {
        return String::new();
    };
    let mut text = String::new();
    for (at, part) in first.iter().enumerate() {
        let own = split.iter().filter_map(|parts| parts.get(at).copied());
        let names: BTreeSet<&str> = own.clone().collect();
        if at % 2 == 0 {
            text.push_str(part);
        } else if names.len() == 1 {
            text.extend(["`", part, "`"]);
        } else if own.zip(subjects).all(|(name, subject)| subject.is(name)) {
            text.push_str("the field");
        } else {
            let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
            text.push_str(&shown.join(", "));
            text.push_str(if names.len() > MOST_NAMES { ", …" } else { "" });
        }
    }
    text
}
