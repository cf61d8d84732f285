//! Objects that are stored in a version: they are migrated after storage has moved, and then the code may drop the
//! version.

use crate::model::succession::{Succession, expected_announcement};
use crate::model::{Declared, ElementId, Event, EventKind, Group, Kind, Model, Version};
use crate::obligation::{Demand, Obligations, Scope, Term};
use crate::policy::{Class, Key};
use crate::release::Release;
use crate::stability::Track;

use super::lives::{declared_moves, lives};
use super::walk::{Candidate, Candidates, MoveLaw, Service};

const MIGRATED: &str = "objects are migrated after storage has moved";
const DROPPED: &str = "objects stored in a version stay readable until they are migrated";
const SERVED: &str = "the code of a served version is not dropped";

/// How a version stops being the storage version of a kind.
enum Departure {
    /// It never was.
    Never,
    /// By a declared move.
    Declared(Declared),
    /// By a move that is planned (P6), to the version at this position.
    Planned(Release, usize),
    /// With the kind, which no other version serves.
    Ended,
    /// It still is, as far as anything is declared.
    Stays,
}

/// States when stored objects may be migrated, and versions dropped.
pub(super) fn migrated_and_dropped(scope: &Scope<'_>, out: &mut Obligations, group: &Group, kind: &Kind) {
    let model = scope.model;
    let mut present = kind.versions.iter().flatten();
    if !present.any(|element| is_cleared(model, *element)) {
        return;
    }
    let storage = Storage::of(scope, group, kind);
    for (at, element) in kind.versions.iter().enumerate() {
        let Some(element) = *element else { continue };
        let departure = storage.departure(kind, at);
        let is_migrated = migrated(scope, out, (group, kind), element, &departure);
        dropped(scope, out, (group, element), &departure, is_migrated);
    }
}

/// States that what is served is not dropped from the code.
pub(super) fn served_until_dropped(scope: &Scope<'_>, out: &mut Obligations, group: &Group) {
    let model = scope.model;
    for part in group.versions.iter().flat_map(Version::served) {
        let Some(dropped) = model.declared(*part, EventKind::Dropped) else {
            continue;
        };
        // A version that comes back later has code again.
        let lives = (0..model.lives(*part)).map(|life| Event::new(*part, life, EventKind::Introduced));
        let begun = lives.filter(|begin| model.declared_release(*begin) <= Some(dropped.release));
        if let Some(last) = begun.last() {
            let removed = last.sibling(EventKind::Removed);
            scope.not_before(out, "dropped-early", dropped.event, Term::at(removed), SERVED);
        }
    }
}

/// Whether the end of a version in storage is declared.
fn is_cleared(model: &Model, element: ElementId) -> bool {
    let mut ends = [EventKind::Migrated, EventKind::Dropped].into_iter();
    ends.any(|what| model.declared(element, what).is_some())
}

/// The storage version of a kind in each release.
struct Storage {
    releases: Vec<Release>,
    versions: Vec<Option<usize>>,
    declared: Vec<Declared>,
}

impl Storage {
    /// By the declared moves and, where none is declared, by P6.
    fn of(scope: &Scope<'_>, group: &Group, kind: &Kind) -> Self {
        let model = scope.model;
        let present: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
        let declared = declared_moves(model, &present, EventKind::Stored);
        let moves: Vec<(Release, usize)> = declared
            .iter()
            .filter_map(|declared| {
                let moved_to = Some(declared.event.element);
                let at = kind.versions.iter().position(|version| *version == moved_to)?;
                Some((declared.release, at))
            })
            .collect();
        let candidates = Candidates {
            calendar: &model.calendar,
            law: MoveLaw::new(scope.law_at(None)),
            versions: candidates(model, (group, kind), &declared),
        };
        let releases = releases(&candidates, &declared);
        Self {
            versions: candidates.walk(&releases, &moves),
            releases,
            declared,
        }
    }

    fn departure(&self, kind: &Kind, at: usize) -> Departure {
        let Some(last) = self.versions.iter().rposition(|version| *version == Some(at)) else {
            return Departure::Never;
        };
        let (Some(moved), Some(to)) = (self.releases.get(last + 1), self.versions.get(last + 1)) else {
            return Departure::Stays;
        };
        let Some(to) = *to else { return Departure::Ended };
        let mut declared = self.declared.iter();
        let declared = declared.find(|other| other.release == *moved && Some(other.event.element) == kind.versions[to]);
        declared.map_or(Departure::Planned(*moved, to), |declared| {
            Departure::Declared(*declared)
        })
    }
}

/// The versions of a kind, as far as declared. `moves` are the declared ones.
fn candidates<'m>(model: &'m Model, (group, kind): (&'m Group, &Kind), moves: &[Declared]) -> Vec<Candidate<'m>> {
    let succession = Succession::of_kind(model, kind);
    let versions = group.versions.iter().zip(&kind.versions);
    let candidates = versions.map(|(version, element)| {
        let lives = element.map_or_else(Vec::new, |element| lives(model, element));
        let left = element.and_then(|element| left_for_good(model, element, moves));
        let left = left.unwrap_or(Release::NEVER);
        let services = lives.iter().map(|(service, begin)| Service {
            until: service.until.min(planned_end(model, &succession, *begin)).min(left),
            ..*service
        });
        Candidate {
            name: &version.name,
            track: model.element(version.element).track,
            services: services.collect(),
        }
    });
    candidates.collect()
}

/// The last declared move before the objects stored in a version are migrated, if that is to another version: none is
/// stored in the old one again.
fn left_for_good(model: &Model, element: ElementId, moves: &[Declared]) -> Option<Release> {
    let migrated = model.declared(element, EventKind::Migrated)?.release;
    let last = moves.iter().rfind(|moved| moved.release < migrated)?;
    (last.event.element != element).then_some(last.release)
}

/// When the plan removes an alpha life without a declared end: once its successor is introduced (P5).
fn planned_end(model: &Model, succession: &Succession, begin: Event) -> Release {
    let mut line = succession.line.iter();
    let at = line.position(|element| *element == begin.element);
    let at = at.filter(|_| model.element(begin.element).track == Track::Alpha);
    let successor = at.and_then(|at| succession.first_successor(model, at));
    let end = successor.and_then(|successor| expected_announcement(model, begin, Some(successor.since)));
    end.unwrap_or(Release::NEVER)
}

/// The releases in which the storage version can change, in order.
fn releases(candidates: &Candidates<'_>, declared: &[Declared]) -> Vec<Release> {
    let services = candidates.versions.iter().flat_map(|version| &version.services);
    let calendar = candidates.calendar;
    let mut releases: Vec<Release> = services
        .flat_map(|service| {
            let overlapped = calendar.earliest(service.since, candidates.law.overlap).release;
            [service.since, service.until, overlapped]
        })
        .chain(declared.iter().map(|declared| declared.release))
        .filter(|release| !release.is_never())
        .collect();
    releases.sort_unstable();
    releases.dedup();
    releases
}

/// States when the objects stored in a version may be migrated. Whether a migration is declared, and not too early.
fn migrated(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (group, kind): (&Group, &Kind),
    element: ElementId,
    departure: &Departure,
) -> Option<bool> {
    let model = scope.model;
    let declared = model.declared(element, EventKind::Migrated)?;
    let window = scope
        .law_at(Some(declared))
        .and_then(|law| law.window(Class::All, Key::MigrateAfter))
        .unwrap_or_default();
    let id = model.id(element);
    let release = model.calendar.name(declared.release);
    let (demand, message, help) = match departure {
        Departure::Never | Departure::Ended => return Some(true),
        Departure::Declared(moved) => {
            let term = Term::after(moved.event, window);
            scope.not_before(out, "migrated-too-early", declared.event, term, MIGRATED);
            return Some(declared.release >= term.worth(&model.calendar, moved.release).release);
        }
        Departure::Planned(moved, to) => {
            let term = Term::after_release(*moved, window);
            let earliest = term.worth(&model.calendar, *moved).release;
            if declared.release >= earliest {
                return Some(true);
            }
            let [moved, earliest] = [*moved, earliest].map(|release| model.calendar.name(release));
            let to = &group.versions[*to].name;
            (
                Demand::NotBefore(term),
                format!("{id} is migrated in {release}, but storage moves to {to} in {moved} (planned)"),
                format!("migrate stored objects in {earliest} or later, or declare when storage moves: `storage`"),
            )
        }
        Departure::Stays => (
            Demand::Forbidden,
            format!(
                "{id} is migrated in {release}, but stays the storage version of {}",
                kind.name
            ),
            "move storage to another version first".to_owned(),
        ),
    };
    let obligation = scope.obligation("migrated-too-early", declared.event, demand, MIGRATED);
    out.push(obligation.message(message).help_unless_shipped(help));
    Some(false)
}

/// The code reads a version until storage has moved on and stored objects are migrated. `migrated` is whether that is
/// declared, and not too early.
fn dropped(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (group, element): (&Group, ElementId),
    departure: &Departure,
    migrated: Option<bool>,
) {
    let model = scope.model;
    let Some(dropped) = model.declared(element, EventKind::Dropped) else {
        return;
    };
    match departure {
        Departure::Never => return,
        Departure::Declared(moved) => {
            scope.not_before(out, "dropped-early", dropped.event, Term::at(moved.event), DROPPED);
        }
        Departure::Planned(..) | Departure::Ended | Departure::Stays => {}
    }
    let id = model.id(element);
    let what = match migrated {
        Some(true) => {
            let migrated = Event::new(element, 0, EventKind::Migrated);
            scope.not_before(out, "dropped-early", dropped.event, Term::at(migrated), DROPPED);
            return;
        }
        Some(false) => "the migration of stored objects is declared for too early a release",
        None => "no migration of stored objects is declared",
    };
    let message = format!("{id} is dropped from the code, but {what}");
    let group = &group.name;
    let help = format!("once no object of {group} is stored in this version, add `migrated` with that release");
    let obligation = scope.obligation("dropped-early", dropped.event, Demand::Requires(false), DROPPED);
    out.push(obligation.message(message).help(help));
}
