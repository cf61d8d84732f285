//! What can be typed after any command.

use clap::Args;

use crate::output_options::OutputOptions;

/// The options that every command has.
#[derive(Debug, Args)]
pub struct SharedOptions {
    #[command(flatten)]
    pub output: OutputOptions,
    /// Let models and policies name files below this folder, although it is not in the repository. May be repeated
    #[arg(long, value_name = "FOLDER", global = true)]
    pub allow_folder: Vec<String>,
}
