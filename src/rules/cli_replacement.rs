#![doc = include_str!("cli-replacement.md")]

use crate::obligation::{Obligations, Scope};
use crate::policy::RuleKeys;

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "cli-replacement",
    page: include_str!("cli-replacement.md"),
    codes: &["less-stable", "unknown", "external"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for element in scope.model.judged_commands().map(|command| command.element) {
        let because = "a command or flag is replaced only by something at least as stable";
        scope.replacement_as_stable(out, element, because);
    }
}
