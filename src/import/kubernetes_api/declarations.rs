//! What one Go file declares about API kinds.

use std::collections::BTreeMap;

use crate::grammar::CORE;
use crate::release::ReleaseName;
use crate::text::Unreadable;

use super::super::deprecation_lists::Api;

/// The declarations of one file that are about API kinds.
#[derive(Debug, Default)]
pub struct GoFile {
    pub(super) texts: BTreeMap<String, String>,
    /// Names that stand for group versions.
    pub(super) versions: BTreeMap<String, GroupVersion>,
    pub(super) registered: Vec<Registered>,
    pub(super) methods: BTreeMap<String, Vec<Method>>,
    /// Markers in comments above types, by type.
    pub(super) tags: BTreeMap<String, Tags>,
    pub(super) skipped: Vec<Unreadable>,
    /// The line of the last type that was read.
    pub(super) last_type: u32,
}

impl GoFile {
    pub(crate) fn is_empty(&self) -> bool {
        self.registered.is_empty() && self.methods.is_empty() && self.tags.is_empty()
    }
}

/// A name as it is written: itself, or something that stands for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    Text(String),
    /// Declared in the same package.
    Constant(String),
    /// Declared in another package.
    Foreign(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GroupVersion {
    Literal { group: Name, version: Name },
    Named(Name),
}

#[derive(Debug)]
pub(super) struct Registered {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) to: GroupVersion,
    pub(crate) kind: String,
    pub(crate) of_type: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Markers {
    pub(crate) introduced: Option<ReleaseName>,
    pub(crate) deprecated: Option<ReleaseName>,
    pub(crate) removed: Option<ReleaseName>,
    pub(crate) replacement: Option<Api>,
}

impl Markers {
    /// A marker by its name in comments, with its value as far as it can be read: a release, or a replacement.
    pub(super) fn one(name: &str, release: Option<ReleaseName>, replacement: Option<Api>) -> Option<Self> {
        let mut markers = Self::default();
        match name {
            "introduced" => markers.introduced = Some(release?),
            "deprecated" => markers.deprecated = Some(release?),
            "removed" => markers.removed = Some(release?),
            "replacement" => markers.replacement = Some(replacement?),
            _ => return None,
        }
        Some(markers)
    }

    /// Adds what others state and these do not.
    pub(super) fn or(&mut self, other: &Self) {
        *self = Self {
            introduced: self.introduced.take().or_else(|| other.introduced.clone()),
            deprecated: self.deprecated.take().or_else(|| other.deprecated.clone()),
            removed: self.removed.take().or_else(|| other.removed.clone()),
            replacement: self.replacement.take().or_else(|| other.replacement.clone()),
        };
    }
}

#[derive(Debug)]
pub(super) struct Method {
    pub(crate) line: u32,
    pub(crate) markers: Markers,
}

#[derive(Debug, Default)]
pub(super) struct Tags {
    pub(crate) line: u32,
    pub(crate) client: bool,
    pub(crate) markers: Markers,
}

/// A kind in a version, if all names can be used.
pub(super) fn api(group: &str, version: &str, kind: &str) -> Option<Api> {
    let group = if group.is_empty() { CORE } else { group };
    let all = [group, version, kind];
    let [group, version, kind] = all.map(str::to_owned);
    all.into_iter().all(is_name).then_some(Api { group, version, kind })
}

pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    !text.is_empty() && chars.all(|c| c.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&c))
}
