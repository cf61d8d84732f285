//! The file that puts findings aside: found, read and written for the commands that have one.

use std::path::Path;

use lifecycle::baseline::{Baseline, Finder};
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::document::{Diagnostics, Document};
use lifecycle::source::Sources;

use crate::args::FailOn;
use crate::commands::Failure;
use crate::files::{self, Text};
use crate::terminal::Terminal;
use crate::write::write_whole;

/// The name of the file, where nobody named another one.
fn usual_name(finder: Finder) -> &'static str {
    match finder {
        Finder::Check => "lifecycle-baseline.toml",
        Finder::Lint => "lifecycle-lint-baseline.toml",
    }
}

/// The file that puts findings of a command aside, if there is one.
pub struct Aside {
    finder: Finder,
    path: Option<String>,
    text: Option<Text>,
    writes: bool,
}

impl Aside {
    /// Finds and reads the file: the one that is named, else one of the usual name in `folder`. It need not be there if
    /// nobody named it, or if the command `writes` it.
    pub fn find(finder: Finder, named: Option<&str>, folder: Option<&Path>, writes: bool) -> Result<Self, Failure> {
        let beside = || folder.map(|folder| folder.join(usual_name(finder)).to_string_lossy().into_owned());
        let path = named.map(str::to_owned).or_else(beside);
        let there = path.as_ref().is_some_and(|path| Path::new(path).exists());
        let wanted = named.is_some() && !writes;
        let text = match &path {
            Some(path) if there || wanted => Some(files::read(path)?),
            _ => None,
        };
        Ok(Self {
            finder,
            path,
            text,
            writes,
        })
    }

    /// The file as it is, if it is there.
    pub fn text(&self) -> Option<&Text> {
        self.text.as_ref()
    }

    /// What the file puts aside, or what is wrong in it. A file that is to be written and is no baseline is refused.
    pub fn baseline<'s>(
        &'s self,
        sources: &mut Sources<'s>,
    ) -> Result<Result<Option<Baseline>, Vec<Diagnostic>>, Failure> {
        let Some(text) = &self.text else { return Ok(Ok(None)) };
        let file = sources.add(&text.name, &text.content);
        let mut faults = Diagnostics::default();
        let baseline = Baseline::read(self.finder, &Document::parse(file, &text.content), &mut faults);
        if faults.is_empty() {
            return Ok(Ok(Some(baseline)));
        }
        if self.writes {
            let message = format!("{} is no baseline of this command, and is not overwritten", text.name);
            return Err(Failure::new(message).help("name another file, or delete this one first"));
        }
        Ok(Err(faults.into_vec()))
    }

    /// Writes the file: what a run could fail for. `what` was looked at, and is told where it has no folder.
    pub fn write(
        &self,
        findings: &[Diagnostic],
        fail_on: FailOn,
        what: &str,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let Some(path) = &self.path else {
            let message = format!("{what} has no folder to put a baseline in");
            return Err(Failure::new(message).help("name the file: --baseline FILE"));
        };
        let least = if fail_on == FailOn::Note {
            Severity::Note
        } else {
            Severity::Warning
        };
        let counts = |finding: &&Diagnostic| finding.severity >= least && finding.agreed.is_none();
        let findings: Vec<&Diagnostic> = findings.iter().filter(counts).collect();
        if findings.is_empty() && self.text.is_none() {
            terminal.tell("nothing to put aside: no baseline is needed");
            return Ok(());
        }
        let text = Baseline::write(self.finder, findings.iter().copied());
        write_whole(path, text.as_bytes())?;
        let plural = if findings.len() == 1 { "" } else { "s" };
        terminal.tell(&format!("{} finding{plural} put aside in {path}", findings.len()));
        Ok(())
    }
}
