//! Pairs of small models, before and after: what of the second is new, and what the fixes of others come to.

#![cfg(test)]

use lifecycle::evaluate::{Evaluation, fix};

use crate::support::{evaluate, evaluate_under, new_since};

/// Ten releases, of which 1.0 to 1.3 have shipped.
const CALENDAR: &str = concat!("\n", calendar!(current "1.3", to "1.9"));

fn model(text: &str) -> String {
    format!("{CALENDAR}{text}")
}

/// What is new in a model since another one: severity, rule, code, element.
#[track_caller]
fn news(before: &str, after: &str) -> Vec<String> {
    new_since(&model(before), &model(after))
}

#[track_caller]
fn fixed(text: &str) -> (String, Evaluation) {
    let texts = vec![model(text)];
    let fixed = fix(texts, |texts| evaluate(&texts[0])).expect("it can be read");
    let text = fixed.texts[0].strip_prefix(CALENDAR).expect("the calendar stays");
    (text.to_owned(), fixed.evaluation)
}

#[test]
fn a_promotion_that_has_not_shipped_may_be_withdrawn() {
    let gate =
        |more: &str| format!("[gate.G]\nspecs = [{{ stage = \"alpha\", since = \"1.0\", default = false }}{more}]\n");
    let metric = |more: &str| format!("[metric.m]\nspecs = [{{ stage = \"ALPHA\", since = \"1.0\" }}{more}]\n");
    let before = gate(", { stage = \"beta\", since = \"1.5\", default = true }")
        + &metric(", { stage = \"BETA\", since = \"1.5\" }");
    let after = gate("") + &metric("");
    assert_eq!(
        news(&before, &after),
        ["note history withdrawn gate G", "note history withdrawn metric m"]
    );
}

#[test]
fn what_shipped_without_a_gate_is_not_taken_away_behind_one() {
    let field = |said: &str| {
        format!(
            "[group.\"g.e\".version]\nv1 = {{ introduced = \"1.0\" }}\n[group.\"g.e\".kind.Foo]\nfield.\"spec.a\" = {{ in = \
             {{ v1 = {{ introduced = \"1.2\"{said} }} }} }}\n"
        )
    };
    let gate = "[gate.G]\nspecs = [{ stage = \"alpha\", since = \"1.4\", default = false }]\n";
    let after = field(", gated-by = \"G\", removed = \"1.5\", tombstone = true") + gate;
    let found = news(&field(""), &after);
    assert!(
        found.contains(&"error history rewritten g.e/v1 Foo .spec.a".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"warning element-removal removed-early g.e/v1 Foo .spec.a".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_deprecation_may_be_taken_back_with_its_replacement() {
    let flag =
        |said: &str| format!("[cli.ctl]\naudience = \"user\"\nflag.\"--a\" = {{ introduced = \"1.0\", {said} }}\n");
    let before = flag("deprecated = \"1.2\", warning = \"w\", replacement = \"--b\"")
        + "flag.\"--b\" = { introduced = \"1.0\" }\n";
    let after = flag("deprecated = \"1.2\", undeprecated = \"1.4\"") + "flag.\"--b\" = { introduced = \"1.0\" }\n";
    assert_eq!(news(&before, &after), ["note history undeprecated cli ctl --a"]);
}

#[test]
fn a_replacement_may_move_between_a_version_and_its_kinds() {
    let version = |said: &str, of_kind: &str| {
        format!(
            "[group.\"g.e\".version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.2\"{said} }}\nv1 = {{ introduced = \
             \"1.2\" }}\n[group.\"g.e\".kind.Foo]\nversion = {{ v1beta1 = {{ {of_kind} }} }}\n"
        )
    };
    let (both, above, below) = (
        version(", replacement = \"v1\"", "replacement = \"v1\""),
        version(", replacement = \"v1\"", ""),
        version("", "replacement = \"v1\""),
    );
    for (before, after) in [(&both, &above), (&both, &below), (&above, &below)] {
        assert_eq!(news(before, after), [""; 0], "{after}");
    }
    let nowhere = version("", "");
    assert!(news(&above, &nowhere).contains(&"error history replacement-dropped g.e/v1beta1".to_owned()));
}

#[test]
fn a_new_declaration_of_a_kind_makes_no_old_finding_new() {
    let kinds = "[group.\"g.e\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.1\" \
                 }\n[group.\"g.e\".kind.Foo]\nstorage = { v1beta1 = \"1.0\", v1 = \"1.2\" }\n";
    let after = format!("{kinds}migrated = {{ v1beta1 = \"1.4\" }}\n");
    assert_eq!(news(kinds, &after), [""; 0]);
}

#[test]
fn what_can_never_be_is_worse_than_what_is_early() {
    let gated = |removed: &str| {
        format!(
            "[group.\"g.e\".version]\nv1 = {{ introduced = \"1.0\" }}\n[group.\"g.e\".kind.Foo]\nfield.\"spec.a\" = {{ in = {{ v1 \
             = {{ introduced = \"1.1\", gated-by = \"G\"{removed} }} }} }}\n[gate.G]\nspecs = [{{ stage = \"alpha\", since = \
             \"1.1\", default = false }}]\ndeprecated = \"1.3\"\nwarning = \"w\"\noperational = false\nremoved = \"1.5\"\n"
        )
    };
    let found = news(&gated(", removed = \"1.6\", tombstone = true"), &gated(""));
    assert!(
        found
            .iter()
            .any(|found| found.starts_with("error gate-lifetime still-named")),
        "{found:?}"
    );
}

#[test]
fn a_finding_about_another_life_is_another_finding() {
    let behavior = |first: &str, second: &str| {
        format!(
            "[behavior.b]\nlives = [{{ introduced = \"1.0\", deprecated = \"1.0\", removed = \"{first}\" }}, {{ introduced = \
             \"1.4\", deprecated = \"1.5\"{second} }}]\n"
        )
    };
    let found = news(&behavior("1.1", ""), &behavior("1.3", ", removed = \"1.7\""));
    assert!(
        found.contains(&"error behavior-lifetime early behavior b".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_release_added_between_shipped_ones_is_reported() {
    let text = "[behavior.b]\nintroduced = \"1.0\"\n";
    let after = model(text).replace("\"1.2\" = ", "\"1.1.5\" = 2023-06-01\n\"1.2\" = ");
    let after = after.replace("\"1.1.5\"", "\"1.15\"");
    assert!(evaluate(&after).is_err(), "releases are in the order of their numbers");
    let renumbered = |text: &str| text.replace("\"1.2\"", "\"1.20\"").replace("\"1.3\"", "\"1.30\"");
    let base = renumbered(&model(text)).replace("\"1.4\"", "\"1.40\"");
    let base = ["1.5", "1.6", "1.7", "1.8", "1.9"].iter().fold(base, |text, release| {
        text.replace(&format!("\"{release}\""), &format!("\"{release}0\""))
    });
    let after = base.replace("\"1.20\" = ", "\"1.19\" = 2023-06-01\n\"1.20\" = ");
    assert_eq!(new_since(&base, &after), ["error history rewritten -"]);
}

#[test]
fn moves_of_the_past_may_be_written_down_later() {
    let group = |moves: &str| {
        format!(
            "[group.\"g.e\"]\n{moves}[group.\"g.e\".version]\nv1beta1 = {{ introduced = \"1.0\", deprecated = \"1.1\" }}\nv1 = \
             {{ introduced = \"1.1\" }}\n"
        )
    };
    let found = news(&group(""), &group("preferred = { v1beta1 = \"1.0\", v1 = \"1.2\" }\n"));
    assert!(
        !found.is_empty()
            && found
                .iter()
                .all(|found| found.starts_with("warning history backfilled")),
        "{found:?}"
    );
}

#[test]
fn a_window_that_becomes_never_is_not_shortened() {
    let version = model("[group.\"g.e\".version]\nv1 = { introduced = \"1.0\" }\n");
    let before = evaluate_under("name = \"old\"\nextends = \"kubernetes-2021\"\n", &version).expect("it can be read");
    let mut after = evaluate(&version).expect("it can be read");
    after.compare_with("old", &before);
    let shortened = after
        .findings()
        .iter()
        .filter(|finding| finding.code == "window-shortened");
    let reported: Vec<&str> = shortened.map(|finding| finding.message.as_str()).collect();
    assert!(
        reported.iter().all(|message| !message.contains("of ga was")),
        "{reported:?}"
    );
}

#[test]
fn a_fix_takes_with_it_what_follows_from_it() {
    let before = r#"[group."g.e".version]
v1beta1 = { introduced = "1.0", deprecated = "1.3", removed = "1.5", replacement = "v1" }
v1 = { introduced = "1.2" }
[group."g.e".kind.Foo]
field."spec.a" = { in = { v1beta1 = { removed = "1.4", tombstone = true }, v1 = {} } }
[metric.m]
specs = [{ stage = "STABLE", since = "1.0" }]
deprecated = "1.4"
hidden = "1.6"
removed = "1.7"
"#;
    let (after, evaluation) = fixed(before);
    let expected = before
        .replace("removed = \"1.5\"", "removed = \"1.6\"")
        .replace("removed = \"1.4\"", "removed = \"1.6\"")
        .replace(
            "hidden = \"1.6\"\nremoved = \"1.7\"",
            "hidden = \"1.7\"\nremoved = \"1.8\"",
        );
    assert_eq!(after, expected);
    assert!(evaluation.findings().iter().all(|finding| finding.code != "early"));
}

#[test]
fn a_fix_may_leave_a_milder_finding() {
    let text = r#"[group."g.e"]
preferred = { v1beta1 = "1.2", v1 = "1.9" }
[group."g.e".version]
v1beta1 = { introduced = "1.2", deprecated = "1.4", removed = "1.7", replacement = "v1" }
v1 = { introduced = "1.3" }
"#;
    // It is overdue then, which is a warning.
    assert_eq!(fixed(text).0, text.replace("removed = \"1.7\"", "removed = \"1.9\""));
}

#[test]
fn a_less_strict_check_is_reported() {
    let version =
        "[group.\"g.e\".version]\nv1beta1 = { introduced = \"1.0\", deprecated = \"1.2\", removed = \"1.6\" }\n";
    let levels = format!("{version}[levels]\nversion-lifetime = {{ early = \"note\" }}\nhistory = \"off\"\n");
    assert_eq!(news(version, &levels), ["warning history loosened -"]);
    assert_eq!(news(&levels, version), [""; 0], "more strictness is nobody's loss");
    let text = model(version);
    let before = evaluate(&text).expect("it can be read");
    let policy = "name = \"own\"\nextends = \"kubernetes\"\n[rule.version-lifetime.severity]\nearly = \"off\"\n";
    let mut after = evaluate_under(policy, &text).expect("it can be read");
    after.compare_with("before", &before);
    let reported: Vec<&str> = after
        .findings()
        .iter()
        .filter(|finding| finding.code == "loosened")
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(
        reported,
        ["version-lifetime (#4a) is checked less strictly: `early` changed from error to off"]
    );
}
