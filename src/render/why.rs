//! A derivation in words: each event, what bears on it, and which obligation decides.

use std::fmt::Write as _;

use crate::release::DateKind;
use crate::report::{Derivation, EventDerivation, Moment, StepReport};

use super::visible;

/// The derivation as indented text. The deciding obligation is marked with `→`.
pub fn derivation(derivation: &Derivation<'_>) -> String {
    let mut text = format!("{} ({})\n", visible(&derivation.element), derivation.stability);
    for event in &derivation.events {
        write_event(&mut text, &derivation.element, event);
    }
    text
}

fn write_event(text: &mut String, element: &str, event: &EventDerivation<'_>) {
    let own = event.event.strip_prefix(element).map(str::trim_start);
    let name = own.filter(|rest| !rest.contains(' ')).unwrap_or(&event.event);
    let when = match event.moment {
        Some(moment) => self::moment(moment),
        None => "not declared and not planned".to_owned(),
    };
    let origin = match (event.origin, &event.place) {
        ("declared", Some(place)) => format!(", declared at {}:{}:{}", place.file, place.line, place.column),
        ("open", _) => String::new(),
        (origin, _) => format!(", {origin}"),
    };
    let _ = writeln!(text, "\n  {} {when}{origin}", visible(name));
    for step in &event.steps {
        write_step(text, step);
    }
}

fn write_step(text: &mut String, step: &StepReport<'_>) {
    let mark = if step.binding { "→" } else { " " };
    let number = step.number.map_or_else(String::new, |number| format!(" #{number}"));
    let side = match step.demand {
        "not-before" => "not before",
        "not-after" => "not after",
        other => other,
    };
    let bound = match step.bound {
        Some(bound) => format!(" {}", moment(bound)),
        None if step.demand.starts_with("not-") => ": not in sight".to_owned(),
        None => String::new(),
    };
    let binding = if step.binding { "  [binding]" } else { "" };
    let _ = writeln!(
        text,
        "  {mark} {side}{bound}{binding}\n      {}{number}: {}",
        step.rule,
        visible(&step.text)
    );
}

fn moment(moment: Moment<'_>) -> String {
    let least = if moment.at_least { " or later" } else { "" };
    match (moment.date, moment.date_kind) {
        (Some(date), DateKind::Projected) => format!("{}{least} (projected {date})", moment.release),
        (Some(date), _) => format!("{}{least} ({date})", moment.release),
        (None, _) => format!("{}{least}", moment.release),
    }
}
