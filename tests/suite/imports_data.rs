//! Real definitions of three projects over their releases, from the folder that `LIFECYCLE_DATA` names: what the model
//! declares of each release is what the CRDs of that release have.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use lifecycle::FileId;
use lifecycle::import::kinds::{Parts, Shipped, fold};
use lifecycle::import::update::{known, update, verify};
use lifecycle::import::{Draft, write};
use lifecycle::model::{ElementId, ElementKind, Event, EventKind, Model};
use lifecycle::release::Release;
use lifecycle::{Diagnostics, Document};
use serde_json::Value;

use crate::imports::{release, shipped};
use crate::support::evaluate;

/// Served, storage, deprecated.
pub type State = (bool, bool, bool);

/// The state of each group, version and kind in a release.
pub type Surface = BTreeMap<(String, String, String), State>;

#[expect(clippy::disallowed_methods, reason = "only the environment knows where the data is")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("LIFECYCLE_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: LIFECYCLE_DATA names no folder");
    }
    folder.map(|folder| PathBuf::from(folder).join("crds"))
}

#[expect(clippy::disallowed_methods, reason = "the data stays outside the tree")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A project with its releases, as the importer reads them and as its definitions say.
struct Project {
    name: &'static str,
    shipped: Vec<Shipped>,
    stated: Vec<Stated>,
}

/// What the definitions of a release say, read without any of the importer.
struct Stated {
    release: String,
    surface: Surface,
    /// The served fields, each as the model names it.
    fields: BTreeSet<String>,
}

/// The projects, which all tests share: reading them is most of the work. None where there is no data.
fn projects() -> &'static [Project] {
    static PROJECTS: LazyLock<Vec<Project>> = LazyLock::new(|| {
        let data = data();
        let projects = data.iter().flat_map(|data| NAMES.map(|name| project(data, name)));
        projects.collect()
    });
    &PROJECTS
}

fn project(data: &Path, name: &'static str) -> Project {
    let releases = published(data, name);
    let shipped = releases
        .iter()
        .map(|published| shipped(&published.name, &published.date, &published.files));
    Project {
        name,
        shipped: shipped.collect(),
        stated: releases.iter().map(stated).collect(),
    }
}

fn stated(published: &Published) -> Stated {
    let manifests = manifests(published);
    Stated {
        release: published.name.clone(),
        surface: surface(&manifests),
        fields: served_fields(&manifests),
    }
}

/// One release of a project: its name, its date, the texts of its definitions.
struct Published {
    name: String,
    date: String,
    files: Vec<String>,
}

fn published(data: &Path, project: &str) -> Vec<Published> {
    let timeline = text(&data.join("version-timeline.tsv"));
    let days: BTreeMap<&str, &str> = timeline
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row[0] == project)
        .map(|row| (row[2], row[3]))
        .collect();
    let mut releases: Vec<Published> = days
        .iter()
        .map(|(tag, date)| {
            let folder = data.join(project).join(tag);
            let entries = folder
                .read_dir()
                .expect("a folder a tag")
                .map(|entry| entry.expect("an entry").path());
            let mut paths: Vec<PathBuf> = entries.collect();
            paths.sort();
            Published {
                name: (*tag).to_owned(),
                date: (*date).to_owned(),
                files: paths.iter().map(|path| text(path)).collect(),
            }
        })
        .collect();
    releases.sort_by_key(|published| release(&published.name));
    releases
}

const NAMES: [&str; 4] = [
    "cert-manager",
    "gateway-api",
    "gateway-api-experimental",
    "prometheus-operator",
];

fn manifests(published: &Published) -> Vec<Value> {
    let files = published.files.iter();
    files
        .map(|file| serde_saphyr::from_str(file).expect("the data is YAML"))
        .collect()
}

fn word(value: &Value) -> String {
    value.as_str().expect("a word").to_owned()
}

fn surface(manifests: &[Value]) -> Surface {
    let mut surface = Surface::new();
    for manifest in manifests {
        let spec = &manifest["spec"];
        for version in spec["versions"].as_array().expect("versions") {
            let is = |key: &str| version[key].as_bool().unwrap_or(false);
            let key = (
                word(&spec["group"]),
                word(&version["name"]),
                word(&spec["names"]["kind"]),
            );
            surface.insert(key, (is("served"), is("storage"), is("served") && is("deprecated")));
        }
    }
    surface.retain(|_, state| state.0);
    surface
}

/// Whether an element is there in a release, and deprecated.
fn alive(model: &Model, id: ElementId, at: Release) -> Option<bool> {
    let parent = model.element(id).parent.filter(|_| model.element(id).kind.is_member());
    (0..model.lives(id)).find_map(|life| {
        let when = |what| {
            let own = model.find_declared(Event::new(id, life, what));
            own.or_else(|| model.find_declared(Event::new(parent?, life, what)))
                .map(|declared| declared.release)
        };
        let there = when(EventKind::Introduced)? <= at && when(EventKind::Removed).is_none_or(|removed| removed > at);
        let count = |what| {
            let steps = (0..=u8::MAX).map_while(|step| {
                let event = Event {
                    step,
                    ..Event::new(id, life, what)
                };
                model.find_declared(event)
            });
            steps.filter(|declared| declared.release <= at).count()
        };
        there.then(|| count(EventKind::Deprecated) > count(EventKind::Undeprecated))
    })
}

pub fn replayed(model: &Model, at: Release) -> Surface {
    let mut surface = Surface::new();
    for group in model.groups.iter() {
        for kind in &group.kinds {
            let stored = |id: ElementId| {
                let moved = model
                    .find_declared(Event::new(id, 0, EventKind::Stored))
                    .map(|moved| moved.release);
                moved.filter(|moved| *moved <= at)
            };
            let in_storage = kind
                .versions
                .iter()
                .flatten()
                .filter_map(|id| Some((stored(*id)?, *id)))
                .max();
            for (version, id) in group.versions.iter().zip(&kind.versions) {
                if let Some(id) = *id
                    && let Some(deprecated) = alive(model, id, at)
                {
                    let key = (group.name.clone(), version.name.as_str().to_owned(), kind.name.clone());
                    surface.insert(
                        key,
                        (true, in_storage.map(|(_, stored)| stored) == Some(id), deprecated),
                    );
                }
            }
        }
    }
    surface
}

fn model(text: &str) -> lifecycle::evaluate::Evaluation {
    evaluate(text).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}\n{text}"))
}

fn replay(text: &str, project: &Project) {
    let evaluation = model(text);
    let model = evaluation.model();
    for stated in &project.stated {
        let at = model.calendar.find(&stated.release).expect("the release is listed");
        assert_eq!(
            replayed(model, at),
            stated.surface,
            "{} {}",
            project.name,
            stated.release
        );
    }
}

#[test]
fn each_release_of_real_projects_is_replayed_exactly() {
    for project in projects() {
        for parts in [Parts::None, Parts::Changed, Parts::All] {
            replay(&write(&fold(Draft::default(), &project.shipped, parts).draft), project);
        }
    }
}

#[test]
fn releases_that_are_imported_one_after_the_other_are_replayed_exactly() {
    for project in projects() {
        for parts in [Parts::None, Parts::Changed, Parts::All] {
            let (first, rest) = project.shipped.split_first().expect("a release");
            let mut text = write(&fold(Draft::default(), std::slice::from_ref(first), parts).draft);
            for next in rest {
                text = updated(&text, next, parts);
            }
            replay(&text, project);
        }
    }
}

/// The model as an update reads it: without a plan.
fn declared(documents: &[Document<'_>]) -> Model {
    let mut diagnostics = Diagnostics::default();
    let model = Model::read_unfilled(documents, &[], &mut diagnostics);
    model.unwrap_or_else(|| panic!("{:#?}", diagnostics.into_vec()))
}

/// The text after one more release. It keeps everything, and the same release again changes nothing.
fn updated(text: &str, next: &Shipped, parts: Parts) -> String {
    let once = |text: &str| {
        let document = Document::parse(FileId(0), text);
        let before = declared(std::slice::from_ref(&document));
        let draft = fold(
            known(&before, &next.release).expect("its releases are numbered"),
            std::slice::from_ref(next),
            parts,
        )
        .draft;
        let updated = update(&[(text, &document)], &draft);
        let after = updated.texts.into_iter().next().expect("a text");
        let left = verify(
            &declared(&[Document::parse(FileId(0), &after)]),
            &draft,
            &next.release,
            &next.release,
        );
        let left: Vec<String> = left.into_iter().map(|finding| finding.message).collect();
        assert!(left.is_empty(), "{left:#?}");
        after
    };
    let after = once(text);
    let mut letters = after.chars();
    let current = text.lines().find(|line| line.starts_with("current"));
    let kept = text.lines().filter(|line| Some(*line) != current).flat_map(str::chars);
    for letter in kept {
        assert!(letters.any(|found| found == letter), "something is gone from\n{after}");
    }
    assert_eq!(once(&after), after);
    after
}

/// The paths of the fields below a schema, and the values they list, found without any of the importer.
fn fields(path: &str, schema: &Value, found: &mut BTreeSet<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if path.is_empty() && ["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
            continue;
        }
        let below = match (path.is_empty(), name.contains('.')) {
            (true, _) => name.clone(),
            (false, false) => format!("{path}.{name}"),
            (false, true) => format!("{path}[{name}]"),
        };
        found.insert(below.clone());
        nested(&below, property, found);
    }
}

fn nested(path: &str, schema: &Value, found: &mut BTreeSet<String>) {
    fields(path, schema, found);
    nested_if(&format!("{path}[]"), &schema["items"], found);
    nested_if(&format!("{path}{{}}"), &schema["additionalProperties"], found);
}

fn nested_if(path: &str, schema: &Value, found: &mut BTreeSet<String>) {
    if schema.is_object() {
        nested(path, schema, found);
    }
}

/// The fields of the versions that are served.
fn served_fields(manifests: &[Value]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for manifest in manifests {
        let spec = &manifest["spec"];
        let versions = spec["versions"].as_array().into_iter().flatten();
        for version in versions.filter(|version| version["served"] == true) {
            let id = format!(
                "{}/{} {}",
                word(&spec["group"]),
                word(&version["name"]),
                word(&spec["names"]["kind"])
            );
            let mut own = BTreeSet::new();
            fields("", &version["schema"]["openAPIV3Schema"], &mut own);
            all.extend(own.iter().map(|path| format!("{id} .{path}")));
        }
    }
    all
}

#[test]
fn the_fields_of_each_release_of_real_projects_are_replayed_exactly() {
    for project in projects() {
        let text = write(&fold(Draft::default(), &project.shipped, Parts::All).draft);
        let evaluation = model(&text);
        let model = evaluation.model();
        for stated in &project.stated {
            let at = model.calendar.find(&stated.release).expect("the release is listed");
            let there = model
                .elements()
                .filter(|(id, element)| element.kind == ElementKind::Field && alive(model, *id, at).is_some());
            let found: BTreeSet<String> = there.map(|(id, _)| model.id(id).to_owned()).collect();
            assert_eq!(found, stated.fields, "{} {}", project.name, stated.release);
        }
    }
}
