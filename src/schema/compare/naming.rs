//! Which fields rules name, and what of them.

use std::collections::BTreeSet;

use super::distinct::is_written_alike;

/// Whether some rules may name a field. Names that rules write in another way are taken for named.
pub(super) fn is_named<'r>(name: &str, mut rules: impl Iterator<Item = &'r str>) -> bool {
    !is_written_alike(name) || rules.any(|rule| has_word(rule, name))
}

fn has_word(rule: &str, word: &str) -> bool {
    rule.match_indices(word).any(|(at, _)| {
        let around = [rule[..at].chars().next_back(), rule[at + word.len()..].chars().next()];
        around
            .iter()
            .flatten()
            .all(|next| !next.is_ascii_alphanumeric() && *next != '_')
    })
}

/// Whether a rule may name one of some fields.
pub(super) fn names_any(rule: &str, fields: &BTreeSet<String>) -> bool {
    fields.iter().any(|field| is_named(field, std::iter::once(rule)))
}
