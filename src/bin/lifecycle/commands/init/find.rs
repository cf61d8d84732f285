//! What a project has that can be imported, and where it is in each release.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lifecycle::schema::{may_have_crds, read};

use crate::failure::Result;

use super::states::{State, StateFile, States};

/// What an importer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Crds,
    Packages,
    Documents,
}

impl Sort {
    /// The sorts, the one that says most first.
    pub const ALL: [Self; 3] = [Self::Crds, Self::Packages, Self::Documents];

    pub fn name(self) -> &'static str {
        match self {
            Self::Crds => "CRDs",
            Self::Packages => "Go packages",
            Self::Documents => "OpenAPI documents",
        }
    }

    /// What imports it: the name of a command after `import`.
    pub fn importer(self) -> &'static str {
        match self {
            Self::Crds => "crds",
            Self::Packages => "kubernetes-api",
            Self::Documents => "openapi",
        }
    }
}

/// All that was found.
pub struct Survey {
    /// Oldest first.
    pub releases: Vec<Surveyed>,
    /// The sort that is imported, if there is one.
    pub sort: Option<Sort>,
}

/// What one release has.
pub struct Surveyed {
    pub state: State,
    /// The folders of each sort.
    pub folders: BTreeMap<Sort, Vec<String>>,
    /// The positions of the files of each sort.
    files: BTreeMap<Sort, Vec<usize>>,
}

impl Surveyed {
    pub fn files(&self, sort: Sort) -> impl Iterator<Item = &StateFile> {
        let positions = self.files.get(&sort).into_iter().flatten();
        positions.filter_map(|at| self.state.files.get(*at))
    }
}

impl Survey {
    /// The folders of what is imported, in the newest release. Of the folder of the project itself the files, because
    /// others are below it that are not imported.
    pub fn newest_paths(&self) -> Vec<String> {
        let Some((newest, sort)) = self.releases.last().zip(self.sort) else {
            return Vec::new();
        };
        let folders = newest.folders.get(&sort).into_iter().flatten();
        let folders = folders.filter(|folder| !folder.is_empty()).cloned();
        let files = newest.files(sort).map(|file| file.path.clone());
        folders.chain(files.filter(|path| !path.contains('/'))).collect()
    }

    pub fn of(states: &States) -> Result<Self> {
        let mut seen = BTreeMap::new();
        let releases = states
            .all()?
            .into_iter()
            .map(|state| surveyed(states, state, &mut seen));
        let releases = releases.collect::<Result<Vec<_>>>()?;
        let sort = Sort::ALL
            .into_iter()
            .find(|sort| releases.iter().any(|release| release.files.contains_key(sort)));
        Ok(Self { releases, sort })
    }
}

/// What a file shows: a sort, and the names of what it defines.
type Shown = Option<(Sort, Rc<BTreeSet<String>>)>;

fn surveyed(states: &States, state: State, seen: &mut BTreeMap<String, Shown>) -> Result<Surveyed> {
    let mut by_folder: BTreeMap<(Sort, String), Folder> = BTreeMap::new();
    for (at, file) in state.files.iter().enumerate() {
        let shown = match seen.get(&file.id) {
            Some(shown) => shown.clone(),
            None => {
                let shown = shown(states, file)?;
                seen.insert(file.id.clone(), shown.clone());
                shown
            }
        };
        let Some((sort, names)) = shown else { continue };
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = by_folder.entry((sort, folder.to_owned())).or_default();
        folder.files.push((at, names));
    }
    let mut surveyed = Surveyed {
        state,
        folders: BTreeMap::new(),
        files: BTreeMap::new(),
    };
    for sort in Sort::ALL {
        let of_sort = by_folder.iter().filter(|((own, _), _)| *own == sort);
        let mut of_sort: Vec<(&str, &Folder)> = of_sort.map(|((_, path), folder)| (path.as_str(), folder)).collect();
        of_sort.sort_by_key(|(path, folder)| (distance(path), Reverse(folder.count()), *path));
        let mut known: BTreeSet<&String> = BTreeSet::new();
        for (path, folder) in of_sort {
            let new = folder.not_in(&mut known);
            if !new.is_empty() {
                surveyed.folders.entry(sort).or_default().push(path.to_owned());
                surveyed.files.entry(sort).or_default().extend(new);
            }
        }
    }
    Ok(surveyed)
}

#[derive(Default)]
struct Folder {
    /// The position of each file, and the names of what it defines.
    files: Vec<(usize, Rc<BTreeSet<String>>)>,
}

impl Folder {
    /// How much it defines.
    fn count(&self) -> usize {
        let names = self.files.iter().flat_map(|(_, names)| names.iter());
        names.collect::<BTreeSet<_>>().len()
    }

    /// The files that define what is not known yet, those with most first; what they define is known then.
    fn not_in<'f>(&'f self, known: &mut BTreeSet<&'f String>) -> Vec<usize> {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by_key(|(at, names)| (Reverse(names.len()), *at));
        let mut new = Vec::new();
        for (at, names) in files {
            if names.iter().any(|name| !known.contains(name)) {
                known.extend(names.iter());
                new.push(*at);
            }
        }
        new.sort_unstable();
        new
    }
}

/// How far a folder is from the source: 1 for copies in packages and releases, 2 for templates.
fn distance(path: &str) -> u8 {
    let copies = ["chart", "helm", "manifest", "deploy", "install", "bundle", "release"];
    match path {
        path if path.contains("template") => 2,
        path if copies.iter().any(|word| path.contains(word)) => 1,
        _ => 0,
    }
}

fn shown(states: &States, file: &StateFile) -> Result<Shown> {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    if let Some((_, "go")) = name.rsplit_once('.') {
        // The file that registers the types makes a folder an API package.
        return Ok(match name {
            "register.go" => package(states, file)?,
            _ => None,
        });
    }
    let Ok(text) = states.text(file)? else {
        return Ok(None);
    };
    let mut crds = names_of_crds(&text);
    if crds.is_empty() {
        crds = names_of_other_crds(&text);
    }
    Ok(if !crds.is_empty() {
        Some((Sort::Crds, Rc::new(crds)))
    } else if text.contains("x-kubernetes-group-version-kind") && text.contains("\"paths\"") {
        Some((Sort::Documents, Rc::new(BTreeSet::from([file.path.clone()]))))
    } else {
        None
    })
}

/// A package that registers the kinds of a group as Kubernetes does.
fn package(states: &States, file: &StateFile) -> Result<Shown> {
    let text = states.text(file)?.unwrap_or_default();
    let registers = text.contains("AddKnownTypes(") && text.contains("schema.GroupVersion{");
    Ok(registers.then(|| (Sort::Packages, Rc::new(BTreeSet::from([file.path.clone()])))))
}

/// The names of the CRDs in a text. A patch has no group, and is none.
fn names_of_crds(text: &str) -> BTreeSet<String> {
    if !text.contains("CustomResourceDefinition") {
        return BTreeSet::new();
    }
    let documents = text.split("\n---");
    let names = documents.filter_map(|document| {
        let mut lines = document.lines();
        let is_crd = lines
            .clone()
            .any(|line| line.trim_end() == "kind: CustomResourceDefinition");
        let has_group = lines.clone().any(|line| line.starts_with("  group: "));
        let name = lines.find_map(|line| line.strip_prefix("  name: "))?;
        (is_crd && has_group).then(|| name.trim_matches(['"', '\'', ' ', '\r']).to_owned())
    });
    names.collect()
}

/// The names of CRDs that are not written line by line: in JSON, or with quotes and braces.
fn names_of_other_crds(text: &str) -> BTreeSet<String> {
    let crds = may_have_crds(text).then(|| read(text).ok()).flatten();
    let definitions = crds.into_iter().flat_map(|crds| crds.definitions);
    definitions.map(|definition| definition.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crd_is_found_however_it_is_written() {
        let json = r#"{ "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": "widgets.acme.io" }, "spec": { "group": "acme.io", "scope": "Namespaced",
            "names": { "kind": "Widget", "plural": "widgets" }, "versions": [{ "name": "v1", "served": true,
            "storage": true, "schema": { "openAPIV3Schema": { "type": "object" } } }] } }"#;
        assert_eq!(
            names_of_other_crds(json),
            BTreeSet::from(["widgets.acme.io".to_owned()])
        );
        let quoted = "apiVersion: \"apiextensions.k8s.io/v1\"\nkind: \"CustomResourceDefinition\"\n\
                      metadata: { name: widgets.acme.io }\n\
                      spec: { group: acme.io, names: { kind: Widget, plural: widgets },\n  versions: [\
                      { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }\n";
        assert_eq!(names_of_other_crds(quoted).len(), 1);
        assert!(names_of_other_crds("# CustomResourceDefinition\na: b\n").is_empty());
    }

    #[test]
    fn a_patch_is_no_crd() {
        let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a.b.c\n";
        assert!(names_of_crds(&format!("{head}spec:\n  conversion:\n    strategy: Webhook\n")).is_empty());
        let names = names_of_crds(&format!("{head}spec:\n  group: b.c\n---\n{head}spec:\n  group: b.c\n"));
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a.b.c"]);
    }

    #[test]
    fn copies_for_packages_come_last() {
        let folders = ["config/crd/bases", "charts/crds", "charts/kueue/templates/crd"];
        assert_eq!(folders.map(distance), [0, 1, 2]);
    }
}
