//! Removals: announced, done, and for stored versions followed by migration and drop.

use crate::evaluate::{Evaluation, KindSchedule, NEVER_HELP, never_deprecated};
use crate::grammar::{EntryKey, below};
use crate::import::Value;
use crate::import::update::entry::value;
use crate::model::{ElementId, ElementKind, Event, EventKind, Model, in_shell};
use crate::plan::fixed;
use crate::release::Release;
use crate::timeline;

use super::draft::{Declaration, Draft, Path, Step};
use super::settle::{Inputs, Trial, binds};
use super::{Unproposable, element};

/// The steps of a removal: deprecated, hidden if it is a metric, removed.
pub(super) fn removal(inputs: &Inputs<'_>, kinds: KindSchedule) -> Result<Draft, Unproposable> {
    let model = inputs.base.model();
    let id = inputs.request.element;
    let element = named(model, id)?;
    let parts = removable(inputs.base, element)?;
    let removed = model.last_event(parts[0], EventKind::Removed);
    let declared = [EventKind::Deprecated, EventKind::Hidden].map(|what| fixed(model, removed.sibling(what)));
    // Each kind of a version has steps of its own.
    let own = declared.into_iter().flatten().filter(|_| parts.len() == 1);
    let from = own.fold(inputs.from, Release::max);
    let (path, mut others) = own_path(inputs, element);
    // Beside a list of the other versions, it is listed too, even if its removal is not in sight.
    if !others.is_empty() {
        others.push(path.clone());
    }
    let mut draft = Draft {
        element: id.to_owned(),
        kinds,
        bare: others,
        ..Draft::default()
    };
    let soonest = inputs.base.reasoning().soonest_end(element);
    let end = soonest.release.max(from);
    let mut before: Vec<usize> = match kinds {
        KindSchedule::Together => announce_all(inputs, &mut draft, (element, &path, &parts), (from, end)),
        KindSchedule::DeprecatedApart | KindSchedule::Apart => announce_each(inputs, &mut draft, &parts, (from, end)),
    };
    let served = begun(model, &parts).map_or(from, |begun| from.max(begun.plus(1)));
    // What is declared comes first: the entry of its last class, and a deprecation that is withdrawn.
    let open = served.max(inputs.base.reasoning().first_open(removed));
    if model.element(element).kind == ElementKind::Metric && is_hidden_first(inputs, removed, open) {
        before = vec![draft.push(follows(EventKind::Hidden, id, &path, &before, open))];
    }
    for (what, release) in inputs.base.reasoning().steps_of_all(&parts) {
        before = vec![draft.push(step(inputs, (what, id, &path), &before).from(release.max(served)))];
    }
    let is_in_sight = !soonest.release.is_never();
    let known = Some(soonest.release).filter(|_| is_in_sight);
    let first = served.max(known.unwrap_or(served));
    if is_in_sight && let Some(problem) = goes_later(model, element, first) {
        return Err(problem);
    }
    if kinds == KindSchedule::Apart {
        end_first(inputs, &mut draft, (element, first), (&before, served));
    }
    let waits = !is_in_sight && soonest.decisive.is_some_and(|found| binds(&found, first, inputs.base));
    draft.push(Step {
        waits,
        ..follows(EventKind::Removed, id, &path, &before, first)
    });
    draft.bare.extend(left_out(inputs, element, first));
    Ok(draft)
}

/// Adds the removals of the kinds that end before their version does, after some steps and from a release on.
fn end_first(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    (version, end): (ElementId, Release),
    (before, from): (&[usize], Release),
) {
    for (kind, own) in inputs.base.reasoning().kinds_ending_first(version, end) {
        let (path, _) = own_path(inputs, kind);
        let id = inputs.base.model().id(kind);
        draft.push(follows(EventKind::Removed, id, &path, before, own.max(from)));
    }
}

/// Adds the deprecation of an element with all its parts, from a release on; the positions of the steps.
fn announce_all(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    (element, path, parts): (ElementId, &Path, &[ElementId]),
    (from, end): (Release, Release),
) -> Vec<usize> {
    let model = inputs.base.model();
    let Some(announced) = inputs
        .base
        .reasoning()
        .announced_together(parts, end)
        .map(|announced| announced.max(from))
    else {
        return Vec::new();
    };
    let open = parts
        .iter()
        .filter(|part| inputs.base.reasoning().announced_together(&[**part], end).is_some());
    let alone = model.announced_alone(element);
    let (apart, others): (Vec<ElementId>, Vec<ElementId>) = open.partition(|part| alone.contains(part));
    let whole = (!others.is_empty()).then(|| announce(inputs, draft, (element, path), announced));
    let apart = apart.into_iter().map(|kind| {
        let (path, _) = own_path(inputs, kind);
        announce(inputs, draft, (kind, &path), announced)
    });
    let apart: Vec<usize> = apart.collect();
    whole.into_iter().chain(apart).collect()
}

/// Adds the deprecation of each of some kinds, from a release on; the positions of the steps.
fn announce_each(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    kinds: &[ElementId],
    (from, end): (Release, Release),
) -> Vec<usize> {
    let announced = kinds.iter().filter_map(|kind| {
        let announced = inputs
            .base
            .reasoning()
            .announced_together(std::slice::from_ref(kind), end)?;
        // The entries of kinds list no other versions.
        let (path, _) = own_path(inputs, *kind);
        Some(announce(inputs, draft, (*kind, &path), announced.max(from)))
    });
    announced.collect()
}

/// Why a version is not proposed to go in a release: a proposal only adds to the files, and one of its kinds declares
/// that it goes later.
fn goes_later(model: &Model, version: ElementId, end: Release) -> Option<Unproposable> {
    let kinds = model.served_by(version).into_iter().filter(|kind| *kind != version);
    let ends = kinds.filter_map(|kind| model.find_declared(model.last_event(kind, EventKind::Removed)));
    let last = ends.filter(|own| own.release > end).max_by_key(|own| own.release)?;
    let [end, later] = [end, last.release].map(|release| model.calendar.name(release));
    let [version, kind] = [version, last.event.element].map(|id| model.id(id));
    Some(Unproposable::new(
        format!("{version} can be removed in {end}, but {kind} is declared to be removed in {later}"),
        format!("delete that `removed`, or declare it for {end}"),
    ))
}

/// The keys that lead to an entry of an element alone, and those of the entries of the other versions that are listed
/// beside it. A version that ends by the plan before the element begins is left out, because an entry would require it
/// to stay served until then.
pub(super) fn own_path(inputs: &Inputs<'_>, own: ElementId) -> (Path, Vec<Path>) {
    let base = inputs.base;
    let (path, mut others) = element::own_path(&inputs.documents, base.model(), own);
    others.retain(|(other, _)| base.reasoning().ever_begins(*other));
    (path, others.into_iter().map(|(_, entry)| entry).collect())
}

/// The entries of the other versions for what a version would get only after the field that it is within is gone: these
/// are listed, so that it is left out.
fn left_out(inputs: &Inputs<'_>, field: ElementId, end: Release) -> Vec<Path> {
    let model = inputs.base.model();
    if model.element(field).kind != ElementKind::Field {
        return Vec::new();
    }
    let parts = model.elements().filter(|(part, _)| model.owner(*part) == Some(field));
    let later = parts.filter(|(part, _)| {
        let begin = model.last_event(*part, EventKind::Introduced);
        model.declared_release(begin).is_some_and(|begin| begin >= end)
    });
    let others = later.flat_map(|(part, _)| own_path(inputs, part).1);
    others.collect()
}

/// Adds the deprecation of an element to a draft; the position of its step.
pub(super) fn announce(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    (element, path): (ElementId, &Path),
    release: Release,
) -> usize {
    let model = inputs.base.model();
    let (withdrawn, undone) = element::before_another(&inputs.documents, model, element);
    let deprecated = draft.push(Step {
        withdrawn,
        ..Step::of_key(EventKind::Deprecated, model.id(element), path).from(release)
    });
    let key = EventKind::Undeprecated.as_str().to_owned();
    draft.keys.extend(undone.map(|undone| (path.clone(), key, undone)));
    draft.keys.extend(operation(model, element, path));
    deprecated
}

/// The element of a request.
pub(super) fn named(model: &Model, id: &str) -> Result<ElementId, Unproposable> {
    model.find(id).ok_or_else(|| {
        let help = model.did_you_mean(id);
        let help = help.unwrap_or_else(|| format!("`{}` lists the elements", model.command_line("plan --all")));
        Unproposable::new(format!("there is no element `{id}`"), help)
    })
}

/// The release by which all these are introduced: what is not served yet is served for a release before it ends.
pub(super) fn begun(model: &Model, parts: &[ElementId]) -> Option<Release> {
    let begins = parts.iter().map(|part| model.last_event(*part, EventKind::Introduced));
    begins.filter_map(|begin| model.declared_release(begin)).max()
}

/// Whether a metric is still to be hidden: its policy hides metrics, one release is left for it before the removal, and
/// the plan of a deprecated one that could be hidden by now only deletes it.
fn is_hidden_first(inputs: &Inputs<'_>, removed: Event, from: Release) -> bool {
    let (model, reasoning) = (inputs.base.model(), inputs.base.reasoning());
    let hidden = removed.sibling(EventKind::Hidden);
    model.find_declared(hidden).is_none()
        && reasoning.lower(hidden).is_some()
        && from < reasoning.soonest_removal(removed).release
        && (reasoning.release(hidden).is_some() || reasoning.release(removed).is_none())
}

/// The parts of an element that can be removed, at least one, or why it cannot be.
fn removable(base: &Evaluation, element: ElementId) -> Result<Vec<ElementId>, Unproposable> {
    let parts = still_there(base, element)?;
    if let Some(kept) = base.reasoning().kept(element) {
        return Err(Unproposable::new(never_deprecated(base.model().id(kept)), NEVER_HELP));
    }
    match base.never_there(element) {
        Some(no_removal) => Err(Unproposable::new(no_removal.message, no_removal.help)),
        None => Ok(parts),
    }
}

/// The element, or those of the kinds it consists of that have not ended and whose removal is not declared: at least
/// one.
fn still_there(base: &Evaluation, element: ElementId) -> Result<Vec<ElementId>, Unproposable> {
    let model = base.model();
    let mut open = model.served_by(element);
    let mut last = Release(0);
    open.retain(|part| {
        let ended = ended(base, *part);
        last = last.max(ended.unwrap_or(last));
        ended.is_none()
    });
    if !open.is_empty() {
        return Ok(open);
    }
    let name = model.calendar.name(last);
    let id = model.id(element);
    if last < model.calendar.next() {
        let why = model.command_line(&format!("why {}", in_shell(id)));
        return Err(Unproposable::new(
            format!("{id} was already removed in {name}"),
            format!("`{why}` shows its life"),
        ));
    }
    let moved = format!("{id}.removed=RELEASE");
    let moves = model.command_line(&format!("what-if --set {}", in_shell(&moved)));
    Err(Unproposable::new(
        format!("the model already declares that {id} is removed in {name}"),
        format!("`{moves}` moves it"),
    ))
}

/// The release in which the last life of a part ended, also with what it is in, or is declared to end.
pub(super) fn ended(base: &Evaluation, part: ElementId) -> Option<Release> {
    let removed = base.model().last_event(part, EventKind::Removed);
    base.model().declared_release(removed).or_else(|| {
        let end = base.reasoning().release(removed);
        end.filter(|_| base.reasoning().has_ended(part))
    })
}

/// Declares whether a deprecated gate still has an effect, unless the model already does: it has until it is locked.
fn operation(model: &Model, element: ElementId, path: &Path) -> Option<(Path, String, Value)> {
    let gate = model.gate(element)?;
    let is_declared = model.attributes(element).is_some_and(|own| own.operational.is_some());
    let locked = gate.specs.last().is_some_and(|spec| spec.locked);
    (!is_declared).then(|| (path.clone(), "operational".to_owned(), Value::Flag(!locked)))
}

/// A step of an element, after others.
fn step(inputs: &Inputs<'_>, (what, id, path): (EventKind, &str, &Path), before: &[usize]) -> Step {
    let name = inputs.base.model().event_word(what).as_str().to_owned();
    let steps = below(path, &[EntryKey::Steps.as_str()]);
    let declaration = if value(&inputs.documents, &steps).is_some() {
        Declaration::key(&steps, &name)
    } else {
        Declaration::Step(path.clone(), name.clone())
    };
    Step::new(name, what, id, declaration).after_all(before)
}

fn follows(what: EventKind, id: &str, path: &[String], before: &[usize], from: Release) -> Step {
    Step::of_key(what, id, path).from(from).after_all(before)
}

/// Steps for a version that objects are stored in: migrated once storage has moved, then dropped.
pub(super) fn storage(inputs: &Inputs<'_>, draft: &mut Draft, trial: &Trial) {
    let model = trial.evaluation.model();
    let Some(id) = model.find(inputs.request.element) else {
        return;
    };
    // Nobody stores objects in the version of a configuration.
    if model.element(id).kind != ElementKind::ApiVersion {
        return;
    }
    let path = element::path(&inputs.documents, model, id);
    let removed = draft
        .steps
        .iter()
        .position(|step| step.name == "removed" && step.elements == [inputs.request.element] && !step.waits);
    migration(draft, (trial, inputs.from), inputs.request.element, &path, removed);
}

/// The steps that clear a version out of storage, from a release on. `removed` is the step that removes it.
pub(super) fn migration(
    draft: &mut Draft,
    (trial, from): (&Trial, Release),
    id: &str,
    path: &Path,
    removed: Option<usize>,
) {
    let model = trial.evaluation.model();
    let Some(version) = model.find(id) else { return };
    let mut migrated = None;
    // The release that rewrites objects has to read the old version.
    let mut apart = 0;
    let step = Step::of_key(EventKind::Migrated, id, path);
    let step = match (left_storage(trial, version), removed) {
        (Storage::Stays, _) => return,
        // A rollback by one release writes the old version again: objects are rewritten a release after the move.
        // A shipped release is not declared to have done it, nor is one before the version is back.
        (Storage::Until(moved), _) => {
            apart = 1;
            let back = begun(model, &model.served_by(version));
            Some(step.from(moved.plus(1).max(from).max(back.unwrap_or(from))))
        }
        // Nothing was ever stored in it; that must be declared before it is dropped.
        (Storage::Never, Some(removed)) => Some(step.from(draft.steps[removed].release).after(removed, 0)),
        (Storage::Never, None) => None,
    };
    if let Some(step) = step.filter(|_| !is_declared(model, version, EventKind::Migrated)) {
        migrated = Some(draft.push(step));
    }
    if let (Some(removed), false) = (removed, is_declared(model, version, EventKind::Dropped)) {
        let from = draft.steps[removed].release;
        let step = Step::of_key(EventKind::Dropped, id, path).from(from);
        // The release that stops serving a version still has its code: a rollback by one release serves it again.
        let step = step.after(removed, 1);
        draft.push(match migrated {
            Some(migrated) => step.after(migrated, apart),
            None => step,
        });
    }
}

/// Whether an event is declared for a version, or for each of its kinds.
fn is_declared(model: &Model, version: ElementId, what: EventKind) -> bool {
    let mut served = model.served_by(version).into_iter();
    served.all(|part| model.declared(part, what).is_some())
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
    let Some(last) = rows.iter().rposition(|row| row.storage.contains(&Some(position))) else {
        return Storage::Never;
    };
    match rows.get(last + 1) {
        Some(next) if all_move(&rows[last], next, position) => Storage::Until(next.release),
        _ => Storage::Stays,
    }
}

/// Whether all kinds that a version stores in a row are stored in some version in the next one.
fn all_move(last: &timeline::Row, next: &timeline::Row, position: usize) -> bool {
    let mut kinds = last.storage.iter().zip(&next.storage);
    kinds.all(|(was, is)| *was != Some(position) || is.is_some())
}
