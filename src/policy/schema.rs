//! How grave changes of a schema are.

use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::document::{Faults, Value};
use crate::schema::ChangeKind;
use crate::stability::Track;

use super::SeverityByTrack;
use super::read::read_levels;

/// The verdicts that a policy grades.
const VERDICTS: [&str; 3] = ["breaking", "risky", "compatible"];

/// The table `[schema]` of a policy: severities by verdict and, where one is named, by kind of change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SchemaLaw {
    verdicts: BTreeMap<String, SeverityByTrack>,
    changes: BTreeMap<String, SeverityByTrack>,
}

impl SchemaLaw {
    /// How grave a change is. What no policy grades is an error if it breaks, a warning if it is risky, else a note.
    pub fn severity(&self, kind: ChangeKind, verdict: &str, track: Track) -> Severity {
        let said = self.changes.get(kind.as_str()).or_else(|| self.verdicts.get(verdict));
        said.map_or_else(|| ungraded(verdict), |levels| levels.of(track))
    }

    /// Reads the table over what the policy that is extended says.
    pub(super) fn read(&mut self, value: Value<'_>, faults: &mut Faults) {
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
                faults.unknown_key(&key, &["breaking", "risky", "compatible", "change"]);
            }
        }
    }

    fn read_changes(&mut self, value: Value<'_>, faults: &mut Faults) {
        let Some(table) = value.table(faults) else { return };
        let known: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
        for (key, value) in table.entries() {
            if !known.contains(&key.name) {
                faults.unknown_key(&key, &known);
                continue;
            }
            let base = self.changes.get(key.name).copied();
            if let Some(levels) = read_levels(value, base, faults) {
                self.changes.insert(key.name.to_owned(), levels);
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
