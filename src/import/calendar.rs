//! Releases with their days: JSON as of endoflife.date, or CSV with two columns.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::Value;

use crate::release::ReleaseName;

use super::draft;
use super::history::{cadence, in_order};
use crate::text::{MOST_UNREADABLE, Unreadable, at};

/// Bytes of one text.
pub const LARGEST: usize = 4 << 20;

/// What was found in texts.
#[derive(Debug, Default)]
pub struct Found {
    /// Each release with its day, if it has one.
    pub releases: BTreeMap<ReleaseName, Option<NaiveDate>>,
}

impl Found {
    /// Adds the releases of a text, and gives the entries that were skipped, each with its place and the reason.
    ///
    /// # Errors
    ///
    /// If the text is neither such JSON nor such CSV.
    pub fn add(&mut self, text: &str) -> Result<Vec<Unreadable>, Unreadable> {
        if text.len() > LARGEST {
            return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
        }
        let rows = if text.trim_start().starts_with(['[', '{']) {
            of_json(text)?
        } else {
            of_csv(text)?
        };
        let mut skipped = Vec::new();
        for (line, row) in rows {
            if let Err(reason) = row.and_then(|(name, day)| self.release(&name, &day)) {
                skipped.push(at(line, 1, reason));
            }
            if skipped.len() > MOST_UNREADABLE {
                return Err(at(1, 1, format!("more than {MOST_UNREADABLE} entries cannot be used")));
            }
        }
        Ok(skipped)
    }

    fn release(&mut self, name: &str, day: &str) -> Result<(), String> {
        let release = ReleaseName::parse(name.trim())
            .ok_or_else(|| format!("`{name}` is not the name of a release, as 1.8 is"))?;
        let day = match day.trim() {
            "" | "unscheduled" => None,
            text => {
                let day = text.parse().ok().filter(draft::can_be_written);
                Some(day.ok_or_else(|| format!("`{text}`, the day of {release}, is not a day, as 2024-01-31 is"))?)
            }
        };
        match self.releases.get(&release) {
            Some(known) if *known != day => Err(format!("{release} is listed before with another day")),
            _ => {
                self.releases.insert(release, day);
                Ok(())
            }
        }
    }

    /// The calendar, in which days follow the order of the releases, and sentences about what was changed for that.
    ///
    /// # Errors
    ///
    /// If a release without a day comes before one with a day: the two of them.
    pub fn calendar(&self) -> Result<(draft::Calendar, Vec<String>), (ReleaseName, ReleaseName)> {
        let mut days: Vec<(ReleaseName, NaiveDate)> = self
            .releases
            .iter()
            .filter_map(|(release, day)| Some((release.clone(), (*day)?)))
            .collect();
        let told = in_order(&mut days);
        let undated = self.releases.iter().find(|(_, day)| day.is_none());
        if let (Some((undated, _)), Some((last, _))) = (undated, days.last())
            && undated < last
        {
            return Err((undated.clone(), last.clone()));
        }
        let mut releases = self.releases.clone();
        releases.extend(days.into_iter().map(|(release, day)| (release, Some(day))));
        let calendar = draft::Calendar {
            cadence: cadence(releases.values()),
            current: None,
            releases,
        };
        Ok((calendar, told))
    }
}

/// A line, and the release and day it states, or why it states none.
type Row = (u32, Result<(String, String), String>);

/// Tells the line of an offset, from 1. Each offset is at or after the one before.
fn lines(text: &str) -> impl FnMut(usize) -> u32 {
    let (mut line, mut counted) = (1_u32, 0_usize);
    move |to| {
        let breaks = text.get(counted..to).unwrap_or_default().matches('\n').count();
        counted = to;
        line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        line
    }
}

/// The objects of an array, one by one.
fn of_json(text: &str) -> Result<Vec<Row>, Unreadable> {
    let mut rows = Vec::new();
    let mut line_at = lines(text);
    let next = |from: usize| from + text[from..].len() - text[from..].trim_start().len();
    let mut here = next(0);
    if !text[here..].starts_with('[') {
        return Err(at(
            line_at(here),
            1,
            "not an array of releases, as endoflife.date has them: [{ \"cycle\": … }]",
        ));
    }
    here = next(here + 1);
    while !text[here..].starts_with(']') {
        let begins = line_at(here);
        let mut values = serde_json::Deserializer::from_str(&text[here..]).into_iter::<Value>();
        let value = match values.next() {
            Some(Ok(value)) => value,
            Some(Err(problem)) => {
                let below = u32::try_from(problem.line()).unwrap_or(u32::MAX).saturating_sub(1);
                let reason = problem.to_string();
                let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
                return Err(at(begins.saturating_add(below), 1, reason));
            }
            None => return Err(at(begins, 1, "the array does not end")),
        };
        rows.push((begins, of_object(&value)));
        here = next(here + values.byte_offset());
        match text[here..].chars().next() {
            Some(',') => here = next(here + 1),
            Some(']') => {}
            _ => return Err(at(line_at(here), 1, "expected `,` or `]`")),
        }
    }
    if text[here + 1..].trim().is_empty() {
        Ok(rows)
    } else {
        Err(at(line_at(here), 1, "there is something after the array"))
    }
}

fn of_object(value: &Value) -> Result<(String, String), String> {
    let text = |key: &str| match value.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` is not a string")),
        None => Err(format!("an entry without `{key}`")),
    };
    Ok((text("cycle")?, text("releaseDate")?))
}

/// The records of a table; a first one in which nothing can be read is the header.
fn of_csv(text: &str) -> Result<Vec<Row>, Unreadable> {
    let mut rows = Vec::new();
    let mut line_at = lines(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|problem| at(1, 1, problem.to_string()))?;
        let start = record.position().map_or(0, csv::Position::byte);
        let start = usize::try_from(start).unwrap_or(text.len());
        // Of the line before, the reader leaves the second of two characters that end it.
        let ends = text.get(start..).unwrap_or_default();
        let line = line_at(text.len() - ends.trim_start_matches(['\r', '\n']).len());
        let row: Vec<&str> = record.iter().collect();
        let row = match row.as_slice() {
            [name, day] => {
                let is_header = number == 0
                    && ReleaseName::parse(name.trim()).is_none()
                    && !day.trim().is_empty()
                    && day.trim().parse::<NaiveDate>().is_err();
                if is_header {
                    continue;
                }
                Ok(((*name).to_owned(), (*day).to_owned()))
            }
            other => Err(format!("{} columns, not two: release and day", other.len())),
        };
        rows.push((line, row));
    }
    Ok(rows)
}
