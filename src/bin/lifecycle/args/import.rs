//! What can be typed after `import`.

use chrono::NaiveDate;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lifecycle::import::kinds::Parts;
use lifecycle::stability::MetricStability;

#[derive(Debug, Subcommand)]
pub enum Import {
    /// Import CustomResourceDefinitions in YAML or JSON, of one release, several, or the tags of a Git repository
    ///
    /// In folders, files ending in .yaml, .yml or .json are read.
    #[command(after_help = "Examples:
  lifecycle import crds --git . --tags 'v*' config/crd -o lifecycle.toml
  lifecycle import crds --release 1.4 --date 2024-01-31 config/crd --update lifecycle.toml")]
    Crds(Surface),
    /// Import the Go packages of the Kubernetes API, or of a project built in the same way
    ///
    /// Kinds are the types that register.go registers. Their introduction, deprecation, removal and replacement come
    /// from zz_generated.prerelease-lifecycle.go, else from the markers in comments, else from the releases in which
    /// they are first and last seen. Changed markers and contradictions are reported. In folders, files ending in .go
    /// are read, without tests and other generated code. Nothing is run.
    KubernetesApi(KubernetesApi),
    /// Import OpenAPI documents, version 2 (swagger.json) or 3, in JSON or YAML: only kinds with API endpoints (paths)
    ///
    /// A Kubernetes API server publishes them at /openapi/v2, and one per group and version below /openapi/v3. They do
    /// not show in which version objects are stored. In folders, files ending in .json, .yaml or .yml are read.
    Openapi(Surface),
    /// Import pluto's list of deprecated API versions, in YAML
    Pluto(ToolList),
    /// Import kubepug's list of deprecated API versions, in JSON
    Kubepug(ToolList),
    /// Import Kubernetes' versioned feature list, in YAML: "- name: Gate" with "versionedSpecs"
    ///
    /// Entries that cannot be read are reported and skipped. --calendar gives a new model its calendar; without it, the
    /// calendar has the releases that the list names, without days.
    FeatureGates(FeatureGates),
    /// Import metrics from Kubernetes' lists in YAML, or from what a program exposes for Prometheus or OpenMetrics
    ///
    /// A metric is introduced in the first release that has it. Another class, type or other labels become a new entry
    /// of specs. A metric that a list no longer has is removed. A program exposes only what was in use since it
    /// started: what it does not expose is not removed, and only metrics with a class, such as [STABLE] before the help
    /// text, are imported. Help texts are not imported. In folders, files ending in .yaml, .yml, .prom or .txt are
    /// read.
    Metrics(Metrics),
    /// Import a calendar from JSON in the format of endoflife.date, or from CSV such as 1.31,2024-08-13
    ///
    /// The JSON is [{ "cycle": "1.31", "releaseDate": "2024-08-13" }]. CSV may have a header. Entries that cannot be
    /// read are reported and skipped.
    Calendar(ImportCalendar),
}

/// A list of deprecated API versions.
#[derive(Debug, Args)]
pub struct ToolList {
    /// The list; - for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The product to import, if the list has several, such as k8s
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct FeatureGates {
    /// The lists; - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub paths: Vec<String>,
    /// Releases with their days, in a format that "import calendar" reads; may be repeated
    #[arg(long, value_name = "FILE")]
    pub calendar: Vec<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct ImportCalendar {
    /// The files; - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub paths: Vec<String>,
    /// The newest release that has shipped [default: none]
    #[arg(long, value_name = "RELEASE")]
    pub current: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Surface {
    #[command(flatten)]
    pub releases: Releases,
    /// Which fields, enum values and subresources to write
    #[arg(long, value_enum, default_value_t = Fields::Changed)]
    pub fields: Fields,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct KubernetesApi {
    #[command(flatten)]
    pub releases: Releases,
    /// Releases with their days, in a format that "import calendar" reads; they override the days of tags; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub calendar: Vec<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Metrics {
    #[command(flatten)]
    pub releases: Releases,
    /// The class of metrics without one: INTERNAL, ALPHA, BETA or STABLE [default: leave them out]
    #[arg(long, value_name = "CLASS", value_parser = class)]
    pub unmarked: Option<MetricStability>,
    /// With --update: the lists have all metrics of the model, so remove those that they lack
    #[arg(long, requires = "update")]
    pub all: bool,
    #[command(flatten)]
    pub target: Target,
}

fn class(text: &str) -> Result<MetricStability, &'static str> {
    MetricStability::parse(text).ok_or("a class is INTERNAL, ALPHA, BETA or STABLE")
}

/// Which files belong to which release.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("when").args(["release", "at", "git"]).required(true))]
pub struct Releases {
    /// Files and folders; - for standard input. With --git: paths in the repository [default: all of it]
    #[arg(value_name = "PATH", required_unless_present_any = ["at", "git"], conflicts_with = "at")]
    pub paths: Vec<String>,
    /// The release that the paths belong to
    #[arg(long, value_name = "RELEASE")]
    pub release: Option<String>,
    /// The day of that release
    #[arg(long, value_name = "DATE", requires = "release")]
    pub date: Option<NaiveDate>,
    /// One of several releases, and a file or folder that belongs to it; may be repeated, also for the same release
    #[arg(long, num_args = 2, value_names = ["RELEASE[=DATE]", "PATH"])]
    pub at: Vec<String>,
    /// Read the releases from the tags of this repository
    #[arg(long, value_name = "REPO")]
    pub git: Option<String>,
    /// The tags that are releases; the first one of a minor release dates it and has its content
    #[arg(long, value_name = "GLOB", requires = "git", default_value = "*")]
    pub tags: String,
}

/// Where the model goes.
#[derive(Debug, Args)]
pub struct Target {
    /// Update this model: add what is new, keep what people wrote
    #[arg(long, value_name = "MODEL", conflicts_with = "output")]
    pub update: Option<String>,
    /// Write the model to this new file instead of printing it
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fields {
    /// Those that were added or removed while their kind existed
    Changed,
    /// All of them
    All,
    /// None
    None,
}

impl From<Fields> for Parts {
    fn from(fields: Fields) -> Self {
        match fields {
            Fields::Changed => Self::Changed,
            Fields::All => Self::All,
            Fields::None => Self::None,
        }
    }
}
