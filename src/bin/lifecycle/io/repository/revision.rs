//! What a revision names: a reference, the beginning of an id, and the steps from there, as Git writes them.

use gix_error::{ErrorExt, OptionExt, Result, message};
use gix_hash::{ObjectId, Prefix};
use gix_object::Kind as Object;
use gix_object::bstr::{BStr, ByteSlice};
use gix_ref::Reference;
use gix_ref::file::ReferenceExt;
use gix_revision::spec::parse::Delegate;
use gix_revision::spec::parse::delegate::{
    Kind, Navigate, PeelTo, PrefixHint, ReflogLookup, Revision, SiblingBranch, Traversal,
};

use super::Repository;
use crate::io::settings::Settings;

impl Repository {
    /// The beginning of an id of the repository's own kind: what is typed is taken for that of a SHA-1 id.
    fn own_prefix(&self, typed: Prefix) -> Result<Prefix> {
        let hex = typed.to_string();
        let whole = format!("{hex:0<0$}", self.hash.len_in_hex());
        let id = ObjectId::from_hex(whole.as_bytes()).map_err(ErrorExt::raise)?;
        Prefix::new(&id, hex.len()).map_err(ErrorExt::raise)
    }

    /// The commit that a revision names: `main`, `origin/main~2`, `v1.2^{}`, `@{upstream}`, the beginning of an id.
    pub fn resolve(&self, revision: &str) -> Result<ObjectId> {
        let mut resolver = Resolver {
            repository: self,
            reference: None,
            objects: Vec::new(),
        };
        gix_revision::spec::parse(revision.into(), &mut resolver)?;
        resolver.each(|repository, id| repository.peeled(id, Object::Commit))?;
        match resolver.objects[..] {
            [commit] => Ok(commit),
            _ => Err(message!("{revision} is the beginning of several ids").raise()),
        }
    }
}

struct Resolver<'r> {
    repository: &'r Repository,
    /// The reference, until a step leads from it to an object.
    reference: Option<Reference>,
    /// The objects; several, where the beginning of an id is that of several.
    objects: Vec<ObjectId>,
}

impl Resolver<'_> {
    /// Takes a step from each candidate, and drops those from which there is no such step.
    fn each(&mut self, step: impl Fn(&Repository, ObjectId) -> Result<ObjectId>) -> Result {
        if self.objects.is_empty() {
            let reference = self
                .reference
                .as_mut()
                .ok_or_raise(|| message("no revision is named"))?;
            let id = self.repository.object_of(reference)?;
            self.objects.push(id);
        }
        let steps = self.objects.iter().map(|id| step(self.repository, *id));
        let (reached, failed): (Vec<_>, Vec<_>) = steps.partition(Result::is_ok);
        self.objects = reached.into_iter().flatten().collect();
        self.objects.sort_unstable();
        self.objects.dedup();
        match failed.into_iter().find_map(Result::err) {
            Some(error) if self.objects.is_empty() => Err(error),
            _ => Ok(()),
        }
    }

    fn branch(&mut self) -> Result<&Reference> {
        let store = &self.repository.references;
        let named = match self.reference.take() {
            Some(reference) => reference,
            None => store.find("HEAD")?,
        };
        let branch = match named.follow(store) {
            Some(branch) => branch?,
            None => named,
        };
        Ok(self.reference.insert(branch))
    }

    fn lead_to(&mut self, id: ObjectId) {
        self.objects = vec![id];
    }
}

impl Revision for Resolver<'_> {
    fn find_ref(&mut self, name: &BStr) -> Result {
        self.reference = Some(self.repository.references.find(name)?);
        Ok(())
    }

    fn disambiguate_prefix(&mut self, prefix: Prefix, _: Option<PrefixHint<'_>>) -> Result {
        // A reference of that name goes before an object, as in Git.
        if self.find_ref(prefix.to_string().as_str().into()).is_ok() {
            return Ok(());
        }
        let mut candidates = std::collections::HashSet::new();
        let prefix = self.repository.own_prefix(prefix)?;
        self.repository.objects.lookup_prefix(prefix, Some(&mut candidates))?;
        self.objects = candidates.into_iter().collect();
        if self.objects.is_empty() {
            Err(message!("no id begins with {prefix}").raise())
        } else {
            Ok(())
        }
    }

    fn reflog(&mut self, query: ReflogLookup) -> Result {
        let store = &self.repository.references;
        let branch = self.branch()?.clone();
        let mut platform = branch.log_iter(store);
        let lines = platform.rev().map_err(ErrorExt::raise)?;
        let mut lines = lines.into_iter().flatten().filter_map(Result::ok);
        let line = match query {
            ReflogLookup::Entry(index) => lines.nth(index),
            ReflogLookup::Date(date) => lines.find(|line| line.signature.time.seconds <= date.seconds),
        };
        self.lead_to(
            line.ok_or_raise(|| message("the log of the reference does not reach back so far"))?
                .new_oid,
        );
        Ok(())
    }

    fn nth_checked_out_branch(&mut self, number: usize) -> Result {
        let head = self.repository.references.find("HEAD")?;
        let mut platform = head.log_iter(&self.repository.references);
        let lines = platform.rev().map_err(ErrorExt::raise)?;
        let mut checkouts = lines.into_iter().flatten().filter_map(|line| {
            let line = line.ok()?;
            let moved = line.message.strip_prefix(b"checkout: moving from ")?;
            let (branch, _) = moved.split_once_str(" to ")?;
            Some((branch.to_owned(), line.previous_oid))
        });
        let checkout = checkouts.nth(number.saturating_sub(1));
        let (branch, id) = checkout.ok_or_raise(|| message("so many branches were not checked out"))?;
        if self.find_ref(branch.as_bstr()).is_err() {
            self.lead_to(id);
        }
        Ok(())
    }

    fn sibling_branch(&mut self, _: SiblingBranch) -> Result {
        let branch = self.branch()?.name.shorten().to_string();
        let settings = &self.repository.settings;
        let upstream = upstream(settings, &branch).ok_or_raise(|| message!("{branch} has no upstream branch"))?;
        self.find_ref(upstream.as_str().into())
    }
}

/// The branch that another one follows, by the settings of the repository.
fn upstream(settings: &Settings, branch: &str) -> Option<String> {
    let section = format!("branch \"{branch}\"");
    let (remote, merged) = (settings.get(&section, "remote")?, settings.get(&section, "merge")?);
    Some(match merged.strip_prefix("refs/heads/") {
        Some(name) if remote != "." => format!("refs/remotes/{remote}/{name}"),
        _ => merged.to_owned(),
    })
}

impl Navigate for Resolver<'_> {
    fn traverse(&mut self, kind: Traversal) -> Result {
        self.each(|repository, id| {
            let id = repository.peeled(id, Object::Commit)?;
            match kind {
                Traversal::NthParent(number) => parent(repository, id, number),
                Traversal::NthAncestor(count) => (0..count).try_fold(id, |id, _| parent(repository, id, 1)),
            }
        })
    }

    fn peel_until(&mut self, kind: PeelTo<'_>) -> Result {
        match kind {
            PeelTo::ObjectKind(kind) => self.each(|repository, id| repository.peeled(id, kind)),
            // Whatever is named is followed to its commit in the end.
            PeelTo::ValidObject | PeelTo::RecursiveTagObject => Ok(()),
            PeelTo::Path(_) => Err(message("a path names no commit").raise()),
        }
    }

    fn find(&mut self, _: &BStr, _: bool) -> Result {
        Err(message("commits are not searched for by their messages").raise())
    }

    fn index_lookup(&mut self, _: &BStr, _: u8) -> Result {
        Err(message("a path names no commit").raise())
    }
}

fn parent(repository: &Repository, id: ObjectId, number: usize) -> Result<ObjectId> {
    let parents = repository.commit(id)?.parents;
    let parent = parents.get(number.saturating_sub(1)).copied();
    parent.ok_or_raise(|| message!("{id} has {} parents", parents.len()))
}

impl Kind for Resolver<'_> {
    fn kind(&mut self, _: gix_revision::spec::Kind) -> Result {
        Err(message("a range names no commit").raise())
    }
}

impl Delegate for Resolver<'_> {
    fn done(&mut self) -> Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upstream_branch_is_read_from_the_settings() {
        let settings = "[core]\n\tbare = false\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/trunk\n\
                        [branch \"fix\"]\n\tremote = .\n\tmerge = refs/heads/main\n[branch \"new\"]\n";
        let settings = &Settings::parse(settings);
        assert_eq!(upstream(settings, "main").as_deref(), Some("refs/remotes/origin/trunk"));
        assert_eq!(upstream(settings, "fix").as_deref(), Some("refs/heads/main"));
        assert_eq!(upstream(settings, "new"), None);
        assert_eq!(upstream(settings, "old"), None);
    }
}
