//! What the plan and its findings say of moves and ends.

use crate::Sources;
use crate::diagnostic::Diagnostic;
use crate::evaluate::Evaluation;
use crate::model::{Event, EventKind};
use crate::release::Release;

use super::lifetimes::CALENDAR;
use super::support::{evaluate, evaluate_under, findings};

/// A model of the releases 1.0 to 1.12.
fn model(current: &str, text: &str) -> String {
    let calendar = CALENDAR.replacen("[calendar]", &format!("[calendar]\ncurrent = \"{current}\""), 1);
    format!("{calendar}{text}")
}

fn evaluated(text: &str) -> Evaluation {
    evaluate(&model("1.2", text)).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn found(text: &str, code: &str) -> Diagnostic {
    let found = findings(&model("1.2", text));
    let mut with_code = found.iter().filter(|finding| finding.code == code);
    with_code
        .next()
        .unwrap_or_else(|| panic!("no {code} in {found:#?}"))
        .clone()
}

/// Both moves could be made in 1.2, and are declared for 1.4.
const LATE_MOVES: &str = r#"
[group."g.example".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."g.example".preferred]
v1beta1 = "1.0"
v1 = "1.4"
[group."g.example".kind.Widget]
storage = { v1beta1 = "1.0", v1 = "1.4" }
"#;

#[test]
fn declared_moves_stand_in_their_own_releases() {
    let only_later = LATE_MOVES.replace("v1beta1 = \"1.0\"\n", "");
    let only_later = only_later.replace("v1beta1 = \"1.0\", ", "");
    for text in [LATE_MOVES, &only_later] {
        let evaluation = evaluated(text);
        let report = evaluation.report(&Sources::new());
        let group = report.groups.iter().next().expect("a group");
        let are = |version| {
            let releases = group.releases.iter();
            let rows = releases.filter(|row| row.preferred == Some(version) && row.storage == Some(version));
            rows.count()
        };
        let (stayed, moved) = (are("v1beta1"), are("v1"));
        assert_eq!((stayed, moved > 0), (4, true), "1.0 to 1.3 stay, the others have moved");
        assert_eq!(stayed + moved, group.releases.len());
    }
}

/// The move could have come in 1.2, which has shipped.
#[test]
fn where_moves_are_declared_none_is_planned_for_what_has_shipped() {
    for (storage, moved) in [("", "1.2"), ("storage = { v1beta1 = \"1.0\" }", "1.3")] {
        let evaluation = evaluated(&format!(
            "[group.\"g.example\".version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.1\" }}\n\
             v1 = {{ introduced = \"1.1\" }}\n[group.\"g.example\".kind.Widget]\n{storage}\n"
        ));
        let report = evaluation.report(&Sources::new());
        let group = report.groups.iter().next().expect("a group");
        let mut rows = group.releases.iter();
        let first = rows.find(|row| row.storage == Some("v1")).expect("it moves");
        assert_eq!(first.release, moved, "{storage}");
    }
}

#[test]
fn two_moves_in_one_shipped_release_are_a_wrong_entry() {
    let text = LATE_MOVES.replacen(
        "{ v1beta1 = \"1.0\", v1 = \"1.4\" }",
        "{ v1beta1 = \"1.1\", v1 = \"1.1\" }",
        1,
    );
    let help = found(&text, "two-at-once").help.unwrap_or_default();
    assert!(
        help.starts_with("1.1 has shipped: correct the entry; only if it shipped so, record"),
        "{help}"
    );
    let text = text.replace("\"1.1\", v1 = \"1.1\"", "\"1.4\", v1 = \"1.4\"");
    assert_eq!(
        found(&text, "two-at-once").help.as_deref(),
        Some("keep one of the two moves in this release")
    );
}

#[test]
fn a_migration_waits_for_the_declared_move() {
    let text = LATE_MOVES.replacen(
        "replacement = \"v1\" }",
        "replacement = \"v1\", migrated = \"1.3\" }",
        1,
    );
    let finding = found(&text, "migrated-too-early");
    assert!(!finding.message.contains("planned"), "{}", finding.message);
    assert!(
        finding.message.contains("1.3") && finding.message.contains("1.5"),
        "{}",
        finding.message
    );
}

/// A beta without a successor, to be deprecated by 1.4.
const BETA: &str = "[group.\"g.example\".version]\nv1beta1 = { introduced = \"1.1\" }\n\
                    [group.\"g.example\".kind.Widget]\n";

/// When the plan deprecates the kind of the beta under a policy.
fn beta_deprecated(policy: &str) -> Option<String> {
    let evaluation = evaluate_under(policy, &model("1.2", BETA)).expect("a model");
    let report = evaluation.report(&Sources::new());
    let mut elements = report.elements.iter();
    let widget = elements.find(|element| element.id == "g.example/v1beta1 Widget");
    let deprecated = widget.expect("the kind is in the report").deprecated?;
    Some(deprecated.release.to_string())
}

#[test]
fn a_beta_without_a_successor_is_planned_to_end_unless_a_released_replacement_is_required() {
    let head = "name = \"own\"\nextends = \"kubernetes\"\n";
    assert_eq!(beta_deprecated(head).as_deref(), Some("1.4"));
    let strict = format!("{head}[rule.version-replacement]\nuntil-replacement-released = true\n");
    assert_eq!(beta_deprecated(&strict), None);
}

#[test]
fn a_ga_version_waits_for_the_next_major_release() {
    let text = "[group.\"g.example\".version]\n\
                v1 = { introduced = \"1.0\", deprecated = \"1.3\", removed = \"1.8\", replacement = \"v2\" }\n\
                v2 = { introduced = \"1.1\" }\n";
    let finding = found(text, "early");
    let label = finding.primary.expect("it has a place");
    assert_eq!(label.text, "not before the next major release");
}

#[test]
fn a_removal_that_is_too_late_moves_to_the_release_in_which_it_is_due() {
    let text = "[group.\"g.example\".version]\n\
                v1beta1 = { introduced = \"1.2\", deprecated = \"1.3\", removed = \"1.8\", replacement = \"v1\" }\n\
                v1 = { introduced = \"1.3\" }\n";
    let finding = found(text, "overdue");
    assert_eq!(finding.help.as_deref(), Some("move it to 1.6: removed = \"1.6\""));
}

#[test]
fn a_stable_metric_is_replaced_by_a_stable_one() {
    let text = "[metric.old_total]\nspecs = [{ stage = \"STABLE\", since = \"1.0\" }]\ndeprecated = \"1.3\"\n\
                replacement = \"new_total\"\n[metric.new_total]\nspecs = [{ stage = \"BETA\", since = \"1.0\" }]\n";
    let finding = found(text, "less-stable");
    assert_eq!(finding.help.as_deref(), Some("name a STABLE metric"));
}

#[test]
fn a_replacement_version_without_the_kind_is_answered_with_the_versions_that_serve_it() {
    let text = "[group.\"g.example\".version]\nv1 = { introduced = \"1.0\" }\nv2 = { introduced = \"1.1\" }\n\
                v3 = { introduced = \"1.1\" }\n[group.\"g.example\".kind.Widget]\nversions = [\"v1\", \"v3\"]\n\
                version.v1 = { deprecated = \"1.3\", replacement = \"v2\" }\n\
                [group.\"g.example\".kind.Gadget]\nversions = [\"v2\"]\n";
    let help = found(text, "unknown").help;
    let expected = "add `Widget` to g.example/v2, or name a version that serves it: \"v3\"";
    assert_eq!(help.as_deref(), Some(expected));
}

#[test]
fn of_the_kinds_of_a_version_those_without_a_successor_are_named() {
    for (kinds, subject) in [
        ("Kept = {}\nLost.versions = [\"v1\"]", "g/v1 Lost is"),
        (
            "Kept = {}\nLost.versions = [\"v1\"]\nMissed.versions = [\"v1\"]",
            "g/v1 Lost and g/v1 Missed are",
        ),
        (
            "Kept = {}\nA.versions = [\"v1\"]\nB.versions = [\"v1\"]\nC.versions = [\"v1\"]\nD.versions = [\"v1\"]",
            "g/v1 A, g/v1 B, g/v1 C and 1 more are",
        ),
        ("A.versions = [\"v1\"]\nB.versions = [\"v1\"]", "g/v1 is"),
    ] {
        let versions = "v1 = { introduced = \"1.0\", deprecated = \"1.1\" }\nv2 = { introduced = \"1.0\" }";
        let text = format!("[group.g.version]\n{versions}\n[group.g.kind]\n{kinds}\n");
        let finding = found(&text, "no-replacement");
        assert_eq!(finding.message, format!("{subject} deprecated without a successor"));
        assert_eq!(finding.element.as_deref(), Some("g/v1"));
    }
}

/// Each kind is due by its own deprecation; the version declares the removal of both.
#[test]
fn kinds_that_are_late_for_reasons_of_their_own_have_a_finding_each() {
    let evaluation = evaluated(
        "[group.g.version]\nv1beta1 = { introduced = \"1.0\", removed = \"1.6\" }\nv1 = { introduced = \"1.0\" }\n\
         [group.g.kind]\nA.version.v1beta1 = { deprecated = \"1.1\" }\nB.version.v1beta1 = { deprecated = \"1.1\" }\n",
    );
    let findings = evaluation.findings().iter();
    let overdue = findings.filter(|finding| finding.code == "overdue");
    let about: Vec<&str> = overdue.filter_map(|finding| finding.element.as_deref()).collect();
    assert_eq!(about, ["g/v1beta1 A", "g/v1beta1 B"]);
}

#[test]
fn a_metric_that_is_hidden_without_a_deprecation_counts_from_the_first_one() {
    let text = "[metric.old_total]\nspecs = [{ stage = \"STABLE\", since = \"1.0\" }]\nhidden = \"1.3\"\n";
    let all = findings(&model("1.2", text));
    let mut reasons = all.iter().flat_map(|finding| &finding.because);
    assert!(
        reasons.any(|fact| fact.text.contains("after it is deprecated (1.3)")),
        "{all:#?}"
    );
}

#[test]
fn a_beta_that_ended_before_its_deadline_is_not_to_be_deprecated() {
    let text = "[group.\"g.example\".version]\nv1beta1 = { introduced = \"1.0\", removed = \"1.1\" }\n\
                v1 = { introduced = \"1.0\" }\n";
    let all = findings(&model("1.5", text));
    assert!(all.iter().any(|finding| finding.code == "early"), "{all:#?}");
    assert!(
        all.iter().all(|finding| finding.code != "not-deprecated-in-time"),
        "{all:#?}"
    );
}

#[test]
fn an_alpha_is_planned_to_end_with_its_successor_and_the_reason_says_so() {
    let evaluation = evaluated(
        "[group.\"g.example\".version]\nv1alpha1 = { introduced = \"1.0\" }\nv1beta1 = { introduced = \"1.4\" }\n",
    );
    let alpha = evaluation
        .model()
        .find("g.example/v1alpha1")
        .expect("it is in the model");
    let derivation = evaluation.derivation(&Sources::new(), alpha, None);
    let text = serde_json::to_string(&derivation).expect("it can be written");
    assert!(
        text.contains("an alpha version is removed when its successor is introduced"),
        "{text}"
    );
}

#[test]
fn an_older_version_that_stays_for_the_overlap_is_bound_to_nothing() {
    let overlaps = |removed: &str| {
        let evaluation = evaluated(&format!(
            "[group.\"g.example\".version]\nv1 = {{ introduced = \"1.5\" }}\n\
             v1beta1 = {{ introduced = \"1.0\", deprecated = \"1.2\", removed = \"{removed}\" }}\n"
        ));
        let obligations = evaluation.obligations().all().iter();
        obligations.filter(|obligation| obligation.code == "no-overlap").count()
    };
    assert_eq!(["1.4", "1.5", "1.6"].map(overlaps), [1, 1, 0]);
}

/// A name of another form ranks below `v1alpha1`, and may be more stable.
#[test]
fn a_less_stable_version_takes_over_from_none_after_a_gap() {
    let found = |stage: &str| {
        let all = findings(&model(
            "1.2",
            &format!(
                "[group.\"g.example\".version]\nv1alpha1 = {{ introduced = \"1.5\" }}\n\
                 old = {{ introduced = \"1.0\", stage = \"{stage}\", deprecated = \"1.1\", removed = \"1.4\" }}\n"
            ),
        ));
        all.iter().any(|finding| finding.code == "no-overlap")
    };
    assert_eq!(["alpha", "beta"].map(found), [false, false]);
}

/// The entries after it would have to move too.
#[test]
fn no_edit_moves_the_entry_of_a_class() {
    let text =
        "[metric.depth]\nspecs = [{ stage = \"STABLE\", since = \"1.2\" }, { stage = \"ALPHA\", since = \"1.4\" }]\n";
    let lowered = found(text, "class-lowered");
    assert_eq!(lowered.fix.len(), 0, "{lowered:#?}");
    let text = "[behavior.slow]\ndeprecated = \"1.3\"\nremoved = \"1.4\"\n";
    assert_eq!(found(text, "early").fix.len(), 1);
}

#[test]
fn what_happens_after_a_kind_is_back_happens_to_its_later_life() {
    let text = "
[calendar]
symbolic = { origin = \"X\", count = 9 }
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+6\", migrated = \"X+5\" }
v1 = { introduced = \"X+2\" }
[group.\"g.example\".kind.Widget]
version.v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\", dropped = \"X+1\" }, { introduced = \"X+2\" }] }
";
    let evaluation = evaluate(text).expect("it can be read");
    let model = evaluation.model();
    let kind = model.find("g.example/v1beta1 Widget").expect("it is an element");
    let migrated = |life| model.declared_release(Event::new(kind, life, EventKind::Migrated));
    assert_eq!([migrated(0), migrated(1)], [None, Some(Release(5))]);
}

/// Both are alpha when the higher one is introduced; the lower one is beta when its deprecation can be announced.
#[test]
fn what_a_gate_keeps_alpha_succeeds_no_version_that_has_become_beta() {
    let text = r#"
[gate.Stays]
specs = [{ stage = "alpha", since = "1.1", default = false }]
[gate.Grows]
specs = [{ stage = "alpha", since = "1.0", default = false }, { stage = "beta", since = "1.2", default = true }]
[group.g.version]
v1beta1 = { introduced = "1.0", gated-by = "Grows" }
v1 = { introduced = "1.1", gated-by = "Stays" }
"#;
    assert!(!found(text, "unplanned-beta").message.is_empty());
    let evaluation = evaluated(text);
    let reports = evaluation.elements();
    let old = reports.iter().find(|report| report.id == "g/v1beta1");
    assert_eq!(old.map(|old| old.replacement), Some(None), "{old:?}");
}

#[test]
fn what_is_gone_needs_no_warning_any_more() {
    let text = "[cli.tool]\naudience = \"user\"\n[cli.tool.flag.\"--old\"]\nstage = \"alpha\"\n\
                introduced = \"1.0\"\ndeprecated = \"1.0\"\nremoved = \"1.2\"\n";
    let finding = found(text, "no-warning");
    assert_eq!(finding.shipped, Some(Release(2)));
    assert!(finding.fix.is_empty(), "{:?}", finding.fix);
    let past = "1.2 has shipped: record a baseline or add an exception";
    assert_eq!(finding.help.as_deref(), Some(past));
}

/// No other version has had the kind of v1beta1, so its return is no move of that kind: the group moves to it from
/// v1beta2.
#[test]
fn a_version_whose_only_kind_comes_back_is_moved_to_by_its_group() {
    let evaluation = evaluated(
        r#"
[group."g.example".version]
v1beta1 = { introduced = "1.0" }
v1beta2 = { introduced = "1.4" }
[group."g.example".kind.Widget]
versions = ["v1beta1"]
version.v1beta1 = { lives = [{ introduced = "1.0", deprecated = "1.0", removed = "1.3" }, { introduced = "1.5" }] }
[group."g.example".kind.Gadget]
versions = ["v1beta2"]
version.v1beta2 = { deprecated = "1.4", removed = "1.5" }
"#,
    );
    let obligations = evaluation.obligations().all().iter();
    let overlaps = obligations.filter(|obligation| obligation.code == "no-overlap");
    let ids: Vec<&str> = overlaps
        .map(|obligation| evaluation.model().id(obligation.event.element))
        .collect();
    assert_eq!(ids, ["g.example/v1beta2 Gadget"]);
}

#[test]
fn what_has_no_counterpart_is_named_as_a_field_or_as_a_value() {
    for (key, noun) in [
        ("field.\"spec.policy\".in", "field"),
        ("enum.\"spec.policy\".Always.in", "value"),
    ] {
        let found = found(
            &format!(
                "[group.\"g.example\".version]\nv1 = {{ introduced = \"1.0\" }}\nv2 = {{ introduced = \"1.4\" }}\n\
                 [group.\"g.example\".kind.Widget.{key}]\nv2 = {{}}\n"
            ),
            "no-counterpart",
        );
        let help = found.help.unwrap_or_default();
        assert!(
            help.starts_with(&format!("declare the {noun} for as long as")),
            "{help}"
        );
    }
}

#[test]
fn an_unannounced_end_that_is_late_enough_stays_where_it_is() {
    let text = "[behavior.b]\nintroduced = \"1.0\"\nremoved = \"1.6\"\n";
    let finding = found(text, "early");
    assert_eq!(finding.help.as_deref(), Some("declare `deprecated = \"1.3\"`"));
}
