//! A document as written: every value with its place, and nothing about what it means.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value as Json};

use crate::source::Location;
use crate::text::Placed;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Entry>),
    Table(BTreeMap<String, Entry>),
}

/// The value of a key, or of an entry of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// Where the key stands, or the entry begins, in lines of its document; unknown in some JSON.
    pub(crate) place: Option<Location>,
    pub(crate) value: Tree,
}

impl Tree {
    /// The entry of a key; `null` is the same as none.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        let Self::Table(entries) = self else { return None };
        entries.get(key).filter(|entry| entry.value != Self::Null)
    }

    /// The value of a key; `null` is the same as none.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        Some(&self.entry(key)?.value)
    }

    /// The text of a key, empty without one.
    pub(crate) fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Self::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether a key is `true`.
    pub(crate) fn says(&self, key: &str) -> bool {
        self.get(key) == Some(&Self::Bool(true))
    }

    /// The entries of the list of a key.
    pub(crate) fn items(&self, key: &str) -> &[Entry] {
        match self.get(key) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }

    /// The entries of the table of a key.
    pub(crate) fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Entry)> {
        let entries = match self.get(key) {
            Some(Self::Table(entries)) => Some(entries),
            _ => None,
        };
        entries.into_iter().flatten().map(|(key, entry)| (key.as_str(), entry))
    }

    /// The texts of the list of a key.
    pub(crate) fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        self.items(key).iter().map(|item| match &item.value {
            Self::Text(text) => text.as_str(),
            _ => "",
        })
    }

    /// Whether it says what another one says: `null` is the same as an absent key, and places do not count.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(one), Self::List(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.value.same(&other.value))
            }
            (Self::Table(one), Self::Table(other)) => {
                one.iter().all(|(key, entry)| entry.is_same(other.get(key)))
                    && other
                        .iter()
                        .all(|(key, entry)| one.contains_key(key) || entry.value == Self::Null)
            }
            (one, other) => one == other,
        }
    }

    /// Adds the texts of keys that a table lacks.
    pub(crate) fn put_absent(&mut self, texts: &[(&str, String)]) {
        let Self::Table(entries) = self else { return };
        for (key, text) in texts {
            let entry = entries.entry((*key).to_owned()).or_insert(Entry {
                place: None,
                value: Self::Null,
            });
            if entry.value == Self::Null {
                entry.value = Self::Text(text.clone());
            }
        }
    }

    /// The value without places, and without some of its keys.
    pub(crate) fn json_without(&self, keys: &[&str]) -> Json {
        let mut value = self.json();
        if let Some(entries) = value.as_object_mut() {
            entries.retain(|key, _| !keys.contains(&key.as_str()));
        }
        value
    }

    /// The value without places.
    pub(crate) fn json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(*value),
            Self::Number(value) => Json::Number(value.clone()),
            Self::Text(text) => Json::String(text.clone()),
            Self::List(items) => Json::Array(items.iter().map(|item| item.value.json()).collect()),
            Self::Table(entries) => {
                let entries = entries.iter().map(|(key, entry)| (key.clone(), entry.value.json()));
                Json::Object(entries.collect::<Map<_, _>>())
            }
        }
    }
}

/// The value without places. JSON is not read as a tree at once: what finds places in YAML takes no tables in the lists
/// of JSON.
impl From<Json> for Tree {
    fn from(value: Json) -> Self {
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(value) => Self::Number(value),
            Json::String(text) => Self::Text(text),
            Json::Array(items) => Self::List(items.into_iter().map(Entry::from).collect()),
            Json::Object(entries) => {
                let entries = entries.into_iter().map(|(key, value)| (key, Entry::from(value)));
                Self::Table(entries.collect())
            }
        }
    }
}

impl From<Json> for Entry {
    fn from(value: Json) -> Self {
        Self {
            place: None,
            value: value.into(),
        }
    }
}

impl Entry {
    fn is_same(&self, other: Option<&Self>) -> bool {
        match other {
            Some(other) => self.value.same(&other.value),
            None => self.value == Tree::Null,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(value).map_or(Tree::Null, Tree::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(Placed { value, place }) = seq.next_element()? {
            items.push(Entry { place, value });
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(Placed { value: key, place }) = map.next_key()? {
            let value = map.next_value()?;
            entries.insert(key, Entry { place, value });
        }
        Ok(Tree::Table(entries))
    }
}
