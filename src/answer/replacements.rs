//! What replaces what: as named, or as succession has it (P4).

use std::collections::HashMap;

use crate::derivation::Reasoning;
use crate::model::succession::{Succession, replacement_named};
use crate::model::{ElementId, Event, EventKind, Model};

/// Links of a chain that are followed at most.
const LONGEST_CHAIN: usize = 100;

/// Of each element that has one, its replacement.
#[derive(Debug)]
pub(super) struct Replacements(HashMap<ElementId, ElementId>);

impl Replacements {
    /// Works out the replacement of every element that is deprecated, or that names one.
    pub(super) fn of(reasoning: Reasoning<'_>) -> Self {
        let model = reasoning.model;
        let mut found = HashMap::new();
        for group in &model.groups {
            for succession in Succession::of(model, group) {
                for (at, element) in succession.line.iter().enumerate() {
                    if let Some(other) = in_line(reasoning, &succession, at) {
                        found.insert(*element, other);
                    }
                }
            }
            for version in group.versions.iter().filter(|version| !version.kinds.is_empty()) {
                if let Some(other) = of_version(model, &found, version.element, &version.kinds) {
                    found.insert(version.element, other);
                }
            }
        }
        for (id, element) in model.elements().filter(|(_, element)| element.attributes().is_some()) {
            let versioned = element.kind.is_kind() || element.kind.is_version();
            if let (false, Some(other)) = (versioned, replacement_named(model, id)) {
                found.insert(id, other);
            }
        }
        Self(found)
    }

    /// What replaces an element.
    pub(super) fn get(&self, element: ElementId) -> Option<ElementId> {
        self.0.get(&element).copied()
    }

    /// Where the chain of replacements ends; a ring ends before it closes.
    pub(super) fn end(&self, element: ElementId) -> Option<ElementId> {
        self.chain(element).last().copied()
    }

    /// What replaces an element, what replaces that, and so on; a ring ends before it closes.
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

/// Of one life in a line of versions: what its entry names, or the successor its deprecation is owed to.
fn in_line(reasoning: Reasoning<'_>, succession: &Succession, at: usize) -> Option<ElementId> {
    let model = reasoning.model;
    let element = succession.line[at];
    if let Some(named) = replacement_named(model, element) {
        return Some(named);
    }
    let life = model.lives(element) - 1;
    // What is removed without a word before is deprecated by that (rule 4a).
    let when = |what| reasoning.release(Event::new(element, life, what));
    let deprecated = when(EventKind::Deprecated).or_else(|| when(EventKind::Removed))?;
    succession.successor_at(model, at, deprecated).or_else(|| {
        let first = succession.first_successor(model, at)?;
        Some(first.element)
    })
}

fn of_version(
    model: &Model,
    found: &HashMap<ElementId, ElementId>,
    version: ElementId,
    kinds: &[ElementId],
) -> Option<ElementId> {
    replacement_named(model, version).or_else(|| {
        let targets = kinds.iter().filter_map(|kind| found.get(kind));
        targets.filter_map(|target| model.element(*target).parent).max()
    })
}
