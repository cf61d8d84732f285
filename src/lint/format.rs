//! Formats of numbers that are not portable, and formats that servers do not know.

use crate::diagnostic::Severity;
use crate::schema::format::checked;

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-format",
    title: "A format is of unsigned or small numbers, or servers do not know it.",
    page: include_str!("format.md"),
    codes: &[
        ("unsigned", Severity::Off),
        ("narrow", Severity::Off),
        ("unknown", Severity::Off),
    ],
    opt_in: true,
    run: Some(check),
};

/// Formats of integers with less than 32 bits.
const NARROW: [&str; 2] = ["int8", "int16"];

fn check(node: &Node<'_>, problems: &mut Problems) {
    let (Some(kind), Some(format)) = (node.schema.kind.as_deref(), node.schema.format.as_deref()) else {
        return;
    };
    let path = node.words();
    let help = "use `int32` or `int64` with `minimum` and `maximum`";
    if kind == "integer" && format.starts_with("uint") {
        problems.add(
            "unsigned",
            format!(
                "{path} has the format `{format}`: not all languages have unsigned numbers, and servers do not check it"
            ),
            help,
        );
    } else if kind == "integer" && NARROW.contains(&format) {
        problems.add(
            "narrow",
            format!("{path} has the format `{format}`, which servers do not check"),
            help,
        );
    } else if checked(format, kind).is_none() && !node.schema.says("x-kubernetes-int-or-string") {
        problems.add(
            "unknown",
            format!("the format `{format}` of {path} has no effect: servers do not check it for the type `{kind}`"),
            "remove it, or use a `pattern`, a rule, or a format that servers check",
        );
    }
}
