//! What has to happen by when, for the terminal: whether the targets can be reached first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use serde::Serialize;

use crate::grammar::heading;
use crate::report::{ByWhenReport, Moment, NeededReport, Standing, TargetReport, WayReport};

use super::columns::{Cell, Paint, columns};
use super::table::bound;
use super::wrap::{command, indented, readable};
use super::{Style, clashes, needed, visible, words};

/// Of more events that have happened too late, only the first ones are named.
const MOST_LATE: usize = 12;

/// Of more clashes than this, only the first ones are explained.
pub(super) const MOST_EXPLAINED: usize = 5;

/// Whether the targets can be reached, what to do next, and the events on the way.
pub fn by_when(report: &ByWhenReport<'_>, style: Style) -> String {
    let style = readable(style);
    let mut text = String::new();
    for target in &report.targets {
        let paint = if target.reachable { Paint::Heading } else { Paint::Alarm };
        let mut line = String::new();
        indented(&answer(target, report.undecided), 0, style, &mut line);
        let _ = writeln!(text, "{}", paint.over(line.trim_end(), style));
        late(&mut text, target, style);
    }
    next(&mut text, report, style);
    let clashes = clashes::alike(&report.clashes);
    for (clash, others) in clashes.iter().take(MOST_EXPLAINED) {
        clashes::explain(&mut text, clash, others, style);
    }
    let rest = clashes.iter().skip(MOST_EXPLAINED);
    let rest: usize = rest.map(|(_, others)| 1 + others.len()).sum();
    if rest > 0 {
        let _ = writeln!(text, "\nand {rest} more; --format json lists them");
    }
    needed::list(&mut text, "An exception would have to cover", &report.exceptions, style);
    let title = if report.reachable || !report.clashes.is_empty() {
        "Not allowed at its earliest"
    } else {
        "Not allowed sooner"
    };
    needed::list(&mut text, title, &not_covered(report), style);
    if !report.steps.is_empty() {
        let _ = writeln!(text, "\n{}", Paint::Heading.over("On the way (* decides)", style));
        text.push_str(&columns(&HEADER, &rows(report), 2, style));
    }
    instead(&mut text, report, style);
    if let Some(line) = untried(report) {
        text.push('\n');
        indented(&line, 0, style, &mut text);
    }
    if let Some(declare) = report.command.as_ref().filter(|_| report.reachable) {
        let _ = writeln!(text, "\n{}", Paint::Heading.over("Declare it at its earliest", style));
        let count = report.steps.iter().filter(|step| step.declaration.is_some()).count();
        if count <= MOST_DECLARED {
            command("  ", &visible(declare), (usize::from(style.width), 4), &mut text);
        } else {
            let line = format!("{count} declarations; --format json has the `command` that makes them");
            indented(&line, 2, style, &mut text);
        }
        if let Some(then) = &report.then {
            text.push_str("Then write the warnings that it lacks, drafted by\n");
            command("  ", &visible(then), (usize::from(style.width), 4), &mut text);
        }
    }
    text
}

/// What to do next: the most urgent event, or another question.
fn next(text: &mut String, report: &ByWhenReport<'_>, style: Style) {
    if let Some(next) = &report.next {
        let owner = next
            .owner
            .map_or_else(String::new, |owner| format!(" ({})", visible(owner)));
        let (id, what) = (visible(next.element), next.event);
        let line = format!("next: {id} {what} by {}{owner}", bound(next.by));
        indented(&line, 0, style, text);
    }
    if report.reachable && report.next.is_none() && !report.steps.is_empty() {
        text.push_str("next: nothing, it is declared\n");
    }
    if let Some(ask) = &report.ask_instead {
        command("next: ", &visible(ask), (usize::from(style.width), 4), text);
    }
}

/// What prevents a way and no exception of those listed covers.
fn not_covered<'a>(report: &ByWhenReport<'a>) -> Vec<NeededReport<'a>> {
    let findings = report.findings.iter();
    let others = findings.filter(|finding| !report.exceptions.contains(finding));
    others.cloned().collect()
}

const HEADER: [&str; 7] = ["WHAT", "EVENT", "NOW", "EARLIEST", "LATEST", "SLACK", "OWNER"];

/// The most declarations that are shown as a command.
const MOST_DECLARED: usize = 6;

/// "reachable: apps/v1beta1.removed<=1.34; the soonest is 1.32". What the search did not decide is only not found.
pub fn answer(target: &TargetReport<'_>, undecided: bool) -> String {
    if target.missed {
        return missed(target);
    }
    let name = visible(&target.target);
    let met = match target.met {
        0 => String::new(),
        met if met == target.events => return format!("reached: {name}"),
        met => format!(" ({met} of {} have happened)", target.events),
    };
    let soonest = match target.soonest {
        Some(soonest) if target.soonest_moves_declared => {
            format!("; the soonest is {}, if what is declared moves", bound(Some(soonest)))
        }
        Some(soonest) => format!("; the soonest is {}", bound(Some(soonest))),
        None if target.events == 0 => "; nothing has to happen".to_owned(),
        None if target.never == 0 && undecided => String::new(),
        None if target.never == 0 => "; no way to it was found".to_owned(),
        None => format!("; {}", out_of_sight(target)),
    };
    let can = match (target.reachable, undecided) {
        (true, _) => "reachable",
        (false, true) => "no way found",
        (false, false) => "not reachable",
    };
    format!("{can}: {name}{met}{soonest}")
}

/// "no release is in sight for 1 of 8, the soonest for the others is 1.37".
fn out_of_sight(target: &TargetReport<'_>) -> String {
    let of = if target.never == target.events {
        String::new()
    } else {
        format!(" for {} of {}", target.never, target.events)
    };
    let others = target.soonest_of_others;
    let others = others.map(|soonest| format!(", the soonest for the others is {}", bound(Some(soonest))));
    let major = target.never_before_major.as_ref();
    let major = major.map(|major| format!("; list {} in [calendar.releases], and ask again", words::major(major)));
    let (others, major) = (others.unwrap_or_default(), major.unwrap_or_default());
    format!("no release is in sight{of}{others}{major}")
}

/// "missed: apps/v1beta1.removed<=1.30 (1 of 3 have happened in time, 1 later); 1.30 has shipped, the soonest is 1.37".
fn missed(target: &TargetReport<'_>) -> String {
    let (name, by) = (visible(&target.target), bound(target.by));
    let happened = match (target.met, target.late) {
        (0, 0) => String::new(),
        (met, 0) => format!(" ({met} of {} have happened in time)", target.events),
        (met, late) => format!(" ({met} of {} have happened in time, {late} later)", target.events),
    };
    let soonest = match target.soonest {
        Some(last) if target.met + target.late == target.events => {
            format!(
                "{} happened in {}",
                if target.events == 1 { "it" } else { "the last one" },
                bound(Some(last))
            )
        }
        Some(soonest) => format!("the soonest is {}", bound(Some(soonest))),
        None => out_of_sight(target),
    };
    format!("missed: {name}{happened}; {by} has shipped, {soonest}")
}

/// "later: apps/v1beta1 (5 kinds) in 1.16, policy/v1beta1 in 1.25".
fn late(text: &mut String, target: &TargetReport<'_>, style: Style) {
    let late = target.happened_late.iter();
    let shown = late.take(MOST_LATE).map(|happened| {
        let release = happened.release.map_or("", |moment| moment.release);
        let kinds = match happened.kinds {
            0 | 1 => String::new(),
            kinds => format!(" ({kinds} kinds)"),
        };
        format!("{}{kinds} in {release}", visible(happened.element))
    });
    let mut shown: Vec<String> = shown.collect();
    if let Some(more) = target.happened_late.len().checked_sub(MOST_LATE + 1) {
        shown.push(format!("and {} more; --format json lists them", more + 1));
    }
    if !shown.is_empty() {
        indented(&format!("later: {}", shown.join(", ")), 2, style, text);
    }
}

/// The events that would do in place of others.
fn instead(text: &mut String, report: &ByWhenReport<'_>, style: Style) {
    let replaceable = report.steps.iter().filter(|step| !step.instead.is_empty());
    let replaceable: Vec<&WayReport<'_>> = replaceable.collect();
    if replaceable.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{}",
        Paint::Heading.over("Alternatives (one of each line is enough)", style)
    );
    for step in replaceable.iter().take(MOST_EXPLAINED) {
        let by = step
            .latest
            .map_or_else(String::new, |by| format!(" by {}", bound(Some(by))));
        let line = format!(
            "{} {}{by}, or {}",
            visible(step.element),
            step.event,
            visible(&others(step))
        );
        indented(&line, 2, style, text);
    }
    if let Some(more) = replaceable.len().checked_sub(MOST_EXPLAINED + 1) {
        let _ = writeln!(text, "  and {} more; --format json lists them", more + 1);
    }
}

/// That the search stopped, or that not every other deprecation was tried.
pub fn untried(report: &ByWhenReport<'_>) -> Option<String> {
    let stopped = report.undecided.then(|| {
        let open = if report.reachable {
            "events may come later than the latest releases shown."
        } else {
            "there may be a way."
        };
        format!("The search stopped after its last trial: {open}")
    });
    let count = match report.untried {
        0 => None,
        1 => Some("1 deprecation was".to_owned()),
        count => Some(format!("{count} deprecations were")),
    };
    let untried = count.map(|count| {
        format!(
            "{count} not tried in other releases, in which a gate or an edition judges differently: the soonest release \
             may be earlier, and the latest ones later."
        )
    });
    let lines: Vec<String> = [stopped, untried].into_iter().flatten().collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// "apps/v1 removed by 1.34 (2025-08-27), or apps/v2 deprecated by 1.35 (2025-12-17)".
fn others(step: &WayReport<'_>) -> String {
    let others = step.instead.iter();
    let others = others.map(|other| format!("{} {} by {}", other.element, other.event, bound(other.by)));
    others.collect::<Vec<String>>().join(", or ")
}

/// Of more events than this, those of a group that are alike share a row.
const MOST_ROWS: usize = 20;

fn rows(report: &ByWhenReport<'_>) -> Vec<Vec<Cell>> {
    if report.steps.len() <= MOST_ROWS {
        return report.steps.iter().map(row).collect();
    }
    let mut alike: Vec<(&str, Vec<Cell>, usize)> = Vec::new();
    let mut known: HashMap<(&str, bool, Vec<String>), usize> = HashMap::new();
    for step in &report.steps {
        let (group, cells) = (heading(step.element).0, row(step));
        let rest = cells.iter().skip(1).map(|cell| cell.text.clone());
        match known.entry((group, step.critical, rest.collect())) {
            Entry::Occupied(at) => alike[*at.get()].2 += 1,
            Entry::Vacant(free) => {
                free.insert(alike.len());
                alike.push((group, cells, 1));
            }
        }
    }
    let rows = alike.into_iter().map(|(group, mut cells, count)| {
        if count > 1 {
            let mark = cells[0].text.get(..2).unwrap_or_default().to_owned();
            cells[0].text = format!("{mark}{} ({count})", visible(group));
        }
        cells
    });
    rows.collect()
}

fn row(step: &WayReport<'_>) -> Vec<Cell> {
    let [no_earliest, no_latest] = absent(step);
    let mark = if step.critical { "* " } else { "  " };
    let cells = [
        format!("{mark}{}", visible(step.element)),
        step.event.as_str().to_owned(),
        now(step),
        name(step.earliest, no_earliest),
        step.latest
            .map_or_else(|| no_latest.to_owned(), |latest| by(step, latest)),
        slack(step).unwrap_or_default(),
        visible(step.owner.unwrap_or_default()),
    ];
    let mut cells = cells.map(Cell::plain).to_vec();
    if step.slack.is_none() && step.standing != Standing::Follow {
        cells[4].paint = Paint::Alarm;
    }
    cells
}

/// "1.38 (~2026-12-22)", or "missed (1.30)".
fn by(step: &WayReport<'_>, latest: Moment<'_>) -> String {
    if step.missed {
        format!("missed ({})", latest.release)
    } else {
        bound(Some(latest))
    }
}

/// How many releases an event may come later, or that it cannot come in time.
fn slack(step: &WayReport<'_>) -> Option<String> {
    let is_late = step.standing != Standing::Follow && !step.missed;
    let known = step.slack.map(|slack| slack.to_string());
    known.or_else(|| is_late.then(|| "too late".to_owned()))
}

/// The release that is declared or planned, and whether it has to move.
fn now(step: &WayReport<'_>) -> String {
    let release = name(step.release, "");
    match (step.standing, release.as_str()) {
        (Standing::Open, "") => String::new(),
        (Standing::Open, _) => format!("{release} (planned)"),
        (Standing::Declared, _) => release,
        (Standing::Follow, _) if step.declared_with.is_none() => format!("{release} (move or drop it)"),
        (Standing::Move | Standing::Follow, _) => format!("{release} (move it)"),
        (Standing::Fact, _) => format!("{release} (fixed)"),
    }
}

/// An event on the way, as a row of a page.
#[derive(Serialize)]
pub(super) struct WayRow<'r> {
    step: &'r WayReport<'r>,
    now: String,
    slack: Option<String>,
    instead: Option<String>,
    absent: [&'static str; 2],
}

impl<'r> WayRow<'r> {
    pub(super) fn of(step: &'r WayReport<'r>) -> Self {
        Self {
            step,
            now: now(step),
            // Zero counts as absent in templates.
            slack: slack(step),
            instead: (!step.instead.is_empty()).then(|| others(step)),
            absent: absent(step),
        }
    }
}

/// What stands for an earliest and for a latest release that there is not.
fn absent(step: &WayReport<'_>) -> [&'static str; 2] {
    match step.standing {
        Standing::Follow => ["not planned", "any"],
        Standing::Open | Standing::Declared | Standing::Move | Standing::Fact => ["never", "none"],
    }
}

pub(super) fn name(moment: Option<Moment<'_>>, none: &str) -> String {
    moment.map_or(none, |moment| moment.release).to_owned()
}
