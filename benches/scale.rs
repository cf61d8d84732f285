//! What planning and checking cost compared with parsing alone, and how that grows.
//!
//! `cargo bench --bench scale` generates models of 10,000, 100,000 and 1,000,000 elements over 40 releases, and runs
//! two processes in turn: one that only reads and parses the file with `toml`'s own spanned parser, and `lifecycle
//! check --format json`, which reads, plans, checks and writes the whole report. It prints the ratios of their CPU
//! time, wall time and peak memory; absolute figures depend on the machine.
//!
//! Of the model of 100,000 elements it also prints what `what-if` and `by-when` cost compared with `plan --format json`.
//!
//! Groups whose plans contradict themselves cost in proportion to their number: it compares 4,000 of them with 8,000.
//!
//! For a model of the size of Kubernetes (1,000 versions and kinds) it also compares `lifecycle check` with `lifecycle
//! check --base HEAD`, in a Git repository whose last commit differs from the model in one of twenty entries.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

mod processes;
mod timing;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use processes::{Cost, Pairs, pairs, run};

/// The argument by which this program times its own parsing.
const PARSE_ONLY: &str = "--parse-only";

/// Runs of each command.
const RUNS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == PARSE_ONLY) {
        return parse_only(Path::new(&arguments[at + 1]));
    }
    against_a_base();
    against_half_the_contradictions();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut previous: Option<(usize, Duration)> = None;
    for count in [10_000, 100_000, 1_000_000] {
        let file = folder.path().join(format!("{count}.toml"));
        write(&file, &model(count));
        let measured = measure(&file, if count > 100_000 { 3 } else { RUNS });
        report(count, &file, &measured, previous);
        if count == 100_000 {
            against_a_plan(&file);
        }
        previous = Some((count, measured.costs()[1].cpu));
    }
}

/// Runs of the small model, which takes milliseconds.
const SMALL_RUNS: usize = 41;

fn against_a_base() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("lifecycle.toml");
    commit(folder.path(), &surface(|_| false));
    write(&file, &surface(|kind| kind % 20 == 0));
    let pairs = pairs(
        SMALL_RUNS,
        || check_in(folder.path(), &[]),
        || check_in(folder.path(), &["--base", "HEAD"]),
    );
    print("1,000 versions and kinds", ["check", "check --base"], &pairs);
}

fn check_in(folder: &Path, arguments: &[&str]) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
    command.current_dir(folder).args(["check", "--quiet"]).args(arguments);
    run(&mut command, &[0, 1])
}

/// A policy whose betas are due before they may be removed.
const CONTRADICTORY: &str = "name = \"contradictory\"
extends = \"kubernetes\"
[rule.version-lifetime]
beta = { deprecate-within = { releases = 2 }, after-deprecation = { releases = 4 }, remove-within = { releases = 3 } }
";

fn against_half_the_contradictions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(&folder.path().join("policy.toml"), CONTRADICTORY);
    let files = [4_000, 8_000].map(|groups| {
        let file = folder.path().join(format!("{groups}.toml"));
        write(&file, &contradictory(groups));
        file
    });
    let [half, all] = files.map(|file| move || answer(&["check"], &file));
    let names = ["4,000 contradictions", "8,000 contradictions"];
    print("contradictions", names, &pairs(RUNS, half, all));
}

/// Groups whose betas cannot be removed in any release.
fn contradictory(groups: usize) -> String {
    let mut text = String::from(
        "policy = \"policy.toml\"\n[calendar]\ncadence = { months = 4 }\nsymbolic = { origin = \"X\", count = 16 }\n",
    );
    for group in 0..groups {
        let _ = writeln!(text, "[group.\"g{group}.example.com\".version]");
        text += "v1beta1 = { introduced = \"X\" }\nv1 = { introduced = \"X+1\" }\n";
    }
    text
}

/// The most CPU time that a change or a target may take, compared with a plan.
const MOST_OF_A_PLAN: f64 = 1.5;

/// What a change, a target and a slip, which reaches all of the model, cost compared with a plan.
fn against_a_plan(file: &Path) {
    let plan = || answer(&["plan", "--format", "json"], file);
    let change = [
        "what-if",
        "--set",
        "group-0.example.com/v1beta1.removed=1.40",
        "--format",
        "json",
    ];
    let pairs_of_change = pairs(RUNS, plan, || answer(&change, file));
    print("a change", ["plan --format json", "what-if --set"], &pairs_of_change);
    let target = [
        "by-when",
        "group-0.example.com/v1beta1.removed<=1.45",
        "--format",
        "json",
    ];
    let pairs_of_target = pairs(RUNS, plan, || answer(&target, file));
    print("a target", ["plan --format json", "by-when"], &pairs_of_target);
    let slip = ["what-if", "--slip", "1.38=+3w", "--format", "json"];
    let pairs_of_slip = pairs(RUNS, plan, || answer(&slip, file));
    print("a slip", ["plan --format json", "what-if --slip"], &pairs_of_slip);
    for (what, pairs) in [
        ("a change", pairs_of_change),
        ("a target", pairs_of_target),
        ("a slip", pairs_of_slip),
    ] {
        let [_, cpu, _] = pairs.ratios();
        assert!(
            cpu <= MOST_OF_A_PLAN,
            "{what} takes {cpu:.2} times the CPU time of a plan"
        );
    }
}

fn answer(arguments: &[&str], file: &Path) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
    command.args(arguments).args(["--quiet", "--model"]).arg(file);
    run(&mut command, &[0, 1])
}

/// Makes a repository whose only commit has this model.
fn commit(folder: &Path, model: &str) {
    let repository = gix::init(folder).expect("a repository");
    let blob = repository.write_blob(model).expect("the model is stored").detach();
    let entry = gix::objs::tree::Entry {
        mode: gix::objs::tree::EntryKind::Blob.into(),
        filename: "lifecycle.toml".into(),
        oid: blob,
    };
    let tree = repository
        .write_object(gix::objs::Tree { entries: vec![entry] })
        .expect("the tree is stored");
    let signature = gix::actor::SignatureRef {
        name: "bench".into(),
        email: "bench@example.com".into(),
        time: "1700000000 +0000",
    };
    let none: [gix::ObjectId; 0] = [];
    repository
        .commit_as(signature, signature, "HEAD", "The model", tree, none)
        .expect("the commit is stored");
}

/// 50 groups of 4 versions with 4 kinds each; where `later` says so, a kind is planned to be deprecated later.
fn surface(later: impl Fn(usize) -> bool) -> String {
    let mut text = String::from("[calendar]\ncurrent = \"1.31\"\ncadence = { months = 4 }\n[calendar.releases]\n");
    for release in 0..40 {
        let (year, month) = (2012 + release / 3, release % 3 * 4 + 1);
        let _ = writeln!(text, "\"1.{release}\" = {year}-{month:02}-15");
    }
    for group in 0..50 {
        let (name, born) = (format!("group-{group}.example.com"), group % 20);
        let _ = writeln!(text, "[group.\"{name}\".version]");
        for (step, version) in ["v1alpha1", "v1beta1", "v1beta2", "v1"].iter().enumerate() {
            let _ = writeln!(text, "{version} = {{ introduced = \"1.{}\" }}", born + step * 3);
        }
        for kind in 0..4 {
            let release = if later(group * 4 + kind) { 36 } else { 35 };
            let _ = writeln!(text, "[group.\"{name}\".kind.Kind{kind}]\nresource = \"kind{kind}s\"");
            let _ = writeln!(text, "version = {{ v1beta2 = {{ deprecated = \"1.{release}\" }} }}");
        }
    }
    text
}

fn measure(file: &Path, runs: usize) -> Pairs {
    let own = std::env::current_exe().expect("this program has a path");
    let parse = || run(Command::new(&own).arg(PARSE_ONLY).arg(file), &[0]);
    let check = || {
        let mut check = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
        run(check.args(["check", "--format", "json", "--quiet"]).arg(file), &[0, 1])
    };
    pairs(runs, parse, check)
}

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn report(count: usize, file: &Path, measured: &Pairs, previous: Option<(usize, Duration)>) {
    let size = std::fs::metadata(file).expect("the file is there").len();
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    let mebibytes = size as f64 / f64::from(1 << 20);
    print(
        &format!("{count} elements ({mebibytes:.1} MiB)"),
        ["parse", "check --format json"],
        measured,
    );
    if let Some((before, cpu)) = previous {
        let grown = measured.costs()[1].cpu.as_secs_f64() / cpu.as_secs_f64();
        println!(
            "  {} times the elements take {grown:.1} times the CPU time",
            count / before
        );
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn print(title: &str, names: [&str; 2], pairs: &Pairs) {
    println!("{title}");
    for (name, cost) in names.into_iter().zip(pairs.costs()) {
        println!("  {name}: {cost}");
    }
    let [wall, cpu, memory] = pairs.ratios();
    println!("  ratios: {wall:.2} wall, {cpu:.2} CPU, {memory:.2} memory");
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the file it wrote")]
fn parse_only(file: &Path) {
    let text = std::fs::read_to_string(file).expect("the file is there");
    let table = toml::de::DeTable::parse(&text)
        .map_err(|error| error.message().to_owned())
        .expect("the file is valid");
    assert!(!table.get_ref().is_empty());
    // As the program does: the process ends, and nothing is given back one piece at a time.
    std::mem::forget(table);
}

#[expect(clippy::disallowed_methods, reason = "a benchmark writes the file it measures")]
fn write(file: &PathBuf, text: &str) {
    std::fs::write(file, text).expect("the temporary folder can be written");
}

/// A model of about so many elements: of a thousand, two groups of 2 versions with 5 kinds of 80 fields each, one
/// program with 60 flags, 40 gates, 60 metrics and 16 behaviors.
fn model(count: usize) -> String {
    let mut text = String::from("[calendar]\ncurrent = \"1.31\"\ncadence = { months = 4 }\n[calendar.releases]\n");
    for release in 0..40 {
        let (year, month) = (2012 + release / 3, release % 3 * 4 + 1);
        let _ = writeln!(text, "\"1.{release}\" = {year}-{month:02}-15");
    }
    let thousands = count / 1000;
    for group in 0..thousands * 2 {
        write_group(&mut text, group);
    }
    for program in 0..thousands {
        write_program(&mut text, program);
    }
    write_gates(&mut text, thousands * 40);
    write_metrics(&mut text, thousands * 60);
    write_behaviors(&mut text, thousands * 16);
    text
}

fn write_group(text: &mut String, at: usize) {
    let name = format!("group-{at}.example.com");
    let born = at % 20;
    let _ = writeln!(text, "[group.\"{name}\".version]");
    let _ = writeln!(
        text,
        "v1beta1 = {{ introduced = \"1.{born}\", deprecated = \"1.{}\", replacement = \"v1\" }}",
        born + 3
    );
    let _ = writeln!(text, "v1 = {{ introduced = \"1.{}\" }}", born + 3);
    for kind in 0..5 {
        let _ = writeln!(text, "[group.\"{name}\".kind.Kind{kind}]\nresource = \"kind{kind}s\"");
        let _ = writeln!(text, "[group.\"{name}\".kind.Kind{kind}.field]");
        for field in 0..80 {
            let since = born + 3 + field % 5;
            let _ = writeln!(
                text,
                "\"spec.template.field{field}\" = {{ in = {{ v1 = {{ introduced = \"1.{since}\", tag = {} }}, v1beta1 = {{ represented-as = \"@field{field}\" }} }} }}",
                field + 1
            );
        }
    }
}

fn write_program(text: &mut String, at: usize) {
    let _ = writeln!(text, "[cli.program{at}]\naudience = \"user\"\n[cli.program{at}.flag]");
    for flag in 0..60 {
        let since = flag % 20;
        let _ = writeln!(
            text,
            "\"--flag-{flag}\" = {{ introduced = \"1.{since}\", deprecated = \"1.30\", warning = \"use --other-{flag}\" }}"
        );
    }
}

fn write_gates(text: &mut String, count: usize) {
    let _ = writeln!(text, "[gate]");
    for gate in 0..count {
        let (alpha, beta) = (gate % 20, gate % 20 + 2);
        let _ = writeln!(
            text,
            "Gate{gate} = {{ specs = [{{ stage = \"alpha\", since = \"1.{alpha}\", default = false }}, {{ stage = \"beta\", since = \"1.{beta}\", default = true }}] }}"
        );
    }
}

fn write_metrics(text: &mut String, count: usize) {
    let _ = writeln!(text, "[metric]");
    for metric in 0..count {
        let since = metric % 20;
        let _ = writeln!(
            text,
            "metric_{metric}_total = {{ specs = [{{ stage = \"STABLE\", since = \"1.{since}\" }}], deprecated = \"1.30\" }}"
        );
    }
}

fn write_behaviors(text: &mut String, count: usize) {
    let _ = writeln!(text, "[behavior]");
    for behavior in 0..count {
        let since = 20 + behavior % 10;
        let _ = writeln!(text, "behavior-{behavior} = {{ deprecated = \"1.{since}\" }}");
    }
}
