//! `lifecycle import kubernetes-api`: kinds and their lives from the Go packages of an API.

use lifecycle::import::kubernetes_api::{Found, Kinds, LARGEST, Release, Source, Told, fold, is_wanted, read};
use lifecycle::import::{Calendar, Draft};

use crate::args::KubernetesApi;
use crate::terminal::Terminal;

use super::gather::{Format, Gathered, gather};
use super::told_of;
use crate::failure::{Failure, Outcome};

const FORMAT: Format<Found> = Format {
    name: "package of an API",
    endings: &["go"],
    wanted: is_wanted,
    largest: LARGEST,
    read,
    counts: Found::says_something,
};

pub(super) fn kubernetes_api(arguments: &KubernetesApi, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let mut gathered = gather(&arguments.releases, &FORMAT, terminal)?;
    let mut whole = true;
    let mut listed = Calendar::default();
    if !arguments.calendar.is_empty() {
        (listed, whole) = super::calendar::read(&arguments.calendar, terminal)?;
        date(&mut gathered, &listed)?;
    }
    let releases = releases(&gathered);
    if releases.iter().all(|release| release.kinds.is_empty()) {
        let help = "name folders with packages: they have a `register.go` that calls `AddKnownTypes`";
        return Err(Failure::new("no kind is registered in what was read").help(help));
    }
    let has_calendar = !arguments.calendar.is_empty();
    let mut all_read = true;
    let make = |known: Draft, terminal: &mut Terminal| {
        let (draft, told) = fold(known, &releases, &listed);
        all_read = told.skipped.is_empty();
        tell(&told, has_calendar, terminal);
        draft
    };
    let origin = "Imported from Go packages of an API by `lifecycle import kubernetes-api`:";
    let outcome = gathered.deliver(make, origin, &arguments.target, terminal)?;
    Ok(told_of(outcome, whole && all_read))
}

fn releases(gathered: &Gathered<Found>) -> Vec<Release> {
    let releases = gathered.releases.iter().map(|(name, found)| {
        let files = found.files.iter().map(|file| Source {
            label: &file.label,
            found: &file.found,
        });
        Release {
            name: name.clone(),
            date: found.date,
            kinds: Kinds::of(files),
        }
    });
    releases.collect()
}

/// Gives releases the days that a calendar has for them.
fn date(gathered: &mut Gathered<Found>, listed: &Calendar) -> Result<(), Failure> {
    for (release, found) in &mut gathered.releases {
        let day = listed.releases.get(release).copied().flatten();
        found.date = day.or(found.date);
    }
    let undated = gathered.releases.iter().find(|(_, found)| found.date.is_none());
    let later = undated.and_then(|(undated, _)| {
        let mut later = listed.releases.range(undated..).filter(|(_, day)| day.is_some());
        Some((undated, later.next()?.0))
    });
    match later {
        None => Ok(()),
        Some((undated, later)) => {
            let message = format!("--calendar: no day of {undated}, but {later} after it has one");
            Err(Failure::new(message)
                .help("add it: --calendar may be given again, and takes lines such as 1.8,2017-09-28"))
        }
    }
}

fn tell(told: &Told, has_calendar: bool, terminal: &mut Terminal) {
    terminal.warn_some("warning: skipped ", &told.skipped);
    terminal.warn_some("warning: ", &told.contradictions);
    terminal.note_some("warning: ", &told.calendar);
    if !told.calendar.is_empty() && !has_calendar {
        terminal.note(
            "give --calendar with the days of all releases: `lifecycle import calendar --help` says in which form",
        );
    }
    terminal.note_some("changed: ", &told.changes);
    if !told.parts.is_empty() {
        terminal.note(&format!(
            "left out, because in no release they have a client, a list or a marker: {}",
            told.parts.join(", ")
        ));
    }
}
