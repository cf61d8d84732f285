//! What `plan`, `why` and `notes` say about one model: each statement once, and none against another.

#![cfg(test)]

use lifecycle::Sources;
use lifecycle::evaluate::{Evaluation, Range};
use lifecycle::render::notes::built_in_templates;
use lifecycle::render::{Style, why};

use crate::support::evaluate;

/// The lines of `why` without what follows the release of an event.
fn reasons(evaluation: &Evaluation, element: &str) -> Vec<String> {
    let sources = Sources::new();
    let id = evaluation
        .model()
        .find(element)
        .unwrap_or_else(|| panic!("{element} is an element"));
    let style = Style {
        width: u16::MAX,
        color: false,
    };
    let text = why::derivation(&evaluation.derivation(&sources, id, None), true, style);
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The beginnings of the lines of `why` that name an event, up to its date.
fn events(evaluation: &Evaluation, element: &str) -> Vec<String> {
    let names = [
        "introduced",
        "promoted",
        "changed",
        "deprecated",
        "undeprecated",
        "hidden",
        "removed",
    ];
    let lines = reasons(evaluation, element).into_iter();
    let events = lines.filter(|line| names.iter().any(|name| line.starts_with(name)));
    events
        .map(|line| line.split(" (").next().unwrap_or_default().to_owned())
        .collect()
}

/// The notes of a group's timeline: `1.4: v1beta1 A deprecated, action required`.
fn timeline_notes(evaluation: &Evaluation, group: &str) -> Vec<String> {
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let group = report.groups.iter().find(|found| found.group == group);
    let group = group.expect("the group is reported");
    let rows = group.releases.iter();
    let notes = rows.flat_map(|row| row.notes.iter().map(move |note| (row.release, note)));
    notes
        .map(|(release, note)| {
            let planned = if note.declared { "" } else { " (planned)" };
            format!("{release}: {}{planned}", note.text)
        })
        .collect()
}

const LIVES: &str = concat!(
    calendar!(current "1.6", to "1.7"),
    r#"
[group."example.com".version]
v1 = { introduced = "1.2" }
v1beta1 = { introduced = "1.0", removed = "1.7" }
[group."example.com".kind.Left]
version.v1 = { introduced = "1.2" }
version.v1beta1 = { introduced = "1.0", deprecated = ["1.1", "1.3"], undeprecated = "1.2", removed = "1.5" }
[group."example.com".kind.Lone]
version.v1beta1 = { introduced = "1.2", removed = "1.4" }
[group."back.example.com".version]
v1beta1 = { introduced = "1.0", removed = "1.7" }
[group."back.example.com".kind.First]
version.v1beta1 = { deprecated = "1.0", removed = "1.3" }
[group."back.example.com".kind.Second]
version.v1beta1 = { introduced = "1.5" }
"#
);

/// A version whose last kind that is not deprecated leaves is not deprecated by that.
#[test]
fn the_timeline_notes_what_happens_to_some_kinds_of_a_version_and_nothing_else() {
    let evaluation = evaluate(LIVES).expect("the model can be read");
    let expected = [
        "1.1: v1beta1 deprecated, action required",
        "1.2: v1beta1 Left undeprecated",
        "1.3: v1beta1 Left deprecated, action required",
        "1.4: v1beta1 Lone removed, action required",
        "1.5: v1beta1 removed, action required",
    ];
    assert_eq!(timeline_notes(&evaluation, "example.com"), expected);
}

#[test]
fn a_deprecation_that_was_withdrawn_and_repeated_keeps_its_releases_in_order() {
    let evaluation = evaluate(LIVES).expect("the model can be read");
    let expected = [
        "introduced 1.0",
        "deprecated 1.1",
        "undeprecated 1.2",
        "deprecated 1.3",
        "removed 1.5",
    ];
    assert_eq!(events(&evaluation, "example.com/v1beta1 Left"), expected);
}

#[test]
fn a_version_that_no_kind_kept_for_a_while_has_two_lives() {
    let evaluation = evaluate(LIVES).expect("the model can be read");
    let lines = reasons(&evaluation, "back.example.com/v1beta1");
    let own = lines.iter().filter_map(|line| {
        let line = line.strip_prefix("back.example.com/v1beta1 ").unwrap_or(line);
        let is_own = ["introduced", "removed"].iter().any(|name| line.starts_with(name));
        is_own.then(|| line.split(", declared").next().unwrap_or_default())
    });
    let expected = [
        "introduced 1.0 (2023-01-01)",
        "removed 1.3 (2024-01-01), implied",
        "introduced (life 2) 1.5 (2024-09-01), implied",
        "removed 1.7 (2025-05-01)",
    ];
    assert_eq!(own.collect::<Vec<_>>(), expected);
}

const ENTRIES: &str = concat!(
    "policy = \"kubernetes-2025\"\n",
    calendar!(current "1.4", to "1.5"),
    r#"
[group."example.com".version]
v1 = { introduced = "1.0" }
v1beta1 = { introduced = "1.0", deprecated = "1.4", removed = "1.5" }
[group."example.com".kind.Kept]
versions = ["v1"]
[group."example.com".kind.Late]
versions = ["v1beta1"]
[gate.Fast]
specs = [
    { stage = "alpha", since = "1.0", default = false },
    { stage = "beta", since = "1.1", default = true },
    { stage = "beta", since = "1.2", default = false },
]
[metric.open]
specs = [
    { stage = "ALPHA", since = "1.0", labels = ["a"] },
    { stage = "ALPHA", since = "1.1", labels = ["a", "b"] },
    { stage = "BETA", since = "1.2", labels = ["a", "b"] },
]
[metric.gone]
specs = [{ stage = "ALPHA", since = "1.0" }]
deprecated = "1.1"
removed = "1.3"
"#
);

#[test]
fn why_names_what_each_entry_of_a_gate_or_metric_changes() {
    let evaluation = evaluate(ENTRIES).expect("the model can be read");
    let gate = reasons(&evaluation, "gate Fast");
    for line in [
        "introduced 1.0 (2023-01-01): alpha, off by default, declared",
        "promoted 1.1 (2023-05-01): beta, on by default, declared",
        "changed 1.2 (2023-09-01): beta, off by default, declared",
    ] {
        assert!(gate.iter().any(|found| found == line), "{line}: {gate:#?}");
    }
    let metric = reasons(&evaluation, "metric open");
    for line in [
        "introduced 1.0 (2023-01-01): ALPHA, labels a, declared",
        "changed 1.1 (2023-05-01): ALPHA, labels a, b, declared",
        "promoted 1.2 (2023-09-01): BETA, labels a, b, declared",
    ] {
        assert!(metric.iter().any(|found| found == line), "{line}: {metric:#?}");
    }
}

#[test]
fn why_marks_what_an_event_misses() {
    let evaluation = evaluate(ENTRIES).expect("the model can be read");
    let gate = reasons(&evaluation, "gate Fast").join("\n");
    assert!(gate.contains("\nnot met\ngate-lifetime #9: "), "{gate}");
    assert!(gate.contains("gate Fast is beta and off by default in 1.2"), "{gate}");
    let late = reasons(&evaluation, "example.com/v1beta1 Late").join("\n");
    assert!(late.contains("by 1.3 (2024-01-01), missed: 1 release late"), "{late}");
    assert!(
        late.contains("not before 1.7 (projected 2025-05-01), missed: 2 releases early"),
        "{late}"
    );
}

/// A metric is supposed to be deprecated first, as for its removal.
#[test]
fn the_hiding_of_a_metric_counts_from_the_deprecation_that_its_removal_needs() {
    let evaluation = evaluate(ENTRIES).expect("the model can be read");
    let lines = reasons(&evaluation, "metric open").join("\n");
    let (_, hidden) = lines
        .split_once("hidden: not declared and not planned\n")
        .expect("it is bounded");
    let (hidden, _) = hidden.split_once("removed:").expect("the removal follows");
    assert!(
        hidden.contains("→ not before 1.6 (projected 2025-01-01)  [decides the release]"),
        "{lines}"
    );
    // An obligation that two classes share is stated once.
    let gone = reasons(&evaluation, "metric gone");
    let mut once = gone.iter().filter(|line| line.contains(" #")).collect::<Vec<_>>();
    let all = once.len();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), all, "{gone:#?}");
}

#[test]
fn why_names_the_replacement_and_the_major_release_that_a_removal_waits_for() {
    let text = concat!(
        calendar!(current "1.2", to "1.2"),
        r#"
[group."example.com".version]
v1 = { introduced = "1.0", deprecated = "1.2", replacement = "v2" }
v2 = { introduced = "1.1" }
"#
    );
    let evaluation = evaluate(text).expect("the model can be read");
    let lines = reasons(&evaluation, "example.com/v1");
    assert_eq!(lines[1], "replaced by example.com/v2");
    assert!(
        lines
            .iter()
            .any(|line| line == "→ not before major 2.0  [decides the release]"),
        "{lines:#?}"
    );
    let other = reasons(&evaluation, "example.com/v2");
    assert!(
        other
            .iter()
            .any(|line| line == "→ not before major 2.0  [decides the release]"),
        "{other:#?}"
    );
}

fn page(evaluation: &Evaluation, template: &str, release: &str) -> String {
    let range = Range {
        release: Some(evaluation.find_covered(release).expect("the release is covered")),
        ..Range::default()
    };
    let notes = evaluation.notes(&Sources::new(), range);
    built_in_templates()
        .render(template, &notes)
        .expect("the template fits")
}

const NOTES: &str = concat!(
    calendar!(current "1.4", to "1.5"),
    r#"
[group."example.com".version]
v1 = { introduced = "1.1" }
v1beta1 = { introduced = "1.0", removed = "1.6" }
v1alpha1 = { introduced = "1.0", removed = "1.3" }
[group."example.com".kind.Lease]
versions = ["v1alpha1", "v1beta1", "v1"]
version.v1beta1 = { deprecated = "1.1", removed = "1.4" }
[group."example.com".kind.Candidate]
versions = ["v1alpha1", "v1beta1"]
version.v1beta1 = { introduced = "1.2", deprecated = "1.3" }
[group."example.com".kind.Grown]
versions = ["v1beta1", "v1"]
version.v1beta1 = { introduced = "1.1", deprecated = "1.3" }
version.v1 = { introduced = "1.3" }
[gate.Fast]
specs = [
    { stage = "beta", since = "1.0", default = true },
    { stage = "GA", since = "1.2", default = true },
    { stage = "GA", since = "1.3", default = true, locked = true },
]
[metric.open]
specs = [
    { stage = "ALPHA", since = "1.0", labels = ["a"] },
    { stage = "ALPHA", since = "1.2", labels = ["a", "b"] },
]
deprecated = "1.3"
removed = "1.4"
"#
);

/// What replaces a kind that has left a version does not replace the kinds that it still serves.
#[test]
fn a_version_is_replaced_only_by_one_that_serves_the_kinds_that_are_left() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let announced = page(&evaluation, "announcement.md", "1.3");
    assert!(announced.contains("Grown"), "{announced}");
    assert!(!announced.contains("discontinued"), "{announced}");
    let (_, candidate) = announced.split_once("v1beta1 Candidate`\n").expect("it is announced");
    let (candidate, _) = candidate.split_once("- Schedule").expect("it has a schedule");
    assert!(!candidate.contains("Why: it is replaced"), "{candidate}");
    let lone = concat!(
        calendar!(current "1.5", to "1.5"),
        r#"
[group."example.com".version]
v1 = { introduced = "1.0" }
v1beta1 = { introduced = "1.0", deprecated = "1.1", removed = "1.7" }
[group."example.com".kind.Lease]
versions = ["v1beta1", "v1"]
version.v1beta1 = { removed = "1.4" }
[group."example.com".kind.Candidate]
versions = ["v1beta1"]
version.v1beta1 = { introduced = "1.4", deprecated = "1.5", removed = "1.7" }
"#
    );
    let evaluation = evaluate(lone).expect("the model can be read");
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let version = report
        .elements
        .iter()
        .find(|element| element.id == "example.com/v1beta1");
    assert_eq!(version.expect("it is reported").migrate_to, None);
}

#[test]
fn announcements_say_why_a_gate_and_a_beta_end() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let gate = page(&evaluation, "announcement.md", "1.2");
    assert!(
        gate.contains("- Why: the feature is GA; the gate is no longer needed."),
        "{gate}"
    );
    let beta = page(&evaluation, "announcement.md", "1.3");
    assert!(!beta.contains("discontinued"), "{beta}");
}

/// Nothing to come is in the past tense, and nothing past is to come.
#[test]
fn drafts_use_the_tense_of_their_release() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let standing = page(&evaluation, "deprecations.md", "1.3");
    assert!(standing.contains("## To be removed in 1.4"), "{standing}");
    let removed = page(&evaluation, "deprecations.md", "1.4");
    assert!(removed.contains("## Removed in 1.4"), "{removed}");
    let text = concat!(
        calendar!(current "1.4", to "1.5"),
        r#"
[cli.tool]
audience = "user"
[cli.tool.flag."--old"]
stage = "beta"
introduced = "1.0"
deprecated = "1.5"
"#
    );
    let evaluation = evaluate(text).expect("the model can be read");
    let coming = page(&evaluation, "announcement.md", "1.6");
    assert!(coming.contains("Why: it is deprecated in 1.5"), "{coming}");
    let guide = page(&evaluation, "migration-guide.md", "1.6");
    assert!(guide.contains("To be removed:"), "{guide}");
    assert!(guide.lines().all(|line| line == line.trim_end()), "{guide}");
}

#[test]
fn a_missing_replacement_is_not_declared_and_not_denied() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let notes = page(&evaluation, "notes.md", "1.4");
    let line = "- metric `open` removed, action required. No replacement is declared.";
    assert!(notes.lines().any(|found| found == line), "{notes}");
}

/// A gate that is locked later has been GA since it became GA.
#[test]
fn a_warning_names_the_first_release_of_the_stage() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let warnings = page(&evaluation, "warnings.md", "1.4");
    assert!(warnings.contains("`Fast` (GA since 1.2)"), "{warnings}");
}

#[test]
fn notes_announce_other_labels_of_a_metric() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let notes = page(&evaluation, "notes.md", "1.2");
    let line = "- metric `open` labels changed: `a` → `a, b`";
    assert!(notes.lines().any(|found| found == line), "{notes}");
}

#[test]
fn a_kind_that_enters_a_more_stable_version_graduates() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let notes = page(&evaluation, "notes.md", "1.3");
    let (_, graduations) = notes.split_once("## Graduations").expect("some graduate");
    let line = "- `example.com/v1 Grown` new: graduates from beta to GA";
    assert!(graduations.lines().any(|found| found == line), "{notes}");
}

#[test]
fn a_move_of_a_shipped_release_that_nobody_declared_is_assumed() {
    let evaluation = evaluate(NOTES).expect("the model can be read");
    let notes = page(&evaluation, "notes.md", "1.2");
    assert!(notes.contains("is assumed to move from `v1beta1` to `v1`."), "{notes}");
}

/// The policy lets the gate go two releases after it is GA; by custom it stays for three after it is locked.
#[test]
fn what_a_gate_waits_for_by_custom_is_shown_beside_what_the_rule_requires() {
    let text = concat!(
        calendar!(current "1.4", to "1.5"),
        r#"
[gate.Fast]
specs = [
    { stage = "beta", since = "1.0", default = true },
    { stage = "GA", since = "1.3", default = true, locked = true },
]
"#
    );
    let evaluation = evaluate(text).expect("the model can be read");
    let notes = page(&evaluation, "notes.md", "1.5");
    let line = "- feature gate `Fast` removed no earlier than 1.5, by custom 1.6, action required.";
    assert!(notes.lines().any(|found| found.starts_with(line)), "{notes}");
    let why = reasons(&evaluation, "gate Fast").join("\n");
    let custom = "not before 1.6 (projected 2025-01-01)\ngate-lifetime #8: by custom a gate stays 3 releases after";
    assert!(why.contains(custom), "{why}");
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let gate = report.elements.iter().find(|element| element.id == "gate Fast");
    let custom = gate.and_then(|gate| gate.custom_removal);
    assert_eq!(custom.map(|moment| moment.release), Some("1.6"));
}

/// A gate stays while it guards anything: one of the fields stands for all, unless each is asked for.
#[test]
fn of_many_obligations_that_read_the_same_one_is_explained() {
    let fields = (10..50).map(|at| format!("field.\"spec.f{at}\" = {{ introduced = \"X+2\", gated-by = \"G\" }}\n"));
    let text = format!(
        r#"
[calendar]
current = "X+3"
symbolic = {{ origin = "X", count = 9 }}
[gate.G]
specs = [{{ stage = "alpha", since = "X+2", default = false }}]
[group.g.version]
v1 = {{ introduced = "X" }}
[group.g.kind.K]
{}"#,
        fields.collect::<String>()
    );
    let evaluation = evaluate(&text).expect("the model is read");
    let (sources, gate) = (
        Sources::new(),
        evaluation.model().find("gate G").expect("it is declared"),
    );
    let derivation = evaluation.derivation(&sources, gate, None);
    let [short, all] = [false, true].map(|all| {
        why::derivation(
            &derivation,
            all,
            Style {
                width: 200,
                color: false,
            },
        )
    });
    assert!(
        short.contains("and the same of 39 others: g/v1 K .spec.f11, "),
        "{short}"
    );
    assert!(short.contains("  g/v1 K .spec.f10 removed"), "{short}");
    assert!(!short.contains("  g/v1 K .spec.f11 removed"), "{short}");
    assert!(all.contains("  g/v1 K .spec.f49 removed"), "{all}");
}
