//! Markers in descriptions and unknown keywords: both have no effect.

use crate::diagnostic::{Severity, nearest};

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-leftover",
    title: "A marker in a description or an unknown keyword has no effect.",
    page: include_str!("leftover.md"),
    codes: &[
        ("marker", Severity::Warning),
        ("keyword", Severity::Warning),
        ("keyword-value", Severity::Error),
    ],
    opt_in: false,
    run: Some(check),
};

/// Beginnings of the markers that CRD generators read.
const MARKERS: &str = "+kubebuilder: +k8s: +optional +required +nullable +default= +listType= +listMapKey= +mapType= +structType= \
    +enum +genclient +operator-sdk: +unionDiscriminator";

/// Keywords that schemas of CRDs may have: the fields of `JSONSchemaProps` in `apiextensions.k8s.io/v1`.
const KEYWORDS: &str = "$ref $schema additionalItems additionalProperties allOf anyOf default definitions dependencies description \
    enum example exclusiveMaximum exclusiveMinimum externalDocs format id items maxItems maxLength maxProperties \
    maximum minItems minLength minProperties minimum multipleOf not nullable oneOf pattern patternProperties \
    properties required title type uniqueItems x-kubernetes-embedded-resource x-kubernetes-int-or-string \
    x-kubernetes-list-map-keys x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-preserve-unknown-fields";

/// Keywords that may have any value.
const UNTYPED: &str =
    "$schema additionalItems definitions dependencies example externalDocs id patternProperties title";

/// Keys that versions may have.
const OF_VERSION: &str =
    "schema schema.openAPIV3Schema subresources additionalPrinterColumns deprecationWarning selectableFields";

const RULES: &str = "x-kubernetes-validations";

fn check(node: &Node<'_>, problems: &mut Problems) {
    if let Some(marker) = node.schema.description.as_deref().and_then(marker) {
        problems.add(
            "marker",
            format!(
                "the description of {} contains the marker `{marker}`, which the generator took for text",
                node.words()
            ),
            "write the marker on a line of its own directly above the field (`// +…`), and regenerate the CRD",
        );
    }
    for key in node
        .schema
        .rest
        .keys()
        .filter(|key| !UNTYPED.split(' ').any(|untyped| untyped == *key))
    {
        // A known keyword is here for a value of the wrong type, for which servers refuse the CRD.
        if !KEYWORDS.split(' ').chain([RULES]).any(|known| known == key.as_str()) {
            unknown(key, &node.words(), KEYWORDS.split(' ').chain([RULES]), problems);
        }
    }
    if matches!(node.role, Role::Root) {
        for key in node.version.rest.keys() {
            unknown(key, "the version", OF_VERSION.split(' '), problems);
        }
    }
}

fn unknown<'n>(key: &str, of: &str, known: impl Iterator<Item = &'n str>, problems: &mut Problems) {
    let help = match nearest(key, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "remove it, or use a keyword that servers know: they drop all others".to_owned(),
    };
    problems.add(
        "keyword",
        format!("`{key}` of {of} is not a keyword: it has no effect"),
        help,
    );
}

/// The first marker in a description, except in code, whose lines begin with `//`.
fn marker(description: &str) -> Option<&str> {
    let mut before = "";
    for word in description.split_whitespace() {
        if before != "//" && MARKERS.split(' ').any(|marker| begins_with(word, marker)) {
            return Some(word);
        }
        before = word;
    }
    None
}

/// Whether a word is a marker, or begins with one that takes a value.
fn begins_with(word: &str, marker: &str) -> bool {
    let takes_value = !marker.ends_with(|last: char| last.is_ascii_alphanumeric());
    word == marker || takes_value && word.starts_with(marker)
}
