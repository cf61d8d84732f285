//! YAML as programs write it, read fast.
//!
//! The full reader handles every text of YAML, at some hundred instructions a byte. Most CRDs are written by programs,
//! which use little of it: blocks of tables and lists, and scalars on one or more lines. This reader takes these, and
//! declines all other texts: those with anchors, tags, tables in braces, errors. What it declines is for the
//! full reader, which also knows what is wrong. What it reads, it reads as the full reader does; tests hold both
//! against each other.

mod declined;
mod lines;
mod node;
mod placed;
mod scalar;
mod value;

use serde::de::DeserializeOwned;

use lines::Lines;
pub(crate) use placed::Placed;
use value::Value;

/// Reads a document; `None` if it is for the full reader.
pub(crate) fn read<T: DeserializeOwned>(document: &str) -> Option<T> {
    let mut lines = Lines::begin(document).ok()?;
    let read = Value::root(&mut lines).and_then(T::deserialize).ok()?;
    lines.is_end().then_some(read)
}
