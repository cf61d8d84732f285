//! Changes in words.

use serde_json::Value as Json;

use crate::schema::{Change, ChangeKind};

use super::law::Row;

/// Characters of a value that a message shows.
const MOST_SHOWN: usize = 60;

/// The id of what changed, as all answers write ids.
pub(super) fn element(group: &str, kind: &str, change: &Change) -> String {
    let mut id = match &change.version {
        Some(version) => format!("{group}/{version} {kind}"),
        None => format!("{group} {kind}"),
    };
    let is = |kinds: &[ChangeKind]| kinds.contains(&change.kind);
    if is(&[
        ChangeKind::SubresourceAdded,
        ChangeKind::SubresourceRemoved,
        ChangeKind::SubresourceChanged,
    ]) {
        id = format!("{id}/{}", change.subject.as_deref().unwrap_or_default());
    }
    if !change.path.is_empty() {
        id = format!("{id} {}", change.path);
    }
    if is(&[ChangeKind::EnumValueAdded, ChangeKind::EnumValueRemoved]) {
        id = format!("{id}={}", change.subject.as_deref().unwrap_or_default());
    }
    id
}

/// What happened, with the values that matter.
pub(super) fn message(row: &Row, change: &Change) -> String {
    let words = row.words;
    let subject = change.subject.as_deref().map(cut);
    let values = match change.kind {
        ChangeKind::DescriptionChanged
        | ChangeKind::DocumentationChanged
        | ChangeKind::RuleMessageChanged
        | ChangeKind::RuleAdded
        | ChangeKind::RuleRemoved
        | ChangeKind::ImmutableAdded
        | ChangeKind::ImmutableRemoved
        | ChangeKind::EnumValueAdded
        | ChangeKind::EnumValueRemoved
        | ChangeKind::SubresourceAdded
        | ChangeKind::SubresourceRemoved
        | ChangeKind::ColumnAdded
        | ChangeKind::ColumnRemoved
        | ChangeKind::ColumnChanged
        | ChangeKind::VersionServed
        | ChangeKind::VersionUnserved
        | ChangeKind::VersionDeprecated
        | ChangeKind::VersionUndeprecated
        | ChangeKind::ConversionSettingsChanged => None,
        // These are told by what differs.
        ChangeKind::LostBetween | ChangeKind::SetBetween | ChangeKind::RefusedBetween => return words.to_owned(),
        _ => match (&change.old, &change.new) {
            (Some(old), Some(new)) => Some(format!("{} → {}", shown(old), shown(new))),
            (Some(old), None) if has_two_sides(change.kind) => Some(format!("{} → none", shown(old))),
            (None, Some(new)) if has_two_sides(change.kind) => Some(format!("none → {}", shown(new))),
            (Some(only), None) | (None, Some(only)) => Some(shown(only)),
            (None, None) => None,
        },
    };
    let told: Vec<String> = subject.into_iter().chain(values).collect();
    if told.is_empty() {
        return words.to_owned();
    }
    format!("{words}: {}", told.join(" "))
}

/// Whether a change is told as the way from one value to another, although one of them is absent.
fn has_two_sides(kind: ChangeKind) -> bool {
    matches!(
        kind,
        ChangeKind::BoundTightened
            | ChangeKind::BoundLoosened
            | ChangeKind::FormatChanged
            | ChangeKind::Restated
            | ChangeKind::AdditionalTightened
            | ChangeKind::AdditionalLoosened
            | ChangeKind::ListTypeChanged
            | ChangeKind::ListKeysChanged
            | ChangeKind::MapTypeChanged
            | ChangeKind::ScopeChanged
            | ChangeKind::StorageMoved
            | ChangeKind::UnknownChanged
    )
}

fn shown(value: &Json) -> String {
    cut(&value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// A text on one line, cut where it is too long to be shown.
fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut characters = line.chars();
    let start: String = characters.by_ref().take(MOST_SHOWN).collect();
    if characters.next().is_some() {
        return format!("{start}…");
    }
    start
}
