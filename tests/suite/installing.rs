//! Completions, manual pages, and what a release is made of.

#![cfg(test)]

use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{finish, folder, program, run_in};

const MODEL: &str = concat!(
    calendar!(current "1.3", to "1.4"),
    "[group.\"widgets.example.com\".version]\nv1 = { introduced = \"1.1\" }\n",
    "[group.\"widgets.example.com\".kind.Widget.enum.\"spec.mode\".Slow]\nin.v1 = { introduced = \"1.2\" }\n",
    "[gate.Fast]\nspecs = [{ stage = \"alpha\", since = \"1.1\", default = false }]\n"
);

/// What a shell would offer after these words, of which the last is being typed.
fn offered(words: &[&str]) -> String {
    let here = folder(&[("lifecycle.toml", MODEL)]);
    let mut command = program(here.path(), &[&["--", "lifecycle"], words].concat());
    command
        .env("COMPLETE", "bash")
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_COMPLETE_SPACE", "true")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    finish(command, b"").out
}

#[test]
fn commands_elements_and_releases_are_completed() {
    assert_eq!(offered(&["prop"]), "propose");
    assert_eq!(
        offered(&["why", "widg"]).lines().collect::<Vec<_>>(),
        [
            "widgets.example.com/v1",
            "widgets.example.com/v1\\ Widget",
            "widgets.example.com/v1\\ Widget\\ .spec.mode=Slow"
        ]
    );
    assert_eq!(offered(&["notes", "--release", "1.4"]), "1.4");
    assert_eq!(offered(&["plan", "--element", "gat"]), "gate\\ Fast");
    assert_eq!(offered(&["plan", "--in", "1.4"]), "1.4");
    assert_eq!(offered(&["why", "gone"]), "");
}

/// What bash replaces the word at the cursor by: the words as bash splits them, the last one as it is passed on.
fn replied(words: &[&str], at_cursor: &str) -> String {
    let here = folder(&[("lifecycle.toml", MODEL)]);
    let script = run_in(&here, &["completions", "bash"]).ended(0).out;
    let asked = program(here.path(), &[]);
    let built = Path::new(asked.get_program());
    let folder = built.parent().and_then(Path::to_str).unwrap_or_default();
    let mut bash = Command::new("bash");
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    bash.current_dir(here.path()).arg("-c").arg(format!(
        "PATH='{folder}':$PATH\n{script}\nCOMP_WORDS=(lifecycle {})\nCOMP_CWORD={}\n_lifecycle_joined lifecycle '{at_cursor}' ''\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len(),
    ));
    bash.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(bash, b"").out.trim_end().to_owned()
}

/// bash splits words at `=` and `@`, and replaces only what follows.
#[test]
fn bash_completes_ids_that_it_splits() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: bash is not installed");
        return;
    }
    assert_eq!(replied(&["why", "gate"], "gate"), "gate\\ Fast");
    let value = ["why", "widgets.example.com/v1\\ Widget\\ .spec.mode"];
    assert_eq!(replied(&[&value[..], &["=", ""]].concat(), ""), "Slow");
    assert_eq!(replied(&[&value[..], &["=", "Sl"]].concat(), "Sl"), "Slow");
    assert_eq!(replied(&["plan", "--element", "=", "gat"], "gat"), "gate\\ Fast");
    assert_eq!(
        replied(&["check", "--remove", "gate\\ Fast", "@", "1.4"], "@1.4"),
        "@1.4"
    );
    assert_eq!(replied(&["plan", "-m", "lifecy"], "lifecy"), "lifecycle.toml");
    assert_eq!(replied(&["plan", "--in", "1.3..1.4"], "1.3..1.4"), "1.3..1.4");
    assert_eq!(
        replied(&["why", "--builtin", "kubernetes", "apps/v1beta1"], "apps/v1beta1")
            .lines()
            .next(),
        Some("apps/v1beta1")
    );
}

#[test]
fn each_shell_gets_a_script_that_asks_the_program() {
    let here = folder(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run_in(&here, &["completions", shell]).ended(0).out;
        assert!(script.contains("COMPLETE") && script.contains("lifecycle"), "{script}");
    }
    let zsh = run_in(&here, &["completions", "zsh"]).ended(0).out;
    assert!(zsh.starts_with("#compdef lifecycle\n"), "{zsh}");
    assert!(zsh.contains("function _clap_dynamic_completer_lifecycle()"), "{zsh}");
    run_in(&here, &["completions", "cmd"]).ended(2).says(&["bash", "zsh"]);
}

#[test]
fn each_command_has_a_manual_page() {
    let here = folder(&[("man/.keep", "")]);
    run_in(&here, &["manual", "man"]).ended(0).says(&["pages in man"]);
    for page in ["lifecycle.1", "lifecycle-check.1", "lifecycle-import-crds.1"] {
        let path = here.path().join("man").join(page);
        assert!(path.metadata().is_ok_and(|page| page.len() > 500), "{page}");
    }
    run_in(&here, &["manual", "nowhere"])
        .ended(2)
        .says(&["this is not a folder"]);
}

/// What is published for a tag, where the action looks for it, and `cargo binstall` once it knows the address.
#[test]
fn the_archives_are_named_alike_wherever_they_are_named() {
    let files = [
        (include_str!("../../.ci/package"), "name=lifecycle-$tag-$target"),
        (include_str!("../../action/run.sh"), "lifecycle-$tag-$target"),
        (
            include_str!("../../CONTRIBUTING.md"),
            "/v{ version }/lifecycle-v{ version }-{ target }.tar.gz",
        ),
    ];
    for (text, name) in files {
        assert!(text.contains(name), "{name}");
    }
    let workflow = include_str!("../../.github/workflows/release.yml");
    for target in [
        "x86_64-unknown-linux-musl",
        "aarch64-unknown-linux-musl",
        "x86_64-apple-darwin",
        "aarch64-apple-darwin",
    ] {
        assert!(workflow.contains(target), "{target}");
        assert!(include_str!("../../action/run.sh").contains(target), "{target}");
    }
    assert!(workflow.contains("bash .ci/package") && workflow.contains("x86_64-pc-windows-msvc"));
}
