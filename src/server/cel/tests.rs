use serde_json::{Value, json};

use super::*;

/// A schema of an object with fields of every type.
fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "maxLength": 20},
            "note": {"type": "string"},
            "kind": {"type": "string", "enum": ["small", "large"]},
            "min": {"type": "integer"},
            "ratio": {"type": "number"},
            "on": {"type": "boolean"},
            "since": {"type": "string", "format": "date-time"},
            "wait": {"type": "string", "format": "duration"},
            "data": {"type": "string", "format": "byte"},
            "port": {"x-kubernetes-int-or-string": true},
            "tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 10}},
            "all": {"type": "array", "items": {"type": "string"}},
            "parts": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {
                "name": {"type": "string", "maxLength": 10}, "size": {"type": "integer"},
            }}},
            "labels": {"type": "object", "maxProperties": 4, "additionalProperties": {"type": "string", "maxLength": 8}},
            "one": {"type": "object", "properties": {"x": {"type": "integer"}}},
            "other": {"type": "object", "properties": {"x": {"type": "integer"}}},
            "open": {"x-kubernetes-preserve-unknown-fields": true},
            "raw": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "namespace": {"type": "string", "maxLength": 10},
            "a-b.c/d": {"type": "integer"},
            "snake__case": {"type": "integer"},
            "9lives": {"type": "integer"},
        },
    })
}

fn judged(rule: &str) -> Judged {
    let rule = Rule {
        rule,
        message_expression: None,
        optional_old_self: None,
    };
    judge(&schema(), false, Some(1), &rule)
}

fn reasons(rule: &str) -> Vec<String> {
    judged(rule)
        .problems
        .into_iter()
        .map(|problem| problem.reason)
        .collect()
}

#[test]
fn accepts_a_rule() {
    assert_eq!(reasons("self.min > 3"), [""; 0]);
}
