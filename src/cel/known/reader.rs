//! The evaluation of a rule for all values of which something is known.

use super::compared;
use super::found::{Found, Outcomes};
use super::scope::{Scope, path};
use super::values::{ANY_SIZE, Field, Known, Texts};
use crate::cel::tree::{Expr, Id, Literal, Tree};

pub(super) struct Reader<'r> {
    pub(super) tree: &'r Tree,
    /// The parts that may be evaluated still.
    pub(super) left: usize,
}

impl Reader<'_> {
    pub(super) fn truth(&mut self, id: Id, scope: &Scope) -> Outcomes {
        self.found(id, scope).outcomes()
    }

    pub(super) fn found(&mut self, id: Id, scope: &Scope) -> Found {
        let Some(left) = self.left.checked_sub(1) else {
            return Found::unknown();
        };
        self.left = left;
        let tree = self.tree;
        let found = match tree.get(id) {
            Expr::Literal(literal) => Found::new(of_literal(literal)),
            Expr::Name(name) => scope.variable(name).cloned().map_or_else(Found::unknown, Found::new),
            Expr::Select { operand, field, tests } => {
                let own = path(tree, id);
                return self.selected((*operand, field), *tests, own.as_deref(), scope);
            }
            Expr::Call {
                function,
                target,
                arguments,
            } => {
                let operands: Vec<Id> = target.iter().chain(arguments).copied().collect();
                self.call(function, &operands, scope)
            }
            Expr::List(items) if items.iter().all(|item| !item.is_optional) => {
                let items = items.iter().map(|item| self.found(item.value, scope));
                listed(items.collect())
            }
            Expr::Loop(of) => self.repeated(of, scope),
            _ => Found::unknown(),
        };
        narrowed(found, path(tree, id).as_deref(), scope)
    }

    fn selected(&mut self, (operand, name): (Id, &str), tests: bool, path: Option<&str>, scope: &Scope) -> Found {
        let of = self.found(operand, scope);
        let assumed = path.and_then(|path| scope.is_set(path));
        let field = match &of.value {
            None => return of,
            Some(Known::Object(facts)) => facts.get(name).cloned(),
            Some(Known::Map { values, .. }) => Some(Field {
                is_set: None,
                value: (**values).clone(),
            }),
            // What has no fields fails here.
            Some(_) if assumed.is_none() => {
                return if tests { Found::either() } else { Found::unknown() }.where_fails(true);
            }
            Some(_) => None,
        };
        let is_set = field.as_ref().and_then(|field| field.is_set).or(assumed);
        // A condition about the field has read the object.
        let fails = of.fails && assumed.is_none();
        if tests {
            let may_be = is_set.map_or([true; 2], |is_set| [!is_set, is_set]);
            return Found::new(Known::Bool(may_be)).where_fails(fails);
        }
        let value = field.map_or(Known::Any, |field| field.value);
        let found = Found {
            value: (is_set != Some(false)).then_some(value),
            fails: fails || is_set != Some(true),
        };
        narrowed(found, path, scope)
    }

    fn call(&mut self, function: &str, operands: &[Id], scope: &Scope) -> Found {
        match (function, operands) {
            ("!_", [of]) => self.truth(*of, scope).negated().into(),
            ("_&&_", parts) => self.joined(parts, false, scope).into(),
            ("_||_", parts) => self.joined(parts, true, scope).into(),
            ("_?_:_", [test, then, otherwise]) => {
                let is_met = self.truth(*test, scope);
                let none = Found {
                    value: None,
                    fails: is_met.fails,
                };
                let branches = [(is_met.holds, true, then), (is_met.not, false, otherwise)];
                let taken = branches.into_iter().filter(|(is_taken, ..)| *is_taken);
                taken.fold(none, |found, (_, holds, branch)| {
                    let scope = self.where_it(*test, holds, scope);
                    found.or(self.found(*branch, &scope))
                })
            }
            _ => {
                let operands: Vec<Found> = operands.iter().map(|operand| self.found(*operand, scope)).collect();
                let fails = operands.iter().any(|operand| operand.fails);
                let values: Option<Vec<Known>> = operands.into_iter().map(|operand| operand.value).collect();
                match values {
                    Some(values) => self.applied(function, &values).where_fails(fails),
                    None => Found { value: None, fails },
                }
            }
        }
    }

    /// `&&` and `||`: what decides also does so beside an error. `&&` is read as the negation of `||`. Each part is
    /// evaluated once, where the parts before it that cannot fail do not decide.
    fn joined(&mut self, parts: &[Id], deciding: bool, scope: &Scope) -> Outcomes {
        let mut scope = scope.clone();
        let mut found = Outcomes {
            not: true,
            ..Outcomes::default()
        };
        for part in parts {
            if !found.not && !found.fails {
                break;
            }
            let is_met = self.truth(*part, &scope);
            let is_met = if deciding { is_met } else { is_met.negated() };
            found = Outcomes {
                holds: found.holds || is_met.holds,
                not: found.not && is_met.not,
                fails: found.fails && (is_met.not || is_met.fails) || found.not && is_met.fails,
            };
            if !is_met.fails {
                scope = self.where_it(*part, !deciding, &scope);
            }
        }
        if deciding { found } else { found.negated() }
    }

    /// The value of a function or an operator.
    fn applied(&mut self, function: &str, operands: &[Known]) -> Found {
        match (function, operands) {
            ("_==_", [one, other]) => compared::equal(one, other),
            ("_!=_", [one, other]) => compared::equal(one, other).outcomes().negated().into(),
            ("_<_", [less, more]) | ("_>_", [more, less]) => compared::is_less(less, more),
            ("_>=_", [less, more]) | ("_<=_", [more, less]) => {
                compared::is_less(less, more).outcomes().negated().into()
            }
            ("@in", [value, Known::Each(items)]) => compared::is_in(value, items),
            ("@in", [Known::Any, _]) => Found::unknown(),
            ("@in", [_, Known::List { .. } | Known::Map { .. }]) => Found::either(),
            ("_+_", [Known::Int(one), Known::Int(other)]) => {
                let sum = one[0].checked_add(other[0]).zip(one[1].checked_add(other[1]));
                sum.map_or_else(Found::unknown, |(low, high)| Found::new(Known::Int([low, high])))
            }
            ("_+_", [Known::Text(one), Known::Text(other)]) => Found::new(Known::Text(Texts {
                of: None,
                sizes: [0, 1].map(|end| one.sizes[end].saturating_add(other.sizes[end])),
            })),
            ("size", [of]) => match of.sizes() {
                Some(sizes) => Found::new(Known::Int(sizes)),
                None => Found::new(Known::Int(ANY_SIZE)).where_fails(true),
            },
            ("_[_]", [of, Known::Int([low, high])]) => item_at(of, [*low, *high]),
            ("startsWith" | "endsWith" | "contains" | "matches", [Known::Text(text), Known::Text(part)]) => {
                compared::has_part(function, text, part, &mut self.left)
            }
            _ => Found::unknown(),
        }
    }
}

/// What is found at a path, by what conditions said about it.
fn narrowed(found: Found, path: Option<&str>, scope: &Scope) -> Found {
    match path {
        Some(path) => Found {
            value: found.value.and_then(|value| scope.narrowed(path, value)),
            ..found
        },
        None => found,
    }
}

fn listed(items: Vec<Found>) -> Found {
    let fails = items.iter().any(|item| item.fails);
    let values: Option<Vec<Known>> = items.into_iter().map(|item| item.value).collect();
    Found {
        value: values.map(|values| Known::Each(values.into())),
        fails,
    }
}

fn of_literal(literal: &Literal) -> Known {
    match literal {
        Literal::Bool(value) => Known::Bool([!value, *value]),
        Literal::Int(value) => Known::Int([*value; 2]),
        Literal::Text(text) => Known::of_texts([text.clone()]),
        Literal::Null => Known::Any,
        Literal::Double(value) => Known::Real([*value; 2]),
        Literal::Uint(_) | Literal::Bytes(_) => Known::Plain,
    }
}

/// An item of a list, whose index is in a range.
fn item_at(list: &Known, [low, high]: [i64; 2]) -> Found {
    let Some([least, _]) = list
        .sizes()
        .filter(|_| matches!(list, Known::List { .. } | Known::Each(_)))
    else {
        return Found::unknown();
    };
    let value = match list {
        Known::Each(items) if low == high => usize::try_from(low).ok().and_then(|at| items.get(at).cloned()),
        _ => list.items(),
    };
    Found {
        value,
        fails: low < 0 || high >= least,
    }
}
