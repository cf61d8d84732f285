//! The model of Kubernetes among the examples against facts that were collected without its importers.

use std::collections::BTreeMap;

use lifecycle::Sources;
use lifecycle::report::Moment;
use serde_json::Value;

use super::{Data, KNOWN, list, minor, word};
use crate::tests::support::evaluate;

const EXAMPLE: &str = include_str!("../../tests/../../examples/kubernetes/lifecycle.toml");

/// Types that are registered, but have neither a client nor a list nor a marker: no kinds that anyone uses.
const NO_KINDS: [&str; 5] = [
    "admission.k8s.io/v1alpha1 AdmissionReview",
    "batch/v2alpha1 JobTemplate",
    "core/v1 EphemeralContainers",
    "core/v1 NodeConfigSource",
    "extensions/v1beta1 ReplicationControllerDummy",
];

/// Announcements up to the newest release that the facts cover which did not come true, or were made later: the event,
/// what the example has, what the facts have.
const ANNOUNCED_LATER: [&str; 3] = [
    "admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy deprecated 1.29 -",
    "admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding deprecated 1.29 -",
    // Withdrawn in 1.32, for 1.34.
    "certificates.k8s.io/v1alpha1 ClusterTrustBundle deprecated - 1.29",
];

/// A release the facts may know.
fn known(release: Option<&str>) -> Option<&str> {
    release.filter(|release| minor(release) <= KNOWN)
}

/// When an event of a kind was, by what its code says, or else by when the kind was seen. An alpha that the server no
/// longer serves is removed, though its code may stay.
fn expected(fact: &Value, event: &str) -> Option<String> {
    let seen = |key: &str, later: u32| {
        let release = minor(fact[key].as_str()?) + later;
        (release <= KNOWN).then(|| format!("1.{release}"))
    };
    if event == "removed" && fact["track"] == "alpha" {
        return seen("last_release_served", 1).or_else(|| seen("last_release_in_package", 1));
    }
    match (fact[event].as_str(), event) {
        (Some(said), _) => known(Some(said)).map(str::to_owned),
        (None, "introduced") => seen("first_release_in_package", 0),
        (None, "removed") => seen("last_release_in_package", 1),
        (None, _) => None,
    }
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
    let mut missing = Vec::new();
    for fact in list(&facts, "kinds") {
        let group = Some(word(&fact["group"]))
            .filter(|group| !group.is_empty())
            .unwrap_or("core");
        let id = format!("{group}/{} {}", word(&fact["version"]), word(&fact["kind"]));
        let Some(element) = elements.get(id.as_str()) else {
            missing.push(id);
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
            let theirs = expected(fact, event);
            if ours != theirs.as_deref() {
                wrong.push(format!(
                    "{id} {event} {} {}",
                    ours.unwrap_or("-"),
                    theirs.as_deref().unwrap_or("-")
                ));
            }
        }
    }
    missing.sort();
    assert_eq!(missing, NO_KINDS);
    assert_eq!(wrong, ANNOUNCED_LATER);
}
