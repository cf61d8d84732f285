//! The words of a judgement.

use serde_json::Value as Json;

use crate::grammar::{KindPath, MemberName};
use crate::schema::Change;

use super::kind_law::{Row, Shown};
use super::law;

/// Characters of a value that a message shows.
const MOST_SHOWN: usize = 60;

/// Characters shown before the first difference of two values.
const CONTEXT: usize = 20;

/// The id of what changed: `example.com/v1 Widget .spec.size`; `example.com Widget` for all versions of a kind.
pub(super) fn element(group: &str, kind: &str, change: &Change) -> String {
    let Some(version) = &change.version else {
        return format!("{group} {kind}");
    };
    let kind = KindPath::api(group, version, kind);
    match member(change) {
        Some(member) => kind.with_member(member).to_string(),
        None => kind.to_string(),
    }
}

fn member(change: &Change) -> Option<MemberName<'_>> {
    let subject = change.subject.as_deref().unwrap_or_default();
    match (law::of(change.kind).shown, MemberName::of_field(&change.path)) {
        (Shown::Subresource, _) => Some(MemberName::Subresource(subject.into())),
        (Shown::EnumValue, MemberName::Field(path)) => Some(MemberName::Value {
            path,
            value: subject.into(),
        }),
        (Shown::Words | Shown::Subject | Shown::EnumValue | Shown::Values | Shown::Both, field) => {
            (!change.path.is_empty()).then_some(field)
        }
    }
}

/// What happened, with the values that matter.
pub(super) fn message(row: &Row, change: &Change) -> String {
    let subject = change.subject.as_deref().map(|subject| shown(&subject.into()));
    let parts: Vec<String> = match law::of(change.kind).shown {
        Shown::Words => Vec::new(),
        Shown::Subject | Shown::Subresource | Shown::EnumValue => subject.into_iter().collect(),
        Shown::Values => subject.into_iter().chain(values(change, false)).collect(),
        Shown::Both => subject.into_iter().chain(values(change, true)).collect(),
    };
    if parts.is_empty() {
        return row.words.to_owned();
    }
    format!("{}: {}", row.words, parts.join(" "))
}

/// The old and the new value; with `always_both`, even if one is absent.
fn values(change: &Change, always_both: bool) -> Option<String> {
    match (&change.old, &change.new) {
        (Some(old), Some(new)) => Some(both(old, new)),
        (Some(old), None) if always_both => Some(format!("{} → none", shown(old))),
        (None, Some(new)) if always_both => Some(format!("none → {}", shown(new))),
        (Some(only), None) | (None, Some(only)) => Some(shown(only)),
        (None, None) => None,
    }
}

fn shown(value: &Json) -> String {
    cut(&line(value))
}

/// Two values. Where they begin alike for too long, only what surrounds the first difference is shown.
fn both(old: &Json, new: &Json) -> String {
    let (old, new) = (line(old), line(new));
    let alike = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
    let skipped = match alike.count() {
        alike if alike > MOST_SHOWN - CONTEXT => alike - CONTEXT,
        _ => 0,
    };
    format!("{} → {}", shown_from(&old, skipped), shown_from(&new, skipped))
}

/// A text without its first characters, cut.
fn shown_from(text: &str, skipped: usize) -> String {
    let begin = text.char_indices().nth(skipped).map_or(text.len(), |(at, _)| at);
    let mark = if begin > 0 { "…" } else { "" };
    format!("{mark}{}", cut(&text[begin..]))
}

/// A value on one line; an empty text as `""`.
fn line(value: &Json) -> String {
    if value == "" {
        return value.to_string();
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of at most [`MOST_SHOWN`] characters, with a mark where it was cut.
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
    fn long_values_are_shown_around_their_first_difference() {
        let long = |end: &str| Json::from(format!("{}{end}", "ä".repeat(70)));
        let lead = "ä".repeat(CONTEXT);
        assert_eq!(both(&long("x"), &long("y")), format!("…{lead}x → …{lead}y"));
        assert_eq!(both(&long(""), &long("y")), format!("…{lead} → …{lead}y"));
        assert_eq!(both(&Json::from(1), &Json::from(12)), "1 → 12");
        let parts = both(&Json::from(format!("a{}", "x".repeat(80))), &Json::from("b"));
        assert_eq!(parts, format!("a{}… → b", "x".repeat(59)));
    }
}
