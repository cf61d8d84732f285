//! `lifecycle import calendar`: releases with their days.

use lifecycle::import::calendar::{Found, LARGEST};
use lifecycle::import::{Calendar, Draft};
use lifecycle::release::ReleaseName;

use crate::args::ImportCalendar;
use crate::io::disk;
use crate::terminal::Terminal;

use super::update::bring_up_to_date;
use super::{deliver, tell_skipped, told_of, unreadable};
use crate::failure::{Failure, Outcome};

pub(super) fn calendar(arguments: &ImportCalendar, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (mut calendar, whole) = read(&arguments.paths, terminal)?;
    if let Some(name) = &arguments.current {
        let current = ReleaseName::parse(name).filter(|release| calendar.releases.contains_key(release));
        let current = current.ok_or_else(|| {
            let message = format!("--current {name}: {} has no such release", arguments.paths.join(", "));
            Failure::new(message).help("name one of its releases")
        })?;
        calendar.current = Some(current);
    }
    let bounds = calendar
        .releases
        .keys()
        .next()
        .zip(calendar.releases.keys().next_back());
    let bounds = bounds.map(|(first, last)| (first.clone(), last.clone()));
    let mut draft = Draft {
        calendar,
        ..Draft::default()
    };
    if let (Some(model), Some((first, last))) = (&arguments.target.update, bounds) {
        let outcome = bring_up_to_date(model, (&first, &last), |_, _| draft, terminal)?;
        return Ok(told_of(outcome, whole));
    }
    draft.origin = vec![format!(
        "Imported by `lifecycle import calendar` from {}",
        arguments.paths.join(" ")
    )];
    let inputs: Vec<&str> = arguments.paths.iter().map(String::as_str).collect();
    deliver(&draft, &arguments.target, &inputs, terminal)?;
    terminal.note("this is a calendar alone: a model declares elements too");
    Ok(told_of(Outcome::Clean, whole))
}

/// Reads calendars as one, and whether all of them could be taken over.
pub(super) fn read(paths: &[String], terminal: &mut Terminal) -> Result<(Calendar, bool), Failure> {
    let mut found = Found::default();
    let mut whole = true;
    for path in paths {
        let text = disk::read_at_most(path, LARGEST)?;
        let skipped = found.add(&text.content).map_err(|fault| unreadable(path, &fault))?;
        whole &= skipped.is_empty();
        tell_skipped(path, &skipped, terminal);
    }
    if found.releases.is_empty() {
        let help = "name JSON as of endoflife.date, or CSV with a release and its day a line: 1.8,2017-09-28";
        return Err(Failure::new(format!("{}: no release", paths.join(", "))).help(help));
    }
    let (calendar, told) = found.calendar().map_err(|(undated, later)| {
        let message = format!(
            "{}: release {undated} has no day, but {later} after it has one",
            paths.join(", ")
        );
        Failure::new(message).help(format!("give {undated} its day"))
    })?;
    for told in told {
        terminal.warn(&format!("warning: {told}"));
    }
    Ok((calendar, whole))
}
