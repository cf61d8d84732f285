//! Tags for the generator of Kubernetes: they have what a model declares, and what the generator assumes is reported.

#![cfg(test)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use crate::program::{MODEL, run_on};

/// The tags of a kind: key and value.
type Tags = BTreeMap<String, String>;

/// Versions and their tags, by kind.
type Kinds<'k> = BTreeMap<&'k str, Vec<(&'k str, &'k Tags)>>;

/// The tags of a text by the kind that the comment above them names.
fn tags(text: &str) -> BTreeMap<String, Tags> {
    let mut all: BTreeMap<String, Tags> = BTreeMap::new();
    for block in text.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let mut lines = block.trim_end().lines();
        let name = lines.next().and_then(|line| line.strip_prefix("// ")).unwrap();
        let own = all.entry(name.to_owned()).or_default();
        for line in lines {
            let tag = line.strip_prefix("// +k8s:prerelease-lifecycle-gen:").unwrap();
            let (key, value) = tag.split_once('=').unwrap();
            assert!(own.insert(key.to_owned(), value.to_owned()).is_none(), "{line}");
        }
    }
    all
}

/// What the generator makes of tags, by its own rules: of what is not GA, three releases later each.
fn generated(version: &str, tags: &Tags) -> Tags {
    let later = |release: &str| {
        let (major, minor) = release.split_once('.').unwrap();
        format!("{major}.{}", minor.parse::<u64>().unwrap() + 3)
    };
    let mut made = tags.clone();
    if version.contains("alpha") || version.contains("beta") {
        let deprecated = made
            .entry("deprecated".to_owned())
            .or_insert_with(|| later(&tags["introduced"]));
        let removed = later(deprecated);
        made.entry("removed".to_owned()).or_insert(removed);
    }
    made
}

/// An entry of a model that is equivalent to tags.
fn entry(tags: &Tags) -> String {
    let said = tags.iter().map(|(key, value)| match key.as_str() {
        "replacement" => {
            let parts: Vec<&str> = value.split(',').collect();
            let group = if parts[0].is_empty() { "core" } else { parts[0] };
            format!("replacement = \"{group}/{} {}\"", parts[1], parts[2])
        }
        key => format!("{key} = \"{value}\""),
    });
    said.collect::<Vec<_>>().join(", ")
}

/// A model of kinds with these tags, by group, version and kind.
fn model(kinds: &[(&str, &str, &str, Tags)]) -> String {
    let mut text = "[calendar.releases]\n".to_owned();
    (0..60).for_each(|minor| writeln!(text, "\"1.{minor}\" = \"unscheduled\"").unwrap());
    let mut groups: BTreeMap<&str, Kinds<'_>> = BTreeMap::new();
    for (group, version, kind, tags) in kinds {
        let group = groups.entry(if group.is_empty() { "core" } else { group }).or_default();
        group.entry(kind).or_default().push((version, tags));
    }
    for (group, kinds) in groups {
        let mut versions: Vec<&str> = kinds.values().flatten().map(|(version, _)| *version).collect();
        versions.sort_unstable();
        versions.dedup();
        writeln!(text, "[group.\"{group}\".version]").unwrap();
        for version in versions {
            writeln!(text, "{version} = {{ introduced = \"1.0\" }}").unwrap();
        }
        for (kind, own) in kinds {
            let names: Vec<&str> = own.iter().map(|(version, _)| *version).collect();
            writeln!(text, "[group.\"{group}\".kind.{kind}]\nversions = {names:?}").unwrap();
            for (version, tags) in own {
                writeln!(text, "version.{version} = {{ {} }}", entry(tags)).unwrap();
            }
        }
    }
    text
}

fn exported(model: &str) -> (BTreeMap<String, Tags>, String) {
    let run = run_on(model, &["export", "prerelease-lifecycle", "-", "--verbose"]).ended(0);
    (tags(&run.out), run.err)
}

fn of(pairs: &[(&str, &str)]) -> Tags {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn a_kind_has_its_tags_below_its_name_and_planned_ones_on_request() {
    let model = MODEL.replace(", removed = \"1.4\"", "") + "[group.\"example.com\".kind.Bolt]\n";
    let run = run_on(&model, &["export", "prerelease-lifecycle", "-"]).ended(0);
    let expected = "// example.com/v1 Bolt\n+introduced=1.1\n\n// example.com/v1beta1 Bolt\n+introduced=1.0\n+deprecated=1.1\n\
                    +replacement=example.com,v1,Bolt\n";
    assert_eq!(run.out.replace("// +k8s:prerelease-lifecycle-gen:", "+"), expected);
    assert!(
        run.err
            .contains("(the generator assumes three releases later): example.com/v1beta1 Bolt\n"),
        "{}",
        run.err
    );
    let planned = run_on(&model, &["export", "prerelease-lifecycle", "-", "--planned"]).ended(0);
    assert_eq!(tags(&planned.out)["example.com/v1beta1 Bolt"]["removed"], "1.4");
    assert_eq!(planned.err.trim(), "");
}

#[test]
fn a_replacement_by_succession_is_written_with_plans() {
    let model = MODEL.replace(", replacement = \"v1\"", "") + "[group.\"example.com\".kind.Bolt]\n";
    for list in ["pluto", "kubepug", "prerelease-lifecycle"] {
        let names = |more: &[&str]| {
            let out = run_on(&model, &[&["export", list, "-"], more].concat()).ended(0).out;
            let line = |line: &&str| line.contains("replacement") && !line.ends_with("\"\"");
            out.lines().filter(line).count()
        };
        assert_eq!(names(&[]), 0, "{list}");
        assert!(names(&["--planned"]) > 0, "{list}");
    }
}

#[test]
fn elements_that_are_no_kinds_are_reported_as_left_out() {
    let flag = "[cli.tool]\naudience = \"user\"\nflag.\"--old\" = { introduced = \"1.0\", deprecated = \"1.1\" }\n";
    let gate = "[gate.Old]\nspecs = [{ since = \"1.0\", stage = \"alpha\", default = false }]\n";
    for list in ["pluto", "kubepug", "prerelease-lifecycle"] {
        let run = run_on(format!("{MODEL}{flag}{gate}"), &["export", list, "-"]).ended(0);
        let expected = "not in the list: cli tool --old: these lists have kinds of API groups only\n";
        assert!(run.err.contains(expected), "{list}: {}", run.err);
        assert!(
            !run_on(MODEL, &["export", list, "-"])
                .ended(0)
                .err
                .contains("API groups only")
        );
    }
}

#[test]
fn what_no_tag_can_express_is_reported() {
    let kinds = [
        (
            "g",
            "v1",
            "Twice",
            "lives = [{ introduced = \"1.0\", removed = \"1.1\" }, { introduced = \"1.2\" }]",
        ),
        (
            "g",
            "v1",
            "Elsewhere",
            "introduced = \"1.0\", replacement = \"g/v1 lower\"",
        ),
        ("g", "v1", "Near", "introduced = \"1.0\", replacement = \"v2\""),
        (
            "G",
            "v1",
            "Loud",
            "introduced = \"1.0\", deprecated = \"1.1\", replacement = \"G/v1 Other\"",
        ),
    ];
    let mut text = "[calendar.releases]\n\"1.0\" = 2020-01-01\n\"1.1\" = 2020-05-01\n\"1.2\" = 2020-09-01\n".to_owned();
    for group in ["g", "G"] {
        writeln!(text, "[group.{group}.version.v1]\nintroduced = \"1.0\"").unwrap();
    }
    text.push_str("[group.bare.version.v1]\nintroduced = \"1.0\"\n");
    for (group, version, kind, said) in kinds {
        writeln!(text, "[group.{group}.kind.{kind}]\nversion.{version} = {{ {said} }}").unwrap();
    }
    let (tags, reported) = exported(&text);
    for words in [
        "g/v1 Twice: its earlier lives; only the last one is listed",
        "g/v1 Elsewhere: its replacement g/v1 lower, which no tag can name",
        "G/v1 Loud: its replacement G/v1 Other, which no tag can name",
        "bare/v1: the model declares none of its kinds",
    ] {
        assert!(reported.contains(words), "{words}\n{reported}");
    }
    assert_eq!(reported.lines().count(), 5, "{reported}");
    assert_eq!(tags["g/v1 Twice"], of(&[("introduced", "1.2")]));
    assert_eq!(
        tags["g/v1 Near"],
        of(&[("introduced", "1.0"), ("replacement", "g,v2,Near")])
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "the data stays outside the tree, and only the environment knows where"
)]
fn collected(path: &str) -> Option<Value> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
        return None;
    };
    let text = std::fs::read_to_string(PathBuf::from(folder).join(path)).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

fn strings(value: &Value, keys: &[&str]) -> Tags {
    let pairs = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), value[*key].as_str()?.to_owned())));
    pairs.collect()
}

const RELEASES: [&str; 3] = ["introduced", "deprecated", "removed"];

#[test]
fn the_tags_of_kubernetes_come_back() {
    let Some(data) = collected("kubernetes/lifecycle.json") else {
        return;
    };
    let name = |kind: &Value, key: &str| kind[key].as_str().unwrap().to_owned();
    // One kind has a marker that was written by hand.
    let by_tags = |kind: &&Value| kind["hand_written_markers"].as_array().unwrap().is_empty();
    let tagged = data["kinds"].as_array().unwrap().iter().filter(by_tags);
    let tagged: Vec<(String, String, String, Tags, Tags)> = tagged
        .map(|kind| {
            let said = strings(
                &kind["explicit_tags"],
                &["introduced", "deprecated", "removed", "replacement"],
            );
            (
                name(kind, "group"),
                name(kind, "version"),
                name(kind, "kind"),
                said,
                strings(kind, &RELEASES),
            )
        })
        .filter(|(.., said, _)| !said.is_empty())
        .collect();
    let kinds: Vec<(&str, &str, &str, Tags)> = tagged
        .iter()
        .map(|(group, version, kind, said, _)| (group.as_str(), version.as_str(), kind.as_str(), said.clone()))
        .collect();
    let (found, _) = exported(&model(&kinds));
    assert_eq!(found.len(), kinds.len());
    assert!(
        kinds.len() > 150 && tagged.iter().filter(|kind| !kind.4.is_empty()).count() > 100,
        "{}",
        kinds.len()
    );
    for (group, version, kind, said, markers) in &tagged {
        let group = if group.is_empty() { "core" } else { group };
        let id = format!("{group}/{version} {kind}");
        assert_eq!(&found[&id], said, "{id}");
        let mut made = generated(version, &found[&id]);
        made.remove("replacement");
        // In some packages the generator is not run.
        assert!(markers.is_empty() || made == *markers, "{id}: {made:?} {markers:?}");
    }
}

#[test]
fn what_the_generator_assumes_is_reported_and_nothing_else() {
    let Some(rules) = collected("kubernetes/generator_rules.json") else {
        return;
    };
    let vectors = rules["test_vectors_from_status_test.go"].as_array().unwrap();
    let vectors = vectors.iter().filter(|vector| vector["out"].is_object());
    let mut count = 0;
    for vector in vectors {
        let (version, said) = (vector["version"].as_str().unwrap(), strings(vector, &RELEASES));
        let (found, reported) = exported(&model(&[("g", version, "Bolt", said.clone())]));
        let found = &found[&format!("g/{version} Bolt")];
        assert_eq!(found, &said);
        let made = generated(version, found);
        assert_eq!(made, strings(&vector["out"], &RELEASES), "{vector}");
        assert_eq!(
            reported.contains("assumes three releases later"),
            made != said,
            "{vector}\n{reported}"
        );
        count += 1;
    }
    assert!(count > 5, "{count}");
}
