//! Commands that answer about one model: it is read and evaluated, and errors in its files are reported.

use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;

use crate::args::{Format, ModelChoice, PolicyOptions};
use crate::failure::{Outcome, Result};
use crate::input_errors;
use crate::io::disk::Disk;
use crate::model_files::{self, LoadedModel, ModelFiles, Side};
use crate::terminal::Terminal;

pub struct Context<'c> {
    pub evaluation: &'c Evaluation,
    pub files: &'c ModelFiles,
    pub sources: &'c Sources<'c>,
    pub terminal: &'c mut Terminal,
}

/// Reads and evaluates a model, and answers. Errors in its files are reported in `format`.
pub fn with_model(
    disk: &Disk,
    choice: ModelChoice<'_>,
    options: &PolicyOptions,
    format: Format,
    terminal: &mut Terminal,
    answer: impl FnOnce(&mut Context<'_>) -> Result<Outcome>,
) -> Result<Outcome> {
    let (name, tree) = model_files::find(choice, disk)?;
    let LoadedModel { files, evaluated } = LoadedModel::read(&name, &tree, options, Side::Head)?;
    files.list(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    match evaluated {
        Ok(evaluation) => {
            let outcome = answer(&mut Context {
                evaluation: &evaluation,
                files: &files,
                sources: &sources,
                terminal,
            });
            // The process ends next, and freeing a large model piece by piece costs as much as planning it.
            std::mem::forget(evaluation);
            outcome
        }
        Err(errors) => input_errors::report(&errors, &sources, format, terminal),
    }
}
