//! Which definition of the one state is that of the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::schema::{ChangeKind, Definition, compare};

/// A definition and the file it is in.
#[derive(Debug, Clone, Copy)]
pub struct Defined<'a> {
    /// The file's name, as findings tell it.
    pub file: &'a str,
    /// The definition.
    pub definition: &'a Definition,
}

/// Why two states cannot be held against each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:1: {reason}")]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The line at which the definition's document begins.
    pub line: u32,
    /// What is wrong.
    pub reason: String,
    /// The next step.
    pub help: String,
}

impl Fault {
    pub(super) fn too_much(side: Defined<'_>) -> Self {
        Self {
            file: side.file.to_owned(),
            line: side.definition.place.line,
            reason: format!("of {}, {}", side.definition.kind, compare::TooMuch),
            help: "compare schemas of an ordinary size".to_owned(),
        }
    }
}

/// A kind in the two states; at least one of them has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub old: Option<Defined<'a>>,
    pub new: Option<Defined<'a>>,
}

impl Pair<'_> {
    pub fn in_both(&self) -> bool {
        self.old.is_some() && self.new.is_some()
    }
}

/// What a definition is known by.
type Name<'a> = (&'a str, &'a str);

/// The kinds of both states, in the order of their groups and names. A definition is that of the same plural, as it is
/// for Kubernetes, or else of the same kind.
pub(super) fn pairs<'a>(old: &[Defined<'a>], new: &[Defined<'a>]) -> Result<Vec<Pair<'a>>, Fault> {
    let (old, new) = (by_plural(old)?, by_plural(new)?);
    let kind = |side: &Defined<'a>| (side.definition.group.as_str(), side.definition.kind.as_str());
    let alone = |name: &Name<'_>, there: &BTreeMap<Name<'a>, Defined<'a>>| !there.contains_key(name);
    // Kinds whose plural changed, if there is no doubt which.
    let mut gone: BTreeMap<Name<'a>, Vec<Defined<'a>>> = BTreeMap::new();
    for (_, side) in old.iter().filter(|(name, _)| alone(name, &new)) {
        gone.entry(kind(side)).or_default().push(*side);
    }
    let mut pairs: Vec<Pair<'a>> = Vec::new();
    let mut found: BTreeSet<Name<'a>> = BTreeSet::new();
    for (name, after) in &new {
        let renamed = || match gone.get(&kind(after)).map(Vec::as_slice) {
            Some([before]) => Some(*before),
            _ => None,
        };
        let before = old.get(name).copied().or_else(renamed);
        let taken = |side: &Defined<'a>| found.insert((&side.definition.group, &side.definition.plural));
        let before = before
            .map(|side| (side, taken))
            .and_then(|(side, mut taken)| taken(&side).then_some(side));
        pairs.push(Pair {
            old: before,
            new: Some(*after),
        });
    }
    let left = old.iter().filter(|(name, _)| !found.contains(*name));
    pairs.extend(left.map(|(_, side)| Pair {
        old: Some(*side),
        new: None,
    }));
    let order = |pair: &Pair<'a>| pair.new.or(pair.old).map(|side| kind(&side));
    pairs.sort_by_key(order);
    Ok(pairs)
}

/// The definitions of one state by group and plural. One that is there twice must say the same.
fn by_plural<'a>(sides: &[Defined<'a>]) -> Result<BTreeMap<Name<'a>, Defined<'a>>, Fault> {
    let mut known: BTreeMap<Name<'a>, Defined<'a>> = BTreeMap::new();
    for side in sides {
        let name = (side.definition.group.as_str(), side.definition.plural.as_str());
        let Some(first) = known.insert(name, *side) else {
            continue;
        };
        let changes = compare::definitions(first.definition, side.definition).map_err(|_| Fault::too_much(*side))?;
        let says_nothing = [
            ChangeKind::DescriptionChanged,
            ChangeKind::DocumentationChanged,
            ChangeKind::Restated,
        ];
        if changes.iter().any(|change| !says_nothing.contains(&change.kind)) {
            let (group, kind) = (&side.definition.group, &side.definition.kind);
            let (file, line) = (first.file, first.definition.place.line);
            return Err(Fault {
                file: side.file.to_owned(),
                line: side.definition.place.line,
                reason: format!("{group} {kind} is defined otherwise in {file}:{line}"),
                help: "name the file or the folder that counts".to_owned(),
            });
        }
    }
    Ok(known)
}
