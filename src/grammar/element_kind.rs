//! The kinds of elements.

use serde::Serialize;

/// What sort of thing an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ElementKind {
    /// A version of an API group: `apps/v1`.
    ApiVersion,
    /// A kind in a version: `apps/v1 Deployment`.
    Kind,
    /// A subresource of a kind: `apps/v1 Deployment/scale`.
    Subresource,
    /// A field: `apps/v1 Deployment .spec.replicas`.
    Field,
    /// A value of an enumeration: `apps/v1 Deployment .spec.strategy.type=Recreate`.
    EnumValue,
    /// An annotation: `apps/v1 Deployment @example.com/size`.
    Annotation,
    /// A version of a component's configuration: `config kubelet.config.k8s.io/v1beta1`.
    ConfigVersion,
    /// A kind of a component's configuration: `config kubelet.config.k8s.io/v1beta1 KubeletConfiguration`.
    ConfigKind,
    /// A command: `cli kubectl drain`.
    #[serde(rename = "cli-command")]
    Command,
    /// A flag: `cli kubectl drain --force`.
    #[serde(rename = "cli-flag")]
    Flag,
    /// A feature gate: `gate Frobber2D`.
    Gate,
    /// A metric: `metric apiserver_storage_objects`.
    Metric,
    /// A behavior that neither API nor command line controls: `behavior exec-probe-timeout`.
    Behavior,
}

impl ElementKind {
    /// All of them.
    pub(crate) const ALL: [Self; 13] = [
        Self::ApiVersion,
        Self::Kind,
        Self::Subresource,
        Self::Field,
        Self::EnumValue,
        Self::Annotation,
        Self::ConfigVersion,
        Self::ConfigKind,
        Self::Command,
        Self::Flag,
        Self::Gate,
        Self::Metric,
        Self::Behavior,
    ];
}
