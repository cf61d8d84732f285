//! Rule 1 over the fields that left the API of Kubernetes, or changed, between 1.8 and 1.31.
//!
//! The data names messages as the code does. By what path users know them, and which gate a field was behind, stands
//! here; a test that finds an entry without it fails.

use std::collections::BTreeMap;

use lifecycle::diagnostic::{Diagnostic, Severity};
use serde_json::Value;

use super::{Data, KNOWN, Surface, agree, brief, entry, group_name, list, minor, word};
use crate::tests::support::findings;

/// The entries of gates.
const GATES: [(&str, &str); 8] = [
    ("Accelerators", "alpha 1.6"),
    ("DynamicKubeletConfig", "alpha 1.4, beta 1.11"),
    ("DynamicResourceAllocation", "alpha 1.26, beta 1.32"),
    ("GenericEphemeralVolume", "alpha 1.19, beta 1.21"),
    ("IPv6DualStack", "alpha 1.15, beta 1.21"),
    ("NetworkPolicyStatus", "alpha 1.24"),
    ("RecoverVolumeExpansionFailure", "alpha 1.23, beta 1.32"),
    ("ServiceTopology", "alpha 1.17, deprecated 1.20"),
];

/// The first release with a gate.
pub(super) fn first_with(gate: &str) -> &'static str {
    let known = GATES.iter().find(|(known, _)| *known == gate);
    let (_, specs) = known.unwrap_or_else(|| panic!("{gate} is no gate of the list"));
    let first = specs.split([' ', ',']).nth(1);
    first.expect("a stage and its release")
}

/// The gates that a text names, declared.
fn gates(text: &str) -> String {
    let named = GATES.iter().filter(|(gate, _)| text.contains(gate));
    let declared = named.map(|(gate, specs)| {
        let specs = specs.split(", ").map(|spec| {
            let (stage, since) = spec.split_once(' ').expect("a stage and its release");
            let on = stage == "beta";
            format!("{{ stage = \"{stage}\", since = \"{since}\", default = {on} }}")
        });
        let specs: Vec<String> = specs.collect();
        format!("[gate.{gate}]\nspecs = [{}]\n", specs.join(", "))
    });
    declared.collect()
}

/// The kinds of Kubernetes, as they were served.
pub(super) struct Served<'d> {
    data: &'d Data,
    facts: Value,
}

/// When a kind was there.
pub(super) struct Life {
    introduced: String,
    deprecated: Option<String>,
    /// The first release that did not serve it any more.
    pub removed: Option<String>,
}

impl<'d> Served<'d> {
    pub fn new(data: &'d Data) -> Self {
        let facts = data.json("kubernetes/lifecycle.json");
        Self { data, facts }
    }

    /// The kinds of a version, with the releases that really served them. What never was a resource of its own is left
    /// out if the code does not have it any more.
    pub fn kinds(&self, group: &str, version: &str) -> BTreeMap<&str, Life> {
        let of_version = |fact: &&Value| fact["group"] == group && fact["version"] == version;
        let kinds = list(&self.facts, "kinds").iter().filter(of_version);
        kinds
            .filter(|fact| fact["first_release_served"].is_string() || fact["still_in_package"] == true)
            .filter_map(|fact| {
                let known = ["introduced", "first_release_served"].map(|key| fact[key].as_str());
                let introduced = known.into_iter().flatten().min_by_key(|name| minor(name))?;
                let last = fact["last_release_served"].as_str().map(minor);
                let removed = last.filter(|last| *last < KNOWN).map(|last| format!("1.{}", last + 1));
                let life = Life {
                    introduced: introduced.to_owned(),
                    deprecated: fact["deprecated"].as_str().map(str::to_owned),
                    removed,
                };
                Some((word(&fact["kind"]), life))
            })
            .collect()
    }

    /// A version with its kinds as of a release, what `parts` says of them, and the gates it names.
    pub fn model(&self, group: &str, version: &str, as_of: &str, parts: &str) -> String {
        let mut surface = Surface::default();
        for (kind, life) in self.kinds(group, version) {
            let life = entry(&[
                ("introduced", Some(&life.introduced)),
                ("deprecated", life.deprecated.as_deref()),
                ("removed", life.removed.as_deref()),
            ]);
            surface.add(group, version, kind, life);
        }
        let calendar = self.data.calendar(&format!("current = \"{as_of}\""));
        format!("{calendar}{}{parts}{}", surface.toml(), gates(parts))
    }
}

/// The severity of a finding, and its code.
pub(super) type Verdict = (Severity, &'static str);

pub(super) const ERROR: Verdict = (Severity::Error, "removed-early");
pub(super) const WARNING: Verdict = (Severity::Warning, "removed-early");
pub(super) const NO_TOMBSTONE: Verdict = (Severity::Warning, "tombstone-missing");

/// What the rule says of an element in a model that can be read; of any other, it says nothing.
pub(super) fn verdicts(model: &str, id: &str) -> Vec<String> {
    let found = findings(model);
    assert!(found.iter().all(|found| found.rule != "model"), "{}", brief(model));
    let of_rule: Vec<Diagnostic> = found
        .into_iter()
        .filter(|found| found.rule == "element-removal")
        .collect();
    let other = of_rule.iter().find(|found| found.element.as_deref() != Some(id));
    assert!(other.is_none(), "{id}: {other:?}");
    of_rule
        .into_iter()
        .map(|found| format!("{} {}", found.severity, found.code))
        .collect()
}

/// A verdict in the words of [`verdicts`].
pub(super) fn in_words(verdict: Option<Verdict>) -> Vec<String> {
    verdict
        .map(|(severity, code)| format!("{severity} {code}"))
        .into_iter()
        .collect()
}

/// How a message is reached: its kind, and the path to it.
const MESSAGES: [(&str, &str, &str); 19] = [
    ("BoundObjectReference", "TokenRequest", "spec.boundObjectRef."),
    ("EphemeralVolumeSource", "Pod", "spec.volumes.ephemeral."),
    ("EventSeries", "Event", "series."),
    ("IngressClassSpec", "IngressClass", "spec."),
    ("IngressStatus", "Ingress", "status."),
    ("Lifecycle", "Pod", "spec.containers.lifecycle."),
    ("MutatingWebhook", "MutatingWebhookConfiguration", "webhooks."),
    ("MutatingWebhookConfiguration", "MutatingWebhookConfiguration", ""),
    ("NetworkPolicy", "NetworkPolicy", ""),
    ("NodeConfigSource", "Node", "spec.configSource."),
    ("ParentReference", "IPAddress", "spec.parentRef."),
    ("PersistentVolumeClaimSpec", "PersistentVolumeClaim", "spec."),
    ("PersistentVolumeClaimStatus", "PersistentVolumeClaim", "status."),
    ("PersistentVolumeSource", "PersistentVolume", "spec."),
    ("PodResourceClaim", "Pod", "spec.resourceClaims."),
    ("Probe", "Pod", "spec.containers.livenessProbe."),
    ("ServiceSpec", "Service", "spec."),
    ("ValidatingWebhook", "ValidatingWebhookConfiguration", "webhooks."),
    ("ValidatingWebhookConfiguration", "ValidatingWebhookConfiguration", ""),
];

/// The first release with a field that went, and the gate it was behind where the data says that there was one.
const FIELDS: [(&str, &str, &str); 10] = [
    ("IPAddress .spec.parentRef.uid", "1.27", ""),
    ("Event .series.state", "1.9", ""),
    ("NetworkPolicy .status", "1.24", "NetworkPolicyStatus"),
    ("Node .spec.configSource.configMapRef", "1.8", "DynamicKubeletConfig"),
    (
        "PersistentVolumeClaim .spec.resources.claims",
        "1.26",
        "DynamicResourceAllocation",
    ),
    (
        "PersistentVolumeClaim .status.resizeStatus",
        "1.23",
        "RecoverVolumeExpansionFailure",
    ),
    ("Pod .spec.resourceClaims.source", "1.26", "DynamicResourceAllocation"),
    ("Pod .spec.volumes.ephemeral.readOnly", "1.19", "GenericEphemeralVolume"),
    ("Service .spec.ipFamily", "1.16", "IPv6DualStack"),
    ("Service .spec.topologyKeys", "1.17", "ServiceTopology"),
];

/// A change as a model: its text, and the id of the field that went or stayed.
struct Change {
    text: String,
    id: String,
}

/// What of a change a test leaves out, to see that it mattered.
#[derive(Clone, Copy, PartialEq)]
enum Without {
    Nothing,
    Tombstone,
    Gate,
}

fn change(served: &Served<'_>, fact: &Value, without: Without) -> Change {
    let message = word(&fact["message"]);
    let known = MESSAGES.iter().find(|(known, ..)| *known == message);
    let (_, kind, prefix) = known.unwrap_or_else(|| panic!("{message} is no message of the list"));
    let [group, name, field] = ["group", "version", "field"].map(|key| word(&fact[key]));
    let (group, release) = (group_name(group), word(&fact["between"][1]));
    let reached = list(fact, "reachable_from");
    let id = format!("{group}/{name} {kind}");
    assert!(reached.is_empty() || reached.iter().any(|known| *known == *id), "{id}");
    // Users know a field by its name in JSON.
    let json = fact["old"]["json"]
        .as_str()
        .filter(|json| *json != "(inline)")
        .unwrap_or(field);
    let (path, life) = match (word(&fact["change"]), fact["lost_fields"].as_array()) {
        ("REMOVED", _) => (
            format!("{prefix}{json}"),
            gone(kind, &format!("{prefix}{json}"), fact, without),
        ),
        ("RETYPED", Some(lost)) if !lost.is_empty() => {
            assert_eq!(lost.len(), 1, "{id}");
            let path = format!("{prefix}{json}.{}", word(&lost[0]));
            let life = gone(kind, &path, fact, without);
            (path, life)
        }
        _ => (format!("{prefix}{json}"), format!("tag = {}", fact["old"]["number"])),
    };
    let parts = format!("[group.\"{group}\".kind.{kind}.field.\"{path}\"]\nin = {{ {name} = {{ {life} }} }}\n");
    Change {
        text: served.model(word(&fact["group"]), name, release, &parts),
        id: format!("{id} .{path}"),
    }
}

/// The entry of a field that went.
fn gone(kind: &str, path: &str, fact: &Value, without: Without) -> String {
    let id = format!("{kind} .{path}");
    let known = FIELDS.iter().find(|(known, ..)| *known == id);
    let (_, introduced, gate) = known.unwrap_or_else(|| panic!("{id} is no field of the list"));
    let gated = fact["alpha_gated"] == true && without != Without::Gate;
    let mut life = entry(&[
        ("introduced", Some(introduced)),
        ("removed", fact["between"][1].as_str()),
        ("gated-by", Some(*gate).filter(|_| gated)),
    ]);
    if fact["tombstone"].is_object() && without != Without::Tombstone {
        life += ", tombstone = true";
    }
    life
}

/// The assessment of a change to a version that is not served any more.
const NOT_SERVED: &str = "version no longer served when it happened";

/// What an assessment means to the rule.
fn assessed(assessment: &str) -> Option<Verdict> {
    if assessment == "Rule #1 violation" {
        Some(ERROR)
    } else if assessment.starts_with("literal Rule #1 violation in an alpha version") {
        Some(WARNING)
    } else if assessment.ends_with("tombstone absent") {
        Some(NO_TOMBSTONE)
    } else {
        None
    }
}

#[test]
fn every_change_of_a_field_gets_the_verdict_of_its_assessment() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/field_changes.json");
    let served = Served::new(&data);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for fact in list(&facts, "changes") {
        let assessment = word(&fact["assessment"]);
        *counts.entry(assessment).or_default() += 1;
        let change = change(&served, fact, Without::Nothing);
        if assessment == NOT_SERVED {
            // The code had the field, and no release served it: a model cannot say that it was introduced then.
            let found = findings(&change.text);
            let codes: Vec<(&str, &str)> = found.iter().map(|found| (found.rule, &*found.code)).collect();
            assert_eq!(codes, [("model", "order")], "{}", change.id);
            continue;
        }
        let found = verdicts(&change.text, &change.id);
        if found != in_words(assessed(assessment)) {
            wrong.push(format!("{}: {found:?}: {assessment}", change.id));
        }
    }
    agree(&wrong);
    let gated = "alpha-gated field in a beta/GA version: api_changes.md allows removal with a tombstone; tombstone";
    let expected = [
        ("Rule #1 violation", 2),
        (
            "literal Rule #1 violation in an alpha version (tolerated in practice)",
            1,
        ),
        (&format!("{gated} absent"), 1),
        (&format!("{gated} present"), 7),
        (NOT_SERVED, 1),
        ("compatible: the new message only adds fields", 12),
        ("not visible in JSON or on the wire", 7),
        (
            "proto field renamed, JSON name and number unchanged: not a violation",
            1,
        ),
    ];
    assert_eq!(counts, expected.into_iter().collect());
}

#[test]
fn fields_behind_alpha_gates_went_in_silence_for_their_gate_and_their_tombstone() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/field_changes.json");
    let served = Served::new(&data);
    let gated = |fact: &&Value| word(&fact["assessment"]).ends_with("tombstone present");
    let mut wrong = Vec::new();
    for fact in list(&facts, "changes").iter().filter(gated) {
        for (without, expected) in [(Without::Tombstone, NO_TOMBSTONE), (Without::Gate, ERROR)] {
            let change = change(&served, fact, without);
            let found = verdicts(&change.text, &change.id);
            if found != in_words(Some(expected)) {
                wrong.push(format!("{}: {found:?}, not {expected:?}", change.id));
            }
        }
    }
    agree(&wrong);
}
