//! The conditions of rules, and the formulas that these are of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::about::{About, Scope};
use super::atom::{Atom, AtomKind, Quantifier};
use super::forms::{RequiredFields, bound, is_condition, is_path, literals, pattern};
use super::formula::Formula;
use super::order::{Compared, Side, Sign};
use crate::cel::canonical::Reader;
use crate::cel::eval::constant;
use crate::cel::known::{Known, Texts};
use crate::cel::looped::{Word, quantifier};
use crate::cel::tree::{Expr, Id, Literal, Loop, Tree};

/// What comparisons order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    OfNumbers,
    OfTexts,
}

#[derive(Debug)]
pub(super) struct Atoms<'t> {
    integers: &'t BTreeSet<String>,
    scope: Scope<'t>,
    /// The list whose values are asked, and the variable that has each of them.
    pub(super) of_each: Option<(&'t str, &'t str)>,
    list: Vec<Atom<'t>>,
    numbers: BTreeMap<String, usize>,
}

impl<'t> Atoms<'t> {
    pub(super) fn new(about: &About<'t>) -> Self {
        Self {
            integers: about.integers,
            scope: Scope::of(&about.value),
            of_each: None,
            list: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// No conditions yet, of the same values.
    pub(super) fn emptied(&self) -> Self {
        Self {
            integers: self.integers,
            scope: self.scope.clone(),
            of_each: None,
            list: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// The same of each value that a quantifier asks.
    pub(super) fn within(&self, of: &'t Quantifier<'t>) -> Self {
        Self {
            scope: self.scope.with(of.variable, of.values.clone()),
            of_each: (!of.has_two).then_some((of.range.as_str(), of.variable)),
            ..self.emptied()
        }
    }

    /// What a quantifier asks of each value.
    pub(super) fn asked(&mut self, of: &Quantifier<'t>) -> Formula {
        let body = self.formula(of.tree, of.body);
        if of.holds { body } else { Formula::Not(Box::new(body)) }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Removes the conditions from a number on.
    pub(super) fn truncate(&mut self, len: usize) {
        for atom in self.list.drain(len..) {
            self.numbers.remove(&atom.text);
        }
    }

    pub(super) fn all(&self) -> &[Atom<'t>] {
        &self.list
    }

    /// Whether one of the last conditions, from a number on, has something to do with one before.
    pub(super) fn are_related_from(&self, number: usize) -> bool {
        let (before, after) = self.list.split_at(number.min(self.list.len()));
        after.iter().any(|one| before.iter().any(|other| one.is_related(other)))
    }

    pub(super) fn formula(&mut self, tree: &'t Tree, id: Id) -> Formula {
        if let Some(truth) = constant(tree, id) {
            return Formula::Constant(truth);
        }
        if let Expr::Loop(of) = tree.get(id)
            && let Some((word, body)) = quantifier(tree, of)
        {
            return self.quantifier(tree, id, of, (word, body));
        }
        if let Expr::Call {
            function,
            target: None,
            arguments,
        } = tree.get(id)
        {
            match (function.as_str(), arguments.as_slice()) {
                ("!_", [of]) => return Formula::Not(Box::new(self.formula(tree, *of))),
                ("_&&_", parts) => return Formula::And(self.formulas(tree, parts)),
                ("_||_", parts) => return Formula::Or(self.formulas(tree, parts)),
                ("_?_:_", [test, then, otherwise]) => {
                    let parts = [*test, *then, *otherwise].map(|part| self.formula(tree, part));
                    return Formula::If(Box::new(parts));
                }
                ("_==_" | "_!=_", [one, other]) => {
                    let same = if is_condition(tree, *one) && is_condition(tree, *other) {
                        Formula::Same(Box::new([*one, *other].map(|side| self.formula(tree, side))))
                    } else {
                        self.equality(tree, [*one, *other])
                    };
                    return if function == "_==_" {
                        same
                    } else {
                        Formula::Not(Box::new(same))
                    };
                }
                ("@in", [value, list]) => {
                    if let Some(values) = literals(tree, *list) {
                        let equal = values.into_iter().map(|literal| self.equality(tree, [*value, literal]));
                        return Formula::Or(equal.collect());
                    }
                }
                _ => {}
            }
        }
        self.single(tree, id)
    }

    fn formulas(&mut self, tree: &'t Tree, parts: &[Id]) -> Vec<Formula> {
        parts.iter().map(|part| self.formula(tree, *part)).collect()
    }

    fn reader(&self, tree: &'t Tree) -> Reader<'t> {
        Reader {
            tree,
            integers: self.integers,
        }
    }

    fn equality(&mut self, tree: &'t Tree, sides: [Id; 2]) -> Formula {
        if let (Expr::Literal(one), Expr::Literal(other)) = (tree.get(sides[0]), tree.get(sides[1]))
            && std::mem::discriminant(one) == std::mem::discriminant(other)
        {
            return Formula::Constant(one == other);
        }
        let literal = match sides.map(|side| tree.get(side)) {
            [_, Expr::Literal(literal)] => Some((sides[0], literal)),
            [Expr::Literal(literal), _] => Some((sides[1], literal)),
            _ => None,
        };
        let known = literal.and_then(|(value, _)| self.scope.known(tree, value));
        if let (Some((value, Literal::Bool(truth))), Some(Known::Bool(_))) = (literal, known) {
            let formula = self.formula(tree, value);
            return if *truth {
                formula
            } else {
                Formula::Not(Box::new(formula))
            };
        }
        let mut texts = sides.map(|side| self.reader(tree).text(side));
        let only_reads = sides.iter().all(|side| self.only_reads(tree, *side));
        let kind = match literal {
            Some((value, literal)) => AtomKind::Equals {
                value: texts[usize::from(value != sides[0])].clone(),
                literal: literal.clone(),
                texts: match known {
                    Some(Known::Text(Texts { of, .. })) => of.clone(),
                    _ => None,
                },
            },
            None if only_reads && texts[0] == texts[1] => AtomKind::Itself,
            None => AtomKind::Other,
        };
        let is_other_literal = literal.is_some_and(|(_, literal)| !matches!(literal, Literal::Int(_)));
        let compared = (!is_other_literal)
            .then(|| self.compared(tree, sides, Sign::Same))
            .flatten();
        let about = match &kind {
            AtomKind::Equals { value, .. } => vec![value.clone()],
            _ => compared.iter().flat_map(Compared::values).map(str::to_owned).collect(),
        };
        texts.sort_unstable();
        let text = format!("(== {} {})", texts[0], texts[1]);
        self.add(Atom {
            text,
            fails_by_reads_only: only_reads,
            about,
            compared,
            kind,
            ..self.reading(tree, &sides)
        })
    }

    /// How two values are compared.
    fn compared(&self, tree: &Tree, sides: [Id; 2], sign: Sign) -> Option<Compared> {
        let sides = sides.map(|side| self.side(tree, side));
        let [Some(one), Some(other)] = sides else { return None };
        let sides = [one, other];
        Some(Compared { sides, sign }).filter(|compared| !compared.may_be_rounded())
    }

    /// A side of a comparison; `None` for what may have no order, as the numbers that functions return.
    fn side(&self, tree: &Tree, id: Id) -> Option<Side> {
        let reader = self.reader(tree);
        let limits = match tree.get(id) {
            Expr::Literal(Literal::Int(number)) => return Some(Side::Number(*number)),
            Expr::Call { function, .. } if function == "size" => {
                let sizes = self.sizes(tree, id);
                Some(sizes.unwrap_or([0, i64::MAX]))
            }
            _ if !is_path(tree, id) => return None,
            _ => match self.scope.known(tree, id) {
                Some(Known::Int(limits)) => Some(*limits),
                _ => reader.is_integer(id).then_some([i64::MIN, i64::MAX]),
            },
        };
        let text = reader.text(id);
        Some(Side::Value { text, limits })
    }

    /// The least and the greatest size, where an expression is that of a value of a known type.
    fn sizes(&self, tree: &Tree, id: Id) -> Option<[i64; 2]> {
        match tree.get(id) {
            Expr::Call {
                function,
                target,
                arguments,
            } if function == "size" => {
                let of = target.iter().chain(arguments).next()?;
                self.scope.known(tree, *of)?.sizes()
            }
            _ => None,
        }
    }

    /// The order of the values of an expression that fails only where a field that it reads is not there.
    fn order_of(&self, tree: &Tree, id: Id) -> Option<Order> {
        match (tree.get(id), self.scope.known(tree, id)) {
            (Expr::Literal(Literal::Text(_)), _) | (_, Some(Known::Text(_))) => Some(Order::OfTexts),
            (Expr::Literal(Literal::Int(_) | Literal::Double(_)), _) | (_, Some(Known::Int(_) | Known::Real(_))) => {
                Some(Order::OfNumbers)
            }
            _ => self.sizes(tree, id).map(|_| Order::OfNumbers),
        }
    }

    /// Whether it fails only where a field that it reads is not there.
    fn only_reads(&self, tree: &Tree, id: Id) -> bool {
        is_path(tree, id) || self.sizes(tree, id).is_some()
    }

    /// A condition that reads some expressions, of which nothing else is known.
    fn reading(&self, tree: &Tree, all: &[Id]) -> Atom<'t> {
        let reader = self.reader(tree);
        let mut read = RequiredFields {
            tree,
            reader: &reader,
            scope: &self.scope,
            reads: BTreeSet::new(),
            is_all_there: true,
        };
        for id in all {
            read.add(*id);
        }
        Atom {
            text: String::new(),
            fails_by_reads_only: false,
            reads_what_is_there: read.is_all_there,
            reads: read.reads,
            about: Vec::new(),
            compared: None,
            kind: AtomKind::Other,
        }
    }

    fn quantifier(&mut self, tree: &'t Tree, id: Id, of: &'t Loop, (word, body): (Word, Id)) -> Formula {
        let reader = self.reader(tree);
        let (range, is_any) = (reader.text(of.range), word != Word::All);
        let text = match word {
            Word::ExistsOne => reader.text(id),
            Word::All | Word::Exists => reader.existing(of, body, is_any),
        };
        let values = self.scope.known(tree, of.range).and_then(|range| match range {
            Known::List { .. } | Known::Each(_) => range.items(),
            _ => None,
        });
        let about = vec![range.clone()];
        let kind = AtomKind::Quantifier(Quantifier {
            word: if is_any { word } else { Word::Exists },
            range,
            variable: &of.variable,
            has_two: of.second.is_some(),
            tree,
            body,
            holds: is_any,
            values: values.filter(|_| of.second.is_none()).unwrap_or(Known::Any),
        });
        let formula = self.add(Atom {
            text,
            about,
            kind,
            ..self.reading(tree, &[id])
        });
        if is_any {
            formula
        } else {
            Formula::Not(Box::new(formula))
        }
    }

    fn single(&mut self, tree: &'t Tree, id: Id) -> Formula {
        let reader = self.reader(tree);
        let (mut compared, mut fails_by_reads_only) = (None, false);
        let kind = match tree.get(id) {
            Expr::Select {
                operand,
                tests: true,
                field,
            } => {
                fails_by_reads_only = self.scope.fields(tree, *operand).is_some();
                AtomKind::Presence {
                    of: reader.text(*operand),
                    is_variable: matches!(tree.get(*operand), Expr::Name(_)),
                    is_set: self.scope.is_set(tree, *operand, field),
                }
            }
            Expr::Select { .. } => {
                fails_by_reads_only = matches!(self.scope.known(tree, id), Some(Known::Bool(_)));
                AtomKind::Other
            }
            Expr::Call {
                function, arguments, ..
            } if let Some((sides, sign)) = bound(function, arguments) => {
                compared = self.compared(tree, sides, sign);
                let orders = sides.map(|side| self.order_of(tree, side));
                fails_by_reads_only = orders[0].is_some() && orders[0] == orders[1];
                AtomKind::Bound
            }
            Expr::Call {
                function,
                target: Some(value),
                arguments,
            } => match pattern(tree, function, arguments) {
                Some(pattern) => AtomKind::Text {
                    value: reader.text(*value),
                    pattern: Rc::new(pattern),
                },
                None => AtomKind::Other,
            },
            _ => AtomKind::Other,
        };
        let about = match (&kind, tree.get(id)) {
            (AtomKind::Text { value, .. }, _) => vec![value.clone()],
            (AtomKind::Bound, Expr::Call { arguments, .. }) => {
                arguments.iter().map(|side| reader.text(*side)).collect()
            }
            _ => Vec::new(),
        };
        self.add(Atom {
            text: reader.text(id),
            fails_by_reads_only,
            about,
            compared,
            kind,
            ..self.reading(tree, &[id])
        })
    }

    fn add(&mut self, atom: Atom<'t>) -> Formula {
        let next = self.list.len();
        let number = *self.numbers.entry(atom.text.clone()).or_insert(next);
        if number == next {
            self.list.push(atom);
        }
        Formula::Atom(number)
    }
}
