//! Models made from CRDs: what is read, the lives that follow from it, how it is written, and how
//! a model that people have edited is brought up to date.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::fmt::Write as _;
use std::path::Path;

use lifecycle::import::crds::{CrdFile, read};
use lifecycle::import::kinds::{Parts, Shipped, fold};
use lifecycle::import::{Draft, Snapshot, Topic, write};
use lifecycle::release::ReleaseName;
use lifecycle::schema::Source;
use tempfile::TempDir;

use crate::program::{Run, finish, program, run_in};
use crate::support::{evaluate, reported};

/// A version in a definition: its name, its flags, and the fields of its `spec`.
pub struct Version<'v>(pub &'v str, pub &'v [&'v str], pub &'v str);

/// A definition of `widgets.example.com` with these versions. Flags: `served`, `storage`, `deprecated`.
pub fn definition(kind: &str, versions: &[Version<'_>]) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    let mut text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: {plural}.widgets.example.com\n\
         spec:\n  group: widgets.example.com\n  names: {{ kind: {kind}, plural: {plural} }}\n  scope: Namespaced\n  versions:\n"
    );
    for Version(name, flags, fields) in versions {
        let has = |flag: &str| flags.contains(&flag);
        let _ = write!(
            text,
            "  - name: {name}\n    served: {}\n    storage: {}\n    deprecated: {}\n    subresources: {{ status: {{}} }}\n    \
             schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          apiVersion: {{ type: string }}\n          \
             metadata: {{ type: object }}\n          spec:\n            type: object\n            properties: {{ {fields} }}\n",
            has("served"),
            has("storage"),
            has("deprecated"),
        );
    }
    text
}

pub fn release(name: &str) -> ReleaseName {
    ReleaseName::parse(name).expect("a release")
}

/// What a release has that has these files.
pub fn shipped(name: &str, date: &str, files: &[String]) -> Shipped {
    let mut snapshot = Snapshot::default();
    for file in files {
        let found = read(file).unwrap_or_else(|error| panic!("{}: {error}", error.line));
        for definition in found.definitions {
            assert!(snapshot.add(&definition), "no kind is defined twice");
        }
    }
    Shipped {
        release: release(name),
        date: Some(date.parse().expect("a day")),
        snapshot,
    }
}

fn imported(releases: &[Shipped], parts: Parts) -> String {
    let text = write(&fold(Draft::default(), releases, parts).draft);
    evaluate(&text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"));
    text
}

const BOTH: &[&str] = &["served", "storage"];
const SERVED: &[&str] = &["served"];

#[test]
fn releases_in_order_are_lives() {
    let releases = [
        shipped(
            "1.0",
            "2023-01-01",
            &[definition("Bolt", &[Version("v1beta1", BOTH, "")])],
        ),
        shipped(
            "1.1",
            "2023-05-01",
            &[
                definition("Bolt", &[Version("v1beta1", BOTH, ""), Version("v1", SERVED, "")]),
                definition("Nut", &[Version("v1", BOTH, "")]),
            ],
        ),
        shipped(
            "1.2",
            "2023-09-01",
            &[
                definition(
                    "Bolt",
                    &[
                        Version("v1beta1", &["served", "deprecated"], ""),
                        Version("v1", BOTH, ""),
                    ],
                ),
                definition("Nut", &[Version("v1", BOTH, "")]),
            ],
        ),
        shipped(
            "1.3",
            "2024-01-01",
            &[definition(
                "Bolt",
                &[Version("v1beta1", &["deprecated"], ""), Version("v1", BOTH, "")],
            )],
        ),
        shipped("1.4", "2024-05-01", &[definition("Bolt", &[Version("v1", BOTH, "")])]),
    ];
    let expected = concat!(
        calendar!(current "1.4", to "1.4"),
        r#"
[group."widgets.example.com".version]
v1 = { introduced = "1.1" }
v1beta1 = { introduced = "1.0", deprecated = "1.2", removed = "1.3", dropped = "1.4" }
[group."widgets.example.com".kind]
Bolt = { resource = "bolts", storage = { v1beta1 = "1.0", v1 = "1.2" } }
[group."widgets.example.com".kind.Nut]
resource = "nuts"
versions = ["v1"]
storage = { v1 = "1.1" }
version.v1 = { removed = "1.3" }
"#
    );
    assert_eq!(imported(&releases, Parts::Changed), expected);
}

#[test]
fn what_is_served_again_lives_again() {
    let with = |flags| {
        vec![definition(
            "Bolt",
            &[Version("v1alpha1", flags, ""), Version("v1", BOTH, "")],
        )]
    };
    let releases = [
        shipped("1.0", "2023-01-01", &with(SERVED)),
        shipped("1.1", "2023-05-01", &with(&[])),
        shipped("1.2", "2023-09-01", &with(SERVED)),
    ];
    let text = imported(&releases, Parts::Changed);
    let lives = r#"v1alpha1 = { lives = [{ introduced = "1.0", removed = "1.1" }, { introduced = "1.2" }] }"#;
    assert!(text.contains(lives), "{text}");
}

#[test]
fn a_deprecation_may_be_taken_back_and_repeated() {
    let with = |flags| vec![definition("Bolt", &[Version("v1", flags, "")])];
    let old: &[&str] = &["served", "storage", "deprecated"];
    let releases = [
        shipped("1.0", "2023-01-01", &with(BOTH)),
        shipped("1.1", "2023-05-01", &with(old)),
        shipped("1.2", "2023-09-01", &with(BOTH)),
        shipped("1.3", "2024-01-01", &with(old)),
    ];
    let text = imported(&releases, Parts::Changed);
    let life = r#"v1 = { introduced = "1.0", deprecated = ["1.1", "1.3"], undeprecated = "1.2" }"#;
    assert!(text.contains(life), "{text}");
}

#[test]
fn an_empty_default_that_others_fill_is_no_zero_value() {
    let fields = "head: { type: object, default: {}, properties: { width: { type: integer, default: 3 } } }, \
                  tail: { type: object, default: {}, properties: { width: { type: integer } } }, \
                  tails: { type: object, properties: { width: { type: integer, default: 3 } } }";
    let releases = [shipped(
        "1.0",
        "2023-01-01",
        &[definition("Bolt", &[Version("v1", BOTH, fields)])],
    )];
    let all = imported(&releases, Parts::All);
    for line in [
        "\"spec.head\" = { default = \"{…}\" }\n",
        "\"spec.tail\" = { default = \"{}\" }\n",
        "\"spec.tails\" = {}\n",
    ] {
        assert!(all.contains(line), "{line} is not in\n{all}");
    }
}

#[test]
fn fields_values_and_defaults_have_lives_too() {
    let shape = |values: &str| format!("shape: {{ type: string, default: Round, enum: [{values}] }}");
    let with = |fields: &str| vec![definition("Bolt", &[Version("v1", BOTH, fields)])];
    let releases = [
        shipped(
            "1.0",
            "2023-01-01",
            &with(&format!("size: {{ type: integer }}, {}", shape("Round"))),
        ),
        shipped(
            "1.1",
            "2023-05-01",
            &with(&format!(
                "head: {{ type: object, properties: {{ width: {{ type: integer }} }} }}, {}",
                shape("Round, Hex")
            )),
        ),
    ];
    let changed = imported(&releases, Parts::Changed);
    let expected = r#"[group."widgets.example.com".kind.Bolt.enum."spec.shape"]
Hex = { introduced = "1.1" }
[group."widgets.example.com".kind.Bolt.field]
"spec.head" = { introduced = "1.1" }
"spec.size" = { removed = "1.1" }
"#;
    assert!(changed.ends_with(expected), "{changed}");
    let all = imported(&releases, Parts::All);
    for line in [
        "spec = {}\n",
        "\"spec.shape\" = { default = \"Round\" }\n",
        "\"spec.head.width\" = { introduced = \"1.1\" }\n",
        "Round = {}\n",
        "status = {}\n",
    ] {
        assert!(all.contains(line), "{line} is not in\n{all}");
    }
    assert!(!imported(&releases, Parts::None).contains("spec"));
}

#[test]
fn changes_that_a_model_cannot_express_are_reported() {
    let with = |fields: &str| vec![definition("Bolt", &[Version("v1", BOTH, fields)])];
    let releases = [
        shipped("1.0", "2023-01-01", &with("size: { type: integer, default: 1 }")),
        shipped("1.1", "2023-05-01", &with("size: { type: string, default: a }")),
    ];
    let imported = fold(Draft::default(), &releases, Parts::Changed);
    let start = "1.1: widgets.example.com Bolt v1 .spec.size";
    let expected = [
        format!("{start} changes its default"),
        format!("{start} changes its type from integer to string"),
    ];
    assert_eq!(reported(&imported, Topic::NotInModel), expected);
}

#[test]
fn stored_versions_that_shrink_are_migrations() {
    let with = |stored: &str| {
        let text = definition("Bolt", &[Version("v1beta1", SERVED, ""), Version("v1", BOTH, "")]);
        vec![format!("{text}status:\n  storedVersions: [{stored}]\n")]
    };
    let releases = [
        shipped("1.0", "2023-01-01", &with("v1beta1, v1")),
        shipped("1.1", "2023-05-01", &with("v1")),
    ];
    let text = imported(&releases, Parts::Changed);
    assert!(
        text.contains(r#"v1beta1 = { introduced = "1.0", migrated = "1.1" }"#),
        "{text}"
    );
}

#[test]
fn definitions_of_before_v1_lists_and_json_are_read() {
    let old = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
               names: { kind: Old, plural: olds }\n  version: v1alpha1\n  validation:\n    openAPIV3Schema:\n      properties:\n        \
               spec: { properties: { a: { items: [{}] }, b: { additionalProperties: true } } }\n";
    let found = read(old).expect("it can be read").definitions;
    let version = &found[0].resource.versions["v1alpha1"];
    assert!(version.served && version.storage);
    let paths: Vec<&String> = version.fields.keys().collect();
    assert_eq!(paths, ["spec", "spec.a", "spec.b"]);
    let json = r#"{ "apiVersion": "v1", "kind": "List", "items": [{ "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition", "spec": { "group": "example.com", "names": { "kind": "New", "plural": "news" },
        "versions": [{ "name": "v1", "served": true, "storage": true }] }, "status": { "storedVersions": ["v1"] } }] }"#;
    let found = read(json).expect("it can be read").definitions;
    assert_eq!((found[0].kind.as_str(), found[0].resource.stored.len()), ("New", 1));
}

#[test]
fn of_several_documents_only_definitions_count() {
    let text = format!(
        "# CustomResourceDefinition\n---\nkind: ConfigMap\ndata: {{ spec: CustomResourceDefinition }}\nspec: 3\n---\n{}---\n{}",
        definition("Bolt", &[Version("v1", BOTH, "")]),
        definition("Nut", &[Version("v1", BOTH, "")]),
    );
    let found = read(&text).expect("it can be read");
    let kinds: Vec<&str> = found
        .definitions
        .iter()
        .map(|definition| definition.kind.as_str())
        .collect();
    assert_eq!(kinds, ["Bolt", "Nut"]);
}

fn passed_over(found: &CrdFile) -> Vec<(u32, Source)> {
    let documents = found.unrendered.iter();
    documents.map(|document| (document.line, document.sort)).collect()
}

#[test]
fn helm_templates_are_recognized() {
    let crd = definition("Bolt", &[Version("v1", BOTH, "")]);
    // What stands around whole lines of a template is read.
    let around = format!("{{{{- if .Values.crds }}}}\n{crd}{{{{- end }}}}\n");
    let found = read(&around).expect("it can be read");
    assert_eq!((passed_over(&found).len(), found.definitions.len()), (0, 1));
    let within = crd.replace("group: widgets.example.com", "group: {{ .Values.group }}");
    assert_eq!(
        passed_over(&read(&within).expect("it is passed over")),
        [(1, Source::Template)]
    );
    let named = crd.replace("group: widgets.example.com", "group: \"{{ .Values.group }}\"");
    let found = read(&format!("a: 1\n---\n{named}")).expect("it is passed over");
    assert_eq!(passed_over(&found), [(2, Source::Template)]);
    assert_eq!(found.definitions.len(), 0);
    // Words in braces are no template where they only stand in a text.
    let described = crd.replace("scope: Namespaced", "description: \"{{ name }}\"");
    assert_eq!(read(&described).expect("it can be read").definitions.len(), 1);
}

#[test]
fn errors_are_reported_with_their_line() {
    let crd = definition("Bolt", &[Version("v1", BOTH, "")]);
    for (text, line, reason) in [
        (format!("a: 1\n---\n{crd}  - name: [\n"), 26, ""),
        (
            crd.replace("  - name: v1\n    served: true\n", "  - served: true\n"),
            1,
            "without the name of a version",
        ),
        (
            format!("a: 1\n---\n{}", crd.replace("  group: widgets.example.com\n", "")),
            2,
            "without spec.group",
        ),
        (crd.replace("served: true", "served: maybe"), 10, ""),
        (
            "{ \"kind\": \"CustomResourceDefinition\",\n \"spec\": {".to_owned(),
            2,
            "EOF",
        ),
    ] {
        let error = read(&text).expect_err("it cannot be read");
        assert!(error.reason.contains(reason), "{error:?}");
        assert!(
            error.line.abs_diff(line) <= 2,
            "{error:?} is not near line {line} of\n{text}"
        );
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        put(folder.path(), name, text);
    }
    folder
}

#[expect(clippy::disallowed_methods, reason = "the test is about files")]
fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

#[expect(clippy::disallowed_methods, reason = "the test is about files")]
fn get(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("the file is there")
}

#[test]
fn the_program_reads_folders_by_release() {
    let one = definition("Bolt", &[Version("v1beta1", BOTH, "")]);
    let two = definition("Bolt", &[Version("v1beta1", BOTH, ""), Version("v1", SERVED, "")]);
    let folder = folder(&[
        ("a/bolts.yaml", &one),
        ("a/README.md", "CustomResourceDefinition"),
        ("a/values.yaml", "a: 1\n"),
        ("b/deep/bolts.yml", &two),
        (
            "b/templated.yaml",
            &two.replace("kind: Bolt", "kind: {{ .Values.kind }}"),
        ),
    ]);
    let at = [
        "import",
        "crds",
        "--at",
        "v1.0.0=2023-01-01",
        "a",
        "--at",
        "1.1=2023-05-01",
        "b",
    ];
    run_in(&folder, &at).ended(0).says(&[
        "# release 1.0: a\n",
        "\"1.1\" = 2023-05-01",
        "v1beta1 = { introduced = \"1.0\" }",
        "storage = { v1beta1 = \"1.0\" }",
        "skipped b/templated.yaml:1: a Helm template",
    ]);
    run_in(&folder, &[&at[..], &["-o", "lifecycle.toml"]].concat())
        .ended(0)
        .says(&["written: lifecycle.toml"]);
    run_in(&folder, &["check"]).ended(0);
    run_in(&folder, &[&at[..], &["-o", "lifecycle.toml"]].concat())
        .ended(2)
        .says(&["the file exists", "--update"]);
    run_in(&folder, &[&at[..], &["-o", "a/bolts.yaml"]].concat())
        .ended(2)
        .says(&["would overwrite"]);
}

#[test]
fn a_source_that_cannot_be_imported_is_refused_with_a_next_step() {
    let one = definition("Bolt", &[Version("v1", BOTH, "")]);
    let folder = folder(&[
        ("a.yaml", &one),
        ("b.yaml", "a: 1\n"),
        ("c/bad.yaml", &format!("{one}  bad: [\n")),
    ]);
    for (arguments, words) in [
        (&["a.yaml"][..], &["--release"][..]),
        (
            &["b.yaml", "--release", "1.0"],
            &["b.yaml", "no CustomResourceDefinition"],
        ),
        (&["no.yaml", "--release", "1.0"], &["no.yaml", "check the path"]),
        (&["a.yaml", "--release", "one"], &["`one` is not the name of a release"]),
        (&["c", "--release", "1.0"], &["c/bad.yaml:"]),
        (
            &["--at", "1.0", "a.yaml", "--at", "1.1=2023-05-01", "a.yaml"],
            &["release 1.0 has no date", "1.0=2024-01-31"],
        ),
        (&["--at", "1.0=2023", "a.yaml"], &["`2023` is not a date"]),
        (
            &["--at", "1.0=+10000-01-01", "a.yaml"],
            &["release 1.0: a model cannot have the date +10000-01-01", "2024-01-31"],
        ),
        (
            &["a.yaml", "--release", "1.0", "--date=-0001-01-01"],
            &["release 1.0: a model cannot have the date -0001-01-01"],
        ),
        (&["--git", ".", "--tags", "v*"], &["--git .:", "Git repository"]),
        (
            &["a.yaml", "--release", "1.0", "--update", "no.toml"],
            &["cannot read no.toml"],
        ),
        (
            &["a.yaml", "--release", "1.0", "--update", "-"],
            &["standard input cannot be written"],
        ),
    ] {
        run_in(&folder, &[&["import", "crds"], arguments].concat())
            .ended(2)
            .says(words);
    }
}

#[test]
fn hostile_files_are_refused_in_bounded_time() {
    let crd = "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec:\n";
    let mut bomb = format!("{crd}  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..30 {
        let inner = format!("*a{}", level - 1);
        let _ = writeln!(bomb, "  a{level}: &a{level} [{}]", vec![inner; 10].join(", "));
    }
    let nested = "properties: {a: {".repeat(10_000);
    let lines: Vec<String> = (0..10_000)
        .map(|depth| format!("{}a:", " ".repeat(depth + 2)))
        .collect();
    let block = lines.join("\n");
    let deep = "{\"properties\": {\"a\": ".repeat(10_000);
    let start = "{\"kind\": \"CustomResourceDefinition\", ";
    let json = format!("{start}\"spec\": {{\"validation\": {{\"openAPIV3Schema\": {deep}");
    let ignored = format!("{start}\"other\": {}", "{\"a\": [".repeat(10_000));
    let folder = folder(&[
        ("bomb.yaml", &bomb),
        ("flow.yaml", &format!("{crd}  {nested}")),
        ("block.yaml", &format!("{crd}{block}")),
        ("lists.yaml", &format!("{crd}  a: {}", "[".repeat(10_000))),
        ("deep.json", &json),
        ("ignored.json", &ignored),
        (
            "cut.json",
            "{\"kind\": \"CustomResourceDefinition\", \"spec\": { \"group\": \"exam",
        ),
        ("bad.yaml", &format!("{crd}  group: 'a\n  names: ]\n")),
        ("tabs.yaml", &format!("{crd}\tgroup: a\n")),
        ("binary.yaml", &format!("{crd}  group: \u{0}\u{7}\n")),
    ]);
    let large = std::fs::File::create(folder.path().join("large.yaml")).expect("the file can be made");
    large.set_len(200 << 20).expect("the file can be large");
    for (name, words) in [
        ("bomb.yaml", &["bomb.yaml:"][..]),
        ("flow.yaml", &["flow.yaml:4:", "nested deeper than 128 levels\n"]),
        ("block.yaml", &["block.yaml:", "nested deeper than 128 levels"]),
        ("lists.yaml", &["lists.yaml:4:"]),
        ("deep.json", &["deep.json:1:", "nested deeper than 128 levels"]),
        ("ignored.json", &["ignored.json:1:"]),
        ("cut.json", &["cut.json:1:", "EOF"]),
        ("bad.yaml", &["bad.yaml:"]),
        ("tabs.yaml", &["tabs.yaml:"]),
        ("binary.yaml", &["binary.yaml:"]),
        ("large.yaml", &["large.yaml is larger than 64 MiB"]),
    ] {
        run_in(&folder, &["import", "crds", "--release", "1.0", name])
            .ended(2)
            .says(words)
            .says(&["help: "]);
    }
}

#[test]
fn definitions_that_come_to_much_more_than_their_text_are_refused() {
    let versions: Vec<String> = (0..200)
        .map(|n| format!("{{ name: v{n}, served: true, storage: false }}"))
        .collect();
    let fields: Vec<String> = (0..1_000).map(|n| format!("f{n}: {{}}")).collect();
    let many = format!(
        "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
         names: {{ kind: Bolt, plural: bolts }}\n  versions: [{}]\n  validation: {{ openAPIV3Schema: {{ properties: {{ {} }} }} }}\n",
        versions.join(", "),
        fields.join(", ")
    );
    let error = read(&many).expect_err("200 versions of 1,000 fields are too much");
    assert_eq!(error.reason, "Bolt: more than 100000 fields");
    let long = definition("Bolt", &[Version("v1", BOTH, &format!("{}: {{}}", "a".repeat(1_001)))]);
    let error = read(&long).expect_err("the path is too long");
    assert!(error.reason.contains("longer than 1000 bytes"), "{error:?}");
    let values = format!(
        "{{\"kind\": \"CustomResourceDefinition\", \"x\": [{}1]}}",
        "1,".repeat(2_000_000)
    );
    let error = read(&values).expect_err("the list is too long");
    assert_eq!(error.reason, "more than 2000000 values");
}

#[test]
fn hostile_names_come_out_as_names() {
    let crd = definition(
        "Bolt",
        &[Version(
            "v1",
            BOTH,
            "\"a.b\\\"]'\": { type: string, enum: [\"x\\e[31m\", \"'\\\"\", \"\"] }",
        )],
    );
    let text = imported(&[shipped("1.0", "2023-01-01", &[crd])], Parts::All);
    assert!(!text.contains('\u{1b}'), "{text}");
    let odd = definition("Bolt", &[Version("v1", BOTH, "")]).replace("kind: Bolt", "kind: \"B\\nolt\"");
    let error = read(&odd).expect_err("a name has no line breaks");
    assert!(error.reason.contains("control characters"), "{error:?}");
}

/// A repository whose commits have these definitions, each with its tags, a day apart.
fn repository(commits: &[(&[&str], &str)]) -> TempDir {
    let commits = commits.iter().map(|(tags, text)| {
        let file = ("crds/bolts.yaml".to_owned(), (*text).to_owned());
        (tags.to_vec(), vec![file])
    });
    tagged(commits)
}

/// A repository whose commits have these tags, of which all but the first are annotated, and these files, a day apart.
pub fn tagged<'t>(commits: impl IntoIterator<Item = (Vec<&'t str>, Vec<(String, String)>)>) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut git = gix::init(folder.path()).expect("a repository");
    git.refs.write_reflog = gix::refs::store::WriteReflog::Disable;
    let empty = git.empty_tree().id;
    let mut parents: Vec<gix::ObjectId> = Vec::new();
    for (day, (tags, files)) in (0_i64..).zip(commits) {
        let mut tree = git.edit_tree(empty).expect("a tree");
        for (path, text) in files {
            let blob = git.write_blob(text).expect("a file is stored").detach();
            tree.upsert(path, gix::objs::tree::EntryKind::Blob, blob)
                .expect("an entry");
        }
        let tree = tree.write().expect("a tree is stored").detach();
        let time = format!("{} +1300", 1_672_531_200 + day * 86_400);
        let author = gix::actor::SignatureRef {
            name: "test".into(),
            email: "test@example.com".into(),
            time: &time,
        };
        let commit = git.commit_as(author, author, "HEAD", "release", tree, parents);
        let commit = commit.expect("a commit").detach();
        for (at, tag) in tags.iter().enumerate() {
            let none = gix::refs::transaction::PreviousValue::MustNotExist;
            if at == 0 {
                git.tag_reference(tag, commit, none).expect("a tag");
            } else {
                git.tag(tag, commit, gix::objs::Kind::Commit, Some(author), "release", none)
                    .expect("a tag");
            }
        }
        parents = vec![commit];
    }
    folder
}

#[test]
fn tags_of_a_repository_are_releases() {
    let one = definition("Bolt", &[Version("v1beta1", BOTH, "")]);
    let two = definition("Bolt", &[Version("v1beta1", SERVED, ""), Version("v1", BOTH, "")]);
    let repository = repository(&[
        (&["v1.0.0-rc.1"], &two),
        (&["v1.0.0", "api/v1.0"], &one),
        (&["v1.0.1"], &two),
        (&["api/v1.1", "v1.1.0"], &two),
        (&["v1.2.0-alpha.1", "nightly"], &one),
    ]);
    let crds = |more: &[&str]| run_in(&repository, &[&["import", "crds", "--git", "."], more].concat());
    let expected = [
        "current = \"1.1\"",
        "\"1.0\" = 2023-01-02\n\"1.1\" = 2023-01-04\n\n",
        "v1 = { introduced = \"1.1\" }",
        "v1beta1 = { introduced = \"1.0\" }",
    ];
    crds(&["--tags", "v*", "crds"])
        .ended(0)
        .says(&expected)
        .says(&["v1.0.0 v1.1.0", "below crds"]);
    put(
        repository.path(),
        "lifecycle.toml",
        "[calendar.releases]\n\"0.9\" = 2022-09-01 # ours\n\n[behavior.own]\nintroduced = \"0.9\"\n",
    );
    let update = ["--tags", "v*", "crds", "--update", "lifecycle.toml"];
    crds(&update).ended(0).says(&["lifecycle.toml: "]);
    let updated = get(repository.path(), "lifecycle.toml");
    assert!(
        updated.starts_with("[calendar.releases]\n\"0.9\" = 2022-09-01 # ours\n\"1.0\" = 2023-01-02\n"),
        "{updated}"
    );
    assert!(updated.contains("v1beta1 = { introduced = \"1.0\" }"), "{updated}");
    crds(&update).ended(0).says(&["already up to date"]);
    crds(&["--tags", "api/*"]).ended(0).says(&expected);
    crds(&["--tags", "*-*"])
        .ended(0)
        .says(&["all tags are pre-releases", "\"1.2\" = 2023-01-05"]);
    crds(&["--tags", "w*"]).ended(2).says(&["no tag of .", "--tags"]);
    crds(&["--tags", "v*", "elsewhere"])
        .ended(2)
        .says(&["no CustomResourceDefinition was found"]);
}

#[test]
fn an_unreadable_file_of_a_tag_is_imported_as_it_was_before() {
    let one = definition("Bolt", &[Version("v1beta1", BOTH, "")]);
    let two = definition("Bolt", &[Version("v1beta1", SERVED, ""), Version("v1", BOTH, "")]);
    let bad = format!("{two}  bad: [\n");
    let import = ["import", "crds", "--git", "."];
    let whole = repository(&[(&["v1.0.0"], &one), (&["v1.1.0"], &one), (&["v1.2.0"], &two)]);
    let broken = repository(&[(&["v1.0.0"], &one), (&["v1.1.0"], &bad), (&["v1.2.0"], &two)]);
    let reported = run_in(&broken, &import).ended(1).says(&[
        "warning: v1.1.0:crds/bolts.yaml:",
        "imported as it was in the release before",
    ]);
    let of_model = |text: &str| text.split_once("[calendar]").map(|(_, model)| model.to_owned());
    assert!(of_model(&reported.out).is_some());
    assert_eq!(of_model(&reported.out), of_model(&run_in(&whole, &import).ended(0).out));
    let first = repository(&[(&["v1.0.0"], &bad), (&["v1.1.0"], &two)]);
    run_in(&first, &import).ended(1).says(&[
        "warning: skipped v1.0.0:crds/bolts.yaml:",
        "what it defines counts as missing",
        "v1 = { introduced = \"1.1\" }",
    ]);
    run_in(&repository(&[(&["v1.0.0"], &bad)]), &import).ended(2).says(&[
        "warning: skipped v1.0.0:crds/bolts.yaml:",
        "no CustomResourceDefinition was found",
    ]);
}

#[test]
fn unreadable_tags_are_reported_and_the_next_of_the_release_counts() {
    let one = definition("Bolt", &[Version("v1", BOTH, "")]);
    let repository = repository(&[(&["v1.0.0"], &one), (&["v1.1.1"], &one)]);
    let git = gix::open(repository.path()).expect("a repository");
    let blob = git.write_blob("no commit").expect("a file is stored");
    let none = gix::refs::transaction::PreviousValue::MustNotExist;
    git.tag_reference("v1.1.0", blob, none.clone()).expect("a tag");
    git.tag_reference("v1.2.0", blob, none).expect("a tag");
    put(repository.path(), ".git/refs/tags/v1.3.0", "no id\n");
    let import = |tags: &str| run_in(&repository, &["import", "crds", "--git", ".", "--tags", tags]);
    import("*").ended(1).says(&[
        "warning: skipped the tag v1.1.0: ",
        "warning: skipped the tag v1.2.0: ",
        "warning: skipped a tag: ",
        "v1.3.0",
        "# tags of ",
        ": v1.0.0 v1.1.1\n",
    ]);
    import("v1.2*").ended(2).says(&["cannot read", "git fsck"]);
}

#[test]
fn an_empty_release_after_one_with_kinds_is_reported() {
    let one = definition("Bolt", &[Version("v1", BOTH, "")]);
    let moved = repository(&[(&["v1.0.0"], &one), (&["v1.1.0"], "a: 1\n")]);
    run_in(&moved, &["import", "crds", "--git", ".", "crds"])
        .ended(0)
        .says(&[
            "warning: v1.1.0: no CustomResourceDefinition: all are imported as removed",
            "name that path too",
            "removed = \"1.1\"",
        ]);
}

/// A model as imported, and edited by people since.
const EDITED: &str = r#"# Bolts and nuts, by the hardware team.
policy = "kubernetes"

[calendar]
current = "1.1"   # what customers have
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2023-01-01
"1.1" = 2023-05-01
"1.2" = "unscheduled" # soon

[group."widgets.example.com"]
owner = "hardware" # ask them first
[group."widgets.example.com".version]
# The first one.
v1beta1 = { introduced = "1.0", owner = "old-timers" } # to go
v1.introduced = "1.1"
[group."widgets.example.com".kind]
Bolt = { resource = "bolts", storage = { v1beta1 = "1.0" } }

# Announced by mail.
[group."widgets.example.com".kind.Nut]
resource = "nuts"
versions = ["v1"] # only there
storage = { v1 = "1.1" }
field."spec.size" = { owner = "sizes" }
annotation."example.com/note" = {}

[group."other.example.com".version]
v1 = { introduced = "1.0" }

[behavior.rust]
introduced = "1.0"
"#;

fn update_with(text: &str, crds: &[String], name: &str, date: &str) -> (Run, String) {
    let folder = folder(&[("lifecycle.toml", text), ("crds/all.yaml", &crds.join("---\n"))]);
    let arguments = [
        "import",
        "crds",
        "crds",
        "--release",
        name,
        "--date",
        date,
        "--update",
        "lifecycle.toml",
    ];
    let run = run_in(&folder, &arguments);
    let text = get(folder.path(), "lifecycle.toml");
    (run, text)
}

/// The lines of a text that are not in another, which must have all of its own in their order.
fn added<'t>(before: &str, after: &'t str) -> Vec<&'t str> {
    let mut before = before.lines().peekable();
    let new = after
        .lines()
        .filter(|line| before.next_if(|known| known == line).is_none())
        .collect();
    assert_eq!(before.next(), None, "a line has gone from\n{after}");
    new
}

#[test]
fn an_update_adds_and_leaves_all_else_as_it_is() {
    let next = [
        definition(
            "Bolt",
            &[Version("v1beta1", &["deprecated"], ""), Version("v1", BOTH, "")],
        ),
        definition("Nut", &[Version("v1", BOTH, "")]),
        definition("Pin", &[Version("v1", BOTH, "")]),
    ];
    let (run, text) = update_with(EDITED, &next, "1.2", "2023-09-01");
    let unknown = "fields that 2 kinds gain or lose in 1.2, as those of 1.1 are not known";
    run.ended(0).says(&["additions", unknown]);
    let mut expected = EDITED.to_owned();
    for (from, to) in [
        ("current = \"1.1\"   #", "current = \"1.2\"   #"),
        ("\"unscheduled\" # soon", "2023-09-01 # soon"),
        (
            "owner = \"old-timers\" }",
            "owner = \"old-timers\", removed = \"1.2\" }",
        ),
        ("{ v1beta1 = \"1.0\" } }", "{ v1beta1 = \"1.0\", v1 = \"1.2\" } }"),
        (
            "annotation.\"example.com/note\" = {}\n",
            "annotation.\"example.com/note\" = {}\n[group.\"widgets.example.com\".kind.Pin]\nresource = \"pins\"\nversions = [\"v1\"]\nstorage = { v1 = \"1.2\" }\nversion.v1 = { introduced = \"1.2\" }\n",
        ),
        (
            "field.\"spec.size\" = { owner = \"sizes\" }",
            "field.\"spec.size\" = { owner = \"sizes\", removed = \"1.2\" }",
        ),
    ] {
        assert!(expected.contains(from), "{from}");
        expected = expected.replacen(from, to, 1);
    }
    assert_eq!(text, expected);
    let (run, again) = update_with(&text, &next, "1.2", "2023-09-01");
    run.ended(0).says(&["already up to date"]);
    assert_eq!(again, text);
}

#[test]
fn where_people_and_the_source_disagree_nothing_is_changed() {
    let text = EDITED.replace("\"1.2\" = \"unscheduled\" # soon", "\"1.2\" = 2023-08-31");
    let text = text.replace("v1.introduced = \"1.1\"", "v1.introduced = \"1.2\"");
    let text = text.replace("owner = \"old-timers\"", "deprecated = \"1.1\", removed = \"1.2\"");
    let next = [definition(
        "Bolt",
        &[Version("v1beta1", SERVED, ""), Version("v1", BOTH, "")],
    )];
    let (run, after) = update_with(&text, &next, "1.2", "2023-09-01");
    run.ended(1).says(&[
        "`calendar releases 1.2` is `2023-08-31` in the file, but `2023-09-01` in the import",
        "lifecycle.toml:10:",
        "v1beta1 Bolt is removed in 1.2 in the model, but not at all in the import",
        "the file is not changed here",
    ]);
    for kept in [
        "\"1.2\" = 2023-08-31",
        "v1.introduced = \"1.2\"",
        "deprecated = \"1.1\", removed = \"1.2\"",
    ] {
        assert!(after.contains(kept), "{after}");
    }
}

#[test]
fn a_kind_that_is_new_in_a_version_does_not_take_over_what_is_not_so_of_it() {
    let text = EDITED.replace("owner = \"old-timers\"", "deprecated = \"1.1\", replacement = \"v1\"");
    let next = [
        definition(
            "Bolt",
            &[
                Version("v1beta1", &["served", "deprecated"], ""),
                Version("v1", BOTH, ""),
            ],
        ),
        definition("Pin", &[Version("v1beta1", SERVED, ""), Version("v1", BOTH, "")]),
    ];
    let (run, after) = update_with(&text, &next, "1.2", "2023-09-01");
    run.ended(1)
        .says(&[
            "the entry of v1beta1 has `deprecated = 1.1` for all its kinds",
            "does not have it for Pin, a new kind there",
            "move `deprecated` to the kinds that it applies to",
        ])
        .silent_on(&["no such element"]);
    assert!(after.contains("resource = \"pins\"\nversions = [\"v1\"]\n"), "{after}");
}

#[test]
fn lives_and_lists_grow_where_they_stand() {
    let text = EDITED.replace(
        "v1beta1 = { introduced = \"1.0\", owner = \"old-timers\" } # to go",
        "v1beta1 = { owner = \"old-timers\", introduced = \"1.0\", removed = \"1.1\" } # gone",
    );
    let next = [
        definition(
            "Bolt",
            &[
                Version("v1beta1", SERVED, ""),
                Version("v1", BOTH, ""),
                Version("v2", SERVED, ""),
            ],
        ),
        definition("Nut", &[Version("v1", BOTH, ""), Version("v2", SERVED, "")]),
    ];
    let (run, after) = update_with(&text, &next, "1.2", "2023-09-01");
    run.ended(0);
    for line in [
        "v1beta1 = { owner = \"old-timers\", lives = [{ introduced = \"1.0\", removed = \"1.1\" }, { introduced = \"1.2\" }] } # gone\n",
        "v1.introduced = \"1.1\"\nv2 = { introduced = \"1.2\" }\n",
        "versions = [\"v1\", \"v2\"] # only there\n",
    ] {
        assert!(after.contains(line), "{line} is not in\n{after}");
    }
    let again = [definition(
        "Bolt",
        &[Version("v1", BOTH, ""), Version("v2", SERVED, "")],
    )];
    let (run, after) = update_with(&after, &again, "1.3", "2024-01-01");
    run.ended(0);
    assert!(
        after.contains("{ introduced = \"1.2\", removed = \"1.3\", dropped = \"1.3\" }] } # gone"),
        "{after}"
    );
}

#[test]
fn an_update_adds_to_the_file_that_has_the_group() {
    let main = EDITED.replace("[calendar]\n", "include = [\"apis/*.toml\"]\n\n[calendar]\n");
    let (head, rest) = main.split_once("[group.\"widgets.example.com\"]\n").expect("a group");
    let (group, tail) = rest
        .split_once("[group.\"other.example.com\".version]\n")
        .expect("another group");
    let main = format!("{head}[group.\"other.example.com\".version]\n{tail}");
    let group = format!("[group.\"widgets.example.com\"]\n{group}");
    let crds = [
        definition("Bolt", &[Version("v1beta1", SERVED, ""), Version("v1", BOTH, "")]),
        definition("Nut", &[Version("v1", BOTH, ""), Version("v2", SERVED, "")]),
    ];
    let folder = folder(&[
        ("lifecycle.toml", &main),
        ("apis/widgets.toml", &group),
        ("crds.yaml", &crds.join("---\n")),
    ]);
    let arguments = [
        "import",
        "crds",
        "crds.yaml",
        "--release",
        "1.2",
        "--date",
        "2023-09-01",
        "--update",
        "lifecycle.toml",
    ];
    run_in(&folder, &arguments).ended(0);
    let after = get(folder.path(), "apis/widgets.toml");
    for line in [
        "Bolt = { resource = \"bolts\", storage = { v1beta1 = \"1.0\", v1 = \"1.2\" }, versions = [\"v1\", \"v1beta1\"] }\n",
        "v2 = { introduced = \"1.2\" }\n",
        "versions = [\"v1\", \"v2\"] # only there\n",
    ] {
        assert!(after.contains(line), "{line} is not in\n{after}");
    }
    let expected = main
        .replace("current = \"1.1\"", "current = \"1.2\"")
        .replace("\"unscheduled\"", "2023-09-01");
    assert_eq!(get(folder.path(), "lifecycle.toml"), expected);
    run_in(&folder, &arguments).ended(0).says(&["already up to date"]);
}

#[test]
fn an_update_keeps_line_ends_and_whatever_people_write_between() {
    let text = EDITED.replace('\n', "\r\n");
    let next = [
        definition(
            "Bolt",
            &[
                Version("v1beta1", SERVED, ""),
                Version("v1", BOTH, ""),
                Version("v2", SERVED, ""),
            ],
        ),
        definition("Nut", &[Version("v1", BOTH, "")]),
    ];
    let (run, after) = update_with(&text, &next, "1.3", "2024-01-01");
    run.ended(2).says(&["unscheduled"]);
    assert_eq!(after, text, "nothing is written where the result could not be read");
    let (run, after) = update_with(&text, &next, "1.2", "2023-09-01");
    run.ended(0);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    let kept = text
        .replace("current = \"1.1\"", "current = \"1.2\"")
        .replace("\"unscheduled\"", "2023-09-01");
    let kept = kept.replace("{ v1beta1 = \"1.0\" } }", "{ v1beta1 = \"1.0\", v1 = \"1.2\" } }");
    let kept = kept.replace("{ owner = \"sizes\" }", "{ owner = \"sizes\", removed = \"1.2\" }");
    assert_eq!(added(&kept, &after), ["v2 = { introduced = \"1.2\" }"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads what the program wrote")]
fn a_new_model_comes_with_a_hint_how_to_check_its_schemas() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
                      names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  versions: [{name: v1, served: true, \
                      storage: true}]\n";
    let folder = crate::program::folder(&[
        ("old/a.yaml", definition),
        ("config/crd/a.yaml", definition),
        ("api/x", ""),
    ]);
    let import = |arguments: &[&str], input: &str| {
        let whole = [&["import", "crds"], arguments].concat();
        let run = finish(program(folder.path(), &whole), input.as_bytes()).ended(0);
        let reported = run
            .err
            .lines()
            .find_map(|line| line.strip_prefix("to check schema changes"));
        reported.map(str::to_owned)
    };
    let with = |list: &str| Some(format!(" with the model, add at its top: schemas = [{list}]"));
    let one = |output| import(&["--release", "1.0", "config/crd", "-o", output], "");
    assert_eq!(one("lifecycle.toml"), with("\"config/crd\""));
    assert_eq!(one("api/lifecycle.toml"), with("\"../config/crd\""));
    assert_eq!(one("config/crd/lifecycle.toml"), with("\".\""));
    let several = [
        "--at",
        "1.10",
        "config/crd/a.yaml",
        "--at",
        "1.9",
        "old",
        "-o",
        "several.toml",
    ];
    assert_eq!(
        import(&several, ""),
        with("\"config/crd/a.yaml\""),
        "the newest release alone"
    );
    assert_eq!(import(&["--release", "1.0", "-", "-o", "input.toml"], definition), None);
    assert_eq!(
        import(&["--release", "1.0", "old"], ""),
        None,
        "nothing is written that it could stand in"
    );
    let path = folder.path().join("several.toml");
    let model = std::fs::read_to_string(&path).expect("the model was written");
    crate::program::write(
        &folder,
        "several.toml",
        format!("schemas = [\"config/crd/a.yaml\"]\n{model}").as_bytes(),
    );
    finish(program(folder.path(), &["check", "several.toml"]), b"").ended(0);
}
