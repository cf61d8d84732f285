//! Names of fields.

use crate::diagnostic::Severity;

use super::node::{Node, Role};
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-name",
    title: "The name of a field does not follow the conventions.",
    page: include_str!("name.md"),
    codes: &[
        ("case", Severity::Off),
        ("phase", Severity::Off),
        ("reference", Severity::Off),
        ("timestamp", Severity::Off),
    ],
    opt_in: true,
    run: Some(check),
};

fn check(node: &Node<'_>, problems: &mut Problems) {
    let Role::Field { name, .. } = node.role else { return };
    let path = node.words();
    // Keywords of schemas are names of their own.
    if !is_camel_case(name) && !name.starts_with("x-") {
        problems.add(
            "case",
            format!("the name of {path} is not in lower camel case"),
            "write it as `firstName`: it begins with a small letter, and has letters and digits only",
        );
        return;
    }
    let kind = node.schema.kind.as_deref();
    if kind == Some("string") && node.in_status() && (name == "phase" || name.ends_with("Phase")) {
        problems.add(
            "phase",
            format!("{path} is a phase: clients infer from it what conditions say, and it cannot get new values"),
            "use conditions",
        );
    }
    let refers = kind != Some("boolean");
    if refers && (name.ends_with("Reference") || name.ends_with("References")) {
        problems.add(
            "reference",
            format!("the name of {path} ends with `Reference`; other APIs end it with `Ref`"),
            "use `Ref` or `Refs`",
        );
    }
    let is_time = kind == Some("string") && node.schema.format.as_deref() == Some("date-time");
    if is_time && name.to_lowercase().ends_with("timestamp") {
        problems.add(
            "timestamp",
            format!("the name of {path} ends with `Timestamp`; other APIs end it with `Time`"),
            "use `Time`, such as `startTime`",
        );
    }
}

fn is_camel_case(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.bytes().all(|c| c.is_ascii_alphanumeric())
}
