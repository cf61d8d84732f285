//! Removals that the model rules out by what it declares: they are refused without a trial.

use crate::derivation::{Reasoning, Soonest};
use crate::diagnostic::{Diagnostic, Fact, Severity};
use crate::document::RULE;
use crate::grammar::rest_within;
use crate::model::{Declared, ElementId, Event, EventKind, in_shell};
use crate::plan::fixed;
use crate::release::Release;

use super::trial::RemovalTrial;
use super::{Evaluation, NoRemoval, Removal};

/// Why what has to be deprecated first is not removed.
pub(crate) fn never_deprecated(id: &str) -> String {
    format!("{id} is declared never to be deprecated")
}

/// The next step for it.
pub(crate) const NEVER_HELP: &str = "delete `deprecated = \"never\"`, or keep it";

impl Evaluation {
    /// The finding about a removal that a declaration rules out: its end has to be announced and never is, or something
    /// that comes before the removal is declared for a later release.
    pub(super) fn ruled_out(&self, removal: Removal) -> Option<Diagnostic> {
        let found = self.never_announced(removal.element);
        let found = found.or_else(|| self.in_another_order(removal))?;
        Some(found.about(self.model.id(removal.element)))
    }

    /// The finding about a removal before the soonest one that a trial does not add, because the model has the same
    /// without it: a field that another version lacks already is not lost there once more.
    pub(super) fn hidden_bound(&self, removal: Removal, trial: &RemovalTrial<'_>) -> Option<Diagnostic> {
        let reasoning = self.reasoning();
        let soonest = reasoning.soonest_end(removal.element);
        let decisive = soonest.decisive.filter(|_| removal.release < soonest.release)?;
        let rule = decisive.obligation.rule()?;
        let id = self.model.id(removal.element);
        let awaited = decisive.worked.term.event().map(|event| self.model.id(event.element));
        // The others may meet what a removal alone would have to wait for.
        let is_met_with_others = trial.removals.len() > 1 && trial.permits(removal, decisive.obligation);
        let is_added = trial
            .added
            .iter()
            .any(|finding| finding.rule == rule && is_of(finding, Some(id)));
        let is_excepted = trial.all.iter().any(|finding| {
            finding.rule == rule && finding.exception.is_some() && (is_of(finding, Some(id)) || is_of(finding, awaited))
        });
        let severity = reasoning.severity(&self.law, decisive.obligation, removal.release);
        if severity != Some(Severity::Error) || is_met_with_others || is_added || is_excepted {
            return None;
        }
        let sentence = reasoning
            .supposing(soonest.supposed)
            .sentence(decisive.obligation, &decisive.worked);
        let mut finding = Diagnostic::error(rule, decisive.obligation.code, sentence).about(id);
        finding.number = self
            .law
            .rule(rule)
            .at(removal.release)
            .and_then(|law| law.number.clone());
        Some(finding.at(self.model.element(removal.element).span, "declared here"))
    }

    /// The next step after a refusal.
    pub(super) fn next_step(&self, removal: Removal, soonest: &Soonest<'_>, refused: &Diagnostic) -> String {
        if self.reasoning().kept(removal.element).is_some() {
            return NEVER_HELP.to_owned();
        }
        let id = self.model.id(removal.element);
        if !soonest.release.is_never() && soonest.release > removal.release {
            let name = self.model.calendar.name(soonest.release);
            let (command, does) = match removal.declared {
                Some(declared) if declared >= soonest.release => {
                    return format!("leave it in {}, as declared", self.model.calendar.name(declared));
                }
                Some(_) => {
                    let moved = format!("{id}.removed={name}");
                    (format!("what-if --set {}", in_shell(&moved)), "shows what that changes")
                }
                None => (format!("propose removal \"{id}\""), "lists the steps"),
            };
            let command = self.model.command_line(&command);
            return format!("propose it for {name} or later; `{command}` {does}");
        }
        if let Some(later) = self.after_promotion(removal) {
            let [first, later] = [soonest.release, later].map(|release| self.model.calendar.name(release));
            let command = self.model.command_line(&format!("propose removal \"{id}\""));
            return format!(
                "propose it for {first}, or for {later} or later; `{command}` lists the steps of the first"
            );
        }
        let why = self.model.command_line(&format!("why \"{id}\" removed"));
        // The help of a removal without a release in sight is about a declared one.
        let help = refused.help.clone().filter(|_| !soonest.release.is_never());
        help.unwrap_or_else(|| format!("`{why}` shows what it waits for"))
    }

    /// The first release after a refused one, of a removal that was possible only before a gate makes the element more
    /// stable.
    fn after_promotion(&self, removal: Removal) -> Option<Release> {
        let planned = Reasoning {
            replanned: None,
            ..self.reasoning()
        };
        let [first, later] =
            [self.reasoning(), planned].map(|reasoning| reasoning.soonest_end(removal.element).release);
        (first <= removal.release && removal.release < later && !later.is_never()).then_some(later)
    }

    /// Why a part has no removal of its own: what it is part of ends before the part begins.
    pub(crate) fn never_there(&self, part: ElementId) -> Option<NoRemoval> {
        let (model, calendar) = (&self.model, &self.model.calendar);
        let end = self.reasoning().ends_before_it_begins(part)?;
        let begin = model.declared_release(model.last_event(part, EventKind::Introduced))?;
        let owner = model.owner(part)?;
        let [id, owner] = [part, owner].map(|element| model.id(element));
        let [begin, end] = [begin, end].map(|release| calendar.name(release));
        Some(NoRemoval {
            message: format!("{id} is introduced in {begin}, but {owner} ends in {end}"),
            help: "leave it out there, or correct one of the two releases".to_owned(),
        })
    }

    fn never_announced(&self, element: ElementId) -> Option<Diagnostic> {
        let (model, reasoning) = (&self.model, self.reasoning());
        let part = reasoning
            .unannounced(element)
            .find(|part| model.keeps(*part).is_some())?;
        let kept = model.keeps(part)?;
        let removed = model.last_event(part, EventKind::Removed);
        let obligation = reasoning.waiting(removed, removed.sibling(EventKind::Deprecated))?;
        let rule = obligation.rule()?;
        let law = self.law.rule(rule).at(Release::NEVER);
        let never = model.attributes(kept).and_then(|own| own.never_deprecated);
        let span = never.unwrap_or(model.element(kept).span);
        let mut finding = Diagnostic::error(rule, obligation.code, never_deprecated(model.id(kept)));
        finding.number = law.and_then(|law| law.number.clone());
        finding.because = vec![Fact {
            rule: Some(rule),
            number: finding.number.clone(),
            text: format!("{} after its deprecation", obligation.because),
            span: law.and_then(|law| law.span),
        }];
        Some(finding.at(span, "declared here").help(NEVER_HELP))
    }

    fn in_another_order(&self, removal: Removal) -> Option<Diagnostic> {
        let (model, reasoning) = (&self.model, self.reasoning());
        let parts = model.served_by(removal.element).into_iter();
        let open = parts.filter(|part| !reasoning.has_ended(*part));
        let ends = open.map(|part| model.last_event(part, EventKind::Removed));
        let later = ends.filter_map(|end| self.only_later(end, removal.release));
        let value = model.last_own_value(removal.element).copied();
        let later = later.chain(value.filter(|begins| begins.release >= removal.release));
        let later = later.max_by_key(|later| later.release)?;
        let (id, what) = (model.id(later.event.element), later.event.what);
        let message = format!("{id} {} only in {}", what.verb(), model.calendar.name(later.release));
        let finding = Diagnostic::error(RULE, "order", message).at(later.span, format!("{what} here"));
        Some(finding.help("change the model, or propose a later release"))
    }

    /// A declared event that comes before a removal, but is declared for a later release than this.
    fn only_later(&self, removed: Event, at: Release) -> Option<Declared> {
        let model = &self.model;
        let begins = model.find_declared(removed.sibling(EventKind::Introduced));
        let begins = begins.filter(|begins| begins.release >= at).copied();
        let withdrawn = model.repeated(removed.sibling(EventKind::Undeprecated)).last();
        // What it is part of ends first.
        let end = self.assignment.owner_end(model, removed).unwrap_or(Release::NEVER);
        let withdrawn = withdrawn.filter(|withdrawn| (at..end).contains(&withdrawn.release));
        let withdrawn = withdrawn.copied();
        let ends = [EventKind::Deprecated, EventKind::Hidden].into_iter();
        let mut ends = ends.filter_map(|what| {
            let event = removed.sibling(what);
            let release = fixed(model, event)?;
            let span = model
                .in_force(event)
                .map_or(model.element(event.element).span, |own| own.span);
            Some(Declared { event, release, span })
        });
        let entry = model.last_entry(removed).filter(|entry| entry.release > at).copied();
        let ends = ends.find(|end| end.release > at);
        begins.or(ends).or(withdrawn).or(entry)
    }
}

/// Whether a finding is about an element or a part of it.
fn is_of(finding: &Diagnostic, id: Option<&str>) -> bool {
    let subject = finding.element.as_deref().unwrap_or_default();
    id.is_some_and(|id| rest_within(subject, id).is_some())
}
