//! Clauses of rules, and which of them follow from others.

use std::collections::BTreeSet;

/// Conditions of which one must hold.
pub(crate) type Clause = BTreeSet<String>;

/// Conditions of a clause that are compared with each one of another.
const MOST_BOUNDS: usize = 256;

/// Whether values that meet one of some clauses meet this one too.
pub(crate) fn is_implied(clause: &Clause, by: &BTreeSet<Clause>) -> bool {
    by.iter()
        .any(|held| !held.is_empty() && held.iter().all(|stricter| is_in(stricter, clause)))
}

/// Whether a condition implies one of a clause. In a long one, bounds are not compared.
pub(super) fn is_in(stricter: &str, clause: &Clause) -> bool {
    let is_bound = lower(stricter).is_some() || upper(stricter).is_some();
    let are_compared = is_bound && clause.len() <= MOST_BOUNDS;
    clause.contains(stricter) || are_compared && clause.iter().any(|condition| is_within(stricter, condition))
}

/// Whether the first condition implies the second: it is the same, or a narrower bound of the same value.
pub(super) fn is_within(stricter: &str, condition: &str) -> bool {
    if stricter == condition {
        return true;
    }
    match (lower(stricter), lower(condition)) {
        (Some((one, of)), Some((other, same))) if of == same => return one >= other,
        _ => {}
    }
    match (upper(stricter), upper(condition)) {
        (Some((of, one)), Some((same, other))) => of == same && one <= other,
        _ => false,
    }
}

/// The bound and the value in `3 <= x`.
fn lower(condition: &str) -> Option<(i64, &str)> {
    let (bound, value) = condition.strip_prefix("(<= ")?.split_once(' ')?;
    Some((bound.parse().ok()?, value))
}

/// The value and the bound in `x <= 3`.
fn upper(condition: &str) -> Option<(&str, i64)> {
    let inner = condition.strip_prefix("(<= ")?.strip_suffix(')')?;
    let (value, bound) = inner.rsplit_once(' ')?;
    Some((value, bound.parse().ok()?))
}
