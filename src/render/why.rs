//! A derivation as text: each event, the obligations on it, and which one decides its release.

use std::fmt::Write as _;

use crate::grammar::EventKind;
use crate::report::{DemandKind, Derivation, EventDerivation, EventName, LabelReport, Origin, StepReport};

use super::columns::wrapped;
use super::{Style, visible, words};

/// The derivation as indented text. `→` marks the obligation that decides, or that sets the earliest legal release of a
/// declared event.
pub fn derivation(derivation: &Derivation<'_>, style: Style) -> String {
    let mut text = format!("{} ({})\n", visible(derivation.element), derivation.stability);
    if let Some(other) = derivation.migrate_to.or(derivation.replacement) {
        let _ = writeln!(text, "replaced by {}", visible(other));
    }
    let earliest = match (&derivation.never_before_major, derivation.if_deprecated) {
        (Some(name), _) => Some(format!("not before {}", words::major(name))),
        (None, Some(then)) => Some(format!(
            "{}, if it is deprecated in {}",
            words::moment(&then.earliest_removal),
            then.deprecated.release
        )),
        (None, None) => derivation.earliest_removal.as_ref().map(words::moment),
    };
    if let Some(earliest) = earliest {
        let _ = writeln!(text, "earliest removal: {}", visible(&earliest));
    }
    for event in &derivation.events {
        write_event(&mut text, derivation.element, event);
    }
    fitted(&text, usize::from(style.width))
}

/// Lines that are wider than the terminal, broken between words; what follows is indented a little more.
fn fitted(text: &str, width: usize) -> String {
    let mut fitted = String::new();
    for line in text.lines() {
        let indent = line.chars().take_while(|c| *c == ' ' || *c == '→').count();
        let (start, rest) = line.split_at(line.len() - line.trim_start_matches([' ', '→']).len());
        for (at, part) in wrapped(rest, width.saturating_sub(indent + 2)).iter().enumerate() {
            let _ = match at {
                0 => writeln!(fitted, "{start}{part}"),
                _ => writeln!(fitted, "{:1$}{part}", "", indent + 2),
            };
        }
        if rest.is_empty() {
            fitted.push('\n');
        }
    }
    fitted
}

fn write_event(text: &mut String, element: &str, event: &EventDerivation<'_>) {
    let name = match event.event {
        EventName {
            element: own,
            what: EventKind::Promoted,
            ..
        } if own == element && event.more_stable == Some(false) => "changed".to_owned(),
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
    let entry = event
        .entry
        .as_deref()
        .map_or_else(String::new, |entry| format!(": {}", visible(entry)));
    let _ = writeln!(text, "\n  {}{when}{entry}{origin}", visible(&name));
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
        (true, Origin::Declared) => "  [earliest]",
        (true, _) => "  [decides]",
    };
    let _ = writeln!(
        text,
        "  {mark} {side}{bound}{missed}{binding}\n      {}{number}: {}",
        step.rule,
        visible(&step.text)
    );
}
