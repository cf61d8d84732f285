//! Elements of kinds that are not built in: endpoints, symbols, whatever a policy or the model declares.

use std::collections::BTreeMap;

use crate::document::{Diagnostics, Document, Key, Table};
use crate::grammar::{ExtraKind, ExtraKinds};
use crate::stability::Track;

use super::super::{ElementKind, ElementPath, ExtraElement};
use super::Reader;

impl Reader<'_> {
    /// Reads the sections of all kinds.
    pub(super) fn extras(&mut self, roots: &[Table<'_>], kinds: &ExtraKinds) {
        for (position, kind) in kinds.iter().enumerate() {
            let mut seen: BTreeMap<&str, (Key<'_>, Table<'_>)> = BTreeMap::new();
            for root in roots {
                if let Some((_, value)) = root.get(&kind.name) {
                    self.gather(&mut seen, value);
                }
            }
            for (key, table) in seen.into_values() {
                self.extra((position, kind), key, table);
            }
        }
    }

    fn extra(&mut self, (position, kind): (usize, &ExtraKind), key: Key<'_>, table: Table<'_>) {
        if !kind.fits(key.name) {
            let message = format!("`{}` is not the name of a kind `{}`", key.name, kind.name);
            let help = format!("write it as {}", kind.form);
            self.diagnostics.at("name", key.span, message, help);
        }
        let class = self.class(kind, table);
        let track = kind.classes.get(class).map_or(Track::Ga, |(_, track)| *track);
        let entry = self.entry(table, ElementKind::Extra);
        let path = ElementPath::Extra {
            kind: kind.name.as_str().into(),
            name: key.name.into(),
        };
        let element = self.add(&path, None, key.span, track, entry);
        self.model.extras.push(ExtraElement {
            element,
            kind: position,
            class,
        });
    }

    fn class(&mut self, kind: &ExtraKind, table: Table<'_>) -> usize {
        let stage = table.get("stage").and_then(|(_, value)| value.word(self.diagnostics));
        let class = kind.class(stage.map(|word| word.text));
        if let (Some(word), None) = (stage, class) {
            let known: Vec<&str> = kind.classes.iter().map(|(class, _)| class.as_str()).collect();
            self.diagnostics
                .unknown_word("a class of its kind", word.text, word.span, &known);
        }
        class.unwrap_or_default()
    }
}

/// The kinds of the policy, and those that the model declares.
pub(super) fn with_kinds_of(
    documents: &[Document<'_>],
    mut kinds: ExtraKinds,
    diagnostics: &mut Diagnostics,
) -> ExtraKinds {
    for document in documents {
        document.kinds(&mut kinds, diagnostics);
    }
    kinds
}
