//! One of two states of schemas: its files, read one after another, and what they have beside CRDs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lifecycle::Location;
use lifecycle::compat::{CompareError, PointedWords, Repeated, Side, Successive};
use lifecycle::schema::{
    Crds, Definition, Document, Patch, SchemaDocument, Unrendered, may_have_schemas, read_document,
};
use lifecycle::text::LARGEST;

use crate::baseline::folder_beside;
use crate::failure::{Failure, Result};
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::documents::{Documents, FileDocument};
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::kustomized::{Kustomized, NamedBy};
use crate::schema_files::{EXTENSIONS, NO_SCHEMA, warn_unrendered};
use crate::terminal::Terminal;

/// One of the two states.
pub struct SchemaState {
    pub name: String,
    /// The folder on the disk.
    pub folder: Option<PathBuf>,
    may_be_empty: bool,
    path: TreePath,
    pub(super) files: Vec<String>,
    /// What was skipped, and why.
    pub(super) skipped: Vec<String>,
    kustomized: Kustomized,
    /// Patches in the files that nothing lists: they apply to all CRDs of their name.
    own_patches: Vec<Patch>,
    /// What a webhook converts, where the CRDs do not say it.
    pub(super) webhooks: Vec<String>,
    /// Standard input, which can be read once.
    input: Option<FileText>,
    pub(super) found: StateFiles,
}

/// What the files of a state have, beside CRDs.
#[derive(Default)]
pub(super) struct StateFiles {
    /// The files with schemas: their names in messages, and those to read them by.
    files: Vec<(Arc<str>, String)>,
    pub(super) documents: Vec<(Arc<str>, Document)>,
    unrendered: Vec<(Arc<str>, Unrendered)>,
    patches: Vec<(Arc<str>, Patch)>,
    pub(super) errors: Vec<String>,
    /// The names of all CRDs.
    names: BTreeSet<String>,
    /// Names of the command line under which a webhook converts something.
    pub(super) converted: BTreeSet<String>,
    has_crds: bool,
}

impl StateFiles {
    fn add(&mut self, file: &File) {
        if self.files.last().is_none_or(|(name, _)| name != file.name()) {
            self.files.push((Arc::clone(file.name()), file.path.clone()));
        }
    }
}

/// A file of a state.
pub(super) struct File {
    path: String,
    documents: Documents,
}

impl File {
    /// Its name in messages.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.documents.name
    }

    /// The next document that may have schemas.
    pub(super) fn next(&mut self) -> Result<Option<FileDocument>> {
        loop {
            match self.documents.next()? {
                Some(document) if !may_have_schemas(&document.text) => {}
                found => return Ok(found),
            }
        }
    }
}

impl SchemaState {
    pub fn list(named: &str, other: &str, repository: Option<&Path>, disk: &Disk) -> Result<Self> {
        let path = TreePath::compared_with(named, other, repository, disk)?;
        let is_on_disk = matches!(path.tree, FileTree::Disk(_));
        let list = path.files(&EXTENSIONS)?;
        let kustomized = Kustomized::around(&path.tree, &list.files, NamedBy::User);
        let reads_input = list.files.iter().any(|file| file == STANDARD_INPUT);
        let input = reads_input.then(|| path.tree.read_found(STANDARD_INPUT, LARGEST));
        Ok(Self {
            name: path.label(),
            folder: folder_beside(&path.path).filter(|_| is_on_disk),
            may_be_empty: path.is_inferred,
            files: list.files,
            skipped: [list.skipped, kustomized.skipped.clone()].concat(),
            kustomized,
            own_patches: Vec::new(),
            webhooks: Vec::new(),
            input: input.transpose()?,
            found: StateFiles::default(),
            path,
        })
    }

    /// The files with schemas, by their names in messages.
    pub fn schema_files(&self) -> impl Iterator<Item = &str> {
        self.found.files.iter().map(|(name, _)| &**name)
    }

    /// The file that a finding without a location is shown at.
    pub fn main_file(&self) -> &str {
        self.schema_files().next().unwrap_or(&self.name)
    }

    /// The words at some places of files, by the names of the files in messages. One document after another is held.
    pub fn words(&self, places: &BTreeMap<&str, BTreeSet<Location>>) -> Result<Vec<(String, PointedWords)>> {
        let mut words = Vec::new();
        for (name, path) in &self.found.files {
            let (Some(places), Some(file)) = (places.get(&**name), self.open(Some(path.clone()))?) else {
                continue;
            };
            let (mut documents, mut found) = (file.documents, PointedWords::default());
            while let Some(document) = documents.next()? {
                found.find(document.line, &document.text, places);
            }
            words.push((name.to_string(), found));
        }
        Ok(words)
    }

    pub(super) fn open(&self, path: Option<String>) -> Result<Option<File>> {
        let Some(path) = path else { return Ok(None) };
        let documents = match &self.input {
            Some(input) if path == STANDARD_INPUT => Documents::of_text(input.clone()),
            _ => self.path.tree.documents(&path, LARGEST)?,
        };
        Ok(Some(File { path, documents }))
    }

    /// The name of a file below what the user named.
    pub(super) fn relative<'f>(&self, file: &'f str) -> &'f str {
        let below = file.strip_prefix(self.path.path.trim_end_matches('/'));
        below.map_or(file, |below| below.trim_start_matches('/'))
    }

    /// Adds what patches and the command line say about conversion.
    fn complete(&mut self, crds: &mut Crds) {
        for patch in &self.own_patches {
            crds.apply(patch, &patch.name);
        }
        for (patch, target) in &self.kustomized.patches {
            crds.apply(patch, target.as_deref().unwrap_or(&patch.name));
        }
        for named in &self.webhooks {
            if crds.convert_by_webhook(named) {
                self.found.converted.insert(named.clone());
            }
        }
    }

    /// The CRDs of a document, completed.
    fn definitions(&mut self, file: &File, mut crds: Crds) -> Vec<Definition> {
        self.complete(&mut crds);
        let is_listed = self.kustomized.governs(&file.path);
        for document in crds.unrendered {
            let is_patch = crds.patches.iter().any(|patch| patch.line == document.line);
            if !(is_patch && is_listed) {
                self.found.unrendered.push((Arc::clone(file.name()), document));
            }
        }
        if !is_listed {
            let patches = crds.patches.into_iter();
            let named = patches.map(|patch| (Arc::clone(file.name()), patch));
            self.found.patches.extend(named);
        }
        if !crds.definitions.is_empty() {
            self.found.add(file);
            self.found.has_crds = true;
        }
        self.found.names.extend(crds.definitions.iter().map(Definition::name));
        crds.definitions
    }

    /// Compares the CRDs of a document. What `OpenAPI` documents describe is held.
    pub(super) fn compare(
        &mut self,
        side: Side,
        file: &File,
        document: SchemaDocument,
        comparison: &mut Successive<'_>,
    ) -> Result<()> {
        let crds = match document {
            SchemaDocument::Crds(crds) => crds,
            SchemaDocument::OpenApi(documents) => {
                self.found.add(file);
                let documents = documents.into_iter();
                let named = documents.map(|document| (Arc::clone(file.name()), document));
                self.found.documents.extend(named);
                return Ok(());
            }
        };
        for definition in self.definitions(file, crds) {
            let repeated = comparison.take(side, file.name(), definition);
            let Some(repeated) = repeated.map_err(|error| too_large(&error))? else {
                continue;
            };
            let first = self.again(&repeated)?;
            let same = comparison.refuse_unlike(&first, &repeated, file.name());
            same.map_err(|error| too_large(&error))?;
        }
        Ok(())
    }

    /// The first one of two CRDs of the same name, which was dropped.
    fn again(&mut self, repeated: &Repeated) -> Result<Definition> {
        let file = &repeated.first_file;
        let known = self.found.files.iter().find(|(name, _)| name == file);
        let (_, path) = known.ok_or_else(|| changed(file))?;
        let mut again = self.open(Some(path.clone()))?;
        while let Some(document) = again.as_mut().map(File::next).transpose()?.flatten() {
            let Ok(SchemaDocument::Crds(mut crds)) = read_document(document.line, &document.text) else {
                continue;
            };
            self.complete(&mut crds);
            let mut definitions = crds.definitions.into_iter();
            let first =
                definitions.find(|own| own.place == repeated.first_place && own.name() == repeated.definition.name());
            if let Some(first) = first {
                return Ok(first);
            }
        }
        Err(changed(file))
    }

    /// Settles which patches in the files apply. Returns whether some were not known before, so that all has to be
    /// read again.
    pub(super) fn settle_patches(&mut self) -> bool {
        let names = std::mem::take(&mut self.found.names);
        let patches = std::mem::take(&mut self.found.patches).into_iter();
        let applied = patches.filter(|(_, patch)| names.iter().any(|name| patch.is_for(name)));
        let applied: Vec<(Arc<str>, Patch)> = applied.collect();
        self.found.unrendered.retain(|(file, document)| {
            let mut patches = applied.iter();
            !patches.any(|(of, patch)| of == file && patch.line == document.line && patch.other.is_none())
        });
        let applied = applied.into_iter().map(|(_, patch)| patch);
        let applied: Vec<Patch> = applied.filter(Patch::sets_conversion).collect();
        let is_new = applied != self.own_patches;
        self.own_patches = applied;
        is_new
    }

    fn has_kinds(&self) -> bool {
        let documents = &self.found.documents;
        self.found.has_crds || documents.iter().any(|(_, document)| !document.kinds.is_empty())
    }

    /// Whether it has CRDs alone, or `OpenAPI` documents alone.
    pub(super) fn sorts(&self) -> [bool; 2] {
        [self.found.has_crds, !self.found.documents.is_empty()]
    }

    /// Prints what was skipped, and refuses a state without schemas.
    pub(super) fn warn(&self, terminal: &mut Terminal) -> Result<()> {
        terminal.warn_some("warning: skipped ", &self.skipped);
        for (name, document) in &self.found.documents {
            for note in &document.notes {
                terminal.warn(&format!("warning: {name}: {note}"));
            }
        }
        for (name, document) in &self.found.unrendered {
            warn_unrendered(name, &[*document], terminal);
        }
        if self.has_kinds() {
            return Ok(());
        }
        if self.may_be_empty {
            terminal.warn(&format!(
                "warning: {}: {NO_SCHEMA}; if the files moved, name the old path too (`REVISION:PATH`), or a folder \
                 above both",
                self.name
            ));
            return Ok(());
        }
        Err(Failure::new(format!("{}: {NO_SCHEMA}", self.name)).help("name a file or a folder that has schemas"))
    }
}

fn changed(file: &str) -> Failure {
    Failure::new(format!("{file} changed while it was read")).help("run the command again")
}

pub(super) fn too_large(error: &CompareError) -> Failure {
    Failure::new(error.to_string()).help(error.help())
}
