//! The end of what is there: announced, gone, and for what is stored, migrated and dropped.

use crate::import::Value;
use crate::model::{Declared, ElementId, ElementKind, Event, EventKind, Model};
use crate::plan::fixed;
use crate::release::Release;
use crate::stability::Track;
use crate::timeline;

use super::Unproposable;
use super::draft::{Draft, Path, Said, Step};
use super::element;
use super::settle::{Trial, Workshop, bearers};

/// The steps by which an element goes: deprecated, of a metric hidden, removed.
pub(super) fn removal(workshop: &Workshop<'_>) -> Result<Draft, Unproposable> {
    let model = workshop.base.model();
    let id = workshop.request.element;
    let element = model.find(id).ok_or_else(|| {
        Unproposable::new(
            format!("there is no element `{id}`"),
            model
                .did_you_mean(id)
                .unwrap_or_else(|| "`lifecycle plan` lists the elements".to_owned()),
        )
    })?;
    let open = still_there(model, element)?;
    let event = |what| Event::new(open, model.last_life(open), what);
    let begins = declared(model, open, EventKind::Introduced).map(|begins| begins.release);
    let begun = begins.map_or(workshop.from, |begins| workshop.from.max(begins.plus(1)));
    let said = [EventKind::Deprecated, EventKind::Hidden].map(|what| fixed(model, event(what)));
    let from = said.into_iter().flatten().fold(begun, Release::max);
    let path = element::path(workshop, model, element);
    let mut draft = Draft {
        element: id.to_owned(),
        ..Draft::default()
    };
    let mut last = None;
    if is_announced(model, element) && fixed(model, event(EventKind::Deprecated)).is_none() {
        last = Some(draft.push(deprecated(workshop, id, event(EventKind::Deprecated), &path, from)));
        draft.said.extend(operation(model, element, &path));
    }
    if model.element(element).kind == ElementKind::Metric && model.declared(element, EventKind::Hidden).is_none() {
        last = Some(draft.push(follows("hidden", EventKind::Hidden, id, &path, last, from)));
    }
    draft.push(follows("removed", EventKind::Removed, id, &path, last, from));
    Ok(draft)
}

/// Of an element and the kinds it is made of, one whose removal is not declared.
fn still_there(model: &Model, element: ElementId) -> Result<ElementId, Unproposable> {
    let bearers = bearers(model, element);
    let removed = |bearer: &ElementId| declared(model, *bearer, EventKind::Removed).map(|gone| gone.release);
    if let Some(open) = bearers.iter().find(|bearer| removed(bearer).is_none()) {
        return Ok(*open);
    }
    let last = bearers.iter().filter_map(removed).max();
    let name = last.map_or_else(String::new, |last| model.calendar.name(last));
    let id = model.id(element);
    Err(Unproposable::new(
        format!("the model says already that {id} is removed in {name}"),
        format!("`lifecycle check --remove \"{id}@RELEASE\"` tells whether another release would do"),
    ))
}

/// Whether a gate that is deprecated still does anything: unless it is locked, and the model says otherwise.
fn operation(model: &Model, element: ElementId, path: &Path) -> Option<(Path, String, Value)> {
    let gate = model.gate(element)?;
    let is_said = model.attributes(element).is_some_and(|said| said.operational.is_some());
    let locked = gate.specs.last().is_some_and(|spec| spec.locked);
    (!is_said).then(|| (path.clone(), "operational".to_owned(), Value::Flag(!locked)))
}

/// What is declared of the last life of an element.
fn declared(model: &Model, id: ElementId, what: EventKind) -> Option<&Declared> {
    model.find_declared(Event::new(id, model.last_life(id), what))
}

fn follows(name: &'static str, what: EventKind, id: &str, path: &[String], last: Option<usize>, from: Release) -> Step {
    let step = Step::new(name, what, id, Said::key(path, name)).from(from);
    match last {
        Some(last) => step.after(last, 0),
        None => step,
    }
}

/// Whether its end is announced before: not of a part of a kind, which goes with it, nor of an alpha version.
fn is_announced(model: &Model, id: ElementId) -> bool {
    let element = model.element(id);
    let is_alpha_api = (element.kind.is_version() || element.kind.is_kind()) && element.track == Track::Alpha;
    !element.kind.is_member() && !is_alpha_api
}

/// The deprecation: as the plan has it where something takes its place then, else in the first release.
fn deprecated(workshop: &Workshop<'_>, id: &str, event: Event, path: &[String], from: Release) -> Step {
    let model = workshop.base.model();
    let planned = workshop.base.reasoning().release(event);
    let has_successor = model.element(event.element).kind.is_kind() || model.element(event.element).kind.is_version();
    let is_due = workshop.base.intentions().unreplaced.contains(&event);
    let planned = planned.filter(|_| has_successor && !is_due);
    let release = planned.map_or(from, |planned| planned.max(from));
    Step::new("deprecated", EventKind::Deprecated, id, Said::key(path, "deprecated")).from(release)
}

/// Of a version that objects are stored in: migrated once storage has moved, dropped once nothing of it is needed.
pub(super) fn storage(workshop: &Workshop<'_>, draft: &mut Draft, trial: &Trial) {
    let model = trial.evaluation.model();
    let Some(id) = model.find(workshop.request.element) else {
        return;
    };
    if !model.element(id).kind.is_version() {
        return;
    }
    let path = element::path(workshop, model, id);
    let removed = draft
        .steps
        .iter()
        .position(|step| step.name == "removed" && !step.waits);
    migration(draft, trial, workshop.request.element, &path, removed);
}

/// The steps that clear a version out of storage. `removed` is the step in which it goes.
pub(super) fn migration(draft: &mut Draft, trial: &Trial, id: &str, path: &Path, removed: Option<usize>) {
    let model = trial.evaluation.model();
    let Some(version) = model.find(id) else { return };
    let is_said = |what| {
        let mut bearers = bearers(model, version).into_iter();
        bearers.any(|bearer| model.declared(bearer, what).is_some())
    };
    let mut migrated = None;
    // What is to be rewritten has to be read by the release that does so.
    let mut apart = 0;
    let step = Step::new("migrated", EventKind::Migrated, id, Said::key(path, "migrated"));
    let step = match (left_storage(trial, version), removed) {
        (Storage::Stays, _) => return,
        // A rollback by one release writes the old version again: objects are rewritten a release after the move.
        // What has shipped is not declared to have done it.
        (Storage::Until(moved), _) => {
            apart = 1;
            Some(step.from(moved.plus(1).max(model.calendar.next())))
        }
        // Nothing was ever stored in it; the law wants that said before it is dropped.
        (Storage::Never, Some(removed)) => Some(step.from(draft.steps[removed].release).after(removed, 0)),
        (Storage::Never, None) => None,
    };
    if let Some(step) = step.filter(|_| !is_said(EventKind::Migrated)) {
        migrated = Some(draft.push(step));
    }
    if let (Some(removed), false) = (removed, is_said(EventKind::Dropped)) {
        let from = draft.steps[removed].release;
        let step = Step::new("dropped", EventKind::Dropped, id, Said::key(path, "dropped")).from(from);
        let step = step.after(removed, 0);
        draft.push(match migrated {
            Some(migrated) => step.after(migrated, apart),
            None => step,
        });
    }
}

/// How long a version is the storage version of anything.
enum Storage {
    /// It never is.
    Never,
    /// Until this release, the first in which it no longer is.
    Until(Release),
    /// Nothing takes its place.
    Stays,
}

fn left_storage(trial: &Trial, version: ElementId) -> Storage {
    let evaluation = &trial.evaluation;
    let model = evaluation.model();
    let Some(group) = model.group_of(version) else {
        return Storage::Never;
    };
    let Some(position) = group.versions.iter().position(|known| known.element == version) else {
        return Storage::Never;
    };
    let rows = timeline::group_with_moves(model, evaluation.law(), evaluation.assignment(), group).rows;
    let kinds = |row: &timeline::Row| -> Vec<usize> {
        let stored = row.storage.iter().enumerate();
        stored
            .filter(|(_, at)| **at == Some(position))
            .map(|(kind, _)| kind)
            .collect()
    };
    let Some(last) = rows.iter().rposition(|row| !kinds(row).is_empty()) else {
        return Storage::Never;
    };
    let moved = rows.get(last + 1);
    let all_move = |next: &&timeline::Row| kinds(&rows[last]).iter().all(|kind| next.storage[*kind].is_some());
    moved
        .filter(all_move)
        .map_or(Storage::Stays, |next| Storage::Until(next.release))
}
