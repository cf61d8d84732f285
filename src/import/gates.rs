//! Kubernetes' versioned feature list, in YAML: feature gates with the stage, default and lock of each version.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_saphyr::Spanned;

use crate::release::ReleaseName;
use crate::stability::Stage;
use crate::text::{Unreadable, at, check_size, line_below, listed};

use super::dates;
use super::draft::{DraftCalendar, Element, Value};
use super::notice::{ADD_TO_CALENDAR, ImportError, Imported, Notice, Topic, read_each};

/// Bytes of one text: a hundred times the list of Kubernetes.
pub const LARGEST: usize = 4 << 20;

const MOST_STAGES: usize = 100;

/// One stage of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub(crate) since: ReleaseName,
    pub(crate) stage: Stage,
    pub(crate) default: bool,
    /// Whether it cannot be set to anything else.
    pub(crate) locked: bool,
}

/// The feature gates of one or more lists.
#[derive(Debug, Default)]
pub struct FeatureGates {
    /// The stages of each gate, oldest first.
    pub gates: BTreeMap<String, Vec<Spec>>,
    /// Entries that were skipped.
    pub notices: Vec<Notice>,
}

#[derive(Deserialize)]
struct StatedGate {
    name: Option<String>,
    #[serde(rename = "versionedSpecs")]
    specs: Option<Vec<Spanned<StatedSpec>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatedSpec {
    default: Option<bool>,
    lock_to_default: Option<bool>,
    pre_release: Option<String>,
    version: Option<String>,
}

impl FeatureGates {
    /// Reads lists, each with its name, as one.
    ///
    /// # Errors
    ///
    /// If one cannot be read as a list of gates, or none has a gate.
    pub fn read<'t>(lists: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Self, ImportError> {
        let mut gates = Self::default();
        let names = read_each(lists, |name, text| gates.add(name, text))?;
        if gates.gates.is_empty() {
            let help = "name a versioned feature list: `- name: …` with `versionedSpecs`";
            return Err(ImportError::new(format!("{names}: no feature gate"), help));
        }
        Ok(gates)
    }

    /// Adds the gates of a text. A gate is taken whole or not at all; one that cannot be read is reported.
    ///
    /// # Errors
    ///
    /// If the text is no list of gates.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), Unreadable> {
        check_size(text, LARGEST)?;
        let (entries, mut skipped) = listed::<StatedGate>(text)?;
        for (base, entry) in entries {
            let line = line_below(base, entry.referenced.line());
            if let Err(error) = self.add_gate(entry.value, base, line) {
                skipped.push(error);
            }
        }
        skipped.sort_by_key(|error| error.line);
        let skipped = skipped.iter();
        self.notices.extend(skipped.map(|error| Notice::skipped(name, error)));
        Ok(())
    }

    fn add_gate(&mut self, stated: StatedGate, base: u32, line: u32) -> Result<(), Unreadable> {
        let name = stated.name.unwrap_or_default();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(at(line, 1, "a gate without a usable `name`"));
        }
        let specs = specs(stated.specs.unwrap_or_default(), base, line).map_err(|error| {
            let reason = format!("gate {name}: {}", error.reason);
            Unreadable { reason, ..error }
        })?;
        if self.gates.get(&name).is_some_and(|known| *known != specs) {
            return Err(at(line, 1, format!("gate {name} is listed before with other stages")));
        }
        self.gates.insert(name, specs);
        Ok(())
    }

    /// The releases that the lists name.
    pub fn releases(&self) -> BTreeSet<ReleaseName> {
        self.gates.values().flatten().map(|spec| spec.since.clone()).collect()
    }

    /// Makes a draft of the gates. `known` is the calendar of the model that is updated; `given` is one that was
    /// imported, with the days of its releases.
    ///
    /// # Errors
    ///
    /// If the given calendar of a new model lacks a release that the lists name.
    pub fn import(self, known: Option<DraftCalendar>, given: Option<Imported>) -> Result<Imported, ImportError> {
        let named = self.releases();
        let mut imported = given.unwrap_or_default();
        let gates = self.gates.iter();
        imported.draft.gates = gates
            .map(|(name, specs)| (name.clone(), Element::with_specs(Vec::new(), specs.iter().map(value))))
            .collect();
        imported.notices.extend(self.notices);
        let calendar = &mut imported.draft.calendar;
        let is_new = known.is_none();
        if is_new && calendar.releases.is_empty() {
            calendar.releases = named.into_iter().map(|release| (release, None)).collect();
            imported.note(
                "the calendar has only the releases that the list names, without dates. Policy windows need all releases: \
                 give --calendar, or update the model with `lifecycle import calendar`",
            );
            return Ok(imported);
        }
        let mut all = known.unwrap_or_default();
        all.releases.extend(calendar.releases.clone());
        all.cadence = all.cadence.or(calendar.cadence);
        let missing = calendar.add_later(&all, &named);
        if missing.is_empty() {
            return Ok(imported);
        }
        let missing = dates::listed(&missing);
        if is_new {
            let message = format!("--calendar lacks {missing}, which the list names");
            return Err(ImportError::new(message, ADD_TO_CALENDAR));
        }
        let text = format!(
            "the calendar of the model lacks {missing}, which the list names: add them with their dates to the model, or \
             give --calendar"
        );
        imported.notices.push(Notice::new(Topic::Contradiction, text));
        Ok(imported)
    }
}

fn value(spec: &Spec) -> Value {
    let mut keys = vec![
        ("stage".to_owned(), Value::Text(spec.stage.to_string())),
        ("since".to_owned(), Value::from(&spec.since)),
        ("default".to_owned(), Value::Flag(spec.default)),
    ];
    if spec.locked {
        keys.push(("locked".to_owned(), Value::Flag(true)));
    }
    Value::Table(keys)
}

/// The stages of a gate, oldest first. Lines within the entry are counted from `base`; it begins at `line`.
fn specs(stated: Vec<Spanned<StatedSpec>>, base: u32, line: u32) -> Result<Vec<Spec>, Unreadable> {
    if stated.is_empty() || stated.len() > MOST_STAGES {
        let count = stated.len();
        let reason = format!("`versionedSpecs` has {count} entries; it may have 1 to {MOST_STAGES}");
        return Err(at(line, 1, reason));
    }
    let mut specs: Vec<Spec> = Vec::new();
    for stated in stated {
        let line = line_below(base, stated.referenced.line());
        let spec = spec(stated.value).map_err(|reason| at(line, 1, reason))?;
        if specs.iter().any(|known| known.since == spec.since) {
            return Err(at(line, 1, format!("two entries for version {}", spec.since)));
        }
        specs.push(spec);
    }
    specs.sort_by(|a, b| a.since.cmp(&b.since));
    Ok(specs)
}

fn spec(stated: StatedSpec) -> Result<Spec, String> {
    let version = stated.version.ok_or("an entry without `version`")?;
    let stage = stated.pre_release.ok_or("an entry without `preRelease`")?;
    Ok(Spec {
        since: ReleaseName::parse(&version)
            .ok_or_else(|| format!("version `{version}` is not the name of a release"))?,
        stage: Stage::parse(&stage)
            .ok_or_else(|| format!("`{stage}` is not a stage: Alpha, Beta, GA or Deprecated"))?,
        default: stated.default.ok_or("an entry without `default`")?,
        locked: stated.lock_to_default.unwrap_or(false),
    })
}
