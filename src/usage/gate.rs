//! Removals whose condition is that hardly anyone uses the element any more.

use chrono::Days;

use super::known::{KnownUsage, length};
use crate::diagnostic::{Diagnostic, Fact, Page, Severity};
use crate::document::UsageLimit;
use crate::model::{Declared, ElementId, EventKind, Model};
use crate::release::Day;
use crate::report::{ConsumerReport, Period};

/// The page of findings about evidence.
pub(crate) const PAGE: Page = Page {
    slug: "usage",
    title: "Removals of what is still used, or of which nothing shows whether it is.",
    text: include_str!("usage.md"),
    codes: &[
        ("still-used", Severity::Error),
        ("evidence-missing", Severity::Error),
        ("evidence-stale", Severity::Error),
    ],
};

const GATHER: &str =
    "gather it (`lifecycle usage … --output usage.json`), and check again with `--evidence usage.json`";

/// How many consumers a finding names.
const MOST_NAMED: usize = 3;

/// What evidence has to show, and which there is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gate<'g> {
    pub(crate) model: &'g Model,
    pub(crate) limit: UsageLimit,
    pub(crate) usage: Option<&'g KnownUsage>,
    /// The day as of which the model is judged, if the user says so.
    pub(crate) as_of: Option<Day>,
}

impl Gate<'_> {
    /// The findings about removals that are declared for releases which have not shipped, with their severities under
    /// the law. Removals after the next release are to be prepared, not to be decided: findings about them are notes.
    pub(crate) fn findings(self, severity: impl Fn(&'static str) -> Severity) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for (id, _) in self.model.elements() {
            let removed = self.model.declared_of(id).iter();
            let removed = removed.filter(|declared| declared.event.what == EventKind::Removed);
            let next = self.model.calendar.next();
            for declared in removed.filter(|declared| declared.release >= next && !declared.release.is_never()) {
                let Some(finding) = self.finding(id, declared) else {
                    continue;
                };
                let own = severity(code_of(&finding));
                let own = if declared.release > next {
                    own.min(Severity::Note)
                } else {
                    own
                };
                if own > Severity::Off {
                    findings.push(finding.severity(own));
                }
            }
        }
        findings
    }

    /// The days that count: they end as of the day that the user names, or else with the evidence, though not before
    /// the current release.
    fn period(self, last: Day) -> Period {
        let calendar = &self.model.calendar;
        let current = calendar.current().and_then(|current| calendar.date(current));
        let to = self
            .as_of
            .unwrap_or_else(|| current.map_or(last, |current| current.max(last)));
        let before = u64::from(self.limit.over_days.saturating_sub(1));
        let from = to.checked_sub_days(Days::new(before)).unwrap_or(to);
        Period { from, to }
    }

    fn about(self, id: ElementId, declared: &Declared, code: &'static str, message: String) -> Diagnostic {
        Diagnostic::error(PAGE.slug, code, message)
            .about(self.model.id(id))
            .at(declared.span, "")
    }

    fn finding(self, id: ElementId, declared: &Declared) -> Option<Diagnostic> {
        let (model, limit) = (self.model, self.limit);
        let is_removed = format!(
            "{} is removed in {}",
            model.id(id),
            model.calendar.name(declared.release)
        );
        let known = self.usage.and_then(|usage| Some((usage, usage.last_day(model, id)?)));
        let Some((usage, last)) = known else {
            let message = format!("{is_removed}, and there is no evidence of whether it is still used");
            return Some(self.about(id, declared, "evidence-missing", message).help(GATHER));
        };
        let period = self.period(last);
        let rates = usage.rates(model, id, period);
        let most = rates
            .iter()
            .copied()
            .max_by(|one, other| one.per_day().total_cmp(&other.per_day()));
        if let Some(most) = most.filter(|most| most.per_day() >= f64::from(limit.per_day)) {
            let (per_day, allowed) = (words(most.per_day()), limit.per_day);
            let message = format!(
                "{is_removed}, and is still used: {per_day} requests a day from {} to {}, where fewer than {allowed} are \
                 required",
                period.from, period.to
            );
            let used = self.about(id, declared, "still-used", message);
            return Some(naming(used, &usage.consumers(model, id, Some(period))));
        }
        let needed = limit.coverage * length(period);
        let covered = rates.iter().map(|rate| rate.days).fold(0.0, f64::max);
        if covered >= needed {
            return None;
        }
        let (covered, needed) = (words(covered), words(needed));
        if last < period.to && self.would_do(usage, id, last) {
            let age = (period.to - last).num_days();
            let message = format!(
                "{is_removed}, and the evidence of its usage ends on {last}, {age} days before {}",
                period.to
            );
            return Some(self.about(id, declared, "evidence-stale", message).help(GATHER));
        }
        let message = format!(
            "{is_removed}, and there is evidence of its usage for {covered} days from {} to {}, where {needed} are \
             required",
            period.from, period.to
        );
        Some(self.about(id, declared, "evidence-missing", message).help(GATHER))
    }

    /// Whether the evidence was enough on its last day.
    fn would_do(self, usage: &KnownUsage, id: ElementId, last: Day) -> bool {
        let then = Self {
            as_of: Some(last),
            ..self
        };
        let period = then.period(last);
        let rates = usage.rates(self.model, id, period);
        let covered = rates.iter().map(|rate| rate.days).fold(0.0, f64::max);
        covered >= self.limit.coverage * length(period)
    }
}

/// The finding with those who use the element most.
fn naming(mut finding: Diagnostic, consumers: &[ConsumerReport]) -> Diagnostic {
    finding
        .because
        .extend(consumers.iter().take(MOST_NAMED).map(|consumer| Fact {
            text: consumer.words.clone(),
            ..Fact::default()
        }));
    finding.help("move its consumers first, or declare the removal for a later release")
}

fn code_of(finding: &Diagnostic) -> &'static str {
    let code = PAGE.codes.iter().find(|(code, _)| *code == finding.code);
    code.map_or("still-used", |(code, _)| code)
}

/// A number as people write it: 12, or 0.3.
fn words(number: f64) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    format!("{rounded}")
}
