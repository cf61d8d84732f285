//! Parts with several lives, and those that are back with what they are part of.

use lifecycle::model::{Event, EventKind};
use lifecycle::report::Moment;

use crate::tests::worlds::{evaluated_text, load_supposing};

use super::{answered, assert_first_in, symbolic, with_removal};

#[test]
fn a_part_is_removed_in_the_life_that_its_version_sees() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X+3\" }
[group.\"g.example\".kind.Widget]
field.\"spec.size\" = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
";
    let id = "g.example/v1alpha1 Widget .spec.size";
    assert_eq!(answered(text, id, 4), Some((true, "X+4".to_owned())));
    let proposed = with_removal(text, id);
    let own = "in.v1alpha1 = { lives = [{}, { removed = \"X+4\" }] }";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn a_life_before_all_versions_stays_none_where_one_of_them_is_removed() {
    let text = "
[group.\"g.example\".version]
v1alpha1 = { introduced = \"X+5\" }
v2alpha1 = { introduced = \"X+5\" }
[group.\"g.example\".kind.Widget]
enum.\"spec.day\".Tuesday = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+6\" }] }
";
    let (allowed, soonest) = answered(text, "g.example/v2alpha1", 6).expect("it can be judged");
    assert!(allowed, "{soonest}");
    assert_eq!(soonest, "X+6");
    let proposed = with_removal(text, "g.example/v2alpha1");
    assert!(proposed.contains("removed = \"X+6\""), "{proposed}");
}

#[test]
fn a_part_is_back_with_what_it_is_part_of() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+3\" }, { introduced = \"X+5\" }] }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { introduced = \"X+1\" }
enum.\"spec.day\".Tuesday.in.v1beta1 = { introduced = \"X+2\" }
enum.\"spec.day\".Friday = { introduced = \"X+5\", removed = \"X+11\" }
subresource.status = { introduced = \"X+5\" }
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
warning = \"w\"
lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+3\" }, { introduced = \"X+5\" }]
[cli.tool.command.run.flag]
\"--all\" = { introduced = \"X+1\", deprecated = \"X+2\", warning = \"w\" }
\"--gone\" = { introduced = \"X+1\", deprecated = \"X+2\", removed = \"X+3\", warning = \"w\" }
\"--between\" = { introduced = \"X+1\", removed = \"X+4\", warning = \"w\" }
\"--twice\" = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }], warning = \"w\" }
";
    let (world, declared) = symbolic(text);
    let evaluation = evaluated_text(&world, &declared);
    let (model, reasoning) = (evaluation.model(), evaluation.reasoning());
    let release = |event| reasoning.release(event).map(|release| model.calendar.name(release));
    for (id, lives) in [
        (
            "g.example/v1beta1 Widget .spec.day",
            [("X+1", "X+3"), ("X+5", "X+11")].as_slice(),
        ),
        (
            "g.example/v1beta1 Widget .spec.day=Tuesday",
            &[("X+2", "X+3"), ("X+5", "X+11")],
        ),
        ("g.example/v1beta1 Widget .spec.day=Friday", &[("X+5", "X+11")]),
        ("g.example/v1beta1 Widget/status", &[("X+5", "X+11")]),
        ("cli tool run --all", &[("X+1", "X+3"), ("X+5", "")]),
        ("cli tool run --gone", &[("X+1", "X+3")]),
        ("cli tool run --between", &[("X+1", "X+3")]),
        ("cli tool run --twice", &[("X", "X+1"), ("X+2", "X+3"), ("X+5", "")]),
    ] {
        let element = model.find(id).expect("it is an element");
        let events = |life| [EventKind::Introduced, EventKind::Removed].map(|what| Event::new(element, life, what));
        let found = (0..model.lives(element)).map(|life| events(life).map(|event| release(event).unwrap_or_default()));
        let expected = lives.iter().map(|(begin, end)| [*begin, *end].map(str::to_owned));
        assert!(found.clone().eq(expected), "{id}: {:?}", found.collect::<Vec<_>>());
    }
    // It is not deprecated any more, and announced again in the same entry.
    assert_first_in(text, "cli tool run --all", 8);
    let proposed = with_removal(text, "cli tool run --all");
    assert!(proposed.contains("deprecated = [\"X+2\", \"X+5\"]"), "{proposed}");
}

#[test]
fn each_life_of_a_part_is_in_the_life_of_its_version_in_which_it_ends() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+7\", removed = \"X+8\" }] }
v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { lives = [{ introduced = \"X+1\", removed = \"X+7\" }, { introduced = \"X+7\" }] }
";
    assert_eq!(
        answered(text, "g.example/v1alpha1 Widget", 4),
        Some((true, "X+4".to_owned()))
    );
    with_removal(text, "g.example/v1alpha1 Widget");
}

#[test]
fn a_part_that_shares_the_lives_of_its_version_is_removed_in_the_one_that_its_entry_lists() {
    let text = "
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X+2\", deprecated = \"X+2\", removed = \"X+3\" }, { introduced = \"X+3\", deprecated = \"X+3\" }] }
v1 = { introduced = \"X\" }
[group.\"g.example\".kind.Gadget]
subresource.status = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+1\" }] }
";
    let proposed = with_removal(text, "g.example/v1beta1 Gadget/status");
    let own = "in.v1beta1 = { lives = [{}, { removed = \"X+6\" }] }";
    assert!(proposed.contains(own), "{proposed}");
}

#[test]
fn a_counterpart_is_not_awaited_in_a_life_that_never_begins() {
    let text = "
[group.\"g.example\".version]
v2alpha1 = { introduced = \"X+3\" }
v1alpha1 = { introduced = \"X+4\" }
[group.\"g.example\".kind.Gadget]
enum.\"spec.day\".Tuesday = { lives = [{ introduced = \"X+3\", removed = \"X+5\" }, { introduced = \"X+5\" }] }
";
    let id = "g.example/v2alpha1 Gadget .spec.day=Tuesday";
    assert_eq!(answered(text, id, 6), Some((true, "X+6".to_owned())));
    with_removal(text, id);
}

#[test]
fn a_value_stays_in_the_life_of_its_version_in_which_it_is_removed() {
    let text = "
policy = \"kubernetes-2019\"
[group.\"g.example\".version]
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+4\" }, { introduced = \"X+4\" }] }
[group.\"g.example\".kind.Widget]
field.\"spec.day\" = { introduced = \"X\" }
enum.\"spec.day\".Tuesday = { introduced = \"X\", removed = \"X+5\" }
";
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let value = "g.example/v1beta1 Widget .spec.day=Tuesday";
    let mut about = evaluation
        .findings()
        .iter()
        .filter(|finding| finding.element.as_deref() == Some(value));
    assert!(about.any(|finding| finding.code == "removed-early"), "{text}");
}

/// The command is not there in X+3 and X+4; another one ends and begins in X+3.
#[test]
fn a_part_that_is_back_is_deprecated_as_its_entry_says_of_that_time() {
    let text = r#"
[cli.tool]
audience = "user"
[cli.tool.command.run]
warning = "w"
lives = [{ introduced = "X", deprecated = "X", removed = "X+3" }, { introduced = "X+5" }]
[cli.tool.command.run.flag]
"--first" = { deprecated = "X+1", warning = "w" }
"--until" = { deprecated = "X+2", undeprecated = "X+6", warning = "w" }
"--between" = { deprecated = "X+3", undeprecated = "X+4", warning = "w" }
"--away" = { deprecated = "X+3", warning = "w" }
"--twice" = { lives = [{ introduced = "X" }, { introduced = "X+6" }], warning = "w" }
[cli.tool.command.stop]
warning = "w"
lives = [{ introduced = "X", deprecated = "X", removed = "X+3" }, { introduced = "X+3" }]
[cli.tool.command.stop.flag]
"--all" = { introduced = "X+1", deprecated = "X+2", warning = "w" }
"#;
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let model = evaluation.model();
    let releases = |id: &str, what: EventKind| {
        let element = model.find(id).expect("it is an element");
        let events = (0..model.lives(element)).map(|life| Event::new(element, life, what));
        let declared = events.map(|event| model.repeated(event).map(|declared| declared.release.0).collect());
        declared.collect::<Vec<Vec<u32>>>()
    };
    for (flag, deprecated, undeprecated) in [
        ("run --first", vec![vec![1], vec![]], vec![vec![], vec![]]),
        ("run --until", vec![vec![2], vec![5]], vec![vec![], vec![6]]),
        ("run --between", vec![vec![], vec![]], vec![vec![], vec![]]),
        ("run --away", vec![vec![], vec![5]], vec![vec![], vec![]]),
        ("run --twice", vec![vec![], vec![]], vec![vec![], vec![]]),
        ("stop --all", vec![vec![2]], vec![vec![]]),
    ] {
        let id = format!("cli tool {flag}");
        assert_eq!(releases(&id, EventKind::Deprecated), deprecated, "{id}");
        assert_eq!(releases(&id, EventKind::Undeprecated), undeprecated, "{id}");
    }
}

/// The releases of its flags are written as the entry has them, not as they count in a life of the command.
#[test]
fn a_part_that_is_back_is_announced_beside_what_its_entry_says() {
    for (own, proposed) in [
        (
            "deprecated = \"X+1\"",
            "deprecated = [\"X+1\", \"X+5\"], removed = \"X+8\"",
        ),
        (
            "deprecated = \"X+1\", undeprecated = \"X+4\"",
            "deprecated = [\"X+1\", \"X+5\"], undeprecated = \"X+4\", removed = \"X+8\"",
        ),
    ] {
        let text = format!(
            "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
warning = \"w\"
lives = [{{ introduced = \"X+1\", removed = \"X+3\" }}, {{ introduced = \"X+5\" }}]
[cli.tool.command.run.flag]
\"--old\" = {{ stage = \"GA\", warning = \"w\", introduced = \"X\", {own} }}
"
        );
        let written = with_removal(&text, "cli tool run --old");
        assert!(written.contains(proposed), "{written}");
    }
}

/// An alpha that ends before the second life is not listed beside the version that gets an entry of its own.
#[test]
fn one_life_of_a_part_is_declared_in_one_version() {
    let text = r#"
[group.g.version]
v1alpha1 = { introduced = "X+3" }
v1beta1 = { introduced = "X+4" }
[group.g.kind.K]
version.v1alpha1 = { introduced = "X+4", deprecated = "X+4" }
field.size = { lives = [{ introduced = "X+3", deprecated = "X+3", removed = "X+4" }, { introduced = "X+5" }] }
"#;
    let written = with_removal(text, "g/v1beta1 K .size");
    assert!(
        written.contains("in.v1beta1 = { lives = [{}, { removed = \"X+10\" }] }"),
        "{written}"
    );
}

#[test]
fn what_is_declared_before_the_first_life_of_the_owner_is_an_error() {
    for lives in [
        "[{ introduced = \"X+1\" }]",
        "[{ introduced = \"X+1\", removed = \"X+2\" }, { introduced = \"X+2\" }]",
    ] {
        let (world, text) = symbolic(&format!(
            "
[cli.tool]
audience = \"user\"
[cli.tool.command.run]
warning = \"w\"
lives = {lives}
[cli.tool.command.run.flag]
\"--old\" = {{ warning = \"w\", introduced = \"X\", deprecated = \"X\" }}
"
        ));
        let errors = load_supposing(&world, &text, None, &[]).expect_err("it is in no order");
        assert_eq!(errors[0].code, "order", "{errors:?}");
    }
}

/// The value is there again with the version, and is deprecated only then.
#[test]
fn a_version_that_is_back_stays_for_what_is_declared_of_a_part_by_then() {
    let text = r#"
[group.g.version]
v1alpha1 = { lives = [{ introduced = "X+1", removed = "X+2" }, { introduced = "X+3" }] }
[group.g.kind.K]
enum.day.Tuesday = { introduced = "X+1", deprecated = "X+5" }
"#;
    assert_first_in(text, "g/v1alpha1 K", 6);
    assert!(with_removal(text, "g/v1alpha1").contains("removed = \"X+6\""));
}

/// In the version that is away then, the deprecation counts from a later release.
#[test]
fn a_version_is_not_kept_for_what_counts_later_in_another_one() {
    let text = r#"
[group.g.version]
v1beta1 = { lives = [{ introduced = "X+1", removed = "X+4" }, { introduced = "X+6" }], replacement = "v1beta2" }
v1beta2 = { introduced = "X+1" }
[group.g.kind.K]
enum.day.Tuesday = { introduced = "X+2", deprecated = "X+4" }
"#;
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let kept = evaluation.model().find("g/v1beta2 K").expect("it is there");
    let removed = evaluation.model().last_event(kept, EventKind::Removed);
    let release = evaluation.reasoning().release(removed);
    assert_eq!(release.map(|release| release.0), Some(7));
}

/// The list ends where the next key begins.
#[test]
fn a_release_becomes_a_list_where_a_key_follows_on_a_line_of_its_own() {
    let text = r#"
[cli.tool]
audience = "user"
[cli.tool.command.run]
warning = "w"
lives = [{ introduced = "X", removed = "X+3" }, { introduced = "X+5" }]
[cli.tool.command.run.flag."--f"]
warning = "w"
deprecated = "X+1"
"#;
    let written = with_removal(text, "cli tool run --f");
    assert!(
        written.contains("deprecated = [\"X+1\", \"X+5\"]\nremoved = \"X+8\""),
        "{written}"
    );
}

/// The field of the beta that stays lacks a counterpart in the alpha first, and in the other beta, too.
#[test]
fn a_gap_that_was_named_with_another_one_is_not_new_without_that() {
    let text = "
[group.g.version]
v2alpha1 = { introduced = \"X\" }
v1beta1 = { introduced = \"X+1\" }
v1beta2 = { introduced = \"X\" }
[group.g.kind.Widget]
field.size = { in = { v2alpha1 = { removed = \"X+4\" }, v1beta1 = {}, v1beta2 = { removed = \"X+5\" } } }
";
    assert_eq!(answered(text, "g/v2alpha1", 4), Some((true, "X+4".to_owned())));
}

/// By life of the version: its introduction, its deprecation, its removal.
fn lives_of(text: &str, id: &str) -> Vec<[Option<String>; 3]> {
    let (world, text) = symbolic(text);
    let evaluation = evaluated_text(&world, &text);
    let reports = evaluation.elements();
    let report = reports.iter().find(|report| report.id == id).expect("it has a plan");
    let earlier = report.earlier_lives.iter();
    let earlier = earlier.map(|life| [life.introduced, life.deprecated, life.removed]);
    let all = earlier.chain([[report.introduced, report.deprecated, report.removed]]);
    let name = |moment: Option<Moment<'_>>| moment.map(|moment| moment.release.to_owned());
    all.map(|life| life.map(name)).collect()
}

/// The gadget has left and is back while the version stays; it was not deprecated before.
#[test]
fn a_version_lives_as_long_as_one_of_its_kinds() {
    let life = |all: [&str; 3]| all.map(|name| Some(name.to_owned()).filter(|name| !name.is_empty()));
    let kinds = "[group.g.kind.Widget]\nversion.v1beta1 = { deprecated = \"X+2\", removed = \"X+8\" }\n\
                 [group.g.kind.Gadget]\nversion.v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, \
                 { introduced = \"X+2\", deprecated = \"X+3\", removed = \"X+7\" }] }\n";
    let one = format!("\n[group.g.version]\nv1beta1 = {{ introduced = \"X\" }}\n{kinds}");
    assert_eq!(lives_of(&one, "g/v1beta1"), [life(["X", "X+3", "X+8"])]);
    let two = "\n[group.g.version]\nv1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X+1\", removed = \"X+2\" }, \
               { introduced = \"X+4\" }] }\n[group.g.kind.Widget]\n[group.g.kind.Gadget]\n";
    let [first, second] = lives_of(two, "g/v1beta1").try_into().expect("two lives");
    assert_eq!(first, life(["X", "X+1", "X+2"]));
    assert_eq!(second[0], Some("X+4".to_owned()));
}

/// A part that declares nothing has the lives that users see, as one that declares its end.
#[test]
fn lives_that_follow_each_other_at_once_are_one_life_of_a_part() {
    let text = "
[group.g.version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+1\" }, { introduced = \"X+1\", deprecated = \"X+1\", removed = \"X+2\" }, { introduced = \"X+3\" }] }
[group.g.kind.Widget]
field.size = {}
";
    let ended = text.replace("field.size = {}", "field.size = { removed = \"X+20\" }");
    let id = "g/v1beta1 Widget .size";
    let begins = |lives: Vec<[Option<String>; 3]>| lives.into_iter().map(|[begin, ..]| begin).collect::<Vec<_>>();
    let [first, last] = ["X", "X+3"].map(|name| Some(name.to_owned()));
    assert_eq!(begins(lives_of(text, id)), [first.clone(), last.clone()]);
    assert_eq!(begins(lives_of(&ended, id)), [first, last]);
}

/// A life that does not say when it begins is the next one of what it is part of.
#[test]
fn lives_of_a_part_without_releases_are_those_of_its_version() {
    let text = "
[gate.G]
specs = [{ stage = \"alpha\", since = \"X+3\", default = false }]
[group.g.version]
v1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+3\" }, { introduced = \"X+4\" }] }
[group.g.kind.Widget.field.size]
in.v1beta1 = { lives = [{}, { removed = \"X+20\" }] }
";
    let gated = text.replace("removed = \"X+20\"", "gated-by = \"G\"");
    for text in [text, &gated] {
        let lives = lives_of(text, "g/v1beta1 Widget .size").into_iter();
        let begins: Vec<Option<String>> = lives.map(|[begin, ..]| begin).collect();
        assert_eq!(begins, [Some("X".to_owned()), Some("X+4".to_owned())], "{text}");
    }
}

/// The last kind ends when another one begins: also where that one was there before, and whatever their names are.
#[test]
fn a_kind_that_takes_over_continues_the_life_of_its_version() {
    let version = "\n[group.g.version]\nv1beta1 = { introduced = \"X\" }\n";
    let widget = "[group.g.kind.Widget]\nversion.v1beta1 = { removed = \"X+3\" }\n";
    for gadget in [
        "{ introduced = \"X+3\" }",
        "{ lives = [{ removed = \"X+1\" }, { introduced = \"X+3\" }] }",
    ] {
        let text = format!("{version}{widget}[group.g.kind.Gadget]\nversion.v1beta1 = {gadget}\n");
        let lives = lives_of(&text, "g/v1beta1");
        assert_eq!(lives.len(), 1, "{text}");
        assert_eq!(lives[0][0].as_deref(), Some("X"));
    }
    let again = "\n[group.g.version]\nv1beta1 = { lives = [{ introduced = \"X\", deprecated = \"X\", removed = \"X+2\" }, \
                 { introduced = \"X+2\" }] }\n[group.g.kind.Widget]\n";
    for name in ["Apple", "Zebra"] {
        let text = format!("{again}[group.g.kind.{name}]\nversion.v1beta1 = {{ introduced = \"X+2\" }}\n");
        assert_eq!(lives_of(&text, "g/v1beta1").len(), 1, "{name}");
    }
    assert_eq!(lives_of(again, "g/v1beta1").len(), 2);
}
