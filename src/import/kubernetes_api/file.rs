//! What one Go file says of API kinds.

use std::collections::BTreeMap;

use crate::release::ReleaseName;

use super::super::peers::Api;
use super::syntax::{literal, method, pieces, registered};
use super::tokens::{Piece, Token, Tokens, tokens};
use super::{CORE, LARGEST};
use crate::text::{Unreadable, at};

/// What was found in one file.
#[derive(Debug, Default)]
pub struct Found {
    /// Names that stand for texts.
    pub(super) texts: BTreeMap<String, String>,
    /// Names that stand for group versions.
    pub(super) versions: BTreeMap<String, GroupVersion>,
    /// Kinds that are registered.
    pub(super) registered: Vec<Registered>,
    /// What methods answer, by type.
    pub(super) methods: BTreeMap<String, Vec<Method>>,
    /// What comments above types say, by type.
    pub(super) tags: BTreeMap<String, Tags>,
    /// What could not be understood.
    pub(super) odd: Vec<Unreadable>,
    /// The line of the last type that was looked at.
    last_type: u32,
}

impl Found {
    /// Whether it says anything of API kinds.
    pub fn says_something(&self) -> bool {
        !(self.registered.is_empty() && self.methods.is_empty() && self.tags.is_empty())
    }
}

/// A name as it is written: itself, or something that stands for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    Text(String),
    /// Declared in the same package.
    Constant(String),
    /// Declared in another package.
    Foreign(String),
}

/// A group version as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GroupVersion {
    Literal { group: Name, version: Name },
    Named(Name),
}

/// A kind that is registered.
#[derive(Debug)]
pub(super) struct Registered {
    pub line: u32,
    pub column: u32,
    pub to: GroupVersion,
    pub kind: String,
    /// The type in Go.
    pub of_type: String,
}

/// What a lifecycle marker says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub introduced: Option<ReleaseName>,
    pub deprecated: Option<ReleaseName>,
    pub removed: Option<ReleaseName>,
    pub replacement: Option<Api>,
}

impl Said {
    /// Adds what another says of what is not said yet.
    pub(super) fn or(&mut self, other: &Self) {
        let Self {
            introduced,
            deprecated,
            removed,
            replacement,
        } = other;
        let release = |own: &mut Option<ReleaseName>, other: &Option<ReleaseName>| {
            *own = own.take().or_else(|| other.clone());
        };
        release(&mut self.introduced, introduced);
        release(&mut self.deprecated, deprecated);
        release(&mut self.removed, removed);
        self.replacement = self.replacement.take().or_else(|| replacement.clone());
    }
}

/// What a method of a type answers.
#[derive(Debug)]
pub(super) struct Method {
    pub line: u32,
    pub said: Said,
}

/// What comments above a type say.
#[derive(Debug, Default)]
pub(super) struct Tags {
    pub line: u32,
    /// Whether a client is generated for it.
    pub client: bool,
    pub said: Said,
}

/// Reads a Go file. Of what it says of other things, nothing is taken.
///
/// No more than [`LARGEST`] bytes are read. Nothing is run.
///
/// # Errors
///
/// If the text cannot be taken apart as Go.
pub fn read(text: &str) -> Result<Found, Unreadable> {
    let mut found = Found::default();
    if text.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    let words = [
        "AddKnownType",
        "APILifecycle",
        "+genclient",
        "+k8s:prerelease",
        "GroupVersion",
        "GroupName",
    ];
    if !words.iter().any(|word| text.contains(word)) {
        return Ok(found);
    }
    let read = tokens(text)?;
    let mut at = 0;
    while let Some(token) = read.code.get(at) {
        let rest = read.code.get(at..).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| read.code.get(before));
        at += 1;
        match token.piece {
            Piece::Word("func") if token.depth == 0 => method(rest, &mut found),
            Piece::Word("AddKnownTypes" | "AddKnownTypeWithName")
                if before.is_some_and(|before| before.piece == Piece::Sign('.')) =>
            {
                // What is in a call is read once, however calls are nested.
                at += registered(rest, &mut found);
            }
            Piece::Word(name) if token.depth == 0 => declared(name, rest, before, &read, &mut found),
            _ => {}
        }
    }
    Ok(found)
}

/// A declaration at the top of a file: `NAME = "text"`, `NAME = schema.GroupVersion{…}`, `NAME struct {`.
fn declared(name: &str, rest: &[Token<'_>], before: Option<&Token<'_>>, read: &Tokens<'_>, found: &mut Found) {
    match pieces(rest, 1).as_slice() {
        [Piece::Word("struct"), Piece::Sign('{'), ..] => {
            let word = before.filter(|before| before.piece == Piece::Word("type"));
            // The comment above a line is of the first type in it.
            if let Some(first) = word.or(rest.first()).filter(|first| first.line > found.last_type) {
                found.last_type = first.line;
                tags(name, first.line, read, found);
            }
        }
        [Piece::Sign('='), Piece::Text(text), ..]
        | [Piece::Word("string"), Piece::Sign('='), Piece::Text(text), ..] => {
            found.texts.entry(name.to_owned()).or_insert_with(|| (*text).to_owned());
        }
        [Piece::Sign('='), ..] => {
            if let Some(version) = rest.get(2..).and_then(literal) {
                found.versions.entry(name.to_owned()).or_insert(version);
            }
        }
        _ => {}
    }
}

/// A kind in a version, if all names can be used.
pub(super) fn api(group: &str, version: &str, kind: &str) -> Option<Api> {
    let group = if group.is_empty() { CORE } else { group };
    let all = [group, version, kind];
    all.iter().all(|name| is_name(name)).then(|| Api {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
    })
}

/// Whether a text can be the name of a group, a version or a kind.
pub(super) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&c);
    !text.is_empty() && text.chars().all(fits)
}

/// The tags of a type, in the block of comments above it and the one before that, as Kubernetes' generators read them.
fn tags(of_type: &str, line: u32, read: &Tokens<'_>, found: &mut Found) {
    let block = |end: u32| {
        let lines = (1..=end).rev();
        lines.map_while(|line| Some((line, *read.comments.get(&line)?)))
    };
    let closest: Vec<(u32, &str)> = block(line.saturating_sub(1)).collect();
    let first = closest.last().map_or(line, |(first, _)| *first);
    let before = block(first.saturating_sub(2));
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
        let Some(said) = tag.strip_prefix("k8s:prerelease-lifecycle-gen:") else {
            continue;
        };
        any = true;
        match written(said) {
            Some(said) => tags.said.or(&said),
            None => found.odd.push(at(
                line,
                1,
                format!("the marker `{said}` of {of_type} cannot be read: it is passed over"),
            )),
        }
    }
    if any {
        found.tags.insert(of_type.to_owned(), tags);
    }
}

/// What a marker that was written by hand says: `removed=1.25`, `replacement=apps,v1,Deployment`.
fn written(tag: &str) -> Option<Said> {
    let (what, value) = tag.split_once('=')?;
    let release = || ReleaseName::parse(value);
    let mut said = Said::default();
    match what {
        "introduced" => said.introduced = Some(release()?),
        "deprecated" => said.deprecated = Some(release()?),
        "removed" => said.removed = Some(release()?),
        "replacement" => {
            let mut parts = value.split(',');
            let all = (parts.next()?, parts.next()?, parts.next()?);
            let named = api(all.0, all.1, all.2).filter(|_| parts.next().is_none());
            said.replacement = Some(named?);
        }
        _ => return None,
    }
    Some(said)
}
