//! `lifecycle what-if`: what a change moves, before anything is written.

use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;
use lifecycle::render::{json, markdown, what_if as table};
use lifecycle::report::WhatIfReport;
use lifecycle::text::LARGEST;
use lifecycle::what_if::Changes;

use crate::args::{Format, PolicyOptions, WhatIf};
use crate::failure::{Failure, Outcome, Result};
use crate::file_edits::{content, refuse_stream, write_back};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::model_files::{self, LoadedModel, Side};
use crate::policy_files::named_in;
use crate::terminal::Terminal;
use crate::with_model::select;

pub fn what_if(arguments: &WhatIf, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (name, tree) = model_files::find(arguments.model.choice(), disk)?;
    if arguments.write {
        refuse_stream(&name, "lifecycle what-if --write -")?;
    }
    // The policy is one of the changes.
    let options = PolicyOptions {
        policy: None,
        ..arguments.model.policy.clone()
    };
    let LoadedModel { files, evaluated } = LoadedModel::read(&name, &tree, &options, Side::Base)?;
    files.list(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let mut before = match evaluated {
        Ok(before) => before,
        Err(errors) => return input_errors::report(&errors, &sources, arguments.format, terminal),
    };
    let changes = changes(arguments, &name, disk)?;
    let texts = changes.apply(&before, &files.model_texts());
    let texts = texts.map_err(|problem| Failure::new(problem.message).help(problem.help))?;
    let changed = files.with_texts(&texts, &tree)?;
    changed.add_to(&mut sources);
    let mut after = match changed.evaluate(&options) {
        Ok(after) => after,
        Err(errors) => {
            terminal.warn("the changed model cannot be read:");
            return input_errors::report(&errors, &sources, arguments.format, terminal);
        }
    };
    select_in_both(&mut before, &mut after, arguments, terminal)?;
    let report = after.what_if(&sources, &before, changes.words());
    let illegal = report.counts.illegal > 0;
    let is_piped = arguments.write && name == STANDARD_INPUT;
    if !is_piped {
        print(&report, &sources, arguments, terminal)?;
    }
    if arguments.write {
        let edits = files.changed(&texts);
        if is_piped {
            for (before, after) in &edits {
                terminal.answer(&content(before, after));
            }
        } else {
            write_back(&edits, disk)?;
            let names: Vec<&str> = edits.iter().map(|(before, _)| before.name.as_str()).collect();
            terminal.note(&match names.as_slice() {
                [] => "nothing to write".to_owned(),
                names => format!("written: {}", names.join(", ")),
            });
        }
    }
    drop(report);
    std::mem::forget((before, after));
    Ok(Outcome::of_findings(illegal))
}

fn changes(arguments: &WhatIf, model: &str, disk: &Disk) -> Result<Changes> {
    let calendar = arguments.calendar.as_deref();
    let calendar = calendar.map(|file| disk.read_at_most(file, LARGEST)).transpose()?;
    let policy = arguments.model.policy.policy.as_deref();
    let patches = arguments.patch.iter().map(|file| {
        let text = disk.read_at_most(file, LARGEST)?;
        Ok((text.name, text.content))
    });
    Ok(Changes {
        declarations: arguments.set.clone(),
        slips: arguments.slip.clone(),
        only: arguments.only,
        calendar: calendar.map(|text| (text.name, text.content)),
        policy: policy.map(|policy| named_in(model, policy)),
        added: arguments.add.clone(),
        dropped: arguments.drop.clone(),
        patches: patches.collect::<Result<_>>()?,
    })
}

/// Restricts both states to the elements of a filter, which one of them may not have.
fn select_in_both(
    before: &mut Evaluation,
    after: &mut Evaluation,
    arguments: &WhatIf,
    terminal: &mut Terminal,
) -> Result<()> {
    let filter = arguments.filter.filter();
    let in_after = after.select(&filter);
    match (before.select(&filter), in_after) {
        (Err(_), Err(_)) => select(after, &filter, terminal),
        (Ok(Some(nothing)), Ok(Some(_))) => {
            terminal.note(&nothing);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn print(report: &WhatIfReport<'_>, sources: &Sources<'_>, arguments: &WhatIf, terminal: &mut Terminal) -> Result<()> {
    let style = terminal.style();
    match arguments.format {
        Format::Table => terminal.answer(&table::what_if(report, sources, arguments.all, style)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&markdown::what_if(report)?),
    }
    Ok(())
}
