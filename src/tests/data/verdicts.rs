//! The verdicts of replays, row by row, and how many there are of each.

use std::collections::{BTreeMap, BTreeSet};

use lifecycle::Sources;

use super::{
    Data, EDITIONS, KNOWN, Row, Surface, agree, by_id, evaluated, id, list, lives, minor, release, replayed, reported,
    rows, word,
};
use crate::tests::support::findings;

/// What is found of the 64 betas, as of the newest release known.
struct Found {
    late_by_the_text: BTreeSet<String>,
    late_by_editions: BTreeSet<String>,
    early: BTreeSet<String>,
    overdue: BTreeSet<String>,
}

impl Found {
    fn new(model: &str) -> Self {
        let rule = "version-lifetime";
        let (by_the_text, by_editions) = (findings(model), findings(&format!("{EDITIONS}\n{model}")));
        let mut early = reported(&by_the_text, rule, "early");
        early.extend(reported(&by_editions, rule, "early"));
        Self {
            late_by_the_text: reported(&by_the_text, rule, "not-deprecated-in-time"),
            late_by_editions: reported(&by_editions, rule, "not-deprecated-in-time"),
            early,
            overdue: reported(&by_the_text, rule, "overdue"),
        }
    }

    /// The verdict on a deprecation, in the words of the replay.
    fn deprecation(&self, id: &str) -> &'static str {
        match (self.late_by_the_text.contains(id), self.late_by_editions.contains(id)) {
            (false, false) => "in time",
            (true, false) => "too late by the text, in time by KEP-1635 (clock starts at 1.19)",
            (true, true) => "too late",
            (false, true) => "too late by editions alone",
        }
    }

    /// The verdict on a removal, in the words of the replay; `earliest` is the soonest that is lawful, if dates reach
    /// it.
    fn removal(&self, row: &Row<'_>, earliest: Option<&str>) -> &'static str {
        let id = id(row);
        let removed = Some(row["removed"]).filter(|removed| minor(removed) <= KNOWN);
        match (self.early.contains(&id), self.overdue.contains(&id), removed) {
            (true, ..) => "early",
            (false, true, _) => "later than the bound (served past the deadline)",
            (.., Some(removed)) if earliest == Some(removed) => "exactly on the bound",
            (.., None) if earliest.is_none() => "not evaluable (dates end)",
            _ => "neither early, nor overdue, nor on the bound",
        }
    }
}

#[test]
fn every_verdict_on_64_betas_is_that_of_the_replay() {
    let Some(data) = Data::find() else { return };
    let text = data.text("kubernetes/policy_replay.tsv");
    let rows = rows(&text, '\t');
    let calendar = data.known_calendar("cadence = { months = 4 }", 0);
    let model = format!("{calendar}{}", replayed(&rows));
    let found = Found::new(&model);
    let evaluation = evaluated(&model);
    let report = evaluation.report(&Sources::new());
    let elements = by_id(&report);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in &rows {
        let id = id(row);
        let earliest = elements[id.as_str()].earliest_removal;
        let earliest = earliest.filter(|moment| moment.date_kind == "actual");
        let verdicts = [found.deprecation(&id), found.removal(row, release(earliest))];
        if verdicts != [row["deprecation"], row["removal"]] {
            wrong.push(format!(
                "{id}: {verdicts:?}, not {:?}",
                [row["deprecation"], row["removal"]]
            ));
        }
        for verdict in verdicts {
            *counts.entry(verdict).or_default() += 1;
        }
    }
    agree(&wrong);
    let expected = [
        ("in time", 28),
        ("too late by the text, in time by KEP-1635 (clock starts at 1.19)", 34),
        ("too late", 2),
        ("exactly on the bound", 24),
        ("later than the bound (served past the deadline)", 31),
        ("not evaluable (dates end)", 9),
    ];
    assert_eq!(counts, expected.into());
}

#[test]
fn storage_really_moved_when_the_plan_of_the_versions_served_moves_it() {
    let Some(data) = Data::find() else { return };
    let facts = data.json("kubernetes/preferred_4b.json");
    let known = list(&facts, "known_actual_storage_versions");
    assert_eq!(known.len(), 2);
    let mut wrong = Vec::new();
    for fact in known {
        let group = word(&fact["group"]);
        for kind in list(&facts, "kinds").iter().filter(|kind| kind["group"] == group) {
            let mut surface = Surface::default();
            let timeline = kind["timeline"].as_object().expect("rows by release");
            let versions: BTreeSet<&str> = timeline
                .values()
                .flat_map(|row| list(row, "served"))
                .map(word)
                .collect();
            for version in versions {
                surface.add(group, version, word(&kind["kind"]), lives(&kind["timeline"], version));
            }
            let evaluation = evaluated(&(data.known_calendar("", 0) + &surface.toml()));
            let report = evaluation.report(&Sources::new());
            let group = report.groups.iter().next().expect("a group");
            let mut rows = group.releases.iter();
            let row = rows.find(|row| fact["release"] == row.release).expect("a release");
            if row.storage != fact["storage"].as_str() {
                wrong.push(format!(
                    "{} {}: {:?}, not {}",
                    kind["kind"], row.release, row.storage, fact["storage"]
                ));
            }
        }
    }
    agree(&wrong);
}
