//! The model of Kubernetes among the examples against facts that were collected without its importers.

use std::collections::BTreeMap;

use lifecycle::report::Moment;
use lifecycle::source::Sources;

use super::{Data, KNOWN, agree, list, minor, word};
use crate::support::evaluate;

const EXAMPLE: &str = include_str!("../../../examples/kubernetes/lifecycle.toml");

/// A release the facts may know.
fn known(release: Option<&str>) -> Option<&str> {
    release.filter(|release| minor(release) <= KNOWN)
}

#[test]
fn each_kind_begins_and_ends_when_the_code_of_kubernetes_says() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/lifecycle.json");
    let evaluation = evaluate(EXAMPLE).expect("the example can be read");
    let sources = Sources::new();
    let report = evaluation.report(&sources);
    let elements: BTreeMap<&str, _> = report.elements.iter().map(|element| (element.id, element)).collect();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for fact in list(&facts, "kinds") {
        let group = Some(word(&fact["group"]))
            .filter(|group| !group.is_empty())
            .unwrap_or("core");
        let id = format!("{group}/{} {}", word(&fact["version"]), word(&fact["kind"]));
        let Some(element) = elements.get(id.as_str()) else {
            wrong.push(format!("{id} is missing"));
            continue;
        };
        let events = [
            ("introduced", &element.introduced),
            ("deprecated", &element.deprecated),
            ("removed", &element.removed),
        ];
        for (event, moment) in events {
            let said: Option<&Moment<'_>> = moment.as_ref().filter(|moment| moment.declared == Some(true));
            let ours = known(said.map(|moment| moment.release));
            let theirs = known(fact[event].as_str());
            compared += 1;
            if ours != theirs {
                wrong.push(format!("{id} {event}: {ours:?}, but the code says {theirs:?}"));
            }
        }
    }
    agree(&wrong);
    assert_eq!(compared, 540, "events of 180 kinds");
}
