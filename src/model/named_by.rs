//! Who refers to an element, and would refer to nothing after its removal.

use crate::source::Span;

use super::succession::in_kind;
use super::{ElementId, Model, Reference};

/// An element that refers to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedBy {
    /// Who.
    pub(crate) element: ElementId,
    /// How: "is gated by it".
    pub(crate) how: &'static str,
    /// Where.
    pub(crate) span: Span,
}

impl NamedBy {
    fn new(element: ElementId, how: &'static str, span: Span) -> Self {
        Self { element, how, span }
    }
}

impl Model {
    /// The elements that refer to an element: kinds that it serves, elements that it gates or replaces, gates that
    /// depend on it.
    pub(crate) fn named_by(&self, element: ElementId) -> Vec<NamedBy> {
        let mut all = Vec::new();
        for (id, other) in self.elements() {
            if other.parent == Some(element) && other.kind.is_kind() {
                all.push(NamedBy::new(id, "is served in it", other.span));
            }
            let Some(attributes) = other.attributes() else { continue };
            let gate = attributes.gated_by.iter().filter(|gate| gate.target == Some(element));
            all.extend(gate.map(|gate| NamedBy::new(id, "is gated by it", gate.span)));
            let own = attributes.replacement.iter();
            let own = own.filter(|named| self.means(id, named, element));
            all.extend(own.map(|own| NamedBy::new(id, "names it as its replacement", own.span)));
        }
        for gate in &self.gates {
            let named = gate.depends_on.iter().filter(|other| other.target == Some(element));
            all.extend(named.map(|other| NamedBy::new(gate.element, "depends on it", other.span)));
        }
        all.extend(self.represented_by(element));
        all
    }

    /// Whether a replacement means an element: by its id, as a kind of the version it names, or as the same kind there.
    fn means(&self, namer: ElementId, named: &Reference, element: ElementId) -> bool {
        let Some(target) = named.target else { return false };
        let versions = self.group_of(namer).into_iter().flat_map(|group| &group.versions);
        let mut kinds = versions
            .filter(|known| known.element == namer)
            .flat_map(|known| &known.kinds);
        target == element
            || self.element(target).parent == Some(element) && self.element(target).kind.is_kind()
            || in_kind(self, namer, target) == Some(element)
            || kinds.any(|kind| in_kind(self, *kind, target) == Some(element))
    }

    /// Members of other versions that an element represents.
    fn represented_by(&self, element: ElementId) -> Vec<NamedBy> {
        let mut all = Vec::new();
        for kind in self.groups.iter().flat_map(|group| &group.kinds) {
            let own = kind.members.iter().find_map(|member| {
                let at = member.versions.iter().position(|version| *version == Some(element))?;
                Some((member.reference(), at))
            });
            let Some((name, at)) = own else { continue };
            for member in &kind.members {
                let mut names = member.represented.iter();
                let Some((_, by)) = names.find(|(version, by)| *version == at && *by.text == *name) else {
                    continue;
                };
                let elements = member.versions.iter().flatten();
                all.extend(elements.map(|id| NamedBy::new(*id, "is represented by it", by.span)));
            }
        }
        all
    }
}
