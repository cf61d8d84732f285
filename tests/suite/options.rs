//! The built program's options for checking: levels, exceptions, baselines, files that are written, proposed removals.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use lifecycle::render::formats::REPORT_FORMATS;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{CALENDAR, MODEL, Run, finish, folder, program, run_in, run_on, write};

/// A model with one finding, which is `version-lifetime: early`, an error.
fn early() -> String {
    MODEL.replace("removed = \"1.4\"", "removed = \"1.2\"")
}

#[expect(clippy::disallowed_methods, reason = "the test is about what was written")]
fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the file can be read")
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).expect("the answer is JSON")
}

/// The severities of the findings of a run with this rule.
fn severities(folder: &TempDir, rule: &str, arguments: &[&str]) -> Vec<String> {
    let all = [&["check", "--fail-on", "never", "--format", "json"], arguments].concat();
    let report = json(&run_in(folder, &all).ended(0));
    let findings = report["diagnostics"].as_array().expect("a list").iter();
    findings
        .filter(|finding| finding["rule"] == rule)
        .map(|finding| finding["severity"].as_str().expect("a word").to_owned())
        .collect()
}

mod levels {
    use super::*;

    fn lifetime(folder: &TempDir, arguments: &[&str]) -> Vec<String> {
        severities(folder, "version-lifetime", arguments)
    }

    #[test]
    fn a_rule_or_a_finding_is_named_by_slug_or_number() {
        let folder = folder(&[("lifecycle.toml", &early())]);
        assert_eq!(lifetime(&folder, &[]), ["error"]);
        for name in [
            "version-lifetime",
            "4a",
            "#4a",
            "version-lifetime:early",
            "4a:early",
            "#4a:early",
            "version-lifetime #4a: early",
        ] {
            assert_eq!(lifetime(&folder, &["-A", name]), [""; 0], "{name}");
            assert_eq!(lifetime(&folder, &["-W", name]), ["warning"], "{name}");
            assert_eq!(lifetime(&folder, &["-D", name]), ["error"], "{name}");
        }
        assert_eq!(lifetime(&folder, &["-A", "4a:overdue"]), ["error"]);
        run_in(&folder, &["check", "-A", "4a"])
            .ended(0)
            .says(&["no policy violations"]);
        run_in(&folder, &["check", "--warn", "4a"])
            .ended(0)
            .says(&["1 warning"]);
    }

    #[test]
    fn the_number_is_that_of_the_policy_that_judges() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        for (name, policy, code) in [
            ("8a", "kubernetes-2019", 0),
            ("8a", "kubernetes", 2),
            ("10", "kubernetes-2025", 0),
        ] {
            run_in(&folder, &["check", "-A", name, "--policy", policy]).ended(code);
        }
    }

    #[test]
    fn a_code_without_its_rule_is_answered_with_the_rule() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        run_in(&folder, &["check", "-A", "list-type-changed"])
            .ended(2)
            .says(&["did you mean `element-removal:list-type-changed`?"]);
        run_in(&folder, &["check", "-A", "early"])
            .ended(2)
            .says(&["name it with its rule: `version-lifetime:early`"]);
    }

    #[test]
    fn what_is_suggested_for_a_code_without_its_rule_is_accepted() {
        let gauge = "[metric.gauge]\nspecs = [{ stage = \"STABLE\", since = \"1.0\" }]\n";
        for (levels, suggestion) in [
            (
                "hidden-early = \"warning\"",
                "metric-lifetime.hidden-early = \"warning\"",
            ),
            (
                "\"9b:hidden-early\" = \"note\"",
                "metric-deprecation.hidden-early = \"note\"",
            ),
            (
                "list-type-changed = \"off\"",
                "element-removal.list-type-changed = \"off\"",
            ),
        ] {
            let text = |levels: &str| format!("levels = {{ {levels} }}\n{MODEL}{gauge}");
            let folder = folder(&[("lifecycle.toml", &text(levels))]);
            run_in(&folder, &["check"])
                .ended(2)
                .says(&["unknown-rule", &format!("`{suggestion}`")]);
            write(&folder, "lifecycle.toml", text(suggestion).as_bytes());
            run_in(&folder, &["check"]).ended(0);
        }
        // Of the rules with such a finding, one is in force.
        let text = format!("policy = \"o.toml\"\nlevels = {{ hidden-early = \"note\" }}\n{MODEL}{gauge}");
        let policy = "name = \"o\"\nextends = \"kubernetes\"\n[rule.metric-lifetime]\noff = true\n";
        let folder = folder(&[("lifecycle.toml", &text), ("o.toml", policy)]);
        run_in(&folder, &["check"])
            .ended(2)
            .says(&["did you mean `metric-deprecation.hidden-early = \"note\"`?"]);
    }

    #[test]
    fn one_for_a_finding_counts_more_than_one_for_its_rule() {
        let folder = folder(&[("lifecycle.toml", &early())]);
        for arguments in [&["-A", "4a", "-D", "4a:early"], &["-D", "4a:early", "-A", "4a"]] {
            assert_eq!(lifetime(&folder, arguments), ["error"]);
        }
        for arguments in [&["-D", "4a", "-A", "4a:early"], &["-A", "4a:early", "-D", "4a"]] {
            assert_eq!(lifetime(&folder, arguments), [""; 0]);
        }
        for levels in [
            "version-lifetime.early = \"warning\"\n4a = \"off\"",
            "4a = \"off\"\nversion-lifetime.early = \"warning\"",
        ] {
            write(
                &folder,
                "lifecycle.toml",
                format!("{}[levels]\n{levels}\n", early()).as_bytes(),
            );
            assert_eq!(lifetime(&folder, &[]), ["warning"], "{levels}");
        }
    }

    #[test]
    fn the_command_line_counts_more_than_the_model_and_that_more_than_the_policy() {
        let policy =
            "name = \"o\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\nseverity = { early = \"note\" }\n";
        let own = format!("policy = \"o.toml\"\n{}", early());
        let folder = folder(&[("lifecycle.toml", &own), ("o.toml", policy)]);
        assert_eq!(lifetime(&folder, &[]), ["note"]);
        let graded = format!("{own}[levels]\nversion-lifetime.early = \"warning\"\n");
        write(&folder, "lifecycle.toml", graded.as_bytes());
        assert_eq!(lifetime(&folder, &[]), ["warning"]);
        assert_eq!(lifetime(&folder, &["-D", "4a"]), ["error"]);
        assert_eq!(lifetime(&folder, &["-A", "4a"]), [""; 0]);
    }

    #[test]
    fn what_the_policy_turns_off_can_be_turned_on() {
        let policy =
            "name = \"o\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\nseverity = { early = \"off\" }\n";
        let folder = folder(&[("lifecycle.toml", &early()), ("o.toml", policy)]);
        assert_eq!(lifetime(&folder, &["--policy", "o.toml"]), [""; 0]);
        assert_eq!(lifetime(&folder, &["--policy", "o.toml", "-W", "4a"]), ["warning"]);
    }

    #[test]
    fn findings_that_are_no_rules_are_graded_by_policy_model_and_command_line() {
        let exception =
            "[[exception]]\nrule = \"4a:early\"\nelement = \"example.com/v1\"\nreason = \"r\"\napproved-by = \"a\"\n";
        let policy = "name = \"o\"\nextends = \"kubernetes\"\n[rule.exception]\nseverity = { unneeded = \"error\" }\n";
        let text = format!("{MODEL}{exception}");
        let folder = folder(&[("lifecycle.toml", &text), ("o.toml", policy)]);
        let found = |arguments: &[&str]| severities(&folder, "exception", arguments);
        assert_eq!(found(&[]), ["warning"]);
        assert_eq!(found(&["--policy", "o.toml"]), ["error"]);
        assert_eq!(found(&["--policy", "o.toml", "-W", "exception"]), ["warning"]);
        assert_eq!(found(&["-A", "exception:unneeded"]), [""; 0]);
        write(
            &folder,
            "lifecycle.toml",
            format!("{text}[levels]\nexception = \"note\"\n").as_bytes(),
        );
        assert_eq!(found(&["--policy", "o.toml"]), ["note"]);
    }

    #[test]
    fn an_unknown_rule_or_finding_is_refused_with_a_suggestion() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        for (level, words) in [
            ("versoin-lifetime", "did you mean `version-lifetime`?"),
            ("4a:erly", "did you mean `early`?"),
            ("4z", "help: "),
            ("4a:", "help: "),
            (":early", "help: "),
            ("", "help: "),
            ("contradiction", "help: "),
            ("model", "help: "),
        ] {
            for command in ["check", "plan", "fix", "rules", "exceptions"] {
                run_in(&folder, &[command, "-W", level])
                    .ended(2)
                    .says(&[&format!("-W {level}"), words]);
            }
        }
        for (policy, place) in [
            ("name = \"o\"\nextends = \"kubernetes\"\n[rule.exceptoin]\n", "o.toml:3"),
            (
                "name = \"o\"\nextends = \"kubernetes\"\n[rule.exception]\nseverity = { uneeded = \"off\" }\n",
                "o.toml:4:14",
            ),
        ] {
            write(&folder, "o.toml", policy.as_bytes());
            run_in(&folder, &["check", "--policy", "o.toml"])
                .ended(2)
                .says(&["did you mean", place]);
        }
        for (levels, words) in [
            (
                "versoin-lifetime = \"off\"",
                ["did you mean `version-lifetime`?", "lifecycle.toml:14:1"],
            ),
            ("4a.erly = \"off\"", ["did you mean `early`?", "lifecycle.toml:14:4"]),
            ("4a = \"of\"", ["did you mean `off`?", "lifecycle.toml:14:6"]),
            ("4a = 1", ["help: ", "lifecycle.toml:14:6"]),
            ("4a.early.x = \"off\"", ["help: ", "lifecycle.toml:14"]),
        ] {
            write(
                &folder,
                "lifecycle.toml",
                format!("{MODEL}[levels]\n{levels}\n").as_bytes(),
            );
            run_in(&folder, &["check"]).ended(2).says(&words);
        }
    }

    #[test]
    fn a_rule_that_is_not_in_force_is_not_graded() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        run_in(
            &folder,
            &["check", "-A", "metric-lifetime", "--policy", "kubernetes-2019"],
        )
        .ended(2)
        .says(&["not in force in kubernetes-2019", "help: "]);
    }

    #[test]
    fn rules_lists_who_sets_each_severity() {
        let policy = "name = \"o\"\nextends = \"kubernetes\"\n\
                      [rule.cli-warning]\nseverity = { no-warning = \"note\" }\n[rule.exception]\nseverity = { expired = \"error\" }\n";
        let text =
            format!("policy = \"o.toml\"\n{MODEL}[levels]\nversion-lifetime = \"warning\"\n9a.early = \"off\"\n");
        let folder = folder(&[("lifecycle.toml", &text), ("o.toml", policy)]);
        let report = json(&run_in(&folder, &["rules", "--format", "json", "-D", "4a:early"]).ended(0));
        let outside = report["outside"].as_array().expect("a list");
        let rules = report["editions"][0]["rules"]
            .as_array()
            .expect("a list")
            .iter()
            .chain(outside);
        let all: Vec<&Value> = rules.collect();
        let of = |slug: &str, code: &str| {
            let rule = all.iter().find(|rule| rule["rule"] == slug).expect("the rule is there");
            let findings = rule["findings"].as_array().expect("a list");
            let finding = findings
                .iter()
                .find(|finding| finding["code"] == code)
                .expect("the finding is there");
            let word = |value: &Value| value.as_str().expect("a word").to_owned();
            (word(&finding["severity"]["ga"]), word(&finding["set_by"]))
        };
        let reported = |severity: &str, by: &str| (severity.to_owned(), by.to_owned());
        assert_eq!(of("version-lifetime", "early"), reported("error", "-D 4a:early"));
        assert_eq!(
            of("version-lifetime", "overdue"),
            reported("warning", "lifecycle.toml:15")
        );
        assert_eq!(of("metric-lifetime", "early"), reported("off", "lifecycle.toml:16"));
        assert_eq!(
            of("metric-lifetime", "hidden-early"),
            reported("error", "policy kubernetes")
        );
        assert_eq!(of("cli-warning", "no-warning"), reported("note", "policy, o.toml:4"));
        assert_eq!(of("exception", "expired"), reported("error", "policy, o.toml:6"));
        assert_eq!(of("exception", "unneeded"), reported("warning", "default"));
        for format in ["table", "markdown"] {
            run_in(&folder, &["rules", "--format", format, "-D", "4a:early"])
                .ended(0)
                .says(&[
                    "-D 4a:early",
                    "lifecycle.toml:15",
                    "policy, o.toml:4",
                    "policy, o.toml:6",
                ]);
        }
    }

    #[test]
    fn rules_needs_no_model() {
        let empty = folder(&[(
            "p.toml",
            "name = \"p\"\nextends = \"kubernetes\"\n[rule.cli-warning]\noff = true\n",
        )]);
        for format in ["table", "json", "markdown"] {
            for policy in ["kubernetes", "kubernetes-2019", "p.toml"] {
                let run = run_in(&empty, &["rules", "--format", format, "--policy", policy, "-W", "4a"]).ended(0);
                assert!(
                    run.out.contains("-W 4a") && run.err.is_empty(),
                    "{format} {policy}: {}",
                    run.all()
                );
            }
        }
        run_in(&empty, &["rules", "--policy", "p.toml"])
            .ended(0)
            .says(&["not in force"]);
        run_in(&empty, &["rules", "-W", "4z"])
            .ended(2)
            .says(&["-W 4z", "help: "]);
        run_in(&empty, &["rules", "--policy", "q.toml"])
            .ended(2)
            .says(&["q.toml"]);
    }

    #[test]
    fn a_policy_without_edition_or_severities_is_listed_with_defaults() {
        let own = "name = \"own\"\n[rule.behavior-lifetime]\nall = { after-deprecation = { months = 1 } }\n";
        let model = "policy = \"own.toml\"\n[calendar.releases]\n\"1.0\" = 2024-01-31\n[behavior.b]\n";
        let folder = folder(&[("lifecycle.toml", model), ("own.toml", own)]);
        let run = run_in(&folder, &["rules"]).ended(0);
        assert!(run.out.starts_with("own\n"), "{}", run.out);
        let early = run.out.lines().find(|line| line.contains("behavior-lifetime"));
        assert!(early.is_some_and(|line| line.contains("default")), "{}", run.out);
    }

    #[test]
    fn rules_lists_the_editions_in_turn() {
        let text =
            format!("policy = [{{ use = \"kubernetes-2019\" }}, {{ use = \"kubernetes\", from = \"1.2\" }}]\n{MODEL}");
        let folder = folder(&[("lifecycle.toml", &text)]);
        let report = json(&run_in(&folder, &["rules", "--format", "json"]).ended(0));
        let editions = report["editions"].as_array().expect("a list");
        assert_eq!(editions.len(), 2);
        assert_eq!(editions[1]["from"], "1.2");
        let idle = |at: usize| {
            let rules = editions[at]["rules"].as_array().expect("a list");
            rules.iter().filter(|rule| rule["in_force"] == false).count()
        };
        assert_eq!((idle(0), idle(1)), (6, 4));
        run_in(&folder, &["rules"])
            .ended(0)
            .says(&["kubernetes-2019, edition 2019", "kubernetes, edition 2022, from 1.2"]);
        run_in(&folder, &["rules", "--format", "markdown"])
            .ended(0)
            .says(&["from 1.2"]);
    }
}

mod exceptions {
    use super::*;

    fn exception(element: &str, more: &str) -> String {
        format!(
            "[[exception]]\nrule = \"4a:early\"\nelement = \"{element}\"\nreason = \"no <use>\"\napproved-by = \"Åsa\"\n{more}"
        )
    }

    #[test]
    fn each_exception_is_listed_as_in_force_or_unneeded_or_expired() {
        let text = format!(
            "{}{}{}[group.other.version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.1\", removed = \"1.2\", replacement = \"v1\" }}\nv1 = {{ introduced = \"1.1\" }}\n{}",
            early(),
            exception("example.com/v1beta1", "until = \"1.4\"\n"),
            exception("example.com/v1", ""),
            exception("other/v1beta1", "until = \"1.2\"\n"),
        );
        let folder = folder(&[("lifecycle.toml", &text)]);
        let report = json(&run_in(&folder, &["exceptions", "--format", "json"]).ended(0));
        let list = report["exceptions"].as_array().expect("a list");
        let states: Vec<&Value> = list.iter().map(|exception| &exception["state"]).collect();
        assert_eq!(states, ["in-force", "unneeded", "expired"]);
        assert_eq!(list[0]["line"], 13);
        assert_eq!(list[0]["approved_by"], "Åsa");
        for format in ["table", "markdown"] {
            let run = run_in(&folder, &["exceptions", "--format", format]).ended(0);
            let run = run.says(&[
                "in-force",
                "unneeded",
                "expired",
                "Åsa",
                "lifecycle.toml:13",
                "example.com/v1beta1",
            ]);
            assert_eq!(run.err, "", "{format}");
        }
        run_in(&folder, &["check"])
            .ended(1)
            .says(&["has expired", "is not needed", "1 error, 2 warnings, 1 note"]);
    }

    #[test]
    fn there_may_be_none() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        assert_eq!(run_in(&folder, &["exceptions"]).ended(0).out, "no exceptions\n");
        let report = json(&run_in(&folder, &["exceptions", "--format", "json"]).ended(0));
        assert_eq!(report["exceptions"].as_array().map(Vec::len), Some(0));
        assert!(
            !run_in(&folder, &["exceptions", "--format", "markdown"])
                .ended(0)
                .out
                .is_empty()
        );
    }
}

mod baselines {
    use lifecycle::FileId;
    use lifecycle::baseline::{Baseline, Finder, Suppressions};
    use lifecycle::evaluate::{Against, check};
    use lifecycle::{Diagnostics, Document};
    use proptest::prelude::*;

    use super::*;
    use crate::worlds::{cases, load, world_with_moves};

    const FILE: &str = "lifecycle-baseline.toml";

    fn flag(name: &str, removed: &str) -> String {
        format!(
            "flag.\"{name}\" = {{ introduced = \"1.0\", deprecated = \"1.3\", removed = \"{removed}\", warning = \"w\" }}\n"
        )
    }

    /// Any text as a string of JSON, which is one of TOML too.
    fn toml_string(text: &str) -> String {
        Value::from(text).to_string()
    }

    fn model(flags: &[(&str, &str)]) -> String {
        let flags: String = flags.iter().map(|(name, removed)| flag(name, removed)).collect();
        format!("{CALENDAR}[cli.tool]\naudience = \"user\"\n{flags}")
    }

    fn with_baseline(text: &str) -> TempDir {
        let folder = folder(&[("lifecycle.toml", text)]);
        run_in(&folder, &["check", "--write-baseline"])
            .ended(0)
            .says(&["in lifecycle-baseline.toml"]);
        folder
    }

    #[test]
    fn suppressed_findings_do_not_fail_and_new_ones_do() {
        let folder = with_baseline(&model(&[("--a", "1.5"), ("--b", "1.4")]));
        let run = run_in(&folder, &["check"]).ended(0);
        assert_eq!(run.out, "");
        assert_eq!(
            run.err,
            "no new policy violations; 2 suppressed by lifecycle-baseline.toml; --all lists them\n"
        );
        run_in(&folder, &["check", "--all"])
            .ended(0)
            .says(&["cli tool --a is removed", "cli tool --b is removed"]);
        write(
            &folder,
            "lifecycle.toml",
            model(&[("--c", "1.5"), ("--a", "1.5"), ("--b", "1.4")]).as_bytes(),
        );
        run_in(&folder, &["check"])
            .ended(1)
            .says(&["cli tool --c is removed", "1 error; 2 suppressed"])
            .silent_on(&["cli tool --a is removed"]);
    }

    #[test]
    fn plan_and_check_count_the_same_findings() {
        let folder = with_baseline(&model(&[("--a", "1.5"), ("--b", "1.4")]));
        write(
            &folder,
            "lifecycle.toml",
            model(&[("--a", "1.5"), ("--b", "1.4"), ("--c", "1.5")]).as_bytes(),
        );
        run_in(&folder, &["check"]).ended(1).says(&["1 error; 2 suppressed"]);
        run_in(&folder, &["plan"])
            .ended(0)
            .says(&[
                "--c !",
                "1 error; 2 suppressed by lifecycle-baseline.toml; run `lifecycle check` for details",
            ])
            .silent_on(&["--a !", "--b !"]);
        write(&folder, "lifecycle-baseline.toml", b"[[entry]]");
        run_in(&folder, &["plan"])
            .ended(2)
            .says(&["lifecycle-baseline.toml:1:3"]);
    }

    #[test]
    fn lines_may_be_moved_about() {
        let text = model(&[("--a", "1.5"), ("--b", "1.4")]);
        let folder = with_baseline(&text);
        write(
            &folder,
            "lifecycle.toml",
            format!("# one\n\n# two\n{}", model(&[("--b", "1.4"), ("--a", "1.5")])).as_bytes(),
        );
        run_in(&folder, &["check"]).ended(0).says(&["2 suppressed"]);
    }

    #[test]
    fn what_became_worse_is_new_and_what_became_better_is_not() {
        let folder = with_baseline(&model(&[("--a", "1.5")]));
        write(&folder, "lifecycle.toml", model(&[("--a", "1.4")]).as_bytes());
        run_in(&folder, &["check"])
            .ended(1)
            .says(&["cli tool --a is removed in 1.4"]);
        run_in(&folder, &["check", "--write-baseline"]).ended(0);
        write(&folder, "lifecycle.toml", model(&[("--a", "1.5")]).as_bytes());
        run_in(&folder, &["check"]).ended(0).says(&["1 suppressed"]);
    }

    /// The model with more releases at the end of its calendar, sooner than the cadence projects them.
    fn in_a_longer_calendar(text: &str) -> String {
        let (head, tables) = text.split_once("[cli.tool]").expect("it has a program");
        let months = (6..13).zip(5..);
        let more = months.map(|(month, minor)| format!("\"1.{minor}\" = 2024-{month:02}-01"));
        let more: Vec<String> = more.collect();
        format!("{}\n{}\n[cli.tool]{tables}", head.trim_end(), more.join("\n"))
    }

    #[test]
    fn a_calendar_that_gains_releases_makes_nothing_new() {
        let text = model(&[("--a", "1.5"), ("--b", "1.4")]);
        let folder = with_baseline(&text);
        let missed = |folder: &TempDir| {
            let text = read(folder, FILE);
            let lines = text.lines().filter(|line| line.starts_with("missed-by"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let before = missed(&folder);
        write(&folder, "lifecycle.toml", in_a_longer_calendar(&text).as_bytes());
        run_in(&folder, &["check"]).ended(0).says(&["2 suppressed"]);
        run_in(&folder, &["check", "--write-baseline"]).ended(0);
        assert_ne!(missed(&folder), before, "the days decide by how much a bound is missed");
    }

    #[test]
    fn entries_without_an_event_match_as_they_did() {
        let text = model(&[("--a", "1.5"), ("--b", "1.4")]);
        let folder = with_baseline(&text);
        let text_with_events = read(&folder, FILE);
        let old = text_with_events.lines().filter(|line| {
            !["event", "declared", "counted-from"]
                .iter()
                .any(|key| line.starts_with(key))
        });
        let old: Vec<&str> = old.collect();
        write(&folder, FILE, (old.join("\n") + "\n").as_bytes());
        run_in(&folder, &["check"]).ended(0).says(&["2 suppressed"]);
        write(&folder, "lifecycle.toml", in_a_longer_calendar(&text).as_bytes());
        run_in(&folder, &["check"]).ended(0).says(&["2 suppressed"]);
    }

    #[test]
    fn a_more_severe_finding_is_new() {
        let folder = folder(&[("lifecycle.toml", &model(&[("--a", "1.5")]))]);
        run_in(&folder, &["check", "--write-baseline", "-W", "5a"]).ended(0);
        run_in(&folder, &["check", "-W", "5a"]).ended(0).says(&["1 suppressed"]);
        run_in(&folder, &["check"]).ended(1).says(&["cli tool --a is removed"]);
    }

    #[test]
    fn a_fixed_finding_is_reported_until_its_entry_is_deleted() {
        let folder = with_baseline(&model(&[("--a", "1.5"), ("--b", "1.4")]));
        write(
            &folder,
            "lifecycle.toml",
            model(&[("--a", "1.6"), ("--b", "1.4")]).as_bytes(),
        );
        let run = run_in(&folder, &["check"]).ended(0);
        let run = run.says(&[
            "warning[baseline: fixed]",
            "lifecycle-baseline.toml:4:1",
            "cli tool --a",
            "help: delete the entry",
        ]);
        assert!(run.err.contains("1 warning; 1 suppressed"), "{}", run.err);
        run_in(&folder, &["check", "--fail-on", "warning"]).ended(1);
        run_in(&folder, &["check", "-A", "baseline"])
            .ended(0)
            .silent_on(&["is fixed, but still listed"]);
        run_in(&folder, &["check", "--write-baseline"]).ended(0);
        run_in(&folder, &["check"])
            .ended(0)
            .silent_on(&["is fixed, but still listed"]);
    }

    #[test]
    fn it_may_be_another_file() {
        let folder = folder(&[("lifecycle.toml", &model(&[("--a", "1.5")]))]);
        run_in(&folder, &["check", "--baseline", "ci/known.toml"])
            .ended(2)
            .says(&["cannot read ci/known.toml", "help: "]);
        run_in(&folder, &["check", "--baseline", "ci/known.toml", "--write-baseline"])
            .ended(2)
            .says(&["cannot write ci/known.toml", "create the folder first"]);
        run_in(&folder, &["check", "--baseline", "known.toml", "--write-baseline"]).ended(0);
        run_in(&folder, &["check"]).ended(1);
        run_in(&folder, &["check", "--baseline", "known.toml"])
            .ended(0)
            .says(&["1 suppressed by known.toml"]);
    }

    #[test]
    fn the_file_is_in_the_folder_of_the_model() {
        let folder = folder(&[("m/lifecycle.toml", &model(&[("--a", "1.5")])), ("m/below/x", "")]);
        run_in(&folder, &["check", "m/lifecycle.toml", "--write-baseline"])
            .ended(0)
            .says(&["in m/lifecycle-baseline.toml"]);
        finish(program(&folder.path().join("m/below"), &["check"]), b"")
            .ended(0)
            .says(&["1 suppressed by ../lifecycle-baseline.toml"]);
    }

    #[test]
    fn without_findings_no_file_is_written_and_an_existing_one_is_emptied() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        run_in(&folder, &["check", "--write-baseline"])
            .ended(0)
            .says(&["no baseline is needed"]);
        assert!(!folder.path().join(FILE).exists());
        write(&folder, "lifecycle.toml", model(&[("--a", "1.5")]).as_bytes());
        run_in(&folder, &["check", "--write-baseline"])
            .ended(0)
            .says(&["recorded 1 finding"]);
        write(&folder, "lifecycle.toml", MODEL.as_bytes());
        run_in(&folder, &["check", "--write-baseline"])
            .ended(0)
            .says(&["recorded 0 findings"]);
        assert!(!read(&folder, FILE).contains("[[finding]]"));
        run_in(&folder, &["check"]).ended(0);
    }

    #[test]
    fn a_broken_baseline_is_reported_with_its_place() {
        let folder = folder(&[("lifecycle.toml", &model(&[("--a", "1.5")]))]);
        for (text, words) in [
            ("[[finding]]\nrule = \"5a\"\n", ["lifecycle-baseline.toml:1:1", "code"]),
            ("[[finding]\n", ["lifecycle-baseline.toml:1:", "syntax"]),
            (
                "[[findings]]\n",
                ["lifecycle-baseline.toml:1:3", "did you mean `finding`?"],
            ),
            ("finding = 1\n", ["lifecycle-baseline.toml:1:11", "wrong-type"]),
            (
                "[[finding]]\nrule = \"r\"\ncode = \"c\"\nabout = \"a\"\nseverity = \"bad\"\n",
                ["lifecycle-baseline.toml:5:12", "unknown-value"],
            ),
            (
                "[[finding]]\nrule = \"r\"\ncode = \"c\"\nabout = \"a\"\nmissed-by = -1\n",
                ["lifecycle-baseline.toml:5:13", "wrong-type"],
            ),
        ] {
            write(&folder, FILE, text.as_bytes());
            run_in(&folder, &["check"])
                .ended(2)
                .says(&words)
                .says(&["help: ", "aborting due to"]);
            let report = json(&run_in(&folder, &["check", "--format", "json"]).ended(2));
            assert_eq!(report["diagnostics"][0]["file"], FILE, "{text}");
        }
        write(&folder, FILE, b"\xff");
        run_in(&folder, &["check"])
            .ended(2)
            .says(&["lifecycle-baseline.toml:1:1: not UTF-8"]);
    }

    #[test]
    fn a_file_that_is_no_baseline_is_not_overwritten() {
        let text = model(&[("--a", "1.5")]);
        let folder = folder(&[
            ("lifecycle.toml", &text),
            ("p.toml", "name = \"p\"\nextends = \"kubernetes\"\n"),
            ("notes.txt", "not TOML at all\n"),
            ("data", ""),
        ]);
        write(&folder, "data", b"\xff\xfe");
        for name in ["lifecycle.toml", "./lifecycle.toml", "p.toml", "notes.txt"] {
            let before = read(&folder, name);
            run_in(&folder, &["check", "--write-baseline", "--baseline", name]).ended(2);
            assert_eq!(read(&folder, name), before, "{name}");
        }
        run_in(&folder, &["check", "--write-baseline", "--baseline", "data"]).ended(2);
        run_in(&folder, &["check", "--write-baseline", "--baseline", "."])
            .ended(2)
            .says(&["is a folder"]);
    }

    #[test]
    fn a_model_from_standard_input_has_one_only_where_it_is_named() {
        let text = model(&[("--a", "1.5")]);
        let folder = folder(&[(FILE, "broken = [")]);
        let run = |arguments: &[&str]| finish(program(folder.path(), arguments), text.as_bytes());
        run(&["check", "-"]).ended(1).silent_on(&["suppressed"]);
        run(&["check", "-", "--write-baseline"])
            .ended(2)
            .says(&["standard input", "--baseline FILE"]);
        run(&["check", "-", "--write-baseline", "--baseline", "b.toml"]).ended(0);
        run(&["check", "-", "--baseline", "b.toml"])
            .ended(0)
            .says(&["1 suppressed by b.toml"]);
    }

    #[test]
    fn reports_for_machines_mark_suppressed_findings() {
        let folder = with_baseline(&model(&[("--a", "1.5"), ("--b", "1.4")]));
        write(
            &folder,
            "lifecycle.toml",
            model(&[("--a", "1.5"), ("--b", "1.4"), ("--c", "1.4")]).as_bytes(),
        );
        let sarif = json(&run_in(&folder, &["check", "--all", "--format", "sarif"]).ended(1));
        let results = sarif["runs"][0]["results"].as_array().expect("a list");
        let suppressed = results
            .iter()
            .filter(|result| result["suppressions"][0]["kind"].is_string())
            .count();
        assert_eq!((results.len(), suppressed), (3, 2));
        let junit = run_in(&folder, &["check", "--all", "--format", "junit"]).ended(1).out;
        let document = roxmltree::Document::parse(&junit).expect("it is XML");
        let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!((count("failure"), count("skipped")), (1, 2), "{junit}");
        let report = json(&run_in(&folder, &["check", "--format", "json"]).ended(1));
        assert_eq!(report["compared"]["baseline"], FILE);
        assert_eq!(report["compared"]["put_aside"], 2);
        assert_eq!(report["diagnostics"].as_array().map(Vec::len), Some(1));
        let all = json(&run_in(&folder, &["check", "--all", "--format", "json"]).ended(1));
        assert_eq!(all["diagnostics"][0]["known"], "baseline");
        run_in(&folder, &["check", "--all", "--format", "github"])
            .ended(1)
            .says(&["::error"]);
    }

    #[test]
    fn notes_and_findings_with_an_exception_are_not_recorded() {
        let agreed = "[[exception]]\nrule = \"5a\"\nelement = \"cli tool --a\"\nreason = \"r\"\napproved-by = \"a\"\n";
        let folder = folder(&[(
            "lifecycle.toml",
            &format!("{}{agreed}", model(&[("--a", "1.5"), ("--b", "1.5")])),
        )]);
        run_in(&folder, &["check", "--write-baseline"])
            .ended(0)
            .says(&["recorded 1 finding"]);
        assert!(!read(&folder, FILE).contains("--a"));
        run_in(&folder, &["check", "--write-baseline", "-A", "5a", "-A", "exception"])
            .ended(0)
            .says(&["recorded 0 findings"]);
    }

    proptest! {
        #![proptest_config(cases(100))]

        /// A baseline suppresses all findings of a model, whatever the names in it.
        #[test]
        fn what_is_written_can_be_read(world in world_with_moves(), name in "[^\\p{Cc}]{1,12}") {
            let name = toml_string(&name);
            let odd = format!("[behavior.{name}]\nintroduced = \"{0}\"\ndeprecated = \"{0}\"\nremoved = \"{1}\"\n", world.dates.name(0), world.dates.name(1));
            let Ok(mut evaluation) = load(&world, &format!("{}{odd}", world.text()), None) else {
                return Err(TestCaseError::reject("it cannot be read"));
            };
            let text = Baseline::write(Finder::Check, evaluation.findings().iter());
            let mut errors = Diagnostics::default();
            let baseline = Baseline::read(Finder::Check, &Document::parse(FileId(7), &text), &mut errors);
            prop_assert!(errors.is_empty(), "{:?}\n{}", errors.into_vec(), text);
            let before = evaluation.findings().len();
            let suppressions = Suppressions { file: "baseline.toml", baseline: &baseline, base: None };
            let against = Against { baseline: Some(suppressions), ..Against::default() };
            prop_assert!(check(&mut evaluation, against).is_ok());
            prop_assert_eq!(evaluation.findings().len(), before, "{}", text);
            prop_assert!(evaluation.findings().iter().all(|finding| finding.known.is_some()), "{}", text);
        }
    }

    #[test]
    fn each_entry_suppresses_one_finding() {
        let folder = with_baseline(&model(&[("--a", "1.5")]));
        let twice = read(&folder, FILE);
        let entry = twice.split_once("[[finding]]").expect("it has an entry").1.to_owned();
        write(&folder, FILE, format!("{twice}\n[[finding]]{entry}").as_bytes());
        run_in(&folder, &["check"])
            .ended(0)
            .says(&["1 suppressed", "is fixed, but still listed"]);
    }
}

mod outputs {
    use super::*;

    #[test]
    fn several_files_hold_what_the_formats_print() {
        let folder = folder(&[("lifecycle.toml", &early())]);
        let arguments = [
            "check",
            "-o",
            "a.json",
            "-o",
            "b.sarif",
            "--output",
            "c.xml",
            "-o",
            "d.md",
            "-o",
            "e.txt",
            "-o",
            "github=f",
            "-o",
            "g.sarif.json",
            "-o",
            "json=h.txt",
        ];
        let kinds = REPORT_FORMATS.iter().flat_map(|format| format.write.extensions);
        for extension in kinds {
            let ends = arguments.iter().any(|argument| argument.ends_with(extension));
            assert!(ends, "no file here ends with {extension}");
        }
        let run = run_in(&folder, &arguments).ended(1);
        assert_eq!(run.out, run_in(&folder, &["check"]).ended(1).out);
        for (file, format) in [
            ("a.json", "json"),
            ("b.sarif", "sarif"),
            ("c.xml", "junit"),
            ("d.md", "markdown"),
            ("e.txt", "table"),
            ("f", "github"),
            ("g.sarif.json", "sarif"),
            ("h.txt", "json"),
        ] {
            let printed = run_in(&folder, &["check", "--format", format, "-q"]).ended(1).out;
            assert!(!printed.is_empty());
            assert_eq!(read(&folder, file), printed, "{file}");
        }
    }

    #[test]
    fn an_existing_file_is_replaced_and_no_temporary_file_stays() {
        let folder = folder(&[("lifecycle.toml", &early()), ("out/a.json", "old")]);
        run_in(&folder, &["check", "-o", "out/a.json"]).ended(1);
        assert!(read(&folder, "out/a.json").starts_with('{'));
        assert_eq!(folder.path().join("out").read_dir().expect("a folder").count(), 1);
    }

    #[test]
    fn an_output_that_cannot_be_written_is_an_error() {
        let folder = folder(&[("lifecycle.toml", &early()), ("here/x", "")]);
        for (output, words) in [
            (
                "report",
                &["its extension stands for no format", "--output sarif=report"][..],
            ),
            ("a.toml", &["its extension stands for no format"]),
            ("sarf=a", &["there is no format `sarf`", "did you mean `sarif`?"]),
            (
                "xyzzy=a",
                &["there is no format `xyzzy`", "formats: table, concise, json"],
            ),
            ("none/a.json", &["cannot write none/a.json", "create the folder first"]),
            ("json=here", &["cannot write here: it is a folder", "name a file in it"]),
            ("json=", &["help: "]),
            ("", &["help: "]),
            (
                "json=lifecycle.toml",
                &["would overwrite lifecycle.toml, which is an input", "name another file"],
            ),
            ("json=here/../lifecycle.toml", &["would overwrite lifecycle.toml"]),
        ] {
            run_in(&folder, &["check", "-o", output]).ended(2).says(words);
        }
        assert_eq!(read(&folder, "lifecycle.toml"), early());
    }

    #[test]
    fn no_file_that_is_read_is_overwritten() {
        let text = format!("policy = \"p.toml\"\ninclude = [\"more.json\"]\n{}", early());
        let folder = folder(&[
            ("lifecycle.toml", &text),
            ("p.toml", "name = \"p\"\nextends = \"kubernetes\"\n"),
            ("more.json", "[behavior.x]\nintroduced = \"1.0\"\n"),
            ("base.md", MODEL),
            ("known.txt", ""),
        ]);
        for name in ["p.toml", "more.json", "base.md", "known.txt"] {
            let before = read(&folder, name);
            run_in(
                &folder,
                &[
                    "check",
                    "--base",
                    "base.md",
                    "--baseline",
                    "known.txt",
                    "-o",
                    &format!("json={name}"),
                ],
            )
            .ended(2)
            .says(&["would overwrite", name]);
            assert_eq!(read(&folder, name), before);
        }
    }

    /// Evidence and templates, and what would have been read were there no errors in the model.
    #[test]
    fn no_input_beside_the_model_is_overwritten() {
        let text = format!("schemas = [\"crd\"]\n{}", early());
        let files = [
            ("lifecycle.toml", &*text),
            ("broken.toml", "schemas = [\"crd\"]\n["),
            ("crd/a.yaml", "a: b\n"),
            ("usage.json", "{}"),
            ("notes.md", "{{ release.release }}\n"),
        ];
        let folder = folder(&files);
        for arguments in [
            &["check", "--evidence", "usage.json", "-o", "usage.json"][..],
            &["check", "broken.toml", "-o", "json=crd/a.yaml"],
            &["check", "-o", "json=crd/a.yaml"],
            &["plan", "-o", "crd/a.yaml"],
            &["render", "-o", "crd/a.yaml"],
            &["notes", "-t", "notes.md", "-o", "notes.md"],
        ] {
            run_in(&folder, arguments).ended(2);
            for (name, text) in &files {
                assert_eq!(read(&folder, name), *text, "{arguments:?}");
            }
        }
    }

    #[test]
    fn a_file_is_not_written_twice() {
        let folder = folder(&[("lifecycle.toml", MODEL)]);
        for second in ["a.json", "./a.json", "sarif=a.json"] {
            run_in(&folder, &["check", "-o", "a.json", "-o", second])
                .ended(2)
                .says(&["a.json", "help: "]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_and_stays_a_device() {
        let folder = folder(&[("lifecycle.toml", &early())]);
        run_in(&folder, &["check", "-o", "json=/dev/null", "-o", "sarif=/dev/null"]).ended(1);
        // A stream of the program may be a file that something else is written to.
        for stream in [
            "json=/dev/stdout",
            "json=/dev/stderr",
            "json=/dev/fd/1",
            "json=/proc/self/fd/2",
        ] {
            run_in(&folder, &["check", "-q", "-o", stream]).ended(2).says(&[
                "this is a stream of the program, not a file",
                "leave out --output to print it",
            ]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = folder(&[("lifecycle.toml", &early()), ("real.json", "")]);
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink("real.json", &link).expect("a link can be made");
        run_in(&folder, &["check", "-o", "link.json"])
            .ended(2)
            .says(&["cannot write link.json: it is a link", "name the file that it leads to"]);
        assert!(link.is_symlink());
        assert_eq!(read(&folder, "real.json"), "");
    }

    #[test]
    fn errors_are_in_the_files_too() {
        let folder = folder(&[("lifecycle.toml", "x = 1\n")]);
        for format in REPORT_FORMATS.iter().map(|format| format.name) {
            run_in(&folder, &["check", "-o", &format!("{format}=a")])
                .ended(2)
                .says(&["unknown key `x`", "aborting due to"]);
            let written = read(&folder, "a");
            assert!(written.contains("unknown-key"), "{format}: {written}");
            if format != "table" {
                let printed = run_in(&folder, &["check", "--format", format]).ended(2).out;
                assert_eq!(written, printed, "{format}");
            }
        }
    }

    #[test]
    fn quiet_and_verbose_change_the_messages_only() {
        let folder = folder(&[("lifecycle.toml", &early())]);
        let run = run_in(&folder, &["check", "-q", "-o", "a.json"]).ended(1);
        assert!(run.err.is_empty() && run.out.contains("early"), "{}", run.all());
        run_in(&folder, &["check", "-v", "-o", "a.json"])
            .ended(1)
            .says(&["written: a.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn files_are_written_even_if_the_reader_of_the_output_closes() {
        use std::io::Read;
        let many = crate::program::each(4_000, |n| {
            format!("[cli.t.flag.\"--f{n}\"]\nintroduced = \"1.0\"\ndeprecated = \"1.2\"\n")
        });
        let folder = folder(&[(
            "lifecycle.toml",
            &format!("{CALENDAR}[cli.t]\naudience = \"user\"\n{many}"),
        )]);
        for format in REPORT_FORMATS.iter().map(|format| format.name) {
            let mut child = program(folder.path(), &["check", "--format", format, "-o", "a.json"])
                .spawn()
                .expect("it starts");
            drop(child.stdin.take());
            let mut out = child.stdout.take().expect("it is piped");
            out.read_exact(&mut [0; 16]).expect("there is an answer");
            drop(out);
            let err = crate::program::drain(child.stderr.take().expect("it is piped"));
            assert_eq!(crate::program::wait(&mut child), Some(1), "{format}");
            let err = String::from_utf8(err.join().expect("it was read")).expect("it is text");
            assert!(
                !err.contains("panicked") && !err.contains("cannot write"),
                "{format}: {err}"
            );
            serde_json::from_str::<Value>(&read(&folder, "a.json")).expect("it is JSON");
        }
    }

    #[test]
    fn a_baseline_is_not_written_together_with_reports() {
        let folder = folder(&[("lifecycle.toml", &early())]);
        run_in(&folder, &["check", "--write-baseline", "-o", "a.json"]).ended(2);
    }
}

mod removals {
    use super::*;

    fn model() -> String {
        format!(
            "{CALENDAR}\"1.5\" = 2024-09-01\n\"1.6\" = 2025-01-01\n{}",
            r#"[group."example.com".version]
v1alpha1 = { introduced = "1.0", replacement = "v1" }
v1beta1 = { introduced = "1.0", deprecated = "1.2" }
v1beta2 = { introduced = "1.3" }
v1 = { introduced = "1.1" }
v2alpha1 = { introduced = "1.5" }
v0 = { introduced = "1.0", deprecated = "1.0", removed = "1.2", stage = "alpha" }
[group."example.com".kind.Widget]
[group."example.com".kind.Gadget]
versions = ["v1beta1"]
field."spec.glow" = { introduced = "1.2", gated-by = "Glow", stage = "alpha" }
[gate.Glow]
specs = [{ stage = "alpha", since = "1.2", default = false }]
deprecated = "1.2"
operational = false
warning = "w"
[gate.Hum]
specs = [{ stage = "alpha", since = "1.2", default = false }]
depends-on = ["Glow"]
[cli.tool]
audience = "user"
flag."--old" = { introduced = "1.0", deprecated = "1.2", warning = "w", replacement = "--new" }
flag."--new" = { introduced = "1.2" }
"#
        )
    }

    fn ask(removals: &[&str]) -> Run {
        let folder = folder(&[("lifecycle.toml", &model())]);
        let arguments = removals.iter().flat_map(|removal| ["--remove", removal]);
        run_in(&folder, &std::iter::once("check").chain(arguments).collect::<Vec<_>>())
    }

    #[test]
    fn what_may_go_may_go() {
        let run = ask(&["example.com/v1beta1@1.5"]).ended(0);
        assert_eq!(
            run.out.lines().next(),
            Some("example.com/v1beta1 in 1.5 (2024-09-01): allowed")
        );
        assert_eq!(run.err, "");
    }

    #[test]
    fn a_removal_that_is_too_early_is_refused_with_the_earliest_release_and_the_reason() {
        ask(&["example.com/v1beta1@1.4"]).ended(1).says(&[
            "example.com/v1beta1 in 1.4 (2024-05-01): not allowed",
            "  earliest: 1.5 (2024-09-01)\n",
            "  because: #4a version-lifetime: ",
            "3 releases → 1.5",
        ]);
    }

    #[test]
    fn a_release_is_named_in_any_way_and_an_element_by_the_end_of_its_id() {
        ask(&["v1beta1@v1.5.0"]).ended(0).says(&["example.com/v1beta1 in 1.5"]);
    }

    #[test]
    fn an_alpha_may_go_in_the_next_release() {
        ask(&["example.com/v1alpha1@1.4"])
            .ended(0)
            .says(&["in 1.4 (2024-05-01): allowed"]);
    }

    #[test]
    fn a_ga_version_stays_within_its_major() {
        ask(&["example.com/v1@1.6"])
            .ended(1)
            .says(&["not allowed", "earliest: not before major 2.0", "GA version"]);
    }

    #[test]
    fn what_is_not_announced_may_go_if_it_is() {
        let run = ask(&["example.com/v1beta2@1.6"]).ended(1);
        run.says(&["not allowed", "earliest: 1.7", "if it is deprecated in 1.4"]);
        ask(&["example.com/v1beta2@1.7"])
            .ended(0)
            .says(&["allowed, if it is deprecated in 1.4"]);
    }

    #[test]
    fn elements_that_do_not_exist_in_the_release_cannot_be_removed() {
        ask(&["example.com/v0@1.4"])
            .ended(2)
            .says(&["was already removed in 1.2"]);
        for release in ["1.4", "1.5"] {
            let typed = format!("example.com/v2alpha1@{release}");
            ask(&[&typed]).ended(1).says(&[
                "not allowed",
                "earliest: 1.6",
                "because: example.com/v2alpha1 is introduced only in 1.5",
                "declared: lifecycle.toml:",
                "next step: propose it for 1.6 or later",
            ]);
        }
        ask(&["example.com/v2alpha1@1.6"]).ended(0);
    }

    #[test]
    fn an_unknown_element_or_release_is_refused_with_a_suggestion() {
        for (typed, words) in [
            ("example.com/v1beta1x@1.5", &["did you mean `example.com/v1beta1`?"][..]),
            ("nothing@1.5", &["there is no element `nothing`", "help: "]),
            (
                "example.com/v1beta1@1.99999",
                &["`1.99999` lies more than 100", "check the number"],
            ),
            ("example.com/v1beta1@soon", &["soon"]),
            (
                "example.com/v1beta1@1.3",
                &["1.3 has shipped", "a removal for 1.4 or later"],
            ),
            ("example.com/v1beta1@1.0", &["1.0 has shipped"]),
            ("example.com/v1beta1", &["it names no release", "help: "]),
            ("example.com/v1beta1@", &["it names no release"]),
            ("@1.5", &["it names no release"]),
            ("@", &["it names no release"]),
            ("", &["it names no release"]),
            ("Widget@1.5", &["help: "]),
        ] {
            ask(&[typed]).ended(2).says(words);
        }
        for second in ["v1beta1@1.6", "example.com/v1beta1@1.5"] {
            ask(&["example.com/v1beta1@1.5", second])
                .ended(2)
                .says(&["--remove names example.com/v1beta1 twice", "help: "]);
        }
        ask(&["example.com/v1beta1@1.5", "nothing@1.5"])
            .ended(2)
            .says(&["nothing"]);
    }

    #[test]
    fn references_to_the_element_are_listed() {
        let run = ask(&["gate Glow@1.5"]).ended(1);
        run.says(&[
            "still referenced: example.com/v1beta1 Gadget .spec.glow is gated by it (lifecycle.toml:",
            "still referenced: gate Hum depends on it (lifecycle.toml:",
        ]);
        ask(&["cli tool --new@1.5"]).says(&["still referenced: cli tool --old names it as its replacement"]);
        ask(&["example.com/v1@1.5"]).says(&["still referenced: example.com/v1alpha1 names it as its replacement"]);
    }

    /// An annotation's name has an `@` of its own, and a stand-in is named as `represented-as` names it.
    #[test]
    fn what_stands_for_a_field_is_named_by_it() {
        let kind = r#"[group."example.com".kind.Widget]
field."spec.size" = { in = { v1beta1 = {}, v1 = { represented-as = "@example.com/size" } } }
field."spec.width" = { in = { v1beta1 = {}, v1 = { represented-as = "spec.wide" } } }
field."spec.wide" = { in = { v1 = {}, v1beta1 = { represented-as = "spec.width" } } }
annotation."example.com/size" = { in = { v1 = {} } }
"#;
        let text = format!("{MODEL}{kind}");
        let folder = folder(&[("lifecycle.toml", &text)]);
        run_in(&folder, &["check"]).ended(0);
        for (element, by) in [("@example.com/size", ".spec.size"), (".spec.wide", ".spec.width")] {
            let removal = format!("example.com/v1 Widget {element}@1.5");
            let run = run_in(&folder, &["check", "--remove", &removal]);
            // Once the represented version is removed, nothing needs it.
            let named = format!("still referenced: example.com/v1beta1 Widget {by} is represented by it");
            run.says(&[&format!("example.com/v1 Widget {element} in 1.5")])
                .silent_on(&[&named]);
            let text = text.replace(", removed = \"1.4\"", "");
            let run = finish(
                program(folder.path(), &["check", "-", "--remove", &removal]),
                text.as_bytes(),
            );
            run.says(&[&named]);
        }
    }

    #[test]
    fn several_at_once_do_not_name_one_another() {
        let run = ask(&["example.com/v1beta1@1.5", "gate Glow@1.5", "gate Hum@1.5"]);
        let run = run.silent_on(&["still referenced: "]);
        assert!(run.err.contains("proposed removals are allowed"), "{}", run.err);
        ask(&["example.com/v1beta1 Gadget .spec.glow@1.5", "gate Glow@1.5"])
            .silent_on(&["still referenced: example.com/v1beta1 Gadget .spec.glow"])
            .says(&["still referenced: gate Hum"]);
    }

    #[test]
    fn machines_get_the_proposals() {
        let folder = folder(&[("lifecycle.toml", &model())]);
        let report = json(
            &run_in(
                &folder,
                &["check", "--remove", "example.com/v1beta1@1.4", "--format", "json"],
            )
            .ended(1),
        );
        let proposal = &report["proposals"][0];
        assert_eq!(proposal["element"], "example.com/v1beta1");
        assert_eq!(proposal["allowed"], false);
        assert_eq!(proposal["release"]["release"], "1.4");
        assert_eq!(proposal["soonest"]["release"], "1.5");
        assert_eq!(proposal["reasons"].as_array().map(Vec::len), Some(1));
        let report = json(&run_in(&folder, &["check", "--format", "json"]).ended(0));
        assert!(
            report
                .get("proposals")
                .is_none_or(|list| list.as_array().is_some_and(Vec::is_empty))
        );
    }

    #[test]
    fn every_format_answers() {
        let folder = folder(&[("lifecycle.toml", &model())]);
        let ask = |format: &str| {
            run_in(
                &folder,
                &["check", "--remove", "example.com/v1beta1@1.4", "--format", format],
            )
            .ended(1)
            .out
        };
        let sarif: Value = serde_json::from_str(&ask("sarif")).expect("it is JSON");
        assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1));
        roxmltree::Document::parse(&ask("junit")).expect("it is XML");
        assert!(ask("github").starts_with("::error"));
        for format in REPORT_FORMATS.iter().map(|format| format.name) {
            let answer = ask(format);
            assert!(
                format == "table" || answer.contains("version-lifetime"),
                "{format}: {answer}"
            );
        }
        run_in(
            &folder,
            &["check", "--remove", "example.com/v1beta1@1.4", "-o", "a.json"],
        )
        .ended(1);
        assert!(read(&folder, "a.json").contains("proposals"));
    }

    #[test]
    fn nothing_is_changed() {
        let folder = folder(&[("lifecycle.toml", &model())]);
        run_in(&folder, &["check", "--remove", "example.com/v1beta1@1.5"]).ended(0);
        assert_eq!(read(&folder, "lifecycle.toml"), model());
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 1);
    }

    #[test]
    fn a_model_from_standard_input_can_be_asked_too() {
        run_on(model(), &["check", "-", "--remove", "example.com/v1beta1@1.5"]).ended(0);
        run_on("x = 1\n", &["check", "-", "--remove", "example.com/v1beta1@1.5"])
            .ended(2)
            .says(&["unknown key"]);
    }

    #[test]
    fn levels_and_editions_count() {
        let folder = folder(&[("lifecycle.toml", &model())]);
        run_in(&folder, &["check", "--remove", "example.com/v1beta1@1.4", "-A", "4a"])
            .ended(0)
            .says(&[": allowed"]);
        run_in(&folder, &["check", "--remove", "example.com/v1beta1@1.4", "-W", "4a"])
            .ended(0)
            .says(&[": allowed", "note: #4a"]);
    }

    /// A declared removal does not count: it may be the one in question.
    #[test]
    fn a_removal_that_is_declared_can_be_asked_about_in_other_releases() {
        let text = model().replace(
            "deprecated = \"1.2\" }\nv1beta2",
            "deprecated = \"1.2\", removed = \"1.4\" }\nv1beta2",
        );
        let folder = folder(&[("lifecycle.toml", &text)]);
        for (release, code) in [("1.4", 1), ("1.5", 0), ("1.6", 0)] {
            run_in(
                &folder,
                &["check", "--remove", &format!("example.com/v1beta1@{release}")],
            )
            .ended(code);
        }
    }
}
