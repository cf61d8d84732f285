//! What can be typed after `policies`.

use clap::{Args, Subcommand};

use super::format::Format;
use super::model::{ModelOption, PolicyOptions};

#[derive(Debug, Subcommand)]
pub enum Policies {
    /// Print the file of a policy, or all that is in force, with what sets each value
    ///
    /// The value of a key comes from a line of a policy file, from one of the policy that it extends (kubernetes:12 is
    /// a line of lifecycle policies kubernetes), from the model, or from an option of the command line.
    #[command(after_help = "Examples:
  lifecycle policies show --effective
  lifecycle policies show kubernetes-2025 --effective -W version-lifetime")]
    Show(Show),
}

#[derive(Debug, Args)]
pub struct Show {
    /// A policy: a built-in one, or a file [default: the policy of the model]
    #[arg(
        value_name = "NAME|FILE",
        conflicts_with = "policy",
        required_unless_present = "effective"
    )]
    shown: Option<String>,
    /// Print all that is in force, with what sets each value
    #[arg(long)]
    pub effective: bool,
    #[command(flatten)]
    pub model: ModelOption,
    /// How the law is printed
    #[arg(long, value_enum, default_value_t = Format::Table, requires = "effective")]
    pub format: Format,
}

impl Show {
    pub fn name(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// The options of the policy, of which the first argument is one.
    pub fn policy_options(&self) -> PolicyOptions {
        let mut options = self.model.policy.clone();
        options.policy = options.policy.or_else(|| self.shown.clone());
        options
    }
}
