//! A deprecated gate declares its warning, and whether it still does anything.
//!
#![doc = include_str!("gate-warning.md")]

use crate::diagnostic::Change;
use crate::document::quoted;
use crate::model::EventKind;
use crate::obligation::{Demand, Obligations, Scope};

use crate::policy::RuleKeys;

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    slug: "gate-warning",
    title: "A deprecated gate declares the warning it prints, and whether it still does anything.",
    page: include_str!("gate-warning.md"),
    codes: &["no-warning", "operation-unsaid"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for gate in &scope.model.gates {
        let Some(deprecated) = scope.model.declared(gate.element, EventKind::Deprecated) else {
            continue;
        };
        let id = scope.model.id(gate.element);
        let said = scope.model.attributes(gate.element);
        let warns = said.is_some_and(|said| said.warning.is_some());
        let warning = scope
            .obligation(
                "no-warning",
                deprecated.event,
                Demand::Requires(warns),
                "a deprecated gate warns when it is set",
            )
            .message(format!("{id} is deprecated, but no warning is declared"))
            .help("add `warning = \"…\"` with the text that is logged when the gate is set")
            .fix(|| Change::Add {
                beside: deprecated.span,
                key: "warning",
                value: quoted(&format!(
                    "feature gate {} is deprecated since {} and will be removed in a later release",
                    scope.model.element(gate.element).name(),
                    scope.model.calendar.name(deprecated.release)
                )),
            });
        out.push(warning);
        let says = said.is_some_and(|said| said.operational.is_some());
        let operation = scope
            .obligation(
                "operation-unsaid",
                deprecated.event,
                Demand::Requires(says),
                "the warning and the documentation say whether a deprecated gate still does anything",
            )
            .message(format!(
                "{id} is deprecated, but the model does not say whether it still does anything"
            ))
            .help("add `operational = false` (setting it changes nothing) or `operational = true`");
        out.push(operation);
    }
}
