//! The input of a rule: the model, and the parameters of the rule in every edition.

use std::borrow::Cow;
use std::fmt;

use crate::diagnostic::{RuleId, Severity};
use crate::model::{Audience, Declared, ElementId, Event, EventKind, Model, Reference};
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

    /// How stable an element and its replacement are in the release of the deprecation. A replacement that is
    /// introduced later counts as in the release that introduces it.
    pub(crate) fn stabilities(
        &self,
        element: ElementId,
        replacement: ElementId,
        deprecated: Release,
    ) -> [Stability<'_>; 2] {
        let introduced = self.model.declared(replacement, EventKind::Introduced);
        let there = introduced.map_or(deprecated, |introduced| introduced.release.max(deprecated));
        [(element, deprecated), (replacement, there)].map(|(element, release)| Stability {
            track: self.model.track_at(element, release),
            gate: self.model.gate_lowering(element, release),
        })
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

    /// Adds: the replacement of a deprecated element exists and is at least as stable.
    pub(crate) fn replacement_as_stable(&self, out: &mut Obligations, element: ElementId, because: &'static str) {
        let model = self.model;
        let Some(replacement) = model
            .attributes(element)
            .and_then(|declared| declared.replacement.as_ref())
        else {
            return;
        };
        for life in 0..model.lives(element) {
            let Some(deprecation) = model.deprecation(element, life) else {
                continue;
            };
            let id = model.id(element);
            if replacement.is_external {
                out.push(self.replaced_from_outside(deprecation.event, replacement));
                continue;
            }
            let Some(target) = replacement.target else {
                let unknown = self.obligation("unknown", deprecation.event, Demand::Requires(false), because);
                let message = format!(
                    "the replacement of {id}, `{}`, is not declared in this model",
                    replacement.text
                );
                let help = "declare the replacement, or correct its name";
                out.push(unknown.message(message).place(replacement.span).help(help));
                continue;
            };
            let [track, other] = self.stabilities(element, target, deprecation.release);
            let stable = self.obligation(
                "less-stable",
                deprecation.event,
                Demand::Requires(other.track >= track.track),
                because,
            );
            let message = format!(
                "{id} ({track}) is deprecated in favor of {} ({other}), which is less stable",
                model.id(target)
            );
            let help = format!("name a replacement that is at least {}", track.track);
            out.push(stable.message(message).place(replacement.span).help(help));
        }
    }

    /// A note on a deprecation: what replaces the element is not under the control of the project, so nothing is
    /// demanded of it.
    pub(crate) fn replaced_from_outside(&self, deprecated: Event, replacement: &Reference) -> Obligation {
        let because = "a replacement outside of the project is not judged";
        let demand = Demand::Requires(false);
        let external = self.obligation("external", deprecated, demand, because);
        let id = self.model.id(deprecated.element);
        let message = format!(
            "{id} is deprecated in favor of {}, which this project does not control",
            replacement.text
        );
        let help = "say in the release notes from which version on it can be used";
        external.message(message).place(replacement.span).help(help)
    }
}

/// How stable an element is in a release, and the gate that makes it less stable than its own track.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stability<'m> {
    pub(crate) track: Track,
    pub(crate) gate: Option<&'m str>,
}

/// `beta`, or `alpha, by gate Frobber2D`.
impl fmt::Display for Stability<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.track.fmt(f)?;
        self.gate.map_or(Ok(()), |gate| write!(f, ", by gate {gate}"))
    }
}

/// Whether an event of a part happens while its owner is served.
pub(crate) fn needs_owner(what: EventKind) -> bool {
    use EventKind::{Deprecated, Hidden, Introduced, Undeprecated};
    [Introduced, Deprecated, Undeprecated, Hidden].contains(&what)
}
