//! The schema of the model file, from the tables of the grammar.

use lifecycle::grammar::{ElementKind, EventKind, ExtraKinds};
use lifecycle::policy::BUILT_IN;
use serde_json::{Value as Json, json};

use crate::diagnostic::Severity;
use crate::grammar::{
    CALENDAR, EXTRA_KIND, EntryKey, FILE, GATE_SPEC, GROUP, KIND, KeyTable, METRIC_SPEC, PROGRAM, USAGE_LIMIT,
};

use super::parts::{
    boolean, defined, described, either, file, in_any_case, list, named, one_of, some, table, text, texts, whole,
};

const ABOUT: &str = "A model of lifecycle: what a product ships, and since when. A file that another one includes has \
                     the same keys, without `calendar`, `policy`, `include`, `schemas` and `webhooks`.";

/// The keys of a table, each with the schema of its value and with its meaning.
fn keyed(keys: KeyTable, value: fn(&str) -> Json, required: &[&str]) -> Json {
    let properties = keys
        .iter()
        .map(|(key, meaning)| ((*key).to_owned(), described(value(key), meaning)));
    table(properties, required)
}

pub fn schema() -> Json {
    let mut root = keyed(FILE, of_file, &[]);
    for kind in ExtraKinds::default().iter() {
        root["properties"][kind.name.as_str()] = described(named(&defined("extra")), &kind.title);
    }
    // The sections of kinds that a model or its policy declares have names of their own.
    root["additionalProperties"] = named(&defined("extra"));
    root["anyOf"] = sections(&root);
    let entries = ElementKind::ALL.into_iter().flat_map(|kind| {
        let own = (kind.as_str().to_owned(), entry(kind, false));
        [own, (life_of(kind), entry(kind, true))]
    });
    let tables = [
        ("calendar", calendar()),
        ("group", keyed(GROUP, of_group, &[])),
        ("kind-of-group", keyed(KIND, of_kind, &[])),
        ("program", keyed(PROGRAM, of_program, &["audience"])),
        ("gate-spec", keyed(GATE_SPEC, of_gate_spec, &["stage", "since"])),
        ("metric-spec", keyed(METRIC_SPEC, of_metric_spec, &["stage", "since"])),
        ("element-kind", element_kind()),
        ("severity", severity()),
        ("exception", exception()),
        (
            "replacement",
            either(text(), table([("external".to_owned(), text())], &["external"])),
        ),
        ("release", described(text(), "A release, in quotes")),
        ("releases", either(defined("release"), list(&defined("release")))),
        ("stage", in_any_case(&["alpha", "beta", "GA"], &["stable"])),
    ];
    let tables = tables.map(|(name, schema)| (name.to_owned(), schema));
    file(
        "lifecycle model",
        ABOUT,
        root,
        tables.into_iter().chain(entries).collect(),
    )
}

/// When a section may have a name of its own: the kind is declared here, in another file, or in a policy file. A file
/// without a calendar is one that another file includes.
fn sections(root: &Json) -> Json {
    let known = root["properties"].as_object().expect("a file has keys");
    let known = known.keys().map(|key| (key.clone(), json!({})));
    let names: Vec<&str> = BUILT_IN.iter().map(|policy| policy.name).collect();
    let edition = json!({ "properties": { "use": one_of(&names) } });
    let built_in = either(one_of(&names), json!({ "type": "array", "items": edition }));
    json!([
        table(known, &[]),
        { "required": ["element-kind"] },
        { "required": ["include"] },
        { "required": ["policy"], "not": { "properties": { "policy": built_in } } },
        { "not": { "required": ["calendar"] } },
    ])
}

fn of_file(key: &str) -> Json {
    let edition = table([("use".to_owned(), text()), ("from".to_owned(), text())], &["use"]);
    match key {
        "policy" => either(text(), json!({ "type": "array", "minItems": 1, "items": edition })),
        "include" | "schemas" | "webhooks" => texts(),
        "calendar" => defined("calendar"),
        "group" | "config" => named(&defined("group")),
        "cli" => named(&defined("program")),
        "gate" | "metric" | "behavior" => named(&defined(key)),
        "element-kind" => named(&defined("element-kind")),
        "exception" => list(&defined("exception")),
        "requires-usage-below" => usage_limit(),
        "levels" => named(&either(defined("severity"), named(&defined("severity")))),
        "$schema" => text(),
        _ => panic!("the schema lacks the key `{key}` of a file"),
    }
}

pub fn usage_limit() -> Json {
    keyed(USAGE_LIMIT, of_usage_limit, &["requests-per-day"])
}

fn of_usage_limit(key: &str) -> Json {
    match key {
        "requests-per-day" => whole(1, 1_000_000_000),
        "over" => json!({ "type": "string", "pattern": "^0*([1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-6])d$" }),
        "coverage" => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        _ => panic!("the schema lacks the key `{key}` of a condition on usage"),
    }
}

fn calendar() -> Json {
    let mut calendar = keyed(CALENDAR, of_calendar, &[]);
    calendar["anyOf"] = json!([{ "required": ["releases"] }, { "required": ["symbolic"] }]);
    calendar
}

fn of_calendar(key: &str) -> Json {
    let day = json!({ "type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?|unscheduled)$" });
    let kinds = [("date".to_owned(), day.clone()), ("kind".to_owned(), texts())];
    let every = named(&whole(1, 100));
    let cadence = [("months".to_owned(), whole(1, 120)), ("every".to_owned(), every)];
    let symbolic = [("origin".to_owned(), text()), ("count".to_owned(), whole(1, 1_000))];
    match key {
        "current" => defined("release"),
        "cadence" => table(cadence, &[]),
        "releases" => named(&either(day, table(kinds, &["date"]))),
        "order" => one_of(&["listed"]),
        "symbolic" => table(symbolic, &["count"]),
        _ => panic!("the schema lacks the key `{key}` of a calendar"),
    }
}

fn of_group(key: &str) -> Json {
    match key {
        "version" => named(&defined("api-version")),
        "kind" => named(&defined("kind-of-group")),
        "preferred" => named(&defined("release")),
        "owner" | "tracking" => text(),
        _ => panic!("the schema lacks the key `{key}` of a group"),
    }
}

fn of_kind(key: &str) -> Json {
    match key {
        "resource" | "owner" | "tracking" => text(),
        "versions" => texts(),
        "version" => named(&defined("kind")),
        "storage" | "migrated" | "dropped" => named(&defined("release")),
        "replacement" => defined("replacement"),
        "subresource" | "field" | "annotation" => named(&defined(key)),
        "enum" => named(&named(&defined("enum-value"))),
        _ => panic!("the schema lacks the key `{key}` of a kind"),
    }
}

fn of_program(key: &str) -> Json {
    match key {
        "audience" => one_of(&["user", "admin"]),
        "flag" => named(&defined("cli-flag")),
        "command" => named(&defined("cli-command")),
        "owner" | "tracking" => text(),
        _ => panic!("the schema lacks the key `{key}` of a program"),
    }
}

fn of_gate_spec(key: &str) -> Json {
    let removed = one_of(&["removed"]);
    let stage = in_any_case(&["alpha", "beta", "GA", "deprecated"], &["stable"]);
    match key {
        "stage" => either(stage, removed),
        "since" => defined("release"),
        "default" | "locked" => boolean(),
        _ => panic!("the schema lacks the key `{key}` of a gate's entry"),
    }
}

fn of_metric_spec(key: &str) -> Json {
    match key {
        "stage" => in_any_case(&["INTERNAL", "ALPHA", "BETA", "STABLE"], &["GA"]),
        "since" => defined("release"),
        "labels" => texts(),
        "type" => one_of(&["counter", "gauge", "histogram", "summary"]),
        _ => panic!("the schema lacks the key `{key}` of a metric's entry"),
    }
}

/// `[element-kind.NAME]`, which policies have too.
pub fn element_kind() -> Json {
    keyed(EXTRA_KIND, of_element_kind, &[])
}

fn of_element_kind(key: &str) -> Json {
    match key {
        "word" | "title" | "id" => text(),
        "classes" => {
            let mut classes = named(&in_any_case(&["alpha", "beta", "GA"], &["stable"]));
            classes["minProperties"] = 1.into();
            classes
        }
        _ => panic!("the schema lacks the key `{key}` of a kind of elements"),
    }
}

/// A severity, as models and policies write it.
pub fn severity() -> Json {
    let known = <Severity as strum::VariantArray>::VARIANTS.iter().rev();
    one_of(&known.map(|severity| severity.as_str()).collect::<Vec<_>>())
}

fn exception() -> Json {
    let meanings = [
        (
            "rule",
            "the rule, by slug or number, and the code: `\"version-lifetime:overdue\"`",
        ),
        ("element", "the id of the element, as `lifecycle plan` prints it"),
        ("reason", "why it was granted"),
        ("approved-by", "who granted it"),
        ("until", "the last release that it covers"),
    ];
    let properties = meanings.map(|(key, meaning)| (key.to_owned(), described(text(), meaning)));
    table(properties, &["rule", "element", "reason", "approved-by"])
}

fn life_of(kind: ElementKind) -> String {
    format!("life-of-{}", kind.as_str())
}

/// The entry of a kind of elements, or one of its lives.
fn entry(kind: ElementKind, is_life: bool) -> Json {
    let known = kind.keys(is_life);
    let keys = kind.row().keys.iter().filter(|(key, _)| known.contains(key));
    let properties = keys.map(|(name, meaning)| {
        let key = EntryKey::parse(name).expect("an entry has keys of entries");
        ((*name).to_owned(), described(of_entry(key, kind), meaning))
    });
    let required: &[&str] = match kind {
        ElementKind::Gate | ElementKind::Metric if !is_life => &["specs"],
        _ => &[],
    };
    table(properties, required)
}

fn of_entry(key: EntryKey, kind: ElementKind) -> Json {
    match key {
        EntryKey::Event(EventKind::Deprecated | EventKind::Undeprecated) => defined("releases"),
        EntryKey::Event(_) | EntryKey::Target => defined("release"),
        EntryKey::Steps => named(&defined("release")),
        EntryKey::Lives => some(&defined(&life_of(kind))),
        EntryKey::Replacement => defined("replacement"),
        EntryKey::Stage if kind == ElementKind::Extra => text(),
        EntryKey::Stage => defined("stage"),
        EntryKey::Tag => whole(1, 536_870_911),
        EntryKey::Default => json!({}),
        EntryKey::Tombstone | EntryKey::Operational => boolean(),
        EntryKey::Specs => {
            let spec = defined(&format!("{}-spec", kind.as_str()));
            json!({ "type": "array", "minItems": 1, "maxItems": 100, "items": spec })
        }
        EntryKey::DependsOn => texts(),
        EntryKey::In => named(&defined(kind.as_str())),
        EntryKey::Flag => named(&defined(ElementKind::Flag.as_str())),
        EntryKey::GatedBy
        | EntryKey::Warning
        | EntryKey::Help
        | EntryKey::Owner
        | EntryKey::Tracking
        | EntryKey::RepresentedAs => text(),
    }
}
