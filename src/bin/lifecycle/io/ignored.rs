//! What files named `.gitignore` exclude from a repository.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::bounds::{real_path, repository_around};
use crate::failure::Result;

const NAME: &str = ".gitignore";

/// Reads the text of a file.
type Read = fn(&str) -> Result<String>;

/// The ignored files and folders below a folder.
#[derive(Debug)]
pub struct Ignored {
    read: Read,
    /// The folder as typed, and its real path.
    folder: (PathBuf, PathBuf),
    /// The root of the repository, or the folder itself.
    root: PathBuf,
    /// The patterns of folders, by their real paths.
    patterns: HashMap<PathBuf, Gitignore>,
    /// What cannot be read, and why.
    pub unreadable: Vec<String>,
}

impl Ignored {
    pub fn around(folder: &str, read: Read) -> Self {
        let typed = PathBuf::from(folder);
        let real = real_path(&typed).unwrap_or_else(|| typed.clone());
        let root = repository_around(&real).unwrap_or(&real).to_path_buf();
        Self {
            read,
            folder: (typed, real),
            root,
            patterns: HashMap::new(),
            unreadable: Vec::new(),
        }
    }

    /// Whether a file or folder is ignored, if the folders that it is in are not. The nearest pattern decides.
    pub fn has(&mut self, path: &Path, is_folder: bool) -> bool {
        let (typed, real) = &self.folder;
        let path = path
            .strip_prefix(typed)
            .map_or_else(|_| path.to_path_buf(), |below| real.join(below));
        for folder in path
            .ancestors()
            .skip(1)
            .take_while(|folder| folder.starts_with(&self.root))
        {
            let (read, unreadable) = (self.read, &mut self.unreadable);
            let patterns = self
                .patterns
                .entry(folder.to_path_buf())
                .or_insert_with(|| patterns(folder, read, unreadable));
            match patterns.matched(&path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

/// The patterns of a folder. As for Git, the file that has them must not be a link.
fn patterns(folder: &Path, read: Read, unreadable: &mut Vec<String>) -> Gitignore {
    let path = folder.join(NAME);
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Gitignore::empty();
    }
    let text = match read(&path.to_string_lossy()) {
        Ok(text) => text,
        Err(failure) => {
            unreadable.push(failure.message);
            return Gitignore::empty();
        }
    };
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.lines() {
        if let Err(problem) = builder.add_line(None, line) {
            unreadable.push(format!("a pattern in {}: {problem}", path.display()));
        }
    }
    builder.build().unwrap_or_else(|problem| {
        unreadable.push(format!("{}: {problem}", path.display()));
        Gitignore::empty()
    })
}
