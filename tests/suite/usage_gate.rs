//! Evidence of usage as a condition of removals.

#![cfg(test)]

use std::fmt::Write as _;

use lifecycle::Document;
use lifecycle::FileId;
use lifecycle::Load;
use lifecycle::evaluate::Evaluation;
use lifecycle::release::AsOf;
use lifecycle::report::Evidence;

use crate::program::{folder, run_in};
use crate::usage::MODEL;

const LIMIT: &str = "requires-usage-below = { requests-per-day = 10, over = \"30d\", coverage = 0.9 }\n";

/// Evidence about the version that ends, for some days of January 2026.
fn evidence(days: std::ops::RangeInclusive<u32>, per_day: u64) -> String {
    let mut usage = String::new();
    for day in days.clone() {
        for (who, count) in [("ann", per_day), ("bob", per_day / 5)] {
            let comma = if usage.is_empty() { "" } else { "," };
            let _ = write!(
                usage,
                r#"{comma}{{"element":"shop.example.com/v1beta1 Order","consumer":{{"user":"{who}","agent":"shopctl/v1.0","namespace":null}},"day":"2026-01-{day:02}","count":{count},"first_seen":null,"last_seen":null}}"#
            );
        }
    }
    let (from, to) = (days.start(), days.end());
    format!(
        r#"{{"schema_version":1,"sources":[{{"name":"audit.log","format":"audit-log","fingerprint":"crc32:1:{from}","share":1.0,"periods":[{{"from":"2026-01-{from:02}","to":"2026-01-{to:02}"}}],"lines":9,"lost":0,"lost_at":[],"elements":["shop.example.com/v1beta1","shop.example.com/v1beta1 Order"],"usage":[{usage}]}}]}}"#
    )
}

fn evaluated(model: &str, as_of: Option<&str>, evidence: Option<&str>) -> Evaluation {
    let documents = [Document::parse(FileId(0), model)];
    let mut load = Load::new(&documents);
    if let Some(day) = as_of {
        load.as_of(AsOf::Day(day.parse().expect("a day")));
    }
    let mut evaluation = load.evaluate().unwrap_or_else(|errors| panic!("{errors:?}"));
    if let Some(evidence) = evidence {
        evaluation.know_usage(Evidence::read(evidence).expect("it is evidence"));
    }
    evaluation
}

/// Severity, code and message of each finding about usage.
fn found(model: &str, as_of: Option<&str>, evidence: Option<&str>) -> Vec<String> {
    let evaluation = evaluated(model, as_of, evidence);
    let findings = evaluation.findings().iter().filter(|finding| finding.rule == "usage");
    let findings = findings.map(|finding| format!("{} {} {}", finding.severity, finding.code, finding.message));
    findings.collect()
}

fn with_limit() -> String {
    format!("{LIMIT}{MODEL}")
}

const END: &str = "shop.example.com/v1beta1 is removed in 1.3";

#[test]
fn without_a_condition_nothing_is_asked() {
    assert_eq!(found(MODEL, None, None), [""; 0]);
    assert_eq!(found(MODEL, None, Some(&evidence(1..=30, 100))), [""; 0]);
}

#[test]
fn a_removal_needs_evidence_that_it_is_hardly_used() {
    let model = with_limit();
    let missing = format!("error evidence-missing {END}, and there is no evidence of whether it is still used");
    assert_eq!(found(&model, None, None), [missing]);
    let used = format!(
        "error still-used {END}, and is still used: 24 requests a day from 2026-01-02 to 2026-01-31, where fewer than 10 \
         are required"
    );
    assert_eq!(found(&model, None, Some(&evidence(2..=31, 20))), [used]);
    assert_eq!(found(&model, None, Some(&evidence(2..=31, 5))), [""; 0]);
    // Ten a day are no fewer than ten.
    assert_eq!(found(&model, None, Some(&evidence(2..=31, 9))).len(), 1);
    assert_eq!(found(&model, None, Some(&evidence(2..=31, 8))), [""; 0]);
}

#[test]
fn the_heaviest_consumers_are_named() {
    let evaluation = evaluated(&with_limit(), None, Some(&evidence(2..=31, 20)));
    let finding = evaluation
        .findings()
        .iter()
        .find(|finding| finding.code == "still-used");
    let because = finding
        .expect("it is used")
        .because
        .iter()
        .map(|fact| fact.text.as_str());
    let expected = [
        "ann (shopctl/v1.0): 20 a day since 2026-01-02, last on 2026-01-31",
        "bob (shopctl/v1.0): 4 a day since 2026-01-02, last on 2026-01-31",
    ];
    assert_eq!(because.collect::<Vec<_>>(), expected);
}

#[test]
fn evidence_for_few_days_is_missing_and_old_evidence_is_stale() {
    let model = with_limit();
    let few = format!(
        "error evidence-missing {END}, and there is evidence of its usage for 26 days from 2026-01-02 to 2026-01-31, where \
         27 are required"
    );
    assert_eq!(found(&model, None, Some(&evidence(6..=31, 1))), [few]);
    assert_eq!(found(&model, None, Some(&evidence(5..=31, 1))), [""; 0]);
    let all = evidence(1..=30, 1);
    assert_eq!(found(&model, Some("2026-02-02"), Some(&all)), [""; 0]);
    let stale = format!(
        "error evidence-stale {END}, and the evidence of its usage ends on 2026-01-30, 4 days before 2026-02-03"
    );
    assert_eq!(found(&model, Some("2026-02-03"), Some(&all)), [stale]);
    // What is seen later than the day of the judgement does not count.
    assert_eq!(found(&model, Some("2025-12-20"), Some(&all)).len(), 1);
}

#[test]
fn removals_after_the_next_release_are_to_be_prepared() {
    let model = with_limit().replace("2026-06-10 }", "2026-06-10, \"1.4\" = 2026-12-10 }");
    let model = model.replace("removed = \"1.3\"", "removed = \"1.4\"");
    let findings = found(&model, None, Some(&evidence(2..=31, 20)));
    assert!(findings[0].starts_with("note still-used"), "{findings:?}");
}

#[test]
fn a_policy_can_state_the_condition_and_a_model_another() {
    let policy = format!("name = \"strict\"\nextends = \"kubernetes\"\n{LIMIT}");
    let model = format!("policy = \"strict.toml\"\n{MODEL}");
    let files = [
        ("strict.toml", policy.as_str()),
        ("lifecycle.toml", &model),
        (
            "own.toml",
            &model.replace(
                "[calendar]",
                "requires-usage-below = { requests-per-day = 100 }\n[calendar]",
            ),
        ),
        ("usage.json", &evidence(2..=31, 20)),
    ];
    let folder = folder(&files);
    let check = |arguments: &[&str]| {
        run_in(
            &folder,
            &[
                &[
                    "check",
                    "--format",
                    "concise",
                    "-A",
                    "version-lifetime",
                    "-A",
                    "round-trip",
                ],
                arguments,
            ]
            .concat(),
        )
    };
    check(&["--evidence", "usage.json"])
        .ended(1)
        .says(&["error[usage:still-used]"]);
    check(&["own.toml", "--evidence", "usage.json"])
        .ended(0)
        .silent_on(&["usage:"]);
    check(&[]).ended(1).says(&["error[usage:evidence-missing]"]);
    check(&["-A", "usage:evidence-missing"]).ended(0).silent_on(&["usage:"]);
    let base = check(&["--evidence", "usage.json", "--base", "lifecycle.toml"]);
    base.ended(0).says(&["no new policy violations"]);
}

#[test]
fn a_condition_has_errors_with_their_places() {
    for (wrong, says) in [
        ("{ over = \"30d\" }", "requests-per-day"),
        ("{ requests-per-day = 0 }", "expected a whole number from 1"),
        (
            "{ requests-per-day = 1, over = \"30\" }",
            "`30` is no number of days from 1 to 366",
        ),
        (
            "{ requests-per-day = 1, coverage = 2 }",
            "expected a number from 0 to 1",
        ),
        ("{ requests-per-day = 1, cover = 1 }", "unknown key `cover`"),
        ("7", "expected a table"),
    ] {
        let folder = folder(&[("lifecycle.toml", &format!("requires-usage-below = {wrong}\n{MODEL}"))]);
        run_in(&folder, &["check"]).ended(2).says(&[says, "lifecycle.toml:1:"]);
    }
}

#[test]
fn answers_say_who_has_to_move_first() {
    let undeclared = MODEL.replace(", removed = \"1.3\"", "");
    let files = [
        ("lifecycle.toml", MODEL),
        ("undeclared.toml", &undeclared),
        ("usage.json", &evidence(2..=31, 20)),
    ];
    let folder = folder(&files);
    let ann = "ann (shopctl/v1.0): 20 a day since 2026-01-02";
    let run = |arguments: &[&str]| run_in(&folder, &[arguments, &["--evidence", "usage.json"]].concat());
    let agenda = run(&["agenda", "--release", "1.3"]).ended(0).all();
    let words = agenda.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("to move first: {ann}")), "{agenda}");
    run(&["agenda", "--release", "1.3", "--format", "json"])
        .ended(0)
        .says(&["\"consumers\""]);
    let proposed = run(&[
        "propose",
        "removal",
        "shop.example.com/v1beta1",
        "-m",
        "undeclared.toml",
    ]);
    let proposed = proposed.all();
    let words = proposed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("Who has to move first: - {ann}")), "{proposed}");
    run(&["notes", "--release", "1.3"])
        .ended(0)
        .says(&["Used most by ann (shopctl/v1.0): 20 a day"]);
    run(&["render", "--format", "html"])
        .ended(0)
        .says(&["\"usage\":[{\"day\":\"2026-01-02\",\"count\":24}"]);
}

#[test]
fn what_is_no_evidence_is_an_error_with_the_next_step() {
    let folder = folder(&[("lifecycle.toml", MODEL), ("usage.json", "{}")]);
    let run = run_in(&folder, &["check", "--evidence", "usage.json"]);
    run.ended(2).says(&[
        "usage.json:1:",
        "`lifecycle usage FILE --output usage.json` makes an evidence file",
    ]);
}
