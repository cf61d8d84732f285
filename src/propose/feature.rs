//! Fields, values and gates: off, on, locked, removed.

use crate::document::{Document, Table};
use crate::grammar::{ElementKind, ElementPath, GATE_SPEC, KindPath, MemberName, VersionPath, below, names};
use crate::import::Value;
use crate::model::{ElementId, EventKind, Gate, Model};
use crate::release::Release;
use crate::stability::Stage;

use super::Unproposable;
use super::draft::{Declaration, Draft, Path, Step};
use super::element::{self, copied};
use super::name::{self, NewMember};
use super::settle::Inputs;

/// A new field: off, on by default, locked on, its gate removed.
pub(super) fn field(inputs: &Inputs<'_>, gate: Option<&str>) -> Result<Draft, Unproposable> {
    let form = "apps/v1 Deployment .spec.foo";
    let part = name::member(inputs.base.model(), inputs.request.element, form)?;
    if matches!(part.name, MemberName::Value { .. }) {
        return Err(Unproposable::new(
            format!("`{}` is a value of an enumeration", part.id),
            "propose it with `lifecycle propose enum-value`",
        ));
    }
    let (mut draft, homes) = started(inputs, &part)?;
    let introduced = draft.push(homes.step(EventKind::Introduced, inputs.from));
    guarded(inputs, &mut draft, &part, &homes, gate, (introduced, introduced))?;
    Ok(draft)
}

/// A new value: tolerated in existing objects, then accepted on creation, each with a stage of its gate.
pub(super) fn value(inputs: &Inputs<'_>, gate: Option<&str>) -> Result<Draft, Unproposable> {
    let form = "apps/v1 Deployment .spec.policy=OnMonday";
    let part = name::member(inputs.base.model(), inputs.request.element, form)?;
    if !matches!(part.name, MemberName::Value { .. }) {
        return Err(Unproposable::new(
            format!("`{}` is not a value of an enumeration", part.id),
            format!("write it as `{form}`"),
        ));
    }
    let (mut draft, homes) = started(inputs, &part)?;
    let tolerated = draft.push(homes.step(EventKind::Tolerated, inputs.from));
    let allowed = homes.step(EventKind::Introduced, inputs.from).after(tolerated, 0);
    let allowed = draft.push(allowed);
    guarded(inputs, &mut draft, &part, &homes, gate, (tolerated, allowed))?;
    Ok(draft)
}

/// A gate: off, on, locked on, removed. An existing gate continues from the stage it has reached.
pub(super) fn gate(inputs: &Inputs<'_>) -> Result<Draft, Unproposable> {
    let name = name::gate_name(inputs.request.element);
    if name.is_empty() {
        return Err(Unproposable::new(
            "the gate has no name",
            "name it: `lifecycle propose gate Frobber2D`",
        ));
    }
    let mut draft = Draft {
        element: ElementPath::Named(ElementKind::Gate, name.as_str().into()).to_string(),
        ..Draft::default()
    };
    stages(inputs, &mut draft, &name, None)?;
    if draft.steps.is_empty() {
        return Err(Unproposable::new(
            format!("gate {name} has all its stages"),
            format!(
                "`{}` shows its events",
                inputs.base.model().command_line(&format!("why \"gate {name}\""))
            ),
        ));
    }
    Ok(draft)
}

/// The versions that get a new member.
#[derive(Default)]
struct Homes {
    /// The entries for versions that are served when it is introduced.
    begun: Vec<Path>,
    /// The ids of the member in those.
    ids: Vec<String>,
    /// What to declare about versions that lack it, because the plan, not the model, says that they are removed before.
    open_ends: Vec<String>,
    /// The entries for versions introduced later: the member comes with them.
    later: Vec<Path>,
}

impl Homes {
    /// The step in which something happens to the member in the versions that are there.
    fn step(&self, what: EventKind, from: Release) -> Step {
        let declaration = Declaration::Key(self.begun.clone(), what.to_string());
        let mut step = Step::new(what.as_str(), what, "", declaration).from(from);
        step.elements.clone_from(&self.ids);
        step
    }
}

/// A draft of a member in each version that serves its kind from the first step on: a field of one version needs a
/// counterpart in the others (rule 2).
fn started(inputs: &Inputs<'_>, part: &NewMember<'_>) -> Result<(Draft, Homes), Unproposable> {
    let homes = homes(inputs, part);
    if !homes.ids.contains(&part.id) {
        let model = inputs.base.model();
        let name = model.calendar.name(inputs.from);
        return Err(Unproposable::new(
            format!("{} is not served in {name}", model.id(part.kind_in)),
            "name a version that is served then, or another release with --from",
        ));
    }
    let draft = Draft {
        element: part.id.clone(),
        remarks: homes.open_ends.clone(),
        ..Draft::default()
    };
    Ok((draft, homes))
}

fn homes(inputs: &Inputs<'_>, part: &NewMember<'_>) -> Homes {
    let (model, reasoning) = (inputs.base.model(), inputs.base.reasoning());
    let kind = model.element(part.kind_in).path();
    let entry = kind.kind().map_or_else(Path::new, KindPath::keys);
    let entry: Path = entry.into_iter().chain(part.name.keys()).collect();
    // A value is tolerated for a release before it is introduced.
    let introduced = match part.name {
        MemberName::Value { .. } => inputs.from.plus(1),
        _ => inputs.from,
    };
    let mut homes = Homes::default();
    let mut everywhere = true;
    for (version, element) in part.group.versions.iter().zip(&part.kind.versions) {
        let Some(element) = *element else { continue };
        let removed = reasoning.release(model.last_event(element, EventKind::Removed));
        if removed.is_some_and(|removed| removed <= introduced) {
            everywhere = false;
            homes.open_ends.extend(open_end(inputs, element));
            continue;
        }
        let path = below(&entry, &["in", version.name.as_str()]);
        let begins = reasoning.release(model.last_event(element, EventKind::Introduced));
        if begins.is_some_and(|begins| begins <= inputs.from) {
            let version = VersionPath::new(part.group.family, part.group.name.as_str(), version.name.as_str());
            let member = version
                .with_kind(part.kind.name.as_str())
                .with_member(part.name.clone());
            homes.ids.push(member.to_string());
            homes.begun.push(path);
        } else {
            homes.later.push(path);
        }
    }
    if everywhere && homes.later.is_empty() {
        homes.begun = vec![entry];
    }
    homes
}

/// What to declare about the end of a version of a kind, if the model does not.
fn open_end(inputs: &Inputs<'_>, element: ElementId) -> Option<String> {
    let model = inputs.base.model();
    let removed = model.last_event(element, EventKind::Removed);
    if model.declared_release(removed).is_some() {
        return None;
    }
    let release = model.calendar.name(inputs.base.reasoning().release(removed)?);
    Some(format!(
        "{} lacks it: its removal is planned for {release}, but not declared; declare `removed`, or add the element to it",
        model.id(element)
    ))
}

/// Guards a member by a gate: off with the first of two steps, on with the second at the earliest, and a release after
/// the first.
fn guarded(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    part: &NewMember<'_>,
    homes: &Homes,
    gate: Option<&str>,
    (off, on): (usize, usize),
) -> Result<(), Unproposable> {
    let name = match gate {
        Some(name) => name::gate_name(name),
        None => name::gate_of(&part.kind.name, &part.name),
    };
    for path in homes.begun.iter().chain(&homes.later) {
        let gate = Value::Text(name.clone());
        draft.keys.push((path.clone(), "gated-by".to_owned(), gate));
    }
    stages(inputs, draft, &name, Some((off, on)))
}

/// The stages that a gate does not have yet, and its removal.
fn stages(
    inputs: &Inputs<'_>,
    draft: &mut Draft,
    name: &str,
    guarded: Option<(usize, usize)>,
) -> Result<(), Unproposable> {
    let model = inputs.base.model();
    let gate = ElementPath::Named(ElementKind::Gate, name.into());
    let known = model.find_path(&gate).and_then(|id| model.gate(id));
    let id = gate.to_string();
    if let (Some(gate), true) = (known, guarded.is_some()) {
        is_off(model, gate, &id, inputs.from)?;
    }
    let path = gate.keys();
    draft.stages = known.map_or_else(Vec::new, |_| declared_stages(&inputs.documents, &path));
    if draft.stages.last().is_some_and(is_removal) {
        let message = format!("{id} is removed by the last entry of its `specs`, which is no stage to continue from");
        return Err(Unproposable::new(
            message,
            "declare the removal as `removed = \"…\"` instead",
        ));
    }
    let last = known.and_then(|gate| gate.specs.last());
    let mut before = guarded.map(|(off, _)| off);
    let from = last.map_or(inputs.from, |last| inputs.from.max(last.since.plus(1)));
    let mut nth = u8::try_from(known.map_or(0, |gate| gate.specs.len())).unwrap_or(u8::MAX);
    for stage in [Stage::Alpha, Stage::Beta, Stage::Ga] {
        if last.is_some_and(|last| last.stage >= stage) {
            continue;
        }
        let step = stage_step(stage, nth, &id, &path).from(if stage == Stage::Alpha { inputs.from } else { from });
        // One entry per release; and a field is off for a release first.
        let step = match before {
            Some(before) => step.after(before, u32::from(stage != Stage::Alpha)),
            None => step,
        };
        if let (Stage::Beta, Some((_, on))) = (stage, guarded) {
            let allowed = draft.steps[on].release;
            before = Some(draft.push(step.from(allowed.max(from))));
        } else {
            before = Some(draft.push(step));
        }
        nth = nth.saturating_add(1);
    }
    let is_removed = known.is_some_and(|gate| model.declared(gate.element, EventKind::Removed).is_some());
    if !is_removed && last.is_none_or(|last| last.stage != Stage::Deprecated) {
        let removed = Step::of_key(EventKind::Removed, id, &path).from(from);
        let removed = before.map_or(removed.clone(), |before| removed.after(before, 0));
        draft.push(removed);
    }
    Ok(())
}

fn stage_step(stage: Stage, nth: u8, id: &str, path: &[String]) -> Step {
    let name = match stage {
        Stage::Alpha => "alpha",
        Stage::Beta => "beta",
        Stage::Ga | Stage::Deprecated => "ga",
    };
    let what = if nth == 0 {
        EventKind::Introduced
    } else {
        EventKind::Promoted
    };
    Step {
        nth,
        ..Step::new(name, what, id, Declaration::Stage(path.to_vec(), stage))
    }
}

/// An existing gate can guard something new only while it is off.
fn is_off(model: &Model, gate: &Gate, id: &str, from: Release) -> Result<(), Unproposable> {
    let calendar = &model.calendar;
    match gate.at(from) {
        Some(spec) if !spec.default => Ok(()),
        Some(spec) => Err(Unproposable::new(
            format!(
                "{id} is on by default since {}: the new element would be on at once",
                calendar.name(spec.since)
            ),
            "choose with --gate one that is off for at least one release, so that a rollback loses nothing",
        )),
        None => {
            let begins = gate
                .specs
                .first()
                .map_or_else(String::new, |spec| calendar.name(spec.since));
            Err(Unproposable::new(
                format!("{id} does not exist in {}: it begins in {begins}", calendar.name(from)),
                format!("begin with it (--from {begins}), or choose another gate with --gate"),
            ))
        }
    }
}

/// The stages of a gate, as its file has them.
fn declared_stages(documents: &[Document<'_>], path: &[String]) -> Vec<Value> {
    let stages = element::value(documents, &below(path, &["specs"])).and_then(|found| found.as_list());
    let stages = stages.into_iter().flatten();
    stages
        .filter_map(|stage| stage.as_table().map(declared_stage))
        .collect()
}

fn is_removal(entry: &Value) -> bool {
    let Value::Table(keys) = entry else { return false };
    keys.contains(&("stage".to_owned(), Value::Text("removed".to_owned())))
}

fn declared_stage(stage: Table<'_>) -> Value {
    let keys = names(GATE_SPEC).into_iter();
    let keys = keys.filter_map(|key| Some((key.to_owned(), copied(stage.get(key)?.1))));
    Value::Table(keys.collect())
}
