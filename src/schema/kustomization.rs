//! `kustomization.yaml`: which patches Kustomize applies to CRDs.

use serde::Deserialize;
use serde_json::Value as Json;

use super::manifest::patch::{Patch, merge};
use super::tree::Tree;
use crate::text::{LARGEST, MOST_NODES, Unreadable, check_size, limits, of_problem};

/// The names of such a file, in the order in which Kustomize looks for them.
pub const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// A patch that a `kustomization.yaml` lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPatch {
    /// What it says, or where that stands.
    pub source: PatchSource,
    /// The name of the CRD that it is for, if it is given here; `*` for all CRDs.
    pub target: Option<String>,
}

/// Where a patch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchSource {
    /// In a file, by its path from the folder of the list.
    File(String),
    /// In the list itself.
    Inline(String),
}

/// The patches that a `kustomization.yaml` lists, in order.
///
/// # Errors
///
/// If it is no valid YAML.
pub fn listed_patches(text: &str) -> Result<Vec<ListedPatch>, Unreadable> {
    check_size(text, LARGEST)?;
    let tree: Tree =
        serde_saphyr::from_str_with_options(text, limits(MOST_NODES)).map_err(|problem| of_problem(&problem, 1))?;
    let merged = tree.texts("patchesStrategicMerge").map(|patch| ListedPatch {
        source: source(patch),
        target: None,
    });
    let items = ["patchesJson6902", "patches"].map(|key| tree.items(key));
    let patches = items.into_iter().flatten().filter_map(|item| {
        let (path, inline) = (item.value.text("path"), item.value.text("patch"));
        let source = match (path, inline) {
            ("", "") => return None,
            ("", inline) => PatchSource::Inline(inline.to_owned()),
            (path, _) => PatchSource::File(path.to_owned()),
        };
        let target = item.value.get("target").map(|target| match target.text("name") {
            "" | ".*" => "*".to_owned(),
            name => name.to_owned(),
        });
        Some(ListedPatch { source, target })
    });
    Ok(merged.chain(patches).collect())
}

/// An operation of a JSON patch (RFC 6902).
#[derive(Debug, Deserialize)]
struct Operation {
    op: String,
    path: String,
    #[serde(default)]
    value: Json,
}

/// The JSON pointer of what a patch may say about conversion.
const CONVERSION: &str = "/spec/conversion";

/// The JSON pointer of what no comparison reads.
const METADATA: &str = "/metadata/";

/// A JSON patch for CRDs that its list names.
#[derive(Debug)]
pub struct JsonPatch {
    /// What it does to `spec.conversion`.
    pub patch: Patch,
    /// The JSON pointer of the first thing that it does to another part of the CRD, which is not merged.
    pub other: Option<String>,
}

/// What a JSON patch does, or which of its operations on `spec.conversion` cannot be merged. `None` if a text is no
/// such patch.
pub fn json_patch(text: &str) -> Option<Result<JsonPatch, String>> {
    check_size(text, LARGEST).ok()?;
    let operations: Vec<Operation> = serde_saphyr::from_str_with_options(text, limits(MOST_NODES)).ok()?;
    let (mut conversion, mut other) = (None, None);
    for Operation { op, path, value } in operations {
        let below = path.strip_prefix(CONVERSION);
        let Some(below) = below.filter(|below| below.is_empty() || below.starts_with('/')) else {
            other = other.or(Some(path).filter(|path| op != "test" && !path.starts_with(METADATA)));
            continue;
        };
        let keys: Vec<&str> = below.split('/').skip(1).collect();
        let is_list = keys.iter().any(|key| *key == "-" || key.parse::<u32>().is_ok());
        let value = match op.as_str() {
            "add" | "replace" if !is_list => value,
            "remove" if !is_list && !keys.is_empty() => Json::Null,
            _ => return Some(Err(format!("operation `{op}` of `{path}`"))),
        };
        let keys = keys.into_iter().rev();
        let nested = keys.fold(value, |inner, key| Json::from_iter([(key.to_owned(), inner)]));
        merge(conversion.get_or_insert(Json::Null), &nested);
    }
    let patch = Patch {
        line: 1,
        name: String::new(),
        conversion,
        other: None,
    };
    Some(Ok(JsonPatch { patch, other }))
}

/// The files and folders with objects that a `kustomization.yaml` names, as written: resources, bases, components and
/// patches. Some may be addresses.
///
/// # Errors
///
/// If it is no valid YAML.
pub fn named_paths(text: &str) -> Result<Vec<String>, Unreadable> {
    check_size(text, LARGEST)?;
    let tree: Tree =
        serde_saphyr::from_str_with_options(text, limits(MOST_NODES)).map_err(|problem| of_problem(&problem, 1))?;
    let lists = ["resources", "bases", "components", "patchesStrategicMerge"];
    let listed = lists.iter().flat_map(|key| tree.texts(key));
    let patches = tree.items("patches").iter().map(|item| item.value.text("path"));
    let all = listed
        .chain(patches)
        .filter(|path| !path.is_empty() && !path.contains('\n'));
    Ok(all.map(str::to_owned).collect())
}

/// A path, or a patch itself.
fn source(text: &str) -> PatchSource {
    if text.contains('\n') {
        PatchSource::Inline(text.to_owned())
    } else {
        PatchSource::File(text.to_owned())
    }
}
