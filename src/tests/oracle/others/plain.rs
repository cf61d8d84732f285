//! Flags and behaviors: a window after the deprecation.

use super::{At, Clock, Dates, Product, Span, Step, span, step};
use proptest::prelude::*;

/// A command-line flag or a behavior.
#[derive(Debug, Clone, Copy)]
pub struct Plain {
    pub introduced: Option<At>,
    pub deprecated: Option<At>,
    pub removed: Option<At>,
}

#[derive(Debug, Clone, Copy)]
pub struct Flag {
    pub admin: bool,
    /// Alpha, beta, GA.
    pub track: u8,
    pub life: Plain,
}

/// "CLI user GA (12, 2), beta (3, 1), alpha 0. CLI admin GA (6, 1), beta (3, 1), alpha 0."
pub(super) fn of_flag(flag: Flag) -> Option<Span> {
    match (flag.track, flag.admin) {
        (0, _) => None,
        (1, _) => Some(span(3, 1)),
        (_, false) => Some(span(12, 2)),
        (_, true) => Some(span(6, 1)),
    }
}

impl Product {
    /// "*earliest(deprecated, window)*", where a removal without a deprecation counts as deprecated with it.
    pub(super) fn is_early(&self, life: Plain, window: Span) -> bool {
        let deprecated = life.deprecated.or(life.removed);
        let first = deprecated.map(|deprecated| self.dates.earliest(deprecated, window));
        life.removed.is_some_and(|removed| Some(removed) < first)
    }

    /// "Flags, behaviors, gates and metrics are planned to go once they are deprecated", and nothing at once.
    pub(super) fn end(&self, life: Plain, window: Span) -> [Option<At>; 3] {
        let planned = life.deprecated.map(|deprecated| {
            let served = life.introduced.map_or(0, |introduced| introduced + 1);
            let first = self.dates.earliest(deprecated, window);
            first.max(served).max(self.dates.floor())
        });
        [life.deprecated, None, life.removed.or(planned)]
    }

    pub(super) fn soonest_of_plain(&self, life: Plain, window: Option<Span>) -> At {
        let first_open = self.dates.floor().max(life.introduced.unwrap_or(0));
        let announced = life.deprecated.or(window.map(|_| first_open));
        let counted = announced.map_or(0, |from| self.dates.earliest(from, window.unwrap_or(span(0, 0))));
        let served = life.introduced.map_or(0, |introduced| introduced + 1);
        counted.max(served).max(self.dates.floor())
    }

    pub(super) fn text_of_plain(&self) -> String {
        let mut text = String::new();
        for (at, flag) in self.flags.iter().enumerate() {
            let stage = ["alpha", "beta", "GA"][usize::from(flag.track)];
            let table = format!(
                "[cli.{}.flag.\"--flag{at}\"]\nstage = \"{stage}\"\nwarning = \"w\"\n",
                program(*flag)
            );
            text += &(table + &self.plain(flag.life));
        }
        for (at, life) in self.behaviors.iter().enumerate() {
            text += &(format!("[behavior.behavior{at}]\n") + &self.plain(*life));
        }
        text
    }

    pub(super) fn plain(&self, life: Plain) -> String {
        [
            ("introduced", life.introduced),
            ("deprecated", life.deprecated),
            ("removed", life.removed),
        ]
        .map(|(key, at)| self.key(key, at))
        .concat()
    }
}

pub(super) fn flag_id(at: usize, flag: Flag) -> String {
    format!("cli {} --flag{at}", program(flag))
}

fn program(flag: Flag) -> &'static str {
    if flag.admin { "admin" } else { "user" }
}

pub(super) fn plain((introduced, deprecated, removed): (Step, Step, Step), dates: &Dates) -> Plain {
    let mut clock = Clock { dates, at: 0 };
    let introduced = clock.after(introduced.map(|at| at % dates.listed()));
    let deprecated = clock.after(deprecated);
    clock.at = clock.at.max(introduced.map_or(0, |introduced| introduced + 1));
    Plain {
        introduced,
        deprecated,
        removed: clock.after(removed),
    }
}

pub(super) fn life() -> impl Strategy<Value = (Step, Step, Step)> {
    (step(6), step(6), step(8))
}
