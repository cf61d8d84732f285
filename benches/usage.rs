//! What gathering evidence from an audit log costs compared with splitting its lines alone.
//!
//! `cargo bench --bench usage` makes a log, of which one line in a thousand names an element that the built-in model
//! deprecates or removes, and times, in turn, splitting it into lines and all that `lifecycle usage` does with it; then
//! the same with a deprecated field, for which the bodies of every second request have to be parsed. The figures that count are the ratios of the
//! rates. A process of its own reads a gigabyte, for its memory. `-- BYTES` makes a log of another size for that.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

mod processes;
mod timing;

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use lifecycle::usage::{Content, Origin, Watched, read};
use lifecycle::{Document, FileId, Load};
use processes::{pairs, run};
use timing::{median, time};

const KUBERNETES: &str = include_str!("../examples/kubernetes/lifecycle.toml");

/// A model with a deprecated field of the kind that every second request of the log writes.
const WITH_A_FIELD: &str = r#"
calendar.releases = { "1.0" = 2025-01-01, "1.1" = 2025-05-01 }
[group.core.version]
v1 = { introduced = "1.0" }
[group.core.kind.Service.field."spec.topologyKeys[]"]
in = { v1 = { introduced = "1.0", deprecated = "1.1" } }
"#;

/// Runs of each; the median counts.
const RUNS: usize = 7;

/// Bytes of the log whose reading is timed.
const TIMED: u64 = 256 << 20;

/// Bytes of the log for which memory is measured.
const LARGE: u64 = 1 << 30;

/// The arguments with which this program does one thing with a log of so many bytes, and ends.
const SPLIT: &str = "--split=";
const GATHER: &str = "--gather=";

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let typed = arguments.find(|argument| argument != "--bench");
    if let Some(bytes) = bytes_after(SPLIT, typed.as_deref()) {
        split(Log::of(bytes, false));
        return;
    }
    if let Some(bytes) = bytes_after(GATHER, typed.as_deref()) {
        gather(&watched(KUBERNETES), bytes, false);
        return;
    }
    for (with_bodies, model) in [(false, KUBERNETES), (true, WITH_A_FIELD)] {
        let watched = watched(model);
        let mut pairs = Vec::new();
        for at in 0..=RUNS {
            let split = time(|| split(Log::of(TIMED, with_bodies)));
            let gathered = time(|| gather(&watched, TIMED, with_bodies));
            // The first run only warms the caches.
            if at > 0 {
                pairs.push((split, gathered));
            }
        }
        let ratios = pairs
            .iter()
            .map(|(split, gathered)| split.as_secs_f64() / gathered.as_secs_f64());
        println!(
            "{} MiB, {}: split {:.0?}, gather {:.0?}, {:.2} of the rate",
            TIMED >> 20,
            if with_bodies {
                "bodies of every second request"
            } else {
                "one line in a thousand"
            },
            median(pairs.iter().map(|(split, _)| *split)),
            median(pairs.iter().map(|(_, gathered)| *gathered)),
            median(ratios)
        );
    }
    let large = typed.and_then(|typed| typed.parse().ok()).unwrap_or(LARGE);
    let program = std::env::current_exe().expect("this program has a path");
    let pairs = pairs(
        1,
        || run(Command::new(&program).arg(format!("{SPLIT}{large}")), &[0]),
        || run(Command::new(&program).arg(format!("{GATHER}{large}")), &[0]),
    );
    let [split, gathered] = pairs.costs();
    let [_, cpu, _] = pairs.ratios();
    println!(
        "{} MiB in processes of their own: split {split}; gather {gathered}; {cpu:.2} times the CPU time",
        large >> 20
    );
}

/// The number after an argument.
fn bytes_after(argument: &str, typed: Option<&str>) -> Option<u64> {
    let bytes = typed?.strip_prefix(argument)?;
    Some(bytes.parse().expect("a number of bytes"))
}

/// What a model deprecates or removes.
fn watched(model: &str) -> Watched {
    let documents = [Document::parse(FileId(0), model)];
    let model = Load::new(&documents).evaluate().expect("the model can be read");
    let mut watched = Watched::default();
    model.watch(&mut watched, None).expect("the model covers its releases");
    watched
}

fn split(log: Log) {
    let mut lines = BufReader::with_capacity(256 << 10, log);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).expect("memory can be read") > 0 {
        black_box(&line);
        line.clear();
    }
}

fn gather(watched: &Watched, bytes: u64, with_bodies: bool) {
    let origin = Origin {
        name: "audit.log",
        share: 1.0,
        day: None,
    };
    let content = read(Log::of(bytes, with_bodies), None, origin, (watched, with_bodies));
    match content.expect("memory can be read") {
        Content::Source(source) => {
            assert!(
                source.lines > 1000 && source.lost <= 1,
                "{} lines, {} lost",
                source.lines,
                source.lost
            );
            black_box(source);
        }
        Content::Evidence(_) => unreachable!("a log is no evidence file"),
    }
}

/// A log that is made while it is read: a thousand lines, again and again.
struct Log {
    lines: Vec<u8>,
    at: usize,
    left: u64,
}

impl Log {
    fn of(bytes: u64, with_bodies: bool) -> Self {
        let mut lines = String::new();
        for number in 0..1000 {
            let (group, version, resource) = match number {
                0 => ("batch", "v1beta1", "cronjobs"),
                number if with_bodies && number % 2 == 0 => ("", "v1", "services"),
                _ => ("apps", "v1", "deployments"),
            };
            let _ = writeln!(lines, "{}", event(number, (group, version, resource), with_bodies));
        }
        Self {
            lines: lines.into_bytes(),
            at: 0,
            left: bytes,
        }
    }
}

impl Read for Log {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = most.min(self.lines.len() - self.at);
        buffer[..count].copy_from_slice(&self.lines[self.at..self.at + count]);
        self.at = (self.at + count) % self.lines.len();
        self.left -= count as u64;
        Ok(count)
    }
}

/// An event of about a kilobyte, as a server writes it.
fn event(number: usize, (group, version, resource): (&str, &str, &str), with_bodies: bool) -> String {
    let mut body = String::new();
    if with_bodies {
        body.push_str("\"requestObject\":{\"metadata\":{\"name\":\"web\"},\"spec\":{\"ports\":[");
        for port in 0..20 {
            let comma = if port == 0 { "" } else { "," };
            let _ = write!(
                body,
                "{comma}{{\"name\":\"p{port}\",\"port\":{port},\"protocol\":\"TCP\"}}"
            );
        }
        body.push_str("]}},");
    }
    let verb = if with_bodies { "update" } else { "get" };
    let words = "system:authenticated and what else servers note about a request ".repeat(5);
    format!(
        r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"{number:032}","stage":"ResponseComplete","requestURI":"/apis/{group}/{version}/namespaces/shop/{resource}/web-{number}","verb":"{verb}","user":{{"username":"system:serviceaccount:shop:deployer","groups":["{words}"]}},"sourceIPs":["10.0.0.1"],"userAgent":"deployer/v1.2 (linux/amd64)","objectRef":{{"resource":"{resource}","namespace":"shop","name":"web-{number}","apiGroup":"{group}","apiVersion":"{version}"}},"responseStatus":{{"metadata":{{}},"code":200}},{body}"requestReceivedTimestamp":"2026-01-30T12:00:00.123456Z","stageTimestamp":"2026-01-30T12:00:00.223456Z","annotations":{{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"RBAC: allowed by a binding"}}}}"#
    )
}
