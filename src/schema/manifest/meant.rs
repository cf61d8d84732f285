//! Which documents are meant to be CRDs, also where they lack what makes them one.

use super::{API, KIND, V1, V1BETA1};
use crate::schema::tree::Tree;

/// Whether a text can have CRDs, or a document that is meant to be one.
pub fn may_have_crds(text: &str) -> bool {
    text.contains(KIND) || states_api(text)
}

/// Whether a document says `apiVersion: apiextensions.k8s.io/v1`.
fn states_api(text: &str) -> bool {
    if !text.contains(V1) {
        return false;
    }
    let mut lines = text
        .lines()
        .map(|line| line.trim_start().trim_start_matches(['"', '\'']));
    is_json(text) || lines.any(|line| line.starts_with("apiVersion") && line.contains(V1))
}

/// Whether a document begins like JSON; YAML can also begin with a brace.
pub(super) fn is_json(document: &str) -> bool {
    let begin = document.strip_prefix("---").unwrap_or(document).trim_start();
    let within = begin.strip_prefix('{').map(str::trim_start);
    within.is_some_and(|within| within.starts_with(['"', '}']))
}

/// Whether an annotation is one that controller-gen writes into each CRD, so that no patch has it.
pub(super) fn is_generated(annotation: &str) -> bool {
    annotation.starts_with("controller-gen.kubebuilder.io/")
}

/// What keeps a document from being a CRD that is meant to be one, by its `kind`, its `apiVersion`, and whether it has
/// the group or the names of a CRD.
pub(super) fn problem(kind: Option<&str>, api: &str, has_names: bool) -> Option<String> {
    if kind == Some(KIND) {
        let of = match api {
            V1 | V1BETA1 => return None,
            "" => "without apiVersion".to_owned(),
            api => format!("of apiVersion `{api}`"),
        };
        return Some(format!("a {KIND} {of}: there are {API}v1 and {API}v1beta1"));
    }
    let is_meant = api == V1 && has_names;
    let kind = match kind {
        None | Some("") => "without `kind`".to_owned(),
        Some(kind) => format!("of kind `{kind}`"),
    };
    is_meant.then(|| format!("a document of {V1} {kind}: write `kind: {KIND}`"))
}

/// Whether a tree is a CRD of v1, or meant to be one: no template, and no part that Kustomize merges.
pub(super) fn is_definition(tree: &Tree) -> bool {
    let (kind, api) = (tree.text("kind"), tree.text("apiVersion"));
    let is_meant = if kind == KIND {
        api != V1BETA1
    } else {
        let spec = tree.get("spec");
        api == V1 && spec.is_some_and(|spec| spec.get("group").or(spec.get("names")).is_some())
    };
    is_meant && !is_template(tree) && !is_part(tree)
}

fn is_template(tree: &Tree) -> bool {
    let spec = tree.get("spec");
    let outside = ["group", "names", "scope", "conversion"].into_iter();
    let outside = outside.filter_map(|key| spec?.get(key));
    outside.chain(tree.get("metadata")).any(has_template)
}

/// Whether Kustomize merges a tree into a CRD: it has nothing that every CRD has, or only its scope, and something to
/// merge.
pub(super) fn is_part(tree: &Tree) -> bool {
    const KEYS: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];
    const OF_CRDS: [&str; 2] = ["group", "names"];
    const OF_VERSIONS: [&str; 2] = ["versions", "version"];
    if let Some(spec) = tree.get("spec") {
        let Tree::Table(entries) = spec else { return false };
        let has_versions = OF_VERSIONS.iter().any(|key| spec.get(key).is_some());
        if OF_CRDS.iter().any(|key| spec.get(key).is_some()) || has_versions && spec.get("scope").is_some() {
            return false;
        }
        if entries.values().any(|entry| entry.value != Tree::Null) {
            return true;
        }
    }
    let Tree::Table(entries) = tree else { return false };
    let metadata = tree.get("metadata").into_iter();
    let mut texts = metadata.flat_map(|metadata| metadata.entries("labels").chain(metadata.entries("annotations")));
    entries.keys().any(|key| !KEYS.contains(&key.as_str())) || texts.any(|(key, _)| !is_generated(key))
}

/// Whether a text in a tree is an expression of a template.
fn has_template(tree: &Tree) -> bool {
    match tree {
        Tree::Text(text) => text.contains("{{"),
        Tree::List(items) => items.iter().any(|item| has_template(&item.value)),
        Tree::Table(entries) => entries.values().any(|entry| has_template(&entry.value)),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) => false,
    }
}
