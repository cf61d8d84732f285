//! The formats of texts that servers check. Those they do not know, and those that are not checked here,
//! fit every value.

mod duration;
mod host_name;
mod uri;

use std::net::IpAddr;

use super::dns;
use chrono::NaiveDate;

/// Whether a text has a format.
pub(super) fn fits(text: &str, format: &str) -> bool {
    match format.replace('-', "").as_str() {
        "date" => is_date(text),
        "datetime" => is_date_time(text),
        "duration" => duration::is_duration(text),
        "ipv4" => text.contains('.') && address(text).is_some(),
        "ipv6" => text.contains(':') && text.parse::<IpAddr>().is_ok(),
        "cidr" => is_cidr(text),
        "byte" => is_base64(text),
        "uuid" => is_uuid(text, None),
        "uuid3" => is_uuid(text, Some(b'3')),
        "uuid4" => is_uuid(text, Some(b'4')),
        "uuid5" => is_uuid(text, Some(b'5')),
        "uri" => uri::is_uri(text),
        "hostname" => host_name::is_host_name(text),
        "email" => text.contains('@'),
        "mac" => is_hardware_address(text),
        "creditcard" => is_credit_card(text),
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
    let is_written = text.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_written && text.len() == "2006-01-02".len() && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    // What follows another `t` is not read.
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    let fields = [time.get(0..2), time.get(3..5), time.get(6..8)];
    let is_valid = fields.into_iter().zip(["23", "59", "59"]).all(|(field, most)| {
        field.is_some_and(|field| field.bytes().all(|byte| byte.is_ascii_digit()) && field <= most)
    });
    let colons = time.get(2..3) == Some(":") && time.get(5..6) == Some(":");
    is_date(date) && is_valid && colons && is_zone(time.get(8..).unwrap_or_default())
}

/// The difference to universal time, with a fraction of a second before it or without: any sign and digits.
fn is_zone(text: &str) -> bool {
    let mut signs = text.chars();
    let after = signs.next().map_or("", |_| signs.as_str());
    let zone = after.trim_start_matches(|sign: char| sign.is_ascii_digit());
    is_bare_zone(text) || zone.len() < after.len() && is_bare_zone(zone)
}

fn is_bare_zone(zone: &str) -> bool {
    let hours = zone.strip_prefix(['+', '-']);
    zone == "z"
        || hours.is_some_and(|hours| {
            let digits = hours.bytes().filter(u8::is_ascii_digit).count();
            hours.len() == 5 && digits == 4 && hours.get(2..3) == Some(":")
        })
}

/// An address, in which numbers of IPv4 may begin with zeros.
fn address(text: &str) -> Option<IpAddr> {
    let (before, numbers) = text.split_at(text.rfind(':').map_or(0, |at| at + 1));
    if !numbers.contains('.') {
        return text.parse().ok();
    }
    let bare = numbers.split('.').map(|number| match number.trim_start_matches('0') {
        "" if !number.is_empty() => "0",
        bare => bare,
    });
    let bare: Vec<&str> = bare.collect();
    format!("{before}{}", bare.join(".")).parse().ok()
}

fn is_cidr(text: &str) -> bool {
    let Some((network, bits)) = text.split_once('/') else {
        return false;
    };
    let most = match address(network) {
        Some(IpAddr::V4(_)) => 32,
        Some(IpAddr::V6(_)) => 128,
        None => return false,
    };
    bits.bytes().all(|byte| byte.is_ascii_digit()) && bits.parse::<u32>().is_ok_and(|bits| bits <= most)
}

pub(super) fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    let plain = body
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    !text.is_empty() && text.len().is_multiple_of(4) && padding <= 2 && plain
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

/// Of the United States: three, two and four digits, divided by dashes or blanks.
fn is_social_security_number(text: &str) -> bool {
    let is_written = text.bytes().enumerate().all(|(at, byte)| match at {
        3 | 6 => matches!(byte, b'-' | b' '),
        _ => byte.is_ascii_digit(),
    });
    is_written && text.len() == "000-00-0000".len()
}

/// What is no digit may stand anywhere.
fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let issuers: &[[&str; 2]] = match digits.len() {
        13 => &[["4", "4"]],
        14 => &[["300", "305"], ["36", "36"], ["38", "38"]],
        15 => &[["34", "34"], ["37", "37"], ["2131", "2131"], ["1800", "1800"]],
        16 => &[["4", "4"], ["51", "55"], ["6011", "6011"], ["65", "65"], ["35", "35"]],
        _ => &[],
    };
    let mut issuers = issuers.iter();
    let is_of_issuer = issuers.any(|[from, to]| {
        digits
            .get(..from.len())
            .is_some_and(|first| (*from..=*to).contains(&first))
    });
    let doubled = digits.bytes().rev().enumerate().map(|(at, digit)| {
        let number = u32::from(digit - b'0') << (at % 2);
        number / 10 + number % 10
    });
    is_of_issuer && doubled.sum::<u32>().is_multiple_of(10)
}

/// Dashes may be left out.
fn is_uuid(text: &str, version: Option<u8>) -> bool {
    let mut rest = text;
    let groups = [8, 4, 4, 4, 12].map(|length| {
        let group = rest.get(..length).filter(|group| is_hexadecimal(group));
        let after = rest.get(length..).unwrap_or_default();
        rest = after.strip_prefix('-').unwrap_or(after);
        group
    });
    let [Some(_), Some(_), Some(third), Some(fourth), Some(_)] = groups else {
        return false;
    };
    let is_variant = matches!(version, None | Some(b'3')) || fourth.starts_with(['8', '9', 'a', 'b', 'A', 'B']);
    let is_version = version.is_none_or(|version| third.as_bytes().first() == Some(&version));
    rest.is_empty() && !text.ends_with('-') && is_version && is_variant
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks formats, each with texts that have it and others.
    fn check(formats: &[(&str, &[&str], &[&str])]) {
        for (format, fitting, others) in formats {
            for (texts, expected) in [(fitting, true), (others, false)] {
                for text in *texts {
                    assert_eq!(fits(text, format), expected, "{format}: {text:?}");
                }
            }
        }
    }

    #[test]
    fn times_and_addresses_are_checked_as_servers_do() {
        check(&[
            (
                "date",
                &["2024-02-29", "0000-01-01"][..],
                &["2023-02-29", "+999-01-02", "  99-01-02", "2024-1-02"][..],
            ),
            (
                "date-time",
                &[
                    "2024-02-29T23:59:59Z",
                    "2024-02-29t00:00:00.5+01:00",
                    "2024-02-29T00:00:00Zt",
                    "2024-02-29T00:00:00+5Z",
                ],
                &[
                    "2024-02-29T24:00:00Z",
                    "2024-02-29T00:00:00",
                    "2024-02-29 00:00:00Z",
                    "2024-02-29T00:00:00.Z",
                ],
            ),
            (
                "ipv4",
                &["1.2.3.4", "01.002.3.4", "::ffff:1.2.3.04"],
                &["1.2.3", "1.2.3.256", "::1", "1..2.3", "a.b.c.d"],
            ),
            (
                "cidr",
                &["1.2.3.0/24", "01.2.3.0/024", "::/0"],
                &["1.2.3.0/33", "1.2.3.0/+8", "1.2.3.0/", "1.2.3.0"],
            ),
            (
                "uuid",
                &[
                    "00000000-0000-0000-0000-00000000000A",
                    "00000000000000000000000000000000",
                ],
                &[
                    "0-0000000-0000-0000-0000-000000000000",
                    "00000000-0000-0000-0000-000000000000-",
                    "",
                ],
            ),
            (
                "uuid4",
                &["00000000-0000-4000-a000-000000000000"],
                &[
                    "00000000-0000-4000-c000-000000000000",
                    "00000000-0000-3000-a000-000000000000",
                ],
            ),
        ]);
    }

    #[test]
    fn other_formats_of_texts_are_checked_as_servers_do() {
        check(&[
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
                &["111-22-3333", "111 22-3333"],
                &[
                    "111 223333",
                    "111223333",
                    "111-22-333",
                    "11-122-3333",
                    "1112-23333",
                    "111--22-333",
                ],
            ),
            (
                "creditcard",
                &["4111 1111 1111 1111", "378282246310005", "30569309025904"],
                &["4111111111111112", "1", "", "1111111111111117"],
            ),
            // What is not known fits.
            ("colour", &["1", ""], &[]),
        ]);
    }
}
