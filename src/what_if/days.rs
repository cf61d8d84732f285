//! Releases on other days.

use crate::document::{Table, Value as FileValue};
use crate::grammar::below;
use crate::import::Value;
use crate::import::calendar::ReleaseDates;
use crate::import::update::entry::value;
use crate::release::{ReleaseName, Slip};

use super::{Changed, Changes, Unchangeable};

const SLIP: &str = "write the release, `=`, and days, weeks or months (+10d, +3w, -1m) or the new day: 1.38=+3w";

const LISTED: &str = "list one release and its date per line: 1.8,2017-09-28";

impl Changed<'_> {
    /// Replaces the calendar, then slips releases.
    pub(super) fn days(&mut self, changes: &Changes) -> Result<(), Unchangeable> {
        if changes.calendar.is_none() && changes.slips.is_empty() {
            return Ok(());
        }
        let before = &self.base.calendar;
        let mut calendar = before.clone();
        if let Some((name, text)) = &changes.calendar {
            let mut dates = ReleaseDates::default();
            dates
                .add(name, text)
                .map_err(|problem| of_file(name, &problem.to_string()))?;
            if let Some(notice) = dates.notices.first() {
                return Err(Unchangeable::new(notice.text.clone(), LISTED));
            }
            if dates.releases.is_empty() {
                return Err(of_file(name, "no release"));
            }
            let days: Vec<_> = dates.releases.into_iter().collect();
            calendar = calendar.replaced(&days).map_err(|problem| of_file(name, &problem))?;
        }
        for text in &changes.slips {
            let slip = Slip::parse(text).ok_or_else(|| Unchangeable::new(format!("`{text}` is no slip"), SLIP))?;
            let slipped = calendar.slipped(&slip, changes.only);
            calendar = slipped.map_err(|problem| Unchangeable::new(format!("{text}: {problem}"), SLIP))?;
        }
        let (was, is) = (before.days().unwrap_or_default(), calendar.days().unwrap_or_default());
        for (name, _) in was.iter().filter(|(name, _)| is.iter().all(|(other, _)| other != name)) {
            let path = self.release(name);
            self.rewrite.delete(path);
        }
        for (name, day) in is.iter().filter(|day| !was.contains(day)) {
            let mut path = self.release(name);
            let dated = below(&path, &["date"]);
            if value(self.documents, &dated).is_some() {
                path = dated;
            }
            let day = day.map_or_else(|| Value::Text("unscheduled".to_owned()), Value::Day);
            self.rewrite.set(path, day);
        }
        Ok(())
    }

    /// The keys that lead to a release, as the file writes it.
    fn release(&self, name: &str) -> Vec<String> {
        let releases = below(&[], &["calendar", "releases"]);
        let table = value(self.documents, &releases);
        let table = table.as_ref().and_then(FileValue::as_table);
        let number = ReleaseName::of_calendar(name);
        let mut keys = table.iter().flat_map(Table::entries).map(|(key, _)| key.name);
        let known = keys.find(|key| *key == name || (number.is_some() && ReleaseName::of_calendar(key) == number));
        below(&releases, &[known.unwrap_or(name)])
    }
}

fn of_file(name: &str, problem: &str) -> Unchangeable {
    Unchangeable::new(format!("{name}: {problem}"), LISTED)
}
