//! Pairs each CRD of the old state with the same one of the new state.

use std::collections::{BTreeMap, BTreeSet};

use crate::schema::compare::Steps;
use crate::schema::{Definition, compare};

use super::law;

/// A CRD and the file it is in.
#[derive(Debug, Clone, Copy)]
pub struct CrdSource<'a> {
    /// The file's name, as findings write it.
    pub file: &'a str,
    /// The CRD.
    pub definition: &'a Definition,
}

/// Why two states cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:1: {reason}")]
pub struct CompareError {
    file: String,
    /// The line at which the document begins.
    line: u32,
    reason: String,
    help: &'static str,
}

impl CompareError {
    /// The differences need more memory than a comparison may take.
    pub(super) fn too_large(side: CrdSource<'_>) -> Self {
        Self::of_size(side.file, side.definition.place.line, &side.definition.kind)
    }

    /// The same of a kind, or of all documents of a state.
    pub(super) fn of_size(file: &str, line: u32, what: &str) -> Self {
        Self {
            file: file.to_owned(),
            line,
            reason: format!("{what}: {}", compare::TooMuch),
            help: "compare fewer or smaller schemas at once",
        }
    }

    /// One state defines or describes something twice.
    pub(super) fn twice(file: &str, line: u32, reason: String) -> Self {
        Self {
            file: file.to_owned(),
            line,
            reason,
            help: "name only the file or folder to use; of a revision, as REVISION:FOLDER",
        }
    }

    /// The next step.
    pub fn help(&self) -> &'static str {
        self.help
    }
}

/// A kind in the two states; at least one of them has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(crate) old: Option<CrdSource<'a>>,
    pub(crate) new: Option<CrdSource<'a>>,
}

impl Pair<'_> {
    /// The kind, as the new state names it.
    pub(super) fn name(&self) -> Option<KindName> {
        let side = self.new.or(self.old)?;
        Some((side.definition.group.clone(), side.definition.kind.clone()))
    }

    pub(crate) fn in_both(&self) -> bool {
        self.old.is_some() && self.new.is_some()
    }
}

/// A group, and a kind of it.
pub(crate) type KindName = (String, String);

/// A group, and a plural or a kind of it.
type Name<'a> = (&'a str, &'a str);

/// The kinds of both states, ordered by group and kind. Two CRDs are the same if they have the same plural, as for
/// Kubernetes, or else the same kind.
pub(super) fn pairs<'a>(
    old: &[CrdSource<'a>],
    new: &[CrdSource<'a>],
    steps: &mut Steps,
) -> Result<Vec<Pair<'a>>, CompareError> {
    let (old, new) = (by_plural(old, steps)?, by_plural(new, steps)?);
    let renamed = renamed(&old, &new);
    let mut pairs: Vec<Pair<'a>> = Vec::new();
    let mut taken: BTreeSet<Name<'a>> = BTreeSet::new();
    for (name, after) in &new {
        let before = old.get(name).or_else(|| renamed.get(&kind_name(after))).copied();
        pairs.push(Pair {
            old: before.filter(|side| taken.insert(plural_name(side))),
            new: Some(*after),
        });
    }
    let removed = old.into_iter().filter(|(name, _)| !taken.contains(name));
    pairs.extend(removed.map(|(_, side)| Pair {
        old: Some(side),
        new: None,
    }));
    pairs.sort_by_key(|pair| pair.new.or(pair.old).map(|side| kind_name(&side)));
    Ok(pairs)
}

/// By kind, the CRDs whose plural the new state does not have: those that may have been renamed. A kind that two of
/// them have is ambiguous, and left out.
fn renamed<'a>(
    old: &BTreeMap<Name<'a>, CrdSource<'a>>,
    new: &BTreeMap<Name<'a>, CrdSource<'a>>,
) -> BTreeMap<Name<'a>, CrdSource<'a>> {
    let mut by_kind: BTreeMap<Name<'a>, Option<CrdSource<'a>>> = BTreeMap::new();
    for (_, side) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        let only = by_kind.entry(kind_name(side));
        only.and_modify(|only| *only = None).or_insert(Some(*side));
    }
    by_kind
        .into_iter()
        .filter_map(|(kind, only)| Some((kind, only?)))
        .collect()
}

fn kind_name<'a>(side: &CrdSource<'a>) -> Name<'a> {
    (&side.definition.group, &side.definition.kind)
}

fn plural_name<'a>(side: &CrdSource<'a>) -> Name<'a> {
    (&side.definition.group, &side.definition.plural)
}

/// The CRDs of one state by group and plural. A repeated one must have the same meaning.
fn by_plural<'a>(
    sides: &[CrdSource<'a>],
    steps: &mut Steps,
) -> Result<BTreeMap<Name<'a>, CrdSource<'a>>, CompareError> {
    let mut by_plural: BTreeMap<Name<'a>, CrdSource<'a>> = BTreeMap::new();
    for side in sides {
        if let Some(first) = by_plural.insert(plural_name(side), *side) {
            refuse_unlike(first, *side, steps)?;
        }
    }
    Ok(by_plural)
}

/// Refuses two CRDs of one state with the same name and another meaning.
pub(super) fn refuse_unlike(first: CrdSource<'_>, side: CrdSource<'_>, steps: &mut Steps) -> Result<(), CompareError> {
    steps.begin();
    let changes = compare::definitions(first.definition, side.definition, steps);
    let changes = changes.map_err(|_| CompareError::too_large(side))?;
    if !changes.iter().any(|change| law::of(change.kind).has_meaning) {
        return Ok(());
    }
    let Definition { group, kind, place, .. } = side.definition;
    let other = format!("{}:{}", first.file, first.definition.place.line);
    let reason = format!("{group} {kind} is defined differently in {other}");
    Err(CompareError::twice(side.file, place.line, reason))
}
