//! Lists whose items, or the keys of their items, are distinct: by the type of the list, or by its rules.

use std::collections::BTreeSet;

use crate::cel::implied::{Read, read};
use crate::cel::lexer::is_keyword;
use crate::schema::node::Schema;

/// What the type of a list demands, in the forms in which rules demand it. Nothing of a list that is `atomic`.
pub(super) fn by_type(list: &Schema) -> Vec<Read> {
    let Some(same) = sameness(list) else { return Vec::new() };
    let forms = [
        format!("self.all(x, self.exists_one(y, {same}))"),
        format!("size(self.filter(x, size(self.filter(y, {same})) > 1)) == 0"),
    ];
    forms.iter().filter_map(|form| read(form)).collect()
}

/// The condition under which two items are the same: they are equal, or all their keys are.
fn sameness(list: &Schema) -> Option<String> {
    match list.list_type()? {
        "set" => Some("x == y".to_owned()),
        "map" => {
            let keys = list.keys.as_ref().filter(|keys| are_always_set(keys, list))?;
            let same = keys.iter().map(|key| format!("x.{key} == y.{key}"));
            Some(same.collect::<Vec<_>>().join(" && "))
        }
        _ => None,
    }
}

/// Whether all items have these keys. A name that rules may have to escape is left out: `a-b`, `in`.
fn are_always_set(keys: &BTreeSet<String>, list: &Schema) -> bool {
    let Some(item) = list.items.as_deref() else {
        return false;
    };
    keys.iter().all(|key| {
        let mut field = item.properties.get(key).into_iter();
        let is_set = item.required.contains(key) || field.any(|field| field.schema.default.is_some());
        is_set && is_written_alike(key)
    })
}

/// Whether rules write a name as it is.
pub(super) fn is_written_alike(key: &str) -> bool {
    let is_word = key.chars().all(|c| c.is_ascii_alphanumeric());
    is_word && key.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_keyword(key)
}
