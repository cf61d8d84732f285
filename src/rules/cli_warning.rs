#![doc = include_str!("cli-warning.md")]

use crate::diagnostic::Change;
use crate::document::quoted;
use crate::grammar::heading;
use crate::model::{Event, EventKind, Model};
use crate::obligation::{Demand, Obligations, Scope};
use crate::policy::RuleKeys;
use crate::release::Release;

use super::Rule;

pub(super) const RULE: Rule = Rule {
    slug: "cli-warning",
    page: include_str!("cli-warning.md"),
    codes: &["no-warning"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for command in scope.model.judged_commands() {
        let attributes = scope.model.attributes(command.element);
        let warns = attributes.is_some_and(|attributes| attributes.warning.is_some());
        for life in 0..scope.model.lives(command.element) {
            let event = Event::new(command.element, life, EventKind::Deprecated);
            let Some(deprecation) = scope.model.deprecation(command.element, life) else {
                continue;
            };
            let id = scope.model.id(command.element);
            let because = "a deprecated command or flag warns when it is used";
            let obligation = scope.obligation("no-warning", event, Demand::Requires(warns), because);
            out.push(obligation.unless_declared(|obligation| {
                obligation
                    .message(format!("{id} is deprecated, but no warning is declared"))
                    .help("add `warning = \"…\"` with the text it prints, and what to use instead")
                    .fix(|| Change::Add {
                        beside: deprecation.span,
                        key: "warning",
                        value: quoted(&text(scope.model, event, deprecation.release)),
                    })
            }));
        }
    }
}

/// A draft of the warning: what is deprecated, since when, and what to use instead.
fn text(model: &Model, deprecated: Event, since: Release) -> String {
    let own = heading(model.id(deprecated.element)).1;
    let since = model.calendar.name(since);
    let replacement = model
        .attributes(deprecated.element)
        .and_then(|declared| declared.replacement.as_ref());
    match replacement {
        Some(other) => format!("{own} is deprecated since {since}; use {} instead", other.text),
        None => format!(
            "{own} is deprecated since {since} and will be removed in {}",
            end(model, deprecated)
        ),
    }
}

/// The release that removes what is deprecated, in words.
pub(super) fn end(model: &Model, deprecated: Event) -> String {
    let removed = model.declared_release(deprecated.sibling(EventKind::Removed));
    removed.map_or_else(|| "a later release".to_owned(), |removed| model.calendar.name(removed))
}
