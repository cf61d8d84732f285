//! The part of the disk that a run may use.
//!
//! What a person types is trusted, and may name any file. What a file names is not: in a pull request, somebody else
//! wrote it. A model or policy may name files of the repository that it is in; without a repository, those below its
//! folder. `--allow-folder` adds folders.
//!
//! A link is as trusted as the folder that it is in. One in a repository, or below the current folder, does not lead
//! out of that, even if its path was typed: CI types the same path for every change, and a change may replace the file
//! by a link. A link elsewhere (`/tmp` of macOS, a folder in a home) belongs to whoever runs the program, and is
//! followed.
//!
//! The folder `.git` is no part of a repository: it has credentials.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

const REPOSITORY: &str = "the repository";

const GIT: &str = ".git";

/// The most links that are followed for one path.
const MOST_LINKS: usize = 40;

/// Folders, by their real paths.
#[derive(Debug, Clone)]
pub struct Bounds {
    folders: Vec<PathBuf>,
    /// The first of them, in words.
    whole: String,
}

/// Why a file is not used.
#[derive(Debug)]
pub struct Refusal {
    pub message: String,
    pub help: &'static str,
}

impl Bounds {
    /// The repository around the folder of a file, or else that folder, and folders that are allowed.
    pub fn of_file(file: &str, folder: &Path, allowed: &[PathBuf]) -> Self {
        Self::around(folder, allowed, || format!("the folder of {file}"))
    }

    /// The repository around a folder, or else that folder, and folders that are allowed.
    pub fn of_folder(folder: &str, allowed: &[PathBuf]) -> Self {
        Self::around(Path::new(folder), allowed, || format!("the folder {folder}"))
    }

    /// Folders that are allowed, without a repository.
    pub fn alone(allowed: &[PathBuf]) -> Self {
        Self {
            folders: allowed.to_vec(),
            whole: REPOSITORY.to_owned(),
        }
    }

    fn around(folder: &Path, allowed: &[PathBuf], words: impl FnOnce() -> String) -> Self {
        let folder = real_path(folder).unwrap_or_else(|| folder.to_path_buf());
        let (first, whole) = match repository_around(&folder) {
            Some(repository) => (repository.to_path_buf(), REPOSITORY.to_owned()),
            None => (folder, words()),
        };
        Self {
            folders: std::iter::once(first).chain(allowed.iter().cloned()).collect(),
            whole,
        }
    }

    /// Whether a real path is within.
    pub fn hold(&self, real: &Path) -> bool {
        let mut below = self.folders.iter().filter_map(|folder| real.strip_prefix(folder).ok());
        below.any(|rest| !rest.iter().any(is_git_folder))
    }

    /// The real path of a file or folder that a file names, if it is within. It need not exist.
    pub fn find(&self, named: &Path) -> Result<PathBuf, Refusal> {
        match real_path(named) {
            Some(real) if self.hold(&real) => Ok(real),
            _ => Err(self.refuse(&named.to_string_lossy())),
        }
    }

    /// Why a link is not followed.
    pub fn link_out(&self) -> String {
        format!(
            "link out of {}, not followed; to follow it, use --allow-folder FOLDER",
            self.whole
        )
    }

    pub fn refuse(&self, named: &str) -> Refusal {
        Refusal {
            message: format!("`{named}` leads out of {}", self.whole),
            help: "name a file within, or allow the folder of this one on the command line: --allow-folder FOLDER",
        }
    }
}

impl Refusal {
    pub fn no_file(named: &str) -> Self {
        Self {
            message: format!("`{named}` is not a regular file"),
            help: "name a regular file",
        }
    }
}

/// Refuses a typed path that a link leads out of the repository, or of the current folder.
pub fn refuse_planted_links(typed: &Path, allowed: &[PathBuf]) -> Result<(), Refusal> {
    let mut outside = None;
    let found = resolve(typed, &mut 0, &mut |folder, target| {
        if let Some(bounds) = of_link(folder, allowed)
            && !bounds.hold(target)
        {
            outside.get_or_insert(bounds.whole);
        }
    });
    let whole = match (outside, found) {
        (None, Some(_)) => return Ok(()),
        (Some(whole), _) => format!("out of {whole}"),
        (None, None) => "nowhere: there are too many links".to_owned(),
    };
    Err(Refusal {
        message: format!(
            "{} is a link, or in a folder that is one, which leads {whole}",
            typed.display()
        ),
        help: "type the path of the file that is meant, or allow its folder: --allow-folder FOLDER",
    })
}

/// What a link in a folder must not leave; `None` where whoever runs the program made it.
fn of_link(folder: &Path, allowed: &[PathBuf]) -> Option<Bounds> {
    let (root, whole) = match repository_around(folder) {
        Some(repository) => (repository.to_path_buf(), REPOSITORY),
        None => (
            current_folder().filter(|here| folder.starts_with(here))?,
            "the current folder",
        ),
    };
    Some(Bounds {
        folders: std::iter::once(root).chain(allowed.iter().cloned()).collect(),
        whole: whole.to_owned(),
    })
}

pub fn is_git_folder(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(GIT)
}

/// The root of the repository that has a folder, by its real path.
pub fn repository_around(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(GIT).exists())
}

fn current_folder() -> Option<PathBuf> {
    real_path(Path::new("."))
}

/// A path without links and `..`, as far as it exists; `None` where links have no end.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    resolve(path, &mut 0, &mut |_, _| {})
}

/// A real path as seen from a real folder: `../crd` of `apis`. `None` where the two have no folder in common.
pub fn relative(folder: &Path, path: &Path) -> Option<PathBuf> {
    let common = folder.iter().zip(path.iter()).take_while(|(one, other)| one == other);
    let common = common.count();
    let up = folder.iter().skip(common).map(|_| OsStr::new(".."));
    (common > 0).then(|| up.chain(path.iter().skip(common)).collect())
}

/// Follows a path. Each link is reported with the folder that it is in and the path that it leads to.
fn resolve(path: &Path, links: &mut usize, report: &mut impl FnMut(&Path, &Path)) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    let mut real = PathBuf::new();
    for step in std::path::absolute(path).ok()?.components() {
        match step {
            Component::CurDir => {}
            Component::ParentDir => drop(real.pop()),
            Component::Prefix(_) | Component::RootDir => real.push(step),
            Component::Normal(name) => match real.join(name).read_link() {
                Ok(target) => {
                    *links += 1;
                    if *links > MOST_LINKS {
                        return None;
                    }
                    let target = resolve(&real.join(target), links, report)?;
                    report(&real, &target);
                    real = target;
                }
                Err(_) => real.push(name),
            },
        }
    }
    Some(real)
}
