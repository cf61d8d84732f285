//! What importing costs compared with parsing alone.
//!
//! `cargo bench --bench import` makes a CRD of about a megabyte, in YAML, and a document of `OpenAPI` of about five, in
//! JSON. It times, in turn, reading each into an untyped value, and all that `lifecycle import` does with it: reading,
//! folding, writing the model. The figure that counts is the ratio of the two; absolute times depend on the machine.
//! `cargo bench --bench import -- swagger.json` takes a document of `OpenAPI` from a file instead.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

mod timing;

use std::fmt::Write as _;
use std::hint::black_box;

use lifecycle::import::kinds::{Parts, Shipped, fold};
use lifecycle::import::{Draft, Snapshot, crds, openapi, write};
use lifecycle::release::ReleaseName;
use serde_json::{Value, json};
use timing::{median, time};

/// Runs of each; the median counts.
const RUNS: usize = 21;

/// Bytes of the definition.
const SIZE: usize = 1_000_000;

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn main() {
    let sources = [
        Source {
            name: "crds",
            text: definition(),
            parse: parse_yaml,
            read: read_definition,
        },
        Source {
            name: "openapi",
            text: given().unwrap_or_else(document),
            parse: parse_json,
            read: read_document,
        },
    ];
    for source in &sources {
        for parts in [Parts::Changed, Parts::All] {
            let mut pairs = Vec::new();
            for run in 0..=RUNS {
                let parse = time(|| (source.parse)(&source.text));
                let import = time(|| import((source.read)(&source.text), parts));
                // The first run only warms the caches.
                if run > 0 {
                    pairs.push((parse, import));
                }
            }
            let mut ratios: Vec<f64> = pairs
                .iter()
                .map(|(parse, import)| import.as_secs_f64() / parse.as_secs_f64())
                .collect();
            ratios.sort_by(f64::total_cmp);
            println!(
                "{}, {} bytes, {parts:?}: parse {:.1?}, import {:.1?}, ratio {:.2}",
                source.name,
                source.text.len(),
                median(pairs.iter().map(|(parse, _)| *parse)),
                median(pairs.iter().map(|(_, import)| *import)),
                ratios[ratios.len() / 2]
            );
        }
    }
}

/// The text of the file that is named, if one is.
#[expect(clippy::disallowed_methods, reason = "a benchmark is a program")]
fn given() -> Option<String> {
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'))?;
    Some(std::fs::read_to_string(named).expect("the file can be read"))
}

/// A text of one format.
struct Source {
    name: &'static str,
    text: String,
    /// Parses it into an untyped value.
    parse: fn(&str),
    /// Reads what a release has.
    read: fn(&str) -> Snapshot,
}

fn parse_yaml(text: &str) {
    let value: Value = serde_saphyr::from_str(text).expect("the definition is YAML");
    black_box(value);
}

fn parse_json(text: &str) {
    let value: Value = serde_json::from_str(text).expect("the document is JSON");
    black_box(value);
}

fn read_definition(text: &str) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for definition in crds::read(text).expect("the definition can be read").definitions {
        let added = snapshot.add(&definition);
        assert!(added, "there is one");
    }
    snapshot
}

fn read_document(text: &str) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for kind in openapi::read(text).expect("the document can be read").kinds {
        let added = snapshot.add(&kind);
        assert!(added, "each is there once");
    }
    snapshot
}

fn import(snapshot: Snapshot, parts: Parts) {
    let shipped = Shipped {
        release: ReleaseName::new(1, 0),
        date: None,
        snapshot,
    };
    black_box(write(&fold(Draft::default(), &[shipped], parts).draft));
}

/// A document of about the shape and size of that of Kubernetes 1.36: [`KINDS`] kinds that are served, each with a list
/// and two schemas of its own, six paths per kind with two operations each, and [`SHARED`] schemas that refer to one
/// another: followed through, they are some eight hundred fields of every eighth kind, thirteen thousand in all.
fn document() -> String {
    let mut schemas = serde_json::Map::new();
    for at in 0..SHARED {
        // Each of the first has eleven fields more of the next level.
        let below = (at * 10 + 1..=at * 10 + 10).filter(|below| *below < SHARED);
        let below = below.map(|below| {
            (
                format!("partOfWhichTheNumberIs{below}"),
                reference(&format!("Shared{below}")),
            )
        });
        let own = (0..9).map(|field| (format!("fieldOf{at}AndItsNumber{field}"), property(field)));
        schemas.insert(format!("io.example.Shared{at}"), schema(own.chain(below), None));
    }
    let mut paths = serde_json::Map::new();
    for at in 0..KINDS {
        let kind =
            json!({ "group": format!("group{}.example.com", at % 20), "version": "v1", "kind": format!("Kind{at}") });
        let shared = if at % 8 == 0 { "Shared0" } else { "Meta" };
        for (suffix, field) in [("Status", "Meta"), ("Spec", shared)] {
            let own = (0..6).map(|field| (format!("field{field}"), property(field)));
            let below = [("template".to_owned(), reference(field))];
            let properties = own.chain(below);
            schemas.insert(format!("io.example.Kind{at}{suffix}"), schema(properties, None));
        }
        let parts = [("spec", format!("Kind{at}Spec")), ("status", format!("Kind{at}Status"))];
        let parts = parts.map(|(name, schema)| (name.to_owned(), reference(&schema)));
        schemas.insert(format!("io.example.Kind{at}"), schema(parts.into_iter(), Some(&kind)));
        let items = json!({ "type": "array", "items": reference(&format!("Kind{at}")) });
        let list = schema([("items".to_owned(), items)].into_iter(), None);
        schemas.insert(format!("io.example.Kind{at}List"), list);
        let root = format!("/apis/group{}.example.com/v1", at % 20);
        let all = format!("{root}/namespaces/{{namespace}}/kind{at}s");
        for path in [
            all.clone(),
            format!("{all}/{{name}}"),
            format!("{all}/{{name}}/status"),
            format!("{root}/kind{at}s"),
            format!("{root}/watch/kind{at}s"),
            format!("{root}/watch/namespaces/{{namespace}}/kind{at}s"),
        ] {
            paths.insert(path, json!({ "get": operation(&kind), "delete": operation(&kind) }));
        }
    }
    let properties = (0..12).map(|field| (format!("meta{field}"), property(field)));
    schemas.insert("io.example.Meta".to_owned(), schema(properties, None));
    let document = json!({ "swagger": "2.0", "paths": paths, "definitions": schemas });
    serde_json::to_string_pretty(&document).expect("a value can be written")
}

/// Kinds of the document.
const KINDS: usize = 94;

/// Schemas that are shared by some of them.
const SHARED: usize = 85;

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/io.example.{name}"), "description": "What it is, in a sentence." })
}

fn schema(properties: impl Iterator<Item = (String, Value)>, kind: Option<&Value>) -> Value {
    let properties: serde_json::Map<String, Value> = properties.collect();
    let mut schema = json!({ "type": "object", "description": words(2), "properties": properties });
    if let Some(kind) = kind {
        schema["x-kubernetes-group-version-kind"] = json!([kind]);
    }
    schema
}

fn property(at: usize) -> Value {
    match at % 8 {
        0 => json!({ "type": "integer", "format": "int32", "description": words(4) }),
        1 => json!({
            "type": "array",
            "items": { "type": "string" },
            "x-kubernetes-list-type": "atomic",
            "description": words(4)
        }),
        7 => json!({ "type": "string", "enum": ["Small", "Large"], "default": "Small", "description": words(4) }),
        _ => json!({ "type": "string", "description": words(4) }),
    }
}

fn operation(kind: &Value) -> Value {
    let parameter = |name: usize| json!({ "in": "query", "name": format!("name{name}"), "type": "string", "uniqueItems": true, "description": words(1) });
    json!({
        "description": words(1),
        "produces": ["application/json", "application/yaml"],
        "parameters": (0..12).map(parameter).collect::<Vec<_>>(),
        "responses": { "200": { "description": "OK", "schema": reference("Meta") }, "401": { "description": "Unauthorized" } },
        "schemes": ["https"],
        "x-kubernetes-action": "get",
        "x-kubernetes-group-version-kind": kind,
    })
}

fn words(sentences: usize) -> String {
    "It says how large the thing is on that side, and what holds it. ".repeat(sentences)
}

/// A definition as generators write them: two versions, fields some steps deep, most of it descriptions.
fn definition() -> String {
    let mut text = String::from(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names:\n    \
         kind: Widget\n    plural: widgets\n  versions:\n",
    );
    for (version, storage) in [("v1beta1", false), ("v1", true)] {
        let _ = write!(
            text,
            "  - name: {version}\n    served: true\n    storage: {storage}\n    schema:\n      openAPIV3Schema:\n        \
             type: object\n        properties:\n"
        );
        let end = if storage { SIZE } else { SIZE / 2 };
        for part in 0.. {
            if text.len() >= end {
                break;
            }
            let _ = write!(
                text,
                "          part{part}:\n            type: object\n            properties:\n"
            );
            for field in 0..12 {
                let _ = write!(
                    text,
                    "              field{field}:\n                description: |-\n                  Field {field} of part {part} says \
                     how large the widget is on that side.\n                  Defaults to what was there before.\n                \
                     type: string\n                enum:\n                - Small\n                - Large\n"
                );
            }
        }
    }
    text
}
