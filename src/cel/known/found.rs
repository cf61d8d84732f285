//! What parts of a rule may be.

use super::values::Known;

/// What an expression may be.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// `None` if it has no value: it always fails, or is never evaluated.
    pub(super) value: Option<Known>,
    /// Whether it may fail.
    pub(super) fails: bool,
}

/// What a condition may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) holds: bool,
    pub(super) not: bool,
    pub(super) fails: bool,
}

impl Outcomes {
    pub(super) const HOLDS: Self = Self {
        holds: true,
        not: false,
        fails: false,
    };

    pub(super) fn negated(self) -> Self {
        Self {
            holds: self.not,
            not: self.holds,
            ..self
        }
    }
}

impl Found {
    pub(super) fn new(value: Known) -> Self {
        Self {
            value: Some(value),
            fails: false,
        }
    }

    pub(super) fn unknown() -> Self {
        Self {
            value: Some(Known::Any),
            fails: true,
        }
    }

    /// A condition that is either, as far as its operands have values.
    pub(super) fn either() -> Self {
        Self::new(Known::Bool([true; 2]))
    }

    pub(super) fn where_fails(self, fails: bool) -> Self {
        Self {
            fails: self.fails || fails,
            ..self
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            value: match (self.value, other.value) {
                (Some(one), Some(other)) => Some(one.or(&other)),
                (one, other) => one.or(other),
            },
            fails: self.fails || other.fails,
        }
    }

    pub(super) fn outcomes(&self) -> Outcomes {
        let (may_be, is_other) = match &self.value {
            Some(Known::Bool(may_be)) => (*may_be, false),
            Some(_) => ([true; 2], true),
            None => ([false; 2], false),
        };
        Outcomes {
            holds: may_be[1],
            not: may_be[0],
            fails: self.fails || is_other,
        }
    }
}

impl From<Outcomes> for Found {
    fn from(of: Outcomes) -> Self {
        Self {
            value: (of.holds || of.not).then_some(Known::Bool([of.not, of.holds])),
            fails: of.fails,
        }
    }
}
