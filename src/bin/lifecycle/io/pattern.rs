//! The files that a pattern finds on the disk.
//!
//! A pattern is written by others. No folder outside of the bounds is listed for it, and no answer depends on what is
//! there.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Component, Path, PathBuf};

use glob::Pattern;

use crate::failure::{Failure, Result};

use super::bounds::{Bounds, Refusal, is_git_folder, real_path};
use super::listing::{BROKEN_LINK, NOT_UTF8, is_shown};

#[derive(Debug, Default)]
pub struct Matches {
    pub files: Vec<PathBuf>,
    /// What was skipped, and why.
    pub skipped: Vec<String>,
    pub refusal: Option<Refusal>,
}

/// One step of a pattern.
enum Step {
    Named(PathBuf),
    Matching(Pattern),
    /// `**`: any number of folders.
    Below,
}

/// The files that a pattern below a folder matches. Of several paths to a folder that `**` finds, one is followed,
/// which has no link if there is such a path.
pub fn matching(pattern: &Pattern, folder: &Path, bounds: &Bounds) -> Result<Matches> {
    let steps: Vec<Step> = Path::new(pattern.as_str()).components().map(step).collect();
    let mut walk = Walk {
        bounds,
        found: Matches::default(),
        seen: BTreeSet::new(),
        open: VecDeque::from([(FoundPath::at(folder.to_path_buf()), steps.as_slice())]),
    };
    while let Some((place, steps)) = walk.open.pop_front() {
        match steps.split_first() {
            None => walk.add(place),
            Some((Step::Named(name), rest)) => walk.open.push_front((FoundPath::at(place.path.join(name)), rest)),
            Some((Step::Matching(wanted), rest)) => walk.descend(&place, wanted, rest)?,
            Some((Step::Below, rest)) => walk.descend_any(place, rest, steps)?,
        }
        if walk.found.refusal.is_some() {
            break;
        }
    }
    Ok(walk.found)
}

fn step(component: Component<'_>) -> Step {
    let text = component.as_os_str().to_string_lossy();
    match (component, Pattern::new(&text)) {
        (Component::Normal(_), Ok(_)) if text == "**" => Step::Below,
        (Component::Normal(_), Ok(pattern)) if text.contains(['*', '?', '[']) => Step::Matching(pattern),
        _ => Step::Named(PathBuf::from(component.as_os_str())),
    }
}

/// A path as it is found, and the one without links; `None` where those have no end.
struct FoundPath {
    path: PathBuf,
    real: Option<PathBuf>,
    is_link: bool,
}

impl FoundPath {
    fn at(path: PathBuf) -> Self {
        let real = real_path(&path);
        Self {
            path,
            real,
            is_link: false,
        }
    }

    /// Whether this is a link to nothing, but none of an editor's own.
    fn is_broken(&self) -> bool {
        let is_shown = self.path.file_name().is_some_and(|name| is_shown(Path::new(name)));
        is_shown && self.path.is_symlink() && !self.path.exists()
    }

    fn skipped(&self, reason: &str) -> String {
        format!("{}: {reason}", self.path.display())
    }
}

struct Walk<'w> {
    bounds: &'w Bounds,
    found: Matches,
    /// The real paths of the folders that `**` has found, each with the number of steps that are left.
    seen: BTreeSet<(PathBuf, usize)>,
    open: VecDeque<(FoundPath, &'w [Step])>,
}

impl<'w> Walk<'w> {
    fn holds(&self, place: &FoundPath) -> bool {
        place.real.as_ref().is_some_and(|real| self.bounds.hold(real))
    }

    fn add(&mut self, place: FoundPath) {
        let path = place.path.to_string_lossy();
        match &place.real {
            Some(real) if !self.bounds.hold(real) => self.found.refusal = Some(self.bounds.refuse(&path)),
            _ if place.is_broken() => self.found.skipped.push(place.skipped(BROKEN_LINK)),
            Some(real) if real.is_file() => self.found.files.push(place.path),
            Some(real) if real.exists() && !real.is_dir() => self.found.refusal = Some(Refusal::no_file(&path)),
            _ => {}
        }
    }

    fn descend(&mut self, folder: &FoundPath, wanted: &Pattern, rest: &'w [Step]) -> Result<()> {
        for entry in self.entries(folder)? {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy();
            match entry.path.to_str() {
                _ if !wanted.matches(&name) => {}
                None => self.found.skipped.push(entry.skipped(NOT_UTF8)),
                Some(_) if rest.is_empty() => self.open.push_front((entry, rest)),
                Some(_) => self.enter(entry, rest),
            }
        }
        Ok(())
    }

    fn descend_any(&mut self, folder: FoundPath, rest: &'w [Step], all: &'w [Step]) -> Result<()> {
        if !self.seen.insert((folder.real.clone().unwrap_or_default(), all.len())) {
            return Ok(());
        }
        for entry in self.entries(&folder)? {
            match entry.path.to_str() {
                // A file is no folder, and what a link out of the bounds leads to is not looked at.
                Some(_) if entry.is_link && !self.holds(&entry) && entry.path.extension().is_some() => {}
                Some(_) => self.enter(entry, all),
                None if entry.path.is_dir() => self.found.skipped.push(entry.skipped(NOT_UTF8)),
                None => {}
            }
        }
        self.open.push_front((folder, rest));
        Ok(())
    }

    /// Goes on in a folder that the pattern has found. One outside of the bounds is skipped: nobody named it.
    fn enter(&mut self, entry: FoundPath, rest: &'w [Step]) {
        if !self.holds(&entry) {
            self.found.skipped.push(entry.skipped(&self.bounds.link_out()));
        } else if entry.path.is_dir() && entry.is_link {
            self.open.push_back((entry, rest));
        } else if entry.path.is_dir() {
            self.open.push_front((entry, rest));
        }
    }

    /// What a folder has; nothing where there is no such folder.
    fn entries(&mut self, folder: &FoundPath) -> Result<Vec<FoundPath>> {
        let Some(real) = folder.real.as_ref().filter(|real| self.bounds.hold(real)) else {
            self.found.refusal = Some(self.bounds.refuse(&folder.path.to_string_lossy()));
            return Ok(Vec::new());
        };
        if !real.is_dir() {
            return Ok(Vec::new());
        }
        let entries = real.read_dir().map_err(|problem| cannot_read(&folder.path, &problem))?;
        let mut places = Vec::new();
        for entry in entries {
            let name = entry
                .map_err(|problem| cannot_read(&folder.path, &problem))?
                .file_name();
            if is_git_folder(&name) {
                continue;
            }
            let (path, real) = (folder.path.join(&name), real.join(&name));
            let is_link = real.is_symlink();
            let real = if is_link { real_path(&real) } else { Some(real) };
            places.push(FoundPath { path, real, is_link });
        }
        Ok(places)
    }
}

fn cannot_read(folder: &Path, problem: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {problem}", folder.display())).help("check its permissions")
}
