//! What can be typed.

use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand, ValueEnum};
use lifecycle::diagnostic::Severity;
use lifecycle::release::AsOf;

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
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// What breaks the policy, where, why, and the soonest that would be legal
    Check {
        #[command(flatten)]
        model: Model,
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        /// The least severity that makes the exit code 1
        #[arg(long, value_enum, default_value_t = FailOn::Error)]
        fail_on: FailOn,
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
        judgement: Judgement,
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// The page of a rule (by slug or number), of the model file, or of a level (alpha, beta, stable)
    Explain {
        /// A rule, or `alpha`, `beta`, `stable` [default: the list]
        topic: Option<String>,
        /// The policy whose numbers count: a built-in one or a file
        #[arg(long)]
        policy: Option<String>,
    },
    /// The built-in policies, or one of them as its file
    Policies {
        /// Print this one
        name: Option<String>,
    },
}

#[derive(Debug, Args)]
pub struct Model {
    /// The model: a file, `-` for standard input [default: lifecycle.toml, searched upwards]
    pub model: Option<String>,
    #[command(flatten)]
    pub judgement: Judgement,
}

#[derive(Debug, Args)]
pub struct Judgement {
    /// Judge by this policy: a built-in one or a file
    #[arg(long)]
    pub policy: Option<String>,
    /// Judge as of this release or day (2024-08-13), not the calendar's `current`
    #[arg(long, value_name = "RELEASE|DATE", value_parser = moment)]
    pub as_of: Option<AsOf>,
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
