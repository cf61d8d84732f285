//! Changes of versions held against a model, so that its policy judges them.

use crate::diagnostic::Severity;
use crate::grammar::KindPath;
use crate::model::{ElementId, Event, EventKind, Family, Model};
use crate::release::{Calendar, Release};
use crate::schema::ChangeKind;

use super::judgement::served;
use super::{Judgement, Scope, State};

/// Sets the severity of changes of versions by what a model says, in place of the policy for changes.
///
/// An end that the model declares for its next release or an earlier one is a note, since `check` decides whether it is
/// legal. Any other end is an error that names the earliest legal release, which `earliest_removal` computes. A version
/// that the model does not have is a warning, and so is a deprecation that it does not declare.
pub(crate) fn hold_against_model(
    judgements: &mut [Judgement],
    [old, new]: [&State<'_>; 2],
    model: &Model,
    earliest_removal: impl Fn(ElementId) -> Option<Release>,
) {
    for judgement in judgements {
        let scope = judgement.scope();
        let deprecates = judgement.change.kind == ChangeKind::VersionDeprecated;
        if !deprecates && !matches!(scope, Scope::Starts | Scope::Ends) {
            continue;
        }
        let state = if scope == Scope::Ends { old } else { new };
        match elements(judgement, &versions(judgement, state), model) {
            // The model need not declare a version that was not served.
            Err(_) if judgement.change.kind == ChangeKind::UnservedVersionRemoved => {}
            Err(missing) => not_in_model(judgement, &missing),
            Ok(elements) if scope == Scope::Ends => ended(judgement, elements, model, &earliest_removal),
            Ok(elements) if deprecates => deprecated(judgement, elements, model),
            Ok(_) => {}
        }
    }
}

/// The versions that a change concerns: all served ones, where it concerns the whole kind.
fn versions(judgement: &Judgement, state: &State<'_>) -> Vec<String> {
    if let Some(version) = &judgement.change.version {
        return vec![version.clone()];
    }
    let defined = state.definitions.iter().map(|side| side.definition);
    let described = state.documents.iter().flat_map(|side| &side.document.kinds);
    let same = defined
        .chain(described)
        .filter(|kind| kind.group == judgement.group && kind.kind == judgement.kind);
    same.flat_map(served).map(str::to_owned).collect()
}

/// The elements of versions in the model, or the ids of those that it does not have.
fn elements(judgement: &Judgement, versions: &[String], model: &Model) -> Result<Vec<ElementId>, String> {
    let (group, kind) = (&judgement.group, &judgement.kind);
    let found = versions
        .iter()
        .map(|version| (version, element(model, group, version, kind)));
    let (known, missing): (Vec<_>, Vec<_>) = found.partition(|(_, element)| element.is_some());
    if missing.is_empty() {
        return Ok(known.into_iter().filter_map(|(_, element)| element).collect());
    }
    let ids = missing
        .iter()
        .map(|(version, _)| KindPath::api(&**group, &***version, &**kind).to_string());
    Err(ids.collect::<Vec<_>>().join(", "))
}

/// Reports that the model does not have some elements. An error stays an error.
fn not_in_model(judgement: &mut Judgement, ids: &str) {
    judgement.severity = judgement.severity.max(Severity::Warning);
    judgement.reason = Some(format!("the model does not declare {ids}"));
    judgement.help = Some("update the model: `lifecycle import crds … --update MODEL`".to_owned());
}

/// The element of a version of a kind; that of the version where the model does not list the group's kinds.
pub(super) fn element(model: &Model, group: &str, version: &str, kind: &str) -> Option<ElementId> {
    if let Some(element) = model.find_path(&KindPath::api(group, version, kind).into()) {
        return Some(element);
    }
    let mut groups = model.groups.iter();
    let group = groups.find(|known| known.family == Family::Api && known.name == group)?;
    let mut versions = group.versions.iter().filter(|_| group.kinds.is_empty());
    Some(versions.find(|known| known.name.as_str() == version)?.element)
}

fn ended(
    judgement: &mut Judgement,
    elements: Vec<ElementId>,
    model: &Model,
    earliest_removal: impl Fn(ElementId) -> Option<Release>,
) {
    let mut undeclared = elements
        .into_iter()
        .filter(|id| !declares(model, *id, EventKind::Removed));
    let Some(element) = undeclared.next() else {
        judgement.severity = Severity::Note;
        judgement.reason = Some(format!(
            "the model declares the removal; `{}` says whether it is legal",
            model.command_line("check")
        ));
        judgement.help = None;
        return;
    };
    let (id, calendar) = (model.id(element), &model.calendar);
    judgement.severity = Severity::Error;
    judgement.reason = Some(match declared(model, element, EventKind::Removed) {
        Some(release) => format!("the model declares the removal of {id} for {}", calendar.name(release)),
        None => format!("the model does not declare the removal of {id}"),
    });
    let next = calendar.likely_next();
    judgement.help = Some(match earliest_removal(element) {
        Some(earliest) if earliest <= calendar.next() => {
            format!(
                "keep serving it, or declare the removal in the next release: {}",
                declaration("removed", calendar)
            )
        }
        Some(earliest) => format!(
            "keep serving it: {id} may be removed in {} at the earliest",
            calendar.name(earliest)
        ),
        None => format!(
            "keep serving it; `{}` says when it may be removed{}",
            model.command_line(&format!("check --remove \"{id}@{next}\"")),
            after_listing_next(calendar)
        ),
    });
}

fn deprecated(judgement: &mut Judgement, elements: Vec<ElementId>, model: &Model) {
    let mut undeclared = elements
        .into_iter()
        .filter(|id| !declares(model, *id, EventKind::Deprecated));
    if let Some(element) = undeclared.next() {
        judgement.severity = Severity::Warning;
        judgement.reason = Some(format!(
            "the model does not declare the deprecation of {}",
            model.id(element)
        ));
        judgement.help = Some(format!("declare it: {}", declaration("deprecated", &model.calendar)));
    }
}

/// Whether a model declares an event for its next release or an earlier one.
fn declares(model: &Model, element: ElementId, what: EventKind) -> bool {
    declared(model, element, what).is_some_and(|release| release <= model.calendar.next())
}

fn declared(model: &Model, element: ElementId, what: EventKind) -> Option<Release> {
    let event = Event::new(element, model.last_life(element), what);
    model.in_force(event).map(|declared| declared.release)
}

/// How to declare an event in the next release: `` `removed = "1.4"` ``.
fn declaration(event: &str, calendar: &Calendar) -> String {
    let next = calendar.likely_next();
    format!("`{event} = \"{next}\"`{}", after_listing_next(calendar))
}

/// The step that comes first where the calendar does not list its next release.
pub(super) fn after_listing_next(calendar: &Calendar) -> String {
    if calendar.names_next() {
        return String::new();
    }
    let next = calendar.likely_next();
    format!(", after adding `\"{next}\" = \"unscheduled\"` to `[calendar.releases]`")
}
