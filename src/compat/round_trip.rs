//! Objects that do not survive the way between two versions of one definition (rule #2, round-trip).

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::schema::compare::TooMuch;
use crate::schema::path::OF_EVERY_OBJECT;
use crate::schema::{Change, ChangeKind, Definition, Effect, Leaf, Version, example, losses};
use crate::stability::VersionName;

/// Losses of one definition: with many versions, each pair has its own.
const MOST_LOSSES: usize = 100_000;

/// Something that does not survive the way from one version of a definition to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// The version that an object is written in.
    pub from: String,
    /// The version that it passes through.
    pub to: String,
    /// What differs there, from the one to the other.
    pub cause: Change,
}

/// What a definition's objects lose between the versions that are served or stored in, older versions first.
///
/// Without a webhook (`conversion.strategy: None`), the server takes an object of one version for one of another as it
/// stands: it drops fields that are not listed there, sets defaults, and refuses what is not valid there. With a
/// webhook, nothing is lost as far as can be seen.
///
/// # Errors
///
/// If it comes to too much.
pub fn round_trip(definition: &Definition) -> Result<Vec<Loss>, TooMuch> {
    if converts(definition) {
        return Ok(Vec::new());
    }
    let live = |version: &Named<'_>| version.1.served || version.1.storage;
    let mut versions: Vec<Named<'_>> = definition.versions.iter().filter(live).collect();
    versions.sort_by(|(a, _), (b, _)| VersionName::new(a).generation(&VersionName::new(b)));
    let mut found = Vec::new();
    for (at, older) in versions.iter().enumerate() {
        for newer in versions.iter().skip(at + 1) {
            let forth = way(definition, *older, *newer)?;
            let mut back = way(definition, *newer, *older)?;
            back.retain(|loss| !forth.iter().any(|other| is_turned(loss, other)));
            found.extend(forth.into_iter().chain(back));
            if found.len() > MOST_LOSSES {
                return Err(TooMuch);
            }
        }
    }
    Ok(found)
}

/// A version and its name.
type Named<'d> = (&'d String, &'d Version);

/// Whether a webhook converts objects between versions.
fn converts(definition: &Definition) -> bool {
    let strategy = definition.conversion.as_ref().and_then(|said| said.get("strategy"));
    strategy.and_then(Json::as_str) == Some("Webhook")
}

/// What is lost one way.
fn way(definition: &Definition, from: Named<'_>, to: Named<'_>) -> Result<Vec<Loss>, TooMuch> {
    let (Some(own), Some(other)) = (&from.1.schema, &to.1.schema) else {
        // Without a schema nothing is known, nor dropped.
        return Ok(Vec::new());
    };
    if Arc::ptr_eq(own, other) {
        return Ok(Vec::new());
    }
    let causes = losses(own, other, definition.preserves_unknown)?.into_iter();
    let loss = |mut cause: Change| {
        let place = cause.old_place.map(|place| place.below(definition.place.line));
        cause.new_place = place.or(from.1.place);
        cause.old_place = None;
        Loss {
            from: from.0.clone(),
            to: to.0.clone(),
            cause,
        }
    };
    Ok(causes.map(loss).collect())
}

/// Whether two losses are one difference seen from either side.
fn is_turned(back: &Loss, forth: &Loss) -> bool {
    let (back, forth) = (&back.cause, &forth.cause);
    let both = back.effect == Effect::Unclear && forth.effect == Effect::Unclear;
    both && back.kind == forth.kind && back.path == forth.path && back.subject == forth.subject
}

/// The losses of a definition that are news: those that its state before had too are not, nor what its changes tell.
pub(super) fn news(old: Option<&Definition>, new: &Definition, changes: &[Change]) -> Result<Vec<Loss>, TooMuch> {
    let mut found = round_trip(new)?;
    if found.is_empty() {
        return Ok(found);
    }
    let before = old.map(round_trip).transpose()?.unwrap_or_default();
    let known: BTreeSet<_> = before.iter().map(key).collect();
    let told: BTreeSet<_> = changes.iter().filter_map(told).collect();
    found.retain(|loss| {
        let cause = (loss.to.as_str(), loss.cause.path.as_str(), alike(loss.cause.kind));
        !known.contains(&key(loss)) && !told.contains(&cause)
    });
    Ok(found)
}

/// What a loss is known by.
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

/// A change that took something from a version: that the others still have it is no news.
fn told(change: &Change) -> Option<(&str, &str, ChangeKind)> {
    let takes = matches!(change.effect, Effect::Narrower | Effect::Unclear);
    let version = change.version.as_deref().filter(|_| takes)?;
    Some((version, &change.path, alike(change.kind)))
}

/// Kinds of change that come to the same for an object on its way.
fn alike(kind: ChangeKind) -> ChangeKind {
    match kind {
        ChangeKind::RequiredFieldAdded | ChangeKind::RequiredWithDefault => ChangeKind::RequiredAdded,
        ChangeKind::DefaultChanged => ChangeKind::DefaultAdded,
        other => other,
    }
}

impl Loss {
    /// The loss as a change.
    pub(super) fn change(&self) -> Change {
        Change {
            kind: match self.cause.kind {
                ChangeKind::FieldRemoved | ChangeKind::UnknownDropped => ChangeKind::LostBetween,
                ChangeKind::AdditionalTightened if self.cause.new.is_none() => ChangeKind::LostBetween,
                ChangeKind::DefaultAdded | ChangeKind::DefaultChanged => ChangeKind::SetBetween,
                _ => ChangeKind::RefusedBetween,
            },
            version: Some(self.from.clone()),
            subject: Some(self.to.clone()),
            ..self.cause.clone()
        }
    }

    /// An object that does not survive, as small as its schema lets it be. None where that takes a value that only a
    /// reader of patterns or rules could find.
    pub fn example(&self, definition: &Definition) -> Option<Json> {
        let cause = &self.cause;
        let leaf = match cause.kind {
            ChangeKind::FieldRemoved => Leaf::Some,
            ChangeKind::AdditionalTightened if cause.new.is_none() => Leaf::Some,
            ChangeKind::TypeChanged if cause.effect == Effect::Unclear => Leaf::Some,
            ChangeKind::UnknownDropped => Leaf::Unlisted,
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
            format!("{}/{}", definition.group, self.from).into(),
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
