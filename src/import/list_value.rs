//! A value in a list before its type is checked, so that a wrong entry does not hide the others.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

#[derive(Debug)]
pub(super) enum ListValue {
    /// None, or an empty string.
    Empty,
    Text(String),
    /// A whole number that is not negative.
    Number(u64),
    Table(Table),
    /// A type that no list has, in words.
    Other(&'static str),
}

pub(super) type Table = BTreeMap<String, ListValue>;

impl ListValue {
    fn type_name(&self) -> &'static str {
        match self {
            Self::Empty => "nothing",
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Table(_) => "a table",
            Self::Other(name) => name,
        }
    }

    pub(super) fn table(&self) -> Result<&Table, String> {
        match self {
            Self::Table(table) => Ok(table),
            other => Err(format!("expected a table, found {}", other.type_name())),
        }
    }
}

pub(super) fn text<'n>(table: &'n Table, key: &str) -> Result<&'n str, String> {
    match table.get(key) {
        None | Some(ListValue::Empty) => Ok(""),
        Some(ListValue::Text(text)) => Ok(text),
        Some(other) => Err(format!(
            "`{key}` is {}: write it as a string, in quotes",
            other.type_name()
        )),
    }
}

/// A sentence about the keys of a table that are not known.
pub(super) fn ignored(table: &Table, known: &[&str]) -> Option<String> {
    let others = table.keys().filter(|key| !known.contains(&key.as_str()));
    let others: Vec<String> = others.map(|key| format!("`{key}`")).collect();
    (!others.is_empty()).then(|| format!("ignored unknown keys: {}", others.join(", ")))
}

impl<'de> Deserialize<'de> for ListValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = ListValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<ListValue, E> {
        Ok(ListValue::Empty)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ListValue, E> {
        Ok(match text {
            "" => ListValue::Empty,
            text => ListValue::Text(text.to_owned()),
        })
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ListValue, E> {
        Ok(ListValue::Number(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<ListValue, E> {
        Ok(u64::try_from(number).map_or(ListValue::Other("a negative number"), ListValue::Number))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<ListValue, E> {
        Ok(ListValue::Other("a number"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<ListValue, E> {
        Ok(ListValue::Other("true or false"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ListValue, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(ListValue::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<ListValue, A::Error> {
        let mut table = Table::new();
        while let Some((key, value)) = entries.next_entry::<String, ListValue>()? {
            if table.contains_key(&key) {
                return Err(Error::custom(format!("the key `{key}` is repeated")));
            }
            table.insert(key, value);
        }
        Ok(ListValue::Table(table))
    }
}
