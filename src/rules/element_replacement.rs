#![doc = include_str!("element-replacement.md")]

use crate::obligation::{Obligations, Scope};
use crate::policy::RuleKeys;

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "element-replacement",
    page: include_str!("element-replacement.md"),
    codes: &["less-stable", "unknown", "external"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for extra in scope.model.judged_extras() {
        let because = "an element is replaced only by something at least as stable";
        scope.replacement_as_stable(out, extra.element, because);
    }
}
