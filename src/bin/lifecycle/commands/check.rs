//! `lifecycle check`: what violates the policy, and what of it is new.

mod removal;
mod run;
mod schemas;

use std::path::Path;

use lifecycle::baseline::Finder;
use lifecycle::evaluate::Evaluation;
use lifecycle::source::Sources;

use crate::args::Check;
use crate::baseline::BaselineFile;
use crate::failure::{Failure, Outcome};
use crate::io::disk::{FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::{self, Base, LoadedModel, Side};
use crate::parallel::in_parallel;
use crate::report_output::OutputFile;
use crate::terminal::Terminal;

use run::Run;
use schemas::ModelSchemas;

pub fn check(arguments: &Check, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (name, tree) = model_files::find(arguments.model.choice())?;
    let (head, base) = read(&name, &tree, arguments)?;
    let LoadedModel { files, evaluated } = head;
    files.list(terminal);
    let baseline_file = find_baseline(arguments, &name, &tree)?;
    let schemas = match &evaluated {
        Ok(evaluation) if arguments.remove.is_empty() => ModelSchemas::read(evaluation, &name, base.as_ref())?,
        _ => ModelSchemas::default(),
    };
    let inputs = files.texts().chain(texts_of(base.as_ref()));
    let inputs = inputs.chain(baseline_file.text()).chain(schemas.texts());
    let inputs: Vec<&str> = inputs.map(|text| text.name.as_str()).collect();
    let outputs = OutputFile::parse_all(&arguments.output, &inputs)?;
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let run = Run {
        arguments,
        name: &name,
        files: &files,
        outputs: &outputs,
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
    if let (Some(named), Some(base)) = (&arguments.base, &base) {
        compare(&mut evaluation, named, base, &mut sources, terminal);
    }
    let errors = schemas.errors(&mut sources);
    if !errors.is_empty() {
        return run.abort(&errors, &sources, terminal);
    }
    let named = arguments.base.as_deref();
    schemas.add_to(&mut evaluation, named, base.as_ref(), &mut sources, terminal)?;
    if arguments.write_baseline {
        baseline_file.write(evaluation.findings(), arguments.fail_on, origin(&name), terminal)?;
        return Ok(Outcome::Clean);
    }
    if let (Some(text), Some(baseline)) = (baseline_file.text(), &baseline) {
        evaluation.set_aside(&text.name, baseline);
    }
    let mut report = evaluation.report(&sources);
    let outcome = run.print(&mut report, &sources, &evaluation, terminal);
    std::mem::forget(report);
    std::mem::forget((evaluation, base));
    outcome
}

/// The texts of the base's model, if it has one.
fn texts_of(base: Option<&Base>) -> impl Iterator<Item = &FileText> {
    let base = base.and_then(Base::model);
    base.into_iter().flat_map(|base| base.loaded.files.texts())
}

fn find_baseline(arguments: &Check, model: &str, tree: &FileTree) -> Result<BaselineFile, Failure> {
    let has_folder = model != STANDARD_INPUT && matches!(tree, FileTree::Disk);
    let folder = Path::new(model).parent().filter(|_| has_folder);
    let named = arguments.baseline.as_deref();
    BaselineFile::find(Finder::Check, named, folder, arguments.write_baseline)
}

/// The name of a model without a folder.
fn origin(model: &str) -> &'static str {
    if model == STANDARD_INPUT {
        "a model from standard input"
    } else {
        "a built-in model"
    }
}

/// Reads the model, and at the same time its base.
fn read(name: &str, tree: &FileTree, arguments: &Check) -> Result<(LoadedModel, Option<Base>), Failure> {
    let options = &arguments.model.policy;
    let Some(base) = arguments.base.as_deref() else {
        return Ok((LoadedModel::read(name, tree, options, Side::Head)?, None));
    };
    // A repository cannot move to another thread, so that the tree is made there.
    let built_in = tree.built_in();
    let (head, base) = in_parallel(
        || {
            let tree = built_in.map_or(FileTree::Disk, FileTree::BuiltIn);
            LoadedModel::read(name, &tree, options, Side::Head)
        },
        || Base::read(base, name, options),
    );
    let base = base?;
    Ok((head?, Some(base)))
}

/// Compares the model with its base.
fn compare<'s>(
    evaluation: &mut Evaluation,
    named: &str,
    base: &'s Base,
    sources: &mut Sources<'s>,
    terminal: &Terminal,
) {
    match base {
        Base::Missing => evaluation.base_is_missing(named),
        Base::Unreadable(reason) => evaluation.base_is_unreadable(named, reason),
        Base::Model(base) => {
            let LoadedModel { files, evaluated } = &base.loaded;
            files.list(terminal);
            files.add_to(sources);
            match evaluated {
                Ok(before) => evaluation.compare_with(named, before),
                Err(errors) => {
                    evaluation.base_is_unreadable(named, &Failure::from_diagnostics(errors, sources).message);
                }
            }
        }
    }
}
