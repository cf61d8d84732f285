//! Completions, manual pages, and what a release is made of.

#![cfg(test)]

use crate::program::{finish, folder, program, run_in};

const MODEL: &str = concat!(
    calendar!(current "1.3", to "1.4"),
    "[group.\"widgets.example.com\".version]\nv1 = { introduced = \"1.1\" }\n"
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
    assert_eq!(offered(&["why", "widg"]), "widgets.example.com/v1");
    assert_eq!(offered(&["notes", "--release", "1.4"]), "1.4");
    assert_eq!(offered(&["plan", "--element", "widg"]), "widgets.example.com/v1");
    assert_eq!(offered(&["plan", "--in", "1.4"]), "1.4");
    assert_eq!(offered(&["why", "gone"]), "");
}

#[test]
fn each_shell_gets_a_script_that_asks_the_program() {
    let here = folder(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run_in(&here, &["completions", shell]).ended(0).out;
        assert!(script.contains("COMPLETE") && script.contains("lifecycle"), "{script}");
    }
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
