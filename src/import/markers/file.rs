//! What one file shows: the things that it declares, and the marks on them.

use crate::text::Unreadable;

/// The things of one file.
#[derive(Debug, Default)]
pub struct MarkersFile {
    /// The package that the file states; empty where it states none.
    pub(crate) package: String,
    pub(crate) items: Vec<Item>,
    /// What looks like a mark and cannot be read.
    pub(crate) skipped: Vec<Unreadable>,
}

/// Something that a file declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// The section of the model file that it belongs to.
    pub(crate) section: String,
    /// Its name within the file, with what it is in: `Client::connect`.
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// It is declared without a mark.
    Present,
    Deprecated(Marker),
    /// It is listed as removed, in a release if one is stated.
    Removed(Option<String>),
    /// It is there, but what is stated about it cannot be read.
    Unknown,
}

/// What a mark states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marker {
    /// The release of the deprecation.
    pub(crate) since: Option<String>,
    /// The release that is to remove it.
    pub(crate) removal: Option<String>,
    /// The release that introduced it.
    pub(crate) introduced: Option<String>,
    /// The note for users.
    pub(crate) note: Option<String>,
}

impl MarkersFile {
    pub(super) fn add(&mut self, section: &str, name: impl Into<String>, line: u32, state: State) {
        self.items.push(Item {
            section: section.to_owned(),
            name: name.into(),
            line,
            state,
        });
    }
}
