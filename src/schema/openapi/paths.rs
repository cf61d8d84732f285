//! What the paths of a document show: served kinds, their plurals and subresources.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{GroupVersionKind, Path};

/// The served kinds, and what was skipped.
#[derive(Debug, Default)]
pub(crate) struct Served {
    /// By kind.
    pub(crate) resources: BTreeMap<GroupVersionKind, Resource>,
    /// One sentence each.
    pub(crate) notes: Vec<String>,
}

/// A served kind.
#[derive(Debug, Default)]
pub(crate) struct Resource {
    pub plural: String,
    /// Whether all operations on it are deprecated.
    pub(crate) deprecated: bool,
    pub(crate) subresources: BTreeSet<String>,
    /// Whether objects are in a namespace.
    pub(crate) namespaced: bool,
}

/// The parts of a path: `/apis/GROUP/VERSION[/namespaces/{namespace}]/PLURAL[/{name}[/SUBRESOURCE…]]`.
#[derive(Debug, PartialEq, Eq)]
struct ResourcePath<'p> {
    /// Group and version, as in the path.
    root: &'p str,
    plural: &'p str,
    subresource: Option<&'p str>,
    namespaced: bool,
}

/// What the paths show about one plural.
#[derive(Debug, Default)]
struct Plural<'d> {
    kind: Option<&'d GroupVersionKind>,
    operations: usize,
    deprecated: usize,
    subresources: BTreeSet<String>,
    namespaced: bool,
}

/// Collects what is served.
///
/// # Errors
///
/// If a name is not allowed in a model.
pub(crate) fn served(paths: Option<&BTreeMap<String, Path>>) -> Result<Served, String> {
    let mut plurals: BTreeMap<(&str, &str), Plural> = BTreeMap::new();
    let mut elsewhere = Vec::new();
    for (path, item) in paths.into_iter().flatten() {
        match place(path) {
            Leads::To(place) => {
                let plural = plurals.entry((place.root, place.plural)).or_default();
                plural.add(&place, item);
            }
            Leads::Elsewhere if item.operations().any(|operation| operation.kinds.is_some()) => {
                elsewhere.push(path.as_str());
            }
            Leads::Elsewhere | Leads::Past => {}
        }
    }
    let mut served = Served::default();
    served.note(
        &elsewhere,
        "paths lead to a kind, but are not below /api/VERSION or /apis/GROUP/VERSION",
    );
    let mut unnamed = Vec::new();
    for ((_, name), plural) in plurals {
        match plural.kind {
            Some(kind) => served.add(kind, name, plural)?,
            None => unnamed.push(name),
        }
    }
    served.note(
        &unnamed,
        "resources do not name their kind (`x-kubernetes-group-version-kind`)",
    );
    Ok(served)
}

impl Served {
    fn note(&mut self, left_out: &[&str], what: &str) {
        if let Some(first) = left_out.first() {
            self.notes.push(format!(
                "{} {what}: {first}{}",
                left_out.len(),
                if left_out.len() > 1 { ", …" } else { "" }
            ));
        }
    }

    fn add(&mut self, kind: &GroupVersionKind, name: &str, plural: Plural<'_>) -> Result<(), String> {
        let names = [&kind.group, &kind.version, &kind.kind].map(String::as_str);
        for name in names
            .into_iter()
            .chain([name])
            .chain(plural.subresources.iter().map(String::as_str))
        {
            if name.chars().any(char::is_control) {
                return Err("control characters in the name of a kind or a path".to_owned());
            }
        }
        if kind.version.is_empty() || kind.kind.is_empty() {
            return Err(format!("the kind of {name} has no name or no version"));
        }
        if let Some(other) = self.resources.get(kind) {
            let (version, kind) = (&kind.version, &kind.kind);
            let other = &other.plural;
            self.notes
                .push(format!("{name} is skipped: {version} {kind} is also served as {other}"));
            return Ok(());
        }
        let resource = Resource {
            plural: name.to_owned(),
            deprecated: plural.operations > 0 && plural.deprecated == plural.operations,
            subresources: plural.subresources,
            namespaced: plural.namespaced,
        };
        self.resources.insert(kind.clone(), resource);
        Ok(())
    }
}

impl<'d> Plural<'d> {
    fn add(&mut self, place: &ResourcePath<'_>, item: &'d Path) {
        self.namespaced |= place.namespaced;
        if let Some(subresource) = place.subresource {
            self.subresources.insert(subresource.to_owned());
            return;
        }
        for operation in item.operations() {
            let kind = operation.kinds.as_ref().and_then(|kinds| kinds.list().first());
            self.kind = self.kind.or(kind);
            self.operations += 1;
            self.deprecated += usize::from(operation.deprecated == Some(true));
        }
    }
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
enum Leads<'p> {
    To(ResourcePath<'p>),
    /// A group, a version, or another way to watch or reach what has its own path.
    Past,
    Elsewhere,
}

fn place(path: &str) -> Leads<'_> {
    let Some((root, rest)) = below(path, "/api/", 1).or_else(|| below(path, "/apis/", 2)) else {
        let within = path.starts_with("/api/") || path.starts_with("/apis/");
        return if within { Leads::Past } else { Leads::Elsewhere };
    };
    let mut steps: Vec<&str> = rest.split('/').filter(|step| !step.is_empty()).collect();
    let namespaced = matches!(steps.as_slice(), ["namespaces", "{namespace}", _, ..]);
    if namespaced {
        steps.drain(..2);
    }
    let (plural, subresource) = match steps.as_slice() {
        [] => return Leads::Past,
        ["watch" | "proxy", next, ..] if !next.starts_with('{') => return Leads::Past,
        [plural, name, subresource, ..] if name.starts_with('{') => (*plural, Some(*subresource)),
        [plural] => (*plural, None),
        [plural, name] if name.starts_with('{') => (*plural, None),
        _ => return Leads::Elsewhere,
    };
    Leads::To(ResourcePath {
        root,
        plural,
        subresource,
        namespaced,
    })
}

/// The first steps of a path after its start, and the rest.
fn below<'p>(path: &'p str, start: &str, steps: usize) -> Option<(&'p str, &'p str)> {
    let rest = path.strip_prefix(start)?;
    let (end, _) = rest.match_indices('/').nth(steps - 1)?;
    Some((rest.get(..end)?, rest.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::{Leads, ResourcePath, place};

    fn to<'p>(root: &'p str, plural: &'p str, subresource: Option<&'p str>, namespaced: bool) -> Leads<'p> {
        Leads::To(ResourcePath {
            root,
            plural,
            subresource,
            namespaced,
        })
    }

    #[test]
    fn a_path_names_a_plural_and_perhaps_a_subresource() {
        for (path, leads) in [
            ("/api/v1/pods", to("v1", "pods", None, false)),
            ("/api/v1/namespaces/{name}", to("v1", "namespaces", None, false)),
            (
                "/api/v1/namespaces/{name}/finalize",
                to("v1", "namespaces", Some("finalize"), false),
            ),
            (
                "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}",
                to("v1", "pods", Some("proxy"), true),
            ),
            (
                "/apis/apps/v1/namespaces/{namespace}/deployments/{name}",
                to("apps/v1", "deployments", None, true),
            ),
            ("/apis/apps/v1/", Leads::Past),
            ("/apis/apps/", Leads::Past),
            ("/api/v1/watch/namespaces/{namespace}/pods", Leads::Past),
            ("/api/v1/proxy/nodes/{name}", Leads::Past),
            ("/version/", Leads::Elsewhere),
            ("/apis/a/v1/b/c", Leads::Elsewhere),
        ] {
            assert_eq!(place(path), leads, "{path}");
        }
    }
}
