//! What can be typed after `check`.

use clap::Args;

use super::filter::FilterArgs;
use super::format::ReportArgs;
use super::model::ModelArgs;
use super::usage::EvidenceArgs;

#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Report only findings that this state does not have: a Git revision (the state is that of the merge base with
    /// it), REVISION:PATH if the model was elsewhere, a model file, or a folder
    #[arg(long, value_name = "REV|FILE|FOLDER", conflicts_with = "builtin")]
    pub base: Option<String>,
    /// Also list findings known in the base or suppressed by the baseline, and each about releases that have shipped
    #[arg(long)]
    pub all: bool,
    /// Print only how many findings there are, by rule and code
    #[arg(long, conflicts_with_all = ["format", "remove", "write_baseline"])]
    pub statistics: bool,
    /// The baseline: the file of findings to suppress [default: lifecycle-baseline.toml in the model's folder]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Record the current findings in the baseline, so that only new ones are reported
    #[arg(long, conflicts_with_all = ["base", "remove", "output"], conflicts_with_all = FilterArgs::IDS)]
    pub write_baseline: bool,
    /// Answer whether this removal would be allowed; no file is changed. May be repeated
    #[arg(long, value_name = "ELEMENT@RELEASE", conflicts_with_all = ["base", "all", "baseline"], conflicts_with_all = FilterArgs::IDS)]
    pub remove: Vec<String>,
}

impl Check {
    /// The baseline file that is named, and whether it is written.
    pub fn baseline(&self) -> (Option<&str>, bool) {
        (self.baseline.as_deref(), self.write_baseline)
    }
}
