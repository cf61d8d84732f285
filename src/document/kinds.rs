//! The kinds of elements that a policy or a model declares: `[element-kind.webhook-event]`.

use crate::grammar::{EXTRA_KIND, ExtraKind, ExtraKinds, can_name_kind, names, plural};
use crate::source::Span;
use crate::stability::Track;

use super::{Diagnostics, Document, Key, Table, Value};

/// The most letters of a kind's names and of those of its classes: answers repeat them for each element.
const LONGEST_NAME: usize = 100;

impl Document<'_> {
    /// Adds the kinds that this file declares.
    pub(crate) fn kinds(&self, kinds: &mut ExtraKinds, diagnostics: &mut Diagnostics) {
        let Some((_, value)) = self.root().get("element-kind") else {
            return;
        };
        for (key, value) in value.table(diagnostics).into_iter().flat_map(|table| table.entries()) {
            if let Some(table) = value.table(diagnostics)
                && is_name(&key, diagnostics)
            {
                // What a table leaves out of a kind that is known stays.
                let known = kinds.find(key.name).cloned();
                let kind = read(known.unwrap_or_else(|| ExtraKind::named(key.name)), table, diagnostics);
                kinds.add(kind);
            }
        }
    }
}

fn is_name(key: &Key<'_>, diagnostics: &mut Diagnostics) -> bool {
    if is_too_long(key.name, key.span, diagnostics) {
        return false;
    }
    if can_name_kind(key.name) {
        return true;
    }
    let message = format!("`{}` cannot name a kind of elements", key.name);
    let help = "use small letters, digits and dashes, and no word of another section: `webhook-event`";
    diagnostics.at("name", key.span, message, help);
    false
}

fn read(mut kind: ExtraKind, table: Table<'_>, diagnostics: &mut Diagnostics) -> ExtraKind {
    let mut has_title = false;
    for (key, value) in table.entries() {
        match key.name {
            "word" => kind.word = words(value, diagnostics).unwrap_or(kind.word),
            "title" => {
                has_title = true;
                kind.title = words(value, diagnostics).unwrap_or(kind.title);
            }
            "id" => kind.form = words(value, diagnostics).unwrap_or(kind.form),
            "classes" => {
                let classes = classes(value, diagnostics);
                if !classes.is_empty() {
                    kind.classes = classes;
                }
            }
            _ => diagnostics.unknown_key(&key, &names(EXTRA_KIND)),
        }
    }
    if table.get("word").is_some() && !has_title {
        kind.title = plural(&kind.word);
    }
    kind
}

/// Words with one space between them.
fn words(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<String> {
    let word = value.word(diagnostics)?;
    let text: Vec<&str> = word.text.split_whitespace().collect();
    if text.is_empty() {
        diagnostics.at(
            "name",
            word.span,
            "a name is empty",
            "give it a name, or delete the key",
        );
        return None;
    }
    (!is_too_long(word.text, word.span, diagnostics)).then(|| text.join(" "))
}

fn is_too_long(name: &str, span: Span, diagnostics: &mut Diagnostics) -> bool {
    let letters = name.chars().count();
    if letters > LONGEST_NAME {
        let message = format!("a name of {letters} letters, more than {LONGEST_NAME}");
        diagnostics.at("too-many", span, message, "give it a shorter name");
    }
    letters > LONGEST_NAME
}

fn classes(value: Value<'_>, diagnostics: &mut Diagnostics) -> Vec<(String, Track)> {
    let Some(table) = value.table(diagnostics) else {
        return Vec::new();
    };
    let mut classes = Vec::new();
    for (key, value) in table.entries() {
        let Some(word) = value.word(diagnostics) else { continue };
        if is_too_long(key.name, key.span, diagnostics) {
            continue;
        }
        match Track::parse(word.text) {
            Some(track) => classes.push((key.name.to_owned(), track)),
            None => diagnostics.unknown_word("a stage", word.text, word.span, &["alpha", "beta", "GA"]),
        }
    }
    if table.entries().next().is_none() {
        let help = "name one: `classes = { stable = \"GA\" }`, or delete the key";
        diagnostics.at("classes", value.span(), "a kind has at least one class", help);
    }
    classes.sort_by_key(|(_, track)| *track);
    classes
}
