//! `allOf` of nothing but bounds, patterns and enums: they hold as if they were keywords of the schema itself.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::node::{Bound, Schema};

use super::normal;
use super::number::{is_lower, tighter};

/// The keywords of `allOf` that count as those of the schema around it, in both of two schemas that are compared: what
/// only one of them could take from `allOf` would look like a change of the other.
pub(super) struct Folding {
    /// The combinations of which all members must match.
    keywords: Vec<&'static str>,
    pattern: bool,
    /// Servers check `null` against an own enum alone.
    values: bool,
    /// Bounds that are left where they are.
    unfolded: BTreeSet<Bound>,
}

impl Folding {
    pub(super) fn of(schemas: [&Schema; 2]) -> Self {
        let keywords = ["allOf", "anyOf", "oneOf"].into_iter().filter(|keyword| {
            let mut schemas = schemas.iter();
            *keyword == "allOf" || schemas.all(|schema| has_few(schema, keyword))
        });
        let mut folding = Self {
            keywords: keywords.collect(),
            pattern: true,
            values: schemas.iter().all(|schema| !schema.nullable),
            unfolded: BTreeSet::new(),
        };
        for schema in schemas {
            let [patterns, divisors] = folding.count(schema);
            // Of two patterns, and of two divisors, none is the narrower one.
            folding.pattern &= patterns <= 1;
            folding.unfolded.extend((divisors > 1).then_some(Bound::MultipleOf));
            for (mark, bound) in EXCLUSIVE {
                folding.unfolded.extend(schema.says(mark).then_some(bound));
            }
        }
        folding
    }

    /// The schemas that all values of a schema must match, too.
    fn members<'s>(&self, schema: &'s Schema) -> impl Iterator<Item = &'s Schema> {
        let keywords = self.keywords.iter().map(|keyword| (keyword, members(schema, keyword)));
        let all = keywords.filter(|(keyword, members)| is_of_all(keyword, members));
        all.flat_map(|(_, members)| members)
    }

    /// The patterns and the divisors that all values of a schema must match.
    fn count(&self, schema: &Schema) -> [usize; 2] {
        let members = self.members(schema);
        [schema]
            .into_iter()
            .chain(members)
            .fold([0, 0], |[patterns, divisors], schema| {
                let [pattern, divisor] = [schema.pattern.is_some(), schema.bounds.contains_key(&Bound::MultipleOf)];
                [patterns + usize::from(pattern), divisors + usize::from(divisor)]
            })
    }

    /// The keywords of a value itself, with those of the members of `allOf` that have no others. Fields, items and
    /// combinations are left out of a copy.
    pub(super) fn folded<'s>(&self, schema: &'s Schema) -> Cow<'s, Schema> {
        let mut members = self
            .members(schema)
            .filter(|member| is_of_own_keywords(member))
            .peekable();
        if members.peek().is_none() {
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
            for (bound, number) in member
                .bounds
                .iter()
                .filter(|(bound, _)| !self.unfolded.contains(*bound))
            {
                let both = own.bounds.get(bound).map(|own| tighter(own, number, is_lower(*bound)));
                let both = both.unwrap_or(number).clone();
                own.bounds.insert(*bound, both);
            }
            let pattern = member.pattern.as_ref().filter(|_| self.pattern);
            own.pattern = own.pattern.or_else(|| pattern.cloned());
            let values = member.values.as_ref().filter(|_| self.values);
            own.values = match (own.values.take(), values) {
                (Some(own), Some(others)) => Some(common(own, others)),
                (own, others) => own.or_else(|| others.cloned()),
            };
        }
        Cow::Owned(own)
    }

    /// The members of a keyword, without what counts as keywords of the schema itself.
    pub(super) fn left<'s>(&self, schema: &'s Schema, keyword: &str) -> Vec<Cow<'s, Schema>> {
        let members = members(schema, keyword);
        let is_of_all = self.keywords.contains(&keyword) && is_of_all(keyword, members);
        let members = members.iter();
        let left = members.map(|member| {
            if is_of_all && is_of_own_keywords(member) {
                self.rest(member)
            } else {
                Some(Cow::Borrowed(member))
            }
        });
        left.flatten().collect()
    }

    /// A member without the keywords that are folded; `None` if it has no others.
    fn rest<'s>(&self, member: &Schema) -> Option<Cow<'s, Schema>> {
        let bounds = member.bounds.iter().filter(|(bound, _)| self.unfolded.contains(*bound));
        let rest = Schema {
            pattern: member.pattern.clone().filter(|_| !self.pattern),
            values: member.values.clone().filter(|_| !self.values),
            bounds: bounds.map(|(bound, number)| (*bound, number.clone())).collect(),
            ..Schema::default()
        };
        (rest != Schema::default()).then_some(Cow::Owned(rest))
    }
}

/// The keywords of a value itself, with all that its `allOf` says beside them.
pub(super) fn folded(schema: &Schema) -> Cow<'_, Schema> {
    Folding::of([schema; 2]).folded(schema)
}

/// The marks by which a bound does not include its number.
const EXCLUSIVE: [(&str, Bound); 2] = [
    ("exclusiveMinimum", Bound::Minimum),
    ("exclusiveMaximum", Bound::Maximum),
];

/// Whether a schema has bounds, a pattern or an enum, and no other keywords.
fn is_of_own_keywords(member: &Schema) -> bool {
    let rest_is_empty = *member
        == Schema {
            bounds: member.bounds.clone(),
            pattern: member.pattern.clone(),
            values: member.values.clone(),
            description: member.description.clone(),
            ..Schema::default()
        };
    let is_empty = member.bounds.is_empty() && member.pattern.is_none() && member.values.is_none();
    rest_is_empty && !is_empty
}

/// Whether a keyword has at most one member, or accepts everything.
fn has_few(schema: &Schema, keyword: &str) -> bool {
    let members = members(schema, keyword);
    members.len() <= 1 || keyword == "anyOf" && members.iter().any(|member| normal::schema(member) == "{}")
}

/// Whether values must match all members of a keyword.
fn is_of_all(keyword: &str, members: &[Schema]) -> bool {
    keyword == "allOf" || members.len() == 1
}

fn members<'s>(schema: &'s Schema, keyword: &str) -> &'s [Schema] {
    schema.logic.get(keyword).map(Vec::as_slice).unwrap_or_default()
}

/// The values that are in both lists.
fn common(own: Vec<Json>, others: &[Json]) -> Vec<Json> {
    let others: BTreeMap<String, &Json> = others.iter().map(|value| (normal::word(value), value)).collect();
    own.into_iter()
        .filter(|value| others.contains_key(&normal::word(value)))
        .collect()
}
