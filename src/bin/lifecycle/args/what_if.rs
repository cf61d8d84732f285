//! What can be typed after `what-if`.

use clap::{Args, Parser, ValueEnum};

use super::filter::FilterArgs;
use super::model::ModelArgs;
use crate::failure::{Failure, Result};

#[derive(Debug, Args)]
pub struct WhatIf {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub changes: ChangeOptions,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Write the changed files
    #[arg(long, conflicts_with_all = ["builtin", "beside"])]
    pub write: bool,
    /// List each finding and each event separately, even where several are alike
    #[arg(long)]
    pub all: bool,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = WhatIfFormat::Table)]
    pub format: WhatIfFormat,
    /// Other changes, shown beside the first ones: -- --slip 1.38=+2m. After another --, there may be more
    #[arg(last = true, value_name = "CHANGES")]
    beside: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WhatIfFormat {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// For an issue or a page
    Markdown,
    /// The timeline with the changes, over what it was
    Html,
}

/// The most changes beside one another: each is a model of its own.
const MOST_BESIDE: usize = 5;

impl WhatIf {
    /// The changes that are asked for, the first ones and those beside them, each with its policy.
    pub fn alternatives(&self) -> Result<Vec<(ChangeOptions, Option<String>)>> {
        let first = (self.changes.clone(), self.model.policy.policy.clone());
        let mut all = vec![first];
        if !self.beside.is_empty() {
            for words in self.beside.split(|word| word == "--") {
                let other = Beside::try_parse_from(words).map_err(|problem| {
                    let text = problem.to_string();
                    let reason = text.lines().next().unwrap_or_default();
                    Failure::new(format!("after `--`: {}", reason.trim_start_matches("error: ")))
                        .help("name changes as before it: `lifecycle what-if --help` lists them")
                })?;
                all.push((other.changes, other.policy));
            }
        }
        if all.len() > MOST_BESIDE {
            let message = format!("what-if compares at most {MOST_BESIDE} changes, here are {}", all.len());
            return Err(Failure::new(message).help("compare the others in another run"));
        }
        Ok(all)
    }
}

/// Changes beside the first ones.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Beside {
    #[command(flatten)]
    changes: ChangeOptions,
    #[arg(long)]
    policy: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub struct ChangeOptions {
    /// Declare something else: autoscaling/v2beta1.deprecated=1.23, "gate Frobber2D.beta=1.38". Nothing after the
    /// equals sign deletes the declaration. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "ELEMENT.KEY=VALUE")]
    pub set: Vec<String>,
    /// Move a release and all later ones: 1.38=+3w, 1.38=-10d, 1.38=+1m, or to a day: 1.38=2027-01-20. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "RELEASE=SHIFT")]
    pub slip: Vec<String>,
    /// Move only the releases that --slip names; later ones keep their dates
    #[arg(help_heading = "Changes", long, requires = "slip")]
    pub only: bool,
    /// Use these releases and dates instead, from the first of them on: JSON as of endoflife.date, or CSV with one
    /// release and its date per line
    #[arg(help_heading = "Changes", long, value_name = "FILE")]
    pub calendar: Option<String>,
    /// Add an element in a release: "gate Frobber2D@1.38", apps/v2 with the kinds of the highest version [default: the
    /// next release]. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "ELEMENT[@RELEASE]")]
    pub add: Vec<String>,
    /// Drop an element with what is in it, as if it had never been declared. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "ELEMENT")]
    pub drop: Vec<String>,
    /// Apply a model file on top of the model: what it declares replaces what the model declares. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "FILE")]
    pub patch: Vec<String>,
}
