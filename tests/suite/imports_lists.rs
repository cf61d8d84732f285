//! Models made from lists: feature gates with their stages, and releases with their dates.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lifecycle::FileId;
use lifecycle::import::calendar::{self, ReleaseDates};
use lifecycle::import::gates::FeatureGates;
use lifecycle::model::Model;
use lifecycle::{Diagnostics, Document};
use tempfile::TempDir;

use crate::program::{Run, folder, run_in, run_on};
use crate::support::evaluate;

const LIST: &str = "# A list.\n\
- name: Glow\n  versionedSpecs:\n  - {default: false, lockToDefault: false, preRelease: Alpha, version: \"1.8\"}\n  \
- {default: true, lockToDefault: false, preRelease: Beta, version: \"1.10\"}\n\
- name: Hum\n  versionedSpecs:\n  - default: true\n    lockToDefault: true\n    preRelease: GA\n    version: \"1.9\"\n";

const DAYS: &str = "release,date\n1.8,2020-01-01\n1.9,2020-05-01\nv1.10.0,2020-09-01\n";

#[expect(clippy::disallowed_methods, reason = "the test reads what the program wrote")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn get(folder: &TempDir, name: &str) -> String {
    text(&folder.path().join(name))
}

fn gates_of(list: &str) -> Run {
    let run = run_on(list, &["import", "feature-gates", "-"]);
    if run.code != Some(2) {
        evaluate(&run.out).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{}", run.out));
    }
    run
}

fn days_of(list: &str) -> Run {
    let run = run_on(list, &["import", "calendar", "-"]);
    if run.code != Some(2) {
        let model = format!("{}\n[behavior.own]\n", run.out);
        evaluate(&model).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{model}"));
    }
    run
}

#[test]
fn a_list_of_gates_is_a_model_with_the_releases_it_names() {
    let run = gates_of(LIST).ended(0).says(&["without dates", "--calendar"]);
    let expected = r#"# Imported by `lifecycle import feature-gates` from -

[calendar.releases]
"1.8" = "unscheduled"
"1.9" = "unscheduled"
"1.10" = "unscheduled"

[gate]
Glow = { specs = [{ stage = "alpha", since = "1.8", default = false }, { stage = "beta", since = "1.10", default = true }] }
Hum = { specs = [{ stage = "GA", since = "1.9", default = true, locked = true }] }
"#;
    assert_eq!(run.out, expected);
}

#[test]
fn a_list_of_gates_takes_its_days_from_a_calendar() {
    let files = folder(&[
        ("gates.yaml", LIST),
        ("days.csv", DAYS),
        ("few.csv", "1.9,2020-05-01\n"),
    ]);
    let import = |days: &str| run_in(&files, &["import", "feature-gates", "gates.yaml", "--calendar", days]);
    let run = import("days.csv")
        .ended(0)
        .says(&["cadence = { months = 4 }", "\"1.10\" = 2020-09-01"]);
    evaluate(&run.out).unwrap();
    for far in ["1.11", "1.999", "2.0"] {
        let list = LIST.replace("1.10", far);
        let run = run_in(
            &folder(&[("gates.yaml", &list), ("days.csv", DAYS)]),
            &["import", "feature-gates", "gates.yaml", "--calendar", "days.csv"],
        );
        evaluate(&run.ended(0).out).unwrap();
    }
    import("few.csv")
        .ended(2)
        .says(&["lacks 1.8, which the list names", "help: "]);
}

#[test]
fn an_update_adds_gates_and_stages_and_keeps_what_people_wrote() {
    let model = "[calendar.releases]\n\"1.8\" = 2020-01-01 # first\n\"1.9\" = 2020-05-01\n\n\
        [gate.Glow] # shines\nowner = \"lamps\"\nspecs = [\n  { stage = \"alpha\", since = \"1.8\", default = false }, # dim\n]\n\n\
        [gate.Own]\nspecs = [{ stage = \"alpha\", since = \"1.8\", default = false }]\n";
    let files = folder(&[("gates.yaml", LIST), ("m.toml", model)]);
    let update = || run_in(&files, &["import", "feature-gates", "gates.yaml", "--update", "m.toml"]);
    update().ended(0).says(&["additions"]);
    let after = get(&files, "m.toml");
    for line in model.lines().filter(|line| !line.contains("dim")) {
        assert!(after.contains(line), "{line}\n{after}");
    }
    for new in [
        "since = \"1.10\", default = true }",
        "# dim",
        "\"1.10\" = \"unscheduled\"",
        "Hum",
    ] {
        assert!(after.contains(new), "{new}\n{after}");
    }
    evaluate(&after).unwrap();
    update().ended(0).says(&["already up to date"]);
    assert_eq!(get(&files, "m.toml"), after);
}

#[test]
fn an_update_keeps_planned_stages_and_reports_those_that_differ() {
    let calendar = "calendar.releases = { \"1.8\" = 2020-01-01, \"1.9\" = 2020-05-01, \"1.10\" = 2020-09-01, \"1.11\" = 2021-01-01 }\n";
    let glow = |more: &str| {
        format!(
            "{calendar}gate.Glow.specs = [{{ stage = \"ALPHA\", since = \"v1.8.0\", default = false }}, {{ stage = \"beta\", \
             since = \"1.10\", default = true{more}]\ngate.Hum.specs = [{{ stage = \"stable\", since = \"1.9\", default = true, \
             locked = true }}]\n"
        )
    };
    let planned = glow(" }, { stage = \"GA\", since = \"1.11\", default = true }");
    let listed = format!("{calendar}[[gate.Glow.specs]]\nstage = \"alpha\"\nsince = \"1.8\"\ndefault = false\n");
    let cases = [
        (planned.clone(), 0, "already up to date"),
        (glow(", locked = true }"), 1, "in the import"),
        (
            planned.replace("1.10\", default = true", "1.9\", default = true"),
            1,
            "1.10",
        ),
        (listed, 1, "in the import"),
    ];
    for (model, code, says) in cases {
        let files = folder(&[("gates.yaml", LIST), ("m.toml", &model)]);
        let run = run_in(&files, &["import", "feature-gates", "gates.yaml", "--update", "m.toml"]);
        run.ended(code).says(&[says]);
        let after = get(&files, "m.toml");
        assert!(after.starts_with(&model), "{after}");
        evaluate(&after).unwrap();
    }
}

#[test]
fn an_update_that_wants_releases_before_the_first_is_refused_whole() {
    let model = "calendar.releases = { \"1.9\" = 2020-05-01, \"1.10\" = 2020-09-01 }\nbehavior.own = {}\n";
    let files = folder(&[("gates.yaml", LIST), ("days.csv", DAYS), ("m.toml", model)]);
    let arguments = ["import", "feature-gates", "gates.yaml", "--update", "m.toml"];
    run_in(&files, &arguments)
        .ended(2)
        .says(&["lacks 1.8", "nothing was written"]);
    assert_eq!(get(&files, "m.toml"), model);
    let arguments = [&arguments[..], &["--calendar", "days.csv"]].concat();
    run_in(&files, &arguments).ended(0);
    evaluate(&get(&files, "m.toml")).unwrap();
}

#[test]
fn unreadable_entries_are_reported_with_their_line_and_the_others_imported() {
    let spec = |rest: &str| format!("- name: Bad\n  versionedSpecs:\n  - {{{rest}}}\n");
    let whole = "default: true, lockToDefault: false, preRelease: Beta, version: \"1.9\"";
    let mut many = String::from("- name: Bad\n  versionedSpecs:\n");
    for minor in 0..101 {
        let _ = writeln!(many, "  - {{default: true, preRelease: Beta, version: \"1.{minor}\"}}");
    }
    let cases = [
        (
            spec(&whole.replace("Beta", "Gamma")),
            "-:14: gate Bad: `Gamma` is not a stage",
        ),
        (
            spec(&whole.replace("1.9", "next")),
            "-:14: gate Bad: version `next` is not",
        ),
        (spec(&whole.replace("default: true", "default: [1]")), "-:14: "),
        (
            spec(&whole.replace("preRelease: Beta, ", "")),
            "-:14: gate Bad: an entry without `preRelease`",
        ),
        (
            spec(&whole.replace("default: true, ", "")),
            "-:14: gate Bad: an entry without `default`",
        ),
        (spec(&format!("{whole}, version: \"1.8\"")), "-:14: "),
        (
            format!("{}  - {{{whole}}}\n", spec(whole)),
            "-:15: gate Bad: two entries for version 1.9",
        ),
        (
            "- name: Glow\n  versionedSpecs: [{default: true, preRelease: GA, version: \"1.9\"}]\n".to_owned(),
            "-:12: gate Glow is listed before",
        ),
        (
            "- name: Bad\n".to_owned(),
            "-:12: gate Bad: `versionedSpecs` has 0 entries",
        ),
        (many, "-:12: gate Bad: `versionedSpecs` has 101 entries"),
        (
            "- name: \"\\u001b[31m\"\n  versionedSpecs: []\n".to_owned(),
            "-:12: a gate without a usable `name`",
        ),
        ("- versionedSpecs: {\n".to_owned(), "warning: skipped -:1"),
        ("- 7\n".to_owned(), "warning: skipped -:12"),
        ("- name: *nowhere\n".to_owned(), "warning: skipped -:12"),
    ];
    for (bad, reported) in cases {
        let run = gates_of(&format!("{LIST}{bad}"))
            .ended(1)
            .says(&["warning: skipped ", reported]);
        let run = run.silent_on(&["\u{1b}"]);
        assert_eq!(run.out, gates_of(LIST).out, "{bad}");
    }
}

#[test]
fn lines_of_a_calendar_are_those_of_the_file_whatever_ends_them() {
    for end in ["\n", "\r\n"] {
        let list = [
            "release,date",
            "1.0,2024-01-01",
            "",
            "1.1,2024-02-30",
            "x,2024-03-01",
            "",
        ]
        .join(end);
        days_of(&list)
            .ended(1)
            .says(&["skipped -:4: `2024-02-30`", "skipped -:5: `x` is not the name"]);
    }
}

#[test]
fn a_calendar_alone_is_filled_by_updates() {
    let files = folder(&[
        ("days.csv", "1.8,2020-01-01\n1.9,2020-05-01\n"),
        ("all.csv", DAYS),
        ("gates.yaml", LIST),
    ]);
    let calendar = ["import", "calendar", "days.csv"];
    run_in(&files, &[&calendar[..], &["-o", "lifecycle.toml"]].concat()).ended(0);
    let again = [&calendar[..], &["--update", "lifecycle.toml"]].concat();
    run_in(&files, &again).ended(0).says(&["already up to date"]);
    run_in(&files, &["plan"])
        .ended(2)
        .says(&["the model declares no element"]);
    let gates = ["import", "feature-gates", "gates.yaml", "--calendar", "all.csv"];
    run_in(&files, &[&gates[..], &["--update", "lifecycle.toml"]].concat())
        .ended(0)
        .says(&["lifecycle.toml: 4 additions"]);
    evaluate(&get(&files, "lifecycle.toml")).unwrap();
}

#[test]
fn what_is_skipped_does_not_hide_that_a_model_cannot_be_read() {
    let list = format!("{LIST}- name: Bad\n");
    let files = folder(&[
        ("gates.yaml", &list),
        ("days.csv", "1.8,2017-09-28\n?,?\n"),
        ("m.toml", "policy = 7\n"),
    ]);
    run_in(&files, &["import", "feature-gates", "gates.yaml", "--update", "m.toml"]).ended(2);
    run_in(&files, &["import", "calendar", "days.csv", "--update", "m.toml"]).ended(2);
}

#[test]
fn a_version_without_quotes_is_read_as_it_is_written() {
    let plain = LIST.replace('"', "");
    assert_eq!(gates_of(&plain).ended(0).out, gates_of(LIST).out);
}

#[test]
fn what_is_no_list_of_gates_is_refused() {
    let mut bomb = String::from("- name: A\n  x: &a [1,1,1,1,1,1,1,1,1,1]\n");
    for (of, name) in "abcdefghij".chars().zip("bcdefghijk".chars()) {
        let _ = writeln!(bomb, "  {name}: &{name} [{}]", vec![format!("*{of}"); 10].join(","));
    }
    let deep = "[".repeat(100_000);
    let bombs = bomb.replace("- name", "- x: 1\n  name").repeat(300);
    gates_of(&bombs).ended(2);
    for text in [
        "",
        "{}",
        "a: 1\n",
        "text",
        "[",
        "\u{0}",
        &bomb,
        &deep,
        &"- {\n".repeat(100_000),
    ] {
        gates_of(text).ended(2).says(&["error: ", "help: "]);
    }
    run_on("", &["import", "feature-gates"]).ended(2);
}

#[test]
fn releases_come_from_json_and_from_csv() {
    let json = r#"[
  {"cycle": "1.10", "releaseDate": "2020-09-01", "eol": false},
  {"cycle": "1.9", "releaseDate": "2020-05-01", "eol": "2021-01-01"},
  {"cycle": "1.8", "releaseDate": "2020-01-01"}
]"#;
    let expected = "# Imported by `lifecycle import calendar` from -\n\n[calendar]\ncadence = { months = 4 }\n[calendar.releases]\n\
        \"1.8\" = 2020-01-01\n\"1.9\" = 2020-05-01\n\"1.10\" = 2020-09-01\n";
    for list in [
        json,
        DAYS,
        &DAYS.replace("release,date\n", ""),
        &DAYS.replace('\n', "\r\n"),
    ] {
        assert_eq!(days_of(list).ended(0).out, expected, "{list}");
    }
    let current = |name: &str| run_on(json, &["import", "calendar", "-", "--current", name]);
    current("1.9").ended(0).says(&["current = \"1.9\""]);
    current("1.11").ended(2).says(&["no such release", "help: "]);
}

#[test]
fn unusable_releases_are_reported_with_their_line() {
    let cases = [
        (
            "1.8,2020-01-01\nstable,2020-05-01\n",
            1,
            "-:2: `stable` is not the name",
        ),
        ("1.8,2020-01-01\n1.9,soon\n", 1, "-:2: `soon`, the date of 1.9"),
        ("1.8,2020-01-01\n1.9,+99999-01-01\n", 1, "-:2: "),
        (
            "1.8,2020-01-01\n1.9\n",
            1,
            "-:2: expected 2 columns, release and date, found 1",
        ),
        ("1.8,2020-01-01\n1.8.1,2020-02-01\n", 1, "-:2: 1.8 is listed before"),
        (
            "1.8,2020-01-01\n1.9,2019-01-01\n",
            0,
            "1.9 is dated 2019-01-01, before 1.8",
        ),
        ("1.8,\n1.9,2019-01-01\n", 2, "release 1.8 has no date, but 1.9"),
        (
            "[\n{\"cycle\": \"1.8\", \"releaseDate\": \"2020-01-01\"},\n{\"cycle\": 7, \"releaseDate\": \"2020-01-01\"}]",
            1,
            "-:3: `cycle` is not a string",
        ),
        (
            "[{\"cycle\": \"1.8\", \"releaseDate\": \"2020-01-01\"},\n7]",
            1,
            "-:2: an entry without `cycle`",
        ),
        ("[{\"cycle\": \"1.8\",\n \"releaseDate\": \"2020-0", 2, "-:2:23: EOF"),
        ("[{\"cycle\": \"1.8\"}", 2, "-:1:18: expected `,` or `]`"),
        ("[] []", 2, "unexpected text after the array"),
        ("[", 2, "does not end"),
        ("{\"result\": []}", 2, "not a JSON array"),
        ("[]", 2, "no release"),
        ("", 2, "no release"),
    ];
    for (list, code, reported) in cases {
        days_of(list).ended(code).says(&[reported]);
    }
    days_of(&"[".repeat(100_000)).ended(2);
    days_of(&"x,y\n".repeat(100_000)).ended(2).says(&["more than 200"]);
}

#[test]
fn an_update_gives_releases_their_days_and_keeps_what_people_wrote() {
    let model = "[calendar]\ncurrent = \"1.8\" # shipped\n[calendar.releases]\n\"1.8\" = 2020-01-02 # late\n\"1.9\" = \"unscheduled\" # soon\n\n[behavior.own]\n";
    let files = folder(&[("days.csv", DAYS), ("m.toml", model)]);
    let run = run_in(
        &files,
        &[
            "import",
            "calendar",
            "days.csv",
            "--current",
            "1.9",
            "--update",
            "m.toml",
        ],
    );
    run.ended(1).says(&["2020-01-02", "2020-01-01"]);
    let after = get(&files, "m.toml");
    for line in [
        "current = \"1.9\" # shipped",
        "\"1.8\" = 2020-01-02 # late",
        "\"1.9\" = 2020-05-01 # soon",
        "\"1.10\" = 2020-09-01",
    ] {
        assert!(after.contains(line), "{line}\n{after}");
    }
    evaluate(&after).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
    }
    folder.map(PathBuf::from)
}

/// Name, release, stage, default, locked.
type Row = (String, String, String, bool, bool);

/// The stages of a list whose keys each have a line, read by their lines.
fn rows(list: &str) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    let (mut name, mut default, mut locked, mut stage) = (String::new(), false, false, String::new());
    for line in list.lines() {
        let Some((key, value)) = line.trim_start_matches([' ', '-']).split_once(": ") else {
            continue;
        };
        match key {
            "name" => value.clone_into(&mut name),
            "default" => default = value == "true",
            "lockToDefault" => locked = value == "true",
            "preRelease" => stage = value.to_lowercase(),
            "version" => {
                rows.insert((name.clone(), value.replace('"', ""), stage.clone(), default, locked));
            }
            _ => {}
        }
    }
    rows
}

#[test]
fn all_gates_of_the_real_list_come_back() {
    let Some(data) = data() else { return };
    let list = text(&data.join("gates/versioned_feature_list.yaml"));
    let run = gates_of(&list).ended(0);
    let mut diagnostics = Diagnostics::default();
    let model = Model::read(&[Document::parse(FileId(0), &run.out)], &mut diagnostics).unwrap();
    let found: BTreeSet<Row> = model
        .gates
        .iter()
        .flat_map(|gate| gate.specs.iter().map(move |spec| (gate, spec)))
        .map(|(gate, spec)| {
            let id = model.id(gate.element).to_string();
            let name = id.strip_prefix("gate ").unwrap_or(&id).to_owned();
            (
                name,
                model.calendar.name(spec.since),
                spec.stage.as_str().to_owned(),
                spec.default,
                spec.locked,
            )
        })
        .collect();
    let expected = rows(&list);
    assert_eq!(expected.len(), list.matches("preRelease:").count());
    assert_eq!(found, expected);
}

#[test]
fn a_truncated_list_is_imported_as_far_as_it_goes_or_refused() {
    let json = r#"[{"cycle": "1.8", "releaseDate": "2020-01-01"}, {"cycle": "1.9ü", "releaseDate": []}]"#;
    for list in [LIST, DAYS, json] {
        for (end, _) in list.char_indices() {
            let mut found = FeatureGates::default();
            let added = found.add("list", &list[..end]);
            let whole = found.gates.get("Glow").is_none_or(|specs| specs.len() == 2);
            assert!(whole || added.is_ok() && found.notices.is_empty(), "{end}");
            let mut found = ReleaseDates::default();
            let added = found.add("list", &list[..end]);
            assert!(added.is_ok() || found.releases.is_empty(), "{end}");
        }
    }
}

#[test]
fn the_library_adds_texts_to_one_list() {
    let gates = FeatureGates::read([("one", LIST), ("again", LIST)]).unwrap();
    assert_eq!(gates.notices, [], "a repetition is not reported");
    assert_eq!(gates.gates.len(), 2);
    let days = calendar::import([("days", DAYS)], None).unwrap();
    assert_eq!(days.notices, []);
    assert_eq!(days.draft.calendar.releases.len(), 3);
}
