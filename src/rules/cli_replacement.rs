//! A command or flag is not deprecated in favor of a less stable one.
//!
#![doc = include_str!("cli-replacement.md")]

use crate::obligation::{Obligations, Scope};

use crate::policy::RuleKeys;

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "cli-replacement",
    title: "A command or flag is not deprecated in favor of a less stable one.",
    page: include_str!("cli-replacement.md"),
    codes: &["less-stable", "unknown"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for element in scope.model.commands.iter().map(|command| command.element) {
        scope.replacement_as_stable(
            out,
            element,
            "a command or flag gives way only to what is at least as stable",
        );
    }
}
