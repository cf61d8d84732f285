//! What a schema demands of its values beside its own rules, in the words of rules: which fields are set, and what the
//! rules of its fields demand.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::cel::canonical::is_transition;
use crate::cel::implied::{Held, Read, follows, read};
use crate::cel::lexer::{Token, tokens};
use crate::schema::node::{Property, Schema};

use super::distinct::is_written_alike;
use super::{Comparison, MOST_COMBINATIONS, held};

/// Keys that do not affect what a rule requires.
pub(super) const WORDS: [&str; 4] = ["message", "messageExpression", "reason", "fieldPath"];

/// Alternatives that are written as a rule.
const MOST_ALTERNATIVES: usize = 6;

/// What the rules of an object demand of its fields, in the old schema and in the new one. Each is read once, and only
/// if a rule of a field changed.
#[derive(Default)]
pub(super) struct Around {
    rules: [OnceCell<Held>; 2],
    /// The names of values that are integers on both sides.
    integers: OnceCell<BTreeSet<String>>,
}

/// Rules of one side, as written, that the other side has elsewhere.
pub(super) type Moved = BTreeSet<String>;

impl Comparison {
    /// The rules that only one side of a field has, the old one and the new one, if rules of the object on the other
    /// side demand the same of the field: `self != 'x'` is `!has(self.a) || self.a != 'x'`, one level below.
    pub(super) fn moved_rules(
        &mut self,
        name: &str,
        [(old, before), (new, after)]: [(&Schema, &Property); 2],
        around: &Around,
    ) -> [Moved; 2] {
        let [of_old, of_new] = &around.rules;
        let sides = [(before, after, new, of_new), (after, before, old, of_old)];
        sides.map(|(field, other, object, rules)| {
            if field.schema.rules.is_empty() || object.rules.is_empty() {
                return Moved::new();
            }
            let kept: BTreeSet<&str> = own_rules(&other.schema).collect();
            let mut own = own_rules(&field.schema).filter(|rule| !kept.contains(rule)).peekable();
            if own.peek().is_none() {
                return Moved::new();
            }
            let demanded = rules.get_or_init(|| own_rules(object).filter_map(read).collect());
            let integers = around
                .integers
                .get_or_init(|| &held::integers(old) & &held::integers(new));
            let mut left = MOST_COMBINATIONS.saturating_sub(self.combinations);
            let given = left;
            let moved = own.filter(|rule| {
                let rule = lifted(rule, name, field).and_then(|rule| read(&rule));
                rule.is_some_and(|rule| follows(&rule, demanded, integers, &mut left))
            });
            let moved = moved.map(str::to_owned).collect();
            self.combinations += given - left;
            moved
        })
    }

    /// Whether the rules of the old schema demand what a combination of the new one does.
    pub(super) fn is_demanded_by_rules(&mut self, keyword: &str, old: &Schema, new: &Schema) -> bool {
        let Some(members) = new.logic.get(keyword).filter(|_| !old.rules.is_empty()) else {
            return false;
        };
        let Some(wanted) = by_presence(keyword, members, new).and_then(|rule| read(&rule)) else {
            return false;
        };
        let held: Held = own_rules(old).filter_map(read).chain(demands(old)).collect();
        let integers = &held::integers(old) & &held::integers(new);
        let mut left = MOST_COMBINATIONS.saturating_sub(self.combinations);
        let given = left;
        let is_demanded = follows(&wanted, &held, &integers, &mut left);
        self.combinations += given - left;
        is_demanded
    }
}

/// The rules that demand something of every value, without other keys than messages.
fn own_rules(schema: &Schema) -> impl Iterator<Item = &str> {
    let rules = schema.rules.iter().filter_map(Json::as_object);
    let plain = rules.filter(|keys| keys.keys().all(|key| key == "rule" || WORDS.contains(&key.as_str())));
    let texts = plain.filter_map(|keys| keys.get("rule")?.as_str());
    texts.map(str::trim).filter(|rule| !is_transition(rule))
}

/// What a schema demands beside its rules and its type.
pub(super) fn demands(schema: &Schema) -> impl Iterator<Item = Read> {
    let fields = schema.properties.iter();
    let of_fields = fields.flat_map(|(name, field)| {
        let rules = own_rules(&field.schema);
        rules.filter_map(|rule| read(&lifted(rule, name, field)?))
    });
    let combined = schema.logic.iter();
    let combined = combined.filter_map(|(keyword, members)| read(&by_presence(keyword, members, schema)?));
    combined.chain(of_fields)
}

/// A rule of a field as one of the object; `None` where they may differ.
fn lifted(rule: &str, name: &str, field: &Property) -> Option<String> {
    if field.schema.nullable || !is_written_alike(name) {
        return None;
    }
    let words = tokens(rule).ok()?;
    let mut lifted = String::with_capacity(rule.len());
    let mut copied = 0;
    for (at, (word, span)) in words.iter().enumerate() {
        if !matches!(word, Token::Name(name) if name == "self") {
            continue;
        }
        // A field of another value may have this name, too.
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        if before.is_some_and(|(word, _)| *word == Token::Sign(".")) {
            return None;
        }
        lifted.extend([rule.get(copied..span.end)?, ".", name]);
        copied = span.end;
    }
    lifted.push_str(rule.get(copied..)?);
    Some(format!("!has(self.{name}) || ({lifted})"))
}

/// A combination of nothing but required fields as a rule: that of `oneOf`, for example.
fn by_presence(keyword: &str, members: &[Schema], of: &Schema) -> Option<String> {
    if of.kind.as_deref() != Some("object") || members.len() > MOST_ALTERNATIVES {
        return None;
    }
    let sets: Vec<String> = members
        .iter()
        .map(|member| presence(member, of))
        .collect::<Option<_>>()?;
    Some(match keyword {
        "allOf" => sets.join(" && "),
        "anyOf" => sets.join(" || "),
        "not" => format!("!{}", sets.first()?),
        _ => {
            let only = (0..sets.len()).map(|met| {
                let all = sets.iter().enumerate();
                let all = all.map(|(at, set)| if at == met { set.clone() } else { format!("!{set}") });
                format!("({})", all.collect::<Vec<_>>().join(" && "))
            });
            only.collect::<Vec<_>>().join(" || ")
        }
    })
}

/// That all fields are set which an alternative requires, if it demands nothing else.
fn presence(member: &Schema, of: &Schema) -> Option<String> {
    let required_alone = Schema {
        required: member.required.clone(),
        description: member.description.clone(),
        ..Schema::default()
    };
    let known = member.required.iter().all(|name| {
        let field = of.properties.get(name);
        field.is_some_and(|field| !field.schema.nullable) && is_written_alike(name)
    });
    if *member != required_alone || member.required.is_empty() || !known {
        return None;
    }
    let set: Vec<String> = member.required.iter().map(|name| format!("has(self.{name})")).collect();
    Some(format!("({})", set.join(" && ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// An object with a rule about each field. Its fields have rules, too, if they are given.
    fn object(fields: usize, of_object: &str, of_field: Option<&str>) -> Schema {
        let rules: Vec<Json> = (0..fields)
            .map(|at| json!({ "rule": format!("!has(self.f{at}) || self.f{at} != '{of_object}{at}'") }))
            .collect();
        let properties = (0..fields).map(|at| {
            let rules: Json = of_field
                .iter()
                .map(|of_field| json!({ "rule": format!("self != '{of_field}{at}'") }))
                .collect();
            let field = json!({ "type": "string", "x-kubernetes-validations": rules });
            (format!("f{at}"), field)
        });
        let properties: serde_json::Map<String, Json> = properties.collect();
        let schema = json!({ "type": "object", "properties": properties, "x-kubernetes-validations": rules });
        serde_json::from_value(schema).expect("it is a schema")
    }

    /// The changes, and the steps that finding them takes.
    fn compared(old: &Schema, new: &Schema) -> [usize; 2] {
        let mut comparison = Comparison::default();
        comparison.node(old, new);
        [comparison.changes.len(), comparison.combinations]
    }

    #[test]
    fn rules_of_many_fields_are_compared_in_steps_that_grow_with_them() {
        let steps = |fields| {
            let old = object(fields, "a", None);
            let moved = compared(&old, &object(fields, "b", Some("a")));
            let others = compared(&old, &object(fields, "b", Some("c")));
            assert_eq!([moved[0], others[0]], [fields, 3 * fields]);
            [moved[1], others[1]]
        };
        let (few, many) = (steps(60), steps(120));
        assert!(
            many[0] <= 2 * few[0] && many[1] <= 2 * few[1],
            "{few:?} to {many:?} steps"
        );
    }

    #[test]
    fn a_rule_of_a_field_is_written_as_one_of_its_object() {
        let field = Property::default();
        let lifted = |rule: &str| lifted(rule, "a", &field);
        let expected = "!has(self.a) || (self.a == 'self' || self.a.size() > 1 // self\\n)";
        assert_eq!(
            lifted("self == 'self' || self.size() > 1 // self\\n").as_deref(),
            Some(expected)
        );
        assert_eq!(lifted("x.self == 1"), None);
    }
}
