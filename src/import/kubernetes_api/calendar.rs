//! The calendar of a draft, and lives that fit it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::release::ReleaseName;

use super::super::draft::{Calendar, Draft, Element, Life};
use super::super::history::{cadence, in_order};
use super::super::peers::fill;
use super::package::Release;
use super::told::Told;

/// How many releases after the last one that is known may be named: a calendar with a cadence knows as many.
const MOST_AHEAD: u64 = 100;

/// Gives a draft its calendar, and moves or leaves out what lies outside of it.
///
/// A calendar wants a day for every release that comes before one with a day. So where days are known, what happened
/// before the first of them is taken as of that one, and what was over by then is left out. Where no day is known, the
/// calendar has all releases that are named and those between them.
pub(super) fn fit(draft: &mut Draft, known: Calendar, releases: &[Release], listed: &Calendar, told: &mut Told) {
    let mut calendar = known;
    for release in releases {
        let day = calendar.releases.entry(release.name.clone()).or_default();
        *day = day.or(release.date);
    }
    for (release, day) in &listed.releases {
        let own = calendar.releases.entry(release.clone()).or_default();
        *own = day.or(*own);
    }
    put_in_order(&mut calendar.releases, told);
    let newest = releases.iter().map(|release| release.name.clone()).max();
    calendar.current = calendar.current.take().max(newest);
    calendar.cadence = calendar.cadence.or_else(|| cadence(calendar.releases.values()));
    let named = named(draft);
    if calendar.releases.values().all(Option::is_none) {
        calendar
            .releases
            .extend(named.into_iter().map(|release| (release, None)));
        fill(&mut calendar.releases);
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
        fit.tell(draft, told);
    }
    for kind in draft.groups.values_mut().flat_map(|group| group.kinds.values_mut()) {
        kind.versions.retain(|_, element| !element.lives.is_empty());
    }
    draft.calendar = calendar;
}

fn put_in_order(releases: &mut BTreeMap<ReleaseName, Option<NaiveDate>>, told: &mut Told) {
    let dated = releases
        .iter()
        .filter_map(|(release, day)| Some((release.clone(), (*day)?)));
    let mut days: Vec<(ReleaseName, NaiveDate)> = dated.collect();
    told.calendar.extend(in_order(&mut days));
    releases.extend(days.into_iter().map(|(release, day)| (release, Some(day))));
}

fn elements(draft: &mut Draft) -> impl Iterator<Item = &mut Element> {
    let kinds = draft.groups.values_mut().flat_map(|group| group.kinds.values_mut());
    kinds.flat_map(|kind| kind.versions.values_mut())
}

/// The releases in which something happens.
fn named(draft: &mut Draft) -> BTreeSet<ReleaseName> {
    let lives = elements(draft).flat_map(|element| element.lives.iter_mut());
    let events = lives.flat_map(|life| {
        let lists = life.deprecated.iter().chain(&life.undeprecated);
        let single = [&life.introduced, &life.removed];
        lists.chain(single.into_iter().flatten()).cloned().collect::<Vec<_>>()
    });
    events.collect()
}

/// Adds the releases after the last one that are named, and those before them, unless the cadence projects them.
fn extend(calendar: &mut Calendar, named: &BTreeSet<ReleaseName>) {
    let Some(last) = calendar.releases.keys().next_back().cloned() else {
        return;
    };
    let near = |release: &&ReleaseName| **release > last && is_near(release, &last);
    let ahead: Vec<&ReleaseName> = named.iter().filter(near).collect();
    let projected = |release: &&ReleaseName| calendar.cadence.is_some() && release.major() == last.major();
    if ahead.iter().all(projected) {
        return;
    }
    calendar
        .releases
        .extend(ahead.into_iter().map(|release| (release.clone(), None)));
    fill(&mut calendar.releases);
}

fn is_near(release: &ReleaseName, last: &ReleaseName) -> bool {
    match release.major().checked_sub(last.major()) {
        Some(0) => *release <= last.later(MOST_AHEAD),
        Some(majors) => majors == 1 && release.minor() <= MOST_AHEAD,
        None => true,
    }
}

/// Lives that are made to fit a calendar with days.
struct Fit<'c> {
    calendar: &'c Calendar,
    /// Releases before the first one that is known.
    earlier: BTreeSet<ReleaseName>,
    /// Releases between two that are known.
    between: BTreeSet<ReleaseName>,
    /// How many lives were over by then.
    over: usize,
    /// Releases too far ahead.
    far: BTreeSet<ReleaseName>,
}

impl Fit<'_> {
    fn element(&mut self, element: &mut Element) {
        let Some(first) = self.calendar.releases.keys().next().cloned() else {
            return;
        };
        let before = element.lives.len();
        element
            .lives
            .retain(|life| life.removed.as_ref().is_none_or(|removed| *removed > first));
        self.over += before - element.lives.len();
        for life in &mut element.lives {
            self.life(life, &first);
        }
        // A life without a beginning lies too far ahead, or between two releases of the calendar.
        element.lives.retain(|life| life.introduced.is_some());
    }

    fn life(&mut self, life: &mut Life, first: &ReleaseName) {
        // Of what was taken back before the first release, nothing is left.
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
        let last = releases.keys().next_back()?;
        if is_near(&release, last) {
            return Some(release);
        }
        self.far.insert(release);
        None
    }

    fn tell(self, draft: &mut Draft, told: &mut Told) {
        let mut tell = |text: String| {
            told.calendar.push(text.clone());
            draft.origin.push(text);
        };
        let words = |releases: &BTreeSet<ReleaseName>| {
            let names: Vec<String> = releases.iter().map(ToString::to_string).collect();
            names.join(", ")
        };
        if let (Some(from), Some(to), Some(first)) = (
            self.earlier.first(),
            self.earlier.last(),
            self.calendar.releases.keys().next(),
        ) {
            let when = if from == to {
                format!("in {from}")
            } else {
                format!("from {from} to {to}")
            };
            tell(format!(
                "the calendar begins with {first}: what happened before, {when}, is written as of {first}"
            ));
        }
        if !self.between.is_empty() {
            tell(format!(
                "the calendar has no {}: what happened there is written as of the next release that it has",
                words(&self.between)
            ));
        }
        if self.over > 0 {
            let plural = if self.over == 1 { "life" } else { "lives" };
            tell(format!(
                "{} {plural} of kinds that ended before that: left out",
                self.over
            ));
        }
        if !self.far.is_empty() {
            tell(format!(
                "{} is more than {MOST_AHEAD} releases ahead: what is to happen there is left out",
                words(&self.far)
            ));
        }
    }
}
