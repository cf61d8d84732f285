//! Definitions of custom resources, read and looked at by themselves.

use crate::answer;
use crate::diagnostic::{Diagnostic, Known};
use crate::known;
use crate::lint;
use crate::policy::Law;
use crate::report::{ComparedReport, Report};
use crate::rules;
use crate::schema::{self, Unrendered};
use crate::source::{FileId, Sources};
use crate::text::Unreadable;

/// What was found in texts.
#[derive(Debug, Default)]
pub struct Linted {
    findings: Vec<Diagnostic>,
    /// How many definitions were looked at.
    pub definitions: usize,
    /// Their deprecated versions, on which there is no advice: `example.com/v1beta1 Widget`.
    pub deprecated: Vec<String>,
    base: Option<String>,
}

impl Linted {
    /// Reads a text, in YAML or JSON, and adds what the checks find in its definitions. Levels are those of the law's
    /// newest edition, or of whoever is nearer. Answers with the documents that were passed over.
    ///
    /// # Errors
    ///
    /// If a document that seems to define a custom resource cannot be read: nothing of the text is looked at then.
    pub fn add(&mut self, law: &Law, file: FileId, text: &str) -> Result<Vec<Unrendered>, Unreadable> {
        let found = schema::read(text)?;
        let severity = |check, code: &str| rules::severity_outside(law, check, code);
        self.findings
            .extend(lint::lint(file, text, &found.definitions, severity));
        self.definitions += found.definitions.len();
        for definition in &found.definitions {
            let deprecated = definition.versions.iter().filter(|(_, version)| version.deprecated);
            let words = deprecated.map(|(name, _)| format!("{}/{name} {}", definition.group, definition.kind));
            self.deprecated.extend(words);
        }
        Ok(found.unrendered)
    }

    /// What was found, in the order of its places.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Marks what an earlier state has too. `name` is what the user calls that state.
    pub fn compare_with(&mut self, name: &str, base: &Self) {
        known::mark_base(&mut self.findings, &base.findings);
        self.base = Some(name.to_owned());
    }

    /// The report: the findings, and what they were held against.
    pub fn report(&self, sources: &Sources<'_>) -> Report<'static> {
        let known = self
            .findings
            .iter()
            .filter(|finding| finding.known == Some(Known::Base));
        let known_in_base = known.count();
        Report {
            compared: self.base.as_ref().map(|base| ComparedReport {
                base: Some(base.clone()),
                known_in_base,
                baseline: None,
                put_aside: 0,
            }),
            ..answer::faults_report(&self.findings, sources)
        }
    }
}
