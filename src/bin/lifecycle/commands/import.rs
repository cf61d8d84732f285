//! `lifecycle import`: a model from what a project publishes.

mod deliver;
pub(super) mod notices;
mod releases;
mod schemas_hint;
mod update;

use lifecycle::import::deprecation_lists::{self, Tool};
use lifecycle::import::kinds::Parts;
use lifecycle::import::markers::Language;
use lifecycle::import::{Imported, calendar, crds, gates, kubernetes_api, markers, metrics, openapi};
use lifecycle::text::LARGEST;

use crate::args::{FeatureGates, Import, ImportCalendar, KubernetesApi, Markers, Metrics, Surface, ToolList};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::{Disk, FileText};
use crate::terminal::Terminal;

use deliver::Job;
use releases::Source;
use schemas_hint::hint;

pub fn import(arguments: &Import, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    match arguments {
        Import::Crds(arguments) => of_crds(arguments, disk, terminal),
        Import::KubernetesApi(arguments) => of_packages(arguments, disk, terminal),
        Import::Openapi(arguments) => of_documents(arguments, disk, terminal),
        Import::Pluto(arguments) => of_list(arguments, Tool::Pluto, disk, terminal),
        Import::Kubepug(arguments) => of_list(arguments, Tool::Kubepug, disk, terminal),
        Import::FeatureGates(arguments) => of_gates(arguments, disk, terminal),
        Import::Metrics(arguments) => of_metrics(arguments, disk, terminal),
        Import::Markers(arguments) => of_markers(arguments, disk, terminal),
        Import::Calendar(arguments) => of_calendar(arguments, disk, terminal),
    }
}

fn of_crds(arguments: &Surface, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let parts = Parts::from(arguments.fields);
    let source = Source::read(&arguments.releases, &crds::FORMAT, disk, terminal)?;
    let origin = "Imported from CustomResourceDefinitions by `lifecycle import crds`:";
    let outcome = source.deliver(origin, &arguments.target, disk, terminal, |known, releases| {
        crds::import(known, releases, parts)
    })?;
    hint(&arguments.releases, &arguments.target, terminal);
    Ok(outcome)
}

fn of_documents(arguments: &Surface, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let parts = Parts::from(arguments.fields);
    let format = match parts {
        Parts::None => &openapi::WITHOUT_FIELDS,
        _ => &openapi::FORMAT,
    };
    let source = Source::read(&arguments.releases, format, disk, terminal)?;
    let origin = "Imported from documents of OpenAPI by `lifecycle import openapi`:";
    let outcome = source.deliver(origin, &arguments.target, disk, terminal, |known, releases| {
        openapi::import(known, releases, parts)
    })?;
    hint(&arguments.releases, &arguments.target, terminal);
    Ok(outcome)
}

fn of_packages(arguments: &KubernetesApi, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let source = Source::read(&arguments.releases, &kubernetes_api::FORMAT, disk, terminal)?;
    let calendar = given_calendar(&arguments.calendar, disk)?;
    let origin = "Imported from Go packages of an API by `lifecycle import kubernetes-api`:";
    source.deliver(origin, &arguments.target, disk, terminal, |known, releases| {
        kubernetes_api::import(known, releases, calendar.as_ref())
    })
}

fn of_metrics(arguments: &Metrics, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let source = Source::read(&arguments.releases, &metrics::FORMAT, disk, terminal)?;
    let origin = "Imported from lists of metrics by `lifecycle import metrics`:";
    source.deliver(origin, &arguments.target, disk, terminal, |known, releases| {
        metrics::import(known, releases, arguments.unmarked, arguments.all)
    })
}

fn of_markers(arguments: &Markers, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let language = Language::from(arguments.language);
    let source = Source::read(&arguments.releases, language.format(), disk, terminal)?;
    let calendar = given_calendar(&arguments.calendar, disk)?;
    let origin = "Imported from marks of deprecation by `lifecycle import markers`:";
    source.deliver(origin, &arguments.target, disk, terminal, |known, releases| {
        markers::import(language, known, releases, calendar.as_ref(), arguments.all)
    })
}

fn of_list(arguments: &ToolList, tool: Tool, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (name, tool_name) = (arguments.file.as_str(), tool.name());
    let text = disk.read_at_most(name, LARGEST)?;
    let list = tool.read(&text.content).map_err(|error| {
        Failure::unreadable(name, &error).help(format!("fix the file, or name a list of {tool_name}"))
    })?;
    let job = Job {
        target: &arguments.target,
        origin: vec![format!(
            "Imported from a list of deprecated API versions by `lifecycle import {tool_name}`: {name}"
        )],
        inputs: vec![name],
        bounds: None,
    };
    let component = arguments.component.as_deref();
    job.deliver(disk, terminal, |model, known| {
        deprecation_lists::import(name, list, component, model, known)
    })
}

fn of_gates(arguments: &FeatureGates, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let texts = read_all(disk, &arguments.paths, gates::LARGEST)?;
    let lists = gates::FeatureGates::read(named(&texts))?;
    let calendar = given_calendar(&arguments.calendar, disk)?;
    let releases = lists.releases();
    let inputs = arguments.paths.iter().chain(&arguments.calendar);
    let paths = arguments.paths.join(" ");
    let job = Job {
        target: &arguments.target,
        origin: vec![format!("Imported by `lifecycle import feature-gates` from {paths}")],
        inputs: inputs.map(String::as_str).collect(),
        bounds: releases.first().cloned().zip(releases.last().cloned()),
    };
    job.deliver(disk, terminal, |model, known| {
        lists.import(model.map(|_| known.calendar), calendar)
    })
}

fn of_calendar(arguments: &ImportCalendar, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let texts = read_all(disk, &arguments.paths, calendar::LARGEST)?;
    let imported = calendar::import(named(&texts), arguments.current.as_deref())?;
    let releases = imported.draft.calendar.releases.keys();
    let (first, last) = (releases.clone().next().cloned(), releases.last().cloned());
    let paths = arguments.paths.join(" ");
    let job = Job {
        target: &arguments.target,
        origin: vec![format!("Imported by `lifecycle import calendar` from {paths}")],
        inputs: arguments.paths.iter().map(String::as_str).collect(),
        bounds: first.zip(last),
    };
    let outcome = job.deliver(disk, terminal, |_, _| Ok(imported))?;
    if arguments.target.update.is_none() {
        terminal.note("this file has a calendar only: a model also declares elements");
    }
    Ok(outcome)
}

/// The calendar of `--calendar`.
fn given_calendar(paths: &[String], disk: &Disk) -> Result<Option<Imported>> {
    if paths.is_empty() {
        return Ok(None);
    }
    let texts = read_all(disk, paths, calendar::LARGEST)?;
    Ok(Some(calendar::import(named(&texts), None)?))
}

fn read_all(disk: &Disk, paths: &[String], largest: usize) -> Result<Vec<FileText>> {
    paths.iter().map(|path| disk.read_at_most(path, largest)).collect()
}

fn named(texts: &[FileText]) -> impl Iterator<Item = (&str, &str)> {
    texts.iter().map(|text| (text.name.as_str(), text.content.as_str()))
}
