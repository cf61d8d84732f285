//! What can be typed after `lint`.

use clap::Args;

use lifecycle::render::Detail;

use super::format::ReportArgs;
use super::model::{PolicyOptions, SeverityOptions};

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Args)]
pub struct Lint {
    /// Files, folders (every .yaml, .yml and .json below), or - for standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Report only findings that this state does not have: a Git revision (the state is that of the merge base with
    /// it), REVISION:PATH if the CRDs were elsewhere, a file, or a folder
    #[arg(long, value_name = "REV|FILE|FOLDER")]
    pub base: Option<String>,
    /// Also list findings known in the base or suppressed by the baseline
    #[arg(long)]
    pub all: bool,
    /// Also report departures from conventions that many projects do not follow: booleans, names, formats, paths, …
    #[arg(long)]
    pub conventions: bool,
    /// Show each finding with its lines, even of many that are alike
    #[arg(long)]
    pub expand: bool,
    /// Print only how many findings there are, by severity and code
    #[arg(long, visible_alias = "statistics", conflicts_with = "expand")]
    pub summary: bool,
    /// The baseline: the file of findings to suppress [default: lifecycle-lint-baseline.toml in the folder of the first
    /// path]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Record the current findings in the baseline, so that only new ones are reported
    #[arg(long, conflicts_with_all = ["base", "output"])]
    pub write_baseline: bool,
    /// Take severities from this policy: a built-in one or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub policy: Option<String>,
    #[command(flatten)]
    pub severities: SeverityOptions,
}

impl Lint {
    /// How much is shown.
    pub fn detail(&self) -> Detail {
        Detail::of(self.expand, self.summary)
    }

    /// The policy and the severities. CRDs have no calendar, so that there is no moment.
    pub fn policy_options(&self) -> PolicyOptions {
        self.severities.under(self.policy.as_ref())
    }
}
