//! `lifecycle why`: the derivation of an element's events.

use lifecycle::diagnostic::did_you_mean;
use lifecycle::model::EventKind;
use lifecycle::render::{json, markdown, why};

use crate::args::{Format, Why};
use crate::element::find_element;
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{Context, with_model};

pub fn why(arguments: &Why, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    with_model(
        disk,
        arguments.model.choice(),
        &arguments.model.policy,
        arguments.format,
        terminal,
        |context| print(context, arguments),
    )
}

fn print(context: &mut Context<'_>, arguments: &Why) -> Result<Outcome> {
    let element = find_element(context.evaluation.model(), &arguments.element)?;
    let event = arguments.event.as_deref().map(event_kind).transpose()?;
    let derivation = context.evaluation.derivation(context.sources, element, event);
    match arguments.format {
        Format::Table => context.terminal.answer(&why::derivation(&derivation)),
        Format::Json => context.terminal.write(|out| json::value(&derivation, out)),
        Format::Markdown => context.terminal.answer(&markdown::why(&derivation)?),
    }
    Ok(Outcome::Clean)
}

fn event_kind(name: &str) -> Result<EventKind> {
    EventKind::parse(name).ok_or_else(|| {
        let known = EventKind::ALL.map(EventKind::as_str);
        let help = did_you_mean(name, known).unwrap_or_else(|| format!("events: {}", known.join(", ")));
        Failure::new(format!("there is no event `{name}`")).help(help)
    })
}
