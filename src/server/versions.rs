//! The versions of a CRD and what they declare beside their schemas.

use std::collections::BTreeSet;

use super::dns::{LABEL, is_label};
use super::node::Node;
use super::path::Path;
use super::refusal::{Class, Refusals};
use super::schema_path::field_at;
use crate::schema::{Entry, Tree};

/// Fields by which objects can be selected.
const MOST_SELECTABLE: usize = 8;

/// Bytes of a warning.
const LONGEST_WARNING: usize = 256;

/// The list of versions: names, warnings, and which one is stored.
pub(super) fn check(spec: &Node<'_, '_>, versions: &[Node<'_, '_>], found: &mut Refusals) {
    let mut names = BTreeSet::new();
    let mut twice = None;
    for version in versions {
        let name = version.value.text("name");
        if !names.insert(name) {
            twice = Some(name);
        }
        if !is_label(name) {
            let message = match name {
                "" => "a version has no name".to_owned(),
                name => format!("`{name}` cannot be the name of a version"),
            };
            found.add_key(Class::Versions, version, "name", (message, format!("use {LABEL}")));
        }
        warning(version, found);
    }
    if let Some(name) = twice {
        let message = format!("two versions are named `{name}`");
        found.add_key(Class::Versions, spec, "versions", (message, "remove one, or rename it"));
    }
    let stored = versions.iter().filter(|version| version.value.says("storage")).count();
    if stored != 1 {
        let message = match (versions.len(), stored) {
            (0, _) => "the CRD has no version".to_owned(),
            (_, 0) => "no version is the storage version".to_owned(),
            (_, stored) => format!("{stored} versions are the storage version"),
        };
        let help = "set `storage: true` on exactly one version";
        found.add_key(Class::Versions, spec, "versions", (message, help));
    }
}

fn warning(version: &Node<'_, '_>, found: &mut Refusals) {
    let Some(node) = version.child("deprecationWarning") else {
        return;
    };
    let Tree::Text(text) = node.value else { return };
    let (reason, help) = if !version.value.says("deprecated") {
        (
            "is for deprecated versions",
            "set `deprecated: true`, or remove the warning",
        )
    } else if text.is_empty() {
        ("is empty", "remove it for the default warning, or write one")
    } else if text.len() > LONGEST_WARNING {
        ("is longer than 256 bytes", "shorten it")
    } else if !text.chars().all(is_printable) {
        (
            "has a line break or another character that cannot be printed",
            "write it on one line",
        )
    } else {
        return;
    };
    found.add(Class::Versions, &node, format!("`deprecationWarning` {reason}"), help);
}

/// Whether a character can be printed as it is: no control, no format character, and no blank but ` `.
fn is_printable(sign: char) -> bool {
    // Debug output escapes what cannot be printed and the first mark of a text, and these three for other reasons.
    let text: String = ['a', sign].into_iter().collect();
    matches!(sign, '"' | '\'' | '\\') || text.escape_debug().eq(text.chars())
}

/// What a version declares beside its schema, at the path where the server looks for it.
pub(super) fn subresources(subresources: &Node<'_, '_>, found: &mut Refusals) {
    let Some(scale) = subresources.child("scale") else {
        return;
    };
    let keys: [(&str, &[&str]); 3] = [
        ("specReplicasPath", &[".spec."]),
        ("statusReplicasPath", &[".status."]),
        ("labelSelectorPath", &[".spec.", ".status."]),
    ];
    for (key, below) in keys {
        let path = scale.value.text(key);
        let help = format!("write a path such as `{}replicas`", below.last().unwrap_or(&"."));
        if path.is_empty() {
            if key != "labelSelectorPath" {
                found.add_key(
                    Class::Subresources,
                    &scale,
                    key,
                    (format!("the scale has no `{key}`"), help),
                );
            }
        } else if !below.iter().any(|below| path.starts_with(below)) {
            let below: Vec<_> = below.iter().map(|below| format!("`{below}`")).collect();
            let message = format!("`{key}` is `{path}`, which does not begin with {}", below.join(" or "));
            found.add_key(Class::Subresources, &scale, key, (message, help));
        }
    }
}

const COLUMN_TYPES: [&str; 5] = ["integer", "number", "string", "boolean", "date"];
const COLUMN_FORMATS: [&str; 8] = [
    "int32",
    "int64",
    "float",
    "double",
    "byte",
    "date",
    "date-time",
    "password",
];

pub(super) fn columns(columns: &Node<'_, '_>, found: &mut Refusals) {
    for column in columns.items() {
        let name = column.value.text("name");
        if name.is_empty() {
            found.add_key(
                Class::Columns,
                &column,
                "name",
                ("a printer column has no name", "name it"),
            );
        }
        let (kind, format) = (column.value.text("type"), column.value.text("format"));
        if !COLUMN_TYPES.contains(&kind) {
            let message = match kind {
                "" => format!("the printer column `{name}` has no type"),
                kind => format!("the printer column `{name}` has the type `{kind}`"),
            };
            let help = format!("use one of {}", COLUMN_TYPES.join(", "));
            found.add_key(Class::Columns, &column, "type", (message, help));
        }
        if !format.is_empty() && !COLUMN_FORMATS.contains(&format) {
            let message = format!("the printer column `{name}` has the format `{format}`");
            let help = format!("use one of {}", COLUMN_FORMATS.join(", "));
            found.add_key(Class::Columns, &column, "format", (message, help));
        }
        let path = column.value.text("jsonPath");
        if !path.starts_with('.') {
            let message = match path {
                "" => format!("the printer column `{name}` has no `jsonPath`"),
                path => format!("the path of the printer column `{name}` does not begin with a dot: `{path}`"),
            };
            let node = Node {
                path: column.path.child("JSONPath"),
                place: column.place_of("jsonPath"),
                ..column
            };
            found.add(Class::Columns, &node, message, "write a path such as `.status.phase`");
        }
    }
}

/// The fields by which objects can be selected; `schema` is that of the objects.
pub(super) fn selectable(fields: &Node<'_, '_>, schema: Option<&Tree>, found: &mut Refusals) {
    let Some(schema) = schema else {
        let message = "fields can only be selected in a version with a schema of its own: servers know one schema for all \
                       versions where they are equal";
        let help = "select the same fields in all versions";
        found.add(Class::SelectableFields, fields, message, help);
        return;
    };
    let mut paths = BTreeSet::new();
    for field in fields.items() {
        let path = field.value.text("jsonPath");
        if let Err(reason) = select(path, schema) {
            let message = format!("the selectable field `{path}` {reason}");
            let help = "name a text, boolean or integer that the schema declares: `.spec.color`";
            found.add_key(Class::SelectableFields, &field, "jsonPath", (message, help));
        } else if !paths.insert(path) {
            let message = format!("the selectable field `{path}` is listed twice");
            found.add_key(Class::SelectableFields, &field, "jsonPath", (message, "remove one"));
        }
    }
    if paths.len() > MOST_SELECTABLE {
        let message = format!(
            "{} fields are selectable; servers accept {MOST_SELECTABLE}",
            paths.len()
        );
        found.add(Class::SelectableFields, fields, message, "remove some");
    }
}

fn select(path: &str, schema: &Tree) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("has no path");
    }
    if path.contains(['[', ']']) {
        return Err("has brackets");
    }
    let field = field_at(path, schema)?;
    if path == ".metadata" || path.starts_with(".metadata.") {
        return Err("is in the metadata");
    }
    match field.text("type") {
        "string" | "boolean" | "integer" => Ok(()),
        _ => Err("is no text, boolean or integer"),
    }
}

/// What all versions of a CRD say in the same words stands above them for the server.
#[derive(Debug)]
pub(super) enum Shared<'t> {
    /// All say the same, or nothing.
    Same(Option<&'t Entry>),
    /// They differ.
    Different,
}

impl<'t> Shared<'t> {
    pub(super) fn of(versions: &[Node<'t, '_>], key: &str) -> Self {
        let mut values = versions.iter().map(|version| version.value.entry(key));
        let first = values.next().flatten();
        let same = values.all(|other| match (first, other) {
            (None, None) => true,
            (Some(one), Some(other)) => one.value.same(&other.value),
            _ => false,
        });
        if same { Self::Same(first) } else { Self::Different }
    }

    /// What is shared, at its path in the specification; or that of each version, at its own.
    pub(super) fn visit(
        &self,
        spec: &Node<'t, '_>,
        versions: &[Node<'t, '_>],
        (above, within): (&str, &str),
        visitor: &mut impl FnMut(&Node<'t, '_>),
    ) {
        match self {
            Self::Same(None) => {}
            Self::Same(Some(entry)) => {
                let path: Path<'_> = spec.path.child(above);
                visitor(&Node {
                    value: &entry.value,
                    path,
                    place: entry.place.or(spec.place),
                });
            }
            Self::Different => {
                for node in versions.iter().filter_map(|version| version.child(within)) {
                    visitor(&node);
                }
            }
        }
    }
}
