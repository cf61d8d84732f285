//! Keywords of a value that say what a rule of an object around it says already: `maximum: 5` and
//! `!has(self.n) || self.n <= 5`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value as Json;

use crate::cel::implied::{About, Held, Value, accept_beyond, follows, read};
use crate::cel::reads::{Reads, Step};
use crate::schema::change::{Change, ChangeKind as Kind, Effect};
use crate::schema::format;
use crate::schema::node::{Additional, Property, Schema};
use crate::schema::path::step;

use super::demand::Demand;
use super::distinct::is_written_alike;
use super::elsewhere::{read_rules, reads};
use super::lifted::lifted_by;
use super::place::{Place, Way};
use super::readings::Readings;
use super::steps::BYTES_OF_A_STEP;
use super::{Comparison, held};

/// Rules whose fields are compared with a value in one step.
const RULES_OF_A_STEP: usize = 8;

/// The steps from an object to a value, each with the schema that it leads to.
type Ways<'s> = Vec<(Way<'s>, &'s Schema)>;

/// A rule that may be demanded.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub(super) rule: String,
    /// The name of an integer that it is about, if it is not known from the object.
    pub(super) integer: Option<String>,
}

/// The rules of an object, and what is known of it.
#[derive(Debug)]
pub(super) struct ObjectRules {
    held: Held,
    /// What they read; `None` if that is not known of all.
    reads: Option<Vec<Reads>>,
    integers: BTreeSet<String>,
    /// Whether they demand others.
    demanded: RefCell<BTreeMap<Wanted, Option<bool>>>,
}

/// The rules of objects that were asked, by their texts and the names of integers: one type is often used in several
/// places and versions.
#[derive(Debug, Default)]
pub(super) struct Asked(BTreeMap<(Vec<String>, BTreeSet<String>), Rc<ObjectRules>>);

impl Asked {
    /// Those of the first of two sides of an object.
    pub(super) fn rules(&mut self, [old, new]: [&Schema; 2], readings: &Readings) -> Rc<ObjectRules> {
        let integers = &held::integers(old) & &held::integers(new);
        let texts = old.rules.iter().map(Json::to_string).collect();
        let known = self.0.entry((texts, integers.clone()));
        Rc::clone(known.or_insert_with(|| {
            Rc::new(ObjectRules {
                held: read_rules(old, readings).collect(),
                reads: reads(old),
                integers,
                demanded: RefCell::default(),
            })
        }))
    }
}

/// What rules say about what a change newly demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    /// They demand it.
    Demanded,
    /// They accept a value that it rejects, or are about other values.
    Other,
    Unknown,
}

impl Comparison {
    /// Corrects the changes, from the first one on, of keywords that demand what the old rules of an object around
    /// their values do, or may do.
    pub(super) fn where_demanded(&mut self, first: usize, old: &Schema, new: &Schema) {
        if old.rules.is_empty() {
            return;
        }
        let (mut words, mut rules) = (None, None);
        for at in first..self.changes.len() {
            let Some(rest) = self.restricted(at) else { continue };
            let words = words.get_or_insert_with(|| words_of(old));
            if matches!(field(rest, old), Some((name, _)) if is_written_alike(name) && !words.contains(name)) {
                continue;
            }
            let cost = 1 + rest.len() / BYTES_OF_A_STEP + old.rules.len() / RULES_OF_A_STEP;
            let rest = rest.to_owned();
            let rules = rules.get_or_insert_with(|| {
                let are_read = self.steps.read_rules(&[old]);
                are_read.then(|| self.asked.rules([old, new], &self.readings))
            });
            let said = match rules {
                Some(rules) if self.steps.take(cost) => self.said(at, &rest, rules, [old, new]),
                // What is beyond the limits is not known.
                _ => Said::Unknown,
            };
            restate(&mut self.changes[at], said);
        }
    }

    /// The path from here to what a keyword newly restricts; `None` if the change is of another kind.
    fn restricted(&self, at: usize) -> Option<&str> {
        let change = self.changes.get(at)?;
        let rest = change.path.strip_prefix(self.path.as_str())?;
        let is_restricted = match change.kind {
            Kind::RequiredAdded
            | Kind::EnumAdded
            | Kind::EnumValueRemoved
            | Kind::BoundTightened
            | Kind::PatternAdded
            | Kind::PatternChanged => true,
            Kind::FormatChanged => change.new.as_ref().and_then(Json::as_str).is_some_and(format::demands),
            // Those of the object itself are compared with its rules elsewhere.
            Kind::CombinationTightened => !rest.is_empty(),
            _ => false,
        };
        (is_restricted && change.effect >= Effect::Narrower).then_some(rest)
    }

    /// What the rules of an object say about what a change demands of a value in it, by the path to that.
    fn said(&mut self, at: usize, path: &str, rules: &ObjectRules, sides: [&Schema; 2]) -> Said {
        let [Some(mut old), Some(mut new)] = sides.map(|side| ways(path, side)) else {
            return Said::Unknown;
        };
        if self.changes[at].kind == Kind::RequiredAdded {
            old.pop();
            new.pop();
        }
        let values =
            [(&old, sides[0]), (&new, sides[1])].map(|(ways, side)| ways.last().map_or(side, |(_, schema)| schema));
        let demand = Demand::of(&self.changes[at], values);
        self.said_of(rules, &old, &demand)
    }

    /// Whether the rules of an object demand another one; `None` if that is not known.
    pub(super) fn is_demanded(&mut self, rules: &ObjectRules, wanted: Wanted) -> Option<bool> {
        let known = rules.demanded.borrow().get(&wanted).copied();
        known.unwrap_or_else(|| {
            let integers = rules.integers.iter().chain(&wanted.integer).cloned().collect();
            let about = About::with_integers(&integers);
            let are_left = self.steps.take(wanted.rule.len() / BYTES_OF_A_STEP);
            let steps = &mut self.steps;
            let is_met = are_left.then(|| steps.count(|left| follows(&read(&wanted.rule)?, &rules.held, &about, left)));
            rules.demanded.borrow_mut().insert(wanted, is_met.flatten());
            is_met.flatten()
        })
    }

    /// Whether the rules of an object demand another one, or that there is no value for it, which is enough where they
    /// read nothing of the value; `None` if that is not known.
    fn is_met(&mut self, rules: &ObjectRules, [wanted, never]: [Option<Wanted>; 2], may_meet: bool) -> Option<bool> {
        let is_never = never.and_then(|never| self.is_demanded(rules, never));
        match wanted {
            Some(wanted) if is_never.is_none_or(|is_never| !is_never && may_meet) => self.is_demanded(rules, wanted),
            _ => is_never,
        }
    }

    fn said_of(&mut self, rules: &ObjectRules, ways: &Ways<'_>, demand: &Demand) -> Said {
        let rule = demand.rule.as_ref().and_then(|rule| lifted_by(rule, ways));
        let met = if rule.is_some() { Said::Demanded } else { Said::Unknown };
        let steps: Vec<Step> = ways.iter().map(|(way, _)| way.step()).collect();
        let may_meet = demand.is_about_fields || rules.may_meet(demand, &steps);
        // Where they exclude that there is a value, nothing rejects it.
        let never = Place::at(ways.iter().map(|(way, _)| *way)).is_never_there();
        if rule.is_none() && never.is_none() {
            return Said::Unknown;
        }
        let name = name_of(ways);
        let is_whole = ways.last().is_some_and(|(_, schema)| is_integer(schema));
        let integer = name.clone().filter(|name| is_whole && !rules.integers.contains(name));
        let integers = match &integer {
            Some(name) => Cow::Owned(rules.integers.iter().chain([name]).cloned().collect()),
            None => Cow::Borrowed(&rules.integers),
        };
        let about = About::with_integers(&integers);
        let rule = rule.map(|rule| Wanted { rule, integer });
        let never = never.map(|rule| Wanted { rule, integer: None });
        match self.is_met(rules, [rule, never], may_meet) {
            Some(true) => met,
            Some(false) if demand.is_about_fields || !may_meet => Said::Other,
            _ => {
                let is_accepted = self
                    .steps
                    .count(|left| rules.accept(name.as_deref()?, demand, &about, left));
                if is_accepted == Some(true) {
                    Said::Other
                } else {
                    Said::Unknown
                }
            }
        }
    }
}

impl ObjectRules {
    /// Whether one of them may read what a demand is about.
    fn may_meet(&self, demand: &Demand, steps: &[Step]) -> bool {
        let rule = demand.rule.as_deref().filter(|_| !demand.counts_fields);
        let of_value = Reads::of(rule.unwrap_or("self == self"));
        let both = self.reads.as_ref().zip(of_value);
        both.is_none_or(|(own, of_value)| own.iter().any(|own| own.meet(&of_value, steps)))
    }

    /// Whether they accept a value that a demand rejects. `name`: that of the value.
    fn accept(&self, name: &str, demand: &Demand, about: &About<'_>, left: &mut usize) -> Option<bool> {
        let limit = demand.limit.as_ref()?;
        let ends = name.match_indices('.').map(|(at, _)| at).skip(1).chain([name.len()]);
        let set = ends
            .filter(|_| name.contains('.'))
            .map(|end| format!("has({}) && ", &name[..end]));
        let is_set = set.collect::<String>() + "true";
        let value = Value {
            name: &read(name)?,
            is_set: &read(&is_set)?,
        };
        accept_beyond(&value, limit, &self.held, about, left)
    }
}

/// Says what a change does by what old rules say about it.
fn restate(change: &mut Change, said: Said) {
    match said {
        Said::Other => {}
        Said::Unknown => {
            if change.kind == Kind::CombinationTightened {
                change.kind = Kind::CombinationChanged;
            }
            change.effect = Effect::Unclear;
        }
        Said::Demanded => {
            let subject = match change.kind {
                Kind::RequiredAdded => Some("required"),
                Kind::EnumAdded | Kind::EnumValueRemoved => Some("enum"),
                Kind::FormatChanged => Some("format"),
                _ => None,
            };
            change.subject = subject.map(str::to_owned).or(change.subject.take());
            (change.kind, change.effect) = (Kind::Restated, Effect::Same);
        }
    }
}

/// The words of all rules: names, and others.
fn words_of(schema: &Schema) -> BTreeSet<&str> {
    let texts = schema.rules.iter().filter_map(|rule| rule.get("rule")?.as_str());
    texts
        .flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .collect()
}

fn is_integer(schema: &Schema) -> bool {
    schema.kind.as_deref() == Some("integer")
}

/// The name of a value in rules of an object around it; `None` of items and of values of maps.
fn name_of(ways: &Ways<'_>) -> Option<String> {
    ways.iter().try_fold("self".to_owned(), |name, (way, _)| match way {
        Way::Field(field) if is_written_alike(field) => Some(format!("{name}.{field}")),
        _ => None,
    })
}

/// The steps from a schema to one in it, by its path: `.a[].b`.
fn ways<'s>(path: &str, from: &'s Schema) -> Option<Ways<'s>> {
    let (mut rest, mut schema) = (path, from);
    let mut ways = Vec::new();
    while !rest.is_empty() {
        let (way, next, text) = if rest.starts_with("[]") {
            (Way::Item, schema.items.as_deref()?, "[]".to_owned())
        } else if rest.starts_with("{}") {
            let Some(Additional::Of(values)) = &schema.additional else {
                return None;
            };
            (Way::Value, &**values, "{}".to_owned())
        } else {
            let (name, field) = field(rest, schema)?;
            (Way::Field(name), &*field.schema, step(name))
        };
        ways.push((way, next));
        rest = rest.strip_prefix(text.as_str())?;
        schema = next;
    }
    Some(ways)
}

/// The field that a path begins with.
fn field<'s>(path: &str, schema: &'s Schema) -> Option<(&'s str, &'s Property)> {
    let name = match path.strip_prefix('.') {
        Some(rest) => rest.split(['.', '[', '{']).next()?,
        None => path.strip_prefix('[')?.split(']').next()?,
    };
    schema
        .properties
        .get_key_value(name)
        .map(|(name, field)| (name.as_str(), field))
}
