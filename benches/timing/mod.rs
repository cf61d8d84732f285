//! How the benchmarks measure.

use std::time::{Duration, Instant};

/// How long something takes.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The middle one of some times.
pub fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times[times.len() / 2]
}
