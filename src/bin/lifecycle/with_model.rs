//! Commands that answer about one model: it is read and evaluated, and errors in its files are reported.

use std::path::Path;

use lifecycle::Sources;
use lifecycle::evaluate::{Evaluation, Filter, effective_law, rules_in_force};
use lifecycle::policy::{Law, Policy};
use lifecycle::report::{EffectiveReport, RulesReport};

use crate::args::{Format, ModelChoice, PolicyOptions};
use crate::baseline::BaselineFile;
use crate::evidence;
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::bounds::real_path;
use crate::io::disk::{Disk, folder_of};
use crate::io::write::{refuse_input, write_whole};
use crate::model_files::{self, LoadedModel, ModelFiles, Side};
use crate::policy_files;
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
    let asked = Asked {
        choice,
        options,
        filter: Filter::default(),
        evidence: &[],
        shows_findings: false,
        format,
    };
    with_elements(disk, &asked, terminal, answer)
}

/// What a command asks for.
pub struct Asked<'a> {
    pub choice: ModelChoice<'a>,
    pub options: &'a PolicyOptions,
    /// The elements that the answer is about.
    pub filter: Filter,
    /// The files that say who uses what.
    pub evidence: &'a [String],
    /// Whether the answer shows findings: those that the baseline lists are marked.
    pub shows_findings: bool,
    /// How errors in the model's files are reported.
    pub format: Format,
}

/// Reads and evaluates a model, and answers about some of its elements.
pub fn with_elements(
    disk: &Disk,
    asked: &Asked<'_>,
    terminal: &mut Terminal,
    answer: impl FnOnce(&mut Context<'_>) -> Result<Outcome>,
) -> Result<Outcome> {
    let (name, tree) = model_files::find(asked.choice, disk)?;
    let LoadedModel { files, evaluated } = LoadedModel::read(&name, &tree, asked.options, Side::Head)?;
    files.list(terminal);
    let baseline_file = if asked.shows_findings {
        Some(BaselineFile::of_model(&name, &tree, (None, false), disk)?)
    } else {
        None
    };
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    match evaluated {
        Ok(mut evaluation) => {
            if let Some(known) = evidence::read(asked.evidence, disk)? {
                evaluation.know_usage(known);
            }
            if let Some(Err(errors)) = baseline_file
                .as_ref()
                .map(|file| file.mark(&mut evaluation, &mut sources))
                .transpose()?
            {
                return input_errors::report(&errors, &sources, asked.format, terminal);
            }
            select(&mut evaluation, &asked.filter, terminal)?;
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
        Err(errors) => input_errors::report(&errors, &sources, asked.format, terminal),
    }
}

/// The law in force: that of a model, or of a policy alone.
#[derive(Clone, Copy)]
pub enum InForce<'e> {
    Model(&'e Evaluation),
    Policy(&'e Law),
}

impl<'e> InForce<'e> {
    pub fn rules(self, sources: &Sources<'_>) -> RulesReport<'e> {
        match self {
            Self::Model(evaluation) => evaluation.rules(sources),
            Self::Policy(law) => rules_in_force(law, sources),
        }
    }

    pub fn effective(self, sources: &Sources<'_>) -> EffectiveReport<'e> {
        match self {
            Self::Model(evaluation) => evaluation.effective(sources),
            Self::Policy(law) => effective_law(law, sources),
        }
    }

    /// The newest edition of the policy.
    pub fn newest(self) -> Option<&'e Policy> {
        let law = match self {
            Self::Model(evaluation) => evaluation.law(),
            Self::Policy(law) => law,
        };
        law.editions().last().map(|edition| &edition.policy)
    }
}

/// Reads the law of a model, or without one that of the policy that is named, and answers.
pub fn with_law(
    disk: &Disk,
    model: Option<ModelChoice<'_>>,
    (options, format): (&PolicyOptions, Format),
    terminal: &mut Terminal,
    answer: impl FnOnce(InForce<'_>, &Sources<'_>, &mut Terminal) -> Result<Outcome>,
) -> Result<Outcome> {
    if let Some(choice) = model {
        return with_model(disk, choice, options, format, terminal, |context| {
            answer(InForce::Model(context.evaluation), context.sources, context.terminal)
        });
    }
    let files = policy_files::read_chosen(options.policy.as_deref(), disk)?;
    let mut sources = Sources::new();
    match policy_files::law_without_model(&files, options, &mut sources) {
        Ok(law) => answer(InForce::Policy(&law), &sources, terminal),
        Err(errors) => input_errors::report(&errors, &sources, format, terminal),
    }
}

/// The model that is chosen; the nearest one only if there is one.
pub fn if_any(choice: ModelChoice<'_>) -> Option<ModelChoice<'_>> {
    let is_there = !matches!(choice, ModelChoice::Nearest) || model_files::nearest().is_ok();
    is_there.then_some(choice)
}

/// Restricts the answers of an evaluation. That nothing is left is no error: it may be what was hoped for.
pub fn select(evaluation: &mut Evaluation, filter: &Filter, terminal: &mut Terminal) -> Result<()> {
    let nothing = evaluation
        .select(filter)
        .map_err(|error| Failure::new(error.to_string()).help(error.help))?;
    if let Some(nothing) = nothing {
        terminal.note(&nothing);
    }
    Ok(())
}

impl Context<'_> {
    /// Refuses an output that is a file of the model, one that its `schemas` name, or another one that the run reads.
    pub fn refuse_inputs(&self, output: &str, others: &[&str], disk: &Disk) -> Result<()> {
        let files = self.files.texts().map(|text| text.name.as_str());
        let inputs: Vec<&str> = files.chain(others.iter().copied()).collect();
        refuse_input(disk, "--output", (output, output), &inputs)?;
        let folder = self
            .files
            .texts()
            .next()
            .map(|main| folder_of(&main.name))
            .unwrap_or_default();
        let schemas = self.evaluation.model().schemas.iter();
        let mut schemas = schemas.filter_map(|named| real_path(&folder.join(&named.text)));
        let own = real_path(Path::new(output));
        if own.is_some_and(|own| own.exists() && schemas.any(|schemas| own.starts_with(schemas))) {
            let message = format!("--output would overwrite {output}, which the model names among its `schemas`");
            return Err(Failure::new(message).help("name another file"));
        }
        Ok(())
    }

    /// Runs what prints an answer. With a file, the answer goes there instead of standard output; `others` are inputs
    /// beside the model.
    pub fn answer_in<T>(
        &mut self,
        (file, others): (Option<&str>, &[&str]),
        disk: &Disk,
        print: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Some(file) = file else { return print(self) };
        self.refuse_inputs(file, others, disk)?;
        self.terminal.collect();
        let printed = print(self);
        let content = self.terminal.collected();
        let printed = printed?;
        write_whole(disk, file, &content)?;
        self.terminal.detail(&format!("written: {file}"));
        Ok(printed)
    }
}
