//! Schemas that refer to one another by name. Each pair of corresponding schemas is compared once, and reported with
//! all places that use it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::schema::change::{Change, ChangeKind as Kind, Effect};
use crate::schema::node::{Property, Schema};
use crate::schema::path::is_in_status;
use crate::source::Location;

use super::hidden::{self, Link, Types};
use super::{Comparison, MOST_BYTES, Steps, TooMuch, normal};

/// Pairs of schemas that are compared.
const MOST_PAIRS: usize = 200_000;

/// Limit for the search for uses of schemas, and for the places that are reported.
const MOST_STEPS: usize = 20_000_000;

/// How many references in a row are followed.
const MOST_HOPS: usize = 32;

/// A schema: the position of its document, and its name there.
pub(crate) type TypeName = (usize, String);

/// The documents of one state: their schemas and first lines.
pub(crate) type Documents = Vec<(Types, u32)>;

/// A change of a schema that may be used in several places.
#[derive(Debug, Clone)]
pub(crate) struct SharedChange {
    /// The change; its path is relative to the schema.
    pub(crate) change: Change,
    /// The positions of the documents in the old and the new state.
    pub(crate) documents: (usize, usize),
    /// Its uses: the position of the root, and the path of the schema there. Each root appears at most once.
    pub(crate) places: Vec<(usize, String)>,
}

/// The differences between schemas and everything they refer to. `roots` are the pairs to begin with. All share the
/// steps of a CRD.
///
/// # Errors
///
/// If the differences need too much memory.
pub(crate) fn types(
    old: &Documents,
    new: &Documents,
    roots: &[(TypeName, TypeName)],
    steps: &mut Steps,
) -> Result<Vec<SharedChange>, TooMuch> {
    let mut walk = Walk {
        documents: [old, new],
        known: BTreeMap::new(),
        pairs: Vec::new(),
        waiting: VecDeque::new(),
        differing: BTreeMap::new(),
        steps,
    };
    let mut begins = Vec::new();
    for (before, after) in roots {
        begins.push(walk.pair(before.clone(), after.clone())?);
    }
    walk.compare()?;
    let uses = uses(&walk.pairs, &begins)?;
    Ok(merged(walk.pairs, uses))
}

/// Two corresponding schemas.
struct Pair {
    documents: (usize, usize),
    names: (String, String),
    changes: Vec<Change>,
    /// The references to other pairs: the path, and the position of the pair.
    links: Vec<(String, usize)>,
}

struct Walk<'a> {
    documents: [&'a Documents; 2],
    known: BTreeMap<(TypeName, TypeName), usize>,
    pairs: Vec<Pair>,
    waiting: VecDeque<usize>,
    /// The names with another meaning, by documents; computed only if alternatives refer to names.
    differing: BTreeMap<(usize, usize), BTreeSet<String>>,
    steps: &'a mut Steps,
}

impl Walk<'_> {
    /// The number of a pair.
    fn pair(&mut self, old: TypeName, new: TypeName) -> Result<usize, TooMuch> {
        let next = self.pairs.len();
        if let Some(at) = self.known.get(&(old.clone(), new.clone())) {
            return Ok(*at);
        }
        if next >= MOST_PAIRS {
            return Err(TooMuch);
        }
        self.pairs.push(Pair {
            documents: (old.0, new.0),
            names: (old.1.clone(), new.1.clone()),
            changes: Vec::new(),
            links: Vec::new(),
        });
        self.known.insert((old, new), next);
        self.waiting.push_back(next);
        Ok(next)
    }

    fn compare(&mut self) -> Result<(), TooMuch> {
        let mut bytes = 0_usize;
        while let Some(at) = self.waiting.pop_front() {
            let Some(pair) = self.pairs.get(at) else { break };
            let (documents, names) = (pair.documents, pair.names.clone());
            let mut comparison = self.compared(documents, &names);
            *self.steps = std::mem::take(&mut comparison.steps);
            for hidden in std::mem::take(&mut comparison.hidden) {
                comparison.report_hidden(hidden, self.differing(documents));
            }
            bytes = bytes.saturating_add(comparison.bytes);
            let links = comparison.links.clone();
            let changes = comparison.finish()?;
            if bytes > MOST_BYTES {
                return Err(TooMuch);
            }
            let mut targets = Vec::new();
            for link in links {
                let target = self.pair((documents.0, link.old), (documents.1, link.new))?;
                targets.push((link.path, target));
            }
            if let Some(pair) = self.pairs.get_mut(at) {
                pair.changes = changes;
                pair.links = targets;
            }
        }
        Ok(())
    }

    fn differing(&mut self, documents: (usize, usize)) -> &BTreeSet<String> {
        let [old, new] = self.documents;
        self.differing.entry(documents).or_insert_with(|| {
            let (old, new) = (old.get(documents.0), new.get(documents.1));
            let both = old.zip(new);
            both.map_or_else(BTreeSet::new, |((old, _), (new, _))| hidden::differing(old, new))
        })
    }

    fn compared(&mut self, documents: (usize, usize), names: &(String, String)) -> Comparison {
        let (old, new) = (self.documents[0].get(documents.0), self.documents[1].get(documents.1));
        let (before, after) = (found(old, &names.0), found(new, &names.1));
        let begin = [old, new].map(|document| document.map_or(0, |(_, line)| *line));
        let mut comparison = Comparison {
            begin,
            // The format may not have places.
            places: [(before, begin[0]), (after, begin[1])].map(|(field, begin)| {
                let place = field.and_then(|field| field.place);
                Some(place.map_or_else(Location::default, |place| place.below(begin)))
            }),
            types: [old, new].map(|document| document.map(|(types, _)| Arc::clone(types))),
            ..Comparison::with(self.steps)
        };
        match (before, after) {
            (Some(before), Some(after)) => comparison.node(&before.schema, &after.schema),
            (Some(_), None) => comparison.push(Kind::SchemaRemoved, Effect::Wider),
            (None, Some(_)) => comparison.push(Kind::SchemaAdded, Effect::Narrower),
            (None, None) => {}
        }
        comparison
    }
}

fn found<'t>(document: Option<&'t (Types, u32)>, name: &str) -> Option<&'t Property> {
    document.and_then(|(types, _)| types.get(name))
}

impl Comparison {
    /// Follows references. Returns whether nothing else is left to compare.
    pub(super) fn referenced(&mut self, old: &Schema, new: &Schema) -> bool {
        let (before, after) = (old.reference.as_deref(), new.reference.as_deref());
        if before.is_none() && after.is_none() {
            return false;
        }
        let [Some(there), Some(here)] = self.types.clone() else {
            // CRDs must not have references: their meaning is not known.
            self.reference_changed(before, after);
            return false;
        };
        match (before, after) {
            (Some(before), Some(after)) => {
                self.links.push(Link {
                    path: self.path.clone(),
                    old: before.to_owned(),
                    new: after.to_owned(),
                });
                // Keywords beside the references are compared in place.
                false
            }
            _ => {
                let old = before.map_or(Some(old), |name| resolve(&there, name));
                let new = after.map_or(Some(new), |name| resolve(&here, name));
                match (old, new) {
                    (Some(old), Some(new)) => self.node(old, new),
                    _ => self.reference_changed(before, after),
                }
                true
            }
        }
    }

    fn reference_changed(&mut self, old: Option<&str>, new: Option<&str>) {
        if old != new {
            self.add(Kind::UnknownKeywordChanged, Effect::Unclear, Some("$ref"), [old, new]);
        }
    }
}

/// The schema of a name, after references that lead only to another one.
fn resolve<'t>(types: &'t Types, name: &str) -> Option<&'t Schema> {
    let mut schema = &types.get(name)?.schema;
    for _ in 0..MOST_HOPS {
        match &schema.reference {
            None => return Some(schema),
            Some(next) => schema = &types.get(next)?.schema,
        }
    }
    None
}

/// The uses of each pair: the position of a root and the path there. A path outside `status` is preferred, then the
/// shortest one.
fn uses(pairs: &[Pair], begins: &[usize]) -> Result<Vec<Vec<(usize, String)>>, TooMuch> {
    let mut uses: Vec<Vec<(usize, String)>> = pairs.iter().map(|_| Vec::new()).collect();
    if pairs.iter().all(|pair| pair.changes.is_empty()) {
        return Ok(uses);
    }
    // By pair and whether in status: from which root, and how it was reached.
    let mut reached: Vec<Option<Step>> = vec![None; pairs.len() * 2];
    let mut steps = 0_usize;
    for (root, begin) in begins.iter().enumerate() {
        let order = search(pairs, root, *begin, &mut reached, &mut steps)?;
        for node in order {
            let in_status = node % 2 == 1;
            let twice = in_status && reached.get(node - 1).is_some_and(|step| is_of(step.as_ref(), root));
            let changed = pairs.get(node / 2).is_some_and(|pair| !pair.changes.is_empty());
            if changed && !twice {
                let path = way(pairs, &reached, node);
                steps = steps.saturating_add(path.len());
                if steps > MOST_STEPS {
                    return Err(TooMuch);
                }
                if let Some(uses) = uses.get_mut(node / 2) {
                    uses.push((root, path));
                }
            }
        }
    }
    Ok(uses)
}

/// How a pair was reached.
#[derive(Debug, Clone, Copy)]
struct Step {
    root: usize,
    /// The pair before (twice its position, plus one in status) and the position of its link; `None` at a root.
    from: Option<(usize, usize)>,
}

fn is_of(step: Option<&Step>, root: usize) -> bool {
    step.is_some_and(|step| step.root == root)
}

/// Searches from a root, nearest first.
fn search(
    pairs: &[Pair],
    root: usize,
    begin: usize,
    reached: &mut [Option<Step>],
    steps: &mut usize,
) -> Result<Vec<usize>, TooMuch> {
    let mut order = vec![begin * 2];
    if let Some(first) = reached.get_mut(begin * 2) {
        *first = Some(Step { root, from: None });
    }
    let mut at = 0;
    while let Some(node) = order.get(at).copied() {
        at += 1;
        let links = pairs.get(node / 2).into_iter().flat_map(|pair| &pair.links);
        for (number, (path, target)) in links.enumerate() {
            *steps += 1;
            if *steps > MOST_STEPS {
                return Err(TooMuch);
            }
            let status = node == begin * 2 && is_in_status(path);
            let next = target * 2 + usize::from(status || node % 2 == 1);
            if let Some(step) = reached.get_mut(next)
                && !is_of(step.as_ref(), root)
            {
                *step = Some(Step {
                    root,
                    from: Some((node, number)),
                });
                order.push(next);
            }
        }
    }
    Ok(order)
}

/// The path of the schema of a pair.
fn way(pairs: &[Pair], reached: &[Option<Step>], node: usize) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = node;
    while let Some((before, number)) = reached.get(at).copied().flatten().and_then(|step| step.from) {
        let link = pairs.get(before / 2).and_then(|pair| pair.links.get(number));
        parts.extend(link.map(|(path, _)| path.as_str()));
        at = before;
    }
    parts.reverse();
    parts.concat()
}

/// The changes with their uses. A schema that several documents repeat yields one change.
fn merged(pairs: Vec<Pair>, uses: Vec<Vec<(usize, String)>>) -> Vec<SharedChange> {
    let mut known: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let mut found: Vec<SharedChange> = Vec::new();
    for (pair, places) in pairs.into_iter().zip(uses) {
        let (old, new) = pair.names;
        for change in pair.changes {
            let key = (old.clone(), new.clone(), word(&change));
            if let Some(first) = known.get(&key).and_then(|at| found.get_mut(*at)) {
                let roots: BTreeSet<usize> = first.places.iter().map(|(root, _)| *root).collect();
                let others = places.iter().filter(|(root, _)| !roots.contains(root));
                first.places.extend(others.cloned());
                continue;
            }
            known.insert(key, found.len());
            found.push(SharedChange {
                change,
                documents: pair.documents,
                places: places.clone(),
            });
        }
    }
    found
}

/// What identifies a change, apart from its place in the text.
fn word(change: &Change) -> String {
    let [old, new] = [&change.old, &change.new].map(|value| value.as_ref().map(normal::word));
    format!("{:?}", (change.kind, &change.path, &change.subject, old, new))
}
