//! Values with their places.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_saphyr::Spanned;

use crate::source::Location;

/// The name by which the fast reader knows [`Placed`].
pub(super) const NAME: &str = "lifecycle::Placed";

/// A value and where it is written, in lines of its document: by the fast reader and the full one. Other formats give
/// no places.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) place: Option<Location>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, PlacedVisitor(PhantomData))
    }
}

struct PlacedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PlacedVisitor<T> {
    type Value = Placed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    /// The full reader, and those of other formats.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Placed<T>, D::Error> {
        let Spanned { value, referenced, .. } = Spanned::deserialize(deserializer)?;
        let place = Location::of_reader(referenced);
        Ok(Placed { value, place })
    }

    /// The fast reader.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Placed<T>, A::Error> {
        let (Some(line), Some(column), Some(value)) = (seq.next_element()?, seq.next_element()?, seq.next_element()?)
        else {
            return Err(A::Error::custom("a value without a place"));
        };
        let place = Some(Location { line, column });
        Ok(Placed { value, place })
    }
}
