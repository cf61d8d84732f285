//! The states of a project: its releases, from tags; without tags, the folder as it is.

use std::path::Path;

use chrono::NaiveDate;
use lifecycle::release::ReleaseName;
use lifecycle::text::LARGEST;

use crate::failure::Result;
use crate::io::bounds::{real_path, relative};
use crate::io::disk::Disk;
use crate::io::tags::{ALL, File, Tags};

/// What can be read: CRDs, OpenAPI documents and Go packages.
const ENDINGS: [&str; 4] = ["yaml", "yml", "json", "go"];

/// The release after the one that a folder stands for.
pub const AFTER_FOLDER: &str = "0.2";

pub struct States {
    /// The releases; without them, why there are none.
    pub tags: Result<Tags, String>,
    /// Which tags are read, if not all.
    pub pattern: Option<String>,
    folder: String,
    disk: Disk,
}

/// One state: a release.
pub struct State {
    pub release: ReleaseName,
    pub date: Option<NaiveDate>,
    /// The name of its tag; empty for a folder.
    pub tag: String,
    pub files: Vec<StateFile>,
}

pub struct StateFile {
    /// From the folder of the project.
    pub path: String,
    /// Equal for equal contents.
    pub id: String,
    of_tag: Option<File>,
}

impl States {
    pub fn of(folder: &str, pattern: &str, disk: &Disk) -> Result<Self> {
        let tags = match Tags::of(folder, pattern) {
            Ok(tags) => Ok(tags),
            // Nobody has typed the option that the message names.
            Err(failure) if pattern == ALL => Err(failure.message.replace(&format!("--git {folder}: "), "")),
            // A pattern that somebody typed must match.
            Err(failure) => return Err(failure),
        };
        let pattern = match &tags {
            Ok(tags) if pattern == ALL => tags.pattern.clone(),
            _ => Some(pattern.to_owned()).filter(|pattern| pattern != ALL),
        };
        Ok(Self {
            tags,
            pattern,
            folder: folder.to_owned(),
            disk: disk.clone(),
        })
    }

    /// A path of a file or folder as seen from the folder of the project, which may be below that of the repository.
    pub fn seen_from_folder(&self, path: &str) -> String {
        let folder = Path::new(&self.folder);
        let root = self.tags.as_ref().ok().and_then(Tags::root).unwrap_or(folder);
        let [folder, root] = [folder, root].map(real_path);
        let seen = folder
            .zip(root)
            .and_then(|(folder, root)| relative(&folder, &root.join(path)));
        let Some(seen) = seen else { return path.to_owned() };
        let steps = seen.iter().map(|step| step.to_string_lossy());
        match steps.collect::<Vec<_>>().join("/") {
            here if here.is_empty() => ".".to_owned(),
            seen => seen,
        }
    }

    /// The states, oldest first, with the files that are the project's own.
    pub fn all(&self) -> Result<Vec<State>> {
        let Ok(tags) = &self.tags else {
            return Ok(vec![self.folder()?]);
        };
        let states = tags.releases.iter().map(|tag| {
            let files = tags.files(tag, &[], &ENDINGS)?.into_iter();
            let files = files.filter(|file| is_own(&file.path)).map(|file| StateFile {
                path: file.path.clone(),
                id: file.id.clone(),
                of_tag: Some(file),
            });
            Ok(State {
                release: tag.release.clone(),
                date: Some(tag.date),
                tag: tag.name.clone(),
                files: files.collect(),
            })
        });
        states.collect()
    }

    /// The folder as it is, as the first release.
    fn folder(&self) -> Result<State> {
        let listed = self.disk.list(&self.folder, &ENDINGS)?;
        let files = listed.files.into_iter().map(|name| StateFile {
            path: Path::new(&name)
                .strip_prefix(&self.folder)
                .unwrap_or(Path::new(&name))
                .to_string_lossy()
                .into_owned(),
            id: name,
            of_tag: None,
        });
        Ok(State {
            release: ReleaseName::new(0, 1),
            date: None,
            tag: String::new(),
            files: files.filter(|file| is_own(&file.path)).collect(),
        })
    }

    /// The text of a file, or why it has none.
    pub fn text(&self, file: &StateFile) -> Result<Result<String, String>> {
        match (&file.of_tag, &self.tags) {
            (Some(own), Ok(tags)) => tags.text(own, &file.path, LARGEST),
            _ => Ok(match self.disk.read_at_most(&file.id, LARGEST) {
                Ok(text) => Ok(text.content),
                Err(failure) => Err(failure.message),
            }),
        }
    }
}

/// Folders of what belongs to others, or is for tests and documentation only.
const OTHERS: [&str; 20] = [
    "vendor",
    "node_modules",
    "third_party",
    "testdata",
    "test",
    "tests",
    "e2e",
    "testing",
    "examples",
    "example",
    "samples",
    "fixtures",
    "docs",
    "doc",
    "site",
    "website",
    "hack",
    "mocks",
    "fake",
    "target",
];

fn is_own(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.all(|folder| !OTHERS.contains(&folder) && !folder.starts_with('.'))
}
