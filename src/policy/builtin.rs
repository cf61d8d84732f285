//! The built-in policies.

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
