//! Contradictions: obligations that no plan can meet together.

use crate::diagnostic::{Diagnostic, Fact, Page, Severity};
use crate::model::Event;
use crate::obligation::{Demand, Obligation};
use crate::plan::Contradiction;
use crate::release::Release;

use super::Checker;

pub(crate) const PAGE: Page = Page {
    slug: "contradiction",
    title: "Obligations that no plan can meet.",
    text: include_str!("contradiction.md"),
    codes: &[],
};

impl Checker<'_> {
    /// Whether obligations exclude each other, rather than an event being late because of another declaration.
    ///
    /// They do if they form a cycle, count from the same event, or are all errors to violate. A deadline that has
    /// passed excludes nothing: it is missed in any case.
    pub(super) fn excludes(&self, found: &Contradiction) -> bool {
        let ring = found.ring.iter();
        let ring: Vec<&Obligation> = ring.filter_map(|at| self.reasoning.obligations.get(*at)).collect();
        let Some((upper, lower)) = ring.split_last() else {
            return true;
        };
        let has_passed = self.deadline(upper) < self.model().calendar.next();
        let upper = self.origin(upper);
        let same_origin = upper.is_some() && lower.iter().any(|lower| self.origin(lower) == upper);
        found.circular || !has_passed && (same_origin || ring.iter().all(|obligation| self.is_error(obligation)))
    }

    /// The last release that an upper bound permits; of another demand, none.
    fn deadline(&self, obligation: &Obligation) -> Release {
        match &obligation.demand {
            Demand::NotAfter(term) => self.reasoning.work(*term).release(),
            _ => Release::NEVER,
        }
    }

    fn origin(&self, obligation: &Obligation) -> Option<Event> {
        match &obligation.demand {
            Demand::NotAfter(term) => term.event(),
            demand => self.reasoning.deciding(demand)?.term.event(),
        }
    }

    fn is_error(&self, obligation: &Obligation) -> bool {
        let declared = self.declared(obligation.event);
        let release = declared.map_or(Release::NEVER, |declared| declared.release);
        obligation.rule().is_none_or(|rule| {
            let track = self.model().track_at(obligation.event.element, release);
            self.law.severity(rule, obligation.code, track, release) == Some(Severity::Error)
        })
    }

    pub(super) fn contradiction(&self, found: &Contradiction) -> Diagnostic {
        let element = found.event.element;
        let id = self.model().id(element);
        let message = format!(
            "{id} cannot be {} in any release: {} obligations exclude each other",
            found.event.what,
            found.ring.len()
        );
        let mut finding = Diagnostic::error(PAGE.slug, "ring", message)
            .about(id)
            .at(self.model().element(element).span, "no release is possible")
            .help("change one of these: a declared release that has not shipped, or a window or rule of the policy");
        let ring = found.ring.iter();
        let obligations = ring.filter_map(|position| self.reasoning.obligations.get(*position));
        finding.because = obligations.map(|obligation| self.link(obligation)).collect();
        finding
    }

    /// An obligation of a contradiction as a fact.
    fn link(&self, obligation: &Obligation) -> Fact {
        let (worked, side) = match obligation.demand {
            Demand::NotAfter(term) => (Some(self.reasoning.work(term)), "by"),
            _ => (self.reasoning.deciding(&obligation.demand), "not before"),
        };
        let event = obligation.event;
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
        let rule = obligation.rule();
        let law = rule.and_then(|rule| self.law.rule(rule).at(Release::NEVER));
        Fact {
            rule,
            number: law.and_then(|law| law.number.clone()),
            text,
            span: law.and_then(|law| law.span),
        }
    }
}
