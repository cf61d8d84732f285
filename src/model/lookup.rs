//! Elements by their ids, and ids of elements.

use std::collections::HashMap;
use std::fmt;

use super::{ElementId, ElementKind, Model};

/// The id of an element, as reports, `why` and every message write it.
#[derive(Clone, Copy)]
pub struct Id<'m> {
    model: &'m Model,
    element: ElementId,
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = self.model.element(self.element);
        // A flag's own name holds its command's already.
        if let Some(parent) = element.parent.filter(|_| element.kind != ElementKind::Flag) {
            self.model.id(parent).fmt(f)?;
        }
        f.write_str(match element.kind {
            ElementKind::ApiVersion | ElementKind::ConfigVersion => "",
            ElementKind::Kind | ElementKind::ConfigKind => " ",
            ElementKind::Subresource => "/",
            ElementKind::Field | ElementKind::EnumValue => " .",
            ElementKind::Annotation => " @",
            ElementKind::Command | ElementKind::Flag => "cli ",
            ElementKind::Gate => "gate ",
            ElementKind::Metric => "metric ",
            ElementKind::Behavior => "behavior ",
        })?;
        f.write_str(&element.name)
    }
}

impl Model {
    /// The id of an element: `apps/v1 Deployment .spec.replicas`.
    pub fn id(&self, element: ElementId) -> Id<'_> {
        Id { model: self, element }
    }

    /// The element with this id.
    pub fn find(&self, id: &str) -> Option<ElementId> {
        self.index().get(id).copied()
    }

    /// All ids, in the order of the elements.
    pub fn ids(&self) -> impl Iterator<Item = String> {
        self.elements().map(|(id, _)| self.id(id).to_string())
    }

    fn index(&self) -> &HashMap<String, ElementId> {
        self.index
            .get_or_init(|| self.elements().map(|(id, _)| (self.id(id).to_string(), id)).collect())
    }
}
