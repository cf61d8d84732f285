//! The elements whose events cannot have moved: of most elements nothing has changed that could move one.

use crate::model::{ElementId, Model};

use super::events::Events;

/// Which elements of the changed model are still.
pub(super) struct Still(Vec<bool>);

impl Still {
    /// An element is still if it and all that it is part of, or made of, have the same declarations and the same plan
    /// in both states. `twins` are the elements of the model as it was, with the same ids.
    pub(super) fn of(
        (was, before): (&Events<'_>, &Model),
        (is, after): (&Events<'_>, &Model),
        twins: &[Option<ElementId>],
    ) -> Self {
        if !before.calendar.names_the_same(&after.calendar) {
            return Self(vec![false; twins.len()]);
        }
        let own = after.elements().zip(twins);
        let own = own.map(|((id, _), twin)| {
            let twin = twin.filter(|_| after.judges(id));
            twin.is_some_and(|twin| is.is_own_same(id, was, twin))
        });
        let own: Vec<bool> = own.collect();
        let mut still: Vec<bool> = after
            .elements()
            .map(|(id, _)| stays_with_owners(after, &own, id))
            .collect();
        let versions = after.judged_groups().flat_map(|group| &group.versions);
        for version in versions.filter(|version| !version.kinds.is_empty()) {
            // Of several lives, which one is the version's last may depend on what the law permits.
            let mut kinds = version.kinds.iter();
            let kinds = kinds.all(|kind| still[kind.0 as usize] && after.lives(*kind) == 1);
            let twin = twins[version.element.0 as usize].and_then(|twin| before.version_of(twin));
            still[version.element.0 as usize] &=
                kinds && twin.is_some_and(|twin| twin.kinds.len() == version.kinds.len());
        }
        Self(still)
    }

    pub(super) fn has(&self, id: ElementId) -> bool {
        self.0[id.0 as usize]
    }
}

/// Whether an element and all that it is part of have what they had.
fn stays_with_owners(model: &Model, own: &[bool], id: ElementId) -> bool {
    let mut next = Some(id);
    while let Some(at) = next {
        if !own[at.0 as usize] {
            return false;
        }
        next = model.owner(at).or(model.element(at).parent);
    }
    true
}
