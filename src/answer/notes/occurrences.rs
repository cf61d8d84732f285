//! Every event of every element. What happens to all kinds of a version is an event of the version, with its kinds.

use std::collections::{BTreeMap, BTreeSet};

use crate::derivation::Reasoning;
use crate::model::{ElementId, ElementKind, Event, EventKind, Family, Gate, Metric, Version};
use crate::policy::Law;
use crate::release::Release;
use crate::stability::Stage;
use crate::timeline;

use super::moves;
use super::occurrence::{Lives, Occurrence, What};

/// Everything that happens, in the order of the elements; to one element, in time.
pub(in crate::answer) fn all<'a>(reasoning: Reasoning<'a>, law: &Law) -> Vec<Occurrence<'a>> {
    let model = reasoning.model;
    let mut found = Vec::new();
    for group in model.groups.iter() {
        for version in &group.versions {
            found.extend(of_version(reasoning, version));
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
        let own = lifetimes(reasoning, id);
        found.extend(own.filter(|own| is_its_own(reasoning, own)));
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

/// The announced events of all lives of an element, planned ones too, except for stages and moves.
fn lifetimes(reasoning: Reasoning<'_>, element: ElementId) -> impl Iterator<Item = Occurrence<'_>> {
    (0..reasoning.model.lives(element)).flat_map(move |life| lifetime(reasoning, element, life))
}

fn lifetime<'a>(reasoning: Reasoning<'_>, element: ElementId, life: u8) -> Vec<Occurrence<'a>> {
    const BEFORE: [EventKind; 2] = [EventKind::Tolerated, EventKind::Introduced];
    const AFTER: [EventKind; 4] = [
        EventKind::Hidden,
        EventKind::Migrated,
        EventKind::Removed,
        EventKind::Dropped,
    ];
    let model = reasoning.model;
    let mut found = Vec::new();
    let steps = model.steps.iter().map(|(what, _)| what);
    let once = BEFORE.into_iter().chain(steps).chain(AFTER);
    for event in once.map(|what| Event::new(element, life, what)) {
        let declared = model.find_declared(event).is_some() && !reasoning.is_cut_short(event);
        found.extend(
            reasoning
                .release(event)
                .map(|release| Occurrence::of(event, release, declared)),
        );
    }
    for event in [EventKind::Deprecated, EventKind::Undeprecated].map(|what| Event::new(element, life, what)) {
        found.extend(
            model
                .repeated(event)
                .map(|declared| Occurrence::of(event, declared.release, true)),
        );
    }
    // A deprecation that is not declared may be implied or planned.
    let deprecated = Event::new(element, life, EventKind::Deprecated);
    if model.in_force(deprecated).is_none() {
        let declared = reasoning.assignment.planned(deprecated).is_none();
        let release = reasoning.release(deprecated);
        found.extend(release.map(|release| Occurrence::of(deprecated, release, declared)));
    }
    // A planned deprecation in the release of the removal is not announced (P5), nor is what a part declares for a
    // release in which its owner is removed already.
    let end = Event::new(element, life, EventKind::Removed);
    let (removed, with_owner) = (reasoning.release(end), reasoning.assignment.owner_end(model, end));
    found.retain(|found| {
        let deprecated = found.what == What::Event(EventKind::Deprecated) && !found.declared;
        let at_once = deprecated && removed.is_some_and(|removed| removed <= found.release);
        let is_end = found.what == What::Event(EventKind::Removed);
        let is_late = !is_end && with_owner.is_some_and(|end| end <= found.release);
        !found.release.is_never() && !at_once && !is_late
    });
    found
}

/// Whether an event of a part is not one of its owner as well, or, of a flag, is declared by itself.
fn is_its_own(reasoning: Reasoning<'_>, own: &Occurrence<'_>) -> bool {
    let model = reasoning.model;
    let what = own.what.usual_order();
    let event = Event::new(own.element, own.life, what);
    let mut declared = model.declared_of(own.element).iter();
    let declares = model.element(own.element).kind == ElementKind::Flag
        && declared.any(|declared| declared.event == event && !model.is_back_with_owner(event));
    let with_owner = model.owner_removal(event.sibling(EventKind::Removed));
    declares || with_owner.is_none_or(|end| reasoning.release(end.sibling(what)) != Some(own.release))
}

/// The events of a version: of all its kinds together, or of single kinds.
pub(in crate::answer) fn of_version<'a>(reasoning: Reasoning<'a>, version: &Version) -> Vec<Occurrence<'a>> {
    let model = reasoning.model;
    if version.kinds.is_empty() {
        return lifetimes(reasoning, version.element).collect();
    }
    let mut found = Vec::new();
    let mut together: BTreeMap<(Release, EventKind), Vec<Occurrence<'_>>> = BTreeMap::new();
    let mut spans: Vec<(ElementId, timeline::Span)> = Vec::new();
    for kind in &version.kinds {
        for found in lifetimes(reasoning, *kind) {
            let key = (found.release, found.what.usual_order());
            together.entry(key).or_default().push(found);
        }
        let own = timeline::spans(model, reasoning.assignment, *kind).into_iter();
        spans.extend(own.map(|span| (*kind, span)));
    }
    for ((release, what), of_kinds) in together {
        if !is_of_all(&spans, release, what, &of_kinds) {
            found.extend(of_kinds);
            continue;
        }
        for ((declared, _), kinds) in alike(reasoning, what, &of_kinds) {
            found.push(Occurrence {
                kinds,
                ..Occurrence::of(Event::new(version.element, 0, what), release, declared)
            });
        }
    }
    found
}

/// Kinds with the same event, by whether it is declared, and for deprecations by the removal and whether that is
/// declared.
fn alike(
    reasoning: Reasoning<'_>,
    what: EventKind,
    of_kinds: &[Occurrence<'_>],
) -> BTreeMap<(bool, Option<(Release, bool)>), Lives> {
    let mut alike: BTreeMap<_, Lives> = BTreeMap::new();
    for own in of_kinds {
        let removed = Event::new(own.element, own.life, EventKind::Removed);
        let end = reasoning.release(removed).filter(|_| what == EventKind::Deprecated);
        let end = end.map(|release| (release, reasoning.model.find_declared(removed).is_some()));
        alike
            .entry((own.declared, end))
            .or_default()
            .push((own.element, own.life));
    }
    alike
}

/// Whether an event of kinds is one of their version: the version was not served before, is no longer served, or has no
/// other kinds left.
fn is_of_all(
    spans: &[(ElementId, timeline::Span)],
    release: Release,
    what: EventKind,
    of_kinds: &[Occurrence<'_>],
) -> bool {
    let mut serving = spans.iter().filter(|(_, span)| span.service.covers(release)).peekable();
    let kinds: BTreeSet<ElementId> = of_kinds.iter().map(|own| own.element).collect();
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
        let changes = changes.into_iter();
        found.extend(changes.map(|what| Occurrence::change(gate.element, spec.since, what)));
    }
}

/// The classes and the labels of a metric after its first.
fn classes(metric: &Metric, found: &mut Vec<Occurrence<'_>>) {
    for (at, pair) in (1..).zip(metric.specs.windows(2)) {
        let (before, spec) = (&pair[0], &pair[1]);
        if before.labels.is_some() && spec.labels.is_some() && before.labels != spec.labels {
            found.push(Occurrence::change(metric.element, spec.since, What::Relabelled(at)));
        }
        if before.stability != spec.stability {
            let promoted = What::Promoted {
                from: before.stability.as_str(),
                to: spec.stability.as_str(),
                forward: spec.stability > before.stability,
            };
            found.push(Occurrence::change(metric.element, spec.since, promoted));
        }
    }
}
