//! `lifecycle init`: a first model of a project, with a baseline, from what its repository has.

mod find;
mod import;
mod report;
mod states;
mod update;

use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::baseline::{Baseline, Finder};
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{DEFAULT_POLICY, Evaluation};
use lifecycle::import::{Notice, write};
use lifecycle::render::schemas::schema_named;

use crate::args::{Init, PolicyOptions};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::io::tree::FileTree;
use crate::io::write::{take_back, write_whole};
use crate::model_files::{LoadedModel, Side};
use crate::policy_files::ensure_found;
use crate::summary::counted;
use crate::terminal::Terminal;

use super::import::notices;
use find::Survey;
use import::Model;
use states::States;
use update::{MODEL, NextImport};

const BASELINE: &str = "lifecycle-baseline.toml";

/// The schema of the model, for editors.
const SCHEMA: &str = "lifecycle.schema.json";

/// What stands in a model of a project in which nothing was found: an element, since a model has one at least.
const EXAMPLE: &str = "
# Nothing to import was found. Replace this by what you ship; `lifecycle explain model` has every key.
[cli.PROGRAM]
audience = \"user\"
[cli.PROGRAM.flag]
\"--help\" = { introduced = \"FIRST\" }
";

pub fn init(arguments: &Init, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let folder = Path::new(&arguments.folder);
    refuse_existing(folder)?;
    if !arguments.yes && !terminal.can_ask() {
        let error = Failure::new("init asks before it writes, and there is no terminal to ask on");
        return Err(error.help("give --yes to take what is found"));
    }
    let states = States::of(&arguments.folder, &arguments.tags, disk)?;
    let survey = Survey::of(&states)?;
    let model = Model::of(&states, &survey)?;
    let all = model.notices.iter().cloned();
    let (important, remarks): (Vec<_>, Vec<_>) = all.partition(|notice| notice.topic.is_important());
    notices::show(&important, terminal);
    terminal.answer(&report::found(&states, &survey, &model));
    for notice in &model.left_out {
        terminal.detail(&shown(notice));
    }
    show_remarks(&remarks, terminal);
    let policy = policy(arguments, terminal)?;
    ensure_found(&policy, folder)?;
    let path = name_in(folder, MODEL);
    if !arguments.yes && !terminal.agrees(&format!("Write {path}?"))? {
        terminal.answer("Nothing was written.\n");
        return Ok(Outcome::Clean);
    }
    write_whole(disk, &path, text(&policy, &model, folder).as_bytes())?;
    write_schema(folder, disk)?;
    let evaluation = match evaluated(&path, disk) {
        Ok(evaluation) => evaluation,
        Err(failure) => {
            // What cannot be read would keep the next attempt from writing.
            take_back(&path)?;
            return Err(failure);
        }
    };
    let shipped: Vec<&Diagnostic> = evaluation
        .findings()
        .iter()
        .filter(|found| report::is_history(found))
        .collect();
    let is_recorded = !shipped.is_empty()
        && (arguments.yes
            || terminal.agrees(&format!(
                "Record {} findings about releases that have shipped in a baseline?",
                shipped.len()
            ))?);
    if is_recorded {
        let text = Baseline::write(Finder::Check, shipped.iter().copied());
        write_whole(disk, &name_in(folder, BASELINE), text.as_bytes())?;
    }
    let recorded = is_recorded.then_some(shipped.len());
    let next = NextImport::of(&states, &survey);
    terminal.answer(&report::written(&path, &policy, recorded, &evaluation, next.as_ref()));
    Ok(Outcome::Clean)
}

/// The policy that is named, or else the answer.
fn policy(arguments: &Init, terminal: &mut Terminal) -> Result<String> {
    if let Some(policy) = &arguments.policy {
        return Ok(policy.clone());
    }
    if arguments.yes {
        return Ok(DEFAULT_POLICY.to_owned());
    }
    let question = format!("Policy, as `lifecycle policies` lists them [{DEFAULT_POLICY}]:");
    let answer = terminal.ask(&question)?;
    Ok(if answer.is_empty() {
        DEFAULT_POLICY.to_owned()
    } else {
        answer
    })
}

/// Writes the schema that the model names, unless it is there.
fn write_schema(folder: &Path, disk: &Disk) -> Result<()> {
    let is_there = folder.join(SCHEMA).symlink_metadata().is_ok();
    match schema_named("model").filter(|_| !is_there) {
        Some(schema) => write_whole(disk, &name_in(folder, SCHEMA), schema.text.as_bytes()),
        None => Ok(()),
    }
}

fn shown(notice: &Notice) -> String {
    format!("{}{}", notice.topic.prefix(), notice.text)
}

/// Shows what is worth a look later: how much it is, or with `--verbose` all of it.
fn show_remarks(remarks: &[Notice], terminal: &mut Terminal) {
    let texts: Vec<String> = remarks.iter().map(shown).collect();
    if !texts.is_empty() {
        terminal.note_count(&counted(texts.len(), "remark"), "", &texts);
    }
}

/// The path of a file in a folder, without a leading `./`.
fn name_in(folder: &Path, file: &str) -> String {
    let path: PathBuf = folder.components().collect();
    let path = if path == Path::new(".") { PathBuf::new() } else { path };
    path.join(file).to_string_lossy().into_owned()
}

fn refuse_existing(folder: &Path) -> Result<()> {
    if !folder.is_dir() {
        let error = Failure::new(format!("{}: this is not a folder", folder.display()));
        return Err(error.help("name the folder of the project"));
    }
    for file in [MODEL, BASELINE] {
        let path = folder.join(file);
        if path.symlink_metadata().is_ok() {
            let error = Failure::new(format!("{} exists; init overwrites nothing", name_in(folder, file)));
            return Err(error.help(match file {
                MODEL => "check it with `lifecycle check`, or add what is new with `lifecycle import … --update`",
                _ => "delete it, or move it away, if it belongs to no model",
            }));
        }
    }
    Ok(())
}

/// The text of the model: the policy, then what was imported.
fn text(policy: &str, model: &Model, folder: &Path) -> String {
    let program = name_of(folder);
    let policy = toml::Value::String(policy.to_owned());
    let head = format!(
        "#:schema ./{SCHEMA}\n# The public surface, and when it is deprecated and removed. `lifecycle explain model` has every key.\n\
         policy = {policy}\n"
    );
    let listed: Vec<String> = model.schemas.iter().map(|path| one_line(path)).collect();
    let schemas = match listed.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let schemas = match schemas.as_str() {
        "" => String::new(),
        paths => format!(
            "# With the next line, `check --base` also reports what changes of schemas break:\n# schemas = {paths}\n"
        ),
    };
    let example = if model.is_empty() { EXAMPLE } else { "" };
    let first = model.draft.calendar.releases.keys().next();
    let first = first.map(ToString::to_string).unwrap_or_default();
    let example = example.replace("PROGRAM", &program).replace("FIRST", &first);
    format!("{head}{schemas}\n{}{example}", write(&model.draft))
}

/// A text as a string of TOML on one line, as comments have it.
fn one_line(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\U{:08x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The name of a folder, as the name of a program.
fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let name = whole.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    match name.trim_matches('-') {
        "" => "program".to_owned(),
        name => name.to_owned(),
    }
}

fn evaluated(path: &str, disk: &Disk) -> Result<Evaluation> {
    let tree = FileTree::Disk(disk.clone());
    let loaded = LoadedModel::read(path, &tree, &PolicyOptions::default(), Side::Head)?;
    let mut sources = Sources::new();
    loaded.files.add_to(&mut sources);
    loaded
        .evaluated
        .map_err(|errors| Failure::from_diagnostics(&errors, &sources))
}
