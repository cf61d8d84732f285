//! The lifecycle of a CRD's versions.

#![cfg(test)]

use lifecycle::diagnostic::Severity;
use lifecycle::schema::{Definition, Verdict, read};
use serde_json::{Value as Json, json};

use crate::schemas::{compare, diff, policy, sides, widgets};

/// A CRD of these versions, all with the same schema.
fn definition(versions: &[Json]) -> Json {
    let whole = |version: &Json| {
        let mut whole = json!({
            "served": true,
            "storage": false,
            "schema": { "openAPIV3Schema": { "type": "object" } },
        });
        let said = version.as_object().expect("a version is a table").clone();
        whole.as_object_mut().expect("it is a table").extend(said);
        whole
    };
    widgets(&versions.iter().map(whole).collect::<Vec<_>>())
}

fn definitions(whole: &Json) -> Vec<Definition> {
    read(&whole.to_string()).expect("it can be read").definitions
}

/// Version, verdict, severity and code of each change that is not compatible, or is an error.
fn reported(old: &Json, new: &Json) -> Vec<String> {
    let report = compare(old, new);
    let reported = report
        .changes
        .iter()
        .filter(|change| change.verdict != Verdict::Compatible || change.severity == Severity::Error);
    reported
        .map(|change| {
            let version = change.version.as_deref().unwrap_or("-");
            format!(
                "{version} {} {} {}",
                change.verdict,
                change.severity,
                change.code.as_str()
            )
        })
        .collect()
}

/// What is reported when a version is no longer served, and when it is removed.
fn ended(name: &str, deprecated: bool) -> [Vec<String>; 2] {
    let stored = json!({ "name": "v2", "storage": true });
    let other = json!({ "name": name, "deprecated": deprecated, "deprecationWarning": "use v2" });
    let mut unserved = other.clone();
    unserved["served"] = json!(false);
    let old = definition(&[stored.clone(), other]);
    let without = definition(std::slice::from_ref(&stored));
    [
        reported(&old, &definition(&[stored, unserved])),
        reported(&old, &without),
    ]
}

#[test]
fn the_verdict_on_a_removed_version_depends_on_track_and_deprecation() {
    for (name, deprecated, verdict) in [
        ("v1alpha1", false, "breaking warning"),
        ("v1alpha1", true, "breaking warning"),
        ("v1beta1", false, "breaking error"),
        ("v1beta1", true, "risky warning"),
        ("v1", false, "breaking error"),
        ("v1", true, "breaking error"),
        ("first", true, "breaking error"),
    ] {
        let expected = [
            [format!("{name} {verdict} version-unserved")],
            [format!("{name} {verdict} version-removed")],
        ];
        assert_eq!(ended(name, deprecated), expected, "{name} {deprecated}");
    }
}

#[test]
fn a_version_that_objects_may_be_stored_in_must_stay() {
    let stored = json!({ "name": "v1", "storage": true });
    let unserved = json!({ "name": "v1alpha1", "served": false });
    let (plain_old, plain_new) = (
        definition(&[stored.clone(), unserved.clone()]),
        definition(std::slice::from_ref(&stored)),
    );
    let with = |whole: &Json, stored: Json| {
        let mut whole = whole.clone();
        whole["status"] = json!({ "storedVersions": stored });
        whole
    };
    let held = ["v1alpha1 breaking error stored-version-removed"];
    assert_eq!(reported(&with(&plain_old, json!(["v1", "v1alpha1"])), &plain_new), held);
    assert_eq!(reported(&plain_old, &with(&plain_new, json!(["v1", "v1alpha1"]))), held);
    assert_eq!(reported(&with(&plain_old, json!(["v1"])), &plain_new), [""; 0]);
    assert_eq!(
        reported(&plain_old, &plain_new),
        ["v1alpha1 risky warning unserved-version-removed"]
    );
}

#[test]
fn the_new_storage_version_has_to_be_served_before() {
    let version =
        |name: &str, served: bool, storage: bool| json!({ "name": name, "served": served, "storage": storage });
    let moved = ["- breaking error storage-moved-to-new-version"];
    for (old, new, expected) in [
        // A new version, and one that was not served.
        (
            vec![version("v1beta1", true, true)],
            [("v1beta1", true), ("v1", true)],
            &moved[..],
        ),
        (
            vec![version("v1beta1", true, true), version("v1", false, false)],
            [("v1beta1", true), ("v1", true)],
            &moved,
        ),
        (
            vec![version("v1alpha1", true, true)],
            [("v1alpha1", true), ("v1", true)],
            &moved,
        ),
        // A version that was served before.
        (
            vec![version("v1beta1", true, true), version("v1", true, false)],
            [("v1beta1", true), ("v1", true)],
            &[],
        ),
        // A removed alpha version is the only one.
        (
            vec![version("v1alpha1", true, true)],
            [("v1alpha1", false), ("v1", true)],
            &["v1alpha1 breaking warning version-unserved"],
        ),
    ] {
        let new = new.map(|(name, served)| version(name, served, name == "v1"));
        assert_eq!(
            reported(&definition(&old), &definition(&new)),
            expected,
            "{old:?} {new:?}"
        );
    }
}

#[test]
fn a_version_is_deprecated_for_one_that_is_as_stable() {
    let version = |name: &str, deprecated: bool| {
        json!({ "name": name, "storage": name == "v1", "deprecated": deprecated,
        "deprecationWarning": deprecated.then_some("use another one") })
    };
    let found = |old: &[Json], new: &[Json]| {
        let mut found = reported(&definition(old), &definition(new));
        found.retain(|found| found.contains(" deprecated-"));
        found
    };
    let (ga, beta, late) = (version("v1", false), version("v2beta1", false), version("v1", true));
    let less_stable = ["v1 risky error deprecated-for-less-stable"];
    let nothing = ["v1 risky warning deprecated-without-replacement"];
    let none: [&str; 0] = [];
    assert_eq!(
        found(&[ga.clone(), beta.clone()], &[late.clone(), beta.clone()]),
        less_stable
    );
    assert_eq!(found(std::slice::from_ref(&ga), std::slice::from_ref(&late)), nothing);
    // What was there before is nothing new, and what makes it worse is.
    assert_eq!(
        found(&[late.clone(), beta.clone()], &[late.clone(), beta.clone()]),
        none
    );
    assert_eq!(
        found(&[late.clone(), version("v2", false)], &[late.clone(), beta.clone()]),
        less_stable
    );
    // A version that is as stable, in this group or in another.
    assert_eq!(found(&[ga.clone(), beta], &[late.clone(), version("v2", false)]), none);
    let old = version("v1alpha1", false);
    assert_eq!(
        found(&[ga.clone(), old], &[ga.clone(), version("v1alpha1", true)]),
        none
    );
    let mut moved = late.clone();
    moved["deprecationWarning"] = json!("v1 is deprecated; use apps.example.com/v1 Widget.");
    assert_eq!(found(std::slice::from_ref(&ga), std::slice::from_ref(&moved)), none);
    moved["deprecationWarning"] = json!("use apps.example.com/v1beta1 Widget");
    assert_eq!(found(&[ga], &[moved]), nothing);
}

#[test]
fn a_deprecation_warning_names_the_version_to_use() {
    let with = |said: Json| {
        let mut beta = json!({ "name": "v1beta1" });
        beta.as_object_mut()
            .expect("it is a table")
            .extend(said.as_object().expect("a table").clone());
        definition(&[json!({ "name": "v1", "storage": true }), beta])
    };
    let plain = with(json!({}));
    let silent = with(json!({ "deprecated": true }));
    let spoken = with(json!({ "deprecated": true, "deprecationWarning": "use example.com/v1 Widget" }));
    let unserved = with(json!({ "deprecated": true, "served": false }));
    let finding = ["v1beta1 risky warning deprecated-without-warning"];
    assert_eq!(reported(&plain, &silent), finding);
    assert_eq!(reported(&spoken, &silent), finding);
    assert_eq!(
        reported(&definition(&[json!({ "name": "v1", "storage": true })]), &silent),
        finding
    );
    assert_eq!(reported(&unserved, &silent), finding);
    assert_eq!(reported(&silent, &silent), [""; 0]);
    assert_eq!(reported(&silent, &spoken), [""; 0]);
    assert_eq!(reported(&plain, &spoken), [""; 0]);
    assert_eq!(reported(&silent, &unserved), ["v1beta1 risky warning version-unserved"]);
}

#[test]
fn a_removed_crd_names_its_versions() {
    let old = definition(&[
        json!({ "name": "v1", "storage": true }),
        json!({ "name": "v1beta1" }),
        json!({ "name": "v1alpha1", "served": false }),
    ]);
    let old = definitions(&old);
    let report = diff(&sides("old.json", &old), &[], policy()).expect("they can be compared");
    let messages: Vec<&str> = report.changes.iter().map(|change| change.message.as_str()).collect();
    assert_eq!(messages, ["kind removed: v1, v1beta1"]);
    assert_eq!(report.changes[0].severity, Severity::Error);
}
