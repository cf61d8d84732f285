//! What a `kustomization.yaml` names: files anywhere in the repository.

use std::path::Path;

use lifecycle::schema::kustomization::{NAMES, named_paths};

use crate::io::disk::{Disk, folder_of};
use crate::kustomized::normal;

/// The files that a file names, if it is a `kustomization.yaml`.
#[derive(Debug, Default)]
pub struct Named {
    pub files: Vec<String>,
    /// What is not read, and why.
    pub skipped: Vec<String>,
}

impl Named {
    pub fn by(name: &str, text: &str, disk: &Disk) -> Self {
        let mut named = Self::default();
        let file = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
        if !NAMES.contains(&file.as_ref()) {
            return named;
        }
        // A template is counted as one, and broken YAML is reported where objects are read.
        for path in named_paths(text).unwrap_or_default() {
            named.add(name, &path, disk);
        }
        named
    }

    fn add(&mut self, by: &str, path: &str, disk: &Disk) {
        if is_address(path) {
            self.skipped.push(format!("{by}: {path} is not a local file"));
            return;
        }
        let path = normal(&folder_of(by).join(path));
        if let Err(refusal) = disk.within(by).find(&path) {
            self.skipped.push(format!("{by}: {}", refusal.message));
        } else if path.is_dir() {
            let lists = NAMES.iter().map(|name| path.join(name));
            let list = lists.into_iter().find(|list| list.is_file());
            self.files.extend(list.map(|list| list.to_string_lossy().into_owned()));
        } else if path.is_file() {
            self.files.push(path.to_string_lossy().into_owned());
        } else {
            self.skipped.push(format!("{by}: there is no file {}", path.display()));
        }
    }
}

fn is_address(path: &str) -> bool {
    let begins = ["github.com/", "git@", "git::"];
    path.contains("://") || path.contains("?ref=") || begins.iter().any(|begin| path.starts_with(begin))
}
