//! The few forms of Go in which API packages register kinds and state their lives.

use crate::release::ReleaseName;

use super::super::deprecation_lists::Api;
use super::declarations::{GoFile, GroupVersion, Markers, Method, Name, Registered, api};
use super::tokens::Piece::{self, Sign, Text, Word};
use super::tokens::Token;
use crate::text::at;

/// The `return` of a method is searched for in so many pieces after `func`.
const LONGEST_HEAD: usize = 24;

pub(super) fn pieces<'t>(tokens: &[Token<'t>], from: usize) -> Vec<Piece<'t>> {
    tokens.iter().skip(from).take(4).map(|token| token.piece).collect()
}

/// `schema.GroupVersion{Group: …, Version: …}`, also without the names of its parts.
pub(super) fn literal(tokens: &[Token<'_>]) -> Option<GroupVersion> {
    let at = match pieces(tokens, 0).as_slice() {
        [Word("GroupVersion"), Sign('{'), ..] => 1,
        [Word(_), Sign('.'), Word("GroupVersion"), Sign('{')] => 3,
        _ => return None,
    };
    let values = values(tokens.get(at..)?)?;
    let group = values.part("Group", 0).and_then(name);
    let version = values.part("Version", 1).and_then(name)?;
    Some(GroupVersion::Literal {
        group: group.unwrap_or(Name::Text(String::new())),
        version,
    })
}

/// A name: a text, a name of the package, a name of another one.
fn name(tokens: &[Token<'_>]) -> Option<Name> {
    match pieces(tokens, 0).as_slice() {
        [Text(text)] => Some(Name::Text((*text).to_owned())),
        [Word(word)] => Some(Name::Constant((*word).to_owned())),
        [Word(package), Sign('.'), Word(word)] => Some(Name::Foreign(format!("{package}.{word}"))),
        _ => None,
    }
}

/// The values between two brackets, separated by commas.
struct Values<'s, 't> {
    list: Vec<&'s [Token<'t>]>,
    /// How many pieces there are with the brackets.
    length: usize,
}

impl<'s, 't> Values<'s, 't> {
    /// The value of a key, or, where keys are left out, the one at its position.
    fn part(&self, key: &str, position: usize) -> Option<&'s [Token<'t>]> {
        self.of_key(key).or_else(|| {
            let value = self.list.get(position).copied()?;
            let is_keyed = value.iter().any(|token| token.piece == Sign(':'));
            (!is_keyed).then_some(value)
        })
    }

    fn of_key(&self, key: &str) -> Option<&'s [Token<'t>]> {
        self.list.iter().find_map(|value| match pieces(value, 0).as_slice() {
            [Word(word), Sign(':'), ..] if *word == key => value.get(2..),
            _ => None,
        })
    }
}

/// The values between brackets. The first piece is the bracket that opens.
fn values<'s, 't>(tokens: &'s [Token<'t>]) -> Option<Values<'s, 't>> {
    let mut open = 0_usize;
    let mut from = 1;
    let mut list = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let ends = match token.piece {
            Sign('(' | '{' | '[') => {
                open += 1;
                false
            }
            Sign(')' | '}' | ']') => {
                open -= 1;
                open == 0
            }
            Sign(',') => open == 1,
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
/// &Type{})`. Returns how many pieces it has after its name.
pub(super) fn registered(rest: &[Token<'_>], file: &mut GoFile) -> usize {
    let Some(call) = rest.first() else { return 0 };
    let opens = pieces(rest, 1).first() == Some(&Sign('('));
    let Some(values) = rest.get(1..).filter(|_| opens).and_then(values) else {
        skip(file, call, "this call registers kinds in a way that cannot be read");
        return if opens { rest.len() } else { 0 };
    };
    let Some((first, types)) = values.list.split_first() else {
        skip(file, call, "this call registers nothing");
        return values.length;
    };
    let Some((to, named)) = target(call, first) else {
        let reason = "the group version or kind of this registration cannot be read";
        skip(file, call, reason);
        return values.length;
    };
    for value in types {
        let Some(token) = value.first() else { continue };
        let pieces: Vec<Piece<'_>> = value.iter().take(5).map(|token| token.piece).collect();
        let of_type = match pieces.as_slice() {
            [Sign('&'), Word(of_type), Sign('{'), Sign('}')] | [Word("new"), Sign('('), Word(of_type), Sign(')')] => {
                *of_type
            }
            // Types of other packages, such as `metav1.Status`, are shared by all groups: they are no kinds of this
            // one.
            [Sign('&'), Word(_), Sign('.'), Word(_), ..] => continue,
            _ => {
                skip(file, token, "the type of this registration cannot be read");
                continue;
            }
        };
        file.registered.push(Registered {
            line: token.line,
            column: token.column,
            to: to.clone(),
            kind: named.unwrap_or(of_type).to_owned(),
            of_type: of_type.to_owned(),
        });
    }
    values.length
}

fn skip(file: &mut GoFile, token: &Token<'_>, reason: impl Into<String>) {
    file.skipped.push(at(token.line, token.column, reason));
}

/// What a call registers types in: a group version, and the kind if it is named.
fn target<'t>(call: &Token<'t>, first: &[Token<'t>]) -> Option<(GroupVersion, Option<&'t str>)> {
    if call.piece == Word("AddKnownTypes") {
        return Some((group_version(first)?, None));
    }
    let [to @ .., dot, with, open, kind, close] = first else {
        return None;
    };
    let around = [dot, with, open, close].map(|token| token.piece);
    match (around, kind.piece) {
        ([Sign('.'), Word("WithKind"), Sign('('), Sign(')')], Text(kind)) => Some((group_version(to)?, Some(kind))),
        _ => None,
    }
}

fn group_version(tokens: &[Token<'_>]) -> Option<GroupVersion> {
    literal(tokens).or_else(|| name(tokens).map(GroupVersion::Named))
}

/// A lifecycle method of a type: `func (in *Kind) APILifecycleRemoved() (major, minor int) { return 1, 25 }`.
pub(super) fn method(rest: &[Token<'_>], file: &mut GoFile) {
    let receiver = rest.iter().take(6).position(|token| token.piece == Sign(')'));
    let around = receiver.and_then(|close| Some((rest.get(close.checked_sub(1)?)?, rest.get(close + 1)?)));
    let Some((of_type, method)) = around else { return };
    let (Word(of_type), Word(name)) = (of_type.piece, method.piece) else {
        return;
    };
    let Some(what) = name.strip_prefix("APILifecycle") else {
        return;
    };
    let mut head = rest.iter().take(LONGEST_HEAD);
    let body = head.position(|token| token.piece == Word("return"));
    let value = body.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
    let marker = Markers::one(&what.to_ascii_lowercase(), release(value), replacement(value));
    let Some(markers) = marker else {
        let reason = format!("what {name} of {of_type} returns cannot be read: it is ignored");
        return skip(file, method, reason);
    };
    let line = method.line;
    let methods = file.methods.entry(of_type.to_owned()).or_default();
    methods.push(Method { line, markers });
}

fn release(body: &[Token<'_>]) -> Option<ReleaseName> {
    match pieces(body, 0).as_slice() {
        [Word(major), Sign(','), Word(minor), Sign('}')] => ReleaseName::parse(&format!("{major}.{minor}")),
        _ => None,
    }
}

/// `schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}`.
fn replacement(body: &[Token<'_>]) -> Option<Api> {
    let opens = body.iter().take(4).position(|token| token.piece == Sign('{'))?;
    let values = values(body.get(opens..)?)?;
    let [group, version, kind] =
        ["Group", "Version", "Kind"].map(|key| match pieces(values.of_key(key)?, 0).as_slice() {
            [Text(text)] => Some(*text),
            _ => None,
        });
    api(group.unwrap_or_default(), version?, kind?)
}
