//! Feature gates.

use crate::document::{Key, Table, Value};
use crate::grammar::{GATE_SPEC, names};
use crate::release::Release;
use crate::source::Span;
use crate::stability::{Stage, Track};

use super::super::{ElementKind, ElementPath, EventKind, Gate, GateSpec, Reference};
use super::Reader;
use super::entry::reference;

const STAGES: &[&str] = &["alpha", "beta", "GA", "deprecated", REMOVED];

/// The stage of an entry that removes the gate.
const REMOVED: &str = "removed";

/// An entry of `specs`.
enum SpecEntry {
    Stage(GateSpec),
    /// The removal, and where its release is.
    Removal(Release, Span),
}

/// What `stage` names.
#[derive(Clone, Copy)]
enum SpecStage {
    Of(Stage),
    Removed,
}

impl SpecStage {
    fn parse(text: &str) -> Option<Self> {
        match text {
            REMOVED => Some(Self::Removed),
            stage => Stage::parse(stage).map(Self::Of),
        }
    }
}

impl Reader<'_> {
    /// Reads one gate.
    pub(super) fn gate(&mut self, key: Key<'_>, table: Table<'_>) {
        let example = "{ stage = \"alpha\", since = \"1.11\", default = false }";
        let entries = self.specs((&key, table), ("gate", "stages", example), Self::gate_spec);
        let specs = self.stages(&key, entries);
        self.pend_specs(&specs);
        let mut entry = self.entry(table, ElementKind::Gate);
        self.removed_once(&key);
        entry.lives = 1;
        let depends_on = table.get("depends-on").map(|(_, value)| self.dependencies(value));
        let track = specs.last().map_or(Track::Alpha, |spec| spec.stage.track());
        let path = ElementPath::Named(ElementKind::Gate, key.name.into());
        let element = self.add(&path, None, key.span, track, entry);
        self.model.gates.push(Gate {
            element,
            specs,
            listed: table.get("specs").map(|(_, value)| value.span()),
            depends_on: depends_on.unwrap_or_default(),
            dependents: Vec::new(),
            guards: Vec::new(),
        });
    }

    /// The gates that one depends on, each of which is judged with it.
    fn dependencies(&mut self, value: Value<'_>) -> Vec<Reference> {
        let Some(items) = value.as_list() else {
            return reference(value, self.diagnostics).into_iter().collect();
        };
        let found: Vec<Reference> = items.filter_map(|item| reference(item, self.diagnostics)).collect();
        self.spend_on_dependencies(found.len(), value.span());
        found
    }

    /// The entries as events: the first introduces the gate, the others promote or deprecate it, and the first locked
    /// one locks it.
    fn pend_specs(&mut self, specs: &[GateSpec]) {
        let mut locked = false;
        let mut deprecated = false;
        for (step, spec) in (0..=u8::MAX).zip(specs) {
            match (step, spec.stage) {
                (0, _) => self.pend(0, EventKind::Introduced, 0, spec.since, spec.span),
                _ => self.pend(0, EventKind::Promoted, step, spec.since, spec.span),
            }
            if spec.stage == Stage::Deprecated && !deprecated {
                deprecated = true;
                self.pend(0, EventKind::Deprecated, 0, spec.since, spec.span);
            }
            if spec.locked && !locked {
                locked = true;
                self.pend(0, EventKind::Locked, 0, spec.since, spec.span);
            }
        }
    }

    /// The stages among the entries; the removal is kept as an event.
    fn stages(&mut self, key: &Key<'_>, entries: Vec<SpecEntry>) -> Vec<GateSpec> {
        let mut specs: Vec<GateSpec> = Vec::new();
        let mut removal: Option<Release> = None;
        let is_removal_alone = matches!(entries[..], [SpecEntry::Removal(..), ..]);
        for entry in entries {
            match entry {
                SpecEntry::Removal(release, span) => {
                    removal = Some(release);
                    self.pend(0, EventKind::Removed, 0, release, span);
                }
                SpecEntry::Stage(spec) => {
                    if removal.is_some_and(|removal| spec.since < removal) {
                        let help = "list the entries oldest first; `removed` is the last one";
                        let message = format!("gate {} has an entry listed after its removal", key.name);
                        self.diagnostics.at("order", spec.span, message, help);
                    }
                    specs.push(spec);
                }
            }
        }
        if is_removal_alone {
            let help = "list the stages of the gate before its removal";
            let message = format!("gate {} has no stage before its removal", key.name);
            self.diagnostics.at("specs", key.span, message, help);
        }
        specs
    }

    /// Reports a removal that is declared more than once: by `removed`, and by an entry of `specs`.
    fn removed_once(&mut self, key: &Key<'_>) {
        let removals = self.pending.iter().map(|declared| (declared.event.what, declared.span));
        let mut removals = removals.filter(|(what, _)| *what == EventKind::Removed);
        if let Some((_, span)) = removals.nth(1) {
            let help = "keep one: the key `removed`, or the entry of `specs`";
            let message = format!("the removal of gate {} is declared twice", key.name);
            self.diagnostics.at("two-ways", span, message, help);
        }
    }

    fn gate_spec(&mut self, item: Value<'_>) -> Option<SpecEntry> {
        let table = item.table(self.diagnostics)?;
        let (mut stage, mut since, mut default, mut locked) = (None, None, None, None);
        for (key, value) in table.entries() {
            match key.name {
                "stage" => stage = self.one_of("a stage", value, SpecStage::parse, STAGES),
                "since" => since = self.release_value(value),
                "default" => default = Some((key.span, value.boolean(self.diagnostics))),
                "locked" => locked = Some((key.span, value.boolean(self.diagnostics))),
                _ => self.diagnostics.unknown_key(&key, &names(GATE_SPEC)),
            }
        }
        if let Some(SpecStage::Removed) = stage {
            for (span, _) in [default, locked].into_iter().flatten() {
                let message = "a gate that is removed has no default";
                self.diagnostics.at("unknown-key", span, message, "delete the key");
            }
            self.require(table, &[("since", "the release in which it is removed")]);
            let (release, span) = since?;
            return Some(SpecEntry::Removal(release, span));
        }
        let required = [
            ("stage", "alpha, beta, GA, deprecated or removed"),
            ("since", "the release in which it enters the stage"),
            ("default", "whether it is on unless set"),
        ];
        self.require(table, &required);
        let SpecStage::Of(stage) = stage? else { return None };
        Some(SpecEntry::Stage(GateSpec {
            stage,
            since: since?.0,
            default: default?.1?,
            locked: locked.is_some_and(|(_, locked)| locked.unwrap_or(false)),
            span: table.span(),
        }))
    }
}
