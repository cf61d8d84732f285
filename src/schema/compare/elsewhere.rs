//! What a schema demands of its values beside its own rules, in the words of rules: which fields are set, and what the
//! rules of its fields demand.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::cel::canonical::is_transition;
use crate::cel::implied::{Read, follows, read};
use crate::cel::lexer::{Token, tokens};
use crate::schema::change::{Change, ChangeKind as Kind};
use crate::schema::node::{Property, Schema};
use crate::schema::path::step;

use super::distinct::is_written_alike;
use super::{Comparison, MOST_COMBINATIONS, held};

/// Keys that do not affect what a rule requires.
pub(super) const WORDS: [&str; 4] = ["message", "messageExpression", "reason", "fieldPath"];

/// Alternatives that are written as a rule.
const MOST_ALTERNATIVES: usize = 6;

impl Comparison {
    /// Leaves out what was added to the rules of a field, or removed from them, if rules of the object demand the same
    /// of the field: `self != 'x'` is `!has(self.a) || self.a != 'x'`, one level below. The changes of the field are
    /// those from a position on.
    pub(super) fn leave_out_moved(&mut self, first: usize, name: &str, [old, new]: [&Schema; 2]) {
        if self.changes.len() == first || old.rules.is_empty() && new.rules.is_empty() {
            return;
        }
        let path = self.path.clone() + &step(name);
        let sides = [(old, new, Kind::RuleRemoved), (new, old, Kind::RuleAdded)];
        for (own, other, kind) in sides {
            let field = own.properties.get(name);
            let mut left = MOST_COMBINATIONS.saturating_sub(self.combinations);
            let some = self
                .changes
                .iter()
                .skip(first)
                .any(|change| is_one(change, kind, &path));
            let (Some(field), true) = (field, some && left > 0) else {
                continue;
            };
            // For each field, all is read again: no steps are left where they do not suffice.
            left = left.saturating_sub(bytes(other) + old.properties.len() + new.properties.len());
            if left == 0 {
                self.combinations = MOST_COMBINATIONS;
                return;
            }
            let integers = &held::integers(old) & &held::integers(new);
            let demanded: Vec<Read> = own_rules(other).filter_map(read).collect();
            let demanded: Vec<&Read> = demanded.iter().collect();
            let plain: BTreeSet<&str> = own_rules(&field.schema).collect();
            let last = self.changes.split_off(first).into_iter();
            let kept = last.filter(|change| {
                let rule = change
                    .subject
                    .as_deref()
                    .filter(|rule| is_one(change, kind, &path) && plain.contains(rule));
                let rule = rule.and_then(|rule| read(&lifted(rule, name, field)?));
                !rule.is_some_and(|rule| follows(&rule, &demanded, &integers, &mut left))
            });
            self.changes.extend(kept);
            self.combinations = MOST_COMBINATIONS - left;
        }
    }
}

fn is_one(change: &Change, kind: Kind, path: &str) -> bool {
    change.kind == kind && change.path == path
}

/// The bytes of all rules, which is what reading them costs.
fn bytes(schema: &Schema) -> usize {
    let rules = schema.rules.iter().filter_map(|rule| rule.get("rule")?.as_str());
    rules.map(str::len).sum()
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
    let own = words
        .iter()
        .enumerate()
        .filter(|(_, (word, _))| *word == Token::Name("self".to_owned()));
    let mut lifted = rule.to_owned();
    for (at, (_, span)) in own.collect::<Vec<_>>().into_iter().rev() {
        // A field of another value may have this name, too.
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        if before.is_some_and(|(word, _)| *word == Token::Sign(".")) {
            return None;
        }
        lifted.insert_str(span.end, &format!(".{name}"));
    }
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
