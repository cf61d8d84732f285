//! Rules in CEL (`x-kubernetes-validations`).

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::schema::change::{ChangeKind, Effect};
use crate::schema::node::Schema;

use super::{Comparison, Found, normal};

/// Keys that a rule's meaning does not depend on.
const WORDS: [&str; 4] = ["message", "messageExpression", "reason", "fieldPath"];

impl Comparison {
    pub(super) fn rules(&mut self, old: &Schema, new: &Schema) {
        let (before, after) = (by_meaning(&old.rules), by_meaning(&new.rules));
        for (meaning, (text, words)) in &before {
            match after.get(meaning) {
                None => {
                    let kind = if immutable(text) {
                        ChangeKind::ImmutableRemoved
                    } else {
                        ChangeKind::RuleRemoved
                    };
                    let found = Found::new(kind, Effect::Wider).of(text);
                    self.push(found.between(Some(Json::from(text.as_str())), None));
                }
                Some((_, others)) if words != others => {
                    let told = |words: &[Json]| words.first().cloned();
                    let found = Found::new(ChangeKind::RuleMessageChanged, Effect::Same).of(text);
                    self.push(found.between(told(words), told(others)));
                }
                Some(_) => {}
            }
        }
        for (_, (text, _)) in after.iter().filter(|(meaning, _)| !before.contains_key(*meaning)) {
            let kind = if immutable(text) {
                ChangeKind::ImmutableAdded
            } else {
                ChangeKind::RuleAdded
            };
            let found = Found::new(kind, Effect::Narrower).of(text);
            self.push(found.between(None, Some(Json::from(text.as_str()))));
        }
    }
}

/// The text of each rule and what is said when it is broken, by what it demands. The same rule may be there more
/// than once.
fn by_meaning(rules: &[Json]) -> BTreeMap<String, (String, Vec<Json>)> {
    let mut found: BTreeMap<String, (String, Vec<Json>)> = BTreeMap::new();
    for rule in rules {
        let mut demand = rule.clone();
        let mut words = Map::new();
        if let Some(keys) = demand.as_object_mut() {
            for key in WORDS {
                words.extend(keys.remove(key).map(|word| (key.to_owned(), word)));
            }
            if let Some(Json::String(text)) = keys.get_mut("rule") {
                *text = text.trim().to_owned();
            }
        }
        let text = demand.get("rule").and_then(Json::as_str);
        let text = text.map_or_else(|| demand.to_string(), str::to_owned);
        let (_, all) = found.entry(normal::word(&demand)).or_insert((text, Vec::new()));
        let words = Json::Object(words);
        if !all.contains(&words) {
            all.push(words);
        }
    }
    for (_, words) in found.values_mut() {
        words.sort_by_key(normal::word);
    }
    found
}

/// Whether a rule says that the value never changes.
fn immutable(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ["self==oldSelf", "oldSelf==self"].contains(&bare.as_str())
}
