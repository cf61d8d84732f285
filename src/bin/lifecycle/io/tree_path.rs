//! What a user names as a state to compare: a file or a folder, on the disk or in a commit.
//!
//! A revision of `diff` means itself, as for `git diff`: two releases are compared as they are. A revision after
//! `--base` means the merge base with the checked-out commit, so that what others have merged since is not counted as
//! deleted by this change.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

use super::commit::{self, Commit, Resolved};
use super::disk::{Disk, STANDARD_INPUT};
use super::history;
use super::listing::FileList;
use super::repository::Repository;
use super::tree::FileTree;

pub struct TreePath {
    pub tree: FileTree,
    pub path: String,
    /// Whether the path is that of the other state, so that its absence is not a typo.
    pub is_inferred: bool,
}

/// The state that a revision is compared with: it decides the repository, and the path that a revision alone stands
/// for.
enum Other<'o> {
    /// The other side of a comparison, which may be a revision too, and the folder whose repository is meant, if one is
    /// named. A revision means itself, as it does for `git diff`.
    Side(&'o str, Option<&'o Path>),
    /// What is checked out. A revision means the merge base with it.
    CheckedOut(&'o str),
}

impl TreePath {
    /// One side of a comparison: a file or a folder, `-`, `REVISION:PATH`, or a revision alone, which stands for the
    /// path of the other side in that revision. Revisions are those of the repository of a folder, if one is named.
    pub fn compared_with(named: &str, other: &str, repository: Option<&Path>, disk: &Disk) -> Result<Self> {
        if named == STANDARD_INPUT {
            return Ok(Self::on_disk(named, disk));
        }
        Other::Side(other, repository).find(named, disk)
    }

    /// The base of a file or a folder, which is also the path that a revision alone stands for. A revision means its
    /// merge base with what is checked out.
    pub fn base_of(named: &str, of: &str, disk: &Disk) -> Result<Self> {
        Other::CheckedOut(of).find(named, disk)
    }

    fn on_disk(named: &str, disk: &Disk) -> Self {
        Self {
            tree: FileTree::Disk(disk.clone()),
            path: named.to_owned(),
            is_inferred: false,
        }
    }

    /// The name in messages: `v1.4.0:config/crd`.
    pub fn label(&self) -> String {
        match &self.tree {
            FileTree::Commit(commit, _) => commit.label(&self.path),
            FileTree::Disk(_) | FileTree::BuiltIn(..) => self.path.clone(),
        }
    }

    /// The file, or the files below the folder with one of these extensions.
    pub fn files(&self, extensions: &[&str]) -> Result<FileList> {
        let found = self.tree.list(&self.path, extensions)?;
        if found.files.is_empty() && !self.is_inferred && matches!(self.tree, FileTree::Commit(..)) {
            let failure = Failure::new(format!("there is no file at or below {}", self.label()));
            return Err(failure.help("name a path from the root of the repository: `REVISION:PATH`"));
        }
        Ok(found)
    }
}

impl Other<'_> {
    fn find(&self, named: &str, disk: &Disk) -> Result<TreePath> {
        let exists = Path::new(named).exists();
        if exists && named.starts_with(['.', '/']) {
            return Ok(TreePath::on_disk(named, disk));
        }
        match (self.resolve(named)?, exists) {
            (Resolved::Commit(_), true) => Err(Failure::new(format!("`{named}` is both a revision and a path")).help(
                format!("write `./{named}` for the path, or the full name of the revision (`refs/heads/{named}`)"),
            )),
            (Resolved::Commit(commit), false) => Ok(TreePath {
                path: self.path_in(&commit)?,
                is_inferred: true,
                tree: FileTree::Commit(commit, disk.clone()),
            }),
            (_, true) => Ok(TreePath::on_disk(named, disk)),
            (resolved, false) => self.with_path(named, &resolved, disk),
        }
    }

    fn with_path(&self, named: &str, resolved: &Resolved, disk: &Disk) -> Result<TreePath> {
        if let Some((revision, path)) = named.split_once(':')
            && let Resolved::Commit(commit) = self.resolve(revision)?
        {
            return Ok(TreePath {
                path: self.path_named(path, &commit),
                is_inferred: false,
                tree: FileTree::Commit(commit, disk.clone()),
            });
        }
        Err(self.not_found(named, resolved))
    }

    fn resolve(&self, revision: &str) -> Result<Resolved> {
        match self {
            Self::Side(other, repository) => {
                let repository = match repository {
                    Some(named) => Repository::discover(named),
                    None => Repository::around(&folder_of(other)),
                };
                Commit::at(revision, repository)
            }
            Self::CheckedOut(of) => Commit::base_of(revision, of),
        }
    }

    fn path_in(&self, commit: &Commit) -> Result<String> {
        match self {
            Self::Side(other, _) if Path::new(other).exists() => Ok((*other).to_owned()),
            Self::Side(other, _) => Ok(self.path_named(other.split_once(':').map_or("", |(_, path)| path), commit)),
            Self::CheckedOut(STANDARD_INPUT) => Err(Failure::new("standard input has no path in the repository")
                .help("name a file as the base, or the path there: `REVISION:PATH`")),
            Self::CheckedOut(of) => Ok((*of).to_owned()),
        }
    }

    /// The path after a revision: from the root of the repository; with `./` or `../`, from the current folder or the
    /// one that is named, as for Git.
    fn path_named(&self, path: &str, commit: &Commit) -> String {
        let is_relative = [".", ".."].iter().any(|dots| {
            let rest = path.strip_prefix(dots);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        match self {
            Self::Side(_, Some(folder)) if is_relative => folder.join(path).to_string_lossy().into_owned(),
            _ if is_relative => path.to_owned(),
            _ => commit.absolute(path),
        }
    }

    fn not_found(&self, named: &str, resolved: &Resolved) -> Failure {
        match (self, resolved) {
            (Self::Side(_, Some(folder)), Resolved::NoRepository(none)) => {
                let message = format!(
                    "{} is in no Git repository that can be read: {}",
                    folder.display(),
                    none.reason
                );
                none.or(Failure::new(message).help("name a folder of a repository: --git FOLDER"))
            }
            (Self::Side(_, None), Resolved::NoRepository(none)) => {
                let help = "check the path; for a revision, run this in its Git repository";
                none.or(Failure::new(format!("there is no file or folder `{named}`")).help(help))
            }
            (Self::CheckedOut(of), Resolved::NoRepository(none)) => none.or(Failure::new(format!(
                "{of} is in no Git repository that can be read: {}",
                none.reason
            ))
            .help("name a file or a folder as the base")),
            (Self::Side(_, Some(folder)), _) => history::unknown(named, folder),
            (Self::Side(other, None), _) => history::unknown(named, &folder_of(other)),
            (Self::CheckedOut(of), _) => history::unknown(named, &commit::folder_of(of)),
        }
    }
}

/// The folder whose repository is meant: that of the other side, or the current one.
fn folder_of(other: &str) -> PathBuf {
    let path = Path::new(other);
    match (path.is_dir(), path.exists()) {
        (true, _) => path.to_path_buf(),
        (false, true) => commit::folder_of(other),
        (false, false) => PathBuf::from("."),
    }
}
