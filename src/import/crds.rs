//! `CustomResourceDefinitions`, in YAML or JSON, of `apiextensions.k8s.io/v1` and `v1beta1`.

pub(super) mod fields;
pub(super) mod schema;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::snapshot::{Field, Resource, Version};
use fields::Allowance;
use schema::{Definitions, Manifest, Schema, Spec};

/// How deep a document may nest. Schemas of real definitions stay below half of it.
pub const DEEPEST: usize = 128;

/// Bytes of one text. All definitions of a large cluster together stay below it.
pub const LARGEST: usize = 64 << 20;

/// Values, lists and tables of one document: more than [`LARGEST`] holds of ordinary text.
pub(super) const MOST_NODES: usize = 2_000_000;

/// Values of one document that its aliases may repeat.
const MOST_REPEATED: usize = 200_000;

/// The word without which a document defines nothing.
const KIND: &str = "CustomResourceDefinition";

/// What was found in one text.
#[derive(Debug, Default)]
pub struct Found {
    /// The definitions, in their order.
    pub definitions: Vec<Definition>,
    /// Lines at which documents begin that are templates of Helm: what they define depends on values that are not here.
    pub templates: Vec<u32>,
}

/// A kind as one text defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The rest.
    pub resource: Resource,
}

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
    /// What is wrong.
    pub reason: String,
}

/// Reads a text of one or more documents. Documents that define no custom resource are passed over.
///
/// No more than [`LARGEST`] bytes are read, nested no deeper than [`DEEPEST`]; aliases are followed within bounds.
///
/// # Errors
///
/// If a document that seems to define a custom resource cannot be read: the first one.
pub fn read(text: &str) -> Result<Found, Unreadable> {
    let mut found = Found::default();
    let mut allowance = Allowance::new();
    if text.len() > LARGEST {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)));
    }
    if !text.contains(KIND) {
        return Ok(found);
    }
    if text.trim_start().starts_with('{') && !text.trim_start().starts_with("{{") {
        // Each value but the first comes after one of these.
        let nodes = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
        if nodes > MOST_NODES {
            return Err(at(1, 1, format!("more than {MOST_NODES} values")));
        }
        for manifest in serde_json::Deserializer::from_str(text).into_iter::<Manifest>() {
            let manifest = manifest.map_err(|problem| of_json(&problem))?;
            definitions(manifest, 1, &mut allowance, &mut found.definitions)?;
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
                definitions(*manifest, line, &mut allowance, &mut found.definitions)?;
                let named = |definition: &Definition| format!("{}{}", definition.group, definition.kind);
                if found.definitions[before..]
                    .iter()
                    .any(|definition| named(definition).contains("{{"))
                {
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

/// The documents of a YAML stream, each with the line it begins at.
pub(super) fn documents(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut starts = vec![(1_u32, 0_usize)];
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let marks = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        if marks && offset > 0 {
            starts.push((number, offset));
        }
        offset += line.len();
    }
    let ends: Vec<usize> = starts
        .iter()
        .skip(1)
        .map(|(_, start)| *start)
        .chain([text.len()])
        .collect();
    let documents = starts.into_iter().zip(ends);
    documents.map(|((line, start), end)| (line, text.get(start..end).unwrap_or_default()))
}

/// What a document is.
enum Read {
    Manifest(Box<Manifest>),
    Template,
    Other,
}

/// As much as tells what a document is.
#[derive(Deserialize)]
struct Label {
    kind: Option<String>,
}

fn of_yaml(document: &str, line: u32) -> Result<Read, Unreadable> {
    let problem = match serde_saphyr::from_str_with_options::<Manifest>(document, limits(MOST_NODES)) {
        Ok(manifest) => return Ok(Read::Manifest(Box::new(manifest))),
        Err(problem) => problem,
    };
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

/// A problem of a YAML text that begins at a line.
pub(super) fn of_problem(problem: &serde_saphyr::Error, line: u32) -> Unreadable {
    let place = problem.location();
    let below = place.map_or(0, |place| {
        u32::try_from(place.line()).unwrap_or(u32::MAX).saturating_sub(1)
    });
    let column = place.map_or(1, |place| u32::try_from(place.column()).unwrap_or(u32::MAX));
    let plain = serde_saphyr::render_options! { snippets: serde_saphyr::SnippetMode::Off };
    let reason = problem.without_snippet().render_with_options(plain);
    let reason = reason.lines().next().unwrap_or_default();
    // Its lines are those of the document.
    let reason = reason.split(" at line ").next().unwrap_or(reason).to_owned();
    let reason = if reason.to_lowercase().contains("depth") {
        format!("nested deeper than {DEEPEST} levels ({reason})")
    } else if reason.contains("RecordedAnchorEvents") || reason.contains("alias replay limit") {
        format!("its aliases repeat more than {MOST_REPEATED} values")
    } else {
        reason
    };
    at(line.saturating_add(below), column, reason)
}

/// What keeps hostile YAML from costing much: values, lists and tables of one text.
pub(super) fn limits(nodes: usize) -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEEPEST,
            max_nodes: nodes,
            max_events: nodes * 2,
            max_total_scalar_bytes: LARGEST,
            max_recorded_anchor_events: MOST_REPEATED,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MOST_REPEATED,
        },
    }
}

/// A fault of JSON that begins where the text does.
pub(super) fn of_json(problem: &serde_json::Error) -> Unreadable {
    let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX).max(1);
    let text = problem.to_string();
    let reason = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(reason, _)| reason);
    let reason = match reason {
        "recursion limit exceeded" => format!("nested deeper than {DEEPEST} levels"),
        reason => reason.to_owned(),
    };
    at(narrow(problem.line()), narrow(problem.column()), reason)
}

/// A fault at a place.
pub(super) fn at(line: u32, column: u32, reason: impl Into<String>) -> Unreadable {
    Unreadable {
        line,
        column,
        reason: reason.into(),
    }
}

/// The definitions of a manifest: itself, or the items of a list.
fn definitions(
    manifest: Manifest,
    line: u32,
    allowance: &mut Allowance,
    into: &mut Vec<Definition>,
) -> Result<(), Unreadable> {
    if let Some(items) = manifest.items {
        return items
            .into_iter()
            .try_for_each(|item| definitions(item, line, allowance, into));
    }
    let api = manifest.api_version.unwrap_or_default();
    if manifest.kind.as_deref() != Some(KIND) || !api.starts_with("apiextensions.k8s.io/") {
        return Ok(());
    }
    let spec = manifest
        .spec
        .ok_or_else(|| at(line, 1, format!("a {KIND} without `spec`")))?;
    let stored = manifest
        .status
        .and_then(|status| status.stored_versions)
        .unwrap_or_default();
    allowance.next();
    let definition = definition(spec, stored.into_iter().collect(), allowance);
    into.push(definition.map_err(|reason| at(line, 1, reason))?);
    Ok(())
}

fn definition(spec: Spec, stored: BTreeSet<String>, allowance: &mut Allowance) -> Result<Definition, String> {
    let names = spec.names.unwrap_or_default();
    let group = name(spec.group, "spec.group")?;
    let kind = name(names.kind, "spec.names.kind")?;
    let plural = name(names.plural, "spec.names.plural")?;
    let of_kind = |reason: String| format!("{kind}: {reason}");
    let shared = spec.validation.and_then(|validation| validation.schema);
    let shared = shared
        .map(|schema| fields(&schema, allowance))
        .transpose()
        .map_err(of_kind)?
        .unwrap_or_default();
    let mut versions = BTreeMap::new();
    for version in spec.versions.unwrap_or_default() {
        let own = name(version.name, "the name of a version")?;
        let said = |flag: Option<bool>, key: &str| flag.ok_or_else(|| format!("{kind} {own} does not say `{key}`"));
        let fields = match version.schema.and_then(|schema| schema.schema) {
            Some(schema) => fields(&schema, allowance).map_err(of_kind)?,
            None => {
                allowance.take(shared.keys()).map_err(of_kind)?;
                shared.clone()
            }
        };
        let read = Version {
            served: said(version.served, "served")?,
            storage: said(version.storage, "storage")?,
            deprecated: version.deprecated.unwrap_or(false),
            warning: version.deprecation_warning,
            subresources: subresources(version.subresources.as_ref().or(spec.subresources.as_ref())),
            fields,
        };
        versions.insert(own, read);
    }
    if versions.is_empty() {
        let only = Version {
            served: true,
            storage: true,
            subresources: subresources(spec.subresources.as_ref()),
            fields: shared,
            ..Version::default()
        };
        versions.insert(name(spec.version, "spec.versions")?, only);
    }
    let resource = Resource {
        plural,
        versions,
        stored,
        ..Resource::default()
    };
    Ok(Definition { group, kind, resource })
}

/// The fields of a schema: one of a custom resource refers to no other.
fn fields(schema: &Schema, allowance: &mut Allowance) -> Result<BTreeMap<String, Field>, String> {
    let mut missing = BTreeSet::new();
    let fields = fields::of(schema, &Definitions::new(), &mut missing, allowance)?;
    match missing.first() {
        Some(reference) => Err(format!("a schema of a custom resource cannot refer to `{reference}`")),
        None => Ok(fields),
    }
}

/// The names of subresources.
fn subresources(known: Option<&schema::Subresources>) -> BTreeSet<String> {
    let has = |name: &str, there: bool| there.then(|| name.to_owned());
    let status = known.and_then(|known| has("status", known.status.is_some()));
    let scale = known.and_then(|known| has("scale", known.scale.is_some()));
    status.into_iter().chain(scale).collect()
}

/// A name that a model can have.
fn name(given: Option<String>, what: &str) -> Result<String, String> {
    match given.filter(|name| !name.is_empty()) {
        None => Err(format!("a {KIND} without {what}")),
        Some(name) if name.chars().any(char::is_control) => Err(format!("control characters in {what}")),
        Some(name) => Ok(name),
    }
}
