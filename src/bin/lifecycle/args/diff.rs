//! What can be typed after `diff`.

use std::path::PathBuf;

use clap::Args;

use lifecycle::render::Detail;

use super::format::ReportArgs;
use super::model::{PolicyOptions, SeverityOptions};

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Args)]
pub struct Diff {
    /// The old state: a file, a folder, - for standard input, or REVISION:PATH (from the root of the repository;
    /// REVISION:./PATH from the current folder). REVISION alone reads the path of the other state in that revision;
    /// main... reads it in the merge base with main
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The new state, in the same forms
    #[arg(value_name = "NEW")]
    pub new: String,
    /// A path after two revisions, as `git diff` takes it, is refused with what to type instead
    #[arg(value_name = "PATH", hide = true)]
    pub path: Option<String>,
    /// The repository of revisions [default: that of the other state, or of the current folder]. REVISION:./PATH is
    /// then relative to this folder
    #[arg(long, value_name = "FOLDER")]
    pub git: Option<PathBuf>,
    /// Take severities from this policy: a built-in one (crdify and olm judge as these tools do) or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub policy: Option<String>,
    #[command(flatten)]
    pub severities: SeverityOptions,
    #[command(flatten)]
    pub report: ReportArgs,
    /// List compatible and suppressed changes too
    #[arg(long)]
    pub all: bool,
    /// The baseline: the file of changes to suppress [default: lifecycle-diff-baseline.toml in the folder of the new
    /// state]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Record the current changes in the baseline, so that only others are reported
    #[arg(long, conflicts_with = "output")]
    pub write_baseline: bool,
    /// List each change with its place, even of many that are alike
    #[arg(long)]
    pub expand: bool,
    /// Print only how many changes there are, by severity and code
    #[arg(long, conflicts_with = "expand")]
    pub summary: bool,
    /// What a webhook converts, where the CRDs do not say it: all, a group (example.com) or a kind
    /// (example.com/Car). May be repeated
    #[arg(long, value_name = "all|GROUP|GROUP/KIND")]
    pub webhook: Vec<String>,
    /// The project's model: it must declare versions that are added, deprecated or removed. Fields that it declares
    /// behind an alpha gate may break; fields that it declares represented elsewhere are not lost
    #[arg(long, short, value_name = "MODEL")]
    pub model: Option<String>,
}

impl Diff {
    /// How much is listed.
    pub fn detail(&self) -> Detail {
        Detail::of(self.expand, self.summary)
    }

    /// The policy and the severities. Two states have no calendar, so that there is no moment.
    pub fn policy_options(&self) -> PolicyOptions {
        self.severities.under(self.policy.as_ref())
    }
}
