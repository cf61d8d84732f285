//! What schemas demand, as clauses of rules.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::cel::bounded::{self, Bounded};
use crate::cel::canonical::{self, is_transition, names_old_self};
use crate::cel::clause::{Clause, is_implied};
use crate::schema::format::is_read_as_text;
use crate::schema::node::{Additional, Bound, Schema};

use super::KEPT;
use super::folded::folded;
use super::naming::Words;
use super::number::{exact, is_lower};

/// The names in rules of the values that are integers.
pub(super) fn integers(schema: &Schema) -> BTreeSet<String> {
    let fields = schema.properties.iter();
    let fields = fields
        .filter(|(_, field)| is_integer(&field.schema))
        .map(|(name, _)| format!("self.{name}"));
    let own = is_integer(schema).then(|| "self".to_owned());
    fields.chain(own).collect()
}

fn is_integer(schema: &Schema) -> bool {
    schema.kind.as_deref() == Some("integer")
}

/// All that holds for values of a schema by bounds and enums.
pub(super) fn by_keywords(schema: &Schema) -> BTreeSet<Clause> {
    let mut found = BTreeSet::new();
    let own = folded(schema);
    let bounds = own.bounds.iter();
    found.extend(bounds.filter_map(|(bound, number)| of_bound(schema, *bound, exact(number)?)));
    let texts = own.values.iter().flatten().map(Json::as_str);
    if schema.kind.as_deref() == Some("string")
        && is_read_as_text(schema.format.as_deref())
        && let Some(texts) = texts.collect::<Option<Vec<_>>>()
    {
        found.insert(canonical::one_of(texts.into_iter()));
    }
    found
}

/// That no object of before has the fields that are new, if unlisted ones were dropped, except some.
pub(super) fn absences(old: &Schema, new: &Schema, always: &[&str]) -> BTreeSet<Clause> {
    if old.says(KEPT) || old.additional.is_some() {
        return BTreeSet::new();
    }
    let fields = new.properties.iter();
    fields
        .filter(|(name, field)| !old.properties.contains_key(*name) && field.schema.default.is_none())
        .filter(|(name, _)| !always.contains(&name.as_str()))
        .map(|(name, _)| canonical::lacks(name))
        .collect()
}

/// The fields, of those that rules name, whose defaults differ between two schemas: what a rule says of objects as they
/// were is not what another one says of them with other defaults.
pub(super) fn redefaulted(old: &Schema, new: &Schema, rules: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let words = Words::of(rules.iter().map(String::as_str));
    add_redefaulted(old, new, &words, &mut found);
    found
}

fn add_redefaulted(old: &Schema, new: &Schema, words: &Words<'_>, found: &mut BTreeSet<String>) {
    for (name, before) in &old.properties {
        let Some(after) = new.properties.get(name).filter(|_| words.may_name(name)) else {
            continue;
        };
        if before.schema.default != after.schema.default {
            found.insert(name.clone());
        }
        add_redefaulted(&before.schema, &after.schema, words, found);
    }
    if let (Some(before), Some(after)) = (&old.items, &new.items) {
        add_redefaulted(before, after, words, found);
    }
    if let (Some(Additional::Of(before)), Some(Additional::Of(after))) = (&old.additional, &new.additional) {
        add_redefaulted(before, after, words, found);
    }
}

/// Whether the rules of a schema demand a bound that is no keyword of it.
pub(super) fn demands_bound(schema: &Schema, bound: Bound, number: i64) -> bool {
    let clause = of_bound(schema, bound, number);
    clause.is_some_and(|clause| is_implied(&clause, &by_rules(schema)))
}

/// A bound as a clause; `None` if it is one of other values.
fn of_bound(schema: &Schema, bound: Bound, number: i64) -> Option<Clause> {
    let (kind, of) = match bound {
        Bound::Minimum | Bound::Maximum => ("integer", Bounded::Value),
        Bound::MinLength | Bound::MaxLength => ("string", Bounded::Size),
        Bound::MinItems | Bound::MaxItems => ("array", Bounded::Size),
        Bound::MinProperties | Bound::MaxProperties => ("object", Bounded::Size),
        Bound::MultipleOf => return None,
    };
    let clause = if is_lower(bound) {
        bounded::at_least(number, of)
    } else {
        bounded::at_most(number, of)
    };
    let is_read = kind != "string" || is_read_as_text(schema.format.as_deref());
    (is_read && schema.kind.as_deref() == Some(kind)).then_some(clause)
}

/// What the rules demand of every value, and of every update.
fn by_rules(schema: &Schema) -> BTreeSet<Clause> {
    let integers = integers(schema);
    let mut found = BTreeSet::new();
    for rule in schema.rules.iter().filter_map(Json::as_object) {
        let Some(text) = rule.get("rule").and_then(Json::as_str) else {
            continue;
        };
        if rule.get("optionalOldSelf").is_some() {
            continue;
        }
        // Where a rule runs on updates only, its other clauses do not hold for new values.
        let on_updates = is_transition(text);
        let clauses = canonical::clauses(text, &integers).unwrap_or_default();
        found.extend(
            clauses
                .into_iter()
                .filter(|clause| !on_updates || names_old_self(clause)),
        );
    }
    found
}
