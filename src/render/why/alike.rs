//! Obligations on one event that read the same but for the element they count from: a gate is not removed while it
//! guards any of a thousand fields.

use std::collections::{HashMap, HashSet};

use crate::report::{Derivation, EventDerivation, EventName, StepReport};

/// As many obligations that read the same are still listed one by one.
const FEW: usize = 3;

/// An obligation, and the elements of others that read the same.
pub(super) struct ShownStep<'d, 'a> {
    pub(super) step: &'d StepReport<'a>,
    pub(super) others: Vec<&'a str>,
}

/// The obligations on an event, in their order. Of many that read the same, those that decide are shown, or else the
/// first one.
pub(super) fn shown_steps<'d, 'a>(event: &'d EventDerivation<'a>) -> Vec<ShownStep<'d, 'a>> {
    let mut groups: Vec<Vec<&StepReport<'a>>> = Vec::new();
    let mut known: HashMap<(&str, &str, Option<&str>, String), usize> = HashMap::new();
    for step in &event.steps {
        let from = step.counts_from.filter(|from| from.element != event.event.element);
        let Some(from) = from else {
            groups.push(vec![step]);
            continue;
        };
        let bound = step.bound.map(|bound| bound.release);
        let side = if step.met { "met" } else { "missed" };
        let key = (step.rule, side, bound, step.text.replace(from.element, ""));
        let at = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(step),
            None => groups.push(vec![step]),
        }
    }
    groups.into_iter().flat_map(of_group).collect()
}

fn of_group<'d, 'a>(group: Vec<&'d StepReport<'a>>) -> Vec<ShownStep<'d, 'a>> {
    let decides = group.iter().any(|step| step.binding);
    let is_long = group.len() > FEW;
    let (mut shown, folded): (Vec<_>, Vec<_>) = group
        .into_iter()
        .enumerate()
        .partition(|(at, step)| !is_long || step.binding || (!decides && *at == 0));
    let last = shown.pop();
    let folded = folded.into_iter();
    let others = folded.filter_map(|(_, step)| Some(step.counts_from?.element)).collect();
    let single = shown.into_iter().map(|(_, step)| ShownStep {
        step,
        others: Vec::new(),
    });
    let last = last.map(|(_, step)| ShownStep { step, others });
    single.chain(last).collect()
}

/// The events that the shown obligations on the element's own events count from, and so on.
pub(super) fn reached<'a>(
    derivation: &Derivation<'a>,
    is_own: impl Fn(&EventDerivation<'_>) -> bool,
) -> HashSet<EventName<'a>> {
    let by_name: HashMap<EventName<'a>, &EventDerivation<'a>> =
        derivation.events.iter().map(|event| (event.event, event)).collect();
    let mut left: Vec<EventName<'a>> = derivation
        .events
        .iter()
        .filter(|event| is_own(event))
        .map(|event| event.event)
        .collect();
    let mut reached: HashSet<EventName<'a>> = left.iter().copied().collect();
    while let Some(event) = left.pop().and_then(|name| by_name.get(&name)) {
        let from = shown_steps(event)
            .into_iter()
            .filter_map(|shown| shown.step.counts_from);
        left.extend(from.filter(|from| reached.insert(*from)));
    }
    reached
}
