//! Defaults that their own schema rejects: found as a server finds them.

use crate::diagnostic::Severity;

use super::Check;

pub(super) const CHECK: Check = Check {
    slug: "crd-default-invalid",
    title: "A default does not match its own schema.",
    page: include_str!("default-invalid.md"),
    codes: &[
        ("value", Severity::Error),
        ("missing-field", Severity::Error),
        ("unknown-field", Severity::Error),
    ],
    opt_in: false,
    run: None,
};
