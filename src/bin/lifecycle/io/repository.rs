//! A Git repository, read by the parts of a library, so that no verdict depends on an installed command, its version or
//! its hooks.

mod revision;

use std::fmt;
use std::path::{Path, PathBuf};

use gix_error::{ErrorExt, Result, message};
use gix_hash::{Kind as Hash, ObjectId};
use gix_object::tree::Entry;
use gix_object::{CommitRef, FindExt, Kind, TagRefIter, Tree, TreeRefIter};
use gix_odb::HeaderExt;
use gix_ref::file::{ReferenceExt, Store};

pub struct Repository {
    pub git_dir: PathBuf,
    /// The folder of what is checked out; `None` in a bare repository.
    pub working_tree: Option<PathBuf>,
    /// The folder that linked working trees share with their repository; the Git folder itself elsewhere.
    pub(super) shared: PathBuf,
    pub(super) references: Store,
    pub(super) objects: gix_odb::Handle,
}

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
    pub fn discover(folder: &Path) -> Result<Self> {
        let (path, _) = gix_discover::upwards(folder)?;
        let (git_dir, working_tree) = path.into_repository_and_work_tree_directories();
        let shared = gix_discover::path::from_plain_file(&git_dir.join("commondir"));
        let shared = match shared.transpose() {
            Ok(Some(shared)) => git_dir.join(shared),
            Ok(None) => git_dir.clone(),
            Err(error) => return Err(error.raise()),
        };
        let references = Store::for_linked_worktree(git_dir.clone(), shared.clone(), Hash::Sha1);
        let objects = gix_odb::at(shared.join("objects"), Hash::Sha1).map_err(ErrorExt::raise)?;
        Ok(Self {
            git_dir,
            working_tree,
            shared,
            references,
            objects,
        })
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
                let id = head.follow_to_object_packed(&self.references, None)?;
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
        let id = reference.follow_to_object_packed(&self.references, None)?;
        let mut buffer = Vec::new();
        let object = self.objects.find(&id, &mut buffer)?;
        let tagger = match object.kind {
            Kind::Tag => TagRefIter::from_bytes(object.data, Hash::Sha1).tagger()?,
            _ => None,
        };
        let seconds = tagger.and_then(|tagger| tagger.time().ok()).map(|time| time.seconds);
        Ok((self.peeled(id, Kind::Commit)?, seconds))
    }

    /// The object of a kind that an object leads to: what a tag is about, or the files of a commit.
    pub(super) fn peeled(&self, mut id: ObjectId, wanted: Kind) -> Result<ObjectId> {
        let mut buffer = Vec::new();
        loop {
            let object = self.objects.find(&id, &mut buffer)?;
            id = match object.kind {
                kind if kind == wanted => return Ok(id),
                Kind::Tag => TagRefIter::from_bytes(object.data, Hash::Sha1).target_id()?,
                Kind::Commit if wanted == Kind::Tree => CommitRef::from_bytes(object.data, Hash::Sha1)?.tree(),
                kind => return Err(message!("{id} is a {kind}, not a {wanted}").raise()),
            };
        }
    }

    pub fn merge_base(&self, one: ObjectId, other: ObjectId) -> Result<Option<ObjectId>> {
        let cache = gix_commitgraph::at(self.shared.join("objects/info"), Hash::Sha1, None).ok();
        let mut graph = gix_revision::Graph::new(&self.objects, cache.as_ref());
        let bases = gix_revision::merge_base(one, &[other], &mut graph)?;
        Ok(bases.map(|bases| *bases.first()))
    }
}
