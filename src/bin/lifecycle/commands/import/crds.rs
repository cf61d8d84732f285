//! `lifecycle import crds`: what releases have, gathered from files, folders or tags.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::NaiveDate;
use lifecycle::import::crds::{Found, LARGEST, read};
use lifecycle::import::history::{History, Parts, Shipped, fold, in_order};
use lifecycle::import::{Draft, Snapshot};
use lifecycle::release::ReleaseName;

use crate::args::Crds;
use crate::files::{self, STANDARD_INPUT};
use crate::tags::Tags;
use crate::terminal::Terminal;

use super::super::{Failure, Outcome};
use super::deliver;
use super::update::bring_up_to_date;

/// The endings of files that are looked at in folders.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// How many of the things that a model cannot say are told; the others are counted.
const MOST_TOLD: usize = 20;

pub(super) fn crds(arguments: &Crds, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let mut gathered = Gathered::default();
    match &arguments.git {
        Some(repository) => gathered.tags(repository, arguments, terminal)?,
        None => gathered.paths(arguments, terminal)?,
    }
    gathered.refuse_faults(terminal)?;
    let releases = gathered.releases(Parts::from(arguments.fields), terminal)?;
    let inputs: Vec<&str> = gathered.inputs.iter().map(String::as_str).collect();
    let make = |known: Draft, terminal: &mut Terminal| {
        let History { draft, untold } = fold(known, &releases, arguments.fields.into());
        tell_untold(&untold, terminal);
        draft
    };
    if let (Some(model), Some(first), Some(last)) = (&arguments.target.update, releases.first(), releases.last()) {
        return bring_up_to_date(model, (&first.release, &last.release), make, terminal);
    }
    for shipped in releases.iter().filter(|shipped| shipped.date.is_none()) {
        let release = &shipped.release;
        terminal.tell(&format!(
            "release {release} has no day, and windows count months: write its day in the model, or import it with one"
        ));
    }
    let mut draft = make(Draft::default(), terminal);
    draft.origin = origin(&gathered.origin);
    deliver(&draft, &arguments.target, &inputs, terminal)
}

fn origin(sources: &[String]) -> Vec<String> {
    let head = "Imported from CustomResourceDefinitions by `lifecycle import crds`:".to_owned();
    std::iter::once(head).chain(sources.iter().cloned()).collect()
}

fn tell_untold(untold: &[String], terminal: &mut Terminal) {
    for told in untold.iter().take(MOST_TOLD) {
        terminal.tell(&format!("not in the model: {told}"));
    }
    if untold.len() > MOST_TOLD {
        terminal.tell(&format!(
            "not in the model: {} more changes of fields",
            untold.len() - MOST_TOLD
        ));
        for told in &untold[MOST_TOLD..] {
            terminal.detail(&format!("not in the model: {told}"));
        }
    }
}

/// What was read so far.
#[derive(Default)]
struct Gathered {
    snapshots: BTreeMap<ReleaseName, (Option<NaiveDate>, Snapshot)>,
    /// Where each came from, in words.
    origin: Vec<String>,
    inputs: Vec<String>,
    faults: Vec<String>,
}

impl Gathered {
    /// Reads the paths that were named for one release or several.
    fn paths(&mut self, arguments: &Crds, terminal: &mut Terminal) -> Result<(), Failure> {
        if let Some(name) = &arguments.release {
            let release = release(name)?;
            self.begin(&release, arguments.date)?;
            for path in &arguments.paths {
                self.path(&release, path, terminal)?;
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
            self.path(&release, path, terminal)?;
            self.origin.push(format!("release {release}: {path}"));
        }
        Ok(())
    }

    /// A release with its day, which must be the same wherever it is said.
    fn begin(&mut self, release: &ReleaseName, date: Option<NaiveDate>) -> Result<(), Failure> {
        let known = &mut self.snapshots.entry(release.clone()).or_default().0;
        match (*known, date) {
            (Some(known), Some(date)) if known != date => {
                let message = format!("release {release} has two days: {known} and {date}");
                Err(Failure::new(message).help("say its day once"))
            }
            (known_date, date) => {
                *known = known_date.or(date);
                Ok(())
            }
        }
    }

    /// Reads a file, or all files below a folder.
    fn path(&mut self, release: &ReleaseName, path: &str, terminal: &mut Terminal) -> Result<(), Failure> {
        let is_folder = path != STANDARD_INPUT && Path::new(path).is_dir();
        let names = if is_folder {
            files::below(path, &ENDINGS)?
        } else {
            vec![path.to_owned()]
        };
        let mut count = 0;
        for name in names {
            let text = files::read_at_most(&name, LARGEST)?;
            let before = self.faults.len();
            match read(&text.content) {
                Ok(found) => {
                    let empty = found.definitions.is_empty() && found.templates.is_empty();
                    if empty && !is_folder {
                        let help = "name a file that has some, or a folder";
                        return Err(Failure::new(format!("{name}: no CustomResourceDefinition")).help(help));
                    }
                    count += found.definitions.len();
                    self.add(release, &name, &found, terminal);
                }
                Err(fault) => self
                    .faults
                    .push(format!("{name}:{}:{}: {fault}", fault.line, fault.column)),
            }
            if before == self.faults.len() {
                self.inputs.push(name);
            }
        }
        if count == 0 && self.faults.is_empty() {
            terminal.complain(&format!(
                "warning: {}: no CustomResourceDefinition",
                lifecycle::render::visible(path)
            ));
        }
        Ok(())
    }

    /// Reads what the tags of a repository have.
    fn tags(&mut self, repository: &str, arguments: &Crds, terminal: &mut Terminal) -> Result<(), Failure> {
        let tags = Tags::of(repository, &arguments.tags)?;
        for note in tags.notes() {
            terminal.tell(note);
        }
        let mut known: BTreeMap<String, Result<Found, String>> = BTreeMap::new();
        for tag in tags.releases() {
            self.begin(&tag.release, Some(tag.date))?;
            for file in tags.files(tag, &arguments.paths, &ENDINGS)? {
                let label = format!("{}:{}", tag.name, file.path);
                if !known.contains_key(&file.id) {
                    let text = tags.text(&file, &label, LARGEST)?;
                    let found = text.map_or_else(
                        || Ok(Found::default()),
                        |text| read(&text).map_err(|fault| format!("{label}:{}:{}: {fault}", fault.line, fault.column)),
                    );
                    known.insert(file.id.clone(), found);
                }
                match known.get(&file.id) {
                    Some(Ok(found)) => self.add(&tag.release, &label, found, terminal),
                    Some(Err(fault)) => self.faults.push(fault.clone()),
                    None => {}
                }
            }
        }
        let names: Vec<&str> = tags.releases().iter().map(|tag| tag.name.as_str()).collect();
        self.origin
            .push(format!("tags of {}: {}", base_name(repository), names.join(" ")));
        if !arguments.paths.is_empty() {
            self.origin.push(format!("below {}", arguments.paths.join(" ")));
        }
        Ok(())
    }

    fn add(&mut self, release: &ReleaseName, name: &str, found: &Found, terminal: &mut Terminal) {
        for line in &found.templates {
            terminal.tell(&format!(
                "skipped {name}:{line}: a template of Helm; render it first (`helm template`)"
            ));
        }
        let snapshot = &mut self.snapshots.entry(release.clone()).or_default().1;
        for definition in &found.definitions {
            let added = snapshot.add(&definition.group, &definition.kind, definition.resource.clone());
            if added.is_err() {
                let (group, kind) = (&definition.group, &definition.kind);
                terminal.tell(&format!(
                    "skipped {name}: {group} {kind} is defined otherwise in another file of {release}; name the folder that counts"
                ));
            }
        }
    }

    fn refuse_faults(&self, terminal: &mut Terminal) -> Result<(), Failure> {
        let Some((last, others)) = self.faults.split_last() else {
            return Ok(());
        };
        for fault in others.iter().take(MOST_TOLD) {
            terminal.complain(&format!("error: {}", lifecycle::render::visible(fault)));
        }
        Err(Failure::new(last.as_str()).help("mend the file, or name the files and folders that count without it"))
    }

    /// The releases in order, with days that follow it.
    fn releases(&mut self, parts: Parts, terminal: &mut Terminal) -> Result<Vec<Shipped>, Failure> {
        if self.snapshots.values().all(|(_, snapshot)| snapshot.groups.is_empty()) {
            let help = "name files or folders that have some";
            return Err(Failure::new("no CustomResourceDefinition was found").help(help));
        }
        let dated = self
            .snapshots
            .iter()
            .filter_map(|(release, (date, _))| Some((release.clone(), (*date)?)));
        let mut days: Vec<(ReleaseName, NaiveDate)> = dated.collect();
        for told in in_order(&mut days) {
            terminal.tell(&format!("warning: {told}"));
        }
        let days: BTreeMap<ReleaseName, NaiveDate> = days.into_iter().collect();
        let undated = self.snapshots.keys().find(|release| !days.contains_key(*release));
        if let Some((undated, later)) =
            undated.and_then(|undated| Some((undated, days.keys().find(|day| *day > undated)?)))
        {
            let message = format!("release {undated} has no day, but {later} after it has one");
            return Err(Failure::new(message).help(format!("write `{undated}=2024-01-31` with its day")));
        }
        let snapshots = std::mem::take(&mut self.snapshots);
        let shipped = snapshots.into_iter().map(|(release, (_, mut snapshot))| {
            if parts == Parts::None {
                let kinds = snapshot.groups.values_mut().flat_map(BTreeMap::values_mut);
                kinds
                    .flat_map(|kind| kind.versions.values_mut())
                    .for_each(|version| version.fields.clear());
            }
            Shipped {
                date: days.get(&release).copied(),
                release,
                snapshot,
            }
        });
        Ok(shipped.collect())
    }
}

fn release(name: &str) -> Result<ReleaseName, Failure> {
    ReleaseName::parse(name).ok_or_else(|| {
        Failure::new(format!("`{name}` is not the name of a release"))
            .help("a release is named by numbers: 1.8 or v1.8.0")
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
