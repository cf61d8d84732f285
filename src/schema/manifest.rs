//! Manifests: which documents define something, and what.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess};
use serde_json::Value as Json;
use serde_saphyr::Spanned;

use super::definition::{Definition, Version};
use super::keyed::{Keyed, raw, table, value};
use super::node::Schema;
use super::quoted;
use crate::text::{LARGEST, MOST_NODES, Place, Unreadable, at, bounded_json, documents, limits, of_json, of_problem};

/// The word without which a document defines nothing.
const KIND: &str = "CustomResourceDefinition";

/// Versions of one definition. Before v1 all may share one schema, so that many of them come to much more than their
/// text.
const MOST_VERSIONS: usize = 256;

/// What was found in one text.
#[derive(Debug, Default)]
pub struct Found {
    /// The definitions, in their order.
    pub definitions: Vec<Definition>,
    /// Lines at which documents begin that are templates of Helm: what they define depends on values that are not here.
    pub templates: Vec<u32>,
}

/// Reads the `CustomResourceDefinitions` of a text of one or more documents, YAML or JSON. Other documents are passed
/// over.
///
/// No more than [`LARGEST`] bytes are read, nested no deeper than [`DEEPEST`](crate::text::DEEPEST); aliases are followed
/// within bounds. Of a key that JSON says twice, the last one counts, as it does for Kubernetes; YAML must not say
/// one twice.
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
    if text.trim_start().starts_with('{') && !text.trim_start().starts_with("{{") {
        bounded_json(text)?;
        for manifest in serde_json::Deserializer::from_str(text).into_iter::<Manifest>() {
            let manifest = manifest.map_err(|problem| of_json(&problem))?;
            definitions(manifest, 1, &mut found.definitions)?;
        }
        return Ok(found);
    }
    for (line, document) in documents(text) {
        if !document.contains(KIND) {
            continue;
        }
        match of_yaml(document, line)? {
            Read::Manifest(manifest) => {
                let before = found.definitions.len();
                definitions(*manifest, line, &mut found.definitions)?;
                let templated =
                    |definition: &Definition| format!("{}{}", definition.group, definition.kind).contains("{{");
                if found.definitions[before..].iter().any(templated) {
                    found.definitions.truncate(before);
                    found.templates.push(line);
                }
            }
            Read::Template => found.templates.push(line),
            Read::Other => {}
        }
    }
    Ok(found)
}

/// What a document is.
enum Read {
    Manifest(Box<Manifest>),
    Template,
    Other,
}

/// As much as tells what a document is.
#[derive(serde::Deserialize)]
struct Label {
    kind: Option<String>,
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
    let other = label.is_ok_and(|label| label.kind.is_some_and(|kind| kind != KIND && !kind.ends_with("List")));
    if other {
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
}

impl Shared {
    /// Takes the value of a key; gives back a key that is none of its own, its value untouched.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<Option<String>, A::Error> {
        match key.as_str() {
            "schema" | "validation" => self.schema = value::<Validation, A>(map)?.and_then(|read| read.0).map(Arc::new),
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

/// `openAPIV3Schema`.
#[derive(Default)]
struct Validation(Option<Schema>);

impl Keyed for Validation {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "openAPIV3Schema" => self.0 = value(map)?,
            _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
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

read_by_key!(Manifest, Status, Spec, Names, Validation, Named);

/// The definitions of a manifest: itself, or the items of a list.
fn definitions(manifest: Manifest, line: u32, into: &mut Vec<Definition>) -> Result<(), Unreadable> {
    if let Some(items) = manifest.items {
        return items.into_iter().try_for_each(|item| definitions(item, line, into));
    }
    let api = manifest.api_version.unwrap_or_default();
    let Some(api) = api.strip_prefix("apiextensions.k8s.io/") else {
        return Ok(());
    };
    if manifest.kind.as_deref() != Some(KIND) {
        return Ok(());
    }
    let spec = manifest
        .spec
        .ok_or_else(|| at(line, 1, format!("a {KIND} without `spec`")))?;
    let definition = definition(spec, manifest.stored, line, api == "v1beta1");
    into.push(definition.map_err(|reason| at(line, 1, reason))?);
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
    };
    let version = Version {
        place,
        served,
        storage,
        deprecated: named.deprecated.unwrap_or(false),
        warning: named.warning,
        selectable: named.selectable.into_iter().flatten().map(|field| field.path).collect(),
        rest: named.rest,
        ..of_shared(whole)
    };
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
