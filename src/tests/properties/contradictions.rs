//! Examples of contradictions, and of what only looks like one.

use lifecycle::diagnostic::{Diagnostic, Severity};

use crate::tests::support::{evaluate, evaluate_under};

use super::{BETA_AND_GA, CALENDAR, codes, end_of, example, example_under, excluded};

const SHUT: &str = "
name = \"shut\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { after-deprecation = { months = 12, releases = 4 }, remove-within = { months = 9, releases = 3 } }
";

#[test]
fn a_window_that_closes_before_it_opens_is_a_contradiction_of_both() {
    let evaluation = example_under(SHUT, BETA_AND_GA);
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(
        rings[0].contains(&"early") && rings[0].contains(&"overdue"),
        "{rings:?}"
    );
    let findings = evaluation.findings().iter();
    let reported: Vec<&Diagnostic> = findings.filter(|finding| finding.rule == "contradiction").collect();
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].severity, Severity::Error);
    assert_eq!(reported[0].because.len(), rings[0].len());
}

#[test]
fn a_deadline_before_the_successor_that_it_waits_for_is_a_contradiction_of_both() {
    let policy = "
name = \"waiting\"
extends = \"kubernetes\"
[rule.version-replacement]
until-replacement-released = true
";
    let rings = excluded(&example_under(policy, BETA_AND_GA));
    assert_eq!(rings, [["before-replacement", "not-deprecated-in-time"]]);
}

/// What no plan can meet stays where its lower bounds alone put it: no made-up release is reported.
#[test]
fn what_contradicts_itself_stays_where_its_lower_bounds_put_it() {
    let evaluation = example_under(SHUT, BETA_AND_GA);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1"), [Some(3), Some(7)]);
}

/// The removal waits for the overlap with a successor that comes when it is due; the deprecation keeps its deadline.
#[test]
fn a_beta_is_removed_late_for_an_overlap_and_still_deprecated_in_time() {
    let successor = |release: &str| {
        let text = format!(
            "[group.\"example.com\"]\nversion.v1beta1 = {{ introduced = \"X\" }}\nversion.v1 = {{ introduced = \"{release}\" }}\n"
        );
        let evaluation = example(&text);
        let late = codes(&evaluation)
            .into_iter()
            .filter(|(_, code)| code == "overdue")
            .count();
        (end_of(&evaluation, "example.com/v1beta1"), late)
    };
    assert_eq!(successor("X+5"), ([Some(3), Some(6)], 0));
    assert_eq!(successor("X+6"), ([Some(3), Some(7)], 1));
    assert_eq!(successor("X+7"), ([Some(3), Some(8)], 1));
    assert_eq!(successor("X+20"), ([Some(3), Some(21)], 1));
}

/// The preferred version keeps v1beta1 until X+5, in which a version of its kind begins: then storage keeps it too.
#[test]
fn what_waits_for_one_move_waits_for_the_move_that_begins_then() {
    let text = format!(
        "policy = \"kubernetes-2019\"\n{CALENDAR}{}",
        "
[group.\"example.com\".version]
v2alpha1 = { introduced = \"X+4\" }
v2beta2 = { introduced = \"X+1\", deprecated = \"X+1\" }
v2 = { introduced = \"X+4\" }
[group.\"example.com\".kind.Gadget]
versions = [\"v2alpha1\", \"v2beta2\"]
version.v2alpha1 = { introduced = \"X+5\" }
"
    );
    let evaluation = evaluate(&text).expect("it can be read");
    assert_eq!(end_of(&evaluation, "example.com/v2beta2 Gadget"), [Some(1), Some(6)]);
}

/// Both are reported as contradictions, and not as something else besides.
#[test]
fn a_contradiction_is_not_reported_as_overdue_too() {
    let policy = "
name = \"none\"
extends = \"kubernetes\"
[rule.version-lifetime.beta]
deprecate-within = { releases = 0 }
after-deprecation = { releases = 9 }
remove-within = { releases = 0 }
";
    let beta = "version.v1beta1 = { introduced = \"X\" }";
    let text = format!("[group.\"example.com\"]\n{beta}\n[group.\"example.org\"]\n{beta}\n");
    let evaluation = example_under(policy, &text);
    let late = codes(&evaluation).into_iter().filter(|(_, code)| code == "overdue");
    assert_eq!(late.count(), 0, "{:?} {:?}", codes(&evaluation), excluded(&evaluation));
}

#[test]
fn a_contradiction_leaves_the_plan_of_others_alone() {
    let policy = format!(
        "{SHUT}{}",
        "ga = { remove = \"any\", after-deprecation = { releases = 1 }, remove-within = { releases = 1 } }\n"
    );
    let moved = "
[group.\"example.org\"]
version.v1 = { introduced = \"X\" }
version.v2 = { introduced = \"X+1\" }
preferred = { v1 = \"X\", v2 = \"X+9\" }
";
    let alone = example_under(&policy, moved);
    assert_eq!(end_of(&alone, "example.org/v1"), [Some(8), Some(9)]);
    assert_eq!(excluded(&alone).len(), 0);
    let beside = example_under(&policy, &format!("{BETA_AND_GA}{moved}"));
    assert_eq!(end_of(&beside, "example.org/v1"), [Some(8), Some(9)]);
    assert_eq!(excluded(&beside).len(), 1);
}

#[test]
fn each_of_two_contradictions_is_reported() {
    let other = BETA_AND_GA.replace("example.com", "example.org");
    let evaluation = example_under(SHUT, &format!("{BETA_AND_GA}{other}"));
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 2, "{rings:?}");
}

/// Between the deprecation of a beta version and its latest removal there is little room.
const NARROW: &str = "
name = \"narrow\"
extends = \"kubernetes\"
[rule.version-lifetime.beta]
deprecate-within = false
after-deprecation = { releases = 2 }
remove-within = { months = 4 }
";

/// The ring alone could be met before the successor comes, where three releases fit into the months.
#[test]
fn a_contradiction_cites_what_leaves_no_earlier_way_out() {
    let text = "
[calendar]
cadence = { months = 6 }
[calendar.releases]
\"1.8\" = 2019-12-01
\"1.9\" = 2019-12-01
\"1.10\" = 2019-12-01
\"1.11\" = 2019-12-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
v1 = { introduced = \"1.11\" }
";
    let evaluation = evaluate_under(NARROW, text).expect("it can be read");
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(rings[0].contains(&"planned"), "{rings:?}");
}

/// The removal fits between the deprecation and its deadline, but for the overlap with v1.
#[test]
fn a_contradiction_cites_the_wait_of_a_removal() {
    let text = "
[calendar]
cadence = { months = 6 }
[calendar.releases]
\"1.8\" = 2019-12-01
\"1.9\" = 2019-12-01
\"1.10\" = 2019-12-01
\"1.11\" = 2019-12-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
v1beta2 = { introduced = \"1.8\", deprecated = \"1.8\", removed = \"1.9\" }
v1 = { introduced = \"1.12\" }
";
    let evaluation = evaluate_under(NARROW, text).expect("it can be read");
    let rings = excluded(&evaluation);
    assert_eq!(rings.len(), 1, "{rings:?}");
    assert!(rings[0].contains(&"no-overlap"), "{rings:?}");
}

/// The deadline keeps the deprecation from being planned so late that the removal would be in time.
#[test]
fn a_contradiction_cites_the_deadline_that_holds_what_a_bound_counts_from() {
    let policy = "
name = \"long\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { deprecate-within = { releases = 2 }, after-deprecation = { months = 10 }, remove-within = { releases = 1 } }
";
    let text = "
[calendar]
cadence = { months = 12 }
[calendar.releases]
\"1.8\" = 2020-01-01
\"1.9\" = 2020-04-01
\"1.10\" = 2020-07-01
\"1.11\" = 2020-10-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
";
    let rings = excluded(&evaluate_under(policy, text).expect("it can be read"));
    assert_eq!(rings, [["planned", "early", "not-deprecated-in-time", "overdue"]]);
    // Without the deadline, it is deprecated where the releases are a year apart.
    let free = policy.replace("{ releases = 2 }", "false");
    let named = text.replace("v1beta1 = {", "v1 = { introduced = \"1.8\" }\nv1beta1 = {");
    assert_eq!(
        excluded(&evaluate_under(&free, &named).expect("it can be read")),
        Vec::<Vec<&str>>::new()
    );
}

/// "The calendar has no date there": nobody can tell yet whether a release comes within a month.
#[test]
fn a_bound_past_the_last_date_contradicts_nothing() {
    let policy = "
name = \"soon\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { deprecate-within = false, after-deprecation = { releases = 1 }, remove-within = { months = 1 } }
";
    let text = "
[calendar]
current = \"1.9\"
[calendar.releases]
\"1.8\" = 2019-12-01
\"1.9\" = 2020-02-01
[group.\"example.com\".version]
v1beta1 = { introduced = \"1.8\" }
v1beta2 = { introduced = \"1.8\" }
";
    let evaluation = evaluate_under(policy, text).expect("it can be read");
    assert_eq!(excluded(&evaluation), Vec::<Vec<&str>>::new());
    assert_eq!(end_of(&evaluation, "example.com/v1beta1"), [Some(2), Some(3)]);
}

/// `v1` stays for its kind, so the group moves from it too, and `v1beta1` needs not stay.
#[test]
fn a_version_that_stays_for_a_kind_is_what_its_group_moves_from() {
    let policy = "
name = \"short\"
extends = \"kubernetes\"
[rule.version-lifetime]
ga = { remove = \"any\", after-deprecation = { releases = 2 } }
beta = { deprecate-within = false, after-deprecation = { releases = 1 }, remove-within = { releases = 1 } }
";
    let text = "
[group.\"example.com\".version]
v1alpha1 = { introduced = \"X+3\" }
v1beta1 = { introduced = \"X+2\" }
v1 = { introduced = \"X\", deprecated = \"X\" }
v2alpha1 = { introduced = \"X+3\" }
[group.\"example.com\".kind.Gadget]
versions = [\"v1alpha1\", \"v1beta1\", \"v1\"]
";
    let evaluation = example_under(policy, text);
    assert_eq!(end_of(&evaluation, "example.com/v1 Gadget"), [Some(0), Some(4)]);
    assert_eq!(end_of(&evaluation, "example.com/v1beta1 Gadget"), [Some(2), Some(3)]);
}

/// A lower alpha that comes after a higher one.
#[test]
fn nothing_is_planned_to_go_where_it_comes() {
    let evaluation = example(
        "
[group.\"example.com\".version]
v1alpha2 = { introduced = \"X\" }
v1alpha1 = { introduced = \"X+2\" }
[cli.tool]
audience = \"user\"
[cli.tool.flag.\"--alpha-flag\"]
introduced = \"X+2\"
deprecated = \"X+2\"
warning = \"it goes\"
",
    );
    assert_eq!(end_of(&evaluation, "example.com/v1alpha1")[1], Some(3));
    assert_eq!(end_of(&evaluation, "cli tool --alpha-flag"), [Some(2), Some(3)]);
}
