//! The baseline file of `check`, `lint`, `diff` and `scan`: found, read and written.

use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::baseline::{Baseline, Finder, Suppressions};
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::Evaluation;
use lifecycle::{Diagnostics, Document, FileId};

use crate::args::FailOn;
use crate::failure::{Failure, Result};
use crate::io::bounds::{real_path, relative};
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::io::write::write_whole;
use crate::summary::counted;
use crate::terminal::Terminal;

/// The name of the file, unless `--baseline` names another.
fn default_name(finder: Finder) -> &'static str {
    match finder {
        Finder::Check => "lifecycle-baseline.toml",
        Finder::Lint => "lifecycle-lint-baseline.toml",
        Finder::Scan => "lifecycle-scan-baseline.toml",
        Finder::Diff => "lifecycle-diff-baseline.toml",
    }
}

/// The folder of the default baseline beside a path that is checked; none for standard input.
pub fn folder_beside(path: &str) -> Option<PathBuf> {
    let path = Path::new(path).to_path_buf();
    match path {
        path if path.as_os_str() == STANDARD_INPUT => None,
        path if path.is_dir() => Some(path),
        path => path.parent().map(Path::to_path_buf),
    }
}

const SUPPRESSES_NOTHING: &str = "the baseline of the base suppresses nothing";

pub struct BaselineFile {
    finder: Finder,
    path: Option<String>,
    is_named: bool,
    /// The folder of what is checked.
    folder: Option<PathBuf>,
    text: Option<FileText>,
    is_written: bool,
    disk: Disk,
}

impl BaselineFile {
    /// Finds and reads the file: the one that is named, else the default one in `folder`. It may be missing if nobody
    /// named it, or if it `is_written` by the command.
    pub fn find(
        finder: Finder,
        named: Option<&str>,
        folder: Option<&Path>,
        is_written: bool,
        disk: &Disk,
    ) -> Result<Self> {
        let path = match (named, folder) {
            (Some(named), _) => Some(named.to_owned()),
            (None, Some(folder)) => Some(folder.join(default_name(finder)).to_string_lossy().into_owned()),
            (None, None) => None,
        };
        // A broken link is an error, not a missing file.
        let exists = path
            .as_ref()
            .is_some_and(|path| Path::new(path).symlink_metadata().is_ok());
        let is_required = named.is_some() && !is_written;
        let text = match &path {
            Some(path) if exists || is_required => Some(disk.read_main(path)?),
            _ => None,
        };
        Ok(Self {
            finder,
            path,
            is_named: named.is_some(),
            folder: folder.map(Path::to_path_buf),
            text,
            is_written,
            disk: disk.clone(),
        })
    }

    /// Finds and reads the file of a model, in its folder unless it is named. It may be missing as for `find`.
    pub fn of_model(
        model: &str,
        tree: &FileTree,
        (named, is_written): (Option<&str>, bool),
        disk: &Disk,
    ) -> Result<Self> {
        let has_folder = model != STANDARD_INPUT && matches!(tree, FileTree::Disk(_));
        let folder = Path::new(model).parent().filter(|_| has_folder);
        Self::find(Finder::Check, named, folder, is_written, disk)
    }

    pub fn text(&self) -> Option<&FileText> {
        self.text.as_ref()
    }

    /// The baseline of a base: the file at the same path there, seen from the folder of what is checked. One that lists
    /// nothing if there is no such file; `None` if no change can add to the baseline.
    pub fn of_base(&self, tree: &FileTree, folder: &Path, terminal: &mut Terminal) -> Result<Option<Baseline>> {
        let (Some(path), Some(_)) = (self.path_in(tree, folder), &self.text) else {
            return Ok(None);
        };
        let empty = Baseline::empty();
        if !tree.has(&path) {
            return Ok(Some(empty));
        }
        let text = match tree.read_main(&path) {
            Err(failure) if failure.in_commit => {
                terminal.warn(&format!("warning: {}; {SUPPRESSES_NOTHING}", failure.message));
                return Ok(Some(empty));
            }
            text => text?,
        };
        let mut errors = Diagnostics::default();
        let baseline = Baseline::read(self.finder, &Document::parse(FileId(0), &text.content), &mut errors);
        if let Some(error) = errors.into_vec().first() {
            terminal.warn(&format!(
                "warning: {}: {}; {SUPPRESSES_NOTHING}",
                text.name, error.message
            ));
            return Ok(Some(empty));
        }
        Ok(Some(baseline))
    }

    /// The path of the file in a base. `None` for a file outside of the repository, which is no part of a change.
    fn path_in(&self, tree: &FileTree, folder: &Path) -> Option<String> {
        let path = self.path.as_deref()?;
        let in_base = match tree {
            _ if !self.is_named => folder.join(default_name(self.finder)),
            FileTree::Commit(commit, _) => return commit.has_path(path).then(|| path.to_owned()),
            FileTree::Disk(_) | FileTree::BuiltIn(..) => {
                let (own, named) = (real_path(self.folder.as_deref()?)?, real_path(Path::new(path))?);
                let is_within = self.disk.within_folder(&own).hold(&named);
                folder.join(relative(&own, &named).filter(|_| is_within)?)
            }
        };
        Some(in_base.to_string_lossy().into_owned())
    }

    /// What the run suppresses; nothing if it records a baseline.
    pub fn suppressions<'b>(
        &'b self,
        baseline: Option<&'b Baseline>,
        base: Option<&'b Baseline>,
    ) -> Option<Suppressions<'b>> {
        let text = self.text.as_ref().filter(|_| !self.is_written)?;
        Some(Suppressions {
            file: &text.name,
            baseline: baseline?,
            base,
        })
    }

    /// Marks the findings that the file lists; or the errors in the file.
    pub fn mark<'s>(
        &'s self,
        evaluation: &mut Evaluation,
        sources: &mut Sources<'s>,
    ) -> Result<Result<(), Vec<Diagnostic>>> {
        Ok(self.parse(sources)?.map(|baseline| {
            if let Some((text, baseline)) = self.text.as_ref().zip(baseline) {
                evaluation.mark_suppressed(&text.name, &baseline);
            }
        }))
    }

    /// The baseline, or the errors in the file. A file that is not a baseline is not overwritten.
    pub fn parse<'s>(&'s self, sources: &mut Sources<'s>) -> Result<Result<Option<Baseline>, Vec<Diagnostic>>> {
        let Some(text) = &self.text else { return Ok(Ok(None)) };
        let file = sources.add(&text.name, &text.content);
        let mut errors = Diagnostics::default();
        let baseline = Baseline::read(self.finder, &Document::parse(file, &text.content), &mut errors);
        if errors.is_empty() {
            return Ok(Ok(Some(baseline)));
        }
        if self.is_written {
            let message = format!(
                "{} is not a baseline of this command; it was not overwritten",
                text.name
            );
            return Err(Failure::new(message).help("name another file, or delete this one first"));
        }
        Ok(Err(errors.into_vec()))
    }

    /// Records the findings for which a run can fail. `what` was checked: a message names it where it has no folder.
    pub fn write(&self, findings: &[Diagnostic], fail_on: FailOn, what: &str, terminal: &mut Terminal) -> Result<()> {
        let Some(path) = &self.path else {
            let message = format!("{what} has no folder for a baseline");
            return Err(Failure::new(message).help("name the file: --baseline FILE"));
        };
        let least = if fail_on == FailOn::Note {
            Severity::Note
        } else {
            Severity::Warning
        };
        let recorded = findings
            .iter()
            .filter(|finding| finding.severity >= least && finding.exception.is_none());
        let recorded: Vec<&Diagnostic> = recorded.collect();
        if recorded.is_empty() && self.text.is_none() {
            terminal.note("no findings to record: no baseline is needed");
            return Ok(());
        }
        let text = Baseline::write(self.finder, recorded.iter().copied());
        write_whole(&self.disk, path, text.as_bytes())?;
        terminal.note(&format!("recorded {} in {path}", counted(recorded.len(), "finding")));
        Ok(())
    }
}
