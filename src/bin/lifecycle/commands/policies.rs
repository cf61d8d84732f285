//! `lifecycle policies`: the built-in policies.

use lifecycle::evaluate::{DEFAULT_POLICY, builtin_policy, unknown_policy};
use lifecycle::policy::{BUILT_IN, builtin};

use crate::failure::{Failure, Outcome, Result};
use crate::terminal::Terminal;

pub fn policies(name: Option<&str>, terminal: &mut Terminal) -> Result<Outcome> {
    if let Some(name) = name {
        let Some(text) = builtin(name) else {
            let unknown = unknown_policy(name);
            return Err(Failure::new(unknown.message).help(unknown.help.unwrap_or_default()));
        };
        terminal.answer(text);
        return Ok(Outcome::Clean);
    }
    for policy in BUILT_IN.iter().filter_map(|policy| builtin_policy(policy.name)) {
        let default = if policy.name == DEFAULT_POLICY {
            "  (default)"
        } else {
            ""
        };
        let rules = policy.rules.len();
        terminal.answer(&format!(
            "{:<20} edition {}, {rules} rules{default}\n{:<20} {}\n",
            policy.name, policy.edition, "", policy.source
        ));
    }
    Ok(Outcome::Clean)
}
