//! Obligations that the declared events do not meet.

mod announcement;
mod bounds;
mod entries;
mod exceptions;
mod exclusion;
mod next_step;

pub(crate) use exceptions::{Exceptions, PAGE as EXCEPTION_PAGE};
pub(crate) use exclusion::PAGE as CONTRADICTION_PAGE;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::derivation::Reasoning;
use crate::diagnostic::{Change, Diagnostic, Fact, LackedBy, RuleId, Severity, Violation};
use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::obligation::{Demand, Detail, Obligation};
use crate::plan::{Contradiction, Intentions};
use crate::policy::Law;
use crate::release::Release;
use crate::source::Span;

/// All findings, in the order of their places: policy violations, warnings of the plan, contradictions, and exceptions
/// that are not needed or have expired. Findings that an exception covers are notes.
pub(crate) fn check(reasoning: Reasoning<'_>, law: &Law, intentions: &Intentions) -> Vec<Diagnostic> {
    let mut checker = Checker {
        reasoning,
        law,
        contradictions: Vec::new(),
        contradicted: HashSet::new(),
        ends: RefCell::default(),
        due: RefCell::default(),
        entries: OnceCell::new(),
        legal: RefCell::default(),
        unannounced: RefCell::default(),
        next_steps: RefCell::default(),
    };
    let all = reasoning.assignment.contradictions.iter();
    checker.contradictions = all.filter(|found| checker.excludes(found)).collect();
    let rings = checker.contradictions.iter().flat_map(|found| &found.ring);
    checker.contradicted = rings.copied().collect();
    let obligations = reasoning.obligations.all().iter().enumerate();
    let mut findings: Vec<Diagnostic> = obligations
        .filter_map(|(position, obligation)| checker.judge(position, obligation))
        .collect();
    let unreplaced = &intentions.unreplaced;
    let whole = versions_of_all(reasoning.model, unreplaced);
    findings.extend(unreplaced.iter().filter_map(|event| checker.unreplaced(*event, &whole)));
    let exceptions = Exceptions {
        model: reasoning.model,
        law,
    };
    exceptions.settle(&mut findings);
    let mut findings = merge(reasoning.model, findings);
    findings.extend(checker.contradictions.iter().map(|found| checker.contradiction(found)));
    findings.sort_by(Diagnostic::listing_order);
    findings
}

struct Checker<'c> {
    reasoning: Reasoning<'c>,
    law: &'c Law,
    /// Contradictions that are more than a late event.
    contradictions: Vec<&'c Contradiction>,
    /// The positions of their obligations.
    contradicted: HashSet<usize>,
    /// The soonest ends of versions, worked out so far: all kinds that inherit an entry ask for that of its version.
    ends: RefCell<HashMap<ElementId, Release>>,
    /// The kinds that are due by a release with an inherited removal, worked out so far.
    due: RefCell<BTreeMap<(Span, Release), String>>,
    /// Which events are declared together.
    entries: OnceCell<Vec<(Span, Event)>>,
    /// The first legal releases of what a value declares, worked out so far.
    legal: RefCell<HashMap<(Span, EventKind), Release>>,
    /// Whether what a value declares lacks an announcement, worked out so far.
    unannounced: RefCell<HashMap<(Span, EventKind), bool>>,
    /// The next steps for what a value declares and may come in a release, or has to be announced first.
    next_steps: RefCell<HashMap<Early, NextStep>>,
}

/// What a value declares too early, and the first release for it, unless it has to be announced first.
type Early = (Span, EventKind, Option<Release>);

/// A next step, in words and as edits.
type NextStep = (String, Vec<Change>);

/// The versions of which each kind has one of these events.
fn versions_of_all(model: &Model, events: &[Event]) -> HashSet<ElementId> {
    let elements: HashSet<ElementId> = events.iter().map(|event| event.element).collect();
    let versions = model.judged_groups().flat_map(|group| &group.versions);
    let all = versions.filter(|version| version.kinds.iter().all(|kind| elements.contains(kind)));
    all.map(|version| version.element).collect()
}

/// Merges findings of one rule and code at one place, if one entry says the same of their elements ([`same_entry`]).
/// The finding that is left keeps what it is about. Kinds that are named apart from their version have one each,
/// because they count from entries of their own.
fn merge(model: &Model, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    let mut seen: BTreeMap<(RuleId, Cow<'static, str>, Option<Span>), usize> = BTreeMap::new();
    for finding in findings {
        let place = finding.primary.as_ref().map(|label| label.span);
        let key = (finding.rule, finding.code.clone(), place);
        match seen.get(&key) {
            Some(&at) if same_entry(&merged[at], &finding) && !are_kinds(model, &merged[at], &finding) => {
                let (mut kept, other) = if weight(&merged[at]) < weight(&finding) {
                    (finding, std::mem::take(&mut merged[at]))
                } else {
                    (std::mem::take(&mut merged[at]), finding)
                };
                if kept.element != other.element {
                    kept.take_in(other);
                }
                merged[at] = kept;
            }
            _ => {
                seen.insert(key, merged.len());
                merged.push(finding);
            }
        }
    }
    merged
}

/// Of findings on one entry the most severe is reported, then the one with the latest legal release.
fn weight(finding: &Diagnostic) -> (Severity, Release) {
    (finding.severity, finding.earliest.unwrap_or(Release::NEVER))
}

/// Whether two findings are about what one entry declares: too early for one reason or another, or the same of a part
/// in several versions, or of a version and a part of it.
fn same_entry(a: &Diagnostic, b: &Diagnostic) -> bool {
    if a.earliest.is_some() || b.earliest.is_some() {
        return true;
    }
    let [one, other] = [a, b].map(|finding| finding.element.as_deref().unwrap_or_default());
    if one == other {
        return a.message == b.message;
    }
    let parts = [one, other].map(|id| id.split_once(' ').map(|(_, part)| part));
    // Each version may lack a counterpart from another release on.
    let has_cause = a.caused_by.is_some() || b.caused_by.is_some();
    (parts[0] == parts[1] || parts.contains(&None))
        && (!has_cause || (a.violation, &a.caused_by) == (b.violation, &b.caused_by))
}

/// Whether two findings are about two kinds.
fn are_kinds(model: &Model, a: &Diagnostic, b: &Diagnostic) -> bool {
    let kinds = [a, b].map(|finding| {
        let id = finding.element.as_deref().and_then(|id| model.find(id));
        id.filter(|id| model.element(*id).kind.is_kind())
    });
    kinds[0] != kinds[1] && kinds.iter().all(Option::is_some)
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
                let expected = obligation.detail.as_ref().and_then(|detail| detail.expected);
                match self.declared(obligation.event) {
                    None => self.finding(obligation, None, Some(expected?)),
                    declared => self.finding(obligation, declared, None),
                }
            }
            Demand::NotBefore(_) | Demand::NotBeforeAny(_) => {
                let declared = self.declared(obligation.event)?;
                let worked = self.reasoning.deciding(&obligation.demand)?;
                self.reasoning
                    .misses(&worked, declared.release)
                    .then(|| self.too_early(obligation, declared, worked))?
            }
            Demand::NotAfter(term) => self.too_late(position, obligation, self.reasoning.work(*term)),
        }
    }

    /// A finding with its severity, number and place. `None` if the policy turns it off.
    fn finding(
        &self,
        obligation: &Obligation,
        declared: Option<&Declared>,
        release: Option<Release>,
    ) -> Option<Diagnostic> {
        let rule = obligation.rule()?;
        let event = obligation.event;
        let detail = obligation.detail.as_deref();
        let since = detail.and_then(|detail| detail.since);
        let since = since.or(declared.map(|declared| declared.release));
        let release = since.or(release).unwrap_or(Release::NEVER);
        let severity = self.reasoning.severity(self.law, obligation, release)?;
        let judged = self.reasoning.judged_in(self.law, rule, event, release);
        let law = self.law.rule(rule).at(judged)?;
        if severity == Severity::Off {
            return None;
        }
        let about = detail.and_then(|detail| detail.about);
        let subject = about.unwrap_or_else(|| self.subject(event, declared));
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
        finding = finding.of_event(self.model().event_word(event.what).owned(), self.name_of(declared));
        finding.life = self.life_of(subject, event);
        finding.violation = match (declared, &obligation.demand) {
            (Some(_), Demand::Requires(_)) => Violation::Lasting(since),
            (Some(declared), _) => Violation::Event(declared.release),
            (None, _) => Violation::Lasting(None),
        };
        finding.shipped = declared.and_then(|declared| self.shipped_without(declared));
        finding.because = vec![Fact {
            rule: Some(rule),
            number: law.number.clone(),
            text: obligation.because.to_string(),
            span: law.span,
        }];
        if let Some(detail) = detail {
            finding = self.detailed(finding, detail, (declared, since));
        }
        // What users were told about what is gone by now can no longer be changed.
        let told = event.what == EventKind::Deprecated && finding.lacks_words();
        let ended = self.model().declared_release(event.sibling(EventKind::Removed));
        if let Some(past) = ended.filter(|_| told).and_then(|ended| self.past(ended)) {
            finding.shipped = ended;
            finding.help = Some(past);
            finding.fix.clear();
        }
        Some(finding)
    }

    /// A finding with what its obligation says of it; `since` is the release from which it is not met.
    fn detailed(
        &self,
        mut finding: Diagnostic,
        detail: &Detail,
        (declared, since): (Option<&Declared>, Option<Release>),
    ) -> Diagnostic {
        if let Some((span, text)) = &detail.related {
            finding = finding.seen_at(*span, text.clone());
        }
        finding.caused_by = detail.caused_by.map(|cause| self.model().id(cause).to_owned());
        let lacked_by = detail.lacked_by.iter().map(|lack| LackedBy {
            kind: self.model().id(lack.kind).to_owned(),
            since: lack.since,
            until: lack.until,
        });
        finding.lacked_by = lacked_by.collect();
        let since = since.filter(|_| detail.moves);
        let past = since.and_then(|since| {
            if detail.is_impossible {
                return self.corrected(since);
            }
            finding.shipped = self.shipped(since);
            self.past(since)
        });
        finding.help = past.or_else(|| detail.help.clone());
        finding.fix.clone_from(&detail.fix);
        if let (Some(first), Some(declared)) = (detail.first, declared.filter(|_| finding.shipped.is_none())) {
            finding.help = Some(self.next_step(declared, first).0);
        }
        finding
    }

    fn name_of(&self, declared: Option<&Declared>) -> Option<String> {
        declared.map(|declared| self.model().calendar.name(declared.release))
    }

    /// Whether a kind's own entry declares its life, or that it is never deprecated.
    fn has_own_life(&self, kind: ElementId) -> bool {
        let attributes = self.model().attributes(kind);
        let is_kept = attributes.is_some_and(|own| own.never_deprecated.is_some());
        let mut own = self
            .model()
            .declared_of(kind)
            .iter()
            .map(|declared| declared.event.what);
        is_kept
            || own.any(|what| {
                matches!(
                    what,
                    EventKind::Introduced | EventKind::Deprecated | EventKind::Undeprecated | EventKind::Removed
                )
            })
    }

    /// The element of a finding: a kind, or the version whose entry the kind inherits.
    fn subject(&self, event: Event, declared: Option<&Declared>) -> ElementId {
        let element = self.model().element(event.element);
        if !element.kind.is_kind() {
            return event.element;
        }
        match declared {
            Some(declared) => declared.event.element,
            None if !self.has_own_life(event.element) => element.parent.unwrap_or(event.element),
            None => event.element,
        }
    }

    /// The life of a subject that an event belongs to: a kind may enter a later life of its version.
    fn life_of(&self, subject: ElementId, event: Event) -> u8 {
        let of_version = (subject != event.element).then(|| self.model().version_life(event.element, event.life));
        of_version.flatten().unwrap_or(event.life)
    }
}
