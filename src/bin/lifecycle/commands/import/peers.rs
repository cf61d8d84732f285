//! `lifecycle import pluto` and `kubepug`: lists of deprecated API versions.

use std::collections::BTreeSet;

use lifecycle::import::Draft;
use lifecycle::import::peers::{
    Drafted, Entry, Listed, Told, draft, kubepug as of_kubepug, merge, pluto as of_pluto, without_lists,
};
use lifecycle::model::Model;
use lifecycle::text::{LARGEST, Unreadable};

use crate::args::Peer;
use crate::io::disk;
use crate::terminal::Terminal;

use super::deliver;
use super::gates::add_later;
use super::update::bring_all_up_to_date;
use crate::failure::{Failure, Outcome};

pub(super) fn pluto(arguments: &Peer, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    list(arguments, ("pluto", false), of_pluto::read, terminal)
}

pub(super) fn kubepug(arguments: &Peer, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    list(arguments, ("kubepug", true), of_kubepug::read, terminal)
}

/// Imports a list of a tool, which may name the kinds of replacements.
fn list(
    arguments: &Peer,
    (tool, names_kinds): (&str, bool),
    read: fn(&str) -> Result<Listed, Unreadable>,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let name = arguments.file.as_str();
    let text = disk::read_at_most(name, LARGEST)?;
    let listed = read(&text.content)
        .map_err(|fault| Failure::unreadable(name, &fault).help(format!("mend the file, or name a list of {tool}")))?;
    let Listed { entries, mut told } = listed;
    let entries = of_component(entries, arguments.component.as_deref(), name)?;
    let (entries, lists) = without_lists(entries);
    tell_lists(name, &lists, terminal);
    if let Some(model) = &arguments.target.update {
        return update(model, name, Listed { entries, told }, names_kinds, terminal);
    }
    let Drafted {
        mut draft,
        told: left_out,
        assumed,
    } = draft(&entries);
    told.extend(left_out);
    told.sort_by_key(|told| told.line);
    tell(name, &told, terminal);
    if draft.groups.is_empty() {
        return Err(Failure::new(format!("{name}: no entry that can be read")).help(format!("name a list of {tool}")));
    }
    draft.origin = vec![
        format!("Imported from a list of deprecated API versions by `lifecycle import {tool}`: {name}"),
        "The list gives no days: the releases are those it names and those between them. Write their days.".to_owned(),
        "A replacement begins where the list says it is available, or else with the first deprecation or removal that names it."
            .to_owned(),
    ];
    if let Some((release, count)) = assumed {
        let plural = if count == 1 { "" } else { "s" };
        let assumed = format!(
            "The list does not say when these were introduced: {count} kind{plural} of a version begin in {release}, the \
             release before the first it names. Correct that."
        );
        terminal.note(&format!("{name}: {assumed}"));
        draft.origin.push(assumed);
    }
    deliver(&draft, &arguments.target, &[name], terminal)
}

/// Brings a model up to date with a list.
fn update(
    model: &str,
    name: &str,
    Listed { entries, mut told }: Listed,
    names_kinds: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let make = |model: &Model, known: Draft, terminal: &mut Terminal| {
        let calendar = known.calendar.clone();
        let merged = merge(model, known, &entries, names_kinds);
        told.extend(merged.told);
        told.sort_by_key(|told| told.line);
        tell(name, &told, terminal);
        if let Some((release, count)) = merged.assumed {
            let plural = if count == 1 { "" } else { "s" };
            terminal.note(&format!(
                "{name}: The list does not say when these were introduced: {count} new kind{plural} of a version begin in \
                 {release}, the first release of the calendar. Correct that."
            ));
        }
        let mut draft = merged.draft;
        // Earlier releases that it lacks are told, with what was left out because of them.
        add_later(&calendar, &merged.named, &mut draft.calendar);
        (draft, merged.disagreements)
    };
    bring_all_up_to_date(model, make, terminal)
}

/// The entries of one product: releases of several are not to be compared.
fn of_component(entries: Vec<Entry>, chosen: Option<&str>, name: &str) -> Result<Vec<Entry>, Failure> {
    let of = |entry: &Entry| entry.component.clone().unwrap_or_default();
    let components: BTreeSet<String> = entries.iter().map(of).collect();
    let names: Vec<&str> = components.iter().map(String::as_str).collect();
    let names = names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    match chosen {
        Some(chosen) if !components.contains(chosen) => {
            let message = format!("{name}: no entry is of the component `{chosen}`");
            Err(Failure::new(message).help(format!("it has {names}")))
        }
        Some(chosen) => Ok(entries.into_iter().filter(|entry| of(entry) == chosen).collect()),
        None if components.len() > 1 => {
            let message = format!(
                "{name}: it tells of {} products, and a model is of one",
                components.len()
            );
            Err(Failure::new(message).help(format!("choose one with --component: {names}")))
        }
        None => Ok(entries),
    }
}

/// Lists named at most.
const MOST_NAMED: usize = 3;

/// Tells how many kinds are but lists of others.
fn tell_lists(name: &str, lists: &BTreeSet<String>, terminal: &mut Terminal) {
    if lists.is_empty() {
        return;
    }
    let named: Vec<&str> = lists.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = if lists.len() > named.len() { ", …" } else { "" };
    let kinds = match lists.len() {
        1 => "kind that is only a list of another kind",
        _ => "kinds that are only lists of other kinds",
    };
    terminal.note(&format!(
        "{name}: left out {} {kinds}: {}{more}",
        lists.len(),
        named.join(", ")
    ));
}

fn tell(name: &str, told: &[Told], terminal: &mut Terminal) {
    let lines: Vec<String> = told
        .iter()
        .map(|told| format!("{name}:{}: {}", told.line, told.reason))
        .collect();
    terminal.note_some("", &lines);
}
