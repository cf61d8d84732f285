//! What can be typed after `import`.

use chrono::NaiveDate;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lifecycle::import::kinds::Parts;
use lifecycle::import::markers::Language;
use lifecycle::stability::MetricStability;

#[derive(Debug, Subcommand)]
pub enum Import {
    /// Import CRDs in YAML or JSON: of one release, of several, or of the tags of a Git repository
    ///
    /// In folders, files ending in .yaml, .yml or .json are read.
    #[command(after_help = "Examples:
  lifecycle import crds --git . --tags 'v*' config/crd -o lifecycle.toml
  lifecycle import crds --git . --since 1.3 config/crd --update lifecycle.toml
  lifecycle import crds --release 1.4 config/crd --update lifecycle.toml")]
    Crds(Surface),
    /// Import the Go packages of the Kubernetes API, or of a project built in the same way
    ///
    /// Kinds are the types that register.go registers. Their introduction, deprecation, removal and replacement come
    /// from zz_generated.prerelease-lifecycle.go, else from the markers in comments, else from the releases in which
    /// they are first and last seen. Changed markers and contradictions are reported. In folders, files ending in .go
    /// are read, without tests and other generated code. No Go code is run.
    #[command(after_help = "Example:
  lifecycle import kubernetes-api --git api --calendar releases.csv")]
    KubernetesApi(KubernetesApi),
    /// Import OpenAPI documents, version 2 (swagger.json) or 3, in JSON or YAML: only kinds with API endpoints (paths)
    ///
    /// A Kubernetes API server publishes them at /openapi/v2, and one per group and version below /openapi/v3. They do
    /// not show in which version objects are stored. In folders, files ending in .json, .yaml or .yml are read.
    #[command(after_help = "Example:
  lifecycle import openapi --at 1.4 old/swagger.json --at 1.5 swagger.json")]
    Openapi(Surface),
    /// Import pluto's list of deprecated API versions, in YAML
    #[command(after_help = "Example:
  lifecycle import pluto versions.yaml --component k8s")]
    Pluto(ToolList),
    /// Import kubepug's list of deprecated API versions, in JSON
    #[command(after_help = "Example:
  lifecycle import kubepug data.json --update lifecycle.toml")]
    Kubepug(ToolList),
    /// Import Kubernetes' versioned feature list, in YAML: "- name: Gate" with "versionedSpecs"
    ///
    /// Entries that cannot be read are reported and skipped. --calendar sets the calendar of a new model; without it,
    /// the calendar has the releases that the list names, without dates.
    #[command(after_help = "Example:
  lifecycle import feature-gates features.yaml --calendar releases.csv")]
    FeatureGates(FeatureGates),
    /// Import metrics from Kubernetes' lists in YAML, or from what a program exposes for Prometheus or OpenMetrics
    ///
    /// A metric is introduced in the first release that has it. A change of class, type or labels becomes a new entry
    /// of specs. A metric that a list no longer has is removed. A program exposes only metrics that were used since it
    /// started: a metric that it does not expose is not removed, and only metrics with a class, such as [STABLE] before
    /// the help text, are imported. Help texts are not imported. In folders, files ending in .yaml, .yml, .prom or .txt
    /// are read.
    #[command(after_help = "Example:
  lifecycle import metrics --release 1.31 stable-metrics-list.yaml")]
    Metrics(Metrics),
    /// Import marks of deprecation that a project keeps in its code, or a list of deprecations
    ///
    /// What a release no longer declares is removed, and what it declares without its mark is no longer deprecated. Of
    /// tags, the first release with a mark counts, whatever the mark states. Every mark is reported with its place (-v
    /// lists all), and so is what looks like one and cannot be read. In folders, tests, examples and copies of other
    /// projects are left out.
    #[command(after_help = "Examples:
  lifecycle import markers rust --git . --tags 'v*' src
  lifecycle import markers oslo --git . conf --calendar releases.csv -o lifecycle.toml")]
    Markers(Markers),
    /// Import a calendar from JSON in the format of endoflife.date, or from CSV such as 1.31,2024-08-13
    ///
    /// The JSON is [{ "cycle": "1.31", "releaseDate": "2024-08-13" }]. CSV may have a header. Entries that cannot be
    /// read are reported and skipped.
    #[command(after_help = "Example:
  lifecycle import calendar releases.csv --current 1.31 --update lifecycle.toml")]
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
    /// Releases and their dates, in a format that "import calendar" reads; may be repeated
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
    /// Releases and their dates, in a format that "import calendar" reads; they override the dates of tags; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub calendar: Vec<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Markers {
    /// Where the marks are
    #[arg(value_enum)]
    pub language: MarkerLanguage,
    #[command(flatten)]
    pub releases: Releases,
    /// Releases and their dates, in a format that "import calendar" reads; they override the dates of tags; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub calendar: Vec<String>,
    /// With --update: the files have all elements of these kinds that the model has; declare those that they lack
    /// removed
    #[arg(long, requires = "update")]
    pub all: bool,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MarkerLanguage {
    /// #[deprecated(since, note)] in .rs
    Rust,
    /// @Deprecated(since) and @deprecated in comments, in .java and .kt
    Java,
    /// trigger_deprecation() and @trigger_error(…, E_USER_DEPRECATED) in .php
    Php,
    /// deprecated_for_removal and deprecated_since of oslo.config in .py
    Oslo,
    /// deprecation and tombstone in meta/runtime.yml of a collection
    Ansible,
    /// title, announcement_milestone and removal_milestone in .yml
    Gitlab,
    /// A table with the columns name and any of kind, introduced, deprecated, removed and warning, in .csv
    Csv,
}

impl From<MarkerLanguage> for Language {
    fn from(language: MarkerLanguage) -> Self {
        match language {
            MarkerLanguage::Rust => Self::Rust,
            MarkerLanguage::Java => Self::Java,
            MarkerLanguage::Php => Self::Php,
            MarkerLanguage::Oslo => Self::Oslo,
            MarkerLanguage::Ansible => Self::Ansible,
            MarkerLanguage::Gitlab => Self::Gitlab,
            MarkerLanguage::Csv => Self::Csv,
        }
    }
}

#[derive(Debug, Args)]
pub struct Metrics {
    #[command(flatten)]
    pub releases: Releases,
    /// The class of metrics without one: INTERNAL, ALPHA, BETA or STABLE [default: do not import them]
    #[arg(long, value_name = "CLASS", value_parser = class)]
    pub unmarked: Option<MetricStability>,
    /// With --update: the lists have all metrics of the model; declare those that they lack removed
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
    /// The date of that release, such as 2024-01-31
    #[arg(long, value_name = "DATE", requires = "release")]
    pub date: Option<NaiveDate>,
    /// One of several releases, and a file or folder that belongs to it; may be repeated, also for the same release
    #[arg(long, num_args = 2, value_names = ["RELEASE[=DATE]", "PATH"])]
    pub at: Vec<String>,
    /// Read the releases from the tags of this repository
    #[arg(long, value_name = "REPO")]
    pub git: Option<String>,
    /// The tags to read. The first tag of each minor release sets its date and content
    #[arg(long, value_name = "GLOB", requires = "git", default_value = "*")]
    pub tags: String,
    /// The first release to read. With --update: the newest one that the model has, to compare what follows with it
    #[arg(long, value_name = "RELEASE", requires = "git")]
    pub since: Option<String>,
}

/// Where the model is written.
#[derive(Debug, Args)]
pub struct Target {
    /// Update this model: add what is new, and keep your edits
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
