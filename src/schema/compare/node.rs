//! Schemas, keyword by keyword.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::node::{Additional, Schema};
use crate::schema::path::step;

use super::shape::{KEPT, between, shape, type_of};
use super::typed::{OfType, of_type};
use super::{Comparison, normal};

impl Comparison {
    pub(super) fn node(&mut self, old: &Schema, new: &Schema) {
        if self.referenced(old, new) {
            return;
        }
        let first = self.changes.len();
        self.keywords(old, new);
        self.mark_embedded(first, old, new);
    }

    fn keywords(&mut self, old: &Schema, new: &Schema) {
        let descriptions = [old, new].map(|schema| schema.description.as_deref());
        self.texts(Kind::DescriptionChanged, Effect::Same, descriptions);
        let (before, after) = (shape(old), shape(new));
        if let Some(OfType { demanded, types }) = self.of_old_type(old, new) {
            let widened = types != before;
            if widened {
                self.between(Kind::TypeChanged, Effect::Wider, [Some(before), Some(types.as_str())]);
            }
            return self.of_one_type(old, &demanded, widened);
        }
        let widened = match between(before, after) {
            Effect::Same => false,
            effect => {
                self.between(Kind::TypeChanged, effect, [Some(before), Some(after)]);
                if effect != Effect::Wider {
                    return;
                }
                true
            }
        };
        self.of_one_type(old, new, widened);
    }

    /// What the new schema demands of the values that the old one accepts, if their type leaves them one alternative.
    fn of_old_type(&self, old: &Schema, new: &Schema) -> Option<OfType> {
        // Fields that only alternatives list are dropped, unless all are kept.
        let is_typed = self.kept_unknown[1] && shape(old) != "any" && !old.nullable;
        is_typed.then(|| of_type(new, shape(old))).flatten()
    }

    /// All keywords but the type, for values of the old type. `widened`: whether there are others now.
    fn of_one_type(&mut self, old: &Schema, new: &Schema, widened: bool) {
        let first = self.changes.len();
        let around = self.around.remove(&self.path).unwrap_or_default();
        // If a string may now be anything, its bounds are still lost for strings: so compare by the old type.
        self.value(old, new, shape(old));
        self.logic(old, new);
        let rules_gone = self.rules_gone;
        self.rules([old, new], &around);
        self.objects(old, new, widened);
        self.merging(old, new);
        self.fields(old, new, widened);
        self.nested(old, new, widened);
        self.rules_gone = rules_gone;
        self.unknown(&old.rest, &new.rest);
        self.where_demanded(first, old, new);
    }

    /// Which unlisted fields are kept.
    fn objects(&mut self, old: &Schema, new: &Schema, widened: bool) {
        match (old.says(KEPT), new.says(KEPT)) {
            // A value that may now be anything must keep unlisted fields: that is part of the type change.
            (false, true) if !widened && !self.kept_unknown[0] => self.push(Kind::UnknownFieldsKept, Effect::Wider),
            // If unlisted fields now have a schema, `additionalProperties` reports it.
            (true, false) if new.additional.is_none() && !self.kept_unknown[1] => {
                self.push(Kind::UnknownFieldsDropped, Effect::Narrower);
            }
            _ => {}
        }
        let is_free = [old, new].map(|schema| !schema.says("x-kubernetes-embedded-resource"));
        self.toggle(is_free, [Kind::EmbeddedResourceRemoved, Kind::EmbeddedResourceAdded]);
    }

    /// How concurrent writes are merged. An absent keyword has its default.
    fn merging(&mut self, old: &Schema, new: &Schema) {
        let (list, map) = ("x-kubernetes-list-type", "x-kubernetes-map-type");
        let stated = [
            (list, "atomic", Kind::ListTypeChanged),
            (map, "granular", Kind::MapTypeChanged),
        ];
        for (keyword, default, kind) in stated {
            let written = [old, new].map(|schema| schema.merging.get(keyword).map(String::as_str));
            if written[0] == written[1] {
                continue;
            }
            let (kind, effect) = match written.map(|how| how.unwrap_or(default)) {
                [before, after] if before == after => (Kind::Restated, Effect::Same),
                // The items of a set or a list map must be unique, if rules did not demand that already.
                [_, "set" | "map"] if !self.are_distinct_by_rules(old, new) => (kind, Effect::Narrower),
                _ => (kind, Effect::Wider),
            };
            self.add(kind, effect, Some(keyword), written);
        }
        let [was_keyed, is_keyed] = [old, new].map(|schema| schema.merging.get(list).is_some_and(|how| how == "map"));
        if was_keyed == is_keyed && old.keys != new.keys {
            let keys = [&old.keys, &new.keys].map(|keys| Some(keys.as_ref()?.iter().cloned().collect::<Json>()));
            let keyword = Some("x-kubernetes-list-map-keys");
            self.add(Kind::ListKeysChanged, Effect::Unclear, keyword, keys);
        }
    }

    fn fields(&mut self, old: &Schema, new: &Schema, widened: bool) {
        let names: BTreeSet<&String> = old.properties.keys().chain(new.properties.keys()).collect();
        let moved = self.find_moved([old, new]);
        let implicit = self.implicit_fields(old);
        for name in names {
            let (before, after) = (old.properties.get(name), new.properties.get(name));
            let places = [before, after].map(|field| field.and_then(|field| field.place));
            let (was, is) = (old.required.contains(name), new.required.contains(name));
            self.within(&step(name), places, |here| match (before, after) {
                (Some(before), Some(after)) => {
                    let first = here.changes.len();
                    here.required(was, is, after.schema.default.is_some());
                    here.node(&before.schema, &after.schema);
                    here.where_required(first, was, is);
                    here.where_dropped(first, is && after.schema.default.is_none());
                }
                (Some(before), None) if !(widened && new.properties.is_empty()) => {
                    let kept = here.keeps(new, &before.schema);
                    let effect = if kept { Effect::Wider } else { Effect::Narrower };
                    here.between(Kind::FieldRemoved, effect, [Some(type_of(&before.schema)), None]);
                }
                (None, Some(after)) => {
                    here.added(&after.schema, is, here.unlisted(old));
                    if implicit.contains(&name.as_str()) {
                        here.listed_at_last(&after.schema);
                    }
                }
                _ => {}
            });
        }
        // Fields whose type changed have not used what was found.
        for path in moved {
            self.around.remove(&path);
        }
        // Names that are required but not listed: of unlisted fields that are kept.
        for name in old.required.symmetric_difference(&new.required) {
            if old.properties.contains_key(name) || new.properties.contains_key(name) {
                continue;
            }
            let is = new.required.contains(name);
            self.within(&step(name), [None; 2], |here| here.required(!is, is, false));
        }
    }

    fn required(&mut self, was: bool, is: bool, defaulted: bool) {
        let (kind, effect) = match (was, is) {
            (false, true) if defaulted => (Kind::RequiredAddedWithDefault, Effect::Same),
            (false, true) => (Kind::RequiredAdded, Effect::Narrower),
            // Readers still find the default.
            (true, false) if defaulted => (Kind::RequiredRemoved, Effect::Same),
            (true, false) => (Kind::RequiredRemoved, Effect::Wider),
            _ => return,
        };
        self.push(kind, effect);
        self.set_defaulted(defaulted);
    }

    /// Notes whether a default applies in the field that was just reported.
    fn set_defaulted(&mut self, defaulted: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.defaulted = defaulted;
        }
    }

    /// Corrects the effect of a default that is added to or removed from a required field, which is never unset.
    fn where_required(&mut self, first: usize, was: bool, is: bool) {
        let path = self.path.as_str();
        let changes = self.changes.iter_mut().skip(first);
        for change in changes.filter(|change| change.path == path) {
            match change.kind {
                Kind::DefaultAdded if was => change.effect = Effect::Wider,
                Kind::DefaultRemoved if is => change.effect = Effect::Narrower,
                _ => {}
            }
        }
    }

    /// Corrects the effect of `null` that is no longer allowed: the server takes a field with it as left out.
    fn where_dropped(&mut self, first: usize, must_be_set: bool) {
        let path = self.path.as_str();
        let changes = self.changes.iter_mut().skip(first);
        let nulls = changes.filter(|change| change.kind == Kind::NullableRemoved && change.path == path);
        for change in nulls.filter(|_| !must_be_set) {
            change.effect = Effect::Unclear;
        }
    }

    /// Whether the new schema keeps all values of a field that it does not list, as its CRD may do everywhere.
    fn keeps(&mut self, schema: &Schema, field: &Schema) -> bool {
        match &schema.additional {
            Some(Additional::Of(values)) => super::schemas(field, values, &mut self.steps)
                .is_ok_and(|changes| changes.iter().all(|change| change.effect <= Effect::Wider)),
            Some(Additional::Allowed(true)) => true,
            _ => self.kept_unknown[1] || schema.says(KEPT) || shape(schema) == "any",
        }
    }

    fn added(&mut self, schema: &Schema, required: bool, unlisted: Unlisted) {
        let defaulted = schema.default.is_some();
        let (kind, effect) = match (required && !defaulted, unlisted) {
            (true, _) => (Kind::RequiredFieldAdded, Effect::Narrower),
            (false, Unlisted::Described) => (Kind::UnlistedFieldListed, Effect::Unclear),
            (false, Unlisted::Kept) => (Kind::UnlistedFieldListed, Effect::Narrower),
            (false, Unlisted::Dropped) => (Kind::FieldAdded, Effect::Wider),
        };
        self.between(kind, effect, [None, Some(type_of(schema))]);
        self.set_defaulted(defaulted);
    }

    /// What happens to unlisted fields of an object.
    fn unlisted(&self, schema: &Schema) -> Unlisted {
        match &schema.additional {
            Some(Additional::Of(_) | Additional::Allowed(true)) => Unlisted::Described,
            // Without a type, nothing is dropped.
            _ if self.kept_unknown[0] || schema.says(KEPT) || shape(schema) == "any" => Unlisted::Kept,
            _ => Unlisted::Dropped,
        }
    }

    /// The items of lists and the values of maps.
    fn nested(&mut self, old: &Schema, new: &Schema, widened: bool) {
        match (old.items.as_deref(), new.items.as_deref()) {
            (Some(before), Some(after)) => self.within("[]", [None; 2], |here| here.node(before, after)),
            (None, Some(after)) => {
                self.between(Kind::ItemsAdded, Effect::Narrower, [None, Some(type_of(after))]);
            }
            (Some(before), None) if !widened => {
                self.between(Kind::ItemsRemoved, Effect::Wider, [Some(type_of(before)), None]);
            }
            _ => {}
        }
        if let (Some(Additional::Of(before)), Some(Additional::Of(after))) = (&old.additional, &new.additional) {
            self.within("{}", [None; 2], |here| here.node(before, after));
            return;
        }
        if old.additional.is_none() && new.additional.is_none() {
            return;
        }
        let effect = additional(old, new, self.kept_unknown);
        let kind = match effect {
            Effect::Same => return,
            // Reported as `UnknownFieldsKept`.
            Effect::Wider if new.says(KEPT) && !old.says(KEPT) => return,
            Effect::Wider => Kind::AdditionalPropertiesLoosened,
            _ if widened => return,
            _ if new.additional.is_none() => Kind::UnknownFieldsDropped,
            _ => Kind::AdditionalPropertiesTightened,
        };
        let values = [old, new].map(|schema| match schema.additional.as_ref()? {
            Additional::Allowed(allowed) => Some(Json::from(*allowed)),
            Additional::Of(values) => Some(Json::from(type_of(values))),
        });
        self.add(kind, effect, Some("additionalProperties"), values);
    }

    /// Unknown keywords.
    pub(super) fn unknown(&mut self, old: &BTreeMap<String, Json>, new: &BTreeMap<String, Json>) {
        let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for key in keys {
            let (before, after) = (old.get(key), new.get(key));
            if before.map(normal::word) == after.map(normal::word) {
                continue;
            }
            let (kind, effect) = if normal::DOCUMENTATION.contains(&key.as_str()) {
                (Kind::DocumentationChanged, Effect::Same)
            } else {
                (Kind::UnknownKeywordChanged, Effect::Unclear)
            };
            self.add(kind, effect, Some(key), [before.cloned(), after.cloned()]);
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

/// The effect of a change of `additionalProperties`. If it is absent, no unlisted field is kept, unless all are.
fn additional(old: &Schema, new: &Schema, kept: [bool; 2]) -> Effect {
    let [before, after] = [(old, kept[0]), (new, kept[1])].map(|(schema, kept)| match &schema.additional {
        Some(Additional::Allowed(false)) => 0,
        None if !kept && !schema.says(KEPT) => 1,
        Some(Additional::Of(_)) => 2,
        None | Some(Additional::Allowed(true)) => 3,
    });
    Effect::of_room(before.cmp(&after))
}
