//! Elements by their ids, and how elements relate.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostic::nearest;
use crate::grammar::heading;
use crate::release::Release;

use super::{ElementId, ElementPath, EventKind, Group, Kind, Model, Version, VersionPath};

/// The most ids that a suggestion names.
const MOST_MEANT: usize = 5;

impl Model {
    /// The id of an element, as reports, `why` and every message write it: `apps/v1 Deployment .spec.replicas`.
    pub fn id(&self, element: ElementId) -> &str {
        &self.element(element).id
    }

    /// The heading under which lists show an element, and the rest of its id.
    pub(crate) fn heading(&self, element: ElementId) -> (&str, &str) {
        let (group, rest) = heading(self.id(element));
        (self.extra(element).map_or(group, |(kind, _)| &kind.title), rest)
    }

    /// The element with this id.
    pub fn find(&self, id: &str) -> Option<ElementId> {
        let path = ElementPath::parse(id).ok();
        let whole = path
            .as_ref()
            .filter(|path| path.version().is_some() && path.member().is_none());
        // Versions and kinds need no list of all ids.
        let whole = whole.and_then(|path| self.find_path(path));
        let found = whole.filter(|found| self.id(*found) == id);
        // A name may be quoted where it need not be.
        found
            .or_else(|| self.find_written(id))
            .or_else(|| self.find_path(&path?))
    }

    /// The element with this id, or else those whose id ends in it after the group's name (`v1beta1 Widget`), or else
    /// those whose last name it is (`Widget`, or `Frobber2D` for `gate Frobber2D`).
    pub fn find_abbreviated(&self, id: &str) -> Vec<ElementId> {
        if let Some(element) = self.find(id) {
            return vec![element];
        }
        let ending = format!("/{id}");
        let elements = self.elements().filter(|_| !id.is_empty());
        let ends = elements
            .clone()
            .filter(|(element, _)| self.id(*element).ends_with(&ending));
        let found: Vec<ElementId> = ends.map(|(element, _)| element).collect();
        if !found.is_empty() {
            return found;
        }
        let named = elements.filter(|(_, element)| element.path().last_name() == id);
        named.map(|(element, _)| element).collect()
    }

    /// The element with an id of these parts.
    pub fn find_path(&self, path: &ElementPath<'_>) -> Option<ElementId> {
        let Some(version) = path.version().filter(|_| path.member().is_none()) else {
            return self.find_written(&path.to_string());
        };
        // Most references name versions and kinds. Groups are sorted, so these need no list of all ids.
        let group = self.group(version)?;
        let mut versions = group.versions.iter();
        let element = versions.find(|known| known.name.as_str() == version.version)?.element;
        match path.kind() {
            Some(kind) => Self::kind_in(group, &kind.kind, element),
            None => Some(element),
        }
    }

    /// Of each judged element of this model, the one of another model with the same id. Most are in the same order in
    /// both.
    pub(crate) fn twins_in(&self, other: &Self) -> Vec<Option<ElementId>> {
        if Arc::ptr_eq(&self.elements, &other.elements) {
            let all = self.elements().map(|(id, _)| id);
            return all
                .map(|id| Some(id).filter(|id| self.judges(*id) && other.judges(*id)))
                .collect();
        }
        let others: Vec<ElementId> = other.judged().collect();
        let mut next = 0;
        let twins = self.elements().map(|(id, _)| {
            let id = Some(id).filter(|id| self.judges(*id)).map(|id| self.id(id))?;
            let follows = others.get(next).copied().filter(|twin| other.id(*twin) == id);
            let twin = follows.or_else(|| other.find(id))?;
            next = match follows {
                Some(_) => next + 1,
                None => others.partition_point(|known| *known <= twin),
            };
            Some(twin)
        });
        twins.collect()
    }

    fn find_written(&self, id: &str) -> Option<ElementId> {
        let by_id = self.by_id.get_or_init(|| {
            let mut all: Vec<ElementId> = self.elements().map(|(id, _)| id).collect();
            all.sort_by_key(|element| self.id(*element));
            all
        });
        let at = by_id.binary_search_by_key(&id, |element| self.id(*element)).ok()?;
        by_id.get(at).copied()
    }

    /// A question that names ids near one that no element has: ids whose last name it is, whatever the case of its
    /// letters, or else the id, or the last name, that is spelt most like it. `None` if none is near.
    pub fn did_you_mean(&self, typed: &str) -> Option<String> {
        let mut meant = self.ids_with_last_name(typed);
        if meant.is_empty() {
            meant.extend(nearest(typed, self.ids()));
        }
        if meant.is_empty() {
            let paths: Vec<ElementPath<'_>> = self.elements().map(|(_, element)| element.path()).collect();
            let names: Vec<Cow<'_, str>> = paths.iter().map(ElementPath::last_name).collect();
            meant = self.ids_with_last_name(nearest(typed, names.iter().map(AsRef::as_ref))?);
        }
        let quoted: Vec<String> = meant.iter().map(|id| format!("`{id}`")).collect();
        let (last, others) = quoted.split_last()?;
        Some(match others {
            [] => format!("did you mean {last}?"),
            others => format!("did you mean {} or {last}?", others.join(", ")),
        })
    }

    fn ids_with_last_name(&self, name: &str) -> Vec<&str> {
        let named = self
            .elements()
            .filter(|(_, element)| !name.is_empty() && element.path().last_name().eq_ignore_ascii_case(name));
        named.map(|(id, _)| self.id(id)).take(MOST_MEANT).collect()
    }

    /// All ids, in the order of the elements.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.elements().map(|(id, _)| self.id(id))
    }

    /// The group that a version, or a kind in one, belongs to.
    pub(crate) fn group_of(&self, element: ElementId) -> Option<&Group> {
        let path = self.element(element).path();
        self.group(path.version().filter(|_| path.member().is_none())?)
    }

    /// The version that an element is, or that a kind is in.
    pub(crate) fn version_of(&self, element: ElementId) -> Option<&Version> {
        let of = Some(self.element(element));
        let version = of
            .filter(|of| of.kind.is_kind())
            .map_or(Some(element), |of| of.parent)?;
        let mut versions = self.group_of(element)?.versions.iter();
        versions.find(|known| known.element == version)
    }

    /// The elements whose lives count for an element: the kinds of a version that has any, otherwise itself.
    pub(crate) fn served_by(&self, element: ElementId) -> Vec<ElementId> {
        let is_version = self.element(element).kind.is_version();
        let version = Some(element).filter(|_| is_version).and_then(|id| self.version_of(id));
        version.map_or_else(|| vec![element], |version| version.served().to_vec())
    }

    /// The release that ends an element, if it is declared; of a version, that of the kind that is removed last.
    pub(crate) fn declared_end(&self, element: ElementId) -> Option<Release> {
        let parts = self.served_by(element).into_iter();
        let ends = parts.map(|part| self.declared_release(self.last_event(part, EventKind::Removed)));
        let ends: Option<Vec<Release>> = ends.collect();
        ends?.into_iter().max()
    }

    /// The release from which an element is declared to be deprecated: of a version by its entry, or once all its kinds
    /// are.
    pub(crate) fn deprecated_since(&self, element: ElementId) -> Option<Release> {
        let own = self.deprecation(element, self.last_life(element));
        let kinds = self.served_by(element);
        if own.is_some() || kinds == [element] {
            return own.map(|own| own.release);
        }
        let since = kinds
            .into_iter()
            .map(|kind| Some(self.deprecation(kind, self.last_life(kind))?.release));
        since.collect::<Option<Vec<Release>>>()?.into_iter().max()
    }

    fn group(&self, version: &VersionPath<'_>) -> Option<&Group> {
        self.groups.get(self.group_position(version)?)
    }

    pub(super) fn group_position(&self, version: &VersionPath<'_>) -> Option<usize> {
        let key = (version.family, &*version.group);
        let groups = &self.groups;
        groups
            .binary_search_by(|group| (group.family, group.name.as_str()).cmp(&key))
            .ok()
    }

    pub(super) fn kind_position(group: &Group, kind: &str) -> Option<usize> {
        group.kinds.binary_search_by(|known| known.name.as_str().cmp(kind)).ok()
    }

    /// The kind that an element is, across the versions of its group.
    pub(crate) fn kind_of(&self, element: ElementId) -> Option<&Kind> {
        let path = self.element(element).path();
        let name = &path.kind().filter(|_| path.member().is_none())?.kind;
        let group = self.group_of(element)?;
        group.kinds.get(Self::kind_position(group, name)?)
    }

    /// The element of a kind in a version of its group, by the kind's name.
    pub(crate) fn kind_in(group: &Group, kind: &str, version: ElementId) -> Option<ElementId> {
        let at = group
            .kinds
            .binary_search_by(|known| known.name.as_str().cmp(kind))
            .ok()?;
        let version = group.versions.iter().position(|known| known.element == version)?;
        group.kinds[at].versions[version]
    }
}
