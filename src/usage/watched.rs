//! The elements that evidence is gathered about, and the words by which a line can name one.

use std::collections::{BTreeMap, BTreeSet};

use super::search::Search;
use crate::diagnostic::Diagnostic;
use crate::document::{Diagnostics, Document};
use crate::grammar::{CORE, KindPath};
use crate::scan::{Contained, Surface};

/// Kinds that are only sent to subresources of other kinds: their version is in the bodies of requests alone.
const WITHOUT_RESOURCE: [&str; 2] = ["Eviction", "Scale"];

/// The elements of models that are deprecated or removed by a release.
#[derive(Debug, Default)]
pub struct Watched {
    /// What the models say. Of several that declare a group, the first one counts.
    pub(super) surfaces: Vec<Surface>,
    /// By group, version and resource. Without a resource: the version, for resources of no known kind.
    api: BTreeMap<(String, String, String), String>,
    /// Kinds with members that are looked for in the bodies of requests, and the ids of these members.
    members: BTreeMap<(String, String, String), Members>,
    /// The names of kinds and their resources, by the ids of the kinds.
    kinds: BTreeMap<String, (String, (String, String, String))>,
    /// Which kinds contain objects of others.
    pub(super) contained: Contained,
    /// All ids of the models.
    ids: BTreeSet<String>,
}

/// The members of a kind that are watched, and those of the kinds that it contains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Members {
    pub(super) kind: String,
    pub(super) ids: BTreeSet<String>,
}

/// An element of an API, as a query names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource<'w> {
    pub(super) group: &'w str,
    pub(super) version: &'w str,
    /// Empty: all resources of the version that have no row of their own.
    pub(super) plural: &'w str,
    pub(super) id: &'w str,
}

/// The resource of a kind in URLs, as Kubernetes guesses it where nothing declares it.
pub(crate) fn guessed_resource(kind: &str) -> String {
    let lower = kind.to_lowercase();
    match lower.strip_suffix('y') {
        _ if lower.ends_with("endpoints") => lower,
        Some(stem) => format!("{stem}ies"),
        None if lower.ends_with('s') => format!("{lower}es"),
        None => format!("{lower}s"),
    }
}

fn key(group: &str, version: &str, resource: &str) -> (String, String, String) {
    (group.to_owned(), version.to_owned(), resource.to_owned())
}

/// The name of a group in URLs and logs.
fn in_logs(group: &str) -> &str {
    if group == CORE { "" } else { group }
}

impl Watched {
    /// Adds what a model says: its surface, the declared resources by group and kind, and its ids.
    pub(crate) fn add(
        &mut self,
        surface: Surface,
        resources: &BTreeMap<(&str, &str), &str>,
        ids: impl Iterator<Item = String>,
    ) {
        self.ids.extend(ids);
        let known: BTreeSet<String> = self
            .surfaces
            .iter()
            .flat_map(|surface| surface.groups.keys().cloned())
            .collect();
        for (group, versions) in surface.groups.iter().filter(|(group, _)| !known.contains(*group)) {
            for (name, version) in versions {
                for (kind, fate) in &version.kinds {
                    let declared = resources.get(&(group.as_str(), kind.as_str())).copied();
                    let resource = declared.map_or_else(|| guessed_resource(kind), str::to_owned);
                    let id = KindPath::api(group.as_str(), name.as_str(), kind.as_str()).to_string();
                    self.kinds
                        .insert(id, (kind.clone(), key(in_logs(group), name, &resource)));
                    let is_seen = declared.is_some() || !WITHOUT_RESOURCE.contains(&kind.as_str());
                    if is_seen && !fate.fate.is_nothing() {
                        self.api
                            .insert(key(in_logs(group), name, &resource), fate.fate.id.clone());
                    }
                    let ids = fate.members.iter().filter(|member| !member.fate.is_nothing());
                    let ids: BTreeSet<String> = ids.map(|member| member.fate.id.clone()).collect();
                    if !ids.is_empty() {
                        let kind = kind.clone();
                        self.members
                            .insert(key(in_logs(group), name, &resource), Members { kind, ids });
                    }
                }
                if !version.fate.is_nothing() {
                    self.api.insert(key(in_logs(group), name, ""), version.fate.id.clone());
                }
            }
        }
        self.surfaces.push(surface);
    }

    /// Adds a list of kinds whose objects contain those of others, so that members of these are looked for there too.
    /// It is about the kinds of the models that were added before.
    ///
    /// # Errors
    ///
    /// If the list cannot be read.
    pub fn add_contained(&mut self, list: &Document<'_>) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Diagnostics::default();
        self.contained.add_list(list, &mut errors);
        if !errors.is_empty() {
            return Err(errors.into_vec());
        }
        let own = self.members.clone();
        for (containing, parts) in self.contained.all() {
            let parts = parts.iter().filter_map(|part| self.kinds.get(&part.kind.to_string()));
            let members = parts.filter_map(|(_, resource)| own.get(resource));
            let ids: BTreeSet<&String> = members.flat_map(|members| &members.ids).collect();
            if let Some((kind, resource)) = self.kinds.get(containing).filter(|_| !ids.is_empty()) {
                let members = self.members.entry(resource.clone()).or_default();
                members.kind.clone_from(kind);
                members.ids.extend(ids.into_iter().cloned());
            }
        }
        Ok(())
    }

    /// Whether requests can show any of it.
    pub fn has_requests(&self) -> bool {
        !self.api.is_empty()
    }

    /// What is watched of a resource.
    pub(super) fn of(&self, group: &str, version: &str, resource: &str) -> Option<&str> {
        let own = self.api.get(&key(group, version, resource));
        let own = own.or_else(|| self.api.get(&key(group, version, "")));
        own.map(String::as_str)
    }

    /// The members that bodies of requests for a resource can show.
    pub(super) fn members(&self, group: &str, version: &str, resource: &str) -> Option<&Members> {
        self.members.get(&key(group, version, resource))
    }

    /// The ids that requests show without their bodies.
    pub(super) fn shown_by_requests(&self) -> BTreeSet<String> {
        self.api.values().cloned().collect()
    }

    /// Whether a model declares the element.
    pub(super) fn declares(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The resources to ask for, in order.
    pub(super) fn resources(&self) -> impl Iterator<Item = Resource<'_>> {
        self.api.iter().map(|((group, version, resource), id)| Resource {
            group,
            version,
            plural: resource,
            id,
        })
    }

    /// The words of which a line must have one to name an element: a version that only old elements have, or else the
    /// resource; and with bodies, the resources whose members are watched.
    pub(crate) fn words(&self, with_bodies: bool) -> Vec<String> {
        let mut words = BTreeSet::new();
        for (group, version, resource) in self.api.keys() {
            let is_rare = version.contains("alpha") || version.contains("beta");
            let word = match (is_rare, group.as_str(), resource.as_str()) {
                (true, ..) => version,
                (false, "", "") => continue,
                (false, group, "") if !group.is_empty() => group,
                (false, _, resource) => resource,
            };
            words.insert(format!("\"{word}\""));
        }
        if with_bodies {
            words.extend(self.members.keys().map(|(_, _, resource)| format!("\"{resource}\"")));
        }
        words.into_iter().collect()
    }

    /// A search for the words.
    pub(super) fn search(&self, with_bodies: bool) -> Search {
        Search::of(&self.words(with_bodies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_guessed_as_kubernetes_does() {
        let kinds = [
            "Deployment",
            "NetworkPolicy",
            "Ingress",
            "Endpoints",
            "StorageClass",
            "FlowSchema",
        ];
        let resources = kinds.map(guessed_resource);
        let expected = [
            "deployments",
            "networkpolicies",
            "ingresses",
            "endpoints",
            "storageclasses",
            "flowschemas",
        ];
        assert_eq!(resources, expected);
    }
}
