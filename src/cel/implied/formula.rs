//! Conditions joined by the operators of CEL.

/// What a condition is; `None` where its evaluation fails.
pub(super) type Truth = Option<bool>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
    /// What it is, where only the first conditions are decided; `None` if that depends on the others.
    pub(super) fn truth(&self, decided: &[Truth]) -> Option<Truth> {
        match self {
            Self::Constant(truth) => Some(Some(*truth)),
            Self::Atom(at) => decided.get(*at).copied(),
            Self::Not(of) => of.truth(decided).map(|truth| truth.map(|truth| !truth)),
            Self::And(parts) => joined(parts, false, decided),
            Self::Or(parts) => joined(parts, true, decided),
            Self::If(parts) => {
                let [test, then, otherwise] = &**parts;
                match test.truth(decided)? {
                    Some(true) => then.truth(decided),
                    Some(false) => otherwise.truth(decided),
                    None => Some(None),
                }
            }
            Self::Same(sides) => {
                let [one, other] = [&sides[0], &sides[1]].map(|side| side.truth(decided));
                match (one, other) {
                    (Some(None), _) | (_, Some(None)) => Some(None),
                    (one, other) => Some(Some(one? == other?)),
                }
            }
        }
    }

    /// The formulas that its operator joins.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Constant(_) | Self::Atom(_) => &[],
            Self::Not(of) => std::slice::from_ref(of),
            Self::And(parts) | Self::Or(parts) => parts,
            Self::If(parts) => &**parts,
            Self::Same(sides) => &**sides,
        }
    }

    /// The same operator, joining others in their place.
    pub(super) fn with_parts(&self, mut other: impl FnMut(&Self) -> Self) -> Self {
        match self {
            Self::Constant(_) | Self::Atom(_) => self.clone(),
            Self::Not(of) => Self::Not(Box::new(other(of))),
            Self::And(parts) => Self::And(parts.iter().map(other).collect()),
            Self::Or(parts) => Self::Or(parts.iter().map(other).collect()),
            Self::If(parts) => Self::If(Box::new(parts.each_ref().map(other))),
            Self::Same(sides) => Self::Same(Box::new(sides.each_ref().map(other))),
        }
    }

    /// The conditions and operators that it has.
    pub(super) fn size(&self) -> usize {
        1 + self.parts().iter().map(Self::size).sum::<usize>()
    }

    /// Whether it has one of the first conditions.
    pub(super) fn mentions_any_before(&self, count: usize) -> bool {
        self.mentions_any(&|at| at < count)
    }

    /// Whether it has a condition.
    pub(super) fn mentions(&self, atom: usize) -> bool {
        self.mentions_any(&|at| at == atom)
    }

    fn mentions_any(&self, is_one: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Self::Atom(at) => is_one(*at),
            _ => self.parts().iter().any(|part| part.mentions_any(is_one)),
        }
    }
}

/// `&&` and `||` ignore an error beside what decides.
fn joined(parts: &[Formula], deciding: bool, decided: &[Truth]) -> Option<Truth> {
    let (mut fails, mut is_open) = (false, false);
    for part in parts {
        match part.truth(decided) {
            Some(Some(truth)) if truth == deciding => return Some(Some(deciding)),
            Some(Some(_)) => {}
            Some(None) => fails = true,
            None => is_open = true,
        }
    }
    (!is_open).then_some((!fails).then_some(!deciding))
}
