//! The schema of policy files, from what rules declare that they read.

use lifecycle::evaluate::rule_tables;
use lifecycle::schema::{ChangeKind, Verdict};
use serde_json::{Value as Json, json};
use strum::VariantArray;

use crate::grammar::Duty;
use crate::policy::{Class, Key, LIFETIME, POLICY_KEYS, RuleKeys, RuleTable, STEP_KEYS, Shape, Word};

use super::model::{element_kind, severity, usage_limit};
use super::parts::{boolean, defined, described, either, file, list, named, one_of, table, text, texts, whole};

const ABOUT: &str =
    "A policy of lifecycle: which rules are in force, their windows, and how severe their findings are.";

pub fn schema() -> Json {
    let properties = POLICY_KEYS
        .iter()
        .map(|(key, meaning)| ((*key).to_owned(), described(of_file(key), meaning)));
    let root = table(properties, &["name"]);
    let definitions = [
        ("element-kind", element_kind()),
        ("severity", severity()),
        ("severities", by_track()),
        ("window", or_false(window())),
        ("full-window", or_false(full_window())),
        ("part-of-a-window", part()),
        ("step", step()),
        ("steps", or_false(list(&defined("step")))),
        ("kinds", or_false(texts())),
        ("lifetime", keyed(LIFETIME)),
    ];
    let definitions = definitions.map(|(name, schema)| (name.to_owned(), schema));
    file("lifecycle policy", ABOUT, root, definitions.into())
}

fn of_file(key: &str) -> Json {
    match key {
        "name" | "edition" | "source" | "extends" | "$schema" => text(),
        "kinds" => texts(),
        "editions" => list(&table(
            ["use", "until", "from"].map(|key| (key.to_owned(), text())),
            &["use"],
        )),
        "element-kind" => named(&defined("element-kind")),
        "grace" => table([("days".to_owned(), whole(0, 366))], &[]),
        "requires-usage-below" => usage_limit(),
        "lifetime" => table(
            ["all", "alpha", "beta", "ga"].map(|class| (class.to_owned(), class_of(LIFETIME))),
            &[],
        ),
        "rule" => table(
            rule_tables().iter().map(|rule| (rule.slug.to_owned(), of_rule(rule))),
            &[],
        ),
        "schema" => schema_severities(),
        "words" => table(
            Word::VARIANTS
                .iter()
                .map(|word| (word.as_str().to_owned(), or_false(text()))),
            &[],
        ),
        _ => panic!("the schema lacks the key `{key}` of a policy"),
    }
}

fn or_false(schema: Json) -> Json {
    either(schema, json!({ "enum": [false] }))
}

/// One severity, or one by track.
fn by_track() -> Json {
    let tracks = ["alpha", "beta", "ga"].map(|track| (track.to_owned(), defined("severity")));
    either(defined("severity"), table(tracks, &[]))
}

fn of_rule(rule: &RuleTable) -> Json {
    let level = if rule.keys.is_some() { "severities" } else { "severity" };
    let codes = rule.codes.iter().map(|code| ((*code).to_owned(), defined(level)));
    let mut properties = vec![("severity".to_owned(), table(codes, &[]))];
    let Some(keys) = rule.keys else {
        return table(properties, &[]);
    };
    properties.push((
        "number".to_owned(),
        described(text(), "its number in the text of the policy"),
    ));
    properties.push((
        "off".to_owned(),
        described(boolean(), "`true`: the rule is not in force"),
    ));
    properties.extend(others(keys));
    let classes = keys.classes.iter().map(|(class, keys)| {
        let schema = described(class_of(keys), class.meaning());
        (class.as_str().to_owned(), schema)
    });
    properties.extend(classes);
    let mut rule = table(properties, &[]);
    if keys.by_kind {
        // The kinds of elements, which a policy may add to: what goes for all of one, and tables by class.
        let mut kind = keyed(LIFETIME);
        kind["additionalProperties"] = class_of(LIFETIME);
        rule["additionalProperties"] = kind;
    }
    rule
}

fn others(keys: RuleKeys) -> Vec<(String, Json)> {
    let mut others = Vec::new();
    if !keys.exemptions.is_empty() {
        let known = one_of(keys.exemptions);
        let exempt = either(known.clone(), list(&known));
        others.push(("exempt".to_owned(), described(exempt, "the exempt cases")));
    }
    if keys.until_replacement {
        let meaning = "whether nothing is deprecated before its replacement has been released";
        others.push(("until-replacement-released".to_owned(), described(boolean(), meaning)));
    }
    others
}

/// The table of a class.
fn class_of(keys: &[Key]) -> Json {
    if keys == LIFETIME {
        defined("lifetime")
    } else {
        keyed(keys)
    }
}

fn keyed(keys: &[Key]) -> Json {
    let properties = keys.iter().map(|key| {
        let schema = described(of_shape(key.shape()), key.meaning());
        (key.as_str().to_owned(), schema)
    });
    table(properties, &[])
}

fn of_shape(shape: Shape) -> Json {
    match shape {
        Shape::Window => defined("window"),
        Shape::FullWindow => defined("full-window"),
        Shape::Kinds => defined("kinds"),
        Shape::Steps => defined("steps"),
        Shape::Removal => {
            let kinds = either(list(&text()), json!({ "enum": [false] }));
            either(one_of(&["next-major", "any"]), kinds)
        }
        Shape::Switch => boolean(),
    }
}

fn window() -> Json {
    table(
        ["months", "releases"].map(|part| (part.to_owned(), whole(0, 1200))),
        &[],
    )
}

fn full_window() -> Json {
    let any = json!({ "type": "array", "minItems": 1, "maxItems": 8, "items": defined("part-of-a-window") });
    either(defined("part-of-a-window"), table([("any".to_owned(), any)], &["any"]))
}

/// One window. A key that is no unit is a kind of releases, which the policy may list.
fn part() -> Json {
    let units = [
        ("months", whole(0, 1200)),
        ("releases", whole(0, 1200)),
        ("years", whole(0, 100)),
        ("days", whole(0, 36_500)),
        ("next-major", boolean()),
        ("major", whole(0, 100)),
        ("minor", whole(0, 100)),
    ];
    let mut part = table(units.map(|(unit, schema)| (unit.to_owned(), schema)), &[]);
    part["additionalProperties"] = whole(0, 100);
    part
}

/// A step. Which duty it needs depends on the rule: gates and metrics have one step of a fixed name.
fn step() -> Json {
    let keys = STEP_KEYS.iter().map(|(key, meaning)| {
        let schema = match *key {
            "name" => text(),
            "duty" => one_of(Duty::NAMES),
            "after" => defined("full-window"),
            "in" => texts(),
            "required" => boolean(),
            _ => panic!("the schema lacks the key `{key}` of a step"),
        };
        ((*key).to_owned(), described(schema, meaning))
    });
    table(keys, &["name"])
}

fn schema_severities() -> Json {
    let changes = ChangeKind::VARIANTS
        .iter()
        .map(|kind| (kind.as_str().to_owned(), defined("severities")));
    let changes = described(table(changes, &[]), "severities by kind of change");
    let verdicts = Verdict::ALL.map(|verdict| (verdict.into_str().to_owned(), defined("severities")));
    let embedded = described(defined("severities"), "the severity of changes within embedded types");
    let others = [("embedded".to_owned(), embedded), ("change".to_owned(), changes)];
    table(verdicts.into_iter().chain(others), &[])
}

#[test]
fn each_class_is_in_the_schema_of_a_rule() {
    let schema = schema();
    for class in Class::VARIANTS {
        let mut rules = rule_tables().into_iter();
        let has = |rule: RuleTable| {
            let rule = &schema["properties"]["rule"]["properties"][rule.slug];
            rule["properties"].get(class.as_str()).is_some()
        };
        assert!(rules.any(has), "{}", class.as_str());
    }
}
