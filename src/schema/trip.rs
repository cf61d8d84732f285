//! What becomes of objects of one schema that are taken for objects of another: the server does so between the versions
//! of a definition that has no webhook.
//!
//! What follows is [pruning]: fields that the other schema does not list are dropped, unless it keeps unknown fields or
//! has a schema for all others; and the other schema's defaults and demands.
//!
//! [pruning]:
//! https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning

use super::change::{Change, ChangeKind, Effect};
use super::compare::{self, Comparison, Found, KEPT, Sides, TooMuch, cel, shape};
use super::example::{Step, any_value, owner, steps};
use super::node::{Additional, Schema};
use super::path::{OF_EVERY_OBJECT, step};

/// What does not survive the way from one schema to another.
///
/// Of each loss, the change tells what differs, from the one schema to the other: `FieldRemoved` and
/// `AdditionalTightened` for what is dropped, `UnknownDropped` for fields that are not listed and are dropped, a change
/// of the default for what is set, and any other kind for what is refused. Only the topmost field of what is dropped is
/// told. `keeps_unknown` is that of the definition: nothing is dropped then. Places are those of the first schema, as
/// `old`.
///
/// # Errors
///
/// If it comes to too much.
pub fn losses(from: &Schema, to: &Schema, keeps_unknown: bool) -> Result<Vec<Change>, TooMuch> {
    let mut walk = Comparison::default();
    if !keeps_unknown {
        walk.dropped(from, Some(to), true);
    }
    let mut losses = walk.finish()?;
    let differing = compare::schemas(from, to)?;
    losses.extend(differing.into_iter().filter(|change| hinders(change, from)));
    Ok(losses)
}

/// Whether a difference changes or refuses what was valid, other than by dropping it.
fn hinders(change: &Change, from: &Schema) -> bool {
    use ChangeKind as Kind;
    match change.kind {
        // What is dropped is found by going through both schemas. What has a default already keeps its value. What may
        // not change is asked of updates only, and objects are not changed on their way.
        Kind::FieldRemoved | Kind::UnknownDropped | Kind::DefaultRemoved | Kind::ImmutableAdded => false,
        Kind::AdditionalTightened => change.new.is_some(),
        // Where it has to be set, no default stands in.
        Kind::DefaultAdded => !is_required(from, &change.path),
        Kind::DefaultChanged => true,
        Kind::RuleChanged => !change
            .new
            .as_ref()
            .and_then(|rule| rule.as_str())
            .is_some_and(cel::is_transition),
        _ => matches!(change.effect, Effect::Narrower | Effect::Unclear),
    }
}

/// Whether a field has to be set.
fn is_required(schema: &Schema, path: &str) -> bool {
    let Ok(steps) = steps(schema, path) else { return false };
    match steps.split_last() {
        Some((Step::Field(name), above)) => owner(schema, above).is_some_and(|owner| owner.required.contains(*name)),
        _ => false,
    }
}

impl Comparison {
    /// Notes what of the one schema's values is dropped by the other. Without another, all fields of objects are.
    fn dropped(&mut self, from: &Schema, to: Option<&Schema>, root: bool) {
        if to.is_some_and(|to| !compare::contains(shape(to), shape(from))) {
            // It is refused.
            return;
        }
        let keeps = to.is_some_and(|to| to.says(KEPT) || shape(to) == "any");
        let rest = to.and_then(|to| to.additional.as_ref());
        if from.says(KEPT) && !keeps && rest.is_none() {
            self.push(Found::new(ChangeKind::UnknownDropped, Effect::Narrower));
        }
        let own = root || to.is_some_and(|to| to.says("x-kubernetes-embedded-resource"));
        for (name, field) in &from.properties {
            if own && OF_EVERY_OBJECT.contains(&name.as_str()) {
                continue;
            }
            let places = Sides {
                old: field.place,
                new: None,
            };
            let counterpart = to.and_then(|to| to.properties.get(name));
            self.within(&step(name), places, |here| match (counterpart, rest) {
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
                self.within("[]", Sides::default(), |here| here.dropped(items, counterpart, false));
            }
        }
    }

    /// The same for the values of a map.
    fn dropped_values(&mut self, from: &Schema, rest: Option<&Additional>, keeps: bool) {
        let Some(own) = any_value(from) else { return };
        self.within("{}", Sides::default(), |here| match rest {
            Some(rest) => here.dropped(own, values(rest), false),
            None if keeps => {}
            None => here.drop_all(ChangeKind::AdditionalTightened, own),
        });
    }

    fn drop_all(&mut self, kind: ChangeKind, schema: &Schema) {
        self.push(Found::new(kind, Effect::Narrower).between(Some(shape(schema).into()), None));
    }
}

/// The schema of fields that are not listed; none where anything is allowed, of which scalars are kept only.
fn values(rest: &Additional) -> Option<&Schema> {
    match rest {
        Additional::Of(values) => Some(values),
        Additional::Allowed(_) => None,
    }
}
