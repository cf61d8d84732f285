//! Objects that others contain, such as the Pod in the template of a Deployment.

use std::collections::BTreeMap;

use super::path::steps;
use crate::document::{Diagnostics, Document};
use crate::grammar::{ElementPath, KindPath};

/// An object in another one.
#[derive(Debug)]
pub(crate) struct Part {
    /// Where it is.
    pub(crate) steps: Vec<String>,
    /// What it is.
    pub(crate) kind: KindPath<'static>,
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
            let Ok(ElementPath::Kind(kind)) = contained.name.parse() else {
                let message = format!("`{}` is no kind in a version", contained.name);
                diagnostics.at("id", contained.span, message, "write its id: \"core/v1 Pod\"");
                continue;
            };
            for (path, kinds) in places.entries() {
                for containing in kinds.words(diagnostics) {
                    self.0.entry(containing.text.to_owned()).or_default().push(Part {
                        steps: steps(path.name),
                        kind: kind.clone(),
                    });
                }
            }
        }
    }

    /// What objects of a kind contain.
    pub(crate) fn of(&self, kind: &KindPath<'_>) -> &[Part] {
        self.0.get(&kind.to_string()).map_or(&[], Vec::as_slice)
    }

    /// The ids of the kinds that contain others, with what they contain.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &[Part])> {
        self.0.iter().map(|(kind, parts)| (kind.as_str(), parts.as_slice()))
    }
}
