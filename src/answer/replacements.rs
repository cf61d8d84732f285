//! Replacements: as declared, or by succession (P4).

use crate::derivation::Reasoning;
use crate::model::succession::{Succession, replacement_named};
use crate::model::{ElementId, Event, EventKind, Model};

/// The most links of a chain that are followed.
const LONGEST_CHAIN: usize = 100;

/// The replacement of each element that has one, by the element's position.
#[derive(Debug)]
pub(super) struct Replacements(Vec<Option<ElementId>>);

impl Replacements {
    /// The replacement of every element that is deprecated or names one.
    pub(super) fn of(reasoning: Reasoning<'_>) -> Self {
        let model = reasoning.model;
        let mut replacements = Self(vec![None; model.elements().len()]);
        for group in &model.groups {
            for succession in Succession::of(model, group) {
                for (at, element) in succession.line.iter().enumerate() {
                    if let Some(other) = in_line(reasoning, &succession, at) {
                        replacements.set(*element, other);
                    }
                }
            }
            for version in group.versions.iter().filter(|version| !version.kinds.is_empty()) {
                if let Some(other) = of_version(model, &replacements, version.element, &version.kinds) {
                    replacements.set(version.element, other);
                }
            }
        }
        for (id, element) in model.elements().filter(|(_, element)| element.attributes().is_some()) {
            let versioned = element.kind.is_kind() || element.kind.is_version();
            if let (false, Some(other)) = (versioned, replacement_named(model, id)) {
                replacements.set(id, other);
            }
        }
        replacements
    }

    pub(super) fn get(&self, element: ElementId) -> Option<ElementId> {
        self.0[element.0 as usize]
    }

    fn set(&mut self, element: ElementId, replacement: ElementId) {
        self.0[element.0 as usize] = Some(replacement);
    }

    /// The end of the chain of replacements; a ring ends before it closes.
    pub(super) fn end(&self, element: ElementId) -> Option<ElementId> {
        self.chain(element).last().copied()
    }

    /// The replacement of an element, the replacement of that, and so on; a ring ends before it closes.
    pub(super) fn chain(&self, element: ElementId) -> Vec<ElementId> {
        let mut chain = vec![element];
        let mut last = element;
        while let Some(next) = self.get(last) {
            if chain.contains(&next) || chain.len() > LONGEST_CHAIN {
                break;
            }
            chain.push(next);
            last = next;
        }
        chain.split_off(1)
    }
}

/// The replacement in a line of versions: what the entry names, or the successor at its deprecation.
fn in_line(reasoning: Reasoning<'_>, succession: &Succession, at: usize) -> Option<ElementId> {
    let model = reasoning.model;
    let element = succession.line[at];
    if let Some(named) = replacement_named(model, element) {
        return Some(named);
    }
    let life = model.lives(element) - 1;
    // A removal without a deprecation deprecates as well (rule 4a).
    let events = [EventKind::Deprecated, EventKind::Removed].map(|what| Event::new(element, life, what));
    let deprecated = events.into_iter().find_map(|event| reasoning.release(event))?;
    succession.successor_at(model, at, deprecated).or_else(|| {
        let first = succession.first_successor(model, at)?;
        Some(first.element)
    })
}

fn of_version(
    model: &Model,
    replacements: &Replacements,
    version: ElementId,
    kinds: &[ElementId],
) -> Option<ElementId> {
    replacement_named(model, version).or_else(|| {
        let targets = kinds.iter().filter_map(|kind| replacements.get(*kind));
        targets.filter_map(|target| model.element(target).parent).max()
    })
}
