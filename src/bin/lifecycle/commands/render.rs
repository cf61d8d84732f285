//! `lifecycle render`: the surface over the releases as a picture.

use std::io::Write;

use lifecycle::evaluate::Evaluation;
use lifecycle::report::PictureReport;

use crate::args::{Format, Render};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::io::write::write_whole;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

/// The most rows of a picture: a browser needs gigabytes for more, and so does drawing.
const MOST_ROWS: usize = 40_000;

pub fn render(arguments: &Render, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let errors = match arguments.output {
        None => Format::of_errors(arguments.format.name),
        Some(_) => Format::Table,
    };
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: arguments.filter.filter(),
        evidence: &arguments.evidence.evidence,
        shows_findings: true,
        format: errors,
    };
    with_elements(disk, &asked, terminal, |context| draw(context, arguments, disk))
}

fn draw(context: &mut Context<'_>, arguments: &Render, disk: &Disk) -> Result<Outcome> {
    if let Some(output) = &arguments.output {
        let evidence: Vec<&str> = arguments.evidence.evidence.iter().map(String::as_str).collect();
        context.refuse_inputs(output, &evidence, disk)?;
    }
    refuse_large(context.evaluation.selected().count())?;
    let mut picture = context.evaluation.picture(context.sources);
    clip(&mut picture, arguments, context.evaluation)?;
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
    Ok(Outcome::of_findings(context.evaluation.has_contradiction()))
}

/// Keeps the releases that the arguments name.
fn clip(picture: &mut PictureReport<'_>, arguments: &Render, evaluation: &Evaluation) -> Result<()> {
    let first = position(picture, "--from", arguments.from.as_deref(), evaluation)?;
    let last = position(picture, "--to", arguments.to.as_deref(), evaluation)?;
    if let Some((first, last)) = first.zip(last).filter(|(first, last)| first > last) {
        let [first, last] = [first, last].map(|at| picture.releases[at].release);
        return Err(
            Failure::new(format!("--from {first} is after --to {last}")).help("write the earlier release first")
        );
    }
    if first.is_some() || last.is_some() {
        picture.clip(
            first.unwrap_or(0),
            last.unwrap_or(picture.releases.len().saturating_sub(1)),
        );
    }
    Ok(())
}

/// The position of a release that an option names.
fn position(
    picture: &PictureReport<'_>,
    option: &str,
    name: Option<&str>,
    evaluation: &Evaluation,
) -> Result<Option<usize>> {
    let Some(name) = name else { return Ok(None) };
    let help = "name a release of the calendar";
    let unknown = evaluation
        .find_covered(name)
        .map_err(|problem| Failure::new(format!("{option}: {problem}")).help(help));
    let release = evaluation.model().calendar.name(unknown?);
    let at = picture.releases.iter().position(|known| known.release == release);
    at.map(Some).ok_or_else(|| {
        let last = picture.releases.last().map_or("", |last| last.release);
        Failure::new(format!("{option} {name}: the picture ends in {last}")).help(help)
    })
}

fn refuse_large(rows: usize) -> Result<()> {
    if rows <= MOST_ROWS {
        return Ok(());
    }
    let message = format!("the picture would have {rows} rows, one per element, more than {MOST_ROWS}");
    Err(Failure::new(message).help("draw a part: `--group NAME` or `--state open`"))
}
