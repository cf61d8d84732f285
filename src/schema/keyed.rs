//! Tables of which every key is taken, known or not.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;

/// What is read key by key. `null` stands for a table without keys, as it does for Kubernetes.
pub(super) trait Keyed: Default {
    /// Takes the value of a key.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error>;
}

/// Reads a table.
pub(super) fn table<'de, T: Keyed, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Table(PhantomData))
}

struct Table<T>(PhantomData<T>);

impl<'de, T: Keyed> Visitor<'de> for Table<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut read = T::default();
        while let Some(key) = map.next_key::<String>()? {
            read.take(key, &mut map)?;
        }
        Ok(read)
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }
}

/// The value of a key; `None` for `null`.
pub(super) fn value<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: &mut A) -> Result<Option<T>, A::Error> {
    map.next_value()
}

/// The value of a key as it is written; `None` for `null`.
pub(super) fn raw<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<Json>, A::Error> {
    let value: Json = map.next_value()?;
    Ok((!value.is_null()).then_some(value))
}

/// A text that is one as it is written: the reader of YAML makes texts of numbers too, which servers refuse.
pub(super) struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordVisitor)
    }
}

struct WordVisitor;

impl Visitor<'_> for WordVisitor {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text (in YAML, put it in quotes)")
    }

    fn visit_str<E>(self, text: &str) -> Result<Word, E> {
        Ok(Word(text.to_owned()))
    }
}

/// Yes or no as it is written: the reader of YAML makes booleans of quoted texts too, which servers refuse.
struct Flag(bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagVisitor)
    }
}

struct FlagVisitor;

impl Visitor<'_> for FlagVisitor {
    type Value = Flag;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`true` or `false` (without quotes)")
    }

    fn visit_bool<E>(self, said: bool) -> Result<Flag, E> {
        Ok(Flag(said))
    }
}

/// The value of a key that is a text; `None` for `null`.
pub(super) fn word<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(value::<Word, A>(map)?.map(|word| word.0))
}

/// The value of a key that is yes or no; `None` for `null`.
pub(super) fn flag<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<bool>, A::Error> {
    Ok(value::<Flag, A>(map)?.map(|flag| flag.0))
}
