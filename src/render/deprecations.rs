//! What lists of deprecated API versions say, gathered from the report: what the files of such tools have in common.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

use crate::grammar::{CORE, ElementPath, Family, KindPath, VersionPath, rest_within};
use crate::release::ReleaseName;
use crate::report::{ElementReport, Moment, Report};
use crate::stability::VersionName;

/// Kinds with what happens to them, by group, version and kind.
#[derive(Debug, Default)]
pub struct Deprecations<'r> {
    /// The entries.
    pub entries: BTreeMap<Api<'r>, Deprecation<'r>>,
    /// The newest release that has shipped, if it is named by numbers.
    pub current: Option<ReleaseName>,
    /// What no list can say, in words.
    pub untold: Vec<String>,
}

/// A kind in a version of a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Api<'r> {
    /// The group; empty for the core group.
    pub group: Cow<'r, str>,
    /// The version.
    pub version: Cow<'r, str>,
    /// The kind.
    pub kind: Cow<'r, str>,
}

/// What is said of a kind.
#[derive(Debug)]
pub struct Deprecation<'r> {
    /// The first release that has it.
    pub introduced: Option<ReleaseName>,
    /// The release in which it is deprecated.
    pub deprecated: Option<ReleaseName>,
    /// The first release that no longer has it.
    pub removed: Option<ReleaseName>,
    /// What replaces it.
    pub replacement: Option<Api<'r>>,
    /// The first release that has the replacement.
    pub available: Option<ReleaseName>,
}

/// What happens to an element, and how it is called.
type Events<'r> = [(&'static str, Option<Moment<'r>>); 2];

impl<'r> Deprecations<'r> {
    /// Gathers the kinds of API groups of which a deprecation or a removal is declared, with the replacements that are
    /// declared; with `planned`, also those of which one is planned, and the replacements that follow from succession.
    pub fn of(report: &'r Report<'r>, planned: bool) -> Self {
        Self::gather(report, planned, false)
    }

    /// The same of all kinds, also of those to which nothing happens.
    pub fn of_all(report: &'r Report<'r>, planned: bool) -> Self {
        Self::gather(report, planned, true)
    }

    fn gather(report: &'r Report<'r>, planned: bool, all: bool) -> Self {
        let elements: Vec<ElementReport<'r>> = report.elements.iter().collect();
        let by_id: BTreeMap<&str, &ElementReport<'r>> = elements.iter().map(|one| (one.id, one)).collect();
        let mut found = Self {
            current: report.current.and_then(|current| ReleaseName::parse(current.release)),
            ..Self::default()
        };
        for element in &elements {
            let events = [("deprecated", element.deprecated), ("removed", element.removed)];
            let counts = |moment: &Moment<'_>| planned || moment.declared == Some(true);
            let events = events.map(|(what, moment)| (what, moment.filter(counts)));
            if !all && events.iter().all(|(_, moment)| moment.is_none()) {
                continue;
            }
            let inferred = element.replacement.filter(|_| planned);
            let named = element.declared_replacement.or(inferred);
            if let Some((api, entry)) = found.element(element, events, named, &by_id)
                && (all || entry.deprecated.is_some() || entry.removed.is_some())
            {
                found.entries.insert(api, entry);
            }
        }
        found
    }

    /// What is said of an element, if it is a kind. `named` is its replacement.
    fn element(
        &mut self,
        element: &ElementReport<'r>,
        events: Events<'r>,
        named: Option<&'r str>,
        by_id: &BTreeMap<&str, &ElementReport<'r>>,
    ) -> Option<(Api<'r>, Deprecation<'r>)> {
        let id = element.id;
        if element.kind == "api-version" && !has_kinds(id, by_id) {
            self.untold.push(format!("{id}: the model names none of its kinds"));
        }
        let api = Api::of(id).filter(|_| element.kind == "kind")?;
        if !element.earlier_lives.is_empty() {
            self.untold.push(format!("{id}: only its last life is told"));
        }
        let [deprecated, removed] = events.map(|(what, moment)| {
            let release = moment.and_then(numbered);
            if moment.is_some() && release.is_none() {
                let reason = "a release without numbers, or one after the calendar";
                self.untold.push(format!("{id}: it is {what} in {reason}"));
            }
            release
        });
        let replacement = named.and_then(|named| Api::named(named, &api)).map(|other| Api {
            kind: if other.kind.is_empty() {
                api.kind.clone()
            } else {
                other.kind
            },
            ..other
        });
        if let (Some(named), None) = (named, &replacement) {
            self.untold.push(format!("{id}: its replacement, {named}, is no kind"));
        }
        let available = replacement
            .as_ref()
            .and_then(|replacement| by_id.get(replacement.id().as_str()));
        let deprecation = Deprecation {
            introduced: element.introduced.and_then(numbered),
            deprecated,
            removed,
            replacement,
            available: available.and_then(|other| other.introduced.and_then(numbered)),
        };
        Some((api, deprecation))
    }
}

/// Whether a version has kinds.
fn has_kinds(version: &str, by_id: &BTreeMap<&str, &ElementReport<'_>>) -> bool {
    let mut after = by_id.range::<&str, _>((Excluded(version), Unbounded));
    after.next().is_some_and(|(id, _)| rest_within(id, version).is_some())
}

/// A release that has numbers and is no mere bound.
fn numbered(moment: Moment<'_>) -> Option<ReleaseName> {
    ReleaseName::parse(moment.release).filter(|_| !moment.at_least)
}

impl<'r> Api<'r> {
    /// Reads the id of a version or a kind; of a version, the kind is empty.
    fn of(id: &'r str) -> Option<Self> {
        let (VersionPath { family, group, version }, kind) = match ElementPath::parse(id).ok()? {
            ElementPath::Version(version) => (version, Cow::Borrowed("")),
            ElementPath::Kind(KindPath { version, kind }) => (version, kind),
            _ => return None,
        };
        let group = if group == CORE { Cow::Borrowed("") } else { group };
        (family == Family::Api).then_some(Self { group, version, kind })
    }

    /// Reads what an entry names as the replacement of another kind: an id, or a version of the same group.
    fn named(text: &'r str, of: &Self) -> Option<Self> {
        let is_version = VersionName::new(text).track().is_some();
        let version = is_version.then_some(Self {
            version: text.into(),
            kind: "".into(),
            ..of.clone()
        });
        version.or_else(|| Self::of(text))
    }

    /// The id of the kind.
    pub fn id(&self) -> String {
        self.path().to_string()
    }

    /// The path of the kind.
    pub fn path(&self) -> KindPath<'_> {
        let group = if self.group.is_empty() { CORE } else { &self.group };
        KindPath::api(group, &*self.version, &*self.kind)
    }
}
