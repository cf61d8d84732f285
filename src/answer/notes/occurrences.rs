//! What happens when: every event of every element, those that a version and its kinds share told once.

use std::collections::BTreeMap;

use crate::derivation::Reasoning;
use crate::model::{ElementId, Event, EventKind, Family, Gate, Metric, Version};
use crate::policy::Law;
use crate::release::Release;
use crate::stability::Stage;
use crate::timeline;

use super::moves;

/// What happens, in the words of announcements: the events of the model, and those that only an announcement tells
/// apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What<'a> {
    /// An event of a life.
    Event(EventKind),
    /// Another stage or class.
    Promoted {
        /// The one before.
        from: &'static str,
        /// The one from now on.
        to: &'static str,
        /// Whether it is the more stable one.
        forward: bool,
    },
    /// A gate is on, or off, by default from now on.
    DefaultChanged(bool),
    /// Another version is preferred, or stored.
    Moved {
        /// [`EventKind::Preferred`] or [`EventKind::Stored`].
        what: EventKind,
        /// The version before.
        from: &'a str,
        /// The version from now on.
        to: &'a str,
    },
}

impl What<'_> {
    /// Which of several things that happen at once is told first.
    fn usual_order(self) -> EventKind {
        match self {
            Self::Event(what) | Self::Moved { what, .. } => what,
            Self::Promoted { .. } | Self::DefaultChanged(_) => EventKind::Promoted,
        }
    }

    /// As reports write it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Event(what) | Self::Moved { what, .. } => what.as_str(),
            Self::Promoted { forward: true, .. } => EventKind::Promoted.as_str(),
            Self::Promoted { .. } => "demoted",
            Self::DefaultChanged(_) => "default-changed",
        }
    }
}

/// Something that happens to an element.
#[derive(Debug, Clone)]
pub(super) struct Occurrence<'a> {
    pub(super) release: Release,
    pub(super) element: ElementId,
    pub(super) life: u8,
    pub(super) what: What<'a>,
    /// Whether the user declared it, or something that implies it.
    pub(super) declared: bool,
    /// Of a version: the lives of its kinds that it happens to.
    pub(super) kinds: Lives,
}

/// Kinds, each with one of its lives.
pub(super) type Lives = Vec<(ElementId, u8)>;

impl Occurrence<'_> {
    /// Whether an element is introduced that was there before.
    pub(super) fn is_again(&self) -> bool {
        let came_back = match self.kinds.as_slice() {
            [] => self.life > 0,
            kinds => kinds.iter().all(|(_, life)| *life > 0),
        };
        came_back && self.what == What::Event(EventKind::Introduced)
    }
}

/// Everything that happens, in the order of the elements; to one element, in time.
pub(super) fn all<'a>(reasoning: Reasoning<'a>, law: &Law) -> Vec<Occurrence<'a>> {
    let model = reasoning.model;
    let mut found = Vec::new();
    for group in &model.groups {
        for version in &group.versions {
            of_version(reasoning, version, &mut found);
        }
        // Nobody serves or stores configurations: clients and operators have nothing to follow there.
        if group.family == Family::Api {
            found.extend(moves::all(reasoning, law, group));
        }
    }
    for (id, element) in model.elements() {
        if element.kind.is_version() || element.kind.is_kind() {
            continue;
        }
        let own = (0..model.lives(id)).flat_map(|life| lifetime(reasoning, id, life));
        let own = own.filter(|happening| !element.kind.is_member() || is_its_own(reasoning, id, *happening));
        found.extend(own.map(|happening| happening.occurrence(id)));
    }
    for gate in &model.gates {
        stages(gate, &mut found);
    }
    for metric in &model.metrics {
        classes(metric, &mut found);
    }
    found.sort_by_key(|occurrence| (occurrence.element, occurrence.release, occurrence.what.usual_order()));
    found
}

/// An event of one life.
#[derive(Debug, Clone, Copy)]
struct Happened {
    what: EventKind,
    life: u8,
    release: Release,
    declared: bool,
}

impl Happened {
    fn occurrence<'a>(self, element: ElementId) -> Occurrence<'a> {
        Occurrence {
            release: self.release,
            element,
            life: self.life,
            what: What::Event(self.what),
            declared: self.declared,
            kinds: Vec::new(),
        }
    }
}

/// The events of a life that users are told of, those that are only planned among them. Stages and moves are told
/// apart.
fn lifetime(reasoning: Reasoning<'_>, element: ElementId, life: u8) -> Vec<Happened> {
    const ONCE: [EventKind; 6] = [
        EventKind::Tolerated,
        EventKind::Introduced,
        EventKind::Hidden,
        EventKind::Migrated,
        EventKind::Removed,
        EventKind::Dropped,
    ];
    let model = reasoning.model;
    let happened = |event: Event, release| Happened {
        what: event.what,
        life,
        release,
        declared: model.find_declared(event).is_some(),
    };
    let mut found: Vec<Happened> = ONCE
        .into_iter()
        .map(|what| Event::new(element, life, what))
        .filter_map(|event| Some(happened(event, reasoning.release(event)?)))
        .collect();
    for what in [EventKind::Deprecated, EventKind::Undeprecated] {
        let steps = (0..=u8::MAX).map(|step| Event {
            step,
            ..Event::new(element, life, what)
        });
        let declared = steps.map_while(|event| Some(happened(event, model.find_declared(event)?.release)));
        found.extend(declared);
    }
    // What no declaration in force says may be implied by one, or planned.
    let deprecated = Event::new(element, life, EventKind::Deprecated);
    if model.in_force(deprecated).is_none() {
        let planned = reasoning.assignment.planned(deprecated).is_some();
        found.extend(reasoning.release(deprecated).map(|release| Happened {
            declared: !planned,
            ..happened(deprecated, release)
        }));
    }
    // What goes as soon as it is deprecated is told as removed only (P5), unless the user says otherwise.
    let removed = reasoning.release(Event::new(element, life, EventKind::Removed));
    let at_once = |happening: &Happened| {
        let ends = happening.what == EventKind::Deprecated && !happening.declared;
        ends && removed.is_some_and(|removed| removed <= happening.release)
    };
    found.retain(|happening| !happening.release.is_never() && !at_once(happening));
    found
}

/// Whether something happens to a part of a kind apart from what happens to the kind.
fn is_its_own(reasoning: Reasoning<'_>, member: ElementId, happening: Happened) -> bool {
    let model = reasoning.model;
    let Some(kind) = model.element(member).parent else {
        return true;
    };
    let of_kind = |life| reasoning.release(Event::new(kind, life, happening.what));
    let mut with_kind = (0..model.lives(kind)).filter_map(of_kind);
    !with_kind.any(|release| release == happening.release)
}

/// The events of a version: of all its kinds together, or of single kinds.
fn of_version(reasoning: Reasoning<'_>, version: &Version, found: &mut Vec<Occurrence<'_>>) {
    let model = reasoning.model;
    if version.kinds.is_empty() {
        let lives = (0..model.lives(version.element)).flat_map(|life| lifetime(reasoning, version.element, life));
        found.extend(lives.map(|happening| happening.occurrence(version.element)));
        return;
    }
    let mut together: BTreeMap<(Release, EventKind), Vec<(ElementId, Happened)>> = BTreeMap::new();
    for kind in &version.kinds {
        for happening in (0..model.lives(*kind)).flat_map(|life| lifetime(reasoning, *kind, life)) {
            let key = (happening.release, happening.what);
            together.entry(key).or_default().push((*kind, happening));
        }
    }
    let spans: Vec<(ElementId, timeline::Span)> = version
        .kinds
        .iter()
        .flat_map(|kind| {
            let spans = timeline::spans(model, reasoning.assignment, *kind);
            spans.into_iter().map(|span| (*kind, span))
        })
        .collect();
    for ((release, what), kinds) in together {
        if !is_of_all(&spans, release, what, &kinds) {
            found.extend(kinds.into_iter().map(|(kind, happening)| happening.occurrence(kind)));
            continue;
        }
        for (declared, kinds) in alike(reasoning, what, &kinds) {
            found.push(Occurrence {
                release,
                element: version.element,
                life: 0,
                what: What::Event(what),
                declared,
                kinds,
            });
        }
    }
}

/// Lives of kinds, with whether what happens to them was declared.
type Told = (bool, Lives);

/// Kinds that something happens to at once, by what is told of them together: who says so, and of a deprecation, when
/// they go and who says that.
fn alike(reasoning: Reasoning<'_>, what: EventKind, kinds: &[(ElementId, Happened)]) -> Vec<Told> {
    let mut told: BTreeMap<(bool, Option<(Release, bool)>), Lives> = BTreeMap::new();
    for (kind, happening) in kinds {
        let removed = Event::new(*kind, happening.life, EventKind::Removed);
        let end = reasoning.release(removed).filter(|_| what == EventKind::Deprecated);
        let end = end.map(|release| (release, reasoning.model.find_declared(removed).is_some()));
        let lives = told.entry((happening.declared, end)).or_default();
        lives.push((*kind, happening.life));
    }
    told.into_iter()
        .map(|((declared, _), kinds)| (declared, kinds))
        .collect()
}

/// Whether what happens to these kinds of a version happens to the version: it was not served before, it is no longer
/// served, or no other kind of it is left that it does not happen to.
fn is_of_all(
    spans: &[(ElementId, timeline::Span)],
    release: Release,
    what: EventKind,
    kinds: &[(ElementId, Happened)],
) -> bool {
    let mut serving = spans.iter().filter(|(_, span)| span.service.covers(release)).peekable();
    let has = |kind: &ElementId| kinds.iter().any(|(other, _)| other == kind);
    match what {
        EventKind::Introduced => {
            let before = release.previous();
            before.is_none_or(|before| !spans.iter().any(|(_, span)| span.service.covers(before)))
        }
        EventKind::Removed => serving.next().is_none(),
        // What happens to a version that is gone happens to all that was in it.
        _ if serving.peek().is_none() => spans.iter().all(|(kind, _)| has(kind)),
        _ => serving.all(|(kind, _)| has(kind)),
    }
}

/// The stages of a gate after its first, and what they change.
fn stages(gate: &Gate, found: &mut Vec<Occurrence<'_>>) {
    for (at, spec) in gate.specs.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| gate.specs.get(before));
        let mut tell = |what| {
            found.push(Occurrence {
                release: spec.since,
                element: gate.element,
                life: 0,
                what,
                declared: true,
                kinds: Vec::new(),
            });
        };
        if let Some(before) = before {
            if before.stage != spec.stage && spec.stage != Stage::Deprecated {
                tell(What::Promoted {
                    from: before.stage.as_str(),
                    to: spec.stage.as_str(),
                    forward: spec.stage > before.stage,
                });
            }
            if before.default != spec.default {
                tell(What::DefaultChanged(spec.default));
            }
        }
        if spec.locked && before.is_none_or(|before| !before.locked) {
            tell(What::Event(EventKind::Locked));
        }
    }
}

/// The classes of a metric after its first.
fn classes(metric: &Metric, found: &mut Vec<Occurrence<'_>>) {
    for pair in metric.specs.windows(2) {
        let (before, spec) = (&pair[0], &pair[1]);
        if before.stability != spec.stability {
            found.push(Occurrence {
                release: spec.since,
                element: metric.element,
                life: 0,
                what: What::Promoted {
                    from: before.stability.as_str(),
                    to: spec.stability.as_str(),
                    forward: spec.stability > before.stability,
                },
                declared: true,
                kinds: Vec::new(),
            });
        }
    }
}
