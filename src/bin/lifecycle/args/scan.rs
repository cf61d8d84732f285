//! What can be typed after `scan`.

use clap::Args;

use super::format::ReportArgs;
use super::model::{PolicyOptions, SeveralModels, SeverityOptions};

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Args)]
pub struct Scan {
    /// Files, folders (every .yaml, .yml and .json below), or - for standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<String>,
    /// The release that the objects are meant for; MODEL=RELEASE for one of several models. May be repeated [default:
    /// the current release of the model]
    #[arg(long, value_name = "RELEASE")]
    pub to: Vec<String>,
    /// The release in use: leave out what it had deprecated or removed already; MODEL=RELEASE for one of several
    /// models. May be repeated
    #[arg(long, value_name = "RELEASE")]
    pub from: Vec<String>,
    #[command(flatten)]
    pub models: SeveralModels,
    /// Rewrite apiVersion in the files, where the replacement is of the same kind and known to take the object as it is
    #[arg(long, conflicts_with = "write_baseline")]
    pub fix: bool,
    /// The schemas of replacements, besides those that the models name: a file or folder with CRDs. May be repeated
    #[arg(long, value_name = "FILE|FOLDER")]
    pub schemas: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Report only findings that this state does not have: a Git revision (the state is that of the merge base with
    /// it), REVISION:PATH if the files were elsewhere, a file, or a folder
    #[arg(long, value_name = "REV|FILE|FOLDER", conflicts_with = "fix")]
    pub base: Option<String>,
    /// Also list findings known in the base or suppressed by the baseline
    #[arg(long)]
    pub all: bool,
    /// Print only how many findings there are, by rule and code
    #[arg(long, visible_alias = "statistics", conflicts_with = "format")]
    pub summary: bool,
    /// The baseline: the file of findings to suppress [default: lifecycle-scan-baseline.toml in the folder of the first
    /// path]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Record the current findings in the baseline, so that only new ones are reported
    #[arg(long, conflicts_with_all = ["base", "output"])]
    pub write_baseline: bool,
    #[command(flatten)]
    pub severities: SeverityOptions,
}

impl Scan {
    /// The severities. The policies are those of the models.
    pub fn policy_options(&self) -> PolicyOptions {
        self.severities.under(None)
    }
}
