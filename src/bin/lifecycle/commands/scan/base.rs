//! The objects of an earlier state: findings that they have too are known.

use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::baseline::Baseline;
use lifecycle::evaluate::Scan;
use lifecycle::text::LARGEST;

use crate::baseline::BaselineFile;
use crate::failure::Result;
use crate::io::commit::Commit;
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::listing::has_extension;
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::schema_files::EXTENSIONS;
use crate::terminal::Terminal;

pub struct Base {
    tree: FileTree,
    /// The folder of its baseline.
    folder: PathBuf,
    texts: Vec<FileText>,
}

impl Base {
    /// The files of a state that a user names, at the paths that are scanned unless it names another.
    pub fn read(named: &str, scanned: &[String], disk: &Disk, terminal: &mut Terminal) -> Result<Self> {
        let first = scanned.first().map_or(".", String::as_str);
        let found = TreePath::base_of(named, first, disk)?;
        let paths = if found.is_inferred {
            scanned.to_vec()
        } else {
            vec![found.path]
        };
        let texts = match &found.tree {
            FileTree::Commit(commit, _) => committed(commit, &found.tree, &paths, terminal)?,
            FileTree::Disk(_) | FileTree::BuiltIn(..) => on_disk(&paths, disk, terminal)?,
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

    /// Marks the findings that the state has too; `empty` is a scan of nothing yet. What cannot be read has no
    /// findings, so that those of its new state are new. Returns the baseline of the state.
    pub fn compare(
        &self,
        named: &str,
        scan: &mut Scan,
        empty: Scan,
        baseline: &BaselineFile,
        terminal: &mut Terminal,
    ) -> Result<Option<Baseline>> {
        let mut before = empty;
        for text in &self.texts {
            let scanned = before.add(Sources::BASE, &text.content);
            for error in scanned.unreadable {
                warn_unreadable(&error.within(&text.name), terminal);
            }
        }
        scan.compare_with(named, &before);
        if before.objects == 0 {
            terminal.warn(&format!(
                "warning: {named} has no objects there: every finding counts as new"
            ));
            return Ok(None);
        }
        baseline.of_base(&self.tree, &self.folder, terminal)
    }
}

fn committed(commit: &Commit, tree: &FileTree, paths: &[String], terminal: &mut Terminal) -> Result<Vec<FileText>> {
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| *path != STANDARD_INPUT) {
        let list = commit.list(path, &EXTENSIONS)?;
        terminal.warn_some("warning: skipped ", &list.skipped);
        files.extend(list.files);
    }
    files.sort();
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

fn on_disk(paths: &[String], disk: &Disk, terminal: &mut Terminal) -> Result<Vec<FileText>> {
    let mut texts = Vec::new();
    for path in paths {
        let list = disk.list_unignored(path, &EXTENSIONS)?;
        terminal.warn_some("warning: skipped ", &list.skipped);
        for file in list.files {
            texts.push(disk.read_at_most(&file, LARGEST)?);
        }
    }
    Ok(texts)
}

fn warn_unreadable(reason: &str, terminal: &mut Terminal) {
    terminal.warn(&format!("warning: {reason}; its findings count as new"));
}
