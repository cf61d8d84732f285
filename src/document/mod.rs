//! TOML as the user wrote it: every key and value with its place, and faults collected rather than thrown.
//!
//! A [`Document`] is one parsed text. [`Table`] and [`Value`] are views into it that never fail: what has the wrong
//! type becomes a [`Diagnostics`] entry, and reading goes on, so that one bad entry never hides the next.

mod diagnostics;
mod edit;
mod parts;
mod view;

use toml::de::DeTable;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

use parts::Origin;

pub use diagnostics::{Diagnostics, RULE};
pub use edit::{Edit, apply, edit, plainly_quoted, quoted};
pub use view::{Key, Table, Value, Word};

/// How many syntax errors one file reports: past that they repeat the first one's confusion.
const MOST_SYNTAX_ERRORS: usize = 20;

/// Up to this size a text with syntax errors is read as far as it can be; of a larger one the first error is told.
const LARGEST_RECOVERED: usize = 4 << 20;

/// One TOML text, parsed as far as it can be.
#[derive(Debug)]
pub struct Document<'a> {
    origin: Origin,
    text: &'a str,
    root: toml::Spanned<DeTable<'a>>,
    /// Syntax errors, the first of each line.
    syntax: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    /// Parses a text. Syntax errors are kept in the document; what could be read around them is there too.
    pub fn parse(file: FileId, text: &'a str) -> Self {
        let (root, errors) = match DeTable::parse(text) {
            Ok(root) => (root, Vec::new()),
            // Recovery keeps an error for every token it stumbles over, which a large file that is no TOML at all has
            // many of.
            Err(first) if text.len() > LARGEST_RECOVERED => (toml::Spanned::new(0..0, DeTable::new()), vec![first]),
            Err(_) => DeTable::parse_recoverable(text),
        };
        Self {
            origin: Origin { file, base: 0 },
            text,
            root,
            syntax: diagnostics::syntax(file, text, &errors),
        }
    }

    /// Parses a large text in two parts, side by side. `None` if it is not large, cannot be cut, or is not valid in
    /// parts: then [`Document::parse`] it whole.
    ///
    /// To a model the parts are a main document and one it includes.
    pub fn parse_in_parts(file: FileId, text: &'a str) -> Option<Vec<Self>> {
        let (first, second) = text.split_at(parts::cut(text)?);
        let base = u32::try_from(first.len()).ok()?;
        let part = |text: &'a str, base| {
            let root = DeTable::parse(text).ok()?;
            Some(Self {
                origin: Origin { file, base },
                text,
                root,
                syntax: Vec::new(),
            })
        };
        std::thread::scope(|scope| {
            let second = scope.spawn(|| part(second, base));
            let first = part(first, 0);
            match second.join() {
                Ok(second) => Some(vec![first?, second?]),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
        .filter(|parts: &Vec<Self>| match parts.as_slice() {
            [first, second] => {
                let meet = parts::meet(first.root.get_ref(), second.root.get_ref());
                !(meet && parts::share_a_table(first.text, second.text))
            }
            _ => false,
        })
    }

    /// Whether a place is on the line of a syntax error: what is read there is not what the user meant.
    pub fn is_broken_at(&self, place: Span) -> bool {
        place.file == self.origin.file
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
    pub fn file(&self) -> FileId {
        self.origin.file
    }

    /// The syntax errors: without any, the document stands for the whole text.
    pub fn syntax_errors(&self) -> &[Diagnostic] {
        &self.syntax
    }

    /// The top-level table.
    pub fn root(&self) -> Table<'_> {
        Table::root(self.origin, self.root.get_ref())
    }

    /// The patterns of the files to be read together with this one: its `include` key.
    ///
    /// A value that is no list of strings yields none here; reading the model reports it.
    pub fn includes(&self) -> Vec<Word<'_>> {
        let mut ignored = Diagnostics::default();
        match self.root().get("include") {
            Some((_, value)) => value.words(&mut ignored),
            None => Vec::new(),
        }
    }
}
