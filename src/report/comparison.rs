//! Where two sources disagree: what `compare` prints.

use serde::Serialize;

/// Two sources, held against each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// How much was compared. Elements that neither source can speak of for the other are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ComparisonCounts {
    /// Elements that both sources have.
    pub compared: usize,
    /// Of these, those of which they say the same.
    pub agree: usize,
    /// Of these, those of which they do not.
    pub differ: usize,
    /// Elements that the first source has and the second should.
    pub only_here: usize,
    /// Elements that the second source has and the first should.
    pub only_there: usize,
    /// Events (introduced, deprecated, removed, …) of which both sources name a release or a day.
    pub dates: usize,
    /// Of these, those for which they name another.
    pub dates_differ: usize,
}

/// One disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DisagreementReport {
    /// The element.
    pub element: String,
    /// About what: an event, `replacement`, a stage, or `present`.
    pub what: String,
    /// What the first source says.
    pub here: SaidReport,
    /// What the second one says.
    pub there: SaidReport,
    /// Why they disagree, where that is evident.
    pub reason: Option<ReasonReport>,
}

/// What a source says, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SaidReport {
    /// What; `null` if it says nothing.
    pub says: Option<String>,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// Why two sources disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReasonReport {
    /// The sort of reason.
    pub code: &'static str,
    /// In words.
    pub text: String,
}

impl ComparisonReport {
    /// The two sources as briefly as they can be told apart: without folders, unless the rest is the same.
    pub fn titles(&self) -> [&str; 2] {
        titles(&self.here, &self.there)
    }
}

/// Two files as briefly as they can be told apart.
pub fn titles<'n>(here: &'n str, there: &'n str) -> [&'n str; 2] {
    let last = |name: &'n str| name.rsplit(['/', '\\']).next().unwrap_or(name);
    let short = [last(here), last(there)];
    match short {
        [one, other] if one != other && !one.is_empty() && !other.is_empty() => short,
        _ => [here, there],
    }
}
