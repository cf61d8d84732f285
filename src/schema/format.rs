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

/// Those of them that may accept the empty text.
const OF_EMPTY: [&str; 3] = ["byte", "password", "hostname"];

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

/// Whether a format refuses the empty text.
pub(super) fn refuses_empty(format: &str) -> bool {
    checked(format, "string").is_some_and(|format| !OF_EMPTY.contains(&format.as_str()))
}

/// The least and the largest whole number of a format.
pub(super) fn range(format: &str) -> Option<[i128; 2]> {
    match format {
        "int32" => Some([i32::MIN.into(), i32::MAX.into()]),
        "int64" => Some([i64::MIN.into(), i64::MAX.into()]),
        _ => None,
    }
}
