//! Elements by their ids, ids of elements, and elements beside one another.

use crate::diagnostic::nearest;

use super::{ElementId, ElementKind, Family, Group, Model};

/// What stands in an id between what an element is part of and its own name.
pub(super) fn separator(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::ApiVersion => "",
        ElementKind::ConfigVersion => "config ",
        ElementKind::Kind | ElementKind::ConfigKind => " ",
        ElementKind::Subresource => "/",
        ElementKind::Field | ElementKind::EnumValue => " .",
        ElementKind::Annotation => " @",
        ElementKind::Command | ElementKind::Flag => "cli ",
        ElementKind::Gate => "gate ",
        ElementKind::Metric => "metric ",
        ElementKind::Behavior => "behavior ",
    }
}

/// Ids that are named where one that is none may mean several.
const MOST_MEANT: usize = 5;

/// What an id ends in: the name of the element without what it is part of.
fn ending(id: &str) -> &str {
    id.rsplit([' ', '/']).next().unwrap_or(id)
}

impl Model {
    /// The id of an element, as reports, `why` and every message write it: `apps/v1 Deployment .spec.replicas`.
    pub fn id(&self, element: ElementId) -> &str {
        &self.element(element).id
    }

    /// The element with this id.
    pub fn find(&self, id: &str) -> Option<ElementId> {
        let by_id = self.by_id.get_or_init(|| {
            let mut all: Vec<ElementId> = self.elements().map(|(id, _)| id).collect();
            all.sort_by_key(|element| self.id(*element));
            all
        });
        let at = by_id.binary_search_by_key(&id, |element| self.id(*element)).ok()?;
        by_id.get(at).copied()
    }

    /// What may be meant by an id that no element has, as a question: ids that end in it, whatever their letters' case,
    /// or else the one that is spelt most like it, as a whole or in what it ends in. `None` if none is near.
    pub fn did_you_mean(&self, typed: &str) -> Option<String> {
        let same = |id: &&str| !typed.is_empty() && ending(id).eq_ignore_ascii_case(typed);
        let mut meant: Vec<&str> = self.ids().filter(same).take(MOST_MEANT).collect();
        if meant.is_empty() {
            meant.extend(nearest(typed, self.ids()));
        }
        if meant.is_empty()
            && let Some(near) = nearest(typed, self.ids().map(ending))
        {
            meant.extend(self.ids().filter(|id| ending(id) == near).take(MOST_MEANT));
        }
        let quoted: Vec<String> = meant.iter().map(|id| format!("`{id}`")).collect();
        let (last, others) = quoted.split_last()?;
        Some(match others {
            [] => format!("did you mean {last}?"),
            others => format!("did you mean {} or {last}?", others.join(", ")),
        })
    }

    /// All ids, in the order of the elements.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.elements().map(|(id, _)| self.id(id))
    }

    /// The group that a version, or a kind in one, belongs to.
    pub fn group_of(&self, element: ElementId) -> Option<&Group> {
        let element = self.element(element);
        let version = element.parent.map_or(element, |parent| self.element(parent));
        let family = match version.kind {
            ElementKind::ApiVersion => Family::Api,
            ElementKind::ConfigVersion => Family::Config,
            _ => return None,
        };
        let (name, _) = version.name().rsplit_once('/')?;
        let key = (family, name);
        let at = self
            .groups
            .binary_search_by(|group| (group.family, group.name.as_str()).cmp(&key))
            .ok()?;
        self.groups.get(at)
    }

    /// The element of a kind in a version of its group, by the kind's name.
    pub fn kind_in(&self, group: &Group, kind: &str, version: ElementId) -> Option<ElementId> {
        let at = group
            .kinds
            .binary_search_by(|known| known.name.as_str().cmp(kind))
            .ok()?;
        let version = group.versions.iter().position(|known| known.element == version)?;
        group.kinds[at].versions[version]
    }
}
