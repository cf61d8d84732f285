//! What gates and metrics are from one of their entries on.

use crate::model::{Event, EventKind, GateSpec, MetricSpec, Model};
use crate::stability::Stage;

/// What a gate or a metric is from one of its entries on.
pub(super) fn entry(model: &Model, event: Event) -> Option<String> {
    if !matches!(event.what, EventKind::Introduced | EventKind::Promoted) {
        return None;
    }
    let at = usize::from(event.step);
    let gate = model
        .gate(event.element)
        .and_then(|gate| gate.specs.get(at))
        .map(gate_entry);
    gate.or_else(|| Some(metric_entry(model.metric(event.element)?.specs.get(at)?)))
}

/// Whether an entry is more stable than the one before.
pub(super) fn is_more_stable(model: &Model, event: Event) -> Option<bool> {
    let at = usize::from(event.step);
    let before = at.checked_sub(1).filter(|_| event.what == EventKind::Promoted)?;
    let stages = model.gate(event.element).map(|gate| gate.specs.as_slice());
    if let Some((before, spec)) = stages.and_then(|specs| Some((specs.get(before)?, specs.get(at)?))) {
        return Some(spec.stage > before.stage && spec.stage != Stage::Deprecated);
    }
    let classes = &model.metric(event.element)?.specs;
    Some(classes.get(at)?.stability > classes.get(before)?.stability)
}

fn gate_entry(spec: &GateSpec) -> String {
    let default = if spec.default { "on" } else { "off" };
    let locked = if spec.locked {
        format!(", locked {default}")
    } else {
        format!(", {default} by default")
    };
    format!("{}{locked}", spec.stage)
}

fn metric_entry(spec: &MetricSpec) -> String {
    let labels = spec.labels.as_ref().filter(|labels| !labels.is_empty());
    let labels = labels.map_or_else(String::new, |labels| format!(", labels {}", labels.join(", ")));
    format!("{}{labels}", spec.stability)
}
