//! What one Go file states about API kinds.

use std::collections::BTreeMap;

use crate::grammar::CORE;
use crate::release::ReleaseName;

use super::super::deprecation_lists::Api;
use super::LARGEST;
use super::syntax::{literal, method, pieces, registered};
use super::tokens::{Piece, Token, Tokens, tokens};
use crate::text::{Unreadable, at, check_size};

/// The declarations of one file that are about API kinds.
#[derive(Debug, Default)]
pub struct GoFile {
    /// Names that stand for texts.
    pub(super) texts: BTreeMap<String, String>,
    /// Names that stand for group versions.
    pub(super) versions: BTreeMap<String, GroupVersion>,
    /// Kinds that are registered.
    pub(super) registered: Vec<Registered>,
    /// Lifecycle methods, by type.
    pub(super) methods: BTreeMap<String, Vec<Method>>,
    /// Markers in comments above types, by type.
    pub(super) tags: BTreeMap<String, Tags>,
    /// What could not be understood.
    pub(super) skipped: Vec<Unreadable>,
    /// The line of the last type that was read.
    last_type: u32,
}

impl GoFile {
    /// Whether it states nothing about API kinds.
    pub fn is_empty(&self) -> bool {
        self.registered.is_empty() && self.methods.is_empty() && self.tags.is_empty()
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

/// What lifecycle markers state about a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Markers {
    pub introduced: Option<ReleaseName>,
    pub deprecated: Option<ReleaseName>,
    pub removed: Option<ReleaseName>,
    pub replacement: Option<Api>,
}

impl Markers {
    /// Adds what others state and these do not.
    pub(super) fn or(&mut self, other: &Self) {
        *self = Self {
            introduced: self.introduced.take().or_else(|| other.introduced.clone()),
            deprecated: self.deprecated.take().or_else(|| other.deprecated.clone()),
            removed: self.removed.take().or_else(|| other.removed.clone()),
            replacement: self.replacement.take().or_else(|| other.replacement.clone()),
        };
    }
}

/// A lifecycle method of a type, with what it returns.
#[derive(Debug)]
pub(super) struct Method {
    pub line: u32,
    pub markers: Markers,
}

/// The tags in comments above a type.
#[derive(Debug, Default)]
pub(super) struct Tags {
    pub line: u32,
    /// Whether a client is generated for it.
    pub client: bool,
    pub markers: Markers,
}

/// Reads a Go file. Only declarations about API kinds are taken.
///
/// No more than [`LARGEST`] bytes are read. Nothing is run.
///
/// # Errors
///
/// If the text cannot be taken apart as Go.
pub fn read(text: &str) -> Result<GoFile, Unreadable> {
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
            Piece::Word("func") if token.depth == 0 => method(rest, &mut file),
            Piece::Word("AddKnownTypes" | "AddKnownTypeWithName")
                if before.is_some_and(|before| before.piece == Piece::Sign('.')) =>
            {
                // What is in a call is read once, however calls are nested.
                at += registered(rest, &mut file);
            }
            Piece::Word(name) if token.depth == 0 => declared(name, rest, before, &read, &mut file),
            _ => {}
        }
    }
    Ok(file)
}

/// A declaration at the top of a file: `NAME = "text"`, `NAME = schema.GroupVersion{…}`, `NAME struct {`.
fn declared(name: &str, rest: &[Token<'_>], before: Option<&Token<'_>>, read: &Tokens<'_>, file: &mut GoFile) {
    match pieces(rest, 1).as_slice() {
        [Piece::Word("struct"), Piece::Sign('{'), ..] => {
            let word = before.filter(|before| before.piece == Piece::Word("type"));
            // The comment above a line is of the first type in it.
            if let Some(first) = word.or(rest.first()).filter(|first| first.line > file.last_type) {
                file.last_type = first.line;
                tags(name, first.line, read, file);
            }
        }
        [Piece::Sign('='), Piece::Text(text), ..]
        | [Piece::Word("string"), Piece::Sign('='), Piece::Text(text), ..] => {
            file.texts.entry(name.to_owned()).or_insert_with(|| (*text).to_owned());
        }
        [Piece::Sign('='), ..] => {
            if let Some(version) = rest.get(2..).and_then(literal) {
                file.versions.entry(name.to_owned()).or_insert(version);
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
    let mut chars = text.chars();
    !text.is_empty() && chars.all(|c| c.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&c))
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
    let (key, value) = marker.split_once('=')?;
    let mut markers = Markers::default();
    match key {
        "introduced" => markers.introduced = Some(ReleaseName::parse(value)?),
        "deprecated" => markers.deprecated = Some(ReleaseName::parse(value)?),
        "removed" => markers.removed = Some(ReleaseName::parse(value)?),
        "replacement" => {
            let [group, version, kind] = value.split(',').collect::<Vec<_>>().try_into().ok()?;
            markers.replacement = Some(api(group, version, kind)?);
        }
        _ => return None,
    }
    Some(markers)
}
