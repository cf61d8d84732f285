//! Values as YAML in block style.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::pluto::quoted;

/// Words that a version of YAML does not read as strings.
const WORDS: [&str; 11] = [
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan",
];

/// A value with each line indented.
pub(super) fn block(value: &Json, indent: &str) -> String {
    let mut text = String::new();
    write(value, indent, indent, &mut text);
    text
}

/// Writes a value; its first line after `first`, the others after `rest`.
fn write(value: &Json, first: &str, rest: &str, text: &mut String) {
    match value {
        Json::Object(fields) if !fields.is_empty() => {
            let mut lead = first;
            for (name, value) in fields {
                let _ = write!(text, "{lead}{}:", scalar(name));
                below(value, rest, text);
                lead = rest;
            }
        }
        Json::Array(items) if !items.is_empty() => {
            let mut lead = first;
            for item in items {
                write(item, &format!("{lead}- "), &format!("{rest}  "), text);
                lead = rest;
            }
        }
        Json::String(text_value) => {
            let _ = writeln!(text, "{first}{}", scalar(text_value));
        }
        other => {
            let _ = writeln!(text, "{first}{other}");
        }
    }
}

/// Writes the value of a field, on the same line if it has no parts.
fn below(value: &Json, indent: &str, text: &mut String) {
    let parts = match value {
        Json::Object(fields) => !fields.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if parts {
        text.push('\n');
        let deeper = format!("{indent}  ");
        write(value, &deeper, &deeper, text);
    } else {
        write(value, " ", "", text);
    }
}

/// A string, in quotes if it could read as something else.
fn scalar(text: &str) -> String {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    let word = WORDS.contains(&text.to_ascii_lowercase().as_str());
    if starts && plain && !word {
        return text.to_owned();
    }
    quoted(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let value = serde_json::json!({
            "apiVersion": "example.com/v1", "a b": [], "c": {},
            "list": [[1, "2"], { "x": null, "y": [true] }, "no", ""],
            "text": "a: \"b\" # c\nd", "number": -1.5, "~": "é", "deep": { "yes": { "n": ["-", { "z": {} }] } },
        });
        let text = block(&value, "  ");
        let read: Json = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(read, value, "{text}");
    }
}
