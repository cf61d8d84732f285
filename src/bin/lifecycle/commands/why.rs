//! `why`: the derivation of an element's events.

use lifecycle::diagnostic::did_you_mean;
use lifecycle::model::{ElementId, EventKind, Model};
use lifecycle::render::{json, markdown, why};

use crate::args::Format;

use super::{Context, Failure, Outcome, page};

pub(super) fn why(
    context: &mut Context<'_>,
    element: &str,
    event: Option<&str>,
    format: Format,
) -> Result<Outcome, Failure> {
    let model = context.evaluation.model();
    let id = find_element(model, element)?;
    let only = event.map(happening).transpose()?;
    let derivation = context.evaluation.derivation(context.sources, id, only);
    match format {
        Format::Table => context.terminal.answer(&why::derivation(&derivation)),
        Format::Json => context.terminal.write(|out| json::value(&derivation, out)),
        Format::Markdown => context.terminal.answer(&page(markdown::why(&derivation))?),
    }
    Ok(Outcome::Clean)
}

/// Elements named at most where a short name fits several.
const MOST_CANDIDATES: usize = 5;

/// The element with this id, or the only one whose id ends in it after its group's name: "v1beta1 Widget".
pub(super) fn find_element(model: &Model, name: &str) -> Result<ElementId, Failure> {
    if let Some(id) = model.find(name) {
        return Ok(id);
    }
    let ending = format!("/{name}");
    let fitting: Vec<(ElementId, &str)> = model
        .elements()
        .map(|(id, _)| (id, model.id(id)))
        .filter(|(_, id)| !name.is_empty() && id.ends_with(&ending))
        .take(MOST_CANDIDATES)
        .collect();
    match fitting.as_slice() {
        [(id, _)] => Ok(*id),
        [] => {
            let help = model.did_you_mean(name);
            let help = help.unwrap_or_else(|| "`lifecycle plan` lists the elements".to_owned());
            Err(Failure::new(format!("there is no element `{name}`")).help(help))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|(_, id)| *id).collect();
            Err(Failure::new(format!("`{name}` may be one of several elements")).help(ids.join(", ")))
        }
    }
}

fn happening(name: &str) -> Result<EventKind, Failure> {
    EventKind::parse(name).ok_or_else(|| {
        let known = EventKind::ALL.map(EventKind::as_str);
        let help = did_you_mean(name, known).unwrap_or_else(|| format!("events: {}", known.join(", ")));
        Failure::new(format!("there is no event `{name}`")).help(help)
    })
}
