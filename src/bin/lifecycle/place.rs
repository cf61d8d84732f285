//! The places of states that are held against each other: a file, a folder, or either of them in a commit.

use std::path::{Path, PathBuf};

use crate::commands::Failure;
use crate::files::{Below, STANDARD_INPUT};
use crate::git::{self, Commit, Resolved};
use crate::store::Store;

/// Where the files of a state are.
pub struct Place {
    store: Store,
    /// A file or a folder.
    path: String,
    /// Whether the path is the one of the other state.
    lent: bool,
}

/// How places are found in repositories.
struct Way<'w> {
    /// Finds a commit.
    resolve: &'w dyn Fn(&str) -> Result<Resolved, Failure>,
    /// What a revision alone stands for.
    lend: &'w dyn Fn(&Commit) -> Result<String, Failure>,
    /// What is wrong with what is neither there nor a revision.
    nothing: &'w dyn Fn(&Resolved) -> Failure,
}

impl Place {
    /// The place that a user names beside another one: a file or a folder, `-`, `REVISION:PATH`, or a revision alone,
    /// which stands for what the other one names, in that revision.
    pub fn beside(named: &str, other: &str) -> Result<Self, Failure> {
        if named == STANDARD_INPUT {
            return Ok(Self::on_disk(named));
        }
        let folder = folder_of(other);
        let nothing = |resolved: &Resolved| match resolved {
            Resolved::NoRepository(_) => {
                let help = "check the path; for a revision, stand in its Git repository";
                Failure::new(format!("there is no file or folder `{named}`")).help(help)
            }
            _ => git::unknown(named, &folder),
        };
        let way = Way {
            resolve: &|revision| Commit::at(revision, &folder),
            lend: &|commit| Ok(path_of(other, commit)),
            nothing: &nothing,
        };
        way.find(named)
    }

    /// The base that a user names of a file or a folder, which is the place of a revision alone too. Of a revision,
    /// what counts is where the history of what is checked out parts from it.
    pub fn of_base(named: &str, of: &str) -> Result<Self, Failure> {
        let lend = |_: &Commit| match of {
            STANDARD_INPUT => Err(
                Failure::new("what comes from standard input has no path in the repository")
                    .help("name a file as the base, or the path there: `REVISION:PATH`"),
            ),
            of => Ok(of.to_owned()),
        };
        let nothing = |resolved: &Resolved| match resolved {
            Resolved::NoRepository(why) => {
                Failure::new(format!("{of} is in no Git repository that can be read: {why}"))
                    .help("name a file or a folder as the base")
            }
            _ => git::unknown(named, &git::folder_of(of)),
        };
        let way = Way {
            resolve: &|revision| Commit::base_of(revision, of),
            lend: &lend,
            nothing: &nothing,
        };
        way.find(named)
    }

    fn on_disk(named: &str) -> Self {
        Self {
            store: Store::Disk,
            path: named.to_owned(),
            lent: false,
        }
    }

    /// Where the files are.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Where the files are, and the file or the folder there.
    pub fn into_parts(self) -> (Store, String) {
        (self.store, self.path)
    }

    /// What the place is called in messages.
    pub fn label(&self) -> String {
        match &self.store {
            Store::Commit(commit) => commit.label(&self.path),
            Store::Disk | Store::BuiltIn(_) => self.path.clone(),
        }
    }

    /// Whether nobody named the path for this state, so that its absence is no slip.
    pub fn is_lent(&self) -> bool {
        self.lent
    }

    /// The files at the place, or those below it that may define something, in the order of their names, with
    /// what was passed over. A commit may have none.
    pub fn files(&self) -> Result<Below, Failure> {
        let found = self.store.below(&self.path)?;
        if found.files.is_empty() && !self.lent && matches!(self.store, Store::Commit(_)) {
            let failure = Failure::new(format!("there is no file at or below {}", self.label()));
            return Err(failure.help("name a path from the root of the repository: `REVISION:PATH`"));
        }
        Ok(found)
    }
}

impl Way<'_> {
    fn find(&self, named: &str) -> Result<Place, Failure> {
        let exists = Path::new(named).exists();
        if exists && named.starts_with(['.', '/']) {
            return Ok(Place::on_disk(named));
        }
        match ((self.resolve)(named)?, exists) {
            (Resolved::Commit(_), true) => Err(Failure::new(format!("`{named}` is a revision, and a path too")).help(
                format!("write `./{named}` for the path, or the revision in full (`refs/heads/{named}`)"),
            )),
            (Resolved::Commit(commit), false) => Ok(Place {
                path: (self.lend)(&commit)?,
                lent: true,
                store: Store::Commit(commit),
            }),
            (_, true) => Ok(Place::on_disk(named)),
            (resolved, false) => self.with_path(named, &resolved),
        }
    }

    /// A place in a commit: `REVISION:PATH`.
    fn with_path(&self, named: &str, resolved: &Resolved) -> Result<Place, Failure> {
        if let Some((revision, path)) = named.split_once(':')
            && let Resolved::Commit(commit) = (self.resolve)(revision)?
        {
            return Ok(Place {
                path: commit.below_root(path),
                lent: false,
                store: Store::Commit(commit),
            });
        }
        Err((self.nothing)(resolved))
    }
}

/// The folder whose repository is meant: that of what is named beside a revision, or the current one.
fn folder_of(other: &str) -> PathBuf {
    let path = Path::new(other);
    match (path.is_dir(), path.exists()) {
        (true, _) => path.to_path_buf(),
        (false, true) => git::folder_of(other),
        (false, false) => PathBuf::from("."),
    }
}

/// What another place is called in the repository of a commit.
fn path_of(other: &str, commit: &Commit) -> String {
    if Path::new(other).exists() {
        return other.to_owned();
    }
    let path = other.split_once(':').map_or("", |(_, path)| path);
    commit.below_root(path)
}
