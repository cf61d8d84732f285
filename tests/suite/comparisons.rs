//! `compare`: where two sources disagree, and why.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lifecycle::Sources;
use lifecycle::compare::{Claims, compare, of_product};
use lifecycle::evaluate::Listing;
use lifecycle::import::calendar::ReleaseDates;
use lifecycle::import::deprecation_lists::Tool;
use lifecycle::import::gates::FeatureGates;
use lifecycle::report::{ComparedFact, ComparisonReport, DisagreementReport, ReasonCode, ReasonReport};
use proptest::prelude::*;

use crate::program::{CALENDAR, MODEL, folder, run_in};
use crate::support::evaluate;

fn claims(name: &str, model: &str) -> Claims {
    let evaluation = evaluate(model).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}\n{model}"));
    let mut sources = Sources::new();
    sources.add(name, model);
    Claims::of_model(name, evaluation.model(), &sources)
}

/// A model with these kinds: group, version, kind, and its keys.
fn model(kinds: &[(&str, &str, &str, &str)]) -> String {
    let mut text = CALENDAR.to_owned();
    let versions: BTreeSet<_> = kinds.iter().map(|(group, version, ..)| (group, version)).collect();
    for (group, version) in versions {
        let _ = writeln!(text, "[group.\"{group}\".version.{version}]");
    }
    let mut lines: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for (group, version, kind, _) in kinds {
        lines.entry((group, kind)).or_default().push(version);
    }
    for ((group, kind), versions) in lines {
        let _ = writeln!(text, "[group.\"{group}\".kind.{kind}]\nversions = {versions:?}");
    }
    for (group, version, kind, said) in kinds {
        let _ = writeln!(text, "[group.\"{group}\".kind.{kind}.version.{version}]\n{said}");
    }
    text
}

/// A list of pluto's with these entries: version, kind, deprecated, removed, replacement.
fn list(entries: &[(&str, &str, &str, &str, &str)]) -> Claims {
    let mut text = "deprecated-versions:\n".to_owned();
    for (version, kind, deprecated, removed, replacement) in entries {
        let _ = writeln!(
            text,
            "- {{version: {version}, kind: {kind}, deprecated-in: \"{deprecated}\", removed-in: \"{removed}\", \
             replacement-api: \"{replacement}\"}}"
        );
    }
    let listed = Tool::Pluto.read(&text).expect("the list can be read");
    assert_eq!(listed.skipped, []);
    Claims::of_list("list.yaml", &listed.entries, true)
}

/// The code of a reason, as reports write it.
fn code(reason: &ReasonReport) -> String {
    let code = serde_json::to_value(reason.code).expect("codes can be serialized");
    code.as_str().expect("codes are strings").to_owned()
}

/// Each disagreement in a line: element, what, both sides, the code of the reason.
fn lines(report: &ComparisonReport) -> Vec<String> {
    let line = |difference: &DisagreementReport| {
        let says = |says: &Option<String>| says.clone().unwrap_or_else(|| "-".to_owned());
        let reason = difference.reason.as_ref().map_or_else(|| "-".to_owned(), code);
        let (here, there) = (says(&difference.here.says), says(&difference.there.says));
        format!("{}|{}|{here}|{there}|{reason}", difference.element, difference.what)
    };
    report.differences.iter().map(line).collect()
}

fn against(kinds: &[(&str, &str, &str, &str)], entries: &[(&str, &str, &str, &str, &str)]) -> Vec<String> {
    lines(&compare(&claims("model.toml", &model(kinds)), &list(entries)))
}

const OLD: &str = "introduced = \"1.0\"\ndeprecated = \"1.1\"\nremoved = \"1.4\"";

#[test]
fn a_patch_release_and_a_leading_v_are_no_difference() {
    let found = against(
        &[("a.b", "v1beta1", "Bolt", OLD)],
        &[("a.b/v1beta1", "Bolt", "v1.1.3", "1.4", "")],
    );
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_deprecation_dated_by_the_replacement_is_explained() {
    let old = "introduced = \"1.0\"\ndeprecated = \"1.1\"\nremoved = \"1.4\"\nreplacement = \"a.b/v1\"";
    let kinds = [
        ("a.b", "v1beta1", "Bolt", old),
        ("a.b", "v1", "Bolt", "introduced = \"1.3\""),
    ];
    let found = against(&kinds, &[("a.b/v1beta1", "Bolt", "1.3", "1.4", "a.b/v1")]);
    assert_eq!(found, ["a.b/v1beta1 Bolt|deprecated|1.1|1.3|replacement-available"]);
    // In another release it is not.
    let kinds = [
        ("a.b", "v1beta1", "Bolt", old),
        ("a.b", "v1", "Bolt", "introduced = \"1.0\""),
    ];
    let found = against(&kinds, &[("a.b/v1beta1", "Bolt", "1.3", "1.4", "a.b/v1")]);
    assert_eq!(found, ["a.b/v1beta1 Bolt|deprecated|1.1|1.3|-"]);
}

#[test]
fn a_deprecation_dated_by_a_version_that_nobody_names_is_explained() {
    let kinds = [
        ("a.b", "v1beta1", "Bolt", OLD),
        ("a.b", "v1", "Bolt", "introduced = \"1.3\""),
    ];
    let entries = [("a.b/v1beta1", "Bolt", "1.3", "1.4", "")];
    assert_eq!(
        against(&kinds, &entries),
        ["a.b/v1beta1 Bolt|deprecated|1.1|1.3|newer-version"]
    );
    // Not by a version of another kind.
    let kinds = [
        ("a.b", "v1beta1", "Bolt", OLD),
        ("a.b", "v1", "Nut", "introduced = \"1.3\""),
    ];
    assert_eq!(against(&kinds, &entries), ["a.b/v1beta1 Bolt|deprecated|1.1|1.3|-"]);
}

#[test]
fn the_release_of_other_kinds_of_the_version_is_explained() {
    let other = "introduced = \"1.0\"\ndeprecated = \"1.3\"\nremoved = \"1.4\"";
    let kinds = [("a.b", "v1beta1", "Bolt", OLD), ("a.b", "v1beta1", "Nut", other)];
    let entries = [
        ("a.b/v1beta1", "Bolt", "1.3", "1.4", ""),
        ("a.b/v1beta1", "Nut", "1.3", "1.4", ""),
    ];
    assert_eq!(
        against(&kinds, &entries),
        ["a.b/v1beta1 Bolt|deprecated|1.1|1.3|of-its-version"]
    );
    let kinds = [("a.b", "v1beta1", "Bolt", OLD), ("c.d", "v1beta1", "Nut", other)];
    let entries = [
        ("a.b/v1beta1", "Bolt", "1.3", "1.4", ""),
        ("c.d/v1beta1", "Nut", "1.3", "1.4", ""),
    ];
    assert_eq!(against(&kinds, &entries), ["a.b/v1beta1 Bolt|deprecated|1.1|1.3|-"]);
}

#[test]
fn the_release_of_the_kind_in_another_version_is_explained() {
    let newer = "introduced = \"1.1\"\ndeprecated = \"1.2\"\nremoved = \"1.6\"";
    let kinds = [("a.b", "v1beta1", "Bolt", OLD), ("a.b", "v1beta2", "Bolt", newer)];
    let entries = [
        ("a.b/v1beta1", "Bolt", "1.1", "1.6", ""),
        ("a.b/v1beta2", "Bolt", "1.2", "1.6", ""),
    ];
    assert_eq!(
        against(&kinds, &entries),
        ["a.b/v1beta1 Bolt|removed|1.4|1.6|of-another-version"]
    );
}

#[test]
fn dates_of_other_events_and_neighbouring_releases_are_explained() {
    let kinds = [("a.b", "v1beta1", "Bolt", OLD)];
    let cases = [
        ("1.4", "1.4", "deprecated|1.1|1.4|removal"),
        ("1.1", "1.1", "removed|1.4|1.1|deprecation"),
        ("1.0", "1.4", "deprecated|1.1|1.0|introduction"),
        ("1.2", "1.4", "deprecated|1.1|1.2|next-release"),
        ("1.1", "1.3", "removed|1.4|1.3|next-release"),
        ("1.1", "1.9", "removed|1.4|1.9|-"),
        ("", "1.4", "deprecated|1.1|-|-"),
    ];
    for (deprecated, removed, expected) in cases {
        let found = against(&kinds, &[("a.b/v1beta1", "Bolt", deprecated, removed, "")]);
        assert_eq!(found, [format!("a.b/v1beta1 Bolt|{expected}")]);
    }
}

#[test]
fn a_future_removal_is_distinguished_from_an_overdue_one() {
    let open = "introduced = \"1.0\"\ndeprecated = \"1.1\"";
    let kinds = [("a.b", "v1beta1", "Bolt", open)];
    let found = |removed| against(&kinds, &[("a.b/v1beta1", "Bolt", "1.1", removed, "")]);
    assert_eq!(found("1.5"), ["a.b/v1beta1 Bolt|removed|-|1.5|still-to-come"]);
    assert_eq!(found("1.2"), ["a.b/v1beta1 Bolt|removed|-|1.2|-"]);
}

#[test]
fn a_deprecation_that_was_taken_back_is_explained() {
    let back = "introduced = \"1.0\"\ndeprecated = \"1.1\"\nundeprecated = \"1.2\"";
    let found = |deprecated| {
        let entries = [("a.b/v1beta1", "Bolt", deprecated, "", "")];
        against(&[("a.b", "v1beta1", "Bolt", back)], &entries)
    };
    assert_eq!(found("1.1"), ["a.b/v1beta1 Bolt|deprecated|-|1.1|taken-back"]);
    assert_eq!(found("1.3"), ["a.b/v1beta1 Bolt|deprecated|-|1.3|-"]);
}

#[test]
fn a_kind_that_the_model_does_not_have_is_looked_for_elsewhere() {
    let kinds = [
        ("a.b", "v1beta1", "Bolt", "introduced = \"1.0\""),
        ("a.b", "v1", "Washer", "introduced = \"1.0\""),
        ("c.d", "v1", "Rivet", "introduced = \"1.0\""),
    ];
    let cases = [
        ("a.b/v1beta1", "Blot", "", "misspelled"),
        ("a.b/v1beta1", "BoltList", "", "list-of-kind"),
        ("a.b/v1beta1", "Washer", "", "other-version"),
        ("a.b/v1beta1", "Rivet", "c.d/v1", "other-group"),
        ("a.b/v1beta1", "Rivet", "", "-"),
        ("x.y/v1", "Rivet", "", "group-unknown"),
        ("a.b/v1beta1", "Hammerhead", "", "-"),
    ];
    for (version, kind, replacement, reason) in cases {
        let found = against(&kinds, &[(version, kind, "1.1", "1.4", replacement)]);
        assert_eq!(
            found,
            [format!(
                "{version} {kind}|present|-|deprecated 1.1, removed 1.4|{reason}"
            )]
        );
    }
}

#[test]
fn only_what_is_deprecated_or_removed_should_be_in_a_list() {
    let later = "introduced = \"1.0\"\ndeprecated = \"1.3\"";
    let kinds = [
        ("a.b", "v1", "Bolt", "introduced = \"1.0\""),
        ("a.b", "v1beta1", "Bolt", OLD),
        ("a.b", "v1beta1", "Washer", OLD),
        ("a.b", "v1beta1", "Nut", later),
        ("c.d", "v1beta1", "Pin", OLD),
    ];
    let expected = [
        "a.b/v1beta1 Nut|present|deprecated 1.3|-|after-the-list",
        "a.b/v1beta1 Washer|present|deprecated 1.1, removed 1.4|-|-",
        "c.d/v1beta1 Pin|present|deprecated 1.1, removed 1.4|-|version-unlisted",
    ];
    let listed = "introduced = \"1.0\"\ndeprecated = \"1.1\"\nremoved = \"1.2\"";
    let kinds = kinds.map(|kind| {
        if kind.2 == "Bolt" && kind.1 == "v1beta1" {
            (kind.0, kind.1, kind.2, listed)
        } else {
            kind
        }
    });
    assert_eq!(against(&kinds, &[("a.b/v1beta1", "Bolt", "1.1", "1.2", "")]), expected);
}

#[test]
fn replacements_are_compared_where_both_name_one() {
    let old = "introduced = \"1.0\"\ndeprecated = \"1.1\"\nreplacement = \"a.b/v1beta2\"";
    let kinds = |gone: &str| {
        model(&[
            ("a.b", "v1beta1", "Bolt", old),
            ("a.b", "v1beta2", "Bolt", &format!("introduced = \"1.1\"{gone}")),
            ("a.b", "v1", "Bolt", "introduced = \"1.2\""),
        ])
    };
    let of = |model: &str, replacement| {
        let list = list(&[("a.b/v1beta1", "Bolt", "1.1", "", replacement)]);
        let found = lines(&compare(&claims("model.toml", model), &list));
        found
            .into_iter()
            .filter(|line| line.contains("|replacement|"))
            .collect::<Vec<_>>()
    };
    let differ = "a.b/v1beta1 Bolt|replacement|a.b/v1beta2 Bolt|a.b/v1 Bolt|";
    assert_eq!(of(&kinds(""), "a.b/v1"), [format!("{differ}came-later")]);
    assert_eq!(of(&kinds(""), "a.b/v1beta2"), [""; 0]);
    assert_eq!(of(&kinds(""), ""), [""; 0]);
    let early =
        kinds("\ndeprecated = \"1.1\"\nremoved = \"1.4\"").replace("introduced = \"1.2\"", "introduced = \"1.1\"");
    assert_eq!(of(&early, "a.b/v1"), [format!("{differ}replacement-removed")]);
    let both = kinds("").replace("introduced = \"1.2\"", "introduced = \"1.1\"");
    assert_eq!(of(&both, "a.b/v1"), [format!("{differ}other-version-named")]);
}

#[test]
fn a_version_without_kinds_speaks_for_all_kinds() {
    let list = list(&[("example.com/v1beta1", "Bolt", "1.1", "1.3", "example.com/v1")]);
    let report = compare(&claims("model.toml", MODEL), &list);
    assert_eq!(
        lines(&report),
        ["example.com/v1beta1 Bolt|removed|1.4|1.3|next-release"]
    );
    let place = &report.differences[0];
    assert_eq!((place.here.line, place.there.line), (Some(11), Some(2)));
}

#[test]
fn gates_are_compared_stage_by_stage() {
    let model = format!(
        "{CALENDAR}[gate]\nGlow = {{ specs = [{{ stage = \"alpha\", since = \"1.0\", default = false }}, \
         {{ stage = \"beta\", since = \"1.2\", default = true }}] }}\n\
         Old = {{ specs = [{{ stage = \"alpha\", since = \"1.0\", default = false }}], removed = \"1.2\" }}\n"
    );
    let mut found = FeatureGates::default();
    let text = "- name: Glow\n  versionedSpecs:\n  - {default: false, preRelease: Alpha, version: \"1.0\"}\n  \
                - {default: true, preRelease: Beta, version: \"1.3\"}\n- name: New\n  versionedSpecs:\n  \
                - {default: false, preRelease: Alpha, version: \"1.3\"}\n";
    found.add("gates.yaml", text).expect("a list of gates");
    assert_eq!(found.notices, []);
    let report = compare(&claims("model.toml", &model), &Claims::of_gates("gates.yaml", &found));
    let expected = ["gate Glow|beta|1.2 (on)|1.3 (on)|-", "gate New|present|-|there|-"];
    assert_eq!(lines(&report), expected);
}

#[test]
fn days_are_compared_where_both_calendars_have_one() {
    let mut found = ReleaseDates::default();
    let days = "1.1,2023-05-01\n1.2,2023-09-02\n1.3,\n1.9,2026-01-01\n";
    found.add("days.csv", days).expect("a calendar");
    assert_eq!(found.notices, []);
    let report = compare(&claims("model.toml", MODEL), &Claims::of_calendar("days.csv", &found));
    assert_eq!(lines(&report), ["release 1.2|day|2023-09-01|2023-09-02|-"]);
    assert_eq!((report.counts.compared, report.counts.agree), (2, 1));
}

#[test]
fn products_of_other_groups_are_left_out_and_reported() {
    let text = "deprecated-versions:\n\
                - {version: example.com/v1beta1, kind: Bolt, deprecated-in: v1.1.0, removed-in: v1.4.0, component: works}\n\
                - {version: other.io/v1, kind: Nut, deprecated-in: v0.1.0, component: other}\n";
    let entries = Tool::Pluto.read(text).expect("a list").entries;
    let model = claims("model.toml", MODEL);
    let (kept, left_out) = of_product(entries.clone(), None, &model).expect("no product was chosen");
    assert_eq!((kept.len(), left_out), (1, vec!["1 entry of other".to_owned()]));
    let (kept, _) = of_product(entries.clone(), Some("other"), &model).expect("there is such a product");
    assert_eq!(kept[0].api.kind, "Nut");
    let there = of_product(entries, Some("none"), &model).expect_err("there is no such product");
    assert_eq!(there, ["other", "works"]);
}

#[test]
fn the_program_recognizes_sources_and_exits_by_the_result() {
    let pluto = "deprecated-versions:\n- {version: example.com/v1beta1, kind: Bolt, deprecated-in: v1.1.0, removed-in: v1.4.0}\n";
    let folder = folder(&[
        ("lifecycle.toml", MODEL),
        ("copy.toml", MODEL),
        ("same.yaml", pluto),
        ("other.yaml", &pluto.replace("v1.4.0", "v1.3.0")),
        ("days.csv", "1.1,2023-05-01\n"),
        ("empty.yaml", "deprecated-versions: []\n"),
        ("unknown.txt", "hello\n"),
        ("bad.toml", "x = 1\n"),
    ]);
    let run = |source: &str, code| run_in(&folder, &["compare", "lifecycle.toml", source]).ended(code);
    run("same.yaml", 0).says(&["no differences", "1 element compared: 1 agree, 0 differ"]);
    run("other.yaml", 1).says(&["example.com/v1beta1 Bolt", "one release later"]);
    run("days.csv", 0);
    run("copy.toml", 0).says(&["no differences"]);
    run("lifecycle.toml", 2).says(&["would be compared with itself"]);
    run("empty.yaml", 2).says(&["nothing to compare", "help: "]);
    run("unknown.txt", 2).says(&["unknown.txt", "--as"]);
    run("bad.toml", 2).says(&["bad.toml:1:1"]);
    run("none.yaml", 2).says(&["none.yaml"]);
    for format in ["json", "markdown"] {
        run_in(
            &folder,
            &["compare", "lifecycle.toml", "other.yaml", "--format", format],
        )
        .ended(1)
        .says(&["example.com/v1beta1 Bolt", "1.3"]);
    }
    run_in(&folder, &["compare", "-", "-"])
        .ended(2)
        .says(&["standard input"]);
    run_in(&folder, &["compare", "lifecycle.toml", "same.yaml", "--as", "kubepug"])
        .ended(2)
        .says(&["same.yaml:1:1"]);
}

const VERSIONS: [&str; 3] = ["v1beta1", "v1beta2", "v1"];
const KINDS: [&str; 3] = ["Bolt", "Nut", "Pin"];

/// For each version and kind: whether it is there, and when it is deprecated and removed.
fn surfaces() -> impl Strategy<Value = String> {
    let one = (
        prop::bool::ANY,
        0_u8..4,
        prop::option::of(1_u8..3),
        prop::option::of(1_u8..3),
        0..VERSIONS.len(),
    );
    prop::collection::vec(one, VERSIONS.len() * KINDS.len()).prop_map(|all| {
        let mut kinds = vec![("Rivet", "v1", "introduced = \"1.0\"\n".to_owned())];
        let places = KINDS
            .iter()
            .flat_map(|kind| VERSIONS.iter().map(move |version| (kind, version)));
        for ((kind, version), (there, begin, deprecated, removed, other)) in places.zip(all) {
            let mut said = format!("introduced = \"1.{begin}\"\n");
            let end = deprecated.map_or(begin, |after| begin + after);
            if deprecated.is_some() {
                let _ = writeln!(said, "deprecated = \"1.{end}\"");
                if VERSIONS[other] != *version {
                    said += "replacement = \"a.b/v1 Rivet\"\n";
                }
            }
            if let Some(after) = removed {
                let _ = writeln!(said, "removed = \"1.{}\"", end + after);
            }
            if there {
                kinds.push((kind, version, said));
            }
        }
        let kinds: Vec<_> = kinds
            .iter()
            .map(|(kind, version, said)| ("a.b", *version, *kind, said.as_str()))
            .collect();
        model(&kinds)
    })
}

/// A disagreement: element, what, both sides, the code of the reason.
type Row = (String, ComparedFact, Option<String>, Option<String>, Option<ReasonCode>);

/// A comparison seen from the other side.
fn mirrored(report: &ComparisonReport) -> Vec<Row> {
    let of = |difference: &DisagreementReport| {
        (
            difference.element.clone(),
            difference.what,
            difference.there.says.clone(),
            difference.here.says.clone(),
            difference.reason.as_ref().map(|reason| reason.code),
        )
    };
    report.differences.iter().map(of).collect()
}

fn plain(report: &ComparisonReport) -> Vec<Row> {
    let swap = |(element, what, there, here, reason)| (element, what, here, there, reason);
    mirrored(report).into_iter().map(swap).collect()
}

/// The lists of pluto and of kubepug that are exported from a model.
fn exported(model: &str) -> [Claims; 2] {
    let evaluation = evaluate(model).expect("the model can be read");
    let found = evaluation.deprecations(Listing::default());
    let (mut of_pluto, mut of_kubepug) = (Vec::new(), Vec::new());
    lifecycle::render::pluto::write(&found, "works", &mut of_pluto).expect("memory can be written to");
    lifecycle::render::kubepug::write(&found, &mut of_kubepug).expect("memory can be written to");
    let text = |bytes| String::from_utf8(bytes).expect("the list is UTF-8");
    let of_pluto = Tool::Pluto.read(&text(of_pluto)).expect("the list can be read");
    let of_kubepug = Tool::Kubepug.read(&text(of_kubepug)).expect("the list can be read");
    [
        Claims::of_list("pluto", &of_pluto.entries, true),
        Claims::of_list("kubepug", &of_kubepug.entries, false),
    ]
}

proptest! {
    #[test]
    fn a_model_agrees_with_itself_and_with_the_lists_exported_from_it(text in surfaces()) {
        let own = claims("here", &text);
        prop_assert_eq!(plain(&compare(&own, &claims("there", &text))), vec![]);
        for list in exported(&text) {
            prop_assert_eq!(plain(&compare(&own, &list)), vec![], "{}\n{}", list.name, text);
        }
    }

    #[test]
    fn a_comparison_is_the_mirror_of_the_one_the_other_way_round(one in surfaces(), other in surfaces()) {
        let (here, there) = (claims("here", &one), claims("there", &other));
        let [pluto, kubepug] = exported(&other);
        for there in [there, pluto, kubepug] {
            let (forth, back) = (compare(&here, &there), compare(&there, &here));
            prop_assert_eq!(plain(&forth), mirrored(&back));
            prop_assert_eq!(forth.counts.only_here, back.counts.only_there);
            prop_assert_eq!(forth.counts.compared, back.counts.compared);
            prop_assert_eq!(forth.counts.agree + forth.counts.differ, forth.counts.compared);
        }
    }
}

#[test]
fn a_model_is_not_compared_with_itself() {
    let here = folder(&[(
        "lifecycle.toml",
        "calendar.releases = { \"1.0\" = 2024-01-01 }\nbehavior.a.introduced = \"1.0\"\n",
    )]);
    for arguments in [
        &["compare", "lifecycle.toml"][..],
        &["compare", "./lifecycle.toml", "lifecycle.toml"],
    ] {
        run_in(&here, arguments).ended(2).says(&[
            "lifecycle.toml would be compared with itself",
            "help: name the model and the other source",
        ]);
    }
}
