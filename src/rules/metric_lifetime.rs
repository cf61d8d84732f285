#![doc = include_str!("metric-lifetime.md")]

use crate::model::{Declared, Event, EventKind, Metric};
use crate::obligation::{Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys};
use crate::release::{Release, Window};

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
        let announced = scope.model.in_force(announcement(scope, metric));
        let Some((reached, class)) = class_at(metric, announced) else {
            continue;
        };
        let law = scope.law_at(announced);
        let window = law.and_then(|law| law.window(class, Key::Lifetime));
        let Some(window) = window else { continue };
        let hidden = Event::new(metric.element, 0, EventKind::Hidden);
        let because = "a metric keeps functioning in its class";
        scope.not_before(out, "hidden-early", hidden, Term::after(reached, window), because);
        let is_deprecated = announced.is_none_or(|announced| announced.event.what == EventKind::Deprecated);
        let stays_hidden = is_deprecated || window != Window::default();
        let hidden_for = stays_hidden.then(|| hidden_for(scope, class, announced));
        let because = "a metric is deleted no earlier than";
        let term = Term::after(reached, window.followed_by(hidden_for.unwrap_or_default()));
        scope.not_before(out, "early", hidden.sibling(EventKind::Removed), term, because);
    }
}

/// The event that announces the end of a metric: its deprecation, or else that it is hidden or removed.
pub(super) fn announcement(scope: &Scope<'_>, metric: &Metric) -> Event {
    let model = scope.model;
    let deprecated = Event::new(metric.element, 0, EventKind::Deprecated);
    if model.deprecation(metric.element, 0).is_some() {
        return deprecated;
    }
    let ends = [EventKind::Hidden, EventKind::Removed].map(|what| deprecated.sibling(what));
    let declared = ends.into_iter().find(|end| model.find_declared(*end).is_some());
    declared.unwrap_or(deprecated)
}

/// For how long a metric of a class is hidden before it is deleted.
pub(super) fn hidden_for(scope: &Scope<'_>, class: Class, announced: Option<&Declared>) -> Window {
    let window = scope.window_of("metric-deprecation", class, Key::RemoveAfterHidden, announced);
    window.unwrap_or_default()
}

/// The class of a metric when its end is announced, and the event by which it reached it.
fn class_at(metric: &Metric, announced: Option<&Declared>) -> Option<(Event, Class)> {
    let end = announced.map_or(Release::NEVER, |announced| announced.release);
    let class = metric.at(end)?.stability;
    let step = metric.specs.iter().position(|spec| spec.stability == class)?;
    let reached = entry(metric.element, u8::try_from(step).unwrap_or(u8::MAX));
    Some((reached, class.into()))
}
