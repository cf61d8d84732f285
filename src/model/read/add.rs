//! Adds elements to the model that is read, with their ids.

use crate::source::Span;
use crate::stability::Track;

use super::super::{Element, ElementId, ElementKind, ElementPath, MemberName};
use super::Reader;
use super::entry::EntryData;

impl Reader<'_> {
    /// Adds an element with the events that are pending.
    pub(super) fn add(
        &mut self,
        path: &ElementPath<'_>,
        parent: Option<ElementId>,
        span: Span,
        track: Track,
        entry: EntryData,
    ) -> ElementId {
        self.id.clear();
        let name_at = path.append_to(&mut self.id);
        self.add_named((path.element_kind(), name_at), parent, span, track, entry)
    }

    /// Adds a member of a kind, whose id begins with that of the kind.
    pub(super) fn add_member(
        &mut self,
        name: &MemberName<'_>,
        kind: ElementId,
        span: Span,
        track: Track,
        entry: EntryData,
    ) -> ElementId {
        self.id.clear();
        self.id.push_str(self.model.id(kind));
        let name_at = name.append_to(&mut self.id);
        self.add_named((name.element_kind(), name_at), Some(kind), span, track, entry)
    }

    /// Adds the element whose id was written.
    fn add_named(
        &mut self,
        (kind, name_at): (ElementKind, usize),
        parent: Option<ElementId>,
        span: Span,
        track: Track,
        entry: EntryData,
    ) -> ElementId {
        let element = ElementId(u32::try_from(self.model.elements.len()).unwrap_or(u32::MAX));
        let start = u32::try_from(self.model.declared.len()).unwrap_or(u32::MAX);
        let events = self.pending.drain(..).map(|mut declared| {
            declared.event.element = element;
            declared
        });
        self.model.declared_mut().extend(events);
        let end = u32::try_from(self.model.declared.len()).unwrap_or(u32::MAX);
        self.spend_on(self.id.len(), entry.attributes.as_deref(), span);
        self.model.elements_mut().push(Element {
            kind,
            name_at: u32::try_from(name_at).unwrap_or(u32::MAX),
            id: self.id.as_str().into(),
            parent,
            field: None,
            span,
            track,
            lives: entry.lives,
            foreign_lives: 0,
            part_lives: None,
            tag: entry.tag,
            events: (start, end),
            attributes: entry.attributes,
        });
        element
    }
}
