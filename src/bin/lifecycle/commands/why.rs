//! `lifecycle why`: the derivation of an element's events.

use std::collections::BTreeSet;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::evaluate::Filter;
use lifecycle::model::{ElementId, EventKind, Model};
use lifecycle::render::{json, markdown, why};
use lifecycle::report::{Derivation, DerivationsReport};

use crate::args::{Format, Why};
use crate::element::find_element;
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::{Asked, Context, with_elements};

pub fn why(arguments: &Why, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let asked = Asked {
        choice: arguments.model.choice(),
        options: &arguments.model.policy,
        filter: filter(arguments),
        evidence: &[],
        shows_findings: false,
        format: arguments.format,
    };
    with_elements(disk, &asked, terminal, |context| print(context, arguments))
}

/// The elements that are explained, if it is not the one that is named.
fn filter(arguments: &Why) -> Filter {
    let mut filter = arguments.filter.filter();
    let named = arguments.element.iter();
    let is_one = filter.is_empty()
        && !arguments
            .element
            .as_deref()
            .is_some_and(|name| name.contains(['*', '?']));
    if !is_one {
        filter.elements.extend(named.cloned());
    }
    filter
}

fn print(context: &mut Context<'_>, arguments: &Why) -> Result<Outcome> {
    let evaluation = context.evaluation;
    let event = arguments.event.as_deref();
    let event = event.map(|name| event_kind(evaluation.model(), arguments.element.as_deref(), name));
    let event = event.transpose()?;
    let one = match &arguments.element {
        Some(name) if filter(arguments).is_empty() => Some(find_element(evaluation.model(), name)?),
        _ => None,
    };
    let elements: Vec<ElementId> = one.map_or_else(|| evaluation.selected().collect(), |one| vec![one]);
    let derivations = evaluation.derivations(context.sources, elements, event);
    let help = "name fewer elements, or one event";
    let mut derivations = derivations.map_err(|problem| Failure::new(problem.to_string()).help(help))?;
    let style = context.terminal.style();
    match arguments.format {
        Format::Table => {
            if !arguments.all {
                without_explained(&mut derivations);
            }
            let all = arguments.all;
            let texts = derivations.iter().map(|one| why::derivation(one, all, style));
            let texts: Vec<String> = texts.collect();
            context.terminal.answer(&texts.join("\n"));
        }
        Format::Json => match derivations.pop_if(|_| one.is_some()) {
            Some(one) => context.terminal.write(|out| json::value(&one, out)),
            None => {
                let report = DerivationsReport::new(derivations);
                context.terminal.write(|out| json::value(&report, out));
            }
        },
        Format::Markdown => {
            for derivation in &derivations {
                context.terminal.answer(&markdown::why(derivation)?);
            }
        }
    }
    Ok(Outcome::Clean)
}

/// Leaves out the kinds that are explained with their version.
fn without_explained(derivations: &mut Vec<Derivation<'_>>) {
    let explained: BTreeSet<&str> = derivations
        .iter()
        .flat_map(|one| one.events.iter().map(|event| (one.element, event.event.element)))
        .filter(|(own, part)| part.strip_prefix(own).is_some_and(|rest| rest.starts_with(' ')))
        .map(|(_, part)| part)
        .collect();
    derivations.retain(|one| !explained.contains(one.element));
}

fn event_kind(model: &Model, element: Option<&str>, name: &str) -> Result<EventKind> {
    model.event_named(name).ok_or_else(|| {
        let whole = element.map(|element| format!("{element} {name}"));
        if let Some(whole) = whole.filter(|whole| !model.find_abbreviated(whole).is_empty()) {
            return Failure::new(format!("there is no event `{name}`")).help(format!("quote the id: '{whole}'"));
        }
        let known: Vec<&str> = model.event_names().collect();
        let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| format!("events: {}", known.join(", ")));
        Failure::new(format!("there is no event `{name}`")).help(help)
    })
}
