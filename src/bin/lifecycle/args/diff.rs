//! What can be typed after `diff`.

use clap::Args;

use super::format::{FailOn, ReportFormat};

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
    /// How the changes are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,
    /// Also write the changes to a file; its extension (.json, .sarif, .xml for JUnit, .md, .txt) sets the format, or
    /// FORMAT= before it. May be repeated
    #[arg(long, short, value_name = "[FORMAT=]FILE")]
    pub output: Vec<String>,
    /// The lowest severity that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// List every change, also compatible ones
    #[arg(long)]
    pub all: bool,
    /// The project's model: new, deprecated and removed versions must be declared in it; fields behind an alpha gate
    /// may break, and fields represented elsewhere are not lost
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
}
