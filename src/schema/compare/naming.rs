//! Which fields rules name, and what of them.

use std::collections::BTreeSet;

use crate::cel::lexer::{Token, tokens};

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

/// Whether a rule may read what one of some fields holds: more than `has(self.a)` and `size(self.a)`.
pub(super) fn reads_any(rule: &str, fields: &BTreeSet<String>) -> bool {
    let mut named = fields
        .iter()
        .filter(|field| is_named(field, std::iter::once(rule)))
        .peekable();
    if named.peek().is_none() {
        return false;
    }
    let Ok(words) = tokens(rule) else { return true };
    let words: Vec<Token> = words.into_iter().map(|(word, _)| word).collect();
    named.any(|field| !is_written_alike(field) || reads(&words, field))
}

fn reads(words: &[Token], field: &str) -> bool {
    let mut all = words.iter().enumerate();
    all.any(|(at, word)| match word {
        Token::Name(name) if name == field => !is_presence_or_size(&words[..at], words.get(at + 1)),
        Token::Quoted(name) => name == field,
        _ => false,
    })
}

/// Whether a name between some words and another one is that of the field in `has(self.a)` or `size(self.a)`.
fn is_presence_or_size(before: &[Token], after: Option<&Token>) -> bool {
    let [
        ..,
        Token::Name(function),
        Token::Sign("("),
        Token::Name(object),
        Token::Sign("."),
    ] = before
    else {
        return false;
    };
    object == "self" && ["has", "size"].contains(&function.as_str()) && after == Some(&Token::Sign(")"))
}
