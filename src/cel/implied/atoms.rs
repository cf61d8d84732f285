//! The conditions of rules, each known by its canonical form.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::formula::Formula;
use super::hoisted::strict_operands;
use crate::cel::canonical::Reader;
use crate::cel::eval::constant;
use crate::cel::looped::{Word, quantifier};
use crate::cel::tree::{Expr, Id, Literal, Tree};
use crate::pattern::Pattern;

/// A condition.
#[derive(Debug, Clone)]
pub(super) struct Atom<'t> {
    /// Its canonical form.
    pub(super) text: String,
    /// The presence (`has(a.b)`) of each field that is read to evaluate it.
    pub(super) reads: BTreeSet<String>,
    /// Whether it fails only where one of these is not there.
    pub(super) fails_by_reads_only: bool,
    /// The values that it compares with something, or the list of a quantifier.
    about: Vec<String>,
    pub(super) kind: AtomKind<'t>,
}

impl Atom<'_> {
    fn is_related(&self, other: &Self) -> bool {
        self.reads.contains(&other.text)
            || other.reads.contains(&self.text)
            || self.about.iter().any(|value| other.about.contains(value))
    }
}

#[derive(Debug, Clone)]
pub(super) enum AtomKind<'t> {
    /// `has()` of a field of this. If this is a variable, it does not fail.
    Presence {
        of: String,
        is_variable: bool,
    },
    /// `value == literal`
    Equals {
        value: String,
        literal: Literal,
    },
    /// A pattern, or a part, of a text.
    Text {
        value: String,
        pattern: Rc<Pattern>,
    },
    /// A bound of a value.
    Bound,
    /// That a variable, or a field of one, equals itself.
    Itself,
    Quantifier(Quantifier<'t>),
    Other,
}

/// A quantifier over a list or a map.
#[derive(Debug, Clone)]
pub(super) struct Quantifier<'t> {
    pub(super) word: Word,
    pub(super) range: String,
    pub(super) variable: &'t str,
    pub(super) has_two: bool,
    pub(super) tree: &'t Tree,
    /// What it asks of each value.
    pub(super) body: Id,
}

impl Quantifier<'_> {
    /// Whether another one asks as many of the same values.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.word, &self.range, self.has_two) == (other.word, &other.range, other.has_two)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Atoms<'t> {
    pub(super) integers: &'t BTreeSet<String>,
    /// The list whose values are asked, and the variable that has each of them.
    pub(super) of_each: Option<(&'t str, &'t str)>,
    list: Vec<Atom<'t>>,
    numbers: BTreeMap<String, usize>,
}

impl<'t> Atoms<'t> {
    pub(super) fn new(integers: &'t BTreeSet<String>) -> Self {
        Self {
            integers,
            of_each: None,
            list: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
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
        let reader = self.reader(tree);
        let mut texts = sides.map(|side| reader.text(side));
        let compared = match [tree.get(sides[0]), tree.get(sides[1])] {
            [_, Expr::Literal(literal)] => Some((texts[0].clone(), literal)),
            [Expr::Literal(literal), _] => Some((texts[1].clone(), literal)),
            _ => None,
        };
        let about = compared.iter().map(|(value, _)| value.clone()).collect();
        let is_path = sides.iter().all(|side| is_path(tree, *side));
        let kind = match compared {
            Some((value, literal)) => AtomKind::Equals {
                value,
                literal: literal.clone(),
            },
            None if is_path && texts[0] == texts[1] => AtomKind::Itself,
            None => AtomKind::Other,
        };
        texts.sort_unstable();
        let mut reads = BTreeSet::new();
        for side in sides {
            read_by(tree, side, &reader, &mut reads);
        }
        let text = format!("(== {} {})", texts[0], texts[1]);
        self.add(Atom {
            text,
            fails_by_reads_only: is_path,
            reads,
            about,
            kind,
        })
    }

    fn single(&mut self, tree: &'t Tree, id: Id) -> Formula {
        let reader = self.reader(tree);
        let kind = match tree.get(id) {
            Expr::Select {
                operand, tests: true, ..
            } => AtomKind::Presence {
                of: reader.text(*operand),
                is_variable: matches!(tree.get(*operand), Expr::Name(_)),
            },
            Expr::Call { function, .. } if matches!(function.as_str(), "_<_" | "_<=_" | "_>_" | "_>=_") => {
                AtomKind::Bound
            }
            Expr::Loop(of) => match quantifier(tree, of) {
                Some((word, body)) => AtomKind::Quantifier(Quantifier {
                    word,
                    range: reader.text(of.range),
                    variable: &of.variable,
                    has_two: of.second.is_some(),
                    tree,
                    body,
                }),
                None => AtomKind::Other,
            },
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
        let mut reads = BTreeSet::new();
        read_by(tree, id, &reader, &mut reads);
        let text = reader.text(id);
        let about = match (&kind, tree.get(id)) {
            (AtomKind::Text { value, .. }, _) => vec![value.clone()],
            (AtomKind::Bound, Expr::Call { arguments, .. }) => {
                arguments.iter().map(|side| reader.text(*side)).collect()
            }
            (AtomKind::Quantifier(quantifier), _) => vec![quantifier.range.clone()],
            _ => Vec::new(),
        };
        self.add(Atom {
            text,
            reads,
            fails_by_reads_only: false,
            about,
            kind,
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

/// Whether an expression is true or false by its form.
fn is_condition(tree: &Tree, id: Id) -> bool {
    match tree.get(id) {
        Expr::Literal(literal) => matches!(literal, Literal::Bool(_)),
        Expr::Select { tests, .. } => *tests,
        Expr::Call {
            function, arguments, ..
        } => match function.as_str() {
            "!_" | "_&&_" | "_||_" | "_==_" | "_!=_" | "_<_" | "_<=_" | "_>_" | "_>=_" | "@in" => true,
            "_?_:_" => arguments.iter().skip(1).all(|part| is_condition(tree, *part)),
            _ => false,
        },
        _ => false,
    }
}

fn literals(tree: &Tree, list: Id) -> Option<Vec<Id>> {
    let Expr::List(items) = tree.get(list) else { return None };
    let are_literals = items
        .iter()
        .all(|item| !item.is_optional && matches!(tree.get(item.value), Expr::Literal(_)));
    (are_literals && !items.is_empty()).then(|| items.iter().map(|item| item.value).collect())
}

/// The texts for which a method with a literal argument is true.
fn pattern(tree: &Tree, function: &str, arguments: &[Id]) -> Option<Pattern> {
    let [argument] = arguments else { return None };
    let text = tree.text(*argument)?;
    match function {
        "matches" => Pattern::of(text),
        "startsWith" => Pattern::of_text(text, true, false),
        "endsWith" => Pattern::of_text(text, false, true),
        "contains" => Pattern::of_text(text, false, false),
        _ => None,
    }
}

/// Whether it is a literal, a variable, or a field of one.
fn is_path(tree: &Tree, id: Id) -> bool {
    match tree.get(id) {
        Expr::Literal(_) | Expr::Name(_) => true,
        Expr::Select {
            operand, tests: false, ..
        } => is_path(tree, *operand),
        _ => false,
    }
}

/// The presence of each field without which an expression fails.
fn read_by(tree: &Tree, id: Id, reader: &Reader<'_>, reads: &mut BTreeSet<String>) {
    let expr = tree.get(id);
    if let Expr::Select {
        operand,
        field,
        tests: false,
    } = expr
    {
        reads.insert(format!("(has {} {field:?})", reader.text(*operand)));
    }
    for operand in strict_operands(expr) {
        read_by(tree, operand, reader, reads);
    }
}
