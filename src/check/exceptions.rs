//! Granted exceptions: they turn findings into notes.

use std::collections::HashMap;

use crate::diagnostic::{Change, Diagnostic, Page, RuleId, Severity};
use crate::model::{Exception, Model};
use crate::policy::Law;
use crate::rules::{self, Rule};
use crate::source::Span;

/// The page of exceptions that have no effect any more.
pub(crate) const PAGE: Page = Page {
    slug: "exception",
    title: "Granted exceptions that are not needed or have expired.",
    text: include_str!("exception.md"),
    codes: &[("unneeded", Severity::Warning), ("expired", Severity::Warning)],
};

/// The findings of each rule about each element.
type About = HashMap<(RuleId, String), Vec<usize>>;

fn about(findings: &[Diagnostic]) -> About {
    let mut about = About::new();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(element) = &finding.element {
            about.entry((finding.rule, element.clone())).or_default().push(at);
        }
    }
    about
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Exceptions<'c> {
    pub(crate) model: &'c Model,
    pub(crate) law: &'c Law,
}

impl Exceptions<'_> {
    /// Turns covered findings into notes. Exceptions that cover nothing, or have expired, are findings. Exceptions that
    /// may cover schema changes are judged later.
    pub(super) fn settle(self, findings: &mut Vec<Diagnostic>) {
        let about = about(findings);
        for (position, exception) in self.model.exceptions.iter().enumerate() {
            let is_needed = self.cover(findings, &about, position);
            if !is_needed && !self.is_from_schemas(exception) {
                findings.extend(self.unneeded(exception));
            }
        }
    }

    /// The same for findings about schemas. If schemas were `compared` with those of a base, exceptions that cover
    /// neither findings `in_model` nor these are findings.
    pub(crate) fn settle_schemas(self, in_model: &[Diagnostic], findings: &mut Vec<Diagnostic>, compared: bool) {
        let about = about(findings);
        for (position, exception) in self.model.exceptions.iter().enumerate() {
            let covers = in_model.iter().any(|finding| finding.exception == Some(position));
            let is_needed = self.cover(findings, &about, position) || covers;
            if !is_needed && compared && self.is_from_schemas(exception) {
                findings.extend(self.unneeded(exception));
            }
        }
    }

    /// Turns the findings that an exception covers into notes, or adds that it has expired. Whether it covers any.
    fn cover(self, findings: &mut Vec<Diagnostic>, about: &About, position: usize) -> bool {
        let Some(exception) = self.model.exceptions.get(position) else {
            return false;
        };
        let rule = self.rule_of(exception);
        let key = rule.map(|rule| (rule.slug, exception.element.text.clone()));
        let Some(covered) = key.and_then(|key| about.get(&key)) else {
            return false;
        };
        let current = self.model.calendar.current();
        if let Some((until, span)) = exception.until
            && current.is_some_and(|current| until <= current)
        {
            let help = "fix the violation, or extend `until`";
            findings.extend(self.stale("expired", "has expired", span, exception, help));
            return true;
        }
        for at in covered {
            let Some(finding) = findings.get_mut(*at) else { continue };
            finding.severity = Severity::Note;
            finding.exception = Some(position);
            finding.message = format!(
                "{} (exception by {}: {})",
                finding.message, exception.approved_by, exception.reason
            );
        }
        true
    }

    fn unneeded(self, exception: &Exception) -> Option<Diagnostic> {
        if self.is_silenced(exception) {
            return None;
        }
        let unneeded = self.stale("unneeded", "is not needed", exception.span, exception, "delete it")?;
        Some(Diagnostic {
            fix: vec![Change::Delete { entry: exception.whole }],
            ..unneeded
        })
    }

    /// Whether an exception may cover schema changes.
    fn is_from_schemas(self, exception: &Exception) -> bool {
        let rule = self.rule_of(exception);
        !self.model.schemas.is_empty() && rule.is_some_and(|rule| rules::judges_schemas(rule.slug))
    }

    fn rule_of(self, exception: &Exception) -> Option<&'static Rule> {
        let newest = self.law.editions().last()?;
        rules::find_in(&newest.policy, &exception.rule.text)
    }

    /// Whether findings of an exception's rule are off in this run: it may still be needed.
    fn is_silenced(self, exception: &Exception) -> bool {
        self.rule_of(exception)
            .is_some_and(|rule| rule.codes.iter().any(|code| self.law.silences(rule.slug, code)))
    }

    fn stale(
        self,
        code: &'static str,
        what: &str,
        span: Span,
        exception: &Exception,
        help: &str,
    ) -> Option<Diagnostic> {
        let severity = self.law.severity_outside(&PAGE, code);
        let (element, rule) = (&exception.element.text, &exception.rule.text);
        let message = format!("the exception of {element} from {rule} {what}");
        let finding = Diagnostic::error(PAGE.slug, code, message).severity(severity);
        let finding = finding.about(element).at(span, "").help(help);
        (severity > Severity::Off).then_some(finding)
    }
}
