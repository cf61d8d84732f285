//! How long an API version lives, by its stability.
//!
#![doc = include_str!("version-lifetime.md")]

use crate::model::{ElementId, Event, Happening};
use crate::obligation::{Anchor, Demand, Obligations, Reach, Scope, Term};
use crate::policy::Class;
use crate::release::Release;
use crate::stability::Track;

use super::{Rule, Succession, expected_announcement};

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "version-lifetime",
    title: "How long an API version lives depends on its stability.",
    page: include_str!("version-lifetime.md"),
    codes: &["early", "not-deprecated-in-time", "overdue", "unplanned-beta"],
    exemptions: &[],
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in &scope.model.groups {
        for succession in Succession::of(scope.model, group) {
            for (at, element) in succession.line.iter().enumerate() {
                let track = scope.model.element(*element).track;
                for life in 0..scope.model.lives(*element) {
                    deprecation_in_time(scope, out, *element, life, track);
                    let deprecated = Event::new(*element, life, Happening::Deprecated);
                    let successor = || succession.first_successor(scope.model, at);
                    if let Some(class) = class_of_end(scope, deprecated, successor, track) {
                        removal(scope, out, class, deprecated, track);
                    }
                }
            }
        }
    }
}

/// What the edition says under which the end of a life was announced, or is going to be.
fn class_of_end<'s>(
    scope: &Scope<'s>,
    deprecated: Event,
    successor: impl FnOnce() -> Option<Event>,
    track: Track,
) -> Option<&'s Class> {
    let model = scope.model;
    let removed = || model.find_declared(deprecated.sibling(Happening::Removed));
    let declared = model.deprecation(deprecated.element, deprecated.life).or_else(removed);
    let announced = match declared {
        Some(declared) => Some(declared.release),
        None if scope.law.is_one() => None,
        None => expected_announcement(model, deprecated, successor()),
    };
    scope.law.at(announced.unwrap_or(Release::NEVER))?.class(track.as_str())
}

/// "Deprecated no more than 9 months or 3 releases after introduction, whichever is longer."
///
/// Under an edition that came later the clock starts when the edition did.
fn deprecation_in_time(scope: &Scope<'_>, out: &mut Obligations, element: ElementId, life: u8, track: Track) {
    let deprecated = Event::new(element, life, Happening::Deprecated);
    let introduced = deprecated.sibling(Happening::Introduced);
    let removed = scope.model.find_declared(deprecated.sibling(Happening::Removed));
    let Some(beginning) = scope.model.find_declared(introduced) else {
        return;
    };
    if removed.is_some() && scope.model.deprecation(element, life).is_none() {
        return;
    }
    let clock = scope.law.since(beginning.release).find_map(|(from, law)| {
        let window = law.class(track.as_str())?.deprecate_within?;
        Some((from, window))
    });
    let Some((from, window)) = clock else { return };
    if removed.is_some_and(|removed| removed.release <= from) {
        return;
    }
    let anchor = if from == beginning.release {
        Anchor::Event(introduced)
    } else {
        Anchor::Release(from)
    };
    let term = Term {
        anchor,
        reach: Reach::Within(window),
    };
    let because = "a beta version is deprecated in time";
    out.push(scope.obligation("not-deprecated-in-time", deprecated, Demand::NotAfter(term), because));
}

fn removal(scope: &Scope<'_>, out: &mut Obligations, class: &Class, deprecated: Event, track: Track) {
    let (element, life) = (deprecated.element, deprecated.life);
    let removed = deprecated.sibling(Happening::Removed);
    let announced = scope.announcement(element, life);
    if let Some(window) = class.after_deprecation {
        let because = match track {
            Track::Alpha => "an alpha version may go in any release",
            Track::Beta => "a beta version stays served",
            Track::Ga => "a GA version stays served",
        };
        let demand = Demand::NotBefore(Term::after(announced, window));
        out.push(scope.obligation("early", removed, demand, because));
    }
    if let Some(window) = class.remove_within {
        let because = "a beta version is not served longer than it must be";
        let demand = Demand::NotAfter(Term::after(announced, window));
        out.push(scope.obligation("overdue", removed, demand, because));
    }
    if class.next_major {
        let from = match scope.model.deprecation(element, life) {
            Some(_) => deprecated,
            None => removed.sibling(Happening::Introduced),
        };
        let term = Term {
            anchor: Anchor::Event(from),
            reach: Reach::NextMajor,
        };
        let because = "a GA version is not removed within a major release";
        out.push(scope.obligation("early", removed, Demand::NotBefore(term), because));
    }
}
