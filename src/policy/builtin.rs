//! The built-in policies.

use crate::source::{FileId, Span};

/// A policy file embedded in the program.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The file.
    pub(crate) text: &'static str,
}

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../policies/", $name, ".toml")),
        }),*]
    };
}

/// All built-in policies, the default first.
pub const BUILT_IN: &[Builtin] = embedded![
    "kubernetes",
    "kubernetes-2019",
    "kubernetes-2021",
    "kubernetes-2025",
    "crdify",
    "olm",
    "django",
    "django-1",
    "django-2028",
    "docker",
    "envoy",
    "gitlab",
    "google-aip",
    "months-and-releases",
    "nodejs",
    "nodejs-0",
    "numpy",
    "openstack",
    "openstack-2015",
    "openstack-12-months",
    "pep-387",
    "pep-387-2009",
    "semver-major",
    "symfony",
    "terraform"
];

/// The text of a built-in policy.
pub fn builtin(name: &str) -> Option<&'static str> {
    BUILT_IN
        .iter()
        .find(|policy| policy.name == name)
        .map(|policy| policy.text)
}

/// The id of the file of a built-in policy, which no file of a user has.
pub(crate) fn builtin_file(name: &str) -> FileId {
    let position = BUILT_IN.iter().position(|policy| policy.name == name);
    let from_end = position.and_then(|position| u16::try_from(position).ok());
    FileId(u16::MAX - from_end.unwrap_or(0))
}

/// The built-in policy that a place is in, and its line.
pub(crate) fn builtin_line(place: Span) -> Option<(&'static str, usize)> {
    let policy = BUILT_IN.get(usize::from(u16::MAX - place.file.0))?;
    let before = policy.text.get(..place.start as usize)?;
    Some((policy.name, before.matches('\n').count() + 1))
}
