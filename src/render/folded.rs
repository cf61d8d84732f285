//! Many changes of schemas: those that are alike together, each group on at most two lines.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::grammar::rest_within;
use crate::report::{ChangeGroup, DiffReport, DifferenceReport};

use super::alike::{self, Occurrence};
use super::words::{place, verdict};
use super::wrap::{hanging, hanging_place};
use super::{Style, visible};

/// How many changes of each severity there are, and of which codes.
pub(super) fn counts(report: &DiffReport, width: usize, text: &mut String) {
    let changes = report.changes.iter();
    alike::counts(
        changes.map(|change| (change.severity, change.code.as_str())),
        width,
        text,
    );
}

/// The groups, errors first.
pub(super) fn groups(report: &DiffReport, style: Style, text: &mut String) {
    let width = usize::from(style.width);
    for group in &report.groups {
        let changes: Vec<&DifferenceReport> = group.changes.iter().filter_map(|at| report.changes.get(*at)).collect();
        let said = if group.embedded.is_empty() {
            messages(group)
        } else {
            bump(group, &changes)
        };
        let head = format!("{}: {said} ({})", group.severity, verdict(group.writers, group.readers));
        hanging(&visible(&head), width, 4, text);
        match changes.as_slice() {
            [only] => hanging_place(&format!("  {}", place_of(only).name()), &place(only), (width, 4), text),
            _ => {
                let places: Vec<Occurrence<'_>> = changes.iter().copied().map(place_of).collect();
                let _ = writeln!(text, "{}", alike::places(group.kinds.len(), &places, width));
            }
        }
    }
}

/// Types of which a line about embedded ones says how often they changed.
const MOST_TYPES: usize = 3;

/// What happened within embedded types of Kubernetes: "the embedded core/v1 Container changed as Kubernetes changed it:
/// default-added 12, field-added 2".
fn bump(group: &ChangeGroup, changes: &[&DifferenceReport]) -> String {
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for change in changes {
        *codes.entry(change.code.as_str()).or_default() += 1;
    }
    let mut codes: Vec<(&str, usize)> = codes.into_iter().collect();
    codes.sort_by_key(|(_, count)| Reverse(*count));
    let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
    let named = group.embedded.iter().take(MOST_TYPES).map(|of| of.name.as_str());
    let mut named = named.collect::<Vec<_>>().join(", ");
    let more = group.embedded.len().saturating_sub(MOST_TYPES);
    if more > 0 {
        let _ = write!(named, " and {more} more types");
    }
    let it = if group.embedded.len() == 1 { "it" } else { "them" };
    format!(
        "the embedded {named} changed as Kubernetes changed {it}: {}",
        codes.join(", ")
    )
}

/// What happened: the words that all messages of a group begin with, and how each goes on.
fn messages(group: &ChangeGroup) -> String {
    let all = group.messages.as_slice();
    let [first, others @ ..] = all else {
        return String::new();
    };
    if others.is_empty() {
        return first.message.clone();
    }
    let mut common = first.message.as_str();
    while !others.iter().all(|other| other.message.starts_with(common)) {
        let shorter = common.trim_end().rsplit_once(' ').map_or("", |(head, _)| head);
        // The blank stays with what is common.
        common = first
            .message
            .get(..shorter.len() + 1)
            .filter(|_| !shorter.is_empty())
            .unwrap_or_default();
    }
    let tails = all.iter().map(|message| {
        let tail = message.message.get(common.len()..).unwrap_or_default();
        format!("{tail} ({})", message.places)
    });
    format!("{common}{}", tails.collect::<Vec<_>>().join(", "))
}

/// Where a change is, for people: the kind, and the version and the field.
fn place_of(change: &DifferenceReport) -> Occurrence<'_> {
    let version = change.version.as_deref().unwrap_or_default();
    let whole = match version {
        "" => format!("{} {}", change.group, change.kind),
        version => format!("{}/{version} {}", change.group, change.kind),
    };
    let below = rest_within(&change.element, &whole).unwrap_or_default();
    Occurrence {
        kind: change.kind.as_str().into(),
        below: visible(format!("{version}{below}").trim()),
    }
}
