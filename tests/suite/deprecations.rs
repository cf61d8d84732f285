//! `propose deprecation`: a plan of its own, whether or not the removal is in sight.

#![cfg(test)]

use tempfile::TempDir;

use crate::program::{Run, folder, run_in};

/// A product with what can be deprecated, and what cannot.
const MODEL: &str = r#"[calendar]
current = "1.3"
cadence = { months = 4 }
[calendar.releases]
"1.0" = 2023-01-10
"1.1" = 2023-05-10
"1.2" = 2023-09-10
"1.3" = 2024-01-10
[group."example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", replacement = "v1" }
v1 = { introduced = "1.1" }
v2 = { introduced = "1.6" }
[group."example.com".kind.Widget]
[group."example.com".kind.Widget.annotation."example.com/size"]
introduced = "1.1"
[group."kept.example.com".version]
v1beta1 = { introduced = "1.3", deprecated = "never" }
v1 = { introduced = "1.3" }
[gate.Fast]
specs = [{ stage = "beta", since = "1.2", default = true }]
[metric.size_total]
specs = [{ stage = "ALPHA", since = "1.1" }]
help = "The size."
[behavior.back]
introduced = "1.0"
deprecated = "1.1"
undeprecated = "1.2"
[behavior.gone]
introduced = "1.0"
deprecated = "1.1"
removed = "1.3"
[cli.widgetctl]
audience = "user"
[cli.widgetctl.flag."--old"]
introduced = "1.0"
"#;

fn here() -> TempDir {
    folder(&[("lifecycle.toml", MODEL)])
}

fn proposed(here: &TempDir, arguments: &[&str]) -> Run {
    run_in(here, &[&["propose", "deprecation"], arguments].concat())
}

#[test]
fn a_deprecation_names_its_release_and_what_it_leads_to() {
    let here = here();
    proposed(&here, &["cli widgetctl --old"]).ended(0).says(&[
        "Deprecation of cli widgetctl --old",
        "Allowed: it introduces no new errors.",
        "it may be removed in 1.",
        "+deprecated = \"1.4\"",
    ]);
    proposed(&here, &["cli widgetctl --old@1.6"])
        .ended(0)
        .says(&["+deprecated = \"1.6\""]);
    proposed(&here, &["gate Fast", "--format", "toml"])
        .ended(0)
        .says(&["deprecated = \"1.4\""]);
    proposed(&here, &["metric size_total", "--format", "toml"])
        .ended(0)
        .says(&["deprecated = \"1.4\""]);
    proposed(&here, &["behavior back", "--format", "toml"])
        .ended(0)
        .says(&["deprecated = [\"1.1\", \"1.4\"]"]);
    proposed(
        &here,
        &["example.com/v1 Widget @example.com/size@1.5", "--format", "toml"],
    )
    .says(&["deprecated = \"1.5\""]);
}

#[test]
fn what_is_written_is_what_check_accepts() {
    let here = here();
    proposed(&here, &["cli widgetctl --old@1.5", "--write"]).ended(0);
    run_in(&here, &["check", "--base", "lifecycle.toml"]).silent_on(&["widgetctl --old is"]);
    run_in(&here, &["why", "cli widgetctl --old", "deprecated"])
        .ended(0)
        .says(&["1.5"]);
    proposed(&here, &["cli widgetctl --old"]).ended(2).says(&[
        "the model already declares that cli widgetctl --old is deprecated in 1.5",
        "propose removal",
    ]);
}

#[test]
fn what_cannot_be_deprecated_is_refused_with_the_reason() {
    let here = here();
    for (element, reason) in [
        ("example.com/v1beta1", "is already deprecated in 1.1"),
        ("behavior gone", "is already deprecated in 1.1"),
        ("kept.example.com/v1beta1", "never"),
        ("example.com/v3", "there is no element"),
        ("cli widgetctl --old@1.2", "1.2 has shipped"),
    ] {
        proposed(&here, &[element]).ended(2).says(&[reason, "help: "]);
    }
    proposed(&here, &["cli widgetctl --old@1.5", "--at", "deprecated=1.6"])
        .ended(2)
        .says(&["`deprecated` is set twice"]);
}
