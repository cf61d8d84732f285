//! The next step for an end without a deprecation: to announce it, and to move it behind that.

use crate::derivation::Judgement;
use crate::diagnostic::Change;
use crate::document::quoted;
use crate::model::{Declared, ElementId, Event, EventKind};
use crate::release::Release;

use super::next_step::key_of;
use super::{Checker, NextStep};

impl Checker<'_> {
    /// The next step for an end without a deprecation.
    pub(super) fn announced_first(&self, declared: &Declared) -> NextStep {
        let calendar = &self.model().calendar;
        let ends = self.sharing(declared);
        let replaced = ends.iter().filter_map(|end| self.reasoning.replaced(end.element)).max();
        let is_forbidden = ends
            .iter()
            .any(|end| self.reasoning.is_forbidden(end.sibling(EventKind::Deprecated)));
        let (deprecated, soonest) = self.soonest_announced(declared, &ends);
        let what = declared.event.what;
        if soonest.is_never() || is_forbidden {
            return (self.until("it may be deprecated", declared), Vec::new());
        }
        let moves = match self.moves(declared, soonest) {
            Ok(moves) => moves,
            Err(joined) => return (joined, Vec::new()),
        };
        if ends.iter().any(|end| self.is_judged_otherwise(*end, deprecated)) {
            return (self.asked(declared, deprecated), Vec::new());
        }
        let end = calendar.name(soonest);
        let others = self.in_words(declared, &moves);
        let moved = match what {
            // It may stay where it is.
            _ if soonest == declared.release => String::new(),
            EventKind::Removed => format!(", and move the removal to {end}"),
            _ => format!(
                ", and move it to {end}: {} = {}",
                key_of(self.model(), what),
                quoted(&end)
            ),
        };
        let step = format!("{}{moved}{others}", self.announced_in(declared, deprecated));
        let own = self.model().declared_of(declared.event.element);
        let introduced = declared.event.sibling(EventKind::Introduced);
        let introduced = own.iter().find(|other| other.event == introduced);
        let addition = Change::Add {
            beside: introduced.unwrap_or(declared).span,
            key: "deprecated",
            value: quoted(&calendar.name(deprecated)),
        };
        let moved = moves.values().map(|(declared, release)| self.moved(declared, *release));
        let moved: Option<Vec<Change>> = moved.collect();
        let is_plain = !self.was_deprecated(declared) && self.deprecated_apart(declared).is_empty();
        let fix = moved.filter(|_| replaced.is_some() && is_plain);
        (
            step,
            fix.map_or_else(Vec::new, |moved| [vec![addition], moved].concat()),
        )
    }

    /// The release in which ends that are declared together can be announced, and the first that this permits for all
    /// of them.
    fn soonest_announced(&self, declared: &Declared, ends: &[Event]) -> (Release, Release) {
        let announced = ends.iter().filter_map(|end| self.reasoning.expected_announcement(*end));
        let deprecated = announced.max().unwrap_or(self.model().calendar.next());
        let bounds = ends.iter().map(|end| self.reasoning.lower_if(*end, *end, deprecated));
        let soonest = bounds.fold(declared.release, Release::max);
        let replanned = ends.iter().filter_map(|end| self.reasoning.replanned_end(*end));
        // What is planned again may wait for more than its own window.
        match replanned.max_by_key(|end| end.release) {
            Some(later) if later.release > soonest => {
                let supposed = later.supposed.map_or(deprecated, |supposed| supposed.release);
                (supposed.max(deprecated), later.release)
            }
            _ => (deprecated, soonest),
        }
    }

    /// Whether an end that a deprecation announces is judged by another edition, or as that of another class, than the
    /// same end without one: its bounds then say nothing about it.
    pub(super) fn is_judged_otherwise(&self, end: Event, deprecated: Release) -> bool {
        let model = self.model();
        let Some(declared) = model.declared_release(end) else {
            return false;
        };
        let without = Judgement::unannounced(self.law, model, end.element, declared);
        without != Judgement::announced(self.law, model, end.element, deprecated)
    }

    /// The next step for an end whose first release the deprecation decides.
    fn asked(&self, declared: &Declared, deprecated: Release) -> String {
        let (model, calendar) = (self.model(), &self.model().calendar);
        let (id, end) = (model.id(declared.event.element), calendar.name(declared.release));
        let asked = model.command_line(&format!("check --remove \"{id}@{end}\""));
        let announced = self.announced_in(declared, deprecated);
        match declared.event.what {
            EventKind::Removed => format!("{announced}, and the release that `{asked}` names"),
            what => {
                let (key, check) = (key_of(model, what), model.command_line("check"));
                format!("{announced}, and `{key}` in the release that `{check}` names then")
            }
        }
    }

    /// How to declare the deprecation of an end. Kinds that withdrew one of their own do not have that of their
    /// version.
    fn announced_in(&self, end: &Declared, release: Release) -> String {
        let release = quoted(&self.model().calendar.name(release));
        let own = if self.was_deprecated(end) {
            format!("add {release} to `deprecated`")
        } else {
            format!("declare `deprecated = {release}`")
        };
        let apart = self.deprecated_apart(end);
        if apart.is_empty() {
            return own;
        }
        let ids: Vec<&str> = apart.iter().map(|kind| self.model().id(*kind)).collect();
        let of_kinds = format!("add {release} to `deprecated` of {}", ids.join(", "));
        let shared = self.sharing(end).into_iter().map(|event| event.element);
        let mut others = shared.filter(|part| *part != end.event.element && !apart.contains(part));
        match others.next() {
            Some(_) => format!("{own}, {of_kinds}"),
            None => of_kinds,
        }
    }

    /// The kinds that take an end from their version, and have withdrawn deprecations of their own.
    fn deprecated_apart(&self, end: &Declared) -> Vec<ElementId> {
        let kinds = self.sharing(end).into_iter().map(|event| event.element);
        let apart = kinds.filter(|kind| *kind != end.event.element);
        let apart = apart.filter(|kind| {
            let deprecated = self.model().last_event(*kind, EventKind::Deprecated);
            let own = self.model().find_declared(deprecated);
            let is_withdrawn = self.model().in_force(deprecated).is_none();
            is_withdrawn && own.is_some_and(|own| own.event.element == *kind)
        });
        apart.collect()
    }

    /// Whether a life was deprecated before, which was withdrawn.
    fn was_deprecated(&self, end: &Declared) -> bool {
        let deprecated = end.event.sibling(EventKind::Deprecated);
        self.model().find_declared(deprecated).is_some()
    }
}
