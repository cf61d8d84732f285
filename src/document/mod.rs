//! TOML as the user wrote it: every key and value with its place, and faults collected rather than thrown.
//!
//! A [`Document`] is one parsed text. [`Table`] and [`Value`] are views into it that never fail: what has the wrong
//! type becomes a [`Faults`] entry, and reading goes on, so that one bad entry never hides the next.

mod faults;
mod view;

use toml::de::DeTable;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

pub use faults::{Faults, RULE};
pub use view::{Key, Table, Value, Word};

/// How many syntax errors one file reports: past that they repeat the first one's confusion.
const MOST_SYNTAX_ERRORS: usize = 20;

/// One TOML text, parsed as far as it can be.
#[derive(Debug)]
pub struct Document<'a> {
    file: FileId,
    root: toml::Spanned<DeTable<'a>>,
    /// Syntax errors, the first of each line.
    syntax: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    /// Parses a text. Syntax errors are kept in the document; what could be read around them is there too.
    pub fn parse(file: FileId, text: &'a str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        Self {
            file,
            root,
            syntax: faults::syntax(file, text, &errors),
        }
    }

    /// Which of the sources this is.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The syntax errors: without any, the document stands for the whole text.
    pub fn syntax_errors(&self) -> &[Diagnostic] {
        &self.syntax
    }

    /// The top-level table.
    pub fn root(&self) -> Table<'_> {
        let span = Span {
            file: self.file,
            start: 0,
            end: 0,
        };
        Table::new(span, self.root.get_ref())
    }

    /// The patterns of the files to be read together with this one: its `include` key.
    ///
    /// A value that is no list of strings yields none here; reading the model reports it.
    pub fn includes(&self) -> Vec<Word<'_>> {
        let mut ignored = Faults::default();
        match self.root().get("include") {
            Some((_, value)) => value.words(&mut ignored),
            None => Vec::new(),
        }
    }
}
