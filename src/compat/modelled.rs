//! Changes of fields and values held against a model: which of them are behind a gate or unstable, and which are kept
//! elsewhere in other versions.

use std::collections::BTreeMap;

use crate::model::{ElementId, Family, Kind, Member, Model, Text};
use crate::policy::Policy;
use crate::report::DifferenceReport;
use crate::schema::{ChangeKind, Definition, lists};
use crate::stability::Track;

use super::State;

/// Grades changes of fields and of values of enumerations by what a model says of them.
///
/// What was behind an alpha gate in the newest release, or is less stable than its version by the model's word, is
/// graded by that track, as is all below it. What does not survive the way to another version is a note where the model
/// says as what it is represented there (`represented-as`), if the new state has that.
pub fn grade_by_model(changes: &mut [DifferenceReport], new: State<'_>, model: &Model, policy: &Policy) {
    let counterparts = Counterparts::new(model);
    let losses = changes.iter_mut().flat_map(|change| &mut change.losses);
    losses.for_each(|loss| kept_elsewhere(loss, new, &counterparts));
    for change in changes.iter_mut().filter(|change| !change.path.is_empty()) {
        if is_loss(change) {
            kept_elsewhere(change, new, &counterparts);
        } else {
            by_track(change, model, policy);
        }
    }
}

/// Grades a change by the stability of what changed, where that is lower than its version's.
fn by_track(change: &mut DifferenceReport, model: &Model, policy: &Policy) {
    let mut lowest = None;
    // What several kinds share is as stable as the most stable of them.
    for id in std::iter::once(&change.element).chain(&change.also) {
        let Some(found) = unstable(model, id) else { return };
        lowest = lowest.max(Some(found));
    }
    let (Some((track, element)), Some(kind)) = (lowest, ChangeKind::parse(change.code)) else {
        return;
    };
    if Track::parse(change.track).is_none_or(|before| before <= track) {
        return;
    }
    change.track = track.as_str();
    change.severity = policy.schema.severity(kind, change.verdict, track).as_str();
    if change.verdict != "compatible" {
        let reason = change.reason.take().unwrap_or_default();
        change.reason = Some(format!("{reason}; {}", why(model, element, track)));
    }
}

/// The lowest track that the model gives to an element, or to what it is part of below its kind, and which of them.
fn unstable(model: &Model, id: &str) -> Option<(Track, ElementId)> {
    let release = model.calendar.current().unwrap_or_else(|| model.calendar.next());
    let members = upwards(id).filter_map(|id| model.find(id));
    let members = members.filter(|element| model.element(*element).kind.is_member());
    members.map(|element| (model.track_at(element, release), element)).min()
}

fn why(model: &Model, element: ElementId, track: Track) -> String {
    match model.gate_guarding(element) {
        Some(gate) => format!(
            "by the model, it is behind {}, which is {track}",
            model.id(gate.element)
        ),
        None => format!("by the model, it is {track}"),
    }
}

/// The id of a field or value, and those of the fields that it is within, nearest first.
fn upwards(id: &str) -> impl Iterator<Item = &str> {
    // Before the second space stand the group, the version and the kind.
    let start = id.match_indices(' ').nth(1).map_or(id.len(), |(at, _)| at + 1);
    let cuts = id.rmatch_indices(['.', '[', '{', '=']).map(|(at, _)| at);
    let above = cuts.filter(move |at| *at > start).filter_map(|at| id.get(..at));
    std::iter::once(id).chain(above)
}

/// What the model says that versions of a kind have for one another's fields.
struct Counterparts<'m>(BTreeMap<Key<'m>, Counterpart<'m>>);

/// The group, the kind, the version that is left, the one that is entered, and the field or value.
type Key<'m> = [&'m str; 5];

#[derive(Debug, Clone, Copy)]
enum Counterpart<'m> {
    /// It is represented by another field, or by an annotation.
    By(&'m str),
    /// It represents a field of the other version.
    Of(&'m str),
}

impl<'m> Counterparts<'m> {
    fn new(model: &'m Model) -> Self {
        let mut all = BTreeMap::new();
        for group in model.groups.iter().filter(|group| group.family == Family::Api) {
            for (kind, member) in group.kinds.iter().flat_map(members) {
                for (own, (at, other)) in pairs(member) {
                    let version = |at: usize| group.versions.get(at).map(|version| version.name.as_str());
                    let (Some(own), Some(there)) = (version(own), version(*at)) else {
                        continue;
                    };
                    let (group, name, other) = (group.name.as_str(), &*member.name, other.text.as_str());
                    all.insert([group, kind, own, there, name], Counterpart::By(other));
                    all.insert([group, kind, there, own, other], Counterpart::Of(name));
                }
            }
        }
        Self(all)
    }

    /// What the model says of a loss.
    fn of(&self, change: &DifferenceReport) -> Option<Counterpart<'m>> {
        let (from, to) = (change.version.as_deref()?, change.subject.as_deref()?);
        let (group, kind) = (change.group.as_str(), change.kind.as_str());
        names(change).find_map(|name| self.0.get(&[group, kind, from, to, name.as_str()]).copied())
    }
}

fn members(kind: &Kind) -> impl Iterator<Item = (&str, &Member)> {
    kind.members.iter().map(|member| (kind.name.as_str(), member))
}

/// The versions that have a member, each with what represents it in another one.
fn pairs(member: &Member) -> impl Iterator<Item = (usize, &(usize, Text))> {
    let owners = member.versions.iter().enumerate().filter(|(_, own)| own.is_some());
    owners.flat_map(|(own, _)| member.represented.iter().map(move |other| (own, other)))
}

/// Puts a loss down to a note if the model says where the other version keeps it. Where the definition says aloud that
/// nothing converts, it stays what it is.
fn kept_elsewhere(change: &mut DifferenceReport, new: State<'_>, counterparts: &Counterparts<'_>) {
    let Some(counterpart) = counterparts.of(change) else {
        return;
    };
    let to = change.subject.clone().unwrap_or_default();
    let said = match counterpart {
        Counterpart::By(name) => format!("the model says that {to} keeps it as `{name}`"),
        Counterpart::Of(name) => format!("the model says that it keeps `{name}` of {to}"),
    };
    let (reason, help) = match objection(change, new, counterpart) {
        Some(Objection::Unconverted) => (
            format!("{said}, and the definition that nothing converts (`strategy: None`)"),
            "declare the webhook that converts, or correct `represented-as` in the model".to_owned(),
        ),
        Some(Objection::Unlisted) => (
            format!("{said}, which its schema does not list"),
            format!("add that field to {to}, or correct `represented-as` in the model"),
        ),
        None => {
            change.severity = "note";
            let help = "keep the two in step: without a webhook no server does";
            (said, help.to_owned())
        }
    };
    change.reason = Some(reason);
    change.help = Some(help);
}

/// Leaves out what the model says to be kept elsewhere in the other version.
pub fn leave_out_represented(changes: &mut Vec<DifferenceReport>, new: State<'_>, model: &Model) {
    let counterparts = Counterparts::new(model);
    let is_kept = |change: &DifferenceReport| {
        let counterpart = counterparts.of(change).filter(|_| is_loss(change));
        counterpart.is_some_and(|counterpart| objection(change, new, counterpart).is_none())
    };
    changes.retain(|change| !is_kept(change));
}

/// Whether something does not survive the way to another version.
fn is_loss(change: &DifferenceReport) -> bool {
    ChangeKind::parse(change.code).is_some_and(ChangeKind::is_between_versions)
}

/// Why the model is not believed that something is kept elsewhere.
enum Objection {
    /// The definition says aloud that nothing converts.
    Unconverted,
    /// The other version does not list what would represent it.
    Unlisted,
}

fn objection(change: &DifferenceReport, new: State<'_>, counterpart: Counterpart<'_>) -> Option<Objection> {
    let to = change.subject.as_deref().unwrap_or_default();
    match counterpart {
        _ if converts_nothing(change, new) => Some(Objection::Unconverted),
        Counterpart::By(name) if !has(change, new, to, name) => Some(Objection::Unlisted),
        _ => None,
    }
}

/// Whether the definition of a kind says aloud that objects are not converted. One that says nothing is not believed:
/// what converts is often added to it later.
fn converts_nothing(change: &DifferenceReport, new: State<'_>) -> bool {
    let own = definition_of(change, new);
    let said = own.and_then(|own| own.conversion.as_ref()?.get("strategy")?.as_str());
    said == Some("None")
}

fn definition_of<'s>(change: &DifferenceReport, state: State<'s>) -> Option<&'s Definition> {
    let mut definitions = state.definitions.iter().map(|side| side.definition);
    definitions.find(|own| own.group == change.group && own.kind == change.kind)
}

/// How the model names what a loss is of: a value, its field, and what that is within.
fn names(change: &DifferenceReport) -> impl Iterator<Item = String> {
    let path = change.path.strip_prefix('.').unwrap_or(&change.path);
    let value = change.old.as_ref().and_then(|value| value.as_str());
    let value = value.map(|value| format!("{path}={value}"));
    let cuts = path.rmatch_indices(['.', '[', '{']).map(|(at, _)| at);
    let above = cuts.filter(|at| *at > 0).filter_map(|at| path.get(..at));
    value
        .into_iter()
        .chain(std::iter::once(path).chain(above).map(str::to_owned))
}

/// Whether a version has, in the new state, what represents something; an annotation is no part of schemas.
fn has(change: &DifferenceReport, new: State<'_>, version: &str, name: &str) -> bool {
    if name.starts_with('@') {
        return true;
    }
    let dot = if name.starts_with('[') { "" } else { "." };
    let schema = definition_of(change, new).and_then(|own| own.versions.get(version)?.schema.as_deref());
    schema.is_some_and(|schema| lists(schema, &format!("{dot}{name}")))
}
