//! Calls of functions and operators: which of their overloads fit, and what they give.

use super::check::Checker;
use super::functions::{NEWER, Overload, overloads};
use super::types::Type;
use super::unify::shifted;
use super::words;
use crate::cel::Unjudged;
use crate::cel::tree::{Expr, Id};

impl Checker<'_> {
    pub(super) fn call(&mut self, id: Id, function: &str, target: Option<Id>, arguments: &[Id]) -> Type {
        if function == "_?._" {
            return self.optional_field(id, arguments);
        }
        if target.is_some() && words::is_macro(function) {
            // With the wrong number of arguments: their names are not declared.
            self.wrong(words::no_function(function, true));
            return Type::Error;
        }
        for argument in arguments {
            self.check(*argument);
        }
        let Some(target) = target else {
            let plain = function.trim_start_matches('.');
            return self.overloaded(id, plain, None, arguments);
        };
        if let Some(prefix) = self.tree.qualified(target) {
            let qualified = format!("{}.{function}", prefix.trim_start_matches('.'));
            if overloads(&qualified).is_some() {
                let plain = Expr::Call {
                    function: qualified.clone(),
                    target: None,
                    arguments: arguments.to_vec(),
                };
                self.tree.replace(id, plain);
                return self.overloaded(id, &qualified, None, arguments);
            }
        }
        self.check(target);
        self.overloaded(id, function, Some(target), arguments)
    }

    fn optional_field(&mut self, id: Id, arguments: &[Id]) -> Type {
        let [operand, field] = arguments else {
            return Type::Error;
        };
        self.check(*operand);
        self.check(*field);
        let name = self.tree.text(*field).unwrap_or_default().to_owned();
        self.overloads[id].push("select_optional_field");
        self.field(id, *operand, &name, true)
    }

    fn overloaded(&mut self, id: Id, function: &str, target: Option<Id>, arguments: &[Id]) -> Type {
        let Some(all) = overloads(function) else {
            if NEWER.contains(&function) {
                self.unjudged.push(Unjudged::Newer(format!("`{function}`")));
                return Type::Bool;
            }
            self.wrong(words::no_function(function, target.is_some()));
            return Type::Error;
        };
        let given = target
            .iter()
            .chain(arguments)
            .map(|argument| self.types[*argument].clone());
        let given: Vec<Type> = given.collect();
        if matches!(function, "_&&_" | "_||_") {
            return self.logical(id, function, &given, arguments);
        }
        let mut result = None;
        for overload in all.iter().filter(|overload| overload.is_method == target.is_some()) {
            let Some(gives) = self.applied(overload, &given) else {
                continue;
            };
            self.overloads[id].push(&overload.name);
            result = Some(match result {
                None => gives,
                Some(Type::Dyn) => Type::Dyn,
                Some(before) if self.bindings.same(&gives, &before) => before,
                Some(_) => Type::Dyn,
            });
        }
        result.unwrap_or_else(|| {
            self.no_overload(function, target, arguments);
            Type::Error
        })
    }

    fn applied(&mut self, overload: &Overload, given: &[Type]) -> Option<Type> {
        if overload.takes.len() != given.len() {
            return None;
        }
        let base = self.bindings.fresh(overload.variables);
        let takes: Vec<Type> = overload.takes.iter().map(|takes| shifted(takes, base)).collect();
        let fits = self.bindings.all_assignable(given, &takes);
        fits.then(|| self.bindings.resolve(&shifted(&overload.gives, base), None))
    }

    fn logical(&mut self, id: Id, function: &str, given: &[Type], arguments: &[Id]) -> Type {
        for (of, argument) in given.iter().zip(arguments) {
            if !self.bindings.assignable(of, &Type::Bool) {
                let of = self.bindings.resolve(of, None).one();
                let (sign, part) = (words::sign(function), self.written(*argument));
                self.wrong(format!("`{part}` is {of}, and `{sign}` takes booleans"));
            }
        }
        self.overloads[id].push(if function == "_&&_" {
            "logical_and"
        } else {
            "logical_or"
        });
        Type::Bool
    }

    fn no_overload(&mut self, function: &str, target: Option<Id>, arguments: &[Id]) {
        let given = target.iter().chain(arguments);
        let given: Vec<(String, String)> = given
            .map(|argument| {
                let of = self.bindings.resolve(&self.types[*argument], None);
                (self.written(*argument), of.one())
            })
            .collect();
        self.wrong(words::no_overload(function, target.is_some(), &given));
    }
}
