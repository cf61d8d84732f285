//! The base of a change: the state of the model that it is held against.

use std::path::{Path, PathBuf};

use crate::args::Judgement;
use crate::commands::Failure;
use crate::files::STANDARD_INPUT;
use crate::git::{self, Commit, Resolved};
use crate::load::{Loaded, Side};
use crate::store::Store;

/// The state that a change is held against.
#[derive(Debug)]
pub enum Base {
    /// The model as it was.
    Model(Box<Loaded>),
    /// There was no model.
    Nothing,
    /// Its files are there, but cannot be used, and why.
    Unreadable(String),
}

impl Base {
    /// Reads the base that a user names: a Git revision, a model file, or a folder that has the model's file.
    pub fn read(named: &str, model: &str, judgement: &Judgement) -> Result<Self, Failure> {
        let (store, name) = find(named, model)?;
        if !store.has(&name) {
            return Ok(Self::Nothing);
        }
        let mut loaded = match Loaded::of(&name, &store, judgement, Side::Base) {
            Err(failure) if failure.in_commit => return Ok(Self::Unreadable(failure.message)),
            loaded => loaded?,
        };
        if loaded.evaluated.is_err() && judgement.as_of.is_some() {
            // The base may not know that release yet.
            let without = Judgement {
                as_of: None,
                ..judgement.clone()
            };
            loaded = Loaded::of(&name, &store, &without, Side::Base)?;
        }
        Ok(Self::Model(Box::new(loaded)))
    }
}

/// Where a base that a user names is.
#[derive(Debug)]
pub enum Place {
    /// A file or a folder on the disk.
    Disk(PathBuf),
    /// A commit, in which the names are the same.
    Commit(Box<Commit>),
    /// A path in a commit, as it is named from where the user stands.
    CommitPath(Box<Commit>, String),
}

impl Place {
    /// Finds the base that a user names, of a file or a folder.
    pub fn find(named: &str, of: &str) -> Result<Self, Failure> {
        let path = Path::new(named);
        if path.exists() && named.starts_with(['.', '/']) {
            return Ok(Self::Disk(path.to_owned()));
        }
        match (Commit::base_of(named, of)?, path.exists()) {
            (Resolved::Commit(_), true) => Err(Failure::new(format!("`{named}` is a revision, and a path too")).help(
                format!("write `./{named}` for the path, or the revision in full (`refs/heads/{named}`)"),
            )),
            (Resolved::Commit(_), false) if of == STANDARD_INPUT => Err(Failure::new(
                "what comes from standard input has no path in the repository",
            )
            .help("name a file as the base, or the path there: `REVISION:PATH`")),
            (Resolved::Commit(commit), false) => Ok(Self::Commit(commit)),
            (_, true) => Ok(Self::Disk(path.to_owned())),
            (other, false) => named_with_path(named, of, &other),
        }
    }
}

/// A base that names its path in the repository: `REVISION:PATH`.
fn named_with_path(named: &str, of: &str, resolved: &Resolved) -> Result<Place, Failure> {
    if let Some((revision, path)) = named.split_once(':')
        && let Resolved::Commit(commit) = Commit::base_of(revision, of)?
    {
        let name = commit.below_root(path);
        return Ok(Place::CommitPath(commit, name));
    }
    match resolved {
        Resolved::NoRepository(why) => Err(Failure::new(format!(
            "{of} is in no Git repository that can be read: {why}"
        ))
        .help("name a file or a folder as the base")),
        _ => Err(git::unknown(named, of)),
    }
}

/// Where the base's files are, and the name of its model there.
fn find(named: &str, model: &str) -> Result<(Store, String), Failure> {
    match Place::find(named, model)? {
        Place::Disk(path) => on_disk(&path, model),
        Place::Commit(commit) => Ok((Store::Commit(commit), model.to_owned())),
        Place::CommitPath(commit, name) => Ok((Store::Commit(commit), name)),
    }
}

/// A model file, or a folder that has the model's file.
fn on_disk(path: &Path, model: &str) -> Result<(Store, String), Failure> {
    if !path.is_dir() {
        return Ok((Store::Disk, path.to_string_lossy().into_owned()));
    }
    if model == STANDARD_INPUT {
        return Err(
            Failure::new("a model from standard input has no name to look for in a folder")
                .help("name a file as the base"),
        );
    }
    let file = Path::new(model).file_name().unwrap_or_default();
    Ok((Store::Disk, path.join(file).to_string_lossy().into_owned()))
}
