//! Which CRD of the old state is which of the new one.

use std::collections::{BTreeMap, BTreeSet};

use crate::schema::{ChangeKind, Definition, compare};

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
#[non_exhaustive]
pub enum CompareError {
    /// The differences need more memory than a comparison may take.
    #[error("{file}:{line}:1: {what}: {}", compare::TooMuch)]
    TooLarge {
        /// The file.
        file: String,
        /// The line at which the document begins.
        line: u32,
        /// The kind, or all documents of a state.
        what: String,
    },
    /// One state defines a kind in two different ways.
    #[error("{file}:{line}:1: {group} {kind} is defined differently in {other}")]
    DefinedTwice {
        /// The second file.
        file: String,
        /// The line at which its CRD begins.
        line: u32,
        /// The API group.
        group: String,
        /// The kind.
        kind: String,
        /// The first file and its line.
        other: String,
    },
    /// Two `OpenAPI` documents of one state describe the same version of a kind.
    #[error("{file}:{line}:1: {element} is also described in {other}")]
    DescribedTwice {
        /// The second file.
        file: String,
        /// The line at which its document begins.
        line: u32,
        /// The version of the kind.
        element: String,
        /// The first file and its line.
        other: String,
    },
}

impl CompareError {
    pub(super) fn too_large(side: CrdSource<'_>) -> Self {
        Self::TooLarge {
            file: side.file.to_owned(),
            line: side.definition.place.line,
            what: side.definition.kind.clone(),
        }
    }

    /// The next step.
    pub fn help(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "compare fewer or smaller schemas at once",
            Self::DefinedTwice { .. } | Self::DescribedTwice { .. } => "name only the file or folder to use",
        }
    }
}

/// A kind in the two states; at least one of them has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(crate) old: Option<CrdSource<'a>>,
    pub(crate) new: Option<CrdSource<'a>>,
}

impl Pair<'_> {
    pub(crate) fn in_both(&self) -> bool {
        self.old.is_some() && self.new.is_some()
    }
}

/// A group, and a plural or a kind of it.
type Name<'a> = (&'a str, &'a str);

/// The kinds of both states, ordered by group and kind. Two CRDs are the same if they have the same plural, as for
/// Kubernetes, or else the same kind.
pub(super) fn pairs<'a>(old: &[CrdSource<'a>], new: &[CrdSource<'a>]) -> Result<Vec<Pair<'a>>, CompareError> {
    let (old, new) = (by_plural(old)?, by_plural(new)?);
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
    let mut by_kind: BTreeMap<Name<'a>, Vec<CrdSource<'a>>> = BTreeMap::new();
    for (_, side) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        by_kind.entry(kind_name(side)).or_default().push(*side);
    }
    let unique = by_kind.into_iter().filter(|(_, sides)| sides.len() == 1);
    unique.map(|(kind, sides)| (kind, sides[0])).collect()
}

fn kind_name<'a>(side: &CrdSource<'a>) -> Name<'a> {
    (&side.definition.group, &side.definition.kind)
}

fn plural_name<'a>(side: &CrdSource<'a>) -> Name<'a> {
    (&side.definition.group, &side.definition.plural)
}

/// The CRDs of one state by group and plural. A repeated one must have the same meaning.
fn by_plural<'a>(sides: &[CrdSource<'a>]) -> Result<BTreeMap<Name<'a>, CrdSource<'a>>, CompareError> {
    let mut by_plural: BTreeMap<Name<'a>, CrdSource<'a>> = BTreeMap::new();
    for side in sides {
        let Some(first) = by_plural.insert(plural_name(side), *side) else {
            continue;
        };
        let changes = compare::definitions(first.definition, side.definition);
        let changes = changes.map_err(|_| CompareError::too_large(*side))?;
        if changes.iter().any(|change| has_meaning(change.kind)) {
            return Err(CompareError::DefinedTwice {
                file: side.file.to_owned(),
                line: side.definition.place.line,
                group: side.definition.group.clone(),
                kind: side.definition.kind.clone(),
                other: format!("{}:{}", first.file, first.definition.place.line),
            });
        }
    }
    Ok(by_plural)
}

/// Whether a kind of change is more than documentation or another way to write the same.
fn has_meaning(kind: ChangeKind) -> bool {
    !matches!(
        kind,
        ChangeKind::DescriptionChanged | ChangeKind::DocumentationChanged | ChangeKind::Restated
    )
}
