//! Other attributes of shipped elements.

use crate::model::succession::{in_kind, named};
use crate::model::{Audience, ElementId, EventKind, Gate, Metric, MetricSpec, Model, Reference};
use crate::release::Release;
use crate::source::Span;

use super::elements::begins;
use super::{Comparison, about};

impl Comparison<'_> {
    pub(super) fn attributes(&mut self, was: ElementId, is: ElementId) {
        let introduced = begins(self.base.model, was).is_none_or(|since| since <= self.shipped);
        let removed = self.base.model.declared(was, EventKind::Removed);
        self.replacement(was, is);
        if removed.is_some_and(|removed| removed.release <= self.shipped) {
            self.tombstone(was, is);
        }
        if introduced {
            self.wire_format(was, is);
            self.stability(was, is);
            self.audience(was, is);
            self.gate_and_metric_entries(was, is);
        }
    }

    /// A shipped deprecation keeps its replacement.
    fn replacement(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        let own = base
            .attributes(was)
            .and_then(|declared| declared.replacement.as_deref());
        let Some(before) = own else { return };
        let announced = (0..base.lives(was)).any(|life| {
            let deprecation = base.deprecation(was, life);
            let stands = head.deprecation(is, life).is_some();
            stands && deprecation.is_some_and(|deprecation| deprecation.release <= self.shipped)
        });
        if !announced {
            return;
        }
        let id = head.id(is);
        let old = target_of(base, was, before);
        let Some(now) = replacement_of(head, is) else {
            let message = format!("{id} was deprecated in favor of {old}, but no longer names a replacement");
            let help = format!("restore it: replacement = {}, or name another one", before.written());
            let dropped = about(id, "replacement-dropped", head.element(is).span, message);
            return self.report_of(is, dropped.seen_at(before.span, "before").help(help));
        };
        let new = target_of(head, is, now);
        if old != new {
            let message = format!("{id} was deprecated in favor of {old}, and is now deprecated in favor of {new}");
            let changed = about(id, "replacement-changed", now.span, message);
            self.report_of(is, changed.seen_at(before.span, "before"));
        }
    }

    fn tombstone(&mut self, was: ElementId, is: ElementId) {
        let stood = self.base.model.attributes(was).and_then(|declared| declared.tombstone);
        let stands = self.head.model.attributes(is).and_then(|declared| declared.tombstone);
        if let (Some(before), None) = (stood, stands) {
            let id = self.head.model.id(is);
            let message = format!("the name of {id} was reserved, but its tombstone was deleted");
            let help = "restore it: tombstone = true; stored objects may still contain the old field or value";
            let lifted = about(id, "tombstone-lifted", self.head.model.element(is).span, message);
            self.report_of(is, lifted.seen_at(before, "before").help(help));
        }
    }

    /// The meaning of a tag or of an unset field does not change.
    fn wire_format(&mut self, was: ElementId, is: ElementId) {
        let elements = [self.base.model.element(was), self.head.model.element(is)];
        let of_wire = elements.map(|element| {
            let default = element.attributes().and_then(|declared| declared.default.as_ref());
            (element.tag.map(|(tag, _)| tag), default.map(|default| &default.text))
        });
        if of_wire[0] == of_wire[1] {
            return;
        }
        let [tag_was, tag_is] = elements.map(|element| {
            let (tag, span) = element.tag?;
            Some((tag.to_string(), span))
        });
        let defaults = elements.map(|element| {
            let default = element.attributes()?.default.as_ref()?;
            Some((default.text.clone(), default.span))
        });
        let [default_was, default_is] = defaults;
        for (name, (before, now)) in [("tag", (tag_was, tag_is)), ("default", (default_was, default_is))] {
            let Some((before, span)) = before else {
                if let (Some((now, place)), "default") = (now, name) {
                    self.default_added(is, &now, place);
                }
                continue;
            };
            if now.as_ref().is_none_or(|(now, _)| *now != before) {
                let place = now.as_ref().map(|(_, place)| *place);
                let now = now.map_or_else(|| "none".to_owned(), |(now, _)| now);
                self.changed(is, place, span, &format!("the {name} of"), &before, &now);
            }
        }
    }

    /// A new default changes the meaning of an unset field, unless it existed before and is only declared now.
    fn default_added(&mut self, is: ElementId, now: &str, place: Span) {
        let id = self.head.model.id(is);
        let message = format!("{id} shipped without a declared default, and now declares {now}");
        let help = "if the default is new, it changes the meaning of an unset field: delete it";
        self.report(about(id, "backfilled", place, message).help(help));
    }

    /// A shipped element keeps its stability and its gate.
    fn stability(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        // The stability of gates and metrics is compared by their entries.
        if base.gate(was).is_some() || base.metric(was).is_some() {
            return;
        }
        if let (None, Some(now)) = (gate_of(base, was), gate_of(head, is)) {
            let span = base.element(was).span;
            self.changed(is, Some(now.span), span, "the gate of", "none", &now.text);
            return;
        }
        let Some(shipped) = self.in_head(self.shipped) else {
            return;
        };
        let (before, now) = (base.track_at(was, self.shipped), head.track_at(is, shipped));
        if now < before {
            let (before, now) = (before.to_string(), now.to_string());
            let span = base.element(was).span;
            self.changed(is, None, span, "the stability of", &before, &now);
        }
    }

    /// Windows are longer for users than for administrators.
    fn audience(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        if let (Some(before), Some(now)) = (base.command(was), head.command(is))
            && (before.audience, now.audience) == (Audience::User, Audience::Admin)
        {
            let span = base.element(was).span;
            self.changed(is, None, span, "the audience of", "users", "administrators");
        }
    }

    fn gate_and_metric_entries(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        if let (Some(before), Some(now)) = (base.gate(was), head.gate(is)) {
            self.entries(is, &of_gate(before), &of_gate(now));
        }
        if let (Some(before), Some(now)) = (base.metric(was), head.metric(is)) {
            self.entries(is, &of_metric(before, before), &of_metric(now, before));
        }
    }

    /// A shipped entry stays the same. Its release is compared as an event; of several entries of one release, the
    /// first one with the first one, and so on.
    fn entries(&mut self, is: ElementId, before: &[SpecEntry], now: &[SpecEntry]) {
        let (mut earlier, shipped): (Vec<Release>, _) = (Vec::new(), self.shipped);
        for before in before.iter().filter(|before| before.since <= shipped) {
            let at = earlier.iter().filter(|since| **since == before.since).count();
            earlier.push(before.since);
            let mut now = now.iter().filter(|now| self.in_base(now.since) == Some(before.since));
            let now = now.nth(at);
            if let Some(now) = now.filter(|now| now.words != before.words) {
                let what = format!("the entry of {} of", self.base.model.calendar.name(before.since));
                self.changed(is, Some(now.span), before.span, &what, &before.words, &now.words);
            }
        }
    }

    fn changed(&mut self, is: ElementId, place: Option<Span>, before: Span, what: &str, was: &str, now: &str) {
        let head = self.head.model;
        let id = head.id(is);
        let place = place.unwrap_or(head.element(is).span);
        let shipped = self.base.model.calendar.name(self.shipped);
        let message = format!("{what} {id} changed from {was} to {now}, after {shipped} shipped");
        let restore = what.trim_end_matches(" of");
        let help = format!("restore {restore}: what has shipped does not change");
        let changed = about(id, "rewritten", place, message).seen_at(before, "before");
        self.report_of(is, changed.help(help));
    }
}

struct SpecEntry {
    since: Release,
    words: String,
    span: Span,
}

fn of_gate(gate: &Gate) -> Vec<SpecEntry> {
    gate.specs
        .iter()
        .map(|spec| {
            let default = if spec.default { "on" } else { "off" };
            let locked = if spec.locked { " and locked" } else { "" };
            SpecEntry {
                since: spec.since,
                words: format!("{}, {default}{locked}", spec.stage),
                span: spec.span,
            }
        })
        .collect()
}

/// The entries of a metric; with type and labels only if the base declares them.
fn of_metric(metric: &Metric, base: &Metric) -> Vec<SpecEntry> {
    metric.specs.iter().map(|spec| metric_entry(spec, base)).collect()
}

fn metric_entry(spec: &MetricSpec, base: &Metric) -> SpecEntry {
    let before = base.specs.iter().find(|before| before.stability == spec.stability);
    let mut words = spec.stability.to_string();
    if let (Some(kind), true) = (
        &spec.metric_type,
        before.is_none_or(|before| before.metric_type.is_some()),
    ) {
        words = format!("{words}, {kind}");
    }
    if let (Some(labels), true) = (&spec.labels, before.is_none_or(|before| before.labels.is_some())) {
        words = format!("{words}, labels: {}", labels.join(", "));
    }
    SpecEntry {
        since: spec.since,
        words,
        span: spec.span,
    }
}

fn gate_of(model: &Model, element: ElementId) -> Option<&Reference> {
    model.attributes(element)?.gated_by.as_deref()
}

/// The replacement that an entry or its version names; of a version also the one that all of its kinds name.
fn replacement_of(model: &Model, element: ElementId) -> Option<&Reference> {
    named(model, element).or_else(|| {
        let group = model.group_of(element)?;
        let version = group.versions.iter().find(|version| version.element == element)?;
        let mut kinds = version.kinds.iter().map(|kind| named(model, *kind));
        let first = kinds.next()??;
        kinds.all(|other| other.is_some()).then_some(first)
    })
}

/// The target of a reference: of a kind that names a version, the kind in that version; of a version whose kinds name
/// kinds, the version of those.
fn target_of<'m>(model: &'m Model, element: ElementId, reference: &'m Reference) -> &'m str {
    let Some(target) = reference.target else {
        return &reference.text;
    };
    let version = model.element(element).kind.is_version() && model.element(target).kind.is_kind();
    let target = if version {
        model.element(target).parent
    } else {
        in_kind(model, element, target)
    };
    target.map_or(&reference.text, |target| model.id(target))
}
