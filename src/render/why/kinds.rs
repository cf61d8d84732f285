//! The kinds of a version in its derivation: those whose events have equal reasons together.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::grammar::rest_within;
use crate::release::DateKind;
use crate::report::{DemandKind, Derivation, EventDerivation, Origin, StepReport};

use super::super::visible;
use super::alike::reached;
use super::steps::{head, when, write_shortened, write_step};

/// What stands for the name of each kind in reasons that are equal but for it.
const ANY_KIND: &str = "KIND";

/// The events of a version, those of its last life first, each followed by the same event of its kinds; then those that
/// the obligations on these count from, as far as they are explained.
pub(super) fn write_folded(text: &mut String, derivation: &Derivation<'_>) {
    let version = derivation.element;
    let mut kinds: Vec<&str> = derivation
        .events
        .iter()
        .filter_map(|event| kind_of(version, event))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let (mut left, events): (Vec<_>, Vec<_>) = derivation
        .events
        .iter()
        .partition(|event| kind_of(version, event).is_some());
    let (mut events, others): (Vec<_>, Vec<_>) = events
        .into_iter()
        .partition(|event| event.event.element == version && !kinds.is_empty());
    // What can still be decided is in the last life, and not in a gap between kinds.
    events.sort_by_key(|event| {
        let is_over = event.origin == Origin::Implied && has_happened(event);
        (Reverse(event.event.life), is_over)
    });
    for (at, event) in events.iter().copied().enumerate() {
        // Kinds whose event has no counterpart are listed with the last one of the version.
        let mut later = events.iter().skip(at + 1);
        let is_last = !later.any(|later| later.event.what == event.event.what);
        head(text, version, event);
        write_steps(text, event, &kinds);
        let (own, others): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|part| part.event.what == event.event.what && (is_last || release(part) == release(event)));
        left = others;
        for group in alike(version, &own, &kinds) {
            write_kinds(text, version, Some(event), &group, &kinds);
        }
    }
    // What happens to kinds only.
    while let Some(what) = left.first().map(|event| event.event.what) {
        let _ = writeln!(text, "\n  {what}");
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|part| part.event.what == what);
        left = others;
        for group in alike(version, &own, &kinds) {
            write_kinds(text, version, None, &group, &kinds);
        }
    }
    let reached = reached(derivation, |event| {
        event.event.element == version || kind_of(version, event).is_some()
    });
    for event in others.into_iter().filter(|event| reached.contains(&event.event)) {
        write_shortened(text, version, event);
    }
}

fn release<'a>(event: &EventDerivation<'a>) -> Option<&'a str> {
    event.moment.map(|moment| moment.release)
}

fn kind_of<'a>(version: &str, event: &EventDerivation<'a>) -> Option<&'a str> {
    let rest = rest_within(event.event.element, version)?;
    rest.strip_prefix(' ').filter(|kind| !kind.is_empty())
}

/// Events that read the same, but for the names of kinds; those that have happened last.
fn alike<'e, 'a>(
    version: &str,
    events: &[&'e EventDerivation<'a>],
    kinds: &[&str],
) -> Vec<(String, Vec<&'e EventDerivation<'a>>)> {
    let mut groups: Vec<(String, Vec<&'e EventDerivation<'a>>)> = Vec::new();
    for event in events {
        let name = kind_of(version, event).unwrap_or_default();
        let mut own = format!("{} {}", event.event.life, when(event));
        for step in telling(event) {
            write_step(&mut own, step, event.origin);
        }
        let own = of_any(&own, kinds, Some(name));
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, events)) => events.push(event),
            None => groups.push((own, vec![event])),
        }
    }
    groups.sort_by_key(|(_, events)| events.iter().all(|event| has_happened(event)));
    groups
}

fn has_happened(event: &EventDerivation<'_>) -> bool {
    event.moment.is_some_and(|moment| moment.date_kind == DateKind::Actual)
}

/// The obligations on an event of a kind, without bounds that have passed and decide nothing: among many kinds, each
/// would have its own. `why` of the kind alone has them all.
fn telling<'e, 'a>(event: &'e EventDerivation<'a>) -> impl Iterator<Item = &'e StepReport<'a>> {
    let is_decided = event.steps.iter().any(|step| step.binding);
    event.steps.iter().filter(move |step| {
        let has_passed = step.bound.is_some_and(|bound| bound.date_kind == DateKind::Actual);
        !(is_decided && has_passed && step.met && !step.binding && step.demand == DemandKind::NotBefore)
    })
}

/// A group of kinds, when their event is if not with that of the version, and the obligations on them.
fn write_kinds(
    text: &mut String,
    version: &str,
    whole: Option<&EventDerivation<'_>>,
    (_, group): &(String, Vec<&EventDerivation<'_>>),
    kinds: &[&str],
) {
    let Some(first) = group.first() else { return };
    let names: Vec<&str> = group.iter().filter_map(|event| kind_of(version, event)).collect();
    let count = if names.len() == kinds.len() && names.len() > 1 {
        format!("all {} kinds, ", names.len())
    } else {
        String::new()
    };
    let when = if whole.is_some_and(|whole| when(whole) == when(first)) {
        "with the version".to_owned()
    } else {
        when(first)
    };
    let life = match first.event.life {
        0 => String::new(),
        life => format!(" (life {})", u32::from(life) + 1),
    };
    let _ = writeln!(text, "    {count}{}: {when}{life}", visible(&names.join(", ")));
    let own = names.first().copied().filter(|_| names.len() > 1);
    for step in telling(first) {
        let mut lines = String::new();
        write_step(&mut lines, step, first.origin);
        let lines = match own {
            Some(own) => of_any(&lines, kinds, Some(own)),
            None => lines,
        };
        for line in lines.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
}

/// The obligations on a version, those that differ in the names of kinds once.
fn write_steps(text: &mut String, event: &EventDerivation<'_>, kinds: &[&str]) {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for step in &event.steps {
        let mut lines = String::new();
        write_step(&mut lines, step, event.origin);
        let own = of_any(&lines, kinds, None);
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, steps)) => steps.push(lines),
            None => groups.push((own, vec![lines])),
        }
    }
    for (common, steps) in groups {
        match steps.as_slice() {
            [only] => text.push_str(only),
            steps => {
                let named = kinds.iter().filter(|kind| steps.iter().any(|step| names(step, kind)));
                let named: Vec<&str> = named.copied().collect();
                let _ = writeln!(
                    text,
                    "{} ({ANY_KIND}: {})",
                    common.trim_end(),
                    visible(&named.join(", "))
                );
            }
        }
    }
}

/// A text about a kind as one about any: the kind that follows a version is replaced.
fn of_any(text: &str, kinds: &[&str], own: Option<&str>) -> String {
    let mut after_version = false;
    let words = text.split(' ').map(|word| {
        let name = bare(word);
        let is_kind = after_version && own.map_or_else(|| kinds.contains(&name), |own| own == name);
        after_version = word.contains('/');
        if is_kind {
            word.replace(name, ANY_KIND)
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn names(text: &str, kind: &str) -> bool {
    text.split(' ').any(|word| bare(word) == kind)
}

/// A word without what is around it: `Scale` of "`Scale`,".
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
