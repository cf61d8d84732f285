//! How the benchmarks measure.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

/// How long something takes.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The middle one of some figures.
pub fn median<T: PartialOrd>(figures: impl Iterator<Item = T>) -> T {
    let mut figures: Vec<T> = figures.collect();
    figures.sort_by(|one, other| one.partial_cmp(other).unwrap_or(Ordering::Equal));
    figures.swap_remove(figures.len() / 2)
}
