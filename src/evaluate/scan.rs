//! The order of steps of `scan`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::ignored::{self, Models, Moment};
use super::surface::Judge;
use super::{Evaluation, NotCovered};
use crate::baseline::{self, Finder, Reported, Suppressions};
use crate::compat::State;
use crate::diagnostic::Diagnostic;
use crate::document::{self, Diagnostics, Document, Edit};
use crate::grammar::KindPath;
use crate::policy::Law;
use crate::release::{DateKind, Release};
use crate::report::Report;
use crate::scan::{Contained, Known, Rewrites, Surface, Uses};
use crate::source::{FileId, Sources, Span};
use crate::text::Unreadable;
use crate::{answer, scan};

/// The objects of texts, compared with what models declare.
#[derive(Debug, Default)]
pub struct Scan {
    surfaces: Vec<Surface>,
    rewrites: Rewrites,
    contained: Contained,
    moments: Vec<Moment>,
    coverage: Vec<Coverage>,
    findings: Vec<Diagnostic>,
    /// How many objects were found.
    pub objects: usize,
    /// How many objects no model knows, by group, or by version where a model has the group.
    pub unknown: BTreeMap<String, usize>,
    /// How many uses are left out, because they were over before the first release of the scope.
    pub earlier: usize,
    /// How many uses comments ignore.
    pub ignored: usize,
    base: Option<String>,
    baseline: Option<String>,
}

/// The releases that a scan is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'r> {
    /// The release in use. What it has, or no longer has, already is left out.
    pub from: Option<&'r str>,
    /// The release that objects are meant for; `None`: the current one of the model.
    pub to: Option<&'r str>,
}

/// Why a model cannot be scanned for a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// The model does not know one of its releases.
    #[error(transparent)]
    NotCovered(#[from] NotCovered),
    /// It ends before it begins.
    #[error("{from} comes after {to}: an upgrade goes from an earlier release to a later one")]
    Reversed {
        /// The release in use.
        from: String,
        /// The release that objects are meant for.
        to: String,
    },
}

/// What a model knows, for a line that says so.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// The name of the model.
    pub model: String,
    /// The first and the last listed release.
    pub releases: (String, String),
    /// The release that objects are meant for, and its date if it has not shipped.
    pub to: (String, Option<String>),
    /// The groups.
    pub groups: Vec<String>,
}

/// `lifecycle.toml knows the releases 1.0 to 1.36 and 2 groups: a, b`.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = &self.releases;
        let plural = if self.groups.len() == 1 { "" } else { "s" };
        let (model, groups) = (&self.model, self.groups.len());
        write!(
            f,
            "{model} knows the releases {first} to {last} and {groups} API group{plural}"
        )
    }
}

/// What one text had.
#[derive(Debug, Default)]
pub struct Scanned {
    /// The places of its findings.
    pub places: Vec<Span>,
    /// The lines of documents that are templates.
    pub templates: Vec<u32>,
    /// Documents that cannot be read.
    pub unreadable: Vec<Unreadable>,
}

impl Scanned {
    /// A text in which documents that may have secrets are unreadable, except for the places of findings; `None` where
    /// nothing has to be hidden.
    pub fn masked(&self, text: &str) -> Option<String> {
        scan::masked(text, &self.places)
    }
}

impl Scan {
    /// Nothing scanned yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a model. Of several that declare a group, the first one counts.
    ///
    /// # Errors
    ///
    /// If the model does not know a release of the scope, or the scope ends before it begins.
    pub fn add_model(&mut self, name: &str, evaluation: &Evaluation, scope: Scope<'_>) -> Result<(), ScopeError> {
        let calendar = &evaluation.model.calendar;
        let from = scope.from.map(|from| evaluation.find_known(from)).transpose()?;
        let to = match scope.to {
            Some(to) => evaluation.find_known(to)?,
            None => calendar
                .current()
                .unwrap_or_else(|| Release(calendar.listed().saturating_sub(1))),
        };
        if let Some(from) = from.filter(|from| *from > to) {
            let [from, to] = [from, to].map(|release| calendar.name(release));
            return Err(ScopeError::Reversed { from, to });
        }
        let judge = Judge { evaluation, from, to };
        let surface = judge.surface();
        let moment = evaluation.moment(to);
        let ahead = calendar.current().is_none_or(|current| to > current);
        self.coverage.push(Coverage {
            model: name.to_owned(),
            releases: (
                calendar.name(Release(0)),
                calendar.name(Release(calendar.listed().saturating_sub(1))),
            ),
            to: (
                calendar.name(to),
                moment.filter(|_| ahead).and_then(|moment| {
                    let date = moment.date?;
                    Some(match moment.date_kind {
                        DateKind::Projected => format!("projected {date}"),
                        _ => date.to_owned(),
                    })
                }),
            ),
            groups: surface.groups.keys().cloned().collect(),
        });
        self.surfaces.push(surface);
        self.moments.push(Moment {
            calendar: calendar.clone(),
            to,
        });
        Ok(())
    }

    /// Adds a list of kinds whose objects a later version takes as they are.
    ///
    /// # Errors
    ///
    /// If the list cannot be read.
    pub fn add_rewrites(&mut self, list: &Document<'_>) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Diagnostics::default();
        self.rewrites.add_list(list, &mut errors);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors.into_vec())
        }
    }

    /// Adds a list of kinds whose objects contain those of others, so that members of these count there too.
    ///
    /// # Errors
    ///
    /// If the list cannot be read.
    pub fn add_contained(&mut self, list: &Document<'_>) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Diagnostics::default();
        self.contained.add_list(list, &mut errors);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors.into_vec())
        }
    }

    /// Adds the schemas of CRDs: they say which objects a version takes.
    pub fn add_schemas(&mut self, state: &State<'_>) {
        for definition in state.definitions.iter().map(|source| source.definition) {
            for (name, version) in &definition.versions {
                if let Some(schema) = &version.schema {
                    let kind = KindPath::api(definition.group.as_str(), name.as_str(), definition.kind.as_str());
                    self.rewrites.add_schema(&kind, Arc::clone(schema));
                }
            }
        }
    }

    /// The text with the edits that fix findings in it, and how many there are. Known findings are left alone.
    pub fn fixed(&self, file: FileId, text: &str) -> (String, usize) {
        let new = self.findings.iter().filter(|finding| finding.known.is_none());
        let own = new.filter(|finding| finding.span().is_some_and(|span| span.file == file));
        let changes = own.filter_map(Diagnostic::changes).flatten();
        let edits: Vec<Edit> = changes.filter_map(|change| document::edit(text, change)).collect();
        (document::apply(text, &edits), edits.len())
    }

    /// Removes the findings in a text that its edits have fixed.
    pub fn forget_fixed(&mut self, file: FileId) {
        self.findings.retain(|finding| {
            let is_own = finding.span().is_some_and(|span| span.file == file);
            !is_own || finding.known.is_some() || finding.changes().is_none()
        });
    }

    /// How many findings have an edit that fixes them.
    pub fn fixable(&self) -> usize {
        let new = self.findings.iter().filter(|finding| finding.known.is_none());
        new.filter(|finding| finding.changes().is_some()).count()
    }

    /// What each model knows.
    pub fn coverage(&self) -> &[Coverage] {
        &self.coverage
    }

    /// Scans a text.
    pub fn add(&mut self, file: FileId, text: &str) -> Scanned {
        let read = scan::read(text);
        let mut uses = Uses::default();
        for document in &read.documents {
            let known = Known {
                surfaces: &self.surfaces,
                rewrites: &self.rewrites,
                contained: &self.contained,
            };
            uses.add(known, document);
        }
        let broken = std::mem::take(&mut uses.unreadable);
        let all = uses.all.len();
        uses.all.retain(|found| !found.fate.is_old);
        self.earlier += all - uses.all.len();
        self.objects += uses.objects;
        for (what, count) in uses.unknown {
            *self.unknown.entry(what).or_default() += count;
        }
        let reported = uses.all.len();
        let models = Models {
            surfaces: &self.surfaces,
            moments: &self.moments,
        };
        let comments = ignored::ignore(&mut uses.all, &scan::ignores(file, text), models);
        self.ignored += reported - uses.all.len();
        let mut findings = scan::findings(&uses.all, file, text);
        findings.extend(comments);
        let scanned = Scanned {
            places: findings.iter().filter_map(Diagnostic::span).collect(),
            templates: read.templates,
            unreadable: read.unreadable.into_iter().chain(broken).collect(),
        };
        self.findings.extend(findings);
        scanned
    }

    /// The findings.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Marks the findings that an earlier state has too. `name` is what the user calls it.
    pub fn compare_with(&mut self, name: &str, before: &Self) {
        baseline::mark_base(&mut self.findings, &before.findings);
        self.base = Some(name.to_owned());
    }

    /// Marks the findings that a baseline lists, and adds its entries whose findings are fixed, and those that the
    /// baseline of the base lacks.
    pub fn suppress(&mut self, law: &Law, suppressions: Suppressions<'_>) {
        let record = Finder::Scan.record();
        let reported = Reported {
            fixed: law.severity_outside(&baseline::PAGE, "fixed"),
            added: law.severity_outside(&baseline::PAGE, "added"),
            record: &record,
        };
        let about = suppressions.baseline.suppress(
            &mut self.findings,
            self.base.as_deref().zip(suppressions.base),
            reported,
            (|finding| law.silences(&finding.rule, &finding.code), |_| false),
        );
        self.findings.extend(about);
        self.baseline = Some(suppressions.file.to_owned());
    }

    /// The report: the findings in the order of their places, or only those that are not known.
    pub fn report(&mut self, sources: &Sources<'_>, all: bool) -> Report<'static> {
        self.findings.sort_by(Diagnostic::listing_order);
        let mut report = Report {
            compared: baseline::compared(self.findings.iter(), self.base.as_deref(), self.baseline.as_deref()),
            ..answer::error_report(&self.findings, sources)
        };
        if !all {
            report.leave_out_known();
        }
        report
    }
}

impl Evaluation {
    /// A release that the model lists, or in which it declares or plans something: of later ones it cannot say what
    /// they have.
    pub(super) fn find_known(&self, name: &str) -> Result<Release, NotCovered> {
        let release = self.model.calendar.find_typed(name)?;
        if release <= self.last_covered() {
            return Ok(release);
        }
        Err(self.not_covered(name))
    }
}
