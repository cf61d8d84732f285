//! Bounds as clauses of rules.

use super::canonical::NAME;
use super::clause::Clause;

/// What a bound is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bounded {
    Value,
    Size,
}

impl Bounded {
    fn text(self) -> String {
        match self {
            Self::Value => format!("{NAME}self"),
            Self::Size => format!("(\"size\" {NAME}self)"),
        }
    }
}

/// The clause of a value, or of its size, that is at least so large.
pub(crate) fn at_least(bound: i64, of: Bounded) -> Clause {
    Clause::from([format!("(<= {bound} {})", of.text())])
}

/// The clause of a value, or of its size, that is at most so large.
pub(crate) fn at_most(bound: i64, of: Bounded) -> Clause {
    Clause::from([format!("(<= {} {bound})", of.text())])
}
