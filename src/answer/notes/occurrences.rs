//! Every event of every element. What happens to all kinds of a version is an event of the version, with its kinds.

use std::collections::BTreeMap;

use crate::derivation::Reasoning;
use crate::model::{ElementId, Event, EventKind, Family, Gate, Metric, Model, Version};
use crate::policy::Law;
use crate::release::Release;
use crate::stability::Stage;
use crate::timeline;

use super::moves;
use super::occurrence::{Lives, Occurrence, What};

/// Everything that happens, in the order of the elements; to one element, in time.
pub(super) fn all<'a>(reasoning: Reasoning<'a>, law: &Law) -> Vec<Occurrence<'a>> {
    let model = reasoning.model;
    let mut found = Vec::new();
    for group in &model.groups {
        for version in &group.versions {
            of_version(reasoning, version, &mut found);
        }
        // Configurations are neither served nor stored.
        if group.family == Family::Api {
            found.extend(moves::all(reasoning, law, group));
        }
    }
    for (id, element) in model.elements() {
        if element.kind.is_version() || element.kind.is_kind() {
            continue;
        }
        let own = (0..model.lives(id)).flat_map(|life| lifetime(reasoning, id, life));
        let own = own.filter(|happened| !element.kind.is_member() || is_its_own(reasoning, id, *happened));
        found.extend(own.map(|happened| happened.occurrence(id)));
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
    fn new(model: &Model, event: Event, release: Release) -> Self {
        Self {
            what: event.what,
            life: event.life,
            release,
            declared: model.find_declared(event).is_some(),
        }
    }

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

/// The events of a life that are announced, planned ones included, but for stages and moves.
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
    let mut found: Vec<Happened> = ONCE
        .into_iter()
        .map(|what| Event::new(element, life, what))
        .filter_map(|event| Some(Happened::new(model, event, reasoning.release(event)?)))
        .collect();
    for what in [EventKind::Deprecated, EventKind::Undeprecated] {
        let steps = (0..=u8::MAX).map(|step| Event {
            step,
            ..Event::new(element, life, what)
        });
        let declared = steps.map_while(|event| Some(Happened::new(model, event, model.find_declared(event)?.release)));
        found.extend(declared);
    }
    // A deprecation that is not declared may be implied or planned.
    let deprecated = Event::new(element, life, EventKind::Deprecated);
    if model.in_force(deprecated).is_none() {
        let planned = reasoning.assignment.planned(deprecated).is_some();
        found.extend(reasoning.release(deprecated).map(|release| Happened {
            declared: !planned,
            ..Happened::new(model, deprecated, release)
        }));
    }
    // A planned deprecation in the release of the removal is not announced (P5).
    let removed = reasoning.release(Event::new(element, life, EventKind::Removed));
    found.retain(|happened| {
        let deprecated = happened.what == EventKind::Deprecated && !happened.declared;
        let at_once = deprecated && removed.is_some_and(|removed| removed <= happened.release);
        !happened.release.is_never() && !at_once
    });
    found
}

/// Whether an event of a part of a kind is not one of the kind as well.
fn is_its_own(reasoning: Reasoning<'_>, member: ElementId, happened: Happened) -> bool {
    let model = reasoning.model;
    let Some(kind) = model.element(member).parent else {
        return true;
    };
    let mut events = (0..model.lives(kind)).map(|life| Event::new(kind, life, happened.what));
    !events.any(|event| reasoning.release(event) == Some(happened.release))
}

/// The events of a version: of all its kinds together, or of single kinds.
fn of_version(reasoning: Reasoning<'_>, version: &Version, found: &mut Vec<Occurrence<'_>>) {
    let model = reasoning.model;
    if version.kinds.is_empty() {
        let lives = (0..model.lives(version.element)).flat_map(|life| lifetime(reasoning, version.element, life));
        found.extend(lives.map(|happened| happened.occurrence(version.element)));
        return;
    }
    let mut together: BTreeMap<(Release, EventKind), Vec<(ElementId, Happened)>> = BTreeMap::new();
    for kind in &version.kinds {
        for happened in (0..model.lives(*kind)).flat_map(|life| lifetime(reasoning, *kind, life)) {
            let key = (happened.release, happened.what);
            together.entry(key).or_default().push((*kind, happened));
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
            found.extend(kinds.into_iter().map(|(kind, happened)| happened.occurrence(kind)));
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

/// Kinds with the same event, by whether it is declared, and for deprecations by the removal and whether that is
/// declared.
fn alike(reasoning: Reasoning<'_>, what: EventKind, kinds: &[(ElementId, Happened)]) -> Vec<(bool, Lives)> {
    let mut alike: BTreeMap<(bool, Option<(Release, bool)>), Lives> = BTreeMap::new();
    for (kind, happened) in kinds {
        let removed = Event::new(*kind, happened.life, EventKind::Removed);
        let end = reasoning.release(removed).filter(|_| what == EventKind::Deprecated);
        let end = end.map(|release| (release, reasoning.model.find_declared(removed).is_some()));
        let lives = alike.entry((happened.declared, end)).or_default();
        lives.push((*kind, happened.life));
    }
    alike
        .into_iter()
        .map(|((declared, _), kinds)| (declared, kinds))
        .collect()
}

/// Whether an event of kinds is one of their version: the version was not served before, is no longer served, or has no
/// other kinds left.
fn is_of_all(
    spans: &[(ElementId, timeline::Span)],
    release: Release,
    what: EventKind,
    kinds: &[(ElementId, Happened)],
) -> bool {
    let mut serving = spans.iter().filter(|(_, span)| span.service.covers(release)).peekable();
    let kinds: Vec<ElementId> = kinds.iter().map(|(kind, _)| *kind).collect();
    match what {
        EventKind::Introduced => {
            let before = release.previous();
            before.is_none_or(|before| !spans.iter().any(|(_, span)| span.service.covers(before)))
        }
        EventKind::Removed => serving.next().is_none(),
        // An event of a version that is no longer served is one of all its kinds.
        _ if serving.peek().is_none() => spans.iter().all(|(kind, _)| kinds.contains(kind)),
        _ => serving.all(|(kind, _)| kinds.contains(kind)),
    }
}

/// The changes of a gate at its stages after the first.
fn stages(gate: &Gate, found: &mut Vec<Occurrence<'_>>) {
    for (at, spec) in gate.specs.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| gate.specs.get(before));
        let mut changes = Vec::new();
        if let Some(before) = before {
            if before.stage != spec.stage && spec.stage != Stage::Deprecated {
                changes.push(What::Promoted {
                    from: before.stage.as_str(),
                    to: spec.stage.as_str(),
                    forward: spec.stage > before.stage,
                });
            }
            if before.default != spec.default {
                changes.push(What::DefaultChanged(spec.default));
            }
        }
        if spec.locked && before.is_none_or(|before| !before.locked) {
            changes.push(What::Event(EventKind::Locked));
        }
        found.extend(changes.into_iter().map(|what| Occurrence {
            release: spec.since,
            element: gate.element,
            life: 0,
            what,
            declared: true,
            kinds: Vec::new(),
        }));
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
