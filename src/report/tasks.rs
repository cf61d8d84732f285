//! What has to be done for a release: what `lifecycle agenda` prints.

use serde::Serialize;

use super::{ConsumerReport, Moment};

/// What has to be done, and what may be done, in some releases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TasksReport<'a> {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// The newest release that has shipped.
    pub current: Option<Moment<'a>>,
    /// The release that is asked for.
    pub release: Option<Moment<'a>>,
    /// The last one that is looked ahead to.
    pub last: Option<Moment<'a>>,
    /// The tasks: what is overdue, what must be done, what was promised, what may be done; of each by release.
    pub tasks: Vec<TaskReport<'a>>,
    /// The baseline file, if there is one.
    pub baseline: Option<&'a str>,
    /// How many tasks are left out because the baseline lists what they would fix.
    pub suppressed: usize,
    /// How many tasks are left out because they are not asked for: of another urgency, or as before.
    pub left_out: usize,
    /// The tasks that are alike, together; in the same order, and those of widest effect first.
    pub task_groups: Vec<TaskGroup<'a>>,
}

impl<'a> TasksReport<'a> {
    /// Leaves out the other tasks, also of the groups.
    pub fn retain(&mut self, mut keeps: impl FnMut(&TaskReport<'a>) -> bool) {
        let mut kept = 0;
        let mut positions: Vec<Option<usize>> = Vec::with_capacity(self.tasks.len());
        self.tasks.retain(|task| {
            let keep = keeps(task);
            positions.push(keep.then_some(kept));
            kept += usize::from(keep);
            keep
        });
        self.left_out += positions.len() - kept;
        for group in &mut self.task_groups {
            let left = group
                .tasks
                .iter()
                .filter_map(|at| positions.get(*at).copied().flatten());
            group.tasks = left.collect();
            // The command of one task names its element.
            if let [only] = group.tasks[..] {
                group.command.clone_from(&self.tasks[only].command);
            }
        }
        self.task_groups.retain(|group| !group.tasks.is_empty());
    }
}

/// What stands for each element in the command of several tasks.
pub(crate) const ANY_ELEMENT: &str = "ELEMENT";

/// Tasks that are alike: one action in one release, for one reason and by one owner.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TaskGroup<'a> {
    /// How pressing they are.
    pub urgency: Urgency,
    /// What is to be done.
    pub action: Action,
    /// By when, or from when on for what may be done.
    pub release: Option<Moment<'a>>,
    /// Whether the model declares them.
    pub declared: bool,
    /// The reason for a deadline that all of them have, or else what their reasons rest on.
    pub reason: String,
    /// The owner.
    pub owner: Option<&'a str>,
    /// The command that declares or drafts them; of several, `ELEMENT` stands for each.
    pub command: Option<String>,
    /// What is to be written by hand: lines of TOML.
    pub lines: Option<String>,
    /// The exception that covers them after their deadline, as lines of TOML; of several, `ELEMENT` stands for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
    /// The positions of the tasks in the list.
    pub tasks: Vec<usize>,
}

/// How pressing a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Urgency {
    /// Its deadline has passed.
    Overdue,
    /// A date is missed unless it is done by its deadline.
    Must,
    /// It follows from something that was announced, and the model does not declare it.
    Promised,
    /// It is possible.
    May,
}

impl Urgency {
    /// All of them, the most pressing first.
    pub const ALL: [Self; 4] = [Self::Overdue, Self::Must, Self::Promised, Self::May];

    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Overdue => "Overdue",
            Self::Must => "Must be done",
            Self::Promised => "Follows from what was announced, and is not declared",
            Self::May => "May be done",
        }
    }
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Action {
    /// Deprecate it.
    Deprecate,
    /// Announce what a release changes.
    Announce,
    /// Write into the documentation that it ends.
    Document,
    /// Write the warning that it prints, or another text that its declaration lacks.
    Warn,
    /// Let its use fail by default.
    Disable,
    /// End its support.
    Unsupport,
    /// Prefer this version.
    Prefer,
    /// Store objects in this version.
    Store,
    /// Migrate the stored objects of this version.
    Migrate,
    /// Lock the gate.
    Lock,
    /// Hide it.
    Hide,
    /// Remove it.
    Remove,
    /// Drop it from the code.
    Drop,
    /// Answer an exception that ends.
    Answer,
    /// Correct what is declared of it: a check refuses that.
    Correct,
}

impl Action {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A task.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TaskReport<'a> {
    /// How pressing it is.
    pub urgency: Urgency,
    /// What is to be done.
    pub action: Action,
    /// To which element; null for the announcements of a release.
    pub element: Option<&'a str>,
    /// By when, or from when on for what may be done.
    pub release: Option<Moment<'a>>,
    /// Whether the model declares it: then it is left to be done, and nothing to be declared.
    pub declared: bool,
    /// Why.
    pub reason: String,
    /// What the reason rests on: the reason without the releases that it counts from.
    pub basis: String,
    /// Of a removal: who has to move first, most frequent first, if there is evidence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumers: Vec<ConsumerReport>,
    /// The owner.
    pub owner: Option<&'a str>,
    /// The command that declares or drafts it.
    pub command: Option<String>,
    /// The declarations that the command makes: `apps/v1beta1.removed=1.16`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declarations: Vec<String>,
    /// What is to be written by hand: lines of TOML.
    pub lines: Option<String>,
    /// The exception that covers it after its deadline: lines of TOML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
}
