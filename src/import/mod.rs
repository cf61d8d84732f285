//! Models made from what projects publish.
//!
//! An importer reads texts of one format and makes a [`Draft`]: a calendar, and elements with their lives, as plain data.
//! [`write`](write()) turns it into the TOML that a person would write. So what is imported comes in by the same door as what
//! is written by hand.

pub mod crds;
mod draft;
pub mod history;
mod layout;
mod snapshot;
pub mod update;
mod write;

pub use draft::{Calendar, Command, Draft, Element, Group, Kind, Life, Part, Program, Said, Value};
pub use snapshot::{Field, Resource, Snapshot, Version};
pub use write::write;
