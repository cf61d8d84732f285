//! Lists whose items, or the keys of their items, are distinct: by the type of the list, or by its rules.

use std::collections::BTreeSet;

use crate::cel::implied::{Read, read};
use crate::cel::lexer::is_keyword;
use crate::schema::format::is_read_as_text;
use crate::schema::node::Schema;

use super::shape::shape;

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
    let item = list.items.as_deref().filter(|item| !item.nullable)?;
    match list.list_type()? {
        "set" => is_compared_alike(item).then(|| "x == y".to_owned()),
        "map" => {
            let keys = list.keys.as_ref().filter(|keys| are_always_set(keys, item))?;
            let same = keys.iter().map(|key| format!("x.{key} == y.{key}"));
            Some(same.collect::<Vec<_>>().join(" && "))
        }
        _ => None,
    }
}

/// Whether rules take for equal just what a set does. A set compares what is written: `1` and `1.0` differ.
fn is_compared_alike(item: &Schema) -> bool {
    match shape(item) {
        "string" => is_read_as_text(item.format.as_deref()),
        shape => ["integer", "boolean"].contains(&shape),
    }
}

/// Whether an item always has these keys, and rules compare them as lists do. A name that rules may have to escape is
/// left out: `a-b`, `in`.
fn are_always_set(keys: &BTreeSet<String>, item: &Schema) -> bool {
    keys.iter().all(|key| {
        let field = item.properties.get(key).map(|field| &*field.schema);
        let is_set = item.required.contains(key) || field.is_some_and(|field| field.default.is_some());
        is_set && is_written_alike(key) && field.is_some_and(is_compared_alike)
    })
}

/// Whether rules write a name as it is.
pub(super) fn is_written_alike(key: &str) -> bool {
    let is_word = key.chars().all(|c| c.is_ascii_alphanumeric());
    is_word && key.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_keyword(key)
}
