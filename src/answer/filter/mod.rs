//! Which elements an answer is about: what the filters of the command line choose.

mod event_index;
mod pattern;
mod state;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use crate::diagnostic::nearest;
use crate::model::{ElementId, Model, in_shell};
use crate::release::Release;

use super::Material;
pub(super) use event_index::{EventIndex, IndexedEvent};
pub(super) use pattern::Pattern;
pub use state::ElementState;
pub(super) use state::States;

/// What a user asks for. An element is chosen if it meets every criterion that has values, each by any of them.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Ids, and patterns of ids: `apps/*`.
    pub elements: Vec<String>,
    /// Names of groups as pictures write them, and patterns of names: `apps`, `config kubelet.config.k8s.io`, `gates`.
    pub groups: Vec<String>,
    /// Kinds of elements (`gate`), API kinds (`CronJob`), and patterns.
    pub kinds: Vec<String>,
    /// Owners, and patterns. A part has the owner of what it is part of unless it has its own.
    pub owners: Vec<String>,
    /// A release or a range of releases (`1.34..1.37`) in which something happens, is due, or becomes possible.
    pub releases: Option<String>,
    /// The states.
    pub states: Vec<ElementState>,
}

/// Why a filter cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FilterError {
    message: String,
    /// The next step.
    pub help: String,
}

/// The elements that a filter chooses.
#[derive(Debug)]
pub(crate) struct Selection {
    chosen: Vec<bool>,
    /// The releases that the filter names.
    pub(crate) releases: Option<RangeInclusive<Release>>,
    /// Whether the filter names elements, and not only releases and states.
    pub(crate) named: bool,
    /// How many elements meet each criterion.
    counts: Vec<(String, usize)>,
    /// The filter as options, each after a space.
    pub(crate) options: String,
}

impl Selection {
    pub(crate) fn has(&self, id: ElementId) -> bool {
        self.chosen.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// If no element is chosen: how many meet each criterion.
    pub(crate) fn nothing(&self) -> Option<String> {
        if self.chosen.contains(&true) {
            return None;
        }
        let counts = self
            .counts
            .iter()
            .map(|(criterion, count)| format!("{criterion}: {count}"));
        let counts: Vec<String> = counts.collect();
        Some(match counts.len() {
            0 | 1 => none_of(self.counts.first().map_or("", |(criterion, _)| criterion)),
            _ => format!("no element matches all of the filters ({})", counts.join(", ")),
        })
    }
}

/// That no element meets a criterion, in words where it is a question.
fn none_of(criterion: &str) -> String {
    match criterion.split_once(' ') {
        Some(("--in", releases)) => format!("nothing happens in {releases}"),
        Some(("--state", state)) => format!("no element is {state}"),
        _ => format!("no element matches {criterion}"),
    }
}

impl FilterError {
    /// An error of a criterion.
    pub(crate) fn new(message: String, help: &str) -> Self {
        Self {
            message,
            help: help.to_owned(),
        }
    }
}

impl Filter {
    /// Whether it chooses everything.
    pub fn is_empty(&self) -> bool {
        let names = [&self.elements, &self.groups, &self.kinds, &self.owners];
        names.iter().all(|names| names.is_empty()) && self.releases.is_none() && self.states.is_empty()
    }

    /// As it is typed, each option after a space.
    fn options(&self) -> String {
        let named = [
            ("--element", &self.elements),
            ("--group", &self.groups),
            ("--kind", &self.kinds),
            ("--owner", &self.owners),
        ];
        let named = named
            .into_iter()
            .flat_map(|(option, names)| names.iter().map(move |name| (option, name.as_str())));
        let releases = self.releases.iter().map(|releases| ("--in", releases.as_str()));
        let states = self.states.iter().map(|state| ("--state", state.as_str()));
        let mut text = String::new();
        for (option, value) in named.chain(releases).chain(states) {
            let _ = write!(text, " {option} {}", in_shell(value));
        }
        text
    }
}

/// The elements that meet a filter.
///
/// # Errors
///
/// If a name matches nothing in the model, or a state is asked for without a current release.
pub(crate) fn select(
    material: Material<'_>,
    filter: &Filter,
    releases: Option<RangeInclusive<Release>>,
) -> Result<Selection, FilterError> {
    let model = material.reasoning.model;
    let mut selection = Selection {
        chosen: vec![true; model.elements().len()],
        releases,
        named: false,
        counts: Vec::new(),
        options: filter.options(),
    };
    let named = [
        ("--element", by_id as Criterion, &filter.elements),
        ("--group", by_group, &filter.groups),
        ("--kind", by_kind, &filter.kinds),
        ("--owner", by_owner, &filter.owners),
    ];
    for (option, criterion, names) in named.into_iter().filter(|(.., names)| !names.is_empty()) {
        let mut met = vec![false; selection.chosen.len()];
        for name in names {
            let found = matching(model, criterion, option, name)?;
            for id in found {
                met[id.0 as usize] = true;
            }
        }
        selection.narrow(&format!("{option} {}", names.join(", ")), &met);
        selection.named = true;
    }
    by_time(material, &filter.states, &mut selection)?;
    Ok(selection)
}

/// What of an element a criterion compares with its values.
type Criterion = for<'m> fn(&'m Model, ElementId) -> Vec<&'m str>;

fn by_id(model: &Model, id: ElementId) -> Vec<&str> {
    vec![model.id(id)]
}

fn by_group(model: &Model, id: ElementId) -> Vec<&str> {
    vec![model.heading(id).0]
}

/// The kind of element, and the API kind that it is or belongs to.
fn by_kind(model: &Model, id: ElementId) -> Vec<&str> {
    let mut chain = model.with_wholes(id);
    let kind = chain.find(|id| model.element(*id).kind.is_kind());
    let own = model.element(id).kind_name().as_str();
    kind.map(|kind| model.element(kind).name())
        .into_iter()
        .chain([own])
        .collect()
}

fn by_owner(model: &Model, id: ElementId) -> Vec<&str> {
    model.owned_by(id).into_iter().collect()
}

/// The elements that a name or pattern matches.
fn matching(model: &Model, criterion: Criterion, option: &str, name: &str) -> Result<Vec<ElementId>, FilterError> {
    let pattern = Pattern(name);
    let is_id = option == "--element";
    let ids = model.elements().map(|(id, _)| id);
    let found = ids.filter(|id| {
        let mut own = criterion(model, *id).into_iter();
        own.any(|own| {
            if is_id {
                pattern.matches_id(own)
            } else {
                pattern.matches(own)
            }
        })
    });
    let mut found: Vec<ElementId> = found.collect();
    if found.is_empty() && is_id && !pattern.is_open() {
        found = model.find_abbreviated(name);
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let all: BTreeSet<&str> = model.elements().flat_map(|(id, _)| criterion(model, id)).collect();
    let what = option.trim_start_matches('-');
    let near = if is_id {
        model.did_you_mean(name)
    } else {
        near(model, name, what, &all)
    };
    Err(FilterError {
        message: format!("{option} {name}: the model has no such {what}"),
        help: near.unwrap_or_else(|| some_of(model, what, &all)),
    })
}

/// The name that is meant, or those that have it as a part: `coordination` of `coordination.k8s.io`.
fn near(model: &Model, typed: &str, what: &str, names: &BTreeSet<&str>) -> Option<String> {
    if let Some(near) = nearest(typed, names.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let part = typed.trim_matches('*').to_lowercase();
    let within = names.iter().copied().filter(|name| name.to_lowercase().contains(&part));
    let within: BTreeSet<&str> = within.collect();
    let mut found = within.iter();
    match (part.as_str(), found.next(), found.next()) {
        ("", ..) | (_, None, _) => None,
        (_, Some(only), None) => Some(format!("did you mean `{only}`?")),
        _ => Some(some_of(model, what, &within)),
    }
}

/// The most names that a help lists.
const MOST_NAMED: usize = 12;

fn some_of(model: &Model, what: &str, names: &BTreeSet<&str>) -> String {
    let some: Vec<&str> = names.iter().copied().take(MOST_NAMED).collect();
    let more = if names.len() > some.len() { ", …" } else { "" };
    match (what, some.is_empty()) {
        (_, true) => format!("the model declares no {what}"),
        ("element", _) => format!("`{}` lists the elements", model.command_line("plan --all")),
        _ => format!("{what}s: {}{more}", some.join(", ")),
    }
}

/// The criteria that depend on when something happens.
fn by_time(material: Material<'_>, wanted: &[ElementState], selection: &mut Selection) -> Result<(), FilterError> {
    if selection.releases.is_none() && wanted.is_empty() {
        return Ok(());
    }
    let model = material.reasoning.model;
    let index = EventIndex::of_all(material);
    let ids: Vec<ElementId> = model.elements().map(|(id, _)| id).collect();
    if let Some(range) = selection.releases.clone() {
        let met: Vec<bool> = ids.iter().map(|id| index.touches(*id, &range)).collect();
        let [first, last] = [range.start(), range.end()].map(|release| model.calendar.name(*release));
        let releases = if first == last {
            first
        } else {
            format!("{first}..{last}")
        };
        selection.narrow(&format!("--in {releases}"), &met);
    }
    if !wanted.is_empty() {
        let Some(states) = States::of(material, &index) else {
            let message = "--state needs a current release, and the calendar does not name one".to_owned();
            return Err(FilterError::new(
                message,
                "pass --as-of RELEASE, or set `current` in [calendar]",
            ));
        };
        let met = ids.iter().map(|id| wanted.iter().any(|state| states.is(*state, *id)));
        let met: Vec<bool> = met.collect();
        let names: Vec<&str> = wanted.iter().map(|state| state.as_str()).collect();
        selection.narrow(&format!("--state {}", names.join(", ")), &met);
    }
    Ok(())
}

impl Selection {
    /// Keeps the elements that meet one more criterion.
    fn narrow(&mut self, criterion: &str, met: &[bool]) {
        let count = met.iter().filter(|met| **met).count();
        self.counts.push((criterion.to_owned(), count));
        for (chosen, met) in self.chosen.iter_mut().zip(met) {
            *chosen &= met;
        }
    }
}
