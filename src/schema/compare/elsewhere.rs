//! What a schema demands of its values beside its own rules, in the words of rules: which fields are set, and what the
//! rules of its fields demand.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value as Json;

use crate::cel::canonical::is_transition;
use crate::cel::implied::{About, Held, MOST_ATOMS, Read, follows, read, take};
use crate::cel::reads::{Reads, Step};
use crate::schema::node::{Additional, Property, Schema};
use crate::schema::path::step;

use super::distinct::is_written_alike;
use super::lifted::lifted_by;
use super::naming::Words;
use super::place::{Place, Way};
use super::readings::Readings;
use super::steps::BYTES_OF_A_STEP;
use super::{Comparison, held};

/// Keys that do not affect what a rule requires.
pub(super) const WORDS: [&str; 4] = ["message", "messageExpression", "reason", "fieldPath"];

/// Alternatives that are written as a rule.
const MOST_ALTERNATIVES: usize = 6;

/// A field that both sides have.
type Pair<'s> = (&'s str, [&'s Property; 2]);

/// Rules of one side, as written, that the other side has elsewhere.
type Moved = BTreeSet<String>;

/// What rules of objects around a value say about the value's own rules.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// The rules of either side that an object around the value demands on the other side.
    pub(super) moved: [Moved; 2],
    /// Whether the old objects may demand what the new rules do: some are not compared with these.
    pub(super) is_unknown: bool,
}

/// What the fields of an object demand by their rules.
#[derive(Debug, Default)]
pub(super) struct Below {
    /// As rules of the object.
    pub(super) demands: Vec<Rc<Read>>,
    /// What the rules read that cannot be written so: those of items, of values of maps, or of a nullable field. With
    /// the steps to their values.
    pub(super) reads: Vec<(Vec<Step>, Reads)>,
    /// The fields of the object with rules of which not even that is known.
    pub(super) unread: BTreeSet<String>,
}

/// An object on both sides, and what its rules demand. These are read once, and only if a rule of a field changed.
pub(super) struct Object<'s> {
    pub(super) sides: [&'s Schema; 2],
    readings: Rc<Readings>,
    rules: [OnceCell<Held>; 2],
    /// What the old rules read of the object; `None` if that is not known of each.
    reads: OnceCell<Option<Vec<Reads>>>,
    /// The names of values that are integers on both sides.
    integers: OnceCell<BTreeSet<String>>,
    /// The words of the rules of both sides.
    words: OnceCell<Words<'s>>,
}

impl<'s> Object<'s> {
    pub(super) fn rules(&self, side: usize) -> &Held {
        self.rules[side].get_or_init(|| read_rules(self.sides[side], &self.readings).collect())
    }

    /// What the old rules read of objects that are created.
    pub(super) fn reads(&self) -> Option<&[Reads]> {
        let reads = self.reads.get_or_init(|| reads(self.sides[0]));
        reads.as_deref()
    }

    fn words(&self) -> &Words<'s> {
        self.words
            .get_or_init(|| Words::of(self.sides.into_iter().flat_map(own_rules)))
    }

    pub(super) fn integers(&self) -> &BTreeSet<String> {
        let [old, new] = self.sides;
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
            let object = Object {
                sides: objects,
                readings: Rc::clone(&self.readings),
                rules: Default::default(),
                reads: OnceCell::new(),
                integers: OnceCell::new(),
                words: OnceCell::new(),
            };
            self.find_moved_below(objects, &object, &mut Vec::new(), &mut found);
        }
        found
    }

    fn find_moved_below<'s>(
        &mut self,
        [old, new]: [&'s Schema; 2],
        object: &Object<'s>,
        way: &mut Vec<Pair<'s>>,
        found: &mut Vec<String>,
    ) {
        for (name, before) in &old.properties {
            let Some(after) = new.properties.get(name) else {
                continue;
            };
            // Rules about other fields of the object say nothing about this one.
            if way.is_empty() && !object.words().may_name(name) {
                continue;
            }
            // Beyond the limit, all rules are taken for such as may be demanded elsewhere.
            if !self.steps.visit() {
                return;
            }
            let fields = [before, after].map(|field| &*field.schema);
            // That each field on the way is set is a condition.
            if way.len() + 1 >= MOST_ATOMS {
                let mut place = Place::of(&self.path, way.iter().map(|(name, _)| *name));
                self.find_unread(&Way::Field(name), fields, object, &mut place, found);
                continue;
            }
            way.push((name, [before, after]));
            let mut around = Around::default();
            self.find_moved_of(0, way, object, &mut around);
            self.find_moved_of(1, way, object, &mut around);
            if around.is_unknown || around.moved.iter().any(|rules| !rules.is_empty()) {
                let path = way.iter().fold(self.path.clone(), |path, (name, _)| path + &step(name));
                let known = self.around.entry(path.clone()).or_default();
                for (known, moved) in known.moved.iter_mut().zip(around.moved) {
                    known.extend(moved);
                }
                known.is_unknown |= around.is_unknown;
                found.push(path);
            }
            self.find_moved_below(fields, object, way, found);
            let mut place = Place::of(&self.path, way.iter().map(|(name, _)| *name));
            self.find_unread_items(fields, object, &mut place, found);
            way.pop();
        }
    }

    /// Finds the rules that one side of a field has, and the rules of an object around it on the other side.
    fn find_moved_of(&mut self, side: usize, way: &[Pair<'_>], object: &Object<'_>, around: &mut Around) {
        let Some((_, fields)) = way.last() else {
            return;
        };
        let [field, other] = [&fields[side].schema, &fields[1 - side].schema];
        if field.rules.is_empty() || object.sides[1 - side].rules.is_empty() {
            return;
        }
        let kept: BTreeSet<&str> = own_rules(other).collect();
        let mut own = own_rules(field).filter(|rule| !kept.contains(rule)).peekable();
        if own.peek().is_none() || self.steps.left() == 0 {
            return;
        }
        let way: Vec<(&str, &Property)> = way.iter().map(|(name, sides)| (*name, sides[side])).collect();
        let (demanded, about) = (object.rules(1 - side), About::with_integers(object.integers()));
        for rule in own {
            let lifted = lifted(rule, &way).and_then(|rule| self.readings.read(&rule));
            let is_demanded = self.steps.count(|left| follows(&*lifted?, demanded, &about, left));
            match is_demanded {
                Some(true) => drop(around.moved[side].insert(rule.to_owned())),
                Some(false) => {}
                None => around.is_unknown |= side == 1,
            }
        }
    }

    /// Whether the rules of the old schema demand what a combination of the new one does.
    pub(super) fn is_demanded_by_rules(&mut self, keyword: &str, old: &Schema, new: &Schema) -> bool {
        let Some(members) = new.logic.get(keyword).filter(|_| !old.rules.is_empty()) else {
            return false;
        };
        if !self.steps.read_rules(&[old]) {
            return false;
        }
        let Some(rule) = by_presence(keyword, members, new) else {
            return false;
        };
        let Some(wanted) = read(&rule) else { return false };
        let integers = &held::integers(old) & &held::integers(new);
        let readings = &self.readings;
        let is_demanded = self.steps.count(|left| {
            let below = Below::of(old, &[&rule], readings, left);
            let own = read_rules(old, readings);
            let held: Held = own.chain(demands(old, below.demands)).collect();
            follows(&wanted, &held, &About::with_integers(&integers), left)
        });
        is_demanded == Some(true)
    }
}

/// The rules that demand something of every value, without other keys than messages.
pub(super) fn own_rules(schema: &Schema) -> impl Iterator<Item = &str> {
    let rules = schema.rules.iter().filter_map(Json::as_object);
    let plain = rules.filter(|keys| keys.keys().all(|key| key == "rule" || WORDS.contains(&key.as_str())));
    let texts = plain.filter_map(|keys| keys.get("rule")?.as_str());
    texts.map(str::trim).filter(|rule| !is_transition(rule))
}

/// The same, as others are compared with them; without those that cannot be read.
pub(super) fn read_rules(schema: &Schema, readings: &Readings) -> impl Iterator<Item = Rc<Read>> {
    own_rules(schema).filter_map(|rule| readings.read(rule))
}

/// What each rule of a schema but those about updates reads; `None` if that is not known of one.
pub(super) fn reads(schema: &Schema) -> Option<Vec<Reads>> {
    let texts = schema.rules.iter().map(|rule| rule.get("rule")?.as_str());
    let texts: Vec<&str> = texts.collect::<Option<_>>()?;
    // A rule about updates may hold for new objects, too, by another key.
    let are_plain = texts.len() == own_rules(schema).count() + texts.iter().filter(|rule| is_transition(rule)).count()
        && !schema.rules.iter().any(|rule| rule.get("optionalOldSelf").is_some());
    are_plain.then(|| own_rules(schema).map(Reads::of).collect())?
}

/// What a schema demands beside its rules and its type. `of_fields`: what its fields do.
pub(super) fn demands(schema: &Schema, of_fields: Vec<Rc<Read>>) -> impl Iterator<Item = Rc<Read>> {
    let combined = schema.logic.iter();
    let combined = combined.filter_map(|(keyword, members)| read(&by_presence(keyword, members, schema)?));
    combined.map(Rc::new).chain(of_fields)
}

impl Below {
    /// What the fields of an object demand that some rules of it name.
    pub(super) fn of(object: &Schema, rules: &[&str], readings: &Readings, left: &mut usize) -> Self {
        let mut below = Self::default();
        let words = Words::of(rules.iter().copied());
        for (name, field) in &object.properties {
            if words.may_name(name) && !below.read(&mut vec![(name, field)], readings, left) {
                below.unread.insert(name.clone());
            }
        }
        below
    }

    /// Reads the rules of a field and of what is in it; returns whether it read all. `way`: the fields that lead there.
    fn read<'s>(&mut self, way: &mut Vec<(&'s str, &'s Property)>, readings: &Readings, left: &mut usize) -> bool {
        let Some((_, field)) = way.last().filter(|_| take(1, left)) else {
            return false;
        };
        let schema: &Schema = &field.schema;
        // That each field on the way is set is a condition.
        if way.len() >= MOST_ATOMS {
            return self.read_within(schema, &mut steps(way), left);
        }
        let names: usize = way.iter().map(|(name, _)| name.len()).sum();
        let mut all_read = true;
        for rule in own_rules(schema) {
            // Each field on the way is named with all of those before it.
            let bytes = rule.len() + names * way.len();
            let lifted = lifted(rule, way).filter(|_| take(bytes / BYTES_OF_A_STEP, left));
            match lifted.and_then(|rule| readings.read(&rule)) {
                Some(demand) => self.demands.push(demand),
                None => match Reads::of(rule).filter(|reads| !reads.is_empty()) {
                    Some(reads) => self.reads.push((steps(way), reads)),
                    None => all_read = false,
                },
            }
        }
        for (name, field) in &schema.properties {
            way.push((name, field));
            all_read &= self.read(way, readings, left);
            way.pop();
        }
        all_read && self.read_each(schema, &mut steps(way), left)
    }

    /// Reads what the rules of a schema, and of those in it, are about; returns whether that is known of all.
    fn read_within(&mut self, schema: &Schema, path: &mut Vec<Step>, left: &mut usize) -> bool {
        for rule in &schema.rules {
            let Some(rule) = rule.get("rule").and_then(Json::as_str) else {
                return false;
            };
            let reads = take(1 + rule.len() / BYTES_OF_A_STEP, left).then(|| Reads::of(rule));
            match reads.flatten().filter(|reads| !reads.is_empty()) {
                Some(reads) => self.reads.push((path.clone(), reads)),
                None => return false,
            }
        }
        for (name, field) in &schema.properties {
            path.push(Way::Field(name).step());
            let all_read = take(1, left) && self.read_within(&field.schema, path, left);
            path.pop();
            if !all_read {
                return false;
            }
        }
        self.read_each(schema, path, left)
    }

    /// The same of the rules of items and of values of maps.
    fn read_each(&mut self, schema: &Schema, path: &mut Vec<Step>, left: &mut usize) -> bool {
        let values = match &schema.additional {
            Some(Additional::Of(values)) => Some(&**values),
            _ => None,
        };
        path.push(Step::Each);
        let mut parts = schema.items.as_deref().into_iter().chain(values);
        let are_read = parts.all(|part| take(1, left) && self.read_within(part, path, left));
        path.pop();
        let mut members = schema.logic.values().flatten();
        are_read && !members.any(|part| has_rules_within(part, left))
    }
}

/// The steps to a field.
fn steps(way: &[(&str, &Property)]) -> Vec<Step> {
    way.iter().map(|(name, _)| Way::Field(name).step()).collect()
}

/// Whether a schema or one within it has rules. Where there are too many to look at, it may.
fn has_rules_within(schema: &Schema, left: &mut usize) -> bool {
    !schema.rules.is_empty() || !take(1, left) || schema.parts().any(|part| has_rules_within(part, left))
}

/// A rule of a field as one of an object around it, by the fields that lead there; `None` where they may differ.
fn lifted(rule: &str, way: &[(&str, &Property)]) -> Option<String> {
    let way: Vec<_> = way
        .iter()
        .map(|(name, field)| (Way::Field(name), &*field.schema))
        .collect();
    lifted_by(rule, &way)
}

/// A combination of nothing but required fields as a rule: that of `oneOf`, for example.
pub(super) fn by_presence(keyword: &str, members: &[Schema], of: &Schema) -> Option<String> {
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
        [comparison.changes.len(), comparison.steps.taken()]
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

    /// Objects within each other, each with a rule about the one below, and a rule of the last field.
    fn chain(levels: usize, value: &str) -> Schema {
        let field = json!({ "type": "string", "x-kubernetes-validations": [{ "rule": format!("self != '{value}'") }] });
        let schema = (0..levels).fold(field, |field, level| {
            let rule = format!("!has(self.a) || self.b != '{value}{level}'");
            json!({ "type": "object", "properties": { "a": field, "b": { "type": "string" } },
                "x-kubernetes-validations": [{ "rule": rule }] })
        });
        serde_json::from_value(schema).expect("it is a schema")
    }

    #[test]
    fn rules_of_all_levels_are_compared_within_the_steps_of_a_crd() {
        let steps = |levels| compared(&chain(levels, "x"), &chain(levels, "y"))[1];
        let (few, many) = (steps(4), steps(8));
        // Each of the levels is compared with each below it, and written with the names of those between.
        assert!(many <= 16 * few, "{few} to {many} steps");
        // Beyond as many conditions as a rule may have, levels are only looked at.
        let (few, many) = (steps(16), steps(32));
        assert!(many <= 4 * few, "{few} to {many} steps");
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
