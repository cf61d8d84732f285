//! What is known of the values that an old schema accepts, where a new one checks them; or the other way round.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Number, Value as Json};

use crate::cel::implied::take;
use crate::cel::known::{ANY_SIZE, Facts, Field, Known, Texts};
use crate::schema::format::is_read_as_text;
use crate::schema::node::{Additional, Bound, Schema};
use crate::schema::path::OF_EVERY_OBJECT;

use super::folded::folded;
use super::listed::words;
use super::normal::word;
use super::number::{exact, is_lower, tighter};
use super::shape::{KEPT, shape};

/// What is looked for, and within which limit.
pub(super) struct Search<'s, 'l> {
    /// The words of the rules that ask: other fields are left out.
    pub(super) words: BTreeSet<&'s str>,
    /// The schemas that may be looked at still.
    pub(super) left: &'l mut usize,
}

impl<'s, 'l> Search<'s, 'l> {
    pub(super) fn new(rules: impl Iterator<Item = &'s str>, left: &'l mut usize) -> Self {
        let words = rules.flat_map(|rule| rule.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        Self {
            words: words.collect(),
            left,
        }
    }

    /// What is known of the values of an old schema: fields that are new are absent or have their default, required
    /// ones are set, an enum has no other values, and sizes are within their bounds. `always`: the fields that all
    /// objects have, listed or not.
    pub(super) fn known(&mut self, old: &Schema, new: &Schema, always: &[&str]) -> Known {
        let are_references = old.reference.is_some() || new.reference.is_some();
        if are_references || old.nullable || shape(old) != shape(new) || !take(1, self.left) {
            return Known::Any;
        }
        let own = of_both(&folded(old), &folded(new));
        match shape(old) {
            "object" if matches!(old.additional, Some(Additional::Of(_))) => self.map([old, new], &own),
            "object" => Known::Object(Rc::new(self.facts(old, new, always))),
            "any" if !old.properties.is_empty() => Known::Object(Rc::new(self.facts(old, new, always))),
            "array" => self.list([old, new], &own),
            "string" => of_texts(&own, new),
            "integer" => of_integers(&own),
            "boolean" => Known::Bool([true; 2]),
            "number" => of_reals(&own),
            _ => Known::Any,
        }
    }

    fn map(&mut self, [old, new]: [&Schema; 2], own: &Schema) -> Known {
        let values = match (&old.additional, &new.additional) {
            (Some(Additional::Of(old)), Some(Additional::Of(new))) => self.known(old, new, &[]),
            _ => return Known::Any,
        };
        Known::Map {
            values: Rc::new(values),
            sizes: sizes(own, [Bound::MinProperties, Bound::MaxProperties]),
        }
    }

    fn list(&mut self, [old, new]: [&Schema; 2], own: &Schema) -> Known {
        let items = match (&old.items, &new.items) {
            (Some(old), Some(new)) => self.known(old, new, &[]),
            _ => Known::Any,
        };
        Known::List {
            items: Rc::new(items),
            sizes: sizes(own, [Bound::MinItems, Bound::MaxItems]),
        }
    }

    fn facts(&mut self, old: &Schema, new: &Schema, always: &[&str]) -> Facts {
        let mut facts = Facts::default();
        let is_embedded = [old, new]
            .iter()
            .any(|schema| schema.says("x-kubernetes-embedded-resource"));
        let of_every_object: &[&str] = if is_embedded { &OF_EVERY_OBJECT } else { &[] };
        // Without a type, nothing is dropped.
        let drops_others = !old.says(KEPT) && old.additional.is_none() && shape(old) == "object";
        // What such objects have in their metadata is listed nowhere.
        let always = [always, of_every_object].concat();
        for (name, field) in &new.properties {
            let is_new = !old.properties.contains_key(name) && !always.contains(&name.as_str());
            if is_new && drops_others && self.words.contains(name.as_str()) {
                let default = field.schema.default.as_ref();
                let value = default.map_or(Known::Any, |default| of_json(default, &field.schema));
                let is_set = Some(default.is_some());
                facts.add(name, Field { is_set, value });
            }
        }
        for (name, before) in &old.properties {
            let after = new.properties.get(name).map(|field| &*field.schema);
            if before.schema.nullable || !self.words.contains(name.as_str()) || always.contains(&name.as_str()) {
                continue;
            }
            let default = after.and_then(|field| field.default.as_ref());
            // A default may have been what set a required field.
            let had_default = before.schema.default.is_some();
            let is_set = (old.required.contains(name) && !had_default || default.is_some()).then_some(true);
            let value = self.known(&before.schema, after.unwrap_or(&before.schema), &[]);
            let value = match default.filter(|default| before.schema.default.as_ref() != Some(default)) {
                Some(default) => value.or(&of_json(default, after.unwrap_or(&before.schema))),
                None => value,
            };
            facts.add(name, Field { is_set, value });
        }
        facts
    }
}

/// The bounds and the enum of an old schema, with those of a new one: what that refuses by them is reported for itself.
fn of_both(old: &Schema, new: &Schema) -> Schema {
    let mut both = Schema {
        format: old.format.clone(),
        bounds: old.bounds.clone(),
        values: old.values.clone(),
        ..Schema::default()
    };
    for (bound, number) in &new.bounds {
        let own = both.bounds.entry(*bound).or_insert_with(|| number.clone());
        *own = tighter(own, number, is_lower(*bound)).clone();
    }
    if old.values != new.values
        && let Some(values) = &new.values
    {
        let before = old.values.as_deref().map(words);
        let kept = values
            .iter()
            .filter(|value| before.as_ref().is_none_or(|before| before.contains(&word(value))));
        let kept: Vec<Json> = kept.cloned().collect();
        both.values = Some(kept).filter(|kept| !kept.is_empty()).or(both.values);
    }
    both
}

fn of_texts(old: &Schema, new: &Schema) -> Known {
    let mut formats = [old, new].into_iter().map(|schema| schema.format.as_deref());
    if !formats.all(is_read_as_text) {
        return Known::Any;
    }
    let texts = old
        .values
        .iter()
        .flatten()
        .map(|value| value.as_str().map(str::to_owned));
    match texts.collect::<Option<Vec<_>>>() {
        Some(texts) if !texts.is_empty() => Known::of_texts(texts),
        _ => Known::Text(Texts {
            of: None,
            sizes: sizes(old, [Bound::MinLength, Bound::MaxLength]),
        }),
    }
}

/// A value as rules read it, by the type and the format of its schema.
fn of_json(value: &Json, schema: &Schema) -> Known {
    match (value, shape(schema)) {
        (Json::String(text), "string" | "int-or-string") if is_read_as_text(schema.format.as_deref()) => {
            Known::of_texts([text.clone()])
        }
        (Json::Bool(value), "boolean") => Known::Bool([!value, *value]),
        (Json::Number(number), "integer" | "int-or-string") => {
            number.as_i64().map_or(Known::Any, |number| Known::Int([number; 2]))
        }
        (Json::Number(number), "number") => number.as_f64().map_or(Known::Any, |number| Known::Real([number; 2])),
        _ => Known::Any,
    }
}

/// The numbers of an enum, or those between its bounds.
fn of_integers(old: &Schema) -> Known {
    let numbers = old.values.iter().flatten().map(Json::as_i64);
    let numbers = numbers.collect::<Option<Vec<_>>>().unwrap_or_default();
    let ends = numbers.iter().min().zip(numbers.iter().max());
    Known::Int(match ends {
        Some((least, most)) => [*least, *most],
        None => [
            bound(old, Bound::Minimum).unwrap_or(i64::MIN),
            bound(old, Bound::Maximum).unwrap_or(i64::MAX),
        ],
    })
}

/// Numbers between bounds, whose fraction servers cut off for those that are written whole.
fn of_reals(old: &Schema) -> Known {
    let [least, most] = [Bound::Minimum, Bound::Maximum].map(|bound| old.bounds.get(&bound).and_then(Number::as_f64));
    Known::Real([
        least.map_or(f64::NEG_INFINITY, |least| least.min(least.trunc())),
        most.map_or(f64::INFINITY, |most| most.max(most.trunc())),
    ])
}

fn bound(schema: &Schema, bound: Bound) -> Option<i64> {
    exact(schema.bounds.get(&bound)?)
}

fn sizes(schema: &Schema, bounds: [Bound; 2]) -> [i64; 2] {
    let [least, most] = bounds.map(|keyword| bound(schema, keyword));
    let [none, largest] = ANY_SIZE;
    [
        least.unwrap_or(none).clamp(none, largest),
        most.unwrap_or(largest).clamp(none, largest),
    ]
}
