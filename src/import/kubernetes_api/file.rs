//! What one Go file states about API kinds.

use crate::release::ReleaseName;

use super::LARGEST;
use super::declarations::{GoFile, Markers, Tags, api};
use super::syntax::{literal, method, pieces, registered};
use super::tokens::Piece::{Sign, Text, Word};
use super::tokens::{Token, Tokens, tokens};
use crate::text::{Unreadable, at, check_size};

/// Reads a Go file. Only declarations about API kinds are taken.
pub(crate) fn read(text: &str) -> Result<GoFile, Unreadable> {
    check_size(text, LARGEST)?;
    let mut file = GoFile::default();
    let words = [
        "AddKnownType",
        "APILifecycle",
        "+genclient",
        "+k8s:prerelease",
        "GroupVersion",
        "GroupName",
    ];
    if !words.iter().any(|word| text.contains(word)) {
        return Ok(file);
    }
    let read = tokens(text)?;
    let mut at = 0;
    while let Some(token) = read.code.get(at) {
        let rest = read.code.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| read.code.get(before));
        at += 1;
        match token.piece {
            Word("func") if token.depth == 0 => method(rest, &mut file),
            Word("AddKnownTypes" | "AddKnownTypeWithName")
                if before.is_some_and(|before| before.piece == Sign('.')) =>
            {
                // What is in a call is read once, however calls are nested.
                at += registered(rest, &mut file);
            }
            Word(name) if token.depth == 0 => declared(name, rest, before, &read, &mut file),
            _ => {}
        }
    }
    Ok(file)
}

/// A declaration at the top of a file: `NAME = "text"`, `NAME = schema.GroupVersion{…}`, `NAME struct {`.
fn declared(name: &str, rest: &[Token<'_>], before: Option<&Token<'_>>, read: &Tokens<'_>, file: &mut GoFile) {
    match pieces(rest, 1).as_slice() {
        [Word("struct"), Sign('{'), ..] => {
            let word = before.filter(|before| before.piece == Word("type"));
            // The comment above a line is of the first type in it.
            if let Some(first) = word.or(rest.first()).filter(|first| first.line > file.last_type) {
                file.last_type = first.line;
                tags(name, first.line, read, file);
            }
        }
        [Sign('='), Text(text), ..] | [Word("string"), Sign('='), Text(text), ..] => {
            file.texts.entry(name.to_owned()).or_insert_with(|| (*text).to_owned());
        }
        [Sign('='), ..] => {
            if let Some(version) = rest.get(2..).and_then(literal) {
                file.versions.entry(name.to_owned()).or_insert(version);
            }
        }
        _ => {}
    }
}

/// The tags of a type, in the block of comments above it and the one before that, as Kubernetes' generators read them.
fn tags(of_type: &str, line: u32, read: &Tokens<'_>, file: &mut GoFile) {
    let closest: Vec<(u32, &str)> = read.block(line.saturating_sub(1)).collect();
    let first = closest.last().map_or(line, |(first, _)| *first);
    let before = read.block(first.saturating_sub(2));
    let mut tags = Tags {
        line,
        ..Tags::default()
    };
    let mut any = false;
    for (line, words) in closest.into_iter().chain(before) {
        let Some(tag) = words.strip_prefix('+') else { continue };
        if tag == "genclient" {
            tags.client = true;
            any = true;
        }
        let Some(marker) = tag.strip_prefix("k8s:prerelease-lifecycle-gen:") else {
            continue;
        };
        any = true;
        match of_comment(marker) {
            Some(markers) => tags.markers.or(&markers),
            None => {
                let reason = format!("the marker `{marker}` of {of_type} cannot be read: it is ignored");
                file.skipped.push(at(line, 1, reason));
            }
        }
    }
    if any {
        file.tags.insert(of_type.to_owned(), tags);
    }
}

/// A marker in a comment: `removed=1.25`, `replacement=apps,v1,Deployment`.
fn of_comment(marker: &str) -> Option<Markers> {
    let (name, value) = marker.split_once('=')?;
    let named: Option<[&str; 3]> = value.split(',').collect::<Vec<_>>().try_into().ok();
    let replacement = named.and_then(|[group, version, kind]| api(group, version, kind));
    Markers::one(name, ReleaseName::parse(value), replacement)
}
