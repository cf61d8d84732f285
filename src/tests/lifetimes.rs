//! When gates and metrics may be removed, and what the plan proposes for them.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;
use lifecycle::model::{Event, EventKind};

use crate::tests::support::evaluate;

/// Releases every four months, from 1.0 to 1.12.
pub(super) const CALENDAR: &str = r#"
[calendar]
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2022-01-01
"1.1" = 2022-05-01
"1.2" = 2022-09-01
"1.3" = 2023-01-01
"1.4" = 2023-05-01
"1.5" = 2023-09-01
"1.6" = 2024-01-01
"1.7" = 2024-05-01
"1.8" = 2024-09-01
"1.9" = 2025-01-01
"1.10" = 2025-05-01
"1.11" = 2025-09-01
"1.12" = 2026-01-01
"#;

fn evaluated(text: &str) -> Evaluation {
    evaluate(&format!("{CALENDAR}{text}")).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The release of an event, declared or planned.
fn release_of(evaluation: &Evaluation, id: &str, what: EventKind) -> Option<String> {
    let model = evaluation.model();
    let element = model.find(id).unwrap_or_else(|| panic!("{id} is an element"));
    let release = evaluation.reasoning().release(Event::new(element, 0, what))?;
    Some(model.calendar.name(release))
}

/// The first release in which the law allows an event.
fn earliest(evaluation: &Evaluation, id: &str, what: EventKind) -> Option<String> {
    let model = evaluation.model();
    let element = model.find(id).unwrap_or_else(|| panic!("{id} is an element"));
    let lower = evaluation.reasoning().lower(Event::new(element, 0, what))?;
    Some(model.calendar.name(lower.worked.release()))
}

#[test]
fn a_gate_is_planned_to_be_removed_after_its_last_entry() {
    let evaluation = evaluated(
        r#"
[gate.Locked]
specs = [
    { stage = "beta", since = "1.0", default = true },
    { stage = "GA", since = "1.1", default = true },
    { stage = "GA", since = "1.6", default = true, locked = true },
]
[gate.Announced]
specs = [
    { stage = "beta", since = "1.0", default = true },
    { stage = "GA", since = "1.1", default = true, locked = true },
    { stage = "deprecated", since = "1.6", default = true, locked = true },
]
"#,
    );
    for (gate, first) in [("gate Locked", "1.7"), ("gate Announced", "1.6")] {
        let removed = EventKind::Removed;
        assert_eq!(release_of(&evaluation, gate, removed).as_deref(), Some(first), "{gate}");
        assert_eq!(earliest(&evaluation, gate, removed).as_deref(), Some(first), "{gate}");
    }
}

#[test]
fn the_last_entry_of_a_gate_may_be_its_removal() {
    let stage = r#"{ stage = "alpha", since = "1.0", default = false }"#;
    let entry = evaluated(&format!(
        "[gate.Glow]\nspecs = [{stage}, {{ stage = \"removed\", since = \"1.4\" }}]\n"
    ));
    let key = evaluated(&format!("[gate.Glow]\nspecs = [{stage}]\nremoved = \"1.4\"\n"));
    for evaluation in [&entry, &key] {
        let removed = release_of(evaluation, "gate Glow", EventKind::Removed);
        assert_eq!(removed.as_deref(), Some("1.4"));
    }
}

#[test]
fn a_metric_is_deleted_one_release_after_it_could_be_hidden() {
    let metric = |name: &str, since: &str, more: &str| {
        format!("[metric.{name}]\nspecs = [{{ stage = \"STABLE\", since = \"{since}\" }}]\n{more}\n")
    };
    let text = metric("lived", "1.0", "deprecated = \"1.4\"")
        + &metric("young", "1.3", "deprecated = \"1.3\"")
        + &metric("late", "1.0", "deprecated = \"1.4\"\nhidden = \"1.9\"");
    let evaluation = evaluated(&text);
    let ends = ["lived", "young", "late"].map(|name| {
        let id = format!("metric {name}");
        [EventKind::Hidden, EventKind::Removed].map(|what| release_of(&evaluation, &id, what).unwrap_or_default())
    });
    assert_eq!(ends, [["1.7", "1.8"], ["1.7", "1.8"], ["1.9", "1.10"]]);
}

#[test]
fn a_metric_that_could_be_hidden_by_now_is_planned_to_be_deleted() {
    let text = CALENDAR.replace("[calendar]", "[calendar]\ncurrent = \"1.8\"")
        + "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"1.0\" }]\ndeprecated = \"1.4\"\n";
    let evaluation = evaluate(&text).expect("the model can be read");
    assert_eq!(release_of(&evaluation, "metric m", EventKind::Hidden), None);
    assert_eq!(
        release_of(&evaluation, "metric m", EventKind::Removed).as_deref(),
        Some("1.9")
    );
}

/// A gate promoted from alpha over beta to GA.
const PROMOTED: &str = r#"
[gate.Promoted]
specs = [
    { stage = "alpha", since = "1.1", default = false },
    { stage = "beta", since = "1.2", default = true },
    { stage = "GA", since = "1.5", default = true, locked = true },
]
"#;

#[test]
fn a_version_succeeds_another_once_its_gate_makes_it_as_stable() {
    let deprecated = |versions: &str, id: &str| {
        let evaluation = evaluated(&format!("{PROMOTED}[group.\"example.com\".version]\n{versions}"));
        release_of(&evaluation, id, EventKind::Deprecated)
    };
    let beta = "v1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.1\", gated-by = \"Promoted\" }\n";
    assert_eq!(deprecated(beta, "example.com/v1beta1").as_deref(), Some("1.2"));
    let ga = "v1 = { introduced = \"1.0\" }\nv2 = { introduced = \"1.1\", gated-by = \"Promoted\" }\n";
    assert_eq!(deprecated(ga, "example.com/v1").as_deref(), Some("1.5"));
    // Behind the same gate, both are equally stable.
    let both = "v1beta1 = { introduced = \"1.1\", gated-by = \"Promoted\" }\nv1 = { introduced = \"1.1\", gated-by = \"Promoted\" }\n";
    assert_eq!(deprecated(both, "example.com/v1beta1").as_deref(), Some("1.1"));
}

#[test]
fn the_window_of_a_version_is_that_of_its_gate_when_it_is_deprecated() {
    let deprecated_in = |deprecated: &str| {
        let versions =
            format!("v1 = {{ introduced = \"1.0\", deprecated = \"{deprecated}\", gated-by = \"Promoted\" }}\n");
        evaluated(&format!("{PROMOTED}[group.\"example.com\".version]\n{versions}"))
    };
    let removed = earliest(&deprecated_in("1.2"), "example.com/v1", EventKind::Removed);
    assert_eq!(removed.as_deref(), Some("1.5"));
    let ga = deprecated_in("1.5");
    let element = ga.model().find("example.com/v1").unwrap();
    let removed = Event::new(element, 0, EventKind::Removed);
    assert!(ga.reasoning().awaits_kind(removed).is_some());
}

#[test]
fn a_part_begins_and_ends_with_its_owner() {
    let evaluation = evaluated(
        r#"
[group."example.com".version]
v1beta1 = { introduced = "1.0", replacement = "v1" }
v1 = { introduced = "1.2" }
[group."example.com".kind.Widget.field]
"spec.old" = { introduced = "1.0" }
"spec.new" = { introduced = "1.3" }
"spec.late" = { introduced = "1.6" }
[cli.examplectl]
audience = "user"
[cli.examplectl.command.debug]
introduced = "1.1"
deprecated = "1.2"
[cli.examplectl.command.debug.flag]
"--old" = { introduced = "1.0", deprecated = "1.4" }
"--other" = {}
"#,
    );
    let life = |id: &str| [EventKind::Introduced, EventKind::Removed].map(|what| release_of(&evaluation, id, what));
    let of = |life: [&str; 2]| life.map(|release| Some(release.to_owned()).filter(|name| !name.is_empty()));
    assert_eq!(life("example.com/v1beta1 Widget"), of(["1.0", "1.5"]));
    assert_eq!(life("example.com/v1beta1 Widget .spec.new"), of(["1.3", "1.5"]));
    assert_eq!(life("example.com/v1 Widget .spec.old"), of(["1.2", ""]));
    assert_eq!(life("example.com/v1 Widget .spec.new"), of(["1.3", ""]));
    // v1beta1 is planned to be removed before: it never has the field.
    assert_eq!(life("example.com/v1beta1 Widget .spec.late"), of(["", ""]));
    // A year after 1.2, although a year after 1.4 is later.
    assert_eq!(life("cli examplectl debug"), of(["1.1", "1.5"]));
    assert_eq!(life("cli examplectl debug --old"), of(["1.1", "1.5"]));
    assert_eq!(life("cli examplectl debug --other"), of(["1.1", "1.5"]));
}

#[test]
fn a_value_begins_and_ends_with_its_field_and_a_field_with_a_planned_end() {
    let evaluation = evaluated(
        r#"
[gate.Policy]
specs = [{ stage = "alpha", since = "1.0", default = false }]
[group."example.com".version]
v1beta1 = { introduced = "1.0", replacement = "v1" }
v1 = { introduced = "1.2" }
[group."example.com".kind.Widget]
field."spec.policy" = { introduced = "1.3", gated-by = "Policy", removed = "1.4", tombstone = true }
enum."spec.policy".Always = {}
enum."spec.policy".Never = { introduced = "1.0" }
field."spec.long".in = { v1beta1 = { removed = "1.8" }, v1 = {} }
"#,
    );
    let life = |id: &str| [EventKind::Introduced, EventKind::Removed].map(|what| release_of(&evaluation, id, what));
    let of = |life: [&str; 2]| life.map(|release| Some(release.to_owned()));
    for value in ["Always", "Never"] {
        assert_eq!(
            life(&format!("example.com/v1 Widget .spec.policy={value}")),
            of(["1.3", "1.4"])
        );
    }
    let planned = life("example.com/v1beta1 Widget")[1].clone();
    assert_eq!(planned, Some("1.5".to_owned()));
    assert_eq!(life("example.com/v1beta1 Widget .spec.long")[1], planned);
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let mut elements = report.elements.iter();
    let long = elements.find(|element| element.id == "example.com/v1beta1 Widget .spec.long");
    let removed = long.and_then(|long| long.removed).expect("it is removed");
    assert_eq!((removed.release, removed.declared), ("1.5", Some(false)));
}

#[test]
fn a_field_within_another_one_begins_and_ends_with_it() {
    let model = |part: &str| {
        let version = "[group.\"example.com\".version]\nv1 = { introduced = \"1.0\" }\n";
        let gate = "[gate.Policy]\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }]\n";
        let whole = "{ introduced = \"1.3\", gated-by = \"Policy\", removed = \"1.5\", tombstone = true }";
        let kind = "[group.\"example.com\".kind.Widget.field]\n";
        let parts = format!("\"spec.policy.mode.deep\" = {{}}\n\"spec.policy.mode\" = {part}\n");
        evaluate(&format!(
            "{CALENDAR}{version}{gate}{kind}\"spec.policy\" = {whole}\n{parts}\"spec.policyOther\" = {{}}\n"
        ))
    };
    for (part, code) in [
        ("{}", None),
        ("{ introduced = \"1.0\", removed = \"1.8\" }", None),
        ("{ removed = \"1.4\" }", Some("removed-early")),
    ] {
        let evaluation = model(part).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let life = |id: &str| [EventKind::Introduced, EventKind::Removed].map(|what| release_of(&evaluation, id, what));
        let mode = life("example.com/v1 Widget .spec.policy.mode");
        let end = if code.is_some() { "1.4" } else { "1.5" };
        assert_eq!(mode, [Some("1.3".to_owned()), Some(end.to_owned())], "{part}");
        assert_eq!(life("example.com/v1 Widget .spec.policy.mode.deep"), mode, "{part}");
        let other = life("example.com/v1 Widget .spec.policyOther");
        assert_eq!(other, [Some("1.0".to_owned()), None], "{part}");
        let found: Vec<&str> = evaluation.findings().iter().map(|finding| &*finding.code).collect();
        assert_eq!(found, Vec::from_iter(code), "{part}");
    }
    let errors = model("{ introduced = \"1.6\" }").expect_err("it begins after the field around it");
    let words =
        "example.com/v1 Widget .spec.policy.mode is introduced in 1.6, but example.com/v1 Widget .spec.policy is";
    assert!(errors[0].message.starts_with(words), "{errors:#?}");
}

#[test]
fn nothing_is_planned_to_be_removed_before_a_part_is_added() {
    let removed = |field: &str| {
        let evaluation = evaluated(&format!(
            r#"
[group."example.com".version]
v1beta1 = {{ introduced = "1.0" }}
v1 = {{ introduced = "1.0" }}
[group."example.com".kind.Widget.field."spec.new".in]
v1beta1 = {{ introduced = "{field}" }}
v1 = {{ introduced = "{field}" }}
[cli.examplectl]
audience = "user"
[cli.examplectl.command.debug]
deprecated = "1.0"
[cli.examplectl.command.debug.flag]
"--new" = {{ introduced = "{field}" }}
"#
        ));
        ["example.com/v1beta1 Widget", "cli examplectl debug"]
            .map(|id| release_of(&evaluation, id, EventKind::Removed).unwrap())
    };
    assert_eq!(removed("1.2"), ["1.3", "1.3"]);
    assert_eq!(removed("1.5"), ["1.6", "1.6"]);
}

#[test]
fn a_life_of_a_kind_takes_what_it_does_not_declare_from_that_of_its_version() {
    let evaluation = evaluated(
        r#"
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = ["1.1", "1.4"], undeprecated = "1.2", removed = "1.8" }
v1 = { introduced = "1.0" }
[group."example.com".kind.Widget]
version.v1beta1.lives = [{ removed = "1.1" }, { introduced = "1.2", removed = "1.3" }, { introduced = "1.5" }]
"#,
    );
    let model = evaluation.model();
    let kind = model.find("example.com/v1beta1 Widget").unwrap();
    let life = |life: u8| {
        [EventKind::Introduced, EventKind::Deprecated, EventKind::Removed].map(|what| {
            let declared = model.in_force(Event::new(kind, life, what))?;
            Some(model.calendar.name(declared.release))
        })
    };
    let of = |life: [&str; 3]| life.map(|release| Some(release.to_owned()).filter(|name| !name.is_empty()));
    assert_eq!(life(0), of(["1.0", "1.1", "1.1"]));
    assert_eq!(life(1), of(["1.2", "", "1.3"]));
    assert_eq!(life(2), of(["1.5", "1.5", "1.8"]));
}

#[test]
fn a_deprecated_alpha_that_declares_no_introduction_is_planned_to_be_removed() {
    let text = "[cli.examplectl]\naudience = \"user\"\n[cli.examplectl.flag.\"--alpha-old\"]\ndeprecated = \"1.2\"\n";
    let evaluation = evaluated(text);
    let removed = release_of(&evaluation, "cli examplectl --alpha-old", EventKind::Removed);
    assert_eq!(removed.as_deref(), Some("1.2"));
}

#[test]
fn an_alpha_whose_removal_is_to_come_is_removed_in_the_next_release_at_the_earliest() {
    let text = "
[calendar]
current = \"X+3\"
symbolic = { origin = \"X\", count = 9 }
[cli.tool]
audience = \"user\"
[cli.tool.flag]
\"--old\" = { stage = \"alpha\", introduced = \"X\", removed = \"X+5\" }
";
    let evaluation = evaluate(text).expect("it can be read");
    let elements = evaluation.elements();
    let flag = elements.iter().find(|element| element.id == "cli tool --old");
    let earliest = flag.and_then(|flag| flag.earliest_removal);
    assert_eq!(earliest.map(|moment| moment.release), Some("X+4"));
}

#[test]
fn a_part_that_declares_no_introduction_does_not_begin_when_its_owner_ends() {
    let evaluation = evaluated(
        r#"
[cli.examplectl]
audience = "user"
[cli.examplectl.command.debug]
deprecated = "1.1"
removed = "1.4"
[cli.examplectl.command.debug.flag]
"--old" = {}
"#,
    );
    let life = [EventKind::Introduced, EventKind::Removed]
        .map(|what| release_of(&evaluation, "cli examplectl debug --old", what));
    assert_eq!(life, [None, Some("1.4".to_owned())]);
}
