//! Files that may define custom resources: on the disk, and in a commit.

use std::path::{Path, PathBuf};

use crate::commands::Failure;
use crate::files::{self, STANDARD_INPUT};
use crate::git::Commit;

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

/// The same path in a commit: a file, or all files below a folder. None, if the commit has nothing there.
pub fn names_in(commit: &Commit, path: &str) -> Result<Vec<PathBuf>, Failure> {
    if !commit.can_have(path) {
        return Err(
            Failure::new(format!("{path} lies outside the repository")).help("name a file or a folder as the base")
        );
    }
    let whole = Path::new(path);
    if let (Some(name), Some(folder)) = (whole.file_name(), whole.parent()) {
        let file = commit.matching(&pattern(&glob::Pattern::escape(&name.to_string_lossy()))?, folder)?;
        if !file.is_empty() {
            return Ok(file);
        }
    }
    let mut below = commit.matching(&pattern("**/*")?, whole)?;
    below.retain(|file| has_ending(file) && !is_hidden(file));
    Ok(below)
}

fn pattern(text: &str) -> Result<glob::Pattern, Failure> {
    glob::Pattern::new(text).map_err(|problem| Failure::new(format!("`{text}` is no pattern: {}", problem.msg)))
}

fn has_ending(file: &Path) -> bool {
    let ending = file
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    ENDINGS.contains(&ending.as_str())
}

/// Whether a file lies in a hidden folder.
fn is_hidden(file: &Path) -> bool {
    let folders = file.parent().into_iter().flat_map(Path::components);
    let mut names = folders.filter_map(|folder| match folder {
        std::path::Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    names.any(|name| name.starts_with('.'))
}
