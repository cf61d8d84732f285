//! What earlier states of a model promised, and what came of it: what `lifecycle report --promises` prints.

use serde::Serialize;

use super::Moment;
use super::record::apart;

/// What came of the promises of earlier states.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PromisesReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The newest release that has shipped.
    pub current: Option<Moment<'a>>,
    /// The earlier states that were read, oldest first.
    pub states: Vec<String>,
    /// How many promises came to what.
    pub outcomes: Vec<OutcomeCount>,
    /// The promises, in the order of the model; those of elements that it no longer has come last.
    pub promises: Vec<PromiseReport<'a>>,
}

/// How many promises came to one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OutcomeCount {
    /// What they came to.
    pub outcome: PromiseOutcome,
    /// How many.
    pub promises: usize,
}

/// What a promise came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum PromiseOutcome {
    /// It happened in the promised release.
    Kept,
    /// It is still to happen in the promised release.
    Pending,
    /// It happened earlier, or is to happen earlier.
    Earlier,
    /// It happened later, or is to happen later.
    Later,
    /// Nothing is declared or planned any more.
    Withdrawn,
    /// The model no longer has the element.
    Dropped,
}

/// An event that an earlier state declared for a release that had not shipped then.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PromiseReport<'a> {
    /// The element.
    pub element: String,
    /// What was promised.
    pub event: String,
    /// The promised release, as the state wrote it.
    pub promised: String,
    /// The first state that promised it.
    pub since: String,
    /// The last state that promised it.
    pub until: String,
    /// What it came to.
    pub outcome: PromiseOutcome,
    /// When it happened or is to happen; null if never, or if the model has no such element.
    pub now: Option<Moment<'a>>,
    /// Whether that has shipped.
    pub shipped: bool,
    /// By how many releases that differs from the promise; null if the calendar does not have the promised release.
    pub releases: Option<u32>,
    /// By how many days, if both releases have dates.
    pub days: Option<i64>,
}

impl PromiseOutcome {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] = [
        Self::Kept,
        Self::Pending,
        Self::Earlier,
        Self::Later,
        Self::Withdrawn,
        Self::Dropped,
    ];

    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether what happens is not what was promised.
    pub fn is_drift(self) -> bool {
        !matches!(self, Self::Kept | Self::Pending)
    }
}

impl PromiseReport<'_> {
    /// By how much it differs: "2 releases, 91 days".
    pub fn differs_by(&self) -> String {
        let releases = self.releases.filter(|releases| *releases > 0);
        releases.map_or_else(String::new, |releases| apart(releases, self.days))
    }
}
