//! What can be typed after `by-when`.

use clap::{Args, ValueEnum};

use super::filter::FilterArgs;
use super::model::ModelOption;

#[derive(Debug, Args)]
pub struct ByWhen {
    /// What is to be reached: an element, a group, a track or a pattern, what happens, and the last release or day for
    /// it: "apps/v1beta1.removed<=1.34", "*/v*beta*.removed<=2.0", "beta.removed<=2027-06-30"
    #[arg(required = true, id = "target", value_name = "ELEMENT.EVENT<=RELEASE")]
    pub targets: Vec<String>,
    #[command(flatten)]
    pub model: ModelOption,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = ByWhenFormat::Table)]
    pub format: ByWhenFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ByWhenFormat {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// For an issue or a page
    Markdown,
    /// The latest releases for calendar applications (RFC 5545)
    Ics,
    /// A picture of the releases from earliest to latest
    Svg,
    /// The timeline, with the releases from earliest to latest and the slack in it
    Html,
}
