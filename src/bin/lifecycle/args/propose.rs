//! What can be typed after `propose`.

use clap::{Args, Subcommand, ValueEnum};

use super::{BuiltIn, Judgement};
use crate::chosen::Chosen;

#[derive(Debug, Subcommand)]
pub enum Propose {
    /// A new field behind a gate: off, on by default, locked on, the gate gone
    Field {
        /// The field that is to be: `apps/v1 Deployment .spec.foo`
        element: String,
        /// The gate, new or known [default: made from kind and field]
        #[arg(long, value_name = "NAME")]
        gate: Option<String>,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// A new value of an enumeration: tolerated on update, then allowed on create
    EnumValue {
        /// The value that is to be: `apps/v1 Deployment .spec.policy=OnMonday`
        element: String,
        /// The gate, new or known [default: made from kind, field and value]
        #[arg(long, value_name = "NAME")]
        gate: Option<String>,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// A new version: overlap, preferred and storage moved, the old one deprecated, migrated, gone
    ApiVersion {
        /// The version that is to be: `apps/v2`, `config kubelet.config.k8s.io/v1`
        element: String,
        /// Its kinds [default: those of the highest version that is served]
        #[arg(long, value_name = "KIND", value_delimiter = ',')]
        kinds: Vec<String>,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// A feature gate: off, on by default, locked on, gone; one that is there goes on
    Gate {
        /// Its name: `Frobber2D`
        element: String,
        #[command(flatten)]
        rollout: Rollout,
    },
    /// The end of anything that is there: deprecated, removed, of a version also migrated and dropped
    Removal {
        /// The element's id, as `plan` prints it
        element: String,
        #[command(flatten)]
        rollout: Rollout,
    },
}

#[derive(Debug, Args)]
pub struct Rollout {
    /// The release of the first step [default: the next one]
    #[arg(long, visible_alias = "in", value_name = "RELEASE")]
    pub from: Option<String>,
    /// Set the release of a step: `--at beta=1.34`. May be given again
    #[arg(long, value_name = "STEP=RELEASE", value_parser = step_at)]
    pub at: Vec<(String, String)>,
    /// Put the entries into the model's files
    #[arg(long, conflicts_with = "builtin")]
    pub write: bool,
    /// The model: a file, `-` for standard input [default: lifecycle.toml, searched upwards]
    #[arg(long, short)]
    model: Option<String>,
    #[command(flatten)]
    builtin: BuiltIn,
    #[command(flatten)]
    pub judgement: Judgement,
    #[arg(long, value_enum, default_value_t = RolloutFormat::Table)]
    pub format: RolloutFormat,
}

impl Rollout {
    /// Which model is meant.
    pub fn chosen(&self) -> Chosen<'_> {
        self.builtin.or(self.model.as_deref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RolloutFormat {
    /// For people: the checklist, and the change of the model
    Table,
    /// For machines
    Json,
    /// For pages: the checklist, and the new entries
    Markdown,
    /// The new entries alone, to append to the model
    Toml,
}

/// A step and its release.
fn step_at(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((step, release)) if !step.is_empty() && !release.is_empty() => {
            Ok((step.trim().to_owned(), release.trim().to_owned()))
        }
        _ => Err("write the step's name, `=`, and the release: beta=1.34".to_owned()),
    }
}
