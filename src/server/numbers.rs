//! Numbers in defaults, as servers compare them: what JSON writes without a fraction is a whole number of 64 bits where
//! it fits, and a bound is converted to the form of the value.

use std::cmp::Ordering;

use serde_json::Number;

use crate::schema::Bound;

/// The largest floating-point number that servers take for a whole one.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;

/// Whether a number is within a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Within,
    Beyond,
    /// The bound itself is no number of the type, or no factor: servers refuse every value.
    NoBound,
}

/// Whether servers take a number for an integer.
pub(super) fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.as_f64().is_some_and(is_whole_float)
}

fn is_whole_float(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= LARGEST_WHOLE
}

/// Whether a number can be held by a type in a format.
pub(super) fn is_of_type(number: &Number, kind: &str, format: &str) -> bool {
    match number.as_i64() {
        Some(whole) => is_whole_of(i128::from(whole), kind, format),
        None => number.as_f64().is_none_or(|number| is_float_of(number, kind, format)),
    }
}

fn is_whole_of(whole: i128, kind: &str, format: &str) -> bool {
    match (kind, format) {
        ("integer", "int32") => i32::try_from(whole).is_ok(),
        ("integer", _) => i64::try_from(whole).is_ok(),
        _ => true,
    }
}

fn is_float_of(number: f64, kind: &str, format: &str) -> bool {
    match (kind, format) {
        // Servers read its digits again, of which those after the precision are zeros.
        ("integer", _) => number
            .to_string()
            .parse()
            .is_ok_and(|whole| is_whole_of(whole, kind, format)),
        (_, "float") => number.abs() <= f64::from(f32::MAX),
        _ => true,
    }
}

/// Whether a number of a type is within a bound; `is_exclusive`: the bound itself is outside.
pub(super) fn fits(value: &Number, (kind, format): (&str, &str), bound: Bound, limit: f64, is_exclusive: bool) -> Fit {
    if !is_float_of(limit, kind, format) {
        return Fit::NoBound;
    }
    let outside = match bound {
        Bound::MultipleOf => return is_multiple(value, limit),
        Bound::Minimum => Ordering::Less,
        _ => Ordering::Greater,
    };
    let order = match value.as_i64() {
        Some(whole) => Some(whole.cmp(&to_whole(limit))),
        None => value.as_f64().and_then(|number| number.partial_cmp(&limit)),
    };
    match order {
        Some(order) if order == outside || order.is_eq() && is_exclusive => Fit::Beyond,
        _ => Fit::Within,
    }
}

fn is_multiple(value: &Number, factor: f64) -> Fit {
    let fits = match value.as_i64() {
        Some(whole) => match to_whole(factor) {
            ..=0 => None,
            factor => Some(whole % factor == 0),
        },
        None if factor <= 0.0 => None,
        None => value.as_f64().map(|number| {
            let times = if factor < 1.0 {
                1.0 / factor * number
            } else {
                number / factor
            };
            is_whole_float(times)
        }),
    };
    match fits {
        None => Fit::NoBound,
        Some(true) => Fit::Within,
        Some(false) => Fit::Beyond,
    }
}

/// A bound as a whole number. What does not fit becomes the least one.
fn to_whole(bound: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a fraction is dropped, and what is too large comes first"
    )]
    if (-LIMIT..LIMIT).contains(&bound) {
        bound as i64
    } else {
        i64::MIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_in_the_form_of_the_value() {
        let number = |text: &str| serde_json::from_str::<Number>(text).expect("it is a number");
        for (value, kind, bound, limit, expected) in [
            ("0", "number", Bound::Maximum, -0.5, Fit::Within),
            ("0", "integer", Bound::Maximum, -0.5, Fit::NoBound),
            ("0.0", "number", Bound::Maximum, -0.5, Fit::Beyond),
            ("1", "number", Bound::Minimum, 1.5, Fit::Within),
            ("1", "integer", Bound::Minimum, 2.0, Fit::Beyond),
            ("5", "number", Bound::Minimum, 1e19, Fit::Within),
            ("5", "integer", Bound::Minimum, 1e19, Fit::NoBound),
            ("5", "number", Bound::MultipleOf, 0.5, Fit::NoBound),
            ("5.5", "number", Bound::MultipleOf, 0.5, Fit::Within),
            ("5.6", "number", Bound::MultipleOf, 0.5, Fit::Beyond),
            ("5", "integer", Bound::MultipleOf, -1.0, Fit::NoBound),
            ("6", "integer", Bound::MultipleOf, 4.0, Fit::Beyond),
        ] {
            let found = fits(&number(value), (kind, ""), bound, limit, false);
            assert_eq!(found, expected, "{value} {bound:?} {limit}");
        }
        assert_eq!(fits(&number("2"), ("", ""), Bound::Maximum, 2.0, true), Fit::Beyond);
        assert!(is_whole(&number("9223372036854775807")) && !is_whole(&number("9007199254740993.0")));
        assert!(!is_of_type(&number("2147483648"), "integer", "int32"));
        assert!(is_of_type(&number("-1"), "integer", "uint32"));
        assert_eq!(
            fits(
                &number("1"),
                ("integer", ""),
                Bound::Minimum,
                -9_223_372_036_854_775_808.0,
                false
            ),
            Fit::NoBound
        );
        assert!(!is_of_type(&number("1e39"), "number", "float") && is_of_type(&number("1e39"), "number", ""));
    }
}
