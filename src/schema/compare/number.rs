//! Numbers of bounds, and which of two bounds accepts less.

use std::cmp::Ordering;

use serde_json::Number;

use crate::schema::node::Bound;

/// A whole number apart from others, so that large ones are compared exactly.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Whole(i128),
    Real(f64),
}

impl Value {
    pub(super) fn of(number: &Number) -> Self {
        let whole = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
        whole.map_or_else(|| Self::of_bound(number), Self::Whole)
    }

    /// A bound, which servers keep as a real: beyond 2^53 it is rounded.
    pub(super) fn of_bound(number: &Number) -> Self {
        let real = number.as_f64().unwrap_or(f64::MAX);
        let cut = Self::Real(real).cut();
        if cut.real().total_cmp(&real).is_eq() {
            cut
        } else {
            Self::Real(real)
        }
    }

    pub(super) fn cmp(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.cmp(&b),
            (a, b) => a.real().total_cmp(&b.real()),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "the nearest real is what a fraction is compared with"
    )]
    fn real(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }

    /// What a bound is for numbers that are written whole: servers cut its fraction off.
    pub(super) fn cut(self) -> Self {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "it is within bounds")]
            Self::Real(real) if real.abs() < 1e30 => Self::Whole(real as i128),
            other => other,
        }
    }
}

/// Integers up to it are reals, too.
const EXACT: u64 = 1 << 53;

/// A bound that is whole, and that servers do not round.
pub(super) fn exact(number: &Number) -> Option<i64> {
    number.as_i64().filter(|whole| whole.unsigned_abs() <= EXACT)
}

/// Whether it is the least value or size.
pub(super) fn is_lower(bound: Bound) -> bool {
    matches!(
        bound,
        Bound::Minimum | Bound::MinLength | Bound::MinItems | Bound::MinProperties
    )
}

/// The bound of two that accepts less.
pub(super) fn tighter<'n>(one: &'n Number, other: &'n Number, lower: bool) -> &'n Number {
    let order = Value::of_bound(one).cmp(Value::of_bound(other));
    if order.is_eq() || order.is_gt() == lower {
        one
    } else {
        other
    }
}
