//! A draft as the text of a model file.

use crate::document::{plainly_quoted, quoted};

use super::draft::{Draft, Value};
use super::layout::{Section, sections};

/// The text of a model file for a draft, as a person would write it: one line per element where possible. The same
/// draft gives the same bytes.
pub fn write(draft: &Draft) -> String {
    let mut text = String::new();
    comments_into(&mut text, &draft.origin);
    for section in sections(draft) {
        section_into(&mut text, &section);
    }
    text
}

fn comments_into(text: &mut String, comments: &[String]) {
    for comment in comments {
        text.push_str("# ");
        text.extend(comment.chars().map(|c| if c.is_control() { ' ' } else { c }));
        text.push('\n');
    }
}

/// Appends a section, with the empty line before it that it wants.
pub(super) fn section_into(text: &mut String, section: &Section) {
    if section.begins && !text.is_empty() {
        text.push('\n');
    }
    comments_into(text, &section.comments);
    text.push('[');
    path_into(text, &section.path);
    text.push_str("]\n");
    for line in &section.lines {
        if let Some(value) = &line.value {
            line_into(text, &line.key, value);
            text.push('\n');
        }
    }
}

/// Lists of tables on one line are no longer than this.
const LONGEST_LINE: usize = 100;

/// Appends a key and its value; a long list of tables has a line for each.
fn line_into(text: &mut String, key: &[String], value: &Value) {
    let start = text.len();
    assignment_into(text, key, value);
    let Value::List(items) = value else { return };
    let is_long = text[start..].chars().count() > LONGEST_LINE;
    if is_long && items.iter().all(is_table) {
        text.truncate(start);
        path_into(text, key);
        text.push_str(" = [\n");
        for item in items {
            text.push_str("  ");
            value_into(text, item);
            text.push_str(",\n");
        }
        text.push(']');
    }
}

fn is_table(value: &Value) -> bool {
    matches!(value, Value::Table(_))
}

/// A key, which may be dotted, and its value.
pub(super) fn assignment(key: &[String], value: &Value) -> String {
    let mut text = String::new();
    assignment_into(&mut text, key, value);
    text
}

fn assignment_into(text: &mut String, key: &[String], value: &Value) {
    path_into(text, key);
    text.push_str(" = ");
    value_into(text, value);
}

/// A value as it stands in the file.
pub(super) fn value_text(value: &Value) -> String {
    let mut text = String::new();
    value_into(&mut text, value);
    text
}

fn value_into(text: &mut String, value: &Value) {
    match value {
        Value::Text(word) => text.push_str(&quoted(word)),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::Flag(flag) => text.push_str(&flag.to_string()),
        Value::Day(day) => text.push_str(&day.to_string()),
        Value::List(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                value_into(text, item);
            }
            text.push(']');
        }
        Value::Table(entries) if entries.is_empty() => text.push_str("{}"),
        Value::Table(entries) => {
            text.push_str("{ ");
            for (at, (key, value)) in entries.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                key_into(text, key);
                text.push_str(" = ");
                value_into(text, value);
            }
            text.push_str(" }");
        }
    }
}

/// Keys with dots between them.
pub(super) fn path_text(keys: &[String]) -> String {
    let mut text = String::new();
    path_into(&mut text, keys);
    text
}

fn path_into(text: &mut String, keys: &[String]) {
    for (at, key) in keys.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { "." });
        key_into(text, key);
    }
}

/// Appends a key: bare where TOML allows it, else in quotes.
fn key_into(text: &mut String, key: &str) {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) {
        text.push_str(key);
    } else {
        text.push_str(&plainly_quoted(key).unwrap_or_else(|| quoted_key(key)));
    }
}

/// A key in quotes. A string may be in several lines, a key may not.
fn quoted_key(key: &str) -> String {
    let table = toml::Table::from_iter([(key.to_owned(), toml::Value::Boolean(true))]);
    let line = table.to_string();
    line.strip_suffix(" = true\n").unwrap_or(&line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::draft::{Element, Group, Kind, Life};
    use super::*;
    use crate::grammar::MemberName;
    use crate::release::ReleaseName;

    fn release(text: &str) -> ReleaseName {
        ReleaseName::parse(text).unwrap()
    }

    fn life(introduced: &str, removed: Option<&str>) -> Element {
        Element::of(Life {
            removed: removed.map(release),
            ..Life::begun(release(introduced))
        })
    }

    fn kind(versions: &[(&str, Element)]) -> Kind {
        Kind {
            versions: versions
                .iter()
                .map(|(name, element)| ((*name).to_owned(), element.clone()))
                .collect(),
            ..Kind::default()
        }
    }

    fn written(kinds: Vec<(&str, Kind)>) -> String {
        let kinds = kinds.into_iter().map(|(name, kind)| (name.to_owned(), kind));
        let mut group = Group {
            kinds: kinds.collect(),
            ..Group::default()
        };
        group.gather();
        write(&Draft {
            groups: [("example.com".to_owned(), group)].into(),
            ..Draft::default()
        })
    }

    #[test]
    fn a_kind_says_only_in_what_it_differs_from_its_version() {
        let old = || life("1.0", Some("1.3"));
        let text = written(vec![
            ("Bolt", kind(&[("v1beta1", old())])),
            (
                "Nut",
                kind(&[("v1beta1", life("1.1", Some("1.2"))), ("v1", life("1.2", None))]),
            ),
            ("Washer", kind(&[("v1beta1", old()), ("v1", life("1.2", None))])),
        ]);
        let expected = r#"[group."example.com".version]
v1 = { introduced = "1.2" }
v1beta1 = { introduced = "1.0", removed = "1.3" }
[group."example.com".kind]
Bolt = { versions = ["v1beta1"] }
Washer = {}
[group."example.com".kind.Nut]
version.v1beta1 = { introduced = "1.1", removed = "1.2" }
"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn a_part_says_only_in_what_it_differs_from_its_kind() {
        let mut bolt = kind(&[("v1", life("1.0", None)), ("v2", life("1.2", None))]);
        let all = |one: &str, two: &str| {
            let lives = [("v1".to_owned(), life(one, None)), ("v2".to_owned(), life(two, None))];
            lives.into_iter().collect()
        };
        bolt.parts
            .insert(MemberName::Field("spec.size".into()), all("1.0", "1.2"));
        bolt.parts
            .insert(MemberName::Field("spec.head".into()), all("1.3", "1.3"));
        bolt.parts
            .insert(MemberName::Field("spec.thread".into()), all("1.3", "1.2"));
        let text = written(vec![("Bolt", bolt)]);
        assert!(text.contains("\"spec.size\" = {}\n"), "{text}");
        assert!(text.contains("\"spec.head\" = { introduced = \"1.3\" }\n"), "{text}");
        assert!(
            text.contains("\"spec.thread\" = { in = { v1 = { introduced = \"1.3\" }, v2 = {} } }\n"),
            "{text}"
        );
    }

    #[test]
    fn names_of_any_form_are_keys() {
        for name in ["a.b", "a b", "", "a'b\"c", "ü", "a\\b", "'''", "\"\"\""] {
            let key = path_text(&[name.to_owned()]);
            let table: toml::Table = toml::from_str(&format!("{key} = 1\n")).unwrap();
            assert!(table.contains_key(name), "{key}");
        }
    }
}
