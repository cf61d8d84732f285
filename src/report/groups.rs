//! The groups of a plan, release by release.

use std::fmt::Debug;

use serde::{Serialize, Serializer};

use super::State;
use crate::grammar::EventWord;
use crate::release::DateKind;

/// Makes the entries of [`GroupReports`].
pub trait MakeGroups: Debug {
    /// How many groups there are.
    fn count(&self) -> usize;

    /// The group at a position below [`Self::count`].
    fn group(&self, at: usize) -> GroupReport<'_>;
}

/// Each group through the releases. An entry is made when it is read, so that the list is never held as a whole.
#[derive(Debug, Default)]
pub struct GroupReports<'a>(Option<Box<dyn MakeGroups + 'a>>);

impl<'a> GroupReports<'a> {
    /// The groups that `groups` makes.
    pub fn new(groups: impl MakeGroups + 'a) -> Self {
        Self(Some(Box::new(groups)))
    }

    /// The groups, in the model's order.
    pub fn iter(&self) -> impl Iterator<Item = GroupReport<'_>> {
        let groups = self.0.as_deref().into_iter();
        groups.flat_map(|groups| (0..groups.count()).map(|at| groups.group(at)))
    }
}

impl Serialize for GroupReports<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A group through the releases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GroupReport<'a> {
    /// Its name; that of a configuration begins with `config `.
    pub group: String,
    /// One row per release.
    pub releases: Vec<ReleaseReport<'a>>,
}

/// A group in one release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReleaseReport<'a> {
    /// The release.
    pub release: &'a str,
    /// Its date.
    pub date: Option<&'a str>,
    /// How certain the date is.
    pub date_kind: DateKind,
    /// The versions served, newest generation first.
    pub versions: Vec<VersionReport<'a>>,
    /// The preferred version.
    pub preferred: Option<&'a str>,
    /// The storage version; null if the group's kinds differ.
    pub storage: Option<&'a str>,
    /// Which changes of preferred and storage versions the model declares for this release.
    pub moves: MovesReport,
    /// The kinds.
    pub kinds: Vec<KindReport<'a>>,
    /// Notes for users.
    pub notes: Vec<NoteReport<'a>>,
}

/// Which changes of preferred and storage versions the model declares for a release.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MovesReport {
    /// The preferred version.
    pub preferred_declared: bool,
    /// The storage version of every kind.
    pub storage_declared: bool,
}

/// A version in one release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct VersionReport<'a> {
    /// Its name.
    pub version: &'a str,
    /// [`State::Served`] or [`State::Deprecated`].
    pub state: State,
}

/// A kind in one release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KindReport<'a> {
    /// Its name.
    pub kind: &'a str,
    /// The versions that serve it.
    pub versions: Vec<&'a str>,
    /// Its storage version.
    pub storage: Option<&'a str>,
}

/// A note for users of a group.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NoteReport<'a> {
    /// What happens.
    pub event: EventWord<'a>,
    /// To which version.
    pub version: &'a str,
    /// To which kinds in it; empty if to all that it serves.
    pub kinds: Vec<&'a str>,
    /// Whether users have to do something.
    pub action_required: bool,
    /// Whether the model declares it.
    pub declared: bool,
    /// The note.
    pub text: String,
}
