//! Changes of schemas, judged: which clients they break, how severe the policy finds that, and what to do instead.
//!
//! [`crate::schema::compare`] finds the `Change`s between two states of a product's schemas by
//! meaning; it does not say whether they are bad. The table in `law.rs` says what each does to clients that write
//! objects and to clients that read them. The result is a `Judgement`. What is written differently with the same
//! meaning is a kind of change of its own. What cannot be decided, such as whether one `pattern` accepts all that
//! another one does, is never called compatible: a test lets a JSON Schema validator look for counterexamples.
//!
//! Two states have no calendar, so nothing here counts deprecation windows: the end of a version is judged by its track
//! and by whether it was marked as deprecated. `check` counts the windows over a model.

mod described;
mod disagreement;
mod finding;
mod judgement;
mod kind_law;
mod law;
mod matching;
mod model;
mod openapi;
mod represented;
mod round_trip;
mod successive;
mod values;
mod words;

use crate::policy::Policy;
use crate::schema::compare::Steps;
use crate::schema::{Change, ChangeKind, Effect, compare};

use judgement::{judge, judge_loss, served};
use matching::{KindName, Pair, pairs};

pub(crate) use disagreement::{Disagreement, PAGE, disagreements};
pub use finding::{PointedWords, Texts};
pub(crate) use finding::{finding, findings};
pub(crate) use judgement::Judgement;
pub(crate) use kind_law::Scope;
pub(crate) use law::codes_under;
pub use matching::{CompareError, CrdSource};
pub(crate) use model::hold_against_model;
pub use openapi::DocumentSource;
pub(crate) use represented::{grade_by_model, leave_out_represented};
pub use round_trip::{Loss, round_trip};
pub use successive::{Repeated, Side, Successive};

/// The schemas of one state of a product.
#[derive(Debug, Clone, Default)]
pub struct State<'a> {
    /// Its CRDs.
    pub definitions: Vec<CrdSource<'a>>,
    /// Its `OpenAPI` documents.
    pub documents: Vec<DocumentSource<'a>>,
}

impl State<'_> {
    /// Checks that the state defines each kind once.
    ///
    /// # Errors
    ///
    /// If it defines a kind in two ways, or describes one twice.
    pub fn agrees_with_itself(&self) -> Result<(), CompareError> {
        let steps = &mut Steps::default();
        pairs(&[], &self.definitions, steps)?;
        openapi::described_once(&self.documents, steps)
    }
}

/// What differs between two states.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    /// How many kinds both states have.
    pub(crate) compared: usize,
    /// The changes, kind by kind.
    pub(crate) judgements: Vec<Judgement>,
    /// The kinds that were compared in part, as their rules, combinations or patterns take too many steps.
    pub(crate) partly: Vec<KindName>,
}

impl Differences {
    /// Notes that a kind was compared in part, if it was.
    fn note_part(&mut self, pair: &Pair<'_>, steps: &Steps) {
        if steps.are_exhausted() {
            self.partly.extend(pair.name());
        }
    }
}

/// Compares two states and judges what differs: CRDs are compared with CRDs, `OpenAPI` documents with documents. A
/// document is not compared with a CRD, as servers publish only a part of one.
///
/// # Errors
///
/// If a state defines a kind in two ways, or the schemas are too large to compare.
pub(crate) fn compare_states(
    old: &State<'_>,
    new: &State<'_>,
    policy: &Policy,
    steps: &mut Steps,
) -> Result<Differences, CompareError> {
    let mut differences = of_definitions(&old.definitions, &new.definitions, policy, steps)?;
    let of_documents = openapi::differences([&old.documents, &new.documents], policy, steps)?;
    differences.compared += of_documents.compared;
    differences.judgements.extend(of_documents.judgements);
    differences.partly.extend(of_documents.partly);
    Ok(differences)
}

/// What objects lose in conversion between the versions of each CRD, whether or not they lost it before.
///
/// # Errors
///
/// If a kind is defined in two ways, or the schemas are too large to compare.
pub(crate) fn round_trips(
    definitions: &[CrdSource<'_>],
    policy: &Policy,
    steps: &mut Steps,
) -> Result<Vec<Judgement>, CompareError> {
    let mut judgements = Vec::new();
    for side in pairs(&[], definitions, steps)?.iter().filter_map(|pair| pair.new) {
        let pair = Pair {
            old: Some(side),
            new: Some(side),
        };
        steps.begin();
        let losses = round_trip::within(side.definition, steps).map_err(|_| CompareError::too_large(side))?;
        judgements.extend(
            losses
                .iter()
                .map(|loss| judge_loss(&pair, loss, side.definition, policy)),
        );
    }
    Ok(judgements)
}

fn of_definitions(
    old: &[CrdSource<'_>],
    new: &[CrdSource<'_>],
    policy: &Policy,
    steps: &mut Steps,
) -> Result<Differences, CompareError> {
    let mut differences = Differences::default();
    for pair in pairs(old, new, steps)? {
        differences.compared += usize::from(pair.in_both());
        differences.judgements.extend(of_kind(&pair, policy, steps)?);
        differences.note_part(&pair, steps);
    }
    Ok(differences)
}

/// What differs in a kind, judged.
fn of_kind(pair: &Pair<'_>, policy: &Policy, steps: &mut Steps) -> Result<Vec<Judgement>, CompareError> {
    steps.begin();
    let mut changes = changes(pair, steps)?;
    let losses = losses(pair, &mut changes, policy, steps)?;
    let mut judgements: Vec<Judgement> = changes.into_iter().map(|change| judge(pair, change, policy)).collect();
    // Without the webhook they are its consequence, not changes of their own.
    match judgements
        .iter_mut()
        .find(|judgement| removes_conversion(&judgement.change))
    {
        Some(cause) => {
            // The policy may find a consequence more severe than its cause.
            let severities = losses.iter().map(|loss| loss.severity);
            cause.severity = severities.fold(cause.severity, Ord::max);
            cause.losses = losses;
        }
        None => judgements.extend(losses),
    }
    Ok(judgements)
}

/// What differs in a kind. A kind that only one side has is one change.
fn changes(pair: &Pair<'_>, steps: &mut Steps) -> Result<Vec<Change>, CompareError> {
    match (pair.old, pair.new) {
        (Some(old), Some(new)) => {
            compare::definitions(old.definition, new.definition, steps).map_err(|_| CompareError::too_large(new))
        }
        (Some(_), None) => Ok(vec![whole(pair, ChangeKind::DefinitionRemoved, Effect::Narrower)]),
        (None, Some(_)) => Ok(vec![whole(pair, ChangeKind::DefinitionAdded, Effect::Wider)]),
        (None, None) => Ok(Vec::new()),
    }
}

/// The change of a kind that only one side has, with the versions that side serves.
fn whole(pair: &Pair<'_>, kind: ChangeKind, effect: Effect) -> Change {
    Change {
        kind,
        version: None,
        path: String::new(),
        subject: None,
        old: pair.old.and_then(served_names),
        new: pair.new.and_then(served_names),
        effect,
        defaulted: false,
        breaks_lines_only: false,
        embedded: None,
        old_place: pair.old.map(|side| side.definition.place),
        new_place: pair.new.map(|side| side.definition.place),
    }
}

/// "v1, v1beta1"
fn served_names(side: CrdSource<'_>) -> Option<serde_json::Value> {
    let versions = served(side.definition).collect::<Vec<_>>().join(", ");
    (!versions.is_empty()).then(|| versions.into())
}

/// What objects of a kind lose in conversion now and did not lose before. If they lose nothing, the removal of a
/// conversion webhook has no effect.
fn losses(
    pair: &Pair<'_>,
    changes: &mut [Change],
    policy: &Policy,
    steps: &mut Steps,
) -> Result<Vec<Judgement>, CompareError> {
    let Some(new) = pair.new else { return Ok(Vec::new()) };
    let old = pair.old.map(|side| side.definition);
    let losses =
        round_trip::new_losses(old, new.definition, changes, steps).map_err(|_| CompareError::too_large(new))?;
    if losses.is_empty()
        && let Some(conversion) = changes.iter_mut().find(|change| removes_conversion(change))
    {
        conversion.effect = Effect::Same;
    }
    let judged = losses.iter().map(|loss| judge_loss(pair, loss, new.definition, policy));
    Ok(judged.collect())
}

/// Whether a change removes a conversion webhook that versions need.
fn removes_conversion(change: &Change) -> bool {
    change.kind == ChangeKind::ConversionChanged && change.effect != Effect::Same
}
