//! Commands and flags for administrators keep working for a window after their deprecation.
//!
#![doc = include_str!("admin-cli-lifetime.md")]

use crate::model::Audience;
use crate::obligation::{Obligations, Scope};

use crate::policy::{Class, Key, RuleKeys};

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "admin-cli-lifetime",
    title: "Commands and flags for administrators keep working for a window after their deprecation.",
    page: include_str!("admin-cli-lifetime.md"),
    codes: &["early"],
    keys: RuleKeys::of(&[
        (Class::Alpha, &[Key::AfterDeprecation]),
        (Class::Beta, &[Key::AfterDeprecation]),
        (Class::Ga, &[Key::AfterDeprecation]),
    ]),
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for command in scope
        .model
        .commands
        .iter()
        .filter(|command| command.audience == Audience::Admin)
    {
        let track = scope.model.element(command.element).track;
        let because = "a command or flag for administrators keeps working";
        scope.window_after_deprecation(out, command.element, track.into(), because);
    }
}
