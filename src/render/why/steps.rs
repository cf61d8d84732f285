//! An event of a derivation, and the obligations on it.

use std::fmt::Write as _;

use crate::grammar::EventKind;
use crate::report::{DemandKind, EventDerivation, EventName, LabelReport, Origin, StepReport};

use super::super::{visible, words};
use super::alike::shown_steps;

/// How many elements are named that stand for others.
const NAMED: usize = 3;

/// An event with every obligation on it.
pub(super) fn write_event(text: &mut String, element: &str, event: &EventDerivation<'_>) {
    head(text, element, event);
    for step in &event.steps {
        write_step(text, step, event.origin);
    }
}

/// An event with the obligations on it, those that read the same once.
pub(super) fn write_shortened(text: &mut String, element: &str, event: &EventDerivation<'_>) {
    head(text, element, event);
    for shown in shown_steps(event) {
        write_step(text, shown.step, event.origin);
        write_others(text, &shown.others);
    }
}

/// From which elements the obligations count that read the same as the one above.
pub(super) fn write_others(text: &mut String, others: &[&str]) {
    if others.is_empty() {
        return;
    }
    let named: Vec<&str> = others.iter().copied().take(NAMED).collect();
    let more = if others.len() > NAMED { ", …" } else { "" };
    let names = visible(&named.join(", "));
    let _ = writeln!(
        text,
        "      and the same of {} others: {names}{more} (each: --all)",
        others.len()
    );
}

/// What happens, when, and where that is declared.
pub(super) fn head(text: &mut String, element: &str, event: &EventDerivation<'_>) {
    let name = match event.event {
        EventName { element: own, what, .. }
            if own == element && what == EventKind::Promoted && event.more_stable == Some(false) =>
        {
            "changed".to_owned()
        }
        EventName {
            element: own,
            what,
            life: 0,
        } if own == element => what.to_string(),
        other => other.to_string(),
    };
    let when = match &event.moment {
        Some(_) => format!(" {}", when(event)),
        None => format!(": {}", when(event)),
    };
    let place = match (event.origin, &event.place) {
        (Origin::Declared, Some(LabelReport { region, .. })) => {
            format!(" at {}:{}:{}", region.file, region.start.line, region.start.column)
        }
        _ => String::new(),
    };
    let _ = writeln!(text, "\n  {}{when}{place}", visible(&name));
}

/// "1.8 (2017-09-28), declared".
pub(super) fn when(event: &EventDerivation<'_>) -> String {
    let Some(moment) = &event.moment else {
        return "not declared and not planned".to_owned();
    };
    let entry = event
        .entry
        .as_deref()
        .map_or_else(String::new, |entry| format!(": {}", visible(entry)));
    let origin = match event.origin {
        Origin::Declared => ", declared",
        Origin::Planned => ", planned",
        Origin::Implied => ", implied",
        Origin::Open => "",
    };
    format!("{}{entry}{origin}", words::moment(moment))
}

pub(super) fn write_step(text: &mut String, step: &StepReport<'_>, origin: Origin) {
    let mark = if step.binding { "→" } else { " " };
    let number = step.number.map_or_else(String::new, |number| format!(" #{number}"));
    let side = match step.demand {
        DemandKind::NotBefore => "not before",
        DemandKind::NotAfter => "by",
        DemandKind::Forbidden if step.met => "forbidden",
        DemandKind::Requires if step.met => "requires",
        DemandKind::Forbidden | DemandKind::Requires => "not met",
    };
    let missed = match (step.missed_by, step.demand) {
        (Some(by), demand) => {
            let plural = if by == 1 { "" } else { "s" };
            let side = if demand == DemandKind::NotAfter {
                "late"
            } else {
                "early"
            };
            format!(", missed: {by} release{plural} {side}")
        }
        (None, DemandKind::NotBefore | DemandKind::NotAfter) if !step.met => ", missed".to_owned(),
        (None, _) => String::new(),
    };
    let bound = match (&step.bound, step.demand) {
        (Some(bound), _) => format!(" {}", words::moment(bound)),
        _ if step.never_before_major.is_some() => {
            format!(
                " {}",
                words::major(step.never_before_major.as_deref().unwrap_or_default())
            )
        }
        (None, DemandKind::NotBefore) if step.never_before_major.is_some() => {
            let major = step.never_before_major.as_deref();
            major.map_or_else(String::new, |name| format!(" {}", words::major(name)))
        }
        (None, DemandKind::NotBefore | DemandKind::NotAfter) => {
            " a release that the calendar does not have yet".to_owned()
        }
        (None, DemandKind::Forbidden | DemandKind::Requires) => String::new(),
    };
    // The model decides when a declared event happens; its bound is the earliest release that the policy allows.
    let binding = match (step.binding, origin) {
        (false, _) => "",
        (true, Origin::Declared) => "  [the earliest release]",
        (true, _) => "  [decides the release]",
    };
    let _ = writeln!(
        text,
        "  {mark} {side}{bound}{missed}{binding}\n      {}{number}: {}",
        step.rule,
        visible(&step.text)
    );
}
