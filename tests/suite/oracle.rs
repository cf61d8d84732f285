//! What a plan must be, worked out a second time and in another way.
//!
//! Nothing here is shared with the solver: dates, windows, principles and the walk of rule 4b are written down anew
//! from RULES.md, by exhaustive search or by definition, slow and plain. [`World`] is a small model, with its own way
//! to TOML.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use chrono::{Datelike, Days, NaiveDate};
use lifecycle::model::{ElementKind, Event, EventKind, Model};
use lifecycle::obligation::{Anchor, Demand, Obligations, Reach, Term};
use lifecycle::release::{Release, Window};
use lifecycle::stability::Stage;

/// A release, by its position in the calendar.
pub type At = usize;

/// After all releases.
pub const NEVER: At = usize::MAX;

/// How far past the calendar a search looks. Longer than any window of the tests.
const FAR: usize = 60;

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

    fn day(&self, at: At) -> Option<NaiveDate> {
        if let Some(Some(day)) = self.days.get(at) {
            return Some(*day);
        }
        let last = self.days.iter().rposition(Option::is_some)?;
        let ahead = u32::try_from(at - last).expect("calendars are small");
        Some(months_later(self.days[last]?, self.cadence? * ahead))
    }

    /// Whether a release is as many months after another; `None` if there is no telling.
    fn is_later(&self, from: At, at: At, span: Span, exactly_or: std::cmp::Ordering) -> Option<bool> {
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

    fn next_major(&self, from: At) -> At {
        match self.second_major {
            Some(second) if !self.symbolic && from < second => second,
            _ => NEVER,
        }
    }
}

/// The same day so many months later, or the last of that month.
fn months_later(day: NaiveDate, months: u32) -> NaiveDate {
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

struct Bearer {
    id: String,
    version: usize,
    kind: Option<usize>,
    life: Life,
}

pub fn version_name((major, track, number): Name) -> String {
    match track {
        0 => format!("v{major}alpha{number}"),
        1 => format!("v{major}beta{number}"),
        _ => format!("v{major}"),
    }
}

/// GA > beta > alpha, then major, then number.
fn rank((major, track, number): Name) -> (u8, u32, u32) {
    (track, major, number)
}

impl Group {
    /// Whose lives are judged: each kind in each version, and a version without kinds itself.
    fn bearers(&self) -> Vec<Bearer> {
        let mut bearers = Vec::new();
        for (at, version) in self.versions.iter().enumerate() {
            let id = format!("{}/{}", self.name, version_name(version.name));
            let kinds = self.kinds.iter().enumerate().filter_map(|(kind, said)| {
                let own = said.within.get(&at)?;
                Some(Bearer {
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
            let before = bearers.len();
            bearers.extend(kinds);
            if bearers.len() == before {
                bearers.push(Bearer {
                    id,
                    version: at,
                    kind: None,
                    life: version.life,
                });
            }
        }
        bearers
    }

    /// P2: serves the same kind, higher in (major, track, number), at least as stable. The earliest's introduction,
    /// whether or not that one is gone again before the other comes.
    fn earliest_successor(&self, bearers: &[Bearer], of: &Bearer) -> Option<At> {
        let (major, track, number) = self.versions[of.version].name;
        bearers
            .iter()
            .filter(|other| other.kind == of.kind)
            .filter(|other| self.versions[other.version].name > (major, track, number))
            .filter(|other| self.versions[other.version].name.1 >= track)
            .filter_map(|other| other.life.introduced)
            .min()
    }
}

impl World {
    /// The edition under which something announced in a release is judged.
    fn edition(&self, at: At) -> &Edition {
        let in_force = self.editions.iter().rev().find(|(from, _)| *from <= at);
        &in_force.unwrap_or(&self.editions[0]).1
    }

    /// The deadline of a beta: of the first edition that sets one, whose clock starts when it came into force.
    fn deadline(&self, introduced: At) -> Option<At> {
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

    /// Newest versions first: what ends a version is told by higher ones, and by its other kinds.
    fn ends_of_group(&self, group: &Group, ends: &mut Ends) {
        let bearers = group.bearers();
        for version in (0..group.versions.len()).rev() {
            let own = || bearers.iter().filter(|own| own.version == version);
            let successors: Vec<Option<At>> = own().map(|own| group.earliest_successor(&bearers, own)).collect();
            let replaced: Vec<Option<At>> = own()
                .zip(&successors)
                .map(|(own, successor)| self.with_successor(group, own, *successor))
                .collect();
            let whole = replaced.iter().copied().flatten().max();
            for (at, own) in own().enumerate() {
                let orphan = successors[at].is_none() && is_open(own.life);
                let announced = if orphan {
                    self.without_successor(group, own, whole)
                } else {
                    replaced[at]
                };
                let removed = self.removal(group, own, announced, successors[at]);
                ends.insert(own.id.clone(), [announced, None, removed]);
            }
        }
    }

    /// P2 and P3: "the later of its own introduction and its earliest successor's", or a beta's deadline before that.
    fn with_successor(&self, group: &Group, own: &Bearer, successor: Option<At>) -> Option<At> {
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

    /// P8 and P3: with its version, or a beta at its deadline; not at all where the edition demands a successor.
    fn without_successor(&self, group: &Group, own: &Bearer, whole: Option<At>) -> Option<At> {
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
    fn removal(&self, group: &Group, own: &Bearer, deprecated: Option<At>, successor: Option<At>) -> Option<At> {
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

    fn end_of_other(&self, other: &Other) -> [Option<At>; 3] {
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

    /// "hidden = max(deprecated + offset, earliest(deprecated, window))", alive as long as its class asks for; "deleted
    /// one release later".
    fn end_of_metric(&self, since: At, life: Life, hidden: Option<At>) -> [Option<At>; 3] {
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
            self.dates.floor(),
        ];
        let allowed = first.into_iter().max().expect("there are four");
        let hidden = hidden.unwrap_or(allowed);
        [Some(deprecated), Some(hidden), Some(allowed.max(hidden + 1))]
    }
}

/// P6, for the preferred version of a group and the storage version of each of its kinds, up to a release.
pub fn walks(group: &Group, ends: &Ends, until: At) -> (Walk, Vec<Walk>) {
    let bearers = group.bearers();
    let served = |kind: Option<usize>, version: usize, at: At| {
        bearers
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
fn walk(group: &Group, until: At, served: &dyn Fn(usize, At) -> bool) -> Walk {
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

fn is_open(life: Life) -> bool {
    life.deprecated.is_none() && life.removed.is_none() && !life.never
}

/// A life lasts a release at least; what ends where it begins never was.
fn served_once(life: Life) -> At {
    life.introduced.map_or(0, |introduced| introduced + 1)
}

fn end(life: Life, after: impl Fn(At) -> At) -> Option<At> {
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

    fn policy(&self) -> String {
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

    fn tables(&self) -> Vec<(String, Vec<String>)> {
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

    fn calendar(&self) -> Vec<(String, Vec<String>)> {
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

    fn life(&self, life: Life) -> Vec<String> {
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

    fn group_tables(&self, group: &Group, tables: &mut Vec<(String, Vec<String>)>) {
        let name = |at: usize| version_name(group.versions[at].name);
        let moves = |moves: &BTreeMap<usize, At>| -> Vec<String> {
            let moves = moves.iter();
            moves
                .map(|(at, when)| format!("{} = \"{}\"", name(*at), self.dates.name(*when)))
                .collect()
        };
        let lines = group.versions.iter().enumerate().map(|(at, version)| {
            let mut said = self.life(version.life);
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

    fn other_table(&self, at: usize, other: &Other) -> (String, Vec<String>) {
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

// The solver, by trying everything.

/// What trying everything found for events that hang together.
#[derive(Debug, PartialEq, Eq)]
pub enum Tried {
    /// The pointwise least of all assignments that meet every obligation.
    Least(Vec<(Event, At)>),
    /// No assignment meets them.
    None(Vec<Event>),
    /// There are too many to try.
    TooMany,
}

/// Where a term counts from.
enum From {
    Open(usize),
    Fixed(At),
    Nowhere,
}

/// A bound on an open event: each term with what it comes to for every value of its anchor.
struct Bound {
    on: usize,
    lower: bool,
    terms: Vec<(From, Vec<At>)>,
}

struct Trial<'t> {
    dates: &'t Dates,
    model: &'t Model,
    open: &'t [Event],
    bounds: Vec<Bound>,
    values: Vec<At>,
}

/// Tries all assignments of the open events to the releases from `floor` on, until a little past the calendar and all
/// that is fixed, and to never.
pub fn try_all(dates: &Dates, model: &Model, obligations: &Obligations, open: &[Event], floor: At) -> Vec<Tried> {
    let mut trial = Trial {
        dates,
        model,
        open,
        bounds: Vec::new(),
        values: Vec::new(),
    };
    trial.bounds = trial.all_bounds(obligations);
    let fixed = trial
        .bounds
        .iter()
        .flat_map(|bound| &bound.terms)
        .filter_map(|term| match term {
            (From::Fixed(at), table) => table.get(*at).copied().filter(|at| *at != NEVER),
            _ => None,
        });
    let end = fixed.max().unwrap_or(0).max(dates.listed()).max(floor) + 24;
    trial.values = (floor..=end).chain([NEVER]).collect();
    trial
        .components()
        .iter()
        .map(|events| trial.component(events))
        .collect()
}

impl Trial<'_> {
    fn all_bounds(&self, obligations: &Obligations) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for obligation in obligations.all() {
            let Ok(on) = self.open.binary_search(&obligation.event) else {
                continue;
            };
            let (lower, terms) = match &obligation.demand {
                Demand::NotBefore(term) => (true, vec![*term]),
                Demand::NotBeforeAny(terms) => (true, terms.to_vec()),
                Demand::NotAfter(term) => (false, vec![*term]),
                Demand::Forbidden | Demand::Requires(_) => continue,
            };
            let terms = terms.iter().map(|term| self.term(*term)).collect();
            bounds.push(Bound { on, lower, terms });
        }
        bounds
    }

    fn term(&self, term: Term) -> (From, Vec<At>) {
        let from = match term.anchor {
            Anchor::Release(release) => From::Fixed(at(release)),
            Anchor::Event(event) => self.anchor(event),
        };
        let worth = |from: At| match term.reach {
            Reach::After(window) => self.dates.earliest(from, of_window(window)),
            Reach::Within(window) => self.dates.latest(from, of_window(window)),
            Reach::NextMajor => self.dates.next_major(from),
        };
        let last = match from {
            From::Fixed(at) if at != NEVER => at,
            _ => FAR,
        };
        (from, (0..=last).map(worth).collect())
    }

    /// Declared, implied by what takes it along, open, or neither.
    fn anchor(&self, event: Event) -> From {
        let declared = match (event.what, event.step) {
            (EventKind::Deprecated, 0) => self.model.deprecation(event.element, event.life),
            _ => self.model.find_declared(event),
        };
        let gone_ga = self
            .model
            .gate(event.element)
            .filter(|_| event.what == EventKind::Deprecated)
            .and_then(|gate| Some(gate.first(Stage::Ga)?.1.since));
        if let Some(release) = declared.map(|declared| declared.release).or(gone_ga) {
            return From::Fixed(at(release));
        }
        if let Ok(open) = self.open.binary_search(&event) {
            return From::Open(open);
        }
        let element = self.model.element(event.element);
        let part = matches!(
            element.kind,
            ElementKind::Field | ElementKind::EnumValue | ElementKind::Annotation | ElementKind::Subresource
        );
        match element.parent {
            Some(parent) if part && event.what == EventKind::Removed => self.anchor(event.of(parent)),
            _ => From::Nowhere,
        }
    }

    /// Open events that bounds connect.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut name: Vec<usize> = (0..self.open.len()).collect();
        loop {
            let before = name.clone();
            for bound in &self.bounds {
                for (from, _) in &bound.terms {
                    if let From::Open(other) = from {
                        let least = name[bound.on].min(name[*other]);
                        (name[bound.on], name[*other]) = (least, least);
                    }
                }
            }
            if name == before {
                break;
            }
        }
        let members = |of: usize| (0..name.len()).filter(|at| name[*at] == of).collect::<Vec<_>>();
        (0..name.len())
            .map(members)
            .filter(|members| !members.is_empty())
            .collect()
    }

    fn component(&self, events: &[usize]) -> Tried {
        let bounds: Vec<&Bound> = self.bounds.iter().filter(|bound| events.contains(&bound.on)).collect();
        let mut search = Search {
            trial: self,
            events,
            bounds,
            chosen: vec![None; self.open.len()],
            least: None,
            steps: 0,
        };
        search.deeper(0);
        let event = |at: &usize| self.open[*at];
        match search.least.take() {
            _ if search.steps > MOST_STEPS => Tried::TooMany,
            None => Tried::None(events.iter().map(event).collect()),
            Some(least) => {
                for (at, value) in events.iter().zip(&least) {
                    search.chosen[*at] = Some(*value);
                }
                assert!(search.fits(), "the least of all assignments is one of them");
                Tried::Least(events.iter().map(event).zip(least).collect())
            }
        }
    }
}

/// Values looked at for one component at most.
const MOST_STEPS: usize = 60_000;

struct Search<'s, 't> {
    trial: &'s Trial<'t>,
    events: &'s [usize],
    bounds: Vec<&'s Bound>,
    chosen: Vec<Option<At>>,
    least: Option<Vec<At>>,
    steps: usize,
}

impl Search<'_, '_> {
    fn deeper(&mut self, depth: usize) {
        let Some(event) = self.events.get(depth) else {
            let found = self.events.iter().filter_map(|at| self.chosen[*at]);
            self.least = Some(match &self.least {
                Some(least) => least
                    .iter()
                    .zip(found)
                    .map(|(least, value)| value.min(*least))
                    .collect(),
                None => found.collect(),
            });
            return;
        };
        for value in &self.trial.values {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return;
            }
            self.chosen[*event] = Some(*value);
            if self.fits() {
                self.deeper(depth + 1);
            }
        }
        self.chosen[*event] = None;
    }

    /// Whether what is chosen so far meets all bounds that can be told.
    fn fits(&self) -> bool {
        let bounds = || self.bounds.iter();
        let met = bounds().all(|bound| match (self.chosen[bound.on], self.worth(bound)) {
            (Some(value), Some(worth)) if bound.lower => value >= worth,
            // "It comes no later than this, if it comes."
            (Some(value), Some(worth)) => value <= worth || value == NEVER,
            _ => true,
        });
        met && self
            .events
            .iter()
            .filter(|at| self.chosen[**at] == Some(NEVER))
            .all(|at| {
                // It never comes only where it has to wait for ever.
                bounds()
                    .filter(|bound| bound.on == *at && bound.lower)
                    .any(|bound| self.worth(bound).is_none_or(|worth| worth == NEVER))
            })
    }

    /// What a bound comes to, if what it counts from is chosen.
    fn worth(&self, bound: &Bound) -> Option<At> {
        let mut worth = Vec::new();
        for (from, table) in &bound.terms {
            let anchor = match from {
                From::Open(open) => self.chosen[*open]?,
                From::Fixed(at) => *at,
                // What waits for something that is not in sight never comes; nothing is late for it.
                From::Nowhere => NEVER,
            };
            worth.push(table.get(anchor).copied().unwrap_or(NEVER));
        }
        worth.into_iter().min()
    }
}

fn at(release: Release) -> At {
    if release.is_never() { NEVER } else { release.0 as usize }
}

fn of_window(window: Window) -> Span {
    Span {
        months: u32::from(window.months),
        releases: usize::from(window.releases),
        grace: u64::from(window.grace_days),
    }
}
