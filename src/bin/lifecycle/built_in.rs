//! The models that come with the program.

#[derive(Debug)]
pub struct BuiltInModel {
    pub name: &'static str,
    /// The name of its text in messages.
    pub file: &'static str,
    pub text: &'static str,
    /// Which objects a later version takes as they are.
    pub rewrites: &'static str,
    /// Which objects contain others.
    pub contained: &'static str,
}

pub const BUILT_IN: &[BuiltInModel] = &[BuiltInModel {
    name: "kubernetes",
    file: "built-in:kubernetes",
    text: include_str!("../../../examples/kubernetes/lifecycle.toml"),
    rewrites: include_str!("../../../examples/kubernetes/rewrites.toml"),
    contained: include_str!("../../../examples/kubernetes/contained.toml"),
}];
