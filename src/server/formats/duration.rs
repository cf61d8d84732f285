//! Durations: `1h30m`, and what is read beside it, such as `2 days`.

/// The nanoseconds of a unit.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Other names of units, in lower case.
const NAMES: [&str; 12] = ["ns", "us", "\u{b5}s", "ms", "s", "m", "h", "hr", "d", "w", "wk", "hour"];

/// What other names begin with.
const BEGINNINGS: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

const MOST: u64 = 1 << 63;

/// Whether servers read a text as a duration.
pub(super) fn is_duration(text: &str) -> bool {
    is_exact(text) || is_lenient(text)
}

/// Whether it is numbers with units, all of it, and not too long: `-1.5h30m`.
fn is_exact(text: &str) -> bool {
    let is_negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut sum = 0_u64;
    while !rest.is_empty() {
        let Some((part, after)) = first_part(rest) else {
            return false;
        };
        let Some(more) = sum.checked_add(part).filter(|sum| *sum <= MOST) else {
            return false;
        };
        (sum, rest) = (more, after);
    }
    rest.len() < text.len() && !text.ends_with(['+', '-']) && (is_negative || sum < MOST)
}

/// The nanoseconds of the first number with its unit, and what follows.
fn first_part(text: &str) -> Option<(u64, &str)> {
    let (whole, rest) = digits(text);
    let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), digits);
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (unit, rest) = rest.split_at(
        rest.find(|sign: char| sign == '.' || sign.is_ascii_digit())
            .unwrap_or(rest.len()),
    );
    let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let whole = whole.checked_mul(*unit).filter(|whole| *whole <= MOST)?;
    let fraction: f64 = format!("0.{fraction}0").parse().ok()?;
    #[expect(clippy::cast_precision_loss, reason = "servers compute so")]
    let of_unit = fraction * *unit as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is less than a unit"
    )]
    let part = of_unit as u64;
    Some((whole.checked_add(part).filter(|sum| *sum <= MOST)?, rest))
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len()))
}

/// Whether it has a number with a unit anywhere, and no number before letters that is too large.
fn is_lenient(text: &str) -> bool {
    let mut is_found = false;
    let mut rest = text;
    while let Some(start) = rest.find(|sign: char| sign.is_ascii_digit()) {
        let (number, after) = digits(&rest[start..]);
        rest = after;
        let after = after.trim_start_matches(['\t', '\n', '\u{c}', '\r', ' ']);
        let end = after.find(|sign: char| !(sign.is_ascii_alphabetic() || sign == '\u{b5}'));
        let unit = &after[..end.unwrap_or(after.len())];
        if unit.is_empty() {
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        let unit = unit.to_ascii_lowercase();
        is_found |= NAMES.contains(&unit.as_str()) || BEGINNINGS.iter().any(|name| unit.starts_with(name));
    }
    is_found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_servers_do() {
        for text in [
            "1h",
            "1h30m",
            "P1D",
            "-1.5h",
            "+0",
            "0",
            ".5s",
            "1.s",
            "1\u{3bc}s",
            "1\u{b5}s",
            "2 days",
            "3Weeks",
            "1 wk",
            "2 HR",
            "1hours",
            "in 5 minutes",
            "1x 2s",
            "9999999h",
            "1.5 d",
            "-9223372036854775808ns",
            "1d2h",
            "5 nanofortnights",
            "0.99999999999999999999s",
        ] {
            assert!(is_duration(text), "{text}");
        }
        for text in [
            "",
            "-",
            "1",
            "h",
            "1 x",
            "s1",
            "1y",
            "00",
            "5 mo",
            "1.",
            ".s",
            "1e3",
            "99999999999999999999s",
            "9223372036854775808ns",
            "1\u{3bc}",
            "1s 99999999999999999999x",
            "1 \u{a0}s",
        ] {
            assert!(!is_duration(text), "{text}");
        }
    }
}
