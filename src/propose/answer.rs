//! A rollout as a report: its steps and what they announce, release by release.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::evaluate::Evaluation;
use crate::grammar::{ElementKind, ElementPath};
use crate::import::update::Piece;
use crate::model::EventKind;
use crate::release::Release;
use crate::report::{
    AnnouncedEvent, AnnouncementReport, ConsumerReport, Moment, NotesReport, ProposalKind, RolloutEntryReport,
    RolloutItemReport, RolloutReleaseReport, RolloutReport, SCHEMA_VERSION, StepAtReport,
};
use crate::source::Sources;

use super::Rollout;
use super::draft::{Declaration, Step};
use super::judge::numbered;
use super::settle::events;

/// The place of a step among those of a release: whether it is another one than a migration, which comes first because
/// what objects were stored in goes after it, and its position.
type Turn = (bool, usize);

impl Rollout {
    /// The report. `base` is the model as it is, `sources` are its files.
    pub fn report(&self, base: &Evaluation, sources: &Sources<'_>) -> RolloutReport<'_> {
        let soonest = self.soonest.iter();
        let soonest = soonest.filter_map(|(name, release)| self.step_at(name, *release));
        RolloutReport {
            schema_version: SCHEMA_VERSION,
            proposal: self.proposal.kind(),
            element: &self.element,
            gate: self.gate(),
            allowed: self.is_allowed(),
            against: &self.against,
            next_steps: &self.next_steps,
            soonest: soonest.collect(),
            never_before_major: self.never_before_major(),
            remarks: &self.remarks,
            releases: self.releases(base),
            fragment: self.fragment(sources),
            entries: self.entries(sources),
            consumers: self.consumers(base),
            words: self.evaluation.words(),
        }
    }

    /// Who has to move before a removal.
    fn consumers(&self, base: &Evaluation) -> Vec<ConsumerReport> {
        let element = base.model().find(&self.element);
        let element = element.filter(|_| self.proposal.kind() == ProposalKind::Removal);
        element.map_or_else(Vec::new, |element| base.consumers(element))
    }

    fn gate(&self) -> Option<&str> {
        let staged = self
            .steps
            .iter()
            .find(|step| matches!(step.declaration, Declaration::Stage(..)));
        let removed = self.steps.iter().find(|step| step.what == EventKind::Removed);
        let ids = staged.or(removed).map(|step| &step.elements)?;
        ids.iter().find_map(|id| match ElementPath::parse(id) {
            Ok(ElementPath::Named(ElementKind::Gate, Cow::Borrowed(name))) => Some(name),
            _ => None,
        })
    }

    fn step_at<'a>(&'a self, step: &'a str, release: Release) -> Option<StepAtReport<'a>> {
        let release = self.evaluation.moment(release)?;
        Some(StepAtReport { step, release })
    }

    fn never_before_major(&self) -> Option<String> {
        let waiting = self.steps.iter().find(|step| step.waits)?;
        let elements = self.evaluation.elements();
        let own = elements
            .into_iter()
            .find(|element| waiting.elements.iter().any(|id| id == element.id))?;
        own.never_before_major
    }

    /// The announcements that the steps cause, and the steps that cause none.
    fn releases(&self, base: &Evaluation) -> Vec<RolloutReleaseReport<'_>> {
        let nothing = Sources::new();
        let calendar = &self.evaluation.model().calendar;
        // A proposal changes nothing that has shipped.
        let before = base.notes_from(&nothing, calendar.next());
        let known: BTreeSet<String> = announcements(before).iter().map(|(_, one)| identity(one)).collect();
        let mut announced: BTreeMap<(Release, Turn), Vec<AnnouncementReport<'_>>> = BTreeMap::new();
        for (at, step) in self.steps.iter().enumerate().filter(|(_, step)| !step.waits) {
            announced.insert((step.release, self.turn(at)), Vec::new());
        }
        for (position, (name, one)) in
            (self.steps.len()..).zip(announcements(self.evaluation.notes_from(&nothing, calendar.next())))
        {
            let Ok(release) = calendar.find(name) else { continue };
            let step = self.steps.iter().position(|step| is_about(&one, step, release));
            if step.is_some() || !known.contains(&identity(&one)) {
                announced
                    .entry((release, self.turn(step.unwrap_or(position))))
                    .or_default()
                    .push(one);
            }
        }
        let mut releases: BTreeMap<Release, Vec<RolloutItemReport<'_>>> = BTreeMap::new();
        for ((release, (_, at)), announcements) in announced {
            let item = self.item(self.steps.get(at), announcements);
            add(releases.entry(release).or_default(), item);
        }
        let reports = releases.into_iter().filter_map(|(release, items)| {
            let release = self.evaluation.moment(release)?;
            Some(RolloutReleaseReport { release, items })
        });
        reports.collect()
    }

    fn turn(&self, at: usize) -> Turn {
        let step = self.steps.get(at);
        (step.is_none_or(|step| step.what != EventKind::Migrated), at)
    }

    fn item<'a>(
        &'a self,
        step: Option<&'a Step>,
        mut announcements: Vec<AnnouncementReport<'a>>,
    ) -> RolloutItemReport<'a> {
        if let Some(step) = step {
            announcements.sort_by_key(|one| !one.event.is(step.what));
        }
        let after = step.and_then(|step| step.after.iter().find(|(_, releases)| *releases > 0));
        let before = after.and_then(|(before, _)| self.steps.get(*before));
        RolloutItemReport {
            step: step.map(|step| &*step.name),
            elements: step.map_or_else(Vec::new, |step| step.elements.iter().map(String::as_str).collect()),
            announcements,
            after: before.and_then(|before| self.step_at(&before.name, before.release)),
            after_releases: after.map_or(0, |(_, releases)| *releases),
            not_before: step.and_then(|step| self.not_before(step)),
            custom: step.and_then(|step| self.custom(step)),
            oldest_clients: step.and_then(|step| self.oldest_clients(step)),
        }
    }

    /// Until when a removed gate stays by custom.
    fn custom(&self, step: &Step) -> Option<String> {
        let ids = step.elements.iter().filter(|_| step.what == EventKind::Removed);
        ids.filter_map(|id| self.evaluation.model().find(id))
            .find_map(|id| self.evaluation.custom_of_gate(id))
            .map(|text| text.trim_start_matches("by custom ").to_owned())
    }

    /// The release that tolerates a value before another one allows it.
    fn oldest_clients(&self, step: &Step) -> Option<Moment<'_>> {
        let mut before = step.after.iter().filter_map(|(at, _)| self.steps.get(*at));
        let tolerated = before.find(|before| before.what == EventKind::Tolerated)?;
        let is_it = step.what == EventKind::Introduced && tolerated.elements == step.elements;
        self.evaluation.moment(tolerated.release).filter(|_| is_it)
    }

    /// The lower bound that a rule sets for a step, in words.
    fn not_before(&self, step: &Step) -> Option<String> {
        let reasoning = self.evaluation.reasoning();
        let bounds = events(step, self.evaluation.model()).into_iter();
        let decisive = bounds.filter_map(|event| reasoning.lower(event));
        let found = decisive.max_by_key(|found| found.worked.release())?;
        if found.worked.release() < step.release {
            return None;
        }
        let rule = numbered(found.obligation.rule()?, &self.evaluation);
        Some(format!(
            "{rule}: {}",
            reasoning.sentence(found.obligation, &found.worked)
        ))
    }

    /// The new entries; additions to existing entries are comments, so that the whole may be appended.
    fn fragment(&self, sources: &Sources<'_>) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            if let Piece::Appended(own) = piece {
                text.push_str(own);
            }
        }
        for entry in self.entries(sources) {
            let place = match (&entry.file, entry.line) {
                (Some(file), Some(line)) => format!("{file}:{line}: "),
                _ => String::new(),
            };
            let _ = writeln!(text, "# {place}to {}, add", entry.entry);
            for line in &entry.lines {
                let _ = writeln!(text, "#   {line}");
            }
        }
        text
    }

    fn entries(&self, sources: &Sources<'_>) -> Vec<RolloutEntryReport> {
        let mut entries = Vec::new();
        for piece in &self.pieces {
            if let Piece::Within { table, span, lines } = piece {
                let found = span.and_then(|span| sources.locate(span));
                entries.push(RolloutEntryReport {
                    entry: table.clone(),
                    file: found.map(|(file, _)| file.to_owned()),
                    line: found.map(|(_, at)| at.line),
                    lines: lines.clone(),
                });
            }
        }
        entries
    }
}

/// All announcements, each with the name of its release.
fn announcements(notes: NotesReport<'_>) -> Vec<(&str, AnnouncementReport<'_>)> {
    let releases = notes.releases.into_iter();
    let all = releases.flat_map(|release| {
        let sections = release.sections.into_iter().flat_map(|section| section.items);
        let name = release.release.release;
        sections.map(move |one| (name, one)).collect::<Vec<_>>()
    });
    all.collect()
}

/// Adds an item; if one announces already that storage moves for its kinds, adds its elements to that.
fn add<'a>(items: &mut Vec<RolloutItemReport<'a>>, item: RolloutItemReport<'a>) {
    let is_move = item.step == Some(EventKind::Stored.as_str()) && item.announcements.is_empty();
    let mut known = items.iter_mut().filter(|known| is_move && known.step == item.step);
    match known.find(|known| announces(known, &item.elements)) {
        Some(known) => known.elements.extend(item.elements),
        None => items.push(item),
    }
}

/// Whether all of these are among the kinds that a step announces.
fn announces(item: &RolloutItemReport<'_>, ids: &[&str]) -> bool {
    let kinds = item.announcements.iter().flat_map(|one| &one.kinds);
    let named: Vec<&str> = kinds.map(|kind| kind.id).collect();
    ids.iter().all(|id| named.contains(id))
}

/// What makes an announcement the same as another one.
fn identity(announced: &AnnouncementReport<'_>) -> String {
    let kinds: Vec<&str> = announced.kinds.iter().map(|kind| kind.name).collect();
    format!(
        "{} {} {} {:?} {:?} {:?} {kinds:?}",
        announced.release.release,
        announced.event.as_str(),
        announced.element.id,
        announced.from,
        announced.to,
        announced.default
    )
}

fn is_within(id: &str, other: &str) -> bool {
    let paths = ElementPath::parse(id).ok().zip(ElementPath::parse(other).ok());
    paths.is_some_and(|(path, other)| path.is_within(&other))
}

/// Whether an announcement is about a step, or about what a gate's stage brings with it.
fn is_about(announced: &AnnouncementReport<'_>, step: &Step, release: Release) -> bool {
    let of_stage = matches!(step.declaration, Declaration::Stage(..))
        && matches!(announced.event, AnnouncedEvent::DefaultChanged)
        || announced.event.is(EventKind::Locked)
        || announced.event.is(EventKind::Deprecated);
    let of_kinds = announced
        .kinds
        .iter()
        .any(|kind| step.elements.iter().any(|id| id == kind.id));
    let is_it = match step.what {
        EventKind::Stored => of_kinds,
        EventKind::Introduced | EventKind::Removed if announced.element.kind.row != ElementKind::ApiVersion => {
            step.elements.iter().any(|id| id == announced.element.id)
        }
        _ => of_kinds || step.elements.iter().any(|id| is_within(announced.element.id, id)),
    };
    !step.waits && step.release == release && is_it && (announced.event.is(step.what) || of_stage)
}
