//! What a generator left where nobody reads it.

use crate::diagnostic::{Severity, nearest};

use super::node::{Node, Role};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-leftover",
    title: "A marker stands in a description, or a keyword is none: neither has an effect.",
    page: include_str!("leftover.md"),
    codes: &[
        ("marker", Severity::Warning),
        ("keyword", Severity::Warning),
        ("keyword-value", Severity::Error),
    ],
    look,
};

/// How markers begin that generators of definitions read.
const MARKERS: [&str; 14] = [
    "+kubebuilder:",
    "+k8s:",
    "+optional",
    "+required",
    "+nullable",
    "+default=",
    "+listType=",
    "+listMapKey=",
    "+mapType=",
    "+structType=",
    "+enum",
    "+genclient",
    "+operator-sdk:",
    "+unionDiscriminator",
];

/// Keywords that schemas of definitions may have: those of `JSONSchemaProps` in `apiextensions.k8s.io/v1`.
const KEYWORDS: [&str; 43] = [
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "definitions",
    "dependencies",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "id",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
];

/// Keywords that no reader types, and that may have any value.
const UNTYPED: [&str; 9] = [
    "$schema",
    "additionalItems",
    "definitions",
    "dependencies",
    "example",
    "externalDocs",
    "id",
    "patternProperties",
    "title",
];

const RULES: &str = "x-kubernetes-validations";

fn look(node: &Node<'_>, found: &mut Found) {
    if let Some(marker) = node.schema.description.as_deref().and_then(marker) {
        found.add(
            "marker",
            format!(
                "the description of {} has the marker `{marker}`, which was taken for text",
                node.words()
            ),
            "write the marker on a line of its own, right above the field, `// +` and its name; then generate anew",
        );
    }
    for key in node.schema.rest.keys().filter(|key| !UNTYPED.contains(&key.as_str())) {
        let known = KEYWORDS.contains(&key.as_str()) || key == RULES;
        if known {
            found.add(
                "keyword-value",
                format!("`{key}` of {} has a value that it cannot have", node.words()),
                "write a value of the keyword's type; servers refuse this definition",
            );
        } else {
            unknown(key, &node.words(), KEYWORDS.into_iter().chain([RULES]), found);
        }
    }
    if matches!(node.role, Role::Root) {
        for key in node.version.rest.keys() {
            let known = [
                "schema",
                "schema.openAPIV3Schema",
                "subresources",
                "additionalPrinterColumns",
                "deprecationWarning",
                "selectableFields",
            ];
            unknown(key, "the version", known.into_iter(), found);
        }
    }
}

fn unknown<'n>(key: &str, of: &str, known: impl Iterator<Item = &'n str>, found: &mut Found) {
    let help = match nearest(key, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "take it out, or say it in words that servers know: they drop what they do not".to_owned(),
    };
    found.add(
        "keyword",
        format!("`{key}` of {of} is no keyword: it has no effect"),
        help,
    );
}

/// The first marker in a description. What is shown there as code is no leftover: its lines begin with `//`.
fn marker(description: &str) -> Option<&str> {
    let mut before = "";
    for word in description.split_whitespace() {
        let begins = |marker: &str| {
            let has_value = !marker.ends_with(|last: char| last.is_ascii_alphanumeric());
            // A marker without a value ends with its name.
            word == marker || has_value && word.starts_with(marker)
        };
        if before != "//" && MARKERS.into_iter().any(begins) {
            return Some(word);
        }
        before = word;
    }
    None
}
