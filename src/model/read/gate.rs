//! Feature gates.

use crate::document::{Key, Table, Value};
use crate::grammar::{GATE_SPEC, names};
use crate::stability::{Stage, Track};

use super::super::{ElementKind, ElementPath, EventKind, Gate, GateSpec};
use super::Reader;
use super::entry::reference;

const STAGES: &[&str] = &["alpha", "beta", "GA", "deprecated"];

impl Reader<'_> {
    /// Reads one gate.
    pub(super) fn gate(&mut self, key: Key<'_>, table: Table<'_>) {
        let example = "{ stage = \"alpha\", since = \"1.11\", default = false }";
        let specs = self.specs((&key, table), ("gate", "stages", example), Self::gate_spec);
        self.pend_specs(&specs);
        let mut entry = self.entry(table, ElementKind::Gate);
        entry.lives = 1;
        let depends_on = match table.get("depends-on").map(|(_, value)| (value, value.as_list())) {
            Some((_, Some(items))) => items.filter_map(|item| reference(item, self.diagnostics)).collect(),
            Some((value, None)) => reference(value, self.diagnostics).into_iter().collect(),
            None => Vec::new(),
        };
        let track = specs.last().map_or(Track::Alpha, |spec| spec.stage.track());
        let path = ElementPath::Named(ElementKind::Gate, key.name.into());
        let element = self.add(&path, None, key.span, track, entry);
        self.model.gates.push(Gate {
            element,
            specs,
            depends_on,
            dependents: Vec::new(),
            guards: Vec::new(),
        });
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

    fn gate_spec(&mut self, item: Value<'_>) -> Option<GateSpec> {
        let table = item.table(self.diagnostics)?;
        let (mut stage, mut since, mut default, mut locked) = (None, None, None, false);
        for (key, value) in table.entries() {
            match key.name {
                "stage" => stage = self.one_of("a stage", value, Stage::parse, STAGES),
                "since" => since = self.release_value(value),
                "default" => default = value.boolean(self.diagnostics),
                "locked" => locked = value.boolean(self.diagnostics).unwrap_or(false),
                _ => self.diagnostics.unknown_key(&key, &names(GATE_SPEC)),
            }
        }
        let required = [
            ("stage", "alpha, beta, GA or deprecated"),
            ("since", "the release in which it enters the stage"),
            ("default", "whether it is on unless set"),
        ];
        self.require(table, &required);
        Some(GateSpec {
            stage: stage?,
            since: since?.0,
            default: default?,
            locked,
            span: table.span(),
        })
    }
}
