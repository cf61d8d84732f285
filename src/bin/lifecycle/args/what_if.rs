//! What can be typed after `what-if`.

use clap::Args;

use super::filter::FilterArgs;
use super::format::Format;
use super::model::ModelArgs;

#[derive(Debug, Args)]
pub struct WhatIf {
    #[command(flatten)]
    pub model: ModelArgs,
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
    /// Add an element in a release: "gate Frobber2D@1.38", apps/v2 [default: the next release]. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "ELEMENT[@RELEASE]")]
    pub add: Vec<String>,
    /// Drop an element with what is in it, as if it had never been declared. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "ELEMENT")]
    pub drop: Vec<String>,
    /// Apply a model file on top of the model: what it declares replaces what the model declares. May be repeated
    #[arg(help_heading = "Changes", long, value_name = "FILE")]
    pub patch: Vec<String>,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Write the changed files
    #[arg(long, conflicts_with = "builtin")]
    pub write: bool,
    /// List each finding and each event separately, even where several are alike
    #[arg(long)]
    pub all: bool,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}
