//! Where objects have the fields, values and annotations that a model declares.

use super::path::{MOST_PLACES, fields};
use super::surface::{Member, MemberPart};
use crate::schema::{Entry, Tree};

impl Member {
    /// The places of the member in an object, each with its key. A field beside its replacement with an equal value is
    /// none: servers fill in such aliases.
    pub(super) fn places<'t>(&self, tree: &'t Tree) -> Vec<(String, &'t Entry)> {
        match &self.part {
            MemberPart::Field(steps) => {
                let own = places_of(tree, steps);
                let other = self.replacement.as_ref().map(|steps| places_of(tree, steps));
                let is_alias = other.is_some_and(|other| {
                    let equal = own
                        .iter()
                        .zip(&other)
                        .all(|((_, own), (_, other))| own.value == other.value);
                    own.len() == other.len() && equal
                });
                if is_alias { Vec::new() } else { own }
            }
            MemberPart::Value(steps, value) => {
                let own = places_of(tree, steps).into_iter();
                own.filter_map(|place| has_value(place, value)).collect()
            }
            MemberPart::Annotation(key) => {
                let annotations = tree.get("metadata").and_then(|metadata| metadata.get("annotations"));
                annotations.map_or_else(Vec::new, |annotations| keyed(annotations, key))
            }
        }
    }
}

fn places_of<'t>(tree: &'t Tree, steps: &[String]) -> Vec<(String, &'t Entry)> {
    let mut found = Vec::new();
    fields(tree, steps, None, &mut found);
    found
}

/// The place of a value, if a field has it: the field, or the key of a map.
fn has_value<'t>((key, entry): (String, &'t Entry), value: &str) -> Option<(String, &'t Entry)> {
    match &entry.value {
        map @ Tree::Table(_) => Some((value.to_owned(), map.entry(value)?)),
        own => (written(own).as_deref() == Some(value)).then_some((key, entry)),
    }
}

/// The annotation with a key; those whose keys begin with it, if it ends with a slash.
fn keyed<'t>(annotations: &'t Tree, key: &str) -> Vec<(String, &'t Entry)> {
    match annotations {
        Tree::Table(entries) if key.ends_with('/') => {
            let own = entries
                .range(key.to_owned()..)
                .take_while(|(own, _)| own.starts_with(key));
            own.take(MOST_PLACES).map(|(own, entry)| (own.clone(), entry)).collect()
        }
        _ => {
            let own = annotations.entry(key).into_iter();
            own.map(|entry| (key.to_owned(), entry)).collect()
        }
    }
}

/// A value as ids of elements write it.
fn written(value: &Tree) -> Option<String> {
    match value {
        Tree::Text(text) => Some(text.clone()),
        Tree::Bool(value) => Some(value.to_string()),
        Tree::Number(value) => Some(value.to_string()),
        Tree::Null | Tree::List(_) | Tree::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn table(entries: impl IntoIterator<Item = (String, Tree)>) -> Tree {
        let entries = entries
            .into_iter()
            .map(|(key, value)| (key, Entry { place: None, value }));
        Tree::Table(entries.collect::<BTreeMap<_, _>>())
    }

    /// An object with so many annotations of one beginning, before and after others.
    fn flood(count: usize) -> Tree {
        let text = |key: String| (key, Tree::Text("a".to_owned()));
        let own = (0..count).map(|number| text(format!("example.com/{number:07}")));
        let others = ["example.com", "example.com.au/0", "a", "z"].map(|key| text(key.to_owned()));
        let annotations = table(own.chain(others));
        table([("metadata".to_owned(), table([("annotations".to_owned(), annotations)]))])
    }

    fn annotation(key: &str) -> Member {
        Member {
            fate: super::super::Fate::default(),
            part: MemberPart::Annotation(key.to_owned()),
            replacement: None,
        }
    }

    #[test]
    fn a_flood_of_annotations_has_few_places() {
        let object = flood(1_000_000);
        let found = annotation("example.com/").places(&object);
        let keys: Vec<&str> = found.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys.len(), MOST_PLACES);
        assert_eq!([keys[0], keys[99]], ["example.com/0000000", "example.com/0000099"]);
        assert_eq!(annotation("example.com/0999999").places(&object).len(), 1);
    }

    #[test]
    fn annotations_with_a_beginning_are_all_found_but_no_others() {
        let found = annotation("example.com/").places(&flood(3)).len();
        assert_eq!(found, 3);
    }
}
