//! `OpenAPI` documents, judged.
//!
//! Their schemas refer to one another by name. Written out, the types of Kubernetes contain one another many times
//! over, some without end. So each pair of schemas that stand for one another, beginning at the kinds, is compared
//! once. A change is reported at the place where it is most severe, together with the other places that use the
//! schema. Neither the name of a schema matters, nor whether it is written in place. What no path of the document
//! serves is not compared.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::grammar::KindPath;
use crate::policy::Policy;
use crate::schema::compare::{self, Documents, SharedChange, Steps, TypeName};
use crate::schema::{Change, Definition, Document, KindVersion};

use super::judgement::judge;
use super::matching::{CompareError, CrdSource, Pair, pairs};
use super::{Differences, Judgement, changes, words};

/// An `OpenAPI` document and the file it is in.
#[derive(Debug, Clone, Copy)]
pub struct DocumentSource<'a> {
    /// The file's name, as findings write it.
    pub file: &'a str,
    /// The document.
    pub document: &'a Document,
}

/// Refuses documents that describe a kind twice.
pub(super) fn described_once(documents: &[DocumentSource<'_>], steps: &mut Steps) -> Result<(), CompareError> {
    pairs(&[], &Whole::of(documents)?.kinds(), steps).map(drop)
}

pub(super) fn differences(
    [old, new]: [&[DocumentSource<'_>]; 2],
    policy: &Policy,
    steps: &mut Steps,
) -> Result<Differences, CompareError> {
    let (before, after) = (Whole::of(old)?, Whole::of(new)?);
    let (kinds_before, kinds_after) = (before.kinds(), after.kinds());
    let pairs = pairs(&kinds_before, &kinds_after, steps)?;
    let mut differences = Differences::default();
    let mut roots = Vec::new();
    for pair in &pairs {
        steps.begin();
        for change in changes(pair, steps)? {
            let version = change.version.as_deref();
            let file = version.and_then(|version| file_of(pair, version, &before, &after));
            let judgement = judge(pair, change, policy);
            differences.judgements.push(Judgement {
                file: file.or(judgement.file),
                ..judgement
            });
        }
        differences.compared += usize::from(pair.in_both());
        roots.extend(shared_roots(pair, &before, &after));
    }
    let types: Vec<(TypeName, TypeName)> = roots.iter().map(|root| root.types.clone()).collect();
    steps.begin();
    let shared = compare::types(&documents(old), &documents(new), &types, steps).map_err(|_| too_large(new))?;
    if steps.are_exhausted() {
        // All of them share their schemas.
        differences.partly.extend(pairs.iter().filter_map(Pair::name));
    }
    let judged = shared
        .into_iter()
        .filter_map(|change| judge_shared(change, &roots, (old, new), policy));
    differences.judgements.extend(judged);
    // Kind by kind; within a kind the order stays.
    differences
        .judgements
        .sort_by(|one, other| (&one.group, &one.kind).cmp(&(&other.group, &other.kind)));
    Ok(differences)
}

/// The file that has a version of a kind: the new one, or the old one where the version was removed.
fn file_of(pair: &Pair<'_>, version: &str, before: &Whole<'_>, after: &Whole<'_>) -> Option<String> {
    let new = pair.new.and_then(|side| after.file(side.definition, version));
    let old = pair.old.and_then(|side| before.file(side.definition, version));
    new.or(old).map(str::to_owned)
}

fn too_large(documents: &[DocumentSource<'_>]) -> CompareError {
    let first = documents.first();
    let (file, line) = first.map_or(("", 1), |first| (first.file, first.document.line));
    CompareError::of_size(file, line, "OpenAPI documents")
}

fn documents(described: &[DocumentSource<'_>]) -> Documents {
    let schemas = described
        .iter()
        .map(|side| (Arc::clone(&side.document.schemas), side.document.line));
    schemas.collect()
}

/// What all documents of a state describe together. In `OpenAPI` 3, each document has one version of a group.
struct Whole<'a> {
    kinds: BTreeMap<(&'a str, &'a str), (&'a str, Definition)>,
    /// The position of the document that has a version of a kind.
    documents: BTreeMap<KindVersion, usize>,
    described: &'a [DocumentSource<'a>],
}

impl<'a> Whole<'a> {
    fn of(described: &'a [DocumentSource<'a>]) -> Result<Self, CompareError> {
        let mut whole = Self {
            kinds: BTreeMap::new(),
            documents: BTreeMap::new(),
            described,
        };
        for (at, side) in described.iter().enumerate() {
            for kind in &side.document.kinds {
                whole.add(at, *side, kind)?;
            }
        }
        Ok(whole)
    }

    fn add(&mut self, at: usize, side: DocumentSource<'a>, kind: &'a Definition) -> Result<(), CompareError> {
        for version in kind.versions.keys() {
            let first = self.documents.insert(key(kind, version), at);
            if let Some(first) = first.and_then(|first| self.described.get(first)) {
                let element = KindPath::api(&*kind.group, &**version, &*kind.kind);
                let other = format!("{}:{}", first.file, first.document.line);
                let reason = format!("{element} is also described in {other}");
                return Err(CompareError::twice(side.file, side.document.line, reason));
            }
        }
        let key = (kind.group.as_str(), kind.kind.as_str());
        match self.kinds.get_mut(&key) {
            Some((_, known)) => known.versions.extend(kind.versions.clone()),
            None => drop(self.kinds.insert(key, (side.file, kind.clone()))),
        }
        Ok(())
    }

    fn kinds(&self) -> Vec<CrdSource<'_>> {
        let kinds = self.kinds.values();
        kinds.map(|(file, definition)| CrdSource { file, definition }).collect()
    }

    /// The file that has a version of a kind.
    fn file(&self, kind: &Definition, version: &str) -> Option<&str> {
        let at = self.documents.get(&key(kind, version))?;
        self.described.get(*at).map(|side| side.file)
    }

    /// The schema of a version of a kind.
    fn schema(&self, kind: &Definition, version: &str) -> Option<TypeName> {
        let key = key(kind, version);
        let at = *self.documents.get(&key)?;
        Some((at, self.described.get(at)?.document.roots.get(&key)?.clone()))
    }
}

fn key(kind: &Definition, version: &str) -> KindVersion {
    (kind.group.clone(), version.to_owned(), kind.kind.clone())
}

/// A version of a kind that both states have.
struct Root<'a> {
    pair: Pair<'a>,
    version: &'a str,
    types: (TypeName, TypeName),
}

fn shared_roots<'a>(pair: &Pair<'a>, before: &Whole<'_>, after: &Whole<'_>) -> Vec<Root<'a>> {
    let (Some(old), Some(new)) = (pair.old, pair.new) else {
        return Vec::new();
    };
    let roots = new.definition.versions.keys().filter_map(|version| {
        let types = (
            before.schema(old.definition, version)?,
            after.schema(new.definition, version)?,
        );
        let pair = *pair;
        Some(Root { pair, version, types })
    });
    roots.collect()
}

/// Judges a change of a schema at the place where it is most severe, and names the other places.
fn judge_shared(
    shared: SharedChange,
    roots: &[Root<'_>],
    (old, new): (&[DocumentSource<'_>], &[DocumentSource<'_>]),
    policy: &Policy,
) -> Option<Judgement> {
    let SharedChange {
        change,
        documents,
        places,
    } = shared;
    let places = places.iter().filter_map(|(at, path)| {
        let root = roots.get(*at)?;
        Some((root, placed(&change, root.version, path)))
    });
    let mut places: Vec<(&Root<'_>, Change)> = places.collect();
    places.sort_by_cached_key(|(root, there)| {
        let depth = there.path.matches(['.', '[', '{']).count();
        let track = Reverse(root.pair.track(there));
        (root.pair.in_status(there), track, depth, id(root, there))
    });
    let also = places.iter().skip(1).map(|(root, there)| id(root, there)).collect();
    let (root, there) = places.into_iter().next()?;
    let file = match there.new_place {
        Some(_) => new.get(documents.1),
        None => old.get(documents.0),
    };
    let change = Change {
        old: change.old,
        new: change.new,
        ..there
    };
    Some(Judgement {
        file: file.map(|side| side.file.to_owned()),
        also,
        ..judge(&root.pair, change, policy)
    })
}

/// A change of a schema at one of the places that use it, without its values.
fn placed(change: &Change, version: &str, path: &str) -> Change {
    Change {
        version: Some(version.to_owned()),
        path: format!("{path}{}", change.path),
        old: None,
        new: None,
        ..change.clone()
    }
}

fn id(root: &Root<'_>, change: &Change) -> String {
    let definition = root.pair.new.or(root.pair.old).map(|side| side.definition);
    definition.map_or_else(String::new, |kind| words::element(&kind.group, &kind.kind, change))
}
