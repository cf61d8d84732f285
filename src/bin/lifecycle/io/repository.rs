//! A Git repository, read by the parts of a library, so that no verdict depends on an installed command, its version or
//! its hooks.

mod revision;

use std::fmt;
use std::path::{Path, PathBuf};

use gix_error::{Error, ErrorExt, Result, message};
use gix_hash::{Kind as Hash, ObjectId};
use gix_object::tree::Entry;
use gix_object::{CommitRef, FindExt, Kind, TagRefIter, Tree, TreeRefIter};
use gix_odb::HeaderExt;
use gix_ref::Reference;
use gix_ref::file::{ReferenceExt, Store};

use crate::failure::Failure;

use super::bounds::repository_around;
use super::settings::Settings;

pub struct Repository {
    pub git_dir: PathBuf,
    /// The folder of what is checked out; `None` in a bare repository.
    pub working_tree: Option<PathBuf>,
    /// The folder that linked working trees share with their repository; the Git folder itself elsewhere.
    pub(super) shared: PathBuf,
    pub(super) references: Store,
    pub(super) objects: gix_odb::Handle,
    settings: Settings,
    hash: Hash,
}

/// Why there is no repository.
#[derive(Debug)]
pub struct NoRepository {
    pub reason: String,
    /// What to do about a repository that cannot be read; `None` where there is none.
    pub help: Option<&'static str>,
}

impl NoRepository {
    /// That a repository cannot be read, or another failure where there is none.
    pub fn or(&self, failure: Failure) -> Failure {
        match self.help {
            Some(help) => Failure::new(format!("the Git repository cannot be read: {}", self.reason)).help(help),
            None => failure,
        }
    }
}

impl From<Error> for NoRepository {
    fn from(problem: Error) -> Self {
        Self {
            reason: first_line(&problem),
            help: None,
        }
    }
}

const CHECK_OUT: &str = "check out the other state in a folder, and name that: `git worktree add ../before REVISION`, \
                         then `../before`";

const CONVERT: &str = "convert the repository with `git refs migrate --ref-format=files`, or check out the other state in a \
                       folder, and name that: `git worktree add ../before REVISION`, then `../before`";

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Repository({})", self.git_dir.display())
    }
}

pub struct CommitHeader {
    pub tree: ObjectId,
    pub parents: Vec<ObjectId>,
    /// When it was committed, in seconds since 1970.
    pub seconds: Option<i64>,
}

impl Repository {
    /// The repository in a folder that a person names, or around it; it may be bare.
    pub fn discover(folder: &Path) -> std::result::Result<Self, NoRepository> {
        Self::found(folder, false)
    }

    /// The repository around a folder of what is checked out: the one whose `.git` is in the folder or above. Other
    /// folders that look like those of a repository may come from a pull request, which cannot add one named `.git`.
    pub fn around(folder: &Path) -> std::result::Result<Self, NoRepository> {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        Self::found(folder, repository_around(&real).is_some())
    }

    fn found(folder: &Path, dot_git_only: bool) -> std::result::Result<Self, NoRepository> {
        let options = gix_discover::upwards::Options {
            dot_git_only,
            ..Default::default()
        };
        let (path, _) = gix_discover::upwards_opts(folder, options)?;
        let (git_dir, working_tree) = path.into_repository_and_work_tree_directories();
        let shared = gix_discover::path::from_plain_file(&git_dir.join("commondir"));
        let shared = match shared.transpose() {
            Ok(Some(shared)) => git_dir.join(shared),
            Ok(None) => git_dir.clone(),
            Err(error) => return Err(NoRepository::from(error.raise())),
        };
        let settings = Settings::read(&shared);
        let hash = hash_of(&settings)?;
        refuse_reftable(&settings)?;
        let references = Store::for_linked_worktree(git_dir.clone(), shared.clone(), hash);
        let objects = gix_odb::at(shared.join("objects"), hash).map_err(ErrorExt::raise)?;
        Ok(Self {
            git_dir,
            working_tree,
            shared,
            references,
            objects,
            settings,
            hash,
        })
    }

    /// Which objects the clone was made without: `blob:none`. `None` in a clone that has all of them.
    pub fn filter(&self) -> Option<&str> {
        self.settings.filter()
    }

    /// Whether the clone lacks history.
    pub fn is_shallow(&self) -> bool {
        let list = self.shared.join("shallow").metadata();
        list.is_ok_and(|list| list.len() > 0)
    }

    /// The commit that is checked out; `None` before the first one.
    pub fn head(&self) -> Result<Option<ObjectId>> {
        let mut head = self.references.find("HEAD")?;
        match head.follow(&self.references) {
            Some(Err(error)) if error.is_not_found() => Ok(None),
            _ => {
                let id = self.object_of(&mut head)?;
                self.peeled(id, Kind::Commit).map(Some)
            }
        }
    }

    pub fn commit(&self, id: ObjectId) -> Result<CommitHeader> {
        let mut buffer = Vec::new();
        let commit: CommitRef<'_> = self.objects.find_commit(&id, &mut buffer)?;
        Ok(CommitHeader {
            tree: commit.tree(),
            parents: commit.parents().collect(),
            seconds: commit.time().ok().map(|time| time.seconds),
        })
    }

    pub fn tree(&self, id: ObjectId) -> Result<Tree> {
        let mut buffer = Vec::new();
        self.objects.find_tree(&id, &mut buffer).map(Into::into)
    }

    pub fn entry(&self, tree: ObjectId, path: &Path) -> Result<Option<Entry>> {
        let (mut data, mut buffer) = (Vec::new(), Vec::new());
        let tree: TreeRefIter<'_> = self.objects.find_tree_iter(&tree, &mut data)?;
        tree.lookup_entry_by_path(&self.objects, &mut buffer, path)
    }

    pub fn content(&self, id: ObjectId) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        self.objects.find(&id, &mut buffer)?;
        Ok(buffer)
    }

    pub fn size(&self, id: ObjectId) -> Result<u64> {
        self.objects.header(id).map(|header| header.size())
    }

    /// The references whose full names begin with `prefix`, by their short names.
    pub fn names(&self, prefix: &str) -> Result<Vec<Result<String>>> {
        let platform = self.references.iter()?;
        let all = platform.all().map_err(ErrorExt::raise)?;
        let wanted = all.filter(|reference| match reference {
            Ok(reference) => reference.name.as_bstr().starts_with(prefix.as_bytes()),
            Err(_) => true,
        });
        Ok(wanted
            .map(|reference| Ok(reference?.name.shorten().to_string()))
            .collect())
    }

    /// The commit that a tag leads to, and when the tag was made, in seconds since 1970, where it is an object.
    pub fn tag(&self, name: &str) -> Result<(ObjectId, Option<i64>)> {
        let mut reference = self.references.find(&format!("refs/tags/{name}"))?;
        let id = self.object_of(&mut reference)?;
        let mut buffer = Vec::new();
        let object = self.objects.find(&id, &mut buffer)?;
        let tagger = match object.kind {
            Kind::Tag => TagRefIter::from_bytes(object.data, self.hash).tagger()?,
            _ => None,
        };
        let seconds = tagger.and_then(|tagger| tagger.time().ok()).map(|time| time.seconds);
        Ok((self.peeled(id, Kind::Commit)?, seconds))
    }

    /// The object that a reference leads to, over symbolic ones. `git gc` packs references into one file.
    pub(super) fn object_of(&self, reference: &mut Reference) -> Result<ObjectId> {
        let packed = self.references.cached_packed_buffer()?;
        let packed = packed.as_ref().map(|packed| &***packed);
        reference.follow_to_object_packed(&self.references, packed)
    }

    /// The object of a kind that an object leads to: what a tag is about, or the files of a commit.
    pub(super) fn peeled(&self, mut id: ObjectId, wanted: Kind) -> Result<ObjectId> {
        let mut buffer = Vec::new();
        loop {
            let object = self.objects.find(&id, &mut buffer)?;
            id = match object.kind {
                kind if kind == wanted => return Ok(id),
                Kind::Tag => TagRefIter::from_bytes(object.data, self.hash).target_id()?,
                Kind::Commit if wanted == Kind::Tree => CommitRef::from_bytes(object.data, self.hash)?.tree(),
                kind => return Err(message!("{id} is a {kind}, not a {wanted}").raise()),
            };
        }
    }

    pub fn merge_base(&self, one: ObjectId, other: ObjectId) -> Result<Option<ObjectId>> {
        let cache = gix_commitgraph::at(self.shared.join("objects/info"), self.hash, None).ok();
        let mut graph = gix_revision::Graph::new(&self.objects, cache.as_ref());
        let bases = gix_revision::merge_base(one, &[other], &mut graph)?;
        Ok(bases.map(|bases| *bases.first()))
    }
}

fn hash_of(settings: &Settings) -> std::result::Result<Hash, NoRepository> {
    match settings.get("extensions", "objectformat").unwrap_or("sha1") {
        "sha1" => Ok(Hash::Sha1),
        "sha256" => Ok(Hash::Sha256),
        other => Err(NoRepository {
            reason: format!("its object format is {other}, of which only sha1 and sha256 are supported"),
            help: Some(CHECK_OUT),
        }),
    }
}

fn refuse_reftable(settings: &Settings) -> std::result::Result<(), NoRepository> {
    match settings.get("extensions", "refstorage").unwrap_or("files") {
        "files" => Ok(()),
        other => Err(NoRepository {
            reason: format!("its references are stored as {other}, which is not supported"),
            help: Some(CONVERT),
        }),
    }
}

/// The first line of an error: those of the library have several.
pub(super) fn first_line(problem: &impl fmt::Display) -> String {
    problem.to_string().lines().next().unwrap_or_default().to_owned()
}
