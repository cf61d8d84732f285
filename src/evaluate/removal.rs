//! `check --remove`: whether a removal would be allowed, why, from when, and what still names the element.
//!
//! A removal is judged by trial: the model is evaluated with it and without it, and only findings that it adds count.

use crate::answer;
use crate::baseline::mark_base;
use crate::diagnostic::{Diagnostic, Severity};
use crate::grammar::rest_within;
use crate::model::{ElementId, EventKind, Model};
use crate::policy::Law;
use crate::release::Release;
use crate::report::{ElementReport, NamedByReport, ProposalReport, Report};
use crate::source::Sources;

use super::{Evaluation, Supposition};

/// A proposed removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// The element.
    pub element: ElementId,
    /// The release in which it would be removed.
    pub(crate) release: Release,
}

/// Findings about the texts of an announcement, which do not count against a removal.
const ANNOUNCEMENT_TEXTS: [&str; 3] = ["no-warning", "operation-unsaid", "no-prefix"];

/// Proposed removals with their findings.
#[derive(Debug)]
pub struct JudgedRemovals {
    removals: Vec<Removal>,
    /// The supposed releases of deprecations that are not declared.
    announcements: Vec<(ElementId, Release)>,
    /// The model with the deprecations, but without the removals.
    without: Evaluation,
    /// The model with both; its findings count against the removals.
    supposed: Evaluation,
}

/// Judges removals together, without changing anything. `evaluate` reads the model with suppositions.
///
/// Declared removals of these elements are ignored. A deprecation that is not declared is supposed in the release of
/// the plan, or else in the next release.
///
/// # Errors
///
/// If the model has errors with the removals, such as a removal before the introduction.
pub fn judge_removals(
    removals: &[Removal],
    evaluate: impl Fn(&[Supposition]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<JudgedRemovals, Vec<Diagnostic>> {
    let kept = suppositions(removals, |_| None);
    let removed = suppositions(removals, |removal| Some(removal.release));
    let before = evaluate(&kept)?;
    let announcements = before.announcements(&evaluate(&removed)?, removals);
    let announced = announcements.iter();
    let announced = announced.map(|(element, release)| (*element, EventKind::Deprecated, Some(*release)));
    let announced: Vec<Supposition> = announced.collect();
    let without = evaluate(&[announced.clone(), kept].concat())?;
    let mut supposed = evaluate(&[announced, removed].concat())?;
    mark_base(&mut supposed.findings, &before.findings);
    let findings = &mut supposed.findings;
    findings.retain(|finding| finding.known.is_none() && !ANNOUNCEMENT_TEXTS.contains(&&*finding.code));
    Ok(JudgedRemovals {
        removals: removals.to_vec(),
        announcements,
        without,
        supposed,
    })
}

fn suppositions(removals: &[Removal], release: impl Fn(&Removal) -> Option<Release>) -> Vec<Supposition> {
    let removals = removals.iter();
    removals
        .map(|removal| (removal.element, EventKind::Removed, release(removal)))
        .collect()
}

impl JudgedRemovals {
    /// The report: whether each removal is allowed, why, from when, and what still names its element. Its diagnostics
    /// are the findings against the removals.
    pub fn report(&self, sources: &Sources<'_>) -> Report<'_> {
        let elements = answer::elements(self.without.material());
        let removals = self.removals.iter();
        Report {
            proposals: removals
                .map(|removal| self.answer(*removal, &elements, sources))
                .collect(),
            ..self.supposed.report(sources)
        }
    }

    fn answer<'a>(
        &'a self,
        removal: Removal,
        elements: &[ElementReport<'a>],
        sources: &Sources<'_>,
    ) -> ProposalReport<'a> {
        let without = &self.without;
        let id = without.model.id(removal.element);
        let findings = &self.supposed.findings;
        let against: Vec<&Diagnostic> = without.against(findings, &removal, &self.removals).collect();
        let own = elements.iter().find(|element| element.id == id);
        let mut announcements = self.announcements.iter();
        let announced = announcements.find(|(element, _)| *element == removal.element);
        ProposalReport {
            element: id,
            release: without.names.moment(removal.release),
            allowed: against.iter().all(|finding| finding.severity < Severity::Error),
            soonest: own.and_then(|own| own.earliest_removal),
            never_before_major: own.and_then(|own| own.never_before_major.clone()),
            if_deprecated: announced.and_then(|(_, release)| without.names.moment(*release)),
            reasons: against.iter().map(|finding| reason(finding)).collect(),
            named_by: without.named_by(removal, &self.removals, sources),
        }
    }

    /// The law that judged.
    pub fn law(&self) -> &Law {
        &self.supposed.law
    }
}

impl Evaluation {
    /// The removal that a user proposes by the element's position and the release's name.
    ///
    /// # Errors
    ///
    /// If the release is unknown or has shipped, or the element does not exist in it.
    pub fn removal(&self, element: ElementId, release: &str) -> Result<Removal, String> {
        let model = &self.model;
        let calendar = &model.calendar;
        let id = model.id(element);
        let at = calendar.find(release).map_err(|problem| problem.to_string())?;
        let name = calendar.name(at);
        if let Some(current) = calendar.current().filter(|current| at <= *current) {
            let newest = calendar.name(current);
            return Err(format!("{name} has shipped: propose a release after {newest}"));
        }
        let event = model.last_event(element, EventKind::Removed);
        let gone = model.declared_release(event);
        if let Some(gone) = gone.filter(|gone| calendar.current().is_some_and(|current| *gone <= current)) {
            return Err(format!("{id} was already removed in {}", calendar.name(gone)));
        }
        let begins = model.declared_release(event.sibling(EventKind::Introduced));
        if let Some(begins) = begins.filter(|begins| *begins >= at) {
            return Err(format!("{id} is introduced only in {}", calendar.name(begins)));
        }
        Ok(Removal { element, release: at })
    }

    /// The supposed deprecations of elements that declare none and cannot be removed without: in the release of the
    /// plan, or else in the next release. `supposed` is this model with the removals.
    fn announcements(&self, supposed: &Self, removals: &[Removal]) -> Vec<(ElementId, Release)> {
        let elements = answer::elements(self.material());
        let mut announcements = Vec::new();
        for removal in removals {
            let life = self.model.last_life(removal.element);
            let mut against = self.against(&supposed.findings, removal, removals);
            if self.model.deprecation(removal.element, life).is_none()
                && against.any(|finding| finding.severity == Severity::Error)
            {
                announcements.push((removal.element, self.announcement(*removal, &elements)));
            }
        }
        announcements
    }

    fn announcement(&self, removal: Removal, elements: &[ElementReport<'_>]) -> Release {
        let calendar = &self.model.calendar;
        let id = self.model.id(removal.element);
        let own = elements.iter().find(|element| element.id == id);
        let planned = own.and_then(|own| calendar.find(own.deprecated?.release).ok());
        if let Some(planned) = planned.filter(|planned| *planned <= removal.release) {
            return planned;
        }
        let introduced = self.model.last_event(removal.element, EventKind::Introduced);
        let introduced = self.model.declared_release(introduced);
        introduced.unwrap_or(Release(0)).max(calendar.next())
    }

    /// The findings that count against one removal: about its element or a part of it, or about none of the proposed
    /// elements.
    fn against<'f>(
        &'f self,
        findings: &'f [Diagnostic],
        removal: &'f Removal,
        all: &'f [Removal],
    ) -> impl Iterator<Item = &'f Diagnostic> {
        findings.iter().filter(move |finding| {
            self.is_about(finding, *removal) || !all.iter().any(|other| self.is_about(finding, *other))
        })
    }

    /// Whether a finding is about the element of a removal, or a part of it.
    fn is_about(&self, finding: &Diagnostic, removal: Removal) -> bool {
        let subject = finding.element.as_deref().unwrap_or_default();
        rest_within(subject, self.model.id(removal.element)).is_some()
    }

    fn named_by<'a>(&'a self, removal: Removal, all: &[Removal], sources: &Sources<'_>) -> Vec<NamedByReport<'a>> {
        let model = &self.model;
        let named = model.named_by(removal.element).into_iter();
        named
            .filter(|named| !is_removed(model, named.element, removal.release))
            .filter(|named| match model.element(named.element).parent {
                // The kinds of a removed version still name it.
                Some(version) if version == removal.element => !is_proposed(named.element, all),
                _ => !ancestors(model, named.element).any(|id| is_proposed(id, all)),
            })
            .map(|named| {
                let place = sources.locate(named.span);
                NamedByReport {
                    element: model.id(named.element),
                    how: named.how,
                    file: place.map(|(file, _)| file.to_owned()),
                    line: place.map(|(_, place)| place.line),
                }
            })
            .collect()
    }
}

/// Whether an element, or one that it is part of, is removed by a release.
fn is_removed(model: &Model, id: ElementId, by: Release) -> bool {
    ancestors(model, id).any(|id| {
        let removed = model.declared_release(model.last_event(id, EventKind::Removed));
        removed.is_some_and(|removed| removed <= by)
    })
}

fn is_proposed(id: ElementId, removals: &[Removal]) -> bool {
    removals.iter().any(|removal| removal.element == id)
}

/// An element and all that it is part of.
fn ancestors(model: &Model, id: ElementId) -> impl Iterator<Item = ElementId> {
    std::iter::successors(Some(id), |id| model.element(*id).parent)
}

/// A finding as the reason of a refusal.
fn reason(finding: &Diagnostic) -> String {
    let rule = match &finding.number {
        Some(number) => format!("#{number} {}", finding.rule),
        None => finding.rule.to_owned(),
    };
    let because: Vec<&str> = finding.because.iter().map(|fact| fact.text.as_str()).collect();
    match because.join("; ").as_str() {
        "" => format!("{rule}: {}", finding.message),
        because => format!("{rule}: {} ({because})", finding.message),
    }
}
