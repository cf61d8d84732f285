//! Built-in policies against the histories of real projects, from the folder that `LIFECYCLE_DATA` names: each verdict
//! and the earliest release were worked out from the text of the policy by another program.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::lints::read;
use crate::program::{finish, program};
use crate::support::evaluate;

#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
    }
    Some(Path::new(&folder?).join("policies"))
}

/// The rows of a table by the names of its columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = read(path);
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split('\t').collect();
    let columns = |line: &str| {
        let cells = line.split('\t').map(str::to_owned);
        head.iter().map(|name| (*name).to_owned()).zip(cells).collect()
    };
    lines.map(columns).collect()
}

/// A history, and what the verdicts of its rows mean as findings.
struct History {
    folder: &'static str,
    releases: &'static str,
    policy: &'static str,
    /// The rows of this kind; all if it is empty.
    kind: &'static str,
    /// Verdicts of rows whose column `removed` has an announced target instead of a removal.
    targets: &'static [&'static str],
}

const HISTORIES: &[History] = &[
    of("django", "\"django\""),
    of("cpython", "\"pep-387\""),
    of("numpy", "\"numpy\""),
    of("symfony", "\"symfony\""),
    History {
        targets: &["overdue", "planned", "no-target"],
        ..of("docker", "\"docker\"")
    },
    openstack(
        "nova",
        "releases-nova.tsv",
        "[{ use = \"openstack-2015\" }, { use = \"openstack\", from = \"27.0.0\" }]",
    ),
    openstack(
        "cinder",
        "releases-cinder.tsv",
        "[{ use = \"openstack-2015\" }, { use = \"openstack\", from = \"22.0.0\" }]",
    ),
    openstack(
        "keystone",
        "releases-keystone.tsv",
        "[{ use = \"openstack-2015\" }, { use = \"openstack\", from = \"23.0.0\" }]",
    ),
    openstack(
        "ironic",
        "releases-ironic.tsv",
        "[{ use = \"openstack-2015\" }, { use = \"openstack\", from = \"22.0.0\" }]",
    ),
    openstack(
        "neutron",
        "releases-neutron.tsv",
        "[{ use = \"openstack-2015\" }, { use = \"openstack\", from = \"22.0.0\" }]",
    ),
];

const fn of(folder: &'static str, policy: &'static str) -> History {
    History {
        folder,
        releases: "releases.tsv",
        policy,
        kind: "",
        targets: &[],
    }
}

const fn openstack(project: &'static str, releases: &'static str, policy: &'static str) -> History {
    History {
        releases,
        kind: project,
        ..of("openstack", policy)
    }
}

/// The findings that a verdict means. `None` if the columns do not have what it depends on: that the same thing came
/// back with other words (`reworded`), or that the deprecation is younger than it says (`backdated`).
fn findings_of(verdict: &str) -> Option<&'static [&'static str]> {
    Some(match verdict {
        "ok" | "on-time" | "pending" | "planned" | "no-target" => &[],
        "early" | "gone-early" => &["early"],
        // Late after the window, or after an announced target.
        "late" | "overdue" => &["overdue"],
        "sooner-than-preferred" => &["sooner-than-preferred"],
        "reworded" | "backdated" => return None,
        other => panic!("the verdict {other} is not known"),
    })
}

fn model(history: &History, folder: &Path, rows: &[BTreeMap<String, String>]) -> String {
    let releases = rows_of_releases(folder, history.releases);
    let mut text = format!("policy = {}\n[calendar]\n", history.policy);
    let current = releases.iter().rev().find(|(_, day, _)| !day.is_empty());
    let current = &current.expect("a release has a day").0;
    let _ = writeln!(text, "current = \"{current}\"\n[calendar.releases]");
    let first = releases.iter().position(|(_, day, _)| !day.is_empty()).unwrap_or(0);
    for (name, day, kind) in &releases[first..] {
        let day = if day.is_empty() { "\"unscheduled\"" } else { day };
        let kind = if kind.is_empty() {
            String::new()
        } else {
            format!(", kind = [\"{}\"]", kind.to_lowercase())
        };
        let _ = writeln!(text, "\"{name}\" = {{ date = {day}{kind} }}");
    }
    // The next release carries removals before it has a day.
    let ahead: BTreeSet<&str> = rows
        .iter()
        .map(|row| row["removed"].as_str())
        .filter(|name| !name.is_empty() && releases.iter().all(|(known, ..)| known != name))
        .collect();
    for name in ahead {
        let _ = writeln!(text, "\"{name}\" = \"unscheduled\"");
    }
    for row in rows {
        let _ = writeln!(
            text,
            "[behavior.\"{}\"]\ndeprecated = \"{}\"",
            row["id"], row["deprecated"]
        );
        let is_target = history.targets.contains(&row["verdict"].as_str());
        if !row["removed"].is_empty() {
            let key = if is_target { "target" } else { "removed" };
            let _ = writeln!(text, "{key} = \"{}\"", row["removed"]);
        }
    }
    text
}

/// The releases with their days and kinds.
fn rows_of_releases(folder: &Path, file: &str) -> Vec<(String, String, String)> {
    let rows = rows(&folder.join(file)).into_iter();
    rows.map(|mut row| {
        let kind = row.remove("slurp").unwrap_or_default();
        (
            row.remove("version").expect("a version"),
            row.remove("date").expect("a day"),
            kind,
        )
    })
    .collect()
}

/// How many rows were compared by verdict and by earliest release, and how many there are to compare by each.
fn replay(history: &History, folder: &Path) -> [usize; 4] {
    let rows: Vec<_> = rows(&folder.join("verdicts.tsv"))
        .into_iter()
        .filter(|row| history.kind.is_empty() || row["kind"] == history.kind)
        .collect();
    let text = model(history, folder, &rows);
    let evaluation = evaluate(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", history.folder));
    let sources = lifecycle::Sources::new();
    let report = evaluation.report(&sources);
    let (mut verdicts, mut earliest) = (0, 0);
    let told = rows.iter().filter(|row| findings_of(&row["verdict"]).is_some()).count();
    let stated = rows.iter().filter(|row| !row["earliest"].is_empty()).count();
    for row in &rows {
        let id = format!("behavior {}", row["id"]);
        let element = report.elements.iter().find(|element| element.id == id);
        let element = element.unwrap_or_else(|| panic!("{id} is not planned"));
        // The history says from when each was permitted, also where that has shipped.
        let found = element.permitted_since.or(element.earliest_removal);
        let found = found.map(|moment| moment.release);
        if !row["earliest"].is_empty() {
            // What waits for a major release that has no day yet has no release either.
            let waits = element.never_before_major.is_some();
            assert!(waits || found == Some(row["earliest"].as_str()), "{id}: {found:?}");
            earliest += 1;
        }
        let codes: Vec<&str> = report
            .diagnostics
            .iter()
            .filter(|finding| finding.element.as_deref() == Some(&id))
            .map(|finding| finding.code.as_ref())
            .collect();
        if let Some(expected) = findings_of(&row["verdict"]) {
            assert_eq!(codes, expected, "{id}: {}", row["verdict"]);
            verdicts += 1;
        }
    }
    [verdicts, earliest, told, stated]
}

#[test]
fn real_histories_are_judged_as_their_policies_say() {
    let Some(folder) = data() else { return };
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for history in HISTORIES {
        let own = replay(history, &folder.join(history.folder));
        let count = counts.entry(history.folder).or_default();
        for (count, own) in count.iter_mut().zip(own) {
            *count += own;
        }
    }
    assert_eq!(counts.len(), 6);
    for (project, [verdicts, earliest, rows, stated]) in counts {
        assert_eq!((verdicts, earliest), (rows, stated), "{project}: each row is compared");
    }
}

/// The major and the minor number of a release.
fn minor(name: &str) -> (u64, u64) {
    let mut parts = name.split('.').map(|part| part.parse().expect("a number"));
    let number = "a release of Node.js has two numbers";
    (parts.next().expect(number), parts.next().expect(number))
}

/// Node.js has several lines of releases at a time, so that its days are out of order: the policy counts none.
fn model_of_nodejs(folder: &Path, rows: &[BTreeMap<String, String>]) -> String {
    let listed = rows_of_releases(folder, "releases.tsv")
        .into_iter()
        .map(|(name, ..)| name);
    let steps = rows
        .iter()
        .flat_map(|row| ["doc", "runtime", "eol"].map(|step| row[step].as_str()));
    let named = steps.flat_map(str::split_whitespace).map(str::to_owned);
    let releases: BTreeMap<(u64, u64), String> = named
        .chain(listed.filter(|name| !name.contains('-')))
        .map(|name| (minor(&name), name))
        .collect();
    let current = releases.values().next_back().expect("a release");
    let mut text = "policy = [{ use = \"nodejs-0\" }, { use = \"nodejs\", from = \"4.0.0\" }]\n".to_owned();
    let _ = writeln!(text, "[calendar]\ncurrent = \"{current}\"\n[calendar.releases]");
    for name in releases.values() {
        let _ = writeln!(text, "\"{name}\" = \"unscheduled\"");
    }
    for row in rows {
        // Of a step in several lines of releases, or repeated after it was revoked, the last one counts.
        let [runtime, eol] = ["runtime", "eol"].map(|step| row[step].split_whitespace().next_back());
        let documented = row["doc"].split_whitespace().rev();
        let mut before = documented.filter(|doc| runtime.is_none_or(|runtime| minor(doc) <= minor(runtime)));
        let _ = writeln!(text, "[behavior.{}]", row["id"]);
        for (key, release) in [
            ("deprecated", before.next().or(runtime)),
            ("steps.runtime", runtime),
            ("removed", eol),
        ] {
            if let Some(release) = release {
                let _ = writeln!(text, "{key} = \"{release}\"");
            }
        }
    }
    text
}

#[test]
fn the_steps_of_nodejs_are_judged_as_its_policy_says() {
    let Some(folder) = data().map(|folder| folder.join("nodejs")) else {
        return;
    };
    let rows = rows(&folder.join("verdicts.tsv"));
    let text = model_of_nodejs(&folder, &rows);
    let evaluation = evaluate(&text).expect("the model can be read");
    let sources = lifecycle::Sources::new();
    let report = evaluation.report(&sources);
    for row in &rows {
        let id = format!("behavior {}", row["id"]);
        let findings = report.diagnostics.iter();
        let mut codes: Vec<&str> = findings
            .filter(|finding| finding.element.as_deref() == Some(&id))
            .map(|finding| finding.code.as_ref())
            .collect();
        let mut expected: Vec<&str> = row["verdict"].split(';').filter_map(step_finding).collect();
        codes.sort_unstable();
        expected.sort_unstable();
        assert_eq!(codes, expected, "{id}");
    }
    assert!(!rows.is_empty());
}

fn step_finding(verdict: &str) -> Option<&'static str> {
    match verdict {
        "ok" => None,
        "eol-without-runtime" => Some("step-missing"),
        "runtime-not-in-major" | "eol-not-in-major" => Some("wrong-release"),
        "two-steps-in-one-major" => Some("early"),
        other => panic!("the verdict {other} is not known"),
    }
}

/// The models of all histories, each with the name of its project.
fn models(data: &Path) -> Vec<(String, String)> {
    let mut models = Vec::new();
    for history in HISTORIES {
        let folder = data.join(history.folder);
        let all = rows(&folder.join("verdicts.tsv")).into_iter();
        let rows: Vec<_> = all
            .filter(|row| history.kind.is_empty() || row["kind"] == history.kind)
            .collect();
        let name = if history.kind.is_empty() {
            history.folder
        } else {
            history.kind
        };
        models.push((name.to_owned(), model(history, &folder, &rows)));
    }
    let folder = data.join("nodejs");
    let rows = rows(&folder.join("verdicts.tsv"));
    models.push(("nodejs".to_owned(), model_of_nodejs(&folder, &rows)));
    models.sort();
    models
}

/// The editions of a report, in turn.
fn policies(report: &serde_json::Value) -> String {
    let editions = report["policies"].as_array().expect("a list");
    let words = editions.iter().map(|edition| {
        let name = edition["name"].as_str().expect("a name");
        let from = edition["from"].as_str().map(|from| format!("from {from} "));
        format!("{}`{name}`", from.unwrap_or_default())
    });
    words.collect::<Vec<String>>().join(", ")
}

/// A row of the page: what `lifecycle report` says of a model.
fn record_row(name: &str, arguments: &[&str]) -> String {
    let run = finish(
        program(Path::new("."), &[&["report", "--format", "json"], arguments].concat()),
        b"",
    )
    .ended(0);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let count = |key: &str| report["total"][key].as_u64().expect("a count");
    let counts = ["judged", "kept", "early", "unannounced", "late", "wrong_release"].map(count);
    let [judged, kept, ..] = counts;
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    let percent = (kept * 100).checked_div(judged).unwrap_or(100);
    let policies = policies(&report);
    format!("| {name} | {policies} | {} | {percent} |\n", counts.join(" | "))
}

/// The page that shows how often projects break their policies is what `lifecycle report` prints about these models.
/// They are left in the folder of the build for whoever wants to look closer.
#[expect(clippy::disallowed_methods, reason = "models and the page are files")]
#[test]
fn the_page_about_real_projects_is_what_the_program_reports() {
    let Some(data) = data() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("policies");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut table = String::new();
    for (name, text) in models(&data) {
        let path = folder.join(format!("{name}.toml"));
        std::fs::write(&path, text).expect("the model can be written");
        table.push_str(&record_row(&name, &[&path.to_string_lossy()]));
    }
    table.push_str(&record_row("Kubernetes", &["--builtin", "kubernetes"]));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/kept.md");
    let text = std::fs::read_to_string(&page).expect("the page can be read");
    let (head, rest) = text.split_once(TABLE).expect("the head of the table");
    let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    let expected = format!("{head}{TABLE}{table}{}", &rest[end..]);
    if std::env::var_os("SNAPSHOTS").is_some_and(|mode| mode == "overwrite") {
        std::fs::write(&page, &expected).expect("the page can be written");
    } else {
        assert_eq!(text, expected, "SNAPSHOTS=overwrite writes it");
    }
}

/// The head of the table in the page.
const TABLE: &str = "\
| project | policy | judged | kept | early | unannounced | late | wrong release | kept % |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
