//! `lifecycle import openapi`: what an API server serves, from its documents of `OpenAPI`.

use std::collections::BTreeMap;

use lifecycle::import::Snapshot;
use lifecycle::import::history::Parts;
use lifecycle::import::openapi::{Found, read, read_kinds};
use lifecycle::text::LARGEST;

use crate::args::Surface;
use crate::terminal::Terminal;

use super::gather::{File, Format, deliver_history, gather};
use super::tell_schemas;
use crate::failure::{Failure, Outcome};

const FORMAT: Format<Found> = Format {
    name: "OpenAPI document with kinds that are served",
    endings: &["json", "yaml", "yml"],
    wanted: |_| true,
    largest: LARGEST,
    read,
    counts: |found| !found.kinds.is_empty(),
};

const WITHOUT_FIELDS: Format<Found> = Format {
    read: read_kinds,
    ..FORMAT
};

pub(super) fn openapi(arguments: &Surface, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let parts = Parts::from(arguments.fields);
    let format = if parts == Parts::None { &WITHOUT_FIELDS } else { &FORMAT };
    let gathered = gather(&arguments.releases, format, terminal)?;
    let mut snapshots = BTreeMap::new();
    for (release, found) in &gathered.releases {
        let mut snapshot = Snapshot::default();
        for file in &found.files {
            add(&mut snapshot, &release.to_string(), file, terminal);
        }
        snapshots.insert(release.clone(), snapshot);
    }
    let origin = "Imported from documents of OpenAPI by `lifecycle import openapi`:";
    let outcome = deliver_history(&gathered, snapshots, parts, origin, &arguments.target, terminal)?;
    tell_schemas(&arguments.releases, &arguments.target, terminal);
    Ok(outcome)
}

fn add(snapshot: &mut Snapshot, release: &str, file: &File<Found>, terminal: &mut Terminal) {
    let name = &file.label;
    terminal.note_some(&format!("{name}: "), &file.found.notes);
    let mut otherwise = Vec::new();
    for kind in &file.found.kinds {
        let added = snapshot.serve(&kind.group, &kind.kind, &kind.plural, &kind.name, kind.version.clone());
        if added.is_err() {
            otherwise.push(format!("{} {} {}", kind.group, kind.name, kind.kind));
        }
    }
    if let Some(first) = otherwise.first() {
        terminal.note(&format!(
            "skipped of {name}: {} that another file of {release} says otherwise, such as {first}; name the file that counts",
            match otherwise.len() {
                1 => "a kind".to_owned(),
                several => format!("{several} kinds"),
            }
        ));
    }
}
