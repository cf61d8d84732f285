//! Why the events of an element fall where they do.

use serde::Serialize;

use super::{LabelReport, Moment};

/// Why the events of an element fall where they do: what `why` prints.
#[derive(Debug, Serialize)]
pub struct Derivation<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The element.
    pub element: String,
    /// Its stability.
    pub stability: &'static str,
    /// Its events.
    pub events: Vec<EventDerivation<'a>>,
}

/// Why one event falls where it does.
#[derive(Debug, Serialize)]
pub struct EventDerivation<'a> {
    /// What happens, of which element.
    pub event: String,
    /// When; null if it is neither declared nor planned.
    pub moment: Option<Moment<'a>>,
    /// `declared`, `planned`, `implied` or `open`.
    pub origin: &'static str,
    /// Where it is declared.
    pub place: Option<LabelReport>,
    /// What bears on it.
    pub steps: Vec<StepReport<'a>>,
}

/// One obligation and what it comes to.
#[derive(Debug, Serialize)]
pub struct StepReport<'a> {
    /// The rule, or the principle of planning.
    pub rule: &'a str,
    /// The rule's number.
    pub number: Option<&'a str>,
    /// `not-before`, `not-after`, `forbidden` or `requires`.
    pub demand: &'static str,
    /// The sentence.
    pub text: String,
    /// What it comes to.
    pub bound: Option<Moment<'a>>,
    /// Whether it is the one that decides.
    pub binding: bool,
}
