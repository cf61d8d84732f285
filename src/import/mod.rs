//! Models made from what projects publish.
//!
//! An importer reads texts of one format and makes an [`Imported`]: a [`Draft`], which is a calendar and elements with
//! their lives as plain data, and [`Notice`]s about the source. [`write`](write()) turns the draft into the TOML that a
//! person would write, [`update`] into edits of an existing model. So imported data is read like a hand-written file.
//!
//! There are two sorts of formats. A file that shows what **one release** has is read by a [`Format`], and [`Releases`]
//! collects the files; [`crds`] and [`openapi`] make a [`Snapshot`] of each release, which [`kinds`] folds into a
//! draft, and [`markers`] follows marks of deprecation in code. A file that states **whole lives** ([`gates`],
//! [`deprecation_lists`]) becomes a draft at once. The program names the releases and dates of the texts: an
//! importer reads no clock and no file, and runs nothing.
//!
//! An update reads the model that it edits, so this module is above `model`: what is missing is found by what the model
//! declares, not by how it is written. An update inserts, and changes nothing but the newest release and the dates of
//! releases that had none. The result is read again and compared with the draft, and is not written if it cannot be
//! read. Fields are written where something happens to them, all of them only on request: a project may have thousands.

pub mod calendar;
pub mod crds;
mod dates;
pub mod deprecation_lists;
mod draft;
pub mod gates;
pub mod kinds;
pub mod kubernetes_api;
mod layout;
mod list_value;
pub mod markers;
pub mod metrics;
mod notice;
pub mod openapi;
mod releases;
mod snapshot;
pub mod update;
mod write;

pub(crate) use draft::Value;
pub use draft::{Draft, DraftCalendar, Element, Group, can_be_written};
pub use notice::{ImportError, Imported, Notice, Topic};
pub use releases::{Added, Format, Releases, TagFile};
pub use snapshot::{Defined, Field, Resource, Snapshot, Version};
pub(crate) use write::path_text;
pub use write::write;
