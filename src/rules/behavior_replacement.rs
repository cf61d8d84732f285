#![doc = include_str!("behavior-replacement.md")]

use crate::obligation::{Obligations, Scope};
use crate::policy::RuleKeys;

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "behavior-replacement",
    page: include_str!("behavior-replacement.md"),
    codes: &["less-stable", "unknown", "external"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for element in scope.model.judged_behaviors() {
        let because = "a behavior is replaced only by something at least as stable";
        scope.replacement_as_stable(out, element, because);
    }
}
