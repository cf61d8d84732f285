//! The tags of a repository that are releases, and their files.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use chrono::{DateTime, NaiveDate};
use gix_hash::ObjectId;
use gix_object::bstr::ByteSlice;
use lifecycle::import::can_be_written;
use lifecycle::release::{ReleaseName, ReleaseTags};

use crate::failure::{Failure, Result};
use crate::summary::counted;

use super::history::missing;
use super::listing::has_extension;
use super::repository::{Repository, first_line};

/// The pattern of all tags.
pub const ALL: &str = "*";

const DEEPEST: usize = 64;

const MOST_FILES: usize = 100_000;

pub struct Tags {
    repository: Repository,
    /// Oldest first.
    pub releases: Vec<Tag>,
    /// Only pre-releases were found, and stand for releases.
    pub are_pre_releases: bool,
    /// Those of other series of versions, by version.
    pub other_series: Vec<String>,
    /// What matches the names of the releases, and not those of other series; `None` if there are no others.
    pub pattern: Option<String>,
    /// Why tags cannot be read.
    pub skipped: Vec<String>,
}

/// A tag that stands for a minor release.
pub struct Tag {
    pub release: ReleaseName,
    pub name: String,
    /// In UTC.
    pub date: NaiveDate,
    tree: ObjectId,
}

pub struct File {
    pub path: String,
    /// Equal for equal contents.
    pub id: String,
    object: ObjectId,
}

impl Tags {
    /// One tag for each minor release, among those that match a pattern: the first that can be read. Among all tags,
    /// those of one series of versions.
    pub fn of(repository: &str, pattern: &str) -> Result<Self> {
        let opened = Repository::discover(Path::new(repository)).map_err(|none| {
            let help = none.help.unwrap_or("name a folder with a Git repository");
            Failure::new(format!("--git {repository}: {}", none.reason)).help(help)
        })?;
        let glob = glob::Pattern::new(pattern).map_err(|problem| {
            Failure::new(format!("--tags {pattern}: {}", problem.msg)).help("patterns may use *, ** and ?")
        })?;
        let names = opened.names("refs/tags/");
        let names = names
            .map_err(|problem| missing(&opened, "the tags", &problem))?
            .into_iter();
        let (names, unreadable): (Vec<_>, Vec<_>) = names.partition(Result::is_ok);
        let unreadable = unreadable.into_iter().filter_map(Result::err);
        let mut skipped: Vec<String> = unreadable
            .map(|problem| format!("a tag: {}", first_line(&problem)))
            .collect();
        let names = names.into_iter().flatten().filter(|name| glob.matches(name));
        let found = if pattern == ALL {
            ReleaseTags::of_one_series(names)
        } else {
            ReleaseTags::among(names)
        };
        if found.tags.is_empty() {
            let help = "name others with --tags; the name of a release tag ends in a version: v1.8.0, api/v1.8";
            return Err(
                Failure::new(format!("no tag of {repository} that matches `{pattern}` is a release")).help(help),
            );
        }
        let mut releases: BTreeMap<ReleaseName, Tag> = BTreeMap::new();
        for (release, name) in found.tags {
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
            return Err(missing(&opened, "a release", reason));
        }
        Ok(Self {
            repository: opened,
            releases: releases.into_values().collect(),
            are_pre_releases: found.are_pre_releases,
            pattern: Some(of_series(&found.prefix)).filter(|_| !found.other_series.is_empty()),
            other_series: found.other_series,
            skipped,
        })
    }

    /// The folder that the paths of files are from; `None` in a bare repository.
    pub fn root(&self) -> Option<&Path> {
        self.repository.working_tree.as_deref()
    }

    /// Leaves out the releases before one.
    ///
    /// # Errors
    ///
    /// If that release has no tag: the next one would be compared with nothing.
    pub fn begin_with(&mut self, first: &ReleaseName) -> Result<()> {
        self.releases.retain(|tag| tag.release >= *first);
        match self.releases.first() {
            Some(tag) if tag.release == *first => Ok(()),
            next => {
                let error = Failure::new(format!("--since {first}: no tag is of this release"));
                Err(error.help(match next {
                    Some(next) => format!("the next release is tagged {}", next.name),
                    None => "no tag is of a later one either: fetch the tags, or name them with --tags".to_owned(),
                }))
            }
        }
    }

    /// What to know about the tags with other prefixes, if there are any.
    pub fn ignored(&self) -> Option<String> {
        let example = self.other_series.first()?;
        let count = counted(self.other_series.len(), "tag");
        Some(format!(
            "ignored {count} with another prefix, such as {example}; select tags with --tags"
        ))
    }

    /// The files of a tag with one of these extensions, at or below these paths; in the whole tree if none is named.
    /// Paths that the tag does not have are skipped.
    pub fn files(&self, tag: &Tag, paths: &[String], extensions: &[&str]) -> Result<Vec<File>> {
        let mut walk = Walk {
            repository: &self.repository,
            tag: &tag.name,
            extensions,
            files: Vec::new(),
        };
        if paths.is_empty() {
            walk.add_folder(tag.tree, "", 0)?;
        }
        for path in paths {
            let path = path.trim_start_matches("./").trim_end_matches('/');
            if path.is_empty() || path == "." {
                walk.add_folder(tag.tree, "", 0)?;
                continue;
            }
            let entry = self.repository.entry(tag.tree, Path::new(path));
            match entry.map_err(|problem| missing(&self.repository, &tag.name, &problem))? {
                Some(entry) if entry.mode.is_tree() => walk.add_folder(entry.oid, &format!("{path}/"), 0)?,
                Some(entry) if entry.mode.is_blob() => walk.add(path.to_owned(), entry.oid),
                _ => {}
            }
        }
        Ok(walk.files)
    }

    /// The text of a file, which messages call `label`; or why it has none: it has more than `most` bytes, or is not
    /// UTF-8.
    pub fn text(&self, file: &File, label: &str, most: usize) -> Result<Result<String, String>> {
        let size = self.repository.size(file.object);
        if size.map_err(|problem| missing(&self.repository, label, &problem))? > most as u64 {
            return Ok(Err(format!("larger than {} MiB", most >> 20)));
        }
        let content = self.repository.content(file.object);
        let content = content.map_err(|problem| missing(&self.repository, label, &problem))?;
        Ok(String::from_utf8(content).map_err(|_| "not UTF-8".to_owned()))
    }
}

/// The pattern of names with a prefix.
fn of_series(prefix: &str) -> String {
    match prefix {
        "" => "[v0-9]*".to_owned(),
        prefix => format!("{}*", glob::Pattern::escape(prefix)),
    }
}

struct Walk<'w> {
    repository: &'w Repository,
    tag: &'w str,
    extensions: &'w [&'w str],
    files: Vec<File>,
}

impl Walk<'_> {
    fn add_folder(&mut self, id: ObjectId, folder: &str, depth: usize) -> Result<()> {
        let tree = self
            .repository
            .tree(id)
            .map_err(|problem| missing(self.repository, self.tag, &problem))?;
        for entry in tree.entries {
            let path = format!("{folder}{}", entry.filename.to_str_lossy());
            if entry.mode.is_tree() && depth >= DEEPEST {
                return Err(self.too_much(&format!("{path} is nested deeper than {DEEPEST} folders")));
            }
            if entry.mode.is_tree() {
                self.add_folder(entry.oid, &format!("{path}/"), depth + 1)?;
            } else if entry.mode.is_blob() && has_extension(Path::new(&path), self.extensions) {
                self.add(path, entry.oid);
            }
            if self.files.len() > MOST_FILES {
                return Err(self.too_much(&format!("more than {MOST_FILES} files")));
            }
        }
        Ok(())
    }

    fn add(&mut self, path: String, object: ObjectId) {
        let id = object.to_string();
        self.files.push(File { path, id, object });
    }

    fn too_much(&self, what: &str) -> Failure {
        Failure::new(format!("{}: {what}", self.tag)).help("name the folders that have the files")
    }
}

/// The tree and the date of a tag, or why it has none. The date is that of its commit if the tag has none.
fn resolve(repository: &Repository, name: &str) -> Result<(ObjectId, NaiveDate), String> {
    let (commit, tagged) = repository.tag(name).map_err(|problem| first_line(&problem))?;
    let commit = repository.commit(commit).map_err(|problem| first_line(&problem))?;
    let date = tagged.or(commit.seconds);
    let date = date.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    let date = date.map(|date| date.date_naive()).filter(can_be_written);
    Ok((commit.tree, date.ok_or("its date cannot be written in a model")?))
}
