//! What whole processes cost.

use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

use super::timing::{median, time};

/// What one run of a process cost.
#[derive(Clone, Copy)]
pub struct Cost {
    /// From its start to its end.
    pub wall: Duration,
    /// In user and system mode, on all cores.
    pub cpu: Duration,
    /// The most memory that was resident at once, in bytes.
    pub peak: u64,
}

/// The costs of two processes that ran one after the other.
pub struct Pairs(Vec<[Cost; 2]>);

/// Runs two processes in turn. The first run of each only warms the caches.
pub fn pairs(runs: usize, one: impl Fn() -> Cost, other: impl Fn() -> Cost) -> Pairs {
    let pairs = (0..=runs).map(|_| [one(), other()]);
    Pairs(pairs.skip(1).collect())
}

impl Pairs {
    /// The medians of both.
    pub fn costs(&self) -> [Cost; 2] {
        [0, 1].map(|at| Cost {
            wall: median(self.0.iter().map(|pair| pair[at].wall)),
            cpu: median(self.0.iter().map(|pair| pair[at].cpu)),
            peak: median(self.0.iter().map(|pair| pair[at].peak)),
        })
    }

    /// How many times the first one's wall time, CPU time and memory the second one takes: medians of the pairs.
    pub fn ratios(&self) -> [f64; 3] {
        [
            self.ratio(|cost| cost.wall.as_secs_f64()),
            self.ratio(|cost| cost.cpu.as_secs_f64()),
            self.ratio(Cost::mebibytes),
        ]
    }

    fn ratio(&self, figure: impl Fn(&Cost) -> f64) -> f64 {
        median(self.0.iter().map(|[one, other]| figure(other) / figure(one)))
    }
}

impl Cost {
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    fn mebibytes(&self) -> f64 {
        self.peak as f64 / f64::from(1 << 20)
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (wall, cpu) = (self.wall, self.cpu);
        write!(f, "{wall:.1?} wall, {cpu:.1?} CPU, {:.0} MiB", self.mebibytes())
    }
}

/// Runs a process that ends with one of these codes.
pub fn run(command: &mut Command, expected: &[i32]) -> Cost {
    let mut used = None;
    let wall = time(|| {
        let mut child = command.stdout(Stdio::null()).spawn().expect("the program starts");
        used = child.wait4().ok();
    });
    let used = used.expect("the system reports what the program used");
    let code = used.status.code().unwrap_or(-1);
    assert!(expected.contains(&code), "exit code {code}");
    Cost {
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        peak: used.rusage.maxrss,
    }
}
