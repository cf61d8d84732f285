//! The words of a judgement.

use crate::grammar::{KindPath, MemberName};
use crate::schema::{Change, ChangeKind};

use super::kind_law::{Row, Shown};
use super::law;
use super::values::{both, both_rules, shown};

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
    let parts = parts(change);
    if parts.is_empty() {
        return row.words.to_owned();
    }
    format!("{}: {}", row.words, parts.join(" "))
}

/// Why an object is rejected: the values alone, if they name the keyword.
pub(super) fn cause(row: &Row, change: &Change) -> String {
    let names_keyword = matches!(law::of(change.kind).shown, Shown::Both | Shown::Values) && change.subject.is_some();
    if names_keyword {
        parts(change).join(" ")
    } else {
        message(row, change)
    }
}

fn parts(change: &Change) -> Vec<String> {
    let subject = change.subject.as_deref().map(|subject| shown(&subject.into()));
    match law::of(change.kind).shown {
        Shown::Words => Vec::new(),
        Shown::Subject | Shown::Subresource | Shown::EnumValue => subject.into_iter().collect(),
        Shown::Values => subject.into_iter().chain(values(change, false)).collect(),
        Shown::Both => subject.into_iter().chain(values(change, true)).collect(),
    }
}

/// The old and the new value; with `always_both`, even if one is absent.
fn values(change: &Change, always_both: bool) -> Option<String> {
    match (&change.old, &change.new) {
        (Some(old), Some(new)) if change.kind == ChangeKind::RuleChanged => Some(both_rules(old, new)),
        (Some(old), Some(new)) => Some(both(old, new)),
        (Some(old), None) if always_both => Some(format!("{} → none", shown(old))),
        (None, Some(new)) if always_both => Some(format!("none → {}", shown(new))),
        (Some(only), None) | (None, Some(only)) => Some(shown(only)),
        (None, None) => None,
    }
}
