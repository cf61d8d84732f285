//! What can be typed after `scan`.

use clap::Args;

use super::format::ReportArgs;
use super::model::{PolicyOptions, SeverityOptions, built_in_names};

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
    /// A model file. May be repeated; of several models that declare a group, the first one counts [default: the
    /// nearest lifecycle.toml, searched upwards, or else the built-in kubernetes]
    #[arg(long = "model", short, value_name = "MODEL")]
    pub models: Vec<String>,
    /// Also use a model that comes with the program
    #[arg(long, value_name = "NAME", value_parser = built_in_names())]
    pub builtin: Option<String>,
    /// Rewrite apiVersion in the files, where the replacement is of the same kind and known to take the object as it is
    #[arg(long, conflicts_with = "write_baseline")]
    pub fix: bool,
    /// The schemas of replacements, besides those that the models name: a file or folder with CRDs. May be repeated
    #[arg(long, value_name = "FILE|FOLDER")]
    pub schemas: Vec<String>,
    #[command(flatten)]
    pub report: ReportArgs,
    /// Also list findings known in the baseline
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
    #[arg(long, conflicts_with = "output")]
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
