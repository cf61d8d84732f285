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

use lifecycle::import::{Draft, write};
use lifecycle::text::Unreadable;

use crate::args::{Import, Target};
use crate::files::STANDARD_INPUT;
use crate::terminal::Terminal;
use crate::write::{refuse_input, write_whole};

use super::{Failure, Outcome};

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
    if std::path::Path::new(output).is_file() {
        let there = Failure::new(format!("--output {output}: the file is there already"));
        let help = format!("bring it up to date with `--update {output}`, or name another file");
        return Err(there.help(help));
    }
    write_whole(output, text.as_bytes())?;
    terminal.tell(&format!("written: {output}"));
    Ok(Outcome::Clean)
}

/// Tells what of a list is left out; also those who want few words.
fn tell_skipped(name: &str, skipped: &[Unreadable], terminal: &mut Terminal) {
    let told = |fault: &Unreadable| format!("{name}:{}: {fault}", fault.line);
    let told: Vec<String> = skipped.iter().map(told).collect();
    terminal.complain_some("warning: skipped ", &told);
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
