//! Elements as announcements describe them.
//!
//! Of a chain of replacements, users are sent to the last one that is served in the release of the announcement and in
//! that of the removal.

use std::collections::BTreeSet;

use crate::model::succession::named;
use crate::model::{ElementId, Event, EventKind};
use crate::release::Release;
use crate::report::{ElementReport, Moment, SubjectReport};

use super::super::replacements::{Named, Replacements};
use super::super::{Material, elements};

/// The place of an element: positions of its group, its version there and its kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupPosition {
    pub(super) group: usize,
    pub(super) version: usize,
    pub(super) kind: Option<usize>,
}

pub(super) struct Subjects<'a> {
    material: Material<'a>,
    pub(super) replacements: Replacements<'a>,
    /// In the order of the model, as are the places.
    elements: Vec<ElementReport<'a>>,
    places: Vec<Option<GroupPosition>>,
    /// The release that readers upgrade to if they skip some: announcements about those in between are as of this one.
    readers: Option<Release>,
}

impl<'a> Subjects<'a> {
    pub(super) fn of(material: Material<'a>, readers: Option<Release>) -> Self {
        let replacements = Replacements::of(material.reasoning);
        Self {
            elements: elements::all(material),
            places: places(material),
            readers,
            material,
            replacements,
        }
    }

    /// The place of an element or of its container; `None` for what has no group.
    pub(super) fn place(&self, element: ElementId) -> Option<GroupPosition> {
        self.places[element.0 as usize]
    }

    pub(super) fn element(&self, element: ElementId) -> &ElementReport<'a> {
        &self.elements[element.0 as usize]
    }

    /// When an element is first introduced: a version with the first of its kinds.
    pub(super) fn introduced(&self, element: ElementId) -> Option<Release> {
        let reasoning = self.material.reasoning;
        let owners = self.life_owners(element).into_iter();
        let events = owners.map(|owner| Event::new(owner, 0, EventKind::Introduced));
        events.filter_map(|event| reasoning.release(event)).min()
    }

    /// Since when an element is there for those who use a release: what was gone before is not counted.
    fn available(&self, element: ElementId, by: Release) -> Option<Release> {
        let reasoning = self.material.reasoning;
        let by = self.readers.unwrap_or(by);
        let begins = self.life_owners(element).into_iter().filter_map(|owner| {
            let lives = (0..reasoning.model.lives(owner)).map(|life| Event::new(owner, life, EventKind::Introduced));
            let mut begins = lives.filter_map(|begin| reasoning.release(begin));
            let first = begins.next()?;
            Some(begins.take_while(|begin| *begin <= by).last().unwrap_or(first))
        });
        begins.min()
    }

    /// The elements whose lives are those of an element: of a version its kinds.
    fn life_owners(&self, element: ElementId) -> Vec<ElementId> {
        let model = self.material.reasoning.model;
        match self.place(element) {
            Some(place) if place.kind.is_none() => model.groups[place.group].versions[place.version].served().to_vec(),
            _ => vec![element],
        }
    }

    /// What users of a life migrate to in a release.
    pub(super) fn target(&self, element: ElementId, life: u8, by: Release) -> Option<ElementId> {
        self.named(element, life, by).migrate_to
    }

    fn named(&self, element: ElementId, life: u8, by: Release) -> Named {
        self.replacements.as_of(element, life, self.readers.unwrap_or(by))
    }

    /// The deprecation of a life in force in a release, and whether it is declared. A deprecation may be reverted and
    /// repeated.
    pub(super) fn holding(&self, element: ElementId, life: u8, release: Release) -> Option<(Release, bool)> {
        let reasoning = self.material.reasoning;
        let event = Event::new(element, life, EventKind::Deprecated);
        let declared = reasoning
            .model
            .repeated(event)
            .map(|declared| declared.release)
            .filter(|since| {
                let mut reverted = reasoning.model.repeated(event.sibling(EventKind::Undeprecated));
                *since <= release && !reverted.any(|end| (*since..=release).contains(&end.release))
            });
        if let Some(since) = declared.last() {
            return Some((since, true));
        }
        let since = reasoning.release(event).filter(|since| *since <= release)?;
        Some((since, reasoning.model.in_force(event).is_some()))
    }

    /// A version with an event of some of its kinds, in one life each: it is removed with the last of these, and its
    /// successor is available when all of theirs are. Kinds that were deprecated apart have no common deprecation.
    pub(super) fn together(
        &self,
        version: ElementId,
        kinds: &[(ElementId, u8)],
        release: Release,
    ) -> SubjectReport<'a> {
        let whole = self.at(version, 0, release);
        let reasoning = self.material.reasoning;
        let model = reasoning.model;
        let last = kinds.iter().max_by_key(|(kind, life)| {
            let removed = reasoning.release(Event::new(*kind, *life, EventKind::Removed));
            (removed.unwrap_or(Release::NEVER), std::cmp::Reverse(*kind))
        });
        let Some((kind, life)) = last else {
            return whole;
        };
        let last = self.at(*kind, *life, release);
        let deprecated = kinds.iter().map(|(kind, life)| self.deprecated(*kind, *life, release));
        let deprecated: BTreeSet<Option<&str>> = deprecated.map(|moment| Some(moment?.release)).collect();
        let first = kinds
            .iter()
            .min_by_key(|(kind, life)| reasoning.release(Event::new(*kind, *life, EventKind::Introduced)));
        let named: Vec<Named> = kinds
            .iter()
            .map(|(kind, life)| self.named(*kind, *life, release))
            .collect();
        let targets = named.iter().filter_map(|named| named.migrate_to);
        let since = targets.filter_map(|target| self.available(target, release)).max();
        let replacement = self.version_of_all(named.iter().map(|named| named.replacement));
        let migrate_to = self.version_of_all(named.iter().map(|named| named.migrate_to));
        let elsewhere = self.elsewhere(version);
        // A version is deprecated in favor of what replaces some of its kinds, but the others cannot migrate to it.
        let mut in_favor = named
            .iter()
            .filter_map(|named| model.element(named.replacement?).parent);
        let in_part = whole
            .replacement
            .filter(|id| in_favor.any(|other| model.id(other) == *id));
        SubjectReport {
            id: whole.id,
            kind: whole.kind,
            kind_word: whole.kind_word,
            name: whole.name,
            resource: None,
            stability: whole.stability,
            introduced: first.and_then(|(kind, life)| self.at(*kind, *life, release).introduced),
            replacement: replacement.or(elsewhere).or(in_part),
            migrate_to: migrate_to.or(elsewhere),
            replacement_to_come: whole.replacement_to_come,
            deprecated: last.deprecated.filter(|_| deprecated.len() == 1),
            available_since: since.and_then(|since| self.material.names.moment(since)),
            consumers: whole.consumers,
            ..last
        }
    }

    /// A declared replacement that is not in the model, which is still what users migrate to.
    fn elsewhere(&self, element: ElementId) -> Option<&'a str> {
        let reference = named(self.material.reasoning.model, element)?;
        reference.target.is_none().then_some(reference.text.as_str())
    }

    /// The id of the version that serves all of some kinds.
    fn version_of_all(&self, kinds: impl Iterator<Item = Option<ElementId>>) -> Option<&'a str> {
        let model = self.material.reasoning.model;
        let mut versions = kinds.map(|kind| model.element(kind?).parent);
        let first = versions.next()??;
        versions.all(|version| version == Some(first)).then(|| model.id(first))
    }

    /// When a life was deprecated, as of a release; `None` for a version with kinds.
    fn deprecated(&self, element: ElementId, life: u8, release: Release) -> Option<Moment<'a>> {
        if self.life_owners(element) != [element] {
            return None;
        }
        let (since, declared) = self.holding(element, life, release)?;
        let declared = Some(declared);
        self.material
            .names
            .moment(since)
            .map(|moment| Moment { declared, ..moment })
    }

    /// An attribute of an element, or else of its container.
    fn inherited(
        &self,
        element: ElementId,
        attribute: impl Fn(&ElementReport<'a>) -> Option<&'a str>,
    ) -> Option<&'a str> {
        let model = self.material.reasoning.model;
        let mut chain = model.with_wholes(element);
        chain.find_map(|element| attribute(self.element(element)))
    }

    /// An element in one of its lives, as of a release.
    pub(super) fn at(&self, element: ElementId, life: u8, release: Release) -> SubjectReport<'a> {
        let model = self.material.reasoning.model;
        let report = self.element(element);
        let attributes = model.attributes(element);
        let place = self.place(element);
        let group = place.map(|place| (&model.groups[place.group], place));
        let named_then = self.named(element, life, release);
        let target = named_then.migrate_to;
        let as_of = self.readers.unwrap_or(release);
        let earlier = report.earlier_lives.get(usize::from(life));
        let elsewhere = self.elsewhere(element);
        SubjectReport {
            id: report.id,
            kind: report.kind,
            kind_word: model.extra(element).map(|(kind, _)| kind.word.as_str()),
            name: model.element(element).name(),
            group: group.map(|(group, _)| group.name.as_str()),
            version: group.map(|(group, place)| group.versions[place.version].name.as_str()),
            resource: group.and_then(|(group, place)| group.kinds[place.kind?].resource.as_deref()),
            stability: elements::stability(model, element, release),
            introduced: earlier.map_or(report.introduced, |life| life.introduced),
            deprecated: self
                .deprecated(element, life, release)
                .or(earlier.map_or(report.deprecated, |life| life.deprecated)),
            hidden: report.hidden.filter(|_| earlier.is_none()),
            removed: earlier.map_or(report.removed, |life| life.removed),
            earliest_removal: report
                .permitted_since
                .or(report.earliest_removal)
                .filter(|_| earlier.is_none()),
            custom_removal: report.custom_removal.filter(|_| earlier.is_none()),
            never_before_major: report.never_before_major.clone(),
            replacement: named_then.replacement.map(|other| model.id(other)).or(elsewhere),
            migrate_to: target.map(|target| model.id(target)).or(elsewhere),
            replacement_to_come: target.is_none() && self.replacements.comes_after(element, as_of),
            available_since: target.and_then(|target| self.material.names.moment(self.available(target, release)?)),
            warning: attributes.and_then(|attributes| Some(attributes.warning.as_ref()?.text.as_str())),
            operational: attributes.and_then(|attributes| attributes.operational),
            owner: self.inherited(element, |report| report.owner),
            tracking: self.inherited(element, |report| report.tracking),
            because: earlier.map_or_else(|| report.because.clone(), |_| Vec::new()),
            consumers: self.material.consumers(element),
        }
    }
}

/// The places of all elements; parts of kinds have those of their kinds.
fn places(material: Material<'_>) -> Vec<Option<GroupPosition>> {
    let model = material.reasoning.model;
    let mut places = vec![None; model.elements().len()];
    for (group, found) in model.groups.iter().enumerate() {
        for (version, found) in found.versions.iter().enumerate() {
            let kind = None;
            places[found.element.0 as usize] = Some(GroupPosition { group, version, kind });
        }
        for (kind, found) in found.kinds.iter().enumerate() {
            let parts = found.members.iter().map(|member| &*member.versions);
            for versions in parts.chain([&*found.versions]) {
                for (version, element) in versions.iter().enumerate() {
                    if let Some(element) = element {
                        let kind = Some(kind);
                        places[element.0 as usize] = Some(GroupPosition { group, version, kind });
                    }
                }
            }
        }
    }
    places
}
