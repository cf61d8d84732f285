//! Reports, made from plan and findings. This is the only place that makes them.

mod alike;
mod bands;
mod by_when;
mod custom;
mod decided;
mod delays;
mod deprecations;
mod derive;
mod diagnostics;
mod effective;
mod elements;
mod entries;
mod feed;
mod filter;
mod groups;
mod notes;
mod overview;
mod picture;
mod promises;
mod record;
mod replacements;
mod rules;
mod schemas;
mod shown;
mod targets;
mod task_edits;
mod task_groups;
mod tasks;
mod unions;
mod walks;
mod what_if;

use std::rc::Rc;

use crate::derivation::{Reasoning, Soonest, Worked};
use crate::diagnostic::{Diagnostic, RuleId};
use crate::model::{ElementId, Event, EventKind, Exception, Model};
use crate::plan;
use crate::policy::{Edition, Law, RuleLaw, Word};
use crate::release::{Bound, Calendar, DateKind, NAMED_AHEAD, Release};
use crate::report::{
    ConsumerReport, DayReport, DiagnosticReport, ElementReport, ElementReports, ExceptionReport, ExceptionState,
    GroupReports, Moment, PolicyReport, Report, SCHEMA_VERSION, WordsReport,
};
use crate::rules::{excepted, judges_schemas};
use crate::source::{Sources, Span};
use crate::stability::Track;
use crate::usage::KnownUsage;

pub(crate) use alike::alike;
pub(crate) use by_when::{FoundWay, by_when};
pub use deprecations::Listing;
pub(crate) use deprecations::deprecations;
pub use derive::TooManyEvents;
pub(crate) use derive::{derivation, derivations};
pub(crate) use effective::effective;
pub(crate) use feed::feed;
pub use filter::{ElementState, Filter, FilterError};
pub(crate) use filter::{Selection, select};
pub use notes::Range;
pub(crate) use notes::{announcements, notes, notes_from};
pub(crate) use overview::overview;
pub(crate) use picture::picture;
pub use promises::Promise;
pub(crate) use promises::{made, promises};
pub(crate) use record::record;
use replacements::Replacements;
pub(crate) use rules::rules;
pub(crate) use schemas::{diff, diff_summary};
pub use targets::NoTarget;
pub(crate) use targets::{Asked, needed_to_drop, targets};
pub(crate) use tasks::tasks;
pub(crate) use what_if::what_if;

/// The events that end an element, which users rely on ahead: its deprecation, the steps after it, and its removal.
fn ending(model: &Model) -> impl Iterator<Item = EventKind> + Clone {
    let steps = model.steps.iter().map(|(what, _)| what);
    let deprecated = std::iter::once(EventKind::Deprecated);
    deprecated.chain(steps).chain([EventKind::Hidden, EventKind::Removed])
}

/// The names and days of releases, computed once.
#[derive(Debug)]
pub(crate) struct ReleaseNames(Vec<(String, Option<String>, DateKind)>);

impl ReleaseNames {
    /// The releases of a calendar, and those after it that a plan can reach.
    pub(crate) fn of(calendar: &Calendar) -> Self {
        let count = calendar.listed().saturating_add(NAMED_AHEAD);
        let releases = (0..count).map(Release).map(|release| {
            let date = calendar.date(release).map(|date| date.to_string());
            (calendar.name(release), date, calendar.date_kind(release))
        });
        Self(releases.collect())
    }

    /// A release for reports; `None` for one that never comes.
    pub(crate) fn moment(&self, release: Release) -> Option<Moment<'_>> {
        let (name, date, date_kind) = self.0.get(release.0 as usize)?;
        Some(Moment {
            release: name,
            date: date.as_deref(),
            date_kind: *date_kind,
            declared: None,
            at_least: false,
        })
    }

    /// The release from which an edition applies, if the model says so.
    fn applies_from(&self, edition: &Edition) -> Option<&str> {
        let stated = edition.since_stated.then_some(edition.from)?;
        Some(self.moment(stated)?.release)
    }
}

/// What reports are made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Material<'a> {
    /// Model, obligations and assignment.
    pub(crate) reasoning: Reasoning<'a>,
    /// The editions.
    pub(crate) law: &'a Law,
    /// The findings.
    pub(crate) findings: &'a [Diagnostic],
    /// Names of releases.
    pub(crate) names: &'a ReleaseNames,
    /// Who uses what, if there is evidence.
    pub(crate) usage: Option<&'a KnownUsage>,
    /// The elements that the answer is about; `None` for all.
    pub(crate) selection: Option<&'a Selection>,
}

/// Makes the report.
pub(crate) fn report<'a>(material: Material<'a>, sources: &Sources<'_>) -> Report<'a> {
    let replacements = Rc::new(Replacements::of(material.reasoning));
    Report {
        schema_version: SCHEMA_VERSION,
        current: material.current(),
        policies: material.policies(),
        groups: GroupReports::new(groups::Groups::new(material, Rc::clone(&replacements))),
        elements: ElementReports::new(elements::Builder::new(material, replacements)),
        compared: None,
        proposals: Vec::new(),
        diagnostics: findings(material, sources),
        finding_groups: Vec::new(),
        exceptions: exceptions(material, sources),
        moves: None,
    }
}

/// The findings about the elements that the answer is about. Those about no element are about none of a selection.
fn findings<'a>(material: Material<'a>, sources: &Sources<'_>) -> Vec<DiagnosticReport<'a>> {
    let mut all = diagnostics::all(material.names, sources, material.findings);
    all.retain(|finding| material.has_named(finding.element.as_deref()));
    all
}

/// The words of the product.
pub(crate) fn words(material: Material<'_>) -> WordsReport<'_> {
    WordsReport {
        urgent: material.word(Word::Urgent),
        gate_option: material.word(Word::GateOption),
        deprecated_requests: material.word(Word::DeprecatedRequests),
    }
}

/// Each element with its bounds.
pub(crate) fn elements(material: Material<'_>) -> Vec<ElementReport<'_>> {
    elements::all(material)
}

/// Some elements with their bounds, and with what replaces them for those who use a release.
pub(crate) fn elements_for_users(
    material: Material<'_>,
    ids: Vec<ElementId>,
    release: Release,
) -> Vec<(ElementId, ElementReport<'_>)> {
    elements::for_users(material, ids, release)
}

/// Until when a gate stays by custom, in words.
pub(crate) fn custom_of_gate(material: Material<'_>, id: ElementId) -> Option<String> {
    custom::custom_of_gate(material, id).map(|custom| custom.text)
}

/// The exceptions, and whether each is needed.
pub(crate) fn exceptions<'a>(material: Material<'a>, sources: &Sources<'_>) -> Vec<ExceptionReport<'a>> {
    let declared = &material.reasoning.model.exceptions;
    let all = declared.iter().zip(all_exceptions(material, sources));
    let chosen = all.filter(|(exception, _)| match exception.element.target {
        Some(element) => material.has(element),
        None => material.selection.is_none(),
    });
    chosen.map(|(_, report)| report).collect()
}

/// The exceptions of all elements, in the order of the model.
fn all_exceptions<'a>(material: Material<'a>, sources: &Sources<'_>) -> Vec<ExceptionReport<'a>> {
    let model = material.reasoning.model;
    let current = model.calendar.current();
    let mut covered = vec![0; model.exceptions.len()];
    for position in material.findings.iter().filter_map(|finding| finding.exception) {
        covered[position] += 1;
    }
    let reports = model.exceptions.iter().zip(covered).map(|(exception, covers)| {
        let until = exception.until.map(|(until, _)| until);
        let place = sources.locate(exception.span);
        let ends_first = is_found(material, "expired", exception.until.map(|(_, span)| span));
        ExceptionReport {
            rule: &exception.rule.text,
            code: exception.code.as_ref().map(|code| code.text.as_str()),
            element: &exception.element.text,
            reason: &exception.reason,
            approved_by: &exception.approved_by,
            until: until.and_then(|until| material.names.moment(until)),
            state: match covers {
                0 if excepted(material.law, exception).is_none() => ExceptionState::NoCode,
                0 if ends_first || until.is_some_and(|until| Some(until) <= current) => ExceptionState::Expired,
                0 if is_open(material, exception) => ExceptionState::Unjudged,
                0 => ExceptionState::Unneeded,
                _ => ExceptionState::InForce,
            },
            covers,
            file: place.map(|(file, _)| file.to_owned()),
            line: place.map(|(_, place)| place.line),
        }
    });
    reports.collect()
}

/// Whether an exception may cover changes of schemas, which were not compared.
fn is_open(material: Material<'_>, exception: &Exception) -> bool {
    let is_unneeded = is_found(material, "unneeded", Some(exception.span));
    let judges = excepted(material.law, exception);
    let judges = judges.is_some_and(|(rule, code)| judges_schemas(rule.slug, code));
    !material.reasoning.model.schemas.is_empty() && judges && !is_unneeded
}

/// Whether there is a finding with this code at a place.
fn is_found(material: Material<'_>, code: &str, place: Option<Span>) -> bool {
    let mut findings = material.findings.iter();
    place.is_some() && findings.any(|finding| finding.code == code && finding.span() == place)
}

/// The report of files that could not be read: the errors and nothing else.
pub(crate) fn error_report(errors: &[Diagnostic], sources: &Sources<'_>) -> Report<'static> {
    static NO_NAMES: ReleaseNames = ReleaseNames(Vec::new());
    Report {
        schema_version: SCHEMA_VERSION,
        current: None,
        policies: Vec::new(),
        groups: GroupReports::default(),
        elements: ElementReports::default(),
        compared: None,
        proposals: Vec::new(),
        diagnostics: diagnostics::all(&NO_NAMES, sources, errors),
        finding_groups: Vec::new(),
        exceptions: Vec::new(),
        moves: None,
    }
}

impl<'a> Material<'a> {
    /// How often an element was used on each day, if there is evidence.
    fn usage_by_day(&self, id: ElementId) -> Vec<DayReport> {
        let model = self.reasoning.model;
        self.usage.map_or_else(Vec::new, |usage| usage.by_day(model, id))
    }

    /// Who uses an element, most frequent first, if there is evidence.
    pub(crate) fn consumers(&self, id: ElementId) -> Vec<ConsumerReport> {
        let model = self.reasoning.model;
        self.usage
            .map_or_else(Vec::new, |usage| usage.consumers(model, id, None))
    }

    /// Whether the answer is about an element.
    pub(crate) fn has(&self, id: ElementId) -> bool {
        self.selection.is_none_or(|selection| selection.has(id))
    }

    /// Whether the answer is about what has this id.
    pub(crate) fn has_named(&self, id: Option<&str>) -> bool {
        let Some(selection) = self.selection else { return true };
        let found = id.and_then(|id| self.reasoning.model.find(id));
        found.is_some_and(|id| selection.has(id))
    }

    fn policies(&self) -> Vec<PolicyReport<'a>> {
        let policies = self.law.editions().iter().map(|edition| PolicyReport {
            name: &edition.policy.name,
            edition: &edition.policy.edition,
            from: self.names.applies_from(edition),
        });
        policies.collect()
    }

    /// The release of an event, and whether it is declared, itself or by implication, or planned.
    fn when(&self, event: Event) -> Option<(Release, bool)> {
        let release = self.reasoning.release(event)?;
        // What a part declares after the end of its owner does not happen.
        let declared = self.reasoning.model.in_force(event);
        let is_declared = declared.is_some_and(|declared| declared.release == release);
        Some((release, is_declared || self.is_implied(event)))
    }

    /// [`Self::when`] for reports.
    fn event(&self, event: Event) -> Option<Moment<'a>> {
        let (release, declared) = self.when(event)?;
        let declared = Some(declared);
        self.names.moment(release).map(|moment| Moment { declared, ..moment })
    }

    fn bound(&self, worked: &Worked) -> Option<Moment<'a>> {
        let at_least = worked.is_open();
        let moment = self.names.moment(worked.release());
        moment.map(|moment| Moment { at_least, ..moment })
    }

    /// The release by which an event is due.
    fn due(&self, due: Bound) -> Option<Moment<'a>> {
        let moment = self.names.moment(due.release)?;
        Some(Moment {
            at_least: due.open,
            ..moment
        })
    }

    /// The first release in which a life may end, if one is in sight.
    /// A command about the model, and the elements that a filter chooses.
    pub(crate) fn command_line(&self, words: &str) -> String {
        let filter = self.selection.map_or("", |selection| &selection.options);
        self.reasoning.model.command_line(&format!("{words}{filter}"))
    }

    pub(crate) fn soonest(&self, soonest: &Soonest<'_>) -> Option<Moment<'a>> {
        let decisive = soonest
            .decisive
            .filter(|found| found.worked.release() == soonest.release);
        let at_least = decisive.is_some_and(|found| found.worked.is_open());
        let moment = self.names.moment(soonest.release);
        moment.map(|moment| Moment { at_least, ..moment })
    }

    fn current(&self) -> Option<Moment<'a>> {
        self.names.moment(self.reasoning.model.calendar.current()?)
    }

    /// Whether an event that is not declared follows from one that is: a gate is deprecated by its GA, a part of a kind
    /// is removed with the kind.
    fn is_implied(&self, event: Event) -> bool {
        let reasoning = self.reasoning;
        if reasoning.planned(event).is_some() {
            return false;
        }
        match plan::removed_with(reasoning.model, event) {
            Some(container) => reasoning.model.in_force(container).is_some() || self.is_implied(container),
            None => true,
        }
    }

    /// Whether the deprecation of a version requires its users to act, by the edition in force then.
    fn deprecation_asks_for_action(&self, track: Track, release: Release) -> bool {
        let rule = self.law.rule("version-lifetime").at(release);
        rule.is_none_or(|rule| !rule.no_action.contains(&track.into()))
    }

    /// A word of the newest edition.
    fn word(&self, word: Word) -> Option<&'a str> {
        self.law.editions().last()?.policy.words.get(word)
    }

    /// A word of the newest edition, with values in place of its placeholders.
    fn words(&self, word: Word, values: &[(&str, &str)]) -> Option<String> {
        self.law.editions().last()?.policy.words.filled(word, values)
    }

    fn newest(&self, rule: RuleId) -> Option<&'a RuleLaw> {
        self.law.editions().last()?.policy.rules.get(rule)
    }
}
