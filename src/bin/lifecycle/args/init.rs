//! What can be typed after `init`.

use clap::Args;

#[derive(Debug, Args)]
pub struct Init {
    /// The folder of the project, where the model is written
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: String,
    /// Ask nothing: take what is found
    #[arg(long, short)]
    pub yes: bool,
    /// The policy of the model: a built-in one (lifecycle policies lists them) or a file, seen from the folder
    #[arg(long, value_name = "NAME|FILE")]
    pub policy: Option<String>,
    /// The tags that are releases. The first tag of each minor release sets its date and content
    #[arg(long, value_name = "GLOB", default_value = "*")]
    pub tags: String,
}
