//! How a run ends: with an exit code, or with an error.

use lifecycle::Sources;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::import::ImportError;
use lifecycle::render::TemplateError;
use lifecycle::text::{Unreadable, shortened};

/// What can fail: without a second parameter, as the program does.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// An error that ends the run without an answer.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong, and where: `a.yaml:3:7: not UTF-8`.
    pub message: String,
    /// The lines that it is about.
    pub excerpt: Option<String>,
    pub help: Option<String>,
    /// Earlier errors of the same sort.
    pub earlier: Vec<String>,
    /// Whether the error is in the files of a commit, which a later commit may have fixed.
    pub in_commit: bool,
}

impl Failure {
    /// A failure without a next step yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: shortened(message.into()),
            excerpt: None,
            help: None,
            earlier: Vec::new(),
            in_commit: false,
        }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    pub fn unreadable(name: &str, error: &Unreadable) -> Self {
        Self::new(error.within(name))
    }

    /// The first of several errors in input files.
    pub fn from_diagnostics(diagnostics: &[Diagnostic], sources: &Sources<'_>) -> Self {
        let Some(first) = diagnostics.first() else {
            return Self::new("the files cannot be read");
        };
        let location = first.primary.as_ref().and_then(|label| sources.locate(label.span));
        let message = match location {
            Some((file, at)) => format!("{file}:{}:{}: {}", at.line, at.column, first.message),
            None => first.message.clone(),
        };
        Self {
            help: first.help.clone(),
            ..Self::new(message)
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self {
            earlier: error.earlier,
            ..Self::new(error.message).help(error.help)
        }
    }
}

impl From<TemplateError> for Failure {
    fn from(problem: TemplateError) -> Self {
        Self::new(problem.to_string())
    }
}

/// The exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// No finding that counts.
    Clean = 0,
    /// Findings at or above the severity that counts.
    Findings = 1,
    InputErrors = 2,
}

impl Outcome {
    pub fn of_findings(any: bool) -> Self {
        if any { Self::Findings } else { Self::Clean }
    }
}
