//! What objects of one schema lose when a server reads them as objects of another one, as it does between versions
//! without a conversion webhook.
//!
//! [Pruning] drops fields that the other schema does not list, unless it keeps unknown fields or has a schema for them.
//! Then the other schema sets its defaults, and rejects what is not valid in it.
//!
//! [Pruning]:
//! https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning

use serde_json::Value as Json;

use super::change::{Change, ChangeKind, Effect};
use super::compare::{self, Comparison, KEPT, Steps, TooMuch, shape};
use super::example::{Step, any_value, owner, steps};
use super::node::{Additional, Schema};
use super::path::{OF_EVERY_OBJECT, step};
use crate::cel::canonical;

/// What objects lose from one schema to another.
///
/// Each loss is the difference that causes it: `FieldRemoved` and `AdditionalPropertiesTightened` for what is dropped,
/// `UnknownFieldsDropped` for dropped unlisted fields, a change of the default for what is set, and any other kind for
/// what is rejected. Of dropped fields, only the outermost is reported. With `keeps_unknown` of the CRD, nothing is
/// dropped. `old` places are those of the first schema. `steps`: those taken for the CRD so far.
///
/// # Errors
///
/// If the losses need too much memory.
pub(crate) fn losses(
    from: &Schema,
    to: &Schema,
    keeps_unknown: bool,
    steps: &mut Steps,
) -> Result<Vec<Change>, TooMuch> {
    let mut walk = Comparison::default();
    if !keeps_unknown {
        walk.dropped(from, Some(to), true);
    }
    let mut losses = walk.finish()?;
    let differing = compare::schemas(from, to, steps)?;
    losses.extend(differing.into_iter().filter(|change| prevents(change, from)));
    Ok(losses)
}

/// Whether a difference changes or rejects valid values, other than by dropping fields.
fn prevents(change: &Change, from: &Schema) -> bool {
    use ChangeKind as Kind;
    match change.kind {
        // Dropped fields are found separately. A default of the first schema is already applied. Immutability is
        // checked on updates only, and conversion is none.
        Kind::FieldRemoved | Kind::UnknownFieldsDropped | Kind::DefaultRemoved | Kind::ImmutableAdded => false,
        Kind::AdditionalPropertiesTightened => change.new.is_some(),
        // A required field is set, so no default applies.
        Kind::DefaultAdded => !is_required(from, &change.path),
        Kind::DefaultChanged => true,
        Kind::RuleChanged => !matches!(&change.new, Some(Json::String(rule)) if canonical::is_transition(rule)),
        _ => matches!(change.effect, Effect::Narrower | Effect::Unclear),
    }
}

/// Whether a field is required.
fn is_required(schema: &Schema, path: &str) -> bool {
    let Ok(steps) = steps(schema, path) else { return false };
    match steps.split_last() {
        Some((Step::Field(name), above)) => owner(schema, above).is_some_and(|owner| owner.required.contains(*name)),
        _ => false,
    }
}

impl Comparison {
    /// Collects what the other schema drops. Without another schema, all fields of objects are dropped.
    fn dropped(&mut self, from: &Schema, to: Option<&Schema>, root: bool) {
        if to.is_some_and(|to| !compare::contains(shape(to), shape(from))) {
            // The value is rejected.
            return;
        }
        let keeps = to.is_some_and(|to| to.says(KEPT) || shape(to) == "any");
        let rest = to.and_then(|to| to.additional.as_ref());
        if from.says(KEPT) && !keeps && rest.is_none() {
            self.push(ChangeKind::UnknownFieldsDropped, Effect::Narrower);
        }
        let own = root || to.is_some_and(|to| to.says("x-kubernetes-embedded-resource"));
        for (name, field) in &from.properties {
            if own && OF_EVERY_OBJECT.contains(&name.as_str()) {
                continue;
            }
            let counterpart = to.and_then(|to| to.properties.get(name));
            self.within(&step(name), [field.place, None], |here| match (counterpart, rest) {
                (Some(counterpart), _) => here.dropped(&field.schema, Some(&counterpart.schema), false),
                (None, Some(rest)) => here.dropped(&field.schema, values(rest), false),
                (None, None) if keeps => {}
                (None, None) => here.drop_all(ChangeKind::FieldRemoved, &field.schema),
            });
        }
        self.dropped_values(from, rest, keeps);
        if let Some(items) = from.items.as_deref() {
            let counterpart = to.and_then(|to| to.items.as_deref());
            let kept = keeps && counterpart.is_none();
            if !kept {
                self.within("[]", [None; 2], |here| here.dropped(items, counterpart, false));
            }
        }
    }

    /// The same for the values of a map.
    fn dropped_values(&mut self, from: &Schema, rest: Option<&Additional>, keeps: bool) {
        let Some(own) = any_value(from) else { return };
        self.within("{}", [None; 2], |here| match rest {
            Some(rest) => here.dropped(own, values(rest), false),
            None if keeps => {}
            None => here.drop_all(ChangeKind::AdditionalPropertiesTightened, own),
        });
    }

    fn drop_all(&mut self, kind: ChangeKind, schema: &Schema) {
        self.between(kind, Effect::Narrower, [Some(shape(schema)), None]);
    }
}

/// The schema of unlisted fields; `None` where anything is allowed, of which only scalars are kept.
fn values(rest: &Additional) -> Option<&Schema> {
    match rest {
        Additional::Of(values) => Some(values),
        Additional::Allowed(_) => None,
    }
}
