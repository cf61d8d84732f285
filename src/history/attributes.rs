//! What else is said of an element that has shipped.

use crate::model::succession::{in_kind, named};
use crate::model::{Audience, ElementId, EventKind, Gate, GateSpec, Metric, MetricSpec, Model, Reference};
use crate::release::Release;
use crate::source::Span;

use super::Comparison;
use super::elements::begins;

impl Comparison<'_> {
    pub(super) fn attributes(&mut self, was: ElementId, is: ElementId) {
        let shipped = |what| {
            let declared = self.base.model.declared(was, what);
            declared.is_some_and(|declared| declared.release <= self.shipped)
        };
        let introduced = begins(self.base.model, was).is_none_or(|since| since <= self.shipped);
        let removed = shipped(EventKind::Removed);
        self.replacement(was, is);
        if removed {
            self.tombstone(was, is);
        }
        if introduced {
            self.wire_format(was, is);
            self.stability(was, is);
            self.audience(was, is);
            self.gate_entries(was, is);
            self.metric_entries(was, is);
        }
    }

    /// What users were told to use instead is not taken from under them.
    fn replacement(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        let announced = (0..base.lives(was)).any(|life| {
            let deprecation = base.deprecation(was, life);
            let stands = head.deprecation(is, life).is_some();
            stands && deprecation.is_some_and(|deprecation| deprecation.release <= self.shipped)
        });
        let own = base.attributes(was).and_then(|said| said.replacement.as_deref());
        let Some(before) = own.filter(|_| announced) else {
            return;
        };
        let id = head.id(is);
        let now = said_of_all(head, is);
        let old = meant(base, was, before);
        let Some(now) = now else {
            let place = head.element(is).span;
            self.tell("replacement-dropped", |finding| {
                finding
                    .about(id)
                    .at(place, "")
                    .seen_at(before.span, "as it was")
                    .help(format!(
                        "put it back: replacement = \"{}\", or name another one",
                        before.text
                    ))
                    .message(format!(
                        "{id} was deprecated in favor of {old}, and names no replacement any more"
                    ))
            });
            return;
        };
        let new = meant(head, is, now);
        if old != new {
            self.tell("replacement-changed", |finding| {
                let message = format!("{id} was deprecated in favor of {old}, and now of {new}");
                finding
                    .about(id)
                    .at(now.span, "")
                    .seen_at(before.span, "as it was")
                    .message(message)
            });
        }
    }

    fn tombstone(&mut self, was: ElementId, is: ElementId) {
        let stood = self.base.model.attributes(was).and_then(|said| said.tombstone);
        let stands = self.head.model.attributes(is).and_then(|said| said.tombstone);
        if let (Some(before), None) = (stood, stands) {
            let id = self.head.model.id(is);
            let place = self.head.model.element(is).span;
            self.tell("tombstone-lifted", |finding| {
                finding
                    .about(id)
                    .at(place, "")
                    .seen_at(before, "as it was")
                    .help("put it back: tombstone = true; objects in storage may still hold what it stood for")
                    .message(format!("the name of {id} was reserved, and is free again"))
            });
        }
    }

    /// What a value in the wire format or an unset field means does not change.
    fn wire_format(&mut self, was: ElementId, is: ElementId) {
        let (before, now) = (self.base.model.attributes(was), self.head.model.attributes(is));
        let tag = |said: Option<(u32, Span)>| said.map(|(tag, span)| (tag.to_string(), span));
        let tags = (
            before.and_then(|said| tag(said.tag)),
            now.and_then(|said| tag(said.tag)),
        );
        let defaults = [before, now].map(|said| {
            let default = said?.default.as_ref()?;
            Some((default.text.clone(), default.span))
        });
        let [default_was, default_is] = defaults;
        for (name, (before, now)) in [("tag", tags), ("default", (default_was, default_is))] {
            let Some((before, span)) = before else {
                if let (Some((now, place)), "default") = (now, name) {
                    self.default_added(is, &now, place);
                }
                continue;
            };
            if now.as_ref().is_none_or(|(now, _)| *now != before) {
                let place = now.as_ref().map(|(_, place)| *place);
                let now = now.map_or_else(|| "not stated".to_owned(), |(now, _)| now);
                self.changed(is, place, span, &format!("the {name} of"), &before, &now);
            }
        }
    }

    /// What an unset field means changes with a default that it did not have; unless it is only said now.
    fn default_added(&mut self, is: ElementId, now: &str, place: Span) {
        let id = self.head.model.id(is);
        self.tell("backfilled", |finding| {
            finding
                .about(id)
                .at(place, "")
                .help("if it comes with this change, what an unset field means changes: leave it out")
                .message(format!(
                    "{id} shipped without a default, and is said to have one now: {now}"
                ))
        });
    }

    /// An element is judged as what it was when users got it.
    fn stability(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        // Those of gates and metrics are their entries, and compared as such.
        if base.gate(was).is_some() || base.metric(was).is_some() {
            return;
        }
        let gate = |model: &Model, id| model.attributes(id).and_then(|said| said.gated_by.clone());
        if let (None, Some(now)) = (gate(base, was), gate(head, is)) {
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

    /// Users are given more time than those who run a product.
    fn audience(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        if let (Some(before), Some(now)) = (base.command(was), head.command(is))
            && (before.audience, now.audience) == (Audience::User, Audience::Admin)
        {
            let span = base.element(was).span;
            self.changed(is, None, span, "the audience of", "users", "administrators");
        }
    }

    fn gate_entries(&mut self, was: ElementId, is: ElementId) {
        let gates = (self.base.model.gate(was), self.head.model.gate(is));
        if let (Some(before), Some(now)) = gates {
            self.entries(is, &of_gate(before), &of_gate(now));
        }
    }

    fn metric_entries(&mut self, was: ElementId, is: ElementId) {
        let metrics = (self.base.model.metric(was), self.head.model.metric(is));
        if let (Some(before), Some(now)) = metrics {
            self.entries(is, &of_metric(before, before), &of_metric(now, before));
        }
    }

    /// An entry that has shipped says the same as before; when it came is an event, and compared as that.
    fn entries(&mut self, is: ElementId, before: &[Entry], now: &[Entry]) {
        for before in before {
            if before.since > self.shipped {
                continue;
            }
            let now = now.iter().find(|now| self.in_base(now.since) == Some(before.since));
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
        self.tell("rewritten", |finding| {
            finding
                .about(id)
                .at(place, "")
                .seen_at(before, "as it was")
                .help(format!(
                    "put {} back; what has shipped stays as it was",
                    what.trim_end_matches(" of")
                ))
                .message(format!(
                    "{what} {id} was {was} when {shipped} shipped, and is {now} now"
                ))
        });
    }
}

/// One entry of the life of a gate or a metric.
struct Entry {
    since: Release,
    words: String,
    span: Span,
}

fn of_gate(gate: &Gate) -> Vec<Entry> {
    let entry = |spec: &GateSpec| {
        let default = if spec.default { "on" } else { "off" };
        let locked = if spec.locked { " and locked" } else { "" };
        Entry {
            since: spec.since,
            words: format!("{}, {default}{locked}", spec.stage),
            span: spec.span,
        }
    };
    gate.specs.iter().map(entry).collect()
}

/// What entries say; of type and labels only where those of the base say something.
fn of_metric(metric: &Metric, base: &Metric) -> Vec<Entry> {
    let entry = |spec: &MetricSpec| {
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
        Entry {
            since: spec.since,
            words,
            span: spec.span,
        }
    };
    metric.specs.iter().map(entry).collect()
}

/// The replacement that an entry names, or its version's; of a version also the one that each of its kinds names.
fn said_of_all(model: &Model, element: ElementId) -> Option<&Reference> {
    named(model, element).or_else(|| {
        let group = model.group_of(element)?;
        let version = group.versions.iter().find(|version| version.element == element)?;
        let mut kinds = version.kinds.iter().map(|kind| named(model, *kind));
        let first = kinds.next()??;
        kinds.all(|other| other.is_some()).then_some(first)
    })
}

/// What a reference means for an element: for a kind that names a version the kind there, for a version that its kinds
/// speak for the version.
fn meant<'m>(model: &'m Model, element: ElementId, reference: &'m Reference) -> &'m str {
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
