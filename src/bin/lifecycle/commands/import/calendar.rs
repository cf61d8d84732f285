//! `lifecycle import calendar`: releases with their days.

use lifecycle::import::Imported;
use lifecycle::import::calendar::{LARGEST, import};

use crate::args::ImportCalendar;
use crate::terminal::Terminal;

use super::deliver::Job;
use super::{failure, named, read_all};
use crate::failure::{Outcome, Result};

pub(super) fn calendar(arguments: &ImportCalendar, terminal: &mut Terminal) -> Result<Outcome> {
    let texts = read_all(&arguments.paths, LARGEST)?;
    let imported = import(named(&texts), arguments.current.as_deref()).map_err(|error| failure(error, terminal))?;
    let mut releases = imported.draft.calendar.releases.keys();
    let first = releases.next().cloned();
    let last = releases.next_back().cloned().or_else(|| first.clone());
    let job = Job {
        target: &arguments.target,
        origin: vec![format!(
            "Imported by `lifecycle import calendar` from {}",
            arguments.paths.join(" ")
        )],
        inputs: arguments.paths.iter().map(String::as_str).collect(),
        bounds: first.zip(last),
    };
    let outcome = job.deliver(|_, _| Ok(imported), terminal)?;
    if arguments.target.update.is_none() {
        terminal.note("this file has a calendar only: a model also declares elements");
    }
    Ok(outcome)
}

pub(super) fn given(paths: &[String], terminal: &mut Terminal) -> Result<Option<Imported>> {
    if paths.is_empty() {
        return Ok(None);
    }
    let texts = read_all(paths, LARGEST)?;
    let imported = import(named(&texts), None).map_err(|error| failure(error, terminal))?;
    Ok(Some(imported))
}
