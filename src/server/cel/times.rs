//! Durations and timestamps as Go reads them.

/// Nanoseconds of each unit.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Whether a text is a duration: `1h30m`, `-1.5s`, `0`. The largest have some 292 years.
pub(super) fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let Some((amount, after)) = part(rest) else {
            return false;
        };
        total = total.saturating_add(amount);
        rest = after;
    }
    let was_empty = text.trim_start_matches(['+', '-']).is_empty();
    !was_empty && total <= u128::from(u64::MAX >> 1) + u128::from(text.starts_with('-'))
}

/// The nanoseconds of a number with its unit, without those of its fraction, and the text after it.
fn part(rest: &str) -> Option<(u128, &str)> {
    let after_digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let whole = rest.get(..rest.len() - after_digits.len())?;
    let after_dot = after_digits.strip_prefix('.').unwrap_or(after_digits);
    let after = after_dot.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_fraction = after.len() < after_dot.len();
    if whole.is_empty() && !has_fraction {
        return None;
    }
    let end = after
        .find(|c: char| c == '.' || c.is_ascii_digit())
        .unwrap_or(after.len());
    let (unit, after) = after.split_at_checked(end)?;
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let digits = whole.trim_start_matches('0');
    let count: u128 = match digits.len() {
        0 => 0,
        1..=30 => digits.parse().ok()?,
        _ => return None,
    };
    Some((count.saturating_mul(u128::from(*factor)), after))
}

/// Whether a text is a date and time with a zone: `2024-02-29T12:00:00Z`, in the years 1 to 9999.
pub(super) fn is_timestamp(text: &str) -> bool {
    after_timestamp(text) == Some("")
}

fn after_timestamp(text: &str) -> Option<&str> {
    let (year, rest) = digits(text, 4, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2, 2)?;
    let (hour, rest) = digits(rest.strip_prefix('T')?, 1, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    let is_date = year > 0 && (1..=days(year, month)?).contains(&day);
    if !is_date || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = rest.strip_prefix(['.', ',']);
    let rest = match fraction {
        Some(fraction) => {
            let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            (after.len() < fraction.len()).then_some(after)?
        }
        None => rest,
    };
    if let Some(after) = rest.strip_prefix('Z') {
        return Some(after);
    }
    let (hours, rest) = digits(rest.strip_prefix(['+', '-'])?, 2, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2, 2)?;
    (hours <= 24 && minutes <= 60).then_some(rest)
}

/// The days of a month.
fn days(year: u32, month: u32) -> Option<u32> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

/// A number of so many digits, as many as there are.
fn digits(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let count = text.chars().take(most).take_while(char::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(count)?;
    (count >= least)
        .then(|| number.parse().ok())?
        .map(|number| (number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_durations_as_go_does() {
        for text in [
            "0",
            "-0",
            "+5s",
            "1h30m",
            "1.5h",
            ".5s",
            "1.s",
            "100ms",
            "3µs",
            "2540400h10m10.000000000s",
            "00s",
        ] {
            assert!(is_duration(text), "{text}");
        }
        for text in [
            "",
            "-",
            "3",
            "soon",
            ".s",
            "1",
            "1d",
            "1 s",
            "1h-3m",
            "9999999999999h",
            "- 1s",
            "1s ",
            "--1s",
        ] {
            assert!(!is_duration(text), "{text}");
        }
    }

    #[test]
    fn reads_timestamps_as_go_does() {
        for text in [
            "2024-02-29T12:00:00Z",
            "2024-01-01T00:00:00.123+02:00",
            "9999-12-31T23:59:59Z",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "",
            "2023-02-29T12:00:00Z",
            "2024-01-01",
            "2024-01-01 00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:00z",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
