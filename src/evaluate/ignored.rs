//! Uses that comments in manifests ignore, and comments that do not, or no longer, ignore any.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Severity};
use crate::release::{Calendar, Release};
use crate::scan::{Ignore, PAGE, Surface, Use};

/// The calendar of a model, and the release that its objects are meant for.
#[derive(Debug)]
pub(super) struct Moment {
    pub(super) calendar: Calendar,
    pub(super) to: Release,
}

/// Models, with their moments in the same order.
#[derive(Clone, Copy)]
pub(super) struct Models<'m> {
    pub(super) surfaces: &'m [Surface],
    pub(super) moments: &'m [Moment],
}

/// What a comment does to a use.
enum Effect {
    Ignores,
    Expired,
    /// The model does not know its release.
    Unknown,
}

const HOW: &str = "write the release in which it ends and the reason: `# lifecycle: ignore until 1.40: why`";

/// Removes the uses that comments ignore. Returns findings about comments.
pub(super) fn ignore(uses: &mut Vec<Use<'_>>, comments: &[Ignore], models: Models<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut by_line: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, place) in uses.iter().map(|found| found.place).enumerate() {
        by_line.entry(place.map_or(0, |place| place.line)).or_default().push(at);
    }
    let mut ignored = vec![false; uses.len()];
    for comment in comments {
        let (first, last) = comment.lines;
        let Some(until) = &comment.until else {
            let message = "the comment ignores nothing: it lacks a release or a reason";
            findings.push(finding("ignore-incomplete", message, comment, models, HOW));
            continue;
        };
        let (mut any, mut expired, mut unknown) = (false, false, false);
        for at in by_line.range(first..=last).flat_map(|(_, uses)| uses).copied() {
            if ignored[at] {
                continue;
            }
            any = true;
            match models.effect(&uses[at], until) {
                Effect::Ignores => ignored[at] = true,
                Effect::Expired => expired = true,
                Effect::Unknown => unknown = true,
            }
        }
        if unknown {
            let message = format!("the comment ignores nothing: the model has no release {until}");
            findings.push(finding("ignore-incomplete", message, comment, models, HOW));
        } else if expired {
            let message = format!("the comment has ended: it ignored this until {until}");
            let help = "move to what replaces it, or extend the comment, with a reason";
            findings.push(finding("ignore-expired", message, comment, models, help));
        } else if !any {
            let message = "the comment ignores nothing here by this release";
            findings.push(finding("ignore-unneeded", message, comment, models, "delete it"));
        }
    }
    let mut ignored = ignored.into_iter();
    uses.retain(|_| ignored.next() != Some(true));
    findings.retain(|finding| finding.severity > Severity::Off);
    findings
}

impl Models<'_> {
    fn effect(self, found: &Use<'_>, until: &str) -> Effect {
        let own = self
            .surfaces
            .iter()
            .position(|surface| std::ptr::eq(surface, found.surface));
        let moment = own.and_then(|at| self.moments.get(at));
        let until = moment.and_then(|moment| Some((moment, moment.calendar.find(until).ok()?)));
        match until {
            Some((moment, until)) if moment.to < until => Effect::Ignores,
            Some(_) => Effect::Expired,
            None => Effect::Unknown,
        }
    }
}

fn finding(
    code: &'static str,
    message: impl Into<String>,
    comment: &Ignore,
    models: Models<'_>,
    help: &str,
) -> Diagnostic {
    let stated = models.surfaces.first().and_then(|first| first.severities.get(code));
    Diagnostic::error(PAGE.slug, code, message)
        .severity(stated.copied().unwrap_or_else(|| PAGE.severity(code)))
        .at(comment.span, "")
        .help(help)
}
