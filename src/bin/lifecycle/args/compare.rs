//! What can be typed after `compare`.

use clap::{Args, ValueEnum};
use lifecycle::compare::SourceFormat;
use lifecycle::import::deprecation_lists::Tool;

use super::format::Format;
use super::model::{BuiltIn, ModelChoice, ModelFile};

#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub struct Compare {
    #[command(flatten)]
    model: ModelFile,
    /// The other source: a model, a pluto or kubepug list, a versioned feature list, a calendar; - for standard input
    #[arg(required = true)]
    pub source: String,
    #[command(flatten)]
    builtin: BuiltIn,
    /// The format of the source [default: recognized by its content]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    pub source_format: Option<SourceKind>,
    /// The product to compare, if a list has several, such as k8s [default: those that have a group of the model]
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,
    /// How the differences are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

impl Compare {
    pub fn choice(&self) -> ModelChoice<'_> {
        self.builtin.or(self.model.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SourceKind {
    /// A model in TOML
    Model,
    /// pluto's list of deprecated API versions, in YAML
    Pluto,
    /// kubepug's list of deprecated API versions, in JSON
    Kubepug,
    /// Kubernetes' versioned feature list, in YAML
    FeatureGates,
    /// Releases and their dates, in JSON or CSV
    Calendar,
}

impl From<SourceKind> for SourceFormat {
    fn from(kind: SourceKind) -> Self {
        match kind {
            SourceKind::Model => Self::Model,
            SourceKind::Pluto => Self::Deprecations(Tool::Pluto),
            SourceKind::Kubepug => Self::Deprecations(Tool::Kubepug),
            SourceKind::FeatureGates => Self::FeatureGates,
            SourceKind::Calendar => Self::Calendar,
        }
    }
}
