//! Pull requests of somebody hostile: what is outside of the repository is neither read nor written, and nothing passes
//! without a word. Each is run by the program and by the action's script.

#![cfg(all(test, unix))]
#![expect(
    clippy::expect_used,
    reason = "clippy.toml allows it in test functions only, and these are their helpers"
)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use lifecycle::render::formats::REPORT_FORMATS;

use crate::ci::{Runner, Step, bash, read};
use crate::history::Repository;
use crate::program::{MODEL, Run, finish, folder, program, run_in, write};

/// What is in no output: it stands in a file outside, in the environment, and in the settings of the repository.
const SECRET: &str = "swordfish";

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.widgets.example.com }
spec:
  group: widgets.example.com
  names: { kind: Widget, plural: widgets }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
";

/// A behavior, as the text of an included file.
fn behavior(name: &str) -> String {
    format!("[behavior.{name}]\nintroduced = \"1.0\"\n")
}

/// What a pull request has: the first lines of the model, and links with their targets.
struct Attack {
    head: &'static str,
    links: &'static [(&'static str, &'static str)],
}

const fn attack(head: &'static str, links: &'static [(&'static str, &'static str)]) -> Attack {
    Attack { head, links }
}

/// Each makes the model name what is outside of the repository, whose folders are `work space` and, beside it,
/// `outside`.
const ATTACKS: &[Attack] = &[
    attack("include = [\"/proc/self/environ\"]", &[]),
    attack("include = [\"/proc/*/environ\"]", &[]),
    attack("include = [\"../../outside/secret.toml\"]", &[]),
    attack("include = [\"../../outside/*.toml\"]", &[]),
    attack("include = [\"../../../**/secret.toml\"]", &[]),
    attack("include = [\"../../outside/none.toml\"]", &[]),
    attack(
        "include = [\"part.toml\"]",
        &[("../../outside/secret.toml", "apis/part.toml")],
    ),
    attack(
        "include = [\"*.toml\"]",
        &[("../../outside/secret.toml", "apis/part.toml")],
    ),
    attack("include = [\"parts/secret.toml\"]", &[("../../outside", "apis/parts")]),
    attack("include = [\"parts/*.toml\"]", &[("../../outside", "apis/parts")]),
    attack(
        "include = [\"one/secret.toml\"]",
        &[("two", "apis/one"), ("../../outside", "apis/two")],
    ),
    attack("include = [\"../.git/config\"]", &[]),
    attack("include = [\"settings\"]", &[("../.git/config", "apis/settings")]),
    attack("policy = \"/proc/self/environ\"", &[]),
    attack("policy = \"../../outside/secret.toml\"", &[]),
    attack(
        "policy = \"policy.toml\"",
        &[("../../outside/secret.toml", "apis/policy.toml")],
    ),
    attack("policy = \"../.git/config\"", &[]),
    attack("policy = \"extending.toml\"", &[]),
];

/// Those that name schemas, which only `check` reads.
const SCHEMA_ATTACKS: &[Attack] = &[
    attack("schemas = [\"/proc/self/environ\"]", &[]),
    attack("schemas = [\"../../outside\"]", &[]),
    attack("schemas = [\"../../outside/none.yaml\"]", &[]),
    attack("schemas = [\"crd\"]", &[("../../outside", "apis/crd")]),
    attack(
        "schemas = [\"crd.yaml\"]",
        &[("../../outside/secret.yaml", "apis/crd.yaml")],
    ),
];

/// A workspace with a repository, and a secret outside of it.
fn workspace(attack: &Attack) -> Runner {
    let model = format!("{}\n{MODEL}", attack.head);
    let secret = format!("{SECRET} = = 1\n");
    let runner = Runner::new(&[
        ("apis/lifecycle.toml", &model),
        (
            "apis/extending.toml",
            "name = \"ours\"\nextends = \"../../outside/secret.toml\"\n",
        ),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/config", &format!("[http]\n\textraheader = {SECRET}\n")),
        ("../outside/secret.toml", &secret),
        ("../outside/secret.yaml", &format!("{SECRET}: [\n")),
    ]);
    for (target, link) in attack.links {
        symlink(target, runner.workspace().join(link)).expect("a link can be made");
    }
    runner
}

/// Runs the program in a folder of a workspace.
fn run(runner: &Runner, from: &str, arguments: &[&str]) -> Run {
    let mut command = program(&runner.workspace().join(from), arguments);
    command.env("LIFECYCLE_TEST_SECRET", SECRET);
    finish(command, b"").silent_on(&[SECRET])
}

/// All that a step has shown or set.
fn shown(step: &Step) -> String {
    format!("{}{}{}{:?}", step.out, step.err, step.summary, step.outputs)
}

#[test]
fn a_model_names_no_file_outside_of_the_repository() {
    for attack in ATTACKS {
        let runner = workspace(attack);
        let commands: [&[&str]; 9] = [
            &["check"],
            &["check", "--format", "json", "-o", "sarif=a.sarif"],
            &["plan", "--format", "json"],
            &["rules"],
            &["notes", "--release", "1.4"],
            &["fix", "--write"],
            &["propose", "removal", "example.com/v1", "--write"],
            &["render", "-o", "a.svg"],
            &["export", "pluto"],
        ];
        for arguments in commands {
            run(&runner, "apis", arguments)
                .ended(2)
                .says(&["leads out of the repository"]);
        }
        let written = read(&runner.workspace().join("apis/a.sarif")).unwrap_or_default();
        assert!(!written.contains(SECRET), "{}: {written}", attack.head);
    }
}

/// An object of the model's group, as a manifest.
const MANIFEST: &str = "apiVersion: example.com/v1beta1\nkind: Widget\nmetadata: { name: own }\n";

#[test]
fn no_answer_about_a_model_shows_what_is_outside_of_the_repository() {
    let removed = "example.com/v1beta1.removed<=1.9";
    let commands: [&[&str]; 14] = [
        &["agenda", "--format", "json"],
        &["report", "--format", "json"],
        &["by-when", removed, "--format", "json"],
        &["why", "example.com/v1beta1", "--format", "json"],
        &["what-if", "--set", "example.com/v1.deprecated=1.9", "--write"],
        &["propose", "deprecation", "example.com/v1", "--write"],
        &["exceptions"],
        &["policies", "show", "--effective"],
        &["export", "atom", "--output", "a.xml"],
        &["plan", "--output", "a.txt"],
        &["notes", "--release", "1.4", "--context"],
        &["check", "--remove", "example.com/v1@1.9"],
        &["scan", "manifests", "--to", "1.3", "--fix"],
        &["scan", "manifests", "-o", "json=a.json"],
    ];
    for attack in ATTACKS {
        let runner = workspace(attack);
        write(
            &runner.folder,
            "work space/apis/manifests/own.yaml",
            MANIFEST.as_bytes(),
        );
        let before = state(runner.folder.path());
        for arguments in commands {
            run(&runner, "apis", arguments)
                .ended(2)
                .says(&["leads out of the repository"]);
            assert_eq!(state(runner.folder.path()), before, "{}: {arguments:?}", attack.head);
        }
    }
}

/// A shell asks for completions while somebody types, in whatever repository that is.
#[test]
fn completions_show_nothing_from_outside_of_the_repository() {
    for attack in ATTACKS {
        let runner = workspace(attack);
        let mut command = program(&runner.workspace().join("apis"), &["--", "lifecycle", "why", ""]);
        command.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", "2");
        command.env("LIFECYCLE_TEST_SECRET", SECRET);
        finish(command, b"").silent_on(&[SECRET]);
    }
}

#[test]
fn a_model_names_no_schemas_outside_of_the_repository() {
    for attack in SCHEMA_ATTACKS {
        let runner = workspace(attack);
        for format in REPORT_FORMATS {
            let arguments = ["check", "--format", format.name];
            let refused = run(&runner, "apis", &arguments).ended(2);
            refused.says(&["leads out of the repository"]);
        }
    }
}

#[test]
fn the_action_reads_nothing_outside_of_the_repository() {
    if !bash() {
        return;
    }
    for attack in ATTACKS.iter().chain(SCHEMA_ATTACKS) {
        let runner = workspace(attack);
        let inputs = [
            ("INPUT_MODEL", "apis/lifecycle.toml"),
            ("INPUT_SARIF_FILE", "a.sarif"),
            ("LIFECYCLE_TEST_SECRET", SECRET),
        ];
        let step = runner.step(&inputs).ended(2, "");
        let written = read(&runner.workspace().join("a.sarif")).unwrap_or_default();
        for text in [shown(&step), written] {
            assert!(!text.contains(SECRET), "{}: {text}", attack.head);
        }
        assert!(!step.commands().is_empty(), "{}: {}", attack.head, step.out);
    }
}

/// CI types the same path for every change, and a change may put a link there.
#[test]
fn a_link_at_a_typed_path_does_not_lead_out_of_the_repository() {
    let links = [
        ("../../outside/secret.toml", "apis/planted.toml"),
        ("../../outside/secret.yaml", "apis/planted.yaml"),
        ("../../outside/secret.toml", "apis/lifecycle-baseline.toml"),
        ("../../outside", "apis/planted"),
        ("/proc/self/environ", "apis/environment"),
    ];
    let runner = workspace(&attack("", &[]));
    for (target, link) in links {
        symlink(target, runner.workspace().join(link)).expect("a link can be made");
    }
    let commands: [&[&str]; 18] = [
        &["check"],
        &["check", "planted.toml"],
        &["check", "environment"],
        &["check", "planted/secret.toml"],
        &["check", "--baseline", "environment"],
        &["check", "--policy", "planted.toml"],
        &["check", "--base", "planted.toml", "--baseline", "lifecycle.toml"],
        &["plan", "environment"],
        &["lint", "planted"],
        &["lint", "planted.yaml"],
        &["diff", "planted.yaml", "planted"],
        &["compare", "planted.yaml"],
        &["import", "crds", "--release", "1.0", "planted.yaml"],
        &["import", "pluto", "environment"],
        &["import", "calendar", "environment", "--update", "lifecycle.toml"],
        &["notes", "--release", "1.4", "--check", "environment"],
        &["notes", "--release", "1.4", "--templates", "planted"],
        &["notes", "--release", "1.4", "--template", "./environment"],
    ];
    for arguments in commands {
        let refused = run(&runner, "apis", arguments).ended(2);
        assert!(
            ["leads out of the repository", "which leads out of"]
                .iter()
                .any(|words| refused.all().contains(words)),
            "{arguments:?}: {}",
            refused.all()
        );
    }
    if bash() {
        for input in [
            ("INPUT_MODEL", "apis/environment"),
            ("INPUT_MODEL", "apis/lifecycle.toml"),
        ] {
            let step = runner.step(&[input, ("LIFECYCLE_TEST_SECRET", SECRET)]).ended(2, "");
            assert!(!shown(&step).contains(SECRET), "{input:?}: {}", shown(&step));
        }
    }
}

/// The same for what newer commands read.
#[test]
fn a_link_at_any_typed_path_does_not_lead_out_of_the_repository() {
    let runner = workspace(&attack("", &[]));
    write(
        &runner.folder,
        "work space/apis/manifests/own.yaml",
        MANIFEST.as_bytes(),
    );
    for (target, link) in [
        ("../../outside/secret.toml", "apis/planted.toml"),
        ("../../outside/secret.yaml", "apis/planted.yaml"),
        ("../../outside", "apis/planted"),
        ("/proc/self/environ", "apis/environment"),
    ] {
        symlink(target, runner.workspace().join(link)).expect("a link can be made");
    }
    let set = ["what-if", "--set", "example.com/v1.deprecated=1.9"];
    let markers = ["rust", "java", "php", "oslo", "ansible", "gitlab", "csv"];
    let mut commands: Vec<Vec<&str>> = markers
        .into_iter()
        .flat_map(|of| ["planted", "environment"].map(|path| vec!["import", "markers", of, "--release", "1.3", path]))
        .collect();
    for format in ["kubernetes-api", "openapi", "metrics"] {
        commands.push(vec!["import", format, "--release", "1.3", "planted.yaml"]);
    }
    commands.extend([
        vec!["import", "feature-gates", "planted.yaml"],
        vec!["import", "kubepug", "environment"],
        vec!["scan", "planted", "--to", "1.3"],
        vec!["scan", "planted.yaml", "--to", "1.3", "--fix"],
        vec!["scan", "environment", "--to", "1.3"],
        vec!["scan", "manifests", "-m", "planted.toml"],
        vec!["scan", "manifests", "--to", "1.3", "--schemas", "planted"],
        vec!["scan", "manifests", "--to", "1.3", "--baseline", "environment"],
        vec!["what-if", "--patch", "planted.toml"],
        vec!["what-if", "--calendar", "environment"],
        [&set[..], &["environment"]].concat(),
        vec!["agenda", "--since", "planted.toml"],
        vec!["agenda", "environment"],
        vec!["report", "planted.toml"],
        vec!["by-when", "-m", "environment", "example.com/v1.removed<=1.9"],
        vec!["why", "-m", "planted.toml", "example.com/v1"],
        vec!["export", "pluto", "-m", "environment"],
        vec!["propose", "deprecation", "example.com/v1", "-m", "planted.toml"],
        vec!["notes", "--from-context", "environment"],
        vec!["policies", "show", "planted.toml"],
        vec!["explain", "version-lifetime", "--policy", "planted.toml"],
        vec!["init", "planted", "--yes", "--policy", "kubernetes"],
    ]);
    let before = state(runner.folder.path());
    for arguments in commands {
        let refused = run(&runner, "apis", &arguments).ended(2);
        let words = ["leads out of the repository", "which leads out of"];
        assert!(
            words.iter().any(|words| refused.all().contains(words)),
            "{arguments:?}: {}",
            refused.all()
        );
        assert_eq!(state(runner.folder.path()), before, "{arguments:?}");
    }
}

/// Kustomizations are read to apply patches to CRDs, and to find what uses an API.
#[test]
fn a_kustomization_names_no_file_outside_of_the_repository() {
    for line in [
        "patches: [{ path: ../../../outside/secret.yaml }]",
        "patches: [{ path: /proc/self/environ }]",
        "patches: [{ path: planted.yaml }]",
        "patches: [{ path: ../../.git/config }]",
        "patchesStrategicMerge: [../../../outside/secret.yaml]",
        "patchesJson6902: [{ path: planted.yaml, target: { kind: CustomResourceDefinition } }]",
        "resources: [../../../outside/secret.yaml]",
        "configurations: [../../../outside/secret.yaml]",
    ] {
        let runner = workspace(&attack("", &[]));
        let kustomization = format!("kind: Kustomization\nresources: [widgets.yaml]\n{line}\n");
        for (name, text) in [("kustomization.yaml", kustomization.as_str()), ("widgets.yaml", CRD)] {
            write(&runner.folder, &format!("work space/apis/crd/{name}"), text.as_bytes());
        }
        let planted = runner.workspace().join("apis/crd/planted.yaml");
        symlink("../../../outside/secret.yaml", planted).expect("a link can be made");
        for arguments in [
            &["lint", "crd"][..],
            &["diff", "crd", "crd", "--all"],
            &["scan", "crd", "--to", "1.3"],
            &["import", "crds", "--release", "1.3", "crd"],
        ] {
            let skipped = "skipped crd/planted.yaml: link out of the repository";
            run(&runner, "apis", arguments).ended(0).says(&[skipped]);
        }
    }
}

#[test]
fn links_that_nobody_named_are_skipped_and_reported() {
    let head = "include = [\"**/part.toml\", \"*/part.toml\"]\nschemas = [\"crd\"]";
    let links: &[(&str, &str)] = &[
        ("../../outside", "apis/elsewhere"),
        ("parts", "apis/again"),
        ("none.toml", "apis/parts/broken/part.toml"),
        ("part.toml", "apis/parts/round/part.toml"),
    ];
    let runner = Runner::new(&[
        ("apis/lifecycle.toml", &format!("{head}\n{MODEL}{}", behavior("own"))),
        ("apis/parts/part.toml", &behavior("a")),
        ("apis/parts/broken/text", ""),
        ("apis/parts/round/text", ""),
        ("apis/crd/widgets.yaml", CRD),
        ("apis/templates/own.md", "own text"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("../outside/part.toml", &format!("{SECRET} = = 1\n")),
        ("../outside/secret.yaml", &format!("{SECRET}: [\n")),
    ]);
    for (target, link) in [
        links,
        &[
            ("../../../outside/secret.yaml", "apis/crd/more.yaml"),
            ("../../../outside/secret.yaml", "apis/templates/changelog.md"),
        ],
    ]
    .concat()
    {
        symlink(target, runner.workspace().join(link)).expect("a link can be made");
    }
    let out = "link out of the repository, not followed";
    run(&runner, "apis", &["check"])
        .says(&[
            &format!("skipped elsewhere: {out}"),
            &format!("skipped crd/more.yaml: {out}"),
            "skipped parts/broken/part.toml: broken link",
            "skipped parts/round/part.toml: broken link",
        ])
        .silent_on(&["again"]);
    run(&runner, "apis", &["lint", "crd"])
        .ended(0)
        .says(&[&format!("skipped crd/more.yaml: {out}")]);
    let notes = ["notes", "--release", "1.4", "--templates", "templates", "--template"];
    run(&runner, "apis", &[&notes[..], &["own"]].concat())
        .ended(0)
        .says(&["own text", &format!("skipped templates/changelog.md: {out}")]);
    run(&runner, "apis", &[&notes[..], &["changelog"]].concat())
        .ended(0)
        .silent_on(&["own text"]);
}

#[test]
fn what_is_no_regular_file_is_refused() {
    for head in [
        "include = [\"pipe\"]",
        "include = [\"p*e\"]",
        "policy = \"./pipe\"",
        "schemas = [\"pipe\"]",
    ] {
        let runner = workspace(&attack("", &[]));
        let model = format!("{head}\n{MODEL}");
        write(&runner.folder, "work space/apis/lifecycle.toml", model.as_bytes());
        let pipe = runner.workspace().join("apis/pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("there is mkfifo").success());
        run(&runner, "apis", &["check"])
            .ended(2)
            .says(&["is not a regular file"]);
    }
}

/// Nobody may ever write to it: the program does not wait for that.
#[test]
fn a_pipe_is_refused_wherever_a_file_is_named_or_found() {
    let named: [(&str, &[&str]); 8] = [
        ("lifecycle.toml", &["check"]),
        ("lifecycle-baseline.toml", &["check"]),
        ("pipe", &["check", "--baseline", "pipe"]),
        ("pipe", &["check", "pipe"]),
        ("pipe.toml", &["check", "--policy", "pipe.toml"]),
        ("pipe", &["what-if", "--patch", "pipe"]),
        ("pipe", &["what-if", "--calendar", "pipe"]),
        ("pipe", &["import", "calendar", "pipe"]),
    ];
    for (name, arguments) in named {
        let folder = folder(&[]);
        if name != "lifecycle.toml" {
            write(&folder, "lifecycle.toml", MODEL.as_bytes());
        }
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path().join(name))
            .status();
        assert!(made.expect("there is mkfifo").success());
        run_in(&folder, arguments)
            .ended(2)
            .says(&[name, "is not a regular file"]);
    }
}

/// A shell passes what a command writes as a pipe too, as standard input or below `/dev/fd`.
#[test]
fn what_a_shell_passes_as_a_pipe_is_read() {
    let folder = folder(&[
        ("lifecycle.toml", MODEL),
        ("ours.toml", "name = \"ours\"\nextends = \"kubernetes\"\n"),
        (
            "releases.csv",
            "release,date\n1.0,2024-01-10\n1.1,2024-05-10\n1.2,2024-09-10\n",
        ),
    ]);
    for line in [
        "\"$0\" check --policy <(cat ours.toml)",
        "cat ours.toml | \"$0\" check --policy /dev/stdin",
        "\"$0\" check <(cat lifecycle.toml)",
        "\"$0\" import calendar <(cat releases.csv)",
        "cat releases.csv | \"$0\" import calendar -",
    ] {
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", line, env!("CARGO_BIN_EXE_lifecycle")]);
        let run = shell.current_dir(folder.path()).output().expect("there is bash");
        let error = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{line}: {error}");
    }
}

/// A model with parts of each sort in folders beside its own.
fn monorepo() -> Vec<(&'static str, String)> {
    let head = "policy = \"../../policies/ours.toml\"\nschemas = [\"../../crd\", \"linked.yaml\"]\n\
                include = [\"../*/part.toml\", \"../../shared/**/*.toml\", \"linked.toml\", \"./own.toml\"]";
    vec![
        ("apis/widgets/lifecycle.toml", format!("{head}\n{MODEL}")),
        ("apis/widgets/own.toml", behavior("own")),
        ("apis/gadgets/part.toml", behavior("sibling")),
        ("shared/deep/part.toml", behavior("deep")),
        ("linked/part.toml", behavior("linked")),
        ("crd/widgets.yaml", CRD.to_owned()),
        (
            "linked/gadgets.yaml",
            CRD.replace("Widget", "Gadget").replace("widgets", "gadgets"),
        ),
        (
            "policies/ours.toml",
            "name = \"ours\"\nextends = \"../company/policy.toml\"\n".to_owned(),
        ),
        (
            "company/policy.toml",
            "name = \"company\"\nextends = \"kubernetes\"\n".to_owned(),
        ),
    ]
}

const ELEMENTS: [&str; 4] = ["behavior own", "behavior sibling", "behavior deep", "behavior linked"];

fn link_parts(root: &Path) {
    let links = [
        ("../../linked/part.toml", "apis/widgets/linked.toml"),
        ("../../linked/gadgets.yaml", "apis/widgets/linked.yaml"),
    ];
    for (target, link) in links {
        symlink(target, root.join(link)).expect("a link can be made");
    }
}

#[test]
fn a_model_names_files_of_other_folders_of_its_repository() {
    let files = monorepo();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let repository = Repository::committed(&files);
    link_parts(repository.path());
    repository.commit("main");
    let model = "apis/widgets/lifecycle.toml";
    repository
        .run(&["plan", "--format", "json", model])
        .ended(0)
        .says(&ELEMENTS);
    for arguments in [&["check", model][..], &["check", "--all", "--base", "main", model]] {
        repository.run(arguments).says(&["v1 Widget", "v1 Gadget"]).silent_on(&[
            "leads out",
            "unreadable-base",
            "skipped",
        ]);
    }
}

#[test]
fn without_a_repository_the_folder_of_the_model_is_the_root() {
    let files = monorepo();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder(&files);
    link_parts(folder.path());
    let plan = ["plan", "--format", "json", "apis/widgets/lifecycle.toml"];
    let refused = run_in(&folder, &plan).ended(2);
    refused.says(&[
        "leads out of the folder of apis/widgets/lifecycle.toml",
        "--allow-folder FOLDER",
    ]);
    let root = folder.path().to_str().expect("the path is text");
    for allowed in [
        &["--allow-folder", root][..],
        &[
            "--allow-folder=apis",
            "--allow-folder=shared",
            "--allow-folder=linked",
            "--allow-folder=policies",
            "--allow-folder=company",
        ],
    ] {
        run_in(&folder, &[&plan[..], allowed].concat()).ended(0).says(&ELEMENTS);
    }
    let some = [
        "--allow-folder=apis",
        "--allow-folder=shared",
        "--allow-folder=linked",
        "--allow-folder=policies",
    ];
    run_in(&folder, &[&plan[..], &some].concat())
        .ended(2)
        .says(&["company/policy.toml", "leads out"]);
    run_in(&folder, &["plan", "--allow-folder", "none"])
        .ended(2)
        .says(&["--allow-folder none", "no such folder"]);
    let link = folder.path().join("own/lifecycle.toml");
    write(&folder, "own/other.toml", MODEL.as_bytes());
    symlink("../apis/widgets/lifecycle.toml", &link).expect("a link can be made");
    for arguments in [
        &["check", "own/lifecycle.toml"][..],
        &["check", link.to_str().expect("the path is text")],
    ] {
        run_in(&folder, arguments).ended(2).says(&["leads out of"]);
    }
}

#[test]
fn an_allowed_folder_is_read_for_the_base_too() {
    let outside = folder(&[
        ("part.toml", &behavior("outside")),
        ("policy.toml", "name = \"ours\"\nextends = \"kubernetes\"\n"),
    ]);
    let outside = outside.path().to_str().expect("the path is text");
    let head = format!("policy = \"{outside}/policy.toml\"\ninclude = [\"{outside}/*.toml\"]");
    let head = head.replace("*.toml", "p[a]rt.toml");
    let repository = Repository::committed(&[("lifecycle.toml", &format!("{head}\n{MODEL}"))]);
    let check = ["check", "--base", "main", "--verbose"];
    repository.run(&check).ended(2).says(&["leads out of the repository"]);
    let allowed = repository
        .run(&[&check[..], &["--allow-folder", outside]].concat())
        .ended(0);
    allowed.says(&["no new policy violations", "base included: ", "base policy: "]);
}

#[test]
fn a_pattern_of_the_base_does_not_lead_out_of_the_repository() {
    let repository = Repository::committed(&[
        ("lifecycle.toml", &format!("include = [\"../part.toml\"]\n{MODEL}")),
        ("part.toml", &behavior("own")),
    ]);
    repository.write("lifecycle.toml", MODEL);
    repository
        .run(&["check", "--base", "main"])
        .says(&["unreadable-base", "`../part.toml` leads out of the repository"]);
}

/// A path that is typed is trusted, wherever it is, and so is a link that is not in the repository.
#[test]
fn what_a_person_types_may_be_anywhere() {
    let outside = folder(&[
        ("model.toml", &format!("include = [\"parts/*.toml\"]\n{MODEL}")),
        ("parts/a.toml", &behavior("a")),
        ("policy.toml", "name = \"ours\"\nextends = \"common.toml\"\n"),
        ("common.toml", "name = \"common\"\nextends = \"kubernetes\"\n"),
        ("real/widgets.yaml", CRD),
    ]);
    symlink("real", outside.path().join("crd")).expect("a link can be made");
    symlink("policy.toml", outside.path().join("linked.toml")).expect("a link can be made");
    let at = |name: &str| -> String {
        let path: PathBuf = outside.path().join(name);
        path.to_str().expect("the path is text").to_owned()
    };
    let repository = Repository::committed(&[("lifecycle.toml", MODEL)]);
    repository
        .run(&["plan", "--all", &at("model.toml")])
        .ended(0)
        .says(&["behavior a"]);
    for policy in ["policy.toml", "linked.toml"] {
        repository.run(&["check", "--policy", &at(policy)]).ended(0);
        repository
            .run(&["check", "--base", "main", "--policy", &at(policy)])
            .ended(0);
    }
    repository.run(&["lint", &at("crd")]).ended(0).says(&["1 CRD"]);
    repository.run(&["check", "--base", &at("model.toml")]).ended(1);
}

/// A violation that `fix` can fix, as the text of an included file.
const FIXABLE: &str = "[cli.tool]\naudience = \"user\"\n[cli.tool.flag.\"--new\"]\nintroduced = \"1.0\"\n\
    [cli.tool.flag.\"--old\"]\nintroduced = \"1.0\"\ndeprecated = \"1.4\"\nreplacement = \"--new\"\n";

/// The files below a folder, without those of Git: each path with what a link leads to, or with its text.
fn state(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            match path.read_link() {
                Ok(target) => found.push((path, target.display().to_string())),
                Err(_) if path.is_dir() => open.push(path),
                Err(_) => found.push((path.clone(), read(&path).unwrap_or_default())),
            }
        }
    }
    found.sort();
    found
}

/// A workspace whose files have something to write: links at `planted` and so on lead out of it, and to its own files.
fn writable() -> Runner {
    let runner = Runner::new(&[
        ("apis/lifecycle.toml", &format!("include = [\"parts/*.toml\"]\n{MODEL}")),
        ("apis/parts/part.toml", FIXABLE),
        ("apis/old/widgets.yaml", CRD),
        ("apis/crd/widgets.yaml", &CRD.replace("served: true", "served: false")),
        ("apis/days.csv", "1.5,2024-09-01\n"),
        ("apis/own.txt", "own"),
        ("apis/fixable.txt", &FIXABLE.replace("cli.tool", "cli.other")),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("../outside/text", "outside"),
    ]);
    for (target, link) in [
        ("../../outside/text", "planted"),
        ("../../outside/new", "new"),
        ("own.txt", "own"),
        ("../../outside", "folder"),
        ("../.git", "git"),
        ("lifecycle.toml", "model.toml"),
    ] {
        symlink(target, runner.workspace().join("apis").join(link)).expect("a link can be made");
    }
    runner
}

#[test]
fn nothing_is_written_through_a_link_or_outside_of_the_repository() {
    let runner = writable();
    let before = state(runner.folder.path());
    for planted in ["planted", "new", "own", "folder/new", "git/new"] {
        let output = format!("json={planted}");
        let commands: [&[&str]; 9] = [
            &["check", "-o", &output],
            &["check", "-o", "json=fine.json", "-o", &output],
            &["check", "--remove", "example.com/v1@1.4", "-o", &output],
            &["check", "--write-baseline", "--fail-on", "note", "--baseline", planted],
            &["lint", "crd", "-o", &output],
            &["diff", "old", "crd", "-o", &output],
            &["render", "-o", planted],
            &["notes", "--release", "1.4", "--write", planted],
            &["import", "calendar", "days.csv", "-o", planted],
        ];
        for arguments in commands {
            run(&runner, "apis", arguments).ended(2);
            assert_eq!(state(runner.folder.path()), before, "{arguments:?}");
        }
    }
}

/// The same for what newer commands write.
#[test]
fn no_command_writes_through_a_link_or_outside_of_the_repository() {
    let runner = writable();
    write(
        &runner.folder,
        "work space/apis/manifests/own.yaml",
        MANIFEST.as_bytes(),
    );
    let before = state(runner.folder.path());
    for planted in ["planted", "new", "own", "folder/new", "git/new"] {
        let output = format!("json={planted}");
        let commands: [&[&str]; 9] = [
            &["plan", "-o", planted],
            &["notes", "--release", "1.4", "-o", planted],
            &["export", "pluto", "-o", planted],
            &["export", "atom", "-o", planted],
            &[
                "import",
                "markers",
                "csv",
                "--release",
                "1.3",
                "names.csv",
                "-o",
                planted,
            ],
            &["import", "crds", "--release", "1.3", "crd", "-o", planted],
            &["scan", "manifests", "--to", "1.3", "-o", &output],
            &[
                "scan",
                "manifests",
                "--to",
                "1.3",
                "--write-baseline",
                "--baseline",
                planted,
            ],
            &["manual", planted],
        ];
        for arguments in commands {
            run(&runner, "apis", arguments).ended(2);
            assert_eq!(state(runner.folder.path()), before, "{arguments:?}");
        }
    }
    for arguments in [
        &[
            "propose",
            "deprecation",
            "example.com/v1",
            "--write",
            "-m",
            "model.toml",
        ][..],
        &[
            "what-if",
            "--set",
            "example.com/v1.deprecated=1.9",
            "--write",
            "model.toml",
        ],
    ] {
        let refused = run(&runner, "apis", arguments).ended(2);
        refused.says(&["nothing is written through a link"]);
        assert_eq!(state(runner.folder.path()), before, "{arguments:?}");
    }
}

#[test]
fn scan_rewrites_no_file_through_a_link() {
    const OLD: &str = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: { name: own }\n";
    let runner = Runner::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("deploy/own.yaml", OLD),
        ("kept.yaml", OLD),
        ("../outside/used.yaml", OLD),
    ]);
    for (target, link) in [
        ("../../outside/used.yaml", "deploy/used.yaml"),
        ("../../outside", "deploy/more"),
    ] {
        symlink(target, runner.workspace().join(link)).expect("a link can be made");
    }
    let scan = ["scan", ".", "--fix", "--builtin", "kubernetes", "--to", "1.25"];
    run(&runner, "deploy", &scan).says(&[
        "rewrote 1 version in 1 file",
        "skipped ./used.yaml: link out of the repository",
        "skipped ./more: link out of the repository",
    ]);
    let own = read(&runner.workspace().join("deploy/own.yaml")).unwrap_or_default();
    assert_eq!(own, OLD.replace("v1beta1", "v1"));
    symlink("../kept.yaml", runner.workspace().join("deploy/kept.yaml")).expect("a link can be made");
    let outside = (2, "leads out of the repository");
    let link = (1, "not rewritten: kept.yaml: it is a link");
    for (path, (code, reason)) in [("used.yaml", outside), ("more/used.yaml", outside), ("kept.yaml", link)] {
        let typed = run(&runner, "deploy", &[&["scan", path][..], &scan[2..]].concat());
        typed.ended(code).says(&[reason]);
    }
    for path in [
        runner.folder.path().join("outside/used.yaml"),
        runner.workspace().join("kept.yaml"),
    ] {
        assert_eq!(read(&path).as_deref(), Some(OLD), "{}", path.display());
    }
}

/// `init` writes two files, whose names a change knows.
#[test]
fn init_writes_through_no_link() {
    for name in ["lifecycle.toml", BASELINE] {
        for target in ["../outside/text", "../outside/new", "own.txt"] {
            let repository = Repository::committed(&[("crd/widgets.yaml", CRD), ("own.txt", "own")]);
            symlink(target, repository.path().join(name)).expect("a link can be made");
            let before = state(repository.path());
            repository.run(&["init", "--yes"]).ended(2);
            let after = state(repository.path());
            assert_eq!(after, before, "{name} {target}");
            assert!(!repository.path().join("../outside").exists());
        }
    }
}

#[test]
fn a_baseline_at_its_own_path_is_not_written_through_a_link() {
    for target in ["../../outside/text", "../../outside/new", "own.txt", "none.toml"] {
        let runner = writable();
        for name in ["apis/lifecycle-baseline.toml", "apis/crd/lifecycle-lint-baseline.toml"] {
            symlink(target, runner.workspace().join(name)).expect("a link can be made");
        }
        let before = state(runner.folder.path());
        for arguments in [&["check", "--write-baseline"][..], &["lint", "crd", "--write-baseline"]] {
            run(&runner, "apis", arguments).ended(2);
            assert_eq!(state(runner.folder.path()), before, "{arguments:?} {target}");
        }
    }
}

#[test]
fn model_files_are_not_written_through_a_link() {
    let through = "nothing is written through a link";
    let runner = writable();
    symlink("../fixable.txt", runner.workspace().join("apis/parts/fixable.toml")).expect("a link can be made");
    let before = state(runner.folder.path());
    let commands: [&[&str]; 4] = [
        &["fix", "--write"],
        &["fix", "--write", "model.toml"],
        &["propose", "gate", "Frobber2D", "--write", "--model", "model.toml"],
        &["import", "calendar", "days.csv", "--update", "model.toml"],
    ];
    for arguments in commands {
        run(&runner, "apis", arguments).ended(2).says(&[through]);
        assert_eq!(state(runner.folder.path()), before, "{arguments:?}");
    }
}

#[test]
fn model_files_within_are_written() {
    let runner = writable();
    run(&runner, "apis", &["fix", "--write"])
        .ended(0)
        .says(&["fixed 1 finding"]);
    run(
        &runner,
        "apis",
        &["import", "calendar", "days.csv", "--update", "lifecycle.toml"],
    )
    .ended(0);
    run(&runner, "apis", &["check", "--write-baseline"]).ended(0);
    let outside = folder(&[("part.toml", FIXABLE)]);
    let path = outside.path().to_str().expect("the path is text");
    let model = format!("include = [\"{path}/part.toml\"]\n{MODEL}");
    write(&runner.folder, "work space/apis/lifecycle.toml", model.as_bytes());
    run(&runner, "apis", &["fix", "--write"]).ended(2);
    run(&runner, "apis", &["fix", "--write", "--allow-folder", path])
        .ended(0)
        .says(&["fixed 1 finding"]);
    assert_ne!(read(&outside.path().join("part.toml")).as_deref(), Some(FIXABLE));
}

/// CI writes reports where it collects them.
#[test]
fn a_typed_output_may_be_anywhere() {
    let runner = writable();
    let outside = runner.folder.path().join("outside");
    symlink("outside", runner.folder.path().join("way")).expect("a link can be made");
    for folder in ["outside", "way"] {
        let output = runner.folder.path().join(folder).join("a.sarif");
        run(
            &runner,
            "apis",
            &["check", "-o", output.to_str().expect("the path is text")],
        )
        .ended(1);
        assert!(read(&outside.join("a.sarif")).is_some_and(|text| text.contains("2.1.0")));
        std::fs::remove_file(outside.join("a.sarif")).expect("it was written");
    }
    run(&runner, "apis", &["check", "-o", "../../outside/a.sarif"]).ended(1);
}

#[test]
fn the_action_writes_through_no_link() {
    if !bash() {
        return;
    }
    for planted in ["planted", "new", "own", "folder/new", "git/new"] {
        let runner = writable();
        let before = state(&runner.workspace());
        let file = format!("apis/{planted}");
        for input in ["INPUT_SARIF_FILE", "INPUT_JUNIT_FILE"] {
            let step = runner
                .step(&[("INPUT_MODEL", "apis/lifecycle.toml"), (input, &file)])
                .ended(2, "");
            assert_eq!(step.outputs["sarif-file"], "");
            assert_eq!(state(&runner.workspace()), before, "{planted}");
            assert_eq!(
                read(&runner.folder.path().join("outside/text")).as_deref(),
                Some("outside")
            );
            assert!(!runner.folder.path().join("outside/new").exists());
        }
        let through_arguments = format!("--output=json={file}");
        let inputs = [
            ("INPUT_MODEL", "apis/lifecycle.toml"),
            ("INPUT_ARGS", through_arguments.as_str()),
        ];
        runner.step(&inputs).ended(2, "");
        assert_eq!(state(&runner.workspace()), before, "{planted}");
    }
}

/// An early removal, which is an error.
fn early(name: &str, deprecated: &str, removed: &str) -> String {
    format!("[behavior.{name}]\ndeprecated = \"{deprecated}\"\nremoved = \"{removed}\"\n")
}

const BASELINE: &str = "lifecycle-baseline.toml";

/// A repository whose base has one finding, which its baseline lists.
fn with_baseline() -> Repository {
    let repository = Repository::committed(&[("lifecycle.toml", &format!("{MODEL}{}", early("old", "1.3", "1.4")))]);
    repository.run(&["check", "--write-baseline"]).ended(0);
    repository.commit("main");
    repository.run(&["check", "--base", "main"]).ended(0);
    repository
}

/// What `--base main` reports as new: rule, code and line.
fn new_findings(repository: &Repository, arguments: &[&str]) -> Vec<String> {
    let run = repository.run(&[&["check", "--base", "main", "--format", "json"], arguments].concat());
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("it is JSON");
    let found = report["diagnostics"].as_array().expect("there are findings").iter();
    let found = found.map(|finding| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        format!(
            "{} {} {} {}",
            text("severity"),
            text("rule"),
            text("code"),
            text("file")
        )
    });
    let found: Vec<String> = found.collect();
    assert_eq!(
        run.code,
        Some(i32::from(found.iter().any(|finding| finding.starts_with("error"))))
    );
    found
}

const EARLY: &str = "error behavior-lifetime early lifecycle.toml";

const ADDED: &str = "error baseline added lifecycle-baseline.toml";

#[test]
fn a_change_does_not_suppress_its_own_findings() {
    let repository = with_baseline();
    let text = format!("{MODEL}{}{}", early("old", "1.3", "1.4"), early("new", "1.4", "1.5"));
    repository.write("lifecycle.toml", &text);
    assert_eq!(new_findings(&repository, &[]), [EARLY]);
    repository.run(&["check", "--write-baseline"]).ended(0);
    repository.run(&["check"]).ended(0);
    assert_eq!(new_findings(&repository, &[]), [EARLY, ADDED]);
    repository.write("lifecycle.toml", &format!("{text}[levels]\nbaseline = \"off\"\n"));
    assert!(new_findings(&repository, &[]).contains(&ADDED.to_owned()));
    assert!(!new_findings(&repository, &["-A", "baseline"]).contains(&ADDED.to_owned()));
    repository.commit("main");
    assert_eq!(new_findings(&repository, &[]), Vec::<String>::new());
}

#[test]
fn a_change_does_not_prepare_to_suppress_a_later_finding() {
    let repository = with_baseline();
    repository.write(
        "lifecycle.toml",
        &format!("{MODEL}{}{}", early("old", "1.3", "1.4"), early("new", "1.4", "1.5")),
    );
    repository.run(&["check", "--write-baseline"]).ended(0);
    repository.write("lifecycle.toml", &format!("{MODEL}{}", early("old", "1.3", "1.4")));
    assert_eq!(new_findings(&repository, &[]), [ADDED]);
    // One entry more, or one that allows more, of a finding that the base has.
    let repository = with_baseline();
    let entry = read(&repository.path().join(BASELINE)).expect("it was recorded");
    let missed = "missed-by = ";
    assert!(entry.contains(missed), "{entry}");
    for more in [
        entry.replace(missed, "missed-by = 1"),
        entry.replace("code = \"early\"", "code = \"overdue\""),
        format!("{entry}{}", entry.split_once("\n\n").expect("it has an entry").1),
    ] {
        repository.write(BASELINE, &more);
        assert_eq!(new_findings(&repository, &[]), [ADDED], "{more}");
    }
}

#[test]
fn a_change_does_not_suppress_what_it_makes_worse() {
    let repository = with_baseline();
    repository.replace("lifecycle.toml", "deprecated = \"1.3\"", "deprecated = \"1.4\"");
    repository.replace("lifecycle.toml", "removed = \"1.4\"\n", "removed = \"1.5\"\n");
    repository.run(&["check", "--write-baseline"]).ended(0);
    repository.replace("lifecycle.toml", "removed = \"1.5\"\n", "removed = \"1.4\"\n");
    repository.run(&["check", "--write-baseline"]).ended(0);
    let found = new_findings(&repository, &[]);
    assert!(found.contains(&ADDED.to_owned()), "{found:?}");
}

#[test]
fn a_first_baseline_records_what_the_base_has() {
    let repository = Repository::committed(&[("lifecycle.toml", &format!("{MODEL}{}", early("old", "1.3", "1.4")))]);
    repository.run(&["check", "--write-baseline"]).ended(0);
    assert_eq!(new_findings(&repository, &[]), Vec::<String>::new());
    repository.delete("lifecycle.toml");
    repository.delete(BASELINE);
    repository.commit("main");
    repository.write("lifecycle.toml", &format!("{MODEL}{}", early("old", "1.3", "1.4")));
    repository.run(&["check", "--write-baseline"]).ended(0);
    assert_eq!(new_findings(&repository, &[]), ["warning history no-base "]);
}

/// The files of a folder and of those in it, beside those of another one.
fn add_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            add_all(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}

#[test]
fn a_planted_git_folder_is_no_base() {
    let base = format!(
        "{MODEL}{}",
        early("old", "1.3", "1.4").replace("removed = \"1.4\"\n", "")
    );
    let changed = format!("{MODEL}{}", early("old", "1.3", "1.4"));
    let repository = Repository::committed(&[("apis/lifecycle.toml", &base)]);
    repository.write("apis/lifecycle.toml", &changed);
    let honest = repository.run(&["check", "apis/lifecycle.toml", "--base", "main"]);
    // A repository whose `main` is the change itself, in the folder of the model.
    let planted = Repository::committed(&[("apis/lifecycle.toml", &changed), ("lifecycle.toml", &changed)]);
    add_all(&planted.path().join(".git"), &repository.path().join("apis"));
    repository.write("apis/commondir", ".");
    repository.write("apis/gitdir", "./.git");
    let found = repository.run(&["check", "apis/lifecycle.toml", "--base", "main"]);
    assert_eq!((honest.code, found.code), (Some(1), Some(1)), "{}", found.err);
    assert_eq!(honest.out, found.out);
}

#[test]
fn a_first_baseline_records_what_has_shipped() {
    let repository = Repository::committed(&[("lifecycle.toml", &format!("{MODEL}{}", early("old", "1.2", "1.3")))]);
    repository.run(&["check", "--write-baseline"]).ended(0);
    assert_eq!(new_findings(&repository, &[]), Vec::<String>::new());
}

#[test]
fn a_baseline_that_is_named_is_compared_with_that_of_the_base() {
    let repository = with_baseline();
    repository.write(
        "known/own.toml",
        &read(&repository.path().join(BASELINE)).expect("it was recorded"),
    );
    repository.delete(BASELINE);
    repository.commit("main");
    repository.write(
        "lifecycle.toml",
        &format!("{MODEL}{}{}", early("old", "1.3", "1.4"), early("new", "1.4", "1.5")),
    );
    let named = ["--baseline", "known/own.toml"];
    repository
        .run(&[&["check", "--write-baseline"], &named[..]].concat())
        .ended(0);
    let added = "error baseline added known/own.toml";
    assert_eq!(new_findings(&repository, &named), [EARLY, added]);
    // No change of the repository adds to what is outside of it.
    let outside = folder(&[(
        "own.toml",
        &read(&repository.path().join("known/own.toml")).expect("it was recorded"),
    )]);
    let outside = outside.path().join("own.toml");
    let named = ["--baseline", outside.to_str().expect("the path is text")];
    assert_eq!(new_findings(&repository, &named), Vec::<String>::new());
}

#[test]
fn an_unreadable_baseline_of_the_base_suppresses_nothing() {
    let repository = with_baseline();
    let good = read(&repository.path().join(BASELINE)).expect("it was recorded");
    repository.write(BASELINE, "[[finding]]\nrule = 1\n");
    repository.commit("main");
    repository.write(BASELINE, &good);
    let run = repository.run(&["check", "--base", "main"]).ended(0);
    run.says(&[
        "warning: main:lifecycle-baseline.toml:",
        "the baseline of the base suppresses nothing",
    ]);
}

#[test]
fn a_change_does_not_suppress_its_own_findings_in_crds() {
    let crd = |kind: &str| {
        let lower = kind.to_lowercase();
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{ name: {lower}s.example.com }}\n\
             spec:\n  group: example.com\n  scope: Namespaced\n  names: {{ kind: {kind}, plural: {lower}s }}\n  versions:\n  \
             - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          spec:\n            type: object\n            properties:\n              \
             share: {{ type: number }}\n"
        )
    };
    let repository = Repository::committed(&[("crd/widgets.yaml", &crd("Widget"))]);
    let lint = ["lint", "crd", "--fail-on", "warning"];
    let on_base = [&lint[..], &["--base", "main"]].concat();
    repository.run(&lint).ended(1);
    repository.run(&[&lint[..], &["--write-baseline"]].concat()).ended(0);
    repository.run(&on_base).ended(0);
    repository.commit("main");
    repository.write("crd/gadgets.yaml", &crd("Gadget"));
    repository.run(&[&lint[..], &["--write-baseline"]].concat()).ended(0);
    repository.run(&lint).ended(0);
    repository
        .run(&on_base)
        .ended(1)
        .says(&["error[baseline: added]", "example.com/v1 Gadget"]);
}

#[test]
fn the_action_reports_a_change_that_suppresses_its_own_findings() {
    if !bash() {
        return;
    }
    let text = format!("{MODEL}{}", early("old", "1.3", "1.4"));
    let runner = Runner::new(&[("lifecycle.toml", &text), ("before/lifecycle.toml", &text)]);
    run(&runner, "before", &["check", "--write-baseline"]).ended(0);
    run(&runner, "", &["check", "--write-baseline"]).ended(0);
    let base = ("INPUT_BASE", "./before");
    runner.step(&[base]).ended(0, "0");
    let more = format!("{text}{}", early("new", "1.4", "1.5"));
    write(&runner.folder, "work space/lifecycle.toml", more.as_bytes());
    run(&runner, "", &["check", "--write-baseline"]).ended(0);
    let step = runner.step(&[base]).ended(1, "2");
    assert!(
        step.commands()
            .iter()
            .any(|line| line.contains("file=lifecycle-baseline.toml")),
        "{}",
        step.out
    );
    let known = ("INPUT_ARGS", "--baseline=lifecycle-baseline.toml");
    runner.step(&[base, known]).ended(1, "2");
}

/// A file name that would begin a line with a command of the runner, color the terminal, and turn the text after it.
const NAME: &str = "X\n::error::forged\u{1b}[31m\u{202e}`|<b>";

/// The name as it is shown.
const SHOWN: &str = "X\\n::error::forged\\u{1b}[31m\\u{202e}`|<b>";

fn badly_named() -> Vec<(String, String)> {
    let of = |folder: &str, extension: &str| format!("{folder}{NAME}.{extension}");
    let crd = CRD.replace("versions: [", "versions: [{ name: v0, served: true, storage: false }, ");
    let list = "deprecated-versions:\n- {version: apps/v1beta1, kind: Deployment, deprecated-in: v1.9.0, removed-in: v1.16.0, \
                replacement-api: apps/v1, component: k8s}\n";
    let head = "include = [\"parts/*.toml\"]\nschemas = [\"crd\"]\n";
    let files = [
        ("lifecycle.toml".to_owned(), format!("{head}{MODEL}")),
        (of("parts/", "toml"), FIXABLE.to_owned()),
        (of("crd/", "yaml"), crd.clone()),
        (of("newer/", "yaml"), crd.replace("v0", "v2")),
        (of("", "toml"), format!("{MODEL}{FIXABLE}")),
        (of("broken/", "toml"), format!("x = = 1\n{MODEL}")),
        (of("broken/", "yaml"), "a: [\n".to_owned()),
        (of("base/", "toml"), MODEL.to_owned()),
        (of("templates/", "md"), "{% for x in".to_owned()),
        (of("lists/", "yaml"), list.to_owned()),
    ];
    files.into_iter().collect()
}

#[test]
fn a_file_name_breaks_no_line() {
    let files = badly_named();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let folder = folder(&files);
    symlink("none", folder.path().join(format!("parts/Broken{NAME}.toml"))).expect("a link can be made");
    let named = |before: &str, extension: &str| format!("{before}{NAME}.{extension}");
    let (model, broken, base) = (named("", "toml"), named("broken/", "toml"), named("base/", "toml"));
    let (list, template, crd) = (
        named("lists/", "yaml"),
        named("templates/", "md"),
        named("crd/", "yaml"),
    );
    let unreadable = named("broken/", "yaml");
    let output = format!("json=no/{NAME}");
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["fix"],
        vec!["fix", &model],
        vec!["plan", "-v", &model],
        vec!["plan", &broken],
        vec!["lint", "broken"],
        vec!["diff", "broken", "crd"],
        vec!["notes", "--release", "1.4", "--templates", "templates"],
        vec!["notes", "--release", "1.4", "--template", &template],
        vec!["notes", "--release", "1.4", "--check", &model],
        vec!["import", "pluto", &list],
        vec!["import", "pluto", &unreadable],
        vec!["import", "crds", "--release", "1.0", &crd],
        vec!["import", "crds", "--release", "1.0", "broken"],
        vec!["compare", &model, &list],
        vec!["compare", "--format", "markdown", "lifecycle.toml", &model],
        vec!["propose", "gate", "New", "-m", &model],
        vec!["rules", &model],
        vec!["exceptions", &model],
        vec!["check", "-o", &output],
        vec!["check", "--policy", &broken],
        vec!["check", "--baseline", &model],
        vec!["check", "--base", NAME],
        vec!["check", "--allow-folder", NAME],
        vec!["diff", NAME, "crd"],
        vec!["explain", NAME],
        vec![NAME],
    ];
    for format in REPORT_FORMATS {
        let of = |arguments: &[&'static str]| [arguments, &["--format", format.name]].concat();
        commands.extend([of(&["check"]), of(&["lint", "crd"]), of(&["diff", "crd", "newer"])]);
        commands.push([&of(&["check"])[..], &[&model]].concat());
        commands.push([&of(&["check"])[..], &[&broken]].concat());
        commands.push([&of(&["check"])[..], &["--base", &base, &model]].concat());
    }
    for arguments in commands {
        let run = run_in(&folder, &arguments);
        assert!(!run.all().contains("panicked"), "{arguments:?}");
        let data = ["json", "sarif"].iter().any(|format| arguments.contains(format));
        for line in run.all().split(['\n', '\r']) {
            assert!(!line.starts_with("::error::forged"), "{arguments:?}: {}", run.all());
            assert!(data || !line.contains(['\u{1b}', '\u{202e}']), "{arguments:?}: {line}");
        }
    }
    let table = run_in(&folder, &["check"]).ended(1);
    let (place, skipped) = (
        format!("parts/{SHOWN}.toml:7:14"),
        format!("skipped parts/Broken{SHOWN}.toml: broken link"),
    );
    table.says(&[&place, &skipped]);
    let sarif = run_in(&folder, &["check", "--format", "sarif"]).ended(1);
    sarif.says(&["parts/X%0A%3A%3Aerror%3A%3Aforged%1B%5B31m%E2%80%AE%60%7C%3Cb%3E.toml"]);
    let junit = run_in(&folder, &["check", "--format", "junit"]).ended(1);
    roxmltree::Document::parse(&junit.out).expect("JUnit is XML");
    junit.says(&["file=\"parts/X\\n::error::forged"]);
    run_in(&folder, &["check", "--format", "github"])
        .ended(1)
        .says(&["file=parts/X%0A%3A%3Aerror%3A%3Aforged"]);
    let header = "--- \"a/parts/X\\012::error::forged\\033[31m\\342\\200\\256`|<b>.toml\"\n";
    run_in(&folder, &["fix"]).ended(1).says(&[header]);
}

#[test]
fn the_action_takes_no_file_name_for_a_command() {
    if !bash() {
        return;
    }
    let files = badly_named();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let runner = Runner::new(&files);
    let model = format!("{NAME}.toml");
    for inputs in [
        &[][..],
        &[("INPUT_MODEL", model.as_str())],
        &[("INPUT_ANNOTATIONS", "false")],
    ] {
        let step = runner.step(inputs);
        assert_eq!(step.code, Some(1), "{}{}", step.out, step.err);
        assert!(
            step.commands().iter().all(|line| !line.starts_with("::error::forged")),
            "{}",
            step.out
        );
        assert!(!step.summary.contains("\n::error::forged"), "{}", step.summary);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_name_that_is_not_utf8_is_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let head = "include = [\"parts/*.toml\", \"**/deep.toml\"]\nschemas = [\"crd\"]\n";
    let repository = Repository::committed(&[
        ("lifecycle.toml", &format!("{head}{MODEL}")),
        ("parts/part.toml", &behavior("a")),
        ("more/deep.toml", &behavior("b")),
        ("crd/widgets.yaml", CRD),
        ("templates/own.md", "own text"),
        ("days.csv", "1.5,2024-09-01\n"),
    ]);
    let bad = |folder: &str, extension: &[u8]| {
        let name = [b"w\xff", extension].concat();
        repository.path().join(folder).join(OsStr::from_bytes(&name))
    };
    for (path, from) in [
        (bad("parts", b".toml"), "parts/part.toml"),
        (bad("crd", b".yaml"), "crd/widgets.yaml"),
        (bad("templates", b".md"), "templates/own.md"),
    ] {
        std::fs::copy(repository.path().join(from), path).expect("the file can be written");
    }
    std::fs::create_dir(bad("more", b"")).expect("the folder can be made");
    std::fs::create_dir(bad("crd", b"")).expect("the folder can be made");
    let reason = "w\u{fffd}.yaml: its name is not UTF-8";
    let skipped = [
        "skipped parts/w\u{fffd}.toml: its name is not UTF-8",
        "skipped more/w\u{fffd}: its name is not UTF-8",
    ];
    let run = repository.run(&["check"]);
    run.says(&skipped).says(&[
        &format!("skipped crd/{reason}"),
        "skipped crd/w\u{fffd}: its name is not UTF-8",
    ]);
    repository
        .run(&["import", "calendar", "days.csv", "--update", "lifecycle.toml"])
        .says(&skipped);
    for arguments in [
        &["lint", "crd"][..],
        &["diff", "crd", "crd"],
        &["import", "crds", "--release", "1.0", "crd"],
    ] {
        repository
            .run(arguments)
            .ended(0)
            .says(&[&format!("skipped crd/{reason}")]);
    }
    let notes = [
        "notes",
        "--release",
        "1.4",
        "--templates",
        "templates",
        "--template",
        "own",
    ];
    repository
        .run(&notes)
        .ended(0)
        .says(&["skipped templates/w\u{fffd}.md: its name is not UTF-8"]);
    repository.commit("main");
    let committed = format!("skipped main:crd/{reason}");
    repository.run(&["diff", "main", "crd"]).ended(0).says(&[&committed]);
    repository
        .run(&["lint", "crd", "--base", "main"])
        .ended(0)
        .says(&[&committed]);
    let run = repository.run(&["check", "--base", "main"]);
    run.says(&[&committed, "skipped main:parts/w\u{fffd}.toml: its name is not UTF-8"]);
}
