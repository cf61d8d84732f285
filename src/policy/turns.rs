//! Policies in turn by the numbers of releases: one that names others for earlier and later ones.

use crate::document::{Diagnostics, Table, Value};
use crate::release::ReleaseName;
use crate::source::Span;

/// A policy that applies instead of another one in some releases: `{ use = "django-1", until = "2.0" }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PolicyTurn {
    /// The name of the policy, and where it stands.
    pub(crate) policy: (String, Span),
    pub(crate) when: Turn,
}

/// In which releases: a product whose calendar has other numbers is not concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Turn {
    /// In those before this one.
    Until(ReleaseName),
    /// From this one on.
    From(ReleaseName),
}

/// The policies that apply instead of this one, each up to a release or from one on.
pub(super) fn read(value: Value<'_>, diagnostics: &mut Diagnostics) -> Vec<PolicyTurn> {
    let items = value.list(diagnostics);
    let tables = items.into_iter().filter_map(|item| item.table(diagnostics));
    let tables: Vec<Table<'_>> = tables.collect();
    let mut turns = Vec::new();
    for table in tables {
        let (mut policy, mut whens) = (None, Vec::new());
        for (key, value) in table.entries() {
            match key.name {
                "use" => policy = value.word(diagnostics),
                "until" | "from" => whens.extend(value.word(diagnostics).map(|word| (key.name, word))),
                _ => diagnostics.unknown_key(&key, &["use", "until", "from"]),
            }
        }
        let (Some(policy), [(key, word)]) = (policy, whens.as_slice()) else {
            let message = "an edition needs `use`, and either `until` or `from`";
            let help = "{ use = \"ours-1\", until = \"2.0\" }";
            diagnostics.at("policy", table.span(), message, help);
            continue;
        };
        let Some(name) = ReleaseName::of_calendar(word.text) else {
            let message = format!("`{}` is not the name of a release", word.text);
            diagnostics.at("unknown-release", word.span, message, "write it as 2.0");
            continue;
        };
        turns.push(PolicyTurn {
            policy: (policy.text.to_owned(), policy.span),
            when: match *key {
                "until" => Turn::Until(name),
                _ => Turn::From(name),
            },
        });
    }
    turns
}
