//! The types of an expression: names, fields, and what operators and functions take.

use super::declared::Declared;
use super::types::Type;
use super::unify::Bindings;
use super::words;
use crate::cel::tree::{Entry, Expr, Id, Item, Literal, Loop, Tree};
use crate::cel::{Stop, Unjudged};

/// The value before an update.
const OLD_SELF: &str = "oldSelf";

/// Errors of an expression that are reported.
const MOST_PROBLEMS: usize = 3;

/// An expression whose types are known.
pub(super) struct Checked {
    pub tree: Tree,
    pub root: Id,
    pub types: Vec<Type>,
    /// For calls, the overloads that fit.
    pub overloads: Vec<Vec<&'static str>>,
    pub uses_old_self: bool,
    pub unjudged: Vec<Unjudged>,
}

/// The types within an expression, or all that is wrong with it.
pub(super) fn check(
    declared: &Declared,
    old_self_is_optional: bool,
    text: &str,
    parsed: crate::cel::parser::Parsed,
) -> Result<Checked, Vec<Stop>> {
    let nodes = parsed.tree.len();
    let mut checker = Checker {
        text,
        declared,
        old_self_is_optional,
        tree: parsed.tree,
        types: vec![Type::Error; nodes],
        overloads: vec![Vec::new(); nodes],
        bindings: Bindings::default(),
        scopes: Vec::new(),
        problems: Vec::new(),
        unjudged: parsed.unjudged,
        uses_old_self: false,
    };
    checker.check(parsed.root);
    checker.finish(parsed.root)
}

pub(super) struct Checker<'r> {
    text: &'r str,
    declared: &'r Declared,
    old_self_is_optional: bool,
    pub(super) tree: Tree,
    pub(super) types: Vec<Type>,
    pub(super) overloads: Vec<Vec<&'static str>>,
    pub(super) bindings: Bindings,
    /// Variables of macros, the innermost last.
    scopes: Vec<(String, Type)>,
    problems: Vec<String>,
    pub(super) unjudged: Vec<Unjudged>,
    uses_old_self: bool,
}

impl Checker<'_> {
    fn finish(mut self, root: Id) -> Result<Checked, Vec<Stop>> {
        if self.bindings.is_exhausted() {
            return Err(vec![Unjudged::Large.into()]);
        }
        if !self.problems.is_empty() {
            self.problems.dedup();
            self.problems.truncate(MOST_PROBLEMS);
            return Err(self.problems.into_iter().map(Stop::Wrong).collect());
        }
        let types = std::mem::take(&mut self.types);
        let unknown = Some(&Type::Dyn);
        let types = types.iter().map(|of| self.bindings.resolve(of, unknown)).collect();
        if self.bindings.is_exhausted() {
            return Err(vec![Unjudged::Large.into()]);
        }
        Ok(Checked {
            tree: self.tree,
            root,
            types,
            overloads: self.overloads,
            uses_old_self: self.uses_old_self,
            unjudged: self.unjudged,
        })
    }

    fn set(&mut self, id: Id, of: Type) {
        self.types[id] = of;
    }

    pub(super) fn wrong(&mut self, reason: String) {
        if !self.bindings.is_exhausted() {
            self.problems.push(reason);
        }
    }

    pub(super) fn check(&mut self, id: Id) {
        if self.bindings.is_exhausted() {
            return;
        }
        let of = match self.tree.get(id).clone() {
            Expr::Literal(literal) => of_literal(&literal),
            Expr::Name(name) => self.name(&name),
            Expr::Select { operand, field, tests } => self.select(id, operand, &field, tests),
            Expr::Call {
                function,
                target,
                arguments,
            } => self.call(id, &function, target, &arguments),
            Expr::List(items) => self.list(&items),
            Expr::Map(entries) => self.map(&entries),
            Expr::Message { name, values } => self.message(&name, &values),
            Expr::Loop(of) => self.repeat(&of),
        };
        self.set(id, of);
    }

    /// The type of a name; `None` if it is not declared.
    fn declared(&mut self, name: &str) -> Option<Type> {
        let name = name.trim_start_matches('.');
        let is_old_self = name == OLD_SELF;
        if let Some((_, of)) = self.scopes.iter().rev().find(|(scoped, _)| scoped == name) {
            self.uses_old_self |= is_old_self;
            return Some(of.clone());
        }
        match name {
            "self" => Some(self.declared.type_of(self.declared.root())),
            OLD_SELF => {
                let of = self.declared.type_of(self.declared.root());
                self.uses_old_self = true;
                Some(if self.old_self_is_optional {
                    Type::optional(of)
                } else {
                    of
                })
            }
            "google" | "kubernetes" | "net" => {
                self.unjudged.push(Unjudged::Type(name.to_owned()));
                Some(Type::Dyn)
            }
            _ => Type::named(name).map(|of| Type::Meta(Some(of.into()))),
        }
    }

    fn name(&mut self, name: &str) -> Type {
        if let Some(of) = self.declared(name) {
            return of;
        }
        let known = self.scopes.iter().map(|(scoped, _)| scoped.as_str());
        let known = known
            .filter(|scoped| !scoped.starts_with(['@', '#']))
            .chain(["self", OLD_SELF]);
        let meant = words::alike(name, known);
        self.wrong(format!("`{name}` is not declared{meant}"));
        Type::Error
    }

    fn select(&mut self, id: Id, operand: Id, field: &str, tests: bool) -> Type {
        self.check(operand);
        let of = self.field(id, operand, field, false);
        if tests { Type::Bool } else { of }
    }

    pub(super) fn field(&mut self, id: Id, operand: Id, field: &str, is_optional: bool) -> Type {
        let found = self.bindings.resolve(&self.types[operand], None);
        let (of, was_optional) = match found {
            Type::Optional(of) => ((*of).clone(), true),
            of => (of, false),
        };
        let of = match &of {
            Type::Map(_, value) => (**value).clone(),
            Type::Object(object) => match self.declared.field(*object, field) {
                Some(of) => of,
                None => {
                    self.no_field(*object, operand, field);
                    Type::Error
                }
            },
            Type::Variable(_) => {
                self.bindings.assignable(&Type::Dyn, &of);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            other => {
                let (whole, part) = (self.written(id), self.written(operand));
                self.wrong(format!("`{whole}`: `{part}` is {}, which has no fields", other.one()));
                Type::Dyn
            }
        };
        if is_optional || was_optional {
            Type::optional(of)
        } else {
            of
        }
    }

    fn no_field(&mut self, object: usize, operand: Id, field: &str) {
        let fields = self.declared.fields(object);
        let names = fields.into_iter().flat_map(|fields| fields.keys().map(String::as_str));
        let meant = words::alike(field, names);
        let part = self.written(operand);
        self.wrong(format!("`{part}` has no field `{field}`{meant}"));
    }

    /// A part of the expression, as written.
    pub(super) fn written(&self, id: Id) -> String {
        words::written(self.text, self.tree.span(id))
    }

    fn item(&mut self, item: Item) -> Type {
        self.check(item.value);
        let of = self.types[item.value].clone();
        if !item.is_optional {
            return of;
        }
        match of {
            Type::Optional(of) => (*of).clone(),
            Type::Dyn => Type::Dyn,
            other => {
                let part = self.written(item.value);
                self.wrong(format!("`?{part}`: `{part}` is {}, not an optional value", other.one()));
                other
            }
        }
    }

    fn joined(&mut self, before: Option<Type>, next: Type) -> Type {
        match before {
            None => next,
            Some(before) if self.bindings.assignable(&before, &next) => self.bindings.more_general(&before, &next),
            Some(_) => Type::Dyn,
        }
    }

    fn unknown(&mut self) -> Type {
        Type::Variable(self.bindings.fresh(1))
    }

    fn list(&mut self, items: &[Item]) -> Type {
        let mut joined = None;
        for item in items {
            let of = self.item(*item);
            joined = Some(self.joined(joined, of));
        }
        Type::list(joined.unwrap_or_else(|| self.unknown()))
    }

    fn map(&mut self, entries: &[Entry]) -> Type {
        let (mut keys, mut values) = (None, None);
        for entry in entries {
            self.check(entry.key);
            let key = self.types[entry.key].clone();
            keys = Some(self.joined(keys, key));
            let value = self.item(entry.value);
            values = Some(self.joined(values, value));
        }
        match (keys, values) {
            (Some(key), Some(value)) => Type::map(key, value),
            _ => Type::map(self.unknown(), self.unknown()),
        }
    }

    /// Only types of Protocol Buffers can be made; they are not known here.
    fn message(&mut self, name: &str, values: &[Id]) -> Type {
        let plain = name.trim_start_matches('.');
        let first = plain.split('.').next().unwrap_or_default();
        let is_known = matches!(first, "google" | "kubernetes" | "net") || Type::named(plain).is_some();
        if is_known {
            self.unjudged.push(Unjudged::Type(plain.to_owned()));
        } else {
            self.wrong(format!("there is no type `{name}`"));
        }
        for value in values {
            self.check(*value);
        }
        Type::Dyn
    }

    fn repeat(&mut self, of: &Loop) -> Type {
        self.check(of.range);
        self.check(of.start);
        let range = self.bindings.resolve(&self.types[of.range], None);
        let start = self.types[of.start].clone();
        self.scopes.push((of.accumulator.clone(), start.clone()));
        let is_double = of.second.is_some();
        let (first, second) = match &range {
            Type::List(item) if is_double => (Type::Int, (**item).clone()),
            Type::List(item) => ((**item).clone(), Type::Dyn),
            Type::Map(key, value) => ((**key).clone(), (**value).clone()),
            Type::Dyn | Type::Error | Type::Variable(_) => {
                self.bindings.assignable(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let part = self.written(of.range);
                let one = other.one();
                self.wrong(format!(
                    "`{part}` is {one}, and macros such as `all` take lists and maps"
                ));
                (Type::Error, Type::Error)
            }
        };
        self.scopes.push((of.variable.clone(), first));
        if let Some(name) = &of.second {
            self.scopes.push((name.clone(), second));
        }
        self.check(of.condition);
        self.want(of.condition, &Type::Bool);
        self.check(of.step);
        self.want(of.step, &start);
        self.scopes.pop();
        if is_double {
            self.scopes.pop();
        }
        self.check(of.result);
        self.scopes.pop();
        self.bindings.resolve(&self.types[of.result], None)
    }

    fn want(&mut self, id: Id, wanted: &Type) {
        let found = self.types[id].clone();
        if !self.bindings.assignable(wanted, &found) {
            let found = self.bindings.resolve(&found, None).one();
            let wanted = self.bindings.resolve(wanted, None).one();
            let part = self.written(id);
            self.wrong(format!("`{part}` gives {found} where {wanted} is wanted"));
        }
    }
}

fn of_literal(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::Uint(_) => Type::Uint,
        Literal::Double(_) => Type::Double,
        Literal::Text(_) => Type::Text,
        Literal::Bytes(_) => Type::Bytes,
    }
}
