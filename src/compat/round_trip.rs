//! Objects that change or are rejected in conversion between two versions of one CRD (rule #2, round-trip).
//!
//! Both schemas are walked as the server prunes, in each direction and for each pair of versions that is served or
//! stored in, unless a webhook converts: what a webhook does cannot be seen. Comparing the two schemas finds what is
//! rejected or set on the way. `diff` reports only losses that the old state did not have and that no change of a
//! version explains: a field that was removed from one version is reported once.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::grammar::VersionPath;
use crate::schema::compare::{Steps, TooMuch};
use crate::schema::path::OF_EVERY_OBJECT;
use crate::schema::{Change, ChangeKind, Definition, Effect, Leaf, Version, example, losses};
use crate::stability::VersionName;

/// Losses of one CRD: with many versions, each pair has its own.
const MOST_LOSSES: usize = 100_000;

/// Something that objects lose in conversion from one version of a CRD to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// The version in which an object is written.
    pub from: String,
    /// The version that it passes through.
    pub to: String,
    /// What differs between the two.
    pub cause: Change,
}

/// What the objects of a CRD lose in conversion between versions that are served or stored in, older versions first.
///
/// Without a webhook (`conversion.strategy: None`), the server reads an object of one version as one of another: it
/// drops fields that are not listed there, sets defaults, and rejects what is not valid there. With a webhook, no loss
/// can be seen.
///
/// # Errors
///
/// If the losses need too much memory.
pub fn round_trip(definition: &Definition) -> Result<Vec<Loss>, TooMuch> {
    within(definition, &mut Steps::default())
}

/// The same within the steps of a run.
pub(super) fn within(definition: &Definition, steps: &mut Steps) -> Result<Vec<Loss>, TooMuch> {
    if has_webhook(definition) {
        return Ok(Vec::new());
    }
    let live = definition
        .versions
        .iter()
        .filter(|(_, version)| version.served || version.storage);
    let mut versions: Vec<NamedVersion<'_>> = live.collect();
    versions.sort_by(|(a, _), (b, _)| VersionName::new(a).generation(&VersionName::new(b)));
    let mut losses = Vec::new();
    for (at, older) in versions.iter().enumerate() {
        for newer in versions.iter().skip(at + 1) {
            let forth = one_way(definition, [*older, *newer], steps)?;
            let mut back = one_way(definition, [*newer, *older], steps)?;
            back.retain(|loss| !forth.iter().any(|other| is_same_difference(loss, other)));
            losses.extend(forth.into_iter().chain(back));
            if losses.len() > MOST_LOSSES {
                return Err(TooMuch);
            }
        }
    }
    Ok(losses)
}

/// A version and its name.
type NamedVersion<'d> = (&'d String, &'d Version);

fn has_webhook(definition: &Definition) -> bool {
    definition.conversion_strategy().and_then(Json::as_str) == Some("Webhook")
}

/// What is lost in conversion from one version to another.
fn one_way(
    definition: &Definition,
    [from, to]: [NamedVersion<'_>; 2],
    steps: &mut Steps,
) -> Result<Vec<Loss>, TooMuch> {
    let (Some(own), Some(other)) = (&from.1.schema, &to.1.schema) else {
        // Without a schema nothing is listed, and nothing is dropped.
        return Ok(Vec::new());
    };
    if Arc::ptr_eq(own, other) {
        return Ok(Vec::new());
    }
    let causes = losses(own, other, definition.preserves_unknown, steps)?.into_iter();
    let losses = causes.map(|cause| Loss {
        from: from.0.clone(),
        to: to.0.clone(),
        cause: Change {
            new_place: cause
                .old_place
                .map(|place| place.below(definition.place.line))
                .or(from.1.place),
            old_place: None,
            ..cause
        },
    });
    Ok(losses.collect())
}

/// Whether two losses in opposite directions are one difference.
fn is_same_difference(back: &Loss, forth: &Loss) -> bool {
    let (back, forth) = (&back.cause, &forth.cause);
    let both = back.effect == Effect::Unclear && forth.effect == Effect::Unclear;
    both && back.kind == forth.kind && back.path == forth.path && back.subject == forth.subject
}

/// The losses of a CRD that its old state did not have, and that none of the changes reports.
pub(super) fn new_losses(
    old: Option<&Definition>,
    new: &Definition,
    changes: &[Change],
    steps: &mut Steps,
) -> Result<Vec<Loss>, TooMuch> {
    let mut losses = within(new, steps)?;
    if losses.is_empty() {
        return Ok(losses);
    }
    let before = old.map(|old| within(old, steps)).transpose()?.unwrap_or_default();
    let before: BTreeSet<_> = before.iter().map(key).collect();
    let reported: BTreeSet<_> = changes.iter().filter_map(reported_loss).collect();
    losses.retain(|loss| {
        let cause = (loss.to.as_str(), loss.cause.path.as_str(), alike(loss.cause.kind));
        !before.contains(&key(loss)) && !reported.contains(&cause)
    });
    Ok(losses)
}

/// What identifies a loss in two states.
fn key(loss: &Loss) -> (&str, &str, &str, ChangeKind, Option<&str>) {
    let cause = &loss.cause;
    (
        &loss.from,
        &loss.to,
        &cause.path,
        alike(cause.kind),
        cause.subject.as_deref(),
    )
}

/// The loss that a change reports: it took something from a version that other versions still have.
fn reported_loss(change: &Change) -> Option<(&str, &str, ChangeKind)> {
    let takes = matches!(change.effect, Effect::Narrower | Effect::Unclear);
    let version = change.version.as_deref().filter(|_| takes)?;
    Some((version, &change.path, alike(change.kind)))
}

/// One kind for all kinds of change that have the same effect in conversion.
fn alike(kind: ChangeKind) -> ChangeKind {
    match kind {
        ChangeKind::RequiredFieldAdded | ChangeKind::RequiredAddedWithDefault => ChangeKind::RequiredAdded,
        ChangeKind::DefaultChanged => ChangeKind::DefaultAdded,
        other => other,
    }
}

impl Loss {
    /// The loss as a change.
    pub(super) fn change(&self) -> Change {
        Change {
            kind: match self.cause.kind {
                ChangeKind::FieldRemoved | ChangeKind::UnknownFieldsDropped => ChangeKind::LostBetweenVersions,
                // A field that is `null` is taken as left out.
                ChangeKind::NullableRemoved if self.cause.effect == Effect::Unclear => ChangeKind::LostBetweenVersions,
                ChangeKind::AdditionalPropertiesTightened if self.cause.new.is_none() => {
                    ChangeKind::LostBetweenVersions
                }
                ChangeKind::DefaultAdded | ChangeKind::DefaultChanged => ChangeKind::SetBetweenVersions,
                _ => ChangeKind::RefusedBetweenVersions,
            },
            version: Some(self.from.clone()),
            subject: Some(self.to.clone()),
            ..self.cause.clone()
        }
    }

    /// The smallest object that shows the loss. `None` where it needs a value that matches a pattern or a rule.
    pub fn example(&self, definition: &Definition) -> Option<Json> {
        let cause = &self.cause;
        let leaf = match cause.kind {
            ChangeKind::FieldRemoved => Leaf::Some,
            ChangeKind::AdditionalPropertiesTightened if cause.new.is_none() => Leaf::Some,
            ChangeKind::TypeChanged if cause.effect == Effect::Unclear => Leaf::Some,
            ChangeKind::UnknownFieldsDropped => Leaf::Unlisted,
            ChangeKind::DefaultAdded | ChangeKind::RequiredAdded | ChangeKind::RequiredFieldAdded => Leaf::Absent,
            ChangeKind::EnumValueRemoved => Leaf::Is(cause.old.as_ref()?),
            _ => return None,
        };
        let schema = definition.versions.get(&self.from)?.schema.as_deref()?;
        let Json::Object(fields) = example(schema, &cause.path, leaf)? else {
            return None;
        };
        let mut object = serde_json::Map::new();
        object.insert(
            "apiVersion".to_owned(),
            VersionPath::api(&*definition.group, &*self.from).api_version().into(),
        );
        object.insert("kind".to_owned(), definition.kind.clone().into());
        object.insert("metadata".to_owned(), serde_json::json!({ "name": "example" }));
        let own = fields
            .into_iter()
            .filter(|(name, _)| !OF_EVERY_OBJECT.contains(&name.as_str()));
        object.extend(own);
        Some(Json::Object(object))
    }
}
