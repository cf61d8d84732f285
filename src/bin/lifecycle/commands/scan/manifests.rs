//! The texts of a scan: those with findings are kept, for excerpts.

use std::collections::BTreeSet;
use std::path::Path;

use lifecycle::evaluate::{Scan, Scanned};
use lifecycle::text::LARGEST;
use lifecycle::{FileId, Sources};

use crate::failure::{Failure, Result};
use crate::io::disk::{self, Disk, FileText, STANDARD_INPUT};
use crate::schema_files::EXTENSIONS;
use crate::summary::counted;
use crate::terminal::Terminal;

#[derive(Debug, Default)]
pub struct Manifests {
    /// The texts with findings, in the order of their ids.
    kept: Vec<Kept>,
    /// The files that were read.
    names: Vec<String>,
    /// Why files that a user named cannot be read.
    pub errors: Vec<String>,
    /// What was skipped below folders.
    skipped: Vec<String>,
    /// Where templates begin.
    templates: Vec<String>,
}

#[derive(Debug)]
struct Kept {
    text: FileText,
    /// The text to show, where another one must not be.
    masked: Option<String>,
}

impl Manifests {
    /// Reads and scans files, each once.
    pub fn read(paths: &[String], scan: &mut Scan, disk: &Disk, terminal: &mut Terminal) -> Result<Self> {
        let mut manifests = Self::default();
        let mut seen = BTreeSet::new();
        for path in paths {
            let list = disk.list_unignored(path, &EXTENSIONS)?;
            manifests.skipped.extend(list.skipped);
            for name in list.files {
                if name == STANDARD_INPUT || Path::new(&name).canonicalize().is_ok_and(|real| seen.insert(real)) {
                    manifests.add_file(&name, disk::is_folder(path), scan, disk)?;
                }
            }
        }
        terminal.warn_some("warning: skipped ", &manifests.skipped);
        if !manifests.templates.is_empty() {
            let templates = counted(manifests.templates.len(), "template");
            terminal.warn(&format!(
                "warning: skipped {templates}, which have no objects until they are rendered (`helm template`)"
            ));
            for place in &manifests.templates {
                terminal.detail(&format!("skipped {place}"));
            }
        }
        Ok(manifests)
    }

    /// Below a folder, a file that cannot be read does not hide the others.
    fn add_file(&mut self, name: &str, is_found: bool, scan: &mut Scan, disk: &Disk) -> Result<()> {
        let text = match disk.read_at_most(name, LARGEST) {
            Err(failure) if is_found => {
                self.skipped.push(failure.message);
                return Ok(());
            }
            text => text?,
        };
        let file = FileId(u16::try_from(self.kept.len()).unwrap_or(u16::MAX));
        let scanned = scan.add(file, &text.content);
        self.names.push(text.name.clone());
        let errors = if is_found { &mut self.skipped } else { &mut self.errors };
        errors.extend(scanned.unreadable.iter().map(|error| error.within(name)));
        self.templates
            .extend(scanned.templates.iter().map(|line| format!("{name}:{line}")));
        self.keep(text, &scanned)
    }

    fn keep(&mut self, text: FileText, scanned: &Scanned) -> Result<()> {
        if scanned.places.is_empty() {
            return Ok(());
        }
        if self.kept.len() >= usize::from(Sources::BASE.0) {
            let message = format!("more than {} files with findings", Sources::BASE.0);
            return Err(Failure::new(message).help("scan fewer folders at a time"));
        }
        let masked = scanned.masked(&text.content);
        self.kept.push(Kept { text, masked });
        Ok(())
    }

    /// The names of all files that were read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The texts with findings, with their ids.
    pub fn kept(&self) -> impl Iterator<Item = (FileId, &FileText)> {
        (0..).map(FileId).zip(self.kept.iter().map(|kept| &kept.text))
    }

    /// Adds the texts with findings, in the order of their ids.
    pub fn add_to<'s>(&'s self, sources: &mut Sources<'s>) {
        for kept in &self.kept {
            sources.add(&kept.text.name, kept.masked.as_ref().unwrap_or(&kept.text.content));
        }
    }
}
