//! Objects that use what is deprecated or removed.

#![cfg(test)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;

use data_encoding::BASE64;

use lifecycle::evaluate::{Evaluation, Scan, Scope, pages};
use lifecycle::{Document, FileId, Load};

use crate::imports::tagged;
use crate::program::{finish, folder, program, run_in, run_on, write};
use crate::support::{Mark, evaluate, in_marks, marks};

fn kubernetes() -> &'static Evaluation {
    static KUBERNETES: LazyLock<Evaluation> = LazyLock::new(|| {
        let text = include_str!("../../examples/kubernetes/lifecycle.toml");
        let documents = [Document::parse(FileId(0), text)];
        Load::new(&documents)
            .evaluate()
            .expect("the built-in model can be read")
    });
    &KUBERNETES
}

fn scanned(model: &Evaluation, from: Option<&str>, to: &str, text: &str) -> Scan {
    let mut scan = Scan::new();
    let scope = Scope { from, to: Some(to) };
    scan.add_model("model", model, scope)
        .expect("the model knows the releases");
    let scanned = scan.add(FileId(0), text);
    assert_eq!(scanned.unreadable, [], "{text}");
    assert_eq!(scanned.templates, [0; 0], "{text}");
    scan
}

fn found(to: &str, text: &str) -> Vec<Mark> {
    in_marks(text, scanned(kubernetes(), None, to, text).findings())
}

/// As the program scans with its built-in model.
fn built_in(to: &str, text: &str) -> Vec<String> {
    let list = include_str!("../../examples/kubernetes/contained.toml");
    let mut scan = Scan::new();
    let scope = Scope {
        from: None,
        to: Some(to),
    };
    scan.add_model("kubernetes", kubernetes(), scope)
        .expect("the model knows the release");
    scan.add_contained(&Document::parse(FileId(0), list))
        .expect("the list can be read");
    scan.add(FileId(0), text);
    lines(&scan, text)
}

/// Code, line, column and message of each finding.
fn reported(model: &Evaluation, to: &str, text: &str) -> Vec<String> {
    lines(&scanned(model, None, to, text), text)
}

fn lines(scan: &Scan, text: &str) -> Vec<String> {
    let mut sources = lifecycle::Sources::new();
    sources.add("", text);
    let findings = scan.findings().iter().map(|finding| {
        let place = finding.primary.as_ref().expect("a place").span;
        let (_, at) = sources.locate(place).expect("it is in the text");
        let shown = &text[place.start as usize..place.end as usize];
        format!(
            "{} {}:{} [{shown}] {}",
            finding.code, at.line, at.column, finding.message
        )
    });
    findings.collect()
}

#[test]
fn objects_on_the_page_have_the_marked_findings() {
    let page = pages().find(|page| page.slug == "in-use").expect("it has a page");
    let blocks = page.text.split("```yaml\n").skip(1);
    let blocks: Vec<&str> = blocks
        .map(|rest| rest.split_once("```").expect("a block ends").0)
        .collect();
    for block in &blocks {
        assert_eq!(found("1.25", block), marks(block), "{block}");
    }
    let marked: Vec<usize> = blocks.iter().map(|block| marks(block).len()).collect();
    assert_eq!(marked, [0, 3, 0]);
}

#[test]
fn a_use_is_found_at_its_value_in_yaml_and_json() {
    let yaml = "# a\n---\nkind: CronJob\n\"apiVersion\": 'batch/v1beta1' # old\nmetadata: {namespace: a, name: b}\n";
    let message = "CronJob `a/b` uses batch/v1beta1 CronJob, removed in 1.25 (2022-08-23)";
    assert_eq!(
        reported(kubernetes(), "1.25", yaml),
        [format!("removed 4:16 [batch/v1beta1] {message}")]
    );
    let json = "{\n\t\"kind\": \"CronJob\",\n\t\"apiVersion\" : \"batch/v1beta1\"\n}\n";
    let message = "CronJob uses batch/v1beta1 CronJob, removed in 1.25 (2022-08-23)";
    assert_eq!(
        reported(kubernetes(), "1.25", json),
        [format!("removed 3:18 [batch/v1beta1] {message}")]
    );
}

#[test]
fn values_of_json_one_after_another_are_objects_of_their_own() {
    let one = r#"{"apiVersion": "batch/v1beta1", "kind": "CronJob"}"#;
    let text = format!("{one}\n{{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}}\n{one}\n");
    let lines: Vec<u32> = found("1.25", &text).iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [1, 3]);
    let pod = r#"{"apiVersion": "v1", "kind": "Pod", "spec": {"serviceAccount": "a", "containers": [{"env": [{"name": "A"}]}]}}"#;
    let found = found("1.25", &format!("{pod}{pod}"));
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn items_of_a_list_of_one_kind_need_not_state_it() {
    let text = "\
{\"kind\": \"CronJobList\", \"apiVersion\": \"batch/v1beta1\", \"metadata\": {}, \"items\": [
  {\"metadata\": {\"name\": \"a\"}},
  {\"metadata\": {\"name\": \"b\"}}
]}";
    let scan = scanned(kubernetes(), None, "1.25", text);
    assert_eq!(scan.objects, 2);
    let lines: Vec<u32> = in_marks(text, scan.findings()).iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [2, 3]);
}

#[test]
fn what_a_live_object_records_is_told_apart_and_not_counted_twice() {
    let text = "\
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {\"apiVersion\":\"extensions/v1beta1\",\"kind\":\"Ingress\",\"metadata\":{}}
  managedFields:
    - {apiVersion: extensions/v1beta1, manager: kubectl}
    - {apiVersion: networking.k8s.io/v1beta1, manager: controller}
    - {apiVersion: networking.k8s.io/v1beta1, manager: other}
";
    let codes: Vec<(u32, String)> = found("1.22", text)
        .into_iter()
        .map(|(line, _, _, code)| (line, code))
        .collect();
    assert_eq!(
        codes,
        [(6, "last-applied".to_owned()), (8, "managed-fields".to_owned())]
    );
    let old = text.replacen("networking.k8s.io/v1", "extensions/v1beta1", 1);
    let codes: Vec<String> = found("1.22", &old).into_iter().map(|(.., code)| code).collect();
    assert_eq!(codes, ["removed", "managed-fields"]);
}

#[test]
fn what_the_release_in_use_has_already_is_left_out() {
    let text = "apiVersion: batch/v1beta1\nkind: CronJob\n";
    let left = |from: &str, to: &str| {
        let scan = scanned(kubernetes(), Some(from), to, text);
        (scan.findings().len(), scan.earlier)
    };
    assert_eq!(left("1.20", "1.25"), (1, 0));
    assert_eq!(left("1.25", "1.30"), (0, 1));
    assert_eq!(left("1.21", "1.24"), (0, 1), "deprecated before, and still served");
    assert_eq!(left("1.20", "1.24"), (1, 0));
}

#[test]
fn a_scope_that_ends_before_it_begins_is_an_error() {
    let reversed = |from: &str, to: &str| {
        let scope = Scope {
            from: Some(from),
            to: Some(to),
        };
        let added = Scan::new().add_model("kubernetes", kubernetes(), scope);
        added.map_err(|error| error.to_string())
    };
    let expected = "1.25 comes after 1.20: an upgrade goes from an earlier release to a later one";
    assert_eq!(reversed("1.25", "1.20"), Err(expected.to_owned()));
    assert_eq!(reversed("1.25", "1.25"), Ok(()));
}

const OWN: &str = r#"
[calendar]
current = "1.3"
releases = { "1.0" = 2024-01-10, "1.1" = 2024-05-10, "1.2" = 2024-09-10, "1.3" = 2025-01-10 }
[group."shop.example.com".version]
v1 = { introduced = "1.0" }
[group."shop.example.com".kind.Shop]
field."spec.owner" = { deprecated = "1.2" }
field."spec.doors[].lock" = { deprecated = "1.2" }
field."spec.extra{}.size" = { deprecated = "1.2" }
enum."spec.mode".Slow = { deprecated = "1.2" }
annotation."shop.example.com/color" = { deprecated = "1.3" }
"#;

#[test]
fn fields_values_and_annotations_are_found_at_their_lines() {
    let model = evaluate(OWN).expect("the model can be read");
    let text = "\
apiVersion: shop.example.com/v1
kind: Shop
metadata:
  name: a
  annotations: {shop.example.com/color: red}
spec:
  owner: me
  mode: Slow
  doors:
    - {width: 2}
    - lock: none
    - {width: 1, lock: two}
  extra:
    one: {size: 1}
    two: {}
";
    let lines: Vec<String> = reported(&model, "1.3", text)
        .into_iter()
        .map(|found| found.split(']').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        lines,
        [
            "deprecated 5:17 [shop.example.com/color",
            "deprecated 8:3 [mode",
            "deprecated 11:7 [lock",
            "deprecated 12:18 [lock",
            "deprecated 14:11 [size",
            "deprecated 7:3 [owner",
        ]
    );
    assert_eq!(reported(&model, "1.1", text), [""; 0]);
    let fast = text.replace("Slow", "Fast");
    assert!(
        reported(&model, "1.3", &fast)
            .iter()
            .all(|found| !found.contains("mode"))
    );
}

/// A Pod without its version and kind, which a template has too.
const POD: &str = "\
metadata:
  annotations:
    seccomp.security.alpha.kubernetes.io/pod: runtime/default
    container.apparmor.security.beta.kubernetes.io/app: runtime/default
spec:
  serviceAccount: web
  nodeSelector: {beta.kubernetes.io/os: linux, kubernetes.io/arch: amd64}
  topologySpreadConstraints:
    - topologyKey: topology.kubernetes.io/zone
    - topologyKey: failure-domain.beta.kubernetes.io/zone
  volumes:
    - {name: a, emptyDir: {}}
    - {name: b, gitRepo: {repository: c}}
";

/// The line in the Pod, the text at the place, the member, and what happened to it.
const OF_POD: [(u32, &str, &str, &str); 6] = [
    (
        4,
        "container.apparmor.security.beta.kubernetes.io/app",
        "@container.apparmor.security.beta.kubernetes.io/",
        "deprecated in 1.30 (2024-04-17)",
    ),
    (
        3,
        "seccomp.security.alpha.kubernetes.io/pod",
        "@seccomp.security.alpha.kubernetes.io/pod",
        "removed in 1.27 (2023-04-11)",
    ),
    (
        7,
        "beta.kubernetes.io/os",
        ".spec.nodeSelector=beta.kubernetes.io/os",
        "deprecated in 1.14 (2019-03-25)",
    ),
    (
        10,
        "topologyKey",
        ".spec.topologySpreadConstraints[].topologyKey=failure-domain.beta.kubernetes.io/zone",
        "deprecated in 1.17 (2019-12-07)",
    ),
    (
        6,
        "serviceAccount",
        ".spec.serviceAccount",
        "deprecated in 1.8 (2017-09-28)",
    ),
    (
        13,
        "gitRepo",
        ".spec.volumes[].gitRepo",
        "deprecated in 1.11 (2018-06-27)",
    ),
];

#[test]
fn deprecated_members_of_kubernetes_are_found_in_objects_and_in_their_templates() {
    let indented = |by: usize| {
        let lines = POD.lines().map(|line| format!("{:by$}{line}\n", ""));
        lines.collect::<String>()
    };
    let objects = [
        ("Pod", format!("apiVersion: v1\nkind: Pod\n{POD}"), 2),
        (
            "Deployment",
            format!(
                "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n{}",
                indented(4)
            ),
            4,
        ),
        (
            "CronJob",
            format!(
                "apiVersion: batch/v1\nkind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      template:\n{}",
                indented(8)
            ),
            6,
        ),
    ];
    for (kind, text, above) in objects {
        let mut expected: Vec<String> = OF_POD
            .iter()
            .map(|(line, shown, member, happens)| {
                let code = if happens.starts_with("removed") {
                    "removed"
                } else {
                    "deprecated"
                };
                let line = line + above;
                format!("{code} {line} [{shown}] {kind} uses core/v1 Pod {member}, {happens}")
            })
            .collect();
        let mut found: Vec<String> = built_in("1.36", &text)
            .into_iter()
            .map(|found| {
                let (place, rest) = found.split_once(" [").expect("a place");
                let (line, _column) = place.rsplit_once(':').expect("a column");
                format!("{line} [{rest}")
            })
            .collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{text}");
        assert_eq!(built_in("1.7", &text), [""; 0], "nothing of it was deprecated in 1.7");
    }
}

#[test]
fn deprecated_members_of_other_kinds_of_kubernetes_are_found() {
    let text = "\
{apiVersion: v1, kind: Service, spec: {loadBalancerIP: 10.0.0.1}}
---
{apiVersion: v1, kind: PersistentVolume, spec: {persistentVolumeReclaimPolicy: Recycle, rbd: {}}}
---
{apiVersion: v1, kind: PersistentVolume, spec: {persistentVolumeReclaimPolicy: Retain, csi: {}}}
---
{apiVersion: v1, kind: Node, spec: {externalID: a}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {annotations: {kubernetes.io/ingress.class: nginx}}
---
apiVersion: apps/v1
kind: StatefulSet
spec:
  volumeClaimTemplates:
    - metadata: {annotations: {volume.beta.kubernetes.io/storage-class: fast}}
---
{apiVersion: v1, kind: Service, spec: {externalIPs: [10.0.0.1], trafficDistribution: PreferClose}}
---
{apiVersion: v1, kind: Pod, spec: {nodeSelector: {node-role.kubernetes.io/master: ''}}}
---
{apiVersion: v1, kind: Pod, metadata: {annotations: {kubectl.kubernetes.io/default-logs-container: a}}}
";
    let expected = [
        "deprecated 1:40 [loadBalancerIP] Service uses core/v1 Service .spec.loadBalancerIP, deprecated in 1.24 (2022-05-03)",
        "deprecated 3:49 [persistentVolumeReclaimPolicy] PersistentVolume uses core/v1 PersistentVolume .spec.persistentVolumeReclaimPolicy=Recycle, deprecated in 1.10 (2018-03-26)",
        "deprecated 3:89 [rbd] PersistentVolume uses core/v1 PersistentVolume .spec.rbd, deprecated in 1.28 (2023-08-15)",
        "deprecated 7:37 [externalID] Node uses core/v1 Node .spec.externalID, deprecated in 1.8 (2017-09-28)",
        "deprecated 11:26 [kubernetes.io/ingress.class] Ingress uses networking.k8s.io/v1 Ingress @kubernetes.io/ingress.class, deprecated in 1.19 (2020-08-26)",
        "deprecated 17:32 [volume.beta.kubernetes.io/storage-class] StatefulSet uses core/v1 PersistentVolumeClaim @volume.beta.kubernetes.io/storage-class, deprecated in 1.8 (2017-09-28)",
        "deprecated 19:65 [trafficDistribution] Service uses core/v1 Service .spec.trafficDistribution=PreferClose, deprecated in 1.35 (2025-12-17)",
        "deprecated 19:40 [externalIPs] Service uses core/v1 Service .spec.externalIPs, deprecated in 1.36 (2026-04-22)",
        "deprecated 21:51 [node-role.kubernetes.io/master] Pod uses core/v1 Pod .spec.nodeSelector=node-role.kubernetes.io/master, deprecated in 1.20 (2020-12-08)",
        "deprecated 23:54 [kubectl.kubernetes.io/default-logs-container] Pod uses core/v1 Pod @kubectl.kubernetes.io/default-logs-container, deprecated in 1.21 (2021-04-08)",
    ];
    assert_eq!(built_in("1.36", text), expected);
}

#[test]
fn what_to_use_instead_of_a_member_is_named_without_its_kind() {
    let text = "\
{apiVersion: v1, kind: Pod, spec: {serviceAccount: a, nodeSelector: {beta.kubernetes.io/os: linux}}}
---
{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {annotations: {kubernetes.io/ingress.class: a}}}
";
    let scan = scanned(kubernetes(), None, "1.36", text);
    let helps: Vec<&str> = scan
        .findings()
        .iter()
        .filter_map(|finding| finding.help.as_deref())
        .collect();
    let expected = [
        "use `kubernetes.io/os` instead",
        "use .spec.serviceAccountName instead",
        "use .spec.ingressClassName instead",
    ];
    assert_eq!(helps, expected);
}

/// The server fills in the old name of a field beside the new one.
#[test]
fn an_alias_that_the_server_fills_in_is_no_use() {
    let pod = |spec: &str| built_in("1.36", &format!("apiVersion: v1\nkind: Pod\nspec: {spec}\n"));
    assert_eq!(pod("{serviceAccount: web, serviceAccountName: web}"), [""; 0]);
    assert_eq!(pod("{serviceAccount: web, serviceAccountName: other}").len(), 1);
    assert_eq!(pod("{serviceAccount: web}").len(), 1);
}

#[test]
fn each_kind_that_contains_another_is_one_of_the_model() {
    let list = include_str!("../../examples/kubernetes/contained.toml");
    let ids: Vec<&str> = list
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|id| id.contains(' '))
        .collect();
    assert!(ids.len() > 20, "{ids:?}");
    for id in ids {
        assert!(kubernetes().model().ids().any(|known| known == id), "{id}");
    }
}

#[test]
fn a_list_without_items_is_of_the_kind_of_its_items() {
    let text = "apiVersion: batch/v1beta1\nkind: CronJobList\nitems:\n";
    let expected = "removed 1:13 [batch/v1beta1] CronJobList uses batch/v1beta1 CronJob, removed in 1.25 (2022-08-23)";
    assert_eq!(reported(kubernetes(), "1.25", text), [expected]);
}

#[test]
fn files_of_the_api_server_are_judged() {
    let text = "apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules: []\n";
    let expected = "removed 1:13 [audit.k8s.io/v1beta1] Policy uses config audit.k8s.io/v1beta1 Policy, removed in 1.24 (2022-05-03)";
    assert_eq!(reported(kubernetes(), "1.24", text), [expected]);
}

/// `policy/v1beta1` has the kind until 1.25: until then it is what to use, and later nothing is.
#[test]
fn a_replacement_that_is_removed_too_is_not_advised() {
    let text = "apiVersion: extensions/v1beta1\nkind: PodSecurityPolicy\n";
    let help = |to: &str| {
        let scan = scanned(kubernetes(), None, to, text);
        let helps = scan.findings().iter().filter_map(|finding| finding.help.clone());
        helps.collect::<Vec<_>>()
    };
    assert_eq!(help("1.24"), ["use policy/v1beta1 PodSecurityPolicy instead"]);
    assert_eq!(
        help("1.25"),
        ["nothing replaces it: policy/v1beta1 PodSecurityPolicy is removed in 1.25 (2022-08-23) too"]
    );
}

#[test]
fn a_release_that_a_model_does_not_know_is_an_error() {
    run_on(
        "apiVersion: v1\nkind: Pod\n",
        &["scan", "-", "--builtin", "kubernetes", "--to", "1.99"],
    )
    .ended(2)
    .says(&["release 1.99 is not covered"]);
    run_on(
        "apiVersion: v1\nkind: Pod\n",
        &["scan", "-", "--builtin", "kubernetes", "--to", "x"],
    )
    .ended(2);
    run_on(
        "apiVersion: v1\nkind: Pod\n",
        &["scan", "-", "--builtin", "kubernetes", "--to", "1.37"],
    )
    .ended(0)
    .says(&["knows the releases 1.0 to 1.36", "1.37 (not shipped; "]);
}

#[test]
fn several_models_count_together_each_with_its_release() {
    let objects = "apiVersion: shop.example.com/v1\nkind: Shop\nspec: {owner: me}\n---\napiVersion: batch/v1beta1\nkind: CronJob\n";
    let folder = folder(&[("lifecycle.toml", OWN), ("objects.yaml", objects)]);
    let both = [
        "scan",
        "objects.yaml",
        "-m",
        "lifecycle.toml",
        "--builtin",
        "kubernetes",
    ];
    run_in(&folder, &[&both[..], &["--to", "1.25"]].concat())
        .ended(2)
        .says(&["--to lifecycle.toml=RELEASE"]);
    run_in(
        &folder,
        &[&both[..], &["--to", "kubernetes=1.25", "--to", "lifecycle.toml=1.3"]].concat(),
    )
    .ended(1)
    .says(&["1 error, 1 warning in 2 objects"]);
    run_in(&folder, &[&both[..], &["--to", "other=1.25"]].concat())
        .ended(2)
        .says(&["there is no model `other`"]);
    run_in(&folder, &["scan", "objects.yaml"])
        .ended(0)
        .says(&["1 warning in 2 objects", "not judged: 1 object of 2"]);
}

#[test]
fn templates_are_counted_and_broken_documents_hide_nothing() {
    let template = "{{- if .Values.on }}\napiVersion: batch/v1beta1\nkind: CronJob\n{{- end }}\n";
    let folder = folder(&[
        ("chart/templates/a.yaml", template),
        ("chart/templates/b.yaml", template),
        ("broken.yaml", "apiVersion: v1\nkind: [\n"),
        ("good.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\n"),
        ("values.yaml", "a: b\n"),
    ]);
    let kubernetes = ["--builtin", "kubernetes", "--to", "1.25"];
    run_in(&folder, &[&["scan", "."], &kubernetes[..]].concat())
        .ended(1)
        .says(&["skipped 2 templates", "broken.yaml:", "1 error in 1 object"]);
    run_in(
        &folder,
        &[&["scan", "broken.yaml", "good.yaml"], &kubernetes[..]].concat(),
    )
    .ended(2)
    .says(&["1 error in 1 object", "broken.yaml:"]);
    run_in(&folder, &[&["scan", "values.yaml"], &kubernetes[..]].concat())
        .ended(2)
        .says(&["no objects found"]);
}

#[test]
fn a_baseline_suppresses_what_it_lists() {
    let old = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n";
    let folder = folder(&[("a.yaml", old)]);
    let scan = |more: &[&str]| {
        run_in(
            &folder,
            &[&["scan", ".", "--builtin", "kubernetes", "--to", "1.25"], more].concat(),
        )
    };
    scan(&["--write-baseline"])
        .ended(0)
        .says(&["recorded 1 finding in ./lifecycle-scan-baseline.toml"]);
    scan(&[]).ended(0).says(&["no new findings", "1 suppressed"]);
    write(&folder, "b.yaml", old.replace("name: a", "name: b").as_bytes());
    scan(&[]).ended(1).says(&["1 error", "CronJob `b`"]);
    scan(&["-A", "in-use:removed"]).ended(0);
}

#[test]
fn nothing_of_a_secret_is_printed() {
    let secret = r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"key":"aHVudGVyMg=="},"stringData":{"größe":"hünter2"}},{"apiVersion":"batch/v1beta1","kind":"CronJob"}]}"#;
    let yaml = "apiVersion: v1\nkind: Secret\nstringData:\n  hunter2: hunter2\n  hunter2: x\n";
    let folder = folder(&[("one.json", secret), ("two.yaml", yaml)]);
    for format in ["table", "json", "concise", "sarif", "junit", "github", "markdown"] {
        let run = finish(
            program(
                folder.path(),
                &[
                    "scan",
                    ".",
                    "--builtin",
                    "kubernetes",
                    "--to",
                    "1.25",
                    "--format",
                    format,
                    "-v",
                ],
            ),
            b"",
        );
        let all = run.all();
        assert!(all.contains("batch/v1beta1"), "{format}: {all}");
        for word in ["aHVudGVyMg", "hunter2", "hünter2", "größe"] {
            assert!(!all.contains(word), "{format}: {all}");
        }
    }
}

#[test]
fn ignored_files_are_not_read() {
    let old = "apiVersion: batch/v1beta1\nkind: CronJob\n";
    let folder = folder(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "/build/\n*.generated.yaml\n!keep.generated.yaml\n"),
        ("build/a.yaml", old),
        ("deploy/build/b.yaml", old),
        ("deploy/c.generated.yaml", old),
        ("deploy/keep.generated.yaml", old),
        ("deploy/.gitignore", "local*\n"),
        ("deploy/local.yaml", old),
        ("deploy/locals/d.yaml", old),
        ("local.yaml", old),
    ]);
    let scan = |path: &str| {
        let run = run_in(
            &folder,
            &[
                "scan",
                path,
                "--builtin",
                "kubernetes",
                "--to",
                "1.25",
                "--format",
                "concise",
            ],
        );
        let files = run
            .out
            .lines()
            .map(|line| line.split(':').next().unwrap_or_default().to_owned());
        files.collect::<Vec<_>>()
    };
    assert_eq!(
        scan("."),
        ["./deploy/build/b.yaml", "./deploy/keep.generated.yaml", "./local.yaml"]
    );
    assert_eq!(scan("deploy"), ["deploy/build/b.yaml", "deploy/keep.generated.yaml"]);
    assert_eq!(scan("build/a.yaml"), ["build/a.yaml"], "a file that is named is read");
}

#[test]
fn comments_ignore_a_use_until_a_release_with_a_reason() {
    let at = |to: &str, comment: &str| {
        let text = format!("{comment}\nkind: CronJob\napiVersion: batch/v1beta1\n");
        let above = text.replace("{}", "");
        let inline = format!("kind: CronJob\napiVersion: batch/v1beta1 {comment}\n");
        let moved = format!("kind: CronJob\n{comment}\n# and more\n\napiVersion: batch/v1beta1\n");
        [above, inline, moved].map(|text| {
            let mut codes: Vec<String> = found(to, &text).into_iter().map(|(.., code)| code).collect();
            codes.sort();
            codes.join(" ")
        })
    };
    let known = "# lifecycle: ignore until 1.26: the operator moves";
    assert_eq!(
        at("1.25", known),
        ["ignore-unneeded removed", "", ""],
        "the line below is about another key"
    );
    assert_eq!(at("1.26", known)[1..], ["ignore-expired removed"; 2]);
    for incomplete in [
        "# lifecycle: ignore",
        "# lifecycle: ignore until 1.26",
        "# lifecycle: ignore until 1.26: ",
        "# lifecycle: ignore until x: y",
    ] {
        assert_eq!(
            at("1.25", incomplete)[1..],
            ["ignore-incomplete removed"; 2],
            "{incomplete}"
        );
    }
    assert_eq!(at("1.20", known)[1..], ["ignore-unneeded"; 2]);
    run_on(
        format!("kind: CronJob\napiVersion: batch/v1beta1 {known}\n"),
        &["scan", "-", "--builtin", "kubernetes", "--to", "1.25"],
    )
    .ended(0)
    .says(&["no findings in 1 object; 1 ignored by comments"]);
}

#[test]
fn of_repeated_keys_the_last_one_counts() {
    let text = "apiVersion: batch/v1\nkind: CronJob\napiVersion: batch/v1beta1\n";
    let lines: Vec<u32> = found("1.25", text).iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [3]);
}

/// A secret in which Helm stores a release with a manifest.
fn release(manifest: &str, status: &str) -> String {
    let json = serde_json::json!({"name": "web", "manifest": manifest, "hooks": [{"manifest": manifest}], "chart": {}});
    secret(json.to_string().as_bytes(), status)
}

fn secret(release: &[u8], status: &str) -> String {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(release).expect("it can be compressed");
    let packed = packed.finish().expect("it can be compressed");
    let stored = BASE64.encode(BASE64.encode(&packed).as_bytes());
    format!(
        "apiVersion: v1\nkind: Secret\ntype: helm.sh/release.v1\nmetadata:\n  name: sh.helm.release.v1.web.v1\n  \
         labels: {{owner: helm, name: web, status: {status}}}\ndata:\n  release: {stored}\n"
    )
}

#[test]
fn the_objects_of_helm_releases_count_and_nothing_else_of_them_is_shown() {
    let manifest = "---\n# Source: a\napiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: hunter2}\n---\n\
                    apiVersion: hunter2/v1\nkind: hunter2\n";
    let text = release(manifest, "deployed");
    let message = "Helm release `web` uses batch/v1beta1 CronJob, removed in 1.25 (2022-08-23)";
    let one = format!("removed 8:3 [release] {message}");
    assert_eq!(reported(kubernetes(), "1.25", &text), [one.clone(), one]);
    assert_eq!(found("1.25", &release(manifest, "superseded")), []);
    let twice = release(&text, "deployed");
    assert_eq!(found("1.25", &twice), [], "a release within a release");
    for format in ["table", "json", "sarif"] {
        let arguments = [
            "scan",
            "-",
            "--builtin",
            "kubernetes",
            "--to",
            "1.25",
            "-v",
            "--fix",
            "--format",
            format,
        ];
        run_on(&text, &arguments)
            .ended(1)
            .says(&["batch/v1beta1"])
            .silent_on(&["hunter2"]);
    }
}

#[test]
fn hostile_helm_releases_are_bounded_and_reported() {
    let zeros = vec![b' '; 80 << 20];
    let deep = format!("{{\"manifest\": {}", "[".repeat(100_000));
    let broken = [
        (secret(&zeros, "deployed"), "too large"),
        (secret(deep.as_bytes(), "deployed"), "no JSON"),
        (
            secret(b"{\"manifest\": \"apiVersion: [hunter2\"}", "deployed"),
            "manifest of the Helm release",
        ),
        (secret(&[0xff, 0xfe], "deployed"), "not UTF-8"),
        (
            "apiVersion: v1\nkind: Secret\ntype: helm.sh/release.v1\nmetadata: {name: a}\ndata: {release: hunter2}\n"
                .to_owned(),
            "not in Base64",
        ),
    ];
    for (text, reason) in broken {
        run_on(&text, &["scan", "-", "--builtin", "kubernetes", "--to", "1.25"])
            .ended(2)
            .says(&[reason])
            .silent_on(&["hunter2"]);
    }
}

#[test]
fn hostile_manifests_are_bounded_and_reported() {
    let good = "apiVersion: batch/v1beta1\nkind: CronJob\n";
    let line = format!(
        "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {{name: {}}}\n",
        "x".repeat(10 << 20)
    );
    let mut bomb = "apiVersion: v1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..12 {
        let before = format!("*a{}", at - 1);
        let _ = writeln!(bomb, "a{at}: &a{at} [{}]", [before.as_str(); 10].join(", "));
    }
    let deep = format!("apiVersion: v1\nkind: {}\n", "[".repeat(100_000));
    let json = format!("{{\"apiVersion\": \"v1\", \"kind\": {}", "[".repeat(100_000));
    let folder = folder(&[
        ("good.yaml", good),
        ("line.yaml", &line),
        ("bomb.yaml", &bomb),
        ("deep.yaml", &deep),
        ("deep.json", &json),
    ]);
    write(&folder, "latin.yaml", b"apiVersion: v1\nkind: \xff\n");
    let run = run_in(&folder, &["scan", ".", "--builtin", "kubernetes", "--to", "1.25"])
        .ended(1)
        .says(&[
            "2 errors in 2 objects",
            "bomb.yaml:",
            "deep.yaml:",
            "deep.json:",
            "latin.yaml:2:7: not UTF-8",
        ]);
    assert!(run.all().len() < 20_000, "{}", run.all().len());
}

#[test]
fn a_flood_of_annotations_is_reported_in_part() {
    let mut flood = "apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n".to_owned();
    for at in 0..100_000 {
        let _ = writeln!(flood, "    container.seccomp.security.alpha.kubernetes.io/{at}: a");
    }
    let arguments = [
        "scan",
        "-",
        "--builtin",
        "kubernetes",
        "--to",
        "1.36",
        "--format",
        "concise",
    ];
    let run = run_on(&flood, &arguments).ended(1).says(&["100 errors in 1 object"]);
    assert_eq!(run.out.lines().count(), 100);
}

#[test]
fn many_objects_on_one_line_take_no_longer_than_on_many() {
    let one = r#"{"apiVersion":"batch/v1beta1","kind":"CronJob"}"#;
    let items = vec![one; 20_000].join(",");
    let text = format!("{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{items}]}}");
    let run = run_on(
        &text,
        &[
            "scan",
            "-",
            "--builtin",
            "kubernetes",
            "--to",
            "1.25",
            "--format",
            "concise",
        ],
    );
    assert_eq!(run.out.lines().count(), 20_000);
    run.ended(1).says(&["20000 errors in 20000 objects"]);
}

#[test]
fn a_kustomization_names_files_of_the_repository() {
    let old = "apiVersion: batch/v1beta1\nkind: CronJob\n";
    let base = "resources: [job.yaml, ../../overlays/prod]\n";
    let overlay = "\
resources: [../../base/one, https://example.com/x.yaml, missing.yaml]
patches: [{path: ../../patches/a.yaml}, {patch: 'a: b'}]
bases: [../../../outside]
";
    let folder = folder(&[
        ("outside/kustomization.yaml", "resources: [a.yaml]\n"),
        ("outside/a.yaml", old),
        ("repository/.git/HEAD", "ref: refs/heads/main\n"),
        ("repository/overlays/prod/kustomization.yaml", overlay),
        ("repository/base/one/kustomization.yaml", base),
        ("repository/base/one/job.yaml", old),
        ("repository/base/one/other.yaml", old),
        ("repository/patches/a.yaml", old),
    ]);
    let run = run_in(
        &folder,
        &[
            "scan",
            "repository/overlays/prod",
            "--builtin",
            "kubernetes",
            "--to",
            "1.25",
            "--fix",
        ],
    );
    run.ended(1).says(&[
        "2 errors in 2 objects",
        "https://example.com/x.yaml is not a local file",
        "there is no file repository/overlays/prod/missing.yaml",
        "outside` leads out of the repository",
        "not rewritten: repository/base/one/job.yaml: it is outside of what is named",
        "rewrote 0 versions",
    ]);
    run_in(&folder, &["scan", "repository/none.yaml", "--builtin", "kubernetes"])
        .ended(2)
        .says(&["cannot read repository/none.yaml"]);
}

#[test]
fn a_summary_counts_findings_by_code_and_shows_none() {
    let here = folder(&[("jobs.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\n")]);
    let run = run_in(&here, &["scan", "jobs.yaml", "--to", "1.25", "--summary"]).ended(1);
    assert_eq!(
        run.out.split_whitespace().collect::<Vec<_>>(),
        ["RULE", "SEVERITY", "FINDINGS", "in-use:removed", "error", "1"]
    );
}

#[test]
fn only_findings_that_the_base_lacks_are_reported() {
    let cron = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: NAME}\n";
    let (old, new) = (cron.replace("NAME", "old"), cron.replace("NAME", "new"));
    let folder = folder(&[("before/a.yaml", &old), ("after/a.yaml", &old), ("after/b.yaml", &new)]);
    let scan = |arguments: &[&str]| {
        let own = [
            "scan",
            "after",
            "--to",
            "1.25",
            "--builtin",
            "kubernetes",
            "--format",
            "concise",
        ];
        run_in(&folder, &[&own[..], arguments].concat())
    };
    let run = scan(&["--base", "before"]).ended(1);
    let run = run.says(&[
        "after/b.yaml:1:13: error[in-use:removed] CronJob `new`",
        "1 known in before",
    ]);
    run.silent_on(&["CronJob `old`"]);
    scan(&["--base", "before", "--all"])
        .ended(1)
        .says(&["CronJob `old`", "CronJob `new`"]);
    scan(&["--base", "after"]).ended(0);
    scan(&["--base", "nowhere"]).ended(2);
}

#[test]
fn a_base_may_be_a_commit() {
    let cron = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: NAME}\n";
    let (old, new) = (cron.replace("NAME", "old"), cron.replace("NAME", "new"));
    let repository = tagged([(vec!["v1"], vec![("deploy/a.yaml".to_owned(), old.clone())])]);
    write(&repository, "deploy/a.yaml", old.as_bytes());
    write(&repository, "deploy/b.yaml", new.as_bytes());
    let own = [
        "scan",
        "deploy",
        "--to",
        "1.25",
        "--builtin",
        "kubernetes",
        "--format",
        "concise",
    ];
    let run = run_in(&repository, &[&own[..], &["--base", "v1"]].concat()).ended(1);
    run.says(&["deploy/b.yaml:1:13", "1 known in v1"])
        .silent_on(&["CronJob `old`"]);
}
