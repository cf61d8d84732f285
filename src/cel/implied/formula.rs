//! Conditions joined by the operators of CEL.

/// What a condition is; `None` where its evaluation fails.
pub(super) type Truth = Option<bool>;

#[derive(Debug, Clone)]
pub(super) enum Formula {
    Constant(bool),
    /// A condition, by its number.
    Atom(usize),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    /// `a ? b : c`
    If(Box<[Formula; 3]>),
    /// Two conditions that are equal.
    Same(Box<[Formula; 2]>),
}

impl Formula {
    pub(super) fn truth(&self, atoms: &[Truth]) -> Truth {
        match self {
            Self::Constant(truth) => Some(*truth),
            Self::Atom(at) => atoms.get(*at).copied().flatten(),
            Self::Not(of) => of.truth(atoms).map(|truth| !truth),
            Self::And(parts) => joined(parts, false, atoms),
            Self::Or(parts) => joined(parts, true, atoms),
            Self::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let chosen = if test.truth(atoms)? { then } else { otherwise };
                chosen.truth(atoms)
            }
            Self::Same(sides) => {
                let [one, other] = &**sides;
                Some(one.truth(atoms)? == other.truth(atoms)?)
            }
        }
    }

    /// Whether it has one of the first conditions.
    pub(super) fn names_any_before(&self, count: usize) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Atom(at) => *at < count,
            Self::Not(of) => of.names_any_before(count),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(|part| part.names_any_before(count)),
            Self::If(parts) => parts.iter().any(|part| part.names_any_before(count)),
            Self::Same(sides) => sides.iter().any(|side| side.names_any_before(count)),
        }
    }
}

/// `&&` and `||` ignore an error beside what decides.
fn joined(parts: &[Formula], deciding: bool, atoms: &[Truth]) -> Truth {
    let mut fails = false;
    for part in parts {
        match part.truth(atoms) {
            Some(truth) if truth == deciding => return Some(deciding),
            Some(_) => {}
            None => fails = true,
        }
    }
    (!fails).then_some(!deciding)
}
