//! The tags of a repository that are releases, and their files.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chrono::{DateTime, NaiveDate};
use gix::bstr::ByteSlice;
use lifecycle::import::can_be_written;
use lifecycle::release::ReleaseName;

use crate::failure::Failure;

use super::commit::first_line;

/// The deepest nesting of folders.
const DEEPEST: usize = 64;

/// The most files of one tag.
const MOST_FILES: usize = 100_000;

/// The tags of a repository that are releases.
pub struct Tags {
    repository: gix::Repository,
    releases: Vec<Tag>,
    notes: Vec<String>,
    skipped: Vec<String>,
}

/// A tag that stands for a minor release.
pub struct Tag {
    /// The minor release.
    pub release: ReleaseName,
    /// The tag's name.
    pub name: String,
    /// Its day, in UTC.
    pub date: NaiveDate,
    tree: gix::ObjectId,
}

/// A file of a tag.
pub struct File {
    /// Its path in the repository.
    pub path: String,
    /// What it is known by: the same content has the same id.
    pub id: String,
    object: gix::ObjectId,
}

/// The number in the name of a tag.
fn number(tag: &str) -> Option<semver::Version> {
    let starts = tag.char_indices().filter(|(at, c)| {
        let before = tag[..*at].chars().next_back();
        let begins = before.is_none_or(|before| !before.is_alphanumeric() && before != '.') || before == Some('v');
        c.is_ascii_digit() && begins
    });
    let mut numbers = starts.filter_map(|(at, _)| parsed(&tag[at..]));
    numbers.next()
}

/// A version, of which the patch number may be left out.
fn parsed(text: &str) -> Option<semver::Version> {
    let whole = semver::Version::parse(text).ok();
    whole.or_else(|| {
        let end = text.find(['-', '+']).unwrap_or(text.len());
        semver::Version::parse(&format!("{}.0{}", &text[..end], &text[end..])).ok()
    })
}

impl Tags {
    /// The tags that a pattern matches, one a minor release: the first one of it that can be read, and no pre-release.
    pub fn of(repository: &str, pattern: &str) -> Result<Self, Failure> {
        let opened = gix::discover(repository).map_err(|problem| {
            let reason = first_line(&problem);
            Failure::new(format!("--git {repository}: {reason}")).help("name a folder with a Git repository")
        })?;
        let glob = glob::Pattern::new(pattern).map_err(|problem| {
            Failure::new(format!("--tags {pattern}: {}", problem.msg)).help("patterns know *, ** and ?")
        })?;
        let mut found: Vec<(semver::Version, String)> = Vec::new();
        let (names, mut skipped) = names(&opened)?;
        for name in names {
            if let Some(number) = number(&name).filter(|_| glob.matches(&name)) {
                found.push((number, name));
            }
        }
        found.sort();
        let mut notes = Vec::new();
        if found.iter().all(|(number, _)| !number.pre.is_empty()) && !found.is_empty() {
            notes.push("all tags are pre-releases: they are taken as releases".to_owned());
        } else {
            found.retain(|(number, _)| number.pre.is_empty());
        }
        if found.is_empty() {
            let help = "name others with --tags; a tag that is a release ends in a number: v1.8.0, api/v1.8";
            return Err(
                Failure::new(format!("no tag of {repository} that `{pattern}` matches is a release")).help(help),
            );
        }
        let mut releases: BTreeMap<ReleaseName, Tag> = BTreeMap::new();
        for (number, name) in found {
            let release = ReleaseName::new(number.major, number.minor);
            let Entry::Vacant(first) = releases.entry(release.clone()) else {
                continue;
            };
            match resolve(&opened, &name) {
                Ok((tree, date)) => drop(first.insert(Tag {
                    release,
                    name,
                    date,
                    tree,
                })),
                Err(reason) => skipped.push(format!("the tag {name}: {reason}")),
            }
        }
        if let (true, Some(reason)) = (releases.is_empty(), skipped.last()) {
            return Err(damaged("a release", reason));
        }
        Ok(Self {
            repository: opened,
            releases: releases.into_values().collect(),
            notes,
            skipped,
        })
    }

    /// What is to be told of the choice.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The tags that cannot be read, each with the reason.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// The releases, oldest first.
    pub fn releases(&self) -> &[Tag] {
        &self.releases
    }

    /// The files of a tag with one of these endings, at or below these paths; of the whole tree where none is named.
    /// What the tag does not have is left out.
    pub fn files(&self, tag: &Tag, paths: &[String], endings: &[&str]) -> Result<Vec<File>, Failure> {
        let tree = self
            .repository
            .find_tree(tag.tree)
            .map_err(|problem| damaged(&tag.name, &problem))?;
        let mut files = Vec::new();
        if paths.is_empty() {
            self.walk(&tag.name, &tree, "", endings, &mut files, 0)?;
        }
        for path in paths {
            let path = path.trim_start_matches("./").trim_end_matches('/');
            if path.is_empty() || path == "." {
                self.walk(&tag.name, &tree, "", endings, &mut files, 0)?;
                continue;
            }
            let entry = tree
                .lookup_entry_by_path(path)
                .map_err(|problem| damaged(&tag.name, &problem))?;
            match entry {
                Some(entry) if entry.mode().is_tree() => {
                    let below = self.repository.find_tree(entry.object_id());
                    let below = below.map_err(|problem| damaged(&tag.name, &problem))?;
                    self.walk(&tag.name, &below, &format!("{path}/"), endings, &mut files, 0)?;
                }
                Some(entry) if entry.mode().is_blob() => files.push(file(path.to_owned(), entry.object_id())),
                _ => {}
            }
        }
        Ok(files)
    }

    fn walk(
        &self,
        tag: &str,
        tree: &gix::Tree<'_>,
        folder: &str,
        endings: &[&str],
        files: &mut Vec<File>,
        depth: usize,
    ) -> Result<(), Failure> {
        for entry in tree.iter() {
            let entry = entry.map_err(|problem| damaged(tag, &problem))?;
            let path = format!("{folder}{}", entry.filename().to_str_lossy());
            let ending = path
                .rsplit_once('.')
                .map_or("", |(_, ending)| ending)
                .to_ascii_lowercase();
            if entry.mode().is_tree() && depth >= DEEPEST {
                let message = format!("{tag}: {path} lies deeper than {DEEPEST} folders");
                return Err(Failure::new(message).help("name the folders that have the definitions"));
            }
            if entry.mode().is_tree() {
                let below = self
                    .repository
                    .find_tree(entry.object_id())
                    .map_err(|problem| damaged(tag, &problem))?;
                self.walk(tag, &below, &format!("{path}/"), endings, files, depth + 1)?;
            } else if entry.mode().is_blob() && endings.contains(&ending.as_str()) {
                files.push(file(path, entry.object_id()));
            }
            if files.len() > MOST_FILES {
                let message = format!("{tag} has more than {MOST_FILES} files to look at");
                return Err(Failure::new(message).help("name the folders that have the definitions"));
            }
        }
        Ok(())
    }

    /// The text of a file, or why it has none: it has more than `most` bytes, or is no text. `label` is what it is
    /// called in messages.
    pub fn text(&self, file: &File, label: &str, most: usize) -> Result<Result<String, String>, Failure> {
        let header = self
            .repository
            .find_header(file.object)
            .map_err(|problem| damaged(label, &problem))?;
        if header.size() > most as u64 {
            return Ok(Err(format!("larger than {} MiB", most >> 20)));
        }
        let object = self
            .repository
            .find_object(file.object)
            .map_err(|problem| damaged(label, &problem))?;
        Ok(String::from_utf8(object.detach().data).map_err(|_| "not UTF-8".to_owned()))
    }
}

fn file(path: String, object: gix::ObjectId) -> File {
    File {
        path,
        id: object.to_string(),
        object,
    }
}

/// The names of all tags, and why there are some that cannot be read.
fn names(repository: &gix::Repository) -> Result<(Vec<String>, Vec<String>), Failure> {
    let read = || -> Result<(Vec<String>, Vec<String>), gix::Error> {
        let platform = repository.references()?;
        let (mut names, mut skipped) = (Vec::new(), Vec::new());
        for tag in platform.tags()? {
            match tag {
                Ok(tag) => names.push(tag.name().shorten().to_string()),
                Err(problem) => skipped.push(format!("a tag: {}", first_line(&problem))),
            }
        }
        Ok((names, skipped))
    };
    read().map_err(|problem| damaged("the tags", &problem))
}

/// The tree of a tag, and its day: that of the tag itself, or of its commit where the tag has none. Otherwise the
/// reason.
fn resolve(repository: &gix::Repository, name: &str) -> Result<(gix::ObjectId, NaiveDate), String> {
    let read = || -> Result<(gix::ObjectId, Option<i64>), gix::Error> {
        let mut reference = repository.find_reference(&format!("refs/tags/{name}"))?;
        let object = reference.follow_to_object()?.object()?;
        let tagged = match object.try_into_tag() {
            Ok(tag) => tag
                .tagger()?
                .and_then(|tagger| tagger.time().ok())
                .map(|time| time.seconds),
            Err(_) => None,
        };
        let commit = reference.peel_to_commit()?;
        let seconds = tagged.or(commit.time().ok().map(|time| time.seconds));
        Ok((commit.tree_id()?.detach(), seconds))
    };
    let (tree, seconds) = read().map_err(|problem| first_line(&problem))?;
    let date = seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    let date = date.map(|date| date.date_naive()).filter(can_be_written);
    Ok((tree, date.ok_or("it has no day that a model can have")?))
}

fn damaged(what: &str, problem: &impl std::fmt::Display) -> Failure {
    let reason = first_line(problem);
    Failure::new(format!("cannot read {what} from the repository: {reason}"))
        .help("fetch what is not in this clone (`git fetch --tags`), or look for damage: `git fsck`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_tag_is_found_after_any_prefix() {
        let of = |tag| number(tag).map(|number| number.to_string());
        assert_eq!(of("v1.2.3").as_deref(), Some("1.2.3"));
        assert_eq!(of("1.2").as_deref(), Some("1.2.0"));
        assert_eq!(of("gateway-api/v1.0").as_deref(), Some("1.0.0"));
        assert_eq!(of("helm-chart-4.0.1").as_deref(), Some("4.0.1"));
        assert_eq!(of("v1.6.0-rc.1").as_deref(), Some("1.6.0-rc.1"));
        assert_eq!(of("v1.6-rc.1").as_deref(), Some("1.6.0-rc.1"));
        assert_eq!(of("nightly"), None);
        assert_eq!(of("v2"), None);
        assert_eq!(of("1.2.3.4"), None);
    }
}
