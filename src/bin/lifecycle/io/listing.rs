//! The files below a folder, and what of it is skipped.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

use super::bounds::{Bounds, real_path};

const MOST_FILES: usize = 100_000;

const DEEPEST: usize = 64;

#[derive(Debug, Default)]
pub struct FileList {
    pub files: Vec<String>,
    /// What was skipped, and why.
    pub skipped: Vec<String>,
}

impl FileList {
    pub fn one(file: &str) -> Self {
        Self {
            files: vec![file.to_owned()],
            skipped: Vec::new(),
        }
    }
}

pub const BROKEN_LINK: &str = "broken link";

pub const LINK_TO_FOLDER: &str = "link to a folder, not followed; name that folder too to include it";

pub const NOT_UTF8: &str = "its name is not UTF-8; rename it";

/// The files below a folder with one of these extensions, and the folders on the way, unless they are ignored. Links to
/// folders are not followed, hidden folders are skipped.
pub fn below(
    folder: &str,
    extensions: &[&str],
    bounds: &Bounds,
    mut is_ignored: impl FnMut(&Path, bool) -> bool,
) -> Result<FileList> {
    let root = real_path(Path::new(folder));
    let mut folders = vec![(PathBuf::from(folder), 0)];
    let mut found = FileList::default();
    while let Some((folder, depth)) = folders.pop() {
        for path in entries(&folder)? {
            if path.is_symlink() || !path.is_dir() {
                if !is_ignored(&path, false) {
                    found.add(&path, extensions, root.as_deref(), bounds);
                }
            } else if path.to_str().is_none() {
                found.skip(&path, NOT_UTF8);
            } else if path.file_name().is_some_and(|name| is_shown(Path::new(name))) && !is_ignored(&path, true) {
                folders.push((path, depth + 1));
            }
        }
        if found.files.len() > MOST_FILES || depth > DEEPEST {
            let message = format!(
                "{}: more than {MOST_FILES} files, or folders more than {DEEPEST} deep",
                folder.display()
            );
            return Err(Failure::new(message).help("name the folders that have the files"));
        }
    }
    found.files.sort_unstable();
    found.skipped.sort_unstable();
    Ok(found)
}

/// The files in a folder itself with one of these extensions, in the order of their names.
pub fn in_folder(folder: &str, extensions: &[&str], bounds: &Bounds) -> Result<FileList> {
    let mut found = FileList::default();
    for path in entries(Path::new(folder))? {
        if path.is_symlink() || !path.is_dir() {
            found.add(&path, extensions, None, bounds);
        }
    }
    found.files.sort_unstable();
    found.skipped.sort_unstable();
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder.read_dir().map_err(|problem| no_folder(folder, &problem))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    paths
        .map(|path| path.map_err(|problem| no_folder(folder, &problem)))
        .collect()
}

fn no_folder(folder: &Path, problem: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {problem}", folder.display())).help("name an existing folder")
}

impl FileList {
    /// Adds a file or a link, if its name is one of those sought, or why it is skipped.
    fn add(&mut self, path: &Path, extensions: &[&str], root: Option<&Path>, bounds: &Bounds) {
        let is_link = path.is_symlink();
        // Whether there is something out there is not reported either.
        let leads_out = is_link && real_path(path).is_some_and(|real| !bounds.hold(&real));
        let is_sought = has_extension(path, extensions) && (leads_out || path.is_file());
        match path.to_str() {
            None if is_sought => self.skip(path, NOT_UTF8),
            _ if leads_out && may_be_sought(path, extensions) => self.skip(path, &bounds.link_out()),
            Some(name) if is_sought => self.files.push(name.to_owned()),
            _ if is_link && path.file_name().is_some_and(|name| is_shown(Path::new(name))) => {
                if let Some(reason) = not_followed(path, extensions, root) {
                    self.skip(path, reason);
                }
            }
            _ => {}
        }
    }

    fn skip(&mut self, path: &Path, reason: &str) {
        self.skipped.push(format!("{}: {reason}", path.display()));
    }
}

/// Why a link below a folder is skipped; `None` if its name is not one of those sought, or its target is read anyway.
fn not_followed(link: &Path, extensions: &[&str], root: Option<&Path>) -> Option<&'static str> {
    let Ok(target) = link.canonicalize() else {
        return may_be_sought(link, extensions).then_some(BROKEN_LINK);
    };
    let is_read = root
        .and_then(|root| target.strip_prefix(root).ok())
        .is_some_and(is_shown);
    (target.is_dir() && !is_read).then_some(LINK_TO_FOLDER)
}

/// Whether a link of such a name may stand for a file with one of these extensions, or for a folder.
pub fn may_be_sought(link: &Path, extensions: &[&str]) -> bool {
    link.extension().is_none() || has_extension(link, extensions)
}

/// Whether a path ends in one of these extensions, in either case.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extensions.contains(&extension.to_ascii_lowercase().as_str())
}

/// Whether no part of a path is hidden.
pub fn is_shown(path: &Path) -> bool {
    !path.iter().any(|part| part.to_string_lossy().starts_with('.'))
}
