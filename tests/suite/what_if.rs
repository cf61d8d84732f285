//! What a change shows is what the edited files give, and nothing but what moves.

#![expect(
    clippy::expect_used,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use chrono::Days;
use lifecycle::evaluate::{Evaluation, Extent, Load, Loaded};
use lifecycle::release::AsOf;
use lifecycle::render::json;
use lifecycle::report::{Movement, MovingEvent, SideBySideReport, WhatIfReport};
use lifecycle::what_if::Changes;
use lifecycle::{Document, FileId, Sources, grammar::EventKind};
use proptest::prelude::*;
use serde_json::Value;

use crate::program::{each, folder, run_in, run_on};
use crate::support::evaluate;
use crate::worlds::{
    At, Life, Other, World, built_ins, cases, evaluated_text, load, other_id, version_name, with_policies, world,
};

/// The sort of a change, and numbers that choose its details.
type Raw = (u8, usize, usize, usize);

/// A world with a change made to it, and the same change as it is asked for.
struct Changed {
    world: World,
    changes: Changes,
}

impl Changed {
    fn id(&self, at: usize) -> String {
        let group = &self.world.groups[0];
        format!("{}/{}", group.name, version_name(group.versions[at].name))
    }

    fn make(&mut self, (sort, first, second, third): Raw) {
        let listed = self.world.dates.listed();
        match sort % 9 {
            0 => self.declare(first, second, Some(third % listed)),
            1 => self.declare(first, second, None),
            2 => self.slip(first, second),
            3 => self.calendar(second),
            4 => self.policy(first),
            5 => self.drop_last(),
            6 => self.add(third % listed),
            7 => self.patch(first, third % listed),
            _ => self.drop_version(first),
        }
    }

    fn declare(&mut self, first: usize, second: usize, to: Option<At>) {
        let at = first % self.world.groups[0].versions.len();
        let id = self.id(at);
        let name = to.map_or(String::new(), |to| self.world.dates.name(to));
        let life = &mut self.world.groups[0].versions[at].life;
        let key = if second.is_multiple_of(2) {
            (life.deprecated, life.never) = (to, false);
            "deprecated"
        } else {
            life.removed = to;
            "removed"
        };
        let event = format!("{id}.{key}=");
        self.changes.declarations.retain(|known| !known.starts_with(&event));
        self.changes.declarations.push(format!("{event}{name}"));
    }

    /// Moves a listed release with a day, and all later ones.
    fn slip(&mut self, first: usize, days: usize) {
        let dates = &mut self.world.dates;
        let at = first % dates.listed();
        if dates.symbolic || dates.days[at].is_none() || !self.changes.slips.is_empty() {
            return;
        }
        let days = days as u64 % 40;
        for day in dates.days[at..].iter_mut().flatten() {
            *day = *day + Days::new(days);
        }
        self.changes
            .slips
            .push(format!("{}=+{days}d", self.world.dates.name(at)));
    }

    /// Another calendar: what has not shipped comes later, and one more release does.
    fn calendar(&mut self, days: usize) {
        let floor = self.world.dates.floor();
        let dates = &mut self.world.dates;
        let is_dated = dates.days.iter().all(Option::is_some);
        if dates.symbolic || !is_dated || dates.second_major.is_some() || !self.changes.slips.is_empty() {
            return;
        }
        for day in dates.days[floor..].iter_mut().flatten() {
            *day = *day + Days::new(days as u64 % 40);
        }
        let last = dates.days.last().copied().flatten().expect("a day");
        dates.days.push(Some(last + Days::new(30)));
        let rows = (0..dates.listed()).map(|at| format!("{},{}\n", dates.name(at), dates.days[at].expect("a day")));
        self.changes.calendar = Some(("new.csv".to_owned(), rows.collect()));
    }

    fn policy(&mut self, first: usize) {
        let edition = built_ins()[first % 4].clone();
        if self.world.editions.len() == 1 {
            self.changes.policy = Some(edition.name.clone());
            self.world.editions = vec![(0, edition)];
        }
    }

    fn drop_last(&mut self) {
        if !self.changes.added.is_empty() {
            return;
        }
        if let Some(other) = self.world.others.pop() {
            self.changes.dropped.push(other_id(self.world.others.len(), &other));
        }
    }

    fn add(&mut self, at: At) {
        if !self.changes.dropped.is_empty() {
            return;
        }
        let life = Life {
            introduced: Some(at),
            ..Life::default()
        };
        let other = Other::Behavior { life };
        let id = other_id(self.world.others.len(), &other);
        self.world.others.push(other);
        self.changes.added.push(format!("{id}@{}", self.world.dates.name(at)));
    }

    fn patch(&mut self, first: usize, to: At) {
        // Declarations are made after patches.
        if !self.changes.declarations.is_empty() {
            return;
        }
        let group = &mut self.world.groups[0];
        let at = first % group.versions.len();
        group.versions[at].life.removed = Some(to);
        let name = version_name(group.versions[at].name);
        let text = format!(
            "[group.\"{}\".version.{name}]\nremoved = \"{}\"\n",
            group.name,
            self.world.dates.name(to)
        );
        self.changes.patches.push(("change.toml".to_owned(), text));
    }

    /// Drops a version of the second group that no other one names.
    fn drop_version(&mut self, first: usize) {
        let Some(group) = self.world.groups.get_mut(1).filter(|group| group.versions.len() > 1) else {
            return;
        };
        let at = first % group.versions.len();
        if group.versions.iter().any(|version| version.replacement == Some(at)) || !self.changes.dropped.is_empty() {
            return;
        }
        let dropped = group.versions.remove(at);
        for version in &mut group.versions {
            version.replacement = version.replacement.map(|other| other - usize::from(other > at));
        }
        for kind in &mut group.kinds {
            kind.within.remove(&at);
            let within = std::mem::take(&mut kind.within);
            kind.within = within
                .into_iter()
                .map(|(own, life)| (own - usize::from(own > at), life))
                .collect();
        }
        group.kinds.retain(|kind| !kind.within.is_empty());
        self.changes
            .dropped
            .push(format!("{}/{}", group.name, version_name(dropped.name)));
    }
}

fn plan(evaluation: &Evaluation, text: &str) -> Value {
    let sources = sources_of(text);
    let mut out = Vec::new();
    json::report(&evaluation.report(&sources), &mut out).expect("a list takes all bytes");
    serde_json::from_slice(&out).expect("JSON")
}

/// A report without places: a key that is added stands behind the others.
fn without_places(mut report: Value) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(entries) => {
                for key in ["line", "column", "labels", "fix"] {
                    entries.remove(key);
                }
                entries.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut report);
    if let Some(findings) = report["diagnostics"].as_array_mut() {
        findings.sort_by_key(ToString::to_string);
    }
    report.to_string()
}

const EVENTS: [&str; 4] = ["introduced", "deprecated", "hidden", "removed"];

/// The events in a report: element, event and life, with release and whether it is declared.
fn events(report: &Value) -> BTreeMap<(String, &'static str, usize), String> {
    let mut events = BTreeMap::new();
    for element in report["elements"].as_array().into_iter().flatten() {
        let id = element["id"].as_str().unwrap_or_default();
        let earlier = element["earlier_lives"].as_array().cloned().unwrap_or_default();
        for (life, entry) in earlier.iter().chain([element]).enumerate() {
            for what in EVENTS {
                if let Some(release) = entry[what]["release"].as_str() {
                    let declared = &entry[what]["declared"];
                    events.insert((id.to_owned(), what, life + 1), format!("{release} {declared}"));
                }
            }
        }
    }
    events
}

/// How many events two reports have in one only, and in both in other releases.
fn difference(before: &Value, after: &Value) -> [usize; 3] {
    let (before, after) = (events(before), events(after));
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut counts = [0; 3];
    for key in keys {
        match (before.get(key), after.get(key)) {
            (None, _) => counts[0] += 1,
            (Some(from), Some(to)) => counts[1] += usize::from(from != to),
            (Some(_), None) => counts[2] += 1,
        }
    }
    counts
}

/// The same of what a change shows.
fn shown(report: &WhatIfReport<'_>) -> [usize; 3] {
    let kinds = EVENTS.map(|what| EventKind::parse(what).expect("an event"));
    let moves = report
        .events
        .iter()
        .filter(|moved| matches!(moved.event, MovingEvent::Event(event) if kinds.contains(&event.kind)));
    [Movement::Added, Movement::Moved, Movement::Removed]
        .map(|change| moves.clone().filter(|moved| moved.change == change).count())
}

/// A model with gates, every other one of which is to be dropped, and then all of them.
fn with_gates(count: usize) -> (String, [Vec<String>; 2]) {
    let mut text =
        String::from("[calendar]\ncurrent = \"1.0\"\ncadence = { months = 4 }\nreleases = { \"1.0\" = 2024-01-01 }\n");
    for gate in 0..count {
        let spec = "{ stage = \"alpha\", since = \"1.0\", default = false }";
        let _ = writeln!(text, "\n# Gate {gate}.\n[gate.G{gate}]\nspecs = [{spec}]");
    }
    let all: Vec<String> = (0..count).map(|gate| format!("gate G{gate}")).collect();
    let some = all.iter().step_by(2).cloned().collect();
    (text, [some, all])
}

fn dropped(text: &str, ids: &[String]) -> String {
    let before = evaluate(text).expect("a model");
    let changes = Changes {
        dropped: ids.to_vec(),
        ..Changes::default()
    };
    let documents = [Document::parse(FileId(0), text)];
    changes
        .apply(&before, &documents)
        .expect("gates that can be dropped")
        .remove(0)
}

#[test]
fn what_is_dropped_together_is_what_is_dropped_one_by_one() {
    let (text, both) = with_gates(12);
    for ids in both {
        let mut one_by_one = text.clone();
        for id in &ids {
            one_by_one = dropped(&one_by_one, std::slice::from_ref(id));
        }
        assert_eq!(dropped(&text, &ids), one_by_one);
    }
}

/// Each of them would read the text once if they were deleted one by one: that takes minutes.
#[test]
fn many_drops_read_the_text_few_times() {
    let (text, [_, all]) = with_gates(4_000);
    let left = dropped(&text, &all);
    assert!(!left.contains("[gate."), "{left}");
}

#[test]
fn each_of_two_changes_is_what_it_is_alone() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.6"),
        "[group.\"g.example.com\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.2\" }\n\
         [group.\"g.example.com\".kind.Widget]\n"
    );
    let before = evaluate(text).expect("a model");
    let documents = [Document::parse(FileId(0), text)];
    let changes = [
        "g.example.com/v1.introduced=1.3",
        "g.example.com/v1beta1.deprecated=1.4",
    ]
    .map(|set| Changes {
        declarations: vec![set.to_owned()],
        ..Changes::default()
    });
    let sources = Sources::new();
    let mut states = changes.clone().map(|changes| {
        let texts = changes.apply(&before, &documents).expect("changes that fit");
        evaluate(&texts[0]).expect("a model")
    });
    let reports = states.iter_mut().zip(&changes);
    let reports: Vec<WhatIfReport<'_>> = reports
        .map(|(after, changes)| after.what_if(&sources, &before, changes.words()))
        .collect();
    let alone: Vec<String> = reports.iter().map(in_json).collect();
    let beside = SideBySideReport::of(reports);
    assert_eq!(beside.alternatives.iter().map(in_json).collect::<Vec<_>>(), alone);
    let moved = beside
        .events
        .iter()
        .find(|moved| moved.element == "g.example.com/v1beta1" && moved.event.as_str() == "deprecated");
    let to: Vec<Option<&str>> = moved
        .expect("both move it")
        .to
        .iter()
        .map(|to| to.and_then(|to| to.release))
        .collect();
    assert_eq!(to, [Some("1.3"), Some("1.4")]);
    let introduced = beside
        .events
        .iter()
        .find(|moved| moved.event.as_str() == "introduced")
        .expect("the first one moves it");
    assert!(introduced.to[0].is_some() && introduced.to[1].is_none());
}

/// The report of a change from what it may reach alone.
fn around(changed: &Changed, worlds: [&World; 2], texts: [&str; 2]) -> String {
    let [was, is] = texts.map(|text| [Document::parse(FileId(0), text)]);
    let [before, after] = [(worlds[0], &was), (worlds[1], &is)];
    let [before, after] = [before, after].map(|(world, documents)| with_policies(world, documents).read());
    let (before, after) = (before.expect("a model"), after.expect("a model"));
    let edited = changed.changes.edit(&before, &was).expect("changes that fit");
    let on_other_days = before
        .on_days_of(texts[0], &is[0])
        .filter(|_| edited.extent == Extent::Days);
    let after = on_other_days.unwrap_or(after);
    let states = Loaded::around_change([before, after], &edited.extent).map(Loaded::evaluate);
    let [before, after] = states.map(|state| state.expect("a plan"));
    let (mut after, sources) = (after, sources_of(texts[1]));
    in_json(&after.what_if(&sources, &before, changed.changes.words()))
}

fn sources_of(text: &str) -> Sources<'_> {
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", text);
    sources
}

fn in_json(report: &WhatIfReport<'_>) -> String {
    let mut out = Vec::new();
    json::value(report, &mut out).expect("a list takes all bytes");
    String::from_utf8(out).expect("text")
}

#[test]
fn a_new_version_has_the_kinds_of_the_highest_one() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.6"),
        "[group.\"g.example.com\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.0\" }\n\
         [group.\"g.example.com\".kind]\nWidget = {}\nGadget = { versions = [\"v1\"] }\nOld = { versions = [\"v1beta1\"] }\n"
    );
    let before = evaluate(text).expect("a model");
    let changes = Changes {
        added: vec!["g.example.com/v2@1.3".to_owned()],
        ..Changes::default()
    };
    let documents = [Document::parse(FileId(0), text)];
    let texts = changes.apply(&before, &documents).expect("a version that can be added");
    let mut after = evaluate(&texts[0]).expect("a model");
    let sources = Sources::new();
    let report = after.what_if(&sources, &before, changes.words());
    let new = report
        .events
        .iter()
        .filter(|moved| moved.event.as_str() == "introduced");
    let new: Vec<&str> = new.map(|moved| moved.element).collect();
    assert_eq!(
        new,
        ["g.example.com/v2", "g.example.com/v2 Gadget", "g.example.com/v2 Widget"]
    );
}

/// Whether a slip leaves all of a model but its calendar as it was read.
fn leaves_what_was_read(text: &str, slip: &str, as_of: Option<AsOf>) -> bool {
    let was = [Document::parse(FileId(0), text)];
    let mut load = Load::new(&was);
    if let Some(moment) = as_of {
        load.as_of(moment);
    }
    let before = load.read().expect("a model");
    let changes = Changes {
        slips: vec![slip.to_owned()],
        ..Changes::default()
    };
    let edited = changes.edit(&before, &was).expect("a slip that fits");
    assert_eq!(edited.extent, Extent::Days);
    let is = Document::parse(FileId(0), &edited.texts[0]);
    before.on_days_of(text, &is).is_some()
}

#[test]
fn a_slip_is_read_from_what_was_read_unless_more_than_days_follows_from_it() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n");
    assert!(leaves_what_was_read(text, "1.3=+3w", None));
    assert!(!leaves_what_was_read(text, "1.8=+3w", None), "more lines");
    let june = || Some(AsOf::Day("2024-06-01".parse().expect("a day")));
    assert!(leaves_what_was_read(text, "1.6=+3w", june()));
    assert!(
        !leaves_what_was_read(text, "1.5=-3m", june()),
        "1.5 has shipped by then"
    );
}

#[test]
fn a_patch_keeps_numbers_as_they_are_written() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n");
    let usage = "requires-usage-below = { requests-per-day = 10, over = \"30d\", coverage = 0.9 }";
    let changes = Changes {
        patches: vec![("change.toml".to_owned(), usage.to_owned())],
        ..Changes::default()
    };
    let texts = changes.apply(&evaluate(text).expect("a model"), &[Document::parse(FileId(0), text)]);
    let texts = texts.expect("a patch that fits");
    assert!(texts[0].contains("coverage = 0.9"), "{}", texts[0]);
    evaluate(&texts[0]).expect("a model");
}

#[test]
fn an_exception_of_a_patch_is_added_once() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n");
    let exception = "[[exception]]\napproved-by = \"release team\"\nelement = \"behavior b\"\n\
                     reason = \"why\"\nrule = \"5b\"\n";
    let lay = |text: &str, patch: &str| {
        let changes = Changes {
            patches: vec![("change.toml".to_owned(), patch.to_owned())],
            ..Changes::default()
        };
        let before = evaluate(text).expect("a model");
        let texts = changes.apply(&before, &[Document::parse(FileId(0), text)]);
        texts.expect("a patch that fits").remove(0)
    };
    let once = lay(text, exception);
    assert_eq!(once, format!("{text}\n{exception}"));
    assert_eq!(lay(&once, exception), once);
    assert_ne!(lay(&once, &exception.replace("why", "other")), once);
}

#[test]
fn changes_that_contradict_each_other_are_refused() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n[behavior.c]\n");
    let before = evaluate(text).expect("a model");
    let with = |[set, added, dropped]: [&[&str]; 3]| {
        let [declarations, added, dropped] =
            [set, added, dropped].map(|all| all.iter().map(|one| (*one).to_owned()).collect());
        let changes = Changes {
            declarations,
            added,
            dropped,
            ..Changes::default()
        };
        changes.apply(&before, &[Document::parse(FileId(0), text)])
    };
    let (b, c) = ("behavior b", "behavior c");
    let (early, late) = ("behavior b.deprecated=1.3", "behavior b.deprecated=1.4");
    for (changes, message) in [
        (
            [&[early, late][..], &[], &[]],
            "behavior b.deprecated is set to two values",
        ),
        (
            [&[], &["behavior d@1.3", "behavior d@1.4"], &[]],
            "behavior d is added twice",
        ),
        ([&[], &[], &[b, b]], "behavior b is dropped twice"),
        ([&[], &[b], &[b]], "behavior b is dropped and added"),
        (
            [&[early], &[], &[b]],
            "behavior b is dropped, and something of it is set",
        ),
        (
            [&["behavior d.deprecated=1.4"], &["behavior d"], &[]],
            "behavior d is added, so nothing of it is set yet",
        ),
    ] {
        assert_eq!(with(changes).expect_err(message).message, message);
    }
    with([&[early, early], &["behavior d"], &[c]]).expect("changes of different elements");
}

#[test]
fn a_kind_is_added_to_one_version() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.6"),
        "[group.g.version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.1\" }\n[group.g.kind.K]\n"
    );
    let changes = Changes {
        added: vec!["g/v1 L@1.3".to_owned()],
        ..Changes::default()
    };
    with_changes(text, &changes, |report| {
        let mut elements: Vec<&str> = report.events.iter().map(|moved| moved.element).collect();
        elements.dedup();
        assert_eq!(elements, ["g/v1 L"], "{report:#?}");
        assert_eq!(report.counts.illegal, 0, "{report:#?}");
    });
}

#[test]
fn a_patch_that_names_files_is_refused() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n");
    let was = [Document::parse(FileId(0), text)];
    let before = evaluate(text).expect("a model");
    for patch in ["include = [\"more/*.toml\"]", "schemas = [\"crds\"]"] {
        let changes = Changes {
            patches: vec![("change.toml".to_owned(), patch.to_owned())],
            ..Changes::default()
        };
        let refused = changes.apply(&before, &was).expect_err("files are not tried");
        assert!(refused.message.contains("names files"), "{refused:?}");
    }
}

#[test]
fn an_element_that_is_edited_is_read_again() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.6"),
        "[behavior.b]\ndeprecated = \"1.3\"\n"
    );
    let was = [Document::parse(FileId(0), text)];
    let before = Load::new(&was).read().expect("a model");
    let edited = text.replace("deprecated = \"1.3\"", "deprecated = \"1.4\"");
    assert!(before.on_days_of(text, &Document::parse(FileId(0), &edited)).is_none());
}

/// The model with some changes, compared with the model as it is.
fn with_changes<T>(text: &str, changes: &Changes, look: impl FnOnce(&WhatIfReport<'_>) -> T) -> T {
    let before = evaluate(text).expect("a model");
    let documents = [Document::parse(FileId(0), text)];
    let texts = changes.apply(&before, &documents).expect("changes that fit");
    let mut after = evaluate(&texts[0]).expect("a model");
    let sources = Sources::new();
    look(&after.what_if(&sources, &before, changes.words()))
}

#[test]
fn a_projected_release_that_is_listed_now_is_not_added() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n");
    let changes = Changes {
        slips: vec!["1.8=+3w".to_owned()],
        ..Changes::default()
    };
    let moves = with_changes(text, &changes, |report| {
        let moves = report.releases.iter();
        let moves = moves.map(|moved| {
            (
                moved.release.to_owned(),
                moved.change,
                moved.from.is_some(),
                moved.to.is_some(),
            )
        });
        moves.collect::<Vec<_>>()
    });
    assert_eq!(moves[0], ("1.8".to_owned(), Movement::Moved, true, true), "{moves:?}");
    assert!(
        moves.iter().all(|(_, change, ..)| *change == Movement::Moved),
        "{moves:?}"
    );
}

#[test]
fn a_release_that_keeps_its_day_does_not_move() {
    let text = concat!("\n", calendar!(current "1.1", to "1.6"), "[behavior.b]\n");
    let slipped = |slip: &str| Changes {
        slips: vec![slip.to_owned()],
        ..Changes::default()
    };
    with_changes(text, &slipped("1.8=+3w"), |report| {
        assert!(
            report.releases.iter().all(|moved| moved.release != "1.7"),
            "{report:#?}"
        );
        assert_eq!(report.counts.releases, report.releases.len());
        let kept: Vec<&str> = report.same_day.iter().map(|kept| kept.release).collect();
        assert_eq!(kept, ["1.7"]);
    });
    with_changes(text, &slipped("1.7=+0d"), |report| {
        assert_eq!((report.counts.releases, report.same_day.len()), (0, 1), "{report:#?}");
        assert!(!report.is_empty(), "the release is announced now");
    });
}

#[test]
fn a_version_of_which_one_kind_is_announced_to_end_is_not_announced_to() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.9"),
        "[group.\"g.example.com\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.0\" }\n\
         [group.\"g.example.com\".kind]\n\
         A = { version = { v1beta1 = { deprecated = \"1.2\", removed = \"1.6\" } } }\n\
         B = { version = { v1beta1 = { deprecated = \"1.2\" } } }\n"
    );
    let changes = Changes {
        declarations: vec!["g.example.com/v1beta1 B.deprecated=1.5".to_owned()],
        ..Changes::default()
    };
    with_changes(text, &changes, |report| {
        let moved = report
            .events
            .iter()
            .find(|moved| moved.element == "g.example.com/v1beta1" && moved.event.as_str() == "removed");
        let declared =
            moved.map(|moved| [moved.from, moved.to].map(|moment| moment.and_then(|moment| moment.declared)));
        assert_eq!(declared, Some([Some(true), Some(false)]), "{:?}", report.events);
        let missed = report
            .missed
            .iter()
            .map(|missed| (missed.element, missed.event.map(MovingEvent::as_str)));
        assert_eq!(
            missed.collect::<Vec<_>>(),
            [(Some("g.example.com/v1beta1"), Some("deprecated")),]
        );
    });
}

/// The entry of the field lists no versions: each declaration lists the one that it is about, and the others.
#[test]
fn a_field_changes_in_several_versions_at_once() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.9"),
        "[group.\"g.example.com\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1alpha1 = { introduced = \"1.0\" }\n\
         [group.\"g.example.com\".kind.Widget.field]\n\"spec.day\" = {}\n"
    );
    let declarations = [
        "v1beta1 Widget .spec.day.deprecated=1.2",
        "v1beta1 Widget .spec.day.removed=1.5",
    ];
    let both = [
        declarations[0],
        declarations[1],
        "v1alpha1 Widget .spec.day.removed=1.5",
    ];
    let changes = Changes {
        declarations: both.map(|rest| format!("g.example.com/{rest}")).to_vec(),
        ..Changes::default()
    };
    let before = evaluate(text).expect("a model");
    let documents = [Document::parse(FileId(0), text)];
    let texts = changes.apply(&before, &documents).expect("changes that fit");
    let read = evaluate(&texts[0]).map(|_| ());
    assert_eq!(
        (read, texts[0].matches("removed = \"1.5\"").count()),
        (Ok(()), 2),
        "{}",
        texts[0]
    );
}

#[test]
fn a_migration_of_a_kind_is_shown() {
    let text = concat!(
        "\n",
        calendar!(current "1.1", to "1.9"),
        "[group.\"g.example.com\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.0\" }\n\
         [group.\"g.example.com\".kind]\nWidget = { version.v1beta1.migrated = \"1.3\" }\n"
    );
    let changes = Changes {
        declarations: vec!["g.example.com/v1beta1 Widget.migrated=1.5".to_owned()],
        ..Changes::default()
    };
    with_changes(text, &changes, |report| {
        let moved = report.events.iter().map(|moved| {
            let releases = [moved.from, moved.to].map(|moment| moment.map(|moment| moment.release));
            (moved.element, moved.event.as_str(), releases)
        });
        let expected = ("g.example.com/v1beta1 Widget", "migrated", [Some("1.3"), Some("1.5")]);
        assert_eq!(moved.collect::<Vec<_>>(), [expected]);
    });
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn what_if_shows_what_planning_the_edited_files_gives(
        world in world(),
        raw in prop::collection::vec((any::<u8>(), 0_usize..50, 0_usize..50, 0_usize..50), 1..=3),
    ) {
        let text = world.text();
        let mut changed = Changed { world: world.clone(), changes: Changes::default() };
        for raw in raw {
            changed.make(raw);
        }
        let before = evaluated_text(&world, &text);
        let documents = [Document::parse(FileId(0), &text)];
        let texts = changed.changes.apply(&before, &documents);
        let texts = texts.map_err(|problem| TestCaseError::fail(format!("{problem}: {:?}", changed.changes)))?;
        let edited = changed.world.text();
        match (load(&changed.world, &texts[0], None), load(&changed.world, &edited, None)) {
            (Ok(mut after), Ok(planned)) => {
                let (was, is) = (plan(&before, &text), plan(&after, &texts[0]));
                let expected = plan(&planned, &edited);
                prop_assert_eq!(is["elements"].to_string(), expected["elements"].to_string(), "{}", texts[0]);
                prop_assert_eq!(without_places(is.clone()), without_places(expected), "{}", texts[0]);
                let sources = sources_of(&texts[0]);
                let report = after.what_if(&sources, &before, changed.changes.words());
                prop_assert_eq!(shown(&report), difference(&was, &is), "{}\n{}", text, texts[0]);
                prop_assert_eq!(report.counts.illegal, report.illegal.len());
                prop_assert_eq!(in_json(&report), around(&changed, [&world, &changed.world], [&text, &texts[0]]));
            }
            (Err(_), Err(_)) => {}
            (is, planned) => prop_assert!(false, "{:?}\n{:?}\n{}\n{}", is.err(), planned.err(), texts[0], edited),
        }
    }

    #[test]
    fn no_change_moves_nothing(world in world()) {
        let text = world.text();
        let before = evaluated_text(&world, &text);
        let documents = [Document::parse(FileId(0), &text)];
        let texts = Changes::default().apply(&before, &documents).expect("nothing to do");
        prop_assert_eq!(&texts[0], &text);
        let mut after = evaluated_text(&world, &texts[0]);
        let sources = Sources::new();
        prop_assert!(after.what_if(&sources, &before, Vec::new()).is_empty());
    }
}

#[test]
fn a_target_that_a_rule_forbids_says_what_the_rule_waits_for() {
    let model = r#"
policy = "kubernetes-2019"
calendar.current = "1.1"
calendar.releases = { "1.0" = 2019-01-01, "1.1" = 2019-05-01, "1.2" = 2019-09-01, "1.3" = 2020-01-01 }
[group."g.example".version]
v1beta1 = { introduced = "1.0" }
[group."g.example".kind.Widget]
"#;
    let asked = run_on(model, &["by-when", "g.example/v1beta1.deprecated<=1.3", "-m", "-"]);
    asked.ended(1).says(&[
        "not reachable: g.example/v1beta1.deprecated<=1.3; no release is in sight",
        "#3 version-replacement: g.example/v1beta1 deprecated: nothing is deprecated until a version at",
        "stable is released (g.example/v1beta1 Widget is deprecated, but no version at least as",
    ]);
}

/// A version that is served again, and two kinds that have its lives.
const SERVED_AGAIN: &str = r#"
[calendar]
current = "X+3"
cadence = { months = 4 }
symbolic = { origin = "X", count = 9 }
[group.g.version]
v2 = { introduced = "X" }
v1alpha1 = { lives = [{ introduced = "X", removed = "X+1" }, { introduced = "X+3" }] }
[group.g.kind]
Gadget = { versions = ["v1alpha1", "v2"] }
Widget = { versions = ["v1alpha1", "v2"] }
"#;

#[test]
fn what_is_declared_of_a_kind_that_is_served_again_is_about_its_last_life() {
    let changes = Changes {
        declarations: ["deprecated=X+4", "removed=X+5"]
            .map(|rest| format!("g/v1alpha1 Gadget.{rest}"))
            .to_vec(),
        ..Changes::default()
    };
    let before = evaluate(SERVED_AGAIN).expect("a model");
    let documents = [Document::parse(FileId(0), SERVED_AGAIN)];
    let texts = changes.apply(&before, &documents).expect("changes that fit");
    let lives = "version.v1alpha1.lives = [{}, { deprecated = \"X+4\", removed = \"X+5\" }]";
    assert!(texts[0].contains(lives), "{}", texts[0]);
    let mut after = evaluate(&texts[0]).expect("a model");
    let sources = Sources::new();
    let report = after.what_if(&sources, &before, changes.words());
    assert_eq!((report.counts.illegal, report.counts.findings), (0, 0), "{report:#?}");
}

/// A version whose replacement has shipped without being served any more.
const GONE_FIRST: &str = r#"
[calendar]
current = "X+3"
cadence = { months = 4 }
symbolic = { origin = "X", count = 9 }
[config."tool.example".version]
v2alpha1 = { introduced = "X", removed = "X+3" }
v1alpha1 = { introduced = "X", deprecated = "X+2", replacement = "v2alpha1" }
"#;

#[test]
fn a_breach_that_has_shipped_is_no_new_one_where_its_bound_moves() {
    let changes = Changes {
        declarations: vec!["config tool.example/v1alpha1.removed=X+6".to_owned()],
        ..Changes::default()
    };
    with_changes(GONE_FIRST, &changes, |report| {
        assert_eq!((report.counts.illegal, report.counts.grown), (0, 1), "{report:#?}");
    });
    let removal = "config tool.example/v1alpha1@X+6";
    run_on(GONE_FIRST, &["check", "--remove", removal, "-m", "-"]).says(&["in X+6: allowed"]);
    let target = "config tool.example/v1alpha1.removed<=X+6";
    run_on(GONE_FIRST, &["by-when", target, "-m", "-"]).ended(0);
}

/// A removal in a release that has shipped is too early there, and cannot be declared there in any case.
#[test]
fn what_is_declared_for_a_release_that_has_shipped_has_one_next_step() {
    let changes = Changes {
        declarations: vec!["g.example/v1beta1.removed=1.5".to_owned()],
        ..Changes::default()
    };
    with_changes(ENTERED_LATER, &changes, |report| {
        let illegal = report.illegal.iter();
        let advice: Vec<(&str, Option<&str>)> = illegal
            .map(|finding| (finding.code.as_str(), finding.help.as_deref()))
            .collect();
        assert!(advice.contains(&("early", None)), "{advice:?}");
        let steps = advice.iter().filter_map(|(_, help)| *help);
        assert_eq!(
            steps.collect::<Vec<_>>(),
            ["declare it for 1.10 or later"],
            "{advice:?}"
        );
    });
}

#[test]
fn the_parts_of_a_part_are_counted_with_the_outermost_whole() {
    let text = concat!(
        "\n",
        calendar!(current "1.4", to "1.9"),
        "[group.\"g.example\".version]\nv1beta1 = { introduced = \"1.3\", deprecated = \"1.4\" }\n\
         [group.\"g.example\".kind.Widget.field]\n\"spec.a\" = {}\n\"spec.b\" = {}\n"
    );
    let changes = Changes {
        declarations: vec!["g.example/v1beta1.removed=1.8".to_owned()],
        ..Changes::default()
    };
    with_changes(text, &changes, |report| {
        let removed = report
            .event_groups
            .iter()
            .find(|group| group.event.as_str() == "removed");
        let counted = removed.map(|group| (group.events.len(), group.parts));
        assert_eq!((counted, report.counts.moved), (Some((1, 3)), 4), "{report:#?}");
    });
}

#[test]
fn entries_of_one_release_are_compared_in_their_order() {
    let text = concat!(
        "\n",
        calendar!(current "1.4", to "1.9"),
        "[gate.G]\nspecs = [{ stage = \"beta\", since = \"1.2\", default = true }, \
         { stage = \"GA\", since = \"1.2\", default = true, locked = true }]\n"
    );
    let changes = Changes {
        slips: vec!["1.6=+3w".to_owned()],
        ..Changes::default()
    };
    with_changes(text, &changes, |report| {
        assert_eq!(report.counts.illegal, 0, "{report:#?}");
    });
}

/// A version that was to be deprecated long ago, with a kind that entered it later.
const ENTERED_LATER: &str = concat!(
    "\n",
    calendar!(current "1.6", to "1.9"),
    "[group.\"g.example\".version]\nv1beta1 = { introduced = \"1.0\" }\nv1 = { introduced = \"1.5\" }\n\
     [group.\"g.example\".kind]\nOlder = {}\nYounger = { version = { v1beta1 = { introduced = \"1.1\" } } }\n"
);

#[test]
fn what_is_late_already_is_not_illegal_once_it_is_declared_late() {
    let changes = Changes {
        declarations: vec!["g.example/v1beta1.deprecated=1.7".to_owned()],
        ..Changes::default()
    };
    with_changes(ENTERED_LATER, &changes, |report| {
        assert_eq!(report.counts.illegal, 0, "{report:#?}");
    });
}

#[test]
fn a_bound_of_one_kind_names_that_kind() {
    let text = ENTERED_LATER.replacen(
        "introduced = \"1.0\" }",
        "introduced = \"1.0\", deprecated = \"1.4\" }",
        1,
    );
    let text = text.replacen("introduced = \"1.0\"", "introduced = \"1.1\"", 1);
    let text = text.replacen(
        "v1beta1 = { introduced = \"1.1\" }",
        "v1beta1 = { introduced = \"1.0\" }",
        1,
    );
    let found = evaluate(&text).expect("a model");
    let late = found
        .findings()
        .iter()
        .filter(|finding| finding.code == "not-deprecated-in-time");
    let late: Vec<_> = late.map(|finding| finding.element.as_deref()).collect();
    assert_eq!(late, [Some("g.example/v1beta1 Younger")], "{:#?}", found.findings());
}

#[test]
fn a_deprecation_after_one_that_was_withdrawn_stands_beside_it() {
    let model = concat!(
        "\n",
        calendar!(current "1.3", to "1.6"),
        "[group.\"g.example\".version]\n\
         v1alpha1 = { introduced = \"1.0\", deprecated = \"1.1\", undeprecated = \"1.2\" }\n\
         [group.\"g.example\".kind]\nWidget = {}\nGadget = {}\n"
    );
    for (element, written) in [
        (
            "g.example/v1alpha1",
            "deprecated = [\"1.1\", \"1.4\"], undeprecated = \"1.2\"",
        ),
        (
            "g.example/v1alpha1 Widget",
            "Widget = { version.v1alpha1.deprecated = [\"1.1\", \"1.4\"], version.v1alpha1.undeprecated = \"1.2\" }",
        ),
    ] {
        let asked = run_on(model, &["by-when", &format!("{element}.deprecated<=1.4"), "-m", "-"]);
        asked.ended(0).says(&["the soonest is 1.4"]);
        let changes = Changes {
            declarations: vec![format!("{element}.deprecated=1.4")],
            ..Changes::default()
        };
        let before = evaluate(model).expect("a model");
        let texts = changes
            .apply(&before, &[Document::parse(FileId(0), model)])
            .expect("changes that fit");
        assert!(texts[0].contains(written), "{}", texts[0]);
        with_changes(model, &changes, |report| {
            assert_eq!(report.counts.illegal, 0, "{report:#?}");
        });
    }
}

/// Two flags: one begins in 1.5, the others were removed.
const FLAGS: &str = concat!(
    "\n",
    calendar!(current "1.4", to "1.6"),
    "[cli.tool]\naudience = \"user\"\n[cli.tool.flag]\n\
     \"--early\" = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.3\", warning = \"w\" }\n\
     \"--late\" = { introduced = \"1.0\", deprecated = \"1.0\", removed = \"1.4\", warning = \"w\" }\n",
    "[group.\"g.example\".version]\nv1beta1 = { introduced = \"1.5\" }\nv1 = { introduced = \"1.6\" }\n\
     [group.\"g.example\".kind]\nWidget = {}\n"
);

#[test]
fn what_happened_too_late_for_a_target_is_named() {
    run_on(FLAGS, &["by-when", "cli tool *.removed<=1.3", "-m", "-"])
        .ended(1)
        .says(&[
            "(1 of 2 have happened in time, 1 later)",
            "  later: cli tool --late in 1.4",
        ]);
}

#[test]
fn no_exception_covers_an_end_before_the_beginning() {
    run_on(FLAGS, &["by-when", "g.example/v1beta1.removed<=1.5", "-m", "-"])
        .ended(1)
        .says(&[
            "g.example/v1beta1 Widget is introduced in 1.5",
            "no rule asks for that, so no exception helps",
        ])
        .silent_on(&["An exception would have to cover"]);
}

#[test]
fn changes_side_by_side_say_what_each_of_them_misses() {
    let slips = [
        "what-if", "-", "--slip", "1.5=+3w", "--only", "--", "--slip", "1.5=+2m", "--only",
    ];
    let table = run_on(FLAGS, &slips).ended(0).out;
    assert!(table.contains("Misses what was announced\n  A"), "{table}");
    assert!(
        table.contains("  A    release 1.5 (2024-09-01), now 1.5 (2024-09-22)"),
        "{table}"
    );
    assert!(
        table.contains("    B  release 1.5 (2024-09-01), now 1.5 (2024-11-01)"),
        "{table}"
    );
    let page = run_on(FLAGS, &[&["what-if", "--format", "markdown"], &slips[1..]].concat())
        .ended(0)
        .out;
    assert!(page.contains("## Misses what was announced"), "{page}");
    assert!(
        page.contains("| A   | release 1.5 (2024-09-01), now 1.5 (2024-09-22)"),
        "{page}"
    );
}

#[test]
fn a_calendar_of_a_target_out_of_reach_says_so() {
    for format in ["ics", "svg"] {
        run_on(
            FLAGS,
            &[
                "by-when",
                "g.example/v1beta1.removed<=1.5",
                "-m",
                "-",
                "--format",
                format,
            ],
        )
        .ended(1)
        .says(&["not reachable: g.example/v1beta1.removed<=1.5"]);
    }
}

#[test]
fn a_file_about_a_target_out_of_reach_says_so_and_why() {
    let file = |format: &str| {
        let target = "g.example/v1beta1.removed<=1.5";
        run_on(FLAGS, &["by-when", target, "-m", "-", "--format", format])
            .ended(1)
            .out
    };
    // Long lines of a calendar go on after a space.
    let calendar = file("ics").replace("\r\n ", "");
    for words in [
        "SUMMARY:Not reachable\r\n",
        "DESCRIPTION:not reachable: g.example/v1beta1.removed<=1.5\\; the soonest is ",
        " clashes with g.example/v1beta1 Widget is introduced in 1.5",
        "\\nnext: lifecycle by-when 'g.example/v1beta1.removed<=1.",
    ] {
        assert!(calendar.contains(words), "{words}: {calendar}");
    }
    let picture = file("svg");
    for words in [
        ">not reachable: g.example/v1beta1.removed&lt;=1.5",
        " clashes with g.example/v1beta1 Widget",
        ">next: lifecycle by-when",
    ] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
}

/// The version is declared to be removed in 1.8, one of its kinds in 1.7.
const LATER_KIND: &str = concat!(
    calendar!(current "1.4", to "1.9"),
    "[group.\"g.example\".version]\nv1alpha1 = { introduced = \"1.0\", removed = \"1.8\" }\n",
    "[group.\"g.example\".kind]\nGadget = { versions = [\"v1alpha1\"], version.v1alpha1.removed = \"1.7\" }\n",
    "Widget = { versions = [\"v1alpha1\"] }\n",
);

#[test]
fn a_version_that_stays_for_a_kind_names_the_kind() {
    let changes = Changes {
        declarations: vec!["g.example/v1alpha1.removed=1.6".to_owned()],
        ..Changes::default()
    };
    let moves = with_changes(LATER_KIND, &changes, |report| {
        let moves = report.events.iter();
        let moves = moves.map(|moved| {
            (
                moved.element.to_owned(),
                moved.to.map(|to| to.release.to_owned()),
                moved.reason.clone(),
            )
        });
        moves.collect::<Vec<_>>()
    });
    let expected = [
        ("g.example/v1alpha1", "1.7", "declared for its kind Gadget"),
        ("g.example/v1alpha1 Widget", "1.6", "declared"),
    ];
    let expected = expected.map(|(id, to, reason)| (id.to_owned(), Some(to.to_owned()), reason.to_owned()));
    assert_eq!(moves, expected);
}

#[test]
fn a_removal_later_than_announced_is_missed_in_check_and_in_what_if() {
    let text = LATER_KIND.replace(", version.v1alpha1.removed = \"1.7\"", "");
    let words = "isses what was announced";
    run_on(&text, &["check", "-m", "-", "--remove", "g.example/v1alpha1@1.9"])
        .ended(0)
        .says(&[words, "removed in 1.8"]);
    run_on(&text, &["check", "-m", "-", "--remove", "g.example/v1alpha1@1.7"])
        .ended(0)
        .silent_on(&[words]);
    run_on(
        &text,
        &["what-if", "-m", "-", "--set", "g.example/v1alpha1.removed=1.9"],
    )
    .says(&[words]);
}

#[test]
fn the_next_step_after_a_target_that_is_missed_can_be_reached() {
    let ask = |target: &str| run_on(LATER_KIND, &["by-when", target, "-m", "-"]);
    ask("g.example/v1alpha1.removed<=1.3").ended(1).says(&[
        "missed: g.example/v1alpha1.removed<=1.3; 1.3",
        "next: lifecycle by-when 'g.example/v1alpha1.removed<=1.5' -m -",
    ]);
    ask("g.example/v1alpha1.removed<=1.5")
        .ended(0)
        .silent_on(&["next: lifecycle by-when"]);
}

/// A gate that is locked, one that may be, and one whose next stage is to come.
const GATES: &str = concat!(
    calendar!(current "1.4", to "1.6"),
    "[gate.Locked]\nspecs = [{ stage = \"beta\", since = \"1.0\", default = true, locked = true }, \
     { stage = \"GA\", since = \"1.2\", default = true, locked = true }]\n",
    "[gate.Later]\nspecs = [{ stage = \"alpha\", since = \"1.0\", default = false }, \
     { stage = \"beta\", since = \"1.6\", default = true }]\n",
);

#[test]
fn a_lock_that_cannot_be_is_refused() {
    let before = evaluate(GATES).expect("a model");
    for (declaration, message) in [
        ("gate Later.locked=", "gate Later stays locked"),
        ("gate Later.locked=1.5", "the last entry of gate Later is for 1.6"),
        ("gate Locked.locked=1.5", "gate Locked is locked since 1.0"),
    ] {
        let changes = Changes {
            declarations: vec![declaration.to_owned()],
            ..Changes::default()
        };
        let refused = changes.apply(&before, &[Document::parse(FileId(0), GATES)]);
        let refused = refused.expect_err("it is refused");
        assert_eq!(refused.message, format!("{declaration}: {message}"));
        assert!(refused.help.contains("`specs`"), "{refused:?}");
    }
    let same = Changes {
        declarations: vec!["gate Locked.locked=1.0".to_owned()],
        ..Changes::default()
    };
    let same = same.apply(&before, &[Document::parse(FileId(0), GATES)]);
    assert_eq!(same.expect("nothing to do"), [GATES]);
}

#[test]
fn many_declarations_are_counted() {
    let flags = each(7, |at| {
        format!("\"--flag{at}\" = {{ introduced = \"1.0\", warning = \"w\" }}\n")
    });

    let text = FLAGS.replacen("[cli.tool.flag]\n", &format!("[cli.tool.flag]\n{flags}"), 1);
    run_on(&text, &["by-when", "cli tool --flag*.removed<=1.9", "-m", "-"])
        .ended(0)
        .says(&["Declare it at its earliest\n  14 declarations; --format json has the `command` that makes them"]);
}

#[test]
fn a_declared_removal_is_moved_and_not_proposed_again() {
    let text = FLAGS.replacen(
        "v1beta1 = { introduced = \"1.5\" }",
        "v1beta1 = { introduced = \"1.5\", removed = \"1.9\" }",
        1,
    );
    let proposed = run_on(&text, &["propose", "removal", "g.example/v1beta1", "-m", "-"]);
    proposed
        .ended(2)
        .says(&[
            "is removed in 1.9",
            "lifecycle what-if --set g.example/v1beta1.removed=RELEASE -m -",
        ])
        .silent_on(&["check --remove"]);
}

/// The entry of its stage says when a gate is deprecated, whatever another key says.
#[test]
fn the_deprecation_of_a_gate_moves_with_its_entry() {
    let text = concat!(
        calendar!(current "1.4", to "1.6"),
        "[gate.One]\nspecs = [{ stage = \"alpha\", since = \"1.3\", default = false }, \
         { stage = \"deprecated\", since = \"1.5\", default = false }]\nwarning = \"w\"\noperational = false\n"
    );
    run_on(text, &["what-if", "-", "--set", "gate One.deprecated=1.6"])
        .ended(0)
        .says(&["~ deprecated 1.5 → 1.6: gate One"]);
}

#[test]
fn an_event_that_is_declared_as_planned_does_not_move() {
    let text = FLAGS.replace(
        "v1beta1 = { introduced = \"1.5\" }",
        "v1beta1 = { introduced = \"1.1\" }",
    );
    let changed = run_on(&text, &["what-if", "-", "--set", "g.example/v1beta1.deprecated=1.5"]).out;
    let counts = "0 illegal, 0 missed; events: 2 declared as planned";
    assert!(changed.starts_with(counts), "{changed}");
    assert!(
        changed.contains("  ~ deprecated 1.5, declared as planned: g.example/v1beta1"),
        "{changed}"
    );
    let declared = text.replace("introduced = \"1.1\" }", "introduced = \"1.1\", deprecated = \"1.5\" }");
    let changed = run_on(&declared, &["what-if", "-", "--set", "g.example/v1beta1.deprecated="]).out;
    assert!(
        changed.contains("  ~ deprecated 1.5, planned, no longer declared: g.example/v1beta1"),
        "{changed}"
    );
}

#[test]
fn what_an_exception_names_is_not_dropped() {
    let exception = "\n[[exception]]\nrule = \"version-lifetime:overdue\"\nelement = \"g.example/v1beta1 Widget\"\n\
                     reason = \"r\"\napproved-by = \"a\"\n";
    let text = format!("{FLAGS}{exception}");
    for element in ["g.example/v1beta1", "g.example/v1beta1 Widget"] {
        run_on(&text, &["what-if", "-", "--drop", element]).ended(2).says(&[
            "an exception from version-lifetime names g.example/v1beta1 Widget, which would be dropped",
            "help: delete the exception first",
        ]);
    }
}

#[test]
fn a_way_that_lacks_warnings_names_what_drafts_them() {
    let text = FLAGS.replacen(
        "[group.",
        "[cli.tool.flag.\"--open\"]\nintroduced = \"1.0\"\n[group.",
        1,
    );
    let folder = folder(&[("lifecycle.toml", &text)]);
    let way = run_in(&folder, &["by-when", "cli tool --open.removed<=1.9"]).ended(0);
    way.says(&["Then write the warnings that it lacks, drafted by\n  lifecycle fix --write"]);
    let set = [
        "what-if",
        "--set",
        "cli tool --open.deprecated=1.5",
        "--set",
        "cli tool --open.removed=1.8",
        "--write",
    ];
    run_in(&folder, &set).ended(1).says(&["no-warning"]);
    run_in(&folder, &["fix", "--write"]).ended(0);
    run_in(&folder, &["check", "-e", "cli tool --open"]).ended(0);
    let way = run_in(&folder, &["by-when", "cli tool --open.removed<=1.9"]).ended(0);
    way.says(&["next: nothing, it is declared"]).silent_on(&["Then write"]);
}

#[test]
fn the_question_to_ask_instead_is_about_the_same_elements() {
    run_on(
        FLAGS,
        &["by-when", "beta.removed<=1.7", "--group", "g.example", "-m", "-"],
    )
    .ended(1)
    .says(&["next: lifecycle by-when 'beta.removed<=1.8' --group g.example -m -"]);
}

#[test]
fn nothing_is_migrated_or_dropped_before_it_begins() {
    for what in ["migrated", "dropped"] {
        run_on(
            FLAGS,
            &["what-if", "-", "--set", &format!("g.example/v1beta1.{what}=1.4")],
        )
        .ended(2)
        .says(&[&format!(
            "g.example/v1beta1 is {what} in 1.4, but introduced only in 1.5"
        )]);
    }
}

#[test]
fn a_slip_beyond_the_years_that_toml_can_write_is_refused() {
    run_on(FLAGS, &["what-if", "-", "--slip", "1.5=9999-12-31"])
        .ended(2)
        .says(&["1.5=9999-12-31: the day of 1.5 is out of range"]);
}

/// No event of a version or a kind is so late.
#[test]
fn a_move_that_is_declared_past_all_other_events_is_shown() {
    let text = concat!(
        "\n",
        calendar!(current "1.4", to "1.6"),
        "[group.g.version]\nv1 = { introduced = \"1.0\" }\nv2 = { introduced = \"1.4\" }\n[group.g.kind.W]\n"
    );
    run_on(text, &["what-if", "-", "--set", "g/v2 W.storage=1.12"]).says(&["  ~ stored 1.5 (planned) → 1.12: g/v2 W"]);
}

#[test]
fn a_target_that_waits_for_a_major_release_says_so() {
    run_on(FLAGS, &["by-when", "g.example/v1.removed<=1.9", "-m", "-"])
        .ended(1)
        .says(&["no release is in sight; list major 2.0 in\n  [calendar.releases], and ask again"]);
}
