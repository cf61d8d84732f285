//! Breaches of the policy that were agreed to.

use std::collections::HashMap;

use crate::diagnostic::{Change, Diagnostic, RuleId, Severity};
use crate::model::Exception;
use crate::rules::{self, Rule};
use crate::source::Span;

use super::Checker;

const RULE: RuleId = "exception";

impl Checker<'_> {
    /// Turns what was agreed to into notes; exceptions that cover nothing, or have run out, are findings.
    pub(super) fn exceptions(&self, findings: &mut Vec<Diagnostic>) {
        let mut about: HashMap<(RuleId, String), Vec<usize>> = HashMap::new();
        for (at, finding) in findings.iter().enumerate() {
            if let Some(element) = &finding.element {
                about.entry((finding.rule, element.clone())).or_default().push(at);
            }
        }
        for (position, exception) in self.model().exceptions.iter().enumerate() {
            let current = self.model().calendar.current();
            let expired = exception
                .until
                .filter(|(until, _)| current.is_some_and(|current| *until <= current));
            let key = self
                .rule_of(exception)
                .map(|rule| (rule.slug, exception.element.text.clone()));
            let covered = key.and_then(|key| about.get(&key)).cloned().unwrap_or_default();
            if let (Some((_, span)), false) = (expired, covered.is_empty()) {
                let help = "meet the rule, or agree anew";
                findings.extend(self.stale("expired", "has run out", span, exception, help));
                continue;
            }
            if covered.is_empty() && !self.is_silenced(exception) {
                let help = "delete it";
                let unneeded = self.stale("unneeded", "is not needed", exception.span, exception, help);
                findings.extend(unneeded.map(|finding| Diagnostic {
                    fix: vec![Change::Delete { entry: exception.whole }],
                    ..finding
                }));
            }
            for at in covered {
                let finding = &mut findings[at];
                finding.severity = Severity::Note;
                finding.agreed = Some(position);
                finding.message = format!(
                    "{} (agreed to by {}: {})",
                    finding.message, exception.approved_by, exception.reason
                );
            }
        }
    }

    /// The rule that an exception is from.
    fn rule_of(&self, exception: &Exception) -> Option<&'static Rule> {
        let newest = self.law.editions().last()?;
        rules::find_in(&newest.policy, &exception.rule.text)
    }

    /// Whether the findings of an exception's rule are turned off for this run: it may be needed all the same.
    fn is_silenced(&self, exception: &Exception) -> bool {
        self.rule_of(exception)
            .is_some_and(|rule| rule.codes.iter().any(|code| self.law.silences(rule.slug, code)))
    }

    fn stale(
        &self,
        code: &'static str,
        what: &str,
        span: Span,
        exception: &Exception,
        help: &str,
    ) -> Option<Diagnostic> {
        let severity = rules::severity_outside(self.law, RULE, code);
        let message = format!(
            "the exception for {} from {} {what}",
            exception.element.text, exception.rule.text
        );
        let finding = Diagnostic::error(RULE, code, message)
            .severity(severity)
            .about(exception.element.text.clone())
            .at(span, "")
            .help(help);
        (severity > Severity::Off).then_some(finding)
    }
}
