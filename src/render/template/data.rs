//! The data of a template, as the values that templates see.
//!
//! It is written as JSON up to a limit, and read from that: so each report is written in one way only, and what is too
//! large is refused before values are made.

use std::fmt;
use std::io;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use tera::{Context, Map, Value};

/// The most data, as JSON: the values that templates see take several times as much memory.
const LARGEST: usize = 48 << 20;

/// Why there is no data.
pub(super) enum DataError {
    /// It exceeds [`LARGEST`].
    TooLarge,
    /// It is not what templates can see.
    Unreadable(serde_json::Error),
}

/// What templates see of `data`, which is written as an object.
pub(super) fn context(data: &impl Serialize) -> Result<Context, DataError> {
    let mut json = Json(Vec::new());
    if let Err(error) = serde_json::to_writer(&mut json, data) {
        return Err(if error.is_io() {
            DataError::TooLarge
        } else {
            DataError::Unreadable(error)
        });
    }
    let data: Data = serde_json::from_slice(&json.0).map_err(DataError::Unreadable)?;
    let mut context = Context::new();
    for (key, value) in data.0.into_map().into_iter().flatten() {
        context.insert_value(key.to_string(), value);
    }
    Ok(context)
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "its data exceeds {} MiB; ask for less, or for JSON", LARGEST >> 20),
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

/// JSON of at most [`LARGEST`] bytes.
struct Json(Vec<u8>);

impl io::Write for Json {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > LARGEST - self.0.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value of JSON.
struct Data(Value);

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DataVisitor).map(Self)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::none())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Data(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Data(value))) = entries.next_entry::<String, Data>()? {
            map.insert(key.into(), value);
        }
        Ok(map.into())
    }
}
