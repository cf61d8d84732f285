//! Kinds that are deprecated or removed, for the lists of other tools.
//!
//! Such a list states what is declared, replacements included, because its readers rely on it as a statement of the
//! product's owner. Planned events, and successors as replacements, are included only on request.

use std::collections::BTreeMap;

use crate::grammar::{ElementPath, Family, KindPath, VersionPath};
use crate::model::{ElementId, Model, succession};
use crate::release::ReleaseName;
use crate::report::{DeprecationReport, DeprecationsReport, ElementReport, Moment, api_group};
use crate::stability::VersionName;

use super::replacements::Replacements;
use super::{Material, elements};

const ONLY_KINDS: &str = "these lists have kinds of API groups only";

/// Which kinds are listed, and with what.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// With what is planned, not only what is declared.
    pub planned: bool,
    /// With kinds to which nothing happens.
    pub all: bool,
}

/// The kinds of all API groups that a listing asks for.
pub(crate) fn deprecations(material: Material<'_>, listing: Listing) -> DeprecationsReport<'_> {
    let model = material.reasoning.model;
    let replacements = Replacements::of(material.reasoning);
    let mut lister = Lister {
        model,
        listing,
        elements: elements::all(material),
        replacements,
        paths: paths(model),
        omitted: Vec::new(),
        of_other_kinds: Vec::new(),
    };
    let chosen = model.elements().map(|(id, _)| id).filter(|id| material.has(*id));
    let mut entries: Vec<DeprecationReport<'_>> = chosen.filter_map(|id| lister.entry(id)).collect();
    entries.sort_by(|one, other| {
        let [one, other] = [&one.kind, &other.kind];
        let by_version = (api_group(one), &one.version.version).cmp(&(api_group(other), &other.version.version));
        by_version.then_with(|| one.kind.cmp(&other.kind))
    });
    let current = model.calendar.current().map(|current| model.calendar.name(current));
    DeprecationsReport {
        entries,
        current: current.and_then(|current| ReleaseName::parse(&current)),
        omitted: lister.all_omitted(),
    }
}

fn paths(model: &Model) -> BTreeMap<ElementId, ElementPath<'_>> {
    let mut paths = BTreeMap::new();
    for group in model.groups.iter().filter(|group| group.family == Family::Api) {
        for (at, version) in group.versions.iter().enumerate() {
            let path = VersionPath::api(group.name.as_str(), version.name.as_str());
            for kind in &group.kinds {
                if let Some(element) = kind.versions[at] {
                    paths.insert(element, path.clone().with_kind(kind.name.as_str()).into());
                }
            }
            paths.insert(version.element, path.into());
        }
    }
    paths
}

struct Lister<'a> {
    model: &'a Model,
    listing: Listing,
    /// In the order of the model, which is that of their ids.
    elements: Vec<ElementReport<'a>>,
    replacements: Replacements<'a>,
    paths: BTreeMap<ElementId, ElementPath<'a>>,
    omitted: Vec<String>,
    /// What is neither a version nor a kind of an API group, and would be listed if it were one.
    of_other_kinds: Vec<ElementId>,
}

impl<'a> Lister<'a> {
    /// The entry of an element, if it is a kind that is listed.
    fn entry(&mut self, id: ElementId) -> Option<DeprecationReport<'a>> {
        let element = &self.elements[id.0 as usize];
        let (introduced, deprecated) = (element.introduced, self.counted(element.deprecated));
        let removed = self.counted(element.removed);
        if !self.listing.all && deprecated.is_none() && removed.is_none() {
            return None;
        }
        let has_earlier_lives = !element.earlier_lives.is_empty();
        let Some(path) = self.paths.get(&id).cloned() else {
            if deprecated.is_some() || removed.is_some() {
                self.of_other_kinds.push(id);
            }
            return None;
        };
        let ElementPath::Kind(path) = path else {
            if !self.has_kinds(id) {
                self.omit(id, "the model declares none of its kinds");
            }
            return None;
        };
        if has_earlier_lives {
            self.omit(id, "its earlier lives; only the last one is listed");
        }
        let entry = DeprecationReport {
            introduced: introduced.and_then(numbered),
            deprecated: self.listed(id, "deprecated", deprecated),
            removed: self.listed(id, "removed", removed),
            replacement: self.replacement(id, &path),
            available: None,
            kind: path,
        };
        let available = entry.replacement.as_ref().and_then(|other| self.introduced(other));
        let happens = entry.deprecated.is_some() || entry.removed.is_some();
        (self.listing.all || happens).then_some(DeprecationReport { available, ..entry })
    }

    fn omit(&mut self, id: ElementId, what: &str) {
        self.omitted.push(format!("{}: {what}", self.model.id(id)));
    }

    /// What is omitted: elements of other kinds first, in one sentence.
    fn all_omitted(self) -> Vec<String> {
        let others = match self.of_other_kinds.as_slice() {
            [] => None,
            [one] => Some(format!("{}: {ONLY_KINDS}", self.model.id(*one))),
            [first, rest @ ..] => Some(format!(
                "{} and {} more: {ONLY_KINDS}",
                self.model.id(*first),
                rest.len()
            )),
        };
        others.into_iter().chain(self.omitted).collect()
    }

    fn counted(&self, moment: Option<Moment<'a>>) -> Option<Moment<'a>> {
        moment.filter(|moment| self.listing.planned || moment.declared == Some(true))
    }

    fn has_kinds(&self, version: ElementId) -> bool {
        let mut versions = self.model.groups.iter().flat_map(|group| &group.versions);
        versions.any(|known| known.element == version && !known.kinds.is_empty())
    }

    /// The release of an event as a number.
    fn listed(&mut self, id: ElementId, event: &str, moment: Option<Moment<'a>>) -> Option<ReleaseName> {
        let release = moment.and_then(numbered);
        if moment.is_some() && release.is_none() {
            let reason = "has no number or lies after the calendar";
            self.omit(id, &format!("the release in which it is {event} {reason}"));
        }
        release
    }

    /// What replaces a kind: what its entry names, or on request its successor.
    fn replacement(&mut self, id: ElementId, of: &KindPath<'a>) -> Option<KindPath<'a>> {
        let model = self.model;
        let reference = succession::named(model, id);
        let target = reference.and_then(|reference| succession::in_kind(model, id, reference.target?));
        let lasting = target.and_then(|_| self.replacements.declared(id, model.last_life(id)));
        let inferred = self
            .replacements
            .planned(id)
            .replacement
            .filter(|_| self.listing.planned);
        let (named, path) = match (reference, target) {
            // What is named and is not in the model may still be a version or a kind.
            (Some(reference), _) if reference.target.is_none() => {
                (reference.text.as_str(), kind_named(&reference.text, of))
            }
            _ => {
                let other = lasting.or(inferred)?;
                let path = self.paths.get(&other).cloned();
                (model.id(other), path.and_then(|path| in_kind(path, of)))
            }
        };
        if path.is_none() {
            self.omit(id, &format!("its replacement `{named}`, which is not a kind"));
        }
        path
    }

    fn introduced(&self, kind: &KindPath<'_>) -> Option<ReleaseName> {
        let element = self.model.find(&kind.to_string())?;
        self.elements[element.0 as usize].introduced.and_then(numbered)
    }
}

/// A release whose name is a number, and that is not only a bound.
fn numbered(moment: Moment<'_>) -> Option<ReleaseName> {
    ReleaseName::parse(moment.release).filter(|_| !moment.at_least)
}

/// What an entry of a kind names: an id, or a version of the same group.
fn kind_named<'a>(text: &'a str, of: &KindPath<'a>) -> Option<KindPath<'a>> {
    if VersionName::new(text).track().is_some() {
        return Some(VersionPath::api(of.version.group.clone(), text).with_kind(of.kind.clone()));
    }
    in_kind(ElementPath::parse(text).ok()?, of)
}

/// A kind, or the same kind as another one in a version.
fn in_kind<'a>(path: ElementPath<'a>, of: &KindPath<'a>) -> Option<KindPath<'a>> {
    match path {
        ElementPath::Kind(kind) if kind.version.family == Family::Api => Some(kind),
        ElementPath::Version(version) if version.family == Family::Api => Some(version.with_kind(of.kind.clone())),
        _ => None,
    }
}
