//! The plan per element.

use std::borrow::Cow;
use std::rc::Rc;

use crate::derivation::{Decisive, Reasoning, Soonest, Supposed};
use crate::grammar::FileSection;
use crate::model::{ElementId, Event, EventKind, Model, Version};
use crate::policy::Key;
use crate::release::{Bound, Release};
use crate::report::{DecidedBy, ElementReport, FactReport, IfDeprecated, LifeReport, MakeElements, Moment, StepMoment};
use crate::stability::{Level, MetricStability, Stage};

use super::Material;
use super::custom::custom_of_gate;
use super::replacements::Replacements;
use super::unions::Union;

/// All elements, in the model's order.
pub(super) fn all(material: Material<'_>) -> Vec<ElementReport<'_>> {
    let builder = Builder::of(material);
    let ids = material.reasoning.model.elements().map(|(id, _)| id);
    ids.map(|id| builder.report(id)).collect()
}

/// Some elements, in their order, with what replaces them for those who use a release.
pub(super) fn for_users(
    material: Material<'_>,
    ids: Vec<ElementId>,
    release: Release,
) -> Vec<(ElementId, ElementReport<'_>)> {
    let builder = Builder::of(material);
    let model = material.reasoning.model;
    let reports = ids.into_iter().map(|id| {
        let report = builder.report(id);
        let named = builder.replacements.as_of(id, model.last_life(id), release);
        let migrate_to = named.migrate_to.map(|other| model.id(other)).or(report.migrate_to);
        (id, ElementReport { migrate_to, ..report })
    });
    reports.collect()
}

/// How stable an element is in a release, on the scale of its kind.
pub(super) fn stability(model: &Model, id: ElementId, release: Release) -> Level {
    match model.element(id).kind.row().section {
        FileSection::Metric => model
            .metric(id)
            .and_then(|metric| metric.at(release))
            .map_or(Level::Class(MetricStability::Alpha), |spec| {
                Level::Class(spec.stability)
            }),
        FileSection::Gate => model
            .gate(id)
            .and_then(|gate| gate.at(release).or(gate.specs.first()))
            .map_or(Level::Stage(Stage::Alpha), |spec| Level::Stage(spec.stage)),
        FileSection::Group | FileSection::Config | FileSection::Cli | FileSection::Behavior | FileSection::Extra => {
            Level::Track(model.track_at(id, release))
        }
    }
}

#[derive(Debug)]
pub(super) struct Builder<'a> {
    material: Material<'a>,
    replacements: Rc<Replacements<'a>>,
    /// The versions that have kinds, in the order of their elements.
    unions: Vec<&'a Version>,
    /// The elements that the answer is about.
    ids: Vec<ElementId>,
}

impl MakeElements for Builder<'_> {
    fn count(&self) -> usize {
        self.ids.len()
    }

    fn element(&self, at: usize) -> ElementReport<'_> {
        self.report(self.ids[at])
    }

    fn id(&self, at: usize) -> &str {
        self.reasoning().model.id(self.ids[at])
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        self.reasoning().are_alike(self.ids[one], self.ids[other])
    }
}

impl<'a> Builder<'a> {
    pub(super) fn of(material: Material<'a>) -> Self {
        Self::new(material, Rc::new(Replacements::of(material.reasoning)))
    }

    pub(super) fn new(material: Material<'a>, replacements: Rc<Replacements<'a>>) -> Self {
        let versions = material.reasoning.model.groups.iter().flat_map(|group| &group.versions);
        let mut unions: Vec<&Version> = versions.filter(|version| !version.kinds.is_empty()).collect();
        unions.sort_by_key(|version| version.element);
        let ids = material.reasoning.model.elements().map(|(id, _)| id);
        Self {
            ids: ids.filter(|id| material.has(*id)).collect(),
            material,
            replacements,
            unions,
        }
    }

    fn reasoning(&self) -> Reasoning<'a> {
        self.material.reasoning
    }

    pub(super) fn report(&self, id: ElementId) -> ElementReport<'a> {
        let model = self.reasoning().model;
        let element = model.element(id);
        let report = match self.unions.binary_search_by_key(&id, |version| version.element) {
            Ok(at) => self.union(self.unions[at]),
            Err(_) => self.last_life(id),
        };
        let attributes = element.attributes();
        let named = self.replacements.planned(id);
        ElementReport {
            replacement: named.replacement.map(|other| model.id(other)),
            migrate_to: named.migrate_to.map(|other| model.id(other)),
            class: self.class(id),
            steps: self.steps(id),
            owner: attributes.and_then(|attributes| attributes.owner.as_deref()),
            tracking: attributes.and_then(|attributes| attributes.tracking.as_deref()),
            ..report
        }
    }

    /// The class of an element whose kind has other classes than alpha, beta and GA.
    fn class(&self, id: ElementId) -> Option<&'a str> {
        let (kind, extra) = self.reasoning().model.extra(id)?;
        let (class, track) = kind.classes.get(extra.class)?;
        (!class.eq_ignore_ascii_case(track.as_str())).then_some(class.as_str())
    }

    fn steps(&self, id: ElementId) -> Vec<StepMoment<'a>> {
        let model = self.reasoning().model;
        let steps = model.steps.iter().filter_map(|(what, step)| {
            let at = self.material.event(Event::new(id, model.last_life(id), what))?;
            Some(StepMoment {
                step: &step.name,
                duty: step.duty,
                at,
            })
        });
        steps.collect()
    }

    /// A version that has kinds lives as long as the last of them.
    fn union(&self, version: &Version) -> ElementReport<'a> {
        let Some(union) = Union::of(self.material, version) else {
            return self.last_life(version.element);
        };
        ElementReport {
            introduced: union.introduced,
            deprecated: union.deprecated,
            earlier_lives: union.earlier_lives,
            ..self.life(version.element, union.last, union.deprecation)
        }
    }

    fn end(&self, removed: Event) -> Release {
        self.reasoning().release(removed).unwrap_or(Release::NEVER)
    }

    fn last_life(&self, id: ElementId) -> ElementReport<'a> {
        let removed = self.reasoning().model.last_event(id, EventKind::Removed);
        let earlier = (0..removed.life).map(|life| self.earlier(id, life));
        ElementReport {
            earlier_lives: earlier.collect(),
            ..self.life(id, removed, removed.sibling(EventKind::Deprecated))
        }
    }

    /// One life of an element, as the report of `subject`: of a version, the life of its last kind, and the deprecation
    /// that decides for all.
    fn life(&self, subject: ElementId, removed: Event, deprecated: Event) -> ElementReport<'a> {
        let reasoning = self.reasoning();
        let model = reasoning.model;
        let id = removed.element;
        let soonest = match self.has_ended(removed) {
            true if subject != id => reasoning.as_a_whole(subject, reasoning.soonest_removal(removed)),
            true => reasoning.soonest_removal(removed),
            false => reasoning.soonest_end(subject),
        };
        let lower = soonest.decisive;
        // A part of a kind is deprecated and hidden as the kind is; nothing bounds that but its removal.
        let is_part = model.element(id).kind.is_member();
        let hidden = self.material.event(removed.sibling(EventKind::Hidden));
        let latest = reasoning.upper(deprecated).filter(|_| !is_part);
        let due = self.removal_due(subject, removed).filter(|_| !is_part);
        let major = reasoning.major_awaited(&soonest).filter(|_| !is_part);
        let earliest = self.earliest_removal(removed, &soonest);
        // That the next release is the soonest one holds nothing back: what was due before is late.
        let ended = self
            .has_ended(removed)
            .then(|| lower.map(|found| found.worked.release()));
        let possible =
            ended.unwrap_or_else(|| Some(soonest.release).filter(|soonest| *soonest > model.calendar.next()));
        ElementReport {
            id: model.id(subject),
            kind: model.element(subject).kind_name(),
            stability: stability(model, subject, model.calendar.current().unwrap_or(Release::NEVER)),
            class: None,
            replacement: None,
            migrate_to: None,
            steps: Vec::new(),
            introduced: self.material.event(removed.sibling(EventKind::Introduced)),
            deprecated: self.material.event(deprecated),
            hidden: hidden.filter(|_| !is_part),
            removed: self.material.event(removed),
            earliest_deprecation: self.earliest_deprecation(deprecated),
            latest_deprecation: latest.and_then(|found| self.material.bound(&found.worked)),
            earliest_removal: earliest,
            permitted_since: self.permitted_since(removed, &soonest),
            if_deprecated: self.if_deprecated(&soonest),
            custom_removal: self.custom_removal(removed),
            removal_due: due.and_then(|due| self.material.due(due)),
            due_before_possible: earliest.is_some() && due.is_some_and(|due| Some(due.release) < possible),
            binding: match &major {
                Some(_) => Some(DecidedBy::Major),
                None => lower.map(|found| Reasoning::binding(&found)),
            },
            never_before_major: major,
            because: self.because((subject, id), &soonest, latest),
            earlier_lives: Vec::new(),
            owner: None,
            tracking: None,
        }
    }

    /// Whether a life ended in a release that has shipped.
    fn has_ended(&self, removed: Event) -> bool {
        self.end(removed) < self.reasoning().model.calendar.next()
    }

    /// The first release that may still end a life; of one that has ended, the release from which the law permitted it.
    fn earliest_removal(&self, removed: Event, soonest: &Soonest<'a>) -> Option<Moment<'a>> {
        match soonest.decisive {
            _ if self.reasoning().condition(soonest).is_some() => None,
            Some(found) if self.has_ended(removed) => self.material.bound(&found.worked),
            None if self.has_ended(removed) => None,
            _ => self.material.soonest(soonest),
        }
    }

    /// The release from which the law permits the end of a life that goes on, if that has shipped.
    fn permitted_since(&self, removed: Event, soonest: &Soonest<'a>) -> Option<Moment<'a>> {
        let is_open = !self.has_ended(removed) && !soonest.is_first_open();
        let found = soonest.decisive.filter(|_| is_open)?;
        let has_shipped = found.worked.release() < self.reasoning().model.calendar.next();
        self.material.bound(&found.worked).filter(|_| has_shipped)
    }

    /// The release in which a life is due to end; of a version, the last of those of its kinds, if all are due.
    fn removal_due(&self, subject: ElementId, removed: Event) -> Option<Bound> {
        let reasoning = self.reasoning();
        if subject == removed.element || self.has_ended(removed) {
            return reasoning.due(removed);
        }
        let parts = reasoning.model.served_by(subject).into_iter();
        let open = parts.filter(|part| !reasoning.has_ended(*part));
        let dues = open.map(|part| {
            let removed = reasoning.model.last_event(part, EventKind::Removed);
            reasoning.due(removed)
        });
        let dues: Option<Vec<Bound>> = dues.collect();
        dues?.into_iter().max_by_key(|due| due.release)
    }

    fn if_deprecated(&self, soonest: &Soonest<'a>) -> Option<IfDeprecated<'a>> {
        let names = self.material.names;
        Some(IfDeprecated {
            deprecated: names.moment(self.reasoning().condition(soonest)?)?,
            earliest_removal: self.material.soonest(soonest)?,
        })
    }

    fn earlier(&self, id: ElementId, life: u8) -> LifeReport<'a> {
        let removed = Event::new(id, life, EventKind::Removed);
        LifeReport {
            introduced: self.material.event(removed.sibling(EventKind::Introduced)),
            deprecated: self.material.event(removed.sibling(EventKind::Deprecated)),
            removed: self.material.event(removed),
        }
    }

    /// The later of its introduction and what the law waits for; none if the law forbids it.
    fn earliest_deprecation(&self, deprecated: Event) -> Option<Moment<'a>> {
        let reasoning = self.reasoning();
        if reasoning.model.element(deprecated.element).kind.is_member() || reasoning.is_forbidden(deprecated) {
            return None;
        }
        let introduced = reasoning.release(deprecated.sibling(EventKind::Introduced))?;
        let bound = reasoning
            .lower(deprecated)
            .map_or(introduced, |found| found.worked.release().max(introduced));
        self.material.names.moment(bound)
    }

    fn because(
        &self,
        (subject, id): (ElementId, ElementId),
        soonest: &Soonest<'a>,
        latest: Option<Decisive<'a>>,
    ) -> Vec<FactReport<'a>> {
        let last = self.reasoning().model.id(soonest.last);
        let of_union = (subject != id).then(|| FactReport {
            rule: None,
            number: None,
            text: format!("a version is served as long as the last of its kinds: {last}"),
        });
        let lower = soonest.decisive.map(|found| self.fact(&found, soonest.supposed));
        let latest = latest.map(|found| self.fact(&found, None));
        [lower, latest]
            .into_iter()
            .flatten()
            .chain(self.custom(id))
            .chain(of_union)
            .collect()
    }

    fn fact(&self, found: &Decisive<'a>, supposed: Option<Supposed>) -> FactReport<'a> {
        let rule = found.obligation.rule();
        let stated = self.reasoning().supposing(supposed);
        FactReport {
            rule,
            number: rule.and_then(|rule| self.material.newest(rule)?.number.as_deref().map(Cow::Borrowed)),
            text: stated.sentence(found.obligation, &found.worked),
        }
    }

    /// What the project waits for by custom, which is longer than the rule requires.
    fn custom(&self, id: ElementId) -> Option<FactReport<'a>> {
        let text = custom_of_gate(self.material, id)
            .map(|custom| custom.text)
            .or_else(|| self.custom_of_version(id))?;
        Some(FactReport {
            rule: None,
            number: None,
            text,
        })
    }

    /// The release until which a gate stays by custom, if that is later than its planned removal.
    fn custom_removal(&self, removed: Event) -> Option<Moment<'a>> {
        let planned = self.reasoning().planned(removed)?.release;
        let end = custom_of_gate(self.material, removed.element)?.end?;
        self.material.names.moment(end).filter(|_| end > planned)
    }

    /// The code of a version stays after its removal.
    fn custom_of_version(&self, id: ElementId) -> Option<String> {
        let reasoning = self.reasoning();
        let (model, calendar) = (reasoning.model, &reasoning.model.calendar);
        let kind = model.element(id).kind;
        if !kind.is_version() && !kind.is_kind() {
            return None;
        }
        let removed = model.last_event(id, EventKind::Removed);
        let track = model.track_at_end(removed.sibling(EventKind::Deprecated), None);
        let law = self.material.newest("version-lifetime")?;
        let window = law.window(track.into(), Key::CustomEmulation)?;
        let removed = reasoning.release(removed)?;
        Some(format!(
            "by custom the code of a version stays {window} after its removal ({}): {}",
            calendar.name(removed),
            calendar.name(calendar.earliest(removed, window).release)
        ))
    }
}
