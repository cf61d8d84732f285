//! What can be typed after `diff`.

use clap::Args;

use super::format::ReportArgs;

#[derive(Debug, Args)]
pub struct Diff {
    /// The old state: a file, a folder, - for standard input, or REVISION:PATH. A revision alone means the path of the
    /// other state in it; main... means the merge base with main
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The new state, named in the same ways
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Set severities by this policy: a built-in one (crdify and olm judge as these tools do) or a file
    #[arg(long)]
    pub policy: Option<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// List every change, also compatible ones
    #[arg(long)]
    pub all: bool,
    /// The project's model: new, deprecated and removed versions must be declared in it; fields behind an alpha gate
    /// may break, and fields represented elsewhere are not lost
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
}
