//! The calendar of a draft, and lives that fit it.

use std::collections::BTreeSet;

use crate::release::{NAMEABLE_AHEAD, ReleaseName};

use super::super::dates::listed;
use super::super::draft::{Draft, DraftCalendar, Element, Life};
use super::super::notice::{Notice, Topic};
use super::package::ApiRelease;

/// Gives a draft its calendar, and moves or leaves out what lies outside of it.
///
/// A calendar needs a day for every release before one with a day. So where days are known, events before the first of
/// them are moved to it, and lives that were over by then are left out. Where no day is known, the calendar has all
/// releases that are named and those between them.
pub(super) fn fit(
    draft: &mut Draft,
    known: DraftCalendar,
    releases: &[ApiRelease],
    listed: &DraftCalendar,
    notices: &mut Vec<Notice>,
) {
    let mut calendar = known;
    for release in releases {
        let day = calendar.releases.entry(release.name.clone()).or_default();
        *day = day.or(release.date);
    }
    for (release, day) in &listed.releases {
        let own = calendar.releases.entry(release.clone()).or_default();
        *own = day.or(*own);
    }
    calendar.order_days(Topic::Calendar, notices);
    let newest = releases.iter().map(|release| release.name.clone()).max();
    calendar.current = calendar.current.take().max(newest);
    calendar.estimate_cadence();
    let named = named(draft);
    if calendar.releases.values().all(Option::is_none) {
        let named = named.into_iter().map(|release| (release, None));
        calendar.releases.extend(named);
        calendar.fill_gaps();
    } else {
        extend(&mut calendar, &named);
        let mut fit = Fit {
            calendar: &calendar,
            earlier: BTreeSet::new(),
            between: BTreeSet::new(),
            over: 0,
            far: BTreeSet::new(),
        };
        for element in elements(draft) {
            fit.element(element);
        }
        let texts = fit.texts();
        notices.extend(texts.iter().map(|text| Notice::new(Topic::Calendar, text)));
        draft.origin.extend(texts);
    }
    for kind in draft.groups.values_mut().flat_map(|group| group.kinds.values_mut()) {
        kind.versions.retain(|_, element| !element.lives.is_empty());
    }
    draft.calendar = calendar;
}

fn elements(draft: &mut Draft) -> impl Iterator<Item = &mut Element> {
    let kinds = draft.groups.values_mut().flat_map(|group| group.kinds.values_mut());
    kinds.flat_map(|kind| kind.versions.values_mut())
}

fn named(draft: &mut Draft) -> BTreeSet<ReleaseName> {
    let lives = elements(draft).flat_map(|element| &element.lives);
    let events = lives.flat_map(|life| {
        let lists = life.deprecated.iter().chain(&life.undeprecated);
        lists.chain(&life.introduced).chain(&life.removed)
    });
    events.cloned().collect()
}

/// Adds the releases after the last one that are named, and those before them, unless the cadence projects them.
fn extend(calendar: &mut DraftCalendar, named: &BTreeSet<ReleaseName>) {
    let Some(last) = calendar.last() else { return };
    let ahead = named.iter().filter(|release| *release > last && is_near(release, last));
    let ahead: Vec<(ReleaseName, _)> = ahead.map(|release| (release.clone(), None)).collect();
    if !ahead.iter().all(|(release, _)| calendar.projects(release)) {
        calendar.releases.extend(ahead);
        calendar.fill_gaps();
    }
}

fn is_near(release: &ReleaseName, last: &ReleaseName) -> bool {
    match release.major().checked_sub(last.major()) {
        Some(0) => *release <= last.later(NAMEABLE_AHEAD),
        Some(majors) => majors == 1 && release.minor() <= NAMEABLE_AHEAD,
        None => true,
    }
}

/// Lives that are made to fit a calendar with days.
struct Fit<'c> {
    calendar: &'c DraftCalendar,
    /// Releases before the first one that is known.
    earlier: BTreeSet<ReleaseName>,
    /// Releases between two that are known.
    between: BTreeSet<ReleaseName>,
    /// How many lives ended before the first one.
    over: usize,
    far: BTreeSet<ReleaseName>,
}

impl Fit<'_> {
    fn element(&mut self, element: &mut Element) {
        let Some(first) = self.calendar.releases.keys().next().cloned() else {
            return;
        };
        let lives = &mut element.lives;
        let before = lives.len();
        lives.retain(|life| life.removed.as_ref().is_none_or(|removed| *removed > first));
        self.over += before - lives.len();
        for life in &mut *lives {
            self.life(life, &first);
        }
        // A life without a beginning lies too far ahead, or between two releases of the calendar.
        lives.retain(|life| life.introduced.is_some());
    }

    fn life(&mut self, life: &mut Life, first: &ReleaseName) {
        // Deprecations that were withdrawn before the first release leave no trace.
        let over = life.undeprecated.iter().take_while(|release| *release <= first).count();
        life.undeprecated.drain(..over);
        life.deprecated.drain(..over.min(life.deprecated.len()));
        for one in [&mut life.introduced, &mut life.removed] {
            *one = one.take().and_then(|release| self.release(release));
        }
        for list in [&mut life.deprecated, &mut life.undeprecated] {
            *list = list.drain(..).filter_map(|release| self.release(release)).collect();
        }
        if life.removed.is_some() && life.removed == life.introduced {
            life.introduced = None;
            self.over += 1;
        }
    }

    /// The release of the calendar that stands for one; `None` if it is too far ahead.
    fn release(&mut self, release: ReleaseName) -> Option<ReleaseName> {
        let releases = &self.calendar.releases;
        if releases.contains_key(&release) {
            return Some(release);
        }
        if let Some((next, _)) = releases.range(&release..).next() {
            let is_first = releases.keys().next() == Some(next);
            let unknown = if is_first { &mut self.earlier } else { &mut self.between };
            unknown.insert(release);
            return Some(next.clone());
        }
        if is_near(&release, self.calendar.last()?) {
            return Some(release);
        }
        self.far.insert(release);
        None
    }

    fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let first = self.calendar.releases.keys().next();
        if let (Some(from), Some(to), Some(first)) = (self.earlier.first(), self.earlier.last(), first) {
            let range = format!("from {from} to {to}");
            let when = if from == to { format!("in {from}") } else { range };
            texts.push(format!(
                "the calendar begins with {first}: events before it, {when}, are imported as of {first}"
            ));
        }
        if !self.between.is_empty() {
            texts.push(format!(
                "the calendar lacks {}: events in these releases are imported as of the next release that it has",
                listed(&self.between)
            ));
        }
        if self.over > 0 {
            let (count, plural) = (self.over, if self.over == 1 { "life" } else { "lives" });
            texts.push(format!("left out {count} {plural} of kinds that ended before that"));
        }
        if !self.far.is_empty() {
            texts.push(format!(
                "more than {NAMEABLE_AHEAD} releases ahead: {}: events in these releases are left out",
                listed(&self.far)
            ));
        }
        texts
    }
}
