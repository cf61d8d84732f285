//! The grammar of the model file: the kinds of elements and events, and how each is written.

mod element_kind;
mod entry_key;
mod event_kind;
mod extra_kind;
mod heading;
mod keys;
#[cfg(test)]
mod page;
mod path;
mod path_text;
mod step;

pub use element_kind::ElementKind;
pub(crate) use element_kind::{FileSection, Role};
pub(crate) use entry_key::EntryKey;
pub use event_kind::{EventKind, MOST_STEPS};
pub use extra_kind::{ExtraKind, ExtraKinds, KindName};
pub(crate) use extra_kind::{can_name_kind, plural};
pub(crate) use heading::{heading, without_word};
pub(crate) use keys::{
    CALENDAR, EXTRA_KIND, FILE, GATE_SPEC, GROUP, KIND, KeyTable, METRIC_SPEC, PROGRAM, USAGE_LIMIT, names,
};
#[cfg(test)]
pub(crate) use page::page_tables;
pub(crate) use path::{CORE, ElementPath, KindPath, MemberName, below};
pub use path::{Family, VersionPath};
pub(crate) use path_text::{field_around, fields_around, rest_within};
pub use step::{Duty, EventWord};
pub(crate) use step::{Steps, can_name_step};
