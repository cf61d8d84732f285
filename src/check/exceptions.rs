//! Granted exceptions: they turn findings into notes.

use std::collections::{BTreeSet, HashMap};

use crate::diagnostic::{Change, Diagnostic, Page, RuleId, Severity, Violation};
use crate::document::quoted;
use crate::model::{Exception, Model};
use crate::policy::Law;
use crate::release::Release;
use crate::rules::{self, Rule, excepted, judges_schemas};
use crate::source::Span;

/// The page of exceptions that have no effect, or no effect any more.
pub(crate) const PAGE: Page = Page {
    slug: "exception",
    title: "Granted exceptions that are not needed, have expired, or name no code.",
    text: include_str!("exception.md"),
    codes: &[
        ("unneeded", Severity::Warning),
        ("expired", Severity::Warning),
        ("no-code", Severity::Error),
    ],
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
    /// Turns covered findings into notes. Exceptions that cover nothing, have expired or name no code are findings.
    /// Exceptions that may cover schema changes are judged later.
    pub(super) fn settle(self, findings: &mut Vec<Diagnostic>) {
        let about = about(findings);
        let exceptions = self.model.exceptions.iter().enumerate();
        for (position, exception) in exceptions.filter(|(_, exception)| self.judges(exception)) {
            let Some((rule, code)) = excepted(self.law, exception) else {
                findings.extend(self.no_code(exception, findings));
                continue;
            };
            let is_needed = self.cover(findings, &about, position, (rule, code));
            if !is_needed && !self.is_from_schemas(rule, code) {
                findings.extend(self.unneeded(exception, (rule, code)));
            }
        }
    }

    /// The same for findings about schemas. If schemas were `compared` with those of a base, exceptions that cover
    /// neither findings `in_model` nor these are findings.
    pub(crate) fn settle_schemas(self, in_model: &[Diagnostic], findings: &mut Vec<Diagnostic>, compared: bool) {
        let about = about(findings);
        for (position, exception) in self.model.exceptions.iter().enumerate() {
            let Some((rule, code)) = excepted(self.law, exception) else {
                continue;
            };
            let covers = in_model.iter().any(|finding| finding.exception == Some(position));
            let is_needed = self.cover(findings, &about, position, (rule, code)) || covers;
            if !is_needed && compared && self.is_from_schemas(rule, code) {
                findings.extend(self.unneeded(exception, (rule, code)));
            }
        }
    }

    /// Turns the findings that an exception covers into notes, and adds that it ends before others. Whether there are
    /// any of either.
    fn cover(
        self,
        findings: &mut Vec<Diagnostic>,
        about: &About,
        position: usize,
        (rule, code): (&Rule, &str),
    ) -> bool {
        let Some(exception) = self.model.exceptions.get(position) else {
            return false;
        };
        let key = (rule.slug, self.subject(exception).to_owned());
        let (mut is_needed, mut ended) = (false, None);
        for at in about.get(&key).into_iter().flatten() {
            let Some(finding) = findings.get_mut(*at).filter(|finding| finding.code == code) else {
                continue;
            };
            is_needed = true;
            if let Some((_, span)) = exception.until.filter(|(until, _)| self.ends_before(*until, finding)) {
                ended = Some((span, finding.violation));
                continue;
            }
            finding.severity = Severity::Note;
            // Of several exceptions, one is shown.
            if finding.exception.replace(position).is_none() {
                finding.message = format!(
                    "{} (exception by {}: {})",
                    finding.message, exception.approved_by, exception.reason
                );
            }
        }
        if let Some((span, violation)) = ended {
            findings.extend(self.expired(exception, span, violation));
        }
        is_needed
    }

    /// Whether an exception ends before a violation: before the event, or while something is still missing.
    fn ends_before(self, until: Release, finding: &Diagnostic) -> bool {
        let is_over = self.model.calendar.current().is_some_and(|current| until <= current);
        match finding.violation {
            Violation::Event(release) => until <= release,
            Violation::Lasting(since) => is_over || since.is_some_and(|since| until <= since),
        }
    }

    /// Whether the element of an exception is judged, if there is one.
    fn judges(self, exception: &Exception) -> bool {
        exception.element.target.is_none_or(|target| self.model.judges(target))
    }

    /// The id of the element of an exception.
    fn subject<'e>(&'e self, exception: &'e Exception) -> &'e str {
        let target = exception.element.target;
        target.map_or(exception.element.text.as_str(), |target| self.model.id(target))
    }

    fn expired(self, exception: &Exception, span: Span, violation: Violation) -> Option<Diagnostic> {
        let calendar = &self.model.calendar;
        let until = exception.until.map(|(until, _)| until)?;
        let is_over = calendar.current().is_some_and(|current| until <= current);
        let what = match violation {
            Violation::Event(later) | Violation::Lasting(Some(later)) if !is_over => {
                let [until, later] = [until, later].map(|release| calendar.name(release));
                format!("ends in {until}, and the violation is in {later}")
            }
            _ => "has expired".to_owned(),
        };
        let help = "fix the violation, or extend `until`";
        self.stale("expired", &what, span, exception, help)
    }

    fn unneeded(self, exception: &Exception, (rule, code): (&Rule, &str)) -> Option<Diagnostic> {
        // If the finding is off in this run, the exception may still be needed.
        if self.law.silences(rule.slug, code) {
            return None;
        }
        let unneeded = self.stale(
            "unneeded",
            "is not needed",
            exception.span,
            exception,
            "delete the exception",
        )?;
        Some(Diagnostic {
            fix: vec![Change::Delete { entry: exception.whole }],
            ..unneeded
        })
    }

    /// An exception from a rule with several codes covers none of them: it names the violation that was granted.
    fn no_code(self, exception: &Exception, findings: &[Diagnostic]) -> Option<Diagnostic> {
        let newest = self.law.editions().last()?;
        let rule = rules::find_in(&newest.policy, &exception.rule.text)?;
        let element = self.subject(exception);
        let of_rule = findings.iter().filter(|finding| finding.rule == rule.slug);
        let found: BTreeSet<&str> = of_rule
            .filter(|finding| finding.element.as_deref() == Some(element))
            .map(|finding| &*finding.code)
            .collect();
        let codes = rule.codes.join(", ");
        let named: Vec<String> = found
            .iter()
            .map(|code| format!("{}:{code}", exception.rule.text))
            .collect();
        let help = match named.as_slice() {
            [] => format!("name one: its codes are {codes}"),
            [only] => format!("write `rule = {}`; its codes are {codes}", quoted(only)),
            _ => format!(
                "write one exception for each of {}; its codes are {codes}",
                named.join(", ")
            ),
        };
        let mut finding = self.stale("no-code", "names no code", exception.rule.span, exception, &help)?;
        if let [only] = named.as_slice() {
            finding.fix.push(Change::Set {
                place: exception.rule.span,
                value: quoted(only),
            });
        }
        Some(finding)
    }

    /// Whether an exception may cover schema changes.
    fn is_from_schemas(self, rule: &Rule, code: &str) -> bool {
        !self.model.schemas.is_empty() && judges_schemas(rule.slug, code)
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
        let of = exception.code.as_ref().map(|code| format!(":{}", code.text));
        let message = format!(
            "the exception of {element} from {rule}{} {what}",
            of.unwrap_or_default()
        );
        let finding = Diagnostic::error(PAGE.slug, code, message).severity(severity);
        let finding = finding.about(element).at(span, "").help(help);
        (severity > Severity::Off).then_some(finding)
    }
}
