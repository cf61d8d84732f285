//! The plan at a glance: what the table of `plan` shows unless everything is asked for.

use crate::grammar::heading;

use super::{DecidedBy, ElementReport, Moment, ReleaseReport, State};

/// What is overdue and what comes next, then each group with something left.
#[derive(Debug)]
#[non_exhaustive]
pub struct OverviewReport<'a> {
    /// The newest release that has shipped.
    pub current: Option<Moment<'a>>,
    /// What to do, by release. What is overdue comes first.
    pub agenda: Vec<AgendaReport<'a>>,
    /// The groups, and the headings of elements that belong to none.
    pub groups: Vec<GroupOverview<'a>>,
    /// The releases after the current one that are named.
    pub dates: Vec<Moment<'a>>,
    /// The groups of which nothing is shown because nothing is left to do.
    pub finished: Vec<&'a str>,
    /// Whether a filter chose what is shown.
    pub filtered: bool,
    /// The command that says how the policy is broken.
    pub check: String,
    /// The command that gives reasons, with `ELEMENT` for an element.
    pub why: String,
}

/// What happens, is due or becomes possible in a release.
#[derive(Debug)]
#[non_exhaustive]
pub struct AgendaReport<'a> {
    /// The release; `None` for what is overdue.
    pub release: Option<Moment<'a>>,
    /// Which release that is.
    pub turn: Turn,
    /// What happens, the most pressing first.
    pub items: Vec<AgendaItem<'a>>,
}

/// A release, seen from the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Before the current one.
    Earlier,
    /// The newest that has shipped.
    Current,
    /// The one after it.
    Next,
    /// A later one.
    Later,
}

/// The same thing about some elements.
#[derive(Debug)]
#[non_exhaustive]
pub struct AgendaItem<'a> {
    /// What.
    pub what: String,
    /// More about it: `declared for 1.38`.
    pub detail: Option<String>,
    /// The elements, by group or heading.
    pub elements: Vec<ElementsBelow<'a>>,
    /// Whether it may be done, and nobody has planned it: where there are many, their number is the answer.
    pub is_offer: bool,
}

/// Elements below a heading.
#[derive(Debug)]
#[non_exhaustive]
pub struct ElementsBelow<'a> {
    /// The heading: a group, a program, or what they are called together.
    pub heading: &'a str,
    /// What comes before each name in its id: `apps/`, `gate `.
    pub before: &'a str,
    /// The rest of each id.
    pub names: Vec<&'a str>,
}

impl<'a> ElementsBelow<'a> {
    /// Elements by their headings; neighbors below one heading are together.
    pub(crate) fn gathered(ids: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for id in ids {
            let (heading, name) = heading(id);
            let before = id.strip_suffix(name).unwrap_or_default();
            let mut last = all.last_mut();
            match last
                .as_mut()
                .filter(|last| (last.heading, last.before) == (heading, before))
            {
                Some(last) => last.names.push(name),
                None => all.push(Self {
                    heading,
                    before,
                    names: vec![name],
                }),
            }
        }
        all
    }
}

/// A group, or the elements below a heading.
#[derive(Debug)]
#[non_exhaustive]
pub struct GroupOverview<'a> {
    /// Its name, or the heading.
    pub group: &'a str,
    /// The releases in which something changes.
    pub timeline: Vec<ReleaseSpan<'a>>,
    /// Whether the timeline has the past too.
    pub whole: bool,
    /// The elements, those with equal plans together.
    pub rows: Vec<OverviewRow<'a>>,
}

/// Consecutive releases in which a group serves the same.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReleaseSpan<'a> {
    /// The first of them, and what is served.
    pub first: ReleaseReport<'a>,
    /// The last one; `None` if it is the first, or if nothing changes after.
    pub last: Option<&'a str>,
    /// Whether nothing is known to change after.
    pub open: bool,
}

/// Elements with equal plans.
#[derive(Debug)]
#[non_exhaustive]
pub struct OverviewRow<'a> {
    /// Their ids without the group.
    pub names: Vec<&'a str>,
    /// The plan of the first of them.
    pub element: ElementReport<'a>,
    /// When they are deprecated; `None` if at different times.
    pub deprecated: Option<Moment<'a>>,
    /// What decides that; `None` if different things.
    pub binding: Option<DecidedBy<'a>>,
    /// The state in the current release; `None` if not introduced yet, or if no release is current.
    pub state: Option<State>,
    /// Whether a deadline has passed.
    pub overdue: bool,
    /// The findings about each of them: errors and warnings.
    pub findings: (usize, usize),
}
