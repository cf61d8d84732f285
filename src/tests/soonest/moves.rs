//! Versions that stay for the preferred and the storage version to move.

use lifecycle::release::Release;

use crate::tests::worlds::evaluated_text;

use super::{answered, answers, assert_first_in, judged, symbolic, with_removal};

#[test]
fn a_version_is_removed_after_a_release_that_serves_the_one_that_begins_just_then() {
    let text = "
[group.\"g.example\".kind.Widget]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\", undeprecated = \"X+2\" }
v1alpha1 = { introduced = \"X+7\" }
v1alpha2 = { introduced = \"X+12\" }
";
    for id in ["g.example/v1beta1 Widget", "g.example/v1beta1"] {
        assert_eq!(answered(text, id, 7), Some((false, "X+8".to_owned())));
        assert_eq!(answered(text, id, 8), Some((true, "X+8".to_owned())));
    }
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let reports = evaluation.elements();
    let beta = reports.iter().find(|report| report.id == "g.example/v1beta1");
    let announced = beta.and_then(|beta| beta.if_deprecated.as_ref());
    assert_eq!(announced.map(|moment| moment.earliest_removal.release), Some("X+8"));
}

#[test]
fn a_version_stays_where_another_one_would_leave_no_overlap_without_it() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X+5\", removed = \"X+6\" }
v2alpha1 = { introduced = \"X+1\" }
v2beta1 = { introduced = \"X+6\" }
[group.\"g.example\".kind.Gadget]
versions = [\"v2alpha1\"]
";
    assert_eq!(answered(text, "g.example/v2alpha1", 4), Some((false, "X+7".to_owned())));
    assert_eq!(answered(text, "g.example/v2alpha1", 7), Some((true, "X+7".to_owned())));
}

#[test]
fn a_version_stays_until_a_release_after_the_first_of_another_one_even_if_each_kind_may_leave() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X\" }
v1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Widget]
versions = [\"v1beta1\"]
[group.\"g.example\".kind.Gadget]
versions = [\"v1beta1\"]
[group.\"g.example\".kind.New]
versions = [\"v1\"]
";
    let version = "g.example/v1beta1";
    assert_eq!(answered(text, version, 4), Some((false, "X+5".to_owned())));
    assert_eq!(answered(text, version, 5), Some((true, "X+5".to_owned())));
    let kind = "g.example/v1beta1 Widget";
    assert_eq!(answered(text, kind, 4), Some((true, "X+4".to_owned())));
}

#[test]
fn a_version_stays_while_another_one_ends_on_time_because_of_it() {
    let versions = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", removed = \"X+4\" }
v2beta1 = { introduced = \"X+5\" }
v2alpha1 = { introduced = \"X\" }
";
    for kinds in ["", "[group.\"g.example\".kind.Widget]\n"] {
        let text = format!("{versions}{kinds}");
        assert_first_in(&text, "g.example/v2alpha1", 5);
    }
}

/// What takes the place of the last stored version is planned to end, so nothing is known of it after the calendar.
#[test]
fn objects_are_migrated_a_release_after_a_planned_move_beyond_the_calendar() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X+3\" }
v1 = { introduced = \"X+3\", removed = \"X+9\" }
v2beta1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Widget]
";
    assert_eq!(answered(text, "g.example/v2beta1", 10), Some((true, "X+10".to_owned())));
    let proposed = with_removal(text, "g.example/v2beta1");
    let end = "removed = \"X+10\", migrated = \"X+11\", dropped = \"X+11\"";
    assert!(proposed.contains(end), "{proposed}");
}

#[test]
fn objects_of_an_earlier_life_are_migrated_once_the_version_is_back() {
    let text = "
[group.\"t.example.com\".version]
v2alpha1 = { introduced = \"X+2\" }
v1alpha1 = { lives = [{ introduced = \"X\", deprecated = \"X\", undeprecated = \"X+1\", removed = \"X+2\" }, { introduced = \"X+4\" }] }
";
    let proposed = with_removal(text, "t.example.com/v1alpha1");
    let end = "{ introduced = \"X+4\", removed = \"X+5\", migrated = \"X+4\", dropped = \"X+6\" }";
    assert!(proposed.contains(end), "{proposed}");
}

#[test]
fn a_version_stays_while_another_one_would_be_overdue_without_it() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X+6\", deprecated = \"X+6\" }
v1beta1 = { introduced = \"X+3\", deprecated = \"X+3\", replacement = \"v2alpha1\" }
v2alpha1 = { introduced = \"X+3\" }
";
    // The edition of 2019 has no due date, and the replacement outlives the version.
    for policy in ["kubernetes", "kubernetes-2019"] {
        let text = format!("policy = \"{policy}\"\n{text}");
        assert_first_in(&text, "g.example/v2alpha1", 7);
    }
}

#[test]
fn a_version_stays_until_a_declared_move_from_it_is_possible() {
    let text = r#"
[group."e.example".version]
v1beta1 = { introduced = "X+2", deprecated = "X+3" }
v1 = { introduced = "X+6" }
[group."e.example".kind.Widget]
storage = { v1beta1 = "X+2", v1 = "X+6" }
"#;
    let (world, text) = symbolic(text);
    for id in ["e.example/v1beta1", "e.example/v1beta1 Widget"] {
        let answers = [6, 7].map(|release| judged(&world, &text, id, Release(release)));
        let soonest = Some("X+7".to_owned());
        assert_eq!(answers, [Some((false, soonest.clone())), Some((true, soonest))], "{id}");
    }
}

#[test]
fn a_version_stays_for_a_declared_move_to_it() {
    for moved in [
        "[group.g]\npreferred = { v1beta1 = \"X\", v1beta2 = \"X+7\" }",
        "[group.g.kind.A]\nstorage = { v1beta1 = \"X\", v1beta2 = \"X+7\" }",
    ] {
        let text = format!(
            r#"
[group.g.version]
v1beta1 = {{ introduced = "X", deprecated = "X+1" }}
v1beta2 = {{ introduced = "X+1", deprecated = "X+2" }}
v1 = {{ introduced = "X+3" }}
{moved}
"#
        );
        assert_first_in(&text, "g/v1beta2", 8);
    }
}

/// The plan ends it with the move; nothing but its migration says that it is not stored in again.
#[test]
fn no_object_is_stored_again_in_a_version_that_is_migrated() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+1" }
v1beta2 = { introduced = "X+1", deprecated = "X+3" }
[group.g.kind.B]
storage = { v1beta1 = "X", v1beta2 = "X+6" }
migrated = { v1beta1 = "X+8" }
"#;
    assert_first_in(text, "g/v1beta2", 7);
    assert_eq!(answered(text, "g/v1beta2", 9), Some((true, "X+7".to_owned())));
}

/// Only one of its kinds has to stay until the declared move; the plan lets the others go.
#[test]
fn each_kind_of_a_version_may_go_before_the_last_one() {
    let text = r#"
[group.g]
preferred = { v1beta1 = "X", v1 = "X+7" }
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+1" }
v1 = { introduced = "X+2" }
[group.g.kind.A]
[group.g.kind.B]
"#;
    assert_first_in(text, "g/v1beta1", 7);
    for kind in ["g/v1beta1 A", "g/v1beta1 B"] {
        assert_eq!(answered(text, kind, 4), Some((true, "X+4".to_owned())), "{kind}");
    }
    for (gone, other) in [("A", "g/v1beta1 B"), ("B", "g/v1beta1 A")] {
        let entry = format!("[group.g.kind.{gone}]");
        let without = text.replace(&entry, &format!("{entry}\nversion.v1beta1 = {{ removed = \"X+5\" }}"));
        assert_eq!(answered(&without, other, 6), Some((false, "X+7".to_owned())), "{other}");
    }
}

#[test]
fn of_a_version_that_is_preferred_later_the_kind_that_is_declared_to_end_after_that_stays() {
    let text = "
[group.g.version]
v1 = { introduced = \"X+3\" }
v1alpha1 = { introduced = \"X+5\", removed = \"X+8\" }
[group.g.preferred]
v1alpha1 = \"X+6\"
[group.g.kind.A]
[group.g.kind.B]
version = { v1alpha1 = { removed = \"X+11\" } }
";
    for (id, first) in [("g/v1alpha1", 7), ("g/v1alpha1 A", 6)] {
        assert_first_in(text, id, first);
        let name = Some(format!("X+{first}"));
        assert_eq!(answers(text, id).0, [name.clone(), name], "{id}");
    }
}

/// What is declared ends first; the one whose end is only planned leaves the overlap.
#[test]
fn of_two_that_end_together_the_one_whose_end_is_not_declared_stays_for_the_overlap() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\" }
v1beta2 = { introduced = \"X+2\", deprecated = \"X+3\", removed = \"X+6\" }
v1 = { introduced = \"X+8\" }
";
    assert_first_in(text, "g.example/v1beta1", 9);
}

/// Of two versions that end together, the beta was served beside v2 before, and the preferred version moves from it.
#[test]
fn a_version_that_is_back_was_served_beside_one_of_those_that_end_before_it() {
    let text = r#"
[group.g.version]
v1 = { lives = [{ introduced = "X+3", removed = "X+4" }, { introduced = "X+5" }] }
v2 = { lives = [{ introduced = "X", removed = "X+1" }, { introduced = "X+4" }] }
v1beta1 = { introduced = "X", deprecated = "X", removed = "X+4" }
"#;
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let codes: Vec<&str> = evaluation.findings().iter().map(|finding| &*finding.code).collect();
    assert!(!codes.contains(&"no-overlap"), "{codes:?}");
}
