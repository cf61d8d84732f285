//! Deprecations: announced, without an end in sight.

use crate::evaluate::{Evaluation, NEVER_HELP, never_deprecated};
use crate::model::{ElementId, EventKind, Model};
use crate::plan::fixed;
use crate::release::{DateKind, Release};
use crate::report::Moment;

use super::Unproposable;
use super::draft::Draft;
use super::removal::{announce, begun, ended, named, own_path};
use super::settle::Inputs;

/// The only step of a deprecation.
pub(super) fn deprecation(inputs: &Inputs<'_>) -> Result<Draft, Unproposable> {
    let model = inputs.base.model();
    let id = inputs.request.element;
    let element = named(model, id)?;
    let open = not_deprecated(inputs.base, element)?;
    if let Some(kept) = open.iter().find_map(|part| model.keeps(*part)) {
        return Err(Unproposable::new(never_deprecated(model.id(kept)), NEVER_HELP));
    }
    let from = begun(model, &open).map_or(inputs.from, |begun| inputs.from.max(begun));
    let (path, others) = own_path(inputs, element);
    let mut draft = Draft {
        element: id.to_owned(),
        bare: others,
        ..Draft::default()
    };
    announce(inputs, &mut draft, (element, &path), from);
    Ok(draft)
}

/// Why no deprecation is proposed of what has one in every part, the last of them in a release.
fn deprecated_already(model: &Model, element: ElementId, last: Release) -> Unproposable {
    let (id, name) = (model.id(element), model.calendar.name(last));
    let message = if last < model.calendar.next() {
        format!("{id} is already deprecated in {name}")
    } else {
        format!("the model already declares that {id} is deprecated in {name}")
    };
    let mut parts = model.served_by(element).into_iter();
    let ends = parts.all(|part| {
        let removed = model.last_event(part, EventKind::Removed);
        model.find_declared(removed).is_some()
    });
    let help = if ends {
        format!("`{}` shows its steps", model.command_line(&format!("why \"{id}\"")))
    } else {
        let plans = model.command_line(&format!("propose removal \"{id}\""));
        format!("`{plans}` plans its end")
    };
    Unproposable::new(message, help)
}

/// The element, or those of the kinds it consists of that are neither deprecated nor removed: at least one.
fn not_deprecated(base: &Evaluation, element: ElementId) -> Result<Vec<ElementId>, Unproposable> {
    let model = base.model();
    let id = model.id(element);
    let mut open = model.served_by(element);
    let mut last = Release(0);
    open.retain(|part| {
        let deprecated = fixed(model, model.last_event(*part, EventKind::Deprecated));
        last = last.max(deprecated.unwrap_or(last));
        deprecated.is_none()
    });
    if open.is_empty() {
        return Err(deprecated_already(model, element, last));
    }
    let ends = open.iter().map(|part| ended(base, *part));
    let ends: Option<Vec<Release>> = ends.collect();
    let shipped = ends
        .and_then(|ends| ends.into_iter().max())
        .filter(|end| *end < model.calendar.next());
    match shipped {
        Some(end) => {
            let message = format!("{id} is already removed in {}", model.calendar.name(end));
            Err(Unproposable::new(message, "name an element that is still there"))
        }
        None => Ok(open),
    }
}

/// What a deprecation leads to: when the element may be removed, and when it must be.
pub(super) fn outlook(evaluation: &Evaluation, id: &str) -> Vec<String> {
    let elements = evaluation.elements();
    let Some(own) = elements.iter().find(|element| element.id == id) else {
        return Vec::new();
    };
    let removed = own.removed.filter(|removed| removed.declared == Some(true));
    let may = match (removed, own.earliest_removal, &own.never_before_major) {
        (Some(removed), ..) => format!("its removal is declared for {}", when(removed)),
        (None, Some(earliest), _) => format!("it may be removed in {} at the earliest", when(earliest)),
        (None, None, Some(major)) => format!("it is not removed before {major}, which the calendar does not have yet"),
        (None, None, None) => "the calendar does not show when it may be removed".to_owned(),
    };
    let must = own
        .removal_due
        .map(|due| format!("its removal is due in {}", when(due)));
    std::iter::once(may).chain(must).collect()
}

fn when(moment: Moment<'_>) -> String {
    match (moment.date, moment.date_kind) {
        (Some(date), DateKind::Projected) => format!("{} (projected {date})", moment.release),
        (Some(date), _) => format!("{} ({date})", moment.release),
        (None, _) => moment.release.to_owned(),
    }
}
