//! A change with what it does to clients and how severe the policy finds it.

use serde_json::Value as Json;

use crate::diagnostic::{Known, RuleId, Severity};
use crate::policy::{Law, Policy};
use crate::schema::path::is_in_status;
use crate::schema::{Change, ChangeKind, Definition, Verdict};
use crate::source::Location;
use crate::stability::{Track, VersionName};

use super::kind_law::{Row, Scope};
use super::law;
use super::matching::Pair;
use super::round_trip::Loss;
use super::words;

/// A change of a schema, judged.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The API group.
    pub(crate) group: String,
    /// The kind of the objects.
    pub(crate) kind: String,
    /// What changed.
    pub(crate) change: Change,
    /// The effect on clients that write objects as they did before.
    pub(crate) writers: Verdict,
    /// The effect on clients that read objects as they did before.
    pub(crate) readers: Verdict,
    /// How severe the policy finds it.
    pub severity: Severity,
    /// The track of what changed: `beta` for a field of `v1beta1`.
    pub(crate) track: Track,
    /// What happened, with the values.
    pub(crate) message: String,
    /// Why it matters.
    pub(crate) reason: Option<String>,
    /// What to do instead.
    pub(crate) help: Option<String>,
    /// The new file, or the old one if the new one has no place for it.
    pub(crate) file: Option<String>,
    /// The ids of the other places that use the same schema, where the same happened.
    pub(crate) also: Vec<String>,
    /// What objects lose because of it: the losses that follow from a removed conversion webhook.
    pub(crate) losses: Vec<Judgement>,
    /// An object that shows it, where that says more than words.
    pub(crate) example: Option<Json>,
    /// Where it is known from.
    pub(crate) known: Option<Known>,
}

impl Judgement {
    /// The more severe one of the two verdicts.
    pub fn verdict(&self) -> Verdict {
        self.writers.max(self.readers)
    }

    /// The id of what changed: `example.com/v1 Widget .spec.size`.
    pub(crate) fn element(&self) -> String {
        words::element(&self.group, &self.kind, &self.change)
    }

    /// Its place in [`Self::file`].
    pub fn place(&self) -> Option<Location> {
        let place = self.change.new_place.or(self.change.old_place);
        place.filter(|place| place.line > 0)
    }

    /// The rule that findings about it carry.
    pub(crate) fn rule(&self) -> RuleId {
        law::of(self.change.kind).rule
    }

    /// Whether it fails no run.
    pub fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Takes the severity that a law sets for the rule or the code of findings about it.
    pub(crate) fn take_level(&mut self, law: &Law) {
        let level = law.level(self.rule(), self.change.kind.as_str());
        self.severity = level.map_or(self.severity, |level| level.severity);
        self.losses.iter_mut().for_each(|loss| loss.take_level(law));
    }

    /// What it is a change of.
    pub(crate) fn scope(&self) -> Scope {
        law::of(self.change.kind).scope
    }

    /// Whether it ends a version of a kind: that version, or the whole kind.
    pub(crate) fn ends(&self, group: &str, version: &str, kind: &str) -> bool {
        let ended = self.change.version.as_deref();
        self.scope() == Scope::Ends
            && (self.group.as_str(), self.kind.as_str()) == (group, kind)
            && ended.is_none_or(|ended| ended == version)
    }
}

/// Judges a change of a kind.
pub(super) fn judge(pair: &Pair<'_>, change: Change, policy: &Policy) -> Judgement {
    let track = pair.track(&change);
    let row = pair.row(&change, track);
    let milder = row.readers < Verdict::Breaking && row.writers == Verdict::Breaking && pair.in_status(&change);
    let unserved = pair.is_unserved(&change);
    let (writers, readers) = match (unserved, milder) {
        (true, _) => (Verdict::Compatible, Verdict::Compatible),
        (false, true) => (Verdict::Risky, row.readers),
        (false, false) => (row.writers, row.readers),
    };
    let reason = match (unserved, milder) {
        (true, _) => "one of the two states does not serve the version".to_owned(),
        (false, true) => format!("{}; only risky here, as only the controller writes status", row.reason),
        (false, false) => row.reason.to_owned(),
    };
    // Places can be unknown, as in JSON with a repeated key: the new text is then as good as the old one.
    let placed = change.new_place.is_some() || change.old_place.is_none();
    let side = pair.new.filter(|_| placed).or(pair.old);
    let (group, kind) = side.map_or(("", ""), |side| (&side.definition.group, &side.definition.kind));
    Judgement {
        group: group.to_owned(),
        kind: kind.to_owned(),
        writers,
        readers,
        severity: match change.embedded {
            Some(_) => policy
                .schema
                .severity_embedded(change.kind, writers.max(readers), track),
            None => policy.schema.severity(change.kind, writers.max(readers), track),
        },
        track,
        message: words::message(row, &change),
        reason: (!reason.is_empty()).then_some(reason),
        help: (!unserved && !row.remedy.is_empty()).then(|| row.remedy.to_owned()),
        file: side.map(|side| side.file.to_owned()),
        also: Vec::new(),
        losses: Vec::new(),
        example: None,
        known: None,
        change,
    }
}

/// Judges what objects of a kind lose in conversion.
pub(super) fn judge_loss(pair: &Pair<'_>, loss: &Loss, definition: &Definition, policy: &Policy) -> Judgement {
    let cause = match loss.cause.kind {
        ChangeKind::FieldRemoved => "no such field there".to_owned(),
        _ => words::cause(pair.row(&loss.cause, Track::Ga), &loss.cause),
    };
    let mut judgement = judge(pair, loss.change(), policy);
    judgement.message = format!("{} {}: {cause}", judgement.message, loss.to);
    judgement.example = loss.example(definition);
    judgement
}

impl Pair<'_> {
    /// The row of the law for a change.
    fn row(&self, change: &Change, track: Track) -> &'static Row {
        let announced = self.old.is_some_and(|side| deprecates(side.definition, change));
        law::of(change.kind).row(change, track, announced)
    }

    /// Whether a change is within a version that one of the states does not serve, and that no objects are stored in.
    /// That the version starts or ends is a change of its own.
    fn is_unserved(&self, change: &Change) -> bool {
        let (Some(old), Some(new), Some(name)) = (self.old, self.new, &change.version) else {
            return false;
        };
        let states = [old.definition, new.definition];
        law::of(change.kind).scope == Scope::Within
            && !states.iter().all(|state| served(state).any(|served| served == name))
            && !states.iter().any(|state| may_store(state, name))
    }

    /// Whether a change is in the status subresource, which only the controller writes.
    pub(crate) fn in_status(&self, change: &Change) -> bool {
        let sides = [self.old, self.new];
        is_in_status(&change.path)
            && sides
                .into_iter()
                .all(|side| side.is_some_and(|side| has_status(side.definition, change)))
    }

    /// The track of what changed. What concerns all versions has the most stable track that was served.
    pub(crate) fn track(&self, change: &Change) -> Track {
        if let Some(version) = &change.version {
            let between = law::of(change.kind).scope == Scope::Between;
            let other = change.subject.as_deref().filter(|_| between);
            return other.map_or(track_of(version), |other| track_of(version).min(track_of(other)));
        }
        if change.kind == ChangeKind::StorageMovedToNewVersion
            && let Some(before) = change.old.as_ref().and_then(|name| name.as_str())
        {
            return track_of(before);
        }
        let sides = self.old.or(self.new).into_iter();
        let tracks = sides.flat_map(|side| served(side.definition)).map(track_of);
        tracks.max().unwrap_or(Track::Ga)
    }
}

/// The track in a version's name; GA for a name without one.
fn track_of(version: &str) -> Track {
    VersionName::new(version).track().unwrap_or(Track::Ga)
}

/// The names of the served versions.
pub(super) fn served(definition: &Definition) -> impl Iterator<Item = &str> {
    let versions = definition.versions.iter().filter(|(_, version)| version.served);
    versions.map(|(name, _)| name.as_str())
}

/// Whether objects are stored in a version, or may still be.
fn may_store(definition: &Definition, version: &str) -> bool {
    let stores = definition.versions.get(version).is_some_and(|version| version.storage);
    stores || definition.stored.contains(version)
}

/// Whether a CRD marks the version of a change as deprecated.
fn deprecates(definition: &Definition, change: &Change) -> bool {
    let version = change.version.as_ref().and_then(|name| definition.versions.get(name));
    version.is_some_and(|version| version.deprecated)
}

/// Whether the version of a change has a status subresource.
fn has_status(definition: &Definition, change: &Change) -> bool {
    let version = change.version.as_ref().and_then(|name| definition.versions.get(name));
    version.is_some_and(|version| version.subresources.contains_key("status"))
}
