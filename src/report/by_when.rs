//! What has to happen by when for a target: what `lifecycle by-when` prints.

use serde::Serialize;

use super::Moment;
use crate::grammar::EventWord;

/// Whether targets can be reached, and what has to happen by when for it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ByWhenReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// Whether all of them can be reached.
    pub reachable: bool,
    /// The targets, as asked for.
    pub targets: Vec<TargetReport<'a>>,
    /// What has to be declared next, if anything has to be.
    pub next: Option<NextReport<'a>>,
    /// The releases from the next one to the last one named below.
    pub releases: Vec<Moment<'a>>,
    /// The events on the way, by their latest release.
    pub steps: Vec<WayReport<'a>>,
    /// What prevents the targets that cannot be reached.
    pub clashes: Vec<ClashReport<'a>>,
    /// The errors that a check would report with everything at its earliest.
    pub findings: Vec<NeededReport<'a>>,
    /// What exceptions would have to cover, if the targets that cannot be reached were met all the same.
    pub exceptions: Vec<NeededReport<'a>>,
    /// Whether the search stopped before it found a way, or found that there is none: there may be one.
    pub undecided: bool,
    /// How many deprecations were not tried in other releases, in which a gate or an edition judges them otherwise.
    /// With those, a target may be reached sooner, and an event may come later.
    pub untried: usize,
    /// The command that declares everything at its earliest.
    pub command: Option<String>,
}

/// A target.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TargetReport<'a> {
    /// As the user asked for it.
    pub target: String,
    /// The last release for it.
    pub by: Option<Moment<'a>>,
    /// Whether it can be reached.
    pub reachable: bool,
    /// Whether its release has shipped before all of it happened. What is on the way to it is not listed.
    pub missed: bool,
    /// The earliest release with which it can be reached; null if none is in sight, or if all of it has happened.
    pub soonest: Option<Moment<'a>>,
    /// How many events it is about: one for each element.
    pub events: usize,
    /// How many of them have happened in time.
    pub met: usize,
    /// How many of them have happened after that release.
    pub late: usize,
    /// Which ones, and when. Those of all kinds of a version are one.
    pub happened_late: Vec<HappenedReport<'a>>,
    /// How many of them no release permits that is in sight.
    pub never: usize,
    /// The earliest release for the others, if no release is in sight for some.
    pub soonest_of_others: Option<Moment<'a>>,
}

/// An event of a target that has happened.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HappenedReport<'a> {
    /// The element.
    pub element: &'a str,
    /// When.
    pub release: Option<Moment<'a>>,
}

/// The next thing to do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NextReport<'a> {
    /// The element.
    pub element: &'a str,
    /// What has to happen.
    pub event: EventWord<'a>,
    /// By when.
    pub by: Option<Moment<'a>>,
    /// The owner.
    pub owner: Option<&'a str>,
}

/// Where an event on the way stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Standing {
    /// It is not declared.
    Open,
    /// It is declared, and comes in time.
    Declared,
    /// It is declared for a release that is too late, and may be declared for an earlier one.
    Move,
    /// It is declared for a release that is too early after an event on the way. No target depends on it: it may be
    /// declared for its earliest release, or not at all.
    Follow,
    /// It is declared, and does not move.
    Fact,
}

impl Standing {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An event on the way.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WayReport<'a> {
    /// The element; a version if the same goes for all its kinds.
    pub element: &'a str,
    /// What happens.
    pub event: EventWord<'a>,
    /// Where it stands.
    pub standing: Standing,
    /// Its declared or planned release, if it has one.
    pub release: Option<Moment<'a>>,
    /// The earliest release; null if none is in sight.
    pub earliest: Option<Moment<'a>>,
    /// The latest release; null if none is early enough, or if it only follows.
    pub latest: Option<Moment<'a>>,
    /// Whether the latest release has shipped, and it cannot come in time.
    pub missed: bool,
    /// How many releases lie between them; null if it cannot come in time, or if it only follows.
    pub slack: Option<u32>,
    /// Whether it decides when the tightest target can be reached.
    pub critical: bool,
    /// Whether it is a target itself.
    pub target: bool,
    /// The owner.
    pub owner: Option<&'a str>,
    /// Why it is not earlier.
    pub reason: String,
    /// The events any of which would do in its place.
    pub instead: Vec<InsteadReport<'a>>,
    /// What declares it at its earliest: `apps/v1beta1.removed=1.34`.
    pub declaration: Option<String>,
}

/// An event that would do in place of another one.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct InsteadReport<'a> {
    /// The element.
    pub element: &'a str,
    /// What happens.
    pub event: EventWord<'a>,
    /// The latest release.
    pub by: Option<Moment<'a>>,
}

impl WayReport<'_> {
    /// Whether it still has to be declared.
    pub fn is_open(&self) -> bool {
        matches!(self.standing, Standing::Open | Standing::Move | Standing::Follow)
    }
}

/// Why a target cannot be reached.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClashReport<'a> {
    /// The element.
    pub element: &'a str,
    /// What should happen.
    pub event: EventWord<'a>,
    /// By when.
    pub by: Option<Moment<'a>>,
    /// The earliest release for it; null if none is in sight.
    pub soonest: Option<Moment<'a>>,
    /// The obligations that cannot be met with it: without any one of them, the others can.
    pub obligations: Vec<ClashingReport<'a>>,
    /// What else it follows from.
    pub facts: Vec<String>,
}

/// An obligation of a clash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClashingReport<'a> {
    /// Its rule.
    pub rule: &'static str,
    /// The number of the rule, if its policy gives one.
    pub number: Option<String>,
    /// The code of the finding if it is not met.
    pub code: &'static str,
    /// The element that it is about.
    pub element: &'a str,
    /// The event that it bounds.
    pub event: EventWord<'a>,
    /// The earliest release that it permits; null if none is in sight.
    pub earliest: Option<Moment<'a>>,
    /// What it demands, with its arithmetic.
    pub text: String,
}

/// A finding that would have to be accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NeededReport<'a> {
    /// Its rule.
    pub rule: &'static str,
    /// Its code.
    pub code: String,
    /// The element.
    pub element: Option<String>,
    /// The release until which an exception would have to hold, if it may end.
    pub until: Option<Moment<'a>>,
    /// The finding.
    pub message: String,
}
