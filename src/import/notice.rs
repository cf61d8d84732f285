//! What an importer reports besides its draft.

use crate::diagnostic::Diagnostic;
use crate::text::Unreadable;

use super::draft::Draft;

const FIX: &str = "fix the file, or name one in a format that `--help` describes";

pub(super) const ADD_TO_CALENDAR: &str =
    "add it with its date: --calendar may be repeated, and reads lines such as 1.8,2017-09-28";

/// What an import comes to.
#[derive(Debug, Default)]
pub struct Imported {
    /// The elements and their lives.
    pub draft: Draft,
    /// What to report about the source.
    pub notices: Vec<Notice>,
    /// Where a model that is updated and the source contradict each other. Nothing is changed there.
    pub disagreements: Vec<Diagnostic>,
}

impl Imported {
    pub(super) fn new(draft: Draft, notices: Vec<Notice>) -> Self {
        Self {
            draft,
            notices,
            disagreements: Vec::new(),
        }
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notices.push(Notice::new(Topic::Note, text));
    }
}

/// A sentence about the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about.
    pub topic: Topic,
    /// The sentence, which begins with the place where there is one: `list.yaml:3: …`.
    pub text: String,
}

/// What a notice is about. Notices are shown by topic, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// A part of the source that cannot be read: the model lacks it.
    Skipped,
    /// A part of the source that cannot be read in one release, and is imported as it was in the release before.
    Outdated,
    /// The source contradicts itself.
    Contradiction,
    /// A release or day that was changed so that it fits the calendar.
    Calendar,
    /// A change that the model language cannot express.
    NotInModel,
    /// A statement that the source changed from one release to the next.
    Changed,
    /// Where something was read.
    Read,
    /// Anything else that a reader should know.
    Note,
}

impl Topic {
    /// How a message about it begins.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Skipped => "warning: skipped ",
            Self::Outdated | Self::Contradiction | Self::Calendar => "warning: ",
            Self::NotInModel => "not in the model: ",
            Self::Changed => "changed: ",
            Self::Read => "read: ",
            Self::Note => "",
        }
    }

    /// Whether it is shown even to those who asked for quiet: the model may be wrong or incomplete.
    pub fn is_important(self) -> bool {
        self.is_incomplete() || self == Self::Contradiction
    }

    /// Whether the source could not be read as a whole.
    pub fn is_incomplete(self) -> bool {
        matches!(self, Self::Skipped | Self::Outdated)
    }
}

impl Notice {
    pub(crate) fn new(topic: Topic, text: impl Into<String>) -> Self {
        Self {
            topic,
            text: text.into(),
        }
    }

    pub(crate) fn skipped(name: &str, error: &Unreadable) -> Self {
        Self::new(Topic::Skipped, format!("{name}:{}: {error}", error.line))
    }
}

/// Reports changes of one element in one release that a model cannot express.
pub(super) struct ChangeLog<'n> {
    pub(crate) subject: String,
    pub(crate) notices: &'n mut Vec<Notice>,
}

impl ChangeLog<'_> {
    pub(crate) fn push(&mut self, change: &str) {
        let text = format!("{} {change}", self.subject);
        self.notices.push(Notice::new(Topic::NotInModel, text));
    }
}

/// Why nothing can be imported from a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ImportError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Messages of further errors of the same sort, which were found before.
    pub earlier: Vec<String>,
}

/// Reads texts, each with its name, one after the other. Returns the names.
pub(super) fn read_each<'t>(
    texts: impl IntoIterator<Item = (&'t str, &'t str)>,
    mut read: impl FnMut(&str, &str) -> Result<(), Unreadable>,
) -> Result<String, ImportError> {
    let mut names = Vec::new();
    for (name, text) in texts {
        read(name, text).map_err(|error| ImportError::unreadable(name, &error, FIX))?;
        names.push(name);
    }
    Ok(names.join(", "))
}

impl ImportError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
            earlier: Vec::new(),
        }
    }

    pub(crate) fn unreadable(name: &str, error: &Unreadable, help: &str) -> Self {
        Self::new(error.within(name), help)
    }
}
