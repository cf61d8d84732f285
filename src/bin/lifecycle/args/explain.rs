//! What can be typed after `explain`.

use clap::{Args, ValueEnum};

use super::model::{ModelChoice, ModelOption};

#[derive(Debug, Args)]
pub struct Explain {
    /// A rule (name or number), a finding (version-lifetime:overdue), a lint check, a stability level, a principle of
    /// planning (P1), or a page such as policy, model, history or schemas [default: list all topics]
    pub topic: Option<String>,
    #[command(flatten)]
    pub model: ModelOption,
    /// How the page is printed [default: text in a terminal, otherwise markdown]
    #[arg(long, value_enum)]
    pub format: Option<PageFormat>,
}

impl Explain {
    /// The model whose numbers are shown, if one is named.
    pub fn named_model(&self) -> Option<ModelChoice<'_>> {
        let choice = self.model.choice();
        (!matches!(choice, ModelChoice::Nearest)).then_some(choice)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PageFormat {
    /// Wrapped to the width, with columns for tables
    Text,
    /// As it is written
    Markdown,
}
