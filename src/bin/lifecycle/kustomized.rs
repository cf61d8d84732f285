//! The patches that Kustomize applies to CRDs, in the layout of projects: `bases/` with the CRDs, `patches/` beside it,
//! and a `kustomization.yaml` beside both or among the CRDs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lifecycle::schema::kustomization::{JsonPatch, ListedPatch, NAMES, PatchSource, json_patch, listed_patches};
use lifecycle::schema::{Patch, read};

use crate::failure::Failure;
use crate::io::disk::STANDARD_INPUT;
use crate::io::tree::{FileTree, Reach};

/// The folder beside the CRDs that has patches.
const PATCHES: &str = "patches";

/// Patches around CRDs.
#[derive(Debug, Default)]
pub struct Kustomized {
    /// The patches that apply, each with the name of the CRD that the list gives, if it gives one.
    pub patches: Vec<(Patch, Option<String>)>,
    /// What could not be read, and why.
    pub skipped: Vec<String>,
    /// The folders whose patches are listed.
    folders: BTreeSet<PathBuf>,
}

impl Kustomized {
    /// The patches for CRDs in these files: of their folders and of the folders above those.
    pub fn around(tree: &FileTree, files: &[String], named_by: NamedBy) -> Self {
        let mut found = Self::default();
        let mut seen = BTreeSet::new();
        for file in files.iter().filter(|file| *file != STANDARD_INPUT) {
            let Some(folder) = Path::new(file).parent() else {
                continue;
            };
            let above = folder.file_name().map(|_| normal(&folder.join("..")));
            let reach = reach(tree, file, above.as_deref(), named_by);
            for folder in [Some(folder.to_owned()), above].into_iter().flatten() {
                if seen.insert(folder.clone()) {
                    found.add_folder(tree, &reach, &folder);
                }
            }
        }
        found
    }

    /// Whether the patches in the folder of a file, or in the one above, are listed.
    pub fn governs(&self, file: &str) -> bool {
        let folder = Path::new(file).parent().map(normal).unwrap_or_default();
        let above = normal(&folder.join(".."));
        self.folders.contains(&folder) || self.folders.contains(&above)
    }

    fn add_folder(&mut self, tree: &FileTree, reach: &Reach<'_>, folder: &Path) {
        let names = NAMES.iter().map(|name| folder.join(name));
        let lists = names.map(|path| path.to_string_lossy().into_owned());
        match lists.into_iter().find(|name| tree.has(name)) {
            Some(list) => self.add_listed(reach, folder, &list),
            None if tree.has(&folder.join(PATCHES).to_string_lossy()) => {
                self.add_found(reach, &folder.join(PATCHES));
            }
            None => {}
        }
    }

    fn add_listed(&mut self, reach: &Reach<'_>, folder: &Path, list: &str) {
        let Some(text) = self.text(reach, list) else { return };
        let patches = match listed_patches(&text) {
            Ok(patches) => patches,
            Err(error) => return self.skipped.push(error.within(list)),
        };
        self.folders.insert(normal(folder));
        for ListedPatch { source, target } in patches {
            match source {
                PatchSource::Inline(text) => self.add_text(list, &text, target.as_deref()),
                PatchSource::File(path) => {
                    let name = normal(&folder.join(path)).to_string_lossy().into_owned();
                    if let Some(text) = self.text(reach, &name) {
                        self.add_text(&name, &text, target.as_deref());
                    }
                }
            }
        }
    }

    /// Where nothing lists them, all patches apply.
    fn add_found(&mut self, reach: &Reach<'_>, folder: &Path) {
        let folder = folder.to_string_lossy();
        let files = match reach.list(&folder, &["yaml", "yml"]) {
            Ok(list) => list.files,
            Err(failure) => return self.skipped.push(format!("{folder}: {}", failure.message)),
        };
        for name in files {
            if let Some(text) = self.text(reach, &name) {
                self.add_text(&name, &text, None);
            }
        }
    }

    fn text(&mut self, reach: &Reach<'_>, name: &str) -> Option<String> {
        match reach.read(name) {
            Ok(text) => Some(text.content),
            Err(Failure { message, .. }) => {
                let of_file = message.strip_prefix(&format!("`{name}` "));
                self.skipped.push(match of_file {
                    Some(what) => format!("{name}, which {what}"),
                    None => format!("{name}: {message}"),
                });
                None
            }
        }
    }

    fn add_text(&mut self, name: &str, text: &str, target: Option<&str>) {
        match json_patch(text) {
            Some(Ok(JsonPatch { patch, other })) if target.is_some() => {
                let of = target.map(str::to_owned);
                let other = other.map(|path| format!("{name}: a JSON patch of `{path}`, which is not applied"));
                self.skipped.extend(other);
                return self.patches.push((patch, of));
            }
            Some(Ok(_)) => return self.skipped.push(format!("{name}: a JSON patch without a target")),
            Some(Err(reason)) => {
                let of = target.map(|target| format!(", for {target}")).unwrap_or_default();
                return self.skipped.push(format!("{name}: a JSON patch with the {reason}{of}"));
            }
            None => {}
        }
        match read(text) {
            Ok(found) => {
                for patch in found.patches {
                    let other = patch.other.as_ref();
                    let other = other.map(|key| format!("{name}: a patch of `spec.{key}`, which is not applied"));
                    self.skipped.extend(other);
                    self.patches.push((patch, target.map(str::to_owned)));
                }
            }
            Err(error) => self.skipped.push(error.within(name)),
        }
    }
}

/// Who names the files of CRDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// A person, on the command line.
    User,
    /// A model, which may come from a pull request.
    Model,
}

/// What may be read around a file of CRDs: what the file may name, and, where a person names it, what is below the
/// folder above its own.
fn reach<'t>(tree: &'t FileTree, file: &str, above: Option<&Path>, named_by: NamedBy) -> Reach<'t> {
    match (tree, named_by, above) {
        (FileTree::Disk(disk), NamedBy::User, Some(above)) if above.as_os_str().is_empty() => {
            Reach::Disk(disk.within_folder(Path::new(".")))
        }
        (FileTree::Disk(disk), NamedBy::User, Some(above)) => Reach::Disk(disk.within_folder(above)),
        _ => tree.within(file),
    }
}

/// A path without `.` and `..`, as far as it says where it leads.
pub fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut steps = PathBuf::new();
    for step in path.components() {
        match step {
            Component::CurDir => {}
            Component::ParentDir if matches!(steps.components().next_back(), Some(Component::Normal(_))) => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps
}
