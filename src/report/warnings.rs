//! The warnings that servers and programs print: what templates see of them.

use serde::Serialize;

use super::{Moment, Voice};
use crate::stability::Stage;

/// The words of the product, as the policy sets them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WordsReport<'a> {
    /// The line below the heading of urgent notes.
    pub urgent: Option<&'a str>,
    /// The option that sets feature gates.
    pub gate_option: Option<&'a str>,
    /// The gauge of requests for deprecated API versions.
    pub deprecated_requests: Option<&'a str>,
}

/// The warnings that servers and programs print about deprecated elements.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WarningsReport<'a> {
    /// One per deprecated kind in a version.
    pub apis: Vec<ApiWarningReport<'a>>,
    /// One per deprecated command and flag.
    pub commands: Vec<CommandWarningReport<'a>>,
    /// One per deprecated metric.
    pub metrics: Vec<MetricWarningReport<'a>>,
    /// One per gate that is GA, deprecated or locked.
    pub gates: Vec<GateWarningReport<'a>>,
}

/// How an API server answers requests for a deprecated kind.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ApiWarningReport<'a> {
    /// The kind in the version.
    pub element: &'a str,
    /// How certain it is: `announced` where the model declares the deprecation, and the removal if there is one.
    pub voice: Voice,
    /// When it is deprecated.
    pub deprecated: Moment<'a>,
    /// The first release that no longer serves it.
    pub removed: Option<Moment<'a>>,
    /// The text of the `Warning` header.
    pub warning: String,
    /// The header as it is sent.
    pub header: String,
    /// The annotations of the audit event, if the product has any.
    pub audit: Vec<AuditReport<'a>>,
    /// The server's gauge of requests for it; null if the product has none, or the model does not declare the resource.
    pub gauge: Option<String>,
    /// The `PromQL` query that finds its clients; null without a gauge or a counter of requests.
    pub query: Option<String>,
}

/// An annotation of an audit event.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AuditReport<'a> {
    /// Its key.
    pub key: &'a str,
    /// Its value.
    pub value: &'a str,
}

/// What a program prints when a deprecated command or flag is used.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CommandWarningReport<'a> {
    /// The command or flag.
    pub element: &'a str,
    /// The warning that the model declares, if any.
    pub warning: Option<&'a str>,
}

/// The help text of a deprecated metric.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MetricWarningReport<'a> {
    /// The metric.
    pub element: &'a str,
    /// The beginning of its help text.
    pub prefix: String,
    /// When it is hidden.
    pub hidden: Option<Moment<'a>>,
    /// The option that shows it in the release that hides it, if the product has one.
    pub show_again: Option<String>,
}

/// What a component logs when a gate is set.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GateWarningReport<'a> {
    /// The gate.
    pub element: &'a str,
    /// Its stage.
    pub stage: Stage,
    /// The release that entered the stage.
    pub since: Moment<'a>,
    /// The warning when it is set to its default, if the product prints one.
    pub warning: Option<String>,
    /// The error when it is set to the other value; null if it is not locked, or the product prints none.
    pub error: Option<String>,
    /// Whether it still has an effect, if the model says so.
    pub operational: Option<bool>,
    /// The warning that the model declares.
    pub declared_warning: Option<&'a str>,
}
