//! The policies that models and policy files name.

use std::collections::BTreeSet;

use crate::document::{Diagnostics, Document, Value, Word};

/// An edition as a model names it: `{ use = "kubernetes-2019", from = "1.0" }`.
#[derive(Debug, Clone, Copy)]
pub struct EditionReference<'d> {
    /// A built-in policy's name, or a path.
    pub policy: Word<'d>,
    /// The release from which it applies.
    pub(crate) from: Option<Word<'d>>,
}

/// The editions a model file asks for, in the order given; none if it has no `policy` key.
pub fn editions<'d>(model: &'d Document<'_>, diagnostics: &mut Diagnostics) -> Vec<EditionReference<'d>> {
    let Some((_, value)) = model.root().get("policy") else {
        return Vec::new();
    };
    if let Some(policy) = value.as_word() {
        return vec![EditionReference { policy, from: None }];
    }
    let items = value.list(diagnostics);
    if items.is_empty() && value.as_list().is_some() {
        let help = "name one, or delete the key";
        diagnostics.at("policy", value.span(), "the list of policies is empty", help);
    }
    let editions = items.into_iter().filter_map(|item| edition(item, diagnostics));
    let editions: Vec<EditionReference<'d>> = editions.collect();
    if let Some(second) = editions.iter().filter(|edition| edition.from.is_none()).nth(1) {
        let help = "set the first release of each but the first: { use = \"…\", from = \"1.19\" }";
        let message = "two policies apply from the first release";
        diagnostics.at("policy", second.policy.span, message, help);
    }
    let mut known = BTreeSet::new();
    let starts = editions.iter().filter_map(|edition| edition.from);
    for again in starts.filter(|from| !known.insert(from.text)) {
        let message = format!("two policies apply from {}", again.text);
        diagnostics.at(
            "policy",
            again.span,
            message,
            "keep one of them, or begin one in another release",
        );
    }
    if let Some(more) = editions.get(MOST_EDITIONS) {
        let message = format!("more than {MOST_EDITIONS} policies in turn");
        diagnostics.at(
            "too-many",
            more.policy.span,
            message,
            "keep those whose releases the model has",
        );
        return Vec::new();
    }
    editions
}

/// Each is read as a whole.
const MOST_EDITIONS: usize = 1_000;

fn edition<'d>(item: Value<'d>, diagnostics: &mut Diagnostics) -> Option<EditionReference<'d>> {
    let table = item.table(diagnostics)?;
    let (mut policy, mut from) = (None, None);
    for (key, value) in table.entries() {
        match key.name {
            "use" => policy = value.word(diagnostics),
            "from" => from = value.word(diagnostics),
            _ => diagnostics.unknown_key(&key, &["use", "from"]),
        }
    }
    if policy.is_none() {
        let help = "name a built-in policy or the path of a policy file";
        diagnostics.missing_key(table.span(), "use", help);
    }
    policy.map(|policy| EditionReference { policy, from })
}

/// The policy that a policy file says it extends.
pub fn extends<'d>(policy: &'d Document<'_>) -> Option<Word<'d>> {
    policy.root().get("extends").and_then(|(_, value)| value.as_word())
}

/// The name of an extended policy, relative to the extending one: `base.toml` in `a/p.toml` is `a/base.toml`. The name
/// of a built-in policy stays.
pub fn named_from(extending: &str, reference: &str) -> String {
    let builtin = super::builtin(reference).is_some();
    match extending.rsplit_once('/') {
        Some((folder, _)) if !builtin && !reference.starts_with('/') => format!("{folder}/{reference}"),
        _ => reference.to_owned(),
    }
}
