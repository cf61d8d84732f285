//! Files that may define custom resources.

use std::path::Path;

use crate::commands::Failure;
use crate::files::{self, STANDARD_INPUT};

/// The endings of files that are looked at in folders.
pub const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// What a path comes to.
#[derive(Debug)]
pub struct Names {
    /// The files, in the order of their names.
    pub files: Vec<String>,
    /// Whether they are all those below a folder: such as define nothing are then no fault.
    pub of_folder: bool,
}

/// A file, standard input for `-`, or all files below a folder.
pub fn names(path: &str) -> Result<Names, Failure> {
    let of_folder = path != STANDARD_INPUT && Path::new(path).is_dir();
    let files = if of_folder {
        files::below(path, &ENDINGS)?
    } else {
        vec![path.to_owned()]
    };
    Ok(Names { files, of_folder })
}
