//! Fields and enum values, and gaps between versions.

use lifecycle::model::EventKind;
use lifecycle::release::Release;

use crate::tests::worlds::{evaluated_text, load};

use super::together::allowed;
use super::{agree, answered, answers, assert_first_in, judged, planned, proposed, symbolic, with_removal};

#[test]
fn a_part_of_an_alpha_is_removed_in_the_next_release() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.width\" = {}
enum.\"spec.policy\".Always = { introduced = \"X+4\" }
annotation.\"g.example/size\" = {}
subresource.status = {}
";
    let widget = "g.example/v1alpha1 Widget";
    for part in [" .spec.width", " @g.example/size", "/status"] {
        assert_eq!(
            answered(text, &format!("{widget}{part}"), 4),
            Some((true, "X+4".to_owned()))
        );
    }
    let value = format!("{widget} .spec.policy=Always");
    assert_eq!(answered(text, &value, 5), Some((true, "X+5".to_owned())));
}

#[test]
fn what_is_behind_an_alpha_gate_is_removed_in_the_next_release_unless_it_is_a_counterpart() {
    let text = "
[gate.G]
specs = [{ stage = \"alpha\", since = \"X\", default = false }, { stage = \"beta\", since = \"X+6\", default = true }]
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.width\" = { in = { v1 = { gated-by = \"G\" } } }
field.\"spec.depth\" = { gated-by = \"G\" }
";
    let width = answered(text, "g.example/v1 Widget .spec.width", 4);
    assert_eq!(width, Some((true, "X+4".to_owned())));
    let depth = "g.example/v1 Widget .spec.depth";
    assert_eq!(answered(text, depth, 5), Some((false, "X+6".to_owned())));
}

#[test]
fn a_version_has_the_lives_of_a_part_in_which_it_is_served() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
v1 = { introduced = \"X+3\" }
[group.\"g.example\".kind.Widget]
annotation.size = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }] }
";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let model = evaluation.model();
    let lives = ["v1alpha1", "v1"].map(|version| {
        let annotation = model.find(&format!("g.example/{version} Widget @size"));
        model.lives(annotation.expect("it is an element"))
    });
    assert_eq!(lives, [2, 1]);
}

#[test]
fn nothing_is_removed_before_what_is_declared_of_a_part_that_only_it_has() {
    let model = |entry: &str, part: &str| {
        format!(
            "
[group.\"g.example\".version]
v1alpha1 = {{ introduced = \"X\" }}
v1alpha2 = {{ introduced = \"X+4\" }}
[group.\"g.example\".kind.Widget]
{entry}
field.\"spec.size\" = {part}
"
        )
    };
    let listed = "{ in = { v1alpha1 = { introduced = \"X+5\" } } }";
    let only = "versions = [\"v1alpha1\"]";
    let shared = "{ introduced = \"X+5\" }";
    let announced = "{ in = { v1alpha1 = { deprecated = \"X+6\" } } }";
    for (entry, part, soonest) in [("", listed, 6), (only, shared, 6), ("", announced, 7), ("", shared, 4)] {
        let text = model(entry, part);
        for id in ["g.example/v1alpha1", "g.example/v1alpha1 Widget"] {
            let name = format!("X+{soonest}");
            assert_eq!(answered(&text, id, soonest), Some((true, name.clone())), "{part}");
            if soonest > 4 {
                assert_eq!(answered(&text, id, soonest - 1), Some((false, name.clone())), "{part}");
            }
            let (plan, _) = answers(&text, id);
            assert_eq!(plan, [Some(name.clone()), Some(name.clone())], "{part}");
            let proposed = with_removal(&text, id);
            assert!(proposed.contains(&format!("removed = \"{name}\"")), "{proposed}");
        }
    }
}

#[test]
fn a_field_stays_until_a_release_after_its_values_begin() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { in = { v1alpha1 = { introduced = \"X\" } } }
enum.\"spec.day\".Tuesday = { in = { v1alpha1 = { introduced = \"X+5\" } } }
";
    let id = "g.example/v1alpha1 Widget .spec.day";
    let soonest = Some("X+6".to_owned());
    assert_eq!(answers(text, id).0, [soonest.clone(), soonest]);
    assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())));
    assert!(with_removal(text, id).contains("removed = \"X+6\""));
}

#[test]
fn a_part_whose_removal_is_not_in_sight_stays_in_its_version() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {}
";
    let (world, text) = symbolic(text);
    let id = "g.example/v1 Widget .spec.size";
    assert_eq!(proposed(&world, &text, id), Ok((false, None)));
}

#[test]
fn a_field_that_is_kept_past_the_alpha_of_its_gate_stays_until_its_version_is_removed() {
    let field = "g.example/v1 Widget .spec.size";
    for (end, again, soonest) in [
        ("X+5", "", Some(5)),
        ("X+6", "", None),
        (
            "X+6",
            ", { stage = \"alpha\", since = \"X+8\", default = false }",
            Some(8),
        ),
    ] {
        let text = format!(
            "
[group.\"g.example\".version]
v1beta1 = {{ introduced = \"X\", deprecated = \"X\", removed = \"{end}\" }}
v1 = {{ introduced = \"X\" }}
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = {{ gated-by = \"Size\" }}
[gate.Size]
specs = [{{ stage = \"alpha\", since = \"X\", default = false }}, {{ stage = \"beta\", since = \"X+5\", default = true }}{again}]
"
        );
        let named = soonest.map(|soonest| format!("X+{soonest}"));
        assert_eq!(answers(&text, field).0, [named.clone(), named.clone()], "{end}{again}");
        let (world, text) = symbolic(&text);
        for release in 4..=8 {
            let (allowed, first) = judged(&world, &text, field, Release(release)).expect("it can be judged");
            assert_eq!(allowed, soonest == Some(release), "{end}{again} in X+{release}");
            assert_eq!(first, named, "{end}{again} in X+{release}");
        }
    }
}

#[test]
fn a_field_stays_until_the_values_that_its_version_shares_with_others_are_there() {
    let text = "
[gate.Day]
specs = [{ stage = \"alpha\", since = \"X\", default = false }]
[group.\"g.example\".version]
v1 = { introduced = \"X\" }
v2 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { in = { v1 = { gated-by = \"Day\" } } }
enum.\"spec.day\".Tuesday = { introduced = \"X+4\" }
";
    let field = "g.example/v1 Widget .spec.day";
    assert_eq!(answers(text, field).0, ["X+5", "X+5"].map(|name| Some(name.to_owned())));
}

#[test]
fn a_gap_that_has_shipped_excuses_no_later_one() {
    let text = "
[group.\"g.example\".version]
v2 = { lives = [{ introduced = \"X\", removed = \"X+5\" }, { introduced = \"X+6\" }] }
v1beta1 = { introduced = \"X\", deprecated = \"X+5\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\".in = { v2 = { introduced = \"X+2\" }, v1beta1 = {} }
";
    let id = "g.example/v2 Widget .spec.day";
    let (world, text) = symbolic(text);
    let (allowed, _) = judged(&world, &text, id, Release(5)).expect("it can be judged");
    assert!(!allowed);
    let evaluation = evaluated_text(&world, &text);
    agree(
        &world,
        &text,
        &evaluation,
        evaluation.model().find(id).expect("it is there"),
    )
    .expect("all answers agree");
}

#[test]
fn what_is_within_a_field_has_no_gap_while_that_has_one() {
    for (table, part) in [
        ("enum.\"spec.day\".Tuesday", "spec.day=Tuesday"),
        ("field.\"spec.day.hour\"", "spec.day.hour"),
    ] {
        let text = format!(
            "
[group.\"g.example\".version]
v1alpha1 = {{ introduced = \"X\" }}
v1beta1 = {{ introduced = \"X\" }}
[group.\"g.example\".kind.Widget]
field.\"spec.day\".in = {{ v1alpha1 = {{ introduced = \"X+4\" }}, v1beta1 = {{}} }}
{table} = {{}}
"
        );
        let id = format!("g.example/v1alpha1 Widget .{part}");
        assert_eq!(answered(&text, &id, 5), Some((true, "X+5".to_owned())), "{part}");
        let (world, text) = symbolic(&text);
        let evaluation = evaluated_text(&world, &text);
        let gaps = evaluation
            .findings()
            .iter()
            .filter(|finding| finding.code == "no-counterpart");
        let about: Vec<Option<&str>> = gaps.map(|finding| finding.element.as_deref()).collect();
        assert_eq!(about, [Some("g.example/v1beta1 Widget .spec.day")], "{part}");
    }
}

#[test]
fn a_field_goes_with_its_version_before_a_value_that_never_begins_there() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X\", deprecated = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = {}
enum.\"spec.day\".Tuesday = { lives = [{ introduced = \"X\", removed = \"X+4\" }, { introduced = \"X+4\" }] }
";
    let id = "g.example/v1alpha1 Widget .spec.day";
    assert_eq!(answered(text, id, 4), Some((true, "X+4".to_owned())));
    assert_eq!(answers(text, id).0, ["X+4", "X+4"].map(|name| Some(name.to_owned())));
}

/// The value is not deprecated: its field ends in that release, or with the version before.
#[test]
fn a_version_does_not_wait_for_what_is_declared_for_the_end_of_a_field() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\", deprecated = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { introduced = \"X\", removed = \"X+6\" }
enum.\"spec.day\".Tuesday = { deprecated = \"X+6\" }
";
    let id = "g.example/v1alpha1";
    let first = "X+4".to_owned();
    assert_eq!(answered(text, id, 4), Some((true, first.clone())));
    assert_eq!(answers(text, id).0, [Some(first.clone()), Some(first)]);
    let late = text.replace("{ deprecated = \"X+6\" }", "{ deprecated = \"X+7\" }");
    let (world, late) = symbolic(&late);
    let errors = load(&world, &late, None).expect_err("it is deprecated after the end of its field");
    assert!(
        errors[0].message.contains("already removed in X+6"),
        "{}",
        errors[0].message
    );
}

/// The findings of a model about missing counterparts: their elements and the releases that they name.
fn gaps(text: &str) -> Vec<(String, String)> {
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let found = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.code == "no-counterpart");
    let named = found.map(|finding| {
        let release = finding.message.split(" in ").nth(2).unwrap_or_default();
        let release = release.split([' ', ':']).next().unwrap_or_default();
        (finding.element.clone().unwrap_or_default(), release.to_owned())
    });
    named.collect()
}

#[test]
fn a_gap_that_goes_on_where_lives_meet_is_one() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.day\".in.v1 = { lives = [{ introduced = \"X\", removed = \"X+5\" }, { introduced = \"X+5\" }] }
field.\"spec.size\".in.v1beta1 = {}
";
    let expected = [
        ("g.example/v1 Widget .spec.day", "X"),
        ("g.example/v1beta1 Widget .spec.size", "X"),
    ];
    assert_eq!(
        gaps(text),
        expected.map(|(id, release)| (id.to_owned(), release.to_owned()))
    );
}

#[test]
fn a_value_of_a_field_that_is_represented_needs_a_counterpart() {
    let text = "
[group.\"g.example\".version]
v1 = { introduced = \"X\" }
v2 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
field.\"spec.old\".in = { v1 = {}, v2 = { represented-as = \"spec.new\" } }
field.\"spec.new\".in = { v2 = {} }
enum.\"spec.new\".C.in.v2 = {}
";
    assert_eq!(
        gaps(text),
        [("g.example/v2 Widget .spec.new=C".to_owned(), "X".to_owned())]
    );
}

#[test]
fn a_part_that_its_version_never_has_has_no_removal_there() {
    for begin in [6, 7] {
        let text = format!(
            r#"
[group."g.example".version]
v2 = {{ introduced = "X+3" }}
v1beta2 = {{ introduced = "X+2", deprecated = "X+3" }}
[group."g.example".kind.Widget]
field."spec.day" = {{ introduced = "X+{begin}" }}
enum."spec.day".Wed = {{}}
"#
        );
        let (world, text) = symbolic(&text);
        let evaluation = evaluated_text(&world, &text);
        let field = "g.example/v1beta2 Widget .spec.day";
        let value = format!("{field}=Wed");
        for (id, owner) in [(field, "g.example/v1beta2 Widget"), (value.as_str(), field)] {
            let element = evaluation.model().find(id).expect("it is declared");
            assert!(planned(&evaluation, element).is_never(), "{id}: {text}");
            let said = format!("{id} is introduced in X+{begin}, but {owner} ends in X+6");
            for release in ["X+6", "X+8"] {
                let refused = evaluation.removal(element, release).expect_err("it is never there");
                assert_eq!(refused.message, said);
            }
            let refused = proposed(&world, &text, id).expect_err("it is never there");
            assert_eq!(refused.message, said);
            let overview = evaluation.overview();
            let rows = overview.groups.iter().flat_map(|group| &group.rows);
            assert!(rows.into_iter().all(|row| row.element.id != id), "{text}");
        }
    }
}

#[test]
fn a_field_is_proposed_to_go_before_values_that_only_other_versions_get() {
    let text = r#"
[group."g.example".version]
v2alpha1 = { introduced = "X" }
v1alpha1 = { introduced = "X+4" }
[group."g.example".kind.Gadget]
field."spec.day" = {}
enum."spec.day".Wed = { introduced = "X+6" }
"#;
    let field = "g.example/v1alpha1 Gadget .spec.day";
    let proposed = with_removal(text, field);
    assert!(
        proposed.contains(r#"enum."spec.day".Wed = { introduced = "X+6", in.v2alpha1 = {} }"#),
        "{proposed}"
    );
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let field = evaluation.model().find(field).expect("it is declared");
    agree(&world, &text, &evaluation, field).expect("all answers agree");
}

#[test]
fn a_gap_that_begins_with_others_does_not_hide_that_of_a_later_removal() {
    let later = ["v2", "v3", "v4", "v5", "v6"].map(|version| format!("{version} = {{ introduced = \"X+5\" }}"));
    let later = later.join("\n");
    let text = format!(
        r#"
[group."g.example".version]
v1 = {{ introduced = "X" }}
{later}
v7alpha1 = {{ introduced = "X" }}
[group."g.example".kind.Widget]
field."spec.day".in = {{ v1 = {{}}, v7alpha1 = {{}} }}
"#
    );
    let (world, text) = symbolic(&text);
    let field = "g.example/v7alpha1 Widget .spec.day";
    for release in [4, 6, 8] {
        let answer = judged(&world, &text, field, Release(release));
        assert_eq!(answer, Some((false, None)), "X+{release}: {text}");
    }
    // Neither another removal nor the exception of another element is a reason to lose it.
    let more = r#"
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { introduced = "X", deprecated = "X" }
[group."z.example".version]
v1beta1 = { introduced = "X", deprecated = "X+2" }
v1 = { introduced = "X+2" }
[group."z.example".kind.Gear]
field."spec.size".in.v1beta1 = {}
[[exception]]
rule = "round-trip:no-counterpart"
element = "z.example/v1beta1 Gear .spec.size"
until = "X+8"
reason = "r"
approved-by = "a"
"#;
    let text = format!("{text}{more}");
    assert_eq!(
        allowed(&world, &text, &[(field, 6), ("cli tool --old", 8)]),
        [false, true],
        "{text}"
    );
    assert_eq!(
        allowed(&world, &text, &[(field, 4), ("cli tool --old", 8)]),
        [false, true],
        "{text}"
    );
    let kept = "g.example/v1 Widget .spec.day";
    assert!(allowed(&world, &text, &[(field, 6), (kept, 6)])[0], "{text}");
}

#[test]
fn a_field_that_another_version_has_too_is_no_counterpart_only() {
    for (own, first) in [("v1 = {}", Some("X+5")), ("v1beta1 = {}, v1 = {}", None)] {
        let text = format!(
            r#"
[group."g.example".version]
v1beta1 = {{ introduced = "X", deprecated = "X+2" }}
v1 = {{ introduced = "X+2" }}
[group."g.example".kind.Widget]
field."spec.a".in = {{ {own} }}
field."spec.b".in = {{ v1beta1 = {{}}, v1 = {{ represented-as = "spec.a" }} }}
"#
        );
        let (world, text) = symbolic(&text);
        let answer = judged(&world, &text, "g.example/v1 Widget .spec.a", Release(5));
        assert_eq!(answer, Some((first.is_some(), first.map(str::to_owned))), "{text}");
    }
}

/// The version begins before its field does, so another version lacks a counterpart all the same.
#[test]
fn what_waits_for_a_release_that_is_not_in_sight_is_not_proposed() {
    let text = r#"
[group.g.version]
v2alpha1 = { introduced = "X+4" }
v1 = { introduced = "X" }
[group.g.kind.Widget]
field."spec.size".in = { v2alpha1 = { introduced = "X+5" }, v1 = {} }
"#;
    let (world, text) = symbolic(text);
    let field = "g/v2alpha1 Widget .spec.size";
    assert_eq!(judged(&world, &text, field, Release(7)), Some((false, None)));
    assert!(matches!(proposed(&world, &text, field), Ok((false, None))));
}

#[test]
fn a_declared_removal_without_a_counterpart_has_the_first_release_of_one_that_is_not_declared() {
    let text = r#"
[gate.G]
specs = [{ stage = "alpha", since = "X+2", default = false }]
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+3" }
v1 = { introduced = "X+1" }
[group.g.kind.Widget]
field."spec.size".in = { v1beta1 = { introduced = "X+2", gated-by = "G", removed = "X+4", tombstone = true }, v1 = { introduced = "X+2", gated-by = "G" } }
"#;
    let field = "g/v1beta1 Widget .spec.size";
    assert_eq!(answers(text, field).0, [(); 2].map(|()| Some("X+6".to_owned())));
    assert_first_in(text, field, 6);
}

/// It may go with the version whose field it stands for, but then the other version that has it would lose its own.
#[test]
fn a_counterpart_that_another_version_has_too_stays_with_it() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+2" }
v1beta2 = { introduced = "X+2" }
v1 = { introduced = "X+3" }
[group.g.kind.W.field."spec.size"]
in = { v1beta1 = { represented-as = "spec.old" }, v1beta2 = { introduced = "X+2" }, v1 = {} }
[group.g.kind.W.field."spec.old"]
in = { v1beta1 = {}, v1beta2 = { represented-as = "spec.size" }, v1 = { represented-as = "spec.size" } }
"#;
    for id in ["g/v1beta2", "g/v1beta2 W .spec.size", "g/v1 W .spec.size"] {
        assert_first_in(text, id, 7);
    }
}

/// Whichever comes first by name: the later one uses what the other has.
#[test]
fn the_field_that_begins_later_uses_the_tag_of_the_other() {
    let text = r#"
[group.g.version]
v1 = { introduced = "X" }
[group.g.kind.K]
field."spec.old".in = { v1 = { introduced = "X+1", tag = 7 } }
field."spec.new".in = { v1 = { introduced = "X+5", tag = 7 } }
"#;
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let reused = evaluation
        .findings()
        .iter()
        .find(|finding| finding.code == "name-reused");
    let reused = reused.expect("a tag is used twice");
    assert_eq!(reused.element.as_deref(), Some("g/v1 K .spec.new"));
    assert_eq!(
        reused.help.as_deref(),
        Some("choose a tag that no field of the message ever had")
    );
}

/// A version that ends just when the field would begin is not asked to stay for it.
#[test]
fn a_part_leaves_one_version_though_another_one_ends_before_it_begins() {
    let text = "
[group.\"g.example\".version]
v2alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X+4\" }
v1alpha1 = { introduced = \"X\" }
v1beta2 = { introduced = \"X\" }
[group.\"g.example\".kind.Gadget]
field.\"spec.size\" = { in = { v2alpha1 = { introduced = \"X\" }, v1beta1 = { introduced = \"X+4\" }, v1alpha1 = { introduced = \"X\", removed = \"X+1\" }, v1beta2 = { introduced = \"X+1\" } } }
field.\"spec.day\" = { introduced = \"X+4\" }
";
    let field = "g.example/v2alpha1 Gadget .spec.day";
    assert_first_in(text, field, 7);
    let proposed = with_removal(text, field);
    let entry = "in.v2alpha1 = { removed = \"X+7\" }, in.v1beta2 = {}, in.v1beta1 = {} }";
    assert!(proposed.contains(entry), "{proposed}");
}

/// The field of one version is that of the other under another name: neither leaves while the other is served.
#[test]
fn a_field_stays_while_another_version_has_it_under_another_name() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+6\" }
v1 = { introduced = \"X+3\" }
[group.\"g.example\".kind.A]
field.\"spec.old\".in = { v1beta1 = { stage = \"alpha\" }, v1 = { represented-as = \"spec.new\" } }
field.\"spec.new\".in = { v1 = { stage = \"alpha\" } }
";
    for id in ["g.example/v1beta1 A .spec.old", "g.example/v1 A .spec.new"] {
        assert_first_in(text, id, 6);
    }
}

/// Two versions lack the same from the same release on, in one finding: the end of one of them adds nothing.
#[test]
fn a_gap_that_an_entry_leaves_in_two_versions_keeps_none_of_them() {
    let text = "
[group.g.version]
v1alpha1 = { introduced = \"X+1\", deprecated = \"never\" }
v1alpha2 = { introduced = \"X+2\", deprecated = \"never\" }
v1beta1 = { introduced = \"X+5\" }
[group.g.kind.K]
field.\"spec.a\".in = { v1alpha1 = {}, v1alpha2 = {}, v1beta1 = { represented-as = \"spec.b\" } }
field.\"spec.b\".in = { v1beta1 = { introduced = \"X+6\" }, v1alpha1 = { represented-as = \"spec.a\" }, \
v1alpha2 = { represented-as = \"spec.a\" } }
";
    for id in ["g/v1alpha1", "g/v1alpha2"] {
        assert_eq!(answered(text, id, 4), Some((true, "X+4".to_owned())), "{id}");
    }
}

/// The shared end of the field lies after that of v1alpha1, where the value is never deprecated.
#[test]
fn what_is_in_a_field_ends_with_the_version_of_that_if_it_ends_first() {
    let text = "
[group.g.version]
v1alpha1 = { introduced = \"X\", removed = \"X+5\" }
v1 = { introduced = \"X\" }
[group.g.kind.K]
field.day = { introduced = \"X\", removed = \"X+7\" }
enum.day.Tuesday = { deprecated = \"X+7\" }
";
    let (world, model) = symbolic(text);
    let evaluation = evaluated_text(&world, &model);
    let value = evaluation
        .model()
        .find("g/v1alpha1 K .day=Tuesday")
        .expect("it is an element");
    let deprecated = evaluation.model().last_event(value, EventKind::Deprecated);
    assert_eq!(evaluation.reasoning().release(deprecated), None);
}

/// The annotation is there for itself in both versions, and is the other name of a field of v2alpha1 in v1beta1.
#[test]
fn an_annotation_behind_an_alpha_gate_stays_while_it_is_the_other_name_of_a_field() {
    let text = r#"
[gate.G]
specs = [{ stage = "alpha", since = "X+3", default = false }]
[group.g.version]
v1beta1 = { introduced = "X+3" }
v2alpha1 = { introduced = "X+3" }
[group.g.kind.K]
field.size.in = { v1beta1 = { represented-as = "@size" }, v2alpha1 = {} }
annotation.size = { introduced = "X+3", deprecated = "X+3", removed = "X+4", gated-by = "G" }
"#;
    assert_first_in(text, "g/v1beta1 K @size", 9);
    assert_eq!(answered(text, "g/v2alpha1 K @size", 4), Some((true, "X+4".to_owned())));
}

/// One life of the value is over before the field begins in v2alpha1, and the other begins after that is removed.
#[test]
fn a_version_is_removed_before_a_value_that_others_get() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X" }
v2alpha1 = { introduced = "X", deprecated = "X" }
[group.g.kind.K]
field.day.in = { v1alpha1 = {}, v2alpha1 = { introduced = "X+5" } }
enum.day.Tuesday = { lives = [{ introduced = "X", removed = "X+4" }, { introduced = "X+7" }] }
"#;
    assert_first_in(text, "g/v2alpha1 K", 6);
    with_removal(text, "g/v2alpha1 K");
}

/// The field is not in the version, because it begins only after that, and so is what is within it.
#[test]
fn a_value_begins_in_no_version_that_ends_before_its_field_begins() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X", deprecated = "X+5" }
v2beta1 = { introduced = "X+2" }
[group.g.kind.K]
field.day = { introduced = "X+5" }
enum.day.Tuesday.in = { v1alpha1 = { introduced = "X+5" }, v2beta1 = { introduced = "X+2" } }
"#;
    assert_first_in(text, "g/v1alpha1", 5);
    with_removal(text, "g/v1alpha1");
}

/// The gap in X+4 is merged with the one in X+5, which the removal of the other version fixes.
#[test]
fn what_two_versions_lack_is_no_new_gap_of_one_of_them() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X+4", removed = "X+5" }
v1beta1 = { introduced = "X+5" }
v2alpha1 = { introduced = "X+4" }
[group.g.kind.K]
field.day.in = { v1alpha1 = {}, v1beta1 = {}, v2alpha1 = { represented-as = "day" } }
"#;
    assert_first_in(text, "g/v2alpha1", 5);
}

/// The other version keeps the field in an annotation, and has the value itself.
#[test]
fn a_field_stays_while_a_value_within_it_is_a_counterpart() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X+2" }
v2alpha1 = { introduced = "X", deprecated = "X+5", removed = "X+8" }
[group.g.kind.K]
field.day.in = { v1beta1 = { represented-as = "@g/day" }, v2alpha1 = {} }
enum.day.Tuesday = { introduced = "X+2", removed = "X+6" }
"#;
    assert_first_in(text, "g/v2alpha1 K .day", 6);
}
