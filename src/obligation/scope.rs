//! The input of a rule: the model, and the parameters of the rule in every edition.

use std::borrow::Cow;

use crate::diagnostic::{RuleId, Severity};
use crate::model::{Audience, Declared, Event, EventKind, Model};
use crate::policy::{Class, Key, Law, RuleLaw, RuleView};
use crate::release::{Release, Window};
use crate::stability::Track;

use super::{Demand, Obligation, Obligations, Source, Term};

#[derive(Debug)]
pub(crate) struct Scope<'s> {
    pub(crate) rule: RuleId,
    pub(crate) model: &'s Model,
    pub(crate) law: RuleView<'s>,
    laws: &'s Law,
}

impl<'s> Scope<'s> {
    pub(crate) fn new(rule: RuleId, model: &'s Model, law: &'s Law) -> Self {
        Self {
            rule,
            model,
            law: law.rule(rule),
            laws: law,
        }
    }

    /// The input of another rule.
    pub(crate) fn of_rule(&self, rule: RuleId) -> Self {
        Self::new(rule, self.model, self.laws)
    }

    /// A window of another rule in the edition of a release.
    pub(crate) fn window_of(&self, rule: RuleId, class: Class, key: Key, release: Release) -> Option<Window> {
        self.laws.rule(rule).at(release)?.window(class, key)
    }

    /// The severity of a finding of the rule, for an element of a level in a release.
    pub(crate) fn severity(&self, code: &str, track: Track, release: Release) -> Option<Severity> {
        let law = self.law.at(release)?;
        Some(self.laws.severity_in(law, self.rule, code, track))
    }

    /// The first release of each edition.
    pub(crate) fn editions(&self) -> impl Iterator<Item = Release> {
        self.laws.editions().iter().map(|edition| edition.from)
    }

    pub(crate) fn obligation(
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

    /// The rule in the edition of an event, or in the newest one.
    pub(crate) fn law_at(&self, declared: Option<&Declared>) -> Option<&'s RuleLaw> {
        self.law
            .at(declared.map_or(Release::NEVER, |declared| declared.release))
    }

    /// Adds: an element is not removed before something happens to its parts. `events` are theirs.
    pub(crate) fn stays_for_parts<'d>(
        &self,
        out: &mut Obligations,
        (code, removed): (&'static str, Event),
        events: impl Iterator<Item = &'d Declared>,
        because: &'static str,
    ) {
        self.stays_for_parts_until(out, (code, removed), events, &[], because);
    }

    /// Adds the same, or not before one of some other events.
    pub(crate) fn stays_for_parts_until<'d>(
        &self,
        out: &mut Obligations,
        (code, removed): (&'static str, Event),
        events: impl Iterator<Item = &'d Declared>,
        until: &[Event],
        because: &'static str,
    ) {
        // A part that begins with its owner declares no introduction.
        let needing = events.filter(|declared| needs_owner(declared.event.what));
        if let Some(last) = needing.max_by_key(|declared| declared.release) {
            let term = Term::after(last.event, Window::new(0, 1));
            let until = until.iter().copied().map(Term::at);
            self.not_before_any(
                out,
                (code, removed),
                std::iter::once(term).chain(until).collect(),
                because,
            );
        }
    }

    /// Adds: commands and flags for these users keep working for a window after their deprecation.
    pub(crate) fn commands_keep_working(&self, out: &mut Obligations, audience: Audience, because: &'static str) {
        let commands = self.model.judged_commands();
        for command in commands.filter(|command| command.audience == audience) {
            self.lifetimes(
                out,
                command.element,
                |deprecated| {
                    let first = self.model.first_announcement(deprecated.sibling(EventKind::Removed));
                    self.model.track_at_end(deprecated, Some(first)).into()
                },
                because,
            );
            if let Some(owner) = self.model.owner(command.element) {
                let removed = self.model.last_event(owner, EventKind::Removed);
                let flag = self.model.declared_of(command.element).iter();
                self.stays_for_parts(
                    out,
                    ("early", removed),
                    flag,
                    "a command that is extended keeps working",
                );
            }
        }
    }

    pub(crate) fn not_before(
        &self,
        out: &mut Obligations,
        code: &'static str,
        event: Event,
        term: Term,
        because: impl Into<Cow<'static, str>>,
    ) {
        out.push(self.obligation(code, event, Demand::NotBefore(term), because));
    }

    /// Adds: not before the earliest of these, if there are any.
    pub(crate) fn not_before_any(
        &self,
        out: &mut Obligations,
        (code, event): (&'static str, Event),
        terms: Vec<Term>,
        because: impl Into<Cow<'static, str>>,
    ) {
        if let Some(demand) = Demand::not_before_any(terms) {
            out.push(self.obligation(code, event, demand, because));
        }
    }
}

/// Whether an event of a part happens while its owner is served.
pub(crate) fn needs_owner(what: EventKind) -> bool {
    use EventKind::{Deprecated, Hidden, Introduced, Undeprecated};
    [Introduced, Deprecated, Undeprecated, Hidden].contains(&what)
}
