//! Changes of definitions held against a model: what ends, is announced or begins there has to be declared in it, so
//! that its policy judges it.

use std::collections::BTreeMap;

use crate::release::Calendar;
use crate::report::{DiffReport, DifferenceReport, ElementReport, Moment};
use crate::schema::ChangeKind;

use super::State;

/// Changes by which versions end.
const ENDS: [ChangeKind; 5] = [
    ChangeKind::DefinitionRemoved,
    ChangeKind::VersionRemoved,
    ChangeKind::UnservedVersionRemoved,
    ChangeKind::StoredVersionRemoved,
    ChangeKind::VersionUnserved,
];

/// Changes by which versions begin.
const BEGINS: [ChangeKind; 3] = [
    ChangeKind::DefinitionAdded,
    ChangeKind::VersionAdded,
    ChangeKind::VersionServed,
];

/// Whether a change ends a version, or a kind.
pub fn ends(change: &DifferenceReport) -> bool {
    ENDS.iter().any(|kind| kind.as_str() == change.code)
}

/// Grades changes of versions by what a model says, of which these are the elements, in place of the policy of changes.
///
/// An end that the model declares for its next release or before is a note, since `check` tells whether it is legal;
/// any other is an error, and told with the soonest release in which it would be. What the model does not know is a
/// warning, as is a deprecation that it does not declare.
pub fn hold_against_model(
    report: &mut DiffReport,
    states: [State<'_>; 2],
    elements: &[ElementReport<'_>],
    calendar: &Calendar,
) {
    let model = Model {
        elements: elements.iter().map(|element| (element.id, element)).collect(),
        calendar,
    };
    let [old, new] = states;
    for change in &mut report.changes {
        let is = |kinds: &[ChangeKind]| kinds.iter().any(|kind| kind.as_str() == change.code);
        if is(&ENDS) {
            let ids = ids(change, old);
            model.ended(change, &ids);
        } else if is(&BEGINS) {
            let ids = ids(change, new);
            model.begun(change, &ids);
        } else if is(&[ChangeKind::VersionDeprecated]) {
            let ids = ids(change, new);
            model.deprecated(change, &ids);
        }
    }
}

/// The elements that a change is of: those of all served versions, where it is of the whole.
fn ids(change: &DifferenceReport, state: State<'_>) -> Vec<String> {
    let (group, kind) = (&change.group, &change.kind);
    let id = |version: &String| format!("{group}/{version} {kind}");
    if let Some(version) = &change.version {
        return vec![id(version)];
    }
    let defined = state.definitions.iter().map(|side| side.definition);
    let described = state.documents.iter().flat_map(|side| &side.document.kinds);
    let own = defined
        .chain(described)
        .filter(|own| own.group == *group && own.kind == *kind);
    let served = own.flat_map(|own| own.versions.iter().filter(|(_, version)| version.served));
    served.map(|(name, _)| id(name)).collect()
}

struct Model<'m> {
    elements: BTreeMap<&'m str, &'m ElementReport<'m>>,
    calendar: &'m Calendar,
}

impl Model<'_> {
    /// Whether something is declared for the next release or before.
    fn declares(&self, moment: Option<Moment<'_>>) -> bool {
        moment.is_some_and(|moment| moment.declared == Some(true) && self.is_due(moment))
    }

    /// Whether something is in the next release or before.
    fn is_due(&self, moment: Moment<'_>) -> bool {
        let next = self.calendar.next();
        // What is planned may be in a release that no name finds yet.
        let release = self.calendar.find(moment.release);
        release.is_ok_and(|release| release <= next) || moment.release == self.calendar.name(next)
    }

    fn next(&self) -> String {
        self.calendar.name(self.calendar.next())
    }

    /// How to say when an event comes: in the next release, which the calendar may have to list first.
    fn declare(&self, event: &str) -> String {
        format!("`{event} = \"{}\"`{}", self.next(), listed(self.calendar))
    }

    /// The elements that the model has, or the ids of those it does not have.
    fn known(&self, ids: &[String]) -> Result<Vec<&ElementReport<'_>>, String> {
        let unknown = ids.iter().filter(|id| self.find(id).is_none());
        let unknown: Vec<&str> = unknown.map(String::as_str).collect();
        if unknown.is_empty() {
            return Ok(ids.iter().filter_map(|id| self.find(id)).collect());
        }
        Err(unknown.join(", "))
    }

    /// The element of a kind; that of its version where the model tells nothing of the group's kinds.
    fn find(&self, id: &str) -> Option<&ElementReport<'_>> {
        let of_version = || {
            let (version, _) = id.split_once(' ')?;
            let (group, _) = version.split_once('/')?;
            let start = format!("{group}/");
            let of_group = self.elements.range(start.as_str()..).map(|(id, _)| *id);
            let mut of_group = of_group.take_while(|id| id.starts_with(&start));
            let has_kinds = of_group.any(|id| id.contains(' '));
            self.elements.get(version).filter(|_| !has_kinds)
        };
        self.elements.get(id).or_else(of_version).copied()
    }

    fn ended(&self, change: &mut DifferenceReport, ids: &[String]) {
        let known = match self.known(ids) {
            Ok(known) => known,
            // A model need not know what nobody was served.
            Err(_) if change.code == ChangeKind::UnservedVersionRemoved.as_str() => return,
            Err(ids) => return unknown(change, &ids),
        };
        let Some(other) = known.iter().find(|element| !self.declares(element.removed)) else {
            change.severity = "note";
            change.reason = Some("the model declares it; `lifecycle check` tells whether that is legal".to_owned());
            change.help = None;
            return;
        };
        change.severity = "error";
        let declared = other.removed.filter(|removed| removed.declared == Some(true));
        change.reason = Some(match declared {
            Some(removed) => format!("the model declares the end of {} for {}", other.id, removed.release),
            None => format!("the model does not declare the end of {}", other.id),
        });
        let (id, next) = (other.id, self.next());
        change.help = Some(match other.earliest_removal {
            Some(soonest) if self.is_due(soonest) => {
                format!("{id} may go in {next}: declare {}, or keep it", self.declare("removed"))
            }
            Some(soonest) => format!("keep it: {id} may go in {} at the soonest", soonest.release),
            None => format!(
                "keep it; `lifecycle check --remove \"{id}@{next}\"` tells when it may go{}",
                listed(self.calendar)
            ),
        });
    }

    fn begun(&self, change: &mut DifferenceReport, ids: &[String]) {
        if let Err(ids) = self.known(ids) {
            unknown(change, &ids);
        }
    }

    fn deprecated(&self, change: &mut DifferenceReport, ids: &[String]) {
        match self.known(ids) {
            Err(ids) => unknown(change, &ids),
            Ok(known) => {
                let silent = known.iter().find(|element| !self.declares(element.deprecated));
                if let Some(element) = silent {
                    change.severity = "warning";
                    change.reason = Some(format!("the model does not declare that {} is deprecated", element.id));
                    change.help = Some(format!("declare it: {}", self.declare("deprecated")));
                }
            }
        }
    }
}

/// What to do first where a calendar does not know the name of its next release: nothing, or to list it.
pub(super) fn listed(calendar: &Calendar) -> String {
    if calendar.finds_next() {
        return String::new();
    }
    let next = calendar.name(calendar.next());
    format!(", once `[calendar.releases]` lists it (`\"{next}\" = \"unscheduled\"`)")
}

/// Tells that the model does not have something; what breaks stays as grave as it is.
fn unknown(change: &mut DifferenceReport, ids: &str) {
    if change.severity != "error" {
        change.severity = "warning";
    }
    change.reason = Some(format!("the model does not have {ids}"));
    change.help = Some("bring it up to date: `lifecycle import crds … --update MODEL`".to_owned());
}
