//! How grave changes of a schema are.

use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::document::{Diagnostics, Value};
use crate::schema::ChangeKind;
use crate::stability::Track;

use super::SeverityByTrack;
use super::read::{read_levels, read_tracks};

/// The page on the table `[schema]` of a policy, which names every kind of change.
pub const SCHEMA_PAGE: &str = include_str!("schema.md");

/// The verdicts that a policy grades.
const VERDICTS: [&str; 3] = ["breaking", "risky", "compatible"];

/// The table `[schema]` of a policy: severities by verdict and, where one is named, by kind of change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SchemaLaw {
    verdicts: BTreeMap<String, SeverityByTrack>,
    /// By kind of change and track; what is not here is graded by its verdict.
    changes: BTreeMap<(ChangeKind, Track), Severity>,
}

impl SchemaLaw {
    /// How grave a change is. What no policy grades is an error if it breaks, a warning if it is risky, else a note.
    pub fn severity(&self, kind: ChangeKind, verdict: &str, track: Track) -> Severity {
        let of_kind = self.changes.get(&(kind, track)).copied();
        let of_verdict = || self.verdicts.get(verdict).map(|levels| levels.of(track));
        of_kind.or_else(of_verdict).unwrap_or_else(|| ungraded(verdict))
    }

    /// Reads the table over what the policy that is extended says.
    pub(super) fn read(&mut self, value: Value<'_>, faults: &mut Diagnostics) {
        let Some(table) = value.table(faults) else { return };
        for (key, value) in table.entries() {
            if key.name == "change" {
                self.read_changes(value, faults);
            } else if VERDICTS.contains(&key.name) {
                let base = self.verdicts.get(key.name).copied();
                let base = base.or(Some(SeverityByTrack::all(ungraded(key.name))));
                if let Some(levels) = read_levels(value, base, faults) {
                    self.verdicts.insert(key.name.to_owned(), levels);
                }
            } else {
                faults.unknown_key(&key, &[VERDICTS.as_slice(), &["change"]].concat());
            }
        }
    }

    fn read_changes(&mut self, value: Value<'_>, faults: &mut Diagnostics) {
        let Some(table) = value.table(faults) else { return };
        let known: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
        for (key, value) in table.entries() {
            let Some(kind) = ChangeKind::parse(key.name) else {
                faults.unknown_key(&key, &known);
                continue;
            };
            for (track, severity) in read_tracks(value, faults) {
                self.changes.insert((kind, track), severity);
            }
        }
    }
}

fn ungraded(verdict: &str) -> Severity {
    match verdict {
        "breaking" => Severity::Error,
        "risky" => Severity::Warning,
        _ => Severity::Note,
    }
}
