//! Objects that others contain, such as the Pod in the template of a Deployment.

use std::collections::BTreeMap;

use super::path::steps;
use crate::document::{Diagnostics, Document};

/// An object in another one.
#[derive(Debug)]
pub(crate) struct Part {
    /// Where it is.
    pub(crate) steps: Vec<String>,
    /// What it is: group, version and kind.
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

/// Which kinds contain objects of others, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Contained(BTreeMap<String, Vec<Part>>);

impl Contained {
    /// Adds a list: by what is contained and where, the kinds that contain it.
    pub(crate) fn add_list(&mut self, document: &Document<'_>, diagnostics: &mut Diagnostics) {
        for error in document.syntax_errors() {
            diagnostics.push(error.clone());
        }
        for (contained, places) in document.root().entries() {
            let Some(places) = places.table(diagnostics) else {
                continue;
            };
            let (version, kind) = contained.name.split_once(' ').unwrap_or_default();
            let (group, version) = version.split_once('/').unwrap_or_default();
            for (path, kinds) in places.entries() {
                for containing in kinds.words(diagnostics) {
                    self.0.entry(containing.text.to_owned()).or_default().push(Part {
                        steps: steps(path.name),
                        group: group.to_owned(),
                        version: version.to_owned(),
                        kind: kind.to_owned(),
                    });
                }
            }
        }
    }

    /// What objects of a kind contain.
    pub(crate) fn of(&self, kind: &str) -> &[Part] {
        self.0.get(kind).map_or(&[], Vec::as_slice)
    }
}
