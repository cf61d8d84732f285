//! Names of hosts.

use std::sync::LazyLock;

use regex::Regex;

/// The signs of a part of a name, beside `-`: letters and symbols of any script, and digits.
static SIGNS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[a-zA-Z0-9\p{S}\p{L}]*$").ok());

/// The last of several parts.
static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{L}*$").ok());

/// Whether servers take a text for the name of a host. Of a name without a dot, only the second sign may be `-`.
pub(super) fn is_host_name(text: &str) -> bool {
    if text.len() > 255 || text.split('.').any(|part| part.len() > 63) {
        return false;
    }
    match text.rsplit_once('.') {
        None => is_single(text),
        Some((parts, last)) => parts.split('.').all(is_part) && last.chars().count() >= 2 && matches(&LETTERS, last),
    }
}

fn is_single(text: &str) -> bool {
    let mut signs = text.chars();
    signs.next().is_some_and(|first| first != '-') && {
        let rest = signs.as_str();
        matches(&SIGNS, &text.replacen('-', "", usize::from(rest.starts_with('-'))))
    }
}

fn is_part(part: &str) -> bool {
    !part.is_empty() && !part.starts_with('-') && !part.ends_with('-') && matches(&SIGNS, &part.replace('-', ""))
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    // A pattern that cannot be compiled refuses nothing.
    pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_are_read_as_servers_do() {
        let long = "a".repeat(63);
        for text in [
            "a",
            "localhost",
            "a-b",
            "a-",
            "1",
            "a-b.com",
            "k\u{e4}se.de",
            "a.b.example",
            "1.2.com",
            "a--b.com",
            "a$b.com",
            "\u{1f600}.com",
            "a.k\u{e4}",
            "\u{540d}\u{524d}",
            &format!("{long}.com"),
            &long,
        ] {
            assert!(is_host_name(text), "{text}");
        }
        for text in [
            "",
            "-",
            "-a",
            "ab-c",
            "a--",
            "a_b.com",
            "a b",
            ".a",
            "a.com.",
            "a..com",
            "a.b",
            "a.c1",
            "a-.com",
            "-a.com",
            "a:1",
            "a/b",
            "127.0.0.1",
            "a.$$",
            "e\u{301}.com",
            &format!("{long}a"),
            &format!("{long}a.com"),
        ] {
            assert!(!is_host_name(text), "{text}");
        }
        let three = format!("{long}.{long}.{long}");
        assert!(is_host_name(&format!("{three}.{long}")));
        assert!(!is_host_name(&format!("{three}.a.{long}")));
    }
}
