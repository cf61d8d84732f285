//! The rules of a schema, in CEL: whether they compile, and what they cost together.

use super::cel::{self, Declared, Judged, MOST_TOTAL_COST, Part, ProblemClass, Rule};
use super::node::Node;
use super::refusal::{Class, Refusals};
use crate::cel::Unjudged;
use crate::schema::Tree;

/// What is known of the schemas around one.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// It describes the objects of a version.
    is_root: bool,
    /// How many values it describes in one object at most; `None` without a bound.
    values: Option<u64>,
    /// Whether a value can be found again after an update: not in a list or an object that is replaced as a whole.
    is_correlated: bool,
}

/// What the rules of a schema cost, and whether something was not judged.
#[derive(Debug, Default)]
struct Sum {
    cost: u64,
    unjudged: bool,
}

/// Reports the rules of the schema of objects that a server refuses. The schema is structural and otherwise valid.
pub(super) fn check(schema: &Node<'_, '_>, found: &mut Refusals) {
    let around = Around {
        is_root: true,
        values: Some(1),
        is_correlated: true,
    };
    let mut sum = Sum::default();
    visit(schema, around, &mut sum, found);
    if sum.cost > MOST_TOTAL_COST {
        let message = "the rules of the schema cost more together than servers allow";
        let help = "bound the lists, maps and texts that they run over: `maxItems`, `maxProperties`, `maxLength`";
        found.add(Class::RuleCost, schema, message, help);
    }
}

fn visit(schema: &Node<'_, '_>, around: Around, sum: &mut Sum, found: &mut Refusals) {
    if let Some(rules) = schema.child("x-kubernetes-validations") {
        let is_root = around.is_root || schema.value.says("x-kubernetes-embedded-resource");
        let declared = Declared::of(&schema.value.json(), is_root);
        for rule in rules.items() {
            let judged = cel::judge_of(declared.as_ref(), around.values, &self::rule(rule.value));
            if judged.problems.iter().any(|problem| problem.part == Part::Value) {
                let message = "rules cannot judge a value without a type";
                found.add(
                    Class::Rule,
                    &rules,
                    message,
                    "set `type`, or move the rules to a value that has one",
                );
                break;
            }
            report(&rule, &judged, around.is_correlated, found);
            unjudged(&rule, &judged, sum, found);
            for cost in [judged.rule_cost, judged.message_cost].into_iter().flatten() {
                sum.cost = sum.cost.saturating_add(cost);
            }
        }
    }
    let below = Around {
        is_root: false,
        values: around
            .values
            .zip(most_values(schema.value))
            .map(|(own, most)| own.saturating_mul(most)),
        ..around
    };
    if let Some(values) = schema.child("additionalProperties") {
        visit(&values, below, sum, found);
    }
    if let Some(properties) = schema.child("properties") {
        let is_correlated = around.is_correlated && schema.value.text("x-kubernetes-map-type") != "atomic";
        for (_, field) in properties.values() {
            visit(&field, Around { is_correlated, ..below }, sum, found);
        }
    }
    if let Some(items) = schema.child("items") {
        let is_correlated = around.is_correlated && schema.value.text("x-kubernetes-list-type") == "map";
        visit(&items, Around { is_correlated, ..below }, sum, found);
    }
}

/// A rule as written.
pub(super) fn rule(rule: &Tree) -> Rule<'_> {
    let optional = rule.get("optionalOldSelf");
    Rule {
        rule: rule.text("rule"),
        message_expression: rule.entry("messageExpression").map(|_| rule.text("messageExpression")),
        optional_old_self: optional.map(|optional| *optional == Tree::Bool(true)),
    }
}

/// How many values a value holds at most; `None` without a bound.
fn most_values(schema: &Tree) -> Option<u64> {
    let bound = match schema.text("type") {
        "object" if schema.entry("additionalProperties").is_some() => "maxProperties",
        "array" => "maxItems",
        _ => return Some(1),
    };
    match schema.get(bound)? {
        Tree::Number(number) => Some(number.as_u64().unwrap_or(0)),
        _ => None,
    }
}

fn report(rule: &Node<'_, '_>, judged: &Judged, is_correlated: bool, found: &mut Refusals) {
    for problem in &judged.problems {
        let (key, what) = match problem.part {
            Part::Rule | Part::Value => ("rule", "the rule"),
            Part::MessageExpression => ("messageExpression", "the expression of the message"),
            Part::OptionalOldSelf => ("optionalOldSelf", "the rule"),
        };
        let (class, help) = match problem.class {
            ProblemClass::Cost => (
                Class::RuleCost,
                "bound the lists, maps and texts that it runs over: `maxItems`, `maxProperties`, `maxLength`",
            ),
            ProblemClass::Compile | ProblemClass::MessageExpression => (
                Class::Rule,
                "correct it; the fields that it may name are those of the schema it stands in",
            ),
        };
        let message = format!("{what} is refused: {}", problem.reason);
        found.add_key(class, rule, key, (message, help));
    }
    if judged.uses_old_self && !is_correlated {
        let message = "the rule uses `oldSelf` where a value cannot be found again after an update";
        let help =
            "make the list around it `x-kubernetes-list-type: map`, or move the rule to what is replaced as a whole";
        found.add_key(Class::Rule, rule, "rule", (message, help));
    }
}

/// Says once per schema that something is not judged.
fn unjudged(rule: &Node<'_, '_>, judged: &Judged, sum: &mut Sum, found: &mut Refusals) {
    let Some(first) = judged.unjudged.first().filter(|_| !sum.unjudged) else {
        return;
    };
    sum.unjudged = true;
    let reason = match first {
        Unjudged::Deep => "it nests too deep".to_owned(),
        Unjudged::Large => "it is too large".to_owned(),
        Unjudged::Newer(what) => format!("it uses {what}, which servers before 1.37 do not know"),
        Unjudged::Type(what) => format!("it uses the type {what}"),
    };
    let help = "try the CRD on a server: `kubectl apply --dry-run=server`";
    found.add_key(
        Class::RuleUnjudged,
        rule,
        "rule",
        (format!("the rule is not judged: {reason}"), help),
    );
}
