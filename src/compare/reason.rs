//! Why two sources disagree: what can be worked out from what they say themselves.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::diagnostic::nearest;
use crate::grammar::{ElementPath, KindPath, VersionPath};
use crate::model::EventKind;
use crate::release::ReleaseName;
use crate::report::ReasonReport;

use super::claims::{Claim, Claims, Scope, Sort, What};

/// No more kinds of one version are looked through for one that is spelled nearly alike.
const MOST_NAMES: usize = 500;

/// Kinds of one version to which the same happens in one release.
#[derive(Default)]
struct Shared<'c> {
    count: usize,
    /// Two of them: one is left when another one is asked about.
    examples: [Option<Cow<'c, str>>; 2],
}

/// One of two sources, with its kinds in order.
pub struct Side<'c> {
    pub claims: &'c Claims,
    /// How it is called in reasons.
    title: &'c str,
    /// Kinds of each version.
    versions: BTreeMap<VersionPath<'c>, Vec<Cow<'c, str>>>,
    /// Versions of each kind.
    kinds: BTreeMap<Cow<'c, str>, Vec<VersionPath<'c>>>,
    /// What several kinds of a version have in common.
    shared: BTreeMap<(VersionPath<'c>, EventKind, &'c str), Shared<'c>>,
    /// The newest release of any deprecation or removal.
    newest: Option<ReleaseName>,
}

impl<'c> Side<'c> {
    pub fn of(claims: &'c Claims, title: &'c str) -> Self {
        let mut side = Self {
            claims,
            title,
            versions: BTreeMap::new(),
            kinds: BTreeMap::new(),
            shared: BTreeMap::new(),
            newest: None,
        };
        for (id, claim) in claims.elements.iter().filter(|(_, claim)| claim.sort == Sort::Kind) {
            let Some(KindPath { version, kind }) = kind_path(id) else {
                continue;
            };
            side.versions.entry(version.clone()).or_default().push(kind.clone());
            side.kinds.entry(kind.clone()).or_default().push(version.clone());
            for what in [EventKind::Introduced, EventKind::Deprecated, EventKind::Removed] {
                let Some(release) = claim.when(what) else { continue };
                let shared = side.shared.entry((version.clone(), what, release)).or_default();
                if let Some(free) = shared.examples.iter_mut().find(|example| example.is_none()) {
                    *free = Some(kind.clone());
                }
                shared.count += 1;
                if what != EventKind::Introduced {
                    side.newest = side.newest.take().max(ReleaseName::parse(release));
                }
            }
        }
        side
    }

    /// What is said of an element; of a kind that is not named, by its version, if that names none.
    pub fn speaks_of(&self, id: &str) -> Option<&'c Claim> {
        let own = self.claims.elements.get(id);
        own.or_else(|| {
            let claim = self.claims.elements.get(&kind_path(id)?.version.to_string())?;
            (claim.sort == Sort::BareVersion).then_some(claim)
        })
    }

    /// Whether it has a version of a group.
    fn has_group(&self, group: &str) -> bool {
        let mut paths = self.claims.elements.keys().filter_map(|id| ElementPath::parse(id).ok());
        paths.any(|path| path.version().is_some_and(|version| version.group == group))
    }

    /// Whether a kind of a version is named.
    pub fn has_kinds_of(&self, version: &VersionPath<'_>) -> bool {
        self.versions.contains_key(version)
    }
}

/// A disagreement, with all that may explain it.
pub struct Case<'c> {
    pub id: &'c str,
    pub what: &'c What,
    pub sides: &'c [Side<'c>; 2],
    pub claims: [Option<&'c Claim>; 2],
    /// What each side says; of an element that one side alone has, anything there.
    pub says: [Option<&'c str>; 2],
}

/// A reason by its code, with its words.
type Reason = Option<(&'static str, String)>;

/// Explains what one side says by what the other one says. `x` is told of, `y` the other.
type Rule = for<'a> fn(&View<'a>) -> Reason;

/// The rules for events, the most telling first.
const OF_EVENTS: [Rule; 9] = [
    taken_back,
    replacement_available,
    newer_version,
    other_event,
    own_introduction,
    of_another_version,
    of_its_version,
    still_to_come,
    next_release,
];
const OF_REPLACEMENTS: [Rule; 3] = [came_later, gone, same_kind];
const OF_PRESENCE: [Rule; 7] = [
    list_of_kind,
    misspelled,
    other_group,
    group_unknown,
    other_version,
    after_the_list,
    version_unlisted,
];

/// A case as seen from one side.
struct View<'c> {
    id: &'c str,
    /// The kind that the id is of.
    kind: Option<KindPath<'c>>,
    what: Option<EventKind>,
    /// What this side says.
    says: &'c str,
    claim: Option<&'c Claim>,
    side: &'c Side<'c>,
    other: &'c Side<'c>,
    other_claim: Option<&'c Claim>,
    other_says: Option<&'c str>,
}

impl Case<'_> {
    /// The first reason that holds, from whichever side.
    pub fn explain(&self) -> Option<ReasonReport> {
        let (rules, what): (&[Rule], _) = match self.what {
            What::Event(what) => (&OF_EVENTS, Some(*what)),
            What::Replacement => (&OF_REPLACEMENTS, None),
            What::Present => (&OF_PRESENCE, None),
            What::Stage(_) | What::Day => return None,
        };
        let views = self.views(what);
        let mut found = rules
            .iter()
            .flat_map(|rule| views.iter().flatten().filter_map(|view| rule(view)));
        found.next().map(|(code, text)| ReasonReport { code, text })
    }

    /// The case as seen from each side that says something.
    fn views(&self, what: Option<EventKind>) -> [Option<View<'_>>; 2] {
        let [here, there] = self.sides;
        let [of_here, of_there] = self.claims;
        let [says_here, says_there] = self.says;
        let view = |side, other, other_claim, other_says| View {
            id: self.id,
            kind: kind_path(self.id),
            what,
            says: "",
            claim: None,
            side,
            other,
            other_claim,
            other_says,
        };
        let [from_here, from_there] = [
            view(here, there, of_there, says_there),
            view(there, here, of_here, says_here),
        ];
        [
            says_here.map(|says| View {
                says,
                claim: of_here,
                ..from_here
            }),
            says_there.map(|says| View {
                says,
                claim: of_there,
                ..from_there
            }),
        ]
    }
}

impl View<'_> {
    /// When an element was introduced, as either side knows.
    fn begun(&self, id: &str) -> Option<&str> {
        [self.side, self.other]
            .into_iter()
            .find_map(|side| side.speaks_of(id)?.when(EventKind::Introduced))
    }

    fn replacements(&self) -> impl Iterator<Item = &str> {
        let claims = [self.claim, self.other_claim].into_iter().flatten();
        claims.filter_map(|claim| claim.last.get(&What::Replacement).map(|fact| fact.value.as_str()))
    }

    /// The versions of its group, other than its own, in which a side has its kind.
    fn other_versions<'v>(&'v self, side: &'v Side<'_>) -> impl Iterator<Item = &'v VersionPath<'v>> {
        let versions = self.kind.iter().flat_map(|own| {
            let known = side.kinds.get(&own.kind).into_iter().flatten();
            known.filter(|other| **other != own.version && other.group == own.version.group)
        });
        versions
    }
}

/// The parts of the id of a kind.
fn kind_path(id: &str) -> Option<KindPath<'_>> {
    match ElementPath::parse(id) {
        Ok(ElementPath::Kind(kind)) => Some(kind),
        _ => None,
    }
}

/// The deprecation was taken back.
fn taken_back(view: &View<'_>) -> Reason {
    let facts = &view.other_claim?.facts;
    let back = facts.get(&What::Event(EventKind::Undeprecated))?;
    let all = &facts.get(&What::Event(EventKind::Deprecated))?.value;
    let known = view.what == Some(EventKind::Deprecated) && all.split(", ").any(|release| release == view.says);
    let text = format!(
        "{} has the deprecation in {} taken back in {}",
        view.other.title, view.says, back.value
    );
    (known && view.other_says != Some(view.says)).then_some(("taken-back", text))
}

/// It is dated by its replacement.
fn replacement_available(view: &View<'_>) -> Reason {
    if view.what != Some(EventKind::Deprecated) {
        return None;
    }
    let mut claims = [view.claim, view.other_claim].into_iter().flatten();
    let stated = claims.find_map(|claim| claim.available.as_deref());
    let mut replacements = view.replacements();
    let found = replacements.find(|id| view.begun(id).or(stated) == Some(view.says))?;
    let text = format!("{} is when its replacement came, {found}", view.says);
    Some(("replacement-available", text))
}

/// It is dated by another version of the kind, which no one names as its replacement.
fn newer_version(view: &View<'_>) -> Reason {
    let own = view
        .kind
        .as_ref()
        .filter(|_| view.what == Some(EventKind::Deprecated))?;
    let versions = [view.other, view.side]
        .into_iter()
        .flat_map(|side| view.other_versions(side));
    let mut others = versions.filter(|other| view.begun(&own.in_version(other).to_string()) == Some(view.says));
    let text = format!("{} is when {} came", view.says, others.next()?);
    Some(("newer-version", text))
}

/// It is the release of another event: a deprecation dated at the removal, or a removal at the deprecation.
fn other_event(view: &View<'_>) -> Reason {
    let (what, code) = match view.what? {
        EventKind::Deprecated => (EventKind::Removed, "removal"),
        EventKind::Removed => (EventKind::Deprecated, "deprecation"),
        _ => return None,
    };
    let name = view.other.title;
    let text = format!("{} is when {name} has it {}", view.says, what.as_str());
    (view.other_claim?.when(what) == Some(view.says)).then_some((code, text))
}

/// It is the release in which it came itself.
fn own_introduction(view: &View<'_>) -> Reason {
    let is_end = matches!(view.what?, EventKind::Deprecated | EventKind::Removed);
    let text = format!("{} is when it was introduced itself", view.says);
    (is_end && view.begun(view.id) == Some(view.says)).then_some(("introduction", text))
}

/// It is what the other side says of the same kind in another version of the group.
fn of_another_version(view: &View<'_>) -> Reason {
    let own = view.kind.as_ref()?;
    let what = view.what.filter(|what| *what != EventKind::Introduced)?;
    let mut others = view
        .other_versions(view.other)
        .map(|other| own.in_version(other).to_string());
    let found = others.find(|id| {
        let claim = view.other.claims.elements.get(id);
        claim.and_then(|claim| claim.when(what)) == Some(view.says)
    })?;
    let text = format!(
        "{} is when {} has {found} {}",
        view.says,
        view.other.title,
        what.as_str()
    );
    Some(("of-another-version", text))
}

/// It is what the other side says of other kinds of the version.
fn of_its_version(view: &View<'_>) -> Reason {
    let KindPath { version, kind } = view.kind.as_ref()?;
    let what = view.what?;
    let Shared { count, examples } = view.other.shared.get(&(version.clone(), what, view.says))?;
    let example = examples.iter().flatten().find(|example| *example != kind)?;
    let and_more = match count.saturating_sub(1) {
        0 => String::new(),
        more => format!(" and {more} more of {version}"),
    };
    let name = view.other.title;
    let text = format!("{} is when {name} has {example}{and_more} {}", view.says, what.as_str());
    Some(("of-its-version", text))
}

/// One side plans what the other one has not declared yet.
fn still_to_come(view: &View<'_>) -> Reason {
    let current = view
        .other
        .claims
        .current
        .as_ref()
        .filter(|_| view.other_says.is_none())?;
    let (then, now) = (ReleaseName::parse(view.says)?, ReleaseName::parse(current)?);
    let name = view.other.title;
    let text = format!(
        "{} is still to come: the newest release of {name} is {current}",
        view.says
    );
    (then > now).then_some(("still-to-come", text))
}

/// One is the release after the other.
fn next_release(view: &View<'_>) -> Reason {
    let (this, other) = (ReleaseName::parse(view.says)?, ReleaseName::parse(view.other_says?)?);
    let (name, than) = (view.side.title, view.other.title);
    let text = format!("{name} is one release later than {than}");
    (this == other.later(1)).then_some(("next-release", text))
}

/// The replacement came after the deprecation, when there was another one.
fn came_later(view: &View<'_>) -> Reason {
    let parsed = |id: &str| ReleaseName::parse(view.begun(id)?);
    let mut claims = [view.claim, view.other_claim].into_iter().flatten();
    let mut deprecated = claims.find_map(|claim| claim.when(EventKind::Deprecated));
    let when = deprecated.take()?;
    let then = ReleaseName::parse(when)?;
    let (own, other) = (parsed(view.says)?, parsed(view.other_says?)?);
    let text = format!("{} came in {own}, after the deprecation in {when}", view.says);
    (own > then && other <= then).then_some(("came-later", text))
}

/// The replacement is removed itself.
fn gone(view: &View<'_>) -> Reason {
    let sides = [view.side, view.other].into_iter();
    let removed = |id: &str| {
        sides
            .clone()
            .find_map(|side| side.speaks_of(id)?.when(EventKind::Removed))
    };
    let release = removed(view.says)?;
    let text = format!("{} is removed in {release} itself", view.says);
    removed(view.other_says?)
        .is_none()
        .then_some(("replacement-removed", text))
}

/// Both name versions of one kind.
fn same_kind(view: &View<'_>) -> Reason {
    let (one, other) = (kind_path(view.says)?, kind_path(view.other_says?)?);
    let text = format!("both are versions of {} in {}", one.kind, one.version.group);
    (one.in_version(&other.version) == other && one.version.group == other.version.group)
        .then_some(("other-version-named", text))
}

/// The other side has a kind of nearly this name, which this side does not have.
fn misspelled(view: &View<'_>) -> Reason {
    let KindPath { version, kind } = view.kind.as_ref()?;
    let names = view.other.versions.get(version)?.iter().take(MOST_NAMES);
    let near = nearest(kind, names.map(AsRef::as_ref))?;
    let is_own = view
        .side
        .claims
        .elements
        .contains_key(&version.clone().with_kind(near).to_string());
    let text = format!(
        "{} has {version} {near}: one of the two may be misspelled",
        view.other.title
    );
    (!is_own).then_some(("misspelled", text))
}

/// The other side has the kind in other versions of the group.
fn other_version(view: &View<'_>) -> Reason {
    let own = view.kind.as_ref()?;
    let found = elsewhere(view, own).find(|other| other.group == own.version.group)?;
    let text = format!("{} has it in {found}, not in this version", view.other.title);
    Some(("other-version", text))
}

/// The replacement that is named here is a kind that the other side has in another group.
fn other_group(view: &View<'_>) -> Reason {
    let own = view.kind.as_ref()?;
    let found = elsewhere(view, own).find(|other| {
        let id = own.in_version(other).to_string();
        other.group != own.version.group && view.replacements().any(|named| named == id)
    })?;
    let text = format!(
        "{} has it in another group only, as {found}, its replacement",
        view.other.title
    );
    Some(("other-group", text))
}

/// The other side has nothing of the group.
fn group_unknown(view: &View<'_>) -> Reason {
    let own = view
        .kind
        .as_ref()
        .filter(|_| view.other.claims.scope == Scope::Product)?;
    let group = &own.version.group;
    let text = format!("{} has no group {group}", view.other.title);
    (!view.other.has_group(group)).then_some(("group-unknown", text))
}

/// It is the type of lists of a kind that the other side has; models name kinds.
fn list_of_kind(view: &View<'_>) -> Reason {
    let KindPath { version, kind } = view.kind.as_ref()?;
    let single = kind.strip_suffix("List").filter(|single| !single.is_empty())?;
    let text = format!("lists of {single}, which {} has", view.other.title);
    let known = view
        .other
        .claims
        .elements
        .contains_key(&version.clone().with_kind(single).to_string());
    known.then_some(("list-of-kind", text))
}

/// The versions in which the other side has a kind, if it has all that there are.
fn elsewhere<'v>(view: &'v View<'_>, own: &KindPath<'v>) -> impl Iterator<Item = &'v VersionPath<'v>> {
    let known = view
        .other
        .kinds
        .get(&own.kind)
        .filter(|_| view.other.claims.scope == Scope::Product);
    known.into_iter().flatten()
}

/// The list has no kind of the version at all.
fn version_unlisted(view: &View<'_>) -> Reason {
    let own = view
        .kind
        .as_ref()
        .filter(|_| view.other.claims.scope == Scope::Deprecations)?;
    let version = &own.version;
    let text = format!("{} has nothing of {version}", view.other.title);
    (!view.other.has_kinds_of(version)).then_some(("version-unlisted", text))
}

/// It happens after the newest release that the list knows.
fn after_the_list(view: &View<'_>) -> Reason {
    let ends = [EventKind::Deprecated, EventKind::Removed];
    let claim = view.claim?;
    let first = ends.iter().find_map(|what| claim.when(*what))?;
    let newest = view
        .other
        .newest
        .as_ref()
        .filter(|_| view.other.claims.scope == Scope::Deprecations)?;
    let text = format!("{} names no release after {newest}", view.other.title);
    (ReleaseName::parse(first)? > *newest).then_some(("after-the-list", text))
}
