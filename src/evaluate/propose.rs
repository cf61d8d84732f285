//! Proposed removals: allowed or not, why, from when, and what still names the element.

use crate::answer;
use crate::diagnostic::{Diagnostic, Severity};
use crate::known::mark_base;
use crate::model::{ElementId, Event, Happening, Model};
use crate::release::Release;
use crate::report::{NamedByReport, ProposalReport};
use crate::source::Sources;

use super::Evaluation;

/// A removal somebody thinks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// The element.
    pub element: ElementId,
    /// The release in which it would be gone.
    pub release: Release,
}

impl Evaluation {
    /// The removal that a user proposes by the element's position and the release's name.
    ///
    /// # Errors
    ///
    /// Why it can be no proposal: an unknown release, one that has shipped, or an element that is gone by then or not there
    /// yet.
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
        let life = model.lives(element) - 1;
        let event = Event::new(element, life, Happening::Removed);
        let gone = model.find_declared(event).map(|declared| declared.release);
        if let Some(gone) = gone.filter(|gone| calendar.current().is_some_and(|current| *gone <= current)) {
            return Err(format!("{id} was removed in {}", calendar.name(gone)));
        }
        let begins = model.find_declared(event.sibling(Happening::Introduced));
        if let Some(begins) = begins.filter(|begins| begins.release >= at) {
            return Err(format!("{id} is introduced only in {}", calendar.name(begins.release)));
        }
        Ok(Removal { element, release: at })
    }

    /// The first release that has not shipped.
    pub fn next_release(&self) -> Release {
        let current = self.model.calendar.current();
        current.map_or(Release(0), |current| current.plus(1))
    }

    /// When the elements would be announced to end whose end nobody declares and that cannot go without: where the plan has
    /// it, or else in the next release. `supposed` is this model with the removals.
    pub fn announcements(&self, supposed: &Evaluation, removals: &[Removal]) -> Vec<(ElementId, Release)> {
        let refused = |removal: &Removal| {
            let mut against = self.against(&supposed.findings, removal, removals);
            against.any(|finding| finding.severity == Severity::Error)
        };
        let calendar = &self.model.calendar;
        let next = self.next_release();
        let elements = answer::elements(self.material());
        let open = removals.iter().filter(|removal| {
            let last = self.model.lives(removal.element) - 1;
            self.model.deprecation(removal.element, last).is_none() && refused(removal)
        });
        open.map(|removal| {
            let id = self.model.id(removal.element);
            let own = elements.iter().find(|element| element.id == id);
            let planned = own.and_then(|own| calendar.find(own.deprecated?.release).ok());
            let planned = planned.filter(|planned| *planned <= removal.release);
            let begins = self.model.declared(removal.element, Happening::Introduced);
            let soonest = begins.map_or(next, |begins| begins.release.max(next));
            (removal.element, planned.unwrap_or(soonest))
        })
        .collect()
    }

    /// What speaks against removals.
    ///
    /// `self` is the model without them, but with their announcements; `supposed` has the removals too: its findings that
    /// are new are what speaks.
    pub fn proposals<'a>(
        &'a self,
        supposed: &mut Evaluation,
        announcements: &[(ElementId, Release)],
        removals: &[Removal],
        sources: &Sources<'_>,
    ) -> Vec<ProposalReport<'a>> {
        mark_base(&mut supposed.findings, &self.findings);
        supposed.findings.retain(|finding| finding.known.is_none());
        let elements = answer::elements(self.material());
        let answer = |removal: &Removal| {
            let id = self.model.id(removal.element);
            let against: Vec<&Diagnostic> = self.against(&supposed.findings, removal, removals).collect();
            let own = elements.iter().find(|element| element.id == id);
            let announced = announcements.iter().find(|(element, _)| *element == removal.element);
            ProposalReport {
                element: id,
                release: self.names.moment(removal.release),
                allowed: against.iter().all(|finding| finding.severity < Severity::Error),
                soonest: own.and_then(|own| own.earliest_removal),
                never_before_major: own.and_then(|own| own.never_before_major.clone()),
                if_deprecated: announced.and_then(|(_, release)| self.names.moment(*release)),
                reasons: against.iter().map(|finding| reason(finding)).collect(),
                named_by: self.named_by(*removal, removals, sources),
            }
        };
        removals.iter().map(answer).collect()
    }

    /// The findings that speak against one removal: about its element or a part of it, or about nothing that is proposed.
    fn against<'f>(
        &'f self,
        findings: &'f [Diagnostic],
        removal: &'f Removal,
        all: &'f [Removal],
    ) -> impl Iterator<Item = &'f Diagnostic> {
        let about = |finding: &Diagnostic, removal: &Removal| {
            let id = self.model.id(removal.element);
            let subject = finding.element.as_deref().unwrap_or_default();
            subject
                .strip_prefix(id)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/', '=']))
        };
        findings
            .iter()
            .filter(move |finding| about(finding, removal) || !all.iter().any(|other| about(finding, other)))
    }

    fn named_by<'a>(&'a self, removal: Removal, all: &[Removal], sources: &Sources<'_>) -> Vec<NamedByReport<'a>> {
        let model = &self.model;
        let is_removed = |id: ElementId| {
            let life = model.lives(id) - 1;
            let removed = model.find_declared(Event::new(id, life, Happening::Removed));
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
