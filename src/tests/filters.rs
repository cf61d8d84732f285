//! What filters choose.

use crate::evaluate::{ElementState, Evaluation, Filter};
use crate::{Document, Load, Sources};

const MODEL: &str = r#"
[calendar]
current = "1.3"
cadence = { months = 4 }
releases = { "1.0" = 2023-01-01, "1.1" = 2023-05-01, "1.2" = 2023-09-01, "1.3" = 2024-01-01 }
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.2", owner = "team-a" }
v1 = { introduced = "1.2" }
[group."example.com".kind]
Widget = { version = { v1beta1 = {}, v1 = {} } }
Gadget = { version = { v1beta1 = { owner = "team-b" } } }
[group."later.example.com".version]
v2 = { introduced = "1.4" }
[gate.Old]
specs = [{ stage = "alpha", since = "1.0", default = false }, { stage = "GA", since = "1.1", default = true, locked = true }]
[gate.New]
specs = [{ stage = "alpha", since = "1.3", default = false }]
[behavior.late]
deprecated = "1.1"
removed = "1.2"
"#;

fn evaluation() -> Evaluation {
    let documents = [Document::parse(crate::FileId(0), MODEL)];
    Load::new(&documents).evaluate().expect("a model")
}

fn chosen(filter: &Filter) -> Vec<String> {
    let mut evaluation = evaluation();
    evaluation.select(filter).expect("a filter");
    let report = evaluation.report(&Sources::new());
    report.elements.iter().map(|element| element.id.to_owned()).collect()
}

fn refused(filter: &Filter) -> String {
    let error = evaluation().select(filter).expect_err("an error");
    format!("{error}; {}", error.help)
}

fn of(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn patterns_match_ids_and_names_without_a_wildcard_match_last_names() {
    let table: [(&str, &[&str]); 5] = [
        ("example.com/v1beta1", &["example.com/v1beta1"]),
        (
            "example.com/v1beta1*",
            &[
                "example.com/v1beta1",
                "example.com/v1beta1 Gadget",
                "example.com/v1beta1 Widget",
            ],
        ),
        ("gate *", &["gate New", "gate Old"]),
        ("Widget", &["example.com/v1 Widget", "example.com/v1beta1 Widget"]),
        ("Old", &["gate Old"]),
    ];
    for (pattern, ids) in table {
        let filter = Filter {
            elements: of(&[pattern]),
            ..Filter::default()
        };
        assert_eq!(chosen(&filter), ids, "{pattern}");
    }
}

#[test]
fn a_part_has_the_owner_of_what_it_is_part_of_unless_it_has_its_own() {
    let filter = Filter {
        owners: of(&["team-a"]),
        ..Filter::default()
    };
    assert_eq!(chosen(&filter), ["example.com/v1beta1", "example.com/v1beta1 Widget"]);
    let filter = Filter {
        owners: of(&["team-?"]),
        kinds: of(&["Gadget"]),
        ..Filter::default()
    };
    assert_eq!(chosen(&filter), ["example.com/v1beta1 Gadget"]);
}

#[test]
fn states_are_those_of_the_current_release() {
    let table: [(ElementState, &[&str]); 4] = [
        (ElementState::Upcoming, &["later.example.com/v2"]),
        (ElementState::Removed, &["behavior late"]),
        (
            ElementState::Served,
            &[
                "example.com/v1",
                "example.com/v1 Gadget",
                "example.com/v1 Widget",
                "gate New",
            ],
        ),
        (ElementState::Declared, &["later.example.com/v2"]),
    ];
    for (state, ids) in table {
        let filter = Filter {
            states: vec![state],
            ..Filter::default()
        };
        assert_eq!(chosen(&filter), ids, "{state:?}");
    }
    let open = chosen(&Filter {
        states: vec![ElementState::Open],
        ..Filter::default()
    });
    assert!(
        open.contains(&"gate Old".to_owned()) && !open.contains(&"behavior late".to_owned()),
        "{open:?}"
    );
}

#[test]
fn releases_are_those_of_events_deadlines_and_earliest_removals() {
    let table: [(&str, &str, bool); 6] = [
        ("1.4", "later.example.com/v2", true),
        ("next", "later.example.com/v2", true),
        ("current", "gate New", true),
        ("1.5", "example.com/v1beta1", true),
        ("..1.1", "gate Old", true),
        ("1.2..1.3", "behavior late", true),
    ];
    for (range, id, expected) in table {
        let filter = Filter {
            releases: Some(range.to_owned()),
            ..Filter::default()
        };
        assert_eq!(chosen(&filter).contains(&id.to_owned()), expected, "{range} {id}");
    }
    let filter = Filter {
        releases: Some("1.0".to_owned()),
        ..Filter::default()
    };
    assert!(!chosen(&filter).contains(&"later.example.com/v2".to_owned()));
}

#[test]
fn a_name_that_the_model_lacks_is_refused_with_a_near_one() {
    let table = [
        (
            Filter {
                elements: of(&["gate Odl"]),
                ..Filter::default()
            },
            "gate Old",
        ),
        (
            Filter {
                groups: of(&["example.co"]),
                ..Filter::default()
            },
            "did you mean `example.com`?",
        ),
        (
            Filter {
                kinds: of(&["gat"]),
                ..Filter::default()
            },
            "did you mean `gate`?",
        ),
        (
            Filter {
                owners: of(&["x*"]),
                ..Filter::default()
            },
            "owners: team-a, team-b",
        ),
        (
            Filter {
                releases: Some("1.4..1.2".to_owned()),
                ..Filter::default()
            },
            "earlier release first",
        ),
        (
            Filter {
                releases: Some("9.9".to_owned()),
                ..Filter::default()
            },
            "--in 9.9: ",
        ),
    ];
    for (filter, part) in table {
        assert!(refused(&filter).contains(part), "{}", refused(&filter));
    }
}

#[test]
fn that_nothing_meets_all_criteria_is_said_with_what_each_of_them_meets() {
    let filter = Filter {
        groups: of(&["gates"]),
        states: vec![ElementState::Overdue],
        ..Filter::default()
    };
    let nothing = evaluation().select(&filter).expect("a filter").expect("nothing");
    assert_eq!(
        nothing,
        "no element matches all of the filters (--group gates: 2, --state overdue: 0)"
    );
}
