//! The models that come with the program.

/// A model embedded in the program.
#[derive(Debug)]
pub struct BuiltInModel {
    /// The name after `--builtin`.
    pub name: &'static str,
    /// The name of its text in messages.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them.
pub const BUILT_IN: &[BuiltInModel] = &[BuiltInModel {
    name: "kubernetes",
    file: "built-in:kubernetes",
    text: include_str!("../../../examples/kubernetes/lifecycle.toml"),
}];
