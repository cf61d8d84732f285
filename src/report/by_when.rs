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
    /// Whether the search stopped after its last trial. If the targets are not reachable, there may be a way. If they
    /// are, events may come later than in the latest releases named here.
    pub undecided: bool,
    /// How many deprecations were not tried in other releases, in which a gate or an edition judges them otherwise.
    /// With those, a target may be reached sooner, and an event may come later.
    pub untried: usize,
    /// The command that declares everything at its earliest.
    pub command: Option<String>,
    /// The command that drafts the warnings which those declarations lack, if they lack any.
    pub then: Option<String>,
    /// The command that asks for the targets in their soonest releases, if some cannot be reached in time. Those for
    /// which no release is in sight are left out; null if that leaves none to ask for.
    pub ask_instead: Option<String>,
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
    /// Whether that needs declared events to move which are in time for its release.
    pub soonest_moves_declared: bool,
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
    /// The major release that some of them wait for, which the calendar does not have yet.
    pub never_before_major: Option<String>,
    /// The earliest release for the others, if no release is in sight for some.
    pub soonest_of_others: Option<Moment<'a>>,
}

/// An event of a target that has happened.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HappenedReport<'a> {
    /// Its id; a version if the same goes for all its kinds.
    pub element: &'a str,
    /// How many events of the target this is: one for each kind of a version.
    pub kinds: usize,
    /// In which release it happened.
    pub release: Option<Moment<'a>>,
}

/// The next thing to do.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NextReport<'a> {
    /// The id of the element to declare it for.
    pub element: &'a str,
    /// What has to happen to it.
    pub event: EventWord<'a>,
    /// The latest release for it.
    pub by: Option<Moment<'a>>,
    /// Who has to declare it, if the model names an owner.
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
    /// declared for its earliest release or, unless it is `declared_with` its version, not at all.
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
    /// The id of its element; a version if the same goes for all its kinds.
    pub element: &'a str,
    /// What happens to the element.
    pub event: EventWord<'a>,
    /// Whether it is declared, and whether that has to change.
    pub standing: Standing,
    /// Of an event that follows, the version whose entry declares it for a kind: the kind alone cannot drop it.
    pub declared_with: Option<&'a str>,
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
    /// Who owns the element, if the model says so.
    pub owner: Option<&'a str>,
    /// What decides that it is not earlier, in words.
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
    /// The id of its element.
    pub element: &'a str,
    /// What happens to that element instead.
    pub event: EventWord<'a>,
    /// The latest release for it that is in time.
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
    /// The id of the target's element.
    pub element: &'a str,
    /// The event of the target.
    pub event: EventWord<'a>,
    /// The release of the target.
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
    /// The slug of the rule that states it.
    pub rule: &'static str,
    /// The number of the rule, if its policy gives one.
    pub number: Option<String>,
    /// The code of the finding if it is not met.
    pub code: &'static str,
    /// The id of the element whose event it bounds.
    pub element: &'a str,
    /// That event.
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
    /// The slug of its rule, as an exception names it.
    pub rule: &'static str,
    /// Its code within the rule.
    pub code: String,
    /// The id of the element that an exception would name; null if it is about the model.
    pub element: Option<String>,
    /// The `until` that an exception would need at least, if it may end.
    pub until: Option<Moment<'a>>,
    /// What a check would say.
    pub message: String,
}
