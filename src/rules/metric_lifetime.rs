#![doc = include_str!("metric-lifetime.md")]

use crate::diagnostic::RuleId;
use crate::document::quoted;
use crate::model::{Declared, Event, EventKind, Metric, MetricSpec, Model};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::{Class, Key, Period, RuleKeys, RuleLaw};
use crate::release::{Release, Window};

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "metric-lifetime",
    page: include_str!("metric-lifetime.md"),
    codes: &["early", "hidden-early", "class-lowered"],
    keys: RuleKeys::of(&[
        (Class::Stable, &[Key::Lifetime]),
        (Class::Beta, &[Key::Lifetime]),
        (Class::Alpha, &[Key::Lifetime]),
        (Class::Internal, &[Key::Lifetime]),
    ]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for metric in scope.model.judged_metrics() {
        functions(scope, out, metric);
        after_the_last_entry(scope, out, metric);
        for lowering in lowerings(metric) {
            keeps_its_class(scope, out, metric, &lowering);
        }
    }
}

fn functions(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    let announced = announcement(scope, metric);
    let end = announced_in(scope, announced);
    for (at, spec) in promises(metric, end) {
        let class = Class::from(spec.stability);
        let law = scope.law.at(end);
        let Some(window) = law.and_then(|law| law.window(class, Key::Lifetime)) else {
            continue;
        };
        let reached = reached(metric, at);
        let hidden = Event::new(metric.element, 0, EventKind::Hidden);
        if !is_hidden_before(scope, spec, hidden) {
            let because = "a metric keeps functioning in its class";
            scope.not_before(out, "hidden-early", hidden, Term::after(reached, window), because);
        }
        let term = Term::after(reached, lifetime(scope, class, window, (announced.what, end)));
        let because = "a metric is deleted no earlier than";
        scope.not_before(out, "early", hidden.sibling(EventKind::Removed), term, because);
    }
}

/// The entries whose classes promise something about the end of a metric that is announced in a release: the one in
/// force then, and later ones that raise the class.
pub(super) fn promises(metric: &Metric, announced: Release) -> Vec<(usize, &MetricSpec)> {
    let at = metric.specs.iter().rposition(|spec| spec.since <= announced);
    let first = at.unwrap_or(0);
    let mut entries: Vec<(usize, &MetricSpec)> = Vec::new();
    for (at, spec) in metric.specs.iter().enumerate().skip(first) {
        if entries.iter().all(|(_, before)| spec.stability > before.stability) {
            entries.push((at, spec));
        }
    }
    entries
}

/// Whether a metric is declared to be hidden before an entry.
pub(super) fn is_hidden_before(scope: &Scope<'_>, spec: &MetricSpec, hidden: Event) -> bool {
    let hidden = scope.model.declared_release(hidden);
    hidden.is_some_and(|hidden| hidden < spec.since)
}

/// A metric is not deleted before it reaches a class that it is declared to reach.
fn after_the_last_entry(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric) {
    if scope.law.at(announced_in(scope, announcement(scope, metric))).is_none() {
        return;
    }
    let last = (0_u8..).zip(&metric.specs).max_by_key(|(_, spec)| spec.since);
    if let Some((step, _)) = last.filter(|(step, _)| *step > 0) {
        let removed = Event::new(metric.element, 0, EventKind::Removed);
        let term = Term::after(Event::entry(metric.element, step), Window::new(0, 1));
        scope.not_before(out, "early", removed, term, "a metric is deleted no earlier than");
    }
}

/// The window after which a metric of a class is deleted: it is hidden first, unless its class promises nothing and
/// nothing announced its end.
fn lifetime(scope: &Scope<'_>, class: Class, window: Window, (what, announced): (EventKind, Release)) -> Window {
    if what != EventKind::Deprecated && window == Window::default() {
        return Window::new(0, 1);
    }
    window.followed_by(hidden_for(scope, class, announced))
}

/// A metric moves to a lower class no earlier than it could be deleted.
fn keeps_its_class(scope: &Scope<'_>, out: &mut Obligations, metric: &Metric, lowering: &Lowering<'_>) {
    let announced = lowering.deprecated(scope.model).or(lowering.declared(scope.model));
    let law = scope.law_at(announced);
    let window = law.and_then(|law| law.window(lowering.class, Key::Lifetime));
    let reached = scope.model.find_declared(reached(metric, lowering.before));
    if let (Some(announced), Some(window), Some(reached)) = (announced, window, reached) {
        let announced = (announced.event.what, announced.release);
        let window = lifetime(scope, lowering.class, window, announced);
        lowering.not_before(
            scope,
            out,
            scope.model.calendar.earliest(reached.release, window).release,
        );
    }
}

/// The rule about what follows the deprecation of a metric.
const DEPRECATION: RuleId = "metric-deprecation";

/// The code of a class that is lowered too early.
pub(super) const CLASS_LOWERED: &str = "class-lowered";

/// An entry of a metric by which it moves to a lower class.
pub(super) struct Lowering<'m> {
    /// The event of the entry.
    pub(super) event: Event,
    /// The class before.
    pub(super) class: Class,
    /// The position of the entry before it.
    before: usize,
    left: &'m MetricSpec,
    spec: &'m MetricSpec,
}

pub(super) fn lowerings(metric: &Metric) -> impl Iterator<Item = Lowering<'_>> {
    let pairs = metric.specs.windows(2).enumerate();
    pairs
        .filter(|(_, pair)| pair[1].stability < pair[0].stability)
        .map(|(before, pair)| Lowering {
            event: Event::entry(metric.element, u8::try_from(before + 1).unwrap_or(u8::MAX)),
            class: pair[0].stability.into(),
            before,
            left: &pair[0],
            spec: &pair[1],
        })
}

impl Lowering<'_> {
    pub(super) fn declared<'d>(&self, model: &'d Model) -> Option<&'d Declared> {
        model.find_declared(self.event)
    }

    /// The deprecation in force before the lowering. It may be taken back later. One in the same release is that of the
    /// lower class.
    pub(super) fn deprecated<'d>(&self, model: &'d Model) -> Option<&'d Declared> {
        let [deprecated, undeprecated] = [EventKind::Deprecated, EventKind::Undeprecated]
            .map(|what| model.repeated(Event::new(self.event.element, 0, what)));
        let last = deprecated
            .take_while(|deprecated| deprecated.release < self.spec.since)
            .last()?;
        let mut undone = undeprecated.filter(|undone| undone.release <= self.spec.since);
        let is_undone = undone.any(|undone| undone.release >= last.release);
        (!is_undone).then_some(last)
    }

    /// Adds: the class is not lowered before a release.
    pub(super) fn not_before(&self, scope: &Scope<'_>, out: &mut Obligations, first: Release) {
        if first <= self.spec.since {
            return;
        }
        let first = scope.model.calendar.name(first);
        let help = format!("move the entry to {first}: since = {}", quoted(&first));
        self.forbid(scope, out, &format!("; the earliest is {first}"), help);
    }

    pub(super) fn forbid(&self, scope: &Scope<'_>, out: &mut Obligations, earliest: &str, help: String) {
        let id = scope.model.id(self.event.element);
        let (left, class) = (self.left.stability, self.spec.stability);
        let since = scope.model.calendar.name(self.spec.since);
        let message =
            format!("{id} becomes {class} in {since}, before it could be deleted as a {left} metric{earliest}");
        let because = "a metric keeps its class until it could be deleted";
        let lowered = scope.obligation(CLASS_LOWERED, self.event, Demand::Forbidden, because);
        out.push(
            lowered
                .message(message)
                .related(self.left.span, "the higher class")
                .help_unless_shipped(help),
        );
    }
}

/// The event by which a metric reached the class of an entry: that of the first entry since which it has it.
fn reached(metric: &Metric, at: usize) -> Event {
    let class = metric.specs[at].stability;
    let before = metric.specs[..at].iter().rposition(|spec| spec.stability != class);
    let first = before.map_or(0, |before| before + 1);
    Event::entry(metric.element, u8::try_from(first).unwrap_or(u8::MAX))
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
    declared.unwrap_or(if ends_at_will(scope, metric) {
        deprecated.sibling(EventKind::Removed)
    } else {
        deprecated
    })
}

/// Whether nothing has to announce the end of a metric: no class that it has from now on promises anything after a
/// deprecation.
fn ends_at_will(scope: &Scope<'_>, metric: &Metric) -> bool {
    let removed = Event::new(metric.element, 0, EventKind::Removed);
    let first = scope.model.first_announcement(removed);
    let law = scope.of_rule(DEPRECATION).law.at(first);
    law.is_some_and(|law| {
        let mut promises = promises(metric, first).into_iter();
        promises.all(|(_, spec)| promises_nothing(law, spec.stability.into()))
    })
}

/// Whether a metric of a class may be hidden as soon as it is deprecated.
fn promises_nothing(law: &RuleLaw, class: Class) -> bool {
    let periods = [law.period(class, Key::AfterDeprecation), offset(law, class)];
    periods.into_iter().flatten().all(Period::is_empty) && !law.next_major.contains(&class)
}

/// The release of the announcement; the first possible one if it is not declared.
pub(super) fn announced_in(scope: &Scope<'_>, announced: Event) -> Release {
    let declared = scope.model.in_force(announced).copied();
    let is_deprecation = announced.what == EventKind::Deprecated;
    let waiting = Some(announced).filter(|_| declared.is_none() && is_deprecation);
    let after = waiting.and_then(|deprecated| announced_after(scope, deprecated));
    declared.or(after).map_or_else(
        || scope.model.first_announcement(announced.sibling(EventKind::Removed)),
        |first| first.release,
    )
}

/// The move to a lower class before which the metric cannot be deprecated: without a deprecation it is legal, after one
/// it would be too early.
pub(super) fn announced_after(scope: &Scope<'_>, deprecated: Event) -> Option<Declared> {
    let metric = scope.model.metric(deprecated.element)?;
    let mut first = scope.model.first_announcement(deprecated.sibling(EventKind::Removed));
    let mut after = None;
    for lowering in lowerings(metric) {
        let Some(entry) = lowering.declared(scope.model).filter(|entry| entry.release > first) else {
            continue;
        };
        if !is_left_in_time(scope, lowering.class, (first, entry.release)) {
            (first, after) = (entry.release, Some(*entry));
        }
    }
    after
}

/// Whether a class may be left in a release even if the metric is deprecated before; also where a deprecation is
/// required.
fn is_left_in_time(scope: &Scope<'_>, class: Class, (deprecated, left): (Release, Release)) -> bool {
    let Some(law) = scope.of_rule(DEPRECATION).law.at(deprecated) else {
        return true;
    };
    has_to_be_deprecated(law, class) || deletable(scope, class, deprecated).is_none_or(|deleted| deleted <= left)
}

/// Whether a class ends only some time after a deprecation.
fn has_to_be_deprecated(law: &RuleLaw, class: Class) -> bool {
    let period = law.period(class, Key::AfterDeprecation);
    period.is_some_and(|period| !period.is_empty())
}

/// The window after the deprecation before which a metric of a class is not hidden: that of its step.
pub(super) fn offset(law: &RuleLaw, class: Class) -> Option<&Period> {
    law.step(class, EventKind::Hidden.as_str())?.after.as_ref()
}

/// The first release in which a metric of a class that is deprecated in a release could be deleted.
pub(super) fn deletable(scope: &Scope<'_>, class: Class, deprecated: Release) -> Option<Release> {
    let law = scope.of_rule(DEPRECATION).law.at(deprecated)?;
    let calendar = &scope.model.calendar;
    let hidden_for = hidden_for(scope, class, deprecated);
    let periods = [law.period(class, Key::AfterDeprecation), offset(law, class)];
    let ends = periods.into_iter().flatten().filter_map(|period| {
        let windows = period.on(calendar).map(|window| window.followed_by(hidden_for));
        windows
            .map(|window| calendar.earliest(deprecated, window).release)
            .min()
    });
    ends.max()
}

/// For how long a metric of a class is hidden before it is deleted, in the edition in which that is announced.
pub(super) fn hidden_for(scope: &Scope<'_>, class: Class, announced: Release) -> Window {
    let window = scope.window_of(DEPRECATION, class, Key::AfterSteps, announced);
    window.unwrap_or_default()
}
