//! Obligations: the form in which rules state the law.
//!
//! A rule does not pass or fail. It adds [`Obligation`]s on events: an event must happen not before another event plus
//! a window (or not before any of several), or not after it, or is forbidden, or requires a declaration. `check` tests
//! whether the declared events meet them, `plan` finds the earliest releases that do, and both explain themselves by
//! them.
//!
//! For example rule 4a for a beta version deprecated in 1.8: `removed` is not before `deprecated` plus (9 months, 3
//! releases). On the Kubernetes calendar this term is 1.12, because 1.11 shipped a day short of nine months.

mod alike;
mod last_removal;
mod lifetime;
mod preference;
mod replacement;
mod scope;
mod source;
mod steps;
mod term;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::diagnostic::{Change, LackedBy, RuleId};
use crate::model::{ElementId, Event};
use crate::release::{KindSet, Release};
use crate::source::Span;

pub(crate) use last_removal::LastRemoval;
pub(crate) use lifetime::{End, Find};
pub(crate) use replacement::Announcement;
pub(crate) use scope::{Scope, needs_owner};
pub(crate) use source::{Principle, Source};
pub(crate) use steps::{STEPS_OF_LIFE, Steps};
pub(crate) use term::{Anchor, Reach, Term};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Not before this.
    NotBefore(Term),
    /// Not before the earliest of these.
    NotBeforeAny(Box<[Term]>),
    /// Not after this, if it happens at all.
    NotAfter(Term),
    /// Never.
    Forbidden,
    /// Only with a declaration, which exists or not.
    Requires(bool),
}

/// Parts of a finding that do not follow from the demand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Detail {
    pub(crate) message: Option<String>,
    /// Its place, if not that of the event's declaration.
    pub(crate) place: Option<Span>,
    pub(crate) related: Option<(Span, String)>,
    /// The release from which it is not met, if not that of the event.
    pub(crate) since: Option<Release>,
    /// The release in which the event is expected, if it is not declared and the demand is on it all the same.
    pub(crate) expected: Option<Release>,
    pub(crate) help: Option<String>,
    /// The first release in which it would be met: the help is to move the event there, and what follows it behind it.
    pub(crate) first: Option<Release>,
    /// Whether the help asks to move an event: that is no advice once it has shipped.
    pub(crate) moves: bool,
    /// Whether no release can have shipped like this: the entry is wrong about what has shipped.
    pub(crate) is_impossible: bool,
    /// The edits that fix it, if there is a single right fix.
    pub(crate) fix: Vec<Change>,
    /// Another element whose beginning or end causes it.
    pub(crate) caused_by: Option<ElementId>,
    /// The kinds in other versions that have no counterpart of its element.
    pub(crate) lacked_by: Vec<LackedBy<ElementId>>,
    /// The element that it is about, if that is not the one that declares the event.
    pub(crate) about: Option<ElementId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Obligation {
    pub(crate) source: Source,
    /// The code of the finding where it is not met.
    pub(crate) code: &'static str,
    pub(crate) event: Event,
    pub(crate) demand: Demand,
    /// The reason, as the beginning of a sentence: "a beta version stays served".
    pub(crate) because: Cow<'static, str>,
    pub(crate) detail: Option<Box<Detail>>,
}

/// All obligations of one model under one law, found by the element they are on.
#[derive(Debug, Default)]
pub(crate) struct Obligations {
    list: Vec<Obligation>,
    /// Positions in `list`, ordered by element; within one, in the order stated.
    by_element: Vec<u32>,
    /// Of each element, where its positions begin in `by_element`.
    starts: Vec<u32>,
    /// The events that only releases of some kinds may carry.
    only_in: HashMap<Event, KindSet>,
}

impl Demand {
    pub(crate) fn lower_terms(&self) -> &[Term] {
        match self {
            Self::NotBefore(term) => std::slice::from_ref(term),
            Self::NotBeforeAny(terms) => terms,
            _ => &[],
        }
    }

    fn lower_terms_mut(&mut self) -> &mut [Term] {
        match self {
            Self::NotBefore(term) => std::slice::from_mut(term),
            Self::NotBeforeAny(terms) => terms,
            _ => &mut [],
        }
    }

    pub(crate) fn upper_term(&self) -> Option<&Term> {
        match self {
            Self::NotAfter(term) => Some(term),
            _ => None,
        }
    }

    /// Not before the earliest of several, or nothing where there are none.
    pub(crate) fn not_before_any(mut terms: Vec<Term>) -> Option<Self> {
        match terms.len() {
            0 => None,
            1 => terms.pop().map(Self::NotBefore),
            _ => Some(Self::NotBeforeAny(terms.into())),
        }
    }
}

impl Obligation {
    /// The same with what its finding says, which is worked out only if a declaration is missing.
    #[must_use]
    pub(crate) fn unless_declared(self, detailed: impl FnOnce(Self) -> Self) -> Self {
        match self.demand {
            Demand::Requires(true) => self,
            _ => detailed(self),
        }
    }

    #[must_use]
    pub(crate) fn message(mut self, message: impl Into<String>) -> Self {
        self.detail.get_or_insert_default().message = Some(message.into());
        self
    }

    /// The same, pointing elsewhere than at the event's declaration.
    #[must_use]
    pub(crate) fn place(mut self, span: Span) -> Self {
        self.detail.get_or_insert_default().place = Some(span);
        self
    }

    /// The same, caused by the beginning or the end of another element.
    #[must_use]
    pub(crate) fn caused_by(mut self, other: Option<ElementId>) -> Self {
        self.detail.get_or_insert_default().caused_by = other;
        self
    }

    /// The same, where kinds in other versions have no counterpart.
    #[must_use]
    pub(crate) fn lacked_by(mut self, others: Vec<LackedBy<ElementId>>) -> Self {
        self.detail.get_or_insert_default().lacked_by = others;
        self
    }

    /// The same, reported about this element: its event is declared by another one, such as its version.
    #[must_use]
    pub(crate) fn about(mut self, element: ElementId) -> Self {
        self.detail.get_or_insert_default().about = Some(element);
        self
    }

    /// The same, not met from a release on.
    #[must_use]
    pub(crate) fn since(mut self, release: Release) -> Self {
        self.detail.get_or_insert_default().since = Some(release);
        self
    }

    /// The same, on an event that is not declared and expected in a release.
    #[must_use]
    pub(crate) fn expected_in(mut self, release: Release) -> Self {
        self.detail.get_or_insert_default().expected = Some(release);
        self
    }

    #[must_use]
    pub(crate) fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.detail.get_or_insert_default().related = Some((span, text.into()));
        self
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.detail.get_or_insert_default().help = Some(help.into());
        self
    }

    /// The same with a next step that changes when something happens, or how it begins.
    #[must_use]
    pub(crate) fn help_unless_shipped(mut self, help: impl Into<String>) -> Self {
        self.detail.get_or_insert_default().moves = true;
        self.help(help)
    }

    /// The same with the next step to move the event to a release.
    #[must_use]
    pub(crate) fn move_to(mut self, first: Release) -> Self {
        let detail = self.detail.get_or_insert_default();
        (detail.moves, detail.first) = (true, Some(first));
        self
    }

    /// The same about declarations that no release can meet: once it has shipped, the entry is to be corrected.
    #[must_use]
    pub(crate) fn impossible(mut self) -> Self {
        self.detail.get_or_insert_default().is_impossible = true;
        self
    }

    /// The same with an edit that fixes it, made only if the demand is not met.
    #[must_use]
    pub(crate) fn fix(mut self, change: impl FnOnce() -> Change) -> Self {
        if self.demand == Demand::Requires(false) {
            self.detail.get_or_insert_default().fix.push(change());
        }
        self
    }

    pub(crate) fn rule(&self) -> Option<RuleId> {
        match self.source {
            Source::Rule(rule) => Some(rule),
            Source::Plan(_) => None,
        }
    }
}

impl Obligations {
    /// None yet, with room for two on each element, as most elements have.
    pub(crate) fn for_elements(elements: usize) -> Self {
        Self {
            list: Vec::with_capacity(elements * 2),
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, obligation: Obligation) {
        self.list.push(obligation);
    }

    /// All of them as a list, in the order stated.
    pub(crate) fn into_list(self) -> Vec<Obligation> {
        self.list
    }

    pub(crate) fn extend(&mut self, obligations: impl IntoIterator<Item = Obligation>) {
        self.list.extend(obligations);
    }

    /// All of them, in the order stated.
    pub(crate) fn all(&self) -> &[Obligation] {
        &self.list
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Obligation> {
        self.list.get(at)
    }

    /// Keeps some, indexed, to be solved and checked again.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn filtered(mut self, elements: usize, keep: impl FnMut(&Obligation) -> bool) -> Self {
        self.list.retain(keep);
        self.indexed(elements)
    }

    /// Lets only releases of some kinds carry an event: its lower bounds end in such a release.
    pub(crate) fn only_in(&mut self, event: Event, kinds: KindSet) {
        self.only_in.insert(event, kinds);
    }

    /// The kinds of release that alone may carry an event.
    pub(crate) fn kinds_for(&self, event: Event) -> Option<KindSet> {
        self.only_in.get(&event).copied()
    }

    fn round_to_kinds(&mut self) {
        if self.only_in.is_empty() {
            return;
        }
        for obligation in &mut self.list {
            if let Some(kinds) = self.only_in.get(&obligation.event) {
                for term in obligation.demand.lower_terms_mut() {
                    term.only_in = *kinds;
                }
            }
        }
    }

    /// Adds more, indexed again.
    #[must_use]
    pub(crate) fn and(mut self, more: Vec<Obligation>, elements: usize) -> Self {
        self.list.extend(more);
        self.indexed(elements)
    }

    /// Makes [`Obligations::of`] find what has been stated, for a model with so many elements.
    #[must_use]
    pub(crate) fn indexed(mut self, elements: usize) -> Self {
        self.round_to_kinds();
        let mut starts = vec![0_u32; elements + 1];
        for obligation in &self.list {
            starts[obligation.event.element.0 as usize + 1] += 1;
        }
        for at in 0..elements {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        self.by_element = vec![0; self.list.len()];
        for (at, obligation) in (0_u32..).zip(&self.list) {
            let free = &mut next[obligation.event.element.0 as usize];
            self.by_element[*free as usize] = at;
            *free += 1;
        }
        self.starts = starts;
        self
    }

    /// The obligations on the events of an element, with their positions, in the order stated.
    pub(crate) fn of(&self, element: ElementId) -> impl Iterator<Item = (usize, &Obligation)> {
        let at = element.0 as usize;
        self.by_element[self.start(at)..self.start(at + 1)]
            .iter()
            .map(|&position| (position as usize, &self.list[position as usize]))
    }

    fn start(&self, element: usize) -> usize {
        let start = self.starts.get(element);
        start.map_or(self.by_element.len(), |&start| start as usize)
    }

    /// The obligations on one event, with their positions.
    pub(crate) fn on(&self, event: Event) -> impl Iterator<Item = (usize, &Obligation)> {
        self.of(event.element)
            .filter(move |(_, obligation)| obligation.event == event)
    }
}
