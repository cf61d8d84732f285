//! The house: a module imports only from levels below, and ARCHITECTURE.md says which level each is on.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lifecycle::policy::BUILT_IN;
use lifecycle::rules::RULES;

/// The levels of the table in ARCHITECTURE.md.
fn levels() -> BTreeMap<String, u32> {
    let page = include_str!("../../ARCHITECTURE.md");
    let (library, _) = page
        .split_once("The program has levels")
        .expect("the program's table follows");
    library
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
            .filter(|stem| stem != "mod")
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

/// The functions of a text of code, each with the lines it has. What rustfmt wrote begins and ends at one indent.
fn functions(code: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let own = line.trim_start();
        let public = own.strip_prefix("pub").map(|rest| match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(") ").map_or(rest, |(_, rest)| rest),
            None => rest.trim_start(),
        });
        let bare = public.unwrap_or(own);
        let bare = bare.strip_prefix("const ").unwrap_or(bare);
        let Some(name) = bare.strip_prefix("fn ") else { continue };
        let indent = &line[..line.len() - own.len()];
        let end = format!("{indent}}}");
        let length = lines[at..].iter().position(|line| *line == end);
        let is_short = line.ends_with(['}', ';']);
        if let (Some(length), false) = (length, is_short) {
            found.push((name.split(['(', '<']).next().unwrap_or(name), length + 1));
        }
    }
    found
}

#[test]
fn functions_are_found_whoever_may_call_them() {
    let code = "pub(super) const fn a() -> u8 {\n    1\n}\n\nimpl X {\n    pub fn b<T>() {\n        c();\n        d();\n    }\n\n    \
                fn e();\n}\n";
    assert_eq!(functions(code), [("a", 3), ("b", 4)]);
}

/// The files of the program.
fn program() -> Vec<PathBuf> {
    let mut files = Vec::new();
    files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin"), &mut files);
    files
}

#[test]
fn functions_files_and_comments_are_of_a_size_to_be_read() {
    let files: Vec<PathBuf> = library().into_iter().map(|(_, path)| path).chain(program()).collect();
    assert!(files.len() > 200, "{}", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let (text, path) = (read(&path), path.display());
        let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
        let lines = code.lines().count();
        if lines > 600 {
            wrong.push(format!("{path} has {lines} lines"));
        }
        let long = functions(code).into_iter().filter(|(_, lines)| *lines > 70);
        wrong.extend(long.map(|(name, lines)| format!("{path}: {name} has {lines} lines")));
        // rustfmt holds the width of code, and leaves comments alone.
        let comments = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.trim_start().starts_with("//"));
        let wide = comments.filter(|(_, line)| line.chars().count() > 120);
        wrong.extend(wide.map(|(line, _)| format!("{path}:{line} is wider than 120")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
