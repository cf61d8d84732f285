//! Two states of a product's definitions, judged: what those who write and those who read objects lose, and what to do
//! instead.
//!
//! [`Change`]s come from [`crate::schema::compare`]; a table says what each does; the policy says how grave that is, by
//! the track of the version.

mod agreement;
mod finding;
mod law;
mod matching;
mod modelled;
mod openapi;
mod planned;
mod round_trip;
mod words;

use crate::diagnostic::Severity;
use crate::policy::Policy;
use crate::report::{DiffReport, DiffSummary, DifferenceReport, SCHEMA_VERSION};
use crate::schema::path::is_in_status;
use crate::schema::{Change, ChangeKind, Definition, Effect, compare};
use crate::stability::{Track, VersionName};

use law::{Case, NOT_LISTED, Row, rows};
use matching::{Pair, pairs};

pub use agreement::{PAGE, disagreements};
use finding::is_within_version;
pub use finding::{Texts, codes_under, findings};
pub use law::Verdict;
pub use matching::{Defined, Fault};
pub use modelled::{grade_by_model, leave_out_represented};
pub use openapi::Described;
pub use planned::{ends, hold_against_model};
pub use round_trip::{Loss, round_trip};

/// Why changes of a version that nobody uses break nothing.
const NOT_SERVED: &str = "one of the two states does not serve the version";

/// Holds the definitions of two states against each other.
///
/// # Errors
///
/// If one state defines a kind in two ways, or more differs than can be told.
pub fn diff(old: &[Defined<'_>], new: &[Defined<'_>], policy: &Policy) -> Result<DiffReport, Fault> {
    let (compared, differences) = differences(old, new, policy)?;
    Ok(reported(compared, differences, policy))
}

/// What one state defines and describes.
#[derive(Debug, Clone, Copy, Default)]
pub struct State<'a> {
    /// Its definitions of custom resources.
    pub definitions: &'a [Defined<'a>],
    /// Its documents of `OpenAPI`.
    pub documents: &'a [Described<'a>],
}

impl State<'_> {
    /// Holds a state against itself.
    ///
    /// # Errors
    ///
    /// If it defines a kind in two ways, or its documents describe one twice.
    pub fn agrees_with_itself(self) -> Result<(), Fault> {
        pairs(&[], self.definitions)?;
        openapi::described_once(self.documents)
    }
}

/// Holds two states against each other: definitions against definitions, documents against documents.
///
/// # Errors
///
/// As those of [`diff`]; and if documents of one state describe a kind twice.
pub fn diff_states(old: State<'_>, new: State<'_>, policy: &Policy) -> Result<DiffReport, Fault> {
    let (defined, mut found) = differences(old.definitions, new.definitions, policy)?;
    let (described, of_documents) = openapi::differences(old.documents, new.documents, policy)?;
    found.extend(of_documents);
    Ok(reported(defined + described, found, policy))
}

/// What objects lose between the versions of each definition, whatever was there before.
///
/// # Errors
///
/// If a kind is defined in two ways, or more is lost than can be told.
pub fn round_trips(definitions: &[Defined<'_>], policy: &Policy) -> Result<Vec<DifferenceReport>, Fault> {
    let mut found = Vec::new();
    for side in pairs(&[], definitions)?.iter().filter_map(|pair| pair.new) {
        let pair = Pair {
            old: Some(side),
            new: Some(side),
        };
        let losses = round_trip(side.definition).map_err(|_| Fault::too_much(side))?;
        found.extend(losses.iter().map(|loss| lost(&pair, loss, side.definition, policy)));
    }
    Ok(found)
}

/// How many kinds both states have, and what differs.
fn differences(
    old: &[Defined<'_>],
    new: &[Defined<'_>],
    policy: &Policy,
) -> Result<(usize, Vec<DifferenceReport>), Fault> {
    let mut differences = Vec::new();
    let pairs = pairs(old, new)?;
    for pair in &pairs {
        let mut changes = changes(pair)?;
        let losses = losses(pair, &mut changes)?;
        let first = differences.len();
        differences.extend(changes.into_iter().map(|change| judged(pair, change, policy)));
        let losses = losses
            .iter()
            .map(|(loss, side)| lost(pair, loss, side.definition, policy));
        // Of a conversion that is lost, they are what follows, and no changes of their own.
        let cause = differences.iter_mut().skip(first).find(|found| {
            let code = ChangeKind::ConversionChanged.as_str();
            found.code == code && found.effect != Effect::Same.as_str()
        });
        match cause {
            Some(cause) => {
                cause.losses.extend(losses);
                as_grave_as_losses(cause);
            }
            None => differences.extend(losses),
        }
    }
    Ok((pairs.iter().filter(|pair| pair.in_both()).count(), differences))
}

/// A policy may find what follows graver than what it follows from.
fn as_grave_as_losses(cause: &mut DifferenceReport) {
    let grave = |severity: &&str| Severity::parse(severity);
    let all = cause.losses.iter().map(|loss| loss.severity).chain([cause.severity]);
    if let Some(gravest) = all.max_by_key(grave) {
        cause.severity = gravest;
    }
}

fn reported(compared: usize, differences: Vec<DifferenceReport>, policy: &Policy) -> DiffReport {
    let count = |verdict: Verdict| {
        differences
            .iter()
            .filter(|found| found.verdict == verdict.as_str())
            .count()
    };
    let summary = DiffSummary {
        compared,
        breaking: count(Verdict::Breaking),
        risky: count(Verdict::Risky),
        compatible: count(Verdict::Compatible),
    };
    DiffReport {
        schema_version: SCHEMA_VERSION,
        policy: policy.name.clone(),
        summary,
        changes: differences,
    }
}

/// What differs in a kind: all of it is one change where one side does not have it.
fn changes(pair: &Pair<'_>) -> Result<Vec<Change>, Fault> {
    let whole = |kind, effect| Change {
        kind,
        version: None,
        path: String::new(),
        subject: None,
        old: None,
        new: None,
        effect,
        defaulted: false,
        old_place: pair.old.map(|side| side.definition.place),
        new_place: pair.new.map(|side| side.definition.place),
    };
    let versions = |side: Defined<'_>| {
        let versions = served(side.definition).collect::<Vec<_>>().join(", ");
        (!versions.is_empty()).then(|| versions.into())
    };
    match (pair.old, pair.new) {
        (Some(old), Some(new)) => {
            compare::definitions(old.definition, new.definition).map_err(|_| Fault::too_much(new))
        }
        (Some(old), None) => Ok(vec![Change {
            old: versions(old),
            ..whole(ChangeKind::DefinitionRemoved, Effect::Narrower)
        }]),
        (None, Some(new)) => Ok(vec![Change {
            new: versions(new),
            ..whole(ChangeKind::DefinitionAdded, Effect::Wider)
        }]),
        (None, None) => Ok(Vec::new()),
    }
}

/// What objects lose now between the versions of a kind, and did not lose before.
fn losses<'a>(pair: &Pair<'a>, changes: &mut [Change]) -> Result<Vec<(Loss, Defined<'a>)>, Fault> {
    let Some(new) = pair.new else { return Ok(Vec::new()) };
    let old = pair.old.map(|side| side.definition);
    let losses = round_trip::news(old, new.definition, changes).map_err(|_| Fault::too_much(new))?;
    let conversion = changes
        .iter_mut()
        .find(|change| change.kind == ChangeKind::ConversionChanged && change.effect != Effect::Same);
    if losses.is_empty()
        && let Some(conversion) = conversion
    {
        // The versions that are left survive without it.
        conversion.effect = Effect::Same;
    }
    Ok(losses.into_iter().map(|loss| (loss, new)).collect())
}

/// The finding of a loss.
fn lost(pair: &Pair<'_>, loss: &Loss, definition: &Definition, policy: &Policy) -> DifferenceReport {
    let cause = match loss.cause.kind {
        ChangeKind::FieldRemoved => "it has no counterpart there".to_owned(),
        _ => words::message(row(pair, &loss.cause, Track::Ga), &loss.cause),
    };
    let mut found = judged(pair, loss.change(), policy);
    found.message = format!("{} {}: {cause}", found.message, loss.to);
    found.example = loss.example(definition);
    found
}

fn judged(pair: &Pair<'_>, change: Change, policy: &Policy) -> DifferenceReport {
    let track = track(pair, &change);
    let row = row(pair, &change, track);
    let own = in_status(pair, &change) && row.readers < Verdict::Breaking && row.requests == Verdict::Breaking;
    let idle = is_idle(pair, &change);
    let (requests, readers) = match (idle, own) {
        (true, _) => (Verdict::Compatible, Verdict::Compatible),
        (false, true) => (Verdict::Risky, row.readers),
        (false, false) => (row.requests, row.readers),
    };
    let verdict = requests.max(readers);
    let severity = policy.schema.severity(change.kind, verdict.as_str(), track);
    // Where no places are known, as of JSON that says a key twice, the new text is as good as any.
    let placed = change.new_place.is_some() || change.old_place.is_none();
    let side = pair.new.filter(|_| placed).or(pair.old);
    let place = change.new_place.or(change.old_place).filter(|place| place.line > 0);
    let (group, kind) = side.map_or(("", ""), |side| (&side.definition.group, &side.definition.kind));
    let mut reason = row.reason.to_owned();
    if own {
        reason.push_str("; in status, which the controller alone writes, that is milder");
    }
    if idle {
        NOT_SERVED.clone_into(&mut reason);
    }
    DifferenceReport {
        code: change.kind.as_str(),
        verdict: verdict.as_str(),
        requests: requests.as_str(),
        readers: readers.as_str(),
        effect: change.effect.as_str(),
        severity: severity.as_str(),
        track: track.as_str(),
        element: words::element(group, kind, &change),
        message: words::message(row, &change),
        reason: (!reason.is_empty()).then_some(reason),
        help: (!idle && !row.remedy.is_empty()).then(|| row.remedy.to_owned()),
        group: group.to_owned(),
        kind: kind.to_owned(),
        version: change.version,
        path: change.path,
        subject: change.subject,
        also: Vec::new(),
        losses: Vec::new(),
        old: change.old,
        new: change.new,
        file: side.map(|side| side.file.to_owned()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        example: None,
    }
}

/// The row of the table for a change.
fn row(pair: &Pair<'_>, change: &Change, track: Track) -> &'static Row {
    let case = Case {
        kind: change.kind,
        effect: change.effect,
        track,
        announced: pair.old.is_some_and(|side| deprecates(side.definition, change)),
    };
    rows().find(|row| row.fits(case)).unwrap_or(&NOT_LISTED)
}

/// Whether a definition marks the version of a change as deprecated.
fn deprecates(definition: &Definition, change: &Change) -> bool {
    let version = change.version.as_ref().and_then(|name| definition.versions.get(name));
    version.is_some_and(|version| version.deprecated)
}

/// Whether a change is within a version that one of the states does not serve, and in which no objects are stored: that
/// the version ends or begins is a change of its own, and tells all.
fn is_idle(pair: &Pair<'_>, change: &Change) -> bool {
    let (Some(old), Some(new), Some(name)) = (pair.old, pair.new, &change.version) else {
        return false;
    };
    let states = [old.definition, new.definition];
    let serves = |own: &Definition| served(own).any(|served| served == name);
    let stores =
        |own: &Definition| own.stored.contains(name) || own.versions.get(name).is_some_and(|version| version.storage);
    is_within_version(change.kind) && !states.into_iter().all(serves) && !states.into_iter().any(stores)
}

/// Whether a change is in the part of an object that its controller alone writes.
fn in_status(pair: &Pair<'_>, change: &Change) -> bool {
    let apart = |definition: &Definition| {
        let version = change.version.as_ref().and_then(|name| definition.versions.get(name));
        version.is_some_and(|version| version.subresources.contains_key("status"))
    };
    is_in_status(&change.path)
        && pair.old.is_some_and(|side| apart(side.definition))
        && pair.new.is_some_and(|side| apart(side.definition))
}

/// How stable what changed is: what is of all versions is as stable as the most stable one that was served.
fn track(pair: &Pair<'_>, change: &Change) -> Track {
    let of = |name: &str| VersionName::new(name).track().unwrap_or(Track::Ga);
    if let Some(version) = &change.version {
        let between = change.kind.is_between_versions();
        let other = change.subject.as_deref().filter(|_| between);
        return other.map_or(of(version), |other| of(version).min(of(other)));
    }
    if change.kind == ChangeKind::StorageMovedToNew
        && let Some(before) = change.old.as_ref().and_then(|name| name.as_str())
    {
        return of(before);
    }
    let sides = pair.old.or(pair.new).into_iter();
    let tracks = sides.flat_map(|side| served(side.definition)).map(of);
    tracks.max().unwrap_or(Track::Ga)
}

/// The names of the versions that are served.
fn served(definition: &Definition) -> impl Iterator<Item = &str> {
    let versions = definition.versions.iter().filter(|(_, version)| version.served);
    versions.map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_every_kind_of_change() {
        for kind in ChangeKind::ALL {
            assert!(
                rows().any(|row| row.kind == *kind && row.is_general()),
                "{}",
                kind.as_str()
            );
        }
    }

    #[test]
    fn what_breaks_or_is_risky_has_a_reason_and_a_remedy() {
        for row in rows() {
            let harmless = row.requests.max(row.readers) == Verdict::Compatible;
            assert_eq!(row.reason.is_empty(), harmless, "{}", row.kind.as_str());
            assert_eq!(row.remedy.is_empty(), harmless, "{}", row.kind.as_str());
        }
    }
}
