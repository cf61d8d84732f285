//! What a model declares, as a draft: an import continues from there.

use std::collections::BTreeMap;

use crate::model::{self, ElementId, Event, EventKind, Family, Metric, MetricSpec, Model};
use crate::release::{Naming, Release, ReleaseName};

use super::super::draft::{Draft, DraftCalendar, Element, Group, Keys, Kind, Life, Value};

/// The API groups, metrics, behaviors and elements of further kinds of a model with their events before a release, and
/// all its releases. `None` if these are not numbered.
///
/// Events in that release or later are left out: the source has them.
pub fn known(model: &Model, before: &ReleaseName) -> Option<Draft> {
    let Naming::Numbered(listed) = model.calendar.naming() else {
        return None;
    };
    let current = model.calendar.current();
    let reader = Reader { model, before };
    let groups = model.groups.iter().filter(|group| group.family == Family::Api);
    let metrics = model.metrics.iter().filter_map(|metric| reader.metric(metric));
    Some(Draft {
        origin: Vec::new(),
        calendar: DraftCalendar {
            releases: listed.iter().map(|listed| (listed.name.clone(), listed.date)).collect(),
            current: current.and_then(|current| ReleaseName::parse(&model.calendar.name(current))),
            cadence: model.calendar.cadence(),
        },
        groups: groups.map(|group| (group.name.clone(), reader.group(group))).collect(),
        // A list of gates states their whole lives.
        gates: BTreeMap::new(),
        metrics: metrics.collect(),
        others: reader.others(),
        kinds: model.kinds.iter().map(|kind| kind.name.clone()).collect(),
    })
}

struct Reader<'m> {
    model: &'m Model,
    before: &'m ReleaseName,
}

impl Reader<'_> {
    fn others(&self) -> BTreeMap<String, BTreeMap<String, Element>> {
        let mut others: BTreeMap<String, BTreeMap<String, Element>> = BTreeMap::new();
        let extras = self.model.extras.iter().map(|extra| extra.element);
        for id in self.model.behaviors.iter().copied().chain(extras) {
            if let ([section, name], Some(element)) = (self.model.element(id).path().keys().as_slice(), self.stated(id))
            {
                others.entry(section.clone()).or_default().insert(name.clone(), element);
            }
        }
        others
    }

    fn group(&self, group: &model::Group) -> Group {
        let versions = group.versions.iter();
        let (names, elements): (Vec<&str>, Vec<Option<ElementId>>) = versions
            .map(|version| (version.name.as_str(), Some(version.element)))
            .unzip();
        let kinds = group.kinds.iter();
        let kinds = kinds.map(|kind| (kind.name.clone(), self.kind(&names, kind)));
        Group {
            notes: Vec::new(),
            versions: self.versions(&names, &elements),
            kinds: kinds.filter(|(_, kind)| !kind.versions.is_empty()).collect(),
        }
    }

    fn kind(&self, names: &[&str], found: &model::Kind) -> Kind {
        let stored = names.iter().zip(&found.versions).filter_map(|(name, element)| {
            let release = self.release(Event::new((*element)?, 0, EventKind::Stored))?;
            Some(((*name).to_owned(), release))
        });
        let members = found.members.iter();
        let parts = members.map(|member| (member.parts().into_owned(), self.versions(names, &member.versions)));
        Kind {
            resource: found.resource.clone(),
            versions: self.versions(names, &found.versions),
            storage: stored.collect(),
            parts: parts.filter(|(_, versions)| !versions.is_empty()).collect(),
        }
    }

    fn versions(&self, names: &[&str], elements: &[Option<ElementId>]) -> BTreeMap<String, Element> {
        let all = names.iter().zip(elements);
        let known = all.filter_map(|(name, element)| Some(((*name).to_owned(), self.element((*element)?)?)));
        known.collect()
    }

    /// An element with its lives; `None` if none has begun.
    fn element(&self, id: ElementId) -> Option<Element> {
        let lives = (0..self.model.lives(id)).map(|life| self.life(id, life));
        let lives: Vec<Life> = lives.filter(|life| life.introduced.is_some()).collect();
        let keys = Keys::new();
        (!lives.is_empty()).then_some(Element { lives, keys })
    }

    /// An element that may be declared without its introduction; `None` if nothing is declared of it so far.
    fn stated(&self, id: ElementId) -> Option<Element> {
        let lives = (0..self.model.lives(id)).map(|life| self.life(id, life));
        let lives: Vec<Life> = lives.filter(|life| *life != Life::default()).collect();
        let keys = Keys::new();
        (!lives.is_empty()).then_some(Element { lives, keys })
    }

    fn life(&self, id: ElementId, life: u8) -> Life {
        let found = self.model.element(id);
        // A member without a removal is removed with its kind; one without lives of its own has those of its kind.
        let kind = found.parent.filter(|_| found.kind.is_member());
        let [introduced, removed] = [EventKind::Introduced, EventKind::Removed].map(|what| {
            let own = Event::new(id, life, what);
            match (self.model.find_declared(own), kind) {
                (None, Some(kind)) => self.release(own.of(kind)),
                _ => self.release(own),
            }
        });
        Life {
            introduced,
            deprecated: self.all(id, life, EventKind::Deprecated),
            undeprecated: self.all(id, life, EventKind::Undeprecated),
            hidden: self.release(Event::new(id, life, EventKind::Hidden)),
            removed,
            migrated: self.release(Event::new(id, life, EventKind::Migrated)),
            dropped: self.release(Event::new(id, life, EventKind::Dropped)),
        }
    }

    /// A metric with its name; `None` if it has not begun.
    fn metric(&self, metric: &Metric) -> Option<(String, Element)> {
        let specs: Vec<Value> = metric.specs.iter().filter_map(|spec| self.spec(spec)).collect();
        if specs.is_empty() {
            return None;
        }
        let id = metric.element;
        let mut life = self.life(id, 0);
        // Its first class is its introduction.
        life.introduced = None;
        let element = Element::with_specs(vec![life], specs);
        Some((self.model.element(id).name().to_owned(), element))
    }

    fn spec(&self, spec: &MetricSpec) -> Option<Value> {
        let (metric_type, labels) = (spec.metric_type.as_deref(), spec.labels.as_ref());
        Some(Value::metric_spec(
            spec.stability,
            &self.name(spec.since)?,
            metric_type,
            labels,
        ))
    }

    fn all(&self, id: ElementId, life: u8, what: EventKind) -> Vec<ReleaseName> {
        let steps = (0..=u8::MAX).map_while(|step| {
            let event = Event {
                step,
                ..Event::new(id, life, what)
            };
            self.release(event)
        });
        steps.collect()
    }

    /// The declared release of an event, if it is before what is imported.
    fn release(&self, event: Event) -> Option<ReleaseName> {
        self.name(self.model.find_declared(event)?.release)
    }

    /// The name of a release, if it is before what is imported.
    fn name(&self, release: Release) -> Option<ReleaseName> {
        let name = ReleaseName::parse(&self.model.calendar.name(release))?;
        (name < *self.before).then_some(name)
    }
}
