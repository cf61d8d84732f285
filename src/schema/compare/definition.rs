//! CRDs: their names, versions, and what versions have besides their schema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind, Effect};
use crate::schema::definition::{Definition, Version};
use crate::schema::node::Schema;

use super::{Comparison, Found, Sides, normal};

impl Comparison {
    pub(super) fn definition(&mut self, old: &Definition, new: &Definition) {
        self.begin = Sides {
            old: old.place.line,
            new: new.place.line,
        };
        self.places = Sides {
            old: Some(old.place),
            new: Some(new.place),
        };
        self.kept_unknown = old.preserves_unknown;
        self.names(old, new);
        self.conversion(old, new);
        match (old.preserves_unknown, new.preserves_unknown) {
            (true, false) => self.push(Found::new(ChangeKind::PruningAdded, Effect::Narrower)),
            (false, true) => self.push(Found::new(ChangeKind::PruningRemoved, Effect::Wider)),
            _ => {}
        }
        self.storage(old, new);
        self.unknown(&old.rest, &new.rest);
        let names: BTreeSet<&String> = old.versions.keys().chain(new.versions.keys()).collect();
        for name in names {
            self.version(name, old, new);
        }
    }

    fn names(&mut self, old: &Definition, new: &Definition) {
        let text = |text: Option<&str>| text.map(Json::from);
        // The defaults of Kubernetes.
        let list = |definition: &Definition| {
            let said = definition.list_kind.clone();
            said.unwrap_or_else(|| format!("{}List", definition.kind))
        };
        let one = |definition: &Definition| {
            let said = definition.singular.clone();
            said.unwrap_or_else(|| definition.kind.to_lowercase())
        };
        let names = [
            ("plural", old.plural.clone(), new.plural.clone()),
            ("kind", old.kind.clone(), new.kind.clone()),
            ("listKind", list(old), list(new)),
            ("singular", one(old), one(new)),
        ];
        // A name that is derived from the kind changes with it.
        let follows = |name: &str, definition: &Definition| match name {
            "listKind" => list(definition) == format!("{}List", definition.kind),
            "singular" => one(definition) == definition.kind.to_lowercase(),
            _ => false,
        };
        for (name, before, after) in names.into_iter().filter(|(_, before, after)| before != after) {
            if follows(name, old) && follows(name, new) {
                continue;
            }
            let found = Found::new(ChangeKind::NameChanged, Effect::Unclear).of(name);
            self.push(found.between(text(Some(&before)), text(Some(&after))));
        }
        if old.scope != new.scope {
            let found = Found::new(ChangeKind::ScopeChanged, Effect::Unclear);
            self.push(found.between(text(old.scope.as_deref()), text(new.scope.as_deref())));
        }
        let aliases = [ChangeKind::AliasAdded, ChangeKind::AliasRemoved];
        self.words("shortNames", aliases, &old.short_names, &new.short_names);
        self.words("categories", aliases, &old.categories, &new.categories);
    }

    /// Words that were added or removed.
    fn words(&mut self, subject: &str, kinds: [ChangeKind; 2], old: &BTreeSet<String>, new: &BTreeSet<String>) {
        for word in new.difference(old) {
            let found = Found::new(kinds[0], Effect::Wider).of(subject);
            self.push(found.between(None, Some(Json::from(word.as_str()))));
        }
        for word in old.difference(new) {
            let found = Found::new(kinds[1], Effect::Narrower).of(subject);
            self.push(found.between(Some(Json::from(word.as_str())), None));
        }
    }

    fn conversion(&mut self, old: &Definition, new: &Definition) {
        let strategy = |definition: &Definition| {
            let said = definition.conversion.as_ref().and_then(|said| said.get("strategy"));
            said.cloned().unwrap_or_else(|| Json::from("None"))
        };
        let (before, after) = (strategy(old), strategy(new));
        if before != after {
            // Without a webhook, objects are read as they are, which is right only if all versions have the same
            // schema.
            let lost = after == "None" && !alike(new);
            let effect = if lost { Effect::Narrower } else { Effect::Same };
            let found = Found::new(ChangeKind::ConversionChanged, effect);
            self.push(found.between(Some(before), Some(after)));
            return;
        }
        let settings = |definition: &Definition| definition.conversion.as_ref().map(normal::word);
        if settings(old) != settings(new) {
            let neutral = before == "None";
            let kind = if neutral {
                ChangeKind::Restated
            } else {
                ChangeKind::ConversionSettingsChanged
            };
            let found = Found::new(kind, Effect::Same).of("conversion");
            self.push(found.between(old.conversion.clone(), new.conversion.clone()));
        }
    }

    /// The storage version, and the versions that objects may still be stored in.
    fn storage(&mut self, old: &Definition, new: &Definition) {
        let stored_in = |definition: &Definition| {
            let mut names = definition.versions.iter().filter(|(_, version)| version.storage);
            names.next().map(|(name, _)| name.clone())
        };
        let (before, after) = (stored_in(old), stored_in(new));
        if before != after {
            let kind = if after.as_ref().is_some_and(|name| !serves(old, name)) {
                ChangeKind::StorageMovedToNew
            } else {
                ChangeKind::StorageMoved
            };
            // If the version before is no longer served, the two cannot be served side by side.
            let stays = before.as_ref().is_some_and(|name| serves(new, name));
            let effect = if stays { Effect::Unclear } else { Effect::Narrower };
            self.push(Found::new(kind, effect).between(before.map(Json::from), after.map(Json::from)));
        }
        let defined = |name: &&String| new.versions.contains_key(*name);
        let kept: BTreeSet<&String> = old.stored.iter().filter(defined).collect();
        let said: BTreeSet<&String> = new.stored.iter().filter(defined).collect();
        // A file without status says nothing about stored versions.
        if !old.stored.is_empty() && !new.stored.is_empty() && kept != said {
            let told = |names: &BTreeSet<String>| Some(names.iter().cloned().collect());
            let found = Found::new(ChangeKind::StoredVersionsChanged, Effect::Same);
            self.push(found.between(told(&old.stored), told(&new.stored)));
        }
    }

    fn version(&mut self, name: &str, old: &Definition, new: &Definition) {
        let (before, after) = (old.versions.get(name), new.versions.get(name));
        let place = |version: Option<&Version>, whole: &Definition| {
            version.and_then(|version| version.place).or(Some(whole.place))
        };
        let outside = self.places;
        self.places = Sides {
            old: place(before, old),
            new: place(after, new),
        };
        self.version = Some(name.to_owned());
        match (before, after) {
            (Some(before), Some(after)) => self.versions(before, after),
            (None, Some(after)) => {
                self.push(Found::new(ChangeKind::VersionAdded, Effect::Wider));
                if silent(after) {
                    self.push(Found::new(ChangeKind::DeprecatedUnwarned, Effect::Same));
                }
            }
            (Some(before), None) => {
                let stored = old.stored.contains(name) || new.stored.contains(name);
                let kind = match (stored, before.served) {
                    (true, _) => ChangeKind::StoredVersionRemoved,
                    (false, true) => ChangeKind::VersionRemoved,
                    (false, false) => ChangeKind::UnservedVersionRemoved,
                };
                // Only the status says where objects may be stored; files in Git do not have it.
                let empty = kind == ChangeKind::UnservedVersionRemoved && !old.stored.is_empty();
                self.push(Found::new(kind, if empty { Effect::Same } else { Effect::Narrower }));
            }
            (None, None) => {}
        }
        self.version = None;
        self.places = outside;
    }

    /// Two states of one version.
    fn versions(&mut self, old: &Version, new: &Version) {
        self.flags(old, new);
        self.warning(old, new);
        self.subresources(old, new);
        let columns = [
            ChangeKind::ColumnAdded,
            ChangeKind::ColumnRemoved,
            ChangeKind::ColumnChanged,
        ];
        self.named(columns, |_| [Effect::Same; 3], &old.columns, &new.columns);
        let selectable = [ChangeKind::SelectableAdded, ChangeKind::SelectableRemoved];
        self.words("selectableFields", selectable, &old.selectable, &new.selectable);
        self.unknown(&old.rest, &new.rest);
        match (old.schema.as_deref(), new.schema.as_deref()) {
            (Some(before), Some(after)) => self.node(before, after),
            (None, Some(_)) => self.push(Found::new(ChangeKind::SchemaAdded, Effect::Narrower)),
            (Some(_), None) => self.push(Found::new(ChangeKind::SchemaRemoved, Effect::Wider)),
            (None, None) => {}
        }
    }

    /// Whether a version is served, and whether it is marked as deprecated.
    fn flags(&mut self, old: &Version, new: &Version) {
        let flags = [
            (
                old.served,
                new.served,
                ChangeKind::VersionServed,
                ChangeKind::VersionUnserved,
            ),
            (
                old.deprecated,
                new.deprecated,
                ChangeKind::VersionDeprecated,
                ChangeKind::VersionUndeprecated,
            ),
        ];
        for (before, after, set, unset) in flags.into_iter().filter(|(before, after, _, _)| before != after) {
            let kind = if after { set } else { unset };
            let effect = match kind {
                ChangeKind::VersionServed => Effect::Wider,
                ChangeKind::VersionUnserved => Effect::Narrower,
                _ => Effect::Same,
            };
            self.push(Found::new(kind, effect).between(Some(before.into()), Some(after.into())));
        }
    }

    fn subresources(&mut self, old: &Version, new: &Version) {
        let kinds = [
            ChangeKind::SubresourceAdded,
            ChangeKind::SubresourceRemoved,
            ChangeKind::SubresourceChanged,
        ];
        // With a status subresource, writes to the object no longer change the status, if it had one.
        let had_status = |schema: &Schema| schema.properties.contains_key("status");
        let apart = old.schema.as_deref().is_none_or(had_status);
        let effects = |name: &str| {
            let added = if name == "status" && apart {
                Effect::Unclear
            } else {
                Effect::Wider
            };
            [added, Effect::Narrower, Effect::Unclear]
        };
        self.named(kinds, effects, &old.subresources, &new.subresources);
    }

    /// The warning of a deprecated version.
    fn warning(&mut self, old: &Version, new: &Version) {
        let kind = match (silent(old), silent(new)) {
            (false, true) => ChangeKind::DeprecatedUnwarned,
            // The warning is added and removed with the mark.
            _ if old.deprecated != new.deprecated => return,
            _ if old.warning != new.warning => ChangeKind::WarningChanged,
            _ => return,
        };
        let told = |text: &Option<String>| text.as_deref().map(Json::from);
        self.push(Found::new(kind, Effect::Same).between(told(&old.warning), told(&new.warning)));
    }

    /// Parts that have names.
    fn named(
        &mut self,
        kinds: [ChangeKind; 3],
        effects: impl Fn(&str) -> [Effect; 3],
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
                _ => effects(name)[at],
            };
            let found = Found::new(kinds[at], effect).of(name);
            self.push(found.between(before.cloned(), after.cloned()));
        }
    }
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

/// Whether a CRD serves a version.
fn serves(definition: &Definition, name: &str) -> bool {
    definition.versions.get(name).is_some_and(|version| version.served)
}

/// Whether all versions have the same schema, so that conversion changes nothing.
fn alike(definition: &Definition) -> bool {
    let schema = |version: &Version| version.schema.as_deref().map(normal::schema);
    let mut schemas = definition.versions.values().map(schema);
    let first = schemas.next();
    schemas.all(|schema| Some(schema) == first)
}
