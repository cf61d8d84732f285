#![doc = include_str!("behavior-lifetime.md")]

use crate::obligation::{Obligations, Scope};
use crate::policy::{Class, LIFETIME, RuleKeys};

use super::{LIFETIME_CODES, Rule};

pub(super) const RULE: Rule = Rule {
    slug: "behavior-lifetime",
    page: include_str!("behavior-lifetime.md"),
    codes: LIFETIME_CODES,
    keys: RuleKeys::of(&[(Class::All, LIFETIME)]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for behavior in scope.model.judged_behaviors() {
        scope.lifetimes(out, behavior, |_| Class::All, "a behavior keeps working");
    }
}
