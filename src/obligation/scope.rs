//! What a rule sees while it speaks: the model, and its own parameters in every edition.

use std::borrow::Cow;

use crate::diagnostic::RuleId;
use crate::model::{Declared, ElementId, Event, EventKind, Model};
use crate::policy::{Class, Law, RuleLaw, RuleView};
use crate::release::Release;

use super::{Demand, Obligation, Obligations, Source, Term};

/// The view of one rule.
#[derive(Debug)]
pub struct Scope<'s> {
    /// The rule that speaks.
    pub rule: RuleId,
    /// What it speaks about.
    pub model: &'s Model,
    /// Its parameters.
    pub law: RuleView<'s>,
}

impl<'s> Scope<'s> {
    /// The view of a rule.
    pub fn new(rule: RuleId, model: &'s Model, law: &'s Law) -> Self {
        Self {
            rule,
            model,
            law: law.rule(rule),
        }
    }

    /// An obligation of this rule.
    pub fn obligation(
        &self,
        code: &'static str,
        event: Event,
        demand: Demand,
        because: impl Into<Cow<'static, str>>,
    ) -> Obligation {
        Obligation {
            source: Source::Rule(self.rule),
            code,
            event,
            demand,
            because: because.into(),
            detail: None,
        }
    }

    /// What the rule says as of an event: the edition under which it was announced, or the newest one.
    pub fn law_at(&self, declared: Option<&Declared>) -> Option<&'s RuleLaw> {
        self.law
            .at(declared.map_or(Release::NEVER, |declared| declared.release))
    }

    /// What a life's end is counted from: its deprecation, or, removed without one, the removal itself, which is then
    /// judged as announced in the release of the removal.
    pub fn announcement(&self, element: ElementId, life: u8) -> Event {
        let removed = Event::new(element, life, EventKind::Removed);
        let deprecated = removed.sibling(EventKind::Deprecated);
        let unannounced =
            self.model.find_declared(removed).is_some() && self.model.deprecation(element, life).is_none();
        if unannounced { removed } else { deprecated }
    }

    /// The class that speaks for a life, of the edition under which its end was announced.
    pub fn class_of_end(&self, element: ElementId, life: u8, class: &str) -> Option<&'s Class> {
        let removed = || self.model.find_declared(Event::new(element, life, EventKind::Removed));
        let announced = self.model.deprecation(element, life).or_else(removed);
        self.law_at(announced)?.class(class)
    }

    /// States that a life ends no sooner than the class's window after its deprecation.
    pub fn window_after_deprecation(
        &self,
        out: &mut Obligations,
        element: ElementId,
        class: &str,
        because: &'static str,
    ) {
        for life in 0..self.model.lives(element) {
            let window = self
                .class_of_end(element, life, class)
                .and_then(|class| class.after_deprecation);
            if let Some(window) = window {
                let removed = Event::new(element, life, EventKind::Removed);
                let term = Term::after(self.announcement(element, life), window);
                out.push(self.obligation("early", removed, Demand::NotBefore(term), because));
            }
        }
    }
}

impl Scope<'_> {
    /// States that what replaces a deprecated element exists and is at least as stable.
    pub fn replacement_as_stable(&self, out: &mut Obligations, element: ElementId, because: &'static str) {
        let model = self.model;
        let Some(replacement) = model.attributes(element).and_then(|said| said.replacement.as_ref()) else {
            return;
        };
        for life in 0..model.lives(element) {
            let Some(deprecation) = model.deprecation(element, life) else {
                continue;
            };
            let id = model.id(element);
            let Some(target) = replacement.target else {
                let unknown = self.obligation("unknown", deprecation.event, Demand::Requires(false), because);
                let message = format!(
                    "the replacement of {id}, `{}`, is no element of this model",
                    replacement.text
                );
                let help = "declare the replacement, or correct its name";
                out.push(unknown.message(message).place(replacement.span).help(help));
                continue;
            };
            let track = model.track_at(element, deprecation.release);
            let other = model.track_at(target, deprecation.release);
            let stable = self.obligation(
                "less-stable",
                deprecation.event,
                Demand::Requires(other >= track),
                because,
            );
            let message = format!(
                "{id} ({track}) is deprecated in favor of {} ({other})",
                model.id(target)
            );
            let help = format!("name a replacement that is at least {track}");
            out.push(stable.message(message).place(replacement.span).help(help));
        }
    }
}
