//! Manifests: which documents define something, and what.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess};
use serde_json::Value as Json;
use serde_saphyr::Spanned;

use super::definition::{Definition, Version};
use super::keyed::{Keyed, raw, table, value};
use super::node::Schema;
use super::quoted;
use crate::text::{
    LARGEST, MOST_NODES, Place, Unreadable, at, bounded_json, documents, limits, line_below, of_json, of_problem,
};

/// The word without which a document defines nothing.
const KIND: &str = "CustomResourceDefinition";

/// How the `apiVersion` of definitions begins.
const API: &str = "apiextensions.k8s.io/";

/// Versions of one definition. Before v1 all may share one schema, so that many of them come to much more than their
/// text.
const MOST_VERSIONS: usize = 256;

/// What was found in one text.
#[derive(Debug, Default)]
pub struct Found {
    /// The definitions, in their order.
    pub definitions: Vec<Definition>,
    /// Documents that become definitions only once they are rendered.
    pub unrendered: Vec<Unrendered>,
}

/// A document that is passed over, as it is no definition by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrendered {
    /// The line at which it begins.
    pub line: u32,
    /// What it is.
    pub sort: Source,
}

/// What definitions are rendered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A template of Helm: what it defines depends on values that are not here.
    Template,
    /// A part of a definition, without its group and its names: Kustomize puts it into another document.
    Patch,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Template => "a template of Helm; render it first (`helm template`)",
            Self::Patch => "a part of a definition, without group and names; render it first (`kustomize build`)",
        })
    }
}

/// Reads the `CustomResourceDefinitions` of a text of one or more documents, YAML or JSON. Other documents are passed
/// over.
///
/// No more than [`LARGEST`] bytes are read, nested no deeper than [`DEEPEST`](crate::text::DEEPEST); aliases are
/// followed within bounds. Of a key that JSON says twice, the last one counts, as it does for Kubernetes; YAML must not
/// say one twice.
///
/// # Errors
///
/// If a document that seems to define a custom resource cannot be read: the first one.
pub fn read(text: &str) -> Result<Found, Unreadable> {
    let mut found = Found::default();
    if text.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    if !text.contains(KIND) {
        return Ok(found);
    }
    for (line, document) in documents(text).filter(|(_, document)| document.contains(KIND)) {
        let manifests = if is_json(document) {
            of_json_text(document, line)?
        } else {
            match of_yaml(document, line)? {
                Read::Manifest(manifest) => vec![(line, *manifest)],
                Read::Template => {
                    let sort = Source::Template;
                    found.unrendered.push(Unrendered { line, sort });
                    continue;
                }
                Read::Other => continue,
            }
        };
        let before = found.definitions.len();
        for (line, manifest) in manifests {
            definitions(manifest, line, &mut found)?;
        }
        let templated = |definition: &Definition| format!("{}{}", definition.group, definition.kind).contains("{{");
        if found.definitions[before..].iter().any(templated) {
            found.definitions.truncate(before);
            let sort = Source::Template;
            found.unrendered.push(Unrendered { line, sort });
        }
    }
    Ok(found)
}

/// Whether a document begins as JSON does; YAML has other tables in braces.
fn is_json(document: &str) -> bool {
    let begin = document.strip_prefix("---").unwrap_or(document).trim_start();
    let within = begin.strip_prefix('{').map(str::trim_start);
    within.is_some_and(|within| within.starts_with(['"', '}']))
}

/// The manifests of a text of JSON that begins at a line, each with its own: there may be several, one after another.
fn of_json_text(text: &str, mut line: u32) -> Result<Vec<(u32, Manifest)>, Unreadable> {
    let text = text.strip_prefix("---").unwrap_or(text);
    bounded_json(text)?;
    let mut read = serde_json::Deserializer::from_str(text).into_iter::<Manifest>();
    let (mut manifests, mut before, first) = (Vec::new(), 0, line);
    while let Some(manifest) = read.next() {
        let mut manifest = match manifest {
            Ok(manifest) => manifest,
            Err(_) if serde_json::from_str::<Label>(text).is_ok_and(|label| label.is_other()) => return Ok(Vec::new()),
            Err(problem) => {
                let fault = of_json(&problem);
                let line = line_below(first, u64::from(fault.line));
                return Err(at(line, fault.column, fault.reason));
            }
        };
        let own = text.get(before..read.byte_offset()).unwrap_or_default();
        let (blank, own) = own.split_at(own.len() - own.trim_start().len());
        line = line.saturating_add(newlines(blank));
        // The reader of JSON tells no places; that of YAML does where it can read the same, counted from its first
        // line.
        let begins_a_line = blank.ends_with('\n') || before == 0 && blank.is_empty();
        if begins_a_line && own.contains(KIND) {
            let same = serde_saphyr::from_str_with_options::<Manifest>(own, limits(MOST_NODES));
            if let Ok(same) = same {
                manifest.take_places(same);
            }
        }
        manifests.push((line, manifest));
        line = line.saturating_add(newlines(own));
        before = read.byte_offset();
    }
    Ok(manifests)
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// What a document is.
enum Read {
    Manifest(Box<Manifest>),
    Template,
    Other,
}

/// As much as tells what a document is.
#[derive(Default)]
struct Label {
    kind: Option<Json>,
}

impl Label {
    /// Whether it neither defines a custom resource nor lists what does.
    fn is_other(&self) -> bool {
        let kind = self.kind.as_ref().map(|kind| kind.as_str().unwrap_or_default());
        kind.is_none_or(|kind| kind != KIND && !kind.ends_with("List"))
    }
}

impl Keyed for Label {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "kind" => self.kind = raw(map)?,
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
        }
        Ok(())
    }
}

/// Quoted texts of one document that are indented for the parser.
const MOST_MENDED: usize = 100;

fn of_yaml(document: &str, line: u32) -> Result<Read, Unreadable> {
    let read = |text: &str| serde_saphyr::from_str_with_options::<Manifest>(text, limits(MOST_NODES));
    let problem = match read(document) {
        Ok(manifest) => return Ok(Read::Manifest(Box::new(manifest))),
        Err(problem) => problem,
    };
    let mut next = quoted::mended(document, &problem);
    for _ in 0..MOST_MENDED {
        let Some(mended) = next else { break };
        match read(&mended) {
            Ok(manifest) => return Ok(Read::Manifest(Box::new(manifest))),
            Err(problem) => next = quoted::mended(&mended, &problem),
        }
    }
    if document.contains("{{") {
        return Ok(Read::Template);
    }
    let label = serde_saphyr::from_str_with_options::<Label>(document, limits(MOST_NODES));
    if label.is_ok_and(|label| label.is_other()) {
        return Ok(Read::Other);
    }
    Err(of_problem(&problem, line))
}

/// A definition, or a list of manifests.
#[derive(Default)]
struct Manifest {
    kind: Option<String>,
    api_version: Option<String>,
    spec: Option<Spec>,
    stored: BTreeSet<String>,
    items: Option<Vec<Manifest>>,
}

impl Manifest {
    /// Takes the places of the same manifest as another reader read it.
    fn take_places(&mut self, other: Self) {
        for (own, other) in self.items.iter_mut().flatten().zip(other.items.into_iter().flatten()) {
            own.take_places(other);
        }
        let (Some(own), Some(other)) = (&mut self.spec, other.spec) else {
            return;
        };
        own.shared.take_places(&other.shared);
        for (own, other) in own.versions.iter_mut().zip(other.versions) {
            own.own.take_places(&other.own);
            let (Some(own), Some(other)) = (&mut own.name, other.name) else {
                continue;
            };
            if own.value == other.value {
                *own = other;
            }
        }
    }
}

impl Keyed for Manifest {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "kind" => self.kind = value(map)?,
            "apiVersion" => self.api_version = value(map)?,
            "spec" => self.spec = value(map)?,
            "status" => self.stored = value::<Status, A>(map)?.map(|status| status.0).unwrap_or_default(),
            "items" => self.items = value(map)?,
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
        }
        Ok(())
    }
}

#[derive(Default)]
struct Status(BTreeSet<String>);

impl Keyed for Status {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "storedVersions" => self.0 = value(map)?.unwrap_or_default(),
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
        }
        Ok(())
    }
}

#[derive(Default)]
struct Spec {
    group: Option<String>,
    names: Names,
    scope: Option<String>,
    conversion: Option<Json>,
    preserves_unknown: Option<bool>,
    versions: Vec<Named>,
    /// Before v1: the only version, or the first one.
    version: Option<String>,
    /// Before v1: what holds for all versions that do not say their own.
    shared: Shared,
    rest: BTreeMap<String, Json>,
}

impl Spec {
    /// Whether it says nothing of what it defines.
    fn is_part(&self) -> bool {
        self.group.is_none() && self.names.kind.is_none() && self.names.plural.is_none()
    }
}

impl Keyed for Spec {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "group" => self.group = value(map)?,
            "names" => self.names = value(map)?.unwrap_or_default(),
            "scope" => self.scope = value(map)?,
            "conversion" => self.conversion = raw(map)?,
            "preserveUnknownFields" => self.preserves_unknown = value(map)?,
            "versions" => self.versions = value(map)?.unwrap_or_default(),
            "version" => self.version = value(map)?,
            _ => {
                if let Some(key) = self.shared.take(key, map)? {
                    self.rest.extend(raw(map)?.map(|value| (key, value)));
                }
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Names {
    kind: Option<String>,
    plural: Option<String>,
    singular: Option<String>,
    list_kind: Option<String>,
    short: BTreeSet<String>,
    categories: BTreeSet<String>,
    rest: BTreeMap<String, Json>,
}

impl Keyed for Names {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "kind" => self.kind = value(map)?,
            "plural" => self.plural = value(map)?,
            "singular" => self.singular = value(map)?,
            "listKind" => self.list_kind = value(map)?,
            "shortNames" => self.short = value(map)?.unwrap_or_default(),
            "categories" => self.categories = value(map)?.unwrap_or_default(),
            _ => self.rest.extend(raw(map)?.map(|value| (format!("names.{key}"), value))),
        }
        Ok(())
    }
}

/// What a version says of itself or, before v1, a definition of all its versions.
#[derive(Default, Clone)]
struct Shared {
    schema: Option<Arc<Schema>>,
    subresources: Option<BTreeMap<String, Json>>,
    columns: Option<Vec<Json>>,
    /// What stands where only the schema may, by key.
    beside: BTreeMap<String, Json>,
}

impl Shared {
    fn take_places(&mut self, other: &Self) {
        let own = self.schema.as_mut().and_then(Arc::get_mut);
        if let (Some(own), Some(other)) = (own, &other.schema) {
            own.take_places(other);
        }
    }

    /// Takes the value of a key; gives back a key that is none of its own, its value untouched.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<Option<String>, A::Error> {
        match key.as_str() {
            "schema" | "validation" => {
                let read: Validation = value(map)?.unwrap_or_default();
                self.schema = read.schema.map(Arc::new);
                let beside = read.rest.into_iter();
                self.beside = beside.map(|(own, value)| (format!("{key}.{own}"), value)).collect();
            }
            "subresources" => {
                let said: Option<BTreeMap<String, Json>> = value(map)?;
                // `status: {}` says that there is one; `status: null` does not.
                self.subresources = said.map(|said| said.into_iter().filter(|(_, how)| !how.is_null()).collect());
            }
            "additionalPrinterColumns" => self.columns = value(map)?,
            _ => return Ok(Some(key)),
        }
        Ok(None)
    }
}

/// `openAPIV3Schema`, and what should not be beside it.
#[derive(Default)]
struct Validation {
    schema: Option<Schema>,
    rest: BTreeMap<String, Json>,
}

impl Keyed for Validation {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "openAPIV3Schema" => self.schema = value(map)?,
            _ => self.rest.extend(raw(map)?.map(|value| (key, value))),
        }
        Ok(())
    }
}

/// A version with its name.
#[derive(Default)]
struct Named {
    name: Option<Spanned<String>>,
    served: Option<bool>,
    storage: Option<bool>,
    deprecated: Option<bool>,
    warning: Option<String>,
    selectable: Option<Vec<Selectable>>,
    own: Shared,
    rest: BTreeMap<String, Json>,
}

impl Keyed for Named {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "name" => self.name = value(map)?,
            "served" => self.served = value(map)?,
            "storage" => self.storage = value(map)?,
            "deprecated" => self.deprecated = value(map)?,
            "deprecationWarning" => self.warning = value(map)?,
            "selectableFields" => self.selectable = value(map)?,
            _ => {
                if let Some(key) = self.own.take(key, map)? {
                    self.rest.extend(raw(map)?.map(|value| (key, value)));
                }
            }
        }
        Ok(())
    }
}

/// A field by which a server selects.
#[derive(serde::Deserialize)]
#[serde(expecting = "a table with `jsonPath`")]
struct Selectable {
    #[serde(rename = "jsonPath")]
    path: String,
}

macro_rules! read_by_key {
    ($($read:ty),*) => {
        $(impl<'de> Deserialize<'de> for $read {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                table(deserializer)
            }
        })*
    };
}

read_by_key!(Label, Manifest, Status, Spec, Names, Validation, Named);

/// The definitions of a manifest: itself, or the items of a list.
fn definitions(manifest: Manifest, line: u32, found: &mut Found) -> Result<(), Unreadable> {
    if let Some(items) = manifest.items {
        // Of a list of one kind, servers write the kind once.
        let shared = manifest.kind.as_deref().and_then(|kind| kind.strip_suffix("List"));
        let shared = shared.filter(|kind| *kind == KIND);
        return items.into_iter().try_for_each(|mut item| {
            if item.kind.is_none() && shared.is_some() {
                item.kind = shared.map(str::to_owned);
                item.api_version = item.api_version.or_else(|| manifest.api_version.clone());
            }
            definitions(item, line, found)
        });
    }
    if manifest.kind.as_deref() != Some(KIND) {
        return Ok(());
    }
    let api = manifest.api_version.unwrap_or_default();
    let beta = match api.strip_prefix(API) {
        Some("v1") => false,
        Some("v1beta1") => true,
        _ => {
            let of = match api.as_str() {
                "" => "without apiVersion".to_owned(),
                api => format!("of apiVersion `{api}`"),
            };
            let reason = format!("a {KIND} {of}: there are {API}v1 and {API}v1beta1");
            return Err(at(line, 1, reason));
        }
    };
    let Some(spec) = manifest.spec.filter(|spec| !spec.is_part()) else {
        let sort = Source::Patch;
        found.unrendered.push(Unrendered { line, sort });
        return Ok(());
    };
    let definition = definition(spec, manifest.stored, line, beta);
    found
        .definitions
        .push(definition.map_err(|reason| at(line, 1, reason))?);
    Ok(())
}

fn definition(spec: Spec, stored: BTreeSet<String>, line: u32, beta: bool) -> Result<Definition, String> {
    let names = spec.names;
    let kind = name(names.kind, "spec.names.kind")?;
    let mut definition = Definition {
        place: Place { line, column: 1 },
        group: name(spec.group, "spec.group")?,
        plural: name(names.plural, "spec.names.plural")?,
        singular: names.singular,
        list_kind: names.list_kind,
        short_names: names.short,
        categories: names.categories,
        scope: spec.scope,
        conversion: spec.conversion,
        preserves_unknown: spec.preserves_unknown.unwrap_or(beta),
        versions: BTreeMap::new(),
        stored,
        rest: spec.rest.into_iter().chain(names.rest).collect(),
        kind,
    };
    if spec.versions.len() > MOST_VERSIONS {
        return Err(format!("{} has more than {MOST_VERSIONS} versions", definition.kind));
    }
    for named in spec.versions {
        let (own, version) = version(named, &spec.shared, &definition.kind, line)?;
        if definition.versions.contains_key(&own) {
            return Err(format!("{} has two versions of the name {own}", definition.kind));
        }
        definition.versions.insert(own, version);
    }
    if definition.versions.is_empty() {
        let only = Version {
            served: true,
            storage: true,
            ..of_shared(spec.shared)
        };
        definition.versions.insert(name(spec.version, "spec.versions")?, only);
    }
    Ok(definition)
}

fn version(named: Named, shared: &Shared, kind: &str, line: u32) -> Result<(String, Version), String> {
    let place = named.name.as_ref().and_then(Place::of).map(|place| place.below(line));
    let own = name(named.name.map(|name| name.value), "the name of a version")?;
    let said = |flag: Option<bool>, key: &str| flag.ok_or_else(|| format!("{kind} {own} does not say `{key}`"));
    let (served, storage) = (said(named.served, "served")?, said(named.storage, "storage")?);
    let whole = Shared {
        schema: named.own.schema.or_else(|| shared.schema.clone()),
        subresources: named.own.subresources.or_else(|| shared.subresources.clone()),
        columns: named.own.columns.or_else(|| shared.columns.clone()),
        beside: shared
            .beside
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .chain(named.own.beside)
            .collect(),
    };
    let mut version = Version {
        place,
        served,
        storage,
        deprecated: named.deprecated.unwrap_or(false),
        warning: named.warning,
        selectable: named.selectable.into_iter().flatten().map(|field| field.path).collect(),
        ..of_shared(whole)
    };
    version.rest.extend(named.rest);
    Ok((own, version))
}

fn of_shared(shared: Shared) -> Version {
    let mut columns: BTreeMap<String, Json> = BTreeMap::new();
    for mut column in shared.columns.into_iter().flatten() {
        if let Some(keys) = column.as_object_mut()
            && let Some(path) = keys.remove("JSONPath")
        {
            // As v1beta1 calls it.
            keys.insert("jsonPath".to_owned(), path);
        }
        let name = column.get("name").and_then(Json::as_str).unwrap_or_default();
        let mut key = name.to_owned();
        while columns.contains_key(&key) {
            key.push('\'');
        }
        columns.insert(key, column);
    }
    Version {
        schema: shared.schema,
        subresources: shared.subresources.unwrap_or_default(),
        columns,
        rest: shared.beside,
        ..Version::default()
    }
}

/// A name that a model can have.
fn name(given: Option<String>, what: &str) -> Result<String, String> {
    match given.filter(|name| !name.is_empty()) {
        None => Err(format!("a {KIND} without {what}")),
        Some(name) if name.chars().any(char::is_control) => Err(format!("control characters in {what}")),
        Some(name) => Ok(name),
    }
}
