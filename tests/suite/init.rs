//! `lifecycle init`: from a repository to a model, a baseline and a check that has only what can be acted on.

#![cfg(test)]

use std::fmt::Write as _;

use tempfile::TempDir;

use crate::imports::tagged;
use crate::program::{Run, folder, run_in, write};

/// A CRD with these served versions, of which the last is stored.
fn crd(kind: &str, versions: &[&str]) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    let mut text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: {plural}.example.com\n\
         spec:\n  group: example.com\n  names:\n    kind: {kind}\n    plural: {plural}\n  scope: Namespaced\n  versions:\n"
    );
    for (at, version) in versions.iter().enumerate() {
        let stored = at + 1 == versions.len();
        let _ = write!(
            text,
            "  - name: {version}\n    served: true\n    storage: {stored}\n    schema:\n      openAPIV3Schema:\n        type: object\n"
        );
    }
    text
}

fn file(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}

/// A project that moved its CRDs, packages copies of them, and removed a version too early.
fn moved() -> TempDir {
    let both = crd("Car", &["v1beta1", "v1"]);
    let last = crd("Car", &["v1"]);
    tagged([
        (vec!["v0.1.0"], vec![file("README.md", "nothing yet")]),
        (
            vec!["v0.2.0"],
            vec![file("deploy/crds.yaml", &crd("Car", &["v1beta1"]))],
        ),
        (
            vec!["v0.3.0"],
            vec![file("config/crd/car.yaml", &both), file("deploy/crds.yaml", &both)],
        ),
        (
            vec!["v0.4.0", "v0.4.1"],
            vec![
                file("config/crd/car.yaml", &last),
                file("deploy/crds.yaml", &last),
                file("vendor/other/bus.yaml", &crd("Bus", &["v1"])),
                file("test/crd/lorry.yaml", &crd("Lorry", &["v1"])),
            ],
        ),
    ])
}

#[test]
fn a_folder_is_followed_where_it_moved_and_history_is_recorded() {
    let repository = moved();
    let run = run_in(&repository, &["init", "--yes"]).ended(0);
    assert_eq!(
        run.out,
        "\
releases   4: 0.1 to 0.4, from tags
found      1 kind of example.com
CRDs       config/crd (0.3 to 0.4)
           deploy (0.2)
missing    1 of 4 releases: no CRDs in 0.1

written    lifecycle.toml, with the policy kubernetes
           lifecycle.schema.json, by which editors complete and check it
           lifecycle-baseline.toml, with 3 findings about releases that have shipped

Next:
  lifecycle check                  nothing to act on now
  lifecycle plan                   when each element may and must be removed
  lifecycle notes --release 0.5    the draft of the next release notes

After each release, this adds what is new:
  lifecycle import crds --git . --since 0.4 config/crd --update lifecycle.toml
"
    );
    run_in(&repository, &["check"])
        .ended(0)
        .says(&["no new policy violations; 3 suppressed"]);
    run_in(&repository, &["why", "example.com/v1beta1"])
        .ended(0)
        .says(&["introduced 0.2 (", "removed 0.4 ("]);
}

#[test]
fn a_folder_below_that_of_the_repository_sees_the_schemas_from_there() {
    let repository = moved();
    write(&repository, "apis/README.md", b"the model is kept here");
    run_in(&repository, &["init", "apis", "--yes"]).ended(0);
    let model = in_folder(&repository, "apis/lifecycle.toml");
    assert!(model.contains("# schemas = \"../config/crd\"\n"), "{model}");
    write(&repository, "config/crd/car.yaml", crd("Car", &["v1"]).as_bytes());
    let with_schemas = model.replace("# schemas =", "schemas =");
    write(&repository, "apis/lifecycle.toml", with_schemas.as_bytes());
    run_in(&repository, &["check", "--model", "apis/lifecycle.toml"]).ended(0);
}

#[test]
fn the_command_that_init_names_adds_what_follows_and_nothing_else() {
    let repository = tagged([
        (
            vec!["v1.0.0", "chart-7.0.0"],
            vec![file("deploy/crds.yaml", &crd("Car", &["v1beta1"]))],
        ),
        (
            vec!["v1.1.0"],
            vec![file("config/crd/car.yaml", &crd("Car", &["v1beta1", "v1"]))],
        ),
        (
            vec!["v1.2.0"],
            vec![file("config/crd/car.yaml", &crd("Car", &["v1beta1", "v1", "v2"]))],
        ),
    ]);
    run_in(&repository, &["init", "--yes", "--tags", "v*[01].0"])
        .ended(0)
        .says(&["releases   2: 1.0 to 1.1, from tags"]);
    let model = in_folder(&repository, "lifecycle.toml");
    let update = "import crds --git . --tags='v*[01].0' --since 1.1 config/crd --update lifecycle.toml";
    assert!(model.contains(&format!("`lifecycle {update}`")), "{model}");
    run_words(&repository, update)
        .ended(0)
        .says(&["lifecycle.toml is already up to date"]);
    run_words(&repository, &update.replace("*[01].0", "*"))
        .ended(0)
        .says(&["5 additions"]);
    let expected = [
        ("current = \"1.1\"", "current = \"1.2\"\ncadence = { months = 1 }"),
        ("\"1.1\" = 2023-01-02\n", "\"1.1\" = 2023-01-02\n\"1.2\" = 2023-01-03\n"),
        (
            "v1beta1 = { introduced",
            "v2 = { introduced = \"1.2\" }\nv1beta1 = { introduced",
        ),
        ("v1 = \"1.1\" }", "v1 = \"1.1\", v2 = \"1.2\" }"),
    ];
    let expected = expected.iter().fold(model, |model, (was, is)| model.replace(was, is));
    let sorted = |text: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines.join("\n")
    };
    assert_eq!(sorted(&in_folder(&repository, "lifecycle.toml")), sorted(&expected));
    run_in(&repository, &["import", "crds", "--git", ".", "--since", "2.0"])
        .ended(2)
        .says(&["--since 2.0: no tag is of this release"]);
}

#[test]
fn a_series_that_was_chosen_is_kept_and_a_path_that_is_gone_is_said() {
    let one = |name: &str| file(name, &crd("Car", &["v1"]));
    let other = crd("Bus", &["v1"]);
    let repository = tagged([
        (
            vec!["v1.0.0", "chart-7.0.0"],
            vec![one("crd/car.yaml"), file("more/bus.yaml", &other), one("test/car.yaml")],
        ),
        (
            vec!["v1.1.0"],
            vec![one("crd/car.yaml"), file("moved/bus.yaml", &other)],
        ),
    ]);
    run_in(&repository, &["init", "--yes"]).ended(0).says(&[
        "ignored 1 tag with another prefix, such as chart-7.0.0",
        "--git . --tags='[v0-9]*' --since 1.1 crd moved --update",
    ]);
    run_words(&repository, "import crds --git . --tags=v* crd more")
        .ended(0)
        .says(&["warning: v1.1.0: more has no CustomResourceDefinition now"]);
}

#[test]
fn hostile_names_of_folders_stay_in_comments_and_what_cannot_be_read_is_taken_back() {
    let hostile = "x\ninclude = [\"evil.toml\"]\n#";
    let repository = tagged([(
        vec!["v1.0.0"],
        vec![
            file(&format!("{hostile}/car.yaml"), &crd("Car", &["v1"])),
            file("-crd/bus.yaml", &crd("Bus", &["v1"])),
        ],
    )]);
    run_in(&repository, &["init", "--yes"]).ended(0).says(&[" ./-crd "]);
    let model: toml::Table = in_folder(&repository, "lifecycle.toml").parse().expect("it is TOML");
    assert_eq!(model.get("include"), None);
    let here = folder(&[("crd.yaml", &crd("Car", &["v1"]))]);
    run_in(&here, &["init", "--yes", "--tags", "v*"]).ended(2);
    assert!(!here.path().join("lifecycle.toml").exists());
    run_in(&here, &["init", "--yes"])
        .ended(0)
        .says(&["lifecycle import crds --release 0.2 crd.yaml --update lifecycle.toml"]);
}

#[test]
fn an_import_that_disagrees_about_an_end_adds_the_rest() {
    let repository = tagged([
        (
            vec!["v1.0.0"],
            vec![file("crd/car.yaml", &crd("Car", &["v1alpha1", "v1beta1"]))],
        ),
        (
            vec!["v1.1.0"],
            vec![file("crd/car.yaml", &crd("Car", &["v1beta1", "v1"]))],
        ),
    ]);
    for (declared, said) in [
        (
            "removed",
            "v1alpha1 removed` is `1.3` in the file, but `1.1` in the import",
        ),
        (
            "deprecated",
            "v1alpha1 deprecated` is `1.3` in the file, but removed in `1.1` in the import",
        ),
    ] {
        let old = format!("v1alpha1 = {{ introduced = \"1.0\", {declared} = \"1.3\" }}");
        let model = format!(
            "[calendar]\ncurrent = \"1.0\"\ncadence = {{ months = 4 }}\n[calendar.releases]\n\"1.0\" = 2023-01-01\n\
             [group.\"example.com\".version]\n{old}\nv1beta1 = {{ introduced = \"1.0\" }}\n\
             [group.\"example.com\".kind.Car]\nresource = \"cars\"\n"
        );
        write(&repository, "lifecycle.toml", model.as_bytes());
        let update = "import crds --git . --since 1.0 crd --update lifecycle.toml";
        run_words(&repository, update).ended(1).says(&[said]);
        let updated = in_folder(&repository, "lifecycle.toml");
        assert!(updated.contains("v1 = { introduced = \"1.1\""), "{updated}");
        assert!(updated.contains(&old), "{updated}");
    }
}

#[test]
fn nothing_is_overwritten() {
    for (file, help) in [
        ("lifecycle.toml", "--update"),
        ("lifecycle-baseline.toml", "move it away"),
    ] {
        let here = folder(&[(file, "# mine\n")]);
        run_in(&here, &["init", "--yes"])
            .ended(2)
            .says(&[&format!("{file} exists; init overwrites nothing"), help]);
        assert_eq!(run_in(&here, &["check", file]).ended(2).out, "");
    }
}

#[test]
fn without_a_terminal_nothing_is_asked() {
    let here = folder(&[]);
    run_in(&here, &["init"])
        .ended(2)
        .says(&["give --yes to take what is found"]);
    assert!(!here.path().join("lifecycle.toml").exists());
}

#[test]
fn a_project_without_git_and_one_that_is_empty_get_a_model_that_is_fine() {
    let here = folder(&[("config/crd/car.yaml", &crd("Car", &["v1"]))]);
    run_in(&here, &["init", "--yes"]).ended(0).says(&[
        "no tags: what is here counts as 0.1",
        "found      1 kind of example.com",
    ]);
    run_in(&here, &["check"]).ended(0).says(&["no policy violations"]);
    let here = folder(&[]);
    run_in(&here, &["init", "--yes"])
        .ended(0)
        .says(&["found      no CRDs", "one flag"]);
    run_in(&here, &["check"]).ended(0).says(&["no policy violations"]);
}

#[test]
fn a_project_with_tags_alone_gets_its_calendar() {
    let repository = tagged([
        (vec!["v1.0.0"], vec![file("main.rs", "")]),
        (vec!["v1.1.0"], vec![file("main.rs", "fn main() {}")]),
    ]);
    run_in(&repository, &["init", "--yes"]).ended(0).says(&[
        "releases   2: 1.0 to 1.1, from tags",
        "one flag",
        "lifecycle plan",
    ]);
    run_in(&repository, &["check"]).ended(0);
}

#[test]
fn every_command_that_is_printed_can_be_run() {
    let tags = tagged([(vec!["v1.0.0"], vec![file("main.rs", "")])]);
    let definitions = folder(&[("config/crd/car.yaml", &crd("Car", &["v1"]))]);
    for project in [moved(), tags, definitions, folder(&[])] {
        let printed = run_in(&project, &["init", "--yes"]).ended(0).out;
        let (_, commands) = printed.split_once("Next:\n").expect("it names the next commands");
        let (_, found) = printed.split_once("found      ").expect("it says what it found");
        let commands = commands.lines().filter_map(|line| line.strip_prefix("  "));
        let commands: Vec<&str> = commands.filter_map(|line| line.split("  ").next()).collect();
        assert_eq!(
            commands.len(),
            if found.starts_with("no ") { 3 } else { 4 },
            "{printed}"
        );
        for command in commands {
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            assert_eq!(run_in(&project, &words).code, Some(0), "{command}");
        }
    }
}

#[test]
fn the_model_names_a_schema_that_is_there_and_that_it_fits() {
    let repository = moved();
    run_in(&repository, &["init", "--yes"]).ended(0);
    let (text, schema) = (
        in_folder(&repository, "lifecycle.toml"),
        in_folder(&repository, "lifecycle.schema.json"),
    );
    assert_eq!(text.lines().next(), Some("#:schema ./lifecycle.schema.json"));
    assert_eq!(schema, run_in(&repository, &["schema", "model"]).ended(0).out);
    let schema = serde_json::from_str(&schema).expect("a schema is JSON");
    let model: toml::Table = text.parse().expect("the model is TOML");
    // Dates are strings to a validator.
    let model = serde_json::to_value(&model).expect("it can be written as JSON");
    let releases = model["calendar"]["releases"].as_object().expect("it has releases");
    assert!(!releases.is_empty());
    let mut undated = model.clone();
    undated["calendar"]["releases"] = serde_json::json!({ "0.1": "2024-01-01" });
    let validator = jsonschema::validator_for(&schema).expect("the schema can be used");
    assert!(
        validator.is_valid(&undated),
        "{:?}",
        validator.iter_errors(&undated).next()
    );
}

/// Runs a command whose quotes are around no spaces.
fn run_words(folder: &TempDir, command: &str) -> Run {
    let words: Vec<String> = command.split(' ').map(|word| word.replace('\'', "")).collect();
    run_in(folder, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[expect(clippy::disallowed_methods, reason = "the files are the test's own")]
fn in_folder(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).expect("the file can be read")
}
