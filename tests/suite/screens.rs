//! What people see in a terminal: no line is wider than it, and a question about a large model fits a screen.

use std::path::Path;

use crate::program::{finish, program};

const KUBERNETES: [&str; 2] = ["--builtin", "kubernetes"];

/// A product that is no API of Kubernetes.
const PRODUCT: [&str; 2] = ["--model", "examples/product/lifecycle.toml"];

/// What a command prints at a width.
fn screen(command: &str, model: &[&str], width: usize) -> Vec<String> {
    let arguments: Vec<&str> = words(command).chain(model.iter().copied()).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut run = program(root, &arguments);
    run.env("COLUMNS", width.to_string());
    let run = finish(run, b"");
    assert!(matches!(run.code, Some(0 | 1)), "{command}: {}", run.err);
    assert!(!run.out.is_empty(), "{command}");
    run.out.lines().map(str::to_owned).collect()
}

/// The words of a command; quotes keep those of an id together.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let parts = command.split('"').enumerate();
    parts.flat_map(|(at, part)| {
        let quoted = (at % 2 == 1).then_some(part);
        let others = part.split_whitespace().filter(move |_| at % 2 == 0);
        quoted.into_iter().chain(others)
    })
}

/// Whether a line fits. What has no blank, such as a name or an address, cannot be broken, nor can the value of an
/// option that a shell reads as one word, and the label of a mark below a line of source stays beside it.
fn fits(line: &str, width: usize) -> bool {
    let words = line.trim();
    line.chars().count() <= width || !words.contains(' ') || is_one_option(words) || words.starts_with('|')
}

/// Whether a line of a command is nothing but the value of an option, or an option with its value.
fn is_one_option(line: &str) -> bool {
    let option = line.strip_suffix(" \\").unwrap_or(line);
    let value = option.strip_prefix("--set ").unwrap_or(option);
    let value = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    value.is_some_and(|value| !value.contains('\''))
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let of_both = [
        "agenda",
        "agenda --all",
        "check",
        "check --all",
        "check --statistics",
        "check --verbose",
        "plan",
        "plan --all",
        "plan --in next",
        "plan --state open",
        "report",
        "report --all",
        "rules",
        "exceptions",
        "what-if --slip 3.3=+6w",
        "what-if --slip 3.3=+6w --all",
        "why * --state deprecated",
        "why * --state deprecated --all",
    ];
    let of_kubernetes = [
        "what-if --policy semver-major",
        "what-if --policy semver-major --all",
        "by-when beta.removed<=1.30",
        "by-when core.removed<=1.30",
        "by-when beta.removed<=1.39",
        "by-when beta.removed<=1.42",
    ];
    let product = of_both.iter().map(|command| (*command, &PRODUCT));
    // 3.3 is no release of Kubernetes.
    let kubernetes = of_both.iter().filter(|command| !command.contains("3.3"));
    let kubernetes = kubernetes.chain(&of_kubernetes).map(|command| (*command, &KUBERNETES));
    let others = [
        "compare tests/cli/base.toml tests/cli/lists/products.yaml",
        "exceptions tests/cli/grants.toml",
        "scan tests/cli/manifests --builtin kubernetes --to 1.37",
        "check tests/cli/grants.toml --remove example.com/v1@1.6",
        "propose field \"example.com/v1beta1 Widget .spec.glow\" -m tests/cli/propose.toml --from 1.5",
        "diff tests/cli/diff/old tests/cli/diff/new",
        "scan tests/cli/manifests --builtin kubernetes --to 1.37 --summary",
    ];
    let others = others.into_iter().map(|command| (command, [].as_slice()));
    let all = product
        .chain(kubernetes)
        .map(|(command, model)| (command, model.as_slice()));
    let mut wide = Vec::new();
    for (command, model) in all.chain(others) {
        for width in [80, 100] {
            let lines = screen(command, model, width);
            let lines = lines.into_iter().filter(|line| !fits(line, width));
            wide.extend(lines.map(|line| format!("{command} {} at {width}: {line}", model.join(" "))));
        }
    }
    assert!(wide.is_empty(), "{} lines:\n{}", wide.len(), wide.join("\n"));
}

#[test]
fn questions_about_a_large_model_fit_a_screen() {
    for (command, width, most) in [
        ("plan", 100, 150),
        ("plan --in 1.37", 100, 60),
        ("plan --in 1.37", 80, 60),
        ("agenda --release 1.37", 100, 120),
        ("check", 100, 50),
        ("why apps/v1beta1", 100, 50),
        ("why core/v1", 100, 50),
        ("why apps/v1beta1", 80, 50),
        ("what-if --slip 1.38=+3w", 100, 20),
        ("what-if --policy semver-major", 100, 220),
    ] {
        let lines = screen(command, &KUBERNETES, width);
        assert!(
            lines.len() <= most,
            "{command} at {width}: {}\n{}",
            lines.len(),
            lines.join("\n")
        );
    }
}

/// What a release lead, whoever runs a check in CI, and a reviewer of APIs ask beside the questions of the tutorial.
#[test]
fn other_questions_are_answered_on_a_screen() {
    for command in [
        "plan --in 1.38",
        "plan --in current",
        "plan --in 1.33..1.36 --kind api-version",
        "plan --element \"batch/v1beta1 CronJob\"",
        "plan --kind CronJob",
        "plan --kind metric --state deprecated",
        "check --statistics",
        "check --group batch",
        "check --remove \"apps/v1 Deployment@1.38\"",
        "why batch/v1beta1 deprecated",
        "why \"gate WinDSR\"",
    ] {
        let lines = screen(command, &KUBERNETES, 100);
        assert!(lines.len() <= 40, "{command}: {}\n{}", lines.len(), lines.join("\n"));
    }
}

const TUTORIAL: &str = include_str!("../../docs/tutorial.md");

#[test]
fn the_questions_of_the_tutorial_are_answered_on_a_screen() {
    let rows = TUTORIAL
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once("? | `lifecycle "));
    let questions: Vec<(&str, &str)> = rows.collect();
    assert_eq!(questions.len(), 10);
    for (question, command) in questions {
        let command = command.split('`').next().unwrap_or_default();
        let lines = screen(command, &[], 100);
        assert!(lines.len() <= 50, "{question}: {}\n{}", lines.len(), lines.join("\n"));
    }
}

#[test]
fn each_step_of_the_tutorial_fits_a_screen() {
    let page = TUTORIAL;
    let steps: Vec<&str> = page.split("```console\n").skip(1).collect();
    assert!(steps.len() > 12, "{}", steps.len());
    for step in steps {
        let shown = step.split("```").next().unwrap_or_default();
        let answer = shown.lines().filter(|line| !line.starts_with(['$', '?']));
        assert!(answer.count() <= 40, "{shown}");
    }
}
