//! A derivation as text: each event, the obligations on it, and which one decides its release.

use std::fmt::Write as _;

use crate::report::{DemandKind, Derivation, EventDerivation, EventName, LabelReport, Origin, StepReport};

use super::{visible, words};

/// The derivation as indented text. `→` marks the obligation that decides, or that sets the earliest legal release of a
/// declared event.
pub fn derivation(derivation: &Derivation<'_>) -> String {
    let mut text = format!("{} ({})\n", visible(derivation.element), derivation.stability);
    for event in &derivation.events {
        write_event(&mut text, derivation.element, event);
    }
    text
}

fn write_event(text: &mut String, element: &str, event: &EventDerivation<'_>) {
    let name = match event.event {
        EventName {
            element: own,
            what,
            life: 0,
        } if own == element => what.to_string(),
        other => other.to_string(),
    };
    let when = match &event.moment {
        Some(moment) => format!(" {}", words::moment(moment)),
        None => ": not declared and not planned".to_owned(),
    };
    let origin = match (event.origin, &event.place) {
        (Origin::Declared, Some(LabelReport { region, .. })) => {
            format!(
                ", declared at {}:{}:{}",
                region.file, region.start.line, region.start.column
            )
        }
        (Origin::Declared, None) => ", declared".to_owned(),
        (Origin::Planned, _) => ", planned".to_owned(),
        (Origin::Implied, _) => ", implied".to_owned(),
        (Origin::Open, _) => String::new(),
    };
    let _ = writeln!(text, "\n  {}{when}{origin}", visible(&name));
    for step in &event.steps {
        write_step(text, step, event.origin);
    }
}

fn write_step(text: &mut String, step: &StepReport<'_>, origin: Origin) {
    let mark = if step.binding { "→" } else { " " };
    let number = step.number.map_or_else(String::new, |number| format!(" #{number}"));
    let side = match step.demand {
        DemandKind::NotBefore => "not before",
        DemandKind::NotAfter => "by",
        DemandKind::Forbidden => "forbidden",
        DemandKind::Requires => "requires",
    };
    let bound = match (&step.bound, step.demand) {
        (Some(bound), _) => format!(" {}", words::moment(bound)),
        (None, DemandKind::NotBefore | DemandKind::NotAfter) => {
            " a release that the calendar does not have yet".to_owned()
        }
        (None, DemandKind::Forbidden | DemandKind::Requires) => String::new(),
    };
    // The model decides when a declared event happens; its bound is the earliest release that the policy allows.
    let binding = match (step.binding, origin) {
        (false, _) => "",
        (true, Origin::Declared) => "  [earliest]",
        (true, _) => "  [decides]",
    };
    let _ = writeln!(
        text,
        "  {mark} {side}{bound}{binding}\n      {}{number}: {}",
        step.rule,
        visible(&step.text)
    );
}
