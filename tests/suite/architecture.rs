//! The house: a module imports only from levels below, and ARCHITECTURE.md says which level each is on.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lifecycle::policy::BUILT_IN;
use lifecycle::rules::{PAGES, RULES};

/// The levels of the table in ARCHITECTURE.md.
fn levels() -> BTreeMap<String, u32> {
    let table = include_str!("../../ARCHITECTURE.md");
    table
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            let level = cells.next()?.parse().ok()?;
            let module = cells.next()?.trim_matches('`').to_owned();
            Some((module, level))
        })
        .collect()
}

/// What is wrong with the imports of a module's file.
fn upward_imports(module: &str, text: &str, levels: &BTreeMap<String, u32>) -> Vec<String> {
    let own = levels[module];
    text.lines()
        .flat_map(|line| {
            line.match_indices("crate::")
                .map(move |(at, _)| &line[at + "crate::".len()..])
        })
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next())
        .filter(|target| *target != module)
        .filter(|target| levels.get(*target).is_none_or(|level| *level >= own))
        .map(|target| format!("{module} (level {own}) imports {target}"))
        .collect()
}

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

/// The library's files by module: `model` has `src/model/**`, `check` has `src/check.rs`.
fn library() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&root, &mut files);
    files.sort();
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| {
            let within = path.strip_prefix(&root).ok()?.to_owned();
            let module = within.iter().next()?.to_str()?.trim_end_matches(".rs").to_owned();
            (module != "lib" && module != "bin").then_some((module, path))
        })
        .collect()
}

#[test]
fn a_module_imports_only_from_levels_below() {
    let levels = levels();
    let wrong: Vec<String> = library()
        .iter()
        .flat_map(|(module, path)| upward_imports(module, &read(path), &levels))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_upward_import_that_is_planted_is_found() {
    let levels = levels();
    for planted in [
        "use crate::plan::solve;",
        "    use crate::rules::RULES;",
        "let x = crate::check::check();",
        "use crate::model::Model;",
        "use crate::nowhere::Thing;",
    ] {
        assert_eq!(upward_imports("policy", planted, &levels).len(), 1, "{planted}");
    }
    assert_eq!(
        upward_imports("policy", "use crate::document::Faults;", &levels).len(),
        0
    );
}

#[test]
fn the_table_lists_the_modules_there_are() {
    let listed: BTreeSet<String> = levels().into_keys().collect();
    let there: BTreeSet<String> = library().into_iter().map(|(module, _)| module).collect();
    assert_eq!(listed, there);
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
            .filter(|stem| !["mod", "level"].contains(&stem.as_str()))
            .filter(|stem| PAGES.iter().all(|page| page.slug != stem))
            .collect()
    };
    let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.slug.to_owned()).collect();
    assert_eq!(stems("rs"), listed);
    assert_eq!(stems("md"), listed);
}

#[test]
fn every_rule_is_in_a_built_in_policy_and_each_of_its_findings_is_graded() {
    for rule in RULES {
        let policies = BUILT_IN.iter().filter_map(|built_in| {
            let policy = lifecycle::evaluate::builtin_policy(built_in.name)?;
            policy.rules.get(rule.slug).cloned()
        });
        let laws: Vec<_> = policies.collect();
        assert!(!laws.is_empty(), "{} is in no policy", rule.slug);
        for law in laws {
            for code in rule.codes {
                assert!(
                    law.severity.contains_key(*code),
                    "{}: {code} has no severity",
                    rule.slug
                );
            }
        }
    }
}

#[test]
fn functions_and_files_are_of_a_size_to_be_read() {
    for (_, path) in library() {
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
        let lines = code.lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
        for function in code.split("\n    fn ").flat_map(|rest| rest.split("\nfn ")).skip(1) {
            let end = function
                .find("\n    }\n")
                .or(function.find("\n}\n"))
                .unwrap_or(function.len());
            let lines = function[..end].lines().count();
            let name = function.split('(').next().unwrap_or(function);
            assert!(lines <= 70, "{}: {name} has {lines} lines", path.display());
        }
    }
}
