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
        if let Some(whole) = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from)) {
            return Self::Whole(whole);
        }
        let real = number.as_f64().unwrap_or(f64::MAX);
        if real.fract() == 0.0 && real.abs() < 1e30 {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and within bounds")]
            return Self::Whole(real as i128);
        }
        Self::Real(real)
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

    /// The nearest integer on the inner side of a bound.
    pub(super) fn inwards(self, lower: bool) -> Self {
        match self {
            Self::Real(real) if real.abs() < 1e30 => {
                let whole = if lower { real.ceil() } else { real.floor() };
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and within bounds")]
                Self::Whole(whole as i128)
            }
            other => other,
        }
    }
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
    let order = Value::of(one).cmp(Value::of(other));
    if order.is_eq() || order.is_gt() == lower {
        one
    } else {
        other
    }
}
