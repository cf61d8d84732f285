//! The entry of one element: its events and its other keys.

use crate::document::{Diagnostics, Key, Table, Value, Word};
use crate::release::Release;
use crate::source::Span;
use crate::stability::Track;

use crate::grammar::{EntryKey, MOST_STEPS};

use super::super::{Attributes, Declared, ElementId, ElementKind, Event, EventKind, NamedStep, Reference, Text};
use super::Reader;
use super::limits::{self, MOST_REPEATED};

/// An entry without its events: those wait in the reader until the element is added.
#[derive(Debug, Default)]
pub(super) struct EntryData {
    pub(super) attributes: Option<Box<Attributes>>,
    pub(super) track: Option<Track>,
    pub(super) represented_as: Option<Text>,
    pub(super) lives: u8,
    pub(super) tag: Option<(u32, Span)>,
}

impl EntryData {
    fn attributes(&mut self) -> &mut Attributes {
        self.attributes.get_or_insert_default()
    }
}

/// Stands in for the element until it is added.
const PENDING: ElementId = ElementId(u32::MAX);

impl Reader<'_> {
    /// Reads an entry of a kind of element. Keys whose value holds entries or stages are left to the caller.
    pub(super) fn entry(&mut self, table: Table<'_>, kind: ElementKind) -> EntryData {
        let mut entry = EntryData::default();
        let lives = self.entry_into(&mut entry, table, kind, false);
        if let Some(lives) = lives
            && table.entries().any(|(key, _)| EntryKey::is_of_life(key.name))
        {
            let help = "move the releases next to `lives` into its first entry";
            let message = "an entry has either releases of its own or `lives`";
            self.diagnostics.at("two-ways", lives, message, help);
        }
        entry
    }

    /// Answers where the entry has its lives, if it has.
    fn entry_into(
        &mut self,
        entry: &mut EntryData,
        table: Table<'_>,
        kind: ElementKind,
        is_life: bool,
    ) -> Option<Span> {
        let mut lives = None;
        for (key, value) in table.entries() {
            match kind.entry_key(key.name) {
                Some(known) if is_life && is_of_element(known, kind) => {
                    let message = format!("a life has no `{}` of its own", key.name);
                    self.diagnostics
                        .at("unknown-key", key.span, message, "move it next to `lives`");
                }
                Some(known) => {
                    if known == EntryKey::Lives {
                        lives = Some(key.span);
                    }
                    self.entry_key(entry, known, value, kind);
                }
                None => self.diagnostics.unknown_key(&key, &kind.keys(is_life)),
            }
        }
        lives
    }

    fn entry_key(&mut self, entry: &mut EntryData, key: EntryKey, value: Value<'_>, kind: ElementKind) {
        match key {
            EntryKey::Event(what) => self.happens(entry, what, value),
            EntryKey::Steps => self.steps(entry, value),
            EntryKey::Lives => self.lives(entry, value, kind),
            EntryKey::Replacement => {
                entry.attributes().replacement = replacement(value, self.diagnostics).map(Box::new);
            }
            EntryKey::Target => {
                let word = value.word(self.diagnostics);
                let target = word.and_then(|word| Some((self.release(word)?, word.span)));
                entry.attributes().target = target.map(Box::new);
            }
            EntryKey::GatedBy => entry.attributes().gated_by = reference(value, self.diagnostics).map(Box::new),
            EntryKey::Warning => entry.attributes().warning = text(value, self.diagnostics).map(Box::new),
            EntryKey::Help => entry.attributes().help = text(value, self.diagnostics).map(Box::new),
            EntryKey::Owner => entry.attributes().owner = text(value, self.diagnostics).map(|text| text.text.into()),
            EntryKey::Tracking => {
                entry.attributes().tracking = text(value, self.diagnostics).map(|text| text.text.into());
            }
            // The caller reads the class of an element of such a kind.
            EntryKey::Stage if kind == ElementKind::Extra => {}
            EntryKey::Stage => entry.track = self.one_of("a stage", value, Track::parse, &["alpha", "beta", "GA"]),
            EntryKey::Tag => {
                let tag = value.whole(1, 536_870_911, self.diagnostics);
                entry.tag = tag.map(|tag| (tag, value.span()));
            }
            EntryKey::Default => {
                let (text, span) = (value.plain_text(), value.span());
                entry.attributes().default = Some(Box::new(Text { text, span }));
            }
            EntryKey::Tombstone => {
                let stands = value.boolean(self.diagnostics) == Some(true);
                entry.attributes().tombstone = stands.then(|| value.span());
            }
            EntryKey::Operational => entry.attributes().operational = value.boolean(self.diagnostics),
            EntryKey::RepresentedAs => {
                let name = value.word(self.diagnostics).map(|word| Word {
                    text: word.text.trim_start_matches('.'),
                    ..word
                });
                entry.represented_as = name.map(Text::from);
            }
            EntryKey::Specs | EntryKey::DependsOn | EntryKey::In | EntryKey::Flag => {}
        }
    }

    /// A release, or a list of them where a deprecation was withdrawn and repeated, or "never".
    fn happens(&mut self, entry: &mut EntryData, what: EventKind, value: Value<'_>) {
        let repeats = matches!(what, EventKind::Deprecated | EventKind::Undeprecated);
        if what == EventKind::Deprecated && value.as_word().is_some_and(|word| word.text == "never") {
            entry.attributes().never_deprecated = Some(value.span());
            return;
        }
        if let Some(word) = value.as_word() {
            entry.lives = entry.lives.max(1);
            if let Some(release) = self.release(word) {
                self.pend(0, what, 0, release, word.span);
            }
            return;
        }
        if !repeats {
            self.diagnostics.wrong_type(&value, "a release in quotes");
            return;
        }
        let words = value.words(self.diagnostics);
        if limits::is_too_long(
            "releases of one event",
            words.len(),
            MOST_REPEATED,
            value.span(),
            self.diagnostics,
        ) {
            return;
        }
        entry.lives = entry.lives.max(1);
        for (step, word) in (0..=u8::MAX).zip(words) {
            if let Some(release) = self.release(word) {
                self.pend(0, what, step, release, word.span);
            }
        }
    }

    /// The releases of the steps that the policy names: `steps = { runtime = "2.0" }`.
    fn steps(&mut self, entry: &mut EntryData, value: Value<'_>) {
        let Some(table) = value.table(self.diagnostics) else {
            return;
        };
        entry.lives = entry.lives.max(1);
        for (key, value) in table.entries() {
            let Some(word) = value.word(self.diagnostics) else {
                continue;
            };
            if let (Some(what), Some(release)) = (self.step(&key), self.release(word)) {
                self.pend(0, what, 0, release, word.span);
            }
        }
    }

    /// The step of a name, by its position among those that entries name.
    fn step(&mut self, key: &Key<'_>) -> Option<EventKind> {
        let named = &mut self.model.named_steps;
        let known = named.iter().position(|step| step.name == key.name);
        let at = known.unwrap_or(named.len());
        if at >= MOST_STEPS {
            let message = format!("a model has at most {MOST_STEPS} steps between deprecation and removal");
            let help = "declare those that the policy names";
            self.diagnostics.at("too-many", key.span, message, help);
            return None;
        }
        if known.is_none() {
            named.push(NamedStep {
                name: key.name.to_owned(),
                span: key.span,
            });
        }
        u8::try_from(at).ok().map(EventKind::Step)
    }

    fn lives(&mut self, entry: &mut EntryData, value: Value<'_>, kind: ElementKind) {
        let items = value.list(self.diagnostics);
        if limits::is_too_long("lives", items.len(), MOST_REPEATED, value.span(), self.diagnostics) {
            return;
        }
        if value.as_list().is_some() && items.is_empty() {
            let message = "`lives` is empty";
            let help = "list the lives, each with the release it begins in, or leave it out";
            self.diagnostics.at("missing-key", value.span(), message, help);
        }
        for (life, item) in (0..=u8::MAX).zip(items) {
            let Some(table) = item.table(self.diagnostics) else {
                continue;
            };
            let start = self.pending.len();
            self.entry_into(entry, table, kind, true);
            for declared in &mut self.pending[start..] {
                declared.event.life = life;
            }
            entry.lives = life + 1;
        }
    }

    /// Keeps a declared event until its element is added.
    pub(super) fn pend(&mut self, life: u8, what: EventKind, step: u8, release: Release, span: Span) {
        let event = Event {
            step,
            ..Event::new(PENDING, life, what)
        };
        self.pending.push(Declared { event, release, span });
    }
}

/// Whether a single life of an element of this kind cannot have a key.
fn is_of_element(key: EntryKey, kind: ElementKind) -> bool {
    key.is_of_element() || key == EntryKey::Stage && kind == ElementKind::Extra
}

pub(super) fn text(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<Text> {
    value.word(diagnostics).map(Text::from)
}

pub(super) fn reference(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<Reference> {
    value.word(diagnostics).map(|word| named(word, false))
}

/// What replaces an element: another one, or `{ external = "…" }`.
pub(super) fn replacement(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<Reference> {
    let Some(table) = value.as_table() else {
        return reference(value, diagnostics);
    };
    let mut external = None;
    for (key, value) in table.entries() {
        match key.name {
            EXTERNAL => external = Some(value),
            _ => diagnostics.unknown_key(&key, &[EXTERNAL]),
        }
    }
    let Some(external) = external else {
        diagnostics.missing_key(table.span(), EXTERNAL, "what to use instead, outside of this project");
        return None;
    };
    external.word(diagnostics).map(|word| named(word, true))
}

const EXTERNAL: &str = "external";

fn named(word: Word<'_>, is_external: bool) -> Reference {
    Reference {
        text: word.text.to_owned(),
        span: word.span,
        target: None,
        is_external,
    }
}

/// An empty key names nothing.
pub(super) fn check_name(key: &Key<'_>, diagnostics: &mut Diagnostics) {
    let odd = key.name.is_empty() || key.name.chars().any(char::is_control);
    if odd {
        let help = "give it the name users know it by";
        diagnostics.at("name", key.span, "a name is empty or has control characters", help);
    }
}
