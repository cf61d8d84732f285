//! Deprecations that name no replacement, and whether a version as stable serves each kind then.

use std::collections::HashMap;

use crate::model::{Declared, ElementId, Event, Group, Model};
use crate::obligation::{Demand, Obligations, Scope};

/// The most kinds without a successor that a finding names.
const MOST_NAMED: usize = 3;

/// Of each kind that a deprecation is about, whether it has a successor.
#[derive(Default)]
pub(super) struct Successors<'m>(Vec<(&'m Declared, ElementId, bool)>);

impl<'m> Successors<'m> {
    pub(super) fn add(&mut self, declared: &'m Declared, kind: ElementId, there: bool) {
        self.0.push((declared, kind, there));
    }

    /// Adds: each of them, which are of one group, has a successor.
    pub(super) fn state(&self, scope: &Scope<'_>, out: &mut Obligations, group: &Group) {
        let sizes = group.versions.iter();
        let sizes: HashMap<ElementId, usize> = sizes.map(|version| (version.element, version.kinds.len())).collect();
        let mut lacking: HashMap<Event, Vec<ElementId>> = HashMap::new();
        for (declared, kind, _) in self.0.iter().filter(|(.., there)| !there) {
            lacking.entry(declared.event).or_default().push(*kind);
        }
        let subjects: HashMap<Event, String> = lacking
            .into_iter()
            .map(|(deprecated, kinds)| {
                let size = sizes.get(&deprecated.element).copied();
                (deprecated, subject(scope.model, deprecated, &kinds, size))
            })
            .collect();
        for (declared, _, there) in &self.0 {
            let because = "a deprecation names what users should move to";
            let demand = Demand::Requires(*there);
            let obligation = scope.obligation("no-replacement", declared.event, demand, because);
            out.push(obligation.unless_declared(|obligation| {
                let subject = subjects.get(&declared.event).map_or("", String::as_str);
                let help = "declare its successor: `replacement = \"…\"`; if it has none, add an exception";
                obligation
                    .message(format!("{subject} deprecated without a successor"))
                    .help(help)
            }));
        }
    }
}

/// What is deprecated, with its verb: a kind, a version with so many kinds, or those of its kinds that have no
/// successor if others have one.
fn subject(model: &Model, deprecated: Event, kinds: &[ElementId], size: Option<usize>) -> String {
    if size.is_none_or(|size| kinds.len() >= size) {
        return format!("{} is", model.id(deprecated.element));
    }
    let names: Vec<&str> = kinds.iter().map(|kind| model.id(*kind)).collect();
    match names.split_last() {
        Some((only, [])) => format!("{only} is"),
        Some((last, others)) if names.len() <= MOST_NAMED => format!("{} and {last} are", others.join(", ")),
        _ => {
            let named = names[..MOST_NAMED].join(", ");
            format!("{named} and {} more are", names.len() - MOST_NAMED)
        }
    }
}
