//! What a model says about objects, as of a release.

use std::collections::BTreeMap;

use crate::diagnostic::{Severity, UsedEvent};

/// The API that a model declares, as of the release that objects are meant for.
#[derive(Debug)]
pub(crate) struct Surface {
    /// The versions by group and name.
    pub(crate) groups: BTreeMap<String, BTreeMap<String, VersionFate>>,
    /// The severity of each finding.
    pub(crate) severities: BTreeMap<&'static str, Severity>,
}

/// A version with what happens to it.
#[derive(Debug)]
pub(crate) struct VersionFate {
    pub(crate) fate: Fate,
    pub(crate) kinds: BTreeMap<String, KindFate>,
}

/// A kind in a version with what happens to it.
#[derive(Debug)]
pub(crate) struct KindFate {
    pub(crate) fate: Fate,
    /// Those of its fields, values and annotations to which something happens.
    pub(crate) members: Vec<Member>,
}

/// A member of a kind.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) fate: Fate,
    pub(crate) part: MemberPart,
    /// The field of the same kind that replaces it, by the steps of its path.
    pub(crate) replacement: Option<Vec<String>>,
}

/// How an object has a member.
#[derive(Debug)]
pub(crate) enum MemberPart {
    /// A field: the steps of its path.
    Field(Vec<String>),
    /// A value of a field.
    Value(Vec<String>, String),
    /// An annotation, by its key.
    Annotation(String),
}

/// What happens to an element by the release that objects are meant for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fate {
    /// The id of the element.
    pub(crate) id: String,
    pub(crate) deprecated: Option<UsedEvent>,
    pub(crate) removed: Option<UsedEvent>,
    /// The id of what replaces it, if that is not removed too.
    pub(crate) replacement: Option<String>,
    /// The id of what replaced it, and in which release that is removed too.
    pub(crate) lost_replacement: Option<(String, UsedEvent)>,
    /// Whether the release that objects come from lacks the replacement.
    pub(crate) is_replaced_later: bool,
    /// Whether the release that objects come from had all that happens to it already.
    pub(crate) is_old: bool,
}

impl Fate {
    /// Whether nothing happens to it.
    pub(crate) fn is_nothing(&self) -> bool {
        self.deprecated.is_none() && self.removed.is_none()
    }
}

/// What a group version is to the models.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer<'s> {
    /// No model has the group.
    Nothing,
    /// A model has the group, but not the version.
    Group,
    /// What happens to the kind, or to the version of a kind that the model does not list.
    Kind(&'s Surface, &'s Fate, &'s [Member]),
}

/// What the models say about a kind. Of several models the first one that has the group counts.
pub(crate) fn look_up<'s>(surfaces: &'s [Surface], group: &str, version: &str, kind: &str) -> Answer<'s> {
    let Some((surface, versions)) = surfaces
        .iter()
        .find_map(|surface| Some((surface, surface.groups.get(group)?)))
    else {
        return Answer::Nothing;
    };
    let Some(version) = versions.get(version) else {
        return Answer::Group;
    };
    if let Some(kind) = version.kinds.get(kind) {
        return Answer::Kind(surface, &kind.fate, &kind.members);
    }
    // What happens to a kind happens to lists of it.
    let item = kind.strip_suffix("List").and_then(|item| version.kinds.get(item));
    Answer::Kind(surface, item.map_or(&version.fate, |item| &item.fate), &[])
}
