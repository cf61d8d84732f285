//! One thing users can depend on.

use std::borrow::Cow;

use crate::document::{Key, Word, quoted};
use crate::release::Release;
use crate::source::Span;
use crate::stability::Track;

use super::{ElementKind, ElementPath, KindName};

/// An element, as its position in the model.
#[derive(Debug, Clone, Copy, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(not(test), derive(PartialEq))]
#[cfg_attr(
    test,
    expect(clippy::derived_hash_with_manual_eq, reason = "it is equal as derived, and counted")
)]
pub struct ElementId(pub(crate) u32);

#[cfg(test)]
impl PartialEq for ElementId {
    fn eq(&self, other: &Self) -> bool {
        super::comparisons::count();
        self.0 == other.0
    }
}

/// A string in a file, and its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The string.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

impl From<Word<'_>> for Text {
    fn from(word: Word<'_>) -> Self {
        let (text, span) = (word.text.to_owned(), word.span);
        Self { text, span }
    }
}

impl From<Key<'_>> for Text {
    fn from(key: Key<'_>) -> Self {
        let (text, span) = (key.name.to_owned(), key.span);
        Self { text, span }
    }
}

/// A reference to another element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// As written.
    pub(crate) text: String,
    /// Where it is.
    pub(crate) span: Span,
    /// The element it names; `None` if there is none.
    pub(crate) target: Option<ElementId>,
    /// Whether it names something outside of the project, which no model declares.
    pub(crate) is_external: bool,
}

impl Reference {
    /// As a model file writes it.
    pub(crate) fn written(&self) -> String {
        let text = quoted(&self.text);
        if self.is_external {
            return format!("{{ external = {text} }}");
        }
        text
    }
}

/// The keys of an entry other than its events. Most elements have few, so large values are boxed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Attributes {
    /// What to use instead.
    pub(crate) replacement: Option<Box<Reference>>,
    /// The warning it prints when used although deprecated.
    pub(crate) warning: Option<Box<Text>>,
    /// The help text of a metric.
    pub(crate) help: Option<Box<Text>>,
    /// Who looks after it.
    pub(crate) owner: Option<Box<str>>,
    /// The issue or proposal that tracks it.
    pub(crate) tracking: Option<Box<str>>,
    /// The gate that guards it.
    pub(crate) gated_by: Option<Box<Reference>>,
    /// `deprecated = "never"`: no deprecation is planned.
    pub(crate) never_deprecated: Option<Span>,
    /// The release for which its removal was announced, and where that is stated.
    pub(crate) target: Option<Box<(Release, Span)>>,
    /// The name stays reserved after the removal.
    pub(crate) tombstone: Option<Span>,
    /// The value an unset field gets, as TOML writes it.
    pub(crate) default: Option<Box<Text>>,
    /// Whether a deprecated gate still has an effect.
    pub(crate) operational: Option<bool>,
}

/// A life of a part whose owner has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartLife {
    /// The life of its owner with which it ends at the latest.
    pub(crate) owner: u8,
    /// Whether it begins because the owner is back, and not by an entry of its own.
    pub(crate) is_back: bool,
}

/// One thing users can depend on.
#[derive(Debug, Clone)]
pub struct Element {
    /// What sort of thing.
    pub kind: ElementKind,
    pub(super) id: Box<str>,
    /// Where its own name begins in its id.
    pub(super) name_at: u32,
    /// What it is part of: a kind's version, a field's kind in that version, a flag's command.
    pub parent: Option<ElementId>,
    /// The field that a value or another field is within, if the model declares it in the same version.
    pub(super) field: Option<ElementId>,
    /// Where it is declared.
    pub(crate) span: Span,
    /// Its stability, before a gate lowers it.
    pub(crate) track: Track,
    /// How many lives it has by itself; 0 if it shares its parent's.
    pub(crate) lives: u8,
    /// How many lives of its entry, which is for several versions, are not of its own and come before its last one.
    pub(crate) foreign_lives: u8,
    /// In which life of its owner each of its lives is, if the owner has several.
    pub(crate) part_lives: Option<Box<[PartLife]>>,
    /// The number of a field in the wire format. Some models have one for every field, so it is not boxed.
    pub(crate) tag: Option<(u32, Span)>,
    /// Its declared events: a range of the model's list.
    pub(super) events: (u32, u32),
    pub(super) attributes: Option<Box<Attributes>>,
}

impl Element {
    /// A life of a part whose owner has several.
    pub(super) fn life(&self, life: u8) -> Option<PartLife> {
        self.part_lives.as_ref()?.get(usize::from(life)).copied()
    }

    /// The parts of its id.
    pub(crate) fn path(&self) -> ElementPath<'_> {
        // The id was written from a path, so it reads back.
        ElementPath::parse(&self.id).unwrap_or(ElementPath::Named(self.kind, Cow::Borrowed(&self.id)))
    }

    /// The name of its kind, as reports write it.
    pub fn kind_name(&self) -> KindName<'_> {
        KindName::of(self.kind, &self.id)
    }

    /// The end of its id, without what it is part of: `apps/v1`, `Deployment`, `spec.strategy.type=Recreate`. A flag's
    /// has the program and the command: `kubectl drain --force`.
    pub fn name(&self) -> &str {
        &self.id[self.name_at as usize..]
    }

    /// The keys of its entry other than its events.
    pub(crate) fn attributes(&self) -> Option<&Attributes> {
        self.attributes.as_deref()
    }
}
