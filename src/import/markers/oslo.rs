//! oslo.config: `cfg.StrOpt('name', deprecated_for_removal=True, deprecated_since='1.2', deprecated_reason='…')`.

use crate::text::Unreadable;

use super::file::{Marker, MarkersFile, State};
use super::tokens::{Dialect, Quoted, Token, arguments, joined, plain, tokens};

const DIALECT: Dialect = Dialect {
    line_comments: &["#"],
    block_comments: None,
    string,
};

fn string(rest: &str) -> Option<Quoted> {
    let letters = rest.find(|c: char| !matches!(c.to_ascii_lowercase(), 'b' | 'f' | 'r' | 'u'))?;
    let after = rest.get(letters..).filter(|_| letters <= 2)?;
    let mut found = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .filter(|quotes| after.starts_with(quotes));
    let quotes = found.next()?;
    let quoted = Quoted::between(quotes, true);
    Some(Quoted {
        opening: letters + quotes.len(),
        ..quoted
    })
}

pub(super) fn read(text: &str) -> Result<MarkersFile, Unreadable> {
    let tokens = tokens(text, &DIALECT)?;
    let mut file = MarkersFile::default();
    let mut end_of_option = 0;
    for (at, token) in tokens.iter().enumerate() {
        // Rules of oslo.policy and the like have the same key.
        if at >= end_of_option && is_marked_elsewhere(&tokens[at..]) {
            file.skipped
                .push(token.error("`deprecated_for_removal` on something else than an option"));
        }
        let is_option = token.word().is_some_and(|word| word.ends_with("Opt") && word.len() > 3);
        let is_call = tokens.get(at + 1).is_some_and(|next| next.is('('));
        let is_definition = at
            .checked_sub(1)
            .is_some_and(|before| tokens[before].word() == Some("class"));
        if is_option && is_call && !is_definition {
            let stated = arguments(&tokens, at + 1).unwrap_or_default();
            end_of_option = at + stated.iter().map(|argument| argument.len() + 1).sum::<usize>();
            option(token, &stated, &mut file);
        }
    }
    Ok(file)
}

/// Whether an argument marks something for removal: `deprecated_for_removal=True`.
fn is_marked_elsewhere(tokens: &[Token<'_>]) -> bool {
    key(tokens) == Some("deprecated_for_removal")
        && tokens
            .get(2)
            .and_then(Token::word)
            .is_some_and(|word| word != "False" && word != "None")
}

fn option(word: &Token<'_>, stated: &[&[Token<'_>]], file: &mut MarkersFile) {
    let named = stated.iter().filter(|argument| key(argument).is_none());
    let by_key = value(stated, "name");
    let name = named.take(1).copied().next().or(by_key).and_then(joined);
    let removal = value(stated, "deprecated_for_removal")
        .and_then(<[_]>::first)
        .and_then(Token::word);
    let is_marked = matches!(removal, Some(word) if word != "False");
    let Some(name) = name.as_deref().map(plain).filter(|name| !name.is_empty()) else {
        if is_marked {
            file.skipped
                .push(word.error("`deprecated_for_removal` on an option whose name is not a text"));
        }
        return;
    };
    let state = match removal {
        Some("True") => State::Deprecated(Marker {
            since: value(stated, "deprecated_since").and_then(joined),
            note: value(stated, "deprecated_reason").and_then(of_texts),
            ..Marker::default()
        }),
        Some(other) if is_marked => {
            let reason = format!("{name}: `deprecated_for_removal` is `{other}`, neither True nor False");
            file.skipped.push(word.error(reason));
            State::Unknown
        }
        _ => State::Present,
    };
    // Names may be written with dashes, and are options of configuration files with underscores.
    file.add("config-key", name.replace('-', "_"), word.line, state);
}

/// The key of an argument that has one: `name=…`.
fn key<'t>(argument: &[Token<'t>]) -> Option<&'t str> {
    match argument {
        [key, sign, ..] if sign.is('=') => key.word(),
        _ => None,
    }
}

fn value<'a, 't>(stated: &[&'a [Token<'t>]], wanted: &str) -> Option<&'a [Token<'t>]> {
    let argument = stated.iter().find(|argument| key(argument) == Some(wanted))?;
    argument.get(2..)
}

/// Texts side by side, also within brackets or a call: `_("…" "…")`.
fn of_texts(tokens: &[Token<'_>]) -> Option<String> {
    let texts: Vec<&str> = tokens.iter().filter_map(Token::text).collect();
    (!texts.is_empty()).then(|| plain(&texts.concat()))
}
