//! The files of an earlier state, with whose findings those of today are compared.

use std::path::{Path, PathBuf};

use lifecycle::text::LARGEST;

use crate::failure::Result;
use crate::io::commit::Commit;
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::listing::has_extension;
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::schema_files::EXTENSIONS;
use crate::terminal::Terminal;

pub struct BaseFiles {
    pub tree: FileTree,
    /// The folder of its baseline.
    pub folder: PathBuf,
    pub texts: Vec<FileText>,
}

/// Reads files and folders on the disk.
type ReadDisk = fn(&[String], &Disk, &mut Terminal) -> Result<Vec<FileText>>;

impl BaseFiles {
    /// The files of a state that a user names, at the paths that are looked at today unless it names another.
    pub fn read(
        named: &str,
        paths: &[String],
        disk: &Disk,
        read_disk: ReadDisk,
        terminal: &mut Terminal,
    ) -> Result<Self> {
        let first = paths.first().map_or(".", String::as_str);
        let found = TreePath::base_of(named, first, disk)?;
        let paths = if found.is_inferred {
            paths.to_vec()
        } else {
            vec![found.path]
        };
        let texts = match &found.tree {
            FileTree::Commit(commit, _) => committed(commit, &found.tree, &paths, terminal)?,
            FileTree::Disk(_) | FileTree::BuiltIn(..) => read_disk(&paths, disk, terminal)?,
        };
        let folder = paths.first().map_or(Path::new("."), Path::new);
        let is_file = has_extension(folder, &EXTENSIONS) && !folder.is_dir();
        let folder = folder.parent().filter(|_| is_file).unwrap_or(folder).to_path_buf();
        Ok(Self {
            tree: found.tree,
            folder,
            texts,
        })
    }
}

fn committed(commit: &Commit, tree: &FileTree, paths: &[String], terminal: &mut Terminal) -> Result<Vec<FileText>> {
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| *path != STANDARD_INPUT) {
        let list = commit.list(path, &EXTENSIONS)?;
        terminal.warn_some("warning: skipped ", &list.skipped);
        files.extend(list.files);
    }
    files.sort_unstable();
    files.dedup();
    let mut texts = Vec::new();
    for file in files {
        match tree.read_found(&file, LARGEST) {
            Ok(text) => texts.push(text),
            Err(failure) if failure.in_commit => warn_unreadable(&failure.message, terminal),
            Err(failure) => return Err(failure),
        }
    }
    Ok(texts)
}

/// Warns of a file of the base that cannot be read.
pub fn warn_unreadable(reason: &str, terminal: &mut Terminal) {
    terminal.warn(&format!("warning: {reason}; its findings count as new"));
}
