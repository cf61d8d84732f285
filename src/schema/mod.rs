//! Schemas of objects as projects publish them, read and compared.
//!
//! [`read`] makes [`Definition`]s of the CRDs in a text. Keywords of structural schemas are typed. Unknown keywords,
//! and keywords with a value of the wrong type, are kept by name: nothing here asks whether a server accepts them, but
//! a change of one is reported. [`compare`] finds the differences as `Change`s, `losses` finds what objects lose
//! in conversion. Nothing here says whether a change is bad.

mod change;
pub mod compare;
mod definition;
mod document;
mod embedded;
mod example;
pub(crate) mod format;
mod keyed;
pub mod kustomization;
mod manifest;
mod node;
pub(crate) mod openapi;
pub(crate) mod path;
mod quoted;
mod tree;
mod trip;

pub(crate) use change::Change;
pub use change::{ChangeKind, Effect, Verdict};
pub use definition::Definition;
pub(crate) use definition::Version;
pub use document::{SchemaDocument, may_have_schemas, read_document, read_documents};
pub(crate) use embedded::{api_version, embedded_type};
pub(crate) use example::{Leaf, example, lists};
pub use manifest::{Crds, Patch, Source, Unrendered, may_have_crds, read};
pub(crate) use manifest::{WrittenDocument, read_each, read_yaml};
pub(crate) use node::{Additional, Bound, Property, Schema};
pub use openapi::Document;
pub(crate) use openapi::KindVersion;
pub(crate) use tree::{Entry, Tree};
pub(crate) use trip::losses;
