//! `kustomization.yaml`: which patches Kustomize applies to CRDs.

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
    let patches = tree.items("patches").iter().filter_map(|item| {
        let (path, inline) = (item.value.text("path"), item.value.text("patch"));
        let source = match (path, inline) {
            ("", "") => return None,
            ("", inline) => PatchSource::Inline(inline.to_owned()),
            (path, _) => PatchSource::File(path.to_owned()),
        };
        let target = item.value.get("target").map(|target| match target.text("name") {
            "" => "*".to_owned(),
            name => name.to_owned(),
        });
        Some(ListedPatch { source, target })
    });
    Ok(merged.chain(patches).collect())
}

/// A path, or a patch itself.
fn source(text: &str) -> PatchSource {
    if text.contains('\n') {
        PatchSource::Inline(text.to_owned())
    } else {
        PatchSource::File(text.to_owned())
    }
}
