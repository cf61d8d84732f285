//! Where obligations come from: rules, which state the law, and principles of planning.

use crate::diagnostic::RuleId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Rule(RuleId),
    Plan(Principle),
}

/// A principle of planning: it proposes undeclared events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Principle {
    /// What has a successor is deprecated when that is introduced.
    P2,
    /// A beta without a successor is deprecated at its deadline.
    P3,
    /// What is deprecated is removed as early as the law allows.
    P5,
    /// A kind that later versions do not have is deprecated with the last version that has it.
    P8,
}

impl Principle {
    /// Its number, as reports write it.
    pub(crate) fn number(self) -> &'static str {
        match self {
            Self::P2 => "P2",
            Self::P3 => "P3",
            Self::P5 => "P5",
            Self::P8 => "P8",
        }
    }
}
