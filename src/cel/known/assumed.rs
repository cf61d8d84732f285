//! What a condition says where it holds, or where it does not: behind `has(self.a) &&`, the field is set.

use std::collections::BTreeSet;

use super::reader::Reader;
use super::scope::{Assumed, Scope, path};
use crate::cel::tree::{Expr, Id, Literal};

impl Reader<'_> {
    /// The scope where a condition holds, or does not. What it says beside that is left out.
    pub(super) fn where_it(&self, id: Id, holds: bool, scope: &Scope) -> Scope {
        match self.tree.get(id) {
            Expr::Select { tests: true, .. } => match path(self.tree, id) {
                Some(path) => scope.assume(path, presence(holds)),
                None => scope.clone(),
            },
            Expr::Call {
                function,
                target: None,
                arguments,
            } => match (function.as_str(), arguments.as_slice()) {
                ("!_", [of]) => self.where_it(*of, !holds, scope),
                ("_&&_", parts) if holds => self.where_all(parts, true, scope),
                ("_||_", parts) if !holds => self.where_all(parts, false, scope),
                ("_==_", sides) => self.where_equal(sides, holds, scope),
                ("_!=_", sides) => self.where_equal(sides, !holds, scope),
                ("@in", [value, list]) => self.where_in(*value, *list, holds, scope),
                ("_<_", [less, more]) | ("_>_", [more, less]) => self.where_less([*less, *more], holds, scope),
                ("_>=_", [less, more]) | ("_<=_", [more, less]) => self.where_less([*less, *more], !holds, scope),
                _ => scope.clone(),
            },
            _ => scope.clone(),
        }
    }

    fn where_all(&self, parts: &[Id], hold: bool, scope: &Scope) -> Scope {
        let scope = scope.clone();
        parts
            .iter()
            .fold(scope, |scope, part| self.where_it(*part, hold, &scope))
    }

    fn where_equal(&self, sides: &[Id], holds: bool, scope: &Scope) -> Scope {
        let [one, other] = sides else { return scope.clone() };
        match [self.tree.get(*one), self.tree.get(*other)] {
            [_, Expr::Literal(Literal::Text(text))] => {
                self.where_text(*one, BTreeSet::from([text.clone()]), holds, scope)
            }
            [Expr::Literal(Literal::Text(text)), _] => {
                self.where_text(*other, BTreeSet::from([text.clone()]), holds, scope)
            }
            [_, Expr::Literal(Literal::Int(number))] => self.where_number(*one, *number, holds, scope),
            [Expr::Literal(Literal::Int(number)), _] => self.where_number(*other, *number, holds, scope),
            _ => scope.clone(),
        }
    }

    fn where_text(&self, value: Id, texts: BTreeSet<String>, holds: bool, scope: &Scope) -> Scope {
        let Some(path) = path(self.tree, value) else {
            return scope.clone();
        };
        let said = Assumed {
            texts: Some((texts, holds)),
            ..presence(true)
        };
        scope.assume(path, said)
    }

    fn where_in(&self, value: Id, list: Id, holds: bool, scope: &Scope) -> Scope {
        let Expr::List(items) = self.tree.get(list) else {
            return scope.clone();
        };
        let texts = items
            .iter()
            .map(|item| self.tree.text(item.value).filter(|_| !item.is_optional));
        match texts.map(|text| text.map(str::to_owned)).collect() {
            Some(texts) => self.where_text(value, texts, holds, scope),
            None => scope.clone(),
        }
    }

    fn where_number(&self, value: Id, number: i64, holds: bool, scope: &Scope) -> Scope {
        match (holds, number) {
            (true, _) => self.where_within(value, [number; 2], scope),
            // No size is below zero.
            (false, 0) if self.sized(value).is_some() => self.where_within(value, [1, i64::MAX], scope),
            (false, _) => scope.clone(),
        }
    }

    fn where_less(&self, [less, more]: [Id; 2], holds: bool, scope: &Scope) -> Scope {
        match ([self.tree.get(less), self.tree.get(more)], holds) {
            ([_, Expr::Literal(Literal::Int(most))], true) => {
                self.where_within(less, [i64::MIN, most.saturating_sub(1)], scope)
            }
            ([_, Expr::Literal(Literal::Int(least))], false) => self.where_within(less, [*least, i64::MAX], scope),
            ([Expr::Literal(Literal::Int(least)), _], true) => {
                self.where_within(more, [least.saturating_add(1), i64::MAX], scope)
            }
            ([Expr::Literal(Literal::Int(most)), _], false) => self.where_within(more, [i64::MIN, *most], scope),
            _ => scope.clone(),
        }
    }

    /// The scope where a number, or the size of a value, is in a range.
    fn where_within(&self, value: Id, range: [i64; 2], scope: &Scope) -> Scope {
        if let Some(path) = self.sized(value).and_then(|of| path(self.tree, of)) {
            let size = Some(range);
            return scope.assume(path, Assumed { size, ..presence(true) });
        }
        match path(self.tree, value) {
            Some(path) => {
                let number = Some(range);
                scope.assume(
                    path,
                    Assumed {
                        number,
                        ..presence(true)
                    },
                )
            }
            None => scope.clone(),
        }
    }

    /// The value whose size this is.
    fn sized(&self, id: Id) -> Option<Id> {
        match self.tree.get(id) {
            Expr::Call {
                function,
                target,
                arguments,
            } if function == "size" => target.iter().chain(arguments).next().copied(),
            _ => None,
        }
    }
}

fn presence(is_set: bool) -> Assumed {
    Assumed {
        is_set: Some(is_set),
        ..Assumed::default()
    }
}
