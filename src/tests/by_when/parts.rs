//! Ways to the ends of versions, of kinds and of their members.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::report::Standing;

use super::super::soonest::symbolic;
use super::super::worlds::evaluated_text;

#[test]
fn a_version_that_begins_meanwhile_permits_no_later_end_without_overlap() {
    let versions =
        "v1beta1 = { introduced = \"X+2\" }\nv1alpha1 = { introduced = \"X+8\" }\nv2alpha1 = { introduced = \"X+2\" }";
    let kinds = "Widget = { versions = [\"v1alpha1\", \"v1beta1\"] }\nOther = { versions = [\"v2alpha1\"] }";
    let (world, text) = symbolic(&format!("[group.g.version]\n{versions}\n[group.g.kind]\n{kinds}\n"));
    let evaluation = evaluated_text(&world, &text);
    for (by, latest) in [("X+8", ["X+4", "X+7"]), ("X+9", ["X+5", "X+9"])] {
        let report = evaluation.by_when(&[format!("g/v1beta1.removed<={by}")]);
        let report = report.expect("it is a target");
        let found = report.steps.iter().filter_map(|step| Some(step.latest?.release));
        assert_eq!(found.collect::<Vec<_>>(), latest, "{report:#?}");
    }
}

/// The removal of a field in X+5 takes the counterpart of another version away, which begins in X+5. In X+6, the version
/// with the field ends.
const WITH_COUNTERPARTS: &str = r#"policy = "kubernetes"
[group.g.version]
v1beta1 = { introduced = "X+5" }
v2alpha1 = { introduced = "X+3", deprecated = "X+5" }
v1alpha2 = { introduced = "X+2", deprecated = "X+6" }
[group.g.kind.Widget.field."spec.day"]
"#;

#[test]
fn a_removal_waits_where_another_version_would_lack_a_counterpart() {
    let (world, text) = symbolic(WITH_COUNTERPARTS);
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1alpha2 Widget .spec.day.removed<=X+6".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable && report.findings.is_empty(), "{report:#?}");
    assert_eq!(report.targets[0].soonest.map(|moment| moment.release), Some("X+6"));
}

/// The other version with the field is planned to end in X+11: later than a search tries releases one by one.
#[test]
fn a_removal_waits_for_the_next_release_in_which_counterparts_change() {
    let text = WITH_COUNTERPARTS.replace("deprecated = \"X+6\" }", "deprecated = \"X+6\", removed = \"X+17\" }");
    let (world, text) = symbolic(&text);
    let before = evaluated_text(&world, &text);
    for (by, reachable) in [("X+10", false), ("X+11", true)] {
        let report = before.by_when(&[format!("g/v1alpha2 Widget .spec.day.removed<={by}")]);
        let report = report.expect("it is a target");
        assert_eq!((report.reachable, report.undecided), (reachable, false), "{report:#?}");
    }
}

/// The version is to end in X+6: without that, the plan has it end in X+5, and so would nothing need to wait for it.
#[test]
fn what_a_part_ends_with_stays_declared_while_a_way_is_found() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X\", removed = \"X+6\" }\nv1 = { introduced = \"X+5\" }\n\
         [group.g.kind.Widget]\nversions = [\"v1alpha1\", \"v1\"]\nenum.\"spec.day\".Tuesday = {}\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1alpha1 Widget .spec.day=Tuesday.removed<=X+6".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable && !report.undecided, "{report:#?}");
}

/// The version ends in the release of the deprecation that is asked for. A kind of it can only end later.
#[test]
fn what_follows_a_deprecation_of_a_part_waits_for_each_of_its_bounds() {
    let (mut world, text) = symbolic(
        "policy = \"custom.toml\"\n[group.g.version]\nv1alpha1 = { introduced = \"X+4\" }\n\
         v1 = { introduced = \"X\", deprecated = \"X\", removed = \"X+4\" }\n\
         [group.g.kind]\nGadget = { versions = [\"v1alpha1\", \"v1\"], version.v1alpha1.introduced = \"X+5\", \
         enum.\"spec.day\".Tuesday = {} }\nWidget = { versions = [\"v1\"] }\n",
    );
    let policy = "name = \"custom\"\nextends = \"kubernetes\"\n[rule.version-lifetime]\n\
                  ga = { remove = \"any\", after-deprecation = { months = 0, releases = 1 } }\n";
    let edition = &mut world.editions[0].1;
    (edition.name, edition.text) = ("custom.toml".to_owned(), Some(policy.to_owned()));
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1 Gadget .spec.day=Tuesday.deprecated<=X+5".to_owned()]);
    let report = report.expect("it is a target");
    let follows = report.steps.iter().find(|step| step.standing == Standing::Follow);
    let earliest = follows.and_then(|step| step.earliest).map(|earliest| earliest.release);
    assert_eq!((report.reachable, earliest), (true, Some("X+6")), "{report:#?}");
    // The entry of the version declares it for the kind.
    assert_eq!(follows.and_then(|step| step.declared_with), Some("g/v1"), "{report:#?}");
}

#[test]
fn a_part_ends_with_its_whole() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X\", removed = \"X+2\" }\n[group.g.kind.Widget.field.\"spec.day\"]\n",
    );
    let before = evaluated_text(&world, &text);
    let target = |what: &str| vec![format!("g/v1alpha1 Widget .spec.day.{what}<=X+6")];
    let removed = before.by_when(&target("removed")).expect("it is a target");
    assert_eq!(
        (removed.targets[0].met, removed.targets[0].events),
        (1, 1),
        "{removed:#?}"
    );
    let problem = before.by_when(&target("deprecated")).expect_err("it has ended");
    assert!(problem.to_string().ends_with("was removed in X+2"), "{problem}");
}

/// Without its declared removal, the version is planned to end when the other one begins. Then the value needs no
/// counterpart, and the version would not have to move.
#[test]
fn a_removal_may_depend_on_one_that_the_plan_would_have_there_too() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X+3\", removed = \"X+5\" }\n\
         v1alpha2 = { introduced = \"X+4\" }\nv1beta1 = { introduced = \"X+3\" }\n[group.g.kind]\n\
         Gadget = { versions = [\"v1alpha1\", \"v1alpha2\"], enum.\"spec.day\".Tuesday = {} }\n\
         Widget = { versions = [\"v1alpha2\"] }\n",
    );
    let before = evaluated_text(&world, &text);
    let report = before.by_when(&["g/v1alpha1 Gadget .spec.day=Tuesday.removed<=X+4".to_owned()]);
    let report = report.expect("it is a target");
    assert!(report.reachable, "{report:#?}");
}
