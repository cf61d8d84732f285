//! Windows on random calendars: the releases that they allow, against what each part of a window says.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::support::{evaluate, evaluate_under};
use crate::evaluate::Evaluation;
use crate::model::{Event, EventKind};

use lifecycle::Sources;
use lifecycle::release::{Calendar, KindSet, Kinds, Listed, Release, ReleaseName, Window};

/// A random calendar: releases of several majors, some of a kind, with days in order.
#[derive(Debug, Clone)]
struct Random {
    /// Of each release: whether it begins a major, whether it is of the kind, and the days since the one before.
    releases: Vec<(bool, bool, u16)>,
}

fn random() -> impl Strategy<Value = Random> {
    let release = (prop::bool::weighted(0.3), prop::bool::weighted(0.3), 1_u16..300);
    prop::collection::vec(release, 3..14).prop_map(|releases| Random { releases })
}

fn window() -> impl Strategy<Value = Window> {
    let clock = prop_oneof![
        Just((0, 0)),
        (1_u16..20).prop_map(|months| (months, 0)),
        (1_u16..500).prop_map(|days| (0, days)),
    ];
    let parts = (clock, 0_u16..4, any::<bool>(), prop::option::of(1_u16..3));
    parts.prop_map(|((months, days), releases, next_major, of_kind)| {
        let calendar = Random { releases: vec![] }.calendar();
        Window {
            months,
            days,
            releases,
            next_major,
            of_kind: of_kind.map(|count| (calendar.kind_named("lts"), count)),
            ..Window::default()
        }
    })
}

impl Random {
    fn days(&self) -> Vec<chrono::NaiveDate> {
        let mut day = chrono::NaiveDate::from_ymd_opt(2020, 1, 31).expect("a day");
        let next = self.releases.iter().map(|(_, _, gap)| {
            day = day + chrono::Days::new((*gap).into());
            day
        });
        next.collect()
    }

    fn calendar(&self) -> Calendar {
        let mut kinds = Kinds::default();
        let lts = kinds.named("lts").expect("a kind");
        let (mut major, mut minor) = (1, 0);
        let mut listed = Vec::new();
        for (at, ((is_major, is_lts, _), day)) in self.releases.iter().zip(self.days()).enumerate() {
            if *is_major && at > 0 {
                (major, minor) = (major + 1, 0);
            } else {
                minor += 1;
            }
            if *is_lts {
                kinds.state(Release(u32::try_from(at).expect("few")), KindSet::from(lts));
            }
            listed.push(Listed {
                name: ReleaseName::new(major, minor),
                date: Some(day),
            });
        }
        let calendar = Calendar::numbered(listed, None).expect("the releases are in order");
        calendar.with_kinds(kinds)
    }

    /// Whether all parts of a window are over in a release, as the page on windows says it.
    fn is_over(&self, from: usize, release: usize, window: Window) -> bool {
        let days = self.days();
        let months = chrono::Months::new(window.months.into());
        let end = days[from] + months + chrono::Days::new(window.days.into());
        let has_time = window.months > 0 || window.days > 0;
        let with_it = &self.releases[from..release];
        let shipped_so = with_it.iter().filter(|(_, is_lts, _)| *is_lts).count();
        let majors = self.releases[from + 1..=release]
            .iter()
            .filter(|(is_major, ..)| *is_major);
        (!has_time || days[release] >= end)
            && with_it.len() >= window.releases.into()
            && window.of_kind.is_none_or(|(_, count)| shipped_so >= count.into())
            && (!window.next_major || majors.count() > 0)
    }
}

impl Random {
    fn name(&self, release: usize) -> String {
        self.calendar().name(Release(u32::try_from(release).expect("few")))
    }

    fn is_allowed(&self, release: usize, kinds: &str) -> bool {
        let calendar = self.calendar();
        let at = Release(u32::try_from(release).expect("few"));
        let is_major = calendar.is_of(at, calendar.kind_named("major").into());
        match kinds {
            "major" => is_major,
            "minor" => !is_major,
            "lts" => self.releases[release].1,
            _ => true,
        }
    }

    /// A model under `ours.toml` without elements.
    fn model(&self, current: usize) -> String {
        let mut model = format!(
            "policy = \"ours.toml\"\n[calendar]\ncurrent = \"{}\"\n[calendar.releases]\n",
            self.name(current)
        );
        for (at, day) in self.days().iter().enumerate() {
            let lts = if self.releases[at].1 { "\"lts\"" } else { "" };
            let _ = writeln!(model, "\"{}\" = {{ date = {day}, kind = [{lts}] }}", self.name(at));
        }
        model
    }
}

/// The release of an event of the only element, declared or planned.
fn release_of(evaluation: &Evaluation, what: EventKind) -> Option<usize> {
    let element = evaluation.model().find("behavior b").expect("it is declared");
    let release = evaluation.reasoning().release(Event::new(element, 0, what))?;
    (!release.is_never()).then_some(release.0 as usize)
}

/// A window as a policy writes it.
fn written(window: Window) -> String {
    let parts = [
        (window.months > 0).then(|| format!("months = {}", window.months)),
        (window.days > 0).then(|| format!("days = {}", window.days)),
        Some(format!("releases = {}", window.releases)),
        window.next_major.then(|| "next-major = true".to_owned()),
        window.of_kind.map(|(_, count)| format!("lts = {count}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{{ {} }}", parts.join(", "))
}

proptest! {
    #[test]
    fn the_plan_removes_in_the_first_release_of_an_allowed_kind_after_the_shortest_window(
        random in random(),
        windows in prop::collection::vec(window(), 1..4),
        kinds in prop::sample::select(vec!["", "major", "minor", "lts"]),
        from in 0_usize..3,
        current in 0_usize..3,
    ) {
        let any: Vec<String> = windows.iter().map(|window| written(*window)).collect();
        let only = if kinds.is_empty() { String::new() } else { format!("remove = [\"{kinds}\"]\n") };
        let policy = format!(
            "name = \"ours\"\nkinds = [\"lts\"]\n[lifetime.all]\nafter-deprecation = {{ any = [{}] }}\n{only}",
            any.join(", ")
        );
        let mut model = random.model(current);
        let _ = writeln!(model, "[behavior.b]\ndeprecated = \"{}\"", random.name(from));
        let evaluation = evaluate_under(&policy, &model).expect("both can be read");
        let report = evaluation.report(&Sources::new());
        let removed = report.elements.iter().next().and_then(|element| element.removed).map(|moment| moment.release.to_owned());
        let first = (from.max(current + 1)..random.releases.len()).find(|release| {
            random.is_allowed(*release, kinds) && windows.iter().any(|window| random.is_over(from, *release, *window))
        });
        match first {
            Some(first) => prop_assert_eq!(removed, Some(random.name(first)), "{}{}", policy, model),
            None => {
                let listed: Vec<String> = (0..random.releases.len()).map(|release| random.name(release)).collect();
                let beyond = removed.is_none_or(|removed| !listed.contains(&removed));
                prop_assert!(beyond, "{}{}", policy, model);
            }
        }
    }

    #[test]
    fn the_plan_takes_each_step_in_the_first_release_after_the_one_before(
        random in random(),
        windows in [window(), window(), window(), window()],
        kinds in [prop::sample::select(vec!["", "major", "lts"]), prop::sample::select(vec!["", "minor", "lts"])],
        from in 0_usize..3,
        current in 0_usize..3,
        declared in prop::option::of(0_usize..4),
    ) {
        let [removal, warned, disabled, rest] = windows;
        let only = kinds.map(|kind| if kind.is_empty() { String::new() } else { format!(", in = [\"{kind}\"]") });
        let policy = format!(
            "name = \"ours\"\nkinds = [\"lts\"]\n[lifetime.all]\nafter-deprecation = {}\nafter-steps = {}\n\
             steps = [\n  {{ name = \"runtime\", duty = \"warn\", after = {}, required = true{} }},\n  \
             {{ name = \"off\", duty = \"fail\", after = {}, required = true{} }},\n]\n",
            written(removal), written(rest), written(warned), only[0], written(disabled), only[1]
        );
        let mut model = random.model(current);
        let _ = writeln!(model, "[behavior.b]\ndeprecated = \"{}\"", random.name(from));
        let declared = declared.map(|later| from + later).filter(|release| *release < random.releases.len());
        if let Some(declared) = declared {
            let _ = writeln!(model, "steps.runtime = \"{}\"", random.name(declared));
        }
        let evaluation = evaluate_under(&policy, &model).expect("both can be read");
        let releases = current + 1..random.releases.len();
        let first = |after: usize, of: &[(usize, Window)], kinds: &str| {
            let mut later = releases.clone().filter(|release| *release >= after && random.is_allowed(*release, kinds));
            later.find(|release| of.iter().all(|(start, window)| random.is_over(*start, *release, *window)))
        };
        let step = declared.or_else(|| first(from, &[(from, warned)], kinds[0]));
        let next = step.and_then(|step| first(step, &[(step, disabled)], kinds[1]));
        let end = next.and_then(|next| first(next, &[(next, rest), (from, removal)], ""));
        for (what, expected) in [(EventKind::Step(0), step), (EventKind::Step(1), next), (EventKind::Removed, end)] {
            let found = release_of(&evaluation, what);
            match expected {
                Some(expected) => prop_assert_eq!(found, Some(expected), "{}: {}{}", what, policy, model),
                None => prop_assert!(found.is_none_or(|found| found >= random.releases.len()), "{}: {}{}", what, policy, model),
            }
        }
    }

    #[test]
    fn a_window_ends_in_the_first_release_in_which_all_its_parts_are_over(
        random in random(),
        window in window(),
        from in 0_usize..3,
    ) {
        let calendar = random.calendar();
        let bound = calendar.earliest(Release(u32::try_from(from).expect("few")), window);
        let mut releases = from..random.releases.len();
        match releases.find(|release| random.is_over(from, *release, window)) {
            Some(first) => prop_assert_eq!(bound.release.0 as usize, first),
            None => {
                let beyond = bound.release.0 as usize >= random.releases.len();
                prop_assert!(beyond || bound.open, "{:?}", bound);
            }
        }
    }

    #[test]
    fn kinds_repeat_past_the_list_as_the_cadence_says_and_are_counted_one_by_one(
        random in random(),
        every in (1_u32..6, 1_u32..6),
        from in 0_u32..20,
        count in 1_u16..9,
    ) {
        let mut kinds = Kinds::default();
        let (lts, major) = (kinds.named("lts").expect("a kind"), kinds.named("major").expect("a kind"));
        for (at, (is_major, is_lts, _)) in (0..).zip(&random.releases) {
            for kind in [is_lts.then_some(lts), (*is_major || at == 0).then_some(major)].into_iter().flatten() {
                kinds.state(Release(at), KindSet::from(kind));
            }
        }
        kinds.repeat(lts, every.0);
        kinds.repeat(major, every.1);
        let calendar = random.calendar().with_kinds(kinds);
        let repeats = |release: usize, every: u32, listed: &dyn Fn(usize) -> bool| {
            let last = (0..random.releases.len()).rev().find(|at| listed(*at)).unwrap_or(0);
            match release.checked_sub(random.releases.len()) {
                Some(_) => (release - last).is_multiple_of(every as usize),
                None => listed(release),
            }
        };
        let is_major = |release: usize| repeats(release, every.1, &|at| random.releases[at].0 || at == 0);
        let is_lts = |release: usize| repeats(release, every.0, &|at| random.releases[at].1);
        for (name, is_of) in [("lts", &is_lts as &dyn Fn(usize) -> bool), ("major", &is_major), ("minor", &|at| !is_major(at))] {
            let kind = calendar.kind_named(name);
            let mut all = (from as usize..400).filter(|at| is_of(*at));
            let first = all.next().map(|at| Release(u32::try_from(at).expect("few")));
            prop_assert_eq!(calendar.first_of(kind.into(), Release(from)), first, "{}", name);
            let last = if count == 1 { first.map(|first| first.0 as usize) } else { all.nth(usize::from(count) - 2) };
            let window = Window { of_kind: Some((kind, count)), ..Window::default() };
            let end = calendar.earliest(Release(from), window).release;
            prop_assert_eq!((!end.is_never()).then_some(end.0 as usize), last.map(|last| last + 1), "{}", name);
        }
    }
}

#[test]
fn a_bound_says_that_the_calendar_has_no_release_of_its_kind() {
    let model = |more: &str| {
        format!(
            "policy = \"gitlab\"
calendar.current = \"1.2\"
calendar.releases = {{ \"1.0\" = 2024-01-01, \"1.1\" = 2024-05-01, \"1.2\" = 2024-09-01, \"1.3\" = 2025-01-01{more} }}
behavior.Slow = {{ introduced = \"1.0\", deprecated = \"1.1\" }}
"
        )
    };
    for (more, end) in [
        ("", "; the calendar has no major release then"),
        (", \"2.0\" = 2025-05-01", "; the first major release then is 2.0"),
    ] {
        let evaluation = evaluate(&model(more)).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let report = evaluation.report(&Sources::new());
        let reasons: Vec<String> = report
            .elements
            .iter()
            .flat_map(|element| element.because)
            .map(|fact| fact.text)
            .collect();
        assert!(reasons[0].ends_with(end), "{reasons:?}");
    }
}

#[test]
fn a_window_that_waits_for_a_major_release_names_it() {
    let policy =
        "name = \"ours\"\nedition = \"1\"\n[lifetime.all]\nafter-deprecation = { months = 3, next-major = true }\n";
    let model = "
calendar.current = \"1.2\"
calendar.releases = { \"1.0\" = 2024-01-01, \"1.1\" = 2024-05-01, \"1.2\" = 2024-09-01, \"1.3\" = 2025-01-01 }
behavior.Slow = { introduced = \"1.0\", deprecated = \"1.1\" }
";
    let evaluation = evaluate_under(policy, model).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let report = evaluation.report(&Sources::new());
    let majors: Vec<Option<String>> = report
        .elements
        .iter()
        .map(|element| element.never_before_major.as_ref().map(ToString::to_string))
        .collect();
    assert_eq!(majors, [Some("2.0".to_owned())]);
}

#[test]
fn kinds_of_release_have_names_of_lower_case_letters_digits_and_hyphens() {
    let longest = "l".repeat(40);
    for (name, is_name) in [
        ("lts", true),
        ("lts-2", true),
        (longest.as_str(), true),
        (&format!("{longest}l"), false),
        ("Lts", false),
        ("2lts", false),
        ("l_s", false),
        ("", false),
    ] {
        let model =
            format!("calendar.releases.\"1.0\" = {{ date = 2024-01-01, kind = [\"{name}\"] }}\nbehavior.Slow = {{}}\n");
        assert_eq!(evaluate(&model).is_ok(), is_name, "{name}");
    }
}

/// No cadence says which releases past the list are major ones, so that each is a minor one.
#[test]
fn minor_releases_past_the_list_are_counted_one_by_one() {
    let calendar = Random {
        releases: vec![(true, false, 1), (false, false, 100), (false, false, 100)],
    }
    .calendar();
    let ends = [1, 2, 3, 5].map(|count| {
        let of_kind = Some((calendar.kind_named("minor"), count));
        let window = Window {
            of_kind,
            ..Window::default()
        };
        calendar.earliest(Release(2), window).release.0
    });
    assert_eq!(ends, [3, 4, 5, 7]);
}

/// 1.13 is the release after the deprecation, and 1.14 the one that misses six months by two days.
#[test]
fn the_release_that_misses_the_months_by_the_least_is_named() {
    let flag = "[cli.app]\naudience = \"admin\"\n[cli.app.flag.\"--old\"]\nintroduced = \"1.10\"\n";
    let evaluation = evaluate(&format!(
        "[calendar]\ncurrent = \"1.11\"\n[calendar.releases]\n\"1.10\" = 2018-03-26\n\"1.11\" = 2018-06-27\n\
         \"1.12\" = 2018-09-27\n\"1.13\" = 2018-12-03\n\"1.14\" = 2019-03-25\n\"1.15\" = 2019-06-19\n\
         {flag}deprecated = \"1.12\"\nremoved = \"1.14\"\nwarning = \"use --new\"\n"
    ));
    let evaluation = evaluation.unwrap_or_else(|errors| panic!("{errors:#?}"));
    let finding = evaluation.findings().first().expect("it is removed too early");
    let reason = &finding.because[0].text;
    let end = "1 release → 1.13; 6 months → 2019-03-27 (1.14 is 2 days short of 6 months) → 1.15; decided by months";
    assert!(reason.ends_with(end), "{reason}");
}
