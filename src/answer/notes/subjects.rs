//! Elements, as announcements speak of them.

use crate::model::succession::named;
use crate::model::{ElementId, Event, EventKind};
use crate::release::Release;
use crate::report::{ElementReport, Moment, SubjectReport};

use super::super::replacements::Replacements;
use super::super::{Material, elements};

/// Where an element lies: positions of its group, its version there and its kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) group: usize,
    pub(super) version: usize,
    pub(super) kind: Option<usize>,
}

/// All elements with what is known of them.
pub(super) struct Subjects<'a> {
    material: Material<'a>,
    replacements: Replacements,
    /// In the order of the elements, as are the places.
    elements: Vec<ElementReport<'a>>,
    places: Vec<Option<Place>>,
    /// The release that readers go to, where they skip some: what is told of those on the way is told as of it.
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

    /// Where an element lies, or what it is part of; `None` for what is of no group.
    pub(super) fn place(&self, element: ElementId) -> Option<Place> {
        self.places[element.0 as usize]
    }

    pub(super) fn element(&self, element: ElementId) -> &ElementReport<'a> {
        &self.elements[element.0 as usize]
    }

    /// What replaces an element.
    pub(super) fn replacement(&self, element: ElementId) -> Option<ElementId> {
        self.replacements.get(element)
    }

    /// When an element is first introduced; a version with kinds, with the first of them.
    pub(super) fn introduced(&self, element: ElementId) -> Option<Release> {
        let reasoning = self.material.reasoning;
        let bearers = self.bearers(element);
        let first = |element| reasoning.release(Event::new(element, 0, EventKind::Introduced));
        bearers.iter().filter_map(|bearer| first(*bearer)).min()
    }

    /// Whose lives make those of an element.
    fn bearers(&self, element: ElementId) -> Vec<ElementId> {
        let model = self.material.reasoning.model;
        match self.place(element) {
            Some(place) if place.kind.is_none() => model.groups[place.group].versions[place.version].bearers().to_vec(),
            _ => vec![element],
        }
    }

    /// Where the users of an element go: of the chain of replacements the last that is there by a release, or the first
    /// if none is there yet.
    pub(super) fn target(&self, element: ElementId, by: Release) -> Option<ElementId> {
        let chain = self.replacements.chain(element);
        let by = self.readers.unwrap_or(by);
        let there = |other: &&ElementId| self.introduced(**other).is_none_or(|since| since <= by);
        chain.iter().rev().find(there).or(chain.first()).copied()
    }

    /// The deprecation of a life that holds in a release, and whether it was declared: one may be taken back, and
    /// repeated.
    pub(super) fn holding(&self, element: ElementId, life: u8, release: Release) -> Option<(Release, bool)> {
        let reasoning = self.material.reasoning;
        let steps = |what| {
            let steps = (0..=u8::MAX).map(move |step| Event {
                step,
                ..Event::new(element, life, what)
            });
            steps.map_while(|event| Some(reasoning.model.find_declared(event)?.release))
        };
        let undone = |since: &Release| steps(EventKind::Undeprecated).any(|end| *since <= end && end <= release);
        let declared = steps(EventKind::Deprecated)
            .filter(|since| *since <= release && !undone(since))
            .last();
        let event = Event::new(element, life, EventKind::Deprecated);
        let otherwise = || reasoning.release(event).filter(|since| *since <= release);
        match declared {
            Some(since) => Some((since, true)),
            None => otherwise().map(|since| (since, reasoning.model.in_force(event).is_some())),
        }
    }

    /// A version of which something happens to some kinds, in one life each: it ends as the last of these does,
    /// although others may come after them, and its successor is there when all of theirs are.
    pub(super) fn together(
        &self,
        version: ElementId,
        kinds: &[(ElementId, u8)],
        release: Release,
    ) -> SubjectReport<'a> {
        let whole = self.at(version, 0, release);
        let reasoning = self.material.reasoning;
        let end = |(kind, life): (ElementId, u8)| {
            let removed = reasoning.release(Event::new(kind, life, EventKind::Removed));
            (removed.unwrap_or(Release::NEVER), std::cmp::Reverse(kind))
        };
        let Some((kind, life)) = kinds.iter().copied().max_by_key(|kind| end(*kind)) else {
            return whole;
        };
        let last = self.at(kind, life, release);
        let begin = |(kind, life): &(ElementId, u8)| reasoning.release(Event::new(*kind, *life, EventKind::Introduced));
        let first = kinds.iter().min_by_key(|kind| begin(kind));
        let targets = kinds.iter().filter_map(|(kind, _)| self.target(*kind, release));
        let since = targets.filter_map(|target| self.introduced(target)).max();
        SubjectReport {
            id: whole.id,
            kind: whole.kind,
            name: whole.name,
            resource: None,
            stability: whole.stability,
            introduced: first.and_then(|(kind, life)| self.at(*kind, *life, release).introduced),
            replacement: whole.replacement,
            migrate_to: whole.migrate_to,
            available_since: since.and_then(|since| self.material.names.moment(since)),
            ..last
        }
    }

    /// When a life was deprecated, as far as that holds in a release; of a version with kinds, they tell it.
    fn deprecated(&self, element: ElementId, life: u8, release: Release) -> Option<Moment<'a>> {
        if self.bearers(element) != [element] {
            return None;
        }
        let (since, declared) = self.holding(element, life, release)?;
        let moment = self.material.names.moment(since)?;
        Some(Moment {
            declared: Some(declared),
            ..moment
        })
    }

    /// What is said of an element, or else of what it is part of.
    fn inherited(&self, element: ElementId, said: impl Fn(&ElementReport<'a>) -> Option<&'a str>) -> Option<&'a str> {
        let model = self.material.reasoning.model;
        let mut next = Some(element);
        while let Some(element) = next {
            if let Some(found) = said(self.element(element)) {
                return Some(found);
            }
            next = model.element(element).parent;
        }
        None
    }

    /// An element in one of its lives, as seen in a release.
    pub(super) fn at(&self, element: ElementId, life: u8, release: Release) -> SubjectReport<'a> {
        let model = self.material.reasoning.model;
        let report = self.element(element);
        let said = model.attributes(element);
        let place = self.place(element);
        let group = place.map(|place| &model.groups[place.group]);
        let target = self.target(element, release);
        let earlier = report.earlier_lives.get(usize::from(life));
        let in_life = |last: Option<Moment<'a>>, own: Option<Option<Moment<'a>>>| own.unwrap_or(last);
        // What the user names although the model does not have it is still where users go.
        let elsewhere = named(model, element)
            .filter(|reference| reference.target.is_none())
            .map(|reference| reference.text.as_str());
        SubjectReport {
            id: report.id,
            kind: report.kind,
            name: model.element(element).name(),
            group: group.map(|group| group.name.as_str()),
            version: group
                .zip(place)
                .map(|(group, place)| group.versions[place.version].name.as_str()),
            resource: group
                .zip(place.and_then(|place| place.kind))
                .and_then(|(group, kind)| group.kinds[kind].resource.as_deref()),
            stability: elements::stability(model, element, release),
            introduced: in_life(report.introduced, earlier.map(|life| life.introduced)),
            deprecated: self
                .deprecated(element, life, release)
                .or(in_life(report.deprecated, earlier.map(|life| life.deprecated))),
            hidden: report.hidden.filter(|_| earlier.is_none()),
            removed: in_life(report.removed, earlier.map(|life| life.removed)),
            earliest_removal: report.earliest_removal.filter(|_| earlier.is_none()),
            never_before_major: report.never_before_major.clone(),
            replacement: report.replacement.or(elsewhere),
            migrate_to: target.map(|target| model.id(target)).or(elsewhere),
            available_since: target
                .and_then(|target| self.introduced(target))
                .and_then(|since| self.material.names.moment(since)),
            warning: said.and_then(|said| Some(said.warning.as_ref()?.text.as_str())),
            operational: said.and_then(|said| said.operational),
            owner: self.inherited(element, |report| report.owner),
            tracking: self.inherited(element, |report| report.tracking),
            because: if earlier.is_none() {
                report.because.clone()
            } else {
                Vec::new()
            },
        }
    }
}

/// Where each element lies; parts of kinds where their kinds do.
fn places(material: Material<'_>) -> Vec<Option<Place>> {
    let model = material.reasoning.model;
    let mut places = vec![None; model.elements().len()];
    for (group, found) in model.groups.iter().enumerate() {
        let place = |version, kind| Some(Place { group, version, kind });
        for (version, found) in found.versions.iter().enumerate() {
            places[found.element.0 as usize] = place(version, None);
        }
        for (kind, found) in found.kinds.iter().enumerate() {
            let parts = found.members.iter().map(|member| &member.versions);
            for versions in parts.chain([&found.versions]) {
                for (version, element) in versions.iter().enumerate() {
                    if let Some(element) = element {
                        places[element.0 as usize] = place(version, Some(kind));
                    }
                }
            }
        }
    }
    places
}
