//! `allOf`, `anyOf`, `oneOf`, `not`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::node::Schema;

use super::folded::Folding;
use super::listed::{combined, kept_values};
use super::presence::{self, Presence};
use super::{Comparison, met, normal};

const KEYWORDS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

/// Members of a keyword, each with its count.
type Members = BTreeMap<String, usize>;

impl Comparison {
    pub(super) fn logic(&mut self, old: &Schema, new: &Schema) {
        if old.logic.is_empty() && new.logic.is_empty() {
            return;
        }
        let folding = Folding::of([old, new]);
        let mut before = KEYWORDS.map(|keyword| members(old, keyword, &folding));
        let mut after = KEYWORDS.map(|keyword| members(new, keyword, &folding));
        let by_fields = if before == after {
            None
        } else {
            self.by_fields(old, new)
        };
        if matches!(by_fields, Some(Presence::Same | Presence::Wider)) {
            return;
        }
        if before != after {
            // What both always demand of a field decides nothing between alternatives.
            let [was, is] = [old, new].map(|schema| KEYWORDS.map(|keyword| left_of(schema, keyword, new, &folding)));
            if was == is {
                return;
            }
        }
        single_is_all(&mut before, &mut after);
        self.one_or_any(&mut before, &mut after);
        for ((keyword, before), after) in KEYWORDS.into_iter().zip(&before).zip(&after) {
            self.refer(keyword, old, new);
            let (removed, added) = (only(before, after), only(after, before));
            let judged = match (removed.is_empty(), added.is_empty()) {
                (true, true) => None,
                _ if before.is_empty() => self.combined(keyword, old, new),
                _ if after.is_empty() => Some((Kind::CombinationLoosened, Effect::Wider)),
                (true, _) | (_, true) if keyword == "oneOf" => Some(self.alternatives([old, new], by_fields)),
                _ => Some(judged(self.between_members(keyword, old, new))),
            };
            let judged = judged.map(|judged| self.of_listed(judged, keyword, [old, new]));
            if let Some((kind, effect)) = judged {
                self.add(kind, effect, Some(keyword), [joined(&removed), joined(&added)]);
            }
        }
    }

    /// Compares combinations that only ask which fields are set. Reports them if they reject no object of before.
    fn by_fields(&mut self, old: &Schema, new: &Schema) -> Option<Presence> {
        let keeps_unlisted = self.kept_unknown[0];
        let compared = presence::compared(old, new, keeps_unlisted, self.of_every_object());
        if compared == Some(Presence::Wider) {
            let values = [old, new].map(written);
            self.add(
                Kind::CombinationLoosened,
                Effect::Wider,
                Some("which fields are set"),
                values,
            );
        }
        compared
    }

    /// What a keyword that the old schema does not have does; `None` if the rules of that one demand the same.
    fn combined(&mut self, keyword: &str, old: &Schema, new: &Schema) -> Option<(Kind, Effect)> {
        if self.is_demanded_by_rules(keyword, old, new) {
            return None;
        }
        // It may demand what a rule demanded.
        let is_restated = self.rules_gone || old.rules.iter().any(|rule| !new.rules.contains(rule));
        Some(if is_restated {
            (Kind::CombinationChanged, Effect::Unclear)
        } else {
            (Kind::CombinationTightened, Effect::Narrower)
        })
    }

    /// The same where the old schema lists its values: a keyword that all of them meet rejects none.
    fn of_listed(&mut self, judged: (Kind, Effect), keyword: &str, [old, new]: [&Schema; 2]) -> (Kind, Effect) {
        let members = new.logic.get(keyword).map(Vec::as_slice).unwrap_or_default();
        let folding = Folding::of([old, new]);
        let [old, new] = [old, new].map(|schema| folding.folded(schema));
        let Some(values) = kept_values(&old, &new).filter(|_| judged.1 > Effect::Wider) else {
            return judged;
        };
        let steps = &mut self.steps;
        let are_met = steps.count(|left| {
            let mut values = values.iter();
            values.all(|value| combined(keyword, members, value, left) == Some(true))
        });
        if are_met {
            (Kind::Restated, Effect::Same)
        } else {
            judged
        }
    }

    /// Reports `oneOf` in place of `anyOf`, or the reverse, as one change.
    fn one_or_any(&mut self, before: &mut [Members; 4], after: &mut [Members; 4]) {
        let ([_, any_before, one_before, _], [_, any_after, one_after, _]) = (before, after);
        let empty = [&*any_before, &*one_before, &*any_after, &*one_after].map(Members::is_empty);
        // A value that matches one of some members matches any of these and more.
        let (was, is, kind, effect) = match empty {
            [true, false, false, true] => (one_before, any_after, Kind::CombinationLoosened, Effect::Wider),
            [false, true, true, false] => (any_before, one_after, Kind::CombinationTightened, Effect::Narrower),
            _ => return,
        };
        let (less, more) = if effect == Effect::Wider {
            (&was, &is)
        } else {
            (&is, &was)
        };
        let (kind, effect) = if less.keys().all(|member| more.contains_key(member)) {
            (kind, effect)
        } else {
            (Kind::CombinationChanged, Effect::Unclear)
        };
        let values = [was, is].map(|members| {
            let members = std::mem::take(members);
            joined(&members.keys().map(String::as_str).collect::<Vec<_>>())
        });
        self.add(kind, effect, Some("anyOf and oneOf"), values);
    }
}

/// All combinations: `oneOf {"required":["a"]}, {"required":["b"]}`.
fn written(schema: &Schema) -> Option<Json> {
    let keywords = schema.logic.iter().map(|(keyword, members)| {
        let members: Vec<String> = members.iter().map(normal::schema).collect();
        format!("{keyword} {}", members.join(", "))
    });
    let all: Vec<String> = keywords.collect();
    (!all.is_empty()).then(|| Json::from(all.join("; ")))
}

fn joined(words: &[&str]) -> Option<Json> {
    (!words.is_empty()).then(|| Json::from(words.join(", ")))
}

/// `oneOf` and `anyOf` with a single member equal `allOf`, and are treated as such.
fn single_is_all(before: &mut [Members; 4], after: &mut [Members; 4]) {
    if let (Some(was), Some(is)) = (together(before), together(after))
        && was == is
    {
        for [all, any, one, _] in [before, after] {
            [all, any, one].into_iter().for_each(Members::clear);
        }
    }
}

/// The members of the first three keywords, if the last two of them have no more than one.
fn together([all, any, one, _]: &[Members; 4]) -> Option<BTreeSet<String>> {
    let singles = [any, one].iter().all(|members| members.values().sum::<usize>() <= 1);
    singles.then(|| [all, any, one].into_iter().flat_map(Members::keys).cloned().collect())
}

fn members(schema: &Schema, keyword: &str, folding: &Folding) -> Members {
    let mut members = Members::new();
    // The keywords of others are compared as those of the schema.
    for member in folding.left(schema, keyword) {
        *members.entry(normal::schema(&member)).or_default() += 1;
    }
    let implied = keyword == "anyOf" && schema.says("x-kubernetes-int-or-string");
    let alternatives = [r#"{"type":"integer"}"#, r#"{"type":"string"}"#];
    if implied && members.keys().map(String::as_str).eq(alternatives) {
        // What the other keyword already requires.
        members.clear();
    }
    // A schema without requirements has no effect in `allOf`, and makes `anyOf` accept everything.
    let neutral = "{}";
    match keyword {
        "allOf" => drop(members.remove(neutral)),
        "anyOf" if members.contains_key(neutral) => members.clear(),
        "oneOf" if members.len() == 1 && members.get(neutral) == Some(&1) => members.clear(),
        _ => {}
    }
    if keyword != "oneOf" {
        // A repeated member has no effect.
        for count in members.values_mut() {
            *count = 1;
        }
    }
    members
}

/// The members of a keyword, without what the new schema demands of its fields in any case.
fn left_of(schema: &Schema, keyword: &'static str, new: &Schema, folding: &Folding) -> Members {
    let given = schema.logic.get(keyword).into_iter().flatten();
    let left = given.map(|member| met::without_met(member, new)).collect();
    let bare = Schema {
        flags: schema.flags.clone(),
        logic: BTreeMap::from([(keyword, left)]),
        ..Schema::default()
    };
    members(&bare, keyword, folding)
}

fn only<'m>(these: &'m Members, those: &Members) -> Vec<&'m str> {
    let only = these.iter().filter(|(word, count)| those.get(*word) != Some(count));
    only.map(|(word, _)| word.as_str()).collect()
}

fn judged(effect: Effect) -> (Kind, Effect) {
    let kind = match effect {
        Effect::Same => Kind::Restated,
        Effect::Wider => Kind::CombinationLoosened,
        Effect::Narrower => Kind::CombinationTightened,
        Effect::Unclear => Kind::CombinationChanged,
    };
    (kind, effect)
}
