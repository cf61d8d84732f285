//! Where files are read from: the disk, a commit, or the program itself.

use std::path::{Path, PathBuf};

use crate::built_in::BuiltInModel;
use crate::failure::{Failure, Result};

use super::bounds::Bounds;
use super::commit::Commit;
use super::disk::{self, Disk, FileText, STANDARD_INPUT};
use super::documents::Documents;
use super::listing::FileList;
use super::pattern::{self, Matches};

#[derive(Debug)]
pub enum FileTree {
    Disk(Disk),
    /// A commit, with the folders of the disk that the command line allows.
    Commit(Box<Commit>, Disk),
    /// The disk, with a model of the program as one more file.
    BuiltIn(&'static BuiltInModel, Disk),
}

impl FileTree {
    /// Reads a model or a baseline that a user typed or the program found; on the disk, standard input for `-`.
    pub fn read_main(&self, name: &str) -> Result<FileText> {
        match self {
            Self::BuiltIn(model, _) if name == model.file => Ok(FileText {
                name: name.to_owned(),
                content: model.text.to_owned(),
                marked: false,
            }),
            Self::Disk(disk) | Self::BuiltIn(_, disk) => disk.read_main(name),
            Self::Commit(commit, _) => read_committed(commit, name),
        }
    }

    /// Reads a file that a user typed: in a commit too, it is one of the disk if the repository does not have its path.
    pub fn read_typed(&self, typed: &str) -> Result<FileText> {
        match self {
            Self::Commit(commit, _) if commit.has_path(typed) => read_committed(commit, typed),
            Self::Disk(disk) | Self::BuiltIn(_, disk) | Self::Commit(_, disk) => disk.read(typed),
        }
    }

    /// Reads a file that was found below a folder, of at most so many bytes. The size of those in a commit is not
    /// limited.
    pub fn read_found(&self, name: &str, most: usize) -> Result<FileText> {
        match self {
            Self::Commit(commit, _) if commit.has_path(name) => read_committed(commit, name),
            Self::Disk(_) | Self::BuiltIn(..) | Self::Commit(..) => disk::read_found(name, most),
        }
    }

    /// The documents of such a file.
    pub fn documents(&self, name: &str, most: usize) -> Result<Documents> {
        match self {
            Self::Commit(commit, _) if commit.has_path(name) => read_committed(commit, name).map(Documents::of_text),
            Self::Disk(_) | Self::BuiltIn(..) | Self::Commit(..) => Documents::found(name, most),
        }
    }

    /// A file, or the files below a folder with one of these extensions, which a user typed. A commit may have none.
    pub fn list(&self, typed: &str, extensions: &[&str]) -> Result<FileList> {
        match self {
            Self::Commit(commit, _) => commit.list(typed, extensions),
            Self::Disk(disk) | Self::BuiltIn(_, disk) => disk.list(typed, extensions),
        }
    }

    /// Whether there is such a file. Where that cannot be known, reading it reports why.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::BuiltIn(model, _) if name == model.file => true,
            Self::Disk(_) | Self::BuiltIn(..) => name == STANDARD_INPUT || Path::new(name).exists(),
            Self::Commit(commit, _) => commit.read(name).map_or(true, |found| found.is_some()),
        }
    }

    /// What a file may name.
    pub fn within(&self, file: &str) -> Reach<'_> {
        match self {
            Self::Commit(commit, disk) if commit.has_path(file) => Reach::Commit(commit, disk.allowed_alone()),
            Self::Disk(disk) | Self::BuiltIn(_, disk) | Self::Commit(_, disk) => Reach::Disk(disk.within(file)),
        }
    }

    pub fn built_in(&self) -> Option<&'static BuiltInModel> {
        match self {
            Self::BuiltIn(model, _) => Some(model),
            Self::Disk(_) | Self::Commit(..) => None,
        }
    }
}

/// The files that a file may name: those of its repository or folder, and of folders that the command line allows.
#[derive(Debug)]
pub enum Reach<'t> {
    Disk(Bounds),
    /// The bounds are the folders that the command line allows: they are not in the commit.
    Commit(&'t Commit, Bounds),
}

impl Reach<'_> {
    pub fn read(&self, name: &str) -> Result<FileText> {
        match self {
            Self::Commit(commit, _) if commit.has_path(name) => read_committed(commit, name),
            Self::Disk(bounds) | Self::Commit(_, bounds) => disk::read_named(name, bounds),
        }
    }

    /// A file, or the files below a folder with one of these extensions. A commit may have none.
    pub fn list(&self, name: &str, extensions: &[&str]) -> Result<FileList> {
        match self {
            Self::Commit(commit, _) if commit.has_path(name) => commit.list(name, extensions),
            Self::Disk(bounds) | Self::Commit(_, bounds) => disk::list_named(name, extensions, bounds),
        }
    }

    /// The files that a pattern below a folder matches.
    pub fn matching(&self, pattern: &glob::Pattern, folder: &Path) -> Result<Matches> {
        let committed = match self {
            Self::Commit(commit, _) => commit.matching(pattern, folder)?,
            Self::Disk(_) => None,
        };
        match (self, committed) {
            (_, Some(found)) => Ok(found),
            (Self::Disk(bounds) | Self::Commit(_, bounds), None) => pattern::matching(pattern, folder, bounds),
        }
    }

    /// The one path of a file, links followed; `None` if there is no such file.
    pub fn real_path(&self, path: &Path) -> Option<PathBuf> {
        match self {
            Self::Commit(commit, _) if commit.has_path(&path.to_string_lossy()) => {
                Some(commit.real_path(&path.to_string_lossy()))
            }
            Self::Disk(_) | Self::Commit(..) => path.canonicalize().ok(),
        }
    }
}

fn read_committed(commit: &Commit, name: &str) -> Result<FileText> {
    let label = commit.label(name);
    let text = match commit.read(name)? {
        Some(bytes) => disk::text(&label, bytes),
        None => Err(Failure::new(format!("there is no {label}"))),
    };
    text.map_err(|failure| Failure {
        in_commit: true,
        ..failure
    })
}
