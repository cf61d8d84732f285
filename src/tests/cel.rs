use serde_json::{Value, json};

use crate::cel::Unjudged;
use crate::server::cel::*;

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
fn accepts_what_servers_accept() {
    let rules = [
        "self.min > 3 // at least",
        "self.name == 'a' || self.name == \"b\" && !self.on",
        "size(self.name) < 3 && self.name.size() > -1",
        "self.min in [1, 2, 3] && 'a' in self.tags && 'key' in self.labels",
        "self.port == 80 || self.port == '80%' || type(self.port) == string",
        "self.ratio < 3 && self.min < 2.5 && 1u < self.min",
        "self.tags.all(t, t.startsWith('a')) && self.tags.exists_one(t, t == 'x')",
        "self.parts.map(p, p.size).sum() < 5 && self.parts.filter(p, has(p.name)).size() > 0",
        "self.parts.all(p, self.parts.exists(q, q.name == p.name))",
        "self.labels.all(k, self.labels[k] != '')",
        "self.labels.all(k, v, k != v) && self.tags.exists(i, t, i > 0 && t == '')",
        "self.tags.transformList(i, t, i > 0, t + '!').size() > 0",
        "self.tags.transformMap(i, t, t)[0] == 'a'",
        "self.labels.transformMapEntry(k, v, {v: k})['x'] == 'y'",
        "self.?one.?x.orValue(3) == 3 && self.?tags[?0].hasValue()",
        "self.?one.optMap(o, o.x > 3).orValue(true)",
        "self.?tags.optFlatMap(t, t[?0]).orValue('') == ''",
        "self.one != null && optional.none().orValue(1) == 1",
        "self.since > timestamp('2024-01-01T00:00:00Z') && self.since.getFullYear() > 2023",
        "self.wait < duration('1h30m') && self.wait.getSeconds() > 3",
        "self.data == b'\\xff' && size(self.data) > 0",
        "self.name.matches(r'^[a-z]\\d+$') && self.name.find('[0-9]+') == ''",
        "self.__namespace__ == 'x' && self.namespace == 'x'",
        "self.a__dash__b__dot__c__slash__d == 1 && self.snake__underscores__case == 2",
        "'%s has %d'.format([self.name, self.min]) == '' && self.tags.join('.') == '' && self.name.lowerAscii().split(',').size() == 1",
        "quantity('1Gi').isGreaterThan(quantity(self.name)) && isQuantity(self.name)",
        "ip(self.name).family() == 4 && cidr('10.0.0.0/8').containsIP(self.name)",
        "url(self.name).getHost() == '' && semver('1.2.3').major() == 1",
        "!format.dns1123Label().validate(self.name).hasValue()",
        "sets.contains(self.tags, ['a']) && self.tags.sort() == self.tags.distinct().reverse()",
        "self.parts.sortBy(p, p.size)[0].size == 1 && lists.range(3).size() == 3",
        "[self.tags, []].flatten().first().orValue('') == ''",
        "type(self.min) == int && type(self.wait) == duration && type(self.tags) == list",
        "oldSelf.min <= self.min",
        "dyn(self.min) == 'x' || self.raw == self.raw",
        "self.min > 0 ? self.on : -self.ratio < -1.5e3",
        "--self.min == 0x1F && !!self.on",
        "{'a': 1, 'b': 2,}.b == 2 && [1, 2,].size() == 2 && [,].size() == {,}.size()",
        "'''a 'quoted' text''' == \"\"\"b\"\"\" && 'tab\\t\\u00e9\\101' != ''",
    ];
    for rule in rules {
        let judged = judged(rule);
        assert_eq!((judged.problems, judged.unjudged), (Vec::new(), Vec::new()), "{rule}");
        assert!(judged.rule_cost.is_some(), "{rule}");
    }
}

#[test]
fn says_what_is_wrong_with_the_grammar() {
    let cases = [
        ("", "no problem"),
        ("self.min <", "the expression does not end after `<`"),
        ("self.min = 3", "`=` is not an operator: write `==`"),
        ("self.on and self.on", "`and` is not an operator: write `&&`"),
        ("self.on & self.on", "`&` is not an operator: write `&&`"),
        ("(self.on", "the expression does not end after `on`"),
        ("self.on)", "`)` cannot follow `on`"),
        (
            "self.in == 1",
            "`in` cannot follow `.`: in rules, a field `in` has the name `__in__`",
        ),
        ("self.name == 'a", "the string that begins with `'a` does not end"),
        (
            "self.name.matches('\\d')",
            "a string has the escape `\\d`, which has no meaning",
        ),
        ("namespace == 'x'", "`namespace` is reserved: it cannot be a name"),
        ("self.9lives == 1", "`.9` cannot follow `self`"),
        ("has(self)", "`has()` takes a field: `has(self.name)`"),
        ("has(self.name, 1)", "`has()` takes one field: `has(self.name)`"),
        ("self.tags.all(t)", "`all` has too few or too many arguments"),
        (
            "self.tags.all(1, true)",
            "`all` takes a name for each value, as in `list.all(x, …)`",
        ),
        ("self.tags.all(t, t, true)", "`all` has two variables with the name `t`"),
        (
            "99999999999999999999 == 1",
            "`99999999999999999999` is too large a number",
        ),
    ];
    for (rule, reason) in cases {
        let found = reasons(rule);
        assert_eq!(found.first().map_or("no problem", String::as_str), reason, "{rule}");
    }
}

#[test]
fn says_what_is_wrong_with_names_and_types() {
    let cases = [
        ("oldself.min > 1", "`oldself` is not declared: did you mean `oldSelf`?"),
        ("self.mni > 1", "`self` has no field `mni`: did you mean `min`?"),
        ("self.open.x == 1", "`self` has no field `open`"),
        ("self.raw.x == 1", "`self.raw` has no field `x`"),
        (
            "self.min.x == 1",
            "`self.min.x`: `self.min` is an integer, which has no fields",
        ),
        (
            "self.min.all(x, true)",
            "`self.min` is an integer, and macros such as `all` take lists and maps",
        ),
        ("regex(self.name)", "there is no function `regex`"),
        ("self.name.regex('a')", "there is no method `regex`"),
        (
            "size(self.tags) < '3'",
            "`<` does not take an integer (`size(self.tags)`) and a string (`'3'`)",
        ),
        (
            "self.min in self.tags",
            "`in` does not take an integer (`self.min`) and a list of strings (`self.tags`)",
        ),
        (
            "self.min == null",
            "`==` does not take an integer (`self.min`) and null (`null`)",
        ),
        (
            "self.one == self.other",
            "`==` does not take an object (`self.one`) and an object (`self.other`)",
        ),
        (
            "self.one['x'] == 1",
            "an object (`self.one`) has no index that is a string (`'x'`)",
        ),
        ("!self.min", "`!` does not take an integer (`self.min`)"),
        (
            "self.min && self.on",
            "`self.min` is an integer, and `&&` takes booleans",
        ),
        (
            "self.name.contains(1)",
            "a string (`self.name`) has no method `contains` that takes an integer (`1`)",
        ),
        ("size(self.min) > 1", "`size` does not take an integer (`self.min`)"),
        ("self.tags.all(t, t)", "`t` is a string, and `&&` takes booleans"),
        (
            "self.on ? 1 : 'a'",
            "`?:` takes a boolean and two values of one type, not a boolean (`self.on`), an integer (`1`) and a \
             string (`'a'`)",
        ),
        ("self.name", "a rule must be a boolean, not a string"),
        ("self.port", "a rule must be a boolean, not a value of any type"),
        ("Thing{a: 1} == 1", "there is no type `Thing`"),
    ];
    for (rule, reason) in cases {
        assert_eq!(reasons(rule).first().map(String::as_str), Some(reason), "{rule}");
    }
}

#[test]
fn says_what_is_wrong_with_literals() {
    let cases = [
        (
            "self.tags == [1, 'a']",
            "`[1, 'a']`: all values must have one type, not an integer and a string",
        ),
        (
            "duration('soon') > self.wait",
            "`duration('soon')`: `soon` is not a duration",
        ),
        (
            "timestamp('now') > self.since",
            "`timestamp('now')`: `now` is not a timestamp",
        ),
        ("int('x') == 1", "`int('x')`: `x` is not an integer"),
        (
            "'%d'.format(['a']) == ''",
            "`'%d'.format(['a'])`: `%d` does not take a string",
        ),
        (
            "'%s'.format([1, 2]) == ''",
            "`'%s'.format([1, 2])`: the format takes 1 values, not 2",
        ),
    ];
    for (rule, reason) in cases {
        let rule = rule.replace("self.tags == [1, 'a']", "size([1, 'a']) > 0");
        assert_eq!(reasons(&rule).first().map(String::as_str), Some(reason), "{rule}");
    }
    let pattern = reasons("self.name.matches('(?=x)')");
    assert!(
        pattern[0].starts_with("`self.name.matches('(?=x)')`: the pattern `(?=x)`"),
        "{pattern:?}"
    );
}

#[test]
fn leaves_open_what_it_does_not_know() {
    let cases = [
        ("self.tags.includes('a')", Unjudged::Newer("`includes`".to_owned())),
        ("self.`name` == ''", Unjudged::Newer("`name`".to_owned())),
        (
            "google.protobuf.Duration{} == self.wait",
            Unjudged::Type("google.protobuf.Duration".to_owned()),
        ),
    ];
    for (rule, unjudged) in cases {
        let judged = judged(rule);
        assert_eq!(
            (judged.problems, judged.unjudged),
            (Vec::new(), vec![unjudged]),
            "{rule}"
        );
        assert_eq!(judged.rule_cost, None, "{rule}");
    }
}

#[test]
fn reads_the_message_with_the_rule() {
    let with = |message, optional_old_self| {
        let rule = Rule {
            rule: "self.min > 3",
            message_expression: Some(message),
            optional_old_self,
        };
        judge(&schema(), false, Some(1), &rule)
    };
    let judged = with("'min is %d'.format([self.min])", None);
    assert_eq!((judged.problems, judged.message_cost.is_some()), (Vec::new(), true));
    let problem = &with("'min is ' + self.min", None).problems[0];
    assert_eq!(
        (problem.part, problem.class),
        (Part::MessageExpression, ProblemClass::MessageExpression)
    );
    assert_eq!(
        with("self.min", None).problems[0].reason,
        "a message must be a string, not an integer"
    );
    let problems = with("''", Some(true)).problems;
    assert_eq!((problems.len(), problems[0].part), (1, Part::OptionalOldSelf));
}

#[test]
fn old_self_can_be_optional() {
    let with = |rule| {
        let rule = Rule {
            rule,
            message_expression: None,
            optional_old_self: Some(true),
        };
        judge(&schema(), false, Some(1), &rule)
    };
    let judged = with("oldSelf.hasValue() && self.min > oldSelf.min.orValue(0)");
    assert_eq!((judged.problems, judged.uses_old_self), (Vec::new(), true));
    assert_eq!(with("self.min > oldSelf.min").problems.len(), 1);
}

#[test]
fn objects_have_names() {
    let rule = Rule {
        rule: "self.metadata.name == self.kind && self.metadata.generateName != self.apiVersion",
        message_expression: None,
        optional_old_self: None,
    };
    assert_eq!(judge(&json!({"type": "object"}), true, Some(1), &rule).problems, []);
    assert_eq!(
        judge(&json!({"type": "object"}), false, Some(1), &rule).problems.len(),
        3
    );
}

#[test]
fn needs_a_type() {
    let rule = Rule {
        rule: "true",
        message_expression: None,
        optional_old_self: None,
    };
    let schema = json!({"x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(judge(&schema, false, Some(1), &rule).problems.len(), 1);
}

/// The size of a result that is not declared is not known, so that a server takes it for the largest.
#[test]
fn results_have_no_size() {
    let problem = &judged("'a' + string(self.min) != ''").problems[0];
    assert_eq!(problem.class, ProblemClass::Cost);
    assert!(
        problem.reason.ends_with("the size of a part has no bound"),
        "{problem:?}"
    );
}

/// Costs by hand from the rules of the estimate: a name and a field 1 each, a call 1, a character a tenth.
#[test]
fn estimates_costs() {
    let cases = [
        ("true", 0),
        ("self.min > 3", 3),
        ("has(self.min)", 1),
        ("self.on ? self.on : self.min > 3", 5),
        ("self.tags.all(t, t == 'abc')", 2 + 1 + 5 * (2 + 3)),
        ("self.name.startsWith('abc')", 3),
        ("self.name.contains('abc')", 2 + 8),
        ("self.name.matches('abcdefgh')", 2 + 9 * 2),
        ("self.name == self.note", 4 + 8),
        ("'a' in self.tags", 2 + 5),
        ("self.kind == self.note", 4 + 1),
        ("[1, 2].sum() == 3", 10 + 2 + 1),
    ];
    for (rule, cost) in cases {
        assert_eq!(judged(rule).rule_cost, Some(cost), "{rule}");
    }
}

#[test]
fn limits_costs() {
    let rule = "self.all.all(x, self.all.all(y, x == y))";
    let problem: &Problem = &judged(rule).problems[0];
    assert_eq!((problem.class, MOST_TOTAL_COST / MOST_COST), (ProblemClass::Cost, 10));
    assert_eq!(problem.reason, "costs more than 100 times the most that servers allow");
    let rule = Rule {
        rule: "self.min > 3",
        message_expression: None,
        optional_old_self: None,
    };
    let often = |cardinality| judge(&schema(), false, cardinality, &rule);
    assert_eq!(often(Some(1000)).rule_cost, Some(3000));
    assert_eq!(often(Some(4_000_000)).problems[0].class, ProblemClass::Cost);
    // As often as the smallest object, with a name, fits into a request.
    assert_eq!(often(None).rule_cost, Some(3 * (3 * 1024 * 1024 / 13)));
}

#[test]
fn bounds_what_it_reads() {
    let nested = |open: &str, inner: &str, close: &str| {
        let count = 5_000;
        format!("{}{inner}{}", open.repeat(count), close.repeat(count))
    };
    for rule in [
        nested("(", "true", ")"),
        nested("[", "1", "]"),
        nested("!(", "true", ")"),
        nested("self.tags.all(t, ", "true", ")"),
        nested("{1: ", "1", "}"),
        format!("self{}", ".one".repeat(20_000)),
        format!("1{}", " + 1".repeat(20_000)),
        format!("self.?one{}.hasValue()", ".optMap(x, x)".repeat(60)),
        format!("[1]{}.size() == 1", ".map(x, {x: x})".repeat(60)),
    ] {
        let judged = judged(&rule);
        let start: String = rule.chars().take(40).collect();
        assert_eq!(judged.problems, [], "{start}");
        assert!(
            matches!(judged.unjudged[..], [Unjudged::Deep | Unjudged::Large]),
            "{start}"
        );
    }
    let long = format!("true{}", " && true".repeat(12_000));
    assert_eq!(judged(&long).problems, []);
    let longer = format!("true{}", " && true".repeat(13_000));
    assert_eq!(judged(&longer).problems.len(), 1);
}

mod hostile {
    use proptest::prelude::*;

    use super::judged;

    /// Parts of expressions, in any order.
    const PARTS: [&str; 60] = [
        "self",
        "oldSelf",
        ".",
        ".?",
        "name",
        "tags",
        "parts",
        "labels",
        "min",
        "port",
        "x",
        "(",
        ")",
        "[",
        "]",
        "[?",
        "{",
        "}",
        ",",
        ":",
        "?",
        "!",
        "-",
        "+",
        "*",
        "/",
        "%",
        "<",
        ">=",
        "==",
        "!=",
        "in",
        "&&",
        "||",
        "1",
        "2u",
        "0x1f",
        "1.5",
        "'a'",
        "b'\\x01'",
        "r'\\'",
        "'''",
        "true",
        "null",
        " ",
        ".all(x,",
        ".map(x,",
        ".filter(x,",
        ".exists(x,",
        ".optMap(x,",
        ".sortBy(x,",
        ".transformMap(k,v,",
        "has(",
        "size(",
        "string(",
        ".format([",
        ".matches('",
        "dyn(",
        "optional.of(",
        "é",
    ];

    /// What closes all that a text opens.
    fn closing(text: &str) -> String {
        let closed = text.chars().rev().filter_map(|sign| match sign {
            '(' => Some(')'),
            '[' => Some(']'),
            '{' => Some('}'),
            _ => None,
        });
        closed.collect()
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,60}") {
            judged(&text);
        }

        #[test]
        fn no_order_of_parts_panics(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..25)) {
            judged(&parts.concat());
        }

        #[test]
        fn no_closed_expression_panics(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..12)) {
            let text = parts.concat();
            judged(&format!("self.tags.all(x, {text}x{})", closing(&text)));
        }
    }
}
