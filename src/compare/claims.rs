//! What one source states about elements, in a form in which sources can be compared.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::grammar::{ElementKind, ElementPath, EventKind};
use crate::import::Notice;
use crate::import::calendar::ReleaseDates;
use crate::import::deprecation_lists::ListedApi;
use crate::import::gates::FeatureGates;
use crate::release::ReleaseName;
use crate::report::ComparedFact;

/// All that one source states.
#[derive(Debug, Default)]
pub struct Claims {
    /// The source, as the user named it.
    pub name: String,
    pub(crate) scope: Scope,
    /// What it states about each element, by id.
    pub(crate) elements: BTreeMap<String, Claim>,
    /// The newest release that has shipped, if stated.
    pub(crate) current: Option<String>,
    /// Whether it names the version of a replacement alone, not its kind.
    pub(crate) replaced_by_versions: bool,
    /// What was left out of the source, and why.
    pub(crate) left_out: Vec<String>,
}

/// What a source covers. Anything outside is no disagreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All of a product: what it does not name does not exist.
    #[default]
    Product,
    /// Kinds that are deprecated or removed, and their last life only.
    Deprecations,
    /// Feature gates and their stages; removed gates may be missing.
    Gates,
    /// Releases and their dates.
    Calendar,
}

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A version with kinds, which have claims of their own.
    Version,
    /// A version without named kinds: its claim holds for all of them.
    BareVersion,
    /// A kind in a version.
    Kind,
    /// A feature gate.
    Gate,
    /// A release.
    Release,
    /// Anything else.
    Other,
}

/// What a source states about one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// A release (or several, of several lives), an id, a day.
    pub(crate) value: String,
    pub(crate) line: Option<SourceLine>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceLine {
    pub(crate) file: String,
    pub(crate) line: u32,
}

/// What one source states about one element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) subject: Subject,
    pub(crate) part_of: Option<String>,
    pub(crate) line: Option<SourceLine>,
    /// Statements about all its lives together.
    pub(crate) facts: BTreeMap<ComparedFact, Statement>,
    /// Statements about its last life, as lists of deprecations have them: a deprecation only if it is in force.
    pub(crate) last: BTreeMap<ComparedFact, Statement>,
    /// The first release that has the replacement, if stated here.
    pub(crate) available: Option<String>,
}

impl Claim {
    pub(super) fn new(subject: Subject, line: Option<SourceLine>) -> Self {
        Self {
            subject,
            part_of: None,
            line,
            facts: BTreeMap::new(),
            last: BTreeMap::new(),
            available: None,
        }
    }

    /// When something happens in its last life.
    pub(crate) fn when(&self, event: EventKind) -> Option<&str> {
        let stated = self.last.get(&ComparedFact::Event(event));
        stated.map(|stated| stated.value.as_str())
    }

    /// The release in which its last life ends, or else in which that is announced.
    pub(super) fn end(&self) -> Option<&str> {
        self.when(EventKind::Deprecated).or(self.when(EventKind::Removed))
    }
}

impl Claims {
    /// The claims of a list of deprecated API versions. Of several entries about one kind the first one counts.
    /// `replaced_by_versions`: the list cannot name a replacement of another kind, as pluto's cannot.
    pub fn of_list(name: &str, entries: &[ListedApi], replaced_by_versions: bool) -> Self {
        let mut claims = Self {
            name: name.to_owned(),
            scope: Scope::Deprecations,
            replaced_by_versions,
            ..Self::default()
        };
        for entry in entries {
            let id = entry.api.to_string();
            match claims.elements.get(&id) {
                None => drop(claims.elements.insert(id, of_entry(name, entry))),
                Some(known) => {
                    let first = known.line.as_ref().map_or(0, |known| known.line);
                    let text = format!("{name}:{}: {id} is also in line {first}, which counts", entry.line);
                    claims.left_out.push(text);
                }
            }
        }
        claims
    }

    /// The claims of a versioned feature list.
    pub fn of_gates(name: &str, list: &FeatureGates) -> Self {
        let gates = list.gates.iter().map(|(gate, specs)| {
            let mut claim = Claim::new(Subject::Gate, None);
            for spec in specs {
                let value = gate_stage(&spec.since.to_string(), spec.default, spec.locked);
                append(&mut claim.facts, ComparedFact::Stage(spec.stage), value, None);
            }
            (ElementPath::Named(ElementKind::Gate, gate.into()).to_string(), claim)
        });
        Self {
            name: name.to_owned(),
            scope: Scope::Gates,
            elements: gates.collect(),
            left_out: left_out(&list.notices),
            ..Self::default()
        }
    }

    /// The claims of a calendar.
    pub fn of_calendar(name: &str, dates: &ReleaseDates) -> Self {
        let days = dates.releases.iter();
        let days = days.filter_map(|(release, day)| Some(of_day(release, (*day)?)));
        Self {
            name: name.to_owned(),
            scope: Scope::Calendar,
            elements: days.collect(),
            left_out: left_out(&dates.notices),
            ..Self::default()
        }
    }
}

fn left_out(notices: &[Notice]) -> Vec<String> {
    notices.iter().map(|notice| notice.text.clone()).collect()
}

pub(super) fn of_day(release: &ReleaseName, day: NaiveDate) -> (String, Claim) {
    let mut claim = Claim::new(Subject::Release, None);
    append(&mut claim.facts, ComparedFact::Day, day.to_string(), None);
    (format!("release {release}"), claim)
}

/// When a gate enters a stage, and its default there.
pub(super) fn gate_stage(since: &str, default: bool, locked: bool) -> String {
    let default = if default { "on" } else { "off" };
    let locked = if locked { ", locked" } else { "" };
    format!("{since} ({default}{locked})")
}

/// Adds a statement to an earlier one about the same fact: of another life, or a repetition.
pub(super) fn append(
    facts: &mut BTreeMap<ComparedFact, Statement>,
    fact: ComparedFact,
    value: String,
    line: Option<SourceLine>,
) {
    match facts.get_mut(&fact) {
        Some(known) => {
            known.value.push_str(", ");
            known.value.push_str(&value);
        }
        None => drop(facts.insert(fact, Statement { value, line })),
    }
}

fn of_entry(name: &str, entry: &ListedApi) -> Claim {
    let line = Some(SourceLine {
        file: name.to_owned(),
        line: entry.line,
    });
    let mut claim = Claim::new(Subject::Kind, line.clone());
    let events = [
        (EventKind::Introduced, &entry.introduced),
        (EventKind::Deprecated, &entry.deprecated),
        (EventKind::Removed, &entry.removed),
    ];
    let events = events.into_iter();
    let events =
        events.filter_map(|(event, release)| Some((ComparedFact::Event(event), release.as_ref()?.to_string())));
    let replacement = entry.replacement.iter();
    let replacement = replacement.map(|replacement| (ComparedFact::Replacement, replacement.to_string()));
    for (fact, value) in events.chain(replacement) {
        append(&mut claim.last, fact, value, line.clone());
    }
    claim.facts.clone_from(&claim.last);
    claim.available = entry.available.as_ref().map(ToString::to_string);
    claim
}
