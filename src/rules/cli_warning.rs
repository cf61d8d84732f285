//! A deprecated command or flag declares the warning it prints.
//!
#![doc = include_str!("cli-warning.md")]

use crate::model::{Event, Happening};
use crate::obligation::{Demand, Obligations, Scope};

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "cli-warning",
    title: "A deprecated command or flag declares the warning it prints.",
    page: include_str!("cli-warning.md"),
    codes: &["no-warning"],
    exemptions: &[],
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for command in &scope.model.commands {
        let said = scope.model.attributes(command.element);
        let warns = said.is_some_and(|said| said.warning.is_some());
        for life in 0..scope.model.lives(command.element) {
            let event = Event::new(command.element, life, Happening::Deprecated);
            if scope.model.deprecation(command.element, life).is_none() {
                continue;
            }
            let id = scope.model.id(command.element);
            let obligation = scope
                .obligation(
                    "no-warning",
                    event,
                    Demand::Requires(warns),
                    "a deprecated command or flag warns when it is used",
                )
                .message(format!("{id} is deprecated, but no warning is declared"))
                .help("add `warning = \"…\"`: the text it prints, with what to use instead");
            out.push(obligation);
        }
    }
}
