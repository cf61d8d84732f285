//! The packages of one release, and the kinds they register.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::release::ReleaseName;

use super::super::peers::Api;
use super::CORE;
use super::file::{Found, GroupVersion, Name, Said, is_name};

/// The version of the types that Kubernetes works with inside.
const INTERNAL: &str = "__internal";

/// The constant for it.
const INTERNAL_CONSTANT: &str = "runtime.APIVersionInternal";

/// One release, and its kinds.
#[derive(Debug)]
pub struct Release {
    /// Its name.
    pub name: ReleaseName,
    /// Its day, if that is known.
    pub date: Option<NaiveDate>,
    /// Its kinds.
    pub kinds: Kinds,
}

/// A file of a release.
#[derive(Debug, Clone, Copy)]
pub struct Source<'f> {
    /// What messages call it: a path, perhaps with its tag before it. Files of one package have all but the last step
    /// in common.
    pub label: &'f str,
    /// What is in it.
    pub found: &'f Found,
}

/// The kinds of one release.
#[derive(Debug, Default)]
pub struct Kinds {
    /// By group, version and name.
    pub(super) seen: BTreeMap<Api, Seen>,
    /// What was left out, with places.
    pub skipped: Vec<String>,
    /// Where the code contradicts itself, with places.
    pub contradictions: Vec<String>,
}

/// A kind in one release.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Seen {
    /// Where its life is told, or else where it is registered.
    pub place: String,
    /// What is said of its life, if anything.
    pub said: Option<Said>,
    /// Whether that is said by code, not by comments alone.
    pub is_generated: bool,
    /// Whether it has a client or a list, as what is served by itself has.
    pub is_resource: bool,
}

impl Kinds {
    /// Finds the kinds of a release in its files.
    pub fn of<'f>(files: impl IntoIterator<Item = Source<'f>>) -> Self {
        let mut packages: BTreeMap<&str, Package<'f>> = BTreeMap::new();
        for file in files {
            let path = file.label.replace('\\', "/");
            let length = path.rfind('/').unwrap_or(0);
            let folder = file.label.get(..length).unwrap_or_default();
            packages.entry(folder).or_default().files.push(file);
        }
        let mut kinds = Self::default();
        for package in packages.values() {
            package.add_to(&mut kinds);
        }
        kinds
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn add(&mut self, api: Api, seen: Seen) {
        match self.seen.get(&api) {
            None => drop(self.seen.insert(api, seen)),
            Some(known) if known.said == seen.said => {}
            Some(known) => self.skipped.push(format!(
                "{}: {} is registered in {} too, with another life, and counts there",
                seen.place,
                words(&api),
                known.place
            )),
        }
    }
}

/// A kind as messages name it.
pub(super) fn words(api: &Api) -> String {
    format!("{}/{} {}", api.group, api.version, api.kind)
}

/// Kinds of a group version, each with its type in Go and where it is registered.
type Types<'f> = BTreeMap<&'f str, (&'f str, String)>;

/// The files of one folder.
#[derive(Default)]
struct Package<'f> {
    files: Vec<Source<'f>>,
}

impl Package<'_> {
    fn add_to(&self, kinds: &mut Kinds) {
        for file in &self.files {
            for odd in &file.found.odd {
                kinds
                    .skipped
                    .push(format!("{}:{}:{}: {odd}", file.label, odd.line, odd.column));
            }
        }
        let mut versions: BTreeMap<(String, String), Types<'_>> = BTreeMap::new();
        let mut unknown: BTreeMap<&str, (String, usize)> = BTreeMap::new();
        for file in &self.files {
            for registered in &file.found.registered {
                let place = format!("{}:{}:{}", file.label, registered.line, registered.column);
                match self.group_version(&registered.to) {
                    Resolved::Version(group, version) => {
                        let own = versions.entry((group, version)).or_default();
                        own.entry(&registered.kind).or_insert((&registered.of_type, place));
                    }
                    Resolved::Internal => {}
                    Resolved::Unknown => unknown.entry(file.label).or_insert((place, 0)).1 += 1,
                }
            }
        }
        for (place, count) in unknown.into_values() {
            let plural = if count == 1 { "type is" } else { "types are" };
            kinds.skipped.push(format!(
                "{place}: {count} {plural} registered in a group version that this package does not name: left out"
            ));
        }
        for ((group, version), registered) in versions {
            self.version(&group, &version, &registered, kinds);
        }
    }

    fn version(&self, group: &str, version: &str, registered: &Types<'_>, kinds: &mut Kinds) {
        for (kind, (of_type, place)) in registered {
            let tags = self
                .files
                .iter()
                .find_map(|file| Some((file, file.found.tags.get(*of_type)?)));
            let has_client = tags.is_some_and(|(_, tags)| tags.client);
            let has_list = registered.contains_key(format!("{kind}List").as_str());
            let is_list = kind
                .strip_suffix("List")
                .is_some_and(|of| of.is_empty() || registered.contains_key(of));
            let is_options = kind.ends_with("Options") && !has_list;
            if is_list || (is_options && !has_client) {
                continue;
            }
            if !is_name(kind) {
                let told = format!("{place}: a kind cannot be named `{kind}`: left out");
                kinds.skipped.push(told);
                continue;
            }
            let seen = Seen {
                is_resource: has_client || has_list,
                ..self.said(of_type, place, kinds)
            };
            let api = Api {
                group: group.to_owned(),
                version: version.to_owned(),
                kind: (*kind).to_owned(),
            };
            kinds.add(api, seen);
        }
    }

    /// What is said of the life of a type: by methods, or else by comments.
    fn said(&self, of_type: &str, registered_at: &str, kinds: &mut Kinds) -> Seen {
        let mut answers = Said::default();
        let mut told_at = None;
        for file in &self.files {
            for method in file.found.methods.get(of_type).into_iter().flatten() {
                answers.or(&method.said);
                told_at.get_or_insert_with(|| format!("{}:{}", file.label, method.line));
            }
        }
        let tags = self
            .files
            .iter()
            .find_map(|file| Some((file, file.found.tags.get(of_type)?)));
        let tags = tags.filter(|(_, tags)| tags.said != Said::default());
        let tags = tags.map(|(file, tags)| (format!("{}:{}", file.label, tags.line), &tags.said));
        if let (Some((at, written)), Some(told_at)) = (&tags, &told_at) {
            let mut both = (*written).clone();
            both.or(&answers);
            if both != answers {
                kinds.contradictions.push(format!(
                    "{at}: the markers of {of_type} differ from the code generated from them ({told_at}), which counts"
                ));
            }
        }
        let is_generated = told_at.is_some();
        let written = tags.as_ref().map(|(_, said)| (*said).clone());
        let said = if is_generated { Some(answers) } else { written };
        let place = told_at.or(tags.map(|(at, _)| at));
        Seen {
            place: place.unwrap_or_else(|| registered_at.to_owned()),
            said,
            is_generated,
            is_resource: false,
        }
    }

    /// The group version of a registration.
    fn group_version(&self, to: &GroupVersion) -> Resolved {
        let literal = match to {
            GroupVersion::Named(Name::Constant(name)) => self.find(|found| found.versions.get(name)),
            GroupVersion::Named(_) => None,
            GroupVersion::Literal { .. } => Some(to),
        };
        let Some(GroupVersion::Literal { group, version }) = literal else {
            return Resolved::Unknown;
        };
        if *version == Name::Foreign(INTERNAL_CONSTANT.to_owned()) {
            return Resolved::Internal;
        }
        let (Some(group), Some(version)) = (self.text(group), self.text(version)) else {
            return Resolved::Unknown;
        };
        let group = if group.is_empty() { CORE } else { group };
        match version {
            INTERNAL => Resolved::Internal,
            version if is_name(group) && is_name(version) => Resolved::Version(group.to_owned(), version.to_owned()),
            _ => Resolved::Unknown,
        }
    }

    fn text<'s>(&'s self, name: &'s Name) -> Option<&'s str> {
        match name {
            Name::Text(text) => Some(text),
            Name::Constant(name) => self.find(|found| found.texts.get(name)).map(String::as_str),
            Name::Foreign(_) => None,
        }
    }

    fn find<T>(&self, what: impl Fn(&Found) -> Option<&T>) -> Option<&T> {
        self.files.iter().find_map(|file| what(file.found))
    }
}

/// What a registration is about.
enum Resolved {
    Version(String, String),
    Internal,
    Unknown,
}
