//! What can be typed after `export`.

use clap::{Args, Subcommand};

use super::filter::FilterArgs;
use super::model::ModelArgs;

#[derive(Debug, Subcommand)]
pub enum Export {
    /// Export pluto's list of deprecated API versions, in YAML
    #[command(after_help = "Example:
  lifecycle export pluto --component widgets > versions.yaml")]
    Pluto {
        #[command(flatten)]
        list: List,
        /// The name of the product in the list
        #[arg(long, value_name = "NAME", default_value = "k8s")]
        component: String,
    },
    /// Export kubepug's list of deprecated API versions, in JSON
    #[command(after_help = "Example:
  lifecycle export kubepug --planned > data.json")]
    Kubepug {
        #[command(flatten)]
        list: List,
    },
    /// Export tags for prerelease-lifecycle-gen, by group, version and kind
    ///
    /// The tags of a kind follow a comment that names it. Put them above its type in types.go, and above the type of
    /// its list. They state exactly what the model declares, even where the generator would assume the same. For an
    /// alpha or beta kind without a declared deprecation or removal, the generator assumes three releases later;
    /// --planned writes the plan instead.
    #[command(after_help = "Example:
  lifecycle export prerelease-lifecycle --planned > tags.txt")]
    PrereleaseLifecycle {
        #[command(flatten)]
        list: List,
    },
    /// Export what is deprecated or removed, for dashboards: JSON with a schema of its own
    ///
    /// Each element has its kind, its status, its steps with releases and dates, its replacement, owner and links.
    /// A part whose events are all those of its whole is left out.
    #[command(
        name = "deprecations.json",
        after_help = "Example:
  lifecycle export deprecations.json --planned --output deprecations.json"
    )]
    Deprecations {
        #[command(flatten)]
        list: List,
    },
    /// Export an Atom feed of the deprecations and removals that have shipped, the newest first
    #[command(after_help = "Example:
  lifecycle export atom --title Widgets --id https://widgets.example.com/deprecations.atom > deprecations.atom")]
    Atom {
        #[command(flatten)]
        list: List,
        /// The title of the feed, which is also its author [default: "Deprecations in …", with the name of the model]
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
        /// The address of the feed, or a name that makes its ids its own
        #[arg(long, value_name = "URL|NAME", default_value = "lifecycle")]
        id: String,
    },
}

/// The model that a list is made from.
#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Include planned events, and successors as replacements, where the model declares none
    #[arg(long)]
    pub planned: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}
