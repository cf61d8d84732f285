//! Two states compared kind by kind while they are read: a CRD that has been compared is dropped, one whose counterpart
//! is still to come waits.
//!
//! The result is that of [`super::compare_states`], whatever the order of the CRDs, unless they take more steps than a
//! run has.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::policy::Policy;
use crate::schema::Definition;
use crate::schema::compare::Steps;
use crate::source::Location;

use super::matching::{CompareError, CrdSource, KindName, Pair, pairs, refuse_unlike};
use super::{Differences, DocumentSource, Judgement, State, of_kind, openapi};

/// One of two states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// A CRD with its file.
#[derive(Debug)]
struct Held {
    file: Arc<str>,
    definition: Definition,
}

impl Held {
    fn source(&self) -> CrdSource<'_> {
        CrdSource {
            file: &self.file,
            definition: &self.definition,
        }
    }
}

/// A group, and a plural of it.
type Name = (String, String);

/// A CRD that its state has already.
#[derive(Debug)]
pub struct Repeated {
    /// The file of the first one.
    pub first_file: Arc<str>,
    /// Where the first one begins.
    pub first_place: Location,
    /// The second one.
    pub definition: Definition,
}

/// A comparison to which CRDs are given one after another.
#[derive(Debug)]
pub struct Successive<'p> {
    policy: &'p Policy,
    waiting: [BTreeMap<Name, Held>; 2],
    seen: [BTreeMap<Name, (Arc<str>, Location)>; 2],
    /// The CRDs that were compared, if they are still needed.
    kept: Option<[Vec<Held>; 2]>,
    /// What differs, by group, kind and plural.
    found: Vec<([String; 3], Vec<Judgement>)>,
    compared: usize,
    /// The kinds that were compared in part.
    partly: Vec<KindName>,
    steps: Steps,
}

impl<'p> Successive<'p> {
    /// A comparison judged by a policy. It keeps all CRDs if a model says more about them.
    pub fn new(policy: &'p Policy, keeps: bool) -> Self {
        Self {
            policy,
            waiting: [BTreeMap::new(), BTreeMap::new()],
            seen: [BTreeMap::new(), BTreeMap::new()],
            kept: keeps.then(|| [Vec::new(), Vec::new()]),
            found: Vec::new(),
            compared: 0,
            partly: Vec::new(),
            steps: Steps::default(),
        }
    }

    /// The policy.
    pub(crate) fn policy(&self) -> &'p Policy {
        self.policy
    }

    /// Takes a CRD of a state, and compares it if its counterpart was there. A CRD of a name that the state has already
    /// is given back: the first one has to be compared with it.
    ///
    /// # Errors
    ///
    /// If the schemas are too large to compare.
    pub fn take(
        &mut self,
        side: Side,
        file: &Arc<str>,
        definition: Definition,
    ) -> Result<Option<Repeated>, CompareError> {
        let name = (definition.group.clone(), definition.plural.clone());
        let (own, other) = match side {
            Side::Old => (0, 1),
            Side::New => (1, 0),
        };
        if let Some((first_file, first_place)) = self.seen[own].get(&name) {
            return Ok(Some(Repeated {
                first_file: Arc::clone(first_file),
                first_place: *first_place,
                definition,
            }));
        }
        let place = definition.place;
        let held = Held {
            file: Arc::clone(file),
            definition,
        };
        match self.waiting[other].remove(&name) {
            Some(counterpart) => self.compare(match side {
                Side::Old => [held, counterpart],
                Side::New => [counterpart, held],
            })?,
            None => drop(self.waiting[own].insert(name.clone(), held)),
        }
        self.seen[own].insert(name, (Arc::clone(file), place));
        Ok(None)
    }

    /// Refuses the second of two CRDs of a name if the first one has another meaning.
    ///
    /// # Errors
    ///
    /// If they differ, or are too large to compare.
    pub fn refuse_unlike(&mut self, first: &Definition, again: &Repeated, file: &str) -> Result<(), CompareError> {
        let first = CrdSource {
            file: &again.first_file,
            definition: first,
        };
        let definition = &again.definition;
        refuse_unlike(first, CrdSource { file, definition }, &mut self.steps)
    }

    fn compare(&mut self, [old, new]: [Held; 2]) -> Result<(), CompareError> {
        self.add(&Pair {
            old: Some(old.source()),
            new: Some(new.source()),
        })?;
        if let Some([kept_old, kept_new]) = &mut self.kept {
            kept_old.push(old);
            kept_new.push(new);
        }
        Ok(())
    }

    fn add(&mut self, pair: &Pair<'_>) -> Result<(), CompareError> {
        let judgements = of_kind(pair, self.policy, &mut self.steps)?;
        if self.steps.are_exhausted() {
            self.partly.extend(pair.name());
        }
        self.compared += usize::from(pair.in_both());
        if let Some(side) = pair.new.or(pair.old)
            && !judgements.is_empty()
        {
            let Definition {
                group, kind, plural, ..
            } = side.definition;
            self.found
                .push(([group.clone(), kind.clone(), plural.clone()], judgements));
        }
        Ok(())
    }

    /// Compares what is left: kinds that were renamed, added or removed, and the `OpenAPI` documents of both states.
    /// What differs is given with the CRDs that were kept.
    pub(crate) fn finish(
        mut self,
        documents: [&[DocumentSource<'_>]; 2],
        with: impl FnOnce(&mut [Judgement], [&State<'_>; 2]),
    ) -> Result<Differences, CompareError> {
        let waiting = std::mem::take(&mut self.waiting);
        let [old, new] = waiting
            .each_ref()
            .map(|held| held.values().map(Held::source).collect::<Vec<_>>());
        for pair in pairs(&old, &new, &mut self.steps)? {
            self.add(&pair)?;
        }
        self.found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut differences = openapi::differences(documents, self.policy, &mut self.steps)?;
        differences.compared += self.compared;
        differences.partly.append(&mut self.partly);
        differences.partly.sort();
        let found = self.found.into_iter().flat_map(|(_, judgements)| judgements);
        differences.judgements = found.chain(differences.judgements).collect();
        if let Some([kept_old, kept_new]) = &self.kept {
            let [old, new] = [(kept_old, old, documents[0]), (kept_new, new, documents[1])];
            let [old, new] = [old, new].map(|(kept, rest, documents)| State {
                definitions: kept.iter().map(Held::source).chain(rest).collect(),
                documents: documents.to_vec(),
            });
            with(&mut differences.judgements, [&old, &new]);
        }
        Ok(differences)
    }
}
