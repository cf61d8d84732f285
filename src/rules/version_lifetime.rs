#![doc = include_str!("version-lifetime.md")]

mod extended;

use std::collections::HashMap;

use crate::model::succession::{Succession, expected_announcement, is_superseded_as_a_whole};
use crate::model::{ElementId, Event, EventKind, Group};
use crate::obligation::{Anchor, Demand, End, Obligation, Obligations, Reach, Scope, Term};
use crate::policy::{Class, Key, RuleKeys, RuleLaw};
use crate::release::{KindSet, Release};
use crate::stability::Track;

use super::Rule;
use super::version_replacement::expected_without_successor;

use extended::extended;

const LIFE: &[Key] = &[
    Key::DeprecateWithin,
    Key::AfterDeprecation,
    Key::RemoveWithin,
    Key::Prefer,
    Key::Deprecate,
    Key::Steps,
    Key::AfterSteps,
    Key::Remove,
    Key::ActionRequired,
    Key::CustomEmulation,
];

pub(super) const RULE: Rule = Rule {
    slug: "version-lifetime",
    page: include_str!("version-lifetime.md"),
    codes: &[
        "early",
        "not-deprecated-in-time",
        "overdue",
        "unplanned-beta",
        "enters-deprecated",
        "wrong-release",
        "step-missing",
        "sooner-than-preferred",
        "custom",
    ],
    keys: RuleKeys::of(&[(Class::Alpha, LIFE), (Class::Beta, LIFE), (Class::Ga, LIFE)]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in scope.model.judged_groups() {
        let successions = Succession::of(scope.model, group);
        let announced = if scope.law.is_one() && scope.model.judged_gates().all(|gate| gate.guards.is_empty()) {
            HashMap::new()
        } else {
            expected(scope, group, &successions)
        };
        for element in successions.iter().flat_map(|succession| &succession.line) {
            for life in 0..scope.model.lives(*element) {
                let deprecated = Event::new(*element, life, EventKind::Deprecated);
                deprecation_in_time(scope, out, deprecated);
                let expected = announced.get(element).copied();
                if let Some(law) = law_of_end(scope, deprecated, expected) {
                    let track = scope.model.track_at_end(deprecated, expected);
                    removal(scope, out, law, deprecated, track);
                    waits_for_lower_track(scope, out, deprecated, track);
                    emulation(scope, out, deprecated, track);
                }
            }
        }
        extended(scope, out, group);
        enters_deprecated(scope, out, group);
    }
}

/// The lifetimes of versions whose deprecation is planned for a release in which a gate makes them more stable than in
/// the one where it was expected.
pub(super) fn as_planned(scope: &Scope<'_>, releases: &dyn Fn(Event) -> Option<Release>) -> Vec<Obligation> {
    let model = scope.model;
    let mut out = Obligations::default();
    if model.judged_gates().all(|gate| gate.guards.is_empty()) {
        return Vec::new();
    }
    for group in model.judged_groups() {
        let successions = Succession::of(model, group);
        let announced = expected(scope, group, &successions);
        for element in successions.iter().flat_map(|succession| &succession.line) {
            let deprecated = model.last_event(*element, EventKind::Deprecated);
            let is_open = model.deprecation(*element, deprecated.life).is_none()
                && model.find_declared(deprecated.sibling(EventKind::Removed)).is_none();
            let Some(planned) = releases(deprecated).filter(|_| is_open) else {
                continue;
            };
            let track = model.track_at(*element, planned);
            let is_higher = track > model.track_at_end(deprecated, announced.get(element).copied());
            if let Some(law) = scope.law.at(planned).filter(|_| is_higher) {
                removal(scope, &mut out, law, deprecated, track);
            }
        }
    }
    out.into_list()
}

/// When undeclared deprecations are expected: with the introduction of the successor; without one, with the version
/// that is superseded as a whole, or at the deadline. The release matters if editions differ, or gates guard versions.
fn expected(scope: &Scope<'_>, group: &Group, successions: &[Succession]) -> HashMap<ElementId, Release> {
    let model = scope.model;
    let mut expected = HashMap::new();
    let ends_whole = group
        .versions
        .iter()
        .filter(|version| is_superseded_as_a_whole(model, group, version));
    let ends_whole: Vec<ElementId> = ends_whole.map(|version| version.element).collect();
    let mut with_version: HashMap<ElementId, Release> = HashMap::new();
    let mut orphans = Vec::new();
    for succession in successions {
        for (at, element) in succession.line.iter().enumerate() {
            let deprecated = model.last_event(*element, EventKind::Deprecated);
            let Some(successor) = succession.first_successor(model, at) else {
                orphans.push(deprecated);
                continue;
            };
            let declared = model.deprecation(*element, deprecated.life);
            let announced = declared.map(|declared| declared.release);
            let announced = announced.or_else(|| expected_announcement(model, deprecated, Some(successor.since)));
            if let Some(announced) = announced {
                expected.insert(*element, announced);
                let version = model.element(*element).parent;
                let version = version.filter(|version| succession.is_taken_over(at) && ends_whole.contains(version));
                if let Some(version) = version {
                    let last = with_version.entry(version).or_insert(announced);
                    *last = announced.max(*last);
                }
            }
        }
    }
    for deprecated in orphans {
        let element = model.element(deprecated.element);
        let version = element.parent.filter(|_| element.kind.is_kind());
        let whole = version.and_then(|version| with_version.get(&version));
        // What has shipped without the deprecation stays so.
        let due = deadline(scope, deprecated).map(|(_, due)| due.max(model.calendar.next()));
        let announced = match (whole, due) {
            (Some(whole), Some(due)) => Some(due.min(*whole)),
            (whole, due) => whole
                .copied()
                .or(due)
                .or_else(|| expected_without_successor(scope, deprecated)),
        };
        expected.extend(announced.map(|announced| (deprecated.element, announced)));
    }
    expected
}

/// The rule in the edition under which the end of a life is announced.
fn law_of_end<'s>(scope: &Scope<'s>, deprecated: Event, expected: Option<Release>) -> Option<&'s RuleLaw> {
    let model = scope.model;
    let removed = model.find_declared(deprecated.sibling(EventKind::Removed));
    let declared = model.deprecation(deprecated.element, deprecated.life).or(removed);
    let announced = declared.map(|declared| declared.release).or(expected);
    scope.law.at(announced.unwrap_or(Release::NEVER))
}

/// From when, and how long, a life may stay undeprecated, and the release of that deadline.
///
/// The window counts from its introduction as a beta, or from the first edition with a deadline. A gate that guards it
/// makes an alpha a beta, which starts the clock, or a beta GA before the deadline, which stops it.
fn deadline(scope: &Scope<'_>, deprecated: Event) -> Option<(Term, Release)> {
    let tracks = scope.model.tracks_of(deprecated.sibling(EventKind::Introduced));
    let ends = tracks.iter().skip(1).map(|(end, ..)| *end).chain([Release::NEVER]);
    tracks.iter().zip(ends).find_map(|((begin, event, track), end)| {
        let (from, period) = scope.law.since(*begin).find_map(|(from, law)| {
            let period = law.period((*track).into(), Key::DeprecateWithin)?;
            Some((from, period))
        })?;
        let anchor = if from == *begin {
            Anchor::Event(*event)
        } else {
            Anchor::Release(from)
        };
        let terms = period.on(&scope.model.calendar).map(|window| Term {
            anchor,
            reach: Reach::Within(window),
            only_in: KindSet::default(),
        });
        let dues = terms.map(|term| (term, term.worth(&scope.model.calendar, from).release));
        let (term, due) = dues.min_by_key(|(_, due)| *due)?;
        (due < end).then_some((term, due))
    })
}

/// An unannounced version is judged by the track that a later gate gives it only from the release in which that gate
/// guards it.
fn waits_for_lower_track(scope: &Scope<'_>, out: &mut Obligations, deprecated: Event, track: Track) {
    let model = scope.model;
    let removed = deprecated.sibling(EventKind::Removed);
    if model.deprecation(deprecated.element, deprecated.life).is_some() || model.find_declared(removed).is_some() {
        return;
    }
    let tracks = model.tracks_of(deprecated.sibling(EventKind::Introduced));
    let lowered = tracks.windows(2).filter(|pair| pair[1].2 == track && pair[0].2 > track);
    if let Some((since, entry, _)) = lowered.map(|pair| pair[1]).next_back()
        && since > model.calendar.next()
    {
        let because = "the promises of its own stage hold until a gate guards it";
        scope.not_before(out, "early", removed, Term::at(entry), because);
    }
}

/// "Deprecated no more than 9 months or 3 releases after introduction, whichever is longer."
///
/// Under a later edition the window counts from the first release of that edition.
fn deprecation_in_time(scope: &Scope<'_>, out: &mut Obligations, deprecated: Event) {
    let model = scope.model;
    let removed = model.find_declared(deprecated.sibling(EventKind::Removed));
    let has_ended = removed.is_some_and(|removed| removed.release < model.calendar.next());
    if has_ended && model.deprecation(deprecated.element, deprecated.life).is_none() {
        return;
    }
    let Some((term, _)) = deadline(scope, deprecated) else {
        return;
    };
    let from = match term.anchor {
        Anchor::Event(event) => model.declared_release(event),
        Anchor::Release(release) => Some(release),
    };
    if removed.is_some_and(|removed| Some(removed.release) <= from) {
        return;
    }
    let because = "a beta version is deprecated";
    out.push(scope.obligation("not-deprecated-in-time", deprecated, Demand::NotAfter(term), because));
}

/// A kind that enters a version after the deprecation of the version is deprecated from its start, which is legal.
fn enters_deprecated(scope: &Scope<'_>, out: &mut Obligations, group: &Group) {
    let model = scope.model;
    for kind in group.versions.iter().flat_map(|version| &version.kinds) {
        let own = model.declared_of(*kind).iter();
        for introduced in own.filter(|declared| declared.event.what == EventKind::Introduced) {
            let start = model.find_declared(introduced.event.sibling(EventKind::Deprecated));
            let from_start = start.is_some_and(|start| start.release == introduced.release);
            let Some(before) = model.deprecated_before(introduced).filter(|_| from_start) else {
                continue;
            };
            let because = "a kind that enters a deprecated version is deprecated from its start";
            let [begin, since] = [introduced, before].map(|declared| model.calendar.name(declared.release));
            let (id, version) = (model.id(*kind), model.id(before.event.element));
            let message = format!("{id} is introduced in {begin}, but {version} is deprecated since {since}");
            let enters = scope.obligation("enters-deprecated", introduced.event, Demand::Requires(false), because);
            let enters = enters.message(message).related(before.span, "deprecated here");
            out.push(enters.help_unless_shipped("introduce it in a version that is not deprecated"));
        }
    }
}

/// By custom, the code of a version stays for some releases after its removal, which the product can still emulate. The
/// edition is that of the release whose code lacks it.
fn emulation(scope: &Scope<'_>, out: &mut Obligations, deprecated: Event, track: Track) {
    let [removed, dropped] = [EventKind::Removed, EventKind::Dropped].map(|what| deprecated.sibling(what));
    let law = scope.law_at(scope.model.find_declared(dropped));
    if let Some(window) = law.and_then(|law| law.window(Class::from(track), Key::CustomEmulation)) {
        let because = "by custom, a removed version can be emulated";
        scope.not_before(out, "custom", dropped, Term::after(removed, window), because);
    }
}

fn removal(scope: &Scope<'_>, out: &mut Obligations, law: &RuleLaw, deprecated: Event, track: Track) {
    let end = End {
        law,
        class: Class::from(track),
        removed: deprecated.sibling(EventKind::Removed),
        announced: scope.announcement(deprecated.element, deprecated.life),
        because: match track {
            Track::Alpha => "an alpha version stays served",
            Track::Beta => "a beta version stays served",
            Track::Ga => "a GA version stays served",
        },
        of_kind: None,
    };
    scope.stays(out, &end);
    let due = match track {
        Track::Beta => "a beta version is removed when its window ends",
        _ => "a deprecated version is removed when its window ends",
    };
    scope.is_due(out, &end, due);
    scope.waits_for_major(out, &end, "a GA version is removed only in a later major release");
    scope.in_kinds(out, &end);
    scope.steps(out, &end);
    scope.prefers(out, &end);
}
