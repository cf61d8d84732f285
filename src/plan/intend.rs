//! What a plan wants where the user is silent. The principles are numbered P1 to P9.
//!
//! | | |
//! | --- | --- |
//! | P1 | What is declared never moves; what is planned never falls at or before the current release. |
//! | P2 | A version is deprecated when a successor is there: later of its introduction and the earliest successor's. |
//! | P3 | A beta with no successor in time is deprecated at its deadline. |
//! | P4 | Of several successors in one release the most stable, then the highest, is the replacement. |
//! | P5 | An alpha goes when its successor comes; a beta, and whatever else is deprecated, at its earliest. |
//! | P6 | Preferred and storage versions move as soon as they may (the timeline walks them). |
//! | P7 | `deprecated = "never"` plans none. |
//! | P8 | A kind without a successor is deprecated with its version. |
//! | P9 | A kind leaves its group only by a declared replacement. |

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::model::succession::{Succession, expected_announcement};
use crate::model::{ElementId, Event, EventKind, Group, Model, Version};
use crate::obligation::{Anchor, Demand, Obligation, Obligations, Reach, Source, Term};
use crate::policy::{Law, RuleView};
use crate::release::{Release, Window};
use crate::stability::Track;

/// What a plan decides: which events are open, and which betas nothing replaces in time.
#[derive(Debug, Default)]
pub struct Intentions {
    /// Events whose release is to be found, ordered.
    pub open: Vec<Event>,
    /// Betas that no successor replaces in time (P3), which are planned to be deprecated at their deadline.
    pub unreplaced: Vec<Event>,
}

/// States what the plan wants, into the same list as the law, and indexes that list.
///
/// `stated` is what the rules said. An event whose release the law does not bound at all is left alone.
pub fn intend(model: &Model, law: &Law, stated: Obligations) -> (Obligations, Intentions) {
    let elements = model.elements().len();
    let stated = stated.indexed(elements);
    let mut planner = Planner {
        model,
        replacement: law.rule("version-replacement"),
        stated: &stated,
        wanted: Vec::new(),
        replaced: HashMap::new(),
        succeeded: HashSet::new(),
        intentions: Intentions::default(),
    };
    for group in &model.groups {
        planner.group(group);
    }
    for command in &model.commands {
        planner.goes_once_deprecated(command.element);
    }
    for behavior in &model.behaviors {
        planner.goes_once_deprecated(*behavior);
    }
    for gate in &model.gates {
        planner.goes_once_deprecated(gate.element);
    }
    for metric in &model.metrics {
        planner.metric(metric.element);
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
    /// Deprecations for which there is a successor, and when they are announced as far as declarations tell.
    replaced: HashMap<Event, Release>,
    /// The elements that have a successor, whoever says when they are deprecated.
    succeeded: HashSet<ElementId>,
    intentions: Intentions,
}

impl Planner<'_> {
    fn want(&mut self, principle: &'static str, event: Event, demand: Demand, because: impl Into<Cow<'static, str>>) {
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
                if successor.is_some() {
                    self.succeeded.insert(*element);
                }
                for life in 0..self.model.lives(*element) {
                    if let Some(successor) = successor {
                        self.deprecation(*element, life, successor);
                    }
                    self.removal(*element, life, successor);
                }
            }
        }
        for version in &group.versions {
            self.without_successor(version);
        }
    }

    /// Whether the edition under which a deprecation would be announced asks for a released replacement first.
    fn waits_for_replacement(&self, deprecated: Event, successor: Event) -> bool {
        let announced = expected_announcement(self.model, deprecated, Some(successor));
        let law = self.replacement.at(announced.unwrap_or(Release::NEVER));
        law.is_some_and(|law| law.until_replacement)
    }

    /// The release a deadline comes to, which counts from what is declared.
    fn due(&self, deadline: Term) -> Option<Release> {
        let anchor = match deadline.anchor {
            Anchor::Event(event) => super::fixed(self.model, event),
            Anchor::Release(release) => Some(release),
        };
        anchor.map(|anchor| deadline.worth(&self.model.calendar, anchor).release)
    }

    /// Whether the user left it open when a life is deprecated.
    fn deprecation_is_open(&self, element: ElementId, life: u8) -> bool {
        let event = Event::new(element, life, EventKind::Deprecated);
        let never = self.never(element);
        let said = self.model.find_declared(event).is_some();
        let gone = self.model.find_declared(event.sibling(EventKind::Removed)).is_some();
        let begun = self.model.find_declared(event.sibling(EventKind::Introduced)).is_some();
        begun && !never && !said && !gone
    }

    fn never(&self, element: ElementId) -> bool {
        let own = |id| {
            self.model
                .attributes(id)
                .is_some_and(|said| said.never_deprecated.is_some())
        };
        let version = self.model.element(element).parent;
        own(element) || version.is_some_and(own)
    }

    /// The deadline that the law sets to a deprecation, as a term.
    fn deadline(&self, deprecated: Event) -> Option<Term> {
        self.stated
            .on(deprecated)
            .find_map(|(_, obligation)| match &obligation.demand {
                Demand::NotAfter(term) => Some(*term),
                _ => None,
            })
    }

    fn deprecation(&mut self, element: ElementId, life: u8, successor: Event) {
        if !self.deprecation_is_open(element, life) {
            return;
        }
        let deprecated = Event::new(element, life, EventKind::Deprecated);
        let deadline = self.deadline(deprecated);
        if deadline.is_some_and(|deadline| self.comes_after(successor, deadline)) {
            self.intentions.unreplaced.push(deprecated);
        }
        // Where a replacement must have been released first, a deadline alone moves nothing.
        let deadline = deadline.filter(|_| !self.waits_for_replacement(deprecated, successor));
        let terms = std::iter::once(Term::at(successor)).chain(deadline).collect();
        let Some(demand) = Demand::not_before_any(terms) else {
            return;
        };
        let announced = expected_announcement(self.model, deprecated, Some(successor));
        self.replaced.insert(deprecated, announced.unwrap_or(Release::NEVER));
        self.once_there(deprecated);
        self.want(
            "P2",
            deprecated,
            demand,
            "a version is deprecated when a successor is there",
        );
    }

    /// Nothing is deprecated before it is there.
    fn once_there(&mut self, deprecated: Event) {
        let introduced = Term::at(deprecated.sibling(EventKind::Introduced));
        let because = "a version is deprecated when it is there";
        self.want("P2", deprecated, Demand::NotBefore(introduced), because);
    }

    /// Whether a successor begins only after a deadline.
    fn comes_after(&self, successor: Event, deadline: Term) -> bool {
        super::fixed(self.model, successor) > self.due(deadline)
    }

    fn removal(&mut self, element: ElementId, life: u8, successor: Option<Event>) {
        let removed = Event::new(element, life, EventKind::Removed);
        let deprecated = removed.sibling(EventKind::Deprecated);
        if self.model.find_declared(removed).is_some()
            || self
                .model
                .find_declared(removed.sibling(EventKind::Introduced))
                .is_none()
        {
            return;
        }
        let announced = self.model.deprecation(element, life).is_some() || self.just_opened(deprecated);
        let track = self.model.element(element).track;
        let goes = match track {
            Track::Alpha => successor.is_some(),
            Track::Beta | Track::Ga => announced && self.may_go(removed),
        };
        if !goes || !announced {
            return;
        }
        let because = match track {
            Track::Alpha => "an alpha version goes when its successor comes",
            _ => "a deprecated version goes as soon as it may",
        };
        self.want("P5", removed, Demand::NotBefore(Term::at(deprecated)), because);
        self.not_at_once(removed);
        if let Some(successor) = successor.filter(|_| track == Track::Alpha) {
            self.want("P5", removed, Demand::NotBefore(Term::at(successor)), because);
        }
    }

    /// What came in a release does not go in the same one: it would never have been there.
    fn not_at_once(&mut self, removed: Event) {
        let introduced = removed.sibling(EventKind::Introduced);
        if self.model.find_declared(introduced).is_some() {
            let window = Window::new(0, 1);
            let because = "what comes is not gone again sooner than";
            self.want(
                "P5",
                removed,
                Demand::NotBefore(Term::after(introduced, window)),
                because,
            );
        }
    }

    /// Whether this is the event opened last: a deprecation is opened just before its removal is asked for.
    fn just_opened(&self, event: Event) -> bool {
        self.intentions.open.last() == Some(&event)
    }

    /// Whether the law gives a removal a time at all, and not only the next major release.
    fn may_go(&self, removed: Event) -> bool {
        let mut lower = self
            .stated
            .on(removed)
            .flat_map(|(_, obligation)| obligation.demand.lower_terms())
            .peekable();
        lower.peek().is_some() && lower.all(|term| term.reach != Reach::NextMajor)
    }

    /// P8 and P3: of what a version serves, that without a successor is deprecated with the kinds that have one, and a
    /// beta at its deadline at the latest.
    fn without_successor(&mut self, version: &Version) {
        let deprecation = |bearer: &ElementId, life| Event::new(*bearer, life, EventKind::Deprecated);
        let lives = |bearer: &ElementId| self.model.lives(*bearer);
        let orphans: Vec<Event> = version
            .bearers()
            .iter()
            .flat_map(|bearer| (0..lives(bearer)).map(move |life| deprecation(bearer, life)))
            .filter(|own| self.deprecation_is_open(own.element, own.life) && !self.replaced.contains_key(own))
            .collect();
        if orphans.is_empty() {
            return;
        }
        let siblings: Vec<(Event, Release)> = version
            .bearers()
            .iter()
            .map(|bearer| deprecation(bearer, lives(bearer) - 1))
            // One that is declared to go without a successor speaks for itself alone.
            .filter(|event| self.succeeded.contains(&event.element))
            .filter_map(|event| {
                let announced = super::fixed(self.model, event).or(self.replaced.get(&event).copied())?;
                Some((event, announced))
            })
            .collect();
        // The version's own deprecation stands for the last of those: one node between many kinds and many.
        let whole = Event::new(version.element, 0, EventKind::Deprecated);
        for (sibling, _) in &siblings {
            let because = "a version is deprecated once the kinds that have a successor are";
            self.want("P8", whole, Demand::NotBefore(Term::at(*sibling)), because);
        }
        for own in orphans {
            let last = siblings.iter().map(|(_, announced)| *announced).max();
            self.orphan(own, last.map(|announced| (whole, announced)));
        }
    }

    /// `whole` is the deprecation of the version an orphan is in, and when that is announced.
    fn orphan(&mut self, own: Event, whole: Option<(Event, Release)>) {
        let deadline = self.deadline(own);
        if deadline.is_some() {
            self.intentions.unreplaced.push(own);
        }
        let due = deadline.and_then(|deadline| self.due(deadline));
        // Where a replacement must have been released first, a deadline alone moves nothing; a sibling's successor
        // does, because the rule speaks of versions.
        let allowed = |announced: Release| {
            let law = self.replacement.at(announced);
            !law.is_some_and(|law| law.until_replacement)
        };
        let (principle, demand, because) = match (whole, deadline) {
            (Some((whole, _)), _) => {
                let terms = std::iter::once(Term::at(whole)).chain(deadline).collect();
                let because = "a kind without a successor is deprecated with its version";
                ("P8", Demand::not_before_any(terms), because)
            }
            (None, Some(deadline)) if due.is_some_and(allowed) => {
                let because = "a beta without a successor is deprecated at its deadline";
                ("P3", Some(Demand::NotBefore(deadline)), because)
            }
            _ => return,
        };
        let Some(demand) = demand else { return };
        self.once_there(own);
        self.want(principle, own, demand, because);
        self.removal(own.element, own.life, None);
    }

    /// Flags, behaviors and gates go once they are deprecated, or what they guarded has gone GA.
    fn goes_once_deprecated(&mut self, element: ElementId) {
        for life in 0..self.model.lives(element) {
            let removed = Event::new(element, life, EventKind::Removed);
            let deprecated = removed.sibling(EventKind::Deprecated);
            let open = self.model.find_declared(removed).is_none() && super::fixed(self.model, deprecated).is_some();
            if open && self.may_go(removed) {
                let demand = Demand::NotBefore(Term::at(deprecated));
                self.want("P5", removed, demand, "what is deprecated goes as soon as it may");
                self.not_at_once(removed);
            }
        }
    }

    /// A deprecated metric is hidden, and deleted after that.
    fn metric(&mut self, element: ElementId) {
        let removed = Event::new(element, 0, EventKind::Removed);
        let (hidden, deprecated) = (
            removed.sibling(EventKind::Hidden),
            removed.sibling(EventKind::Deprecated),
        );
        if self.model.find_declared(removed).is_some() || super::fixed(self.model, deprecated).is_none() {
            return;
        }
        if self.model.find_declared(hidden).is_none() && self.may_go(hidden) {
            let demand = Demand::NotBefore(Term::at(deprecated));
            self.want(
                "P5",
                hidden,
                demand,
                "a deprecated metric is hidden as soon as it may be",
            );
        }
        if self.may_go(removed) {
            let demand = Demand::NotBefore(Term::at(deprecated));
            self.want("P5", removed, demand, "a hidden metric is deleted as soon as it may be");
            self.not_at_once(removed);
        }
    }
}
