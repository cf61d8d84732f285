//! Properties of any two schemas, checked by an independent validator; and how certain changes are judged.

#![cfg(test)]

use std::sync::LazyLock;

use lifecycle::compat::{CompareError, CrdSource, State};
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::{Diff, builtin_policy};
use lifecycle::policy::Policy;
use lifecycle::report::DiffReport;
use lifecycle::schema::{ChangeKind, Crds, Definition, Verdict, read};
use proptest::prelude::*;
use proptest::strategy::Union;
use serde_json::{Map, Value as Json, json};

/// A CRD with one version, whose objects have this `spec`.
pub(crate) fn definition(version: &str, spec: &Json) -> String {
    let schema = json!({ "type": "object", "properties": { "spec": spec } });
    definition_of(version, &schema)
}

fn definition_of(version: &str, schema: &Json) -> String {
    let version = json!({
        "name": version,
        "served": true,
        "storage": true,
        "subresources": { "status": {} },
        "schema": { "openAPIV3Schema": schema },
    });
    widgets(&[version]).to_string()
}

/// The CRD of a kind with these versions.
pub(crate) fn widgets(versions: &[Json]) -> Json {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "widgets.example.com" },
        "spec": {
            "group": "example.com",
            "names": { "kind": "Widget", "plural": "widgets" },
            "scope": "Namespaced",
            "versions": versions,
        },
    })
}

pub(crate) fn sides<'d>(file: &'d str, definitions: &'d [Definition]) -> Vec<CrdSource<'d>> {
    let side = |definition| CrdSource { file, definition };
    definitions.iter().map(side).collect()
}

/// What differs between two sets of CRDs.
pub(crate) fn diff(old: &[CrdSource<'_>], new: &[CrdSource<'_>], policy: &Policy) -> Result<DiffReport, CompareError> {
    let [old, new] = [old, new].map(|definitions| State {
        definitions: definitions.to_vec(),
        ..State::default()
    });
    Ok(Diff::new(&old, &new, policy, None)?.report(Severity::Off))
}

/// The default policy, read once.
pub(crate) fn policy() -> &'static Policy {
    static POLICY: LazyLock<Policy> = LazyLock::new(|| builtin_policy("kubernetes").expect("the policy is built in"));
    &POLICY
}

/// What differs between the CRDs of two texts, judged by the default policy.
pub(crate) fn compare(old: &(impl ToString + ?Sized), new: &(impl ToString + ?Sized)) -> DiffReport {
    let (old, new) = (
        read(&old.to_string()).expect("old is a definition"),
        read(&new.to_string()).expect("new is a definition"),
    );
    let (old, new) = (sides("old.json", &old.definitions), sides("new.json", &new.definitions));
    diff(&old, &new, policy()).expect("they can be compared")
}

/// Two values that are usually the same; each may be absent.
fn both<S>(values: S) -> impl Strategy<Value = [Option<Json>; 2]>
where
    S: Strategy<Value = Json> + Clone + 'static,
{
    let one = prop::option::weighted(0.3, values);
    (one.clone(), one, prop::bool::weighted(0.8))
        .prop_map(|(old, new, same)| [old.clone(), if same { old } else { new }])
}

fn among(values: &'static [&'static str]) -> impl Strategy<Value = Json> + Clone + 'static {
    prop::sample::select(values).prop_map(Json::from)
}

fn small() -> impl Strategy<Value = Json> + Clone + 'static {
    (0_u64..4).prop_map(Json::from)
}

fn halves() -> impl Strategy<Value = Json> + Clone + 'static {
    (-2_i32..8).prop_map(|half| match half % 2 {
        0 => json!(half / 2),
        _ => json!(f64::from(half) / 2.0),
    })
}

/// Bounds at the edges of 32 bits, and others.
fn edges() -> impl Strategy<Value = Json> + Clone + 'static {
    let edges = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX];
    prop_oneof![4 => halves(), 1 => prop::sample::select(edges.to_vec()).prop_map(Json::from)]
}

fn yes() -> impl Strategy<Value = Json> + Clone + 'static {
    any::<bool>().prop_map(Json::from)
}

/// A keyword with its values in two schemas.
type Said = (&'static str, [Option<Json>; 2]);

fn keyword<S>(name: &'static str, values: S) -> BoxedStrategy<Said>
where
    S: Strategy<Value = Json> + Clone + 'static,
{
    both(values).prop_map(move |said| (name, said)).boxed()
}

fn put(keywords: Vec<Said>) -> [Json; 2] {
    let mut schemas = [Map::new(), Map::new()];
    for (name, said) in keywords {
        for (schema, value) in schemas.iter_mut().zip(said) {
            schema.extend(value.map(|value| (name.to_owned(), value)));
        }
    }
    schemas.map(Json::Object)
}

fn texts() -> BoxedStrategy<[Json; 2]> {
    let logic = prop::collection::vec(
        prop::sample::select(vec![
            json!({ "minLength": 1 }),
            json!({ "maxLength": 1 }),
            json!({ "maxLength": 2 }),
            json!({ "pattern": "a" }),
            json!({ "pattern": "^a" }),
            json!({ "enum": ["a"] }),
            json!({ "enum": ["a", "b"] }),
            json!({}),
        ]),
        1..3,
    )
    .prop_map(Json::Array);
    let keywords = vec![
        keyword("minLength", small()),
        keyword("maxLength", small()),
        keyword("pattern", among(&["^a", "b$", ".*", ""])),
        keyword("nullable", yes()),
        // The last one is not known to servers.
        keyword("format", among(&["ipv4", "date-time", "semver"])),
        keyword(
            "enum",
            prop::sample::subsequence(vec!["", "a", "ab", "b", "1.2.3.4"], 1..4).prop_map(|values| json!(values)),
        ),
        keyword("anyOf", logic.clone()),
        keyword("oneOf", logic.clone()),
        keyword("allOf", logic),
        keyword(
            "not",
            prop::sample::select(vec![json!({ "minLength": 2 }), json!({ "pattern": "b" })]),
        ),
        Just(("type", [Some(json!("string")), Some(json!("string"))])).boxed(),
    ];
    keywords.prop_map(put).boxed()
}

fn numbers() -> BoxedStrategy<[Json; 2]> {
    let keywords = vec![
        keyword("minimum", edges()),
        keyword("maximum", edges()),
        keyword("format", among(&["int32", "int64", "uint8"])),
        keyword("exclusiveMinimum", yes()),
        keyword("exclusiveMaximum", yes()),
        keyword("multipleOf", (1_u64..5).prop_map(Json::from)),
        keyword(
            "enum",
            prop::sample::subsequence(vec![0, 1, 2, 4], 1..4).prop_map(|values| json!(values)),
        ),
        both(prop::sample::select(vec![json!("integer"), json!("number")]))
            .prop_map(|[old, new]| ("type", [old.or(Some(json!("integer"))), new.or(Some(json!("integer")))]))
            .boxed(),
    ];
    keywords.prop_map(put).boxed()
}

fn mixed() -> BoxedStrategy<[Json; 2]> {
    let kinds = [
        json!({ "x-kubernetes-int-or-string": true }),
        json!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] }),
        json!({ "type": "string" }),
        json!({ "type": "integer" }),
        json!({ "type": "boolean" }),
        json!({ "x-kubernetes-preserve-unknown-fields": true }),
    ];
    let one = prop::sample::select(kinds.to_vec());
    (one.clone(), one).prop_map(|(old, new)| [old, new]).boxed()
}

/// Two similar schemas of the same field.
pub(crate) fn schemas() -> BoxedStrategy<[Json; 2]> {
    let leaf = Union::new(vec![texts(), numbers(), mixed()]).boxed();
    leaf.prop_recursive(3, 24, 3, |inner| {
        let field = (inner.clone(), prop::bool::weighted(0.9), prop::bool::weighted(0.9));
        let fields = prop::collection::vec(field, 1..4);
        let required = keyword(
            "required",
            prop::sample::subsequence(vec!["a", "b", "c"], 0..3).prop_map(|names| json!(names)),
        );
        let sizes = (
            keyword("minProperties", small()),
            keyword("maxProperties", small()),
            required,
        );
        let objects = (fields, sizes).prop_map(|(fields, (least, most, required))| {
            let [mut old, mut new] = put(vec![least, most, required]);
            for (schema, side) in [(&mut old, 0), (&mut new, 1)] {
                schema["type"] = json!("object");
                for (name, (schemas, in_old, in_new)) in ["a", "b", "c"].iter().zip(&fields) {
                    if [*in_old, *in_new][side] {
                        schema["properties"][*name] = schemas[side].clone();
                    }
                }
            }
            [old, new]
        });
        let list = (
            inner.clone(),
            keyword("minItems", small()),
            keyword("maxItems", small()),
            keyword("uniqueItems", yes()),
        );
        let lists = list.prop_map(|(items, least, most, unique)| {
            let [mut old, mut new] = put(vec![least, most, unique]);
            for (schema, items) in [&mut old, &mut new].into_iter().zip(items) {
                schema["type"] = json!("array");
                schema["items"] = items;
            }
            [old, new]
        });
        let maps =
            inner.prop_map(|values| values.map(|values| json!({ "type": "object", "additionalProperties": values })));
        Union::new(vec![objects.boxed(), lists.boxed(), maps.boxed()]).boxed()
    })
    .boxed()
}

/// Values that sometimes match a schema.
pub(crate) fn values() -> BoxedStrategy<Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        prop::sample::select(vec!["", "a", "ab", "b", "bb", "aab", "1.2.3.4", "2020-01-01T00:00:00Z"])
            .prop_map(Json::from),
        prop_oneof![
            4 => -2_i64..5,
            1 => prop::sample::select(vec![
                i64::from(i32::MIN) - 1,
                i64::from(i32::MIN),
                i64::from(i32::MAX),
                i64::from(i32::MAX) + 1,
            ]),
        ]
        .prop_map(Json::from),
        halves(),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let names = prop::sample::select(vec!["a", "b", "c", "d"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Json::Array),
            prop::collection::btree_map(names.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
    .boxed()
}

/// A value that matches a schema more often than a random one: it follows the types, not the bounds.
pub(crate) fn fitting(schema: &Json, seeds: &[Json], at: &mut usize) -> Json {
    *at += 1;
    let seed = || seeds[*at % seeds.len()].clone();
    match schema["type"].as_str() {
        Some("object") if !at.is_multiple_of(7) => {
            let mut object = Map::new();
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                if !at.is_multiple_of(5) {
                    object.insert(name.clone(), fitting(field, seeds, at));
                }
                *at += 1;
            }
            if let Some(values) = schema.get("additionalProperties") {
                object.insert("x".to_owned(), fitting(values, seeds, at));
            }
            Json::Object(object)
        }
        Some("array") if !at.is_multiple_of(7) => {
            let length = *at % 4;
            Json::Array((0..length).map(|_| fitting(&schema["items"], seeds, at)).collect())
        }
        Some("string") => seeds
            .iter()
            .cycle()
            .skip(*at % seeds.len())
            .take(seeds.len())
            .find(|s| s.is_string())
            .cloned()
            .unwrap_or_else(seed),
        Some("integer" | "number") => seeds
            .iter()
            .cycle()
            .skip(*at % seeds.len())
            .take(seeds.len())
            .find(|s| s.is_number())
            .cloned()
            .unwrap_or_else(seed),
        _ => seed(),
    }
}

/// What the server keeps of a value: it drops unlisted fields before it validates.
pub(crate) fn pruned(value: &Json, schema: &Json) -> Json {
    let kept = schema["x-kubernetes-preserve-unknown-fields"] == json!(true);
    match value {
        Json::Object(fields) if schema.get("additionalProperties").is_none() && !kept => {
            let listed = |name: &String| schema["properties"].get(name);
            let fields = fields
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), pruned(value, listed(name)?))));
            Json::Object(fields.collect())
        }
        Json::Object(fields) if !kept => {
            let values = &schema["additionalProperties"];
            Json::Object(
                fields
                    .iter()
                    .map(|(name, value)| (name.clone(), pruned(value, values)))
                    .collect(),
            )
        }
        Json::Array(items) if !kept => items.iter().map(|item| pruned(item, &schema["items"])).collect(),
        other => other.clone(),
    }
}

/// The same schema in JSON Schema draft 4.
fn drafted(schema: &Json) -> Json {
    let Some(keywords) = schema.as_object() else {
        return schema.clone();
    };
    let mut own = Map::new();
    for (key, value) in keywords {
        let value = match key.as_str() {
            "properties" => {
                let fields = value.as_object().into_iter().flatten();
                fields.map(|(name, field)| (name.clone(), drafted(field))).collect()
            }
            "items" | "additionalProperties" | "not" => drafted(value),
            "anyOf" | "oneOf" | "allOf" => value.as_array().into_iter().flatten().map(drafted).collect(),
            // Draft 4 allows no exclusive mark without a bound, and no empty `required`.
            "exclusiveMinimum" if !keywords.contains_key("minimum") => continue,
            "exclusiveMaximum" if !keywords.contains_key("maximum") => continue,
            "required" if value.as_array().is_some_and(Vec::is_empty) => continue,
            "nullable" => continue,
            _ => value.clone(),
        };
        own.insert(key.clone(), value);
    }
    if keywords.get("x-kubernetes-int-or-string") == Some(&json!(true)) {
        own.insert("type".to_owned(), json!(["integer", "string"]));
    }
    if [keywords.get("type"), keywords.get("format")] == [Some(&json!("integer")), Some(&json!("int32"))] {
        let all = own.entry("allOf").or_insert_with(|| json!([]));
        let bits = json!({ "minimum": i32::MIN, "maximum": i32::MAX });
        all.as_array_mut().expect("it is a list").push(bits);
    }
    for (keyword, mark) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        let Some(bound) = keywords
            .get(keyword)
            .and_then(Json::as_f64)
            .filter(|bound| bound.fract() != 0.0)
        else {
            continue;
        };
        let bounded = cut(
            keyword,
            bound,
            own.remove(mark),
            keywords.get("type") == Some(&json!("integer")),
        );
        own.remove(keyword);
        let all = own.entry("allOf").or_insert_with(|| json!([]));
        all.as_array_mut().expect("it is a list").push(bounded);
    }
    match keywords.get("nullable") {
        Some(Json::Bool(true)) => json!({ "anyOf": [{ "type": "null" }, own] }),
        _ => Json::Object(own),
    }
}

/// A bound with a fraction as servers check it: they cut it off for numbers that are written whole, and refuse all
/// values of the type `integer`.
fn cut(keyword: &str, bound: f64, exclusive: Option<Json>, is_integer: bool) -> Json {
    if is_integer {
        return json!({ "not": {} });
    }
    let mark = if keyword == "minimum" {
        "exclusiveMinimum"
    } else {
        "exclusiveMaximum"
    };
    let exclusive = exclusive.unwrap_or(json!(false));
    json!({ "anyOf": [
        { "type": "integer", keyword: bound.trunc(), mark: exclusive },
        { "not": { "type": "integer" }, keyword: bound, mark: exclusive },
    ] })
}

/// Whether a server with this schema accepts a value.
pub(crate) fn judge(schema: &Json) -> impl Fn(&Json) -> bool {
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft4);
    let judge = options.build(&drafted(schema)).expect("it is a schema");
    move |value| judge.is_valid(&pruned(value, schema))
}

/// The differences without what depends on the direction, optionally seen from the other side.
fn turned(report: &DiffReport, back: bool) -> Vec<String> {
    let reported = report.changes.iter().map(|change| {
        let (old, new) = if back {
            (&change.new, &change.old)
        } else {
            (&change.old, &change.new)
        };
        format!("{} {:?} {old:?} {new:?}", change.path, change.subject)
    });
    let mut reported: Vec<String> = reported.collect();
    reported.sort();
    reported
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_change_that_is_compatible_for_writers_keeps_valid_values_valid(
        [old, new] in schemas(),
        seeds in prop::collection::vec(values(), 12),
    ) {
        let report = compare(&definition("v1", &old), &definition("v1", &new));
        if report.changes.iter().all(|change| change.writers == Verdict::Compatible) {
            let guided = (0..24).map(|at| fitting(&old, &seeds, &mut { at * 3 }));
            let (before, after) = (judge(&old), judge(&new));
            // Only values that the old schema keeps are stored.
            for value in guided.chain(seeds.iter().cloned()).map(|value| pruned(&value, &old)) {
                if before(&value) {
                    prop_assert!(after(&value), "{value}\n{old}\n{new}\n{report:#?}");
                }
            }
        }
    }

    #[test]
    fn a_change_and_its_reverse_report_the_same_differences([old, new] in schemas()) {
        let (before, after) = (definition("v1", &old), definition("v1", &new));
        prop_assert!(compare(&before, &before).changes.is_empty());
        let (there, back) = (compare(&before, &after), compare(&after, &before));
        // Changes below a type change are reported in one direction only, if the new type contains the old one.
        if there.changes.iter().all(|change| change.code != ChangeKind::TypeChanged) {
            prop_assert_eq!(turned(&there, false), turned(&back, true));
        }
    }

    #[test]
    fn odd_keyword_values_do_not_break_the_comparison(
        [old, new] in schemas(),
        keys in prop::collection::vec((0_usize..14, values()), 0..5),
    ) {
        const KEYS: [&str; 14] = [
            "type", "enum", "required", "properties", "items", "additionalProperties", "minLength", "nullable", "default",
            "not", "x-kubernetes-validations", "x-kubernetes-list-map-keys", "format", "x-new",
        ];
        let mut odd = new.clone();
        for (key, value) in keys {
            odd[KEYS[key]] = value;
        }
        let old = read(&definition("v1", &old)).expect("it is a definition");
        if let Ok(odd) = read(&definition("v1", &odd)) {
            let (old, odd) = (sides("old.json", &old.definitions), sides("new.json", &odd.definitions));
            prop_assert!(diff(&old, &odd, policy()).is_ok());
            prop_assert!(diff(&odd, &old, policy()).is_ok());
            prop_assert!(diff(&odd, &odd, policy()).is_ok_and(|report| report.changes.is_empty()));
        }
    }

    #[test]
    fn damaged_texts_are_read_or_rejected(
        [old, new] in schemas(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), ".{0,3}"), 1..4),
    ) {
        let damaged = |text: &str| {
            let mut text = text.to_owned();
            for (at, other) in &cuts {
                let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
                if !starts.is_empty() {
                    let at = *at.get(&starts);
                    text.replace_range(at..=at + text[at..].chars().next().map_or(0, |c| c.len_utf8() - 1), other);
                }
            }
            text
        };
        let texts = [definition("v1", &old), definition("v1", &new)];
        // JSON is also YAML, after a document marker.
        let texts = texts.iter().flat_map(|text| [damaged(text), damaged(&format!("---\n{text}"))]);
        let found: Vec<Crds> = texts.filter_map(|text| read(&text).ok()).collect();
        for (old, new) in found.iter().zip(found.iter().rev()) {
            drop(diff(&sides("old.json", &old.definitions), &sides("new.json", &new.definitions), policy()));
        }
    }
}

/// Verdict, severity and code of each change between two specs, in a version.
fn reported(version: &str, old: &Json, new: &Json) -> Vec<String> {
    let report = compare(&definition(version, old), &definition(version, new));
    let reported = report.changes.iter();
    reported
        .map(|change| {
            format!(
                "{} {} {} {}",
                change.writers,
                change.readers,
                change.severity,
                change.code.as_str()
            )
        })
        .collect()
}

#[test]
fn one_change_is_one_finding() {
    let deep = json!({ "type": "object", "properties": { "a": { "type": "object", "required": ["b"], "properties": {
        "b": { "type": "string", "default": "x", "enum": ["x"] } } } } });
    let none = json!({ "type": "object" });
    assert_eq!(reported("v1", &deep, &none), ["breaking breaking error field-removed"]);
    assert_eq!(reported("v1", &none, &deep), ["compatible compatible note field-added"]);
    let other = json!({ "type": "array", "items": { "type": "string" } });
    assert_eq!(reported("v1", &deep, &other), ["breaking breaking error type-changed"]);
    let rules = |rules: Json| json!({ "type": "string", "x-kubernetes-validations": rules });
    let changed = ["breaking risky error rule-changed"];
    for (old, new) in [
        // The only rule.
        (
            json!([{ "rule": "self.size() < 5" }]),
            json!([{ "rule": "self.size() != 3" }]),
        ),
        // One of several, with the same message.
        (
            json!([{ "rule": "self.size() < 9", "message": "short" }, { "rule": "self != 'a'" }]),
            json!([{ "rule": "self != 'a'" }, { "rule": "self.size() != 5", "message": "short" }]),
        ),
        // The same expression, now also for new objects.
        (
            json!([{ "rule": "self == oldSelf" }]),
            json!([{ "rule": "self == oldSelf", "optionalOldSelf": true }]),
        ),
    ] {
        assert_eq!(reported("v1", &rules(old), &rules(new)), changed);
    }
    // The only rule, but a different one.
    assert_eq!(
        reported(
            "v1",
            &rules(json!([{ "rule": "self.size() < 5" }])),
            &rules(json!([{ "rule": "self.startsWith('a')" }]))
        ),
        [
            "compatible risky warning rule-removed",
            "breaking risky error rule-added"
        ]
    );
    let two = json!([{ "rule": "self != 'a'" }, { "rule": "self != 'b'" }]);
    assert_eq!(
        reported("v1", &rules(two), &rules(json!([{ "rule": "self != 'c'" }]))),
        [
            "compatible risky warning rule-removed",
            "compatible risky warning rule-removed",
            "breaking risky error rule-added"
        ]
    );
}

fn rules(all: &[&str]) -> Json {
    let rules: Vec<Json> = all.iter().map(|rule| json!({ "rule": rule })).collect();
    json!({ "x-kubernetes-validations": rules })
}

#[test]
fn a_rule_that_may_say_what_was_said_elsewhere_is_undecided() {
    let field = |rules: Json| json!({ "type": "string", "x-kubernetes-validations": rules });
    let object = |field: &Json, rules: Json| json!({ "type": "object", "properties": { "a": field }, "x-kubernetes-validations": rules });
    let old = object(
        &json!({ "type": "string" }),
        json!([{ "rule": "!has(self.a) || self.a.charAt(0) != 'x'" }]),
    );
    let new = object(&field(json!([{ "rule": "!self.startsWith('x')" }])), json!([]));
    for (old, new) in [
        (old, new),
        (
            field(json!([{ "rule": "self.startsWith('x')" }])),
            field(json!([{ "rule": "self.charAt(0) == 'x'" }])),
        ),
    ] {
        let report = compare(&definition("v1", &old), &definition("v1", &new));
        let added = report
            .changes
            .iter()
            .find(|change| change.code == ChangeKind::RuleAdded);
        let reason = added.and_then(|change| change.reason.as_deref());
        assert_eq!(reason, Some("it may reject values that were accepted"), "{old} {new}");
    }
}

#[test]
fn the_same_meaning_is_no_violation() {
    for (old, new) in [
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "minLength": 0, "pattern": ".*" }),
        ),
        (
            json!({ "type": "integer", "minimum": 0, "exclusiveMinimum": true }),
            json!({ "type": "integer", "minimum": 1 }),
        ),
        (
            json!({ "type": "array" }),
            json!({ "type": "array", "x-kubernetes-list-type": "atomic" }),
        ),
        (
            json!({ "type": "object" }),
            json!({ "type": "object", "x-kubernetes-map-type": "granular" }),
        ),
        (json!({ "enum": ["a", "b"] }), json!({ "enum": ["b", "a", "a"] })),
        (
            json!({ "type": "boolean" }),
            json!({ "type": "boolean", "enum": [false, true] }),
        ),
        (
            json!({ "type": "string", "enum": ["ab", "cde"], "maxLength": 9 }),
            json!({ "type": "string", "enum": ["ab", "cde"], "minLength": 2, "maxLength": 3 }),
        ),
        (
            json!({ "type": "integer" }),
            json!({ "type": "integer", "multipleOf": 1, "exclusiveMinimum": true }),
        ),
        (
            json!({ "anyOf": [{ "maxLength": 3 }], "allOf": [{ "minLength": 1 }, {}] }),
            json!({ "allOf": [{ "minLength": 1 }, { "description": "x", "maxLength": 3 }], "anyOf": [{}, { "format": "x" }] }),
        ),
        (
            json!({ "x-kubernetes-validations": [{ "rule": "self.size() < 5 && self != 'a  b'" }] }),
            json!({ "x-kubernetes-validations": [{ "rule": "self.size()<5// short\n  &&self != 'a  b'" }] }),
        ),
        (
            json!({ "type": "integer" }),
            json!({ "type": "integer", "format": "int64" }),
        ),
        // No value is beyond these bounds.
        (
            json!({ "type": "integer", "format": "int32" }),
            json!({ "type": "integer", "format": "int32", "minimum": -2_147_483_648_i64, "maximum": 2_147_483_647 }),
        ),
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "maxLength": 9_223_372_036_854_775_807_i64 }),
        ),
        (
            json!({ "type": "string", "format": "date-time" }),
            json!({ "type": "string", "format": "datetime", "minLength": 1 }),
        ),
        // Servers do not check these formats.
        (
            json!({ "type": "string", "format": "semver" }),
            json!({ "type": "string", "format": "version" }),
        ),
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "format": "semver" }),
        ),
        (
            json!({ "type": "string", "pattern": "^[a-z]+$" }),
            json!({ "type": "string", "pattern": "^(?:[a-z]+)$" }),
        ),
        (
            json!({ "default": { "a": 1, "b": 2.0 } }),
            json!({ "default": { "b": 2, "a": 1.0 } }),
        ),
        (
            json!({ "x-kubernetes-int-or-string": true }),
            json!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] }),
        ),
        (
            json!({ "x-kubernetes-validations": [{ "rule": "self > 1" }, { "rule": "self < 9", "message": "x" }] }),
            json!({ "x-kubernetes-validations": [{ "rule": " self < 9", "message": "y" }, { "rule": "self > 1" }] }),
        ),
        (
            rules(&[
                "self.a == 'x' && (has(self.b) || has(self.c))",
                "!(self.d in ['p', 'q'])",
            ]),
            rules(&[
                "has(self.c)||has(self.b)",
                "\"x\" == self.a",
                "self.d != 'q' && (self.d != 'p')",
            ]),
        ),
    ] {
        let reported = reported("v1", &old, &new);
        let harmless = |reported: &String| reported.starts_with("compatible compatible ");
        assert!(reported.iter().all(harmless), "{old} {new}: {reported:?}");
    }
}

#[test]
fn a_rule_that_is_wider_or_demanded_by_a_keyword_rejects_nothing() {
    for (old, new) in [
        (
            rules(&["self.all(x, x in ['a', 'b'])", "self.size() < 5"]),
            rules(&[
                "size(self) <= 4",
                "size(self) <= 9 || self.exists(x, x == 'c')",
                "self.all(x, x == 'b' || x == 'a')",
            ]),
        ),
        (
            json!({ "type": "integer", "minimum": 3 }),
            json!({ "type": "integer", "x-kubernetes-validations": [{ "rule": "self > 2" }] }),
        ),
        (
            json!({ "type": "integer", "x-kubernetes-validations": [{ "rule": "self < 5" }] }),
            json!({ "type": "integer", "maximum": 4 }),
        ),
        (
            json!({ "type": "string", "enum": ["a", "b"] }),
            json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self in ['c', 'b', 'a']" }] }),
        ),
    ] {
        let reported = reported("v1", &old, &new);
        let harmless = |reported: &String| reported.starts_with("compatible ");
        assert!(reported.iter().all(harmless), "{old} {new}: {reported:?}");
    }
}

/// What is not compatible for writers.
fn refused(old: &Json, new: &Json) -> Vec<String> {
    let mut found = reported("v1", old, new);
    found.retain(|found| !found.starts_with("compatible "));
    found
}

#[test]
fn what_all_values_of_an_enum_meet_tightens_nothing() {
    let listed = |values: Json| json!({ "type": "string", "enum": values });
    for (values, with, rejects) in [
        (json!(["A", "B"]), json!({ "pattern": "^[A-Z]$" }), false),
        (json!(["A", "b"]), json!({ "pattern": "^[A-Z]$" }), true),
        (json!(["A", "B"]), json!({ "not": { "enum": ["C"] } }), false),
        (json!(["A", "C"]), json!({ "not": { "enum": ["C"] } }), true),
        (
            json!(["A", "BB"]),
            json!({ "anyOf": [{ "maxLength": 1 }, { "pattern": "^B" }] }),
            false,
        ),
        (
            json!(["A", "CC"]),
            json!({ "anyOf": [{ "maxLength": 1 }, { "pattern": "^B" }] }),
            true,
        ),
        (
            json!(["A", "B"]),
            json!({ "oneOf": [{ "maxLength": 1 }, { "pattern": "^B" }] }),
            true,
        ),
        (
            json!(["A", "B"]),
            json!({ "x-kubernetes-validations": [{ "rule": "self.matches('^[A-Z]$')" }] }),
            false,
        ),
        (
            json!(["A", "b"]),
            json!({ "x-kubernetes-validations": [{ "rule": "self.matches('^[A-Z]$')" }] }),
            true,
        ),
    ] {
        let mut new = json!({ "type": "string" });
        new.as_object_mut()
            .expect("it is one")
            .extend(with.as_object().cloned().expect("it is one"));
        let found = refused(&listed(values.clone()), &new);
        assert_eq!(!found.is_empty(), rejects, "{values} {with}: {found:?}");
        // A value that is removed is reported for itself.
        let mut fewer = new.clone();
        fewer["enum"] = json!(["A"]);
        let mut expected = refused(&listed(json!(["A"])), &fewer);
        expected.push("breaking compatible error enum-value-removed".to_owned());
        let mut found = refused(&listed(json!(["A", "b"])), &fewer);
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{with}");
    }
}

#[test]
fn keywords_in_all_of_are_those_of_the_schema() {
    for (kind, all, own, narrower) in [
        (
            "integer",
            json!([{ "maximum": 1 }, { "minimum": 0 }]),
            json!({ "maximum": 1, "minimum": 0 }),
            json!({ "maximum": 1, "minimum": 1 }),
        ),
        (
            "integer",
            json!([{ "maximum": 1 }, { "maximum": 5 }]),
            json!({ "maximum": 1 }),
            json!({ "maximum": 0 }),
        ),
        (
            "string",
            json!([{ "pattern": "^a" }, { "maxLength": 3 }]),
            json!({ "maxLength": 3, "pattern": "^a" }),
            json!({ "maxLength": 3, "pattern": "^aa" }),
        ),
        (
            "string",
            json!([{ "enum": ["a", "b"] }, { "enum": ["c", "b"] }]),
            json!({ "enum": ["b"] }),
            json!({ "enum": ["b"], "pattern": "^a" }),
        ),
        (
            "array",
            json!([{ "maxItems": 3 }, { "minItems": 1 }]),
            json!({ "maxItems": 3, "minItems": 1 }),
            json!({ "maxItems": 2, "minItems": 1 }),
        ),
    ] {
        let combined = json!({ "type": kind, "allOf": all });
        let [own, narrower] = [own, narrower].map(|mut schema| {
            schema["type"] = json!(kind);
            schema
        });
        assert_eq!(reported("v1", &combined, &own), [""; 0], "{combined}");
        assert_eq!(reported("v1", &own, &combined), [""; 0], "{combined}");
        assert!(!refused(&combined, &narrower).is_empty(), "{combined} {narrower}");
    }
    // Of two patterns, none is the narrower one.
    let patterns = |of_all: &[&str]| {
        let all: Vec<Json> = of_all.iter().map(|pattern| json!({ "pattern": pattern })).collect();
        json!({ "type": "string", "pattern": "^a", "allOf": all })
    };
    assert!(!refused(&patterns(&["b$"]), &patterns(&["c$"])).is_empty());
    assert_eq!(
        reported("v1", &patterns(&["b$", "c"]), &patterns(&["c", "b$"])),
        [""; 0]
    );
}

#[test]
fn bytes_are_no_characters() {
    for (rule, keyword) in [("size(self) <= 8", "maxLength"), ("size(self) >= 8", "minLength")] {
        for (format, is_same) in [("byte", false), ("uri", true)] {
            let text = |key: &str, value: Json| json!({ "type": "string", "format": format, key: value });
            let by_rule = text("x-kubernetes-validations", json!([{ "rule": rule }]));
            let bounded = text(keyword, json!(8));
            for (old, new) in [(&by_rule, &bounded), (&bounded, &by_rule)] {
                assert_eq!(refused(old, new).is_empty(), is_same, "{old} {new}");
            }
            // The same in a field, with the rule at its object.
            let object = |field: &Json, rules: Json| json!({ "type": "object", "properties": { "a": field }, "x-kubernetes-validations": rules });
            let of_field = format!("!has(self.a) || {}", rule.replace("self", "self.a"));
            let by_rule = object(
                &json!({ "type": "string", "format": format }),
                json!([{ "rule": of_field }]),
            );
            let bounded = object(&bounded, json!([]));
            assert_eq!(refused(&by_rule, &bounded).is_empty(), is_same, "{format} {keyword}");
        }
    }
}

#[test]
fn a_rule_about_bytes_says_nothing_about_characters() {
    let by_rule = |format: Option<&str>| {
        let mut schema = rules(&["size(self) <= 8"]);
        schema["type"] = json!("string");
        if let Some(format) = format {
            schema["format"] = json!(format);
        }
        schema
    };
    let bounded = json!({ "type": "string", "maxLength": 8 });
    for (old, new, rejects) in [
        (by_rule(Some("byte")), by_rule(None), true),
        (by_rule(Some("byte")), bounded.clone(), true),
        (by_rule(Some("uri")), by_rule(None), false),
        (by_rule(Some("uri")), bounded, false),
    ] {
        let writers = reported("v1", &old, &new);
        let breaks = writers.iter().any(|found| found.starts_with("breaking"));
        assert_eq!(breaks, rejects, "{old} {new}: {writers:?}");
    }
}

/// Servers keep a bound as a real, and cut its fraction off for numbers that are written whole.
#[test]
fn a_bound_is_the_one_that_servers_check() {
    let number = |kind: &str, keyword: &str, bound: Json| json!({ "type": kind, keyword: bound });
    let by_rule = |kind: &str, rule: &str| {
        let mut schema = rules(&[rule]);
        schema["type"] = json!(kind);
        schema
    };
    let below = |bound: Json| json!({ "type": "number", "maximum": bound, "exclusiveMaximum": true });
    for (old, new, rejects) in [
        // No integer is accepted beside a bound that is none.
        (
            number("integer", "maximum", json!(1)),
            number("integer", "maximum", json!(1.5)),
            true,
        ),
        (
            number("integer", "maximum", json!(1.5)),
            number("integer", "maximum", json!(1)),
            false,
        ),
        (
            number("number", "minimum", json!(1)),
            number("number", "minimum", json!(1.5)),
            true,
        ),
        (
            number("number", "minimum", json!(1.5)),
            number("number", "minimum", json!(1)),
            false,
        ),
        // 1 is accepted by the first, and not below what is left of 1.5.
        (number("number", "maximum", json!(1)), below(json!(1.5)), true),
        (number("number", "maximum", json!(1)), below(json!(2)), false),
        (
            number("number", "minimum", json!(1.5)),
            by_rule("number", "self >= 1.5"),
            true,
        ),
        (
            number("number", "minimum", json!(2)),
            by_rule("number", "self >= 1.5"),
            false,
        ),
        // The bound is 2^53.
        (
            number("integer", "minimum", json!(9_007_199_254_740_993_i64)),
            by_rule("integer", "self >= 9007199254740993"),
            true,
        ),
        (
            number("integer", "minimum", json!(9_007_199_254_740_991_i64)),
            by_rule("integer", "self >= 9007199254740991"),
            false,
        ),
    ] {
        let reported = reported("v1", &old, &new);
        let breaks = reported.iter().any(|found| found.starts_with("breaking"));
        assert_eq!(breaks, rejects, "{old} {new}: {reported:?}");
    }
}

#[test]
fn a_list_is_distinct_by_what_rules_compare() {
    let rule = "self.all(x, self.exists_one(y, x == y))";
    let list = |item: &Json, how: Json, rules: Json| {
        let mut list = json!({ "type": "array", "items": item, "x-kubernetes-validations": rules });
        list.as_object_mut()
            .expect("it is one")
            .extend(how.as_object().cloned().expect("it is one"));
        list
    };
    let set = json!({ "x-kubernetes-list-type": "set" });
    let map = json!({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"] });
    let keyed = |nullable: bool| {
        json!({ "type": "object", "nullable": nullable, "required": ["n"],
            "properties": { "n": { "type": "string" } } })
    };
    for (item, how, rule, rejects) in [
        (json!({ "type": "string" }), &set, rule, false),
        (json!({ "type": "integer" }), &set, rule, false),
        (json!({ "type": "number" }), &set, rule, true),
        (json!({ "type": "string", "format": "duration" }), &set, rule, true),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            &set,
            rule,
            true,
        ),
        (keyed(false), &map, "self.all(x, self.exists_one(y, x.n == y.n))", false),
        (keyed(true), &map, "self.all(x, self.exists_one(y, x.n == y.n))", true),
    ] {
        let old = list(&item, how.clone(), json!([]));
        let new = list(&item, how.clone(), json!([{ "rule": rule }]));
        assert_eq!(!refused(&old, &new).is_empty(), rejects, "{new}");
    }
}

#[test]
fn a_new_default_takes_room_that_a_bound_leaves() {
    let object = |names: &[&str], default: Option<&str>, most: u8| {
        let fields = names
            .iter()
            .map(|name| ((*name).to_owned(), json!({ "type": "string" })));
        let mut fields: Map<String, Json> = fields.collect();
        if let Some(name) = default {
            fields.insert(name.to_owned(), json!({ "type": "string", "default": "x" }));
        }
        json!({ "type": "object", "properties": fields, "maxProperties": most })
    };
    for (old, new, rejects) in [
        (object(&["a", "b"], None, 2), object(&["a", "b"], Some("c"), 2), true),
        (object(&["a", "b"], None, 2), object(&["a", "b"], Some("c"), 3), false),
        (
            object(&["a", "b", "d"], None, 2),
            object(&["a", "b", "d"], Some("c"), 3),
            false,
        ),
        (object(&["a", "b"], None, 2), object(&["a", "b", "c"], None, 2), false),
    ] {
        assert_eq!(!refused(&old, &new).is_empty(), rejects, "{old} {new}");
    }
}

#[test]
fn a_field_that_its_default_sets_is_absent_without_it() {
    let object = |default: Option<&str>, required: &[&str], rules: Json| {
        let mut field = json!({ "type": "string" });
        if let Some(default) = default {
            field["default"] = json!(default);
        }
        json!({ "type": "object", "properties": { "a": field }, "required": required,
            "x-kubernetes-validations": rules })
    };
    let rule = || json!([{ "rule": "has(self.a)" }]);
    for (old, new, is_rejected) in [
        (object(Some("x"), &["a"], json!([])), object(None, &[], rule()), true),
        (
            object(Some("x"), &["a"], json!([])),
            object(Some("x"), &[], rule()),
            false,
        ),
        (object(None, &["a"], json!([])), object(None, &[], rule()), false),
    ] {
        let found = refused(&old, &new);
        let rejects = found.iter().any(|found| found.ends_with("rule-added"));
        assert_eq!(rejects, is_rejected, "{old} {new}: {found:?}");
    }
}

#[test]
fn a_default_is_of_the_type_that_rules_read() {
    let object = |fields: Json, rules: Json| json!({ "type": "object", "properties": fields, "x-kubernetes-validations": rules });
    let old = object(json!({ "b": { "type": "string" } }), json!([]));
    for (field, rule, is_rejected) in [
        (
            json!({ "type": "string", "format": "byte", "default": "aGVsbG8=" }),
            "size(self.a) >= 8",
            true,
        ),
        (
            json!({ "type": "string", "default": "aGVsbG8=" }),
            "size(self.a) >= 8",
            false,
        ),
        (json!({ "type": "integer", "default": 3 }), "self.a <= 3", false),
        (json!({ "type": "number", "default": 3 }), "self.a <= 3.5", false),
    ] {
        let new = object(
            json!({ "a": field, "b": { "type": "string" } }),
            json!([{ "rule": rule }]),
        );
        assert_eq!(!refused(&old, &new).is_empty(), is_rejected, "{field} {rule}");
    }
}

#[test]
fn what_all_of_keeps_is_no_change() {
    let of_all = |kind: &str, members: Json| json!({ "type": kind, "allOf": members });
    let of_any = |members: Json| json!({ "type": "integer", "anyOf": members });
    let exclusive = |mark: &str, members: Json| json!({ "type": "integer", mark: true, "allOf": members });
    let [loosened, tightened] = ["loosened", "tightened"].map(|how| {
        let verdict = if how == "loosened" {
            "compatible risky warning"
        } else {
            "breaking compatible error"
        };
        vec![format!("{verdict} combination-{how}")]
    });
    let restated = || vec!["compatible compatible off restated".to_owned()];
    for (less, more, [there, back]) in [
        (
            of_all("string", json!([{ "pattern": "^a" }, { "pattern": "b$" }])),
            of_all("string", json!([{ "pattern": "^a" }])),
            [loosened.clone(), tightened.clone()],
        ),
        (
            of_all(
                "string",
                json!([{ "pattern": "^a", "maxLength": 3 }, { "pattern": "b$" }]),
            ),
            of_all("string", json!([{ "pattern": "^a" }, { "maxLength": 3 }])),
            [loosened.clone(), tightened.clone()],
        ),
        (
            of_all("integer", json!([{ "multipleOf": 2 }, { "multipleOf": 3 }])),
            of_all("integer", json!([{ "multipleOf": 2 }])),
            [loosened.clone(), tightened.clone()],
        ),
        (
            exclusive("exclusiveMaximum", json!([{ "minimum": 1 }])),
            of_all("integer", json!([{ "minimum": 1 }])),
            [restated(), restated()],
        ),
        (
            exclusive("exclusiveMinimum", json!([{ "minimum": 1 }])),
            of_all("integer", json!([{ "minimum": 1 }])),
            [restated(), restated()],
        ),
        (
            of_any(json!([{ "maximum": 5 }])),
            of_any(json!([{ "maximum": 5 }, { "minimum": 9 }])),
            [loosened, tightened],
        ),
    ] {
        assert_eq!(reported("v1", &less, &more), there, "{less} {more}");
        assert_eq!(reported("v1", &more, &less), back, "{more} {less}");
    }
}

#[test]
fn keywords_in_all_of_are_known_to_rules_and_combinations() {
    let integers = json!({ "type": "integer" });
    for (old, new, rejected) in [
        (
            json!({ "type": "string", "allOf": [{ "maxLength": 3 }] }),
            json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self.size() <= 3" }] }),
            json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self.size() <= 2" }] }),
        ),
        (
            json!({ "type": "array", "items": integers, "allOf": [{ "maxItems": 3 }] }),
            json!({ "type": "array", "items": integers,
                "x-kubernetes-validations": [{ "rule": "self.size() <= 3" }] }),
            json!({ "type": "array", "items": integers,
                "x-kubernetes-validations": [{ "rule": "self.size() <= 2" }] }),
        ),
        (
            json!({ "type": "string", "allOf": [{ "enum": ["A", "B"] }] }),
            json!({ "type": "string", "not": { "enum": ["C"] } }),
            json!({ "type": "string", "not": { "enum": ["B"] } }),
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "integer", "allOf": [{ "maximum": 3 }] } } }),
            json!({ "type": "object", "properties": { "a": { "type": "integer", "allOf": [{ "maximum": 3 }] } },
                "x-kubernetes-validations": [{ "rule": "!has(self.a) || self.a <= 3" }] }),
            json!({ "type": "object", "properties": { "a": { "type": "integer", "allOf": [{ "maximum": 3 }] } },
                "x-kubernetes-validations": [{ "rule": "!has(self.a) || self.a <= 2" }] }),
        ),
    ] {
        assert_eq!(refused(&old, &new), [""; 0], "{old} {new}");
        assert!(!refused(&old, &rejected).is_empty(), "{old} {rejected}");
    }
}

#[test]
fn the_order_of_equal_rules_decides_nothing() {
    let plain = json!({ "rule": "self.a == oldSelf.a" });
    let optional = json!({ "rule": "!oldSelf.hasValue() || self.a == oldSelf.value().a", "optionalOldSelf": true });
    let object = |rules: Json| {
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"],
            "x-kubernetes-validations": rules })
    };
    let wider = object(json!([{ "rule": "self.a == oldSelf.a || self.a == 'x'" }]));
    let expected = reported("v1", &object(json!([plain])), &wider);
    for rules in [json!([plain, optional]), json!([optional, plain]), json!([optional])] {
        assert_eq!(reported("v1", &object(rules.clone()), &wider), expected, "{rules}");
    }
}

#[test]
fn a_bound_may_be_a_keyword_or_a_rule() {
    for (kind, keyword, rule, other) in [
        (json!({ "type": "integer" }), "minimum", "self >= 3", "self >= 4"),
        (json!({ "type": "number" }), "minimum", "self >= 3.0", "self >= 3.5"),
        (
            json!({ "type": "string" }),
            "maxLength",
            "self.size() <= 3",
            "self.size() <= 2",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            "maxItems",
            "size(self) <= 3",
            "size(self) < 3",
        ),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            "maxProperties",
            "self.size() <= 3",
            "self.size() != 3",
        ),
    ] {
        let with = |key: &str, value: Json| {
            let mut schema = kind.clone();
            schema[key] = value;
            schema
        };
        let by_rule = |rule: &str| with("x-kubernetes-validations", json!([{ "rule": rule }]));
        let bounded = with(keyword, json!(3));
        assert_eq!(refused(&bounded, &by_rule(rule)), [""; 0], "{rule}");
        assert_eq!(refused(&by_rule(rule), &bounded), [""; 0], "{rule}");
        assert!(!refused(&bounded, &by_rule(other)).is_empty(), "{other}");
        let narrower = with(keyword, json!(if keyword == "minimum" { 4 } else { 2 }));
        assert!(!refused(&by_rule(rule), &narrower).is_empty(), "{rule}");
    }
}

#[test]
fn a_rule_about_new_fields_rejects_no_object_of_before() {
    let object = |fields: &[&str], rules: Json| {
        let fields: Map<String, Json> = fields
            .iter()
            .map(|name| ((*name).to_owned(), json!({ "type": "string" })))
            .collect();
        json!({ "type": "object", "properties": fields, "x-kubernetes-validations": rules })
    };
    let old = object(&["a"], json!([]));
    for (rule, is_breaking) in [
        ("!has(self.b) || self.b == self.a", false),
        ("has(self.b) ? self.b != 'x' : true", false),
        ("!(has(self.a) && has(self.b))", false),
        ("(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1", false),
        ("(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1", true),
        ("has(self.a) || has(self.b)", true),
        ("!has(self.a) || self.a != 'x'", true),
    ] {
        let found = reported("v1", &old, &object(&["a", "b"], json!([{ "rule": rule }])));
        let breaks = found.iter().any(|found| found.starts_with("breaking "));
        assert_eq!(breaks, is_breaking, "{rule}: {found:?}");
    }
}

#[test]
fn combinations_of_which_fields_are_set_are_decided() {
    let object = |fields: &[&str], keyword: &str, members: Json| {
        let fields: Map<String, Json> = fields
            .iter()
            .map(|name| ((*name).to_owned(), json!({ "type": "string" })))
            .collect();
        json!({ "type": "object", "properties": fields, keyword: members })
    };
    let set = |name: &str| json!({ "required": [name] });
    // None of the fields, or one of them.
    let at_most_one = |names: &[&str]| {
        let all: Vec<Json> = names.iter().map(|name| set(name)).collect();
        let mut members = vec![json!({ "not": { "anyOf": all } })];
        members.extend(all);
        Json::from(members)
    };
    let plain = object(&["a", "b"], "description", json!("of a thing"));
    let one_of = |fields: &[&str], names: &[&str]| object(fields, "oneOf", at_most_one(names));
    let codes = |old: &Json, new: &Json| {
        let found = reported("v1", old, new);
        let found = found
            .iter()
            .filter(|found| !found.contains("field-added") && !found.contains("description"));
        found.cloned().collect::<Vec<_>>()
    };
    // It holds for every object.
    assert_eq!(codes(&plain, &one_of(&["a", "b"], &["a"])), [""; 0]);
    let said_otherwise = object(&["a", "b"], "not", json!({ "required": ["a", "b"] }));
    assert_eq!(codes(&one_of(&["a", "b"], &["a", "b"]), &said_otherwise), [""; 0]);
    // No object of before has the new field.
    let loosened = "compatible risky warning combination-loosened";
    let before = one_of(&["a", "b"], &["a", "b"]);
    assert_eq!(codes(&before, &one_of(&["a", "b", "c"], &["a", "b", "c"])), [loosened]);
    assert_eq!(
        codes(
            &object(&["a"], "oneOf", json!([set("a")])),
            &one_of(&["a", "b"], &["a", "b"])
        ),
        [loosened]
    );
    // Objects of before may have both fields.
    let tightened = "breaking compatible error combination-tightened";
    assert_eq!(codes(&plain, &one_of(&["a", "b"], &["a", "b"])), [tightened]);
    // Unlisted fields are kept.
    let kept = json!({ "type": "object", "properties": { "a": { "type": "string" } },
        "x-kubernetes-preserve-unknown-fields": true });
    let mut new = kept.clone();
    new["properties"]["b"] = json!({ "type": "string" });
    new["oneOf"] = at_most_one(&["a", "b"]);
    assert!(codes(&kept, &new).contains(&tightened.to_owned()));
    // A default sets the new field.
    let mut new = one_of(&["a", "b", "c"], &["a", "b", "c"]);
    new["properties"]["c"]["default"] = json!("x");
    assert!(
        codes(&before, &new).iter().any(|found| found.starts_with("breaking ")),
        "{:?}",
        codes(&before, &new)
    );
}

#[test]
fn a_rule_that_allows_more_changes_than_none_rejects_no_update() {
    let fields = json!({
        "name": { "type": "string" },
        "labels": { "type": "object", "additionalProperties": { "type": "string" } },
        "size": { "type": "integer" },
    });
    let object = |rules: &[&str]| {
        let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
        json!({ "type": "object", "properties": fields, "x-kubernetes-validations": rules })
    };
    let same_name = "!has(oldSelf.name) || has(self.name) && self.name == oldSelf.name";
    let same_labels = "!has(oldSelf.name) || has(self.labels) == has(oldSelf.labels) && \
                       (!has(self.labels) || self.labels == oldSelf.labels)";
    for (old, new, is_breaking) in [
        (
            "!has(oldSelf.name) || self == oldSelf",
            &[same_name, same_labels][..],
            false,
        ),
        ("self == oldSelf", &[same_name], false),
        // Objects without a name were free.
        (
            "!has(oldSelf.name) || self == oldSelf",
            &["has(self.labels) == has(oldSelf.labels)"],
            true,
        ),
        // What new objects must be is no matter of updates.
        ("self == oldSelf", &["!has(self.size) || self.size > 3"], true),
        (same_name, &["self == oldSelf"], true),
    ] {
        let found = reported("v1", &object(&[old]), &object(new));
        let breaks = found.iter().any(|found| found.starts_with("breaking "));
        assert_eq!(breaks, is_breaking, "{old} {new:?}: {found:?}");
    }
}

#[test]
fn a_rule_that_old_keywords_demand_rejects_no_object_of_before() {
    let object = |fields: Json, required: &[&str], rule: Option<&str>| {
        let rules: Vec<Json> = rule.map(|rule| json!({ "rule": rule })).into_iter().collect();
        json!({ "type": "object", "required": required, "properties": fields, "x-kubernetes-validations": rules })
    };
    let text = |values: &[&str]| json!({ "type": "string", "enum": values });
    let old = |required| {
        object(
            json!({ "type": text(&["A"]), "from": { "type": "string" } }),
            required,
            None,
        )
    };
    let new = |rule| {
        let more = json!({ "type": text(&["A", "B"]), "from": { "type": "string" }, "b": { "type": "string" },
            "c": { "type": "string", "default": "x" } });
        object(more, &["type"], Some(rule))
    };
    for (required, rule, is_breaking) in [
        // The value is new, and the field that it asks for too.
        (&["type"][..], "!(!has(self.b) && self.type == 'B')", false),
        (&["type"], "self.type == 'B' || has(self.b) == false", false),
        (&["type"], "self.type != 'B'", false),
        (&["type"], "self.c in ['x', 'y']", false),
        // What was required still is.
        (&["type", "from"], "self.type != 'A' || has(self.from)", false),
        (&["type"], "self.type != 'A' || has(self.from)", true),
        (&["type"], "self.type != 'A' || has(self.b)", true),
        (&["type"], "self.c != 'x'", true),
        (&["from"], "self.type != 'B'", true),
    ] {
        let found = reported("v1", &old(required), &new(rule));
        let breaks = found
            .iter()
            .any(|found| found.contains("rule-added") && found.starts_with("breaking "));
        assert_eq!(breaks, is_breaking, "{rule}: {found:?}");
    }
}

#[test]
fn an_alternative_that_demands_nothing_constrains_nothing() {
    let fields = |names: &[&str]| {
        let fields: Map<String, Json> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        json!({ "properties": fields })
    };
    let of = |keyword: &str, members: &[Json]| json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } }, keyword: members });
    let none: [&str; 0] = [];
    let plain = of("allOf", &[]);
    for keyword in ["oneOf", "anyOf", "allOf"] {
        let [one, more] = [&["a"][..], &["a", "b"]].map(|names| of(keyword, &[fields(names)]));
        for [old, new] in [[&one, &more], [&plain, &one], [&one, &plain]] {
            assert_eq!(reported("v1", old, new), none, "{old} {new}");
        }
        // A single alternative is a demand, whatever the keyword.
        let [this, that] = [
            json!({ "required": ["a"] }),
            json!({ "properties": { "b": {} }, "required": ["a"] }),
        ];
        assert_eq!(
            reported("v1", &of(keyword, &[this]), &of("allOf", &[that])),
            none,
            "{keyword}"
        );
    }
    // Of two that demand nothing, each value matches both.
    let both = of("oneOf", &[fields(&["a"]), fields(&["b"])]);
    assert_eq!(
        reported("v1", &plain, &both),
        ["breaking compatible error combination-tightened"]
    );
}

#[test]
fn what_a_field_demands_anyway_is_no_matter_of_alternatives() {
    let one = json!({ "oneOf": [{ "required": ["x"] }, { "required": ["y"] }] });
    let object = |hash: Json, members: Json| json!({ "type": "object", "oneOf": members, "properties": { "simple": { "type": "string" }, "hash": hash } });
    let fields = json!({ "x": { "type": "string" }, "y": { "type": "string" } });
    let plain = json!({ "type": "object", "properties": fields });
    let bound = json!({ "type": "object", "properties": fields, "allOf": [one] });
    let set = |name: &str| json!({ "required": [name] });
    let neither = |hash: Json| json!({ "not": { "anyOf": [set("simple"), hash] } });
    let within = json!({ "required": ["hash"], "properties": { "hash": { "allOf": [one] } } });
    let old = object(plain.clone(), json!([neither(within.clone()), set("simple"), within]));
    let new = object(bound, json!([neither(set("hash")), set("simple"), set("hash")]));
    // The demand has moved to the field: there it is tightened, and the alternatives are the same.
    assert_eq!(
        reported("v1", &old, &new),
        ["breaking compatible error combination-tightened"]
    );
    let unbound = object(plain, json!([neither(set("hash")), set("simple"), set("hash")]));
    let found = reported("v1", &old, &unbound);
    assert!(found.iter().all(|found| found.starts_with("breaking ")), "{found:?}");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_pattern_is_compared_by_the_texts_that_it_matches() {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let none: [&str; 0] = [];
    let wider = ["compatible risky warning pattern-changed"];
    for (old, new, expected) in [
        // A letter twice, and one more alternative.
        ("^[a-zSA-Z]+$", "^[a-zA-Z]+$", &none[..]),
        ("^http(s)?://.+$", "^(http|https|socks5)://.+$", &wider[..]),
        ("^[a-z]+$", "(?i)^[a-z]+$", &wider[..]),
    ] {
        let found = reported("v1", &text(old), &text(new));
        let found: Vec<_> = found.iter().filter(|found| !found.ends_with("restated")).collect();
        assert_eq!(found, expected, "{old} {new}");
    }
    assert!(reported("v1", &text("^[a-z]+$"), &text("^[a-z0]{2,}$"))[0].starts_with("breaking "));
}

#[test]
fn a_pattern_that_rejects_nothing_but_line_breaks_says_so() {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    for (old, new, expected) in [
        (
            "^a://",
            "^a://.*$",
            "pattern rejects line breaks: pattern ^a:// → ^a://.*$",
        ),
        ("^a://", "^[ab]://.*$", "pattern changed, rejects line breaks: "),
        ("^a://", "^a://.+$", "pattern tightened: "),
        ("^a://", "^b://.*$", "pattern changed: "),
        ("^a.*$", "(?s)^a.*$", "pattern loosened: "),
    ] {
        let [old_crd, new_crd] = [old, new].map(|pattern| definition("v1", &text(pattern)));
        let report = compare(&old_crd, &new_crd);
        assert!(
            report.changes[0].message.starts_with(expected),
            "{}",
            report.changes[0].message
        );
        let is_about_lines = report.changes[0]
            .reason
            .as_deref()
            .is_some_and(|reason| reason.contains("line break"));
        assert_eq!(is_about_lines, expected.contains("line breaks"), "{old} {new}");
    }
}

#[test]
fn a_rule_that_moves_to_a_field_or_replaces_required_ones_rejects_no_object() {
    let object = |own: &[&str], of_field: &[&str], required: Json| {
        let rules = |rules: &[&str]| rules.iter().map(|rule| json!({ "rule": rule })).collect::<Json>();
        let field = json!({ "type": "string", "x-kubernetes-validations": rules(of_field) });
        let mut object = json!({ "type": "object", "properties": { "a": field, "b": { "type": "string" } },
            "x-kubernetes-validations": rules(own) });
        if let (Json::Object(keys), Json::Object(more)) = (&mut object, required) {
            keys.extend(more);
        }
        object
    };
    let none = json!({});
    let moved = |own: &str, of_field: &str| {
        let (one, other) = (
            object(&[own], &[], none.clone()),
            object(&[], &[of_field], none.clone()),
        );
        [reported("v1", &one, &other), reported("v1", &other, &one)]
    };
    let same = [(); 2].map(|()| Vec::<String>::new());
    assert_eq!(moved("!has(self.a) || self.a != 'x'", "self != 'x'"), same);
    assert_eq!(moved("has(self.a) ? self.a.size() > 3 : true", "self.size() > 3"), same);
    for (own, of_field) in [
        ("!has(self.a) || self.a != 'y'", "self != 'x'"),
        ("!has(self.b) || self.b != 'x'", "self != 'x'"),
        // A field that is not set has no error now.
        ("has(self.a) && self.a != 'x'", "self != 'x'"),
    ] {
        let [_, back] = moved(own, of_field);
        assert!(
            back.iter().any(|found| found.starts_with("breaking ")),
            "{own}: {back:?}"
        );
    }
    // Rules that swap places are alike, and neither is one that changed.
    let set = |of_object: &str, of_field: &str| {
        let own = format!("!has(self.a) || self.a != '{of_object}'");
        let of_field = format!("self != '{of_field}'");
        object(&[&own], &[&of_field], none.clone())
    };
    assert!(reported("v1", &set("long-x", "long-y"), &set("long-y", "long-x")).is_empty());
    assert_eq!(
        reported("v1", &set("long-x", "long-y"), &set("long-y", "long-z")),
        [
            "compatible risky warning rule-removed",
            "breaking risky error rule-added"
        ]
    );
    let one_of = |keyword: &str| json!({ keyword: [{ "required": ["a"] }, { "required": ["b"] }] });
    for (required, rule, rejects) in [
        (one_of("oneOf"), "!(has(self.a) && has(self.b))", false),
        (one_of("oneOf"), "has(self.a) || has(self.b)", false),
        (one_of("oneOf"), "has(self.a) != has(self.b)", false),
        (one_of("anyOf"), "has(self.a) || has(self.b)", false),
        (one_of("anyOf"), "!(has(self.a) && has(self.b))", true),
        (
            json!({ "not": { "required": ["a", "b"] } }),
            "!(has(self.a) && has(self.b))",
            false,
        ),
        (json!({ "not": { "required": ["a", "b"] } }), "!has(self.a)", true),
    ] {
        let found = reported(
            "v1",
            &object(&[], &[], required.clone()),
            &object(&[rule], &[], none.clone()),
        );
        let is_rejected = found.iter().any(|found| found.starts_with("breaking "));
        assert_eq!(is_rejected, rejects, "{required} {rule}: {found:?}");
    }
}

#[test]
fn a_rule_that_moves_is_not_the_old_state_of_another_one() {
    let text = |rules: Json| json!({ "type": "string", "x-kubernetes-validations": rules });
    let object = |own: Json, of_field: Json| {
        json!({ "type": "object", "properties": { "a": text(of_field), "b": text(json!([])) },
            "x-kubernetes-validations": own })
    };
    let (of_a, of_b) = ("!has(self.a) || self.a != 'x'", "!has(self.b) || self.b != 'x'");
    for message in [json!({}), json!({ "message": "must not be x" })] {
        let rule = |text: &str| {
            let mut rule = json!({ "rule": text });
            rule.as_object_mut()
                .expect("it is an object")
                .extend(message.as_object().expect("it is an object").clone());
            json!([rule])
        };
        let (above, below) = (object(rule(of_a), json!([])), object(rule(of_b), rule("self != 'x'")));
        assert_eq!(reported("v1", &above, &below), ["breaking compatible error rule-added"]);
        assert_eq!(
            reported("v1", &below, &above),
            ["compatible risky warning rule-removed"]
        );
    }
}

#[test]
fn a_rule_may_move_by_several_levels() {
    let nested = |levels: usize, of_field: &[&str]| {
        let rules: Json = of_field.iter().map(|rule| json!({ "rule": rule })).collect();
        let field = json!({ "type": "string", "x-kubernetes-validations": rules });
        (0..levels).fold(
            field,
            |field, _| json!({ "type": "object", "properties": { "a": field } }),
        )
    };
    // What the fields down to a level demand of the last one.
    let rule = |levels: usize| {
        let values: Vec<String> = (1..=levels)
            .map(|level| format!("self{}", ".a".repeat(level)))
            .collect();
        let mut conditions: Vec<String> = values.iter().map(|value| format!("!has({value})")).collect();
        conditions.push(format!("{} != 'x'", values[levels - 1]));
        conditions.join(" || ")
    };
    for levels in [1, 2, 3, 5, 9] {
        let mut above = nested(levels, &[]);
        above["x-kubernetes-validations"] = json!([{ "rule": rule(levels) }]);
        let below = nested(levels, &["self != 'x'"]);
        assert_eq!(reported("v1", &above, &below), [""; 0], "{levels} down");
        assert_eq!(reported("v1", &below, &above), [""; 0], "{levels} up");
        // A field may repeat what the objects around it demand.
        let mut both = below.clone();
        both["x-kubernetes-validations"] = above["x-kubernetes-validations"].clone();
        assert_eq!(reported("v1", &above, &both), [""; 0], "{levels} repeated");
        let other = nested(levels, &["self != 'y'"]);
        assert_eq!(
            reported("v1", &above, &other),
            [
                "compatible risky warning rule-removed",
                "breaking risky error rule-added"
            ],
            "{levels}"
        );
    }
    // One of the fields around it moves up, and the field repeats it.
    let mut old = nested(3, &[]);
    old["properties"]["a"]["x-kubernetes-validations"] = json!([{ "rule": rule(2) }]);
    let mut new = nested(3, &["self != 'x'"]);
    new["x-kubernetes-validations"] = json!([{ "rule": rule(3) }]);
    assert_eq!(reported("v1", &old, &new), [""; 0]);
    // With more conditions than are compared, nothing definite is said.
    let below = nested(20, &["self != 'x'"]);
    let mut both = below.clone();
    both["x-kubernetes-validations"] = json!([{ "rule": rule(20) }]);
    let mut above = nested(20, &[]);
    above["x-kubernetes-validations"] = both["x-kubernetes-validations"].clone();
    assert_eq!(reported("v1", &below, &both), ["breaking risky error rule-added"]);
    assert_eq!(reported("v1", &above, &both), ["breaking risky error rule-added"]);
}

#[test]
fn a_rule_that_others_may_demand_is_not_definitely_breaking() {
    type OfRules<'a> = &'a dyn Fn(&[&str]) -> Json;
    let object = |a: Json, rules: &[&str]| {
        let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
        json!({ "type": "object", "properties": { "a": a, "b": { "type": "string" } },
            "x-kubernetes-validations": rules })
    };
    let field = |rules: &[&str]| {
        let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
        json!({ "type": "string", "x-kubernetes-validations": rules })
    };
    let list = |rules: &[&str]| json!({ "type": "array", "items": object(field(rules), &[]) });
    let map = |rules: &[&str]| json!({ "type": "object", "additionalProperties": field(rules) });
    let nullable = |rules: &[&str]| {
        let mut field = field(rules);
        field["nullable"] = json!(true);
        field
    };
    let kinds: [(OfRules<'_>, &str); 3] = [
        (&list, "!has(self.a) || self.a.all(x, !has(x.a) || x.a != 'x')"),
        (&map, "!has(self.a) || self.a.all(key, self.a[key] != 'x')"),
        (&nullable, "!has(self.a) || self.a == null || self.a != 'x'"),
    ];
    for (kind, rule) in kinds {
        let (below, above) = (object(kind(&["self != 'x'"]), &[]), object(kind(&[]), &[rule]));
        let both = object(kind(&["self != 'x'"]), &[rule]);
        for old in [&below, &above] {
            assert_eq!(
                reported("v1", old, &both),
                ["breaking risky error rule-added"],
                "{rule}"
            );
        }
        // What rules demand of another field decides nothing.
        let of_b = "!has(self.b) || self.b != 'x'";
        let other = object(kind(&["self != 'x'"]), &[of_b]);
        for old in [&below, &object(kind(&[]), &[of_b])] {
            assert_eq!(
                reported("v1", old, &other),
                ["breaking compatible error rule-added"],
                "{rule}"
            );
        }
    }
}

#[test]
fn whether_a_field_is_set_is_not_up_to_rules_of_its_items() {
    let items = json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self != 'x'" }] });
    let list = json!({ "type": "array", "items": items });
    let map = json!({ "type": "object", "additionalProperties": items });
    let nested = json!({ "type": "object", "properties": { "l": list } });
    for field in [list, map, nested] {
        let old = json!({ "type": "object", "properties": { "a": field, "b": { "type": "string" } } });
        for (rule, expected) in [
            ("(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1", "compatible"),
            ("has(self.b) ? !has(self.a) : true", "compatible"),
            ("!has(self.a) || size(self.a) == 1", "compatible"),
            ("!has(self.a) || self.a != self.a", "risky"),
        ] {
            let mut new = old.clone();
            new["x-kubernetes-validations"] = json!([{ "rule": rule }]);
            let expected = format!("breaking {expected} error rule-added");
            assert_eq!(reported("v1", &old, &new), [expected.as_str()], "{rule}\n{old}");
        }
    }
}

#[test]
fn fields_that_are_required_anyway_decide_nothing_between_alternatives() {
    let object = |required: &[&str]| {
        json!({ "type": "object", "required": required, "properties": {
            "a": { "type": "string" }, "b": { "type": "object", "required": ["c"], "properties": {
                "c": { "type": "string" }, "d": { "type": "string" } } } } })
    };
    let set = |name: &str| json!({ "required": [name] });
    let tightened = vec!["breaking compatible error combination-tightened"];
    for (keyword, members, expected) in [
        ("oneOf", json!([set("a")]), vec![]),
        ("anyOf", json!([set("a"), set("b")]), vec![]),
        ("anyOf", json!([set("b"), { "properties": { "b": set("c") } }]), vec![]),
        ("oneOf", json!([set("a"), set("b")]), tightened.clone()),
        ("not", set("a"), tightened.clone()),
        ("allOf", json!([{ "properties": { "b": set("d") } }]), tightened),
    ] {
        let mut new = object(&["a"]);
        new[keyword] = members;
        assert_eq!(reported("v1", &object(&["a"]), &new), expected, "{new}");
    }
    // What is required only now does not decide for objects of before.
    let mut new = object(&["a"]);
    new["anyOf"] = json!([set("a"), set("b")]);
    let found = reported("v1", &object(&[]), &new);
    assert!(
        found.contains(&"breaking compatible error required-added".to_owned()),
        "{found:?}"
    );
}

#[test]
fn keywords_of_a_field_may_say_what_a_rule_of_its_object_says() {
    let old = |rule: &str| {
        json!({ "type": "object", "x-kubernetes-validations": [{ "rule": rule }], "properties": {
            "n": { "type": "integer" }, "s": { "type": "string" } } })
    };
    let cases = [
        (
            "!has(self.n) || self.n <= 5",
            "n",
            "maximum",
            json!(5),
            "bound-tightened",
        ),
        (
            "!has(self.n) || self.n > 0",
            "n",
            "minimum",
            json!(1),
            "bound-tightened",
        ),
        (
            "!has(self.s) || size(self.s) < 6",
            "s",
            "maxLength",
            json!(5),
            "bound-tightened",
        ),
        (
            "!has(self.s) || self.s in ['a', 'b']",
            "s",
            "enum",
            json!(["b", "a"]),
            "enum-added",
        ),
    ];
    for (rule, field, keyword, value, code) in cases {
        let mut new = old(rule);
        new["properties"][field][keyword] = value.clone();
        assert_eq!(
            reported("v1", &old(rule), &new),
            ["compatible compatible off restated"],
            "{rule}"
        );
        let other = "!has(self.n) || self.n != 7 || !has(self.s) || self.s != 'x'";
        let mut new = old(other);
        new["properties"][field][keyword] = value;
        let expected = format!("breaking compatible error {code}");
        assert_eq!(reported("v1", &old(other), &new), [expected.as_str()], "{keyword}");
    }
    let mut new = old("has(self.s)");
    new["required"] = json!(["s"]);
    assert_eq!(
        reported("v1", &old("has(self.s)"), &new),
        ["compatible compatible off restated"]
    );
}

/// What says the same as before.
const SAME: &str = "compatible compatible off restated";

/// A rule of an object, a new keyword below it, and what is reported: of numbers, lists and fields.
fn of_numbers_and_lists() -> Vec<(&'static str, &'static str, Json, &'static str)> {
    let (surely, maybe) = (
        "objects that were accepted are rejected",
        "it may reject values that were accepted",
    );
    vec![
        (
            "!has(self.o) || !has(self.o.n) || self.o.n <= 5",
            "/o/properties/n/maximum",
            json!(5),
            SAME,
        ),
        (
            "!has(self.o) || !has(self.o.n) || self.o.n <= 9",
            "/o/properties/n/maximum",
            json!(5),
            surely,
        ),
        ("!has(self.o)", "/o/properties/n/maximum", json!(5), SAME),
        ("!has(self.o) || has(self.o.s)", "/o/required", json!(["s"]), SAME),
        ("!has(self.o) || has(self.o.n)", "/o/required", json!(["s"]), surely),
        (
            "!has(self.l) || self.l.all(x, x <= 5)",
            "/l/items/maximum",
            json!(5),
            SAME,
        ),
        (
            "!has(self.l) || self.l.all(x, x * 2 <= 9)",
            "/l/items/maximum",
            json!(5),
            maybe,
        ),
        ("!has(self.l) || size(self.l) < 3", "/l/items/maximum", json!(5), surely),
        ("!has(self.l) || size(self.l) < 3", "/l/maxItems", json!(2), SAME),
        ("!has(self.l) || size(self.l) < 3", "/l/maxItems", json!(1), surely),
        (
            "!has(self.p) || self.p.all(p, has(p.s))",
            "/p/items/required",
            json!(["s"]),
            SAME,
        ),
        (
            "!has(self.p) || self.p.all(p, !has(p.s) || size(p.s) <= 3)",
            "/p/items/properties/s/maxLength",
            json!(3),
            SAME,
        ),
        (
            "!has(self.m) || self.m.all(k, self.m[k].matches('^a'))",
            "/m/additionalProperties/pattern",
            json!("^a"),
            SAME,
        ),
        (
            "!has(self.m) || self.m.all(k, k.matches('^a'))",
            "/m/additionalProperties/pattern",
            json!("^a"),
            maybe,
        ),
    ]
}

/// The same of texts and enums.
fn of_texts() -> Vec<(&'static str, &'static str, Json, &'static str)> {
    let (surely, maybe) = (
        "objects that were accepted are rejected",
        "it may reject values that were accepted",
    );
    vec![
        (
            "!has(self.s) || self.s.startsWith('a')",
            "/s/pattern",
            json!("^a"),
            SAME,
        ),
        ("!has(self.s) || self.s in ['ab', 'a']", "/s/pattern", json!("^a"), SAME),
        (
            "!has(self.s) || self.s in ['ab', 'b']",
            "/s/pattern",
            json!("^a"),
            surely,
        ),
        (
            "!has(self.s) || self.s.charAt(0) == 'a'",
            "/s/pattern",
            json!("^a"),
            maybe,
        ),
        ("!has(self.s) || self.s == 'a'", "/s/enum", json!(["a"]), SAME),
        ("!has(self.s) || self.s == 'a'", "/s/maxLength", json!(1), maybe),
        ("!has(self.s) || self.s == 'abc'", "/s/maxLength", json!(1), surely),
        ("!has(self.e) || self.e != 'c'", "/e/enum", json!(["a", "b"]), SAME),
        ("!has(self.e) || self.e != 'b'", "/e/enum", json!(["a", "b"]), surely),
        (
            "!has(self.n) || self.n >= 0 && self.n < 1000",
            "/n/format",
            json!("int32"),
            SAME,
        ),
        ("!has(self.n) || self.n > 0", "/n/format", json!("int32"), surely),
        (
            "!has(self.s) || !format.uri().validate(self.s).hasValue()",
            "/s/format",
            json!("uri"),
            SAME,
        ),
        (
            "!has(self.s) || self.s.matches('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')",
            "/s/format",
            json!("uuid"),
            SAME,
        ),
        (
            "!has(self.s) || self.s.matches('^[a-z]{1,9}$') && size(self.s) < 20",
            "/s/format",
            json!("k8s-short-name"),
            SAME,
        ),
        ("!has(self.s) || isURL(self.s)", "/s/format", json!("uri"), maybe),
        (
            "!has(self.s) || self.s.matches('^[0-9a-f]{8}$')",
            "/s/format",
            json!("ipv4"),
            maybe,
        ),
        (
            "!has(self.s) || size(self.s) < 9",
            "/s/format",
            json!("hostname"),
            surely,
        ),
        ("!has(self.s) || self.s != ''", "/s/format", json!("date-time"), surely),
        (
            "!has(self.s) || self.s in ['a', '']",
            "/s/format",
            json!("byte"),
            surely,
        ),
        ("!has(self.n) || self.n > 0", "/s/format", json!("ipv6"), surely),
        ("!has(self.n) || self.n * 2 <= 10", "/n/maximum", json!(5), maybe),
        ("!has(self.n) || self.n in [1, 2]", "/n/enum", json!([1, 2, 3]), SAME),
        ("!has(self.n) || self.n != 7", "/n/enum", json!([1, 2, 3]), surely),
    ]
}

#[test]
fn keywords_of_what_is_below_may_say_what_a_rule_of_an_object_says() {
    let schema = |rule: &str| {
        json!({ "type": "object", "x-kubernetes-validations": [{ "rule": rule }], "properties": {
            "n": { "type": "integer" },
            "s": { "type": "string" },
            "e": { "type": "string", "enum": ["a", "b", "c"] },
            "o": { "type": "object", "properties": { "s": { "type": "string" }, "n": { "type": "integer" } } },
            "l": { "type": "array", "items": { "type": "integer" } },
            "p": { "type": "array", "items": { "type": "object", "properties": { "s": { "type": "string" } } } },
            "m": { "type": "object", "additionalProperties": { "type": "string" } } } })
    };
    let cases = of_numbers_and_lists().into_iter().chain(of_texts());
    for (rule, path, value, expected) in cases {
        let (mut new, path) = (schema(rule), format!("/properties{path}"));
        let (above, keyword) = path.rsplit_once('/').expect("it has steps");
        let object = new.pointer_mut(above).expect("the schema has it");
        object[keyword] = value;
        let report = compare(&definition("v1", &schema(rule)), &definition("v1", &new));
        let found: Vec<String> = report
            .changes
            .iter()
            .map(|change| match &change.reason {
                Some(reason) => reason.clone(),
                None => format!("{} {} off {}", change.writers, change.readers, change.code.as_str()),
            })
            .collect();
        assert_eq!(found, [expected], "{rule} {path}");
    }
}

#[test]
fn alternatives_of_which_one_must_match_are_decided_by_form() {
    let arm =
        |kind: &str, field: &str| json!({ "properties": { "type": { "enum": [kind] } }, "required": ["type", field] });
    let object = |members: &[Json]| {
        json!({ "type": "object", "oneOf": members, "properties": { "type": { "type": "string" },
            "a": { "type": "string" }, "b": { "type": "string" }, "c": { "type": "string" } } })
    };
    let [a, b, c] = [arm("A", "a"), arm("B", "b"), arm("C", "c")];
    let long = |least: u8| json!({ "properties": { "a": { "minLength": least } }, "required": ["a"] });
    let without = |field: &str| json!({ "not": { "required": [field] }, "required": ["a"] });
    let set = |field: &str| json!({ "required": [field] });
    for (before, after, expected) in [
        // They exclude one another.
        (
            vec![a.clone(), b.clone()],
            vec![a.clone(), b.clone(), c.clone()],
            "compatible risky combination-loosened",
        ),
        (
            vec![a.clone(), b.clone(), c.clone()],
            vec![a.clone(), b.clone()],
            "breaking compatible combination-tightened",
        ),
        (
            vec![a.clone()],
            vec![a.clone(), without("type")],
            "compatible risky combination-loosened",
        ),
        (
            vec![set("b")],
            vec![set("b"), without("b")],
            "compatible risky combination-loosened",
        ),
        // What matches the narrower one matches both.
        (
            vec![long(5)],
            vec![long(5), long(3)],
            "breaking risky alternative-added",
        ),
        (
            vec![long(5), long(3)],
            vec![long(3)],
            "compatible risky combination-loosened",
        ),
        // An object may have both.
        (
            vec![set("a")],
            vec![set("a"), set("b")],
            "breaking risky alternative-added",
        ),
        (
            vec![set("a"), set("b")],
            vec![set("a")],
            "breaking compatible combination-tightened",
        ),
        // There are no such objects.
        (
            vec![a.clone(), arm("D", "d")],
            vec![a],
            "breaking risky combination-changed",
        ),
    ] {
        let report = compare(&definition("v1", &object(&before)), &definition("v1", &object(&after)));
        let found: Vec<String> = report
            .changes
            .iter()
            .map(|change| format!("{} {} {}", change.writers, change.readers, change.code.as_str()))
            .collect();
        assert_eq!(found, [expected], "{before:?} {after:?}");
    }
}

#[test]
fn a_format_with_bounds_breaks_those_who_write() {
    let field = |kind: &str, format: Option<&str>| json!({ "type": kind, "format": format });
    for (kind, before, after, expected) in [
        (
            "integer",
            None,
            Some("int32"),
            "breaking compatible error format-changed",
        ),
        (
            "integer",
            Some("int64"),
            Some("int32"),
            "breaking compatible error format-changed",
        ),
        (
            "integer",
            Some("int32"),
            None,
            "compatible breaking error format-changed",
        ),
        ("string", None, Some("date"), "breaking compatible error format-changed"),
        (
            "string",
            Some("date"),
            Some("date-time"),
            "breaking breaking error format-changed",
        ),
    ] {
        let [mut old, mut new] = [before, after].map(|format| field(kind, format));
        for schema in [&mut old, &mut new] {
            if schema["format"].is_null() {
                schema.as_object_mut().expect("it is an object").remove("format");
            }
        }
        assert_eq!(reported("v1", &old, &new), [expected], "{old} {new}");
    }
}

#[test]
fn rules_that_read_nothing_in_common_decide_nothing() {
    let rules = |rules: &[&str]| -> Json { rules.iter().map(|rule| json!({ "rule": rule })).collect() };
    // A list of objects with `k` and `v`, and a rule of the object around it.
    let object = |of_value: &[&str], of_object: &str| {
        let value = json!({ "type": "string", "x-kubernetes-validations": rules(of_value) });
        let item = json!({ "type": "object", "properties": { "k": { "type": "string" }, "v": value } });
        let list = json!({ "type": "array", "items": item });
        json!({ "type": "object", "properties": { "a": list }, "x-kubernetes-validations": rules(&[of_object]) })
    };
    for (of_object, expected) in [
        ("!has(self.a) || self.a.all(x, !has(x.k) || x.k != 'x')", "compatible"),
        ("!has(self.a) || self.a.exists_one(x, has(x.k))", "compatible"),
        ("!has(self.a) || size(self.a) < 3", "compatible"),
        ("!has(self.a) || self.a.all(x, !has(x.v) || x.v != 'x')", "risky"),
        ("!has(self.a) || self.a.all(x, x == x)", "risky"),
        // There is no value that the new rule rejects.
        ("!has(self.a) || self.a.all(x, !has(x.v))", "risky"),
        ("!has(self.a) || size(self.a) == 0", "risky"),
        ("!has(self.a)", "risky"),
    ] {
        let (old, new) = (object(&[], of_object), object(&["self != 'x'"], of_object));
        let expected = format!("breaking {expected} error rule-added");
        assert_eq!(reported("v1", &old, &new), [expected.as_str()], "{of_object}");
    }
}

#[test]
fn a_rule_beside_many_others_rejects_what_meets_all_of_them() {
    let object = |rules: &[String]| {
        let fields = (0..12).map(|at| (format!("f{at}"), json!({ "type": "string" })));
        let fields: Map<_, _> = fields.collect();
        let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
        json!({ "type": "object", "properties": fields, "x-kubernetes-validations": rules })
    };
    let mut rules: Vec<String> = (1..12)
        .map(|at| format!("!has(self.f0) || !has(self.f{at}) || self.f{at} != 'x'"))
        .collect();
    let old = object(&rules);
    rules.push("!has(self.f0) || self.f0 != 'x'".to_owned());
    let added = ["breaking compatible error rule-added"];
    assert_eq!(reported("v1", &old, &object(&rules)), added);
    // Two of the others demand it together.
    rules.pop();
    rules.push("!has(self.f0) || has(self.f11)".to_owned());
    let old = object(&rules);
    rules.push("!has(self.f0) || has(self.f11) && self.f11 != 'x'".to_owned());
    assert_eq!(reported("v1", &old, &object(&rules)), [""; 0]);
}

#[test]
fn null_is_rejected_only_where_a_server_does_not_drop_it() {
    let object = |nullable: bool, required: &[&str], default: Option<&str>| {
        let mut field = json!({ "type": "string" });
        let keys = field.as_object_mut().expect("it is an object");
        keys.extend(nullable.then(|| ("nullable".to_owned(), json!(true))));
        keys.extend(default.map(|default| ("default".to_owned(), json!(default))));
        json!({ "type": "object", "properties": { "a": field }, "required": required })
    };
    for (required, default, is_dropped) in [(&[][..], None, true), (&["a"], Some("x"), true), (&["a"], None, false)] {
        let [old, new] = [true, false].map(|nullable| definition("v1", &object(nullable, required, default)));
        let report = compare(&old, &new);
        let [change] = &report.changes[..] else {
            panic!("{:?}", report.changes)
        };
        assert_eq!(
            (change.code, change.writers),
            (ChangeKind::NullableRemoved, Verdict::Breaking)
        );
        let reason = change.reason.as_deref().unwrap_or_default();
        assert_eq!(reason.starts_with("the server drops `null`"), is_dropped, "{reason}");
    }
    let list = |nullable: bool| json!({ "type": "array", "items": { "type": "string", "nullable": nullable } });
    let [old, new] = [true, false].map(|nullable| definition("v1", &list(nullable)));
    let reason = compare(&old, &new).changes[0].reason.clone();
    assert_eq!(reason.as_deref(), Some("objects that were accepted are rejected"));
}

#[test]
fn alternatives_are_compared_by_meaning_where_that_is_possible() {
    let text = |keyword: &str, members: &Json| json!({ "type": "string", keyword: members });
    let object = |keyword: &str, members: &Json| {
        json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
            keyword: members })
    };
    let short = |most: u32, other: &str| json!([{ "maxLength": most }, { "pattern": other }]);
    let of_field = |values: &[&str]| json!([{ "properties": { "a": { "enum": values } } }, { "required": ["b"] }]);
    let both = json!([{ "properties": { "a": { "enum": ["x"] }, "b": { "maxLength": 1 } } }, { "required": ["b"] }]);
    let loosened = "compatible risky warning combination-loosened";
    let tightened = "breaking compatible error combination-tightened";
    let changed = "breaking risky error combination-changed";
    let patterns =
        |most: u32, other: &str| json!([{ "not": { "minLength": most } }, { "pattern": other }, { "pattern": "b$" }]);
    for (keyword, members) in [("anyOf", &short as &dyn Fn(u32, &str) -> Json), ("allOf", &patterns)] {
        let [few, more] = [members(3, "^a"), members(5, "^[ab]")].map(|members| text(keyword, &members));
        assert_eq!(reported("v1", &few, &more), [loosened], "{keyword}");
        assert_eq!(reported("v1", &more, &few), [tightened], "{keyword}");
        let crossed = text(keyword, &members(5, "^b"));
        assert_eq!(reported("v1", &few, &crossed), [changed], "{keyword}");
    }
    for (old, new, expected) in [
        (
            object("anyOf", &of_field(&["x"])),
            object("anyOf", &of_field(&["x", "y"])),
            loosened,
        ),
        (object("anyOf", &of_field(&["x"])), object("anyOf", &both), tightened),
        (
            text("not", &json!({ "maxLength": 3 })),
            text("not", &json!({ "maxLength": 2 })),
            loosened,
        ),
        (
            text("oneOf", &short(3, "^(a|b)$")),
            text("oneOf", &short(3, "^[ab]$")),
            "compatible compatible off restated",
        ),
        // A text may match both now.
        (text("oneOf", &short(3, "^a")), text("oneOf", &short(5, "^a")), changed),
    ] {
        assert_eq!(reported("v1", &old, &new), [expected], "{old} {new}");
    }
}

#[test]
fn a_combination_in_place_of_a_rule_rejects_nothing_if_the_rule_demanded_it() {
    let fields = json!({ "a": { "type": "string" }, "b": { "type": "string" } });
    let alternatives = json!([{ "required": ["a"] }, { "required": ["b"] }]);
    let new = json!({ "type": "object", "properties": fields, "oneOf": alternatives });
    for (rule, expected) in [
        ("has(self.a) != has(self.b)", &[][..]),
        (
            "!(has(self.a) && has(self.b))",
            &["breaking risky error combination-changed"],
        ),
    ] {
        let old = json!({ "type": "object", "properties": fields, "x-kubernetes-validations": [{ "rule": rule }] });
        assert_eq!(reported("v1", &old, &new), expected, "{rule}");
    }
}

#[test]
fn what_accepts_more_has_advice_of_its_own() {
    let of = |more: Json| {
        let mut schema = json!({ "type": "string" });
        if let (Json::Object(keys), Json::Object(more)) = (&mut schema, more) {
            keys.extend(more);
        }
        definition("v1", &schema)
    };
    for (old, new, expected) in [
        (json!({ "enum": ["a"] }), json!({}), "keep the enum"),
        (
            json!({ "enum": ["a"] }),
            json!({ "enum": ["a", "b"] }),
            "accept it on update",
        ),
        (
            json!({ "maxLength": 3 }),
            json!({ "maxLength": 4 }),
            "beyond the old bound",
        ),
        (json!({ "pattern": "^a" }), json!({}), "that become possible"),
    ] {
        let report = compare(&of(old), &of(new));
        let advice = report.changes[0].help.as_deref().unwrap_or_default();
        assert!(advice.contains(expected), "{advice}");
    }
}

#[test]
fn a_rule_that_follows_from_those_of_before_rejects_no_object() {
    let object = |rule: &str| {
        let text = json!({ "type": "string" });
        json!({ "type": "object", "properties": {
            "queue": text, "class": text, "mode": text, "names": { "type": "array", "items": text } },
            "x-kubernetes-validations": [{ "rule": rule, "message": "of one thing" }] })
    };
    for (old, new, is_breaking) in [
        // The fields that it compares may be absent now.
        (
            "has(oldSelf.queue) ? oldSelf.class == self.class : true",
            "has(oldSelf.queue) && has(oldSelf.class) && has(self.class) ? oldSelf.class == self.class : true",
            false,
        ),
        // Where `mode` is absent, the rule fails now.
        (
            "has(oldSelf.queue) ? oldSelf.class == self.class : true",
            "has(oldSelf.queue) && self.mode != 'x' ? oldSelf.class == self.class : true",
            true,
        ),
        (
            "self.mode == 'A' ? size(self.names) > 0 : true",
            "self.mode == 'A' ? size(self.names) > 0 || has(self.queue) : true",
            false,
        ),
        (
            "(has(self.mode) && self.mode.startsWith('u')) ? !has(self.names) : true",
            "(has(self.mode) ? self.mode : '').startsWith('u') ? !has(self.names) : true",
            false,
        ),
        (
            "!has(self.names) || self.names.all(a, a.startsWith('x'))",
            "!has(self.names) || self.names.all(b, b.matches('^[xy]') || b == '')",
            false,
        ),
        (
            "!has(self.names) || self.names.all(a, self.names.exists_one(b, a == b))",
            "!has(self.names) || self.names.exists_one(b, b == 'x')",
            true,
        ),
    ] {
        let found = reported("v1", &object(old), &object(new));
        let breaks = found.iter().any(|found| found.starts_with("breaking "));
        assert_eq!(breaks, is_breaking, "{old}\n{new}: {found:?}");
    }
}

#[test]
fn bounds_of_the_name_of_objects_are_bounds() {
    let [old, new] = [
        json!({ "type": "object" }),
        json!({ "type": "object", "properties": { "metadata": { "type": "object", "properties": {
            "name": { "type": "string", "maxLength": 20 }, "generateName": { "type": "string", "pattern": "^a" } } } } }),
    ]
    .map(|schema| definition_of("v1", &schema));
    let report = compare(&old, &new);
    let breaking = report
        .changes
        .iter()
        .filter(|change| change.writers == Verdict::Breaking);
    let found: Vec<_> = breaking.map(|change| (change.code, change.path.as_str())).collect();
    assert_eq!(
        found,
        [
            (ChangeKind::BoundTightened, ".metadata.name"),
            (ChangeKind::PatternAdded, ".metadata.generateName")
        ]
    );
}

#[test]
fn a_short_name_that_is_another_name_anyway_is_no_alias() {
    let crd = |short: Json| {
        let mut crd = widgets(&[json!({ "name": "v1", "served": true, "storage": true, "schema": {
            "openAPIV3Schema": { "type": "object" } } })]);
        crd["spec"]["names"]["shortNames"] = short;
        crd
    };
    let report = compare(&crd(json!(["widgets", "widget", "w"])), &crd(json!([])));
    let found: Vec<_> = report.changes.iter().map(|change| change.message.as_str()).collect();
    assert_eq!(found, ["alias removed: shortNames w"]);
}

#[test]
fn what_constrains_is_found() {
    for (old, new) in [
        (
            json!({ "type": "integer", "format": "int32" }),
            json!({ "type": "integer", "format": "int32", "maximum": 2_147_483_646 }),
        ),
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "format": "date-time" }),
        ),
        (
            json!({ "type": "string", "format": "semver" }),
            json!({ "type": "string", "format": "semver", "minLength": 1 }),
        ),
        (
            json!({ "type": "string", "pattern": "^a|b$" }),
            json!({ "type": "string", "pattern": "^(?:a|b)$" }),
        ),
        (
            json!({ "type": "string" }),
            json!({ "type": "string", "maxLength": 3_000_000 }),
        ),
        (rules(&["self.a || self.b"]), rules(&["self.a", "self.b"])),
        (
            rules(&["self.a == oldSelf.a && self.b > 1"]),
            rules(&["self.a == oldSelf.a", "self.b > 1"]),
        ),
        (rules(&["self.a in ['x', 'y']"]), rules(&["self.a in ['x']"])),
        // A number that is no integer lies between.
        (
            json!({ "type": "number", "x-kubernetes-validations": [{ "rule": "self > 0" }] }),
            json!({ "type": "number", "x-kubernetes-validations": [{ "rule": "self >= 1" }] }),
        ),
        (
            json!({ "type": "integer", "x-kubernetes-validations": [{ "rule": "self < 5" }] }),
            json!({ "type": "integer", "maximum": 3 }),
        ),
        (rules(&["self.a == 'x'"]), rules(&["self.a == ' x'"])),
        (
            rules(&["self.a - (self.b - self.c) > 0"]),
            rules(&["self.a - self.b - self.c > 0"]),
        ),
    ] {
        let reported = reported("v1", &old, &new);
        let breaks = |reported: &String| reported.starts_with("breaking ");
        assert!(reported.iter().any(breaks), "{old} {new}: {reported:?}");
    }
}

#[test]
fn verdicts_depend_on_direction_place_and_track() {
    let (text, bounded) = (json!({ "type": "string" }), json!({ "type": "string", "maxLength": 3 }));
    assert_eq!(
        reported("v1", &text, &bounded),
        ["breaking compatible error bound-tightened"]
    );
    assert_eq!(
        reported("v1", &bounded, &text),
        ["compatible risky warning bound-loosened"]
    );
    assert_eq!(
        reported("v1alpha1", &text, &bounded),
        ["breaking compatible warning bound-tightened"]
    );
    let status = |schema: &Json| definition_of("v1", &json!({ "type": "object", "properties": { "status": schema } }));
    let report = compare(&status(&text), &status(&bounded));
    assert_eq!((report.summary.breaking, report.summary.risky), (0, 1));
    assert_eq!(
        reported("v1", &json!({ "type": "integer" }), &json!({ "type": "number" })),
        ["compatible breaking error type-changed"]
    );
    assert_eq!(
        reported("v1", &json!({ "x-new": 1 }), &json!({ "x-new": 2 })),
        ["breaking breaking error unknown-keyword-changed"]
    );
    let report = compare(
        &status(&json!({ "type": "string", "pattern": "^a" })),
        &status(&json!({ "type": "string", "pattern": "^b" })),
    );
    assert_eq!((report.summary.breaking, report.summary.risky), (0, 1));
    let immutable = json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self == oldSelf" }] });
    assert_eq!(
        reported("v1", &text, &immutable),
        ["breaking compatible error immutable-added"]
    );
}

#[test]
fn a_default_of_a_required_field_does_not_change_existing_objects() {
    let field = |required: bool, default: bool| {
        let mut own = json!({ "type": "string" });
        if default {
            own["default"] = json!("x");
        }
        let names = if required { json!(["f"]) } else { json!([]) };
        json!({ "type": "object", "required": names, "properties": { "f": own } })
    };
    let reported = |old, new| reported("v1", &old, &new);
    assert_eq!(
        reported(field(true, false), field(true, true)),
        ["compatible compatible note default-added"]
    );
    assert_eq!(
        reported(field(true, false), field(false, true)),
        [
            "compatible compatible note required-removed",
            "compatible compatible note default-added"
        ]
    );
    assert_eq!(
        reported(field(true, true), field(false, true)),
        ["compatible compatible note required-removed"]
    );
    assert_eq!(
        reported(field(true, true), field(true, false)),
        ["breaking compatible error default-removed"]
    );
    assert_eq!(
        reported(field(false, true), field(true, true)),
        ["breaking compatible error required-added-with-default"]
    );
    assert_eq!(
        reported(field(false, false), field(false, true)),
        ["breaking breaking error default-added"]
    );
}

#[test]
fn a_pattern_without_an_anchor_accepts_more() {
    let of = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let [wider, narrower, unclear] = [
        "compatible risky warning pattern-changed",
        "breaking compatible error pattern-changed",
        "breaking risky error pattern-changed",
    ];
    for (old, new, expected) in [
        ("^[a-z]+$", "[a-z]+", wider),
        ("^a", "a", wider),
        ("a|b", "^a|b$", narrower),
        ("^a", "a$", unclear),
        // An escaped character is no anchor, nor is a repeated one.
        (r"a\$", r"a\", unclear),
        (r"a\\$", r"a\\", wider),
        (r"\Qa$", r"\Qa", unclear),
        ("^*a", "*a", unclear),
    ] {
        assert_eq!(reported("v1", &of(old), &of(new)), [expected], "{old} {new}");
    }
}

#[test]
fn one_of_is_stricter_than_any_of() {
    let of = |keyword: &str, names: &[&str]| {
        let members: Vec<Json> = names.iter().map(|name| json!({ "required": [name] })).collect();
        json!({ "type": "object", keyword: members })
    };
    let one = of("oneOf", &["a", "b"]);
    assert_eq!(
        reported("v1", &one, &of("anyOf", &["a", "b", "c"])),
        ["compatible risky warning combination-loosened"]
    );
    assert_eq!(
        reported("v1", &of("anyOf", &["a", "b", "c"]), &one),
        ["breaking compatible error combination-tightened"]
    );
    assert_eq!(
        reported("v1", &one, &of("anyOf", &["a", "c"])),
        ["breaking risky error combination-changed"]
    );
}

#[test]
fn kept_fields_are_not_reported_as_dropped() {
    let kept = |properties: Json| json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": properties });
    let text = json!({ "type": "string" });
    assert_eq!(
        reported("v1", &kept(json!({ "a": text })), &kept(json!({}))),
        ["compatible breaking error field-removed"]
    );
    let map = |values: &str| json!({ "type": "object", "additionalProperties": { "type": values } });
    let fields = json!({ "type": "object", "properties": { "a": text } });
    let loosened = "compatible risky warning additional-properties-loosened";
    assert_eq!(
        reported("v1", &fields, &map("string")),
        ["compatible breaking error field-removed", loosened]
    );
    assert_eq!(
        reported("v1", &fields, &map("integer")),
        ["breaking breaking error field-removed", loosened]
    );
    let none = json!({ "type": "object" });
    assert_eq!(
        reported("v1", &map("string"), &none),
        ["breaking breaking error unknown-fields-dropped"]
    );
    assert_eq!(
        reported("v1", &map("string"), &kept(json!({}))),
        ["breaking risky error unknown-fields-kept"]
    );
    assert_eq!(
        reported("v1", &kept(json!({})), &map("string")),
        ["breaking compatible error additional-properties-tightened"]
    );
}

/// What a change of the schema of `spec` is judged, where the old and the new CRD keep unlisted fields everywhere or
/// not.
fn reported_where(kept: [bool; 2], old: &Json, new: &Json) -> Vec<String> {
    let crd = |schema: &Json, kept: bool| {
        let whole = json!({ "type": "object", "properties": { "spec": schema } });
        let mut crd: Json = serde_json::from_str(&definition_of("v1", &whole)).expect("it is JSON");
        crd["spec"]["preserveUnknownFields"] = json!(kept);
        crd
    };
    let mut found = judged(&crd(old, kept[0]), &crd(new, kept[1]));
    found.retain(|change| !change.starts_with("pruning-"));
    found
}

#[test]
fn a_bound_on_fields_holds_where_unlisted_ones_are_kept() {
    let most = |most: u32| json!({ "type": "object", "maxProperties": most, "properties": { "a": {}, "b": {} } });
    let tightened = ["bound-tightened breaking compatible"];
    let restated = ["restated compatible compatible"];
    for (kept, from, to, expected) in [
        ([true, true], 5, 2, tightened),
        ([true, true], 5, 3, tightened),
        ([true, true], 2, 5, ["bound-loosened compatible risky"]),
        ([true, true], 5_000_000, 4_000_000, restated),
        ([false, false], 5, 2, restated),
        ([false, false], 5, 1, tightened),
        // What is dropped now is not counted.
        ([true, false], 5, 2, ["bound-loosened compatible risky"]),
        ([false, true], 2, 5, tightened),
    ] {
        assert_eq!(
            reported_where(kept, &most(from), &most(to)),
            expected,
            "{kept:?} {from} {to}"
        );
    }
}

#[test]
fn a_type_that_becomes_one_of_some_alternatives_is_compared_with_its_own() {
    let object = |most: u32| {
        let fields = json!({ "a": { "type": "string", "maxLength": most }, "b": { "type": "string" } });
        json!({ "type": "object", "properties": fields, "required": ["b"] })
    };
    let list = json!({ "type": "array", "minItems": 1, "items": { "type": "string" } });
    let any = json!({ "maxLength": 3 });
    let widened = "type-changed compatible breaking";
    let tightened = "bound-tightened breaking compatible";
    let combined = "combination-tightened breaking compatible";
    for (keyword, alternatives, expected) in [
        ("oneOf", json!([list, object(5)]), vec![widened]),
        ("anyOf", json!([object(5), list]), vec![widened]),
        ("oneOf", json!([object(5)]), vec![]),
        ("oneOf", json!([list, object(4)]), vec![widened, tightened]),
        // An object can match two of them, or none.
        ("oneOf", json!([list, object(5), any]), vec![widened, combined]),
        ("oneOf", json!([list, { "type": "string" }]), vec![widened, combined]),
    ] {
        let new = json!({ keyword: alternatives });
        assert_eq!(reported_where([true, true], &object(5), &new), expected, "{new}");
    }
    // A field that only an alternative lists is dropped, unless all are kept.
    let dropped = reported_where([false, false], &object(5), &json!({ "oneOf": [list, object(5)] }));
    assert!(dropped.contains(&combined.to_owned()), "{dropped:?}");
}

#[test]
fn fields_that_every_object_has_count_although_they_are_not_listed() {
    let whole = |most: u32, fields: Json| {
        definition_of(
            "v1",
            &json!({ "type": "object", "maxProperties": most, "properties": fields }),
        )
    };
    let judged = |from: u32, to: u32| {
        let fields = json!({ "kind": { "type": "string" }, "spec": { "type": "object" } });
        let report = compare(&whole(from, fields.clone()), &whole(to, fields));
        report
            .changes
            .iter()
            .map(|change| change.code.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(judged(5, 4), ["restated"]);
    assert_eq!(judged(5, 3), ["bound-tightened"]);
    let named = json!({ "type": "object", "properties": { "metadata": { "type": "object" } }, "x-kubernetes-validations": [
        { "rule": "!has(self.metadata) || self.metadata.name == 'a'" }] });
    let report = compare(
        &definition_of("v1", &json!({ "type": "object" })),
        &definition_of("v1", &named),
    );
    assert!(report.changes.iter().any(|change| change.writers == Verdict::Breaking));
}

#[test]
fn types_that_every_object_has_are_the_same_where_they_are_not_stated() {
    let spec = |most: u32| json!({ "type": "string", "maxLength": most });
    let untyped = |most: u32| json!({ "properties": { "metadata": {}, "kind": {}, "spec": spec(most) } });
    let typed = |most: u32| {
        json!({ "type": "object", "properties": {
            "metadata": { "type": "object" }, "kind": { "type": "string" }, "spec": spec(most) } })
    };
    let codes = |old: &Json, new: &Json| {
        let report = compare(&definition_of("v1", old), &definition_of("v1", new));
        report
            .changes
            .iter()
            .map(|change| change.code.as_str().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&untyped(5), &typed(5)), [""; 0]);
    assert_eq!(codes(&typed(5), &untyped(5)), [""; 0]);
    // What is within is compared too.
    assert_eq!(codes(&untyped(5), &typed(4)), ["bound-tightened"]);
    assert_eq!(codes(&typed(5), &untyped(4)), ["bound-tightened"]);
}

#[test]
fn where_all_unlisted_fields_are_kept_a_schema_that_keeps_them_says_nothing_new() {
    let kept = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let plain = json!({ "type": "object" });
    let map = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let listed = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let nothing: [&str; 0] = [];
    for [old, new] in [[&kept, &plain], [&plain, &kept]] {
        assert_eq!(reported_where([true; 2], old, new), nothing);
    }
    assert_eq!(
        reported_where([true; 2], &plain, &map),
        ["additional-properties-tightened breaking compatible"]
    );
    assert_eq!(
        reported_where([true; 2], &map, &plain),
        ["additional-properties-loosened compatible risky"]
    );
    assert_eq!(
        reported_where([true; 2], &listed, &plain),
        ["field-removed compatible breaking"]
    );
    assert_eq!(
        reported_where([true; 2], &plain, &listed),
        ["unlisted-field-listed compatible compatible"]
    );
    assert_eq!(
        reported_where([true, false], &kept, &plain),
        ["unknown-fields-dropped breaking breaking"]
    );
    assert_eq!(reported_where([true, false], &plain, &kept), nothing);
    assert_eq!(reported_where([false, true], &kept, &plain), nothing);
}

/// Code and verdicts of each change between two edits of a CRD.
fn changed(edit: impl Fn(&mut Json)) -> Vec<String> {
    judged(&changed_definition(|_| {}), &changed_definition(edit))
}

fn changed_definition(edit: impl Fn(&mut Json)) -> Json {
    let text = definition_of(
        "v1",
        &json!({ "type": "object", "properties": { "status": { "type": "object" } } }),
    );
    let mut whole: Json = serde_json::from_str(&text).expect("a definition is JSON");
    let second = json!({ "name": "v1beta1", "served": true, "storage": false, "deprecated": false,
        "additionalPrinterColumns": [{ "name": "Age", "type": "date", "jsonPath": ".a" }],
        "selectableFields": [{ "jsonPath": ".spec.color" }], "schema": { "openAPIV3Schema": { "type": "object" } } });
    whole["spec"]["versions"].as_array_mut().expect("versions").push(second);
    whole["spec"]["names"]["shortNames"] = json!(["wd"]);
    whole["spec"]["conversion"] =
        json!({ "strategy": "Webhook", "webhook": { "clientConfig": { "url": "https://a" } } });
    whole["status"] = json!({ "storedVersions": ["v1"] });
    edit(&mut whole);
    whole
}

fn judged(old: &Json, new: &Json) -> Vec<String> {
    let report = compare(&old.to_string(), &new.to_string());
    let reported = report.changes.iter();
    reported
        .map(|change| format!("{} {} {}", change.code.as_str(), change.writers, change.readers))
        .collect()
}

/// The changes of `spec` between two schemas.
fn judged_in_spec(old: Json, new: Json) -> Vec<String> {
    let [old, new] =
        [old, new].map(|spec| definition_of("v1", &json!({ "type": "object", "properties": { "spec": spec } })));
    let [old, new] = [old, new].map(|text| serde_json::from_str(&text).expect("a definition is JSON"));
    judged(&old, &new)
}

#[test]
fn a_least_length_that_a_format_or_a_pattern_implies_is_no_change() {
    for implied in [json!({ "format": "byte" }), json!({ "pattern": "^[a-z]+$" })] {
        let text = |least: bool| {
            let mut text = json!({ "type": "string" });
            for (key, value) in implied.as_object().expect("keywords") {
                text[key] = value.clone();
            }
            if least {
                text["minLength"] = json!(1);
            }
            json!({ "type": "object", "properties": { "a": text } })
        };
        let found = judged_in_spec(text(false), text(true));
        assert_eq!(found, ["restated compatible compatible"], "{implied}");
    }
    let text = |least| json!({ "type": "string", "pattern": "^[a-z]*$", "minLength": least });
    assert_eq!(
        judged_in_spec(text(0), text(1)),
        ["bound-tightened breaking compatible"]
    );
}

#[test]
fn everything_else_in_a_crd_is_compared_too() {
    let with = |at: usize, key: &'static str, value: Json| {
        move |definition: &mut Json| definition["spec"]["versions"][at][key] = value.clone()
    };
    let spec = |key: &'static str, value: Json| move |definition: &mut Json| definition["spec"][key] = value.clone();
    let name =
        |key: &'static str, value: Json| move |definition: &mut Json| definition["spec"]["names"][key] = value.clone();
    assert_eq!(changed(|_| {}), [""; 0]);
    assert_eq!(changed(name("singular", json!("widget"))), [""; 0]);
    assert_eq!(
        changed(name("listKind", json!("Widgets"))),
        ["name-changed breaking breaking"]
    );
    assert_eq!(
        changed(name("shortNames", json!(["wi"]))),
        ["alias-added compatible compatible", "alias-removed breaking compatible"]
    );
    assert_eq!(
        changed(name("plural", json!("widgetz"))),
        ["name-changed breaking breaking"]
    );
    assert_eq!(
        changed(spec("scope", json!("Cluster"))),
        ["scope-changed breaking breaking"]
    );
    assert_eq!(
        changed(spec("conversion", json!({ "strategy": "None" }))),
        ["conversion-changed breaking breaking"]
    );
    assert_eq!(
        changed(spec("preserveUnknownFields", json!(true))),
        ["pruning-removed compatible risky"]
    );
    assert_eq!(
        changed(spec("somethingNew", json!(1))),
        ["unknown-keyword-changed breaking breaking"]
    );
    assert_eq!(
        changed(with(1, "served", json!(false))),
        ["version-unserved breaking breaking"]
    );
    assert_eq!(
        changed(with(1, "deprecated", json!(true))),
        [
            "version-deprecated compatible compatible",
            "deprecated-without-warning risky compatible"
        ]
    );
    let warned = |definition: &mut Json| {
        definition["spec"]["versions"][1]["deprecated"] = json!(true);
        definition["spec"]["versions"][1]["deprecationWarning"] = json!("x");
    };
    assert_eq!(changed(warned), ["version-deprecated compatible compatible"]);
    assert_eq!(
        changed(name("kind", json!("Gadget"))),
        ["name-changed breaking breaking"]
    );
    assert_eq!(
        changed(with(1, "deprecationWarning", json!("x"))),
        ["deprecation-warning-changed compatible compatible"]
    );
    assert_eq!(
        changed(with(1, "additionalPrinterColumns", json!([]))),
        ["column-removed compatible compatible"]
    );
    assert_eq!(
        changed(with(1, "selectableFields", json!([]))),
        ["selectable-field-removed compatible breaking"]
    );
    assert_eq!(
        changed(with(1, "schema", json!({}))),
        ["schema-removed compatible breaking"]
    );
    assert_eq!(
        changed(with(1, "subresources", json!({ "status": {}, "scale": {} }))).len(),
        2
    );
    assert_eq!(
        changed(with(0, "subresources", json!({}))),
        ["subresource-removed breaking breaking"]
    );
}

#[test]
fn an_extended_scale_and_a_moved_storage_version_are_distinguished() {
    let versions = |definition: &mut Json| definition["spec"]["versions"].as_array_mut().expect("versions").clone();
    let scaled = |selector: bool| {
        let mut scale = json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
        if selector {
            scale["labelSelectorPath"] = json!(".status.selector");
        }
        changed_definition(|definition| definition["spec"]["versions"][0]["subresources"]["scale"] = scale.clone())
    };
    assert_eq!(
        judged(&scaled(false), &scaled(true)),
        ["subresource-changed compatible compatible"]
    );
    assert_eq!(
        judged(&scaled(true), &scaled(false)),
        ["subresource-changed breaking breaking"]
    );
    let moved = |definition: &mut Json| {
        definition["spec"]["versions"][0]["storage"] = json!(false);
        definition["spec"]["versions"][1]["storage"] = json!(true);
    };
    assert_eq!(changed(moved), ["storage-moved compatible compatible"]);
    let replaced = |definition: &mut Json| {
        let mut second = versions(definition)[1].clone();
        second["name"] = json!("v2");
        second["storage"] = json!(true);
        definition["spec"]["versions"][0] = second;
    };
    let expected = [
        "storage-moved-to-new-version compatible breaking",
        "stored-version-removed breaking breaking",
        "version-added compatible compatible",
    ];
    assert_eq!(changed(replaced), expected);
}

#[test]
fn a_v1beta1_crd_with_the_same_meaning_is_the_same() {
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "string" } } });
    let new = definition_of("v1", &schema);
    let old = json!({
        "apiVersion": "apiextensions.k8s.io/v1beta1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "names": { "kind": "Widget", "plural": "widgets" },
            "scope": "Namespaced",
            "preserveUnknownFields": false,
            "version": "v1",
            "subresources": { "status": {} },
            "validation": { "openAPIV3Schema": schema },
        },
    });
    assert_eq!(compare(&old.to_string(), &new).changes.len(), 0);
}

#[test]
fn a_policy_sets_severities_by_kind_verdict_and_track() {
    use lifecycle::FileId;
    use lifecycle::policy::Policy;
    use lifecycle::{Diagnostics, Document};
    let text = "name = \"own\"\n[schema]\nbreaking = { beta = \"note\" }\n[schema.change]\nenum-value-added = \"error\"\n\
                enum-value-aded = \"error\"\n[schema.chnge]\n";
    let mut errors = Diagnostics::default();
    let policy = Policy::read(
        &Document::parse(FileId(0), text),
        None,
        &lifecycle::evaluate::rule_tables(),
        &mut errors,
    );
    let reported: Vec<String> = errors.into_vec().into_iter().map(|error| error.message).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    let graded = |version: &str, old: &Json, new: &Json| {
        let (old, new) = (definition(version, old), definition(version, new));
        let (old, new) = (read(&old).expect("old"), read(&new).expect("new"));
        let report = diff(
            &sides("old.json", &old.definitions),
            &sides("new.json", &new.definitions),
            &policy,
        )
        .expect("they can be compared");
        report
            .changes
            .iter()
            .map(|change| change.severity.as_str())
            .collect::<Vec<_>>()
    };
    let (few, more) = (json!({ "enum": ["a"] }), json!({ "enum": ["a", "b"] }));
    assert_eq!(graded("v1", &few, &more), ["error"]);
    assert_eq!(graded("v1", &more, &few), ["error"]);
    assert_eq!(graded("v1beta1", &more, &few), ["note"]);
}
