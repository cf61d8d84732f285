//! Ends that are neither declared nor planned: the soonest release of each leaves time for a move to a new version.

#![cfg(test)]

use lifecycle::Sources;

use super::support::evaluate;

const CALENDAR: &str = r#"
policy = "kubernetes"
calendar.current = "1.2"
calendar.cadence = { months = 4 }
[calendar.releases]
"1.0" = 2022-01-01
"1.1" = 2022-05-01
"1.2" = 2022-09-01
"1.3" = 2023-01-01
"2.0" = 2023-05-01
"2.1" = 2023-09-01
"2.2" = 2024-01-01
"3.0" = 2024-05-01
"#;

/// The earliest removals of elements, by the start of their ids.
fn earliest(model: &str, ids: &str) -> Vec<String> {
    let evaluation = evaluate(&format!("{CALENDAR}{model}")).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let report = evaluation.report(&Sources::new());
    let elements = report.elements.iter().filter(|element| element.id.starts_with(ids));
    let removals = elements.map(|element| element.earliest_removal.map(|moment| moment.release.to_owned()));
    removals.map(Option::unwrap_or_default).collect()
}

#[test]
fn a_version_stays_for_the_move_from_all_of_its_kinds_though_each_could_go_before() {
    let evaluation = evaluate(&format!(
        "{CALENDAR}
[group.\"g.example\".version]
v1 = {{ introduced = \"1.0\" }}
v2 = {{ introduced = \"2.0\" }}
[group.\"g.example\".kind]
Widget.versions = [\"v1\"]
Gadget.versions = [\"v1\"]
New.versions = [\"v2\"]
"
    ));
    let evaluation = evaluation.unwrap_or_else(|errors| panic!("{errors:#?}"));
    let model = evaluation.model();
    for (id, soonest) in [("g.example/v1 Widget", "2.0"), ("g.example/v1", "2.1")] {
        let element = model.find(id).expect("it is an element");
        let end = evaluation.reasoning().soonest_end(element);
        assert_eq!(model.calendar.name(end.release), soonest, "{id}");
    }
}

#[test]
fn a_version_without_kinds_stays_for_the_move_to_the_one_that_begins_when_it_could_end() {
    let model = "
[group.\"g.example\".version]
v1 = { introduced = \"1.2\", deprecated = \"1.2\" }
v1alpha1 = { introduced = \"1.0\" }
v1alpha2 = { introduced = \"2.0\" }
";
    assert_eq!(earliest(model, "g.example/v1"), ["2.1", "2.1", "1.3"]);
}

#[test]
fn a_kind_stays_for_the_move_to_the_version_that_begins_when_it_could_end() {
    let model = "
[group.\"g.example\".version]
v2 = { introduced = \"1.0\", deprecated = \"1.1\" }
v1 = { introduced = \"2.0\" }
[group.\"g.example\".kind.Widget]
[group.\"g.example\".kind.Gadget]
";
    assert_eq!(earliest(model, "g.example/v2"), ["2.1", "2.1", "2.1"]);
}
