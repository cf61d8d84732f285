//! The result of importers: the elements of a product and their lives, as plain data.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, NaiveDate};

use crate::grammar::{EventKind, MemberName};
use crate::release::ReleaseName;
use crate::stability::MetricStability;

/// What an importer found about one product.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// Its sources, one line each; a file begins with these as comments.
    pub origin: Vec<String>,
    /// The releases.
    pub calendar: DraftCalendar,
    /// API groups, by name.
    pub groups: BTreeMap<String, Group>,
    pub(crate) gates: BTreeMap<String, Element>,
    pub(crate) metrics: BTreeMap<String, Element>,
    /// Behaviors and elements of further kinds: by section of the model file, then by name.
    pub(crate) others: BTreeMap<String, BTreeMap<String, Element>>,
    /// Further kinds that the model has already.
    pub(crate) kinds: BTreeSet<String>,
}

/// The releases of a product.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DraftCalendar {
    /// Each release with its date, if that is known.
    pub releases: BTreeMap<ReleaseName, Option<NaiveDate>>,
    pub(crate) current: Option<ReleaseName>,
    pub(crate) cadence: Option<u32>,
}

/// A group of versions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// Remarks, one line each; its section of a new file begins with these as comments.
    pub(crate) notes: Vec<String>,
    /// The entry of each version, for all its kinds. See [`Group::gather`].
    pub(crate) versions: BTreeMap<String, Element>,
    pub(crate) kinds: BTreeMap<String, Kind>,
}

impl Group {
    /// How many kinds it has.
    pub fn kind_count(&self) -> usize {
        self.kinds.len()
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Kind {
    pub(crate) resource: Option<String>,
    /// Each version it is in, with its whole life there. What the group's version has too is not written again.
    pub(crate) versions: BTreeMap<String, Element>,
    pub(crate) storage: BTreeMap<String, ReleaseName>,
    /// Its members: the versions each is in, with its whole life there. A life as long as the kind's is not written.
    pub(crate) parts: BTreeMap<MemberName<'static>, BTreeMap<String, Element>>,
}

/// An element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Element {
    /// Its lives, oldest first; none where nothing is known of them, several if it came back.
    pub(crate) lives: Vec<Life>,
    pub(crate) keys: Keys,
}

/// Keys of an entry other than events, with their values: `replacement`, `warning`, `stage`, `specs`, …
pub(crate) type Keys = BTreeMap<String, Value>;

/// The events of one life. Deprecations are a list because they may be withdrawn and repeated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Life {
    pub(crate) introduced: Option<ReleaseName>,
    pub(crate) deprecated: Vec<ReleaseName>,
    pub(crate) undeprecated: Vec<ReleaseName>,
    /// The first release that has it only on request.
    pub(crate) hidden: Option<ReleaseName>,
    pub(crate) removed: Option<ReleaseName>,
    /// The release from which no stored object is left in it.
    pub(crate) migrated: Option<ReleaseName>,
    /// The first release whose code can no longer read it.
    pub(crate) dropped: Option<ReleaseName>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(i64),
    /// A number or a moment that is neither, as a file writes it.
    Written(String),
    Flag(bool),
    Day(NaiveDate),
    List(Vec<Value>),
    /// A table; its keys stay in this order.
    Table(Vec<(String, Value)>),
}

/// Whether a day can stand in a model: TOML writes years in four digits.
pub fn can_be_written(day: &NaiveDate) -> bool {
    (1..=9999).contains(&day.year())
}

impl Value {
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Table(entries) = self else { return None };
        let entry = entries.iter().find(|(known, _)| known == key);
        entry.map(|(_, value)| value)
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn metric_spec<'l>(
        stability: MetricStability,
        since: &ReleaseName,
        metric_type: Option<&str>,
        labels: Option<impl IntoIterator<Item = &'l String>>,
    ) -> Self {
        let labels = labels.map(|labels| labels.into_iter().map(|label| label.as_str().into()).collect());
        let keys = [
            ("stage", Some(Self::Text(stability.to_string()))),
            ("since", Some(since.into())),
            ("type", metric_type.map(Self::from)),
            ("labels", labels.map(Self::List)),
        ];
        let keys = keys.into_iter();
        let keys = keys.filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Self::Table(keys.collect())
    }
}

impl From<&ReleaseName> for Value {
    fn from(release: &ReleaseName) -> Self {
        Self::Text(release.to_string())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Life {
    pub(crate) fn begun(introduced: ReleaseName) -> Self {
        Self {
            introduced: Some(introduced),
            ..Self::default()
        }
    }

    pub(crate) fn releases(&self, what: EventKind) -> &[ReleaseName] {
        match what {
            EventKind::Introduced => self.introduced.as_slice(),
            EventKind::Deprecated => &self.deprecated,
            EventKind::Undeprecated => &self.undeprecated,
            EventKind::Hidden => self.hidden.as_slice(),
            EventKind::Removed => self.removed.as_slice(),
            EventKind::Migrated => self.migrated.as_slice(),
            EventKind::Dropped => self.dropped.as_slice(),
            // Moves stand at the group and the kind, stages in `specs`; no source declares the first.
            EventKind::Tolerated
            | EventKind::Step(_)
            | EventKind::Promoted
            | EventKind::Locked
            | EventKind::Preferred
            | EventKind::Stored => &[],
        }
    }

    /// Whether a deprecation is in force in the end.
    pub(crate) fn is_deprecated(&self) -> bool {
        self.deprecated.len() > self.undeprecated.len()
    }
}

impl Element {
    pub(crate) fn of(life: Life) -> Self {
        Self {
            lives: vec![life],
            keys: Keys::new(),
        }
    }

    /// A gate or metric with the entries of its `specs`.
    pub(super) fn with_specs(lives: Vec<Life>, specs: impl IntoIterator<Item = Value>) -> Self {
        let specs = Value::List(specs.into_iter().collect());
        let keys = [("specs".to_owned(), specs)].into();
        Self { lives, keys }
    }

    pub(super) fn specs(&self) -> &[Value] {
        self.keys.get("specs").map_or(&[], Value::items)
    }

    /// One release in its life: it begins, ends, or begins again.
    pub(crate) fn follow(&mut self, exists: bool, release: &ReleaseName) {
        match (self.lives.last_mut().filter(|life| life.removed.is_none()), exists) {
            (None, true) => self.lives.push(Life::begun(release.clone())),
            (Some(life), false) => life.removed = Some(release.clone()),
            (None, false) | (Some(_), true) => {}
        }
    }

    /// The last life, if it has no removal.
    pub(crate) fn living(&self) -> Option<&Life> {
        self.lives.last().filter(|life| life.removed.is_none())
    }
}

impl Group {
    /// Makes the versions' own entries from those of the kinds.
    ///
    /// A version is introduced with its first kind and removed with its last one, and has the keys that all its kinds
    /// share. It has several lives only if all kinds have the same ones.
    pub(crate) fn gather(&mut self) {
        let mut by_version: BTreeMap<&String, Vec<&Element>> = BTreeMap::new();
        for kind in self.kinds.values() {
            for (version, element) in &kind.versions {
                by_version.entry(version).or_default().push(element);
            }
        }
        let versions = by_version.into_iter();
        self.versions = versions
            .map(|(version, kinds)| (version.clone(), common(&kinds)))
            .collect();
    }
}

/// The entry of a version whose kinds have these entries.
fn common(kinds: &[&Element]) -> Element {
    let Some((first, rest)) = kinds.split_first() else {
        return Element::default();
    };
    let mut keys = first.keys.clone();
    keys.retain(|key, value| rest.iter().all(|kind| kind.keys.get(key) == Some(value)));
    if rest.iter().all(|kind| kind.lives == first.lives) {
        let lives = first.lives.clone();
        return Element { lives, keys };
    }
    let ended = kinds.iter().all(|kind| kind.living().is_none());
    let introduced = kinds.iter().filter_map(|kind| kind.lives.first()?.introduced.clone());
    let removed = kinds.iter().filter_map(|kind| kind.lives.last()?.removed.clone());
    // The end of a deprecation is of no meaning without the deprecation.
    let (deprecated, undeprecated) = agreed(kinds, |life| (life.deprecated.clone(), life.undeprecated.clone()));
    let life = Life {
        introduced: introduced.min(),
        deprecated,
        undeprecated,
        hidden: agreed(kinds, |life| life.hidden.clone()),
        removed: removed.max().filter(|_| ended),
        migrated: agreed(kinds, |life| life.migrated.clone()),
        dropped: agreed(kinds, |life| life.dropped.clone()),
    };
    Element {
        lives: vec![life],
        keys,
    }
}

/// What all these have in their only life; nothing if they differ, or one has several lives.
fn agreed<T: Default + PartialEq>(kinds: &[&Element], what: fn(&Life) -> T) -> T {
    let mut all = kinds.iter().map(|kind| match kind.lives.as_slice() {
        [life] => Some(what(life)),
        _ => None,
    });
    let first = all.next().flatten();
    let first = first.filter(|first| all.all(|other| other.as_ref() == Some(first)));
    first.unwrap_or_default()
}
