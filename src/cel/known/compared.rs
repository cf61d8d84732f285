//! Comparison of values of which something is known.

use std::collections::BTreeSet;

use super::found::Found;
use super::values::{Known, Texts};
use crate::pattern::Pattern;

/// Integers below it are reals, too.
const EXACT: u64 = 1 << 53;

pub(super) fn equal(one: &Known, other: &Known) -> Found {
    let may_be = match (one, other) {
        (Known::Any, _) | (_, Known::Any) => return Found::either().where_fails(true),
        (Known::Int(one), Known::Int(other)) => {
            let are_single = one[0] == one[1] && other[0] == other[1];
            let meet = one[0] <= other[1] && other[0] <= one[1];
            [!(are_single && one == other), meet]
        }
        (Known::Bool(one), Known::Bool(other)) => [
            one[0] && other[1] || one[1] && other[0],
            one[0] && other[0] || one[1] && other[1],
        ],
        (Known::Text(one), Known::Text(other)) => match (&one.of, &other.of) {
            (Some(texts), Some(others)) => {
                let are_single = texts.len() == 1 && texts == others;
                [!are_single, !texts.is_disjoint(others)]
            }
            _ => [true, one.sizes[0] <= other.sizes[1] && other.sizes[0] <= one.sizes[1]],
        },
        _ => [true; 2],
    };
    Found::new(Known::Bool(may_be))
}

pub(super) fn is_less(less: &Known, more: &Known) -> Found {
    match (less, more) {
        (Known::Int([low, high]), Known::Int([least, most])) => Found::new(Known::Bool([high >= least, low < most])),
        (Known::Text(_), Known::Text(_)) => Found::either(),
        (Known::Real(_), Known::Real(_) | Known::Int(_)) | (Known::Int(_), Known::Real(_)) => {
            let ([low, high], [least, most]) = (reals(less), reals(more));
            Found::new(Known::Bool([high >= least, low < most]))
        }
        _ => Found::either().where_fails(true),
    }
}

/// A range of numbers, as far as reals have it.
fn reals(known: &Known) -> [f64; 2] {
    #[expect(
        clippy::cast_precision_loss,
        reason = "what a real cannot tell from another one is not compared"
    )]
    match known {
        Known::Real(range) => *range,
        Known::Int(range) if range.iter().all(|end| end.unsigned_abs() < EXACT) => range.map(|end| end as f64),
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}

/// Whether a value is one of some others.
pub(super) fn is_in(value: &Known, among: &[Known]) -> Found {
    let each: Vec<Found> = among.iter().map(|one| equal(value, one)).collect();
    let fails = each.iter().any(|found| found.fails);
    let all = each.iter().map(Found::outcomes);
    let is_some = all.clone().any(|found| found.holds);
    // One text of several may be any of these.
    let is_surely = match value {
        Known::Text(Texts { of: Some(texts), .. }) => {
            texts.iter().all(|text| among.iter().any(|one| is_text(one, text)))
        }
        _ => all.clone().any(|found| !found.not),
    };
    Found::new(Known::Bool([!is_surely, is_some])).where_fails(fails)
}

fn is_text(known: &Known, text: &str) -> bool {
    matches!(known, Known::Text(Texts { of: Some(of), .. }) if of.len() == 1 && of.contains(text))
}

/// Whether a text has a part. `left`: the steps that may be taken still.
pub(super) fn has_part(function: &str, text: &Texts, part: &Texts, left: &mut usize) -> Found {
    let (Some(texts), Some(parts)) = (&text.of, &part.of) else {
        // Only a pattern that is written in the rule is known to be one.
        return Found::either().where_fails(function == "matches" && part.of.is_none());
    };
    let found = parts.iter().map(|part| has_one_part(function, texts, part, left));
    match found.collect::<Option<Vec<[bool; 2]>>>() {
        Some(found) => Found::new(Known::Bool([0, 1].map(|has| found.iter().any(|found| found[has])))),
        None => Found::either(),
    }
}

/// Whether any of some texts lack a part or a match of a pattern, and whether any have it; `None` where that is not
/// known.
fn has_one_part(function: &str, texts: &BTreeSet<String>, part: &str, left: &mut usize) -> Option<[bool; 2]> {
    *left = left.checked_sub(part.len() + texts.len())?;
    let pattern = if function == "matches" {
        Some(Pattern::of(part)?)
    } else {
        None
    };
    let found = texts.iter().map(|text| match (function, &pattern) {
        (_, Some(pattern)) => pattern.matches(text, left),
        ("startsWith", _) => Some(text.starts_with(part)),
        ("endsWith", _) => Some(text.ends_with(part)),
        _ => Some(text.contains(part)),
    });
    let found = found.collect::<Option<Vec<bool>>>()?;
    Some([false, true].map(|has| found.contains(&has)))
}
