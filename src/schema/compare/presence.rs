//! Combinations that are about nothing but which fields are set, decided by trying all sets of fields.

use std::collections::BTreeSet;

use crate::schema::node::Schema;

use super::KEPT;

/// Fields of which all sets are tried.
const MOST_FIELDS: usize = 10;

/// Alternatives and what is in them, each for each set of fields.
const MOST_STEPS: usize = 1_000_000;

/// How the sets of fields that one schema accepts compare with those of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// The same.
    Same,
    /// No object of before is rejected.
    Wider,
    /// Objects with some fields are rejected that were accepted.
    Rejects,
}

/// A field by its steps: `["hash", "cookie"]`.
type Field<'s> = Vec<&'s str>;

/// Compares what two schemas demand of fields, where all that they combine is which fields are set; `None` if something
/// else is combined. `keeps_unlisted`: whether old objects may have fields that the old schema does not list. `always`
/// are fields that all objects have.
pub(super) fn compared(old: &Schema, new: &Schema, keeps_unlisted: bool, always: &[&str]) -> Option<Presence> {
    let mut fields = BTreeSet::new();
    for schema in [old, new] {
        let all_known = is_object(schema) && collect(schema, schema, &mut Vec::new(), &mut fields);
        all_known.then_some(())?;
    }
    let steps = [old, new].map(size).iter().sum::<usize>();
    if fields.len() > MOST_FIELDS || steps > MOST_STEPS >> fields.len() {
        return None;
    }
    let fields: Vec<Field<'_>> = fields.into_iter().collect();
    let new_fields = fields
        .iter()
        .filter(|field| !keeps_unlisted && !always.contains(&field[0]) && is_dropped(old, field) && lists(new, field));
    let new_fields: BTreeSet<&[&str]> = new_fields.map(Vec::as_slice).collect();
    let mut is_same = true;
    for combination in 0..1_u32 << fields.len() {
        let set = fields.iter().enumerate().filter(|(at, _)| combination >> at & 1 == 1);
        let set: BTreeSet<&[&str]> = set.map(|(_, field)| field.as_slice()).collect();
        if !is_possible(&set, &fields) {
            continue;
        }
        let [was, is] = [old, new].map(|schema| defaulted(&set, &fields, schema));
        if !has_required(old, &was, &fields) {
            continue;
        }
        let [before, after] = [meets(old, &was, &[]), meets(new, &is, &[])];
        is_same &= before == after;
        if before && !after && set.is_disjoint(&new_fields) {
            return Some(Presence::Rejects);
        }
    }
    Some(if is_same { Presence::Same } else { Presence::Wider })
}

/// The schemas in the combinations of a schema.
fn size(schema: &Schema) -> usize {
    schema.logic.values().flatten().map(size_of_member).sum()
}

fn size_of_member(member: &Schema) -> usize {
    let fields = member.properties.values();
    let of_fields: usize = fields.map(|field| size_of_member(&field.schema)).sum();
    1 + of_fields + size(member)
}

/// Whether a value is an object: `required` accepts all that is none.
fn is_object(schema: &Schema) -> bool {
    schema.kind.as_deref() == Some("object") && !schema.nullable
}

/// Collects the fields that the combinations of a schema are about; `false` if they are about anything else. `of` lists
/// the fields of the objects.
fn collect<'s>(schema: &'s Schema, of: &Schema, path: &mut Field<'s>, found: &mut BTreeSet<Field<'s>>) -> bool {
    schema
        .logic
        .values()
        .flatten()
        .all(|member| collect_member(member, of, path, found))
}

fn collect_member<'s>(member: &'s Schema, of: &Schema, path: &mut Field<'s>, found: &mut BTreeSet<Field<'s>>) -> bool {
    for name in &member.required {
        found.insert(path.iter().copied().chain([name.as_str()]).collect());
    }
    let rest = Schema {
        required: member.required.clone(),
        properties: member.properties.clone(),
        logic: member.logic.clone(),
        description: member.description.clone(),
        ..Schema::default()
    };
    let mut demanding = member
        .properties
        .iter()
        .filter(|(_, field)| *field.schema != Schema::default());
    let fields_known = demanding.all(|(name, field)| {
        let Some(inner) = of.properties.get(name).filter(|inner| is_object(&inner.schema)) else {
            return false;
        };
        path.push(name);
        found.insert(path.clone());
        let all_known = collect_member(&field.schema, &inner.schema, path, found);
        path.pop();
        all_known
    });
    *member == rest && fields_known && collect(member, of, path, found)
}

/// Whether a field of a field is set only where that one is.
fn is_possible(set: &BTreeSet<&[&str]>, fields: &[Field<'_>]) -> bool {
    set.iter().all(|field| {
        let above = &field[..field.len() - 1];
        let is_known = fields.iter().any(|known| known == above);
        above.is_empty() || set.contains(above) || !is_known
    })
}

/// Whether an object with just these fields has those of them that its schema requires.
fn has_required(schema: &Schema, set: &BTreeSet<&[&str]>, fields: &[Field<'_>]) -> bool {
    fields.iter().all(|field| {
        let (above, name) = field.split_at(field.len() - 1);
        let is_required = owner(schema, above).is_some_and(|object| object.required.contains(name[0]));
        let is_there = above.is_empty() || set.contains(above);
        !is_required || !is_there || set.contains(field.as_slice())
    })
}

/// The schema of a field.
fn owner<'s>(schema: &'s Schema, field: &[&str]) -> Option<&'s Schema> {
    let mut names = field.iter();
    names.try_fold(schema, |object, name| Some(&*object.properties.get(*name)?.schema))
}

/// Whether a schema drops a field of objects, as it does not list it.
fn is_dropped(schema: &Schema, field: &[&str]) -> bool {
    let Some((first, rest)) = field.split_first() else {
        return false;
    };
    match schema.properties.get(*first) {
        Some(listed) => is_dropped(&listed.schema, rest),
        None => !schema.says(KEPT) && schema.additional.is_none(),
    }
}

fn lists(schema: &Schema, field: &[&str]) -> bool {
    field.split_first().is_none_or(|(first, rest)| {
        let listed = schema.properties.get(*first);
        listed.is_some_and(|listed| lists(&listed.schema, rest))
    })
}

/// The fields that are set, with those that have a default in an object that is there.
fn defaulted<'s>(set: &BTreeSet<&'s [&'s str]>, fields: &'s [Field<'s>], schema: &Schema) -> BTreeSet<&'s [&'s str]> {
    let mut all = set.clone();
    // A field of a field comes after that one.
    for field in fields {
        let (above, name) = field.split_at(field.len() - 1);
        let listed = owner(schema, above).and_then(|object| object.properties.get(name[0]));
        if listed.is_some_and(|listed| listed.schema.default.is_some()) && (above.is_empty() || all.contains(above)) {
            all.insert(field);
        }
    }
    all
}

/// Whether an object with just these fields meets the combinations of a schema.
fn meets(schema: &Schema, set: &BTreeSet<&[&str]>, path: &[&str]) -> bool {
    schema.logic.iter().all(|(keyword, members)| {
        let count = members.iter().filter(|member| meets_member(member, set, path)).count();
        match *keyword {
            "allOf" => count == members.len(),
            "anyOf" => count > 0,
            "oneOf" => count == 1,
            _ => count == 0,
        }
    })
}

fn meets_member(member: &Schema, set: &BTreeSet<&[&str]>, path: &[&str]) -> bool {
    member
        .required
        .iter()
        .all(|name| set.contains([path, &[name.as_str()]].concat().as_slice()))
        && member.properties.iter().all(|(name, field)| {
            let inner = [path, &[name.as_str()]].concat();
            !set.contains(inner.as_slice()) || meets_member(&field.schema, set, &inner)
        })
        && meets(member, set, path)
}
