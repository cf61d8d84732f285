//! Names as in DNS, which servers demand.

/// A label of DNS as servers accept it for resources: RFC 1035.
pub(super) fn is_label(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_of_label)
        && !name.ends_with('-')
}

fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

/// A subdomain of DNS: RFC 1123.
pub(super) fn is_subdomain(name: &str) -> bool {
    name.len() <= 253
        && name
            .split('.')
            .all(|part| part.bytes().all(is_of_label) && !part.is_empty() && part.trim_matches('-') == part)
}

/// What a label may look like, in words.
pub(super) const LABEL: &str = "lower-case letters, digits and `-`, beginning with a letter, at most 63 characters";
