//! Kinds of elements beside the built-in ones: those of [`PRESET`], and those that a policy or a model declares with
//! `[element-kind.NAME]`. The elements of each are in the section of its name, and have the keys of flags.

use crate::stability::Track;

use super::ElementKind;
use super::keys::{FILE, names};

/// A kind of element that is no row of [`ElementKind`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraKind {
    /// Its section of the model file, which is also the first word of its ids: `endpoint`.
    pub(crate) name: String,
    /// What one element of it is called: `HTTP endpoint`.
    pub(crate) word: String,
    /// What they are called together, above lists: `HTTP endpoints`.
    pub(crate) title: String,
    /// The form of their names, word by word: `METHOD PATH`.
    pub(crate) form: String,
    /// The classes that `stage` names, least stable first, each with the level that it is compared at.
    pub(crate) classes: Vec<(String, Track)>,
}

/// The kinds that need no declaration: name, word, title, and the form of names.
const PRESET: [[&str; 4]; 7] = [
    ["endpoint", "HTTP endpoint", "HTTP endpoints", "METHOD PATH"],
    ["parameter", "parameter", "Parameters", "METHOD PATH NAME"],
    ["env-var", "environment variable", "Environment variables", "NAME"],
    ["config-key", "configuration key", "Configuration keys", "NAME"],
    ["symbol", "symbol", "Library symbols", "NAME"],
    ["error-code", "error code", "Error codes", "NAME"],
    ["file-format", "file format", "File formats", "NAME"],
];

/// The classes of a kind that declares none.
const CLASSES: [(&str, Track); 3] = [("alpha", Track::Alpha), ("beta", Track::Beta), ("GA", Track::Ga)];

/// The kinds that a model may use beside the built-in ones, in the order of their elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraKinds(Vec<ExtraKind>);

impl Default for ExtraKinds {
    fn default() -> Self {
        let preset = PRESET.map(|[name, word, title, form]| ExtraKind {
            word: word.to_owned(),
            title: title.to_owned(),
            form: form.to_owned(),
            ..ExtraKind::named(name)
        });
        Self(preset.into())
    }
}

impl ExtraKinds {
    /// Adds a kind, or replaces the one of its name.
    pub(crate) fn add(&mut self, kind: ExtraKind) {
        match self.0.iter_mut().find(|known| known.name == kind.name) {
            Some(known) => *known = kind,
            None => self.0.push(kind),
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &ExtraKind> {
        self.0.iter()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&ExtraKind> {
        self.0.iter().find(|kind| kind.name == name)
    }

    pub(crate) fn at(&self, position: usize) -> Option<&ExtraKind> {
        self.0.get(position)
    }
}

impl ExtraKind {
    /// A kind of which only the name is known.
    pub(crate) fn named(name: &str) -> Self {
        let word = name.replace('-', " ");
        Self {
            name: name.to_owned(),
            title: plural(&word),
            word,
            form: "NAME".to_owned(),
            classes: CLASSES.map(|(class, track)| (class.to_owned(), track)).into(),
        }
    }

    /// The class that an entry names; the last one if it names none.
    pub(crate) fn class(&self, stage: Option<&str>) -> Option<usize> {
        match stage {
            Some(stage) => self.classes.iter().position(|(class, _)| class == stage),
            None => self.classes.len().checked_sub(1),
        }
    }

    /// Whether a name has as many words as the form; a form of one word allows any name.
    pub(crate) fn fits(&self, name: &str) -> bool {
        let words = self.form.split(' ').count();
        words == 1 || name.split(' ').filter(|word| !word.is_empty()).count() == words
    }
}

/// The heading above elements of one kind, by what one of them is called.
pub(crate) fn plural(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).chain(['s']).collect()
}

/// Whether a text can name a kind: `endpoint`, `webhook-event`. The words of built-in sections cannot.
pub(crate) fn can_name_kind(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    begins && text.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-')) && !names(FILE).contains(&text)
}

/// What lists of a kind are called, by its name alone: the title of a kind of the preset, or the name.
pub(crate) fn preset_title(name: &str) -> Option<&'static str> {
    PRESET
        .iter()
        .find(|[known, ..]| *known == name)
        .map(|[_, _, title, _]| *title)
}

/// The name of a kind of element, as reports write it: `api-version`, `cli-flag`, `endpoint`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindName<'a> {
    /// The row of the table that it is, or belongs to.
    pub row: ElementKind,
    name: &'a str,
}

impl<'a> KindName<'a> {
    /// The name of the kind of the element with this id.
    pub(crate) fn of(kind: ElementKind, id: &'a str) -> Self {
        let name = match kind {
            ElementKind::Extra => id.split_once(' ').map_or(id, |(name, _)| name),
            built_in => built_in.as_str(),
        };
        Self { row: kind, name }
    }

    /// As reports write it.
    pub fn as_str(self) -> &'a str {
        self.name
    }
}

impl serde::Serialize for KindName<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

#[cfg(test)]
impl schemars::JsonSchema for KindName<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "KindName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The name of a kind of element: `api-version`, `cli-flag`, `endpoint`.",
            "type": "string",
        })
    }
}
