//! What a model declares, as a draft: an import continues from there.

use std::collections::BTreeMap;

use crate::model::{Element as Found, ElementId, Event, EventKind, Family, Metric, MetricSpec, Model};
use crate::release::{Naming, Release, ReleaseName};

use super::super::draft::{Draft, Element, Group, Kind, Life, Value};

/// Whether the releases of a model are numbered.
pub fn numbered(model: &Model) -> bool {
    matches!(model.calendar.naming(), Naming::Numbered(_))
}

/// The API groups and metrics of a model with their events before a release, and all its releases.
///
/// Events in that release or later are left out: the source has them.
pub fn known(model: &Model, before: &ReleaseName) -> Draft {
    let mut draft = Draft::default();
    if let Naming::Numbered(listed) = model.calendar.naming() {
        draft.calendar.releases = listed.iter().map(|listed| (listed.name.clone(), listed.date)).collect();
    }
    draft.calendar.cadence = model.calendar.cadence();
    let current = model.calendar.current();
    draft.calendar.current = current.and_then(|current| ReleaseName::parse(&model.calendar.name(current)));
    let reader = Reader { model, before };
    for group in model.groups.iter().filter(|group| group.family == Family::Api) {
        let versions = group.versions.iter();
        let names: Vec<String> = versions.map(|version| version.name.as_str().to_owned()).collect();
        let mut own = Group::default();
        for (name, version) in names.iter().zip(&group.versions) {
            own.versions
                .extend(reader.element(version.element).map(|element| (name.clone(), element)));
        }
        for found in &group.kinds {
            let mut kind = Kind {
                resource: found.resource.clone(),
                versions: reader.versions(&names, &found.versions),
                ..Kind::default()
            };
            for (name, element) in names.iter().zip(&found.versions) {
                let stored = element.and_then(|element| reader.release(Event::new(element, 0, EventKind::Stored)));
                kind.storage.extend(stored.map(|release| (name.clone(), release)));
            }
            for member in &found.members {
                let versions = reader.versions(&names, &member.versions);
                if !versions.is_empty() {
                    kind.parts.insert(member.parts().into_owned(), versions);
                }
            }
            if !kind.versions.is_empty() {
                own.kinds.insert(found.name.clone(), kind);
            }
        }
        draft.groups.insert(group.name.clone(), own);
    }
    let metrics = model.metrics.iter().filter_map(|metric| reader.metric(metric));
    draft.metrics = metrics.collect();
    draft
}

struct Reader<'m> {
    model: &'m Model,
    before: &'m ReleaseName,
}

impl Reader<'_> {
    fn versions(&self, names: &[String], elements: &[Option<ElementId>]) -> BTreeMap<String, Element> {
        let all = names.iter().zip(elements);
        let known = all.filter_map(|(name, element)| Some((name.clone(), self.element((*element)?)?)));
        known.collect()
    }

    /// An element with its lives; `None` if none has begun.
    fn element(&self, id: ElementId) -> Option<Element> {
        let found = self.model.element(id);
        let lives = (0..self.model.lives(id)).filter_map(|life| self.life(id, found, life));
        let lives: Vec<Life> = lives.collect();
        (!lives.is_empty()).then(|| Element {
            lives,
            ..Element::default()
        })
    }

    fn life(&self, id: ElementId, found: &Found, life: u8) -> Option<Life> {
        // A member without a removal is removed with its kind; one without lives of its own has those of its kind.
        let kind = found.parent.filter(|_| found.kind.is_member());
        let [introduced, removed] = [EventKind::Introduced, EventKind::Removed].map(|what| {
            let own = Event::new(id, life, what);
            match (self.model.find_declared(own), kind) {
                (None, Some(kind)) => self.release(own.of(kind)),
                _ => self.release(own),
            }
        });
        Some(Life {
            introduced: Some(introduced?),
            deprecated: self.all(id, life, EventKind::Deprecated),
            undeprecated: self.all(id, life, EventKind::Undeprecated),
            hidden: None,
            removed,
            migrated: self.release(Event::new(id, life, EventKind::Migrated)),
            dropped: self.release(Event::new(id, life, EventKind::Dropped)),
        })
    }

    /// A metric with its name; `None` if it has not begun.
    fn metric(&self, metric: &Metric) -> Option<(String, Element)> {
        let specs: Vec<Value> = metric.specs.iter().filter_map(|spec| self.spec(spec)).collect();
        if specs.is_empty() {
            return None;
        }
        let id = metric.element;
        let life = Life {
            deprecated: self.all(id, 0, EventKind::Deprecated),
            undeprecated: self.all(id, 0, EventKind::Undeprecated),
            hidden: self.release(Event::new(id, 0, EventKind::Hidden)),
            removed: self.release(Event::new(id, 0, EventKind::Removed)),
            ..Life::default()
        };
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
