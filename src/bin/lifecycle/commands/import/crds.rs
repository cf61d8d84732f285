//! `lifecycle import crds`: custom resources and their lives.

use std::collections::BTreeMap;

use lifecycle::import::Snapshot;
use lifecycle::import::crds::{Found, read};
use lifecycle::import::history::Parts;
use lifecycle::text::LARGEST;

use crate::args::Surface;
use crate::schema_files::EXTENSIONS;
use crate::terminal::Terminal;

use super::gather::{File, Format, deliver_history, gather};
use super::tell_schemas;
use crate::failure::{Failure, Outcome};

const FORMAT: Format<Found> = Format {
    name: "CustomResourceDefinition",
    endings: &EXTENSIONS,
    wanted: |_| true,
    largest: LARGEST,
    read,
    counts: |found| !found.definitions.is_empty() || !found.unrendered.is_empty(),
};

pub(super) fn crds(arguments: &Surface, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let gathered = gather(&arguments.releases, &FORMAT, terminal)?;
    let parts = Parts::from(arguments.fields);
    let mut snapshots = BTreeMap::new();
    for (release, found) in &gathered.releases {
        let mut snapshot = Snapshot::default();
        for file in &found.files {
            add(&mut snapshot, &release.to_string(), file, terminal);
        }
        if parts == Parts::None {
            let kinds = snapshot.groups.values_mut().flat_map(BTreeMap::values_mut);
            kinds
                .flat_map(|kind| kind.versions.values_mut())
                .for_each(|version| version.fields.clear());
        }
        snapshots.insert(release.clone(), snapshot);
    }
    if snapshots.values().all(|snapshot| snapshot.groups.is_empty()) {
        let help = "name files or folders that have some";
        return Err(Failure::new("no CustomResourceDefinition was found").help(help));
    }
    let origin = "Imported from CustomResourceDefinitions by `lifecycle import crds`:";
    let outcome = deliver_history(&gathered, snapshots, parts, origin, &arguments.target, terminal)?;
    tell_schemas(&arguments.releases, &arguments.target, terminal);
    Ok(outcome)
}

fn add(snapshot: &mut Snapshot, release: &str, file: &File<Found>, terminal: &mut Terminal) {
    let name = &file.label;
    for document in &file.found.unrendered {
        terminal.note(&format!("skipped {name}:{}: {}", document.line, document.sort));
    }
    for definition in &file.found.definitions {
        let (group, kind) = (&definition.group, &definition.kind);
        if snapshot.add(group, kind, definition.resource.clone()).is_err() {
            terminal.note(&format!(
                "skipped {name}: {group} {kind} is defined otherwise in another file of {release}; name the folder \
                 that counts"
            ));
        }
    }
}
