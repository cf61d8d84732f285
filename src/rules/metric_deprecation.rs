//! A deprecated metric functions for a window, is then hidden, and is deleted after that.
//!
#![doc = include_str!("metric-deprecation.md")]

use crate::diagnostic::Change;
use crate::document::quoted;
use crate::model::{Event, EventKind, Metric, MetricSpec};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys, RuleLaw};
use crate::release::{Release, Window};
use crate::stability::MetricStability;

use super::Rule;

const WINDOWS: &[Key] = &[Key::AfterDeprecation, Key::HideAfter, Key::RemoveAfterHidden];

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "metric-deprecation",
    title: "A deprecated metric functions for a window, is then hidden, and is deleted after that.",
    page: include_str!("metric-deprecation.md"),
    codes: &[
        "early",
        "hidden-early",
        "no-prefix",
        "labels-changed",
        "type-changed",
        "less-stable",
    ],
    keys: RuleKeys::of(&[
        (Class::Stable, WINDOWS),
        (Class::Beta, WINDOWS),
        (Class::Alpha, WINDOWS),
        (Class::Internal, WINDOWS),
    ]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for metric in &scope.model.metrics {
        end(scope, out, metric);
        prefix(scope, out, metric);
        for (pair, step) in metric.specs.windows(2).zip(1_u8..) {
            stays_as_it_is(scope, out, metric, &pair[0], &pair[1], step);
        }
        let because = "a metric is replaced only by one that is at least as stable";
        replacement(scope, out, metric, because);
    }
}

fn end(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    let model = scope.model;
    let removed = Event::new(metric.element, 0, EventKind::Removed);
    let hidden = removed.sibling(EventKind::Hidden);
    let announced = scope.announcement(metric.element, 0);
    let declared = model.find_declared(announced);
    let at_end = declared.map_or(Release::NEVER, |declared| declared.release);
    let (Some(spec), Some(law)) = (metric.at(at_end), scope.law_at(declared)) else {
        return;
    };
    let class = Class::from(spec.stability);
    let functions = "a deprecated metric keeps functioning";
    let offset = "a deprecated metric is hidden some releases later";
    for (key, because) in [(Key::AfterDeprecation, functions), (Key::HideAfter, offset)] {
        if let Some(window) = law.window(class, key) {
            let demand = Demand::NotBefore(Term::after(announced, window));
            out.push(scope.obligation("hidden-early", hidden, demand.clone(), because));
            // A removal without a deprecation is judged by the window alone.
            if announced != removed || key == Key::AfterDeprecation {
                out.push(scope.obligation("early", removed, demand, because));
            }
        }
    }
    deletion(scope, out, (law, class), announced, removed);
}

/// A metric is deleted a release after it was hidden. If only the deletion is declared, it counts from the release in
/// which the metric could be hidden.
fn deletion(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (law, class): (&RuleLaw, Class),
    announced: Event,
    removed: Event,
) {
    let Some(window) = law.window(class, Key::RemoveAfterHidden) else {
        return;
    };
    let model = scope.model;
    let hidden = removed.sibling(EventKind::Hidden);
    let because = "a metric stays hidden for some releases before it is deleted";
    let term = if model.find_declared(hidden).is_some() || model.find_declared(removed).is_none() {
        Term::after(hidden, window)
    } else {
        let offset = law.window(class, Key::HideAfter).unwrap_or_default();
        if announced == removed || offset == Window::default() {
            return;
        }
        let both = Window {
            months: offset.months + window.months,
            releases: offset.releases + window.releases,
            ..offset
        };
        Term::after(announced, both)
    };
    out.push(scope.obligation("early", removed, Demand::NotBefore(term), because));
}

/// The help text begins with "(Deprecated from x.y)".
fn prefix(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    let model = scope.model;
    let Some(deprecated) = model.deprecation(metric.element, 0) else {
        return;
    };
    let Some(help) = model.attributes(metric.element).and_then(|said| said.help.as_ref()) else {
        return;
    };
    let expected = format!("(Deprecated from {})", model.calendar.name(deprecated.release));
    let stands = help.text.starts_with(&expected);
    let because = "the help text of a deprecated metric begins with its deprecation";
    let obligation = scope
        .obligation("no-prefix", deprecated.event, Demand::Requires(stands), because)
        .message(format!(
            "{} is deprecated, but its help text does not begin with \"{expected}\"",
            model.id(metric.element)
        ))
        .place(help.span)
        .help(format!("begin the help text with \"{expected} \""))
        .fix(|| Change::Set {
            place: help.span,
            value: quoted(&format!("{expected} {}", without_prefix(&help.text))),
        });
    out.push(obligation);
}

/// A help text without the prefix of an earlier deprecation.
fn without_prefix(text: &str) -> &str {
    let prefix = text
        .strip_prefix("(Deprecated from ")
        .and_then(|rest| rest.split_once(')'));
    prefix.map_or(text, |(_, rest)| rest).trim_start()
}

/// The type and the labels of a STABLE metric do not change; a BETA metric may gain labels.
fn stays_as_it_is(
    scope: &Scope<'_>,
    out: &mut Obligations,
    metric: &Metric,
    before: &MetricSpec,
    spec: &MetricSpec,
    step: u8,
) {
    let id = scope.model.id(metric.element);
    let event = Event {
        step,
        ..Event::new(metric.element, 0, EventKind::Promoted)
    };
    let class = before.stability;
    let finding = |code, because: &'static str, message: String| {
        scope
            .obligation(code, event, Demand::Forbidden, because)
            .message(message)
            .related(before.span, "before")
            .help("introduce a metric with another name, and deprecate this one")
    };
    if let (Some(was), Some(is)) = (&before.labels, &spec.labels) {
        let lost = was.iter().any(|label| !is.contains(label));
        let broken = match class {
            MetricStability::Stable => was != is,
            MetricStability::Beta => lost,
            MetricStability::Alpha | MetricStability::Internal => false,
        };
        if broken {
            let message = format!("{id} is {class}, but its labels change from {was:?} to {is:?}");
            out.push(finding(
                "labels-changed",
                "the labels of a metric in use do not change",
                message,
            ));
        }
    }
    if let (Some(was), Some(is)) = (&before.metric_type, &spec.metric_type)
        && class == MetricStability::Stable
        && was != is
    {
        let message = format!("{id} is {class}, but its type changes from {was} to {is}");
        out.push(finding(
            "type-changed",
            "the type of a stable metric does not change",
            message,
        ));
    }
}

fn replacement(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric, because: &'static str) {
    let model = scope.model;
    let Some(deprecated) = model.deprecation(metric.element, 0) else {
        return;
    };
    let Some(reference) = model
        .attributes(metric.element)
        .and_then(|said| said.replacement.as_ref())
    else {
        return;
    };
    let other = reference.target.and_then(|target| model.metric(target));
    let at_deprecation = other.and_then(|other| Some((metric.at(deprecated.release)?, other.at(deprecated.release)?)));
    let Some((spec, other)) = at_deprecation else { return };
    let (class, other_class) = (spec.stability, other.stability);
    let obligation = scope
        .obligation(
            "less-stable",
            deprecated.event,
            Demand::Requires(other_class >= class),
            because,
        )
        .message(format!(
            "{} ({class}) is deprecated in favor of metric {} ({other_class})",
            model.id(metric.element),
            reference.text
        ))
        .place(reference.span)
        .help(format!("name a metric that is {class} or more stable"));
    out.push(obligation);
}
