//! The grammar of the model file: the kinds of elements and events, and how each is written.

mod element_kind;
mod entry_key;
mod event_kind;
mod path;
mod path_text;
mod rows;
mod tables;

pub use element_kind::ElementKind;
pub(crate) use entry_key::EntryKey;
pub use event_kind::EventKind;
pub(crate) use path::{CORE, ElementPath, InvalidPath, KindPath, MemberName};
pub use path::{Family, VersionPath};
pub(crate) use path_text::{heading, rest_within, without_word};
pub(crate) use rows::{ELEMENTS, ElementRow, Listed, Role};
pub(crate) use tables::{CALENDAR, FILE, GATE_SPEC, GROUP, KIND, KeyTable, METRIC_SPEC, PROGRAM, names, page_tables};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_serialize_as_reports_write_them() {
        for kind in EventKind::ALL {
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.as_str().into()));
        }
        for kind in ElementKind::ALL {
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.as_str().into()));
        }
    }
}
