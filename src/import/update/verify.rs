//! Checks a model against a draft.

use crate::diagnostic::Diagnostic;
use crate::document::RULE;
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::ReleaseName;

use super::super::draft::{Draft, Element, Kind, Life, Value};
use crate::grammar::{ElementKind, ElementPath, KindPath, MemberName};

/// The differences between a model and a draft in the imported releases, from the first to the last: versions of kinds,
/// their storage and members, the classes and the removal of metrics, behaviors and elements of further kinds.
pub fn verify(model: &Model, draft: &Draft, first: &ReleaseName, last: &ReleaseName) -> Vec<Diagnostic> {
    let mut checker = Checker {
        model,
        first,
        last,
        found: Vec::new(),
    };
    // What an update writes of the calendar and of gates, it has compared.
    let Draft {
        origin: _,
        calendar: _,
        groups,
        gates: _,
        metrics,
        others,
        kinds: _,
    } = draft;
    for (name, group) in groups {
        for (kind, drafted) in &group.kinds {
            checker.kind(name, kind, drafted);
        }
    }
    for (name, metric) in metrics {
        // An error in `specs` leaves the model without the element: that is reported already.
        if let Some(found) = model.find_path(&ElementPath::Named(ElementKind::Metric, name.into())) {
            checker.metric(found, metric);
        }
    }
    for (section, elements) in others {
        for (name, element) in elements {
            let id = format!("{section} {name}");
            let path = ElementPath::parse(&id);
            if let Some(found) = path.ok().and_then(|path| model.find_path(&path)) {
                checker.element(found, element);
            }
        }
    }
    checker.found
}

struct Checker<'c> {
    model: &'c Model,
    first: &'c ReleaseName,
    last: &'c ReleaseName,
    found: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn kind(&mut self, group: &str, kind: &str, drafted: &Kind) {
        let Kind {
            resource: _,
            versions,
            storage,
            parts,
        } = drafted;
        for (version, element) in versions {
            let path = KindPath::api(group, version, kind).into();
            if let Some(found) = self.declared(&path, element) {
                self.compare(Event::new(found, 0, EventKind::Stored), storage.get(version));
            }
        }
        for (part, versions) in parts {
            // The removal of an annotation is not declared by its kind's.
            if matches!(part, MemberName::Annotation(_)) {
                continue;
            }
            for (version, element) in versions {
                let of_kind = KindPath::api(group, version, kind);
                // Without its kind it is not reported by itself.
                if self.model.find_path(&of_kind.clone().into()).is_some() {
                    self.declared(&of_kind.with_member(part.clone()), element);
                }
            }
        }
    }

    /// Compares an element with its declaration, if it has one.
    fn declared(&mut self, path: &ElementPath<'_>, element: &Element) -> Option<ElementId> {
        let found = self.model.find_path(path);
        match found {
            Some(found) => self.element(found, element),
            None => self.missing(path, element),
        }
        found
    }

    fn missing(&mut self, path: &ElementPath<'_>, element: &Element) {
        let Some(introduced) = element.lives.first().and_then(|life| life.introduced.as_ref()) else {
            return;
        };
        let message = format!("the import has {path} since {introduced}, but the model does not declare it");
        let finding = Diagnostic::error(RULE, "imported", message).about(path.to_string());
        self.found.push(finding.help("declare it in the kind's `versions`"));
    }

    fn metric(&mut self, id: ElementId, element: &Element) {
        let none = Life::default();
        let drafted = element.lives.first().unwrap_or(&none);
        self.compare(Event::new(id, 0, EventKind::Removed), drafted.removed.as_ref());
        self.deprecations(id, 0, drafted);
        let promoted: Vec<Option<ReleaseName>> = element.specs().iter().map(since).collect();
        let mut event = Event::new(id, 0, EventKind::Promoted);
        event.step = 1;
        self.steps(event, promoted.get(1..).unwrap_or_default());
    }

    fn element(&mut self, id: ElementId, element: &Element) {
        let drafted = u8::try_from(element.lives.len()).unwrap_or(u8::MAX);
        let none = Life::default();
        for life in 0..self.model.lives(id).max(drafted) {
            let drafted = element.lives.get(usize::from(life)).unwrap_or(&none);
            for what in [EventKind::Introduced, EventKind::Removed] {
                self.compare(Event::new(id, life, what), drafted.releases(what).first());
            }
            self.deprecations(id, life, drafted);
        }
    }

    fn deprecations(&mut self, id: ElementId, life: u8, drafted: &Life) {
        for what in [EventKind::Deprecated, EventKind::Undeprecated] {
            let wanted: Vec<Option<ReleaseName>> = drafted.releases(what).iter().cloned().map(Some).collect();
            self.steps(Event::new(id, life, what), &wanted);
        }
    }

    /// Compares an event that may be repeated, from this step on.
    fn steps(&mut self, first: Event, wanted: &[Option<ReleaseName>]) {
        for (at, step) in (first.step..=u8::MAX).enumerate() {
            let event = Event { step, ..first };
            let wanted = wanted.get(at);
            if wanted.is_none() && self.model.find_declared(event).is_none() {
                break;
            }
            self.compare(event, wanted.and_then(Option::as_ref));
        }
    }

    fn compare(&mut self, event: Event, wanted: Option<&ReleaseName>) {
        let element = self.model.element(event.element);
        let kind = element.parent.filter(|_| element.kind.is_member());
        let own = self.model.find_declared(event);
        // A member is removed with its kind.
        let declared = own.or_else(|| self.model.find_declared(event.of(kind?)));
        let name = declared.map(|declared| self.model.calendar.name(declared.release));
        let found = name.and_then(|name| ReleaseName::parse(&name));
        if self.imported(found.as_ref()) == self.imported(wanted) {
            return;
        }
        let (what, id) = (event.what, self.model.id(event.element));
        let (found, wanted) = (words(found.as_ref()), words(wanted));
        let message = format!("{id} is {what} {found} in the model, but {wanted} in the import");
        let span = declared.map_or(self.model.element(event.element).span, |declared| declared.span);
        self.found.push(
            Diagnostic::error(RULE, "imported", message)
                .about(id.to_owned())
                .at(span, format!("imported: {wanted}"))
                .help("the file is not changed here: correct it, or keep it if it is right"),
        );
    }

    /// A release that was imported: the source does not know others.
    fn imported<'r>(&self, release: Option<&'r ReleaseName>) -> Option<&'r ReleaseName> {
        release.filter(|release| self.first <= *release && *release <= self.last)
    }
}

fn words(release: Option<&ReleaseName>) -> String {
    release.map_or("not at all".to_owned(), |release| format!("in {release}"))
}

fn since(spec: &Value) -> Option<ReleaseName> {
    ReleaseName::parse(spec.get("since")?.as_text()?)
}
