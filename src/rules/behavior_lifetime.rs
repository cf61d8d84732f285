#![doc = include_str!("behavior-lifetime.md")]

use crate::obligation::{Obligations, Scope};
use crate::policy::{Class, Key, RuleKeys};

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "behavior-lifetime",
    page: include_str!("behavior-lifetime.md"),
    codes: &["early"],
    keys: RuleKeys::of(&[(Class::All, &[Key::AfterDeprecation])]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for behavior in &scope.model.behaviors {
        scope.window_after_deprecation(out, *behavior, |_| Class::All, "a behavior keeps working");
    }
}
