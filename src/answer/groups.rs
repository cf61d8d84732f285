//! Each group through the releases.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::model::{ElementId, EventKind, Family, Group};
use crate::release::Release;
use crate::report::{
    GroupReport, KindReport, MakeGroups, MovesReport, NoteReport, ReleaseReport, State, VersionReport,
};
use crate::rules::declared_moves;
use crate::timeline::{self, Row};

use super::Material;
use super::notes::occurrence::{Occurrence, What};
use super::notes::occurrences;
use super::replacements::Replacements;

/// Makes the report of each group.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    material: Material<'a>,
    replacements: Rc<Replacements<'a>>,
    /// The groups that the answer is about.
    chosen: Vec<&'a Group>,
}

impl MakeGroups for Groups<'_> {
    fn count(&self) -> usize {
        self.chosen.len()
    }

    fn group(&self, at: usize) -> GroupReport<'_> {
        one(self.material, &self.replacements, self.chosen[at])
    }
}

impl<'a> Groups<'a> {
    pub(super) fn new(material: Material<'a>, replacements: Rc<Replacements<'a>>) -> Self {
        let groups = material.reasoning.model.groups.iter();
        let chosen = groups.filter(|group| material.selection.is_none() || elements(group).any(|id| material.has(id)));
        Self {
            chosen: chosen.collect(),
            material,
            replacements,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = GroupReport<'a>> {
        let chosen = self.chosen.iter();
        chosen.map(|group| one(self.material, &self.replacements, group))
    }
}

/// The versions of a group, its kinds and their members.
fn elements(group: &Group) -> impl Iterator<Item = ElementId> {
    let versions = group.versions.iter().map(|version| version.element);
    let kinds = group.kinds.iter().flat_map(|kind| {
        let members = kind.members.iter().flat_map(|member| &member.versions);
        kind.versions.iter().chain(members).flatten().copied()
    });
    versions.chain(kinds)
}

fn one<'a>(material: Material<'a>, replacements: &Replacements<'a>, group: &'a Group) -> GroupReport<'a> {
    let reasoning = material.reasoning;
    let timeline = timeline::group(reasoning.model, material.law, reasoning.assignment, group);
    let builder = Builder {
        material,
        replacements,
        group,
        kinds: kinds_served(material, group),
        occurrences: by_version(material, group),
    };
    GroupReport {
        group: match group.family {
            Family::Api => group.name.clone(),
            Family::Config => format!("config {}", group.name),
        },
        releases: timeline.rows.iter().filter_map(|row| builder.row(row)).collect(),
    }
}

/// When each kind is served in each version.
type Served = Vec<Vec<Vec<timeline::Span>>>;

fn kinds_served(material: Material<'_>, group: &Group) -> Served {
    let reasoning = material.reasoning;
    let kinds = group.kinds.iter().map(|kind| {
        let versions = kind.versions.iter().map(|element| {
            element.map_or_else(Vec::new, |element| {
                timeline::spans(reasoning.model, reasoning.assignment, element)
            })
        });
        versions.collect()
    });
    kinds.collect()
}

/// What happens to the versions and to their kinds: by release and by the version's position.
type ByVersion<'a> = BTreeMap<(Release, usize), Vec<Occurrence<'a>>>;

fn by_version<'a>(material: Material<'a>, group: &Group) -> ByVersion<'a> {
    let mut by_version = ByVersion::new();
    for (at, version) in group.versions.iter().enumerate() {
        for occurrence in occurrences::of_version(material.reasoning, version) {
            by_version.entry((occurrence.release, at)).or_default().push(occurrence);
        }
    }
    by_version
}

struct Builder<'a, 'r> {
    material: Material<'a>,
    replacements: &'r Replacements<'a>,
    group: &'a Group,
    kinds: Served,
    occurrences: ByVersion<'a>,
}

impl<'a> Builder<'a, '_> {
    fn version(&self, at: usize) -> &'a str {
        self.group.versions[at].name.as_str()
    }

    fn row(&self, row: &Row) -> Option<ReleaseReport<'a>> {
        let moment = self.material.names.moment(row.release)?;
        let served = row.served.iter().map(|(at, deprecated)| VersionReport {
            version: self.version(*at),
            state: if *deprecated { State::Deprecated } else { State::Served },
        });
        Some(ReleaseReport {
            release: moment.release,
            date: moment.date,
            date_kind: moment.date_kind,
            versions: served.collect(),
            preferred: row.preferred.map(|at| self.version(at)),
            storage: row.storage_of_all().map(|at| self.version(at)),
            moves: self.moves(row.release),
            kinds: self.kinds_in(row),
            notes: self.notes(row.release),
        })
    }

    fn moves(&self, release: Release) -> MovesReport {
        let versions: Vec<ElementId> = self.group.versions.iter().map(|version| version.element).collect();
        let kinds = &self.group.kinds;
        MovesReport {
            preferred_declared: self.is_move_declared(&versions, EventKind::Preferred, release),
            storage_declared: !kinds.is_empty()
                && kinds.iter().all(|kind| {
                    let versions: Vec<ElementId> = kind.versions.iter().flatten().copied().collect();
                    self.is_move_declared(&versions, EventKind::Stored, release)
                }),
        }
    }

    fn is_move_declared(&self, versions: &[ElementId], what: EventKind, release: Release) -> bool {
        let moves = declared_moves(self.material.reasoning.model, versions, what);
        moves.iter().any(|declared| declared.release == release)
    }

    fn kinds_in(&self, row: &Row) -> Vec<KindReport<'a>> {
        let kinds = self.group.kinds.iter().zip(&self.kinds).zip(&row.storage);
        kinds
            .map(|((kind, versions), storage)| KindReport {
                kind: &kind.name,
                versions: versions
                    .iter()
                    .enumerate()
                    .filter(|(_, spans)| spans.iter().any(|span| span.service.covers(row.release)))
                    .map(|(at, _)| self.version(at))
                    .collect(),
                storage: storage.map(|at| self.version(at)),
            })
            .filter(|kind| !kind.versions.is_empty())
            .collect()
    }

    /// What ends, or no longer ends, in a release: events of versions, or of some of their kinds.
    fn notes(&self, release: Release) -> Vec<NoteReport<'a>> {
        let mut notes = Vec::new();
        for ((_, at), occurrences) in self.occurrences.range((release, 0)..=(release, usize::MAX)) {
            for event in [EventKind::Deprecated, EventKind::Undeprecated, EventKind::Removed] {
                let own = occurrences.iter().filter(|found| found.what == What::Event(event));
                notes.extend(self.notes_of(*at, event, release, &own.collect::<Vec<_>>()));
            }
        }
        notes
    }

    /// What happens to a version in a release: one note, or several if some kinds declare it and others do not, or if
    /// they have different successors.
    fn notes_of(
        &self,
        at: usize,
        event: EventKind,
        release: Release,
        occurrences: &[&Occurrence<'a>],
    ) -> Vec<NoteReport<'a>> {
        let version = self.group.versions[at].element;
        let alike = occurrences.windows(2).all(|pair| pair[0].declared == pair[1].declared);
        if let Some(first) = occurrences.first().filter(|first| alike && first.element == version) {
            let successor = self.successor(version, 0, release);
            return vec![self.note(at, event, first.declared, Vec::new(), successor, release)];
        }
        let mut together: BTreeMap<(bool, Option<String>), Vec<&'a str>> = BTreeMap::new();
        for occurrence in occurrences {
            for (kind, life) in occurrence.lives() {
                let name = self.material.reasoning.model.element(kind).name();
                let successor = self
                    .successor(kind, life, release)
                    .filter(|_| event == EventKind::Deprecated);
                together.entry((occurrence.declared, successor)).or_default().push(name);
            }
        }
        let together = together.into_iter().rev();
        together
            .map(|((declared, successor), kinds)| self.note(at, event, declared, kinds, successor, release))
            .collect()
    }

    fn note(
        &self,
        at: usize,
        event: EventKind,
        declared: bool,
        kinds: Vec<&'a str>,
        successor: Option<String>,
        release: Release,
    ) -> NoteReport<'a> {
        let version = &self.group.versions[at];
        let track = self.material.reasoning.model.element(version.element).track;
        let action_required = match event {
            EventKind::Deprecated => self.material.deprecation_asks_for_action(track, release),
            EventKind::Removed => true,
            _ => false,
        };
        let name = match kinds.as_slice() {
            [] => version.name.to_string(),
            kinds => format!("{} {}", version.name, kinds.join(", ")),
        };
        let text = match (event, action_required, successor) {
            (EventKind::Deprecated, true, _) => format!("{name} deprecated, action required"),
            (EventKind::Deprecated, false, Some(other)) => {
                format!("{name} deprecated in favor of {other}, not removed")
            }
            (EventKind::Deprecated, false, None) => format!("{name} deprecated, not removed"),
            (EventKind::Removed, ..) => format!("{name} removed, action required"),
            (what, ..) => format!("{name} {what}"),
        };
        NoteReport {
            event: event.into(),
            version: version.name.as_str(),
            kinds,
            action_required,
            declared,
            text,
        }
    }

    /// What replaces a version, or a kind in it, in a release: the name of a version of the group, or an id of another.
    fn successor(&self, element: ElementId, life: u8, release: Release) -> Option<String> {
        let model = self.material.reasoning.model;
        let other = self.replacements.as_of(element, life, release).replacement?;
        let is_same_kind =
            !model.element(other).kind.is_kind() || model.element(other).name() == model.element(element).name();
        let parent = model.element(other).parent;
        let mut versions = self.group.versions.iter().filter(|_| is_same_kind);
        let sibling = versions.find(|version| version.element == other || parent == Some(version.element));
        Some(match sibling {
            Some(sibling) => sibling.name.to_string(),
            None => model.id(other).to_owned(),
        })
    }
}
