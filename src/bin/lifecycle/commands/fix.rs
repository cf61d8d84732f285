//! `lifecycle fix`: findings that have a single right fix, fixed in the files.

use lifecycle::Sources;
use lifecycle::evaluate::{Fixed, fix as apply_fixes};

use crate::args::{Format, ModelArgs, ModelChoice};
use crate::baseline::BaselineFile;
use crate::failure::{Failure, Outcome, Result};
use crate::file_edits::{Edit, content, diff, refuse_stream, write_back};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::{self, LoadedModel, Side};
use crate::summary::{counted, pointed_to};
use crate::terminal::Terminal;

pub fn fix(model: &ModelArgs, write: bool, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let policy = &model.policy;
    let choice = model.choice();
    let is_nearest = matches!(choice, ModelChoice::Nearest);
    let found = model_files::find(choice, disk);
    // What comes with the program cannot be fixed.
    let (name, tree) = found.map_err(|failure| {
        if is_nearest {
            failure.help("name one with `-m FILE`, or write one: `lifecycle init`")
        } else {
            failure
        }
    })?;
    if let FileTree::BuiltIn(built_in, _) = tree {
        let message = format!("the built-in model `{}` is no file that can be fixed", built_in.name);
        return Err(Failure::new(message).help("name the file of a model: lifecycle fix -m FILE"));
    }
    if write {
        refuse_stream(&name, "lifecycle fix --write -")?;
    }
    let LoadedModel { files, .. } = LoadedModel::read(&name, &tree, policy, Side::Head)?;
    files.list(terminal);
    let fixed = apply_fixes(files.model_texts(), |texts| files.evaluate_instead(texts, policy));
    let fixed = match fixed {
        Ok(fixed) => fixed,
        Err(errors) => {
            let mut sources = Sources::new();
            files.add_to(&mut sources);
            return input_errors::report(&errors, &sources, Format::Table, terminal);
        }
    };
    let edits = files.changed(&fixed.texts);
    if write {
        let on_disk = edits.iter().filter(|(before, _)| before.name != STANDARD_INPUT);
        write_back(&on_disk.copied().collect::<Vec<Edit<'_>>>(), disk)?;
        if let (STANDARD_INPUT, Some(before), Some(after)) = (name.as_str(), files.models.first(), fixed.texts.first())
        {
            terminal.answer(&content(before, after));
        }
    } else {
        for edit in &edits {
            terminal.answer(&diff(*edit, terminal.is_terminal()));
        }
    }
    let baseline = BaselineFile::of_model(&name, &tree, (None, false), disk)?;
    let changed = edits.len();
    summarize(fixed, &baseline, (changed, write), terminal)?;
    Ok(Outcome::of_findings(!write && changed > 0))
}

/// How much was fixed, and what is left as `check` counts it.
fn summarize(
    mut fixed: Fixed,
    baseline: &BaselineFile,
    (files, write): (usize, bool),
    terminal: &mut Terminal,
) -> Result<()> {
    let findings = counted(fixed.fixed.len(), "finding");
    let files = counted(files, "file");
    terminal.note(&match (fixed.fixed.len(), write) {
        (0, _) if !fixed.left.is_empty() => "nothing was fixed".to_owned(),
        (0, _) => "nothing to fix".to_owned(),
        (_, true) => format!("fixed {findings} in {files}"),
        (1, false) => format!("{findings} can be fixed in {files}; --write fixes it"),
        (_, false) => format!("{findings} can be fixed in {files}; --write fixes them"),
    });
    for finding in &fixed.left {
        let (rule, code, message) = (finding.rule, &finding.code, &finding.message);
        terminal.note(&format!(
            "not fixed, because that would cause others as severe: {rule}:{code}: {message}"
        ));
    }
    let mut sources = Sources::new();
    if baseline.mark(&mut fixed.evaluation, &mut sources)?.is_err() {
        terminal.note("the baseline cannot be read; `lifecycle check` says why");
    }
    let report = fixed.evaluation.report(&sources);
    if !report.diagnostics.is_empty() {
        let rest = pointed_to(&report, |words| fixed.evaluation.command_line(words));
        terminal.note(&format!("remaining: {rest}"));
    }
    Ok(())
}
