//! The texts of a scan: those with findings are kept, for excerpts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lifecycle::evaluate::{Scan, Scanned};
use lifecycle::text::LARGEST;
use lifecycle::{FileId, Sources};

use super::kustomization::Named;
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
    origin: Origin,
}

/// Why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A user typed its name.
    Typed,
    /// It is below a folder that a user typed.
    Found,
    /// A `kustomization.yaml` names it.
    Named,
}

/// Whether a file was not read before. One that does not exist is new, so that this is reported.
fn is_new(name: &str, seen: &mut BTreeSet<PathBuf>) -> bool {
    let real = Path::new(name).canonicalize().ok().filter(|_| name != STANDARD_INPUT);
    real.is_none_or(|real| seen.insert(real))
}

impl Manifests {
    /// Reads and scans files, each once.
    pub fn read(paths: &[String], scan: &mut Scan, disk: &Disk, terminal: &mut Terminal) -> Result<Self> {
        let mut manifests = Self::default();
        let mut seen = BTreeSet::new();
        let mut named = Vec::new();
        for path in paths {
            let list = disk.list_unignored(path, &EXTENSIONS)?;
            manifests.skipped.extend(list.skipped);
            let origin = if disk::is_folder(path) {
                Origin::Found
            } else {
                Origin::Typed
            };
            for name in list.files {
                if is_new(&name, &mut seen) {
                    named.extend(manifests.add_file(&name, origin, scan, disk)?);
                }
            }
        }
        while let Some(name) = named.pop() {
            if is_new(&name, &mut seen) {
                named.extend(manifests.add_file(&name, Origin::Named, scan, disk)?);
            }
        }
        manifests.warn(terminal);
        Ok(manifests)
    }

    /// Prints what was skipped.
    fn warn(&self, terminal: &mut Terminal) {
        terminal.warn_some("warning: skipped ", &self.skipped);
        if !self.templates.is_empty() {
            let templates = counted(self.templates.len(), "template");
            terminal.warn(&format!(
                "warning: skipped {templates}, which have no objects until they are rendered (`helm template`)"
            ));
            for place in &self.templates {
                terminal.detail(&format!("skipped {place}"));
            }
        }
    }

    /// Scans a file. One that nobody typed does not hide the others if it cannot be read. Returns the files that it
    /// names.
    fn add_file(&mut self, name: &str, origin: Origin, scan: &mut Scan, disk: &Disk) -> Result<Vec<String>> {
        let text = match disk.read_at_most(name, LARGEST) {
            Err(failure) if origin != Origin::Typed => {
                self.skipped.push(failure.message);
                return Ok(Vec::new());
            }
            text => text?,
        };
        let file = FileId(u16::try_from(self.kept.len()).unwrap_or(u16::MAX));
        let scanned = scan.add(file, &text.content);
        self.names.push(text.name.clone());
        let errors = match origin {
            Origin::Typed => &mut self.errors,
            Origin::Found | Origin::Named => &mut self.skipped,
        };
        errors.extend(scanned.unreadable.iter().map(|error| error.within(name)));
        let templates = scanned.templates.iter();
        self.templates.extend(templates.map(|line| format!("{name}:{line}")));
        let named = Named::by(name, &text.content, disk);
        self.skipped.extend(named.skipped);
        self.keep(text, &scanned, origin)?;
        Ok(named.files)
    }

    fn keep(&mut self, text: FileText, scanned: &Scanned, origin: Origin) -> Result<()> {
        if scanned.places.is_empty() {
            return Ok(());
        }
        if self.kept.len() >= usize::from(Sources::BASE.0) {
            let message = format!("more than {} files with findings", Sources::BASE.0);
            return Err(Failure::new(message).help("scan fewer folders at a time"));
        }
        let masked = scanned.masked(&text.content);
        self.kept.push(Kept { text, masked, origin });
        Ok(())
    }

    /// The names of all files that were read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The texts with findings, with their ids.
    pub fn kept(&self) -> impl Iterator<Item = (FileId, &FileText, Origin)> {
        let kept = (0..).map(FileId).zip(&self.kept);
        kept.map(|(file, kept)| (file, &kept.text, kept.origin))
    }

    /// Adds the texts with findings, in the order of their ids.
    pub fn add_to<'s>(&'s self, sources: &mut Sources<'s>) {
        for kept in &self.kept {
            sources.add(&kept.text.name, kept.masked.as_ref().unwrap_or(&kept.text.content));
        }
    }
}
