//! Which model and which policy a command is about.

use chrono::NaiveDate;
use clap::Args;
use clap::builder::PossibleValuesParser;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::Load;
use lifecycle::model::Address;
use lifecycle::release::AsOf;

use crate::built_in::BUILT_IN;

#[derive(Debug, Clone, Copy)]
pub enum ModelChoice<'c> {
    /// A file.
    File(&'c str),
    /// The nearest `lifecycle.toml` in the current folder or above.
    Nearest,
    /// One of [`BUILT_IN`], by its name.
    BuiltIn(&'c str),
}

#[derive(Debug, Args)]
pub struct ModelArgs {
    #[command(flatten)]
    pub file: ModelFile,
    #[command(flatten)]
    pub builtin: BuiltIn,
    #[command(flatten)]
    pub policy: PolicyOptions,
}

impl ModelArgs {
    pub fn choice(&self) -> ModelChoice<'_> {
        self.builtin.or(self.file.name())
    }
}

/// The model file of a command without other arguments: it may be named without an option.
#[derive(Debug, Args)]
#[group(id = "model_file", multiple = false)]
pub struct ModelFile {
    /// The model file, or - for standard input [default: the nearest lifecycle.toml, searched upwards]
    #[arg(id = "model", value_name = "MODEL")]
    alone: Option<String>,
    /// The model file, or - for standard input, as an option
    #[arg(id = "model_option", value_name = "MODEL", long = "model", short = 'm')]
    option: Option<String>,
}

impl ModelFile {
    pub fn name(&self) -> Option<&str> {
        self.option.as_deref().or(self.alone.as_deref())
    }
}

/// The model of a command whose first argument is something else.
#[derive(Debug, Args)]
#[group(id = "model_file")]
pub struct ModelOption {
    /// The model file, or - for standard input [default: the nearest lifecycle.toml, searched upwards]
    #[arg(id = "model", value_name = "MODEL", long, short)]
    file: Option<String>,
    #[command(flatten)]
    builtin: BuiltIn,
    #[command(flatten)]
    pub policy: PolicyOptions,
}

impl ModelOption {
    pub fn choice(&self) -> ModelChoice<'_> {
        self.builtin.or(self.file.as_deref())
    }
}

#[derive(Debug, Args)]
pub struct BuiltIn {
    /// Use a model that comes with the program
    #[arg(long, value_name = "NAME", conflicts_with = "model_file", value_parser = built_in_names())]
    builtin: Option<String>,
}

/// The models of a command that compares something with several of them.
#[derive(Debug, Args)]
pub struct SeveralModels {
    /// A model file. May be repeated; of several models that declare a group, the first one counts [default: the
    /// nearest lifecycle.toml, searched upwards, or else the built-in kubernetes]
    #[arg(id = "models", long = "model", short, value_name = "MODEL")]
    pub files: Vec<String>,
    /// Also use a model that comes with the program
    #[arg(long, value_name = "NAME", value_parser = built_in_names())]
    pub builtin: Option<String>,
}

fn built_in_names() -> PossibleValuesParser {
    BUILT_IN.iter().map(|model| model.name).collect::<Vec<_>>().into()
}

impl BuiltIn {
    pub fn or<'c>(&'c self, file: Option<&'c str>) -> ModelChoice<'c> {
        match (&self.builtin, file) {
            (Some(name), _) => ModelChoice::BuiltIn(name),
            (None, Some(file)) => ModelChoice::File(file),
            (None, None) => ModelChoice::Nearest,
        }
    }
}

/// The policy, the moment and the severities that the command line sets.
#[derive(Debug, Clone, Default, Args)]
pub struct PolicyOptions {
    /// Apply this policy: a built-in one (lifecycle policies lists them) or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub policy: Option<String>,
    /// Evaluate as of this release or date (1.31, 2024-08-13) [default: the calendar's current release]
    #[arg(long, value_name = "RELEASE|DATE", value_parser = as_of)]
    pub as_of: Option<AsOf>,
    #[command(flatten)]
    pub severities: SeverityOptions,
}

/// The severities that the command line sets.
#[derive(Debug, Clone, Default, Args)]
pub struct SeverityOptions {
    /// Turn off all findings of a rule or check (by name, or by number: 4a), or one (version-lifetime:overdue)
    #[arg(short = 'A', long = "allow", value_name = "RULE[:FINDING]")]
    pub allow: Vec<String>,
    /// Report all findings of a rule or check, or one, as warnings
    #[arg(short = 'W', long = "warn", value_name = "RULE[:FINDING]")]
    pub warn: Vec<String>,
    /// Report all findings of a rule or check, or one, as errors
    #[arg(short = 'D', long = "deny", value_name = "RULE[:FINDING]")]
    pub deny: Vec<String>,
}

impl SeverityOptions {
    /// The same without a moment, for what has no calendar.
    pub fn under(&self, policy: Option<&String>) -> PolicyOptions {
        PolicyOptions {
            policy: policy.cloned(),
            as_of: None,
            severities: self.clone(),
        }
    }
}

impl PolicyOptions {
    /// The address of a model whose commands are to judge it by these options too.
    pub fn of(&self, address: Address) -> Address {
        let as_of = self.as_of.as_ref().map(|as_of| match as_of {
            AsOf::Release(name) => name.clone(),
            AsOf::Day(day) => day.to_string(),
        });
        let severities = &self.severities;
        let levels = [
            ("-A", &severities.allow),
            ("-W", &severities.warn),
            ("-D", &severities.deny),
        ];
        let levels = levels
            .into_iter()
            .flat_map(|(flag, rules)| rules.iter().map(move |rule| (flag, rule.as_str())));
        let others: Vec<(&str, &str)> = as_of
            .iter()
            .map(|as_of| ("--as-of", as_of.as_str()))
            .chain(levels)
            .collect();
        address.judged(self.policy.as_deref(), &others)
    }

    /// Applies the options to a load. The severity of a single finding takes precedence over that of its rule.
    pub fn apply_to(&self, load: &mut Load<'_>) {
        if let Some(policy) = &self.policy {
            load.choose_policy(policy);
        }
        if let Some(as_of) = &self.as_of {
            load.as_of(as_of.clone());
        }
        let levels = [
            ("-A", &self.severities.allow, Severity::Off),
            ("-W", &self.severities.warn, Severity::Warning),
            ("-D", &self.severities.deny, Severity::Error),
        ];
        for single in [false, true] {
            for (flag, rules, severity) in &levels {
                for rule in rules.iter().filter(|rule| rule.contains(':') == single) {
                    load.set_level(rule, *severity, format!("{flag} {rule}"));
                }
            }
        }
    }
}

fn as_of(text: &str) -> Result<AsOf, String> {
    match text.parse::<NaiveDate>() {
        Ok(day) => Ok(AsOf::Day(day)),
        Err(_) if text.is_empty() => Err("name a release or a date".to_owned()),
        Err(_) => Ok(AsOf::Release(text.to_owned())),
    }
}
