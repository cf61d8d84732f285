//! The list of kubepug, in JSON: an entry a kind.

use std::collections::BTreeMap;

use super::node::{Node, text, unread};
use super::{Api, Entry, Listed, Told, name};
use crate::grammar::CORE;
use crate::release::ReleaseName;
use crate::text::{LARGEST, Unreadable, at, bounded_json, of_json};

/// What an entry may say.
const KEYS: [&str; 8] = [
    "group",
    "version",
    "kind",
    "description",
    "introduced_version",
    "deprecated_version",
    "removed_version",
    "replacement",
];

/// Reads a list. Entries that cannot be understood are told and left out.
///
/// # Errors
///
/// If the text is no list in JSON, or costs too much to read.
pub fn read(list: &str) -> Result<Listed, Unreadable> {
    if list.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    bounded_json(list)?;
    let mut cursor = Cursor {
        rest: list,
        line: 1,
        column: 1,
    };
    let mut listed = Listed::default();
    cursor.skip(list.len() - list.trim_start_matches('\u{feff}').len());
    if cursor.peek() != Some('[') {
        return Err(at(
            cursor.line,
            cursor.column,
            "no list: a list of kubepug begins with `[`",
        ));
    }
    cursor.skip(1);
    let mut next = cursor.peek();
    while next != Some(']') {
        cursor.peek();
        let line = cursor.line;
        let node = cursor.value()?;
        match entry(&node, line, &mut listed.told) {
            Ok(entry) => listed.entries.push(entry),
            Err(reason) => listed.told.push(Told { line, reason }),
        }
        next = cursor.peek();
        match next {
            Some(',') => cursor.skip(1),
            Some(']') => {}
            _ => return Err(at(cursor.line, cursor.column, "expected `,` or `]`")),
        }
    }
    cursor.skip(1);
    match cursor.peek() {
        None => Ok(listed),
        Some(_) => Err(at(cursor.line, cursor.column, "there is more after the list")),
    }
}

/// A place in the list: the parser tells none of the values it has read.
struct Cursor<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
}

impl Cursor<'_> {
    /// Goes on by so many bytes.
    fn skip(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        for c in passed.chars() {
            (self.line, self.column) = match c {
                '\n' => (self.line.saturating_add(1), 1),
                _ => (self.line, self.column.saturating_add(1)),
            };
        }
        self.rest = rest;
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        self.skip(self.rest.len() - self.rest.trim_start().len());
        self.rest.chars().next()
    }

    /// Reads one value.
    fn value(&mut self) -> Result<Node, Unreadable> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<Node>();
        let value = values.next();
        let length = values.byte_offset();
        match value {
            Some(Ok(node)) => {
                self.skip(length);
                Ok(node)
            }
            Some(Err(problem)) => {
                let fault = of_json(&problem);
                let column = match fault.line {
                    1 => self.column.saturating_add(fault.column - 1),
                    _ => fault.column,
                };
                Err(at(self.line.saturating_add(fault.line - 1), column, fault.reason))
            }
            None => Err(at(self.line, self.column, "the list has no end")),
        }
    }
}

fn entry(node: &Node, line: u32, told: &mut Vec<Told>) -> Result<Entry, String> {
    let table = node.table()?;
    let entry = Entry {
        line,
        component: None,
        api: api(table)?,
        introduced: release(table, "introduced_version")?,
        deprecated: release(table, "deprecated_version")?,
        removed: release(table, "removed_version")?,
        replacement: match table.get("replacement") {
            None | Some(Node::Nothing) => None,
            Some(node) => replacement(node).map_err(|reason| format!("`replacement`: {reason}"))?,
        },
        available: None,
    };
    told.extend(unread(table, &KEYS).map(|reason| Told { line, reason }));
    Ok(entry)
}

/// What replaces a kind; nothing where all its names are empty.
fn replacement(node: &Node) -> Result<Option<Api>, String> {
    let table = node.table()?;
    let mut names = ["group", "version", "kind"].iter().map(|key| text(table, key));
    if names.try_fold(true, |empty, name| Ok::<_, String>(empty && name?.is_empty()))? {
        return Ok(None);
    }
    api(table).map(Some)
}

fn api(table: &BTreeMap<String, Node>) -> Result<Api, String> {
    let group = match text(table, "group")? {
        "" => CORE,
        group => group,
    };
    Ok(Api {
        group: name(group, "group")?,
        version: name(text(table, "version")?, "version")?,
        kind: name(text(table, "kind")?, "kind")?,
    })
}

/// A release by its numbers; none where both are 0.
fn release(table: &BTreeMap<String, Node>, key: &str) -> Result<Option<ReleaseName>, String> {
    let table = match table.get(key) {
        None | Some(Node::Nothing) => return Ok(None),
        Some(node) => node.table().map_err(|reason| format!("`{key}`: {reason}"))?,
    };
    let number = |part: &str| match table.get(part) {
        None | Some(Node::Nothing) => Ok(0),
        Some(Node::Number(number)) => Ok(*number),
        Some(_) => Err(format!("`{key}`: `{part}` is no whole number")),
    };
    let (major, minor) = (number("version_major")?, number("version_minor")?);
    Ok(((major, minor) != (0, 0)).then(|| ReleaseName::new(major, minor)))
}
