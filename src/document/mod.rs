//! TOML as the user wrote it: every key and value with its place, and errors collected rather than returned.
//!
//! A [`Document`] is one parsed text. [`Table`] and [`Value`] are views into it that never fail: a value of the wrong
//! type becomes an entry of [`Diagnostics`], and reading goes on, so one bad entry never hides the next.
//!
//! A valid text is read straight from the parser's events (`events`); any other by the full parser (`full`), which has
//! the messages. Both make the same compact tree, so the views do not differ.

mod diagnostics;
mod edit;
mod edited;
mod events;
mod full;
mod kinds;
mod tree;
mod usage_limit;
mod view;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

use tree::Tree;

pub use diagnostics::Diagnostics;
pub(crate) use diagnostics::RULE;
pub(crate) use edit::{Edit, apply, edit, plainly_quoted, quoted};
pub use edited::Parsed;
pub(crate) use usage_limit::UsageLimit;
pub(crate) use view::{Key, Table, Value, Word};

/// How many syntax errors are reported per file: later ones usually follow from the first.
const MOST_SYNTAX_ERRORS: usize = 20;

/// One TOML text, parsed as far as it can be.
#[derive(Debug)]
pub struct Document<'a> {
    file: FileId,
    text: &'a str,
    tree: Tree<'a>,
    /// Syntax errors, the first of each line.
    syntax: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    /// Parses a text. The document keeps the syntax errors, and what could be read around them.
    pub fn parse(file: FileId, text: &'a str) -> Self {
        let (tree, errors) = match events::read(text) {
            Some(tree) => (tree, Vec::new()),
            None => full::read(text),
        };
        Self {
            file,
            text,
            tree,
            syntax: diagnostics::syntax(file, text, &errors),
        }
    }

    /// What is read of an edited text, from what was read of this one. `None` if the edit is not within one table.
    pub fn parse_edited(&self, text: &str) -> Option<Parsed> {
        let read = edited::read(&self.tree, text).filter(|_| self.syntax.is_empty());
        read.map(|tree| Parsed(tree.over("")))
    }

    /// The document of a text that was read already.
    pub fn parsed(file: FileId, text: &'a str, parsed: Parsed) -> Self {
        Self {
            file,
            text,
            tree: parsed.0.over(text),
            syntax: Vec::new(),
        }
    }

    /// Whether a place is on the line of a syntax error: what was read there may not be what the user meant.
    pub(crate) fn is_broken_at(&self, place: Span) -> bool {
        place.file == self.file
            && self
                .syntax
                .iter()
                .filter_map(|error| error.primary.as_ref())
                .any(|broken| {
                    let (start, end) = (place.start.min(broken.span.start), place.start.max(broken.span.start));
                    let between = self.text.get(start as usize..end as usize).unwrap_or("");
                    !between.contains('\n')
                })
    }

    /// Which of the sources this is.
    /// The number of keys and list items.
    pub(crate) fn size(&self) -> usize {
        self.tree.size()
    }

    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    /// The text that it was read from.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The syntax errors; without any, the document has all of the text.
    pub(crate) fn syntax_errors(&self) -> &[Diagnostic] {
        &self.syntax
    }

    /// The top-level table.
    pub(crate) fn root(&self) -> Table<'_> {
        Table::root(self.file, &self.tree)
    }

    /// The patterns of the files to read together with this one: its `include` key.
    ///
    /// A value that is not a list of strings yields none; reading the model reports it.
    pub fn includes(&self) -> Vec<Word<'_>> {
        let mut ignored = Diagnostics::default();
        match self.root().get("include") {
            Some((_, value)) => value.words(&mut ignored),
            None => Vec::new(),
        }
    }
}
