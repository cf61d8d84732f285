//! Small models in `tests/cases`: each has the marked findings and no others, and a matrix lists the findings by rule.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lifecycle::diagnostic::Violation;
use lifecycle::evaluate::Load;
use lifecycle::lint::CHECKS;
use lifecycle::release::Release;
use lifecycle::rules::RULES;
use lifecycle::{Document, FileId};

use crate::tests::advice::misleading;
use crate::tests::support::{Mark, agrees_with_snapshot, findings, marks, marks_found};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

#[expect(clippy::disallowed_methods, reason = "the cases are files beside the tests")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

/// The cases by name, in the order of their names.
pub fn cases() -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder()).expect("there are cases");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let models = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    models
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a case has a name")
                .to_string_lossy()
                .into_owned();
            (name, read(&path))
        })
        .collect()
}

/// What is expected and not found, or found and not expected.
fn differences(expected: &[Mark], found: &[Mark]) -> String {
    let mut text = String::new();
    let tell = |text: &mut String, what: &str, (line, severity, slug, code): &Mark| {
        let _ = writeln!(text, "  line {line}: {what} # {severity}: [{slug}] {code}");
    };
    let mut left = found.to_vec();
    for mark in expected {
        match left.iter().position(|other| other == mark) {
            Some(at) => drop(left.remove(at)),
            None => tell(&mut text, "not found", mark),
        }
    }
    for mark in &left {
        tell(&mut text, "not marked", mark);
    }
    text
}

#[test]
fn cases_have_the_marked_findings_and_no_others() {
    let mut wrong = String::new();
    for (name, text) in cases() {
        let differences = differences(&marks(&text), &marks_found(&text));
        if !differences.is_empty() {
            let _ = write!(wrong, "{name}.toml:\n{differences}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// How advice begins that asks to change when something happens, or how it begins.
const CHANGES: &[&str] = &[
    "move ",
    "delete `",
    "deprecate ",
    "lock ",
    "choose ",
    "set ",
    "remove the ",
    "introduce ",
    "serve ",
    "migrate ",
    "keep ",
    "add an entry",
    "guard it with",
    "declare the field",
    "declare the value",
];

/// The same model after all releases that it lists have shipped, and how many they are.
fn after_all_releases(text: &str) -> Option<(String, u32)> {
    let current = text.lines().find(|line| line.starts_with("current = "))?;
    let releases = text.lines().skip_while(|line| *line != "[calendar.releases]").skip(1);
    let names = releases.map_while(|line| Some(line.split_once(" = ")?.0));
    let names: Vec<&str> = names.take_while(|name| name.starts_with('"')).collect();
    let shipped = text.replace(current, &format!("current = {}", names.last()?));
    Some((shipped, u32::try_from(names.len()).ok()?))
}

#[test]
fn no_advice_asks_to_change_what_has_shipped() {
    let (mut seen, mut wrong) = (0, String::new());
    for (name, text) in cases() {
        let Some((shipped, releases)) = after_all_releases(&text) else {
            continue;
        };
        for finding in findings(&shipped) {
            let (Violation::Event(release) | Violation::Lasting(Some(release))) = finding.violation else {
                continue;
            };
            let help = finding.help.unwrap_or_default();
            if release < Release(releases) {
                seen += 1;
                if CHANGES.iter().any(|words| help.starts_with(words)) {
                    let _ = writeln!(wrong, "{name}: {}: {}\n  {help}", finding.code, finding.message);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(seen > 100, "{seen} findings are about what has shipped");
}

#[test]
fn every_rule_has_a_case_with_a_finding_and_one_without() {
    let cases = cases();
    for rule in RULES {
        let speaks = |text: &String| marks(text).iter().any(|(_, _, slug, _)| slug == rule.slug);
        assert!(cases.values().any(speaks), "{} complains in no case", rule.slug);
        let fine = cases.get(&format!("{}-fine", rule.slug));
        assert!(
            fine.is_some_and(|text| marks(text).is_empty()),
            "{}-fine.toml",
            rule.slug
        );
    }
}

#[test]
fn every_code_of_a_rule_is_marked_in_a_case_or_on_the_page_of_the_rule() {
    let cases = cases();
    let mut unmarked = Vec::new();
    for rule in RULES {
        let texts = cases.values().map(String::as_str).chain([rule.page]);
        let of_rule = texts.flat_map(marks).filter(|(_, _, slug, _)| slug == rule.slug);
        let seen: Vec<String> = of_rule.map(|(_, _, _, code)| code).collect();
        unmarked.extend(
            rule.codes
                .iter()
                .filter(|code| !seen.iter().any(|other| other == *code))
                .map(|code| format!("{}:{code}", rule.slug)),
        );
    }
    // No built-in policy requires a lock or a hiding; one that does is in `tests/suite/steps.rs`.
    unmarked.retain(|code| !["gate-lifetime:step-missing", "metric-deprecation:step-missing"].contains(&code.as_str()));
    assert_eq!(unmarked, [""; 0]);
}

/// One line per case with the number of findings of each rule, and one line per rule with its cases.
fn matrix() -> String {
    let slugs = RULES
        .iter()
        .map(|rule| rule.slug)
        .chain(lifecycle::evaluate::pages().map(|page| page.slug))
        // Findings about CRDs are in no model.
        .filter(|slug| CHECKS.iter().all(|check| check.slug != *slug));
    let mut cases_of: Vec<(&str, Vec<String>)> = slugs.map(|slug| (slug, Vec::new())).collect();
    let mut text = String::from("Findings by case. SNAPSHOTS=overwrite rewrites this file.\n\n");
    for (name, model) in cases() {
        let found = marks_found(&model);
        let mut counts = Vec::new();
        for (slug, cases) in &mut cases_of {
            let count = found.iter().filter(|(_, _, other, _)| other == slug).count();
            if count > 0 {
                counts.push(format!("{slug} {count}"));
                cases.push(name.clone());
            }
        }
        let counts = if counts.is_empty() {
            "-".to_owned()
        } else {
            counts.join(", ")
        };
        let _ = writeln!(text, "{name:<32} {counts}");
    }
    text.push_str("\nCases by rule.\n\n");
    for (slug, cases) in cases_of {
        let names = if cases.is_empty() {
            "-".to_owned()
        } else {
            cases.join(" ")
        };
        let _ = writeln!(text, "{slug:<24} {names}");
    }
    text
}

#[test]
fn the_matrix_of_rules_and_cases_is_as_it_was() {
    agrees_with_snapshot(&folder().join("matrix.txt"), &matrix());
}

/// The model as of no release: nothing has shipped, so everything can still be moved.
fn before_any_release(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("current = "));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn moving_an_event_as_advised_fixes_the_finding() {
    let mut advised = 0;
    let mut wrong = String::new();
    for (name, text) in cases() {
        let text = before_any_release(&text);
        let (followed, misleading) = misleading(&text, &|text, more| {
            let documents = [Document::parse(FileId(0), text)];
            let mut load = Load::new(&documents);
            for supposition in more {
                load.suppose(*supposition);
            }
            load.evaluate()
        });
        advised += followed;
        for found in misleading {
            let _ = writeln!(wrong, "{name}: {found}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(advised > 10, "only {advised} findings advise a release");
}
