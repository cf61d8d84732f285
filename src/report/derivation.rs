//! Why the events of an element have their releases.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{IfDeprecated, LabelReport, Moment};
use crate::grammar::EventWord;
use crate::stability::Level;

/// Why the events of an element have their releases: what `why` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Derivation<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The element.
    pub element: &'a str,
    /// Its stability.
    pub stability: Level,
    /// The id of what replaces it.
    pub replacement: Option<&'a str>,
    /// The id to migrate to: the last replacement in the chain.
    pub migrate_to: Option<&'a str>,
    /// The earliest release that may still remove it; null once it has been removed, and where none is known.
    pub earliest_removal: Option<Moment<'a>>,
    /// When it might be removed if it were deprecated first; only where that is needed, and not in sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_deprecated: Option<IfDeprecated<'a>>,
    /// The major release before which it is not removed, if the calendar does not have it yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never_before_major: Option<String>,
    /// Its owner.
    pub owner: Option<&'a str>,
    /// Its events, each life in the order of time.
    pub events: Vec<EventDerivation<'a>>,
}

/// Why the events of several elements have their releases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DerivationsReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// One per element.
    pub derivations: Vec<Derivation<'a>>,
}

impl<'a> DerivationsReport<'a> {
    /// The derivations of several elements.
    pub fn new(derivations: Vec<Derivation<'a>>) -> Self {
        Self {
            schema_version: super::SCHEMA_VERSION,
            derivations,
        }
    }
}

/// An event by its element: `apps/v1beta1 removed`, `apps/v1beta1 removed (life 2)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EventName<'a> {
    /// The element.
    pub element: &'a str,
    /// What happens to it.
    pub what: EventWord<'a>,
    /// In which of its lives, from 0.
    pub life: u8,
}

impl fmt::Display for EventName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.element, self.what)?;
        match self.life {
            0 => Ok(()),
            life => write!(f, " (life {})", u32::from(life) + 1),
        }
    }
}

impl Serialize for EventName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How the release of an event is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Origin {
    /// The model declares it.
    Declared,
    /// The plan chose it.
    Planned,
    /// It follows from something that the model declares.
    Implied,
    /// It is not known.
    Open,
}

/// What an obligation asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum DemandKind {
    /// The event comes in this release or later.
    NotBefore,
    /// The event comes in this release or earlier.
    NotAfter,
    /// The event must not happen.
    Forbidden,
    /// The event must be declared.
    Requires,
}

/// Why one event has its release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EventDerivation<'a> {
    /// What happens to which element.
    #[cfg_attr(test, schemars(with = "String"))]
    pub event: EventName<'a>,
    /// Its release; null if unknown.
    pub moment: Option<Moment<'a>>,
    /// Of a gate or a metric: what it is from then on, such as `beta, off by default`.
    pub entry: Option<String>,
    /// Of a later entry: whether it is more stable than the one before.
    pub more_stable: Option<bool>,
    /// How its release is known.
    pub origin: Origin,
    /// Where it is declared.
    pub place: Option<LabelReport>,
    /// The obligations on it.
    pub steps: Vec<StepReport<'a>>,
}

/// One obligation and its bound.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StepReport<'a> {
    /// The rule, or the principle of planning.
    pub rule: &'a str,
    /// The rule's number.
    pub number: Option<&'a str>,
    /// What it asks for.
    pub demand: DemandKind,
    /// The explanation.
    pub text: String,
    /// Its bound.
    pub bound: Option<Moment<'a>>,
    /// The major release that it waits for, if the calendar does not have it yet.
    pub never_before_major: Option<String>,
    /// Whether the event meets it; `true` while the event has no release.
    pub met: bool,
    /// By how many releases the event misses the bound.
    pub missed_by: Option<u32>,
    /// Whether it decides the release.
    pub binding: bool,
    /// The event that its bound counts from. Not part of the answer for programs.
    #[serde(skip)]
    pub counts_from: Option<EventName<'a>>,
}
