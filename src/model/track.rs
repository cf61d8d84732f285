//! How stable an element is in a release: the lower of its own track and the stages of the gates that guard it.

use crate::release::Release;
use crate::stability::{Stage, Track};

use super::{ElementId, Event, EventKind, Gate, Model};

impl Model {
    /// The stability of an element in a release: its own, or the stage of a gate where that is lower. A gate that
    /// guards a version, kind or command guards what is in it.
    pub(crate) fn track_at(&self, id: ElementId, release: Release) -> Track {
        let mut track = self.element(id).track;
        for gate in self.gates_guarding(id) {
            let stage = gate.guarded_stage(release);
            track = stage.map_or(track, |stage| track.min(stage.track()));
        }
        track
    }

    /// The name of the gate that makes an element less stable in a release than its own track.
    pub(crate) fn gate_lowering(&self, id: ElementId, release: Release) -> Option<&str> {
        let track = self.track_at(id, release);
        let mut gates = self.gates_guarding(id).filter(|_| track < self.element(id).track);
        let gate = gates.find(|gate| gate.guarded_stage(release).is_some_and(|stage| stage.track() == track));
        gate.map(|gate| self.element(gate.element).name())
    }

    /// The gates that guard an element or what it is part of.
    pub(crate) fn gates_guarding(&self, id: ElementId) -> impl Iterator<Item = &Gate> {
        let owners = self.with_wholes(id);
        owners.filter_map(|id| self.gate_guarding(id))
    }

    /// The stability of a life when its end is announced: in the release of its deprecation, declared or else expected.
    /// What is removed without a deprecation counts as in the last release that had it, or in that of the removal if a
    /// gate makes it less stable then: it could have been deprecated in that.
    pub(crate) fn track_at_end(&self, deprecated: Event, expected: Option<Release>) -> Track {
        let element = deprecated.element;
        let declared = self.deprecation(element, deprecated.life);
        let removed = self.declared_release(deprecated.sibling(EventKind::Removed));
        match (declared, removed) {
            (Some(declared), _) => self.track_at(element, declared.release),
            (None, Some(removed)) => self.track_unannounced(element, removed),
            (None, None) => self.track_at(element, expected.unwrap_or(Release::NEVER)),
        }
    }

    /// The stability of an element that is removed in a release without a deprecation.
    pub(crate) fn track_unannounced(&self, element: ElementId, removed: Release) -> Track {
        let last = removed.previous().map(|last| self.track_at(element, last));
        let at_end = self.track_at(element, removed);
        last.map_or(at_end, |last| last.min(at_end))
    }

    /// The stabilities of a life, each with the event that it begins with: the introduction, or the promotion of a
    /// gate.
    pub(crate) fn tracks_of(&self, introduced: Event) -> Vec<(Release, Event, Track)> {
        let Some(since) = self.declared_release(introduced) else {
            return Vec::new();
        };
        let element = introduced.element;
        let mut tracks = vec![(since, introduced, self.track_at(element, since))];
        let mut promotions: Vec<(Release, Event)> = self
            .gates_guarding(element)
            .flat_map(Gate::entries)
            .filter(|(release, _)| *release > since)
            .collect();
        promotions.sort_unstable();
        for (release, promoted) in promotions {
            let track = self.track_at(element, release);
            if tracks.last().is_some_and(|(.., before)| *before != track) {
                tracks.push((release, promoted, track));
            }
        }
        tracks
    }

    /// From when a life is at least as stable as this: its introduction, or the promotion of the gate that guards it.
    pub(crate) fn stable_since(&self, introduced: Event, track: Track) -> Option<(Release, Event)> {
        if self.element(introduced.element).track < track {
            return None;
        }
        let tracks = self.tracks_of(introduced).into_iter();
        let (release, event, _) = tracks.rev().take_while(|(.., own)| *own >= track).last()?;
        Some((release, event))
    }
}

impl Gate {
    /// The stage of what the gate guards: that of the feature, also when the gate itself is deprecated.
    fn guarded_stage(&self, release: Release) -> Option<Stage> {
        let mut entries = self.specs.iter().rev().filter(|spec| spec.since <= release);
        entries
            .find(|spec| spec.stage != Stage::Deprecated)
            .map(|spec| spec.stage)
    }

    /// Its entries as events, with their releases.
    fn entries(&self) -> impl Iterator<Item = (Release, Event)> + '_ {
        let entries = (0..=u8::MAX).zip(&self.specs);
        entries.map(|(step, spec)| (spec.since, Event::entry(self.element, step)))
    }
}
