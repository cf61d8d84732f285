//! The formats of texts and numbers that servers check. Those they do not know, and those that are not checked here,
//! fit every value.

use std::net::IpAddr;

use chrono::NaiveDate;
use serde_json::Value as Json;

use super::dns;

/// Whether a value has a format.
pub(super) fn fits(value: &Json, kind: &str, format: &str) -> bool {
    match (value, kind) {
        (Json::Number(number), "integer") if format == "int32" => number
            .as_f64()
            .is_none_or(|number| number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX)),
        (Json::String(text), "" | "string") => text_fits(text, &format.replace('-', "")),
        _ => true,
    }
}

fn text_fits(text: &str, format: &str) -> bool {
    match format {
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
