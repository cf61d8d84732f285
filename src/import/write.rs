//! A draft as the text of a model file.

use crate::document::{plainly_quoted, quoted};
use crate::source::one_line;

use super::draft::{Draft, Value};
use super::layout::{Section, sections};

/// The text of a model file for a draft, as a person would write it: one line per element where possible. The same
/// draft gives the same bytes.
pub fn write(draft: &Draft) -> String {
    let mut text = comments(&draft.origin);
    for section in sections(draft) {
        if section.begins && !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&section_text(&section));
    }
    text
}

fn comments(comments: &[String]) -> String {
    let lines = comments.iter();
    let lines = lines.map(|line| format!("# {}\n", one_line(line)));
    lines.collect()
}

pub(super) fn section_text(section: &Section) -> String {
    let mut text = comments(&section.comments);
    text.extend(["[", &path_text(&section.path), "]\n"]);
    for line in &section.lines {
        if let Some(value) = &line.value {
            text.push_str(&line_text(&line.key, value));
            text.push('\n');
        }
    }
    text
}

/// Lists of tables on one line are no longer than this.
const LONGEST_LINE: usize = 100;

/// A key and its value; a long list of tables has a line for each.
fn line_text(key: &[String], value: &Value) -> String {
    let line = assignment(key, value);
    match value {
        Value::List(items) if line.chars().count() > LONGEST_LINE && items.iter().all(is_table) => {
            let items: Vec<String> = items.iter().map(|item| format!("  {},\n", value_text(item))).collect();
            format!("{} = [\n{}]", path_text(key), items.concat())
        }
        _ => line,
    }
}

fn is_table(value: &Value) -> bool {
    matches!(value, Value::Table(_))
}

pub(super) fn assignment(key: &[String], value: &Value) -> String {
    format!("{} = {}", path_text(key), value_text(value))
}

pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Text(word) => quoted(word),
        Value::Number(number) => number.to_string(),
        Value::Written(text) => text.clone(),
        Value::Flag(flag) => flag.to_string(),
        Value::Day(day) => day.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(value_text).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Table(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, value)| format!("{} = {}", key_text(key), value_text(value)));
            format!("{{ {} }}", entries.collect::<Vec<String>>().join(", "))
        }
    }
}

/// Keys as TOML writes them, with dots between.
pub(crate) fn path_text(keys: &[String]) -> String {
    keys.iter().map(|key| key_text(key)).collect::<Vec<String>>().join(".")
}

/// A key: bare where TOML allows it, else in quotes.
fn key_text(key: &str) -> String {
    if !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        key.to_owned()
    } else {
        plainly_quoted(key).unwrap_or_else(|| quoted_key(key))
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
    use std::collections::BTreeMap;

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

    /// The lives of a member in two versions.
    fn of_both(one: &str, two: &str) -> BTreeMap<String, Element> {
        [("v1".to_owned(), life(one, None)), ("v2".to_owned(), life(two, None))].into()
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
        let old = life("1.0", Some("1.3"));
        let text = written(vec![
            ("Bolt", kind(&[("v1beta1", old.clone())])),
            (
                "Nut",
                kind(&[("v1beta1", life("1.1", Some("1.2"))), ("v1", life("1.2", None))]),
            ),
            ("Washer", kind(&[("v1beta1", old), ("v1", life("1.2", None))])),
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
        bolt.parts
            .insert(MemberName::Field("spec.size".into()), of_both("1.0", "1.2"));
        bolt.parts
            .insert(MemberName::Field("spec.head".into()), of_both("1.3", "1.3"));
        bolt.parts
            .insert(MemberName::Field("spec.thread".into()), of_both("1.3", "1.2"));
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
