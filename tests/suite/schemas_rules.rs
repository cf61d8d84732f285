//! Rules in CEL: what is compatible for writers rejects no object of before, whatever the rules and their spelling.
//!
//! The rules are trees that are evaluated here, over all objects of a small world, with the errors of CEL: reading a
//! field that is not set fails, and `&&` and `||` ignore an error beside what decides.

#![cfg(test)]

use lifecycle::schema::Verdict;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::schemas::{compare, definition, widgets};

/// A condition on an object with the optional fields `a` and `b` (texts), `n` (an integer), and `l` (a list of texts).
#[derive(Debug, Clone)]
enum Cond {
    Has(&'static str),
    /// `self.a == 'x'`
    Is(&'static str, &'static str),
    /// `self.a in ['x', 'y']`
    In(&'static str, Vec<&'static str>),
    /// `self.n <= 1`
    AtMost(i64),
    /// `self.n > 1`
    MoreThan(i64),
    /// `(has(self.a) ? self.a : '') == 'x'`
    OrElse(&'static str, &'static str),
    /// `self.l.all(x, x == 'x' || …)`
    All(Box<Cond>),
    Exists(Box<Cond>),
    ExistsOne(Box<Cond>),
    /// The value of a quantifier: `x == 'x'`.
    Each(&'static str),
    Not(Box<Cond>),
    And(Vec<Cond>),
    Or(Vec<Cond>),
    If(Box<[Cond; 3]>),
}

/// An object: `a`, `b`, `n` and `l`.
#[derive(Debug, Clone)]
struct Object {
    texts: [Option<&'static str>; 2],
    number: Option<i64>,
    list: Option<Vec<&'static str>>,
}

fn objects() -> Vec<Object> {
    let texts = [None, Some("x"), Some("y"), Some("")];
    let lists = [
        None,
        Some(vec![]),
        Some(vec!["x"]),
        Some(vec!["x", "y"]),
        Some(vec!["x", "x"]),
        Some(vec!["y"]),
    ];
    let mut all = Vec::new();
    for a in texts {
        for b in texts {
            for number in [None, Some(0), Some(1), Some(2)] {
                all.extend(lists.iter().cloned().map(|list| Object {
                    texts: [a, b],
                    number,
                    list,
                }));
            }
        }
    }
    all
}

impl Object {
    fn text(&self, field: &str) -> Option<&'static str> {
        self.texts[usize::from(field == "b")]
    }

    fn has(&self, field: &str) -> bool {
        match field {
            "n" => self.number.is_some(),
            "l" => self.list.is_some(),
            field => self.text(field).is_some(),
        }
    }
}

/// What a condition is; `None` is an error. `each`: the value of the quantifier around it.
fn truth(cond: &Cond, object: &Object, each: Option<&str>) -> Option<bool> {
    let joined = |parts: &[Cond], deciding: bool| {
        let found: Vec<Option<bool>> = parts.iter().map(|part| truth(part, object, each)).collect();
        if found.contains(&Some(deciding)) {
            return Some(deciding);
        }
        (!found.contains(&None)).then_some(!deciding)
    };
    let of_list = |cond: &Cond| -> Option<Vec<Option<bool>>> {
        let list = object.list.as_ref()?;
        Some(list.iter().map(|value| truth(cond, object, Some(value))).collect())
    };
    match cond {
        Cond::Has(field) => Some(object.has(field)),
        Cond::Is(field, text) => Some(object.text(field)? == *text),
        Cond::In(field, texts) => Some(texts.contains(&object.text(field)?)),
        Cond::AtMost(most) => Some(object.number? <= *most),
        Cond::MoreThan(least) => Some(object.number? > *least),
        Cond::OrElse(field, text) => Some(object.text(field).unwrap_or("") == *text),
        Cond::Each(text) => Some(each? == *text),
        Cond::All(cond) => {
            let found = of_list(cond)?;
            if found.contains(&Some(false)) {
                Some(false)
            } else {
                (!found.contains(&None)).then_some(true)
            }
        }
        Cond::Exists(cond) => {
            let found = of_list(cond)?;
            if found.contains(&Some(true)) {
                Some(true)
            } else {
                (!found.contains(&None)).then_some(false)
            }
        }
        Cond::ExistsOne(cond) => {
            let found: Vec<bool> = of_list(cond)?.into_iter().collect::<Option<_>>()?;
            Some(found.into_iter().filter(|found| *found).count() == 1)
        }
        Cond::Not(cond) => truth(cond, object, each).map(|found| !found),
        Cond::And(parts) => joined(parts, false),
        Cond::Or(parts) => joined(parts, true),
        Cond::If(parts) => {
            let [test, then, otherwise] = &**parts;
            truth(if truth(test, object, each)? { then } else { otherwise }, object, each)
        }
    }
}

/// The condition as a rule. The spelling follows the seed.
fn written(cond: &Cond, seed: &mut u64) -> String {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let odd = *seed >> 40;
    let quote = if odd & 1 == 0 { '\'' } else { '"' };
    let gap = if odd & 2 == 0 { " " } else { "" };
    let text = match cond {
        Cond::Has(field) => format!("has({gap}self.{field})"),
        Cond::Is(field, text) if odd & 4 == 0 => format!("{quote}{text}{quote}{gap}=={gap}self.{field}"),
        Cond::Is(field, text) => format!("self.{field}{gap}=={gap}{quote}{text}{quote}"),
        Cond::In(field, texts) => {
            let texts: Vec<String> = texts.iter().map(|text| format!("{quote}{text}{quote}")).collect();
            format!("self.{field} in [{}]", texts.join(","))
        }
        Cond::AtMost(most) if odd & 4 == 0 => format!("self.n{gap}<{gap}{}", most + 1),
        Cond::AtMost(most) => format!("{most} >= self.n"),
        Cond::MoreThan(least) if odd & 4 == 0 => format!("self.n >= {}", least + 1),
        Cond::MoreThan(least) => format!("{least}{gap}<{gap}self.n"),
        Cond::OrElse(field, text) => {
            format!("(has(self.{field}) ? self.{field} : {quote}{quote}) == {quote}{text}{quote}")
        }
        Cond::Each(text) => format!("v == {quote}{text}{quote}"),
        Cond::All(cond) => format!("self.l.all(v,{gap}{})", written(cond, seed)),
        Cond::Exists(cond) => format!("self.l.exists({gap}v, {})", written(cond, seed)),
        Cond::ExistsOne(cond) => format!("self.l.exists_one(v, {})", written(cond, seed)),
        Cond::Not(cond) => format!("!({})", written(cond, seed)),
        Cond::And(parts) | Cond::Or(parts) => {
            let sign = if matches!(cond, Cond::And(_)) { "&&" } else { "||" };
            let mut parts: Vec<String> = parts.iter().map(|part| format!("({})", written(part, seed))).collect();
            if odd & 8 == 0 {
                parts.reverse();
            }
            parts.join(&format!("{gap}{sign}{gap}"))
        }
        Cond::If(parts) => {
            let [test, then, otherwise] = &**parts;
            let [test, then, otherwise] = [test, then, otherwise].map(|part| written(part, seed));
            format!("({test}) ? ({then}) : ({otherwise})")
        }
    };
    if odd & 16 == 0 { format!("({gap}{text})") } else { text }
}

fn leaves() -> BoxedStrategy<Cond> {
    let field = prop::sample::select(vec!["a", "b"]);
    let text = prop::sample::select(vec!["x", "y"]);
    prop_oneof![
        3 => prop::sample::select(vec!["a", "b", "n", "l"]).prop_map(Cond::Has),
        3 => (field.clone(), text.clone()).prop_map(|(field, text)| Cond::Is(field, text)),
        1 => field.clone().prop_map(|field| Cond::In(field, vec!["x", "y"])),
        1 => (0_i64..2).prop_map(Cond::AtMost),
        1 => (0_i64..2).prop_map(Cond::MoreThan),
        1 => (field, text).prop_map(|(field, text)| Cond::OrElse(field, text)),
    ]
    .boxed()
}

/// Conditions on the value of a quantifier, beside others.
fn of_each() -> BoxedStrategy<Cond> {
    let each = prop::sample::select(vec!["x", "y"]).prop_map(Cond::Each);
    prop_oneof![
        each.clone(),
        (each.clone(), leaves()).prop_map(|(one, other)| Cond::Or(vec![one, other])),
        (each, leaves()).prop_map(|(one, other)| Cond::And(vec![one, other])),
    ]
    .boxed()
}

fn conditions() -> BoxedStrategy<Cond> {
    let quantified = (of_each(), 0..3).prop_map(|(cond, word)| match word {
        0 => Cond::All(Box::new(cond)),
        1 => Cond::Exists(Box::new(cond)),
        _ => Cond::ExistsOne(Box::new(cond)),
    });
    let leaf = prop_oneof![4 => leaves(), 1 => quantified];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|cond| Cond::Not(Box::new(cond))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Cond::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Cond::Or),
            [inner.clone(), inner.clone(), inner].prop_map(|parts| Cond::If(Box::new(parts))),
        ]
    })
    .boxed()
}

/// A condition that is often implied by another one, or implies it.
fn changed(cond: Cond, other: Cond, how: u8) -> Cond {
    match how {
        0 => cond,
        1 => Cond::Or(vec![cond, other]),
        2 => Cond::And(vec![cond, other]),
        3 => Cond::Or(vec![Cond::Not(Box::new(other)), cond]),
        4 => Cond::Not(Box::new(Cond::Not(Box::new(cond)))),
        5 => match cond {
            Cond::And(mut parts) | Cond::Or(mut parts) if parts.len() > 2 => {
                parts.pop();
                Cond::And(parts)
            }
            Cond::If(parts) => {
                let [test, then, otherwise] = *parts;
                Cond::If(Box::new([Cond::And(vec![test, other]), then, otherwise]))
            }
            cond => Cond::Or(vec![other, cond]),
        },
        6 => Cond::If(Box::new([other, cond.clone(), cond])),
        _ => match cond {
            Cond::And(parts) => Cond::Not(Box::new(Cond::Or(
                parts.into_iter().map(|part| Cond::Not(Box::new(part))).collect(),
            ))),
            cond => Cond::And(vec![cond.clone(), Cond::Or(vec![cond, other])]),
        },
    }
}

fn schema(rules: &[String]) -> Json {
    let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
    json!({
        "type": "object",
        "properties": {
            "a": { "type": "string" }, "b": { "type": "string" }, "n": { "type": "integer" },
            "l": { "type": "array", "items": { "type": "string" } },
        },
        "x-kubernetes-validations": rules,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_change_of_rules_that_is_compatible_for_writers_rejects_no_object_of_before(
        (one, second, other) in (conditions(), conditions(), conditions()),
        (how, shape) in (0_u8..8, 0_u8..4),
        mut seed in any::<u64>(),
    ) {
        let new = changed(one.clone(), other.clone(), how);
        let (old, new) = match shape {
            0 => (vec![one], vec![new]),
            1 => (vec![new], vec![one]),
            2 => (vec![one, second], vec![new]),
            _ => (vec![one, second.clone()], vec![new, second]),
        };
        let [before, after] = [&old, &new].map(|rules| {
            let rules: Vec<String> = rules.iter().map(|rule| written(rule, &mut seed)).collect();
            schema(&rules)
        });
        let report = compare(&definition("v1", &before), &definition("v1", &after));
        if report.changes.iter().all(|change| change.writers == Verdict::Compatible) {
            for object in objects() {
                let [was, is] = [&old, &new].map(|rules| {
                    rules.iter().all(|rule| truth(rule, &object, None) == Some(true))
                });
                prop_assert!(!was || is, "{object:?}\n{before}\n{after}\n{report:#?}");
            }
        }
    }
}

/// How often, of rules of which one follows from the other, this is found: the property above says nothing where all is
/// called breaking.
#[test]
fn what_is_only_wider_is_found_by_its_logic() {
    let not = |cond: Cond| Cond::Not(Box::new(cond));
    let a = || Cond::Is("a", "x");
    let or_b = |cond: Cond| Cond::Or(vec![cond, Cond::Has("b")]);
    for (old, new) in [
        (a(), or_b(a())),
        (Cond::And(vec![a(), Cond::Has("n")]), not(not(a()))),
        (not(or_b(a())), not(a())),
        (
            Cond::If(Box::new([Cond::Has("b"), a(), Cond::Has("l")])),
            Cond::Or(vec![a(), Cond::Has("l")]),
        ),
        (
            Cond::All(Box::new(Cond::Each("x"))),
            Cond::All(Box::new(or_b(Cond::Each("x")))),
        ),
        (Cond::And(vec![Cond::Has("a"), a()]), Cond::OrElse("a", "x")),
        (Cond::AtMost(0), Cond::AtMost(1)),
        (a(), Cond::Has("a")),
    ] {
        let [before, after] = [&old, &new].map(|rule| schema(&[written(rule, &mut 7)]));
        let report = compare(&definition("v1", &before), &definition("v1", &after));
        let breaking = report
            .changes
            .iter()
            .filter(|change| change.writers == Verdict::Breaking);
        assert_eq!(breaking.count(), 0, "{old:?} {new:?}: {report:#?}");
    }
}

/// The codes of the changes that are not compatible for writers.
fn breaking(old: &Json, new: &Json) -> Vec<&'static str> {
    let report = compare(&definition("v1", old), &definition("v1", new));
    let changes = report.changes.iter();
    let breaking = changes.filter(|change| change.writers != Verdict::Compatible);
    breaking.map(|change| change.code.as_str()).collect()
}

/// A list of this type, with rules, of items with a required `name` and a `color`.
fn list(kind: &str, rules: &[&str]) -> Json {
    let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
    let mut list = json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": { "name": { "type": "string" }, "color": { "type": "string" } },
            "required": ["name"],
        },
        "x-kubernetes-list-type": kind,
        "x-kubernetes-validations": rules,
    });
    match kind {
        "map" => list["x-kubernetes-list-map-keys"] = json!(["name"]),
        "set" => list["items"] = json!({ "type": "string" }),
        _ => {}
    }
    list
}

#[test]
fn what_the_type_of_a_list_demands_may_be_a_rule_too() {
    let names = "self.all(a, self.exists_one(b, a.name == b.name))";
    let colors = "self.all(a, self.exists_one(b, a.color == b.color))";
    let counted = "size(self.filter(i, size(self.filter(j, j == i)) > 1)) == 0";
    assert_eq!(breaking(&list("map", &[]), &list("map", &[names])), [""; 0]);
    assert_eq!(breaking(&list("map", &[]), &list("map", &[colors])), ["rule-added"]);
    assert_eq!(
        breaking(&list("atomic", &[]), &list("atomic", &[names])),
        ["rule-added"]
    );
    for same in [counted, "self.all(x, self.exists_one(y, x == y))"] {
        assert_eq!(breaking(&list("set", &[]), &list("set", &[same])), [""; 0], "{same}");
    }
}

#[test]
fn a_key_that_rules_escape_is_no_path_of_another_field() {
    let keyed = |rules: &[&str]| {
        let mut list = list("map", rules);
        list["items"]["properties"]["a.b"] = json!({ "type": "string", "default": "" });
        list["items"]["properties"]["a"] = json!({ "type": "object", "properties": { "b": { "type": "string" } } });
        list["x-kubernetes-list-map-keys"] = json!(["a.b"]);
        list
    };
    let nested = "self.all(x, self.exists_one(y, x.a.b == y.a.b))";
    assert_eq!(breaking(&keyed(&[]), &keyed(&[nested])), ["rule-added"]);
}

#[test]
fn objects_that_rules_keep_distinct_pass_through_a_version_with_a_set() {
    let counted = "size(self.filter(i, size(self.filter(j, j == i)) > 1)) == 0";
    let versions = |rules: &[&str]| {
        let mut plain = list("atomic", rules);
        plain["items"] = json!({ "type": "string" });
        let lists = [("v1beta1", list("set", &[])), ("v1", plain)];
        let versions = lists.map(|(name, list)| {
            json!({
                "name": name,
                "served": true,
                "storage": name == "v1",
                "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": list } } },
            })
        });
        widgets(&versions).to_string()
    };
    let refused = |rules: &[&str]| {
        let report = compare(&versions(&[]).replace("atomic", "set"), &versions(rules));
        let codes = report.changes.iter().map(|change| change.code.as_str());
        codes.filter(|code| *code == "refused-between-versions").count()
    };
    assert_eq!([refused(&[]), refused(&[counted])], [1, 0]);
}

#[test]
fn a_rule_that_lists_the_values_of_an_enum_demands_nothing() {
    let path = |rules: &[&str]| {
        let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
        json!({
            "type": "object",
            "properties": { "type": { "type": "string", "enum": ["A", "B", "C"], "default": "A" } },
            "x-kubernetes-validations": rules,
        })
    };
    let all = "self.type in ['A', 'B'] || self.type == 'C'";
    assert_eq!(breaking(&path(&[]), &path(&[all])), [""; 0]);
    let some = "self.type in ['A', 'B'] || self.type == 'D'";
    assert_eq!(breaking(&path(&[]), &path(&[some])), ["rule-added"]);
}

#[test]
fn fewer_others_of_its_kind_leave_each_the_only_one() {
    let unique = |hosts: &str| {
        format!(
            "self.all(a, self.exists_one(b, a.name == b.name && (has(a.color) && has(b.color) ? a.color == b.color : {hosts})))"
        )
    };
    let (wide, narrow) = (unique("true"), unique("!has(a.color) && !has(b.color)"));
    let lists = [&wide, &narrow].map(|rule| list("atomic", &[rule.as_str()]));
    assert_eq!(breaking(&lists[0], &lists[1]), [""; 0]);
    assert_eq!(breaking(&lists[1], &lists[0]), ["rule-changed"]);
}

/// No list has an item, whatever else rules say of its items; of the same type in two places, the rules of each count.
#[test]
fn a_bound_of_what_rules_exclude_rejects_nothing() {
    let items = |bound: &Json| {
        let item = json!({ "type": "object", "properties": { "b": bound } });
        json!({ "type": "array", "items": item })
    };
    let [free, bound] = [json!({ "type": "integer" }), json!({ "type": "integer", "maximum": 5 })];
    for (rules, expected) in [
        (&["size(self.a) == 0"][..], &[][..]),
        (&["size(self.a) == 0", "self.a.all(x, x.b != 7)"], &[]),
        (&["self.a.all(x, x.b != 7)"], &["bound-tightened"]),
        (&["size(self.a) == 1"], &["bound-tightened"]),
    ] {
        let [old, new] = [&free, &bound].map(|bound| object(&json!({ "a": items(bound) }), rules));
        assert_eq!(breaking(&old, &new), expected, "{rules:?}");
        let twice = [&old, &new].map(|own| {
            let other = object(&own["properties"], &["self.a.all(x, x.b < 3)"]);
            json!({ "type": "object", "properties": { "one": own, "other": other } })
        });
        assert_eq!(breaking(&twice[0], &twice[1]), expected, "{rules:?}");
    }
}

/// An object with these fields, the first of which is required, and rules.
fn object(fields: &Json, rules: &[&str]) -> Json {
    let rules: Vec<Json> = rules.iter().map(|rule| json!({ "rule": rule })).collect();
    json!({ "type": "object", "properties": fields, "required": ["a"], "x-kubernetes-validations": rules })
}

#[test]
fn a_count_of_fields_of_which_all_but_a_required_one_are_new_demands_nothing() {
    let text = json!({ "type": "string" });
    let old = object(&json!({ "a": text }), &[]);
    let wider = json!({ "a": text, "b": text, "c": text });
    for (rule, expected) in [
        (
            "[has(self.a), has(self.b), has(self.c)].filter(x, x == true).size() == 1",
            &[][..],
        ),
        ("[has(self.a), has(self.b), has(self.c)].filter(x, x).size() <= 1", &[]),
        ("[has(self.a), has(self.b)].filter(x, x).size() >= 1", &[]),
        ("[has(self.b), has(self.c)].filter(x, x).size() == 1", &["rule-added"]),
    ] {
        assert_eq!(breaking(&old, &object(&wider, &[rule])), expected, "{rule}");
    }
    // Objects of before may lack what is not required.
    let rule = "[has(self.d), has(self.b)].filter(x, x == true).size() == 1";
    let old = object(&json!({ "a": text, "d": text }), &[]);
    let new = object(&json!({ "a": text, "d": text, "b": text }), &[rule]);
    assert_eq!(breaking(&old, &new), ["rule-added"]);
}

#[test]
fn a_rule_about_what_is_new_in_items_rejects_no_object_of_before() {
    let lists = |types: &Json, fields: &[&str], most: usize, rules: &[&str]| {
        let text = json!({ "type": "string" });
        let mut item = json!({ "type": "object", "required": ["type"],
            "properties": { "type": { "type": "string", "enum": types },
                "ports": { "type": "array", "maxItems": most, "items": text, "default": [] } } });
        for field in fields {
            item["properties"][field] = text.clone();
        }
        object(
            &json!({ "a": { "type": "array", "maxItems": 4, "items": item } }),
            rules,
        )
    };
    let old = lists(&json!(["A"]), &[], 2, &[]);
    for (rule, expected) in [
        ("self.a.all(x, !has(x.new) || x.new.size() > 1)", &[][..]),
        ("self.a.all(x, x.type == 'B' ? has(x.new) : true)", &[]),
        ("self.a.all(x, x.type == 'A' ? has(x.new) : true)", &["rule-added"]),
        ("self.a.all(x, has(x.new))", &["rule-added"]),
        (
            "(self.a.size() > 0 ? self.a[0].ports.size() : 0) + (self.a.size() > 1 ? self.a[1].ports.size() : 0) <= 4",
            &[],
        ),
        (
            "(self.a.size() > 0 ? self.a[0].ports.size() : 0) + (self.a.size() > 1 ? self.a[1].ports.size() : 0) < 4",
            &["rule-added"],
        ),
        ("self.a.all(x, oldSelf.a.exists(y, y.type == x.type))", &["rule-added"]),
    ] {
        let new = lists(&json!(["A", "B"]), &["new"], 9, &[rule]);
        assert_eq!(breaking(&old, &new), expected, "{rule}");
    }
    // A default sets the field in items of before.
    let mut new = lists(&json!(["A"]), &["new"], 2, &["self.a.all(x, !has(x.new))"]);
    new["properties"]["a"]["items"]["properties"]["new"]["default"] = json!("b");
    assert!(breaking(&old, &new).contains(&"rule-added"));
    // Items that keep unlisted fields may have it.
    let [mut old, mut new] = [old, lists(&json!(["A"]), &["new"], 2, &["self.a.all(x, !has(x.new))"])];
    for schema in [&mut old, &mut new] {
        schema["properties"]["a"]["items"]["x-kubernetes-preserve-unknown-fields"] = json!(true);
    }
    assert!(breaking(&old, &new).contains(&"rule-added"));
}

#[test]
fn a_rule_about_an_update_is_no_rule_about_one_value() {
    let kind = json!({ "a": { "type": "string", "enum": ["A", "B"] } });
    let frozen = "oldSelf.a == 'A' ? self.a == 'A' : true";
    assert_eq!(breaking(&object(&kind, &[]), &object(&kind, &[frozen])), ["rule-added"]);
}

#[test]
fn an_old_value_that_may_be_missing_changes_nothing_where_a_rule_asks_for_it() {
    let rules = |rules: Json| json!({ "type": "string", "x-kubernetes-validations": rules });
    let plain = rules(json!([{ "rule": "self == oldSelf" }]));
    for (rule, expected) in [
        ("!oldSelf.hasValue() || self == oldSelf.value()", &[][..]),
        ("oldSelf.hasValue() ? self == oldSelf.value() : true", &[]),
        ("oldSelf.hasValue() && self == oldSelf.value()", &["rule-added"]),
    ] {
        let optional = rules(json!([{ "rule": rule, "optionalOldSelf": true }]));
        assert_eq!(breaking(&plain, &optional), expected, "{rule}");
    }
}

#[test]
fn fields_that_every_object_has_in_its_metadata_are_not_new() {
    let versions = |metadata: &Json, rules: &[&str]| {
        let mut schema = object(&json!({ "a": { "type": "string" }, "metadata": metadata }), rules);
        schema["required"] = json!([]);
        let version = json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } });
        widgets(&[version]).to_string()
    };
    let old = versions(&json!({ "type": "object" }), &[]);
    let named = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let new = versions(&named, &["!has(self.metadata.name) || self.metadata.name.size() < 5"]);
    let codes = compare(&old, &new)
        .changes
        .into_iter()
        .map(|change| change.code.as_str());
    assert_eq!(codes.filter(|code| *code == "rule-added").count(), 1);
}
