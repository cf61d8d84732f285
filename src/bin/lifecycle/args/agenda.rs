//! What can be typed after `agenda`.

use clap::{Args, ValueEnum};
use lifecycle::report::Urgency;

use super::filter::FilterArgs;
use super::model::ModelArgs;
use super::usage::EvidenceArgs;

#[derive(Debug, Args)]
pub struct Agenda {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The release to prepare [default: the next one]
    #[arg(long, value_name = "RELEASE")]
    pub release: Option<String>,
    /// Also cover this many releases after it
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub ahead: u32,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    /// Only tasks that the agenda of this state does not have: a Git revision (the state is that of the merge base with
    /// it), REVISION:PATH if the model was elsewhere, a model file, or a folder
    #[arg(long, value_name = "REV|FILE|FOLDER", conflicts_with = "builtin")]
    pub since: Option<String>,
    /// Only tasks of this urgency. May be repeated
    #[arg(long, value_enum, value_name = "URGENCY")]
    pub urgency: Vec<AgendaUrgency>,
    /// List every task separately, with its whole reason and its command
    #[arg(long)]
    pub all: bool,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AgendaUrgency {
    /// A deadline has passed
    Overdue,
    /// A date is missed unless it is done
    Must,
    /// It follows from what was announced, and is not declared
    Promised,
    /// It is possible
    May,
}

impl From<AgendaUrgency> for Urgency {
    fn from(urgency: AgendaUrgency) -> Self {
        match urgency {
            AgendaUrgency::Overdue => Self::Overdue,
            AgendaUrgency::Must => Self::Must,
            AgendaUrgency::Promised => Self::Promised,
            AgendaUrgency::May => Self::May,
        }
    }
}
