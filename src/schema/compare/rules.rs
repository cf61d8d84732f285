//! CEL rules (`x-kubernetes-validations`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value as Json;

use crate::cel::canonical::{is_immutable, is_transition};
use crate::cel::clause::Clause;
use crate::cel::implied::{About, Held, follows};
use crate::cel::known::{Known, always_holds};
use crate::cel::reads::{Reads, Step};
use crate::cel::unchanged::is_implied_by_no_change;
use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::node::Schema;

use super::elsewhere::{self, Around, Below};
use super::facts::Search;
use super::folded::Folding;
use super::meaning::{Rule, Rules, by_meaning};
use super::naming::Words;
use super::readings::Readings;
use super::{Comparison, Steps, distinct, held, normal};

/// The similarity, from 0 to 1, from which two rules count as one that changed.
const LIKENESS: f64 = 0.7;

/// Rules of before that are not compared with those that were added.
#[derive(Debug, Default)]
struct Unread {
    /// Whether there may be some about anything.
    is_any: bool,
    /// The fields with such rules.
    below: BTreeSet<String>,
    /// What others in fields read.
    reads: Vec<(Vec<Step>, Reads)>,
    /// The meanings of those that were added, and that some may demand.
    undecided: BTreeSet<String>,
}

impl Unread {
    /// Adds a rule of a schema that is not read.
    fn add(&mut self, rule: &Rule, schema: &Schema) {
        let words = Words::of([rule.text.as_str()]);
        let mut named = schema.properties.keys().filter(|name| words.may_name(name)).peekable();
        // Without fields, it may be about the whole value.
        self.is_any |= named.peek().is_none();
        self.below.extend(named.cloned());
    }

    /// Whether one of them may demand the same as a rule.
    fn may_demand(&self, rule: &Rule) -> bool {
        self.is_any
            || self.undecided.contains(&rule.meaning)
            || Words::of([rule.text.as_str()]).may_name_any(&self.below)
            || !self.reads.is_empty() && self.may_meet(Reads::of(&rule.text).as_ref())
    }

    fn may_meet(&self, reads: Option<&Reads>) -> bool {
        reads.is_none_or(|reads| self.reads.iter().any(|(path, others)| reads.meet(others, path)))
    }
}

impl Comparison {
    /// Whether the rules of a list demand that its items are distinct, as the type of another one does.
    pub(super) fn are_distinct_by_rules(&mut self, list: &Schema, other: &Schema) -> bool {
        if !self.steps.read_rules(&[list]) {
            return false;
        }
        let rules = by_meaning(list, true);
        let readings = Rc::clone(&self.readings);
        let held = Demands::of(list, &rules, Below::default(), &readings).held;
        let mut wanted = distinct::by_type(other).into_iter();
        let integers = BTreeSet::new();
        let about = About::with_integers(&integers);
        let steps = &mut self.steps;
        steps.count(|left| wanted.any(|wanted| follows(&wanted, &held, &about, left) == Some(true)))
    }

    /// `around`: what is known from the rules of objects around the value.
    pub(super) fn rules(&mut self, [old, new]: [&Schema; 2], around: &Around) {
        if old.rules == new.rules {
            return;
        }
        let are_read = self.steps.read_rules(&[old, new]);
        let [mut before, mut after] = [old, new].map(|schema| by_meaning(schema, are_read));
        let all = [&before, &after].map(Clone::clone);
        let same = self.same_rules(&mut before, &mut after);
        if !are_read {
            self.rules_gone |= !before.is_empty();
            self.removed_rules(before);
            return self.added_rules(after, true, &Unread::default());
        }
        for (rules, moved) in [&mut before, &mut after].into_iter().zip(&around.moved) {
            rules.retain(|_, rule| !(rule.is_plain() && moved.contains(&rule.text)));
        }
        let integers: BTreeSet<String> = &held::integers(old) & &held::integers(new);
        let asked = [&before, &after].into_iter().flat_map(BTreeMap::values);
        let asked: Vec<String> = asked.map(|rule| rule.text.clone()).collect();
        let [about_old, about_new] = [(0, [old, new]), (1, [new, old])].map(|(side, sides)| About {
            integers: &integers,
            value: self.known(side, sides, &asked),
        });
        let redefaulted = held::redefaulted(old, new, &asked);
        // A rule that moves to a field is not the old state of another one.
        if !before.is_empty() && !after.is_empty() {
            for (rules, other, about) in [(&mut before, new, &about_new), (&mut after, old, &about_old)] {
                let demands = Demands::beside(rules, (other, &same), &self.readings, &mut self.steps);
                if !demands.held.is_empty() {
                    let moved = following((rules, &redefaulted), demands, about, (&self.readings, &mut self.steps)).0;
                    rules.retain(|meaning, _| !moved.contains(meaning));
                }
            }
        }
        let [mut held_before, held_after] = [(old, &all[0]), (new, &all[1])].map(held_by);
        if !self.kept_unknown[0] {
            held_before.extend(held::absences(old, new, self.of_every_object()));
        }
        // What other rules or keywords demand too is neither added nor removed.
        let (mut kept, mut relaxed) = (implied(&before, &held_after), implied(&after, &held_before));
        let steps = &mut self.steps;
        let [by_new, by_old] = [(&before, new, &all[1]), (&after, old, &all[0])]
            .map(|(rules, schema, by)| Demands::beside(rules, (schema, by), &self.readings, steps));
        kept.extend(following((&before, &redefaulted), by_new, &about_new, (&self.readings, steps)).0);
        let (followed, mut unread) = following((&after, &redefaulted), by_old, &about_old, (&self.readings, steps));
        unread.is_any |= around.is_unknown || steps.left() == 0;
        relaxed.extend(followed);
        relaxed.extend(always_held(&after, &about_old.value, &mut self.steps));
        relaxed.extend(weaker_than_no_change(&after, &held_before, &about_old.value));
        self.changed_rules([&mut before, &mut after], [&kept, &relaxed], &unread);
        before.retain(|meaning, _| !kept.contains(meaning));
        after.retain(|meaning, _| !relaxed.contains(meaning));
        self.rules_gone |= !before.is_empty();
        let idle = always_held(&before, &about_new.value, &mut self.steps);
        before.retain(|meaning, _| !idle.contains(meaning));
        let is_restated = self.rules_gone || is_loosened(old, new);
        self.removed_rules(before);
        self.added_rules(after, is_restated, &unread);
    }

    /// What is known of the values of the first schema, by the rules that name them; nothing if its side kept fields
    /// that are not listed. `side`: that of the first schema.
    fn known(&mut self, side: usize, [of, by]: [&Schema; 2], rules: &[String]) -> Known {
        if self.kept_unknown[side] {
            return Known::Any;
        }
        let always = self.of_every_object();
        let texts = rules.iter().map(String::as_str);
        let steps = &mut self.steps;
        steps.count(|left| Search::new(texts, left).known(of, by, always))
    }

    /// Takes out the rules that changed. `kept` and `relaxed`: those of either side that the other one demands.
    fn changed_rules(
        &mut self,
        [before, after]: [&mut Rules; 2],
        [kept, relaxed]: [&BTreeSet<String>; 2],
        unread: &Unread,
    ) {
        for (was, is) in changed(before, after) {
            let effect = match (kept.contains(&was.meaning), relaxed.contains(&is.meaning)) {
                (true, true) => continue,
                (true, false) if !unread.may_demand(&is) => Effect::Narrower,
                (false, true) => Effect::Wider,
                (_, false) => Effect::Unclear,
            };
            // If the expressions are equal, another key of the rule changed.
            let (before, after) = if was.text == is.text {
                (was.demand, is.demand)
            } else {
                (was.written, is.written)
            };
            self.between(Kind::RuleChanged, effect, [Some(before), Some(after)]);
        }
    }

    /// Takes out the rules that both sides have, and returns them; their messages may differ.
    fn same_rules(&mut self, old: &mut Rules, new: &mut Rules) -> Rules {
        let kept: Vec<String> = old.keys().filter(|rule| new.contains_key(*rule)).cloned().collect();
        let mut same = Rules::new();
        for meaning in kept {
            let (Some(was), Some(is)) = (old.remove(&meaning), new.remove(&meaning)) else {
                continue;
            };
            if was.words != is.words {
                let values = [&was, &is].map(|rule| rule.words.first().cloned());
                self.add(Kind::RuleMessageChanged, Effect::Same, Some(&is.written), values);
            }
            same.insert(meaning, is);
        }
        same
    }

    fn removed_rules(&mut self, rules: Rules) {
        for rule in rules.into_values() {
            let kind = if is_immutable(&rule.text) {
                Kind::ImmutableRemoved
            } else {
                Kind::RuleRemoved
            };
            let written = rule.written.as_str();
            self.add(kind, Effect::Wider, Some(written), [Some(written), None]);
        }
    }

    fn added_rules(&mut self, rules: Rules, is_restated: bool, unread: &Unread) {
        for rule in rules.into_values() {
            let is_restated = is_restated || unread.may_demand(&rule);
            let (kind, effect) = match (is_immutable(&rule.text), is_transition(&rule.text)) {
                (true, _) => (Kind::ImmutableAdded, Effect::Narrower),
                // A transition rule does not affect which single values are valid.
                (false, true) => (Kind::RuleAdded, Effect::Same),
                // It may demand what was demanded in other words.
                (false, false) if is_restated => (Kind::RuleAdded, Effect::Unclear),
                (false, false) => (Kind::RuleAdded, Effect::Narrower),
            };
            let written = rule.written.as_str();
            self.add(kind, effect, Some(written), [None, Some(written)]);
        }
    }
}

/// All that holds for values of a schema with some rules.
fn held_by((schema, rules): (&Schema, &Rules)) -> BTreeSet<Clause> {
    let mut found = held::by_keywords(schema);
    found.extend(rules.values().flat_map(Rule::clauses_held));
    found
}

/// Pairs of a rule and a clause that are compared: of more, only equal clauses are found.
const MOST_PAIRS: usize = 1_000_000;

/// The rules that demand nothing beside some clauses.
fn implied(rules: &Rules, by: &BTreeSet<Clause>) -> BTreeSet<String> {
    let are_few = rules.len() * by.len() <= MOST_PAIRS;
    let rules = rules.values().filter(|rule| {
        let mut clauses = rule.clauses.iter();
        clauses.any(|clauses| clauses.is_subset(by)) || are_few && rule.is_implied(by)
    });
    rules.map(|rule| rule.meaning.clone()).collect()
}

/// The rules that hold wherever what is demanded does, by the logic of their conditions. Also returns what was not
/// compared: `redefaulted` has the fields whose defaults differ between both sides.
fn following(
    (rules, redefaulted): (&Rules, &BTreeSet<String>),
    by: Demands,
    about: &About<'_>,
    (readings, steps): (&Readings, &mut Steps),
) -> (BTreeSet<String>, Unread) {
    let mut found = BTreeSet::new();
    let Demands { held, mut unread } = by;
    for rule in rules.values().filter(|rule| rule.is_plain()) {
        if steps.left() == 0 {
            break;
        }
        if Words::of([rule.text.as_str()]).may_name_any(redefaulted) {
            unread.undecided.insert(rule.meaning.clone());
            continue;
        }
        let is_met = steps.count(|left| follows(&*rule.read(readings)?, &held, about, left));
        let decided = match is_met {
            Some(true) => &mut found,
            None if !held.is_empty() => &mut unread.undecided,
            _ => continue,
        };
        decided.insert(rule.meaning.clone());
    }
    (found, unread)
}

/// What a schema demands, by rules and by what says the same.
#[derive(Default)]
struct Demands {
    held: Held,
    unread: Unread,
}

impl Demands {
    /// What a schema and some rules of it demand of what other rules are about.
    fn beside(rules: &Rules, (schema, by): (&Schema, &Rules), readings: &Readings, steps: &mut Steps) -> Self {
        if rules.is_empty() || steps.left() == 0 {
            return Self::default();
        }
        let texts: Vec<&str> = rules.values().map(|rule| rule.text.as_str()).collect();
        let below = steps.count(|left| Below::of(schema, &texts, readings, left));
        Self::of(schema, by, below, readings)
    }

    fn of(schema: &Schema, rules: &Rules, below: Below, readings: &Readings) -> Self {
        let mut unread = Unread {
            below: below.unread,
            reads: below.reads,
            ..Unread::default()
        };
        let mut own = Vec::new();
        for rule in rules.values() {
            match rule.read(readings) {
                Some(demand) => own.push(demand),
                None if is_transition(&rule.text) => {}
                None => unread.add(rule, schema),
            }
        }
        let others = distinct::by_type(schema).into_iter().map(Rc::new);
        let others = others.chain(elsewhere::demands(schema, below.demands));
        Self {
            held: others.chain(own).collect(),
            unread,
        }
    }
}

/// The rules that hold for every value of which this is known.
fn always_held(rules: &Rules, known: &Known, steps: &mut Steps) -> Vec<String> {
    // Other keys of a rule may change what it is about.
    let plain = rules.values().filter(|rule| rule.is_plain());
    let held = plain.filter(|rule| steps.count(|left| always_holds(&rule.text, known, left)));
    held.map(|rule| rule.meaning.clone()).collect()
}

/// The rules about updates that say less than one of before, which allowed no change.
fn weaker_than_no_change(rules: &Rules, by: &BTreeSet<Clause>, known: &Known) -> Vec<String> {
    let plain = rules
        .values()
        .filter(|rule| rule.is_plain() && is_transition(&rule.text));
    let plain = plain.filter(|_| rules.len() * by.len() <= MOST_PAIRS);
    let weaker = plain.filter(|rule| is_implied_by_no_change(&rule.text, by, known));
    weaker.map(|rule| rule.meaning.clone()).collect()
}

/// Whether a keyword that a rule may replace was removed.
fn is_loosened(old: &Schema, new: &Schema) -> bool {
    let folding = Folding::of([old, new]);
    let has_less_logic = old.logic.keys().any(|keyword| {
        let is_folded = folding.left(old, keyword).is_empty();
        !is_folded && !new.logic.contains_key(keyword)
    });
    let [was, is] = [old, new].map(Schema::list_type);
    let [old, new] = [old, new].map(|schema| folding.folded(schema));
    has_less_logic
        || old.bounds.keys().any(|bound| !new.bounds.contains_key(bound))
        || old.values.is_some() && new.values.is_none()
        || old.pattern.is_some() && new.pattern.is_none()
        || was.is_some_and(|kind| kind != "atomic" && is != Some(kind))
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
