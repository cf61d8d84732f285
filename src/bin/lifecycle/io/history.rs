//! The history that a clone has: merge bases, and what to fetch where it lacks something.

use std::path::Path;

use gix_hash::ObjectId;
use lifecycle::diagnostic::did_you_mean;

use crate::failure::{Failure, Result};

use super::repository::{Repository, first_line};

/// The best common ancestor of a commit and the one that is checked out.
pub(super) fn merge_base(repository: &Repository, commit: ObjectId, revision: &str) -> Result<ObjectId> {
    // Before the first commit there is no common ancestor.
    let Some(head) = repository
        .head()
        .map_err(|problem| missing(repository, CHECKED_OUT, &problem))?
    else {
        return Ok(commit);
    };
    let head_commit = repository.commit(head);
    let parents = head_commit
        .map_err(|problem| missing(repository, CHECKED_OUT, &problem))?
        .parents;
    // A pull request's merge commit names its base among its parents, also in a shallow clone.
    if head == commit || parents.contains(&commit) {
        return Ok(commit);
    }
    let shallow = repository.is_shallow();
    match repository.merge_base(commit, head) {
        Ok(Some(ancestor)) => Ok(ancestor),
        _ if shallow => Err(Failure::new(format!(
            "this clone is shallow: it does not reach back to the merge base of {revision} and the checked-out commit"
        ))
        .help(FETCH)),
        Ok(None) => Err(
            Failure::new(format!("{revision} and the checked-out commit have no common ancestor"))
                .help("name a revision that has one, or a file"),
        ),
        Err(problem) => Err(missing(repository, revision, &problem)),
    }
}

const CHECKED_OUT: &str = "the checked-out commit";

const FETCH: &str = "fetch the history: `git fetch --unshallow`, or in a GitHub workflow `fetch-depth: 0` for \
                     actions/checkout";

/// A revision that cannot be found, with a suggestion or what to fetch.
pub fn unknown(revision: &str, folder: &Path) -> Failure {
    let failure = Failure::new(format!("there is no revision, file or folder `{revision}`"));
    let repository = match Repository::discover(folder) {
        Ok(repository) => repository,
        Err(none) => return none.or(failure.help("check the path")),
    };
    let no_name = revision.contains(['~', '^', '@']) || revision.chars().all(|letter| letter.is_ascii_hexdigit());
    if repository.is_shallow() && no_name {
        return failure.help(format!("this clone is shallow, and may not reach back to it; {FETCH}"));
    }
    if repository.is_shallow() {
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

fn names(repository: &Repository) -> Vec<String> {
    let all = repository.names("refs/").unwrap_or_default();
    all.into_iter().filter_map(Result::ok).collect()
}

/// An object that cannot be read, with what to fetch.
pub(super) fn missing(repository: &Repository, what: &str, problem: &impl std::fmt::Display) -> Failure {
    let reason = first_line(problem);
    if let Some(filter) = repository.filter() {
        let message = format!("this is a partial clone ({filter}), which lacks a part of {what}: {reason}");
        return Failure::new(message).help(
            "fetch what is missing: `git fetch --refetch --no-filter`; in a GitHub workflow, leave out `filter` of \
             actions/checkout",
        );
    }
    let help = if repository.is_shallow() {
        "fetch the history that this shallow clone lacks (`git fetch --unshallow`), or look for damage: `git fsck`"
    } else {
        "fetch what is not in this clone (`git fetch --tags`), or look for damage: `git fsck`"
    };
    Failure::new(format!("cannot read {what} from the repository: {reason}")).help(help)
}
