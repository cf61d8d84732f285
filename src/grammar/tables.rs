//! The tables of the model file that are no entries of elements, and all tables as the page `model` shows them.

use super::{ElementKind, ElementRow, rows};

/// Keys with what they mean, in the order of the page.
pub(crate) type KeyTable = &'static [(&'static str, &'static str)];

/// The top of a file.
pub(crate) const FILE: KeyTable = &[
    (
        "policy",
        "a built-in policy (`\"kubernetes\"` if absent), a file, or editions in turn: `[{ use = \"…\", from = \"…\" }]`",
    ),
    (
        "include",
        "patterns of further files, relative to the folder of this one: `[\"apis/*.toml\"]`",
    ),
    ("calendar", "the product's releases; required"),
    ("group", "API groups, by name; the group without a name is `core`"),
    ("config", "component configurations, by group; the same keys as `group`"),
    ("cli", "programs, by name"),
    ("gate", "feature gates, by name"),
    ("metric", "metrics, by name"),
    (
        "behavior",
        "behaviors that neither API nor command line controls, by a name of your choice",
    ),
    ("exception", "a list of granted exceptions; see `exception`"),
    ("levels", "severities of findings in this project; see below"),
    (
        "schemas",
        "files and folders with the schemas of what is declared, relative to the folder of this file; see `schemas`",
    ),
    ("$schema", "a schema for editors; not read"),
];

/// `[calendar]`
pub(crate) const CALENDAR: KeyTable = &[
    (
        "current",
        "the newest release that has shipped; without it, no removal is overdue merely because it is not declared",
    ),
    (
        "cadence",
        "`{ months = 4 }`: projects the dates of unscheduled releases and of releases after the last one",
    ),
    (
        "releases",
        "dates by release: `\"1.8\" = 2017-09-28`; the last ones may be `\"unscheduled\"`",
    ),
    (
        "symbolic",
        "instead of `releases`: `{ origin = \"X\", count = 16 }` for releases X, X+1, … without dates",
    ),
];

/// `[group.NAME]`, `[config.NAME]`
pub(crate) const GROUP: KeyTable = &[
    (
        "version",
        "versions by name; `v1beta1` is beta, a name of another form is GA unless `stage` says otherwise",
    ),
    ("kind", "kinds by name"),
    (
        "preferred",
        "when a version became the preferred one: `{ v1beta1 = \"1.0\", v1 = \"1.2\" }`",
    ),
    ("owner", "who looks after it; inherited by everything in it"),
    (
        "tracking",
        "the issue or proposal that tracks it; inherited by everything in it",
    ),
];

/// `[group.NAME.kind.NAME]`
pub(crate) const KIND: KeyTable = &[
    ("resource", "the plural in URLs: `\"deployments\"`"),
    ("versions", "the versions it is in, if not all: `[\"v1beta1\"]`"),
    (
        "version",
        "by version, what differs from the version's own entry; the keys of a version",
    ),
    (
        "storage",
        "when a version became the storage version: `{ v1beta1 = \"1.0\", v1 = \"1.2\" }`",
    ),
    ("migrated", "as in a version, by version: `{ v1beta1 = \"1.3\" }`"),
    ("dropped", "as in a version, by version"),
    (
        "replacement",
        "what to use instead, in every version without a replacement of its own",
    ),
    ("owner", "as in the group"),
    ("tracking", "as in the group"),
    ("subresource", "subresources by name: `subresource.scale`"),
    ("field", "fields by path: `field.\"spec.replicas\"`"),
    (
        "enum",
        "values of enumerations, by path and value: `enum.\"spec.policy\".OnTuesday`",
    ),
    ("annotation", "annotations by key: `annotation.\"example.com/size\"`"),
];

/// `[cli.NAME]`
pub(crate) const PROGRAM: KeyTable = &[
    (
        "audience",
        "required: `\"user\"` (such as kubectl) or `\"admin\"` (such as kubelet)",
    ),
    ("flag", "flags by name: `flag.\"--record\"`"),
    ("command", "commands by name: `command.drain`"),
    ("owner", "who looks after it; inherited by its commands and flags"),
    (
        "tracking",
        "the issue or proposal that tracks it; inherited by its commands and flags",
    ),
];

/// An entry of a gate's `specs`.
pub(crate) const GATE_SPEC: KeyTable = &[
    (
        "stage",
        "`\"alpha\"`, `\"beta\"`, `\"GA\"` or `\"deprecated\"`; required",
    ),
    ("since", "the release in which the gate enters the stage; required"),
    ("default", "whether it is on unless set; required"),
    ("locked", "`true`: it is an error to set it to anything but its default"),
];

/// An entry of a metric's `specs`.
pub(crate) const METRIC_SPEC: KeyTable = &[
    (
        "stage",
        "`\"INTERNAL\"`, `\"ALPHA\"`, `\"BETA\"` or `\"STABLE\"`; required",
    ),
    ("since", "the release in which the metric enters the class; required"),
    ("labels", "its labels from then on: a list"),
    (
        "type",
        "its type from then on: `\"counter\"`, `\"gauge\"`, `\"histogram\"` or `\"summary\"`",
    ),
];

/// The keys of a table.
pub(crate) fn names(table: KeyTable) -> Vec<&'static str> {
    table.iter().map(|(key, _)| *key).collect()
}

/// The tables of the page `model` in its order, as Markdown: the keys, and last the forms of ids.
pub(crate) fn page_tables() -> Vec<String> {
    let keys = [
        key_table(FILE),
        key_table(CALENDAR),
        key_table(GROUP),
        entry_table(ElementKind::ApiVersion),
        key_table(KIND),
        entry_table(ElementKind::Field),
        entry_table(ElementKind::EnumValue),
        key_table(PROGRAM),
        entry_table(ElementKind::Command),
        entry_table(ElementKind::Gate),
        key_table(GATE_SPEC),
        entry_table(ElementKind::Metric),
        key_table(METRIC_SPEC),
    ];
    keys.into_iter().chain([id_table()]).collect()
}

fn key_table(keys: KeyTable) -> String {
    let rows = keys.iter().map(|(key, meaning)| format!("| `{key}` | {meaning} |\n"));
    format!("| key | value |\n| --- | --- |\n{}", rows.collect::<String>())
}

fn entry_table(kind: ElementKind) -> String {
    let rows = kind.row().keys.iter();
    let rows = rows.map(|(key, meaning)| format!("| `{}` | {meaning} |\n", key.as_str()));
    format!("| key | value |\n| --- | --- |\n{}", rows.collect::<String>())
}

fn id_table() -> String {
    let row = |row: &ElementRow| format!("| {} | `{}` | `{}` |\n", row.name, row.form, row.example);
    let rows: String = rows::ELEMENTS.iter().map(row).collect();
    format!("| element | id | example |\n| --- | --- | --- |\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::super::{ElementPath, EntryKey};
    use super::*;

    #[test]
    fn every_kind_has_its_row_whose_example_is_an_id_of_it() {
        for (kind, row) in ElementKind::ALL.into_iter().zip(&rows::ELEMENTS) {
            assert_eq!(row.kind, kind);
            assert_eq!(kind.row().kind, kind);
            let path = ElementPath::parse(row.example).expect(row.example);
            assert_eq!(path.element_kind(), kind);
            assert_eq!(path.to_string(), row.example);
        }
    }

    #[test]
    fn keys_stand_in_the_order_in_which_they_are_written() {
        for row in &rows::ELEMENTS {
            let ranks = row.keys.iter().map(|(key, _)| EntryKey::rank(key.as_str()));
            assert!(ranks.is_sorted_by(|a, b| a < b), "{}", row.name);
        }
        for key in EntryKey::ALL {
            assert!(ElementKind::ALL.iter().any(|kind| kind.has_key(key)), "{key:?}");
            assert_eq!(EntryKey::parse(key.as_str()), Some(key));
        }
    }
}
