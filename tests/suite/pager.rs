//! Long answers on a terminal go through the pager.

#![cfg(test)]
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use crate::program::Run;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_lifecycle");

/// Runs the program on a terminal, which `script` pretends to be. `None` if that is not installed.
fn on_terminal(arguments: &str, pager: Option<&str>) -> Option<Run> {
    let mut command = Command::new("script");
    command
        .args(["-qefc", &format!("'{EXECUTABLE}' {arguments}"), "/dev/null"])
        .env("COLUMNS", "100")
        .env("TERM", "xterm")
        .env_remove("LESS")
        .env_remove("NO_COLOR")
        .env_remove("PAGER")
        .stdin(Stdio::null());
    if let Some(pager) = pager {
        command.env("PAGER", pager);
    }
    match command.output() {
        Ok(output) => Some(Run {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }),
        Err(_) => {
            eprintln!("skipped: `script` is not installed");
            None
        }
    }
}

const PLAN: &str = "plan --builtin kubernetes";

#[test]
fn a_pager_gets_the_answer_and_messages_follow_it() {
    let Some(run) = on_terminal(PLAN, Some("head -n 2")) else {
        return;
    };
    let run = run.ended(0);
    assert!(run.out.starts_with("Current release: 1.36"), "{}", run.out);
    assert!(
        !run.out.contains("What is left to do"),
        "the pager has closed: {}",
        run.out
    );
    assert!(
        run.out
            .trim_end()
            .ends_with("run `lifecycle check --builtin kubernetes` for details"),
        "{}",
        run.out
    );
}

#[test]
fn the_exit_code_is_that_of_the_command() {
    if let Some(run) = on_terminal("check --builtin kubernetes", Some("head -n 2")) {
        run.ended(1);
    }
}

#[test]
fn without_a_pager_the_answer_goes_to_the_terminal() {
    for (arguments, pager) in [
        (PLAN, Some("no-such-pager")),
        (PLAN, Some("cat")),
        (PLAN, Some("")),
        ("plan --no-pager --builtin kubernetes", Some("head -n 2")),
    ] {
        let Some(run) = on_terminal(arguments, pager) else {
            return;
        };
        let run = run.ended(0);
        assert!(run.out.contains("What is left to do"), "{pager:?}: {}", run.out);
    }
}

#[test]
fn states_have_colors_on_a_terminal_unless_they_are_turned_off() {
    for (arguments, colored) in [("--state overdue", true), ("--state overdue --color never", false)] {
        let Some(run) = on_terminal(&format!("{PLAN} {arguments}"), Some("cat")) else {
            return;
        };
        assert_eq!(run.out.contains("\u{1b}[31m"), colored, "{}", run.out);
    }
}
