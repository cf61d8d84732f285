//! What a Kubernetes server refuses in a CRD, with its paths: the rules of `apiextensions.k8s.io/v1` for new CRDs.
//!
//! The server has one schema, one list of printer columns and so on where all versions of a CRD share them: its paths
//! are then those above the versions (`spec.validation`), as here.

pub(crate) mod cel;
mod conversion;
mod decode;
mod default_rules;
mod defaults;
mod dns;
mod embedded;
mod expressions;
mod formats;
mod keywords;
mod list_types;
mod names;
mod node;
mod numbers;
mod object_meta;
mod path;
mod patterns;
mod refusal;
mod rules;
mod schema_path;
mod structural;
mod translated;
mod unlisted;
mod unstructured;
mod validate;
mod versions;

use crate::schema::Tree;

use node::Node;
use path::Path;
use refusal::Refusals;
use versions::Shared;

use keywords::Around;
pub(crate) use refusal::{Class, Refusal};
pub(crate) use validate::{accepts, matches};

/// What a server refuses in a CRD.
pub(crate) fn refusals(definition: &Tree) -> Vec<Refusal> {
    let mut found = Refusals::default();
    let root = Node {
        value: definition,
        path: Path::ROOT,
        place: None,
    };
    decode::check(&root, &mut found);
    if !found.is_empty() {
        // A server that cannot decode a CRD says no more.
        return found.0;
    }
    names::metadata(&root, &mut found);
    match root.child("spec") {
        Some(spec) => specification(&spec, &mut found),
        None => found.add_key(
            Class::Group,
            &root,
            "spec",
            ("the CRD has no `spec`", "describe the kind in `spec`"),
        ),
    }
    found.0
}

fn specification(spec: &Node<'_, '_>, found: &mut Refusals) {
    names::group(spec, found);
    names::names(spec, found);
    let list = spec.child("versions");
    let versions: Vec<Node<'_, '_>> = list.iter().flat_map(Node::items).collect();
    versions::check(spec, &versions, found);
    for version in &versions {
        let schema = version.child("schema");
        if schema
            .as_ref()
            .and_then(|schema| schema.child("openAPIV3Schema"))
            .is_none()
        {
            let above = version.named(version.path.child("schema"));
            let message = "the version has no schema";
            let help = "describe its objects in `schema.openAPIV3Schema`";
            found.add_key(Class::Versions, &above, "openAPIV3Schema", (message, help));
        }
    }
    schemas(spec, &versions, found);
    let beside = [
        ("subresources", "subresources"),
        ("additionalPrinterColumns", "additionalPrinterColumns"),
    ];
    for (at, names) in beside.into_iter().enumerate() {
        Shared::of(&versions, names.1).visit(spec, &versions, names, &mut |node| match at {
            0 => versions::subresources(node, found),
            _ => versions::columns(node, found),
        });
    }
    selectable_fields(spec, &versions, found);
    conversion::check(spec, found);
}

fn has_status(version: &Node<'_, '_>) -> bool {
    let subresources = version.value.get("subresources");
    subresources.is_some_and(|subresources| subresources.entry("status").is_some())
}

fn schemas(spec: &Node<'_, '_>, versions: &[Node<'_, '_>], found: &mut Refusals) {
    let shared = Shared::of(versions, "schema");
    let any_status = versions.iter().any(has_status);
    let is_shared = matches!(shared, Shared::Same(_));
    let mut at = versions
        .iter()
        .filter(|version| version.value.entry("schema").is_some());
    shared.visit(spec, versions, ("validation", "schema"), &mut |node| {
        let own_status = at.next().is_some_and(has_status);
        if let Some(schema) = node.child("openAPIV3Schema") {
            objects(&schema, if is_shared { any_status } else { own_status }, found);
        }
    });
}

/// The schema of the objects of a version.
fn objects(schema: &Node<'_, '_>, has_status: bool, found: &mut Refusals) {
    if has_status {
        keywords::with_status(schema, found);
    }
    keywords::root(schema, found);
    let before = found.len();
    keywords::check(schema, Around::ROOT, found);
    if unstructured::has_no_structure(schema.value) {
        if found.len() == before {
            let message = "the schema has a keyword that CRDs cannot use: `$schema`";
            found.add(Class::Keyword, schema, message, "remove it");
        }
        return;
    }
    structural::check(schema, found);
    defaults::check(schema, found);
    let mut refused = found.0[before..].iter().map(|refusal| refusal.class);
    if refused.all(|class| class == Class::RuleUnjudged) {
        // A server judges rules where nothing else is wrong.
        expressions::check(schema, found);
    }
}

fn selectable_fields(spec: &Node<'_, '_>, versions: &[Node<'_, '_>], found: &mut Refusals) {
    let key = "selectableFields";
    let shared = Shared::of(versions, key);
    // Where all versions have one schema, a server finds none in each of them.
    let is_above = matches!(shared, Shared::Different) && matches!(Shared::of(versions, "schema"), Shared::Same(_));
    let schemas = versions.iter().filter(|version| version.value.entry(key).is_some());
    let schemas = schemas.map(|version| version.value.get("schema")?.get("openAPIV3Schema"));
    let schemas = schemas.map(|schema| schema.filter(|_| !is_above));
    let mut schemas = schemas.collect::<Vec<_>>().into_iter();
    shared.visit(spec, versions, (key, key), &mut |node| {
        versions::selectable(node, schemas.next().flatten(), found);
    });
}
