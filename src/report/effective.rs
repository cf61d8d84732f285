//! The law in force, each value with what sets it: what `lifecycle policies show --effective` prints.

use serde::Serialize;

/// The whole law in force.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EffectiveReport<'a> {
    /// The version of the contract.
    pub schema_version: u32,
    /// The editions, earliest first.
    pub editions: Vec<EffectiveEdition<'a>>,
    /// The severities of findings outside the rules.
    pub outside: Vec<EffectiveTable<'a>>,
}

/// What an edition of a policy sets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EffectiveEdition<'a> {
    /// The policy.
    pub policy: &'a str,
    /// Its edition.
    pub edition: &'a str,
    /// The release from which it applies, if the model says so.
    pub from: Option<&'a str>,
    /// The rules in force, in the order of the policy, then its other tables.
    pub tables: Vec<EffectiveTable<'a>>,
    /// The rules that are not in force.
    pub off: Vec<&'a str>,
}

/// A table of a policy.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EffectiveTable<'a> {
    /// Its name: `rule.version-lifetime`.
    pub table: String,
    /// The number of the rule.
    pub number: Option<&'a str>,
    /// What it sets, by key.
    pub settings: Vec<EffectiveSetting>,
}

/// A value in force.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EffectiveSetting {
    /// Its key in the table: `beta.after-deprecation`.
    pub key: String,
    /// The value, as TOML.
    pub value: String,
    /// What sets it: a file and line, a built-in policy and the line of its file, an option, or `default`.
    pub set_by: String,
}
