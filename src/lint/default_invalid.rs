//! Defaults that their own schema rejects.

use crate::diagnostic::Severity;

use super::node::Node;
use super::validation_error::{Why, validation_error};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-default-invalid",
    title: "A default does not match its own schema.",
    page: include_str!("default-invalid.md"),
    codes: &[
        ("value", Severity::Error),
        ("missing-field", Severity::Error),
        ("unknown-field", Severity::Error),
    ],
    run: check,
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Some(default) = &node.schema.default else { return };
    let Some(validation_error) = validation_error(default, node.schema) else {
        return;
    };
    let part = match validation_error.path.as_str() {
        "" => format!("the default of {}", node.words()),
        path => format!("`{path}` in the default of {}", node.words()),
    };
    match validation_error.why {
        Why::Value(reason) => {
            let shown: String = default.to_string().chars().take(60).collect();
            let help = "change the default or the schema so that they match; servers reject this CRD";
            problems.add("value", format!("{part} {reason}: {shown}"), help);
        }
        Why::Missing(name) => {
            let help = format!(
                "set `{name}` in this default too: the server validates it before it applies the default of `{name}`"
            );
            problems.add(
                "missing-field",
                format!("{part} lacks the required field `{name}`"),
                help,
            );
        }
        Why::Unknown(name) => {
            let help = format!("remove `{name}` from the default, or list it in `properties`");
            problems.add(
                "unknown-field",
                format!("{part} sets `{name}`, which the schema does not list"),
                help,
            );
        }
    }
}
