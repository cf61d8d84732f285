//! The order of the steps: documents, model and law, obligations, plan, findings, report.
//!
//! [`check()`], [`fix()`], [`judge_removals`] and [`Linted`] are the steps of the commands with these names.

mod added;
mod by_when;
mod charged;
mod check;
mod diff;
mod editions;
mod effective;
mod findings;
mod fix;
mod ignored;
mod levels;
mod limits;
mod lint;
mod load;
mod loaded;
mod pages;
mod planning;
mod policy_page;
mod removal;
mod replanned;
mod ruled_out;
mod scan;
mod schedule;
mod schemas;
mod select;
mod stated;
mod stretches;
mod surface;
mod thresholds;
mod trial;
mod trials;
mod usage;
mod what_if;

use crate::answer::{self, Material, ReleaseNames, Selection};
pub use crate::answer::{ElementState, Filter, FilterError, Listing, NoTarget, Promise, Range, TooManyEvents};
use crate::baseline::Baseline;
use crate::derivation::{Reasoning, Replanned};
use crate::diagnostic::{Diagnostic, Severity};
use crate::history::Side;
use crate::model::{ElementId, EventKind, Model};
use crate::obligation::Obligations;
use crate::plan::Assignment;
use crate::policy::Law;
use crate::release::{Day, Release, UnknownRelease};
use crate::report::{
    DeprecationsReport, Derivation, ElementReport, ExceptionsReport, FeedReport, Moment, NotesReport, OverviewReport,
    PictureReport, PromisesReport, RecordReport, Report, RulesReport, SCHEMA_VERSION, TasksReport, WordsReport,
};
use crate::source::{FileId, Sources};
use crate::usage::KnownUsage;
use crate::{baseline, proofread};

pub use crate::plan::{PAGE as PLANNING_PAGE, PRINCIPLES, principle};
pub use check::{Against, Base, BaseSchemas, Schemas, check};
pub use diff::Diff;
pub use effective::effective_law;
pub use fix::{Fixed, fix};
pub use lint::Linted;
pub use load::{Load, Supposition, builtin_policy, unknown_policy};
pub use loaded::{Extent, Keys, Loaded};
pub use pages::{page_reports, pages, rule_tables};
pub use policy_page::policy_page;
pub use removal::{JudgedRemovals, NoRemoval, judge_removals};
pub(crate) use ruled_out::{NEVER_HELP, never_deprecated};
pub use scan::{Coverage, Scan, Scanned, Scope, ScopeError};
pub(crate) use schemas::Before;
pub(crate) use trial::KindSchedule;
pub use trial::Removal;

/// The policy of models that name none.
pub const DEFAULT_POLICY: &str = "kubernetes";

/// A model with its law, planned and checked.
#[derive(Debug)]
pub struct Evaluation {
    model: Model,
    law: Law,
    obligations: Obligations,
    assignment: Assignment,
    findings: Vec<Diagnostic>,
    replanned: Replanned,
    /// The newest release that the model says has shipped.
    current: Option<Release>,
    base: Option<String>,
    baseline: Option<String>,
    /// The kinds whose schemas were compared with those of the base in part.
    partly_compared: Vec<String>,
    names: ReleaseNames,
    as_of: Option<Day>,
    usage: Option<KnownUsage>,
    /// The elements that answers are about; `None` for all.
    selection: Option<Selection>,
}

/// Why a release cannot be reported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCovered {
    /// It is not in the calendar.
    #[error(transparent)]
    Unknown(#[from] UnknownRelease),
    /// The calendar can name it, but nothing is listed or planned there.
    #[error("release {name} is not covered: the last release that is listed or has a planned event is {last}")]
    Beyond {
        /// Its name.
        name: String,
        /// The last covered release.
        last: String,
    },
}

/// The rules in force, without a model.
pub fn rules_in_force<'a>(law: &'a Law, sources: &Sources<'_>) -> RulesReport<'a> {
    answer::rules(law, None, pages(), sources)
}

/// A report of errors or findings without a model.
pub fn error_report(errors: &[Diagnostic], sources: &Sources<'_>) -> Report<'static> {
    answer::error_report(errors, sources)
}

/// Adds to a report which of its findings are alike.
pub fn fold(report: &mut Report<'_>) {
    report.finding_groups = answer::alike(&report.diagnostics);
}

impl Evaluation {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The law.
    pub fn law(&self) -> &Law {
        &self.law
    }

    #[cfg(test)]
    pub(crate) fn obligations(&self) -> &Obligations {
        &self.obligations
    }

    #[cfg(test)]
    pub(crate) fn intentions(&self) -> crate::plan::Intentions {
        let stated = crate::rules::state(&self.model, &self.law);
        crate::plan::intend(&self.model, &self.law, stated).1
    }

    pub(crate) fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The findings, in the order of their places.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// The kinds whose schemas were compared with those of the base in part, as that takes too many steps.
    pub fn partly_compared(&self) -> &[String] {
        &self.partly_compared
    }

    pub(crate) fn reasoning(&self) -> Reasoning<'_> {
        Reasoning {
            model: &self.model,
            obligations: &self.obligations,
            assignment: &self.assignment,
            supposed: None,
            replanned: Some(&self.replanned),
        }
    }

    fn add(&mut self, findings: Vec<Diagnostic>) {
        self.findings.extend(findings);
        self.findings.sort_by(Diagnostic::listing_order);
    }

    fn side(&self) -> Side<'_> {
        Side {
            model: &self.model,
            law: &self.law,
            current: self.current,
        }
    }

    /// Marks the findings that a baseline file lists. Whether its entries are right is for `check` to say.
    pub fn mark_suppressed(&mut self, file: &str, baseline: &Baseline) {
        baseline.mark(&mut self.findings);
        self.baseline = Some(file.to_owned());
    }

    /// The report.
    pub fn report(&self, sources: &Sources<'_>) -> Report<'_> {
        Report {
            compared: baseline::compared(self.selected_findings(), self.base.as_deref(), self.baseline.as_deref()),
            ..answer::report(self.material(), sources)
        }
    }

    /// The plan at a glance.
    pub fn overview(&self) -> OverviewReport<'_> {
        answer::overview(self.material())
    }

    /// How the product kept its policy.
    pub fn record(&self) -> RecordReport<'_> {
        answer::record(self.material())
    }

    /// What it declares for releases that have not shipped.
    pub fn promises_made(&self) -> Vec<Promise> {
        answer::made(self.material())
    }

    /// What came of the promises of earlier states, each with its name, oldest first.
    pub fn promises(&self, earlier: &[(String, Vec<Promise>)]) -> PromisesReport<'_> {
        answer::promises(self.material(), earlier)
    }

    /// What has to be done for a release and for so many after it; for the next release if none is named.
    ///
    /// # Errors
    ///
    /// If the release is not covered.
    pub fn tasks(
        &self,
        sources: &Sources<'_>,
        release: Option<&str>,
        ahead: u32,
    ) -> Result<TasksReport<'_>, NotCovered> {
        let first = match release {
            Some(name) => self.model.calendar.find_typed(name)?,
            None => self.model.calendar.next(),
        };
        let tasks = answer::tasks(self.material(), sources, first, first.plus(ahead));
        Ok(TasksReport {
            baseline: self.baseline.as_deref(),
            ..tasks
        })
    }

    /// The data of pictures.
    pub fn picture(&self, sources: &Sources<'_>) -> PictureReport<'_> {
        answer::picture(self.material(), sources)
    }

    /// The reasons for the releases of an element's events; `only` one kind of event, or all.
    pub fn derivation(&self, sources: &Sources<'_>, element: ElementId, only: Option<EventKind>) -> Derivation<'_> {
        answer::derivation(self.material(), sources, element, only)
    }

    /// The same for several elements.
    ///
    /// # Errors
    ///
    /// If there is too much to explain.
    pub fn derivations(
        &self,
        sources: &Sources<'_>,
        elements: impl IntoIterator<Item = ElementId>,
        only: Option<EventKind>,
    ) -> Result<Vec<Derivation<'_>>, TooManyEvents> {
        answer::derivations(self.material(), sources, elements, only)
    }

    /// A release with its date, as reports write it; `None` for never.
    pub(crate) fn moment(&self, release: Release) -> Option<Moment<'_>> {
        self.names.moment(release)
    }

    /// Until when a gate stays by custom, in words.
    pub(crate) fn custom_of_gate(&self, id: ElementId) -> Option<String> {
        answer::custom_of_gate(self.material(), id)
    }

    /// Kinds that are deprecated or removed, for the lists of other tools.
    pub fn deprecations(&self, listing: Listing) -> DeprecationsReport<'_> {
        answer::deprecations(self.material(), listing)
    }

    /// Elements that are deprecated or removed, for dashboards and readers of feeds: as declared, or also as planned.
    pub fn feed(&self, planned: bool) -> FeedReport<'_> {
        answer::feed(self.material(), planned)
    }

    pub(crate) fn elements(&self) -> Vec<ElementReport<'_>> {
        answer::elements(self.material())
    }

    /// A release as a user types it, if it is listed, counted from one that is, or something is planned in it or later.
    ///
    /// # Errors
    ///
    /// If it is not in the calendar, or has no date and is after all listed and planned releases and the next one.
    pub fn find_covered(&self, name: &str) -> Result<Release, NotCovered> {
        let release = self.model.calendar.find_typed(name)?;
        let is_dated = self.names.moment(release).is_some_and(|moment| moment.date.is_some());
        let is_counted = name.contains(" after ");
        if release <= self.last_covered() || is_dated || is_counted {
            return Ok(release);
        }
        Err(self.not_covered(name))
    }

    fn not_covered(&self, name: &str) -> NotCovered {
        NotCovered::Beyond {
            name: name.to_owned(),
            last: self.model.calendar.name(self.last_covered()),
        }
    }

    /// The last release that is listed or has a declared or planned event; at least the next one.
    fn last_covered(&self) -> Release {
        let calendar = &self.model.calendar;
        let declared = self.model.elements().flat_map(|(id, _)| self.model.declared_of(id));
        let events = declared.map(|declared| declared.release);
        let events = events.chain(self.assignment.iter().map(|planned| planned.release));
        let last_listed = Release(calendar.listed().saturating_sub(1));
        let events = events.filter(|release| !release.is_never());
        events.fold(last_listed.max(calendar.next()), Release::max)
    }

    /// How many announcements [`Self::notes`] makes, those about what is only planned included.
    pub fn announcements(&self, range: Range) -> usize {
        answer::announcements(self.material(), range).into_iter().sum()
    }

    /// The announcements of a range of releases.
    pub fn notes(&self, sources: &Sources<'_>, range: Range) -> NotesReport<'_> {
        answer::notes(self.material(), sources, range)
    }

    /// The announcements of all releases from one on.
    pub(crate) fn notes_from(&self, sources: &Sources<'_>, from: Release) -> NotesReport<'_> {
        answer::notes_from(self.material(), sources, Range::default(), from)
    }

    /// The words of the product.
    pub(crate) fn words(&self) -> WordsReport<'_> {
        answer::words(self.material())
    }

    /// Compares notes that people wrote with the announcements of [`Self::notes`].
    pub fn proofread(&self, file: FileId, text: &str, notes: &NotesReport<'_>) -> Vec<Diagnostic> {
        let found = proofread::proofread(file, text, notes, &self.model);
        let found = found.into_iter().map(|finding| {
            let severity = self.law.severity_outside(&proofread::PAGE, &finding.code);
            finding.severity(severity)
        });
        found.filter(|finding| finding.severity > Severity::Off).collect()
    }

    /// The exceptions.
    pub fn exceptions(&self, sources: &Sources<'_>) -> ExceptionsReport<'_> {
        ExceptionsReport {
            schema_version: SCHEMA_VERSION,
            exceptions: answer::exceptions(self.material(), sources),
        }
    }

    /// The rules in force, and the severities of their findings.
    pub fn rules(&self, sources: &Sources<'_>) -> RulesReport<'_> {
        answer::rules(&self.law, Some(&self.names), pages(), sources)
    }

    fn material(&self) -> Material<'_> {
        Material {
            reasoning: self.reasoning(),
            law: &self.law,
            findings: &self.findings,
            names: &self.names,
            usage: self.usage.as_ref(),
            selection: self.selection.as_ref(),
        }
    }
}
