//! Tables that are read key by key, known or not.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;

/// A value that is read key by key. `null` is a table without keys, as for Kubernetes.
pub(super) trait Keyed: Default {
    /// Takes the value of a key.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: Cow<'de, str>, map: &mut A) -> Result<(), A::Error>;
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
        while let Some(Key(key)) = map.next_key()? {
            read.take(key, &mut map)?;
        }
        Ok(read)
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }
}

/// A key. Most of them are compared only, so it is not copied out of its text.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(text)))
    }
}

/// The value of a key; `None` for `null`.
pub(super) fn value<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: &mut A) -> Result<Option<T>, A::Error> {
    map.next_value()
}

/// The value of a key as written; `None` for `null`.
pub(super) fn raw<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<Json>, A::Error> {
    let value: Json = map.next_value()?;
    Ok((!value.is_null()).then_some(value))
}

/// A string that is written as one. The YAML reader also converts numbers to strings, which servers reject.
#[derive(PartialEq)]
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
        f.write_str("a string (in YAML, put it in quotes)")
    }

    fn visit_str<E>(self, text: &str) -> Result<Word, E> {
        Ok(Word(text.to_owned()))
    }
}

/// A boolean that is written as one. The YAML reader also converts quoted strings to booleans, which servers reject.
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

    fn visit_bool<E>(self, stated: bool) -> Result<Flag, E> {
        Ok(Flag(stated))
    }
}

/// The string value of a key; `None` for `null`.
pub(super) fn word<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(value::<Word, A>(map)?.map(|word| word.0))
}

/// The boolean value of a key; `None` for `null`.
pub(super) fn flag<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<bool>, A::Error> {
    Ok(value::<Flag, A>(map)?.map(|flag| flag.0))
}
