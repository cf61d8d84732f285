//! `lifecycle diff` over files, folders and Git revisions.

#![cfg(test)]

use serde_json::Value;

use crate::history::Repository;
use crate::program::{Run, finish, folder, program, run_in};

/// A CRD with one field.
fn widget(kind: &str, field: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {plural}.example.com}}\n\
         spec:\n  group: example.com\n  names: {{kind: {kind}, plural: {plural}}}\n  scope: Namespaced\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         properties:\n          {field}: {{type: string}}\n"
    )
}

/// The exit code of a run, and its changes as `code element file`.
#[track_caller]
fn changes(run: &Run) -> (Option<i32>, Vec<String>) {
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}\n{}", run.out, run.err));
    let word = |change: &Value, key: &str| change[key].as_str().unwrap_or("-").to_owned();
    let reported = report["changes"].as_array().expect("a report lists changes").iter();
    let reported = reported.map(|change| ["code", "element", "file"].map(|key| word(change, key)).join(" "));
    (run.code, reported.collect())
}

/// A repository with the tags `v1` and `v2`, and one field less in its working tree.
fn repository() -> Repository {
    let repository = Repository::committed(&[
        ("config/crd/widgets.yaml", &widget("Widget", "a")),
        ("config/crd/.old/widgets.yaml", "no: {YAML"),
        ("README.md", "Widgets"),
    ]);
    let tag = |name: &str| {
        let commit = repository.commit("main");
        repository.point(&format!("refs/tags/{name}"), commit);
    };
    tag("v1");
    repository.write("config/crd/widgets.yaml", &widget("Widget", "b"));
    repository.write("config/crd/bolts.yaml", &widget("Bolt", "a"));
    tag("v2");
    repository.write("config/crd/widgets.yaml", &widget("Widget", "c"));
    repository
}

#[test]
fn a_finding_points_at_the_words_of_its_document() {
    let all = |field: &str| format!("{}---\n# é\n{}", widget("Bolt", "a"), widget("Widget", field));
    let (old, new) = (all("b"), all("\"c\""));
    let here = folder(&[("old.yaml", &old), ("new.yaml", &new)]);
    let run = run_in(&here, &["diff", "old.yaml", "new.yaml", "--format", "sarif", "--all"]);
    let log: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.all()));
    let results = log["runs"][0]["results"].as_array().expect("there are results");
    let regions: Vec<String> = results
        .iter()
        .map(|result| result["locations"][0]["physicalLocation"].to_string())
        .collect();
    let line = new
        .lines()
        .position(|line| line.contains("\"c\""))
        .expect("it is there")
        + 1;
    let words = format!("\"endColumn\":14,\"endLine\":{line},\"startColumn\":11,\"startLine\":{line}");
    assert!(
        regions.iter().any(|region| region.contains(&words)),
        "{words}\n{regions:#?}"
    );
}

#[test]
fn a_state_may_be_a_path_of_a_revision() {
    let repository = repository();
    let diff = |old: &str, new: &str| changes(&repository.run(&["diff", "--all", "--format", "json", old, new]));
    let (code, reported) = diff("v1:config/crd", "v2:config/crd");
    assert_eq!(code, Some(1));
    let expected = [
        "definition-added example.com Bolt v2:config/crd/bolts.yaml",
        "field-removed example.com/v1 Widget .a v2:config/crd/widgets.yaml",
        "field-added example.com/v1 Widget .b v2:config/crd/widgets.yaml",
    ];
    assert_eq!(reported.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
    for line in expected {
        assert!(reported.iter().any(|found| found == line), "{line} in {reported:#?}");
    }
    assert_eq!(
        diff("v1", "v2"),
        (code, reported.clone()),
        "revisions alone stand for all of their files"
    );
    assert_eq!(
        diff("v1", "v2:config/crd"),
        (code, reported),
        "or for what the other side names"
    );
    let (_, one) = diff("v1:config/crd/widgets.yaml", "v2:config/crd/widgets.yaml");
    assert_eq!(one.len(), 2, "a file is a state too: {one:#?}");
}

#[test]
fn a_bare_revision_uses_the_path_of_the_other_side() {
    let repository = repository();
    let diff = |folder: &str, old: &str, new: &str| {
        let arguments = ["diff", "--all", "--format", "json", old, new];
        changes(&finish(program(&repository.path().join(folder), &arguments), b""))
    };
    let removed = |reported: &[String]| {
        let gone = reported.iter().filter(|found| found.starts_with("field-removed"));
        gone.cloned().collect::<Vec<_>>()
    };
    let (code, reported) = diff(".", "v2", "config/crd");
    assert_eq!(code, Some(1));
    assert_eq!(
        removed(&reported),
        ["field-removed example.com/v1 Widget .b config/crd/widgets.yaml"]
    );
    let (_, below) = diff("config", "v2", "crd");
    assert_eq!(
        removed(&below),
        ["field-removed example.com/v1 Widget .b crd/widgets.yaml"],
        "as seen from where one stands"
    );
    let (_, back) = diff(".", "config/crd", "v2");
    assert_eq!(
        removed(&back),
        ["field-removed example.com/v1 Widget .c v2:config/crd/widgets.yaml"]
    );
}

#[test]
fn three_dots_leave_out_later_changes_of_others() {
    let repository = repository();
    let at = repository.commit("main");
    repository.point("refs/heads/topic", at);
    repository.stand_on("topic");
    repository.write("config/crd/widgets.yaml", &widget("Widget", "d"));
    let ours = repository.commit("topic");
    repository.point("refs/heads/topic", ours);
    repository.write("config/crd/nuts.yaml", &widget("Nut", "a"));
    repository.write("config/crd/widgets.yaml", &widget("Widget", "c"));
    repository.commit("main");
    repository.delete("config/crd/nuts.yaml");
    repository.write("config/crd/widgets.yaml", &widget("Widget", "d"));
    let diff = |old: &str| changes(&repository.run(&["diff", "--format", "json", old, "config/crd"])).1;
    assert!(
        diff("main")
            .iter()
            .any(|found| found.contains("definition-removed example.com Nut"))
    );
    let reported = diff("main...");
    let expected = [
        "field-removed example.com/v1 Widget .c",
        "field-added example.com/v1 Widget .d",
    ];
    assert_eq!(
        reported,
        expected.map(|found| format!("{found} config/crd/widgets.yaml"))
    );
}

#[test]
fn a_revision_without_crds_is_empty_and_a_typo_is_an_error() {
    let repository = Repository::committed(&[("README.md", "Widgets"), ("old/a.yaml", "a: b")]);
    repository.commit("main");
    repository.write("config/crd/widgets.yaml", &widget("Widget", "a"));
    let run = repository.run(&["diff", "--all", "--format", "json", "main", "config/crd"]);
    assert!(
        run.err
            .contains("main:config/crd: no CustomResourceDefinition, and no OpenAPI document"),
        "{}",
        run.err
    );
    let (code, reported) = changes(&run);
    assert_eq!((code, reported.len()), (Some(0), 1));
    for (old, expected) in [
        (
            "main:config/crd",
            "error: there is no file at or below main:config/crd\nhelp: name a path from the root",
        ),
        (
            "main:old",
            "error: main:old: no CustomResourceDefinition, and no OpenAPI document that serves a kind",
        ),
        (
            "mian",
            "error: there is no revision, file or folder `mian`\nhelp: did you mean `main`?",
        ),
        ("mian:old", "error: there is no revision, file or folder `mian:old`"),
        ("main:../old", "error: "),
    ] {
        let run = repository.run(&["diff", old, "config/crd"]);
        assert_eq!(run.code, Some(2), "{old}: {}", run.err);
        assert!(run.err.starts_with(expected), "{old}: {}", run.err);
    }
}

#[test]
fn an_ambiguous_path_or_revision_is_an_error() {
    let repository = repository();
    repository.write("v1", &widget("Widget", "a"));
    let run = repository.run(&["diff", "v1", "config/crd"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err
            .starts_with("error: `v1` is both a revision and a path\nhelp: write `./v1`"),
        "{}",
        run.err
    );
    let path = changes(&repository.run(&[
        "diff",
        "--all",
        "--format",
        "json",
        "./v1",
        "v2:config/crd/widgets.yaml",
    ]));
    assert_eq!(path.1.len(), 2, "{path:?}");
    let revision = changes(&repository.run(&["diff", "--format", "json", "refs/tags/v1", "v2"]));
    assert!(
        revision
            .1
            .iter()
            .any(|found| found.ends_with("Widget .a v2:config/crd/widgets.yaml")),
        "{revision:?}"
    );
}

#[test]
fn outside_of_a_repository_only_paths_are_accepted() {
    let folder = folder(&[("a.yaml", &widget("Widget", "a"))]);
    let run = run_in(&folder, &["diff", "v1", "a.yaml"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.starts_with("error: there is no file or folder `v1`"),
        "{}",
        run.err
    );
    let same = changes(&run_in(
        &folder,
        &["diff", "--all", "--format", "json", "a.yaml", "a.yaml"],
    ));
    assert_eq!(same, (Some(0), Vec::new()));
}

/// A CRD of these versions, all served.
fn versions(names: &[&str], deprecated: &str) -> String {
    let version = |name: &&str| {
        let storage = *name == "v1";
        let deprecated = *name == deprecated;
        format!("  - {{name: {name}, served: true, storage: {storage}, deprecated: {deprecated}}}\n")
    };
    let versions: String = names.iter().map(version).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
         names: {{kind: Widget, plural: widgets}}\n  versions:\n{versions}"
    )
}

/// A model in which `v1beta1` is deprecated in 1.1, so it may be removed in 1.4, three releases later.
fn model(more: &str) -> String {
    format!(
        "[calendar]\ncurrent = \"1.3\"\ncadence = {{ months = 4 }}\n[calendar.releases]\n\"1.0\" = 2023-01-10\n\
         \"1.1\" = 2023-05-10\n\"1.2\" = 2023-09-10\n\"1.3\" = 2024-01-10\n[group.\"example.com\".version]\n\
         v1 = {{ introduced = \"1.1\" }}\nv1beta1 = {{ introduced = \"1.0\"{more} }}\n\
         [group.\"example.com\".kind]\nWidget = {{ resource = \"widgets\" }}\n"
    )
}

#[test]
fn added_and_removed_versions_are_judged_by_the_model() {
    let both = versions(&["v1", "v1beta1"], "");
    let announced = versions(&["v1", "v1beta1"], "v1beta1");
    let one = versions(&["v1"], "");
    let more = versions(&["v1", "v1beta1", "v2alpha1"], "");
    let folder = folder(&[
        ("both.yaml", &both),
        ("announced.yaml", &announced),
        ("one.yaml", &one),
        ("more.yaml", &more),
        ("other.yaml", &widget("Bolt", "a")),
        ("silent.toml", &model("")),
        ("deprecated.toml", &model(", deprecated = \"1.1\"")),
        ("young.toml", &model(", deprecated = \"1.3\"")),
        ("declared.toml", &model(", deprecated = \"1.1\", removed = \"1.4\"")),
        ("later.toml", &model(", deprecated = \"1.1\", removed = \"1.6\"")),
        ("broken.toml", "[calendar"),
    ]);
    let judged = |old: &str, new: &str, model: &str| {
        let run = run_in(&folder, &["diff", "--format", "json", "--model", model, old, new]);
        let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.all()));
        let change = &report["changes"][0];
        let reported = ["severity", "code", "reason", "help"].map(|key| change[key].as_str().unwrap_or("-").to_owned());
        (run.code, reported.join("; "))
    };
    let id = "example.com/v1beta1 Widget";
    let ended = |severe: &str, rest: String| format!("{severe}; version-removed; {rest}");
    for (model, code, expected) in [
        (
            "declared.toml",
            0,
            ended(
                "note",
                "the model declares the removal; `lifecycle check -m declared.toml` says whether it is legal; -"
                    .to_owned(),
            ),
        ),
        (
            "deprecated.toml",
            1,
            ended(
                "error",
                format!(
                    "the model does not declare the removal of {id}; keep serving it, or declare the removal in \
                     the next release: `removed = \"1.4\"`"
                ),
            ),
        ),
        (
            "young.toml",
            1,
            ended(
                "error",
                format!(
                    "the model does not declare the removal of {id}; keep serving it: {id} may be removed in 1.6 at the earliest"
                ),
            ),
        ),
        (
            "later.toml",
            1,
            ended(
                "error",
                format!(
                    "the model declares the removal of {id} for 1.6; keep serving it, or declare the removal in \
                     the next release: `removed = \"1.4\"`"
                ),
            ),
        ),
    ] {
        assert_eq!(
            judged("both.yaml", "one.yaml", model),
            (Some(code), expected),
            "{model}"
        );
    }
    let gone = judged("both.yaml", "other.yaml", "declared.toml");
    assert!(
        gone.1.contains("the model does not declare example.com/v1 Bolt"),
        "what is new is not in the model: {gone:?}"
    );
    let (code, begun) = judged("both.yaml", "more.yaml", "deprecated.toml");
    let begins = "warning; version-added; the model does not declare example.com/v2alpha1 Widget; update the model: ";
    assert!(begun.starts_with(begins) && code == Some(0), "{begun}");
    let (_, silent) = judged("both.yaml", "announced.yaml", "silent.toml");
    let expected = format!(
        "warning; version-deprecated; the model does not declare the deprecation of {id}; declare it: `deprecated = \"1.4\"`"
    );
    assert_eq!(silent, expected);
    let (code, announced) = judged("both.yaml", "announced.yaml", "deprecated.toml");
    assert!(
        announced.starts_with("note; version-deprecated") && code == Some(0),
        "{announced}"
    );
    let run = run_in(&folder, &["diff", "--model", "broken.toml", "both.yaml", "one.yaml"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.starts_with("error: broken.toml:1:"), "{}", run.err);
}

#[test]
fn a_removed_kind_is_judged_by_all_its_versions() {
    let both = versions(&["v1", "v1beta1"], "");
    let other = widget("Bolt", "a");
    let folder = folder(&[
        ("old/widgets.yaml", &both),
        ("old/bolts.yaml", &other),
        ("new/bolts.yaml", &other),
        ("lifecycle.toml", &model(", deprecated = \"1.1\", removed = \"1.4\"")),
    ]);
    let run = run_in(
        &folder,
        &["diff", "--format", "json", "--model", "lifecycle.toml", "old", "new"],
    );
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.all()));
    let change = &report["changes"][0];
    assert_eq!(change["code"], "definition-removed");
    assert_eq!(change["severity"], "error");
    assert_eq!(
        change["reason"],
        "the model does not declare the removal of example.com/v1 Widget"
    );
}

/// A CRD of `v1` and `v1beta1` with these fields in `spec`, without a conversion webhook.
fn fields(v1: &str, v1beta1: &str) -> String {
    let version = |name: &str, fields: &str| {
        let storage = name == "v1";
        format!(
            "  - name: {name}\n    served: true\n    storage: {storage}\n    schema: {{openAPIV3Schema: {{type: object, \
             properties: {{spec: {{type: object, properties: {{{fields}}}}}}}}}}}\n"
        )
    };
    let (v1, v1beta1) = (version("v1", v1), version("v1beta1", v1beta1));
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
         names: {{kind: Widget, plural: widgets}}\n  versions:\n{v1}{v1beta1}"
    )
}

/// A model in which gate `Wide` has the given stages.
fn gated(stages: &str, fields: &str) -> String {
    format!(
        "{}[gate]\nWide = {{ specs = [{stages}] }}\n[group.\"example.com\".kind.Widget.field]\n{fields}\n\
         [group.\"example.com\".kind.Widget.enum.\"spec.mode\"]\nB = {{ introduced = \"1.2\", gated-by = \"Wide\" }}\n",
        model("").replace("Widget = { resource = \"widgets\" }", "")
    )
}

#[test]
fn fields_behind_an_alpha_gate_may_break() {
    let old = "width: {type: object, properties: {most: {type: integer}}}, depth: {type: string}, size: {type: integer}, \
               mode: {type: string, enum: [A, B]}";
    let new = "width: {type: object, properties: {most: {type: integer, maximum: 3}}}, depth: {type: integer}, \
               size: {type: string}, mode: {type: string, enum: [A]}";
    let members = "\"spec.width\" = { introduced = \"1.2\", gated-by = \"Wide\" }\n\
                   \"spec.depth\" = { introduced = \"1.2\", stage = \"alpha\" }\n\"spec.size\" = {}";
    let alpha = "{ stage = \"alpha\", since = \"1.2\", default = false }";
    // What the next release promotes is still alpha for its users.
    let promoted = format!("{alpha}, {{ stage = \"beta\", since = \"1.4\", default = true }}");
    let beta = format!("{alpha}, {{ stage = \"beta\", since = \"1.3\", default = true }}");
    let folder = folder(&[
        ("old.yaml", &fields(old, old)),
        ("new.yaml", &fields(new, new)),
        ("promoted.toml", &gated(&promoted, members)),
        ("beta.toml", &gated(&beta, members)),
    ]);
    let judged = |model: &str| {
        let run = run_in(
            &folder,
            &["diff", "--format", "json", "--model", model, "old.yaml", "new.yaml"],
        );
        let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.all()));
        let changes = report["changes"].as_array().expect("a report lists changes").iter();
        let changes = changes.filter(|change| change["version"] == "v1");
        let reported = changes.map(|change| {
            ["severity", "track", "path"]
                .map(|key| change[key].as_str().unwrap_or("-"))
                .join(" ")
        });
        reported.collect::<Vec<String>>()
    };
    assert_eq!(
        judged("promoted.toml"),
        [
            "warning alpha .spec.depth",
            "warning alpha .spec.mode",
            "error ga .spec.size",
            "warning alpha .spec.width.most"
        ]
    );
    assert_eq!(
        judged("beta.toml"),
        [
            "warning alpha .spec.depth",
            "error beta .spec.mode",
            "error ga .spec.size",
            "error beta .spec.width.most"
        ]
    );
}

#[test]
fn a_represented_field_is_no_error() {
    let same = "size: {type: integer}";
    let new = "size: {type: integer}, magnitude: {type: integer}, note: {type: string}, hint: {type: string}, lost: {type: string}";
    let members = "\"spec.magnitude\".in = { v1 = { introduced = \"1.4\" }, v1beta1 = { represented-as = \"spec.old\" } }\n\
                   \"spec.note\".in = { v1 = { introduced = \"1.4\" }, v1beta1 = { represented-as = \"spec.gone\" } }\n\
                   \"spec.hint\".in = { v1 = { introduced = \"1.4\" }, v1beta1 = { represented-as = \"@example.com/hint\" } }";
    let stages = "{ stage = \"alpha\", since = \"1.2\", default = false }";
    let folder = folder(&[
        ("old.yaml", &fields(same, same)),
        ("new.yaml", &fields(new, "size: {type: integer}, old: {type: integer}")),
        ("lifecycle.toml", &gated(stages, members)),
    ]);
    let arguments = [
        "diff",
        "--format",
        "json",
        "--model",
        "lifecycle.toml",
        "old.yaml",
        "new.yaml",
    ];
    let run = run_in(&folder, &arguments);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.all()));
    let changes = report["changes"].as_array().expect("a report lists changes").iter();
    let losses = changes.filter(|change| change["code"] == "lost-between-versions");
    let reported = losses.map(|change| {
        ["severity", "path", "reason"]
            .map(|key| change[key].as_str().unwrap_or("-"))
            .join(" ")
    });
    let reported: Vec<String> = reported.collect();
    let prunes = "without a conversion webhook, the server drops the field from objects that pass through that version";
    assert_eq!(
        reported,
        [
            "note .spec.old the model declares that it represents `spec.magnitude` of v1".to_owned(),
            "note .spec.hint the model declares that v1beta1 represents it as `@example.com/hint`".to_owned(),
            format!("error .spec.lost {prunes}"),
            "note .spec.magnitude the model declares that v1beta1 represents it as `spec.old`".to_owned(),
            "error .spec.note the model declares that v1beta1 represents it as `spec.gone`, but the schema of v1beta1 does not \
             list that field"
                .to_owned(),
        ]
    );
}

#[test]
fn an_example_of_a_loss_is_shown_in_markdown() {
    let fence = "```` `x`";
    let text = format!("note: {{type: string, default: \"{fence}\"}}");
    let folder = folder(&[
        ("old.yaml", &fields("size: {type: integer}", "size: {type: integer}")),
        (
            "new.yaml",
            &fields(&format!("size: {{type: integer}}, {text}"), "size: {type: integer}"),
        ),
    ]);
    let run = run_in(&folder, &["diff", "--format", "markdown", "old.yaml", "new.yaml"]);
    let shown = "\n\n## Examples of lost fields\n\nexample.com/v1 Widget .spec.note is lost in conversion to v1beta1: no such \
                 field there.\n\n    apiVersion: example.com/v1\n    kind: Widget\n    metadata:\n      \
                 name: example\n    spec:\n      note: \"```` `x`\"\n";
    assert!(run.out.ends_with(shown), "{}", run.out);
}

/// Dangling links, and links to folders that are not read otherwise.
#[cfg(unix)]
fn linked() -> Repository {
    use std::os::unix::fs::symlink;
    let repository = Repository::committed(&[
        ("crd/widgets.yaml", &widget("Widget", "a")),
        ("crd/v1/bolts.yaml", &widget("Bolt", "a")),
        ("elsewhere/nuts.yaml", &widget("Nut", "a")),
        (
            "lifecycle.toml",
            "policy = \"kubernetes\"\nschemas = [\"crd\"]\n\n[calendar]\ncurrent = \"1.0\"\n[calendar.releases]\n\
             \"1.0\" = 2024-01-10\n\n[behavior.b]\nintroduced = \"1.0\"\n",
        ),
    ]);
    for (target, link) in [
        ("gone.yaml", "crd/nowhere.yaml"),
        ("gone", "crd/folder"),
        ("gone.txt", "crd/notes.txt"),
        ("someone@host.1", "crd/.#widgets.yaml"),
        ("v1", "crd/current"),
        ("../elsewhere", "crd/more"),
        ("../elsewhere/nuts.yaml", "crd/nuts.yaml"),
        ("round.yaml", "crd/round.yaml"),
    ] {
        symlink(target, repository.path().join(link)).expect("a link can be made");
    }
    repository.commit("main");
    repository
}

#[test]
#[cfg(unix)]
fn dangling_links_and_links_to_folders_are_reported() {
    let repository = linked();
    let reported = |run: Run| {
        let lines = run.err.lines().filter(|line| line.starts_with("warning: skipped"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let to_folder = "link to a folder, not followed; name that folder too to include it";
    let on_disk = [
        "warning: skipped crd/folder: broken link".to_owned(),
        format!("warning: skipped crd/more: {to_folder}"),
        "warning: skipped crd/nowhere.yaml: broken link".to_owned(),
        "warning: skipped crd/round.yaml: broken link".to_owned(),
    ];
    for arguments in [
        &["diff", "elsewhere", "crd"][..],
        &["lint", "crd"],
        &["check"],
        &["import", "crds", "--release", "1.0", "crd"],
    ] {
        assert_eq!(reported(repository.run(arguments)), on_disk, "{arguments:?}");
    }
    let round = "link out of the repository, or a cycle of links";
    let in_commit = [
        "warning: skipped main:crd/folder: broken link".to_owned(),
        format!("warning: skipped main:crd/more: {to_folder}"),
        "warning: skipped main:crd/nowhere.yaml: broken link".to_owned(),
        format!("warning: skipped main:crd/round.yaml: {round}"),
    ];
    let both = [&in_commit[..], &on_disk[..]].concat();
    assert_eq!(reported(repository.run(&["diff", "main", "crd"])), both);
    let (mut base_last, mut lines) = (
        both.clone(),
        reported(repository.run(&["lint", "--base", "main", "crd"])),
    );
    base_last.sort();
    lines.sort();
    assert_eq!(lines, base_last);
    let mut lines = reported(repository.run(&["check", "--base", "main"]));
    lines.sort();
    assert_eq!(lines, base_last);
}
