//! `allOf` of nothing but bounds, patterns and enums: they hold as if they were keywords of the schema itself.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::schema::node::{Bound, Schema};

use super::bounds::{is_lower, tighter};
use super::normal;

/// The keywords of a value itself, with those of the members of `allOf` that have no others. Fields, items and
/// combinations are left out of a copy.
pub(super) fn folded(schema: &Schema) -> Cow<'_, Schema> {
    let members: Vec<&Schema> = all_of(schema).filter(|member| is_folded(member, schema)).collect();
    if members.is_empty() {
        return Cow::Borrowed(schema);
    }
    let mut own = Schema {
        kind: schema.kind.clone(),
        format: schema.format.clone(),
        nullable: schema.nullable,
        default: schema.default.clone(),
        values: schema.values.clone(),
        pattern: schema.pattern.clone(),
        bounds: schema.bounds.clone(),
        flags: schema.flags.clone(),
        rules: schema.rules.clone(),
        ..Schema::default()
    };
    for member in members {
        for (bound, number) in &member.bounds {
            let both = own.bounds.get(bound).map(|own| tighter(own, number, is_lower(*bound)));
            own.bounds.insert(*bound, both.unwrap_or(number).clone());
        }
        own.pattern = own.pattern.or_else(|| member.pattern.clone());
        own.values = match (own.values.take(), &member.values) {
            (Some(own), Some(others)) => Some(common(own, others)),
            (own, others) => own.or_else(|| others.clone()),
        };
    }
    Cow::Owned(own)
}

/// The members of a keyword but those whose keywords hold as if the schema itself had them.
pub(super) fn not_folded<'s>(schema: &'s Schema, keyword: &str) -> impl Iterator<Item = &'s Schema> {
    let members = schema.logic.get(keyword).map(Vec::as_slice).unwrap_or_default();
    let is_of_all = is_of_all(keyword, members);
    let members = members.iter();
    members.filter(move |member| !(is_of_all && is_folded(member, schema)))
}

/// Whether the keywords of a schema of which all must match hold as if the schema around it had them.
fn is_folded(member: &Schema, schema: &Schema) -> bool {
    let rest_is_empty = *member
        == Schema {
            bounds: member.bounds.clone(),
            pattern: member.pattern.clone(),
            values: member.values.clone(),
            description: member.description.clone(),
            ..Schema::default()
        };
    let is_empty = member.bounds.is_empty() && member.pattern.is_none() && member.values.is_none();
    rest_is_empty && !is_empty && !is_exclusive(schema) && has_the_only_pattern(member, schema)
}

/// Of two patterns, and of two divisors, none is the narrower one.
fn has_the_only_pattern(member: &Schema, schema: &Schema) -> bool {
    let of_all = [schema].into_iter().chain(all_of(schema));
    let [patterns, divisors] = of_all.fold([0, 0], |[patterns, divisors], schema| {
        let [pattern, divisor] = [schema.pattern.is_some(), schema.bounds.contains_key(&Bound::MultipleOf)];
        [patterns + usize::from(pattern), divisors + usize::from(divisor)]
    });
    (member.pattern.is_none() || patterns == 1) && (!member.bounds.contains_key(&Bound::MultipleOf) || divisors == 1)
}

/// Whether a bound of a schema does not include its number.
fn is_exclusive(schema: &Schema) -> bool {
    schema.says("exclusiveMinimum") || schema.says("exclusiveMaximum")
}

/// The members of `allOf`, and an only alternative.
fn all_of(schema: &Schema) -> impl Iterator<Item = &Schema> {
    let combined = schema.logic.iter();
    let all = combined.filter(|(keyword, members)| is_of_all(keyword, members));
    all.flat_map(|(_, members)| members)
}

/// Whether values must match all members of a keyword.
fn is_of_all(keyword: &str, members: &[Schema]) -> bool {
    keyword == "allOf" || members.len() == 1 && ["anyOf", "oneOf"].contains(&keyword)
}

/// The values that are in both lists.
fn common(own: Vec<Json>, others: &[Json]) -> Vec<Json> {
    let others: BTreeMap<String, &Json> = others.iter().map(|value| (normal::word(value), value)).collect();
    own.into_iter()
        .filter(|value| others.contains_key(&normal::word(value)))
        .collect()
}
