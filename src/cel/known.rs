//! Whether a rule holds for every object of which some facts are known.

use std::collections::{BTreeMap, BTreeSet};

use super::parser::{self, Parsed};
use super::tree::{Expr, Id, Literal, Tree};

/// What is known of the fields of all objects, now and before an update.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    fields: BTreeMap<String, Field>,
}

/// What is known of a field.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field {
    /// Whether all objects have it, or none.
    pub(crate) is_set: Option<bool>,
    /// The texts that it may have, where only these are valid.
    pub(crate) texts: Option<BTreeSet<String>>,
}

impl Facts {
    /// Adds what is known of a field. A name that rules write otherwise is left out.
    pub(crate) fn add(&mut self, name: &str, field: Field) {
        if !name.contains("__") {
            self.fields.insert(name.to_owned(), field);
        }
    }

    /// The same for the objects whose field has a text.
    fn where_text(&self, name: &str, text: &str) -> Self {
        let mut fields = self.fields.clone();
        if let Some(field) = fields.get_mut(name) {
            field.texts = Some(BTreeSet::from([text.to_owned()]));
        }
        Self { fields }
    }

    /// Whether all objects have a field.
    pub(super) fn is_always_set(&self, name: &str) -> bool {
        self.fields.get(name).is_some_and(|field| field.is_set == Some(true))
    }
}

/// Texts of a field that are tried one by one.
const MOST_TEXTS: usize = 32;

/// Fields of one rule whose texts are tried.
const MOST_FIELDS: usize = 16;

/// Whether a rule holds for every object of these facts. If that is not known, it does not.
pub(crate) fn always_holds(rule: &str, facts: &Facts) -> bool {
    let Ok(parsed) = parser::parse(rule) else { return false };
    parsed.unjudged.is_empty() && (holds(&parsed, facts) || holds_by_text(&parsed, facts))
}

fn holds(rule: &Parsed, facts: &Facts) -> bool {
    let reader = Reader {
        tree: &rule.tree,
        facts,
    };
    reader.truth(rule.root) == Some(true)
}

/// Whether a rule holds whichever text one of the fields has.
fn holds_by_text(rule: &Parsed, facts: &Facts) -> bool {
    let fields = rule.tree.fields().into_iter();
    let known = fields.filter_map(|name| facts.fields.get(&name).map(|field| (name, field.clone())));
    let known = Facts {
        fields: known.collect(),
    };
    let listed = known.fields.iter().filter_map(|(name, field)| {
        let texts = field.texts.as_ref()?;
        (2..=MOST_TEXTS).contains(&texts.len()).then_some((name, texts))
    });
    let mut listed = listed.take(MOST_FIELDS);
    listed.any(|(name, texts)| texts.iter().all(|text| holds(rule, &known.where_text(name, text))))
}

struct Reader<'r> {
    tree: &'r Tree,
    facts: &'r Facts,
}

impl Reader<'_> {
    /// The value of a condition, if it is the same for all objects. An error is no value.
    fn truth(&self, id: Id) -> Option<bool> {
        match self.tree.get(id) {
            Expr::Literal(Literal::Bool(value)) => Some(*value),
            Expr::Select {
                operand,
                field,
                tests: true,
            } => self.field(*operand, field)?.is_set,
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
            // An operand that decides the value also does so beside an error.
            ("_&&_", parts) => self.joined(parts, false),
            ("_||_", parts) => self.joined(parts, true),
            ("_?_:_", [test, then, otherwise]) => self.truth(if self.truth(*test)? { *then } else { *otherwise }),
            ("_<=_", [less, more]) | ("_>=_", [more, less]) => self.is_at_most(*less, *more),
            ("_<_", [less, more]) | ("_>_", [more, less]) => self.is_at_most(*more, *less).map(|holds| !holds),
            ("_==_", [one, other]) => self.equal(*one, *other),
            ("_!=_", [one, other]) => self.equal(*one, *other).map(|holds| !holds),
            ("@in", [value, list]) => {
                let Expr::List(items) = self.tree.get(*list) else {
                    return None;
                };
                let listed = items
                    .iter()
                    .map(|item| self.text(item.value).filter(|_| !item.is_optional));
                let listed: BTreeSet<&str> = listed.collect::<Option<_>>()?;
                within(self.texts(*value)?, &listed)
            }
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

    /// Whether a number is at most another one.
    fn is_at_most(&self, less: Id, more: Id) -> Option<bool> {
        let ([low, high], [least, most]) = (self.range(less)?, self.range(more)?);
        match () {
            () if high <= least => Some(true),
            () if low > most => Some(false),
            () => None,
        }
    }

    /// The least and the greatest integer that an expression may be.
    fn range(&self, id: Id) -> Option<[i64; 2]> {
        match self.tree.get(id) {
            Expr::Literal(Literal::Int(value)) => Some([*value; 2]),
            Expr::Call {
                function,
                target: None,
                arguments,
            } => match (function.as_str(), arguments.as_slice()) {
                ("_+_", [one, other]) => {
                    let (one, other) = (self.range(*one)?, self.range(*other)?);
                    Some([one[0].checked_add(other[0])?, one[1].checked_add(other[1])?])
                }
                ("_?_:_", [test, then, otherwise]) => match self.truth(*test) {
                    Some(holds) => self.range(if holds { *then } else { *otherwise }),
                    None if self.is_test(*test) => {
                        let (one, other) = (self.range(*then)?, self.range(*otherwise)?);
                        Some([one[0].min(other[0]), one[1].max(other[1])])
                    }
                    None => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is `has()` of a field of the object, which does not fail.
    fn is_test(&self, id: Id) -> bool {
        let Expr::Select {
            operand, tests: true, ..
        } = self.tree.get(id)
        else {
            return false;
        };
        matches!(self.tree.get(*operand), Expr::Name(of) if of == "self" || of == "oldSelf")
    }

    fn equal(&self, one: Id, other: Id) -> Option<bool> {
        if let (Some([low, high]), Some([least, most])) = (self.range(one), self.range(other)) {
            return match () {
                () if low == high && [low, high] == [least, most] => Some(true),
                () if high < least || most < low => Some(false),
                () => None,
            };
        }
        if let (Some(one), Some(other)) = (self.truth(one), self.truth(other)) {
            return Some(one == other);
        }
        let (field, text) = match (self.text(one), self.text(other)) {
            (None, Some(text)) => (one, text),
            (Some(text), None) => (other, text),
            _ => return None,
        };
        within(self.texts(field)?, &BTreeSet::from([text]))
    }

    fn text(&self, id: Id) -> Option<&str> {
        match self.tree.get(id) {
            Expr::Literal(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The texts that a field may have, if all objects have it: otherwise reading it may fail.
    fn texts(&self, id: Id) -> Option<&BTreeSet<String>> {
        let Expr::Select {
            operand,
            field,
            tests: false,
        } = self.tree.get(id)
        else {
            return None;
        };
        let known = self.field(*operand, field)?;
        known.texts.as_ref().filter(|_| known.is_set == Some(true))
    }

    fn field(&self, operand: Id, name: &str) -> Option<&Field> {
        let is_object = matches!(self.tree.get(operand), Expr::Name(of) if of == "self" || of == "oldSelf");
        self.facts.fields.get(name).filter(|_| is_object)
    }
}

/// Whether all texts are among some, or none is.
fn within(texts: &BTreeSet<String>, among: &BTreeSet<&str>) -> Option<bool> {
    let found = texts.iter().filter(|text| among.contains(text.as_str())).count();
    match found {
        0 if !texts.is_empty() => Some(false),
        all if all == texts.len() && all > 0 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_decided_by_what_is_known() {
        let mut facts = Facts::default();
        let field = |is_set, texts: &[&str]| Field {
            is_set: Some(is_set),
            texts: (!texts.is_empty()).then(|| texts.iter().map(|text| (*text).to_owned()).collect()),
        };
        facts.add("new", field(false, &[]));
        facts.add("other", field(false, &[]));
        facts.add("type", field(true, &["a", "b"]));
        facts.add(
            "mode",
            Field {
                is_set: None,
                ..field(true, &["a"])
            },
        );
        for (rule, expected) in [
            ("!(!has(self.new) && self.type == 'c')", true),
            ("has(self.new) == has(self.other)", true),
            ("has(self.new) == false || self.new > 1", true),
            ("self.type != 'a' || (has(self.new) == has(self.other))", true),
            ("self.type in ['a', 'b', 'c']", true),
            ("!(self.type in ['c'])", true),
            ("self.type in ['a'] ? has(self.new) : true", false),
            ("self.type in ['a'] || self.type == 'b'", true),
            ("self.type == 'a' ? !has(self.new) : self.type == 'b'", true),
            ("self.type in ['a'] || self.type == 'c'", false),
            ("has(self.new) ? self.size > 1 : self.type != 'c'", true),
            ("self.type != 'a'", false),
            ("has(self.type)", true),
            ("has(self.new)", false),
            // Reading a field that is not set fails.
            ("self.mode != 'c'", false),
            ("self.mode != 'c' || !has(self.new)", true),
            ("has(x.new) || !has(x.new)", false),
            ("self.all(self, !has(self.new))", false),
            ("oldSelf.type != 'c'", true),
            ("(has(self.a) ? 1 : 0) + (has(self.new) ? 1 : 0) <= 1", true),
            ("(has(self.new) ? 1 : 0) + (has(self.other) ? 1 : 0) < 1", true),
            ("(has(self.new) ? self.new : 0) == 0", true),
            ("(has(self.new) ? 1 : 2) == (has(self.type) ? 1 : 2)", false),
            ("(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1", false),
            ("(has(self.a) ? 1 : 0) + (has(self.new) ? 1 : 0) >= 1", false),
            // `has()` of a field of a field may fail.
            ("(has(self.a.b) ? 1 : 0) <= 1", false),
            ("9223372036854775807 + 1 > 0", false),
            ("!has(", false),
        ] {
            assert_eq!(always_holds(rule, &facts), expected, "{rule}");
        }
    }
}
