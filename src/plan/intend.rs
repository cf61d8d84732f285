//! The principles of planning, P1 to P9 (`planning.md`): what the plan proposes for undeclared events.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::grammar::FileSection;
use crate::model::succession::{Succession, expected_announcement, is_superseded_as_a_whole};
use crate::model::{ElementId, Event, EventKind, Group, Model, Version};
use crate::obligation::{Anchor, Demand, Obligation, Obligations, Principle, Reach, Source, Term};
use crate::policy::{Law, RuleView};
use crate::release::{Release, Window};
use crate::stability::Track;

/// The open events, and the betas without a successor in time.
#[derive(Debug, Default)]
pub(crate) struct Intentions {
    /// Events without a declared release, ordered.
    pub(crate) open: Vec<Event>,
    /// The deprecations of betas without a successor in time (P3).
    pub(crate) unreplaced: Vec<Event>,
}

/// Adds the obligations of planning to those of the law (`stated`), and indexes them.
///
/// Events that the law does not bound at all are not planned.
pub(crate) fn intend(model: &Model, law: &Law, stated: Obligations) -> (Obligations, Intentions) {
    let elements = model.elements().len();
    let stated = stated.indexed(elements);
    let mut planner = Planner {
        model,
        replacement: law.rule("version-replacement"),
        stated: &stated,
        wanted: Vec::new(),
        replaced: HashMap::new(),
        taken_over: HashSet::new(),
        intentions: Intentions::default(),
    };
    for group in model.judged_groups() {
        planner.group(group);
    }
    for id in model.judged() {
        match model.element(id).kind.row().section {
            // A group plans its versions and kinds by their successors; a member is removed with its kind.
            FileSection::Group | FileSection::Config => {}
            FileSection::Cli | FileSection::Gate | FileSection::Behavior | FileSection::Extra => {
                planner.removed_once_deprecated(id);
            }
            FileSection::Metric => planner.metric(id),
        }
    }
    let Planner {
        wanted, mut intentions, ..
    } = planner;
    intentions.open.sort_unstable();
    intentions.open.dedup();
    let mut obligations = stated;
    for obligation in wanted {
        obligations.push(obligation);
    }
    (obligations.indexed(elements), intentions)
}

struct Planner<'p> {
    model: &'p Model,
    replacement: RuleView<'p>,
    stated: &'p Obligations,
    wanted: Vec<Obligation>,
    /// Deprecations of elements with a successor, and their releases as far as declared.
    replaced: HashMap<Event, Release>,
    /// Elements with a successor in their own group.
    taken_over: HashSet<ElementId>,
    intentions: Intentions,
}

impl Planner<'_> {
    fn want(&mut self, principle: Principle, event: Event, demand: Demand, because: impl Into<Cow<'static, str>>) {
        self.intentions.open.push(event);
        self.wanted.push(Obligation {
            source: Source::Plan(principle),
            code: "planned",
            event,
            demand,
            because: because.into(),
            detail: None,
        });
    }

    fn group(&mut self, group: &Group) {
        for succession in Succession::of(self.model, group) {
            for (at, element) in succession.line.iter().enumerate() {
                let successor = succession.first_successor(self.model, at);
                let successor = successor.map(|successor| successor.since);
                if succession.is_taken_over(at) {
                    self.taken_over.insert(*element);
                }
                for life in 0..self.model.lives(*element) {
                    if let Some(successor) = successor {
                        self.deprecation(*element, life, successor);
                    }
                    self.removal(Event::new(*element, life, EventKind::Removed), successor, None);
                }
            }
        }
        for version in &group.versions {
            self.without_successor(group, version);
        }
    }

    /// Whether the edition in which a deprecation would be announced requires a released replacement.
    fn waits_for_replacement(&self, deprecated: Event, successor: Event) -> bool {
        let announced = expected_announcement(self.model, deprecated, Some(successor));
        let law = self.replacement.at(announced.unwrap_or(Release::NEVER));
        law.is_some_and(|law| law.until_replacement)
    }

    /// The release of a deadline, which counts from declared events.
    fn due(&self, deadline: Term) -> Option<Release> {
        let anchor = match deadline.anchor {
            Anchor::Event(event) => super::fixed(self.model, event),
            Anchor::Release(release) => Some(release),
        };
        anchor.map(|anchor| deadline.worth(&self.model.calendar, anchor).release)
    }

    /// Whether the deprecation of a life is undeclared.
    fn deprecation_is_open(&self, element: ElementId, life: u8) -> bool {
        let event = Event::new(element, life, EventKind::Introduced);
        let [introduced, deprecated, removed] = [EventKind::Introduced, EventKind::Deprecated, EventKind::Removed]
            .map(|what| self.model.find_declared(event.sibling(what)).is_some());
        introduced && !deprecated && !removed && self.model.keeps(element).is_none()
    }

    /// The deadline that the law sets for a deprecation.
    fn deadline(&self, deprecated: Event) -> Option<Term> {
        let mut demands = self.stated.on(deprecated).map(|(_, obligation)| &obligation.demand);
        demands.find_map(Demand::upper_term).copied()
    }

    fn deprecation(&mut self, element: ElementId, life: u8, successor: Event) {
        if !self.deprecation_is_open(element, life) {
            return;
        }
        let deprecated = Event::new(element, life, EventKind::Deprecated);
        let deadline = self.deadline(deprecated);
        if deadline.is_some_and(|deadline| super::fixed(self.model, successor) > self.due(deadline)) {
            self.intentions.unreplaced.push(deprecated);
        }
        // If a released replacement is required, a deadline alone moves nothing.
        let deadline = deadline.filter(|_| !self.waits_for_replacement(deprecated, successor));
        let terms = std::iter::once(Term::at(successor)).chain(deadline).collect();
        let Some(demand) = Demand::not_before_any(terms) else {
            return;
        };
        let announced = expected_announcement(self.model, deprecated, Some(successor));
        self.replaced.insert(deprecated, announced.unwrap_or(Release::NEVER));
        self.after_introduction(deprecated);
        let because = "a version is deprecated when its successor is introduced";
        self.want(Principle::P2, deprecated, demand, because);
    }

    /// Nothing is deprecated before its introduction.
    fn after_introduction(&mut self, deprecated: Event) {
        let introduced = Term::at(deprecated.sibling(EventKind::Introduced));
        let because = "a version exists when it is deprecated";
        self.want(Principle::P2, deprecated, Demand::NotBefore(introduced), because);
    }

    /// `expected` is the release in which the plan announces the end of a life without a successor; that of one with a
    /// successor follows from it.
    fn removal(&mut self, removed: Event, successor: Option<Event>, expected: Option<Release>) {
        let deprecated = removed.sibling(EventKind::Deprecated);
        let is_opened = self.just_opened(deprecated);
        self.steps(removed, is_opened);
        let introduced = self.model.find_declared(removed.sibling(EventKind::Introduced));
        if self.model.find_declared(removed).is_some() || introduced.is_none() {
            return;
        }
        let announced = self.model.deprecation(removed.element, removed.life).is_some() || is_opened;
        let expected = expected.or_else(|| expected_announcement(self.model, deprecated, successor));
        let track = self.model.track_at_end(deprecated, expected);
        let is_planned = match track {
            Track::Alpha => successor.is_some(),
            Track::Beta | Track::Ga => announced && self.can_be_removed(removed),
        };
        if !is_planned || !announced {
            return;
        }
        let because = match track {
            Track::Alpha => "an alpha version is removed when its successor is introduced",
            _ => "a deprecated version is removed as early as the rules allow",
        };
        self.want(Principle::P5, removed, Demand::NotBefore(Term::at(deprecated)), because);
        self.not_at_once(removed);
        if let Some(successor) = successor.filter(|_| track == Track::Alpha) {
            self.want(Principle::P5, removed, Demand::NotBefore(Term::at(successor)), because);
        }
    }

    /// A deprecated element, or one whose deprecation was opened just now, takes the steps that its policy requires, as
    /// early as the rules allow.
    fn steps(&mut self, removed: Event, is_opened: bool) {
        let deprecated = removed.sibling(EventKind::Deprecated);
        let is_deprecated = is_opened || super::fixed(self.model, deprecated).is_some();
        if self.model.find_declared(removed).is_some() || !is_deprecated {
            return;
        }
        for step in self.model.steps.iter().map(|(what, _)| removed.sibling(what)) {
            let is_stated = self.stated.on(removed).any(|(_, obligation)| {
                let mut terms = obligation.demand.lower_terms().iter();
                terms.any(|term| term.event() == Some(step))
            });
            let is_stated = is_stated || self.stated.on(step).next().is_some();
            if is_stated && self.model.find_declared(step).is_none() {
                let because = "a deprecated element takes a step as early as the rules allow";
                self.want(Principle::P5, step, Demand::NotBefore(Term::at(deprecated)), because);
            }
        }
    }

    /// Nothing is removed in the release of its introduction.
    fn not_at_once(&mut self, removed: Event) {
        let introduced = removed.sibling(EventKind::Introduced);
        if self.model.find_declared(introduced).is_some() {
            let demand = Demand::NotBefore(Term::after(introduced, Window::new(0, 1)));
            self.want(Principle::P5, removed, demand, "an element is served");
        }
    }

    /// Whether this is the event opened last: a deprecation is opened just before its removal.
    fn just_opened(&self, event: Event) -> bool {
        self.intentions.open.last() == Some(&event)
    }

    /// Whether the law says when an element is due to go, or how long it stays, and not only until the next major
    /// release.
    fn can_be_removed(&self, removed: Event) -> bool {
        let obligations = self.stated.on(removed);
        let lower: Vec<&Term> = obligations
            .flat_map(|(_, obligation)| obligation.demand.lower_terms())
            .collect();
        // Bounds that count from other elements say only what it waits for.
        let mut anchors = lower.iter().filter_map(|term| term.event());
        let is_due = self
            .stated
            .on(removed)
            .any(|(_, obligation)| obligation.demand.upper_term().is_some());
        anchors.any(|anchor| anchor.element == removed.element)
            && (is_due || lower.iter().all(|term| term.reach != Reach::NextMajor))
    }

    /// P8 and P3: kinds without a successor are deprecated with their version if that is superseded as a whole; betas
    /// at their deadline at the latest.
    fn without_successor(&mut self, group: &Group, version: &Version) {
        let orphans: Vec<Event> = version
            .served()
            .iter()
            .flat_map(|id| (0..self.model.lives(*id)).map(move |life| Event::new(*id, life, EventKind::Deprecated)))
            .filter(|own| self.deprecation_is_open(own.element, own.life) && !self.replaced.contains_key(own))
            .collect();
        if orphans.is_empty() {
            return;
        }
        let whole = self.with_version(group, version);
        for own in orphans {
            self.orphan(own, whole);
        }
    }

    /// The deprecation of a version that is superseded as a whole, and its release. It is one node between all kinds
    /// that a later version takes over, and all that none does.
    fn with_version(&mut self, group: &Group, version: &Version) -> Option<(Event, Release)> {
        if !is_superseded_as_a_whole(self.model, group, version) {
            return None;
        }
        let taken_over: Vec<(Event, Release)> = version
            .served()
            .iter()
            .filter(|id| self.taken_over.contains(id))
            .map(|id| Event::new(*id, self.model.last_life(*id), EventKind::Deprecated))
            .filter_map(|deprecated| {
                let announced = super::fixed(self.model, deprecated).or(self.replaced.get(&deprecated).copied());
                // What nothing announces is taken for deprecated when it goes.
                let removed = deprecated.sibling(EventKind::Removed);
                match announced {
                    Some(release) => Some((deprecated, release)),
                    None => Some((removed, super::fixed(self.model, removed)?)),
                }
            })
            .collect();
        let whole = Event::new(version.element, 0, EventKind::Deprecated);
        for (kind, _) in &taken_over {
            let because = "a version is deprecated once the kinds that a later version takes over are";
            self.want(Principle::P8, whole, Demand::NotBefore(Term::at(*kind)), because);
        }
        let last = taken_over.iter().map(|(_, announced)| *announced).max()?;
        Some((whole, last))
    }

    /// `whole` is the deprecation of the version of an orphan, and its release.
    fn orphan(&mut self, own: Event, whole: Option<(Event, Release)>) {
        let deadline = self.deadline(own);
        let due = deadline.and_then(|deadline| self.due(deadline));
        // The successor of its version counts as one of the kind, if it comes in time.
        let in_time = whole.is_some_and(|(_, announced)| due.is_none_or(|due| announced <= due));
        if deadline.is_some() && !in_time {
            self.intentions.unreplaced.push(own);
        }
        // If a released replacement is required, a deadline alone moves nothing; the successor of the version does,
        // because the rule is about versions.
        let announced = due.map(|due| due.max(self.model.calendar.next()));
        let allowed = announced.is_some_and(|at| !self.replacement.at(at).is_some_and(|law| law.until_replacement));
        let (principle, demand, because) = match (whole, deadline) {
            (Some((whole, _)), _) => {
                let terms = std::iter::once(Term::at(whole)).chain(deadline).collect();
                let because = "a kind without a successor is deprecated with its version";
                (Principle::P8, Demand::not_before_any(terms), because)
            }
            (None, Some(deadline)) if allowed => {
                let because = "a beta without a successor is deprecated at its deadline";
                (Principle::P3, Some(Demand::NotBefore(deadline)), because)
            }
            _ => return,
        };
        let Some(demand) = demand else { return };
        self.after_introduction(own);
        self.want(principle, own, demand, because);
        let expected = whole.map(|(_, with)| with).into_iter().chain(announced).min();
        self.removal(own.sibling(EventKind::Removed), None, expected);
    }

    fn removed_once_deprecated(&mut self, element: ElementId) {
        for life in 0..self.model.lives(element) {
            let removed = Event::new(element, life, EventKind::Removed);
            // This life ends with that of the owner.
            let next = Event::new(element, life.saturating_add(1), EventKind::Introduced);
            if self.model.is_back_with_owner(next) {
                continue;
            }
            self.steps(removed, false);
            let deprecated = removed.sibling(EventKind::Deprecated);
            let open = self.model.find_declared(removed).is_none() && super::fixed(self.model, deprecated).is_some();
            if open && self.can_be_removed(removed) {
                let because = "a deprecated element is removed as early as the rules allow";
                self.want(Principle::P5, removed, Demand::NotBefore(Term::at(deprecated)), because);
                self.not_at_once(removed);
            }
        }
    }

    /// A deprecated metric is hidden, and deleted after that. If it could have been hidden in a release that has
    /// shipped, only its deletion is planned: the law bounds that whether or not the metric is hidden.
    fn metric(&mut self, element: ElementId) {
        let removed = Event::new(element, 0, EventKind::Removed);
        let [hidden, deprecated] = [EventKind::Hidden, EventKind::Deprecated].map(|what| removed.sibling(what));
        if self.model.find_declared(removed).is_some() || super::fixed(self.model, deprecated).is_none() {
            return;
        }
        if self.model.find_declared(hidden).is_none() && self.can_be_removed(hidden) && !self.has_passed(hidden) {
            let because = "a deprecated metric is hidden as early as the rules allow";
            self.want(Principle::P5, hidden, Demand::NotBefore(Term::at(deprecated)), because);
        }
        if self.can_be_removed(removed) {
            let because = "a deprecated metric is deleted as early as the rules allow";
            self.want(Principle::P5, removed, Demand::NotBefore(Term::at(deprecated)), because);
            self.not_at_once(removed);
        }
    }

    /// Whether an event whose bounds count from declared events was allowed in a release that has shipped.
    fn has_passed(&self, event: Event) -> bool {
        let obligations = self.stated.on(event);
        let mut terms = obligations.flat_map(|(_, obligation)| obligation.demand.lower_terms());
        let current = self.model.calendar.current();
        terms.all(|term| self.due(*term).is_some_and(|bound| Some(bound) <= current))
    }
}
