#![doc = include_str!("version-replacement.md")]

mod chain;
mod outlives;
mod successors;

use crate::model::succession::{Succession, expected_announcement, named, naming};
use crate::model::{ElementId, Event, EventKind, Model, Reference, Version};
use crate::obligation::{Announcement, Demand, Obligations, Scope, Term};
use crate::policy::RuleKeys;
use crate::release::Release;
use crate::stability::Track;

use super::Rule;

use chain::{chain, cycles, next_link};
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
    let Some(announcement) = Announcement::of(model, deprecated, successor) else {
        return;
    };
    let there = succession.successor_at(model, at, announcement.release).is_some();
    let Some(reference) = named(model, deprecated.element) else {
        if let Some(declared) = declared {
            successors.add(declared, deprecated.element, there);
        }
        return;
    };
    match next_link(model, deprecated.element) {
        None if reference.is_external => out.extend(scope.replaced_from_outside(announcement, reference)),
        None => lost(scope, out, (announcement, deprecated.element), reference, there),
        Some(target) if target == announcement.event.element => {}
        Some(target) => judge_target(scope, out, (announcement, deprecated), reference, target),
    }
}

/// A replacement that is not declared, or a version that does not serve the kind that it is to replace.
fn lost(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, element): (Announcement, ElementId),
    reference: &Reference,
    there: bool,
) {
    let model = scope.model;
    let naming = naming(model, element);
    let group = model.group_of(element);
    let mut versions = group.into_iter().flat_map(|group| &group.versions);
    let nearby = versions.find(|version| version.name.as_str() == reference.text);
    let version = reference.target.or(nearby.map(|version| version.element));
    let kind = model.element(element).path().kind().map(|path| path.kind.to_string());
    match version.zip(kind) {
        None => {
            unknown(scope, out, (announcement, naming), reference);
        }
        Some((version, kind)) if naming == element => {
            let because = "the replacement of a version exists";
            let step = match serving(model, element).as_slice() {
                [] => String::new(),
                versions => format!(", or name a version that serves it: {}", versions.join(", ")),
            };
            let (id, version) = (model.id(element), model.id(version));
            let message = format!("the replacement of {id}, {version}, does not serve the kind `{kind}`");
            let obligation = scope.of_replacement("unknown", announcement, false, because);
            let help = format!("add `{kind}` to {version}{step}");
            let obligation = obligation.about(element).place(reference.span);
            out.push(obligation.message(message).help(help));
        }
        // The version is replaced and the kind left behind, which is legal.
        Some((version, kind)) if announcement.is_declared => {
            let because = "a deprecation names what users should move to";
            let (id, version) = (model.id(element), model.id(version));
            let message = format!(
                "{id} is deprecated without a successor: {version}, which replaces its version, does not serve it"
            );
            let obligation = scope.of_replacement("no-replacement", announcement, there, because);
            let help = format!(
                "add `{kind}` to {version}, or declare a `replacement` of its own; if it has none, add an exception"
            );
            out.push(obligation.message(message).help(help));
        }
        Some(_) => {}
    }
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

fn unknown(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, about): (Announcement, ElementId),
    reference: &Reference,
) {
    let model = scope.model;
    let because = "the replacement of a version exists";
    let id = model.id(about);
    let groups = model.group_of(about).into_iter().chain(model.groups.iter());
    let names = groups.flat_map(|group| {
        let versions = group.versions.iter();
        versions.flat_map(|version| [version.name.as_str(), model.id(version.element)])
    });
    let help = crate::diagnostic::did_you_mean(&reference.text, names.take(MOST_COMPARED));
    let help = help.unwrap_or_else(|| {
        if reference.text.contains('/') {
            format!("declare `{}`, or delete `replacement`", reference.text)
        } else {
            "declare it, or write its id: \"apps/v1 Deployment\"".to_owned()
        }
    });
    let message = format!(
        "the replacement of {id}, `{}`, is not declared in this model",
        reference.text
    );
    let obligation = scope.of_replacement("unknown", announcement, false, because);
    let obligation = obligation.about(about).place(reference.span);
    out.push(obligation.message(message).help(help));
}

/// The most names with which an unknown one is compared, those of its group first.
const MOST_COMPARED: usize = 500;

/// The other versions of its group that serve a kind, quoted as in a model.
fn serving(model: &Model, element: ElementId) -> Vec<String> {
    let Some(group) = model.group_of(element) else {
        return Vec::new();
    };
    let kinds = group.kinds.iter().filter(|kind| kind.versions.contains(&Some(element)));
    kinds
        .flat_map(|kind| kind.versions.iter().zip(&group.versions))
        .filter(|(other, _)| other.is_some_and(|other| other != element))
        .map(|(_, version)| format!("\"{}\"", version.name))
        .collect()
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

/// At least one link of the chain is not deprecated before the element.
fn deprecated_before(
    scope: &Scope<'_>,
    out: &mut Obligations,
    announcement: Announcement,
    reference: &Reference,
    chain: &[ElementId],
) {
    let model = scope.model;
    let Some((end, links)) = chain.split_last() else { return };
    let before = chain.iter().take_while(|link| {
        let deprecated = model.deprecation(**link, model.last_life(**link));
        deprecated.is_some_and(|deprecated| deprecated.release < announcement.release)
    });
    let before = before.count();
    let because = "the replacement of a version is not deprecated before it";
    let open = model.last_event(*end, EventKind::Deprecated);
    if announcement.is_declared && before == links.len() && model.deprecation(*end, open.life).is_none() {
        let term = Term::at(announcement.event);
        scope.not_before(out, "deprecated-before", open, term, because);
    }
    if before == chain.len() {
        let (id, end) = (model.id(subject(model, announcement)), model.id(*end));
        let [names, was] = if announcement.is_declared {
            ["is", "was"]
        } else {
            ["will be", "is"]
        };
        let message = format!("{id} {names} deprecated in favor of {end}, which {was} deprecated before it");
        let sooner = scope.of_replacement("deprecated-before", announcement, false, because);
        let help = "name the version that users should finally move to";
        out.push(sooner.message(message).place(reference.span).help(help));
    }
}
