//! Documents of `OpenAPI`, judged. A change of a schema that many kinds use is told once, with the kinds it concerns.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::policy::Policy;
use crate::report::DifferenceReport;
use crate::schema::compare::{self, Documents, SharedChange, TypeName};
use crate::schema::{Change, Definition, Document, KindVersion};

use super::matching::{Defined, Fault, Pair, pairs};
use super::{changes, in_status, judged, track, words};

/// A document and the file it is in.
#[derive(Debug, Clone, Copy)]
pub struct Described<'a> {
    /// The file's name, as findings tell it.
    pub file: &'a str,
    /// The document.
    pub document: &'a Document,
}

/// Refuses documents that describe a kind twice.
pub(super) fn described_once(documents: &[Described<'_>]) -> Result<(), Fault> {
    pairs(&[], &Whole::of(documents)?.defined()).map(drop)
}

/// How many kinds both states have, and what differs.
pub(super) fn differences(
    old: &[Described<'_>],
    new: &[Described<'_>],
    policy: &Policy,
) -> Result<(usize, Vec<DifferenceReport>), Fault> {
    let (before, after) = (Whole::of(old)?, Whole::of(new)?);
    let (defined_before, defined_after) = (before.defined(), after.defined());
    let pairs = pairs(&defined_before, &defined_after)?;
    let mut found: Vec<((String, String), DifferenceReport)> = Vec::new();
    for pair in &pairs {
        for change in changes(pair)? {
            let file = change.version.as_deref();
            let file = file.and_then(|version| file_of(pair, version, &before, &after));
            let mut told = judged(pair, change, policy);
            told.file = file.or(told.file);
            found.push((name(&told), told));
        }
    }
    let mut roots = Vec::new();
    let both = || pairs.iter().filter(|pair| pair.in_both());
    for pair in both() {
        roots.extend(shared_roots(pair, &before, &after));
    }
    let types: Vec<(TypeName, TypeName)> = roots.iter().map(|root| root.types.clone()).collect();
    let shared = compare::types(&documents(old), &documents(new), &types).map_err(|problem| too_much(new, problem))?;
    let files = (old, new);
    let shared = shared
        .into_iter()
        .filter_map(|change| told_once(change, &roots, files, policy));
    found.extend(shared.map(|told| (name(&told), told)));
    // Kind by kind, each in the order in which it was found.
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok((both().count(), found.into_iter().map(|(_, told)| told).collect()))
}

/// The file that has a version of a kind: the new one, or the old one where it is gone.
fn file_of(pair: &Pair<'_>, version: &str, before: &Whole<'_>, after: &Whole<'_>) -> Option<String> {
    let new = pair.new.and_then(|side| after.file(side.definition, version));
    let old = || pair.old.and_then(|side| before.file(side.definition, version));
    new.or_else(old).map(str::to_owned)
}

fn name(told: &DifferenceReport) -> (String, String) {
    (told.group.clone(), told.kind.clone())
}

fn too_much(documents: &[Described<'_>], problem: compare::TooMuch) -> Fault {
    let first = documents.first();
    Fault {
        file: first.map_or_else(String::new, |first| first.file.to_owned()),
        line: first.map_or(1, |first| first.document.line),
        reason: problem.to_string(),
        help: "compare fewer documents at once".to_owned(),
    }
}

fn documents(described: &[Described<'_>]) -> Documents {
    let one = |side: &Described<'_>| (Arc::clone(&side.document.schemas), side.document.line);
    described.iter().map(one).collect()
}

/// What all documents of a state describe together: in version 3, each has one version of a group.
struct Whole<'a> {
    kinds: BTreeMap<(&'a str, &'a str), (&'a str, Definition)>,
    /// Which document has a version of a kind.
    documents: BTreeMap<KindVersion, usize>,
    described: &'a [Described<'a>],
}

impl<'a> Whole<'a> {
    fn of(described: &'a [Described<'a>]) -> Result<Self, Fault> {
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

    fn add(&mut self, at: usize, side: Described<'a>, kind: &'a Definition) -> Result<(), Fault> {
        for version in kind.versions.keys() {
            let key = (kind.group.clone(), version.clone(), kind.kind.clone());
            if let Some(first) = self
                .documents
                .insert(key, at)
                .and_then(|first| self.described.get(first))
            {
                return Err(Fault {
                    file: side.file.to_owned(),
                    line: side.document.line,
                    reason: format!(
                        "{}/{version} {} is described in {}:{} too",
                        kind.group, kind.kind, first.file, first.document.line
                    ),
                    help: "name the file or the folder that counts".to_owned(),
                });
            }
        }
        let key = (kind.group.as_str(), kind.kind.as_str());
        match self.kinds.get_mut(&key) {
            Some((_, known)) => known.versions.extend(kind.versions.clone()),
            None => drop(self.kinds.insert(key, (side.file, kind.clone()))),
        }
        Ok(())
    }

    fn defined(&self) -> Vec<Defined<'_>> {
        let kinds = self.kinds.values();
        kinds.map(|(file, definition)| Defined { file, definition }).collect()
    }

    fn at(&self, kind: &Definition, version: &str) -> Option<usize> {
        let key = (kind.group.clone(), version.to_owned(), kind.kind.clone());
        self.documents.get(&key).copied()
    }

    /// The file that has a version of a kind.
    fn file(&self, kind: &Definition, version: &str) -> Option<&str> {
        let at = self.at(kind, version)?;
        self.described.get(at).map(|side| side.file)
    }

    /// The schema of a version of a kind.
    fn schema(&self, kind: &Definition, version: &str) -> Option<TypeName> {
        let at = self.at(kind, version)?;
        let key = (kind.group.clone(), version.to_owned(), kind.kind.clone());
        let name = self.described.get(at)?.document.roots.get(&key)?;
        Some((at, name.clone()))
    }
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
    let versions = new.definition.versions.keys();
    let one = |version: &'a String| {
        let types = (
            before.schema(old.definition, version)?,
            after.schema(new.definition, version)?,
        );
        Some(Root {
            pair: *pair,
            version,
            types,
        })
    };
    versions.filter_map(one).collect()
}

/// A change as the place tells it at which it is gravest, with all others.
fn told_once(
    shared: SharedChange,
    roots: &[Root<'_>],
    files: (&[Described<'_>], &[Described<'_>]),
    policy: &Policy,
) -> Option<DifferenceReport> {
    let SharedChange {
        change,
        documents,
        places,
    } = shared;
    let at = |(root, path): &(usize, String)| {
        let root = roots.get(*root)?;
        let there = Change {
            version: Some(root.version.to_owned()),
            path: format!("{path}{}", change.path),
            old: None,
            new: None,
            ..change.clone()
        };
        Some((root, there))
    };
    let mut places: Vec<(&Root<'_>, Change)> = places.iter().filter_map(at).collect();
    places.sort_by_cached_key(|(root, there)| {
        let mild = in_status(&root.pair, there);
        let steps = there.path.matches(['.', '[', '{']).count();
        (mild, Reverse(track(&root.pair, there)), steps, id(root, there))
    });
    let also = places.iter().skip(1).map(|(root, there)| id(root, there)).collect();
    let (root, there) = places.into_iter().next()?;
    let own = Change {
        old: change.old,
        new: change.new,
        ..there
    };
    let file = match own.new_place {
        Some(_) => files.1.get(documents.1),
        None => files.0.get(documents.0),
    };
    let mut told = judged(&root.pair, own, policy);
    told.file = file.map(|side| side.file.to_owned());
    told.also = also;
    Some(told)
}

fn id(root: &Root<'_>, change: &Change) -> String {
    let definition = root.pair.new.or(root.pair.old).map(|side| side.definition);
    definition.map_or_else(String::new, |kind| words::element(&kind.group, &kind.kind, change))
}
