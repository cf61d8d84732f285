//! Defaults that their own schema does not admit.

use crate::diagnostic::Severity;

use super::node::Node;
use super::validation_error::{Why, validation_error};
use super::{Check, Found};

pub(super) const CHECK: Check = Check {
    slug: "crd-default-invalid",
    title: "A default is not a value that its own schema admits.",
    page: include_str!("default-invalid.md"),
    codes: &[
        ("value", Severity::Error),
        ("missing-field", Severity::Error),
        ("unknown-field", Severity::Error),
    ],
    look,
};

fn look(node: &Node<'_>, found: &mut Found) {
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
            let help = "write a default that the schema admits, or a schema that admits the default; servers refuse \
                        this definition";
            found.add("value", format!("{part} {reason}: {shown}"), help);
        }
        Why::Missing(name) => {
            let help = format!(
                "write `{name}` in the default too; what the schema of `{name}` has as default is not filled in before \
                 the default is judged"
            );
            found.add(
                "missing-field",
                format!("{part} lacks `{name}`, which is required"),
                help,
            );
        }
        Why::Unknown(name) => {
            let help = format!("take `{name}` out of the default, or list it in `properties`");
            found.add(
                "unknown-field",
                format!("{part} has `{name}`, which the schema does not list"),
                help,
            );
        }
    }
}
