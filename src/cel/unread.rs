//! Why an expression is not read.

/// What is not judged in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unjudged {
    /// It nests too deep.
    Deep,
    /// Its macros or types are too large.
    Large,
    /// It has what only servers after 1.36 know.
    Newer(String),
    /// It names a type that is not in the schema.
    Type(String),
}

/// Why an expression is not judged further.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Wrong(String),
    Unjudged(Unjudged),
}

impl From<Unjudged> for Stop {
    fn from(unjudged: Unjudged) -> Self {
        Self::Unjudged(unjudged)
    }
}
