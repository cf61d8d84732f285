//! Which obligations the declared events do not meet.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::derivation::{Decisive, Reasoning, Worked};
use crate::diagnostic::{Diagnostic, Fact, RuleId, Severity};
use crate::model::{Declared, ElementId, Event, Exception, Happening, Model};
use crate::obligation::{Demand, Obligation};
use crate::plan::{Contradiction, Intentions};
use crate::policy::Law;
use crate::release::Release;
use crate::rules;
use crate::source::Span;

/// Everything that is wrong: breaches of the policy, warnings of the plan, contradictions, and exceptions gone stale.
///
/// In the order of their places. What an exception covers is a note.
pub fn check(reasoning: Reasoning<'_>, law: &Law, intentions: &Intentions) -> Vec<Diagnostic> {
    let mut checker = Checker {
        reasoning,
        law,
        contradictions: Vec::new(),
    };
    let all = reasoning.assignment.contradictions.iter();
    checker.contradictions = all.filter(|found| checker.excludes(found)).collect();
    let mut findings: Vec<Diagnostic> = reasoning
        .obligations
        .all()
        .iter()
        .enumerate()
        .filter_map(|(position, obligation)| checker.judge(position, obligation))
        .collect();
    findings.extend(
        intentions
            .unreplaced
            .iter()
            .filter_map(|event| checker.unreplaced(*event)),
    );
    checker.exceptions(&mut findings);
    let mut findings = merge(findings);
    findings.extend(checker.contradictions.iter().map(|found| checker.contradiction(found)));
    findings.sort_by(Diagnostic::listing_order);
    findings
}

struct Checker<'c> {
    reasoning: Reasoning<'c>,
    law: &'c Law,
    /// Those that are more than lateness.
    contradictions: Vec<&'c Contradiction>,
}

/// One entry of the file is one finding, however many elements follow it.
///
/// Findings of one rule and code at one place are one if they are about different elements, or say the same.
fn merge(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    let mut seen: BTreeMap<(RuleId, Cow<'static, str>, Option<Span>), usize> = BTreeMap::new();
    for finding in findings {
        let place = finding.primary.as_ref().map(|label| label.span);
        let key = (finding.rule, finding.code.clone(), place);
        match seen.get(&key) {
            Some(&at) if same_entry(&merged[at], &finding) => {
                if gravity(&merged[at]) < gravity(&finding) {
                    merged[at] = finding;
                }
            }
            _ => {
                seen.insert(key, merged.len());
                merged.push(finding);
            }
        }
    }
    merged
}

/// Of findings on one entry the gravest is told, and of equally grave ones the one that takes longest to mend: what is
/// legal in no release in sight takes longest of all.
fn gravity(finding: &Diagnostic) -> (Severity, Release) {
    (finding.severity, finding.earliest.unwrap_or(Release::NEVER))
}

fn same_entry(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.element != b.element || a.message == b.message || a.earliest.is_some() || b.earliest.is_some()
}

impl<'c> Checker<'c> {
    fn model(&self) -> &'c Model {
        self.reasoning.model
    }

    fn declared(&self, event: Event) -> Option<&'c Declared> {
        self.model().in_force(event)
    }

    fn judge(&self, position: usize, obligation: &'c Obligation) -> Option<Diagnostic> {
        obligation.rule()?;
        match &obligation.demand {
            Demand::Requires(true) => None,
            Demand::Requires(false) | Demand::Forbidden => {
                let declared = self.declared(obligation.event)?;
                self.finding(obligation, Some(declared), None)
            }
            Demand::NotBefore(_) | Demand::NotBeforeAny(_) => {
                let declared = self.declared(obligation.event)?;
                let worked = self.reasoning.deciding(&obligation.demand)?;
                let met = declared.release >= worked.release();
                if met {
                    None
                } else {
                    self.too_early(obligation, declared, worked)
                }
            }
            Demand::NotAfter(term) => {
                let worked = self.reasoning.work(*term);
                self.too_late(position, obligation, worked)
            }
        }
    }

    /// A finding with the severity, number and place that any has. `None` where the policy turns it off.
    fn finding(
        &self,
        obligation: &Obligation,
        declared: Option<&Declared>,
        release: Option<Release>,
    ) -> Option<Diagnostic> {
        let rule = obligation.rule()?;
        let event = obligation.event;
        let release = declared
            .map(|declared| declared.release)
            .or(release)
            .unwrap_or(Release::NEVER);
        let law = self.law.rule(rule).at(release)?;
        let severity = law.severity(obligation.code, self.model().track_at(event.element, release));
        if severity == Severity::Off {
            return None;
        }
        let subject = self.subject(event, declared);
        let detail = obligation.detail.as_deref();
        let place = detail
            .and_then(|detail| detail.place)
            .or(declared.map(|declared| declared.span))
            .unwrap_or(self.model().element(subject).span);
        let message = detail.and_then(|detail| detail.message.clone()).unwrap_or_default();
        let mut finding = Diagnostic::error(rule, obligation.code, message)
            .severity(severity)
            .about(self.model().id(subject).to_owned())
            .at(place, "");
        finding.number.clone_from(&law.number);
        finding.because = vec![Fact {
            rule: Some(rule),
            number: law.number.clone(),
            text: obligation.because.to_string(),
            span: law.span,
        }];
        if let Some(detail) = detail {
            if let Some((span, text)) = &detail.related {
                finding = finding.seen_at(*span, text.clone());
            }
            finding.help.clone_from(&detail.help);
        }
        Some(finding)
    }

    /// Whom a finding is about: a kind, or the version whose entry it follows.
    fn subject(&self, event: Event, declared: Option<&Declared>) -> ElementId {
        let element = self.model().element(event.element);
        if !element.kind.is_kind() {
            return event.element;
        }
        match declared {
            Some(declared) => declared.event.element,
            None if self.model().declared_of(event.element).is_empty() => element.parent.unwrap_or(event.element),
            None => event.element,
        }
    }

    fn too_early(&self, obligation: &Obligation, declared: &Declared, worked: Worked) -> Option<Diagnostic> {
        let mut finding = self.finding(obligation, Some(declared), None)?;
        let calendar = &self.model().calendar;
        let sentence = self.reasoning.sentence(obligation, &worked);
        let bound = worked.release();
        let when = calendar.name(declared.release);
        let what = verb(obligation.event.what);
        let subject = finding.element.clone().unwrap_or_default();
        if bound.is_never() {
            if finding.message.is_empty() {
                finding.message = format!(
                    "{subject} {what} in {when}, which is too early: {}",
                    not_in_sight(&worked)
                );
            }
            finding.label(format!("too early: {}", not_in_sight(&worked)));
            let keep = format!("leave `{}` out until then", key_of(declared.event.what));
            finding.help.get_or_insert(keep);
        } else {
            let soonest = self.reasoning.moment(bound);
            let least = if worked.is_open() { " at least" } else { "" };
            if finding.message.is_empty() {
                let early = bound.0.saturating_sub(declared.release.0);
                let plural = if early == 1 { "" } else { "s" };
                finding.message = format!(
                    "{subject} {what} in {when}, {early} release{plural} too early; the soonest is {soonest}{least}"
                );
            }
            finding.label(format!("not before {}", calendar.name(bound)));
            finding.earliest = Some(bound);
            let key = key_of(declared.event.what);
            let unannounced = worked.term.event() == Some(declared.event);
            let mut step = if unannounced {
                format!(
                    "declare `deprecated = \"{when}\"`, and move the removal to {}",
                    calendar.name(bound)
                )
            } else {
                format!("move it to {}: {key} = \"{0}\"", calendar.name(bound))
            };
            if bound.0 >= calendar.listed() && calendar.cadence().is_none() {
                step.push_str("; list that release in [calendar.releases] first, or give a cadence");
            }
            finding.help.get_or_insert(step);
        }
        finding.because[0].text = sentence;
        let origin = worked.term.event().and_then(|anchor| self.declared(anchor));
        if let Some(origin) = origin.filter(|origin| origin.span != declared.span) {
            let what = origin.event.what;
            finding = finding.seen_at(origin.span, format!("{what} here"));
        }
        Some(finding)
    }

    /// A declared event past its bound, or a bound that has passed without the event.
    fn too_late(&self, position: usize, obligation: &Obligation, worked: Worked) -> Option<Diagnostic> {
        let event = obligation.event;
        // Where the calendar ends before the bound, nobody can tell yet.
        let bound = worked.bound.filter(|bound| !bound.open)?.release;
        let declared = self.declared(event);
        let fixed = declared.map(|declared| declared.release);
        let current = self.model().calendar.current();
        let planned = self.reasoning.assignment.planned(event).map(|planned| planned.release);
        let passed = match fixed.or(planned) {
            Some(release) => release > bound,
            None => current.is_some_and(|current| bound <= current),
        };
        let contradicted = self.contradictions.iter().any(|found| found.ring.contains(&position));
        if !passed || contradicted || (fixed.is_none() && self.ended(event, bound)) {
            return None;
        }
        let mut finding = self.finding(obligation, declared, Some(bound))?;
        let calendar = &self.model().calendar;
        let what = verb(event.what);
        let due = self.reasoning.moment(bound);
        let subject = finding.element.clone().unwrap_or_default();
        finding.message = match (fixed, current) {
            (Some(release), _) => format!(
                "{subject} {what} only in {}, but had to be by {due}",
                calendar.name(release)
            ),
            (None, Some(current)) if bound <= current => format!(
                "{subject} is still not {}, as of {}; it was due by {due}",
                event.what,
                calendar.name(current)
            ),
            (None, _) => {
                let planned = planned.map_or_else(String::new, |planned| calendar.name(planned));
                format!(
                    "{subject} cannot be {} before {planned}, but has to be by {due}",
                    event.what
                )
            }
        };
        finding.label(format!("due by {}", calendar.name(bound)));
        finding.because[0].text = self.reasoning.sentence(obligation, &worked);
        let late_by_law = fixed.is_none() && current.is_none_or(|current| bound > current);
        if let Some(lower) = self.reasoning.lower(event).filter(|_| late_by_law) {
            let number = lower
                .obligation
                .rule()
                .and_then(|rule| self.law.rule(rule).at(Release::NEVER));
            finding.because.push(Fact {
                rule: lower.obligation.rule(),
                number: number.and_then(|law| law.number.clone()),
                text: self.reasoning.sentence(lower.obligation, &lower.worked),
                span: None,
            });
        }
        let next = current.map_or(bound, |current| bound.max(current.plus(1)));
        let key = key_of(event.what);
        finding.help = Some(match fixed {
            Some(_) => format!(
                "move it to {} or before, or agree to an exception",
                calendar.name(bound)
            ),
            None => format!(
                "declare it: {key} = \"{}\", or agree to an exception",
                calendar.name(next)
            ),
        });
        Some(finding)
    }

    /// Whether the life was over by the time something was due.
    fn ended(&self, event: Event, due: Release) -> bool {
        self.declared(event.sibling(Happening::Removed))
            .is_some_and(|removed| removed.release <= due)
    }

    /// P3: a beta that nothing replaces by its deadline, while that is still to come.
    fn unreplaced(&self, event: Event) -> Option<Diagnostic> {
        let decisive: Decisive<'_> = self.reasoning.upper(event)?;
        let due = decisive.worked.release();
        if self.model().calendar.current().is_some_and(|current| due <= current) {
            return None;
        }
        let warning = Obligation {
            code: "unplanned-beta",
            detail: None,
            ..decisive.obligation.clone()
        };
        let mut finding = self.finding(&warning, None, Some(due))?;
        let subject = finding.element.clone().unwrap_or_default();
        let due = self.reasoning.moment(due);
        finding.message = format!("{subject} has no successor by {due}, when it has to be deprecated at the latest");
        finding.label("no successor in time".to_owned());
        finding.because[0].text = self.reasoning.sentence(decisive.obligation, &decisive.worked);
        finding.help = Some("introduce a successor by then, or deprecate it without one".to_owned());
        Some(finding)
    }

    /// Whether obligations exclude one another, or an event is merely late by what the user declared elsewhere.
    ///
    /// They do if they go round, or count from the same event; and if each is an error to break.
    fn excludes(&self, found: &Contradiction) -> bool {
        let obligations = || found.ring.iter().filter_map(|at| self.reasoning.obligations.get(*at));
        let origin = |obligation: &Obligation| match &obligation.demand {
            Demand::NotAfter(term) => term.event(),
            demand => self.reasoning.deciding(demand).and_then(|worked| worked.term.event()),
        };
        let upper = obligations().next_back().and_then(origin);
        let others = found.ring.len().saturating_sub(1);
        let together = upper.is_some() && obligations().take(others).any(|lower| origin(lower) == upper);
        let grave = |obligation: &Obligation| {
            let release = self
                .declared(obligation.event)
                .map_or(Release::NEVER, |found| found.release);
            obligation.rule().is_none_or(|rule| {
                let track = self.model().track_at(obligation.event.element, release);
                let law = self.law.rule(rule).at(release);
                law.is_some_and(|law| law.severity(obligation.code, track) == Severity::Error)
            })
        };
        found.circular || together || obligations().all(grave)
    }

    fn contradiction(&self, found: &Contradiction) -> Diagnostic {
        let element = found.event.element;
        let id = self.model().id(element);
        let message = format!(
            "{id} cannot be {} at any time: {} obligations exclude one another",
            found.event.what,
            found.ring.len()
        );
        let mut finding = Diagnostic::error("contradiction", "ring", message)
            .about(id)
            .at(self.model().element(element).span, "no release fits")
            .help("change one of these: a declared release, or a window or rule of the policy");
        finding.because = found
            .ring
            .iter()
            .filter_map(|position| self.reasoning.obligations.get(*position))
            .map(|obligation| self.link(obligation))
            .collect();
        finding
    }

    /// One obligation of a ring as a fact.
    fn link(&self, obligation: &Obligation) -> Fact {
        let worked = match obligation.demand {
            Demand::NotAfter(term) => Some(self.reasoning.work(term)),
            _ => self.reasoning.deciding(&obligation.demand),
        };
        let event = obligation.event;
        let side = match obligation.demand {
            Demand::NotAfter(_) => "no later than",
            _ => "no sooner than",
        };
        let id = self.model().id(event.element);
        let text = match worked {
            Some(worked) if !worked.release().is_never() => format!(
                "{id} is {} {side} {}: {}",
                event.what,
                self.model().calendar.name(worked.release()),
                self.reasoning.sentence(obligation, &worked)
            ),
            _ => format!("{id} may not be {}: {}", event.what, obligation.because),
        };
        let law = obligation
            .rule()
            .and_then(|rule| self.law.rule(rule).at(Release::NEVER));
        Fact {
            rule: obligation.rule(),
            number: law.and_then(|law| law.number.clone()),
            text,
            span: law.and_then(|law| law.span),
        }
    }

    /// Turns what was agreed to into notes; exceptions that cover nothing, or have run out, are findings.
    fn exceptions(&self, findings: &mut Vec<Diagnostic>) {
        for exception in &self.model().exceptions {
            let current = self.model().calendar.current();
            let expired = exception
                .until
                .filter(|(until, _)| current.is_some_and(|current| *until <= current));
            let covered: Vec<usize> = findings
                .iter()
                .enumerate()
                .filter(|(_, finding)| self.covers(exception, finding))
                .map(|(at, _)| at)
                .collect();
            if let (Some((_, span)), false) = (expired, covered.is_empty()) {
                findings.push(stale(
                    "expired",
                    "has run out",
                    span,
                    exception,
                    "meet the rule, or agree anew",
                ));
                continue;
            }
            if covered.is_empty() {
                let help = "delete it";
                findings.push(stale("unneeded", "is not needed", exception.span, exception, help));
            }
            for at in covered {
                let finding = &mut findings[at];
                finding.severity = Severity::Note;
                finding.message = format!(
                    "{} (agreed to by {}: {})",
                    finding.message, exception.approved_by, exception.reason
                );
            }
        }
    }

    fn covers(&self, exception: &Exception, finding: &Diagnostic) -> bool {
        let newest = self.law.editions().last();
        let rule = newest.and_then(|newest| rules::find_in(&newest.policy, &exception.rule.text));
        rule.is_some_and(|rule| rule.slug == finding.rule)
            && finding.element.as_deref() == Some(exception.element.text.as_str())
    }
}

fn stale(code: &'static str, what: &str, span: Span, exception: &Exception, help: &str) -> Diagnostic {
    let message = format!(
        "the exception for {} from {} {what}",
        exception.element.text, exception.rule.text
    );
    Diagnostic::error("exception", code, message)
        .severity(Severity::Warning)
        .about(exception.element.text.clone())
        .at(span, "")
        .help(help)
}

impl Diagnostic {
    /// Says what is to be seen at the finding's own place.
    fn label(&mut self, text: String) {
        if let Some(primary) = &mut self.primary {
            primary.text = text;
        }
    }
}

fn not_in_sight(worked: &Worked) -> String {
    use crate::obligation::Reach;
    match worked.term.reach {
        Reach::NextMajor => "not before the next major release".to_owned(),
        _ => "what it waits for has no release yet".to_owned(),
    }
}

/// What happens to an element, as a sentence says it.
fn verb(what: Happening) -> &'static str {
    match what {
        Happening::Preferred => "becomes preferred",
        Happening::Stored => "becomes the storage version",
        Happening::Promoted => "is promoted",
        Happening::Introduced => "is introduced",
        Happening::Deprecated => "is deprecated",
        Happening::Undeprecated => "is undeprecated",
        Happening::Hidden => "is hidden",
        Happening::Locked => "is locked",
        Happening::Migrated => "is migrated",
        Happening::Removed => "is removed",
        Happening::Dropped => "is dropped",
        Happening::Tolerated => "is tolerated",
    }
}

/// The key under which the user declares it.
fn key_of(what: Happening) -> &'static str {
    match what {
        Happening::Promoted => "since",
        Happening::Stored => "storage",
        other => other.as_str(),
    }
}
