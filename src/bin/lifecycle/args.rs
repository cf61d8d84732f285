//! What can be typed. The terminal shows these comments as help, so that they have no Markdown.

#![expect(clippy::doc_markdown, reason = "the terminal would show the marks")]

mod agenda;
mod by_when;
mod check;
mod compare;
mod diff;
mod explain;
mod export;
mod filter;
mod format;
mod import;
mod init;
mod lint;
mod model;
mod notes;
mod policies;
mod propose;
mod scan;
mod shared;
mod usage;
mod what_if;

use clap::{Args, Parser, Subcommand};
use lifecycle::render::formats::{OutputFormat, PICTURE_FORMATS, PLAN_FORMATS, WritePicture, WritePlan};

use format::format_parser;

pub use agenda::{Agenda, AgendaFormat};
pub use by_when::{ByWhen, ByWhenFormat};
pub use check::Check;
pub use compare::Compare;
pub use diff::Diff;
pub use explain::{Explain, PageFormat};
pub use export::Export;
pub use filter::FilterArgs;
pub use format::{FailOn, Format, ReportArgs, ReportFormat};
pub use import::{
    FeatureGates, Import, ImportCalendar, KubernetesApi, Markers, Metrics, Releases, Surface, Target, ToolList,
};
pub use init::Init;
pub use lint::Lint;
pub use model::{ModelArgs, ModelChoice, ModelOption, PolicyOptions, SeveralModels};
pub use notes::Notes;
pub use policies::{Policies, Show};
pub use propose::{Propose, Rollout, RolloutFormat};
pub use scan::Scan;
pub use shared::SharedOptions;
pub use usage::{EvidenceArgs, Query, QueryLanguage, Usage, UsageFormat, UsageQuery};
pub use what_if::{ChangeOptions, WhatIf, WhatIfFormat};

/// Plan, check and announce the deprecations and removals of a product's public surface.
///
/// A model (TOML) declares what ships: API groups, versions, kinds, fields, flags, feature gates, metrics, behaviors,
/// endpoints, symbols, and kinds of your own. A policy says what may happen when.
/// Exit codes: 0 no findings, 1 findings, 2 bad usage or errors in the input files.
#[derive(Debug, Parser)]
#[command(
    name = "lifecycle",
    version,
    max_term_width = 100,
    after_help = "Examples:
  lifecycle plan                       the timeline of your model
  lifecycle check --base origin/main   the violations that a branch adds
  lifecycle explain model              how to write a model"
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub shared: SharedOptions,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a first model of a project, with a baseline, from the CRDs, API packages and tags of its repository
    #[command(after_help = "Examples:
  lifecycle init
  lifecycle init --yes --tags 'v*'")]
    Init(Init),
    /// Show what is overdue, what comes next, and when each element may and must be removed
    ///
    /// The table is an overview, on a terminal and in a pipe: what is overdue, what the current and the next release
    /// bring, what each group serves from now on, and the elements of which something is left to do. With --in, it is
    /// what happens, is due or becomes possible in these releases. --all lists every release and every element; JSON,
    /// CSV, Markdown and calendars always do.
    #[command(after_help = "Examples:
  lifecycle plan                                  the overview of your model
  lifecycle plan --builtin kubernetes --in 1.37   what happens or becomes possible in a release
  lifecycle plan --format ics > lifecycle.ics")]
    Plan(Plan),
    /// List what has to be done for a release: what is overdue, due, promised, or possible
    ///
    /// Each task has its reason, its release, its owner, and the command that declares it. The overview of plan lists
    /// the same by group.
    #[command(after_help = "Examples:
  lifecycle agenda
  lifecycle agenda --builtin kubernetes --release 1.37 --ahead 2 --format markdown")]
    Agenda(Agenda),
    /// Show what has to happen by when for a target, or why it cannot be reached
    ///
    /// For each event on the way, it shows the earliest and the latest release, and marks those that decide. Events
    /// that are declared keep their releases, unless they have not shipped and come too late. Exit codes: 0 if the
    /// targets can be reached, 1 if not, 2 bad usage, errors in the input files, or no such target.
    #[command(after_help = "Examples:
  lifecycle by-when 'apps/v1beta1.removed<=1.34'
  lifecycle by-when 'beta.removed<=1.42' --builtin kubernetes --group resource.k8s.io")]
    ByWhen(ByWhen),
    /// Draw the timeline as a picture or a page, one row per element
    #[command(after_help = "Examples:
  lifecycle render --output surface.svg
  lifecycle render --format html --output surface.html --builtin kubernetes")]
    Render(Render),
    /// Report what violates the policy, where, why, and the soonest legal release
    ///
    /// If the model names schemas, check reads them too; with --base, it also reports what their changes break.
    #[command(after_help = "Examples:
  lifecycle check --base origin/main --format github --output check.sarif
  lifecycle check --remove apps/v1beta1@1.16")]
    Check(Check),
    /// Report what a schema change breaks, for whom, and what to do instead
    ///
    /// A schema is a CustomResourceDefinition or an OpenAPI document (YAML or JSON).
    #[command(after_help = "Examples:
  lifecycle diff main... config/crd
  lifecycle diff v1.4.0:config/crd config/crd --all
  lifecycle diff --git ../product v1.4.0 v1.5.0
  lifecycle diff main... config/crd -W element-removal:default-added")]
    Diff(Diff),
    /// Report pitfalls in CRDs, such as lists without a merge strategy
    ///
    /// Deprecated versions and Kubernetes' own types, such as a pod template, can no longer be improved: there, lint
    /// reports only what servers reject. Each check has a page: lifecycle explain lists them.
    #[command(after_help = "Examples:
  lifecycle lint config/crd
  lifecycle lint config/crd --base origin/main --fail-on warning")]
    Lint(Lint),
    /// Report which objects use what is deprecated, or removed by a release
    ///
    /// The objects are those in manifests (YAML or JSON). The model says what happens to the API: that of the project,
    /// or the built-in one of Kubernetes. Exit codes: 1 if something is used that is removed, 0 otherwise, 2 bad usage,
    /// errors in the input files, or a release that the model does not know.
    #[command(after_help = "Examples:
  lifecycle scan deploy --to 1.37
  helm template chart | lifecycle scan - --from 1.33 --to 1.37 --builtin kubernetes")]
    Scan(Scan),
    /// Gather who still uses what is deprecated or to be removed, from logs, metrics and counts of running systems
    #[command(long_about = usage::ABOUT, after_help = usage::EXAMPLES)]
    Usage(Usage),
    /// Draft release notes, a migration guide, a changelog, or warnings from templates
    #[command(after_help = "Examples:
  lifecycle notes --release 1.25
  lifecycle notes --release 1.25 --check docs/release-notes.md")]
    Notes(Notes),
    /// Plan a staged rollout: the release of each step, and what to declare and announce
    #[command(
        subcommand,
        after_help = "Examples:
  lifecycle propose field \"apps/v1 Deployment .spec.foo\"
  lifecycle propose removal autoscaling/v1 --from 1.40 --write"
    )]
    Propose(Propose),
    /// Show what a change of the model, the calendar or the policy moves, before anything is written
    ///
    /// What becomes illegal or misses what was announced comes first, then each event that moves, from and to which
    /// release, and why. Exit codes: 0 nothing becomes illegal, 1 something does, 2 bad usage or errors in the input
    /// files.
    #[command(after_help = "Examples:
  lifecycle what-if --set autoscaling/v2beta1.deprecated=1.23
  lifecycle what-if --slip 1.38=+3w --drop \"gate Frobber2D\" --format markdown
  lifecycle what-if --slip 1.38=+3w -- --slip 1.38=+2m   two changes side by side")]
    WhatIf(WhatIf),
    /// Generate a model from what a project publishes, or update a model
    #[command(
        subcommand,
        after_help = "Examples:
  lifecycle import crds --git . config/crd --output lifecycle.toml
  lifecycle import crds --release 1.5 config/crd --update lifecycle.toml"
    )]
    Import(Import),
    /// Export deprecations and removals as a list for another tool
    #[command(
        subcommand,
        after_help = "Examples:
  lifecycle export pluto > versions.yaml
  lifecycle export kubepug --planned > data.json"
    )]
    Export(Export),
    /// Compare a model with another source, element by element
    ///
    /// Where the reason of a difference is evident, it is printed too. Exit codes: 0 the two agree, 1 they differ,
    /// 2 bad usage or errors in the input files.
    #[command(after_help = "Examples:
  lifecycle compare pluto-versions.yaml --component k8s
  lifecycle compare lifecycle.toml versioned_feature_list.yaml")]
    Compare(Compare),
    /// Fix the findings that have a single right fix
    ///
    /// Without --write, the fixes are shown as a diff and no file is changed; the exit code is 1 if there are any.
    #[command(after_help = "Examples:
  lifecycle fix           shows the changes as a diff
  lifecycle fix --write   makes them")]
    #[command(mut_arg("builtin", |builtin| builtin.hide(true)))]
    Fix {
        #[command(flatten)]
        model: ModelArgs,
        /// Write the files instead of showing the changes
        #[arg(long)]
        write: bool,
    },
    /// Explain the dates of an element, step by step
    #[command(after_help = "Examples:
  lifecycle why apps/v1beta1
  lifecycle why --builtin kubernetes \"batch/v1beta1 CronJob\" removed")]
    Why(Why),
    /// Explain a rule, a finding, a stability level, the model file, the policy file, or schema severities
    ///
    /// With --policy, --model or --builtin, the page of a rule ends with what that policy sets for it, and where.
    #[command(after_help = "Examples:
  lifecycle explain version-lifetime --policy kubernetes-2019
  lifecycle explain policy")]
    Explain(Explain),
    /// List the rules in force, the severity of each finding, and where it is set
    #[command(after_help = "Examples:
  lifecycle rules
  lifecycle rules --policy kubernetes-2019")]
    Rules {
        #[command(flatten)]
        model: ModelArgs,
        /// How the rules are printed
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// List the granted exceptions, and whether each is still needed
    #[command(after_help = "Example:
  lifecycle exceptions --format markdown")]
    Exceptions(Exceptions),
    /// Show how the product kept its policy: what was on time, too early, late or unannounced
    ///
    /// Every deprecation and removal that the policy bounds and that has shipped, or was due, is judged. With
    /// --promises, it shows instead what became of what earlier states of the model declared for releases to come.
    #[command(after_help = "Examples:
  lifecycle report
  lifecycle report --promises --tags 'v*'
  lifecycle report --builtin kubernetes --format markdown")]
    Report(Record),
    /// Print the script that completes commands, options, files, and the elements and releases of the model
    #[command(after_help = "Examples:
  lifecycle completions bash > ~/.local/share/bash-completion/completions/lifecycle
  lifecycle completions zsh > ~/.zfunc/_lifecycle")]
    Completions {
        /// The shell
        #[arg(value_parser = ["bash", "elvish", "fish", "powershell", "zsh"])]
        shell: String,
    },
    /// Write manual pages, one per command
    #[command(after_help = "Example:
  lifecycle manual /usr/local/share/man/man1")]
    Manual {
        /// The folder of the pages
        folder: String,
    },
    /// Print the JSON Schema of the model file, of policy files, or of what a command prints as JSON
    #[command(after_help = "Examples:
  lifecycle schema model > lifecycle.schema.json
  lifecycle schema plan")]
    Schema {
        /// model, policy, or the command [default: list all schemas]
        #[arg(value_name = "model|policy|OUTPUT")]
        name: Option<String>,
    },
    /// List the built-in policies, print the file of one, or show the policy in force
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:
  lifecycle policies kubernetes > policy.toml
  lifecycle policies show policy.toml --effective"
    )]
    Policies {
        /// Print the file of this built-in policy
        name: Option<String>,
        #[command(subcommand)]
        command: Option<Policies>,
    },
}

#[derive(Debug, Args)]
pub struct Plan {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// List every release and every element in tables
    #[arg(long)]
    pub all: bool,
    /// How the plan is printed
    #[arg(long, value_parser = format_parser(PLAN_FORMATS), default_value = PLAN_FORMATS[0].name)]
    pub format: &'static OutputFormat<WritePlan>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Args)]
pub struct Record {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// List everything that broke the policy, not the worst ten only, and every release; with --promises, also those
    /// that are kept or pending
    #[arg(long)]
    pub all: bool,
    /// Compare what the model of each release promised, read from the tags of its Git repository, with what happened or
    /// is planned now
    #[arg(long)]
    pub promises: bool,
    /// The tags to read for --promises. The first tag of each minor release is read
    #[arg(long, value_name = "GLOB", requires = "promises", default_value = "*")]
    pub tags: String,
    /// Read this revision instead of tags; may be repeated, the oldest first
    #[arg(long, value_name = "REV", requires = "promises", conflicts_with = "tags")]
    pub at: Vec<String>,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Render {
    #[command(flatten)]
    pub model: ModelArgs,
    /// How the timeline is drawn
    #[arg(long, value_parser = format_parser(PICTURE_FORMATS), default_value = PICTURE_FORMATS[0].name)]
    pub format: &'static OutputFormat<WritePicture>,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    /// The first release of the picture. What ended before is left out
    #[arg(long, value_name = "RELEASE")]
    pub from: Option<String>,
    /// The last release of the picture
    #[arg(long, value_name = "RELEASE")]
    pub to: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Args)]
pub struct Exceptions {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How the exceptions are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct Why {
    /// The element's id, as printed by plan (apps/v1beta1, "gate Frobber2D"), its last name, or a pattern
    #[arg(required_unless_present_any = FilterArgs::IDS)]
    pub element: Option<String>,
    /// Explain only this event (introduced, deprecated, hidden, removed, …) and those it counts from
    pub event: Option<String>,
    #[command(flatten)]
    pub model: ModelOption,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Explain each kind of a version separately, even where several have the same reasons
    #[arg(long)]
    pub all: bool,
    /// How the explanation is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

#[cfg(test)]
mod tests {
    use super::import::MarkerLanguage;
    use clap::{CommandFactory, Parser, ValueEnum};
    use lifecycle::import::markers::Language;
    use lifecycle::import::{crds, kubernetes_api, metrics, openapi};
    use lifecycle::render::schemas::schema_named;

    use super::Arguments;

    /// A command and all below it.
    fn commands(command: &clap::Command) -> Vec<&clap::Command> {
        let below = command.get_subcommands().flat_map(commands);
        std::iter::once(command).chain(below).collect()
    }

    /// The words of an example, as a shell reads them, up to `>` or the remark after two spaces.
    fn words(example: &str) -> Vec<String> {
        let (mut words, mut quote) = (vec![String::new()], None);
        for c in example.chars() {
            let is_empty = words.last().is_none_or(String::is_empty);
            match (quote, c) {
                (None, '>') => break,
                (None, ' ') if is_empty => break,
                (None, ' ') => words.push(String::new()),
                (None, '\'' | '"') => quote = Some(c),
                (Some(end), c) if c == end => quote = None,
                (_, c) => words.last_mut().expect("a word").push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn the_examples_of_help_can_be_typed() {
        let program = Arguments::command();
        let mut count = 0;
        for command in commands(&program) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for example in help
                .lines()
                .map(str::trim)
                .filter(|line| line.starts_with("lifecycle "))
            {
                let typed = Arguments::try_parse_from(words(example));
                assert!(typed.is_ok(), "{example}: {}", typed.expect_err("an error"));
                count += 1;
            }
        }
        assert!(count > 30, "{count}");
    }

    /// Commands that only hold others.
    fn is_leaf(command: &clap::Command) -> bool {
        !command.is_subcommand_required_set() && command.get_name() != "lifecycle"
    }

    #[test]
    fn each_command_says_what_it_answers_and_has_one_to_three_examples() {
        for command in commands(&Arguments::command())
            .into_iter()
            .filter(|command| is_leaf(command))
        {
            let name = command.get_name();
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let verb = about.split(' ').next().unwrap_or_default();
            assert!(!verb.is_empty() && !verb.ends_with('s'), "{name}: {about}");
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = help.lines().filter(|line| line.contains("lifecycle ")).count();
            assert!((1..=4).contains(&examples), "{name} has {examples} examples");
        }
    }

    #[test]
    fn help_has_no_marks_of_markdown() {
        for command in commands(&Arguments::command()) {
            let help = command.clone().render_long_help().to_string();
            for line in help.lines() {
                let has_marks = line.contains("](") || line.contains("**") || line.contains('`');
                assert!(!has_marks, "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn what_can_be_printed_as_json_has_a_schema() {
        let program = Arguments::command();
        for command in program.get_subcommands() {
            let formats = commands(command).into_iter().flat_map(clap::Command::get_arguments);
            let mut formats = formats.filter(|argument| argument.get_id() == "format");
            let prints_json = formats.any(|format| {
                let values = format.get_possible_values();
                values.iter().any(|value| value.get_name() == "json")
            });
            let has_schema = schema_named(command.get_name()).is_some();
            assert!(has_schema || !prints_json, "{}", command.get_name());
        }
    }

    #[test]
    fn the_help_of_an_importer_of_releases_has_the_endings_of_its_files() {
        let all = [
            ("crds", crds::FORMAT.endings),
            ("openapi", openapi::FORMAT.endings),
            ("kubernetes-api", kubernetes_api::FORMAT.endings),
            ("metrics", metrics::FORMAT.endings),
        ];
        let program = Arguments::command();
        let import = program.find_subcommand("import").expect("a command");
        for importer in import.get_subcommands() {
            let name = importer.get_name();
            let has_releases = importer.get_arguments().any(|argument| argument.get_id() == "release");
            // The help of each language has its endings.
            if !has_releases || name == "markers" {
                continue;
            }
            let row = all.iter().find(|(known, _)| *known == name);
            let (_, endings) = row.unwrap_or_else(|| panic!("{name} is not in the table of this test"));
            let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
            let listed = match endings.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                _ => endings.concat(),
            };
            let help = importer.get_long_about().map(ToString::to_string).unwrap_or_default();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            let sentence = format!("In folders, files ending in {listed} are read");
            assert!(help.contains(&sentence), "the help of {name} lacks: {sentence}");
        }
    }

    #[test]
    fn the_help_of_a_language_of_markers_has_the_endings_of_its_files() {
        for language in MarkerLanguage::value_variants() {
            let value = language.to_possible_value().expect("it can be typed");
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            for ending in Language::from(*language).format().endings {
                let is_yaml = *ending == "yaml" && help.contains(".yml");
                assert!(is_yaml || help.contains(&format!(".{ending}")), "{help}: .{ending}");
            }
        }
    }
}
