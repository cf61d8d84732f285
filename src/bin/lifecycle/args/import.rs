//! What can be typed after `import`.

use chrono::NaiveDate;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use lifecycle::import::history::Parts;
use lifecycle::stability::MetricStability;

use super::model::ModelArgs;

#[derive(Debug, Subcommand)]
pub enum Import {
    /// From `CustomResourceDefinitions` in YAML or JSON: of one release, of several, or over the tags of a Git
    /// repository
    ///
    /// In folders, files that end in .yaml, .yml or .json are read.
    Crds(Surface),
    /// From the Go packages of the Kubernetes API, or of a project built alike: of one release, or over the tags of a
    /// Git repository
    ///
    /// Kinds are what `register.go` registers; what `zz_generated.prerelease-lifecycle.go` says of their introduction,
    /// deprecation, removal and replacement counts, or else the markers in comments, or else when they are first and
    /// last seen. In folders, files that end in .go are read, but for tests and other generated code. Markers that
    /// changed and contradictions are told. Nothing is run.
    KubernetesApi(KubernetesApi),
    /// From documents of `OpenAPI`, version 2 (`swagger.json`) or 3, in JSON or YAML: the kinds that have paths, with
    /// what their schemas say
    ///
    /// As a Kubernetes API server publishes them at /openapi/v2, or one a group and version below /openapi/v3. They do
    /// not tell in which version objects are stored. In folders, files that end in .json, .yaml or .yml are read.
    Openapi(Surface),
    /// From pluto's list of deprecated API versions, in YAML
    Pluto(ToolList),
    /// From kubepug's list of deprecated API versions, in JSON
    Kubepug(ToolList),
    /// From Kubernetes' versioned feature list in YAML: `- name: Gate` with `versionedSpecs`
    ///
    /// Entries that cannot be read are told and skipped. The calendar of a model that is written anew comes from
    /// --calendar; without it, it has the releases that the list names, without days.
    FeatureGates(FeatureGates),
    /// From Kubernetes' lists of metrics in YAML, or from what a program exposes for Prometheus (also OpenMetrics): of
    /// one release, of several, or over the tags of a Git repository
    ///
    /// What is first seen is introduced; another class, type or other labels are a new entry of `specs`; what a list no
    /// longer has is removed. A program exposes what was in use since it started, so that nothing is taken for removed
    /// that it does not expose, and only what says its class: `[STABLE]` before the help text. Help texts are not taken
    /// over. In folders, files that end in .yaml, .yml, .prom or .txt are read.
    Metrics(Metrics),
    /// A calendar from JSON as of endoflife.date (`[{ "cycle": "1.31", "releaseDate": "2024-08-13" }]`), or from CSV
    /// (`1.31,2024-08-13`, with or without a header)
    ///
    /// Entries that cannot be read are told and skipped.
    Calendar(ImportCalendar),
}

/// A list of deprecated API versions.
#[derive(Debug, Args)]
pub struct ToolList {
    /// The list: a file, `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The product whose entries count, where the list has several: `k8s`
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Subcommand)]
pub enum Export {
    /// As pluto's list of deprecated API versions, in YAML
    Pluto {
        #[command(flatten)]
        list: List,
        /// What pluto calls the product
        #[arg(long, value_name = "NAME", default_value = "k8s")]
        component: String,
    },
    /// As kubepug's list of deprecated API versions, in JSON
    Kubepug {
        #[command(flatten)]
        list: List,
    },
    /// As tags for `prerelease-lifecycle-gen`, by group, version and kind
    ///
    /// The tags of a kind stand below a comment that names it; they go above its type in types.go, and above the type
    /// of its list. They say all that is declared, also what the generator would take by default, and nothing else: of
    /// an alpha or beta kind of which no deprecation or removal is declared the generator takes three releases later,
    /// which --planned replaces by the plan.
    PrereleaseLifecycle {
        #[command(flatten)]
        list: List,
    },
}

/// Which model a list is made from.
#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Tell also what is planned, and replacements that follow from succession, not only what is declared
    #[arg(long)]
    pub planned: bool,
}

#[derive(Debug, Args)]
pub struct FeatureGates {
    /// The lists; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub paths: Vec<String>,
    /// Releases with their days, in a format that `import calendar` reads. May be given again
    #[arg(long, value_name = "FILE")]
    pub calendar: Vec<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct ImportCalendar {
    /// The files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub paths: Vec<String>,
    /// The newest release that has shipped [default: none is written]
    #[arg(long, value_name = "RELEASE")]
    pub current: Option<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Surface {
    #[command(flatten)]
    pub releases: Releases,
    /// Which fields, values of enumerations and subresources to write
    #[arg(long, value_enum, default_value_t = Fields::Changed)]
    pub fields: Fields,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct KubernetesApi {
    #[command(flatten)]
    pub releases: Releases,
    /// Releases with their days, in a format that `import calendar` reads; they count before the days of tags. May be
    /// given again
    #[arg(long, value_name = "FILE")]
    pub calendar: Vec<String>,
    #[command(flatten)]
    pub target: Target,
}

#[derive(Debug, Args)]
pub struct Metrics {
    #[command(flatten)]
    pub releases: Releases,
    /// The class of metrics of which nothing says it: INTERNAL, ALPHA, BETA or STABLE [default: they are left out]
    #[arg(long, value_name = "CLASS", value_parser = class)]
    pub unmarked: Option<MetricStability>,
    /// With --update: the lists have all metrics of the model, so that what they lack is removed
    #[arg(long, requires = "update")]
    pub all: bool,
    #[command(flatten)]
    pub target: Target,
}

fn class(text: &str) -> Result<MetricStability, &'static str> {
    MetricStability::parse(text).ok_or("a class is INTERNAL, ALPHA, BETA or STABLE")
}

/// Where what releases have is read from.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("when").args(["release", "at", "git"]).required(true))]
pub struct Releases {
    /// Files, and folders with all below them; `-` for standard input. With --git, paths in the repository [default
    /// there: all of it]
    #[arg(value_name = "PATH", required_unless_present_any = ["at", "git"], conflicts_with = "at")]
    pub paths: Vec<String>,
    /// The release that has what is in the paths
    #[arg(long, value_name = "RELEASE")]
    pub release: Option<String>,
    /// The day of that release
    #[arg(long, value_name = "DATE", requires = "release")]
    pub date: Option<NaiveDate>,
    /// What a release has, one of several: a file or folder. May be given again, for the same release too
    #[arg(long, num_args = 2, value_names = ["RELEASE[=DATE]", "PATH"])]
    pub at: Vec<String>,
    /// Read the releases from the tags of this repository
    #[arg(long, value_name = "REPO")]
    pub git: Option<String>,
    /// Which tags are releases; of each minor release the first one counts, and dates it
    #[arg(long, value_name = "GLOB", requires = "git", default_value = "*")]
    pub tags: String,
}

/// Where what is imported goes.
#[derive(Debug, Args)]
pub struct Target {
    /// Bring this model up to date: what is new is added, what people wrote stays
    #[arg(long, value_name = "MODEL", conflicts_with = "output")]
    pub update: Option<String>,
    /// Write it to this new file instead of printing it
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fields {
    /// Those that came or went while their kind was there
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
