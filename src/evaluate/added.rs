//! What a proposal adds to the findings of a model.

use std::collections::HashMap;

use crate::baseline::{has_shipped_alike, mark_base, mark_no_worse};
use crate::diagnostic::{Diagnostic, Known, Missed, RuleId, Violation};
use crate::model::{ElementId, Model};

use super::Evaluation;

/// What is found in a model without a proposal, by rule, code and element.
///
/// A breach by what is declared alike, or has shipped, is the same by however many releases the proposal moves its
/// bound away, and so is the declared end of a part before that of its version. What was found about all kinds of a
/// version is not new about one of them, nor what was found about a kind where a version declares for its kinds what
/// only they lacked. Nor is an event too early for another reason that is too early already, by as much, nor that a
/// version lacks a counterpart where one lacks it already, also of the same in a version that the base does not have.
struct Reported<'f> {
    model: &'f Model,
    findings: HashMap<(RuleId, &'f str, &'f str), Vec<&'f Diagnostic>>,
    /// What is declared too early, by element.
    early: HashMap<&'f str, Vec<&'f Diagnostic>>,
    /// What has no counterpart in a kind of another version, by both names.
    lacked: HashMap<(&'f str, &'f str), Vec<&'f Diagnostic>>,
}

impl<'f> Reported<'f> {
    fn of(base: &'f Evaluation) -> Self {
        let mut findings: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
        let mut early: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
        let mut lacked: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
        for finding in base.findings.iter().flat_map(Diagnostic::each) {
            let element = finding.element.as_deref().unwrap_or_default();
            if declared_too_early(finding).is_some() {
                early.entry(element).or_default().push(finding);
            }
            let key = (finding.rule, &*finding.code, element);
            findings.entry(key).or_default().push(finding);
            for lack in &finding.lacked_by {
                if let Some(member) = member_of(finding) {
                    lacked.entry((member, &*lack.kind)).or_default().push(finding);
                }
            }
        }
        Self {
            model: &base.model,
            findings,
            early,
            lacked,
        }
    }

    fn has(&self, finding: &Diagnostic) -> bool {
        let Some(id) = finding.element.as_deref() else {
            return false;
        };
        let alike = self.about(id, finding, finding.life);
        let ends_before_its_version = finding.code == "removed-early" && !alike.is_empty();
        let is_shipped = alike.iter().any(|known| has_shipped_alike(known, finding));
        is_shipped
            || alike.iter().any(|known| {
                misses_its_bound_too(known, finding)
                    || is_forbidden_too(known, finding)
                    || is_lacked_already(known, finding)
            })
            || ends_before_its_version
            || self.is_as_early(id, finding)
            || self.lacks_as_before(finding)
            || self
                .model
                .find(id)
                .is_some_and(|subject| self.has_elsewhere(subject, finding))
    }

    /// Whether an event that is declared too early is found to be so by another rule too, by no less: what it is to be
    /// moved to is late enough.
    fn is_as_early(&self, id: &str, finding: &Diagnostic) -> bool {
        let Some(early) = declared_too_early(finding) else {
            return false;
        };
        let mut known = self.early.get(id).into_iter().flatten();
        known.any(|known| {
            let of = [*known, finding].map(|finding| finding.event.as_ref().map(|event| &event.what));
            let is_same = of[0] == of[1] && known.life == finding.life && declared_too_early(known) == Some(early);
            is_same && known.severity >= finding.severity && known.missed_by >= finding.missed_by
        })
    }

    /// Whether a member lacks a counterpart as it does in the base: `v1 Widget .f` in `v1beta1`, by then. It may lack
    /// one in `v2`, which is new, as well, and so may a new `v2 Widget .f` in `v1beta1`.
    fn lacks_as_before(&self, finding: &Diagnostic) -> bool {
        let (Some(id), Some(member)) = (finding.element.as_deref(), member_of(finding)) else {
            return false;
        };
        let Some(first) = finding.lacked_by.first() else {
            return false;
        };
        let mut alike = self.about(id, finding, finding.life).into_iter();
        let mut lacked = self.lacked.get(&(member, &*first.kind)).into_iter().flatten();
        let version = id.split_once(' ').map(|(version, _)| version);
        let is_new = version.is_some_and(|version| self.model.find(version).is_none());
        let is_of_new = self.model.find(&first.kind).is_none();
        alike.any(|known| {
            is_lacked_already(known, finding)
                || is_lacked_by_then(known, finding, Some(&first.kind))
                || is_of_new && finding.caused_by.is_none() && is_lacked_by_then(known, finding, None)
        }) || is_new && lacked.any(|known| known.severity >= finding.severity)
    }

    /// Whether the same, missed by no less, is found about the version of a kind, or about a kind of a version without
    /// a declaration of the event.
    fn has_elsewhere(&self, subject: ElementId, finding: &Diagnostic) -> bool {
        let element = self.model.element(subject);
        if let Some(version) = element.parent.filter(|_| element.kind.is_kind()) {
            let Some(life) = self.model.version_life(subject, finding.life) else {
                return false;
            };
            let known = self.about(self.model.id(version), finding, life);
            return known.into_iter().any(|known| known.missed_by >= finding.missed_by);
        }
        let kinds = self.model.served_by(subject).into_iter();
        let kinds = kinds.filter(|kind| *kind != subject);
        let mut known = kinds.flat_map(|kind| {
            let lives = 0..self.model.lives(kind);
            let alike = lives.filter(move |life| self.model.version_life(kind, *life) == Some(finding.life));
            alike.flat_map(move |life| self.about(self.model.id(kind), finding, life))
        });
        known.any(|known| known.violation == Violation::Lasting(None) && known.missed_by >= finding.missed_by)
    }

    /// The findings of the same rule and code about a life of an element, no less severe.
    fn about(&self, id: &str, finding: &Diagnostic, life: u8) -> Vec<&'f Diagnostic> {
        let known = self.findings.get(&(finding.rule, &*finding.code, id));
        let known = known.into_iter().flatten().copied();
        known
            .filter(|known| known.life == life && known.severity >= finding.severity)
            .collect()
    }
}

/// Whether two findings are about an event that is declared for the same release and misses a bound.
fn misses_its_bound_too(known: &Diagnostic, finding: &Diagnostic) -> bool {
    let missed = declared_too_early(finding);
    missed.is_some() && missed == declared_too_early(known)
}

/// Whether two findings are about an event that is declared for the same release and is forbidden there. The reason may
/// be another one: a class is lowered without a deprecation, or too soon after it.
fn is_forbidden_too(known: &Diagnostic, finding: &Diagnostic) -> bool {
    let are_forbidden = [known, finding].iter().all(|finding| {
        let happens = matches!(finding.violation, Violation::Event(_));
        happens && finding.missed_by.is_none() && finding.event.is_some()
    });
    are_forbidden && (&known.event, known.violation) == (&finding.event, finding.violation)
}

/// Whether the same is missing from the same release on, for the same reason. What has no reason was never there, so
/// that it is missing from any later release on, too, and so is what an event lacks that was only expected.
fn is_lacked_already(known: &Diagnostic, finding: &Diagnostic) -> bool {
    let events = [known, finding].map(|finding| finding.event.as_ref().map(|event| &event.what));
    let is_same = events[0] == events[1] && known.caused_by == finding.caused_by;
    is_same
        && match (known.violation, finding.violation) {
            (Violation::Lasting(Some(before)), Violation::Lasting(Some(since))) => {
                let is_same = known.event == finding.event;
                is_same && (before == since || before < since && finding.caused_by.is_none())
            }
            (Violation::Lasting(None), Violation::Lasting(Some(_))) => known.missed_by.is_none(),
            _ => false,
        }
}

/// Whether a kind, or any one, lacks a counterpart in the release in which another gap begins.
fn is_lacked_by_then(known: &Diagnostic, finding: &Diagnostic, kind: Option<&str>) -> bool {
    let Violation::Lasting(Some(since)) = finding.violation else {
        return false;
    };
    let mut lacks = known.lacked_by.iter();
    lacks.any(|lack| kind.is_none_or(|kind| lack.kind == kind) && (lack.since..lack.until).contains(&since))
}

/// The name of a member without its version: `Widget .spec.size`.
fn member_of(finding: &Diagnostic) -> Option<&str> {
    finding.element.as_deref()?.split_once(' ').map(|(_, member)| member)
}

/// The release for which an event is declared that misses a bound by some releases.
fn declared_too_early(finding: &Diagnostic) -> Option<&str> {
    let event = finding.event.as_ref()?;
    matches!(finding.missed_by?, Missed::By(_)).then_some(event.declared.as_deref()?)
}

/// The findings that a model does not have.
pub(super) fn added(mut findings: Vec<Diagnostic>, base: &Evaluation) -> Vec<Diagnostic> {
    mark_no_worse(&mut findings, &base.findings);
    let reported = Reported::of(base);
    findings.retain(|finding| finding.known.is_none() && !reported.has(finding));
    findings
}

/// Marks findings about a kind that the base has about its version, or the other way round: a change that declares for
/// one of them what both lacked brings nothing new. Nor does a new version beside which members lack theirs.
pub(super) fn mark_elsewhere(findings: &mut [Diagnostic], base: &Evaluation) {
    let reported = Reported::of(base);
    for finding in findings.iter_mut().filter(|finding| finding.known.is_none()) {
        let subject = finding.element.as_deref().and_then(|id| base.model.find(id));
        let is_known = subject.is_some_and(|subject| reported.has_elsewhere(subject, finding));
        if is_known || reported.lacks_as_before(finding) {
            finding.known = Some(Known::Base);
        }
    }
}

impl Evaluation {
    /// The findings that another model does not have: what a proposal adds. See [`Reported`].
    pub(crate) fn findings_added_to(&self, base: &Self) -> Vec<Diagnostic> {
        added(self.findings.clone(), base)
    }

    /// How many findings the base does not have are that a member lacks a counterpart, as it does there in another
    /// version, or of one.
    pub(crate) fn count_lacked_as_before(&self, base: &Self) -> usize {
        let mut findings = self.findings.clone();
        mark_base(&mut findings, &base.findings);
        let reported = Reported::of(base);
        let new = findings.iter().filter(|finding| finding.known.is_none());
        new.filter(|finding| reported.lacks_as_before(finding)).count()
    }
}
