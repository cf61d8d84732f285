//! What a schema demands of its values beside its own rules, in the words of rules: which fields are set, and what the
//! rules of its fields demand.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::cel::canonical::is_transition;
use crate::cel::implied::{Held, Read, follows, read};
use crate::cel::lexer::{Token, tokens};
use crate::schema::node::{Property, Schema};
use crate::schema::path::step;

use super::distinct::is_written_alike;
use super::{Comparison, MOST_COMBINATIONS, held};

/// Keys that do not affect what a rule requires.
pub(super) const WORDS: [&str; 4] = ["message", "messageExpression", "reason", "fieldPath"];

/// Alternatives that are written as a rule.
const MOST_ALTERNATIVES: usize = 6;

/// Levels of fields below an object that its rules are compared with.
const MOST_LEVELS: usize = 2;

/// A field that both sides have.
type Pair<'s> = (&'s str, [&'s Property; 2]);

/// Rules of one side, as written, that the other side has elsewhere.
pub(super) type Moved = BTreeSet<String>;

/// An object on both sides, and what its rules demand. These are read once, and only if a rule of a field changed.
struct Around<'s> {
    objects: [&'s Schema; 2],
    rules: [OnceCell<Held>; 2],
    /// The names of values that are integers on both sides.
    integers: OnceCell<BTreeSet<String>>,
}

impl Around<'_> {
    fn rules(&self, side: usize) -> &Held {
        self.rules[side].get_or_init(|| own_rules(self.objects[side]).filter_map(read).collect())
    }

    fn integers(&self) -> &BTreeSet<String> {
        let [old, new] = self.objects;
        self.integers
            .get_or_init(|| &held::integers(old) & &held::integers(new))
    }
}

impl Comparison {
    /// Finds the rules that only one side of a field has, if rules of an object around it on the other side demand the
    /// same: `self != 'x'` is `!has(self.a) || self.a != 'x'`, one level below. Returns the paths of the fields.
    pub(super) fn find_moved(&mut self, objects: [&Schema; 2]) -> Vec<String> {
        let mut found = Vec::new();
        if objects.iter().any(|object| !object.rules.is_empty()) {
            let around = Around {
                objects,
                rules: Default::default(),
                integers: OnceCell::new(),
            };
            self.find_moved_below(objects, &around, &mut Vec::new(), &mut found);
        }
        found
    }

    fn find_moved_below<'s>(
        &mut self,
        [old, new]: [&'s Schema; 2],
        around: &Around<'s>,
        way: &mut Vec<Pair<'s>>,
        found: &mut Vec<String>,
    ) {
        for (name, before) in &old.properties {
            let Some(after) = new.properties.get(name) else {
                continue;
            };
            way.push((name, [before, after]));
            let moved = [0, 1].map(|side| self.moved_rules(side, way, around));
            if moved.iter().any(|rules| !rules.is_empty()) {
                let path = way.iter().fold(self.path.clone(), |path, (name, _)| path + &step(name));
                let known = self.moved.entry(path.clone()).or_default();
                for (known, moved) in known.iter_mut().zip(moved) {
                    known.extend(moved);
                }
                found.push(path);
            }
            if way.len() < MOST_LEVELS {
                self.find_moved_below([&before.schema, &after.schema], around, way, found);
            }
            way.pop();
        }
    }

    /// The rules that one side of a field has, and the rules of an object around it on the other side.
    fn moved_rules(&mut self, side: usize, way: &[Pair<'_>], around: &Around<'_>) -> Moved {
        let Some((_, fields)) = way.last() else {
            return Moved::new();
        };
        let [field, other] = [&fields[side].schema, &fields[1 - side].schema];
        if field.rules.is_empty() || around.objects[1 - side].rules.is_empty() {
            return Moved::new();
        }
        let kept: BTreeSet<&str> = own_rules(other).collect();
        let mut own = own_rules(field).filter(|rule| !kept.contains(rule)).peekable();
        if own.peek().is_none() || self.steps.combinations >= MOST_COMBINATIONS {
            return Moved::new();
        }
        let way: Vec<(&str, &Property)> = way.iter().map(|(name, sides)| (*name, sides[side])).collect();
        let (demanded, integers) = (around.rules(1 - side), around.integers());
        let mut left = MOST_COMBINATIONS.saturating_sub(self.steps.combinations);
        let given = left;
        let moved = own.filter(|rule| {
            let rule = lifted(rule, &way).and_then(|rule| read(&rule));
            rule.is_some_and(|rule| follows(&rule, demanded, integers, &mut left))
        });
        let moved = moved.map(str::to_owned).collect();
        self.steps.combinations += given - left;
        moved
    }

    /// Whether the rules of the old schema demand what a combination of the new one does.
    pub(super) fn is_demanded_by_rules(&mut self, keyword: &str, old: &Schema, new: &Schema) -> bool {
        let Some(members) = new.logic.get(keyword).filter(|_| !old.rules.is_empty()) else {
            return false;
        };
        if !self.steps.read_rules(&[old]) {
            return false;
        }
        let Some(wanted) = by_presence(keyword, members, new).and_then(|rule| read(&rule)) else {
            return false;
        };
        let held: Held = own_rules(old).filter_map(read).chain(demands(old)).collect();
        let integers = &held::integers(old) & &held::integers(new);
        let mut left = MOST_COMBINATIONS.saturating_sub(self.steps.combinations);
        let given = left;
        let is_demanded = follows(&wanted, &held, &integers, &mut left);
        self.steps.combinations += given - left;
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
    let mut of_fields = Vec::new();
    demands_below(schema, &mut Vec::new(), &mut of_fields);
    let combined = schema.logic.iter();
    let combined = combined.filter_map(|(keyword, members)| read(&by_presence(keyword, members, schema)?));
    combined.chain(of_fields)
}

/// What the rules of fields demand. `way`: those that lead to the schema.
fn demands_below<'s>(schema: &'s Schema, way: &mut Vec<(&'s str, &'s Property)>, found: &mut Vec<Read>) {
    for (name, field) in &schema.properties {
        way.push((name, field));
        let rules = own_rules(&field.schema);
        found.extend(rules.filter_map(|rule| read(&lifted(rule, way)?)));
        if way.len() < MOST_LEVELS {
            demands_below(&field.schema, way, found);
        }
        way.pop();
    }
}

/// A rule of a field as one of an object around it, by the fields that lead there; `None` where they may differ.
fn lifted(rule: &str, way: &[(&str, &Property)]) -> Option<String> {
    let mut value = "self".to_owned();
    let mut lifted = String::new();
    for (name, field) in way {
        if field.schema.nullable || !is_written_alike(name) {
            return None;
        }
        value.extend([".", name]);
        lifted.extend(["!has(", &value, ") || "]);
    }
    lifted.push('(');
    let words = tokens(rule).ok()?;
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
        lifted.extend([rule.get(copied..span.start)?, &value]);
        copied = span.end;
    }
    lifted.extend([rule.get(copied..)?, ")"]);
    Some(lifted)
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
            .map(|at| json!({ "rule": format!("!has(self.f{at:03}) || self.f{at:03} != '{of_object}{at:03}'") }))
            .collect();
        let properties = (0..fields).map(|at| {
            let rules: Json = of_field
                .iter()
                .map(|of_field| json!({ "rule": format!("self != '{of_field}{at:03}'") }))
                .collect();
            let field = json!({ "type": "string", "x-kubernetes-validations": rules });
            (format!("f{at:03}"), field)
        });
        let properties: serde_json::Map<String, Json> = properties.collect();
        let schema = json!({ "type": "object", "properties": properties, "x-kubernetes-validations": rules });
        serde_json::from_value(schema).expect("it is a schema")
    }

    /// The changes, and the steps that finding them takes.
    fn compared(old: &Schema, new: &Schema) -> [usize; 2] {
        let mut comparison = Comparison::default();
        comparison.node(old, new);
        [comparison.changes.len(), comparison.steps.combinations]
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
        let lifted = |rule: &str| lifted(rule, &[("a", &field), ("b", &field)]);
        let expected = "!has(self.a) || !has(self.a.b) || (self.a.b == 'self' || self.a.b.size() > 1 // self\\n)";
        assert_eq!(
            lifted("self == 'self' || self.size() > 1 // self\\n").as_deref(),
            Some(expected)
        );
        assert_eq!(lifted("x.self == 1"), None);
    }
}
