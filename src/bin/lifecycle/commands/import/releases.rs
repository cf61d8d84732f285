//! The files of releases: named files and folders, or those of the tags of a repository.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::NaiveDate;
use lifecycle::import::{Added, Draft, Format, ImportError, Imported, Releases, TagFile};
use lifecycle::release::ReleaseName;

use crate::args::{self, Target};
use crate::io::disk::{self, Disk};
use crate::io::tags::Tags;
use crate::terminal::Terminal;

use super::deliver::Job;
use super::notices::{outcome, show};
use crate::failure::{Failure, Outcome, Result};

pub(super) struct Source<'f, T> {
    releases: Releases<'f, T>,
    /// Where it came from, in words.
    origin: Vec<String>,
    inputs: Vec<String>,
}

impl<'f, T> Source<'f, T> {
    pub(super) fn read(
        arguments: &args::Releases,
        format: &'f Format<T>,
        disk: &Disk,
        terminal: &mut Terminal,
    ) -> Result<Self> {
        let mut source = Self {
            releases: Releases::new(format),
            origin: Vec::new(),
            inputs: Vec::new(),
        };
        match &arguments.git {
            Some(repository) => source.read_tags(repository, arguments, terminal)?,
            None => source.read_paths(arguments, disk, terminal)?,
        }
        let checked = source.releases.check();
        show(&source.releases.notices, terminal);
        checked?;
        Ok(source)
    }

    /// Prints, writes or updates a model. `make` makes it from what is declared before the first release; `origin` says
    /// what it is made from.
    pub(super) fn deliver(
        mut self,
        origin: &str,
        target: &Target,
        disk: &Disk,
        terminal: &mut Terminal,
        make: impl FnOnce(Draft, &mut Releases<'f, T>) -> Result<Imported, ImportError>,
    ) -> Result<Outcome> {
        let calendar = self.releases.calendar();
        let undated = calendar.releases.iter().filter(|(_, day)| day.is_none());
        for (release, _) in undated.filter(|_| target.update.is_none()) {
            terminal.note(&format!(
                "release {release} has no date, and policy windows count months: add its date to the model, or import it with one"
            ));
        }
        let names = calendar.releases.keys();
        let job = Job {
            target,
            origin: std::iter::once(origin.to_owned()).chain(self.origin).collect(),
            inputs: self.inputs.iter().map(String::as_str).collect(),
            bounds: names.clone().next().cloned().zip(names.last().cloned()),
        };
        let delivered = job.deliver(disk, terminal, |_, known| make(known, &mut self.releases))?;
        Ok(match delivered {
            Outcome::Clean => outcome(&self.releases.notices),
            other => other,
        })
    }

    fn read_paths(&mut self, arguments: &args::Releases, disk: &Disk, terminal: &mut Terminal) -> Result<()> {
        if let Some(name) = &arguments.release {
            let release = release(name)?;
            self.releases.begin(&release, arguments.date)?;
            for path in &arguments.paths {
                self.read_path(&release, path, disk, terminal)?;
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
            self.releases.begin(&release, date)?;
            self.read_path(&release, path, disk, terminal)?;
            self.origin.push(format!("release {release}: {path}"));
        }
        Ok(())
    }

    fn read_path(&mut self, release: &ReleaseName, path: &str, disk: &Disk, terminal: &mut Terminal) -> Result<()> {
        let format = self.releases.format;
        let is_folder = disk::is_folder(path);
        let mut found = disk.list(path, format.endings)?;
        terminal.warn_some("warning: skipped ", &found.skipped);
        if is_folder {
            found
                .files
                .retain(|name| (format.is_wanted)(name.strip_prefix(path).unwrap_or(name)));
        }
        let mut any = false;
        for name in found.files {
            let text = match disk.read_at_most(&name, format.largest) {
                Err(failure) if is_folder && format.leaves_out => {
                    self.releases.skip(&failure.message);
                    continue;
                }
                read => read?,
            };
            let below = name.strip_prefix(path).filter(|_| is_folder).unwrap_or(&name);
            match self.releases.add(release, &name, below, &text.content) {
                Added::Empty if !is_folder => {
                    let error = Failure::new(format!("{name}: no {}", format.name));
                    return Err(error.help("name a file that has some, or a folder"));
                }
                Added::Empty => {}
                Added::Found | Added::Unreadable => any = true,
            }
            self.inputs.push(name);
        }
        if !any {
            terminal.warn(&format!("warning: {path}: no {}", format.name));
        }
        Ok(())
    }

    fn read_tags(&mut self, repository: &str, arguments: &args::Releases, terminal: &mut Terminal) -> Result<()> {
        let format = self.releases.format;
        let mut tags = Tags::of(repository, &arguments.tags)?;
        if let Some(since) = &arguments.since {
            tags.begin_with(&release(since)?)?;
        }
        if tags.are_pre_releases {
            terminal.note("all tags are pre-releases: they are imported as releases");
        }
        if let Some(ignored) = tags.ignored() {
            terminal.note(&ignored);
        }
        for reason in &tags.skipped {
            self.releases.skip(reason);
        }
        let mut any = false;
        // The named paths with files in a release before.
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for tag in &tags.releases {
            self.releases.begin(&tag.release, Some(tag.date))?;
            let mut files = tags.files(tag, &arguments.paths, format.endings)?;
            files.retain(|file| (format.is_wanted)(below(&file.path, &arguments.paths)));
            let named = arguments.paths.iter().map(String::as_str);
            let (here, gone): (BTreeSet<&str>, BTreeSet<&str>) =
                named.partition(|path| files.iter().any(|file| is_below(&file.path, path)));
            for path in gone.intersection(&known).filter(|_| !here.is_empty()) {
                terminal.warn(&format!(
                    "warning: {}: {path} has no {} now: what it had is imported as removed; if it was moved, name that path too",
                    tag.name, format.name
                ));
            }
            known = here;
            let read = files.iter().map(|file| {
                let tag_file = TagFile {
                    tag: &tag.name,
                    path: &file.path,
                    content_id: &file.id,
                };
                (tag_file, file)
            });
            let has = self
                .releases
                .add_tag(&tag.release, read, |file, label| tags.text(file, label, format.largest))?;
            if any && !has {
                terminal.warn(&format!(
                    "warning: {}: no {}: all are imported as removed; if they were moved, name that path too",
                    tag.name, format.name
                ));
            }
            any |= has;
        }
        let names: Vec<&str> = tags.releases.iter().map(|tag| tag.name.as_str()).collect();
        self.origin
            .push(format!("tags of {}: {}", base_name(repository), names.join(" ")));
        if !arguments.paths.is_empty() {
            self.origin.push(format!("below {}", arguments.paths.join(" ")));
        }
        Ok(())
    }
}

/// Whether a file is at or below a path.
fn is_below(file: &str, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let rest = file.strip_prefix(path).filter(|_| path != ".");
    path.is_empty() || path == "." || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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

fn release(name: &str) -> Result<ReleaseName> {
    ReleaseName::parse(name).ok_or_else(|| {
        Failure::new(format!("`{name}` is not the name of a release")).help(if name.contains('=') {
            format!("state the date together with the files: `--at {name} PATH`")
        } else {
            "write it as 1.8 or v1.8.0".to_owned()
        })
    })
}

fn day(text: &str) -> Result<NaiveDate> {
    text.parse()
        .map_err(|_| Failure::new(format!("`{text}` is not a date")).help("write it as 2024-01-31"))
}

/// The last step of a path: a model does not show where a repository is.
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
        for (file, paths, expected) in [
            ("apis/x/types.go", "api", "apis/x/types.go"),
            ("apis/x/types.go", "api apis", "/x/types.go"),
            ("api/x/types.go", "./api/", "/x/types.go"),
            ("api/vendor/x/types.go", "api api/vendor", "/x/types.go"),
            ("api/x/types.go", ".", "api/x/types.go"),
            ("api/types.go", "api/types.go", ""),
        ] {
            let paths: Vec<String> = paths.split(' ').map(str::to_owned).collect();
            assert_eq!(below(file, &paths), expected, "{file} {paths:?}");
        }
    }
}
