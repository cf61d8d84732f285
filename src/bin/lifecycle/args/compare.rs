//! What can be typed after `compare`.

use clap::{Args, ValueEnum};

use super::{BuiltIn, Format};
use crate::chosen::Chosen;

#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub struct Compare {
    /// The model: a file [default: lifecycle.toml, searched upwards]
    model: Option<String>,
    /// The other source: a model, pluto's or kubepug's list, a versioned feature list, a calendar; `-` for standard
    /// input
    #[arg(required = true)]
    pub source: String,
    #[command(flatten)]
    builtin: BuiltIn,
    /// What the source is [default: by its content]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    pub form: Option<SourceFormat>,
    /// The product whose entries count, where a list has several [default: those that have a group of the model]
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

impl Compare {
    /// Which model is meant.
    pub fn chosen(&self) -> Chosen<'_> {
        self.builtin.or(self.model.as_deref())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SourceFormat {
    /// A model in TOML
    Model,
    /// pluto's list of deprecated API versions, in YAML
    Pluto,
    /// kubepug's list of deprecated API versions, in JSON
    Kubepug,
    /// Kubernetes' versioned feature list, in YAML
    FeatureGates,
    /// Releases and their days, in JSON or CSV
    Calendar,
}
