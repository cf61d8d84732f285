//! The base of a change: the state of the model that it is held against.

use std::path::Path;

use crate::args::Judgement;
use crate::commands::Failure;
use crate::files::STANDARD_INPUT;
use crate::git::{self, Commit};
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

/// Where the base's files are, and the name of its model there.
fn find(named: &str, model: &str) -> Result<(Store, String), Failure> {
    let path = Path::new(named);
    let explicit = named.starts_with(['.', '/']) && path.exists();
    let commit = if explicit { None } else { revision(named, path, model)? };
    match commit {
        Some(_) if path.exists() => Err(Failure::new(format!("`{named}` is a revision, and a path too")).help(
            format!("write `./{named}` for the path, or the revision in full (`refs/heads/{named}`)"),
        )),
        Some(_) if model == STANDARD_INPUT => Err(Failure::new(
            "a model from standard input has no path in the repository",
        )
        .help("name a file as the base")),
        Some(commit) => Ok((Store::Commit(Box::new(commit)), model.to_owned())),
        None if path.is_dir() && model == STANDARD_INPUT => Err(Failure::new(
            "a model from standard input has no name to look for in a folder",
        )
        .help("name a file as the base")),
        None if path.is_dir() => {
            let file = Path::new(model).file_name().unwrap_or_default();
            Ok((Store::Disk, path.join(file).to_string_lossy().into_owned()))
        }
        None if path.exists() => Ok((Store::Disk, named.to_owned())),
        None => Err(git::unknown(named, model)),
    }
}

/// The commit of a revision; that there is no repository matters only where there is no such path either.
fn revision(named: &str, path: &Path, model: &str) -> Result<Option<Commit>, Failure> {
    match Commit::base_of(named, model) {
        Err(_) if path.exists() => Ok(None),
        other => other,
    }
}
