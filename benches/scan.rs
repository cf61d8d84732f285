//! What scanning manifests costs compared with parsing them alone.
//!
//! `cargo bench --bench scan` makes 1,000 manifests of four kinds, a tenth of them of versions that are no longer served,
//! and times, in turn, reading the YAML of all into untyped values, and all that `lifecycle scan` does with texts: finding
//! the objects, looking up what they use, making the findings. The figure that counts is the ratio of the two.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

mod timing;

use std::fmt::Write as _;
use std::hint::black_box;

use lifecycle::evaluate::{Evaluation, Scan, Scope};
use lifecycle::{Document, FileId, Load};
use timing::{median, time};

/// Runs of each; the median counts.
const RUNS: usize = 21;

const MANIFESTS: usize = 1_000;

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn main() {
    let model = include_str!("../examples/kubernetes/lifecycle.toml");
    let documents = [Document::parse(FileId(0), model)];
    let model = Load::new(&documents)
        .evaluate()
        .expect("the built-in model can be read");
    let manifests: Vec<String> = (0..MANIFESTS).map(manifest).collect();
    let bytes: usize = manifests.iter().map(String::len).sum();
    let (mut pairs, mut findings) = (Vec::new(), 0);
    for run in 0..=RUNS {
        let parsed = time(|| manifests.iter().for_each(|text| parse(text)));
        let mut scan = new_scan(&model);
        let scanned = time(|| findings = scan_all(&mut scan, &manifests));
        // The first run only warms the caches.
        if run > 0 {
            pairs.push((parsed, scanned));
        }
    }
    let ratios = pairs
        .iter()
        .map(|(parsed, scanned)| scanned.as_secs_f64() / parsed.as_secs_f64());
    println!(
        "{MANIFESTS} manifests of {bytes} bytes: {findings} findings, parse {:.1?}, scan {:.1?}, ratio {:.2}",
        median(pairs.iter().map(|(parsed, _)| *parsed)),
        median(pairs.iter().map(|(_, scanned)| *scanned)),
        median(ratios)
    );
}

fn parse(text: &str) {
    let value: serde_json::Value = serde_saphyr::from_str(text).expect("the manifest is YAML");
    black_box(value);
}

/// A scan that has the model: the program reads it once, however many manifests there are.
fn new_scan(model: &Evaluation) -> Scan {
    let mut scan = Scan::new();
    let scope = Scope {
        from: None,
        to: Some("1.36"),
    };
    scan.add_model("kubernetes", model, scope)
        .expect("the model knows the release");
    let contained = include_str!("../examples/kubernetes/contained.toml");
    scan.add_contained(&Document::parse(FileId(0), contained))
        .expect("the list can be read");
    scan
}

/// How many findings there are.
fn scan_all(scan: &mut Scan, manifests: &[String]) -> usize {
    for text in manifests {
        black_box(scan.add(FileId(0), text));
    }
    scan.findings().len()
}

fn manifest(number: usize) -> String {
    match number % 4 {
        0 => deployment(number, version(number, "apps/v1beta1", "apps/v1")),
        1 => deployment(number, "apps/v1"),
        2 => format!(
            "apiVersion: {}\nkind: CronJob\nmetadata:\n  name: job-{number}\nspec:\n  schedule: \"0 4 * * *\"\n  \
             jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          \
             containers:\n            - name: job\n              image: example.com/job:{number}\n",
            version(number, "batch/v1beta1", "batch/v1")
        ),
        _ => format!(
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: web-{number}\nspec:\n  selector: {{app: web-{number}}}\n  \
             ports:\n    - {{name: http, port: 80, targetPort: 8080}}\n"
        ),
    }
}

/// One manifest in ten is of an old version.
fn version(number: usize, old: &'static str, new: &'static str) -> &'static str {
    if number.is_multiple_of(10) { old } else { new }
}

fn deployment(number: usize, version: &str) -> String {
    let mut text = format!(
        "apiVersion: {version}\nkind: Deployment\nmetadata:\n  name: web-{number}\n  labels: {{app: web-{number}}}\nspec:\n  \
         replicas: 3\n  selector:\n    matchLabels: {{app: web-{number}}}\n  template:\n    metadata:\n      labels: \
         {{app: web-{number}}}\n    spec:\n      containers:\n        - name: web\n          image: \
         example.com/web:{number}\n          env:\n"
    );
    for at in 0..12 {
        let _ = write!(
            text,
            "            - name: SETTING_{at}\n              value: \"{at}\"\n"
        );
    }
    text
}
