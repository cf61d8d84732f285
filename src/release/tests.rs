use chrono::NaiveDate;

use super::calendar::CalendarError;
use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn calendar(entries: &[(&str, &str)], cadence: Option<u32>) -> Calendar {
    let listed = entries
        .iter()
        .map(|(name, date)| Listed {
            name: ReleaseName::parse(name).unwrap(),
            date: (!date.is_empty()).then(|| day(date)),
        })
        .collect();
    Calendar::numbered(listed, cadence).unwrap()
}

fn kubernetes() -> Calendar {
    calendar(
        &[
            ("1.8", "2017-09-28"),
            ("1.9", "2017-12-15"),
            ("1.10", "2018-03-26"),
            ("1.11", "2018-06-27"),
            ("1.12", "2018-09-27"),
        ],
        Some(4),
    )
}

#[test]
fn one_day_short_of_nine_months_does_not_count() {
    let calendar = kubernetes();
    let bound = calendar.earliest(calendar.find("1.8").unwrap(), Window::new(9, 3));
    assert_eq!(calendar.name(bound.release), "1.12");
    assert_eq!(calendar.name(bound.by_releases), "1.11");
    assert_eq!(bound.by_months.unwrap().target, Some(day("2018-06-28")));
    assert_eq!(bound.binding, Binding::Months);
}

#[test]
fn a_window_that_follows_another_counts_from_the_release_that_ends_it() {
    let calendar = kubernetes();
    let from = calendar.find("1.8").unwrap();
    let hidden = Window::new(0, 1);
    let bound = calendar.earliest(from, Window::new(9, 3).followed_by(hidden));
    assert_eq!(calendar.name(bound.release), "1.13");
    assert_eq!(calendar.name(bound.by_releases), "1.11");
    assert_eq!(Window::new(0, 3).followed_by(hidden), Window::new(0, 4));
    assert_eq!(
        Window::new(9, 3).followed_by(hidden).to_string(),
        "9 months or 3 releases (whichever is longer) and 1 release more"
    );
}

#[test]
fn a_day_of_grace_forgives_it() {
    let calendar = kubernetes();
    let window = Window {
        grace_days: 1,
        ..Window::new(9, 3)
    };
    let bound = calendar.earliest(calendar.find("1.8").unwrap(), window);
    assert_eq!(calendar.name(bound.release), "1.11");
}

#[test]
fn the_upper_bound_rounds_down() {
    let calendar = kubernetes();
    let bound = calendar.latest(calendar.find("1.8").unwrap(), Window::new(9, 1));
    assert_eq!(calendar.name(bound.release), "1.11");
    assert_eq!(bound.binding, Binding::Months);
    let counted = calendar.latest(calendar.find("1.8").unwrap(), Window::new(9, 4));
    assert_eq!(calendar.name(counted.release), "1.12");
}

#[test]
fn past_the_last_release_dates_are_projected_from_it() {
    let calendar = kubernetes();
    let bound = calendar.earliest(calendar.find("1.12").unwrap(), Window::new(9, 3));
    assert_eq!(calendar.name(bound.release), "1.15");
    assert_eq!(calendar.date(bound.release), Some(day("2019-09-27")));
    assert_eq!(calendar.date_kind(bound.release), DateKind::Projected);
    assert!(!bound.open);
}

#[test]
fn without_a_cadence_the_bound_stays_open() {
    let calendar = calendar(&[("1.30", "2024-04-17"), ("1.31", "2024-08-13")], None);
    let from = calendar.find("1.31").unwrap();
    let bound = calendar.earliest(from, Window::new(9, 3));
    assert_eq!(calendar.name(bound.release), "3 releases after 1.31");
    assert!(bound.open && calendar.date(bound.release).is_none());
    assert!(calendar.find("1.32").is_err());
    assert_eq!(calendar.find("3 releases after 1.31"), Ok(bound.release));
    assert_eq!(calendar.name(from.plus(1)), "1 release after 1.31");
}

#[test]
fn every_name_of_a_release_finds_it() {
    let listed = [("1.30", "2024-04-17"), ("1.31", "2024-08-13")];
    let named = listed.map(|(name, date)| Named {
        name: name.to_owned(),
        date: Some(day(date)),
    });
    let calendars = [
        calendar(&listed, None),
        calendar(&listed, Some(4)),
        Calendar::in_order(named.to_vec(), None).expect("dates in order"),
        every(3),
    ];
    for calendar in calendars {
        for release in [0, 1, 2, 3, 101, 102, 500, 3001].map(Release) {
            assert_eq!(calendar.find(&calendar.name(release)), Ok(release), "{calendar:?}");
        }
    }
}

#[test]
fn a_release_is_counted_from_any_that_has_a_name() {
    let calendar = calendar(
        &[("1.30", "2024-04-17"), ("1.31", "2024-08-13"), ("1.32", "2024-12-11")],
        None,
    );
    assert_eq!(calendar.find("1 release after 1.31"), Ok(Release(2)));
    assert_eq!(
        calendar.find("3 releases after 1.31"),
        calendar.find("2 releases after 1.32")
    );
    for text in [
        "4000 releases after 1.31",
        "99999999999 releases after 1.31",
        "0 releases after 1.31",
        "+1 releases after 1.31",
        "1 release after 1.33",
        "1 release after 1 release after 1.31",
    ] {
        assert!(calendar.find(text).is_err(), "{text}");
    }
}

fn every(months: u32) -> Calendar {
    Calendar::symbolic("X", 16, Some(months))
}

#[test]
fn symbolic_months_are_steps_of_the_cadence() {
    let ga = Window::new(12, 3);
    assert_eq!(every(3).earliest(Release(12), ga).release, Release(16));
    assert_eq!(every(4).earliest(Release(12), ga).release, Release(15));
    assert_eq!(every(4).latest(Release(0), Window::new(9, 1)).release, Release(2));
    assert_eq!(every(4).name(every(4).find("X+20").unwrap()), "X+20");
    assert_eq!(every(4).find("X+116"), Ok(Release(116)));
    assert!(every(4).find("X+4000").is_err());
}

#[test]
fn releases_count_by_entries_of_the_calendar() {
    let calendar = calendar(&[("0.8", "2023-07-12"), ("1.0", "2023-10-31")], Some(4));
    let from = calendar.find("0.8").unwrap();
    assert_eq!(calendar.name(from.plus(1)), "1.0");
    assert_eq!(calendar.next_major(from), calendar.find("1.0").ok());
    assert_eq!(calendar.next_major(from.plus(1)), None);
}

#[test]
fn dates_may_not_run_backwards() {
    let listed = vec![
        Listed {
            name: ReleaseName::new(1, 9),
            date: Some(day("2018-01-01")),
        },
        Listed {
            name: ReleaseName::new(1, 10),
            date: Some(day("2017-01-01")),
        },
    ];
    assert!(matches!(
        Calendar::numbered(listed, None),
        Err(CalendarError::Backwards { .. })
    ));
}

#[test]
fn far_names_are_refused() {
    let calendar = kubernetes();
    assert!(matches!(calendar.find("1.250"), Err(UnknownRelease::TooFar(..))));
    assert!(matches!(calendar.find("2.0"), Err(UnknownRelease::NotListed(_))));
    assert!(matches!(calendar.find("1.7"), Err(UnknownRelease::NotListed(_))));
}

fn newest(text: &str) -> Result<String, UnknownRelease> {
    let calendar = kubernetes();
    let newest = calendar.as_of(&AsOf::Day(day(text)));
    newest.map(|release| calendar.name(release))
}

#[test]
fn a_day_finds_the_newest_release_shipped_by_then() {
    assert_eq!(newest("2018-06-26").as_deref(), Ok("1.10"));
    assert_eq!(newest("2018-06-27").as_deref(), Ok("1.11"));
    assert_eq!(newest("2019-01-27").as_deref(), Ok("1.13"));
    assert_eq!(newest("2019-01-26").as_deref(), Ok("1.12"));
    assert!(newest("2017-01-01").is_err());
    assert_eq!(newest("9999-12-31").as_deref(), Ok("10000 releases after 1.12"));
}

#[test]
fn an_unscheduled_release_is_dated_by_the_cadence_where_there_is_one() {
    let entries = [("1.0", "2024-01-31"), ("1.1", ""), ("1.2", "")];
    assert_eq!(calendar(&entries, None).date(Release(1)), None);
    let projected = calendar(&entries, Some(1));
    assert_eq!(projected.date(Release(1)), Some(day("2024-02-29")));
    assert_eq!(projected.date(Release(2)), Some(day("2024-03-31")));
    assert_eq!(projected.date(Release(3)), Some(day("2024-04-30")));
    assert_eq!(projected.date_kind(Release(1)), DateKind::Projected);
}

#[test]
fn releases_by_any_names_follow_each_other_as_listed() {
    let listed = [
        ("Ash", Some(day("2022-01-01"))),
        ("Zebra", Some(day("2022-05-01"))),
        ("2 b", None),
    ];
    let listed = listed.map(|(name, date)| Named {
        name: name.to_owned(),
        date,
    });
    let calendar = Calendar::in_order(listed.to_vec(), Some(4)).expect("dates in order");
    assert_eq!(calendar.find("Zebra"), Ok(Release(1)));
    assert!(calendar.find("zebra").is_err() && calendar.find("3").is_err());
    assert_eq!(calendar.date(Release(2)), Some(day("2022-09-01")));
    assert_eq!(calendar.name(Release(4)), "2 releases after 2 b");
    assert_eq!(calendar.find("2 releases after 2 b"), Ok(Release(4)));
    assert_eq!(calendar.next_major(Release(0)), None);
}

#[test]
fn months_that_follow_a_window_count_from_the_day_of_the_release_in_which_it_ends() {
    let days = ["2022-01-01", "2022-06-01", "2022-09-01", "2022-10-01", "2022-12-01"];
    let names = ["1.0", "1.1", "1.2", "1.3", "1.4"];
    let listed: Vec<(&str, &str)> = names.into_iter().zip(days).collect();
    let calendar = calendar(&listed, None);
    // Four months end in May, so with 1.1 in June; three months after that release is 1.2 in September.
    let both = Window::new(4, 0).followed_by(Window::new(3, 0));
    assert_eq!(calendar.earliest(Release(0), both).release, Release(2));
    // Eight months would end in September, with 1.2.
    let both = Window::new(4, 0).followed_by(Window::new(4, 0));
    assert_eq!(calendar.earliest(Release(0), both).release, Release(3));
    assert_eq!(both.to_string(), "4 months and 4 months more");
}

#[test]
fn releases_are_projected_from_the_last_day_that_is_listed() {
    let calendar = calendar(&[("1.0", "2024-12-31"), ("1.1", ""), ("1.2", "")], Some(2));
    for (name, projected) in [
        ("1.1", "2025-02-28"),
        ("1.2", "2025-04-30"),
        ("1.3", "2025-06-30"),
        ("1.4", "2025-08-31"),
    ] {
        let release = calendar.find(name).unwrap();
        assert_eq!(calendar.date(release), Some(day(projected)), "{name}");
    }
}

#[test]
fn a_window_is_written_with_each_of_its_parts() {
    let until_major = Window {
        next_major: true,
        ..Window::default()
    };
    let months_too = Window {
        months: 9,
        ..until_major
    };
    for (window, words) in [
        (Window::default(), "no time"),
        (until_major, "until the next major release"),
        (
            months_too,
            "9 months or until the next major release (whichever is longer)",
        ),
    ] {
        assert_eq!(window.to_string(), words);
    }
}
