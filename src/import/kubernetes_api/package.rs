//! The packages of one release, and the kinds they register.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::grammar::CORE;
use crate::release::ReleaseName;

use super::super::deprecation_lists::Api;
use super::super::notice::{Notice, Topic};
use super::super::releases::File;
use super::declarations::{GoFile, GroupVersion, Markers, Name, Tags, is_name};

/// The version of the types that Kubernetes uses internally.
const INTERNAL: &str = "__internal";

const INTERNAL_CONSTANT: &str = "runtime.APIVersionInternal";

/// One release, and its kinds.
#[derive(Debug)]
pub struct ApiRelease {
    /// Its name.
    pub name: ReleaseName,
    /// Its date, if that is known.
    pub date: Option<NaiveDate>,
    /// Its kinds.
    pub kinds: Kinds,
}

/// The kinds of one release.
#[derive(Debug, Default)]
pub struct Kinds {
    pub(super) seen: BTreeMap<Api, Seen>,
    /// What cannot be read, and where the code contradicts itself.
    pub(super) notices: Vec<Notice>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Seen {
    /// Where its markers are, or else where it is registered.
    pub(crate) place: String,
    pub(crate) markers: Option<Markers>,
    /// Whether they are in code, not in comments alone.
    pub(crate) is_generated: bool,
    /// Whether it has a client or a list, as kinds that are served have.
    pub(crate) is_resource: bool,
}

impl Kinds {
    /// Finds the kinds of a release in its files. Files of one package have all but the last step of their labels in
    /// common.
    pub fn of(files: &[File<GoFile>]) -> Self {
        let mut packages: BTreeMap<&str, Package<'_>> = BTreeMap::new();
        for file in files {
            let length = file.label.rfind(['/', '\\']).unwrap_or(0);
            let folder = file.label.get(..length).unwrap_or_default();
            packages.entry(folder).or_default().0.push(file);
        }
        let mut kinds = Self::default();
        for package in packages.values() {
            package.add_to(&mut kinds);
        }
        kinds
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn add(&mut self, api: Api, seen: Seen) {
        match self.seen.get(&api) {
            None => drop(self.seen.insert(api, seen)),
            Some(known) if known.markers == seen.markers => {}
            Some(known) => {
                let known = &known.place;
                let text = format!(
                    "{}: {api} is also registered in {known}, with other markers, which count",
                    seen.place
                );
                self.skip(text);
            }
        }
    }

    fn skip(&mut self, text: String) {
        self.notices.push(Notice::new(Topic::Skipped, text));
    }
}

/// Kinds of a group version, each with its type in Go and where it is registered.
type Types<'f> = BTreeMap<&'f str, (&'f str, String)>;

#[derive(Default)]
struct Package<'f>(Vec<&'f File<GoFile>>);

impl Package<'_> {
    fn add_to(&self, kinds: &mut Kinds) {
        let mut versions: BTreeMap<(String, String), Types<'_>> = BTreeMap::new();
        let mut unknown: BTreeMap<&str, (String, usize)> = BTreeMap::new();
        for file in &self.0 {
            for registered in &file.content.registered {
                let place = format!("{}:{}:{}", file.label, registered.line, registered.column);
                match self.group_version(&registered.to) {
                    Resolved::Version(group, version) => {
                        let own = versions.entry((group, version)).or_default();
                        own.entry(&registered.kind).or_insert((&registered.of_type, place));
                    }
                    Resolved::Internal => {}
                    Resolved::Unknown => unknown.entry(&file.label).or_insert((place, 0)).1 += 1,
                }
            }
        }
        for (place, count) in unknown.into_values() {
            let plural = if count == 1 { "type is" } else { "types are" };
            kinds.skip(format!(
                "{place}: {count} {plural} registered in a group version that this package does not name"
            ));
        }
        for ((group, version), registered) in versions {
            self.version(&group, &version, &registered, kinds);
        }
    }

    fn version(&self, group: &str, version: &str, registered: &Types<'_>, kinds: &mut Kinds) {
        for (kind, (of_type, place)) in registered {
            let has_client = self.tags(of_type).is_some_and(|(_, tags)| tags.client);
            let has_list = registered.contains_key(format!("{kind}List").as_str());
            let is_list = kind
                .strip_suffix("List")
                .is_some_and(|of| of.is_empty() || registered.contains_key(of));
            let is_options = kind.ends_with("Options") && !has_list;
            if is_list || (is_options && !has_client) {
                continue;
            }
            if !is_name(kind) {
                kinds.skip(format!("{place}: a kind cannot have the name `{kind}`"));
                continue;
            }
            let seen = Seen {
                is_resource: has_client || has_list,
                ..self.seen(of_type, place, kinds)
            };
            let [group, version, kind] = [group, version, *kind].map(str::to_owned);
            kinds.add(Api { group, version, kind }, seen);
        }
    }

    /// The tags of a type, and the label of their file.
    fn tags(&self, of_type: &str) -> Option<(&str, &Tags)> {
        let mut files = self.0.iter();
        files.find_map(|file| Some((file.label.as_str(), file.content.tags.get(of_type)?)))
    }

    /// A type with its markers: those of methods, or else those of comments.
    fn seen(&self, of_type: &str, registered_at: &str, kinds: &mut Kinds) -> Seen {
        let mut generated = Markers::default();
        let mut generated_at = None;
        for file in &self.0 {
            for method in file.content.methods.get(of_type).into_iter().flatten() {
                generated.or(&method.markers);
                generated_at.get_or_insert_with(|| format!("{}:{}", file.label, method.line));
            }
        }
        let tags = self.tags(of_type);
        let tags = tags.filter(|(_, tags)| tags.markers != Markers::default());
        let written = tags.map(|(label, tags)| (format!("{label}:{}", tags.line), tags.markers.clone()));
        if let (Some((at, written)), Some(generated_at)) = (&written, &generated_at) {
            let mut both = written.clone();
            both.or(&generated);
            if both != generated {
                let text = format!(
                    "{at}: the markers of {of_type} differ from the code generated from them ({generated_at}), which counts"
                );
                kinds.notices.push(Notice::new(Topic::Contradiction, text));
            }
        }
        let is_generated = generated_at.is_some();
        let (written_at, written) = written.unzip();
        Seen {
            place: generated_at.or(written_at).unwrap_or_else(|| registered_at.to_owned()),
            markers: if is_generated { Some(generated) } else { written },
            is_generated,
            is_resource: false,
        }
    }

    fn group_version(&self, to: &GroupVersion) -> Resolved {
        let literal = match to {
            GroupVersion::Named(Name::Constant(name)) => self.find(|file| file.versions.get(name)),
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
            Name::Constant(name) => self.find(|file| file.texts.get(name)).map(String::as_str),
            Name::Foreign(_) => None,
        }
    }

    fn find<T>(&self, get: impl Fn(&GoFile) -> Option<&T>) -> Option<&T> {
        self.0.iter().find_map(|file| get(&file.content))
    }
}

enum Resolved {
    Version(String, String),
    Internal,
    Unknown,
}
