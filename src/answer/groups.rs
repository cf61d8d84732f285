//! Each group through the releases.

use crate::model::{ElementId, EventKind, Family, Group};
use crate::release::Release;
use crate::report::{GroupReport, KindReport, MovesReport, NoteReport, ReleaseReport, State, VersionReport};
use crate::rules::declared_moves;
use crate::timeline::{self, Change, Row};

use super::Material;
use super::replacements::Replacements;

pub(super) fn all<'a>(material: Material<'a>, replacements: &Replacements<'a>) -> Vec<GroupReport<'a>> {
    let groups = material.reasoning.model.groups.iter();
    groups.map(|group| one(material, replacements, group)).collect()
}

fn one<'a>(material: Material<'a>, replacements: &Replacements<'a>, group: &'a Group) -> GroupReport<'a> {
    let reasoning = material.reasoning;
    let timeline = timeline::group(reasoning.model, material.law, reasoning.assignment, group);
    let builder = Builder {
        material,
        replacements,
        group,
        kinds: kinds_served(material, group),
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

struct Builder<'a, 'r> {
    material: Material<'a>,
    replacements: &'r Replacements<'a>,
    group: &'a Group,
    kinds: Served,
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
            notes: row
                .changes
                .iter()
                .map(|change| self.note(*change, row.release))
                .collect(),
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

    fn note(&self, change: Change, release: Release) -> NoteReport<'a> {
        let version = &self.group.versions[change.version];
        let track = self.material.reasoning.model.element(version.element).track;
        let action_required = match change.what {
            EventKind::Deprecated => self.material.deprecation_asks_for_action(track, release),
            EventKind::Removed => true,
            _ => false,
        };
        let name = version.name.as_str();
        let text = match (change.what, action_required, self.successor(version.element, release)) {
            (EventKind::Deprecated, true, _) => format!("{name} deprecated, action required"),
            (EventKind::Deprecated, false, Some(other)) => {
                format!("{name} deprecated in favor of {other}, not removed")
            }
            (EventKind::Deprecated, false, None) => format!("{name} deprecated, not removed"),
            (EventKind::Removed, ..) => format!("{name} removed, action required"),
            (what, ..) => format!("{name} {what}"),
        };
        NoteReport {
            event: change.what,
            version: name,
            action_required,
            declared: change.declared,
            text,
        }
    }

    /// The name of the version that replaces another one in a release, or its id if it is of another group.
    fn successor(&self, version: ElementId, release: Release) -> Option<String> {
        let model = self.material.reasoning.model;
        let other = self.replacements.as_of(version, 0, release).replacement?;
        let sibling = self.group.versions.iter().find(|version| version.element == other);
        Some(match sibling {
            Some(sibling) => sibling.name.to_string(),
            None => model.id(other).to_owned(),
        })
    }
}
