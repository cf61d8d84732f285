//! The steps of a proposal and what the model says of them.

use crate::import::Value;
use crate::import::update::Entry;
use crate::model::EventKind;
use crate::release::{Calendar, Release};
use crate::stability::Stage;

use super::Unproposable;

/// The keys that lead to an entry of the model.
pub(super) type Path = Vec<String>;

/// Something that is to happen in a release.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// What it is called: `alpha`, `introduced`, `removed`, …
    pub name: &'static str,
    /// The ids of what it happens to.
    pub elements: Vec<String>,
    /// What happens.
    pub what: EventKind,
    /// Which time: of a gate the position of its stage.
    pub nth: u8,
    /// How the model says it.
    pub said: Said,
    /// When.
    pub release: Release,
    /// Whether somebody set the release.
    pub asked: bool,
    /// The steps before it, by their positions, and how many releases later it comes at the soonest.
    pub after: Vec<(usize, u32)>,
    /// Whether the law waits for what is not in sight: the step is not written.
    pub waits: bool,
}

/// How the model says when a step comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// As the value of a key of these entries.
    Key(Vec<Path>, String),
    /// As a stage of a gate.
    Stage(Path, Stage),
}

/// What is proposed, so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    /// The id of the element.
    pub element: String,
    /// The steps, each after the one it waits for.
    pub steps: Vec<Step>,
    /// What entries say besides: path, key, value.
    pub said: Vec<(Path, String, Value)>,
    /// Entries that are there without a word.
    pub bare: Vec<Path>,
    /// The stages that a gate has already.
    pub stages: Vec<Value>,
}

impl Step {
    /// A step without a release yet.
    pub fn new(name: &'static str, what: EventKind, element: impl Into<String>, said: Said) -> Self {
        Self {
            name,
            elements: vec![element.into()],
            what,
            nth: 0,
            said,
            release: Release(0),
            asked: false,
            after: Vec::new(),
            waits: false,
        }
    }

    /// The same, so many releases after another step.
    pub fn after(mut self, position: usize, releases: u32) -> Self {
        self.after.push((position, releases));
        self
    }

    /// The entry of the gate that reaches a stage by it.
    fn gate(&self) -> Option<&Path> {
        match &self.said {
            Said::Stage(path, _) => Some(path),
            Said::Key(..) => None,
        }
    }

    /// The same in a release.
    pub fn from(self, release: Release) -> Self {
        Self { release, ..self }
    }
}

impl Said {
    /// A key of one entry.
    pub fn key(path: &[String], key: &str) -> Self {
        Self::Key(vec![path.to_vec()], key.to_owned())
    }
}

impl Draft {
    /// Adds a step; its position.
    pub fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The entries that say all this.
    ///
    /// # Errors
    ///
    /// If a step comes in a release that the calendar does not have.
    pub fn entries(&self, calendar: &Calendar) -> Result<Vec<Entry>, Unproposable> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut stages = self.stages.clone();
        for step in self.steps.iter().filter(|step| !step.waits) {
            let release = Value::Text(name(calendar, step)?);
            match &step.said {
                Said::Key(paths, key) => {
                    for path in paths {
                        entry(&mut entries, path).push((key.clone(), release.clone()));
                    }
                }
                Said::Stage(path, stage) => {
                    entry(&mut entries, path);
                    stages.push(stage_value(*stage, release));
                }
            }
        }
        if let Some(path) = self.steps.iter().find_map(Step::gate) {
            entry(&mut entries, path).insert(0, ("specs".to_owned(), Value::List(stages)));
        }
        for (path, key, value) in &self.said {
            entry(&mut entries, path).push((key.clone(), value.clone()));
        }
        for path in &self.bare {
            entry(&mut entries, path);
        }
        Ok(entries)
    }
}

/// The keys of an entry, which is there from now on.
fn entry<'e>(entries: &'e mut Vec<Entry>, path: &[String]) -> &'e mut Vec<(String, Value)> {
    let at = entries.iter().position(|entry| entry.path == path).unwrap_or_else(|| {
        entries.push(Entry {
            path: path.to_vec(),
            keys: Vec::new(),
        });
        entries.len() - 1
    });
    &mut entries[at].keys
}

/// Alpha is off; beta is on; GA is on and locked.
fn stage_value(stage: Stage, since: Value) -> Value {
    let mut entry = vec![
        ("stage".to_owned(), Value::Text(stage.to_string())),
        ("since".to_owned(), since),
        ("default".to_owned(), Value::Flag(stage != Stage::Alpha)),
    ];
    if stage == Stage::Ga {
        entry.push(("locked".to_owned(), Value::Flag(true)));
    }
    Value::Table(entry)
}

fn name(calendar: &Calendar, step: &Step) -> Result<String, Unproposable> {
    let name = calendar.name(step.release);
    match calendar.find(&name) {
        Ok(found) if found == step.release => Ok(name),
        _ => Err(Unproposable::new(
            format!("the step `{}` comes in {name}, which is not in the calendar", step.name),
            "list the releases to come (a day, or \"unscheduled\"), or give the calendar a `cadence`",
        )),
    }
}
