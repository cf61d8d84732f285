//! What conditions say about each other.

use super::atom::{Atom, AtomKind};
use crate::cel::clause::is_within;
use crate::cel::tree::Literal;
use crate::pattern::Pattern;

#[derive(Debug, Clone, Copy)]
pub(super) enum Relation {
    /// Both fail, or none.
    FailTogether,
    /// They are not both true.
    Exclude,
    /// Where the first is the one, the second is the other.
    Says(bool, bool),
    /// Where the first does not fail, the second is true.
    IsRead,
    /// Where the first does not fail, the second does not.
    ReadsAll,
    /// Where the first is true, the second does not fail.
    ReadsWhereTrue,
}

/// What one condition says about another one.
pub(super) fn said([one, other]: [&Atom<'_>; 2], left: &mut usize) -> Vec<Relation> {
    let mut found = Vec::new();
    if one.reads.contains(&other.text) {
        found.push(Relation::IsRead);
    }
    if other.fails_by_reads_only && other.reads.is_subset(&one.reads) {
        found.push(Relation::ReadsAll);
    }
    match (&one.kind, &other.kind) {
        (AtomKind::Presence { of, .. }, AtomKind::Presence { of: same, .. }) if of == same => {
            found.push(Relation::FailTogether);
        }
        (
            AtomKind::Equals { value, literal, .. },
            AtomKind::Equals {
                value: same,
                literal: second,
                ..
            },
        ) if value == same => {
            found.push(Relation::FailTogether);
            if matches!((literal, second), (Literal::Text(one), Literal::Text(other)) if one != other) {
                found.push(Relation::Exclude);
            }
        }
        (_, AtomKind::Text { value, pattern }) => found.extend(of_texts(&one.kind, value, pattern, left)),
        (
            AtomKind::Equals {
                value,
                literal: Literal::Int(number),
                ..
            },
            AtomKind::Bound,
        ) => {
            let bounds = [format!("(<= {number} {value})"), format!("(<= {value} {number})")];
            if bounds.iter().any(|bound| is_within(bound, &other.text)) {
                found.push(Relation::Says(true, true));
            }
            if one.compares_with_number_too(other) {
                found.push(Relation::ReadsWhereTrue);
            }
        }
        (AtomKind::Bound, AtomKind::Bound) => {
            if is_within(&one.text, &other.text) {
                found.push(Relation::Says(true, true));
            }
            if one.compares_with_number_too(other) {
                found.push(Relation::ReadsAll);
            }
        }
        _ => {}
    }
    found
}

/// What a condition says about whether a text matches a pattern.
fn of_texts(one: &AtomKind<'_>, value: &str, pattern: &Pattern, left: &mut usize) -> Vec<Relation> {
    match one {
        AtomKind::Text {
            value: same,
            pattern: own,
        } if same == value => {
            let mut found = vec![Relation::FailTogether];
            if pattern.contains(own, left) == Some(true) {
                found.push(Relation::Says(true, true));
            }
            if own.contains(pattern, left) == Some(true) {
                found.push(Relation::Says(false, false));
            }
            found
        }
        AtomKind::Equals {
            value: same,
            literal: Literal::Text(text),
            ..
        } if same == value => {
            let is_within = pattern.matches(text, left);
            is_within
                .map(|is_within| Relation::Says(true, is_within))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The conditions that a value is one of its other texts, if it has a few, and each of them has a condition.
pub(super) fn others_of_texts(last: &Atom<'_>, before: &[Atom<'_>]) -> Option<Vec<usize>> {
    let AtomKind::Equals {
        value,
        literal: Literal::Text(text),
        texts: Some(texts),
    } = &last.kind
    else {
        return None;
    };
    let others = texts.iter().filter(|other| *other != text).map(|other| {
        before.iter().position(|atom| {
            matches!(&atom.kind, AtomKind::Equals { value: same, literal: Literal::Text(own), .. }
                if same == value && own == other)
        })
    });
    others.collect::<Option<Vec<usize>>>().filter(|_| texts.contains(text))
}
