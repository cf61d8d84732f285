//! Changes of fields and values held against a model: which of them are behind a gate or less stable than their
//! version, and which fields of one version another one represents.

use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::grammar::{ElementPath, MemberName};
use crate::model::{ElementId, Family, Kind, Member, Model, Text};
use crate::policy::Policy;
use crate::schema::path::with_ancestors;
use crate::schema::{Definition, Verdict, lists};
use crate::stability::Track;

use super::{Judgement, Scope, State};

/// Sets the severity of changes of fields and enum values by what a model says of them.
///
/// What was behind an alpha gate in the newest release, or what the model declares as less stable than its version, has
/// the severity of that track, and so has everything below it. A loss in conversion is a note where the model says
/// what represents the field in the other version (`represented-as`), if the new state has that.
pub(crate) fn grade_by_model(judgements: &mut [Judgement], new: &State<'_>, model: &Model, policy: &Policy) {
    let counterparts = Counterparts::new(model);
    let losses = judgements.iter_mut().flat_map(|judgement| &mut judgement.losses);
    losses.for_each(|loss| grade_loss(loss, new, &counterparts));
    for judgement in judgements
        .iter_mut()
        .filter(|judgement| !judgement.change.path.is_empty())
    {
        if judgement.scope() == Scope::Between {
            grade_loss(judgement, new, &counterparts);
        } else {
            grade_by_track(judgement, model, policy);
        }
    }
}

/// Lowers the track of a change to that of the element, where it is less stable than its version.
fn grade_by_track(judgement: &mut Judgement, model: &Model, policy: &Policy) {
    let mut highest = None;
    // A schema that several kinds use is as stable as the most stable use.
    for id in std::iter::once(&judgement.element()).chain(&judgement.also) {
        let Some(found) = lowest_track(model, id) else { return };
        highest = highest.max(Some(found));
    }
    let Some((track, element)) = highest.filter(|(track, _)| *track < judgement.track) else {
        return;
    };
    judgement.track = track;
    judgement.severity = policy
        .schema
        .severity(judgement.change.kind, judgement.verdict(), track);
    if judgement.verdict() > Verdict::Compatible {
        let reason = judgement.reason.take().unwrap_or_default();
        judgement.reason = Some(format!("{reason}; {}", why(model, element, track)));
    }
}

/// The lowest track that the model gives to a field or value, or to a field that contains it, and which of them.
fn lowest_track(model: &Model, id: &str) -> Option<(Track, ElementId)> {
    let release = model.calendar.current().unwrap_or_else(|| model.calendar.next());
    let members = ids_upwards(id).into_iter().filter_map(|id| model.find(&id));
    members.map(|element| (model.track_at(element, release), element)).min()
}

/// The id of a field or value, and those of the fields that contain it.
fn ids_upwards(id: &str) -> Vec<String> {
    let Ok(ElementPath::Member(kind, MemberName::Field(path) | MemberName::Value { path, .. })) =
        ElementPath::parse(id)
    else {
        return Vec::new();
    };
    let fields = with_ancestors(&path).map(|field| kind.clone().with_member(MemberName::of_field(field)).to_string());
    std::iter::once(id.to_owned()).chain(fields).collect()
}

fn why(model: &Model, element: ElementId, track: Track) -> String {
    match model.gate_guarding(element) {
        Some(gate) => format!(
            "the model declares it behind {}, which is {track}",
            model.id(gate.element)
        ),
        None => format!("the model declares it as {track}"),
    }
}

/// Which fields of one version represent those of another one, by `represented-as` of the model.
struct Counterparts<'m>(BTreeMap<Key<'m>, Counterpart<'m>>);

/// The group, the kind, the version converted from, the one converted to, and the field or value.
type Key<'m> = [&'m str; 5];

#[derive(Debug, Clone, Copy)]
enum Counterpart<'m> {
    /// Another field or an annotation represents it.
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
                    let [Some(own), Some(there)] = [own, *at].map(|at| group.versions.get(at)) else {
                        continue;
                    };
                    let (own, there) = (own.name.as_str(), there.name.as_str());
                    let (group, name, other) = (group.name.as_str(), &*member.name, other.text.as_str());
                    all.insert([group, kind, own, there, name], Counterpart::By(other));
                    all.insert([group, kind, there, own, other], Counterpart::Of(name));
                }
            }
        }
        Self(all)
    }

    /// What the model declares for a loss in conversion.
    fn of(&self, loss: &Judgement) -> Option<Counterpart<'m>> {
        let (from, to) = (loss.change.version.as_deref()?, loss.change.subject.as_deref()?);
        let (group, kind) = (loss.group.as_str(), loss.kind.as_str());
        names(loss).find_map(|name| self.0.get(&[group, kind, from, to, name.as_str()]).copied())
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

/// Lowers a loss to a note if the model says what represents it in the other version.
fn grade_loss(loss: &mut Judgement, new: &State<'_>, counterparts: &Counterparts<'_>) {
    let Some(counterpart) = counterparts.of(loss) else {
        return;
    };
    let to = loss.change.subject.clone().unwrap_or_default();
    let declared = match counterpart {
        Counterpart::By(name) => format!("the model declares that {to} represents it as `{name}`"),
        Counterpart::Of(name) => format!("the model declares that it represents `{name}` of {to}"),
    };
    let (reason, help) = match objection(loss, new, counterpart) {
        Some(Objection::Unconverted) => (
            format!("{declared}, but `strategy: None` in the CRD says that nothing converts"),
            "declare the webhook that converts, or correct `represented-as` in the model".to_owned(),
        ),
        Some(Objection::Unlisted) => (
            format!("{declared}, but the schema of {to} does not list that field"),
            format!("add that field to {to}, or correct `represented-as` in the model"),
        ),
        None => {
            loss.severity = Severity::Note;
            let help = "keep the two fields in sync: without a webhook, the server does not";
            (declared, help.to_owned())
        }
    };
    loss.reason = Some(reason);
    loss.help = Some(help);
}

/// Removes the losses in conversion that the model represents in the other version.
pub(crate) fn leave_out_represented(judgements: &mut Vec<Judgement>, new: &State<'_>, model: &Model) {
    let counterparts = Counterparts::new(model);
    judgements.retain(|judgement| !is_represented(judgement, new, &counterparts));
}

fn is_represented(judgement: &Judgement, new: &State<'_>, counterparts: &Counterparts<'_>) -> bool {
    let counterpart = counterparts
        .of(judgement)
        .filter(|_| judgement.scope() == Scope::Between);
    counterpart.is_some_and(|counterpart| objection(judgement, new, counterpart).is_none())
}

/// Why a loss counts although the model says what represents it.
enum Objection {
    /// The CRD says that nothing converts.
    Unconverted,
    /// The other version does not list the field that would represent it.
    Unlisted,
}

fn objection(loss: &Judgement, new: &State<'_>, counterpart: Counterpart<'_>) -> Option<Objection> {
    let to = loss.change.subject.as_deref().unwrap_or_default();
    match counterpart {
        _ if converts_nothing(loss, new) => Some(Objection::Unconverted),
        Counterpart::By(name) if !has(loss, new, to, name) => Some(Objection::Unlisted),
        _ => None,
    }
}

/// Whether the CRD says explicitly that objects are not converted. Silence is no objection, as the webhook is often
/// configured at installation.
fn converts_nothing(loss: &Judgement, new: &State<'_>) -> bool {
    let strategy = definition_of(loss, new).and_then(Definition::conversion_strategy);
    strategy.and_then(|strategy| strategy.as_str()) == Some("None")
}

fn definition_of<'s>(loss: &Judgement, state: &State<'s>) -> Option<&'s Definition> {
    let mut definitions = state.definitions.iter().map(|side| side.definition);
    definitions.find(|own| own.group == loss.group && own.kind == loss.kind)
}

/// How the model names what is lost: a value, its field, and the fields that contain it.
fn names(loss: &Judgement) -> impl Iterator<Item = String> {
    let path = loss.change.path.strip_prefix('.').unwrap_or(&loss.change.path);
    let value = loss.change.old.as_ref().and_then(|value| value.as_str());
    let value = value.map(|value| format!("{path}={value}"));
    value.into_iter().chain(with_ancestors(path).map(str::to_owned))
}

/// Whether a version lists a field in the new state. Schemas do not list annotations.
fn has(loss: &Judgement, new: &State<'_>, version: &str, name: &str) -> bool {
    if name.starts_with('@') {
        return true;
    }
    let dot = if name.starts_with('[') { "" } else { "." };
    let schema = definition_of(loss, new).and_then(|own| own.versions.get(version)?.schema.as_deref());
    schema.is_some_and(|schema| lists(schema, &format!("{dot}{name}")))
}
