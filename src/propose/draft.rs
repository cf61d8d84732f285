//! The steps of a proposal and how the model declares them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::evaluate::KindSchedule;
use crate::grammar::EntryKey;
use crate::import::Value;
use crate::import::update::NewEntry;
use crate::import::update::entry::{lives, one_or_more};
use crate::model::EventKind;
use crate::release::{Calendar, Release};
use crate::stability::Stage;

/// The keys that lead to an entry of the model.
pub(super) type Path = Vec<String>;

/// Something that is to happen in a release.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Its name: `alpha`, `introduced`, `removed`, …
    pub(crate) name: Cow<'static, str>,
    /// The ids of the elements it happens to.
    pub(crate) elements: Vec<String>,
    /// What happens.
    pub(crate) what: EventKind,
    /// Which time: for a gate, the position of its stage.
    pub(crate) nth: u8,
    /// How the model declares it.
    pub declaration: Declaration,
    /// When.
    pub(crate) release: Release,
    /// The releases of the same before, which were withdrawn: they stand in one list with this one.
    pub(crate) withdrawn: Vec<Release>,
    /// Whether the user set the release.
    pub(crate) asked: bool,
    /// The steps before it, by position, and the least number of releases between each and this one.
    pub(crate) after: Vec<(usize, u32)>,
    /// Whether it waits for a release that is not known: it is not written.
    pub(crate) waits: bool,
}

/// How the model declares the release of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Declaration {
    /// As the value of a key of these entries.
    Key(Vec<Path>, String),
    /// As a stage of a gate.
    Stage(Path, Stage),
    /// As a step of an entry that declares none yet.
    Step(Path, String),
}

/// What is proposed, so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    /// The id of the element.
    pub(crate) element: String,
    /// The steps, each after those it waits for.
    pub(crate) steps: Vec<Step>,
    pub(crate) kinds: KindSchedule,
    /// Other keys of entries: path, key, value.
    pub keys: Vec<(Path, String, Value)>,
    /// Entries without keys.
    pub(crate) bare: Vec<Path>,
    /// What to decide besides.
    pub(crate) remarks: Vec<String>,
    /// The stages that a gate has already.
    pub(crate) stages: Vec<Value>,
}

impl Step {
    /// A step without a release yet.
    pub(crate) fn new(
        name: impl Into<Cow<'static, str>>,
        what: EventKind,
        element: impl Into<String>,
        declaration: Declaration,
    ) -> Self {
        Self {
            name: name.into(),
            elements: vec![element.into()],
            what,
            nth: 0,
            declaration,
            release: Release(0),
            withdrawn: Vec::new(),
            asked: false,
            after: Vec::new(),
            waits: false,
        }
    }

    /// An event that a key of its name declares in an entry.
    pub(crate) fn of_key(what: EventKind, element: impl Into<String>, path: &[String]) -> Self {
        Self::new(what.as_str(), what, element, Declaration::key(path, what.as_str()))
    }

    /// The same, no sooner than other steps.
    pub(crate) fn after_all(mut self, positions: &[usize]) -> Self {
        self.after.extend(positions.iter().map(|position| (*position, 0)));
        self
    }

    /// The same, at least `releases` after another step.
    pub(crate) fn after(mut self, position: usize, releases: u32) -> Self {
        self.after.push((position, releases));
        self
    }

    /// The same in a release.
    pub(crate) fn from(self, release: Release) -> Self {
        Self { release, ..self }
    }
}

impl Declaration {
    /// A key of one entry.
    pub(crate) fn key(path: &[String], key: &str) -> Self {
        Self::Key(vec![path.to_vec()], key.to_owned())
    }
}

impl Draft {
    /// Adds a step; its position.
    pub(crate) fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The steps without a known release: those that the proposal waits for, and those that may come later. The stages
    /// of a gate do not wait for its removal.
    pub(crate) fn waiting(&self) -> (Vec<&Step>, Vec<&Step>) {
        let (waiting, known): (Vec<&Step>, Vec<&Step>) = self.steps.iter().partition(|step| step.waits);
        let mut known = known.into_iter();
        let has_stages = known.any(|step| matches!(step.declaration, Declaration::Stage(..)));
        waiting
            .into_iter()
            .partition(|step| !has_stages || step.what != EventKind::Removed)
    }

    /// The entries of the steps, each with the element that it is about.
    pub(crate) fn entries_of_elements(&self) -> impl Iterator<Item = (&str, &Path)> {
        let steps = self.steps.iter().filter(|step| !step.waits);
        steps.flat_map(|step| {
            let paths = match &step.declaration {
                Declaration::Key(paths, _) => paths.as_slice(),
                Declaration::Stage(path, _) | Declaration::Step(path, _) => std::slice::from_ref(path),
            };
            let elements = step.elements.iter().map(String::as_str);
            elements.flat_map(|element| paths.iter().map(move |path| (element, path)))
        })
    }

    /// The entry in which steps of an element are declared, if it is one.
    pub(crate) fn path_of(&self, id: &str) -> Option<Path> {
        let own = self.steps.iter().filter(|step| step.elements == [id]);
        own.filter(|step| !step.waits).find_map(|step| match &step.declaration {
            Declaration::Key(paths, _) => Some(paths.first()?.clone()).filter(|_| paths.len() == 1),
            Declaration::Stage(path, _) | Declaration::Step(path, _) => Some(path.clone()),
        })
    }

    /// The entries that declare all this. `lives`: those that have to say which life they are about, and how many lives
    /// come before that one.
    pub(crate) fn entries(&self, calendar: &Calendar, lives: &BTreeMap<&Path, usize>) -> Vec<NewEntry> {
        let mut entries: Vec<NewEntry> = Vec::new();
        let mut stages = self.stages.clone();
        let (mut gate, mut named) = (None, Vec::new());
        for step in self.steps.iter().filter(|step| !step.waits) {
            match &step.declaration {
                Declaration::Key(paths, key) => {
                    let all = [step.withdrawn.as_slice(), &[step.release]].concat();
                    for path in paths {
                        let value = one_or_more(&all, calendar).map(|value| (key.clone(), value));
                        entry(&mut entries, path).extend(value);
                    }
                }
                Declaration::Stage(path, stage) => {
                    entry(&mut entries, path);
                    gate = Some(path);
                    stages.push(stage_value(*stage, Value::Text(calendar.name(step.release))));
                }
                Declaration::Step(path, name) => {
                    named.push((path, (name.clone(), Value::Text(calendar.name(step.release)))));
                }
            }
        }
        if let Some((path, _)) = named.first() {
            let key = EntryKey::Steps.as_str().to_owned();
            let steps = named.iter().map(|(_, step)| step.clone()).collect();
            entry(&mut entries, path).push((key, Value::Table(steps)));
        }
        if let Some(path) = gate {
            entry(&mut entries, path).insert(0, ("specs".to_owned(), Value::List(stages)));
        }
        for (path, key, value) in &self.keys {
            entry(&mut entries, path).push((key.clone(), value.clone()));
        }
        for path in &self.bare {
            entry(&mut entries, path);
        }
        for (path, earlier) in lives {
            in_last_life(entry(&mut entries, path), *earlier);
        }
        entries
    }
}

/// Moves the keys of a life into the last one of a list.
fn in_last_life(keys: &mut Vec<(String, Value)>, earlier: usize) {
    let (own, mut others): (Vec<_>, Vec<_>) = keys.drain(..).partition(|(key, _)| EntryKey::is_of_life(key));
    if !own.is_empty() {
        others.push((EntryKey::Lives.as_str().to_owned(), lives(earlier, own)));
    }
    *keys = others;
}

/// The keys of an entry, which is added if there is none.
fn entry<'e>(entries: &'e mut Vec<NewEntry>, path: &[String]) -> &'e mut Vec<(String, Value)> {
    let at = entries.iter().position(|entry| entry.path == path).unwrap_or_else(|| {
        entries.push(NewEntry {
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
