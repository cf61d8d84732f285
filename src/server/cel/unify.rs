//! What the variables in types stand for.

use super::types::Type;

/// Steps after which types are too large to compare: ordinary rules take hundreds.
const MOST_STEPS: u32 = 2_000_000;

/// What is known of variables, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    known: Vec<Option<Type>>,
    /// Variables bound since the beginning, and what they stood for before.
    changes: Vec<(usize, Option<Type>)>,
    steps: u32,
}

impl Bindings {
    /// The first of `count` new variables.
    pub(super) fn fresh(&mut self, count: usize) -> usize {
        let first = self.known.len();
        self.known.resize(first + count, None);
        first
    }

    /// Whether the types were too large: nothing that was found is certain then.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_add(1);
        self.is_exhausted()
    }

    fn bound(&self, of: &Type) -> Option<Type> {
        match of {
            Type::Variable(number) => self.known.get(*number)?.clone(),
            _ => None,
        }
    }

    fn bind(&mut self, variable: &Type, to: Type) {
        let Type::Variable(number) = variable else {
            return;
        };
        if let Some(known) = self.known.get_mut(*number) {
            let before = known.replace(to);
            self.changes.push((*number, before));
        }
    }

    /// Whether values of one type can be where the other is wanted. If so, variables stay bound.
    pub(super) fn assignable(&mut self, from: &Type, to: &Type) -> bool {
        self.all_assignable(std::slice::from_ref(from), std::slice::from_ref(to))
    }

    pub(super) fn all_assignable(&mut self, from: &[Type], to: &[Type]) -> bool {
        let before = self.changes.len();
        let fits = from.len() == to.len() && from.iter().zip(to).all(|(from, to)| self.fits(from, to));
        if !fits {
            while self.changes.len() > before {
                if let Some((number, value)) = self.changes.pop()
                    && let Some(known) = self.known.get_mut(number)
                {
                    *known = value;
                }
            }
        }
        fits
    }

    fn fits(&mut self, from: &Type, to: &Type) -> bool {
        if self.step() {
            return true;
        }
        if matches!(to, Type::Variable(_)) {
            let (fits, is_known) = self.stands_for(from, to);
            if fits || is_known {
                return fits;
            }
        }
        if matches!(from, Type::Variable(_)) {
            return self.stands_for(to, from).0;
        }
        match (from, to) {
            (Type::Dyn | Type::Error, _) | (_, Type::Dyn | Type::Error) | (Type::Meta(_), Type::Meta(_)) => true,
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::List(from), Type::List(to)) | (Type::Optional(from), Type::Optional(to)) => self.fits(from, to),
            (Type::Map(from_key, from), Type::Map(to_key, to)) => self.fits(from_key, to_key) && self.fits(from, to),
            (Type::Object(from), Type::Object(to)) => from == to,
            (Type::Library(from), Type::Library(to)) => from == to,
            _ => std::mem::discriminant(from) == std::mem::discriminant(to),
        }
    }

    /// Whether a variable can stand for a type, and whether it stood for one before.
    fn stands_for(&mut self, of: &Type, variable: &Type) -> (bool, bool) {
        if self.same(of, variable) {
            return (true, true);
        }
        if let Some(known) = self.bound(variable) {
            if self.same(of, &known) {
                return (true, true);
            }
            if !self.fits(of, &known) {
                return (false, true);
            }
            let general = self.more_general(of, &known);
            if !self.occurs(variable, &general) {
                self.bind(variable, general);
            }
            return (true, true);
        }
        if self.occurs(variable, of) {
            return (false, false);
        }
        self.bind(variable, of.clone());
        (true, false)
    }

    /// Whether two types are the same, of which none is made equal to the other.
    pub(super) fn same(&mut self, one: &Type, other: &Type) -> bool {
        if self.step() {
            return true;
        }
        match (one, other) {
            (Type::List(one), Type::List(other)) | (Type::Optional(one), Type::Optional(other)) => {
                self.same(one, other)
            }
            (Type::Map(one_key, one), Type::Map(other_key, other)) => {
                self.same(one_key, other_key) && self.same(one, other)
            }
            (Type::Meta(Some(one)), Type::Meta(Some(other))) => self.same(one, other),
            _ => one == other,
        }
    }

    /// The one of two types that fit each other which says less.
    pub(super) fn more_general(&mut self, one: &Type, other: &Type) -> Type {
        if self.is_less_specific(one, other) {
            one.clone()
        } else {
            other.clone()
        }
    }

    fn is_less_specific(&mut self, one: &Type, other: &Type) -> bool {
        if self.step() {
            return true;
        }
        match (one, other) {
            (Type::Dyn | Type::Variable(_), _) | (Type::Meta(_), Type::Meta(_)) => true,
            (_, Type::Dyn | Type::Variable(_)) => false,
            (Type::List(one), Type::List(other)) | (Type::Optional(one), Type::Optional(other)) => {
                self.is_less_specific(one, other)
            }
            (Type::Map(one_key, one), Type::Map(other_key, other)) => {
                self.is_less_specific(one_key, other_key) && self.is_less_specific(one, other)
            }
            _ => one == other,
        }
    }

    /// Whether a variable is part of a type.
    fn occurs(&mut self, variable: &Type, within: &Type) -> bool {
        if self.step() || variable == within {
            return true;
        }
        match within {
            Type::Variable(_) => match self.bound(within) {
                Some(known) => self.occurs(variable, &known),
                None => false,
            },
            Type::List(of) | Type::Optional(of) | Type::Meta(Some(of)) => self.occurs(variable, of),
            Type::Map(key, value) => self.occurs(variable, key) || self.occurs(variable, value),
            _ => false,
        }
    }

    /// The type with its variables replaced by what they stand for, those of which nothing is known by `unknown`.
    pub(super) fn resolve(&mut self, of: &Type, unknown: Option<&Type>) -> Type {
        if self.step() {
            return Type::Dyn;
        }
        match of {
            Type::Variable(_) => match self.bound(of) {
                Some(known) => self.resolve(&known, unknown),
                None => unknown.unwrap_or(of).clone(),
            },
            Type::List(of) => Type::list(self.resolve(of, unknown)),
            Type::Optional(of) => Type::optional(self.resolve(of, unknown)),
            Type::Map(key, value) => Type::map(self.resolve(key, unknown), self.resolve(value, unknown)),
            Type::Meta(Some(of)) => Type::Meta(Some(self.resolve(of, unknown).into())),
            _ => of.clone(),
        }
    }
}

fn is_nullable(of: &Type) -> bool {
    matches!(
        of,
        Type::Null | Type::Optional(_) | Type::Object(_) | Type::Library(_) | Type::Duration | Type::Timestamp
    )
}

/// A type whose variables have other numbers.
pub(super) fn shifted(of: &Type, by: usize) -> Type {
    match of {
        Type::Variable(number) => Type::Variable(number + by),
        Type::List(of) => Type::list(shifted(of, by)),
        Type::Optional(of) => Type::optional(shifted(of, by)),
        Type::Map(key, value) => Type::map(shifted(key, by), shifted(value, by)),
        Type::Meta(Some(of)) => Type::Meta(Some(shifted(of, by).into())),
        _ => of.clone(),
    }
}
