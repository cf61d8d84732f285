//! `lifecycle fix`: findings that have a single right fix, fixed in the files.

use lifecycle::Sources;
use lifecycle::evaluate::{Fixed, fix as apply_fixes};

use crate::args::{Format, ModelFile, PolicyOptions};
use crate::failure::{Outcome, Result};
use crate::file_edits::{Edit, content, diff, refuse_stream, write_back};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::model_files::{self, LoadedModel, Side};
use crate::summary::counted;
use crate::terminal::Terminal;

pub fn fix(
    model: &ModelFile,
    policy: &PolicyOptions,
    write: bool,
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    let (name, tree) = model_files::find(model.choice(), disk)?;
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
    summarize(&fixed, edits.len(), write, terminal);
    Ok(Outcome::of_findings(!write && !edits.is_empty()))
}

fn summarize(fixed: &Fixed, files: usize, write: bool, terminal: &mut Terminal) {
    let findings = counted(fixed.fixed.len(), "finding");
    let files = counted(files, "file");
    terminal.note(&match (fixed.fixed.len(), write) {
        (0, _) => "nothing to fix".to_owned(),
        (_, true) => format!("fixed {findings} in {files}"),
        (_, false) => format!("{findings} can be fixed in {files}; --write fixes them"),
    });
    for finding in &fixed.left {
        let message = &finding.message;
        terminal.note(&format!("not fixed, because the fix would cause new errors: {message}"));
    }
    let rest = fixed.evaluation.findings().len() - fixed.left.len();
    if rest > 0 {
        terminal.note(&format!(
            "{} remaining; run `lifecycle check` for details",
            counted(rest, "finding")
        ));
    }
}
