//! Members of `oneOf` that are added or removed. Which values match exactly one is known where the form of two members
//! says that no value matches both: `type: {enum: [a]}` and `type: {enum: [b]}`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::node::{Property, Schema};

use super::presence::Presence;
use super::steps::BYTES_OF_ALTERNATIVES;
use super::{Comparison, normal};

const KEYWORD: &str = "oneOf";

/// The members, by their normal form.
type Members<'s> = BTreeMap<String, &'s Schema>;

impl Comparison {
    /// What happens to valid values where members of `oneOf` are only added, or only removed. `by_fields`: what is
    /// known if they ask nothing but which fields are set.
    pub(super) fn alternatives(&mut self, sides: [&Schema; 2], by_fields: Option<Presence>) -> (Kind, Effect) {
        let [before, after] = sides.map(|schema| members(schema));
        let is_added = before.keys().all(|text| after.contains_key(text));
        let rejected = if is_added {
            Kind::AlternativeAdded
        } else {
            Kind::CombinationTightened
        };
        let unknown = (
            if is_added { rejected } else { Kind::CombinationChanged },
            Effect::Unclear,
        );
        let bytes: usize = before.keys().chain(after.keys()).map(String::len).sum();
        let pairs = before.len().max(after.len());
        if is_repeated(sides) || !self.steps.take(1 + bytes * pairs / BYTES_OF_ALTERNATIVES) {
            return unknown;
        }
        // Rules may exclude the objects that only one side accepts.
        let has_rules = !sides[0].rules.is_empty();
        if by_fields == Some(Presence::Rejects) && !has_rules {
            return (rejected, Effect::Narrower);
        }
        let (more, less) = if is_added { (&after, &before) } else { (&before, &after) };
        let changed: Vec<_> = more.iter().filter(|(text, _)| !less.contains_key(*text)).collect();
        let whole = sides[usize::from(is_added)];
        let mut apart = changed.iter().filter(|(text, one)| is_apart((text, one), more, whole));
        if is_added && apart.clone().count() == changed.len() {
            return (Kind::CombinationLoosened, Effect::Wider);
        }
        if !is_added && !has_rules && apart.any(|(_, one)| is_possible(one, whole)) {
            return (rejected, Effect::Narrower);
        }
        // What matched one member only matches a wider one, too.
        let mut doubled = less
            .iter()
            .filter(|one| is_apart((one.0, one.1), less, sides[0]) && is_possible(one.1, sides[0]));
        if is_added
            && !has_rules
            && doubled.any(|one| changed.iter().any(|other| self.is_within(one, (other.0, other.1))))
        {
            return (rejected, Effect::Narrower);
        }
        // What matched two members matches one.
        if !is_added
            && changed
                .iter()
                .all(|one| less.iter().any(|other| self.is_within((one.0, one.1), other)))
        {
            return (Kind::CombinationLoosened, Effect::Wider);
        }
        unknown
    }
}

fn members(schema: &Schema) -> Members<'_> {
    let members = schema.logic.get(KEYWORD).into_iter().flatten();
    members.map(|member| (normal::schema(member), member)).collect()
}

/// Whether a member is repeated, so that no value matches it alone.
fn is_repeated(sides: [&Schema; 2]) -> bool {
    let mut counts = sides
        .iter()
        .map(|side| (side.logic.get(KEYWORD).map_or(0, Vec::len), members(side).len()));
    counts.any(|(all, different)| all != different)
}

/// Whether no value that matches a member matches another one.
fn is_apart((text, one): (&String, &Schema), all: &Members<'_>, whole: &Schema) -> bool {
    let mut others = all.iter().filter(|(other, _)| *other != text);
    others.all(|(_, other)| exclude([one, other], whole))
}

/// Whether the form of two alternatives says that no value matches both. `whole`: the schema that they are alternatives
/// of.
fn exclude(sides: [&Schema; 2], whole: &Schema) -> bool {
    let [one, other] = sides;
    if let (Some(kind), Some(second)) = (&one.kind, &other.kind)
        && kind != second
        && !(one.nullable && other.nullable)
        && ![kind, second]
            .iter()
            .all(|kind| ["integer", "number"].contains(&kind.as_str()))
    {
        return true;
    }
    if let (Some(values), Some(others)) = (&one.values, &other.values)
        && !values
            .iter()
            .any(|value| others.iter().any(|second| normal::word(value) == normal::word(second)))
    {
        return true;
    }
    if whole.kind.as_deref() != Some("object") || whole.nullable {
        return false;
    }
    if forbids(one, &other.required) || forbids(other, &one.required) {
        return true;
    }
    one.properties.iter().any(|(name, field)| {
        let is_set = [one, other, whole].iter().any(|schema| schema.required.contains(name));
        match (other.properties.get(name), whole.properties.get(name)) {
            (Some(second), Some(of)) if is_set => exclude([&field.schema, &second.schema], &of.schema),
            _ => false,
        }
    })
}

/// Whether an alternative refuses objects that have some fields: `not: {required: [a]}`.
fn forbids(one: &Schema, set: &BTreeSet<String>) -> bool {
    let members = one.logic.get("not").into_iter().flatten();
    let mut plain = members.filter(|member| {
        let only_required = Schema {
            required: member.required.clone(),
            ..Schema::default()
        };
        **member == only_required && !member.required.is_empty()
    });
    plain.any(|member| member.required.is_subset(set))
}

/// Whether there may be a value that matches an alternative, by the fields and values that the schema around it has.
fn is_possible(one: &Schema, whole: &Schema) -> bool {
    let fields = one.properties.iter();
    let mut fields = fields.map(|(name, field)| (&field.schema, whole.properties.get(name)));
    let are_listed = one.required.iter().all(|name| whole.properties.contains_key(name));
    are_listed
        && has_common(one.values.as_deref(), whole.values.as_deref())
        && one.logic.is_empty()
        && fields.all(|(field, of)| of.is_some_and(|of: &Property| is_possible(field, &of.schema)))
}

fn has_common(values: Option<&[Json]>, others: Option<&[Json]>) -> bool {
    let both = values.zip(others);
    both.is_none_or(|(values, others)| {
        let words: BTreeSet<String> = others.iter().map(normal::word).collect();
        values.iter().any(|value| words.contains(&normal::word(value)))
    })
}
