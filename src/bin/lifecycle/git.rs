//! Files of a commit, read from the repository's objects.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};

use gix::bstr::ByteSlice;
use lifecycle::diagnostic::did_you_mean;

use crate::commands::Failure;
use crate::files::{self, Below};

/// How much of a commit's id is shown.
const SHORT: usize = 9;

/// Folders of a tree are followed at most so deep.
const DEEPEST: usize = 64;

/// Links on one way are followed at most so often.
const MOST_LINKS: usize = 40;

/// The commit that a change is held against.
#[derive(Debug)]
pub struct Commit {
    repository: gix::Repository,
    tree: gix::ObjectId,
    /// As the user named it, or its id.
    revision: String,
    /// The root of the working tree.
    root: PathBuf,
    /// Where the user stands.
    here: PathBuf,
    /// All files, once somebody asks for them.
    all: OnceCell<Vec<(PathBuf, bool)>>,
}

/// What a revision comes to.
#[derive(Debug)]
pub enum Resolved {
    /// A commit.
    Commit(Box<Commit>),
    /// Nothing: the repository knows no such revision.
    NoRevision,
    /// There is no repository, and why not.
    NoRepository(String),
}

/// What a path of a commit is.
enum Found {
    Text(Vec<u8>),
    Nothing,
    Link(PathBuf),
    NoFile(&'static str),
}

/// What a path of a commit is that is a folder.
const FOLDER: &str = "a folder";

impl Commit {
    /// The commit from which a change to what is checked out began: the best common ancestor of a revision and the
    /// commit that is checked out.
    ///
    /// The repository is that of the model's folder. Fails if it does not have what is needed.
    pub fn base_of(revision: &str, model: &str) -> Result<Resolved, Failure> {
        let repository = match gix::discover(folder_of(model)) {
            Ok(repository) => repository,
            Err(problem) => return Ok(Resolved::NoRepository(first_line(&problem))),
        };
        let Some(root) = repository.workdir().and_then(|root| root.canonicalize().ok()) else {
            return Err(Failure::new("the repository has no working tree").help("name a file as the base"));
        };
        Self::find_in(repository, root, revision, true)
    }

    /// The commit that a revision names; with three dots at its end (`origin/main...`) the best common ancestor of it
    /// and what is checked out.
    ///
    /// The repository is that of a folder; it may be without a working tree. Fails if it does not have what is needed.
    pub fn at(revision: &str, folder: &Path) -> Result<Resolved, Failure> {
        let repository = match gix::discover(folder) {
            Ok(repository) => repository,
            Err(problem) => return Ok(Resolved::NoRepository(first_line(&problem))),
        };
        let root = repository.workdir().unwrap_or_else(|| repository.git_dir());
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let (revision, parting) = match revision.strip_suffix("...") {
            Some(before) => (before, true),
            None => (revision, false),
        };
        Self::find_in(repository, root, revision, parting)
    }

    fn find_in(repository: gix::Repository, root: PathBuf, revision: &str, parting: bool) -> Result<Resolved, Failure> {
        let here = std::env::current_dir()
            .and_then(|here| here.canonicalize())
            .map_err(|problem| Failure::new(format!("no current folder: {problem}")))?;
        let resolved = repository.rev_parse_single(revision);
        let commit = resolved.ok().and_then(|id| id.object().ok()?.peel_to_commit().ok());
        let Some(commit) = commit.map(|commit| commit.id) else {
            return Ok(Resolved::NoRevision);
        };
        let base = if parting {
            common_ancestor(&repository, commit, revision)?
        } else {
            commit
        };
        let tree = repository
            .find_commit(base)
            .and_then(|commit| commit.tree_id().map(gix::Id::detach))
            .map_err(|problem| missing(revision, &problem))?;
        Ok(Resolved::Commit(Box::new(Self {
            // Where history parts before the revision itself, its name would mislead.
            revision: if base == commit {
                revision.to_owned()
            } else {
                base.to_hex_with_len(SHORT).to_string()
            },
            tree,
            root,
            here,
            all: OnceCell::new(),
            repository,
        })))
    }

    /// The files at a path or below it, those below with one of these endings, in the order of their names; none where
    /// the commit has nothing there. Hidden folders are left out, links to folders not followed.
    pub fn below(&self, name: &str, endings: &[&str]) -> Result<Below, Failure> {
        let Some(path) = self.path(name) else {
            let failure = Failure::new(format!("{name} lies outside the repository"));
            return Err(failure.help("name a path of the repository: `REVISION:PATH`"));
        };
        let path = self.resolved(&path)?.unwrap_or(path);
        if let Found::Text(_) = self.at_path(&path)? {
            return Ok(Below::one(&self.named(&path)));
        }
        let mut found = Below::default();
        for (file, is_link) in self.all_files()? {
            let Ok(rest) = file.strip_prefix(&path) else { continue };
            if !rest.parent().is_none_or(files::is_shown) {
                continue;
            }
            let ending = rest
                .extension()
                .unwrap_or_default()
                .to_string_lossy()
                .to_ascii_lowercase();
            let is_wanted = endings.contains(&ending.as_str());
            if is_wanted && (!is_link || matches!(self.find(file)?, Found::Text(_))) {
                found.files.push(self.named(file));
            } else if *is_link && files::is_shown(rest) {
                let reason = self.not_followed(file, endings, &path)?;
                let label = self.label(&self.named(file));
                found.skipped.extend(reason.map(|reason| format!("{label}: {reason}")));
            }
        }
        found.files.sort();
        found.skipped.sort();
        Ok(found)
    }

    /// Why a link below a folder is passed over; `None` if it is none that counts, or leads to what is read anyway.
    fn not_followed(&self, link: &Path, endings: &[&str], folder: &Path) -> Result<Option<&'static str>, Failure> {
        let whole = self.resolved(link)?;
        let is_read = whole
            .as_deref()
            .and_then(|whole| whole.strip_prefix(folder).ok())
            .is_some_and(files::is_shown);
        Ok(match self.find(link)? {
            Found::NoFile(FOLDER) if !is_read => Some(files::TO_A_FOLDER),
            Found::NoFile(FOLDER) | Found::Text(_) | Found::Link(_) => None,
            Found::NoFile(what) if files::may_count(link, endings) => Some(what),
            Found::Nothing if files::may_count(link, endings) => Some(files::LEADS_NOWHERE),
            Found::NoFile(_) | Found::Nothing => None,
        })
    }

    /// A path of the repository, as other functions take it.
    fn named(&self, path: &Path) -> String {
        self.root.join(path).to_string_lossy().into_owned()
    }

    /// A path from the root of the repository, as it is named from where the user stands.
    pub fn below_root(&self, path: &str) -> String {
        self.root.join(path).to_string_lossy().into_owned()
    }

    /// How a file of the commit is shown.
    pub fn label(&self, name: &str) -> String {
        let path = self.path(name);
        let path = path.unwrap_or_else(|| PathBuf::from(name));
        format!("{}:{}", self.revision, path.to_string_lossy().replace('\\', "/"))
    }

    /// Where a file is in the end, links followed.
    pub fn whole(&self, name: &str) -> PathBuf {
        let path = self.path(name).unwrap_or_else(|| PathBuf::from(name));
        self.resolved(&path).ok().flatten().unwrap_or(path)
    }

    /// The content of a file, named as seen from where the user stands; `None` if the commit has no such file.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let Some(path) = self.path(name) else {
            return Err(Failure::new(format!("{name} lies outside the repository")).help("name a file as the base"));
        };
        match self.find(&path)? {
            Found::Text(bytes) => Ok(Some(bytes)),
            Found::Nothing => Ok(None),
            Found::Link(_) => Err(self.no_file(name, "a link")),
            Found::NoFile(what) => Err(self.no_file(name, what)),
        }
    }

    fn no_file(&self, name: &str, what: &str) -> Failure {
        Failure {
            in_commit: true,
            ..Failure::new(format!("{} is {what}", self.label(name)))
        }
    }

    /// The files that a pattern matches, named as seen from where the user stands.
    pub fn matching(&self, pattern: &glob::Pattern, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let all = self.all_files()?;
        let options = glob::MatchOptions {
            require_literal_separator: true,
            ..glob::MatchOptions::new()
        };
        let base = self.path(&folder.to_string_lossy()).unwrap_or_default();
        let base = self.resolved(&base)?.unwrap_or(base);
        let base = glob::Pattern::escape(&base.to_string_lossy());
        let wanted = lexical(&Path::new(&base).join(pattern.as_str()));
        let pattern = glob::Pattern::new(&wanted.to_string_lossy()).unwrap_or_else(|_| pattern.clone());
        let mut found = Vec::new();
        for (path, is_link) in all.iter().filter(|(path, _)| pattern.matches_path_with(path, options)) {
            if !is_link || matches!(self.find(path)?, Found::Text(_)) {
                found.push(path.clone());
            }
        }
        let up: PathBuf = match self.here.strip_prefix(&self.root) {
            Ok(from_here) => from_here.components().map(|_| Component::ParentDir).collect(),
            Err(_) => self.root.clone(),
        };
        Ok(found.into_iter().map(|path| up.join(path)).collect())
    }

    /// All files and links, by their paths from the root: a pattern may begin with steps upwards.
    fn all_files(&self) -> Result<&[(PathBuf, bool)], Failure> {
        if let Some(all) = self.all.get() {
            return Ok(all);
        }
        let tree = self
            .repository
            .find_tree(self.tree)
            .map_err(|problem| missing(&self.revision, &problem))?;
        let mut all = Vec::new();
        self.walk(&tree, Path::new(""), 0, &mut all)?;
        Ok(self.all.get_or_init(|| all))
    }

    fn walk(
        &self,
        tree: &gix::Tree<'_>,
        folder: &Path,
        depth: usize,
        all: &mut Vec<(PathBuf, bool)>,
    ) -> Result<(), Failure> {
        for entry in tree.iter() {
            let entry = entry.map_err(|problem| missing(&self.revision, &problem))?;
            let path = folder.join(entry.filename().to_path_lossy());
            if entry.mode().is_blob() || entry.mode().is_link() {
                all.push((path, entry.mode().is_link()));
            } else if entry.mode().is_tree() && depth < DEEPEST {
                let below = self
                    .repository
                    .find_tree(entry.id())
                    .map_err(|problem| missing(&self.revision, &problem))?;
                self.walk(&below, &path, depth + 1, all)?;
            }
        }
        Ok(())
    }

    /// What is at a path in the end, links followed.
    fn find(&self, path: &Path) -> Result<Found, Failure> {
        let mut folders = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
        // What is in another repository is not in this one.
        if folders.any(|above| self.is_submodule(above).unwrap_or(false)) {
            return Ok(Found::Nothing);
        }
        match self.resolved(path)? {
            Some(path) => self.at_path(&path),
            None => Ok(Found::NoFile("a link out of the repository, or one that goes round")),
        }
    }

    /// A path without links in it, as far as the commit has it; `None` if they lead out of the repository, or nowhere.
    fn resolved(&self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        let mut ahead: Vec<PathBuf> = steps(path);
        let mut clean = PathBuf::new();
        let mut links = 0;
        while let Some(step) = ahead.pop() {
            if step.as_os_str() == ".." {
                if !clean.pop() {
                    return Ok(None);
                }
                continue;
            }
            clean.push(step);
            if let Found::Link(target) = self.at_path(&clean)? {
                links += 1;
                if links > MOST_LINKS || target.is_absolute() {
                    return Ok(None);
                }
                clean.pop();
                ahead.extend(steps(&target));
            }
        }
        Ok(Some(clean))
    }

    /// Whether another repository is at a path.
    fn is_submodule(&self, path: &Path) -> Result<bool, Failure> {
        let entry = self.entry(path)?;
        Ok(entry.is_some_and(|entry| entry.mode().is_commit()))
    }

    /// What is at a path itself.
    fn at_path(&self, path: &Path) -> Result<Found, Failure> {
        let Some(entry) = self.entry(path)? else {
            return Ok(Found::Nothing);
        };
        if !entry.mode().is_blob() && !entry.mode().is_link() {
            return Ok(Found::NoFile(FOLDER));
        }
        let object = entry.object().map_err(|problem| missing(&self.revision, &problem))?;
        let bytes = object.detach().data;
        if entry.mode().is_link() {
            return Ok(Found::Link(bytes.as_bstr().to_path_lossy().into_owned()));
        }
        Ok(Found::Text(bytes))
    }

    fn entry(&self, path: &Path) -> Result<Option<gix::object::tree::Entry<'_>>, Failure> {
        let tree = self
            .repository
            .find_tree(self.tree)
            .map_err(|problem| missing(&self.revision, &problem))?;
        tree.lookup_entry_by_path(path)
            .map_err(|problem| missing(&self.revision, &problem))
    }

    /// A path as the repository has it; `None` for one outside.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let whole = lexical(&self.here.join(name));
        let inside = |whole: &Path| whole.strip_prefix(&self.root).ok().map(Path::to_path_buf);
        // It may come in by a link from outside; what is gone since has a folder above it that is not.
        let by_link = || {
            let above = whole.ancestors().find(|above| above.exists())?;
            let rest = whole.strip_prefix(above).ok()?;
            inside(&above.canonicalize().ok()?.join(rest))
        };
        inside(&whole).or_else(by_link)
    }
}

/// Where what is checked out and a commit last had the same history.
fn common_ancestor(
    repository: &gix::Repository,
    commit: gix::ObjectId,
    revision: &str,
) -> Result<gix::ObjectId, Failure> {
    // Before the first commit there is nothing to have in common.
    if repository.head().is_ok_and(|head| head.is_unborn()) {
        return Ok(commit);
    }
    let head = repository
        .head_commit()
        .map_err(|problem| missing("what is checked out", &problem))?;
    // Of what is fetched without its history, the parents are known by name alone.
    if head.id == commit || head.parent_ids().any(|parent| parent == commit) {
        return Ok(commit);
    }
    let shallow = repository.is_shallow().unwrap_or(false);
    let ancestor = repository.merge_base(commit, head.id);
    match ancestor {
        Ok(Some(ancestor)) => Ok(ancestor.detach()),
        _ if shallow => Err(Failure::new(format!(
            "this clone is shallow: it does not reach back to where {revision} and what is checked out part"
        ))
        .help(FETCH)),
        Ok(None) => Err(
            Failure::new(format!("{revision} and what is checked out have no history in common"))
                .help("name a revision that the checked out commit comes from, or a file"),
        ),
        Err(problem) => Err(missing(revision, &problem)),
    }
}

/// How to get what a shallow clone lacks.
const FETCH: &str = "fetch the history: `git fetch --unshallow`, or in a GitHub workflow `fetch-depth: 0` for \
                     actions/checkout";

/// Why a revision cannot be found: what may be meant, or what to fetch.
pub fn unknown(revision: &str, folder: &Path) -> Failure {
    let failure = Failure::new(format!("there is no revision, file or folder `{revision}`"));
    let Ok(repository) = gix::discover(folder) else {
        return failure.help("check the path");
    };
    let no_name = revision.contains(['~', '^', '@']) || revision.chars().all(|letter| letter.is_ascii_hexdigit());
    if repository.is_shallow().unwrap_or(false) && no_name {
        return failure.help(format!("this clone is shallow, and may not reach back to it; {FETCH}"));
    }
    if repository.is_shallow().unwrap_or(false) {
        let (remote, branch) = revision.split_once('/').unwrap_or(("origin", revision));
        return failure.help(format!(
            "this clone is shallow; fetch the base: `git fetch {remote} {branch}:refs/remotes/{remote}/{branch}`, and its \
             history with `git fetch --unshallow`; in a GitHub workflow, `fetch-depth: 0` for actions/checkout"
        ));
    }
    let names = names(&repository);
    let guess = did_you_mean(revision, names.iter().map(String::as_str));
    failure.help(guess.unwrap_or_else(|| "name a branch, a tag or a commit, or fetch it first".to_owned()))
}

/// The folder of a model, links followed; the current one if it has none.
pub fn folder_of(model: &str) -> PathBuf {
    let model = Path::new(model);
    let folder = if model.is_dir() { Some(model) } else { model.parent() };
    let folder = folder.filter(|folder| *folder != Path::new(""));
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    folder.unwrap_or_else(|| PathBuf::from("."))
}

/// The short names of branches and tags.
fn names(repository: &gix::Repository) -> Vec<String> {
    let Ok(platform) = repository.references() else {
        return Vec::new();
    };
    let Ok(all) = platform.all() else { return Vec::new() };
    all.filter_map(Result::ok)
        .map(|reference| reference.name().shorten().to_string())
        .collect()
}

fn missing(revision: &str, problem: &impl std::fmt::Display) -> Failure {
    Failure::new(format!(
        "cannot read {revision} from the repository: {}",
        first_line(problem)
    ))
    .help(
        "fetch what is not in this clone (`git fetch --unshallow` in a shallow one, `git fetch --refetch` in a partial one), \
         or look for damage: `git fsck`",
    )
}

/// Errors of the library go on for lines.
fn first_line(problem: &impl std::fmt::Display) -> String {
    problem.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The steps of a path, the last one first.
fn steps(path: &Path) -> Vec<PathBuf> {
    let steps = path.components().filter(|step| *step != Component::CurDir);
    steps.rev().map(|step| PathBuf::from(step.as_os_str())).collect()
}

/// A path without `.` and `..`, as far as its text shows.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}
