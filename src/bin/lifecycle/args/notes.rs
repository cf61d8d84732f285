//! What can be typed after `notes`.

use clap::Args;
use lifecycle::render::formats::REPORT_FORMATS;

use super::filter::FilterArgs;
use super::format::{FailOn, ReportFormat, format_parser};
use super::model::ModelArgs;
use super::usage::EvidenceArgs;

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("instead").args(["context", "schema", "check", "write"]))]
pub struct Notes {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    /// The release that the notes are about, or next [default: next, for templates about one release]
    #[arg(long, value_name = "RELEASE")]
    pub release: Option<String>,
    /// The release that readers upgrade from: the notes cover every later one
    #[arg(long, value_name = "RELEASE")]
    pub since: Option<String>,
    /// The template: notes, migration-guide, deprecations, changelog, announcement, warnings, or a file
    #[arg(long, short, value_name = "NAME|FILE", default_value = "notes")]
    pub template: String,
    /// A folder with templates that replace built-in ones of the same name
    #[arg(long, value_name = "FOLDER")]
    pub templates: Option<String>,
    /// Write "no earlier than" for future removals, although the model declares their releases
    #[arg(long)]
    pub tentative: bool,
    /// Leave out what is only planned: what will happen in releases to come, and nobody has declared
    #[arg(long)]
    pub declared: bool,
    /// Print the data that templates see, as JSON
    #[arg(long)]
    pub context: bool,
    /// Render from the output of --context instead of a model; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "model_file", "builtin", "release", "since", "tentative", "declared", "policy", "as_of", "allow", "warn", "deny", "context", "schema", "check",
    ], conflicts_with_all = FilterArgs::IDS)]
    pub from_context: Option<String>,
    /// Print the JSON schema of the data that templates see
    #[arg(long)]
    pub schema: bool,
    /// Compare the notes in this file with the plan: report what is missing, not marked as required, or dated wrongly
    #[arg(long, value_name = "FILE", requires = "release")]
    pub check: Option<String>,
    /// How the findings of --check are printed
    #[arg(long, value_parser = format_parser(REPORT_FORMATS), default_value = REPORT_FORMATS[0].name, requires = "check")]
    pub format: ReportFormat,
    /// The lowest severity of --check that makes the exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error, requires = "check")]
    pub fail_on: FailOn,
    /// Insert the draft between its markers in a file; the rest of the file is unchanged
    #[arg(long, value_name = "FILE")]
    pub write: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["write", "check", "schema", "from_context"])]
    pub output: Option<String>,
}
