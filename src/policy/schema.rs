//! How severe changes of a schema are.

use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::document::{Diagnostics, Value};
use crate::schema::{ChangeKind, Verdict};
use crate::stability::Track;

use super::SeverityByTrack;
use super::read::{read_levels, read_tracks};

/// The key of changes within embedded types.
const EMBEDDED: &str = "embedded";

/// The page on the table `[schema]` of a policy, which names every kind of change.
pub const SCHEMA_PAGE: &str = include_str!("schema.md");

/// The table `[schema]` of a policy: severities by verdict, and by kind of change where the policy names one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SchemaLaw {
    verdicts: BTreeMap<Verdict, SeverityByTrack>,
    /// By kind of change and track. What is not here has the severity of its verdict.
    changes: BTreeMap<(ChangeKind, Track), Severity>,
    /// The severity of changes within embedded types of Kubernetes, if the policy sets one for all of them.
    embedded: Option<SeverityByTrack>,
}

impl SchemaLaw {
    /// The severity of a change. Without a setting, a breaking change is an error, a risky one a warning, and a
    /// compatible one a note.
    pub(crate) fn severity(&self, kind: ChangeKind, verdict: Verdict, track: Track) -> Severity {
        let of_verdict = self.verdicts.get(&verdict).map(|levels| levels.of(track));
        let of_kind = self.changes.get(&(kind, track)).copied();
        of_kind.or(of_verdict).unwrap_or_else(|| default_severity(verdict))
    }

    /// The severity of a change within an embedded type of Kubernetes, unless it is compatible.
    pub(crate) fn severity_embedded(&self, kind: ChangeKind, verdict: Verdict, track: Track) -> Severity {
        let all = self.embedded.filter(|_| verdict > Verdict::Compatible);
        all.map_or_else(|| self.severity(kind, verdict, track), |levels| levels.of(track))
    }

    /// Reads the table over what the extended policy sets.
    pub(super) fn read(&mut self, value: Value<'_>, diagnostics: &mut Diagnostics) {
        let Some(table) = value.table(diagnostics) else { return };
        for (key, value) in table.entries() {
            if key.name == "change" {
                self.read_changes(value, diagnostics);
            } else if key.name == EMBEDDED {
                self.embedded = read_levels(value, self.embedded, diagnostics).or(self.embedded);
            } else if let Some(verdict) = Verdict::ALL.into_iter().find(|verdict| verdict.into_str() == key.name) {
                let base = self.verdicts.get(&verdict).copied();
                let base = base.or(Some(SeverityByTrack::all(default_severity(verdict))));
                if let Some(levels) = read_levels(value, base, diagnostics) {
                    self.verdicts.insert(verdict, levels);
                }
            } else {
                let verdicts = Verdict::ALL.map(|verdict| verdict.into_str());
                diagnostics.unknown_key(&key, &[verdicts.as_slice(), &[EMBEDDED, "change"]].concat());
            }
        }
    }

    fn read_changes(&mut self, value: Value<'_>, diagnostics: &mut Diagnostics) {
        let Some(table) = value.table(diagnostics) else { return };
        let known: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
        for (key, value) in table.entries() {
            let Ok(kind) = key.name.parse::<ChangeKind>() else {
                diagnostics.unknown_key(&key, &known);
                continue;
            };
            for (track, severity) in read_tracks(value, diagnostics) {
                self.changes.insert((kind, track), severity);
            }
        }
    }
}

fn default_severity(verdict: Verdict) -> Severity {
    match verdict {
        Verdict::Breaking => Severity::Error,
        Verdict::Risky => Severity::Warning,
        Verdict::Compatible => Severity::Note,
    }
}
