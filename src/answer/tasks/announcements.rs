//! The release notes that have to be written.

use std::ops::RangeInclusive;

use crate::answer::{Material, Range, announcements};
use crate::model::in_shell;
use crate::release::Release;
use crate::report::{Action, TaskReport, Urgency};

/// The release notes of each release to come that has something to announce: what is declared.
pub(super) fn tasks(material: Material<'_>, releases: RangeInclusive<Release>) -> Vec<TaskReport<'_>> {
    let model = material.reasoning.model;
    let first = model.calendar.next().max(*releases.start());
    let releases = (first.0..=releases.end().0).map(Release);
    let tasks = releases.filter_map(|release| {
        let range = Range {
            release: Some(release),
            ..Range::default()
        };
        let [count, planned] = announcements(material, range);
        let name = model.calendar.name(release);
        let plural = if count == 1 { "" } else { "s" };
        let more = match planned {
            0 => String::new(),
            _ => format!("; {planned} more once what is planned is declared"),
        };
        let reason = format!("{count} announcement{plural} in the release notes of {name}{more}");
        // What nobody has declared is not announced.
        (count > 0).then(|| TaskReport {
            urgency: Urgency::Must,
            action: Action::Announce,
            element: None,
            release: material.names.moment(release),
            declared: false,
            basis: reason.clone(),
            reason,
            consumers: Vec::new(),
            owner: None,
            command: Some(model.command_line(&format!("notes --release {}", in_shell(&name)))),
            declarations: Vec::new(),
            lines: None,
            exception: None,
        })
    });
    tasks.collect()
}
