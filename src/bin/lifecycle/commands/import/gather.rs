//! What releases have, gathered from files, folders or the tags of a repository: the same for every format that shows
//! one release at a time.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use chrono::NaiveDate;
use lifecycle::import::history::{History, Parts, Shipped, fold, in_order};
use lifecycle::import::{Draft, Snapshot, can_be_written};
use lifecycle::release::ReleaseName;
use lifecycle::text::Unreadable;

use crate::args::{Releases, Target};
use crate::io::disk::{self, STANDARD_INPUT};
use crate::io::tags::{Tag, Tags};
use crate::terminal::Terminal;

use super::update::bring_up_to_date;
use super::{deliver, told_of};
use crate::failure::{Failure, Outcome};

/// A source format, of which each file is read by itself.
pub(super) struct Format<T> {
    /// What files are searched for, as messages call one of them: `CustomResourceDefinition`.
    pub name: &'static str,
    /// The endings of files that are looked at in folders.
    pub endings: &'static [&'static str],
    /// Whether a file of a folder is looked at, by its path below the folder that was named.
    pub wanted: fn(&str) -> bool,
    /// Bytes of one file.
    pub largest: usize,
    /// Reads the text of a file.
    pub read: fn(&str) -> Result<T, Unreadable>,
    /// Whether something was found that counts.
    pub counts: fn(&T) -> bool,
}

/// What was gathered.
pub(super) struct Gathered<T> {
    /// Each release with its files. There is something in at least one of them.
    pub releases: BTreeMap<ReleaseName, Release<T>>,
    /// Where it came from, in words.
    pub origin: Vec<String>,
    /// The files that were read.
    pub inputs: Vec<String>,
    faults: Vec<String>,
    /// What of a repository cannot be read; the rest is imported without it.
    skipped: Vec<String>,
}

/// One release.
pub(super) struct Release<T> {
    /// Its day, if that is known.
    pub date: Option<NaiveDate>,
    /// Its files, in the order of their names within each path that was named.
    pub files: Vec<File<T>>,
}

/// One file of a release.
pub(super) struct File<T> {
    /// What messages call it: its path, after its tag if it is of one.
    pub label: String,
    /// What is in it.
    pub found: Rc<T>,
}

/// Reads all that was named.
pub(super) fn gather<T>(
    arguments: &Releases,
    format: &Format<T>,
    terminal: &mut Terminal,
) -> Result<Gathered<T>, Failure> {
    let mut gathered = Gathered {
        releases: BTreeMap::new(),
        origin: Vec::new(),
        inputs: Vec::new(),
        faults: Vec::new(),
        skipped: Vec::new(),
    };
    match &arguments.git {
        Some(repository) => gathered.tags(repository, arguments, format, terminal)?,
        None => gathered.paths(arguments, format, terminal)?,
    }
    gathered.refuse_faults(terminal)?;
    terminal.warn_some("warning: ", &gathered.skipped);
    let mut files = gathered.releases.values().flat_map(|release| &release.files);
    if !files.any(|file| (format.counts)(&file.found)) {
        let help = "name files or folders that have some";
        return Err(Failure::new(format!("no {} was found", format.name)).help(help));
    }
    gathered.date(terminal)?;
    Ok(gathered)
}

/// Folds what the releases have into lives, and delivers the model. `origin` says what it was made from.
pub(super) fn deliver_history<T>(
    gathered: &Gathered<T>,
    mut snapshots: BTreeMap<ReleaseName, Snapshot>,
    parts: Parts,
    origin: &str,
    target: &Target,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let shipped = gathered.releases.iter().map(|(release, found)| Shipped {
        release: release.clone(),
        date: found.date,
        snapshot: snapshots.remove(release).unwrap_or_default(),
    });
    let releases: Vec<Shipped> = shipped.collect();
    let make = |known: Draft, terminal: &mut Terminal| {
        let History { draft, untold } = fold(known, &releases, parts);
        terminal.note_some("not in the model: ", &untold);
        draft
    };
    gathered.deliver(make, origin, target, terminal)
}

impl<T> Gathered<T> {
    /// Prints or writes a model, or brings one up to date. `make` makes the draft from what was declared before the
    /// first of these releases; `origin` says what it was made from.
    pub(super) fn deliver(
        &self,
        make: impl FnOnce(Draft, &mut Terminal) -> Draft,
        origin: &str,
        target: &Target,
        terminal: &mut Terminal,
    ) -> Result<Outcome, Failure> {
        let names = self.releases.keys();
        if let (Some(model), Some(first), Some(last)) = (&target.update, names.clone().next(), names.last()) {
            let outcome = bring_up_to_date(model, (first, last), make, terminal)?;
            return Ok(told_of(outcome, self.skipped.is_empty()));
        }
        for (release, _) in self.releases.iter().filter(|(_, found)| found.date.is_none()) {
            terminal.note(&format!(
                "release {release} has no day, and windows count months: write its day in the model, or import it with one"
            ));
        }
        let mut draft = make(Draft::default(), terminal);
        let whence = std::iter::once(origin.to_owned()).chain(self.origin.iter().cloned());
        draft.origin = whence.chain(draft.origin).collect();
        let inputs: Vec<&str> = self.inputs.iter().map(String::as_str).collect();
        let outcome = deliver(&draft, target, &inputs, terminal)?;
        Ok(told_of(outcome, self.skipped.is_empty()))
    }

    fn refuse_faults(&self, terminal: &mut Terminal) -> Result<(), Failure> {
        let Some((last, others)) = self.faults.split_last() else {
            return Ok(());
        };
        terminal.warn_some("error: ", others);
        Err(Failure::new(last.as_str()).help("mend the file, or name the files and folders that count without it"))
    }

    /// Gives the releases days that follow their order.
    fn date(&mut self, terminal: &mut Terminal) -> Result<(), Failure> {
        let dated = self
            .releases
            .iter()
            .filter_map(|(release, found)| Some((release.clone(), found.date?)));
        let mut days: Vec<(ReleaseName, NaiveDate)> = dated.collect();
        for told in in_order(&mut days) {
            terminal.note(&format!("warning: {told}"));
        }
        let days: BTreeMap<ReleaseName, NaiveDate> = days.into_iter().collect();
        let undated = self.releases.keys().find(|release| !days.contains_key(*release));
        if let Some((undated, later)) =
            undated.and_then(|undated| Some((undated, days.keys().find(|day| *day > undated)?)))
        {
            let message = format!("release {undated} has no day, but {later} after it has one");
            return Err(Failure::new(message).help(format!("write `{undated}=2024-01-31` with its day")));
        }
        for (release, found) in &mut self.releases {
            found.date = days.get(release).copied();
        }
        Ok(())
    }

    /// A release with its day, which must be the same wherever it is said.
    fn begin(&mut self, release: &ReleaseName, date: Option<NaiveDate>) -> Result<&mut Release<T>, Failure> {
        let found = self.releases.entry(release.clone()).or_insert_with(|| Release {
            date: None,
            files: Vec::new(),
        });
        match (found.date, date) {
            (_, Some(date)) if !can_be_written(&date) => {
                let message = format!("release {release}: {date} is not a day that a model can have");
                Err(Failure::new(message).help("write it as 2024-01-31"))
            }
            (Some(known), Some(date)) if known != date => {
                let message = format!("release {release} has two days: {known} and {date}");
                Err(Failure::new(message).help("say its day once"))
            }
            (known, date) => {
                found.date = known.or(date);
                Ok(found)
            }
        }
    }
}

impl<T> Gathered<T> {
    /// Reads the paths that were named for one release or several.
    fn paths(&mut self, arguments: &Releases, format: &Format<T>, terminal: &mut Terminal) -> Result<(), Failure> {
        if let Some(name) = &arguments.release {
            let release = release(name)?;
            self.begin(&release, arguments.date)?;
            for path in &arguments.paths {
                self.path(&release, path, format, terminal)?;
            }
            self.origin
                .push(format!("release {release}: {}", arguments.paths.join(" ")));
        }
        for pair in arguments.at.chunks(2) {
            let [when, path] = pair else { continue };
            let (name, date) = match when.split_once('=') {
                Some((name, date)) => (name, Some(day(date)?)),
                None => (when.as_str(), None),
            };
            let release = release(name)?;
            self.begin(&release, date)?;
            self.path(&release, path, format, terminal)?;
            self.origin.push(format!("release {release}: {path}"));
        }
        Ok(())
    }

    /// Reads a file, or all files below a folder.
    fn path(
        &mut self,
        release: &ReleaseName,
        path: &str,
        format: &Format<T>,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let is_folder = path != STANDARD_INPUT && Path::new(path).is_dir();
        let names = if is_folder {
            let mut found = disk::below(path, format.endings)?;
            terminal.warn_some("warning: skipped ", &found.skipped);
            found
                .files
                .retain(|name| (format.wanted)(name.strip_prefix(path).unwrap_or(name)));
            found.files
        } else {
            vec![path.to_owned()]
        };
        let mut any = false;
        for name in names {
            let text = disk::read_at_most(&name, format.largest)?;
            match (format.read)(&text.content) {
                Ok(found) => {
                    let counts = (format.counts)(&found);
                    if !counts && !is_folder {
                        let help = "name a file that has some, or a folder";
                        return Err(Failure::new(format!("{name}: no {}", format.name)).help(help));
                    }
                    any |= counts;
                    let file = File {
                        label: name.clone(),
                        found: Rc::new(found),
                    };
                    self.begin(release, None)?.files.push(file);
                    self.inputs.push(name);
                }
                Err(fault) => self.faults.push(format!("{name}:{}", placed(&fault))),
            }
        }
        if !any && self.faults.is_empty() {
            terminal.warn(&format!("warning: {}: no {}", path, format.name));
        }
        Ok(())
    }

    /// Reads what the tags of a repository have. The same content is read once.
    fn tags(
        &mut self,
        repository: &str,
        arguments: &Releases,
        format: &Format<T>,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let tags = Tags::of(repository, &arguments.tags)?;
        if tags.are_pre_releases() {
            terminal.note("all tags are pre-releases: they are taken as releases");
        }
        self.skipped
            .extend(tags.skipped().iter().map(|told| format!("skipped {told}")));
        let mut known = BTreeMap::new();
        let mut before = BTreeMap::new();
        let mut any = false;
        for tag in tags.releases() {
            self.begin(&tag.release, Some(tag.date))?;
            before = self.tag(&tags, tag, (&arguments.paths, format), &mut known, &before)?;
            let has = before.values().any(|found| (format.counts)(found));
            if any && !has {
                let told = format!("warning: {}: no {}: all count as removed", tag.name, format.name);
                terminal.warn(&format!("{told}; if they have moved, name that path too"));
            }
            any |= has;
        }
        let names: Vec<&str> = tags.releases().iter().map(|tag| tag.name.as_str()).collect();
        self.origin
            .push(format!("tags of {}: {}", base_name(repository), names.join(" ")));
        if !arguments.paths.is_empty() {
            self.origin.push(format!("below {}", arguments.paths.join(" ")));
        }
        Ok(())
    }
}

/// What was read, by the id of its content: or the line, the column and the reason of a fault.
type Known<T> = BTreeMap<String, Result<Rc<T>, String>>;

/// The files of a tag that could be read, by path.
type Readable<T> = BTreeMap<String, Rc<T>>;

impl<T> Gathered<T> {
    /// Reads what a tag has. A file that cannot be read counts as it was in the release before: what it defines does
    /// not end and begin again because of it.
    fn tag(
        &mut self,
        tags: &Tags,
        tag: &Tag,
        (paths, format): (&[String], &Format<T>),
        known: &mut Known<T>,
        before: &Readable<T>,
    ) -> Result<Readable<T>, Failure> {
        let mut readable = Readable::new();
        for file in tags.files(tag, paths, format.endings)? {
            if !(format.wanted)(below(&file.path, paths)) {
                continue;
            }
            let label = format!("{}:{}", tag.name, file.path);
            if !known.contains_key(&file.id) {
                let text = tags.text(&file, &label, format.largest)?;
                let found = text
                    .map_err(|reason| format!("1:1: {reason}"))
                    .and_then(|text| read(format, &text));
                known.insert(file.id.clone(), found);
            }
            let found = match (known.get(&file.id), before.get(&file.path)) {
                (Some(Ok(found)), _) => found,
                (Some(Err(fault)), Some(earlier)) => {
                    let told =
                        format!("{label}:{fault}; taken as in the release before: check what the model says of it");
                    self.skipped.push(told);
                    earlier
                }
                (Some(Err(fault)), None) => {
                    let told = format!("{label}:{fault}; left out: what it defines counts as not there");
                    self.skipped.push(told);
                    continue;
                }
                (None, _) => continue,
            };
            readable.insert(file.path, Rc::clone(found));
            let found = Rc::clone(found);
            self.begin(&tag.release, None)?.files.push(File { label, found });
        }
        Ok(readable)
    }
}

/// The path of a file below the innermost of these paths that it lies below.
fn below<'f>(file: &'f str, paths: &[String]) -> &'f str {
    let folders = paths
        .iter()
        .map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let rests = folders.filter_map(|folder| {
        let rest = file.strip_prefix(folder)?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    });
    rests.min_by_key(|rest| rest.len()).unwrap_or(file)
}

/// Reads a text: or the line, the column and the reason.
fn read<T>(format: &Format<T>, text: &str) -> Result<Rc<T>, String> {
    let found = (format.read)(text).map(Rc::new);
    found.map_err(|fault| placed(&fault))
}

fn placed(fault: &Unreadable) -> String {
    format!("{}:{}: {fault}", fault.line, fault.column)
}

fn release(name: &str) -> Result<ReleaseName, Failure> {
    ReleaseName::parse(name).ok_or_else(|| {
        Failure::new(format!("`{name}` is not the name of a release")).help(if name.contains('=') {
            format!("a day goes with the files of a release: `--at {name} PATH`")
        } else {
            "a release is named by numbers: 1.8 or v1.8.0".to_owned()
        })
    })
}

fn day(text: &str) -> Result<NaiveDate, Failure> {
    text.parse()
        .map_err(|_| Failure::new(format!("`{text}` is not a day")).help("write it as 2024-01-31"))
}

/// The last step of a path: where a repository lies is nobody's business.
fn base_name(path: &str) -> String {
    let whole = Path::new(path).canonicalize().unwrap_or_else(|_| path.into());
    whole
        .file_name()
        .map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_lies_below_whole_steps_of_a_path() {
        let of = |file, paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            below(file, &paths).to_owned()
        };
        assert_eq!(of("apis/x/types.go", &["api"]), "apis/x/types.go");
        assert_eq!(of("apis/x/types.go", &["api", "apis"]), "/x/types.go");
        assert_eq!(of("api/x/types.go", &["./api/"]), "/x/types.go");
        assert_eq!(of("api/vendor/x/types.go", &["api", "api/vendor"]), "/x/types.go");
        assert_eq!(of("api/x/types.go", &["."]), "api/x/types.go");
        assert_eq!(of("api/types.go", &["api/types.go"]), "");
    }
}
