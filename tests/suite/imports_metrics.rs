//! Models made from lists of metrics and from what programs expose.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use lifecycle::FileId;
use lifecycle::import::metrics::{MetricsFile, MetricsRelease, fold, read};
use lifecycle::import::update::{known, update, verify};
use lifecycle::import::{Draft, Imported, Topic, write};
use lifecycle::model::{EventKind, Model};
use lifecycle::release::ReleaseName;
use lifecycle::stability::MetricStability;
use lifecycle::{Diagnostics, Document};
use serde_json::Value;

use crate::imports::release;
use crate::program::{Run, each, folder, run_in, run_on};
use crate::support::{evaluate, reported};

const LIST: &str = r"# Made by a script.
- name: requests_total
  subsystem: server
  help: All requests.
  type: Counter
  stabilityLevel: STABLE
  labels:
  - verb
  - code
- name: objects
  namespace: works
  subsystem: server
  type: Gauge
  deprecatedVersion: 1.2.0
  stabilityLevel: ALPHA
  constLabels:
    place: here
";

const EXPOSED: &str = r#"# HELP server_requests_total [STABLE] All requests.
# TYPE server_requests_total counter
server_requests_total{code="200",verb="GET"} 1.5e+06 1700000000
server_requests_total{verb="a\"}, b=\\",code="500"} 2
# HELP server_seconds [BETA] (Deprecated since 1.2.0) How long it takes.
# TYPE server_seconds histogram
server_seconds_bucket{verb="GET",le="0.1"} 1
server_seconds_bucket{verb="GET",le="+Inf"} 1
server_seconds_sum{verb="GET"} NaN
server_seconds_count{verb="GET"} 1
# HELP waits_seconds (Deprecated since 1.3) [ALPHA] How long they wait.
# TYPE waits_seconds summary
waits_seconds{quantile="0.5"} 0
waits_seconds_sum 0
waits_seconds_count 0
# HELP go_goroutines Number of goroutines.
# TYPE go_goroutines gauge
go_goroutines 8
"#;

/// A metric in a release: class, type, labels, release of the deprecation.
fn described(found: &MetricsFile, name: &str) -> String {
    let (class, facts) = found
        .metrics
        .get(name)
        .unwrap_or_else(|| panic!("no {name}: {found:?}"));
    let class = class.map_or("none".to_owned(), |class| class.to_string());
    let labels = facts
        .labels
        .as_ref()
        .map(|labels| labels.iter().map(String::as_str).collect::<Vec<_>>().join(","));
    let deprecated = facts.deprecated.as_ref().map(ToString::to_string);
    format!("{class} {:?} {labels:?} {deprecated:?}", facts.metric_type)
}

#[test]
fn a_list_has_names_classes_types_labels_and_deprecations() {
    let found = read(LIST).unwrap();
    assert!(found.is_list && found.skipped.is_empty(), "{found:?}");
    assert_eq!(
        described(&found, "server_requests_total"),
        r#"STABLE Some("counter") Some("code,verb") None"#
    );
    assert_eq!(
        described(&found, "works_server_objects"),
        r#"ALPHA Some("gauge") Some("place") Some("1.2")"#
    );
}

#[test]
fn help_texts_and_samples_have_the_same() {
    let found = read(EXPOSED).unwrap();
    assert!(!found.is_list && found.skipped.is_empty(), "{found:?}");
    assert_eq!(
        described(&found, "server_requests_total"),
        r#"STABLE Some("counter") Some("code,verb") None"#
    );
    assert_eq!(
        described(&found, "server_seconds"),
        r#"BETA Some("histogram") Some("verb") Some("1.2")"#
    );
    assert_eq!(
        described(&found, "waits_seconds"),
        r#"ALPHA Some("summary") Some("") Some("1.3")"#
    );
    assert_eq!(
        described(&found, "go_goroutines"),
        r#"none Some("gauge") Some("") None"#
    );
    assert_eq!(found.metrics.len(), 4);
}

#[test]
fn openmetrics_names_counters_without_their_ending_and_may_quote_names() {
    let text = "# TYPE requests counter\n# UNIT requests requests\n# HELP requests [BETA] All.\n\
                requests_total{code=\"1\"} 1 # {trace=\"a\"} 1\nrequests_created{code=\"1\"} 1\n\
                # HELP \"works.size\" [ALPHA] Size.\n# TYPE \"works.size\" gauge\n{\"works.size\",of=\"a\"} 2\n\
                # TYPE build info\n# HELP build [ALPHA] What it is.\nbuild_info{v=\"1\"} 1\n# EOF\n";
    let found = read(text).unwrap();
    assert!(found.skipped.is_empty(), "{found:?}");
    assert_eq!(
        described(&found, "requests_total"),
        r#"BETA Some("counter") Some("code") None"#
    );
    assert_eq!(
        described(&found, "works.size"),
        r#"ALPHA Some("gauge") Some("of") None"#
    );
    assert_eq!(described(&found, "build"), r#"ALPHA None Some("v") None"#);
    assert_eq!(found.types, [("info".to_owned(), 1)].into());
    assert_eq!(found.metrics.len(), 3);
}

fn folded(releases: &[(&str, &[&str])], before: Draft, all: bool) -> Imported {
    let releases = releases.iter().map(|(name, texts)| {
        let mut shipped = MetricsRelease::default();
        for text in *texts {
            let found = read(text).unwrap();
            assert_eq!(found.skipped, [], "{text}");
            assert_eq!(shipped.add(&found, None), Vec::<String>::new(), "{text}");
        }
        (release(name), shipped)
    });
    fold(before, &releases.collect(), all)
}

/// The metrics as they are written.
fn written(folded: &Imported) -> String {
    let text = write(&folded.draft);
    evaluate(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"));
    text.split_once("[metric]\n")
        .map_or(String::new(), |(_, metrics)| metrics.to_owned())
}

/// A list with one metric of this class, and more keys.
fn one(class: &str, more: &str) -> String {
    format!("- name: one\n  stabilityLevel: {class}\n{more}- name: other\n  stabilityLevel: ALPHA\n")
}

const OTHER: &str = "other = { specs = [{ stage = \"ALPHA\", since = \"1.1\", labels = [] }] }\n";

#[test]
fn classes_labels_deprecations_and_ends_become_a_life() {
    let texts = [
        one("ALPHA", "  labels: [a]\n"),
        one("BETA", "  labels: [b]\n  deprecatedVersion: 1.4.0\n"),
        one("BETA", "  labels: [b]\n  deprecatedVersion: 1.3.0\n"),
        one("BETA", "  labels: [b]\n"),
        one("BETA", "  labels: [b]\n  deprecatedVersion: 1.5.0\n"),
        "- name: other\n  stabilityLevel: ALPHA\n".to_owned(),
    ];
    let texts: Vec<[&str; 1]> = texts.iter().map(|text| [text.as_str()]).collect();
    let names = ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6"];
    let releases: Vec<(&str, &[&str])> = names.into_iter().zip(texts.iter().map(|text| &text[..])).collect();
    let folded = folded(&releases, Draft::default(), false);
    assert_eq!(folded.notices, []);
    let expected = "one = { specs = [{ stage = \"ALPHA\", since = \"1.1\", labels = [\"a\"] }, \
                    { stage = \"BETA\", since = \"1.2\", labels = [\"b\"] }], deprecated = [\"1.3\", \"1.5\"], \
                    undeprecated = \"1.4\", removed = \"1.6\" }\n";
    assert_eq!(written(&folded), format!("{expected}{OTHER}"));
}

#[test]
fn changes_of_a_metric_that_a_model_cannot_express_are_reported() {
    let none = "- name: other\n  stabilityLevel: ALPHA\n";
    let ahead = one("BETA", "  deprecatedVersion: 1.9.0\n");
    let back = folded(
        &[("1.1", &[&ahead]), ("1.2", &[none]), ("1.3", &[&one("BETA", "")])],
        Draft::default(),
        false,
    );
    let changes = reported(&back, Topic::NotInModel);
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(changes[0].contains("is removed before 1.9"), "{changes:?}");
    let expected = "1.3: metric one is back after its removal in 1.2";
    assert!(changes[1].starts_with(expected), "{changes:?}");
    assert!(!written(&back).contains("removed"), "{}", written(&back));

    let early = one("BETA", "  deprecatedVersion: 1.0.0\n");
    let before = folded(&[("1.1", &[&early])], Draft::default(), false);
    let changes = reported(&before, Topic::NotInModel);
    assert!(changes[0].contains("deprecated since 1.0"), "{changes:?}");
    assert!(
        written(&before).contains("deprecated = \"1.1\""),
        "{}",
        written(&before)
    );
}

#[test]
fn a_metric_that_is_not_exposed_is_not_removed() {
    let line = |name: &str| format!("# HELP {name} [ALPHA] Help.\n# TYPE {name} gauge\n{name} 1\n");
    let both = line("one") + &line("two");
    let folded = folded(&[("1.1", &[&both]), ("1.2", &[&line("two")])], Draft::default(), false);
    let notes = reported(&folded, Topic::Note);
    assert!(notes[0].starts_with("release 1.2 does not show one:"), "{notes:?}");
    assert!(!written(&folded).contains("removed"), "{}", written(&folded));
}

#[test]
fn a_list_counts_more_than_samples_and_texts_that_differ_are_reported() {
    let mut shipped = MetricsRelease::default();
    let samples = "# HELP one [BETA] Help.\n# TYPE one gauge\none{a=\"1\"} 1\n";
    let list = "- name: one\n  type: Gauge\n  stabilityLevel: BETA\n  labels: [a, b]\n";
    for text in [
        samples,
        list,
        samples,
        "# HELP one [BETA] Help.\n# TYPE one gauge\none{c=\"1\"} 1\n",
    ] {
        assert_eq!(shipped.add(&read(text).unwrap(), None), Vec::<String>::new());
    }
    let labels = shipped.metrics["one"].facts.labels.clone().unwrap();
    assert_eq!(labels, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    for other in [
        list.replace("[a, b]", "[a]"),
        list.replace("BETA", "STABLE"),
        list.replace("Gauge", "Counter"),
    ] {
        assert_eq!(shipped.add(&read(&other).unwrap(), None), ["one"]);
    }
    let unmarked = read("go 1\n").unwrap();
    assert_eq!(shipped.add(&unmarked, None), Vec::<String>::new());
    assert_eq!(shipped.unmarked, BTreeSet::from(["go".to_owned()]));
    shipped.add(&unmarked, Some(MetricStability::Alpha));
    assert_eq!(shipped.metrics["go"].stability, MetricStability::Alpha);
}

#[test]
fn an_unreadable_entry_or_line_is_reported_and_hides_no_other() {
    let list = format!(
        "{LIST}- name: bad\n  stabilityLevel: GOOD\n- stabilityLevel: BETA\n- name: [a\n- name: late\n  stabilityLevel: BETA\n  \
         deprecatedVersion: soon\n- name: requests_total\n  subsystem: server\n- name: last\n  stabilityLevel: BETA\n"
    );
    let found = read(&list).unwrap();
    let lines: Vec<u32> = found.skipped.iter().map(|error| error.line).collect();
    assert_eq!(
        (lines, found.metrics.len()),
        (vec![18, 20, 21, 22, 25], 3),
        "{found:#?}"
    );

    let exposed = format!(
        "{EXPOSED}one{{a=1}} 1\ntwo{{a=\"1}} 1\nthree{{a=\"1\"\nfour\nfive x\n{{}} 1\n# HELP six (Deprecated since x) y\n\
         # TYPE server_seconds gauge\n# TYPE \"seven\n# TYPE\n# HELP last [BETA] Help.\nlast 1\n"
    );
    let found = read(&exposed).unwrap();
    let lines: Vec<u32> = found.skipped.iter().map(|error| error.line - 18).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 7, 8, 9], "{found:#?}");
    assert_eq!(found.metrics.len(), 5, "{found:#?}");
}

#[test]
fn what_is_not_a_metric_is_not_imported() {
    let gates = "- name: Gate\n  versionedSpecs:\n  - default: true\n    version: \"1.2\"\n    preRelease: GA\n";
    let error = read(gates).expect_err("these are gates");
    assert_eq!(error.line, 1);
    assert!(
        error.reason.contains("`lifecycle import feature-gates` reads them"),
        "{error}"
    );

    let exposed = "# HELP a [BETA] Help.\na 1\n= 7\n9a 7\na-b{x=\"1\"} 7\n# TYPE b.c gauge\n{\"b.c\"} 1\n";
    let found = read(exposed).unwrap();
    let places: Vec<String> = found.skipped.iter().map(ToString::to_string).collect();
    let lines: Vec<u32> = found.skipped.iter().map(|error| error.line).collect();
    assert_eq!(lines, [3, 4, 5, 6], "{found:#?}");
    assert!(places[2].contains("`a-b` is not a valid name"), "{places:?}");
    let names: Vec<&str> = found.metrics.keys().map(String::as_str).collect();
    assert_eq!(names, ["a", "b.c"], "what stands in quotes may be anything");
}

#[test]
fn hostile_texts_are_refused_or_read_quickly() {
    let deep = format!("- name: {}\n", "[".repeat(100_000));
    let bomb = format!(
        "- name: a\n  labels: &a [x, x]\n{}",
        each(60, |_| "- labels: [*a, *a]\n".to_owned())
    );
    let bad = each(500, |n| format!("- name: a{n}\n  stabilityLevel: NO\n"));
    let noise = "\u{0}\u{1}\n".repeat(1000);
    let lines = "x{\n".repeat(1000);
    for text in [
        "",
        "\n\n",
        "# only a comment\n",
        "apiVersion: v1\n",
        &deep,
        &bomb,
        &bad,
        &noise,
        &lines,
        "- 1\n",
        "[",
        "{",
    ] {
        let run = run_on(text, &["import", "metrics", "--release", "1.1", "-"]);
        assert!(matches!(run.code, Some(1 | 2)), "{:?}", run.all());
        assert!(!run.all().contains("panicked"), "{}", run.all());
    }
    for end in 0..EXPOSED.len() {
        let found = read(&EXPOSED[..end]);
        assert!(found.is_ok() || end < 15, "{end}: {found:?}");
    }
    let wide = format!("m{{{}}} 1\n", each(50_000, |n| format!("l{n}=\"\",")));
    assert_eq!(
        read(&wide).unwrap().metrics["m"].1.labels.as_ref().unwrap().len(),
        50_000
    );
    let far = one(
        "BETA",
        "  deprecatedVersion: 18446744073709551615.18446744073709551615.0\n",
    );
    written(&folded(&[("1.1", &[&far])], Draft::default(), false));
    let far = one("BETA", "  deprecatedVersion: 1.18446744073709551615.0\n");
    written(&folded(&[("1.1", &[&far])], Draft::default(), false));
}

fn model_with(metrics: &str) -> String {
    format!(
        "[calendar]\ncurrent = \"1.1\"\n[calendar.releases]\n\"1.0\" = 2024-01-01\n\"1.1\" = 2024-05-01\n\n{metrics}"
    )
}

fn updating(files: &tempfile::TempDir, more: &[&str]) -> Run {
    let begin = [
        "import",
        "metrics",
        "--release",
        "1.2",
        "--date",
        "2024-09-01",
        "list.yaml",
        "--update",
        "m.toml",
    ];
    run_in(files, &[&begin[..], more].concat())
}

#[expect(clippy::disallowed_methods, reason = "the test reads what the program wrote")]
fn text(files: &tempfile::TempDir) -> String {
    std::fs::read_to_string(files.path().join("m.toml")).expect("the model is there")
}

#[test]
fn an_update_adds_what_is_new_and_keeps_what_people_wrote() {
    let metrics = "[metric]\n# Ours.\nserver_requests_total = { specs = [{ stage = \"stable\", since = \"1.0\" }], owner = \"us\" }\n\
                   kept = { specs = [{ stage = \"ALPHA\", since = \"1.0\" }] }\n\
                   works_server_objects = { specs = [{ stage = \"BETA\", since = \"1.1\", labels = [\"place\"] }], help = \"Own.\" }\n";
    let files = folder(&[("m.toml", &model_with(metrics)), ("list.yaml", LIST)]);
    updating(&files, &[])
        .ended(0)
        .says(&["metrics of the model: kept", "--all"]);
    let expected = "[metric]\n# Ours.\nserver_requests_total = { specs = [{ stage = \"stable\", since = \"1.0\", type = \"counter\", \
                    labels = [\"code\", \"verb\"] }], owner = \"us\" }\n\
                    kept = { specs = [{ stage = \"ALPHA\", since = \"1.0\" }] }\n\
                    works_server_objects = { specs = [{ stage = \"BETA\", since = \"1.1\", labels = [\"place\"] }, \
                    { stage = \"ALPHA\", since = \"1.2\", type = \"gauge\", labels = [\"place\"] }], help = \"Own.\", \
                    deprecated = \"1.2\" }\n";
    let after = text(&files);
    assert!(after.ends_with(expected), "{after}");
    assert!(after.contains("\"1.2\" = 2024-09-01"), "{after}");
    evaluate(&after).unwrap();
    updating(&files, &[]).ended(0).says(&["already up to date"]);
    assert_eq!(text(&files), after);
    updating(&files, &["--all"]).ended(0).silent_on(&["the model has"]);
    assert!(text(&files).contains("kept = { specs = [{ stage = \"ALPHA\", since = \"1.0\" }], removed = \"1.2\" }"));
}

#[test]
fn an_update_reports_contradictions_with_the_model_and_keeps_them() {
    for (metrics, words) in [
        (
            "server_requests_total = { specs = [{ stage = \"STABLE\", since = \"1.0\" }, { stage = \"BETA\", since = \"1.2\" }], owner = \"us\" }",
            &["m.toml:", "promoted in 1.2", "not at all"][..],
        ),
        (
            "server_requests_total = { specs = [{ stage = \"STABLE\", since = \"1.0\" }], removed = \"1.2\" }",
            &["m.toml:", "removed in 1.2", "not at all"],
        ),
        (
            "works_server_objects = { specs = [{ stage = \"ALPHA\", since = \"1.0\" }], deprecated = \"1.1\" }",
            &["m.toml:", "is `1.1` in the file", "imported: `1.2`"],
        ),
    ] {
        let model = model_with("\"1.2\" = 2024-09-01\n[metric]\n").replace("\n\n", "\n") + metrics + "\n";
        let files = folder(&[("m.toml", &model), ("list.yaml", LIST)]);
        let before = text(&files);
        let run = updating(&files, &[]);
        run.ended(1).says(words).says(&["imported"]);
        let end = metrics.rsplit(['[', ']']).next().unwrap_or_default();
        assert!(before.contains(end) && text(&files).contains(end), "{}", text(&files));
    }
}

/// A metric in a model: its entries, deprecations and removal.
#[derive(Debug, PartialEq)]
struct Life {
    specs: Vec<(String, String, Option<String>, Vec<String>)>,
    deprecated: Vec<String>,
    removed: Option<String>,
}

fn lives(model: &Model) -> BTreeMap<String, Life> {
    let name = |release| model.calendar.name(release);
    let of = |metric: &lifecycle::model::Metric| {
        let specs = metric.specs.iter().map(|spec| {
            let labels = spec.labels.clone().unwrap_or_default();
            (
                spec.stability.to_string(),
                name(spec.since),
                spec.metric_type.clone(),
                labels,
            )
        });
        let event = |what| {
            model
                .declared(metric.element, what)
                .map(|declared| name(declared.release))
        };
        let life = Life {
            specs: specs.collect(),
            deprecated: event(EventKind::Deprecated).into_iter().collect(),
            removed: event(EventKind::Removed),
        };
        (model.element(metric.element).name().to_owned(), life)
    };
    model.metrics.iter().map(of).collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the data stays outside the tree, and only the environment knows where"
)]
fn collected(path: &str) -> Option<Value> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
        return None;
    };
    let text = std::fs::read_to_string(PathBuf::from(folder).join(path)).expect("the data is there");
    Some(serde_json::from_str(&text).expect("the data is JSON"))
}

/// The list of each release, and the life of each metric in the history.
struct History {
    releases: Vec<ReleaseName>,
    lists: Vec<String>,
    expected: BTreeMap<String, Life>,
}

fn strings(value: &Value) -> Vec<String> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .map(|item| item.as_str().expect("a string").to_owned())
        .collect()
}

fn history() -> Option<History> {
    let data = collected("metrics/history.json")?;
    let releases: Vec<ReleaseName> = strings(&data["releases"]).iter().map(|name| release(name)).collect();
    let mut lists = vec![String::new(); releases.len()];
    let mut expected = BTreeMap::new();
    for (name, metric) in data["metrics"].as_object().expect("metrics") {
        let said = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let mut life = Life {
            specs: Vec::new(),
            deprecated: Vec::new(),
            removed: metric["removedIn"].as_str().map(str::to_owned),
        };
        for entry in metric["history"].as_array().expect("a history") {
            let (from, to) = (release(&said(entry, "from")), release(&said(entry, "to")));
            let (class, written_type) = (said(entry, "stability"), said(entry, "type"));
            let mut labels = strings(&entry["labels"]);
            let mut item = format!("- name: {name}\n  type: {written_type}\n  stabilityLevel: {class}\n");
            let deprecated = said(entry, "deprecatedVersion");
            if !deprecated.is_empty() {
                writeln!(item, "  deprecatedVersion: {deprecated}").expect("memory");
                // One is deprecated in a release before the first that has it.
                let first = release(metric["firstSeen"].as_str().expect("a release"));
                let deprecated = release(&deprecated).max(first).to_string();
                if life.deprecated.is_empty() {
                    life.deprecated.push(deprecated);
                }
            }
            if !labels.is_empty() {
                writeln!(item, "  labels: [{}]", labels.join(", ")).expect("memory");
            }
            labels.sort();
            let metric_type = match written_type.as_str() {
                "TimingHistogram" => Some("histogram".to_owned()),
                "Desc" => None,
                other => Some(other.to_lowercase()),
            };
            let changed = life.specs.last().is_none_or(|(known, _, known_type, known_labels)| {
                // A missing type changes nothing.
                let types = known_type.is_some() && metric_type.is_some() && *known_type != metric_type;
                *known != class || types || *known_labels != labels
            });
            if changed {
                life.specs.push((class, from.to_string(), metric_type, labels));
            } else if let Some((_, _, known_type, _)) = life.specs.last_mut() {
                *known_type = known_type.take().or(metric_type);
            }
            let there = releases
                .iter()
                .zip(&mut lists)
                .filter(|(release, _)| from <= **release && **release <= to);
            there.for_each(|(_, list)| list.push_str(&item));
        }
        expected.insert(name.clone(), life);
    }
    Some(History {
        releases,
        lists,
        expected,
    })
}

fn shipped(history: &History, days: &Value) -> BTreeMap<ReleaseName, MetricsRelease> {
    let pairs = history.releases.iter().zip(&history.lists);
    let shipped = pairs.map(|(name, list)| {
        let date = days["releases"][name.to_string()]["date"]
            .as_str()
            .map(|day| day.parse().expect("a day"));
        let mut shipped = MetricsRelease::default();
        shipped.date = date;
        let found = read(list).expect("a list");
        assert_eq!(found.skipped, []);
        assert_eq!(shipped.add(&found, None), Vec::<String>::new());
        (name.clone(), shipped)
    });
    shipped.collect()
}

#[test]
fn the_history_of_267_metrics_comes_out_as_it_was() {
    let (Some(history), Some(days)) = (history(), collected("kubernetes/releases.json")) else {
        return;
    };
    let releases = shipped(&history, &days);
    let folded = fold(Draft::default(), &releases, false);
    let text = write(&folded.draft);
    let evaluation = evaluate(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    let found = lives(evaluation.model());
    assert_eq!(found.len(), 267);
    for (name, life) in &history.expected {
        assert_eq!(&found[name], life, "{name}\n{:#?}", folded.notices);
    }
    let changes = reported(&folded, Topic::NotInModel);
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!(changes[0].contains("rest_client_request_latency_seconds is deprecated since 1.14"));

    // Release by release it comes to the same.
    let mut by_steps = write(&fold(Draft::default(), &releases.clone().into_iter().take(3).collect(), false).draft);
    for (name, release) in releases.iter().skip(3) {
        let documents = [Document::parse(FileId(0), &by_steps)];
        let mut diagnostics = Diagnostics::default();
        let model = Model::read(&documents, &mut diagnostics).unwrap_or_else(|| panic!("{by_steps}"));
        let one = BTreeMap::from([(name.clone(), release.clone())]);
        let draft = fold(known(&model, name).expect("its releases are numbered"), &one, true).draft;
        let updated = update(&[(&by_steps, &documents[0])], &draft);
        assert!(updated.disagreements.is_empty(), "{name}: {:#?}", updated.disagreements);
        let after = updated.texts.into_iter().next().expect("one text");
        let evaluation = evaluate(&after).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
        assert_eq!(verify(evaluation.model(), &draft, name, name), []);
        by_steps = after;
    }
    let evaluation = evaluate(&by_steps).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    let found = lives(evaluation.model());
    for (name, life) in &history.expected {
        assert_eq!(&found[name], life, "{name}, release by release");
    }
}
