//! The schemas of a state: read from its files, with what is wrong with them.

use lifecycle::compat::{self, Defined, Described};
use lifecycle::schema::{Document, Found, read, read_openapi};
use lifecycle::text::{LARGEST, Unreadable};

use crate::commands::Failure;
use crate::definitions::tell_unrendered;
use crate::files::{Below, Text};
use crate::store::Store;
use crate::terminal::Terminal;

/// What a file defines or describes.
#[derive(Debug)]
struct Read {
    found: Found,
    documents: Vec<Document>,
}

impl Read {
    fn of(text: &str) -> Result<Self, Unreadable> {
        let documents = read_openapi(text)?;
        // A document describes the kind `CustomResourceDefinition` too.
        let found = if documents.is_empty() {
            read(text)?
        } else {
            Found::default()
        };
        Ok(Self { found, documents })
    }

    fn is_empty(&self) -> bool {
        self.found.definitions.is_empty() && self.documents.iter().all(|document| document.kinds.is_empty())
    }
}

/// What the files of one state define.
#[derive(Debug, Default)]
pub struct Schemas {
    files: Vec<(Text, Read)>,
    /// Files that cannot be read, and why.
    pub faults: Vec<(Text, Unreadable)>,
    /// What was passed over, and why.
    skipped: Vec<String>,
}

/// What [`Schemas`] define and describe, as the library takes it.
#[derive(Debug, Default)]
pub struct Sides<'s> {
    definitions: Vec<Defined<'s>>,
    documents: Vec<Described<'s>>,
}

impl Sides<'_> {
    pub fn state(&self) -> compat::State<'_> {
        compat::State {
            definitions: &self.definitions,
            documents: &self.documents,
        }
    }
}

impl Schemas {
    /// Reads files. What is wrong with their content is collected.
    pub fn read(store: &Store, below: Below) -> Result<Self, Failure> {
        let mut schemas = Self {
            skipped: below.skipped,
            ..Self::default()
        };
        for name in below.files {
            let text = store.read_at_most(&name, LARGEST)?;
            match Read::of(&text.content) {
                Ok(read) => schemas.files.push((text, read)),
                Err(fault) => schemas.faults.push((text, fault)),
            }
        }
        Ok(schemas)
    }

    /// Whether nothing is defined or described.
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|(_, read)| read.is_empty())
    }

    /// Whether one has definitions of custom resources alone, and the other documents of `OpenAPI` alone. Definitions
    /// say more than documents that a server makes of them: held against each other, they would differ in all.
    pub fn is_unlike(&self, other: &Self) -> bool {
        let sorts = (self.defines(), self.describes(), other.defines(), other.describes());
        matches!(sorts, (true, false, false, true) | (false, true, true, false))
    }

    /// Whether there are definitions of custom resources.
    pub fn defines(&self) -> bool {
        self.files.iter().any(|(_, read)| !read.found.definitions.is_empty())
    }

    /// Whether there are documents of `OpenAPI`.
    fn describes(&self) -> bool {
        self.files.iter().any(|(_, read)| !read.documents.is_empty())
    }

    /// The texts in which findings have their places: those that define or describe something.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        let says = |read: &Read| !read.found.definitions.is_empty() || !read.documents.is_empty();
        let told = self.files.iter().filter(move |(_, read)| says(read));
        told.map(|(text, _)| text)
    }

    /// Refuses more texts than places can be told of.
    pub fn refuse_more_than(&self, most: usize) -> Result<(), Failure> {
        if self.texts().count() <= most {
            return Ok(());
        }
        Err(Failure::new(format!("more than {most} files with schemas")).help("look at a few folders at a time"))
    }

    /// Tells which links were passed over.
    pub fn tell_skipped(&self, terminal: &mut Terminal) {
        terminal.complain_some("warning: skipped ", &self.skipped);
    }

    /// Tells what was passed over.
    pub fn announce(&self, terminal: &mut Terminal) {
        self.tell_skipped(terminal);
        for (text, read) in &self.files {
            let name = &text.name;
            for note in read.documents.iter().flat_map(|document| &document.notes) {
                terminal.complain(&format!("warning: {name}: {note}"));
            }
            tell_unrendered(name, &read.found.unrendered, terminal);
        }
    }

    pub fn sides(&self) -> Sides<'_> {
        let mut sides = Sides::default();
        for (text, read) in &self.files {
            let file = text.name.as_str();
            let definitions = read.found.definitions.iter();
            sides
                .definitions
                .extend(definitions.map(|definition| Defined { file, definition }));
            let documents = read.documents.iter();
            sides
                .documents
                .extend(documents.map(|document| Described { file, document }));
        }
        sides
    }
}
