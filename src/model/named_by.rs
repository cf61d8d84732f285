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

impl Model {
    /// The elements that refer to an element: kinds that it serves, elements that it gates or replaces, gates that
    /// depend on it.
    pub(crate) fn named_by(&self, element: ElementId) -> Vec<NamedBy> {
        let mut all = Vec::new();
        for (id, other) in self.elements() {
            let mut add = |how, span| all.push(NamedBy { element: id, how, span });
            if other.parent == Some(element) && other.kind.is_kind() {
                add("is served in it", other.span);
            }
            let Some(said) = other.attributes() else { continue };
            if let Some(gate) = said.gated_by.as_ref().filter(|gate| gate.target == Some(element)) {
                add("is gated by it", gate.span);
            }
            let own = said.replacement.as_ref();
            if let Some(replacement) = own.filter(|named| self.means(id, named, element)) {
                add("names it as its replacement", replacement.span);
            }
        }
        for gate in &self.gates {
            let named = gate.depends_on.iter().filter(|other| other.target == Some(element));
            all.extend(named.map(|other| NamedBy {
                element: gate.element,
                how: "depends on it",
                span: other.span,
            }));
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
        let kinds = self.groups.iter().flat_map(|group| &group.kinds);
        let found = kinds.flat_map(|kind| {
            let place = kind.members.iter().find_map(|member| {
                let at = member.versions.iter().position(|version| *version == Some(element))?;
                Some((member.reference(), at))
            });
            let stood_for = place.map(|(name, at)| {
                kind.members.iter().flat_map(move |member| {
                    let mut said = member.represented.iter();
                    let span = said
                        .find(|(version, other)| *version == at && *other.text == *name)
                        .map(|(_, other)| other.span);
                    let elements = member.versions.iter().flatten();
                    elements.filter_map(move |id| Some((*id, span?)))
                })
            });
            stood_for.into_iter().flatten()
        });
        found
            .map(|(element, span)| NamedBy {
                element,
                how: "is represented by it",
                span,
            })
            .collect()
    }
}
