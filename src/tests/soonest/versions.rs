//! API versions and their kinds.

use std::collections::BTreeSet;

use lifecycle::Sources;
use lifecycle::model::EventKind;
use lifecycle::release::Release;
use lifecycle::report::Moment;

use crate::tests::worlds::{evaluated_text, load_supposing};

use super::{
    TWO_EDITIONS, agree, answered, answers, assert_first_in, judged, planned, proposed, symbolic, with_removal,
};

#[test]
fn what_may_not_be_deprecated_is_removed_in_no_release() {
    for (edition, soonest) in [("-2019", None), ("-2021", None), ("", Some("X+7"))] {
        let text = format!("policy = \"kubernetes{edition}\"\n[group.g.version]\nv1beta1 = {{ introduced = \"X\" }}\n");
        let (world, text) = symbolic(&text);
        let answer = judged(&world, &text, "g/v1beta1", Release(7)).expect("it can be judged");
        assert_eq!(answer, (soonest.is_some(), soonest.map(str::to_owned)), "{edition}");
        let evaluation = evaluated_text(&world, &text);
        let reports = evaluation.elements();
        let beta = reports.first().expect("there is one");
        let names = |moment: &Option<Moment<'_>>| moment.as_ref().map(|moment| moment.release.to_owned());
        assert_eq!(
            names(&beta.earliest_deprecation).is_some(),
            soonest.is_some(),
            "{edition}"
        );
        assert_eq!(names(&beta.earliest_removal).as_deref(), soonest, "{edition}");
    }
}

#[test]
fn what_a_later_edition_allows_to_deprecate_is_removed_a_window_after_that() {
    let (world, text) = symbolic(TWO_EDITIONS);
    let evaluation = evaluated_text(&world, &text);
    let version = evaluation.model().find("g/v1beta1").expect("it is there");
    agree(&world, &text, &evaluation, version).expect("all answers agree");
    // Its deadline under the later edition is X+8.
    assert_eq!(planned(&evaluation, version), Release(11));
    let deprecated = [4, 5].map(|release| {
        let declared = [(version, EventKind::Deprecated, Some(Release(release)))];
        let with = load_supposing(&world, &text, None, &declared).expect("it can be declared");
        let findings = with.findings().iter();
        let mut findings = findings.filter(|finding| finding.code == "before-replacement");
        findings.next().map(|finding| finding.earliest)
    });
    assert_eq!(deprecated, [Some(Some(Release(5))), None]);
    let reason = evaluation.derivation(&Sources::new(), version, Some(EventKind::Deprecated));
    let reason = serde_json::to_string(&reason).expect("it is JSON");
    assert!(
        reason.contains("at least as stable is released; from X+5 on, the policy permits it"),
        "{reason}"
    );
    assert!(!reason.contains("forbidden"), "{reason}");
}

#[test]
fn a_replacement_is_removed_no_earlier_than_what_it_replaces() {
    let text = "
[group.\"a.example\".version]
v1beta1 = { introduced = \"X+1\", deprecated = \"X+4\", replacement = \"b.example/v1beta1\" }
[group.\"a.example\".kind.Widget]
[group.\"b.example\".version]
v1beta1 = { introduced = \"X+1\", deprecated = \"X+1\" }
[group.\"b.example\".kind.Widget]
";
    for id in ["b.example/v1beta1 Widget", "b.example/v1beta1"] {
        assert_eq!(answered(text, id, 6), Some((false, "X+7".to_owned())));
        assert_eq!(answered(text, id, 7), Some((true, "X+7".to_owned())));
    }
}

#[test]
fn of_a_chain_of_replacements_the_last_one_stays() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+8\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X\", deprecated = \"X+2\", replacement = \"v1beta3\" }
v1beta3 = { introduced = \"X\", deprecated = \"X+1\" }
";
    assert_eq!(answered(text, "g.example/v1beta2", 5), Some((true, "X+5".to_owned())));
    assert_first_in(text, "g.example/v1beta3", 8);
}

#[test]
fn a_version_that_replaces_another_one_stays_as_a_whole() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+8\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X\", deprecated = \"X+2\" }
[group.\"g.example\".kind]
Widget = { versions = [\"v1beta2\"] }
Gadget = { versions = [\"v1beta2\"] }
";
    assert_eq!(
        answered(text, "g.example/v1beta2 Widget", 5),
        Some((true, "X+5".to_owned()))
    );
    assert_first_in(text, "g.example/v1beta2", 8);
}

#[test]
fn an_earlier_life_of_a_version_excuses_nothing_in_a_later_one_of_its_kind() {
    let text = "
policy = \"kubernetes-2021\"
[group.\"g.example\".version]
v1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\", deprecated = \"X+3\" }] }
[group.\"g.example\".kind.Widget]
";
    let id = "g.example/v1 Widget";
    assert_first_in(text, id, 6);
}

#[test]
fn a_version_ends_no_sooner_than_a_kind_that_is_deprecated_only_later() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\", removed = \"X+9\" }
[group.\"g.example\".kind.Old]
version.v1alpha1 = { removed = \"X+2\" }
[group.\"g.example\".kind.Widget]
version.v1alpha1 = { deprecated = \"X+6\" }
[group.\"g.example\".kind.Gadget]
";
    let version = "g.example/v1alpha1";
    let expected = Some("X+6".to_owned());
    assert_eq!(answers(text, version).0, [expected.clone(), expected]);
    for id in [version, "g.example/v1alpha1 Widget"] {
        assert_eq!(answered(text, id, 5), Some((false, "X+6".to_owned())), "{id}");
        assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())), "{id}");
    }
}

#[test]
fn old_findings_about_a_kind_do_not_count_against_the_removal_of_its_version() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Widget]
version.v1beta1 = { deprecated = \"X+2\" }
field.\"spec.size\" = { in = { v1beta1 = { removed = \"X+2\" } } }
[group.\"g.example\".kind.Late]
versions = [\"v1beta1\"]
version.v1beta1 = { introduced = \"X\" }
[group.\"g.example\".kind.Early]
version.v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\", deprecated = \"X+2\" }] }
";
    let id = "g.example/v1beta1";
    assert_eq!(answers(text, id).0[0].as_deref(), Some("X+7"));
    assert_eq!(answered(text, id, 6).map(|(allowed, _)| allowed), Some(false));
    assert_eq!(answered(text, id, 7), Some((true, "X+7".to_owned())));
    let proposed = with_removal(text, id);
    assert!(proposed.contains("removed = \"X+7\""), "{proposed}");
}

#[test]
fn what_an_entry_declares_for_all_versions_keeps_none_of_them_once_versions_are_listed() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X\" }
v1alpha2 = { introduced = \"X+5\" }
[group.\"g.example\".kind.Widget]
annotation.size = { deprecated = \"X+5\" }
";
    let id = "g.example/v1alpha1 Widget @size";
    assert_eq!(answered(text, id, 5), Some((true, "X+5".to_owned())));
    let (world, text) = symbolic(text);
    assert_eq!(proposed(&world, &text, id), Ok((true, Some(Release(5)))));
}

#[test]
fn the_edition_that_first_permits_a_deprecation_says_how_long_a_version_stays() {
    let model = |from: u32| {
        format!(
            "
policy = [{{ use = \"kubernetes-2019\" }}, {{ use = \"kubernetes\", from = \"X+{from}\" }}]
[group.\"g.example\".version]
v1 = {{ introduced = \"X\" }}
"
        )
    };
    // The later edition permits the deprecation, and asks for the next major release.
    for from in [4, 5] {
        assert_eq!(answers(&model(from), "g.example/v1").0, [None, None], "{from}");
        let (world, text) = symbolic(&model(from));
        let judged = judged(&world, &text, "g.example/v1", Release(8));
        assert_eq!(judged, Some((false, None)), "{from}");
    }
}

#[test]
fn a_version_stays_while_it_alone_has_what_is_declared_for_several() {
    let text = "
[group.\"g.example\".version]
v2alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X+6\" }
[group.\"g.example\".kind.Widget]
subresource.status = { introduced = \"X+1\", deprecated = \"X+5\" }
";
    let kind = "g.example/v2alpha1 Widget";
    assert_eq!(answers(text, kind).0, ["X+6", "X+6"].map(|name| Some(name.to_owned())));
    assert_eq!(answered(text, kind, 6), Some((true, "X+6".to_owned())));
}

#[test]
fn a_version_stays_for_a_life_that_is_the_first_one_of_another_version() {
    let (world, text) = symbolic(
        r#"
[group.g.version]
v2beta1 = { introduced = "X+2" }
v1alpha1 = { introduced = "X+4" }
[group.g.kind.Widget]
enum."spec.day".Tuesday = { lives = [{ introduced = "X+2", removed = "X+4" }, { introduced = "X+8" }] }
"#,
    );
    let evaluation = evaluated_text(&world, &text);
    let kind = evaluation.model().find("g/v2beta1 Widget").expect("it is declared");
    let removed = evaluation.model().last_event(kind, EventKind::Removed);
    assert_eq!(evaluation.reasoning().release(removed), Some(Release(9)));
}

#[test]
fn a_kind_that_enters_when_a_deprecation_is_withdrawn_may_be_deprecated_then() {
    let text = r#"
[group.g.version]
v2beta1 = { introduced = "X", deprecated = "X" }
v1beta1 = { introduced = "X", deprecated = "X", undeprecated = "X+4" }
[group.g.kind.Widget]
version.v1beta1 = { introduced = "X+4" }
"#;
    let (world, model) = symbolic(text);
    let evaluation = evaluated_text(&world, &model);
    let version = evaluation.model().find("g/v1beta1").expect("it is declared");
    agree(&world, &model, &evaluation, version).expect("all answers agree");
    assert_first_in(text, "g/v1beta1", 7);
}

#[test]
fn kinds_that_are_due_apart_are_announced_when_the_first_one_is_due() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Widget]
[group.\"g.example\".kind.Gadget]
version.v1beta1 = { introduced = \"X+5\" }
";
    assert_eq!(answered(text, "g.example/v1beta1", 11), Some((true, "X+11".to_owned())));
    let proposed = with_removal(text, "g.example/v1beta1");
    assert!(
        proposed.contains("deprecated = \"X+7\", removed = \"X+11\""),
        "{proposed}"
    );
}

/// Without a cadence, a deadline past the last release is not known yet.
#[test]
fn kinds_that_are_due_apart_are_announced_once_all_may_be() {
    let text = r#"
[calendar]
symbolic = { origin = "X", count = 4 }
[group."g.example".version]
v1alpha1 = { introduced = "X", deprecated = "X+4", replacement = "v1beta1" }
v1beta1 = { introduced = "X" }
[group."g.example".kind.Gadget]
versions = ["v1alpha1", "v1beta1"]
[group."g.example".kind.Widget]
versions = ["v1beta1"]
"#;
    let world = symbolic("").0;
    let removed = proposed(&world, text, "g.example/v1beta1");
    assert_eq!(removed.ok(), Some((true, Some(Release(7)))));
}

#[test]
fn a_finding_about_a_life_of_a_version_excuses_none_about_its_kinds_in_another_one() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X+3\", removed = \"X+4\" }, { introduced = \"X+4\" }] }
[group.\"g.example\".kind.Widget]
[group.\"g.example\".kind.Gadget]
version.v1beta1 = { introduced = \"X+4\" }
";
    let id = "g.example/v1beta1 Gadget";
    assert_first_in(text, id, 10);
}

#[test]
fn what_an_entry_declares_for_all_versions_comes_after_none_that_has_several_lives() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\", deprecated = \"X+3\" }] }
v2 = { introduced = \"X\" }
[group.\"g.example\".kind.Gadget]
annotation.\"example.com/size\" = { introduced = \"X+3\", deprecated = \"X+7\" }
";
    assert_eq!(
        answered(text, "g.example/v1beta1 Gadget", 6),
        Some((true, "X+6".to_owned()))
    );
    with_removal(text, "g.example/v1beta1 Gadget");
}

#[test]
fn the_plan_deprecates_no_replacement_before_what_it_replaces() {
    let text = r#"
policy = "kubernetes-2019"
[group.g.version]
v1alpha2 = { introduced = "X", deprecated = "X+5", replacement = "v2beta1" }
v2beta1 = { introduced = "X" }
v2 = { introduced = "X" }
"#;
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let replacement = evaluation.model().find("g/v2beta1").expect("it is declared");
    let deprecated = evaluation.model().last_event(replacement, EventKind::Deprecated);
    assert_eq!(evaluation.reasoning().release(deprecated), Some(Release(5)), "{text}");
}

#[test]
fn the_early_end_of_a_part_counts_against_no_later_removal_of_its_version() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+2", removed = "X+5" }
v1 = { introduced = "X+2" }
[group.g.kind.Widget]
field."spec.a".in = { v1beta1 = { removed = "X+4" }, v1 = {} }
"#;
    for (release, allowed) in [(4, false), (5, true), (6, true), (8, true)] {
        let answer = answered(text, "g/v1beta1", release);
        assert_eq!(answer, Some((allowed, "X+5".to_owned())), "X+{release}");
    }
}

/// The bound of a declared end that nothing announces counts from the end itself, and moves with it.
#[test]
fn a_declared_end_that_nothing_announces_may_come_after_the_deprecation_that_would_be_planned() {
    for end in [4, 5, 6] {
        let text = format!(
            r#"
[group.g.version]
v1beta1 = {{ introduced = "X", removed = "X+{end}" }}
v1 = {{ introduced = "X+2" }}
[group.g.kind.Widget]
"#
        );
        let (printed, _) = answers(&text, "g/v1beta1");
        assert!(printed.iter().all(|said| said.as_deref() == Some("X+7")), "{printed:?}");
        assert_eq!(answered(&text, "g/v1beta1", 7), Some((true, "X+7".to_owned())));
        assert_eq!(answered(&text, "g/v1beta1", 6), Some((false, "X+7".to_owned())));
        let (world, text) = symbolic(&text);
        let evaluation = evaluated_text(&world, &text);
        let findings = evaluation.findings().iter();
        let codes: BTreeSet<&str> = findings.map(|finding| &*finding.code).collect();
        assert!(
            codes.contains("early") && codes.contains("not-deprecated-in-time"),
            "{codes:?}"
        );
        let early = evaluation.findings().iter().find(|finding| finding.code == "early");
        let earliest = early.and_then(|finding| finding.earliest);
        assert_eq!(earliest, Some(Release(7)), "{early:?}");
    }
}

/// A kind that takes its removal from its version is judged without it, as the version is.
#[test]
fn a_version_and_its_only_kind_have_one_answer() {
    let text = r#"
[group."e.example".version]
v1beta1 = { introduced = "X+2", deprecated = "X+3", removed = "X+6" }
v1 = { introduced = "X+5" }
[group."e.example".kind.Widget]
field."spec.day".in = { v1beta1 = { removed = "X+7" }, v1 = {} }
"#;
    let (world, text) = symbolic(text);
    for release in 4..9 {
        let [version, kind] =
            ["e.example/v1beta1", "e.example/v1beta1 Widget"].map(|id| judged(&world, &text, id, Release(release)));
        assert!(version.is_some(), "X+{release}");
        assert_eq!(version, kind, "X+{release}");
    }
}

#[test]
fn what_is_withdrawn_from_one_kind_stays_with_the_others() {
    let text = r#"
[group."e.example".version]
v1beta1 = { introduced = "X", deprecated = "X+2", removed = "X+6" }
v1 = { introduced = "X+1" }
[group."e.example".kind]
Widget = {}
Gadget = {}
"#;
    let (world, text) = symbolic(text);
    let [widget, gadget] = ["e.example/v1beta1 Widget", "e.example/v1beta1 Gadget"];
    let element = evaluated_text(&world, &text)
        .model()
        .find(widget)
        .expect("it is declared");
    let without = [(element, EventKind::Removed, None)];
    let without = load_supposing(&world, &text, None, &without).expect("it can be read");
    let declared = |id: &str| {
        let model = without.model();
        let element = model.find(id).expect("it is declared");
        model.declared_release(model.last_event(element, EventKind::Removed))
    };
    assert_eq!([widget, gadget].map(declared), [None, Some(Release(6))]);
}

#[test]
fn a_version_stays_for_what_comes_after_the_declared_end_of_the_others() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X", removed = "X+4" }
v2alpha1 = { introduced = "X" }
[group.g.kind.Widget]
enum."spec.day".Tuesday = { lives = [{ introduced = "X+1", removed = "X+5" }, { introduced = "X+6" }] }
"#;
    assert_first_in(text, "g/v2alpha1 Widget", 7);
}

/// It is due before the law permits its removal: no release meets both.
#[test]
fn a_late_removal_that_could_not_come_in_time_is_excused_and_not_moved() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X+2", deprecated = "X+3", removed = "X+7" }
v1 = { introduced = "X+6" }
[group.g.kind.A]
"#;
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let late = evaluation.findings().iter().find(|finding| finding.code == "overdue");
    let help = late.and_then(|late| late.help.as_deref());
    assert_eq!(help, Some("add an exception: it cannot be removed by X+6"));
    assert_eq!(
        planned(
            &evaluation,
            evaluation.model().find("g/v1beta1").expect("it is declared")
        ),
        Release(7)
    );
}

/// The end of `Gone` is declared too early, which is a finding already; the version ends with the others.
#[test]
fn a_kind_that_leaves_too_early_keeps_its_version_no_longer_than_the_others_stay() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X+2" }
v1 = { introduced = "X+4" }
[group.g.kind.Kept]
[group.g.kind.Gone]
version = { v1beta1 = { introduced = "X+3", removed = "X+5" } }
versions = ["v1beta1"]
"#;
    assert_first_in(text, "g/v1beta1", 7);
}

#[test]
fn an_end_that_is_declared_too_early_has_the_first_release_of_one_that_is_not_declared() {
    // One of the kinds stays until X+10, because their version is preferred in X+9.
    let kinds = "policy = \"kubernetes-2025\"
[group.g.version]
v1beta2 = { introduced = \"X+6\" }
v1beta1 = { introduced = \"X+4\", deprecated = \"X+8\" }
v2beta1 = { introduced = \"X+5\" }
[group.g.preferred]
v1beta2 = \"X+9\"
[group.g.kind.A]
version = { v1beta2 = { removed = \"X+8\" } }
[group.g.kind.B]
[group.g.kind.C]
version = { v1beta2 = { deprecated = \"X+7\" } }
";
    // No version as stable is ever released, and without that nothing is deprecated.
    let alone = "policy = \"kubernetes-2021\"
[group.g.version]
v1 = { introduced = \"X+6\" }
v2beta1 = { introduced = \"X\", removed = \"X+5\" }
";
    for (text, id) in [(kinds, "g/v1beta2 A"), (alone, "g/v2beta1")] {
        let (printed, _) = answers(text, id);
        let (world, text) = symbolic(text);
        let (_, soonest) = judged(&world, &text, id, Release(8)).expect("it can be judged");
        assert_eq!(printed, [soonest.clone(), soonest], "{id}");
    }
}

/// The end of v1beta2 has to move to X+7 in any case, which is late enough for v1beta1.
#[test]
fn a_replacement_that_ends_too_early_already_does_not_keep_what_it_replaces() {
    let text = "
[group.g.version]
v1beta1 = { introduced = \"X+2\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X+3\", removed = \"X+5\" }
v1 = { introduced = \"X+4\" }
";
    assert_first_in(text, "g/v1beta1", 7);
    let name = Some("X+7".to_owned());
    assert_eq!(answers(text, "g/v1beta1").0, [name.clone(), name]);
    let (world, text) = symbolic(text);
    assert_eq!(
        proposed(&world, &text, "g/v1beta1").ok(),
        Some((true, Some(Release(7))))
    );
}

/// v1beta2 outlives v1beta1, which is removed in X+10, although its own window ends before that.
#[test]
fn a_replacement_whose_declared_end_is_too_early_ends_with_what_it_replaces() {
    let text = "
[group.g.version]
v1beta1 = { introduced = \"X+3\", deprecated = \"X+7\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X+3\", removed = \"X+5\" }
v1 = { introduced = \"X+4\" }
[group.g.kind.A]
[group.g.kind.B]
";
    for id in ["g/v1beta2", "g/v1beta2 A", "g/v1beta2 B"] {
        let printed = answers(text, id).0;
        let soonest = answered(text, id, 8).map(|(_, soonest)| soonest);
        assert_eq!(printed, [soonest.clone(), soonest], "{id}");
    }
}

/// The field lacks a counterpart in both versions, before and after: which of them is named first is no new finding.
#[test]
fn an_object_that_loses_a_field_already_keeps_no_version() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X+4\" }
v2alpha1 = { introduced = \"X+6\" }
v1alpha1 = { introduced = \"X+6\" }
[group.\"g.example\".kind.A]
field.\"spec.a\".in = { v1alpha1 = {} }
";
    assert_first_in(text, "g.example/v2alpha1", 7);
}

/// Where only the end of A moves, B goes in X+4 as declared, and v1beta1 counts as deprecated there.
#[test]
fn a_kind_without_a_successor_is_deprecated_with_others_that_go_unannounced() {
    let text = "
[group.g.version]
v1beta1 = { introduced = \"X+3\", removed = \"X+4\", replacement = \"v2beta1\" }
v2beta1 = { introduced = \"X+3\" }
[group.g.kind.A]
versions = [\"v1beta1\"]
[group.g.kind.B]
versions = [\"v1beta1\", \"v2beta1\"]
";
    for id in ["g/v1beta1", "g/v1beta1 A", "g/v1beta1 B"] {
        let printed = answers(text, id).0;
        let soonest = answered(text, id, 8).map(|(_, soonest)| soonest);
        assert_eq!(printed, [soonest.clone(), soonest], "{id}");
    }
}

/// The kind does not take another deprecation of its version, because its entry declares its own.
#[test]
fn a_kind_is_announced_again_where_its_own_deprecation_was_withdrawn() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X" }
[group.g.kind.Widget]
version.v1beta1 = { deprecated = "X", undeprecated = "X+1" }
[group.g.kind.Gadget]
"#;
    assert_first_in(text, "g/v1beta1", 7);
    let proposed = with_removal(text, "g/v1beta1");
    assert!(
        proposed.contains(r#"v1beta1 = { introduced = "X", deprecated = "X", removed = "X+7" }"#),
        "{proposed}"
    );
    let own = r#"version.v1beta1 = { deprecated = ["X", "X+4"], undeprecated = "X+1" }"#;
    assert!(proposed.contains(own), "{proposed}");
}

/// The widget keeps the version, and the value that is removed with the gadget would be too early by then.
#[test]
fn a_kind_ends_before_its_version_with_a_part_that_is_declared_to() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+3" }
[group.g.kind.Widget]
enum."spec.day".Friday.in.v1beta1 = { introduced = "X+5", deprecated = "X+5", undeprecated = "X+7" }
[group.g.kind.Gadget]
enum."spec.day".Tuesday = { introduced = "X", removed = "X+6" }
"#;
    assert_first_in(text, "g/v1beta1", 8);
    let proposed = with_removal(text, "g/v1beta1");
    assert!(proposed.contains("v1beta1 = { removed = \"X+6\" }"), "{proposed}");
    // Its code is dropped only after the whole version is removed.
    let proposed = with_removal(
        &text.replace(
            "[group.g.kind.Widget]",
            "v1 = { introduced = \"X\" }\n[group.g.kind.Widget]",
        ),
        "g/v1beta1",
    );
    assert!(
        proposed.contains("removed = \"X+8\", migrated = \"X+8\", dropped = \"X+9\""),
        "{proposed}"
    );
}

/// The gadget can be announced only after its deprecation is withdrawn, when that of the widget is late.
#[test]
fn a_version_of_which_one_kind_may_be_deprecated_only_late_is_refused_for_that() {
    let (world, text) = symbolic(
        r#"
[group.g.version]
v1beta1 = { introduced = "X+3" }
[group.g.kind.Widget]
[group.g.kind.Gadget]
version.v1beta1 = { introduced = "X+3", deprecated = "X+4", undeprecated = "X+6" }
"#,
    );
    assert_eq!(proposed(&world, &text, "g/v1beta1"), Ok((false, Some(Release(10)))));
}

/// With the widget, the gadget could be deprecated two releases before it is planned to be.
#[test]
fn kinds_are_not_announced_together_to_end_before_they_are_planned_to() {
    let text = r#"
[group.g.version]
v1beta1 = { introduced = "X+2" }
[group.g.kind.Widget]
[group.g.kind.Gadget]
version.v1beta1 = { introduced = "X+4" }
"#;
    assert_first_in(text, "g/v1beta1", 10);
}

/// The kind enters when the deprecation of the version is withdrawn, and takes the next one all the same.
#[test]
fn a_kind_that_enters_after_a_deprecation_is_announced_by_itself_when_judged() {
    let text = r#"
[group.g.version]
v2alpha1 = { introduced = "X+3" }
v1beta1 = { introduced = "X+3", deprecated = "X+3", undeprecated = "X+4" }
[group.g.kind.K]
version.v1beta1 = { introduced = "X+4" }
"#;
    assert_first_in(text, "g/v1beta1", 10);
}

/// Only the widget keeps the version; the field of the gadget would lack a counterpart for longer.
#[test]
fn a_kind_ends_before_its_version_where_it_would_lack_a_counterpart() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X+3" }
v1beta1 = { introduced = "X+3" }
[group.g.kind.Widget]
subresource.status.in = { v1alpha1 = { introduced = "X+6" }, v1beta1 = {} }
[group.g.kind.Gadget]
version.v1beta1 = { introduced = "X+4" }
field.day.in = { v1alpha1 = {}, v1beta1 = { introduced = "X+5" } }
"#;
    assert_first_in(text, "g/v1alpha1", 7);
    let proposed = with_removal(text, "g/v1alpha1");
    assert!(
        proposed.contains("version.v1alpha1 = { removed = \"X+4\" }"),
        "{proposed}"
    );
}
