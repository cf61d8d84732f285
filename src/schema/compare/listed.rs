//! Whether a schema accepts each value of an enum.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::cel::implied::take;
use crate::pattern::Pattern;
use crate::schema::node::{Bound, Schema};

use super::normal;
use super::number::exact;

/// Values of an enum that are looked at.
const MOST_VALUES: usize = 200;

/// The values of an old enum that a new one has, too. Those that it has no more are reported for themselves.
pub(super) fn kept_values<'s>(old: &'s Schema, new: &Schema) -> Option<Vec<&'s Json>> {
    let values = old.values.as_ref().filter(|values| values.len() <= MOST_VALUES)?;
    let others = new.values.as_ref().map(|others| words(others));
    let kept = values.iter().filter(|value| {
        others
            .as_ref()
            .is_none_or(|others| others.contains(&normal::word(value)))
    });
    let kept: Vec<&Json> = kept.collect();
    let are_scalars = kept
        .iter()
        .all(|value| value.is_string() || value.is_number() || value.is_boolean());
    (are_scalars && !kept.is_empty()).then_some(kept)
}

/// Values in their normal form.
pub(super) fn words(values: &[Json]) -> BTreeSet<String> {
    values.iter().map(normal::word).collect()
}

/// Whether all these values match a pattern; `false` also where that is not known.
pub(super) fn all_match(values: &[&Json], pattern: &str, left: &mut usize) -> bool {
    let mut texts = values.iter().filter_map(|value| value.as_str()).peekable();
    if texts.peek().is_none() {
        return true;
    }
    let pattern = take(pattern.len(), left).then(|| Pattern::of(pattern)).flatten();
    pattern.is_some_and(|pattern| texts.all(|text| pattern.matches(text, left) == Some(true)))
}

/// Whether a schema accepts a value that has no parts; `None` where that is not known.
pub(super) fn accepts(schema: &Schema, value: &Json, left: &mut usize) -> Option<bool> {
    let known = Schema {
        kind: schema.kind.clone(),
        description: schema.description.clone(),
        values: schema.values.clone(),
        pattern: schema.pattern.clone(),
        bounds: schema.bounds.clone(),
        // Of objects alone.
        required: schema.required.clone(),
        properties: schema.properties.clone(),
        logic: schema.logic.clone(),
        ..Schema::default()
    };
    let listed = schema.values.as_ref().map_or(0, Vec::len);
    if *schema != known || !take(1 + listed, left) {
        return None;
    }
    let of_type = schema
        .kind
        .as_deref()
        .map_or(Some(true), |kind| is_of_type(kind, value));
    let of_values = schema
        .values
        .as_ref()
        .map(|values| words(values).contains(&normal::word(value)));
    let of_pattern = match (&schema.pattern, value.as_str()) {
        (Some(pattern), Some(text)) => Pattern::of(pattern)?.matches(text, left)?,
        _ => true,
    };
    let of_bounds = schema
        .bounds
        .iter()
        .map(|(bound, number)| is_within(*bound, exact(number)?, value));
    let of_bounds = of_bounds.collect::<Option<Vec<_>>>()?;
    let own = of_type? && of_values != Some(false) && of_pattern && !of_bounds.contains(&false);
    let of_logic = schema
        .logic
        .iter()
        .map(|(keyword, members)| combined(keyword, members, value, left));
    Some(own && !of_logic.collect::<Option<Vec<_>>>()?.contains(&false))
}

/// Whether a value meets a combination.
pub(super) fn combined(keyword: &str, members: &[Schema], value: &Json, left: &mut usize) -> Option<bool> {
    let met = members.iter().map(|member| accepts(member, value, left));
    let met = met.collect::<Option<Vec<bool>>>()?;
    let count = met.iter().filter(|met| **met).count();
    Some(match keyword {
        "allOf" => count == met.len(),
        "anyOf" => count > 0,
        "oneOf" => count == 1,
        _ => count == 0,
    })
}

fn is_of_type(kind: &str, value: &Json) -> Option<bool> {
    Some(match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        "object" | "array" => false,
        _ => return None,
    })
}

/// Whether a value is within a bound, if that bounds values of its type.
fn is_within(bound: Bound, number: i64, value: &Json) -> Option<bool> {
    let length = value.as_str().and_then(|text| i64::try_from(text.chars().count()).ok());
    Some(match bound {
        Bound::Minimum if value.is_number() => value.as_i64()? >= number,
        Bound::Maximum if value.is_number() => value.as_i64()? <= number,
        Bound::MultipleOf if value.is_number() => return None,
        Bound::MinLength => length.is_none_or(|length| length >= number),
        Bound::MaxLength => length.is_none_or(|length| length <= number),
        _ => true,
    })
}
