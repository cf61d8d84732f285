//! Proposals: an allowed one has no new errors, and a refused one names its soonest release.

#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::Document;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{Evaluation, Load};
use lifecycle::grammar::EventKind;
use lifecycle::model::{ElementKind, Family, Model};
use lifecycle::propose::{Proposal, Request, Rollout, Unproposable, propose};
use lifecycle::release::Release;
use lifecycle::report::RolloutReport;
use lifecycle::{FileId, Sources};

use proptest::prelude::*;
use tempfile::TempDir;

use crate::lints::cars;
use crate::program::{folder, run_in};
use crate::support::{evaluate, new_since};
use crate::worlds::{World, cases, load, world};

const WIDGET: &str = include_str!("../../examples/widget-timeline.toml");

fn evaluate_all(texts: &[String]) -> Result<Evaluation, Vec<Diagnostic>> {
    let documents = (0..).map(FileId).zip(texts).map(|(id, text)| Document::parse(id, text));
    Load::new(&documents.collect::<Vec<_>>()).evaluate()
}

/// A proposal for a model of one file, worked out.
fn proposed(
    text: &str,
    proposal: Proposal,
    element: &str,
    from: Option<&str>,
    at: &[(&str, &str)],
) -> Result<Rollout, Unproposable> {
    let base = evaluate(text).expect("the model can be read");
    let at: Vec<(String, String)> = at
        .iter()
        .map(|(step, release)| ((*step).into(), (*release).into()))
        .collect();
    let request = Request {
        proposal,
        element,
        from,
        at: &at,
    };
    propose(&request, &base, &[text.to_owned()], evaluate_all)
}

/// The releases of steps, in their order: "alpha X+13".
fn steps(rollout: &Rollout, text: &str) -> Vec<String> {
    let base = evaluate(text).expect("the model can be read");
    let mut sources = Sources::new();
    sources.add("model.toml", text);
    let report = rollout.report(&base, &sources);
    all_steps(&report)
}

fn all_steps(report: &RolloutReport<'_>) -> Vec<String> {
    let of = |release: &lifecycle::report::RolloutReleaseReport<'_>| {
        let named = release.items.iter().map(|item| item.step.unwrap_or("planned"));
        let name = release.release.release.to_owned();
        named.map(move |step| format!("{step} {name}")).collect::<Vec<_>>()
    };
    report.releases.iter().flat_map(of).collect()
}

/// Holds that a proposal is allowed, that the model with it has no new severe finding, and returns its steps.
fn allowed(text: &str, proposal: Proposal, element: &str, from: Option<&str>) -> Vec<String> {
    let rollout = proposed(text, proposal, element, from, &[]).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{rollout:?}");
    let news = new_since(text, &rollout.texts[0]);
    assert!(!news.iter().any(|finding| finding.starts_with("error")), "{news:?}");
    assert_ne!(text, rollout.texts[0]);
    steps(&rollout, text)
}

#[test]
fn a_field_is_off_then_on_then_locked_and_its_gate_is_removed_last() {
    let field = Proposal::Field { gate: None };
    let found = allowed(WIDGET, field, "widgets.example.com/v2 Gadget .spec.width", Some("X+13"));
    let expected = ["introduced X+13", "alpha X+13", "beta X+14", "ga X+15", "removed X+17"];
    assert_eq!(found, expected);
}

#[test]
fn a_field_comes_to_every_version_that_is_served_with_it() {
    let field = Proposal::Field { gate: None };
    let element = "widgets.example.com/v2 Gadget .spec.width";
    let rollout = proposed(WIDGET, field, element, Some("X+13"), &[]).expect("it can be proposed");
    let with = evaluate(&rollout.texts[0]).expect("it can be read");
    for version in ["v2", "v2beta2", "v2beta1", "v1"] {
        let id = format!("widgets.example.com/{version} Gadget .spec.width");
        assert!(with.model().find(&id).is_some(), "{id}");
    }
    assert!(
        with.model()
            .find("widgets.example.com/v1beta2 Gadget .spec.width")
            .is_none()
    );
}

#[test]
fn a_value_is_tolerated_a_release_before_it_is_allowed() {
    let value = Proposal::EnumValue {
        gate: Some("Mondays".to_owned()),
    };
    let element = "widgets.example.com/v2 Gadget .spec.restartPolicy=OnMonday";
    let found = allowed(WIDGET, value, element, Some("X+13"));
    let expected = [
        "tolerated X+13",
        "alpha X+13",
        "introduced X+14",
        "beta X+14",
        "ga X+15",
        "removed X+17",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_version_overlaps_and_takes_over() {
    let version = Proposal::ApiVersion { kinds: Vec::new() };
    let found = allowed(WIDGET, version, "widgetlet.example.com/v1", Some("X+3"));
    assert_eq!(found, ["introduced X+3"]);
    let version = Proposal::ApiVersion { kinds: Vec::new() };
    let found = allowed(DATED, version, "example.com/v1", None);
    let expected = [
        "introduced 1.4",
        "deprecated 1.4",
        "planned 1.5",
        "planned 1.5",
        "migrated 1.6",
        "removed 1.7",
        "dropped 1.8",
    ];
    assert_eq!(found, expected);
}

/// What a report has about its steps.
fn report<T>(rollout: &Rollout, text: &str, read: impl FnOnce(&RolloutReport<'_>) -> T) -> T {
    let base = evaluate(text).expect("the model can be read");
    let mut sources = Sources::new();
    sources.add("model.toml", text);
    read(&rollout.report(&base, &sources))
}

#[test]
fn the_end_of_a_version_that_lacks_a_field_has_to_be_declared() {
    let element = "widgets.example.com/v2 Gadget .spec.width";
    let remarks = |text: &str| {
        let rollout = proposed(text, Proposal::Field { gate: None }, element, Some("X+13"), &[]);
        report(&rollout.expect("it can be proposed"), text, |report| {
            let remarks = report.remarks.iter();
            remarks
                .filter(|remark| remark.contains("lacks it"))
                .cloned()
                .collect::<Vec<_>>()
        })
    };
    let open = remarks(WIDGET);
    let expected = "widgets.example.com/v1beta2 Gadget lacks it: its removal is planned for X+8, but not declared";
    assert!(open.iter().any(|remark| remark.starts_with(expected)), "{open:?}");
    let closed = WIDGET.replacen(
        "v1beta2 = { introduced = \"X+3\" }",
        "v1beta2 = { introduced = \"X+3\", deprecated = \"X+5\", removed = \"X+8\" }",
        1,
    );
    assert_ne!(closed, WIDGET);
    let closed = remarks(&closed);
    assert!(!closed.iter().any(|remark| remark.contains("v1beta2")), "{closed:?}");
}

#[test]
fn steps_show_the_custom_for_gates_and_the_clients_of_values() {
    let value = Proposal::EnumValue { gate: None };
    let element = "example.com/v1 Widget .spec.mode=Slow";
    let rollout = proposed(SETTLED, value, element, None, &[]).expect("it can be proposed");
    let (custom, clients) = report(&rollout, SETTLED, |report| {
        let items = || report.releases.iter().flat_map(|release| &release.items);
        let custom: Vec<String> = items().filter_map(|item| item.custom.clone()).collect();
        let clients = items().filter_map(|item| Some((item.step?, item.oldest_clients?.release)));
        let clients = clients.map(|(step, release)| format!("{step} {release}"));
        (custom, clients.collect::<Vec<_>>())
    });
    assert_eq!(custom, ["a gate stays 3 releases after it is locked (1.6): 1.9"]);
    assert_eq!(clients, ["introduced 1.4"]);
}

#[test]
fn a_removal_says_what_is_removed_and_what_serves_its_objects() {
    let here = folder(&[(
        "lifecycle.toml",
        &format!("{SETTLED}[behavior.plain]\nintroduced = \"1.0\"\n"),
    )]);
    run_in(&here, &["propose", "removal", "behavior plain"])
        .ended(0)
        .says(&["Removal of behavior plain\n"]);
    run_in(&here, &["propose", "removal", "example.com/v1beta1"])
        .ended(0)
        .says(&["example.com/v1 serves all objects"]);
    let alone = SETTLED
        .replace("v1 = { introduced = \"1.1\" }\n", "")
        .replace(", replacement = \"v1\"", "");
    let here = folder(&[("lifecycle.toml", &alone)]);
    run_in(&here, &["propose", "removal", "example.com/v1beta1"])
        .ended(0)
        .says(&["no version replaces it"]);
}

#[test]
fn what_only_the_schemas_have_is_declared_first() {
    let fields = "size: {type: integer}, ports: {type: array, items: {type: object, properties: {mode: {type: string, \
                  enum: [Slow]}}}}";
    let crd = cars(fields).replace("Car", "Widget").replace("cars", "widgets");
    let model = format!("schemas = [\"crd.yaml\"]\n{SETTLED}");
    let here = folder(&[("lifecycle.toml", &model), ("crd.yaml", &crd)]);
    let refused = |arguments: &[&str]| {
        run_in(&here, &[&["propose"], arguments].concat())
            .ended(2)
            .says(&["but the model does not declare it", "declare it in the model first"]);
    };
    refused(&["field", "example.com/v1 Widget .spec.size"]);
    refused(&["removal", "example.com/v1 Widget .spec.size"]);
    refused(&["enum-value", "example.com/v1 Widget .spec.ports[].mode=Slow"]);
    for new in [
        ["field", "example.com/v1 Widget .spec.width"],
        ["enum-value", "example.com/v1 Widget .spec.ports[].mode=Fast"],
    ] {
        run_in(&here, &[&["propose"], &new[..]].concat()).ended(0);
    }
}

/// A model whose GA version took over from a beta one, which may go in the next release.
const SETTLED: &str = "[calendar]\ncurrent = \"1.3\"\ncadence = { months = 4 }\n[calendar.releases]\n\"1.0\" = 2023-01-10\n\
                       \"1.1\" = 2023-05-10\n\"1.2\" = 2023-09-10\n\"1.3\" = 2024-01-10\n[group.\"example.com\".version]\n\
                       v1beta1 = { introduced = \"1.0\", deprecated = \"1.1\", replacement = \"v1\" }\n\
                       v1 = { introduced = \"1.1\" }\n[group.\"example.com\".kind]\nWidget = { resource = \"widgets\" }\n";

#[test]
fn a_new_version_without_a_removal_is_preferred_and_stored_all_the_same() {
    let version = Proposal::ApiVersion { kinds: Vec::new() };
    let found = allowed(SETTLED, version, "example.com/v2", None);
    let expected = [
        "introduced 1.4",
        "deprecated 1.4",
        "planned 1.5",
        "planned 1.5",
        "migrated 1.6",
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_is_not_served_yet_is_served_for_a_release_before_it_ends() {
    let alpha = SETTLED.replacen("v1beta1 =", "v2alpha1 = { introduced = \"1.5\" }\nv1beta1 =", 1);
    let found = allowed(&alpha, Proposal::Removal, "example.com/v2alpha1", None);
    assert_eq!(found, ["migrated 1.6", "removed 1.6", "dropped 1.7"]);
    let flag = "[cli.ctl]\naudience = \"user\"\n[cli.ctl.flag.\"--x\"]\nintroduced = \"1.5\"\n";
    let found = allowed(&format!("{SETTLED}{flag}"), Proposal::Removal, "cli ctl --x", None);
    assert_eq!(found, ["deprecated 1.5", "removed 1.8"]);
}

#[test]
fn no_migration_is_declared_in_a_shipped_release() {
    let found = allowed(SETTLED, Proposal::Removal, "example.com/v1beta1", None);
    assert_eq!(found, ["migrated 1.4", "removed 1.4", "dropped 1.5"]);
}

#[test]
fn no_step_comes_before_the_release_of_the_first_one() {
    let found = allowed(SETTLED, Proposal::Removal, "example.com/v1beta1", Some("1.6"));
    assert_eq!(found, ["migrated 1.6", "removed 1.6", "dropped 1.7"]);
}

#[test]
fn an_existing_gate_continues_from_its_stage() {
    assert_eq!(
        allowed(DATED, Proposal::Gate, "Glow", None),
        ["beta 1.4", "ga 1.5", "removed 1.7"]
    );
    let new = allowed(WIDGET, Proposal::Gate, "gate Frobber", Some("X+2"));
    assert_eq!(new, ["alpha X+2", "beta X+3", "ga X+4", "removed X+6"]);
}

#[test]
fn removals_are_announced_and_go_as_soon_as_the_law_lets_them() {
    let of = |element: &str| allowed(DATED, Proposal::Removal, element, None);
    assert_eq!(of("cli widgetctl --record"), ["deprecated 1.4", "removed 1.7"]);
    assert_eq!(
        of("metric widgets_total"),
        ["deprecated 1.4", "hidden 1.7", "removed 1.8"]
    );
    assert_eq!(of("gate Glow"), ["removed 1.4"], "no lifetime applies to an alpha");
    assert_eq!(of("behavior paint-dries"), ["deprecated 1.4", "removed 1.7"]);
    assert_eq!(of("example.com/v1beta1"), ["deprecated 1.4", "removed 1.7"]);
    let of_widget = |element: &str| allowed(WIDGET, Proposal::Removal, element, Some("X+13"));
    assert_eq!(of_widget("cli widgetctl --audit"), ["deprecated X+13", "removed X+16"]);
}

#[test]
fn nothing_is_stored_in_a_version_of_a_configuration() {
    let text = r#"
[calendar]
current = "1.2"
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2024-01-01
"1.1" = 2024-05-01
"1.2" = 2024-09-01
[config."tool.example.com".version]
v1beta1 = { introduced = "1.0" }
v1 = { introduced = "1.2" }
[config."tool.example.com".kind.ToolConfiguration]
"#;
    let rollout = proposed(text, Proposal::Removal, "config tool.example.com/v1beta1", None, &[]);
    let rollout = rollout.expect("it can be proposed");
    assert_eq!(steps(&rollout, text), ["deprecated 1.3", "removed 1.6"]);
    let page = report(&rollout, text, lifecycle::render::rollout::page);
    let page = page.expect("it is rendered");
    assert!(page.contains("a component reads a file of it"), "{page}");
    assert!(!page.contains("server") && !page.contains("stored"), "{page}");
}

#[test]
fn what_is_asked_for_too_soon_is_refused_with_the_soonest_that_is_accepted() {
    let base = evaluate(DATED).expect("the model can be read");
    for (proposal, element, step) in [
        (Proposal::Removal, "cli widgetctl --record", "removed"),
        (Proposal::Removal, "example.com/v1beta1", "removed"),
        (Proposal::Gate, "Glow", "removed"),
        (
            Proposal::EnumValue { gate: None },
            "example.com/v1beta1 Widget .spec.shape=Round",
            "introduced",
        ),
        (
            Proposal::EnumValue { gate: None },
            "example.com/v1beta1 Widget .spec.shape=Round",
            "beta",
        ),
        (Proposal::Gate, "Hum", "beta"),
        // So early that no model can say it.
        (Proposal::Gate, "Hum", "ga"),
        (Proposal::Gate, "Hum", "removed"),
    ] {
        let asked = |release: &str| proposed(DATED, proposal.clone(), element, None, &[(step, release)]);
        let refused = asked("1.4").expect("it can be proposed");
        assert!(!refused.is_allowed(), "{element} {step}");
        let report = refused.report(&base, &Sources::new());
        let soonest = report
            .soonest
            .iter()
            .find(|at| at.step == step)
            .expect("there is a soonest");
        let accepted = asked(soonest.release.release).expect("it can be proposed");
        assert!(accepted.is_allowed(), "{element} {step} {}", soonest.release.release);
        let release = base
            .model()
            .calendar
            .find(soonest.release.release)
            .expect("it is there");
        let before = base.model().calendar.name(Release(release.0 - 1));
        assert!(
            !asked(&before).expect("it can be proposed").is_allowed(),
            "{element} {step} {before}"
        );
    }
}

#[test]
fn a_removal_that_is_never_permitted_is_refused_with_the_reason() {
    let rollout = proposed(DATED, Proposal::Removal, "bolts.example.com/v1", None, &[]).expect("it can be proposed");
    let base = evaluate(DATED).expect("the model can be read");
    let report = rollout.report(&base, &Sources::new());
    assert!(!report.allowed);
    assert_eq!(report.never_before_major.as_deref(), Some("2.0"));
    assert!(
        report.against[0].contains("#4a version-lifetime"),
        "{:?}",
        report.against
    );
}

#[test]
fn what_is_new_can_be_appended() {
    let value = Proposal::EnumValue { gate: None };
    let cases = [
        (Proposal::Field { gate: None }, "example.com/v1beta1 Widget .spec.glow"),
        (value, "example.com/v1beta1 Widget .spec.shape=Round"),
        (
            Proposal::ApiVersion {
                kinds: vec!["Nut".to_owned()],
            },
            "nuts.example.com/v1alpha2",
        ),
        (Proposal::Gate, "Hum"),
    ];
    let base = evaluate(DATED).expect("the model can be read");
    for (proposal, element) in cases {
        let rollout = proposed(DATED, proposal, element, None, &[]).expect("it can be proposed");
        let report = rollout.report(&base, &Sources::new());
        assert_eq!(report.entries, []);
        let appended = format!("{DATED}\n{}", report.fragment);
        let with = evaluate(&appended).unwrap_or_else(|errors| panic!("{errors:?}\n{appended}"));
        let ids = |evaluation: &Evaluation| evaluation.model().ids().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(ids(&with), ids(rollout.evaluation()), "{appended}");
    }
}

#[test]
fn additions_to_an_entry_are_reported_with_their_place() {
    let base = evaluate(DATED).expect("the model can be read");
    let rollout = proposed(DATED, Proposal::Removal, "cli widgetctl --record", None, &[]).expect("it can be proposed");
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", DATED);
    let report = rollout.report(&base, &sources);
    let entry = &report.entries[0];
    let line = DATED
        .lines()
        .position(|line| line.contains("--record"))
        .expect("it is there")
        + 1;
    assert_eq!(entry.entry, "cli.widgetctl.flag.--record");
    assert_eq!(
        (entry.file.as_deref(), entry.line),
        (Some("lifecycle.toml"), u32::try_from(line).ok())
    );
    assert_eq!(entry.lines[..2], ["deprecated = \"1.4\"", "removed = \"1.7\""]);
    assert!(
        report.fragment.lines().all(|line| line.starts_with('#')),
        "{}",
        report.fragment
    );
    assert!(evaluate(&format!("{DATED}\n{}", report.fragment)).is_ok());
}

#[test]
fn a_proposal_that_does_not_fit_the_model_is_refused() {
    let cases = [
        (
            Proposal::Field { gate: None },
            "example.com/v1beta1 Widget .spec.width",
            None,
            "is already in the model",
        ),
        (
            Proposal::Field { gate: None },
            "example.com/v1beta1 Widget",
            None,
            "is not the id of a field or value",
        ),
        (
            Proposal::Field { gate: None },
            "example.com/v1beta1 Widget .spec..a",
            None,
            "is not the id of a field or value",
        ),
        (
            Proposal::Field { gate: None },
            "example.com/v1beta1 Widget .spec.a b",
            None,
            "is not the id of a field or value",
        ),
        (
            Proposal::Field { gate: None },
            "example.com/v1 Widget .spec.a",
            None,
            "there is no kind",
        ),
        (
            Proposal::EnumValue { gate: None },
            "example.com/v1beta1 Widget .spec.a",
            None,
            "is not a value of an enumeration",
        ),
        (
            Proposal::Field {
                gate: Some("On".into()),
            },
            "example.com/v1beta1 Widget .spec.a",
            None,
            "is on by default",
        ),
        (
            Proposal::ApiVersion { kinds: Vec::new() },
            "example.com",
            None,
            "is not the id of a version",
        ),
        (
            Proposal::ApiVersion { kinds: Vec::new() },
            "example.com/v1beta1",
            None,
            "is already in the model",
        ),
        (
            Proposal::ApiVersion {
                kinds: vec!["Widget".into(), String::new()],
            },
            "example.com/v1",
            None,
            "a kind has no name",
        ),
        (Proposal::Gate, " ", None, "has no name"),
        (Proposal::Gate, "Hum", Some("1.2"), "1.2 has shipped"),
        (Proposal::Gate, "Hum", Some("9.9"), "is not in the calendar"),
        (Proposal::Removal, "gate Nope", None, "there is no element"),
    ];
    for (proposal, element, from, message) in cases {
        let problem = proposed(DATED, proposal, element, from, &[]).expect_err("it does not fit");
        assert!(problem.message.contains(message), "{element}: {problem}");
        assert!(!problem.help.is_empty());
    }
}

#[test]
fn stages_are_not_added_after_an_entry_that_removes_the_gate() {
    let text = format!(
        "{DATED}[gate.Ends]\nspecs = [{{ stage = \"alpha\", since = \"1.2\", default = false }}, {{ stage = \"removed\", \
         since = \"1.6\" }}]\n"
    );
    let problem = proposed(&text, Proposal::Gate, "Ends", None, &[]).expect_err("its specs end");
    assert!(problem.message.contains("removed by the last entry"), "{problem}");
}

/// Another gate depends on it, so that its removal is not in sight.
#[test]
fn a_gate_graduates_while_another_one_keeps_it() {
    let text = format!(
        "{DATED}[gate.Glare]\nspecs = [{{ stage = \"alpha\", since = \"1.2\", default = false }}]\ndepends-on = [\"Hum\"]\n\
         [gate.Hum]\nspecs = [{{ stage = \"beta\", since = \"1.2\", default = true }}]\n"
    );
    assert_eq!(allowed(&text, Proposal::Gate, "Hum", None), ["ga 1.4"]);
    let rollout = proposed(&text, Proposal::Gate, "Hum", None, &[]).expect("it can be proposed");
    let base = evaluate(&text).expect("the model can be read");
    let remarks = rollout.report(&base, &Sources::new()).remarks.join("\n");
    assert!(remarks.contains("not before gate Glare is removed"), "{remarks}");
    let removal = proposed(&text, Proposal::Removal, "gate Hum", None, &[]).expect("it can be proposed");
    assert!(!removal.is_allowed());
}

/// A kind that is declared to go later is no reason where nothing is known of the rest.
#[test]
fn the_removal_of_a_ga_version_has_no_known_release() {
    let text = ISSUERS.replace(
        "[group.\"example.com\".kind.ClusterIssuer]\n",
        "[group.\"example.com\".kind.ClusterIssuer]\nversion.v1 = { deprecated = \"1.6\", removed = \"1.30\" }\n",
    );
    let rollout = proposed(&text, Proposal::Removal, "example.com/v1", None, &[]).expect("it can be proposed");
    assert!(!rollout.is_allowed());
    let base = evaluate(&text).expect("the model can be read");
    let report = rollout.report(&base, &Sources::new());
    assert!(
        report.against[0].contains("is not removed in any known release"),
        "{:?}",
        report.against
    );
}

#[test]
fn a_step_is_set_once() {
    let at = [("alpha", "1.4"), ("alpha", "1.5")];
    let problem = proposed(DATED, Proposal::Gate, "Hum", None, &at).expect_err("one of them has to be meant");
    assert_eq!(problem.message, "`alpha` is set twice: to 1.4 and to 1.5");
}

#[test]
fn steps_past_the_calendar_are_counted_from_its_last_release() {
    let text = DATED.replace("cadence = { months = 4 }\n", "");
    let rollout = proposed(&text, Proposal::Gate, "Hum", None, &[]).expect("its releases can be named");
    assert!(rollout.is_allowed(), "{rollout:?}");
    assert!(rollout.texts[0].contains("releases after 1."), "{}", rollout.texts[0]);
    let written = evaluate(&rollout.texts[0]).expect("what is written can be read");
    assert_eq!(
        written.findings(),
        evaluate(&text).expect("the model can be read").findings()
    );
}

#[test]
fn kinds_that_do_not_go_on_stay_behind() {
    let version = Proposal::ApiVersion {
        kinds: vec!["Widget".to_owned(), "Nut".to_owned()],
    };
    let rollout = proposed(DATED, version, "example.com/v1", None, &[]).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{rollout:?}");
    let with = rollout.evaluation().model();
    assert!(with.find("example.com/v1 Widget").is_some() && with.find("example.com/v1 Nut").is_some());
    assert!(with.find("example.com/v1 Gadget").is_none() && with.find("example.com/v1beta1 Nut").is_none());
}

/// A group whose kinds are old, and of which a new version takes over one.
const ISSUERS: &str = concat!(
    "\n",
    calendar!(current "1.6", to "1.6"),
    r#"[group."example.com".version]
v1beta1 = { introduced = "1.4" }
v1 = { introduced = "1.0" }
[group."example.com".kind.Issuer]
field."spec.late" = { introduced = "1.5" }
[group."example.com".kind.ClusterIssuer]
[group."example.com".kind.Certificate]
"#
);

#[test]
fn a_version_of_one_kind_deprecates_that_kind_from_the_next_release_on() {
    let text = ISSUERS.replace("v1beta1 = { introduced = \"1.4\" }\n", "");
    let version = Proposal::ApiVersion {
        kinds: vec!["Issuer".to_owned()],
    };
    let rollout = proposed(&text, version, "example.com/v2", None, &[]).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{rollout:?}");
    let base = evaluate(&text).expect("the model can be read");
    let report = rollout.report(&base, &Sources::new());
    let releases: Vec<&str> = report.releases.iter().map(|of| of.release.release).collect();
    assert_eq!(releases, ["1.7", "1.8"]);
    let model = rollout.evaluation().model();
    for kind in ["Issuer", "ClusterIssuer", "Certificate"] {
        let old = model.find(&format!("example.com/v1 {kind}")).expect("it is there");
        let declared = model.declared_of(old).iter().map(|declared| declared.event.what);
        let expected: &[_] = if kind == "Issuer" {
            &[EventKind::Deprecated]
        } else {
            &[]
        };
        assert_eq!(declared.collect::<Vec<_>>(), expected, "{kind}");
    }
    assert!(
        rollout.texts[0].contains("replacement = \"v2\""),
        "{}",
        rollout.texts[0]
    );
}

/// The newest beta has a field that the older one lacks, and the older one has one that it lacks.
#[test]
fn a_new_version_is_not_refused_for_what_lacks_counterparts_already() {
    let text = concat!(
        "\n",
        calendar!(current "1.6", to "1.6"),
        "[group.\"example.com\".version]\nv1beta2 = { introduced = \"1.5\" }\nv1beta1 = { introduced = \"1.4\" }\n\
         [group.\"example.com\".kind.Issuer]\n\
         field.\"spec.new\".in.v1beta2 = { introduced = \"1.5\" }\n\
         field.\"spec.old\".in.v1beta1 = { introduced = \"1.4\" }\n"
    );
    let version = Proposal::ApiVersion { kinds: Vec::new() };
    let rollout = proposed(text, version, "example.com/v1", None, &[]).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{rollout:?}");
    let base = evaluate(text).expect("the model can be read");
    let remarks = rollout.report(&base, &Sources::new()).remarks.join("\n");
    assert!(
        remarks.contains("2 members lack counterparts in another version, as before"),
        "{remarks}"
    );
    assert_eq!(new_since(text, &rollout.texts[0]), [""; 0]);
    // A field that only the new version has is new there.
    let more = rollout.texts[0].replace(
        "in.v1beta2 =",
        "in.v1beta2 = { introduced = \"1.5\" }\nfield.\"spec.more\".in.v1 = {}\nfield.\"spec.newer\".in.v1beta2 =",
    );
    let more = more.replace(
        "field.\"spec.new\".in.v1 = {}",
        "field.\"spec.new\".in.v1 = {}\nfield.\"spec.newer\".in.v1 = {}",
    );
    let new = new_since(text, &more);
    assert!(
        new.iter().any(|finding| finding.ends_with("v1 Issuer .spec.more")),
        "{new:?}"
    );
}

/// The others have a deadline of their own, which the version does not set.
#[test]
fn a_version_of_one_kind_leaves_the_deadlines_of_other_betas_alone() {
    let text = ISSUERS.replace("v1 = { introduced = \"1.0\" }\n", "");
    let version = Proposal::ApiVersion {
        kinds: vec!["Issuer".to_owned()],
    };
    let rollout = proposed(&text, version, "example.com/v1", None, &[]).expect("it can be proposed");
    let model = rollout.evaluation().model();
    let old = model.find("example.com/v1beta1 Issuer").expect("it is there");
    let declared = model.declared_of(old).iter().map(|declared| declared.event.what);
    assert_eq!(
        declared.collect::<Vec<_>>(),
        [EventKind::Deprecated, EventKind::Removed]
    );
    let old = model.find("example.com/v1beta1 Certificate").expect("it is there");
    assert!(model.declared_of(old).is_empty());
}

const GATEWAY: &str = include_str!("../../examples/gateway-api/lifecycle.toml");

/// The notes of all releases that have shipped, by the program.
fn notes_of_shipped(folder: &TempDir, model: &Model) -> Vec<String> {
    let current = model.calendar.current().expect("it has shipped releases");
    let shipped = (0..=current.0).map(|release| model.calendar.name(Release(release)));
    shipped
        .map(|release| run_in(folder, &["notes", "--release", &release]).out)
        .collect()
}

/// Fields that are old begin with the version in which they are new.
#[test]
fn a_written_version_changes_no_notes_of_shipped_releases() {
    let issuers = ISSUERS.replace("v1beta1 = { introduced = \"1.4\" }\n", "");
    let models = [
        (&*issuers, "example.com", "Issuer"),
        (GATEWAY, "gateway.networking.k8s.io", "Gateway"),
    ];
    for (text, group, kind) in models {
        let folder = folder(&[("lifecycle.toml", text)]);
        let base = evaluate(text).expect("the model can be read");
        let before = notes_of_shipped(&folder, base.model());
        let version = format!("{group}/v2");
        let run = run_in(
            &folder,
            &["propose", "api-version", &version, "--kinds", kind, "--write"],
        );
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(
            before == notes_of_shipped(&folder, base.model()),
            "{group}: the notes of a shipped release have changed"
        );
        let next = run_in(&folder, &["notes", "--release", "1.7"]).out;
        assert!(next.contains(&version), "{next}");
    }
}

/// A beta that an older version replaces is none of its steps, and neither are the kinds that it leaves out.
#[test]
fn a_version_deprecates_only_what_it_replaces() {
    let version = Proposal::ApiVersion {
        kinds: vec!["Gateway".to_owned()],
    };
    let rollout = proposed(GATEWAY, version, "gateway.networking.k8s.io/v2", None, &[]).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{rollout:?}");
    let base = evaluate(GATEWAY).expect("the model can be read");
    let report = rollout.report(&base, &Sources::new());
    let items = report.releases.iter().flat_map(|release| &release.items);
    let deprecated = items.filter(|item| item.step == Some("deprecated"));
    let deprecated: Vec<&str> = deprecated
        .flat_map(|item| item.elements.iter().map(AsRef::as_ref))
        .collect();
    assert_eq!(deprecated, ["gateway.networking.k8s.io/v1 Gateway"]);
    let releases: Vec<&str> = report.releases.iter().map(|of| of.release.release).collect();
    assert_eq!(releases, ["1.7", "1.8"]);
}

/// The finding about the missing deprecation was there before, so its late declaration is no new one.
#[test]
fn a_beta_past_its_deadline_can_get_a_successor() {
    let text = ISSUERS.replace(
        "v1beta1 = { introduced = \"1.4\" }",
        "v1beta1 = { introduced = \"1.0\" }",
    );
    let text = text.replace("v1 = { introduced = \"1.0\" }\n", "");
    let version = Proposal::ApiVersion { kinds: Vec::new() };
    let rollout = proposed(&text, version, "example.com/v1", None, &[]).expect("it can be proposed");
    assert!(rollout.is_allowed(), "{rollout:?}");
    assert!(steps(&rollout, &text).contains(&"deprecated 1.7".to_owned()));
}

const DATED: &str = include_str!("../cli/propose.toml");

/// Proposals of every kind for what a model has.
fn every_proposal(base: &Evaluation) -> Vec<(Proposal, String)> {
    let model = base.model();
    let mut all = vec![(Proposal::Gate, "New".to_owned())];
    for (id, element) in model.elements() {
        let id = model.id(id).to_owned();
        if element.kind.is_kind() {
            all.push((Proposal::Field { gate: None }, format!("{id} .spec.new")));
            all.push((Proposal::EnumValue { gate: None }, format!("{id} .spec.new=Value")));
        }
        if element.kind == ElementKind::Gate {
            all.push((Proposal::Gate, id.clone()));
        }
        all.push((Proposal::Removal, id));
    }
    for group in model.groups.iter() {
        for version in ["v9", "v9beta1", "v9alpha1"] {
            let config = if group.family == Family::Config { "config " } else { "" };
            let id = format!("{config}{}/{version}", group.name);
            all.push((Proposal::ApiVersion { kinds: Vec::new() }, id));
        }
    }
    all
}

/// Errors by rule, code, element and what is said.
fn errors(evaluation: &Evaluation) -> BTreeSet<(String, String, String)> {
    let findings = evaluation.findings().iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| {
            let element = finding.element.clone().unwrap_or_default();
            (finding.rule.to_owned(), finding.code.to_string(), element)
        })
        .collect()
}

/// What an evaluation has declared, by element.
fn declared(evaluation: &Evaluation) -> BTreeSet<String> {
    let model = evaluation.model();
    let of = |id| {
        model.declared_of(id).iter().map(move |said| {
            (
                model.id(id),
                said.event.life,
                said.event.what,
                said.event.step,
                said.release,
            )
        })
    };
    model
        .elements()
        .flat_map(|(id, _)| of(id))
        .map(|said| format!("{said:?}"))
        .collect()
}

/// Holds of one proposal that what is allowed brings no new error and takes nothing away, and that what is refused
/// because it is too soon has a soonest release that is accepted.
fn hold(world: &World, text: &str, base: &Evaluation, (proposal, element): &(Proposal, String)) {
    let evaluate = |texts: &[String]| load(world, &texts[0], None);
    let texts = [text.to_owned()];
    let ask = |at: &[(String, String)]| {
        let request = Request {
            proposal: proposal.clone(),
            element,
            from: None,
            at,
        };
        propose(&request, base, &texts, evaluate)
    };
    let Ok(rollout) = ask(&[]) else { return };
    let about = || format!("{proposal:?} {element}\n{text}\n{}", rollout.texts[0]);
    if rollout.is_allowed() {
        let with = evaluate(&rollout.texts).unwrap_or_else(|errors| panic!("{errors:?} {}", about()));
        let new: Vec<_> = errors(&with).difference(&errors(base)).cloned().collect();
        assert!(new.is_empty(), "{new:?} {}", about());
        let lost: Vec<_> = declared(base).difference(&declared(&with)).cloned().collect();
        assert!(lost.is_empty(), "{lost:?} {}", about());
    }
    let next = base.model().calendar.name(base.model().calendar.next());
    let at = |release: &str| [("removed".to_owned(), release.to_owned())];
    let Ok(refused) = ask(&at(&next)) else { return };
    let report = refused.report(base, &Sources::new());
    if let Some(soonest) = report.soonest.iter().find(|at| at.step == "removed") {
        let accepted = ask(&at(soonest.release.release)).unwrap_or_else(|problem| panic!("{problem} {}", about()));
        assert_eq!(
            accepted.is_allowed(),
            rollout.is_allowed(),
            "{} {accepted:?} {}",
            soonest.release.release,
            about()
        );
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn what_is_allowed_brings_no_error_and_what_is_too_soon_has_a_soonest(world in world()) {
        let text = world.text();
        let base = load(&world, &text, None).expect("the model can be read");
        for proposal in every_proposal(&base) {
            hold(&world, &text, &base, &proposal);
        }
    }
}

#[test]
fn what_is_written_has_all_that_was_there() {
    let text = DATED.replace(
        "v1beta1 = { introduced = \"1.1\" }",
        "v1beta1 = { introduced = \"1.1\" } # ours",
    );
    let rollout = proposed(&text, Proposal::Removal, "example.com/v1beta1", None, &[]).expect("it can be proposed");
    assert!(
        rollout.texts[0].contains("removed = \"1.7\" } # ours"),
        "{}",
        rollout.texts[0]
    );
    let again = proposed(&rollout.texts[0], Proposal::Removal, "example.com/v1beta1", None, &[]);
    let problem = again.expect_err("its end is declared now");
    assert!(problem.message.contains("is removed in 1.7"), "{problem}");
}

/// A model with one element of each kind that is not built in, and of one that it declares.
const KINDS: &str = r#"policy = "months-and-releases"
[element-kind.webhook-event]
[calendar]
current = "1.2"
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2024-01-10
"1.1" = 2024-05-10
"1.2" = 2024-09-10
[endpoint]
"GET /v1/a" = { introduced = "1.0", deprecated = "1.1" }
[parameter]
"GET /v1/a limit" = { introduced = "1.0", deprecated = "1.1" }
[env-var]
HOME = { introduced = "1.0" }
[config-key]
"server.tls" = { introduced = "1.0", deprecated = "1.2" }
[symbol]
"a::b" = { introduced = "1.0", deprecated = "1.1" }
[error-code]
E1 = { introduced = "1.0" }
[file-format]
"plan v1" = { introduced = "1.0", deprecated = "1.1" }
[webhook-event]
"a.freed" = { introduced = "1.0", deprecated = "1.1" }
"#;

#[expect(clippy::disallowed_methods, reason = "the model is a file that the program edits")]
#[test]
fn elements_of_any_kind_are_proposed_judged_fixed_and_kept_from_being_rewritten() {
    let ids = [
        "endpoint GET /v1/a",
        "parameter GET /v1/a limit",
        "env-var HOME",
        "config-key server.tls",
        "symbol a::b",
        "error-code E1",
        "file-format plan v1",
        "webhook-event a.freed",
    ];
    for id in ids {
        let files = folder(&[("lifecycle.toml", KINDS), ("base.toml", KINDS)]);
        let run = |arguments: &[&str]| run_in(&files, arguments);
        let path = files.path().join("lifecycle.toml");
        run(&["propose", "removal", id, "--write"])
            .ended(0)
            .says(&["written: lifecycle.toml"]);
        run(&["check", "--base", "base.toml"]).ended(0);
        let proposed = std::fs::read_to_string(&path).expect("the model can be read");
        let (_, name) = id.split_once(' ').expect("an id");
        let line = proposed
            .lines()
            .find(|line| line.starts_with(&format!("{} = {{", key(name))));
        let line = line.unwrap_or_else(|| panic!("{id} is not in {proposed}"));
        let release = line
            .rsplit_once("removed = \"")
            .and_then(|(_, rest)| rest.split('"').next());
        let release = release.unwrap_or_else(|| panic!("no removal in {line}"));
        // One release earlier is too early, and is fixed to the same release.
        let minor: u32 = release
            .strip_prefix("1.")
            .and_then(|minor| minor.parse().ok())
            .expect("a release");
        let early = format!("1.{}", minor - 1);
        let sooner = proposed.replace(
            line,
            &line.replace(&format!("removed = \"{release}\""), &format!("removed = \"{early}\"")),
        );
        std::fs::write(&path, sooner).expect("the model can be written");
        run(&["check"]).ended(1).says(&["early", id]);
        run(&["fix", "--write"]).ended(0);
        assert_eq!(
            std::fs::read_to_string(&path).expect("the model can be read"),
            proposed,
            "{id}"
        );
        std::fs::write(&path, KINDS).expect("the model can be written");
        run(&["check", "--remove", &format!("{id}@{release}")])
            .ended(0)
            .says(&[": allowed"]);
        run(&["check", "--remove", &format!("{id}@{early}")])
            .ended(1)
            .says(&["not allowed", release]);
        let rewritten = KINDS.replace(
            &format!("{} = {{ introduced = \"1.0\"", key(name)),
            &format!("{} = {{ introduced = \"1.1\"", key(name)),
        );
        assert_ne!(rewritten, KINDS, "{id}");
        std::fs::write(&path, rewritten).expect("the model can be written");
        run(&["check", "--base", "base.toml"])
            .ended(1)
            .says(&["was introduced in 1.0, which has shipped", id]);
    }
}

/// A key as the model above writes it.
fn key(name: &str) -> String {
    let is_bare = name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_bare {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}
