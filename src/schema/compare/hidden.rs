//! References in alternatives. What they lead to is not compared part by part, since a part does not decide the whole:
//! only whether a referenced schema changed is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::node::{Property, Schema};
use crate::source::Location;

use super::{Comparison, normal};

/// Schemas by name.
pub(crate) type Types = Arc<BTreeMap<String, Property>>;

/// A path whose schemas are references.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) path: String,
    pub(super) old: String,
    pub(super) new: String,
}

/// Alternatives that are written alike, and the names they refer to.
#[derive(Debug)]
pub(super) struct Hidden {
    path: String,
    places: [Option<Location>; 2],
    keyword: &'static str,
    pub(crate) names: BTreeSet<String>,
}

impl Comparison {
    /// Collects what the members of a keyword refer to. Members of `allOf` are compared as if they were written in
    /// place.
    pub(super) fn refer(&mut self, keyword: &'static str, old: &Schema, new: &Schema) {
        if self.types[0].is_none() {
            return;
        }
        let mut names = BTreeSet::new();
        let direct: [BTreeSet<String>; 2] = [old, new].map(|schema| {
            let members = schema.logic.get(keyword).map(Vec::as_slice).unwrap_or_default();
            for member in members {
                references(member, &mut names);
            }
            let direct = members.iter().filter_map(|member| member.reference.clone());
            direct.filter(|_| keyword == "allOf").collect()
        });
        for name in direct[0].intersection(&direct[1]) {
            self.links.push(Link {
                path: self.path.clone(),
                old: name.clone(),
                new: name.clone(),
            });
        }
        names.retain(|name| !direct.iter().any(|direct| direct.contains(name)));
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
        let names = [Some(names.join(", ")), None];
        self.add(Kind::CombinationChanged, Effect::Unclear, Some(hidden.keyword), names);
        (self.path, self.places) = (path, places);
    }
}

/// All names that a schema refers to.
fn references(schema: &Schema, names: &mut BTreeSet<String>) {
    names.extend(schema.reference.clone());
    schema.parts().for_each(|part| references(part, names));
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
