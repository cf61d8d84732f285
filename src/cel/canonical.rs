//! What a rule demands, in a canonical form: neither spelling, nor the order of what commutes, has a meaning.
//!
//! Operators keep what they do with errors: `&&` and `||` give the same in every order, even where an operand fails.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::clause::Clause;
use super::lexer::{Token, tokens};
use super::looped::{Word, quantifier};
use super::parser;
use super::tree::{Expr, Id, Literal, Loop, Tree};

/// Before a name: quoted texts never have it.
pub(super) const NAME: char = '\u{1}';

/// Characters of a value that is repeated for each entry of a list.
const LONGEST_REPEATED: usize = 200;

/// The clauses of a rule, which must all hold; `None` if it cannot be read. `integers` has the names of values that are
/// integers: `self.size`.
pub(crate) fn clauses(rule: &str, integers: &BTreeSet<String>) -> Option<BTreeSet<Clause>> {
    let parsed = parser::parse(rule).ok().filter(|parsed| parsed.unjudged.is_empty())?;
    let reader = Reader {
        tree: &parsed.tree,
        integers,
    };
    let all = match reader.form(parsed.root) {
        Form::And(all) => all,
        one => BTreeSet::from([one]),
    };
    let clauses = all.into_iter().map(|one| match one {
        Form::Or(any) => any.iter().map(Form::text).collect(),
        one => Clause::from([one.text()]),
    });
    // What is true in any case demands nothing: `||` ignores errors beside it.
    Some(clauses.filter(|clause| !clause.contains("true")).collect())
}

/// Whether a clause names the value of before.
pub(crate) fn names_old_self(clause: &Clause) -> bool {
    let name = format!("{NAME}oldSelf");
    clause.iter().any(|condition| condition.contains(&name))
}

/// The clause of a value that is one of some texts.
pub(crate) fn one_of<'v>(texts: impl Iterator<Item = &'v str>) -> Clause {
    texts
        .map(|text| equality([format!("{NAME}self"), format!("{text:?}")], true).text())
        .collect()
}

/// The clause of a value without a field.
pub(crate) fn lacks(field: &str) -> Clause {
    Clause::from([format!("(! (has {NAME}self {field:?}))")])
}

/// The name of the value of before.
const OLD_SELF: &str = "oldSelf";

/// Whether a rule names the value of before.
pub(crate) fn is_transition(rule: &str) -> bool {
    if !rule.contains(OLD_SELF) {
        return false;
    }
    // A text or a comment may have the name, too.
    tokens(rule).map_or(true, |tokens| {
        let mut words = tokens.iter().map(|(word, _)| word);
        words.any(|word| matches!(word, Token::Name(name) if name == OLD_SELF))
    })
}

/// Whether a rule makes the value immutable.
pub(crate) fn is_immutable(rule: &str) -> bool {
    if !rule.contains(OLD_SELF) {
        return false;
    }
    let integers = BTreeSet::new();
    let found = clauses(rule, &integers);
    found.is_some() && found == clauses("self == oldSelf", &integers)
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    And(BTreeSet<Form>),
    Or(BTreeSet<Form>),
    /// A condition or a value that is no condition of others.
    One(String),
}

impl Form {
    fn text(&self) -> String {
        let (sign, parts) = match self {
            Self::One(text) => return text.clone(),
            Self::And(all) => ("&&", all),
            Self::Or(any) => ("||", any),
        };
        let parts: Vec<String> = parts.iter().map(Self::text).collect();
        format!("({sign} {})", parts.join(" "))
    }

    fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::And(all) => all,
            part => BTreeSet::from([part]),
        });
        one_or(parts.collect(), Self::And)
    }

    fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts = parts.into_iter().flat_map(|part| match part {
            Self::Or(any) => any,
            part => BTreeSet::from([part]),
        });
        one_or(parts.collect(), Self::Or)
    }
}

fn one_or(mut parts: BTreeSet<Form>, many: fn(BTreeSet<Form>) -> Form) -> Form {
    match parts.len() {
        1 => parts.pop_first().unwrap_or_else(|| many(BTreeSet::new())),
        _ => many(parts),
    }
}

pub(super) struct Reader<'t> {
    pub(super) tree: &'t Tree,
    pub(super) integers: &'t BTreeSet<String>,
}

impl Reader<'_> {
    fn form(&self, id: Id) -> Form {
        self.signed(id, true)
    }

    pub(super) fn text(&self, id: Id) -> String {
        self.form(id).text()
    }

    /// The form of an expression, or of its negation.
    fn signed(&self, id: Id, holds: bool) -> Form {
        if let Expr::Loop(of) = self.tree.get(id)
            && let Some((word @ (Word::All | Word::Exists), body)) = quantifier(self.tree, of)
        {
            let is_any = word == Word::Exists;
            let text = self.existing(of, body, is_any);
            return Form::One(if is_any == holds { text } else { format!("(! {text})") });
        }
        if let Expr::Call {
            function,
            target: None,
            arguments,
        } = self.tree.get(id)
        {
            match (function.as_str(), arguments.as_slice()) {
                ("!_", [of]) => return self.signed(*of, !holds),
                ("_&&_" | "_||_", parts) => {
                    let parts = parts.iter().map(|part| self.signed(*part, holds));
                    let is_and = (function == "_&&_") == holds;
                    return if is_and { Form::and(parts) } else { Form::or(parts) };
                }
                ("_==_" | "_!=_", [one, other]) => {
                    return equality([self.text(*one), self.text(*other)], (function == "_==_") == holds);
                }
                // `has()` of a field of a variable does not fail.
                ("_?_:_", [test, then, otherwise]) if holds && self.is_test(*test) => {
                    let then = Form::or([self.signed(*test, false), self.form(*then)]);
                    return Form::and([then, Form::or([self.form(*test), self.form(*otherwise)])]);
                }
                ("@in", [value, list]) => {
                    if let Some(form) = self.membership(*value, *list, holds) {
                        return form;
                    }
                }
                _ => {}
            }
        }
        let text = self.plain(id);
        Form::One(if holds { text } else { format!("(! {text})") })
    }

    fn is_test(&self, id: Id) -> bool {
        let Expr::Select {
            operand, tests: true, ..
        } = self.tree.get(id)
        else {
            return false;
        };
        matches!(self.tree.get(*operand), Expr::Name(_))
    }

    /// `x in ['a', 'b']` is `x == 'a' || x == 'b'`.
    fn membership(&self, value: Id, list: Id, holds: bool) -> Option<Form> {
        let Expr::List(items) = self.tree.get(list) else {
            return None;
        };
        let is_literal = items
            .iter()
            .all(|item| !item.is_optional && self.is_constant(item.value));
        let text = self.text(value);
        if items.is_empty() || !is_literal || text.len() > LONGEST_REPEATED {
            return None;
        }
        let parts = items
            .iter()
            .map(|item| equality([text.clone(), self.text(item.value)], holds));
        Some(if holds { Form::or(parts) } else { Form::and(parts) })
    }

    /// Whether it is a literal, or a list of literals.
    fn is_constant(&self, id: Id) -> bool {
        match self.tree.get(id) {
            Expr::Literal(_) => true,
            Expr::List(items) => items
                .iter()
                .all(|item| !item.is_optional && self.is_constant(item.value)),
            _ => false,
        }
    }

    fn plain(&self, id: Id) -> String {
        match self.tree.get(id) {
            Expr::Literal(literal) => literal_text(literal),
            Expr::Name(name) => format!("{NAME}{name}"),
            Expr::Select { operand, field, tests } => {
                let sign = if *tests { "has" } else { "." };
                format!("({sign} {} {field:?})", self.text(*operand))
            }
            Expr::Call {
                function,
                target,
                arguments,
            } => self.call(function, *target, arguments),
            Expr::List(items) => {
                let mut text = "(list".to_owned();
                for item in items {
                    write_part(&mut text, item.is_optional, &self.text(item.value));
                }
                text + ")"
            }
            Expr::Map(entries) => {
                let mut text = "(map".to_owned();
                for entry in entries {
                    write_part(&mut text, entry.value.is_optional, &self.text(entry.key));
                    write_part(&mut text, false, &self.text(entry.value.value));
                }
                text + ")"
            }
            // The names of the fields of a message are not in the tree: no two are taken for equal.
            Expr::Message { name, values } => {
                let values: Vec<String> = values.iter().map(|value| self.text(*value)).collect();
                let span = self.tree.span(id);
                format!("(message {name:?} {}-{} {})", span.start, span.end, values.join(" "))
            }
            Expr::Loop(of) => self.repeated(of),
        }
    }

    fn call(&self, function: &str, target: Option<Id>, arguments: &[Id]) -> String {
        let order = match (function, arguments) {
            ("_<_", [less, more]) | ("_>_", [more, less]) => Some((*less, *more, true)),
            ("_<=_", [less, more]) | ("_>=_", [more, less]) => Some((*less, *more, false)),
            _ => None,
        };
        if let Some((less, more, is_strict)) = order {
            return self.order(less, more, is_strict);
        }
        let parts = target.iter().chain(arguments).map(|part| self.text(*part));
        let parts: Vec<String> = parts.collect();
        // `x.size()` is `size(x)`; other functions may differ from methods of their name.
        let sign = if target.is_some() && function != "size" {
            "."
        } else {
            ""
        };
        format!("({sign}{function:?} {})", parts.join(" "))
    }

    fn order(&self, less: Id, more: Id, is_strict: bool) -> String {
        let [from, to] = [less, more].map(|id| self.text(id));
        let stepped = match (is_strict, self.tree.get(less), self.tree.get(more)) {
            (true, Expr::Literal(Literal::Int(bound)), _) if self.is_integer(more) => {
                bound.checked_add(1).map(|bound| (bound.to_string(), to.clone()))
            }
            (true, _, Expr::Literal(Literal::Int(bound))) if self.is_integer(less) => {
                bound.checked_sub(1).map(|bound| (from.clone(), bound.to_string()))
            }
            _ => None,
        };
        match stepped {
            Some((from, to)) => format!("(<= {from} {to})"),
            None => format!("({} {from} {to})", if is_strict { "<" } else { "<=" }),
        }
    }

    pub(super) fn is_integer(&self, id: Id) -> bool {
        if let Expr::Call { function, .. } = self.tree.get(id) {
            return function == "size";
        }
        let name = self.tree.qualified(id);
        name.is_some_and(|name| self.integers.contains(&name))
    }

    /// That a condition holds, or does not hold, for a value of a list or a map. All values meet it if none does not,
    /// and either fails where the other one does.
    pub(super) fn existing(&self, of: &Loop, body: Id, holds: bool) -> String {
        let integers = self.integers_within(of);
        let inner = Reader {
            tree: self.tree,
            integers: &integers,
        };
        let second = of.second.as_deref().unwrap_or_default();
        let (range, body) = (self.text(of.range), inner.signed(body, holds).text());
        format!("(exists {:?} {second:?} {range} {body})", of.variable)
    }

    /// The names of integers within a loop: a variable may hide a name of the schema.
    fn integers_within(&self, of: &Loop) -> BTreeSet<String> {
        let mut integers = self.integers.clone();
        for variable in std::iter::once(&of.variable).chain(&of.second) {
            let below = format!("{variable}.");
            integers.retain(|name| name != variable && !name.starts_with(&below));
        }
        integers
    }

    fn repeated(&self, of: &Loop) -> String {
        let integers = self.integers_within(of);
        let inner = Reader {
            tree: self.tree,
            integers: &integers,
        };
        let second = of.second.as_deref().unwrap_or_default();
        let parts = [of.start, of.condition, of.step, of.result].map(|part| inner.text(part));
        let range = self.text(of.range);
        format!(
            "(loop {:?} {second:?} {:?} {range} {})",
            of.variable,
            of.accumulator,
            parts.join(" ")
        )
    }
}

fn write_part(text: &mut String, is_optional: bool, part: &str) {
    let sign = if is_optional { " ?" } else { " " };
    text.push_str(sign);
    text.push_str(part);
}

fn equality(mut sides: [String; 2], holds: bool) -> Form {
    sides.sort_unstable();
    let [one, other] = sides;
    let sign = if holds { "==" } else { "!=" };
    Form::One(format!("({sign} {one} {other})"))
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Uint(value) => format!("{value}u"),
        Literal::Double(value) => format!("{value:?}d"),
        Literal::Text(text) => format!("{text:?}"),
        Literal::Bytes(bytes) => bytes.iter().fold("b".to_owned(), |mut text, byte| {
            let written = write!(text, "{byte:02x}");
            debug_assert!(written.is_ok(), "a text takes all that is written");
            text
        }),
    }
}
