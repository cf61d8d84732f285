//! The formats of texts that servers check. Those they do not know, and those that are not checked here,
//! fit every value.

use std::net::IpAddr;

use super::dns;
use chrono::NaiveDate;

/// Whether a text has a format.
pub(super) fn fits(text: &str, format: &str) -> bool {
    match format.replace('-', "").as_str() {
        "date" => is_date(text),
        "datetime" => is_date_time(text),
        // Whatever has no number is no duration; units are not checked.
        "duration" => text.bytes().any(|byte| byte.is_ascii_digit()),
        "ipv4" => text.contains('.') && text.parse::<IpAddr>().is_ok(),
        "ipv6" => text.contains(':') && text.parse::<IpAddr>().is_ok(),
        "cidr" => is_cidr(text),
        "byte" => is_base64(text),
        "uuid" => is_uuid(text, None),
        "uuid3" => is_uuid(text, Some('3')),
        "uuid4" => is_uuid(text, Some('4')),
        "uuid5" => is_uuid(text, Some('5')),
        "uri" => may_be_uri(text),
        "hostname" => may_be_host_name(text),
        "email" => text.contains('@'),
        "mac" => is_hardware_address(text),
        "isbn" => is_isbn_10(text) || is_isbn_13(text),
        "isbn10" => is_isbn_10(text),
        "isbn13" => is_isbn_13(text),
        "bsonobjectid" => text.len() == 24 && is_hexadecimal(text),
        "hexcolor" => is_hex_color(text),
        "rgbcolor" => is_rgb_color(text),
        "ssn" => is_social_security_number(text),
        "k8sshortname" => dns::is_subdomain(text) && !text.contains('.') && text.len() <= 63,
        "k8slongname" => dns::is_subdomain(text),
        _ => true,
    }
}

fn is_date(text: &str) -> bool {
    text.len() == "2006-01-02".len() && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let Some((date, time)) = lower.split_once('t') else {
        return false;
    };
    let fields = [time.get(0..2), time.get(3..5), time.get(6..8)];
    let is_valid = fields.into_iter().zip(["23", "59", "59"]).all(|(field, most)| {
        field.is_some_and(|field| field.bytes().all(|byte| byte.is_ascii_digit()) && field <= most)
    });
    let colons = time.get(2..3) == Some(":") && time.get(5..6) == Some(":");
    is_date(date) && is_valid && colons && is_zone(time.get(8..).unwrap_or_default())
}

/// A fraction of a second, if there is one, and the difference to universal time.
fn is_zone(text: &str) -> bool {
    let mut signs = text.chars();
    let is_fraction =
        signs.next().is_some_and(|sign| !"z+-".contains(sign)) && signs.next().is_some_and(|it| it.is_ascii_digit());
    let zone = if is_fraction {
        text.trim_start_matches(|sign: char| !"z+-".contains(sign))
    } else {
        text
    };
    let hours = zone.strip_prefix(['+', '-']);
    zone == "z"
        || hours.is_some_and(|hours| {
            let digits = hours.bytes().filter(u8::is_ascii_digit).count();
            hours.len() == 5 && digits == 4 && hours.get(2..3) == Some(":")
        })
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else {
        return false;
    };
    let most = match address.parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    bits.parse::<u8>().is_ok_and(|bits| bits <= most)
}

pub(super) fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    let plain = body
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    !text.is_empty() && text.len().is_multiple_of(4) && padding <= 2 && plain
}

/// Whether a text begins like a URI or a path; what follows is not checked.
fn may_be_uri(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let has_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|sign| sign.is_ascii_alphanumeric() || "+-.".contains(sign));
    (text == "*" || text.starts_with('/') || has_scheme) && !text.chars().any(|sign| sign.is_ascii_control())
}

/// Whether a text has the signs of a name of a host; the lengths of its parts are not checked.
fn may_be_host_name(text: &str) -> bool {
    let mut signs = text
        .chars()
        .filter(|sign| sign.is_ascii() && !sign.is_ascii_alphanumeric());
    signs.all(|sign| "-.$+<=>^`|~".contains(sign))
        && !text.starts_with(['-', '.'])
        && !text.ends_with('.')
        && text.len() <= 255
}

/// The address of a network interface, in pairs of digits or in groups of four.
fn is_hardware_address(text: &str) -> bool {
    let lengths = [(':', 2), ('-', 2), ('.', 4)].map(|(divider, count)| {
        let parts: Vec<&str> = text.split(divider).collect();
        let are_digits = parts.iter().all(|part| part.len() == count && is_hexadecimal(part));
        are_digits.then_some(parts.len() * count / 2)
    });
    lengths.into_iter().flatten().any(|bytes| [6, 8, 20].contains(&bytes))
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The digits of a number that blanks and dashes may divide.
fn undivided(text: &str) -> Vec<u32> {
    let signs = text
        .chars()
        .filter(|sign| !(sign.is_ascii_whitespace() || *sign == '-'));
    signs
        .map(|sign| sign.to_digit(10).unwrap_or(if sign == 'X' { 10 } else { u32::MAX }))
        .collect()
}

fn is_isbn_10(text: &str) -> bool {
    let digits = undivided(text);
    let is_written = digits.len() == 10 && digits[..9].iter().all(|digit| *digit < 10) && digits[9] <= 10;
    is_written
        && (1..)
            .zip(&digits)
            .map(|(factor, digit)| factor * digit)
            .sum::<u32>()
            .is_multiple_of(11)
}

fn is_isbn_13(text: &str) -> bool {
    let digits = undivided(text);
    let is_written = digits.len() == 13 && digits.iter().all(|digit| *digit < 10);
    let factors = [1, 3].into_iter().cycle();
    is_written
        && factors
            .zip(&digits)
            .map(|(factor, digit)| factor * digit)
            .sum::<u32>()
            .is_multiple_of(10)
}

fn is_hex_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    [3, 6].contains(&digits.len()) && is_hexadecimal(digits)
}

fn is_rgb_color(text: &str) -> bool {
    let inner = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    let parts: Vec<&str> = inner
        .unwrap_or_default()
        .split(',')
        .map(|part| part.trim_matches([' ', '\t', '\n', '\r', '\u{c}']))
        .collect();
    // A zero must not come first.
    let bytes = parts
        .iter()
        .filter(|part| part.parse::<u8>().is_ok_and(|byte| byte.to_string() == **part));
    parts.len() == 3 && bytes.count() == 3
}

fn is_divided_at(text: &str, at: usize) -> bool {
    text.get(at..=at).is_some_and(|sign| sign == "-" || sign == " ")
}

/// Of the United States: three, two and four digits, between which a dash or a blank may stand.
fn is_social_security_number(text: &str) -> bool {
    let first = usize::from(is_divided_at(text, 3));
    let second = usize::from(is_divided_at(text, 5 + first));
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits == 9 && text.len() == 9 + first + second
}

/// Dashes may be left out.
fn is_uuid(text: &str, version: Option<char>) -> bool {
    let bare: String = text.chars().filter(|sign| *sign != '-').collect();
    let is_variant =
        matches!(version, None | Some('3')) || matches!(bare.get(16..17), Some("8" | "9" | "a" | "b" | "A" | "B"));
    bare.len() == 32
        && bare.bytes().all(|byte| byte.is_ascii_hexdigit())
        && version.is_none_or(|version| bare.chars().nth(12) == Some(version))
        && is_variant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_texts_are_checked_as_servers_do() {
        for (format, fitting, others) in [
            (
                "uri",
                &["http://a.b/c?d", "/a b", "*", "a:", "urn:x"][..],
                &["", "a", "a.b/c", "1a:b", ":a", "/a\n"][..],
            ),
            (
                "hostname",
                &["a", "a-b.com", "käse.de", "a.b"],
                &["a b", "a_b.com", "-a", ".a", "a.com.", "a:1", "a/b"],
            ),
            ("email", &["a@b", "A <a@b.c>"], &["", "a", "a.b"]),
            (
                "mac",
                &[
                    "00:00:5e:00:53:01",
                    "00-00-5E-00-53-01",
                    "0000.5e00.5301",
                    "02:00:5e:10:00:00:00:01",
                ],
                &[
                    "00:00:5e:00:53",
                    "00:00-5e:00:53:01",
                    "0:0:5e:0:53:1",
                    "00005e005301",
                    "gg:00:5e:00:53:01",
                ],
            ),
            (
                "isbn",
                &["3-598-21508-8", "978-3-598-21508-7"],
                &["3-598-21508-9", "978-3-598-21508-8", "1"],
            ),
            (
                "isbn10",
                &["3 598 21507 X"],
                &["978-3-598-21508-7", "35982150X7", "35982X507X"],
            ),
            ("isbn13", &["9783598215087"], &["3-598-21508-8"]),
            (
                "bsonobjectid",
                &["507f1f77bcf86cd799439011"],
                &["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
            ),
            ("hexcolor", &["#fff", "00ff00"], &["#ffff", "##fff", "red", ""]),
            (
                "rgbcolor",
                &["rgb(0,255, 17)", "rgb( 1 , 2 , 3 )"],
                &["rgb(0,256,1)", "rgb(01,2,3)", "rgb(1,2)", "RGB(1,2,3)"],
            ),
            (
                "ssn",
                &["111-22-3333", "111 223333", "111223333"],
                &["111-22-333", "11-122-3333", "1112-23333", "111--22-333"],
            ),
            // What is not known fits.
            ("creditcard", &["1", ""], &[]),
            ("colour", &["1", ""], &[]),
        ] {
            for (texts, expected) in [(fitting, true), (others, false)] {
                for text in texts {
                    assert_eq!(fits(text, format), expected, "{format}: {text:?}");
                }
            }
        }
    }
}
