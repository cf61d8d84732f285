//! What can be typed behind `lint`.

use clap::Args;

use super::{FailOn, Judgement, ReportFormat};

#[derive(Debug, Args)]
pub struct Lint {
    /// Files, folders (all .yaml, .yml and .json below them), or `-` for standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<String>,
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,
    /// Also write the findings to a file; the format is that of its ending (.json, .sarif, .xml for junit, .md), or
    /// written before it. May be given again
    #[arg(long, short, value_name = "[FORMAT=]FILE")]
    pub output: Vec<String>,
    /// The least severity that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// Only what is new since this state counts: a Git revision (from where its history and what is checked out part;
    /// with `:PATH`, of definitions that were elsewhere), a file, or a folder
    #[arg(long, value_name = "REV|FILE|FOLDER")]
    pub base: Option<String>,
    /// List what was there before too
    #[arg(long)]
    pub all: bool,
    /// The file that puts findings aside [default: lifecycle-lint-baseline.toml beside the first path, or in it]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Put the findings of today aside: write the baseline
    #[arg(long, conflicts_with_all = ["base", "output"])]
    pub write_baseline: bool,
    /// Grade by this policy: a built-in one or a file
    #[arg(long)]
    pub policy: Option<String>,
    /// Leave out the findings of a check, or one of them: `crd-list-type`, `crd-list-type:missing`
    #[arg(short = 'A', long = "allow", value_name = "CHECK[:FINDING]")]
    pub allow: Vec<String>,
    /// Make them warnings
    #[arg(short = 'W', long = "warn", value_name = "CHECK[:FINDING]")]
    pub warn: Vec<String>,
    /// Make them errors
    #[arg(short = 'D', long = "deny", value_name = "CHECK[:FINDING]")]
    pub deny: Vec<String>,
}

impl Lint {
    /// How to judge: definitions know no releases.
    pub fn judgement(&self) -> Judgement {
        Judgement {
            policy: self.policy.clone(),
            as_of: None,
            allow: self.allow.clone(),
            warn: self.warn.clone(),
            deny: self.deny.clone(),
        }
    }
}
