//! The end of an import: a model that is printed, written to a new file, or updated.

use std::path::Path;

use lifecycle::import::{Draft, ImportError, Imported, write};
use lifecycle::model::Model;
use lifecycle::release::ReleaseName;

use crate::args::Target;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::io::write::{refuse_input, write_whole};
use crate::terminal::Terminal;

use super::notices::{outcome, show};
use super::update::update;
use crate::failure::{Failure, Outcome, Result};

pub(super) struct Job<'a> {
    pub target: &'a Target,
    /// What the model was imported from: the first lines of its file.
    pub origin: Vec<String>,
    /// The files that were read, which the output may not overwrite.
    pub inputs: Vec<&'a str>,
    /// The first and last release of the source, between which an updated model is compared with it; `None` where the
    /// importer compares all of it.
    pub bounds: Option<(ReleaseName, ReleaseName)>,
}

impl Job<'_> {
    /// Prints, writes or updates a model. `make` makes it, given the model to update and what that declares before the
    /// first release of the source.
    pub(super) fn deliver(
        self,
        disk: &Disk,
        terminal: &mut Terminal,
        make: impl FnOnce(Option<&Model>, Draft) -> Result<Imported, ImportError>,
    ) -> Result<Outcome> {
        if let Some(model) = &self.target.update {
            return update(model, self.bounds.as_ref(), make, disk, terminal);
        }
        let Imported { mut draft, notices, .. } = make(None, Draft::default())?;
        show(&notices, terminal);
        draft.origin = self.origin.into_iter().chain(draft.origin).collect();
        put(&draft, self.target.output.as_deref(), &self.inputs, disk, terminal)?;
        Ok(outcome(&notices))
    }
}

fn put(draft: &Draft, output: Option<&str>, inputs: &[&str], disk: &Disk, terminal: &mut Terminal) -> Result<()> {
    let text = write(draft);
    let Some(output) = output else {
        terminal.answer(&text);
        return Ok(());
    };
    if output.is_empty() || output == STANDARD_INPUT {
        let message = format!("--output {output}: this is not the name of a file");
        return Err(Failure::new(message).help("leave out --output to print the model"));
    }
    refuse_input(disk, "--output", (output, output), inputs)?;
    if Path::new(output).is_file() {
        let error = Failure::new(format!("--output {output}: the file exists"));
        return Err(error.help(format!("update it with `--update {output}`, or name another file")));
    }
    write_whole(disk, output, text.as_bytes())?;
    terminal.note(&format!("written: {output}"));
    Ok(())
}
