#![doc = include_str!("metric-deprecation.md")]

use crate::diagnostic::Change;
use crate::document::quoted;
use crate::model::{Event, EventKind, Metric, MetricSpec};
use crate::obligation::{Announcement, Demand, End, Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys, RuleLaw};
use crate::release::{Release, Window};
use crate::stability::MetricStability;

use super::Rule;
use super::metric_lifetime::{
    CLASS_LOWERED, Lowering, announced_after, announced_in, announcement, deletable, hidden_for, is_hidden_before,
    lowerings, offset, promises,
};

const WINDOWS: &[Key] = &[
    Key::AfterDeprecation,
    Key::Steps,
    Key::AfterSteps,
    Key::RemoveWithin,
    Key::Prefer,
    Key::Deprecate,
    Key::Remove,
];

pub(super) const RULE: Rule = Rule {
    slug: "metric-deprecation",
    page: include_str!("metric-deprecation.md"),
    codes: &[
        "early",
        "overdue",
        "wrong-release",
        "step-missing",
        "sooner-than-preferred",
        "hidden-early",
        "no-prefix",
        "labels-changed",
        "type-changed",
        "less-stable",
        CLASS_LOWERED,
    ],
    keys: RuleKeys::of(&[
        (Class::Stable, WINDOWS),
        (Class::Beta, WINDOWS),
        (Class::Alpha, WINDOWS),
        (Class::Internal, WINDOWS),
    ])
    .with_step("hidden"),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for metric in scope.model.judged_metrics() {
        end(scope, out, metric);
        prefix(scope, out, metric);
        for (pair, step) in metric.specs.windows(2).zip(1_u8..) {
            stays_as_it_is(scope, out, metric, &pair[0], &pair[1], step);
        }
        for lowering in lowerings(metric) {
            keeps_its_class(scope, out, &lowering);
        }
        let deprecated = Event::new(metric.element, 0, EventKind::Deprecated);
        let is_open = scope.model.deprecation(metric.element, 0).is_none();
        if let Some(entry) = announced_after(scope, deprecated).filter(|_| is_open) {
            let because = "with an earlier deprecation the metric would be lowered too early after it";
            scope.not_before(out, CLASS_LOWERED, deprecated, Term::at(entry.event), because);
        }
        replacement(scope, out, metric);
    }
}

/// A metric moves to a lower class no earlier than it could be deleted; without a deprecation, only if its
/// class promises nothing.
fn keeps_its_class(scope: &Scope<'_>, out: &mut Obligations, lowering: &Lowering<'_>) {
    let deprecated = lowering.deprecated(scope.model);
    let announced = deprecated.or(lowering.declared(scope.model));
    let Some(law) = scope.law_at(announced) else { return };
    let Some(deprecated) = deprecated else {
        let period = law.period(lowering.class, Key::AfterDeprecation);
        if period.is_some_and(|period| !period.is_empty()) {
            let help = "deprecate the metric, and lower its class once it could be deleted";
            lowering.forbid(scope, out, "", help.to_owned());
        }
        return;
    };
    if let Some(first) = deletable(scope, lowering.class, deprecated.release) {
        lowering.not_before(scope, out, first);
    }
}

fn end(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    let removed = Event::new(metric.element, 0, EventKind::Removed);
    let hidden = removed.sibling(EventKind::Hidden);
    let announced = announcement(scope, metric);
    let at_end = announced_in(scope, announced);
    let Some(law) = scope.law.at(at_end) else {
        announced_before_the_rule(scope, out, announced, at_end);
        return;
    };
    for (_, spec) in promises(metric, at_end) {
        windows(scope, out, law, spec, announced);
    }
    let highest = promises(metric, at_end)
        .pop()
        .filter(|_| scope.model.find_declared(hidden).is_some());
    if let Some((_, spec)) = highest {
        let because = "a hidden metric is deleted no earlier than";
        let term = Term::after(hidden, hidden_for(scope, spec.stability.into(), at_end));
        scope.not_before(out, "early", removed, term, because);
    }
}

/// A metric whose end is not announced yet may be announced under an edition without the rule. Without that, its end is
/// judged by a later edition.
fn announced_before_the_rule(scope: &Scope<'_>, out: &mut Obligations, deprecated: Event, first: Release) {
    let mut later = scope.editions().filter(|since| *since > first);
    let is_announced = scope.model.in_force(deprecated).is_some();
    let never_is = scope.model.keeps(deprecated.element).is_some();
    if !is_announced && !never_is && later.any(|since| scope.law.at(since).is_some()) {
        let removed = deprecated.sibling(EventKind::Removed);
        let because = "a metric is deleted under the edition in which that is announced";
        scope.not_before(out, "early", removed, Term::at(deprecated), because);
    }
}

/// The windows of one class that a metric has from the announcement of its end on.
fn windows(scope: &Scope<'_>, out: &mut Obligations, law: &RuleLaw, spec: &MetricSpec, announced: Event) {
    let removed = announced.sibling(EventKind::Removed);
    let hidden = announced.sibling(EventKind::Hidden);
    let class = Class::from(spec.stability);
    let hidden_for = hidden_for(scope, class, announced_in(scope, announced));
    let functions = "a deprecated metric keeps functioning";
    let hides = "a deprecated metric is hidden no earlier than";
    let periods = [
        (law.period(class, Key::AfterDeprecation), functions),
        (offset(law, class), hides),
    ];
    for (period, because) in periods
        .into_iter()
        .filter_map(|(period, because)| Some((period?, because)))
    {
        if announced != removed && !is_hidden_before(scope, spec, hidden) {
            scope.not_before_end(
                out,
                ("hidden-early", hidden),
                (announced, period, Window::default()),
                because,
            );
        }
        let is_at_will = announced == removed && period.is_empty();
        if is_at_will && scope.model.find_declared(removed).is_none() {
            continue;
        }
        let next = if is_at_will { Window::default() } else { hidden_for };
        let because = "a metric is deleted no earlier than";
        scope.not_before_end(out, ("early", removed), (announced, period, next), because);
    }
    let end = End {
        law,
        class,
        removed,
        announced,
        because: functions,
        of_kind: None,
    };
    scope.waits_for_major(out, &end, "a deletion waits for a major release");
    scope.is_due(out, &end, "a deprecated metric is deleted when its window ends");
    scope.in_kinds(out, &end);
    scope.prefers(out, &end);
    scope.hiding(out, &end);
}

/// The help text begins with "(Deprecated from x.y)".
fn prefix(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    let model = scope.model;
    let help = model.attributes(metric.element).and_then(|own| own.help.as_ref());
    let (Some(deprecated), Some(help)) = (model.deprecation(metric.element, 0), help) else {
        return;
    };
    let expected = format!("(Deprecated from {})", model.calendar.name(deprecated.release));
    let stands = help.text.starts_with(&expected);
    let because = "the help text of a deprecated metric begins with its deprecation";
    let id = model.id(metric.element);
    let obligation = scope
        .obligation("no-prefix", deprecated.event, Demand::Requires(stands), because)
        .message(format!(
            "{id} is deprecated, but its help text does not begin with \"{expected}\""
        ))
        .place(help.span)
        .help(format!("begin the help text with \"{expected} \""));
    out.push(obligation.fix(|| Change::Set {
        place: help.span,
        value: quoted(&format!("{expected} {}", without_prefix(&help.text))),
    }));
}

/// A help text without the prefix of an earlier deprecation.
fn without_prefix(text: &str) -> &str {
    let rest = text.strip_prefix("(Deprecated from ");
    let rest = rest.and_then(|rest| rest.split_once(')'));
    rest.map_or(text, |(_, rest)| rest).trim_start()
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
    let mut broken = Vec::new();
    if let (Some(was), Some(is)) = (&before.labels, &spec.labels) {
        let lost = was.iter().any(|label| !is.contains(label));
        if (class == MetricStability::Stable && was != is) || (class == MetricStability::Beta && lost) {
            let because = "the labels of a metric in use do not change";
            let message = format!("{id} is {class}, but its labels change from {was:?} to {is:?}");
            broken.push(("labels-changed", because, message));
        }
    }
    if let (Some(was), Some(is)) = (&before.metric_type, &spec.metric_type)
        && class == MetricStability::Stable
        && was != is
    {
        let because = "the type of a stable metric does not change";
        let message = format!("{id} is {class}, but its type changes from {was} to {is}");
        broken.push(("type-changed", because, message));
    }
    for (code, because, message) in broken {
        let changed = scope.obligation(code, event, Demand::Forbidden, because);
        let changed = changed.message(message).related(before.span, "before");
        out.push(changed.help_unless_shipped("introduce a metric with another name, and deprecate this one"));
    }
}

fn replacement(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    let model = scope.model;
    let reference = model
        .attributes(metric.element)
        .and_then(|own| own.replacement.as_ref());
    let deprecated = Event::new(metric.element, 0, EventKind::Deprecated);
    let (Some(announcement), Some(reference)) = (Announcement::of(model, deprecated), reference) else {
        return;
    };
    let Some(other) = reference.target.and_then(|target| model.metric(target)) else {
        return;
    };
    let classes = [metric, other].map(|metric| metric.at(announcement.release).map(|spec| spec.stability));
    let [Some(class), Some(other_class)] = classes else {
        return;
    };
    let because = "a metric is replaced only by one that is at least as stable";
    let stable = scope.of_replacement("less-stable", announcement, other_class >= class, because);
    let message = scope.less_stable(announcement, (metric.element, class), (other.element, other_class));
    let help = match class {
        MetricStability::Stable => format!("name a {class} metric"),
        _ => format!("name a metric that is {class} or more stable"),
    };
    out.push(stable.message(message).place(reference.span).help(help));
}
