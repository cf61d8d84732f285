//! Bounds of numbers and sizes.

use std::cmp::Ordering;

use serde_json::{Number, Value as Json};
use strum::VariantArray;

use crate::cel::known::LARGEST;
use crate::pattern::Pattern;
use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::format;
use crate::schema::node::{Bound, Schema};

use super::number::{Value, is_lower};
use super::shape::shape;
use super::{Comparison, KEPT, held};

/// A bound as it applies: for integers, an inclusive integer.
#[derive(Debug, Clone, Copy)]
struct Limit {
    value: Value,
    exclusive: bool,
}

impl Limit {
    /// A limit of sizes that leaves room for so many less.
    fn less(self, by: i128) -> Self {
        let value = match self.value {
            Value::Whole(whole) => Value::Whole(whole.saturating_sub(by)),
            real @ Value::Real(_) => real,
        };
        Self { value, ..self }
    }

    /// The same for numbers that are written whole.
    fn cut(self) -> Self {
        Self {
            value: self.value.cut(),
            ..self
        }
    }
}

impl Comparison {
    /// `most`: the most fields that objects of either schema have. `filled`: how many new ones the old objects get.
    pub(super) fn bounds(&mut self, sides: [&Schema; 2], shape: &str, (most, filled): ([Option<i128>; 2], i128)) {
        let [old, new] = sides;
        for bound in Bound::VARIANTS.iter().copied() {
            let mut written = sides.map(|schema| written(schema, bound));
            let is_written_alike = written[0] == written[1];
            if is_written_alike {
                self.exclusive_of_nothing(bound, is_exclusive(old, bound), is_exclusive(new, bound));
            }
            let is_filled = filled > 0 && bound == Bound::MaxProperties;
            if is_written_alike && !is_filled {
                continue;
            }
            let effect = self.bound(bound, sides, shape, (most, if is_filled { filled } else { 0 }));
            if is_written_alike && effect == Effect::Same {
                continue;
            }
            if let (true, [_, Some(number)]) = (is_filled, &mut written) {
                *number = Json::from(format!("{number}, of which new defaults take {filled}"));
            }
            self.add(kind_of(effect), effect, Some(bound.into_str()), written);
        }
        self.unique(old, new, shape);
    }

    /// The effect of a bound on values of the old schema. `filled`: how many fields more these have by defaults.
    fn bound(
        &mut self,
        bound: Bound,
        [old, new]: [&Schema; 2],
        shape: &str,
        (most, filled): ([Option<i128>; 2], i128),
    ) -> Effect {
        if !applies(bound, shape) {
            return Effect::Same;
        }
        if bound == Bound::MultipleOf {
            return multiples(old.bounds.get(&bound), new.bounds.get(&bound), shape);
        }
        if is_moot(bound, [old, new]) {
            return Effect::Same;
        }
        let before = held(old, bound, shape, most[0]);
        let after = held(new, bound, shape, most[1]).map(|limit| limit.less(filled));
        let effect = tightness(before, after, is_lower(bound));
        // What the rules of the other side demand, too, is no change.
        let (limit, other) = match effect {
            Effect::Narrower => (after, old),
            Effect::Wider => (before, new),
            _ => return effect,
        };
        match limit.map(|limit| limit.value) {
            Some(Value::Whole(whole)) if self.steps.read_rules(&[other]) && is_demanded(other, bound, whole) => {
                Effect::Same
            }
            _ => effect,
        }
    }

    /// The most fields that objects have when they are checked, as unlisted ones are dropped before; `None` if any are
    /// kept.
    pub(super) fn most_fields(&self, schemas: [&Schema; 2]) -> [Option<i128>; 2] {
        let [old, new] = schemas;
        [(old, self.kept_unknown[0]), (new, self.kept_unknown[1])].map(|(schema, kept)| {
            let keeps_others = kept || KEEPERS.iter().any(|flag| schema.says(flag));
            let listed = &schema.properties;
            if keeps_others || schema.additional.is_some() || listed.is_empty() {
                return None;
            }
            let unlisted = self
                .of_every_object()
                .iter()
                .filter(|name| !listed.contains_key(**name));
            i128::try_from(listed.len() + unlisted.count()).ok()
        })
    }

    /// An exclusive mark without a bound has no effect.
    fn exclusive_of_nothing(&mut self, bound: Bound, old: bool, new: bool) {
        if old != new {
            let subject = match bound {
                Bound::Minimum => "exclusiveMinimum",
                _ => "exclusiveMaximum",
            };
            let flags = [Some(old), Some(new)];
            self.add(Kind::Restated, Effect::Same, Some(subject), flags);
        }
    }

    fn unique(&mut self, old: &Schema, new: &Schema, shape: &str) {
        const UNIQUE: &str = "uniqueItems";
        let (before, after) = (old.says(UNIQUE), new.says(UNIQUE));
        if before == after {
            return;
        }
        let effect = match (after, ["array", "any"].contains(&shape)) {
            (_, false) => Effect::Same,
            (true, true) => Effect::Narrower,
            (false, true) => Effect::Wider,
        };
        let flags = [Some(before), Some(after)];
        self.add(kind_of(effect), effect, Some(UNIQUE), flags);
    }
}

/// The number of new fields that objects of before get by a default.
pub(super) fn filled(old: &Schema, new: &Schema) -> i128 {
    let fields = new.properties.iter();
    let added = fields.filter(|(name, field)| field.schema.default.is_some() && !old.properties.contains_key(*name));
    i128::try_from(added.count()).unwrap_or(i128::MAX)
}

fn is_exclusive(schema: &Schema, bound: Bound) -> bool {
    match bound {
        Bound::Minimum => schema.says("exclusiveMinimum"),
        Bound::Maximum => schema.says("exclusiveMaximum"),
        _ => false,
    }
}

/// A bound as people write it.
fn written(schema: &Schema, bound: Bound) -> Option<Json> {
    let number = schema.bounds.get(&bound)?;
    Some(match bound {
        _ if !is_exclusive(schema, bound) => Json::Number(number.clone()),
        Bound::Minimum => Json::from(format!("> {number}")),
        _ => Json::from(format!("< {number}")),
    })
}

fn kind_of(effect: Effect) -> Kind {
    match effect {
        Effect::Same => Kind::Restated,
        Effect::Wider => Kind::BoundLoosened,
        Effect::Narrower => Kind::BoundTightened,
        Effect::Unclear => Kind::BoundChanged,
    }
}

/// Whether a bound applies to values of a type.
fn applies(bound: Bound, shape: &str) -> bool {
    let shapes: &[&str] = match bound {
        Bound::Minimum | Bound::Maximum | Bound::MultipleOf => &["integer", "number", "int-or-string"],
        Bound::MinLength | Bound::MaxLength => &["string", "int-or-string"],
        Bound::MinItems | Bound::MaxItems => &["array"],
        Bound::MinProperties | Bound::MaxProperties => &["object"],
    };
    shape == "any" || shapes.contains(&shape)
}

/// Whether the rules of a schema demand a bound.
fn is_demanded(schema: &Schema, bound: Bound, whole: i128) -> bool {
    i64::try_from(whole).is_ok_and(|whole| held::demands_bound(schema, bound, whole))
}

/// Whether the enum values of both schemas are within the bounds of both. Added and removed enum values are reported
/// separately.
fn is_moot(bound: Bound, schemas: [&Schema; 2]) -> bool {
    let [Some(old), new] = schemas.map(|schema| schema.values.as_deref()) else {
        return false;
    };
    let mut common = old
        .iter()
        .filter(|value| new.is_none_or(|values| values.contains(value)));
    common.all(|value| {
        let size = match (bound, value) {
            (Bound::Minimum | Bound::Maximum, Json::Number(number)) => Value::of(number),
            (Bound::MinLength | Bound::MaxLength, Json::String(text)) => {
                Value::Whole(i128::try_from(text.chars().count()).unwrap_or(i128::MAX))
            }
            // It bounds no other values.
            (Bound::Minimum | Bound::Maximum | Bound::MinLength | Bound::MaxLength, _) => return true,
            _ => return false,
        };
        schemas.iter().all(|schema| holds(bound, size, schema))
    })
}

fn holds(bound: Bound, size: Value, schema: &Schema) -> bool {
    let Some(limit) = schema.bounds.get(&bound) else {
        return true;
    };
    let limit = Value::of_bound(limit);
    // Servers refuse all integers beside a bound that is none.
    if shape(schema) == "integer" && matches!(limit, Value::Real(_)) {
        return false;
    }
    let order = size.cmp(if matches!(size, Value::Whole(_)) {
        limit.cut()
    } else {
        limit
    });
    if order.is_eq() {
        return !is_exclusive(schema, bound);
    }
    order.is_gt() == is_lower(bound)
}

/// The keywords of objects that keep fields beside the listed ones.
const KEEPERS: [&str; 2] = [KEPT, "x-kubernetes-embedded-resource"];

/// Bytes of a pattern that is read to find out whether it refuses the empty text.
const MOST_READ: usize = 200;

/// Steps that this may take.
const MOST_STEPS: usize = 1_000;

/// Whether nothing is beyond a bound of a size: none is below zero, none is larger than a request, and some formats and
/// patterns refuse the empty text.
fn is_beyond_sizes(schema: &Schema, bound: Bound, value: Value) -> bool {
    if !is_lower(bound) {
        return value.cmp(Value::Whole(LARGEST.into())).is_ge();
    }
    let least = Value::Whole((bound == Bound::MinLength && refuses_empty(schema)).into());
    value.cmp(least).is_le()
}

/// Whether a format or a pattern refuses the empty text.
fn refuses_empty(schema: &Schema) -> bool {
    let by_format = schema.format.as_deref().is_some_and(format::refuses_empty);
    let pattern = schema.pattern.as_deref().filter(|pattern| pattern.len() <= MOST_READ);
    by_format
        || pattern
            .and_then(Pattern::of)
            .is_some_and(|pattern| pattern.matches("", &mut { MOST_STEPS }) == Some(false))
}

/// Whether a bound is one on the number of fields that objects with at most so many meet anyway.
fn is_beyond_fields(bound: Bound, value: Value, most: Option<i128>) -> bool {
    bound == Bound::MaxProperties && most.is_some_and(|most| value.cmp(Value::Whole(most)).is_ge())
}

/// Whether the format of whole numbers has nothing beyond a bound.
fn is_beyond_format(schema: &Schema, bound: Bound, value: Value) -> bool {
    let Some([least, largest]) = schema.format.as_deref().and_then(format::range) else {
        return false;
    };
    if is_lower(bound) {
        value.cmp(Value::Whole(least)).is_le()
    } else {
        value.cmp(Value::Whole(largest)).is_ge()
    }
}

/// A bound as it applies to objects of at most so many fields; `None` if nothing is beyond it.
fn held(schema: &Schema, bound: Bound, shape: &str, most: Option<i128>) -> Option<Limit> {
    let (lower, exclusive) = (is_lower(bound), is_exclusive(schema, bound));
    let value = Value::of_bound(schema.bounds.get(&bound)?);
    let sizes = !matches!(bound, Bound::Minimum | Bound::Maximum);
    if sizes && (is_beyond_sizes(schema, bound, value) || is_beyond_fields(bound, value, most)) {
        return None;
    }
    if !sizes && shape != "integer" {
        return Some(Limit { value, exclusive });
    }
    let inner = match (value, exclusive, lower) {
        (Value::Whole(whole), false, _) => whole,
        (Value::Whole(whole), true, true) => whole.saturating_add(1),
        (Value::Whole(whole), true, false) => whole.saturating_sub(1),
        // Servers refuse all integers beside a bound that is none.
        (Value::Real(_), _, true) => i128::MAX,
        (Value::Real(_), _, false) => i128::MIN,
    };
    let inner = Value::Whole(inner);
    (sizes || !is_beyond_format(schema, bound, inner)).then_some(Limit {
        value: inner,
        exclusive: false,
    })
}

fn tightness(old: Option<Limit>, new: Option<Limit>, lower: bool) -> Effect {
    let of_reals = room(old, new, lower);
    let of_wholes = room(old.map(Limit::cut), new.map(Limit::cut), lower);
    match of_reals.then(of_wholes) {
        order if of_wholes == order.reverse() && of_wholes.is_ne() => Effect::Unclear,
        order => Effect::of_room(order),
    }
}

/// The room that one limit leaves compared with another one.
fn room(old: Option<Limit>, new: Option<Limit>, lower: bool) -> Ordering {
    match (old, new) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(old), Some(new)) => {
            let inward = new.value.cmp(old.value);
            let inward = if lower { inward } else { inward.reverse() };
            inward.then(new.exclusive.cmp(&old.exclusive))
        }
    }
}

/// The effect of a change of `multipleOf`: all multiples of four are multiples of two.
fn multiples(old: Option<&Number>, new: Option<&Number>, shape: &str) -> Effect {
    // All integers are multiples of one.
    let is_moot = shape == "integer";
    let numbers = [old, new].map(|number| Some(Value::of(number?)));
    match numbers.map(|value| value.filter(|value| !(is_moot && value.cmp(Value::Whole(1)).is_eq()))) {
        [None, None] => Effect::Same,
        [None, Some(_)] => Effect::Narrower,
        [Some(_), None] => Effect::Wider,
        [Some(Value::Whole(a)), Some(Value::Whole(b))] if a > 0 && b > 0 => match (a % b, b % a) {
            (0, 0) => Effect::Same,
            (0, _) => Effect::Wider,
            (_, 0) => Effect::Narrower,
            _ => Effect::Unclear,
        },
        [Some(a), Some(b)] if a.cmp(b).is_eq() => Effect::Same,
        _ => Effect::Unclear,
    }
}
