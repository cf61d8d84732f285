//! What each change does to those who write and those who read, as a table.

mod definitions;
mod schemas;

use crate::schema::{ChangeKind as Kind, Effect};
use crate::stability::Track;

/// What a change does to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing that worked stops working.
    Compatible,
    /// It works for those who expected it: for others it may not.
    Risky,
    /// Something that worked stops working.
    Breaking,
}

impl Verdict {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}

/// A row: what a change does, and what to do instead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub kind: Kind,
    /// The row is for this effect only.
    pub when: Option<Effect>,
    /// The row is for this track only.
    pub track: Option<Track>,
    /// The row is for versions only that were marked as deprecated before, or were not.
    pub announced: Option<bool>,
    /// To those who write objects as they did before.
    pub requests: Verdict,
    /// To those who read objects as they did before.
    pub readers: Verdict,
    /// What happened, in words to which the values are added.
    pub words: &'static str,
    /// Why that matters; empty where nothing does.
    pub reason: &'static str,
    /// What to do instead.
    pub remedy: &'static str,
}

const OK: Verdict = Verdict::Compatible;
const RISK: Verdict = Verdict::Risky;
const BREAK: Verdict = Verdict::Breaking;

const fn row(kind: Kind, requests: Verdict, readers: Verdict, texts: [&'static str; 3]) -> Row {
    let [words, reason, remedy] = texts;
    Row {
        kind,
        when: None,
        track: None,
        announced: None,
        requests,
        readers,
        words,
        reason,
        remedy,
    }
}

const fn when(effect: Effect, row: Row) -> Row {
    Row {
        when: Some(effect),
        ..row
    }
}

const fn of(track: Track, row: Row) -> Row {
    Row {
        track: Some(track),
        ..row
    }
}

const fn announced(announced: bool, row: Row) -> Row {
    Row {
        announced: Some(announced),
        ..row
    }
}

/// What the rows of the table are chosen by, beside the kind of change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub kind: Kind,
    pub effect: Effect,
    pub track: Track,
    pub announced: bool,
}

impl Row {
    /// Whether the row is for a case.
    pub fn fits(&self, case: Case) -> bool {
        self.kind == case.kind
            && self.when.is_none_or(|effect| effect == case.effect)
            && self.track.is_none_or(|track| track == case.track)
            && self.announced.is_none_or(|announced| announced == case.announced)
    }

    /// Whether the row is for all cases of its kind.
    #[cfg(test)]
    pub fn is_general(&self) -> bool {
        self.when.is_none() && self.track.is_none() && self.announced.is_none()
    }
}

const REFUSED: &str = "objects that were accepted are refused";
const NEW_VERSION: &str = "demand it in a new version, and convert";
const RATCHET: &str = "demand it in a new version. Where servers ratchet (from Kubernetes 1.30, with \
    CRDValidationRatcheting), values that are not touched stay valid, but new ones are refused";
const SURPRISE: &str = "readers meet values that could not be there";
const TWO_STEPS: &str =
    "make sure that readers expect it: let updates keep it in one release, and creates have it in the next";
const MERGE: &str = "server-side apply merges otherwise: what one writer owned, another one overwrites";
const MERGE_HELP: &str = "keep it in this version, and say it in a new one";

/// The rows. Of those for one kind of change, the first that fits counts.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    definitions::DEFINITIONS.iter().chain(schemas::SCHEMAS)
}

/// What is said of a change that has no row: a test holds that there is none.
pub(super) const NOT_LISTED: Row = row(
    Kind::UnknownChanged,
    BREAK,
    BREAK,
    ["it changed", "nobody can tell what it does", "look at what it means"],
);
