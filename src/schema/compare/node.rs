//! Schemas, keyword by keyword.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind, Effect};
use crate::schema::node::{Additional, Property, Schema};
use crate::schema::path::step;

use super::{Comparison, Found, Sides, normal, patterns};

/// The keyword that keeps unlisted fields.
pub(in crate::schema) const KEPT: &str = "x-kubernetes-preserve-unknown-fields";

impl Comparison {
    pub(super) fn node(&mut self, old: &Schema, new: &Schema) {
        if self.referenced(old, new) {
            return;
        }
        self.documentation(old, new);
        let (before, after) = (shape(old), shape(new));
        let widened = match between(before, after) {
            Effect::Same => false,
            effect => {
                let found = Found::new(ChangeKind::TypeChanged, effect);
                self.push(found.between(Some(before.into()), Some(after.into())));
                if effect != Effect::Wider {
                    return;
                }
                true
            }
        };
        // If a string may now be anything, its bounds are still lost for strings: so compare by the old type.
        self.value(old, new, before);
        self.logic(old, new);
        self.rules(old, new);
        self.objects(old, new, widened);
        self.merging(old, new);
        self.fields(old, new, widened);
        self.nested(old, new, widened);
        self.unknown(&old.rest, &new.rest);
    }

    /// Keywords of the value itself.
    fn value(&mut self, old: &Schema, new: &Schema, shape: &str) {
        use ChangeKind as Kind;
        let text = |text: &Option<String>| text.as_deref().map(Json::from);
        match (old.nullable, new.nullable) {
            (false, true) => self.push(Found::new(Kind::NullableAdded, Effect::Wider)),
            (true, false) => self.push(Found::new(Kind::NullableRemoved, Effect::Narrower)),
            _ => {}
        }
        let defaults = [Kind::DefaultAdded, Kind::DefaultRemoved, Kind::DefaultChanged];
        let unset = [Effect::Unclear; 3];
        self.values(defaults, unset, old.default.as_ref(), new.default.as_ref());
        self.enumeration(old, new, shape);
        self.bounds(old, new, shape);
        self.pattern(old.pattern.as_deref(), new.pattern.as_deref());
        if old.format != new.format {
            let effect = formats(old.format.as_deref(), new.format.as_deref(), shape);
            let found = Found::new(Kind::FormatChanged, effect);
            self.push(found.between(text(&old.format), text(&new.format)));
        }
    }

    fn enumeration(&mut self, old: &Schema, new: &Schema, shape: &str) {
        // A boolean has no other values.
        let said = |schema: &Schema| {
            schema
                .values
                .clone()
                .filter(|values| !(shape == "boolean" && both(values)))
        };
        let words = |values: &[Json]| -> BTreeMap<String, Json> {
            values
                .iter()
                .map(|value| (normal::word(value), value.clone()))
                .collect()
        };
        let all = |values: &[Json]| Some(Json::Array(words(values).into_values().collect()));
        match (said(old).as_deref(), said(new).as_deref()) {
            (None, None) => {
                let written = |schema: &Schema| schema.values.as_deref().and_then(all);
                if written(old) != written(new) {
                    let found = Found::new(ChangeKind::Restated, Effect::Same).of("enum");
                    self.push(found.between(written(old), written(new)));
                }
            }
            (None, Some(after)) => {
                let found = Found::new(ChangeKind::EnumAdded, Effect::Narrower);
                self.push(found.between(None, all(after)));
            }
            (Some(before), None) => {
                let found = Found::new(ChangeKind::EnumRemoved, Effect::Wider);
                self.push(found.between(all(before), None));
            }
            (Some(before), Some(after)) => {
                let (before, after) = (words(before), words(after));
                for (word, value) in before.iter().filter(|(word, _)| !after.contains_key(*word)) {
                    let found = Found::new(ChangeKind::EnumValueRemoved, Effect::Narrower).of(shown(value, word));
                    self.push(found.between(Some(value.clone()), None));
                }
                for (word, value) in after.iter().filter(|(word, _)| !before.contains_key(*word)) {
                    let found = Found::new(ChangeKind::EnumValueAdded, Effect::Wider).of(shown(value, word));
                    self.push(found.between(None, Some(value.clone())));
                }
            }
        }
    }

    fn pattern(&mut self, old: Option<&str>, new: Option<&str>) {
        if old == new {
            return;
        }
        let demands =
            |pattern: Option<&str>| pattern.is_some_and(|text| !["", ".*", "^.*", ".*$", "^"].contains(&text));
        let (kind, effect) = match (demands(old), demands(new)) {
            (false, false) => (ChangeKind::Restated, Effect::Same),
            (false, true) => (ChangeKind::PatternAdded, Effect::Narrower),
            (true, false) => (ChangeKind::PatternRemoved, Effect::Wider),
            (true, true) => (ChangeKind::PatternChanged, patterns::between(old, new)),
        };
        let found = Found::new(kind, effect).of("pattern");
        self.push(found.between(old.map(Json::from), new.map(Json::from)));
    }

    /// Which unlisted fields are kept.
    fn objects(&mut self, old: &Schema, new: &Schema, widened: bool) {
        match (old.says(KEPT), new.says(KEPT)) {
            // A value that may now be anything must keep unlisted fields: that is part of the type change.
            (false, true) if !widened => self.push(Found::new(ChangeKind::UnknownKept, Effect::Wider)),
            // If unlisted fields now have a schema, `additionalProperties` reports it.
            (true, false) if new.additional.is_none() => {
                self.push(Found::new(ChangeKind::UnknownDropped, Effect::Narrower));
            }
            _ => {}
        }
        let embedded = "x-kubernetes-embedded-resource";
        match (old.says(embedded), new.says(embedded)) {
            (false, true) => self.push(Found::new(ChangeKind::EmbeddedAdded, Effect::Narrower)),
            (true, false) => self.push(Found::new(ChangeKind::EmbeddedRemoved, Effect::Wider)),
            _ => {}
        }
    }

    /// How concurrent writes are merged. An absent keyword has its default.
    fn merging(&mut self, old: &Schema, new: &Schema) {
        let (list, map) = ("x-kubernetes-list-type", "x-kubernetes-map-type");
        let said = [
            (list, "atomic", ChangeKind::ListTypeChanged),
            (map, "granular", ChangeKind::MapTypeChanged),
        ];
        for (keyword, default, kind) in said {
            let (before, after) = (old.merging.get(keyword), new.merging.get(keyword));
            let holds = |said: Option<&String>| said.map_or(default, String::as_str).to_owned();
            if before == after {
                continue;
            }
            let told = |said: Option<&String>| said.map(|said| Json::from(said.as_str()));
            let found = match (holds(before), holds(after)) {
                (before, after) if before == after => Found::new(ChangeKind::Restated, Effect::Same),
                // The items of a set or a list map must be unique.
                (_, after) if ["set", "map"].contains(&after.as_str()) => Found::new(kind, Effect::Narrower),
                _ => Found::new(kind, Effect::Wider),
            };
            self.push(found.of(keyword).between(told(before), told(after)));
        }
        let keyed = |schema: &Schema| schema.merging.get(list).is_some_and(|how| how == "map");
        if keyed(old) == keyed(new) && old.keys != new.keys {
            let told = |keys: &Option<BTreeSet<String>>| keys.as_ref().map(|keys| keys.iter().cloned().collect());
            let found = Found::new(ChangeKind::ListKeysChanged, Effect::Unclear).of("x-kubernetes-list-map-keys");
            self.push(found.between(told(&old.keys), told(&new.keys)));
        }
    }

    fn fields(&mut self, old: &Schema, new: &Schema, widened: bool) {
        let names: BTreeSet<&String> = old.properties.keys().chain(new.properties.keys()).collect();
        for name in names {
            let (before, after) = (old.properties.get(name), new.properties.get(name));
            let place = |property: Option<&Property>| property.and_then(|property| property.place);
            let places = Sides {
                old: place(before),
                new: place(after),
            };
            let (was, is) = (old.required.contains(name), new.required.contains(name));
            self.within(&step(name), places, |here| match (before, after) {
                (Some(before), Some(after)) => {
                    here.required(was, is, after.schema.default.is_some());
                    let first = here.changes.len();
                    here.node(&before.schema, &after.schema);
                    here.where_required(first, was, is);
                }
                (Some(before), None) if !(widened && new.properties.is_empty()) => {
                    let kept = keeps(new, &before.schema);
                    let effect = if kept { Effect::Wider } else { Effect::Narrower };
                    let found = Found::new(ChangeKind::FieldRemoved, effect);
                    here.push(found.between(Some(type_of(&before.schema).into()), None));
                }
                (None, Some(after)) => here.added(&after.schema, is, here.unlisted(old)),
                _ => {}
            });
        }
        // Names that are required but not listed: of unlisted fields that are kept.
        let listed = |name: &&String| old.properties.contains_key(*name) || new.properties.contains_key(*name);
        let demanded: BTreeSet<&String> = old.required.symmetric_difference(&new.required).collect();
        for name in demanded.into_iter().filter(|name| !listed(name)) {
            let is = new.required.contains(name);
            self.within(&step(name), Sides::default(), |here| here.required(!is, is, false));
        }
    }

    fn required(&mut self, was: bool, is: bool, defaulted: bool) {
        let (kind, effect) = match (was, is) {
            (false, true) if defaulted => (ChangeKind::RequiredWithDefault, Effect::Same),
            (false, true) => (ChangeKind::RequiredAdded, Effect::Narrower),
            // Readers still find the default.
            (true, false) if defaulted => (ChangeKind::RequiredRemoved, Effect::Same),
            (true, false) => (ChangeKind::RequiredRemoved, Effect::Wider),
            _ => return,
        };
        let mut found = Found::new(kind, effect);
        found.defaulted = defaulted;
        self.push(found);
    }

    /// Corrects the effect of a default that is added to or removed from a required field, which is never unset.
    fn where_required(&mut self, first: usize, was: bool, is: bool) {
        let path = self.path.as_str();
        let changes = self.changes.iter_mut().skip(first);
        for change in changes.filter(|change| change.path == path) {
            match change.kind {
                ChangeKind::DefaultAdded if was => change.effect = Effect::Wider,
                ChangeKind::DefaultRemoved if is => change.effect = Effect::Narrower,
                _ => {}
            }
        }
    }

    fn added(&mut self, schema: &Schema, required: bool, unlisted: Unlisted) {
        let defaulted = schema.default.is_some();
        let (kind, effect) = match (required && !defaulted, unlisted) {
            (true, _) => (ChangeKind::RequiredFieldAdded, Effect::Narrower),
            (false, Unlisted::Described) => (ChangeKind::FieldClaimed, Effect::Unclear),
            (false, Unlisted::Kept) => (ChangeKind::FieldClaimed, Effect::Narrower),
            (false, Unlisted::Dropped) => (ChangeKind::FieldAdded, Effect::Wider),
        };
        let mut found = Found::new(kind, effect);
        found.defaulted = defaulted;
        self.push(found.between(None, Some(type_of(schema).into())));
    }

    /// What happens to unlisted fields of an object.
    fn unlisted(&self, schema: &Schema) -> Unlisted {
        match &schema.additional {
            Some(Additional::Of(_) | Additional::Allowed(true)) => Unlisted::Described,
            // Without a type, nothing is dropped.
            _ if self.kept_unknown || schema.says(KEPT) || shape(schema) == "any" => Unlisted::Kept,
            _ => Unlisted::Dropped,
        }
    }

    /// The items of lists and the values of maps.
    fn nested(&mut self, old: &Schema, new: &Schema, widened: bool) {
        match (old.items.as_deref(), new.items.as_deref()) {
            (Some(before), Some(after)) => self.within("[]", Sides::default(), |here| here.node(before, after)),
            (None, Some(after)) => {
                let found = Found::new(ChangeKind::ItemsAdded, Effect::Narrower);
                self.push(found.between(None, Some(type_of(after).into())));
            }
            (Some(before), None) if !widened => {
                let found = Found::new(ChangeKind::ItemsRemoved, Effect::Wider);
                self.push(found.between(Some(type_of(before).into()), None));
            }
            _ => {}
        }
        if let (Some(Additional::Of(before)), Some(Additional::Of(after))) = (&old.additional, &new.additional) {
            self.within("{}", Sides::default(), |here| here.node(before, after));
            return;
        }
        if old.additional.is_none() && new.additional.is_none() {
            return;
        }
        let effect = additional(old, new);
        let kind = match effect {
            Effect::Same => return,
            // Reported as `UnknownKept`.
            Effect::Wider if new.says(KEPT) && !old.says(KEPT) => return,
            Effect::Wider => ChangeKind::AdditionalLoosened,
            _ if widened => return,
            _ if new.additional.is_none() => ChangeKind::UnknownDropped,
            _ => ChangeKind::AdditionalTightened,
        };
        let told = |said: Option<&Additional>| {
            said.map(|said| match said {
                Additional::Allowed(allowed) => Json::from(*allowed),
                Additional::Of(values) => Json::from(type_of(values)),
            })
        };
        let found = Found::new(kind, effect).of("additionalProperties");
        self.push(found.between(told(old.additional.as_ref()), told(new.additional.as_ref())));
    }

    fn documentation(&mut self, old: &Schema, new: &Schema) {
        if old.description != new.description {
            let told = |text: &Option<String>| text.as_deref().map(Json::from);
            let found = Found::new(ChangeKind::DescriptionChanged, Effect::Same);
            self.push(found.between(told(&old.description), told(&new.description)));
        }
    }

    /// Unknown keywords.
    pub(super) fn unknown(&mut self, old: &BTreeMap<String, Json>, new: &BTreeMap<String, Json>) {
        let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for key in keys {
            let (before, after) = (old.get(key), new.get(key));
            if before.map(normal::word) == after.map(normal::word) {
                continue;
            }
            let documents = normal::DOCUMENTATION.contains(&key.as_str());
            let (kind, effect) = if documents {
                (ChangeKind::DocumentationChanged, Effect::Same)
            } else {
                (ChangeKind::UnknownChanged, Effect::Unclear)
            };
            self.push(
                Found::new(kind, effect)
                    .of(key)
                    .between(before.cloned(), after.cloned()),
            );
        }
    }
}

/// What happens to unlisted fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unlisted {
    /// They are dropped.
    Dropped,
    /// They are kept without validation.
    Kept,
    /// They are entries of a map.
    Described,
}

/// Whether `true` and `false` are among values.
fn both(values: &[Json]) -> bool {
    [true, false].iter().all(|value| values.contains(&Json::Bool(*value)))
}

/// An enum value as people write it.
fn shown(value: &Json, word: &str) -> String {
    value.as_str().map_or_else(|| word.to_owned(), str::to_owned)
}

/// The type, also of a schema without `type`.
pub(in crate::schema) fn shape(schema: &Schema) -> &str {
    if schema.says("x-kubernetes-int-or-string") {
        return "int-or-string";
    }
    schema.kind.as_deref().unwrap_or("any")
}

/// The type in messages; of a reference, the last word of the name.
fn type_of(schema: &Schema) -> &str {
    match &schema.reference {
        Some(name) => name.rsplit('.').next().unwrap_or(name),
        None => shape(schema),
    }
}

/// The effect of a type change.
fn between(old: &str, new: &str) -> Effect {
    match (old == new, contains(new, old), contains(old, new)) {
        (true, _, _) => Effect::Same,
        (_, true, _) => Effect::Wider,
        (_, _, true) => Effect::Narrower,
        _ => Effect::Unclear,
    }
}

/// Whether all values of one type are of another one.
pub(in crate::schema) fn contains(more: &str, less: &str) -> bool {
    more == less
        || more == "any"
        || matches!(
            (more, less),
            ("number", "integer") | ("int-or-string", "integer" | "string")
        )
}

/// The effect of a format change.
fn formats(old: Option<&str>, new: Option<&str>, shape: &str) -> Effect {
    /// The size of a number format.
    fn room(format: Option<&str>, shape: &str) -> Option<u8> {
        match (format, shape) {
            // Integers have 64 bits in Kubernetes, other numbers are doubles.
            (Some("int64") | None, "integer") | (Some("double") | None, "number") => Some(2),
            (Some("int32"), "integer") | (Some("float"), "number") => Some(1),
            _ => None,
        }
    }
    match (room(old, shape), room(new, shape)) {
        (Some(before), Some(after)) => match before.cmp(&after) {
            std::cmp::Ordering::Less => Effect::Wider,
            std::cmp::Ordering::Equal => Effect::Same,
            std::cmp::Ordering::Greater => Effect::Narrower,
        },
        _ => match (old, new) {
            (Some(_), None) => Effect::Wider,
            (None, Some(_)) => Effect::Narrower,
            _ => Effect::Unclear,
        },
    }
}

/// The effect of a change of `additionalProperties`. If it is absent, no unlisted field is kept, unless all are.
fn additional(old: &Schema, new: &Schema) -> Effect {
    let room = |schema: &Schema| match &schema.additional {
        Some(Additional::Allowed(false)) => 0,
        None if !schema.says(KEPT) => 1,
        Some(Additional::Of(_)) => 2,
        None | Some(Additional::Allowed(true)) => 3,
    };
    match room(old).cmp(&room(new)) {
        std::cmp::Ordering::Less => Effect::Wider,
        std::cmp::Ordering::Equal => Effect::Same,
        std::cmp::Ordering::Greater => Effect::Narrower,
    }
}

/// Whether a schema keeps all values of a field that it does not list.
fn keeps(schema: &Schema, field: &Schema) -> bool {
    match &schema.additional {
        Some(Additional::Of(values)) => super::schemas(field, values).is_ok_and(|changes| {
            let mut effects = changes.iter().map(|change| change.effect);
            effects.all(|effect| matches!(effect, Effect::Same | Effect::Wider))
        }),
        Some(Additional::Allowed(true)) => true,
        _ => schema.says(KEPT) || shape(schema) == "any",
    }
}
