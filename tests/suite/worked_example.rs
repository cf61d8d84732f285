//! The policy's own example, from the introductions of its versions alone: the first thing that must come out right.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;
use lifecycle::grammar::EventKind;
use lifecycle::render::json;
use lifecycle::report::{DecidedBy, GroupReport, GroupReports, NoteReport, ReleaseReport, State};
use serde_json::Value;

use crate::support::evaluate;

const EXAMPLE: &str = include_str!("../../examples/widget-timeline.toml");

const VERSIONS: &str = r#"
[group."widgets.example.com".version]
v1alpha1 = { introduced = "X" }
v1alpha2 = { introduced = "X+1" }
v1beta1 = { introduced = "X+2" }
v1beta2 = { introduced = "X+3" }
v1 = { introduced = "X+5" }
v2alpha1 = { introduced = "X+8" }
v2alpha2 = { introduced = "X+9" }
v2beta1 = { introduced = "X+10" }
v2beta2 = { introduced = "X+11" }
v2 = { introduced = "X+12" }
"#;

/// Release, served (d: deprecated), preferred, notes.
const TABLE: &str = "\
X | v1alpha1 | v1alpha1 |
X+1 | v1alpha2 | v1alpha2 | v1alpha1 removed, action required
X+2 | v1beta1 | v1beta1 | v1alpha2 removed, action required
X+3 | v1beta2, v1beta1 d | v1beta1 | v1beta1 deprecated, action required
X+4 | v1beta2, v1beta1 d | v1beta2 |
X+5 | v1, v1beta2 d, v1beta1 d | v1beta2 | v1beta2 deprecated, action required
X+6 | v1, v1beta2 d | v1 | v1beta1 removed, action required
X+7 | v1, v1beta2 d | v1 |
X+8 | v2alpha1, v1 | v1 | v1beta2 removed, action required
X+9 | v2alpha2, v1 | v1 | v2alpha1 removed, action required
X+10 | v2beta1, v1 | v1 | v2alpha2 removed, action required
X+11 | v2beta2, v2beta1 d, v1 | v1 | v2beta1 deprecated, action required
X+12 | v2, v2beta2 d, v2beta1 d, v1 d | v1 | v2beta2 deprecated, action required; v1 deprecated in favor of v2, not removed
X+13 | v2, v2beta2 d, v2beta1 d, v1 d | v2 |
X+14 | v2, v2beta2 d, v1 d | v2 | v2beta1 removed, action required
X+15 | v2, v1 d | v2 | v2beta2 removed, action required
";

fn model(policy: &str, cadence: u32) -> String {
    format!(
        "policy = \"{policy}\"\n[calendar]\ncadence = {{ months = {cadence} }}\n\
         symbolic = {{ origin = \"X\", count = 16 }}\n{VERSIONS}"
    )
}

fn evaluated(model: &str) -> Evaluation {
    evaluate(model).expect("the model can be read")
}

fn group<'r>(groups: &'r GroupReports<'_>) -> GroupReport<'r> {
    let mut named = groups.iter().filter(|group| group.group == "widgets.example.com");
    named.next().expect("the group is reported")
}

fn line(row: &ReleaseReport<'_>) -> String {
    let served: Vec<String> = row
        .versions
        .iter()
        .map(|version| match version.state {
            State::Served => version.version.to_owned(),
            State::Deprecated => format!("{} d", version.version),
            other => panic!("{other} is not served"),
        })
        .collect();
    let notes: Vec<&str> = row.notes.iter().map(|note| note.text.as_str()).collect();
    let text = format!(
        "{} | {} | {} | {}",
        row.release,
        served.join(", "),
        row.preferred.unwrap_or("none"),
        notes.join("; ")
    );
    text.trim_end().to_owned() + "\n"
}

fn table(group: &GroupReport<'_>) -> String {
    group.releases.iter().map(line).collect()
}

#[test]
fn introductions_alone_yield_the_table_of_the_policy() {
    let evaluation = evaluated(&model("kubernetes", 4));
    let report = evaluation.report(&Sources::new());
    assert_eq!(table(&group(&report.groups)), TABLE);
    assert_eq!(evaluation.findings(), []);
}

#[test]
fn the_table_does_not_depend_on_the_order_of_versions() {
    let mut lines: Vec<&str> = VERSIONS.trim().lines().collect();
    lines[1..].reverse();
    let turned = model("kubernetes", 4).replace(VERSIONS.trim(), &lines.join("\n"));
    let evaluation = evaluated(&turned);
    assert_eq!(table(&group(&evaluation.report(&Sources::new()).groups)), TABLE);
}

#[test]
fn the_storage_version_moves_with_the_preferred_one() {
    let evaluation = evaluated(&model("kubernetes", 4));
    let report = evaluation.report(&Sources::new());
    for row in &group(&report.groups).releases {
        assert_eq!(row.storage, row.preferred, "{}", row.release);
        assert_eq!(
            (row.date, row.date_kind.as_str()),
            (None, "symbolic"),
            "{}",
            row.release
        );
    }
}

#[test]
fn users_have_to_act_on_all_but_the_deprecation_of_a_ga_version() {
    let evaluation = evaluated(&model("kubernetes", 4));
    let report = evaluation.report(&Sources::new());
    let group = group(&report.groups);
    let notes: Vec<&NoteReport<'_>> = group.releases.iter().flat_map(|row| &row.notes).collect();
    assert_eq!(notes.len(), 13);
    for note in notes {
        let is_ga = note.event == EventKind::Deprecated && note.version == "v1";
        assert_eq!(note.action_required, !is_ga, "{}", note.text);
        assert_eq!(note.text.ends_with("action required"), !is_ga, "{}", note.text);
        assert!(note.text.starts_with(&format!("{} {}", note.version, note.event)));
        assert!(!note.declared, "{}", note.text);
    }
}

#[test]
fn a_ga_version_waits_for_a_major_release_that_no_calendar_has() {
    let evaluation = evaluated(&model("kubernetes", 4));
    let report = evaluation.report(&Sources::new());
    let v1 = report.elements.iter().find(|e| e.id == "widgets.example.com/v1");
    let v1 = v1.expect("v1 is reported");
    assert_eq!(v1.binding, Some(DecidedBy::Major));
    assert!(v1.never_before_major.is_some());
    assert_eq!((v1.removed, v1.earliest_removal), (None, None));
    assert_eq!(v1.migrate_to, Some("widgets.example.com/v2"));
}

/// When v1 may be removed at the earliest, and when it is planned to be.
fn end_of_v1(policy: &str, cadence: u32) -> [Option<String>; 2] {
    let evaluation = evaluated(&model(policy, cadence));
    let report = evaluation.report(&Sources::new());
    let v1 = report.elements.iter().find(|e| e.id == "widgets.example.com/v1");
    let v1 = v1.expect("v1 is reported");
    [v1.earliest_removal, v1.removed].map(|moment| moment.map(|moment| moment.release.to_owned()))
}

#[test]
fn in_2019_a_ga_version_went_twelve_months_after_its_deprecation() {
    let both = |release: &str| [Some(release.to_owned()), Some(release.to_owned())];
    for policy in ["kubernetes-2019", "kubernetes-2021"] {
        assert_eq!(end_of_v1(policy, 3), both("X+16"), "{policy}");
        assert_eq!(end_of_v1(policy, 4), both("X+15"), "{policy}");
    }
    for policy in ["kubernetes", "kubernetes-2025"] {
        assert_eq!(end_of_v1(policy, 3), [None, None], "{policy}");
    }
}

#[test]
fn in_2019_users_had_to_act_on_the_deprecation_of_a_ga_version() {
    let evaluation = evaluated(&model("kubernetes-2019", 4));
    let report = evaluation.report(&Sources::new());
    let group = group(&report.groups);
    let reported = |release: &str| {
        let row = group.releases.iter().find(|row| row.release == release);
        line(row.expect("the release is shown"))
    };
    assert_eq!(
        reported("X+12"),
        "X+12 | v2, v2beta2 d, v2beta1 d, v1 d | v1 | v2beta2 deprecated, action required; v1 deprecated, action required\n"
    );
    assert_eq!(
        reported("X+15"),
        "X+15 | v2 | v2 | v2beta2 removed, action required; v1 removed, action required\n"
    );
}

#[test]
fn the_example_file_yields_the_table_too() {
    let evaluation = evaluated(EXAMPLE);
    let report = evaluation.report(&Sources::new());
    assert_eq!(table(&group(&report.groups)), TABLE);
}

#[test]
fn the_storage_of_a_kind_that_is_not_carried_on_stays_behind() {
    let evaluation = evaluated(EXAMPLE);
    let report = evaluation.report(&Sources::new());
    let group = group(&report.groups);
    let last = group.releases.last().expect("releases are shown");
    let kinds: Vec<_> = last.kinds.iter().map(|kind| (kind.kind, kind.storage)).collect();
    assert_eq!(kinds, [("Gadget", Some("v2")), ("Widget", Some("v1"))]);
    assert_eq!((last.preferred, last.storage), (Some("v2"), None));
}

/// Every object has all of the names.
fn has(objects: &Value, names: &str) {
    let all = objects.as_array().map_or(std::slice::from_ref(objects), Vec::as_slice);
    assert!(!all.is_empty(), "no object to look for {names} in");
    for object in all {
        for name in names.split(' ') {
            assert!(object.get(name).is_some(), "{name} is missing in {object:#}");
        }
    }
}

/// The objects under a name, of one object or of a list of them.
fn under(objects: &Value, name: &str) -> Value {
    let all = objects.as_array().map_or(std::slice::from_ref(objects), Vec::as_slice);
    let found = all.iter().map(|object| &object[name]);
    let flat = found.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    flat.filter(|value| !value.is_null()).cloned().collect()
}

/// The report of the example, with a removal that is too early, as `--format json` prints it.
fn printed() -> Value {
    let right = "v1beta1 = { introduced = \"X+2\" }";
    let wrong = "v1beta1 = { introduced = \"X+2\", deprecated = \"X+3\", removed = \"X+5\" }";
    let text = EXAMPLE.replacen(right, wrong, 1);
    assert_ne!(text, EXAMPLE);
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", &text);
    let evaluation = evaluated(&text);
    let mut printed = Vec::new();
    json::report(&evaluation.report(&sources), &mut printed).expect("memory can be written");
    serde_json::from_slice(&printed).expect("it is JSON")
}

#[test]
fn the_printed_report_has_every_name_of_the_contract() {
    let report = printed();
    has(&report, "schema_version policies groups elements diagnostics");
    has(&report["policies"], "name edition from");
    has(&report["groups"], "group releases");
    let releases = under(&report["groups"], "releases");
    has(
        &releases,
        "release date date_kind versions preferred storage kinds notes",
    );
    has(&under(&releases, "versions"), "version state");
    has(&under(&releases, "kinds"), "kind versions storage");
    has(&under(&releases, "notes"), "event version action_required text");
    has(
        &report["elements"],
        "id kind stability replacement migrate_to introduced deprecated hidden removed earliest_deprecation \
         latest_deprecation earliest_removal removal_due never_before_major binding because",
    );
    for event in ["introduced", "deprecated", "hidden", "removed"] {
        has(&under(&report["elements"], event), "release date date_kind declared");
    }
    let bounds = [
        "earliest_deprecation",
        "latest_deprecation",
        "earliest_removal",
        "removal_due",
    ];
    for bound in bounds {
        has(&under(&report["elements"], bound), "release date date_kind");
    }
    has(&under(&report["elements"], "because"), "rule number text");
    has(
        &report["diagnostics"],
        "rule number code severity element message file line column help earliest",
    );
    has(&under(&report["diagnostics"], "earliest"), "release");
}

#[test]
fn the_values_of_the_contract_are_as_promised() {
    let report = printed();
    assert_eq!(report["schema_version"], 1);
    assert_eq!(
        report["policies"],
        serde_json::json!([{ "name": "kubernetes", "edition": "2022", "from": null }])
    );
    let finding = &report["diagnostics"][0];
    let reported = ["rule", "number", "code", "severity", "element", "file"].map(|name| finding[name].as_str());
    let expected = [
        "version-lifetime",
        "4a",
        "early",
        "error",
        "widgets.example.com/v1beta1",
        "lifecycle.toml",
    ];
    assert_eq!(reported, expected.map(Some));
    assert_eq!(finding["earliest"]["release"], "X+6");
    let elements = report["elements"].as_array().expect("a list");
    let element = |id: &str| {
        let mut named = elements.iter().filter(|element| element["id"] == id);
        named.next().unwrap_or_else(|| panic!("{id} is not reported"))
    };
    let beta = element("widgets.example.com/v1beta2");
    assert_eq!(beta["kind"], "api-version");
    assert_eq!(beta["stability"], "beta");
    assert_eq!(beta["replacement"], "widgets.example.com/v1");
    // v2 is introduced only after v1beta2 is removed.
    assert_eq!(beta["migrate_to"], "widgets.example.com/v1");
    assert_eq!(beta["introduced"]["declared"], true);
    assert_eq!(beta["removed"]["declared"], false);
    assert_eq!(beta["binding"], "releases");
    for id in [
        "widgets.example.com/v1 Gadget",
        "widgets.example.com/v1 Widget/status",
        "widgets.example.com/v2 Gadget .spec.deprecatedMagnitude",
        "widgets.example.com/v1 Gadget .spec.restartPolicy=OnTuesday",
        "widgets.example.com/v1 Gadget @widgets.example.com/size-hint",
        "cli widgetctl --record",
        "gate GadgetRestartOnTuesday",
        "metric widget_objects",
        "behavior unbounded-retries",
        "config widgetlet.config.example.com/v1 WidgetletConfiguration",
    ] {
        element(id);
    }
}
