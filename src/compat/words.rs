//! Changes in words.

use serde_json::Value as Json;

use crate::schema::{Change, ChangeKind};

use super::law::Row;

/// Characters of a value that a message shows.
const MOST_SHOWN: usize = 60;

/// Characters that are shown before the place where two values part.
const CONTEXT: usize = 20;

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
    let subject = change.subject.as_deref().map(|subject| shown(&subject.into()));
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
            (Some(old), Some(new)) => Some(both(old, new)),
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
    cut(&line(value))
}

/// Two values, shown from where they part if they begin alike for too long.
fn both(old: &Json, new: &Json) -> String {
    let (old, new) = (line(old), line(new));
    let alike = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
    let skipped = match alike.count() {
        alike if alike > MOST_SHOWN - CONTEXT => alike - CONTEXT,
        _ => 0,
    };
    let from = |text: &str| {
        let begin = text.char_indices().nth(skipped).map_or(text.len(), |(at, _)| at);
        let mark = if begin > 0 { "…" } else { "" };
        format!("{mark}{}", cut(&text[begin..]))
    };
    format!("{} → {}", from(&old), from(&new))
}

/// A value on one line.
fn line(value: &Json) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text, cut where it is too long to be shown.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_from_where_they_part() {
        let long = |end: &str| Json::from(format!("{}{end}", "ä".repeat(70)));
        let lead = "ä".repeat(CONTEXT);
        assert_eq!(both(&long("x"), &long("y")), format!("…{lead}x → …{lead}y"));
        assert_eq!(both(&long(""), &long("y")), format!("…{lead} → …{lead}y"));
        assert_eq!(both(&Json::from(1), &Json::from(12)), "1 → 12");
        let parts = both(&Json::from(format!("a{}", "x".repeat(80))), &Json::from("b"));
        assert_eq!(parts, format!("a{}… → b", "x".repeat(59)));
    }
}
