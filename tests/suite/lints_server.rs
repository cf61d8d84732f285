//! What a Kubernetes server refuses: findings of `lint` and `diff` against recorded verdicts, from the folder that
//! `LIFECYCLE_DATA` names.

#![cfg(test)]

use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::Linted;
use lifecycle::report::DifferenceReport;
use lifecycle::schema::Verdict;

use crate::lints::{law, lint, read};
use crate::schemas::compare;

/// What `diff` says where it cannot tell.
const UNDECIDED: &str = "it may reject values that were accepted";

#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
    }
    Some(Path::new(&folder?).join("server-verdicts"))
}

/// The reasons of the errors in a CRD.
fn errors(text: &str) -> Vec<String> {
    let mut linted = Linted::default();
    let file = Sources::new().add("crd.yaml", text);
    linted.add(law(), file, text).expect("the text can be read");
    let errors = linted
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| {
            let reasons = finding.because.iter().map(|fact| fact.text.as_str());
            reasons.chain([finding.message.as_str()]).collect::<Vec<_>>().join("\n")
        })
        .collect()
}

#[test]
fn what_a_server_refuses_is_an_error_and_nothing_else() {
    let Some(folder) = data() else { return };
    let table = read(&folder.join("server.tsv"));
    let (mut refused, mut accepted) = (0, 0);
    for row in table.lines().skip(1) {
        let [name, verdict, path, _] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}");
        };
        let text = read(&folder.join(format!("server/{name}.yaml")));
        let errors = errors(&text);
        if verdict == "ok" {
            assert!(errors.is_empty(), "{name}: {errors:?}");
            accepted += 1;
        } else {
            let named = errors
                .iter()
                .any(|error| error.lines().any(|line| line.ends_with(&format!("for {path}"))));
            assert!(
                named || path.is_empty() && !errors.is_empty(),
                "{name}, {path}: {errors:?}"
            );
            refused += 1;
        }
    }
    assert!(refused > 160 && accepted > 50, "{refused} refused, {accepted} accepted");
}

/// Pairs decided by meaning that are decided here too; of the others, `diff` says that it cannot tell.
const DECIDED: usize = 12;

/// What the policy calls breaking although the server accepts the same objects. The page of `[schema]` says why.
const BY_LAW: [(&str, &[&str]); 3] = [
    ("int-to-number", &[]),
    ("nullable-removed-optional", &["nullable-removed"]),
    (
        "required-with-new-default",
        &["required-added-with-default", "default-added"],
    ),
];

#[test]
fn what_a_server_then_refuses_is_breaking_and_nothing_of_the_same_form_is() {
    let Some(folder) = data() else { return };
    let table = read(&folder.join("pairs.tsv"));
    let (mut breaking, mut same, mut decided) = (0, 0, 0);
    for row in table.lines().skip(1) {
        let [name, verdict, by, _] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {row}");
        };
        let [old, new] = ["old", "new"].map(|side| read(&folder.join(format!("pairs/{name}/{side}.yaml"))));
        let report = compare(&old, &new);
        let found: Vec<_> = report
            .changes
            .iter()
            .filter(|change| change.writers == Verdict::Breaking)
            .collect();
        match (verdict, by) {
            ("breaking", _) => {
                assert!(!found.is_empty(), "{name}");
                breaking += 1;
            }
            (_, "form") => {
                assert!(found.is_empty(), "{name}: {found:?}");
                same += 1;
            }
            (_, "meaning") => {
                let is_undecided = |change: &&DifferenceReport| change.reason.as_deref() == Some(UNDECIDED);
                assert!(found.iter().all(is_undecided), "{name}: {found:?}");
                decided += usize::from(found.is_empty());
            }
            _ => {
                assert_eq!(by, "law", "{name}");
                let codes: Vec<_> = found.iter().map(|change| change.code.as_str()).collect();
                assert!(BY_LAW.contains(&(name, codes.as_slice())), "{name}: {codes:?}");
            }
        }
    }
    assert!(
        breaking >= 37 && same >= 25 && decided >= DECIDED,
        "{breaking} {same} {decided}"
    );
}

/// It takes minutes if each class is compiled, or what a schema declares is read for each of its rules.
#[test]
fn many_classes_and_rules_are_judged_in_steps_that_grow_with_them() {
    assert!(errors(&with_pattern(&"\\p{L}\\pN".repeat(60_000))).is_empty());
    let names = || (0..3_000).map(|at| format!("f{at}"));
    let fields = names().map(|name| (name, serde_json::json!({ "type": "string", "maxLength": 9 })));
    let rules = names().map(|name| serde_json::json!({ "rule": format!("!has(self.{name}) || self.{name} != 'x'") }));
    let object = serde_json::json!({
        "type": "object",
        "properties": fields.collect::<serde_json::Map<_, _>>(),
        "x-kubernetes-validations": rules.collect::<Vec<_>>(),
    });
    assert!(errors(&with_field(&object.to_string())).is_empty());
}

/// A CRD with one text field that has this pattern.
fn with_pattern(pattern: &str) -> String {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}},
    });
    serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "cars.example.com"},
        "spec": {
            "group": "example.com", "names": {"kind": "Car", "plural": "cars"}, "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
    .to_string()
}

#[test]
fn patterns_are_read_like_go_reads_them() {
    let accepted = [
        "",
        "^a+?b*?c??$",
        "a{2,3}?",
        "a{,3}",
        "a{",
        "a{b}",
        "{",
        "(?i)a",
        "(?i:a)",
        "(?P<name>a)(?<other>b)",
        "[]a]",
        "[^]a]",
        "[a-z&&[b]",
        "[[:alpha:]-]",
        r"\pL\p{Greek}\P{^Lu}",
        r"\Q(*\E",
        r"\x{10FFFF}\x41\012\0",
        r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        r"(|a)*",
        r"\-\_\/\.",
        r"[\d\-\w.]",
        "a{1000}",
        r"^\*|a$",
        "(?:)",
        "(?P<a>b)(?P<a>c)",
        "a(?i)*",
        "(a*(?i)+)",
    ];
    for pattern in accepted {
        let found = lint(&with_pattern(pattern));
        let refused = found.findings().iter().filter(|finding| finding.code == "pattern");
        assert_eq!(refused.count(), 0, "{pattern}");
    }
    let refused = [
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?>a)",
        "a++",
        "a**",
        "a{2}{3}",
        "*a",
        "(*)",
        "|*",
        "(",
        ")",
        "a)",
        "[a",
        "[b-a]",
        "[[:word:]",
        r"\1",
        r"\u0041",
        r"\k<a>",
        r"\Z",
        r"\h",
        r"\",
        r"\x",
        r"\x{110000}",
        r"\p{Klingon}",
        "(?i)*",
        "a|(?i)*",
        "(?P<a-b>c)",
        "(?x)a",
        "a{1001}",
        "a{3,2}",
        "(a{100}){100}",
        r"\C",
        "(?i",
        "(?-)a",
        "[[:no:]]",
    ];
    for pattern in refused {
        let found = lint(&with_pattern(pattern));
        let refused = found.findings().iter().filter(|finding| finding.code == "pattern");
        assert_eq!(refused.count(), 1, "{pattern}");
    }
}

/// A CRD with a field of this schema.
fn with_field(schema: &str) -> String {
    let field: serde_json::Value = serde_json::from_str(schema).expect("it is JSON");
    let text = with_pattern("").replace(r#""pattern":"""#, r#""maxLength":9"#);
    let mut crd: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["a"] = field;
    crd.to_string()
}

#[test]
fn a_default_meets_the_rules_of_its_schema_and_of_those_within() {
    let object = r#"{"type": "object", "properties": {"min": {"type": "integer", "maximum": 9}, "max": {"type": "integer",
        "x-kubernetes-validations": [{"rule": "self < 100"}]}}, "default": DEFAULT,
        "x-kubernetes-validations": [{"rule": "!has(self.max) || self.min <= self.max"}]}"#;
    let text = r#"{"type": "string", "maxLength": 9, "default": "ab", "x-kubernetes-validations": [{"rule": "RULE"}]}"#;
    let of = |default: &str| object.replace("DEFAULT", default);
    let said = |rule: &str| text.replace("RULE", rule);
    for (schema, refused) in [
        (of(r#"{"min": 1, "max": 2}"#), None),
        (of(r#"{"min": 1}"#), None),
        (of(r#"{"min": 3, "max": 2}"#), Some("properties[a].default")),
        (of(r#"{"min": 3, "max": 200}"#), Some("properties[a].default.max")),
        (said("self.startsWith('a')"), None),
        (said("self.startsWith('b')"), Some("properties[a].default")),
        (said("self == oldSelf"), None),
        // Not judged.
        (said("self.matches('^b')"), None),
        (said("duration(self) > duration('1s')"), None),
    ] {
        let errors = errors(&with_field(&schema));
        match refused {
            None => assert!(errors.is_empty(), "{schema}: {errors:?}"),
            Some(path) => assert!(
                matches!(errors.as_slice(), [error] if error.lines().any(|line| line.ends_with(path))),
                "{schema}: {errors:?}"
            ),
        }
    }
    let unjudged = lint(&with_field(&said("self.matches('^b')")));
    let notes = unjudged
        .findings()
        .iter()
        .filter(|finding| finding.code == "rule-unjudged");
    assert_eq!(notes.count(), 1);
}

/// Whether a CRD has one error, with a path that ends so; or none.
fn assert_refused(crd: &str, refused: Option<&str>) {
    let errors = errors(crd);
    match refused {
        None => assert!(errors.is_empty(), "{crd}: {errors:?}"),
        Some(path) => assert!(
            matches!(errors.as_slice(), [error] if error.lines().any(|line| line.ends_with(path))),
            "{crd}, {path}: {errors:?}"
        ),
    }
}

#[test]
fn fields_are_refused_where_a_server_refuses_them() {
    for (schema, refused) in [
        // Numbers are compared in the form of the value.
        (r#"{"type": "number", "maximum": -0.5, "default": 0}"#, None),
        (r#"{"type": "number", "minimum": 1e19, "default": 5}"#, None),
        (r#"{"type": "integer", "default": 1e19}"#, Some("properties[a].default")),
        (
            r#"{"type": "integer", "minimum": 0.5, "default": 1}"#,
            Some("properties[a].default"),
        ),
        (
            r#"{"type": "integer", "multipleOf": 0, "default": 1}"#,
            Some("properties[a].default"),
        ),
        (r#"{"type": "integer", "format": "uint32", "default": -1}"#, None),
        (
            r#"{"type": "integer", "format": "int32", "maximum": 2147483648, "default": 5}"#,
            Some("properties[a].default"),
        ),
        // A combination is refused for the whole default.
        (
            r#"{"type": "array", "items": {"type": "string", "not": {"minLength": 3}}, "default": ["abc"]}"#,
            Some("properties[a].default"),
        ),
        // A rule over a default is compiled for the default.
        (
            r#"{"type": "string", "default": "b", "x-kubernetes-validations": [{"rule": "self.nothing"}]}"#,
            Some("properties[a].default"),
        ),
        (
            r#"{"type": "object", "properties": {"b": {"type": "string", "x-kubernetes-validations": [{"rule": "self > 1"}]}},
                "default": {"b": "c"}}"#,
            Some("properties[a].default.b"),
        ),
        (
            r#"{"type": "array", "items": {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 5"}]},
                "default": [1, 6]}"#,
            Some("properties[a].default[1]"),
        ),
        (
            r#"{"type": "string", "x-kubernetes-validations": [{"rule": "quantity(self).sign() == 1"}]}"#,
            Some("x-kubernetes-validations[0].rule"),
        ),
        (
            r#"{"type": "object", "additionalProperties": true,
                "x-kubernetes-validations": [{"rule": "true", "fieldPath": "['b']"}]}"#,
            None,
        ),
        (
            r#"{"type": "object", "additionalProperties": {"type": "string"},
                "x-kubernetes-validations": [{"rule": "true", "fieldPath": "."}]}"#,
            Some("x-kubernetes-validations[0].fieldPath"),
        ),
    ] {
        assert_refused(&with_field(schema), refused);
    }
}

#[test]
fn crds_are_refused_where_a_server_refuses_them() {
    let edited = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut crd = serde_json::from_str(&with_field(r#"{"type": "string"}"#)).expect("it is JSON");
        edit(&mut crd);
        crd.to_string()
    };
    let warned = |warning: &str| {
        edited(&|crd| {
            crd["spec"]["versions"][0]["deprecated"] = true.into();
            crd["spec"]["versions"][0]["deprecationWarning"] = warning.into();
        })
    };
    let called = |url: &str| {
        edited(&|crd| {
            crd["spec"]["conversion"] = serde_json::json!({ "strategy": "Webhook", "webhook": {
                "conversionReviewVersions": ["v1"], "clientConfig": { "url": url } } });
        })
    };
    let two = |is_same: bool| {
        edited(&|crd| {
            let mut other = crd["spec"]["versions"][0].clone();
            other["name"] = "v2".into();
            other["storage"] = false.into();
            other["selectableFields"] = serde_json::json!([{ "jsonPath": ".spec.a" }]);
            if !is_same {
                other["schema"]["openAPIV3Schema"]["description"] = "of a car".into();
            }
            crd["spec"]["versions"]
                .as_array_mut()
                .expect("it is a list")
                .push(other);
        })
    };
    for (crd, refused) in [
        (
            edited(&|crd| crd["metadata"]["namespace"] = "a".into()),
            Some("metadata.namespace"),
        ),
        // Servers set it themselves.
        (edited(&|crd| crd["metadata"]["generation"] = (-1).into()), None),
        // What is not set is `false`.
        (
            edited(&|crd| {
                let version = crd["spec"]["versions"][0].as_object_mut();
                version.expect("it is a table").remove("served");
            }),
            None,
        ),
        (warned("äöü: use \"v2\" ‘now’"), None),
        (warned("a\u{200b}b"), Some("versions[0].deprecationWarning")),
        (warned("a\u{a0}b"), Some("versions[0].deprecationWarning")),
        (called("https://a.example.com:8443/convert"), None),
        (called("https://[::1]:8443"), None),
        (called("https://a:b/convert"), Some("webhookClientConfig.url")),
        (called("https://a b/convert"), Some("webhookClientConfig.url")),
        (called("https://[::1/convert"), Some("webhookClientConfig.url")),
        // Servers keep one schema above all versions where it is the same, and find none in each.
        (two(true), Some("spec.versions[1].selectableFields")),
        (two(false), None),
    ] {
        assert_refused(&crd, refused);
    }
}

/// The server's paths of the errors in a text, sorted.
fn paths(text: &str) -> Vec<String> {
    let errors = errors(text);
    let of = |error: &String| {
        let mut lines = error.lines();
        lines.find_map(|line| line.strip_prefix("servers refuse this CRD, for ").map(str::to_owned))
    };
    let mut paths: Vec<String> = errors.iter().map(|error| of(error).expect("it has a path")).collect();
    paths.sort();
    paths
}

#[test]
fn what_is_meant_to_be_a_crd_is_refused_as_one() {
    const API: &str = "apiVersion: apiextensions.k8s.io/v1\n";
    const KIND: &str = "kind: CustomResourceDefinition\n";
    const NAME: &str = "metadata:\n  name: cars.example.com\n";
    const MADE: &str = "  annotations:\n    controller-gen.kubebuilder.io/version: v0.19.0\n";
    const INJECTED: &str = "  annotations:\n    cert-manager.io/inject-ca-from: a/b\n";
    const VERSIONS: &str = "  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n        \
                            openAPIV3Schema:\n          type: object\n";
    let names = "spec:\n  group: example.com\n  names: {kind: Car, plural: cars}\n  scope: Namespaced\n";
    let spec = format!("{names}{VERSIONS}");
    let scoped = format!("spec:\n  scope: Namespaced\n{VERSIONS}");
    let without = ["metadata.name", "spec"];
    for (text, expected) in [
        (format!("{API}{KIND}{NAME}{spec}"), &[][..]),
        (format!("{KIND}{NAME}{spec}"), &["apiVersion"]),
        (format!("apiVersion:\n{KIND}{NAME}{spec}"), &["apiVersion"]),
        (format!("apiVersion: 1\n{KIND}{NAME}{spec}"), &["apiVersion"]),
        (
            format!("apiVersion: apiextensions.k8s.io/v2\n{KIND}{NAME}{spec}"),
            &["apiVersion"],
        ),
        (format!("{API}{NAME}{spec}"), &["kind"]),
        (format!("{API}kind: customresourcedefinition\n{NAME}{spec}"), &["kind"]),
        (format!("{API}kind: [CustomResourceDefinition]\n{NAME}{spec}"), &["kind"]),
        (
            r#"{"metadata": {"name": "cars.example.com"}, "apiVersion": "apiextensions.k8s.io/v1", "spec": {"group": "a.b"}}"#
                .to_owned(),
            &["kind"],
        ),
        (format!("{API}{KIND}{NAME}"), &without),
        (format!("{API}{KIND}{NAME}spec:\n"), &without),
        (format!("{API}{KIND}{NAME}{MADE}"), &without),
        (format!("{API}{KIND}{NAME}spec: text\n"), &["spec"]),
        (
            format!("{API}{KIND}{NAME}{scoped}"),
            &["metadata.name", "spec.group", "spec.names.kind", "spec.names.plural"],
        ),
        // Kustomize merges these into a CRD, or they are no CRDs.
        (format!("{API}{KIND}{NAME}{INJECTED}"), &[]),
        (format!("{API}{KIND}{NAME}$patch: delete\n"), &[]),
        (format!("{API}{KIND}{NAME}spec:\n  preserveUnknownFields: false\n"), &[]),
        (format!("{API}kind: ConversionReview\nrequest: {{}}\n"), &[]),
    ] {
        assert_eq!(paths(&text), expected, "{text}");
    }
}

#[test]
fn a_line_break_of_yaml_1_1_in_a_warning_is_a_blank() {
    let warned = |sign: &str| {
        let crd = with_field(r#"{"type": "string"}"#);
        let mark = r#""storage":true"#;
        assert!(crd.contains(mark), "{crd}");
        crd.replace(
            mark,
            &format!(r#"{mark},"deprecated":true,"deprecationWarning":"a{sign}b""#),
        )
    };
    let yaml = |json: &str| format!("# as YAML\n{json}");
    let at = ["spec.versions[0].deprecationWarning"];
    assert_eq!(paths(&yaml(&warned("\u{85}"))), [""; 0]);
    assert_eq!(paths(&yaml(&warned(r"\x85"))), at);
    assert_eq!(paths(&yaml(&warned("\u{2028}"))), at);
    assert_eq!(paths(&warned("\u{85}")), at);
}
