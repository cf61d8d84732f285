//! The examples of real projects: their plans, and their findings, which happened.

#![cfg(test)]

use std::collections::BTreeMap;
use std::path::Path;

use lifecycle::Sources;
use lifecycle::evaluate::{Evaluation, Range};
use lifecycle::model::ElementKind;
use lifecycle::render::notes::built_in_templates;

use serde_json::Value;

use crate::program::{folder, run_in};
use crate::support::{agrees_with_snapshot, evaluate};

const KUBERNETES: &str = include_str!("../../examples/kubernetes/lifecycle.toml");

const GATEWAY_API: &str = include_str!("../../examples/gateway-api/lifecycle.toml");

/// How many findings of each kind a model has.
fn counts(evaluation: &Evaluation) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for finding in evaluation.findings() {
        let kind = format!("{} {} {}", finding.severity, finding.rule, finding.code);
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

fn counted(counts: &[(&str, usize)]) -> BTreeMap<String, usize> {
    counts
        .iter()
        .map(|(kind, count)| ((*kind).to_owned(), *count))
        .collect()
}

/// The release of each event of an element: `deprecated 1.7 (planned)`.
fn moments(evaluation: &Evaluation, element: &str) -> Vec<String> {
    let report = evaluation.report(&Sources::new());
    let value = serde_json::to_value(&report).expect("a report is JSON");
    let elements = value["elements"].as_array().expect("elements");
    let found = elements
        .iter()
        .find(|found| found["id"] == element)
        .unwrap_or_else(|| panic!("no {element}"));
    ["introduced", "deprecated", "removed"]
        .iter()
        .filter_map(|event| {
            let release = found[event]["release"].as_str()?;
            let planned = if found[event]["declared"] == true {
                ""
            } else {
                " (planned)"
            };
            Some(format!("{event} {release}{planned}"))
        })
        .collect()
}

/// What Kubernetes deprecates in its core: nothing leaves with `Endpoints`, and nothing in 1.37 does.
#[test]
fn of_the_core_of_kubernetes_only_two_kinds_are_deprecated() {
    let evaluation = evaluate(KUBERNETES).expect("the model can be read");
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let elements: Vec<_> = report.elements.iter().collect();
    let core = elements
        .iter()
        .filter(|element| element.id.starts_with("core/") && element.kind.row == ElementKind::Kind);
    let deprecated = core.filter_map(|element| Some((element.id, element.deprecated?.release)));
    let expected = [("core/v1 ComponentStatus", "1.19"), ("core/v1 Endpoints", "1.33")];
    assert_eq!(deprecated.collect::<Vec<_>>(), expected);
    // Whatever the plan deprecates by itself has something to migrate to.
    let planned = elements.iter().filter(|element| {
        let moment = element.deprecated.filter(|moment| moment.declared == Some(false));
        moment.is_some() && matches!(element.kind.row, ElementKind::ApiVersion | ElementKind::Kind)
    });
    let left: Vec<&str> = planned
        .filter(|element| element.migrate_to.is_none())
        .map(|element| element.id)
        .collect();
    assert_eq!(left, [""; 0]);
}

/// The draft of a release that has not shipped: what its readers must do, line by line.
#[test]
fn what_is_urgent_in_the_next_release_of_kubernetes_reads_as_before() {
    let evaluation = evaluate(KUBERNETES).expect("the model can be read");
    let release = evaluation.find_covered("1.37").expect("the release is covered");
    let range = Range {
        release: Some(release),
        ..Range::default()
    };
    let notes = evaluation.notes(&Sources::new(), range);
    let draft = built_in_templates()
        .render("notes.md", &notes)
        .expect("the template fits");
    let (_, urgent) = draft
        .split_once("## Urgent Upgrade Notes\n\n")
        .expect("some are urgent");
    let (urgent, _) = urgent.split_once("\n## ").expect("other sections follow");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/kubernetes-urgent-1.37.md");
    agrees_with_snapshot(&kept, urgent);
    assert!(!draft.contains("`core/"), "{draft}");
}

#[test]
fn the_gateway_api_has_the_expected_findings() {
    let evaluation = evaluate(GATEWAY_API).expect("the example can be read");
    let expected = counted(&[
        ("error preferred-and-storage dropped-early", 4),
        ("error version-lifetime not-deprecated-in-time", 2),
    ]);
    assert_eq!(counts(&evaluation), expected);
    let planned = ["introduced 0.5", "deprecated 1.7 (planned)", "removed 1.10 (planned)"];
    assert_eq!(
        moments(&evaluation, "gateway.networking.k8s.io/v1beta1 Gateway"),
        planned
    );
    let gone = ["introduced 0.5", "deprecated 0.6", "removed 0.8"];
    assert_eq!(moments(&evaluation, "gateway.networking.k8s.io/v1alpha2 Gateway"), gone);
}

#[test]
fn kubernetes_has_the_expected_findings() {
    let evaluation = evaluate(KUBERNETES).expect("the example can be read");
    let expected = counted(&[
        ("error version-lifetime early", 2),
        ("error version-lifetime not-deprecated-in-time", 3),
        ("error version-replacement before-replacement", 2),
        ("error version-replacement unknown", 2),
        ("note gate-lifetime beta-off", 33),
        ("note gate-lifetime ga-unlocked", 5),
        ("note version-replacement comes-later", 13),
        ("note version-replacement no-replacement", 15),
        ("warning version-lifetime overdue", 4),
    ]);
    assert_eq!(counts(&evaluation), expected);
    let elements = serde_json::to_value(evaluation.report(&Sources::new())).expect("a report is JSON");
    let elements = elements["elements"].as_array().expect("elements");
    let of = |kind: &str| elements.iter().filter(|element| element["kind"] == kind).count();
    assert_eq!((of("kind"), of("gate"), of("metric")), (214, 211, 265));
}

#[test]
fn the_head_of_the_kubernetes_example_is_head_toml() {
    let head = include_str!("../../examples/kubernetes/head.toml");
    assert!(KUBERNETES.starts_with(head));
    let releases = include_str!("../../examples/kubernetes/releases.csv");
    for (release, day) in releases.lines().skip(1).filter_map(|line| line.split_once(',')) {
        assert!(KUBERNETES.contains(&format!("\"{release}\" = {day}\n")), "{release}");
    }
}

/// One entry as the code of Kubernetes has it, one that ends a deprecation's wait a release early.
const LIST: &str = r"deprecated-versions:
  - { version: policy/v1beta1, kind: PodDisruptionBudget, deprecated-in: v1.21.0, removed-in: v1.25.0, component: k8s }
  - { version: autoscaling/v2beta2, kind: HorizontalPodAutoscaler, deprecated-in: v1.22.0, removed-in: v1.26.0, component: k8s }
";

#[test]
fn lists_of_kubernetes_are_compared_with_the_built_in_model() {
    let here = folder(&[("list.yaml", LIST)]);
    let run = run_in(
        &here,
        &["compare", "--builtin", "kubernetes", "list.yaml", "--format", "json"],
    )
    .ended(1);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let entries = answer["differences"].as_array().expect("differences");
    let both: Vec<&Value> = entries.iter().filter(|entry| entry["what"] != "present").collect();
    let [entry] = both.as_slice() else {
        panic!("one entry: {both:?}");
    };
    assert_eq!(entry["element"], "autoscaling/v2beta2 HorizontalPodAutoscaler");
}

/// The example of a product in a folder of its own.
fn product() -> tempfile::TempDir {
    folder(&[
        ("lifecycle.toml", include_str!("../../examples/product/lifecycle.toml")),
        ("policy.toml", include_str!("../../examples/product/policy.toml")),
    ])
}

/// A product that is no Kubernetes project: what its policy says by kind and class decides.
#[test]
fn the_example_of_a_product_is_judged_by_kind_and_class() {
    let run = run_in(&product(), &["check", "--all", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("a report is JSON");
    assert_eq!(run.code, Some(1));
    let findings = report["diagnostics"].as_array().expect("findings");
    let found: Vec<String> = findings
        .iter()
        .map(|finding| {
            let word = |key: &str| finding[key].as_str().unwrap_or("").to_owned();
            let earliest = finding["earliest"]["release"].as_str().unwrap_or("");
            format!("{} {}: {earliest}", word("code"), word("element"))
        })
        .collect();
    let expected = [
        "early env-var HM_HOME: 3.2",
        "external env-var HM_TRACE: ",
        "early config-key server.tls: 3.3",
    ];
    assert_eq!(found, expected);
    let elements = report["elements"].as_array().expect("elements");
    for (id, kind, earliest) in [
        ("endpoint GET /v1/berths", "endpoint", "3.4"),
        // 18 months in place of 12, and 6 for a preview.
        ("webhook-event berth.freed", "webhook-event", "3.4"),
        ("webhook-event tide.turned", "webhook-event", "3.3"),
        // Two releases, and no months.
        ("error-code E1004", "error-code", "3.0"),
    ] {
        let element = elements.iter().find(|element| element["id"] == id).expect(id);
        assert_eq!(element["kind"], kind);
        assert_eq!(element["earliest_removal"]["release"], earliest, "{id}");
    }
}

#[test]
fn every_command_answers_about_elements_of_any_kind() {
    let folder = product();
    for (arguments, shown) in [
        (&["plan", "--kind", "endpoint", "--all"][..], "endpoint GET /v1/berths"),
        (
            &["plan", "--group", "Webhook events", "--all"],
            "webhook-event berth.freed",
        ),
        (&["why", "endpoint GET /v1/berths", "removed"], "12 months"),
        (&["why", "server.tls.mode"], "config-key server.tls.mode"),
        (
            &["notes", "--release", "3.2"],
            "- configuration key `server.tls` removed",
        ),
        (
            &["notes", "--release", "3.0"],
            "## HTTP endpoints\n\n- HTTP endpoint `GET /v1/berths` deprecated",
        ),
        (&["render", "--format", "mermaid"], "section Webhook events"),
        (&["check", "--remove", "endpoint GET /v1/berths@3.3"], "3.4"),
    ] {
        let run = run_in(&folder, arguments);
        assert!(run.out.contains(shown), "{arguments:?}\n{}\n{}", run.out, run.err);
    }
}

/// The record of a model as JSON.
fn record(model: &str) -> Value {
    let run = run_in(&folder(&[("lifecycle.toml", model)]), &["report", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    serde_json::from_str(&run.out).expect("a report is JSON")
}

/// Each event that was judged: the element, the event, the verdict, the releases by which it missed its bound.
fn verdicts(record: &Value) -> Vec<String> {
    let judgements = record["judgements"].as_array().expect("judgements");
    let words = judgements.iter().map(|judgement| {
        let word = |key: &str| judgement[key].as_str().unwrap_or("").to_owned();
        let missed = &judgement["releases"];
        format!("{} {} {} {missed}", word("element"), word("event"), word("verdict"))
    });
    words.collect()
}

const CALENDAR: &str = "[calendar]\ncurrent = \"3.1\"\n[calendar.releases]\n\"1.8\" = 2015-04-01\n\
    \"2.0\" = 2017-12-02\n\"2.1\" = 2018-08-01\n\"2.2\" = 2019-04-01\n\"3.0\" = 2019-12-02\n\"3.1\" = 2020-08-04\n\
    \"3.2\" = 2021-04-06\n";

#[test]
fn a_report_tells_what_was_kept_early_and_unannounced_and_whose_it_is() {
    let model = format!(
        "policy = \"months-and-releases\"\n{CALENDAR}\
         [symbol]\n\
         kept = {{ deprecated = \"1.8\", removed = \"2.1\", owner = \"core\" }}\n\
         early = {{ deprecated = \"2.0\", removed = \"2.1\", owner = \"api\" }}\n\
         unannounced = {{ introduced = \"1.8\", removed = \"3.0\" }}\n\
         granted = {{ deprecated = \"2.2\", removed = \"3.0\" }}\n\
         coming = {{ deprecated = \"3.1\", removed = \"3.2\" }}\n\
         [[exception]]\nrule = \"element-lifetime\"\nelement = \"symbol granted\"\nreason = \"r\"\napproved-by = \"a\"\n"
    );
    let record = record(&model);
    // What has not shipped is not judged.
    let expected = [
        "symbol early removed early 1",
        "symbol granted removed excepted 1",
        "symbol kept removed kept null",
        "symbol unannounced removed unannounced 2",
    ];
    assert_eq!(verdicts(&record), expected);
    let total = &record["total"];
    let counts = ["judged", "kept", "early", "unannounced", "late", "excepted"].map(|key| total[key].as_u64());
    assert_eq!(counts, [4, 1, 1, 1, 0, 1].map(Some));
    let owners = record["owners"].as_array().expect("owners");
    let owners: Vec<&str> = owners.iter().map(|row| row["name"].as_str().expect("a name")).collect();
    assert_eq!(owners, ["api", "core", ""]);
}

#[test]
fn a_report_tells_what_is_late_and_what_came_in_a_release_that_may_not_carry_it() {
    let due = format!(
        "policy = \"django\"\n{CALENDAR}\
         [symbol]\nlate = {{ deprecated = \"2.0\", removed = \"3.1\" }}\nleft = {{ deprecated = \"2.1\" }}\n"
    );
    assert_eq!(
        verdicts(&record(&due)),
        ["symbol late removed late 1", "symbol left removed late 1"]
    );
    let major =
        format!("policy = \"gitlab\"\n{CALENDAR}[symbol]\nminor = {{ deprecated = \"1.8\", removed = \"2.2\" }}\n");
    let verdicts = verdicts(&record(&major));
    assert_eq!(verdicts, ["symbol minor removed wrong-release null"]);
}
