//! Differences between two sources: what `compare` prints.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::grammar::EventKind;
use crate::stability::{MetricStability, Stage};

/// Two sources, compared with each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ComparisonReport {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The first source, as the user named it.
    pub here: String,
    /// The second one.
    pub there: String,
    /// How much was compared.
    pub counts: ComparisonCounts,
    /// Each disagreement, by element and by what it is about.
    pub differences: Vec<DisagreementReport>,
    /// What was not compared, and why.
    pub left_out: Vec<String>,
}

/// How much was compared. Elements that only one source could have are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ComparisonCounts {
    /// Elements that both sources have.
    pub compared: usize,
    /// Of these, those on which they agree.
    pub agree: usize,
    /// Of these, those on which they do not.
    pub differ: usize,
    /// Elements that the first source has and the second should.
    pub only_here: usize,
    /// Elements that the second source has and the first should.
    pub only_there: usize,
    /// Events (introduced, deprecated, removed, …) for which both sources give a release or a date.
    pub dates: usize,
    /// Of these, those for which they give different ones.
    pub dates_differ: usize,
}

/// One disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DisagreementReport {
    /// The element.
    pub element: String,
    /// What they disagree on.
    #[cfg_attr(test, schemars(with = "String"))]
    pub what: ComparedFact,
    /// What the first source states.
    pub here: StatementReport,
    /// What the second one states.
    pub there: StatementReport,
    /// Why they disagree, where that is evident.
    pub reason: Option<ReasonReport>,
}

/// What two sources can disagree on. Reports have its text: `deprecated`, `beta`, `STABLE`, `replacement`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComparedFact {
    /// When something happens.
    Event(EventKind),
    /// When a gate enters a stage, and its default there.
    Stage(Stage),
    /// When a metric enters a class.
    Class(MetricStability),
    /// What to use instead.
    Replacement,
    /// The day of a release.
    Day,
    /// Whether the element exists.
    Present,
}

impl ComparedFact {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Event(event) => event.as_str(),
            Self::Stage(Stage::Ga) => "GA",
            Self::Stage(stage) => stage.as_str(),
            Self::Class(MetricStability::Internal) => "INTERNAL",
            Self::Class(MetricStability::Alpha) => "ALPHA",
            Self::Class(MetricStability::Beta) => "BETA",
            Self::Class(MetricStability::Stable) => "STABLE",
            Self::Replacement => "replacement",
            Self::Day => "day",
            Self::Present => "present",
        }
    }

    /// Its place in reports: events in the order in which they usually happen, the others by their text.
    fn order(self) -> (u8, Option<EventKind>, &'static str) {
        match self {
            Self::Event(event) => (0, Some(event), ""),
            Self::Stage(_) | Self::Class(_) => (1, None, self.as_str()),
            Self::Replacement => (2, None, ""),
            Self::Day => (3, None, ""),
            Self::Present => (4, None, ""),
        }
    }
}

impl Ord for ComparedFact {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for ComparedFact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for ComparedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ComparedFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a source states, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StatementReport {
    /// What; `null` if it states nothing.
    pub says: Option<String>,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// Why two sources disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReasonReport {
    /// The kind of reason.
    pub code: ReasonCode,
    /// In words.
    pub text: String,
}

/// The kinds of reasons for which two sources disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ReasonCode {
    /// One source has the deprecation withdrawn.
    TakenBack,
    /// One source dates the deprecation by the introduction of the replacement.
    ReplacementAvailable,
    /// One source dates the deprecation by the introduction of another version.
    NewerVersion,
    /// One source gives the release of the removal.
    Removal,
    /// One source gives the release of the deprecation.
    Deprecation,
    /// One source gives the release of the introduction.
    Introduction,
    /// One source gives the release of another version of the kind.
    OfAnotherVersion,
    /// One source gives the release of other kinds of the version.
    OfItsVersion,
    /// One source plans what the other has not released.
    StillToCome,
    /// One source is one release later than the other.
    NextRelease,
    /// One replacement was introduced after the deprecation.
    CameLater,
    /// One replacement is removed itself.
    ReplacementRemoved,
    /// Both name versions of one kind.
    OtherVersionNamed,
    /// The other source has a kind with nearly the same name.
    Misspelled,
    /// The other source has the kind in another version.
    OtherVersion,
    /// The other source has the kind in another group.
    OtherGroup,
    /// The other source does not have the group.
    GroupUnknown,
    /// The kind is only a list of another kind.
    ListOfKind,
    /// The list has no kind of the version.
    VersionUnlisted,
    /// It happens after the newest release of the list.
    AfterTheList,
}

impl ComparisonReport {
    /// The shortest names that distinguish the sources: file names, or whole paths if those are equal.
    pub fn titles(&self) -> [&str; 2] {
        titles(&self.here, &self.there)
    }
}

/// The shortest names that distinguish two files.
pub fn titles<'n>(here: &'n str, there: &'n str) -> [&'n str; 2] {
    let short = [here, there].map(|name| name.rsplit(['/', '\\']).next().unwrap_or(name));
    match short {
        [one, other] if one != other && !one.is_empty() && !other.is_empty() => short,
        _ => [here, there],
    }
}
