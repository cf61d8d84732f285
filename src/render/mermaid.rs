//! Mermaid: a Gantt chart if every release has a date, else a timeline.
//!
//! Elements with the lifecycle of their parent are left out; a comment counts them. Mermaid's grammars have no quotes,
//! so that all but letters, digits and a few harmless characters are written as numbers.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::{self, Write};

use super::{turns_direction, words};
use crate::diagnostic::Severity;
use crate::report::{BandReport, PictureReport, RowReport, RowsReport, State};

/// Draws the picture. Returns a note if Mermaid rejects it by default.
pub(super) fn picture(picture: &PictureReport<'_>, out: &mut impl Write) -> io::Result<Option<String>> {
    let releases = picture.releases.iter();
    let days: Option<Vec<&str>> = releases.map(|moment| moment.date.filter(is_plain)).collect();
    let groups: Vec<_> = picture.groups.iter().map(|group| (group, own(group))).collect();
    let mut text = Vec::new();
    match days.filter(|days| !days.is_empty()) {
        Some(days) => gantt(picture, &groups, &days, &mut text)?,
        None => timeline(picture, &groups, &mut text)?,
    }
    let shown: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
    let all = picture.rows().count();
    if shown < all {
        let left = all - shown;
        writeln!(
            out,
            "%% Left out: {left} of {all} elements, which have the lifecycle of their parent."
        )?;
    }
    if text.len() > MOST_TEXT {
        writeln!(
            out,
            "%% More than {MOST_TEXT} characters: raise Mermaid's maxTextSize, or draw fewer groups (--group)."
        )?;
    }
    out.write_all(&text)?;
    Ok((text.len() > MOST_TEXT).then(|| {
        format!(
            "Mermaid rejects diagrams of more than {MOST_TEXT} characters by default (maxTextSize); --group makes this one \
             smaller"
        )
    }))
}

/// The default of Mermaid's `maxTextSize`.
const MOST_TEXT: usize = 50_000;

/// Whether a day has a year of four digits, as Mermaid requires.
fn is_plain(day: &&str) -> bool {
    day.len() == "2024-08-13".len()
}

/// The rows whose lifecycle is not that of their parent, or that have findings.
fn own<'g, 'a>(group: &'g RowsReport<'a>) -> Vec<&'g RowReport<'a>> {
    let bands: BTreeMap<&str, &[BandReport]> = group.rows.iter().map(|row| (row.id, row.bands.as_slice())).collect();
    let rows = group.rows.iter().filter(|row| {
        let parent = row.parent.and_then(|parent| bands.get(parent));
        !row.violations.is_empty() || parent.is_none_or(|parent| !words::alike(parent, &row.bands))
    });
    rows.collect()
}

/// The approximate width of a letter in the name of a section, and the most room for names, in pixels.
const SECTION_LETTER: usize = 6;
const MOST_ROOM: usize = 320;

type Rows<'r, 'a> = [(&'r RowsReport<'a>, Vec<&'r RowReport<'a>>)];

/// One task per state, one milestone per removal. An open state lasts to the last release drawn.
fn gantt(picture: &PictureReport<'_>, groups: &Rows<'_, '_>, days: &[&str], out: &mut impl Write) -> io::Result<()> {
    let longest = groups.iter().map(|(group, _)| group.group.chars().count()).max();
    let room = (longest.unwrap_or(0) * SECTION_LETTER + 20).min(MOST_ROOM);
    writeln!(out, "%%{{init: {{\"gantt\": {{\"leftPadding\": {room}}}}}}}%%\ngantt")?;
    writeln!(out, "    title {}", Label(&words::title(picture)))?;
    writeln!(
        out,
        "    dateFormat YYYY-MM-DD\n    axisFormat %Y-%m\n    todayMarker off"
    )?;
    for (group, rows) in groups.iter().filter(|(_, rows)| !rows.is_empty()) {
        writeln!(out, "    section {}", Label(&group.group))?;
        for row in rows {
            for band in &row.bands {
                let tags = tags(picture, row, band);
                let name = format!("{} {}", row.label, state(picture, band));
                let start = days[band.from];
                let end = band.until.map_or(days[days.len() - 1], |until| days[until]);
                // A task of no length would be invisible.
                let end = if end <= start { "30d" } else { end };
                let end = match band.state {
                    State::Removed => "0d",
                    State::Tolerated | State::Served | State::Deprecated | State::Hidden => end,
                };
                writeln!(out, "    {} :{tags}{start}, {end}", Label(&name))?;
            }
        }
    }
    Ok(())
}

/// `done` for states in the past, `active` for the current one; `crit` for elements with an error.
fn tags(picture: &PictureReport<'_>, row: &RowReport<'_>, band: &BandReport) -> String {
    let mut tags = String::new();
    let current = picture.current;
    if row.violations.iter().any(|found| found.severity == Severity::Error) {
        tags.push_str("crit, ");
    }
    if band.state == State::Removed {
        tags.push_str("milestone, ");
    } else if current.is_some_and(|current| band.until.is_some_and(|until| until <= current)) {
        tags.push_str("done, ");
    } else if current.is_some_and(|current| band.from <= current) {
        tags.push_str("active, ");
    }
    tags
}

/// For each release the groups in which something happens, and what.
fn timeline(picture: &PictureReport<'_>, groups: &Rows<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "timeline")?;
    writeln!(out, "    title {}", Label(&words::title(picture)))?;
    let mut turns: BTreeMap<usize, BTreeMap<usize, Vec<String>>> = BTreeMap::new();
    for (at, (_, rows)) in groups.iter().enumerate() {
        for row in rows {
            for band in &row.bands {
                let event = format!("{} {}", row.label, state(picture, band));
                turns.entry(band.from).or_default().entry(at).or_default().push(event);
            }
        }
    }
    for (at, events) in turns {
        let release = picture.releases.get(at).map(words::moment).unwrap_or_default();
        write!(out, "    {}", Label(&release))?;
        for (group, events) in events {
            let group = groups.get(group).map_or("", |(group, _)| group.group.as_str());
            write!(out, " : {}", Label(&format!("{group}: {}", events.join("; "))))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// `beta`, `GA, deprecated`, `removed (planned)`: the level, the state, and whether it is planned.
fn state(picture: &PictureReport<'_>, band: &BandReport) -> String {
    let mut text = words::state(band);
    if words::is_planned(picture, band) {
        text.push_str(" (planned)");
    }
    text
}

/// Keywords of Mermaid at the beginning of a line.
const KEYWORDS: &str = "acc axisformat call click date end excludes gantt href \
    includes inclusive section tick timeline title today topaxis week";

/// Text that Mermaid shows verbatim: characters that could be syntax are written as numbers.
struct Label<'t>(&'t str);

impl Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = self.0.to_lowercase();
        let keyword = KEYWORDS.split(' ').any(|word| lower.starts_with(word));
        let is_date = lower.chars().take_while(char::is_ascii_digit).count() == 4 && lower.get(4..5) == Some("-");
        for (at, c) in self.0.chars().enumerate() {
            let taken = at == 0 && (keyword || is_date);
            match c {
                c if c.is_control() || turns_direction(c) => write!(f, "{}", char::REPLACEMENT_CHARACTER)?,
                c if !taken && (c.is_alphanumeric() || " .-_/+=@,()".contains(c)) => write!(f, "{c}")?,
                c => write!(f, "#{};", u32::from(c))?,
            }
        }
        Ok(())
    }
}
