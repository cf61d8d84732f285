//! A derivation as text: each event, the obligations on it, and which one decides its release.

mod alike;
mod kinds;
mod steps;

use std::fmt::Write as _;

use crate::report::Derivation;

use super::wrap::hanging;
use super::{Style, visible, words};

/// The derivation as indented text. `→` marks the obligation that decides, or that sets the earliest legal release of a
/// declared event. Unless all are asked for, kinds of a version whose events have equal reasons are together, and of
/// many obligations that read the same, only one is explained.
pub fn derivation(derivation: &Derivation<'_>, all: bool, style: Style) -> String {
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
    if let Some(owner) = derivation.owner {
        let _ = writeln!(text, "owned by {}", visible(owner));
    }
    if all {
        for event in &derivation.events {
            steps::write_event(&mut text, derivation.element, event);
        }
    } else {
        kinds::write_folded(&mut text, derivation);
    }
    fitted(&text, usize::from(style.width))
}

/// Lines that are wider than the terminal, broken between words; what follows is indented a little more.
fn fitted(text: &str, width: usize) -> String {
    let mut fitted = String::new();
    for line in text.lines() {
        let margin = line.chars().take_while(|c| *c == ' ' || *c == '→').count();
        hanging(line, width, margin + 2, &mut fitted);
    }
    fitted
}
