//! `lifecycle import`: a model from what a project publishes.

mod calendar;
mod crds;
mod deliver;
mod deprecation_lists;
mod gates;
mod kubernetes_api;
mod metrics;
mod openapi;
mod releases;
mod schemas_hint;
mod update;

use lifecycle::import::deprecation_lists::Tool;
use lifecycle::import::{ImportError, Notice};

use crate::args::Import;
use crate::io::disk::{self, FileText};
use crate::terminal::Terminal;

use crate::failure::{Failure, Outcome, Result};

pub fn import(arguments: &Import, terminal: &mut Terminal) -> Result<Outcome> {
    match arguments {
        Import::Crds(arguments) => crds::crds(arguments, terminal),
        Import::KubernetesApi(arguments) => kubernetes_api::kubernetes_api(arguments, terminal),
        Import::Openapi(arguments) => openapi::openapi(arguments, terminal),
        Import::Pluto(arguments) => deprecation_lists::list(arguments, Tool::Pluto, terminal),
        Import::Kubepug(arguments) => deprecation_lists::list(arguments, Tool::Kubepug, terminal),
        Import::FeatureGates(arguments) => gates::feature_gates(arguments, terminal),
        Import::Metrics(arguments) => metrics::metrics(arguments, terminal),
        Import::Calendar(arguments) => calendar::calendar(arguments, terminal),
    }
}

fn read_all(paths: &[String], largest: usize) -> Result<Vec<FileText>> {
    paths.iter().map(|path| disk::read_at_most(path, largest)).collect()
}

fn named(texts: &[FileText]) -> impl Iterator<Item = (&str, &str)> {
    texts.iter().map(|text| (text.name.as_str(), text.content.as_str()))
}

/// Shows what an importer reports, topic by topic.
fn show(notices: &[Notice], terminal: &mut Terminal) {
    let mut notices: Vec<&Notice> = notices.iter().collect();
    notices.sort_by_key(|notice| notice.topic);
    for group in notices.chunk_by(|one, next| one.topic == next.topic) {
        let texts: Vec<&str> = group.iter().map(|notice| notice.text.as_str()).collect();
        match group.first().map(|notice| notice.topic) {
            Some(topic) if topic.is_important() => terminal.warn_some(topic.prefix(), &texts),
            Some(topic) => terminal.note_some(topic.prefix(), &texts),
            None => {}
        }
    }
}

/// The outcome of an import that succeeded: findings where a part of the source could not be read.
fn outcome(notices: &[Notice]) -> Outcome {
    Outcome::of_findings(notices.iter().any(|notice| notice.topic.is_incomplete()))
}

/// Reports an import that is not possible. Earlier errors of the same sort are shown first.
fn failure(error: ImportError, terminal: &mut Terminal) -> Failure {
    terminal.warn_some("error: ", &error.earlier);
    Failure::new(error.message).help(error.help)
}
