//! What can be typed after `propose`.

use clap::{Args, Subcommand, ValueEnum};

use super::model::ModelOption;
use super::usage::EvidenceArgs;

#[derive(Debug, Subcommand)]
pub enum Propose {
    /// Add a field behind a gate: off, on by default, locked on, gate removed
    #[command(after_help = "Example:
  lifecycle propose field \"apps/v1 Deployment .spec.foo\" --gate DeploymentFoo")]
    Field {
        /// The new field: "apps/v1 Deployment .spec.foo"
        element: String,
        /// The gate of the field, new or declared [default: named after kind and field]
        #[arg(long, value_name = "NAME")]
        gate: Option<String>,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// Add an enum value: tolerated on update first, then allowed on create
    #[command(after_help = "Example:
  lifecycle propose enum-value \"apps/v1 Deployment .spec.policy=OnMonday\"")]
    EnumValue {
        /// The new value: "apps/v1 Deployment .spec.policy=OnMonday"
        element: String,
        /// The gate of the value, new or declared [default: named after kind, field and value]
        #[arg(long, value_name = "NAME")]
        gate: Option<String>,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// Add an API version: serve both, deprecate the old one, move the preferred and the storage version, migrate, and
    /// remove the old one where the policy allows it
    #[command(after_help = "Example:
  lifecycle propose api-version apps/v2 --kinds Deployment,StatefulSet")]
    ApiVersion {
        /// The new version: apps/v2, "config kubelet.config.k8s.io/v1"
        element: String,
        /// Its kinds [default: those of the highest served version]
        #[arg(long, value_name = "KIND", value_delimiter = ',')]
        kinds: Vec<String>,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// Graduate a feature gate, new or declared: off, on by default, locked on, removed
    #[command(after_help = "Example:
  lifecycle propose gate Frobber2D --at beta=1.34")]
    Gate {
        /// The name of the gate: Frobber2D
        element: String,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// Deprecate an element, whether or not its removal is in sight
    #[command(after_help = "Examples:
  lifecycle propose deprecation \"cli widgetctl --legacy\"
  lifecycle propose deprecation autoscaling/v1@1.40 --builtin kubernetes")]
    Deprecation {
        /// The element's id, as printed by plan, and the release that deprecates it [default: the earliest one]
        #[arg(value_name = "ELEMENT[@RELEASE]")]
        element: String,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// Remove an element: deprecate and remove it; migrate and drop it too if it is a version
    #[command(after_help = "Example:
  lifecycle propose removal autoscaling/v1 --from 1.40 --write")]
    Removal {
        /// The element's id, as printed by plan: autoscaling/v1, "gate Frobber2D"
        element: String,
        #[command(flatten)]
        evidence: EvidenceArgs,
        #[command(flatten)]
        rollout: Rollout,
    },
}

#[derive(Debug, Args)]
pub struct Rollout {
    /// The release of the first step [default: the next release]
    #[arg(long, visible_alias = "in", value_name = "RELEASE")]
    pub from: Option<String>,
    /// Set the release of a step: --at beta=1.34. May be repeated. A proposal has some of these steps: introduced,
    /// tolerated, alpha, beta, ga, deprecated, hidden, preferred, stored, removed, migrated, dropped
    #[arg(long, value_name = "STEP=RELEASE", value_parser = step_at)]
    pub at: Vec<(String, String)>,
    /// Write the new entries to the model's files
    #[arg(long, conflicts_with = "builtin")]
    pub write: bool,
    #[command(flatten)]
    pub model: ModelOption,
    /// How the rollout is printed
    #[arg(long, value_enum, default_value_t = RolloutFormat::Table)]
    pub format: RolloutFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RolloutFormat {
    /// The checklist, and the change of the model
    Table,
    /// For programs
    Json,
    /// The checklist and the new entries, for pages and comments
    Markdown,
    /// The new entries only, to append to the model
    Toml,
}

fn step_at(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((step, release)) if !step.is_empty() && !release.is_empty() => {
            Ok((step.trim().to_owned(), release.trim().to_owned()))
        }
        _ => Err("write the step's name, `=`, and the release: beta=1.34".to_owned()),
    }
}
