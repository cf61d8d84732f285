//! Tables, lists and scalars, for types that read themselves.

use std::borrow::Cow;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::declined::{Declined, Simple};
use super::lines::Lines;
use super::node::{Key, Kind, Node};
use super::placed;
use super::scalar::Meaning;
use crate::text::{DEEPEST, MOST_NODES};

/// A value whose kind is known.
pub(super) struct Value<'r, 't> {
    lines: &'r mut Lines<'t>,
    node: Node<'t>,
}

impl<'r, 't> Value<'r, 't> {
    /// The value of a document.
    pub(super) fn root(lines: &'r mut Lines<'t>) -> Simple<Self> {
        let node = lines.root()?;
        Ok(Self { lines, node })
    }

    fn read<S: DeserializeSeed<'t>>(self, seed: S) -> Simple<S::Value> {
        self.lines.nodes += 1;
        // A key is a value too.
        if self.lines.nodes > MOST_NODES / 2 {
            return Err(Declined);
        }
        seed.deserialize(self)
    }

    fn text<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        if self.node.kind.is_null() {
            return Err(Declined);
        }
        match self.node.kind {
            Kind::Plain(text) | Kind::Quoted(text) => visit_text(text, visitor),
            _ => Err(Declined),
        }
    }

    fn plain<V: Visitor<'t>>(text: Cow<'t, str>, visitor: V) -> Simple<V::Value> {
        match Meaning::of(&text)? {
            Meaning::Null => visitor.visit_unit(),
            Meaning::Bool(value) => visitor.visit_bool(value),
            Meaning::Whole(value) => visitor.visit_u64(value),
            Meaning::Negative(value) => visitor.visit_i64(value),
            Meaning::Fraction(value) => visitor.visit_f64(value),
            Meaning::Text => visit_text(text, visitor),
        }
    }

    fn table<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        let column = match &self.node.kind {
            Kind::Table(column) => Some(*column),
            Kind::EmptyTable => None,
            kind if kind.is_null() => None,
            _ => return Err(Declined),
        };
        let first_key = open(self.lines)?;
        let mut table = Table {
            lines: self.lines,
            column,
            first_key,
        };
        let read = visitor.visit_map(&mut table)?;
        close(table.lines, table.column)?;
        table.lines.keys.truncate(first_key);
        Ok(read)
    }

    fn list<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        let (column, listed) = match self.node.kind {
            Kind::List(column) => (Some(column), Vec::new()),
            Kind::Listed(entries) => (None, entries),
            kind if kind.is_null() => (None, Vec::new()),
            _ => return Err(Declined),
        };
        open(self.lines)?;
        let mut list = List {
            lines: self.lines,
            column,
            listed: listed.into_iter(),
        };
        let read = visitor.visit_seq(&mut list)?;
        if list.listed.next().is_some() {
            return Err(Declined);
        }
        close(list.lines, list.column)?;
        Ok(read)
    }
}

fn visit_text<'t, V: Visitor<'t>>(text: Cow<'t, str>, visitor: V) -> Simple<V::Value> {
    match text {
        Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

/// Counts an open table or list. Gives the number of keys of those around it.
fn open(lines: &mut Lines<'_>) -> Simple<usize> {
    lines.depth += 1;
    if lines.depth >= DEEPEST {
        return Err(Declined);
    }
    Ok(lines.keys.len())
}

/// The end of a table or list, which must be read to its end.
fn close(lines: &mut Lines<'_>, column: Option<usize>) -> Simple<()> {
    lines.depth -= 1;
    column.map_or(Ok(()), |_| Err(Declined))
}

impl<'t> Deserializer<'t> for Value<'_, 't> {
    type Error = Declined;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        match self.node.kind {
            Kind::Plain(text) => Self::plain(text, visitor),
            Kind::Quoted(text) => visit_text(text, visitor),
            Kind::Table(_) | Kind::EmptyTable => self.table(visitor),
            Kind::List(_) | Kind::Listed(_) => self.list(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        if self.node.kind.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        self.text(visitor)
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        self.text(visitor)
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        self.text(visitor)
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        self.table(visitor)
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Simple<V::Value> {
        self.table(visitor)
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        self.list(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(self, name: &'static str, visitor: V) -> Simple<V::Value> {
        // What is not written has no place.
        let is_written = !matches!(&self.node.kind, Kind::Plain(text) if text.is_empty());
        if name != placed::NAME || !is_written {
            return Err(Declined);
        }
        let place = self.node.place;
        let place = [place.line, self.lines.column_of(place)];
        visitor.visit_seq(Parts::new(place, self))
    }

    forward_to_deserialize_any! {
        <W: Visitor<'t>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct enum
        ignored_any
    }
}

/// A table that is read key by key.
struct Table<'r, 't> {
    lines: &'r mut Lines<'t>,
    /// The column of its keys, while there are more of them.
    column: Option<usize>,
    first_key: usize,
}

impl<'t> MapAccess<'t> for &mut Table<'_, 't> {
    type Error = Declined;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Simple<Option<K::Value>> {
        let Some(column) = self.column else { return Ok(None) };
        let Some(key) = self.lines.key(column)? else {
            self.column = None;
            return Ok(None);
        };
        self.lines.nodes += 1;
        self.lines.note_key(self.first_key, key.text)?;
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Simple<S::Value> {
        let node = self.lines.value(self.column.ok_or(Declined)?)?;
        let lines = &mut *self.lines;
        Value { lines, node }.read(seed)
    }
}

/// A list that is read entry by entry.
struct List<'r, 't> {
    lines: &'r mut Lines<'t>,
    /// The column of its dashes, while there are more of them.
    column: Option<usize>,
    /// What stands in brackets instead.
    listed: std::vec::IntoIter<Node<'t>>,
}

impl<'t> SeqAccess<'t> for &mut List<'_, 't> {
    type Error = Declined;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Simple<Option<S::Value>> {
        let node = match self.column {
            Some(column) if self.lines.has_entry(column)? => self.lines.entry(column)?,
            _ => {
                self.column = None;
                let Some(node) = self.listed.next() else {
                    return Ok(None);
                };
                node
            }
        };
        let lines = &mut *self.lines;
        Value { lines, node }.read(seed).map(Some)
    }
}

impl<'t> Deserializer<'t> for Key<'t> {
    type Error = Declined;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Simple<V::Value> {
        visitor.visit_borrowed_str(self.text)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(self, name: &'static str, visitor: V) -> Simple<V::Value> {
        if name != placed::NAME {
            return Err(Declined);
        }
        let text = BorrowedStrDeserializer::new(self.text);
        visitor.visit_seq(Parts::new([self.line, self.column], text))
    }

    forward_to_deserialize_any! {
        <W: Visitor<'t>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The line of a value, its column, and the value.
struct Parts<D> {
    place: std::array::IntoIter<u32, 2>,
    value: Option<D>,
}

impl<D> Parts<D> {
    fn new(place: [u32; 2], value: D) -> Self {
        Self {
            place: place.into_iter(),
            value: Some(value),
        }
    }
}

impl<'t, D: Deserializer<'t, Error = Declined>> SeqAccess<'t> for Parts<D> {
    type Error = Declined;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Simple<Option<S::Value>> {
        if let Some(number) = self.place.next() {
            return seed.deserialize(number.into_deserializer()).map(Some);
        }
        self.value.take().map(|value| seed.deserialize(value)).transpose()
    }
}
