//! `lifecycle import`: a model from what a project publishes.

mod calendar;
mod crds;
mod gates;
mod gather;
mod kubernetes_api;
mod metrics;
mod openapi;
mod peers;
mod update;

use std::ffi::OsStr;
use std::path::Path;

use lifecycle::import::{Draft, write};
use lifecycle::release::ReleaseName;
use lifecycle::text::Unreadable;

use crate::args::{Import, Releases, Target};
use crate::io::disk::STANDARD_INPUT;
use crate::io::write::{refuse_input, write_whole};
use crate::terminal::Terminal;

use crate::failure::{Failure, Outcome};

pub(super) fn import(arguments: &Import, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    match arguments {
        Import::Crds(arguments) => crds::crds(arguments, terminal),
        Import::KubernetesApi(arguments) => kubernetes_api::kubernetes_api(arguments, terminal),
        Import::Openapi(arguments) => openapi::openapi(arguments, terminal),
        Import::Pluto(arguments) => peers::pluto(arguments, terminal),
        Import::Kubepug(arguments) => peers::kubepug(arguments, terminal),
        Import::FeatureGates(arguments) => gates::feature_gates(arguments, terminal),
        Import::Metrics(arguments) => metrics::metrics(arguments, terminal),
        Import::Calendar(arguments) => calendar::calendar(arguments, terminal),
    }
}

/// Prints a draft as a model, or writes it to a new file. `inputs` are the files it was made from.
fn deliver(draft: &Draft, target: &Target, inputs: &[&str], terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let text = write(draft);
    let Some(output) = target.output.as_deref() else {
        terminal.answer(&text);
        return Ok(Outcome::Clean);
    };
    if output.is_empty() || output == STANDARD_INPUT {
        let help = "it is printed where --output is left out";
        return Err(Failure::new(format!("--output {output}: it names no file")).help(help));
    }
    refuse_input("--output", output, output, inputs)?;
    if Path::new(output).is_file() {
        let there = Failure::new(format!("--output {output}: the file is there already"));
        let help = format!("bring it up to date with `--update {output}`, or name another file");
        return Err(there.help(help));
    }
    write_whole(output, text.as_bytes())?;
    terminal.note(&format!("written: {output}"));
    Ok(Outcome::Clean)
}

/// Tells how what a model was just made from is checked with it, where all of the newest release is on the disk.
fn tell_schemas(arguments: &Releases, target: &Target, terminal: &mut Terminal) {
    let Some(output) = target.output.as_deref().filter(|_| arguments.git.is_none()) else {
        return;
    };
    let paths = newest(arguments);
    let paths: Option<Vec<toml::Value>> = paths.iter().map(|path| seen_from(output, path)).collect();
    if let Some(paths) = paths.filter(|paths| !paths.is_empty()) {
        let list = toml::Value::Array(paths);
        terminal.note(&format!(
            "to have their changes checked with the model, write at its head: schemas = {list}"
        ));
    }
}

/// The paths of the newest release that was named.
fn newest(arguments: &Releases) -> Vec<&str> {
    let pairs = arguments.at.chunks(2).filter_map(|pair| match pair {
        [when, path] => Some((ReleaseName::parse(when.split('=').next()?)?, path.as_str())),
        _ => None,
    });
    let of = arguments.release.as_deref().and_then(ReleaseName::parse);
    let all = of
        .iter()
        .flat_map(|release| arguments.paths.iter().map(|path| (release.clone(), path.as_str())));
    let all: Vec<(ReleaseName, &str)> = all.chain(pairs).collect();
    let last = all.iter().map(|(release, _)| release).max();
    let of_last = all.iter().filter(|(release, _)| Some(release) == last);
    of_last.map(|(_, path)| *path).collect()
}

/// A path on the disk as a file names it that is there: from its folder. `None` for standard input, and where the path
/// is no text.
fn seen_from(file: &str, path: &str) -> Option<toml::Value> {
    if path == STANDARD_INPUT {
        return None;
    }
    let folder = Path::new(file).canonicalize().ok()?.parent()?.to_path_buf();
    let path = Path::new(path).canonicalize().ok()?;
    let common = folder
        .iter()
        .zip(path.iter())
        .take_while(|(one, other)| one == other)
        .count();
    let up = folder.iter().skip(common).map(|_| OsStr::new(".."));
    let seen: Option<Vec<&str>> = up.chain(path.iter().skip(common)).map(OsStr::to_str).collect();
    let seen = seen?.join("/");
    Some(toml::Value::String(if seen.is_empty() { ".".to_owned() } else { seen }))
}

/// Tells what of a list is left out; also those who want few words.
fn tell_skipped(name: &str, skipped: &[Unreadable], terminal: &mut Terminal) {
    let told = |fault: &Unreadable| format!("{name}:{}: {fault}", fault.line);
    let told: Vec<String> = skipped.iter().map(told).collect();
    terminal.warn_some("warning: skipped ", &told);
}

/// The outcome where the source was read as a whole, or where something of it that was told is left out.
fn told_of(outcome: Outcome, whole: bool) -> Outcome {
    match outcome {
        Outcome::Clean if !whole => Outcome::Findings,
        outcome => outcome,
    }
}

fn unreadable(name: &str, fault: &Unreadable) -> Failure {
    Failure::unreadable(name, fault).help("mend the file, or name one of the format that `--help` tells")
}
