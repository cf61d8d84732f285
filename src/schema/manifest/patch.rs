//! What CRDs do not say themselves: patches of Kustomize, and webhooks that convert.

use serde_json::Value as Json;

use super::Crds;

/// A part of a CRD, which Kustomize merges into the CRD of the same name.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The line at which it begins.
    pub line: u32,
    /// The name of the CRD: the plural name and the group.
    pub name: String,
    /// How it says that versions are converted.
    pub(in crate::schema) conversion: Option<Json>,
    /// The first key of `spec` that it says something else about, which is not merged.
    pub other: Option<String>,
}

impl Patch {
    /// Whether it says how versions are converted.
    pub fn sets_conversion(&self) -> bool {
        self.conversion.is_some()
    }

    /// Whether it is for the CRD of this name.
    pub fn is_for(&self, name: &str) -> bool {
        self.name == "*" || self.name == name
    }
}

impl Crds {
    /// Merges what a patch says about conversion into the CRDs of its name, `*` for all of them. Returns whether there
    /// is one.
    pub fn apply(&mut self, patch: &Patch, name: &str) -> bool {
        let mut found = false;
        for definition in &mut self.definitions {
            if name != "*" && definition.name() != name {
                continue;
            }
            found = true;
            if let Some(conversion) = &patch.conversion {
                merge(definition.conversion.get_or_insert(Json::Null), conversion);
            }
        }
        found
    }
}

impl Crds {
    /// Makes CRDs convert with a webhook: all of them, those of a group, or one kind: `all`, `example.com`,
    /// `example.com/Car`. Returns whether there is one.
    pub fn convert_by_webhook(&mut self, named: &str) -> bool {
        let (group, kind) = match named.split_once('/') {
            Some((group, kind)) => (group, Some(kind)),
            None => (named, None),
        };
        let mut found = false;
        for definition in &mut self.definitions {
            if named == "all" || definition.group == group && kind.is_none_or(|kind| kind == definition.kind) {
                found = true;
                definition.conversion = Some(serde_json::json!({ "strategy": "Webhook" }));
            }
        }
        found
    }
}

/// Merges a value into another one: tables key by key, and `null` removes a key.
pub(in crate::schema) fn merge(into: &mut Json, from: &Json) {
    let Json::Object(from) = from else {
        *into = from.clone();
        return;
    };
    if !into.is_object() {
        *into = Json::Object(serde_json::Map::new());
    }
    let Json::Object(into) = into else { return };
    for (key, value) in from {
        if value.is_null() {
            into.remove(key);
        } else {
            merge(into.entry(key.as_str()).or_insert(Json::Null), value);
        }
    }
}
