//! The few forms of Go in which API packages say what counts here.

use crate::release::ReleaseName;

use super::super::peers::Api;
use super::file::{Found, GroupVersion, Method, Name, Registered, Said, api};
use super::tokens::{Piece, Token};
use crate::text::at;

/// How many pieces after a method's name its answer is looked for: it is `return` and one value.
const LONGEST_HEAD: usize = 24;

/// The first pieces from one on.
pub(super) fn pieces<'t>(tokens: &[Token<'t>], from: usize) -> Vec<Piece<'t>> {
    tokens.iter().skip(from).take(4).map(|token| token.piece).collect()
}

/// `schema.GroupVersion{Group: …, Version: …}`, also without the names of its parts.
pub(super) fn literal(tokens: &[Token<'_>]) -> Option<GroupVersion> {
    let at = match pieces(tokens, 0).as_slice() {
        [Piece::Word("GroupVersion"), Piece::Sign('{'), ..] => 1,
        [
            Piece::Word(_),
            Piece::Sign('.'),
            Piece::Word("GroupVersion"),
            Piece::Sign('{'),
        ] => 3,
        _ => return None,
    };
    let values = values(tokens.get(at..)?)?.list;
    let part = |key: &str, place: usize| {
        let named = values.iter().find_map(|value| match pieces(value, 0).as_slice() {
            [Piece::Word(word), Piece::Sign(':'), ..] if *word == key => value.get(2..),
            _ => None,
        });
        let keyed = |value: &&[Token<'_>]| value.iter().any(|token| token.piece == Piece::Sign(':'));
        let positional = || values.get(place).copied().filter(|value| !keyed(value));
        named.or_else(positional).and_then(name)
    };
    let group = part("Group", 0).unwrap_or(Name::Text(String::new()));
    let version = part("Version", 1)?;
    Some(GroupVersion::Literal { group, version })
}

/// A name: a text, a name of the package, a name of another one.
fn name(tokens: &[Token<'_>]) -> Option<Name> {
    match pieces(tokens, 0).as_slice() {
        [Piece::Text(text)] => Some(Name::Text((*text).to_owned())),
        [Piece::Word(word)] => Some(Name::Constant((*word).to_owned())),
        [Piece::Word(package), Piece::Sign('.'), Piece::Word(word)] => Some(Name::Foreign(format!("{package}.{word}"))),
        _ => None,
    }
}

/// What stands between brackets.
struct Values<'s, 't> {
    /// The values, which commas part.
    list: Vec<&'s [Token<'t>]>,
    /// How many pieces there are with the brackets.
    length: usize,
}

/// What stands between brackets. The first piece is the bracket that opens.
fn values<'s, 't>(tokens: &'s [Token<'t>]) -> Option<Values<'s, 't>> {
    let mut open = 0_usize;
    let mut from = 1;
    let mut list = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let ends = match token.piece {
            Piece::Sign('(' | '{' | '[') => {
                open += 1;
                false
            }
            Piece::Sign(')' | '}' | ']') => {
                open -= 1;
                open == 0
            }
            Piece::Sign(',') => open == 1,
            _ => false,
        };
        if ends {
            let value = tokens.get(from..at)?;
            from = at + 1;
            if !value.is_empty() {
                list.push(value);
            }
        }
        if open == 0 {
            return Some(Values { list, length: at + 1 });
        }
    }
    None
}

/// A call that registers types: `AddKnownTypes(VERSION, &Kind{}, …)`, `AddKnownTypeWithName(VERSION.WithKind("Kind"),
/// &Type{})`. Gives how many pieces it has after its name.
pub(super) fn registered(rest: &[Token<'_>], found: &mut Found) -> usize {
    let Some(call) = rest.first() else { return 0 };
    let mut odd = |token: &Token<'_>, reason: &str| found.odd.push(at(token.line, token.column, reason));
    let opens = pieces(rest, 1).first() == Some(&Piece::Sign('('));
    let Some(values) = rest.get(1..).filter(|_| opens).and_then(values) else {
        odd(call, "this registers kinds in a way that cannot be read");
        return if opens { rest.len() } else { 0 };
    };
    let Some((first, types)) = values.list.split_first() else {
        odd(call, "this registers nothing");
        return values.length;
    };
    let Some((to, named)) = target(call, first) else {
        odd(
            call,
            "the group version or the kind to which this registers cannot be read",
        );
        return values.length;
    };
    for value in types {
        let Some(token) = value.first() else { continue };
        match value
            .iter()
            .take(5)
            .map(|token| token.piece)
            .collect::<Vec<_>>()
            .as_slice()
        {
            [
                Piece::Sign('&'),
                Piece::Word(of_type),
                Piece::Sign('{'),
                Piece::Sign('}'),
            ]
            | [
                Piece::Word("new"),
                Piece::Sign('('),
                Piece::Word(of_type),
                Piece::Sign(')'),
            ] => {
                found.registered.push(Registered {
                    line: token.line,
                    column: token.column,
                    to: to.clone(),
                    kind: named.unwrap_or(of_type).to_owned(),
                    of_type: (*of_type).to_owned(),
                });
            }
            // Types of other packages, such as `metav1.Status`, are shared by all groups: they are no kinds of this
            // one.
            [Piece::Sign('&'), Piece::Word(_), Piece::Sign('.'), Piece::Word(_), ..] => {}
            _ => found.odd.push(at(
                token.line,
                token.column,
                "the type that this registers cannot be read",
            )),
        }
    }
    values.length
}

/// To what a call registers: a group version, and the kind if that is said.
fn target<'t>(call: &Token<'t>, first: &[Token<'t>]) -> Option<(GroupVersion, Option<&'t str>)> {
    let read = |to: &[Token<'_>]| literal(to).or_else(|| name(to).map(GroupVersion::Named));
    if call.piece == Piece::Word("AddKnownTypes") {
        return Some((read(first)?, None));
    }
    let [to @ .., dot, with, open, kind, close] = first else {
        return None;
    };
    let around = [dot, with, open, close].map(|token| token.piece);
    let expected = [
        Piece::Sign('.'),
        Piece::Word("WithKind"),
        Piece::Sign('('),
        Piece::Sign(')'),
    ];
    match kind.piece {
        Piece::Text(kind) if around == expected => Some((read(to)?, Some(kind))),
        _ => None,
    }
}

/// A method that tells of the life of its type: `func (in *Kind) APILifecycleRemoved() (major, minor int) { return 1,
/// 25 }`.
pub(super) fn method(rest: &[Token<'_>], found: &mut Found) {
    let receiver = rest.iter().take(6).position(|token| token.piece == Piece::Sign(')'));
    let around = receiver.and_then(|close| Some((rest.get(close.checked_sub(1)?)?, rest.get(close + 1)?)));
    let Some((of_type, place)) = around else { return };
    let (Piece::Word(of_type), Piece::Word(name)) = (of_type.piece, place.piece) else {
        return;
    };
    let Some(what) = name.strip_prefix("APILifecycle") else {
        return;
    };
    let body = rest
        .iter()
        .take(LONGEST_HEAD)
        .position(|token| token.piece == Piece::Word("return"));
    match body.and_then(|at| answer(what, rest.get(at + 1..)?)) {
        Some(said) => {
            let methods = found.methods.entry(of_type.to_owned()).or_default();
            methods.push(Method { line: place.line, said });
        }
        None => found.odd.push(at(
            place.line,
            place.column,
            format!("what {name} of {of_type} answers cannot be read: it is passed over"),
        )),
    }
}

/// What a method answers, from behind its `return`.
fn answer(what: &str, body: &[Token<'_>]) -> Option<Said> {
    let release = || match pieces(body, 0).as_slice() {
        [
            Piece::Word(major),
            Piece::Sign(','),
            Piece::Word(minor),
            Piece::Sign('}'),
        ] => ReleaseName::parse(&format!("{major}.{minor}")),
        _ => None,
    };
    let mut said = Said::default();
    match what {
        "Introduced" => said.introduced = Some(release()?),
        "Deprecated" => said.deprecated = Some(release()?),
        "Removed" => said.removed = Some(release()?),
        "Replacement" => said.replacement = Some(replacement(body)?),
        _ => return None,
    }
    Some(said)
}

/// `schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}`.
fn replacement(body: &[Token<'_>]) -> Option<Api> {
    let opens = body.iter().take(4).position(|token| token.piece == Piece::Sign('{'))?;
    let values = values(body.get(opens..)?)?.list;
    let text = |key: &str| {
        values.iter().find_map(|value| match pieces(value, 0).as_slice() {
            [Piece::Word(word), Piece::Sign(':'), Piece::Text(text)] if *word == key => Some(*text),
            _ => None,
        })
    };
    api(text("Group").unwrap_or_default(), text("Version")?, text("Kind")?)
}
