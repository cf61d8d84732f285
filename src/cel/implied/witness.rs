//! Whether rules accept a value, whatever else is in the object: `!has(self.n) || self.n <= 9` accepts 6.

use std::collections::BTreeSet;

use super::about::About;
use super::atom::{Atom, AtomKind};
use super::atoms::Atoms;
use super::formula::Formula;
use super::held::{Held, MOST_OF_ALL, Read, is_met};
use super::search::Relations;
use super::steps::take;
use crate::cel::canonical::Reader;
use crate::cel::tree::Literal;
use crate::pattern::Pattern;

/// Texts that are tried.
const TEXTS: [&str; 8] = ["", "a", "A", "0", "-", " ", "a/b", "\u{1}"];

/// Characters of a text that is tried.
const LONGEST: usize = 1_000;

/// A value that is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trial {
    Number(i64),
    Text(String),
    /// Of a list or a map, only the size.
    Size(i64),
}

impl Trial {
    fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn size(&self) -> Option<i64> {
        match self {
            Self::Number(_) => None,
            Self::Text(text) => i64::try_from(text.chars().count()).ok(),
            Self::Size(size) => Some(*size),
        }
    }

    /// Whether it meets a condition that is about it; `None` if that cannot be told.
    fn meets(&self, atom: &Atom<'_>, value: &str, left: &mut usize) -> Option<bool> {
        let size = format!("(\"size\" {value})");
        match &atom.kind {
            AtomKind::Equals { value: of, literal, .. } if of == value => match literal {
                Literal::Int(number) => Some(self.number()? == *number),
                Literal::Text(text) => Some(self.text()? == text),
                Literal::Null => Some(false),
                _ => None,
            },
            AtomKind::Equals {
                value: of,
                literal: Literal::Int(number),
                ..
            } if *of == size => Some(self.size()? == *number),
            AtomKind::Text { value: of, pattern } if of == value => pattern.matches(self.text()?, left),
            AtomKind::Bound => {
                let of_value = self.number().map(|number| (value, number));
                let of_size = self.size().map(|number| (size.as_str(), number));
                let mut numbers = [of_value, of_size].into_iter().flatten();
                numbers.find_map(|(of, number)| is_within(&atom.text, of, number))
            }
            _ => None,
        }
    }
}

/// Whether a number is within a bound: `(<= 3 x)`. `None` if the bound is one of another value.
fn is_within(bound: &str, value: &str, number: i64) -> Option<bool> {
    let inner = bound.strip_prefix('(')?.strip_suffix(')')?;
    let (sign, sides) = inner.split_once(' ')?;
    let (less, more) = if let Some(more) = sides.strip_prefix(value) {
        (number, more.strip_prefix(' ')?.parse().ok()?)
    } else {
        (sides.strip_suffix(value)?.strip_suffix(' ')?.parse().ok()?, number)
    };
    Some(if sign == "<" { less < more } else { less <= more })
}

/// What a keyword demands of a value.
#[derive(Debug, Clone)]
pub(crate) enum Limit {
    /// The least and the greatest number.
    Numbers([i64; 2]),
    NumbersOf(Vec<i64>),
    /// The least and the greatest length of a text.
    Lengths([i64; 2]),
    /// The same of a list or a map.
    Sizes([i64; 2]),
    TextsOf(Vec<String>),
    /// All but some values.
    Not(Vec<Trial>),
    Pattern(Pattern),
}

impl Limit {
    fn rejects(&self, trial: &Trial, left: &mut usize) -> bool {
        match self {
            Self::Numbers([least, most]) | Self::Lengths([least, most]) | Self::Sizes([least, most]) => {
                let number = trial.number().or(trial.size());
                number.is_some_and(|number| number < *least || *most < number)
            }
            Self::NumbersOf(numbers) => trial.number().is_some_and(|number| !numbers.contains(&number)),
            Self::TextsOf(texts) => trial
                .text()
                .is_some_and(|text| !texts.iter().any(|known| known == text)),
            Self::Not(values) => values.contains(trial),
            Self::Pattern(pattern) => {
                let is_match = trial.text().and_then(|text| pattern.matches(text, left));
                is_match == Some(false)
            }
        }
    }

    /// A value of a number that is in rules, or of the limit.
    fn trial(&self, number: i64) -> Option<Trial> {
        match self {
            Self::Numbers(_) | Self::NumbersOf(_) => Some(Trial::Number(number)),
            Self::Sizes(_) => (number >= 0).then_some(Trial::Size(number)),
            _ => {
                let length = usize::try_from(number).ok().filter(|length| *length <= LONGEST)?;
                Some(Trial::Text("x".repeat(length)))
            }
        }
    }

    /// Values to try, where the conditions about the value have some numbers and texts.
    fn trials(&self, numbers: &[i64], texts: &[&str]) -> Vec<Trial> {
        let own: &[i64] = match self {
            Self::Numbers(ends) | Self::Lengths(ends) | Self::Sizes(ends) => ends,
            Self::NumbersOf(numbers) => numbers,
            _ => &[0, 1],
        };
        let near = own
            .iter()
            .chain(numbers)
            .flat_map(|number| [-1, 0, 1].map(|by| number.saturating_add(by)));
        let texts = texts.iter().chain(&TEXTS).map(|text| Trial::Text((*text).to_owned()));
        let not = match self {
            Self::Not(values) => values.clone(),
            _ => Vec::new(),
        };
        let near: BTreeSet<i64> = near.collect();
        not.into_iter()
            .chain(near.into_iter().filter_map(|number| self.trial(number)))
            .chain(texts)
            .collect()
    }
}

/// A value in rules: its name, as in `self.a.n`, and the rule that it is there.
pub(crate) struct Value<'r> {
    pub(crate) name: &'r Read,
    pub(crate) is_set: &'r Read,
}

/// Whether some rules accept a value that a limit rejects. `None` if that cannot be told, as conditions of other forms
/// are about it.
pub(crate) fn accept_beyond(
    of: &Value<'_>,
    limit: &Limit,
    by: &Held,
    about: &About<'_>,
    left: &mut usize,
) -> Option<bool> {
    let mut atoms = Atoms::new(about);
    let mut held = vec![atoms.formula(&of.is_set.parsed.tree, of.is_set.parsed.root)];
    for rule in by.concerning(of.name) {
        take(of.name.cost + rule.cost, left).then_some(())?;
        held.push(atoms.formula(&rule.parsed.tree, rule.parsed.root));
        (atoms.len() <= MOST_OF_ALL).then_some(())?;
    }
    let reader = Reader {
        tree: &of.name.parsed.tree,
        integers: about.integers,
    };
    let value = reader.text(of.name.parsed.root);
    let (numbers, texts) = literals(&atoms, &value);
    let mut relations = Relations::default();
    for trial in limit.trials(&numbers, &texts) {
        let own = if limit.rejects(&trial, left) {
            met_by(&trial, &value, &atoms, left)
        } else {
            None
        };
        let Some(own) = own else { continue };
        let all: Vec<Formula> = held.iter().cloned().chain(own).collect();
        match is_met(&all, &Formula::Constant(false), (&atoms, &mut relations), left) {
            Some(true) => {}
            Some(false) => return Some(true),
            None => return None,
        }
    }
    None
}

/// The numbers and texts in conditions about a value.
fn literals<'a>(atoms: &'a Atoms<'_>, value: &str) -> (Vec<i64>, Vec<&'a str>) {
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for atom in atoms.all().iter().filter(|atom| atom.text.contains(value)) {
        match &atom.kind {
            AtomKind::Equals {
                literal: Literal::Text(text),
                ..
            } => texts.push(text.as_str()),
            AtomKind::Equals { .. } | AtomKind::Bound => {
                let words = atom.text.split([' ', '(', ')']);
                numbers.extend(words.filter_map(|word| word.parse::<i64>().ok()));
            }
            _ => {}
        }
    }
    (numbers, texts)
}

/// The conditions about a value, as they are for one that is tried.
fn met_by(trial: &Trial, value: &str, atoms: &Atoms<'_>, left: &mut usize) -> Option<Vec<Formula>> {
    let all = atoms.all().iter().enumerate();
    let about = all.filter(|(_, atom)| atom.text.contains(value));
    let met = about.map(|(at, atom)| {
        let is_met = trial.meets(atom, value, left)?;
        let atom = Formula::Atom(at);
        Some(if is_met { atom } else { Formula::Not(Box::new(atom)) })
    });
    met.collect()
}
