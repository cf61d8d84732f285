//! `lifecycle check`: what violates the policy, and what of it is new.

mod removal;
mod run;
pub mod schemas;

use lifecycle::Sources;
use lifecycle::evaluate::{self, Against, Evaluation};
use lifecycle::report::Report;

use crate::args::Check;
use crate::baseline::BaselineFile;
use crate::compared_schemas::warn_partly;
use crate::evidence;
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::{Disk, FileText, STANDARD_INPUT, folder_of};
use crate::io::tree::FileTree;
use crate::model_files::{self, Base, BaseModel, LoadedModel, Side};
use crate::parallel::in_parallel;
use crate::report_output::OutputFile;
use crate::terminal::Terminal;
use crate::with_model::select;

use run::Run;
use schemas::ModelSchemas;

pub fn check(arguments: &Check, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (name, tree) = model_files::find(arguments.model.choice(), disk)?;
    let (head, base) = read(&name, &tree, arguments, disk)?;
    head.files.list(terminal);
    let LoadedModel { files, evaluated } = head;
    let baseline_file = BaselineFile::of_model(&name, &tree, arguments.baseline(), disk)?;
    let schemas = match &evaluated {
        Ok(evaluation) if arguments.remove.is_empty() => ModelSchemas::read(evaluation, &name, base.as_ref(), disk)?,
        _ => ModelSchemas::default(),
    };
    let inputs = files.texts().chain(texts_of(base.as_ref()));
    let inputs = inputs.chain(baseline_file.text()).chain(schemas.texts());
    let outputs = outputs(arguments, inputs.map(|text| text.name.as_str()), disk)?;
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let run = Run {
        arguments,
        name: &name,
        files: &files,
        outputs: &outputs,
        disk,
    };
    let mut evaluation = match evaluated {
        Ok(evaluation) => evaluation,
        Err(errors) => return run.abort(&errors, &sources, terminal),
    };
    if !arguments.remove.is_empty() {
        return removal::answer(run, &evaluation, &sources, terminal);
    }
    let baseline = match baseline_file.parse(&mut sources)? {
        Ok(baseline) => baseline,
        Err(errors) => return run.abort(&errors, &sources, terminal),
    };
    let of_base = match &base {
        Some(base) if base.loaded().is_some() => baseline_file.of_base(&base.tree, &folder_of(&base.name), terminal)?,
        _ => None,
    };
    let base_state = base.as_ref().map(|base| state_of(base, &mut sources, terminal));
    let errors = schemas.errors(&mut sources);
    if !errors.is_empty() {
        return run.abort(&errors, &sources, terminal);
    }
    let named_schemas = (!evaluation.model().schemas.is_empty()).then(|| schemas.load(&mut sources, terminal));
    let against = Against {
        base: arguments.base.as_deref().zip(base_state),
        schemas: named_schemas,
        baseline: baseline_file.suppressions(baseline.as_ref(), of_base.as_ref()),
    };
    compare(&mut evaluation, against, terminal)?;
    if arguments.write_baseline {
        baseline_file.write(evaluation.findings(), arguments.report.fail_on, origin(&name), terminal)?;
        return Ok(Outcome::Clean);
    }
    select(&mut evaluation, &arguments.filter.filter(), terminal)?;
    let mut report = with_moves(&evaluation, base.as_ref(), &sources);
    let outcome = run.print(&mut report, &sources, &evaluation, terminal);
    std::mem::forget(report);
    std::mem::forget((evaluation, base));
    outcome
}

/// The files that the report is written to as well: none of those that are read.
fn outputs<'i>(arguments: &'i Check, inputs: impl Iterator<Item = &'i str>, disk: &Disk) -> Result<Vec<OutputFile>> {
    let evidence = arguments.evidence.evidence.iter().map(String::as_str);
    OutputFile::parse_all(&arguments.report.output, inputs.chain(evidence), disk)
}

/// Compares a model with its base, its schemas and its baseline.
fn compare(evaluation: &mut Evaluation, against: Against<'_>, terminal: &mut Terminal) -> Result<()> {
    evaluate::check(evaluation, against).map_err(|error| Failure::new(error.to_string()).help(error.help()))?;
    warn_partly(evaluation.partly_compared(), terminal);
    Ok(())
}

/// The report, with what the calendar of the change moves.
fn with_moves<'e>(evaluation: &'e Evaluation, base: Option<&'e Base>, sources: &Sources<'_>) -> Report<'e> {
    let mut report = evaluation.report(sources);
    let before = base.and_then(Base::loaded);
    if let Some(Ok(before)) = before.map(|loaded| loaded.evaluated.as_ref()) {
        report.moves = evaluation.calendar_moves(sources, before);
    }
    report
}

fn texts_of(base: Option<&Base>) -> impl Iterator<Item = &FileText> {
    let loaded = base.and_then(Base::loaded);
    loaded.into_iter().flat_map(|loaded| loaded.files.texts())
}

fn origin(model: &str) -> &'static str {
    if model == STANDARD_INPUT {
        "a model from standard input"
    } else {
        "a built-in model"
    }
}

/// Reads the model and its base, and lets both know the same evidence of usage.
fn read(name: &str, tree: &FileTree, arguments: &Check, disk: &Disk) -> Result<(LoadedModel, Option<Base>)> {
    let (mut head, mut base) = read_states(name, tree, arguments, disk)?;
    if let Some(known) = evidence::read(&arguments.evidence.evidence, disk)? {
        let of_base = base.as_mut().and_then(Base::loaded_mut);
        for loaded in std::iter::once(&mut head).chain(of_base) {
            if let Ok(evaluation) = &mut loaded.evaluated {
                evaluation.know_usage(known.clone());
            }
        }
    }
    Ok((head, base))
}

/// Reads the model, and at the same time its base.
fn read_states(name: &str, tree: &FileTree, arguments: &Check, disk: &Disk) -> Result<(LoadedModel, Option<Base>)> {
    let options = &arguments.model.policy;
    let Some(base) = arguments.base.as_deref() else {
        return Ok((LoadedModel::read(name, tree, options, Side::Head)?, None));
    };
    // A repository cannot move to another thread, so that the tree is made there.
    let built_in = tree.built_in();
    let (head, base) = in_parallel(
        || {
            let disk = disk.clone();
            let tree = match built_in {
                Some(model) => FileTree::BuiltIn(model, disk),
                None => FileTree::Disk(disk),
            };
            LoadedModel::read(name, &tree, options, Side::Head)
        },
        || Base::read(base, name, options, disk),
    );
    let base = base?;
    Ok((head?, Some(base)))
}

/// The base as the library takes it. Its files are added to the sources.
fn state_of<'s>(base: &'s Base, sources: &mut Sources<'s>, terminal: &mut Terminal) -> evaluate::Base<'s> {
    match &base.model {
        BaseModel::Missing => evaluate::Base::Missing,
        BaseModel::Unreadable(reason) => evaluate::Base::Unreadable(reason.clone()),
        BaseModel::Loaded(loaded) => {
            let LoadedModel { files, evaluated } = loaded.as_ref();
            files.list(terminal);
            files.add_to(sources);
            match evaluated {
                Ok(before) => evaluate::Base::Model(before),
                Err(errors) => evaluate::Base::Unreadable(Failure::from_diagnostics(errors, sources).message),
            }
        }
    }
}
