//! The formats for build servers: SARIF, `JUnit` XML and the workflow commands of GitHub Actions.

#![cfg(test)]

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::OnceLock;

use lifecycle::Document;
use lifecycle::diagnostic::{Diagnostic, Known, Severity};
use lifecycle::evaluate::{Load, error_report, page_reports};
use lifecycle::render::formats::REPORT_FORMATS;
use lifecycle::render::{Detail, Findings, Listed, Style};
use lifecycle::report::{DiagnosticReport, EditReport, PageReport, Report};
use lifecycle::{FileId, Location, Region, Sources, Span};
use serde_json::Value;

/// Findings of each severity, one of them with further places.
const MODEL: &str = r#"
calendar.current = "1.4"
[calendar.releases]
"1.0" = 2022-01-01
"1.1" = 2022-05-01
"1.2" = 2022-09-01
"1.3" = 2023-01-01
"1.4" = 2023-05-01
"1.5" = 2023-09-01
[group."g.example".version]
v1beta1 = { introduced = "1.1", deprecated = "1.2", removed = "1.4", replacement = "v1" }
v1beta2 = { introduced = "1.1", deprecated = "1.2", removed = "1.3", replacement = "v1" }
v1 = { introduced = "1.2" }
[cli.tool]
audience = "user"
[cli.tool.flag]
"--ä" = { introduced = "1.0", deprecated = "1.3", warning = "w", replacement = "--b" }
[[exception]]
rule = "version-lifetime:early"
element = "g.example/v1beta1"
reason = "a hole"
approved-by = "the reviewers"
"#;

/// A name that a URI, a property and an attribute each write in another way.
const NAME: &str = "c:models/ä b,100%/a&b.toml";

fn pages() -> Vec<PageReport<'static>> {
    page_reports(None)
}

/// How the formats read reports in these tests.
#[derive(Clone, Copy)]
struct Reading<'a> {
    path: &'a dyn Fn(&str) -> String,
    judged_against: Option<&'a str>,
    stands_in: Option<&'a str>,
    fails: &'a dyn Fn(&DiagnosticReport<'_>) -> bool,
}

/// The default reading: errors fail, and nothing is known.
fn reading() -> Reading<'static> {
    Reading {
        path: &str::to_owned,
        judged_against: None,
        stands_in: None,
        fails: &|finding| finding.severity == Severity::Error,
    }
}

/// The result of a function of a model's report, which may be changed first.
fn reported<T>(text: &str, change: impl FnOnce(&mut Report<'_>), tell: impl FnOnce(&Report<'_>) -> T) -> T {
    let mut sources = Sources::new();
    let file = sources.add(NAME, text);
    let documents = [Document::parse(file, text)];
    let evaluation = Load::new(&documents).evaluate().expect("the model can be read");
    let mut report = evaluation.report(&sources);
    change(&mut report);
    tell(&report)
}

fn unchanged(_: &mut Report<'_>) {}

fn written(format: &str, report: &Report<'_>, reading: Reading<'_>) -> String {
    let findings = Findings {
        report,
        sources: &Sources::new(),
        pages: &pages(),
        detail: Detail::Expanded,
        style: Style {
            width: 120,
            color: false,
        },
        path: reading.path,
        judged_against: reading.judged_against,
        stands_in: reading.stands_in,
        fails: reading.fails,
        listed: Listed::ALL,
    };
    let format = REPORT_FORMATS.iter().find(|known| known.name == format);
    let mut bytes = Vec::new();
    (format.expect("there is such a format").write.findings)(&findings, &mut bytes).expect("a vector takes everything");
    String::from_utf8(bytes).expect("the output is UTF-8")
}

fn as_sarif(report: &Report<'_>, reading: Reading<'_>) -> Value {
    serde_json::from_str(&written("sarif", report, reading)).expect("SARIF is JSON")
}

fn as_junit(report: &Report<'_>, reading: Reading<'_>) -> String {
    written("junit", report, reading)
}

fn as_commands(report: &Report<'_>, reading: Reading<'_>) -> String {
    written("github", report, reading)
}

/// Marks a finding as known.
fn known(at: usize, by: Known) -> impl FnOnce(&mut Report<'_>) {
    move |report| report.diagnostics[at].known = Some(by)
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .output()
        .expect("cargo runs");
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {problem}");
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// The official schema of SARIF 2.1.0, from a package that carries it.
#[expect(
    clippy::disallowed_methods,
    reason = "the schema is in a package this one depends on for tests"
)]
fn schema() -> &'static jsonschema::Validator {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let version = cargo(&["-vV"]);
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        // Packages that only other platforms need may never have been fetched.
        let platform = host.expect("cargo names its host");
        let metadata = cargo(&[
            "metadata",
            "--offline",
            "--locked",
            "--format-version=1",
            "--filter-platform",
            platform,
        ]);
        let metadata: Value = serde_json::from_str(&metadata).expect("metadata is JSON");
        let packages = metadata["packages"].as_array().expect("packages are a list");
        let package = packages.iter().find(|package| package["name"] == "serde-sarif");
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let folder = std::path::Path::new(manifest.expect("the package is among them")).parent();
        let path = folder.expect("a manifest is in a folder").join("src/schema.json");
        let text = std::fs::read_to_string(path).expect("the schema can be read");
        // One pattern has a bracket that not every reader of patterns takes for itself; escaped, it means the same.
        let text = text.replace("{2}]?$", "{2}\\\\]?$");
        let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
        assert_eq!(schema["properties"]["version"]["enum"][0], "2.1.0");
        jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .expect("the schema is one")
    })
}

fn problems(sarif: &Value) -> Vec<String> {
    let problem = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
    schema().iter_errors(sarif).map(problem).collect()
}

/// The results of a SARIF file that follows the schema.
fn results(sarif: &Value) -> &Vec<Value> {
    let found = problems(sarif);
    assert!(found.is_empty(), "{}", found.join("\n"));
    sarif["runs"][0]["results"].as_array().expect("results are a list")
}

fn edit(file: &str, line: u32, text: &str) -> EditReport {
    EditReport {
        region: Region {
            span: Span {
                file: FileId(0),
                start: 0,
                end: 0,
            },
            file: file.to_owned(),
            start: Location { line, column: 3 },
            end: Location { line, column: 8 },
        },
        text: text.to_owned(),
    }
}

#[test]
fn the_model_of_these_tests_has_findings_of_every_severity() {
    let severities: BTreeSet<Severity> = reported(MODEL, unchanged, |report| {
        assert!(report.diagnostics.iter().any(|finding| finding.labels.len() > 1));
        report.diagnostics.iter().map(|finding| finding.severity).collect()
    });
    assert_eq!(
        severities,
        BTreeSet::from([Severity::Note, Severity::Warning, Severity::Error])
    );
}

#[test]
fn sarif_follows_the_official_schema_and_has_every_finding() {
    reported(MODEL, unchanged, |report| {
        let sarif = as_sarif(report, reading());
        let results = results(&sarif);
        assert_eq!(results.len(), report.diagnostics.len());
        for (result, finding) in results.iter().zip(&report.diagnostics) {
            assert_eq!(result["ruleId"], finding.rule);
            assert_eq!(result["level"], finding.severity.as_str());
            assert_eq!(
                result["partialFingerprints"]["lifecycleFinding/v1"],
                finding.fingerprint.as_str()
            );
            assert_eq!(result["properties"]["code"], finding.code.as_str());
            let text = result["message"]["text"].as_str().expect("a message has a text");
            assert!(text.starts_with(&finding.message) && text.ends_with(finding.help.as_deref().unwrap_or("")));
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["region"]["startLine"], finding.labels[0].region.start.line);
            assert_eq!(place["region"]["endColumn"], finding.labels[0].region.end.column);
            let related = result["relatedLocations"].as_array().map_or(0, Vec::len);
            assert_eq!(related, finding.labels.len() - 1);
            assert!(result.get("baselineState").is_none() && result.get("suppressions").is_none());
        }
        assert_eq!(sarif["runs"][0]["columnKind"], "unicodeCodePoints");
        assert_eq!(sarif["runs"][0]["tool"]["driver"]["version"], env!("CARGO_PKG_VERSION"));
    });
}

#[test]
fn the_schema_refuses_sarif_that_is_broken() {
    let sarif = reported(MODEL, unchanged, |report| as_sarif(report, reading()));
    let breaks: [(&str, Value); 5] = [
        ("/runs/0/results/0/level", "fatal".into()),
        ("/runs/0/results/0/message", Value::Null),
        (
            "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
            0.into(),
        ),
        (
            "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri",
            "a b%".into(),
        ),
        ("/version", "2.0.0".into()),
    ];
    for (place, value) in breaks {
        let mut broken = sarif.clone();
        *broken.pointer_mut(place).expect("the place is there") = value;
        assert!(!problems(&broken).is_empty(), "{place}");
    }
}

#[test]
fn each_rule_index_points_at_the_rule_with_that_id() {
    let sarif = reported(MODEL, unchanged, |report| as_sarif(report, reading()));
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let listed: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    let given: Vec<&str> = pages().iter().map(|page| page.slug).collect();
    assert_eq!(listed, given);
    let names: Vec<&str> = rules.iter().map(|rule| rule["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"AdminCliLifetime"), "{names:?}");
    for result in results(&sarif) {
        let index = result["ruleIndex"].as_u64().expect("each rule has a page");
        assert_eq!(rules[usize::try_from(index).unwrap()]["id"], result["ruleId"]);
    }
}

#[test]
fn fingerprints_do_not_change_when_blank_lines_are_put_at_the_top() {
    let seen = |text: &str| -> Vec<(Value, Value)> {
        let sarif = reported(text, unchanged, |report| as_sarif(report, reading()));
        let place = "/locations/0/physicalLocation/region/startLine";
        results(&sarif)
            .iter()
            .map(|result| {
                (
                    result["partialFingerprints"].clone(),
                    result.pointer(place).unwrap().clone(),
                )
            })
            .collect()
    };
    let (here, shifted) = (seen(MODEL), seen(&format!("\n\n\n{MODEL}")));
    assert_eq!(here.len(), shifted.len());
    for ((fingerprint, line), (shifted_fingerprint, shifted_line)) in here.iter().zip(&shifted) {
        assert_eq!(fingerprint, shifted_fingerprint);
        assert_ne!(line, shifted_line);
    }
    let distinct: BTreeSet<String> = here.iter().map(|(fingerprint, _)| fingerprint.to_string()).collect();
    assert_eq!(distinct.len(), here.len());
}

#[test]
fn a_path_in_sarif_is_a_uri_below_the_root_of_the_repository() {
    reported(MODEL, unchanged, |report| {
        let place = |path: &dyn Fn(&str) -> String| {
            let sarif = as_sarif(report, Reading { path, ..reading() });
            results(&sarif)[0]["locations"][0]["physicalLocation"]["artifactLocation"].clone()
        };
        let below = place(&|name| format!("sub/{name}"));
        assert_eq!(below["uri"], "sub/c%3Amodels/%C3%A4%20b,100%25/a&b.toml");
        assert_eq!(below["uriBaseId"], "%SRCROOT%");
        let absolute = place(&|_| "/else where/m.toml".to_owned());
        assert_eq!(absolute["uri"], "file:///else%20where/m.toml");
        assert!(absolute.get("uriBaseId").is_none());
    });
}

#[test]
fn columns_in_sarif_count_characters() {
    let line = MODEL
        .lines()
        .find(|line| line.contains("--ä"))
        .expect("the model has it");
    let (before, _) = line.split_once("\"--b\"").expect("the line has it");
    let column = before.chars().count() + 1;
    assert_eq!(column, before.len(), "one character before it has two bytes");
    reported(MODEL, unchanged, |report| {
        let sarif = as_sarif(report, reading());
        let mut results = results(&sarif).iter();
        let unknown = results.find(|result| result["properties"]["code"] == "unknown-reference");
        let region = &unknown.expect("nothing has that name")["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startColumn"], column);
        assert_eq!(region["endColumn"], column + 5);
    });
}

#[test]
fn known_findings_are_unchanged_and_those_in_a_baseline_are_suppressed() {
    let change = |report: &mut Report<'_>| {
        known(0, Known::Baseline)(report);
        known(1, Known::Base)(report);
    };
    reported(MODEL, change, |report| {
        let compared = Reading {
            judged_against: Some("main"),
            ..reading()
        };
        let sarif = as_sarif(report, compared);
        let results = results(&sarif);
        let states: Vec<&str> = results
            .iter()
            .map(|result| result["baselineState"].as_str().unwrap())
            .collect();
        assert_eq!(states[..3], ["unchanged", "unchanged", "new"]);
        let suppressions = |at: usize| results[at]["suppressions"].as_array().unwrap();
        assert_eq!(suppressions(0)[0]["kind"], "external");
        assert!(suppressions(1).is_empty() && suppressions(2).is_empty());
        assert_eq!(sarif["runs"][0]["properties"]["judgedAgainst"], "main");
    });
}

#[test]
fn the_edits_of_a_fix_are_gathered_by_file() {
    let change = |report: &mut Report<'_>| {
        report.diagnostics[0].fix = vec![edit("a.toml", 2, "x"), edit("b c.toml", 3, "y"), edit("a.toml", 4, "")];
    };
    reported(MODEL, change, |report| {
        let sarif = as_sarif(report, reading());
        let fixes = results(&sarif)[0]["fixes"].as_array().unwrap();
        let changes = fixes[0]["artifactChanges"].as_array().unwrap();
        assert_eq!((fixes.len(), changes.len()), (1, 2));
        assert_eq!(changes[0]["replacements"].as_array().unwrap().len(), 2);
        assert_eq!(changes[0]["replacements"][1]["deletedRegion"]["startLine"], 4);
        assert_eq!(changes[1]["artifactLocation"]["uri"], "b%20c.toml");
        assert_eq!(changes[1]["replacements"][0]["insertedContent"]["text"], "y");
    });
}

#[test]
fn a_finding_without_a_place_is_a_result_without_one_or_at_the_given_file() {
    let errors = [Diagnostic::error("model", "unknown-release", "--as-of: \u{7}?").help("ask")];
    let report = error_report(&errors, &Sources::new());
    let sarif = as_sarif(&report, reading());
    assert!(results(&sarif)[0].get("locations").is_none());
    let stands_in = Reading {
        stands_in: Some("main.toml"),
        ..reading()
    };
    let sarif = as_sarif(&report, stands_in);
    let place = &results(&sarif)[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "main.toml");
    assert_eq!(
        as_commands(&report, reading()),
        "::error title=lifecycle%3A model (unknown-release)::--as-of: \\u{7}?%0Ahelp: ask\n"
    );
}

/// A finding as often as wanted, each a little different.
fn many(count: usize, errors: usize) -> Vec<Diagnostic> {
    let one = |at: usize| {
        let severity = if at + errors >= count { "error" } else { "note" };
        let finding = Diagnostic::error("model", "many", format!("finding {at}")).about(format!("element {at}"));
        finding.severity(severity.parse::<Severity>().unwrap())
    };
    (0..count).map(one).collect()
}

#[test]
fn of_too_many_results_the_most_severe_are_listed_and_the_cut_is_reported() {
    let errors = many(25_003, 2);
    let sarif = as_sarif(&error_report(&errors, &Sources::new()), reading());
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 25_000);
    assert_eq!(results[0]["message"]["text"], "finding 25001");
    assert_eq!(results[2]["message"]["text"], "finding 0");
    let reported = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(reported, "Only the 25000 most severe of 25003 findings are listed.");
    let mut few = sarif.clone();
    few["runs"][0]["results"].as_array_mut().unwrap().truncate(3);
    assert_eq!(problems(&few), Vec::<String>::new());
    let whole = as_sarif(&error_report(&errors[..25_000], &Sources::new()), reading());
    assert!(whole["runs"][0].get("invocations").is_none());
    assert_eq!(whole["runs"][0]["results"][0]["message"]["text"], "finding 0");
}

#[test]
fn of_too_many_locations_the_first_are_listed_and_the_cut_is_reported() {
    let change = |report: &mut Report<'_>| {
        let own = report.diagnostics[0].labels[0].clone();
        report.diagnostics[0].labels = vec![own; 1_001];
    };
    reported(MODEL, change, |report| {
        let sarif = as_sarif(report, reading());
        let related = results(&sarif)[0]["relatedLocations"].as_array().unwrap();
        assert_eq!(related.len(), 999);
        let reported = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(reported, "Only the first 1000 locations of a finding are listed.");
    });
}

/// The tests of a `JUnit` document, as it reads to a strict parser: suite, name, and the elements in each.
fn tests(xml: &str) -> Vec<(String, String, Vec<String>)> {
    let document = roxmltree::Document::parse(xml).expect("the document is well-formed");
    let mut tests = Vec::new();
    for case in document.descendants().filter(|node| node.has_tag_name("testcase")) {
        let suite = case.parent().and_then(|suite| suite.attribute("name")).unwrap();
        assert_eq!(case.attribute("classname"), Some(suite));
        let inside = case.children().filter(roxmltree::Node::is_element);
        let inside = inside.map(|node| node.tag_name().name().to_owned()).collect();
        tests.push((suite.to_owned(), case.attribute("name").unwrap().to_owned(), inside));
    }
    tests
}

#[test]
fn junit_counts_failed_known_and_passed_findings() {
    reported(MODEL, known(0, Known::Base), |report| {
        let xml = as_junit(report, reading());
        let errors = report
            .diagnostics
            .iter()
            .skip(1)
            .filter(|finding| finding.severity == Severity::Error);
        let errors = errors.count();
        let parsed = quick_junit::Report::deserialize_from_str(&xml).expect("the document reads back");
        let rules: BTreeSet<&str> = report.diagnostics.iter().map(|finding| finding.rule).collect();
        let silent = pages().len() - rules.len();
        assert!(errors > 0 && silent > 0);
        assert_eq!(parsed.failures, errors);
        assert_eq!(parsed.skipped, 1);
        assert_eq!(parsed.errors, 0);
        assert_eq!(parsed.tests, report.diagnostics.len() + silent);
        assert_eq!(parsed.test_suites.len(), pages().len());
        let tests = tests(&xml);
        let with = |inside: &str| tests.iter().filter(|test| test.2 == [inside]).count();
        assert_eq!((with("failure"), with("skipped")), (errors, 1));
        assert_eq!(with("system-out"), report.diagnostics.len() - errors - 1);
        let clean = tests
            .iter()
            .filter(|(_, name, inside)| name == "no findings" && inside.is_empty());
        assert_eq!(clean.count(), silent);
        for (suite, count) in parsed.test_suites.iter().map(|suite| (suite, suite.test_cases.len())) {
            assert_eq!(suite.tests, count, "{}", suite.name.as_str());
        }
    });
}

#[test]
fn junit_has_the_name_file_and_reasons_of_each_test() {
    reported(MODEL, unchanged, |report| {
        let xml = as_junit(report, reading());
        let tests = tests(&xml);
        let names: BTreeSet<_> = tests.iter().map(|(suite, name, _)| (suite, name)).collect();
        assert_eq!(names.len(), tests.len());
        let document = roxmltree::Document::parse(&xml).unwrap();
        let failure = document
            .descendants()
            .find(|node| node.has_tag_name("failure"))
            .unwrap();
        let finding = report
            .diagnostics
            .iter()
            .find(|finding| finding.severity == Severity::Error)
            .unwrap();
        let case = failure.parent().unwrap();
        let name = format!("{}: {}", finding.element.as_deref().unwrap(), finding.code);
        assert_eq!(case.attribute("name"), Some(name.as_str()));
        assert_eq!(case.attribute("file"), Some(NAME));
        assert_eq!(case.attribute("line"), Some(finding.line.unwrap().to_string().as_str()));
        assert_eq!(failure.attribute("type"), Some(finding.code.as_str()));
        assert_eq!(failure.attribute("message"), Some(finding.message.as_str()));
        let text = failure.text().unwrap();
        assert!(
            text.starts_with(&format!("{NAME}:{}:", finding.line.unwrap())),
            "{text}"
        );
        assert!(text.contains(&finding.because[0].text), "{text}");
        assert!(
            text.ends_with(&format!("help: {}", finding.help.as_deref().unwrap())),
            "{text}"
        );
    });
}

#[test]
fn what_fails_the_run_fails_in_junit_whatever_its_severity() {
    reported(MODEL, unchanged, |report| {
        let all = Reading {
            fails: &|_| true,
            ..reading()
        };
        let parsed = quick_junit::Report::deserialize_from_str(&as_junit(report, all)).unwrap();
        assert_eq!(parsed.failures, report.diagnostics.len());
    });
}

#[test]
fn characters_that_xml_forbids_do_not_break_junit() {
    let text = "]]> <a b=\"c\"> & \u{0}\u{8}\u{1b}[31mred\u{9b}m \u{fffe}\u{ffff}\ttab\r\nnext ü😀";
    let errors = [
        Diagnostic::error("model", "odd", text).about(text).help(text),
        Diagnostic::error("model", "odd", text).about(text),
        Diagnostic::error("model", "odd", text).severity(Severity::Note),
        Diagnostic::error("unheard-of", "odd", text),
    ];
    let report = error_report(&errors, &Sources::new());
    let xml = as_junit(&report, reading());
    let shown = "]]> <a b=\"c\"> & \\u{0}\\u{8}\\u{1b}[31mred\\u{9b}m \u{fffd}\u{fffd}\\ttab\\r\\nnext ü😀";
    let tests: Vec<_> = tests(&xml)
        .into_iter()
        .filter(|(_, name, _)| name != "no findings")
        .collect();
    let names: Vec<&str> = tests.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            format!("{shown}: odd"),
            format!("{shown}: odd (2)"),
            format!("odd: {shown}"),
            format!("odd: {shown}")
        ]
    );
    assert_eq!(tests[3].0, "unheard-of");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let failure = document
        .descendants()
        .find(|node| node.has_tag_name("failure"))
        .unwrap();
    assert_eq!(failure.text(), Some(format!("{shown}\nhelp: {shown}").as_str()));
}

#[test]
fn the_same_findings_are_written_in_the_same_bytes() {
    let all = || {
        reported(MODEL, known(2, Known::Baseline), |report| {
            let sarif = written("sarif", report, reading());
            [sarif, as_junit(report, reading()), as_commands(report, reading())]
        })
    };
    assert_eq!(all(), all());
}

/// The kinds of the commands and their lines.
fn commands(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .map(|line| {
            line.strip_prefix("::")
                .and_then(|line| line.split_once(' '))
                .expect("a command")
        })
        .collect()
}

#[test]
fn workflow_commands_are_sorted_by_severity_with_known_findings_last() {
    reported(MODEL, unchanged, |report| {
        let text = as_commands(report, reading());
        let kinds: Vec<&str> = commands(&text).iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds.len(), report.diagnostics.len());
        let order = ["error", "warning", "notice"];
        assert!(kinds.is_sorted_by_key(|kind| order.iter().position(|known| known == kind)));
        assert_eq!(kinds.iter().collect::<BTreeSet<_>>().len(), 3);
    });
    let first_error = reported(MODEL, unchanged, |report| {
        report
            .diagnostics
            .iter()
            .position(|finding| finding.severity == Severity::Error)
    });
    reported(MODEL, known(first_error.unwrap(), Known::Base), |report| {
        let text = as_commands(report, reading());
        let (kind, rest) = *commands(&text).last().unwrap();
        assert_eq!(kind, "notice");
        assert!(rest.contains(")%2C known::"), "{rest}");
    });
}

#[test]
fn workflow_commands_escape_what_would_end_them() {
    let change = |report: &mut Report<'_>| {
        report.diagnostics.retain(|finding| finding.severity == Severity::Error);
        report.diagnostics.truncate(1);
        let finding: &mut DiagnosticReport<'_> = &mut report.diagnostics[0];
        finding.message = "50%, a::b\r\n::error::x\u{1b}[0m".to_owned();
        finding.because.truncate(1);
        finding.because[0].text = "why".to_owned();
        finding.because[0].number = Some("7".into());
        finding.help = Some("help".to_owned());
    };
    reported(MODEL, change, |report| {
        let place = &report.diagnostics[0].labels[0].region;
        let (line, column, end) = (place.start.line, place.start.column, place.end.column);
        assert_eq!(
            as_commands(report, reading()),
            format!(
                "::error file=c%3Amodels/ä b%2C100%25/a&b.toml,line={line},endLine={line},col={column},endColumn={end},\
                 title=lifecycle%3A version-lifetime (early)::50%25, a::b\\r\\n::error::x\\u{{1b}}[0m%0A\
                 note: #7: why%0Ahelp: help\n"
            )
        );
    });
}

#[test]
fn workflow_commands_give_columns_for_places_on_one_line_only() {
    let change = |report: &mut Report<'_>| report.diagnostics[0].labels[0].region.end.line += 2;
    reported(MODEL, change, |report| {
        let text = as_commands(report, reading());
        let without = text.lines().filter(|line| !line.contains(",col=")).count();
        assert_eq!(without, 1);
        assert_eq!(text.matches(",endColumn=").count(), report.diagnostics.len() - 1);
    });
}
