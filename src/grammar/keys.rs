//! The keys of the tables of the model file, each with what it means.

/// Keys with what they mean, in the order of the page, which is that in which entries are written.
pub(crate) type KeyTable = &'static [(&'static str, &'static str)];

/// A table of keys with their meanings, or with the names of rows that several tables have.
macro_rules! keys {
    ($($($row:ident)? $($key:literal: $meaning:literal)?,)*) => {
        &[$($($row)? $(($key, $meaning))?),*]
    };
}

/// Rows that several tables have.
macro_rules! shared {
    ($($name:ident = $key:literal: $meaning:literal,)*) => {
        $(const $name: (&str, &str) = ($key, $meaning);)*
    };
}

shared! {
    INTRODUCED = "introduced": "the first release that has it",
    DEPRECATED = "deprecated": "the release that deprecates it; a list if that was withdrawn and repeated; `\"never\"`: no deprecation is planned",
    UNDEPRECATED = "undeprecated": "the release that withdraws a deprecation, or a list",
    STEPS = "steps": "the first release of each step that the policy names between deprecation and removal: `{ runtime = \"2.0\" }`; see `windows`",
    TARGET = "target": "the release for which its removal was announced: it is overdue if that has shipped, and it is still there",
    REMOVED = "removed": "the first release that no longer has it",
    LIVES = "lives": "if it was removed and came back: a list of tables with the keys above, in order",
    STAGE = "stage": "`\"alpha\"`, `\"beta\"` or `\"GA\"`",
    GATED_BY = "gated-by": "the gate that guards it",
    REPRESENTED_AS = "represented-as": "under `in`: this version keeps it as another field, or as an annotation: `\"@example.com/size\"`",
    SIBLING = "replacement": "what to use instead: a member of the same sort in the same kind, or an id",
    TOMBSTONE = "tombstone": "`true`: its name stays reserved after the removal",
    OWNER = "owner": "who maintains it",
    TRACKING = "tracking": "the issue or proposal that tracks it",
    IN = "in": "the versions it is in, each with these keys: `in = { v1 = {}, v2 = { introduced = \"1.12\" } }`",
    FLAG_STAGE = "stage": "`\"alpha\"`, `\"beta\"` or `\"GA\"`; GA unless its name begins with `alpha` or `beta`",
    OTHER_FLAG = "replacement": "what to use instead: a flag or command of the same program, another behavior, or an id; or something outside of the project: `{ external = \"…\" }`",
    PRINTED = "warning": "the text that is printed when it is used",
}

/// The top of a file.
pub(crate) const FILE: KeyTable = keys! {
    "policy": "a built-in policy (`\"kubernetes\"` if absent), a file, or editions in turn: `[{ use = \"…\", from = \"…\" }]`",
    "include": "patterns of further files, relative to the folder of this one: `[\"apis/*.toml\"]`",
    "calendar": "the product's releases; required",
    "group": "API groups, by name; the group without a name is `core`",
    "config": "component configurations, by group; the same keys as `group`",
    "cli": "programs, by name",
    "gate": "feature gates, by name",
    "metric": "metrics, by name",
    "behavior": "behaviors that neither API nor command line controls, by a name of your choice",
    "element-kind": "further kinds of elements, by the name of their section; see below",
    "exception": "a list of granted exceptions; see `exception`",
    "levels": "severities of findings in this project; see below",
    "requires-usage-below": "how little something must be used before it is removed: `{ requests-per-day = 10, over = \"30d\", coverage = 0.9 }`; see `usage`",
    "schemas": "files and folders with the schemas of what is declared, relative to the folder of this file; see `schemas`",
    "webhooks": "what a webhook converts, where the CRDs of `schemas` do not say it: `[\"example.com\"]`, `[\"example.com/Car\"]`, `[\"all\"]`",
    "$schema": "a schema for editors; not read",
};

/// `requires-usage-below`
pub(crate) const USAGE_LIMIT: KeyTable = keys! {
    "requests-per-day": "the number of requests a day that is too much; required",
    "over": "the days that count: `\"30d\"` if absent",
    "coverage": "the part of these days for which there has to be evidence: 0.9 if absent",
};

/// `[calendar]`
pub(crate) const CALENDAR: KeyTable = keys! {
    "current": "the newest release that has shipped; without it, no removal is overdue merely because it is not declared",
    "cadence": "`{ months = 4 }`: projects the dates of unscheduled releases and of releases after the last one; `every = { major = 12 }` projects which of these are major, or of another kind",
    "releases": "dates by release: `\"1.8\" = 2017-09-28`; the last ones may be `\"unscheduled\"`; with kinds that a policy counts: `{ date = 2025-04-02, kind = [\"lts\"] }`",
    "order": "`\"listed\"`: releases may have any names, and follow each other as listed",
    "symbolic": "instead of `releases`: `{ origin = \"X\", count = 16 }` for releases X, X+1, … without dates",
};

/// `[group.NAME]`, `[config.NAME]`
pub(crate) const GROUP: KeyTable = keys! {
    "version": "versions by name; `v1beta1` is beta, a name of another form is GA unless `stage` is set",
    "kind": "kinds by name",
    "preferred": "when a version became the preferred one: `{ v1beta1 = \"1.0\", v1 = \"1.2\" }`",
    "owner": "who maintains it; inherited by everything in it",
    "tracking": "the issue or proposal that tracks it; inherited by everything in it",
};

/// `[group.NAME.kind.NAME]`
pub(crate) const KIND: KeyTable = keys! {
    "resource": "the plural in URLs: `\"deployments\"`",
    "versions": "the versions it is in, if not all: `[\"v1beta1\"]`",
    "version": "by version, what differs from the version's own entry; the keys of a version",
    "storage": "when a version became the storage version: `{ v1beta1 = \"1.0\", v1 = \"1.2\" }`",
    "migrated": "as in a version, by version: `{ v1beta1 = \"1.3\" }`",
    "dropped": "as in a version, by version",
    "replacement": "what to use instead, in every version without a replacement of its own",
    "owner": "as in the group",
    "tracking": "as in the group",
    "subresource": "subresources by name: `subresource.scale`",
    "field": "fields by path: `field.\"spec.replicas\"`",
    "enum": "values of enumerations, by path and value: `enum.\"spec.policy\".OnTuesday`",
    "annotation": "annotations by key: `annotation.\"example.com/size\"`",
};

/// `[cli.NAME]`
pub(crate) const PROGRAM: KeyTable = keys! {
    "audience": "required: `\"user\"` (such as kubectl) or `\"admin\"` (such as kubelet)",
    "flag": "flags by name: `flag.\"--record\"`",
    "command": "commands by name: `command.drain`",
    "owner": "who maintains it; inherited by its commands and flags",
    "tracking": "the issue or proposal that tracks it; inherited by its commands and flags",
};

/// An entry of a gate's `specs`.
pub(crate) const GATE_SPEC: KeyTable = keys! {
    "stage": "`\"alpha\"`, `\"beta\"`, `\"GA\"` or `\"deprecated\"`; the last entry may be `\"removed\"`; required",
    "since": "the release in which the gate enters the stage, or is removed; required",
    "default": "whether it is on unless set; required, except for `\"removed\"`",
    "locked": "`true`: it is an error to set it to anything but its default",
};

/// An entry of a metric's `specs`.
pub(crate) const METRIC_SPEC: KeyTable = keys! {
    "stage": "`\"INTERNAL\"`, `\"ALPHA\"`, `\"BETA\"` or `\"STABLE\"`; required",
    "since": "the release in which the metric enters the class; required",
    "labels": "its labels from then on: a list",
    "type": "its type from then on: `\"counter\"`, `\"gauge\"`, `\"histogram\"` or `\"summary\"`",
};

pub(super) const VERSION: KeyTable = keys! {
    STAGE,
    "introduced": "the first release that serves it; required, unless each of its kinds has its own",
    DEPRECATED, UNDEPRECATED,
    "removed": "the first release that no longer serves it",
    "migrated": "the release from which no stored object is left in it",
    "dropped": "the first release whose code can no longer read it",
    STEPS, LIVES, GATED_BY,
    "replacement": "what to use instead: a version of the group, or an id; or something outside of the project: `{ external = \"…\" }`",
    "warning": "the text that clients are shown",
    OWNER, TRACKING,
};

pub(super) const MEMBER: KeyTable = keys! {
    STAGE, INTRODUCED, DEPRECATED, UNDEPRECATED, REMOVED,
    "dropped": "the first release whose code can no longer read it",
    LIVES, GATED_BY, REPRESENTED_AS, SIBLING,
    "tag": "the number of a field in the wire format",
    "default": "the value that an unset field gets",
    TOMBSTONE, OWNER, TRACKING, IN,
};

pub(super) const VALUE: KeyTable = keys! {
    STAGE,
    "tolerated": "the release that accepts it in objects that have it already",
    "introduced": "the first release that accepts it",
    DEPRECATED, UNDEPRECATED, REMOVED, LIVES, GATED_BY, REPRESENTED_AS, SIBLING, TOMBSTONE, OWNER, TRACKING, IN,
};

pub(super) const FLAG: KeyTable = keys! {
    FLAG_STAGE, INTRODUCED, DEPRECATED, UNDEPRECATED, REMOVED, STEPS, LIVES, TARGET, GATED_BY,
    OTHER_FLAG, PRINTED, OWNER, TRACKING,
};

/// `[element-kind.NAME]`
pub(crate) const EXTRA_KIND: KeyTable = keys! {
    "word": "what one of them is called in sentences: `\"webhook event\"`; the name if absent",
    "title": "what they are called together, above lists: `\"Webhook events\"`",
    "id": "the form of their names, word by word: `\"METHOD PATH\"`; a name has as many words, and any if the form is one word",
    "classes": "what `stage` may say, least stable first, each as stable as `\"alpha\"`, `\"beta\"` or `\"GA\"`: `{ preview = \"beta\", stable = \"GA\" }`",
};

pub(super) const EXTRA: KeyTable = keys! {
    "stage": "a class of its kind; the last one if absent",
    INTRODUCED, DEPRECATED, UNDEPRECATED, REMOVED, STEPS, LIVES, TARGET, GATED_BY,
    "replacement": "what to use instead: another element of the kind, or an id; or something outside of the project: `{ external = \"…\" }`",
    PRINTED, OWNER, TRACKING,
};

pub(super) const COMMAND: KeyTable = keys! {
    FLAG_STAGE, INTRODUCED, DEPRECATED, UNDEPRECATED, REMOVED, STEPS, LIVES, TARGET, GATED_BY,
    OTHER_FLAG, PRINTED, OWNER, TRACKING,
    "flag": "of a command: its flags, by name",
};

pub(super) const GATE: KeyTable = keys! {
    "specs": "its stages, oldest first; required",
    "deprecated": "the release that deprecates it",
    REMOVED,
    "depends-on": "gates that it does not work without",
    "replacement": "what to use instead: another gate, or an id",
    "warning": "the text that is logged when it is set",
    "operational": "whether it still has an effect once deprecated",
    OWNER, TRACKING,
};

pub(super) const METRIC: KeyTable = keys! {
    "specs": "its stability classes, oldest first; required",
    DEPRECATED, UNDEPRECATED,
    "hidden": "the first release that registers it only on request",
    REMOVED, GATED_BY,
    "replacement": "what to use instead: another metric, or an id",
    OWNER, TRACKING,
    "help": "its help text",
};

/// The keys of a table.
pub(crate) fn names(table: KeyTable) -> Vec<&'static str> {
    table.iter().map(|(key, _)| *key).collect()
}
