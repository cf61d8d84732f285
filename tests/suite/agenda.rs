//! What an agenda asks for, done, is no longer asked for.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::BTreeSet;

use lifecycle::evaluate::Evaluation;
use lifecycle::report::{Action, TasksReport};
use lifecycle::what_if::Changes;
use lifecycle::{Document, FileId, Sources};
use proptest::prelude::*;

use crate::ci::read;
use crate::program::{folder, run_in, write};
use crate::support::evaluate;
use crate::worlds::{cases, evaluated_text, load, world_with_moves};

/// A removal that is overdue, and a deprecation without a warning.
const LATE: &str = concat!(
    calendar!(current "1.8", to "1.9"),
    "[group.\"example.com\".version]\n",
    "v1beta1 = { introduced = \"1.0\", deprecated = \"1.1\" }\nv1 = { introduced = \"1.1\" }\n",
    "[cli.tool]\naudience = \"user\"\nflag.\"--old\" = { introduced = \"1.0\", deprecated = \"1.8\" }\n"
);

/// The tasks that an edit of the model is for. A move in another release is another task: the end of a version, which
/// another edit declares, may bring it forward.
fn asked<'a>(report: &TasksReport<'a>) -> BTreeSet<(&'a str, Action, Option<&'a str>)> {
    let tasks = report.tasks.iter().filter(|task| !task.declarations.is_empty());
    let tasks = tasks.filter_map(|task| {
        let is_move = matches!(task.action, Action::Prefer | Action::Store);
        let release = task.release.filter(|_| is_move).map(|moment| moment.release);
        Some((task.element?, task.action, release))
    });
    tasks.collect()
}

fn tasks(evaluation: &Evaluation, ahead: u32) -> TasksReport<'_> {
    evaluation
        .tasks(&Sources::new(), None, ahead)
        .expect("the next release is covered")
}

/// The positions of the tasks in groups, each of tasks that are alike.
fn grouped(report: &TasksReport<'_>) -> Vec<usize> {
    let mut positions = Vec::new();
    for group in &report.task_groups {
        for at in &group.tasks {
            let task = &report.tasks[*at];
            let [own, common] = [task.release, group.release].map(|moment| moment.map(|moment| moment.release));
            assert_eq!((task.urgency, task.action, own), (group.urgency, group.action, common));
            assert_eq!((task.declared, task.owner), (group.declared, group.owner));
            assert!([&task.reason, &task.basis].contains(&&group.reason), "{group:?}");
            let element = task.element.filter(|_| group.tasks.len() > 1).unwrap_or("ELEMENT");
            let command = group
                .command
                .as_deref()
                .map(|command| command.replace("ELEMENT", element));
            assert_eq!(task.command, command);
            positions.push(*at);
        }
    }
    positions.sort_unstable();
    positions
}

/// The texts with all declarations made that an agenda has.
fn done(report: &TasksReport<'_>, before: &Evaluation, text: &str) -> String {
    let declarations = report.tasks.iter().flat_map(|task| task.declarations.clone());
    let changes = Changes {
        declarations: declarations.collect(),
        ..Changes::default()
    };
    let texts = changes.apply(before, &[Document::parse(FileId(0), text)]);
    texts.expect("declarations that can be made").remove(0)
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn the_edits_of_an_agenda_empty_it_of_what_they_are_for(world in world_with_moves(), ahead in 0_u32..3) {
        let text = world.text();
        let before = evaluated_text(&world, &text);
        let report = tasks(&before, ahead);
        prop_assert_eq!(grouped(&report), (0..report.tasks.len()).collect::<Vec<_>>());
        let edited = done(&report, &before, &text);
        let after = load(&world, &edited, None);
        let after = after.map_err(|errors| TestCaseError::fail(format!("{errors:?}\n{edited}")))?;
        let left = tasks(&after, ahead);
        let left: Vec<_> = asked(&left).intersection(&asked(&report)).map(|(id, action, _)| format!("{id} {action:?}")).collect();
        prop_assert!(left.is_empty(), "{left:?}\n{text}\n{edited}");
    }
}

/// The move needs no overlap because the alpha is removed in its release, which is planned only.
#[test]
fn the_edit_of_a_move_from_an_alpha_removes_the_alpha() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.6"),
        "[group.g.version]\nv1alpha1 = { introduced = \"1.0\" }\nv1beta1 = { introduced = \"1.3\" }\n",
        "[group.g.kind.W]\n"
    );
    let edits = [
        "lifecycle what-if --set g/v1alpha1.removed=1.3 --set g/v1beta1.preferred=1.3 --write",
        "lifecycle what-if --set 'g/v1alpha1 W.removed=1.3' --set 'g/v1beta1 W.storage=1.3' --write",
    ];
    let folder = folder(&[("lifecycle.toml", text)]);
    let agenda = run_in(&folder, &["agenda", "--ahead", "3", "--format", "json"]).ended(0);
    let agenda: serde_json::Value = serde_json::from_str(&agenda.out).expect("it is JSON");
    let tasks = agenda["tasks"].as_array().expect("tasks");
    let commands: Vec<&str> = tasks.iter().filter_map(|task| task["command"].as_str()).collect();
    assert!(edits.iter().all(|edit| commands.contains(edit)), "{agenda:#}");
    let moves = tasks
        .iter()
        .filter(|task| ["prefer", "store"].contains(&task["action"].as_str().unwrap_or("")));
    let reason =
        "the alpha version before it is removed: #4b preferred-and-storage permits the move without an overlap";
    assert!(
        moves.clone().count() == 2 && moves.clone().all(|task| task["reason"] == reason),
        "{agenda:#}"
    );
    for set in [
        ["g/v1alpha1.removed=1.3", "g/v1beta1.preferred=1.3"],
        ["g/v1alpha1 W.removed=1.3", "g/v1beta1 W.storage=1.3"],
    ] {
        run_in(&folder, &["what-if", "--set", set[0], "--set", set[1]]).ended(0);
    }
}

/// The declared move goes back to the older version, and the plan returns from it.
#[test]
fn a_version_that_is_to_be_preferred_twice_has_one_edit() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.6"),
        "[group.g.version]\nv1alpha1 = { introduced = \"1.0\" }\nv1beta1 = { introduced = \"1.1\" }\n",
        "[group.g.preferred]\nv1alpha1 = \"1.3\"\n"
    );
    let folder = folder(&[("lifecycle.toml", text)]);
    let agenda = run_in(&folder, &["agenda", "--ahead", "4", "--format", "json"]).ended(0);
    let agenda: serde_json::Value = serde_json::from_str(&agenda.out).expect("it is JSON");
    let tasks = agenda["tasks"].as_array().expect("tasks");
    let preferred = tasks
        .iter()
        .filter(|task| task["action"] == "prefer" && task["element"] == "g/v1beta1");
    let releases: Vec<&str> = preferred
        .filter_map(|task| task["release"]["release"].as_str())
        .collect();
    assert_eq!(releases, ["1.2"], "{agenda}");
}

#[test]
fn an_overdue_event_says_for_which_release_it_is_declared() {
    let removed = "deprecated = \"1.1\", removed = \"1.9\"";
    let text = LATE.replacen("deprecated = \"1.1\"", removed, 1);
    let folder = folder(&[("lifecycle.toml", &text)]);
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&["Overdue", "declared: example.com/v1beta1", "; declared for 1.9"]);
}

#[test]
fn exceptions_that_differ_in_their_elements_are_shown_once() {
    let late = |group: u8| {
        format!(
            "[group.\"g{group}.example\".version]\nv1beta1 = {{ introduced = \"1.{group}\" }}\n\
             v1 = {{ introduced = \"1.4\" }}\n"
        )
    };
    let text = format!("{}{}{}", calendar!(current "1.8", to "1.9"), late(1), late(2));
    let folder = folder(&[("lifecycle.toml", &text)]);
    let asked = run_in(&folder, &["agenda"]).ended(0);
    asked
        .says(&[
            "element = \"g1.example/v1beta1\"",
            "    with an exception: as above, for this element\n",
        ])
        .silent_on(&["\"g2.example/v1beta1\""]);
    let all = ["element = \"g1.example/v1beta1\"", "element = \"g2.example/v1beta1\""];
    run_in(&folder, &["agenda", "--all"]).ended(0).says(&all);
    let page = run_in(&folder, &["agenda", "--format", "markdown"]).ended(0);
    page.says(&["  ```toml\n  [[exception]]\n  rule = \"version-lifetime:not-deprecated-in-time\"\n"]);
}

#[test]
fn commands_are_broken_where_a_shell_reads_them_as_one() {
    let text = LATE.replace("--old", "--old-flag-with-a-name-that-is-long");
    let folder = folder(&[("model-of-a-tool.toml", &text)]);
    let agenda = run_in(
        &folder,
        &["agenda", "-m", "model-of-a-tool.toml", "--all", "--ahead", "9"],
    );
    agenda.ended(0).says(&[
        "--set 'cli tool --old-flag-with-a-name-that-is-long.removed=",
        " \\\n      -m model-of-a-tool.toml",
    ]);
}

#[test]
fn what_the_baseline_lists_is_left_out_and_counted() {
    let folder = folder(&[("lifecycle.toml", LATE)]);
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&["Overdue", "example.com/v1beta1", "lifecycle fix --write"]);
    run_in(&folder, &["check", "--write-baseline"]).ended(0);
    run_in(&folder, &["agenda"])
        .ended(0)
        .silent_on(&["Overdue", "lifecycle fix"])
        .says(&["2 tasks suppressed by lifecycle-baseline.toml"]);
    let report = run_in(&folder, &["agenda", "--format", "json"]).ended(0).out;
    let report: serde_json::Value = serde_json::from_str(&report).expect("the answer is JSON");
    assert_eq!(report["suppressed"], 2);
    assert_eq!(report["baseline"], "lifecycle-baseline.toml");
    // Another deadline that has passed is listed.
    let more = format!("{LATE}[group.\"other.example\".version]\nv1beta1 = {{ introduced = \"1.0\" }}\n");
    write(&folder, "lifecycle.toml", more.as_bytes());
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&["Overdue", "other.example/v1beta1", "2 tasks suppressed"]);
}

#[test]
fn the_agenda_of_kubernetes_is_emptied_by_its_edits() {
    let text = include_str!("../../examples/kubernetes/lifecycle.toml");
    let before = evaluate(text).expect("an example");
    let report = tasks(&before, 1);
    let wanted = asked(&report);
    assert!(wanted.len() > 50, "{}", wanted.len());
    let edited = done(&report, &before, text);
    let after = evaluate(&edited).expect("a model");
    let report = tasks(&after, 1);
    let left: Vec<_> = asked(&report)
        .into_iter()
        .filter(|task| wanted.contains(task))
        .collect();
    assert_eq!(left, []);
}

#[test]
fn what_is_declared_after_its_deadline_is_moved_to_that() {
    let text = format!(
        "{LATE}[group.\"later.example\".version]\nv1beta1 = {{ introduced = \"1.7\", deprecated = \"1.12\" }}\n"
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    run_in(
        &folder,
        &["agenda", "--release", "1.9", "--ahead", "2", "--group", "later.example"],
    )
    .ended(0)
    .says(&[
        "deprecate by 1.10 (~2026-05-01): later.example/v1beta1",
        "for 1.12",
        "--set later.example/v1beta1.deprecated=1.10",
    ])
    .silent_on(&["deprecate by 1.10, declared"]);
}

#[test]
fn the_agenda_of_a_past_release_has_nothing_that_was_due_later() {
    let text = format!(
        "{LATE}[group.\"later.example\".version]\nv1beta1 = {{ introduced = \"1.4\", deprecated = \"1.5\" }}\nv1 = {{ introduced = \"1.5\" }}\n"
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&["example.com/v1beta1", "later.example/v1beta1"]);
    run_in(&folder, &["agenda", "--release", "1.5"])
        .ended(0)
        .says(&["example.com/v1beta1"])
        .silent_on(&["by 1.8", "cli tool"]);
}

#[test]
fn the_agenda_of_a_past_release_declares_nothing_for_it() {
    let text = UNLOCKED.replace("since = \"1.4\"", "since = \"1.2\"");
    let before = evaluate(&text).expect("a model");
    let report = before.tasks(&Sources::new(), Some("1.3"), 0).expect("it is covered");
    let declarations: Vec<&str> = report
        .tasks
        .iter()
        .flat_map(|task| &task.declarations)
        .map(String::as_str)
        .collect();
    assert_eq!(declarations, ["gate One.locked=1.5", "gate Two.locked=1.5"]);
}

/// Storage has moved once, and moves again in the next release; neither is declared.
const STORED: &str = concat!(
    calendar!(current "1.4", to "1.6"),
    "[group.\"example.com\".version]\n",
    "v1alpha1 = { introduced = \"1.0\" }\nv1beta1 = { introduced = \"1.1\" }\nv1 = { introduced = \"1.4\" }\n",
    "[group.\"example.com\".kind.Widget]\n",
);

/// Beside a declared move, storage has not moved: it does once the alpha is removed.
#[test]
fn no_move_is_declared_for_what_has_shipped() {
    let first = "storage = { v1alpha1 = \"1.0\" }\n";
    let last = "example.com/v1 Widget.storage=1.5";
    for (text, expected) in [
        (STORED.to_owned(), vec![last]),
        (
            format!("{STORED}{first}"),
            vec!["example.com/v1alpha1 Widget.removed=1.5", last],
        ),
    ] {
        let before = evaluate(&text).expect("a model");
        let report = tasks(&before, 0);
        let stored = report.tasks.iter().find(|task| task.action == Action::Store);
        let stored = stored.expect("storage moves");
        assert_eq!(stored.declarations, expected);
        let after = evaluate(&done(&report, &before, &text)).expect("a model");
        assert_eq!(stored_in(&before), stored_in(&after));
    }
}

/// The storage version in each release.
fn stored_in(evaluation: &Evaluation) -> Vec<serde_json::Value> {
    let report = serde_json::to_value(evaluation.report(&Sources::new())).expect("JSON");
    let releases = report["groups"][0]["releases"].as_array().expect("releases");
    releases.iter().map(|release| release["storage"].clone()).collect()
}

/// A removal that is declared too early, and that nothing announces.
#[test]
fn a_declared_removal_that_a_check_refuses_is_to_be_corrected() {
    let text = format!(
        "{}[group.\"example.com\".version]\nv1beta1 = {{ introduced = \"1.3\", removed = \"1.5\" }}\nv1 = {{ introduced = \"1.4\" }}\n",
        calendar!(current "1.4", to "1.6")
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    let check = run_in(&folder, &["check"]).ended(1);
    check.says(&["error[version-lifetime #4a: early]"]);
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&[
            "correct by 1.5, declared: example.com/v1beta1",
            "example.com/v1beta1 is removed in 1.5, and nothing announces it; the earliest is 1.8",
            "declare `deprecated = \"1.5\"`, and move the removal to",
        ])
        .silent_on(&["remove by 1.5"]);
}

#[test]
fn a_task_that_is_left_of_several_has_its_own_command() {
    let before = evaluate(UNLOCKED).expect("a model");
    let mut report = tasks(&before, 0);
    let of_any = "lifecycle what-if --set 'ELEMENT.locked=1.5' --write";
    assert_eq!(report.task_groups[0].command.as_deref(), Some(of_any));
    report.retain(|task| task.element != Some("gate One"));
    assert_eq!(grouped(&report), [0]);
    let own = of_any.replace("ELEMENT", "gate Two");
    assert_eq!(report.task_groups[0].command, Some(own));
}

/// Two gates that are GA and can still be set.
const UNLOCKED: &str = concat!(
    calendar!(current "1.4", to "1.6"),
    "[gate.One]\nspecs = [\n  { stage = \"beta\", since = \"1.0\", default = true }, # why\n  { stage = \"GA\", since = \"1.4\", default = true },\n]\n",
    "[gate.Two]\nspecs = [{ stage = \"beta\", since = \"1.0\", default = true }, { stage = \"GA\", since = \"1.4\", default = true }]\n",
);

#[test]
fn the_edit_of_a_gate_that_can_still_be_set_locks_it() {
    let folder = folder(&[("lifecycle.toml", UNLOCKED)]);
    run_in(&folder, &["agenda"]).ended(0).says(&[
        "lock from 1.5: gates One, Two",
        "edit each: lifecycle what-if --set 'ELEMENT.locked=1.5'",
    ]);
    run_in(&folder, &["agenda", "--all"])
        .ended(0)
        .says(&["'gate One.locked=1.5'", "'gate Two.locked=1.5'"])
        .silent_on(&["ELEMENT"]);
    let locked = [
        "what-if",
        "--set",
        "gate One.locked=1.5",
        "--set",
        "gate Two.locked=1.4",
        "--write",
    ];
    run_in(&folder, &locked).says(&["+ locked 1.5: gate One"]);
    let text = read(&folder.path().join("lifecycle.toml")).expect("a file");
    let [one, two] = [
        "{ stage = \"GA\", since = \"1.4\", default = true }, { stage = \"GA\", since = \"1.5\", default = true, locked = true },\n]",
        "{ stage = \"GA\", since = \"1.4\", default = true, locked = true }]",
    ];
    assert!(
        text.contains("# why") && text.contains(one) && text.contains(two),
        "{text}"
    );
    run_in(&folder, &["agenda"]).ended(0).silent_on(&["lock from"]);
}

/// A beta that is due before its successor has been served beside it.
#[test]
fn a_removal_that_cannot_come_in_time_is_declared_for_the_first_release_that_permits_it() {
    let text = format!(
        "{}[group.\"example.com\".version]\nv1beta1 = {{ introduced = \"1.1\", deprecated = \"1.4\" }}\nv1 = {{ introduced = \"1.7\" }}\n\
         [group.\"example.com\".kind.Widget]\n",
        calendar!(current "1.4", to "1.9")
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    run_in(&folder, &["agenda", "--ahead", "2"]).ended(0).says(&[
        "remove by 1.7",
        "it cannot be removed before 1.8",
        "--set example.com/v1beta1.removed=1.8 --write",
        &format!("    with an exception:\n      {}", EXCUSE.replace('\n', "\n      ")),
    ]);
    edit(&folder, &["--set", "example.com/v1beta1.removed=1.8"]);
    run_in(&folder, &["check"]).ended(0).says(&["overdue"]);
    run_in(&folder, &["agenda", "--ahead", "2"]).says(&[EXCUSE.lines().next().expect("a line")]);
    let text = read(&folder.path().join("lifecycle.toml")).expect("a model");
    write(&folder, "lifecycle.toml", format!("{text}\n{EXCUSE}\n").as_bytes());
    run_in(&folder, &["check"]).ended(0).silent_on(&["warning"]);
    run_in(&folder, &["agenda", "--ahead", "2"])
        .ended(0)
        .silent_on(&["remove by 1.7", "removed=", "[[exception]]"]);
    let later = run_in(&folder, &["agenda", "--ahead", "3"]).ended(0);
    later.says(&["remove by 1.8", "declared"]).silent_on(&["answer"]);
}

/// What covers the removal of that beta after its deadline.
const EXCUSE: &str = "[[exception]]\nrule = \"version-lifetime:overdue\"\nelement = \"example.com/v1beta1\"\n\
                      reason = \"…\"\napproved-by = \"…\"\nuntil = \"1.9\"";

/// Two kinds of a beta that is due, of which one is still stored in it then.
#[test]
fn a_kind_that_may_be_removed_in_time_is_not_put_off_with_its_version() {
    let text = format!(
        "{}[group.\"p.io\"]\npreferred = {{ v1beta1 = \"1.1\", v1 = \"1.6\" }}\n[group.\"p.io\".version]\n\
         v1beta1 = {{ introduced = \"1.1\", deprecated = \"1.4\" }}\nv1 = {{ introduced = \"1.4\" }}\n\
         [group.\"p.io\".kind]\nP = {{ storage = {{ v1beta1 = \"1.1\", v1 = \"1.8\" }} }}\n\
         R = {{ storage = {{ v1beta1 = \"1.1\", v1 = \"1.6\" }} }}\n",
        calendar!(current "1.5", to "1.9")
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    run_in(&folder, &["agenda", "--ahead", "3"]).ended(0).says(&[
        "remove by 1.7 (2025-05-01): p.io/v1beta1\n",
        "it cannot be removed before 1.8",
        "--set p.io/v1beta1.removed=1.8",
        "remove by 1.7 (2025-05-01): p.io/v1beta1 R\n",
        "--set 'p.io/v1beta1 R.removed=1.7'",
    ]);
    let sets = [
        "--set",
        "p.io/v1beta1.removed=1.8",
        "--set",
        "p.io/v1beta1 R.removed=1.7",
    ];
    edit(&folder, &sets);
    run_in(&folder, &["check"])
        .ended(0)
        .silent_on(&["R is removed", "v1beta1 R is"]);
}

/// A removal waits for a step that its policy requires and nobody has declared.
#[test]
fn the_edit_of_a_removal_declares_the_steps_before_it() {
    let text = "policy = \"nodejs\"\n[calendar]\ncurrent = \"16.0\"\n[calendar.releases]\n\
                \"15.0\" = 2020-10-20\n\"16.0\" = 2021-04-20\n\"17.0\" = 2021-10-19\n\"18.0\" = 2022-04-19\n\
                [behavior.b]\nintroduced = \"15.0\"\ndeprecated = \"16.0\"\n";
    let folder = folder(&[("lifecycle.toml", text)]);
    run_in(&folder, &["agenda", "--release", "18.0"])
        .ended(0)
        .says(&["--set 'behavior b.runtime=17.0' --set 'behavior b.removed=18.0'"]);
    edit(
        &folder,
        &["--set", "behavior b.runtime=17.0", "--set", "behavior b.removed=18.0"],
    );
    run_in(&folder, &["check"]).ended(0).says(&["no policy violations"]);
}

/// What announces a removal is planned, and not declared.
#[test]
fn the_edit_of_a_removal_announces_it() {
    let text = format!(
        "{}[group.\"example.com\".version]\nv1beta1 = {{ introduced = \"1.4\" }}\nv1 = {{ introduced = \"1.5\" }}\n\
         [group.\"example.com\".kind.Widget]\n",
        calendar!(current "1.4", to "1.9")
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    let sets = [
        "--set",
        "example.com/v1beta1.deprecated=1.5",
        "--set",
        "example.com/v1beta1.removed=1.8",
    ];
    run_in(&folder, &["agenda", "--release", "1.8"]).ended(0).says(&[
        "remove by 1.8",
        "--set example.com/v1beta1.deprecated=1.5 \\\n      --set example.com/v1beta1.removed=1.8",
    ]);
    edit(&folder, &sets);
    run_in(&folder, &["check"]).ended(0).silent_on(&["early"]);
}

/// Old is deprecated, and Late has a life of its own, about which `check` speaks too.
#[test]
fn what_is_overdue_for_one_kind_is_no_task_of_its_version() {
    let text = format!(
        "{}[group.\"example.com\".version]\nv1beta1 = {{ introduced = \"1.0\" }}\nv1beta2 = {{ introduced = \"1.3\" }}\n\
         [group.\"example.com\".kind.Old]\nversion.v1beta1 = {{ deprecated = \"1.3\" }}\n\
         [group.\"example.com\".kind.Late]\nversions = [\"v1beta1\"]\nversion.v1beta1 = {{ introduced = \"1.1\" }}\n",
        calendar!(current "1.4", to "1.9")
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    let exception = "element = \"example.com/v1beta1 Late\"";
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&["deprecate by 1.4", "example.com/v1beta1 Late", exception])
        .silent_on(&["example.com/v1beta1.deprecated"]);
    let excused =
        "[[exception]]\nrule = \"version-lifetime:not-deprecated-in-time\"\nreason = \"…\"\napproved-by = \"x\"\n";
    let excused = format!("{text}{excused}{exception}\nuntil = \"1.6\"\n");
    write(&folder, "lifecycle.toml", excused.as_bytes());
    run_in(&folder, &["check"]).ended(0).silent_on(&["unneeded"]);
}

fn edit(folder: &tempfile::TempDir, sets: &[&str]) {
    let words: Vec<&str> = std::iter::once("what-if")
        .chain(sets.iter().copied())
        .chain(["--write"])
        .collect();
    run_in(folder, &words).ended(0);
}

/// Stages below headers of their own: a key after them would belong to the last stage.
#[test]
fn a_warning_that_fix_cannot_write_is_named_as_a_line() {
    let stage = |stage: &str, since: &str| {
        format!("[[gate.G.specs]]\nstage = \"{stage}\"\nsince = \"{since}\"\ndefault = true\n")
    };
    let stages = stage("beta", "1.0") + &stage("deprecated", "1.5");
    let text = format!(
        "{}[gate.G]\noperational = true\n{stages}",
        calendar!(current "1.4", to "1.9")
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    run_in(&folder, &["fix"]).ended(0).says(&["nothing to fix"]);
    run_in(&folder, &["agenda"])
        .ended(0)
        .says(&[
            "warn by 1.5: gate G",
            "edit: warning = \"feature gate G is deprecated since 1.5",
        ])
        .silent_on(&["lifecycle fix"]);
}

#[test]
fn a_version_is_not_offered_to_end_before_all_of_its_kinds_have_begun() {
    let policy = "name = \"odd\"\nextends = \"kubernetes\"\n[rule.version-replacement]\n\
                  until-replacement-released = false\n[rule.version-lifetime]\n\
                  beta = { deprecate-within = false, after-deprecation = false, remove-within = false }\n";
    let text = "policy = \"odd.toml\"\n[calendar]\nsymbolic = { origin = \"X\", count = 4 }\n\
                [group.\"g.example\".version]\nv1alpha1 = { introduced = \"X\" }\nv1beta1 = { introduced = \"X\" }\n\
                [group.\"g.example\".kind]\nGadget = { version.v1alpha1 = { introduced = \"X+2\" } }\nWidget = {}\n";
    let folder = folder(&[("lifecycle.toml", text), ("odd.toml", policy)]);
    run_in(&folder, &["agenda", "--ahead", "1"])
        .ended(0)
        .says(&["--set 'g.example/v1alpha1 Widget.removed=X+1'"])
        .silent_on(&["--set g.example/v1alpha1.removed=X+1"]);
}

/// A beta version whose removal was due in 1.4, and an exception from that.
fn overdue(removed: &str, until: &str) -> String {
    format!(
        "{}[group.g.version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.1\"{removed} }}\n\
         v1 = {{ introduced = \"1.1\" }}\n[group.g.kind.W]\n\n[[exception]]\n\
         rule = \"version-lifetime:overdue\"\nelement = \"g/v1beta1\"\nreason = \"one customer\"\n\
         approved-by = \"lead\"\nuntil = \"{until}\"\n",
        calendar!(current "1.6", to "1.9")
    )
}

#[test]
fn what_an_exception_allows_is_not_overdue_until_it_ends() {
    for (removed, until, ahead, listed, silent) in [
        // It is extended; no second one is asked for.
        (
            "",
            "1.6",
            "0",
            &[
                "2 overdue",
                "remove by 1.4",
                "answer by 1.6",
                "has ended: one customer (lifecycle.toml:",
                "until = \"1.8\"",
            ][..],
            "[[exception]]",
        ),
        (
            ", removed = \"1.9\"",
            "1.6",
            "0",
            &["2 overdue", "declared for 1.9", "until = \"1.10\""],
            "[[exception]]",
        ),
        (
            "",
            "1.7",
            "0",
            &["1 must be done", "answer by 1.7", "overdue ends"],
            "remove by",
        ),
        // It covers the release of the removal, so that it never runs out.
        (
            ", removed = \"1.7\"",
            "1.8",
            "2",
            &["remove by 1.7, declared"],
            "answer",
        ),
        (
            ", removed = \"1.9\"",
            "1.10",
            "0",
            &["remove from 1.7, declared"],
            "overdue",
        ),
    ] {
        let folder = folder(&[("lifecycle.toml", &overdue(removed, until))]);
        let agenda = run_in(&folder, &["agenda", "--ahead", ahead]).ended(0).out;
        assert!(listed.iter().all(|words| agenda.contains(words)), "{agenda}");
        assert!(!agenda.contains(silent), "{agenda}");
        let is_overdue = agenda.contains("Overdue");
        let plan = run_in(&folder, &["plan"]).ended(0).out;
        assert_eq!(plan.contains("removal overdue"), is_overdue, "{plan}");
        assert!(!plan.contains("due before it is possible"), "{plan}");
        let state = run_in(&folder, &["plan", "--state", "overdue", "--format", "json"])
            .ended(0)
            .out;
        assert_eq!(state.contains("\"id\":\"g/v1beta1\""), is_overdue, "{state}");
    }
}

#[test]
fn a_gate_that_is_not_locked_may_be_locked_before_it_is_removed() {
    let text = concat!(
        calendar!(current "1.6", to "1.9"),
        "[gate.Free]\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }, ",
        "{ stage = \"beta\", since = \"1.1\", default = true }, { stage = \"ga\", since = \"1.2\", default = true }]\n"
    );
    let folder = folder(&[("lifecycle.toml", text)]);
    let agenda = run_in(&folder, &["agenda"]).ended(0);
    agenda
        .says(&[
            "May be done\n",
            "lock from 1.7: gate Free",
            "by custom it is removed only after it is locked",
        ])
        .silent_on(&["Follows from what was announced", "remove from"]);
}

#[test]
fn an_agenda_says_what_it_leaves_out() {
    let folder = folder(&[("lifecycle.toml", LATE)]);
    let none = run_in(&folder, &["agenda", "--urgency", "promised"]).ended(0);
    none.says(&["no such task in 1.9", "others are not asked for"])
        .silent_on(&["nothing to do"]);
    let page = run_in(&folder, &["agenda", "--urgency", "promised", "--format", "markdown"]).ended(0);
    page.says(&["There is no such task in 1.9"]);
    let json = run_in(&folder, &["agenda", "--urgency", "overdue", "--format", "json"]).ended(0);
    let [all, overdue] = [run_in(&folder, &["agenda", "--format", "json"]), json].map(|run| {
        let report: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
        (
            report["tasks"].as_array().expect("tasks").len() as u64,
            report["left_out"].as_u64(),
        )
    });
    assert_eq!(all.1, Some(0));
    assert_eq!(overdue.1, Some(all.0 - overdue.0));
    assert!(overdue.0 > 0, "{all:?}");
}

/// What has shipped is neither announced nor locked any more.
#[test]
fn the_agenda_of_a_shipped_release_asks_for_nothing_in_it() {
    let gate = "[gate.Free]\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }, \
                { stage = \"beta\", since = \"1.1\", default = true }, { stage = \"ga\", since = \"1.2\", default = true }]\n";
    let folder = folder(&[("lifecycle.toml", &format!("{LATE}{gate}"))]);
    let agenda = run_in(&folder, &["agenda", "--release", "1.8"]).ended(0);
    agenda
        .says(&["lock from 1.9"])
        .silent_on(&["announce", "lock from 1.8"]);
}

/// The removal of the first life is declared, that of the second one is planned for later.
#[test]
fn an_agenda_that_looks_further_ahead_has_what_comes_first() {
    let text = concat!(
        calendar!(current "1.5", to "1.9"),
        "[group.\"example.com\".version]\nv1beta1 = { lives = [{ introduced = \"1.2\", deprecated = \"1.3\", \
         removed = \"1.6\" }, { introduced = \"1.7\" }] }\n[group.\"example.com\".kind.Car]\n"
    );
    let evaluation = evaluate(text).expect("the model can be read");
    for ahead in [1, 5] {
        let report = tasks(&evaluation, ahead);
        let mut removals = report.tasks.iter().filter(|task| task.action == Action::Remove);
        let first = removals.find_map(|task| task.release);
        assert_eq!(first.map(|moment| moment.release), Some("1.6"), "{ahead}");
    }
}
