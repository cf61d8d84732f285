//! What ARCHITECTURE.md says, held against the code: who imports whom, which crate is named where, and how long
//! functions and files are.

#![cfg(test)]

mod fence;
mod paths;
mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lifecycle::policy::BUILT_IN;
use lifecycle::rules::RULES;

use fence::{both_ways, levels, permissions, rings, unlawful_crates, upward};
use paths::Crate;
use source::{functions, named_closures, tokens, without_tests};

/// Folders whose own file both uses the files in them and is used by them. None is to be added.
const BOTH_WAYS: &[&str] = &[
    "answer",
    "answer::notes",
    "compat",
    "document",
    "import::deprecation_lists",
    "import::kinds",
    "import::metrics",
    "import::update",
    "lint",
    "model::read",
    "propose",
    "rules",
    "rules::gate_lifetime",
    "schema::compare",
    "schema::manifest",
];

const LONGEST_FUNCTION: usize = 60;
const LONGEST_FILE: usize = 400;
const WIDEST_COMMENT: usize = 120;

const ARCHITECTURE: &str = include_str!("../../ARCHITECTURE.md");

#[expect(clippy::disallowed_methods, reason = "the test reads the sources it is about")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The sources below a folder of the package: the path of each below it, and its text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    files_below(&root, &mut files);
    files.sort();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let named = files.iter().map(|path| {
        let within = path.strip_prefix(&root).expect("the file is below the root");
        (within.to_string_lossy().replace('\\', "/"), read(path))
    });
    named.collect()
}

/// The library's sources; files of tests alone are none.
fn library() -> Vec<(String, String)> {
    let mut files = sources("src");
    files.retain(|(path, _)| !path.starts_with("bin/") && !path.starts_with("tests"));
    files
}

fn program() -> Vec<(String, String)> {
    sources("src/bin/lifecycle")
}

fn crate_of(files: &[(String, String)]) -> Crate {
    let others = permissions(ARCHITECTURE).into_keys().collect();
    Crate::of(files.iter().map(|(path, text)| (path.as_str(), text.as_str())), &others)
}

#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_module_imports_only_from_levels_below() {
    for (files, heading) in [(library(), "## The library"), (program(), "## The program")] {
        assert_none(&upward(&crate_of(&files), &levels(ARCHITECTURE, heading)));
    }
}

#[test]
fn files_of_a_folder_form_no_ring() {
    for files in [library(), program()] {
        assert_eq!(rings(&crate_of(&files)), []);
    }
}

#[test]
fn a_folder_uses_its_files_or_they_use_it() {
    let folders = [library(), program()]
        .iter()
        .flat_map(|files| both_ways(&crate_of(files)))
        .collect::<Vec<_>>();
    assert_eq!(folders, BOTH_WAYS);
}

#[test]
fn a_crate_is_named_where_the_table_says_and_nowhere_else() {
    assert_none(&unlawful_crates(
        &crate_of(&library()),
        &crate_of(&program()),
        &permissions(ARCHITECTURE),
    ));
}

#[test]
fn the_table_of_crates_lists_every_dependency() {
    let manifest = include_str!("../../Cargo.toml");
    let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
    let dependencies = manifest["dependencies"].as_table().expect("dependencies are a table");
    let dependencies: BTreeSet<String> = dependencies.keys().map(|name| name.replace('-', "_")).collect();
    let listed: BTreeSet<String> = permissions(ARCHITECTURE).into_keys().collect();
    assert_eq!(listed, dependencies);
}

#[test]
fn every_rule_has_its_file_its_page_and_its_place_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let stems = |extension: &str| -> BTreeSet<String> {
        files
            .iter()
            .filter(|path| path.parent() == Some(&folder))
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .filter_map(|path| path.file_stem()?.to_str())
            .map(|stem| stem.replace('_', "-"))
            .filter(|stem| stem != "mod")
            .collect()
    };
    let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.slug.to_owned()).collect();
    assert_eq!(stems("rs"), listed);
    assert_eq!(stems("md"), listed);
}

#[test]
fn every_rule_is_in_a_built_in_policy_and_each_of_its_findings_is_graded() {
    // A policy of lifetimes alone grades nothing: its findings have the severities of the page `windows`.
    let of_lifetimes = [
        "early",
        "overdue",
        "wrong-release",
        "step-missing",
        "sooner-than-preferred",
    ];
    for rule in RULES {
        let policies = BUILT_IN.iter().filter_map(|built_in| {
            let policy = lifecycle::evaluate::builtin_policy(built_in.name)?;
            policy.rules.get(rule.slug).cloned()
        });
        let laws: Vec<_> = policies.collect();
        assert!(!laws.is_empty(), "{} is in no policy", rule.slug);
        for law in laws {
            for code in rule.codes {
                let is_graded = law.severity.contains_key(*code);
                assert!(
                    is_graded || of_lifetimes.contains(code) || law.severity.is_empty(),
                    "{}: {code} has no severity",
                    rule.slug
                );
            }
        }
    }
}

#[test]
fn every_file_of_tests_is_compiled() {
    for (folder, root) in [("tests/suite", "main.rs"), ("src/tests", "mod.rs")] {
        let files = sources(folder);
        let (_, text) = files.iter().find(|(path, _)| path == root).expect("the root is there");
        let declared = tokens(text);
        let declared = declared
            .windows(3)
            .filter(|three| three[0].text == "mod" && three[2].text == ";");
        let declared: BTreeSet<&str> = declared.map(|three| three[1].text).collect();
        let stems = files.iter().filter_map(|(path, _)| path.strip_suffix(".rs"));
        let missing = stems.filter(|stem| !stem.contains('/') && *stem != root.trim_end_matches(".rs"));
        let missing = missing.filter(|stem| !declared.contains(stem));
        let missing: Vec<String> = missing
            .map(|stem| format!("{folder}/{root} lacks `mod {stem};`"))
            .collect();
        assert_none(&missing);
    }
}

#[test]
fn functions_files_and_comments_are_of_a_size_to_be_read() {
    let files: Vec<_> = library().into_iter().chain(program()).collect();
    assert!(files.len() > 200, "{}", files.len());
    let mut wrong = Vec::new();
    for (path, text) in &files {
        let all = tokens(text);
        let code = without_tests(&all);
        let lines: BTreeSet<usize> = code.iter().map(|token| token.line).collect();
        let tests = all.iter().filter(|token| !lines.contains(&token.line));
        let lines = text.lines().count() - tests.map(|token| token.line).collect::<BTreeSet<_>>().len();
        if lines > LONGEST_FILE {
            wrong.push(format!("{path} has {lines} lines"));
        }
        let long = functions(&code)
            .into_iter()
            .filter(|(_, lines)| *lines > LONGEST_FUNCTION);
        wrong.extend(long.map(|(name, lines)| format!("{path}: {name} has {lines} lines")));
        wrong.extend(named_closures(&code).iter().map(|name| {
            let (line, name) = (name.line, name.text);
            format!("{path}:{line}: {name} is a closure: make it a function, or write it where it is passed")
        }));
        // rustfmt holds the width of code, and leaves comments alone.
        let comments = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.trim_start().starts_with("//"));
        let wide = comments.filter(|(_, line)| line.chars().count() > WIDEST_COMMENT);
        wrong.extend(wide.map(|(line, _)| format!("{path}:{line} is wider than {WIDEST_COMMENT}")));
    }
    assert_none(&wrong);
}
