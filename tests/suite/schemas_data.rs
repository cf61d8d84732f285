//! Real pairs of CRDs, from the folder that `LIFECYCLE_DATA` names: the test cases of other checkers, and the releases
//! of three projects.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lifecycle::compat::{CrdSource, round_trip};
use lifecycle::diagnostic::Severity;
use lifecycle::evaluate::builtin_policy;
use lifecycle::report::{DiffReport, DifferenceReport};
use lifecycle::schema::{ChangeKind, Crds, Verdict, read};
use serde_json::Value as Json;

use crate::schemas::diff;

#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
    }
    folder.map(PathBuf::from)
}

#[expect(clippy::disallowed_methods, reason = "the data stays outside the tree")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The content of a folder, ordered by name.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = folder
        .read_dir()
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// The files of one state.
struct State(Vec<(String, Crds)>);

impl State {
    fn of(files: &[PathBuf]) -> Self {
        let read = |path: &PathBuf| {
            let name = path
                .file_name()
                .expect("a file has a name")
                .to_string_lossy()
                .into_owned();
            let found = read(&text(path)).unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), error.line));
            (name, found)
        };
        Self(files.iter().map(read).collect())
    }

    /// The kind of the CRD in a file.
    fn kind_of(&self, definition: &str) -> &str {
        let mut files = self.0.iter();
        let (_, found) = files
            .find(|(file, _)| file.strip_suffix(".yaml") == Some(definition))
            .unwrap_or_else(|| panic!("{definition} is there"));
        &found.definitions[0].kind
    }

    fn defined(&self) -> Vec<CrdSource<'_>> {
        let files = self.0.iter();
        files
            .flat_map(|(file, found)| {
                found
                    .definitions
                    .iter()
                    .map(move |definition| CrdSource { file, definition })
            })
            .collect()
    }
}

fn compare(old: &State, new: &State, policy: &str) -> DiffReport {
    let policy = builtin_policy(policy).expect("the policy is built in");
    diff(&old.defined(), &new.defined(), &policy).expect("the states can be compared")
}

/// A test case of another checker.
struct Case {
    id: String,
    tier: String,
    /// The exit code of crdify 0.5.
    crdify: i64,
    old: State,
    new: State,
}

fn cases(data: &Path) -> Vec<Case> {
    let sources = inside(&data.join("schema-cases"));
    let folders = sources.iter().flat_map(|source| inside(source));
    folders
        .map(|folder| {
            let case: Json = serde_json::from_str(&text(&folder.join("case.json"))).expect("the case is JSON");
            let word = |key: &str| case[key].as_str().expect("the case says it").to_owned();
            Case {
                id: word("id"),
                tier: word("tier"),
                crdify: case["peers"]["crdify"]["exit"].as_i64().expect("crdify ended"),
                old: State::of(&[folder.join("old.yaml")]),
                new: State::of(&[folder.join("new.yaml")]),
            }
        })
        .collect()
}

#[test]
fn verdicts_match_where_all_checkers_agree() {
    let Some(data) = data() else { return };
    let mut wrong = Vec::new();
    let mut judged: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases(&data) {
        let report = compare(&case.old, &case.new, "kubernetes");
        let summary = report.summary;
        let right = match case.tier.as_str() {
            "A-fail" => summary.breaking > 0,
            "A-pass" => summary.breaking + summary.risky == 0,
            // On the other tiers, tools and policy disagree.
            _ => true,
        };
        *judged.entry(case.tier.clone()).or_default() += 1;
        if !right {
            let found = report
                .changes
                .iter()
                .map(|change| format!("\n    {} {} {}", change.verdict, change.element, change.message));
            wrong.push(format!("{} {}:{}", case.tier, case.id, found.collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((judged["A-fail"], judged["A-pass"]), (65, 56));
}

/// Where only crdify fails: it compares two versions of one CRD or, in the last case, cannot handle a new field in the
/// values of a map.
const OTHERWISE: [&str; 6] = [
    "crdify-served/subtractexistingissues",
    "crdify-unit/existingfieldremoval-new-version-is-added-with-the-field-removed-not-flagged",
    "operator-controller/missing-conversion-and-enum-removed",
    "operator-controller/same-issues-plus-new-one",
    "operator-controller/webhook-conversion-exists",
    "kcp-schemacompat/new-has-more-properties-existing-contains-additional-properties",
];

#[test]
fn the_policy_of_crdify_agrees_with_crdify() {
    let Some(data) = data() else { return };
    let mut differing = Vec::new();
    for case in cases(&data) {
        let report = compare(&case.old, &case.new, "crdify");
        let fails = report.changes.iter().any(|change| change.severity == Severity::Error);
        if fails != (case.crdify == 1) && !OTHERWISE.contains(&case.id.as_str()) {
            differing.push(format!(
                "{} {}",
                case.id,
                report
                    .changes
                    .iter()
                    .map(|change| change.code.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            ));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// The projects with their releases in order.
fn projects(data: &Path) -> Vec<(String, Vec<(String, State)>)> {
    let folders = inside(&data.join("crds")).into_iter().filter(|path| path.is_dir());
    folders
        .map(|project| {
            let mut releases = inside(&project);
            let key = |path: &PathBuf| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                let numbers = name.trim_start_matches('v').split(['.', '-']);
                numbers
                    .map(|number| number.parse::<u32>().unwrap_or(0))
                    .collect::<Vec<_>>()
            };
            releases.sort_by_key(key);
            let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
            let states = releases
                .iter()
                .map(|path| (name(path), State::of(&inside(path))))
                .collect();
            (name(&project), states)
        })
        .collect()
}

#[test]
fn a_crd_does_not_differ_from_itself() {
    let Some(data) = data() else { return };
    for (project, releases) in projects(&data) {
        for (release, state) in &releases {
            let report = compare(state, state, "kubernetes");
            assert!(report.changes.is_empty(), "{project} {release}");
        }
    }
}

#[test]
fn verdicts_on_real_releases_match_the_reviewed_table() {
    let Some(data) = data() else { return };
    let mut reported = String::new();
    for (project, releases) in projects(&data) {
        for pair in releases.windows(2) {
            let [(before, old), (after, new)] = pair else { continue };
            let report = compare(old, new, "kubernetes");
            let summary = report.summary;
            let _ = writeln!(
                reported,
                "{project} {before} {after}: {} breaking, {} risky, {} compatible",
                summary.breaking, summary.risky, summary.compatible
            );
            let mut counts: BTreeMap<(&str, &str, &str, &str), usize> = BTreeMap::new();
            for change in report
                .changes
                .iter()
                .filter(|change| change.verdict != Verdict::Compatible)
            {
                *counts
                    .entry((
                        change.verdict.into_str(),
                        change.severity.as_str(),
                        change.code.as_str(),
                        &change.kind,
                    ))
                    .or_default() += 1;
            }
            for ((verdict, severity, code, kind), count) in counts {
                let _ = writeln!(reported, "  {verdict} ({severity}) {code} {kind}: {count}");
            }
            let back = compare(new, old, "kubernetes");
            assert_eq!(
                turned(&report, false),
                turned(&back, true),
                "{project} {before} {after}"
            );
        }
    }
    snapbox::assert_data_eq!(reported, snapbox::file!["data/schema-verdicts.txt"]);
}

/// The rows of the table of all versions of all CRDs by release.
fn timeline(data: &Path) -> Vec<Vec<String>> {
    let table = text(&data.join("crds/version-timeline.tsv"));
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    table.lines().skip(1).map(cells).collect()
}

/// The versions that a release of a project serves, with the CRD's name.
fn served<'t>(timeline: &'t [Vec<String>], project: &str, release: &str) -> BTreeSet<(&'t str, &'t str)> {
    let rows = timeline.iter().filter(|row| row[0] == project && row[2] == release);
    let rows = rows.filter(|row| row[5] == "1");
    rows.map(|row| (row[1].as_str(), row[4].as_str())).collect()
}

#[test]
fn every_version_that_is_no_longer_served_is_reported() {
    let Some(data) = data() else { return };
    let timeline = timeline(&data);
    let ends = [
        ChangeKind::VersionUnserved,
        ChangeKind::VersionRemoved,
        ChangeKind::StoredVersionRemoved,
    ];
    let mut ended = 0;
    for (project, releases) in projects(&data) {
        for pair in releases.windows(2) {
            let [(before, old), (after, new)] = pair else { continue };
            let report = compare(old, new, "kubernetes");
            let (was, is) = (served(&timeline, &project, before), served(&timeline, &project, after));
            assert!(!was.is_empty() && !is.is_empty(), "{project} {before} {after}");
            for (definition, version) in was.difference(&is) {
                let kind = old.kind_of(definition);
                let reported = report.changes.iter().any(|change| {
                    let gone = change.old.as_ref().and_then(Json::as_str).unwrap_or_default();
                    let named = match change.code {
                        ChangeKind::DefinitionRemoved => gone.split(", ").any(|name| name == *version),
                        code => ends.contains(&code) && change.version.as_deref() == Some(version),
                    };
                    named
                        && change.kind == kind
                        && change.verdict != Verdict::Compatible
                        && change.severity != Severity::Off
                });
                assert!(reported, "{project} {before} {after}: {definition} {version}");
                ended += 1;
            }
            let reported = report.changes.iter().filter(|change| ends.contains(&change.code));
            let gone = |change: &&DifferenceReport| change.code == ChangeKind::DefinitionRemoved;
            let whole = report.changes.iter().filter(gone).count();
            assert!(
                reported.count() + whole <= was.difference(&is).count(),
                "{project} {before} {after}"
            );
        }
    }
    assert!(ended > 20, "{ended}");
}

#[test]
fn losses_of_real_crds_match_the_reviewed_table() {
    let Some(data) = data() else { return };
    let mut reported = String::new();
    for (project, releases) in projects(&data) {
        for (release, state) in &releases {
            for side in state.defined() {
                let real = round_trip(side.definition).expect("it is not too much");
                assert!(real.is_empty(), "{project} {release} {}", side.definition.kind);
                let mut definition = side.definition.clone();
                definition.conversion = None;
                for loss in round_trip(&definition).expect("it is not too much") {
                    let (kind, cause) = (&definition.kind, &loss.cause);
                    let (path, what) = (&cause.path, cause.kind.as_str());
                    let shown = if loss.example(&definition).is_some() {
                        ""
                    } else {
                        ", not shown"
                    };
                    let (from, to) = (&loss.from, &loss.to);
                    let _ = writeln!(
                        reported,
                        "{project} {release} {kind} {from} → {to} {path}: {what}{shown}"
                    );
                }
            }
        }
    }
    snapbox::assert_data_eq!(reported, snapbox::file!["data/schema-round-trips.txt"]);
}

/// The differences without what depends on the direction, optionally seen from the other side.
fn turned(report: &DiffReport, back: bool) -> Vec<String> {
    // Missing warnings and losses in conversion are reported for one state only.
    let two_sided = |change: &&DifferenceReport| {
        let silent = change.code == ChangeKind::DeprecatedWithoutWarning && change.old.is_none();
        let alone = [
            ChangeKind::DeprecatedForLessStable,
            ChangeKind::DeprecatedWithoutReplacement,
        ];
        !silent && !alone.contains(&change.code) && !change.code.as_str().ends_with("-between-versions")
    };
    let mut reported: Vec<String> = report
        .changes
        .iter()
        .filter(two_sided)
        .map(|change| {
            let (old, new) = if back {
                (&change.new, &change.old)
            } else {
                (&change.old, &change.new)
            };
            format!(
                "{:?} {} {:?} {old:?} {new:?}",
                change.version, change.path, change.subject
            )
        })
        .collect();
    reported.sort();
    reported
}
