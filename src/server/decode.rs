//! The types of the values in a CRD, as the server's decoder demands them. Keys that it does not know are ignored.

use super::node::Node;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

/// The type of a value.
#[derive(Debug)]
enum Shape {
    Text,
    Bool,
    /// A whole number from `-limit - 1` to `limit`.
    Whole(i64),
    Number,
    /// Any JSON.
    Any,
    List(&'static Shape),
    Map(&'static Shape),
    Table(&'static [(&'static str, &'static Shape)]),
    /// A schema.
    Schema,
    /// A schema or a list of schemas.
    SchemaOrList,
    /// A schema or a boolean.
    SchemaOrBool,
    /// A schema or a list of texts.
    SchemaOrTexts,
}

use Shape::{Any, Bool, List, Map, Number, Schema, SchemaOrBool, SchemaOrList, SchemaOrTexts, Table, Text, Whole};

const TEXTS: Shape = List(&Text);
const INT32: Shape = Whole(i32::MAX as i64);
const INT64: Shape = Whole(i64::MAX);

/// A `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.
const DEFINITION: Shape = Table(&[
    ("apiVersion", &Text),
    ("kind", &Text),
    ("metadata", &METADATA),
    ("spec", &SPEC),
]);

const METADATA: Shape = Table(&[
    ("name", &Text),
    ("generateName", &Text),
    ("namespace", &Text),
    ("labels", &Map(&Text)),
    ("annotations", &Map(&Text)),
    ("finalizers", &TEXTS),
]);

const SPEC: Shape = Table(&[
    ("group", &Text),
    ("names", &NAMES),
    ("scope", &Text),
    ("versions", &List(&VERSION)),
    ("conversion", &CONVERSION),
    ("preserveUnknownFields", &Bool),
]);

const NAMES: Shape = Table(&[
    ("plural", &Text),
    ("singular", &Text),
    ("shortNames", &TEXTS),
    ("kind", &Text),
    ("listKind", &Text),
    ("categories", &TEXTS),
]);

const VERSION: Shape = Table(&[
    ("name", &Text),
    ("served", &Bool),
    ("storage", &Bool),
    ("deprecated", &Bool),
    ("deprecationWarning", &Text),
    ("schema", &Table(&[("openAPIV3Schema", &Schema)])),
    ("subresources", &SUBRESOURCES),
    ("additionalPrinterColumns", &List(&COLUMN)),
    ("selectableFields", &List(&Table(&[("jsonPath", &Text)]))),
]);

const SUBRESOURCES: Shape = Table(&[
    ("status", &Table(&[])),
    (
        "scale",
        &Table(&[
            ("specReplicasPath", &Text),
            ("statusReplicasPath", &Text),
            ("labelSelectorPath", &Text),
        ]),
    ),
]);

const COLUMN: Shape = Table(&[
    ("name", &Text),
    ("type", &Text),
    ("format", &Text),
    ("description", &Text),
    ("priority", &INT32),
    ("jsonPath", &Text),
]);

const CONVERSION: Shape = Table(&[
    ("strategy", &Text),
    (
        "webhook",
        &Table(&[("clientConfig", &CLIENT), ("conversionReviewVersions", &TEXTS)]),
    ),
]);

const CLIENT: Shape = Table(&[
    ("url", &Text),
    ("caBundle", &Text),
    (
        "service",
        &Table(&[("namespace", &Text), ("name", &Text), ("path", &Text), ("port", &INT32)]),
    ),
]);

const RULE: Shape = Table(&[
    ("rule", &Text),
    ("message", &Text),
    ("messageExpression", &Text),
    ("reason", &Text),
    ("fieldPath", &Text),
    ("optionalOldSelf", &Bool),
]);

/// The keywords of schemas.
const KEYWORDS: &[(&str, &Shape)] = &[
    ("id", &Text),
    ("$schema", &Text),
    ("$ref", &Text),
    ("description", &Text),
    ("type", &Text),
    ("format", &Text),
    ("title", &Text),
    ("default", &Any),
    ("maximum", &Number),
    ("exclusiveMaximum", &Bool),
    ("minimum", &Number),
    ("exclusiveMinimum", &Bool),
    ("maxLength", &INT64),
    ("minLength", &INT64),
    ("pattern", &Text),
    ("maxItems", &INT64),
    ("minItems", &INT64),
    ("uniqueItems", &Bool),
    ("multipleOf", &Number),
    ("enum", &List(&Any)),
    ("maxProperties", &INT64),
    ("minProperties", &INT64),
    ("required", &TEXTS),
    ("items", &SchemaOrList),
    ("allOf", &List(&Schema)),
    ("oneOf", &List(&Schema)),
    ("anyOf", &List(&Schema)),
    ("not", &Schema),
    ("properties", &Map(&Schema)),
    ("additionalProperties", &SchemaOrBool),
    ("patternProperties", &Map(&Schema)),
    ("dependencies", &Map(&SchemaOrTexts)),
    ("additionalItems", &SchemaOrBool),
    ("definitions", &Map(&Schema)),
    ("externalDocs", &Table(&[("description", &Text), ("url", &Text)])),
    ("example", &Any),
    ("nullable", &Bool),
    ("x-kubernetes-preserve-unknown-fields", &Bool),
    ("x-kubernetes-embedded-resource", &Bool),
    ("x-kubernetes-int-or-string", &Bool),
    ("x-kubernetes-list-map-keys", &TEXTS),
    ("x-kubernetes-list-type", &Text),
    ("x-kubernetes-map-type", &Text),
    ("x-kubernetes-validations", &List(&RULE)),
];

impl Shape {
    fn words(&self) -> &'static str {
        match self {
            Text => "a text",
            Bool => "`true` or `false`",
            Whole(_) => "a whole number",
            Number => "a number",
            Any => "a value",
            List(_) => "a list",
            Map(_) | Table(_) => "a table",
            Schema | SchemaOrList => "a schema",
            SchemaOrBool => "a schema, `true` or `false`",
            SchemaOrTexts => "a schema or a list of texts",
        }
    }
}

/// Reports the values of a CRD that have the wrong type.
pub(super) fn check(definition: &Node<'_, '_>, found: &mut Refusals) {
    value(definition, (&DEFINITION, Class::Undecodable), found);
}

/// `class`: that of a wrong value, which differs within schemas.
fn value(node: &Node<'_, '_>, (shape, class): (&Shape, Class), found: &mut Refusals) {
    match (shape, node.value) {
        (_, Tree::Null)
        | (Any, _)
        | (Text, Tree::Text(_))
        | (Bool | SchemaOrBool, Tree::Bool(_))
        | (Number, Tree::Number(_)) => {}
        (Whole(limit), Tree::Number(number)) if number.as_i64().is_some_and(|it| it <= *limit && it >= -*limit - 1) => {
        }
        (List(of), Tree::List(_)) => node.items().for_each(|item| value(&item, (of, class), found)),
        (SchemaOrList, Tree::List(_)) => node.items().for_each(|item| value(&item, (&Schema, class), found)),
        (SchemaOrTexts, Tree::List(_)) => node.items().for_each(|item| value(&item, (&Text, class), found)),
        (Map(of), Tree::Table(_)) => node.values().for_each(|(_, entry)| value(&entry, (of, class), found)),
        (Table(keys), Tree::Table(_)) => table(node, (keys, class), found),
        (Schema | SchemaOrList | SchemaOrBool | SchemaOrTexts, Tree::Table(_)) => {
            table(node, (KEYWORDS, Class::KeywordValue), found);
        }
        _ => wrong(node, (shape, class), found),
    }
}

fn table(node: &Node<'_, '_>, (keys, class): (&[(&str, &Shape)], Class), found: &mut Refusals) {
    for (key, shape) in keys {
        if let Some(entry) = node.child(key) {
            value(&entry, (shape, class), found);
        }
    }
}

fn wrong(node: &Node<'_, '_>, (shape, class): (&Shape, Class), found: &mut Refusals) {
    let wanted = shape.words();
    found.add(
        class,
        node,
        format!("`{}` is {}, not {wanted}", node.path.name(), called(node.value)),
        match (shape, node.value) {
            (Text, _) => "in YAML, put the value in quotes".to_owned(),
            (Bool | Whole(_) | Number, Tree::Text(_)) => "remove the quotes".to_owned(),
            (List(_), _) => "write a list: `[value]`".to_owned(),
            _ => format!("write {wanted}"),
        },
    );
}

fn called(value: &Tree) -> &'static str {
    match value {
        Tree::Null => "empty",
        Tree::Bool(_) => "a boolean",
        Tree::Number(_) => "a number",
        Tree::Text(_) => "a text",
        Tree::List(_) => "a list",
        Tree::Table(_) => "a table",
    }
}

/// Whether schemas have a keyword.
pub(super) fn is_keyword(key: &str) -> bool {
    KEYWORDS.iter().any(|(known, _)| *known == key)
}
