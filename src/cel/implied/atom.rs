//! A condition of a rule, known by its canonical form.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::formula::Truth;
use super::order::Compared;
use crate::cel::known::Known;
use crate::cel::looped::Word;
use crate::cel::tree::{Id, Literal, Tree};
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
    /// Whether all of these are always there.
    pub(super) reads_what_is_there: bool,
    /// The values that it compares with something, or the list of a quantifier.
    pub(super) about: Vec<String>,
    /// How it compares two values.
    pub(super) compared: Option<Compared>,
    pub(super) kind: AtomKind<'t>,
}

impl Atom<'_> {
    /// Whether it compares a value with a number, as another one does: whether that fails depends on the value alone.
    pub(super) fn compares_with_number_too(&self, other: &Self) -> bool {
        let both = self.compared.as_ref().zip(other.compared.as_ref());
        let values = both.map(|(own, other)| [own, other].map(Compared::with_number));
        matches!(values, Some([Some(own), Some(other)]) if own == other)
    }

    /// Whether it is so for no value.
    pub(super) fn never_is(&self, truth: Truth) -> bool {
        let Some(truth) = truth else {
            let is_of_variable = matches!(self.kind, AtomKind::Presence { is_variable: true, .. });
            return is_of_variable || self.fails_by_reads_only && self.reads_what_is_there;
        };
        match &self.kind {
            AtomKind::Itself => !truth,
            AtomKind::Presence { is_set, .. } => is_set.is_some_and(|is_set| is_set != truth),
            AtomKind::Equals {
                literal: Literal::Text(text),
                texts: Some(texts),
                ..
            } => truth && !texts.contains(text),
            _ => false,
        }
    }

    /// Whether the truth of one may depend on that of the other.
    pub(super) fn is_related(&self, other: &Self) -> bool {
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
        /// Whether all objects have the field, or none, if that is known.
        is_set: Option<bool>,
    },
    /// `value == literal`
    Equals {
        value: String,
        literal: Literal,
        /// The only texts that it may be, where these are known.
        texts: Option<Rc<BTreeSet<String>>>,
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

/// A quantifier over a list or a map. That all values meet a condition is written as that none does not.
#[derive(Debug, Clone)]
pub(super) struct Quantifier<'t> {
    pub(super) word: Word,
    pub(super) range: String,
    pub(super) variable: &'t str,
    pub(super) has_two: bool,
    pub(super) tree: &'t Tree,
    /// What it asks of each value.
    pub(super) body: Id,
    /// Whether that is to hold.
    pub(super) holds: bool,
    /// What is known of each value.
    pub(super) values: Known,
}

impl Quantifier<'_> {
    /// Whether another one asks as many of the same values.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.word, &self.range, self.has_two) == (other.word, &other.range, other.has_two)
    }
}
