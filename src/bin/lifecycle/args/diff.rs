//! What can be typed after `diff`.

use clap::Args;

use lifecycle::render::Detail;

use super::format::ReportArgs;

#[derive(Debug, Args)]
pub struct Diff {
    /// The old state: a file, a folder, - for standard input, or REVISION:PATH. REVISION alone reads the path of the
    /// other state in that revision; main... reads it in the merge base with main
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The new state, in the same forms
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Take severities from this policy: a built-in one (crdify and olm judge as these tools do) or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub policy: Option<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// List compatible changes too
    #[arg(long)]
    pub all: bool,
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
}
