//! The grammar of the model file: the kinds of elements and events, and how each is written.

mod element_kind;
mod entry_key;
mod event_kind;
mod keys;
#[cfg(test)]
mod page;
mod path;
mod path_text;

pub use element_kind::ElementKind;
pub(crate) use element_kind::{FileSection, Role};
pub(crate) use entry_key::EntryKey;
pub use event_kind::EventKind;
pub(crate) use keys::{CALENDAR, FILE, GATE_SPEC, GROUP, KIND, METRIC_SPEC, PROGRAM, names};
#[cfg(test)]
pub(crate) use page::page_tables;
pub(crate) use path::{CORE, ElementPath, KindPath, MemberName, below};
pub use path::{Family, VersionPath};
pub(crate) use path_text::{fields_around, heading, rest_within, without_word};
