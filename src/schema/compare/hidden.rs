//! References in alternatives. What they lead to is not compared part by part, since a part does not decide the whole:
//! only whether a referenced schema changed is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind, Effect};
use crate::schema::node::{Additional, Property, Schema};
use crate::source::Location;

use super::{Comparison, Found, Sides, normal};

/// Schemas by name.
pub(crate) type Types = Arc<BTreeMap<String, Property>>;

/// A path whose schemas are references.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) path: String,
    pub(super) old: String,
    pub(super) new: String,
}

impl Link {
    /// A reference to one name on both sides.
    pub(crate) fn new(path: &str, name: &str) -> Self {
        Self {
            path: path.to_owned(),
            old: name.to_owned(),
            new: name.to_owned(),
        }
    }
}

/// Alternatives that are written alike, and the names they refer to.
#[derive(Debug)]
pub(super) struct Hidden {
    path: String,
    places: Sides<Option<Location>>,
    keyword: &'static str,
    pub(crate) names: BTreeSet<String>,
}

impl Comparison {
    /// Collects what the members of a keyword refer to. Members of `allOf` are compared as if they were written in
    /// place.
    pub(super) fn refer(&mut self, keyword: &'static str, old: &Schema, new: &Schema) {
        if self.types.old.is_none() {
            return;
        }
        let members = |schema: &Schema| -> BTreeSet<String> {
            let members = schema.logic.get(keyword).into_iter().flatten();
            let direct = members.filter_map(|member| member.reference.clone());
            direct.filter(|_| keyword == "allOf").collect()
        };
        let (before, after) = (members(old), members(new));
        for name in before.intersection(&after) {
            self.links.push(Link::new(&self.path, name));
        }
        let mut names = BTreeSet::new();
        for schema in [old, new] {
            for member in schema.logic.get(keyword).into_iter().flatten() {
                references(member, &mut names);
            }
        }
        names.retain(|name| !before.contains(name) && !after.contains(name));
        if !names.is_empty() {
            self.hidden.push(Hidden {
                path: self.path.clone(),
                places: self.places,
                keyword,
                names,
            });
        }
    }

    /// Reports alternatives whose referenced schema changed.
    pub(super) fn report_hidden(&mut self, hidden: Hidden, differing: &BTreeSet<String>) {
        let names: Vec<&str> = hidden.names.intersection(differing).map(String::as_str).collect();
        if names.is_empty() {
            return;
        }
        let (path, places) = (std::mem::replace(&mut self.path, hidden.path), self.places);
        self.places = hidden.places;
        let found = Found::new(ChangeKind::CombinationChanged, Effect::Unclear).of(hidden.keyword);
        self.push(found.between(Some(Json::from(names.join(", "))), None));
        (self.path, self.places) = (path, places);
    }
}

/// All names that a schema refers to.
fn references(schema: &Schema, names: &mut BTreeSet<String>) {
    names.extend(schema.reference.clone());
    schema
        .properties
        .values()
        .for_each(|field| references(&field.schema, names));
    schema.items.iter().for_each(|items| references(items, names));
    if let Some(Additional::Of(values)) = &schema.additional {
        references(values, names);
    }
    schema
        .logic
        .values()
        .flatten()
        .for_each(|member| references(member, names));
}

/// The names whose schemas differ between two documents, or refer to what does.
pub(super) fn differing(old: &Types, new: &Types) -> BTreeSet<String> {
    let mut users: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    let mut waiting: Vec<&String> = Vec::new();
    for name in old.keys().chain(new.keys()) {
        let sides = [old.get(name), new.get(name)];
        let [before, after] = sides.map(|side| side.map(|property| normal::schema(&property.schema)));
        if before != after {
            waiting.push(name);
        }
        let mut names = BTreeSet::new();
        for property in sides.into_iter().flatten() {
            references(&property.schema, &mut names);
        }
        for used in names {
            users.entry(used).or_default().push(name);
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if found.insert(name.clone()) {
            waiting.extend(users.get(name).into_iter().flatten());
        }
    }
    found
}
