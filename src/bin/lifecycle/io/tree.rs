//! Where files are read from: the disk, a commit, or the program itself.

use std::path::{Path, PathBuf};

use crate::built_in::BuiltInModel;
use crate::failure::{Failure, Result};

use super::commit::Commit;
use super::disk::{self, FileList, FileText, STANDARD_INPUT};

#[derive(Debug)]
pub enum FileTree {
    Disk,
    Commit(Box<Commit>),
    /// The disk, with a model of the program as one more file.
    BuiltIn(&'static BuiltInModel),
}

impl FileTree {
    /// Reads a file; on the disk, standard input for `-`.
    pub fn read(&self, name: &str) -> Result<FileText> {
        match self {
            Self::BuiltIn(model) if name == model.file => Ok(FileText {
                name: name.to_owned(),
                content: model.text.to_owned(),
                marked: false,
            }),
            Self::Disk | Self::BuiltIn(_) => disk::read(name),
            Self::Commit(commit) => read_committed(commit, name),
        }
    }

    /// Reads a file of at most so many bytes. The size of those in a commit is not limited.
    pub fn read_at_most(&self, name: &str, most: usize) -> Result<FileText> {
        match self {
            Self::Commit(_) => self.read(name),
            Self::Disk | Self::BuiltIn(_) => disk::read_at_most(name, most),
        }
    }

    /// A file, or the files below a folder with one of these extensions. A commit may have none.
    pub fn list(&self, path: &str, extensions: &[&str]) -> Result<FileList> {
        match self {
            Self::Commit(commit) => commit.list(path, extensions),
            Self::Disk | Self::BuiltIn(_) => disk::list(path, extensions),
        }
    }

    /// Whether there is such a file. Where that cannot be known, reading it reports why.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::BuiltIn(model) if name == model.file => true,
            Self::Disk | Self::BuiltIn(_) => name == STANDARD_INPUT || Path::new(name).exists(),
            Self::Commit(commit) => commit.read(name).map_or(true, |found| found.is_some()),
        }
    }

    pub fn matching(&self, pattern: &glob::Pattern, folder: &Path) -> Result<Vec<PathBuf>> {
        match self {
            Self::Disk | Self::BuiltIn(_) => disk::matching(pattern, folder),
            Self::Commit(commit) => commit.matching(pattern, folder),
        }
    }

    /// The one path of a file, links followed; `None` if there is no such file.
    pub fn real_path(&self, path: &Path) -> Option<PathBuf> {
        match self {
            Self::Disk | Self::BuiltIn(_) => path.canonicalize().ok(),
            Self::Commit(commit) => Some(commit.real_path(&path.to_string_lossy())),
        }
    }

    pub fn built_in(&self) -> Option<&'static BuiltInModel> {
        match self {
            Self::BuiltIn(model) => Some(model),
            Self::Disk | Self::Commit(_) => None,
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
