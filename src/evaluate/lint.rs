//! The order of steps of `lint`.

use std::collections::BTreeSet;

use crate::baseline::{self, Finder, Identity, Reported, Suppressions};
use crate::diagnostic::{Diagnostic, Severity};
use crate::grammar::{ElementPath, KindPath};
use crate::policy::Law;
use crate::report::Report;
use crate::schema::{self, Unrendered};
use crate::source::{FileId, Sources};
use crate::text::Unreadable;
use crate::{answer, lint};

/// Linted kinds: each with its group.
type Kinds = BTreeSet<(String, String)>;

/// The CRDs of texts, linted.
#[derive(Debug, Default)]
pub struct Linted {
    /// Whether checks are reported that are off otherwise.
    conventions: bool,
    findings: Vec<Diagnostic>,
    /// How many CRDs were linted.
    pub definitions: usize,
    /// Their deprecated versions, which get no advice: `example.com/v1beta1 Widget`.
    pub deprecated: Vec<String>,
    kinds: Kinds,
    base: Option<String>,
    baseline: Option<String>,
}

impl Linted {
    /// No CRDs yet. `conventions`: also report the checks of conventions that many projects do not follow.
    pub fn new(conventions: bool) -> Self {
        Self {
            conventions,
            ..Self::default()
        }
    }

    /// Reads a text in YAML or JSON, lints its CRDs, and adds the findings. The law sets their severities. Returns the
    /// skipped documents.
    ///
    /// # Errors
    ///
    /// If a document that looks like a CRD cannot be read. Nothing of the text is linted then.
    pub fn add(&mut self, law: &Law, file: FileId, text: &str) -> Result<Vec<Unrendered>, Unreadable> {
        let (found, written) = schema::read_each(text)?;
        let findings = lint::lint(file, text, (&found.definitions, &written), |check, code| {
            let stated = law.severity_outside(&check.as_page(), code);
            let is_asked_for = self.conventions && check.opt_in && !law.silences(check.slug, code);
            if is_asked_for {
                stated.max(Severity::Note)
            } else {
                stated
            }
        })?;
        self.findings.extend(findings);
        let refused = written.iter().filter(|document| document.problem.is_some());
        let refused: usize = refused.map(|document| document.definitions.len()).sum();
        self.definitions += found.definitions.len() + refused;
        for definition in &found.definitions {
            self.kinds.insert((definition.group.clone(), definition.kind.clone()));
            let deprecated = definition.versions.iter().filter(|(_, version)| version.deprecated);
            let ids = deprecated.map(|(name, _)| element(&definition.group, name, &definition.kind));
            self.deprecated.extend(ids);
        }
        Ok(found.unrendered)
    }

    /// The findings, ordered by place.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Marks the findings that an earlier state has too; `name` is its name in messages.
    ///
    /// A finding is identified by version and path, not by file, so files may be moved and split. In a new version all
    /// are new, also those that the version before it has: before it is released, they can be fixed.
    pub fn compare_with(&mut self, name: &str, base: &Self) {
        baseline::mark_base(&mut self.findings, &base.findings);
        self.base = Some(name.to_owned());
    }

    /// Marks the findings that a baseline lists, and adds its entries whose findings are fixed, and those that the
    /// baseline of the base lacks, if their kind was checked.
    pub fn suppress(&mut self, law: &Law, suppressions: Suppressions<'_>) {
        let record = Finder::Lint.record();
        let reported = Reported {
            fixed: law.severity_outside(&baseline::PAGE, "fixed"),
            added: law.severity_outside(&baseline::PAGE, "added"),
            record: &record,
        };
        let kinds = &self.kinds;
        let about = suppressions.baseline.suppress(
            &mut self.findings,
            self.base.as_deref().zip(suppressions.base),
            reported,
            (
                |finding| law.silences(&finding.rule, &finding.code) || is_unchecked(finding, kinds),
                |finding| is_unchecked(finding, kinds),
            ),
        );
        self.findings.extend(about);
        self.findings.sort_by(Diagnostic::listing_order);
        self.baseline = Some(suppressions.file.to_owned());
    }

    /// The report: the findings, or only those that are not known, and what they were compared with.
    pub fn report(&self, sources: &Sources<'_>, all: bool) -> Report<'static> {
        let mut report = Report {
            compared: baseline::compared(self.findings.iter(), self.base.as_deref(), self.baseline.as_deref()),
            ..answer::error_report(&self.findings, sources)
        };
        if !all {
            report.leave_out_known();
        }
        report.finding_groups = answer::alike(&report.diagnostics);
        report
    }
}

/// Whether the kind of a finding was not linted.
fn is_unchecked(finding: &Identity, kinds: &Kinds) -> bool {
    kind_of(&finding.subject).is_none_or(|kind| !kinds.contains(&kind))
}

/// The id of a version of a kind.
fn element(group: &str, version: &str, kind: &str) -> String {
    KindPath::api(group, version, kind).to_string()
}

/// The group and the kind of an element.
fn kind_of(element: &str) -> Option<(String, String)> {
    let path = ElementPath::parse(element).ok()?;
    let KindPath { version, kind } = path.kind()?;
    Some((version.group.to_string(), kind.to_string()))
}
