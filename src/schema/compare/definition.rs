//! CRDs: their names, versions, and what versions have besides their schema.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::definition::{Definition, Version};
use crate::schema::node::Schema;
use crate::stability::{Track, VersionName};

use super::{Comparison, normal};

impl Comparison {
    pub(super) fn definition(&mut self, old: &Definition, new: &Definition) {
        self.begin = [old.place.line, new.place.line];
        self.places = [Some(old.place), Some(new.place)];
        self.kept_unknown = [old, new].map(|state| state.preserves_unknown);
        self.names(old, new);
        self.conversion(old, new);
        let kept = [old.preserves_unknown, new.preserves_unknown];
        self.toggle(kept, [Kind::PruningRemoved, Kind::PruningAdded]);
        self.storage(old, new);
        self.unknown(&old.rest, &new.rest);
        let names: BTreeSet<&String> = old.versions.keys().chain(new.versions.keys()).collect();
        for name in names {
            self.version(name, old, new);
        }
    }

    fn names(&mut self, old: &Definition, new: &Definition) {
        // The defaults of Kubernetes.
        let lists = [old, new].map(|names| format!("{}List", names.kind));
        let singulars = [old, new].map(|names| names.kind.to_lowercase());
        let names = [
            ("plural", [Some(&old.plural), Some(&new.plural)], ["", ""]),
            ("kind", [Some(&old.kind), Some(&new.kind)], ["", ""]),
            (
                "listKind",
                [old.list_kind.as_ref(), new.list_kind.as_ref()],
                lists.each_ref().map(String::as_str),
            ),
            (
                "singular",
                [old.singular.as_ref(), new.singular.as_ref()],
                singulars.each_ref().map(String::as_str),
            ),
        ];
        for (subject, [old, new], defaults) in names {
            let old = old.map_or(defaults[0], String::as_str);
            let new = new.map_or(defaults[1], String::as_str);
            // A name that is derived from the kind changes with it.
            if old != new && [old, new] != defaults {
                self.add(
                    Kind::NameChanged,
                    Effect::Unclear,
                    Some(subject),
                    [Some(old), Some(new)],
                );
            }
        }
        let scopes = [old, new].map(|state| state.scope.as_deref());
        self.texts(Kind::ScopeChanged, Effect::Unclear, scopes);
        let aliases = [Kind::AliasAdded, Kind::AliasRemoved];
        let [before, after] = [(old, new), (new, old)].map(|(one, other)| aliases_beside(one, other));
        self.words("shortNames", aliases, &before, &after);
        self.words("categories", aliases, &old.categories, &new.categories);
    }

    /// Words that were added or removed.
    fn words(&mut self, subject: &str, kinds: [Kind; 2], old: &BTreeSet<String>, new: &BTreeSet<String>) {
        for word in new.difference(old) {
            self.add(kinds[0], Effect::Wider, Some(subject), [None, Some(word.as_str())]);
        }
        for word in old.difference(new) {
            self.add(kinds[1], Effect::Narrower, Some(subject), [Some(word.as_str()), None]);
        }
    }

    fn conversion(&mut self, old: &Definition, new: &Definition) {
        let [before, after] = [old, new].map(|state| state.conversion_strategy().cloned().unwrap_or("None".into()));
        if before != after {
            // Without a webhook, objects are read as they are, which is right only if all versions have the same
            // schema.
            let lost = after == "None" && !alike(new);
            let effect = if lost { Effect::Narrower } else { Effect::Same };
            return self.between(Kind::ConversionChanged, effect, [Some(before), Some(after)]);
        }
        if old.conversion.as_ref().map(normal::word) != new.conversion.as_ref().map(normal::word) {
            let kind = match before.as_str() {
                Some("None") => Kind::Restated,
                _ => Kind::ConversionSettingsChanged,
            };
            let values = [old, new].map(|state| state.conversion.clone());
            self.add(kind, Effect::Same, Some("conversion"), values);
        }
    }

    /// The storage version, and the versions that objects may still be stored in.
    fn storage(&mut self, old: &Definition, new: &Definition) {
        let [before, after] = [old, new].map(|state| state.storage_version().map(|(name, _)| name.as_str()));
        if before != after {
            let kind = match after {
                Some(name) if !serves(old, name) && !before.is_some_and(|name| ends_as_alpha(new, name)) => {
                    Kind::StorageMovedToNewVersion
                }
                _ => Kind::StorageMoved,
            };
            self.between(kind, Effect::Unclear, [before, after]);
        }
        // A file without status says nothing about stored versions.
        let known = !old.stored.is_empty() && !new.stored.is_empty();
        let mut differing = old.stored.symmetric_difference(&new.stored);
        if known && differing.any(|name| new.versions.contains_key(name)) {
            let names = [&old.stored, &new.stored].map(|names| Some(names.iter().cloned().collect::<Json>()));
            self.between(Kind::StoredVersionsChanged, Effect::Same, names);
        }
    }

    fn version(&mut self, name: &str, old: &Definition, new: &Definition) {
        let (before, after) = (old.versions.get(name), new.versions.get(name));
        let outside = self.places;
        self.places = [
            before.and_then(|version| version.place).or(outside[0]),
            after.and_then(|version| version.place).or(outside[1]),
        ];
        self.version = Some(name.to_owned());
        match (before, after) {
            (Some(before), Some(after)) => self.versions(before, after),
            (None, Some(after)) => {
                self.push(Kind::VersionAdded, Effect::Wider);
                if silent(after) {
                    self.push(Kind::DeprecatedWithoutWarning, Effect::Same);
                }
            }
            (Some(before), None) => {
                let stored = old.stored.contains(name) || new.stored.contains(name);
                let kind = match (stored, before.served) {
                    (true, _) => Kind::StoredVersionRemoved,
                    (false, true) => Kind::VersionRemoved,
                    (false, false) => Kind::UnservedVersionRemoved,
                };
                // Only the status says where objects may be stored; files in Git do not have it.
                let empty = kind == Kind::UnservedVersionRemoved && !old.stored.is_empty();
                self.push(kind, if empty { Effect::Same } else { Effect::Narrower });
            }
            (None, None) => {}
        }
        self.replacement(name, old, new);
        self.version = None;
        self.places = outside;
    }

    /// Two states of one version.
    fn versions(&mut self, old: &Version, new: &Version) {
        self.flags(old, new);
        self.warning(old, new);
        self.subresources(old, new);
        let columns = [Kind::ColumnAdded, Kind::ColumnRemoved, Kind::ColumnChanged];
        self.named(columns, [Effect::Same; 3], &old.columns, &new.columns);
        let selectable = [Kind::SelectableFieldAdded, Kind::SelectableFieldRemoved];
        self.words("selectableFields", selectable, &old.selectable, &new.selectable);
        self.unknown(&old.rest, &new.rest);
        match (old.schema.as_deref(), new.schema.as_deref()) {
            (Some(before), Some(after)) => {
                let [before, after] = [before, after].map(of_objects);
                self.node(&before, &after);
                self.object_names(&before, &after);
            }
            (None, Some(_)) => self.push(Kind::SchemaAdded, Effect::Narrower),
            (Some(_), None) => self.push(Kind::SchemaRemoved, Effect::Wider),
            (None, None) => {}
        }
    }

    /// The names of objects, which are texts where the schema does not list them.
    fn object_names(&mut self, old: &Schema, new: &Schema) {
        for name in ["name", "generateName"] {
            let [before, after] = [old, new].map(|schema| {
                let metadata = schema.properties.get("metadata")?;
                metadata.schema.properties.get(name)
            });
            let (None, Some(after)) = (before, after) else {
                continue;
            };
            let text = Schema {
                kind: Some("string".to_owned()),
                description: after.schema.description.clone(),
                ..Schema::default()
            };
            self.within(&format!(".metadata.{name}"), [None, after.place], |here| {
                here.node(&text, &after.schema);
            });
        }
    }

    /// Whether a version is served, and whether it is marked as deprecated.
    fn flags(&mut self, old: &Version, new: &Version) {
        if old.served != new.served {
            let (kind, effect) = if new.served {
                (Kind::VersionServed, Effect::Wider)
            } else {
                (Kind::VersionUnserved, Effect::Narrower)
            };
            self.between(kind, effect, [Some(old.served), Some(new.served)]);
        }
        if old.deprecated != new.deprecated {
            let kind = if new.deprecated {
                Kind::VersionDeprecated
            } else {
                Kind::VersionUndeprecated
            };
            self.between(kind, Effect::Same, [Some(old.deprecated), Some(new.deprecated)]);
        }
    }

    fn subresources(&mut self, old: &Version, new: &Version) {
        let kinds = [
            Kind::SubresourceAdded,
            Kind::SubresourceRemoved,
            Kind::SubresourceChanged,
        ];
        // With a status subresource, writes to the object no longer change the status, if it had one.
        let schema = old.schema.as_deref();
        let apart = schema.is_none_or(|schema| schema.properties.contains_key("status"));
        let first = self.changes.len();
        let effects = [Effect::Wider, Effect::Narrower, Effect::Unclear];
        self.named(kinds, effects, &old.subresources, &new.subresources);
        for change in self.changes.iter_mut().skip(first).filter(|_| apart) {
            if change.kind == Kind::SubresourceAdded && change.subject.as_deref() == Some("status") {
                change.effect = Effect::Unclear;
            }
        }
    }

    /// The warning of a deprecated version.
    fn warning(&mut self, old: &Version, new: &Version) {
        let kind = match (silent(old), silent(new)) {
            (false, true) => Kind::DeprecatedWithoutWarning,
            // The warning is added and removed with the mark.
            _ if old.deprecated != new.deprecated => return,
            _ if old.warning != new.warning => Kind::DeprecationWarningChanged,
            _ => return,
        };
        self.between(kind, Effect::Same, [old.warning.as_deref(), new.warning.as_deref()]);
    }

    /// Parts that have names.
    fn named(
        &mut self,
        kinds: [Kind; 3],
        effects: [Effect; 3],
        old: &BTreeMap<String, Json>,
        new: &BTreeMap<String, Json>,
    ) {
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            let (before, after) = (old.get(name), new.get(name));
            let at = match (before, after) {
                (None, _) => 0,
                (_, None) => 1,
                (Some(before), Some(after)) if normal::word(before) != normal::word(after) => 2,
                _ => continue,
            };
            let effect = match (before, after) {
                (Some(before), Some(after)) if extends(after, before) => Effect::Wider,
                _ => effects[at],
            };
            self.add(kinds[at], effect, Some(name), [before.cloned(), after.cloned()]);
        }
    }
}

/// The short names of a CRD but those that are another name in the other state: they are found by it.
fn aliases_beside(one: &Definition, other: &Definition) -> BTreeSet<String> {
    let singular = other.singular.clone().unwrap_or_else(|| other.kind.to_lowercase());
    let names = one.short_names.iter();
    names
        .filter(|name| **name != other.plural && **name != singular)
        .cloned()
        .collect()
}

/// Whether a table has all entries of another one, and more.
fn extends(more: &Json, less: &Json) -> bool {
    let (Some(more), Some(less)) = (more.as_object(), less.as_object()) else {
        return false;
    };
    less.iter().all(|(key, value)| more.get(key) == Some(value))
}

/// Whether clients of a version get the default deprecation warning.
fn silent(version: &Version) -> bool {
    version.served && version.deprecated && version.warning.is_none()
}

/// Whether a version is an alpha version that is no longer served, so that no release serves another one beside it.
fn ends_as_alpha(new: &Definition, name: &str) -> bool {
    !serves(new, name) && VersionName::new(name).track() == Some(Track::Alpha)
}

/// Whether a CRD serves a version.
fn serves(definition: &Definition, name: &str) -> bool {
    definition.versions.get(name).is_some_and(|version| version.served)
}

/// The schema of objects, with the types that every object has, also where it does not state them.
fn of_objects(schema: &Schema) -> Cow<'_, Schema> {
    const FIELDS: [(&str, &str); 3] = [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")];
    let mut fields = FIELDS.iter().filter_map(|(name, _)| schema.properties.get(*name));
    if !is_untyped(schema) && !fields.any(|field| is_untyped(&field.schema)) {
        return Cow::Borrowed(schema);
    }
    let mut typed = schema.clone();
    for (name, kind) in FIELDS {
        let field = typed.properties.get_mut(name);
        if let Some(field) = field.filter(|field| is_untyped(&field.schema)) {
            field.schema.kind = Some(kind.to_owned());
        }
    }
    if is_untyped(schema) {
        typed.kind = Some("object".to_owned());
    }
    Cow::Owned(typed)
}

fn is_untyped(schema: &Schema) -> bool {
    schema.kind.is_none() && schema.reference.is_none()
}

/// Whether all versions have the same schema, so that conversion changes nothing.
fn alike(definition: &Definition) -> bool {
    let versions = definition.versions.values();
    let schemas: BTreeSet<_> = versions
        .map(|version| version.schema.as_deref().map(normal::schema))
        .collect();
    schemas.len() <= 1
}
