//! Whether a rule about updates holds where nothing changes.
//!
//! A rule that allows no change (`self == oldSelf`) demands more than any such rule.

use std::collections::{BTreeMap, BTreeSet};

use super::canonical::{NAME, Reader, clauses};
use super::clause::{Clause, is_in};
use super::known::Known;
use super::parser;
use super::tree::{Expr, Id, Literal, Tree};

/// Presences of fields that are tried in all combinations.
const MOST_PRESENCES: usize = 8;

/// Whether all updates that one of some clauses accepts meet a rule, as one of the alternatives of the clause is that
/// nothing changes, and the rule has the others too. If that is not known, they do not.
pub(crate) fn is_implied_by_no_change(rule: &str, by: &BTreeSet<Clause>, known: &Known) -> bool {
    let unchanged = format!("(== {NAME}oldSelf {NAME}self)");
    let mut frozen = by.iter().filter(|clause| clause.contains(&unchanged)).peekable();
    if frozen.peek().is_none() {
        return false;
    }
    let Some(demanded) = clauses(rule, &BTreeSet::new()) else {
        return false;
    };
    frozen.any(|clause| {
        let others: Vec<&String> = clause.iter().filter(|condition| **condition != unchanged).collect();
        demanded
            .iter()
            .all(|demand| others.iter().all(|other| is_in(other, demand)))
            && holds_unchanged(rule, &others, known)
    })
}

/// Whether a rule holds for an update that changes nothing, where some conditions do not hold.
fn holds_unchanged(rule: &str, failing: &[&String], known: &Known) -> bool {
    let Ok(mut parsed) = parser::parse(rule) else {
        return false;
    };
    let mut presences = BTreeSet::new();
    for id in 0..parsed.tree.len() {
        match parsed.tree.get(id) {
            Expr::Name(name) if name == "self" => parsed.tree.replace(id, Expr::Name("oldSelf".to_owned())),
            // A variable may have the name of the object.
            Expr::Loop(_) => return false,
            _ => {}
        }
    }
    let integers = BTreeSet::new();
    let reader = Reader {
        tree: &parsed.tree,
        integers: &integers,
    };
    for id in 0..parsed.tree.len() {
        if let Expr::Select { tests: true, .. } = parsed.tree.get(id) {
            presences.insert(reader.text(id));
        }
    }
    if presences.len() > MOST_PRESENCES {
        return false;
    }
    (0..1_u32 << presences.len()).all(|combination| {
        let set = presences.iter().enumerate();
        let set: BTreeMap<&str, bool> = set
            .map(|(at, text)| (text.as_str(), combination >> at & 1 == 1))
            .collect();
        let state = Unchanged {
            tree: &parsed.tree,
            reader: &reader,
            known,
            set,
        };
        state.contradicts(failing) || state.truth(parsed.root) == Some(true)
    })
}

/// An update that changes nothing.
struct Unchanged<'u> {
    tree: &'u Tree,
    reader: &'u Reader<'u>,
    known: &'u Known,
    /// Which fields are set, by the canonical form of `has()`.
    set: BTreeMap<&'u str, bool>,
}

impl Unchanged<'_> {
    /// Whether one of some conditions holds that do not.
    fn contradicts(&self, failing: &[&String]) -> bool {
        self.set.iter().any(|(presence, is_set)| {
            let holds = if *is_set {
                (*presence).to_owned()
            } else {
                format!("(! {presence})")
            };
            failing.contains(&&holds)
        })
    }

    /// Whether an expression is true; `None` if that is not known, or its evaluation may fail.
    fn truth(&self, id: Id) -> Option<bool> {
        match self.tree.get(id) {
            Expr::Literal(Literal::Bool(value)) => Some(*value),
            Expr::Select {
                operand, tests: true, ..
            } if self.is_there(*operand) => self.set.get(self.reader.text(id).as_str()).copied(),
            Expr::Call {
                function,
                target: None,
                arguments,
            } => self.call(function, arguments),
            _ => None,
        }
    }

    fn call(&self, function: &str, arguments: &[Id]) -> Option<bool> {
        match (function, arguments) {
            ("!_", [of]) => self.truth(*of).map(|holds| !holds),
            ("_&&_", parts) => self.joined(parts, false),
            ("_||_", parts) => self.joined(parts, true),
            ("_?_:_", [test, then, otherwise]) => self.truth(if self.truth(*test)? { *then } else { *otherwise }),
            ("_==_", [one, other]) => self.equal(*one, *other),
            ("_!=_", [one, other]) => self.equal(*one, *other).map(|holds| !holds),
            ("_<=_" | "_>=_", [one, other]) => self.is_same(*one, *other).then_some(true),
            _ => None,
        }
    }

    fn joined(&self, parts: &[Id], deciding: bool) -> Option<bool> {
        let values: Vec<Option<bool>> = parts.iter().map(|part| self.truth(*part)).collect();
        if values.contains(&Some(deciding)) {
            return Some(deciding);
        }
        (!values.contains(&None)).then_some(!deciding)
    }

    fn equal(&self, one: Id, other: Id) -> Option<bool> {
        match (self.truth(one), self.truth(other)) {
            (Some(one), Some(other)) => Some(one == other),
            _ => self.is_same(one, other).then_some(true),
        }
    }

    fn is_same(&self, one: Id, other: Id) -> bool {
        self.is_there(one) && self.is_there(other) && self.reader.text(one) == self.reader.text(other)
    }

    /// Whether a value can be read without an error.
    fn is_there(&self, id: Id) -> bool {
        match self.tree.get(id) {
            Expr::Name(name) => name == "oldSelf",
            Expr::Literal(_) => true,
            Expr::Select {
                operand,
                field,
                tests: false,
            } => {
                let presence = format!("(has {} {field:?})", self.reader.text(*operand));
                let is_of_object = matches!(self.tree.get(*operand), Expr::Name(_));
                let is_set = self.set.get(presence.as_str()) == Some(&true);
                self.is_there(*operand) && (is_set || is_of_object && self.known.is_always_set(field))
            }
            Expr::Call {
                function,
                target,
                arguments,
            } if function == "size" => target.iter().chain(arguments).all(|part| self.is_there(*part)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::known::{Facts, Field};
    use super::*;

    #[test]
    fn what_allows_no_change_demands_more() {
        let mut facts = Facts::default();
        facts.add(
            "type",
            Field {
                is_set: Some(true),
                value: Known::Any,
            },
        );
        let known = Known::Object(Rc::new(facts));
        let frozen = "!has(oldSelf.name) || self == oldSelf";
        for (rule, by, expected) in [
            (
                "!has(oldSelf.name) || has(self.name) && self.name == oldSelf.name",
                frozen,
                true,
            ),
            (
                "!has(oldSelf.name) || has(self.labels) == has(oldSelf.labels) && \
                 (!has(self.labels) || self.labels == oldSelf.labels)",
                frozen,
                true,
            ),
            // `name` may be set for the first time together with a change of `size`.
            ("has(self.name) && self.name == oldSelf.name", frozen, false),
            ("has(self.name) == has(oldSelf.name)", frozen, false),
            ("has(self.name) == has(oldSelf.name)", "self == oldSelf", true),
            ("self.type == oldSelf.type", "self == oldSelf", true),
            ("self.type == oldSelf.type && self.size > 1", "self == oldSelf", false),
            // Reading a field that is not set fails.
            ("self.name == oldSelf.name", "self == oldSelf", false),
            ("has(oldSelf.spec.name)", "self == oldSelf", false),
            ("self.type != oldSelf.type", "self == oldSelf", false),
            (
                "!has(self.labels) || self.labels.size() >= size(oldSelf.labels)",
                "self == oldSelf",
                true,
            ),
            ("oldSelf.all(self, self == oldSelf)", "self == oldSelf", false),
            (
                "!has(oldSelf.name) || self.type == oldSelf.type",
                "has(oldSelf.name) || self == oldSelf",
                false,
            ),
            ("self.type == oldSelf.type", "self.type == oldSelf.type", false),
        ] {
            let by = clauses(by, &BTreeSet::new()).expect("it can be read");
            assert_eq!(is_implied_by_no_change(rule, &by, &known), expected, "{rule}");
        }
    }
}
