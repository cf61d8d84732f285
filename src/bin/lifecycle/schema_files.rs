//! The schemas of one state: read from its files, with the errors in them.

use lifecycle::FileId;
use lifecycle::compat::{CrdSource, DocumentSource, State, Texts};
use lifecycle::schema::{Crds, Document, Patch, SchemaDocument, Unrendered, read_documents};
use lifecycle::text::{LARGEST, Unreadable};

use crate::failure::{Failure, Result};
use crate::io::disk::FileText;
use crate::io::listing::FileList;
use crate::io::tree::FileTree;
use crate::kustomized::{Kustomized, NamedBy};
use crate::terminal::Terminal;

/// The extensions of files that are read in folders.
pub const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// What to do about a file that cannot be read.
pub const FIX_OR_LEAVE_OUT: &str = "fix the file, or name files and folders without it";

/// How what a webhook converts is named.
pub const NAME_CONVERTED: &str = "write `all`, a group (`example.com`) or a kind after its group (`example.com/Car`)";

/// Why nothing can be compared.
pub const NO_SCHEMA: &str = "no CustomResourceDefinition, and no OpenAPI document that serves a kind";

/// Aborts where files cannot be read: the last error is the reason.
pub fn refuse_errors(mut errors: Vec<String>) -> Result<()> {
    let Some(last) = errors.pop() else { return Ok(()) };
    Err(Failure {
        earlier: errors,
        ..Failure::new(last).help(FIX_OR_LEAVE_OUT)
    })
}

/// Prints which documents of a file were skipped, as they are templates that define nothing yet.
pub fn warn_unrendered(name: &str, documents: &[Unrendered], terminal: &mut Terminal) {
    for document in documents {
        terminal.warn(&format!("warning: skipped {name}:{}: {}", document.line, document.sort));
    }
}

#[derive(Debug, Default)]
struct FileSchemas {
    found: Crds,
    documents: Vec<Document>,
}

impl FileSchemas {
    fn read(text: &str) -> Result<Self, Unreadable> {
        let mut schemas = Self::default();
        for document in read_documents(text)? {
            match document {
                SchemaDocument::Crds(crds) => schemas.found.append(crds),
                SchemaDocument::OpenApi(documents) => schemas.documents.extend(documents),
            }
        }
        Ok(schemas)
    }

    /// Whether findings may be in this file.
    fn is_relevant(&self) -> bool {
        !self.found.definitions.is_empty() || !self.documents.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.found.definitions.is_empty() && self.documents.iter().all(|document| document.kinds.is_empty())
    }
}

#[derive(Debug, Default)]
pub struct SchemaFiles {
    files: Vec<(FileText, FileSchemas)>,
    pub errors: Vec<(FileText, Unreadable)>,
    /// Links that were skipped, and why.
    skipped: Vec<String>,
}

impl SchemaFiles {
    /// Reads files. Errors in their content are collected.
    pub fn read(tree: &FileTree, list: FileList, named_by: NamedBy) -> Result<Self> {
        let mut schemas = Self {
            skipped: list.skipped,
            ..Self::default()
        };
        let kustomized = Kustomized::around(tree, &list.files, named_by);
        for name in list.files {
            let text = tree.read_found(&name, LARGEST)?;
            match FileSchemas::read(&text.content) {
                Ok(read) => schemas.files.push((text, read)),
                Err(error) => schemas.errors.push((text, error)),
            }
        }
        schemas.apply_patches(kustomized);
        Ok(schemas)
    }

    /// Merges what patches say about conversion into the CRDs of their names: those that a `kustomization.yaml` lists,
    /// and, where there is none, all that were found.
    fn apply_patches(&mut self, kustomized: Kustomized) {
        self.skipped.extend(kustomized.skipped.iter().cloned());
        let own = self
            .files
            .iter()
            .map(|(text, read)| (text.name.clone(), read.found.patches.clone()));
        let own: Vec<(String, Vec<Patch>)> = own.collect();
        for (file, patches) in own {
            for patch in patches {
                // Where patches are listed, only those count, and each once.
                let is_listed = kustomized.governs(&file);
                if is_listed || self.apply(&patch, &patch.name) && patch.other.is_none() {
                    self.forget_unrendered(&file, patch.line);
                }
            }
        }
        for (patch, target) in kustomized.patches {
            self.apply(&patch, target.as_deref().unwrap_or(&patch.name));
        }
    }

    fn apply(&mut self, patch: &Patch, name: &str) -> bool {
        let applied = self.files.iter_mut().map(|(_, read)| read.found.apply(patch, name));
        applied.filter(|applied| *applied).count() > 0
    }

    /// Makes CRDs convert with a webhook, which they need not say themselves. Returns whether one has this name.
    pub fn convert_by_webhook(&mut self, named: &str) -> bool {
        let found = self
            .files
            .iter_mut()
            .map(|(_, read)| read.found.convert_by_webhook(named));
        found.filter(|found| *found).count() > 0
    }

    fn forget_unrendered(&mut self, file: &str, line: u32) {
        for (_, read) in self.files.iter_mut().filter(|(text, _)| text.name == file) {
            read.found.unrendered.retain(|document| document.line != line);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|(_, read)| read.is_empty())
    }

    /// Whether one state has CRDs only, and the other OpenAPI documents only. Servers publish less than a CRD says, so
    /// that the two differ everywhere.
    pub fn is_unlike(&self, other: &Self) -> bool {
        let sorts = (
            self.has_crds(),
            self.has_openapi(),
            other.has_crds(),
            other.has_openapi(),
        );
        matches!(sorts, (true, false, false, true) | (false, true, true, false))
    }

    pub fn has_crds(&self) -> bool {
        self.files.iter().any(|(_, read)| !read.found.definitions.is_empty())
    }

    fn has_openapi(&self) -> bool {
        self.files.iter().any(|(_, read)| !read.documents.is_empty())
    }

    /// The texts in which findings may be.
    pub fn texts(&self) -> impl Iterator<Item = &FileText> {
        let relevant = self.files.iter().filter(|(_, read)| read.is_relevant());
        relevant.map(|(text, _)| text)
    }

    /// Registers the texts in which findings may be; `add` adds each to the sources.
    pub fn add_to<'s>(&'s self, texts: &mut Texts<'s>, mut add: impl FnMut(&'s FileText) -> FileId) {
        for text in self.texts() {
            texts.add(&text.name, add(text), &text.content);
        }
    }

    /// Refuses more texts than there are file ids.
    pub fn refuse_more_than(&self, most: usize) -> Result<()> {
        if self.texts().count() <= most {
            return Ok(());
        }
        Err(Failure::new(format!("more than {most} files with schemas")).help("check fewer folders at a time"))
    }

    pub fn warn_skipped(&self, terminal: &mut Terminal) {
        terminal.warn_some("warning: skipped ", &self.skipped);
    }

    pub fn warn(&self, terminal: &mut Terminal) {
        self.warn_skipped(terminal);
        for (text, read) in &self.files {
            let name = &text.name;
            for note in read.documents.iter().flat_map(|document| &document.notes) {
                terminal.warn(&format!("warning: {name}: {note}"));
            }
            warn_unrendered(name, &read.found.unrendered, terminal);
        }
    }

    /// The schemas as the library takes them.
    pub fn state(&self) -> State<'_> {
        let mut state = State::default();
        for (text, read) in &self.files {
            let file = text.name.as_str();
            let definitions = read.found.definitions.iter();
            state
                .definitions
                .extend(definitions.map(|definition| CrdSource { file, definition }));
            let documents = read.documents.iter();
            state
                .documents
                .extend(documents.map(|document| DocumentSource { file, document }));
        }
        state
    }
}
