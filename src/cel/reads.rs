//! What a rule reads of its value: `self.a.all(x, has(x.b))` reads how many items `a` has, and whether each has `b`.
//!
//! Two rules that read nothing in common say nothing about one another.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::parser;
use super::tree::{Expr, Id, Loop, Tree};

/// A step to a part of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Field(String),
    /// An item of a list, or a value of a map.
    Each,
    /// A field or a value: `self['a']`.
    Any,
}

impl Step {
    fn may_be(&self, other: &Self) -> bool {
        self == other || [self, other].contains(&&Self::Any)
    }
}

/// What is read of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    All,
    /// How many values it has.
    Count,
    /// Whether it is set.
    Presence,
}

/// A part of a value, and what is read of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Read {
    path: Vec<Step>,
    what: What,
}

impl Read {
    /// Whether it reads something that another one does, which is about a part of the same value.
    fn meets(&self, other: &Self) -> bool {
        let mut steps = self.path.iter().zip(&other.path);
        let outer = match self.path.len().cmp(&other.path.len()) {
            Ordering::Less => self.what,
            Ordering::Equal => What::All,
            Ordering::Greater => other.what,
        };
        // How many values a part has says nothing about what is in them.
        outer != What::Count && steps.all(|(one, other)| one.may_be(other))
    }
}

/// What a rule reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reads(Vec<Read>);

impl Reads {
    /// What a rule reads of its value; `None` if that cannot be told.
    pub(crate) fn of(rule: &str) -> Option<Self> {
        let parsed = parser::parse(rule).ok().filter(|parsed| parsed.unjudged.is_empty())?;
        let mut reader = Reader {
            tree: &parsed.tree,
            // What is read of the value before an update says something about it.
            names: ["self", "oldSelf"]
                .map(|name| (name.to_owned(), vec![Value::at(Vec::new())]))
                .into(),
            found: Vec::new(),
        };
        let value = reader.value(parsed.root);
        reader.read(value);
        Some(Self(reader.found))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it reads something that another rule does, whose value is a part of the one of this rule.
    pub(crate) fn meet(&self, others: &Self, path: &[Step]) -> bool {
        others.0.iter().any(|other| {
            let other = Read {
                path: [path, &other.path].concat(),
                ..*other
            };
            // Where a part is not set, its rules are not evaluated.
            let own = self.0.iter();
            let mut own = own.filter(|own| own.what != What::Presence || own.path.len() > path.len());
            own.any(|own| own.meets(&other))
        })
    }
}

/// The parts of the rule's value that an expression may be, and that may be in a list that it makes.
#[derive(Debug, Clone, Default)]
struct Value {
    parts: Vec<Vec<Step>>,
    in_list: Vec<Vec<Step>>,
}

impl Value {
    fn at(path: Vec<Step>) -> Self {
        Self {
            parts: vec![path],
            in_list: Vec::new(),
        }
    }

    fn or(mut self, other: Self) -> Self {
        let parts = other.parts.into_iter().filter(|part| !self.parts.contains(part));
        let parts: Vec<_> = parts.collect();
        self.parts.extend(parts);
        let in_list = other.in_list.into_iter().filter(|part| !self.in_list.contains(part));
        let in_list: Vec<_> = in_list.collect();
        self.in_list.extend(in_list);
        self
    }

    /// What is a step away from it.
    fn step(&self, step: &Step) -> Vec<Vec<Step>> {
        let parts = self.parts.iter();
        parts.map(|path| [path, std::slice::from_ref(step)].concat()).collect()
    }

    /// One of its items.
    fn item(&self) -> Self {
        let parts = self.step(&Step::Any).into_iter().chain(self.in_list.iter().cloned());
        Self {
            parts: parts.collect(),
            in_list: Vec::new(),
        }
    }
}

struct Reader<'t> {
    tree: &'t Tree,
    /// What names stand for; the innermost last.
    names: BTreeMap<String, Vec<Value>>,
    found: Vec<Read>,
}

impl Reader<'_> {
    fn add(&mut self, path: Vec<Step>, what: What) {
        let read = Read { path, what };
        if !self.found.contains(&read) {
            self.found.push(read);
        }
    }

    /// All of a value is read.
    fn read(&mut self, value: Value) {
        for path in value.parts.into_iter().chain(value.in_list) {
            self.add(path, What::All);
        }
    }

    /// How many values are in it, or whether it is set, is read.
    fn read_of(&mut self, value: &Value, what: What) {
        for path in &value.parts {
            self.add(path.clone(), what);
        }
    }

    /// Whether it reads something of a value.
    fn reads_any(&self, value: &Value) -> bool {
        let mut found = self.found.iter();
        found.any(|read| value.parts.iter().any(|part| read.path.starts_with(part)))
    }

    fn value(&mut self, id: Id) -> Value {
        match self.tree.get(id) {
            Expr::Literal(_) => Value::default(),
            Expr::Name(name) => {
                let known = self.names.get(name).and_then(|values| values.last());
                known.cloned().unwrap_or_default()
            }
            Expr::Select { operand, field, tests } => {
                let parts = self.value(*operand).step(&Step::Field(field.clone()));
                let value = Value {
                    parts,
                    ..Value::default()
                };
                if !*tests {
                    return value;
                }
                self.read_of(&value, What::Presence);
                Value::default()
            }
            Expr::Call {
                function,
                target,
                arguments,
            } => {
                let operands: Vec<Id> = target.iter().chain(arguments).copied().collect();
                self.call(function, &operands)
            }
            Expr::List(items) => {
                let items = items.iter().map(|item| self.value(item.value));
                let all = items.fold(Value::default(), Value::or);
                Value {
                    parts: Vec::new(),
                    in_list: all.parts.into_iter().chain(all.in_list).collect(),
                }
            }
            Expr::Map(_) | Expr::Message { .. } => {
                self.read_all(&self.tree.get(id).children());
                Value::default()
            }
            Expr::Loop(of) => self.repeated(of),
        }
    }

    fn read_all(&mut self, operands: &[Id]) {
        for operand in operands {
            let value = self.value(*operand);
            self.read(value);
        }
    }

    fn call(&mut self, function: &str, operands: &[Id]) -> Value {
        match (function, operands) {
            ("_?_:_", [test, then, otherwise]) => {
                self.read_all(&[*test]);
                self.value(*then).or(self.value(*otherwise))
            }
            ("_[_]", [of, at]) => {
                self.read_all(&[*at]);
                self.value(*of).item()
            }
            ("size", [of]) => {
                let of = self.value(*of);
                self.read_of(&of, What::Count);
                Value::default()
            }
            // Lists are joined; of numbers and texts, all is read.
            ("_+_", [one, other]) => {
                let Value { parts, in_list } = self.value(*one).or(self.value(*other));
                self.read(Value {
                    parts,
                    ..Value::default()
                });
                Value {
                    parts: Vec::new(),
                    in_list,
                }
            }
            _ => {
                self.read_all(operands);
                Value::default()
            }
        }
    }

    fn repeated(&mut self, of: &Loop) -> Value {
        let range = self.value(of.range);
        let start = self.value(of.start);
        let item = range.item();
        let mut names = vec![(&of.variable, item.clone()), (&of.accumulator, start.clone())];
        names.extend(of.second.as_ref().map(|second| (second, item)));
        for (name, value) in &names {
            self.names.entry((*name).clone()).or_default().push(value.clone());
        }
        self.read_all(&[of.condition]);
        let result = start.or(self.value(of.step));
        // If nothing is asked of the values, what counts is how many there are.
        if !self.reads_any(&range.item()) {
            self.read_of(&range, What::Count);
        }
        for (name, _) in &names {
            self.names.get_mut(*name).and_then(Vec::pop);
        }
        let accumulated = self.names.entry(of.accumulator.clone()).or_default();
        accumulated.push(result);
        let result = self.value(of.result);
        self.names.get_mut(&of.accumulator).and_then(Vec::pop);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<Step> {
        let steps = text.split('.').filter(|step| !step.is_empty());
        let steps = steps.map(|step| match step {
            "[]" => Step::Each,
            name => Step::Field(name.to_owned()),
        });
        steps.collect()
    }

    /// Whether a rule of an object reads something that a rule of a part of it does.
    fn meet(rule: &str, at: &str, other: &str) -> bool {
        let [own, others] = [rule, other].map(|rule| Reads::of(rule).expect("it can be read"));
        own.meet(&others, &path(at))
    }

    #[test]
    fn rules_that_read_nothing_in_common_do_not_meet() {
        for (rule, at, other, expected) in [
            ("self.a == 'x'", "a", "self != 'x'", true),
            ("self.a == 'x'", "b", "self != 'x'", false),
            ("has(self.a)", "a", "self != 'x'", false),
            ("!has(self.a) || self.a != 'x'", "a", "self != 'x'", true),
            ("size(self.a) < 3", "a", "self.size() < 4", true),
            ("size(self.a) < 3", "a.[]", "self != 'x'", false),
            ("self.a.all(x, x != 'x')", "a.[]", "self != 'x'", true),
            ("self.a.all(x, !has(x.b))", "a.[].c", "self != 'x'", false),
            ("self.a.all(x, !has(x.b))", "a.[]", "!has(self.b)", true),
            ("self.a.all(x, !has(x.b))", "a.[]", "!has(self.c)", false),
            ("self.a.all(x, x.b == 'x')", "a.[].b", "self != 'x'", true),
            ("self.a == self.b", "a.[].c", "self != 'x'", true),
            (
                "(has(self.a) ? self.a : self.b).all(x, x > 1)",
                "b.[]",
                "self > 1",
                true,
            ),
            (
                "(has(self.a) ? self.a : self.b).all(x, x > 1)",
                "c.[]",
                "self > 1",
                false,
            ),
            (
                "self.a.filter(x, x.k == 'A').size() < 2",
                "a.[].l",
                "self.size() < 2",
                false,
            ),
            ("self.a.filter(x, x.k == 'A').size() < 2", "a.[].k", "self != 'B'", true),
            ("self.a.filter(x, x.k == 'A').all(x, x.l)", "a.[]", "self.l", true),
            ("self.a.filter(x, x.k == 'A') == []", "a.[].l", "self", true),
            ("self.a.map(x, x.b).all(b, b > 1)", "a.[].b", "self > 1", true),
            ("self.a.map(x, x.b).all(b, b > 1)", "a.[].c", "self > 1", false),
            ("self['a'] == 'x'", "a", "self != 'x'", true),
            ("(self.a + self.b).all(x, x > 1)", "b.[]", "self > 1", true),
            (
                "(self.a.map(x, x.c) + self.b).all(x, x > 1)",
                "a.[].d",
                "self > 1",
                false,
            ),
            ("self.a.all(x, self.b.all(x, x > 1))", "a.[]", "self > 1", false),
            ("self.a.all(k, self.a[k] > 1)", "a.[]", "self > 1", true),
            ("self.a[?'b'].orValue(1) > 1", "a.b", "self > 1", true),
            (
                "self.a.exists(x, has(x.b))",
                "a",
                "self.filter(x, x.k == 'A').size() < 2",
                false,
            ),
            (
                "self.a.exists(x, has(x.k))",
                "a",
                "self.filter(x, x.k == 'A').size() < 2",
                true,
            ),
            ("self.a.map(x, x.b).size() < 3", "a", "self.size() < 4", true),
            ("self.a.exists(x, true)", "a", "self.size() > 0", true),
            ("'x' in self.a", "a", "!('y' in self)", true),
        ] {
            assert_eq!(meet(rule, at, other), expected, "{rule}\n{at}\n{other}");
        }
    }
}
