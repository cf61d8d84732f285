//! What can be typed.

mod compare;
mod import;
mod lint;
mod propose;

use chrono::NaiveDate;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::Load;
use lifecycle::release::AsOf;

use crate::chosen::{BUILT_IN, Chosen};

pub use compare::{Compare, SourceFormat};
pub use import::{
    Export, FeatureGates, Import, ImportCalendar, KubernetesApi, Metrics, Peer, Releases, Surface, Target,
};
pub use lint::Lint;
pub use propose::{Propose, Rollout, RolloutFormat};

/// Plans how a product's public surface lives and dies.
///
/// A model (TOML) declares what ships: API groups, versions, kinds, fields, flags, feature gates, metrics, behaviors.
/// A policy says what may happen when. Exit codes: 0 clean, 1 findings, 2 could not run.
#[derive(Debug, Parser)]
#[command(name = "lifecycle", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub look: Look,
}

#[derive(Debug, Args)]
pub struct Look {
    /// When to use color
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub color: Color,
    /// Say less: only the answer
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more: which files and policies are used
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// The timeline of each group, and when each element may and must go
    Plan {
        #[command(flatten)]
        model: Model,
        #[arg(long, value_enum, default_value_t = PlanFormat::Table)]
        format: PlanFormat,
    },
    /// The surface through the releases as a picture, a row an element
    Render(Render),
    /// What breaks the policy, where, why, and the soonest that would be legal
    ///
    /// Where the model names schemas (`lifecycle explain schemas`), they are read too: with --base, what a change of
    /// them breaks is among the findings.
    Check(Check),
    /// What a change of schemas breaks: for whom, why, and what to do instead
    Diff(Diff),
    /// What goes wrong with definitions of custom resources: pitfalls of generated CRDs, each with a page
    ///
    /// Of versions that are deprecated, and within types that are Kubernetes' own, such as a pod's template, only what
    /// servers refuse is told: no advice can be followed there. `lifecycle explain` lists the checks.
    Lint(Lint),
    /// Drafts of what is announced: release notes, a migration guide, a changelog, the words of warnings
    Notes(Notes),
    /// A staged rollout as a plan: the release of each step, what to edit and to announce, what the model is to say
    #[command(subcommand)]
    Propose(Propose),
    /// A model from what a project publishes, or a model brought up to date with it
    #[command(subcommand)]
    Import(Import),
    /// The deprecations and removals of a model as a list that another tool reads
    #[command(subcommand)]
    Export(Export),
    /// Where a model and another source disagree, element by element, with the reason where one is evident
    ///
    /// Exit codes: 0 they agree, 1 they do not, 2 could not run.
    Compare(Compare),
    /// Mend the findings that have one right answer: shows the changes, or makes them
    Fix {
        #[command(flatten)]
        model: Model,
        /// Write the files
        #[arg(long)]
        write: bool,
    },
    /// Why the events of an element fall where they do
    Why {
        /// The element's id, as `plan` prints it: `apps/v1beta1`, `gate Frobber2D`
        element: String,
        /// This event (introduced, deprecated, hidden, removed, …) and those it is counted from [default: all]
        event: Option<String>,
        /// The model: a file, `-` for standard input [default: lifecycle.toml, searched upwards]
        #[arg(long, short)]
        model: Option<String>,
        #[command(flatten)]
        builtin: BuiltIn,
        #[command(flatten)]
        judgement: Judgement,
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// The page of a rule (by slug or number), of the model file, of a level (alpha, beta, stable), or of what policies
    /// say of schemas
    Explain {
        /// A rule, or `model`, `alpha`, `beta`, `stable`, `schema` [default: the list]
        topic: Option<String>,
        /// The policy whose numbers count: a built-in one or a file
        #[arg(long)]
        policy: Option<String>,
    },
    /// The rules in force, how grave each finding is, and who says so
    Rules {
        #[command(flatten)]
        model: Model,
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// The breaches that were agreed to, and whether each is still needed
    Exceptions {
        #[command(flatten)]
        model: Model,
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// The built-in policies, or one of them as its file
    Policies {
        /// Print this one
        name: Option<String>,
    },
}

#[derive(Debug, Args)]
pub struct Render {
    #[command(flatten)]
    pub model: Model,
    #[arg(long, value_enum, default_value_t = PictureFormat::Svg)]
    pub format: PictureFormat,
    /// Draw this group alone: `apps`, `config kubelet.config.k8s.io`, `cli kubectl`, `gates`. May be given again
    #[arg(long, value_name = "NAME")]
    pub group: Vec<String>,
    /// Write it to this file instead of printing it
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub model: Model,
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,
    /// Also write the findings to a file; the format is that of its ending (.json, .sarif, .xml for junit, .md), or
    /// written before it. May be given again
    #[arg(long, short, value_name = "[FORMAT=]FILE")]
    pub output: Vec<String>,
    /// The least severity that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// Judge the change from this state: a Git revision (from where its history and what is checked out part; with
    /// `:PATH`, of a model that was elsewhere), a model file, or a folder
    #[arg(long, value_name = "REV|FILE|FOLDER", conflicts_with = "builtin")]
    pub base: Option<String>,
    /// List what was there before too
    #[arg(long)]
    pub all: bool,
    /// The file that puts findings aside [default: lifecycle-baseline.toml beside the model]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Put the findings of today aside: write the baseline
    #[arg(long, conflicts_with_all = ["base", "remove", "output"])]
    pub write_baseline: bool,
    /// Would this removal be allowed? Nothing is changed. May be given again
    #[arg(long, value_name = "ELEMENT@RELEASE", conflicts_with_all = ["base", "all", "baseline"])]
    pub remove: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Diff {
    /// What was there: a file with `CustomResourceDefinitions` or a document of `OpenAPI` (YAML or JSON), a folder, `-`
    /// for standard input, or one of a Git revision: `v1.4.0:config/crd`. A revision alone stands for what the other
    /// side names, in that revision; `main...` for where what is checked out parted from `main`
    #[arg(value_name = "OLD")]
    pub old: String,
    /// What is there now
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Grade by this policy: a built-in one (`crdify` and `olm` grade as these tools do) or a file
    #[arg(long)]
    pub policy: Option<String>,
    /// How the changes are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,
    /// Also write the changes to a file; the format is that of its ending (.json, .sarif, .xml for junit, .md), or
    /// written before it. May be given again
    #[arg(long, short, value_name = "[FORMAT=]FILE")]
    pub output: Vec<String>,
    /// The least severity that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// List every change, also what is compatible
    #[arg(long)]
    pub all: bool,
    /// The model of the project: versions that end, begin or are deprecated have to be declared in it; what it has
    /// behind an alpha gate may break, and what it says is represented elsewhere is not lost
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("instead").args(["context", "schema", "check", "write"]))]
pub struct Notes {
    #[command(flatten)]
    pub model: Model,
    /// The release to tell of
    #[arg(long, value_name = "RELEASE")]
    pub release: Option<String>,
    /// Tell of all releases after this one, which readers have
    #[arg(long, value_name = "RELEASE")]
    pub since: Option<String>,
    /// The template: notes, migration-guide, deprecations, changelog, announcement, warnings, or a file
    #[arg(long, short, value_name = "NAME|FILE", default_value = "notes")]
    pub template: String,
    /// A folder whose files stand in for the built-in templates of the same name
    #[arg(long, value_name = "FOLDER")]
    pub templates: Option<String>,
    /// Say "no earlier than" of every removal to come, although the model declares its release
    #[arg(long)]
    pub tentative: bool,
    /// Print what a template sees, as JSON
    #[arg(long)]
    pub context: bool,
    /// Render from what `--context` printed, not from a model; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "model", "builtin", "release", "since", "tentative", "policy", "as_of", "allow", "warn", "deny", "context", "schema", "check",
    ])]
    pub from_context: Option<String>,
    /// Print the JSON schema of what a template sees
    #[arg(long)]
    pub schema: bool,
    /// Hold notes that were written against the plan: what is not mentioned, not marked, or wrongly dated
    #[arg(long, value_name = "FILE", requires = "release")]
    pub check: Option<String>,
    /// How the findings of `--check` are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Table, requires = "check")]
    pub format: ReportFormat,
    /// The least severity of a finding of `--check` that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error, requires = "check")]
    pub fail_on: FailOn,
    /// Put the draft into a file, between the marks that say so; the rest of the file stays as it is
    #[arg(long, value_name = "FILE")]
    pub write: Option<String>,
}

#[derive(Debug, Args)]
pub struct Model {
    /// The model: a file, `-` for standard input [default: lifecycle.toml, searched upwards]
    #[arg(id = "model", value_name = "MODEL")]
    pub file: Option<String>,
    #[command(flatten)]
    pub builtin: BuiltIn,
    #[command(flatten)]
    pub judgement: Judgement,
}

impl Model {
    /// Which model is meant.
    pub fn chosen(&self) -> Chosen<'_> {
        self.builtin.or(self.file.as_deref())
    }
}

#[derive(Debug, Args)]
pub struct BuiltIn {
    /// Take a model that comes with the program
    #[arg(long, value_name = "NAME", conflicts_with = "model", value_parser = names())]
    builtin: Option<String>,
}

fn names() -> PossibleValuesParser {
    BUILT_IN.iter().map(|model| model.name).collect::<Vec<_>>().into()
}

impl BuiltIn {
    /// The model that was chosen, given the file that was named.
    pub fn or<'c>(&'c self, path: Option<&'c str>) -> Chosen<'c> {
        match &self.builtin {
            Some(name) => Chosen::BuiltIn(name),
            None => Chosen::File(path),
        }
    }
}

#[derive(Debug, Clone, Default, Args)]
pub struct Judgement {
    /// Judge by this policy: a built-in one or a file
    #[arg(long)]
    pub policy: Option<String>,
    /// Judge as of this release or day (2024-08-13), not the calendar's `current`
    #[arg(long, value_name = "RELEASE|DATE", value_parser = moment)]
    pub as_of: Option<AsOf>,
    /// Leave out the findings of a rule, by slug or number, or one of them: `4a`, `version-lifetime:overdue`
    #[arg(short = 'A', long = "allow", value_name = "RULE[:FINDING]")]
    pub allow: Vec<String>,
    /// Make them warnings
    #[arg(short = 'W', long = "warn", value_name = "RULE[:FINDING]")]
    pub warn: Vec<String>,
    /// Make them errors
    #[arg(short = 'D', long = "deny", value_name = "RULE[:FINDING]")]
    pub deny: Vec<String>,
}

impl Judgement {
    /// Tells a load how to judge. Of levels, one for a single finding counts more than one for its rule.
    pub fn instruct(&self, load: &mut Load<'_>) {
        if let Some(policy) = &self.policy {
            load.choose_policy(policy);
        }
        if let Some(moment) = &self.as_of {
            load.as_of(moment.clone());
        }
        let levels = [
            ("-A", &self.allow, Severity::Off),
            ("-W", &self.warn, Severity::Warning),
            ("-D", &self.deny, Severity::Error),
        ];
        for single in [false, true] {
            for (flag, rules, severity) in &levels {
                for rule in rules.iter().filter(|rule| rule.contains(':') == single) {
                    load.set_level(rule, *severity, format!("{flag} {rule}"));
                }
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// For machines
    Json,
    /// For pages
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// A picture that stands alone
    Svg,
    /// A diagram for Mermaid: a Gantt chart, or a timeline where releases have no dates
    Mermaid,
    /// A graph for Graphviz: what replaces what
    Dot,
    /// A page to search, filter and print, which needs nothing beside it
    Html,
    /// For machines: what pictures are drawn from
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// For people
    Table,
    /// For machines
    Json,
    /// For pages
    Markdown,
    /// For spreadsheets: a row an element (RFC 4180)
    Csv,
    /// For calendars to subscribe to: an event for what happens in a release (RFC 5545)
    Ics,
}

impl PlanFormat {
    /// How faults of the files are told where there is no plan to print.
    pub fn of_faults(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Table | Self::Csv | Self::Ics => Format::Table,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Table,
    /// For machines
    Json,
    /// For pages
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// `JUnit` XML, for test reports
    Junit,
    /// Workflow commands of GitHub, for annotations
    Github,
}

impl ReportFormat {
    /// Whether it is for findings alone, whatever these are of.
    pub fn is_of_findings(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit | Self::Github)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

impl FailOn {
    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Note => severity >= Severity::Note,
            Self::Never => false,
        }
    }
}

/// A day, or else the name of a release.
fn moment(text: &str) -> Result<AsOf, String> {
    match text.parse::<NaiveDate>() {
        Ok(day) => Ok(AsOf::Day(day)),
        Err(_) if text.is_empty() => Err("name a release or a day".to_owned()),
        Err(_) => Ok(AsOf::Release(text.to_owned())),
    }
}
