//! Nothing is deprecated in favor of something less stable.
//!
#![doc = include_str!("version-replacement.md")]

use crate::model::{Declared, ElementId, ElementKind, Event, Group, Happening, Model, Reference};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::release::Release;

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "version-replacement",
    title: "What replaces a version is at least as stable, exists, and outlives it.",
    page: include_str!("version-replacement.md"),
    codes: &[
        "less-stable",
        "unknown",
        "cycle",
        "deprecated-before",
        "gone-first",
        "comes-later",
        "no-replacement",
        "before-replacement",
    ],
    exemptions: &[],
    state,
};

/// The lives of one kind (or of a version without kinds) through the versions of its group.
#[derive(Debug)]
pub struct Succession {
    /// The elements, newest generation first.
    pub line: Vec<ElementId>,
}

impl Succession {
    /// All successions of a group: one for each kind, and one for the versions that have no kinds.
    pub fn of(group: &Group) -> Vec<Self> {
        let bare = group
            .versions
            .iter()
            .enumerate()
            .filter(|(at, _)| group.kinds.iter().all(|kind| kind.versions[*at].is_none()))
            .map(|(_, version)| version.element)
            .collect();
        let kinds = group
            .kinds
            .iter()
            .map(|kind| kind.versions.iter().flatten().copied().collect());
        std::iter::once(bare)
            .chain(kinds)
            .filter(|line: &Vec<ElementId>| !line.is_empty())
            .map(|line| Self { line })
            .collect()
    }

    /// The lives that may succeed an element: higher in (major, track, number) and at least as stable; and what its own
    /// entry names. The one that is introduced first comes first, of several in one release the most stable, then the
    /// highest.
    pub fn successors(&self, model: &Model, element: ElementId) -> Vec<Event> {
        let track = model.element(element).track;
        let at = self.line.iter().position(|other| *other == element).unwrap_or(0);
        let higher = self.line[..at]
            .iter()
            .copied()
            .filter(|other| model.element(*other).track >= track);
        let named = replacement_named(model, element);
        let mut lives: Vec<(Release, Event)> = higher
            .chain(named)
            .flat_map(|other| (0..model.lives(other)).map(move |life| Event::new(other, life, Happening::Introduced)))
            .filter_map(|event| Some((model.find_declared(event)?.release, event)))
            .collect();
        lives.sort_by(|(when, event), (other_when, other)| {
            when.cmp(other_when).then_with(|| {
                model
                    .element(other.element)
                    .track
                    .cmp(&model.element(event.element).track)
            })
        });
        lives.dedup_by_key(|(_, event)| *event);
        lives.into_iter().map(|(_, event)| event).collect()
    }
}

/// The successor that a deprecation in a release is owed to: of those there by then, the one that came last, and of
/// several the most stable. Before any is there, the first to come.
pub fn successor_of(model: &Model, successors: &[Event], deprecated: Release) -> Option<ElementId> {
    let since = |event: &Event| model.find_declared(*event).map(|declared| declared.release);
    let ended = |event: &Event| {
        model
            .find_declared(event.sibling(Happening::Removed))
            .is_some_and(|removed| removed.release <= deprecated)
    };
    successors
        .iter()
        .filter(|event| since(event) <= Some(deprecated) && !ended(event))
        .max_by_key(|event| (since(event), model.element(event.element).track))
        .or(successors.first())
        .map(|event| event.element)
}

/// What replaces an element by the user's word: its own entry's, or its version's.
pub fn replacement_named(model: &Model, element: ElementId) -> Option<ElementId> {
    named(model, element)
        .and_then(|reference| in_kind(model, element, reference.target?))
        .filter(|other| *other != element)
}

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in &scope.model.groups {
        for succession in Succession::of(group) {
            for element in &succession.line {
                for life in 0..scope.model.lives(*element) {
                    judge(
                        scope,
                        out,
                        &succession,
                        Event::new(*element, life, Happening::Deprecated),
                    );
                }
            }
        }
    }
}

fn judge(scope: &Scope<'_>, out: &mut Obligations, succession: &Succession, deprecated: Event) {
    let model = scope.model;
    let declared = model.deprecation(deprecated.element, deprecated.life);
    let Some(law) = scope.law_at(declared) else { return };
    let until = law.until_replacement;
    let successors = if until || declared.is_some() {
        succession.successors(model, deprecated.element)
    } else {
        Vec::new()
    };
    if until {
        until_replacement(scope, out, &successors, deprecated);
    }
    let Some(declared) = declared else { return };
    let Some(reference) = named(model, deprecated.element) else {
        someone_serves(scope, out, &successors, declared);
        return;
    };
    let target = reference
        .target
        .and_then(|target| in_kind(model, deprecated.element, target));
    match target {
        None => unknown(scope, out, declared, reference),
        Some(target) if target == declared.event.element => cycle(scope, out, declared, reference, &[target]),
        Some(target) => judge_target(scope, out, declared, reference, target),
    }
}

/// The replacement an element's own entry names, or its version's.
fn named(model: &Model, element: ElementId) -> Option<&Reference> {
    let own = |id| model.attributes(id).and_then(|said| said.replacement.as_ref());
    own(element).or_else(|| {
        let parent = model.element(element).parent?;
        model.element(element).kind.is_kind().then(|| own(parent)).flatten()
    })
}

/// What a reference means for an element: for a kind that names a version, the same kind there.
fn in_kind(model: &Model, element: ElementId, target: ElementId) -> Option<ElementId> {
    let (from, to) = (model.element(element), model.element(target));
    if !from.kind.is_kind() || !to.kind.is_version() {
        return Some(target);
    }
    let kind = match from.kind {
        ElementKind::ConfigKind => ElementKind::ConfigKind,
        _ => ElementKind::Kind,
    };
    model
        .find(&format!("{} {}", model.id(target), from.name))
        .filter(|found| model.element(*found).kind == kind)
}

/// As the rule read until 2019: no deprecation until a version at least as stable has been released.
fn until_replacement(scope: &Scope<'_>, out: &mut Obligations, successors: &[Event], deprecated: Event) {
    let because = "nothing is deprecated until a version at least as stable is released";
    let terms = successors.iter().map(|event| Term::at(*event)).collect();
    let obligation = match Demand::not_before_any(terms) {
        Some(demand) => scope.obligation("before-replacement", deprecated, demand, because),
        None => {
            let id = scope.model.id(deprecated.element);
            scope
                .obligation("before-replacement", deprecated, Demand::Forbidden, because)
                .message(format!(
                    "{id} is deprecated, but no version at least as stable is released"
                ))
                .help("release its replacement first, and deprecate it then")
        }
    };
    out.push(obligation);
}

fn someone_serves(scope: &Scope<'_>, out: &mut Obligations, successors: &[Event], declared: &Declared) {
    let model = scope.model;
    let there = successors
        .iter()
        .filter_map(|event| model.find_declared(*event))
        .any(|successor| successor.release <= declared.release);
    let because = "a deprecation names what to move to";
    let id = model.id(declared.event.element);
    let obligation = scope
        .obligation("no-replacement", declared.event, Demand::Requires(there), because)
        .message(format!("{id} is deprecated without a successor"))
        .help("if something replaces it, say so: `replacement = \"…\"`");
    out.push(obligation);
}

fn unknown(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference) {
    let model = scope.model;
    let because = "what replaces a version exists";
    let id = model.id(declared.event.element);
    let help = crate::diagnostic::did_you_mean(
        &reference.text,
        model.groups.iter().flat_map(|group| {
            let versions = group.versions.iter();
            versions.flat_map(|version| [version.name.as_str(), &*model.element(version.element).name])
        }),
    );
    let obligation = scope
        .obligation("unknown", declared.event, Demand::Requires(false), because)
        .message(format!(
            "the replacement of {id}, `{}`, is nothing this model declares",
            reference.text
        ))
        .place(reference.span)
        .help(help.unwrap_or_else(|| "declare it, or write its id: \"apps/v1 Deployment\"".to_owned()));
    out.push(obligation);
}

fn judge_target(
    scope: &Scope<'_>,
    out: &mut Obligations,
    declared: &Declared,
    reference: &Reference,
    target: ElementId,
) {
    let model = scope.model;
    let event = declared.event;
    let (from, to) = (model.element(event.element).track, model.element(target).track);
    let because = "nothing is deprecated in favor of something less stable";
    let message = format!(
        "{} ({from}) is deprecated in favor of {} ({to}), which is less stable",
        model.id(event.element),
        model.id(target)
    );
    let stable = scope.obligation("less-stable", event, Demand::Requires(to >= from), because);
    let help = format!("name a replacement that is {from} or more stable");
    out.push(stable.message(message).place(reference.span).help(help));

    let chain = chain(model, event.element, target);
    if chain.first() == chain.last() && chain.len() > 1 {
        // A ring is told once, by the first of its links.
        if chain.iter().all(|link| *link >= event.element) {
            cycle(scope, out, declared, reference, &chain[1..]);
        }
        return;
    }
    later(scope, out, declared, reference, target);
    outlives(scope, out, declared, reference, &chain[1..]);
}

/// From an element along the replacements named, until one names none, or one stands there for the second time.
fn chain(model: &Model, element: ElementId, target: ElementId) -> Vec<ElementId> {
    let mut links = vec![element, target];
    loop {
        let Some(last) = links.last().copied() else {
            return links;
        };
        let next = named(model, last).and_then(|reference| in_kind(model, last, reference.target?));
        match next {
            Some(next) if next == element => {
                links.push(next);
                return links;
            }
            Some(next) if !links.contains(&next) => links.push(next),
            _ => return links,
        }
    }
}

fn cycle(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference, rest: &[ElementId]) {
    let model = scope.model;
    let links: Vec<String> = std::iter::once(&declared.event.element)
        .chain(rest)
        .map(|link| model.id(*link).to_string())
        .collect();
    let obligation = scope
        .obligation(
            "cycle",
            declared.event,
            Demand::Requires(false),
            "replacements lead somewhere",
        )
        .message(format!("replacements go round in a ring: {}", links.join(" → ")))
        .place(reference.span)
        .help("let the chain of replacements end at what users should move to");
    out.push(obligation);
}

/// A named replacement that only comes later: others served the kind at the time, or nobody did, which is legal.
fn later(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference, target: ElementId) {
    let model = scope.model;
    let Some(begin) = model.declared(target, Happening::Introduced) else {
        return;
    };
    let obligation = scope
        .obligation(
            "comes-later",
            declared.event,
            Demand::Requires(begin.release <= declared.release),
            "users can move when they are told to",
        )
        .message(format!(
            "{} is deprecated in {}, but its replacement {} comes only in {}",
            model.id(declared.event.element),
            model.calendar.name(declared.release),
            model.id(target),
            model.calendar.name(begin.release)
        ))
        .place(reference.span)
        .related(begin.span, "introduced here")
        .help("deprecate it when the replacement is there, or say in the notes what to use until then");
    out.push(obligation);
}

/// Somewhere along the chain is one that is neither deprecated before the element is, nor gone before it.
fn outlives(scope: &Scope<'_>, out: &mut Obligations, declared: &Declared, reference: &Reference, chain: &[ElementId]) {
    let model = scope.model;
    let last_life = |link: &ElementId| model.lives(*link) - 1;
    let fresh = |link: &ElementId| {
        model
            .deprecation(*link, last_life(link))
            .is_none_or(|other| other.release >= declared.release)
    };
    if let (false, Some(end)) = (chain.iter().any(fresh), chain.last()) {
        let obligation = scope
            .obligation(
                "deprecated-before",
                declared.event,
                Demand::Requires(false),
                "what replaces a version is not itself on its way out",
            )
            .message(format!(
                "{} is deprecated in favor of {}, which was deprecated before it",
                model.id(declared.event.element),
                model.id(*end)
            ))
            .place(reference.span)
            .help("name what users should move to in the end");
        out.push(obligation);
    }
    let removed = |link: &ElementId| {
        let event = Event::new(*link, last_life(link), Happening::Removed);
        model.find_declared(event)
    };
    // The chain lives on if any link is not declared to go, so only the removals decide.
    let ends: Option<Vec<&Declared>> = chain.iter().map(removed).collect();
    if let Some(last) = ends.and_then(|ends| ends.into_iter().max_by_key(|end| end.release)) {
        let term = Term::at(declared.event.sibling(Happening::Removed));
        let because = "what replaces a version outlives it";
        let obligation = scope
            .obligation("gone-first", last.event, Demand::NotBefore(term), because)
            .related(reference.span, "named as the replacement here");
        out.push(obligation);
    }
}
