//! Files that people write, held against their schemas.

use std::collections::BTreeMap;

use lifecycle::evaluate::rule_tables;
use lifecycle::model::Model;
use lifecycle::policy::{BUILT_IN, Policy, editions};
use lifecycle::{Diagnostics, Document, FileId};
use serde_json::{Value as Json, json};
use toml::{Table, Value};

use crate::tests::cases::cases;

use super::{errors, model, policy, validator};

/// The models in the tree, by name.
fn models() -> BTreeMap<String, String> {
    let examples = [
        ("widget", include_str!("../../../examples/widget-timeline.toml")),
        (
            "gateway-api",
            include_str!("../../../examples/gateway-api/lifecycle.toml"),
        ),
        ("product", include_str!("../../../examples/product/lifecycle.toml")),
        (
            "kubernetes",
            include_str!("../../../examples/kubernetes/lifecycle.toml"),
        ),
        (
            "golden",
            include_str!("../../../tests/golden/kubernetes/lifecycle.toml"),
        ),
    ];
    let examples = examples.map(|(name, text)| (name.to_owned(), text.to_owned()));
    cases().into_iter().chain(examples).collect()
}

fn policies() -> Vec<(&'static str, &'static str)> {
    let built_in = BUILT_IN.iter().map(|policy| (policy.name, policy.text));
    built_in
        .chain([("product", include_str!("../../../examples/product/policy.toml"))])
        .collect()
}

/// TOML as editors hand it to a validator: dates are strings.
fn as_json(value: &Value) -> Json {
    match value {
        Value::String(text) => json!(text),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Boolean(value) => json!(value),
        Value::Datetime(date) => json!(date.to_string()),
        Value::Array(items) => items.iter().map(as_json).collect(),
        Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), as_json(value))).collect(),
    }
}

fn parsed(text: &str) -> Value {
    Value::Table(text.parse::<Table>().expect("the file is TOML"))
}

#[test]
fn models_and_policies_in_the_tree_validate() {
    let (of_model, of_policy) = (validator(&model::schema()), validator(&policy::schema()));
    for (name, text) in models() {
        assert_eq!(errors(&of_model, &as_json(&parsed(&text))), [""; 0], "{name}");
    }
    for (name, text) in policies() {
        assert_eq!(errors(&of_policy, &as_json(&parsed(text))), [""; 0], "{name}");
    }
}

/// A section may have the name of a kind that another file declares.
#[test]
fn sections_of_kinds_that_files_declare_validate() {
    let of_model = validator(&model::schema());
    let calendar = "calendar.releases = { \"1.0\" = 2024-01-01 }";
    let section = "topic.tide = { introduced = \"1.0\" }";
    for declared in [
        "element-kind.topic = {}",
        "include = \"kinds.toml\"",
        "policy = \"ours.toml\"",
        "policy = [{ use = \"kubernetes\" }, { use = \"ours.toml\", from = \"1.1\" }]",
    ] {
        let text = format!("{declared}\n{calendar}\n{section}");
        assert_eq!(errors(&of_model, &as_json(&parsed(&text))), [""; 0], "{text}");
    }
    assert!(
        of_model.is_valid(&as_json(&parsed(section))),
        "a file that another one includes"
    );
}

#[test]
fn wrong_files_do_not_validate() {
    let (of_model, of_policy) = (validator(&model::schema()), validator(&policy::schema()));
    let wrong_models = [
        "calender = { current = \"1.0\" }",
        "calendar = { releases = { \"1.0\" = 2024-01-01 }, curent = \"1.0\" }",
        "calendar = { releases = { \"1.0\" = \"soon\" } }",
        "group.apps.version.v1 = { introduced = 1.0 }",
        "group.apps.version.v1 = { introduced = \"1.0\", remove = \"1.2\" }",
        "cli.tool = { audience = \"users\" }",
        "gate.Fast = { specs = [] }",
        "calendar.releases = { \"1.0\" = 2024-01-01 }\nbehaviour.x = { introduced = \"1.0\" }",
        "policy = \"kubernetes\"\ncalendar.releases = { \"1.0\" = 2024-01-01 }\nendpoints.x = { introduced = \"1.0\" }",
        "gate.Fast = { specs = [{ stage = \"gamma\", since = \"1.0\", default = true }] }",
        "metric.x = { specs = [{ stage = \"STABEL\", since = \"1.0\" }] }",
        "levels = { version-lifetime = \"fatal\" }",
        "exception = [{ rule = \"round-trip\" }]",
    ];
    for text in wrong_models {
        assert!(!of_model.is_valid(&as_json(&parsed(text))), "{text}");
    }
    let wrong_policies = [
        "edition = \"1\"",
        "name = \"x\"\nrules = {}",
        "name = \"x\"\nrule.version-lifetim = {}",
        "name = \"x\"\nrule.version-lifetime.gamma = {}",
        "name = \"x\"\nrule.version-lifetime.beta = { overlap = { releases = 1 } }",
        "name = \"x\"\nrule.version-lifetime.beta = { after-deprecation = 9 }",
        "name = \"x\"\nrule.version-lifetime.beta = { after-deprecation = { months = \"9\" } }",
        "name = \"x\"\nrule.metric-lifetime.beta = { lifetime = { days = 9 } }",
        "name = \"x\"\nrule.version-lifetime.severity = { eraly = \"error\" }",
        "name = \"x\"\nrule.history.off = true",
        "name = \"x\"\nrule.element-removal.exempt = [\"betas\"]",
        "name = \"x\"\nschema.change.field-gone = \"error\"",
        "name = \"x\"\nwords.urgnt = \"Read this\"",
    ];
    for text in wrong_policies {
        assert!(!of_policy.is_valid(&as_json(&parsed(text))), "{text}");
    }
}

/// What is wrong with the form of a file, as its reader finds it.
const OF_FORM: [&str; 7] = [
    "unknown-key",
    "wrong-type",
    "unknown-value",
    "missing-key",
    "unknown-rule",
    "specs",
    "policy",
];

/// Whether the reader of models objects to the form of one.
fn model_is_refused(text: &str) -> bool {
    let mut diagnostics = Diagnostics::default();
    let document = Document::parse(FileId(0), text);
    editions(&document, &mut diagnostics);
    Model::read(&[document], &mut diagnostics);
    is_about_form(diagnostics)
}

/// Whether the reader of policies objects to the form of one.
fn policy_is_refused(text: &str) -> bool {
    let mut diagnostics = Diagnostics::default();
    Policy::read(
        &Document::parse(FileId(0), text),
        None,
        &rule_tables(),
        &mut diagnostics,
    );
    is_about_form(diagnostics)
}

fn is_about_form(diagnostics: Diagnostics) -> bool {
    let mut found = diagnostics.into_vec().into_iter();
    found.any(|diagnostic| OF_FORM.contains(&&*diagnostic.code))
}

/// The paths to all values of a file. Of the entries of a list, the first one stands for all.
fn paths(value: &Value, at: &[String], paths: &mut Vec<Vec<String>>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().take(1).map(|item| ("0".to_owned(), item)).collect(),
        _ => Vec::new(),
    };
    for (key, child) in children {
        let path = [at, &[key]].concat();
        paths.push(path.clone());
        self::paths(child, &path, paths);
    }
}

/// The value at a path.
fn at_mut<'v>(value: &'v mut Value, path: &[String]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match value {
        Value::Array(items) => &mut items[0],
        table => table.get_mut(step.as_str()).expect("the path is one of the file"),
    })
}

/// The file with another value at each path, and with another key.
fn variants(file: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    paths(file, &[], &mut all);
    let others = [
        Value::Integer(7),
        Value::Boolean(true),
        Value::String("x".to_owned()),
        Value::Array(Vec::new()),
    ];
    let mut variants = Vec::new();
    for path in all {
        for other in others.iter().filter(|other| !(other.is_str() && is_kind(&path))) {
            let mut changed = file.clone();
            *at_mut(&mut changed, &path) = other.clone();
            variants.push((format!("{} = {other}", path.join(".")), changed));
        }
        let (last, parents) = path.split_last().expect("a path has a key");
        if is_open(parents, last) {
            continue;
        }
        let mut changed = file.clone();
        if let Value::Table(parent) = at_mut(&mut changed, parents) {
            let value = parent.remove(last).expect("the path is one of the file");
            parent.insert(format!("{last}q"), value);
            variants.push((format!("{} with another key", path.join(".")), changed));
        }
    }
    variants
}

/// Whether a key stands where files may add some of their own: kinds of releases.
fn is_open(parents: &[String], key: &str) -> bool {
    let is_release = parents.last().is_some_and(|parent| parent == "releases");
    is_release || ["months", "releases", "years", "days"].contains(&key)
}

/// Whether a value is a kind of releases, which schemas do not know.
fn is_kind(path: &[String]) -> bool {
    let mut near = path.iter().rev().take(2);
    near.any(|key| ["remove", "deprecate", "in"].contains(&key.as_str()))
}

/// The variants of a file that reader and schema judge otherwise.
fn disagreements(name: &str, text: &str, schema: &jsonschema::Validator, is_refused: fn(&str) -> bool) -> Vec<String> {
    let variants = variants(&parsed(text)).into_iter().filter_map(|(what, changed)| {
        let written = toml::to_string(&changed).expect("the file can be written");
        let is_valid = schema.is_valid(&as_json(&changed));
        (is_valid == is_refused(&written)).then(|| format!("{name}: {what}: the schema says {is_valid}"))
    });
    variants.collect()
}

#[test]
fn schemas_refuse_what_the_readers_refuse() {
    let (of_model, of_policy) = (validator(&model::schema()), validator(&policy::schema()));
    let mut found = Vec::new();
    let models = models();
    for name in [
        "widget",
        "gate-guards",
        "metric-classes",
        "parts",
        "exceptions",
        "symbolic",
    ] {
        found.extend(disagreements(name, &models[name], &of_model, model_is_refused));
    }
    // Kinds of releases and of elements have any names, which schemas do not know.
    let of_kinds = ["slurp", "element-kind"];
    let alone = policies();
    let alone = alone
        .into_iter()
        .filter(|(_, text)| of_kinds.iter().all(|kind| !text.contains(kind)));
    for (name, text) in alone {
        found.extend(disagreements(name, text, &of_policy, policy_is_refused));
    }
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}
