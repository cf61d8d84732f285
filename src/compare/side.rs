//! One of two sources, with its kinds in order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::{ElementPath, EventKind, KindPath, VersionPath};
use crate::release::ReleaseName;

use super::claims::{Claim, Claims, Subject};

pub(crate) struct Side<'c> {
    pub(crate) claims: &'c Claims,
    pub(crate) title: &'c str,
    pub(crate) versions: BTreeMap<VersionPath<'c>, Vec<Cow<'c, str>>>,
    pub(crate) kinds: BTreeMap<Cow<'c, str>, Vec<VersionPath<'c>>>,
    /// Kinds of one version to which the same happens in one release.
    shared: BTreeMap<(VersionPath<'c>, EventKind, &'c str), Shared<'c>>,
    /// The newest release of any deprecation or removal.
    pub(crate) newest: Option<ReleaseName>,
    groups: BTreeSet<Cow<'c, str>>,
}

/// Kinds of one version to which the same happens in one release.
#[derive(Default)]
pub(crate) struct Shared<'c> {
    pub(crate) count: usize,
    /// Two of them: one is left when the other is asked about.
    pub(crate) examples: [Option<Cow<'c, str>>; 2],
}

impl<'c> Side<'c> {
    pub(crate) fn of(claims: &'c Claims, title: &'c str) -> Self {
        let mut side = Self {
            claims,
            title,
            versions: BTreeMap::new(),
            kinds: BTreeMap::new(),
            shared: BTreeMap::new(),
            newest: None,
            groups: BTreeSet::new(),
        };
        for (id, claim) in &claims.elements {
            match ElementPath::parse(id) {
                Ok(ElementPath::Kind(kind)) => {
                    side.groups.insert(kind.version.group.clone());
                    if claim.subject == Subject::Kind {
                        side.add(kind, claim);
                    }
                }
                Ok(ElementPath::Version(version)) => drop(side.groups.insert(version.group)),
                _ => {}
            }
        }
        side
    }

    fn add(&mut self, path: KindPath<'c>, claim: &'c Claim) {
        let KindPath { version, kind } = path;
        for event in [EventKind::Introduced, EventKind::Deprecated, EventKind::Removed] {
            let Some(release) = claim.when(event) else { continue };
            let shared = self.shared.entry((version.clone(), event, release)).or_default();
            if let Some(free) = shared.examples.iter_mut().find(|example| example.is_none()) {
                *free = Some(kind.clone());
            }
            shared.count += 1;
            if event != EventKind::Introduced {
                self.newest = self.newest.take().max(ReleaseName::parse(release));
            }
        }
        self.versions.entry(version.clone()).or_default().push(kind.clone());
        self.kinds.entry(kind).or_default().push(version);
    }

    /// The claim about an element; about a kind without one, that of its version if it names no kinds.
    pub(crate) fn claim(&self, id: &str) -> Option<&'c Claim> {
        if let Some(own) = self.claims.elements.get(id) {
            return Some(own);
        }
        let Ok(ElementPath::Kind(kind)) = ElementPath::parse(id) else {
            return None;
        };
        let version = self.claims.elements.get(&kind.version.to_string());
        version.filter(|version| version.subject == Subject::BareVersion)
    }

    pub(crate) fn has(&self, kind: &KindPath<'_>) -> bool {
        self.claims.elements.contains_key(&kind.to_string())
    }

    /// Whether it has a version or kind of a group.
    pub(crate) fn has_group(&self, group: &str) -> bool {
        self.groups.contains(group)
    }

    pub(crate) fn has_kinds_of(&self, version: &VersionPath<'_>) -> bool {
        self.versions.contains_key(version)
    }

    /// The kinds of a version to which something happens in a release.
    pub(crate) fn shared(&self, version: &VersionPath<'c>, event: EventKind, release: &'c str) -> Option<&Shared<'c>> {
        self.shared.get(&(version.clone(), event, release))
    }
}
