//! Lists of deprecated API versions of other tools: what models they make, what lists models make, and that the two
//! agree.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lifecycle::import::deprecation_lists::{Api, DeprecationList, ListedApi, Tool, draft};
use lifecycle::import::write;
use lifecycle::release::ReleaseName;
use lifecycle::text::Unreadable;

use crate::program::{MODEL, Run, finish, folder, program, run_on};
use crate::support::evaluate;

const PLUTO: &str = r#"deprecated-versions:
  - version: example.com/v1beta1
    kind: Bolt
    deprecated-in: v1.4.0
    removed-in: v1.6.0
    replacement-api: example.com/v1
    replacement-available-in: v1.3.0
    component: works
  - version: v1
    kind: Binding
    deprecated-in: v1.7.0
    removed-in: ""
    replacement-api: ""
    component: works
target-versions:
  works: v1.5.0
"#;

const KUBEPUG: &str = r#"[
  {
    "group": "example.com", "version": "v1beta1", "kind": "Bolt", "description": "A bolt.",
    "introduced_version": { "version_major": 1, "version_minor": 2 },
    "deprecated_version": { "version_major": 1, "version_minor": 4 },
    "removed_version": { "version_major": 1, "version_minor": 6 },
    "replacement": { "group": "example.com", "version": "v1", "kind": "Screw" }
  },
  {
    "group": "", "version": "v1", "kind": "Binding",
    "introduced_version": { "version_major": 1, "version_minor": 0 },
    "deprecated_version": { "version_major": 1, "version_minor": 7 },
    "removed_version": { "version_major": 0, "version_minor": 0 }
  }
]
"#;

/// When each kind of a list is deprecated and removed.
fn ends(entries: &[ListedApi]) -> BTreeSet<(Api, Option<String>, Option<String>)> {
    let name = |release: &Option<ReleaseName>| release.as_ref().map(ToString::to_string);
    let of = |entry: &ListedApi| (entry.api.clone(), name(&entry.deprecated), name(&entry.removed));
    entries.iter().map(of).collect()
}

/// Checks that a list has the entries of another, with the same replacements.
#[track_caller]
fn comes_back(again: &[ListedApi], entries: &[ListedApi]) {
    let ends_again = ends(again);
    let ends = ends(entries);
    assert_eq!(ends.difference(&ends_again).collect::<Vec<_>>(), Vec::<&_>::new());
    assert_eq!(ends_again.difference(&ends).collect::<Vec<_>>(), Vec::<&_>::new());
    for entry in entries.iter().filter(|entry| entry.replacement.is_some()) {
        let other = again.iter().find(|other| other.api == entry.api).expect("it came back");
        assert_eq!(other.replacement, entry.replacement, "{:?}", entry.api);
    }
}

fn skipped(list: &DeprecationList) -> Vec<String> {
    let line = |error: &Unreadable| format!("{}: {error}", error.line);
    list.skipped.iter().map(line).collect()
}

/// Both lists, made by the program from a model.
fn exported(model: &str, more: &[&str]) -> (DeprecationList, DeprecationList) {
    let run = |tool: &str| run_on(model, &[&["export", tool, "-"], more].concat()).ended(0).out;
    let of_pluto = Tool::Pluto.read(&run("pluto")).expect("the list can be read");
    let of_kubepug = Tool::Kubepug.read(&run("kubepug")).expect("the list can be read");
    assert_eq!(of_pluto.skipped, []);
    assert_eq!(of_kubepug.skipped, []);
    (of_pluto, of_kubepug)
}

/// The model that a list makes, which must be one.
fn model_of(entries: &[ListedApi]) -> String {
    let drafted = draft(entries);
    assert_eq!(drafted.skipped, []);
    let text = write(&drafted.draft);
    evaluate(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"));
    text
}

#[test]
fn an_entry_of_pluto_is_a_kind_and_an_assumed_introduction_is_marked() {
    let run = run_on(PLUTO, &["import", "pluto", "-"]).ended(0);
    let assumed = "were introduced: 1 kind of a version begin in 1.2";
    assert!(
        run.err.contains("kinds of a version begin in 1.2") || run.err.contains(assumed),
        "{}",
        run.err
    );
    assert!(
        run.out.contains("# The list does not state when kinds were introduced"),
        "{}",
        run.out
    );
    for line in [
        r#"v1beta1 = { introduced = "1.2", deprecated = "1.4", removed = "1.6", replacement = "example.com/v1" }"#,
        r#"v1 = { introduced = "1.3" }"#,
        r#"v1 = { introduced = "1.2", deprecated = "1.7" }"#,
        r#""1.5" = "unscheduled""#,
    ] {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
}

#[test]
fn an_entry_of_kubepug_states_its_introduction() {
    let run = run_on(KUBEPUG, &["import", "kubepug", "-"]).ended(0);
    assert!(!run.out.contains("does not state when"), "{}", run.out);
    for line in [
        r#"v1beta1 = { introduced = "1.2", deprecated = "1.4", removed = "1.6", replacement = "example.com/v1 Screw" }"#,
        r#"v1 = { introduced = "1.0", deprecated = "1.7" }"#,
    ] {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
}

#[test]
fn an_imported_list_can_be_exported_again() {
    for listed in [Tool::Pluto.read(PLUTO), Tool::Kubepug.read(KUBEPUG)] {
        let entries = listed.expect("the list can be read").entries;
        let (of_pluto, of_kubepug) = exported(&model_of(&entries), &[]);
        comes_back(&of_kubepug.entries, &entries);
        // A list of pluto has no kind of a replacement.
        assert_eq!(ends(&of_pluto.entries), ends(&entries));
    }
}

#[test]
fn planned_events_are_exported_only_on_request() {
    let model = MODEL.replace(", removed = \"1.4\"", "") + "[group.\"example.com\".kind.Bolt]\n";
    let (declared, _) = exported(&model, &[]);
    let [entry] = declared.entries.as_slice() else {
        panic!("{:?}", declared.entries)
    };
    assert!(entry.deprecated.is_some() && entry.removed.is_none(), "{entry:?}");
    let (planned, _) = exported(&model, &["--planned"]);
    assert!(
        planned.entries.iter().any(|entry| entry.removed.is_some()),
        "{:?}",
        planned.entries
    );
}

#[test]
fn a_version_without_kinds_is_reported() {
    let run = run_on(MODEL, &["export", "pluto", "-"]).ended(0);
    assert!(run.out.starts_with("deprecated-versions: []\n"), "{}", run.out);
    let reported = "not in the list: example.com/v1beta1: the model declares none of its kinds";
    assert!(run.err.contains(reported), "{}", run.err);
}

#[test]
fn the_history_of_kubernetes_comes_back_from_both_lists() {
    let model = include_str!("../golden/kubernetes/lifecycle.toml");
    let (of_pluto, of_kubepug) = exported(model, &[]);
    assert!(of_kubepug.entries.len() > 10, "{}", of_kubepug.entries.len());
    assert_eq!(of_pluto.entries.len(), of_kubepug.entries.len());
    for listed in [of_pluto, of_kubepug] {
        let (first, second) = exported(&model_of(&listed.entries), &[]);
        let again = if listed.entries.iter().any(|entry| entry.component.is_some()) {
            first
        } else {
            second
        };
        comes_back(&again.entries, &listed.entries);
    }
}

#[test]
fn a_wrong_entry_is_reported_with_its_line_and_hides_no_other() {
    let list = PLUTO.replace(
        "target-versions:",
        "  - nonsense\n  - { version: a/v1, kind: [Bolt], deprecated-in: v1.1 }\n  - { version: a/v1, deprecated-in: v1.1 }\n  \
         - { version: a/v1, kind: Nut, deprecated-in: soon }\n  - { version: a/v1, kind: Nut, removed-in: 1.10 }\n  \
         - { version: words, kind: Nut, removed-in: v1.1 }\n  - { version: a/b/c, kind: Nut, removed-in: v1.1 }\n  \
         - { version: a/v1, kind: Nut, removed-in: v1.4, owner: me, component: works }\ntarget-versions:",
    );
    let listed = Tool::Pluto.read(&list).expect("the list can be read");
    assert_eq!(listed.entries.len(), 3);
    let expected = [
        "15: expected a table, found a string",
        "16: `kind` is a list: write it as a string, in quotes",
        "17: `kind` is missing",
        "18: `deprecated-in` is not a release: write it as v1.25.0",
        "19: `removed-in` is a number: write it as a string, in quotes",
        "20: `version` is neither GROUP/VERSION nor VERSION",
        "21: `version` has characters that a name cannot have",
        "22: ignored unknown keys: `owner`",
    ];
    assert_eq!(skipped(&listed), expected);
    let list = KUBEPUG.replacen("[\n", "[\n1,\n{\"version\": \"v1\", \"kind\": 2},\n", 1);
    let listed = Tool::Kubepug.read(&list).expect("the list can be read");
    assert_eq!(listed.entries.len(), 2);
    let expected = [
        "2: expected a table, found a number",
        "3: `kind` is a number: write it as a string, in quotes",
    ];
    assert_eq!(skipped(&listed), expected);
}

#[test]
fn contradicting_entries_are_reported_and_the_first_counts() {
    let entry = |kind: &str, deprecated: &str, removed: &str| {
        format!("  - {{ version: a/v1, kind: {kind}, deprecated-in: {deprecated}, removed-in: {removed} }}\n")
    };
    let list = [
        "deprecated-versions:\n".to_owned(),
        entry("Bolt", "v1.4", "v1.6"),
        entry("Bolt", "v1.4", "v1.7"),
        entry("Bolt", "v1.4", "v1.6"),
        entry("Nut", "v1.4", "v1.3"),
        entry("Nut", "\"\"", "\"\""),
    ];
    let run = run_on(list.concat(), &["import", "pluto", "-"]).ended(0);
    for reported in [
        ":3: a/v1 Bolt is also in line 2 with other values, which counts",
        ":4: a/v1 Bolt is also in line 2, which counts",
        ":5: removed in 1.3, before it is deprecated in 1.4",
        ":6: neither a deprecation nor a removal is stated",
    ] {
        assert!(run.err.contains(reported), "{reported}\n{}", run.err);
    }
    assert!(run.out.contains(r#"removed = "1.6""#), "{}", run.out);
}

#[test]
fn a_model_is_of_one_product() {
    let list = PLUTO.replacen("component: works", "component: other", 1);
    let run = run_on(&list, &["import", "pluto", "-"]).ended(2);
    assert!(
        run.err.contains("choose one with --component: `other`, `works`"),
        "{}",
        run.err
    );
    let run = run_on(&list, &["import", "pluto", "-", "--component", "works"]).ended(0);
    assert!(!run.out.contains("Bolt") && run.out.contains("Binding"), "{}", run.out);
    let run = run_on(&list, &["import", "pluto", "-", "--component", "none"]).ended(2);
    assert!(run.err.contains("no entry of the component `none`"), "{}", run.err);
}

#[test]
fn an_existing_file_is_not_overwritten() {
    let folder = folder(&[("list.yaml", PLUTO), ("lifecycle.toml", "mine")]);
    let import = |output: &str| -> Run {
        let arguments = ["import", "pluto", "list.yaml", "-o", output];
        finish(program(folder.path(), &arguments), b"")
    };
    assert!(import("lifecycle.toml").ended(2).err.contains("the file exists"));
    assert_eq!(text(&folder.path().join("lifecycle.toml")), "mine");
    import("list.yaml").ended(2);
    import("new.toml").ended(0);
    assert!(text(&folder.path().join("new.toml")).contains("Bolt"));
}

/// A model of which some is listed: brought up to date with a list, and once more.
fn updated(tool: &str, list: &str, model: &str, code: i32) -> (String, String) {
    let folder = folder(&[("list", list), ("m.toml", model)]);
    let import = || {
        let arguments = ["import", tool, "list", "--update", "m.toml"];
        finish(program(folder.path(), &arguments), b"").ended(code)
    };
    let reported = import().err;
    let after = text(&folder.path().join("m.toml"));
    evaluate(&after).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{after}"));
    assert!(import().err.contains("already up to date"));
    assert_eq!(text(&folder.path().join("m.toml")), after);
    (after, reported)
}

const OWN: &str = r#"[calendar]
current = "1.4"
[calendar.releases]
"1.2" = 2023-01-01
"1.3" = 2023-05-01
"1.4" = 2023-09-01

[group."example.com".version]
v1 = { introduced = "1.2" }
# Ours.
v1beta1 = { introduced = "1.2", deprecated = "1.4" }
[group."example.com".kind]
Bolt = { owner = "us" }
Nut = { versions = ["v1beta1"] }
"#;

#[test]
fn an_update_adds_new_statements_and_keeps_what_people_wrote() {
    let (after, reported) = updated("pluto", PLUTO, OWN, 0);
    assert!(!reported.contains("example.com"), "{reported}");
    for line in [
        "# Ours.\nv1beta1 = { introduced = \"1.2\", deprecated = \"1.4\" }\n",
        "Bolt = { owner = \"us\", version.v1beta1 = { removed = \"1.6\", replacement = \"example.com/v1\" } }\n",
        "Nut = { versions = [\"v1beta1\"] }\n",
        "\"1.4\" = 2023-09-01\n\"1.5\" = \"unscheduled\"\n",
        "[group.core.kind.Binding]\nversion.v1 = { deprecated = \"1.7\" }\n",
    ] {
        assert!(after.contains(line), "{line}\n{after}");
    }
    assert!(
        reported.contains("1 kind of a version begin in 1.2, the first release of the calendar"),
        "{reported}"
    );
}

#[test]
fn an_update_reports_contradictions_with_the_model_and_changes_nothing_there() {
    let own = OWN.replace(
        "deprecated = \"1.4\"",
        "deprecated = \"1.3\", removed = \"1.5\", replacement = \"v1\"",
    );
    let own = own.replace("\"1.4\" = 2023-09-01\n", "\"1.4\" = 2023-09-01\n\"1.5\" = 2024-01-01\n");
    let of_bolt = KUBEPUG.replace("\"version_minor\": 0", "\"version_minor\": 3");
    let (after, reported) = updated("kubepug", &of_bolt, &own, 1);
    for words in [
        "example.com/v1beta1 Bolt: the model declares it deprecated in 1.3, the list in 1.4",
        "example.com/v1beta1 Bolt: the model declares it removed in 1.5, the list in 1.6",
        "example.com/v1beta1 Bolt: the model declares it replaced by example.com/v1 Bolt, the list by example.com/v1 Screw",
    ] {
        assert!(reported.contains(words), "{words}\n{reported}");
    }
    assert!(reported.matches("error[model: imported]").count() == 3, "{reported}");
    assert!(
        after.contains("Bolt = { owner = \"us\" }\n") && !after.contains("Screw"),
        "{after}"
    );
}

#[test]
fn an_update_leaves_out_what_its_calendar_does_not_reach() {
    let list = PLUTO.replace("v1.7.0", "v1.0.0");
    let (after, reported) = updated("pluto", &list, OWN, 0);
    assert!(
        reported.contains("list:9: core/v1 Binding: left out because the model's calendar lacks 1.0"),
        "{reported}"
    );
    assert!(!after.contains("Binding"), "{after}");
    let early = "deprecated-versions:\n - {version: a/v1, kind: A, removed-in: v1.2}\n";
    let (after, reported) = updated("pluto", early, OWN, 0);
    assert!(
        reported.contains("removed before the model's calendar begins"),
        "{reported}"
    );
    assert_eq!(after, OWN);
}

#[test]
fn hostile_lists_end_with_an_error() {
    let deep = |open: &str| open.repeat(100_000);
    let bomb: String = (1..30).fold("a: &a0 [x]\n".to_owned(), |text, at| {
        let before = format!("*a{}, ", at - 1).repeat(9);
        text + &format!("b{at}: &a{at} [{before}]\n")
    });
    let yaml = [
        String::new(),
        "deprecated-versions: 3\n".to_owned(),
        "deprecated-versions: []\n".to_owned(),
        "other: []\n".to_owned(),
        "deprecated-versions: [\u{1b}[31m".to_owned(),
        "deprecated-versions: [\n- }".to_owned(),
        format!("deprecated-versions: {}", deep("[")),
        format!("deprecated-versions:\n  - {}", deep("{a: ")),
        format!("{bomb}deprecated-versions: *a29\n"),
        "deprecated-versions:\n - {version: a/v1, kind: A, removed-in: v99999999999999999999.1}\n".to_owned(),
    ];
    let json = [
        String::new(),
        "{}".to_owned(),
        "[".to_owned(),
        "[]".to_owned(),
        "[{}".to_owned(),
        "[{},]".to_owned(),
        "[{}] x".to_owned(),
        deep("["),
        format!("[{}", deep("{\"a\":")),
        "[{\"group\": 1, \"group\": 2}]".to_owned(),
        "[{\"a\": \u{1b}}]".to_owned(),
    ];
    for (tool, lists) in [("pluto", yaml.as_slice()), ("kubepug", &json)] {
        for list in lists {
            let run = run_on(list, &["import", tool, "-"]).ended(2);
            assert!(run.out.is_empty(), "{}", run.out);
            assert!(
                run.err.contains("-:") || run.err.contains("standard input"),
                "{}",
                run.err
            );
            assert!(!run.err.contains('\u{1b}'), "{}", run.err);
        }
    }
}

#[test]
fn far_releases_and_hostile_names_make_a_model_all_the_same() {
    let list = "deprecated-versions:\n - {version: a/v1, kind: \"A\\\"]\\u00e9#\", removed-in: v1.4000000000}\n \
                - {version: a/v1, kind: B, removed-in: v1.2, replacement-api: b.c/v9}\n - {version: a/v1, kind: C, deprecated-in: v0.0}\n";
    let listed = Tool::Pluto.read(list).expect("the list can be read");
    let (again, _) = exported(&model_of(&listed.entries), &[]);
    comes_back(&again.entries, &listed.entries);
}

#[expect(clippy::disallowed_methods, reason = "files of the test")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn the_lists_that_the_tools_come_with_come_back() {
    let Some(data) = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty()) else {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
        return;
    };
    let peers = PathBuf::from(data).join("peers");
    if !peers.is_dir() {
        eprintln!("skipped: there are no lists");
        return;
    }
    let listed = Tool::Pluto
        .read(&text(&peers.join("pluto-versions.yaml")))
        .expect("the list can be read");
    assert!(
        !listed.entries.is_empty() && listed.skipped.len() <= 2,
        "{:?}",
        listed.skipped
    );
    for component in ["k8s", "cert-manager"] {
        let of = |entry: &&ListedApi| entry.component.as_deref() == Some(component);
        let entries: Vec<ListedApi> = listed.entries.iter().filter(of).cloned().collect();
        let drafted = draft(&entries);
        for skipped in &drafted.skipped {
            eprintln!("{component}: {}: {skipped}", skipped.line);
        }
        let left_out: BTreeSet<u32> = drafted.skipped.iter().map(|skipped| skipped.line).collect();
        let kept: Vec<ListedApi> = entries
            .into_iter()
            .filter(|entry| !left_out.contains(&entry.line))
            .collect();
        let (again, _) = exported(&write(&drafted.draft), &[]);
        comes_back(&again.entries, &kept);
    }
    let listed = Tool::Kubepug
        .read(&text(&peers.join("kubepug-sample.json")))
        .expect("the list can be read");
    assert_eq!(listed.skipped, []);
    let (_, again) = exported(&model_of(&listed.entries), &[]);
    comes_back(&again.entries, &listed.entries);
}

#[test]
fn a_new_kind_has_its_own_replacement_where_its_version_has_another() {
    let own = OWN.replace(
        "deprecated = \"1.4\"",
        "deprecated = \"1.4\", removed = \"1.6\", replacement = \"v1\"",
    );
    let own = own.replace(
        "\"1.4\" = 2023-09-01\n",
        "\"1.4\" = 2023-09-01\n\"1.5\" = 2024-01-01\n\"1.6\" = 2024-05-01\n",
    );
    let of_pin = KUBEPUG.replace("Bolt", "Pin").replace("Screw", "Bolt");
    let (after, reported) = updated("kubepug", &of_pin, &own, 0);
    assert!(!reported.contains("the model declares"), "{reported}");
    assert!(
        after.contains("version.v1beta1 = { replacement = \"example.com/v1 Bolt\" }"),
        "{after}"
    );
}

#[test]
fn kinds_that_are_lists_of_listed_kinds_are_left_out_and_counted() {
    let list = KUBEPUG.replacen(
        '[',
        &format!(
            "[{},",
            KUBEPUG
                .trim()
                .trim_matches(['[', ']'])
                .replace("\"Bolt\"", "\"BoltList\"")
                .replace("Binding", "PlayList")
        ),
        1,
    );
    let folder = folder(&[("list", &list)]);
    let run = finish(program(folder.path(), &["import", "kubepug", "list"]), b"").ended(0);
    assert!(
        run.err
            .contains("list: left out 1 kind that is only a list of another kind: BoltList\n"),
        "{}",
        run.err
    );
    assert!(
        !run.out.contains("BoltList") && run.out.contains("PlayList"),
        "{}",
        run.out
    );
    let (after, reported) = updated(
        "kubepug",
        &list.replace("\"Bolt\"", "\"Nail\"").replace("Screw", "Bolt"),
        OWN,
        0,
    );
    assert!(
        reported.contains("left out 1 kind"),
        "of a kind that is named as a replacement: {reported}"
    );
    assert!(!after.contains("BoltList"), "{after}");
}

#[test]
fn a_group_may_have_slashes_in_its_name() {
    let model = "calendar = { current = \"1.1\", cadence = { months = 4 }, releases = { \"1.0\" = 2024-01-10, \"1.1\" = 2024-05-10 } }\n\
        [group.\"example.com/team\".version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.1\" }\n\
        [group.\"example.com/team\".kind]\nWidget = {}\n";
    for (tool, listed) in [
        ("pluto", "version: \"example.com/team/v1beta1\""),
        ("kubepug", "\"group\": \"example.com/team\""),
    ] {
        let list = run_on(model, &["export", tool, "-"]).ended(0).out;
        assert!(list.contains(listed), "{list}");
    }
}
