#![doc = include_str!("gate-warning.md")]

use crate::diagnostic::Change;
use crate::document::quoted;
use crate::model::{EventKind, Gate};
use crate::obligation::{Demand, Obligations, Scope};
use crate::policy::RuleKeys;
use crate::source::Span;

use super::Rule;
use super::cli_warning::end;

pub(super) const RULE: Rule = Rule {
    slug: "gate-warning",
    page: include_str!("gate-warning.md"),
    codes: &["no-warning", "operation-unsaid"],
    keys: RuleKeys::NONE,
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for gate in scope.model.judged_gates() {
        let Some(deprecated) = scope.model.declared(gate.element, EventKind::Deprecated) else {
            continue;
        };
        let id = scope.model.id(gate.element);
        let attributes = scope.model.attributes(gate.element);
        let warns = attributes.is_some_and(|attributes| attributes.warning.is_some());
        let because = "a deprecated gate warns when it is set";
        let warning = scope
            .obligation("no-warning", deprecated.event, Demand::Requires(warns), because)
            .message(format!("{id} is deprecated, but no warning is declared"))
            .help("add `warning = \"…\"` with the text that is logged when the gate is set")
            .fix(|| Change::Add {
                beside: beside(gate, deprecated.span),
                key: "warning",
                value: quoted(&format!(
                    "feature gate {} is deprecated since {} and will be removed in {}",
                    scope.model.element(gate.element).name(),
                    scope.model.calendar.name(deprecated.release),
                    end(scope.model, deprecated.event)
                )),
            });
        out.push(warning);
        let says = attributes.is_some_and(|attributes| attributes.operational.is_some());
        let because = "the warning and the documentation state whether a deprecated gate still has an effect";
        let message = format!("{id} is deprecated, but the model does not declare whether it still has an effect");
        let operation = scope.obligation("operation-unsaid", deprecated.event, Demand::Requires(says), because);
        let help = "add `operational = false` (it has no effect) or `operational = true`";
        out.push(operation.message(message).help(help));
    }
}

/// The value of the gate's own entry that another key can stand beside: the list of stages, if one of them deprecates
/// the gate.
fn beside(gate: &Gate, deprecated: Span) -> Span {
    let is_stage = gate.specs.iter().any(|spec| spec.span == deprecated);
    gate.listed.filter(|_| is_stage).unwrap_or(deprecated)
}
