//! Linting CRDs.

#![cfg(test)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use lifecycle::Document;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{Linted, Load};
use lifecycle::lint::CHECKS;
use lifecycle::policy::Law;
use lifecycle::render::formats::REPORT_FORMATS;
use lifecycle::{FileId, Sources};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde_json::{Value as Json, json};

use crate::history::Repository;
use crate::program::{finish, folder, program, run_in, run_on};
use crate::support::{Mark, agrees_with_snapshot, in_marks, marks};

/// A CRD up to its versions.
const HEAD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cars.example.com}
spec:
  group: example.com
  names: {kind: Car, plural: cars}
  scope: Namespaced
  versions:
";

/// The CRD of a kind with one version; a whole CRD stays as it is.
fn definition(version: &str) -> String {
    if version.starts_with("apiVersion:") {
        return version.to_owned();
    }
    let mut text = HEAD.to_owned();
    for (at, line) in version.lines().enumerate() {
        text.push_str(if at == 0 { "  - " } else { "    " });
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The default law, read once.
pub(crate) fn law() -> &'static Law {
    static LAW: LazyLock<Law> = LazyLock::new(|| Load::new(&[]).law_alone().expect("the built-in policy can be read"));
    &LAW
}

pub(crate) fn lint(text: &str) -> Linted {
    let mut linted = Linted::default();
    let file = Sources::new().add("crd.yaml", text);
    let templates = linted.add(law(), file, text).expect("the text can be read");
    assert!(templates.is_empty(), "{text}");
    linted
}

/// The findings in a text; those that are reported only if asked for are of one check, if any.
fn found(text: &str, asked_for: Option<&str>) -> Vec<Mark> {
    let mut linted = Linted::new(asked_for.is_some());
    let file = Sources::new().add("crd.yaml", text);
    linted.add(law(), file, text).expect("the text can be read");
    let mut marks = in_marks(text, linted.findings());
    let opt_in = |slug: &str| CHECKS.iter().any(|check| check.slug == slug && check.opt_in);
    marks.retain(|(_, _, slug, _)| !opt_in(slug) || asked_for == Some(slug));
    marks
}

/// The `yaml` blocks of a page.
fn versions(page: &str) -> Vec<&str> {
    let parts = page.split("```yaml\n").skip(1);
    parts
        .map(|rest| rest.split_once("```").expect("a block ends").0)
        .collect()
}

#[test]
fn every_version_on_a_page_has_exactly_the_marked_findings() {
    for check in CHECKS {
        let versions = versions(check.page);
        let (silent, complaining) = versions.split_last().expect("a page shows versions");
        for version in &versions {
            let text = definition(version);
            let asked_for = check.opt_in.then_some(check.slug);
            assert_eq!(found(&text, asked_for), marks(&text), "{}:\n{text}", check.slug);
        }
        let marked: Vec<Mark> = complaining.iter().flat_map(|version| marks(version)).collect();
        for (code, severity) in check.codes {
            let severity = if check.opt_in { Severity::Note } else { *severity };
            if severity == Severity::Off {
                continue;
            }
            let is_it = |(_, how, slug, found): &Mark| {
                (how.as_str(), slug.as_str(), found.as_str()) == (severity.as_str(), check.slug, *code)
            };
            assert!(marked.iter().any(is_it), "{}: {code} is not shown", check.slug);
        }
        assert_eq!(marks(silent), [], "{}", check.slug);
    }
}

/// Rule, code and path of each finding, in order.
fn reported(text: &str) -> Vec<String> {
    let one = |finding: &Diagnostic| {
        let path = finding
            .element
            .as_deref()
            .and_then(|element| element.split(" .").nth(1));
        format!("{}:{} {}", finding.rule, finding.code, path.unwrap_or("-"))
    };
    lint(text).findings().iter().map(one).collect()
}

/// A version whose objects have these properties, with the subresource `status`.
fn version(properties: &str) -> String {
    let head = "name: v1\nserved: true\nstorage: true\nsubresources: {status: {}}\nschema:\n  openAPIV3Schema:\n    \
                type: object\n    properties:\n";
    let mut text = head.to_owned();
    for line in properties.trim().lines() {
        let _ = writeln!(text, "      {line}");
    }
    definition(&text)
}

/// A version with one field, required in a required spec, of a schema in JSON.
fn field(schema: &str) -> String {
    version(&format!(
        "status: {{type: object}}\nspec: {{type: object, default: {{}}, properties: {{x: {schema}}}}}"
    ))
}

#[test]
fn a_default_that_a_server_takes_is_not_reported() {
    let fits = [
        "{type: string, default: ''}",
        "{type: string, nullable: true, minLength: 1, default: a}",
        "{type: integer, minimum: 1, default: 1}",
        "{type: integer, minimum: 1, exclusiveMinimum: true, default: 2}",
        "{type: integer, default: 1.0}",
        "{type: number, enum: [1, 2], default: 1.0}",
        "{type: string, maxLength: 1, default: ä}",
        "{type: string, pattern: '^(a|b)$', default: b}",
        // An unsupported pattern is not checked.
        "{type: string, pattern: '(?!a)b', default: a}",
        "{x-kubernetes-int-or-string: true, default: 80}",
        "{x-kubernetes-int-or-string: true, default: http}",
        "{type: object, additionalProperties: {type: string}, default: {a: b}}",
        "{type: object, x-kubernetes-preserve-unknown-fields: true, default: {a: b}}",
        "{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: string}}, default: {apiVersion: v1, kind: Pod}}",
        // Without `anyOf`, servers do not ask for one of the two types.
        "{x-kubernetes-int-or-string: true, default: 1.5}",
        "{type: integer, multipleOf: 5, default: 10}",
        "{type: string, anyOf: [{pattern: a}, {pattern: b}], default: b}",
        "{type: object, properties: {a: {type: string}}, anyOf: [{required: [a]}], default: {a: b}}",
        "{type: string, not: {enum: [a]}, default: b}",
        "{type: string, default: null}",
    ];
    for schema in fits {
        let reported = reported(&field(schema));
        let of_defaults = reported
            .iter()
            .filter(|reported| reported.starts_with("crd-default-invalid"));
        assert_eq!(of_defaults.count(), 0, "{schema}: {reported:?}");
    }
}

#[test]
fn a_default_that_a_server_refuses_is_found() {
    let invalid = [
        ("{type: string, default: 1}", "value"),
        ("{type: string, minLength: 1, default: ''}", "value"),
        ("{type: string, maxLength: 1, default: ab}", "value"),
        ("{type: string, enum: [a], default: b}", "value"),
        ("{type: string, pattern: '^a$', default: b}", "value"),
        ("{type: integer, default: 1.5}", "value"),
        (
            "{type: integer, minimum: 1, exclusiveMinimum: true, default: 1}",
            "value",
        ),
        ("{type: integer, maximum: 1, default: 2}", "value"),
        (
            "{type: integer, maximum: 1, exclusiveMaximum: true, default: 1}",
            "value",
        ),
        ("{type: integer, multipleOf: 5, default: 11}", "value"),
        ("{type: boolean, default: 'true'}", "value"),
        (
            "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], default: 1.5}",
            "value",
        ),
        (
            "{type: array, items: {type: string}, minItems: 1, default: []}",
            "value",
        ),
        (
            "{type: array, items: {type: string}, maxItems: 1, default: [a, b]}",
            "value",
        ),
        ("{type: array, items: {type: string}, default: [a, 1]}", "value"),
        (
            "{type: object, additionalProperties: {type: string}, default: {a: 1}}",
            "value",
        ),
        (
            "{type: object, additionalProperties: {type: string}, maxProperties: 1, default: {a: b, c: d}}",
            "value",
        ),
        (
            "{type: object, additionalProperties: {type: string}, minProperties: 1, default: {}}",
            "value",
        ),
        (
            "{type: object, properties: {a: {type: string}}, default: {a: null}}",
            "value",
        ),
        (
            "{type: string, allOf: [{pattern: a}, {pattern: b}], default: b}",
            "value",
        ),
        (
            "{type: string, oneOf: [{pattern: a}, {pattern: b}], default: ab}",
            "value",
        ),
        ("{type: string, not: {enum: [a]}, default: a}", "value"),
        (
            "{type: object, required: [a], properties: {a: {type: string, default: b}}, default: {}}",
            "missing-field",
        ),
        (
            "{type: object, properties: {a: {type: string}}, default: {b: c}}",
            "unknown-field",
        ),
        (
            "{type: object, x-kubernetes-embedded-resource: true, default: {spec: {}}}",
            "unknown-field",
        ),
    ];
    for (schema, code) in invalid {
        let reported = reported(&field(schema));
        let expected = format!("crd-default-invalid:{code} spec.x");
        assert!(reported.contains(&expected), "{schema}: {reported:?}");
    }
}

#[test]
fn each_check_finds_what_it_should() {
    let cases = [
        (
            "spec: {type: object, properties: {x: {type: array, items: {type: string}}}}",
            "crd-list-type:missing spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: array, x-kubernetes-list-type: map, items: {type: object}}}}",
            "crd-list-type:keys spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: array, x-kubernetes-list-type: set, items: {type: object}}}}",
            "crd-list-type:set-of-objects spec.x[]",
        ),
        (
            "spec: {type: object, properties: {x: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], \
             items: {type: object, required: [a], properties: {a: {type: string, nullable: true}}}}}}",
            "crd-list-type:keys spec.x[].a",
        ),
        (
            "spec: {type: object, properties: {x: {type: [string, 'null']}}}",
            "crd-leftover:keyword-value spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: integer, exclusiveMinimum: 5}}}",
            "crd-leftover:keyword-value spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: object, properties: {enabled: {type: boolean, default: true}}}}}",
            "crd-nested-default:nested spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: object, description: 'If unset, defaults apply.', properties: {\
             a: {type: string, default: b}}}}}",
            "crd-nested-default:nested spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: string, description: 'REQUIRED. The mode.'}}}",
            "crd-requiredness:said-required spec.x",
        ),
        (
            "spec: {type: object, required: [x], properties: {x: {type: string, pattern: '^[a-z]*$'}}}",
            "crd-required-zero:string spec.x",
        ),
        (
            "spec: {type: object, properties: {x: {type: object, additionalProperties: {type: array}}}}",
            "crd-map:of-lists spec.x",
        ),
        (
            "status: {type: object, properties: {x: {type: array, items: {type: number}}}}",
            "crd-float:status status.x[]",
        ),
        (
            "spec: {type: object, description: 'A spec.\n\n  +optional', properties: {x: {type: boolean}}}",
            "crd-leftover:marker spec",
        ),
        (
            "status: {type: object, properties: {itemCount: {type: integer}}}",
            "crd-counter-default:missing status.itemCount",
        ),
        (
            "spec: {type: object, required: [x], properties: {x: {type: boolean}}}",
            "crd-optional-parent:never-asked spec",
        ),
    ];
    for (properties, expected) in cases {
        let reported = reported(&version(properties));
        assert!(
            reported.iter().any(|reported| reported == expected),
            "{properties}: {reported:?}"
        );
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a list of cases")]
fn no_check_reports_what_is_intended() {
    let cases = [
        // A claim under a condition is none.
        (
            "spec: {type: object, required: [y], properties: {y: {type: integer}, x: {type: string, description: REQUIRED \
             if mode is MUTUAL.}}}",
            "crd-requiredness:said",
        ),
        (
            "spec: {type: object, required: [y], properties: {y: {type: integer}, x: {type: string, description: 'Required: \
             when y is 1.'}}}",
            "crd-requiredness:said",
        ),
        // Presence turns something on.
        (
            "spec: {type: object, properties: {x: {type: object, description: 'If unset, x is disabled. Has a default.', \
             properties: {a: {type: integer, default: 1}}}}}",
            "crd-nested",
        ),
        // Presence has a meaning, or is one of several alternatives.
        (
            "spec: {type: object, properties: {x: {type: object, required: [b], properties: {a: {default: c}, b: {}}}}}",
            "crd-nested",
        ),
        (
            "spec: {type: object, oneOf: [{required: [x]}], properties: {x: {type: object, properties: {a: {default: c}}}}}",
            "crd-nested",
        ),
        (
            "spec: {type: object, properties: {x: {type: object, nullable: true, properties: {a: {default: c}}}}}",
            "crd-nested",
        ),
        // The empty string is allowed on purpose.
        (
            "spec: {type: object, required: [x], properties: {x: {type: string, pattern: '^$|^[a-z]+$'}}}",
            "crd-required-zero",
        ),
        (
            "spec: {type: object, required: [x], properties: {x: {type: string, minLength: 0}}}",
            "crd-required-zero",
        ),
        (
            "spec: {type: object, required: [x], properties: {x: {type: string, format: date-time}}}",
            "crd-required-zero",
        ),
        (
            "status: {type: object, required: [x], properties: {x: {type: string}}}",
            "crd-required-zero",
        ),
        // Off by default.
        (
            "spec: {type: object, required: [x], properties: {x: {type: integer}}}",
            "crd-required-zero",
        ),
        // Code in a description.
        (
            "spec: {type: object, description: 'type T struct { // +optional // A int }', properties: {}}",
            "crd-leftover",
        ),
        (
            "spec: {type: object, description: 'a +optionally b 1 +required, c++', properties: {}}",
            "crd-leftover",
        ),
        (
            "spec: {type: object, title: t, example: {a: b}, externalDocs: {url: u}, properties: {}}",
            "crd-leftover",
        ),
        (
            "status: {type: object, properties: {observedGeneration: {type: integer}, discount: {type: integer}}}",
            "crd-counter",
        ),
        (
            "status: {type: object, properties: {replicas: {type: integer, default: 0}}}",
            "crd-counter",
        ),
        (
            "spec: {type: object, properties: {replicas: {type: integer}}}",
            "crd-counter",
        ),
        (
            "spec: {type: object, properties: {x: {type: object, additionalProperties: {type: string}}}}",
            "crd-map",
        ),
        (
            "spec: {type: object, properties: {conditions: {type: array, items: {type: string}}}}",
            "crd-conditions",
        ),
        // A type of Kubernetes.
        (
            "spec: {type: object, properties: {x: {type: object, properties: {limits: {}, requests: {}, claims: {type: array}}}}}",
            "crd-list",
        ),
        ("metadata: {type: object, properties: {name: {type: string}}}", "crd-"),
        (
            "spec: {type: object, default: {}, required: [], properties: {x: {type: string, default: a}}}",
            "crd-optional",
        ),
    ];
    for (properties, silent) in cases {
        let reported = reported(&version(properties));
        let reported: Vec<&String> = reported
            .iter()
            .filter(|reported| reported.starts_with(silent))
            .collect();
        let expected = usize::from(silent == "crd-")
            * reported
                .iter()
                .filter(|reported| reported.contains("crd-status"))
                .count();
        assert_eq!(reported.len(), expected, "{properties}: {reported:?}");
    }
}

/// The ports of a pod, whose protocol is a key and may be absent.
const PORTS: &str = "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [protocol], items: \
                     {type: object, properties: {protocol: {type: string}, weight: {type: number}}}}";

#[test]
fn without_advice_only_what_servers_reject_is_reported() {
    let fields = format!("{{x: {{type: number}}, ports: {PORTS}}}");
    let first = "name: v1\nserved: true\nstorage: true\n";
    let schema = format!("schema: {{openAPIV3Schema: {{type: object, properties: {fields}}}}}\n");
    let text = definition(&format!("{first}{schema}"));
    let advised = [
        "crd-float:spec x",
        "crd-list-type:keys ports[].protocol",
        "crd-float:spec ports[].weight",
    ];
    assert!(
        advised
            .iter()
            .all(|advised| reported(&text).contains(&(*advised).to_owned())),
        "{:?}",
        reported(&text)
    );
    let text = definition(&format!("{first}deprecated: true\n{schema}"));
    assert_eq!(reported(&text), ["crd-list-type:keys ports[].protocol"]);
    assert_eq!(lint(&text).deprecated, ["example.com/v1 Car"]);
    let text_field = "{type: string}";
    let container = ["image", "command", "args", "env", "volumeMounts"].map(|name| format!("{name}: {text_field}"));
    let container = format!("{}, ports: {PORTS}", container.join(", "));
    let text = version(&format!(
        "status: {{type: object}}\nspec: {{type: object, properties: {{{container}}}}}"
    ));
    assert_eq!(reported(&text), ["crd-list-type:keys spec.ports[].protocol"]);
}

#[test]
fn a_finding_is_placed_at_the_name_of_its_field() {
    let text = format!(
        "# ä\n---\napiVersion: v1\nkind: Secret\n---\n{}",
        version("\"späce\": {type: object, properties: {'ö': {type: number}, ü x: {type: number}}}")
    );
    for text in [text.clone(), text.replace('\n', "\r\n")] {
        let linted = lint(&text);
        let mut sources = Sources::new();
        sources.add("crd.yaml", &text);
        let places = linted.findings().iter().map(|finding| {
            let span = finding.primary.as_ref().expect("a place").span;
            let words = &text[span.start as usize..span.end as usize];
            let (_, place) = sources.locate(span).expect("in the text");
            (words, place.line, place.column)
        });
        assert_eq!(
            places.collect::<Vec<_>>(),
            [("v1", 14, 11), ("'ö'", 22, 48), ("ü x", 22, 69)]
        );
    }
}

#[test]
fn levels_come_from_policies_and_the_command_line() {
    let policy = "name = \"own\"\nextends = \"kubernetes\"\n[rule.crd-float]\nseverity = { spec = \"error\" }\n";
    let text = version("status: {type: object}\nspec: {type: object, properties: {x: {type: number}}}");
    let severity = |levels: &[(&str, Severity)]| {
        let mut load = Load::new(&[]);
        load.add_policy("own.toml", Document::parse(FileId(0), policy));
        load.choose_policy("own.toml");
        for (rule, severity) in levels {
            load.set_level(rule, *severity, "-");
        }
        let mut linted = Linted::default();
        let law = load.law_alone().expect("the policy can be read");
        linted.add(&law, FileId(1), &text).expect("the text can be read");
        let float = linted.findings().iter().find(|finding| finding.rule == "crd-float");
        float.map(|finding| finding.severity)
    };
    assert_eq!(severity(&[]), Some(Severity::Error));
    assert_eq!(severity(&[("crd-float", Severity::Warning)]), Some(Severity::Warning));
    assert_eq!(severity(&[("crd-float:spec", Severity::Off)]), None);
}

/// The keywords that JSON Schema has too, in the form of `OpenAPI` 3.0.
fn schemas() -> impl Strategy<Value = Json> {
    let bound = || prop::option::of(0_i64..4);
    let plain =
        prop_oneof![
        (bound(), bound(), prop::sample::select(vec!["", "^a", "b$", "^(a|bb)*$"])).prop_map(|(least, most, pattern)| {
            json!({"type": "string", "minLength": least, "maxLength": most, "pattern": pattern})
        }),
        (bound(), bound(), any::<bool>()).prop_map(|(least, most, beyond)| {
            json!({"type": "integer", "minimum": least, "maximum": most, "exclusiveMinimum": (beyond && least.is_some()).then_some(true)})
        }),
        bound().prop_map(|most| json!({"type": "number", "maximum": most})),
        Just(json!({"type": "boolean"})),
        prop::collection::vec(values(), 1..4).prop_map(|values| one_of(values.into_iter())),
    ];
    let deep = plain.prop_recursive(3, 12, 3, move |inner| {
        prop_oneof![
            (inner.clone(), bound(), bound()).prop_map(|(items, least, most)| {
                json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
            }),
            (
                inner.clone(),
                inner.clone(),
                prop::sample::subsequence(vec!["a", "b"], 0..=2)
            )
                .prop_map(|(a, b, required)| {
                    json!({"type": "object", "properties": {"a": a, "b": b}, "required": (!required.is_empty()).then_some(required)})
                }),
            (inner.clone(), bound()).prop_map(|(values, most)| {
                json!({"type": "object", "additionalProperties": values, "maxProperties": most})
            }),
        ]
    });
    let logic = prop::sample::select(vec!["allOf", "anyOf", "oneOf", "not"]);
    (deep.clone(), prop::option::of((logic, deep.clone(), deep))).prop_map(|(mut schema, logic)| {
        if let (Some((keyword, one, other)), Some(own)) = (logic, schema.as_object_mut()) {
            let members = if keyword == "not" { one } else { json!([one, other]) };
            own.insert(keyword.to_owned(), members);
        }
        without_null(schema)
    })
}

/// A schema with these enum values, each once.
fn one_of(values: impl Iterator<Item = Json>) -> Json {
    let mut listed: Vec<Json> = Vec::new();
    for value in values.filter(|value| !value.is_null()) {
        if !listed.contains(&value) {
            listed.push(value);
        }
    }
    // Servers drop fields from objects in a value without a schema.
    json!({"enum": listed, "x-kubernetes-preserve-unknown-fields": true})
}

/// A keyword that is null is absent.
fn without_null(schema: Json) -> Json {
    match schema {
        Json::Object(keys) => {
            let said = keys.into_iter().filter(|(_, value)| !value.is_null());
            Json::Object(said.map(|(key, value)| (key, without_null(value))).collect())
        }
        Json::Array(items) => items.into_iter().map(without_null).collect(),
        other => other,
    }
}

fn values() -> impl Strategy<Value = Json> {
    let plain = prop_oneof![
        prop::sample::select(vec!["", "a", "ab", "bb", "äöü"]).prop_map(Json::from),
        (-1_i64..5).prop_map(Json::from),
        Just(json!(1.5)),
        any::<bool>().prop_map(Json::from),
    ];
    plain.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map(prop::sample::select(vec!["a".to_owned(), "b".to_owned()]), inner, 0..3)
                .prop_map(|map| json!(map)),
        ]
    })
}

/// A value that often matches a schema.
fn fitting(schema: &Json) -> Json {
    let least = |key: &str| schema[key].as_u64().unwrap_or(0);
    let times = |key: &str| usize::try_from(least(key)).expect("a small number");
    match schema["type"].as_str() {
        Some("string") => "b".repeat(times("minLength")).into(),
        Some("integer") => (least("minimum") + u64::from(schema["exclusiveMinimum"] == true)).into(),
        Some("number") => json!(-0.5),
        Some("boolean") => true.into(),
        Some("array") => vec![fitting(&schema["items"]); times("minItems")].into(),
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            json!(
                fields
                    .map(|(name, field)| (name.clone(), fitting(field)))
                    .collect::<BTreeMap<_, _>>()
            )
        }
        _ => schema["enum"][0].clone(),
    }
}

/// A schema with a default that often matches.
fn with_defaults() -> impl Strategy<Value = (Json, Json)> {
    (schemas(), values(), 0..3_u8).prop_map(|(schema, value, fits)| {
        let value = if fits > 0 { fitting(&schema) } else { value };
        (schema, value)
    })
}

/// A schema that rejects unlisted fields explicitly, except below logical keywords.
fn closed(schema: &Json) -> Json {
    let mut schema = schema.clone();
    let Some(keys) = schema.as_object_mut() else {
        return schema;
    };
    if let Some(properties) = keys.get_mut("properties").and_then(Json::as_object_mut) {
        for property in properties.values_mut() {
            *property = closed(property);
        }
        keys.insert("additionalProperties".to_owned(), json!(false));
    }
    for key in ["items", "additionalProperties"] {
        if let Some(within) = keys.get_mut(key) {
            *within = closed(within);
        }
    }
    let kinds = [
        "properties",
        "additionalProperties",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let closes = kinds.iter().any(|key| keys.contains_key(*key));
    if !closes {
        // All fields of an object without `properties` are dropped.
        keys.insert("additionalProperties".to_owned(), json!(false));
    }
    schema
}

fn in_json(schema: &Json) -> String {
    let version = json!({
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}},
    });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "cars.example.com"},
        "spec": {
            "group": "example.com", "names": {"kind": "Car", "plural": "cars"}, "scope": "Namespaced",
            "versions": [version],
        },
    });
    definition.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_default_is_faulty_where_another_judge_refuses_it((schema, value) in with_defaults()) {
        let judge = jsonschema::options().with_draft(jsonschema::Draft::Draft4).build(&closed(&schema)).expect("a schema");
        let mut with_default = schema.clone();
        with_default["default"] = value.clone();
        let reported = reported(&in_json(&with_default));
        let faulty = reported.iter().any(|reported| reported.starts_with("crd-default-invalid"));
        prop_assert_eq!(faulty, !judge.is_valid(&value), "{} {}", with_default, reported.join(", "));
    }

    #[test]
    fn what_was_there_before_is_no_news(schema in schemas(), value in values(), other in schemas()) {
        let mut schema = schema;
        schema["default"] = value;
        let text = in_json(&schema);
        let before = lint(&text);
        let mut after = lint(&format!("\n\n{text}"));
        after.compare_with("base", &before);
        prop_assert!(after.findings().iter().all(|finding| finding.known.is_some()));
        // New and known findings are all findings.
        let mut changed = lint(&in_json(&other));
        let count = changed.findings().len();
        changed.compare_with("base", &before);
        prop_assert_eq!(changed.findings().len(), count);
    }

    #[test]
    fn no_text_makes_it_panic(at in 0.0..1.0_f64, length in 0..40_usize, piece in prop::sample::select(PIECES.to_vec())) {
        let text = sample();
        let from = floor(&text, at);
        let to = (from..=from + length).rev().find(|to| text.is_char_boundary(*to)).unwrap_or(from);
        survive(&format!("{}{piece}{}", &text[..from], &text[to..]));
        survive(&text[..from]);
    }
}

#[test]
fn generated_values_are_both_valid_and_invalid() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut refused = 0;
    for _ in 0..400 {
        let drawn = with_defaults().new_tree(&mut runner).expect("a schema and a value");
        let (mut schema, value) = drawn.current();
        schema["default"] = value;
        refused += usize::from(
            reported(&in_json(&schema))
                .iter()
                .any(|reported| reported.starts_with("crd-default-invalid")),
        );
    }
    assert!((100..300).contains(&refused), "{refused} of 400 are refused");
}

/// What is inserted into texts to break them.
const PIECES: &[&str] = &[
    "",
    "\n",
    "\t",
    "---\n",
    "...",
    "{",
    "}",
    "[",
    "]",
    ": ",
    "- ",
    "&a ",
    "*a",
    "!!binary ",
    "'",
    "\"",
    "{{ .Values.x }}",
    "null",
    "1e999",
    "-0",
    "9223372036854775808",
    "\u{feff}",
    "\u{0}",
    "ä",
    "default: {x: 1}",
    "pattern: '(((('",
    "required: [[]]",
    "x-kubernetes-list-map-keys: [a]",
    "minLength: 1e300",
    "multipleOf: 0",
    "enum: []",
    "properties: []",
    "items: []",
    "<<: *a",
];

/// All examples of the pages, as one text.
fn sample() -> String {
    let versions = CHECKS.iter().flat_map(|check| versions(check.page));
    versions.fold(String::new(), |text, version| text + "---\n" + &definition(version))
}

/// The start of a character at or before a position of a text.
fn floor(text: &str, share: f64) -> usize {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "any place will do"
    )]
    let at = (text.len() as f64 * share) as usize;
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Any text is linted or rejected with a place in it, and findings have places in it.
fn survive(text: &str) {
    let mut linted = Linted::default();
    let mut sources = Sources::new();
    let file = sources.add("crd.yaml", text);
    if let Err(error) = linted.add(law(), file, text) {
        assert!(error.line > 0 && error.column > 0, "{error:?}");
    }
    for finding in linted.findings() {
        let span = finding.primary.as_ref().expect("a place").span;
        assert!(
            text.get(span.start as usize..span.end as usize).is_some(),
            "{finding:?}"
        );
    }
    assert_eq!(linted.report(&sources, true).diagnostics.len(), linted.findings().len());
}

#[test]
fn the_deepest_readable_schema_is_linted() {
    let deep = |depth: usize| {
        let open = "{type: array, items: ".repeat(depth);
        let fields = format!("{{x: {open}{{}}{}}}", "}".repeat(depth));
        let schema = format!("{{openAPIV3Schema: {{type: object, properties: {fields}}}}}");
        survive(&definition(&format!(
            "name: v1\nserved: true\nstorage: true\nschema: {schema}\n"
        )));
    };
    // In test builds, reading the deepest CRDs needs more stack than a test thread has.
    let all = move || [10, 50, 100, 10_000].into_iter().for_each(deep);
    let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(all);
    thread.expect("a thread can be had").join().expect("it went well");
}

/// How often each finding occurs in the CRDs of a project, over all its releases.
fn counts(data: &Path, project: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut releases = subfolders(&data.join(project));
    releases.sort();
    for release in releases {
        let mut names: Vec<_> = release
            .read_dir()
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        names.sort();
        for name in names {
            let text = read(&name);
            let linted = lint(&text);
            let mut again = lint(&text);
            again.compare_with("itself", &linted);
            assert!(
                again.findings().iter().all(|finding| finding.known.is_some()),
                "{}",
                name.display()
            );
            for finding in linted.findings() {
                assert!(
                    finding.severity < Severity::Error,
                    "{}: {}",
                    name.display(),
                    finding.message
                );
                let span = finding.primary.as_ref().expect("a place").span;
                let words = text[span.start as usize..span.end as usize].trim_matches('"');
                let element = finding.element.as_deref().expect("an element");
                let last = element
                    .rsplit('.')
                    .next()
                    .unwrap_or_default()
                    .trim_end_matches("[]")
                    .trim_end_matches("{}");
                assert!(words == last, "{element} at `{words}` in {}", name.display());
                let reported = format!("{} {}:{}", finding.severity, finding.rule, finding.code);
                *counts.entry(reported).or_default() += 1;
            }
        }
    }
    counts
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = folder
        .read_dir()
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.is_dir()).collect()
}

#[expect(clippy::disallowed_methods, reason = "the data stays outside the tree")]
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn real_crds_have_no_errors_and_few_warnings() {
    let Some(data) = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty()) else {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
        return;
    };
    let data = PathBuf::from(data).join("crds");
    let mut text = String::new();
    for project in [
        "cert-manager",
        "gateway-api",
        "gateway-api-experimental",
        "prometheus-operator",
    ] {
        let _ = writeln!(text, "{project}");
        for (reported, count) in counts(&data, project) {
            let _ = writeln!(text, "  {count:>4} {reported}");
        }
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/lints.txt");
    agrees_with_snapshot(&kept, &text);
}

/// The CRD of a kind with these fields in its spec.
pub(crate) fn cars(fields: &str) -> String {
    version(&format!(
        "spec: {{type: object, default: {{}}, properties: {{{fields}}}}}\nstatus: {{type: object}}"
    ))
}

#[test]
fn only_findings_since_a_commit_count() {
    let old = "a: {type: number}";
    let new = "a: {type: number}, b: {type: number}";
    let repository = Repository::committed(&[("crds/deep/cars.yaml", &cars(old)), ("lifecycle.toml", "")]);
    let run = |arguments: &[&str]| finish(program(repository.path(), &[&["lint"], arguments].concat()), b"");
    let strict = ["--fail-on", "warning", "--base", "main"];
    run(&[&["crds"], &strict[..]].concat())
        .ended(0)
        .says(&["no new findings", "1 known in main"]);
    // Another file name in the same folder, and other lines.
    repository.delete("crds/deep/cars.yaml");
    repository.write("crds/deep/vehicles.yml", &format!("# Cars.\n---\n{}", cars(new)));
    for paths in [&["crds"][..], &["."], &["crds/deep", "crds/deep/vehicles.yml"], &[]] {
        let run = run(&[paths, &strict[..]].concat()).ended(1);
        run.says(&[".spec.b", "1 known in main"]).silent_on(&["`.spec.a`"]);
    }
    let all = run(&["crds", "--all", "--base", "main", "--format", "json"]).ended(0);
    let report: Json = serde_json::from_str(&all.out).expect("it is JSON");
    assert_eq!(report["compared"]["known_in_base"], 1);
    let known = report["diagnostics"].as_array().expect("a list").iter();
    assert_eq!(
        known.map(|finding| finding["known"].as_str()).collect::<Vec<_>>(),
        [Some("base"), None]
    );
    // The file by itself does not exist in the base, and it can be named as it was.
    run(&["crds/deep/vehicles.yml", "--base", "main"])
        .ended(0)
        .says(&["every finding counts as new", "2 warnings"]);
    run(&["crds/deep/vehicles.yml", "--base", "main:crds/deep/cars.yaml"])
        .ended(0)
        .says(&["1 known"]);
    run(&["crds", "--base", "main:crds"]).ended(0).says(&["1 known"]);
    run(&["crds", "--base", "mian"]).ended(2).says(&["mian"]);
    run(&["/", "--base", "main"]).ended(2).says(&["error: "]);
}

#[test]
fn a_base_may_be_a_file_or_a_folder() {
    let folder = folder(&[
        ("old/a.yaml", &cars("a: {type: number}")),
        (
            "new/b.json",
            &in_json(&json!({
                "type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "default": {},
            })),
        ),
    ]);
    let lint = |base: &str| run_in(&folder, &["lint", "new", "--base", base]);
    for base in ["old", "./old/a.yaml"] {
        lint(base)
            .ended(0)
            .says(&["`.spec.b`", "1 known in"])
            .silent_on(&["`.spec.a`"]);
    }
    lint("none").ended(2).says(&["name a file or a folder as the base"]);
    lint("new").ended(0).says(&["no new findings", "known in new"]);
}

#[test]
fn unreadable_files_are_reported_with_the_findings() {
    let broken = cars("a: {type: number}").replace("served: true", "served: [");
    let folder = folder(&[
        ("a.yaml", &cars("a: {type: number}")),
        ("b.yaml", &broken),
        ("c.yaml", "a: ["),
    ]);
    run_in(&folder, &["lint"])
        .ended(2)
        .says(&["`.spec.a`", "b.yaml:", "help: fix the file"]);
    run_in(&folder, &["lint", "a.yaml"])
        .ended(0)
        .says(&["1 warning in 1 CRD"]);
    run_in(&folder, &["lint", "c.yaml"])
        .ended(2)
        .says(&["c.yaml: no CustomResourceDefinition"]);
    run_in(&folder, &["lint", "a.yaml", "--base", "b.yaml"])
        .ended(0)
        .says(&["warning: b.yaml:", "count as new"]);
    run_in(&folder, &["lint", "a.yaml", "-D", "crd-float"])
        .ended(1)
        .says(&["error[crd-float: spec]"]);
    run_in(&folder, &["lint", "a.yaml", "--output", "a.yaml"]).ended(2);
}

#[test]
fn json_has_places_like_yaml() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "number"}}, "default": {}});
    let whole: Json = serde_json::from_str(&in_json(&schema)).expect("it is JSON");
    let text = serde_json::to_string_pretty(&whole).expect("it is JSON");
    let places = |text: &str| -> Vec<(usize, String)> {
        let findings = lint(text);
        let place = |finding: &Diagnostic| {
            let span = finding.primary.as_ref().expect("a place").span;
            let (start, end) = (span.start as usize, span.end as usize);
            (text[..start].matches('\n').count() + 1, text[start..end].to_owned())
        };
        findings.findings().iter().map(place).collect()
    };
    let line = text.lines().position(|line| line.contains("\"a\":")).expect("a line") + 1;
    let a = |line| (line, "\"a\"".to_owned());
    assert_eq!(places(&text), [a(line)]);
    assert_eq!(places(&whole.to_string()), [a(1)]);
    // One after another, and as a list.
    let other = text.replace("Car", "Van").replace("cars", "vans");
    let lines = text.lines().count();
    assert_eq!(places(&format!("{text}\n\n{other}\n")), [a(line), a(lines + 1 + line)]);
    let list = json!({"kind": "List", "apiVersion": "v1", "items": [whole]});
    assert_eq!(places(&list.to_string()), [a(1)]);
    // JSON that is not valid YAML is read without places: the innermost known place counts.
    let twice = text.replacen("\"group\": ", "\"group\": \"example.org\", \"group\": ", 1);
    assert_eq!(places(&twice), [(1, "{".to_owned())]);
}

#[test]
fn every_format_has_the_findings() {
    let text = cars("a: {type: number}, b: {type: object, additionalProperties: {type: object}}");
    for format in REPORT_FORMATS.iter().map(|format| format.name) {
        let folder = folder(&[("cars.yaml", &text)]);
        let run = run_in(&folder, &["lint", "cars.yaml", "--format", format, "-o", "out.sarif"]).ended(0);
        assert!(run.out.contains("crd-float"), "{format}: {}", run.out);
        let sarif: Json = serde_json::from_str(&read(&folder.path().join("out.sarif"))).expect("it is JSON");
        let results = sarif["runs"][0]["results"].as_array().expect("a list");
        assert_eq!(results.len(), 2);
    }
    run_on(&text, &["lint", "-"]).ended(0).says(&["-:17:58", "2 warnings"]);
}

#[test]
fn the_deepest_crds_do_not_overflow_the_stack() {
    let lists = "{type: object, properties: {a: ".to_owned() + &"{type: array, items: ".repeat(108);
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: deeps.example.com}}\n\
         spec:\n  group: example.com\n  names: {{kind: Deep, plural: deeps}}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    \
         storage: true\n    schema:\n      openAPIV3Schema: {lists}{{type: string}}{}\n",
        "}".repeat(110)
    );
    let here = folder(&[("deep.yaml", text.as_str())]);
    run_in(&here, &["diff", "deep.yaml", "deep.yaml"]).ended(0);
    run_in(&here, &["lint", "deep.yaml"]).ended(0);
    run_in(
        &here,
        &["import", "crds", "--release", "1.0", "--fields", "all", "deep.yaml"],
    )
    .ended(0);
}
