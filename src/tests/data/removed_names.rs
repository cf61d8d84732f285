//! Rule 1 over the constants of enumerations and the kinds that left the code of Kubernetes between 1.8 and 1.31, each
//! judged in a table.
//!
//! The data names constants by their types in the code. Where users meet the values of a type, and what became of them,
//! stands here; a test that finds an entry without it fails.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::field_changes::{ERROR, NO_TOMBSTONE, Served, Verdict, WARNING, first_with, in_words, verdicts};
use super::{Data, agree, entry, group_name, list, minor, reported, word};
use crate::tests::support::{agrees_with_snapshot, findings};

/// Types of constants, with a value or a package where only that one is meant; the field that has the values; and what
/// became of them. `gone`: no more than that. `gated`: they were behind this gate, and came in this release. `retyped`:
/// the field has another type, with the same values. `renamed`: the constant is called otherwise, its value is the
/// same. `in`: they belong to a message that no kind which was served had in it.
const TYPES: &str = "\
AllowAllRuntimeClassNames | PodSecurityPolicy spec.runtimeClass.allowedRuntimeClassNames | gone
ClaimResourceStatus | PersistentVolumeClaim status.allocatedResourceStatuses | gated RecoverVolumeExpansionFailure 1.28
ContainerScalingMode | - | in ContainerResourcePolicy
DeletionPropagation | - | in DeleteOptions
EventSeriesState | Event series.state | gone
FSGroupStrategyType | PodSecurityPolicy spec.fsGroup.rule | gone
FSType | PodSecurityPolicy spec.volumes | gone
IPFamilyPolicyType | Service spec.ipFamilyPolicy | retyped IPFamilyPolicy
JobCompletionIndexAnnotationAlpha | - | renamed
KeyUsage | CertificateSigningRequest spec.usages | gone
NodeConditionType=ConfigOK | Node status.conditions.type | gated DynamicKubeletConfig 1.8
NodeConditionType=KubeletConfigOk | Node status.conditions.type | gated DynamicKubeletConfig 1.10
NodeConditionType=OutOfDisk | Node status.conditions.type | gone
OperationType | MutatingWebhookConfiguration webhooks.rules.operations | gone
PersistentVolumeClaimResizeStatus | PersistentVolumeClaim status.resizeStatus | gated RecoverVolumeExpansionFailure 1.23
ResourceName=alpha.kubernetes.io/nvidia-gpu | Pod spec.containers.resources.limits | gated Accelerators 1.3
RunAsGroupStrategy | PodSecurityPolicy spec.runAsGroup.rule | gone
RunAsUserStrategy | PodSecurityPolicy spec.runAsUser.rule | gone
SELinuxStrategy | PodSecurityPolicy spec.seLinux.rule | gone
ScopeType | MutatingWebhookConfiguration webhooks.rules.scope | gone
ServiceExternalTrafficPolicyType | Service spec.externalTrafficPolicy | retyped ServiceExternalTrafficPolicy
ServiceInternalTrafficPolicyType | Service spec.internalTrafficPolicy | retyped ServiceInternalTrafficPolicy
SupplementalGroupsStrategyType | PodSecurityPolicy spec.supplementalGroups.rule | gone
UpdateMode | - | in PodUpdatePolicy
VerticalPodAutoscalerConditionType | - | in VerticalPodAutoscalerCondition
extensions/v1beta1 NetworkPolicyConditionReason | NetworkPolicy status.conditions.reason | gone
extensions/v1beta1 NetworkPolicyConditionType | NetworkPolicy status.conditions.type | gone
networking/v1 NetworkPolicyConditionReason | NetworkPolicy status.conditions.reason | gated NetworkPolicyStatus 1.24
networking/v1 NetworkPolicyConditionType | NetworkPolicy status.conditions.type | gated NetworkPolicyStatus 1.24
";

/// Fields that went with their values, behind the same gate, and are reserved.
const TOMBSTONED: [(&str, &str); 2] = [
    ("NetworkPolicy", "status"),
    ("PersistentVolumeClaim", "status.resizeStatus"),
];

/// The first lines of the table of constants.
const CONSTANTS: &str = "\
# What rule 1 says of each constant that left the code, by the release without it.
#
# served: the version still served the field. Where the field went too, that is a finding of its own.
# older: behind an alpha gate, but there before the gate was.
# gated: behind an alpha gate all its life; nothing keeps its name reserved.
# reserved: the same, and the field it was a value of is gone too, and reserved.
# ended: the version had stopped serving the kind before.
# retyped: the field has another type in the code, with the same values.
# renamed: the constant is called otherwise in the code, its value is the same.
# unreached: part of a message that no kind which was served had in it.

";

/// What became of a constant, in the word of the table, and what the rule has to say of it.
type Fate = (&'static str, Option<Verdict>);

/// A constant that left the code.
struct Constant<'f> {
    group: String,
    version: &'f str,
    /// The first release without it.
    release: &'f str,
    /// Its type.
    of: &'f str,
    value: &'f str,
    /// The field that has it, as a kind and a path; `None` if no field that is served has it.
    field: Option<(&'static str, &'static str)>,
    became: &'static str,
}

impl<'f> Constant<'f> {
    fn new(fact: &'f Value) -> Self {
        let package = word(&fact["package"]);
        let (package_group, version) = package.split_once('/').expect("a group and a version");
        let [of, value] = ["type", "value"].map(|key| word(&fact[key]));
        let names = [format!("{of}={value}"), format!("{package} {of}"), of.to_owned()];
        let rows = || TYPES.lines().map(|line| line.split(" | ").collect::<Vec<_>>());
        let row = names.iter().find_map(|name| rows().find(|row| row[0] == name));
        let row = row.unwrap_or_else(|| panic!("{package} {of} is no type of the list"));
        let group = match package_group {
            "core" => String::new(),
            "admissionregistration" | "certificates" | "networking" => format!("{package_group}.k8s.io"),
            _ => package_group.to_owned(),
        };
        Self {
            group,
            version,
            release: word(&fact["between"][1]),
            of,
            value,
            field: row[1].split_once(' '),
            became: row[2],
        }
    }

    /// As the table names it: a value of a field by its id, another by its type.
    fn id(&self) -> String {
        let version = format!("{}/{}", group_name(&self.group), self.version);
        match self.field {
            Some((kind, path)) => format!("{version} {kind} .{path}={}", self.value),
            None => format!("{version} {}={}", self.of, self.value),
        }
    }

    /// The gate it was behind, and the first release with it.
    fn gated(&self) -> Option<(&'static str, &'static str)> {
        self.became.strip_prefix("gated ")?.split_once(' ')
    }

    /// The field that it went with, whose name is reserved.
    fn tombstoned(&self) -> Option<&'static str> {
        let (kind, path) = self.field?;
        let fields = TOMBSTONED.iter().filter(|(known, _)| *known == kind);
        fields.map(|(_, field)| *field).find(|field| path.starts_with(field))
    }

    /// As a model, in the release without it.
    fn model(&self, served: &Served<'_>) -> String {
        let mut parts = String::new();
        if let Some((kind, path)) = self.field {
            let kept = self.became.starts_with("retyped");
            let life = entry(&[
                ("introduced", self.gated().map(|(_, introduced)| introduced)),
                ("removed", Some(self.release).filter(|_| !kept)),
                ("gated-by", self.gated().map(|(gate, _)| gate)),
            ]);
            let kind = format!("[group.\"{}\".kind.{kind}", group_name(&self.group));
            let in_version = |life: &str| format!("in = {{ {} = {{ {life} }} }}\n", self.version);
            let _ = write!(
                parts,
                "{kind}.enum.\"{path}\".\"{}\"]\n{}",
                self.value,
                in_version(&life)
            );
            if let (Some(field), Some(_)) = (self.tombstoned(), self.gated()) {
                let life = format!("{life}, tombstone = true");
                let _ = write!(parts, "{kind}.field.\"{field}\"]\n{}", in_version(&life));
            }
        }
        served.model(&self.group, self.version, self.release, &parts)
    }

    /// What became of it, by the facts alone.
    fn fate(&self, served: &Served<'_>) -> Fate {
        let Some((kind, _)) = self.field else {
            return (
                if self.became == "renamed" {
                    "renamed"
                } else {
                    "unreached"
                },
                None,
            );
        };
        let life = &served.kinds(&self.group, self.version)[kind];
        let ended = life
            .removed
            .as_ref()
            .is_some_and(|end| minor(end) <= minor(self.release));
        match (ended, self.became, self.gated()) {
            (true, ..) => ("ended", None),
            (_, became, _) if became.starts_with("retyped") => ("retyped", None),
            (.., Some((gate, introduced))) if minor(introduced) < minor(first_with(gate)) => ("older", Some(WARNING)),
            (.., Some(_)) if self.tombstoned().is_some() => ("reserved", None),
            (.., Some(_)) => ("gated", Some(NO_TOMBSTONE)),
            _ => ("served", Some(ERROR)),
        }
    }

    /// What the data says against the list, if anything.
    fn contradiction(&self, facts: &Value, fact: &Value) -> Option<String> {
        let now = list(fact, "value_now_under_types");
        let fine = match self.became.split_once(' ') {
            Some(("retyped", other)) => now.iter().any(|now| now == other),
            Some(("in", message)) => list(facts, "messages_removed").iter().any(|gone| {
                [&gone["message"], &gone["group"], &gone["version"]] == [message, &self.group, self.version]
                    && gone["between"] == fact["between"]
                    && gone["reachable_count"] == 0
            }),
            _ => true,
        };
        (!fine).then(|| format!("{}: not {}", self.id(), self.became))
    }
}

/// Compares a table with the file beside this one.
fn compare(file: &str, table: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data");
    agrees_with_snapshot(&folder.join(file), table);
}

fn or_silent(verdict: &[String]) -> String {
    if verdict.is_empty() {
        "silent".to_owned()
    } else {
        verdict.join(", ")
    }
}

#[test]
fn every_constant_that_left_is_judged_by_what_became_of_it() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/field_changes.json");
    let served = Served::new(&data);
    let constants = list(&facts, "enum_values_removed");
    assert_eq!(constants.len(), 131);
    let mut table = CONSTANTS.to_owned();
    let mut wrong = Vec::new();
    for fact in constants {
        let constant = Constant::new(fact);
        wrong.extend(constant.contradiction(&facts, fact));
        let id = constant.id();
        let found = verdicts(&constant.model(&served), &id);
        let (became, expected) = constant.fate(&served);
        if found != in_words(expected) {
            wrong.push(format!("{id}: {found:?}, not {expected:?}"));
        }
        let Constant { release, of, .. } = constant;
        let _ = writeln!(table, "{release} | {of} | {id} | {} | {became}", or_silent(&found));
    }
    agree(&wrong);
    let count = |verdict: &str| table.lines().filter(|line| line.contains(verdict)).count();
    let verdicts = [
        "| error removed-early |",
        "| warning removed-early |",
        "| warning tombstone-missing |",
        "| silent |",
    ];
    assert_eq!(verdicts.map(count), [5, 1, 4, 121]);
    compare("constants.txt", &table);
}

/// The first lines of the table of kinds.
const KINDS: &str = "\
# What rules 1 and 4a say of each kind that left the code of a version which went on, by the release without it. A kind
# has a life of its own in its version: it is rule 4a that judges when it is no longer served.
#
# alpha: it was served until then, and alpha.
# ended: it had stopped being served before, in the release named. What rule 4a says is about that.
# unserved: no release served it as a resource of its own.

";

/// What rule 4a says of a kind's life as it was: codes, in the order of the findings.
fn of_life(model: &str, id: &str) -> Vec<String> {
    let found = findings(model);
    let of_kind = |rule, code| reported(&found, rule, code).contains(id);
    let codes = ["not-deprecated-in-time", "early", "overdue"];
    codes
        .into_iter()
        .filter(|code| of_kind("version-lifetime", code))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_kind_that_left_a_version_is_judged_by_its_own_life() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/field_changes.json");
    let served = Served::new(&data);
    let kinds = list(&facts, "kinds_removed_from_existing_version");
    assert_eq!(kinds.len(), 10);
    let mut table = KINDS.to_owned();
    for fact in kinds {
        let [group, name, kind] = ["group", "version", "kind"].map(|key| word(&fact[key]));
        let release = word(&fact["between"][1]);
        let id = format!("{}/{name} {kind}", group_name(group));
        let model = served.model(group, name, release, "");
        let found = verdicts(&model, &id);
        assert_eq!(found, Vec::<String>::new(), "{id}");
        let became = match (fact["was_served"] == true, fact["served_ever"] == true) {
            (true, _) => word(&fact["track"]).to_owned(),
            (_, true) => format!("ended {}", ended(&served, group, name, kind)),
            _ => "unserved".to_owned(),
        };
        let life = or_silent(&of_life(&model, &id));
        let _ = writeln!(table, "{release} | {id} | {} | {life} | {became}", or_silent(&found));
    }
    compare("kinds.txt", &table);
}

/// The first release that did not serve a kind any more.
fn ended(served: &Served<'_>, group: &str, version: &str, kind: &str) -> String {
    let life = served.kinds(group, version).remove(kind);
    life.and_then(|life| life.removed).expect("it was served once")
}
