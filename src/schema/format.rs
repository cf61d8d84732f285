//! `format`: which ones servers check.

/// Formats of texts that servers check, without dashes, in which they are written or not.
const OF_TEXTS: [&str; 26] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "k8sshortname",
    "k8slongname",
];

/// Those of them whose texts rules read as values of other types.
const OF_OTHER_TYPES: [&str; 4] = ["byte", "date", "datetime", "duration"];

/// Those of them that may accept the empty text.
const OF_EMPTY: [&str; 2] = ["password", "hostname"];

/// Those that accept a letter.
const OF_A_LETTER: [&str; 4] = ["password", "hostname", "k8sshortname", "k8slongname"];

/// A format as servers know it for a type; `None` for one that they do not check.
pub(crate) fn checked(format: &str, kind: &str) -> Option<String> {
    let known = match kind {
        "string" | "any" => {
            let bare = format.replace('-', "");
            return OF_TEXTS.contains(&bare.as_str()).then_some(bare);
        }
        "integer" => ["int32", "int64"].contains(&format),
        "number" => ["float", "double"].contains(&format),
        _ => false,
    };
    known.then(|| format.to_owned())
}

/// Whether rules read the texts of a format as they are: `size(self)` counts characters, but the bytes that a text of
/// `byte` stands for.
pub(super) fn is_read_as_text(format: Option<&str>) -> bool {
    let format = format.map(|format| format.replace('-', ""));
    format.is_none_or(|format| !OF_OTHER_TYPES.contains(&format.as_str()))
}

/// Whether a format refuses the empty text.
pub(super) fn refuses_empty(format: &str) -> bool {
    checked(format, "string").is_some_and(|format| !OF_EMPTY.contains(&format.as_str()))
}

/// Whether servers check a format of numbers or texts.
pub(super) fn demands(format: &str) -> bool {
    range(format).is_some() || checked(format, "string").is_some()
}

/// Texts that a format refuses; `None` for one of other values.
pub(super) fn rejected(format: &str) -> Option<impl Iterator<Item = &'static str>> {
    let format = checked(format, "string")?;
    let texts = ["", "a", "\u{1}"].into_iter();
    Some(texts.filter(move |text| match *text {
        "" => !OF_EMPTY.contains(&format.as_str()),
        "a" => !OF_A_LETTER.contains(&format.as_str()),
        _ => format != "password",
    }))
}

/// A format as a rule of its text, where CEL can name it or a pattern describes it.
pub(super) fn as_rule(format: &str) -> Option<String> {
    let format = checked(format, "string")?;
    let name = match format.as_str() {
        "k8sshortname" => "dns1123Label",
        "k8slongname" => "dns1123Subdomain",
        "uri" | "uuid" | "byte" | "date" | "datetime" => &format,
        _ => return None,
    };
    let by_name = format!("!format.{name}().validate(self).hasValue()");
    let pattern = match format.as_str() {
        "k8sshortname" => "size(self) <= 63 && self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        "uuid" => "self.matches('(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$')",
        _ => return Some(by_name),
    };
    Some(format!("{by_name} || {pattern}"))
}

/// The least and the largest whole number of a format.
pub(super) fn range(format: &str) -> Option<[i128; 2]> {
    match format {
        "int32" => Some([i32::MIN.into(), i32::MAX.into()]),
        "int64" => Some([i64::MIN.into(), i64::MAX.into()]),
        _ => None,
    }
}
