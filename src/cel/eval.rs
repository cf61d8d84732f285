//! The value of a rule for one value, where it only needs the simple parts of CEL: literals, fields, `has`, comparison,
//! arithmetic of integers, `size`, `in`, functions of texts, and macros over lists and maps.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::parser;
use super::tree::{Expr, Id, Literal, Loop, Tree};

/// Nodes that are evaluated for one rule.
const MOST_STEPS: usize = 100_000;

/// A value that rules are about. What may be large is shared, as macros name it again for each item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    Text(Rc<str>),
    List(Rc<[Self]>),
    /// An object or a map.
    Map(Rc<BTreeMap<String, Self>>),
    /// A value of another type: nothing is known of it.
    Other,
}

/// Whether a value that is not changed (`oldSelf` is `self`) meets a rule; `None` where that is not known, as the rule
/// needs more of CEL, or fails.
pub(crate) fn meets(rule: &str, value: &Value) -> Option<bool> {
    let parsed = parser::parse(rule).ok().filter(|parsed| parsed.unjudged.is_empty())?;
    truth(&parsed.tree, parsed.root, value)
}

/// The same for a rule that is read.
pub(super) fn truth(tree: &Tree, root: Id, value: &Value) -> Option<bool> {
    let mut run = Run {
        tree,
        own: value,
        variables: Vec::new(),
        steps: 0,
    };
    run.truth(root)
}

/// Whether an expression without names is true; `None` where that is not known.
pub(crate) fn constant(tree: &Tree, id: Id) -> Option<bool> {
    truth(tree, id, &Value::Other)
}

struct Run<'r> {
    tree: &'r Tree,
    own: &'r Value,
    /// The variables of macros, the innermost last.
    variables: Vec<(&'r str, Option<Value>)>,
    steps: usize,
}

impl<'r> Run<'r> {
    fn truth(&mut self, id: Id) -> Option<bool> {
        match self.value(id)? {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    fn value(&mut self, id: Id) -> Option<Value> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let tree = self.tree;
        match tree.get(id) {
            Expr::Literal(Literal::Bool(value)) => Some(Value::Bool(*value)),
            Expr::Literal(Literal::Int(value)) => Some(Value::Int(*value)),
            Expr::Literal(Literal::Text(value)) => Some(Value::Text(value.as_str().into())),
            Expr::Name(name) => self.named(name),
            Expr::Select { operand, field, tests } => self.selected(*operand, field, *tests),
            Expr::Call {
                function,
                target,
                arguments,
            } => self.call(function, target.iter().chain(arguments).copied().collect()),
            Expr::List(items) => {
                let items = items
                    .iter()
                    .map(|item| self.value(item.value).filter(|_| !item.is_optional));
                items.collect::<Option<_>>().map(Value::List)
            }
            Expr::Loop(of) => self.repeated(of),
            Expr::Map(entries) if entries.is_empty() => Some(Value::Map(Rc::default())),
            Expr::Literal(_) | Expr::Map(_) | Expr::Message { .. } => None,
        }
    }

    fn named(&self, name: &str) -> Option<Value> {
        let mut variables = self.variables.iter().rev();
        match variables.find(|(variable, _)| *variable == name) {
            Some((_, value)) => value.clone(),
            None => (name == "self" || name == "oldSelf").then(|| self.own.clone()),
        }
    }

    fn selected(&mut self, operand: Id, field: &str, tests: bool) -> Option<Value> {
        let Value::Map(fields) = self.value(operand)? else {
            return None;
        };
        // Rules write some names otherwise.
        if field.contains("__") {
            return None;
        }
        match (tests, fields.get(field)) {
            (true, found) => Some(Value::Bool(found.is_some())),
            (false, found) => found.cloned(),
        }
    }

    fn call(&mut self, function: &str, operands: Vec<Id>) -> Option<Value> {
        match (function, operands.as_slice()) {
            ("_&&_" | "_||_", parts) => {
                let deciding = function == "_||_";
                let values: Vec<Option<bool>> = parts.iter().map(|part| self.truth(*part)).collect();
                let decided = values.contains(&Some(deciding));
                (decided || !values.contains(&None)).then_some(Value::Bool(decided == deciding))
            }
            ("_?_:_", [test, then, otherwise]) => {
                let chosen = if self.truth(*test)? { *then } else { *otherwise };
                self.value(chosen)
            }
            // What is not known may still be false.
            ("@not_strictly_false", [of]) => Some(Value::Bool(self.truth(*of).unwrap_or(true))),
            _ => {
                let values = operands.into_iter().map(|operand| self.value(operand));
                applied(function, &values.collect::<Option<Vec<_>>>()?)
            }
        }
    }

    fn repeated(&mut self, of: &'r Loop) -> Option<Value> {
        let items = match self.value(of.range)? {
            Value::List(items) if of.second.is_none() => items,
            Value::Map(entries) if of.second.is_none() => {
                entries.keys().map(|key| Value::Text(key.as_str().into())).collect()
            }
            _ => return None,
        };
        let start = self.value(of.start);
        self.variables.push((&of.accumulator, start));
        let at = self.variables.len() - 1;
        for item in items.iter().cloned() {
            if self.truth(of.condition) == Some(false) {
                break;
            }
            self.variables.push((&of.variable, Some(item)));
            let step = self.value(of.step);
            self.variables.truncate(at + 1);
            self.variables[at].1 = step;
        }
        let result = self.value(of.result);
        self.variables.truncate(at);
        result
    }
}

/// The value of a function or an operator of known values.
fn applied(function: &str, operands: &[Value]) -> Option<Value> {
    use Value::{Bool, Int, List, Map, Text};
    let value = match (function, operands) {
        ("!_", [Bool(value)]) => Bool(!value),
        ("-_", [Int(value)]) => Int(value.checked_neg()?),
        ("_==_", [one, other]) => Bool(equal(one, other)?),
        ("_!=_", [one, other]) => Bool(!equal(one, other)?),
        ("_<_", [one, other]) => Bool(order(one, other)?.is_lt()),
        ("_<=_", [one, other]) => Bool(order(one, other)?.is_le()),
        ("_>_", [one, other]) => Bool(order(one, other)?.is_gt()),
        ("_>=_", [one, other]) => Bool(order(one, other)?.is_ge()),
        ("_+_", [Int(one), Int(other)]) => Int(one.checked_add(*other)?),
        ("_-_", [Int(one), Int(other)]) => Int(one.checked_sub(*other)?),
        ("_*_", [Int(one), Int(other)]) => Int(one.checked_mul(*other)?),
        ("_/_", [Int(one), Int(other)]) => Int(one.checked_div(*other)?),
        ("_%_", [Int(one), Int(other)]) => Int(one.checked_rem(*other)?),
        ("_+_", [Text(one), Text(other)]) => Text(format!("{one}{other}").into()),
        ("_+_", [List(one), List(other)]) => List([&**one, &**other].concat().into()),
        ("size", [Text(text)]) => length(text.chars().count())?,
        ("size", [List(items)]) => length(items.len())?,
        ("size", [Map(entries)]) => length(entries.len())?,
        ("_[_]", [List(items), Int(at)]) => items.get(usize::try_from(*at).ok()?)?.clone(),
        ("_[_]", [Map(entries), Text(key)]) => entries.get(&**key)?.clone(),
        ("@in", [Text(key), Map(entries)]) => Bool(entries.contains_key(&**key)),
        ("@in", [value, List(items)]) => {
            let equals = items.iter().map(|item| equal(value, item));
            Bool(equals.collect::<Option<Vec<_>>>()?.contains(&true))
        }
        ("startsWith", [Text(text), Text(part)]) => Bool(text.starts_with(&**part)),
        ("endsWith", [Text(text), Text(part)]) => Bool(text.ends_with(&**part)),
        ("contains", [Text(text), Text(part)]) => Bool(text.contains(&**part)),
        _ => return None,
    };
    Some(value)
}

fn length(count: usize) -> Option<Value> {
    i64::try_from(count).ok().map(Value::Int)
}

/// Whether two scalars of one type are equal, or two values are the same. Sets and maps have an equality of their own.
fn equal(one: &Value, other: &Value) -> Option<bool> {
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => Some(one == other),
        _ if is_known(one) && one == other => Some(true),
        _ => order(one, other).map(std::cmp::Ordering::is_eq),
    }
}

fn is_known(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Text(_) => true,
        Value::List(items) => items.iter().all(is_known),
        Value::Map(entries) => entries.values().all(is_known),
        Value::Other => false,
    }
}

fn order(one: &Value, other: &Value) -> Option<std::cmp::Ordering> {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => Some(one.cmp(other)),
        (Value::Text(one), Value::Text(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_rules_have_a_value_and_others_none() {
        let text = |text: &str| Value::Text(text.into());
        let list = Value::List([Value::Int(1), Value::Int(5)].into());
        let fields = [
            ("name", text("ab")),
            ("size", Value::Int(3)),
            ("list", list),
            ("on", Value::Bool(true)),
            ("real", Value::Other),
        ];
        let own = Value::Map(Rc::new(fields.map(|(name, value)| (name.to_owned(), value)).into()));
        for (rule, expected) in [
            ("size(self.list) > 1 && self.name.size() == 2", Some(true)),
            ("self.name.startsWith('b') || self.size % 2 == 0", Some(false)),
            ("self.list.all(x, x < 5)", Some(false)),
            ("self.list.exists(x, x == self.size + 2)", Some(true)),
            ("self.list.exists_one(x, x > 0)", Some(false)),
            ("self.list.map(x, x * 2)[1] == 10", Some(true)),
            ("self.list.filter(x, x > 1).size() == 1", Some(true)),
            ("has(self.other) ? self.other > 1 : self.on", Some(true)),
            ("self.size in [1, 2] || !('name' in self)", Some(false)),
            ("self.all(key, key.size() > 1)", Some(true)),
            // Beside what is false, the unknown has no effect.
            ("self.real > 1.5 && self.size > 9", Some(false)),
            ("self.list.all(x, x < 5 && self.real > 1.5)", Some(false)),
            ("self.real > 1.5", None),
            ("self.other == 1", None),
            ("self.list == [1, 5]", Some(true)),
            ("self.list == [5, 1]", None),
            ("self.name.matches('^a')", None),
            ("self.size / 0 == 1", None),
            ("self == oldSelf", None),
            ("self.list == oldSelf.list && self.size >= oldSelf.size", Some(true)),
            ("self.size > oldSelf.size", Some(false)),
            ("self.size >", None),
        ] {
            assert_eq!(meets(rule, &own), expected, "{rule}");
        }
    }
}
