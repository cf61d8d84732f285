//! Why two sources disagree, as far as it follows from what they state themselves.

use crate::diagnostic::nearest;
use crate::grammar::{ElementPath, EventKind, KindPath, VersionPath};
use crate::release::ReleaseName;
use crate::report::{ComparedFact, ReasonCode, ReasonReport};

use super::claims::{Claim, Scope};
use super::side::{Shared, Side};

/// So many kinds of one version are searched for one with nearly the same name.
const MOST_NAMES: usize = 500;

/// A disagreement, with all that may explain it.
pub(crate) struct Case<'c> {
    pub(crate) id: &'c str,
    pub(crate) fact: ComparedFact,
    pub(crate) sides: &'c [Side<'c>; 2],
    pub(crate) claims: [Option<&'c Claim>; 2],
    /// What each side states; of an element that only one side has, anything there.
    pub(crate) says: [Option<&'c str>; 2],
}

/// A reason and its text, if the rule finds one.
type Reason = Option<(ReasonCode, String)>;

/// Explains what one side states by what the other one states.
type Rule = for<'a> fn(&View<'a>) -> Reason;

/// The rules for events, the most specific first.
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
const OF_REPLACEMENTS: [Rule; 3] = [came_later, replacement_removed, other_version_named];
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
    /// The kind that it is about, if it is one.
    kind: Option<KindPath<'c>>,
    event: Option<EventKind>,
    /// What this side states.
    says: &'c str,
    claim: Option<&'c Claim>,
    side: &'c Side<'c>,
    other: &'c Side<'c>,
    other_claim: Option<&'c Claim>,
    other_says: Option<&'c str>,
}

impl Case<'_> {
    /// The first reason that holds, from either side.
    pub(crate) fn explain(&self) -> Option<ReasonReport> {
        let (rules, event): (&[Rule], _) = match self.fact {
            ComparedFact::Event(event) => (&OF_EVENTS, Some(event)),
            ComparedFact::Replacement => (&OF_REPLACEMENTS, None),
            ComparedFact::Present => (&OF_PRESENCE, None),
            ComparedFact::Stage(_) | ComparedFact::Class(_) | ComparedFact::Day => return None,
        };
        let views = [self.view(0, 1, event), self.view(1, 0, event)];
        let mut reasons = rules
            .iter()
            .flat_map(|rule| views.iter().flatten().filter_map(|view| rule(view)));
        reasons.next().map(|(code, text)| ReasonReport { code, text })
    }

    /// The case as seen from one side, if that states something.
    fn view(&self, side: usize, other: usize, event: Option<EventKind>) -> Option<View<'_>> {
        Some(View {
            id: self.id,
            kind: match ElementPath::parse(self.id) {
                Ok(ElementPath::Kind(kind)) => Some(kind),
                _ => None,
            },
            event,
            says: self.says[side]?,
            claim: self.claims[side],
            side: &self.sides[side],
            other: &self.sides[other],
            other_claim: self.claims[other],
            other_says: self.says[other],
        })
    }
}

impl View<'_> {
    /// When an element was introduced, as either side states.
    fn begun(&self, id: &str) -> Option<&str> {
        self.when(id, EventKind::Introduced)
    }

    fn when(&self, id: &str, event: EventKind) -> Option<&str> {
        let mut sides = [self.side, self.other].into_iter();
        sides.find_map(|side| side.claim(id)?.when(event))
    }

    fn replacements(&self) -> impl Iterator<Item = &str> {
        let claims = [self.claim, self.other_claim].into_iter().flatten();
        claims.filter_map(|claim| Some(claim.last.get(&ComparedFact::Replacement)?.value.as_str()))
    }

    /// The kind in another version of its group, as one side has it.
    fn in_other_versions<'s>(&self, side: &'s Side<'_>) -> impl Iterator<Item = KindPath<'s>> {
        self.kind.iter().flat_map(move |of| {
            let versions = side.kinds.get(&*of.kind).into_iter().flatten();
            let others = versions.filter(|version| version.group == of.version.group && **version != of.version);
            others.map(|version| version.clone().with_kind(of.kind.to_string()))
        })
    }
}

/// The deprecation was withdrawn.
fn taken_back(view: &View<'_>) -> Reason {
    let facts = &view.other_claim?.facts;
    let back = facts.get(&ComparedFact::Event(EventKind::Undeprecated))?;
    let all = &facts.get(&ComparedFact::Event(EventKind::Deprecated))?.value;
    let known = view.event == Some(EventKind::Deprecated) && all.split(", ").any(|release| release == view.says);
    let text = format!(
        "{} has the deprecation in {} withdrawn in {}",
        view.other.title, view.says, back.value
    );
    (known && view.other_says != Some(view.says)).then_some((ReasonCode::TakenBack, text))
}

/// It is dated by its replacement.
fn replacement_available(view: &View<'_>) -> Reason {
    if view.event != Some(EventKind::Deprecated) {
        return None;
    }
    let mut claims = [view.claim, view.other_claim].into_iter().flatten();
    let stated = claims.find_map(|claim| claim.available.as_deref());
    let mut replacements = view.replacements();
    let replacement = replacements.find(|id| view.begun(id).or(stated) == Some(view.says))?;
    let text = format!("{} introduced its replacement, {replacement}", view.says);
    Some((ReasonCode::ReplacementAvailable, text))
}

/// It is dated by another version of the kind, which neither side names as its replacement.
fn newer_version(view: &View<'_>) -> Reason {
    if view.event != Some(EventKind::Deprecated) {
        return None;
    }
    let mut others = [view.other, view.side]
        .into_iter()
        .flat_map(|side| view.in_other_versions(side));
    let newer = others.find(|kind| view.begun(&kind.to_string()) == Some(view.says))?;
    let text = format!("{} introduced {}", view.says, newer.version);
    Some((ReasonCode::NewerVersion, text))
}

/// It is the release of another event: a deprecation dated at the removal, or a removal at the deprecation.
fn other_event(view: &View<'_>) -> Reason {
    let (event, code) = match view.event? {
        EventKind::Deprecated => (EventKind::Removed, ReasonCode::Removal),
        EventKind::Removed => (EventKind::Deprecated, ReasonCode::Deprecation),
        _ => return None,
    };
    let text = format!("{} has it {event} in {}", view.other.title, view.says);
    (view.other_claim?.when(event) == Some(view.says)).then_some((code, text))
}

/// It is the release in which it was introduced.
fn own_introduction(view: &View<'_>) -> Reason {
    let is_end = matches!(view.event?, EventKind::Deprecated | EventKind::Removed);
    let text = format!("{} introduced it", view.says);
    (is_end && view.begun(view.id) == Some(view.says)).then_some((ReasonCode::Introduction, text))
}

/// It is the release that the other side states for the kind in another version of the group.
fn of_another_version(view: &View<'_>) -> Reason {
    let event = view.event.filter(|event| *event != EventKind::Introduced)?;
    let mut others = view.in_other_versions(view.other);
    let kind = others.find(|kind| {
        let claim = view.other.claims.elements.get(&kind.to_string());
        claim.and_then(|claim| claim.when(event)) == Some(view.says)
    })?;
    let text = format!("{} has {kind} {event} in {}", view.other.title, view.says);
    Some((ReasonCode::OfAnotherVersion, text))
}

/// It is the release that the other side states for other kinds of the version.
fn of_its_version(view: &View<'_>) -> Reason {
    let KindPath { version, kind } = view.kind.as_ref()?;
    let event = view.event?;
    let Shared { count, examples } = view.other.shared(version, event, view.says)?;
    let example = examples.iter().flatten().find(|example| *example != kind)?;
    let and_more = match count.saturating_sub(1) {
        0 => String::new(),
        more => format!(" and {more} more of {version}"),
    };
    let text = format!("{} has {example}{and_more} {event} in {}", view.other.title, view.says);
    Some((ReasonCode::OfItsVersion, text))
}

/// One side plans what the other one has not declared yet.
fn still_to_come(view: &View<'_>) -> Reason {
    let current = view.other.claims.current.as_ref();
    let current = current.filter(|_| view.other_says.is_none())?;
    let (then, now) = (ReleaseName::parse(view.says)?, ReleaseName::parse(current)?);
    let text = format!(
        "{} has not shipped: the newest release of {} is {current}",
        view.says, view.other.title
    );
    (then > now).then_some((ReasonCode::StillToCome, text))
}

/// One is the release after the other.
fn next_release(view: &View<'_>) -> Reason {
    let (this, other) = (ReleaseName::parse(view.says)?, ReleaseName::parse(view.other_says?)?);
    let text = format!("{} is one release later than {}", view.side.title, view.other.title);
    (this == other.later(1)).then_some((ReasonCode::NextRelease, text))
}

/// One replacement was introduced after the deprecation, when there was another one.
fn came_later(view: &View<'_>) -> Reason {
    let mut claims = [view.claim, view.other_claim].into_iter().flatten();
    let deprecated = claims.find_map(|claim| claim.when(EventKind::Deprecated))?;
    let then = ReleaseName::parse(deprecated)?;
    let own = ReleaseName::parse(view.begun(view.says)?)?;
    let other = ReleaseName::parse(view.begun(view.other_says?)?)?;
    let text = format!(
        "{} was introduced in {own}, after the deprecation in {deprecated}",
        view.says
    );
    (own > then && other <= then).then_some((ReasonCode::CameLater, text))
}

/// The replacement is removed itself.
fn replacement_removed(view: &View<'_>) -> Reason {
    let [own, other] = [view.says, view.other_says?].map(|id| view.when(id, EventKind::Removed));
    let text = format!("{} is itself removed in {}", view.says, own?);
    other.is_none().then_some((ReasonCode::ReplacementRemoved, text))
}

/// Both name versions of one kind.
fn other_version_named(view: &View<'_>) -> Reason {
    let [Ok(ElementPath::Kind(own)), Ok(ElementPath::Kind(other))] =
        [view.says, view.other_says?].map(ElementPath::parse)
    else {
        return None;
    };
    let text = format!("both are versions of {} in {}", own.kind, own.version.group);
    let is_same = (own.version.group, own.kind) == (other.version.group, other.kind);
    is_same.then_some((ReasonCode::OtherVersionNamed, text))
}

/// The other side has a kind with nearly this name, which this side does not have.
fn misspelled(view: &View<'_>) -> Reason {
    let KindPath { version, kind } = view.kind.as_ref()?;
    let names = view.other.versions.get(version)?.iter().take(MOST_NAMES);
    let near = nearest(kind, names.map(|name| &**name))?;
    let near = version.clone().with_kind(near);
    let text = format!("{} has {near}: one of the two may be misspelled", view.other.title);
    (!view.side.has(&near)).then_some((ReasonCode::Misspelled, text))
}

/// The other side has the kind in other versions of the group.
fn other_version(view: &View<'_>) -> Reason {
    let kind = view.kind.as_ref()?;
    let version = elsewhere(view, &kind.kind).find(|version| version.group == kind.version.group)?;
    let text = format!("{} has it in {version}, not in this version", view.other.title);
    Some((ReasonCode::OtherVersion, text))
}

/// The replacement is the kind in another group, where the other side has it.
fn other_group(view: &View<'_>) -> Reason {
    let kind = view.kind.as_ref()?;
    let version = elsewhere(view, &kind.kind).find(|version| {
        let id = (*version).clone().with_kind(&*kind.kind).to_string();
        version.group != kind.version.group && view.replacements().any(|replacement| replacement == id)
    })?;
    let text = format!(
        "{} has it in another group only, as {version}, its replacement",
        view.other.title
    );
    Some((ReasonCode::OtherGroup, text))
}

/// The other side has nothing of the group.
fn group_unknown(view: &View<'_>) -> Reason {
    let group = &view.kind.as_ref()?.version.group;
    let is_unknown = view.other.claims.scope == Scope::Product && !view.other.has_group(group);
    let text = format!("{} has no group {group}", view.other.title);
    is_unknown.then_some((ReasonCode::GroupUnknown, text))
}

/// It is the type of lists of a kind that the other side has; models have kinds.
fn list_of_kind(view: &View<'_>) -> Reason {
    let KindPath { version, kind } = view.kind.as_ref()?;
    let single = kind.strip_suffix("List").filter(|single| !single.is_empty())?;
    let text = format!("it is a list of {single}, which {} has", view.other.title);
    let is_known = view.other.has(&version.clone().with_kind(single));
    is_known.then_some((ReasonCode::ListOfKind, text))
}

/// The versions in which the other side has a kind, if it covers a whole product.
fn elsewhere<'v>(view: &'v View<'_>, kind: &str) -> impl Iterator<Item = &'v VersionPath<'v>> {
    let versions = view.other.kinds.get(kind);
    let versions = versions.filter(|_| view.other.claims.scope == Scope::Product);
    versions.into_iter().flatten()
}

/// The list has no kind of the version.
fn version_unlisted(view: &View<'_>) -> Reason {
    let version = &view.kind.as_ref()?.version;
    let is_unlisted = view.other.claims.scope == Scope::Deprecations && !view.other.has_kinds_of(version);
    let text = format!("{} has nothing of {version}", view.other.title);
    is_unlisted.then_some((ReasonCode::VersionUnlisted, text))
}

/// It happens after the newest release of the list.
fn after_the_list(view: &View<'_>) -> Reason {
    let first = ReleaseName::parse(view.claim?.end()?)?;
    let newest = view.other.newest.as_ref();
    let newest = newest.filter(|_| view.other.claims.scope == Scope::Deprecations)?;
    let text = format!("{} names no release after {newest}", view.other.title);
    (first > *newest).then_some((ReasonCode::AfterTheList, text))
}
