//! What releases have, file by file: the same for every format that shows one release at a time.

use std::collections::BTreeMap;
use std::rc::Rc;

use chrono::NaiveDate;

use crate::release::ReleaseName;
use crate::text::{Unreadable, at};

use super::draft::{DraftCalendar, can_be_written};
use super::notice::{ImportError, Notice, Topic};

/// A source format that shows what one release has. Each of its files is read by itself.
#[derive(Debug)]
pub struct Format<T> {
    /// What files are searched for, as messages call one: `CustomResourceDefinition`.
    pub name: &'static str,
    /// The endings of files that are read in folders.
    pub endings: &'static [&'static str],
    /// Whether a file in a folder is read, by its path below the folder that was named.
    pub is_wanted: fn(&str) -> bool,
    /// Bytes of one file.
    pub largest: usize,
    /// Whether a file of a folder that cannot be read is left out and reported, so that the others are read: code has
    /// files that are no text.
    pub leaves_out: bool,
    /// Reads the text of a file.
    pub read: fn(&str) -> Result<T, Unreadable>,
    pub(crate) is_empty: fn(&T) -> bool,
    /// The parts of a file that could not be read and are not in the rest of it.
    pub(crate) skipped: fn(&T) -> &[Unreadable],
}

/// The files of releases, as far as they could be read.
#[derive(Debug)]
pub struct Releases<'f, T> {
    /// The format of the files.
    pub format: &'f Format<T>,
    by_name: BTreeMap<ReleaseName, Release<T>>,
    /// What to report about the files.
    pub notices: Vec<Notice>,
    errors: Vec<String>,
    /// What was read from tags, by the id of its content, so that the same content is read once.
    contents: BTreeMap<String, Result<Rc<T>, Unreadable>>,
    /// The files of the tag that was read last, by path.
    last_tag: BTreeMap<String, Rc<T>>,
}

/// A release with its files.
#[derive(Debug)]
pub struct Release<T> {
    pub(crate) date: Option<NaiveDate>,
    /// Its files, in the order in which they were read.
    pub files: Vec<File<T>>,
}

/// A file of a release.
#[derive(Debug, Clone)]
pub struct File<T> {
    /// What messages call it: its path, after its tag if it is of one.
    pub(crate) label: String,
    /// Its path in the repository, or below the folder that was named.
    pub(crate) path: String,
    pub(crate) content: Rc<T>,
}

/// A file of a tag.
#[derive(Debug, Clone, Copy)]
pub struct TagFile<'t> {
    /// The name of the tag.
    pub tag: &'t str,
    /// Its path in the repository.
    pub path: &'t str,
    /// An id of its content: the same content has the same id.
    pub content_id: &'t str,
}

/// What adding a file comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It has some of what the format searches for.
    Found,
    /// It has none of it.
    Empty,
    /// It cannot be read, which [`Releases::check`] reports.
    Unreadable,
}

impl<'f, T> Releases<'f, T> {
    /// No releases yet.
    pub fn new(format: &'f Format<T>) -> Self {
        Self {
            format,
            by_name: BTreeMap::new(),
            notices: Vec::new(),
            errors: Vec::new(),
            contents: BTreeMap::new(),
            last_tag: BTreeMap::new(),
        }
    }

    /// The releases, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&ReleaseName, &Release<T>)> + Clone {
        self.by_name.iter()
    }

    /// The releases with their dates.
    pub fn calendar(&self) -> DraftCalendar {
        let days = self.iter().map(|(name, release)| (name.clone(), release.date));
        DraftCalendar::of(days.collect())
    }

    /// The releases as those that have shipped, with dates in their order.
    pub fn shipped(&mut self) -> DraftCalendar {
        let mut calendar = self.calendar();
        calendar.order_days(Topic::Calendar, &mut self.notices);
        let releases = std::mem::take(&mut calendar.releases);
        calendar.ship(releases);
        calendar
    }

    /// Adds a release. Its date must be the same wherever it is stated.
    ///
    /// # Errors
    ///
    /// If it has another date already, or a date that a model cannot have.
    pub fn begin(&mut self, name: &ReleaseName, date: Option<NaiveDate>) -> Result<(), ImportError> {
        if let Some(date) = date.filter(|date| !can_be_written(date)) {
            let message = format!("release {name}: a model cannot have the date {date}");
            return Err(ImportError::new(message, "write it as 2024-01-31"));
        }
        let release = self.release(name);
        if let (Some(known), Some(date)) = (release.date, date)
            && known != date
        {
            let message = format!("release {name} has two dates: {known} and {date}");
            return Err(ImportError::new(message, "state its date once"));
        }
        release.date = release.date.or(date);
        Ok(())
    }

    fn release(&mut self, name: &ReleaseName) -> &mut Release<T> {
        self.by_name.entry(name.clone()).or_insert_with(|| Release {
            date: None,
            files: Vec::new(),
        })
    }

    /// Reports a part of the source that cannot be read; the rest is imported without it.
    pub fn skip(&mut self, reason: &str) {
        self.notices.push(Notice::new(Topic::Skipped, reason));
    }

    /// Adds a file of a release, which is at `path` below the folder that was named.
    pub fn add(&mut self, name: &ReleaseName, label: &str, path: &str, text: &str) -> Added {
        let content = match (self.format.read)(text) {
            Ok(content) => Rc::new(content),
            Err(error) if self.format.leaves_out && path != label => {
                self.skip(&error.within(label));
                return Added::Unreadable;
            }
            Err(error) => {
                self.errors.push(error.within(label));
                return Added::Unreadable;
            }
        };
        let is_empty = (self.format.is_empty)(&content);
        self.add_file(name, (label.to_owned(), path), content);
        if is_empty { Added::Empty } else { Added::Found }
    }

    fn add_file(&mut self, name: &ReleaseName, (label, path): (String, &str), content: Rc<T>) {
        for part in (self.format.skipped)(&content) {
            self.skip(&part.within(&label));
        }
        let path = path.trim_start_matches(['/', '\\']).to_owned();
        self.release(name).files.push(File { label, path, content });
    }

    /// Adds the files of a tag, and says whether one has some of what the format searches for. `text` gives the text of
    /// a file with this label, or why it has none.
    ///
    /// A file that cannot be read counts as it was in the tag before: what it defines does not end and begin again
    /// because of it.
    ///
    /// # Errors
    ///
    /// Those of `text`.
    pub fn add_tag<'t, H, E>(
        &mut self,
        name: &ReleaseName,
        files: impl IntoIterator<Item = (TagFile<'t>, H)>,
        mut text: impl FnMut(H, &str) -> Result<Result<String, String>, E>,
    ) -> Result<bool, E> {
        let before = std::mem::take(&mut self.last_tag);
        for (file, handle) in files {
            if !self.contents.contains_key(file.content_id) {
                let content = match text(handle, &file.label())? {
                    Ok(text) => (self.format.read)(&text).map(Rc::new),
                    Err(reason) => Err(at(1, 1, reason)),
                };
                self.contents.insert(file.content_id.to_owned(), content);
            }
            if let Some(content) = self.content(&file, before.get(file.path)) {
                self.last_tag.insert(file.path.to_owned(), Rc::clone(&content));
                self.add_file(name, (file.label(), file.path), content);
            }
        }
        Ok(self.last_tag.values().any(|content| !(self.format.is_empty)(content)))
    }

    /// The content of a file of a tag; where it cannot be read, the one that it had before.
    fn content(&mut self, file: &TagFile<'_>, before: Option<&Rc<T>>) -> Option<Rc<T>> {
        match self.contents.get(file.content_id)? {
            Ok(content) => Some(Rc::clone(content)),
            Err(error) => {
                let outdated = "imported as it was in the release before: review the model";
                let (topic, effect) = match before {
                    Some(_) => (Topic::Outdated, outdated),
                    None => (Topic::Skipped, "what it defines counts as missing"),
                };
                let text = format!("{}; {effect}", error.within(&file.label()));
                self.notices.push(Notice::new(topic, text));
                before.cloned()
            }
        }
    }

    /// Checks what was read, and makes days follow the order of the releases.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, none has what the format searches for, or a day is missing.
    pub fn check(&mut self) -> Result<(), ImportError> {
        if let Some(last) = self.errors.pop() {
            let help = "fix the file, or name the files and folders to read without it";
            return Err(ImportError {
                earlier: std::mem::take(&mut self.errors),
                ..ImportError::new(last, help)
            });
        }
        let mut files = self.by_name.values().flat_map(|release| &release.files);
        if files.all(|file| (self.format.is_empty)(&file.content)) {
            return Err(nothing_found(self.format.name));
        }
        let mut calendar = self.calendar();
        calendar.order_days(Topic::Calendar, &mut self.notices);
        if let Some([undated, later]) = calendar.undated() {
            let message = format!("release {undated} has no date, but {later} after it has one");
            let help = format!("write `{undated}=2024-01-31` with its date");
            return Err(ImportError::new(message, help));
        }
        for (name, release) in &mut self.by_name {
            release.date = calendar.releases.get(name).copied().flatten();
        }
        Ok(())
    }

    pub(super) fn date_by(&mut self, listed: &DraftCalendar) {
        for (name, release) in &mut self.by_name {
            release.date = listed.releases.get(name).copied().flatten().or(release.date);
        }
    }
}

impl TagFile<'_> {
    fn label(&self) -> String {
        format!("{}:{}", self.tag, self.path)
    }
}

pub(super) fn nothing_found(name: &str) -> ImportError {
    ImportError::new(format!("no {name} was found"), "name files or folders that have some")
}
