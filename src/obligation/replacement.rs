//! What the rules demand of replacements.
//!
//! A replacement is judged in the release of the deprecation. If that is not declared, it is judged in the one for
//! which it is planned, or else in the first in which it can be: a replacement that will break the rule then is
//! reported before anything is announced.

use std::fmt;

use crate::model::{Declared, ElementId, Event, EventKind, Model, Reference};
use crate::release::Release;
use crate::stability::Track;

use super::{Demand, Obligation, Obligations, Scope};

/// The deprecation of a life, by which its replacement is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Announcement {
    /// For a declared one the event that declares it, which may be that of a version.
    pub(crate) event: Event,
    /// The release for which it is declared, or else expected.
    pub(crate) release: Release,
    pub(crate) is_declared: bool,
}

impl Announcement {
    pub(crate) fn declared(declared: &Declared) -> Self {
        Self {
            event: declared.event,
            release: declared.release,
            is_declared: true,
        }
    }

    /// That of a life: declared, or else expected in the first release in which it can be. `None` if the life has ended
    /// or is never deprecated.
    pub(crate) fn of(model: &Model, deprecated: Event) -> Option<Self> {
        let declared = model.deprecation(deprecated.element, deprecated.life);
        declared
            .map(Self::declared)
            .or_else(|| Self::expected(model, deprecated, None))
    }

    /// That of a life whose deprecation is not declared, in the release for which it is planned, or else the first in
    /// which it can be. Where a gate makes it an alpha by its removal, which needs no deprecation, that announces it.
    pub(crate) fn expected(model: &Model, deprecated: Event, planned: Option<Release>) -> Option<Self> {
        let removed = deprecated.sibling(EventKind::Removed);
        let end = model.declared_release(removed);
        let has_ended = end.is_some_and(|end| end < model.calendar.next());
        let is_last = removed == model.last_event(removed.element, EventKind::Removed);
        let is_open = is_last && !has_ended && model.keeps(deprecated.element).is_none();
        let first = model.first_announcement(removed);
        let [then, last] = [first, end.unwrap_or(first)].map(|at| model.track_at(removed.element, at));
        let alone = end.filter(|_| last == Track::Alpha && then != last);
        is_open.then(|| Self {
            event: deprecated,
            release: planned.or(alone).unwrap_or(first),
            is_declared: false,
        })
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

impl Scope<'_> {
    /// A demand on the replacement that an announcement names, or will name.
    pub(crate) fn of_replacement(
        &self,
        code: &'static str,
        announcement: Announcement,
        is_met: bool,
        because: &'static str,
    ) -> Obligation {
        let obligation = self.obligation(code, announcement.event, Demand::Requires(is_met), because);
        if announcement.is_declared {
            obligation
        } else {
            obligation.expected_in(announcement.release)
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

    /// Adds: the replacement of an element exists and is at least as stable.
    pub(crate) fn replacement_as_stable(&self, out: &mut Obligations, element: ElementId, because: &'static str) {
        let model = self.model;
        let own = model.attributes(element);
        let Some(replacement) = own.and_then(|own| own.replacement.as_ref()) else {
            return;
        };
        for life in 0..model.lives(element) {
            let deprecated = Event::new(element, life, EventKind::Deprecated);
            if let Some(announcement) = Announcement::of(model, deprecated) {
                self.is_replaced(out, (announcement, element), replacement, because);
            }
        }
    }

    fn is_replaced(
        &self,
        out: &mut Obligations,
        (announcement, element): (Announcement, ElementId),
        replacement: &Reference,
        because: &'static str,
    ) {
        if replacement.is_external {
            out.extend(self.replaced_from_outside(announcement, replacement));
            return;
        }
        let id = self.model.id(element);
        let Some(target) = replacement.target else {
            let message = format!(
                "the replacement of {id}, `{}`, is not declared in this model",
                replacement.text
            );
            let unknown = self.of_replacement("unknown", announcement, false, because);
            let help = "declare the replacement, or correct its name";
            out.push(unknown.message(message).place(replacement.span).help(help));
            return;
        };
        let [own, other] = self.stabilities(element, target, announcement.release);
        let stable = self.of_replacement("less-stable", announcement, other.track >= own.track, because);
        let help = format!("name a replacement that is at least {}", own.track);
        let message = self.less_stable(announcement, (element, own), (target, other));
        out.push(stable.message(message).place(replacement.span).help(help));
    }

    /// The message about a replacement that is less stable.
    pub(crate) fn less_stable(
        &self,
        announcement: Announcement,
        (element, own): (ElementId, impl fmt::Display),
        (target, other): (ElementId, impl fmt::Display),
    ) -> String {
        let names = if announcement.is_declared {
            "is deprecated in favor of"
        } else {
            "will be deprecated in favor of"
        };
        let [id, target] = [element, target].map(|element| self.model.id(element));
        format!("{id} ({own}) {names} {target} ({other}), which is less stable")
    }

    /// A note on a declared deprecation: what replaces the element is not under the control of the project, so nothing
    /// is demanded of it.
    pub(crate) fn replaced_from_outside(
        &self,
        announcement: Announcement,
        replacement: &Reference,
    ) -> Option<Obligation> {
        let because = "a replacement outside of the project is not judged";
        let external = self.obligation("external", announcement.event, Demand::Requires(false), because);
        let id = self.model.id(announcement.event.element);
        let message = format!(
            "{id} is deprecated in favor of {}, which this project does not control",
            replacement.text
        );
        let help = "say in the release notes from which version on it can be used";
        let external = external.message(message).place(replacement.span).help(help);
        announcement.is_declared.then_some(external)
    }
}
