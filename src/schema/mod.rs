//! Schemas of objects as projects publish them: read as written, compared change by change.
//!
//! [`read`] makes [`Definition`]s of the `CustomResourceDefinitions` in a text. Every keyword of structural schemas is
//! typed; what is not known is kept by its name, so that a change there is told and not lost. [`compare`]
//! finds what differs, as [`Change`]s; [`losses`] finds what becomes of objects that are taken from one to the other.
//! Nothing here judges.

mod change;
pub mod compare;
mod definition;
mod example;
mod keyed;
mod manifest;
mod node;
pub(crate) mod openapi;
pub(crate) mod path;
mod quoted;
mod trip;

pub use change::{Change, ChangeKind, Effect, Verdict};
pub use definition::{Definition, Version};
pub use example::{Leaf, example, lists};
pub use manifest::{Found, Source, Unrendered, read};
pub use node::{Additional, Bound, Property, Schema};
pub use openapi::{Document, KindVersion, read_openapi};
pub use trip::losses;
