//! Files that may define custom resources, and what is told of those that are passed over or cannot be read.

use std::path::Path;

use lifecycle::schema::Unrendered;

use crate::commands::Failure;
use crate::files::{self, Below, STANDARD_INPUT};
use crate::terminal::Terminal;

/// The endings of files that are looked at in folders.
pub const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// What to do about a file that cannot be read.
pub const MEND: &str = "mend the file, or name the files and folders that count without it";

/// What a path comes to.
#[derive(Debug)]
pub struct Names {
    /// The files, and what was passed over.
    pub found: Below,
    /// Whether they are all those below a folder: such as define nothing are then no fault.
    pub of_folder: bool,
}

/// A file, standard input for `-`, or all files below a folder.
pub fn names(path: &str) -> Result<Names, Failure> {
    let of_folder = path != STANDARD_INPUT && Path::new(path).is_dir();
    let found = if of_folder {
        files::below(path, &ENDINGS)?
    } else {
        Below::one(path)
    };
    Ok(Names { found, of_folder })
}

/// Refuses an answer that is not whole: tells the faults of the files that cannot be read, the last one as the reason.
pub fn refuse_faults(faults: &[String], terminal: &mut Terminal) -> Result<(), Failure> {
    let Some((last, others)) = faults.split_last() else {
        return Ok(());
    };
    terminal.complain_some("error: ", others);
    Err(Failure::new(last.as_str()).help(MEND))
}

/// Tells which documents of a file were passed over, as they define nothing yet.
pub fn tell_unrendered(name: &str, documents: &[Unrendered], terminal: &mut Terminal) {
    for document in documents {
        terminal.complain(&format!("warning: skipped {name}:{}: {}", document.line, document.sort));
    }
}
