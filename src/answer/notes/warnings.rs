//! The warnings that servers and programs print about deprecated elements, as Kubernetes' components do.
//!
//! A server's warning states what is declared: if the deprecation is declared, only a declared replacement is named (or
//! what replaces that, if it is removed first), even one that the model does not have, because the text must be that of
//! the server. If the deprecation is planned, so is the successor. The warning of a release names nothing that this
//! release does not serve.

use crate::grammar::CORE;
use crate::model::succession::{in_kind, named};
use crate::model::{ElementId, Event, EventKind, Family, Gate, Metric, Version};
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
    let gates = material.reasoning.model.gates.iter();
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
            deprecated.release,
            removed.map(|removed| removed.release),
            replacement.as_deref(),
        );
        let labels = self.labels(element, removed.map_or("", |removed| removed.release));
        let mut audit = vec![AuditReport {
            key: "k8s.io/deprecated",
            value: "true",
        }];
        audit.extend(removed.map(|removed| AuditReport {
            key: "k8s.io/removed-release",
            value: removed.release,
        }));
        Some(ApiWarningReport {
            element: model.id(element),
            voice: Voice::of(declared && certain),
            deprecated,
            removed,
            header: format!("Warning: 299 - \"{}\"", quoted(&warning)),
            warning,
            audit,
            gauge: labels.as_ref().map(|labels| format!("{GAUGE}{{{labels}}}")),
            query: labels.map(|labels| {
                format!("{GAUGE}{{{labels}}} * on(group,version,resource,subresource) group_right() {REQUESTS}")
            }),
        })
    }

    /// What a warning names: of a release what is served in it, of all releases what is declared, or what is served
    /// when the planned deprecation begins.
    fn replacement(&self, element: ElementId, life: u8, since: Release, declared: bool) -> Option<String> {
        let replacements = &self.subjects.replacements;
        let other = if declared {
            let model = self.material.reasoning.model;
            let reference = named(model, element)?;
            let Some(target) = reference.target else {
                return Some(reference.text.clone());
            };
            in_kind(model, element, target)?;
            match self.release {
                Some(release) => replacements.as_of(element, life, release).replacement,
                None => replacements.declared(element, life),
            }
        } else {
            replacements
                .as_of(element, life, self.release.unwrap_or(since))
                .replacement
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
            show_again: before.map(|before| shows_metrics_of(before.release)),
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
        let (on, off) = (spec.default, !spec.default);
        let attributes = model.attributes(gate.element);
        Some(GateWarningReport {
            element: model.id(gate.element),
            stage: spec.stage,
            since: self.moment(spec.since)?,
            warning: warned_as.map(|stage| {
                format!("Setting {stage} feature gate {name}={on}. It will be removed in a future release.")
            }),
            error: spec
                .locked
                .then(|| format!("cannot set feature gate {name} to {off}, feature is locked to {on}")),
            operational: attributes.and_then(|attributes| attributes.operational),
            declared_warning: attributes.and_then(|attributes| Some(attributes.warning.as_ref()?.text.as_str())),
        })
    }

    fn moment(&self, release: Release) -> Option<Moment<'a>> {
        self.material.names.moment(release)
    }
}

/// The flag that shows the metrics that were not yet hidden in a release.
pub(super) fn shows_metrics_of(release: &str) -> String {
    format!("--show-hidden-metrics-for-version={release}")
}

/// The server's gauge of requests for deprecated APIs.
const GAUGE: &str = "apiserver_requested_deprecated_apis";

/// The server's counter of requests, whose labels identify clients.
const REQUESTS: &str = "apiserver_request_total";

/// The text of the `Warning` header.
fn warning(name: &str, deprecated: &str, removed: Option<&str>, replacement: Option<&str>) -> String {
    let removed = removed.map_or_else(String::new, |removed| format!(", unavailable in v{removed}+"));
    let replacement = replacement.map_or_else(String::new, |other| format!("; use {other}"));
    format!("{name} is deprecated in v{deprecated}+{removed}{replacement}")
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
