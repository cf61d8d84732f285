//! What comparing two CRDs costs compared with parsing them alone.
//!
//! `cargo bench --bench schema` makes two CRDs of 1.7 MB each that differ in some places, and runs two processes in
//! turn: one that only reads both files and parses their YAML into untyped values, and `lifecycle diff`, which reads,
//! compares, judges and writes the report. `cargo bench --bench schema -- OLD NEW` does the same for two folders of
//! yours, document by document. The figures that count are the ratios; absolute times depend on the machine.

#![expect(clippy::expect_used, reason = "a benchmark that cannot run says why and ends")]

mod processes;
mod timing;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use processes::{Cost, pairs, run};

/// The argument by which this program times its own parsing.
const PARSE_ONLY: &str = "--parse-only";

/// Runs of each.
const RUNS: usize = 11;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == PARSE_ONLY) {
        return arguments[at + 1..].iter().for_each(|path| parse_all(Path::new(path)));
    }
    let named: Vec<&String> = arguments
        .iter()
        .skip(1)
        .filter(|named| Path::new(named).exists())
        .collect();
    if let [old, new] = named[..] {
        return measure("yours", Path::new(old), Path::new(new));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: String| -> PathBuf {
        let path = folder.path().join(name);
        write(&path, &text);
        path
    };
    let old = file("old.yaml", definition(0));
    for (words, new) in [("the same", definition(0)), ("one field in 12 changed", definition(1))] {
        measure(words, &old, &file("new.yaml", new));
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark's answer is its output")]
fn measure(words: &str, old: &Path, new: &Path) {
    let this = std::env::current_exe().expect("this program has a path");
    let parse = || -> Cost { run(Command::new(&this).arg(PARSE_ONLY).args([old, new]), &[0]) };
    let diff = || -> Cost {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lifecycle"));
        run(
            command.arg("diff").args([old, new]).args(["--summary", "--quiet"]),
            &[0, 1],
        )
    };
    let pairs = pairs(RUNS, parse, diff);
    let [parsed, compared] = pairs.costs();
    let [wall, cpu, memory] = pairs.ratios();
    println!("{words}\n  parse {parsed}\n  diff  {compared}");
    println!("  ratios: CPU {cpu:.2}, wall {wall:.2}, memory {memory:.2}");
}

/// Parses the YAML of a file, or of the files in a folder.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads its own files")]
fn parse_all(path: &Path) {
    if path.is_dir() {
        let entries = path.read_dir().expect("the folder can be listed");
        return entries.for_each(|entry| parse_all(&entry.expect("an entry").path()));
    }
    let text = std::fs::read_to_string(path).expect("the file can be read");
    for document in text.split("\n---") {
        let value: serde_json::Value = serde_saphyr::from_str(document).expect("it is YAML");
        black_box(value);
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark writes its own files")]
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}

/// Bytes of a definition.
const SIZE: usize = 1_700_000;

/// A definition as generators write them: fields some steps deep, most of it descriptions; one field in twelve has a
/// bound.
fn definition(bound: usize) -> String {
    let mut text = String::from(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names:\n    \
         kind: Widget\n    plural: widgets\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    \
         schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n",
    );
    for part in 0.. {
        if text.len() >= SIZE {
            break;
        }
        let _ = write!(
            text,
            "          part{part}:\n            type: object\n            properties:\n"
        );
        for field in 0..12 {
            let least = if field == 0 { bound } else { 0 };
            let _ = write!(
                text,
                "              field{field}:\n                description: |-\n                  Field {field} of part {part} says \
                 how large the widget is on that side.\n                  Defaults to what was there before.\n                \
                 type: string\n                minLength: {least}\n                enum:\n                - Small\n                \
                 - Large\n"
            );
        }
    }
    text
}
