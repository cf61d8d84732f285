//! Manifests: which documents are CRDs, and what they define.

mod document;
mod json;
mod meant;
pub(super) mod patch;
mod written;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::definition::{Definition, Version};
use crate::source::Location;
use crate::text::{LARGEST, MOST_NODES, Unreadable, at, check_size, documents, limits, of_problem};

pub(crate) use document::WrittenDocument;
use document::trees;
use json::of_json_text;
use meant::is_json;
pub use meant::may_have_crds;
pub use patch::Patch;
use written::{Label, Manifest, Named, Shared, Spec};
pub(crate) use yaml::read_yaml;
use yaml::with_fixed_quotes;

/// The word that every CRD contains.
const KIND: &str = "CustomResourceDefinition";

/// The beginning of the `apiVersion` of CRDs.
const API: &str = "apiextensions.k8s.io/";

/// The `apiVersion` that servers accept today.
const V1: &str = "apiextensions.k8s.io/v1";

/// The one before.
const V1BETA1: &str = "apiextensions.k8s.io/v1beta1";

/// Versions of one CRD. Before v1 all may share one schema, so many of them need much more memory than their text.
const MOST_VERSIONS: usize = 256;

/// The CRDs of one text.
#[derive(Debug, Default)]
pub struct Crds {
    /// The CRDs, in order.
    pub definitions: Vec<Definition>,
    /// Documents that must be rendered to become CRDs.
    pub unrendered: Vec<Unrendered>,
    /// The parts of CRDs that Kustomize merges into others.
    pub patches: Vec<Patch>,
}

impl Crds {
    /// Adds those of another document.
    pub fn append(&mut self, other: Self) {
        self.definitions.extend(other.definitions);
        self.unrendered.extend(other.unrendered);
        self.patches.extend(other.patches);
    }
}

/// A document that is skipped because it is no complete CRD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrendered {
    /// The line at which it begins.
    pub line: u32,
    /// What it is.
    pub sort: Source,
}

/// A source that CRDs are rendered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum Source {
    /// What it defines depends on values.
    #[strum(to_string = "a Helm template; render it first (`helm template`)")]
    Template,
    /// Kustomize merges it into another document.
    #[strum(to_string = "a part of a CRD without group and names; render it first (`kustomize build`)")]
    Patch,
}

/// Reads the CRDs in a text of one or more documents, YAML or JSON. Other documents are skipped.
///
/// No more than [`LARGEST`] bytes are read, nested no deeper than `DEEPEST`; aliases are
/// followed within bounds. If JSON repeats a key, the last one counts, as for Kubernetes; YAML must not
/// repeat keys.
///
/// # Errors
///
/// If a document that looks like a CRD cannot be read: the first one.
pub fn read(text: &str) -> Result<Crds, Unreadable> {
    let mut found = Crds::default();
    check_size(text, LARGEST)?;
    definition_documents(text).try_for_each(|(line, document)| read_document(line, document, &mut found))?;
    Ok(found)
}

/// The CRDs of a document that begins at a line of its text.
pub(super) fn read_from(line: u32, document: &str) -> Result<Crds, Unreadable> {
    let mut found = Crds::default();
    if may_have_crds(document) {
        read_document(line, document, &mut found)?;
    }
    Ok(found)
}

/// The same for a check of single CRDs: with the documents as written, and with parts that have no `spec` among those
/// that are not rendered. What cannot be read is given with the line of its document; the others are
/// read.
///
/// # Errors
///
/// If the text is too large.
pub(crate) fn read_each(text: &str) -> Result<(Crds, Vec<WrittenDocument>), Unreadable> {
    let mut found = Crds::default();
    check_size(text, LARGEST)?;
    let written = definition_documents(text).map(|(line, document)| {
        let problem = read_document(line, document, &mut found).err();
        let (definitions, is_part) = trees(document);
        let is_known = found.unrendered.iter().any(|document| document.line == line);
        // A part without `spec` changes nothing that is compared, so that it is not among them yet.
        if is_part && problem.is_none() && !is_known {
            let sort = Source::Patch;
            found.unrendered.push(Unrendered { line, sort });
        }
        WrittenDocument {
            line,
            definitions,
            problem,
        }
    });
    let written = written.collect();
    Ok((found, written))
}

fn definition_documents(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let all = may_have_crds(text).then(|| documents(text)).into_iter().flatten();
    all.filter(|(_, document)| may_have_crds(document))
}

fn read_document(line: u32, document: &str, found: &mut Crds) -> Result<(), Unreadable> {
    let before = found.definitions.len();
    let manifests = if is_json(document) {
        Some(of_json_text(document, line)?)
    } else {
        of_yaml(document, line)?
    };
    let is_rendered = manifests.is_some();
    for (line, manifest) in manifests.unwrap_or_default() {
        definitions(manifest, line, found)?;
    }
    let read = &found.definitions[before..];
    if !is_rendered
        || read
            .iter()
            .any(|kind| kind.group.contains("{{") || kind.kind.contains("{{"))
    {
        found.definitions.truncate(before);
        let sort = Source::Template;
        found.unrendered.push(Unrendered { line, sort });
    }
    Ok(())
}

/// The manifest of a document and its line, if it has one; `None` if it is a template.
fn of_yaml(document: &str, line: u32) -> Result<Option<Vec<(u32, Manifest)>>, Unreadable> {
    let problem = match with_fixed_quotes(document) {
        Ok(manifest) => return Ok(Some(vec![(line, manifest)])),
        Err(problem) => problem,
    };
    let label = serde_saphyr::from_str_with_options::<Label>(document, limits(MOST_NODES));
    if document.contains("{{") {
        // What stands around whole lines of a template may be a CRD as it is.
        let manifest = with_fixed_quotes(&without_template_lines(document)).ok();
        Ok(manifest.map(|manifest| vec![(line, manifest)]))
    } else if label.is_ok_and(|label| label.is_other()) {
        Ok(Some(Vec::new()))
    } else {
        Err(of_problem(&problem, line))
    }
}

/// A document without the lines that are nothing but an expression of a template, such as a condition, or a comment of
/// it; the others keep their places.
fn without_template_lines(document: &str) -> String {
    let mut in_comment = false;
    let lines = document.lines().map(|line| {
        let text = line.trim();
        let is_comment = in_comment || ["{{/*", "{{- /*"].iter().any(|mark| text.starts_with(mark));
        in_comment = is_comment && !text.contains("*/");
        let is_alone = text.starts_with("{{") && text.ends_with("}}");
        let is_whole = in_comment || is_comment && text.ends_with("}}");
        if is_alone || is_whole { "" } else { line }
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The CRDs of a manifest: itself, or the items of a list.
fn definitions(manifest: Manifest, line: u32, found: &mut Crds) -> Result<(), Unreadable> {
    if let Some(items) = manifest.items {
        // In a list of one kind, servers write the kind once.
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
    let api = manifest.api_version.unwrap_or_default();
    let has_names = manifest.spec.as_ref().is_some_and(Spec::has_names);
    if let Some(problem) = meant::problem(manifest.kind.as_deref(), &api, has_names) {
        return Err(at(line, 1, problem));
    }
    if manifest.kind.as_deref() != Some(KIND) {
        return Ok(());
    }
    let beta = api == V1BETA1;
    let says_something = manifest.merges || manifest.spec.as_ref().is_some_and(|spec| !spec.is_empty());
    if !says_something {
        return Err(at(line, 1, format!("a {KIND} without `spec`: describe the kind in it")));
    }
    let (spec, part) = match manifest.spec {
        Some(spec) if spec.is_part() => (None, Some(spec)),
        spec => (spec, None),
    };
    let Some(spec) = spec else {
        // A part that only adds annotations changes nothing that is read here.
        if let Some(spec) = part {
            let sort = Source::Patch;
            found.unrendered.push(Unrendered { line, sort });
            found.patches.push(Patch {
                line,
                name: manifest.name.unwrap_or_default(),
                other: spec.other_part(),
                conversion: spec.conversion,
            });
        }
        return Ok(());
    };
    let definition = definition(spec, manifest.stored, line, beta).map_err(|reason| at(line, 1, reason))?;
    found.definitions.push(definition);
    Ok(())
}

fn definition(spec: Spec, stored: BTreeSet<String>, line: u32, beta: bool) -> Result<Definition, String> {
    let names = spec.names;
    let kind = name(names.kind, "spec.names.kind")?;
    let mut definition = Definition {
        place: Location { line, column: 1 },
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
        let (own, version) = version(named, &spec.shared, line)?;
        if definition.versions.contains_key(&own) {
            return Err(format!("{} has two versions named {own}", definition.kind));
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

fn version(named: Named, shared: &Shared, line: u32) -> Result<(String, Version), String> {
    let place = named.name.as_ref().and_then(|name| name.place);
    let place = place.map(|place| place.below(line));
    let own = name(named.name.map(|name| name.value.0), "the name of a version")?;
    let whole = Shared {
        schema: named.own.schema.or_else(|| shared.schema.clone()),
        subresources: named.own.subresources.or_else(|| shared.subresources.clone()),
        columns: named.own.columns.or_else(|| shared.columns.clone()),
        beside: shared.beside.clone().into_iter().chain(named.own.beside).collect(),
    };
    let mut version = Version {
        place,
        // What is not set is `false` for servers too.
        served: named.served.unwrap_or(false),
        storage: named.storage.unwrap_or(false),
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
            // The name in v1beta1.
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

/// A name that is allowed in a model.
fn name(given: Option<String>, what: &str) -> Result<String, String> {
    match given.filter(|name| !name.is_empty()) {
        None => Err(format!("a {KIND} without {what}")),
        Some(name) if name.chars().any(char::is_control) => Err(format!("control characters in {what}")),
        Some(name) => Ok(name),
    }
}
