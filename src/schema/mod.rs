//! Schemas of objects as projects publish them, read and compared.
//!
//! [`read`] makes [`Definition`]s of the CRDs in a text. Keywords of structural schemas are typed. Unknown keywords,
//! and keywords with a value of the wrong type, are kept by name: nothing here asks whether a server accepts them, but
//! a change of one is reported. [`compare`] finds the differences as [`Change`]s, [`losses`] finds what objects lose
//! in conversion. Nothing here says whether a change is bad.

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
pub use manifest::{Crds, Source, Unrendered, read};
pub use node::{Additional, Bound, Property, Schema};
pub use openapi::{Document, KindVersion, read_openapi};
pub use trip::losses;
