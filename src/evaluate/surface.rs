//! What a model says about objects, between two releases.

use std::collections::{BTreeMap, BTreeSet};

use super::Evaluation;
use crate::diagnostic::UsedEvent;
use crate::model::{ElementId, Family, Kind, MemberName, Version};
use crate::release::Release;
use crate::report::{ElementReport, LifeReport, Moment};
use crate::scan::{Fate, KindFate, Member, MemberPart, Surface, VersionFate};
use crate::{answer, scan};

/// Says what happens to elements between two releases.
#[derive(Clone, Copy)]
pub(super) struct Judge<'e> {
    pub(super) evaluation: &'e Evaluation,
    pub(super) from: Option<Release>,
    pub(super) to: Release,
}

impl Judge<'_> {
    pub(super) fn surface(self) -> Surface {
        let model = self.evaluation.model();
        let mut ids: Vec<ElementId> = Vec::new();
        for group in model.groups.iter() {
            ids.extend(group.versions.iter().map(|version| version.element));
            for kind in &group.kinds {
                ids.extend(kind.versions.iter().flatten());
                ids.extend(kind.members.iter().flat_map(|member| member.versions.iter().flatten()));
            }
        }
        let reports = answer::elements_for_users(self.evaluation.material(), ids, self.to);
        let later = reports.iter().filter(|(_, report)| {
            let introduced = report.introduced.zip(self.from);
            introduced.is_some_and(|(introduced, from)| !self.is_by(introduced, from))
        });
        let later: BTreeSet<&str> = later.map(|(_, report)| report.id).collect();
        let mut fates: BTreeMap<ElementId, Fate> = reports
            .iter()
            .map(|(id, report)| (*id, self.fate(report, &later)))
            .collect();
        leave_out_lost(&mut fates);
        let mut groups: BTreeMap<String, BTreeMap<String, VersionFate>> = BTreeMap::new();
        // API groups come first: a configuration with the name of one is not asked for.
        for group in model.groups.iter() {
            let is_named = group.family == Family::Config && groups.contains_key(&group.name);
            if is_named {
                continue;
            }
            let versions = group.versions.iter().enumerate().map(|(at, version)| {
                let kinds = group.kinds.iter().filter_map(|kind| kind_fate(kind, at, &fates));
                (
                    version.name.as_str().to_owned(),
                    version_fate(version, kinds.collect(), &fates),
                )
            });
            groups.insert(group.name.clone(), versions.collect());
        }
        let law = self.evaluation.law();
        let codes = scan::PAGE.codes.iter().map(|(code, _)| *code);
        Surface {
            groups,
            severities: codes
                .map(|code| (code, law.severity_outside(&scan::PAGE, code)))
                .collect(),
        }
    }

    fn fate(self, report: &ElementReport<'_>, later: &BTreeSet<&str>) -> Fate {
        let last = LifeReport {
            introduced: report.introduced,
            deprecated: report.deprecated,
            removed: report.removed,
        };
        let lives = report.earlier_lives.iter().chain([&last]);
        // The life that the release is in, or the last one before it.
        let mut begun = lives.filter(|life| life.introduced.is_none_or(|introduced| self.is_by(introduced, self.to)));
        let Some(life) = begun.next_back() else {
            return Fate {
                id: report.id.to_owned(),
                ..Fate::default()
            };
        };
        let [deprecated, removed] =
            [life.deprecated, life.removed].map(|moment| moment.filter(|moment| self.is_by(*moment, self.to)));
        let newest = removed.or(deprecated);
        let replacement = report.migrate_to.or(report.replacement);
        Fate {
            id: report.id.to_owned(),
            deprecated: deprecated.map(event),
            removed: removed.map(event),
            replacement: replacement.map(str::to_owned),
            lost_replacement: None,
            is_replaced_later: replacement.is_some_and(|other| later.contains(other)),
            is_old: self
                .from
                .is_some_and(|from| newest.is_some_and(|moment| self.is_by(moment, from))),
        }
    }

    /// Whether something has happened by a release. What has no certain release has not.
    fn is_by(self, moment: Moment<'_>, release: Release) -> bool {
        let found = self.evaluation.model().calendar.find(moment.release);
        !moment.at_least && found.is_ok_and(|found| found <= release)
    }
}

/// Takes away the replacements that are removed too.
fn leave_out_lost(fates: &mut BTreeMap<ElementId, Fate>) {
    let removed = fates
        .values()
        .filter_map(|fate| Some((fate.id.clone(), fate.removed.clone()?)));
    let removed: BTreeMap<String, UsedEvent> = removed.collect();
    for fate in fates.values_mut() {
        let Some(event) = fate.replacement.as_ref().and_then(|other| removed.get(other)) else {
            continue;
        };
        fate.lost_replacement = fate.replacement.take().map(|other| (other, event.clone()));
    }
}

fn event(moment: Moment<'_>) -> UsedEvent {
    UsedEvent {
        release: moment.release.to_owned(),
        date: moment.date.map(str::to_owned),
        date_kind: moment.date_kind,
        declared: moment.declared == Some(true),
    }
}

fn version_fate(
    version: &Version,
    kinds: BTreeMap<String, KindFate>,
    fates: &BTreeMap<ElementId, Fate>,
) -> VersionFate {
    VersionFate {
        fate: fates.get(&version.element).cloned().unwrap_or_default(),
        kinds,
    }
}

fn kind_fate(kind: &Kind, at: usize, fates: &BTreeMap<ElementId, Fate>) -> Option<(String, KindFate)> {
    let element = kind.versions.get(at).copied().flatten()?;
    let own = fates.get(&element)?;
    let named = kind.members.iter().filter_map(|member| {
        let fate = fates.get(&member.versions.get(at).copied().flatten()?)?;
        Some((fate.id.as_str(), member.parts()))
    });
    let by_id: BTreeMap<&str, MemberName<'_>> = named.collect();
    let members = kind.members.iter().filter_map(|member| {
        let fate = fates.get(&member.versions.get(at).copied().flatten()?)?;
        let happens = differs(fate.deprecated.as_ref(), own.deprecated.as_ref())
            || differs(fate.removed.as_ref(), own.removed.as_ref());
        let part = part(&member.parts()).filter(|_| happens)?;
        Some(Member {
            fate: fate.clone(),
            part,
            replacement: replacement_of(fate, &by_id),
        })
    });
    let members = members.collect();
    let fate = own.clone();
    Some((kind.name.clone(), KindFate { fate, members }))
}

/// The steps of the field that replaces a member.
fn replacement_of(fate: &Fate, by_id: &BTreeMap<&str, MemberName<'_>>) -> Option<Vec<String>> {
    match by_id.get(fate.replacement.as_deref()?)? {
        MemberName::Field(path) => Some(scan::steps(path)),
        _ => None,
    }
}

/// Whether something happens to a part of a kind that does not happen to the kind as a whole.
fn differs(part: Option<&UsedEvent>, whole: Option<&UsedEvent>) -> bool {
    part.is_some_and(|part| whole.is_none_or(|whole| part.release != whole.release))
}

fn part(name: &MemberName<'_>) -> Option<MemberPart> {
    Some(match name {
        MemberName::Subresource(_) => return None,
        MemberName::Field(path) => MemberPart::Field(scan::steps(path)),
        MemberName::Value { path, value } => MemberPart::Value(scan::steps(path), value.to_string()),
        MemberName::Annotation(key) => MemberPart::Annotation(key.to_string()),
    })
}
