//! Models made from what projects publish.
//!
//! An importer reads texts of one format and makes a [`Draft`]: a calendar, and elements with their lives, as plain
//! data. [`write`](write()) turns it into the TOML that a person would write, [`update`] into edits of a model that is
//! there already. So what is imported comes in by the same door as what is written by hand.
//!
//! A format that shows what one release has is read into a [`Snapshot`] a release, as [`crds`] and [`openapi`] do;
//! [`history`] folds them into a draft. A format that tells of whole lives makes its draft at once. Either way the
//! program says which releases and days the texts are of: an importer knows no clock, reads no file and runs nothing.

pub mod calendar;
pub mod crds;
mod draft;
pub mod gates;
pub mod history;
pub mod kubernetes_api;
mod layout;
pub mod metrics;
pub mod openapi;
pub mod peers;
mod snapshot;
pub mod update;
mod write;

pub use draft::{Calendar, Command, Draft, Element, Group, Kind, Life, Program, Said, Value, can_be_written};
pub use snapshot::{Field, Resource, Snapshot, Version};
pub use write::write;
