//! `lifecycle render`: the surface over the releases as a picture.

use std::io::Write;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::report::PictureReport;

use crate::args::{Format, Render};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::io::write::{refuse_input, write_whole};
use crate::terminal::Terminal;
use crate::with_model::{Context, with_model};

const MOST_GROUPS: usize = 12;

/// The most rows of a picture: a browser needs gigabytes for more, and so does drawing.
const MOST_ROWS: usize = 40_000;

pub fn render(arguments: &Render, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let model = &arguments.model;
    let errors = match arguments.output {
        None => Format::of_errors(arguments.format.name),
        Some(_) => Format::Table,
    };
    with_model(disk, model.choice(), &model.policy, errors, terminal, |context| {
        draw(context, arguments, disk)
    })
}

fn draw(context: &mut Context<'_>, arguments: &Render, disk: &Disk) -> Result<Outcome> {
    if let Some(output) = &arguments.output {
        let inputs: Vec<&str> = context.files.texts().map(|text| text.name.as_str()).collect();
        refuse_input(disk, "--output", (output, output), &inputs)?;
    }
    if arguments.group.is_empty() {
        refuse_large(context.evaluation.model().elements().len())?;
    }
    let mut picture = context.evaluation.picture(context.sources);
    keep_groups(&mut picture, &arguments.group)?;
    refuse_large(picture.groups.iter().map(|group| group.rows.len()).sum())?;
    let mut drawn = Vec::new();
    let note = (arguments.format.write)(&picture, &mut drawn)
        .map_err(|error| Failure::new(format!("cannot draw the picture: {error}")))?;
    match &arguments.output {
        Some(output) => {
            write_whole(disk, output, &drawn)?;
            context.terminal.detail(&format!("written: {output}"));
        }
        None => context.terminal.write(|out| out.write_all(&drawn)),
    }
    if let Some(note) = note {
        context.terminal.note(&note);
    }
    let mut findings = context.evaluation.findings().iter();
    Ok(Outcome::of_findings(
        findings.any(|finding| finding.rule == "contradiction"),
    ))
}

fn keep_groups(picture: &mut PictureReport<'_>, names: &[String]) -> Result<()> {
    for name in names {
        let known: Vec<&str> = picture.groups.iter().map(|group| group.group.as_str()).collect();
        if !known.contains(&name.as_str()) {
            let some = &known[..known.len().min(MOST_GROUPS)];
            let more = if known.len() > some.len() { ", …" } else { "" };
            let help = did_you_mean(name, known.iter().copied())
                .unwrap_or_else(|| format!("groups: {}{more}", some.join(", ")));
            return Err(Failure::new(format!("--group {name}: there is no such group")).help(help));
        }
    }
    if !names.is_empty() {
        picture.groups.retain(|group| names.contains(&group.group));
    }
    Ok(())
}

fn refuse_large(rows: usize) -> Result<()> {
    if rows <= MOST_ROWS {
        return Ok(());
    }
    let message = format!("the picture would have {rows} rows, one per element, more than {MOST_ROWS}");
    Err(Failure::new(message).help("draw some groups only: `--group NAME`, which may be repeated"))
}
