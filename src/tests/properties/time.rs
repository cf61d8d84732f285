//! Windows on calendars.

use lifecycle::release::{Calendar, Listed, Release, ReleaseName, Window};
use proptest::prelude::*;

use crate::tests::worlds::{Dates, Span, cases, dates, window};

use super::position;

fn calendar(dates: &Dates) -> Calendar {
    if dates.symbolic {
        let count = u32::try_from(dates.listed()).expect("a small number");
        return Calendar::symbolic("X", count, dates.cadence);
    }
    let listed = dates.days.iter().enumerate().map(|(at, date)| Listed {
        name: ReleaseName::parse(&dates.name(at)).expect("a name"),
        date: *date,
    });
    Calendar::numbered(listed.collect(), dates.cadence).expect("the releases are in order")
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn the_two_bounds_are_what_their_definitions_say(dates in dates(), span in window(), grace in 0_u64..40, from in 0_usize..12) {
        let calendar = calendar(&dates);
        let number = |n: usize| u16::try_from(n).expect("a small number");
        let window = Window {
            grace_days: u16::try_from(grace).expect("a small number"),
            ..Window::new(u16::try_from(span.months).expect("a small number"), number(span.releases))
        };
        let span = Span { grace, ..span };
        let at = Release(u32::try_from(from).expect("a small number"));
        prop_assert_eq!(position(calendar.earliest(at, window).release), dates.earliest(from, span), "{:?}", dates);
        prop_assert_eq!(position(calendar.latest(at, window).release), dates.latest(from, span), "{:?}", dates);
    }
}
