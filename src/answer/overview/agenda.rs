//! What is overdue, and what happens, is due or becomes possible in which release.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ElementId, EventKind, Model};
use crate::release::Release;
use crate::report::{AgendaItem, AgendaReport, ElementReport, ElementsBelow, Moment, State, Turn};

use super::super::custom;
use super::super::filter::IndexedEvent;
use super::super::notes::occurrence::What;
use super::remaining::Builder;

/// What is said of an element in a release, the most pressing first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Topic {
    pressing: usize,
    what: String,
    detail: Option<String>,
}

impl Topic {
    fn new(pressing: usize, what: impl Into<String>) -> Self {
        Self {
            pressing,
            what: what.into(),
            detail: None,
        }
    }

    fn detail(self, detail: Option<String>) -> Self {
        Self { detail, ..self }
    }
}

/// How an event or a bound stands in its release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::answer) enum Standing {
    /// It was due, and has not happened.
    Overdue,
    /// It is due.
    Due,
    /// It becomes possible.
    Possible,
    /// It is declared.
    Declared,
    /// It is planned.
    Planned,
    /// It has shipped.
    Shipped,
}

/// What matters of an element: an event or a bound, and how it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::answer) struct Matter {
    pub(in crate::answer) release: Release,
    pub(in crate::answer) standing: Standing,
    pub(in crate::answer) event: EventKind,
    /// Whether the event is declared, for this release or another one.
    pub(in crate::answer) declared: bool,
}

/// A topic, and the matter that it words, where that is an event of the model.
type Worded = (Topic, Option<Matter>);

/// What matters of an element, the most pressing first.
pub(super) fn matters(builder: &Builder<'_, '_>, id: ElementId) -> Vec<Matter> {
    let late = overdue(builder, id).into_iter();
    let topics = topics(builder, id).into_iter().map(|(_, worded)| worded);
    let mut worded: Vec<Worded> = late.chain(topics).collect();
    worded.sort_by_key(|(topic, _)| topic.pressing);
    worded.into_iter().filter_map(|(_, matter)| matter).collect()
}

/// How pressing it is that something becomes possible.
const POSSIBLE: usize = 4;

/// From here on, topics are news: in a release that has shipped, they leave nothing to do.
const NEWS: usize = 8;

/// The topics of a release, and the elements of each.
type Topics = BTreeMap<Topic, BTreeSet<ElementId>>;

/// What is overdue, and the releases that a filter names; without one, the current release and the next.
pub(super) fn all<'a>(builder: &Builder<'a, '_>) -> Vec<AgendaReport<'a>> {
    let Some(states) = &builder.states else {
        return Vec::new();
    };
    let asked = builder
        .material
        .selection
        .and_then(|selection| selection.releases.clone());
    let range = asked.unwrap_or(states.current..=states.next);
    let of_releases = builder.of_releases();
    let mut late = Topics::new();
    let mut turns: BTreeMap<Release, Topics> = BTreeMap::new();
    for id in builder.ids() {
        for (topic, _) in overdue(builder, id) {
            late.entry(topic).or_default().insert(id);
        }
        for (release, (topic, _)) in topics(builder, id) {
            let is_past = release <= states.current && !of_releases;
            if range.contains(&release) && (!is_past || topic.pressing < NEWS) {
                turns.entry(release).or_default().entry(topic).or_default().insert(id);
            }
        }
    }
    leave_to_parts(&mut late, builder.material.reasoning.model);
    let late = (!late.is_empty() && !of_releases).then(|| AgendaReport {
        release: None,
        turn: Turn::Earlier,
        items: items(builder, late),
    });
    let turns = turns.into_iter().map(|(release, topics)| AgendaReport {
        release: builder.material.names.moment(release),
        turn: match release {
            release if release < states.current => Turn::Earlier,
            release if release == states.current => Turn::Current,
            release if release == states.next => Turn::Next,
            _ => Turn::Later,
        },
        items: items(builder, topics),
    });
    late.into_iter().chain(turns).collect()
}

/// Leaves out what is late only by its parts, where those are listed with more.
fn leave_to_parts(late: &mut Topics, model: &Model) {
    let wholes = wholes(late.values().flatten(), model);
    for ids in late.values_mut() {
        let here = self::wholes(ids.iter(), model);
        ids.retain(|id| !wholes.contains(id) || here.contains(id));
    }
    late.retain(|_, ids| !ids.is_empty());
}

fn wholes<'i>(parts: impl Iterator<Item = &'i ElementId>, model: &Model) -> BTreeSet<ElementId> {
    parts.filter_map(|id| model.element(*id).parent).collect()
}

fn overdue(builder: &Builder<'_, '_>, id: ElementId) -> Vec<Worded> {
    let Some(states) = builder.states.as_ref().filter(|states| states.is_overdue(id)) else {
        return Vec::new();
    };
    let report = builder.index.report(id);
    let due = [
        (
            EventKind::Removed,
            "removal overdue",
            report.removal_due,
            report.removed,
        ),
        (
            EventKind::Deprecated,
            "deprecation overdue",
            report.latest_deprecation,
            report.deprecated,
        ),
    ];
    let late = due.into_iter().filter_map(|(kind, what, due, event)| {
        let due = due?;
        let due_in = builder.index.release(&due)?;
        let happens = event.and_then(|event| builder.index.release(&event));
        let is_late = due_in <= states.current
            && happens.is_none_or(|happens| happens > states.current)
            && !states.may_be_late(id, kind);
        let matter = Matter {
            release: due_in,
            standing: Standing::Overdue,
            event: kind,
            declared: event.is_some_and(|event| event.declared == Some(true)),
        };
        let event = event.map_or_else(String::new, |event| {
            format!(", {} for {}", origin(event), event.release)
        });
        let detail = format!("was due by {}{event}", due.release);
        is_late.then(|| (Topic::new(0, what).detail(Some(detail)), Some(matter)))
    });
    late.collect()
}

/// What is said of an element, by release.
fn topics(builder: &Builder<'_, '_>, id: ElementId) -> Vec<(Release, Worded)> {
    let report = builder.index.report(id);
    let states = builder.states.as_ref();
    let current = states.map(|states| states.current);
    let events = builder.index.of(id).iter();
    let mut topics: Vec<(Release, Worded)> = events
        .map(|event| (event.release, of_event(builder, (id, report), *event, current)))
        .collect();
    let [due, latest] = [report.removal_due, report.latest_deprecation].map(|bound| {
        let bound = bound.filter(|bound| !bound.at_least);
        bound.and_then(|bound| builder.index.release(&bound))
    });
    let possible = builder.index.removable_from(id).filter(|_| is_of_interest(builder, id));
    let bounds = [
        (due, report.removed, EventKind::Removed, "removal due", 0),
        (latest, report.deprecated, EventKind::Deprecated, "deprecation due", 2),
        (
            possible,
            report.removed,
            EventKind::Removed,
            "removal possible",
            POSSIBLE,
        ),
    ];
    for (release, event, kind, what, pressing) in bounds {
        let Some(release) = release else { continue };
        let happens = event.and_then(|event| builder.index.release(&event));
        let is_excepted = pressing != POSSIBLE && states.is_some_and(|states| states.may_be_late(id, kind));
        let is_open =
            happens.is_none_or(|happens| happens > release) && !has_ended(builder, id, release) && !is_excepted;
        if is_open && current.is_none_or(|current| release > current) {
            let matter = Matter {
                release,
                standing: if pressing == POSSIBLE {
                    Standing::Possible
                } else {
                    Standing::Due
                },
                event: kind,
                declared: event.is_some_and(|event| event.declared == Some(true)),
            };
            let event = event.map(|event| format!("{} for {}", origin(event), event.release));
            topics.push((release, (Topic::new(pressing, what).detail(event), Some(matter))));
        }
    }
    topics
}

/// Whether it says something that an element may be removed: without any deprecation that is true of all alphas, and is
/// an answer only where a filter names releases or states.
fn is_of_interest(builder: &Builder<'_, '_>, id: ElementId) -> bool {
    let report = builder.index.report(id);
    let selection = builder.material.selection;
    let asks = selection.is_some_and(|selection| selection.releases.is_some() || !selection.named);
    asks || report.deprecated.is_some() || report.removed.is_some()
}

fn has_ended(builder: &Builder<'_, '_>, id: ElementId, release: Release) -> bool {
    builder.index.state(id, release) == Some(State::Removed)
}

fn origin(event: Moment<'_>) -> &'static str {
    match event.declared {
        Some(true) => "declared",
        _ => "planned",
    }
}

fn of_event(
    builder: &Builder<'_, '_>,
    (id, report): (ElementId, &ElementReport<'_>),
    event: IndexedEvent<'_>,
    current: Option<Release>,
) -> Worded {
    let has_shipped = current.is_some_and(|current| event.release <= current);
    let (pressing, what) = match event.what {
        What::Event(kind) => (order(kind, event.declared), noun(builder, kind)),
        What::Promoted { to, forward: true, .. } => (8, format!("promotion to {to}")),
        What::Promoted { to, .. } => (8, format!("demotion to {to}")),
        What::DefaultChanged(true) => (8, "on by default".to_owned()),
        What::DefaultChanged(false) => (8, "off by default".to_owned()),
        What::Relabelled(_) => (8, "other labels".to_owned()),
        What::Moved { what, .. } => (9, format!("{} version", role(what))),
    };
    let bound = match event.what {
        What::Event(EventKind::Removed) => report.removal_due,
        What::Event(EventKind::Deprecated) => report.latest_deprecation,
        _ => None,
    };
    let due = bound.and_then(|due| builder.index.release(&due)) == Some(event.release);
    let standing = match (has_shipped, due, event.declared) {
        (true, ..) => Standing::Shipped,
        (false, true, _) => Standing::Due,
        (false, false, true) => Standing::Declared,
        (false, false, false) => Standing::Planned,
    };
    let matter = match event.what {
        What::Event(kind) => Some(Matter {
            release: event.release,
            standing,
            event: kind,
            declared: event.declared,
        }),
        What::Promoted { .. } | What::DefaultChanged(_) | What::Relabelled(_) | What::Moved { .. } => None,
    };
    let topic = match standing {
        Standing::Due if event.declared => {
            let detail = "in the release in which it is due".to_owned();
            Topic::new(pressing, format!("{what} declared")).detail(Some(detail))
        }
        Standing::Due => {
            let is_end = event.what == What::Event(EventKind::Removed);
            let pressing = if is_end { 0 } else { 2 };
            Topic::new(pressing, format!("{what} due")).detail(Some("not declared".to_owned()))
        }
        Standing::Declared | Standing::Planned => {
            let origin = if event.declared { "declared" } else { "planned" };
            let custom = match event.what {
                What::Event(kind) => custom::of_event(builder.material, (id, kind), report.custom_removal),
                _ => None,
            };
            Topic::new(pressing, format!("{what} {origin}")).detail(custom)
        }
        Standing::Shipped | Standing::Overdue | Standing::Possible => Topic::new(pressing, what),
    };
    (topic, matter)
}

/// How pressing an event is.
fn order(kind: EventKind, declared: bool) -> usize {
    match kind {
        EventKind::Removed if declared => 1,
        EventKind::Removed => 3,
        EventKind::Deprecated => 6,
        EventKind::Hidden => 7,
        _ => 9,
    }
}

fn noun(builder: &Builder<'_, '_>, kind: EventKind) -> String {
    if let Some(step) = builder.material.reasoning.model.steps.of(kind) {
        return format!("{} ({})", step.duty.noun(), step.name);
    }
    match kind {
        EventKind::Removed => "removal",
        EventKind::Deprecated => "deprecation",
        EventKind::Introduced => "introduction",
        EventKind::Hidden => "hiding",
        EventKind::Step(_) => "step",
        EventKind::Tolerated => "toleration",
        EventKind::Locked => "locking",
        EventKind::Promoted => "promotion",
        EventKind::Undeprecated => "end of deprecation",
        EventKind::Migrated => "migration",
        EventKind::Dropped => "end of decoding",
        EventKind::Preferred | EventKind::Stored => role(kind),
    }
    .to_owned()
}

fn role(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Preferred => "preferred",
        _ => "storage",
    }
}

/// The topics with their elements by group. A part is left out where its whole has the same topic.
fn items<'a>(builder: &Builder<'a, '_>, topics: Topics) -> Vec<AgendaItem<'a>> {
    let model = builder.material.reasoning.model;
    let by_release = builder
        .material
        .selection
        .is_some_and(|selection| selection.releases.is_some());
    let topics = topics.into_iter().map(|(topic, ids)| {
        let shown = ids.iter().filter(|id| {
            let mut wholes = model.with_wholes(**id).skip(1);
            !wholes.any(|whole| ids.contains(&whole))
        });
        let elements = ElementsBelow::gathered(shown.map(|id| model.id(*id)));
        AgendaItem {
            is_offer: by_release && topic.pressing == POSSIBLE && topic.detail.is_none(),
            what: topic.what,
            detail: topic.detail,
            elements,
        }
    });
    topics.collect()
}
