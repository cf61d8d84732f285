//! Hostile texts for every importer: each ends in bounded time, with an error that names the file and the next step, or
//! with what could be read and a report of what was skipped.

#![cfg(test)]

use std::path::Path;

use tempfile::TempDir;

use crate::program::{Run, finish, program};

/// How deep hostile texts nest.
const DEEP: usize = 10_000;

/// A format with a text that is read whole.
struct Format {
    arguments: &'static [&'static str],
    syntax: Syntax,
    good: &'static str,
    /// The beginning of a text that is not ignored: a value follows.
    opens: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Syntax {
    Yaml,
    Json,
    Csv,
}

const CRDS: &[&str] = &["import", "crds", "--release", "1.0"];
const OPENAPI: &[&str] = &["import", "openapi", "--release", "1.0"];
const CALENDAR: &[&str] = &["import", "calendar"];

const FORMATS: [Format; 9] = [
    Format {
        arguments: CRDS,
        syntax: Syntax::Yaml,
        good: "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec:\n  group: example.com\n  names:\n    \
               kind: Bolt\n    plural: bolts\n  versions:\n  - name: v1\n    served: true\n    storage: true\n",
        opens: "kind: CustomResourceDefinition\nspec: ",
    },
    Format {
        arguments: CRDS,
        syntax: Syntax::Json,
        good: "{\"kind\": \"CustomResourceDefinition\",\n\"apiVersion\": \"apiextensions.k8s.io/v1\",\n\"spec\": {\"group\": \
               \"example.com\", \"names\": {\"kind\": \"Bolt\", \"plural\": \"bolts\"},\n\"versions\": [{\"name\": \"v1\", \
               \"served\": true, \"storage\": true}]}}\n",
        opens: "{\"kind\": \"CustomResourceDefinition\", \"spec\": ",
    },
    Format {
        arguments: OPENAPI,
        syntax: Syntax::Yaml,
        good: "openapi: 3.0.0\npaths:\n  /api/v1/bolts:\n    get:\n      x-kubernetes-group-version-kind:\n        group: ''\n        \
               version: v1\n        kind: Bolt\n",
        opens: "openapi: 3.0.0\ncomponents: ",
    },
    Format {
        arguments: OPENAPI,
        syntax: Syntax::Json,
        good: "{\"swagger\": \"2.0\",\n\"paths\": {\"/api/v1/bolts\": {\"get\": {\"x-kubernetes-group-version-kind\":\n{\"group\": \
               \"\", \"version\": \"v1\", \"kind\": \"Bolt\"}}}}}\n",
        opens: "{\"swagger\": \"2.0\", \"definitions\": ",
    },
    Format {
        arguments: &["import", "pluto"],
        syntax: Syntax::Yaml,
        good: "deprecated-versions:\n- version: example.com/v1\n  kind: Bolt\n  deprecated-in: v1.4.0\n  removed-in: v1.6.0\n",
        opens: "deprecated-versions: ",
    },
    Format {
        arguments: &["import", "kubepug"],
        syntax: Syntax::Json,
        good: "[{\"group\": \"example.com\", \"version\": \"v1\", \"kind\": \"Bolt\",\n\"introduced_version\": \
               {\"version_major\": 1, \"version_minor\": 2},\n\"deprecated_version\": {\"version_major\": 1, \"version_minor\": 4}}]\n",
        opens: "[",
    },
    Format {
        arguments: &["import", "feature-gates"],
        syntax: Syntax::Yaml,
        good: "- name: A\n  versionedSpecs:\n  - default: false\n    lockToDefault: false\n    preRelease: Alpha\n    version: \
               \"1.9\"\n",
        opens: "- name: ",
    },
    Format {
        arguments: CALENDAR,
        syntax: Syntax::Json,
        good: "[{\"cycle\": \"1.10\", \"releaseDate\": \"2020-09-01\"},\n{\"cycle\": \"1.9\", \"releaseDate\": \"2020-05-01\"}]\n",
        opens: "[",
    },
    Format {
        arguments: CALENDAR,
        syntax: Syntax::Csv,
        good: "1.9,2020-05-01\n1.10,2020-09-01\n",
        opens: "",
    },
];

/// Texts that are not of their format, each with what is wrong with it.
fn hostile(format: &Format) -> Vec<(&'static str, Vec<u8>)> {
    let Format { good, opens, .. } = format;
    let half = good.get(..good.len() * 2 / 3).unwrap_or(good);
    let nested = |open: &str| format!("{opens}{}", open.repeat(DEEP)).into_bytes();
    let mut texts = vec![
        ("empty", Vec::new()),
        ("white", b" \n\n".to_vec()),
        ("not-utf-8", [good.as_bytes(), b"\xff\xfe"].concat()),
        ("nul", good.replacen('1', "\0", 1).into_bytes()),
    ];
    match format.syntax {
        Syntax::Json => texts.extend([
            ("cut", half.as_bytes().to_vec()),
            ("deep-lists", nested("[")),
            ("deep-tables", nested("{\"properties\": {\"a\": ")),
        ]),
        Syntax::Yaml => {
            let block = (0..DEEP).map(|depth| format!("\n{}a:", " ".repeat(depth + 4)));
            let bomb = (1..30).fold("\n    a0: &a0 [x, x]".to_owned(), |text, level| {
                let inner = vec![format!("*a{}", level - 1); 10].join(", ");
                text + &format!("\n    a{level}: &a{level} [{inner}]")
            });
            let items = |item: &str| vec![item; DEEP].join(", ");
            let repeated = format!("\n    a: &a [{}]\n    b: [{}]", items("x"), items("*a"));
            texts.extend([
                ("malformed", format!("{opens}'a\n  b: ]\n").into_bytes()),
                ("deep-lists", nested("[")),
                ("deep-tables", nested("{a: ")),
                (
                    "deep-blocks",
                    format!("{opens}{}", block.collect::<String>()).into_bytes(),
                ),
                ("bomb", format!("{opens}{bomb}\n").into_bytes()),
                ("repeated", format!("{opens}{repeated}\n").into_bytes()),
            ]);
        }
        Syntax::Csv => texts.extend([
            ("cut", b"1.9,\"2020-05".to_vec()),
            ("wide", ",".repeat(DEEP * 100).into_bytes()),
        ]),
    }
    texts
}

impl Format {
    fn ending(&self) -> &'static str {
        match self.syntax {
            Syntax::Yaml => "yaml",
            Syntax::Json => "json",
            Syntax::Csv => "csv",
        }
    }

    #[expect(clippy::disallowed_methods, reason = "files of the test")]
    fn import(&self, folder: &Path, name: &str, content: &[u8]) -> Run {
        std::fs::write(folder.join(name), content).expect("the file can be written");
        self.run(folder, name)
    }

    fn run(&self, folder: &Path, name: &str) -> Run {
        finish(program(folder, &[self.arguments, &[name]].concat()), b"")
    }
}

/// Importers whose hostile texts are tested with the rest of their format, in functions whose names begin with
/// `hostile_`.
const ELSEWHERE: [(&str, &str); 3] = [
    ("markers", include_str!("imports_markers.rs")),
    ("kubernetes-api", include_str!("imports_api.rs")),
    ("metrics", include_str!("imports_metrics.rs")),
];

/// The transcripts of the program, one after the other.
#[expect(clippy::disallowed_methods, reason = "transcripts are files next to the tests")]
fn transcripts() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let paths = files.map(|file| file.expect("the file is there").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "trycmd"));
    paths
        .map(|path| std::fs::read_to_string(path).expect("the transcript can be read"))
        .collect()
}

#[test]
fn every_importer_is_tested_with_hostile_texts_and_documented() {
    let folder = TempDir::new().expect("a folder");
    let help = finish(program(folder.path(), &["import", "--help"]), b"").ended(0).out;
    let (_, commands) = help.split_once("Commands:\n").expect("a list of commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"crds"), "{help}");
    let readme = include_str!("../../README.md");
    let changelog = include_str!("../../CHANGELOG.md");
    let transcripts = transcripts();
    for name in names.into_iter().filter(|name| *name != "help") {
        let is_tested = FORMATS.iter().any(|format| format.arguments.contains(&name));
        let mut elsewhere = ELSEWHERE.iter().filter(|(importer, _)| *importer == name);
        let is_tested = is_tested || elsewhere.any(|(_, tests)| tests.contains("#[test]\nfn hostile_"));
        assert!(is_tested, "no hostile texts for {name}");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in README.md");
        assert!(
            changelog.contains(&format!("`import {name}`")),
            "{name} is not in CHANGELOG.md"
        );
        let shown = format!("$ lifecycle import {name} ");
        assert!(
            transcripts.contains(&shown),
            "no transcript in tests/cli has `{shown}…`"
        );
    }
}

#[test]
fn a_text_that_is_not_of_its_format_is_refused_or_reported() {
    let folder = TempDir::new().expect("a folder");
    for format in &FORMATS {
        for (what, content) in hostile(format) {
            let name = format!("{what}.{}", format.ending());
            let run = format.import(folder.path(), &name, &content);
            assert!(!run.err.contains("panicked"), "{}", run.err);
            assert!(run.err.contains(&name), "{:?} {name}: {}", format.arguments, run.err);
            if matches!(run.code, Some(0 | 1)) {
                // A list is imported as far as it can be read; exit code 1 means that something was skipped.
                let is_reported = run.err.contains(&format!("skipped {name}:"));
                assert!(is_reported, "{:?} {name}: {}", format.arguments, run.err);
            } else {
                let run = run.ended(2).says(&["error: ", "help: "]);
                assert_eq!(run.out, "", "{:?} {name}", format.arguments);
            }
        }
    }
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = TempDir::new().expect("a folder");
    for format in &FORMATS {
        let name = format!("large.{}", format.ending());
        let large = std::fs::File::create(folder.path().join(&name)).expect("the file can be made");
        large.set_len(200 << 20).expect("the file can be large");
        let expected = format!("{name} is larger than ");
        let run = format.run(folder.path(), &name).ended(2);
        assert_eq!(run.says(&[&expected, " MiB", "help: "]).out, "");
    }
}

#[test]
fn marks_of_byte_order_and_line_ends_change_nothing() {
    let folder = TempDir::new().expect("a folder");
    for format in &FORMATS {
        let name = format!("good.{}", format.ending());
        let import = |text: &str| format.import(folder.path(), &name, text.as_bytes()).ended(0).out;
        let plain = import(format.good);
        assert!(plain.contains("[calendar"), "{plain}");
        let windows = format.good.replace('\n', "\r\n");
        assert_eq!(import(&windows), plain, "{:?} {name}", format.arguments);
        assert_eq!(
            import(&format!("\u{feff}{}", format.good)),
            plain,
            "{:?} {name}",
            format.arguments
        );
    }
}
