//! What can be typed after `agenda`.

use clap::{Args, ValueEnum};

use super::filter::FilterArgs;
use super::model::ModelArgs;

#[derive(Debug, Args)]
pub struct Agenda {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The release that is prepared [default: the next one]
    #[arg(long, value_name = "RELEASE")]
    pub release: Option<String>,
    /// Look so many releases further ahead
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub ahead: u32,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How the tasks are printed
    #[arg(long, value_enum, default_value_t = AgendaFormat::Table)]
    pub format: AgendaFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AgendaFormat {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// A checklist per owner, for an issue
    Markdown,
    /// For calendar applications (RFC 5545)
    Ics,
}
