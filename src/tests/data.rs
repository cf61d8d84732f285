//! Against the real world: what Kubernetes did and what its own tests expect, from the folder that `LIFECYCLE_DATA`
//! names. Where it names none, each of these tests says that it is skipped.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

mod field_changes;
mod kubernetes_example;
mod removed_names;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::compare::{Claims, compare as hold_against, of_product};
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::Evaluation;
use lifecycle::import::deprecation_lists::Tool;
use lifecycle::model::succession::{in_kind, named};
use lifecycle::model::{ElementId, EventKind, Model};
use lifecycle::release::{Binding, Bound, Calendar, Listed, ReleaseName, Window};
use lifecycle::report::{ComparedFact, DecidedBy, ElementReport, Moment, ReasonCode, Report};
use serde_json::Value;

use crate::tests::support::{evaluate, evaluate_under, findings};

/// The newest release the facts were collected at.
const KNOWN: u32 = 31;

/// The edition that Kubernetes lived under until 1.19, and the one that followed.
const EDITIONS: &str = r#"policy = [{ use = "kubernetes-2019" }, { use = "kubernetes", from = "1.19" }]"#;

struct Data(PathBuf);

impl Data {
    /// The folder; `None`, and said so, where there is none.
    #[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
    fn find() -> Option<Self> {
        let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
        if folder.is_none() {
            eprintln!("skipped: LIFECYCLE_DATA names no folder");
        }
        folder.map(|folder| Self(PathBuf::from(folder)))
    }

    #[expect(clippy::disallowed_methods, reason = "the data stays outside the tree")]
    fn text(&self, path: &str) -> String {
        let path = self.0.join(Path::new(path));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).expect("the data is JSON")
    }

    /// Releases and their dates, oldest first; the planned ones too.
    fn releases(&self) -> Vec<(String, String)> {
        let facts = self.json("kubernetes/releases.json");
        let mut releases: Vec<(String, String)> = ["releases", "planned"]
            .iter()
            .flat_map(|part| facts[part].as_object().expect("releases by name"))
            .map(|(name, fact)| (name.clone(), word(&fact["date"]).to_owned()))
            .collect();
        releases.sort_by_key(|(name, _)| minor(name));
        releases
    }

    /// All releases with their dates as a calendar, `line` before them.
    fn calendar(&self, line: &str) -> String {
        calendar(line, &self.releases())
    }

    /// The releases up to the newest known, `line` before them, and `unscheduled` more after them.
    fn known_calendar(&self, line: &str, unscheduled: u32) -> String {
        let mut releases = self.releases();
        releases.retain(|(name, _)| minor(name) <= KNOWN);
        let line = format!("current = \"1.{KNOWN}\"\n{line}");
        let mut text = calendar(&line, &releases);
        for ahead in 1..=unscheduled {
            let _ = writeln!(text, "\"1.{}\" = \"unscheduled\"", KNOWN + ahead);
        }
        text
    }
}

fn calendar(line: &str, releases: &[(String, String)]) -> String {
    let mut text = format!("[calendar]\n{line}\n[calendar.releases]\n");
    for (name, day) in releases {
        let _ = writeln!(text, "\"{name}\" = {day}");
    }
    text
}

fn word(value: &Value) -> &str {
    value.as_str().expect("a word")
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().expect("a list")
}

/// The number of a release of Kubernetes, whose major has always been 1.
fn minor(name: &str) -> u32 {
    let name = &counted_on(name);
    let number = name.strip_prefix("1.").expect("a release 1.x");
    number.parse().expect("a number")
}

/// A table whose first line names the columns.
fn rows(text: &str, separator: char) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a head").split(separator).collect();
    lines
        .map(|line| columns.iter().copied().zip(line.split(separator)).collect())
        .collect()
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn evaluated(model: &str) -> Evaluation {
    evaluate(model).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn by_id<'r>(report: &'r Report<'_>) -> BTreeMap<&'r str, ElementReport<'r>> {
    report.elements.iter().map(|element| (element.id, element)).collect()
}

fn release(moment: Option<Moment<'_>>) -> Option<&str> {
    moment.map(|moment| moment.release)
}

/// The elements that a finding is about.
fn reported(findings: &[Diagnostic], rule: &str, code: &str) -> BTreeSet<String> {
    let reported = findings.iter().filter(|found| found.rule == rule && found.code == code);
    reported.filter_map(|found| found.element.clone()).collect()
}

/// Findings in a line each.
fn brief(model: &str) -> String {
    let line = |found: &Diagnostic| format!("\n  {} {} {}", found.severity, found.code, found.message);
    findings(model).iter().map(line).collect()
}

/// What is wrong between what was found and what should be, all of it at once.
fn agree(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} disagree:\n{}", wrong.len(), wrong.join("\n"));
}

/// Kinds in versions of groups, each with its own life.
#[derive(Default)]
struct Surface(BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>);

impl Surface {
    fn add(&mut self, group: &str, version: &str, kind: &str, entry: String) {
        let group = self.0.entry(group_name(group).to_owned()).or_default();
        let kind = group.entry(kind.to_owned()).or_default();
        kind.insert(version.to_owned(), entry);
    }

    fn toml(&self) -> String {
        let mut text = String::new();
        for (group, kinds) in &self.0 {
            let _ = writeln!(text, "[group.\"{group}\".version]");
            let versions: BTreeSet<&String> = kinds.values().flat_map(BTreeMap::keys).collect();
            for version in versions {
                let _ = writeln!(text, "{version} = {{}}");
            }
            for (kind, lives) in kinds {
                let _ = writeln!(text, "[group.\"{group}\".kind.{kind}]\nversions = []");
                let _ = writeln!(text, "[group.\"{group}\".kind.{kind}.version]");
                for (version, entry) in lives {
                    let _ = writeln!(text, "{version} = {{ {entry} }}");
                }
            }
        }
        text
    }
}

fn group_name(group: &str) -> &str {
    if group.is_empty() { "core" } else { group }
}

/// Declarations of an entry, without those that are unknown.
fn entry(declared: &[(&str, Option<&str>)]) -> String {
    let said = declared.iter().filter_map(|(key, value)| Some((key, (*value)?)));
    let said: Vec<String> = said.map(|(key, value)| format!("{key} = \"{value}\"")).collect();
    said.join(", ")
}

type Row<'t> = BTreeMap<&'t str, &'t str>;

fn replayed(rows: &[Row<'_>]) -> String {
    let mut surface = Surface::default();
    for row in rows {
        let removed = Some(row["removed"]).filter(|removed| minor(removed) <= KNOWN);
        let life = entry(&[
            ("introduced", Some(row["introduced"])),
            ("deprecated", Some(row["deprecated"])),
            ("removed", removed),
        ]);
        surface.add(row["group"], row["version"], row["kind"], life);
    }
    surface.toml()
}

fn id(row: &Row<'_>) -> String {
    format!("{}/{} {}", group_name(row["group"]), row["version"], row["kind"])
}

/// Compares the bounds of each row with the file's; where that ends, `past` says whether the answer is right.
fn compare(model: &str, rows: &[Row<'_>], latest: &str, past: fn(&Row<'_>, &Moment<'_>) -> bool) {
    let evaluation = evaluated(model);
    let report = evaluation.report(&Sources::new());
    let elements = by_id(&report);
    let mut wrong = Vec::new();
    for row in rows {
        let element = &elements[id(row).as_str()];
        if release(element.latest_deprecation) != Some(row[latest]) {
            wrong.push(format!(
                "{}: {:?}, not {}",
                id(row),
                element.latest_deprecation,
                row[latest]
            ));
        }
        let earliest = element.earliest_removal.expect("a beta may go some time");
        let right = match filled(row["earliest_removal"]) {
            Some(known) => earliest.release == known && earliest.date_kind == "actual" && !earliest.at_least,
            None => past(row, &earliest),
        };
        if !right {
            wrong.push(format!("{}: {earliest:?}, not {}", id(row), row["earliest_removal"]));
        }
    }
    agree(&wrong);
}

/// Three releases after the deprecation, or later.
fn counted(row: &Row<'_>, moment: &Moment<'_>) -> bool {
    minor(moment.release) >= minor(row["deprecated"]) + 3
}

#[test]
fn the_bounds_of_64_betas_are_those_of_the_replay_and_projected_past_the_last_release() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy_replay.tsv");
    let rows = rows(&text, '\t');
    assert_eq!(rows.len(), 64);
    let calendar = data.known_calendar("cadence = { months = 4 }", 0);
    let model = format!("{calendar}{}", replayed(&rows));
    compare(&model, &rows, "latest_deprecation", |row, moment| {
        counted(row, moment) && moment.date_kind == "projected" && moment.date.is_some() && !moment.at_least
    });
}

#[test]
fn the_bounds_of_64_betas_stay_open_where_later_releases_have_no_date() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy_replay.tsv");
    let rows = rows(&text, '\t');
    let model = format!("{}{}", data.known_calendar("", 6), replayed(&rows));
    compare(&model, &rows, "latest_deprecation", |row, moment| {
        counted(row, moment) && moment.date.is_none() && moment.at_least
    });
}

#[test]
fn the_clock_of_older_betas_starts_when_the_edition_does() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy_replay.tsv");
    let rows = rows(&text, '\t');
    let column = "latest_deprecation_with_KEP1635_start_at_1.19";
    // A kind that was gone by 1.19 never came under the limit.
    let (bound, free): (Vec<Row<'_>>, Vec<Row<'_>>) = rows.into_iter().partition(|row| minor(row["removed"]) > 19);
    assert_eq!((bound.len(), free.len()), (46, 18));
    let calendar = data.known_calendar("cadence = { months = 4 }", 0);
    let of = |rows: &[Row<'_>]| format!("{EDITIONS}\n{calendar}{}", replayed(rows));
    compare(&of(&bound), &bound, column, counted);
    let evaluation = evaluated(&of(&free));
    let report = evaluation.report(&Sources::new());
    let elements = by_id(&report);
    for row in &free {
        let element = &elements[id(row).as_str()];
        assert_eq!(element.latest_deprecation, None, "{}", id(row));
        assert_eq!(
            release(element.earliest_removal),
            filled(row["earliest_removal"]),
            "{}",
            id(row)
        );
    }
}

fn chosen(rows: &[Row<'_>], of: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    rows.iter().filter(|row| of(row)).map(id).collect()
}

#[test]
fn check_finds_of_64_betas_those_that_the_replay_finds_late() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy_replay.tsv");
    let rows = rows(&text, '\t');
    let in_time = chosen(&rows, |row| row["deprecation"] == "in time");
    let too_late = chosen(&rows, |row| row["deprecation"] == "too late");
    let late_by_the_text = chosen(&rows, |row| row["deprecation"] != "in time");
    assert_eq!((in_time.len(), too_late.len(), late_by_the_text.len()), (28, 2, 36));
    let served_longer = chosen(&rows, |row| row["removal"].starts_with("later than the bound"));
    assert_eq!(served_longer.len(), 31);

    let calendar = data.known_calendar("cadence = { months = 4 }", 0);
    let model = format!("{calendar}{}", replayed(&rows));
    let by_the_text = findings(&model);
    let rule = "version-lifetime";
    assert_eq!(reported(&by_the_text, rule, "not-deprecated-in-time"), late_by_the_text);
    assert_eq!(reported(&by_the_text, rule, "overdue"), served_longer);
    assert_eq!(reported(&by_the_text, rule, "early"), BTreeSet::new());

    let by_editions = findings(&format!("{EDITIONS}\n{model}"));
    assert_eq!(reported(&by_editions, rule, "not-deprecated-in-time"), too_late);
    // What was deprecated before 1.19 had only a lower bound.
    let bound = chosen(&rows, |row| minor(row["deprecated"]) >= 19);
    let overdue: BTreeSet<String> = served_longer.intersection(&bound).cloned().collect();
    assert_eq!(overdue.len(), 4);
    assert_eq!(reported(&by_editions, rule, "overdue"), overdue);
    assert_eq!(reported(&by_editions, rule, "early"), BTreeSet::new());
}

#[test]
fn of_64_betas_24_went_exactly_on_their_bound_and_one_release_sooner_is_early() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy_replay.tsv");
    let mut rows = rows(&text, '\t');
    rows.retain(|row| row["removal"] == "exactly on the bound");
    assert_eq!(rows.len(), 24);
    let sooner: Vec<String> = rows
        .iter()
        .map(|row| format!("1.{}", minor(row["removed"]) - 1))
        .collect();
    let calendar = data.known_calendar("", 0);
    let found = |rows: &[Row<'_>]| findings(&format!("{calendar}{}", replayed(rows)));
    let rule = "version-lifetime";
    assert_eq!(reported(&found(&rows), rule, "early"), BTreeSet::new());
    assert_eq!(reported(&found(&rows), rule, "overdue"), BTreeSet::new());
    for (row, removed) in rows.iter_mut().zip(&sooner) {
        row.insert("removed", removed);
    }
    assert_eq!(reported(&found(&rows), rule, "early"), chosen(&rows, |_| true));
}

fn real_calendar(data: &Data) -> Calendar {
    let listed = data.releases().into_iter().map(|(name, day)| Listed {
        name: ReleaseName::parse(&name).expect("the name of a release"),
        date: Some(day.parse().expect("a day")),
    });
    Calendar::numbered(listed.collect(), None).expect("the releases are in order")
}

/// Compares a bound with the release that the file gives; null is a bound the known dates do not reach.
/// The name that a release would get if minor numbers count on: "2 releases after 1.37" is 1.39.
fn counted_on(name: &str) -> String {
    let Some((ahead, last)) = name.split_once(" after 1.") else {
        return name.to_owned();
    };
    let ahead = ahead.split_once(' ').expect("a count").0;
    let [ahead, last]: [u64; 2] = [ahead, last].map(|number| number.parse().expect("a number"));
    format!("1.{}", last + ahead)
}

fn compare_bound(calendar: &Calendar, fact: &Value, column: &str, bound: Bound, wrong: &mut Vec<String>) {
    let found = (!bound.open).then(|| counted_on(&calendar.name(bound.release)));
    if found.as_deref() != fact[column].as_str() {
        wrong.push(format!(
            "{column} after {}: {found:?}, not {}",
            fact["date"], fact[column]
        ));
    }
}

#[test]
fn both_bounds_of_every_release_are_those_of_the_windows() {
    let Some(data) = Data::find() else { return };
    let calendar = real_calendar(&data);
    let facts = data.json("kubernetes/windows.json");
    let facts = facts["windows"].as_object().expect("windows by release");
    assert_eq!(facts.len(), 37);
    let mut wrong = Vec::new();
    for (name, fact) in facts {
        let from = calendar.find(name).expect("a release of the calendar");
        let earliest = |months, releases| calendar.earliest(from, Window::new(months, releases));
        let latest = calendar.latest(from, Window::new(9, 3));
        for (column, bound) in [
            ("beta_earliest_removal_if_deprecated_here", earliest(9, 3)),
            ("beta_earliest_removal_counting_releases_only", earliest(0, 3)),
            ("old_GA_rule_12mo_or_3_releases", earliest(12, 3)),
            ("first_release_at_or_after_9_months", earliest(9, 0)),
            ("first_release_at_or_after_12_months", earliest(12, 0)),
        ] {
            compare_bound(&calendar, fact, column, bound, &mut wrong);
        }
        // Past the last date the file answers by the count, and says that the months may allow more.
        let column = "beta_latest_deprecation_if_introduced_here";
        let bound = Bound { open: false, ..latest };
        compare_bound(&calendar, fact, column, bound, &mut wrong);
        let decided = [
            ("beta_earliest_removal_decided_by", earliest(9, 3)),
            ("beta_latest_deprecation_decided_by", latest),
        ];
        for (column, bound) in decided {
            if !decides(bound, word(&fact[column])) {
                wrong.push(format!("{name}: {column} by {:?}, not {}", bound.binding, fact[column]));
            }
        }
    }
    agree(&wrong);
}

/// Whether the file says of a bound, too, what decides it.
fn decides(bound: Bound, said: &str) -> bool {
    match (bound.open, bound.binding) {
        (true, _) => said.contains("unknown") || said.contains("not evaluable"),
        (false, Binding::Months) => said == "months",
        (false, Binding::Releases) => said == "releases",
        (false, other) => unreachable!("no window of Kubernetes counts {}", other.as_str()),
    }
}

#[test]
fn the_last_release_within_a_window_is_that_of_the_windows() {
    let Some(data) = Data::find() else { return };
    let calendar = real_calendar(&data);
    let facts = data.json("kubernetes/windows.json");
    let facts = facts["windows"].as_object().expect("windows by release");
    let mut wrong = Vec::new();
    for (name, fact) in facts {
        let from = calendar.find(name).expect("a release of the calendar");
        let bound = calendar.latest(from, Window::new(9, 0));
        compare_bound(&calendar, fact, "last_release_within_9_months", bound, &mut wrong);
    }
    agree(&wrong);
}

#[test]
fn nine_times_the_months_bind_and_the_reason_says_how_many_days_were_short() {
    let days = [
        ("1.2", "2016-03-17"),
        ("1.3", "2016-07-01"),
        ("1.4", "2016-09-26"),
        ("1.5", "2016-12-12"),
        ("1.6", "2017-03-28"),
        ("1.7", "2017-06-29"),
        ("1.8", "2017-09-28"),
        ("1.9", "2017-12-15"),
        ("1.10", "2018-03-26"),
        ("1.11", "2018-06-27"),
        ("1.12", "2018-09-27"),
        ("1.13", "2018-12-03"),
        ("1.14", "2019-03-25"),
        ("1.15", "2019-06-19"),
        ("1.16", "2019-09-18"),
        ("1.17", "2019-12-07"),
        ("1.18", "2020-03-25"),
    ];
    // Deprecated in, third release after, how short of nine months that is, earliest removal.
    let cases = [
        ("1.2", "1.5", "5 days", "1.6"),
        ("1.3", "1.6", "4 days", "1.7"),
        ("1.6", "1.9", "13 days", "1.10"),
        ("1.7", "1.10", "3 days", "1.11"),
        ("1.8", "1.11", "1 day", "1.12"),
        ("1.10", "1.13", "23 days", "1.14"),
        ("1.11", "1.14", "2 days", "1.15"),
        ("1.12", "1.15", "8 days", "1.16"),
        ("1.14", "1.17", "18 days", "1.18"),
    ];
    let days = days.map(|(name, day)| (name.to_owned(), day.to_owned()));
    let mut model = calendar("current = \"1.18\"", &days);
    for (deprecated, ..) in cases {
        let life = entry(&[("introduced", Some(deprecated)), ("deprecated", Some(deprecated))]);
        let _ = writeln!(model, "[group.\"in-{deprecated}\".version]\nv1beta1 = {{ {life} }}");
    }
    let evaluation = evaluated(&model);
    let report = evaluation.report(&Sources::new());
    let elements = by_id(&report);
    for (deprecated, third, short, earliest) in cases {
        let element = &elements[format!("in-{deprecated}/v1beta1").as_str()];
        assert_eq!(release(element.permitted_since), Some(earliest), "{deprecated}");
        assert_eq!(
            element.binding,
            Some(DecidedBy::Window(Binding::Months)),
            "{deprecated}"
        );
        let reason = &element.because[0].text;
        assert!(reason.contains(&format!("3 releases → {third};")), "{reason}");
        assert!(
            reason.contains(&format!("{third} is {short} short of 9 months")),
            "{reason}"
        );
    }
}

/// The element that a row is about, in TOML and by its id; `true` where the row is about functioning, not being there.
fn windowed(rule: &str, deprecated: &str) -> Vec<(String, String, bool)> {
    let name = format!("in-{}", deprecated.replace('.', "-"));
    let flag = |program: &str, stage: &str| {
        let flag = format!("--{name}-{stage}");
        let life = format!("stage = \"{stage}\"\nintroduced = \"1.0\"\ndeprecated = \"{deprecated}\"\n");
        let text = format!("[cli.{program}.flag.\"{flag}\"]\n{life}");
        (text, format!("cli {program} {flag}"), false)
    };
    let gate = |end: &str, specs: &str| {
        let text = format!(
            "[gate.\"{name}-{end}\"]\nspecs = [{{ stage = \"beta\", since = \"1.0\", default = true }}, {{ {specs} }}]\n"
        );
        (text, format!("gate {name}-{end}"), false)
    };
    let metric = |class: &str, since: &str| {
        let metric = format!("{name}-{class}-since-{since}");
        let specs = format!("specs = [{{ stage = \"{class}\", since = \"{since}\" }}]");
        let text = format!("[metric.\"{metric}\"]\n{specs}\ndeprecated = \"{deprecated}\"\n");
        (text, format!("metric {metric}"), true)
    };
    let ga = format!("stage = \"GA\", since = \"{deprecated}\", default = true, locked = true");
    let dropped = format!("stage = \"deprecated\", since = \"{deprecated}\", default = false");
    match rule {
        "4a beta (9mo,3rel)" => {
            let text = format!(
                "[group.\"{name}\".version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"{deprecated}\" }}\n"
            );
            vec![(text, format!("{name}/v1beta1"), false)]
        }
        "5a GA cli (12mo,2rel)" => vec![flag("kubectl", "GA")],
        "5b GA admin cli (6mo,1rel)" => vec![flag("kubelet", "GA")],
        "5 beta cli (3mo,1rel)" => vec![flag("kubectl", "beta"), flag("kubelet", "beta")],
        "7 behaviour (12mo)" => {
            let text = format!("[behavior.\"{name}\"]\nintroduced = \"1.0\"\ndeprecated = \"{deprecated}\"\n");
            vec![(text, format!("behavior {name}"), false)]
        }
        "9 gate beta->GA (6mo,2rel)" => vec![gate("ga", &ga)],
        "9 gate beta->EOL (3mo,1)" => vec![gate("dropped", &dropped)],
        "11b STABLE (9mo,3rel)" => vec![metric("STABLE", "1.0")],
        "11b BETA (4mo,1rel)" => vec![metric("BETA", "1.0")],
        // Deprecated as soon as it reaches its class, a metric is bound by the longer window, that of its life.
        "11a STABLE (12mo,4rel)" => vec![metric("STABLE", deprecated)],
        "11a BETA (8mo,2rel)" => vec![metric("BETA", deprecated)],
        other => panic!("{other} is no rule of the file"),
    }
}

/// A line `"a, b",1.16,1.19,3`: the rule, when it was deprecated and when it may go.
fn window_row(line: &str) -> (&str, &str, &str) {
    let mut cells = line.rsplitn(4, ',');
    cells.next().expect("how many minors");
    let earliest = cells.next().expect("the earliest removal");
    let deprecated = cells.next().expect("the deprecation");
    (cells.next().expect("the rule").trim_matches('"'), deprecated, earliest)
}

#[test]
fn every_window_ends_where_the_real_calendar_says() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy-windows-by-calendar.csv");
    let rows: Vec<_> = text.lines().skip(1).map(window_row).collect();
    // Only 2025 has windows for beta metrics.
    let earlier: Vec<_> = rows
        .iter()
        .copied()
        .filter(|(rule, ..)| !rule.contains("BETA"))
        .collect();
    assert_eq!((rows.len(), earlier.len()), (215, 174));
    let calendar = data.calendar("");
    compare_windows("kubernetes-2025", &calendar, &rows);
    compare_windows("kubernetes", &calendar, &earlier);
}

fn compare_windows(policy: &str, calendar: &str, rows: &[(&str, &str, &str)]) {
    let programs = "[cli.kubectl]\naudience = \"user\"\n[cli.kubelet]\naudience = \"admin\"\n";
    let mut model = format!("policy = \"{policy}\"\n{calendar}{programs}");
    let mut expected = Vec::new();
    for (rule, deprecated, earliest) in rows {
        for (text, id, hides) in windowed(rule, deprecated) {
            model += &text;
            expected.push((rule, id, hides, earliest));
        }
    }
    let evaluation = evaluated(&model);
    let report = evaluation.report(&Sources::new());
    let elements = by_id(&report);
    let mut wrong = Vec::new();
    for (rule, id, hides, earliest) in expected {
        let element = &elements[id.as_str()];
        // A metric that is hidden does not function any more, and is deleted a release later.
        let found = if hides {
            element.hidden
        } else {
            element.earliest_removal
        };
        if release(found) != Some(earliest) {
            wrong.push(format!("{policy} {rule}: {id} {found:?}, not {earliest}"));
        }
        let gone = element.earliest_removal.map(|moment| minor(moment.release));
        if hides && gone != Some(minor(earliest) + 1) {
            wrong.push(format!("{policy} {rule}: {id} is deleted in {gone:?}"));
        }
    }
    agree(&wrong);
}

fn removed_gate(gate: &str, ga: &str, removed: &str) -> String {
    let before = minor(ga) - 1;
    format!(
        "[gate.{gate}]\nremoved = \"{removed}\"\nspecs = [{{ stage = \"beta\", since = \"1.{before}\", default = true }}, \
         {{ stage = \"GA\", since = \"{ga}\", default = true, locked = true }}]\n"
    )
}

#[test]
fn forty_two_gates_went_lawfully_and_one_release_before_their_bound_would_be_early() {
    let Some(data) = Data::find() else { return };
    let text = data.text("gates/lawful-removals.csv");
    let rows = rows(&text, ',');
    assert_eq!(rows.len(), 42);
    let model = |removed: &dyn Fn(&Row<'_>) -> String| {
        let gates = rows
            .iter()
            .map(|row| removed_gate(row["gate"], row["ga_since"], &removed(row)));
        data.calendar("") + &gates.collect::<String>()
    };
    let evaluation = evaluated(&model(&|row| row["removed_in"].to_owned()));
    assert_eq!(evaluation.findings(), []);
    let report = evaluation.report(&Sources::new());
    let elements = by_id(&report);
    for row in &rows {
        let element = &elements[format!("gate {}", row["gate"]).as_str()];
        assert_eq!(
            release(element.earliest_removal),
            Some(row["earliest_by_policy"]),
            "{}",
            row["gate"]
        );
    }
    let on_the_bound = findings(&model(&|row| row["earliest_by_policy"].to_owned()));
    assert_eq!(on_the_bound, []);
    let sooner = findings(&model(&|row| format!("1.{}", minor(row["earliest_by_policy"]) - 1)));
    assert_eq!(reported(&sooner, "gate-lifetime", "early").len(), 42);
    assert_eq!(sooner.len(), 42);
}

fn gate_spec(spec: &Value) -> String {
    let stage = match word(&spec["preRelease"]) {
        "Alpha" => "alpha",
        "Beta" => "beta",
        "GA" => "GA",
        "Deprecated" => "deprecated",
        other => panic!("{other} is no stage"),
    };
    let since = spec["version"].as_str().map(|since| format!("since = \"{since}\", "));
    format!(
        "{{ stage = \"{stage}\", {}default = {}, locked = {} }}",
        since.unwrap_or_default(),
        spec["default"],
        spec["lockToDefault"]
    )
}

/// The gates of a case, with their dependencies. Upstream knows no declared warning; it warns of every deprecated gate.
fn gates_of(data: &Data, case: &Value) -> String {
    let mut text = data.calendar("");
    for (gate, specs) in case["features"].as_object().expect("gates by name") {
        let specs: Vec<String> = specs.as_array().expect("specs").iter().map(gate_spec).collect();
        let _ = writeln!(
            text,
            "[gate.{gate}]\nwarning = \"w\"\noperational = true\nspecs = [{}]",
            specs.join(", ")
        );
        let added = ["initialDeps", "newDeps"].map(|when| case[when][gate].as_array());
        let others: Vec<&Value> = added.into_iter().flatten().flatten().collect();
        if !others.is_empty() {
            let _ = writeln!(text, "depends-on = {}", serde_json::json!(others));
        }
    }
    text
}

fn error_codes(model: &str) -> BTreeSet<String> {
    let found = findings(model);
    let errors = found.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.code.to_string()).collect()
}

/// Why a case of upstream's says nothing about a declared surface.
fn out_of_scope(case: &Value) -> Option<&'static str> {
    let specs = case["features"].as_object().expect("gates by name").values();
    let mut specs = specs.flat_map(|specs| specs.as_array().expect("specs"));
    if specs.any(|spec| !spec["minCompatibilityVersion"].is_null()) {
        return Some("emulates an older version (minCompatibilityVersion)");
    }
    if case["note"]
        .as_str()
        .is_some_and(|note| note.contains("state left by an earlier case"))
    {
        return Some("needs the state of an earlier case");
    }
    None
}

/// Errors of upstream's registry that are none under the policy, and why.
const LAWFUL: [(&str, &str); 3] = [
    ("patch version", "patch releases do not matter: 1.29.1 is 1.29"),
    (
        "transition without stability change",
        "the policy does not mind an entry that changes nothing",
    ),
    (
        "deprecated feature with no prior state",
        "the policy does not ask what a gate was before",
    ),
];

#[test]
fn upstreams_cases_of_versioned_gates_are_judged_as_upstream_does() {
    let Some(data) = Data::find() else { return };
    let cases = data.json("gates/upstream-cases.json");
    let mut skipped: BTreeMap<&str, u32> = BTreeMap::new();
    let mut judged = 0;
    let mut wrong = Vec::new();
    for case in list(&cases, "addVersioned") {
        if let Some(reason) = out_of_scope(case) {
            *skipped.entry(reason).or_default() += 1;
            continue;
        }
        judged += 1;
        let model = gates_of(&data, case);
        let lawful = LAWFUL.iter().any(|(name, _)| case["name"] == *name);
        if error_codes(&model).is_empty() == (case["expectError"] == true && !lawful) {
            wrong.push(format!("{}: {}", case["name"], brief(&model)));
        }
    }
    eprintln!("{judged} cases judged, of which upstream alone refuses {LAWFUL:?}; skipped: {skipped:?}");
    agree(&wrong);
    assert_eq!((judged, skipped.values().sum::<u32>()), (19, 13));
}

/// What we call a refusal of upstream's.
fn dependency_code(refusal: &str) -> &'static str {
    let codes = [
        ("unknown feature", "unknown-reference"),
        ("cycle", "dependency-cycle"),
        ("default-disabled", "dependency-off"),
        ("unlocked", "dependency-unlocked"),
        ("BETA feature", "dependency-less-stable"),
    ];
    let mut known = codes.into_iter().filter(|(part, _)| refusal.contains(part));
    known.next().map_or("no code of ours", |(_, code)| code)
}

#[test]
fn upstreams_cases_of_dependent_gates_are_judged_as_upstream_does() {
    let Some(data) = Data::find() else { return };
    let cases = data.json("gates/upstream-cases.json");
    let (mut judged, mut skipped) = (0, 0);
    let mut wrong = Vec::new();
    for case in list(&cases, "addDependencies") {
        // A gate in use, or one nobody has, takes no dependency: a declared surface can be neither.
        let known = |gate: &String| case["features"].get(gate).is_some();
        let dependents = case["newDeps"].as_object().expect("dependencies by gate");
        if case["closeGate"] == true || !dependents.keys().all(known) {
            skipped += 1;
            continue;
        }
        judged += 1;
        let model = gates_of(&data, case);
        let errors = error_codes(&model);
        let right = match case["expectedErr"].as_str() {
            Some(refusal) => errors.contains(dependency_code(refusal)),
            None => errors.is_empty(),
        };
        if !right {
            wrong.push(format!("{}: {}", case["name"], brief(&model)));
        }
    }
    eprintln!("{judged} cases judged, {skipped} skipped");
    agree(&wrong);
    assert_eq!((judged, skipped), (18, 2));
}

/// Upstream hides by the offset alone; the windows of the policy are for reviewers.
const OFFSETS_ALONE: &str = r#"
name = "offsets"
extends = "kubernetes"
[rule.metric-lifetime]
off = true
[rule.metric-deprecation]
stable = { after-deprecation = false }
alpha = { after-deprecation = false }
"#;

/// The release that a build counts as: N-alpha.0 is made before anything of N is in it.
fn counts_as(build: &str) -> u32 {
    let (number, stage) = build.split_once('-').unwrap_or((build, ""));
    let named = minor(number.strip_suffix(".0").expect("no patch release"));
    if stage == "alpha.0" { named - 1 } else { named }
}

#[test]
fn upstreams_24_cases_of_hidden_metrics_come_out_as_upstream_says() {
    let Some(data) = Data::find() else { return };
    let cases = data.json("metrics/upstream-cases.json");
    let cases = list(&cases, "shouldHide");
    assert_eq!(cases.len(), 24);
    let mut wrong = Vec::new();
    for case in cases {
        let deprecated = word(&case["deprecatedVersion"])
            .strip_suffix(".0")
            .expect("no patch release");
        let class = word(&case["stabilityLevel"]);
        let metric = format!(
            "[metric.m]\nspecs = [{{ stage = \"{class}\", since = \"1.0\" }}]\ndeprecated = \"{deprecated}\"\n"
        );
        let evaluation = evaluate_under(OFFSETS_ALONE, &(data.calendar("") + &metric)).expect("a model");
        let report = evaluation.report(&Sources::new());
        let hidden = release(report.elements.iter().next().expect("there is a gate").hidden)
            .expect("it is planned to be hidden");
        let hides = minor(hidden) <= counts_as(word(&case["currentVersion"]));
        if hides != (case["shouldHide"] == true) {
            wrong.push(format!("{}: hidden in {hidden}", case["desc"]));
        }
    }
    agree(&wrong);
}

/// The stretches of releases in which a version is served, from what was served in each.
fn lives(timeline: &Value, version: &str) -> String {
    let served = |minor: u32| {
        let row = &timeline[format!("1.{minor}")];
        let versions = row["served"].as_array();
        versions.is_some_and(|versions| versions.iter().any(|served| served == version))
    };
    let begins = (0..=KNOWN).filter(|at| served(*at) && (*at == 0 || !served(at - 1)));
    let lives: Vec<String> = begins
        .map(|begin| {
            let end = (begin..=KNOWN).find(|at| !served(*at)).map(|end| format!("1.{end}"));
            let begin = format!("1.{begin}");
            let life = entry(&[("introduced", Some(&begin)), ("removed", end.as_deref())]);
            format!("{{ {life} }}")
        })
        .collect();
    format!("lives = [{}]", lives.join(", "))
}

#[test]
fn preferred_and_storage_move_when_the_versions_really_served_allow() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/preferred_4b.json");
    let calendar = data.known_calendar("", 0);
    let (mut kinds, mut releases) = (0, 0);
    let mut wrong = Vec::new();
    for fact in list(&facts, "kinds") {
        let (group, kind) = (word(&fact["group"]), word(&fact["kind"]));
        let timeline = fact["timeline"].as_object().expect("rows by release");
        let versions: BTreeSet<&str> = timeline
            .values()
            .flat_map(|row| list(row, "served"))
            .map(word)
            .collect();
        let mut surface = Surface::default();
        for version in versions {
            surface.add(group, version, kind, lives(&fact["timeline"], version));
        }
        let evaluation = evaluated(&(calendar.clone() + &surface.toml()));
        let report = evaluation.report(&Sources::new());
        kinds += 1;
        for row in &report.groups.iter().next().expect("a group").releases {
            let Some(known) = timeline.get(row.release) else {
                continue;
            };
            releases += 1;
            let allowed = known["most_stable_allowed_as_storage_by_4b"].as_str();
            let stored = row.kinds.first().and_then(|kind| kind.storage);
            if [row.preferred, row.storage, stored] != [allowed; 3] {
                wrong.push(format!(
                    "{group} {kind} {}: {:?}, not {allowed:?}",
                    row.release, row.preferred
                ));
            }
        }
    }
    agree(&wrong);
    assert_eq!((kinds, releases), (48, 909));
}

/// All kinds with their lives, and of those deprecated the replacement named then.
fn with_replacements(data: &Data, deprecations: &[Value]) -> String {
    let key = |kind: &Value| ["group", "version", "kind"].map(|name| word(&kind[name]).to_owned());
    let named: BTreeMap<[String; 3], String> = deprecations
        .iter()
        .filter_map(|row| {
            let then = Some(&row["replacement_when_deprecation_came_into_force"]);
            let other = then.filter(|then| !then.is_null()).unwrap_or(&row["replacement_last"]);
            let [group, version, kind] = ["group", "version", "kind"].map(|name| other[name].as_str());
            Some((key(row), format!("{}/{} {}", group_name(group?), version?, kind?)))
        })
        .collect();
    let mut surface = Surface::default();
    let facts = data.json("kubernetes/lifecycle.json");
    for fact in list(&facts, "kinds") {
        let first = ["introduced", "first_release_served", "first_release_in_package"];
        let introduced = first.iter().find_map(|name| fact[name].as_str());
        let life = entry(&[
            ("introduced", introduced),
            ("deprecated", fact["deprecated"].as_str()),
            ("removed", fact["removed"].as_str()),
            ("replacement", named.get(&key(fact)).map(String::as_str)),
        ]);
        let [group, version, kind] = key(fact);
        surface.add(&group, &version, &kind, life);
    }
    data.calendar("current = \"1.31\"") + &surface.toml()
}

/// What the rule says of a deprecation in force with this verdict.
fn verdict_means(row: &Value) -> Option<(Severity, &'static str)> {
    let verdict = word(&row["verdict"]);
    let crosses_groups = row["group"] == "extensions";
    if verdict.starts_with("ok: named replacement at least as stable and available") {
        None
    } else if verdict.starts_with("ok: named replacement came later") {
        Some((Severity::Note, "comes-later"))
    } else if verdict.starts_with("ok: no replacement named") {
        // A kind leaves its group only by a declared replacement (P9); the replay looks for its name in all groups.
        crosses_groups.then_some((Severity::Note, "no-replacement"))
    } else if verdict.starts_with("named replacement is not a registered kind") {
        Some((Severity::Error, "unknown"))
    } else {
        Some((Severity::Note, "no-replacement"))
    }
}

#[test]
fn every_deprecation_gets_the_verdict_on_its_replacement_that_the_replay_gives() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/rule3_replay.json");
    let deprecations = list(&facts, "kinds");
    assert_eq!(deprecations.len(), 77);
    let found = findings(&with_replacements(&data, deprecations));
    // What was to be deprecated after the newest release known was not judged.
    let in_force: Vec<&Value> = deprecations
        .iter()
        .filter(|row| row["deprecation_in_force"] == true)
        .collect();
    assert_eq!(in_force.len(), 70);
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<Option<(Severity, &str)>, u32> = BTreeMap::new();
    for row in in_force {
        *counts.entry(verdict_means(row)).or_default() += 1;
        let id = kind_id(row);
        let reported: Vec<(Severity, &str)> = found
            .iter()
            .filter(|found| found.rule == "version-replacement" && found.element.as_deref() == Some(&*id))
            .map(|found| (found.severity, &*found.code))
            .collect();
        let expected: Vec<(Severity, &str)> = verdict_means(row).into_iter().collect();
        if reported != expected {
            wrong.push(format!("{id}: {reported:?}, not {expected:?}: {}", row["verdict"]));
        }
    }
    agree(&wrong);
    let note = |code| Some((Severity::Note, code));
    let expected = [
        (None, 50),
        (note("comes-later"), 9),
        (note("no-replacement"), 9),
        (Some((Severity::Error, "unknown")), 2),
    ];
    assert_eq!(counts, expected.into());
}

fn kind_id(row: &Value) -> String {
    let [group, version, kind] = ["group", "version", "kind"].map(|name| word(&row[name]));
    format!("{}/{version} {kind}", group_name(group))
}

/// Kinds that ended with a version whose successor had been released without them: the text of 2019 speaks of versions,
/// the replay asks kind by kind.
const SUCCEEDED_AS_VERSIONS: [&str; 5] = [
    "apps/v1beta1 DeploymentRollback",
    "batch/v1beta1 JobTemplate",
    "certificates.k8s.io/v1alpha1 ClusterTrustBundle",
    "networking.k8s.io/v1alpha1 ClusterCIDR",
    "policy/v1beta1 PodSecurityPolicy",
];

#[test]
fn by_the_text_of_2019_what_had_no_replacement_at_the_time_was_not_to_be_deprecated() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/rule3_replay.json");
    let deprecations = list(&facts, "kinds");
    let bare = |row: &&Value| {
        let none = list(row, "at_least_as_stable_versions_available_at_deprecation").is_empty();
        // A kind leaves its group only by a declared replacement (P9); the replay looks for its name in all groups.
        let elsewhere = row["group"] == "extensions" && row["replacement_last"].is_null();
        row["replacement_available_at_deprecation"] != true && (none || elsewhere)
    };
    let in_force = deprecations.iter().filter(|row| row["deprecation_in_force"] == true);
    let (bare, replaced): (Vec<&Value>, Vec<&Value>) = in_force.partition(bare);
    assert_eq!((bare.len(), replaced.len()), (10, 60));
    let kinds = with_replacements(&data, deprecations);
    let found = findings(&format!("policy = \"kubernetes-2019\"\n{kinds}"));
    let found = reported(&found, "version-replacement", "before-replacement");
    let ids = |rows: Vec<&Value>| -> BTreeSet<String> { rows.into_iter().map(kind_id).collect() };
    assert_eq!(ids(bare).difference(&found).collect::<Vec<_>>(), SUCCEEDED_AS_VERSIONS);
    assert_eq!(
        ids(replaced).intersection(&found).collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
}

/// The warning of a kind whose deprecation is declared, from declarations alone.
fn declared_warning(model: &Model, kind: ElementId) -> Option<String> {
    let life = model.last_life(kind);
    let deprecated = model.calendar.name(model.deprecation(kind, life)?.release);
    let id = model.id(kind);
    let mut text = format!(
        "{} is deprecated in v{deprecated}+",
        id.strip_prefix("core/").unwrap_or(id)
    );
    if let Some(removed) = model.declared(kind, EventKind::Removed) {
        let _ = write!(text, ", unavailable in v{}+", model.calendar.name(removed.release));
    }
    if let Some(replacement) = named(model, kind) {
        let target = replacement.target.and_then(|target| in_kind(model, kind, target));
        let target = target.map_or(replacement.text.as_str(), |target| model.id(target));
        let _ = write!(text, "; use {target}");
    }
    Some(text)
}

#[test]
fn the_model_of_kubernetes_declares_what_its_server_warns_of_and_nothing_else() {
    let Some(data) = Data::find() else { return };
    let evaluation = evaluated(include_str!("../../tests/golden/kubernetes/lifecycle.toml"));
    let model = evaluation.model();
    let kinds = model.elements().filter(|(_, element)| element.kind.is_kind());
    let declared: BTreeSet<String> = kinds.filter_map(|(kind, _)| declared_warning(model, kind)).collect();
    let texts = data.text("kubernetes/warning-texts.txt");
    let texts: BTreeSet<String> = texts.lines().map(str::to_owned).collect();
    assert_eq!(declared, texts);
    assert_eq!(texts.len(), 77);
}

#[test]
fn the_list_of_pluto_differs_from_the_markers_of_the_api_as_often_as_was_counted() {
    let Some(data) = Data::find() else { return };
    let evaluation = evaluated(&with_replacements(&data, &[]));
    let markers = Claims::of_model("markers", evaluation.model(), &Sources::new());
    let entries = Tool::Pluto
        .read(&data.text("peers/pluto-versions.yaml"))
        .expect("the list can be read")
        .entries;
    let (entries, left_out) = of_product(entries, None, &markers).expect("no product was chosen");
    assert_eq!(left_out, ["24 entries of cert-manager"]);
    let report = hold_against(&markers, &Claims::of_list("pluto", &entries, true));
    let counts = report.counts;
    // Counted apart from the program: kinds that both have, those with another date, dates that both tell, other ones.
    assert_eq!((counts.compared, counts.differ), (57, 32));
    assert_eq!((counts.dates, counts.dates_differ), (89, 21));
    // The usual reason: the list dates a deprecation by the release that has the replacement or a newer version.
    let by_newer = [ReasonCode::ReplacementAvailable, ReasonCode::NewerVersion];
    let deprecated = ComparedFact::Event(EventKind::Deprecated);
    let deprecations = report.differences.iter().filter(|found| found.what == deprecated);
    let explained = deprecations.filter_map(|found| found.reason.as_ref());
    let explained = explained.filter(|reason| by_newer.contains(&reason.code)).count();
    assert_eq!(explained, 22);
}
