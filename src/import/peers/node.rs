//! An entry of a list as it is written, before anything is asked of it: so that a wrong one does not hide the others.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value of any sort.
#[derive(Debug)]
pub(super) enum Node {
    /// None, or an empty string.
    Nothing,
    /// A string.
    Text(String),
    /// A whole number that is not negative.
    Number(u64),
    /// A table.
    Table(BTreeMap<String, Node>),
    /// Something that no list has; in words.
    Other(&'static str),
}

impl Node {
    /// What it is, in words.
    fn sort(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Table(_) => "a table",
            Self::Other(sort) => sort,
        }
    }

    /// The table that it is to be.
    pub(super) fn table(&self) -> Result<&BTreeMap<String, Node>, String> {
        match self {
            Self::Table(table) => Ok(table),
            other => Err(format!("{} instead of a table", other.sort())),
        }
    }
}

/// The string of a key; empty if there is none.
pub(super) fn text<'n>(table: &'n BTreeMap<String, Node>, key: &str) -> Result<&'n str, String> {
    match table.get(key) {
        None | Some(Node::Nothing) => Ok(""),
        Some(Node::Text(text)) => Ok(text),
        Some(other) => Err(format!("`{key}` is {}: write it as a string, in quotes", other.sort())),
    }
}

/// The keys of a table that are none of these, in words.
pub(super) fn unread(table: &BTreeMap<String, Node>, known: &[&str]) -> Option<String> {
    let others = table.keys().filter(|key| !known.contains(&key.as_str()));
    let others: Vec<String> = others.map(|key| format!("`{key}`")).collect();
    (!others.is_empty()).then(|| format!("not read, as it means nothing here: {}", others.join(", ")))
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Nothing)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        Ok(match text {
            "" => Node::Nothing,
            text => Node::Text(text.to_owned()),
        })
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Number(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Node, E> {
        Ok(u64::try_from(number).map_or(Node::Other("a negative number"), Node::Number))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other("a number"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Other("true or false"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Node::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut table = BTreeMap::new();
        while let Some((key, value)) = entries.next_entry::<String, Node>()? {
            if table.contains_key(&key) {
                return Err(Error::custom(format!("the key `{key}` stands twice")));
            }
            table.insert(key, value);
        }
        Ok(Node::Table(table))
    }
}
