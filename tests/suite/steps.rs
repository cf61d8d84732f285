//! Steps that a policy names between deprecation and removal: every command reads and shows them by these names.

#![cfg(test)]

use serde_json::Value;

use crate::history::Repository;
use crate::lints::read;
use crate::program::{Run, folder, run_in};

/// Five lines make Python's way to end a feature of the policy that is built in.
const POLICY: &str = r#"name = "ours"
extends = "pep-387-2009"
[lifetime.all]
steps = [{ name = "pending", duty = "document" }, { name = "runtime", duty = "warn", after = { releases = 1 }, required = true }, { name = "end-of-life", duty = "fail", in = ["major"] }]
after-steps = { releases = 1 }
"#;

const MODEL: &str = r#"policy = "ours.toml"
[calendar]
current = "1.3"
[calendar.releases]
"1.0" = 2020-01-10
"1.1" = 2020-07-10
"1.2" = 2021-01-10
"1.3" = 2021-07-10
"2.0" = 2022-01-10
"2.1" = 2022-07-10
"2.2" = 2023-01-10
[symbol]
done = { introduced = "1.0", deprecated = "1.0", steps = { pending = "1.0", runtime = "1.1" }, removed = "1.2" }
hasty = { introduced = "1.0", deprecated = "1.0", steps = { runtime = "1.0" }, removed = "1.2" }
silent = { introduced = "1.0", deprecated = "1.0", removed = "1.3" }
open = { introduced = "1.0", deprecated = "1.2", steps = { pending = "1.3" } }
late = { introduced = "1.0", deprecated = "1.1", steps = { runtime = "1.2", end-of-life = "2.1" }, removed = "2.2" }
"#;

fn ours(arguments: &[&str]) -> Run {
    run_in(&folder(&[("lifecycle.toml", MODEL), ("ours.toml", POLICY)]), arguments)
}

/// What is found, each as element, code and event.
fn found(run: &Run) -> Vec<String> {
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    let findings = report["diagnostics"].as_array().expect("findings").iter();
    let words = findings.map(|finding| {
        let word = |key: &str| finding[key].as_str().unwrap_or("-").to_owned();
        format!("{} {}", word("element"), word("code"))
    });
    words.collect()
}

#[test]
fn findings_name_steps_as_the_policy_does() {
    let run = ours(&["check", "--format", "json"]);
    let expected = [
        "symbol hasty early",
        "symbol silent step-missing",
        "symbol late wrong-release",
    ];
    assert_eq!(found(&run), expected, "{}", run.out);
    // Its next step is an edit.
    assert!(
        run.out.contains("delete it until the calendar lists a major release"),
        "{}",
        run.out
    );
    run.says(&[
        "symbol hasty warns (runtime) in 1.0, 1 release too early; the earliest is 1.1",
        "symbol silent is removed in 1.3, but it declares no `runtime`",
        "symbol late fails by default (end-of-life) in 2.1, which is no major release",
    ]);
}

#[test]
fn plans_reasons_notes_and_reports_name_steps_as_the_policy_does() {
    for (arguments, shown) in [
        // Required, and so planned: one release after the step before it.
        (&["plan", "--in", "next"][..], "warning at run time (runtime)"),
        (
            &["why", "symbol open", "runtime"],
            "after it is documented as ending (pending) (1.3)",
        ),
        (
            &["why", "symbol open", "removed"],
            "for at least 1 release after it warns (runtime) (2.0)",
        ),
        (
            &["notes", "--release", "1.1"],
            "symbol `done` warns when it is used (runtime)",
        ),
        (
            &["notes", "--release", "2.1"],
            "fails unless it is allowed explicitly (end-of-life), action required",
        ),
        (&["agenda", "--release", "2.0"], "symbol open"),
        (&["by-when", "symbol open.removed<=2.1"], "runtime"),
        (&["report", "--format", "json", "--all"], "\"event\": \"runtime\""),
        (&["export", "deprecations.json"], "\"event\":\"runtime\""),
        (
            &["policies", "show", "--effective"],
            "= [\"major\"], name = \"end-of-life\"",
        ),
        (&["what-if", "--set", "symbol open.runtime=2.1"], "runtime"),
    ] {
        let run = ours(arguments);
        let out = run.out.replace("\":\"", "\": \"");
        assert!(
            out.contains(shown) || run.out.contains(shown),
            "{arguments:?}\n{}\n{}",
            run.out,
            run.err
        );
    }
    let run = ours(&["why", "symbol open", "retired"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("runtime"), "{}", run.err);
}

#[test]
fn a_step_is_declared_by_its_name() {
    let folder = folder(&[("lifecycle.toml", MODEL), ("ours.toml", POLICY)]);
    run_in(&folder, &["what-if", "--set", "symbol open.runtime=2.0", "--write"]).ended(0);
    let run = run_in(&folder, &["why", "symbol open", "runtime", "--format", "json"]);
    assert!(run.out.contains("\"declared\""), "{}", run.out);
    // What the model declares is among what it promises.
    let text = read(&folder.path().join("lifecycle.toml"));
    assert!(
        text.contains(r#"steps = { pending = "1.3", runtime = "2.0" }"#),
        "{text}"
    );
}

#[test]
fn a_step_of_the_last_of_several_lives_is_declared_there() {
    let lives =
        r#"open = { lives = [{ introduced = "1.0", removed = "1.1" }, { introduced = "1.1", deprecated = "1.2" }] }"#;
    let open = r#"open = { introduced = "1.0", deprecated = "1.2", steps = { pending = "1.3" } }"#;
    let model = MODEL.replace(open, lives);
    let folder = folder(&[("lifecycle.toml", &model), ("ours.toml", POLICY)]);
    for (set, written) in [
        ("pending=1.3", r#"deprecated = "1.2", steps = { pending = "1.3" } }] }"#),
        ("pending=2.0", r#"deprecated = "1.2", steps = { pending = "2.0" } }] }"#),
        ("pending=", r#"deprecated = "1.2", steps = { } }] }"#),
    ] {
        let run = run_in(&folder, &["what-if", "--set", &format!("symbol open.{set}"), "--write"]);
        let text = read(&folder.path().join("lifecycle.toml"));
        assert!(text.contains(written), "{set}: {text}\n{}{}", run.out, run.err);
    }
}

#[test]
fn a_step_that_no_policy_names_is_reported() {
    let model = MODEL.replace("runtime = \"1.1\"", "runtme = \"1.1\"");
    let run = run_in(
        &folder(&[("lifecycle.toml", &model), ("ours.toml", POLICY)]),
        &["check"],
    );
    run.says(&[
        "no policy of this model names the step `runtme`",
        "did you mean `runtime`?",
    ]);
    // Under another policy, the model can still be read.
    let run = ours(&["check", "--policy", "pep-387-2009", "--format", "json"]);
    assert!(run.out.contains("unknown-step"), "{}{}", run.out, run.err);
}

#[test]
fn what_has_shipped_keeps_its_steps_and_windows() {
    let repository = Repository::committed(&[("lifecycle.toml", MODEL), ("ours.toml", POLICY)]);
    repository.write(
        "lifecycle.toml",
        &MODEL.replace("pending = \"1.0\", runtime = \"1.1\"", "pending = \"1.0\""),
    );
    let run = repository.run(&["check", "--base", "HEAD"]);
    run.says(&[
        "symbol done was runtime in 1.1, which has shipped, but this declaration was deleted",
        "restore it: steps.runtime = \"1.1\"",
    ]);
    let shorter = POLICY.replace("after = { releases = 1 }, required = true", "required = true");
    repository.write("lifecycle.toml", MODEL);
    repository.write("ours.toml", &shorter);
    let run = repository.run(&["check", "--base", "HEAD"]);
    run.says(&["`runtime.after` of", "changed from 1 release to none"]);
}

#[test]
fn a_policy_that_names_steps_badly_is_an_error() {
    for (steps, message) in [
        (r#"[{ duty = "warn" }]"#, "`name` is missing"),
        (r#"[{ name = "runtime" }]"#, "`duty` is missing"),
        (
            r#"[{ name = "removed", duty = "warn" }]"#,
            "`removed` cannot name a step",
        ),
        (r#"[{ name = "runtime", duty = "shout" }]"#, "`shout` is not a duty"),
        (
            r#"[{ name = "a", duty = "warn" }, { name = "a", duty = "fail" }]"#,
            "stands twice",
        ),
        (r#"[{ name = "a", duty = "warn", when = "1.0" }]"#, "`when`"),
    ] {
        let policy = format!("name = \"ours\"\nextends = \"pep-387-2009\"\n[lifetime.all]\nsteps = {steps}\n");
        let run = run_in(
            &folder(&[("lifecycle.toml", MODEL), ("ours.toml", &policy)]),
            &["check"],
        );
        assert_eq!(run.code, Some(2), "{steps}\n{}{}", run.out, run.err);
        assert!(
            run.err.contains(message) || run.out.contains(message),
            "{steps}\n{}{}",
            run.out,
            run.err
        );
    }
    for (rule, step, message) in [
        ("gate-lifetime]\nbeta-to-ga", "hidden", "their only step is `locked`"),
        ("metric-deprecation]\nstable", "locked", "their only step is `hidden`"),
    ] {
        let policy = format!(
            "name = \"ours\"\nextends = \"kubernetes\"\n[rule.{rule} = {{ steps = [{{ name = \"{step}\" }}] }}\n"
        );
        let model = MODEL.replace("steps = { pending = \"1.3\" }", "owner = \"me\"");
        let run = run_in(
            &folder(&[("lifecycle.toml", &model), ("ours.toml", &policy)]),
            &["check"],
        );
        assert!(
            run.err.contains(message) || run.out.contains(message),
            "{rule}\n{}{}",
            run.out,
            run.err
        );
    }
}

/// Hidden metrics and locked gates are steps of the policy too: what it asks of a step, it can ask of these.
#[test]
fn a_policy_can_ask_that_gates_are_locked_and_metrics_hidden() {
    let policy = "name = \"ours\"\nextends = \"kubernetes\"\n[rule.gate-lifetime]\n\
        beta-to-ga = { steps = [{ name = \"locked\", required = true }], after-steps = { releases = 2 } }\n\
        [rule.metric-deprecation]\nstable = { steps = [{ name = \"hidden\", after = { releases = 3 }, required = true }] }\n";
    let calendar = MODEL.split("[symbol]").next().expect("a calendar");
    let specs =
        "{ stage = \"beta\", since = \"1.0\", default = true }, { stage = \"GA\", since = \"1.1\", default = true";
    let model = format!(
        "{calendar}[gate]\nOpen = {{ specs = [{specs} }}], removed = \"2.0\" }}\n\
         Locked = {{ specs = [{specs}, locked = true }}], removed = \"1.3\" }}\n\
         TooSoon = {{ specs = [{specs} }}, {{ stage = \"GA\", since = \"1.3\", default = true, locked = true }}], removed = \"2.0\" }}\n\
         [metric.shown]\nspecs = [{{ stage = \"STABLE\", since = \"1.0\" }}]\ndeprecated = \"1.0\"\nremoved = \"2.2\"\n"
    );
    let folder = folder(&[("lifecycle.toml", &model), ("ours.toml", policy)]);
    let run = run_in(&folder, &["check", "--format", "json"]);
    let own = ["early", "step-missing"];
    let mut codes: Vec<String> = found(&run)
        .into_iter()
        .filter(|found| own.iter().any(|code| found.ends_with(code)))
        .collect();
    codes.sort_unstable();
    let expected = [
        "gate Open step-missing",
        "gate TooSoon early",
        "metric shown step-missing",
    ];
    assert_eq!(codes, expected, "{}", run.out);
    for how in [
        "declare the release in which it is locked: with an entry that has `locked = true`",
        "declare the release in which it is hidden: hidden = ",
    ] {
        assert!(run_in(&folder, &["check"]).out.contains(how), "{how}");
    }
}

#[test]
fn steps_are_planned_before_open_removals_only() {
    let run = ours(&["plan", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    let elements = report["elements"].as_array().expect("elements").iter();
    let planned = elements.flat_map(|element| {
        let steps = element["steps"].as_array().into_iter().flatten();
        let planned = steps.filter(|step| step["declared"] == false);
        planned.map(|step| format!("{} {}", element["id"], step["step"]))
    });
    let planned: Vec<String> = planned.collect();
    // What is removed without its steps has a finding instead.
    assert_eq!(planned, ["\"symbol open\" \"runtime\""], "{}", run.out);
}

/// It warns with its command.
#[test]
fn a_flag_that_nothing_announces_needs_no_step_of_its_own() {
    let model = r#"
policy = "nodejs"
[calendar]
current = "2.1"
cadence = { months = 6, every = { major = 24 } }
[calendar.releases]
"2.0" = 2023-01-01
"2.1" = 2023-07-01
"3.0" = 2025-01-01
"4.0" = 2027-01-01
[cli.tool]
audience = "user"
[cli.tool.command.run]
deprecated = "2.0"
warning = "w"
flag."--old" = { introduced = "2.0" }
"#;
    let folder = folder(&[("lifecycle.toml", model)]);
    for (release, allowed) in [("3.0", false), ("4.0", true)] {
        let flag = format!("cli tool run --old@{release}");
        let run = run_in(&folder, &["check", "--remove", &flag, "--format", "json"]);
        let report: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(report["proposals"][0]["allowed"], allowed, "{release}: {}", run.out);
    }
}
