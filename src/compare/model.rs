//! The claims of a model.

use std::collections::BTreeMap;

use crate::grammar::{ElementPath, EntryKey, EventKind, FileSection, Role};
use crate::model::{Declared, ElementId, Event, Model, succession};
use crate::release::Naming;
use crate::report::ComparedFact;
use crate::source::{Sources, Span};

use super::claims::{Claim, Claims, SourceLine, Statement, Subject, append, gate_stage, of_day};

/// The events that are compared.
const EVENTS: [EventKind; 7] = [
    EventKind::Introduced,
    EventKind::Deprecated,
    EventKind::Undeprecated,
    EventKind::Hidden,
    EventKind::Migrated,
    EventKind::Removed,
    EventKind::Dropped,
];

impl Claims {
    /// The claims of a model; `sources` has its files.
    pub fn of_model(name: &str, model: &Model, sources: &Sources<'_>) -> Self {
        let reader = Reader { model, sources };
        let mut elements: BTreeMap<String, Claim> = model
            .elements()
            .map(|(id, _)| (model.id(id).to_owned(), reader.claim(id)))
            .collect();
        if let Naming::Numbered(listed) = model.calendar.naming() {
            let days = listed
                .iter()
                .filter_map(|listed| Some(of_day(&listed.name, listed.date?)));
            elements.extend(days);
        }
        Self {
            name: name.to_owned(),
            elements,
            current: model.calendar.current().map(|current| model.calendar.name(current)),
            ..Self::default()
        }
    }
}

struct Reader<'r> {
    model: &'r Model,
    sources: &'r Sources<'r>,
}

impl Reader<'_> {
    fn line(&self, span: Span) -> Option<SourceLine> {
        let (file, location) = self.sources.locate(span)?;
        Some(SourceLine {
            file: file.to_owned(),
            line: location.line,
        })
    }

    fn claim(&self, id: ElementId) -> Claim {
        let element = self.model.element(id);
        let mut claim = Claim::new(self.subject(id), self.line(element.span));
        claim.part_of = element.parent.map(|parent| self.model.id(parent).to_owned());
        if claim.subject != Subject::Version {
            self.events(id, &mut claim);
            self.last_life(id, &mut claim);
        }
        self.single(id, EventKind::Preferred, &mut claim);
        self.single(id, EventKind::Stored, &mut claim);
        self.stages(id, &mut claim);
        claim
    }

    fn subject(&self, id: ElementId) -> Subject {
        let row = self.model.element(id).kind.row();
        match row.section {
            _ if row.role == Role::Version => {
                let group = self.model.group_of(id);
                let version = group.and_then(|group| group.versions.iter().find(|version| version.element == id));
                if version.is_some_and(|version| !version.kinds.is_empty()) {
                    Subject::Version
                } else {
                    Subject::BareVersion
                }
            }
            FileSection::Group if row.role == Role::Kind => Subject::Kind,
            FileSection::Gate => Subject::Gate,
            FileSection::Group
            | FileSection::Config
            | FileSection::Cli
            | FileSection::Metric
            | FileSection::Behavior
            | FileSection::Extra => Subject::Other,
        }
    }

    /// The events of all lives, with each deprecation and its withdrawal. Most events of gates and metrics follow from
    /// their stages.
    fn events(&self, id: ElementId, claim: &mut Claim) {
        let is_staged = self.model.element(id).kind.has_key(EntryKey::Specs);
        for what in EVENTS {
            if is_staged && !matches!(what, EventKind::Hidden | EventKind::Removed) {
                continue;
            }
            for life in 0..self.model.lives(id) {
                for step in 0..=u8::MAX {
                    let event = Event {
                        step,
                        ..Event::new(id, life, what)
                    };
                    let Some(declared) = self.model.find_declared(event) else {
                        break;
                    };
                    self.append(&mut claim.facts, what, declared);
                }
            }
        }
        if let Some((value, line)) = self.replacement(id) {
            // A list made from the model cannot have a replacement that the model lacks.
            if self.model.find(&value).is_some() {
                append(&mut claim.last, ComparedFact::Replacement, value.clone(), line.clone());
            }
            append(&mut claim.facts, ComparedFact::Replacement, value, line);
        }
    }

    fn append(&self, facts: &mut BTreeMap<ComparedFact, Statement>, event: EventKind, declared: &Declared) {
        let value = self.model.calendar.name(declared.release);
        append(facts, ComparedFact::Event(event), value, self.line(declared.span));
    }

    fn last_life(&self, id: ElementId, claim: &mut Claim) {
        let life = self.model.last_life(id);
        for what in [EventKind::Introduced, EventKind::Deprecated, EventKind::Removed] {
            if let Some(declared) = self.model.in_force(Event::new(id, life, what)) {
                self.append(&mut claim.last, what, declared);
            }
        }
    }

    fn single(&self, id: ElementId, what: EventKind, claim: &mut Claim) {
        if let Some(declared) = self.model.find_declared(Event::new(id, 0, what)) {
            self.append(&mut claim.facts, what, declared);
        }
    }

    /// The id of the replacement that an element or its version declares: of a kind, a kind.
    fn replacement(&self, id: ElementId) -> Option<(String, Option<SourceLine>)> {
        let reference = succession::named(self.model, id)?;
        let line = self.line(reference.span);
        if reference.is_external {
            return Some((reference.text.clone(), line));
        }
        if let Some(found) = succession::replacement_named(self.model, id) {
            return Some((self.model.id(found).to_owned(), line));
        }
        let element = self.model.element(id);
        let named = match ElementPath::parse(&reference.text) {
            Ok(ElementPath::Version(version)) if element.kind.is_kind() => {
                version.with_kind(element.name()).to_string()
            }
            Err(_) if element.kind.is_kind() && !reference.text.contains(' ') => {
                format!("{} {}", reference.text, element.name())
            }
            _ => reference.text.clone(),
        };
        Some((named, line))
    }

    fn stages(&self, id: ElementId, claim: &mut Claim) {
        for spec in self.model.gate(id).into_iter().flat_map(|gate| &gate.specs) {
            let value = gate_stage(&self.model.calendar.name(spec.since), spec.default, spec.locked);
            let stage = ComparedFact::Stage(spec.stage);
            append(&mut claim.facts, stage, value, self.line(spec.span));
        }
        for spec in self.model.metric(id).into_iter().flat_map(|metric| &metric.specs) {
            let value = self.model.calendar.name(spec.since);
            let class = ComparedFact::Class(spec.stability);
            append(&mut claim.facts, class, value, self.line(spec.span));
        }
    }
}
