#![doc = include_str!("metric-lifetime.md")]

use crate::model::{Declared, Event, EventKind, Metric};
use crate::obligation::{Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys};
use crate::release::Release;

use super::{Rule, entry};

pub(super) const RULE: Rule = Rule {
    slug: "metric-lifetime",
    page: include_str!("metric-lifetime.md"),
    codes: &["early", "hidden-early"],
    keys: RuleKeys::of(&[
        (Class::Stable, &[Key::Lifetime]),
        (Class::Beta, &[Key::Lifetime]),
        (Class::Alpha, &[Key::Lifetime]),
        (Class::Internal, &[Key::Lifetime]),
    ]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for metric in &scope.model.metrics {
        let Some((reached, class)) = class_at_end(scope, metric) else {
            continue;
        };
        let law = scope.law_at(end_announced(scope, metric));
        let window = law.and_then(|law| law.window(class, Key::Lifetime));
        let Some(window) = window else { continue };
        let term = Term::after(reached, window);
        let because = "a metric keeps functioning in its class";
        let hidden = Event::new(metric.element, 0, EventKind::Hidden);
        let removed = hidden.sibling(EventKind::Removed);
        scope.not_before(out, "hidden-early", hidden, term, because);
        scope.not_before(out, "early", removed, term, because);
    }
}

/// The event that announces the end of a metric: its deprecation, or else when it is hidden or removed.
fn end_announced<'s>(scope: &Scope<'s>, metric: &Metric) -> Option<&'s Declared> {
    [EventKind::Deprecated, EventKind::Hidden, EventKind::Removed]
        .into_iter()
        .find_map(|what| scope.model.declared(metric.element, what))
}

/// The class a metric is in when its end is announced, and the event by which it reached it.
fn class_at_end(scope: &Scope<'_>, metric: &Metric) -> Option<(Event, Class)> {
    let end = end_announced(scope, metric).map_or(Release::NEVER, |declared| declared.release);
    let class = metric.at(end)?.stability;
    let step = metric.specs.iter().position(|spec| spec.stability == class)?;
    let reached = entry(metric.element, u8::try_from(step).unwrap_or(u8::MAX));
    Some((reached, class.into()))
}
