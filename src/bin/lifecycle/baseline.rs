//! The baseline file of `check` and of `lint`: found, read and written.

use std::path::Path;

use lifecycle::Sources;
use lifecycle::baseline::{Baseline, Finder};
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::{Diagnostics, Document};

use crate::args::FailOn;
use crate::failure::{Failure, Result};
use crate::io::disk::{Disk, FileText};
use crate::io::write::write_whole;
use crate::summary::counted;
use crate::terminal::Terminal;

/// The name of the file, unless `--baseline` names another.
fn default_name(finder: Finder) -> &'static str {
    match finder {
        Finder::Check => "lifecycle-baseline.toml",
        Finder::Lint => "lifecycle-lint-baseline.toml",
    }
}

pub struct BaselineFile {
    finder: Finder,
    path: Option<String>,
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
            text,
            is_written,
            disk: disk.clone(),
        })
    }

    pub fn text(&self) -> Option<&FileText> {
        self.text.as_ref()
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
