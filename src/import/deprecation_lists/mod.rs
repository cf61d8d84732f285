//! Lists of deprecated API versions, as pluto and kubepug keep them to find such versions in manifests and clusters.
//!
//! An entry states when one kind is deprecated and removed and what replaces it; some lists do not state when it was
//! introduced. What cannot be read is reported with its line and left out.

mod draft;
mod kubepug;
mod merge;
mod pluto;

use std::collections::BTreeSet;
use std::fmt;

use crate::grammar::{KindPath, VersionPath};
use crate::model::Model;
use crate::release::ReleaseName;
use crate::text::Unreadable;

use super::draft::Draft;
use super::notice::{ImportError, Imported, Notice, Topic};

pub use draft::draft;
pub(crate) use merge::merge;

/// A tool that keeps such a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Tool {
    /// A list in YAML. It names the version of a replacement, not its kind.
    Pluto,
    /// A list in JSON.
    Kubepug,
}

/// A list of deprecated API versions.
#[derive(Debug)]
pub struct DeprecationList {
    pub(crate) tool: Tool,
    /// The entries that could be read, in their order.
    pub entries: Vec<ListedApi>,
    /// What could not be read, with lines.
    pub skipped: Vec<Unreadable>,
}

/// What a list states about one kind in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedApi {
    /// The line it begins at, from 1.
    pub line: u32,
    /// The product whose releases count, where the list has several.
    pub component: Option<String>,
    /// The kind in its version.
    pub api: Api,
    pub(crate) introduced: Option<ReleaseName>,
    /// The release in which it is deprecated.
    pub deprecated: Option<ReleaseName>,
    /// The first release that no longer has it.
    pub removed: Option<ReleaseName>,
    /// What to use instead.
    pub replacement: Option<Api>,
    /// The first release that has the replacement, if stated.
    pub(crate) available: Option<ReleaseName>,
}

/// A kind in a version of a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Api {
    /// The group; `core` for the one without a name.
    pub(crate) group: String,
    pub(crate) version: String,
    /// The kind.
    pub kind: String,
}

impl Tool {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether its list names the kinds of replacements, not only their versions.
    pub(crate) fn names_kinds(self) -> bool {
        self == Self::Kubepug
    }

    /// Reads a list. Entries that cannot be read are reported and left out.
    ///
    /// # Errors
    ///
    /// If the text is no such list, or costs too much to read.
    pub fn read(self, text: &str) -> Result<DeprecationList, Unreadable> {
        match self {
            Self::Pluto => pluto::read(text),
            Self::Kubepug => kubepug::read(text),
        }
    }
}

/// Makes the lives of kinds from a list, which is the file `name`. Of a list with several products, `component` chooses
/// one, for their releases cannot be compared. If there is a `model`, the list is merged into it; `known` is all that
/// it declares.
///
/// # Errors
///
/// If the component must be chosen or is not in the list, or no entry can be read.
pub fn import(
    name: &str,
    list: DeprecationList,
    component: Option<&str>,
    model: Option<&Model>,
    known: Draft,
) -> Result<Imported, ImportError> {
    let DeprecationList { tool, entries, skipped } = list;
    let entries = of_component(entries, component, name)?;
    let (entries, lists) = without_lists(entries);
    let mut result = match model {
        Some(model) => merge(model, known, &entries, tool.names_kinds()),
        None => draft(&entries),
    };
    result.skipped.extend(skipped);
    result.skipped.sort_by_key(|error| error.line);
    let Lives {
        draft,
        skipped,
        assumed,
        disagreements,
    } = result;
    if model.is_none() && draft.groups.is_empty() {
        let message = format!("{name}: no entry can be read");
        return Err(ImportError::new(message, format!("name a list of {}", tool.name())));
    }
    let mut imported = Imported {
        draft,
        disagreements,
        ..Imported::default()
    };
    let notices = lists_left_out(name, &lists).into_iter();
    let skipped = skipped.iter().map(|error| format!("{name}:{}: {error}", error.line));
    let notices = notices.chain(skipped).map(|text| Notice::new(Topic::Note, text));
    imported.notices = notices.collect();
    if model.is_none() {
        imported.draft.origin = vec![
            "The list has no dates: the releases are those it names and those between them. Add their dates.".to_owned(),
            "A replacement begins in the release in which the list says it is available, or else with the first deprecation \
             or removal that names it."
                .to_owned(),
        ];
    }
    if let Some((release, count)) = assumed {
        let plural = if count == 1 { "" } else { "s" };
        let which = match model {
            None => "the release before the first that it names",
            Some(_) => "the first release of the calendar",
        };
        let text = format!(
            "The list does not state when kinds were introduced: {count} kind{plural} of a version begin in {release}, \
             {which}. Correct these introductions."
        );
        imported.note(format!("{name}: {text}"));
        if model.is_none() {
            imported.draft.origin.push(text);
        }
    }
    Ok(imported)
}

/// What the entries of a list come to.
#[derive(Debug, Default)]
pub struct Lives {
    /// The elements.
    pub draft: Draft,
    /// Entries that were left out, and why.
    pub skipped: Vec<Unreadable>,
    /// The release in which kinds begin that the list does not introduce, and their number.
    pub(crate) assumed: Option<(ReleaseName, usize)>,
    /// Where the model that the list is merged into states something else.
    pub(crate) disagreements: Vec<crate::diagnostic::Diagnostic>,
}

fn of_component(mut entries: Vec<ListedApi>, chosen: Option<&str>, name: &str) -> Result<Vec<ListedApi>, ImportError> {
    let components: BTreeSet<&str> = entries.iter().map(ListedApi::component).collect();
    let names: Vec<String> = components.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    match chosen {
        Some(chosen) if !components.contains(chosen) => Err(unknown_component(name, chosen, &names)),
        Some(chosen) => {
            entries.retain(|entry| entry.component() == chosen);
            Ok(entries)
        }
        None if components.len() > 1 => {
            let message = format!("{name}: it has {} products, and a model has one", components.len());
            Err(ImportError::new(
                message,
                format!("choose one with --component: {names}"),
            ))
        }
        None => Ok(entries),
    }
}

pub(crate) fn unknown_component(name: &str, chosen: &str, known: &str) -> ImportError {
    let message = format!("{name}: no entry of the component `{chosen}`");
    ImportError::new(message, format!("it has {known}"))
}

/// Takes out the kinds that are only lists of another kind in the same list, as `WidgetList` is of `Widget`: servers
/// answer with them, nobody stores one. Returns the rest, and the names of these kinds.
pub(crate) fn without_lists(entries: Vec<ListedApi>) -> (Vec<ListedApi>, BTreeSet<String>) {
    let apis = entries.iter();
    let apis = apis.flat_map(|entry| entry.replacement.iter().chain([&entry.api]));
    let known: BTreeSet<(String, String)> = apis.map(|api| (api.group.clone(), api.kind.clone())).collect();
    let (lists, kinds): (Vec<ListedApi>, Vec<ListedApi>) = entries.into_iter().partition(|entry| {
        let of = entry.api.kind.strip_suffix("List");
        of.is_some_and(|of| known.contains(&(entry.api.group.clone(), of.to_owned())))
    });
    (kinds, lists.into_iter().map(|entry| entry.api.kind).collect())
}

const MOST_NAMED: usize = 3;

fn lists_left_out(name: &str, lists: &BTreeSet<String>) -> Option<String> {
    let kinds = match lists.len() {
        0 => return None,
        1 => "kind that is only a list of another kind",
        _ => "kinds that are only lists of other kinds",
    };
    let named: Vec<&str> = lists.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = if lists.len() > named.len() { ", …" } else { "" };
    let (count, named) = (lists.len(), named.join(", "));
    Some(format!("{name}: left out {count} {kinds}: {named}{more}"))
}

impl DeprecationList {
    fn new(tool: Tool) -> Self {
        Self {
            tool,
            entries: Vec::new(),
            skipped: Vec::new(),
        }
    }

    fn add(&mut self, line: u32, entry: Result<(ListedApi, Option<String>), String>) {
        let skipped = match entry {
            Ok((entry, ignored)) => {
                self.entries.push(entry);
                ignored
            }
            Err(reason) => Some(reason),
        };
        self.skipped
            .extend(skipped.map(|reason| crate::text::at(line, 1, reason)));
    }
}

impl ListedApi {
    /// The product; empty if the list names none.
    pub(crate) fn component(&self) -> &str {
        self.component.as_deref().unwrap_or_default()
    }

    fn can_begin(&self, release: &ReleaseName) -> bool {
        self.deprecated.as_ref().is_none_or(|end| release <= end)
            && self.removed.as_ref().is_none_or(|end| release < end)
    }
}

impl Api {
    pub(crate) fn path(&self) -> KindPath<'_> {
        KindPath::api(&*self.group, &*self.version, &*self.kind)
    }

    fn version_id(&self) -> String {
        VersionPath::api(&*self.group, &*self.version).to_string()
    }

    /// As a replacement of a kind is written: the id of a version, and the kind if it has another name.
    fn replacing(&self, kind: &str) -> String {
        if self.kind == kind {
            self.version_id()
        } else {
            self.to_string()
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path().fmt(f)
    }
}

/// A name that can be part of an id, or why it cannot.
fn name(given: &str, key: &str) -> Result<String, String> {
    if given.is_empty() {
        return Err(format!("`{key}` is missing"));
    }
    if given.chars().any(|c| c.is_control() || c.is_whitespace() || c == '/') {
        return Err(format!("`{key}` has characters that a name cannot have"));
    }
    Ok(given.to_owned())
}

fn release(given: &str, key: &str) -> Result<Option<ReleaseName>, String> {
    if given.is_empty() {
        return Ok(None);
    }
    let release = ReleaseName::parse(given);
    release
        .map(Some)
        .ok_or_else(|| format!("`{key}` is not a release: write it as v1.25.0"))
}
