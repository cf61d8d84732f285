//! Paths of fields, and where objects have them.

use crate::schema::{Entry, Tree};

/// The most places of a field in one object, or of annotations with one beginning.
pub(super) const MOST_PLACES: usize = 100;

/// The steps of a path: `spec.ports[].name` is `spec`, `ports`, `[]`, `name`.
pub(crate) fn steps(path: &str) -> Vec<String> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches(['[', ']', '{', '}']);
        let mut signs = &part[name.len()..];
        steps.push(name.to_owned());
        while let Some((sign, rest)) = signs.split_at_checked(2) {
            steps.push(sign.to_owned());
            signs = rest;
        }
    }
    steps
}

/// The places of a field in an object, each with its key. `[]` after a step stands for every item of a list, `{}` for
/// every value of a table.
pub(super) fn fields<'t>(
    tree: &'t Tree,
    steps: &[String],
    at: Option<(&str, &'t Entry)>,
    found: &mut Vec<(String, &'t Entry)>,
) {
    if found.len() >= MOST_PLACES {
        return;
    }
    let Some((step, rest)) = steps.split_first() else {
        found.extend(at.map(|(key, entry)| (key.to_owned(), entry)));
        return;
    };
    match (step.as_str(), tree) {
        ("[]", Tree::List(items)) => {
            for item in items {
                fields(&item.value, rest, Some(("", item)), found);
            }
        }
        ("{}", Tree::Table(entries)) => {
            for (key, entry) in entries {
                fields(&entry.value, rest, Some((key, entry)), found);
            }
        }
        (key, tree) => {
            if let Some(entry) = tree.entry(key) {
                fields(&entry.value, rest, Some((key, entry)), found);
            }
        }
    }
}
