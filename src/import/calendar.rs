//! Releases with their dates: JSON as of endoflife.date, or CSV with two columns.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::Value;

use crate::release::ReleaseName;
use crate::text::{MOST_UNREADABLE, Unreadable, at, check_size, json_array};

use super::draft::{Draft, DraftCalendar, can_be_written};
use super::notice::{ImportError, Imported, Notice, Topic, read_each};

/// Bytes of one text.
pub const LARGEST: usize = 4 << 20;

/// The releases of one or more texts.
#[derive(Debug, Default)]
pub struct ReleaseDates {
    /// Each release with its date, if it has one.
    pub releases: BTreeMap<ReleaseName, Option<NaiveDate>>,
    /// Entries that were skipped.
    pub notices: Vec<Notice>,
}

/// Reads texts, each with its name, as one calendar, in which days follow the order of the releases. `current` is the
/// newest release that has shipped.
///
/// # Errors
///
/// If a text cannot be read, there is no release, `current` is none of them, or a day is missing.
pub fn import<'t>(
    texts: impl IntoIterator<Item = (&'t str, &'t str)>,
    current: Option<&str>,
) -> Result<Imported, ImportError> {
    let mut dates = ReleaseDates::default();
    let names = read_each(texts, |name, text| dates.add(name, text))?;
    if dates.releases.is_empty() {
        let help = "name JSON as of endoflife.date, or CSV with one release and its date per line: 1.8,2017-09-28";
        return Err(ImportError::new(format!("{names}: no release"), help));
    }
    let mut calendar = DraftCalendar::of(dates.releases);
    calendar.order_days(Topic::Contradiction, &mut dates.notices);
    if let Some([undated, later]) = calendar.undated() {
        let message = format!("{names}: release {undated} has no date, but {later} after it has one");
        return Err(ImportError::new(message, format!("add the date of {undated}")));
    }
    calendar.estimate_cadence();
    if let Some(name) = current {
        let known = ReleaseName::parse(name).filter(|release| calendar.releases.contains_key(release));
        let message = format!("--current {name}: {names} has no such release");
        calendar.current = Some(known.ok_or_else(|| ImportError::new(message, "name one of its releases"))?);
    }
    let draft = Draft {
        calendar,
        ..Draft::default()
    };
    Ok(Imported::new(draft, dates.notices))
}

impl ReleaseDates {
    /// Adds the releases of a text. An entry that cannot be read is reported.
    ///
    /// # Errors
    ///
    /// If the text is neither such JSON nor such CSV.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), Unreadable> {
        check_size(text, LARGEST)?;
        let rows = if text.trim_start().starts_with(['[', '{']) {
            of_json(text)?
        } else {
            of_csv(text)?
        };
        let mut skipped = 0;
        for (line, row) in rows {
            if let Err(reason) = row.and_then(|(release, day)| self.add_release(&release, &day)) {
                self.notices.push(Notice::skipped(name, &at(line, 1, reason)));
                skipped += 1;
            }
            if skipped > MOST_UNREADABLE {
                return Err(at(1, 1, format!("more than {MOST_UNREADABLE} entries cannot be read")));
            }
        }
        Ok(())
    }

    fn add_release(&mut self, name: &str, day: &str) -> Result<(), String> {
        let release = ReleaseName::parse(name.trim())
            .ok_or_else(|| format!("`{name}` is not the name of a release, such as 1.8"))?;
        let day = match day.trim() {
            "" | "unscheduled" => None,
            text => {
                let day = text.parse().ok().filter(can_be_written);
                Some(day.ok_or_else(|| format!("`{text}`, the date of {release}, is not a date, such as 2024-01-31"))?)
            }
        };
        if self.releases.get(&release).is_some_and(|known| *known != day) {
            return Err(format!("{release} is listed before with another date"));
        }
        self.releases.insert(release, day);
        Ok(())
    }
}

/// A line, and the release and date it states, or why it states none.
type Row = (u32, Result<(String, String), String>);

fn of_json(text: &str) -> Result<Vec<Row>, Unreadable> {
    let expected = "endoflife.date has [{ \"cycle\": …, \"releaseDate\": … }]";
    let values: Vec<(u32, Value)> = json_array(text, expected)?;
    let rows = values.iter().map(|(line, value)| {
        let row = of_key(value, "cycle").and_then(|release| Ok((release, of_key(value, "releaseDate")?)));
        (*line, row)
    });
    Ok(rows.collect())
}

fn of_key(value: &Value, key: &str) -> Result<String, String> {
    match value.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` is not a string")),
        None => Err(format!("an entry without `{key}`")),
    }
}

/// The records of a table. A first one that states neither a release nor a day is the header.
fn of_csv(text: &str) -> Result<Vec<Row>, Unreadable> {
    let mut rows = Vec::new();
    let (mut line, mut counted) = (1_u32, 0_usize);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|problem| at(1, 1, problem.to_string()))?;
        let start = record.position().map_or(0, csv::Position::byte);
        let start = usize::try_from(start).unwrap_or(text.len());
        // The reader leaves the second of two characters that end the line before.
        let rest = text.get(start..).unwrap_or_default();
        let begins = text.len() - rest.trim_start_matches(['\r', '\n']).len();
        let breaks = text.get(counted..begins).unwrap_or_default().matches('\n').count();
        line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        counted = begins;
        match record.iter().collect::<Vec<_>>().as_slice() {
            [release, day] if number == 0 && is_header(release.trim(), day.trim()) => {}
            [release, day] => rows.push((line, Ok(((*release).to_owned(), (*day).to_owned())))),
            other => {
                let reason = format!("expected 2 columns, release and date, found {}", other.len());
                rows.push((line, Err(reason)));
            }
        }
    }
    Ok(rows)
}

fn is_header(release: &str, day: &str) -> bool {
    ReleaseName::parse(release).is_none() && !day.is_empty() && day.parse::<NaiveDate>().is_err()
}
