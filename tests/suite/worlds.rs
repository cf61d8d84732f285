//! Small models at random, with what rules promise of them written out a second time: dates, lives, walks.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]
#![allow(dead_code, reason = "two test binaries share this file, and each uses a part of it")]

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use chrono::{Datelike, Days, NaiveDate};
use lifecycle::Document;
use lifecycle::FileId;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, Load, Supposition};
use lifecycle::release::AsOf;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// So many cases, or as many more as `PROPTEST_CASES` says; found failures are not written to the tree.
pub fn cases(count: u32) -> Config {
    let base = Config::default();
    Config {
        cases: (count * base.cases / 256).max(1),
        failure_persistence: None,
        max_shrink_iters: 4_000,
        rng_seed: match base.rng_seed {
            RngSeed::Random => RngSeed::Fixed(2022),
            given @ RngSeed::Fixed(_) => given,
        },
        ..base
    }
}

/// A release, by its position in the calendar.
pub type At = usize;

/// After all releases.
pub const NEVER: At = usize::MAX;

/// How far past the calendar a search looks. Longer than any window of the tests.
pub const FAR: usize = 60;

/// Months or releases, whichever is longer; lower bounds may be missed by some days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub months: u32,
    pub releases: usize,
    pub grace: u64,
}

pub const fn span(months: u32, releases: usize) -> Span {
    Span {
        months,
        releases,
        grace: 0,
    }
}

/// The releases, their dates, and the newest that has shipped.
#[derive(Debug, Clone)]
pub struct Dates {
    pub symbolic: bool,
    /// One a listed release; `None`: unscheduled, and then all that follow are too. The first has one if any has.
    pub days: Vec<Option<NaiveDate>>,
    pub cadence: Option<u32>,
    pub current: Option<At>,
    /// Where the next major begins.
    pub second_major: Option<At>,
}

impl Dates {
    pub fn listed(&self) -> usize {
        self.days.len()
    }

    /// The first minor is 1.8, so that 1.9 and 1.10 are both there.
    pub fn name(&self, at: At) -> String {
        match (self.symbolic, self.second_major) {
            (true, _) if at == 0 => "X".to_owned(),
            (true, _) => format!("X+{at}"),
            (false, Some(second)) if at >= second => format!("2.{}", at - second),
            (false, _) => format!("1.{}", at + 8),
        }
    }

    pub fn nameable(&self, at: At) -> bool {
        at < self.listed() || (at < self.listed() + 90 && (self.symbolic || self.cadence.is_some()))
    }

    /// The first release at which something can be planned (P1).
    pub fn floor(&self) -> At {
        self.current.map_or(0, |current| current + 1)
    }

    pub fn day(&self, at: At) -> Option<NaiveDate> {
        if let Some(Some(day)) = self.days.get(at) {
            return Some(*day);
        }
        let last = self.days.iter().rposition(Option::is_some)?;
        let ahead = u32::try_from(at - last).expect("calendars are small");
        Some(months_later(self.days[last]?, self.cadence? * ahead))
    }

    /// Whether a release is as many months after another; `None` if there is no telling.
    pub fn is_later(&self, from: At, at: At, span: Span, exactly_or: std::cmp::Ordering) -> Option<bool> {
        let ordering = match (self.symbolic, self.cadence) {
            (true, Some(cadence)) => {
                let apart = u32::try_from(at - from).expect("calendars are small");
                (apart * cadence).cmp(&span.months)
            }
            (true, None) => return None,
            (false, _) => {
                let target = months_later(self.day(from)?, span.months);
                let grace = if exactly_or.is_gt() { span.grace } else { 0 };
                self.day(at)?.cmp(&(target - Days::new(grace)))
            }
        };
        Some(ordering.is_eq() || ordering == exactly_or)
    }

    /// "max(d+n, first r with D(r) ≥ D(d)+m months)"; where dates end, the first release of which none is known.
    pub fn earliest(&self, from: At, span: Span) -> At {
        let counted = from + span.releases;
        if span.months == 0 {
            return counted;
        }
        let late_enough = |at: &At| self.is_later(from, *at, span, std::cmp::Ordering::Greater) != Some(false);
        let by_months = (from..from + FAR).find(late_enough).expect("dates go on");
        counted.max(by_months)
    }

    /// "max(i+n, last r with D(r) ≤ D(i)+m months)".
    pub fn latest(&self, from: At, span: Span) -> At {
        let counted = from + span.releases;
        if span.months == 0 {
            return counted;
        }
        let soon_enough = |at: &At| self.is_later(from, *at, span, std::cmp::Ordering::Less) == Some(true);
        let by_months = (from..from + FAR).rev().find(soon_enough).unwrap_or(from);
        counted.max(by_months)
    }

    pub fn next_major(&self, from: At) -> At {
        match self.second_major {
            Some(second) if !self.symbolic && from < second => second,
            _ => NEVER,
        }
    }
}

/// The same day so many months later, or the last of that month.
pub fn months_later(day: NaiveDate, months: u32) -> NaiveDate {
    let counted = day.month0() + months;
    let year = day.year() + i32::try_from(counted / 12).expect("a small number");
    (1..=day.day())
        .rev()
        .find_map(|date| NaiveDate::from_ymd_opt(year, counted % 12 + 1, date))
        .expect("every month has a first day")
}

/// What an edition says, as far as it decides what is planned.
#[derive(Debug, Clone)]
pub struct Edition {
    /// Of a built-in policy, or of the text.
    pub name: String,
    /// A policy of the user's own.
    pub text: Option<String>,
    /// A beta is deprecated no later than this after its introduction.
    pub beta_within: Option<Span>,
    pub beta_after: Span,
    /// `None`: not before the next major.
    pub ga_after: Option<Span>,
    pub until_replacement: bool,
    /// STABLE metrics: life in the class, functioning after deprecation, offset of hiding.
    pub metric: Option<[Span; 3]>,
    pub grace: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Life {
    pub introduced: Option<At>,
    pub deprecated: Option<At>,
    pub never: bool,
    pub removed: Option<At>,
}

/// `(major, track, number)`, where alpha is 0, beta 1 and GA 2.
pub type Name = (u32, u8, u32);

#[derive(Debug, Clone)]
pub struct Version {
    pub name: Name,
    pub life: Life,
    /// The version, by position, that it names as its replacement.
    pub replacement: Option<usize>,
}

#[derive(Debug, Clone)]
pub struct Kind {
    pub name: String,
    /// By the position of the version; what is not said there the version says.
    pub within: BTreeMap<usize, Life>,
    pub stored: BTreeMap<usize, At>,
}

#[derive(Debug, Clone)]
pub struct Group {
    pub name: String,
    pub versions: Vec<Version>,
    pub kinds: Vec<Kind>,
    pub preferred: BTreeMap<usize, At>,
}

/// What is not a version: it ends once it is deprecated.
#[derive(Debug, Clone)]
pub enum Other {
    Flag {
        admin: bool,
        track: u8,
        life: Life,
    },
    Behavior {
        life: Life,
    },
    /// Alpha at the first release, beta and GA at the others.
    Gate {
        since: [At; 3],
        removed: Option<At>,
    },
    /// STABLE.
    Metric {
        since: At,
        life: Life,
        hidden: Option<At>,
    },
}

#[derive(Clone)]
pub struct World {
    /// Each from a release on.
    pub editions: Vec<(At, Edition)>,
    pub dates: Dates,
    pub groups: Vec<Group>,
    pub others: Vec<Other>,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policies = self.editions.iter().filter_map(|(_, edition)| edition.text.as_deref());
        write!(f, "\n{}---\n{}", policies.collect::<String>(), self.text())
    }
}

/// What ends when: deprecated, hidden, removed.
pub type Ends = BTreeMap<String, [Option<At>; 3]>;

/// Versions, by position, one a release.
pub type Walk = Vec<Option<usize>>;

pub struct JudgedLife {
    pub id: String,
    pub version: usize,
    pub kind: Option<usize>,
    pub life: Life,
}

pub fn version_name((major, track, number): Name) -> String {
    match track {
        0 => format!("v{major}alpha{number}"),
        1 => format!("v{major}beta{number}"),
        _ => format!("v{major}"),
    }
}

/// GA > beta > alpha, then major, then number.
pub fn rank((major, track, number): Name) -> (u8, u32, u32) {
    (track, major, number)
}

impl Group {
    /// Whose lives are judged: each kind in each version, and a version without kinds itself.
    pub fn judged_lives(&self) -> Vec<JudgedLife> {
        let mut judged_lives = Vec::new();
        for (at, version) in self.versions.iter().enumerate() {
            let id = format!("{}/{}", self.name, version_name(version.name));
            let kinds = self.kinds.iter().enumerate().filter_map(|(kind, said)| {
                let own = said.within.get(&at)?;
                Some(JudgedLife {
                    id: format!("{id} {}", said.name),
                    version: at,
                    kind: Some(kind),
                    life: Life {
                        introduced: own.introduced.or(version.life.introduced),
                        deprecated: own.deprecated.or(version.life.deprecated),
                        never: own.never || version.life.never,
                        removed: own.removed.or(version.life.removed),
                    },
                })
            });
            let before = judged_lives.len();
            judged_lives.extend(kinds);
            if judged_lives.len() == before {
                judged_lives.push(JudgedLife {
                    id,
                    version: at,
                    kind: None,
                    life: version.life,
                });
            }
        }
        judged_lives
    }

    /// P2: serves the same kind, higher in (major, track, number), at least as stable. The earliest's introduction,
    /// whether or not that one is gone again before the other comes.
    pub fn earliest_successor(&self, judged_lives: &[JudgedLife], of: &JudgedLife) -> Option<At> {
        let (major, track, number) = self.versions[of.version].name;
        judged_lives
            .iter()
            .filter(|other| other.kind == of.kind)
            .filter(|other| self.versions[other.version].name > (major, track, number))
            .filter(|other| self.versions[other.version].name.1 >= track)
            .filter_map(|other| other.life.introduced)
            .min()
    }

    /// Which life that is declared to be deprecated names which as its replacement: a version without kinds, or each
    /// kind in both versions.
    pub fn replaced<'b>(&self, judged_lives: &'b [JudgedLife]) -> Vec<(&'b JudgedLife, &'b JudgedLife)> {
        let with = judged_lives.iter().filter_map(|old| {
            let target = self.versions[old.version]
                .replacement
                .filter(|_| old.life.deprecated.is_some())?;
            let mut others = judged_lives.iter();
            Some((old, others.find(|new| new.version == target && new.kind == old.kind)?))
        });
        with.collect()
    }

    /// Rule 4b: the last of the older versions is not removed in the release that introduces a new one. Returns which
    /// one, and the first release that may lack it. Storage is a kind's. Preference is judged where no older version
    /// has a kind of the new one. Where nothing is served between, the new version, if it is higher and at least as
    /// stable, is the next of the same kind.
    pub fn moves_of_kinds<'b>(&self, judged_lives: &'b [JudgedLife], ends: &Ends) -> Vec<(&'b JudgedLife, At)> {
        let mut kinds: Vec<usize> = judged_lives.iter().filter_map(|own| own.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut moves = Vec::new();
        for kind in kinds {
            let line = judged_lives.iter().filter(|own| own.kind == Some(kind));
            moves.extend(self.moves_in(line.map(|own| vec![own]).collect(), ends, Some(kind), &|_| false));
        }
        moves
    }

    /// The same of versions.
    pub fn moves_of_versions<'b>(&self, judged_lives: &'b [JudgedLife], ends: &Ends) -> Vec<(&'b JudgedLife, At)> {
        let versions = (0..self.versions.len()).map(|at| judged_lives.iter().filter(|own| own.version == at).collect());
        let common = |new: &Served<'b>| {
            let own = judged_lives
                .iter()
                .filter(|own| own.version == new.version && own.kind.is_some());
            own.into_iter().any(|own| {
                let mut older = judged_lives
                    .iter()
                    .filter(|old| old.kind == own.kind && old.version != own.version);
                older.any(|old| old.life.introduced < Some(new.since))
            })
        };
        self.moves_in(versions.collect(), ends, None, &common)
    }

    fn moves_in<'b>(
        &self,
        line: Vec<Vec<&'b JudgedLife>>,
        ends: &Ends,
        kind: Option<usize>,
        common: &dyn Fn(&Served<'b>) -> bool,
    ) -> Vec<(&'b JudgedLife, At)> {
        let mut all: Vec<Served<'b>> = line.into_iter().flat_map(|own| served(own, ends)).collect();
        all.sort_by_key(|own| own.since);
        let mut moves = Vec::new();
        for at in 0..all.len() {
            let since = all[at].since;
            let name = |own: usize| self.versions[all[own].version].name;
            let older: Vec<usize> = (0..at).filter(|old| all[*old].since < since).collect();
            let last = older
                .iter()
                .copied()
                .max_by_key(|old| (all[*old].until, rank(name(*old))));
            let last = match last.map(|last| all[last].until) {
                Some(until) if until < since => {
                    let same = older
                        .into_iter()
                        .filter(|old| all[*old].last.kind == kind && name(*old).1 != 0);
                    let last = same.max_by_key(|old| (all[*old].until, rank(name(*old))));
                    let is_next = |old: &usize| rank(name(at)) > rank(name(*old)) && name(at).1 >= name(*old).1;
                    last.filter(|old| all[at].last.kind == kind && is_next(old))
                }
                Some(until) if until == since => last.filter(|last| name(*last).1 != 0),
                _ => None,
            };
            if let Some(last) = last.filter(|_| !common(&all[at])) {
                all[last].until = since + 1;
                moves.push((all[last].last, since + 1));
            }
        }
        moves
    }
}

/// What an end waits for beside its own windows, by the ids of what ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Waits {
    deprecated: BTreeMap<String, At>,
    removed: BTreeMap<String, At>,
}

impl Waits {
    fn until(known: &mut BTreeMap<String, At>, id: &str, at: At) {
        let known = known.entry(id.to_owned()).or_default();
        *known = at.max(*known);
    }
}

/// A version served without a gap: from when on, until when, and the life that ends last.
pub struct Served<'b> {
    version: usize,
    since: At,
    until: At,
    last: &'b JudgedLife,
}

fn served<'b>(mut judged_lives: Vec<&'b JudgedLife>, ends: &Ends) -> Vec<Served<'b>> {
    judged_lives.retain(|own| own.life.introduced.is_some());
    judged_lives.sort_by_key(|own| own.life.introduced);
    let mut served: Vec<Served<'b>> = Vec::new();
    for own in judged_lives {
        let since = own.life.introduced.unwrap_or(NEVER);
        let until = ends[&own.id][2].unwrap_or(NEVER);
        match served.last_mut() {
            Some(last) if since <= last.until => {
                if until > last.until {
                    (last.until, last.last) = (until, own);
                }
            }
            _ => served.push(Served {
                version: own.version,
                since,
                until,
                last: own,
            }),
        }
    }
    served
}

impl World {
    /// The edition under which something announced in a release is judged.
    pub fn edition(&self, at: At) -> &Edition {
        let in_force = self.editions.iter().rev().find(|(from, _)| *from <= at);
        &in_force.unwrap_or(&self.editions[0]).1
    }

    /// The deadline of a beta: of the first edition that sets one, whose clock starts when it came into force.
    pub fn deadline(&self, introduced: At) -> Option<At> {
        let own = self.editions.iter().rposition(|(from, _)| *from <= introduced);
        let later = &self.editions[own.unwrap_or(0)..];
        let (clock, within) = later
            .iter()
            .find_map(|(from, edition)| Some(((*from).max(introduced), edition.beta_within?)))?;
        Some(self.dates.latest(clock, within))
    }

    /// When everything ends, as declared or planned.
    pub fn ends(&self) -> Ends {
        let mut ends = Ends::new();
        for group in &self.groups {
            self.ends_of_group(group, &mut ends);
        }
        for (at, other) in self.others.iter().enumerate() {
            ends.insert(other_id(at, other), self.end_of_other(other));
        }
        ends
    }

    /// What waits until another version is served beside it may end where yet another one begins.
    pub fn ends_of_group(&self, group: &Group, ends: &mut Ends) {
        let judged_lives = group.judged_lives();
        let mut waits = Waits::default();
        loop {
            self.ends_beside(group, &judged_lives, &waits, ends);
            let before = waits.clone();
            for (old, at) in group.moves_of_kinds(&judged_lives, ends) {
                Waits::until(&mut waits.removed, &old.id, at);
            }
            // A version that stays for a kind may be what the group moves from.
            if waits == before {
                for (old, at) in group.moves_of_versions(&judged_lives, ends) {
                    Waits::until(&mut waits.removed, &old.id, at);
                }
            }
            for (old, new) in group.replaced(&judged_lives) {
                if let [Some(deprecated), _, removed] = ends[&old.id] {
                    Waits::until(&mut waits.deprecated, &new.id, deprecated);
                    Waits::until(&mut waits.removed, &new.id, removed.unwrap_or(NEVER));
                }
            }
            if waits == before {
                break;
            }
        }
    }

    /// Newest versions first: when a version ends depends on higher ones, and on its other kinds.
    fn ends_beside(&self, group: &Group, judged_lives: &[JudgedLife], waits: &Waits, ends: &mut Ends) {
        for version in (0..group.versions.len()).rev() {
            let own = || judged_lives.iter().filter(|own| own.version == version);
            let successors: Vec<Option<At>> = own().map(|own| group.earliest_successor(judged_lives, own)).collect();
            let end = |own: &JudgedLife, announced: Option<At>, successor: Option<At>| {
                let wait = waits.deprecated.get(&own.id).filter(|_| is_open(own.life));
                let announced = announced.map(|announced| wait.map_or(announced, |wait| announced.max(*wait)));
                let removed = self.removal(group, own, announced, successor);
                // A declared removal that is too early is a finding.
                let wait = waits.removed.get(&own.id).filter(|_| own.life.removed.is_none());
                let removed = removed.map(|removed| wait.map_or(removed, |wait| removed.max(*wait)));
                let removed = removed.filter(|removed| *removed != NEVER);
                [self.announced_for(group, own, announced, removed), None, removed]
            };
            let replaced: Vec<Option<At>> = own()
                .zip(&successors)
                .map(|(own, successor)| end(own, self.with_successor(group, own, *successor), *successor)[0])
                .collect();
            let taken_over = replaced
                .iter()
                .zip(&successors)
                .filter(|(_, successor)| successor.is_some());
            let whole = taken_over.filter_map(|(announced, _)| *announced).max();
            let whole = whole.filter(|_| group.versions[version].replacement.is_some());
            for (at, own) in own().enumerate() {
                let orphan = successors[at].is_none() && is_open(own.life);
                let announced = if orphan {
                    self.without_successor(group, own, whole)
                } else {
                    replaced[at]
                };
                ends.insert(own.id.clone(), end(own, announced, successors[at]));
            }
        }
    }

    /// A beta goes when its window ends: where its removal waits, so does a deprecation that is planned, until its own
    /// deadline.
    fn announced_for(&self, group: &Group, own: &JudgedLife, announced: Option<At>, removed: Option<At>) -> Option<At> {
        let (planned, removed) = (announced?, removed.unwrap_or(0));
        let is_beta = group.versions[own.version].name.1 == 1;
        if !is_beta || own.life.deprecated.is_some() || own.life.removed.is_some() {
            return announced;
        }
        let last = own.life.introduced.and_then(|introduced| self.deadline(introduced));
        // An edition without a deadline for deprecations has none for removals either.
        let mut later = (planned..=last.unwrap_or(removed)).map(|at| (at, self.edition(at)));
        let in_time = later.find(|(at, edition)| {
            edition.beta_within.is_none() || self.dates.earliest(*at, edition.beta_after) >= removed
        });
        in_time.map_or(announced, |(at, _)| Some(at))
    }

    /// P2 and P3: "the later of its own introduction and its earliest successor's", or a beta's deadline before that.
    pub fn with_successor(&self, group: &Group, own: &JudgedLife, successor: Option<At>) -> Option<At> {
        if own.life.deprecated.is_some() || !is_open(own.life) {
            return own.life.deprecated;
        }
        let introduced = own.life.introduced?;
        let there = introduced.max(successor?);
        let deadline = self
            .deadline(introduced)
            .filter(|_| group.versions[own.version].name.1 == 1);
        Some(deadline.map_or(there, |due| due.min(there)).max(self.dates.floor()))
    }

    /// P8 and P3: with its version if that names its replacement, or a beta at its deadline; not at all where the
    /// edition demands a successor.
    pub fn without_successor(&self, group: &Group, own: &JudgedLife, whole: Option<At>) -> Option<At> {
        let introduced = own.life.introduced?;
        let deadline = self
            .deadline(introduced)
            .filter(|_| group.versions[own.version].name.1 == 1);
        let allowed = |when: At| {
            let when = when.max(introduced).max(self.dates.floor());
            (!self.edition(when).until_replacement).then_some(when)
        };
        // The version of a sibling with a successor has one: that is what an edition demands.
        let together = whole.map(|whole| deadline.map_or(whole, |deadline| deadline.min(whole)));
        let together = together.map(|when| when.max(introduced).max(self.dates.floor()));
        together.or_else(|| allowed(deadline?))
    }

    /// P5.
    pub fn removal(
        &self,
        group: &Group,
        own: &JudgedLife,
        deprecated: Option<At>,
        successor: Option<At>,
    ) -> Option<At> {
        if own.life.removed.is_some() {
            return own.life.removed;
        }
        let deprecated = deprecated?;
        let edition = self.edition(deprecated);
        let when = match group.versions[own.version].name.1 {
            0 => deprecated.max(successor?),
            1 => self.dates.earliest(deprecated, edition.beta_after),
            _ => self.dates.earliest(deprecated, edition.ga_after?),
        };
        Some(when.max(self.dates.floor()).max(served_once(own.life)))
    }

    pub fn end_of_other(&self, other: &Other) -> [Option<At>; 3] {
        let after = |from: At, window: Span| {
            let grace = self.edition(from).grace;
            self.dates
                .earliest(from, Span { grace, ..window })
                .max(self.dates.floor())
        };
        match other {
            Other::Flag { admin, track, life } => {
                let window = match (admin, track) {
                    (_, 0) => span(0, 0),
                    (_, 1) => span(3, 1),
                    (false, _) => span(12, 2),
                    (true, _) => span(6, 1),
                };
                [life.deprecated, None, end(*life, |from| after(from, window))]
            }
            Other::Behavior { life } => [life.deprecated, None, end(*life, |from| after(from, span(12, 0)))],
            Other::Gate { since, removed } => {
                let ga = since[2];
                [Some(ga), None, removed.or_else(|| Some(after(ga, span(6, 2))))]
            }
            Other::Metric { since, life, hidden } => self.end_of_metric(*since, *life, *hidden),
        }
    }

    /// "hidden = max(deprecated + offset, earliest(deprecated, window))", alive as long as its class asks for; deleted
    /// "no earlier than one release after max(…), whether or not `hidden` is declared".
    pub fn end_of_metric(&self, since: At, life: Life, hidden: Option<At>) -> [Option<At>; 3] {
        let (Some(deprecated), None) = (life.deprecated, life.removed) else {
            return [life.deprecated, hidden, life.removed];
        };
        let edition = self.edition(deprecated);
        let Some([lifetime, functions, offset]) = edition.metric else {
            return [life.deprecated, hidden, None];
        };
        let with_grace = |window: Span| Span {
            grace: edition.grace,
            ..window
        };
        let first = [
            self.dates.earliest(since, with_grace(lifetime)),
            self.dates.earliest(deprecated, with_grace(functions)),
            self.dates.earliest(deprecated, with_grace(offset)),
        ];
        let allowed = first.into_iter().max().expect("there are three");
        let floor = self.dates.floor();
        let deleted = hidden.map_or(0, |hidden| hidden + 1).max(allowed + 1).max(floor);
        // What could be hidden in a release that has shipped is only deleted.
        let hidden = hidden.or_else(|| (allowed >= floor).then_some(allowed));
        [Some(deprecated), hidden, Some(deleted)]
    }
}

/// P6, for the preferred version of a group and the storage version of each of its kinds, up to a release.
pub fn walks(group: &Group, ends: &Ends, until: At) -> (Walk, Vec<Walk>) {
    let judged_lives = group.judged_lives();
    let served = |kind: Option<usize>, version: usize, at: At| {
        judged_lives
            .iter()
            .filter(|own| own.version == version && (kind.is_none() || own.kind == kind))
            .any(|own| {
                let introduced = own.life.introduced.unwrap_or(NEVER);
                introduced <= at && ends[&own.id][2].is_none_or(|removed| at < removed)
            })
    };
    let storage = (0..group.kinds.len()).map(|kind| walk(group, until, &|version, at| served(Some(kind), version, at)));
    let storage = storage.collect();
    (walk(group, until, &|version, at| served(None, version, at)), storage)
}

/// "In each release the highest-ranked version that an *earlier* release served beside the current one; at once where
/// the current one is alpha and gone; in the first release the highest served." Where the current one is gone and
/// nothing ever stood beside it, the highest served: something has to be.
pub fn walk(group: &Group, until: At, served: &dyn Fn(usize, At) -> bool) -> Walk {
    let highest = |candidates: Vec<usize>| candidates.into_iter().max_by_key(|at| rank(group.versions[*at].name));
    let mut walked: Walk = Vec::new();
    for at in 0..=until {
        let there: Vec<usize> = (0..group.versions.len())
            .filter(|version| served(*version, at))
            .collect();
        let current = walked.last().copied().flatten();
        let moved = current.and_then(|current| {
            let gone_alpha = group.versions[current].name.1 == 0 && !served(current, at);
            let beside = |to: usize| (0..at).any(|earlier| served(current, earlier) && served(to, earlier));
            let may = |to: &usize| *to == current || gone_alpha || beside(*to);
            highest(there.iter().copied().filter(may).collect())
        });
        walked.push(moved.or_else(|| highest(there)));
    }
    walked
}

pub fn is_open(life: Life) -> bool {
    life.deprecated.is_none() && life.removed.is_none() && !life.never
}

/// A life lasts a release at least; what ends where it begins never was.
pub fn served_once(life: Life) -> At {
    life.introduced.map_or(0, |introduced| introduced + 1)
}

pub fn end(life: Life, after: impl Fn(At) -> At) -> Option<At> {
    life.removed
        .or_else(|| Some(after(life.deprecated?).max(served_once(life))))
}

pub fn other_id(at: usize, other: &Other) -> String {
    match other {
        Other::Flag { admin: false, .. } => format!("cli user --flag{at}"),
        Other::Flag { admin: true, .. } => format!("cli admin --flag{at}"),
        Other::Behavior { .. } => format!("behavior behavior{at}"),
        Other::Gate { .. } => format!("gate Gate{at}"),
        Other::Metric { .. } => format!("metric metric{at}"),
    }
}

// As TOML.

impl World {
    pub fn text(&self) -> String {
        self.turned_text(0)
    }

    /// The same model with its tables, and the lines of each, in another order.
    pub fn turned_text(&self, turn: usize) -> String {
        let mut tables = self.tables();
        if turn > 0 {
            let count = tables.len();
            tables.rotate_left(turn % count);
            for (_, lines) in &mut tables {
                lines.reverse();
            }
        }
        let mut text = self.policy();
        for (header, lines) in tables {
            let _ = writeln!(text, "[{header}]");
            for line in lines {
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }

    pub fn policy(&self) -> String {
        let [(_, only)] = self.editions.as_slice() else {
            let editions = self.editions.iter().map(|(from, edition)| {
                format!(
                    "{{ use = \"{}\", from = \"{}\" }}",
                    edition.name,
                    self.dates.name(*from)
                )
            });
            return format!("policy = [{}]\n", editions.collect::<Vec<_>>().join(", "));
        };
        format!("policy = \"{}\"\n", only.name)
    }

    pub fn tables(&self) -> Vec<(String, Vec<String>)> {
        let mut tables = self.calendar();
        for group in &self.groups {
            self.group_tables(group, &mut tables);
        }
        for component in ["user", "admin"] {
            tables.push((format!("cli.{component}"), vec![format!("audience = \"{component}\"")]));
        }
        for (at, other) in self.others.iter().enumerate() {
            tables.push(self.other_table(at, other));
        }
        tables
    }

    pub fn calendar(&self) -> Vec<(String, Vec<String>)> {
        let dates = &self.dates;
        let mut lines = Vec::new();
        if let Some(current) = dates.current {
            lines.push(format!("current = \"{}\"", dates.name(current)));
        }
        if let Some(cadence) = dates.cadence {
            lines.push(format!("cadence = {{ months = {cadence} }}"));
        }
        if dates.symbolic {
            lines.push(format!("symbolic = {{ origin = \"X\", count = {} }}", dates.listed()));
            return vec![("calendar".to_owned(), lines)];
        }
        let days = dates.days.iter().enumerate().map(|(at, day)| {
            let day = day.map_or("\"unscheduled\"".to_owned(), |day| day.to_string());
            format!("\"{}\" = {day}", dates.name(at))
        });
        vec![
            ("calendar".to_owned(), lines),
            ("calendar.releases".to_owned(), days.collect()),
        ]
    }

    pub fn life(&self, life: Life) -> Vec<String> {
        let said = |key: &str, at: Option<At>| at.map(|at| format!("{key} = \"{}\"", self.dates.name(at)));
        let never = life.never.then(|| "deprecated = \"never\"".to_owned());
        let all = [
            said("introduced", life.introduced),
            said("deprecated", life.deprecated),
            never,
            said("removed", life.removed),
        ];
        all.into_iter().flatten().collect()
    }

    pub fn group_tables(&self, group: &Group, tables: &mut Vec<(String, Vec<String>)>) {
        let name = |at: usize| version_name(group.versions[at].name);
        let moves = |moves: &BTreeMap<usize, At>| -> Vec<String> {
            let moves = moves.iter();
            moves
                .map(|(at, when)| format!("{} = \"{}\"", name(*at), self.dates.name(*when)))
                .collect()
        };
        let lines = group.versions.iter().enumerate().map(|(at, version)| {
            let mut said = self.life(version.life);
            said.extend(
                version
                    .replacement
                    .map(|other| format!("replacement = \"{}\"", name(other))),
            );
            if said.is_empty() {
                said.push(String::new());
            }
            format!("{} = {{ {} }}", name(at), said.join(", "))
        });
        let group_name = format!("group.\"{}\"", group.name);
        tables.push((format!("{group_name}.version"), lines.collect()));
        if !group.preferred.is_empty() {
            tables.push((format!("{group_name}.preferred"), moves(&group.preferred)));
        }
        for kind in &group.kinds {
            let mut lines = Vec::new();
            let within = kind.within.iter();
            lines.push(format!(
                "versions = [{}]",
                within
                    .clone()
                    .map(|(at, _)| format!("\"{}\"", name(*at)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
            for (at, life) in within.filter(|(_, life)| **life != Life::default()) {
                lines.push(format!("version.{} = {{ {} }}", name(*at), self.life(*life).join(", ")));
            }
            for said in moves(&kind.stored) {
                lines.push(format!("storage.{said}"));
            }
            lines.push("field.\"spec.size\" = {}".to_owned());
            lines.push("enum.\"spec.day\".Tuesday = {}".to_owned());
            tables.push((format!("{group_name}.kind.{}", kind.name), lines));
        }
    }

    pub fn other_table(&self, at: usize, other: &Other) -> (String, Vec<String>) {
        let name = |at: At| self.dates.name(at);
        match other {
            Other::Flag { admin, track, life } => {
                let component = if *admin { "admin" } else { "user" };
                let stage = ["alpha", "beta", "GA"][usize::from(*track)];
                let mut lines = self.life(*life);
                lines.push(format!("stage = \"{stage}\""));
                lines.push("warning = \"it goes\"".to_owned());
                (format!("cli.{component}.flag.\"--flag{at}\""), lines)
            }
            Other::Behavior { life } => (format!("behavior.behavior{at}"), self.life(*life)),
            Other::Gate { since, removed } => {
                let [alpha, beta, ga] = since.map(name);
                let specs = format!(
                    "specs = [{{ stage = \"alpha\", since = \"{alpha}\", default = false }}, {{ stage = \"beta\", \
                     since = \"{beta}\", default = true }}, {{ stage = \"GA\", since = \"{ga}\", default = true, locked = true }}]"
                );
                let life = Life {
                    removed: *removed,
                    ..Life::default()
                };
                let mut lines = self.life(life);
                lines.push(specs);
                lines.push("warning = \"it goes\"".to_owned());
                lines.push("operational = false".to_owned());
                (format!("gate.Gate{at}"), lines)
            }
            Other::Metric { since, life, hidden } => {
                let mut lines = self.life(*life);
                lines.push(format!(
                    "specs = [{{ stage = \"STABLE\", since = \"{}\" }}]",
                    name(*since)
                ));
                lines.extend(hidden.map(|hidden| format!("hidden = \"{}\"", name(hidden))));
                (format!("metric.metric{at}"), lines)
            }
        }
    }
}

// Worlds.

pub fn built_in(name: &str, beta_within: bool, ga_after: bool, metric: Option<[Span; 3]>) -> Edition {
    Edition {
        name: name.to_owned(),
        text: None,
        beta_within: beta_within.then_some(span(9, 3)),
        beta_after: span(9, 3),
        ga_after: ga_after.then_some(span(12, 3)),
        until_replacement: ga_after,
        metric,
        grace: 0,
    }
}

pub fn kubernetes() -> Edition {
    built_in("kubernetes", true, false, Some([span(12, 4), span(9, 3), span(0, 3)]))
}

pub fn built_ins() -> [Edition; 4] {
    let metric_2022 = Some([span(12, 4), span(9, 3), span(0, 3)]);
    let metric_2021 = Some([span(0, 3), span(0, 1), span(0, 1)]);
    [
        kubernetes(),
        built_in("kubernetes-2025", true, false, metric_2022),
        built_in("kubernetes-2019", false, true, None),
        built_in("kubernetes-2021", false, true, metric_2021),
    ]
}

/// A policy of the user's own: other windows, and days of grace.
pub fn custom((within, after): (Span, Span), ga_after: Option<Span>, grace: u64) -> Edition {
    let window = |span: Span| format!("{{ months = {}, releases = {} }}", span.months, span.releases);
    let ga = ga_after.map_or(String::new(), |span| {
        format!("ga = {{ remove = \"any\", after-deprecation = {} }}\n", window(span))
    });
    let text = format!(
        "name = \"custom\"\nextends = \"kubernetes\"\ngrace = {{ days = {grace} }}\n[rule.version-lifetime]\n{ga}\
         beta = {{ deprecate-within = {}, after-deprecation = {after}, remove-within = {after} }}\n",
        window(within),
        after = window(after)
    );
    Edition {
        name: "custom.toml".to_owned(),
        text: Some(text),
        beta_within: Some(within),
        beta_after: Span { grace, ..after },
        ga_after: ga_after.map(|span| Span { grace, ..span }),
        grace,
        ..kubernetes()
    }
}

pub fn window() -> impl Strategy<Value = Span> {
    (0_u32..16, 0_usize..5).prop_map(|(months, releases)| span(months, releases))
}

/// At least a release, so that what is there for one release only stays out of the way.
pub fn lasting() -> impl Strategy<Value = Span> {
    window().prop_map(|window| Span {
        releases: window.releases.max(1),
        ..window
    })
}

pub fn one_edition() -> impl Strategy<Value = Vec<(At, Edition)>> {
    let own = ((window(), lasting()), prop::option::of(lasting()), 0_u64..20);
    prop_oneof![
        3 => prop::sample::select(built_ins().to_vec()),
        1 => own.prop_map(|(windows, ga, grace)| custom(windows, ga, grace)),
    ]
    .prop_map(|edition| vec![(0, edition)])
}

pub fn dates() -> impl Strategy<Value = Dates> {
    let current = prop::option::of(0_usize..8);
    let cadence = prop::option::of(prop::sample::select(vec![1_u32, 2, 3, 4, 5, 6, 12]));
    let symbolic = (4_usize..=8, cadence.clone(), current.clone()).prop_map(|(count, cadence, current)| Dates {
        symbolic: true,
        days: vec![None; count],
        cadence,
        current: current.filter(|current| *current < count),
        second_major: None,
    });
    let gaps = prop::collection::vec(0_u64..220, 4..=8);
    let dated = (
        0_u64..400,
        gaps,
        0_usize..3,
        cadence,
        current,
        prop::option::of(1_usize..8),
    );
    let dated = dated.prop_map(|(first, gaps, unscheduled, cadence, current, major)| {
        let count = gaps.len();
        let mut day = NaiveDate::from_ymd_opt(2019, 12, 1).expect("a day") + Days::new(first);
        let mut days = Vec::new();
        for (at, gap) in gaps.into_iter().enumerate() {
            day = day + Days::new(gap);
            days.push((at + unscheduled < count).then_some(day));
        }
        Dates {
            symbolic: false,
            days,
            cadence,
            current: current.filter(|current| *current < count),
            second_major: major.filter(|major| *major < count),
        }
    });
    prop_oneof![symbolic, dated]
}

/// What a life is made from: introduced, and how much later deprecated and removed, if that is declared.
pub type RawLife = (usize, Option<usize>, Option<usize>, bool);

pub fn raw_life() -> impl Strategy<Value = RawLife> {
    let declared = |most: usize| prop::option::weighted(0.25, 0..most);
    (0_usize..8, declared(5), declared(8), prop::bool::weighted(0.06))
}

pub fn life((introduced, deprecated, removed, never): RawLife, dates: &Dates) -> Life {
    let introduced = introduced % dates.listed();
    let named = |at: At| Some(at).filter(|at| dates.nameable(*at));
    let deprecated = deprecated.and_then(|after| named(introduced + after));
    let removed = removed.and_then(|after| named(deprecated.unwrap_or(introduced).max(introduced + 1) + after));
    Life {
        introduced: Some(introduced),
        deprecated,
        never: never && deprecated.is_none(),
        removed,
    }
}

pub type RawVersion = (Name, RawLife);
/// Which versions have the kind, and in one of them how much later it enters.
pub type RawKind = (u8, Option<(usize, usize)>);

pub fn raw_group() -> impl Strategy<Value = RawGroup> {
    let name = (1_u32..=2, 0_u8..3, 1_u32..=2);
    let kind = (any::<u8>(), prop::option::weighted(0.3, (0_usize..6, 0_usize..4)));
    (
        prop::collection::vec((name, raw_life()), 1..=6),
        prop::collection::vec(kind, 0..=2),
        prop::option::of((0_usize..6, 0_usize..6)),
    )
}

/// Its versions and kinds, and which version names which as its replacement.
pub type RawGroup = (Vec<RawVersion>, Vec<RawKind>, Option<(usize, usize)>);

pub fn group(name: &str, (raw, kinds, named): RawGroup, dates: &Dates) -> Group {
    let mut versions: BTreeMap<Name, Version> = BTreeMap::new();
    for ((major, track, number), raw) in raw {
        let name = (major, track, if track == 2 { 0 } else { number });
        let life = life(raw, dates);
        versions.entry(name).or_insert(Version {
            name,
            life,
            replacement: None,
        });
    }
    let mut versions: Vec<Version> = versions.into_values().collect();
    let kinds = kinds
        .into_iter()
        .enumerate()
        .map(|(at, raw)| kind(at, raw, &versions, dates));
    let kinds: Vec<Kind> = kinds.filter(|kind| !kind.within.is_empty()).collect();
    let has_kinds = |at: usize| kinds.iter().any(|kind| kind.within.contains_key(&at));
    if let Some((old, new)) = named.filter(|(old, new)| old < new && *new < versions.len())
        && versions[new].name.1 >= versions[old].name.1
        // Naming what is deprecated or removed is an error once the deprecation is declared.
        && is_open(versions[new].life)
        && has_kinds(old)
        && has_kinds(new)
    {
        versions[old].replacement = Some(new);
    }
    Group {
        name: name.to_owned(),
        kinds,
        versions,
        preferred: BTreeMap::new(),
    }
}

pub fn kind(at: usize, (mask, entry): RawKind, versions: &[Version], dates: &Dates) -> Kind {
    let present = (0..versions.len()).filter(|version| mask & (1 << version) != 0);
    let mut within: BTreeMap<usize, Life> = present.map(|version| (version, Life::default())).collect();
    if let Some((version, later)) = entry
        && let Some(own) = within.get_mut(&version)
    {
        let life = versions[version].life;
        let enters = life.introduced.map(|at| at + later).filter(|at| *at < dates.listed());
        if life.deprecated.is_none() && life.removed.is_none() {
            own.introduced = enters;
        }
    }
    Kind {
        name: ["Gadget", "Widget"][at].to_owned(),
        within,
        stored: BTreeMap::new(),
    }
}

pub type RawOther = (u8, bool, u8, RawLife, [usize; 3]);

pub fn other((sort, admin, track, raw, since): RawOther, dates: &Dates) -> Other {
    let life = life(raw, dates);
    let life = Life { never: false, ..life };
    let since = {
        let first = since[0] % dates.listed();
        let second = first + since[1] % 3;
        [first, second, second + 1 + since[2] % 2]
    };
    match sort % 4 {
        0 => Other::Flag { admin, track, life },
        1 if since[1] > since[0] && since[2] < dates.listed() => Other::Gate { since, removed: None },
        2 => Other::Metric {
            since: life.introduced.unwrap_or(0),
            life: Life {
                introduced: None,
                ..life
            },
            hidden: None,
        },
        _ => Other::Behavior { life },
    }
}

pub fn raw_other() -> impl Strategy<Value = RawOther> {
    let deprecated = (
        0_usize..8,
        prop::option::of(0_usize..5),
        prop::option::weighted(0.2, 0_usize..8),
    );
    let life = deprecated.prop_map(|(introduced, deprecated, removed)| (introduced, deprecated, removed, false));
    (
        any::<u8>(),
        any::<bool>(),
        0_u8..3,
        life,
        prop::array::uniform3(0_usize..8),
    )
}

pub fn world_under(editions: impl Strategy<Value = Vec<(At, Edition)>>) -> impl Strategy<Value = World> {
    let groups = prop::collection::vec(raw_group(), 1..=2);
    let others = prop::collection::vec(raw_other(), 0..=3);
    (editions, dates(), groups, others).prop_map(|(editions, dates, groups, others)| World {
        groups: groups
            .into_iter()
            .zip(["one.example.com", "two.example.com"])
            .map(|(raw, name)| group(name, raw, &dates))
            .collect(),
        others: others.into_iter().map(|raw| other(raw, &dates)).collect(),
        editions,
        dates,
    })
}

pub fn world() -> impl Strategy<Value = World> {
    world_under(one_edition())
}

pub fn evaluated_text(world: &World, text: &str) -> Evaluation {
    match load(world, text, None) {
        Ok(evaluation) => evaluation,
        Err(errors) => panic!("{errors:#?}\n{text}"),
    }
}

pub fn load(world: &World, text: &str, as_of: Option<AsOf>) -> Result<Evaluation, Vec<Diagnostic>> {
    load_supposing(world, text, as_of, &[])
}

pub fn load_supposing(
    world: &World,
    text: &str,
    as_of: Option<AsOf>,
    more: &[Supposition],
) -> Result<Evaluation, Vec<Diagnostic>> {
    let documents = [Document::parse(FileId(0), text)];
    let mut load = with_policies(world, &documents);
    for supposition in more {
        load.suppose(*supposition);
    }
    if let Some(moment) = as_of {
        load.as_of(moment);
    }
    load.evaluate()
}

/// The input of a world's evaluation.
pub fn with_policies<'d>(world: &'d World, documents: &'d [Document<'d>]) -> Load<'d> {
    let mut load = Load::new(documents);
    for (_, edition) in &world.editions {
        if let Some(policy) = &edition.text {
            load.add_policy(edition.name.clone(), Document::parse(FileId(1), policy));
        }
    }
    load
}

/// A policy whose windows need not go together, so that some plans cannot be.
pub fn odd_policy() -> impl Strategy<Value = String> {
    let windows = (
        prop::option::of(window()),
        prop::option::of(window()),
        prop::option::of(window()),
    );
    (windows, any::<bool>(), prop::option::of(window())).prop_map(|((within, after, gone), until, ga)| {
        let written = |name: &str, span: Option<Span>| match span {
            Some(span) => format!("{name} = {{ months = {}, releases = {} }}", span.months, span.releases),
            None => format!("{name} = false"),
        };
        let ga = ga.map_or(String::new(), |span| format!("ga = {{ remove = \"any\", {} }}", written("after-deprecation", Some(span))));
        format!(
            "name = \"odd\"\nextends = \"kubernetes\"\n[rule.version-replacement]\nuntil-replacement-released = {until}\n\
             [rule.version-lifetime]\n{ga}\nbeta = {{ {}, {}, {} }}\n",
            written("deprecate-within", within),
            written("after-deprecation", after),
            written("remove-within", gone)
        )
    })
}

pub fn odd_edition() -> impl Strategy<Value = Vec<(At, Edition)>> {
    odd_policy().prop_map(|text| {
        let edition = Edition {
            name: "odd.toml".to_owned(),
            text: Some(text),
            ..kubernetes()
        };
        vec![(0, edition)]
    })
}

/// Some declared moves, which hold removals back.
pub fn world_with_moves() -> impl Strategy<Value = World> {
    let moved = prop::collection::vec((0_usize..6, 0_usize..8), 0..3);
    (world_under(odd_edition()), moved).prop_map(|(mut world, moved)| {
        let group = &mut world.groups[0];
        for (version, at) in moved {
            if version < group.versions.len() && at < world.dates.listed() {
                group.preferred.insert(version, at);
                for kind in group.kinds.iter_mut().filter(|kind| kind.within.contains_key(&version)) {
                    kind.stored.insert(version, at);
                }
            }
        }
        world
    })
}
