//! Conversion as projects ship it: patches of Kustomize beside CRDs, templates of Helm, and webhooks that are named.

#![cfg(test)]

use crate::program::{folder, run_in};

/// A CRD of two versions; the newer one may have a field that the older one lacks.
fn cars(head: &str, field: &str) -> String {
    let version = |name: &str, field: &str| {
        format!(
            "  - name: {name}\n    served: true\n    storage: {}\n    schema:\n      openAPIV3Schema:\n        type: object\n\
             {:8}properties:\n          spec:\n            type: object\n            properties: {{a: {{type: string}}{field}}}\n",
            name == "v1",
            ""
        )
    };
    format!(
        "{head}apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: cars.example.com\n\
         spec:\n  group: example.com\n  names: {{kind: Car, plural: cars}}\n  scope: Namespaced\n  versions:\n{}{}",
        version("v1beta1", ""),
        version("v1", field)
    )
}

const MORE: &str = ", b: {type: string}";

const PATCH: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: cars.example.com}\n\
                     spec:\n  conversion:\n    strategy: Webhook\n    webhook: {conversionReviewVersions: [v1]}\n";

const INJECTION: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  \
                         name: cars.example.com\n  annotations: {cert-manager.io/inject-ca-from: a/b}\n";

const LISTED: &str = "resources: [bases/cars.yaml]\npatches:\n- path: patches/webhook_in_cars.yaml\n";

const UNLISTED: &str = "resources: [bases/cars.yaml]\n#patches:\n#- path: patches/webhook_in_cars.yaml\n";

const INLINE: &str = "patches:\n- target: {kind: CustomResourceDefinition}\n  patch: |\n    \
                      apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata: {name: any}\n    \
                      spec: {conversion: {strategy: Webhook}}\n";

/// Compares the CRDs of a layout before and after the newer version gets a field; the layout has this list, if any.
fn compared(list: Option<&str>, patches: bool, path: &str) -> (Option<i32>, String) {
    let mut files = Vec::new();
    for (state, field) in [("old", ""), ("new", MORE)] {
        files.push((format!("{state}/crd/bases/cars.yaml"), cars("", field)));
        files.extend(list.map(|list| (format!("{state}/crd/kustomization.yaml"), list.to_owned())));
        if patches {
            files.push((format!("{state}/crd/patches/webhook_in_cars.yaml"), PATCH.to_owned()));
            files.push((
                format!("{state}/crd/patches/cainjection_in_cars.yaml"),
                INJECTION.to_owned(),
            ));
        }
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let here = folder(&files);
    let run = run_in(&here, &["diff", &format!("old/{path}"), &format!("new/{path}")]);
    (run.code, run.err)
}

#[test]
fn patches_of_kustomize_say_how_versions_are_converted() {
    for path in ["crd", "crd/bases"] {
        let clean = "0 breaking, 0 risky, 1 compatible in 1 kind; --all lists them\n";
        for (list, patches) in [(Some(LISTED), true), (None, true), (Some(INLINE), false)] {
            assert_eq!(
                compared(list, patches, path),
                (Some(0), clean.to_owned()),
                "{path} {list:?}"
            );
        }
        // A patch that is commented out is not applied, as with Kustomize.
        for (list, patches) in [(Some(UNLISTED), true), (None, false)] {
            let lost = "1 breaking, 0 risky, 1 compatible in 1 kind; --all lists them\n";
            assert_eq!(
                compared(list, patches, path),
                (Some(1), lost.to_owned()),
                "{path} {list:?}"
            );
        }
    }
}

/// A list with a JSON patch of these operations for a CRD.
fn listing_operations(key: &str, target: &str, operations: &str) -> String {
    format!("{key}:\n- target: {{kind: CustomResourceDefinition, name: {target}}}\n  patch: |\n    {operations}\n")
}

#[test]
fn json_patches_say_how_versions_are_converted() {
    let [clean, lost] = [(Some(0), "0 breaking"), (Some(1), "1 breaking")];
    let webhook = r#"[{"op": "add", "path": "/spec/conversion", "value": {"strategy": "Webhook"}}]"#;
    let strategy = r#"[{"op": "replace", "path": "/spec/conversion/strategy", "value": "Webhook"}]"#;
    let taken_back = r#"[{"op": "add", "path": "/spec/conversion/strategy", "value": "Webhook"},
      {"op": "remove", "path": "/spec/conversion/strategy"}]"#;
    let other = r#"[{"op": "add", "path": "/metadata/annotations/a", "value": "b"}]"#;
    for (key, target, operations, (code, counts)) in [
        ("patches", "cars.example.com", webhook, clean),
        ("patches", ".*", webhook, clean),
        ("patchesJson6902", "cars.example.com", strategy, clean),
        ("patches", "vans.example.com", webhook, lost),
        ("patches", "cars.example.com", taken_back, lost),
        ("patches", "cars.example.com", other, lost),
    ] {
        let list = listing_operations(key, target, operations);
        let (ended, said) = compared(Some(&list), false, "crd");
        assert!(ended == code && said.starts_with(counts), "{list}: {said}");
    }
    let copied = r#"[{"op": "copy", "from": "/x", "path": "/spec/conversion"}]"#;
    let (_, said) = compared(
        Some(&listing_operations("patches", "cars.example.com", copied)),
        false,
        "crd",
    );
    assert_eq!(
        said.matches("a JSON patch with the operation `copy` of `/spec/conversion`, for cars.example.com")
            .count(),
        2
    );
}

#[test]
fn a_json_patch_of_another_part_is_named_as_skipped() {
    let other = r#"[{"op": "replace", "path": "/spec/versions/0/served", "value": false}]"#;
    let list = listing_operations("patches", "cars.example.com", other);
    let (_, said) = compared(Some(&list), false, "crd");
    assert!(
        said.contains("a JSON patch of `/spec/versions/0/served`, which is not applied"),
        "{said}"
    );
}

#[test]
fn a_merge_patch_of_another_part_is_named_as_skipped() {
    let patch = PATCH.split("spec:").next().expect("it has a spec").to_owned() + "spec:\n  scope: Cluster\n";
    let bare = patch.replace("  scope: Cluster\n", "  scope: Cluster\n  versions: []\n");
    let listed = "resources: [cars.yaml]\npatches:\n- path: scope.yaml\n";
    let here = folder(&[
        ("listed/cars.yaml", &cars("", "")),
        ("listed/scope.yaml", &patch),
        ("listed/kustomization.yaml", listed),
        ("beside/cars.yaml", &cars("", "")),
        ("beside/scope.yaml", &patch),
        ("old.yaml", &cars("", "")),
        ("wrong.yaml", &bare.replace("versions: []", "versions: [{name: v1}]")),
    ]);
    let said = run_in(&here, &["diff", "old.yaml", "listed"]).ended(0).err;
    let skipped = "warning: skipped listed/scope.yaml: a patch of `spec.scope`, which is not applied";
    assert_eq!(said.matches("skipped").count(), 1, "{said}");
    assert!(said.contains(skipped), "{said}");
    let said = run_in(&here, &["diff", "old.yaml", "beside"]).ended(0).err;
    assert_eq!(said.matches("skipped").count(), 1, "{said}");
    assert!(said.contains("skipped beside/scope.yaml:1: a part of a CRD"), "{said}");
    // With versions, it is meant to be a CRD.
    run_in(&here, &["diff", "old.yaml", "wrong.yaml"])
        .ended(2)
        .says(&["a CustomResourceDefinition without spec.names.kind"]);
}

#[test]
fn a_list_that_cannot_be_read_and_a_patch_for_nothing_are_reported() {
    let here = folder(&[
        ("crd/bases/cars.yaml", &cars("", MORE)),
        ("crd/kustomization.yaml", "patches: [\n"),
        ("other/cars.yaml", &cars("", MORE)),
        ("other/patch.yaml", &PATCH.replace("cars", "vans")),
    ]);
    run_in(&here, &["diff", "crd/bases", "crd/bases"]).says(&["warning: skipped crd/kustomization.yaml:"]);
    run_in(&here, &["diff", "other", "other"]).says(&["warning: skipped other/patch.yaml:1: a part of a CRD"]);
}

#[test]
fn a_list_reads_nothing_above_its_folder() {
    let listed = |path: &str| format!("patches:\n- path: {path}\n");
    for path in ["../../outside.yaml", "../../../other.yaml"] {
        let here = folder(&[
            ("outside.yaml", PATCH),
            ("old/crd/cars.yaml", &cars("", "")),
            ("new/crd/cars.yaml", &cars("", MORE)),
            ("new/crd/kustomization.yaml", &listed(path)),
        ]);
        run_in(&here, &["diff", "old/crd", "new/crd"]).ended(1).says(&[
            "lost in conversion",
            "warning: skipped",
            "yaml, which leads out of",
        ]);
    }
}

#[test]
fn a_person_or_a_model_names_what_a_webhook_converts() {
    let model = |webhooks: &str| {
        format!(
            "schemas = [\"cars.yaml\"]\n{webhooks}[calendar]\ncurrent = \"1.1\"\nreleases = {{ \"1.0\" = 2025-01-01, \"1.1\" = \
             2025-05-01 }}\n[group.\"example.com\".version]\nv1beta1 = {{ introduced = \"1.0\" }}\nv1 = {{ introduced = \
             \"1.0\" }}\n[group.\"example.com\".kind.Car]\nresource = \"cars\"\n"
        )
    };
    let here = folder(&[
        ("old.yaml", &cars("", "")),
        ("cars.yaml", &cars("", MORE)),
        ("silent.toml", &model("")),
        ("lifecycle.toml", &model("webhooks = [\"example.com/Car\"]\n")),
        ("wrong.toml", &model("webhooks = [\"example.com/Bus\"]\n")),
    ]);
    run_in(&here, &["diff", "old.yaml", "cars.yaml"])
        .ended(1)
        .says(&["lost in conversion"]);
    for named in ["all", "example.com", "example.com/Car"] {
        run_in(&here, &["diff", "old.yaml", "cars.yaml", "--webhook", named]).ended(0);
    }
    run_in(&here, &["diff", "old.yaml", "cars.yaml", "--webhook", "example.org"])
        .ended(2)
        .says(&["no CRD is `example.org`", "`all`"]);
    let lost = "lost in conversion";
    run_in(&here, &["check", "silent.toml"]).says(&[lost]);
    run_in(&here, &["check", "lifecycle.toml"]).silent_on(&[lost]);
    run_in(&here, &["check", "wrong.toml"])
        .ended(2)
        .says(&["no CRD in `schemas` is `example.com/Bus`"]);
}

#[test]
fn what_stands_around_lines_of_a_template_is_read() {
    let safe = "{{- if .Values.crds.enabled }}\n";
    let whole = format!("{}{{{{- end }}}}\n", cars(safe, MORE));
    let labelled = whole.replace(
        "metadata:\n",
        "metadata:\n  labels:\n    {{- include \"labels\" . | nindent 4 }}\n    app: \"{{ .Chart.Name }}\"\n",
    );
    let unsafe_group = whole.replace("group: example.com", "group: {{ .Values.group }}");
    let licensed =
        format!("{{{{- /*\nOf all: {{{{ .Values.group }}}}\n  kind: Van\n*/ -}}}}\n{{{{/* Generated. */}}}}\n{whole}");
    let both = whole.replace(
        "  scope: Namespaced\n",
        "{{ if .a }}\n  scope: Namespaced\n{{ else }}\n  scope: Cluster\n{{ end }}\n",
    );
    let here = folder(&[
        ("old.yaml", &cars("", "")),
        ("whole.yaml", &whole),
        ("labelled.yaml", &labelled),
        ("licensed.yaml", &licensed),
        ("unsafe.yaml", &unsafe_group),
        ("both.yaml", &both),
        ("mixed/old.yaml", &cars("", "")),
        ("mixed/unsafe.yaml", &unsafe_group.replace("Car", "Van")),
    ]);
    for file in ["whole.yaml", "labelled.yaml", "licensed.yaml"] {
        run_in(&here, &["diff", "old.yaml", file])
            .ended(1)
            .says(&["lost in conversion to v1beta1", &format!("{file}:")])
            .silent_on(&["skipped"]);
        run_in(&here, &["lint", file]).ended(0);
    }
    for file in ["unsafe.yaml", "both.yaml"] {
        run_in(&here, &["diff", "old.yaml", file])
            .ended(2)
            .says(&["a Helm template; render it first (`helm template`)"]);
    }
    // The rest of the run goes on.
    run_in(&here, &["diff", "old.yaml", "mixed"])
        .ended(0)
        .says(&["skipped mixed/unsafe.yaml:1: a Helm template", "0 breaking"]);
}
