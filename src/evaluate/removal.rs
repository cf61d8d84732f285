//! JudgedRemovals removals: allowed or not, why, from when, and what still names the element.

use crate::answer;
use crate::baseline::mark_base;
use crate::diagnostic::{Diagnostic, Severity};
use crate::grammar::rest_within;
use crate::model::{ElementId, Event, EventKind, Model};
use crate::policy::Law;
use crate::release::Release;
use crate::report::{ElementReport, NamedByReport, ProposalReport, Report};
use crate::source::Sources;

use super::{Evaluation, Supposition};

/// A removal somebody thinks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// The element.
    pub element: ElementId,
    /// The release in which it would be gone.
    pub release: Release,
}

/// What an announcement has to say besides its release: whoever writes it down is told, and it speaks against no
/// removal.
const WITH_ANNOUNCEMENTS: [&str; 3] = ["no-warning", "operation-unsaid", "no-prefix"];

/// JudgedRemovals removals, judged.
#[derive(Debug)]
pub struct JudgedRemovals {
    removals: Vec<Removal>,
    /// When what nobody announced is announced.
    announcements: Vec<(ElementId, Release)>,
    /// The model without the removals, but with the announcements.
    without: Evaluation,
    /// The model with both; its findings are what speaks against them.
    supposed: Evaluation,
}

/// Judges removals together, without changing anything. `evaluate` reads the model with more declared.
///
/// What the model says of these removals is put aside: it may be what is asked about. What nobody has announced is
/// taken to be announced as the plan has it, or in the next release.
///
/// # Errors
///
/// What is wrong with the model then: a removal before a beginning, say.
pub fn judge_removals(
    removals: &[Removal],
    evaluate: impl Fn(&[Supposition]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<JudgedRemovals, Vec<Diagnostic>> {
    let aside = |removal: &Removal| (removal.element, EventKind::Removed, None);
    let aside: Vec<Supposition> = removals.iter().map(aside).collect();
    let gone = |removal: &Removal| (removal.element, EventKind::Removed, Some(removal.release));
    let gone: Vec<Supposition> = removals.iter().map(gone).collect();
    let before = evaluate(&aside)?;
    let announcements = before.announcements(&evaluate(&gone)?, removals);
    let announced = |(element, release): &_| (*element, EventKind::Deprecated, Some(*release));
    let announced: Vec<Supposition> = announcements.iter().map(announced).collect();
    let without = evaluate(&[announced.clone(), aside].concat())?;
    let mut supposed = evaluate(&[announced, gone].concat())?;
    mark_base(&mut supposed.findings, &before.findings);
    let counts = |finding: &Diagnostic| finding.known.is_none() && !WITH_ANNOUNCEMENTS.contains(&&*finding.code);
    supposed.findings.retain(counts);
    Ok(JudgedRemovals {
        removals: removals.to_vec(),
        announcements,
        without,
        supposed,
    })
}

impl JudgedRemovals {
    /// Whether each removal is allowed, why, from when, and what still names its element; with what speaks against them
    /// as the findings.
    pub fn report(&self, sources: &Sources<'_>) -> Report<'_> {
        let elements = answer::elements(self.without.material());
        let answer = |removal: &Removal| self.answer(*removal, &elements, sources);
        Report {
            proposals: self.removals.iter().map(answer).collect(),
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
        let announced = self
            .announcements
            .iter()
            .find(|(element, _)| *element == removal.element);
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
    /// Why it can be no proposal: an unknown release, one that has shipped, or an element that is gone by then or not
    /// there yet.
    pub fn removal(&self, element: ElementId, release: &str) -> Result<Removal, String> {
        let model = &self.model;
        let calendar = &model.calendar;
        let id = model.id(element);
        let at = calendar.find(release).map_err(|problem| problem.to_string())?;
        let name = calendar.name(at);
        if let Some(current) = calendar.current().filter(|current| at <= *current) {
            let newest = calendar.name(current);
            return Err(format!(
                "{name} has shipped: nothing can be removed before the release after {newest}"
            ));
        }
        let life = model.last_life(element);
        let event = Event::new(element, life, EventKind::Removed);
        let gone = model.find_declared(event).map(|declared| declared.release);
        if let Some(gone) = gone.filter(|gone| calendar.current().is_some_and(|current| *gone <= current)) {
            return Err(format!("{id} was removed in {}", calendar.name(gone)));
        }
        let begins = model.find_declared(event.sibling(EventKind::Introduced));
        if let Some(begins) = begins.filter(|begins| begins.release >= at) {
            return Err(format!("{id} is introduced only in {}", calendar.name(begins.release)));
        }
        Ok(Removal { element, release: at })
    }

    /// When the elements would be announced to end whose end nobody declares and that cannot go without: where the plan
    /// has it, or else in the next release. `supposed` is this model with the removals.
    fn announcements(&self, supposed: &Self, removals: &[Removal]) -> Vec<(ElementId, Release)> {
        let refused = |removal: &Removal| {
            let mut against = self.against(&supposed.findings, removal, removals);
            against.any(|finding| finding.severity == Severity::Error)
        };
        let calendar = &self.model.calendar;
        let next = calendar.next();
        let elements = answer::elements(self.material());
        let open = removals.iter().filter(|removal| {
            let last = self.model.last_life(removal.element);
            self.model.deprecation(removal.element, last).is_none() && refused(removal)
        });
        open.map(|removal| {
            let id = self.model.id(removal.element);
            let own = elements.iter().find(|element| element.id == id);
            let planned = own.and_then(|own| calendar.find(own.deprecated?.release).ok());
            let planned = planned.filter(|planned| *planned <= removal.release);
            let last = self.model.last_life(removal.element);
            let introduced = Event::new(removal.element, last, EventKind::Introduced);
            let begins = self.model.find_declared(introduced);
            let soonest = begins.map_or(next, |begins| begins.release.max(next));
            (removal.element, planned.unwrap_or(soonest))
        })
        .collect()
    }

    /// The findings that speak against one removal: about its element or a part of it, or about nothing that is
    /// proposed.
    fn against<'f>(
        &'f self,
        findings: &'f [Diagnostic],
        removal: &'f Removal,
        all: &'f [Removal],
    ) -> impl Iterator<Item = &'f Diagnostic> {
        let about = |finding: &Diagnostic, removal: &Removal| {
            let id = self.model.id(removal.element);
            let subject = finding.element.as_deref().unwrap_or_default();
            rest_within(subject, id).is_some()
        };
        findings
            .iter()
            .filter(move |finding| about(finding, removal) || !all.iter().any(|other| about(finding, other)))
    }

    fn named_by<'a>(&'a self, removal: Removal, all: &[Removal], sources: &Sources<'_>) -> Vec<NamedByReport<'a>> {
        let model = &self.model;
        let is_removed = |id: ElementId| {
            let life = model.last_life(id);
            let removed = model.find_declared(Event::new(id, life, EventKind::Removed));
            removed.is_some_and(|removed| removed.release <= removal.release)
        };
        let gone = |id: ElementId| ancestors(model, id).any(is_removed);
        let is_proposed = |id: ElementId| all.iter().any(|other| other.element == id);
        let proposed = |id: ElementId| match model.element(id).parent {
            // The kinds that a version serves are what is lost with it.
            Some(version) if version == removal.element => is_proposed(id),
            _ => ancestors(model, id).any(is_proposed),
        };
        let named = model.named_by(removal.element).into_iter();
        named
            .filter(|named| !gone(named.element) && !proposed(named.element))
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

/// An element and all it is part of.
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
    let because = if because.is_empty() {
        String::new()
    } else {
        format!(" ({})", because.join("; "))
    };
    format!("{rule}: {}{because}", finding.message)
}
