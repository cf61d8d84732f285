//! Models made from what projects publish.
//!
//! An importer reads texts of one format and makes a [`Draft`]: a calendar, and elements with their lives, as plain data.
//! [`write`](write()) turns it into the TOML that a person would write. So what is imported comes in by the same door as what
//! is written by hand.

mod draft;
mod layout;
mod write;

pub use draft::{Calendar, Command, Draft, Element, Group, Kind, Life, Part, Program, Said, Value};
pub use write::write;
