//! The groups of a plan, release by release.

use serde::Serialize;

use super::State;
use crate::grammar::EventWord;
use crate::release::DateKind;

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
