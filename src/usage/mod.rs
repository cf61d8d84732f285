//! Who still uses what is deprecated or to be removed: evidence from running systems.
//!
//! [`Watched`] are the elements to look for. [`read()`] finds out what a content is, and reads it as a source of the
//! evidence file, within bounds and without quoting it. Logs are streams of lines (`lines`), of which only those
//! are parsed that have a word which names a watched element (`audit`).

mod audit;
mod collector;
mod evidence;
mod gate;
mod known;
mod lines;
mod metrics;
mod openshift;
pub mod query;
mod read;
mod rows;
mod search;
mod watched;

pub use collector::Origin;
pub(crate) use gate::{Gate, PAGE};
pub(crate) use known::KnownUsage;
pub use read::{Content, InputFormat, ReadError, read};
pub use watched::Watched;
