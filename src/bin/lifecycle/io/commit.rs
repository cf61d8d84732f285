//! Files of a commit, read from the repository's objects.

use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};

use gix_hash::ObjectId;
use gix_object::bstr::ByteSlice;
use gix_object::tree::Entry;

use crate::failure::{Failure, Result};

use super::history::{merge_base, missing};
use super::listing::{BROKEN_LINK, FileList, LINK_TO_FOLDER, NOT_UTF8, has_extension, is_shown, may_be_sought};
use super::pattern::Matches;
use super::repository::{NoRepository, Repository};

const SHORT: usize = 9;

const DEEPEST: usize = 64;

/// The most links followed for one path.
const MOST_LINKS: usize = 40;

/// A commit, and from where its files are named.
#[derive(Debug)]
pub struct Commit {
    repository: Repository,
    tree: ObjectId,
    /// As the user wrote it, or its id.
    revision: String,
    root: PathBuf,
    here: PathBuf,
    /// All files and links, once they are needed: the path, and whether it is a link.
    all: OnceCell<Vec<(PathBuf, bool)>>,
}

/// What a revision resolves to.
#[derive(Debug)]
pub enum Resolved {
    Commit(Box<Commit>),
    /// The repository has no such revision.
    NoRevision,
    /// There is no repository, or none that can be read.
    NoRepository(NoRepository),
}

enum PathContent {
    File(Vec<u8>),
    Nothing,
    Link(PathBuf),
    Folder,
    /// A link out of the repository, or one of a cycle.
    DeadLink,
}

const DEAD_LINK: &str = "link out of the repository, or a cycle of links";

impl Commit {
    /// The base of a change: the merge base of a revision and the checked-out commit. What others have merged since
    /// then is not counted as deleted by this change.
    ///
    /// The repository is that of the model's folder.
    pub fn base_of(revision: &str, model: &str) -> Result<Resolved> {
        let repository = match Repository::around(&folder_of(model)) {
            Ok(repository) => repository,
            Err(none) => return Ok(Resolved::NoRepository(none)),
        };
        let root = repository
            .working_tree
            .as_ref()
            .and_then(|root| root.canonicalize().ok());
        let root =
            root.ok_or_else(|| Failure::new("the repository has no working tree").help("name a file as the base"))?;
        Self::resolve(repository, root, revision, true)
    }

    /// The commit that a revision names, as for `git diff`; with three dots at its end (`origin/main...`), its merge
    /// base with what is checked out.
    ///
    /// The repository is the one that was found; it may be bare.
    pub fn at(revision: &str, found: std::result::Result<Repository, NoRepository>) -> Result<Resolved> {
        let repository = match found {
            Ok(repository) => repository,
            Err(none) => return Ok(Resolved::NoRepository(none)),
        };
        let root = repository.working_tree.as_ref().unwrap_or(&repository.git_dir);
        let root = root.canonicalize().unwrap_or_else(|_| root.clone());
        match revision.strip_suffix("...") {
            Some(before) => Self::resolve(repository, root, before, true),
            None => Self::resolve(repository, root, revision, false),
        }
    }

    fn resolve(repository: Repository, root: PathBuf, revision: &str, of_merge_base: bool) -> Result<Resolved> {
        let here = std::env::current_dir()
            .and_then(|here| here.canonicalize())
            .map_err(|problem| Failure::new(format!("no current folder: {problem}")))?;
        let Ok(commit) = repository.resolve(revision) else {
            return Ok(Resolved::NoRevision);
        };
        let base = if of_merge_base {
            merge_base(&repository, commit, revision)?
        } else {
            commit
        };
        let tree = repository
            .commit(base)
            .map_err(|problem| missing(&repository, revision, &problem))?
            .tree;
        Ok(Resolved::Commit(Box::new(Self {
            // The merge base has another content than the revision, whose name would mislead.
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

    /// The file at a path, or the files below it with one of these extensions; none where the commit has nothing there.
    /// Hidden folders are skipped, links to folders are not followed.
    pub fn list(&self, name: &str, extensions: &[&str]) -> Result<FileList> {
        let Some(path) = self.path(name) else {
            let failure = Failure::new(format!("{name} is outside the repository"));
            return Err(failure.help("name a path in the repository: `REVISION:PATH`"));
        };
        let path = self.resolved(&path)?.unwrap_or(path);
        if let PathContent::File(_) = self.at_path(&path)? {
            return Ok(FileList::one(&self.absolute(&path)));
        }
        let mut found = FileList::default();
        for (file, is_link) in self.all_files()? {
            let Ok(rest) = file.strip_prefix(&path) else { continue };
            if !rest.parent().is_none_or(is_shown) {
                continue;
            }
            let is_wanted = has_extension(rest, extensions);
            if is_wanted && file.to_str().is_none() {
                found
                    .skipped
                    .push(format!("{}: {NOT_UTF8}", self.label(&self.absolute(file))));
            } else if is_wanted && (!is_link || matches!(self.find(file)?, PathContent::File(_))) {
                found.files.push(self.absolute(file));
            } else if *is_link && is_shown(rest) {
                let reason = self.not_followed(file, extensions, &path)?;
                let label = self.label(&self.absolute(file));
                found.skipped.extend(reason.map(|reason| format!("{label}: {reason}")));
            }
        }
        found.files.sort_unstable();
        found.skipped.sort_unstable();
        Ok(found)
    }

    /// Why a link below a folder is skipped; `None` if its name is not one of those sought, or its target is read
    /// anyway.
    fn not_followed(&self, link: &Path, extensions: &[&str], folder: &Path) -> Result<Option<&'static str>> {
        let target = self.resolved(link)?;
        let is_read = target
            .as_deref()
            .and_then(|target| target.strip_prefix(folder).ok())
            .is_some_and(is_shown);
        Ok(match self.find(link)? {
            PathContent::Folder if !is_read => Some(LINK_TO_FOLDER),
            PathContent::DeadLink if may_be_sought(link, extensions) => Some(DEAD_LINK),
            PathContent::Nothing if may_be_sought(link, extensions) => Some(BROKEN_LINK),
            _ => None,
        })
    }

    pub fn absolute(&self, path: impl AsRef<Path>) -> String {
        self.root.join(path).to_string_lossy().into_owned()
    }

    /// The name of a file of the commit in messages: `origin/main:lifecycle.toml`.
    pub fn label(&self, name: &str) -> String {
        let path = self.path(name);
        let path = path.unwrap_or_else(|| PathBuf::from(name));
        format!("{}:{}", self.revision, path.to_string_lossy().replace('\\', "/"))
    }

    /// The path of a file in the repository, links followed.
    pub fn real_path(&self, name: &str) -> PathBuf {
        let path = self.path(name).unwrap_or_else(|| PathBuf::from(name));
        self.resolved(&path).ok().flatten().unwrap_or(path)
    }

    /// The content of a file; `None` if the commit has no such file.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(path) = self.path(name) else {
            return Err(Failure::new(format!("{name} is outside the repository")).help("name a file as the base"));
        };
        match self.find(&path)? {
            PathContent::File(bytes) => Ok(Some(bytes)),
            PathContent::Nothing => Ok(None),
            PathContent::Folder => Err(self.no_file(name, "folder")),
            PathContent::Link(_) | PathContent::DeadLink => Err(self.no_file(name, DEAD_LINK)),
        }
    }

    fn no_file(&self, name: &str, what: &str) -> Failure {
        Failure {
            in_commit: true,
            ..Failure::new(format!("{} is a {what}", self.label(name)))
        }
    }

    /// The files that a pattern below a folder matches, relative to the current folder; `None` for a pattern that leads
    /// out of the repository.
    pub fn matching(&self, pattern: &glob::Pattern, folder: &Path) -> Result<Option<Matches>> {
        let all = self.all_files()?;
        let options = glob::MatchOptions {
            require_literal_separator: true,
            ..glob::MatchOptions::new()
        };
        let base = self.path(&folder.to_string_lossy()).unwrap_or_default();
        let base = self.resolved(&base)?.unwrap_or(base);
        let Some(wanted) = self.whole_pattern(pattern, &base) else {
            return Ok(None);
        };
        let up: PathBuf = match self.here.strip_prefix(&self.root) {
            Ok(from_here) => from_here.components().map(|_| Component::ParentDir).collect(),
            Err(_) => self.root.clone(),
        };
        let mut found = Matches::default();
        for (path, is_link) in all
            .iter()
            .filter(|(path, _)| wanted.matches_with(&path.to_string_lossy(), options))
        {
            if path.to_str().is_none() {
                found
                    .skipped
                    .push(format!("{}: {NOT_UTF8}", self.label(&self.absolute(path))));
            } else if !is_link || matches!(self.find(path)?, PathContent::File(_)) {
                found.files.push(up.join(path));
            }
        }
        Ok(Some(found))
    }

    /// A pattern below a folder as one from the root.
    fn whole_pattern(&self, pattern: &glob::Pattern, base: &Path) -> Option<glob::Pattern> {
        let named = Path::new(pattern.as_str());
        let wanted = match named.strip_prefix(&self.root) {
            Ok(inside) => inside.to_path_buf(),
            Err(_) if named.is_absolute() => return None,
            Err(_) => Path::new(&glob::Pattern::escape(&base.to_string_lossy())).join(named),
        };
        glob::Pattern::new(&within_root(&wanted)?.to_string_lossy()).ok()
    }

    /// All files and links, with their paths from the root: a pattern may begin with `../`.
    fn all_files(&self) -> Result<&[(PathBuf, bool)]> {
        if let Some(all) = self.all.get() {
            return Ok(all);
        }
        let mut all = Vec::new();
        self.walk(self.tree, Path::new(""), 0, &mut all)?;
        Ok(self.all.get_or_init(|| all))
    }

    fn walk(&self, tree: ObjectId, folder: &Path, depth: usize, all: &mut Vec<(PathBuf, bool)>) -> Result<()> {
        let tree = self.repository.tree(tree);
        for entry in tree
            .map_err(|problem| missing(&self.repository, &self.revision, &problem))?
            .entries
        {
            let path = folder.join(entry.filename.to_path_lossy());
            if entry.mode.is_blob() || entry.mode.is_link() {
                all.push((path, entry.mode.is_link()));
            } else if entry.mode.is_tree() && depth < DEEPEST {
                self.walk(entry.oid, &path, depth + 1, all)?;
            }
        }
        Ok(())
    }

    /// What is at a path, links followed.
    fn find(&self, path: &Path) -> Result<PathContent> {
        let mut folders = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
        // The content of a submodule is in another repository.
        if folders.any(|above| matches!(self.entry(above), Ok(Some(entry)) if entry.mode.is_commit())) {
            return Ok(PathContent::Nothing);
        }
        match self.resolved(path)? {
            Some(path) => self.at_path(&path),
            None => Ok(PathContent::DeadLink),
        }
    }

    /// A path without links, as far as the commit has it; `None` if they lead out of the repository or form a cycle.
    fn resolved(&self, path: &Path) -> Result<Option<PathBuf>> {
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
            if let PathContent::Link(target) = self.at_path(&clean)? {
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

    fn at_path(&self, path: &Path) -> Result<PathContent> {
        let Some(entry) = self.entry(path)? else {
            return Ok(PathContent::Nothing);
        };
        if !entry.mode.is_blob() && !entry.mode.is_link() {
            return Ok(PathContent::Folder);
        }
        let content = self.repository.content(entry.oid);
        let bytes = content.map_err(|problem| missing(&self.repository, &self.revision, &problem))?;
        if entry.mode.is_link() {
            return Ok(PathContent::Link(bytes.as_bstr().to_path_lossy().into_owned()));
        }
        Ok(PathContent::File(bytes))
    }

    fn entry(&self, path: &Path) -> Result<Option<Entry>> {
        let entry = self.repository.entry(self.tree, path);
        entry.map_err(|problem| missing(&self.repository, &self.revision, &problem))
    }

    /// Whether a path is one of the repository.
    pub fn has_path(&self, name: &str) -> bool {
        self.path(name).is_some()
    }

    /// A path from the root of the repository; `None` for one outside.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let absolute = lexical(&self.here.join(name));
        if let Ok(inside) = absolute.strip_prefix(&self.root) {
            return Some(inside.to_path_buf());
        }
        // A link outside may lead in; a file that was deleted since has an ancestor that was not.
        let above = absolute.ancestors().find(|above| above.exists())?;
        let real = above.canonicalize().ok()?.join(absolute.strip_prefix(above).ok()?);
        Some(real.strip_prefix(&self.root).ok()?.to_path_buf())
    }
}

/// The folder of a model, links followed; the current one if it has none.
pub fn folder_of(model: &str) -> PathBuf {
    let model = Path::new(model);
    let folder = if model.is_dir() { Some(model) } else { model.parent() };
    let folder = folder.filter(|folder| *folder != Path::new(""));
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    folder.unwrap_or_else(|| PathBuf::from("."))
}

/// The parts of a path, the last one first.
fn steps(path: &Path) -> Vec<PathBuf> {
    let steps = path.components().filter(|step| *step != Component::CurDir);
    steps.rev().map(|step| PathBuf::from(step.as_os_str())).collect()
}

/// A relative path without `.` and `..`, as far as its text shows; `None` where it leads above its first folder.
fn within_root(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => clean.pop().then_some(())?,
            other => clean.push(other),
        }
    }
    Some(clean)
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
