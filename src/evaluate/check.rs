//! `check`: a model compared with its base, its schemas and its baseline, in this order.

use crate::baseline::{self, Reported, Suppressions};
use crate::compat::{self, CompareError, State, Texts};
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::history;
use crate::model::EventKind;
use crate::policy::Law;

use super::added::mark_elsewhere;
use super::{Before, Evaluation};

/// What a model is compared with.
#[derive(Debug, Default)]
pub struct Against<'c> {
    /// The earlier state, with the name that the user gave it.
    pub base: Option<(&'c str, Base<'c>)>,
    /// The schemas that the model names.
    pub schemas: Option<Schemas<'c>>,
    /// The findings that a project suppresses.
    pub baseline: Option<Suppressions<'c>>,
}

/// An earlier state of a model.
#[derive(Debug)]
pub enum Base<'c> {
    /// It has no such model.
    Missing,
    /// Its model cannot be read, for this reason.
    Unreadable(String),
    /// Its model.
    Model(&'c Evaluation),
}

/// The schemas that a model names.
#[derive(Debug)]
pub struct Schemas<'c> {
    /// The schemas of the new state.
    pub state: State<'c>,
    /// Those of the base, if it has a model.
    pub base: Option<BaseSchemas<'c>>,
    /// The texts of both.
    pub texts: Texts<'c>,
}

/// The schemas of the base.
#[derive(Debug, Clone)]
pub enum BaseSchemas<'c> {
    /// Schemas to compare with.
    Read(State<'c>),
    /// It has none at the paths that its model or the new model names.
    Missing,
    /// One of the two states has CRDs, the other has OpenAPI documents.
    Unlike,
    /// They cannot be read, for this reason.
    Unreadable(String),
}

/// Compares a model with its base, its schemas and its baseline: findings are added, and those that were there before
/// are marked.
///
/// # Errors
///
/// If schemas define a kind in two ways, or have more differences than can be reported.
pub fn check(evaluation: &mut Evaluation, against: Against<'_>) -> Result<(), CompareError> {
    let base = against.base.as_ref();
    if let Some((name, base)) = base {
        evaluation.compare_with_base(name, base);
    }
    let before = base.and_then(|(name, base)| match base {
        Base::Model(before) => Some((*name, *before)),
        Base::Missing | Base::Unreadable(_) => None,
    });
    match (against.schemas, before) {
        (Some(schemas), before) => evaluation.check_schemas(&schemas, before)?,
        (None, Some((name, before))) if !before.model.schemas.is_empty() => {
            let message =
                format!("the model of {name} names schemas, this one does not: schema changes are not checked");
            let help = "name them again: `schemas = [\"config/crd\"]`";
            evaluation.schemas_not_compared(before, "unnamed", message, help);
        }
        (None, _) => {}
    }
    if let Some(suppressions) = against.baseline {
        // A change cannot lower the severity of what it adds itself.
        let added = match before {
            Some((_, before)) => before.law.severity_outside(&baseline::PAGE, "added"),
            None => baseline::PAGE.severity("added"),
        };
        evaluation.suppress(suppressions, added);
    }
    Ok(())
}

impl Evaluation {
    /// Adds what the change from an earlier state does to releases that have shipped, and marks the findings that the
    /// earlier state has too. `name` is what the user calls that state.
    pub fn compare_with(&mut self, name: &str, base: &Self) {
        self.compare_with_base(name, &Base::Model(base));
    }

    fn compare_with_base(&mut self, name: &str, base: &Base<'_>) {
        match base {
            Base::Model(base) => {
                baseline::mark_base(&mut self.findings, &base.findings);
                mark_elsewhere(&mut self.findings, base);
                let mut changed = history::compare(base.side(), self.side());
                self.advise_once(&mut changed, base);
                self.add(changed);
            }
            Base::Missing => {
                let message =
                    format!("{name} has no such model: nothing was compared, and every finding counts as new");
                let help = "nothing to do if the model is new; if it moved, name its old path: --base REVISION:PATH";
                self.not_compared("no-base", message, help);
            }
            Base::Unreadable(reason) => {
                let help = "nothing was compared, and every finding counts as new";
                self.not_compared("unreadable-base", format!("the base cannot be read: {reason}"), help);
            }
        }
        self.base = Some(name.to_owned());
    }

    /// What is declared for a release that shipped without it has one next step: to be declared for another release.
    /// A rule that it breaks there has no other one.
    fn advise_once(&mut self, changed: &mut [Diagnostic], base: &Self) {
        let calendar = &self.model.calendar;
        for changed in changed
            .iter_mut()
            .filter(|changed| matches!(&*changed.code, "backdated" | "rewritten"))
        {
            let alike = self.findings.iter_mut().filter(|finding| {
                finding.shipped.is_some() && finding.element == changed.element && is_of_one_event(finding, changed)
            });
            let mut earliest = None;
            for finding in alike {
                finding.help = None;
                earliest = earliest.max(finding.earliest);
            }
            let is_removal = changed
                .event
                .as_ref()
                .is_some_and(|event| *event.what == *EventKind::Removed.as_str());
            let element = changed.element.as_deref().and_then(|id| base.model.find(id));
            let element = element.filter(|_| is_removal && earliest.is_some());
            let removal = element.map(|element| base.reasoning().soonest_end(element).release);
            let first = removal.or(earliest);
            if let (Some(first), "backdated") = (first.filter(|first| !first.is_never()), &*changed.code) {
                changed.help = Some(format!(
                    "declare it for {} or later",
                    calendar.name(first.max(calendar.next()))
                ));
            }
        }
    }

    fn not_compared(&mut self, code: &'static str, message: String, help: &str) {
        let finding = finding_outside(&self.law, &history::PAGE, code, message);
        self.add(finding.into_iter().map(|finding| finding.help(help)).collect());
    }

    fn check_schemas(&mut self, schemas: &Schemas<'_>, before: Option<(&str, &Self)>) -> Result<(), CompareError> {
        let (state, texts) = (&schemas.state, &schemas.texts);
        if let (Some(base), Some((name, evaluation))) = (&schemas.base, before) {
            match base {
                BaseSchemas::Read(before) => {
                    let before = Before {
                        state: before,
                        evaluation,
                    };
                    return self.compare_schemas(state, before, texts);
                }
                BaseSchemas::Missing => {
                    let message = format!("{name} has no schemas at these paths: schema changes are not checked");
                    let help = "nothing to do if the schemas are new; if they moved, name them in the model of the base \
                                first";
                    self.schemas_not_compared(evaluation, "no-base", message, help);
                }
                BaseSchemas::Unlike => {
                    let message = format!("one of {name} and this state has CRDs, the other has OpenAPI documents");
                    let help = "CRDs and OpenAPI documents cannot be compared: name schemas in the same format";
                    self.schemas_not_compared(evaluation, "no-base", message, help);
                }
                BaseSchemas::Unreadable(reason) => {
                    let message = format!("the schemas of {name} cannot be read: {reason}");
                    let help = "schema changes were not checked, and every finding about schemas counts as new";
                    self.schemas_not_compared(evaluation, "unreadable-base", message, help);
                }
            }
        }
        self.add_schemas(state, texts)
    }

    /// Reports that schema changes were not checked, at the severity that the law of the base sets.
    fn schemas_not_compared(&mut self, base: &Self, code: &'static str, message: String, help: &str) {
        let finding = finding_outside(&base.law, &compat::PAGE, code, message).map(|finding| finding.help(help));
        let finding = finding.map(|finding| match self.model.schemas.first() {
            Some(named) => finding.at(named.span, ""),
            None => finding,
        });
        self.add(finding.into_iter().collect());
    }

    /// Marks the findings that a baseline lists, and adds its entries whose findings are fixed, and those that the
    /// baseline of the base lacks.
    fn suppress(&mut self, suppressions: Suppressions<'_>, added: Severity) {
        let law = &self.law;
        let record = self.model.command_line("check --write-baseline");
        let reported = Reported {
            fixed: law.severity_outside(&baseline::PAGE, "fixed"),
            added,
            record: &record,
        };
        let about = suppressions.baseline.suppress(
            &mut self.findings,
            self.base.as_deref().zip(suppressions.base),
            reported,
            (|finding| law.silences(&finding.rule, &finding.code), |_| false),
        );
        self.add(about);
        self.baseline = Some(suppressions.file.to_owned());
    }
}

/// A finding outside the law; nothing where it is off.
fn finding_outside(law: &Law, page: &Page, code: &'static str, message: String) -> Option<Diagnostic> {
    let severity = law.severity_outside(page, code);
    (severity > Severity::Off).then(|| Diagnostic::error(page.slug, code, message).severity(severity))
}

/// Whether two findings are about the same event in the same release.
fn is_of_one_event(one: &Diagnostic, other: &Diagnostic) -> bool {
    let [one, other] = [one, other].map(|finding| finding.event.as_ref());
    let same = one.zip(other);
    same.is_some_and(|(one, other)| one.what == other.what && one.declared.is_some() && one.declared == other.declared)
}
