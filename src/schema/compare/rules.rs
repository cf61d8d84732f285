//! CEL rules (`x-kubernetes-validations`).

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::node::Schema;

use super::{Comparison, cel, normal};

/// Keys that do not affect what a rule requires.
const WORDS: [&str; 4] = ["message", "messageExpression", "reason", "fieldPath"];

/// The similarity, from 0 to 1, from which two rules count as one that changed.
const LIKENESS: f64 = 0.7;

/// A rule.
#[derive(Debug, Clone)]
struct Rule {
    /// The expression as written.
    text: String,
    /// Everything that it requires, as JSON.
    demand: String,
    /// Its messages. The same rule may be repeated.
    words: Vec<Json>,
}

type Rules = BTreeMap<String, Rule>;

impl Comparison {
    pub(super) fn rules(&mut self, old: &Schema, new: &Schema) {
        let (mut before, mut after) = (by_meaning(&old.rules), by_meaning(&new.rules));
        let kept: Vec<String> = before
            .keys()
            .filter(|rule| after.contains_key(*rule))
            .cloned()
            .collect();
        for meaning in kept {
            if let (Some(was), Some(is)) = (before.remove(&meaning), after.remove(&meaning))
                && was.words != is.words
            {
                let values = [&was, &is].map(|rule| rule.words.first().cloned());
                self.add(Kind::RuleMessageChanged, Effect::Same, Some(&is.text), values);
            }
        }
        for (was, is) in changed(&mut before, &mut after) {
            // If the expressions are equal, another key of the rule changed.
            let (before, after) = if was.text == is.text {
                (was.demand, is.demand)
            } else {
                (was.text, is.text)
            };
            self.between(Kind::RuleChanged, Effect::Unclear, [Some(before), Some(after)]);
        }
        for rule in before.into_values() {
            let kind = if is_immutable(&rule.text) {
                Kind::ImmutableRemoved
            } else {
                Kind::RuleRemoved
            };
            self.add(kind, Effect::Wider, Some(&rule.text), [Some(rule.text.as_str()), None]);
        }
        for rule in after.into_values() {
            let (kind, effect) = match (is_immutable(&rule.text), cel::is_transition(&rule.text)) {
                (true, _) => (Kind::ImmutableAdded, Effect::Narrower),
                // A transition rule does not affect which single values are valid.
                (false, true) => (Kind::RuleAdded, Effect::Same),
                (false, false) => (Kind::RuleAdded, Effect::Narrower),
            };
            self.add(kind, effect, Some(&rule.text), [None, Some(rule.text.as_str())]);
        }
    }
}

/// Takes out pairs of rules that are one changed rule: those with the same message, or else the only two that differ,
/// if their expressions are similar.
fn changed(old: &mut Rules, new: &mut Rules) -> Vec<(Rule, Rule)> {
    let (spoken, others) = (by_words(old), by_words(new));
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (words, meanings) in spoken {
        if let ([was], Some([is])) = (meanings.as_slice(), others.get(&words).map(Vec::as_slice)) {
            pairs.push((was.clone(), is.clone()));
        }
    }
    if let (true, 1, 1) = (pairs.is_empty(), old.len(), new.len())
        && let (Some((meaning, was)), Some((other, is))) = (old.first_key_value(), new.first_key_value())
        && is_immutable(&was.text) == is_immutable(&is.text)
        && strsim::sorensen_dice(&was.text, &is.text) >= LIKENESS
    {
        pairs.push((meaning.clone(), other.clone()));
    }
    let pairs = pairs.into_iter();
    pairs
        .filter_map(|(was, is)| Some((old.remove(&was)?, new.remove(&is)?)))
        .collect()
}

/// The rules with a message, by their messages.
fn by_words(rules: &Rules) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (meaning, rule) in rules {
        if rule.words.iter().any(|words| words.get("message").is_some()) {
            let words = normal::word(&Json::Array(rule.words.clone()));
            found.entry(words).or_default().push(meaning.clone());
        }
    }
    found
}

fn by_meaning(rules: &[Json]) -> Rules {
    let mut found: Rules = BTreeMap::new();
    for rule in rules {
        let mut demand = rule.clone();
        let mut words = Map::new();
        if let Some(keys) = demand.as_object_mut() {
            for key in WORDS {
                words.extend(keys.remove(key).map(|word| (key.to_owned(), word)));
            }
        }
        let text = demand.get("rule").and_then(Json::as_str);
        let text = text.map_or_else(|| demand.to_string(), |text| text.trim().to_owned());
        if let Some(Json::String(rule)) = demand.get_mut("rule") {
            *rule = cel::bare(rule);
        }
        let meaning = normal::word(&demand);
        let known = found.entry(meaning.clone()).or_insert(Rule {
            text,
            demand: meaning,
            words: Vec::new(),
        });
        let words = Json::Object(words);
        if !known.words.contains(&words) {
            known.words.push(words);
        }
    }
    for rule in found.values_mut() {
        rule.words.sort_by_key(normal::word);
    }
    found
}

/// Whether a rule makes the value immutable.
fn is_immutable(text: &str) -> bool {
    ["self==oldSelf", "oldSelf==self"].contains(&cel::bare(text).as_str())
}
