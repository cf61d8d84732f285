//! What has to happen by when, as a calendar and as a picture.

use std::io::{self, Write};

use crate::report::{ByWhenReport, Standing, WayReport};

use super::by_when::{MOST_EXPLAINED, answer, name};
use super::{clashes, ics, svg, visible};

/// The way as a picture.
pub fn picture(report: &ByWhenReport<'_>, out: &mut impl Write) -> io::Result<()> {
    svg::way(report, &unreachable(report), out)
}

/// Which targets cannot be reached, what prevents them, and the next step.
fn unreachable(report: &ByWhenReport<'_>) -> Vec<String> {
    let targets = report.targets.iter().filter(|target| !target.reachable);
    let mut lines: Vec<String> = targets.map(|target| answer(target, report.undecided)).collect();
    lines.extend(clashes::sentences(&report.clashes, MOST_EXPLAINED));
    let findings = report.findings.iter().take(MOST_EXPLAINED);
    lines.extend(findings.map(|finding| visible(&finding.message)));
    lines.extend(report.ask_instead.as_ref().map(|ask| format!("next: {}", visible(ask))));
    lines
}

/// The latest releases as events of a calendar, those with a date, with a note on targets that cannot be reached; how
/// many have no date, and how many cannot come in time.
pub fn calendar(report: &ByWhenReport<'_>, out: &mut impl Write) -> io::Result<[usize; 2]> {
    let open = report
        .steps
        .iter()
        .filter(|step| step.is_open() && step.standing != Standing::Follow);
    let (open, late): (Vec<&WayReport<'_>>, Vec<&WayReport<'_>>) = open.partition(|step| step.slack.is_some());
    let dated = open.iter().filter_map(|step| Some((step.latest?.date?, step)));
    let events: Vec<ics::Task> = dated
        .map(|(day, step)| ics::Task {
            day: day.to_owned(),
            names: [
                step.element.to_owned(),
                step.event.as_str().to_owned(),
                "by-when".to_owned(),
            ],
            summary: format!("{} {} by {}", step.element, step.event, name(step.latest, "")),
            description: [step.reason.as_str(), step.declaration.as_deref().unwrap_or_default()]
                .join("\n")
                .trim_end()
                .to_owned(),
            is_certain: false,
        })
        .collect();
    let unreachable = unreachable(report);
    let note = (!unreachable.is_empty()).then(|| ics::Note {
        names: ["by-when", "not reachable"],
        summary: "Not reachable",
        description: unreachable.join("\n"),
    });
    ics::tasks("By when", &events, note.as_ref(), out)?;
    Ok([open.len() - events.len(), late.len()])
}
