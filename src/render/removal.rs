//! Proposed removals, for the terminal: whether each is allowed, and why not.

use std::fmt::Write as _;

use crate::report::ProposalReport;

use super::table::in_sentence;
use super::wrap::hanging;
use super::{Style, one_line, visible, words};

/// Proposed removals: the verdict, the earliest release, the reasons, and what still refers to each.
pub fn proposals(proposals: &[ProposalReport<'_>], style: Style) -> String {
    let mut text = String::new();
    for proposal in proposals {
        let verdict = if proposal.allowed { "allowed" } else { "not allowed" };
        let condition = condition(proposal);
        let also = if proposal.allowed { condition.as_str() } else { "" };
        let release = in_sentence(proposal.release);
        let _ = writeln!(text, "{} in {release}: {verdict}{also}", visible(proposal.element));
        if proposal.misses.is_some() {
            let declared = in_sentence(proposal.misses);
            let _ = writeln!(text, "  misses what was announced: removed in {declared}");
        }
        if !proposal.allowed {
            let earliest = match (&proposal.soonest, &proposal.never_before_major) {
                (_, Some(name)) => format!("not before {}", visible(&words::major(name))),
                (Some(_), None) => format!("{}{condition}", in_sentence(proposal.soonest)),
                (None, None) => "not yet known".to_owned(),
            };
            let _ = writeln!(text, "  earliest: {earliest}");
        }
        for reason in &proposal.reasons {
            let what = if proposal.allowed { "note" } else { "because" };
            let _ = writeln!(text, "  {what}: {}", visible(reason));
        }
        if let (Some(file), Some(line)) = (&proposal.file, proposal.line) {
            let _ = writeln!(text, "  declared: {}:{line}", one_line(file));
        }
        for named in &proposal.named_by {
            let place = match (&named.file, named.line) {
                (Some(file), Some(line)) => format!(" ({}:{line})", one_line(file)),
                _ => String::new(),
            };
            let (element, how) = (visible(named.element), named.how);
            let _ = writeln!(text, "  still referenced: {element} {how}{place}");
        }
        if let Some(help) = &proposal.help {
            let _ = writeln!(text, "  next step: {}", visible(help));
        }
    }
    let mut lines = String::new();
    for line in text.lines() {
        hanging(line, usize::from(style.width), 4, &mut lines);
    }
    lines
}

/// What has to be declared besides: ", if it is deprecated in 1.2, and warns (runtime) in 2.0".
fn condition(proposal: &ProposalReport<'_>) -> String {
    let announced = proposal
        .if_deprecated
        .map(|release| ("is deprecated".to_owned(), release));
    let steps = proposal
        .steps
        .iter()
        .filter_map(|step| Some((step.what.clone(), step.release?)));
    let all: Vec<String> = announced
        .into_iter()
        .chain(steps)
        .map(|(what, release)| format!("{what} in {}", release.release))
        .collect();
    match all.as_slice() {
        [] => String::new(),
        all => format!(", if it {}", visible(&all.join(", and "))),
    }
}
