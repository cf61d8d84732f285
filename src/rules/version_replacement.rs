#![doc = include_str!("version-replacement.md")]

mod chain;
mod lost;
mod outlives;
mod successors;

use crate::model::succession::{Succession, expected_announcement, named, naming};
use crate::model::{ElementId, Event, EventKind, Model, Reference, Version};
use crate::obligation::{Announcement, Demand, Obligation, Obligations, Scope, Term};
use crate::policy::RuleKeys;
use crate::release::Release;
use crate::stability::Track;

use super::Rule;

use chain::{chain, cycles, next_link};
use lost::{lost, no_kind};
pub(super) use outlives::last_links;
use outlives::outlives;
use successors::Successors;

pub(super) const RULE: Rule = Rule {
    slug: "version-replacement",
    page: include_str!("version-replacement.md"),
    codes: &[
        "less-stable",
        "unknown",
        "cycle",
        "deprecated-before",
        "gone-first",
        "comes-later",
        "no-replacement",
        "external",
        "before-replacement",
    ],
    keys: RuleKeys {
        until_replacement: true,
        ..RuleKeys::NONE
    },
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in scope.model.judged_groups() {
        let mut successors = Successors::default();
        for succession in Succession::of(scope.model, group) {
            for (at, element) in succession.line.iter().enumerate() {
                for life in 0..scope.model.lives(*element) {
                    let deprecated = Event::new(*element, life, EventKind::Deprecated);
                    judge(scope, out, &mut successors, (&succession, at), deprecated);
                }
            }
        }
        successors.state(scope, out, group);
    }
    cycles(scope, out);
}

fn judge<'m>(
    scope: &Scope<'m>,
    out: &mut Obligations,
    successors: &mut Successors<'m>,
    (succession, at): (&Succession, usize),
    deprecated: Event,
) {
    let model = scope.model;
    let successor = succession.first_successor(model, at);
    let successor = successor.map(|successor| successor.since);
    let declared = model.deprecation(deprecated.element, deprecated.life);
    let announced = declared.map(|declared| declared.release);
    if let Some(waits) = waits(scope, deprecated, announced) {
        // The rule is about versions: the successor of the version counts also for kinds that it does not serve.
        let released = successor.or_else(|| version_released(model, deprecated.element));
        until_replacement(scope, out, (released, waits), deprecated);
    }
    if scope.law.at(announced.unwrap_or(Release::NEVER)).is_none() {
        return;
    }
    let Some(declared) = declared else { return };
    let announcement = Announcement::declared(declared);
    let there = succession.successor_at(model, at, announcement.release).is_some();
    let Some(reference) = named(model, deprecated.element) else {
        successors.add(declared, deprecated.element, there);
        return;
    };
    judge_named(scope, out, (announcement, deprecated), reference, there);
}

/// What the rule says about replacements of versions whose deprecations are not declared, in a model with these
/// releases.
pub(super) fn expected(scope: &Scope<'_>, releases: &dyn Fn(Event) -> Option<Release>) -> Vec<Obligation> {
    let model = scope.model;
    let mut out = Obligations::default();
    let versions = model.judged_groups().flat_map(|group| &group.versions);
    for element in versions.flat_map(Version::served) {
        let Some(reference) = named(model, *element) else {
            continue;
        };
        let deprecated = model.last_event(*element, EventKind::Deprecated);
        let is_declared = model.deprecation(*element, deprecated.life).is_some();
        let announcement = Announcement::expected(model, deprecated, releases(deprecated));
        if let Some(announcement) = announcement.filter(|_| !is_declared) {
            judge_named(scope, &mut out, (announcement, deprecated), reference, true);
        }
    }
    out.into_list()
}

fn judge_named(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, deprecated): (Announcement, Event),
    reference: &Reference,
    there: bool,
) {
    match next_link(scope.model, deprecated.element) {
        None if reference.is_external => out.extend(scope.replaced_from_outside(announcement, reference)),
        None => lost(scope, out, (announcement, deprecated.element), reference, there),
        Some(target) if target == announcement.event.element => {}
        Some(target) if !is_versioned(scope.model, target) => {
            no_kind(scope, out, (announcement, deprecated.element), reference, target);
        }
        Some(target) => judge_target(scope, out, (announcement, deprecated), reference, target),
    }
}

/// Whether an element is a version or a kind, and no part of one.
fn is_versioned(model: &Model, element: ElementId) -> bool {
    let kind = model.element(element).kind;
    kind.is_version() || kind.is_kind()
}

/// The first introduction in any higher version of a kind's group that is at least as stable.
fn version_released(model: &Model, element: ElementId) -> Option<Event> {
    let version = model.element(element).parent?;
    let group = model.group_of(element)?;
    let track = model.track_at(element, Release::NEVER);
    let higher = group.versions.iter().take_while(|other| other.element != version);
    higher
        .flat_map(Version::served)
        .filter_map(|part| model.stable_since(Event::new(*part, 0, EventKind::Introduced), track))
        .min()
        .map(|(_, event)| event)
}

/// How long a deprecation has to wait for a successor.
#[derive(Clone, Copy)]
enum Waits {
    /// Until the first release of an edition that does not ask for one.
    Until(Release),
    Forever,
}

/// How long a deprecation waits for a successor: under the editions from the first possible release on, or from that of
/// its own release on. What has shipped is judged by the edition of its release alone. `None` if it need not wait.
fn waits(scope: &Scope<'_>, deprecated: Event, announced: Option<Release>) -> Option<Waits> {
    if let Some(shipped) = announced.filter(|release| *release < scope.model.calendar.next()) {
        return asks(scope, shipped).then_some(Waits::Forever);
    }
    let first = expected_announcement(scope.model, deprecated, None).unwrap_or(Release::NEVER);
    let from = announced.filter(|release| asks(scope, *release)).unwrap_or(first);
    if !asks(scope, from) {
        return None;
    }
    let mut later = scope.law.begins().filter(|begin| *begin > from);
    Some(
        later
            .find(|begin| !asks(scope, *begin))
            .map_or(Waits::Forever, Waits::Until),
    )
}

/// When the undeclared deprecation of a life without a successor of its own is expected: once it may be announced.
pub(super) fn expected_without_successor(scope: &Scope<'_>, deprecated: Event) -> Option<Release> {
    let scope = scope.of_rule(RULE.slug);
    let first = expected_announcement(scope.model, deprecated, None)?;
    let until = match waits(&scope, deprecated, None) {
        Some(Waits::Until(release)) => Some(release),
        Some(Waits::Forever) => None,
        None => return Some(first),
    };
    let released = version_released(scope.model, deprecated.element);
    let released = released.and_then(|introduced| scope.model.declared_release(introduced));
    let released = released.map(|released| released.max(first));
    Some(released.into_iter().chain(until).min().unwrap_or(first))
}

/// Whether the edition of a release asks for a successor.
fn asks(scope: &Scope<'_>, release: Release) -> bool {
    scope.law.at(release).is_some_and(|law| law.until_replacement)
}

/// The rule as of 2019: no deprecation until a version at least as stable has been released.
fn until_replacement(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (successor, waits): (Option<Event>, Waits),
    deprecated: Event,
) {
    let because = "nothing is deprecated until a version at least as stable is released";
    let later = match waits {
        Waits::Until(release) => Some(Term::from(release)),
        Waits::Forever => None,
    };
    let terms = successor.map(Term::at).into_iter().chain(later).collect();
    out.push(match Demand::not_before_any(terms) {
        Some(demand) => scope.obligation("before-replacement", deprecated, demand, because),
        None => {
            let id = scope.model.id(deprecated.element);
            scope
                .obligation("before-replacement", deprecated, Demand::Forbidden, because)
                .message(format!(
                    "{id} is deprecated, but no version at least as stable has been released"
                ))
                .help_unless_shipped("release the replacement first, then deprecate it")
        }
    });
}

/// What an announcement is about: what its entry declares, or will declare beside the replacement.
fn subject(model: &Model, announcement: Announcement) -> ElementId {
    if announcement.is_declared {
        announcement.event.element
    } else {
        naming(model, announcement.event.element)
    }
}

fn judge_target(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, deprecated): (Announcement, Event),
    reference: &Reference,
    target: ElementId,
) {
    let model = scope.model;
    let element = subject(model, announcement);
    let [from, to] = scope.stabilities(deprecated.element, target, announcement.release);
    let because = "nothing is deprecated in favor of something less stable";
    let message = scope.less_stable(announcement, (element, from), (target, to));
    let stable = scope.of_replacement("less-stable", announcement, to.track >= from.track, because);
    let help = match from.track {
        Track::Ga => "name a GA replacement".to_owned(),
        least => format!("name a replacement that is {least} or more stable"),
    };
    out.push(stable.message(message).place(reference.span).help(help));

    let chain = chain(model, announcement.event.element, target);
    deprecated_before(scope, out, announcement, reference, &chain);
    if !announcement.is_declared {
        return;
    }
    later(scope, out, announcement, reference, target);
    if let Some(gone_first) = outlives(scope, deprecated, reference, &chain) {
        out.push(gone_first);
    }
}

/// A replacement that is introduced after the deprecation, which is legal.
fn later(
    scope: &Scope<'_>,
    out: &mut Obligations,
    announcement: Announcement,
    reference: &Reference,
    target: ElementId,
) {
    let model = scope.model;
    let Some(begin) = model.declared(target, EventKind::Introduced) else {
        return;
    };
    let because = "the replacement must exist when the deprecation is announced";
    let message = format!(
        "{} is deprecated in {}, but its replacement {} is introduced only in {}",
        model.id(announcement.event.element),
        model.calendar.name(announcement.release),
        model.id(target),
        model.calendar.name(begin.release)
    );
    let is_there = begin.release <= announcement.release;
    let later = scope.of_replacement("comes-later", announcement, is_there, because);
    let later = later.message(message).place(reference.span);
    let help = "deprecate it later, or name in the release notes what to use until then";
    out.push(later.related(begin.span, "introduced here").help_unless_shipped(help));
}

/// States that at least one link of the chain is not deprecated before the element.
fn deprecated_before(
    scope: &Scope<'_>,
    out: &mut Obligations,
    announcement: Announcement,
    reference: &Reference,
    chain: &[ElementId],
) {
    let model = scope.model;
    let Some((last, links)) = chain.split_last() else {
        return;
    };
    let before = chain.iter().take_while(|link| {
        let since = model.deprecated_since(**link);
        since.is_some_and(|since| since < announcement.release)
    });
    let before = before.count();
    let because = "the replacement of a version is not deprecated before it";
    if announcement.is_declared && before == links.len() {
        let parts = model.served_by(*last).into_iter();
        let events = parts.map(|part| model.last_event(part, EventKind::Deprecated));
        for open in events.filter(|event| model.deprecation(event.element, event.life).is_none()) {
            scope.not_before(out, "deprecated-before", open, Term::at(announcement.event), because);
        }
    }
    if before == chain.len() {
        let (id, end) = (model.id(subject(model, announcement)), model.id(*last));
        let [names, was] = if announcement.is_declared {
            ["is", "was"]
        } else {
            ["will be", "is"]
        };
        let message = format!("{id} {names} deprecated in favor of {end}, which {was} deprecated before it");
        let sooner = scope.of_replacement("deprecated-before", announcement, false, because);
        let sooner = sooner.caused_by(Some(*last));
        let help = "name the version that users should finally move to";
        out.push(sooner.message(message).place(reference.span).help(help));
    }
}
