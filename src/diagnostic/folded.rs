//! Findings that say the same about several kinds or members of a version.

use std::collections::HashMap;

use super::{Diagnostic, Severity};

/// The most elements that are named beside the first one.
const MOST_NAMED: usize = 12;

/// What is found about one element and, in the same words, about others of its version.
#[derive(Debug, Clone)]
pub(crate) struct Folded<'f> {
    /// The first finding.
    pub(crate) finding: &'f Diagnostic,
    /// The others, without their version: `Gadget`.
    others: Vec<&'f str>,
}

impl Folded<'_> {
    /// The names of the other elements: " (also Gadget, Gizmo and 3 others)". Nothing if there are none.
    pub(crate) fn also(&self) -> String {
        let named = self.others[..self.others.len().min(MOST_NAMED)].join(", ");
        match self.others.len().saturating_sub(MOST_NAMED) {
            _ if named.is_empty() => String::new(),
            0 => format!(" (also {named})"),
            1 => format!(" (also {named} and 1 other)"),
            more => format!(" (also {named} and {more} others)"),
        }
    }
}

/// Findings in their order, each with those after it that say the same about another element of the version.
pub(crate) fn folded<'f>(findings: impl IntoIterator<Item = &'f Diagnostic>) -> Vec<Folded<'f>> {
    let mut all: Vec<Folded<'f>> = Vec::new();
    let mut known: HashMap<Words<'f>, usize> = HashMap::new();
    for finding in findings {
        let (words, name) = Words::of(finding);
        match (known.get(&words), name) {
            (Some(at), Some(name)) => all[*at].others.push(name),
            _ => {
                known.insert(words, all.len());
                let others = Vec::new();
                all.push(Folded { finding, others });
            }
        }
    }
    all
}

/// What a finding says about whichever element of a version.
#[derive(PartialEq, Eq, Hash)]
struct Words<'f> {
    rule: &'f str,
    severity: Severity,
    version: Option<&'f str>,
    /// The message and the reasons, without the element.
    texts: Vec<Vec<String>>,
}

impl<'f> Words<'f> {
    /// The words, and the name of the element in its version.
    fn of(finding: &'f Diagnostic) -> (Self, Option<&'f str>) {
        let id = finding.element.as_deref();
        let parts = id
            .and_then(|id| id.split_once(' '))
            .filter(|(version, _)| version.contains('/'));
        let texts = std::iter::once(finding.message.as_str()).chain(finding.because.iter().map(|fact| &*fact.text));
        let texts = texts.map(|text| match (parts, id) {
            (Some(_), Some(id)) => text.split(id).map(str::to_owned).collect(),
            _ => vec![text.to_owned()],
        });
        let words = Self {
            rule: finding.rule,
            severity: finding.severity,
            version: parts.map(|(version, _)| version),
            texts: texts.collect(),
        };
        (words, parts.map(|(_, name)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(id: &str, message: &str) -> Diagnostic {
        Diagnostic::error("version-lifetime", "overdue", message.to_owned()).about(id.to_owned())
    }

    #[test]
    fn what_is_said_of_kinds_of_one_version_is_said_once() {
        let late = [
            found("g/v1 Widget", "g/v1 Widget is removed in 1.5"),
            found("g/v1 Gadget", "g/v1 Gadget is removed in 1.5"),
            found("g/v2 Gadget", "g/v2 Gadget is removed in 1.5"),
            found("g/v1 Gizmo", "g/v1 Gizmo is removed in 1.6"),
            found("gate G", "gate G is removed in 1.5"),
            found("gate H", "gate H is removed in 1.5"),
        ];
        let also: Vec<String> = folded(&late).iter().map(Folded::also).collect();
        assert_eq!(also, [" (also Gadget)", "", "", "", ""]);
        let many: Vec<Diagnostic> = (0..15).map(|at| found(&format!("g/v1 K{at}"), "late")).collect();
        let all = folded(&many);
        assert_eq!(all.len(), 1);
        assert!(all[0].also().ends_with("K12 and 2 others)"), "{}", all[0].also());
    }
}
