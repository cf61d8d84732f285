//! The warnings that servers and programs print about deprecated elements, as Kubernetes' components do.
//!
//! The warnings of all releases state what is declared: if the deprecation is declared, only a declared replacement is
//! named (or what replaces that, if it is removed first), even one that the model does not have, because the text must
//! be that of the server. If the deprecation is planned, so is the successor. The warnings of a release name what its
//! notes name, and nothing that this release does not serve.

use crate::grammar::CORE;
use crate::model::succession::{in_kind, named};
use crate::model::{ElementId, Event, EventKind, Family, Gate, Metric, Version};
use crate::policy::Word;
use crate::release::Release;
use crate::report::{
    ApiWarningReport, AuditReport, CommandWarningReport, GateWarningReport, MetricWarningReport, Moment, Voice,
    WarningsReport,
};
use crate::stability::Stage;

use super::super::Material;
use super::subjects::Subjects;

/// The warnings of a release, or of all.
pub(super) fn all<'a>(material: Material<'a>, subjects: &Subjects<'a>, release: Option<Release>) -> WarningsReport<'a> {
    let builder = Builder {
        material,
        subjects,
        release,
    };
    let metrics = material.reasoning.model.metrics.iter();
    let metrics = metrics.filter(|metric| material.has(metric.element));
    let gates = material.reasoning.model.gates.iter();
    let gates = gates.filter(|gate| material.has(gate.element));
    WarningsReport {
        apis: builder.apis(),
        commands: builder.commands(),
        metrics: metrics.filter_map(|metric| builder.metric(metric)).collect(),
        gates: gates.filter_map(|gate| builder.gate(gate)).collect(),
    }
}

struct Builder<'a, 's> {
    material: Material<'a>,
    subjects: &'s Subjects<'a>,
    release: Option<Release>,
}

impl<'a> Builder<'a, '_> {
    fn when(&self, element: ElementId, life: u8, what: EventKind) -> Option<Release> {
        let release = self.material.reasoning.release(Event::new(element, life, what));
        release.filter(|release| !release.is_never())
    }

    /// The deprecation of a life that is warned about, and whether it is declared: it has begun and the life has not
    /// ended.
    fn warned(&self, element: ElementId, life: u8) -> Option<(Release, bool)> {
        let now = self.release.unwrap_or(Release::NEVER);
        let (deprecated, declared) = self.subjects.holding(element, life, now)?;
        let removed = self.when(element, life, EventKind::Removed);
        // What is removed in the release that deprecates it never warns.
        let silent =
            removed.is_some_and(|removed| removed <= deprecated || self.release.is_some_and(|now| removed <= now));
        (!silent && !deprecated.is_never()).then_some((deprecated, declared))
    }

    fn apis(&self) -> Vec<ApiWarningReport<'a>> {
        let model = self.material.reasoning.model;
        let groups = model.groups.iter().filter(|group| group.family == Family::Api);
        let owners = groups.flat_map(|group| &group.versions).flat_map(Version::served);
        let owners = owners.filter(|owner| self.material.has(**owner));
        let lives = owners.flat_map(|owner| (0..model.lives(*owner)).map(move |life| (*owner, life)));
        lives.filter_map(|(element, life)| self.api(element, life)).collect()
    }

    fn api(&self, element: ElementId, life: u8) -> Option<ApiWarningReport<'a>> {
        let model = self.material.reasoning.model;
        let (since, declared) = self.warned(element, life)?;
        let deprecated = self.moment(since)?;
        let end = Event::new(element, life, EventKind::Removed);
        let removed = self.when(element, life, EventKind::Removed);
        let removed = removed.and_then(|removed| self.moment(removed));
        let certain = removed.is_none() || model.find_declared(end).is_some();
        let replacement = self.replacement(element, life, since, declared);
        let warning = warning(
            &self.server_name(element),
            &self.warned_release(deprecated),
            removed.map(|removed| self.warned_release(removed)),
            replacement.as_deref(),
        );
        let labels = self.labels(element, removed.map_or("", |removed| removed.release));
        let gauge = self.material.word(Word::DeprecatedRequests).zip(labels);
        let gauge = gauge.map(|(gauge, labels)| format!("{gauge}{{{labels}}}"));
        let query = self.material.word(Word::Requests).zip(gauge.as_deref());
        Some(ApiWarningReport {
            element: model.id(element),
            voice: Voice::of(declared && certain),
            deprecated,
            removed,
            header: format!("Warning: 299 - \"{}\"", quoted(&warning)),
            warning,
            audit: self.audit(removed),
            query: query.map(|(requests, gauge)| {
                format!("{gauge} * on(group,version,resource,subresource) group_right() {requests}")
            }),
            gauge,
        })
    }

    /// A release as warnings write it.
    fn warned_release(&self, moment: Moment<'_>) -> String {
        let written = self.material.words(Word::Release, &[("release", moment.release)]);
        written.unwrap_or_else(|| moment.release.to_owned())
    }

    /// The annotations of a request for something deprecated, by the keys that the product has.
    fn audit(&self, removed: Option<Moment<'a>>) -> Vec<AuditReport<'a>> {
        let deprecated = self.material.word(Word::AuditDeprecated).map(|key| (key, "true"));
        let removed = self
            .material
            .word(Word::AuditRemoved)
            .zip(removed.map(|removed| removed.release));
        let annotations = deprecated.into_iter().chain(removed);
        annotations.map(|(key, value)| AuditReport { key, value }).collect()
    }

    /// What a warning names: of a release what notes of it do, of all releases what is declared, or what is served when
    /// a planned deprecation begins.
    fn replacement(&self, element: ElementId, life: u8, since: Release, declared: bool) -> Option<String> {
        let replacements = &self.subjects.replacements;
        let model = self.material.reasoning.model;
        let reference = named(model, element);
        let other = match (reference.map(|reference| reference.target), self.release) {
            (Some(None), _) => return reference.map(|reference| reference.text.clone()),
            (Some(Some(target)), None) => {
                in_kind(model, element, target)?;
                replacements.declared(element, life)
            }
            (Some(Some(_)), Some(release)) => replacements.as_of(element, life, release).replacement,
            (None, Some(release)) => self.subjects.target(element, life, release),
            (None, None) => self.subjects.target(element, life, since).filter(|_| !declared),
        };
        other.map(|other| self.server_name(other))
    }

    /// The labels of a kind in the gauge; `None` if its resource is not declared.
    fn labels(&self, element: ElementId, removed: &str) -> Option<String> {
        let place = self.subjects.place(element)?;
        let group = &self.material.reasoning.model.groups[place.group];
        let resource = group.kinds[place.kind?].resource.as_deref()?;
        let name = if group.name == CORE { "" } else { &group.name };
        let version = group.versions[place.version].name.as_str();
        let [name, version, resource, removed] = [name, version, resource, removed].map(quoted);
        Some(format!(
            "group=\"{name}\",version=\"{version}\",resource=\"{resource}\",subresource=\"\",removed_release=\"{removed}\""
        ))
    }

    /// An element as the server names it: `apps/v1 Deployment`; of the core group, `v1 Endpoints`.
    fn server_name(&self, element: ElementId) -> String {
        self.material.reasoning.model.element(element).path().server_name()
    }

    fn commands(&self) -> Vec<CommandWarningReport<'a>> {
        let model = self.material.reasoning.model;
        let commands = model.commands.iter().map(|command| command.element);
        commands
            .filter(|element| self.material.has(*element))
            .filter(|element| self.warned(*element, model.last_life(*element)).is_some())
            .map(|element| CommandWarningReport {
                element: model.id(element),
                warning: model
                    .attributes(element)
                    .and_then(|attributes| Some(attributes.warning.as_ref()?.text.as_str())),
            })
            .collect()
    }

    fn metric(&self, metric: &Metric) -> Option<MetricWarningReport<'a>> {
        let model = self.material.reasoning.model;
        let life = model.last_life(metric.element);
        let (deprecated, _) = self.warned(metric.element, life)?;
        let deprecated = self.moment(deprecated)?;
        let hidden = self.when(metric.element, life, EventKind::Hidden);
        let before = hidden.and_then(|hidden| self.moment(hidden.previous()?));
        Some(MetricWarningReport {
            element: model.id(metric.element),
            prefix: format!("(Deprecated from {})", deprecated.release),
            hidden: hidden.and_then(|hidden| self.moment(hidden)),
            show_again: before.and_then(|before| shows_metrics_of(self.material, before.release)),
        })
    }

    fn gate(&self, gate: &'a Gate) -> Option<GateWarningReport<'a>> {
        let model = self.material.reasoning.model;
        let at = self.release.unwrap_or(Release::NEVER);
        let spec = gate.at(at)?;
        let removed = self.when(gate.element, 0, EventKind::Removed);
        if self.release.is_some() && removed.is_some_and(|removed| removed <= at) {
            return None;
        }
        let name = model.element(gate.element).name();
        let warned_as = match spec.stage {
            Stage::Ga => Some("GA"),
            Stage::Deprecated => Some("deprecated"),
            Stage::Alpha | Stage::Beta if self.warned(gate.element, 0).is_some() => Some("deprecated"),
            Stage::Alpha | Stage::Beta => None,
        };
        if warned_as.is_none() && !spec.locked {
            return None;
        }
        let (on, off) = (spec.default.to_string(), (!spec.default).to_string());
        let (on, off) = (on.as_str(), off.as_str());
        let warning = warned_as.and_then(|stage| {
            let values = [("stage", stage), ("gate", name), ("value", on)];
            self.material.words(Word::GateWarning, &values)
        });
        let error = spec.locked.then(|| {
            let values = [("gate", name), ("value", on), ("other", off)];
            self.material.words(Word::GateLocked, &values)
        });
        let attributes = model.attributes(gate.element);
        let report = GateWarningReport {
            element: model.id(gate.element),
            stage: spec.stage,
            since: self.moment(stage_since(gate, at)?)?,
            warning,
            error: error.flatten(),
            operational: attributes.and_then(|attributes| attributes.operational),
            declared_warning: attributes.and_then(|attributes| Some(attributes.warning.as_ref()?.text.as_str())),
        };
        let is_silent = report.warning.is_none() && report.error.is_none() && report.declared_warning.is_none();
        (!is_silent).then_some(report)
    }

    fn moment(&self, release: Release) -> Option<Moment<'a>> {
        self.material.names.moment(release)
    }
}

/// The option that shows the metrics that were not yet hidden in a release, if the product has one.
pub(super) fn shows_metrics_of(material: Material<'_>, release: &str) -> Option<String> {
    material.words(Word::ShowHiddenMetrics, &[("release", release)])
}

/// The first entry of the stage that a gate has in a release.
fn stage_since(gate: &Gate, release: Release) -> Option<Release> {
    let entries = gate.specs.iter().filter(|spec| spec.since <= release);
    let stage = gate.at(release)?.stage;
    let own = entries.rev().take_while(|spec| spec.stage == stage);
    own.last().map(|spec| spec.since)
}

/// The text of the `Warning` header.
fn warning(name: &str, deprecated: &str, removed: Option<String>, replacement: Option<&str>) -> String {
    let removed = removed.map_or_else(String::new, |removed| format!(", unavailable in {removed}+"));
    let replacement = replacement.map_or_else(String::new, |other| format!("; use {other}"));
    format!("{name} is deprecated in {deprecated}+{removed}{replacement}")
}

/// Text between the quotes of a header or a query.
fn quoted(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => safe.extend(['\\', c]),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
