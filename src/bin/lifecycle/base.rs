//! The base of a change: the state of the model that it is held against.

use std::path::Path;

use crate::args::Judgement;
use crate::commands::Failure;
use crate::files::STANDARD_INPUT;
use crate::load::{Loaded, Side};
use crate::place::Place;
use crate::store::Store;

/// The state that a change is held against.
#[derive(Debug)]
pub enum Base {
    /// The model as it was.
    Model(Box<Before>),
    /// There was no model.
    Nothing,
    /// Its files are there, but cannot be used, and why.
    Unreadable(String),
}

/// A model as it was, and where it was.
#[derive(Debug)]
pub struct Before {
    pub loaded: Loaded,
    /// Where its files are.
    pub store: Store,
    /// The name of its main file there.
    pub name: String,
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
        Ok(Self::Model(Box::new(Before { loaded, store, name })))
    }
}

/// Where the base's files are, and the name of its model there.
fn find(named: &str, model: &str) -> Result<(Store, String), Failure> {
    match Place::of_base(named, model)?.into_parts() {
        (Store::Disk, path) => on_disk(Path::new(&path), model),
        inside => Ok(inside),
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
