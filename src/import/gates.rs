//! Kubernetes' versioned feature list, in YAML: feature gates with the stage, default and lock of each version.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::Spanned;

use crate::release::ReleaseName;
use crate::stability::Stage;

use super::draft::{Draft, Element, Value};
use crate::text::{Unreadable, at, limits, line_below, listed, of_problem};

/// Bytes of one text: a hundred times the list of Kubernetes.
pub const LARGEST: usize = 4 << 20;

/// Stages of one gate that a model can have.
const MOST_STAGES: usize = 100;

/// One stage of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The release in which it enters the stage.
    pub since: ReleaseName,
    /// The stage.
    pub stage: Stage,
    /// Whether it is on unless set.
    pub default: bool,
    /// Whether it cannot be set to anything else.
    pub locked: bool,
}

/// What was found in texts.
#[derive(Debug, Default)]
pub struct Found {
    /// The stages of each gate, oldest first.
    pub gates: BTreeMap<String, Vec<Spec>>,
}

#[derive(Deserialize)]
struct Entry {
    name: Option<String>,
    #[serde(rename = "versionedSpecs")]
    specs: Option<Vec<Spanned<Stated>>>,
}

/// A stage as the list states it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stated {
    default: Option<bool>,
    lock_to_default: Option<bool>,
    pre_release: Option<String>,
    version: Option<String>,
    /// Where it stands; not a key of the list.
    #[serde(skip)]
    line: u32,
}

impl Found {
    /// Adds the gates of a text, and gives the entries that were skipped, each with its place and the reason. A gate is
    /// taken whole or not at all.
    ///
    /// # Errors
    ///
    /// If the text is no list of gates.
    pub fn add(&mut self, text: &str) -> Result<Vec<Unreadable>, Unreadable> {
        if text.len() > LARGEST {
            return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
        }
        let (entries, mut skipped) = listed(text, entries)?;
        for entry in entries {
            self.entry(entry, &mut skipped);
        }
        skipped.sort_by_key(|fault| fault.line);
        Ok(skipped)
    }

    fn entry(&mut self, (line, entry): (u32, Entry), skipped: &mut Vec<Unreadable>) {
        let name = entry.name.unwrap_or_default();
        if name.is_empty() || name.chars().any(char::is_control) {
            return skipped.push(at(line, 1, "a gate without a usable `name`"));
        }
        let specs = match specs(entry.specs.unwrap_or_default(), line) {
            Ok(specs) => specs,
            Err(fault) => {
                let reason = format!("gate {name}: {}", fault.reason);
                return skipped.push(Unreadable { reason, ..fault });
            }
        };
        match self.gates.get(&name) {
            Some(known) if *known == specs => {}
            Some(_) => skipped.push(at(line, 1, format!("gate {name} is listed before with other stages"))),
            None => {
                self.gates.insert(name, specs);
            }
        }
    }

    /// The gates as a draft. Its calendar is empty.
    pub fn draft(&self) -> Draft {
        let gates = self.gates.iter().map(|(name, specs)| {
            let specs = Value::List(specs.iter().map(value).collect());
            let element = Element {
                said: [("specs".to_owned(), specs)].into(),
                ..Element::default()
            };
            (name.clone(), element)
        });
        Draft {
            gates: gates.collect(),
            ..Draft::default()
        }
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

/// The entries of a text that begins at a line, each with its line. No more nodes are read than this.
fn entries(text: &str, line: u32, nodes: usize) -> Result<Vec<(u32, Entry)>, Unreadable> {
    let parsed = serde_saphyr::from_str_with_options::<Option<Vec<Spanned<Entry>>>>(text, limits(nodes));
    let parsed = parsed.map_err(|problem| of_problem(&problem, line))?;
    let parsed = parsed.ok_or_else(|| at(line, 1, "there is no list of gates"))?;
    let placed = parsed.into_iter().map(|entry| {
        let (own, mut entry) = (line_below(line, entry.referenced.line()), entry.value);
        for spec in entry.specs.iter_mut().flatten() {
            spec.value.line = line_below(line, spec.referenced.line());
        }
        (own, entry)
    });
    Ok(placed.collect())
}

/// The stages of a gate, oldest first.
fn specs(stated: Vec<Spanned<Stated>>, line: u32) -> Result<Vec<Spec>, Unreadable> {
    if stated.is_empty() || stated.len() > MOST_STAGES {
        let reason = format!("`versionedSpecs` has {} entries, not 1 to {MOST_STAGES}", stated.len());
        return Err(at(line, 1, reason));
    }
    let mut specs: Vec<Spec> = Vec::new();
    for Spanned { value: stated, .. } in stated {
        let here = stated.line;
        let fault = |reason: String| at(here, 1, reason);
        let missing = |key: &str| fault(format!("an entry without `{key}`"));
        let version = stated.version.ok_or_else(|| missing("version"))?;
        let stage = stated.pre_release.ok_or_else(|| missing("preRelease"))?;
        let spec = Spec {
            since: ReleaseName::parse(&version)
                .ok_or_else(|| fault(format!("version `{version}` is not the name of a release")))?,
            stage: Stage::parse(&stage)
                .ok_or_else(|| fault(format!("`{stage}` is no stage: Alpha, Beta, GA or Deprecated")))?,
            default: stated.default.ok_or_else(|| missing("default"))?,
            locked: stated.lock_to_default.unwrap_or(false),
        };
        if specs.iter().any(|known| known.since == spec.since) {
            return Err(fault(format!("two entries for version {}", spec.since)));
        }
        specs.push(spec);
    }
    specs.sort_by(|a, b| a.since.cmp(&b.since));
    Ok(specs)
}
